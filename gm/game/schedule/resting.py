"""The GM lets the whole zine rest, over Christmas say, and ends that again."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final, Literal

from sqlmodel import Session

from games.api import Language
from gm.app.context import App
from gm.game import rests
from gm.game.deadlines import (
    days_without_zat,
    first_free,
    is_by_issue,
    least_zat,
    local_day,
    local_instant,
    opened_at,
    over_rest,
    save_zat,
    span_of,
    without_rest,
    zat_by_issue,
)
from gm.game.rests import Rest
from gm.messages import game_mails, gm_list
from gm.messages.outgoing import Occasion, Part, gm_name, post, recipient
from gm.messages.rendering.dates import write_date, write_day
from gm.messages.sentences.table import SENTENCES
from gm.runtime.config.settings import Span
from gm.runtime.errors import OperatorError, Refused
from gm.store import change_tracking
from gm.store.queries import game_queries, meta_queries
from gm.store.tables import Game, Player
from parsers.commands.dates import read_days

TODAY: Final = ("heute", "today")
TOMORROW: Final = ("morgen", "tomorrow")
MOST_AHEAD: Final = dt.timedelta(days=366)
State = Literal["set", "ended", "called off"]


def days_of(first: str | None, last: str, today: dt.date) -> tuple[dt.date, dt.date]:
    """Read the days of a rest as people write them; from today where the first is missing. Raises Refused.

    Without a year it is the rest that lasts now, or else the next one. `+10d` counts from today; for the last day only
    where the rest begins today, as it might be meant from the first day too.
    """
    begin, end = _as_date(first or TODAY[0], today), _as_date(last, today)
    if end != last.strip() and span_of(last) and begin != today.isoformat():
        raise _from_which_day(begin, last, today)
    read = read_days(f"{begin} bis {end}")
    days = read.on(today) if read else None
    if days is None or days[1] < today:
        raise Refused(
            f"'{first or 'today'}' to '{last}' are no days to come, the last not before the first; write --from 20.12. "
            "--to 6.1., or --from 2026-12-20 --to 2027-01-06.",
            de=f"»{first or 'heute'}« bis »{last}« sind keine Tage, die noch kommen, der letzte nach dem ersten; "
            "schreib --from 20.12. --to 6.1., oder --from 2026-12-20 --to 2027-01-06.",
        )
    return days


def _as_date(text: str, today: dt.date) -> str:
    """Write a day that is named from today on as a date: `heute`, `morgen`, `+10d`; anything else stays."""
    named = dict.fromkeys(TODAY, 0) | dict.fromkeys(TOMORROW, 1)
    span = span_of(text.strip().removeprefix("in "))
    ahead = span.days if span and 0 < span.days <= MOST_AHEAD.days else named.get(text.strip().lower())
    return text.strip() if ahead is None else f"{today + dt.timedelta(days=ahead)}"


def _from_which_day(begin: str, last: str, today: dt.date) -> Refused:
    """Say that `--from 20.12. --to +3d` could be two days; name the last day by its date."""
    read, span = read_days(f"{begin} bis {begin}"), span_of(last)
    days = read.on(today) if read else None
    meant = (days[0] if days else today) + dt.timedelta(days=span.days if span else 0)
    return Refused(
        f"'{last}' could count from today or from the first day; name the last day by its date: --to {meant}.",
        de=f"»{last}« kann ab heute gemeint sein oder ab dem ersten Tag; nenne den letzten mit Datum: --to {meant}.",
    )


def rest(app: App, first: str | None, last: str, why: str) -> tuple[Rest, Sequence[Game]]:
    """Let all games rest from a day to another one, both included: ZATs behind its beginning move on by as much.

    Each player is told once. Returns the rest, and the games whose ZAT has moved. Raises Refused.
    """
    zone, now, today = app.settings.service.timezone, app.now(), local_day(app)
    begin, end = days_of(first, last, today)
    _check_length(app, max(begin, today), end)
    gm_list.check_length("reason", why)
    start = max(now, local_instant(begin, dt.time(), zone))
    wanted = Rest(
        start=start, end=local_instant(end + dt.timedelta(days=1), dt.time(), zone), told=now,
        why=" ".join(why.split()),
    )  # fmt: skip
    with app.database.write() as session:
        _check_up_to_date(session)
        if known := rests.current(app, session):
            begins, ends = known.days(zone)
            raise Refused(
                f"The zine rests {shown(app, known)} already; gm resume --all ends that first.",
                de=f"Vom {begins:%d.%m.%Y} bis zum {ends:%d.%m.%Y} ruht alles schon; gm resume --all beendet das erst.",
            )
        rests.note(session, wanted)
        return wanted, _change(app, session, wanted, "set")


def _check_length(app: App, first: dt.date, last: dt.date) -> None:
    length, most = last - first + dt.timedelta(days=1), app.settings.deadlines.pause_max
    if length > most:
        raise Refused(
            f"{first} to {last} are {length.days} days; a rest has {most.days} at most (deadlines.pause_max).",
            de=f"Vom {first:%d.%m.%Y} bis zum {last:%d.%m.%Y} sind es {length.days} Tage; mehr als {most.days} darf "
            "nicht geruht werden (pause_max in den Einstellungen).",
        )
    if first - local_day(app) > MOST_AHEAD:
        raise Refused(
            f"{first} is more than a year ahead; set the rest when it comes nearer.",
            de=f"Bis zum {first:%d.%m.%Y} ist es mehr als ein Jahr; leg die Ruhe fest, wenn es näher ist.",
        )


def go_on(app: App) -> tuple[Rest, Sequence[Game]]:
    """End the rest of the zine now, or call it off before it begins: ZATs move back by what is left of it.

    Each player is told once. Returns what was ended, and the games whose ZAT has moved. Raises Refused.
    """
    with app.database.write() as session:
        _check_up_to_date(session)
        known, now = rests.current(app, session), app.now()
        if known is None:
            raise Refused(
                "The zine doesn't rest, and no rest lies ahead; gm resume NAME lets one game go on.",
                de="Es ruht nichts, und es steht auch keine Ruhe bevor; gm resume NAME lässt eine Partie weitergehen.",
            )
        changed = _change(app, session, known, "ended" if known.holds(now) else "called off")
        return known, changed


def _check_up_to_date(session: Session) -> None:
    if meta_queries.get_meta(session, meta_queries.COPIED):
        raise Refused(meta_queries.COPY_SENTENCE["en"], de=meta_queries.COPY_SENTENCE["de"])


def shown(app: App, one: Rest) -> str:
    """Describe a rest for the GM by its days: `from 2026-12-20 to 2027-01-06`."""
    first, last = one.days(app.settings.service.timezone)
    return f"from {first} to {last}"


def _change(app: App, session: Session, of: Rest, state: State) -> Sequence[Game]:
    """Move the ZATs of all running games, and tell the players; returns the games that have another ZAT.

    With a new rest the ZATs go over it, else they come back, and the rest is noted as over.
    """
    games, now = game_queries.games(session, ("running",)), app.now()
    if state != "set":
        rests.note(session, replace(of, end=max(of.start, now), told=now))
    changed = [game for game in games if game.zat and _move(app, session, game, game.zat, of, state)]
    change_tracking.mark_changed(session, [game.id for game in games])  # what was due next may be due later
    _tell(app, session, games, of, state)
    return changed


def _move(app: App, session: Session, game: Game, zat: dt.datetime, of: Rest, state: State) -> bool:
    """Move a ZAT; returns whether it is another one now."""
    now, span, zone = app.now(), Span.parse(game.span), app.settings.service.timezone
    new = (over_rest if state == "set" else without_rest)(zat, max(now, game.paused_until or now), of, span, zone)
    if is_by_issue(app, session, game):
        least = least_zat(app, session, game, opened_at(session, game))
        new = zat_by_issue(app, session, game, least, after=now) or new
    if new == zat:
        return False
    if span.exact is None:
        new = first_free(new, days_without_zat(app, session, game), zone)
    save_zat(session, game, new)
    return True


def _tell(app: App, session: Session, games: Sequence[Game], of: Rest, state: State) -> None:
    """Queue one mail to each player of these games, with the ZATs of all of theirs."""
    playing: dict[int, tuple[Player, list[Game]]] = {}
    for game in games:
        for player, _ in game_mails.seated(session, game):
            playing.setdefault(player.id, (player, []))[1].append(game)
    for player, theirs in playing.values():
        to = recipient(app, session, player)
        first, last = (write_day(day, to.language) for day in of.days(app.settings.service.timezone))
        rows = [clock_row(app, game, to.language) for game in theirs]
        context = {"state": state, "first": first, "last": last, "why": of.why, "rows": rows, "gm": gm_name(app)}
        occasion = Occasion(cause=f"rest:{app.now().isoformat()}", kind="rest")
        post(app, session, occasion, to, [Part(template="rest", context=context)])


def clock_row(app: App, game: Game, language: Language) -> dict[str, Any]:
    """Describe a game's clock, also of one whose rules aren't installed here."""
    try:
        rules = app.engine(game.engine).rules
        title, counted = rules.title, SENTENCES[f"UNIT_{rules.unit.upper()}"][language]
    except OperatorError:
        title = counted = ""
    zat = write_date(game.zat, app.settings.service.timezone, language, "short") if game.zat else ""
    return {
        "game": game.name, "title": title, "counted": counted, "round": game.round, "zat": zat, "held": bool(game.held),
    }  # fmt: skip
