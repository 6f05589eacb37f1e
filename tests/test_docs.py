"""README and the other pages name only commands that exist."""

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import typer

from gm.cli.commands import cli

ROOT = Path(__file__).parent.parent
PAGES = [path for path in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md") if path.exists()]


def examples(text: str) -> list[str]:
    """The lines in fenced blocks that call `gm`, without prompt and comment."""
    blocks = re.findall(r"^```[^\n]*\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    lines = [line.strip().removeprefix("$ ") for block in blocks for line in block.splitlines()]
    return [line for line in lines if re.match(r"gm( |$)", line)]


def check(line: str) -> None:
    """Follow a command line down to its command, and look its options up."""
    words = shlex.split(line, comments=True)[1:]
    command: Any = typer.main.get_command(cli)
    while words and hasattr(command, "commands") and not words[0].startswith("-"):
        assert words[0] in command.commands, f"there is no command {words[0]!r}: {line}"
        command = command.commands[words.pop(0)]
    options = {option for parameter in command.params for option in parameter.opts} | {"--help", "--debug"}
    used = {word.partition("=")[0] for word in words if re.fullmatch(r"--[a-z-]+(=.*)?", word)}
    assert used <= options, f"no option {used - options}: {line}"


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_examples(page):
    """What a page tells to type can be typed."""
    for line in examples(page.read_text(encoding="utf-8")):
        check(line)


def test_readme_shows_the_command_line():
    """README has examples at all, so that the test above looks at something."""
    assert examples((ROOT / "README.md").read_text(encoding="utf-8"))


def test_a_wrong_example_is_found():
    """The check itself finds what it is for."""
    check('gm join Eriwan "Anna Berg" anna@example.org --wish D   # a comment')
    for wrong in ("gm bogus", "gm list --bogus", "gm standbys bogus"):
        with pytest.raises(AssertionError):
            check(wrong)


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_commands_in_the_text(page):
    """A command in running text (`gm todo`) exists as well."""
    for line in re.findall(r"`(gm [a-z][^`\n]*)`", page.read_text(encoding="utf-8")):
        if "..." not in line and "…" not in line and "|" not in line:
            check(line)
