"""`gm` alone, its help and its version (issue 29, "GM at the command line")."""

import re
import shlex
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import typer

from gm.cli.commands import cli
from gm.cli.terminal.declared import PANELS, Made
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


EXAMPLES = [
    (path, line) for path, one in COMMANDS.items() for line in one.epilog.split("\n\n") if line.startswith("gm ")
]


def test_every_command_has_its_group_and_examples() -> None:
    """Each command stands in a group of the help, and has two examples that differ."""
    assert {one.rich_help_panel for path, one in COMMANDS.items() if " " not in path} == {*PANELS}
    assert [path for path in COMMANDS if len({line for of, line in EXAMPLES if of == path}) < 2] == []


def test_examples_can_be_typed(subtests: pytest.Subtests) -> None:
    """Each example is a line of its own command, which takes what stands behind it."""
    for path, line in EXAMPLES:
        with subtests.test(path=path, line=line):
            words, own = shlex.split(line), path.split()
            assert words[: 1 + len(own)] == ["gm", *own]
            assert COMMANDS[path].make_context(path, words[1 + len(own) :]).command is COMMANDS[path]


def test_help_is_for_people(gm: Any, monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests) -> None:
    """Help shows the examples whole, and fits into 80 columns."""
    for path in sorted(COMMANDS):
        with subtests.test(path=path):
            monkeypatch.setenv("COLUMNS", "80")
            said = gm.run(*path.split(), "--help").out
            assert "--help" in said
            shown = " ".join(said.split())
            assert [line for of, line in EXAMPLES if of == path and " ".join(line.split()) not in shown] == []
            assert max(map(len, said.splitlines())) <= 80


def test_help_and_version(gm: Any) -> None:
    """`-h` is `--help` everywhere, `gm help` as well; the commands stand in groups; `--version` says what runs here."""
    for path in ((), ("zat",), ("mail", "list")):
        assert gm.run(*path, "-h").out == gm.run(*path, "--help").out == gm.run("help", *path).out != ""
    said = gm.run("--help").out
    heads = [said.index(f"─ {group} ─") for group in PANELS]
    assert heads == sorted(heads)
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    python = ".".join(map(str, sys.version_info[:3]))
    said = gm.run("--version").out
    assert said.startswith(f"gm {project['version']} (Python {python}"), (
        "installed before the version changed? make install"
    )
    assert said.endswith(f", database schema {HEAD})\n")


@pytest.mark.parametrize(("typed", "meant"), [("statsu", "'status'"), ("player shwo", "'show'"), ("zat --al", "--all")])
def test_a_slip_is_answered_with_what_was_meant(typed: str, meant: str, gm: Any) -> None:
    """A mistyped command, one below another, or an option: what was meant is named, with exit code 2."""
    ran = gm.run(*typed.split())
    assert (ran.code, ran.out) == (2, "")
    assert meant in ran.err


def test_a_command_is_made_when_it_is_asked_for() -> None:
    """Whoever asks for `list` lets Typer make no other command."""
    every = Made()
    assert every["list"].name == "list"
    assert [*every._made] == ["list"]
    assert len(dict(every)) == len(every._made) == len(every) > 30


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


@pytest.mark.trust
def test_the_page_of_today_on_a_terminal(running: Any, terminal: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """At 80 columns a round with many who are missing is broken at words, and no name is left out."""
    monkeypatch.setenv("GM_CONFIG", str(running.config))
    shown = terminal()
    assert shown.ends() == 0
    lines = re.sub(r"\x1b\[[\d;]*m", "", shown.shown).replace("\r", "").split("\n")
    assert max(map(len, lines)) <= 80
    at = next(number for number, line in enumerate(lines) if line.startswith("  Eriwan, round 1: "))
    below = [line for line in lines[at + 1 :] if line.startswith(6 * " ")]
    assert len(below) > 1
    assert " ".join(" ".join(below).split()) == f"missing: {', '.join(PLAYERS)}"
