"""What docs/support.md promises is kept: nothing of a list that any 1.x has kept is gone, and new things are free."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import typer.main
from promised import FOLDER, LISTS, ROOT, gone, lines, printed, shape, version, walk

from gm.cli.commands import cli

pytestmark = pytest.mark.sqlite

VERSIONS = sorted(path.name for path in FOLDER.iterdir())


def kept(of: str, name: str) -> Any:
    """Read a list of a version."""
    return json.loads((FOLDER / of / f"{name}.json").read_text(encoding="utf-8"))


def test_the_lists_are_there() -> None:
    """Every version that is out has its lists, the one that comes next as well."""
    assert VERSIONS[0] == "1.0"
    assert version() in VERSIONS
    for one in VERSIONS:
        assert {path.stem for path in (FOLDER / one).iterdir()} == {*LISTS, "printed"}


@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize("of", VERSIONS)
def test_nothing_is_gone(of: str, name: str) -> None:
    """Commands, settings, lines by mail, the archive's schemas and the contract of games are as they were, or more."""
    before = kept(of, name)
    now = lines([*before]) if name == "lines" else LISTS[name]()
    assert list(gone(before, now)) == [], f"docs/support.md promises that {of} has it and all later ones keep it"


@pytest.mark.parametrize("of", VERSIONS)
def test_no_key_is_gone(of: str, shapes: Any) -> None:
    """What commands print as JSON has all the keys that it had."""
    assert list(gone(kept(of, "printed"), shapes)) == []


@pytest.fixture(scope="module")
def shapes(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The keys of all JSON that commands print."""
    return printed(tmp_path_factory.mktemp("zine"))


def test_all_commands_that_print_json_are_looked_at(shapes: Any) -> None:
    """None is left out, and each prints something that has keys."""
    every = {path for path, one in walk("gm", typer.main.get_command(cli))
             if any("--json" in parameter.opts for parameter in one.params)}  # fmt: skip
    assert {path for path in every if not any(f"{line} ".startswith(f"{path} ") for line in shapes)} == set()
    assert [line for line, found in shapes.items() if not re.search(r"\w", json.dumps(found))] == [
        "gm words suggest NOT"
    ]


@pytest.mark.parametrize(
    ("before", "now", "found"),
    [
        ({"a": {"b": 1}}, {"a": {"b": 1, "c": 2}, "d": {}}, []),
        ({"a": {"b": 1}}, {"a": {}}, ["/a/b is gone"]),
        ({"a": {"b": {}}}, {"a": []}, ["/a/b is gone"]),
        ({"takes": ["de", "en"]}, {"takes": ["en", "fr"]}, ["/takes: 'de' is gone"]),
        ({"default": "de"}, {"default": "en"}, ["/default: 'de' has become 'en'"]),
        ({"a": {"needs": 2}}, {"a": {"needs": 1}}, []),
        ({"a": {"needs": 1}}, {"a": {"needs": 2}}, ["/a/needs: 1 has become 2"]),
    ],
)  # fmt: skip
def test_what_is_gone_is_found(before: Any, now: Any, found: list[str]) -> None:
    """The check finds what is missing, changed or asked for in addition, and lets new things pass."""
    assert list(gone(before, now)) == found


def test_each_list_has_what_it_is_for() -> None:
    """A list that had lost its things would promise nothing."""
    assert kept("1.0", "commands")["gm join"]["options"]["--wish"] == "value"
    assert kept("1.0", "settings")["service"]["language"] == {"default": "de", "takes": ["de", "en"]}
    assert kept("1.0", "settings")["imap"]["oauth2"]["client_id"]["default"] == "needed"
    assert kept("1.0", "lines")["Urlaub 24.12.2026-06.01.2027"] == "Vacation de"
    assert "" not in kept("1.0", "lines").values()
    assert kept("1.0", "contract")["games.api.Engine"]["needs"] == 10
    assert kept("1.0", "lines")["gm rule"] == "GmCommand"
    assert "endstand" in json.dumps(kept("1.0", "archive")["partie.json"]["properties"])
    assert kept("1.0", "contract")["games.api.Engine"]["methods"]["due"] == "self state"
    assert kept("1.0", "printed")["gm list"]["[]"]["name"] == {}
    assert shape([{"a": [{"b": 1}]}, {"c": "d"}]) == {"[]": {"a": {"[]": {"b": {}}}, "c": {}}}


def test_the_page_says_where_the_lists_are() -> None:
    """docs/support.md leads to them."""
    assert f"{FOLDER.relative_to(ROOT)}" in (ROOT / "docs/support.md").read_text(encoding="utf-8")
    assert Path(ROOT / "README.md").read_text(encoding="utf-8").count("](docs/support.md)") == 1
