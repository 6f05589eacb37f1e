"""What tables and registers need of a finished game, as rows of the database."""

import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final, TypeAlias

import sqlalchemy as sa
from pydantic import TypeAdapter
from sqlmodel import Session, col

from games.api import Text
from gm.archive.record.loader import LoadedGame
from gm.archive.record.record import Record, Snapshot, WordRecord
from gm.drawing.parts import Board
from gm.store.archive_tables import ArchivedGame, ArchivedScore, ArchivedWord
from gm.store.queries.turn_queries import has_moves

KEPT: Final = 3
"""Of a game's longest and most valuable words."""

_TEXT: TypeAdapter[Text | None] = TypeAdapter(Text | None)


Row: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class ListRows:
    """The rows of a game; none where it hasn't ended."""

    game_id: int
    games: Sequence[Row] = ()
    scores: Sequence[Row] = ()
    words: Sequence[Row] = ()


_KEPT: Final = sa.select(
    col(ArchivedGame.turn_id), col(ArchivedGame.form), col(ArchivedGame.facts)["status"].as_string()
).where(col(ArchivedGame.game_id) == sa.bindparam("game"))  # fmt: skip


def make(loaded: LoadedGame, record: Record, program: str) -> ListRows | None:
    """Make a game's rows; None where those that are there are right.

    A game that was broken off, or in which nobody ever moved, has only the first.

    `program` is the checksum of the program that makes them.
    """
    game_id = loaded.game.id
    kept = loaded.session.connection().execute(_KEPT, {"game": game_id}).one_or_none()
    if record.ended is None:
        return ListRows(game_id=game_id) if kept else None
    last = loaded.known[-1]
    if kept == (last.id, program, record.status):
        return None
    game = {
        "game_id": game_id, "turn_id": last.id, "form": program, "ended_at": record.ended, "facts": facts(record)
    }  # fmt: skip
    if record.result is None or not has_moves(loaded.session, loaded.game):
        return ListRows(game_id=game_id, games=[game])
    return ListRows(game_id=game_id, games=[game], scores=_scores(loaded, record), words=_words(loaded))


def write(session: Session, games: Sequence[ListRows]) -> None:
    """Write the rows of games in place of those that are there."""
    ids = [game.game_id for game in games]
    for table in (ArchivedWord, ArchivedScore, ArchivedGame):
        session.execute(sa.delete(table).where(col(table.game_id).in_(ids)))
    added = (
        (ArchivedGame, [row for game in games for row in game.games]),
        (ArchivedScore, [row for game in games for row in game.scores]),
        (ArchivedWord, [row for game in games for row in game.words]),
    )
    for table, rows in added:
        if rows:
            session.execute(sa.insert(table), rows)


def sort_key(word: str) -> str:
    """Give the key that a register is sorted by, in 0 to 9 and A to Z: Ä is sorted as A, ß as SS.

    A word with other letters follows its key, so that two words never have the same one.
    """
    plain = unicodedata.normalize("NFD", word.upper().replace("ß", "SS"))
    key = "".join(letter for letter in plain if "A" <= letter <= "Z" or "0" <= letter <= "9") or "0"
    return key if key == word else f"{key} {word}"


def facts(record: Record) -> dict[str, Any]:
    """Count what records and players' pages need of a game, so that they needn't read its words."""
    found: dict[str, Any] = {"status": record.status}
    if record.result is None:
        return found
    found["wishes"] = _wishes(record)
    counted = [word for word in record.result.words if word.status == "accepted"]
    if counted:
        found |= word_facts(counted, _side(record))
    return {name: fact for name, fact in found.items() if fact}


def _own_boards(snapshot: Snapshot) -> Iterator[Board]:
    """Give the boards that belong to a seat; racks, dice and pegs are none."""
    return (board for part in snapshot.parts for board in part.boards if board.seat and board.look == "letters")


def _side(record: Record) -> int:
    """Give the longest possible word of a player's own board; 0 where no player has one."""
    boards = [board for snapshot in record.snapshots for board in _own_boards(snapshot)]
    return max((max(len(board.columns), len(board.rows)) for board in boards), default=0)


def _wishes(record: Record) -> dict[str, str]:
    """Collect the letters that each seat wished for. Those of a seat that changed hands count for seat 0, nobody's."""
    whose = {seat.seat: 0 if seat.before else seat.seat for seat in record.seats}
    found: dict[str, str] = {}
    for snapshot in record.snapshots[:-1]:  # the last one only repeats what the one before it says
        for seat, of_seat in snapshot.seat_facts.items():
            if wish := of_seat.get("wish"):
                owner = str(whose.get(seat, 0))
                found[owner] = found.get(owner, "") + str(wish)
    return found


def word_facts(words: Sequence[WordRecord], side: int) -> dict[str, Any]:
    """List the longest and the most valuable words, and count by seat those that fill a line."""
    by_length = sorted(words, key=lambda word: (-len(word.word), -(word.points or 0), word.word, word.seat))
    by_points = sorted(words, key=lambda word: (-(word.points or 0), word.word, word.seat))
    full = Counter(word.seat for word in words if len(word.word) == side)
    return {
        "longest": [_brief(word) for word in by_length[:KEPT]],
        "dearest": [_brief(word) for word in by_points[:KEPT] if word.points],
        "full": {str(seat): count for seat, count in sorted(full.items())},
    }


def _brief(word: WordRecord) -> list[Any]:
    return [word.word, word.seat, word.points]


def _scores(loaded: LoadedGame, record: Record) -> list[Row]:
    duties: Mapping[tuple[int, int], list[bool]] = _duties(loaded)
    holders = {seat.number: seat.player_id for seat in loaded.sitting}
    found: list[Row] = []
    for place in record.result.standings if record.result else ():
        kept = duties.get((place.seat, holders[place.seat]), [])
        found.append(
            {"game_id": loaded.game.id, "player_id": holders[place.seat], "seat": place.seat, "rank": place.rank,
             "winner": place.winner, "points": place.points, "guesses": place.guesses,
             "owed": len(kept), "missed": kept.count(False)}
        )  # fmt: skip
    return found


def _duties(loaded: LoadedGame) -> dict[tuple[int, int], list[bool]]:
    found: dict[tuple[int, int], list[bool]] = {}
    for duty in chain.from_iterable(loaded.duties.values()):
        found.setdefault((duty.seat, duty.player_id), []).append(duty.kept)
    return found


def _words(loaded: LoadedGame) -> list[Row]:
    return [
        {"game_id": loaded.game.id, "seat": int(one.seat), "word": one.word, "key": sort_key(one.word),
         "points": one.points, "status": one.status, "why": _TEXT.dump_python(one.why, mode="json"),
         "place": _TEXT.dump_python(one.where, mode="json")}
        for one in loaded.last_view.words
    ]  # fmt: skip
