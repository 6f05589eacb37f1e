"""The engine contract: what a game must answer, and the values that go in and out of it.

A game knows seats, never names, addresses, mails, clocks or files. Rules are functions of values: a state,
moves, dice and a judge of words in; a new state and events out. `games.kit.testkit` checks every engine against
this page.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Generic, Literal, NewType, Protocol, TypeAlias, TypeVar, runtime_checkable

from games.dice import Dice
from games.words import DUDEN, Profile, Status, Words

Seat = NewType("Seat", int)
"""A place in a game, 1 for the first. Who sits there is the shell's business."""

Language: TypeAlias = Literal["de", "en"]
LANGUAGES: Final[tuple[Language, ...]] = ("de", "en")

EVERYONE: Final = "everyone"
Readers: TypeAlias = frozenset[Seat] | Literal["everyone"]
"""Who may know of an event. There is no default: secrecy is always written down."""

SPECTATOR: Final = "spectator"
ALL: Final = "all"
Viewer: TypeAlias = Seat | Literal["spectator", "all"]
"""Through whose eyes: a seat, somebody who only watches, or (after the end) everything that was hidden."""


@dataclass(frozen=True)
class Text:
    """A sentence by its code, to be worded in the reader's language.

    `values` fill the placeholders of the wording. A value under the key `seat` is a seat and becomes its
    player's name; a tuple of texts is worded one by one and joined with commas.
    """

    code: str
    values: "Mapping[str, str | int | Text | tuple[Text, ...]]" = field(default_factory=dict)


def say(code: str, **values: "str | int | Text | tuple[Text, ...]") -> Text:
    """Make a `Text`: `say("ROW_LENGTH", row=3, cells=5)`."""
    return Text(code, values)


Unit: TypeAlias = Literal["round", "turn", "deal"]

Wording: TypeAlias = Mapping[str, Mapping[Language, str]]
"""Code -> language -> sentence with `{placeholders}`; every code has every language (checked by the testkit)."""


def both(de: str, en: str) -> dict[Language, str]:
    """Pair a sentence with its translation, for a `Wording`."""
    return {"de": de, "en": en}


@dataclass(frozen=True, kw_only=True)
class Rules:
    """What is fixed about a game before anybody plays it."""

    key: str
    """Lower case with hyphens, the folder's name with underscores: `typ-dom`."""
    title: str
    """As it stands in the first line of a move block: `Typ-Dom`."""
    aliases: tuple[str, ...] = ()
    seats: tuple[int, int]
    """Fewest and most seats."""
    version: int
    """Stored with every turn; raised when an older state can no longer be read."""
    rounds: int | None = None
    """How many rounds there are, where that is fixed."""
    unit: Unit = "round"
    """What players call what `round` counts. In rounds, words are ruled on at the end; a turn or deal waits for it."""
    span: str | None = None
    """The usual span of a round (`4d`), where the game brings its own."""
    profile: str = DUDEN.name
    """Which words count: the name of a profile."""
    profiles: tuple[Profile, ...] = ()
    """The profiles that the game asks for beside `duden`."""
    grid_rows: int = 0
    """Rows of the grid in a move block: blank lines don't end a block before that many were seen."""
    options: Mapping[str, str | int | bool] = field(default_factory=dict)
    """Options of a game with their defaults."""


@dataclass(frozen=True, kw_only=True)
class MoveBlock:
    """What a seat sent for one game: the lines below the title line, cleaned by the parser.

    Cleaned means: no quotation, NFC, no invisible characters, every blank a plain space, `…` written as
    three dots, no blanks at the ends. Inner blanks stay as sent (the two-column form needs them).
    """

    lines: tuple[str, ...]


M = TypeVar("M")
S = TypeVar("S")
E = TypeVar("E")


Tone: TypeAlias = Literal["", "red", "green", "black", "yellow", "blue"]


@dataclass(frozen=True, kw_only=True)
class Cell:
    """One cell of a board: what lies there, and whether it is new since the last bulletin (or in this move)."""

    text: str = ""
    new: bool = False
    tone: Tone = ""
    """A colour that belongs to the thing itself; the text says it as well, for those who can't see it."""


@dataclass(frozen=True, kw_only=True)
class Grid:
    """A board with row and column labels, to be drawn as text, HTML table or SVG."""

    seat: Seat | None = None
    """Whose it is; the player's name heads it."""
    note: Text | None = None
    """A short addition to the name: `NMR`, `90 Punkte`."""
    columns: tuple[str, ...]
    """Labels; those of more than one letter are written downwards."""
    rows: tuple[str, ...]
    cells: tuple[tuple[Cell, ...], ...]
    """Row by row; each row as wide as `columns`."""


@dataclass(frozen=True, kw_only=True)
class Table:
    """A list with headings. Numbers stand on the right. `fold` 2 lets text show its halves side by side."""

    head: tuple[Text, ...]
    rows: tuple[tuple[str | int | Text, ...], ...]
    fold: int = 1


@dataclass(frozen=True, kw_only=True)
class Section:
    """A part of a bulletin: a heading, sentences, boards, a table; each may be missing."""

    title: Text | None = None
    lines: tuple[Text, ...] = ()
    grids: tuple[Grid, ...] = ()
    table: Table | None = None
    notes: tuple[Text, ...] = ()
    """Sentences below the boards and the table."""


@dataclass(frozen=True, kw_only=True)
class Played:
    """A word that a seat laid or claimed, for the register of words, the struck ones and the records."""

    seat: Seat
    word: str
    """In capitals, as it stands in the game's own letters."""
    points: int | None = None
    """What it is worth, or would be if it counted; None in a game whose words bring no points."""
    status: Status = "accepted"
    why: Text | None = None
    """Why it doesn't count."""
    where: Text | None = None
    """Line, cell or round."""


@dataclass(frozen=True, kw_only=True)
class View:
    """All that one viewer may see of a position, without layout."""

    headline: Text | None = None
    """What has happened last, short enough for a subject (`Ben legt TIER`), where a bulletin is about a single turn."""
    sections: tuple[Section, ...]
    how_to: tuple[Text, ...] = ()
    """How this seat moves now; empty for those who have nothing to send. The form of a line is shown with made-up
    content: an example never plays for the seat."""
    block: tuple[str, ...] = ()
    """The lines to copy, edit and send back (without the title line)."""
    facts: Mapping[str, Any] = field(default_factory=dict)
    """Plain JSON about the game, for `gm show --json`, archive and feeds."""
    seat_facts: Mapping[Seat, Mapping[str, Any]] = field(default_factory=dict)
    """Plain JSON about each seat. Statistics know two names: `wish`, the letter that the seat wishes for the next
    round, and `grid`, the rows of its own grid from the top, `.` where nothing lies."""
    words: tuple[Played, ...] = ()
    """After the end: every word of the game that somebody laid or claimed."""


@dataclass(frozen=True, kw_only=True)
class Sheet(Generic[M]):
    """A block as the engine understood it.

    With `problems` nothing counts and `move` is None; all problems are named at once. Without problems and
    without a move, nothing was entered (the template as we sent it).
    """

    move: M | None = None
    remarks: tuple[Text, ...] = ()
    """What the player should know although the move is good."""
    problems: tuple[Text, ...] = ()
    """Each fault with its place and what would be right."""
    wanted: tuple[Text, ...] = ()
    """What is still missing in a good move: a wish letter."""
    doubtful: tuple[str, ...] = ()
    """Words the list doesn't know; the GM rules on them, before a move that has its effect at once. With problems those
    for which the move is refused: the player is told how to have the GM rule."""
    summary: tuple[tuple[Text, Text], ...] = ()
    """Label and content of what was understood, for the confirmation."""
    grids: tuple[Grid, ...] = ()
    """The position as it would be: as understood, or, with problems, as read."""
    offer: tuple[str, ...] = ()
    """With problems: the corrected block, ready to send (without the title line)."""


@dataclass(frozen=True, kw_only=True)
class Event:
    """Something that happened, and who may know of it."""

    text: Text
    readers: Readers


def public(*texts: Text) -> tuple[Event, ...]:
    """Make events that everybody may know of."""
    return tuple(Event(text=text, readers=EVERYONE) for text in texts)


def private(seat: Seat, *texts: Text) -> tuple[Event, ...]:
    """Make events that one seat alone hears of."""
    return tuple(Event(text=text, readers=frozenset({seat})) for text in texts)


@dataclass(frozen=True, kw_only=True)
class SignUp:
    """What a sign-up brings where that is nothing but the player."""


@dataclass(frozen=True, kw_only=True)
class Resolution(Generic[S]):
    """What a step leads to."""

    state: S
    events: tuple[Event, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Standing:
    """A line of the final table; equal points share a rank."""

    rank: int
    seat: Seat
    points: int | None = None
    """None in a game without points, or one that ended before there were any."""
    guesses: int | None = None
    """How many it took, in a game that is won by guessing."""


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """How a game ended. It is provisional as long as a word is doubtful."""

    standings: tuple[Standing, ...]
    winners: tuple[Seat, ...]
    """Who has won, not always the head of the table: several may share it, or nobody; never who gave up."""
    how: Text | None = None
    """How it ended, in a few words behind the winner's name, where points don't say it: `gewinnt in Runde 5`."""
    doubtful: tuple[str, ...] = ()


class Engine(Protocol[S, M, E]):
    """The rules of one game. S: the state, a frozen dataclass of plain values; M: a move; E: sign-up data.

    No method changes what it is given. Every engine goes on, and ends, whatever is missing. A game that subclasses
    this one inherits `enrol`, `suggest_entry`, `stand` and `act` for the usual case; mypy names what else to answer.
    """

    rules: Rules
    wording: Wording
    state_type: type[S]
    move_type: type[M]
    entry_type: type[E]

    def enrol(self, block: MoveBlock, options: Mapping[str, Any]) -> Sheet[E]:  # noqa: ARG002
        """Read what a sign-up brings (a wish letter). Nothing yet is no problem: `wanted` says what is missing.

        By default a player is enough, and the entry is an empty `entry_type`.
        """
        return Sheet(move=self.entry_type())

    def start(self, entries: Mapping[Seat, E | None], options: Mapping[str, Any], dice: Dice) -> Resolution[S]:
        """Set up round 1. Raises SetupError while seats, entries or options don't allow it."""

    def due(self, state: S) -> frozenset[Seat]:
        """Say who owes a move; nobody means that the game is over."""

    def round(self, state: S) -> int:
        """Say which round is being played, or was the last."""

    def stand(self, state: S, seat: Seat) -> int:  # noqa: ARG002
        """Number the positions that a seat has been asked to decide on: it grows with each that is new to it.

        A mail with a block counts for the position its sender has seen. A game whose moves have their effect at once
        writes `Stand: 7` into the copy block; the shell compares it, and the engine never sees the line. By default
        every round is one position, the same for all.
        """
        return self.round(state)

    def read(self, state: S, seat: Seat, block: MoveBlock, words: Words, own: M | None = None) -> Sheet[M]:
        """Understand a block. Never raises. `own` is the seat's move on file: what the block leaves out stays."""

    def act(self, state: S, seat: Seat, move: M, dice: Dice, words: Words) -> Resolution[S] | None:  # noqa: ARG002
        """Carry out a move that has its effect at once (a turn, a roll, a race); None where it waits for the closing.

        A sheet with doubtful words never comes here, unless the game's unit is a round: the GM rules first. By default
        all moves wait for the closing.
        """
        return None

    def resolve(self, state: S, moves: Mapping[Seat, M], dice: Dice, words: Words) -> Resolution[S]:
        """Close the round. A due seat without a move is NMR."""

    def give_up(self, state: S, seats: frozenset[Seat]) -> S:
        """Mark seats that nobody will play any more: they rank behind all others and can't win. Nothing else happens.

        In a game in which a seat stays on the table, a standby may have taken one that was given up before: then
        exactly these are marked.
        """

    def resign(self, state: S, seat: Seat, dice: Dice) -> Resolution[S]:
        """Give a seat up and play on without it; with one seat left in play the game is over, and that one has won."""

    def outcome(self, state: S) -> Outcome | None:
        """Say how it ended, or None while it goes on."""

    def view(self, state: S, viewer: Viewer, own: M | None = None) -> View:
        """Show the position to one viewer; `own` is that seat's move on file. The only way out of a state.

        `ALL` is asked for after the end only, by the archive: every position again, with what was hidden in it then.
        Who sees all sees at least the lines and facts that a spectator does.
        """

    def suggest_entry(self, seat: Seat) -> tuple[str, ...]:  # noqa: ARG002
        """Make the lines of a sign-up that is enough, for scripted players and tests; by default none are needed."""
        return ()

    def suggest(self, state: S, seat: Seat, dice: Dice, words: Words) -> tuple[str, ...]:
        """Make the lines of a legal, sensible block, for scripted players and tests; no mail shows them."""


@runtime_checkable
class ShowsFaults(Protocol):
    """What an engine may have beside the contract: blocks that go wrong, for `gm demo`.

    The demo of such a game has a full table and shows all that can happen to a move; its moves wait for the closing.
    """

    def illegal(self, lines: tuple[str, ...]) -> tuple[str, ...]:
        """Change suggested lines so that they break a rule."""

    def doubtful(self, lines: tuple[str, ...], words: Words) -> tuple[str, ...]:
        """Change suggested lines so that the GM has to rule on a word; the same lines where that can't be done."""


@runtime_checkable
class LooksBack(Protocol):
    """What an engine may have beside the contract: what could have been had in a finished game.

    The service asks once a game, when it is idle and for at most two seconds; the archive shows the last answer.
    """

    def look_back(self, state: Any, words: Words, dice: Dice) -> Iterator[tuple[Section, ...]]:
        """Give what was found so far, again and again, each time at least as much; the caller stops when it has to.

        A step takes a few milliseconds. Everybody may see it, and only after the end: before, nothing is given. All
        chance is the dice's, so the same seed and time lead to the same.
        """
