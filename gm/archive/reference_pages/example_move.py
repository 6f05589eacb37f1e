"""A move as an example for the rules page of a game: made by its own engine, from a fixed seed.

The first players take turns as the engine suggests. Of these moves the page shows the first one that has a board before
it and after it: the block as it comes by mail, as it is filled in, and what the program made of it.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice
from typing import Any, Final

from games import AnyEngine, engines
from games.api import Grid, Language, MoveBlock, Seat, Sheet, Text, View
from games.dice import Dice
from games.kit.testplay import COMMON_WORDS
from games.words import Verdict, Words
from gm.archive.layout import phrase
from gm.archive.record.public_wording import PublicSpeaker
from gm.drawing import svg
from gm.drawing.picture import Picture
from gm.lexicon.lexicon import Lexicon
from gm.messages.sentences.table import SENTENCES
from parsers.commands.blocks import STAND_LINE

NAMES: Final = ("Jule", "Kurt", "Lotte", "Malte", "Nele", "Otto")
GAME: Final = "Eriwan"
SEED: Final = "Postspiel"
"""With it the moves of most games are easy to follow."""
LASTING: Final = ("letters", "dominoes", "pegs")
"""Boards on which a move stays. Dice and racks are others after it."""
SHORT: Final = 4
"""Letters of a short word."""
MANY: Final = 9_000
"""So many words of all lengths are enough."""
STEPS: Final = 8
"""So many steps are looked at. Boards are still small then."""


@dataclass(frozen=True, kw_only=True)
class Example:
    """A move: the boards and blocks before and after it, and how it was understood."""

    seat: Seat
    before: tuple[Grid, ...]
    after: tuple[Grid, ...]
    block: tuple[str, ...]
    lines: tuple[str, ...]
    summary: tuple[tuple[Text, Text], ...]


class _CommonWords:
    """A judge who knows all words but suggests only common ones, which readers of an example know as well."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon

    def check(self, word: str, profile: str) -> Verdict:
        """Judge one word."""
        return self._lexicon.check(word, profile)

    def listed(self, profile: str) -> Sequence[str]:
        """List the common words that count."""
        return [word for word in sorted(COMMON_WORDS) if self.check(word, profile).status == "accepted"]


class _ManyWords(_CommonWords):
    """A judge who suggests all short words and some longer ones, for games that common words are too few for."""

    @cache  # noqa: B019 (there is one of them for each game)
    def listed(self, profile: str) -> Sequence[str]:
        """List few enough words: games take longer lists that are nearly the same for one another's."""
        words = list(self._lexicon.ours(profile))
        return sorted({*(word for word in words if len(word) <= SHORT), *words[:: len(words) // MANY + 1]})


@cache
def example(key: str) -> Example | None:
    """Make the example of a kind of game; None where its engine has none. The first one takes longest."""
    lexicon = Lexicon.load()
    for words in (_CommonWords(lexicon), _ManyWords(lexicon)):
        moves = list(islice(_moves(engines()[key], words), STEPS))
        if found := [one for one in moves if one.after]:
            return min(found, key=lambda one: not _lies(_lasting(one.before)))
    return moves[-1] if moves else None


def drawn(engine: AnyEngine, found: Example, language: Language) -> dict[str, Any]:
    """Draw and word an example for a page."""
    names = {Seat(number): name for number, name in enumerate(NAMES, start=1)}
    speaker = PublicSpeaker(language=language, wording={**SENTENCES, **engine.wording}, names=names)
    title = f"{engine.rules.title} {GAME}"
    before, after = _pictures(speaker, map(_without_marks, found.before)), _pictures(speaker, found.after)
    return {
        "name": names[found.seat],
        "before": [svg.draw([one]) for one in before],
        "after": [svg.draw([one]) for one in after],
        "mini": svg.mini((after or before)[0]) if after or before else "",
        "block": (title, *found.block), "lines": (title, *found.lines),
        "summary": tuple((speaker.say(label), speaker.say(content)) for label, content in found.summary),
    }  # fmt: skip


def _pictures(speaker: PublicSpeaker, grids: Iterable[Grid]) -> list[Picture]:
    return [
        Picture(
            look=grid.look, title=speaker.name(grid.seat) or phrase(speaker.language, "BOARD"),
            note=speaker.say(grid.note) if grid.note else "", said=speaker.say(grid.said) if grid.said else "",
            columns=grid.columns, rows=grid.rows, cells=grid.cells,
        )
        for grid in grids
    ]  # fmt: skip


def _without_marks(grid: Grid) -> Grid:
    """Show nothing as new: that is what the move brings."""
    return replace(grid, cells=tuple(tuple(replace(cell, new=False) for cell in row) for row in grid.cells))


# -- the game that it is taken from ------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class _Sent:
    """A block that a seat sent, how it was read, and the position after it, if it had its effect at once."""

    seat: Seat
    lines: tuple[str, ...]
    sheet: Sheet[Any]
    state: Any = None


def _moves(engine: AnyEngine, words: Words) -> Iterator[Example]:
    """Play a game by what the engine suggests, and give a move of each step."""
    state, number = _start(engine), 0
    while engine.due(state):
        number += 1
        sent = list(_sent(engine, state, words, number))
        after = sent[-1].state if sent else None
        if after is None:
            moves = {one.seat: one.sheet.move for one in sent}
            after = engine.resolve(state, moves, Dice(SEED, number), words).state
        if sent:
            yield _example(engine, state, after, sent[-1] if sent[-1].state is not None else sent[0])
        state = after


def _start(engine: AnyEngine) -> Any:
    """Start with as few players as the game allows, two at least."""
    fewest, most = engine.rules.seats
    entries = {}
    for seat in map(Seat, range(1, max(fewest, min(2, most)) + 1)):
        block = MoveBlock(lines=engine.suggest_entry(seat))
        entries[seat] = engine.enrol(block, engine.rules.options).move
    return engine.start(entries, engine.rules.options, Dice(SEED, 0)).state


def _sent(engine: AnyEngine, state: Any, words: Words, number: int) -> Iterator[_Sent]:
    """Let those who owe a move send one, until one has its effect at once."""
    for seat in sorted(engine.due(state)):
        lines = engine.suggest(state, seat, Dice(f"{SEED}/{seat}", number), words)
        sheet = engine.read(state, seat, MoveBlock(lines=lines), words)
        if sheet.move is None:
            continue
        done = engine.act(state, seat, sheet.move, Dice(SEED, number), words)
        yield _Sent(seat=seat, lines=lines, sheet=sheet, state=done.state if done else None)
        if done:
            return


def _example(engine: AnyEngine, state: Any, after: Any, sent: _Sent) -> Example:
    view = engine.view(state, sent.seat)
    stand = tuple(line for line in view.block[:1] if STAND_LINE.match(line) and line not in sent.lines)
    boards = sent.sheet.grids or _lasting(_boards(engine.view(after, sent.seat), sent.seat))
    return Example(
        seat=sent.seat, before=tuple(grid for grid in _boards(view, sent.seat) if _goes_on(grid, boards)),
        after=boards, block=view.block, lines=(*stand, *sent.lines), summary=sent.sheet.summary,
    )  # fmt: skip


def _goes_on(grid: Grid, after: Sequence[Grid]) -> bool:
    """Whether a board is one that the move is made on, not that of a deal before: most of it lies there afterwards."""
    lying = _lying(grid)
    if grid.look not in LASTING or not after:
        return True
    return any(2 * len(lying & _lying(one)) >= len(lying) for one in after)


def _lying(grid: Grid) -> set[tuple[str, str, str]]:
    return {
        (column, row, cell.text.upper())
        for row, line in zip(grid.rows, grid.cells, strict=True)
        for column, cell in zip(grid.columns, line, strict=True)
        if cell.text.strip(" .")
    }


def _boards(view: View, seat: Seat) -> tuple[Grid, ...]:
    """Give the boards that are the seat's own, or everybody's."""
    return tuple(grid for part in view.sections for grid in part.grids if grid.seat in (None, seat))


def _lasting(grids: Sequence[Grid]) -> tuple[Grid, ...]:
    return tuple(grid for grid in grids if grid.look in LASTING)


def _lies(grids: Sequence[Grid]) -> bool:
    return any(_lying(grid) for grid in grids)
