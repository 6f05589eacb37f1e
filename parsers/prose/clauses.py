"""The words of a text that may hold a wish, clause by clause; days, titles, names of games and addresses among them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from parsers.calendar_words import AHEAD, CALENDAR, DAY, NUMBER, WEEKDAYS, plain_words
from parsers.invisible import fold_name
from parsers.lines.dates import FROM, HOLIDAY_DAYS, TODAY, Days, find_days, read_days
from parsers.lines.names import NAME, Names, fold
from parsers.prose.courtesies import FAREWELL
from parsers.prose.intents import table

MOST_CHARACTERS: Final = 1500
MOST_WORDS: Final = 120
"""A longer text says more than one plain wish."""
WRAPPED: Final = 45
"""Mail programs wrap only lines that are at least so long; a shorter one may end a sentence."""
LONGEST_FAREWELL: Final = 5
MOST_GREETING: Final = 4

SIGNED = re.compile(r"\s*[A-ZÄÖÜ][a-zäöüß]+(?: [A-ZÄÖÜ][a-zäöüß]*\.?)?\s*")
"""A name at the end, without a farewell."""
PS = re.compile(r"p\.?\s?s\b", re.IGNORECASE)
NEW_LETTER = re.compile(r"\b(?:neu|new)\s*:", re.IGNORECASE)
CELLS = re.compile(r"\w\.{2,}\w|[._]{4,}|[=/|]")
CAPITALS = re.compile(r"\b[A-ZÄÖÜ]{3,}\b")
KNOWN_CAPITALS: Final = frozenset(
    ["ZAT", "MFG", "SMS", "USA", "LOL", "FYI", "DSGVO", "GDPR", "STOPP", "STOP", "OMG", "ASAP", "PS"]
)
ADDRESSED = re.compile(r"\A(?:sehr )?geehrte[^\n,]{0,60}[,\n]", re.IGNORECASE)
QUOTED_WORD = re.compile(r"[»„“\"'«]([\w-]{2,30})[«“”\"'»]")
SMILEY = re.compile(
    r"(?<!\w)(?:[:;]['-]?[)(DPpOo/|*3]+|[xX]D+|<3|\^\^)(?!\w)"
    "|[\U0001f300-\U0001faff\u2600-\u27bf\ufe0f\u200d]+"
)
TOLD_LETTER = re.compile(r"\s*:\s*(?=[A-Za-z](?!\w))")
"""`Wunsch: E` says the same as `Wunsch E`."""
COUNTED = re.compile(
    rf"\b(?P<number>{NUMBER}) (?P<more>more|extra|weitere|mehr) (?P<unit>tage?|days?|wochen?|weeks?)\b", re.IGNORECASE
)
WEEKDAY = re.compile(rf"\b(?:{'|'.join(name for names in WEEKDAYS for name in names)})\b", re.IGNORECASE)
IS_AHEAD = re.compile(AHEAD, re.IGNORECASE)
SINCE = re.compile(rf"\b{FROM}\s+(?P<day>{DAY})(?![0-9])", re.IGNORECASE)
ADDRESS = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+){1,4}(?![\w@])")
HOURS = re.compile(r"(?<![\w.])(?P<number>[1-9][0-9]?)\s*(?:stunden?|hours?|std|h)\b", re.IGNORECASE)
PIECE = re.compile(r"[\w'’-]+|\n|[^\w\s]")
IS_NAME = re.compile(NAME)
SPANS: Final = frozenset("tag tage tagen woche wochen monat jahr day days week weeks month year".split())  # noqa: SIM905
"""Words of a calendar that name no day."""
FIGURE = re.compile(r"[0-9]{1,3}")

GREETINGS: Final = frozenset("hallo hi hey hello moin servus liebe lieber liebes dear guten".split())  # noqa: SIM905
SENTENCE_ENDS: Final = frozenset(".!?;")
CLAUSE_ENDS: Final = frozenset(",:()–—")
JOINING: Final = frozenset(["und", "and", "weil", "because", "cuz", "since"])
"""Words between two clauses."""
BEFORE_NAME: Final = frozenset(
    """
    bei beim in im an zu zur aus partie spiel runde at from into to game join watch leave quit resign follow playing
    play leaving quitting joining watching
    """.split()  # noqa: SIM905  a list of words reads best as a text
)
"""Behind such a word an unknown one is the name of a game."""
SURELY_BEFORE: Final = frozenset(["bei", "partie", "spiel", "runde", "game", "join", "watch", "leave", "quit"])
"""The same where the games are known, and this is none of them."""
BEFORE_ANYBODY: Final = frozenset(["fuer", "for", "von", "vom", "of"])
"""Behind such a word it may be a person as well."""
FIRST: Final = frozenset("ich mich mir i i'd i'm i'll me vormerken anmelden eintragen anmeldung".split())  # noqa: SIM905
"""Beside one of these it is no person."""
NOUNS: Final = frozenset("partie spiel runde game in im an zu zur to at".split())  # noqa: SIM905
"""Behind such a word a name is written with a capital."""
ARTICLES: Final = frozenset("der die das den dem ein eine einen the".split())  # noqa: SIM905
BEFORE_PLACE: Final = frozenset("in an am auf nach at on den the".split())  # noqa: SIM905


@dataclass(kw_only=True)
class Token:
    """A word, or what stands for one."""

    written: str
    plain: str = ""
    fits: frozenset[str] = frozenset()
    """Patterns of the table, and the elements that it is: `GAME`, `DAYS` ..."""
    days: Days | None = None
    span: str = ""
    title_key: str = ""
    mail: str = ""

    @property
    def is_game(self) -> bool:
        """Whether it is the name of a game, or stands where one does."""
        return "GAME" in self.fits


@dataclass(kw_only=True)
class Clause:
    """A clause, in which sentence it stands, and whether that asks."""

    text: str
    sentence: int
    joint: str = ""
    """The mark or word before it."""
    tokens: list[Token] = field(default_factory=list)
    is_question: bool = False


@dataclass(frozen=True, kw_only=True)
class Taken:
    """What stands at a place of the text and is no word."""

    start: int
    end: int
    token: Token


def own_text(lines: Sequence[str]) -> str:
    """Join the lines up to the farewell; empty where they are too much for one wish."""
    kept: list[str] = []
    size = 0
    for at, line in enumerate(lines):
        if any(kept) and FAREWELL.match(line) and len(line.split()) <= LONGEST_FAREWELL:
            if any(PS.match(below) for below in lines[at:]):
                return ""
            break
        kept.append(line)
        size += len(line) + 1
        if size > MOST_CHARACTERS:
            return ""
    if len(kept) > 1 and SIGNED.fullmatch(kept[-1]) and plain_words(kept[-2]).split()[-1:] not in _AWAITING:
        kept.pop()
    joined = "".join(f"{line} " if len(line) >= WRAPPED else f"{line}\n" for line in kept).strip()
    return "" if len(joined.split()) > MOST_WORDS else joined


_AWAITING: Final = [[word] for word in sorted(BEFORE_NAME | BEFORE_ANYBODY | BEFORE_PLACE)]
"""A line ends so that a name must follow."""


def may_be_move(text: str) -> bool:
    """Return whether a text has anything of a move: new letters, cells, words in capitals."""
    shouted = {word for word in CAPITALS.findall(text) if word not in KNOWN_CAPITALS}
    is_shouting = text.isupper()  # somebody who writes all in capitals
    return bool(NEW_LETTER.search(text) or CELLS.search(ADDRESS.sub("", text)) or (shouted and not is_shouting))


def clauses_of(text: str, names: Names, games: frozenset[str]) -> list[Clause]:
    """Split a text into clauses and these into words, without greeting and smileys.

    `games` are the names of games, small. Without any, a word that stands where a name does is taken for one.
    """
    text = TOLD_LETTER.sub(" ", SMILEY.sub(" . ", ADDRESSED.sub("", text)))
    text = COUNTED.sub(r"\g<number> \g<unit> \g<more>", QUOTED_WORD.sub(r" \1 ", text))
    found = [one for one in _split(text, list(_taken(text, names))) if one.tokens]
    _without_greeting(found)
    for clause in found:
        _find_letters(clause.tokens)
        _find_names(clause.tokens, games)
    return [one for one in found if one.tokens]


# -- what is no word ---------------------------------------------------------------------------------------------------


def _taken(text: str, names: Names) -> Iterator[Taken]:
    mails = [_take(one, Token(written=one[0], mail=one[0].lower()), "MAIL") for one in ADDRESS.finditer(text)]
    blank = _blanked(text, mails)
    dated = list(_days(blank))
    blank = _blanked(blank, dated)
    yield from (*mails, *dated)
    for hours in HOURS.finditer(blank):
        yield _take(hours, Token(written=hours[0], span=f"{hours['number']}h"), "SPAN")
    for found in names.pattern.finditer(blank):
        start, end = found.span("title")
        if not blank[:start][-1:].isalnum() and not blank[end : end + 1].isalnum():
            key = names.keys[fold(found["title"])]
            token = Token(written=found["title"], title_key=key, fits=frozenset(["TITLE"]))
            yield Taken(start=start, end=end, token=token)


def _take(found: re.Match[str], token: Token, *elements: str) -> Taken:
    token.fits = frozenset(elements)
    return Taken(start=found.start(), end=found.end(), token=token)


def _blanked(text: str, taken: Sequence[Taken]) -> str:
    hidden = list(text)
    for one in taken:
        hidden[one.start : one.end] = "#" * (one.end - one.start)
    return "".join(hidden)


def _days(text: str) -> Iterator[Taken]:
    """Find days and spans; a span of days may be days away or days more."""
    at, blank = 0, text
    while found := find_days(text[at:]):
        days, start, end = found
        written = text[at + start : at + end]
        is_count = days.last is None and days.first == TODAY and days.length and not IS_AHEAD.fullmatch(written)
        token = Token(written=written, days=days, span=f"{days.length}d" if is_count else "")
        token.fits = frozenset(["DAYS", "SPAN"] if is_count else ["DAYS"])
        yield Taken(start=at + start, end=at + end, token=token)
        blank = f"{blank[: at + start]}{'#' * (end - start)}{blank[at + end :]}"
        at += end
    for since in SINCE.finditer(blank):
        if day := read_days(f"am {since['day']}"):
            yield _take(since, Token(written=since[0], days=replace(day, length=0)), "DAYS")
            blank = f"{blank[: since.start()]}{'#' * len(since[0])}{blank[since.end() :]}"
    for weekday in WEEKDAY.finditer(blank):
        if day := read_days(f"am {weekday[0]}"):
            yield _take(weekday, Token(written=weekday[0], days=day), "DAYS")


# -- clauses and words -------------------------------------------------------------------------------------------------


def _split(text: str, taken: Sequence[Taken]) -> Iterator[Clause]:
    """Split a text at its marks. What a comma or `und` parts stays in one sentence."""
    blank = _blanked(text, taken).replace("#", " ")
    places = sorted(
        [(one.start, one.end, one.token) for one in taken]
        + [(one.start(), one.end(), Token(written=one[0])) for one in PIECE.finditer(blank)],
        key=lambda place: place[0],
    )
    clause, begin, sentence = Clause(text="", sentence=0), 0, [0]
    of_sentence: list[Clause] = []
    for at, (start, end, token) in enumerate(places):
        written = token.written if not token.fits else ""
        is_dash = written == "-" and blank[start - 1 : start] == " " == blank[end : end + 1]
        is_end = written in SENTENCE_ENDS or (written == "\n" and _ends_sentence(places, at))
        if is_end or written in CLAUSE_ENDS or written == "\n" or is_dash or written.lower() in JOINING:
            clause.text = text[begin:start].strip()
            of_sentence.append(clause)
            if is_end:
                yield from _asked(of_sentence, is_question=written == "?")
                of_sentence, sentence = [], [sentence[0] + 1]
            clause, begin = Clause(text="", sentence=sentence[0], joint=written.lower()), end
        elif token.fits or any(map(str.isalnum, written)):
            clause.tokens.append(_word(token))
        elif written in '+»«„“”"':
            clause.tokens.append(_word(Token(written=written)))
    clause.text = text[begin:].strip()
    yield from _asked([*of_sentence, clause], is_question=False)


def _ends_sentence(places: Sequence[tuple[int, int, Token]], at: int) -> bool:
    before = places[at - 1][2].written if at else ""
    behind = places[at + 1][2].written if at + 1 < len(places) else ""
    return before not in CLAUSE_ENDS and not behind[:1].islower()


def _asked(clauses: Sequence[Clause], *, is_question: bool) -> Iterator[Clause]:
    for clause in clauses:
        clause.is_question = is_question
        yield clause


def _word(token: Token) -> Token:
    """Fill in what a word is; what stands for one is whole already."""
    if token.fits:
        return token
    bare = token.written.strip("-_'’") or token.written
    token.plain = "plus" if bare == "+" else plain_words(bare).replace("’", "'").replace("-", "")
    token.fits = table().fits(token.plain)
    if token.plain in CALENDAR - SPANS:
        token.fits |= {"DATE"}
    if FIGURE.fullmatch(token.plain):
        token.fits |= {"NUMBER"}
    if days := HOLIDAY_DAYS.get(token.plain):
        token.days, token.fits = days, token.fits | {"HOLIDAY"}
    return token


def _without_greeting(clauses: list[Clause]) -> None:
    """Take off how a mail greets, and whom: the rest of a short clause, or one name before a new beginning."""
    tokens = clauses[0].tokens if clauses else []
    if not tokens or tokens[0].plain not in GREETINGS:
        return
    if len(tokens) <= MOST_GREETING and not any(one.days or one.title_key for one in tokens):
        is_alone = len(clauses) > 1
        if is_alone:
            clauses[0].tokens = []
            return
    tokens.pop(0)
    if len(tokens) > 1 and tokens[1].plain in _ANEW:
        tokens.pop(0)


_ANEW: Final = frozenset(
    "ich mich mir i me habt hast gibt wer wie schick schickt bitte please can could kann koennte darf".split()  # noqa: SIM905
)
"""Words with which a sentence begins behind the name of who is greeted."""


def _find_letters(tokens: Sequence[Token]) -> None:
    """Say which single letters are wished: `Buchstabe E`, `ich wünsche mir ein E`, `mit E`, `mit dem E`."""
    for at, token in enumerate(tokens):
        before = [one.plain for one in tokens[max(at - 3, 0) : at] if one.plain not in ARTICLES]
        is_named = any(word.startswith(("buchstabe", "wunsch", "wuensch", "letter")) for word in before)
        is_with = token.written.isupper() and before[-1:] in (["mit"], ["with"])
        if len(token.written) == 1 and token.written.isascii() and token.written.isalpha() and (is_named or is_with):
            token.fits |= {"LETTER"}


def _find_names(tokens: Sequence[Token], games: frozenset[str]) -> None:
    """Say of the words of a clause which are names of games, and which may be places."""
    lists = table().lists
    plain = {one.plain for one in tokens}
    for at, token in enumerate(tokens):
        if not token.plain or not IS_NAME.fullmatch(token.written) or token.plain in CALENDAR:
            continue
        before = tokens[at - 1] if at else Token(written="")
        is_known = any(token.fits & lists[name][of].by_first.keys() for name in ("known", "denials", "doubts", "others")
                       for of in lists[name])  # fmt: skip
        is_capital = token.written[0].isupper()
        is_behind_title = bool(before.title_key) and is_capital
        is_placed = before.plain in (SURELY_BEFORE if games else BEFORE_NAME) or (
            before.plain in BEFORE_ANYBODY and not games and not FIRST.isdisjoint(plain)
        )
        is_guessed = is_placed and not token.fits and (is_capital or (not games and before.plain not in NOUNS))
        is_object = at + 1 == len(tokens) or tokens[at + 1].plain not in ARTICLES  # no `Ich möchte Riga den Stand`
        is_behind = before.plain in BEFORE_NAME | BEFORE_ANYBODY
        is_listed = fold_name(token.written) in games and (is_behind or (is_object and (is_capital or not is_known)))
        if is_listed or (is_guessed or (is_behind_title and not is_known)):
            token.fits |= {"GAME"}
        is_coast = [one.plain for one in tokens[max(at - 2, 0) : at]] == ["an", "der"]
        is_there = before.plain in BEFORE_PLACE or "PLACE" in before.fits or is_coast
        if is_capital and not token.fits - {"GAME"} and is_there:
            token.fits |= {"PLACE"}
