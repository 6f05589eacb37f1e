"""The contract of a game: the questions it answers (`Engine`), and the values that go in and out.

A game knows seats, never names, addresses, mails, clocks or files. Its rules are functions of values: a position,
moves, dice and a judge of words go in, a new position and events come out. `games.kit.testkit` checks every engine
against this page.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Generic, Literal, NewType, Protocol, TypeAlias, TypeVar

from games.catalogue import LANGUAGES as LANGUAGES
from games.catalogue import Language as Language
from games.catalogue import Wording as Wording
from games.dice import Dice
from games.words import DUDEN, Profile, Status, Words

Seat = NewType("Seat", int)
"""A place in a game, 1 for the first. Which player sits there is known to the service only."""

EVERYONE: Final = "everyone"
Readers: TypeAlias = frozenset[Seat] | Literal["everyone"]
"""Who may know of an event. There is no default, so that every event says it."""

SPECTATOR: Final = "spectator"
ALL: Final = "all"
Viewer: TypeAlias = Seat | Literal["spectator", "all"]
"""Who looks: a seat, a spectator, or (after the end) somebody who may see all that was hidden."""


def seat_of(viewer: Viewer, seats: Iterable[Seat]) -> Seat | None:
    """Return the seat that looks, or None for anybody else."""
    return next((seat for seat in seats if seat == viewer), None)


@dataclass(frozen=True)
class Text:
    """A sentence as a code; a `Wording` has it in each language.

    `values` fill the placeholders of the wording. A value named `seat` is a seat and becomes its player's name: with a
    value `in_round` beside it that of who held it in that round, and `{unless_same}` then says ` (Dora)` where
    it was somebody else than now. A tuple of texts is worded one by one and joined with commas; one named `names` is
    listed as in a sentence: `Dora, Emil und Frida`.
    """

    code: str
    values: "Mapping[str, str | int | Text | tuple[Text, ...]]" = field(default_factory=dict)


def say(code: str, **values: "str | int | Text | tuple[Text, ...]") -> Text:
    """Make a `Text`: `say("ROW_LENGTH", row=3, cells=5)`."""
    return Text(code, values)


Unit: TypeAlias = Literal["round", "turn", "deal"]

KEY: Final = "KEY_"
"""How the codes begin of words that a line of a block may begin with: engines write the German one, and read both."""

AIM: Final = "AIM"
"""The code of what a game is about, in a sentence or two: the start mail says it, and the page of rules."""


@dataclass(frozen=True, kw_only=True)
class Rules:
    """The fixed facts of a game."""

    key: str
    """Lower case with hyphens; the folder has the same name with underscores: `last-match` in `last_match/`."""
    title: str
    """As it stands in the first line of a move block: `Last Match`."""
    aliases: tuple[str, ...] = ()
    seats: tuple[int, int]
    """Fewest and most seats."""
    version: int
    """Stored with every turn; raised when recorded moves would lead to other positions, points or winners. Older states
    and moves must still be readable: a new field has a default."""
    compatible: tuple[int, ...] = ()
    """Older versions whose running games go on by this one without asking the GM, as nobody could mind."""
    rounds: int | None = None
    """How many rounds there are, where that is fixed. The wording of `ROUND_0` says what that round is for."""
    unit: Unit = "round"
    """What players call the thing that `round` counts. Words are ruled on after a round, but before a turn or deal."""
    span: str | None = None
    """The usual time for a round (`4d`), where it isn't that of the zine."""
    profile: str = DUDEN.name
    """Which words count: the name of a profile."""
    profiles: tuple[Profile, ...] = ()
    """All profiles that the game may ask for, beside `duden`."""
    grid_rows: int = 0
    """Rows of the grid in a move block: before these, a blank line doesn't end the block."""
    options: Mapping[str, str | int | bool] = field(default_factory=dict)
    """Options of a game with their defaults. The game's wording of `OPTION_STAKE_2`, else of `OPTION_STAKE`, tells the
    players what a `{value}` means that isn't the default."""
    choices: Mapping[str, Sequence[str | int | bool]] = field(default_factory=dict)
    """What an option may be, where that isn't for the game itself to find out."""
    example: "Section | None" = None
    """A move that the author made up, for the page of rules: what is sent, in a sentence, and the board after it."""
    hides_nothing: bool = False
    """Everybody sees the whole position, so that `resample` needn't be written. `games.kit.testkit` checks both."""
    is_example: bool = False
    """This game stands in the examples of commands, and `gm demo` plays it. Only one game needs it."""

    @property
    def in_turns(self) -> bool:
        """Whether seats move one after another, each move at once: then moves can be sent before one's turn."""
        return self.unit == "turn"


Tone: TypeAlias = Literal["", "red", "green", "black", "yellow", "blue"]

Mark: TypeAlias = Literal["", "wrong", "joker", "idle", "full", "ring"]
"""`wrong`: the cell that a move is refused for. `joker`: it stands for another letter. `idle`: a die that isn't used.
`full` and `ring`: a peg for the right letter at its place, and for one at another place."""

Look: TypeAlias = Literal["letters", "dominoes", "tiles", "dice", "pegs"]
"""What a board is drawn as: a grid of letters, square tiles of four colours, a rack, dice, or guesses with pegs."""


@dataclass(frozen=True, kw_only=True)
class Cell:
    """One cell of a board: what lies there, and whether it is new since the last bulletin (or in this move)."""

    text: str = ""
    new: bool = False
    tone: Tone = ""
    """The colour of the thing that lies there. The text must name it as well, for those who can't see colours."""
    mark: Mark = ""
    value: int | None = None
    """What the letter is worth, where words bring points."""
    sides: "tuple[Cell, ...]" = ()
    """Of a domino: its fields above, right, below and left; its own text is its name."""


@dataclass(frozen=True, kw_only=True)
class Grid:
    """A board with row and column labels, to be drawn as text, HTML table or SVG."""

    look: Look = "letters"
    seat: Seat | None = None
    """Whose it is; the player's name heads it."""
    note: Text | None = None
    """A short addition to the name: `NMR`, `90 Punkte`."""
    columns: tuple[str, ...]
    """Labels; those of more than one letter are written downwards."""
    rows: tuple[str, ...]
    cells: tuple[tuple[Cell, ...], ...]
    """Row by row; each row as wide as `columns`."""
    said: Text | None = None
    """The same in a sentence. Text mails have it in place of the drawing, and screen readers read it."""


@dataclass(frozen=True, kw_only=True)
class Table:
    """A list with headings. Numbers are aligned right. With `fold` 2, text mails show its two halves side by side."""

    head: tuple[Text, ...]
    rows: tuple[tuple[str | int | Text, ...], ...]
    fold: int = 1
    is_card: bool = False
    """A score card: HTML shows its columns as rows, so that each row here, a seat, is a column there."""
    below: tuple[tuple[Text | str, ...], ...] = ()
    """Of a score card: a few small words below each cell, as pages have room for them; rows and columns as above."""


@dataclass(frozen=True, kw_only=True)
class Section:
    """A part of a bulletin: a heading, sentences, boards, a table; each may be missing."""

    title: Text | None = None
    lines: tuple[Text, ...] = ()
    legend: tuple[Text, ...] = ()
    """What capitals, small letters and signs on the boards of a mail mean. Pages draw that, and leave it out."""
    grids: tuple[Grid, ...] = ()
    table: Table | None = None
    notes: tuple[Text, ...] = ()
    """Sentences below the boards and the table."""


@dataclass(frozen=True, kw_only=True)
class Played:
    """A word that a seat laid or claimed, for the archive's lists of words."""

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
    first: str = ""
    """The cell of its first letter as the labels of column and row say it (`Z26`), where it lies on a board."""
    last: str = ""
    """The cell of its last letter."""


@dataclass(frozen=True, kw_only=True)
class View:
    """All that one viewer may see of a position, without layout."""

    headline: Text | None = None
    """The last turn, short enough for a subject (`Ben legt TIER`), in a game with a bulletin for each turn."""
    sections: tuple[Section, ...]
    ask: Text | None = None
    """What goes into the block, in one sentence; mails have it right above the block. None: see `how_to`."""
    how_to: tuple[Text, ...] = ()
    """How this seat moves now; empty for those who have nothing to send. Examples are made up: they must not give the
    seat ideas for its move."""
    in_short: tuple[Text, ...] = ()
    """What a seat that has moved before should know beside `ask`, in a line or two; empty where `how_to` is short
    enough."""
    block: tuple[str, ...] = ()
    """The lines to copy, edit and send back (without the title line)."""
    facts: Mapping[str, Any] = field(default_factory=dict)
    """Plain JSON about the game, for `gm show --json`, archive and feeds."""
    seat_facts: Mapping[Seat, Mapping[str, Any]] = field(default_factory=dict)
    """Plain JSON about each seat. The archive knows two names: `wish`, the letter that the seat wishes for the next
    round, and `grid`, the rows of its own grid from the top, `.` for a blank cell. Curves are drawn of `points` (or
    `balance`), `counters`, and `tiles` (or `red` and `black`), where every seat has them in every position."""
    words: tuple[Played, ...] = ()
    """After the end: every word of the game that somebody laid or claimed."""


S = TypeVar("S")
"""A position, a frozen dataclass of plain values."""
M = TypeVar("M")
"""A move."""
E = TypeVar("E")
"""The data of a sign-up."""


@dataclass(frozen=True, kw_only=True)
class MoveBlock:
    """What a seat sent for one game: the lines below the title line, cleaned by the parser.

    Nothing in them is quoted. They are NFC, without invisible characters and without blanks at the ends; every blank is
    a plain space, `…` is three dots, and signs of full width are plain. Blanks within a line stay (the two-column form
    needs them).
    """

    lines: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Sheet(Generic[M]):
    """A block as the engine understood it.

    If there are `problems`, all are named and there is no move. Without problems and without a move nothing was
    entered: it is the template as we sent it.
    """

    move: M | None = None
    remarks: tuple[Text, ...] = ()
    """What the player should know although the move is good."""
    problems: tuple[Text, ...] = ()
    """Each fault with its place and what would be right."""
    wanted: tuple[Text, ...] = ()
    """What is still missing in a good move: a wish letter."""
    doubtful: tuple[str, ...] = ()
    """Words that the list doesn't know, so that the GM has to rule on them. With problems: the words for which the move
    is refused; the player is told how to ask the GM."""
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
    """Sign-up data of a game that needs none."""


@dataclass(frozen=True, kw_only=True)
class Resolution(Generic[S]):
    """What a step leads to: the new position, and what happened on the way."""

    state: S
    events: tuple[Event, ...] = ()

    def then(self, state: S, *events: Event) -> "Resolution[S]":
        """Go on to another position; what has happened so far stays in front."""
        return Resolution(state=state, events=(*self.events, *events))


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
    """How a game ended. It is provisional while a word is doubtful."""

    standings: tuple[Standing, ...]
    winners: tuple[Seat, ...]
    """Who has won: one, several or nobody, not always the first of the table, and never a seat that was given up."""
    how: Text | None = None
    """A few words behind the winner's name, where points don't say it: `gewinnt in Runde 5`."""
    doubtful: tuple[str, ...] = ()


class Engine(Protocol[S, M, E]):
    """The rules of one game.

    No method changes what it is given. Every game goes on, and ends, even if no move ever comes. `games.base` has what
    most games do alike, in rounds or in turns; mypy names the methods that a game must write itself.
    """

    rules: Rules
    wording: Wording
    state_type: type[S]
    move_type: type[M]
    entry_type: type[E]

    def enrol(self, block: MoveBlock, options: Mapping[str, Any]) -> Sheet[E]:  # noqa: ARG002
        """Read the data of a sign-up (a wish letter). If it is still missing, that is `wanted` and no problem.

        By default a game needs none, and the entry is an empty `entry_type`.
        """
        return Sheet(move=self.entry_type())

    def start(self, entries: Mapping[Seat, E | None], options: Mapping[str, Any], dice: Dice) -> Resolution[S]:
        """Set up round 1. Raises SetupError while seats, entries or options don't allow it."""

    def due(self, state: S) -> frozenset[Seat]:
        """Return who owes a move; nobody means that the game is over."""

    def round(self, state: S) -> int:
        """Return which round is being played, or was the last."""

    def stand(self, state: S, seat: Seat) -> int:  # noqa: ARG002
        """Return the number of the position that a seat is asked about. Each new one has a higher number.

        A move counts only for the position that its sender has seen. So a game whose moves take effect at once writes
        `Stand: 7` into the copy block; the service compares it, and the engine never sees that line. By default every
        round is one position.
        """
        return self.round(state)

    def read(self, state: S, seat: Seat, block: MoveBlock, words: Words, own: M | None = None) -> Sheet[M]:
        """Read a block. Never raises. `own` is the seat's move on file, from which comes what the block leaves out."""

    def write(self, state: S, seat: Seat, move: M) -> tuple[str, ...]:
        """Write a move as the lines of a block (without the title line). `read` makes the same move of them."""

    def moves(self, state: S, seat: Seat) -> Iterable[M]:  # noqa: ARG002
        """List the legal moves of a seat, where they can be counted out without a word list; by default nothing."""
        return ()

    def act(self, state: S, seat: Seat, move: M, dice: Dice, words: Words) -> Resolution[S] | None:  # noqa: ARG002
        """Carry out a move that takes effect at once (a turn, a roll, a race). None: it waits for the closing.

        A move with doubtful words comes here only after the GM's ruling, unless the game's unit is a round. By default
        all moves wait for the closing.
        """
        return None

    def resolve(self, state: S, moves: Mapping[Seat, M], dice: Dice, words: Words) -> Resolution[S]:
        """Close the round. A due seat without a move is NMR."""

    def give_up(self, state: S, seats: frozenset[Seat]) -> S:
        """Mark seats that nobody plays any more: they rank behind all others and can't win. Nothing else happens.

        Where a given-up seat stays in the game, a standby may take it again. Such a game marks exactly these seats.
        """

    def resign(self, state: S, seat: Seat, dice: Dice) -> Resolution[S]:
        """Give up a seat and play on without it. With one seat left in play the game is over, and that seat has won."""

    def outcome(self, state: S) -> Outcome | None:
        """Return how the game ended, or None while it goes on."""

    def view(self, state: S, viewer: Viewer, own: M | None = None) -> View:
        """Show the position to one viewer; `own` is that seat's move on file. Nothing else leaves a position.

        After the end the archive asks for every position again as `ALL`, with what was hidden then. That view holds at
        least the lines and facts that a spectator sees.
        """

    def resample(self, state: S, viewer: Viewer, dice: Dice) -> S:  # noqa: ARG002
        """Draw another position that this seat, or a spectator, can't tell from this one.

        It differs in all that is hidden from the viewer: what others hold, secret words, the order of a bag. What the
        viewer sees and what follows from it stays, and everything else that the rules allow is drawn, each way as
        likely as any other. By default nothing differs, for a game that says `hides_nothing` in its rules.
        """
        return state

    def suggest_entry(self, seat: Seat) -> tuple[str, ...]:  # noqa: ARG002
        """Make the lines of a sign-up that is enough, for scripted players and tests; by default none are needed."""
        return ()

    def suggest(self, state: S, seat: Seat, dice: Dice, words: Words) -> tuple[str, ...]:  # noqa: ARG002
        """Make the lines of a legal, sensible block, for scripted players and tests; no mail shows them.

        Who wants them asks `games.suggestions.suggested`: then the position is a resampled one, and what is hidden
        from the seat can't help it. By default any of the `moves` is drawn.
        """
        found = tuple(self.moves(state, seat))
        return self.write(state, seat, dice.choice(found)) if found else ()
