"""README and the other pages name only commands that exist."""

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import typer

from gm.cli.commands import cli

ROOT = Path(__file__).parent.parent
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    *sorted((ROOT / "docs").glob("*.md")),
]
TODAY = [page for page in PAGES if page.name != "CHANGELOG.md"]
"""What describes the project as it is; the changelog may name what is gone."""

PATH = re.compile(r"(?<![\w/.<-])((?:gm|games|parsers|templates|tests|docs|\.ci)/[\w./<>*-]*[\w/>*]|\w+\.py\b)")
ELSEWHERE = re.compile(r"games/nim|test_nim\.py|.*[<*].*")
"""What a page may name that isn't there: the game that CONTRIBUTING makes, and patterns."""


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


def paths(text: str) -> set[str]:
    """The paths of this project that a page names, and what it links to."""
    linked = {link for link in re.findall(r"\]\(([^)#:]+)\)", text) if not link.startswith("#")}
    return {path for path in PATH.findall(text) if not ELSEWHERE.fullmatch(path)} | linked


@pytest.mark.parametrize("page", TODAY, ids=lambda path: path.name)
def test_paths(page):
    """Every path that a page names is there, named from the top or from the page's own folder."""
    text = re.sub(r"## A new game\n.*?(?=\n## |\Z)", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    missing = [path for path in paths(text) if not any((base / path).exists() for base in (ROOT, page.parent))]
    assert sorted(missing) == [], f"{page.name} names what isn't there"


def test_a_wrong_path_is_found():
    """The check itself finds what it is for, in running text, in code and in links."""
    named = paths("`gm/store/nowhere.py`, stamps.py, [rules](docs/none.md)\n```\ngm/mailbox -> parsers/mime\n```\n")
    assert named == {"gm/store/nowhere.py", "stamps.py", "docs/none.md", "gm/mailbox", "parsers/mime"}
    assert paths("`tests/games/test_<key>.py` `gm todo` https://example.org/gm/x.py") == set()
