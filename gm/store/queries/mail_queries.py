"""Queries for mails: what came in and what became of it, what goes out and what was sent."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from importlib import import_module
from typing import Final, NamedTuple, Protocol

import sqlalchemy as sa
from sqlalchemy import bindparam, update
from sqlmodel import Session, and_, col, func, or_, select

from games.api import say
from gm.runtime.errors import Refused
from gm.store.chunks import CHUNK_SIZE, in_chunks
from gm.store.tables import Address, Game, MailIn, MailOut, Question

_IS_QUEUED: Final = select(col(MailOut.id)).where(
    MailOut.cause == bindparam("cause"), MailOut.kind == bindparam("kind"), MailOut.recipient == bindparam("recipient")
)

_QUEUED_FOR: Final = select(col(MailOut.kind), col(MailOut.recipient)).where(MailOut.cause == bindparam("cause"))

PUT_ASIDE: Final = ("quarantined", "waiting")
"""The statuses of a mail that may still become a move, once the GM or its sender has decided."""
PUT_OFF: Final = "put off"
"""The status of a stranger's mail that is handled later, because too many were answered in this hour."""
UNFETCHED: Final = "unfetched"
"""The status of a mail that the server lists and doesn't hand out. It has no text and no sender."""
NEVER_FETCHED: Final = "dropped"
"""The status of such a mail that the GM has let go of."""
WITHOUT_TEXT: Final = (UNFETCHED, NEVER_FETCHED)
"""The statuses of a mail of which nothing but its place is known; it stays in its folder."""
UNSETTLED: Final = (*PUT_ASIDE, PUT_OFF, UNFETCHED)
"""The statuses of a mail that was looked at, and of which nothing is decided."""
LEFT_OUT: Final = "left out"
"""The status of an outgoing mail that a rate limit kept back: it has no text, and its summary deletes the row."""

DROPPED: Final = "dropped by the GM"
"""How `reason` begins where the GM has discarded a mail."""
FORGED: Final = "forged sender"
"""The beginning of `reason` where a mail was ignored because a trusted server found it forged."""
NOT_THEIRS: Final = "the registered address says that it isn't theirs"
NOBODY_VOUCHED: Final = "nobody vouched for it in time"
"""Why a mail without proof was refused."""


class FetchedMail(Protocol):
    """A mail as it was fetched; of a very large one `raw` is the beginning."""

    @property
    def uid(self) -> int: ...
    @property
    def uidvalidity(self) -> int: ...
    @property
    def received_at(self) -> datetime: ...
    @property
    def raw(self) -> bytes: ...
    @property
    def size(self) -> int: ...


def is_queued(session: Session, cause: str, kind: str, recipient: str) -> bool:
    """Return whether this mail was queued (or sent) already."""
    session.flush()
    found = session.connection().execute(_IS_QUEUED, {"cause": cause, "kind": kind, "recipient": recipient})
    return found.first() is not None


def queued_for(session: Session, cause: str) -> set[tuple[str, str]]:
    """List what was queued (or sent) for this cause, by kind and recipient."""
    session.flush()
    rows = session.connection().execute(_QUEUED_FOR, {"cause": cause})
    return {(kind, recipient) for kind, recipient in rows}


def queued_to(session: Session, cause: str, kind: str, recipients: Sequence[str]) -> set[str]:
    """Find those of these recipients for whom this mail was queued (or sent) already."""
    rows = select(MailOut.recipient).where(MailOut.cause == cause, MailOut.kind == kind)
    return set(session.exec(rows.where(col(MailOut.recipient).in_(recipients))))


def mark_sending(session: Session, ids: Collection[int], *, is_sending: bool) -> None:
    """Note that queued mails are handed to the server now, or that they were not after all."""
    rows = update(MailOut).where(col(MailOut.id).in_(ids), col(MailOut.status) == "queued").values(sending=is_sending)
    session.execute(rows, execution_options={"synchronize_session": False})


_SENT: Final = (
    update(MailOut.__table__)  # type: ignore[attr-defined]
    .where(col(MailOut.id) == bindparam("row_id"))
    .values(
        status="sent", sent_at=bindparam("at"), sending=False, attempts=col(MailOut.attempts) + 1, error=""
    )
)  # fmt: skip


def note_sent(session: Session, sent: Mapping[int, datetime]) -> None:
    """Write down which mails a server has taken, and when."""
    if sent:
        session.connection().execute(_SENT, [{"row_id": mail_id, "at": at} for mail_id, at in sent.items()])


def last_delivery(session: Session) -> datetime | None:
    """Return when a server last took a mail of ours."""
    return session.exec(select(func.max(MailOut.sent_at))).one()


def is_ours(session: Session, message_id: str) -> bool:
    """Return whether we made this Message-ID."""
    return session.exec(select(MailOut.id).where(MailOut.message_id == message_id)).first() is not None


_SENT_TO: Final = sa.select(col(MailOut.kind), col(MailOut.created_at)).where(
    col(MailOut.address) == bindparam("address"), col(MailOut.created_at) > bindparam("since"),
    col(MailOut.status) != LEFT_OUT,
)  # fmt: skip


def sent_to(session: Session, address: str, since: datetime) -> Sequence[tuple[str, datetime]]:
    """List the mails to an address since then, by kind and time, without those that were left out."""
    session.flush()
    found = session.connection().execute(_SENT_TO, {"address": address, "since": since})
    return [(kind, at) for kind, at in found]


def addresses_with_left_out(session: Session, instant: datetime) -> Sequence[str]:
    """List the addresses for which a mail was left out by then, without a summary so far."""
    rows = select(MailOut.address).where(MailOut.status == LEFT_OUT, col(MailOut.created_at) <= instant)
    return session.exec(rows.distinct().order_by(MailOut.address)).all()


def left_out_mails(session: Session, address: str) -> Sequence[MailOut]:
    """List the mails that were left out for an address, the oldest first."""
    rows = select(MailOut).where(MailOut.status == LEFT_OUT, MailOut.address == address)
    return session.exec(rows.order_by(col(MailOut.id))).all()


def mails_behind(session: Session, causes: Iterable[str]) -> Sequence[MailIn]:
    """List the received mails that causes of outgoing ones name (`mail:12`), in order of arrival."""
    ids = [int(number) for sort, _, number in (cause.partition(":") for cause in causes) if sort == "mail"]
    return session.exec(select(MailIn).where(col(MailIn.id).in_(ids)).order_by(col(MailIn.id))).all()


def mail_behind(session: Session, sent: MailOut) -> MailIn | None:
    """Return the received mail that one of ours answers, or asks about."""
    sort, _, number = sent.cause.partition(":")
    if sort == "question" and (question := session.get(Question, int(number))) and question.mail_id:
        return session.get(MailIn, question.mail_id)
    return session.get(MailIn, int(number)) if sort == "mail" else None


def refused_mail(session: Session, game: Game, player_id: int, since: datetime) -> MailIn | None:
    """Return the last of a player's mails about a game since then that was refused."""
    answers = select(MailOut.cause).where(
        MailOut.game_id == game.id, MailOut.player_id == player_id, col(MailOut.created_at) >= since,
        col(MailOut.cause).startswith("mail:"),
    )  # fmt: skip
    refused = [mail for mail in mails_behind(session, session.exec(answers).all()) if mail.status == "refused"]
    return refused[-1] if refused else None


def answers_to_strangers(session: Session, since: datetime, priority: int) -> int:
    """Count the mails of a priority to strangers that were sent since then, or are queued."""
    mails = select(func.count(col(MailOut.id))).where(col(MailOut.player_id).is_(None), MailOut.priority == priority)
    sent = session.exec(mails.where(col(MailOut.sent_at) > since)).one()
    return sent + session.exec(mails.where(MailOut.status == "queued")).one()


def stored_uids(session: Session, folder: str, uidvalidity: int, uids: Collection[int]) -> dict[int, str]:
    """Find those of these mails of a folder that are stored already, each with its status."""
    found: dict[int, str] = {}
    for some in in_chunks(uids):
        rows = select(MailIn.uid, MailIn.status).where(
            MailIn.folder == folder, MailIn.uidvalidity == uidvalidity, col(MailIn.uid).in_(some)
        )
        found.update(dict(session.exec(rows).all()))
    return found


def unfetched(session: Session, folder: str = "") -> Sequence[MailIn]:
    """List the mails of a folder, or of all, that can't be fetched; the one tried longest ago comes first."""
    rows = select(MailIn).where(MailIn.status == UNFETCHED).order_by(col(MailIn.handled_at), col(MailIn.id))
    return session.exec(rows.where(MailIn.folder == folder) if folder else rows).all()


def find_mail(session: Session, mail_id: str) -> MailIn | MailOut:
    """Find a mail by the id that `gm mail list` shows: 12, or o12 for an outgoing one. Raises Refused."""
    wanted = mail_id.strip().lower()  # phones begin a line with a capital
    number = wanted.removeprefix("o")
    key = int(number) if number.isascii() and number.isdigit() and len(number) < 15 else -1
    row = session.get(MailOut, key) if wanted.startswith("o") else session.get(MailIn, key)
    if row is None:
        raise Refused(say("mail_queries.no_mail", mail=mail_id))
    return row


_ARRIVAL: Final = (col(MailIn.received_at), col(MailIn.uid), col(MailIn.id))


def store_mails(session: Session, folder: str, mails: Sequence[FetchedMail]) -> list[int]:
    """Store mails as they came, without those that are stored already; returns the others in order of arrival."""
    if not mails:
        return []
    texts = ("content", "message_id", "written", "sender", "subject", "reason")
    blank = {**dict.fromkeys(texts, ""), "attempts": 0, "begun": False}
    rows = [
        {"folder": folder, "uidvalidity": mail.uidvalidity, "uid": mail.uid, "raw": mail.raw, "size": mail.size,
         "received_at": mail.received_at, "status": "new", **blank}
        for mail in mails
    ]  # fmt: skip
    # Loaded here: loading the dialect of the other kind of database would cost each command of `gm` 25 ms.
    dialect = import_module(f"sqlalchemy.dialects.{session.get_bind().dialect.name}")
    added = dialect.insert(MailIn).on_conflict_do_nothing().returning(*_ARRIVAL)
    return [mail_id for *_, mail_id in sorted(session.connection().execute(added, rows))]


def new_mails(session: Session) -> Sequence[int]:
    """List the new mails in order of arrival."""
    return session.exec(select(MailIn.id).where(MailIn.status == "new").order_by(*_ARRIVAL)).all()


class ToHandle(NamedTuple):
    """What is stored and not yet handled, and what of a folder is stored."""

    new: Sequence[int]
    """The new mails in order of arrival."""
    has_put_off: bool
    has_unfetched: bool
    stored: dict[int, str]
    """Those of the mails that were asked about, by UID with their status."""


def to_handle(session: Session, folder: str = "", uidvalidity: int = 0, uids: Collection[int] = ()) -> ToHandle:
    """Look what is still to be handled, and which mails of a folder are stored, mostly with one statement.

    Of the mails that are put off one is looked for, however many there are.
    """
    one_put_off = select(func.min(MailIn.id)).where(MailIn.status == PUT_OFF).scalar_subquery()
    is_left = or_(col(MailIn.status).in_(("new", UNFETCHED)), col(MailIn.id) == one_put_off)
    is_asked = and_(MailIn.folder == folder, MailIn.uidvalidity == uidvalidity, col(MailIn.uid).in_(uids))
    is_few = 0 < len(uids) <= CHUNK_SIZE
    place = (col(MailIn.folder), col(MailIn.uidvalidity))
    rows = sa.select(col(MailIn.id), col(MailIn.status), *place, col(MailIn.uid))
    rows = rows.where(or_(is_left, is_asked) if is_few else is_left)
    found = session.connection().execute(rows.order_by(*_ARRIVAL)).all()
    here = {uid: status for _, status, *where, uid in found if where == [folder, uidvalidity]}
    statuses = {row[1] for row in found}
    return ToHandle(
        new=[row[0] for row in found if row[1] == "new"], has_put_off=PUT_OFF in statuses,
        has_unfetched=UNFETCHED in statuses,
        stored=here if is_few or not uids else stored_uids(session, folder, uidvalidity, uids),
    )  # fmt: skip


def still_new(session: Session, mail_id: int) -> MailIn | None:
    """Load a mail if it is still new."""
    return session.exec(select(MailIn).where(MailIn.id == mail_id, MailIn.status == "new")).first()


_BEGIN: Final = (
    update(MailIn)
    .where(col(MailIn.id) == bindparam("mail"), col(MailIn.status) == "new")
    .values(begun=True)
    .returning(MailIn)
    .execution_options(synchronize_session=False)
)  # fmt: skip


def begin(session: Session, mail_id: int) -> MailIn | None:
    """Mark a mail as begun; returns it, or None if it isn't new any more."""
    return session.scalars(_BEGIN, {"mail": mail_id}).first()


def is_any_begun(session: Session) -> bool:
    """Return whether a new mail is marked as begun."""
    return session.exec(select(MailIn.id).where(MailIn.status == "new", MailIn.begun).limit(1)).first() is not None


def note_not_begun(session: Session, mail_id: int) -> None:
    """Take such a mark away: what kept the mail from being handled is no fault of its own."""
    session.execute(update(MailIn).where(col(MailIn.id) == mail_id).values(begun=False))


def count_ended(session: Session) -> Sequence[MailIn]:
    """Count one more attempt for the mails that are marked as begun and still new; returns them."""
    rows = update(MailIn).where(col(MailIn.status) == "new", col(MailIn.begun))
    return session.scalars(rows.values(attempts=col(MailIn.attempts) + 1).returning(MailIn)).all()


def last_put_off_mail(session: Session) -> MailIn | None:
    """Find the last of the mails that were put off."""
    rows = select(MailIn).where(MailIn.status == PUT_OFF).order_by(*(column.desc() for column in _ARRIVAL))
    return session.exec(rows.limit(1)).first()


def is_put_off_before(session: Session, mail: MailIn) -> bool:
    """Return whether a mail was put off that arrived before this one."""
    rows = select(MailIn.id).where(MailIn.status == PUT_OFF, col(MailIn.received_at) < mail.received_at)
    return session.exec(rows.limit(1)).first() is not None


def release_put_off(session: Session, most: int) -> list[int]:
    """Make the oldest mails that were put off new again; returns them, in order of arrival."""
    rows = session.exec(select(MailIn).where(MailIn.status == PUT_OFF).order_by(*_ARRIVAL).limit(most)).all()
    for row in rows:
        row.status, row.attempts = "new", 0
    return [row.id for row in rows]


def first_new_at(session: Session) -> datetime | None:
    """Return when the first of the new mails arrived."""
    rows = select(MailIn.received_at).where(MailIn.status == "new").order_by(col(MailIn.received_at))
    return session.exec(rows.limit(1)).first()


def last_unsettled_at(session: Session) -> datetime | None:
    """Return when the last of the mails arrived that wait for the GM, their sender, another hour or their server."""
    last = select(func.max(MailIn.received_at))
    each = (last.where(MailIn.status == status).scalar_subquery() for status in UNSETTLED)  # each by the index
    return max(filter(None, session.execute(sa.select(*each)).one()), default=None)


class UnsettledMail(NamedTuple):
    """A mail of which nothing is decided: what it is, and whose."""

    id: int
    status: str
    sender: str
    player_id: int | None


def unsettled_mails(
    session: Session, since: datetime, until: datetime, by: Collection[int] = ()
) -> list[UnsettledMail]:
    """List these players' mails that came in between and wait for a decision; without players, those of nobody.

    The index has all that is asked here: however many mails by others lie there, none of their rows is read.
    """
    theirs = select(Address.address).where(col(Address.player_id).in_(by))
    is_wanted = or_(col(MailIn.sender).in_(theirs), col(MailIn.player_id).in_(by)) if by else MailIn.sender == ""
    rows = select(MailIn.id, MailIn.status, MailIn.sender, MailIn.player_id).where(
        col(MailIn.status).in_(UNSETTLED), col(MailIn.received_at) > since, col(MailIn.received_at) <= until, is_wanted
    )  # fmt: skip
    return [UnsettledMail(*row) for row in session.exec(rows.order_by(col(MailIn.id)))]


_RESULT_COLUMNS: Final = (
    "message_id", "written", "sender", "subject", "content", "player_id", "status", "reason", "handled_at"
)  # fmt: skip


_NOTE_RESULT: Final = (
    update(MailIn.__table__)  # type: ignore[attr-defined]
    .where(col(MailIn.id) == bindparam("mail"), col(MailIn.begun))
    .values({**{name: bindparam(f"new_{name}") for name in _RESULT_COLUMNS}, "begun": False})
)  # fmt: skip


def note_result(session: Session, row: MailIn) -> bool:
    """Write down what became of a mail that was begun; returns whether nobody else has ended it."""
    result = {f"new_{name}": getattr(row, name) for name in _RESULT_COLUMNS}
    return bool(session.connection().execute(_NOTE_RESULT, {"mail": row.id, **result}).rowcount)


_IS_SAME: Final = and_(MailIn.message_id == bindparam("message_id"), MailIn.content == bindparam("content"))
_IS_OF_SECOND: Final = and_(
    MailIn.written == bindparam("written"), col(MailIn.sender).in_(bindparam("writers", expanding=True))
)
_KNOWN: Final = [
    select(MailIn).where(alike, MailIn.status != "new").order_by(col(MailIn.id))
    for alike in (_IS_SAME, or_(_IS_SAME, _IS_OF_SECOND))
]


def may_be_known(session: Session, row: MailIn, writers: Collection[str]) -> Sequence[MailIn]:
    """List the handled mails that one may be once more, the oldest first.

    They have its Message-ID and content, or its Date and one of the writers as their sender.
    """
    same = {"message_id": row.message_id, "content": row.content}
    if row.written:
        return session.exec(_KNOWN[True], params={**same, "written": row.written, "writers": list(writers)}).all()
    return session.exec(_KNOWN[False], params=same).all()


def count_with_status(session: Session, table: type[MailIn] | type[MailOut], status: str) -> int:
    """Count the received or the outgoing mails with a status."""
    return session.exec(select(func.count(col(table.id))).where(table.status == status)).one()


def count_forged(session: Session, since: datetime) -> int:
    """Count the mails in players' names that a trusted server found forged."""
    rows = select(func.count(col(MailIn.id))).where(
        MailIn.status == "ignored", col(MailIn.received_at) > since, col(MailIn.player_id).is_not(None),
        col(MailIn.reason).startswith(FORGED),
    )  # fmt: skip
    return session.exec(rows).one()


def count_mails(session: Session) -> dict[str, int]:
    """Count received mails by status and outgoing ones by theirs (`out queued`)."""
    received = session.exec(select(MailIn.status, func.count()).group_by(MailIn.status)).all()
    outgoing = session.exec(select(MailOut.status, func.count()).group_by(MailOut.status)).all()
    return {**dict(sorted(received)), **{f"out {status}": number for status, number in sorted(outgoing)}}


def causes_lately(session: Session, kind: str, beginning: str, now: datetime) -> int:
    """Count the different causes of mails of a kind within a day; all begin with the same words."""
    rows = select(func.count(func.distinct(col(MailOut.cause)))).where(
        MailOut.kind == kind, col(MailOut.cause).startswith(beginning, autoescape=True),
        col(MailOut.created_at) > now - timedelta(days=1),
    )  # fmt: skip
    return session.exec(rows).one()
