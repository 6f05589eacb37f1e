"""The log of mails for the GM: all of them in short, and one as it came or went."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, or_, select
from sqlmodel import Session, col
from sqlmodel import select as sqlmodel_select

from gm.app.context import App, local_iso
from gm.store.queries import mail_queries
from gm.store.queries.mail_queries import find_mail
from gm.store.tables import Game, MailIn, MailOut, Player, Sheet, name_key_of
from parsers.errors import MailError
from parsers.mime.message import read_mail


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """Which mails of the log are listed."""

    most: int = 0
    """So many of the newest ones; 0 for all."""
    status: str | None = None
    since: datetime | None = None
    search: str = ""
    """What stands in the address, the subject or the player's name."""


def mails(app: App, session: Session, wanted: Wanted) -> list[dict[str, Any]]:
    """List mails, received and outgoing, the newest last."""
    inward = (MailIn.id, MailIn.received_at, MailIn.status, MailIn.sender, MailIn.subject, MailIn.reason)
    outward = (MailOut.id, MailOut.created_at, MailOut.status, MailOut.address, MailOut.subject, MailOut.error)
    rows = [
        (prefix, *row)
        for prefix, table, columns in (("", MailIn, inward), ("o", MailOut, outward))
        for row in _rows(session, table, columns, wanted)
        if wanted.since is None or row[1] >= wanted.since
    ]
    rows.sort(key=lambda row: (row[2], row[0], row[1]))
    shown = rows[-wanted.most :]
    return [
        {
            "id": f"{kind}{number}",
            "when": local_iso(app, when),
            "status": state,
            "who": who,
            "subject": subject,
            "why": why,
        }
        for kind, number, when, state, who, subject, why in shown
    ]


def _rows(
    session: Session, table: type[MailIn] | type[MailOut], columns: tuple[Any, ...], wanted: Wanted
) -> list[tuple[Any, ...]]:
    """Read the newest mails of one direction.

    Received ones are found by when they came. Outgoing ones are read by id, in the order in which they were written:
    their other columns lie behind their bytes, and reading these for a whole table takes long.
    """
    address = MailIn.sender if table is MailIn else MailOut.address
    newest = (col(MailIn.received_at).desc(), col(MailIn.id).desc()) if table is MailIn else (col(MailOut.id).desc(),)
    rows = select(*columns).order_by(*newest)
    if wanted.most:
        rows = rows.limit(wanted.most)
    if wanted.status:
        rows = rows.where(col(table.status) == wanted.status)
    if wanted.since and table is MailIn:
        rows = rows.where(col(MailIn.received_at) >= wanted.since)
    if wanted.search:
        named = select(col(Player.id)).where(col(Player.name_key).contains(name_key_of(wanted.search), autoescape=True))
        found: list[ColumnElement[bool]] = [col(table.player_id).in_(named)]
        # SQLite folds the case of A to Z alone.
        for text in {wanted.search, wanted.search.lower(), wanted.search.upper(), wanted.search.capitalize()}:
            found += [col(one).icontains(text, autoescape=True) for one in (address, table.subject)]
        rows = rows.where(or_(*found))
    return [tuple(row) for row in session.connection().execute(rows)]


def one_mail(app: App, session: Session, mail_id: str, raw: bool) -> str:
    """Give a mail as a person reads it, or as it came or went, headers and all. Raises Refused."""
    row = find_mail(session, mail_id)
    content = row.raw or b""
    if row.raw_hash and not content:
        return "\n".join([*_head(app, session, row), "", *_proof(session, row)])
    if raw:
        return content.decode("utf-8", "replace").replace("\r\n", "\n")
    try:
        text = read_mail(content).text
    except MailError as error:
        text = f"({error}; --raw shows it as it came)"
    return "\n".join([*_head(app, session, row), "", text])


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


def _head(app: App, session: Session, row: MailIn | MailOut) -> list[str]:
    """Write what the log knows of a mail: what became of it, whose it is, when it came or went, what answered it."""
    received = isinstance(row, MailIn)
    said, address = (row.reason, row.sender) if isinstance(row, MailIn) else (row.error, row.address)
    player = session.get(Player, row.player_id) if row.player_id else None
    game = session.get(Game, row.game_id) if isinstance(row, MailOut) and row.game_id else None
    when = row.received_at if isinstance(row, MailIn) else row.created_at
    return [
        f"Status: {row.status}{f': {said}' if said else ''}",
        f"{'From' if received else 'To'}: {address}{f' ({player.name})' if player else ''}",
        f"Time: {when.astimezone(app.settings.service.timezone):%Y-%m-%d %H:%M:%S}",
        *([f"Game: {game.name}"] if game else []),
        f"Subject: {row.subject}",
        *_sent_for(session, row),
    ]


def _sent_for(session: Session, row: MailIn | MailOut) -> list[str]:
    """List the mails that a received one has caused: an answer says why it was refused."""
    if isinstance(row, MailOut):
        return []
    sent = select(MailOut.id, MailOut.subject).where(  # type: ignore[call-overload]
        MailOut.cause == f"mail:{row.id}", MailOut.status != mail_queries.LEFT_OUT
    ).order_by(MailOut.id)  # fmt: skip
    return [f"Sent: o{number}, {subject}" for number, subject in session.connection().execute(sent)]
