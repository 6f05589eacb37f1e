"""`gm player merge`: two players turn out to be one person. All that was the one's is the other's from then on."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import update
from sqlmodel import Session, SQLModel, col, select

import gm.store.archive_tables  # noqa: F401  (with it all tables are known)
from games.api import say
from gm.app.context import App
from gm.game.announcements import daily_digest
from gm.game.people import lookup
from gm.game.people.name_changes import name_changes
from gm.game.schedule import vacations
from gm.requests.desk.players import settle_open_questions
from gm.runtime.errors import Refused
from gm.store import game_file
from gm.store.tables import Address, DigestStep, Game, MailOut, Player, Question, Seat, Standby, Vacation, Watcher


@dataclass(frozen=True, kw_only=True)
class Merged:
    """What merging two players has done, or would do."""

    name: str
    into: str
    games: Sequence[str]
    addresses: Sequence[str]
    """What the player is reached under; the first one gets our mails."""


def merge(app: App, name: str, into: str, *, is_preview: bool = False) -> Merged:
    """Make two players one, in one transaction, which a preview rolls back. Raises Refused."""
    with app.database.write() as session:
        gone = lookup.reachable(session, name, in_full=True)
        kept = lookup.reachable(session, into, in_full=True)
        _check(session, gone, kept)
        games = _games(session, gone)
        before, names, ids = gone.name, [game.name for game in games], [game.id for game in games]
        daily_digest.send(app, session, gone)  # what it had still to tell goes where it was promised
        for one in (gone, kept):
            settle_open_questions(app, session, one, "replaced")
        addresses = _join_addresses(session, gone, kept)
        _join_days(app, session, gone, kept)
        _drop_twins(session, gone, kept)
        _hand_over(session, gone, kept)
        with name_changes(session, app.settings):
            _join_names(gone, kept)
            session.delete(gone)
        game_file.touch_for_archive(session, ids)
        done = Merged(name=before, into=kept.name, games=names, addresses=addresses)
        if is_preview:
            session.rollback()
    return done


def _check(session: Session, gone: Player, kept: Player) -> None:
    """Refuse what can't be one: a player and himself, or two who sat in one game."""
    if gone.id == kept.id:
        raise Refused(say("merging.one_already", player=gone.name))
    own = {game.id for game in _games(session, gone)}
    if both := [game.name for game in _games(session, kept) if game.id in own]:
        raise Refused(say("merging.both_sit", one=gone.name, other=kept.name, games=", ".join(both)))


def _games(session: Session, player: Player) -> Sequence[Game]:
    rows = select(Game).join(Seat).where(Seat.player_id == player.id)
    return [*{game.id: game for game in session.exec(rows.order_by(col(Game.id)))}.values()]


def _join_addresses(session: Session, gone: Player, kept: Player) -> Sequence[str]:
    """Add the addresses behind those of the other, whose first one goes on getting our mails."""
    known = list(session.exec(select(Address).where(Address.player_id == kept.id).order_by(col(Address.id))))
    held = {row.address for row in known}
    added = list(session.exec(select(Address).where(Address.player_id == gone.id).order_by(col(Address.id))))
    for row in added:
        session.delete(row)
    session.flush()
    for row in added:
        if row.address not in held:  # a new row: our mails go to the lowest number
            session.add(Address(player_id=kept.id, address=row.address, bounced_at=row.bounced_at, bounce=row.bounce))
    session.flush()
    session.expire_all()
    return [*(row.address for row in known), *(row.address for row in added if row.address not in held)]


def _join_days(app: App, session: Session, gone: Player, kept: Player) -> None:
    """Take the vacations over; days that both had count once."""
    for one in session.exec(select(Vacation).where(Vacation.player_id == gone.id)).all():
        session.delete(one)
        session.flush()
        vacations.add(app, session, kept, (one.first, one.last))


def _drop_twins(session: Session, gone: Player, kept: Player) -> None:
    """Remove what both have: the earlier place on the standby list stays, and nobody watches where they play."""
    for table, column in ((Standby, "engine"), (Watcher, "game_id"), (DigestStep, "turn_id")):
        rows = session.exec(select(table).where(col(table.player_id).in_([gone.id, kept.id])).order_by(col(table.id)))
        seen = set[Any]()
        for row in rows.all():
            value = getattr(row, column)
            if value in seen:
                session.delete(row)
            seen.add(value)
    seated = select(Seat.game_id).where(col(Seat.player_id).in_([gone.id, kept.id]), col(Seat.until).is_(None))
    watched = select(Watcher).where(col(Watcher.player_id).in_([gone.id, kept.id]), col(Watcher.game_id).in_(seated))
    for row in session.exec(watched).all():
        session.delete(row)
    session.flush()


def _hand_over(session: Session, gone: Player, kept: Player) -> None:
    """Give every row that points to the one to the other."""
    told = select(MailOut.cause, MailOut.kind).where(MailOut.recipient == str(kept.id))
    twice = {tuple(row) for row in session.exec(told)}
    for row in session.exec(select(MailOut).where(MailOut.recipient == str(gone.id))).all():
        # A mail that both got stays as it is; its key only says that it was sent.
        row.recipient = f"merged {row.id}" if (row.cause, row.kind) in twice else str(kept.id)
        session.add(row)
    for question in session.exec(select(Question)).all():
        if question.payload.get("leaving") == gone.id:
            question.payload = {**question.payload, "leaving": kept.id}
            session.add(question)
    session.flush()
    for table in SQLModel.metadata.sorted_tables:
        if "player_id" in table.c:
            session.execute(update(table).where(table.c.player_id == gone.id).values(player_id=kept.id))
    session.expire_all()


def _join_names(gone: Player, kept: Player) -> None:
    """Note how they were called, for old mails. What the other hasn't chosen is taken over."""
    kept.former_names = [*dict.fromkeys([*kept.former_names, *gone.former_names, gone.name])]
    kept.language, kept.name_form = kept.language or gone.language, kept.name_form or gone.name_form
