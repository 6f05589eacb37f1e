"""Forgetting a player: name, addresses, texts and mails are removed for ever; moves, steps and results stay as N. N.'s.

Others' texts lose the name where pages show them. Mails of others stay as they are, until `gm mail prune` deletes them.
A player can't be forgotten while a mail of theirs is still to be handled, or one to them to be sent.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from sqlalchemy import and_, delete, func, update
from sqlmodel import Session, col, or_, select

from games.api import say
from gm.app.context import App
from gm.game.people import lookup, personal_data
from gm.game.people.erasure_text import change, erase_from_notes, erase_from_texts, touch_edited
from gm.game.people.name_changes import name_changes
from gm.game.people.personal_data import Forgotten, PersonFinder, person_finder
from gm.game.people.shown_names import shown_names
from gm.game.seats import VACANCY
from gm.messages import questions, stored_files
from gm.requests.desk.mail_actions import NOT_DELIVERED, settle_about
from gm.runtime.errors import Refused
from gm.store import game_file
from gm.store.archive_tables import ArchivedScore
from gm.store.queries import mail_queries, player_queries
from gm.store.queries.player_queries import NOBODY
from gm.store.queries.thread_queries import SEVERAL
from gm.store.tables import (
    Address,
    AdvanceMove,
    DigestStep,
    Duty,
    Game,
    MailIn,
    MailOut,
    Player,
    Press,
    Question,
    Seat,
    Sheet,
    Standby,
    Vacation,
    Watcher,
)
from gm.store.zine_tables import Refusal
from parsers.invisible import fold_name

NO_ADDRESS: Final = "-"
"""Where we asked somebody who was forgotten; without an address a question would be the GM's."""


@dataclass(frozen=True, kw_only=True)
class _Person:
    """Who is to be forgotten, and how to find what is theirs."""

    player: Player
    names: Sequence[str]
    """The present one and those of before."""
    finder: PersonFinder
    own: Collection[str]
    """The addresses that only they have, or had."""
    shared: dict[str, int]
    """Addresses that somebody else has as well, with whom."""
    called: str
    """What the GM calls the row that is left, to tell it from others who were forgotten: `N. N. 2`."""

    @property
    def wrote(self) -> Any:
        """The condition on mails that they wrote, but for a move or press of whom they share with; and on bounces."""
        brought, by_others = (of(self.player.id) for of in (personal_data.brought_by, personal_data.brought_by_others))
        may_be_theirs = or_(col(MailIn.id).in_(brought), col(MailIn.id).not_in(by_others))
        wrote = and_(col(MailIn.sender).in_([*self.own, *self.shared]), may_be_theirs)
        return or_(wrote, *(col(MailIn.reason).like(f"% of mail o% to {address}%") for address in self.own))

    @property
    def got(self) -> Any:
        """The condition on mails to them; one to two who share an address is to each."""
        to_both = and_(
            col(MailOut.kind) == SEVERAL, col(MailOut.player_id).is_(None), col(MailOut.address).in_(list(self.shared))
        )
        return or_(MailOut.player_id == self.player.id, col(MailOut.address).in_(list(self.own)), to_both)


def forget(app: App, name: str) -> Forgotten:
    """Forget a player. Raises Refused while they play, or a mail of theirs or to them waits."""
    return replace(_forget(app, name), is_gone_from_disk=app.database.compact())


def preview(app: App, name: str) -> Forgotten:
    """Find out what forgetting a player would remove, and change nothing. Raises Refused as `forget` does."""
    return _forget(app, name, is_preview=True)


def _forget(app: App, name: str, *, is_preview: bool = False) -> Forgotten:
    """Remove all that is theirs in one transaction, which a preview rolls back."""
    with app.database.write() as session:
        person = _person(app, session, name)
        _check_seats(session, person.player)
        _check_mails(session, person)
        before, games = person.player.name, _games(session, person.player)
        held = player_queries.addresses(session, person.player.id)
        shown = shown_names(session, app.settings)[person.player.id].name
        texts = session.exec(select(Press.text).where(Press.player_id == person.player.id)).all()
        counts = _remove(app, session, person)
        empty_seats = _make_nobody(app, session, person)
        if is_preview:
            session.rollback()
    return Forgotten(
        name=before, called=person.called, counts=counts, games=games, addresses=held, empty_seats=empty_seats,
        finder=person.finder, shown=shown, texts=texts, is_gone_from_disk=False,
    )  # fmt: skip


def _games(session: Session, player: Player) -> Sequence[str]:
    rows = select(Game.name).join(Seat).where(Seat.player_id == player.id)
    return [*dict.fromkeys(session.exec(rows.order_by(col(Game.id))))]


# -- who and what ------------------------------------------------------------------------------------------------------


def _person(app: App, session: Session, name: str) -> _Person:
    """Collect the names and addresses of a player. Raises Refused where there is none, or it was forgotten already."""
    player = lookup.reachable(session, name, in_full=True)
    service = app.settings.service
    contacts = [service.gm, *([service.second_gm] if service.second_gm else [])]
    not_theirs = {NO_ADDRESS, service.address.lower(), *(contact.address.lower() for contact in contacts)}
    shared = personal_data.shared_addresses(session, player.id)
    own = personal_data.addresses_ever(session, player.id) - not_theirs - shared.keys()
    names = [player.name, *player.former_names]
    others = session.exec(select(Player.name).where(Player.id != player.id)).all()
    return _Person(
        player=player,
        names=names,
        finder=person_finder(names, own, others),
        own=own,
        shared=shared,
        called=_next_nobody(session),
    )


def _check_seats(session: Session, player: Player) -> None:
    """Refuse while they play: a standby has to take the seat first."""
    rows = select(Game.name).join(Seat).where(
        Seat.player_id == player.id, col(Seat.until).is_(None), Game.status == "running"
    )  # fmt: skip
    if games := session.exec(rows.order_by(col(Game.id))).all():
        raise Refused(say("erasure.plays", player=player.name, games=", ".join(games), game=games[0]))


def _check_mails(session: Session, person: _Person) -> None:
    """Refuse while a mail of theirs is still to be handled, or one to them to be sent: neither may be lost."""
    name = person.player.name
    checks: tuple[tuple[Any, Any, Sequence[str]], ...] = (
        (MailOut, person.got, ("queued",)),
        (MailIn, person.wrote, ("new", mail_queries.PUT_OFF, "quarantined")),
    )
    for table, theirs, statuses in checks:
        for status in statuses:
            rows = select(func.count(), func.min(table.id)).where(theirs, table.status == status)
            number, first = session.exec(rows).one()
            if number:
                raise Refused(say(_WAITING[status], player=name, first=first, number=number))


_WAITING: Final = {
    "queued": "erasure.queued", "new": "erasure.new", mail_queries.PUT_OFF: "erasure.put_off",
    "quarantined": "erasure.quarantined",
}  # fmt: skip
"""Status of a mail -> the code of what waits and how to mend it."""


# -- removing ----------------------------------------------------------------------------------------------------------


RECORDS: Final = (Seat, Sheet, AdvanceMove, Duty, ArchivedScore, Question, MailIn, MailOut)
"""What stays of a player's rows, cleaned: the record of games, and that mails came and went. All other rows go."""
CALLED: Final[Mapping[type[Any], str]] = {
    Address: "addresses", Standby: "standby list", Watcher: "games watched", Vacation: "vacations",
    DigestStep: "daily digest",
}  # fmt: skip
"""What removed rows are called, where the table's name would say little."""


def _remove(app: App, session: Session, person: _Person) -> dict[str, int]:
    """Remove rows, mails and texts; returns how many of each."""
    player_id = person.player.id
    printed = session.exec(select(Press.game_id).where(Press.player_id == player_id)).all()
    received = set(session.exec(select(MailIn.id).where(person.wrote)))
    own = [table for table in personal_data.tables_of_players() if table not in RECORDS]
    counts = {
        **{CALLED.get(table, str(table.__tablename__)): _delete(session, table, player_id) for table in own},
        "questions": sum(_clean(app, session, person, received, one) for one in session.exec(select(Question)).all()),
        "mails received": _empty_received(session, person, received),
        "mails sent": _empty_sent(app, session, person),
    }  # fmt: skip
    _clean_moves(session, person)
    stored_files.drop_delivered(session)
    in_texts, in_notes = erase_from_texts(session, person.finder), erase_from_notes(session, person.finder)
    touch_edited(session, {*printed, *in_texts, *in_notes})
    return counts


def _delete(session: Session, table: Any, player_id: int) -> int:
    rows = session.exec(select(table).where(table.player_id == player_id)).all()
    for row in rows:
        session.delete(row)
    session.flush()
    game_file.touch_all(session, {row.game_id for row in rows if getattr(row, "game_id", None)})
    return len(rows)


def _empty_received(session: Session, person: _Person, ids: Collection[int]) -> int:
    """Empty their mails: only that one came, and when, stays. An address that is shared stays with the other player."""
    change(session, MailIn, ids, raw=b"", subject="", message_id="", reason="forgotten")
    change(session, MailIn, ids, col(MailIn.sender).not_in(list(person.shared)), sender="")
    for address, other in person.shared.items():
        session.execute(update(MailIn).where(col(MailIn.sender) == address).values(player_id=other))
    return len(ids)


def _empty_sent(app: App, session: Session, person: _Person) -> int:
    """Empty the mails to them, and drop the failed ones, which the GM could otherwise retry."""
    left_out = col(MailOut.status) == mail_queries.LEFT_OUT
    session.execute(delete(MailOut).where(left_out, col(MailOut.address).in_(list(person.own))))
    for row in session.exec(select(MailOut).where(person.got, col(MailOut.status).in_(NOT_DELIVERED))).all():
        row.status = "dropped"
        settle_about(app, session, row, "forgotten")
    session.flush()
    session.execute(delete(Refusal).where(col(Refusal.mail_id).in_(select(MailOut.id).where(person.got))))
    rows = session.exec(select(MailOut.id, MailOut.player_id).where(person.got)).all()
    change(session, MailOut, [row[0] for row in rows], raw=None, address="", subject="", error="")
    for mail_id in (mail_id for mail_id, player_id in rows if player_id is None):  # their key holds the address
        change(session, MailOut, [mail_id], recipient=f"forgotten {mail_id}")
    return len(rows)


def _clean_moves(session: Session, person: _Person) -> None:
    """Remove the lines that name whose a block is; the lines with the move stay."""
    sheets = session.exec(select(Sheet).where(Sheet.player_id == person.player.id)).all()
    for sheet in sheets:
        sheet.lines = person.finder.kept_lines(sheet.lines)
    advance_moves = session.exec(select(AdvanceMove).where(AdvanceMove.player_id == person.player.id)).all()
    for ahead in advance_moves:
        ahead.blocks = [person.finder.kept_lines(lines) for lines in ahead.blocks]
    session.flush()
    games = {*(sheet.game_id for sheet in sheets), *(ahead.game_id for ahead in advance_moves)}
    game_file.touch_all(session, games)


# -- questions ---------------------------------------------------------------------------------------------------------


def _clean(app: App, session: Session, person: _Person, received: Collection[int], question: Question) -> bool:
    """Remove their words from a question that is about them, or that a mail of theirs caused; returns whether one is.

    It is settled, unless the GM has to decide about a running game.
    """
    is_theirs = question.player_id == person.player.id or question.address in person.own
    if not (is_theirs or question.mail_id in received):
        return False
    question.payload = _cleaned(question.payload, person)
    for name in ("text", "beside"):
        if name in question.payload:
            question.payload = {**question.payload, name: _words_of_game(question.payload) if name == "text" else ""}
    if is_theirs:
        _close(app, session, question)
    session.add(question)
    return is_theirs


def _words_of_game(payload: dict[str, Any]) -> str:
    """Return the words that the GM has to rule on."""
    return str(payload.get("word") or " ".join(payload.get("words", ())))


def _close(app: App, session: Session, question: Question) -> None:
    """Settle a question that nobody will answer. One that the GM has to decide about a running game stays open."""
    game = session.get(Game, question.game_id) if question.game_id else None
    is_the_games = not question.address and game is not None and game.status in ("running", "provisional")
    if question.answered_at is None and not is_the_games:
        questions.close(app, session, question, "forgotten")
    if question.address:
        question.address = NO_ADDRESS


def _cleaned(value: Any, person: _Person, *, key: str = "") -> Any:
    """Remove their name and addresses from a question's payload, but not from words of a game."""
    if isinstance(value, dict):
        return {name: _cleaned(item, person, key=name) for name, item in value.items()}
    if key == "lines" and isinstance(value, list):
        return person.finder.kept_lines(value)
    if isinstance(value, list | tuple):
        return [_cleaned(item, person, key=key) for item in value]
    if not isinstance(value, str) or key in ("word", "words"):
        return value
    if key == "offers":  # words of a command; a word to rule on may be a name by chance
        return person.called if value in person.names else value
    return person.finder.scrub(value)


# -- what is left ------------------------------------------------------------------------------------------------------


def _next_nobody(session: Session) -> str:
    called, number = NOBODY, 2
    while player_queries.player_named(session, called):
        called, number = f"{NOBODY} {number}", number + 1
    return called


def _make_nobody(app: App, session: Session, person: _Person) -> Sequence[str]:
    """Remove the name; returns the running games in which their seat is empty."""
    player = person.player
    left = session.exec(select(Seat).join(Game).where(Seat.player_id == player.id, Game.status == "open")).all()
    for seat in left:
        session.delete(seat)
    session.flush()
    game_file.touch_all(session, {seat.game_id for seat in left})
    with name_changes(session, app.settings):
        player.name, player.name_key, player.former_names = NOBODY, fold_name(person.called), []
        player.language, player.digest, player.digest_at, player.name_form = "", "off", "", ""
    session.expire_all()
    rows = select(Game.name).join(Question).where(
        Question.player_id == player.id, or_(Question.kind == VACANCY, Question.kind == "resigned"),
        col(Question.answered_at).is_(None), Game.status == "running",
    )  # fmt: skip
    return sorted(session.exec(rows.distinct()))
