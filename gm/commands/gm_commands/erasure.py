"""Forgetting a player: name, addresses and texts are removed for ever; moves, steps and results stay as N. N.'s.

Mails of others that name the player lose their text: they are only a log. A player can't be forgotten while such a mail
is still to be sent or handled.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from sqlalchemy import delete, update
from sqlmodel import Session, col, or_, select

from gm.app.context import App
from gm.commands.gm_commands import players
from gm.commands.gm_commands.erasure_text import change, erase_from_notes, erase_from_texts, mark_edited, rows_of
from gm.commands.gm_commands.mail_actions import NOT_DELIVERED, settle_about
from gm.game.seats import VACANCY
from gm.messages import gm_list, questions
from gm.messages.questions import About
from gm.players import access, lookup
from gm.players.personal_data import NOBODY, PersonFinder, person_finder
from gm.runtime.errors import Refused
from gm.store.chunks import in_chunks
from gm.store.queries import mail_queries, player_queries, question_queries
from gm.store.tables import (
    Address,
    AdvanceMove,
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
    name_key_of,
)

_UNHANDLED: Final = ("new", mail_queries.PUT_OFF, "quarantined")
NO_ADDRESS: Final = "-"
"""Where we asked somebody who was forgotten; without an address a question would be the GM's."""


@dataclass(frozen=True, kw_only=True)
class Forgotten:
    """What forgetting a player has removed, or would remove."""

    name: str
    called: str
    """How the GM names the row that is left, where an empty seat still has to be filled."""
    counts: dict[str, int]
    games: Sequence[str]
    """In which they have, or had, a seat."""
    addresses: Sequence[str]
    empty_seats: Sequence[str]
    """The running games in which the player's seat is empty."""
    is_gone_from_disk: bool


@dataclass(frozen=True, kw_only=True)
class _Person:
    """Who is to be forgotten, and how to find what is theirs."""

    player: Player
    names: Collection[str]
    """Also the former ones."""
    traces: PersonFinder
    own: Collection[str]
    """The addresses that only they have, or had."""
    shared: dict[str, int]
    """Addresses that somebody else has as well, with whom."""
    called: str
    """What the GM calls the row that is left, to tell it from others who were forgotten: `N. N. 2`."""


@dataclass(kw_only=True)
class _Mails:
    """The mails to empty: their own, and those of others that name them."""

    sent_in: set[int] = field(default_factory=set)
    named_in: set[int] = field(default_factory=set)
    sent_out: set[int] = field(default_factory=set)
    named_out: set[int] = field(default_factory=set)
    last_in: int = 0
    """The last mail that was looked at."""
    last_out: int = 0


def forget(app: App, name: str, *, compacts: bool = True, tells_gm: bool = False) -> Forgotten:
    """Forget a player. Raises Refused while they play, or a mail that names them is still to be sent or handled.

    Who does it for somebody else `tells_gm`; who doesn't let it compact the database has to do that afterwards.
    """
    forgotten = _forget(app, name, tells_gm=tells_gm)
    return replace(forgotten, is_gone_from_disk=compacts and app.database.compact())


def preview(app: App, name: str) -> Forgotten:
    """Find out what forgetting a player would remove, and change nothing. Raises Refused as `forget` does."""
    return _forget(app, name, is_preview=True)


def _forget(app: App, name: str, *, is_preview: bool = False, tells_gm: bool = False) -> Forgotten:
    """Find all that is theirs and remove it in one transaction, which a preview rolls back."""
    with app.database.read() as session:  # takes long, and blocks nobody; the transaction searches what came since
        person = _person(app, session, name)
        _check_seats(session, person.player)
        _check_mails(session, person.player, _search(app, session, person, _Mails(), only_waiting=True))
        mails = _search(app, session, person, _Mails())
    with app.database.write() as session:
        person = _person(app, session, name)
        mails = _search(app, session, person, mails)
        _check_seats(session, person.player)
        _check_mails(session, person.player, mails)
        before, games = person.player.name, _games(session, person.player)
        held = player_queries.addresses(session, person.player.id)
        counts = _remove(app, session, person, mails)
        empty_seats = _make_nobody(session, person)
        if tells_gm:
            _tell_gm(app, session, person, empty_seats)
        if is_preview:
            session.rollback()
    return Forgotten(
        name=before, called=person.called, counts=counts, games=games, addresses=held, empty_seats=empty_seats,
        is_gone_from_disk=False,
    )  # fmt: skip


def _games(session: Session, player: Player) -> Sequence[str]:
    rows = select(Game.name).join(Seat).where(Seat.player_id == player.id)
    return session.exec(rows.order_by(col(Game.id))).all()


# -- who and what ------------------------------------------------------------------------------------------------------


def _person(app: App, session: Session, name: str) -> _Person:
    """Collect the names and addresses of a player. Raises Refused where there is none, or it was forgotten already."""
    player = lookup.reachable(session, name, in_full=True)
    service = app.settings.service
    contacts = [service.gm, *([service.second_gm] if service.second_gm else [])]
    not_theirs = {"", NO_ADDRESS, service.address.lower(), *(contact.address.lower() for contact in contacts)}
    met = _addresses_ever(session, player.id)
    rows = session.exec(select(Address).where(Address.player_id != player.id)).all()
    shared = {row.address: row.player_id for row in rows if row.address in met}
    own = met - not_theirs - shared.keys()
    names = [player.name, *lookup.former_names(session, player.id)]
    others = session.exec(select(Player.name).where(Player.id != player.id)).all()
    sent = select(MailIn.message_id).where(or_(MailIn.player_id == player.id, col(MailIn.sender).in_(own)))
    ids = set(session.exec(sent.where(col(MailIn.sender).not_in(shared)))) - {""}
    return _Person(
        player=player, names=names, traces=person_finder(names, own, others, ids), own=own, shared=shared,
        called=_next_nobody(session),
    )  # fmt: skip


def _addresses_ever(session: Session, player_id: int) -> set[str]:
    """Collect their addresses, also those that were taken away since."""
    found = set(player_queries.addresses(session, player_id))
    for address, owner in (
        (MailIn.sender, MailIn.player_id), (MailOut.address, MailOut.player_id), (Question.address, Question.player_id),
    ):  # fmt: skip
        found |= {one.lower() for one in session.exec(select(address).where(owner == player_id).distinct())}
    return found


def _search(app: App, session: Session, person: _Person, mails: _Mails, *, only_waiting: bool = False) -> _Mails:
    """Search the mails that haven't been searched yet; `only_waiting`: of these the few that are still to be done."""
    theirs = _written_by_others(session, person.player.id)
    unhandled, unsent = (
        ([col(MailIn.status).in_(_UNHANDLED)], [col(MailOut.status).in_(("queued", mail_queries.HELD))])
        if only_waiting
        else ((), ())
    )
    for mail_id, sender, raw in rows_of(session, MailIn, mails.last_in, "sender", "raw", where=unhandled):
        app.stop_signal.check()
        mails.last_in = mail_id
        if sender in person.own or (sender in person.shared and mail_id not in theirs):
            mails.sent_in.add(mail_id)
        elif person.traces.in_mail(raw):
            mails.named_in.add(mail_id)
    columns = ("address", "player_id", "raw")
    for mail_id, address, owner, raw in rows_of(session, MailOut, mails.last_out, *columns, where=unsent):
        app.stop_signal.check()
        mails.last_out = mail_id
        if owner == person.player.id or address in person.own:
            mails.sent_out.add(mail_id)
        elif raw and person.traces.in_mail(raw):
            mails.named_out.add(mail_id)
    return mails


def _written_by_others(session: Session, player_id: int) -> set[int | None]:
    """List the mails that others have written, by their moves and press: a shared address doesn't show who wrote."""
    own: set[int | None] = set()
    others: set[int | None] = set()
    for table in (Sheet, AdvanceMove, Press):
        rows = select(table.mail_id, table.player_id).where(col(table.mail_id).is_not(None))
        for mail_id, writer in session.exec(rows):
            (own if writer == player_id else others).add(mail_id)
    return others - own


def _check_seats(session: Session, player: Player) -> None:
    """Refuse while they play: a standby has to take the seat first."""
    rows = select(Game.name).join(Seat).where(
        Seat.player_id == player.id, col(Seat.until).is_(None), Game.status == "running"
    )  # fmt: skip
    if games := session.exec(rows.order_by(col(Game.id))).all():
        raise Refused(
            f"{player.name} plays in {', '.join(games)}; first put a standby into the seat: "
            f'gm standby {games[0]} "{player.name}" ...',
            de=f"{player.name} spielt noch mit: {', '.join(games)}. Setz erst jemand anderen auf den Platz: "
            f'gm standby {games[0]} "{player.name}" ...',
        )


def _check_mails(session: Session, player: Player, mails: _Mails) -> None:
    """Refuse while a mail is still to be sent or handled: it must neither go out with the name nor be lost."""
    received, sent = mails.sent_in | mails.named_in, mails.sent_out | mails.named_out
    checks: tuple[tuple[Any, str, set[int]], ...] = (
        (MailOut, "queued", sent), (MailOut, mail_queries.HELD, sent), (MailIn, "new", received),
        (MailIn, mail_queries.PUT_OFF, received), (MailIn, "quarantined", received),
    )  # fmt: skip
    for table, status, ids in checks:
        waiting = set(session.exec(select(table.id).where(table.status == status))) & ids
        if waiting:
            english, german = (mend.format(min(waiting)) for mend in _MENDS[status])
            raise Refused(
                f"Mails of {player.name}, or with the name in them, {english} ({len(waiting)} in all).",
                de=f"Mails von {player.name} oder mit dem Namen darin {german} (zusammen {len(waiting)}).",
            )


_MENDS: Final = {
    "queued": ("wait to be sent; let `gm serve` send them, or: gm mail drop o{0}",
               "warten noch auf den Versand; lass gm serve sie verschicken, oder: gm mail drop o{0}"),
    mail_queries.HELD: ("wait for a player's one mail a day; to send it now: gm mail retry o{0}",
                        "warten auf die Sammelpost eines Mitspielers; sofort schickt sie: gm mail retry o{0}"),
    "new": ("are not handled yet; let `gm serve` do so, then try again",
            "sind noch nicht bearbeitet; lass gm serve das tun und versuch es noch einmal"),
    mail_queries.PUT_OFF: ("are put off; `gm serve` handles them within hours",
                           "müssen noch warten; gm serve bearbeitet sie in den nächsten Stunden"),
    "quarantined": ("are in quarantine; first: gm mail retry {0}, or gm mail drop {0}",
                    "liegen in Quarantäne; erst gm mail retry {0} oder gm mail drop {0}"),
}  # fmt: skip
"""Status of a mail -> what waits and how to mend it, in English and German."""


# -- removing ----------------------------------------------------------------------------------------------------------


def _remove(app: App, session: Session, person: _Person, mails: _Mails) -> dict[str, int]:
    """Remove rows, mails and texts; returns how many of each."""
    player_id = person.player.id
    printed = session.exec(select(Press.game_id).where(Press.player_id == player_id)).all()
    counts = {
        "addresses": _delete(session, Address, player_id), "press": _delete(session, Press, player_id),
        "standby list": _delete(session, Standby, player_id), "games watched": _delete(session, Watcher, player_id),
        "vacations": _delete(session, Vacation, player_id),
    }  # fmt: skip
    left_out = col(MailOut.status) == mail_queries.LEFT_OUT
    session.execute(delete(MailOut).where(left_out, col(MailOut.address).in_(list(person.own))))
    counts["questions"] = sum(_clean(app, session, person, mails, one) for one in session.exec(select(Question)).all())
    session.flush()
    counts["mails received"] = _empty_received(session, person, mails)
    counts["mails sent"] = _empty_sent(app, session, mails)
    counts["mails of others"] = len(mails.named_in) + len(mails.named_out)
    _clean_sheets(session, person)
    in_texts, in_notes = erase_from_texts(session, person.traces), erase_from_notes(session, person.traces)
    mark_edited(session, {*printed, *in_texts, *in_notes})
    return counts


def _delete(session: Session, table: Any, player_id: int) -> int:
    rows = session.exec(select(table).where(table.player_id == player_id)).all()
    for row in rows:
        session.delete(row)
    session.flush()
    return len(rows)


def _empty_received(session: Session, person: _Person, mails: _Mails) -> int:
    """Empty their mails: only that one came, and when, stays. An address that is shared stays with the other player."""
    ids = mails.sent_in
    change(session, MailIn, ids | mails.named_in, raw=b"")
    change(session, MailIn, ids, subject="", message_id="", reason="forgotten")
    # The reason of a bounce names the address that the mail went to.
    reports = col(MailIn.reason).like("bounce of mail%") | col(MailIn.reason).like("delay of mail%")
    change(session, MailIn, mails.named_in, reports, reason="bounce: forgotten")
    change(session, MailIn, ids, col(MailIn.sender).not_in(list(person.shared)), sender="")
    for address, other in person.shared.items():
        session.execute(update(MailIn).where(col(MailIn.sender) == address).values(player_id=other))
    return len(ids)


def _empty_sent(app: App, session: Session, mails: _Mails) -> int:
    """Empty the mails to them, and drop the failed ones, which the GM could otherwise retry."""
    ids = mails.sent_out
    failed = col(MailOut.status).in_(NOT_DELIVERED)
    for some in in_chunks(ids | mails.named_out):
        for row in session.exec(select(MailOut).where(col(MailOut.id).in_(some), failed)).all():
            row.status = "dropped"
            settle_about(app, session, row, "forgotten")
    session.flush()
    change(session, MailOut, ids | mails.named_out, raw=None)
    change(session, MailOut, ids, address="", subject="", error="")
    strangers = session.exec(select(MailOut.id).where(col(MailOut.player_id).is_(None))).all()
    for mail_id in ids.intersection(strangers):  # their key holds the address
        change(session, MailOut, [mail_id], recipient=f"forgotten {mail_id}")
    return len(ids)


def _clean_sheets(session: Session, person: _Person) -> None:
    """Remove the lines that name whose a block is; the lines with the move stay."""
    for sheet_id, owner, lines in session.exec(select(Sheet.id, Sheet.player_id, Sheet.lines)).all():
        if (kept := person.traces.kept_lines(lines, own=owner == person.player.id)) != lines:
            change(session, Sheet, [sheet_id], lines=kept)
    for row in session.exec(select(AdvanceMove)).all():
        own = row.player_id == person.player.id
        if (blocks := [person.traces.kept_lines(lines, own=own) for lines in row.blocks]) != row.blocks:
            change(session, AdvanceMove, [row.id], blocks=blocks)


# -- questions ---------------------------------------------------------------------------------------------------------


def _clean(app: App, session: Session, person: _Person, mails: _Mails, question: Question) -> bool:
    """Remove their words from a question, to them or to others; returns whether it was to them."""
    own = question.player_id == person.player.id or question.address in person.own
    quoting = own or question.mail_id in mails.sent_in
    payload = _cleaned(question.payload, person, own=own)
    if quoting and "text" in payload:
        payload["text"] = payload.get("word") or " ".join(payload.get("words", ()))
    if quoting and "beside" in payload:
        payload["beside"] = ""
    if payload != question.payload:
        question.payload = payload
    if question.address and access.is_called(person.player, question.answer):
        question.answer = NOBODY
    if own:
        _close(app, session, question)
    session.add(question)
    return own


def _close(app: App, session: Session, question: Question) -> None:
    """Settle a question that nobody will answer. One that the GM has to decide about a running game stays open."""
    game = session.get(Game, question.game_id) if question.game_id else None
    is_the_games = not question.address and game is not None and game.status in ("running", "provisional")
    if question.answered_at is None and not is_the_games:
        questions.close(app, session, question, "forgotten")
    if question.address:
        question.address = NO_ADDRESS
    if question.kind == question_queries.FORGET and question.answer == question_queries.WANTED:
        question.answer = question_queries.ERASED


def _cleaned(value: Any, person: _Person, *, own: bool, key: str = "") -> Any:
    """Remove their name and addresses from a question's payload, but not from words of a game."""
    if isinstance(value, dict):
        return {name: _cleaned(item, person, own=own, key=name) for name, item in value.items()}
    if key == "lines" and isinstance(value, list):
        return person.traces.kept_lines(value, own=own)
    if isinstance(value, list | tuple):
        return [_cleaned(item, person, own=own, key=key) for item in value]
    if not isinstance(value, str) or key in ("word", "words"):
        return value
    if key == "offers":  # words of a command; a word to rule on may be a name by chance
        return person.called if value in person.names else person.traces.without_addresses(value)
    return person.traces.scrub(value)


# -- what is left ------------------------------------------------------------------------------------------------------


def _next_nobody(session: Session) -> str:
    called, number = NOBODY, 2
    while player_queries.player_named(session, called):
        called, number = f"{NOBODY} {number}", number + 1
    return called


def _make_nobody(session: Session, person: _Person) -> Sequence[str]:
    """Remove the name; returns the running games in which their seat is empty."""
    player = person.player
    players.forget_former_names(session, player.id)
    for seat in session.exec(select(Seat).join(Game).where(Seat.player_id == player.id, Game.status == "open")).all():
        session.delete(seat)
    player.name, player.name_key = NOBODY, name_key_of(person.called)
    player.language, player.digest, player.calendar, player.name_form, player.bundle = "", "off", False, "", ""
    session.add(player)
    session.flush()
    rows = select(Game.name).join(Question).where(
        Question.player_id == player.id, or_(Question.kind == VACANCY, Question.kind == "resigned"),
        col(Question.answered_at).is_(None), Game.status == "running",
    )  # fmt: skip
    return sorted(session.exec(rows.distinct()))


def _tell_gm(app: App, session: Session, person: _Person, empty_seats: Sequence[str]) -> None:
    """Tell the GM that somebody was forgotten, with the commands that fill the empty seats."""
    commands = (("NAME", "ADDRESS"), ("--none",))
    offers = [("standby", game, person.called, *rest) for game in empty_seats for rest in commands]
    about = About(player=person.player)
    gm_list.tell(app, session, "forgotten", ", ".join(empty_seats), about, offers, names=person.called)
