"""A zine that may only be read: another user's, or on a disk that is mounted so."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from processes import command, without_privilege
from waiting import TIMEOUT

from gm.demo.in_memory_zine import PLAYERS
from gm.requests.desk import actions

pytestmark = pytest.mark.sqlite

READING = (
    ("list",), ("list", "--json"), ("show",), ("show", "Eriwan"), ("show", "Eriwan", "--json"), ("verify",),
    ("status",), ("todo",), ("rulings",), ("players",), ("player", "show", PLAYERS[0]), ("mail", "list"),
    ("mail", "show", "o1"), ("standbys", "list"), ("zat", "Eriwan"), ("digest",),
)  # fmt: skip
ALL = """\
import io, json, os, sys
from contextlib import redirect_stderr, redirect_stdout
from gm.cli import main
found = []
for words in json.loads(sys.argv[1]):
    sys.argv, code, out, err = ["gm", *words], 0, io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        try:
            main()
        except SystemExit as end:
            code = end.code
    found.append([code, out.getvalue(), err.getvalue(), sorted(os.listdir(os.path.dirname(words[-1])))])
print(json.dumps(found))
"""
"""Runs commands one after the other in one process, as starting takes long."""


@pytest.fixture
def only_read(running: Any) -> Iterator[Callable[..., subprocess.CompletedProcess[str]]]:
    """Run `gm` as somebody who may read the zine's folder and what is in it, and change nothing there."""
    folder: Path = running.config.parent

    def rights(of_folder: int, of_files: int) -> None:
        for path in folder.iterdir():
            path.chmod(of_files if path.is_file() else of_folder)
        folder.chmod(of_folder)

    def gm(*words: str, called: list[str] | None = None) -> subprocess.CompletedProcess[str]:
        rights(0o500, 0o400)
        try:
            return subprocess.run(
                called or command(running.config, *words), capture_output=True, text=True, check=False,
                timeout=TIMEOUT, preexec_fn=without_privilege,
            )  # fmt: skip
        finally:
            rights(0o700, 0o600)

    yield gm
    rights(0o700, 0o600)


@pytest.mark.trust
def test_what_only_reads_needs_no_right_to_write(only_read: Any, running: Any) -> None:
    """Each command that only reads says the same without the right to write, and leaves nothing behind."""
    before, said = sorted(path.name for path in running.config.parent.iterdir()), [running(*one).out for one in READING]
    calls = json.dumps([[*words, "--config", str(running.config)] for words in READING])
    ran = only_read(called=[sys.executable, "-c", ALL, calls])
    assert (ran.returncode, ran.stderr) == (0, "")
    for words, expected, (code, out, err, files) in zip(READING, said, json.loads(ran.stdout), strict=True):
        assert (code or 0, err) == (0, ""), words
        assert _but_times(out) == _but_times(expected), words
        assert files == before, words


def _but_times(said: str) -> list[str]:
    return [line for line in said.splitlines() if "seconds" not in line]


@pytest.mark.trust
@pytest.mark.parametrize(
    "words", [("pause", "Eriwan"), ("new", "crossword", "Havanna"), ("mail", "drop", "o1"), ("serve", "--once")]
)
def test_what_writes_says_that_it_may_not(only_read: Any, running: Any, words: tuple[str, ...]) -> None:
    """One sentence with the file and the mend; nothing is changed."""
    before = running.dump()
    ran = only_read(*words)
    assert ran.returncode == 1
    said = (
        f"gm: The database {running.config.with_name('gm.db')} said 'attempt to write a readonly database': it can't "
    )
    assert ran.stderr == f"{said}be written; check the rights of the file and its folder.\n"
    assert running.dump() == before


@pytest.mark.trust
def test_doctor_finds_that_it_can_only_be_read(only_read: Any) -> None:
    """The service couldn't work there."""
    ran = only_read("doctor")
    assert ran.returncode == 1
    assert "gm.db can only be read; check the rights of the file and its folder." in ran.stdout


def test_while_the_service_works_its_last_commit_is_seen(only_read: Any, running: Any) -> None:
    """What is still in the log beside the file is read, not the file as it was."""
    with running.app() as app:
        actions.new_game(app, "crossword", "Havanna")
        assert running.config.with_name("gm.db-wal").stat().st_size > 0
        ran = only_read("list", "--json")
        assert {one["name"] for one in json.loads(ran.stdout)} == {"Eriwan", "Havanna"}


def test_a_log_that_can_not_be_read_is_no_old_zine(only_read: Any, running: Any, tmp_path: Path) -> None:
    """A copy of a file with its log and without the index to it: refused, rather than told without its end."""
    database = running.config.with_name("gm.db")
    with running.app() as app:
        actions.new_game(app, "crossword", "Havanna")
        kept = {name: database.with_name(name).read_bytes() for name in ("gm.db", "gm.db-wal")}
    for name, content in kept.items():
        database.with_name(name).write_bytes(content)
    ran = only_read("list")
    assert ran.returncode == 1
    assert "'unable to open database file': check the path and the rights of its folder." in ran.stderr
    assert "Havanna" in running("list").out
