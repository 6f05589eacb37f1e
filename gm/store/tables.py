"""The tables. `mail_in`, `sheet` and `turn` only ever grow; the others are small, and their rows change.

Instants are aware UTC datetimes. States, moves and events are JSON made by the engine's own types. They hold no names
and no addresses, so that a player can be forgotten without changing the record of a game. Where an enum would do, there
are strings: an enum that the database knows can't easily gain a member.

The migrations create the tables. The condition of a partial index is given here for SQLite only: `postgresql_where`
would load that dialect into every command (25 ms).
"""

from datetime import UTC, date, datetime
from typing import Any, Final, Optional

from sqlalchemy import JSON, BigInteger, Index, LargeBinary, UniqueConstraint, false, text
from sqlmodel import Field, Relationship

from gm.store.zine_tables import Row

AT_ONCE: Final = datetime(1970, 1, 1, tzinfo=UTC)
"""An instant in the past, whatever the clock says."""
NEXT_WRITE: Final = text("(SELECT coalesce(max(last_write), 0) + 1 FROM game)")
"""The number of a write about games. One transaction writes at a time, so a later one has a higher number."""


_ADDRESSES: Final = {"order_by": "Address.id", "viewonly": True}


class Player(Row, table=True):
    """A person. `language` is empty until one is asked for: then the game's is used."""

    id: int = Field(default=None, primary_key=True)
    name: str
    name_key: str = Field(unique=True)
    language: str = ""
    digest: str = "weekly"  # daily | weekly | monthly | off
    digest_at: str = ""
    """The time of day of a daily digest, `18:00`."""
    name_form: str = ""
    """How much of the name the archive shows: full | initial; empty: as [archive] names says."""
    former_names: list[str] = Field(default_factory=list, sa_type=JSON, sa_column_kwargs={"server_default": "[]"})
    """Old mails hold them, so whoever erases a player must know them."""
    created_at: datetime
    addresses: list["Address"] = Relationship(sa_relationship_kwargs=_ADDRESSES)
    """The first one gets our mails."""


class Address(Row, table=True):
    """An address that a player writes from. Couples share one, others have several: our mails go to the lowest id."""

    __table_args__ = (
        UniqueConstraint("player_id", "address"),
        Index("ix_address_bounced_at", "bounced_at", sqlite_where=text("bounced_at IS NOT NULL")),
    )  # fmt: skip
    id: int = Field(default=None, primary_key=True)
    player_id: int = Field(foreign_key="player.id", index=True)
    address: str = Field(index=True)
    bounced_at: datetime | None = None
    """When a mail of ours came back for good; None again as soon as a mail comes from there."""
    bounce: str = ""
    """What the server there said."""


_PRESENT_STEP: Final = {
    "primaryjoin": "and_(foreign(Turn.game_id) == Game.id, Turn.number == Game.turn, Turn.version == Game.version)",
    "viewonly": True, "uselist": False,
}  # fmt: skip
_SEATS: Final = {"order_by": "Seat.since, Seat.id", "viewonly": True}
_SHEETS: Final = {
    "primaryjoin": "and_(foreign(Sheet.game_id) == Game.id, Sheet.round == Game.round, Sheet.withdrawn_at.is_(None))",
    "order_by": "Sheet.received_at, Sheet.id", "viewonly": True,
}  # fmt: skip
_ADVANCE_MOVES: Final = {
    "primaryjoin": "and_(foreign(AdvanceMove.game_id) == Game.id, AdvanceMove.ended_at.is_(None))",
    "order_by": "AdvanceMove.id", "viewonly": True,
}  # fmt: skip
_RULINGS: Final = {
    "primaryjoin": "or_(foreign(Ruling.game_id) == Game.id, Ruling.game_id.is_(None))",
    "order_by": "Ruling.game_id.is_not(None), Ruling.id", "viewonly": True,
}  # fmt: skip
_QUESTIONS: Final = {
    "primaryjoin": "and_(foreign(Question.game_id) == Game.id, Question.answered_at.is_(None))",
    "order_by": "Question.id", "viewonly": True,
}  # fmt: skip
_WATCHERS: Final = {"order_by": "Watcher.id", "viewonly": True}


class Game(Row, table=True):
    """A game with its clock, and its file: what hangs on it. Its position is the state of its `step`.

    The parts of the file are read when they are first asked for, or for many games at once by gm/store/game_file.py.
    Whoever adds or changes a row of a part says so by `game_file.touch`.
    """

    __table_args__ = (
        Index("ix_game_status", "status", "id"),
        Index("ix_game_status_zat", "status", "zat", "id"),
        Index("ix_game_held", "zat", "id", sqlite_where=text("held <> ''")),
        Index("ix_game_last_write", "last_write", "id"),
    )  # fmt: skip
    id: int = Field(default=None, primary_key=True)
    name: str
    name_key: str = Field(unique=True)
    engine: str
    options: dict[str, Any] = Field(default_factory=dict, sa_type=JSON)
    language: str
    status: str = "open"  # open | running | provisional | finished | aborted
    autostart: bool = False
    seed: str
    span: str
    by_issue: bool = False
    """Each round ends with an issue; `span` is the least that it leaves a round then."""
    zat: datetime | None = None
    held: str = ""
    paused_until: datetime | None = None
    """Until then the clock stands still; `zat` has moved on by as much already."""
    reopened: bool = False
    """A closing was taken back: the GM ends this round, which never closes early by itself."""
    reminded: str = Field(default="", sa_column_kwargs={"server_default": ""})
    """The cause of the last reminder."""
    anonymous_press: bool = False
    upgraded_to: int = 0
    """The version of its rules with which the GM lets it go on; 0 where it needed no word."""
    round: int = 0
    turn: int | None = None
    version: int = 1
    created_at: datetime
    last_write: int = Field(
        default=None, sa_type=BigInteger,
        sa_column_kwargs={"default": NEXT_WRITE, "onupdate": NEXT_WRITE, "server_default": "0"},
    )  # fmt: skip
    """The number of the last write about it. The writes about all games are counted together.

    Who notes the result of a look says which number was seen, and an archive notes up to which number it shows games.
    """
    look_at: datetime | None = Field(default=AT_ONCE, index=True, sa_column_kwargs={"onupdate": AT_ONCE})
    """When a pass looks at it next; None: only after a change. Each change makes it at once, unless it says when."""

    step: Optional["Turn"] = Relationship(sa_relationship_kwargs=_PRESENT_STEP)
    """The step that it stands at; None before the start."""
    seats: list["Seat"] = Relationship(sa_relationship_kwargs=_SEATS)
    """Who sits there, and who sat there, the earliest first."""
    sheets: list["Sheet"] = Relationship(sa_relationship_kwargs=_SHEETS)
    """What came in for the present round and was not withdrawn, in order of arrival."""
    advance_moves: list["AdvanceMove"] = Relationship(sa_relationship_kwargs=_ADVANCE_MOVES)
    """What may still be played."""
    rulings: list["Ruling"] = Relationship(sa_relationship_kwargs=_RULINGS)
    """Those that hold in it: the general ones first, then its own, the last one last."""
    questions: list["Question"] = Relationship(sa_relationship_kwargs=_QUESTIONS)
    """The open ones about it, the oldest first."""
    watchers: list["Watcher"] = Relationship(sa_relationship_kwargs=_WATCHERS)

    @property
    def zat_in_force(self) -> datetime | None:
        """The ZAT; None while the game is held, for then nothing closes at it."""
        return None if self.held else self.zat


class Seat(Row, table=True):
    """Who sits where, and when; a row with `until` is history. Who got a seat back may have two rows of it."""

    __table_args__ = (
        Index("uq_seat_sitting", "game_id", "player_id", unique=True, sqlite_where=text("until IS NULL")),
        Index("uq_seat_taken", "game_id", "number", unique=True, sqlite_where=text("until IS NULL")),
    )  # fmt: skip
    id: int = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id", index=True)
    number: int
    player_id: int = Field(foreign_key="player.id", index=True)
    entry: Any = Field(default=None, sa_type=JSON)
    since: datetime
    until: datetime | None = None
    intent: str = ""  # wait | ready
    intent_round: int = 0
    player: Player = Relationship(sa_relationship_kwargs={"lazy": "joined", "innerjoin": True, "viewonly": True})


class MailIn(Row, table=True):
    """A mail as it was received; `reason` says why it has its status."""

    __tablename__ = "mail_in"
    __table_args__ = (
        UniqueConstraint("folder", "uidvalidity", "uid"),
        Index("ix_mail_in_status", "status", "received_at", "sender", "player_id"),
        Index("ix_mail_in_written", "written", "sender"),
    )
    id: int = Field(default=None, primary_key=True)
    folder: str
    uidvalidity: int = Field(sa_type=BigInteger)
    uid: int = Field(sa_type=BigInteger)
    raw: bytes = Field(sa_type=LargeBinary)
    size: int
    content: str
    """SHA-256 of what it says: together with the Message-ID it shows that a mail was fetched twice."""
    message_id: str = Field(default="", index=True)
    written: str = ""
    """Its Date, in UTC: together with sender and text it shows that a mail came by two ways; "" without one."""
    sender: str = ""
    subject: str = ""
    player_id: int | None = Field(default=None, foreign_key="player.id", index=True)
    received_at: datetime = Field(index=True)
    status: str = "new"  # new | applied | refused | ignored | quarantined | waiting | put off | unfetched | dropped
    reason: str = ""
    begun: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """It is being handled; a process that finds this when it starts counts an attempt with which one has died."""
    attempts: int = 0
    handled_at: datetime | None = None
    raw_hash: str = ""
    """SHA-256 of the raw mail, if `gm mail prune` has deleted that."""


class Sheet(Row, table=True):
    """A block of moves as it was sent and as it was understood. A seat's last one before the closing counts."""

    __table_args__ = (Index("ix_sheet_last", "game_id", "round", "seat", "received_at"),)
    id: int = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id")
    seat: int
    round: int
    player_id: int | None = Field(default=None, foreign_key="player.id")
    mail_id: int | None = Field(default=None, foreign_key="mail_in.id")
    received_at: datetime
    lines: list[str] = Field(sa_type=JSON)
    move: Any = Field(sa_type=JSON)
    complete: bool = True
    """False while something is missing (a wish letter): then the round doesn't close before its ZAT."""
    withdrawn_at: datetime | None = None


class AdvanceMove(Row, table=True):
    """Blocks that a seat has sent before its turn; the first that is legal then is played. A seat has one open.

    It is its owner's secret until it is played: nothing but what the owner sees is made from an open row.
    """

    __tablename__ = "advance_move"
    __table_args__ = (
        Index("uq_advance_move_open", "game_id", "seat", unique=True, sqlite_where=text("ended_at IS NULL")),
    )
    id: int = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id", index=True)
    seat: int
    player_id: int | None = Field(default=None, foreign_key="player.id", index=True)
    mail_id: int | None = Field(default=None, foreign_key="mail_in.id")
    received_at: datetime
    blocks: list[list[str]] = Field(sa_type=JSON)
    """The lines of each block."""
    ended_at: datetime | None = None
    ended: str = ""  # played | failed | replaced | withdrawn
    turn_id: int | None = Field(default=None, foreign_key="turn.id", index=True)
    """Played: the step that it made. Failed: the step whose position allowed none of its blocks. Withdrawn: the step
    with which the game went on without the seat."""


class Turn(Row, table=True):
    """One step of a game: its input, its result, and the verdicts on words that it rests on."""

    __table_args__ = (
        UniqueConstraint("game_id", "number", "version"),
        Index("ix_turn_unpublished", "game_id", sqlite_where=text("published_at IS NULL AND undone_at IS NULL")),
    )  # fmt: skip
    id: int = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id")
    number: int
    version: int = 1
    kind: str  # start | resolve | act | resign | rule
    round: int
    input: Any = Field(sa_type=JSON)
    state: Any = Field(sa_type=JSON)
    events: Any = Field(sa_type=JSON)
    verdicts: dict[str, Any] = Field(default_factory=dict, sa_type=JSON)
    rules_version: int
    made_by: str
    """The program that made it, and the checksum of the rules' code: `postal-gm 1.0.0 1f0c...`."""
    result: dict[str, Any] = Field(sa_type=JSON)
    """What these rules made of the position: `points` by seat as everybody saw them, and in the end the `outcome`."""
    retrospect: list[Any] = Field(default_factory=list, sa_type=JSON, sa_column_kwargs={"server_default": "[]"})
    """With the result of a game: what could have been scored, as sections of the engine."""
    words: str = ""
    at: datetime
    zat: datetime | None = None
    """The deadline that was set with this step."""
    zat_moves: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    zat_at: datetime | None = None
    """How often it was moved since, and when last."""
    released_at: datetime | None = Field(default=None, index=True)
    """When its bulletins were queued; None while they wait for the GM (`release = "gm"`)."""
    published_at: datetime | None = None
    """When its bulletins had gone out, so that everybody may know of it; None before that."""
    foreword: str = ""
    undone_at: datetime | None = None
    """When the GM took it back (`gm undo`), so that the game went on from the step before."""


class Duty(Row, table=True):
    """Who owed a move in a step, and whether it came: NMRs are counted by person, not by seat."""

    id: int = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id", index=True)
    turn_id: int = Field(foreign_key="turn.id", index=True)
    seat: int
    player_id: int = Field(foreign_key="player.id", index=True)
    kept: bool
    unclear: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """Not kept, but a mail lay there that may have been the move: it doesn't count as NMR."""


class MailOut(Row, table=True):
    """A mail to send. Bytes and Message-ID are fixed when it is queued: a second attempt sends the same mail."""

    __tablename__ = "mail_out"
    __table_args__ = (
        UniqueConstraint("cause", "kind", "recipient"),
        Index("ix_mail_out_due", "status", "priority", "id"),
        Index("ix_mail_out_queue", "status", "address", "priority", "id"),
        Index("ix_mail_out_lately", "address", "created_at"),
        Index("ix_mail_out_seen", "game_id", "player_id", "opens_round"),
    )
    id: int = Field(default=None, primary_key=True)
    cause: str
    kind: str
    recipient: str
    """The player's id, else the address: two players of one address get a mail each."""
    player_id: int | None = Field(default=None, foreign_key="player.id")
    address: str
    game_id: int | None = Field(default=None, foreign_key="game.id")
    opens_round: int | None = None
    """The round whose position this mail shows: who has it may move in that round."""
    message_id: str = Field(unique=True)
    subject: str
    raw: bytes | None = Field(default=None, sa_type=LargeBinary)
    priority: int = 1  # 0 answers, 1 bulletins, 2 digests
    status: str = "queued"  # queued | sent | refused | bounced | dropped | left out
    attempts: int = 0
    next_try: datetime
    sending: bool = False
    """Handed to the server, and not yet known what came of it."""
    by_post: bool = False
    """The GM gets it for a player without an address."""
    created_at: datetime
    sent_at: datetime | None = Field(default=None, index=True)
    error: str = ""
    raw_hash: str = ""
    """SHA-256 of the raw mail, if `gm mail prune` has deleted that."""


class DigestStep(Row, table=True):
    """A step of a game that a player is told of in the daily digest, and in no mail of its own."""

    __tablename__ = "digest_step"
    __table_args__ = (UniqueConstraint("player_id", "turn_id"), Index("ix_digest_step_untold", "told_by", "player_id"))
    id: int = Field(default=None, primary_key=True)
    player_id: int = Field(foreign_key="player.id")
    game_id: int = Field(foreign_key="game.id", index=True)
    turn_id: int = Field(foreign_key="turn.id", index=True)
    seat: int | None = None  # that the player had then; None for one who watches
    due_at: datetime
    """The digest that is made from then on tells of it."""
    told_by: str = ""
    """The Message-ID of the digest that tells of it."""


class Ruling(Row, table=True):
    """What the GM decided on a word, for one game or (without a game) for all. The last one counts."""

    id: int = Field(default=None, primary_key=True)
    game_id: int | None = Field(default=None, foreign_key="game.id", index=True)
    word: str
    accepted: bool
    note: str = ""
    at: datetime


class Question(Row, table=True):
    """A question to somebody at an address, or, without one, to the GM. `payload` is what the answer acts on."""

    __table_args__ = (
        Index("ix_question_kind", "kind", "created_at"),
        Index("ix_question_player_id", "player_id", "kind"),
    )
    id: int = Field(default=None, primary_key=True)
    code: str = Field(unique=True)
    kind: str
    player_id: int | None = Field(default=None, foreign_key="player.id")
    address: str = Field(default="", index=True)
    game_id: int | None = Field(default=None, foreign_key="game.id", index=True)
    mail_id: int | None = Field(default=None, foreign_key="mail_in.id")
    payload: dict[str, Any] = Field(default_factory=dict, sa_type=JSON)
    created_at: datetime
    expires_at: datetime | None = None
    answered_at: datetime | None = Field(default=None, index=True)
    answer: str = ""


class Standby(Row, table=True):
    """A player who would take over a seat, in any game or in one kind (`engine`). The lowest id is asked first."""

    __table_args__ = (UniqueConstraint("player_id", "engine"),)
    id: int = Field(default=None, primary_key=True)
    player_id: int = Field(foreign_key="player.id")
    engine: str = ""
    at: datetime


class Vacation(Row, table=True):
    """Days, the last one included, on which a player is away."""

    id: int = Field(default=None, primary_key=True)
    player_id: int = Field(foreign_key="player.id", index=True)
    first: date
    last: date
    at: datetime


class Watcher(Row, table=True):
    """A player who gets a game's bulletins as spectators see it."""

    __table_args__ = (UniqueConstraint("game_id", "player_id"),)
    id: int = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id")
    player_id: int = Field(foreign_key="player.id", index=True)
    at: datetime
    player: Player = Relationship(sa_relationship_kwargs={"lazy": "joined", "innerjoin": True, "viewonly": True})


class Press(Row, table=True):
    """A player's press to all; `turn_id` is the step whose bulletin printed it."""

    id: int = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id", index=True)
    player_id: int = Field(foreign_key="player.id", index=True)
    mail_id: int | None = Field(default=None, foreign_key="mail_in.id")
    anonymous: bool = False
    text: str
    received_at: datetime
    turn_id: int | None = Field(default=None, foreign_key="turn.id", index=True)
