"""The log of mails for the GM: all of them in short, and one as it came or went."""

from typing import Any

from sqlalchemy import select
from sqlmodel import Session, col
from sqlmodel import select as sqlmodel_select

from gm.app.context import App, local_iso
from gm.store.queries import mail_queries
from gm.store.queries.mail_queries import find_mail
from gm.store.tables import Game, MailIn, MailOut, Sheet
from parsers.errors import MailError
from parsers.mime.keys import take_keys
from parsers.mime.message import read_mail


def mails(app: App, session: Session, status: str | None) -> list[dict[str, Any]]:
    """List mails, received and outgoing, by time."""
    inward = (MailIn.id, MailIn.received_at, MailIn.status, MailIn.sender, MailIn.subject, MailIn.reason)
    outward = (MailOut.id, MailOut.created_at, MailOut.status, MailOut.address, MailOut.subject, MailOut.error)
    rows = [
        (prefix, *row) for prefix, columns in (("", inward), ("o", outward)) for row in _rows(session, columns, status)
    ]
    rows.sort(key=lambda row: (row[2], row[0]))
    return [
        {
            "id": f"{kind}{number}",
            "when": local_iso(app, when),
            "status": state,
            "who": who,
            "subject": subject,
            "why": why,
        }
        for kind, number, when, state, who, subject, why in rows
    ]


def _rows(session: Session, columns: tuple[Any, ...], status: str | None) -> list[tuple[Any, ...]]:
    wanted = select(*columns).order_by(columns[0])
    if status:
        wanted = wanted.where(columns[2] == status)
    return [tuple(row) for row in session.connection().execute(wanted)]


def one_mail(session: Session, mail_id: str, raw: bool) -> str:
    """Give a mail as a person reads it, or as it came or went, headers and all. Raises Refused."""
    row = find_mail(session, mail_id)
    content = row.raw or b""
    if row.raw_hash and not content:
        return "\n".join([*_head(row), f"Subject: {row.subject}", *_sent_for(session, row), "", *_proof(session, row)])
    if raw:
        return content.decode("utf-8", "replace").replace("\r\n", "\n")
    try:
        text = read_mail(content).text
    except MailError as error:
        text = f"({error}; --raw shows it as it came)"
    if isinstance(row, MailOut):
        text = take_keys(text)[0]  # for its recipient's eyes only
    return "\n".join([*_head(row), f"Subject: {row.subject}", *_sent_for(session, row), "", text])


def _proof(session: Session, row: MailIn | MailOut) -> list[str]:
    """List what is left of a mail that was pruned: the moves it brought, and what identifies a copy of it."""
    lines = [f"Message-ID: {row.message_id}", f"SHA-256 of its bytes: {row.raw_hash}"]
    if isinstance(row, MailOut):
        return ["Its text was taken away by `gm mail prune`.", *lines]
    sheets = session.exec(
        sqlmodel_select(Sheet, Game.name).join(Game).where(Sheet.mail_id == row.id).order_by(col(Sheet.id))
    ).all()
    moves = [line for sheet, name in sheets for line in ("", f"{name}, round {sheet.round}, seat {sheet.seat}:",
                                                         *sheet.lines)]  # fmt: skip
    size = [f"Bytes: {row.size}", f"SHA-256 of sender, subject and text: {row.content}"]
    return ["Its text was taken away by `gm mail prune`; moves are kept.", *lines, *size, *moves]


def _head(row: MailIn | MailOut) -> list[str]:
    if isinstance(row, MailIn):
        status, who, when = f"{row.status}: {row.reason}", f"From: {row.sender}", row.received_at
    else:
        status, who, when = f"{row.status}: {row.error}", f"To: {row.address}", row.created_at
    return [f"Status: {status}".rstrip(": "), who, f"Time: {when:%Y-%m-%d %H:%M:%S} UTC"]


def _sent_for(session: Session, row: MailIn | MailOut) -> list[str]:
    """List the mails that a received one has caused: an answer says why it was refused."""
    if isinstance(row, MailOut):
        return []
    sent = select(MailOut.id, MailOut.subject).where(  # type: ignore[call-overload]
        MailOut.cause == f"mail:{row.id}", MailOut.status != mail_queries.LEFT_OUT
    ).order_by(MailOut.id)  # fmt: skip
    return [f"Sent: o{number}, {subject}" for number, subject in session.connection().execute(sent)]
