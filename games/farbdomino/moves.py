"""From a block to a move: each line is tried on the table as it is by then. Also moves for scripted players."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from games.api import MoveBlock, Seat, Sheet, Text, say
from games.base import not_on_turn
from games.dice import Dice
from games.farbdomino.board import (
    COLOURS,
    STEPS,
    TILES,
    Laid,
    Table,
    draw_table,
    fitting,
    listed,
    misfits,
    placements,
    squares,
    table_of,
    touches,
)
from games.farbdomino.rules import Move, State
from games.shared.lines import SEPARATOR, read_lines, unread
from games.shared.notation import shown
from games.shared.phrases import plain

_NAMES: Final = {
    "rt": "rt rot red", "gn": "gn gr grün gruen green", "sw": "sw schwarz black", "ge": "ge gb gelb yellow",
    "bl": "bl blau blue",
}  # fmt: skip
COLOUR_NAMES: Final = {name: colour for colour in COLOURS for name in _NAMES[colour].split()}
"""What players write for a colour, long or short, German or English."""

_NUMBER: Final = r"([-+−–]?\s?[0-9]{1,3})"
_LAY: Final = re.compile(
    rf"(?P<tile>[a-z]\s?[0-9]{{1,2}})(?:{SEPARATOR}|\s)\s*(?:auf\s+|an\s+|at\s+|on\s+)?[(\[]?\s*{_NUMBER}\s*[,;/|]\s*{_NUMBER}\s*[)\]]?"
    r"(?:[\s,;]\s*(?P<colour>[^\W\d_]+)(?:\s+(?:oben|up))?)?[.!]?",
    re.IGNORECASE,
)
_PASS: Final = re.compile(r"(?:(?:ich\s+)?passe?n?|weiter|pass)\s*[.!]*", re.IGNORECASE)
_BUY: Final = re.compile(r"(?:kaufen?|buy)\b.*", re.IGNORECASE)
_NEARLY: Final = re.compile(r"\W*[a-e]\s?[0-9]\b|.*[0-9]\s*[,;/|]\s*[-+−–]?\s?[0-9]", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class Wish:
    """A placement as written; `colour` is a colour of ours, nothing, or a word that is none."""

    tile: str
    x: int
    y: int
    colour: str = ""


@dataclass(frozen=True, kw_only=True)
class Lines:
    """A block, sorted: placements or the problem with a line, in the order sent."""

    wishes: tuple[Wish | Text, ...] = ()
    passes: bool = False
    remarks: tuple[Text, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether nothing was entered: the template as we sent it."""
        return not (self.wishes or self.passes)


def sort_lines(block: MoveBlock) -> Lines:
    """Sort the lines of a block. A placement that can't be read is a problem, other text a remark."""
    wishes: list[Wish | Text] = []
    remarks: list[Text] = []
    passes = False
    for line in (line.text.replace("*", "").strip() for line in read_lines(block)):
        if _PASS.fullmatch(line):
            passes = True
        elif _BUY.fullmatch(line):
            passes = True
            remarks.append(say("BUYS_ITSELF"))
        elif wish := _LAY.fullmatch(line):
            wishes.append(_wish(wish))
        elif _NEARLY.match(line):
            wishes.append(unread(line, "UNREADABLE"))
        else:
            remarks.append(unread(line))
    return Lines(wishes=tuple(wishes), passes=passes, remarks=tuple(remarks))


def misread(block: MoveBlock) -> tuple[Text, ...]:
    """Name the placements that can't be read; where nothing is a move, also the text that stands there instead."""
    lines = sort_lines(block)
    return lines.remarks if lines.is_empty else tuple(wish for wish in lines.wishes if isinstance(wish, Text))


def _wish(found: re.Match[str]) -> Wish:
    colour = (found["colour"] or "").lower()
    return Wish(
        tile="".join(found["tile"].lower().split()),
        x=_number(found[2]),
        y=_number(found[3]),
        colour=COLOUR_NAMES.get(colour, shown(colour, 12)),
    )


def _number(text: str) -> int:
    return int("".join(text.split()).replace("−", "-").replace("–", "-"))


def read_move(state: State, seat: Seat, block: MoveBlock) -> Sheet[Move]:
    """Understand a block of a seat. One wrong line refuses all of them; all faults are named."""
    lines = sort_lines(block)
    if lines.is_empty:
        return Sheet(remarks=lines.remarks)
    if problems := not_on_turn(state, seat):
        return Sheet(problems=problems)
    if not lines.wishes:
        return Sheet(problems=(say("MUST_LAY"),), remarks=lines.remarks)
    trial = _Trial(table=table_of(state.board), hand=list(state.player(seat).hand))
    problems = tuple(problem for wish in _from_middle(state, lines, trial) for problem in trial.lay(wish))
    return _sheet(state, trial, problems, (*lines.remarks, *trial.remarks))


@dataclass
class _Trial:
    """The table and the hand while a block is tried out."""

    table: Table
    hand: list[str]
    laid: list[Laid] = field(default_factory=list)
    """What lies then, wrong turns put right."""
    squares: int = 0
    remarks: list[Text] = field(default_factory=list)

    def lay(self, wish: Wish | Text) -> tuple[Text, ...]:
        """Lay one tile, turned right if it was turned wrong; gives what is wrong with the line."""
        if isinstance(wish, Text):
            return (wish,)
        problems = tuple(self._not_there(wish))
        if problems:
            return problems
        fits = fitting(self.table, wish.tile, (wish.x, wish.y))
        if fits and wish.colour and not self.table:
            fits = replace(fits, up=wish.colour)  # Alone a tile fits however it is turned.
        if fits:
            self._put(fits)
        return () if fits and wish.colour in ("", fits.up) else tuple(self._misfit(wish))

    def _put(self, laid: Laid) -> None:
        self.table = {**self.table, (laid.x, laid.y): laid}
        self.hand.remove(laid.tile)
        self.laid.append(laid)
        self.squares += squares(self.table, (laid.x, laid.y))

    def _not_there(self, wish: Wish) -> Iterator[Text]:
        """Yield what is wrong with the tile or its place, whichever way it is turned."""
        place = f"{wish.x},{wish.y}"
        if wish.tile not in TILES:
            yield say("NO_TILE", tile=wish.tile)
        elif wish.tile in [laid.tile for laid in self.laid]:
            yield say("LAID_TWICE", tile=wish.tile)
            return
        elif wish.tile not in self.hand:
            yield say("NOT_YOURS", tile=wish.tile, hand=", ".join(self.hand))
        elif wish.colour and wish.colour not in COLOURS:
            yield say("NO_COLOUR", tile=wish.tile, sent=wish.colour, colours=" ".join(TILES[wish.tile]))
        elif wish.colour and wish.colour not in TILES[wish.tile]:
            yield say("NOT_ON_TILE", tile=wish.tile, sent=wish.colour, colours=" ".join(TILES[wish.tile]))
        if lies := self.table.get((wish.x, wish.y)):
            yield say("OCCUPIED", tile=wish.tile, place=place, lies=lies.tile)
        elif self.table and not touches(self.table, (wish.x, wish.y)):
            yield say("ALONE", tile=wish.tile, place=place)

    def _misfit(self, wish: Wish) -> Iterator[Text]:
        """Name the neighbours and the colours that differ; without a colour sent, that no turn fits."""
        place = f"{wish.x},{wish.y}"
        if not wish.colour:
            yield say("NO_TURN", tile=wish.tile, place=place, neighbours=_neighbours(self.table, wish))
            return
        for misfit in misfits(self.table, Laid(tile=wish.tile, x=wish.x, y=wish.y, up=wish.colour)):
            where, side = say(f"WHERE_{misfit.direction}"), say(f"SIDE_{misfit.side}")
            code = "MISFIT_TOUCHING" if misfit.side == misfit.direction else "MISFIT"
            yield say(
                code, tile=wish.tile, place=place, where=where, neighbour=misfit.neighbour, side=side,
                theirs=misfit.theirs, ours=misfit.ours,
            )  # fmt: skip


def _neighbours(table: Table, wish: Wish) -> tuple[Text, ...]:
    """Return what lies around a place: `links a2 0,1 ge`."""
    found = []
    for direction, (right, up) in enumerate(STEPS):
        neighbour = table.get((wish.x + right, wish.y + up))
        if neighbour:
            found.append(say("NEIGHBOUR", where=say(f"WHERE_{direction}"), neighbour=neighbour.line))
    return tuple(found)


def _from_middle(state: State, lines: Lines, trial: _Trial) -> tuple[Wish | Text, ...]:
    """The first tile of a game lies at 0,0 whatever is written; the others of the block move with it."""
    first = next((wish for wish in lines.wishes if isinstance(wish, Wish)), None)
    if state.board or first is None or (first.x, first.y) == (0, 0):
        return lines.wishes
    trial.remarks.append(say("MIDDLE", tile=first.tile))
    return tuple(
        replace(wish, x=wish.x - first.x, y=wish.y - first.y) if isinstance(wish, Wish) else wish
        for wish in lines.wishes
    )


def _sheet(state: State, trial: _Trial, problems: tuple[Text, ...], remarks: tuple[Text, ...]) -> Sheet[Move]:
    grids = draw_table((*state.board, *trial.laid), [laid.tile for laid in trial.laid])
    if problems:
        offer = tuple(laid.line for laid in trial.laid)
        return Sheet(problems=problems, remarks=remarks, grids=grids, offer=offer)
    summary = [(say("LABEL_LAID"), listed(trial.laid))]
    if trial.squares:
        summary.append((say("LABEL_SQUARES"), plain(str(trial.squares))))
    summary.append((say("LABEL_LEFT"), plain(", ".join(trial.hand)) if trial.hand else say("NONE_LEFT")))
    return Sheet(move=Move(tiles=tuple(trial.laid)), remarks=remarks, summary=tuple(summary), grids=grids)


def moves(state: State, seat: Seat) -> Iterator[Move]:
    """List the ways to lay tiles: all of one tile, then all of two, and so on."""
    if not_on_turn(state, seat):
        return
    ways = [(table_of(state.board), state.player(seat).hand, tuple[Laid, ...]())]
    for table, hand, tiles in ways:
        for laid in placements(table, hand):
            rest = tuple(tile for tile in hand if tile != laid.tile)
            ways.append(({**table, (laid.x, laid.y): laid}, rest, (*tiles, laid)))
            yield Move(tiles=(*tiles, laid))


def suggest_lines(state: State, seat: Seat, dice: Dice) -> tuple[str, ...]:
    """Lay tile after tile while one fits, squares before others."""
    table, hand, lines = table_of(state.board), list(state.player(seat).hand), []
    while found := list(placements(table, hand)):
        worth = [squares({**table, (laid.x, laid.y): laid}, (laid.x, laid.y)) for laid in found]
        best = dice.choice([laid for laid, number in zip(found, worth, strict=True) if number == max(worth)])
        table[best.x, best.y] = best
        hand.remove(best.tile)
        lines.append(best.line)
    return tuple(lines)
