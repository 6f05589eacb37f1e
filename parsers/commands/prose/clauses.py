"""The clauses of a text that may be a wish: their words as the phrases know them, with days and a game's name aside."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Final

from parsers.commands.calendar_words import CALENDAR, DAY, HOLIDAYS, plain_words
from parsers.commands.calendar_words import NUMBER as NUMERAL
from parsers.commands.dates import FROM, TODAY, Days, find_days, read_days
from parsers.commands.prose.courtesies import FAREWELL
from parsers.commands.prose.english_phrases import FILLERS, literal_words
from parsers.commands.titles import NAME, Titles, fold

MOST_CHARACTERS: Final = 1500
MOST_WORDS: Final = 80
"""A longer text says more than one plain wish."""
WRAPPED: Final = 45
"""Mail programs wrap only lines that are at least so long; a shorter one ends a clause."""
LONGEST_FAREWELL: Final = 5

CLAUSE_END = re.compile(
    r"[.!?;:,()]+|\n|\s[-–—]+\s|\s(?i:und|and|weil|because|since|as)\s|\s(?=(?i:wenn|falls|sofern|if|when)\s)"
)
CIRCUMSTANCES = re.compile(
    r"\b(?:(?:aus|wegen) (?:\w+ )?(?:gründen|gruenden|zeitgründen|zeitmangel|krankheit|überlastung)|schweren herzens"
    r"|mit (?:großem |grossem )?bedauern|ab sofort|mit sofortiger wirkung|zu meinem bedauern|with regret|for "
    r"(?:\w+ )?reasons)\b",
    re.IGNORECASE,
)
"""Why or how somebody wishes it: no part of a phrase."""
NOW_AND_THEN = re.compile(r"\b(?:ab und (?:zu|an)|hin und wieder|now and then|on and off)\b", re.IGNORECASE)
"""No two clauses: `Ich melde mich ab und zu`."""
SINCE = re.compile(rf"\b{FROM}\s+(?P<day>{DAY})(?![0-9])", re.IGNORECASE)
SMALL_TALK = re.compile(r"\bwie (?:geht|laeuft)(?:'?s| es)(?! hier)")
NO_END = re.compile(r"\b(lust|interesse|bock|freuen|fragen|wissen),\s", re.IGNORECASE)
"""A comma behind such a word ends no clause: `Ich hätte Lust, mitzuspielen`."""
ADDRESSED = re.compile(rf"^({NAME}):\s(?=\S)", re.MULTILINE)
"""`Eriwan: ich möchte mitmachen` is one clause."""
NUMBER = re.compile(r"[0-9]{1,3}")
TOKEN = re.compile(r"[\w'’-]+")
HOURS = re.compile(r"(?<![\w.])(?P<number>[1-9][0-9]?)\s*(?:stunden?|hours?|std|h)\b", re.IGNORECASE)
COUNTED = re.compile(
    rf"\b(?P<number>{NUMERAL}) (?P<more>more|extra|weitere|mehr) (?P<unit>tage?|days?|wochen?|weeks?)\b", re.IGNORECASE
)
PS = re.compile(r"p\.?\s?s\b", re.IGNORECASE)
QUOTED_WORD = re.compile(r"[»„“\"'«]([\w-]{2,30})[«“”\"'»]")
NEW_LETTER = re.compile(r"\b(?:neu|new)\s*:", re.IGNORECASE)
CELLS = re.compile(r"\w\.{2,}\w|[._]{4,}|[=/|]")
CAPITALS = re.compile(r"\b[A-ZÄÖÜ]{3,}\b")
KNOWN_CAPITALS: Final = frozenset(["ZAT", "MFG", "SMS", "USA", "LOL", "FYI", "DSGVO", "GDPR"])
IS_NAME = re.compile(NAME)
GREETINGS: Final = frozenset("hallo hi hey hello moin servus liebe lieber liebes dear guten".split())  # noqa: SIM905
BEFORE_NAME: Final = frozenset(
    """
    bei beim in im an von vom zum zur fuer aus partie spiel runde at of for from to game join watch leave quit resign
    beobachten follow
    """.split()  # noqa: SIM905  a list of words reads best as a text
)
ARTICLES: Final = frozenset("der die das dem den ein eine einem einer einen the a".split())  # noqa: SIM905
KINDS: Final = frozenset("partie spiel runde game".split())  # noqa: SIM905
OWN: Final = frozenset("ich mich me i i'd i'm i'll".split())  # noqa: SIM905
ENTERED: Final = frozenset("vormerken anmelden eintragen".split())  # noqa: SIM905
"""`Bitte für Eriwan vormerken`: with such a word `für` stands before a game, else before a person."""
SELF: Final = frozenset(["ich", "mich", "mir", "i", "me", "my", "habt", "hast", "gibt", "wer", "wie", "schick"])
CONTRACTIONS: Final = {
    "i'd": "i would", "i'm": "i am", "i'll": "i will", "i've": "i have", "can't": "cannot", "cant": "cannot",
    "don't": "do not", "dont": "do not", "won't": "will not", "what's": "what is", "how's": "how is", "it's": "it is",
    "there's": "there is",
    "who's": "who is", "didn't": "did not", "where's": "where is", "gibt's": "gibt", "gibts": "gibt",
    "steht's": "steht", "stehts": "steht", "sieht's": "sieht", "geht's": "geht es", "gehts": "geht es",
    "hab'": "hab", "waer": "waere",
    "haett": "haette", "wuerds": "wuerde",
}  # fmt: skip


@dataclass(kw_only=True)
class Clause:
    """A clause without the game in it: its words as patterns know them, a filler with `_` before it."""

    text: str
    is_question: bool
    days: Days | None = None
    span: str = ""
    title_key: str = ""
    game: str = ""
    number: int | None = None
    has_holiday: bool = False
    """It names `Weihnachten` or the like."""
    unknown: int = 0
    words: list[str] = field(default_factory=list)

    @property
    def has_game(self) -> bool:
        """Whether it names a kind of game, or what may be a game's name."""
        return bool(self.title_key or self.game)


def own_text(lines: Sequence[str]) -> str:
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


def may_be_move(text: str) -> bool:
    """Return whether a text has anything of a move: new letters, cells, words in capitals."""
    shouted = {word for word in CAPITALS.findall(text) if word not in KNOWN_CAPITALS}
    is_shouting = text.isupper()  # somebody who writes all in capitals
    return bool(NEW_LETTER.search(text) or CELLS.search(text) or (shouted and not is_shouting))


def clauses_of(text: str, titles: Titles) -> Iterator[Clause]:
    """Split a text; days, spans and titles are taken out first, as they hold the marks that end a clause."""
    text = CIRCUMSTANCES.sub(" ", ADDRESSED.sub(r"\1 ", NO_END.sub(r"\1 ", text)))
    text = NOW_AND_THEN.sub(" zuweilen ", text)
    text = QUOTED_WORD.sub(r" \1 ", COUNTED.sub(r"\g<number> \g<unit> \g<more>", text))
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
    at, blank = 0, text
    while found := find_days(text[at:]):
        days, start, end = found
        span = f"{days.length}d" if days.last is None and days.first == TODAY and days.length else ""
        blank = blank[: at + start] + "#" * (end - start) + blank[at + end :]
        yield at + start, at + end, days, span
        at += end
    for since in SINCE.finditer(blank):
        day = read_days(f"am {since['day']}")
        if day:
            yield *since.span(), replace(day, length=0), ""
    for hours in HOURS.finditer(text):
        yield *hours.span(), None, f"{hours['number']}h"


def _clause(
    text: str, blank: str, inside: Sequence[tuple[int, int, Days | None, str, str]], *, is_question: bool
) -> Clause:
    clause = Clause(text=text, is_question=is_question, unknown=2 if SMALL_TALK.search(plain_words(text)) else 0)
    for _, _, days, span, title in inside:
        if title:
            clause.unknown += 0 if clause.title_key in ("", title) else 2
            clause.title_key = title
        else:
            _take_days(clause, days, span)
    if clause.days and clause.days.last is None and not clause.days.length:
        clause.unknown += 2  # it says from when, and not until when
    words = [word for word in TOKEN.findall(blank.replace("+", " plus ")) if word.strip("-_'’")]
    _take_words(clause, words)
    return clause


def _take_days(clause: Clause, days: Days | None, span: str) -> None:
    """Take days or a span; `ab Freitag` and `eine Woche` in one clause are one span, any other two are none."""
    if not clause.days and not clause.span:
        clause.days, clause.span = days, span
        return
    both = [one for one in (clause.days, days) if one]
    since = [one for one in both if one.last is None and not one.length]
    long = [one for one in both if one.last is None and one.length > 1 and one.first == TODAY]
    if len(since) == len(long) == 1:
        clause.days, clause.span = replace(since[0], length=long[0].length), ""
    else:
        clause.unknown += 2


def _take_words(clause: Clause, words: Sequence[str]) -> None:
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
        elif plain in CALENDAR:
            # `Weihnachten` beside dates says the same again; without them nobody knows which days are meant.
            clause.has_holiday = clause.has_holiday or plain in HOLIDAYS
            clause.unknown += 0 if plain in HOLIDAYS else 2
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


def _may_be_name(clause: Clause, words: Sequence[str], at: int) -> bool:
    """Return whether a word that no phrase knows stands where the name of a game does."""
    before, behind = (plain_words(word) for word in (words[at - 1] if at else "", *words[at + 1 : at + 2], "")[:2])
    if before in ARTICLES and behind not in KINDS:
        return False
    if before in ("fuer", "for") and not (clause.title_key or (OWN | ENTERED) & {plain_words(word) for word in words}):
        return False  # `Habt ihr einen Platz für Ben?`
    is_written_so = words[at][0].isupper() or before in BEFORE_NAME or bool(clause.title_key)
    return is_written_so and IS_NAME.fullmatch(words[at]) is not None and (at > 0 or _names_self(words))


def _names_self(words: Sequence[str]) -> bool:
    """Return whether a clause that begins with a name is not about somebody of that name."""
    return bool(SELF & {plain_words(word) for word in words}) or any(word.lower().startswith("i'") for word in words)


@cache
def _known() -> frozenset[str]:
    return literal_words()
