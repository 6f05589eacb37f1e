"""A third language needs files and no Python: the demo is played in a made-up one, from sign-up to final scores.

Its sentences are the German ones with accents on all vowels, in brackets. So whatever a mail or a page says in a word
without an accent was written by somebody, or is not in a catalogue.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from email import message_from_bytes, policy
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Final

import pytest

from games import engines
from games.api import LANGUAGES
from gm.demo import people, plot
from gm.demo.scripted_game import script_of
from gm.runtime.catalogues import catalogue

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[1]
LANGUAGE: Final = "xx"
PLAIN: Final = "aeiouyAEIOUYäöüÄÖÜ"
ACCENTED: Final = "áéíóúýÁÉÍÓÚÝâôûÂÔÛ"
ACCENTS: Final = str.maketrans(PLAIN, ACCENTED)
DATES: Final = """locale = "fi_FI"
long = "yyyy-MM-dd HH:mm"
short = "yyyy-MM-dd HH:mm"
weekday = "yyyy-MM-dd"
time = "HH:mm"
date = "yyyy-MM-dd"
day = "MM-dd"
"""
VISIBLE: Final = ("alt", "title", "aria-label", "placeholder", "content")
"""Attributes that are shown or read out."""
NAMES: Final = frozenset((
    "Dottendorfer", "Soccer", "Cici", "Beilken", "gm", "rule", "accept", "reject", "undo", "move", "show", "mail",
    "todo", "release", "zat", "standby", "foreword", "mailto", "zug", "postspiel", "example", "spieler", "html",
    "http", "https", "www", "json", "schema", "partie", "index", "Processed", "Quarantine", "German", "german",
    "Deutsch", "English", "Pl", "Nr", "sunnuntai", "päivää", "päivä", "viikkoa", "viikko", "tuntia", "tunti",
    "minuuttia",
))  # fmt: skip
"""What people, files, folders and languages are called, what the GM types, and days as Finnish has them."""
LONGEST_ROW: Final = 6
NO_WORDS: Final = re.compile(r"\b[0-9a-f]{6,}\b|(?m:^ *[a-z.]{6} *\r?$)")
"""Checksums, and the rows of a board."""


def made_up(sentence: str) -> str:
    """Put accents on a sentence but for its placeholders and escapes."""
    return "".join(
        part if at % 2 else part.translate(ACCENTS)
        for at, part in enumerate(re.split(r"(\{\w*\}|\\u\w{4}|\\.)", sentence))
    )


def translate(toml: str, *, in_brackets: bool) -> str:
    """Translate what stands in quotes, line by line, as a translator edits a file."""
    before, after = ("[", "]") if in_brackets else ("", "")

    def one(line: str) -> str:
        if not (found := re.fullmatch(r'([\w.]+) = "(.*)"', line)):
            return re.sub(r'"([^"]*)"', lambda text: f'"{made_up(text[1])}"', line) if "= [" in line else line
        code, said = found.groups()
        is_word = code.startswith("KEY_") or not re.search(r"\w \w", said)
        return f'{code} = "{made_up(said) if is_word else before + made_up(said) + after}"'

    return "\n".join(map(one, toml.split("\n")))


def write_language(tree: Path) -> None:
    """Write all files of the language."""
    german = tree / "templates/words/de"
    for path in german.glob("*.toml"):
        new = german.with_name(LANGUAGE) / path.name
        new.parent.mkdir(exist_ok=True)
        text = translate(path.read_text(encoding="utf-8"), in_brackets=path.stem != "commands")
        new.write_text(DATES if path.stem == "dates" else text, "utf-8")
    for path in (tree / "games").glob("*/*.de.toml"):
        new = path.with_name(path.name.replace(".de.", f".{LANGUAGE}."))
        new.write_text(translate(path.read_text(encoding="utf-8"), in_brackets=True), "utf-8")
    for path in (tree / "games").glob("*/README.md"):
        rules = path.read_text(encoding="utf-8")
        new = path.with_name(f"README.{LANGUAGE}.md")
        new.write_text(
            "".join(made_up(part) if at % 2 == 0 else part for at, part in enumerate(_parted(rules))), "utf-8"
        )


def _parted(rules: str) -> list[str]:
    """Part rules into prose and what is typed as it is: blocks and code."""
    return re.split(r"(```.*?```|`[^`]*`)", rules, flags=re.DOTALL)


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the program with the files of the made-up language."""
    tree = tmp_path_factory.mktemp("tree")
    for package in ("gm", "games", "parsers", "templates"):
        shutil.copytree(ROOT / package, tree / package, ignore=shutil.ignore_patterns("__pycache__"))
    write_language(tree)
    return tree


def run(tree: Path, code: str) -> str:
    """Run some Python with that copy, and return what it prints."""
    env = {**os.environ, "PYTHONPATH": str(tree)}
    ran = subprocess.run([sys.executable, "-c", code], cwd=tree, env=env, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout[-2000:] + ran.stderr[-4000:]
    return ran.stdout


@pytest.fixture(scope="module")
def played(tree: Path) -> Path:
    """The folder of a demo in the made-up language."""
    run(
        tree,
        "from pathlib import Path; from gm.demo.run import play; "
        f"play('', Path('played'), fast=True, show=print, language={LANGUAGE!r})",
    )
    return tree / "played"


class Shown(HTMLParser):
    """Collects what a page shows and what is read out of it."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._hidden = 0
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take the attributes that are words."""
        self._hidden += tag in ("style", "script")
        found: Mapping[str, Any] = dict(attrs)
        is_meta = tag == "meta" and found.get("name") != "description"
        self.texts += [str(found[name]) for name in VISIBLE if name in found and not is_meta]

    def handle_endtag(self, tag: str) -> None:
        """See where styles end."""
        self._hidden -= tag in ("style", "script")

    def handle_data(self, data: str) -> None:
        """Take text."""
        if not self._hidden:
            self.texts.append(data)


def shown(played: Path) -> Iterator[tuple[str, str]]:
    """Give everything that people see: subject, text and HTML of each mail, and the pages."""
    for path in sorted((played / "mail").rglob("*")):
        if path.is_file() and b"From: Dottendorfer" in path.read_bytes()[:4000]:
            mail = message_from_bytes(path.read_bytes(), policy=policy.default)
            yield f"{path.name}, subject", str(mail["Subject"])
            for kind in ("plain", "html"):
                body = mail.get_body((kind,))
                assert body is not None
                text = body.get_content()
                yield f"{path.name}, {kind}", text if kind == "plain" else " ".join(Shown(text).texts)
    pages = [path for path in (played / "archive").rglob("*.html") if path.parent.name not in LANGUAGES]
    for path in sorted(pages):  # rules are there in all languages
        yield str(path.relative_to(played)), " ".join(Shown(path.read_text(encoding="utf-8")).texts)


def written() -> frozenset[str]:
    """List the words that players and the GM have written, all names, and what rules quote of moves."""
    texts = [*people.PLAYERS, people.STANDBY, people.TEASED, people.TEASED_BACK, people.WELCOME, people.FAREWELL]
    texts += [line for blocks in script_of("crossword").values() for block in blocks for line in block]
    for engine in engines().values():
        texts.append(engine.rules.title)
    for path in (ROOT / "games").glob("*/README*.md"):
        texts += _parted(path.read_text(encoding="utf-8"))[1::2]
    found = re.findall(r"[^\W\d_]+", " ".join(texts))
    return frozenset(found) | NAMES | {plot.GAME, plot.NEXT_GAME, "Ende"}


def said_in_german_and_english() -> frozenset[str]:
    """List the words of the catalogues, small."""
    sentences = (said for language in LANGUAGES for room in ("mail", "sentences", "archive")
                 for said in catalogue(room, language).values())  # fmt: skip
    return frozenset(word.lower() for said in sentences for word in re.findall(r"[^\W\d_]+", said))


@pytest.mark.trust
def test_the_demo_speaks_a_third_language(played: Path) -> None:
    """No German or English word of ours stands in a subject, a text, an HTML part or a page."""
    own, ours, seen, foreign = written(), said_in_german_and_english(), 0, dict[str, str]()
    for where, text in shown(played):
        for found in re.finditer(r"[^\W\d_]{2,}", NO_WORDS.sub("", text)):
            word = found[0]
            seen += 1
            is_letters = word.isupper() and (len(word) <= LONGEST_ROW or word.lower() not in ours)  # of boards
            if not set(word) & set(ACCENTED) and word not in own and not is_letters:
                foreign.setdefault(word, f"{where}: {found.string[max(0, found.start() - 50) : found.end() + 50]!r}")
    assert seen > 10_000
    assert foreign == {}


def test_its_commands_are_read(tree: Path) -> None:
    """Its words for commands and for what stands beside them are understood, and answered in it."""
    lines = {
        "Hílfé": "Help(topic='')",
        "Dígést mónátlích": "Digest(how='monthly', at='')",
        "Dígést áús": "Digest(how='off', at='')",
        f"Spráché {LANGUAGE}": f"SetLanguage(to={LANGUAGE!r})",
        "Spráché déútsch": f"SetLanguage(to={LANGUAGE!r})",
    }
    printed = run(
        tree,
        "from gm.requests.declared import all_names; from parsers.lines.command_lines import read_command\n"
        f"for said in (read_command(line, all_names()) for line in {[*lines]!r}): print(said.command, said.language)",
    )
    assert printed.splitlines() == [f"{read} {LANGUAGE}" for read in lines.values()]
