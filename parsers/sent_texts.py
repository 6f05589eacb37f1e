"""Mails of ours that a mail may repeat without a mark: which of its lines were written by others, or by us.

Mail programs wrap quoted lines anew, leave the rest of a line unmarked, or mark nothing. So lines are compared as
running text, word by word. In our mails what somebody wrote is marked with `>`, and what may be sent back stands five
blanks in.

Sources: shared/spec/mail.md (Policies: quoted text is never a move), issue 48.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Final

from parsers.clean_lines import clean_line
from parsers.mime.quoting import QUOTE_MARKS
from parsers.prose.courtesies import FAREWELL, GREETING

BESIDE: Final = 2
"""So many more equal words before and behind a line show that it is quoted; one may be equal by chance."""
NEAR: Final = 600
"""So many characters before and behind a line are compared."""
MOST_PLACES: Final = 8
"""So many places are looked at where the same words stand; more are alike."""
END: Final = "\n"
"""Stands for the end of a mail."""
WORD: Final = re.compile(r"[^\W_]+")
OFFER: Final = re.compile(r" {5}\S")
SAID: Final = re.compile(r" {0,3}>")


class Standing(Enum):
    """Whose a line is."""

    OWN = "own"
    """The sender's."""
    QUOTED = "quoted"
    """The equal words go on before it or behind: a quotation."""
    DOUBTFUL = "doubtful"
    """It stands by itself, in the words of somebody else: the sender's, or a quotation."""


class _Whose(Enum):
    """Who wrote a line of a mail of ours."""

    OURS = "ours"
    OFFER = "offer"
    OTHERS = "others"
    ANYBODY = "anybody"
    """A greeting, a farewell: everybody writes it."""


NO_SIGN: Final = (_Whose.OFFER, _Whose.ANYBODY)
"""What shows no quotation beside a line: it may be sent back, or be equal by chance."""


@dataclass(frozen=True)
class _Running:
    """Lines as running text: a blank around each word, and where each line begins."""

    text: str
    starts: Sequence[int]
    whose: Sequence[_Whose]

    def places(self, words: str) -> Iterator[int]:
        """Yield where words stand."""
        at = self.text.find(words)
        for _ in range(MOST_PLACES):
            if at < 0:
                return
            yield at
            at = self.text.find(words, at + 1)

    def written_by(self, at: int) -> _Whose:
        """Return who wrote the word that begins behind the blank at `at`."""
        return self.whose[bisect_right(self.starts, at) - 1]


def _folded(line: str) -> Sequence[str]:
    """Return the words of a line as they are compared: without case, signs and width of blanks."""
    return WORD.findall(line.casefold())


def _exact(line: str) -> Sequence[str]:
    """Return what stands between the blanks of a line: in a move, case and dots have a meaning."""
    return line.split()


_Words = Callable[[str], Sequence[str]]


class SentTexts:
    """The texts of mails of ours that a mail may repeat: those of its thread, and the latest about its games."""

    def __init__(self, texts: Iterable[str] = (), subjects: Iterable[str] = ()) -> None:
        self.texts = tuple(texts)
        self.subjects = frozenset(subjects)
        """Of the thread: some are a player's own, and a reply repeats them."""

    @cached_property
    def folded(self) -> _Running:
        """Their words as commands and prose are compared."""
        return self._running(_folded)

    @cached_property
    def exact(self) -> _Running:
        """Their words as moves are compared."""
        return self._running(_exact)

    @cached_property
    def _lines(self) -> Sequence[tuple[str, _Whose]]:
        return [line for text in self.texts for line in _sent_lines(text)]

    def _running(self, words: _Words) -> _Running:
        return _joined(((END,) if clean == END else words(clean), whose) for clean, whose in self._lines)

    def within(self, text: str) -> "Repeated":
        """Compare them with the text of a mail, its marked quotations and all."""
        return Repeated(self, text)


class Repeated:
    """What of a mail's text stands in mails of ours."""

    def __init__(self, sent: SentTexts, text: str) -> None:
        self.sent = sent
        self.text = text
        self._known: dict[tuple[str, bool], Standing] = {}

    @cached_property
    def _lines(self) -> Sequence[str]:
        return [clean_line(_unmarked(line)) for line in self.text.split("\n")]

    @cached_property
    def _folded(self) -> _Running:
        return _joined((_folded(line), _Whose.OURS) for line in self._lines)

    @cached_property
    def _exact(self) -> _Running:
        return _joined((_exact(line), _Whose.OURS) for line in self._lines)

    def line(self, line: str, *, of_others: bool = False) -> Standing:
        """Return whose a line of the mail is. `of_others`: what stands in our own words is the sender's."""
        if not self.sent.texts:
            return Standing.OWN
        if (line, of_others) not in self._known:
            standing = self._standing(_folded(line), self._folded, self.sent.folded, of_others=of_others)
            self._known[line, of_others] = standing
        return self._known[line, of_others]

    def block(self, lines: Sequence[str]) -> Standing:
        """Return whose lines that belong together are. Whoever changes one has written all of them."""
        tokens = [token for line in lines for token in _exact(line)]
        if not self.sent.texts or len(self.text.split()) < len(tokens) + BESIDE:
            return Standing.OWN
        return self._standing(tokens, self._exact, self.sent.exact, of_others=False)

    @staticmethod
    def _standing(words: Sequence[str], here: _Running, sent: _Running, *, of_others: bool) -> Standing:
        if not words:
            return Standing.OWN
        found = f" {' '.join(words)} "
        there = [(at, sent.written_by(at)) for at in sent.places(found)]
        there = [(at, whose) for at, whose in there if whose is _Whose.OTHERS or not of_others]
        mine = list(here.places(found)) if there else []
        goes_on = (any(_goes_on(here, place, sent, at, len(found)) for at, _ in there) for place in mine)
        if mine and all(goes_on):
            return Standing.QUOTED
        by = {whose for _, whose in there}
        return Standing.DOUBTFUL if _Whose.OTHERS in by and _Whose.OFFER not in by else Standing.OWN


def _goes_on(here: _Running, place: int, sent: _Running, at: int, length: int) -> bool:
    """Return whether both texts go on with the same words."""
    beside, begin = 0, at
    for mine, theirs in zip(_before(here.text, place), _before(sent.text, at), strict=False):
        begin -= len(theirs) + 1
        if mine != theirs or beside == BESIDE:
            break
        beside += sent.written_by(begin) not in NO_SIGN
    begin = at + length - 1
    for mine, theirs in zip(_behind(here.text, place + length), _behind(sent.text, at + length), strict=False):
        if mine != theirs or beside == BESIDE:
            break
        beside += sent.written_by(begin) not in NO_SIGN
        begin += len(theirs) + 1
    return beside == BESIDE


def _before(text: str, at: int) -> Iterator[str]:
    """Yield the words before a place, the nearest first, as far as the mail goes."""
    return reversed(text[max(0, at - NEAR) : at].rpartition(END)[2].split(" ")[1:])


def _behind(text: str, at: int) -> Sequence[str]:
    """Return the words behind a place, as far as the mail goes."""
    return text[at : at + NEAR].partition(END)[0].split(" ")[:-1]


def _sent_lines(text: str) -> Iterator[tuple[str, _Whose]]:
    """Yield the lines of a mail of ours with who wrote them, and its end."""
    for line in text.split("\n"):
        clean = clean_line(_unmarked(line))
        if OFFER.match(line):
            yield clean, _Whose.OFFER
        elif GREETING.fullmatch(clean) or FAREWELL.match(clean):
            yield clean, _Whose.ANYBODY
        else:
            yield clean, _Whose.OTHERS if SAID.match(line) else _Whose.OURS
    yield END, _Whose.ANYBODY


def _unmarked(line: str) -> str:
    mark = QUOTE_MARKS.match(line) if ">" in line or "|" in line else None
    return line[mark.end() :] if mark else line


def _joined(lines: Iterable[tuple[Sequence[str], _Whose]]) -> _Running:
    parts: list[str] = [" "]
    starts: list[int] = [0]
    whose: list[_Whose] = [_Whose.OURS]
    length = 0
    for words, by in lines:
        if words:
            starts.append(length)
            whose.append(by)
            parts.append(f"{' '.join(words)} ")
            length += len(parts[-1])
    return _Running(text="".join(parts), starts=starts, whose=whose)
