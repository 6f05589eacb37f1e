"""What games share in which words are laid on the open board, in turn, from racks of hidden tiles."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, Final, Self, TypeAlias

from games.api import ALL, Grid, Seat, Section, Standing, Table, Text, Viewer, say, seat_of
from games.shared.lines import parts
from games.shared.phrases import labelled, plain, seat_text, signed, table_head
from games.shared.plane import (
    BLANK,
    EMPTY,
    Rows,
    Spot,
    cell_name,
    exchangeable,
    lay,
    occupied,
    picture,
    read_jolly_line,
    read_word_line,
    sign_at,
)
from games.shared.profiles import TO_CHOOSE
from games.shared.tiles import (
    BLACK_JOKER,
    VALUES,
    Colour,
    count_colours,
    draw,
    in_order,
    on_board,
    rack_grid,
    tile_of,
    worth,
)

RED: Final = 5
BLACK: Final = 8
"""Tiles of each colour that a seat is dealt, where no option says otherwise."""
CHOICES: Final[Mapping[str, Sequence[str | int]]] = {"words": TO_CHOOSE, "stake": (1, 2, 4)}
"""What the options may be that most of these games have, the usual one first."""
Wishes: TypeAlias = tuple[Colour | None, ...]
"""The colours of the tiles to buy, None for any."""


@dataclass(frozen=True, kw_only=True)
class Exchange:
    """A joker taken from the board for the letter that it stands for."""

    spot: Spot
    letter: str

    @property
    def line(self) -> str:
        """The line of a block that asks for it."""
        return f"Jolly {cell_name(self.spot)} = {self.letter}"

    def told(self, seat: Seat) -> Text:
        """Tell everybody."""
        return say("EXCHANGED", seat=seat, cell=cell_name(self.spot), letter=self.letter)


@dataclass(frozen=True, kw_only=True)
class Tabletop:
    """What lies on the board, and what is in hand."""

    board: Rows
    rack: str

    def laid(self, signs: Mapping[Spot, str]) -> Self:
        """Lay tiles as these signs; those that the rack lacks lie there all the same."""
        left = Counter(self.rack) - Counter(map(tile_of, signs.values()))
        return replace(self, board=lay(self.board, signs), rack=in_order("".join(left.elements())))

    def exchanged(self, exchange: Exchange) -> Self:
        """Take a joker, for which nothing may speak against it."""
        joker = tile_of(sign_at(self.board, exchange.spot))
        after = self.laid({exchange.spot: exchange.letter})
        return replace(after, rack=in_order(after.rack + joker))

    def fault(self, exchange: Exchange) -> Text | None:
        """Say why a joker can't be taken: none there, another letter, built in, or no such tile in hand."""
        sign, cell = sign_at(self.board, exchange.spot), cell_name(exchange.spot)
        if not sign.islower():
            return say("NO_JOKER_THERE", cell=cell)
        if sign.upper() != exchange.letter:
            return say("JOKER_OTHER", cell=cell, letter=sign.upper(), sent=exchange.letter)
        if not exchangeable(self.board, exchange.spot):
            return say("JOKER_BUILT_IN", cell=cell)
        if exchange.letter not in self.rack:
            return say("NOT_IN_RACK", cell=cell, letter=exchange.letter, rack=tiles_text(self.rack))
        return None


@dataclass(frozen=True, kw_only=True)
class RackState:
    """The part of a position that these games share. Racks run over the seats."""

    seats: tuple[Seat, ...]
    given_up: tuple[Seat, ...] = ()
    """Who has resigned; their racks are out of play."""
    turn: int = 1
    on_turn: Seat
    profile: str
    """Which words count."""
    stake: int = 1
    """How often payments count."""
    racks: tuple[str, ...]
    bag: str
    """The tiles left, in their drawn order."""
    board: Rows = EMPTY

    def rack(self, seat: Seat) -> str:
        """Return the tiles of a seat."""
        return self.racks[self.seats.index(seat)]

    def table(self, seat: Seat) -> Tabletop:
        """Return what a seat lays its tiles on, and its tiles."""
        return Tabletop(board=self.board, rack=self.rack(seat))

    def with_table(self, seat: Seat, table: Tabletop) -> Self:
        """Put in what lies, and what a seat holds then."""
        racks = (table.rack if one == seat else self.rack(one) for one in self.seats)
        return replace(self, board=table.board, racks=tuple(racks))

    def draw_for(self, seat: Seat, wishes: Wishes) -> tuple[Self, str]:
        """Draw tiles for a seat; returns them as well."""
        drawn, bag = draw(self.bag, wishes)
        racks = (self.rack(one) + (drawn if one == seat else "") for one in self.seats)
        return replace(self, racks=tuple(map(in_order, racks)), bag=bag), drawn

    def after(self, seat: Seat) -> tuple[Seat, ...]:
        """Return all seats in the order of turns, the one after this first and this one last."""
        at = self.seats.index(seat) + 1
        return (*self.seats[at:], *self.seats[:at])


def fewest(state: RackState, seats: Iterable[Seat]) -> Seat | None:
    """Return which of these seats holds the fewest points; None if it isn't one alone."""
    held = {seat: worth(state.rack(seat)) for seat in seats}
    least = [seat for seat, points in held.items() if points == min(held.values())]
    return least[0] if len(least) == 1 else None


# --- How players write it ---

_BUY: Final = re.compile(r"(?:ich )?(?:kaufen|kaufe|kauf|buy)(?P<wishes>(?: .+)?)", re.IGNORECASE)
_PASS: Final = re.compile(r"(?:ich )?(?:gebe )?(?:weiter|passen|passe|pass|go on|next)", re.IGNORECASE)
_COLOURS: Final[dict[str, Colour]] = {
    **dict.fromkeys(("rot", "rote", "roten", "roter", "red", "rt"), "red"),
    **dict.fromkeys(("schwarz", "schwarze", "schwarzen", "schwarzer", "black", "sw"), "black"),
}
_FILLING: Final = frozenset(("und", "and", "ein", "einen", "a", "one", "stein", "steine", "tile", "tiles"))
_NUMBER: Final = re.compile(r"[0-9]{1,2}")


def read_exchange(line: str) -> Exchange | None:
    """Read `Jolly AB27 = A`."""
    found = read_jolly_line(line)
    return Exchange(spot=found[0], letter=found[1]) if found else None


def read_wishes(line: str) -> Wishes | None:
    """Read `kaufen 2 rot 1 schwarz`, `kaufen`; `weiter` and `passe` wish nothing. None: it is something else."""
    plain = " ".join(parts(line))
    if _PASS.fullmatch(plain):
        return ()
    found = _BUY.fullmatch(plain)
    return _wishes(found["wishes"].lower().split()) or None if found else None


def _wishes(words: Sequence[str]) -> Wishes:
    wishes, number = list[Colour | None](), ""
    for word in (word for word in words if word not in _FILLING):
        if word in _COLOURS:
            wishes += [_COLOURS[word]] * int(number or 1)
            number = ""
        elif _NUMBER.fullmatch(word) and not number:
            number = word
        else:
            return ()
    return (*wishes, *[None] * int(number or not wishes))


def wishes_line(wishes: Wishes) -> str:
    """Write a purchase as a line of a block: `kaufen`, `kaufen rot`, `kaufen 2 rot 1 schwarz`, `kaufen 3`."""
    groups = [(len(tuple(group)), _NAMES[colour]) for colour, group in groupby(wishes)]
    if len(wishes) == 1:
        return f"kaufen {groups[0][1]}".strip()
    return " ".join(("kaufen", *(f"{number} {name}".strip() for number, name in groups)))


_NAMES: Final[Mapping[Colour | None, str]] = {"red": "rot", "black": "schwarz", None: ""}


def short_of(bag: str, wishes: Wishes) -> tuple[Text, ...]:
    """Say what is bought where a bag that isn't empty doesn't hold what is asked for."""
    drawn, _ = draw(bag, wishes)
    red, black = count_colours(drawn)
    short = red < wishes.count("red") or black < wishes.count("black") or len(drawn) < len(wishes)
    return (say("COLOUR_GONE", tiles=bought_text(red, black)),) if short else ()


# --- How it is told and shown ---


def counts_text(red: int, black: int) -> Text:
    """Write a number of tiles: `1 rot, 2 schwarz`."""
    return _both(say("RED", number=red) if red else None, say("BLACK", number=black) if black else None)


def tiles_text(tiles: str) -> Text:
    """Write tiles with their colours: `rot E I *, schwarz D F`."""
    row = in_order(tiles).replace(BLACK_JOKER, "*")
    red, _ = count_colours(tiles)
    reds, blacks = " ".join(row[:red]), " ".join(row[red:])
    return _both(say("RED_TILES", tiles=reds) if reds else None, say("BLACK_TILES", tiles=blacks) if blacks else None)


def _both(*texts: Text | None) -> Text:
    told = tuple(filter(None, texts))
    return say("LISTED", parts=told) if told else say("NONE")


def bought_text(red: int, black: int) -> Text:
    """Write the tiles that somebody buys: `einen roten Stein und 2 schwarze Steine`."""
    reds = say("REDS", number=red) if red > 1 else say("ONE_RED")
    blacks = say("BLACKS", number=black) if black > 1 else say("ONE_BLACK")
    return say("BOTH_COLOURS", red=reds, black=blacks) if red and black else reds if red else blacks


def exchange_pair(exchange: Exchange) -> tuple[Text, Text]:
    """Put an exchange into label and content."""
    return say("LABEL_JOKER"), say("EXCHANGE", cell=cell_name(exchange.spot), letter=exchange.letter)


def wishes_pair(wishes: Wishes) -> tuple[Text, Text]:
    """Put a purchase into label and content."""
    counted = plain(str(len(wishes))) if None in wishes else counts_text(wishes.count("red"), wishes.count("black"))
    return say("LABEL_BUY"), counted


def rack_sections(state: RackState, viewer: Viewer, *, is_over: bool, values: bool = False) -> tuple[Section, ...]:
    """Show the viewer's own tiles, or all where all may be seen; after the end what is left in the bag.

    With `values` tiles have their values, which are listed below.
    """
    if is_over:
        left = rack_grid(state.bag, tiles_text(state.bag), worth=values)
        return (Section(title=say("BAG_LEFT"), grids=(left,)),) if state.bag else ()
    if viewer == ALL:
        racks = [_rack_of(state, seat, values=values) for seat in state.seats]
        if state.bag:
            bag = rack_grid(state.bag, say("BAG", tiles=tiles_text(state.bag)), worth=values)
            racks.append(replace(bag, note=say("IN_BAG")))  # for pages, which don't say it
        return (Section(title=say("ALL_RACKS"), grids=tuple(racks)),)
    seat = seat_of(viewer, state.seats)
    if seat is None:
        return ()
    own = rack_grid(state.rack(seat), tiles_text(state.rack(seat)), worth=values)
    return (Section(title=say("YOUR_RACK"), grids=(own,), notes=(say("VALUES", values=VALUES),) if values else ()),)


def _rack_of(state: RackState, seat: Seat, *, values: bool) -> Grid:
    rack = state.rack(seat)
    return rack_grid(rack, say("RACK_OF", seat=seat, tiles=tiles_text(rack)), seat, worth=values)


def bag_text(state: RackState) -> Text:
    """Count what is in the bag."""
    return say("BAG", tiles=counts_text(*count_colours(state.bag)))


def on_file(pairs: Iterable[tuple[Text, Text]]) -> Section:
    """Show a turn that waits for the GM's ruling on a word, by labels and contents."""
    return Section(title=say("ON_FILE"), lines=labelled(pairs))


def ranking_section(state: RackState, standings: Iterable[Standing], *how: Text) -> Section:
    """Show how the game ended, what all have left, what that costs, and what they were paid."""
    rows = tuple(
        (line.rank, seat_text(line.seat, state.given_up), worth(state.rack(line.seat)), signed(line.points or 0))
        for line in standings
    )
    stake = (say("STAKE", stake=say(f"STAKE_{state.stake}")),) if state.stake > 1 else ()
    return Section(
        title=say("RANKING"),
        lines=how,
        table=Table(head=table_head("RANK", "NAME", "WORTH", "POINTS"), rows=rows),
        notes=(*rests(state), say("WORTHS"), *stake),
    )


def rests(state: RackState) -> tuple[Text, ...]:
    """Name the tiles that are left over."""
    return tuple(say("REST_OF", seat=s, tiles=tiles_text(state.rack(s))) for s in state.seats if state.rack(s))


def next_stake(state: RackState) -> Text:
    """Return how often the next game counts when nobody has won this one."""
    return say(f"STAKE_{min(2 * state.stake, 4)}")


def bag_facts(state: RackState) -> dict[str, Any]:
    """Return how many tiles of each colour the bag holds, as plain JSON."""
    red, black = count_colours(state.bag)
    return {"red": red, "black": black}


def example(lying: Sequence[str], laid: Sequence[str], *, worth: bool = False) -> Section:
    """Show a board on which words lie, and what is laid there as new; both as lines like `Z26 w WORT`."""
    before = _lay_words(EMPTY, lying)
    after = _lay_words(before, laid)
    new = [spot for spot in occupied(after) if sign_at(before, spot) == BLANK]
    return Section(lines=(say("EXAMPLE"),), grids=(picture(after, new, worth=worth),))


def _lay_words(rows: Rows, lines: Iterable[str]) -> Rows:
    for line in lines:
        word = read_word_line(line)
        if word is None:
            raise ValueError(line)
        signs = (on_board(letter.upper(), joker=at in word.jokers) for at, letter in enumerate(word.letters))
        rows = lay(rows, dict(zip(word.spots, signs, strict=True)))
    return rows
