"""Prose with one plain wish: `ich möchte bei Eriwan mitspielen`, `bin vom 20.12. bis 3.1. weg`, `wie steht es?`.

A wish is read only where one clause of the text is a phrase of the closed table (`vocabulary`), and nothing beside it
casts doubt on it, says another wish, or may be a move. Nothing is guessed: any other text has no wish.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from games.api import Language
from parsers.lines.calendar_words import plain_words
from parsers.lines.dates import TODAY, Day, Days
from parsers.lines.titles import Titles
from parsers.prose.clauses import (
    GREETINGS,
    SMALL_TALK,
    TOKEN,
    Clause,
    Heard,
    clauses_of,
    hear,
    may_be_move,
    own_text,
)
from parsers.prose.doubts import asks_more, is_absent_other
from parsers.prose.vocabulary.english_rules import TURNS, UNSURE, VOCABULARIES
from parsers.prose.vocabulary.meanings import Meant, Rule, WholeClause

HARMLESS: Final = frozenset(["help", "rules", "position", "history", "games", "my_games", "my_data", "archive_name"])
"""Wishes that only show something."""
NAMELESS: Final = frozenset(
    ["games", "my_games", "my_data", "forget", "digest", "english", "german", "address", "archive_name", "digest_on"]
)
"""Wishes that are about no game."""
SWALLOWS: Final[Mapping[str, frozenset[str]]] = {
    "join": frozenset(["games", "help"]), "watch": frozenset(["history"]), "rules": frozenset(["help"]),
    "english": frozenset(["help"]), "german": frozenset(["help"]), "history": frozenset(["position"]),
}  # fmt: skip
"""What is said beside a wish by who means only that."""
ASKING = re.compile(
    r"(?:ist|sind|habt|hast|haben|hat|liegt|ob|kommt|kam|fehlt|gibt|did|has|have|is|are|if|whether|do|does|am)\b"
    r"|(?:bin|muss|habe?|liege?|krieg\w*) ich\b"
)
"""How a question begins that has no `?`."""
CAN: Final = frozenset(["kann", "kannst", "koennt", "can", "could"])
ASKED_OF: Final = frozenset(
    "warum wieso weshalb wie was wer wo wann welche welcher welches why how what who where when which".split()  # noqa: SIM905
)
THINKING: Final = frozenset(["ueberlege", "ueberlegen"])
"""No doubt beside a wish for more time."""
SPEAKER: Final = frozenset(["i", "we", "my"])
"""With one of these a statement begins."""
PAST: Final = frozenset("war waren hatte hatten gewesen was were had".split())  # noqa: SIM905
OTHERS_MOVE = re.compile(
    r"\b(?:zug|zuege|move) (?:von|of) (?!mir|gestern|vorhin|eben|heute|mine)|\b(?!das|des|als)[a-z]+'?s (?:zug|move)\b"
)
OWN_MOVE = re.compile(r"\b(?:mein\w*|my) (?:\w+ )?(?:zug|zuege|move)\b")
SENT: Final = frozenset(["rules", "position", "history"])
ASKED_FOR: Final = frozenset(["want", "can", "need", "have", "get", "whether", "no", "find", "lost"])
"""With one of these `ich` asks for something."""
DEPENDS = re.compile(r"(?:dass|that)\b|(?:an|bei|in|fuer) (?:denen|der|dem|die|das|welche\w*) ich\b")
REQUEST = re.compile(
    r"(?:kannst|koenntest|koennt|koenntet|koennen|koennten|wuerdest|wuerdet|can|could|would) (?:du|ihr|sie|you)\b"
)
"""So begins a request; where it isn't understood, it is another wish."""
REQUESTS: Final = frozenset(["signoff", "enter", "delete", "takeback", "postpone"])
"""Meanings of requests; a clause that has one and isn't understood is another wish."""
NOT_YET: Final = frozenset("eigentlich erst bald fast gleich spaeter danach actually later soon almost".split())  # noqa: SIM905
"""With these nobody ends anything now."""
ENDING: Final = frozenset(["resign", "withdraw", "forget"])
DATED: Final = frozenset(["vacation", "extension", "beside extension"])
"""What may be said with days."""
FEWEST_OF_A_REASON: Final = 3
"""So many words with `morgen` among them are no day that the wish is about."""
MOST_GREETING: Final = 4
"""Words of a greeting."""
BESIDE: Final = "beside"
"""What is no wish, and casts no doubt on any; `beside join` casts none on a wish to join."""

QUOTES = re.compile(r"[»«„“”\"]")
CONDITIONAL: Final = frozenset("haette waere koennte wuerde haetten sollte sollten had were should".split())  # noqa: SIM905
"""Words with which a condition without `wenn` begins."""
UNREAL = re.compile(r"(?:haette|waere) (?:ich|wir)\b(?!.*\bgerne?\b)")
"""`Hätte ich mehr Zeit` is no request."""
WORDS_OF: Final[Mapping[str, frozenset[str]]] = {
    "join": frozenset("mitspielen mitmachen spiele join".split()),  # noqa: SIM905
    "resign": frozenset("hoere aufhoeren steige aussteigen abmelden zurueckziehen resign quit".split()),  # noqa: SIM905
    "standby": frozenset("springe einspringen ersatz ersatzspieler standby substitute".split()),  # noqa: SIM905
}
"""Words beside another wish that may be a second one, said in no phrase that we know."""
THANKS = re.compile(
    r"(?:(?:vielen |besten |herzlichen |lieben |many )?(?:dank|danke|thanks)|thank you)\b.* (?:fuer|for)\b"
)
"""Who thanks for the rules has them."""
JOKE = re.compile(r"\b(?:nur|kleiner|war ein|zum|aus) spass\b|\bspass beiseite|\bspaesschen")
"""`Es hat Spaß gemacht` is none."""
CONTRASTS: Final = frozenset("nicht nie not never sondern statt".split())  # noqa: SIM905


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
    mail: str = ""
    """An e-mail address."""
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


@dataclass(frozen=True)
class Said:
    """A clause that is a wish, or is no wish and casts no doubt on any."""

    clause: Clause
    heard: Heard
    kind: str
    language: Language | None
    is_back: bool = False
    """Its day is the first on which somebody is back."""

    @property
    def days(self) -> Days | None:
        """The days it names; `erst ab 4.1. wieder da` names those before."""
        days = self.clause.days
        return Days(first=TODAY, last=days.first.eve) if self.is_back and days else days


def read_wish(lines: Sequence[str], titles: Titles) -> Wish | None:
    """Read the one plain wish of a mail; `lines` are the sender's own, clean. None where there is none."""
    text = own_text(lines)
    if not text or may_be_move(text):
        return None
    clauses = _with_bare_days(list(clauses_of(text, titles)))
    heard = [{language: hear(clause, of) for language, of in VOCABULARIES.items()} for clause in clauses]
    told = frozenset(word for of in heard for one in of.values() for meant in one.meant for word in meant.meanings)
    told -= {"move"} if OTHERS_MOVE.search(plain_words(text)) else set()
    found: list[Said] = []
    beside: list[tuple[Clause, bool]] = []
    is_asked_more = False
    for clause, of in zip(clauses, heard, strict=True):
        said = _said(clause, of, told) or _said_of_days(clause, of, told, beside)
        is_of_another = DEPENDS.match(plain_words(clause.text)) is not None and bool(beside) and not found
        if said and not is_of_another:  # `Ben will, dass ich aufhöre`
            found.append(said)
            told |= {"game"} if said.heard.game else set()  # `Eriwan klingt gut, bin dabei`
        elif any(map(str.isalnum, clause.text)) and not _is_greeting(clause, is_first=not found and not beside):
            beside.append((clause, bool(found)))
            is_asked_more |= any(meant.meanings & REQUESTS for one in of.values() for meant in one.meant)
    # Several clauses may say the same: `Ich verstehe nicht, wie das geht`.
    kinds = {one.kind for one in found if not one.kind.startswith(BESIDE)}
    is_plain = {one.kind for one in found} - kinds <= {BESIDE, *(f"{BESIDE} {kind}" for kind in kinds)}
    kinds -= frozenset[str]().union(*(SWALLOWS.get(kind, frozenset()) for kind in kinds))
    if len(kinds) != 1 or not is_plain or is_asked_more:
        return None
    wishes = [one for one in found if one.kind in kinds]
    first = wishes[0]
    if any(_casts_doubt(one, first.kind, is_after=is_after) for one, is_after in beside):
        return None
    others = [one for one, _ in beside]
    if any(asks_more(one, first.kind) for one in others):
        return None
    if first.kind == "vacation" and any(is_absent_other(text, one.clause, one.heard.meant, others) for one in wishes):
        return None
    wish = Wish(
        kind=first.kind, language=first.language, text=first.clause.text, beside=tuple(one.text for one, _ in beside)
    )
    return _with_details(wish, wishes, found)


def _said_of_days(
    clause: Clause, heard: Mapping[Language, Heard], told: frozenset[str], beside: list[tuple[Clause, bool]]
) -> Said | None:
    """Find a wish that is about the days of the clause before: `Bis Freitag ist hier Chaos, da bin ich nicht da`."""
    before = beside[-1][0] if beside else None
    if (
        not before
        or not before.days
        or before.is_question
        or clause.days
        or (PAST | UNSURE) & {plain_words(word) for word in TOKEN.findall(before.text)}
    ):
        return None
    said = _said(replace(clause, days=before.days), heard, told)
    both = replace(clause, text=f"{before.text} {clause.text}")
    if not said or said.kind != "vacation" or is_absent_other("", both, said.heard.meant, ()):
        return None
    beside.pop()
    return said


def _with_bare_days(clauses: Sequence[Clause]) -> list[Clause]:
    """Give days that stand alone to the clause before them: `Wir sind verreist: 23.12.-2.1.`; an address likewise."""
    kept: list[Clause] = []
    for clause in clauses:
        before = kept[-1] if kept and kept[-1].words else None
        # `nächste Woche, genau vom 6.2. bis 14.2.`
        is_closer = before and before.days and clause.days and not before.days.first.is_date and clause.days.last
        is_bare = all(plain_words(word) in VOCABULARIES["de"].small for word in clause.words)
        if not is_bare or not before or (before.days and not is_closer) or (clause.mail and before.mail):
            kept.append(clause)
        else:
            before.days, before.span = clause.days or before.days, clause.span or before.span
            before.mail = clause.mail or before.mail
    return kept


def _with_details(wish: Wish, wishes: Sequence[Said], found: Sequence[Said]) -> Wish | None:
    """Add what the clauses name; None where they name several."""
    games = {(one.clause.title_key, one.heard.game) for one in found if one.clause.title_key or one.heard.game}
    dated = [one for one in wishes if one.days or one.clause.span]
    dated = dated or [one for one in wishes if one.heard.days]
    mails = {one.clause.mail for one in wishes if one.clause.mail}
    if len(games) > 1 or len(dated) > 1 or len(mails) > 1:
        return None
    title_key, game = next(iter(games), ("", ""))
    return replace(
        wish, title_key=title_key, game=game, mail=next(iter(mails), ""),
        number=next((one.heard.number for one in wishes if one.heard.number is not None), None),
        days=dated[0].days or dated[0].heard.days if dated else None, span=dated[0].clause.span if dated else "",
    )  # fmt: skip


def _is_greeting(clause: Clause, *, is_first: bool) -> bool:
    begins = plain_words(clause.text).split()[:1]
    return is_first and bool(begins) and begins[0] in GREETINGS and len(clause.words) <= MOST_GREETING


def _casts_doubt(clause: Clause, kind: str, *, is_after: bool) -> bool:
    """Return whether a clause beside a wish makes it less than plain: a condition, another wish, days, figures."""
    said = {plain_words(word) for word in TOKEN.findall(clause.text)}
    is_busy = clause.days is not None and clause.days.first.ahead is not None and len(said) >= FEWEST_OF_A_REASON
    has_figure = bool(clause.title_key) or any(map(str.isdigit, clause.text)) or bool(clause.days and not is_busy)
    plain = plain_words(clause.text)
    begins = plain.split()[0]
    is_contrast = begins in CONTRASTS
    is_condition = begins in CONDITIONAL and not clause.is_question  # `Hätte ich Zeit, würde ich mitspielen`
    has_another_wish = any(said & words for other, words in WORDS_OF.items() if other != kind)
    return (
        REQUEST.match(plain) is not None
        or bool(said & UNSURE - (THINKING if kind in ("withdraw", "extension") else frozenset()))
        or (is_after and bool(said & TURNS))
        or plain == "no"
        or (
            (begins in ASKED_OF or ASKING.match(plain) or begins in CAN)
            and clause.is_question
            and kind in HARMLESS - {"rules", "games"}
            and not SMALL_TALK.search(plain)
        )
        or (begins in ASKED_OF and is_after and not clause.is_question)
        or has_another_wish
        or JOKE.search(plain) is not None
        or has_figure
        or is_contrast
        or is_condition
        or QUOTES.search(clause.text) is not None
    )


# -- the phrases -------------------------------------------------------------------------------------------------------


def _said(clause: Clause, heard_as: Mapping[Language, Heard], told: frozenset[str]) -> Said | None:
    """Find the wish that a clause is, by the rule that asks most; the language is None where both say it so."""
    if clause.is_confused or THANKS.match(plain_words(clause.text)) or QUOTES.search(clause.text):
        return None
    found: list[tuple[int, Language, Rule, Heard]] = []
    for language, vocabulary in VOCABULARIES.items():
        heard = heard_as[language]
        if not heard.is_unclear:
            whole = WholeClause(heard.meant)
            found += [
                (len(rule.needs) + bool(rule.also), language, rule, heard) for rule in vocabulary.rules
                if rule.fits(whole) and _fits(clause, heard, rule, told)
            ]  # fmt: skip
    best = [one for one in found if one[0] == max(most for most, *_ in found)]
    languages = {language for _, language, *_ in best}
    if len({rule.kind for _, _, rule, _ in best}) != 1:
        return None
    _, language, rule, heard = best[0]
    is_back = all(rule.also == "back" for _, _, rule, _ in best)
    return Said(clause, heard, rule.kind, language if len(languages) == 1 else None, is_back)


def _fits(clause: Clause, heard: Heard, rule: Rule, told: frozenset[str]) -> bool:
    """Return whether a clause has what a rule needs beside its words, and nothing that the rule isn't about."""
    days = clause.days or heard.days
    has_game = bool(clause.title_key or heard.game)
    is_asking = ASKING.match(plain_words(clause.text)) is not None
    is_one_day = days is not None and days.last is None and days.length == 1
    is_long = days is not None and not is_one_day and not clause.is_open
    has = {
        "": True, "game": has_game or "game" in told, "title": bool(clause.title_key), "days": days is not None,
        "span": bool(clause.span), "question": clause.is_question or is_asking, "first": is_asking, "long": is_long,
        "back": clause.is_open or is_one_day, "of_move": "move" in told, "of_address": "address" in told,
        "place": bool(heard.game) and is_long and not clause.title_key,
    }  # fmt: skip
    if (
        not has[rule.also]
        or (bool(clause.mail) != (rule.kind == "address"))
        or (clause.is_open and rule.also != "back")
    ):
        return False
    if (days or clause.span) and rule.kind not in DATED:
        return False
    if rule.kind == "extension" and clause.days and clause.days.first == TODAY and is_one_day and not clause.span:
        return False  # `ich schicke ihn heute noch`
    if rule.kind == "extension" and clause.days and not (clause.span or clause.days.last or is_one_day):
        return False
    if (has_game and rule.kind in NAMELESS) or (clause.title_key and rule.kind == "help"):
        return False
    plain = plain_words(clause.text)
    said = frozenset[str]().union(*(one.meanings for one in heard.meant))
    if (rule.kind in ENDING and NOT_YET & set(plain.split())) or (UNREAL.match(plain) and not clause.is_question):
        return False
    if rule.asks and not clause.is_question and any(one.meanings & SPEAKER for one in _first(heard)):
        return False  # `I know the rules` asks for none
    if rule.kind == "withdraw" and OTHERS_MOVE.search(plain) and not OWN_MOVE.search(plain):
        return False
    if rule.kind in SENT and {"i", "send"} <= said and not said & ASKED_FOR:
        return False  # `ich schicke dir die Regeln`
    return not clause.is_question or rule.asks or rule.kind in HARMLESS


def _first(heard: Heard) -> list[Meant]:
    """Return the first word of a clause that says something, in a list."""
    return [one for one in heard.meant if one.meanings and not one.is_small][:1]
