"""README and the pages in docs/ name only what exists, have the size that they promise, and the reference is no older
than the program. That what they show is so is tested in `tests/cli/test_documents.py`.
"""

import importlib.util
import json
import re
import shlex
from collections.abc import Iterable
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer
from markdown_it import MarkdownIt
from waiting import TIMEOUT

from gm.app.context import open_app
from gm.cli.commands import cli
from gm.cli.terminal.declared import PANELS
from gm.demo.in_memory_zine import write_config, write_mail
from gm.reports.health import health
from gm.reports.state import State
from gm.requests.declared import all_names
from gm.runtime.config.settings import load
from parsers.commands import NotUnderstood
from parsers.mime.message import read_mail
from parsers.reading import read as read_mail_text

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md")),
    *sorted(DOCS.rglob("*.md")),
]
TODAY = [page for page in PAGES if page.name != "CHANGELOG.md"]
"""What describes the project as it is; the changelog may name what is gone."""
READERS = ("handbuch", "spieler", "install", "operate", "trust", "scale", "architecture")
NOT_RUN = {
    "demo": "tests/demo/test_demo.py", "login": "tests/transport/test_oauth.py",
    "migrate": "tests/trust/test_migrate.py", "serve": "tests/transport/test_shutdown.py",
}  # fmt: skip
"""Commands that a page may show in a block that isn't run, as they take a provider, a server or for ever: what does."""
MOST_WORDS = 1500

PATH = re.compile(r"(?<![\w/.<-])((?:gm|games|parsers|templates|tests|docs|\.ci)/[\w./<>*-]*[\w/>*]|\w+\.py\b)")
ELSEWHERE = re.compile(r"games/nim|test_nim\.py|.*[<*].*")
"""What a page may name that isn't there: the game that CONTRIBUTING makes, and patterns."""


def text_of(page: Path) -> str:
    """Read a page."""
    return page.read_text(encoding="utf-8")


def examples(text: str) -> list[str]:
    """The lines in fenced blocks that call `gm`, without prompt and comment."""
    blocks = re.findall(r"^```([^\n]*)\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    lines = [line.strip() for kind, block in blocks for line in block.splitlines()
             if kind != "console" or line.startswith("$ ")]  # fmt: skip
    return [line for line in (one.removeprefix("$ ") for one in lines) if re.match(r"gm( |$)", line)]


def check(line: str) -> None:
    """Follow a command line down to its command, and look its options up."""
    words = shlex.split(line, comments=True)[1:]
    words = [*words[1:], "--help"] if words[:1] == ["help"] else words
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
    for line in examples(text_of(page)):
        check(line)


@pytest.mark.parametrize("page", [*DOCS.glob("*.md"), ROOT / "README.md"], ids=lambda path: path.name)
def test_what_could_be_run_is_run(page):
    """Commands stand in blocks that are run, but for the few that take a provider or never end."""
    others = re.findall(r"^```(?!console)[^\n]*\n(.*?)^```", text_of(page), re.MULTILINE | re.DOTALL)
    lines = [line for block in others for line in block.splitlines() if re.match(r"(\$ )?gm( |$)", line)]
    assert [line for line in lines if line.removeprefix("$ ").split()[1:2] not in ([name] for name in NOT_RUN)] == []


@pytest.mark.parametrize(("command", "test"), NOT_RUN.items())
def test_what_is_not_run_here_is_run_there(command, test):
    """No command is exempted without a test of its own."""
    assert f'"{command}"' in text_of(ROOT / test)


def test_no_block_is_left_out_by_a_slip():
    """Every block of the pages has a kind that is known: what is run, and what needs no run."""
    kinds = {kind for page in (*DOCS.glob("*.md"), ROOT / "README.md")
             for kind in re.findall(r"^```(\w*)[^\n]*\n.*?^```$", text_of(page), re.MULTILINE | re.DOTALL)}  # fmt: skip
    assert kinds <= {"console", "mail", "answer", "ini", "sh", "toml", ""}


def test_readme_shows_the_command_line():
    """README has examples at all, so that the test above looks at something."""
    assert examples(text_of(ROOT / "README.md"))


def test_a_wrong_example_is_found():
    """The check itself finds what it is for."""
    check('gm join Eriwan "Anna Berg" anna@example.org --wish D   # a comment')
    for wrong in ("gm bogus", "gm list --bogus", "gm standbys bogus"):
        with pytest.raises(AssertionError):
            check(wrong)


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_commands_in_the_text(page):
    """A command in running text (`gm todo`) exists as well."""
    for line in re.findall(r"`(gm [a-z][^`\n]*)`", text_of(page)):
        if not any(mark in line for mark in ("...", "…", "|", "[")) and not line.startswith("gm remind"):
            check(line)  # CONTRIBUTING makes `gm remind`


def paths(text: str) -> set[str]:
    """The paths of this project that a page names, and what it links to."""
    linked = {link for link in re.findall(r"\]\(([^)#:]+)\)", text) if not link.startswith("#")}
    return {path for path in PATH.findall(text) if not ELSEWHERE.fullmatch(path)} | linked


@pytest.mark.parametrize("page", TODAY, ids=lambda path: path.name)
def test_paths(page):
    """Every path that a page names is there, named from the top or from the page's own folder."""
    text = re.sub(r"## A new (?:game|language|command[^\n]*)\n.*?(?=\n## |\Z)", "", text_of(page), flags=re.DOTALL)
    missing = [path for path in paths(text) if not any((base / path).exists() for base in (ROOT, page.parent))]
    assert sorted(missing) == [], f"{page.name} names what isn't there"


def test_a_wrong_path_is_found():
    """The check itself finds what it is for, in running text, in code and in links."""
    named = paths("`gm/store/nowhere.py`, stamps.py, [rules](docs/none.md)\n```\ngm/mailbox -> parsers/mime\n```\n")
    assert named == {"gm/store/nowhere.py", "stamps.py", "docs/none.md", "gm/mailbox", "parsers/mime"}
    assert paths("`tests/games/test_<key>.py` `gm todo` https://example.org/gm/x.py") == set()


# -- who reads what ---------------------------------------------------------------------------------------------------


def test_readme_is_short():
    """README has at most 1,500 words, tables and blocks included, and leads to a page for every reader."""
    readme = text_of(ROOT / "README.md")
    assert len(readme.split()) <= MOST_WORDS
    for name in READERS:
        assert f"](docs/{name}.md)" in readme
    assert readme.count("<img ") == 2


def test_make_targets():
    """What pages tell to make can be made."""
    targets = set(re.findall(r"^([a-z-]+):", text_of(ROOT / "Makefile"), re.MULTILINE))
    named = {name for page in TODAY for name in re.findall(r"(?:^|`)make ([a-z-]+)", text_of(page), re.MULTILINE)}
    assert {"demo", "test", "docs"} <= named
    assert named <= targets


@pytest.mark.parametrize("page", TODAY, ids=lambda path: path.name)
def test_headings_that_are_linked(page):
    """A link to a heading finds it."""
    for path, heading in re.findall(r"\]\(([^)#:]*)#([^)]+)\)", text_of(page)):
        headings = re.findall(r"^#+ (.*)$", text_of(page.parent / path if path else page), re.MULTILINE)
        assert heading in {re.sub(r"[^\w -]", "", one).lower().replace(" ", "-") for one in headings}


@cache
def reference() -> dict[str, str]:
    """What docs/write_reference.py would write."""
    spec = importlib.util.spec_from_file_location("write_reference", DOCS / "write_reference.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return dict(module.pages())


def test_the_reference_is_fresh():
    """docs/reference says what the program has: every command, setting, line by mail and provider."""
    for name, text in reference().items():
        assert text == text_of(DOCS / "reference" / name), f"docs/reference/{name} is old: `make docs`"


def test_the_reference_is_whole():
    """No group, no command with its two examples, no setting and no word of a mail command is missing."""
    written = reference()
    assert re.findall(r"^## (.*)", written["commands.md"], re.MULTILINE) == [*PANELS]
    for path in paths_of_commands("gm", typer.main.get_command(cli)):
        section = written["commands.md"].partition(f"\n### {path}\n")[2].partition("\n#")[0]
        assert section, path
        examples = [line for line in section.splitlines() if line.startswith("gm ")]
        assert len({*examples}) == 2, path
        assert all(line.startswith(path) for line in examples)
    example = text_of(ROOT / "config.example.toml")
    for key in re.findall(r"^(?:# (?:  )?)?(\w+) = ", example, re.MULTILINE):
        assert re.search(rf"`{key}`", written["config.md"]), key
    for word in ("Anmeldung", "Join", "kein Standby", "STOP DIGEST"):
        assert word in written["mail.md"]


def paths_of_commands(path: str, command: Any) -> Iterable[str]:
    """All commands by their whole names."""
    for name, one in getattr(command, "commands", {}).items():
        yield f"{path} {name}"
        yield from paths_of_commands(f"{path} {name}", one)


def test_fields_for_monitors(tmp_path):
    """Every field of `gm status --json` that docs/operate.md explains is there."""
    table = text_of(DOCS / "operate.md").partition("| field | |")[2].partition("\n\n")[0]
    named = [field for row in table.splitlines() for field in re.findall(r"`(\w+)`", row.split("|")[1] if row else "")]
    assert "ok" in named
    app = open_app(load(write_config(tmp_path)), create=True)
    with app.database.read() as session:
        found = json.loads(json.dumps(health(State(app, session)), default=str))
    app.close()
    assert set(named) <= set(found)


# -- the players' page ------------------------------------------------------------------------------------------------


def lines_of_players() -> list[str]:
    """The lines that the table of docs/spieler.md tells players to write."""
    rows = [line for line in text_of(DOCS / "spieler.md").splitlines() if line.startswith("| ") and "`" in line]
    return [line for row in rows for line in re.findall(r"`([^`]+)`", row.split("|")[2])]


PLAYERS_LINES = [line for line in lines_of_players() if line not in ("Ende", "Neu: D")]


def test_a_players_line(subtests):
    """Each line that the players' page names is a command, and nothing of it is prose."""
    for line in PLAYERS_LINES:
        with subtests.test(line=line):
            said = read_mail_text(read_mail(write_mail("anna@example.org", line)), all_names(), date(2026, 11, 4))
            assert said.commands, f"{line} is no command"
            assert not any(isinstance(one.command, NotUnderstood) for one in said.commands)
            assert said.free_text == ""


SHEET = """<!doctype html><meta charset="utf-8"><style>
@pytest.mark.trust
@page { size: A4; margin: 14mm 16mm }
body { font: 9.6pt/1.32 sans-serif; margin: 0 } p { margin: 0 0 4pt }
h1 { font-size: 15pt; margin: 0 0 4pt } h2 { font-size: 11.5pt; margin: 8pt 0 3pt }
pre { font-size: 8.6pt; line-height: 1.15; margin: 3pt 0 5pt; padding: 3pt 6pt; background: #eee }
table { border-collapse: collapse; width: 100% }
td, th { border-top: .5pt solid #999; padding: 1pt 4pt; text-align: left }
</style>"""
"""How a browser prints plain Markdown, small but not too small to read."""


@pytest.mark.server
def test_the_players_page_prints_on_one(launch):
    """docs/spieler.md is one printed page, A4."""
    page = launch().new_page()
    page.set_default_timeout(1000 * TIMEOUT)
    shown = re.sub(r"<!--.*?-->", "", text_of(DOCS / "spieler.md"))
    page.set_content(SHEET + MarkdownIt().enable("table").render(shown))
    assert number_of_pages(page.pdf(prefer_css_page_size=True)) == 1
    page.set_content(SHEET + 2 * MarkdownIt().enable("table").render(shown))
    assert number_of_pages(page.pdf(prefer_css_page_size=True)) == 2, "the check itself can't count"


def number_of_pages(pdf: bytes) -> int:
    """Count the pages of a PDF by Chromium, which doesn't compress what it says of them."""
    return len(re.findall(rb"/Type\s*/Page\b", pdf))
