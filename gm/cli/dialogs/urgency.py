"""What needs the GM comes first: the order and the words of `gm status` and `gm list`."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any, Final

_RANK: Final = {"open": 1, "running": 2, "provisional": 2, "finished": 3, "aborted": 3}

Row = dict[str, Any]


def need(game: Row, now: datetime) -> str:
    """Say why a game needs the GM; nothing if it doesn't."""
    if game["held"]:
        return str(game["held"])
    if game["status"] == "provisional":
        return "words to rule on: gm todo"
    zat = _instant(game["zat"])
    return "the ZAT has passed" if game["status"] == "running" and zat and zat <= now else ""


def remark(game: Row, now: datetime) -> str:
    """Say what there is to say about a game's clock: that it needs the GM, or that it was stopped for a while."""
    until = _instant(game["paused_until"])
    return need(game, now) or (f"paused until {until:%Y-%m-%d %H:%M}" if until else "")


def by_need(games: Iterable[Row], now: datetime) -> list[Row]:
    """Sort games: first those that need the GM, then open ones, running ones by ZAT, and those that are over."""

    def key(game: Row) -> tuple[int, bool, datetime]:
        zat = _instant(game["zat"])
        return 0 if need(game, now) else _RANK.get(game["status"], 3), zat is None, zat or now

    return sorted(games, key=key)


def waiting_line(number: int) -> str:
    """Say how much waits for the GM, and where it is listed."""
    if not number:
        return "Nothing waits for you."
    return "1 thing waits for you: gm todo" if number == 1 else f"{number} things wait for you: gm todo"


def is_stale(instant: str, now: datetime, after: timedelta) -> bool:
    """Say whether this is too long ago, or never was."""
    at = _instant(instant)
    return at is None or now - at > after


def ago(instant: str, now: datetime) -> str:
    """Write an instant with how long ago it was; `never` stays as it is."""
    at = _instant(instant)
    return f"{at:%Y-%m-%d %H:%M} ({_span(now - at)})" if at else instant


def _span(passed: timedelta) -> str:
    for unit, length in (("day", timedelta(days=1)), ("hour", timedelta(hours=1)), ("minute", timedelta(minutes=1))):
        if number := passed // length if passed > timedelta() else 0:
            return f"{number} {unit}{'s' if number > 1 else ''} ago"
    return "just now"


def _instant(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text and text != "never" else None
