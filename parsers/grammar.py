"""A mail -> the commands in it, in order. The table `ROWS` has one row a command and language.

Sources: shared/spec/interface.md (Players' commands by mail), rulings.md part 3 (3 end of a block, 4 Fertig, 16
subject).
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final, TypeAlias

from games.api import Language, MoveBlock, Rules
from parsers.commands import (
    Appeal,
    Command,
    Games,
    Help,
    Join,
    No,
    Orders,
    Ready,
    Standby,
    Status,
    ToGm,
    Wait,
    Withdraw,
    Yes,
)
from parsers.eriwan import (
    FAREWELL,
    MAX_BLOCK,
    PLAYER_LINE,
    WISH_KEY,
    WISH_LINE,
    Named,
    Titles,
    clean_line,
    find_untitled,
    read_block,
    row_width,
    titles_of,
    unfold,
)
from parsers.message import Mail
from parsers.quoting import divide, is_forward

MAX_JOIN_LINES: Final = 20
MAX_COMMANDS: Final = 50
"""More in one mail are taken as free text."""
MAX_COMMAND: Final = 120
"""Longer lines are prose."""
MAX_REASON: Final = 4000
"""An appeal's reason may be a long line: many mail programs wrap nothing."""

REPLY_MARK = re.compile(r"(?:Re|Aw|Antw|Antwort|Wg|Fwd?|Sv)(?:\[\d+\]|\s?\(\d+\))?\s*:\s*", re.IGNORECASE)
BRACKETS = re.compile(r"\[([^\[\]]*)\]")
ANSWER_CODE = re.compile(r"\[(?:Frage|Question) ([A-Z0-9]{4,12})\]")
TO_GM = re.compile(r"GM\s*:\s*(?P<text>.*)", re.IGNORECASE)
APPEAL = re.compile(r"(?P<named>\S+(?: \S+){0,3}) [»„“\"]?(?P<word>[^\s»«„“”\"]{1,60})[«“”\"]?")
NOT_NAMED = Named()
NOISE = re.compile(r"(?:fertig|ready)[!. ]*", re.IGNORECASE)
GREETING = re.compile(r"(?:hallo|hi|hey|hello|moin|servus|guten (?:tag|morgen|abend)|liebe[rs]?|dear)\b.{0,40}", re.I)

Making: TypeAlias = Callable[[str, Titles], Command | None]
"""What stands behind the command's word -> the command; None where it is prose after all."""


@dataclass(frozen=True, kw_only=True)
class Said:
    """A command and the language it was given in; None where both have the same word."""

    command: Command
    language: Language | None = None


@dataclass(frozen=True, kw_only=True)
class Reading:
    """What a mail says."""

    commands: tuple[Said, ...] = ()
    """In order, the subject's first."""
    free_text: str = ""
    """The sender's own lines that were no command, without blank lines."""
    paragraphs: tuple[MoveBlock, ...] = ()
    """The same, clean, as they stand together, without greetings and farewells. One may be a move without its title."""
    subject_games: tuple[str, ...] = ()
    """What stands as `[Eriwan]` in the subject and may be a game's name."""
    code: str = ""
    """The code of a question in the subject, whether it was answered or not."""
    is_forward: bool = False
    """Somebody else's mail was forwarded, attached or inline."""
    is_quotation: bool = False
    """Nothing stands in the mail but what it quotes."""
    quoted: tuple[Orders, ...] = ()
    """The move blocks in quotations; only where the sender's own text holds none. They are never moves."""


@dataclass(frozen=True, kw_only=True)
class Row:
    """A row of the table: the command's word and what is made of the rest of the line."""

    language: Language | None
    word: str
    make: Making
    longest: int = MAX_COMMAND
    """With more than MAX_COMMAND the line ends in free text, whose punctuation stays."""


def _about_game(kind: type[Withdraw | Wait | Ready | Status | Join]) -> Making:
    def make(rest: str, titles: Titles) -> Command | None:
        named = titles.read(rest)
        return kind(title_key=named.title_key, game=named.game) if named else None

    return make


def _ready(rest: str, titles: Titles) -> Command | None:
    named = titles.read(rest)
    return Ready(title_key=named.title_key, game=named.game) if named and named.game else None


def _join(rest: str, titles: Titles) -> Command | None:
    return _about_game(Join)(rest, titles) if rest else None


def _help(rest: str, titles: Titles) -> Command | None:
    named = titles.read(rest)
    return Help(topic=named.title_key or named.game) if named else None


def _games(rest: str, _: Titles) -> Command | None:
    return None if rest else Games()


def _standby(on: bool) -> Making:
    def make(rest: str, titles: Titles) -> Command | None:
        named = titles.read(rest)
        return Standby(title_key=named.title_key, on=on) if named and not named.game else None

    return make


def _appeal(rest: str, titles: Titles) -> Command | None:
    head, _, reason = rest.partition(":")
    found = APPEAL.fullmatch(" ".join(head.rstrip(".! ").split())) if len(head) <= MAX_COMMAND else None
    named = titles.read(found["named"]) if found else None
    if not found or not named or not named.game:
        return None
    return Appeal(title_key=named.title_key, game=named.game, word=found["word"], reason=reason.strip())


ROWS: Final[tuple[Row, ...]] = (
    Row(language="de", word="hilfe", make=_help),
    Row(language="en", word="help", make=_help),
    Row(language="de", word="spiele", make=_games),
    Row(language="en", word="games", make=_games),
    Row(language="de", word="anmeldung:?", make=_join),
    Row(language="en", word="join:?", make=_join),
    Row(language="de", word="stand", make=_about_game(Status)),
    Row(language="en", word="status", make=_about_game(Status)),
    Row(language="de", word="zur(?:ü|ue)ckziehen", make=_about_game(Withdraw)),
    Row(language="en", word="withdraw", make=_about_game(Withdraw)),
    Row(language="de", word="warten", make=_about_game(Wait)),
    Row(language="en", word="wait", make=_about_game(Wait)),
    Row(language="de", word="fertig", make=_ready),
    Row(language="en", word="ready", make=_ready),
    Row(language=None, word="standby", make=_standby(True)),
    Row(language="de", word=r"kein\s+standby", make=_standby(False)),
    Row(language="en", word=r"no\s+standby", make=_standby(False)),
    Row(language="de", word="einspruch:?", make=_appeal, longest=MAX_REASON),
    Row(language="en", word="appeal:?", make=_appeal, longest=MAX_REASON),
)
WORDS: Final = tuple((re.compile(rf"(?:{row.word})(?:\s+(?P<rest>.*))?", re.IGNORECASE), row) for row in ROWS)
ANY_WORD: Final = re.compile("|".join(row.word for row in ROWS), re.IGNORECASE)
"""Tells what begins with none of them at once: nearly every line is no command."""
ANSWERS: Final[dict[str, tuple[type[Yes | No], Language]]] = {
    "ja": (Yes, "de"),
    "yes": (Yes, "en"),
    "nein": (No, "de"),
    "no": (No, "en"),
}


def read_commands(mail: Mail, rules: Iterable[Rules]) -> Reading:
    """Read what the sender asks for in subject and body. `rules` are those of all games that have titles."""
    titles = titles_of(rules)
    code = found[1] if (found := ANSWER_CODE.search(mail.subject)) else ""
    subject = _Subject(command=_read_subject(mail.subject, titles, code), code=code)
    text, body = _say_most(mail, titles, subject)
    is_forwarded = mail.has_attached_mail or is_forward(text)
    has_block = any(isinstance(said.command, Orders | Join) for said in body.said)
    return Reading(
        commands=tuple(body.said),
        free_text="\n".join(line for line in body.free_lines if line),
        paragraphs=tuple(body.paragraphs()),
        subject_games=_subject_games(mail.subject, titles),
        code=code,
        is_forward=is_forwarded,
        is_quotation=not any(body.lines) and bool(text.strip()),
        quoted=() if has_block or is_forwarded else _quoted_orders(text, titles),
    )


def _say_most(mail: Mail, titles: Titles, subject: "_Subject") -> tuple[str, "_Body"]:
    """Read the text that says something: the first plain one with a command in it, else the HTML, else the first.

    Programs send stubs as plain text (`can't show HTML`), and Apple Mail parts a text where a picture stands.
    """
    silent: list[tuple[str, _Body]] = []
    for text in _texts(mail):
        body = _Body(divide(text).own, titles, subject)
        body.read()
        if body.says_more:
            return text, body
        silent.append((text, body))
    return silent[0]


def _texts(mail: Mail) -> Iterator[str]:
    yield from mail.texts
    if mail.html:
        # It takes 45 ms to load, and most mails don't need it.
        from parsers.markup import html_text

        yield html_text(mail.html)
    elif not mail.texts:
        yield ""


def _quoted_orders(text: str, titles: Titles) -> tuple[Orders, ...]:
    quoted = divide(text).quoted
    body = _Body(quoted, titles, _Subject())
    body.read()
    orders = (said.command for said in body.said)
    return tuple(command for command in orders if isinstance(command, Orders) and command.game)


def read_command(line: str, titles: Titles) -> Said | None:
    """Read a whole line as a command of the table; None where it is none. `line` is clean."""
    if not ANY_WORD.match(line):
        return None
    bare = line.rstrip(".!: ")
    for pattern, row in WORDS:
        text = bare if row.longest == MAX_COMMAND else line
        if len(text) <= row.longest and (found := pattern.fullmatch(text)):
            command = row.make((found["rest"] or "").strip(), titles)
            return Said(command=command, language=row.language) if command else None
    return None


def read_answer(line: str, code: str) -> Said | None:
    """Read a whole line as `Ja` or `Nein` to the question with this code."""
    answer = ANSWERS.get(line.rstrip(".! ").lower())
    return Said(command=answer[0](code=code), language=answer[1]) if answer else None


def _read_subject(subject: str, titles: Titles, code: str) -> Said | None:
    rest = BRACKETS.sub(" ", subject).lstrip()
    while mark := REPLY_MARK.match(rest):
        rest = rest[mark.end() :]
    rest = clean_line(rest)
    if to_gm := TO_GM.fullmatch(rest):
        return Said(command=ToGm(text=to_gm["text"])) if to_gm["text"] else None
    return read_answer(rest, code) or read_command(rest, titles)


def _subject_games(subject: str, titles: Titles) -> tuple[str, ...]:
    """`[Eriwan]`, also `[Crossword Eriwan]`; mail servers put in other words: `[extern]`."""
    names = (titles.read(clean_line(inside)) for inside in BRACKETS.findall(subject))
    return tuple(named.game for named in names if named and named.game)


@dataclass(frozen=True, kw_only=True)
class _Subject:
    """What the subject says."""

    command: Said | None = None
    code: str = ""


class _Body:
    """Walks once over the own lines; each step takes the lines it understands, the rest is free text."""

    def __init__(self, text: str, titles: Titles, subject: _Subject) -> None:
        self.raw: list[str] = []
        self.lines: list[str] = []
        for raw in text.split("\n"):
            clean = clean_line(raw)
            pieces = unfold(clean, titles)
            self.raw += [raw] if len(pieces) == 1 else pieces
            self.lines += pieces
        self.titles = titles
        self.subject = subject
        self.at = 0
        self.said: list[Said] = [subject.command] if subject.command else []
        self.is_first = True
        self.free: list[int] = []
        self.player_name = ""
        # Lines at the start of a body may belong to a sign-up in the subject.
        self.joining = subject.command is not None and isinstance(subject.command.command, Join)

    @property
    def says_more(self) -> bool:
        """Whether there is a command beside the subject's, or more to that one."""
        return self.said != ([self.subject.command] if self.subject.command else [])

    @property
    def free_lines(self) -> list[str]:
        return [self.raw[at].strip() for at in self.free]

    def paragraphs(self) -> Iterator[MoveBlock]:
        """Go through the free lines as they stand together."""
        lines = [self.lines[at] for at in self.free]
        for is_text, together in groupby(lines, key=bool):
            paragraph = tuple(together)
            if is_text and not (GREETING.fullmatch(paragraph[0]) or FAREWELL.match(paragraph[0])):
                yield MoveBlock(lines=paragraph[:MAX_BLOCK])

    def read(self) -> None:
        """Take line after line."""
        steps = (self._blank, self._wish, self._answer, self._player, self._orders, self._to_gm, self._command)
        while self.at < len(self.lines):
            is_full = len(self.said) >= MAX_COMMANDS
            if not any(step() for step in (steps[:1] if is_full else steps)):
                self._keep()
        self._untitled()
        self._drop_repeated_subject()

    def _blank(self) -> bool:
        if self.lines[self.at]:
            return False
        self.free.append(self.at)
        self.at += 1
        return True

    def _wish(self) -> bool:
        """`Neu: D` and `Name: Anna` below a sign-up belong to it."""
        if not self.joining:
            return False
        line = self.lines[self.at]
        if player := PLAYER_LINE.fullmatch(line):
            self._extend_join((), player["name"])
        elif WISH_LINE.fullmatch(line):
            self._extend_join((line,), "")
        else:
            return False
        self.at += 1
        return True

    def _answer(self) -> bool:
        """Only as the first own line (below a greeting); further down it is prose or part of a move."""
        if not self.is_first:
            return False
        self.is_first = bool(GREETING.fullmatch(self.lines[self.at]))
        return self._say(read_answer(self.lines[self.at], self.subject.code))

    def _player(self) -> bool:
        player = PLAYER_LINE.fullmatch(self.lines[self.at])
        if not player:
            return False
        self.player_name = player["name"]
        self.at += 1
        return True

    def _orders(self) -> bool:
        named = self.titles.read_title_line(self.lines[self.at])
        if not named or not (named.game or self._is_followed()):
            return False
        named, first = self._with_name_below(named)
        block = read_block(self.lines, first, self.titles.grid_rows[named.title_key], self._ends_block)
        self.at = block.end
        name = block.player_name or self.player_name
        if self._belongs_to_join(named):
            self._extend_join(block.moves.lines, name, named)
        else:
            orders = Orders(
                title_key=named.title_key, game=named.game, block=block.moves, player_name=name, round=block.round,
                stand=block.stand,
            )  # fmt: skip
            self.said.append(Said(command=orders))
        self.joining = False
        self.player_name = ""
        return True

    def _with_name_below(self, named: Named) -> tuple[Named, int]:
        """A wrapped title line: the name stands below it, and `Neu:` below that. Gives the block's first line too."""
        below = self.lines[self.at + 1 : self.at + 3]
        name = self.titles.read(below[0]) if not named.game and len(below) > 1 and WISH_KEY.match(below[1]) else None
        if name and name.game and not name.title_key:
            return replace(named, game=name.game), self.at + 2
        return named, self.at + 1

    def _to_gm(self) -> bool:
        """`GM: text` goes on over the next lines."""
        found = TO_GM.fullmatch(self.lines[self.at])
        if not found:
            return False
        self._say(Said(command=ToGm(text=found["text"])))
        self.said[-1] = Said(command=ToGm(text=self._goes_on(found["text"])))
        return True

    def _goes_on(self, text: str) -> str:
        """Take the lines below until a blank one, but never a move or a command with a game's name."""
        lines = [text]
        while self.at < len(self.lines) and self.lines[self.at] and not self._ends_block(self.lines[self.at]):
            lines.append(self.raw[self.at].strip())
            self.at += 1
        return "\n".join(lines).strip()

    def _command(self) -> bool:
        said = read_command(self.lines[self.at], self.titles)
        if said and isinstance(said.command, Join):
            said = replace(said, command=replace(said.command, player_name=self.player_name))
        is_said = self._say(said)
        if said and isinstance(said.command, Appeal):
            self.said[-1] = replace(said, command=replace(said.command, reason=self._goes_on(said.command.reason)))
        return is_said

    def _keep(self) -> None:
        """Free text; a cry such as `Fertig!` is not even that."""
        if not NOISE.fullmatch(self.lines[self.at]):
            self.free.append(self.at)
            self.joining = self.joining and bool(GREETING.fullmatch(self.lines[self.at]))
        self.at += 1

    def _say(self, said: Said | None) -> bool:
        if not said:
            return False
        self.said.append(said)
        self.joining = isinstance(said.command, Join)
        self.at += 1
        return True

    def _is_followed(self) -> bool:
        """A title without a name counts only with a line right below it: else it is a word in a text."""
        return self.at + 1 < len(self.lines) and bool(self.lines[self.at + 1])

    def _ends_block(self, line: str) -> bool:
        """A title line or command with a game's name, or a text for the GM. A bare word may be a move."""
        if TO_GM.fullmatch(line):
            return True
        named = self.titles.read_title_line(line)
        said = None if named else read_command(line, self.titles)
        return bool(named and named.game) or bool(said and getattr(said.command, "game", ""))

    def _belongs_to_join(self, named: Named) -> bool:
        """A block right after a sign-up for the same game carries what the sign-up brings."""
        join = self.said[-1].command if self.said else None
        if not isinstance(join, Join) or join.block.lines or join.title_key not in ("", named.title_key):
            return False
        return join.game.lower() == named.game.lower() or not (join.game and named.game)

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
        """Free lines that look like a block are orders too: for a game yet to be found, or that of the only title."""
        titled = [said.command for said in self.said if isinstance(said.command, Orders | Join)]
        if len(titled) > 1 or any(isinstance(command, Join) for command in titled):
            return
        grid_rows = min((rows for rows in self.titles.grid_rows.values() if rows), default=0)
        found = find_untitled([self.lines[at] for at in self.free], grid_rows, self._ends_block)
        # Beside a titled block a line `Neu: ...` is prose.
        if found and (not titled or any(map(row_width, found[1].moves.lines))):
            start, block = found
            del self.free[start : block.end]
            named = titled[0] if titled else Named()
            orders = Orders(
                title_key=named.title_key, game=named.game, block=block.moves,
                player_name=block.player_name or self.player_name, round=block.round, stand=block.stand,
            )  # fmt: skip
            self.said.append(Said(command=orders))

    def _drop_repeated_subject(self) -> None:
        """The same command in subject and body is one; the body's has more to it."""
        repeated = self.subject.command and any(_is_same(self.said[0], said) for said in self.said[1:])
        if repeated:
            del self.said[0]


def _is_same(first: Said, second: Said) -> bool:
    def kernel(said: Said) -> Command:
        if isinstance(said.command, Appeal):
            return replace(said.command, reason="")
        bare = MoveBlock(lines=())
        return replace(said.command, block=bare, player_name="") if isinstance(said.command, Join) else said.command

    return kernel(first) == kernel(second)
