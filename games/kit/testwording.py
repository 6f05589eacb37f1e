"""Checks that all texts of a game have wordings in every language, and fit into a text mail."""

import random
import string
from collections.abc import Iterator, Sequence
from typing import Any, Final

from games import AnyEngine
from games.api import ALL, LANGUAGES, MoveBlock, Section, Sheet, Text, View
from games.kit.testdraw import drawn_grid, drawn_table, worded
from games.kit.testplay import Contract, Step, damaged, games, viewers_of
from games.kit.testsecrets import picked
from games.shared.drawing import MOST as WIDTH
from games.words import REASONS

_STEPS: Final = 8
"""Steps of each game at which all views are read."""


def check_wording(contract: Contract) -> None:
    """Every text has a wording in both languages, whose placeholders are exactly its values."""
    for code, pattern in contract.engine.wording.items():
        assert set(pattern) == set(LANGUAGES), f"{code} lacks a language"
        assert len({_placeholders(sentence) for sentence in pattern.values()}) == 1, f"placeholders of {code} differ"
    for steps in games(contract):
        for text in _texts_of_game(contract, steps):
            check_text(contract.engine, text)


def _texts_of_game(contract: Contract, steps: Sequence[Step]) -> Iterator[Text]:
    engine, chance = contract.engine, random.Random("wording")
    yield from (event.text for step in steps for event in step.after.events)
    for step in (*picked(steps, _STEPS), steps[-1]):
        for viewer in (*viewers_of(contract), ALL):
            yield from texts_of_view(engine.view(step.after.state, viewer))
        for sent in step.sent:
            yield from texts_of_sheet(sent.sheet)
            yield from texts_of_view(engine.view(step.before, sent.seat, sent.sheet.move))
            block = MoveBlock(lines=damaged(sent.lines, chance))
            yield from texts_of_sheet(engine.read(step.before, sent.seat, block, contract.words, sent.sheet.move))
            yield from texts_of_sheet(engine.enrol(block, engine.rules.options))


def texts_of_view(view: View) -> Iterator[Text]:
    """All texts of a view."""
    yield from (*view.how_to, *view.in_short, *(text for text in (view.headline, view.ask) if text))
    yield from (text for played in view.words for text in (played.why, played.where) if text)
    for section in view.sections:
        yield from (*section.lines, *section.legend, *section.notes, *([section.title] if section.title else []))
        yield from (text for grid in section.grids for text in (grid.note, grid.said) if text)
        if section.table:
            yield from section.table.head
            yield from (item for row in section.table.rows for item in row if isinstance(item, Text))


def texts_of_sheet(sheet: Sheet[Any]) -> Iterator[Text]:
    """All texts of a sheet."""
    yield from (*sheet.remarks, *sheet.problems, *sheet.wanted)
    yield from (text for pair in sheet.summary for text in pair)
    yield from (text for grid in sheet.grids for text in (grid.note, grid.said) if text)


def _placeholders(sentence: str) -> frozenset[str]:
    return frozenset(name for _, name, _, _ in string.Formatter().parse(sentence) if name)


def check_text(engine: AnyEngine, text: Text) -> None:
    """A text has a wording in each language, whose placeholders are exactly its values."""
    pattern = engine.wording.get(text.code) or REASONS.get(text.code)
    assert pattern, f"{text.code} has no wording"
    for language in LANGUAGES:
        wanted = _placeholders(pattern[language])
        given = set(text.values)
        if "in_round" in given:  # says who `seat` is; `unless_same` follows from both
            given = given - {"in_round"} if "seat" in wanted else given - {"in_round", "seat"} | {"unless_same"}
        assert wanted == given, f"{text.code} ({language}) has {set(wanted)}, its values are {set(text.values)}"
    for value in text.values.values():
        for inner in value if isinstance(value, tuple) else (value,):
            if isinstance(inner, Text):
                check_text(engine, inner)


def check_width(contract: Contract) -> None:
    """Boards are as wide as their columns, tables as their heads, and both fit into a text mail."""
    for steps in games(contract):
        for step in (*picked(steps, _STEPS), steps[-1]):
            for viewer in (*viewers_of(contract), ALL):
                view = contract.engine.view(step.after.state, viewer)
                assert all(len(line) <= WIDTH for line in view.block), f"a line to copy is too long: {view.block}"
                for section in view.sections:
                    check_section(contract.engine, section)


def check_section(engine: AnyEngine, section: Section) -> None:
    """The boards of a section are as wide as their columns, and all of it fits into a text mail."""
    for grid in section.grids:
        assert len(grid.cells) == len(grid.rows), "a board has as many rows as labels"
        assert all(len(row) == len(grid.columns) for row in grid.cells), "a row is as wide as the columns"
    for language in LANGUAGES:
        if section.title:
            assert len(worded(engine, section.title, language)) <= WIDTH, f"{section.title} is too long"
        for grid in section.grids:
            if not grid.said:  # a sentence is broken into lines
                assert all(len(line) <= WIDTH for line in drawn_grid(engine, grid, language)), "a board is too wide"
        if section.table:
            assert all(len(row) == len(section.table.head) for row in section.table.rows), "a row lacks a cell"
            assert all(len(line) <= WIDTH for line in drawn_table(engine, section.table, language)), (
                f"a table is too wide: {drawn_table(engine, section.table, language)}"
            )
