"""What a player can ask for by mail: one frozen class for each command.

Names of games are as written; nothing here knows which games there are. An empty name means that none was given.
"""

from dataclasses import dataclass, field, fields, replace
from datetime import date
from typing import Final, Literal

from games.api import Language, MoveBlock

NO_LINES = MoveBlock(lines=())


@dataclass(frozen=True, kw_only=True)
class Command:
    """What a line asks for."""


@dataclass(frozen=True, kw_only=True)
class OfGame(Command):
    """A command about a game: the title and the name that were written, either may be missing."""

    title_key: str = ""
    game: str = ""


@dataclass(frozen=True, kw_only=True)
class LongText(OfGame):
    """A command with a text, which stands behind the game's name or below it, up to a line `Ende`."""

    text: str
    """Line by line, as it was written."""
    is_open: bool = False
    """There was no `Ende`: the text goes to the next title line, or to the end of the mail."""


@dataclass(frozen=True, kw_only=True)
class Orders(OfGame):
    """A move block. Both names are empty where the title line is missing (the lines look like a grid)."""

    block: MoveBlock = NO_LINES
    player_name: str = ""
    """From a line `Name: Anna` in the block or above it."""
    round: int | None = None
    """From a line `Runde: 3`, or the title line: the block is for that round only."""
    stand: int | None = None
    """From a line `Stand: 7`: the block belongs to that position only."""
    beside: str = ""
    """The game of the only whole block with a title in the same mail: meant where the mail answers none of ours."""


@dataclass(frozen=True, kw_only=True)
class Advance(OfGame):
    """Moves for when the sender's turn comes, the one that is wished most first."""

    blocks: tuple[MoveBlock, ...] = ()
    player_name: str = ""

    @property
    def heading(self) -> Orders:
        """A move without lines, of the same game and player: whose and which game's the blocks are."""
        return Orders(title_key=self.title_key, game=self.game, player_name=self.player_name)

    @property
    def lines(self) -> tuple[str, ...]:
        """All lines of all blocks."""
        return tuple(line for block in self.blocks for line in block.lines)


@dataclass(frozen=True, kw_only=True)
class Join(OfGame):
    """A sign-up, with what the game wants to know at once (`Neu: D`)."""

    block: MoveBlock = NO_LINES
    player_name: str = ""


@dataclass(frozen=True, kw_only=True)
class Withdraw(OfGame):
    """Take the own move of this round back."""


@dataclass(frozen=True, kw_only=True)
class Wait(OfGame):
    """Don't close before the ZAT."""


@dataclass(frozen=True, kw_only=True)
class Ready(OfGame):
    """Do close before the ZAT. Never without a game's name: bare `Fertig!` is noise."""


@dataclass(frozen=True, kw_only=True)
class Status(OfGame):
    """Send the position."""


@dataclass(frozen=True, kw_only=True)
class Help(Command):
    """Send the commands, or the rules of a game."""

    topic: str = ""
    """A game's key where a title was named, else the word as sent."""


@dataclass(frozen=True, kw_only=True)
class Games(Command):
    """Send the list of games."""


@dataclass(frozen=True, kw_only=True)
class MyGames(Command):
    """Send all games of the sender: how they stand, and until when a move is due."""


@dataclass(frozen=True, kw_only=True)
class Yes(Command):
    """Yes to the question with this code; without a code, to the one that is open."""

    code: str = ""


@dataclass(frozen=True, kw_only=True)
class No(Command):
    """No, likewise."""

    code: str = ""


@dataclass(frozen=True, kw_only=True)
class Standby(Command):
    """On or off the standby list, for one title or all."""

    title_key: str = ""
    on: bool = True


@dataclass(frozen=True, kw_only=True)
class Appeal(OfGame):
    """An objection to how a word was judged; the word as it was written."""

    word: str
    reason: str = ""


@dataclass(frozen=True, kw_only=True)
class ToGm(Command):
    """A text for the GM."""

    text: str


@dataclass(frozen=True, kw_only=True)
class Resign(OfGame):
    """Leave a game. Never without its name."""


@dataclass(frozen=True, kw_only=True)
class History(OfGame):
    """Send a round's bulletin again (0: the start), or the last one."""

    number: int | None = None


@dataclass(frozen=True, kw_only=True)
class Vacation(Command):
    """Be away on these days, from the first to the last, or not after all."""

    days: tuple[date, date] | None
    """None: all days to come."""
    is_off: bool = False
    """Not away on these days after all."""


@dataclass(frozen=True, kw_only=True)
class Extension(OfGame):
    """Ask the GM for a later ZAT."""

    span: str = ""
    """As `gm zat` takes it: `3d`, `12h`; empty where none was named."""
    until: date | None = None
    """The day to which the ZAT is to move."""


@dataclass(frozen=True, kw_only=True)
class Watch(OfGame):
    """Get the bulletins of a game as spectators see it, or not any more."""

    on: bool = True


@dataclass(frozen=True, kw_only=True)
class Press(LongText):
    """A text for the next bulletin."""

    anonymous: bool = False
    is_open: bool = False
    """There was no `Ende`: the text goes to the next title line, or to the end of the mail."""


@dataclass(frozen=True, kw_only=True)
class ToAll(LongText):
    """A text for all players of a game."""


@dataclass(frozen=True, kw_only=True)
class Digest(Command):
    """How often the digest is wanted."""

    how: Literal["daily", "weekly", "monthly", "off"]
    at: str = ""
    """The time of day of a daily one, `18:00`; empty: that of the weekly one."""


@dataclass(frozen=True, kw_only=True)
class SetLanguage(Command):
    """Which language is wanted from now on."""

    to: Language


@dataclass(frozen=True, kw_only=True)
class NewAddress(Command):
    """Use another address from now on; as written, in lower case."""

    address: str


@dataclass(frozen=True, kw_only=True)
class ArchiveName(Command):
    """How much of the name the archive shows; without a form, what it shows now."""

    form: Literal["", "full", "initial"] = ""


@dataclass(frozen=True, kw_only=True)
class GmCommand(Command):
    """A line of the GM's: `gm rule Eriwan accept URAN`, its words without the first."""

    words: tuple[str, ...]
    text: str = ""
    """What stands below `gm release NAME` up to `Ende`: the foreword."""


@dataclass(frozen=True, kw_only=True)
class NotUnderstood(Command):
    """A line that looks like a command and is none."""

    line: str
    meant: str
    """The nearest command, as it would be right or as an example."""
    is_sign_up: bool = field(default=False, compare=False)
    """It was to be a sign-up, which strangers may send as well."""


_MAY_LACK: Final = ("title_key", "game", "topic", "number", "span", "until", "form")
_TEXTS: Final = ("reason", "text", "is_open", "blocks", "block", "player_name", "beside")
"""What goes on below a command's line."""


def in_game(command: Command, name: str) -> Command:
    """Put a game's name into a command that could have one and has none."""
    lacks_game = getattr(command, "game", None) == ""
    return replace(command, **{"game": name}) if lacks_game else command


def is_part_of(command: Command, other: Command) -> bool:
    """Return whether a command says nothing that the other doesn't: it is the same, or lacks a game's name or number.

    Texts and move lines below them aren't compared.
    """
    return type(command) is type(other) and all(
        (said := getattr(command, one.name)) == getattr(other, one.name) or (one.name in _MAY_LACK and not said)
        for one in fields(command) if one.name not in _TEXTS
    )  # fmt: skip


def has_text(command: Command) -> bool:
    """Return whether a text or move lines belong to a command."""
    return any(getattr(command, name, None) not in (None, "", False, (), NO_LINES) for name in _TEXTS)
