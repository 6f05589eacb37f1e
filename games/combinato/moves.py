"""From a block to a move: the secret in round 0, then one guess a round. Also moves for scripted players."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice, product
from typing import Final

from games.api import MoveBlock, Seat, Sheet, Text, say
from games.combinato.rules import LENGTH, Move, State, Variant, agreeing, count, other
from games.dice import Dice
from games.shared.lines import other_round, read_lines, unread, values_of, with_sign
from games.shared.notation import shown
from games.shared.phrases import plain
from games.words import Words

_LABELS: Final = {
    **dict.fromkeys(("geheim", "geheimwort", "geheimzahl", "secret"), "secret"),
    **dict.fromkeys(("rat", "rate", "tippe", "tipp", "tip", "guess"), "guess"),
}
_NAKED: Final = rf"\w{{{LENGTH}}}[.!]?"
"""`Geheim BILD`."""
_FOR_THE_GM: Final = ("UNKNOWN", "DOUBTFUL")
_MOST: Final = 4
"""How many lines a refusal quotes."""


def read_move(variant: Variant, state: State, seat: Seat, block: MoveBlock, words: Words) -> Sheet[Move]:
    """Understand a block of a seat."""
    if state.over:
        return Sheet(problems=(say("ENDED"),))
    lines = read_lines(block, _LABELS, _NAKED)
    secrets, guesses = values_of(lines, "secret"), values_of(lines, "guess")
    labelled, of_wrong_kind = (guesses, secrets) if state.round else (secrets, guesses)
    picked = _pick(variant, labelled, tuple(line.text for line in lines if line.label in ("", "wish")))
    wrong_kind = _wrong_kind(state, of_wrong_kind, alone=not (labelled or picked.words))
    remarks = (
        *(unread(line) for line in picked.unread if shown(line)),
        *_ignored(state, of_wrong_kind),
    )
    legal = [(word, tuple(_problems(variant, state, seat, word, words))) for word in picked.words]
    problems = (
        *other_round(values_of(lines, "round"), state.round),
        *wrong_kind,
        *picked.problems,
        *(problem for _, faults in legal for problem in faults),
    )
    if problems:
        return _refusal(state, problems, remarks, legal)
    return _acceptance(state, seat, picked.words[0], remarks) if picked.words else Sheet(remarks=remarks)


def _refusal(
    state: State, problems: tuple[Text, ...], remarks: tuple[Text, ...], legal: Sequence[tuple[str, tuple[Text, ...]]]
) -> Sheet[Move]:
    """Refuse a block, and offer the first word without a fault."""
    offer = next((word for word, faults in legal if not faults), "")
    doubtful = tuple(word for word, faults in legal if any(fault.code in _FOR_THE_GM for fault in faults))
    offered = (line_of(state, offer),) if offer else ()
    return Sheet(problems=problems, remarks=remarks, doubtful=doubtful, offer=offered)


def _acceptance(state: State, seat: Seat, word: str, remarks: tuple[Text, ...]) -> Sheet[Move]:
    again = any(row.word == word for row in state.rows[seat - 1])
    return Sheet(
        move=Move(word=word),
        remarks=(*remarks, *([say("LAID_AGAIN", word=word)] if again else [])),
        summary=((say("LABEL_GUESS") if state.round else say("LABEL_SECRET"), plain(word)),),
    )


def line_of(state: State, word: str) -> str:
    """Write a move as a line."""
    return f"Rat: {word}" if state.round else f"Geheim: {word}"


@dataclass(frozen=True, kw_only=True)
class _Picked:
    """The word that is meant; two where it can't be told."""

    words: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    problems: tuple[Text, ...] = ()


def _pick(variant: Variant, labelled: Sequence[str], bare: Sequence[str]) -> _Picked:
    """Find the word: a line with a label wins over lines without; of these only words of the right shape count."""
    lines = labelled or bare
    words = {variant.board(line): line for line in lines}
    good = tuple(word for word in words if _has_shape(variant, word))
    others = tuple(line for word, line in words.items() if word not in good)
    if len(good) > 1:
        return _Picked(words=good, problems=(say("SEVERAL", words=", ".join(good[:_MOST])),))
    if labelled:
        return _Picked(words=good, unread=tuple(bare), problems=tuple(_shapes(variant, others)))
    if good or not others:
        return _Picked(words=good, unread=others)
    return _Picked(problems=tuple(_shapes(variant, others)))


def _has_shape(variant: Variant, word: str) -> bool:
    return len(word) == LENGTH and all(sign in variant.signs for sign in word)


def _shapes(variant: Variant, lines: Sequence[str]) -> Iterator[Text]:
    for line in lines[:_MOST]:
        word = variant.board(line)
        if word and all(sign in variant.signs for sign in word):
            yield say("LENGTH", word=shown(word), number=len(word))
        else:
            yield with_sign(say("SHAPE", sent=shown(line)), line)


def _wrong_kind(state: State, values: Sequence[str], *, alone: bool) -> tuple[Text, ...]:
    """Refuse a guess in round 0, and a block with nothing but a secret after it."""
    if not values or (state.round and not alone):
        return ()
    return (say("SECRET_FIXED") if state.round else say("SECRET_FIRST"),)


def _ignored(state: State, values: Sequence[str]) -> tuple[Text, ...]:
    return (say("SECRET_IGNORED"),) if state.round and values else ()


def _problems(variant: Variant, state: State, seat: Seat, word: str, words: Words) -> Iterator[Text]:
    """Yield what the rules have against a word."""
    if not state.round:
        if word in state.returned:
            yield say("TAKE_ANOTHER", word=word)
        yield from variant.secret_problems(word, state, words)
        return
    if word == state.secrets[seat - 1]:
        yield say("OWN_SECRET", word=word)
    laid = next((row for row in state.rows[other(seat) - 1] if row.word == word), None)
    if laid:
        yield say("LAID_BY_OTHER", word=word, seat=other(seat), round=laid.round)
    # A secret was valid when it was hidden: it can be found whatever is ruled of it since.
    if word != state.secrets[other(seat) - 1]:
        yield from variant.guess_problems(word, words)


_TRIED: Final = 300
"""How many words are judged before we give up: only the GM's rulings can refuse a listed word."""
_LOOKED_AT: Final = 3000
"""Of so many words those are found that can still be the secret;"""
_COMPARED: Final = 20
"""so many of them are compared"""
_LEFT: Final = 60
"""by how they part so many."""


def suggest_lines(variant: Variant, state: State, seat: Seat, dice: Dice, words: Words) -> tuple[str, ...]:
    """Hide a plain word; then guess one that can still be the secret, and that tells most if it isn't."""
    pool = dice.shuffled(tuple(variant.candidates(state, words)))
    if not state.round:
        plain = variant.draw(state, state.returned, dice, words)
        hidden = (word for word in (plain, *pool) if word not in state.returned)
        word = next((w for w in islice(hidden, _TRIED) if not variant.secret_problems(w, state, words)), "")
    else:
        rows, drawn = state.rows[seat - 1], iter(pool)
        left = tuple(islice(agreeing(rows, islice(drawn, _LOOKED_AT)), _LEFT))
        telling = sorted(left[:_COMPARED], key=partial(_expected, left)) if rows else left
        word = next(_legal(variant, state, seat, chain(telling, left, agreeing(rows, drawn), pool), words), "")
    return (line_of(state, word),) if word else ()


def moves(variant: Variant, state: State, seat: Seat) -> Iterator[Move]:
    """List the secrets or guesses that are legal, where they are no words."""
    if state.over or variant.spells:
        return
    closed = {state.secrets[seat - 1], *(row.word for row in state.rows[other(seat) - 1]), *state.returned}
    for signs in product(variant.signs, repeat=LENGTH):
        word = "".join(signs)
        if word not in closed and (state.round or state.repeats or len(set(word)) == LENGTH):
            yield Move(word=word)


def _expected(secrets: Sequence[str], guess: str) -> int:
    """Return how many secrets the answer to a guess leaves, added up for all of them."""
    return sum(number**2 for number in Counter(count(secret, guess) for secret in secrets).values())


def _legal(variant: Variant, state: State, seat: Seat, pool: Iterable[str], words: Words) -> Iterator[str]:
    closed = {state.secrets[seat - 1], *(row.word for row in state.rows[other(seat) - 1])}
    open_words = (word for word in pool if word not in closed)
    return (word for word in islice(open_words, _TRIED) if not variant.guess_problems(word, words))
