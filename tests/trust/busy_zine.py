"""A zine with hundreds of running games, mails for them in a real mailbox, and an SMTP sink that counts mails.

The games are copies of one that the service started: its rows with other ids and names.
"""

from __future__ import annotations

import itertools
import os
import socket
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.parser import BytesHeaderParser
from pathlib import Path
from typing import Any

import mail_servers
import seating
import sqlalchemy as sa
from aiosmtpd.controller import Controller
from imapclient import IMAPClient
from sqlmodel import Session, SQLModel, col, select

from gm.app.context import App
from gm.demo.in_memory_zine import GM_ADDRESS, PLAYERS
from gm.requests.desk import actions
from gm.service.tick import tick
from gm.store.database import Database
from gm.store.tables import AT_ONCE, Address, Game, MailOut, Player, Seat, Turn

LETTERS = "DNTIRO"
WISHES = "ENRSTA"


def game_name(number: int) -> str:
    """Name the game with a number."""
    return f"Spiel-{number}"


def address_at(name: str, table: int) -> str:
    """Return the address of one of the six players at a table."""
    return f"{name.split()[0].lower()}.{table}@spieler.example"


def begin(app: App, games: int, tables: int) -> None:
    """Begin so many games; those of a table (so many tables) have the same six players. Their bulletins are out."""
    actions.new_game(app, "crossword", game_name(0))
    for name, wish in zip(PLAYERS, LETTERS, strict=True):
        seating.join(app, game_name(0), f"{name} 0", address_at(name, 0), wish)
    actions.start(app, game_name(0))
    app.ours.add(app.settings.imap.folder)  # the mailbox is begun later
    tick(app, inbox=False, archive=False)
    with app.database.write() as session:
        copy_games(session, games, tables)


def copy_games(session: Session, games: int, tables: int) -> None:
    """Make copies of the one game there is."""
    people = _copies_of_people(session, tables)
    game, turn = session.exec(select(Game)).one(), session.exec(select(Turn)).one()
    seats, mails = session.exec(select(Seat)).all(), session.exec(select(MailOut).order_by(col(MailOut.id))).all()
    rows: dict[type[SQLModel], list[dict[str, Any]]] = {Game: [], Turn: [], Seat: [], MailOut: []}
    for number in range(1, games):
        name, ids = game_name(number), {"game_id": game.id + number}
        rows[Game].append({**game.model_dump(), "id": game.id + number, "name": name, "name_key": name.casefold()})
        rows[Turn].append({**turn.model_dump(), **ids, "id": turn.id + number})
        at_table = people[number % tables]
        for seat in seats:
            mine = {**ids, "player_id": at_table[seat.player_id]}
            rows[Seat].append({**seat.model_dump(), **mine, "id": seat.id + number * len(seats)})
        for mail in mails:
            if mail.player_id and mail.opens_round:
                rows[MailOut].append(_copy_of_mail(mail, number, ids, at_table[mail.player_id], turn.id + number))
    for table, copies in rows.items():
        _insert(session, table, copies)


def _copies_of_people(session: Session, tables: int) -> list[dict[int, int]]:
    """Copy the six for each further table; returns, by table, the ids of the first six -> theirs."""
    six = session.exec(select(Player).order_by(col(Player.id))).all()
    home = {row.player_id: row for row in session.exec(select(Address))}
    found, players, addresses = [{player.id: player.id for player in six}], [], []
    last, last_address = max(player.id for player in six), max(row.id for row in home.values())
    numbers = itertools.count(1)
    for table in range(1, tables):
        found.append({})
        for player, name in zip(six, PLAYERS, strict=True):
            step = next(numbers)
            named = f"{name} {table}"
            found[-1][player.id] = last + step
            players.append({**player.model_dump(), "id": last + step, "name": named, "name_key": named.casefold()})
            addresses.append({**home[player.id].model_dump(), "id": last_address + step, "player_id": last + step,
                              "address": address_at(name, table)})  # fmt: skip
    _insert(session, Player, players)
    _insert(session, Address, addresses)
    return found


def _copy_of_mail(mail: MailOut, number: int, ids: dict[str, int], player_id: int, turn_id: int) -> dict[str, Any]:
    return {
        **mail.model_dump(), **ids, "id": mail.id + number * 1000, "player_id": player_id, "recipient": f"{player_id}",
        "cause": f"turn:{turn_id}", "message_id": f"<{number}.{mail.id}.copy@postspiel.example>", "raw": None,
    }  # fmt: skip


def _insert(session: Session, table: type[SQLModel], rows: list[dict[str, Any]]) -> None:
    if not rows:
        return
    connection = session.connection()
    connection.execute(sa.insert(table.__table__), rows)  # type: ignore[attr-defined]
    if connection.dialect.name == "postgresql":
        name = table.__tablename__
        connection.execute(sa.text(f"SELECT setval('{name}_id_seq', (SELECT max(id) FROM {name}))"))


def moves(games: int, tables: int, number: int) -> Iterator[bytes]:
    """Write so many moves, seat after seat in all games, then all again with other letters."""
    for at in range(number):
        game, name = at % games, PLAYERS[at // games % len(PLAYERS)]
        times = at // (games * len(PLAYERS))
        rows = ["......"] * 6
        rows[(at + times) % 6] = LETTERS
        text = "\n".join([f"Crossword {game_name(game)}", f"Neu: {WISHES[(at + times) % 6]}", *rows, "", "Gruß"])
        table = game % tables
        head = {
            "From": f"{name} {table} <{address_at(name, table)}>", "To": GM_ADDRESS, "Subject": "Zug",
            "Message-ID": f"<{at}.move@spieler.example>", "MIME-Version": "1.0",
            "Content-Type": "text/plain; charset=utf-8", "Content-Transfer-Encoding": "8bit",
        }  # fmt: skip
        lines = [*(f"{key}: {value}" for key, value in head.items()), "", *text.splitlines(), ""]
        yield "\r\n".join(lines).encode()


class Maildir:
    """A mailbox of Dovecot's, into which mails are laid as a delivery agent does, each with its time of arrival."""

    def __init__(self, folder: Path) -> None:
        self._new = folder / "new"
        self._owner = folder.stat()
        self._numbers = itertools.count(1)

    def lay_down(self, mails: Sequence[bytes], arrived: datetime | None = None) -> None:
        """Let mails arrive; a mail that is there is there whole."""
        for raw in mails:
            draft = self._new.parent / "tmp" / f"{time.time_ns()}.{next(self._numbers)}.new"
            draft.write_bytes(raw)
            os.chown(draft, self._owner.st_uid, self._owner.st_gid)
            if arrived:
                os.utime(draft, (arrived.timestamp(), arrived.timestamp()))
            draft.rename(self._new / draft.name)


def open_box(mail: Any, user: str = GM_ADDRESS) -> None:
    """Log in once: Dovecot makes the maildir then."""
    with IMAPClient("127.0.0.1", mail.imap_port, ssl=False) as client:
        client.login(user, mail_servers.PASSWORD)
        client.select_folder("INBOX")


@dataclass
class Sink:
    """Takes every mail, and counts how often each Message-ID came to whom."""

    port: int
    seen: Counter[tuple[str, str]]

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802  aiosmtpd's name
        head = BytesHeaderParser().parsebytes(envelope.content)
        for recipient in envelope.rcpt_tos:
            self.seen[recipient, str(head["Message-ID"])] += 1
        return "250 OK"


@contextmanager
def sink() -> Iterator[Sink]:
    """Take mails on a free port."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    taking = Sink(port, Counter())
    controller = Controller(taking, hostname="127.0.0.1", port=port)
    controller.start()
    try:
        yield taking
    finally:
        controller.stop()


def move_zats(database: Database, zat: datetime) -> None:
    """Let the round of every game end then, while others are at work."""
    with database.write() as session:
        session.connection().execute(sa.update(Turn).values(zat=zat))
        session.connection().execute(
            sa.update(Game).values(zat=zat, look_at=AT_ONCE, last_write=Game.last_write + 1000)
        )


def zat_for_all(app: App, zat: datetime) -> None:
    """Let the round of every game end then, and none before because all moves are in."""
    move_zats(app.database, zat)
    with app.database.write() as session:
        session.connection().execute(
            sa.update(MailOut).values(sent_at=MailOut.created_at - timedelta(seconds=2))
        )  # fmt: skip
