"""Points: what the judge makes of a word list, the ranking, and the best score that a grid allows."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Final

from games import ranking
from games.api import Seat, Standing
from games.crossword.board import BLANK, MOST_WORDS, POINTS, Place, Rows, all_along, arrange_most, places, points
from games.crossword.state import PROFILE, SEATS, Claim, Found, Result, State
from games.crossword.wordlist import Entry, Matching, match
from games.words import Verdict, Words

NOT_THERE = Verdict("refused", "NOT_THERE")
"""The word doesn't lie in its line, or only where another claimed word lies."""


def claims(rows: Rows, matching: Matching, words: Words) -> tuple[Claim, ...]:
    """Judge all words of a matched list, line by line."""
    texts = all_along(rows)
    return tuple(
        claim for line, entry in matching.lines.items() for claim in _line_claims(line, texts[line], entry, words)
    )


def _line_claims(line: int, text: str, entry: Entry, words: Words) -> tuple[Claim, ...]:
    laid = tuple(zip(entry.words, arrange_most(entry.words, text), strict=True))
    judged = tuple(_claim(line, word, place, words) for word, place in laid)
    standing = tuple(place for claim, (_, place) in zip(judged, laid, strict=True) if place and _stands(claim))
    if entry.substitute:
        # Asked even where it isn't needed: a later ruling may need it, and then only what was asked is on record.
        words.check(entry.substitute, PROFILE)
    if not entry.substitute or all(_stands(claim) for claim in judged):
        return judged
    free = (place for place in places(entry.substitute, text) if not any(place.overlaps(s) for s in standing))
    return (*judged, _claim(line, entry.substitute, next(free, None), words, substitute=True))


def _stands(claim: Claim) -> bool:
    return claim.status != "refused"


def _claim(line: int, word: str, place: Place | None, words: Words, substitute: bool = False) -> Claim:
    verdict = words.check(word, PROFILE) if place else NOT_THERE
    return Claim(
        line=line,
        word=word,
        start=place.start if place else -1,
        backwards=place.backwards if place else False,
        substitute=substitute,
        status=verdict.status,
        reason=verdict.reason,
        entry=verdict.entry,
        note=verdict.note,
        points=points(word),
    )


def result(rows: Rows, entries: Sequence[Entry], words: Words, accepts: Callable[[str], bool]) -> Result:
    """Work out what a seat got with its list, and what its grid would have allowed."""
    matching = match(entries, rows)
    return Result(
        claims=claims(rows, matching, words),
        unplaced=tuple("+".join(entry.words) for entry in matching.unplaced),
        best=best_score(rows, accepts),
    )


def standings(state: State) -> tuple[Standing, ...]:
    """Rank the seats; equal sums share a rank. Before the last round there are no points yet."""
    points: dict[Seat, int | None] = dict.fromkeys(SEATS)
    points |= {seat: result.points for seat, result in zip(SEATS, state.results, strict=False)}
    return ranking.standings(points, state.given_up)


def winners(state: State) -> tuple[Seat, ...]:
    """The most points win."""
    return ranking.leaders(standings(state), state.given_up)


def best_score(rows: Rows, accepts: Callable[[str], bool], most: int = MOST_WORDS) -> tuple[Found, ...]:
    """Find words of the highest possible sum: exact, line by line, at most `most` words a line."""
    return tuple(
        Found(line=number, word=word, backwards=backwards, points=points(word))
        for number, text in enumerate(all_along(rows))
        for word, backwards in best_words(text, accepts, most)
    )


_COUNT: Final = 16
"""More than the words of a line: merits are points times this, less one for each word."""


def best_words(text: str, accepts: Callable[[str], bool], most: int = MOST_WORDS) -> tuple[tuple[str, bool], ...]:
    """Find the best words of one line with their direction; among equal sums the fewest words."""
    pieces = _pieces(text, accepts)
    if not pieces:
        return ()
    # Of each number of cells from the left: the highest merit, and the words for it.
    merits = [0] * (len(text) + 1)
    laid: list[tuple[tuple[str, bool], ...]] = [()] * (len(text) + 1)
    # Where the line is too short for more words than allowed, one pass finds any number of them.
    is_short = len(text) < 2 * (most + 1)
    for _ in range(1 if is_short else most):
        before, words = (merits, laid) if is_short else (merits.copy(), laid.copy())
        for end in range(1, len(text) + 1):
            top, best = merits[end], laid[end]
            if merits[end - 1] >= top:
                top, best = merits[end - 1], laid[end - 1]
            last = None
            for piece in pieces.get(end, ()):
                merit = before[piece[0]] + _COUNT * POINTS[end - piece[0]] - 1
                if merit > top:
                    top, last = merit, piece
            merits[end] = top
            laid[end] = (*words[last[0]], last[1:]) if last else best
    return laid[-1]


def _pieces(text: str, accepts: Callable[[str], bool]) -> dict[int, list[tuple[int, str, bool]]]:
    """All words of a line by their end: start, word, whether it is read backwards. A blank cell ends every word."""
    found: dict[int, list[tuple[int, str, bool]]] = {}
    for start, end in _spans(text) if BLANK in text else _all_spans(len(text)):
        word = text[start:end]
        if accepts(word):
            found.setdefault(end, []).append((start, word, False))
        elif accepts(word := word[::-1]):
            found.setdefault(end, []).append((start, word, True))
    return found


def _spans(text: str) -> list[tuple[int, int]]:
    return [(start, end) for start, end in _all_spans(len(text)) if BLANK not in text[start:end]]


@cache
def _all_spans(length: int) -> tuple[tuple[int, int], ...]:
    return tuple((start, end) for start in range(length - 1) for end in range(start + 2, length + 1))
