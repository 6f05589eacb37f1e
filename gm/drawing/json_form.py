"""How what pages show is written into the JSON files beside them: with German names, and without what is empty."""

from collections.abc import Mapping
from typing import Any, Final

from pydantic import ConfigDict

from games.api import Cell

_GERMAN: Final[Mapping[str, str]] = {
    "game": "partie", "kind": "spiel", "title": "titel", "language": "sprache", "unit": "zaehlt", "begun": "beginn",
    "ended": "ende", "seats": "plaetze", "snapshots": "runden", "result": "endstand", "retrospect": "was_war_drin",
    "checksum": "pruefsumme", "seed": "startwert", "word_list": "woerterliste", "rules_version": "regeln",
    "number": "nr", "heading": "ueberschrift", "at": "am", "events": "ereignisse", "missed": "nmr",
    "foreword": "vorwort", "parts": "abschnitte", "press": "presse", "facts": "fakten", "seat_facts": "je_platz",
    "name": "name", "names": "namen", "person": "person",
    "before": "vorher", "lines": "zeilen", "boards": "raster", "table": "tabelle",
    "notes": "anmerkungen", "legend": "legende",
    "note": "zusatz", "columns": "spalten", "rows": "reihen", "cells": "felder",
    "head": "kopf", "signed": "von", "text": "text", "version": "fassung",
    "is_final": "amtlich", "standings": "tabelle", "words": "woerter", "rank": "platz", "points": "punkte",
    "guesses": "geraten", "look": "aussehen", "said": "gesagt",
    "is_card": "karte", "fold": "haelften", "below": "darunter", "first": "von_feld", "last": "bis_feld",
    "seat": "sitz", "word": "wort", "why": "grund", "where": "wo", "now": "jetzt", "rounds": "rundenzahl",
    "winner": "gewinner", "due": "am_zug", "filed": "eingegangen", "owed": "erwartet", "free": "frei",
    "missing": "fehlen", "joined": "angemeldet", "about": "worum_es_geht", "example": "beispiel",
}  # fmt: skip
"""What a field is called in the file, which German readers open."""


def _called(name: str) -> str:
    return _GERMAN.get(name, name)


class GermanNames:
    """Gives the names of fields in the file, and what the schema says about them: their docstrings."""

    __pydantic_config__ = ConfigDict(alias_generator=_called, populate_by_name=True, use_attribute_docstrings=True)


CELL_SCHEMA: Final = {
    "description": "What lies in a cell: its text, or an object where more is known of it than that.",
    "anyOf": [
        {"type": "string"},
        {
            "type": "object", "required": ["text"],
            "properties": {
                "text": {"type": "string"},
                "neu": {"type": "boolean", "description": "It is new since the round before."},
                "farbe": {"type": "string", "description": "The colour of the thing itself."},
                "zeichen": {"type": "string", "description": "A joker, a peg, a die that wasn't used."},
                "wert": {"type": "integer", "description": "What a letter is worth."},
                "seiten": {
                    "type": "array", "items": {"type": ["string", "object"]},
                    "description": "The fields of a domino above, right, below and left.",
                },
            },
        },
    ],
}  # fmt: skip


def cell_to_json(cell: Cell) -> str | dict[str, Any]:
    """Write a cell: its text alone, where nothing else is known of it."""
    if not (cell.new or cell.tone or cell.mark or cell.sides) and cell.value is None:
        return cell.text
    known: dict[str, Any] = {"text": cell.text}
    if cell.new:
        known["neu"] = True
    if cell.tone:
        known["farbe"] = cell.tone
    if cell.mark:
        known["zeichen"] = cell.mark
    if cell.sides:
        known["seiten"] = [cell_to_json(side) for side in cell.sides]
    if cell.value is not None:
        known["wert"] = cell.value
    return known


def cell_from_json(written: object) -> Cell:
    """Read a cell. Raises ValueError if it isn't one."""
    if isinstance(written, Cell):
        return written
    if isinstance(written, str):
        return Cell(text=written)
    if not isinstance(written, Mapping) or "text" not in written:
        raise ValueError("a cell is a text, or an object with one")
    return Cell(
        text=written["text"], new=written.get("neu", False), tone=written.get("farbe", ""),
        mark=written.get("zeichen", ""), value=written.get("wert"),
        sides=tuple(map(cell_from_json, written.get("seiten", ()))),
    )  # fmt: skip
