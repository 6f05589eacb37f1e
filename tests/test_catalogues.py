"""What the program says stands in catalogues: each code in every language, with the same placeholders, and used.

`make check` runs this page: who translates, or leaves a sentence over, hears of it before any test plays a game.
"""

import ast
import re
import string
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from games.api import LANGUAGES
from gm.runtime.catalogues import catalogue

ROOT = Path(__file__).parents[1]
ROOMS = sorted({path.stem for path in (ROOT / "templates/words").glob("*/*.toml")} - {"commands"})
"""All but how commands are written, which is compared with what declares them (tests/requests/test_declared.py)."""
GAMES = sorted({path.parent for path in (ROOT / "games").glob("*/*.toml")})
SENTENCES_OF_MANY = ("_MANY", "_ONE")
"""What is put behind a code for one, or for several; the code without it is named in the source."""
SHORTEST = 3
"""So many letters make a beginning of codes; fewer could begin anything."""


def flat(table: Mapping[str, Any], above: str = "") -> dict[str, str]:
    """Give the sentences of a file by their whole codes."""
    found: dict[str, str] = {}
    for name, entry in table.items():
        found |= flat(entry, f"{above}{name}.") if isinstance(entry, dict) else {f"{above}{name}": entry}
    return found


def placeholders(sentence: str) -> set[str]:
    """List what a sentence is filled with."""
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


def files() -> Iterator[tuple[str, dict[str, Path]]]:
    """Give each catalogue with its file in each language."""
    for room in ROOMS:
        yield room, {language: ROOT / f"templates/words/{language}/{room}.toml" for language in LANGUAGES}
    for folder in GAMES:
        for name in sorted({path.name.split(".")[0] for path in folder.glob("*.toml")}):
            yield f"{folder.name}/{name}", {language: folder / f"{name}.{language}.toml" for language in LANGUAGES}


CATALOGUES = dict(files())


def test_each_language_has_every_catalogue() -> None:
    """A language is a folder of `templates/words`, and a file beside the words of each game."""
    assert {path.name for path in (ROOT / "templates/words").iterdir()} == set(LANGUAGES)
    lacking = [str(path) for found in CATALOGUES.values() for path in found.values() if not path.exists()]
    assert lacking == []


@pytest.mark.parametrize("name", CATALOGUES)
def test_languages_say_the_same(name: str) -> None:
    """Each code stands in every language, in the same order and with the same placeholders.

    The English of an error is said at the line as well: what only a command needs may be missing elsewhere.
    """
    found = {
        language: flat(tomllib.loads(path.read_text(encoding="utf-8"))) for language, path in CATALOGUES[name].items()
    }
    english = found["en"]
    for sentences in found.values():
        assert list(english) == list(sentences)
        filled = {code: (placeholders(english[code]), placeholders(sentences[code])) for code in english}
        differ = {
            code for code, (known, own) in filled.items() if known != own and not (name == "errors" and own < known)
        }
        assert differ == set()


# -- what is used ------------------------------------------------------------------------------------------------------


class Used:
    """What sources name: whole codes, and beginnings of codes that are put together."""

    def __init__(self, paths: Iterable[Path]) -> None:
        self.whole: set[str] = set()
        beginnings: set[str] = set()
        for path in paths:
            for text, goes_on in strings(path):
                self.whole.add(text)
                if goes_on and len(text) >= SHORTEST:
                    beginnings.add(text)
        self.beginnings = tuple(beginnings)

    def __contains__(self, code: str) -> bool:
        base = next((code.removesuffix(end) for end in SENTENCES_OF_MANY if code.endswith(end)), code)
        return code in self.whole or base in self.whole or code.startswith(self.beginnings)


@cache
def strings(path: Path) -> frozenset[tuple[str, bool]]:
    """Give the strings of a source or template, and whether each may be the beginning of a longer one."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        found = (match[2] for match in re.finditer(r"""(["'])([\w.]+)\1""", text))
        return frozenset((one, one.endswith((".", "_"))) for one in found)
    nodes = list(ast.walk(ast.parse(text)))
    begun = {
        node.values[0].value for node in nodes
        if isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant)
    }  # fmt: skip
    plain = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    return frozenset({(one, one.endswith((".", "_"))) for one in plain} | {(str(one), True) for one in begun})


def sources(*folders: str) -> list[Path]:
    """List the sources and templates below folders."""
    kinds = ("*.py", "*.txt", "*.html", "*.xml")
    return [path for folder in folders for kind in kinds for path in (ROOT / folder).rglob(kind)]


@pytest.mark.parametrize("room", ROOMS)
def test_sentences_are_used(room: str) -> None:
    """Some template or module says each sentence."""
    used = Used(sources("gm", "templates"))
    assert [code for code in catalogue(room, LANGUAGES[0]) if code not in used] == []


@pytest.mark.parametrize("folder", GAMES, ids=lambda folder: folder.name)
def test_sentences_of_games_are_used(folder: Path) -> None:
    """Each is said by the game, by one that it is made of, or by the service for every game."""
    imported = re.compile(r"from games\.(\w+)")
    beside = {name for path in folder.glob("*.py") for name in imported.findall(path.read_text(encoding="utf-8"))}
    if folder.name == "shared":
        beside = {path.name for path in GAMES}
    folders = sorted(f"games/{name}" for name in {*beside, folder.name} if (ROOT / "games" / name).is_dir())
    used = Used([*sources(*folders, "gm"), ROOT / "games/api.py", ROOT / "games/base.py", ROOT / "games/words.py"])
    own = (flat(tomllib.loads(path.read_text(encoding="utf-8"))) for path in folder.glob(f"*.{LANGUAGES[0]}.toml"))
    assert [code for sentences in own for code in sentences if code not in used] == []


def test_what_is_said_has_a_sentence() -> None:
    """Every code that the service or a template names stands in the catalogue."""
    told = {"sentences", "archive", "errors"}
    known = {code for room in told for code in catalogue(room, LANGUAGES[0])}
    known |= {code for path in (ROOT / "games").glob(f"*/*.{LANGUAGES[0]}.toml")
              for code in tomllib.loads(path.read_text(encoding="utf-8"))}  # fmt: skip
    said = re.compile(r'\bsay\(\s*"([\w.]+)"(?! ~)')
    for path in sources("gm"):
        if path.suffix == ".py":
            assert set(said.findall(path.read_text(encoding="utf-8"))) <= known, path
    of_mails = catalogue("mail", LANGUAGES[0])
    for path in sources("templates/mail"):
        assert set(said.findall(path.read_text(encoding="utf-8"))) <= of_mails.keys(), path
