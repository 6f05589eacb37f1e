"""The size of the racks, and the sums: words, ten points for being out first, minus the tiles left over."""

from collections.abc import Mapping
from typing import Any, Final

from games.api import Seat, Section, Standing, Table, Text, say
from games.errors import SetupError
from games.shared import ranking
from games.shared.phrases import plain, seat_text, table_head
from games.shared.tiles import JOKERS, POINTS, TILES, count_colours
from games.typ_dom.rules import State
from games.typ_dom.settlement import rests, standings

RACKS: Final = ("5+8", "8+10", "8+12")
"""Red and black tiles of a rack."""


def rack(options: Mapping[str, Any], seats: int) -> tuple[int, int]:
    """Read the option `rack`. Raises SetupError where it can't be dealt to so many."""
    chosen = str(options["rack"])
    if chosen not in RACKS:
        raise SetupError(say("SETUP_RACK", allowed=", ".join(RACKS), value=str(chosen)))
    red, black = (int(part) for part in chosen.split("+"))
    if any(n * seats > held for n, held in zip((red, black), count_colours(TILES), strict=True)):
        raise SetupError(say("SETUP_TOO_FEW", number=seats, value=chosen))
    return red, black


BONUS: Final = 10
_JOKER: Final = 10


def left_over(state: State, seat: Seat) -> int:
    """Return what the tiles in hand cost: the value of each letter, ten for a joker."""
    return sum(_JOKER if tile in JOKERS else POINTS[tile] for tile in state.rack(seat))


def bonus(state: State, seat: Seat) -> int:
    """Return ten for the seat that was out first; those who go out later in the round get none (rulings 1.1)."""
    return BONUS if seat == state.first_out else 0


def sums(state: State) -> tuple[int, ...]:
    """Add up what every seat has in the end."""
    return tuple(state.points(seat) + bonus(state, seat) - left_over(state, seat) for seat in state.seats)


def winners(state: State) -> tuple[Seat, ...]:
    """Return the seats with most points, whoever was out first. The only seat left in play has won."""
    return ranking.leaders(standings(state, sums(state)), state.gone)


def final_sections(state: State, points: tuple[int, ...]) -> tuple[Section, ...]:
    """Show the ranking, and how each sum came about."""
    ranked = standings(state, points)
    return (
        Section(
            title=say("RANKING"),
            lines=tuple(_reasons(state)),
            table=Table(
                head=table_head("RANK", "NAME", "WORDS", "OUT", "REST", "POINTS"),
                rows=tuple(_row(state, one, points) for one in ranked),
            ),
            notes=rests(state),
        ),
        Section(title=say("ACCOUNT"), lines=tuple(_account(state, one.seat, points[one.seat - 1]) for one in ranked)),
    )


def _reasons(state: State) -> list[Text]:
    out = [say("FIRST_OUT", seat=state.first_out)] if state.first_out else []
    if not state.playing:
        return [*out, say("WON_ALL_LEFT")]
    if len(state.playing) == 1:
        return [*out, say("LAST_ONE", seat=state.playing[0])]
    return out or [say("STUCK_POINTS")]


def _row(state: State, standing: Standing, points: tuple[int, ...]) -> tuple[str | int | Text, ...]:
    seat = standing.seat
    rest = -left_over(state, seat)
    return (standing.rank, seat_text(seat, state.gone), state.points(seat), bonus(state, seat), rest, points[seat - 1])


def _account(state: State, seat: Seat, points: int) -> Text:
    """Write the words of a seat turn by turn, as the rule text does: `19 + 18 + 6 + 10 = 53`."""
    terms = [str(turn.points) for turn in state.turns if turn.seat == seat and turn.words]
    terms += [str(bonus(state, seat))] if bonus(state, seat) else []
    rest = f" - {left_over(state, seat)}" if left_over(state, seat) else ""
    return say("ACCOUNT_OF", seat=seat, sum=plain(f"{' + '.join(terms) or '0'}{rest} = {points}"))
