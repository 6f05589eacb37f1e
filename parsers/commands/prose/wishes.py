"""Prose with one plain wish: `ich möchte bei Eriwan mitspielen`, `bin vom 20.12. bis 3.1. weg`, `wie steht es?`.

A wish is read only where one clause of the text is a phrase of the closed table (`phrases`), and nothing beside it
casts doubt on it, says another wish, or may be a move. Nothing is guessed: any other text has no wish.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from games.api import Language
from parsers.commands.calendar_words import plain_words
from parsers.commands.dates import Day, Days
from parsers.commands.prose.clauses import GREETINGS, TOKEN, Clause, clauses_of, may_be_move, own_text
from parsers.commands.prose.english_phrases import FILLERS, PHRASES, UNSURE
from parsers.commands.prose.phrases import Phrase
from parsers.commands.titles import Titles

HARMLESS: Final = frozenset(["help", "rules", "position", "history", "games", "my_games", "my_data"])
"""Wishes that only show something."""
NAMELESS: Final = frozenset(["games", "my_games", "my_data", "forget", "digest", "english", "german"])
"""Wishes that are about no game."""
BESIDE: Final = "beside"
"""What is no wish, and casts no doubt on any; `beside join` casts none on a wish to join."""

NO_TIME = re.compile(
    r"(?:ich )?(?:habe?|hab) ?(?:\w+ )?(?:keine|kaum|zu wenig) (?:zeit|lust|kraft|nerven)\b.*"
    r"|(?:keine|kaum|zu wenig) (?:zeit|lust|kraft|nerven)(?: mehr)?(?: dafuer| dazu)?|no (?:more )?time(?: left)?"
)
"""A reason that begins as a contrast does."""
QUOTES = re.compile(r"[»«„“”\"]")
CONDITIONAL: Final = frozenset("haette waere koennte wuerde haetten had were".split())  # noqa: SIM905
"""Words with which a condition without `wenn` begins."""
WORDS_OF: Final[Mapping[str, frozenset[str]]] = {
    "join": frozenset("mitspielen mitmachen spiele join".split()),  # noqa: SIM905
    "resign": frozenset("hoere aufhoeren steige aussteigen abmelden zurueckziehen resign quit".split()),  # noqa: SIM905
    "standby": frozenset("springe einspringen".split()),  # noqa: SIM905
}
"""Words beside another wish that may be a second one, said in no phrase that we know."""
THANKS = re.compile(
    r"(?:(?:vielen |besten |herzlichen |lieben |many )?(?:dank|danke|thanks)|thank you)\b.* (?:fuer|for)\b"
)
"""Who thanks for the rules has them."""
JOKE = re.compile(r"\b(?:nur|kleiner|war ein|zum|aus) spass\b|\bspass beiseite|\bspaesschen")
"""`Es hat Spaß gemacht` is none."""
CONTRASTS: Final = frozenset("nicht kein keine keinen nie not no never sondern statt".split())  # noqa: SIM905


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
        if self.days is None or self.span:
            return None
        return self.days.last or (self.days.first if self.days.length == 1 else None)


def read_wish(lines: Sequence[str], titles: Titles) -> Wish | None:
    """Read the one plain wish of a mail; `lines` are the sender's own, clean. None where there is none."""
    text = own_text(lines)
    if not text or may_be_move(text):
        return None
    found: list[tuple[Clause, str, Language | None]] = []
    beside: list[Clause] = []
    for clause in _with_bare_days(list(clauses_of(text, titles))):
        said = _said(clause)
        if said:
            found.append((clause, *said))
        elif any(map(str.isalnum, clause.text)) and not _is_greeting(clause, is_first=not found and not beside):
            beside.append(clause)
    # Several clauses may say the same: `Ich verstehe nicht, wie das geht`.
    kinds = {kind for _, kind, _ in found if not kind.startswith(BESIDE)}
    is_plain = {kind for _, kind, _ in found} - kinds <= {BESIDE, *(f"{BESIDE} {kind}" for kind in kinds)}
    if len(kinds) != 1 or not is_plain:
        return None
    clause, kind, language = next(one for one in found if one[1] in kinds)
    if any(_casts_doubt(one, kind) for one in beside):
        return None
    wish = Wish(kind=kind, language=language, text=clause.text, beside=tuple(one.text for one in beside))
    return _with_details(wish, [one for one, _, _ in found])


def _with_bare_days(clauses: Sequence[Clause]) -> list[Clause]:
    """Give days that stand alone to the clause before them: `Wir sind verreist: 23.12.-2.1.`."""
    kept: list[Clause] = []
    for clause in clauses:
        is_bare = clause.days and not clause.words and not clause.unknown and not clause.has_game
        if is_bare and kept and kept[-1].words and not kept[-1].days:
            kept[-1].days, kept[-1].span = clause.days, clause.span
        else:
            kept.append(clause)
    return kept


def _with_details(wish: Wish, clauses: Sequence[Clause]) -> Wish | None:
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


def _is_greeting(clause: Clause, *, is_first: bool) -> bool:
    begins = plain_words(clause.text).split()[:1]
    return is_first and bool(begins) and begins[0] in GREETINGS and not clause.words and clause.unknown <= 1


def _casts_doubt(clause: Clause, kind: str) -> bool:
    """Return whether a clause beside a wish makes it less than plain: a condition, another wish, days, figures."""
    said = {word.lstrip("_") for word in clause.words} | {plain_words(word) for word in TOKEN.findall(clause.text)}
    has_figure = (
        bool(clause.title_key)
        or clause.number is not None
        or clause.days is not None
        or any(map(str.isdigit, clause.text))
    )
    begins = plain_words(clause.text).split()[0]
    is_contrast = begins in CONTRASTS and not NO_TIME.fullmatch(" ".join(TOKEN.findall(plain_words(clause.text))))
    is_condition = begins in CONDITIONAL and not clause.is_question  # `Hätte ich Zeit, würde ich mitspielen`
    has_another_wish = any(said & words for other, words in WORDS_OF.items() if other != kind)
    return (
        bool(said & UNSURE)
        or has_another_wish
        or JOKE.search(plain_words(clause.text)) is not None
        or has_figure
        or is_contrast
        or is_condition
        or QUOTES.search(clause.text) is not None
    )


# -- the phrases -------------------------------------------------------------------------------------------------------


def _said(clause: Clause) -> tuple[str, Language | None] | None:
    """Find the wish that a clause is; the language is None where both say it so."""
    if THANKS.match(plain_words(clause.text)):
        return None
    if clause.unknown > 1 or not (clause.words or clause.span) or QUOTES.search(clause.text):
        return None
    if clause.has_holiday and not (clause.days and clause.days.last):
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


def _fits(clause: Clause, kind: str, phrase: Phrase) -> bool:
    has = {"": True, "game": clause.has_game, "days": clause.days is not None, "span": bool(clause.span)}
    is_dated = bool(clause.days or clause.span)
    if not has[phrase.needs] or (is_dated and kind not in ("vacation", "extension")):
        return False
    if kind == "extension" and clause.days and not (clause.span or clause.days.last or clause.days.length == 1):
        return False
    if (clause.number is not None and kind != "history") or (clause.has_game and kind in NAMELESS):
        return False
    if kind.startswith(BESIDE):
        return clause.is_question == phrase.asks
    return not clause.is_question or phrase.asks or kind in HARMLESS


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
