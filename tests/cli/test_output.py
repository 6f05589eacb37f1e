"""Output that can't be written: one sentence on standard error, none for a closed pipe."""

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from processes import command
from waiting import TIMEOUT

FULL = "gm: The output can't be written (No space left on device); make room, or send it elsewhere.\n"


def surroundings(buffered: bool) -> dict[str, str]:
    """The environment of a shell, or of a container that wants each line at once."""
    return {**os.environ, "PYTHONUNBUFFERED": "" if buffered else "1"}


@pytest.mark.trust(except_first=1)
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
@pytest.mark.parametrize("buffered", [True, False])
@pytest.mark.parametrize(
    "words", [("list",), ("show", "Eriwan", "--json"), ("verify",), ("doctor",), ("close", "Eriwan", "--dry-run")]
)
def test_a_full_disk_behind_the_output_is_one_sentence(running: Any, words: tuple[str, ...], buffered: bool) -> None:
    """`> /dev/full`: exit code 1 and why, no traceback, and nothing that Python adds at its end."""
    with Path("/dev/full").open("wb") as full:
        ran = subprocess.run(
            command(running.config, *words), stdout=full, stderr=subprocess.PIPE, text=True, check=False,
            timeout=TIMEOUT, env=surroundings(buffered),
        )  # fmt: skip
    assert (ran.returncode, ran.stderr) == (1, FULL)


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize("buffered", [True, False])
@pytest.mark.parametrize("words", [("list",), ("show", "Eriwan"), ("mail", "list")])
def test_a_closed_pipe_is_left_in_silence(running: Any, words: tuple[str, ...], buffered: bool) -> None:
    """`| head` reads a line or none, then hangs up: nothing is said about it."""
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as pipe:
        ran = subprocess.run(
            command(running.config, *words), stdout=pipe, stderr=subprocess.PIPE, text=True, check=False,
            timeout=TIMEOUT, env=surroundings(buffered),
        )  # fmt: skip
    assert ran.stderr == ""


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize("words", [("list",), ("status",), ("doctor", "--help")])
def test_without_any_output_commands_work(running: Any, words: tuple[str, ...]) -> None:
    """`>&- 2>&-`, as some daemons start their jobs: the command does its work."""
    called = command(running.config, *words)
    subprocess.run(["sh", "-c", 'exec "$@" >&- 2>&-', "sh", *called], check=True, timeout=TIMEOUT)
