"""A mail of the GM's -> its commands, its letters to players, and the prose that answers the mail replied to.

Only lines that begin with `gm`, a first line `Ja` or `Nein`, and headings of letters (`An Anna Berg: ...`) mean
something. All else is prose, also what would be a move or a command in a player's mail: it goes on as it was written.
"""

import re
from bisect import bisect_left
from collections.abc import Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from parsers.clean_lines import clean_line
from parsers.commands import GmCommand
from parsers.lines.command_lines import ReadCommand, read_gm_line
from parsers.lines.names import Names
from parsers.lines.public_texts import END
from parsers.mime.message import Mail
from parsers.mime.quoting import divide
from parsers.prose.answers import read_answer
from parsers.prose.courtesies import FAREWELL, GREETING, words_for_the_gm
from parsers.reading import NOTHING_SENT, REPLY_MARK, answer_code, bare_subject
from parsers.sent_texts import SentTexts, Standing

ALL: Final = "[Aa]lle|[Aa]ll|[Ee]verybody|[Ee]veryone"
NAME: Final = r"[^\Wa-zäöü\d_]"
ADDRESS: Final = r"[^\s:<>@]+@[^\s:<>@]+"
HEADING: Final = re.compile(
    rf"(?:[Aa]n|[Tt]o)\s+(?P<to>(?:(?:{ALL})\b|{NAME})[^:<>@]{{0,60}}?(?:\s{ADDRESS})?|{ADDRESS})\s*:(?P<text>.*)"
)
TO_ALL: Final = re.compile(rf"(?:{ALL})\b\s*(?:(?:in|von|aus|of)\s+)?(?P<game>.*)")
TO_ALL_ALONE: Final = re.compile(rf"(?:[Aa]n|[Tt]o)\s+(?:{ALL})\b[^:<>@,.!?]{{0,60}}")
MISTAKEN: Final = re.compile(
    r"(?:[Gg]m\s+\S|GM\s+(?:help|hilfe|status|list|digest|show|undo|write|players|rulings|standbys|pause|resume)\b).*"
)
"""A line that was to be a command: such a one is never prose. `GM ...` may be the beginning of a sentence."""
ALONE: Final = re.compile(r"gm[.!?]?", re.IGNORECASE)
"""The command without anything behind it, as it shows today's page at the computer; below a text it is a signature."""
GREETED: Final = re.compile(
    r"^(?:hallo|hi|hey|hello|moin|servus|guten \w+|liebe[rs]?|dear)\b[^,.!:\n]{0,30}[,.!:]+\s+(?=\S)",
    re.IGNORECASE | re.MULTILINE,
)
THANKS: Final = re.compile(r".*\b(?:danke|dank|thanks|thank you|merci)\b", re.IGNORECASE)
MOST: Final = 50
"""Commands, and letters, in one mail; more are prose."""


@dataclass(frozen=True, kw_only=True)
class Letter:
    """A text for one player, or for all of a game."""

    to: str = ""
    """A player's name, where it isn't for all."""
    game: str = ""
    """All who play or watch this game; empty: the players of all games."""
    text: str
    is_doubtful: bool = False
    """Its heading stands in a mail of ours as well, in a player's words."""

    @property
    def is_to_all(self) -> bool:
        """Whether it is for more than one player."""
        return not self.to


@dataclass(frozen=True, kw_only=True)
class GmMail:
    """What a mail of the GM's says."""

    commands: tuple[ReadCommand, ...] = ()
    letters: tuple[Letter, ...] = ()
    prose: str = ""
    """All other own words, as they were written."""
    mistaken: tuple[str, ...] = ()
    """Lines that begin with `gm` and are no commands."""
    code: str = ""
    """The code of a question in the subject."""


def read_gm_mail(mail: Mail, names: Names, sent: SentTexts = NOTHING_SENT) -> GmMail:
    """Read a mail of the GM's. What it repeats of the mails that were sent, marked or not, is left out."""
    code = answer_code(mail.subject)
    own = own_words(mail, sent)
    subject = bare_subject(mail.subject)
    is_new = not (code or mail.in_reply_to or REPLY_MARK.match(mail.subject.lstrip()))
    said = _Lines(_headed("\n".join(own.lines), subject if is_new else ""), code, names, own.doubtful)
    command = read_gm_line(subject)
    in_subject = ReadCommand(command=command, line=subject) if command else read_answer(subject, code, names)
    if in_subject and in_subject.command not in [one.command for one in said.commands]:
        said.commands.insert(0, in_subject)
    mistaken = dict.fromkeys([*([subject] if not command and MISTAKEN.fullmatch(subject) else []), *said.mistaken])
    prose = _joined(said.prose)
    if ALONE.fullmatch(prose) and not (said.commands or said.letters):
        prose, mistaken = "", {**mistaken, "gm": None}
    return GmMail(
        commands=tuple(said.commands), letters=tuple(said.letters), prose=prose, mistaken=tuple(mistaken), code=code
    )


def _headed(text: str, subject: str) -> str:
    """Write a heading that stands in the subject above the text. To all, it needs no colon there or in a first line.

    A forgotten colon would else bring what is meant for all to the one player whom the mail replied to is about.
    """
    lines = text.split("\n")
    own = (at for at, line in enumerate(lines) if (said := clean_line(line)) and not GREETING.fullmatch(said))
    first = next(own, 0)
    if TO_ALL_ALONE.fullmatch(clean_line(lines[first])):
        lines[first] = f"{clean_line(lines[first])}:"
    elif not HEADING.fullmatch(clean_line(lines[first])):
        lines[:0] = [subject] if HEADING.fullmatch(subject) else [f"{subject}:"] * bool(TO_ALL_ALONE.fullmatch(subject))
    return "\n".join(lines)


def is_more_than_courtesy(text: str, names: Sequence[str] = ()) -> bool:
    """Whether prose beside a command says something that a player has to hear."""
    paragraphs = (tuple(part.split("\n")) for part in _greeting_apart(text).split("\n\n"))
    return bool(words_for_the_gm(paragraphs, names))


def says_something(text: str, names: Sequence[str] = ()) -> bool:
    """Whether prose is more than a greeting and a signature. Thanks alone are a whole answer."""
    known = {name.casefold() for name in names}
    lines = _greeting_apart(text).split("\n")
    return any(map(THANKS.match, lines)) or any(
        any(sign.isalnum() for sign in line)
        and not (GREETING.fullmatch(line) or FAREWELL.match(line) or line.strip(" ,.!-–").casefold() in known)
        for line in lines
    )  # fmt: skip


def _greeting_apart(text: str) -> str:
    """Put what follows a greeting in its line into a line of its own."""
    return GREETED.sub(lambda found: found[0] + "\n", text)


@dataclass(frozen=True)
class OwnWords:
    """The GM's own lines of a mail."""

    lines: Sequence[str]
    doubtful: Set[str]
    """Those that a player may have written, clean."""


def own_words(mail: Mail, sent: SentTexts) -> OwnWords:
    """Return the GM's own lines: of all plain texts, else of the HTML; without what is quoted and the signature."""
    own = [one for text in mail.texts if (one := _own(text, sent)).lines]
    if not own and mail.html:
        # It takes 45 ms to load, and most mails don't need it.
        from parsers.mime.markup import html_text

        own = [_own(html_text(mail.html), sent)]
    lines = [line for one in own for line in ("", *one.lines)][1:]
    return OwnWords(lines, {line for one in own for line in one.doubtful})


def _own(text: str, sent: SentTexts) -> OwnWords:
    repeated = sent.within(text)
    lines = [(line, repeated.line(clean_line(line))) for line in divide(text).own.split("\n")]
    kept = "\n".join(line for line, standing in lines if standing is not Standing.QUOTED).strip("\n")
    doubtful = {clean_line(line) for line, standing in lines if standing is Standing.DOUBTFUL}
    return OwnWords(kept.split("\n") if kept.strip() else [], doubtful)


class _Lines:
    """Reads the own lines from top to bottom."""

    def __init__(self, text: str, code: str, names: Names, doubtful: Set[str]) -> None:
        self.doubtful = doubtful
        self.raw = text.split("\n")
        self.lines = [clean_line(line) for line in self.raw]
        self.commands: list[ReadCommand] = []
        self.letters: list[Letter] = []
        self.prose: list[str] = []
        self.mistaken: list[str] = []
        self.at = 0
        is_first = True
        while self.at < len(self.lines):
            line = self.lines[self.at]
            answer = read_answer(line, code, names) if is_first else None
            is_first = is_first and (not line or bool(GREETING.fullmatch(line)))
            if answer:
                self.commands.append(answer)
                self.at += 1
            elif not (self._command(line) or self._letter(line)):
                self.prose.append(self.raw[self.at].rstrip())
                self.at += 1

    def _command(self, line: str) -> bool:
        command = read_gm_line(line) if len(self.commands) < MOST else None
        if command:
            self.at += 1
            if command.words[0] == "release" and len(command.words) > 1:
                command = GmCommand(words=command.words, text=self._foreword())
            self.commands.append(ReadCommand(command=command, line=line, is_doubtful=line in self.doubtful))
        elif MISTAKEN.fullmatch(line):
            self.at += 1
            self.mistaken.append(line)
        else:
            return False
        return True

    def _letter(self, line: str) -> bool:
        """Read `An Anna Berg: ...` with the text behind it and below, to `Ende`, to the next heading, or to the end."""
        heading = HEADING.fullmatch(line) if len(self.letters) < MOST else None
        if not heading:
            return False
        self.at += 1
        to_all = TO_ALL.fullmatch(heading["to"])
        to, game = ("", to_all["game"].strip()) if to_all else (heading["to"].strip(), "")
        text = f"{heading['text'].strip()}\n{self._text(self._meaning)}".strip()
        self.letters.append(Letter(to=to, game=game, text=text, is_doubtful=line in self.doubtful))
        return True

    def _foreword(self) -> str:
        """Take the foreword of a bulletin. A farewell alone is none."""
        end, stop = _next(self._ends, self.at), _next(self._gm_lines, self.at)
        is_open = end is None or (stop is not None and stop < end)
        first = next((line for line in self.lines[self.at : stop] if line), "")
        return "" if is_open and FAREWELL.match(first) else self._text(self._gm_lines).strip()

    def _text(self, stops: Sequence[int]) -> str:
        """Take the lines up to `Ende`; without one, up to the next of these lines, or to the end."""
        start, end, stop = self.at, _next(self._ends, self.at), _next(stops, self.at)
        if end is not None and (stop is None or end < stop):
            self.at, stop = end + 1, end
        else:
            stop = len(self.lines) if stop is None else stop
            self.at = stop
        return "\n".join(self.raw[start:stop]).rstrip()

    @cached_property
    def _ends(self) -> list[int]:
        return [at for at, line in enumerate(self.lines) if END.fullmatch(line)]

    @cached_property
    def _gm_lines(self) -> list[int]:
        return [at for at, line in enumerate(self.lines) if read_gm_line(line) or MISTAKEN.fullmatch(line)]

    @cached_property
    def _meaning(self) -> list[int]:
        headings = (at for at, line in enumerate(self.lines) if HEADING.fullmatch(line))
        return sorted({*self._gm_lines, *headings})


def _next(marks: Sequence[int], start: int) -> int | None:
    at = bisect_left(marks, start)
    return marks[at] if at < len(marks) else None


def _joined(lines: Sequence[str]) -> str:
    """Join lines with one blank line where several stood."""
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()
