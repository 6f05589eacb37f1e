"""`gm` alone, its help and its version (issue 29, "GM at the command line")."""

import re
import shlex
import sys
import tomllib
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import typer

from gm.cli.commands import cli
from gm.cli.terminal.help import ENTRIES
from gm.demo.in_memory_zine import PLAYERS
from gm.messages import gm_list
from gm.store.schema import HEAD

ANNA = PLAYERS[0]


def commands(command: Any, path: tuple[str, ...] = ()) -> dict[str, Any]:
    """All commands by their words, groups too."""
    found = {" ".join(path): command} if path else {}
    for name, below in getattr(command, "commands", {}).items():
        found |= commands(below, (*path, name))
    return found


COMMANDS = commands(typer.main.get_command(cli))


def test_every_command_has_its_line_and_examples() -> None:
    """The table of the help has each command, with two examples that differ, and nothing else."""
    assert COMMANDS.keys() == ENTRIES.keys()
    assert [path for path, entry in ENTRIES.items() if len({*entry.examples}) < 2] == []


@pytest.mark.parametrize(("path", "line"), [(path, line) for path, entry in ENTRIES.items() for line in entry.examples])
def test_examples_can_be_typed(path: str, line: str) -> None:
    """Each example is a line of its own command, which takes what stands behind it."""
    words, own = shlex.split(line), path.split()
    assert words[: 1 + len(own)] == ["gm", *own]
    assert COMMANDS[path].make_context(path, words[1 + len(own) :]).command is COMMANDS[path]


@pytest.mark.parametrize("path", sorted(ENTRIES))
def test_help_is_for_people(gm: Any, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Help names no type of the program, always in the same order, and fits into 80 columns."""
    monkeypatch.setenv("COLUMNS", "80")
    said = gm.run(*path.split(), "--help").out
    assert not re.search(r"<(str|int|path|list)|\{|x[<>]=", said)
    assert "  -h, --help" in said
    assert max(map(len, said.splitlines())) <= 80


def test_help_and_version(gm: Any) -> None:
    """`-h` is `--help` everywhere, `gm help` as well; the commands stand in groups; `--version` says what runs here."""
    for path in ((), ("zat",), ("mail", "list")):
        assert gm.run(*path, "-h").out == gm.run(*path, "--help").out == gm.run("help", *path).out != ""
    said = gm.run("--help").out
    heads = [said.index(f"\n{group}:\n") for group in ("Set up", "Games", "Rounds", "Players", "Mail", "Words", "Care")]
    assert heads == sorted(heads)
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    python = ".".join(map(str, sys.version_info[:3]))
    said = gm.run("--version").out
    assert said.startswith(f"gm {project['version']} (Python {python}"), (
        "installed before the version changed? make install"
    )
    assert said.endswith(f", database schema {HEAD})\n")


def test_without_a_config(gm: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who has no zine yet reads how to begin."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GM_CONFIG", raising=False)
    ran = gm.run()
    assert (ran.code, "gm init" in ran.out, "gm demo" in ran.out) == (0, True, True)


def test_the_page_of_today(running: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """What waits stands there with the line to type, the next rounds with who is missing, and the state of the mail."""
    monkeypatch.setenv("GM_CONFIG", str(running.config))
    assert "Nothing waits for you." in running.run().out
    with running.app() as app, app.database.write() as session:
        for number in range(10):
            gm_list.tell(app, session, "text", f"Frage {number}")
    said = running.run().out
    assert "10 things wait for you:" in said
    assert "gm todo --done" in said
    assert "... and 2 more: gm todo" in said
    assert f"missing: {ANNA}" in said
    assert "does `gm serve` run?" in said
    assert len(said.splitlines()) <= 40


def test_a_rest_is_told(running: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Today's page and the status name a rest that runs or comes."""
    monkeypatch.setenv("GM_CONFIG", str(running.config))
    first, last = ((datetime.now(UTC) + timedelta(days=days)).date().isoformat() for days in (60, 70))
    assert running("pause", "--all", "--from", first, "--to", last).code == 0
    for said in (running.run().out, running("status").out):
        assert f"The zine rests from {first} to {last}; gm resume --all ends that." in said


def test_the_page_of_today_on_a_terminal(running: Any, terminal: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """At 80 columns a round with many who are missing is broken at words, and no name is left out."""
    monkeypatch.setenv("GM_CONFIG", str(running.config))
    shown = terminal()
    assert shown.ends() == 0
    lines = re.sub(r"\x1b\[[\d;]*m", "", shown.shown).replace("\r", "").split("\n")
    assert max(map(len, lines)) <= 80
    at = next(number for number, line in enumerate(lines) if line.startswith("  Eriwan, round 1: "))
    assert lines[at + 1].startswith("    ")
    assert f"missing: {', '.join(PLAYERS)}" in " ".join(" ".join(lines[at : at + 3]).split())
