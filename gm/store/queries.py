"""Questions to the database, as functions of a session."""

import secrets
from collections.abc import Iterable, Sequence
from datetime import datetime

from sqlmodel import Session, col, func, or_, select

from gm.store.tables import (
    Address,
    Game,
    MailIn,
    MailOut,
    Meta,
    Player,
    Question,
    Ruling,
    Seat,
    Sheet,
    Standby,
    Turn,
)  # fmt: skip

SHOWN = ("open", "running", "provisional", "finished", "aborted")

THREAD_IDS = 20
"""Of a long thread the last are enough."""


def meta(session: Session, key: str) -> str | None:
    """Look up a fact about this database."""
    row = session.get(Meta, key)
    return row.value if row else None


def set_meta(session: Session, key: str, value: str) -> None:
    """Write down a fact about this database."""
    row = session.get(Meta, key) or Meta(key=key, value=value)
    row.value = value
    session.add(row)


def secret(session: Session) -> str:
    """Give the database's secret, drawn when it is first asked for."""
    known = meta(session, "secret")
    if known is None:
        known = secrets.token_hex(32)
        set_meta(session, "secret", known)
    return known


def key_of(name: str) -> str:
    """Fold a name for comparison: no regard to case or to blanks at the ends."""
    return " ".join(name.split()).casefold()


def game_named(session: Session, name: str) -> Game | None:
    """Find a game by name."""
    return session.exec(select(Game).where(Game.name_key == key_of(name))).first()


def games(session: Session, statuses: Sequence[str] = SHOWN) -> Sequence[Game]:
    """List games by age."""
    return session.exec(select(Game).where(col(Game.status).in_(statuses)).order_by(col(Game.id))).all()


def player_named(session: Session, name: str) -> Player | None:
    """Find a player by name."""
    return session.exec(select(Player).where(Player.name_key == key_of(name))).first()


def players_at(session: Session, address: str) -> Sequence[Player]:
    """List who writes from an address."""
    held = select(Address.player_id).where(Address.address == address.lower())
    return session.exec(select(Player).where(col(Player.id).in_(held)).order_by(col(Player.id))).all()


def address_of(session: Session, player_id: int) -> str:
    """Say where a player gets mail."""
    rows = select(Address.address).where(Address.player_id == player_id).order_by(col(Address.id))
    return session.exec(rows).first() or ""


def seats(session: Session, game: Game) -> Sequence[Seat]:
    """List the seats as they are taken now."""
    taken = select(Seat).where(Seat.game_id == game.id, col(Seat.until).is_(None))
    return session.exec(taken.order_by(col(Seat.number))).all()


def seat_history(session: Session, game: Game) -> dict[int, list[str]]:
    """List, by seat number, everybody who has sat there, in order."""
    rows = select(Seat.number, Player.name).join(Player).where(Seat.game_id == game.id).order_by(col(Seat.since))
    history: dict[int, list[str]] = {}
    for number, name in session.exec(rows):
        history.setdefault(number, []).append(name)
    return history


def names(session: Session, game: Game) -> dict[int, str]:
    """Name the players by seat; a seat that nobody holds now keeps its last player's name."""
    return {number: held[-1] for number, held in seat_history(session, game).items()}


def sat_before(session: Session, game: Game, player_id: int) -> Seat | None:
    """Find the row of a player in a game, also one that has left."""
    return session.exec(select(Seat).where(Seat.game_id == game.id, Seat.player_id == player_id)).first()


def current_turn(session: Session, game: Game) -> Turn:
    """Load the step that the game stands at."""
    return session.exec(
        select(Turn).where(Turn.game_id == game.id, Turn.number == game.turn, Turn.version == game.version)
    ).one()


def turns(session: Session, game: Game) -> Sequence[Turn]:
    """List every step of a game in order."""
    rows = select(Turn).where(Turn.game_id == game.id).order_by(col(Turn.number), col(Turn.version))
    return session.exec(rows).all()


def sheets_on_file(session: Session, game: Game, until: datetime | None = None) -> dict[int, Sheet]:
    """Give the sheet that counts for each seat in the present round: the last one not withdrawn."""
    rows = select(Sheet).where(
        Sheet.game_id == game.id, Sheet.round == game.round, col(Sheet.withdrawn_at).is_(None)
    )  # fmt: skip
    if until is not None:
        rows = rows.where(col(Sheet.received_at) <= until)
    ordered = session.exec(rows.order_by(col(Sheet.received_at), col(Sheet.id)))
    return {sheet.seat: sheet for sheet in ordered}


def sheets_of(session: Session, game: Game, seat: int) -> Sequence[Sheet]:
    """List a seat's sheets of the present round that are not withdrawn."""
    return session.exec(
        select(Sheet).where(
            Sheet.game_id == game.id, Sheet.round == game.round, Sheet.seat == seat, col(Sheet.withdrawn_at).is_(None)
        )
    ).all()


def seen_at(session: Session, game: Game, player_id: int, round_number: int) -> datetime | None:
    """Say when the player's mail with this round's position was accepted for delivery."""
    rows = select(func.min(MailOut.sent_at)).where(
        MailOut.game_id == game.id, MailOut.player_id == player_id, MailOut.opens_round == round_number
    )
    return session.exec(rows).first()


def was_mailed(session: Session, cause: str) -> bool:
    """Say whether anything was queued for this cause."""
    return session.exec(select(MailOut.id).where(MailOut.cause == cause)).first() is not None


def thread(session: Session, game: Game, player_id: int) -> tuple[str, ...]:
    """Give the Message-IDs that a new mail refers to: the game's first and its latest bulletin for this player."""
    rows = select(MailOut.message_id).where(
        MailOut.game_id == game.id, MailOut.player_id == player_id, col(MailOut.opens_round).is_not(None)
    )
    ids = session.exec(rows.order_by(col(MailOut.id))).all()
    return tuple(dict.fromkeys((*ids[:1], *ids[-1:])))


def game_of_thread(session: Session, message_ids: Sequence[str]) -> Game | None:
    """Find the game of the mail of ours that a reply refers to, the latest where it refers to several."""
    known = [message_id for message_id in message_ids[-THREAD_IDS:] if message_id]
    rows = select(Game).join(MailOut).where(col(MailOut.message_id).in_(known)).order_by(col(MailOut.id).desc())
    return session.exec(rows).first() if known else None


def stored_uids(session: Session, folder: str, uidvalidity: int, uids: Iterable[int]) -> dict[int, MailIn]:
    """Find which of these mails of a folder are stored already."""
    found: dict[int, MailIn] = {}
    wanted = list(uids)
    for at in range(0, len(wanted), 500):
        rows = select(MailIn).where(
            MailIn.folder == folder, MailIn.uidvalidity == uidvalidity, col(MailIn.uid).in_(wanted[at : at + 500])
        )
        found.update({row.uid: row for row in session.exec(rows)})
    return found


def unhandled(session: Session, ids: Sequence[int] | None = None) -> Sequence[MailIn]:
    """List stored mails (or those of them) that nothing was done with yet, in order of arrival."""
    rows = select(MailIn).where(MailIn.status == "new")
    if ids is not None:
        rows = rows.where(col(MailIn.id).in_(ids))
    return session.exec(rows.order_by(col(MailIn.received_at), col(MailIn.uid), col(MailIn.id))).all()


def twin(session: Session, row: MailIn) -> MailIn | None:
    """Find a mail that is the same (same Message-ID, same content) and was taken before.

    A later copy that was ignored for this one's sake is none: else a mail that is tried again would be lost.
    """
    taken = col(MailIn.status).in_(("applied", "refused", "waiting", "quarantined"))
    put_aside = (col(MailIn.status) == "ignored") & (col(MailIn.id) < row.id)
    rows = select(MailIn).where(
        MailIn.message_id == row.message_id, MailIn.content == row.content, MailIn.id != row.id, taken | put_aside
    )
    return session.exec(rows).first()


def rulings(session: Session, game: Game | None) -> Sequence[Ruling]:
    """List rulings that hold for a game: the house's, then its own, the later ones last."""
    scope = col(Ruling.game_id).is_(None) if game is None else or_(
        col(Ruling.game_id).is_(None), Ruling.game_id == game.id
    )  # fmt: skip
    rows = select(Ruling).where(scope).order_by(col(Ruling.game_id).is_not(None), col(Ruling.id))
    return session.exec(rows).all()


def open_questions(session: Session, address: str | None = None) -> Sequence[Question]:
    """List what is not answered yet: what we asked an address, or (None) what waits for the GM."""
    rows = select(Question).where(col(Question.answered_at).is_(None), Question.address == (address or ""))
    return session.exec(rows.order_by(col(Question.id))).all()


def standby_list(session: Session, engine: str | None = None) -> Sequence[tuple[Standby, Player]]:
    """List standbys in their order, for one kind of game where it is named."""
    rows = select(Standby, Player).join(Player).order_by(col(Standby.id))
    if engine is not None:
        rows = rows.where(col(Standby.engine).in_(["", engine]))
    return session.exec(rows).all()


def count_mails(session: Session) -> dict[str, int]:
    """Count received mails by status and outgoing ones by theirs (`out queued`)."""
    received = session.exec(select(MailIn.status, func.count()).group_by(MailIn.status)).all()
    outgoing = session.exec(select(MailOut.status, func.count()).group_by(MailOut.status)).all()
    return {**dict(received), **{f"out {status}": number for status, number in outgoing}}
