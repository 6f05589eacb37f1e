"""Prose with one plain wish: `ich möchte bei Eriwan mitspielen`, `bin vom 20.12. bis 3.1. weg`, `wie steht es?`.

A wish is read only where one clause of the text is a phrase of the closed table (`phrases`), and nothing beside it
casts doubt on it, says another wish, or may be a move. Nothing is guessed: any other text has no wish.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Final

from games.api import Language
from parsers.commands.calendar_words import plain_words
from parsers.commands.dates import TODAY, Day, Days, find_days
from parsers.commands.prose.courtesies import FAREWELL
from parsers.commands.prose.english_phrases import FILLERS, PHRASES, UNSURE, literal_words
from parsers.commands.prose.phrases import Phrase
from parsers.commands.titles import NAME, Titles, fold

MOST_CHARACTERS: Final = 1500
MOST_WORDS: Final = 80
"""A longer text says more than one plain wish."""
WRAPPED: Final = 45
"""Mail programs wrap only lines that are at least so long; a shorter one ends a clause."""
LONGEST_FAREWELL: Final = 5

HARMLESS: Final = frozenset(["help", "rules", "position", "history", "games", "my_games"])
"""Wishes that only show something."""
NAMELESS: Final = frozenset(["games", "my_games", "digest", "english", "german"])
"""Wishes that are about no game."""

CLAUSE_END = re.compile(r"[.!?;:,()]+|\n|\s[-–—]+\s|\s(?i:und|and|weil|because|since|as)\s")
SMALL_TALK = re.compile(r"\bwie (?:geht|laeuft)(?:'?s| es)(?! hier)")
NO_END = re.compile(r"\b(lust|interesse|bock|freuen|fragen|wissen),\s", re.IGNORECASE)
"""A comma behind such a word ends no clause: `Ich hätte Lust, mitzuspielen`."""
ADDRESSED = re.compile(rf"^({NAME}):\s(?=\S)", re.MULTILINE)
"""`Eriwan: ich möchte mitmachen` is one clause."""
NUMBER = re.compile(r"[0-9]{1,3}")
TOKEN = re.compile(r"[\w'’-]+")
HOURS = re.compile(r"(?<![\w.])(?P<number>[1-9][0-9]?)\s*(?:stunden?|hours?|std|h)\b", re.IGNORECASE)
COUNTED = re.compile(
    r"(?<=[0-9]) (?P<more>more|extra|weitere|mehr) (?P<unit>tage?|days?|wochen?|weeks?)", re.IGNORECASE
)
PS = re.compile(r"p\.?\s?s\b", re.IGNORECASE)
QUOTED_WORD = re.compile(r"[»„“\"'«]([\w-]{2,30})[«“”\"'»]")
QUOTES = re.compile(r"[»«„“”\"]")
NEW_LETTER = re.compile(r"\b(?:neu|new)\s*:", re.IGNORECASE)
CELLS = re.compile(r"\w\.{2,}\w|[._]{4,}|[=/|]")
CAPITALS = re.compile(r"\b[A-ZÄÖÜ]{3,}\b")
KNOWN_CAPITALS: Final = frozenset(["ZAT", "MFG", "SMS", "USA", "LOL", "FYI"])
IS_NAME = re.compile(NAME)
GREETINGS: Final = frozenset("hallo hi hey hello moin servus liebe lieber liebes dear guten".split())  # noqa: SIM905
BEFORE_NAME: Final = frozenset(
    """
    bei beim in im an von vom zu zum zur fuer aus partie spiel runde at of for from to game join watch leave quit resign
    beobachten follow
    """.split()  # noqa: SIM905  a list of words reads best as a text
)
ARTICLES: Final = frozenset("der die das dem den ein eine einem einer einen the a an".split())  # noqa: SIM905
KINDS: Final = frozenset("partie spiel runde game".split())  # noqa: SIM905
OWN: Final = frozenset("ich mich me i i'd i'm i'll".split())  # noqa: SIM905
CONTRASTS: Final = frozenset("nicht kein keine keinen nie not no never sondern statt".split())  # noqa: SIM905
SELF: Final = frozenset(
    ["ich", "mich", "mir", "i", "me", "my", "habt", "hast", "gibt", "wer", "wie", "schick", "regeln"]
)
CONTRACTIONS: Final = {
    "i'd": "i would", "i'm": "i am", "i'll": "i will", "i've": "i have", "can't": "cannot", "cant": "cannot",
    "don't": "do not", "dont": "do not", "won't": "will not", "what's": "what is", "how's": "how is", "it's": "it is",
    "who's": "who is", "didn't": "did not", "where's": "where is", "gibt's": "gibt", "gibts": "gibt",
    "steht's": "steht", "stehts": "steht", "sieht's": "sieht", "geht's": "geht es", "gehts": "geht es",
    "hab'": "hab", "waer": "waere",
    "haett": "haette", "wuerds": "wuerde",
}  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Wish:
    """What somebody wishes, in their own words."""

    kind: str
    language: Language | None
    """In which it was said; None where both have the phrase."""
    text: str
    """The clause, as it was written."""
    title_key: str = ""
    game: str = ""
    """A word that stands where a game's name does."""
    days: Days | None = None
    span: str = ""
    """More time, as `gm zat` takes it."""
    number: int | None = None
    """Of a round."""
    beside: tuple[str, ...] = ()
    """What else was said, clause by clause."""

    @property
    def is_harmless(self) -> bool:
        """Whether it only shows something."""
        return self.kind in HARMLESS

    @property
    def until(self) -> Day | None:
        """The day to which more time is asked for."""
        return self.days.last if self.days and not self.span else None


@dataclass(kw_only=True)
class _Clause:
    """A clause without the game in it: its words as patterns know them, a filler with `_` before it."""

    text: str
    is_question: bool
    days: Days | None = None
    span: str = ""
    title_key: str = ""
    game: str = ""
    number: int | None = None
    unknown: int = 0
    words: list[str] = field(default_factory=list)

    @property
    def has_game(self) -> bool:
        return bool(self.title_key or self.game)


def read_wish(lines: Sequence[str], titles: Titles) -> Wish | None:
    """Read the one plain wish of a mail; `lines` are the sender's own, clean. None where there is none."""
    text = _own_text(lines)
    if not text or _may_be_move(text):
        return None
    found: list[tuple[_Clause, str, Language | None]] = []
    beside: list[_Clause] = []
    for clause in _clauses(text, titles):
        said = _said(clause)
        if said:
            found.append((clause, *said))
        elif any(map(str.isalnum, clause.text)) and not _is_greeting(clause, is_first=not found and not beside):
            beside.append(clause)
    # Several clauses may say the same: `Ich verstehe nicht, wie das geht`.
    if not found or len({kind for _, kind, _ in found}) > 1 or any(map(_casts_doubt, beside)):
        return None
    clause, kind, language = found[0]
    wish = Wish(kind=kind, language=language, text=clause.text, beside=tuple(one.text for one in beside))
    return _with_details(wish, [one for one, _, _ in found])


def _with_details(wish: Wish, clauses: Sequence[_Clause]) -> Wish | None:
    """Add what the clauses name; None where they name several."""
    games = {(one.title_key, one.game) for one in clauses if one.has_game}
    spans = [one for one in clauses if one.days or one.span]
    if len(games) > 1 or len(spans) > 1:
        return None
    title_key, game = next(iter(games), ("", ""))
    span = spans[0] if spans else None
    number = next((one.number for one in clauses if one.number is not None), None)
    return replace(
        wish, title_key=title_key, game=game, number=number, days=span.days if span else None,
        span=span.span if span else "",
    )  # fmt: skip


# -- the text ----------------------------------------------------------------------------------------------------------


def _own_text(lines: Sequence[str]) -> str:
    """Join the lines up to the farewell; empty where they are too much for one wish."""
    kept: list[str] = []
    for at, line in enumerate(lines):
        if any(kept) and FAREWELL.match(line) and len(line.split()) <= LONGEST_FAREWELL:
            if any(PS.match(below) for below in lines[at:]):
                return ""
            break
        kept.append(line)
    joined = "".join(f"{line} " if len(line) >= WRAPPED else f"{line}\n" for line in kept).strip()
    is_long = len(joined) > MOST_CHARACTERS or len(joined.split()) > MOST_WORDS
    return "" if is_long else joined


def _may_be_move(text: str) -> bool:
    shouted = {word for word in CAPITALS.findall(text) if word not in KNOWN_CAPITALS}
    is_shouting = text.isupper()  # somebody who writes all in capitals
    return bool(NEW_LETTER.search(text) or CELLS.search(text) or (shouted and not is_shouting))


def _clauses(text: str, titles: Titles) -> Iterator[_Clause]:
    """Split a text; days, spans and titles are taken out first, as they hold the marks that end a clause."""
    text = ADDRESSED.sub(r"\1 ", NO_END.sub(r"\1 ", text))
    text = QUOTED_WORD.sub(r" \1 ", COUNTED.sub(r" \g<unit> \g<more>", text))
    taken: list[tuple[int, int, Days | None, str, str]] = []
    for start, end, days, span in _spans(text):
        taken.append((start, end, days, span, ""))
    for found in titles.pattern.finditer(text):
        title = found["title"]
        before, behind = text[: found.start()][-1:], text[found.end("title") :][:1]
        if not before.isalnum() and not behind.isalnum() and not _overlaps(taken, *found.span("title")):
            taken.append((*found.span("title"), None, "", titles.keys[fold(title)]))
    hidden = list(text)
    for start, end, *_ in taken:
        hidden[start:end] = " " * (end - start)
    start = 0
    blank = "".join(hidden)
    for mark in [*CLAUSE_END.finditer(blank), None]:
        end = mark.start() if mark else len(blank)
        inside = [one for one in taken if start <= one[0] < end]
        if blank[start:end].strip() or inside:
            is_question = bool(mark and "?" in mark[0])
            yield _clause(text[start:end].strip(), blank[start:end], inside, is_question=is_question)
        start = mark.end() if mark else end


def _overlaps(taken: Sequence[tuple[int, int, Days | None, str, str]], start: int, end: int) -> bool:
    return any(start < one[1] and one[0] < end for one in taken)


def _spans(text: str) -> Iterator[tuple[int, int, Days | None, str]]:
    """Yield where days and spans stand; a span of days may be days away or days more."""
    at = 0
    while found := find_days(text[at:]):
        days, start, end = found
        span = f"{days.length}d" if days.last is None and days.first == TODAY and days.length else ""
        yield at + start, at + end, days, span
        at += end
    for hours in HOURS.finditer(text):
        yield *hours.span(), None, f"{hours['number']}h"


def _clause(
    text: str, blank: str, inside: Sequence[tuple[int, int, Days | None, str, str]], *, is_question: bool
) -> _Clause:
    clause = _Clause(text=text, is_question=is_question, unknown=2 if SMALL_TALK.search(plain_words(text)) else 0)
    for _, _, days, span, title in inside:
        if title:
            clause.unknown += 0 if clause.title_key in ("", title) else 2
            clause.title_key = title
        else:
            clause.unknown += 2 if clause.days or clause.span else 0
            clause.days, clause.span = days, span
    words = [word for word in TOKEN.findall(blank.replace("+", " plus ")) if word.strip("-_'’")]
    _take_words(clause, words)
    return clause


def _take_words(clause: _Clause, words: Sequence[str]) -> None:
    """Fill in the words of a clause; the one that no phrase knows is the game's name."""
    is_after_greeting = False
    for at, written in enumerate(words):
        plain = plain_words(written).replace("’", "'").replace("-", "")
        plain = CONTRACTIONS.get(plain, plain)
        before = plain_words(words[at - 1]) if at else ""
        if NUMBER.fullmatch(plain) and clause.number is None:
            clause.number = int(plain)
        elif plain in GREETINGS or (plain in ("tag", "abend", "morgen") and before == "guten"):
            is_after_greeting = True
            continue
        elif plain.split()[0] in _known():
            clause.words += [f"_{word}" if word in FILLERS else word for word in plain.split()]
        elif is_after_greeting:
            # `Hallo Cici wie steht es`: whom the mail greets. `Hallo Ben möchte mitspielen` is about Ben.
            clause.unknown += 0 if _begins_anew(words[at + 1 :]) else 2
        else:
            clause.unknown += 1 if not clause.game and _may_be_name(clause, words, at) else 2
            clause.game = clause.game or written
        is_after_greeting = False


def _begins_anew(words: Sequence[str]) -> bool:
    return not words or plain_words(words[0]) in SELF | {"bitte", "please", "can", "could", "kann", "koennte", "darf"}


def _may_be_name(clause: _Clause, words: Sequence[str], at: int) -> bool:
    """Return whether a word that no phrase knows stands where the name of a game does."""
    before, behind = (plain_words(word) for word in (words[at - 1] if at else "", *words[at + 1 : at + 2], "")[:2])
    if before in ARTICLES and behind not in KINDS:
        return False
    if before in ("fuer", "for") and not (clause.title_key or OWN & {plain_words(word) for word in words}):
        return False  # `Habt ihr einen Platz für Ben?`
    is_written_so = words[at][0].isupper() or before in BEFORE_NAME or bool(clause.title_key)
    return is_written_so and IS_NAME.fullmatch(words[at]) is not None and (at > 0 or _names_self(words))


def _names_self(words: Sequence[str]) -> bool:
    """Return whether a clause that begins with a name is not about somebody of that name."""
    return bool(SELF & {plain_words(word) for word in words}) or any(word.lower().startswith("i'") for word in words)


def _is_greeting(clause: _Clause, *, is_first: bool) -> bool:
    begins = plain_words(clause.text).split()[:1]
    return is_first and bool(begins) and begins[0] in GREETINGS and not clause.words and clause.unknown <= 1


def _casts_doubt(clause: _Clause) -> bool:
    """Return whether a clause beside the wish makes it less than plain: a condition, hearsay, days, figures."""
    said = {word.lstrip("_") for word in clause.words} | {plain_words(word) for word in TOKEN.findall(clause.text)}
    has_figure = (
        bool(clause.title_key)
        or clause.number is not None
        or clause.days is not None
        or any(map(str.isdigit, clause.text))
    )
    is_contrast = plain_words(clause.text).split()[0] in CONTRASTS
    return bool(said & UNSURE) or has_figure or is_contrast or QUOTES.search(clause.text) is not None


# -- the phrases -------------------------------------------------------------------------------------------------------


def _said(clause: _Clause) -> tuple[str, Language | None] | None:
    """Find the wish that a clause is; the language is None where both say it so."""
    if clause.unknown > 1 or not (clause.words or clause.span) or QUOTES.search(clause.text):
        return None
    skeleton = " ".join(clause.words)
    found = [
        (language, kind) for language, kind, phrase, pattern in _patterns()
        if pattern.fullmatch(skeleton) and _fits(clause, kind, phrase)
    ]  # fmt: skip
    kinds = {kind for _, kind in found}
    languages = {language for language, _ in found}
    if len(kinds) != 1:
        return None
    return kinds.pop(), languages.pop() if len(languages) == 1 else None


def _fits(clause: _Clause, kind: str, phrase: Phrase) -> bool:
    has = {"": True, "game": clause.has_game, "days": clause.days is not None, "span": bool(clause.span)}
    is_dated = bool(clause.days or clause.span)
    if not has[phrase.needs] or (is_dated and kind not in ("vacation", "extension")):
        return False
    if (clause.number is not None and kind != "history") or (clause.has_game and kind in NAMELESS):
        return False
    return not clause.is_question or phrase.asks or kind in HARMLESS


@cache
def _known() -> frozenset[str]:
    return literal_words()


@cache
def _patterns() -> tuple[tuple[Language, str, Phrase, re.Pattern[str]], ...]:
    return tuple(
        (language, kind, phrase, _compiled(phrase.pattern))
        for language, table in PHRASES.items() for kind, phrases in table.items() for phrase in phrases
    )  # fmt: skip


def _compiled(pattern: str) -> re.Pattern[str]:
    """Let fillers stand between the words of a phrase, before them and behind."""
    marked = re.sub(r"(?<![a-z'])[a-z']+", lambda word: f"_?{word[0]}" if word[0] in FILLERS else word[0], pattern)
    between = marked.replace(" ", r"(?: _\S+)* ")
    return re.compile(rf"(?:_\S+ )*(?:{between})(?: _\S+)*")
