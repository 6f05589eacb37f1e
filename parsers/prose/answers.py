"""Yes and no as people say them, and the letter that somebody wishes.

A line `Ja` or `Nein` is an answer wherever it stands. In other words it is one only where the service has asked, which
the parser can't know: `Answer` says what was said, and the reader of it decides whether that answers anything.

Words are looked up in closed tables. An answer begins with a yes or no; beside it, a sentence may hold courtesies, the
reasons of a no, or a letter. What is conditional, asks back or says both is no answer.

Sources: shared/spec/interface.md (Players' commands by mail), issue 29 (yes and no).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from games.api import Language
from parsers.commands import No, Yes
from parsers.lines.command_lines import ReadCommand
from parsers.lines.names import Names
from parsers.prose import answer_phrases as phrases
from parsers.prose.courtesies import without_signature

LONGEST: Final = 1500
"""Characters; a longer text is a letter, and whoever reads it decides."""
LONGEST_CLAUSE: Final = 160
SHORT_LINE: Final = 50
"""A line that is no longer ends a sentence: its writer ended it, and no mail program."""
SHOWN: Final = 60
OK = re.compile(r"\bo\.\s?k\b\.?", re.IGNORECASE)
"""Its dots end no sentence."""

SENTENCE = re.compile(r"[^.!?;\n]+[.!?;]*|[.!?;]+")
CLAUSE_END = re.compile(r"[,:()/]|\s[-–—]+(?=\s|$)|^[-–—]+\s|[-–—]+$")
SMILEY = re.compile(
    r"(?<!\w)[:;=8][-o']?[()DPp|/]+|\^\^|(?<!\w)xd\b|<3|[☺-☻❤🌀-👅👐-🗿😀-🙆🙈-🙏🤀-🧿🏻-🏿✨🎉]", re.IGNORECASE
)
UP, DOWN = "👍", "👎"
SIGNS = re.compile(r"[👌✅✔🆗💯]")
MARKS = re.compile(r"[»«„“”\"*_~]")
FOLDED = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "’": "'", "´": "'", "`": "'"})
INITIAL = re.compile(r"(?:(?:das|ein|the|bitte|dann)\s+)*(?P<letter>[A-Za-z])(?:\s+(?:bitte|please))?", re.IGNORECASE)
PLAIN = re.compile(r"(?:^|[,.!:–-] )(?:ja+|yes)\b")
SIGNED = re.compile(r"[A-ZÄÖÜ][\w'.-]*(?:\s+[A-ZÄÖÜ][\w'.-]*){0,2}")


def read_answer(line: str, code: str, names: Names) -> ReadCommand | None:
    """Read a whole line as `Ja` or `Nein` to the question with this code."""
    said, table = line.rstrip(".! "), names.commands
    word = said.lower()
    if word in table.yes:
        return ReadCommand(command=Yes(code=code), language=table.yes[word], line=said)
    return ReadCommand(command=No(code=code), language=table.no[word], line=said) if word in table.no else None


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What somebody says in their own words: yes, no, or a letter. It is an answer only where we have asked."""

    yes: bool | None = None
    """None: neither is said, but a letter."""
    letter: str = ""
    """The letter wished, A to Z."""
    language: Language | None = None
    line: str = ""
    """How it was said."""
    is_plain: bool = False
    """Whether a yes begins with `Ja` or `Yes`: other words may say yes to something else than what was asked."""
    topics: frozenset[phrases.Topic] = frozenset()
    """What its words agree to, beside "" for anything."""
    says_away: bool = False
    """Whether a yes says that its writer is away: it answers only a question about that."""
    beside: str = ""
    """What else is said, in one line, without courtesies."""


@dataclass(kw_only=True)
class _Sentence:
    """A sentence and what its clauses are."""

    text: str
    kinds: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    """Clauses that are in no table, folded."""
    letters: list[str] = field(default_factory=list)
    initial: str = ""
    """A single letter: a wish, or how somebody signs."""
    language: Language | None = None
    topics: set[phrases.Topic] = field(default_factory=set)

    @property
    def is_question(self) -> bool:
        return "?" in self.text and "asks when" not in self.kinds

    @property
    def says_nothing(self) -> bool:
        return not ({"yes", "no", "unknown", "later"} & {*self.kinds})


def read_in_words(paragraphs: Sequence[Sequence[str]]) -> Answer | None:
    """Read the sender's own lines; None where they say neither yes nor no, nor a letter, or are unclear."""
    if sum(len(line) for lines in paragraphs for line in lines) > LONGEST:
        return None
    all_lines = [line for lines in paragraphs for line in (*lines, "")]
    sentences = list(_sentences(without_signature(all_lines)))
    if not sentences:
        return None
    _settle_initials(sentences)
    letter = _letter(sentences)
    verdict = "" if letter and _says_neither(sentences) else _verdict(sentences)
    if verdict == UNCLEAR or (not verdict and not letter) or (verdict == YES and _is_receipt(sentences)):
        return None
    beside = [one.text for one in sentences if one.unknown]
    said = next((one for one in sentences if verdict in one.kinds), sentences[0])
    return Answer(
        yes={YES: True, NO: False}.get(verdict), letter=letter, language=said.language, line=said.text[:SHOWN],
        is_plain=verdict == YES and PLAIN.search(_folded(said.text)) is not None,
        topics=frozenset().union(*(one.topics for one in sentences)) - {""},
        says_away=any(AWAY in one.kinds for one in sentences), beside=" ".join(beside),
    )  # fmt: skip


def _is_receipt(sentences: Sequence[_Sentence]) -> bool:
    """Return whether somebody, or a program, only says that our mail has come."""
    number = sum(one.kinds.count(YES) for one in sentences)
    return number == 1 and phrases.RECEIPT.match(_folded(" ".join(one.text for one in sentences))) is not None


def read_letter(line: str) -> str:
    """Return the letter that a line names as the one wished, `Wunschbuchstabe R`; a letter alone is none."""
    has_letter = any(pattern.search(line) for pattern in phrases.LETTERS)
    answer = read_in_words([[line]]) if has_letter else None
    return answer.letter if answer and answer.yes is not False and not answer.beside else ""


YES, NO, UNCLEAR, AWAY = "yes", "no", "unclear", "away"


def _says_neither(sentences: Sequence[_Sentence]) -> bool:
    """Return whether there is no word of an answer, and nothing that ties the wish for a letter to something."""
    unknown = (clause for one in sentences for clause in one.unknown)
    return not any({YES, NO, UP, DOWN} & {*one.kinds} for one in sentences) and not any(
        phrases.VETO.search(clause) for clause in unknown
    )


def _verdict(sentences: Sequence[_Sentence]) -> str:
    """Say whether the sentences are a yes, a no, unclear, or ("") nothing of these."""
    verdict = ""
    for sentence in sentences:
        if not verdict and sentence.says_nothing:
            continue
        if not verdict:
            verdict = _first_verdict(sentence)
        elif not _goes_with(verdict, sentence):
            return UNCLEAR
        if verdict == UNCLEAR:
            break
    if verdict:
        return verdict
    ups = [kind for sentence in sentences for kind in sentence.kinds if kind in (UP, DOWN)]
    return {UP: YES, DOWN: NO}[ups[0]] if len({*ups}) == 1 else UNCLEAR if ups else ""


def _first_verdict(sentence: _Sentence) -> str:
    """Judge the sentence that has to hold the answer: it begins with it, and nothing in it takes it back."""
    kinds = [kind for kind in sentence.kinds if kind in (YES, NO, "unknown", "later")]
    if kinds[0] in ("unknown", "later"):
        return UNCLEAR
    if sentence.is_question or {YES, NO} <= {*kinds} or (kinds[0] == YES and DOWN in sentence.kinds):
        return UNCLEAR
    if kinds[0] == YES:
        return YES if {*kinds} == {YES} else UNCLEAR
    is_tied = any(phrases.CONDITION.search(clause) or phrases.ASKS.match(clause) for clause in sentence.unknown)
    return UNCLEAR if is_tied else NO


def _goes_with(verdict: str, sentence: _Sentence) -> bool:
    """Return whether a later sentence leaves the answer as it is."""
    if (NO if verdict == YES else YES) in sentence.kinds or (verdict == YES and "later" in sentence.kinds):
        return False
    if sentence.is_question and not phrases.ASKS_WHEN.match(_folded(sentence.text)):
        return False
    takes_back = phrases.VETO if verdict == YES else phrases.CONDITION
    return not any(takes_back.search(clause) for clause in sentence.unknown)


def _letter(sentences: Sequence[_Sentence]) -> str:
    """Return the one letter that is wished in a sentence which is understood as a whole."""
    named = {letter for one in sentences for letter in one.letters}
    is_sure = all(not one.unknown and not one.is_question for one in sentences if one.letters)
    return named.pop().upper() if len(named) == 1 and is_sure else ""


def _settle_initials(sentences: list[_Sentence]) -> None:
    """Take a single letter for a wish where it stands alone or beside a yes; elsewhere somebody signs with it."""
    is_alone = all(one.says_nothing for one in sentences) and not any(one.letters for one in sentences)
    for one in sentences:
        if one.initial and (YES in one.kinds or is_alone) and (one.initial.isupper() or len(sentences) == 1):
            one.letters.append(one.initial.upper())


# -- sentences and clauses ---------------------------------------------------------------------------------------------


def _sentences(lines: Sequence[str]) -> Iterator[_Sentence]:
    """Yield the sentences up to the farewell, and from a postscript on."""
    texts = list(_split(lines))
    is_signature = False
    for at, text in enumerate(texts):
        is_signature = is_signature and not phrases.GOES_ON.match(_folded(text))
        if not is_signature and phrases.SIGN_OFF.fullmatch(
            _folded(SMILEY.sub(" ", text).replace(",", " ")).strip(" .!-")
        ):
            is_signature = True
        if not is_signature:
            sentence = _read(text, is_last=at == len(texts) - 1)
            if sentence.kinds or sentence.letters or sentence.initial:
                yield sentence


def _split(lines: Sequence[str]) -> Iterator[str]:
    """Split lines into sentences; a long line goes on in the next one."""
    text = "".join(f"{line.strip()}{' ' if len(line) > SHORT_LINE else chr(10)}" for line in lines)
    text = OK.sub("ok", text).replace("…", "...")
    yield from (found[0].strip() for found in SENTENCE.finditer(text) if found[0].strip())


def _read(text: str, *, is_last: bool) -> _Sentence:
    sentence = _Sentence(text=" ".join(text.split()))
    rest = MARKS.sub(" ", text)
    for sign in (UP, DOWN):
        if sign in rest:
            sentence.kinds.append(sign)
            rest = rest.replace(sign, " , ")
    if SIGNS.search(rest):
        sentence.kinds.append(UP)
        rest = SIGNS.sub(" , ", rest)
    rest = SMILEY.sub(" , ", rest)
    for pattern in phrases.LETTERS:
        sentence.letters += [found["letter"] for found in pattern.finditer(rest)]
        rest = pattern.sub(" , ", rest)
    clauses = [clause.strip(" .!?;-–—'") for clause in CLAUSE_END.split(rest)]
    clauses = [clause for clause in clauses if clause]
    for at, clause in enumerate(clauses):
        _sort(sentence, clause, is_last=is_last and at == len(clauses) - 1)
    return sentence


def _sort(sentence: _Sentence, clause: str, *, is_last: bool, dead_ends: set[int] | None = None) -> None:
    """Say what a clause is; `dead_ends` are those of the clause of which it is the rest."""
    dead_ends = set() if dead_ends is None else dead_ends
    folded = _folded(clause)
    is_readable = len(folded) <= LONGEST_CLAUSE and not phrases.ASKS_BACK.match(folded)
    found = _consume(folded, 0, dead_ends) if is_readable else None
    if found is not None:
        sentence.kinds += [one.kind for one in found]
        sentence.topics.update(one.topic for one in found)
        spoken = (one.language for one in found if one.kind in (YES, NO))
        sentence.language = sentence.language or next(filter(None, spoken), None)
    elif is_readable and (again := _says_again(folded, is_answered=bool({YES, NO} & {*sentence.kinds}))):
        sentence.kinds.append(again)
        sentence.topics.update(topic for topic, words in phrases.TOPICS.items() if words & {*folded.split()})
    elif (
        {YES, NO} & {*sentence.kinds}
        and phrases.ASKS_WHEN_DUE.match(folded)
        and not phrases.VETO.search(phrases.ASKS_WHEN_DUE.sub("", folded))
    ):
        sentence.kinds.append("asks when")
    elif YES in sentence.kinds and phrases.ASKS_FOR.match(folded) and not phrases.VETO.search(folded):
        sentence.unknown.append(folded)  # said beside the answer, as in a sentence of its own
    elif "polite" in sentence.kinds and folded.startswith("dass ") and not phrases.VETO.search(folded):
        sentence.kinds.append("polite")
    elif begun := phrases.ANSWER_FIRST.fullmatch(folded):
        answer, rest = begun["answer"], begun["rest"]
        while rest.startswith(f"{answer} "):  # `ja ja ja`
            rest = rest[len(answer) + 1 :]
        _sort(sentence, answer, is_last=False)
        _sort(sentence, rest, is_last=False, dead_ends=dead_ends)
    elif initial := INITIAL.fullmatch(clause):
        sentence.initial = initial["letter"]
    elif is_last and SIGNED.fullmatch(clause) and not phrases.VETO.search(folded):
        sentence.kinds.append("signed")
    else:
        sentence.kinds.append("unknown")
        sentence.unknown.append(folded)


def _says_again(clause: str, *, is_answered: bool) -> str:
    """Return YES for a clause which says in full what a yes to our question means, NO where it denies that.

    AWAY where it says only that somebody is away; "" for any other clause.

    Only an answer before it makes such words a yes: alone, they may say anything.
    """
    words = {*phrases.BY_ME.sub("meins", phrases.IN_NO_CASE.sub("nicht", clause)).split()}
    known = phrases.FILLERS | phrases.STATING
    if is_answered and phrases.AWAY & words and words <= phrases.FILLERS | phrases.AWAY | phrases.THEN:
        return AWAY
    if phrases.ASKS.match(clause) or not phrases.STATING & words or phrases.TO_YOU.search(clause):
        return ""
    if phrases.MINE_IS_RIGHT.search(clause):
        return ""
    if phrases.TRUE & words and words <= phrases.IT_IS:
        return YES
    if words <= known | phrases.STRONGER:
        return YES if is_answered or phrases.PLEDGES & words else ""
    return NO if phrases.NOT & words and words <= known | phrases.NOT | {"leider"} else ""


def _folded(text: str) -> str:
    return " ".join(text.lower().translate(FOLDED).split())


def _consume(text: str, start: int, dead_ends: set[int]) -> list[phrases.Phrase] | None:
    """Take a clause apart into phrases of the tables; None where something is left over.

    `dead_ends` are places, counted from the end, from which nothing leads there: each is tried once.
    """
    left = len(text) - start
    if left <= 0:
        return []
    if left in dead_ends:
        return None
    for phrase in phrases.TABLE:
        found = phrase.pattern.match(text, start)
        if found and len(text) - found.end() not in dead_ends:
            rest = _consume(text, found.end(), dead_ends)
            if rest is not None:
                return [phrase, *rest]
    dead_ends.add(left)
    return None
