"""The log of mails for the GM: all of them in short, and one as it came or went."""

from datetime import datetime
from typing import Any, Final

from sqlalchemy import ColumnElement, or_, select
from sqlmodel import Session, col
from sqlmodel import select as sqlmodel_select

from games.api import Language
from gm.app.context import App, local_iso
from gm.game import gm_visibility
from gm.messages.outgoing import Part
from gm.messages.rendering.dates import write_date
from gm.store.queries import mail_queries
from gm.store.queries.mail_queries import find_mail
from gm.store.tables import Game, MailIn, MailOut, Player, Sheet
from parsers.errors import MailError
from parsers.invisible import fold_name
from parsers.mime.decoding import rough_text
from parsers.mime.message import below_head, read_mail

MOST_READ: Final = 64 * 1024
"""So many bytes of a mail are shown where its structure can't be read."""


def mails(
    app: App, session: Session, *, most: int = 0, status: str | None = None, since: datetime | None = None,
    search: str = "",
) -> list[dict[str, Any]]:  # fmt: skip
    """List mails, received and outgoing, the newest last: so many of the newest ones, or with 0 all.

    `search` is what stands in the address, the subject or the player's name.
    """
    inward = (MailIn.id, MailIn.received_at, MailIn.status, MailIn.sender, MailIn.subject, MailIn.reason)
    outward = (MailOut.id, MailOut.created_at, MailOut.status, MailOut.address, MailOut.subject, MailOut.error)
    rows = [
        (prefix, *row)
        for prefix, table, columns in (("", MailIn, inward), ("o", MailOut, outward))
        for row in _rows(session, table, columns, most, status, since, search)
        if since is None or row[1] >= since
    ]
    rows.sort(key=lambda row: (row[2], row[0], row[1]))
    shown = rows[-most:]
    kept = gm_visibility.kept_among(app, session, ((f"{row[1]}", row[2]) for row in shown if not row[0]))
    return [
        {
            "id": f"{kind}{number}",
            "when": local_iso(app, when),
            "status": state,
            "who": who,
            "subject": "" if f"{kind}{number}" in kept else subject,
            "why": why,
        }
        for kind, number, when, state, who, subject, why in shown
    ]


def _rows(
    session: Session, table: type[MailIn] | type[MailOut], columns: tuple[Any, ...], most: int, status: str | None,
    since: datetime | None, search: str,
) -> list[tuple[Any, ...]]:  # fmt: skip
    """Read the newest mails of one direction.

    Received ones are found by when they came. Outgoing ones are read by id, in the order in which they were written:
    their other columns lie behind their bytes, and reading these for a whole table takes long.
    """
    address = MailIn.sender if table is MailIn else MailOut.address
    newest = (col(MailIn.received_at).desc(), col(MailIn.id).desc()) if table is MailIn else (col(MailOut.id).desc(),)
    rows = select(*columns).order_by(*newest)
    if most:
        rows = rows.limit(most)
    if status:
        rows = rows.where(col(table.status) == status)
    if since and table is MailIn:
        rows = rows.where(col(MailIn.received_at) >= since)
    if search:
        named = select(col(Player.id)).where(col(Player.name_key).contains(fold_name(search), autoescape=True))
        found: list[ColumnElement[bool]] = [col(table.player_id).in_(named)]
        # SQLite folds the case of A to Z alone.
        for text in {search, search.lower(), search.upper(), search.capitalize()}:
            found += [col(one).icontains(text, autoescape=True) for one in (address, table.subject)]
        rows = rows.where(or_(*found))
    return [tuple(row) for row in session.connection().execute(rows)]


def one_mail(app: App, session: Session, mail_id: str, raw: bool) -> str:
    """Give a mail as a person reads it, or as it came or went, headers and all. Raises Refused.

    Of one that is yet to be decided on, and that a GM who plays may not read: sender, time and fault.
    """
    row = find_mail(session, mail_id)
    if isinstance(row, MailIn) and row.status not in ("applied", "refused"):
        for game in gm_visibility.games_kept_from(app, session, row)[:1]:
            return "\n".join(
                [*_sender_time_and_fault(app, session, row), "", gm_visibility.why_kept(app, session, row, game)]
            )
    gm_visibility.check_mail(app, session, mail_id)
    content = row.raw or b""
    if isinstance(row, MailIn) and row.status in mail_queries.WITHOUT_TEXT:
        return "\n".join([*_head(app, session, row), "", "The mail server doesn't hand it out."])
    if row.raw_hash and not content:
        return "\n".join([*_head(app, session, row), "", *_proof(session, row)])
    if raw:
        return content.decode("utf-8", "replace").replace("\r\n", "\n")
    try:
        text = read_mail(content).text
    except MailError as error:
        text = f"({error}; --raw shows it as it came)"
    return "\n".join([*_head(app, session, row), "", text])


def mail_by_mail(app: App, session: Session, mail_id: str, reader: str, language: Language) -> Part:
    """Make the answer to a GM who asks by mail what a received one says. Raises Refused."""
    row = find_mail(session, mail_id)
    gm_visibility.check_mail(app, session, mail_id, reader)
    who, at = (row.sender, row.received_at) if isinstance(row, MailIn) else (row.address, row.created_at)
    context = {
        "mail": mail_id, "who": who, "at": write_date(at, app.settings.service.timezone, language), "game": "",
        "lines": _text(row).splitlines(),
    }  # fmt: skip
    return Part(template="mail_shown", context=context)


def _text(row: MailIn | MailOut) -> str:
    """Read what a mail says, as well as that goes."""
    from parsers.mime.markup import html_text  # takes 45 ms to load

    content = row.raw or b""
    try:
        mail = read_mail(content)
    except MailError:
        return rough_text(below_head(content)[:MOST_READ])
    return "\n\n".join(mail.texts) or html_text(mail.html)


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
    game = session.get(Game, row.game_id) if isinstance(row, MailOut) and row.game_id else None
    return [
        *_sender_time_and_fault(app, session, row),
        *([f"Game: {game.name}"] if game else []),
        f"Subject: {row.subject}",
        *_sent_for(session, row),
    ]


def _sender_time_and_fault(app: App, session: Session, row: MailIn | MailOut) -> list[str]:
    received = isinstance(row, MailIn)
    said, address = (row.reason, row.sender) if isinstance(row, MailIn) else (row.error, row.address)
    player = session.get(Player, row.player_id) if row.player_id else None
    when = row.received_at if isinstance(row, MailIn) else row.created_at
    return [
        f"Status: {row.status}{f': {said}' if said else ''}",
        f"{'From' if received else 'To'}: {address}{f' ({player.name})' if player else ''}",
        f"Time: {when.astimezone(app.settings.service.timezone):%Y-%m-%d %H:%M:%S}",
    ]


def _sent_for(session: Session, row: MailIn | MailOut) -> list[str]:
    """List the mails that a received one has caused: an answer says why it was refused."""
    if isinstance(row, MailOut):
        return []
    sent = select(MailOut.id, MailOut.subject).where(  # type: ignore[call-overload]
        MailOut.cause == f"mail:{row.id}", MailOut.status != mail_queries.LEFT_OUT
    ).order_by(MailOut.id)  # fmt: skip
    return [f"Sent: o{number}, {subject}" for number, subject in session.connection().execute(sent)]
