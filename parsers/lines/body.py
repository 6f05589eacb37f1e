"""The body of a mail, line by line: move blocks, commands and texts for the GM; the rest is free text.

Sources: shared/spec/interface.md (Players' commands by mail), rulings.md part 3 (3 end of a block, 14 template,
15 press).
"""

import re
from collections.abc import Set
from dataclasses import replace
from functools import cache
from typing import Final

from games.api import MoveBlock
from parsers.commands import Advance, Appeal, Join, LongText, No, Orders, ToGm, Yes
from parsers.invisible import fold_name
from parsers.lines.blocks import (
    PLAYER_LINE,
    WISH_KEY,
    WISH_LINE,
    find_untitled,
    orders_of,
    read_alternatives,
    read_block,
    row_width,
)
from parsers.lines.command_lines import TO_GM, ReadCommand, Subject, read_gm_line
from parsers.lines.command_table import MAX_TEXT
from parsers.lines.mistakes import find_mistakes, misspelt_join, misspelt_title
from parsers.lines.names import Named, Names
from parsers.lines.own_lines import OwnLines
from parsers.lines.public_texts import Extent, PublicTexts
from parsers.lines.small_words import read_line
from parsers.prose.answers import read_answer, read_letter
from parsers.prose.courtesies import GREETING
from parsers.sent_texts import Repeated, SentTexts, Standing

GOES_ON: Final = (Join, LongText, Advance)
"""Commands that go on over lines below."""
MAX_JOIN_LINES: Final = 20
MAX_COMMANDS: Final = 50
"""More in one mail are taken as free text."""

NOT_NAMED = Named()
OWN_WORDS = SentTexts().within("")
NOISE = re.compile(r"(?:fertig|ready)[!. ]*", re.IGNORECASE)


class Body:
    """Reads the sender's own lines from top to bottom. Each step takes the lines it understands."""

    def __init__(
        self, text: str, names: Names, subject: Subject, signs: Set[str] = frozenset(), repeated: Repeated = OWN_WORDS
    ) -> None:
        self.signs = signs
        """How the sender may sign."""
        self.repeated = repeated
        self.own = OwnLines([*subject.behind, *text.split("\n")], names)
        self.lines = self.own.clean
        self.names = names
        self.subject = subject
        self.at = 0
        self.said: list[ReadCommand] = [subject.command] if subject.command else []
        self.is_first = True
        self.free: list[int] = []
        self.quoted: set[int] = set()
        """Lines of others, or ours, that are quoted without a mark."""
        self.quoted_orders: list[Orders] = []
        self.is_doubtful = False
        """The present line may be quoted."""
        self.moves: set[int] = set()
        """Lines of move blocks."""
        self.player_name = ""
        self.player_names: list[str] = []
        self._commands: dict[str, ReadCommand | None] = {}
        self._title = cache(lambda line: names.read_title_line(line) or misspelt_title(line, names))
        self.public_texts = PublicTexts(self.lines, names, self._ends_block)
        # Lines at the start of a body may belong to a sign-up in the subject.
        self.joining = subject.command is not None and isinstance(subject.command.command, Join)

    @property
    def says_more(self) -> bool:
        """Whether there is a command beside the subject's, or more to that one."""
        return self.said not in ([], [self.subject.command])

    @property
    def says_something(self) -> bool:
        """Whether there is a line of the sender's own."""
        return any(line and at not in self.quoted for at, line in enumerate(self.lines))

    @property
    def only_name(self) -> str:
        """The name in the lines `Name: Anna`, if there is but one."""
        return self.player_names[0] if len({name.casefold() for name in self.player_names}) == 1 else ""

    @property
    def free_lines(self) -> list[str]:
        return [self.own.raw[at].strip() for at in self.free]

    def opening(self) -> tuple[tuple[str, ...], ...]:
        """Return the free lines, clean, if the mail begins with one, or with an answer: they may say yes or no."""
        own = ((at, line) for at, line in enumerate(self.lines) if line and at not in self.quoted)
        first = next((at for at, line in own if not GREETING.fullmatch(line)), None)
        is_answer = bool(self.said) and isinstance(self.said[0].command, Yes | No)
        if not (first is None or first in self.free or is_answer):
            return ()
        return tuple(tuple(self.lines[at] for at in lines) for lines in self.own.together(self.free))

    def read(self) -> None:
        """Take line after line."""
        steps = (
            self._blank, self._wish, self._answer, self._player, self._orders, self._gm, self._command,
        )  # fmt: skip
        self._press_of_subject()
        self._advance_of_subject()
        while self.at < len(self.lines):
            if self._quotation():
                continue
            is_full = len(self.said) >= MAX_COMMANDS
            if not any(step() for step in ((self._blank, self._late_press) if is_full else steps)):
                self._keep()
        self.is_doubtful = False
        self._untitled()
        self._not_understood()
        self.said = self.subject.said_once(self.said)

    def _quotation(self) -> bool:
        """Pass over a line that is quoted without a mark. Whether a move is, its whole block shows."""
        line = self.lines[self.at]
        self.is_doubtful = False
        if not line or self.names.read_title_line(line):
            return False
        said = self._read(line)
        if said is None and row_width(line):
            return False
        # What goes on below is shown by us to be changed: then all of it is the sender's.
        is_shown = isinstance(said.command, GOES_ON) if said else self.joining and WISH_LINE.fullmatch(line) is not None
        standing = self.repeated.line(line, of_others=is_shown)
        self.is_doubtful = standing is Standing.DOUBTFUL
        if standing is not Standing.QUOTED:
            return False
        self.quoted.add(self.at)
        self.at += 1
        return True

    def _blank(self) -> bool:
        if self.lines[self.at]:
            return False
        self.free.append(self.at)
        self.at += 1
        return True

    def _wish(self) -> bool:
        """`Neu: D`, `Wunschbuchstabe D` and `Name: Anna` below a sign-up belong to it."""
        if not self.joining:
            return False
        line = self.lines[self.at]
        if player := PLAYER_LINE.fullmatch(line):
            if self._is_above_command():
                return False
            self._extend_join((), player["name"])
            self.player_names.append(player["name"])
        elif WISH_LINE.fullmatch(line):
            self._extend_join((line,), "")
        elif letter := read_letter(line):
            self._extend_join((f"Neu: {letter}",), "")
        else:
            return False
        self.at += 1
        return True

    def _is_above_command(self) -> bool:
        """Whether this line stands apart, right above a command or title: then it says whose that is."""
        around = ["", *self.lines, ""]
        return not around[self.at] and around[self.at + 2] != "" and self._ends_block(around[self.at + 2])

    def _answer(self) -> bool:
        """Read `Ja` or `Nein` as the first line, or below a greeting; further down it is prose or part of a move."""
        if not self.is_first:
            return False
        self.is_first = bool(GREETING.fullmatch(self.lines[self.at]))
        return self._say(read_answer(self.lines[self.at], self.subject.code, self.names))

    def _player(self) -> bool:
        player = PLAYER_LINE.fullmatch(self.lines[self.at])
        if not player:
            return False
        self.player_name = player["name"]
        self.player_names.append(player["name"])
        self.at += 1
        self._orders_of_another()
        return True

    def _orders_of_another(self) -> None:
        """Read the lines below `Name: Jan` as a move of the game of the block above, which is somebody else's."""
        above = self.said[-1].command if self.said else None
        below = self.lines[self.at] if self.at < len(self.lines) else ""
        if isinstance(above, Orders) and above.player_name and below and not self._ends_block(below):
            block = read_block(self.lines, self.at, self.names.grid_rows[above.title_key], self._ends_block)
            self.moves.update(range(self.at, block.end))
            self.at = block.end
            orders = orders_of(above, block, self.player_name)
            self._add(ReadCommand(command=orders, line=self.said[-1].line))
            self.player_name = ""

    def _orders(self) -> bool:
        named = self._title(self.lines[self.at])
        if not named or not (named.game or self._is_followed()):
            return False
        start, title = self.at, self.lines[self.at]
        named, first = self._with_name_below(named)
        block = read_block(self.lines, first, self.names.grid_rows[named.title_key], self._ends_block)
        self.moves.update(range(self.at, block.end))
        self.at = block.end
        self.player_names += [block.player_name] if block.player_name else []
        name = block.player_name or self.player_name
        orders = orders_of(named, block, name)
        if self.repeated.block(self.lines[start : self.at]) is not Standing.OWN:
            self.quoted.update(range(start, self.at))
            self.quoted_orders.append(orders)
        elif self._belongs_to_join(named):
            self._extend_join(block.moves.lines, name, named)
        else:
            self._add(ReadCommand(command=orders, line=title))
        self.joining = False
        self.player_name = ""
        return True

    def _with_name_below(self, named: Named) -> tuple[Named, int]:
        """Read a wrapped title line, whose name stands in the next one. Also returns the first line of the block."""
        below = self.lines[self.at + 1 : self.at + 3]
        name = self.names.read(below[0]) if not named.game and len(below) > 1 and WISH_KEY.match(below[1]) else None
        if name and name.game and not name.title_key:
            return replace(named, game=name.game), self.at + 2
        return named, self.at + 1

    def _gm(self) -> bool:
        return self._to_gm() or self._gm_command()

    def _to_gm(self) -> bool:
        """`GM: text` goes on over the next lines."""
        found = TO_GM.fullmatch(self.lines[self.at])
        if not found:
            return False
        self._say(ReadCommand(command=ToGm(text=found["text"]), line="GM: ..."))
        self.said[-1] = replace(self.said[-1], command=ToGm(text=self._goes_on(found["text"])))
        return True

    def _goes_on(self, text: str) -> str:
        """Add the lines below up to a blank one, but never a move or a command with a game's name."""
        lines = [text]
        while self.at < len(self.lines) and self.lines[self.at] and not self._ends_block(self.lines[self.at]):
            lines.append(self.own.raw[self.at].strip())
            self.at += 1
        return "\n".join(lines).strip()

    def _gm_command(self) -> bool:
        """`gm release NAME` may bring a foreword."""
        command = read_gm_line(self.lines[self.at])
        if not command:
            return False
        self._say(ReadCommand(command=command, line=self.lines[self.at]))
        if command.words[0] == "release" and len(command.words) > 1:
            extent = self.public_texts.foreword(self.at)
            self.said[-1] = replace(
                self.said[-1], command=replace(command, text=self.own.written(self.at, extent.stop))
            )
            self.at = extent.goes_on
        return True

    def _late_press(self) -> bool:
        """Read a press beyond the limit of commands: its text must not count as prose."""
        return len(self.said) < 2 * MAX_COMMANDS and self.public_texts.is_head(self.lines[self.at]) and self._command()

    def _press(self, said: ReadCommand, press: LongText) -> bool:
        extent = self.public_texts.press(press, self.at + 1)
        if not extent:
            return False
        self._say(replace(said, command=self._with_text(press, self.at + 1, extent)))
        self.at = extent.goes_on
        return True

    def _press_of_subject(self) -> None:
        """Read the text of a subject `Presse Eriwan` from the body, unless the body begins with the command again."""
        said = self.subject.command
        first = next((line for line in self.lines if line), "")
        if not said or not isinstance(said.command, LongText) or self.public_texts.is_head(first):
            return
        extent = self.public_texts.press(said.command, 0)
        if not extent:
            self.said = []
        elif extent.goes_on > extent.stop or not said.command.text:
            self.said = [replace(said, command=self._with_text(said.command, 0, extent))]
            self.at = extent.goes_on
            self.is_first = False

    def _with_text(self, press: LongText, start: int, extent: Extent) -> LongText:
        text = f"{press.text}\n{self.own.written(start, extent.stop)}".strip()[:MAX_TEXT]
        return replace(press, text=text, is_open=extent.is_open)

    def _advance(self, said: ReadCommand, advance: Advance, start: int) -> bool:
        """Read the blocks of an advance move, from line `start` on; without a game's name they must follow at once."""
        if not advance.game and not any(self.lines[start : start + 1]):
            return False
        named = Named(title_key=advance.title_key, game=advance.game)
        read = read_alternatives(self.lines, start, named, self.names, self._ends_block)
        self.moves.update(range(start, read.end))
        names = [block.player_name for block in read.blocks if block.player_name]
        self.player_names += names
        blocks = [block.moves for block in read.blocks if block.moves.lines]
        if advance.blocks and blocks and self.lines[start]:  # the first line stood behind the game's name
            blocks = [MoveBlock(lines=advance.blocks[0].lines + blocks[0].lines), *blocks[1:]]
        elif advance.blocks:
            blocks = [*advance.blocks, *blocks]
        name = (*names, self.player_name)[0]
        self._add_advance(said, replace(
            advance, title_key=read.named.title_key, game=read.named.game, blocks=tuple(blocks), player_name=name,
        ))  # fmt: skip
        self.at, self.joining, self.player_name, self.is_first = read.end, False, "", False
        return True

    def _add_advance(self, said: ReadCommand, advance: Advance) -> None:
        """Add it, or its blocks to those of one for the same game."""
        for at, one in enumerate(self.said):
            before = one.command
            if isinstance(before, Advance) and fold_name(before.game) == fold_name(advance.game):
                self.said[at] = replace(one, command=replace(before, blocks=before.blocks + advance.blocks))
                return
        self._add(replace(said, command=advance))

    def _advance_of_subject(self) -> None:
        """Read the blocks of a subject `Vorab Eriwan` from the body, unless the body begins with the command again."""
        said = self.subject.command
        if not said or not isinstance(said.command, Advance):
            return
        start = next((at for at, line in enumerate(self.lines) if line and not GREETING.fullmatch(line)), 0)
        first = self._read(self.lines[start]) if self.lines else None
        if not (first and isinstance(first.command, Advance)):
            self.said = []
            self._advance(said, said.command, start)

    def _read(self, line: str) -> ReadCommand | None:
        """Read a line as a command, once: it is looked at as the end of a block, as a head and as a command."""
        if line not in self._commands:
            self._commands[line] = read_line(line, self.names, self.signs)
        return self._commands[line]

    def _command(self) -> bool:
        said = self._read(self.lines[self.at])
        if said and isinstance(said.command, LongText):
            return self._press(said, said.command)
        if said and isinstance(said.command, Advance):
            return self._advance(said, said.command, self.at + 1)
        if said and isinstance(said.command, Join):
            said = replace(said, command=replace(said.command, player_name=self.player_name))
        is_said = self._say(said)
        if said and isinstance(said.command, Appeal):
            self.said[-1] = replace(said, command=replace(said.command, reason=self._goes_on(said.command.reason)))
        return is_said

    def _keep(self) -> None:
        """Keep a line as free text, unless it is only a cry such as `Fertig!`."""
        if not NOISE.fullmatch(self.lines[self.at]):
            self.free.append(self.at)
            is_beside = self.at in self.own.split_off or self.at < len(self.subject.behind)
            self.joining = self.joining and (is_beside or bool(GREETING.fullmatch(self.lines[self.at])))
        self.at += 1

    def _say(self, said: ReadCommand | None) -> bool:
        if not said:
            return False
        self._add(said)
        self.joining = isinstance(said.command, Join)
        self.at += 1
        return True

    def _add(self, said: ReadCommand) -> None:
        name = self.player_names[-1] if self.player_names else said.player_name
        self.said.append(replace(said, player_name=name, is_doubtful=self.is_doubtful))

    def _is_followed(self) -> bool:
        """Return whether a line stands right below. A title without a name needs one: else it is a word in a text."""
        return self.at + 1 < len(self.lines) and bool(self.lines[self.at + 1])

    def _ends_block(self, line: str) -> bool:
        """Return whether a line ends a block: a title or command with a game's name, or a line for or by the GM.

        A command without a game's name doesn't: it may be a word of a move.
        """
        if TO_GM.fullmatch(line) or read_gm_line(line):
            return True
        named = self._title(line)
        said = None if named else self._read(line)
        return bool(named and named.game) or bool(said and getattr(said.command, "game", ""))

    def _belongs_to_join(self, named: Named) -> bool:
        """Return whether a block stands right below a sign-up for the same game: then it brings the wish."""
        join = self.said[-1].command if self.said else None
        if not isinstance(join, Join) or join.block.lines or join.title_key not in ("", named.title_key):
            return False
        return fold_name(join.game) == fold_name(named.game) or not (join.game and named.game)

    def _extend_join(self, lines: tuple[str, ...], player_name: str, named: Named = NOT_NAMED) -> None:
        join = self.said[-1].command
        assert isinstance(join, Join)
        command = replace(
            join,
            title_key=join.title_key or named.title_key,
            game=join.game or named.game,
            block=MoveBlock(lines=(join.block.lines + lines)[:MAX_JOIN_LINES]),
            player_name=player_name or join.player_name,
        )
        self.said[-1] = replace(self.said[-1], command=command)

    def _untitled(self) -> None:
        """Take free lines that look like a block as a move: below the only title, else of a game found later."""
        titled = [said.command for said in self.said if isinstance(said.command, Orders | Join)]
        whole = [one for one in titled if any(map(row_width, one.block.lines))]
        if any(isinstance(command, Join) for command in titled) or (len(titled) > 1 and len(whole) < len(titled)):
            return
        found = find_untitled([self.lines[at] for at in self.free], self.names.fewest_rows, self._ends_block)
        # Beside a titled block a line `Neu: ...` is prose.
        if found and (not titled or any(map(row_width, found[1].moves.lines))):
            start, block = found
            if self._misspelt_join(start):
                return
            self.moves.update(self.free[start : block.end])
            del self.free[start : block.end]
            self.player_names += [block.player_name] if block.player_name else []
            above = titled[0] if titled and not whole else Named()
            orders = orders_of(above, block, block.player_name or self.player_name)
            orders = replace(orders, beside=whole[0].game if len(whole) == 1 else "")
            self._add(ReadCommand(command=orders))

    def _misspelt_join(self, start: int) -> bool:
        """Take the wish below `Anmeldung Crosswort Eriwan` along: it is no move in another game."""
        above, wish = max((at for at in self.free[:start] if self.lines[at]), default=0), self.free[start]
        if mistake := misspelt_join(self.lines[above], self.names, self.lines[wish]):
            self._add(mistake)
            self.free = [at for at in self.free if at not in (above, wish)]
        return mistake is not None

    def _not_understood(self) -> None:
        """Find free lines that are nearly commands."""
        room = max(0, MAX_COMMANDS - len(self.said))
        found = find_mistakes(self.lines, self.free, self.moves, self.names) if room else {}
        self.said += [*found.values()][:room]
        self.free = [at for at in self.free if at not in found]
