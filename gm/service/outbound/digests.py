"""The digest: when it is due, who gets one, and queueing it. Each pass decides that from the database."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from sqlmodel import Session, select

from games.api import say
from gm.app.context import App
from gm.app.pass_report import Report
from gm.game.deadlines import local_instant
from gm.messages import gm_list
from gm.messages.outgoing import DIGEST, Occasion, Part, compose, draft, gm_recipient, post, recipient, sender, write
from gm.messages.outgoing import queue as queue_letters
from gm.messages.questions import About
from gm.reports import digest, gm_mails
from gm.reports.news import News, read_news
from gm.runtime.config.settings import WEEKDAYS, Digest
from gm.runtime.errors import OperatorError, StoreError
from gm.runtime.tracebacks import described
from gm.store.chunks import CHUNK_SIZE
from gm.store.queries import mail_queries, player_queries, zine_queries
from gm.store.tables import Address, Player

log = logging.getLogger("gm")

LATE: Final = timedelta(hours=24)
"""How long a missed digest is still sent."""


@dataclass(frozen=True, kw_only=True)
class Issue:
    """One issue of the digest: up to which instant it reports, and since when for each rhythm."""

    until: datetime
    cause: str
    since: Mapping[digest.Rhythm, datetime]


def last_instant(rules: Digest, zone: ZoneInfo, now: datetime, rhythm: digest.Rhythm = "weekly") -> datetime:
    """Return when the digest was last due, at or before now. Monthly means the first such weekday of a month."""
    today = now.astimezone(zone).date()
    day = today - timedelta(days=(today.weekday() - WEEKDAYS.index(rules.weekday)) % 7)
    while local_instant(day, rules.time, zone) > now or (rhythm == "monthly" and day.day > 7):
        day -= timedelta(days=7)
    return local_instant(day, rules.time, zone)


def next_instant(rules: Digest, zone: ZoneInfo, since: datetime) -> datetime:
    """Return when the digest is due for the first time after an instant."""
    today = since.astimezone(zone).date()
    day = today + timedelta(days=(WEEKDAYS.index(rules.weekday) - today.weekday()) % 7)
    instant = local_instant(day, rules.time, zone)
    return instant if instant > since else local_instant(day + timedelta(days=7), rules.time, zone)


def send_digests(app: App, report: Report, last: datetime | None) -> bool:
    """Queue the digest if it is due and was not queued yet; `last` is up to when digests were sent.

    Returns whether mails may have been queued. Raises StoreError. A bug in it stops nothing else.
    """
    instant = last_instant(app.settings.digest, app.settings.service.timezone, app.now())
    if last is None:
        with app.database.write() as session:
            zine_queries.zine(session).last_digest = app.now()
        return False
    if last >= instant or app.now() - instant >= LATE:
        return False
    try:
        _send(app, instant)
    except StoreError:
        raise
    except Exception as error:
        log.error("the digest of %s could not be made: %s", instant, described(error), exc_info=error)
        trouble = OperatorError(say("digests.failed", error=described(error)))
        report.troubles.append(trouble)
        _give_up(app, instant, trouble)
    return True


def _send(app: App, instant: datetime) -> None:
    """Make the issue while others may write, and queue it in portions. Copies that are queued already stay."""
    issue = scheduled(app, instant)
    with app.database.read() as session:
        made = make(app, session, issue)
    written = [copy for copy in made.copies if copy.part]
    for at in range(0, max(1, len(written)), CHUNK_SIZE):
        with app.database.write() as session:
            if not _is_still_due(session, instant):
                return
            _post_copies(app, session, issue, written[at : at + CHUNK_SIZE])
            if at + CHUNK_SIZE >= len(written):
                _post_gms(app, session, issue, made)
                zine_queries.zine(session).last_digest = instant


def _is_still_due(session: Session, instant: datetime) -> bool:
    """Return whether nobody was quicker: `gm digest --send`, or a process that served until now."""
    noted = zine_queries.zine(session).last_digest
    return noted is not None and noted < instant


def _give_up(app: App, instant: datetime, trouble: OperatorError) -> None:
    """Tell the GM that there is no digest this time, so that the next pass doesn't meet the same bug."""
    with app.database.write() as session:
        gm_list.tell(app, session, "digest", trouble, About(cause=f"no digest:{instant.isoformat()}"))
        zine_queries.zine(session).last_digest = instant


def scheduled(app: App, instant: datetime) -> Issue:
    """Return the issue that is due at an instant: the weekly one, with the monthly one where that is due as well."""
    rules, zone = app.settings.digest, app.settings.service.timezone
    before = instant - timedelta(seconds=1)
    since: dict[digest.Rhythm, datetime] = {"weekly": last_instant(rules, zone, before)}
    if last_instant(rules, zone, instant, "monthly") == instant:
        since["monthly"] = last_instant(rules, zone, before, "monthly")
    return Issue(until=instant, cause=f"digest:{instant.astimezone(zone).date()}", since=since)


def out_of_turn(app: App) -> Issue:
    """Return an extra issue that the GM asks for now, for everybody who wants digests."""
    rules, zone, now = app.settings.digest, app.settings.service.timezone, app.now()
    rhythms: tuple[digest.Rhythm, ...] = ("weekly", "monthly")
    since = {rhythm: last_instant(rules, zone, now, rhythm) for rhythm in rhythms}
    return Issue(until=now, cause=f"digest:{now.astimezone(zone):%Y-%m-%dT%H:%M}", since=since)


@dataclass(frozen=True, kw_only=True)
class Copy:
    """What one player gets of an issue; no part where there are no news for them, or they don't want it."""

    player: Player
    part: Part | None = None
    why: str = ""
    """Without a part: skipped | off | later | returned."""


@dataclass(frozen=True, kw_only=True)
class Made:
    """An issue, made but not queued."""

    copies: Sequence[Copy]
    gm: Part


def make(app: App, session: Session, issue: Issue) -> Made:
    """Make everybody's copy, and the GM's."""
    news = {rhythm: read_news(app, session, since, issue.until) for rhythm, since in issue.since.items()}
    players = _players(session)
    copies = [_copy(app, session, issue, news, player) for player in players]
    numbers = {why: sum(copy.why == why for copy in copies) for why in ("skipped", "off", "later", "returned")}
    counts = gm_mails.Counts(sent=sum(copy.part is not None for copy in copies), **numbers)
    return Made(copies=copies, gm=gm_mails.for_gm(app, session, news["weekly"], counts))


def _players(session: Session) -> Sequence[Player]:
    return player_queries.players_by_id(session, set(session.exec(select(Address.player_id))))


def _copy(app: App, session: Session, issue: Issue, news: Mapping[digest.Rhythm, News], player: Player) -> Copy:
    app.stop_signal.check()
    if player.digest == "off":
        return Copy(player=player, why="off")
    if player_queries.is_unreachable(player):
        return Copy(player=player, why="returned")
    period: digest.Rhythm = "monthly" if player.digest == "monthly" else "weekly"
    if period not in news or player.created_at > issue.until:
        return Copy(player=player, why="later")
    part = digest.personal(app, session, news[period], player, "daily" if player.digest == "daily" else period)
    return Copy(player=player, part=part, why="" if part else "skipped")


def queue(app: App, session: Session, issue: Issue) -> Made:
    """Queue an issue."""
    made = make(app, session, issue)
    _post_copies(app, session, issue, [copy for copy in made.copies if copy.part])
    _post_gms(app, session, issue, made)
    return made


def _post_copies(app: App, session: Session, issue: Issue, copies: Sequence[Copy]) -> None:
    """Queue copies, with as many statements as for a single one."""
    occasion = _occasion(issue)
    players = player_queries.players_by_id(session, [copy.player.id for copy in copies])
    to_player = {player.id: recipient(app, session, player) for player in players}
    addressed = [(to_player[copy.player.id], copy.part) for copy in copies]
    keys = [to.key for to, _ in addressed]
    queued = {
        key for at in range(0, len(keys), CHUNK_SIZE)
        for key in mail_queries.queued_to(session, occasion.cause, occasion.kind, keys[at : at + CHUNK_SIZE])
    }  # fmt: skip
    queue_letters(
        session, [
            write(draft(app, session, occasion, to, [part]))
            for to, part in addressed if part and to.address and to.key not in queued
        ],
    )  # fmt: skip


def _post_gms(app: App, session: Session, issue: Issue, made: Made) -> None:
    post(app, session, _occasion(issue), gm_recipient(app, session), [made.gm])


def _occasion(issue: Issue) -> Occasion:
    return Occasion(cause=issue.cause, kind="digest", priority=DIGEST)


def written(app: App, session: Session, made: Made, copy: Copy | None = None) -> tuple[str, str]:
    """Return subject and text of a player's copy, or of the GM's."""
    to = recipient(app, session, copy.player) if copy else gm_recipient(app, session)
    part = copy.part if copy and copy.part else made.gm
    subject, text, _ = compose([part], to, greet=True, by=sender(app))
    return subject, text
