"""Whose move is missing, in words: what the GM reads before a round is closed without it."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from gm.cli.common import local_time

if TYPE_CHECKING:
    from gm.app.context import App
    from gm.commands.desk.actions import Outlook
    from gm.game.missing_moves import Missing, WaitingMail


def shown(app: "App", seen: "Outlook", now: datetime) -> Iterable[str]:
    """Say when the round would end by itself, and for each seat without a move which mails wait."""
    yield f"{_ends(app, seen, now)} Moves are missing:"
    for one in seen.missing:
        yield f"  {_whose(one)}: {_count(one)}"
        yield from (
            f"    mail {mail.mail_id}, {local_time(app, mail.received)}, {mail.why}: gm mail show {mail.mail_id}"
            for mail in one.mails
        )


def warnings(seen: "Outlook") -> Iterable[str]:
    """Say in a line each which seats without a move have mails that wait."""
    for one in seen.missing:
        if one.mails:
            where = f"the move of {_whose(one)} is missing in {seen.counted} of {seen.game.name}"
            yield f"{where}, and {_listed(one.mails)}"


def _ends(app: "App", seen: "Outlook", now: datetime) -> str:
    name, zat = seen.game.name, seen.game.zat
    if seen.game.held:
        return f"{name} is held: {seen.game.held}."
    if zat is None:
        return f"{name} has no ZAT."
    is_early = zat > now
    distance = _span(zat - now if is_early else now - zat)
    when = f"in {distance}" if is_early else f"{distance} ago"
    return f"The ZAT of {seen.counted} of {name} {'is' if is_early else 'was'} {local_time(app, zat)}, {when}."


def _span(span: timedelta) -> str:
    for unit, length in (("day", timedelta(days=1)), ("hour", timedelta(hours=1)), ("minute", timedelta(minutes=1))):
        if number := span // length:
            return f"{number} {unit}{'s' if number > 1 else ''}"
    return "less than a minute"


def _whose(one: "Missing") -> str:
    return one.player or f"seat {one.seat}, where nobody sits"


def _count(one: "Missing") -> str:
    number = len(one.mails)
    return f"{number} mail{'s' * (number != 1)} of theirs wait{'s' * (number == 1)}" if number else "no mail waits"


def _listed(mails: Iterable["WaitingMail"]) -> str:
    return "; ".join(f"mail {mail.mail_id} {mail.why}: gm mail show {mail.mail_id}" for mail in mails)
