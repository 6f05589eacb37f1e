"""What the tables, registers and statistics take from a finished game, as rows that can be asked for."""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import sqlalchemy as sa
from pydantic import TypeAdapter
from sqlmodel import Session, SQLModel, col, select

from games.api import Text
from gm.archive.record import Record
from gm.archive.telling import Teller
from gm.store.tables import ArchivedGame, ArchivedScore, ArchivedWord, Duty

_TEXT: TypeAdapter[Text | None] = TypeAdapter(Text | None)
_DUTIES: Final = select(Duty).where(Duty.game_id == sa.bindparam("game")).order_by(col(Duty.id))


@dataclass(frozen=True, kw_only=True)
class Extract:
    """The rows of a game; none where it has no result."""

    game_id: int
    rows: tuple[SQLModel, ...]


def made(teller: Teller, record: Record, form: str) -> Extract | None:
    """Make a game's rows; None where those that are there are still right."""
    game_id = teller.game.id
    kept = teller.session.get(ArchivedGame, game_id)
    if record.result is None or record.ended is None:
        return Extract(game_id=game_id, rows=()) if kept else None
    last = teller.steps[-1]
    if kept is not None and (kept.turn_id, kept.form) == (last.turn.id, form):
        return None
    game = ArchivedGame(
        game_id=game_id, turn_id=last.turn.id, form=form, ended_at=record.ended, facts=facts(record)
    )  # fmt: skip
    return Extract(game_id=game_id, rows=(game, *_scores(teller, record), *_words(teller)))


def keep(session: Session, extract: Extract) -> None:
    """Write a game's rows in place of those that are there."""
    for table in (ArchivedWord, ArchivedScore, ArchivedGame):
        session.execute(sa.delete(table).where(col(table.game_id) == extract.game_id))
    session.add_all(extract.rows)


def sort_key(word: str) -> str:
    """Write a word in A to Z, by which a register is sorted: Ä beside A, ß as SS."""
    plain = unicodedata.normalize("NFD", word.upper().replace("ß", "SS"))
    return "".join(letter for letter in plain if "A" <= letter <= "Z")


def facts(record: Record) -> dict[str, Any]:
    """Count what statistics need: in which round each cell of a player's own board was filled, and wish letters."""
    cells: dict[str, list[int]] = {}
    wishes: dict[str, int] = {}
    boards = 0
    for snapshot in record.snapshots:
        own = [board for part in snapshot.parts for board in part.boards if board.seat]
        boards = max(boards, len(own))
        for board in own if snapshot.number else ():
            for row, column in board.new:
                name = f"{board.columns[column]}{board.rows[row]}"
                count, rounds = cells.get(name, (0, 0))
                cells[name] = [count + 1, rounds + snapshot.number]
        for of_seat in snapshot.seat_facts.values():
            if wish := of_seat.get("wish"):
                wishes[str(wish)] = wishes.get(str(wish), 0) + 1
    return {"boards": boards, "cells": cells, "wishes": wishes}


def _scores(teller: Teller, record: Record) -> list[ArchivedScore]:
    duties: Mapping[tuple[int, int], list[bool]] = _duties(teller)
    holders = {seat.number: seat.player_id for seat in teller.sitting}
    found = []
    for place in record.result.standings if record.result else ():
        kept = duties.get((place.seat, holders[place.seat]), [])
        found.append(
            ArchivedScore(
                game_id=teller.game.id, player_id=holders[place.seat], seat=place.seat, rank=place.rank,
                points=place.points, owed=len(kept), missed=kept.count(False),
            )
        )  # fmt: skip
    return found


def _duties(teller: Teller) -> dict[tuple[int, int], list[bool]]:
    standing = {turn.id for turn in teller.turns if turn.undone_at is None}
    found: dict[tuple[int, int], list[bool]] = {}
    for duty in teller.session.exec(_DUTIES, params={"game": teller.game.id}):
        if duty.turn_id in standing:
            found.setdefault((duty.seat, duty.player_id), []).append(duty.kept)
    return found


def _words(teller: Teller) -> list[ArchivedWord]:
    return [
        ArchivedWord(
            game_id=teller.game.id, seat=int(one.seat), word=one.word, key=sort_key(one.word), points=one.points,
            status=one.status, why=_TEXT.dump_python(one.why, mode="json"),
            place=_TEXT.dump_python(one.where, mode="json"),
        )
        for one in teller.last_view.words
    ]  # fmt: skip
