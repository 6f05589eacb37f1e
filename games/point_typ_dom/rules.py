"""The sums in the end: words, ten points for being out first, minus the tiles left over."""

from typing import Final

from games.api import Outcome, Seat, Section, Standing, Table, Text, say
from games.base import playing
from games.shared import ranking
from games.shared.phrases import last_in_play, plain, seat_text, table_head
from games.shared.racks import rests
from games.shared.tiles import JOKERS, POINTS
from games.typ_dom.rules import RACK, State

RACKS: Final = (RACK, "8+10", "8+12")
"""Red and black tiles of a rack."""
BONUS: Final = 10
_JOKER: Final = 10


def left_over(state: State, seat: Seat) -> int:
    """Return what the tiles in hand cost: the value of each letter, ten for a joker."""
    return sum(_JOKER if tile in JOKERS else POINTS[tile] for tile in state.rack(seat))


def bonus(state: State, seat: Seat) -> int:
    """Return ten for the seat that was out first; those who go out later in the round get none (rulings 1.1)."""
    return BONUS if seat == state.first_out else 0


def result(state: State) -> Outcome:
    """Add up what every seat has; most points win, whoever was out first. The only seat left in play has won."""
    points = {seat: state.points(seat) + bonus(state, seat) - left_over(state, seat) for seat in state.seats}
    ranked = ranking.standings(points, state.given_up)
    return Outcome(standings=ranked, winners=ranking.leaders(ranked, state.given_up))


def final_sections(state: State) -> tuple[Section, ...]:
    """Show the ranking, and how each sum came about."""
    ranked = result(state).standings
    return (
        Section(
            title=say("RANKING"),
            lines=tuple(_reasons(state)),
            table=Table(
                head=table_head("RANK", "NAME", "WORDS", "OUT", "REST", "POINTS"),
                rows=tuple(_row(state, line) for line in ranked),
            ),
            notes=rests(state),
        ),
        Section(title=say("ACCOUNT"), lines=tuple(_account(state, line) for line in ranked)),
    )


def _reasons(state: State) -> list[Text]:
    out = [say("FIRST_OUT", seat=state.first_out)] if state.first_out else []
    if len(playing(state)) < 2:
        return [*out, *last_in_play(playing(state))]
    return out or [say("STUCK_POINTS")]


def _row(state: State, line: Standing) -> tuple[str | int | Text, ...]:
    words, rest = state.points(line.seat), -left_over(state, line.seat)
    return (line.rank, seat_text(line.seat, state.given_up), words, bonus(state, line.seat), rest, line.points or 0)


def _account(state: State, line: Standing) -> Text:
    """Write the words of a seat turn by turn, as the rule text does: `19 + 18 + 6 + 10 = 53`."""
    seat = line.seat
    terms = [str(turn.points) for turn in state.turns if turn.seat == seat and turn.words]
    terms += [str(bonus(state, seat))] if bonus(state, seat) else []
    rest = f" - {left_over(state, seat)}" if left_over(state, seat) else ""
    return say("ACCOUNT_OF", seat=seat, sum=plain(f"{' + '.join(terms) or '0'}{rest} = {line.points}"))
