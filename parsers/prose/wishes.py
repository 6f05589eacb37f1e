"""What a mail in prose is about: `ich möchte bei Eriwan mitspielen`, `bin vom 20.12. bis 3.1. weg`, `wie steht es?`.

The words of a text are looked up in the table of intents (`intents.toml`). One intent that the writer has, said in
words that are all known, with nothing beside it that casts doubt, is a wish; one that is only seen is a topic. Where
several are seen, or none, there is neither.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final

from games.api import Language
from parsers.lines.dates import TODAY, Day, Days
from parsers.lines.names import Names
from parsers.prose.clauses import Token, clauses_of, may_be_move, own_text
from parsers.prose.heard import COUNTS, Heard, Hit

HARMLESS: Final = frozenset(["help", "rules", "position", "history", "games", "my_games", "my_data", "archive_name"])
"""Wishes that only show something."""
NAMELESS: Final = frozenset(
    ["games", "my_games", "my_data", "forget", "digest", "english", "german", "address", "archive_name", "digest_on"]
)
"""Wishes that are about no game."""
OF_JOIN: Final = frozenset(["GAME", "TITLE", "LETTER"])
"""What a clause names that belongs to a sign-up."""
DATED: Final = frozenset(["vacation", "extension"])
"""What may be said with days."""
ENDING: Final = frozenset(["resign", "withdraw", "forget"])
"""Wishes that are hard to undo."""
REASONS: Final = frozenset(["weil", "because", "cuz", "since", "denn"])
LONGEST: Final = 10
"""More words than any phrase has."""
FEW: Final = 4
"""A clause of so few words, with `nicht` or `von`, may say that nothing of it is so, or whose words follow."""
MOST_SUBJECT: Final = 3
"""So many words before `und ich` are who else is meant."""
SIGNS: Final = frozenset('»«„“”"')
"""Quotation marks."""


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """A game that somebody wishes to join, with the letter that they name."""

    title_key: str = ""
    game: str = ""
    letter: str = ""


@dataclass(frozen=True, kw_only=True)
class Wish:
    """What somebody wishes, in their own words."""

    kind: str
    language: Language | None
    """In which it was said; None where both have the phrase."""
    text: str
    """The clauses that say it, as they were written."""
    title_key: str = ""
    game: str = ""
    """The name of a game, or a word that stands where one does."""
    days: Days | None = None
    span: str = ""
    """More time, as `gm zat` takes it."""
    mail: str = ""
    """An e-mail address."""
    number: int | None = None
    """Of a round."""
    wanted: tuple[Wanted, ...] = ()
    """The games to join, in order; the first is also `title_key` and `game`."""
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


def read_wish(lines: Sequence[str], names: Names, games: frozenset[str] = frozenset()) -> Wish | None:
    """Read the one plain wish of a mail; `lines` are the sender's own, clean, `games` the names of games, small."""
    heard = _hear(lines, names, games)
    if heard is None or not _is_said(heard) or _is_doubtful(heard):
        return None
    wish = _wish(heard)
    return wish if wish and _is_whole(wish, heard) else None


def topic_of(lines: Sequence[str], names: Names, games: frozenset[str] = frozenset()) -> Wish | None:
    """Find the one intent that is seen in a mail, also where it is no plain wish; None where it is denied."""
    heard = _hear(lines, names, games)
    wish = _wish(heard) if heard and not _is_denied(heard) else None
    if not wish or len(wish.wanted) > 1 or (wish.kind == "address" and not wish.mail):
        return None
    if wish.kind == "vacation" and not (wish.days and wish.days.last):
        return None
    return replace(wish, language=None)


def _hear(lines: Sequence[str], names: Names, games: frozenset[str]) -> Heard | None:
    """Look for the one intent of a text; None where there is none, or several."""
    text = own_text(lines)
    heard = Heard(clauses_of(text, names, games)) if text and not may_be_move(text) else None
    return heard if heard and heard.kind else None


# -- is it a wish ------------------------------------------------------------------------------------------------------


def _is_said(heard: Heard) -> bool:
    """Return whether the intent is said as a wish is: by the writer of themselves, as a request, or as a question."""
    for sentence, hits in groupby(heard.of_kind, lambda hit: hit.sentence):
        asked = _how(heard, sentence)
        if any(asked.fits(hit, heard) for hit in hits):
            return True
    return False


@dataclass(frozen=True, kw_only=True)
class _How:
    """How a sentence is said."""

    is_known: bool
    """All its words are."""
    is_own: bool
    """The writers are its subject."""
    is_wanted: bool
    """They want, need or would like something."""
    is_begging: bool
    is_for_me: bool
    is_question: bool
    is_asking: bool
    """It begins as a question does."""
    is_allowed: bool
    """It is no question, or one like `kann ich`, `könntet ihr`."""
    subjects: frozenset[int]
    """Clauses with a word for the writers."""
    more: int
    """So many words are no part of the wish; of all sentences where one has unknown words."""

    def fits(self, hit: Hit, heard: Heard) -> bool:
        """Return whether a phrase of the sentence is said as its form asks."""
        match hit.phrase.form:
            case "bare":
                is_bare = self.more <= 2 * (len(hit.places) - 1) and (self.is_wanted or not self.is_own)
                return self.is_allowed and is_bare
            case "says":
                is_of_me = self.is_own or (self.is_for_me and hit.phrase.kind in HARMLESS)
                clauses = {heard.clause_of[place] for place in hit.places}
                return self.is_allowed and is_of_me and (self.is_known or not clauses.isdisjoint(self.subjects))
            case "begs":
                is_asked = (self.is_begging or self.is_for_me) and self.is_known
                return self.is_allowed and (self.is_wanted or is_asked or (self.is_question and self.is_own))
            case "asks":
                return self.is_question or self.is_asking or self.is_begging or self.is_wanted
        return False


def _how(heard: Heard, sentence: int) -> _How:
    """Look for the marks of a sentence: who says it, whether it asks, and how much more it says."""
    places = set(heard.sentences[sentence])
    first = min(places - heard.marked("padding"), default=-1)
    is_question = heard.clauses[heard.clause_of[first]].is_question or (
        first in heard.marked("may") and first + 1 in heard.marked("speaker")
    )
    marks = {name: bool(heard.marked(name) & places) for name in ("speaker", "wanting", "please", "me", "may")}
    is_asking = first in heard.marked("asking") and first not in heard.marked("may")
    is_own = marks["speaker"] or (first in heard.marked("begins") and not is_question)
    is_modal = heard.kind != "standby" and not heard.marked("modal").isdisjoint(places - heard.covered)
    last = max((place for hit in heard.of_kind if hit.sentence == sentence for place in hit.places), default=0)
    behind = {place for place in places if place > last and heard.kind == "join"}
    also = {place for place in behind if heard.tokens[place].fits & OF_JOIN}  # `... und bei Kiew auch`
    also |= behind & heard.listed("further") if also else set()
    more = len(places - heard.covered - heard.marked("please") - also) + len(heard.unknown) * LONGEST
    named = (heard.marked("speaker") | heard.marked("me")) & places
    subjects = {heard.clause_of[place] for place in named} | {heard.clause_of[first]}
    return _How(
        is_known=not heard.unknown & places, is_own=is_own, is_wanted=is_own and marks["wanting"],
        subjects=frozenset(subjects),
        is_begging=marks["please"], is_for_me=marks["me"], is_question=is_question, is_asking=is_asking, more=more,
        is_allowed=not is_asking and (marks["please"] or marks["may"]) if is_question else not is_modal,
    )  # fmt: skip


def _is_doubtful(heard: Heard) -> bool:
    """Return whether anything casts doubt: a veto anywhere, an unknown word in the wish, more beside it."""
    sentences = {hit.sentence for hit in heard.of_kind}
    said = {place for number in sentences for place in heard.sentences[number]}
    vetoes = heard.own_vetoes | heard.vetoes("denials", "thanks", "doubts", "others")
    if vetoes & said or heard.vetoes("turns") or any(token.written in SIGNS for token in heard.tokens):
        return True
    if any("DATE" in token.fits and not token.fits & {"DAYS", "KNOWN"} for token in heard.tokens):
        return True
    begins = {places[0] for places in heard.sentences.values()} - heard.marked("padding")
    if begins & heard.marked("unreal") and not heard.marked("fondly"):
        return True
    own = {heard.clause_of[place] for hit in heard.of_kind for place in hit.places}
    strange = {heard.clause_of[place] for place in heard.unknown}
    if heard.kind in ENDING and not {place for at in own for place in heard.in_clause[at]} <= heard.few:
        return True
    further = (at for at in range(len(heard.clauses)) if at not in own)
    if any(_says_more_of_a_game(heard, at) for at in further):
        return True
    return bool(strange & own) or any(_asks_more(heard, at, sentences) or _turns(heard, at, min(own)) for at in strange)


def _asks_more(heard: Heard, at: int, sentences: set[int]) -> bool:
    """Return whether a clause of unknown words beside a wish may be another, or make it less than plain."""
    clause, places = heard.clauses[at], heard.in_clause[at]
    marks = (heard.listed(name) for name in ("please", "wanting", "may", "likewise", "orders"))
    is_marked = any(not of.isdisjoint(places) for of in marks) or places[0] in heard.listed("asking")
    names_more = any(heard.tokens[place].fits & COUNTS for place in places) or any(map(str.isdigit, clause.text))
    return is_marked or names_more or (clause.is_question and clause.sentence not in sentences)


def _says_more_of_a_game(heard: Heard, at: int) -> bool:
    """Return whether a clause beside a wish names a game and says more than that it is one more."""
    places = heard.in_clause[at]
    named = {place for place in places if heard.tokens[place].fits & OF_JOIN}
    return bool(named) and not heard.listed("further").issuperset({*places} - named)


def _turns(heard: Heard, at: int, own: int) -> bool:
    """Return whether a clause of unknown words changes what is meant: `Ben und ich`, `Zitat:`, `Nicht vor Juni`.

    Behind a wish to end something any may, but a reason.
    """
    behind = heard.clauses[at + 1] if at + 1 < len(heard.clauses) else None
    if behind and behind.joint == ":":
        return True
    if behind and behind.joint in ("und", "and") and behind.tokens[0].plain in ("ich", "i"):
        return len(heard.clauses[at].tokens) <= MOST_SUBJECT
    clause, places = heard.clauses[at], heard.in_clause[at]
    if len(places) <= FEW and not (heard.vetoes("denials") | heard.marked("from")).isdisjoint(places):
        return True
    return heard.kind in ENDING and at > own and not REASONS & {clause.joint, clause.tokens[0].plain}


def _is_denied(heard: Heard) -> bool:
    """Return whether somebody thanks, or denies the intent in the sentence that has it."""
    places = {place for hit in heard.of_kind for place in heard.sentences[hit.sentence]}
    return bool(heard.vetoes("thanks")) or (not heard.intent.may_be_denied and bool(heard.vetoes("denials") & places))


# -- what it names -----------------------------------------------------------------------------------------------------


def _wish(heard: Heard) -> Wish | None:
    """Put together what the text names; None where it names several of what a wish has one of."""
    kind, tokens = heard.kind or "", heard.tokens
    covered = set[int]().union(*(hit.places for hit in heard.of_kind))
    of_place = [place for place in covered if kind == "vacation" and "PLACE" in tokens[place].fits]
    wanted = _wanted([token for at, token in enumerate(tokens) if at not in of_place])
    mails = {token.mail for token in tokens if token.mail}
    dated = [token for token in tokens if "DAYS" in token.fits or "SPAN" in token.fits] if kind in DATED else []
    days, span = _days_of(dated)
    if (len(wanted) > 1 and kind != "join") or len(mails) > 1:
        return None
    own = {heard.clause_of[place] for place in covered}
    if kind == "join":  # `..., und für Riga`
        own |= {
            at for at, places in enumerate(heard.in_clause) if any(tokens[place].fits & OF_JOIN for place in places)
        }
    one = wanted[0] if wanted and kind not in NAMELESS else Wanted()
    return Wish(
        kind=kind, language=heard.language, title_key=one.title_key, game=one.game, days=days, span=span,
        mail=next(iter(mails), ""), wanted=wanted if kind == "join" else (),
        number=next((int(tokens[at].plain) for at in sorted(heard.covered) if "NUMBER" in tokens[at].fits), None),
        text=", ".join(heard.clauses[at].text for at in sorted(own)),
        beside=tuple(
            clause.text for at, clause in enumerate(heard.clauses)
            if at not in own and not (kind in HARMLESS and heard.few.issuperset(heard.in_clause[at]))
        ),
    )  # fmt: skip


def _is_whole(wish: Wish, heard: Heard) -> bool:
    """Return whether a wish has what it needs, and names nothing that it isn't about."""
    names = {element for token in heard.tokens for element in token.fits}
    if (wish.kind in NAMELESS and names & {"GAME", "TITLE"}) or bool(wish.mail) != (wish.kind == "address"):
        return False
    if wish.kind not in DATED:
        return not names & {"DAYS", "SPAN"}
    if wish.kind == "vacation":
        return wish.days is not None and (wish.days.last is not None or wish.days.length > 0) and not wish.game
    if names & {"DAYS", "SPAN"} and not (wish.days or wish.span):
        return False
    until = wish.until
    is_now = wish.days is None or wish.days.first == TODAY or (wish.days.last is None and wish.days.length == 1)
    return bool(wish.span or (is_now and until != TODAY and (until or not wish.days)))


def _days_of(tokens: Sequence[Token]) -> tuple[Days | None, str]:
    """Return the days, or the span, of what is dated; `ab Freitag eine Woche` is one, any other two are none."""
    if len(tokens) == 1:
        return tokens[0].days, tokens[0].span
    days = [token.days for token in tokens if token.days and not token.days.last]
    since = [one for one in days if one.length <= 1]
    long = [one for one in days if one.length > 1 and one.first == TODAY]
    is_one = len(tokens) == len(since) + len(long) == 2 and len(since) == 1
    return (replace(since[0], length=long[0].length), "") if is_one else (None, "")


def _wanted(tokens: Sequence[Token]) -> tuple[Wanted, ...]:
    """List the games that a text names, each once, with the letter said behind it, or before the first."""
    found: list[Wanted] = []
    letter = ""
    for at, token in enumerate(tokens):
        if token.is_game and found and at and tokens[at - 1].title_key:
            found[-1] = replace(found[-1], game=token.written)
        elif token.is_game or token.title_key:
            found.append(Wanted(title_key=token.title_key, game=token.written if token.is_game else ""))
        elif "LETTER" in token.fits:
            letter = token.written.upper()
            if found:
                found[-1] = replace(found[-1], letter=letter)
    if found and letter and not any(one.letter for one in found):
        found[0] = replace(found[0], letter=letter)
    return tuple({(one.title_key, one.game.casefold()): one for one in found}.values())
