"""`Meine Daten`: all that is stored about a player, as one readable file. Nothing of anybody else is in it.

The file is JSON in UTF-8. `format` counts its forms. Each list has the rows of one table, and a field is called as its
column. But `game` and `step` name what a column only numbers, and `mail` is the `id` of a mail in `received_from_you`.
Instants are local. `gm.commands.own_data.columns` says what it has of which table.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final

from sqlalchemy import Row
from sqlmodel import Session, col, or_, select

from games.api import Language
from gm.app.context import App, local_iso
from gm.commands.own_data.columns import IN_FILE, said_to_be_left_out
from gm.commands.own_data.own_mails import Received, mails_from, text_of
from gm.commands.request import Request
from gm.messages.outgoing import Part, gm_name
from gm.messages.rendering.mime import Attachment
from gm.messages.sentences.table import SENTENCES
from gm.players import lookup
from gm.players.shown_names import shown_names
from gm.store.queries import player_queries, question_queries
from gm.store.tables import (
    Address,
    AdvanceMove,
    ArchivedScore,
    Duty,
    Game,
    MailOut,
    Player,
    Press,
    Question,
    Seat,
    Sheet,
    Standby,
    Turn,
    Vacation,
    Watcher,
)
from parsers.commands import commands

FORMAT: Final = 1
MOST_BYTES: Final = 4_000_000
"""The texts of mails are left out, the oldest first, where the file would be larger."""
MOST_MAILS: Final = 5_000
"""So many mails of each direction are listed, the newest."""
MOST_TEXTS, MOST_READ = 300, 5_000_000
"""So many mails, with so many bytes, are read again: it takes no longer than to answer any other mail."""
HIDDEN: Final = "…"
"""In place of a code that still answers a question."""
OWN_WORDS: Final = ("text", "appeal", "extension", "vacation", "resigned", "freed", "late", question_queries.HELD_MOVE)
"""Kinds of entries on the GM's list whose text is the player's own. The others are notes for the GM."""

_LISTS: Final[Mapping[str, type[Any]]] = {
    "addresses": Address, "seats": Seat, "moves": Sheet, "advance_moves": AdvanceMove, "deadlines": Duty,
    "results": ArchivedScore, "press": Press, "vacations": Vacation, "standby": Standby, "watching": Watcher,
}  # fmt: skip
_NAMED: Final = {"game_id": "game", "turn_id": "step", "mail_id": "mail"}


def send_my_data(request: Request, _command: commands.MyData) -> None:
    """Answer with the file, at the registered address. Raises PlayerError where it isn't clear who asks."""
    app, session, player = request.app, request.session, request.find_writer()
    found = everything_about(app, session, player, request.language)
    name = {"de": "meine-daten.json", "en": "my-data.json"}[request.language]
    content = _without_codes(session, player, json.dumps(found, ensure_ascii=False, indent=1)).encode()
    context = {
        "file": name, "gm": gm_name(app), "game": "", "left_out": found["left_out"],
        "counts": _counts(found, request.language),
    }  # fmt: skip
    file = Attachment(name=name, content=content, kind='application/json; charset="utf-8"')
    request.parts.append(Part(template="my_data", context=context, attachment=file))
    request.applied = True


def everything_about(app: App, session: Session, player: Player, language: Language) -> dict[str, Any]:
    """Collect all that is stored about a player, in plain values."""
    write = _Writer(app=app, games=_games(session), steps=_steps(session, player.id))
    received = mails_from(session, player.id, most=MOST_MAILS)
    found: dict[str, Any] = {
        "format": FORMAT,
        "zine": app.settings.service.name,
        "made": local_iso(app, app.now()),
        "left_out": said_to_be_left_out(language),
        "player": {
            **write.fields(player, IN_FILE[Player]),
            "former_names": lookup.former_names(session, player.id),
            "archive_name": shown_names(session, app.settings)[player.id].name,
        },
        **{name: write.rows(session, table, player.id) for name, table in _LISTS.items()},
        "questions": _questions(session, write, player.id),
        "to_the_gm": _words_to_gm(session, write, player.id, {mail.row.id for mail in received}),
        "sent_to_you": _sent(session, write, player.id),
        "received_from_you": [_received(write, mail) for mail in received],
    }
    _add_texts(session, found, received)
    return found


@dataclass(frozen=True, kw_only=True)
class _Writer:
    """Writes rows as they stand in the file."""

    app: App
    games: Mapping[int, str]
    steps: Mapping[int, int]

    def rows(self, session: Session, table: type[Any], player_id: int) -> list[dict[str, Any]]:
        """Write all rows of a table that are a player's, in order."""
        found = session.exec(select(table).where(table.player_id == player_id).order_by(table.id)).all()
        return [self.fields(row, IN_FILE[table]) for row in found]

    def fields(self, row: Any, columns: Sequence[str]) -> dict[str, Any]:
        """Write some columns of a row."""
        return {_NAMED.get(column, column): self._value(column, getattr(row, column)) for column in columns}

    def _value(self, column: str, value: Any) -> Any:
        if column == "game_id":
            return self.games.get(value)
        if column == "turn_id":
            return self.steps.get(value)
        if isinstance(value, datetime):
            return local_iso(self.app, value)
        return value.isoformat() if isinstance(value, date) else value


def _games(session: Session) -> dict[int, str]:
    return dict(session.exec(select(Game.id, Game.name)).all())


def _steps(session: Session, player_id: int) -> dict[int, int]:
    """Number the steps of the games in which a player has, or had, a seat or press."""
    played = select(Seat.game_id).where(Seat.player_id == player_id)
    written = select(Press.game_id).where(Press.player_id == player_id)
    rows = select(Turn.id, Turn.number).where(or_(col(Turn.game_id).in_(played), col(Turn.game_id).in_(written)))
    return dict(session.exec(rows).all())


# -- questions and mails -----------------------------------------------------------------------------------------------


def _questions(session: Session, write: _Writer, player_id: int) -> list[dict[str, Any]]:
    """List what a player was asked. Whose move a couple's was is the other one's business as well."""
    rows = select(Question).where(
        Question.player_id == player_id, Question.address != "", Question.kind != question_queries.WHICH_PLAYER
    )  # fmt: skip
    columns = [name for name in IN_FILE[Question] if name not in ("payload", "mail_id")]
    return [write.fields(one, columns) for one in session.exec(rows.order_by(col(Question.id)))]


def _words_to_gm(
    session: Session, write: _Writer, player_id: int, own_mails: Collection[int]
) -> list[dict[str, Any]]:  # fmt: skip
    """List what a player has told or asked the GM. Prose from a shared address may be the other one's."""
    rows = select(Question).where(
        Question.player_id == player_id, Question.address == "", col(Question.kind).in_(OWN_WORDS)
    )  # fmt: skip
    columns = [name for name in IN_FILE[Question] if name not in ("payload", "address", "expires_at")]
    return [
        {**write.fields(one, columns), "text": str(one.payload.get("text", ""))}
        for one in session.exec(rows.order_by(col(Question.id)))
        if one.kind != "text" or one.mail_id in own_mails
    ]


def _sent(session: Session, write: _Writer, player_id: int) -> list[dict[str, Any]]:
    columns = IN_FILE[MailOut]
    rows = select(*(getattr(MailOut, name) for name in columns)).where(MailOut.player_id == player_id)
    newest: Sequence[Row[Any]] = session.execute(rows.order_by(col(MailOut.id).desc()).limit(MOST_MAILS)).all()
    return [write.fields(row, columns) for row in reversed(newest)]


def _received(write: _Writer, mail: Received) -> dict[str, Any]:
    """Write a mail; its text comes later. Of one that may be a forger's only the log says that it came."""
    columns = ("id", "received_at", "sender", "subject", "status", "reason", "size")
    fields = write.fields(mail.row, columns)
    return {**fields, "text": None} if mail.is_theirs else {**fields, "subject": None, "text": None}


def _add_texts(session: Session, found: dict[str, Any], received: Sequence[Received]) -> None:
    """Add the texts of the newest mails, as many as there is room for."""
    room = MOST_BYTES - len(json.dumps(found, ensure_ascii=False, indent=1).encode())
    rows, to_read = {row["id"]: row for row in found["received_from_you"]}, MOST_READ
    for mail in [one for one in reversed(received) if one.is_theirs][:MOST_TEXTS]:
        if mail.row.size > to_read:
            continue
        to_read -= mail.row.size
        text = text_of(session, mail)
        room -= len(json.dumps(text, ensure_ascii=False).encode())
        if room < 0:
            return
        rows[mail.row.id]["text"] = text


def _without_codes(session: Session, player: Player, text: str) -> str:
    """Hide the codes of open questions: they stand in subjects of our mails, and in what quotes these."""
    addresses = player_queries.addresses(session, player.id)
    rows = select(Question.code).where(
        col(Question.answered_at).is_(None), or_(Question.player_id == player.id, col(Question.address).in_(addresses))
    )  # fmt: skip
    for code in session.exec(rows):
        text = text.replace(code, HIDDEN)
    return text


_COUNTED: Final = (
    "seats", "moves", "advance_moves", "press", "vacations", "questions", "to_the_gm", "received_from_you",
    "sent_to_you",
)  # fmt: skip


def _counts(found: Mapping[str, Any], language: Language) -> list[tuple[str, str]]:
    """Say how many rows the file has, for the mail that brings it."""
    return [
        (SENTENCES[f"DATA_{name.upper()}"][language], str(len(found[name]))) for name in _COUNTED if found[name]
    ]  # fmt: skip
