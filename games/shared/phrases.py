"""Short texts that most games write alike; their sentences are in `common` and `rounds` beside."""

from collections.abc import Collection, Container, Iterable, Sequence

from games.api import Outcome, Seat, Text, say
from games.words import REASONS


def plain(text: str) -> Text:
    """Show something that reads the same in every language."""
    return say("PLAIN", text=text)


def seat_text(seat: Seat, given_up: Collection[Seat] = ()) -> Text:
    """Name a seat, and say so where it was given up."""
    return say("SEAT_GONE" if seat in given_up else "SEAT", seat=seat)


def counted(points: int) -> Text:
    """Write `1 Punkt`, `-1 Punkt`, `90 Punkte`."""
    return say("POINT" if abs(points) == 1 else "POINTS", points=points)


def first_place(outcome: Outcome) -> tuple[Text, ...]:
    """Name who has won, with their points."""
    won = (line for line in outcome.standings if line.seat in outcome.winners)
    return tuple(say("FIRST", seat=line.seat, points=counted(line.points or 0)) for line in won)


def signed(points: int) -> str:
    """Write a balance: `+30`, `-11`, `0`."""
    return f"{points:+d}" if points else "0"


def listed(names: Sequence[str], most: int = 8) -> str:
    """Join names with commas; beyond `most` they end in dots."""
    return ", ".join([*names[:most], "..."] if len(names) > most else names)


def table_head(*columns: str) -> tuple[Text, ...]:
    """Make the headings of a table: `table_head("RANK", "NAME")` has the codes `HEAD_RANK` and `HEAD_NAME`."""
    return tuple(say(f"HEAD_{column}") for column in columns)


def labelled(pairs: Iterable[tuple[Text, Text]]) -> tuple[Text, ...]:
    """Write labels and contents as lines: `Platziert: b1 O`."""
    return tuple(say("LABELLED", label=label, content=content) for label, content in pairs)


def last_in_play(playing: Sequence[Seat]) -> tuple[Text, ...]:
    """Say that the last seat in play has won, or that all have resigned."""
    return tuple(say("LAST_ONE", seat=seat) for seat in playing) or (say("ALL_LEFT"),)


def reason_text(code: str, note: str = "", own: Container[str] = ()) -> Text:
    """Say why a word doesn't count, by the code of a verdict. `own` are the codes that the game words itself."""
    return noted(say(code if code in REASONS or code in own else "REFUSED"), note)


def noted(reason: Text, note: str) -> Text:
    """Put the GM's own words behind a reason."""
    return say("NOTED", reason=reason, note=note) if note else reason
