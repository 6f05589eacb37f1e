"""Games as plain lines for tests: wordings, views, and a whole game for a golden file."""

from typing import Any, Final

from games import AnyEngine
from games.api import ALL, EVERYONE, SPECTATOR, Grid, Language, MoveBlock, Played, Table, Text, View
from games.kit.testplay import Contract, Sent, play, viewers_of
from games.shared.drawing import board_lines, text_forms
from games.words import REASONS

_NAME: Final = "Wilhelmine B"


def worded(engine: AnyEngine, text: Text | str | int, language: Language) -> str:
    """Put a text into words, with a stand-in for every name."""
    if not isinstance(text, Text):
        return str(text)
    pattern = engine.wording.get(text.code) or REASONS[text.code]
    values = {key: _value(engine, key, value, language) for key, value in text.values.items()}
    return pattern[language].format_map({"unless_same": "", **values})


def _value(engine: AnyEngine, key: str, value: Any, language: Language) -> str:
    if key == "seat":
        return f"{_NAME}{value}"
    return ", ".join(worded(engine, item, language) for item in (value if isinstance(value, tuple) else (value,)))


def drawn(engine: AnyEngine, view: View, language: Language = "de") -> list[str]:
    """Draw a view as plain lines: for golden files, not for mails."""
    lines = drawn_sections(engine, view, language)
    lines += [f"> {worded(engine, view.ask, language)}"] if view.ask else []
    lines += [f"> {worded(engine, text, language)}" for text in view.how_to]
    lines += [f">> {worded(engine, text, language)}" for text in view.in_short]
    lines += [f"| {line}" for line in view.block]
    return [*lines, f"facts {dict(view.facts)}", *(f"facts of {s}: {dict(f)}" for s, f in view.seat_facts.items())]


def drawn_sections(engine: AnyEngine, view: View, language: Language) -> list[str]:
    """Draw the sections of a view, without how-to texts and the block to copy."""
    lines: list[str] = []
    for section in view.sections:
        lines += [f"# {worded(engine, section.title, language)}"] if section.title else []
        lines += [worded(engine, line, language) for line in (*section.lines, *section.legend)]
        lines += [line for grid in section.grids for line in drawn_grid(engine, grid, language)]
        lines += drawn_table(engine, section.table, language) if section.table else []
        lines += [f"* {worded(engine, note, language)}" for note in section.notes]
    return lines


def drawn_grid(engine: AnyEngine, grid: Grid, language: Language) -> list[str]:
    """Draw a board as text mails do, or write its sentence in place of it."""
    if grid.said:
        return [worded(engine, grid.said, language)]
    return [line for form in text_forms(grid) for line in _drawn_form(engine, form, language)]


def _drawn_form(engine: AnyEngine, grid: Grid, language: Language) -> list[str]:
    """Draw a board with its labels and its note."""
    head = f"seat {grid.seat}" if grid.seat else "-"
    note = f" {worded(engine, grid.note, language)}" if grid.note else ""
    label = max(map(len, grid.rows)) + 1
    columns, rows = board_lines(grid)
    body = [f"{name.ljust(label)}{row}" for name, row in zip(grid.rows, rows, strict=True)]
    return [f"{head}{note}", *(f"{' ' * label}{line}" for line in columns), *body]


def drawn_table(engine: AnyEngine, table: Table, language: Language) -> list[str]:
    """Draw a table, its columns as wide as they must be."""
    rows = [[worded(engine, item, language) for item in row] for row in (table.head, *table.rows)]
    widths = [max(len(row[at]) for row in rows) for at in range(len(table.head))]
    lines = ["  ".join(item.ljust(width) for item, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return lines


def playthrough(contract: Contract, seed: str = "playthrough", nmr: float = 0.2) -> str:
    """Write a whole game: what was sent, the events with their readers, and what every seat sees after each step.

    What `ALL` sees is written once, in the middle of the game. The words of the game stand at its end.
    """
    lines: list[str] = []
    steps = tuple(play(contract, seed, nmr))
    for number, step in enumerate(steps):
        lines += ["", f"=== Step {number} ===", *(line for sent in step.sent for line in _drawn_sent(contract, sent))]
        for event in step.after.events:
            readers = EVERYONE if event.readers == EVERYONE else sorted(event.readers)
            lines.append(f"event for {readers}: {worded(contract.engine, event.text, 'de')}")
        for viewer in (*viewers_of(contract), *((ALL,) if number == len(steps) // 2 else ())):
            view = contract.engine.view(step.after.state, viewer)
            lines += ["", f"--- seen by {viewer} ---", *drawn(contract.engine, view)]
    words = contract.engine.view(steps[-1].after.state, SPECTATOR).words
    lines += ["", "=== Words ===", *(_drawn_word(contract.engine, played) for played in words)] if words else []
    return "\n".join(lines).lstrip() + "\n"


def _drawn_word(engine: AnyEngine, played: Played) -> str:
    where, why = (worded(engine, text, "de") if text else "-" for text in (played.where, played.why))
    return f"{played.word} of {played.seat}, {played.points}, {played.status}, where: {where}, why: {why}"


def _drawn_sent(contract: Contract, sent: Sent) -> list[str]:
    engine, sheet = contract.engine, sent.sheet
    groups = {"problem": sheet.problems, "remark": sheet.remarks, "wanted": sheet.wanted}
    said = [f"  {name}: {worded(engine, text, 'de')}" for name, texts in groups.items() for text in texts]
    pairs = [f"  {worded(engine, a, 'de')}: {worded(engine, b, 'de')}" for a, b in sheet.summary]
    offer = [f"  offer: {line}" for line in sheet.offer]
    return [f"seat {sent.seat} sends", *(f"  {line!r}" for line in sent.lines), *said, *pairs, *offer]


def block(text: str) -> MoveBlock:
    """Make a block of a text, without the blanks around its lines."""
    return MoveBlock(lines=tuple(line.strip() for line in text.strip().splitlines()))
