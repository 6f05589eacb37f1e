"""The data of the archive keep the schemas that it publishes, so that other programs can be built on them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from gm.archive.list_pages import game_index
from gm.archive.record import record
from gm.archive.reference_pages import fixed_pages

pytestmark = pytest.mark.trust


def strict(schema: Any) -> Any:
    """Let no object have names that the schema doesn't know."""
    if isinstance(schema, dict):
        closed = {"additionalProperties": False} if "properties" in schema else {}
        return {**closed, **{name: strict(below) for name, below in schema.items()}}
    return [strict(below) for below in schema] if isinstance(schema, list) else schema


def faults(schema: Any, data: Any) -> list[str]:
    """Return where data don't keep a schema."""
    validator = Draft202012Validator(strict(schema), format_checker=Draft202012Validator.FORMAT_CHECKER)
    return [f"{one.json_path}: {one.message[:200]}" for one in validator.iter_errors(data)]


def fields(schema: Any) -> Iterator[tuple[str, Any]]:
    """Give all fields of all objects of a schema."""
    for name, kind in {**schema.get("$defs", {}), schema["title"]: schema}.items():
        yield from ((f"{name}.{field}", told) for field, told in kind.get("properties", {}).items())


@pytest.mark.parametrize("schema", [record.json_schema(), game_index.json_schema()], ids=["partie", "index"])
def test_schemas_are_schemas_and_describe_every_field(schema: Any) -> None:
    """Both are JSON Schema, and say of every name what it means."""
    Draft202012Validator.check_schema(schema)
    assert [name for name, told in fields(schema) if not told.get("description")] == []


def test_the_archive_publishes_its_schemas(site: Any) -> None:
    """What lies in the root of the archive are the schemas of this program."""
    published = [json.loads(site.text(name)) for name in fixed_pages.SCHEMAS]
    assert published == [record.json_schema(), game_index.json_schema()]


def test_every_game_keeps_the_schema(site: Any) -> None:
    """Games of all kinds and in every state are as the schema says, and have no names beside it."""
    schema = json.loads(site.text("partie.schema.json"))
    paths = [f"partien/{one.slug}/partie.json" for one in site.records]
    assert len(paths) > 10
    found = {path: some for path in paths if (some := faults(schema, json.loads(site.text(path))))}
    assert found == {}


def test_the_index_keeps_the_schema(site: Any) -> None:
    """The list of all games is as its schema says, and leads to files that are there."""
    index = json.loads(site.text("index.json"))
    assert faults(json.loads(site.text("index.schema.json")), index) == []
    assert {game["partie"] for game in index["partien"]} >= {one.game for one in site.records}
    for game in index["partien"]:
        assert all((site.folder / game[name]).is_file() for name in ("seite", "daten", "text"))


def test_a_game_says_who_won_and_how_it_was_played(site: Any) -> None:
    """Score, winner, words, moves and positions are in the data of a finished game."""
    game = json.loads(site.text("partien/eriwan/partie.json"))
    places = game["endstand"]["tabelle"]
    assert [place["name"] for place in places if place.get("gewinner")]
    assert all(isinstance(place["punkte"], int) for place in places)
    assert game["endstand"]["woerter"]
    assert all(one["abschnitte"] for one in game["runden"])
    moves = json.loads(site.text("partien/faro/partie.json"))["runden"][1:]
    assert all(one["ereignisse"] for one in moves)


@pytest.mark.parametrize("change", ["another type", "another name", "a name too few"])
def test_wrong_data_would_be_seen(site: Any, change: str) -> None:
    """The tests of schemas can fail."""
    game = json.loads(site.text("partien/eriwan/partie.json"))
    schema, broken = record.json_schema(), deepcopy(game)
    assert faults(schema, game) == []
    if change == "another type":
        broken["runden"][0]["nr"] = "eins"
    elif change == "another name":
        broken["endstand"]["tabelle"][0]["winner"] = True
    else:
        del broken["plaetze"][0]["name"]
    assert faults(schema, broken)
