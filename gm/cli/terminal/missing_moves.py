"""Which moves are missing, in words: what the GM reads before a round is closed without them."""

from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING

from gm.cli.terminal.printing import largest_unit
from gm.cli.terminal.zine import local_time

if TYPE_CHECKING:
    from gm.app.context import App
    from gm.desk.actions import ClosePreview
    from gm.game.missing_moves import Missing, WaitingMail


def shown(app: "App", seen: "ClosePreview", now: datetime) -> Iterable[str]:
    """Write when the round would end by itself, and for each seat without a move the mails that wait."""
    yield f"{_ends(app, seen, now)} Moves are missing:"
    for one in seen.missing:
        yield f"  {_whose(one)}: {_count(one)}"
        yield from (
            f"    mail {mail.mail_id}, {local_time(app, mail.received)}, {mail.why}: gm mail show {mail.mail_id}"
            for mail in one.mails
        )


def warnings(seen: "ClosePreview") -> Iterable[str]:
    """Write a line for each seat without a move from which mails wait."""
    for one in seen.missing:
        if one.mails:
            where = f"the move of {_whose(one)} is missing in {seen.counted} of {seen.game.name}"
            yield f"{where}, and {_listed(one.mails)}"


def _ends(app: "App", seen: "ClosePreview", now: datetime) -> str:
    """Write when the round would end by itself."""
    name, zat = seen.game.name, seen.game.zat
    if seen.game.held:
        return f"{name} is held: {seen.game.held}."
    if zat is None:
        return f"{name} has no ZAT."
    is_early = zat > now
    distance = largest_unit(abs(zat - now)) or "less than a minute"
    when = f"in {distance}" if is_early else f"{distance} ago"
    return f"The ZAT of {seen.counted} of {name} {'is' if is_early else 'was'} {local_time(app, zat)}, {when}."


def _whose(one: "Missing") -> str:
    if one.away is None:
        return one.player or f"seat {one.seat}, where nobody sits"
    first, last = one.away
    return f"{one.player} (away {f'until {last}' if one.is_away else f'from {first} to {last}'})"


def _count(one: "Missing") -> str:
    number = len(one.mails)
    return f"{number} mail{'s' * (number != 1)} of theirs wait{'s' * (number == 1)}" if number else "no mail waits"


def _listed(mails: Iterable["WaitingMail"]) -> str:
    return "; ".join(f"mail {mail.mail_id} {mail.why}: gm mail show {mail.mail_id}" for mail in mails)
