"""`gm player export`: all that is stored about a player, in plain values. Nothing of anybody else is in it.

Each list has the rows of one table, and a field is called as its column; but `game` and `step` name what a column only
numbers. Left out are keys and bookkeeping, codes of questions and ids of mails, with which somebody could pass for the
player, and the texts of our mails, which the player has; and, as the GM sees the file first, what the player has sent
for the open rounds of games in which the GM plays.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import date, datetime
from typing import Any, Final

from sqlmodel import Session, col, select

from gm.app.context import App, local_iso
from gm.game import gm_visibility
from gm.game.people import lookup, personal_data
from gm.game.people.shown_names import shown_names
from gm.store.queries import mail_queries, question_queries
from gm.store.tables import (
    AdvanceMove,
    Game,
    MailIn,
    MailOut,
    Player,
    Question,
    Sheet,
    Turn,
)
from parsers.errors import MailError
from parsers.mime.message import read_mail

TITLES: Final[Mapping[str, str]] = {
    "address": "addresses", "seat": "seats", "sheet": "moves", "advance_move": "advance_moves", "duty": "deadlines",
    "archived_score": "results", "vacation": "vacations", "watcher": "watching", "digest_step": "told_by_digest",
}  # fmt: skip
"""What the file calls the rows of a table, where its own name would say little."""
OTHERWISE: Final = ("question", "mail_in", "mail_out")
"""Tables of which not all columns are in the file."""
OWN_WORDS: Final = (
    "text",
    "appeal",
    "extension",
    "vacation",
    "resigned",
    "freed",
    "late",
    "in_time",
    question_queries.HELD_MOVE,
)
"""Kinds of entries on the GM's list whose text is the player's own. The others are notes for the GM."""

_LEFT_OUT: Final = frozenset(["id", "player_id", "name_key", "mail_id", "told_by"])
_OF_QUESTION: Final = ("kind", "game_id", "address", "created_at", "answered_at", "answer")
_OF_SENT: Final = ("created_at", "sent_at", "address", "kind", "game_id", "subject", "status")
_OF_RECEIVED: Final = ("received_at", "sender", "subject", "status", "reason", "size")


def everything_about(app: App, name: str) -> dict[str, Any]:
    """Collect all that is stored about a player. Raises Refused."""
    with app.database.read() as session:
        player = lookup.reachable(session, name)
        received = _received(session, player.id)
        games = gm_visibility.games_with_secrets(app, session, player)
        return {
            "zine": app.settings.service.name,
            "made": local_iso(app, app.now()),
            "without_open_rounds_of": [game.name for game in games],
            "player": {
                **_fields(app, session, player, *_columns(Player)),
                "former_names": player.former_names,
                "archive_name": shown_names(session, app.settings)[player.id].name,
            },
            **{
                title: [
                    _fields(app, session, row, *_columns(table))
                    for row in _rows(session, table, player.id)
                    if not _is_secret(row, games)
                ]
                for title, table in lists().items()
            },
            "questions": _questions(app, session, player.id, _readable(app, session, received)),
            "sent_to_you": _sent(app, session, player.id),
            "received_from_you": [_with_text(app, session, mail) for mail in received],
        }


def _is_secret(row: Any, games: Sequence[Game]) -> bool:
    """Check whether a row is a move that the GM, who plays there, may not see yet."""
    game = next((one for one in games if one.id == getattr(row, "game_id", None)), None)
    if isinstance(row, Sheet):
        return game is not None and row.round == game.round
    return isinstance(row, AdvanceMove) and game is not None and row.ended != "played"


def _readable(app: App, session: Session, mails: Sequence[MailIn]) -> set[int]:
    return {mail.id for mail in mails if not gm_visibility.games_kept_from(app, session, mail)}


def lists() -> Mapping[str, type[Any]]:
    """Return the tables whose rows are in the file with all columns; a new table is one of them by itself."""
    tables = {str(table.__tablename__): table for table in personal_data.tables_of_players()}
    return {TITLES.get(name, name): table for name, table in tables.items() if name not in OTHERWISE}


def _columns(table: type[Any]) -> list[str]:
    return [name for name in table.model_fields if name not in _LEFT_OUT]


def _rows(session: Session, table: type[Any], player_id: int) -> Any:
    return session.exec(select(table).where(table.player_id == player_id).order_by(table.id))


def _fields(app: App, session: Session, row: Any, *columns: str) -> dict[str, Any]:
    return dict(_field(app, session, column, getattr(row, column)) for column in columns)


def _field(app: App, session: Session, column: str, value: Any) -> tuple[str, Any]:
    if column == "game_id":
        return "game", session.get_one(Game, value).name if value else None
    if column == "turn_id":
        return "step", session.get_one(Turn, value).number if value else None
    if isinstance(value, datetime):
        return column, local_iso(app, value)
    return column, value.isoformat() if isinstance(value, date) else value


def _questions(app: App, session: Session, player_id: int, own_mails: Collection[int]) -> list[dict[str, Any]]:
    """List what a player was asked, and what they told the GM: words from a shared address may be the other one's."""
    return [
        {**_fields(app, session, one, *_OF_QUESTION), "text": "" if one.address else str(one.payload.get("text", ""))}
        for one in _rows(session, Question, player_id)
        if (one.address and one.kind != question_queries.WHICH_PLAYER)
        or (not one.address and one.kind in OWN_WORDS and one.mail_id in own_mails)
    ]


def _sent(app: App, session: Session, player_id: int) -> list[dict[str, Any]]:
    """List the mails to a player, without their bytes."""
    rows = select(*(getattr(MailOut, column) for column in _OF_SENT)).where(MailOut.player_id == player_id)
    return [_fields(app, session, row, *_OF_SENT) for row in session.execute(rows.order_by(col(MailOut.id)))]


# -- mails of the player -----------------------------------------------------------------------------------------------


def _received(session: Session, player_id: int) -> list[MailIn]:
    """List the mails of a player; from a shared address only those with a move or press of theirs, and nobody else's.

    Of mails that may be a forger's only those of nobody else's address.
    """
    own = personal_data.addresses_ever(session, player_id) - personal_data.shared_addresses(session, player_id).keys()
    brought, of_others = personal_data.brought_by(player_id), personal_data.brought_by_others(player_id)
    rows = select(MailIn).where(
        col(MailIn.sender).in_(own) | col(MailIn.id).in_(brought), col(MailIn.id).not_in(of_others)
    )
    return list(session.exec(rows.order_by(col(MailIn.id))))


def _with_text(app: App, session: Session, mail: MailIn) -> dict[str, Any]:
    """Describe a mail. Of one that may be a forger's the words are repeated to nobody."""
    fields = _fields(app, session, mail, *_OF_RECEIVED)
    not_theirs = (mail_queries.FORGED, mail_queries.NOT_THEIRS, mail_queries.NOBODY_VOUCHED)
    is_kept = bool(gm_visibility.games_kept_from(app, session, mail))
    if is_kept or mail.status == "waiting" or mail.reason.startswith(not_theirs):
        return {**fields, "subject": None, "text": None}
    return {**fields, "text": _text_of(mail)}


def _text_of(mail: MailIn) -> str | None:
    """Read the text of a mail again; None where it is gone or can't be read."""
    try:
        read = read_mail(mail.raw) if mail.raw else None
    except MailError:
        return None
    if read is None:
        return None
    written = "\n\n".join(read.texts)
    if not written and read.html:
        from parsers.mime.markup import html_text  # takes 45 ms to load

        written = html_text(read.html)
    return written
