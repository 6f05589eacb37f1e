"""The clauses of a text that may be a wish, and what their words mean; days, titles and a game's name stand aside."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from parsers.lines.calendar_words import AHEAD, CALENDAR, DAY, HOLIDAYS, WEEKDAYS, plain_words
from parsers.lines.dates import FROM, HOLIDAY_DAYS, TODAY, Days, find_days, read_days
from parsers.lines.titles import NAME, Titles, fold
from parsers.prose.courtesies import FAREWELL
from parsers.prose.padding import COMPANY, without_padding
from parsers.prose.vocabulary.english_rules import UNSURE
from parsers.prose.vocabulary.meanings import Meant, Vocabulary

MOST_CHARACTERS: Final = 1500
MOST_WORDS: Final = 80
"""A longer text says more than one plain wish."""
WRAPPED: Final = 45
"""Mail programs wrap only lines that are at least so long; a shorter one ends a clause."""
LONGEST_FAREWELL: Final = 5

CLAUSE_END = re.compile(
    r"[.!?;:,()]+|\n|\s[-–—]+\s|\s(?i:und|and|weil|because|cuz|cause|since|as(?!\s(?:an?|the)\b))\s"
    r"|\s(?=(?i:wenn|falls|sofern|if|when)\s)"
)
WEEKDAY = re.compile(rf"\b(?:{'|'.join(name for names in WEEKDAYS for name in names)})\b", re.IGNORECASE)
IS_AHEAD = re.compile(AHEAD, re.IGNORECASE)
SINCE = re.compile(rf"\b{FROM}\s+(?P<day>{DAY})(?![0-9])", re.IGNORECASE)
SMALL_TALK = re.compile(r"\bwie (?:geht|laeuft)(?:'?s| es)(?! hier)")
NUMBER = re.compile(r"[0-9]{1,3}")
TOKEN = re.compile(r"[\w'’§-]+")
TITLE: Final = "§"
"""Stands where a title stood."""
ADDRESS = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+){1,4}(?![\w@])")
HOURS = re.compile(r"(?<![\w.])(?P<number>[1-9][0-9]?)\s*(?:stunden?|hours?|std|h)\b", re.IGNORECASE)
SIGNED = re.compile(r"\s*[A-ZÄÖÜ][a-zäöüß]+(?: [A-ZÄÖÜ][a-zäöüß]*\.?)?\s*")
"""A name at the end, without a farewell."""
PS = re.compile(r"p\.?\s?s\b", re.IGNORECASE)
NEW_LETTER = re.compile(r"\b(?:neu|new)\s*:", re.IGNORECASE)
CELLS = re.compile(r"\w\.{2,}\w|[._]{4,}|[=/|]")
CAPITALS = re.compile(r"\b[A-ZÄÖÜ]{3,}\b")
KNOWN_CAPITALS: Final = frozenset(
    ["ZAT", "MFG", "SMS", "USA", "LOL", "FYI", "DSGVO", "GDPR", "STOPP", "STOP", "OMG", "ASAP", "PS"]
)
IS_NAME = re.compile(NAME)
GREETINGS: Final = frozenset("hallo hi hey hello moin servus liebe lieber liebes dear guten".split())  # noqa: SIM905
BEFORE_NAME: Final = frozenset(
    """
    bei beim in im an von vom zum zur zu fuer aus partie spiel runde at of for from to game join watch leave quit
    resign follow abandon playing play leaving quitting joining watching into beobachten
    verlassen beenden
    """.split()  # noqa: SIM905  a list of words reads best as a text
)
NOUNS: Final = frozenset("partie spiel runde game stand bulletin spielstand zug zu".split())  # noqa: SIM905
"""Behind such a word a name is written with a capital."""
ARTICLES: Final = frozenset("der die das dem den ein eine einem einer einen the a".split())  # noqa: SIM905
KINDS: Final = frozenset("partie spiel runde game".split())  # noqa: SIM905
OWN: Final = frozenset("ich mich me i i'd i'm i'll mir".split())  # noqa: SIM905
ENTERED: Final = frozenset("vormerken anmelden eintragen anmeldung".split())  # noqa: SIM905
"""`Bitte für Eriwan vormerken`: with such a word `für` stands before a game, else before a person."""
OF_PERSONS: Final = frozenset(["seat", "enter", "signup", "send", "rules"])
"""Meanings beside which `für` stands before a person: `Habt ihr einen Platz für Ben?`."""
PLACED: Final = frozenset("in im nach auf an am to".split())  # noqa: SIM905
"""Behind such a word stands where somebody is on some days."""
WITH_OBJECT: Final = frozenset(["leave", "watch"])
"""Meanings of verbs beside which a game's name stands alone: `Eriwan möchte ich verlassen`."""
SELF: Final = frozenset(["ich", "mich", "mir", "i", "me", "my", "habt", "hast", "gibt", "wer", "wie", "schick"])
AWAITING = re.compile(rf"\b(?:{'|'.join(sorted(BEFORE_NAME | ARTICLES))})$")
"""A line ends so that a name must follow."""


@dataclass(kw_only=True)
class Clause:
    """A clause without days, titles and addresses."""

    text: str
    is_question: bool
    days: Days | None = None
    span: str = ""
    title_key: str = ""
    mail: str = ""
    """An e-mail address."""
    is_confused: bool = False
    """It names two titles, or days that don't go together."""
    words: list[str] = field(default_factory=list)
    """As they are written; `TITLE` where a title stood."""

    @property
    def is_open(self) -> bool:
        """Whether it says from when, and not until when."""
        return self.days is not None and self.days.last is None and not self.days.length


@dataclass(kw_only=True)
class Heard:
    """What the words of a clause mean in one language."""

    meant: list[Meant] = field(default_factory=list)
    game: str = ""
    """A word that stands where a game's name does."""
    number: int | None = None
    days: Days | None = None
    """Of a holiday that everybody knows."""
    is_unclear: bool = False
    """It has words that mean nothing we know."""


def own_text(lines: Sequence[str]) -> str:
    """Join the lines up to the farewell; empty where they are too much for one wish."""
    kept: list[str] = []
    for at, line in enumerate(lines):
        if any(kept) and FAREWELL.match(line) and len(line.split()) <= LONGEST_FAREWELL:
            if any(PS.match(below) for below in lines[at:]):
                return ""
            break
        kept.append(line)
    if len(kept) > 1 and SIGNED.fullmatch(kept[-1]) and not AWAITING.search(plain_words(kept[-2])):
        kept.pop()
    joined = "".join(f"{line} " if len(line) >= WRAPPED else f"{line}\n" for line in kept).strip()
    is_long = len(joined) > MOST_CHARACTERS or len(joined.split()) > MOST_WORDS
    return "" if is_long else joined


def may_be_move(text: str) -> bool:
    """Return whether a text has anything of a move: new letters, cells, words in capitals."""
    shouted = {word for word in CAPITALS.findall(text) if word not in KNOWN_CAPITALS}
    is_shouting = text.isupper()  # somebody who writes all in capitals
    return bool(NEW_LETTER.search(text) or CELLS.search(ADDRESS.sub("", text)) or (shouted and not is_shouting))


@dataclass(frozen=True, kw_only=True)
class Taken:
    """What stands at a place of the text and is no word of a phrase."""

    start: int
    end: int
    days: Days | None = None
    span: str = ""
    title_key: str = ""
    mail: str = ""


def clauses_of(text: str, titles: Titles) -> Iterator[Clause]:
    """Split a text; days, spans and titles are taken out first, as they hold the marks that end a clause."""
    text = without_padding(text).replace(TITLE, " ")
    taken = [Taken(start=one.start(), end=one.end(), mail=one[0].lower()) for one in ADDRESS.finditer(text)]
    taken += _spans(text)
    for found in titles.pattern.finditer(text):
        start, end = found.span("title")
        is_word = not text[:start][-1:].isalnum() and not text[end : end + 1].isalnum()
        if is_word and not any(start < one.end and one.start < end for one in taken):
            taken.append(Taken(start=start, end=end, title_key=titles.keys[fold(found["title"])]))
    hidden = list(text)
    for one in taken:
        hidden[one.start : one.end] = (TITLE if one.title_key else " ").ljust(one.end - one.start)
    start, blank = 0, "".join(hidden)
    for mark in [*CLAUSE_END.finditer(blank), None]:
        end = mark.start() if mark else len(blank)
        inside = [one for one in taken if start <= one.start < end]
        if blank[start:end].strip() or inside:
            is_question = bool(mark and "?" in mark[0])
            yield _clause(text[start:end].strip(), blank[start:end], inside, is_question=is_question)
        start = mark.end() if mark else end


def _spans(text: str) -> Iterator[Taken]:
    """Yield where days and spans stand; a span of days may be days away or days more."""
    at, blank = 0, text
    while found := find_days(text[at:]):
        days, start, end = found
        is_count = (
            days.last is None and days.first == TODAY and days.length and not IS_AHEAD.fullmatch(text[at:][start:end])
        )
        span = f"{days.length}d" if is_count else ""
        blank = blank[: at + start] + "#" * (end - start) + blank[at + end :]
        yield Taken(start=at + start, end=at + end, days=days, span=span)
        at += end
    for since in SINCE.finditer(blank):
        day = read_days(f"am {since['day']}")
        if day:
            yield Taken(start=since.start(), end=since.end(), days=replace(day, length=0))
            blank = blank[: since.start()] + "#" * len(since[0]) + blank[since.end() :]
    for weekday in WEEKDAY.finditer(blank):
        if day := read_days(f"am {weekday[0]}"):
            yield Taken(start=weekday.start(), end=weekday.end(), days=day)
            blank = blank[: weekday.start()] + "#" * len(weekday[0]) + blank[weekday.end() :]
    for hours in HOURS.finditer(text):
        yield Taken(start=hours.start(), end=hours.end(), span=f"{hours['number']}h")


def _clause(text: str, blank: str, inside: Sequence[Taken], *, is_question: bool) -> Clause:
    clause = Clause(text=text, is_question=is_question, is_confused=SMALL_TALK.search(plain_words(text)) is not None)
    for one in inside:
        if one.title_key:
            clause.is_confused = clause.is_confused or clause.title_key not in ("", one.title_key)
            clause.title_key = one.title_key
        elif one.mail:
            clause.is_confused = clause.is_confused or bool(clause.mail)
            clause.mail = one.mail
        else:
            _take_days(clause, one.days, one.span)
    tokens = TOKEN.findall((COMPANY.sub(" ", blank) if clause.days else blank).replace("+", " plus "))
    clause.words = [word for token in tokens if (word := token.strip("-_'’"))]
    return clause


def _take_days(clause: Clause, days: Days | None, span: str) -> None:
    """Take days or a span; `ab Freitag` and `eine Woche` in one clause are one span, any other two are none."""
    if not clause.days and not clause.span:
        clause.days, clause.span = days, span
        return
    both = [one for one in (clause.days, days) if one]
    since = [one for one in both if one.last is None and one.length <= 1]
    long = [one for one in both if one.last is None and one.length > 1 and one.first == TODAY]
    if len(since) == len(long) == 1:
        clause.days, clause.span = replace(since[0], length=long[0].length), ""
    else:
        clause.is_confused = True


# -- what the words mean -----------------------------------------------------------------------------------------------


def hear(clause: Clause, vocabulary: Vocabulary) -> Heard:
    """Say what the words of a clause mean; the one that isn't known may be the game's name."""
    written = [
        (plain, word) for word in clause.words
        for plain in vocabulary.in_full(plain_words(word).replace("’", "'").replace("-", "")).split()
    ]  # fmt: skip
    heard, is_after_greeting = Heard(), False
    meanings = vocabulary.read([plain for plain, _ in written])
    said = frozenset[str]().union(*(one.meanings for one in meanings if one))
    for at, (meant, (plain, _)) in enumerate(zip(meanings, written, strict=True)):
        before = written[at - 1][0] if at else ""
        is_greeting = plain in GREETINGS or (plain in ("tag", "abend", "morgen") and before == "guten")
        if meant is not None and not is_greeting:
            heard.meant.append(meant)
        elif NUMBER.fullmatch(plain) and heard.number is None:
            heard.number = int(plain)
            heard.meant.append(Meant(frozenset(["number"])))
        elif plain in CALENDAR:
            # `Weihnachten` beside dates says the same again.
            heard.days = heard.days or HOLIDAY_DAYS.get(plain)
            has_days = clause.days.last is not None if clause.days else heard.days is not None
            heard.is_unclear |= plain not in HOLIDAYS or not has_days
        elif is_after_greeting:
            # `Hallo Cici wie steht es`: whom the mail greets. `Hallo Ben möchte mitspielen` is about Ben.
            heard.is_unclear |= not _begins_anew([word for word, _ in written[at + 1 :]])
        elif plain != TITLE and not is_greeting:
            heard.is_unclear |= bool(heard.game) or not _may_be_name(clause, [word for _, word in written], at, said)
            heard.game = heard.game or written[at][1]
        is_after_greeting = is_greeting
    return heard


def _begins_anew(words: Sequence[str]) -> bool:
    return not words or words[0] in SELF | {"bitte", "please", "can", "could", "kann", "koennte", "darf"}


def _may_be_name(clause: Clause, words: Sequence[str], at: int, said: frozenset[str]) -> bool:
    """Return whether a word that isn't known stands where the name of a game does."""
    plain = [plain_words(word) for word in words]
    before, behind = plain[at - 1] if at else "", plain[at + 1] if at + 1 < len(plain) else ""
    if IS_NAME.fullmatch(words[at]) is None or plain[at] in UNSURE:
        return False
    if before in ARTICLES and behind not in KINDS and not (clause.days and {*plain[max(at - 2, 0) : at]} & PLACED):
        return False
    if behind in ("zug", "zuege", "move"):  # `Bens Zug`
        return False
    if before in ("fuer", "for"):  # `Habt ihr einen Platz für Ben?`
        return bool(clause.title_key or not said & OF_PERSONS or (OWN | ENTERED) & set(plain))
    if before.startswith(("mein", "dein", "sein", "unser", "my", "your", "his", "her")):
        return False
    is_capital = words[at][0].isupper()
    if at == 0:  # it may be about somebody of that name
        return bool(said & {"sounds", "withoutme"})
    if before in ("mit", "with"):  # `Mit Eriwan ist für mich Schluss`
        return bool(said & {"end", "done", "out", "goon", "quit"})
    if before == "auf":
        return "desire" in said
    is_place = bool(clause.days) and is_capital and bool({before, plain[at - 2] if at > 1 else ""} & PLACED)
    is_alone = bool(clause.span) and bool(said & {"postpone", "extend"})
    is_alone = is_alone or (
        bool(said & {"i", "_i", "want"})
        and (bool(said & WITH_OBJECT) or (is_capital and bool(said & {"quit", "goon"})))
    )
    is_alone = is_alone or (is_capital and "counted" in said)
    if before in NOUNS:
        return is_capital
    return before in BEFORE_NAME or before == TITLE or before in ARTICLES or is_place or is_alone
