"""The tables of the archive: what lists need of finished games, and how far sites are made. All can be made anew."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, BigInteger, Index
from sqlmodel import Field

import gm.store.tables  # noqa: F401  (whom these rows refer to)
from gm.store.zine_tables import Row


class ArchivedGame(Row, table=True):
    """What the archive's tables need of a finished game. It can be made anew from its last step."""

    __tablename__ = "archived_game"
    game_id: int = Field(primary_key=True, foreign_key="game.id")
    turn_id: int = Field(foreign_key="turn.id")
    form: str
    """Which version of the archive made it."""
    ended_at: datetime = Field(index=True)
    facts: dict[str, Any] = Field(default_factory=dict, sa_type=JSON)


class ArchivedScore(Row, table=True):
    """The result of a player in a finished game."""

    __tablename__ = "archived_score"
    id: int = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id", index=True)
    player_id: int = Field(foreign_key="player.id", index=True)
    seat: int
    rank: int
    winner: bool = False
    points: int | None = None
    guesses: int | None = None
    owed: int
    missed: int


class ArchivedWord(Row, table=True):
    """A word that was laid or claimed in a finished game. `why` and `place` are Texts of the engine."""

    __tablename__ = "archived_word"
    # No index on the status: SQLite would prefer it, though nearly all words have the same status.
    __table_args__ = (Index("ix_archived_word_key", "key", "game_id"),)
    id: int = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id", index=True)
    seat: int
    word: str
    key: str
    """The word in A to Z, by which the register is sorted."""
    points: int | None = None
    status: str  # accepted | refused | doubtful
    why: Any = Field(default=None, sa_type=JSON)
    place: Any = Field(default=None, sa_type=JSON)


class ArchiveSite(Row, table=True):
    """How far the site in a folder is made (gm/archive/progress.py)."""

    __tablename__ = "archive_site"
    id: int = Field(default=None, primary_key=True)
    mark: str = Field(index=True)
    """What its stamp says."""
    next_mark: str = Field(index=True)
    """What it will say when the next page has changed."""
    program: str = ""
    """The checksum of program and settings that its pages were made with."""
    last_write: int = Field(default=-1, sa_type=BigInteger)
    """The last write that the pages of games show (`Game.last_write`)."""
    last_game: int = 0
    """Of the games with this number of a write those up to this id are shown."""
    failed: list[int] = Field(default_factory=list, sa_type=JSON)
    """The games whose pages couldn't be made: each export tries again."""
    due: dict[str, str] = Field(default_factory=dict, sa_type=JSON)
    """The lists that are to be made, with the last page that is made already."""
