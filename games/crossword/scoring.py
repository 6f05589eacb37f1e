"""Points: what the judge makes of a word list, the ranking, and the best score that a grid allows."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from games.api import Standing
from games.crossword.board import LINES, MOST_WORDS, Place, Rows, along, arrange_most, places, points
from games.crossword.state import PROFILE, SEATS, Claim, Found, Result
from games.crossword.wordlist import Entry, Matching, match
from games.words import Verdict, Words

NOT_THERE = Verdict("refused", "NOT_THERE")
"""The word doesn't lie in its line, or only where another claimed word lies."""


def claims(rows: Rows, matching: Matching, words: Words) -> tuple[Claim, ...]:
    """Judge all words of a matched list, line by line."""
    return tuple(
        claim
        for line, entry in matching.lines.items()
        for claim in _line_claims(line, along(rows, LINES[line]), entry, words)
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


def standings(results: Sequence[Result]) -> tuple[Standing, ...]:
    """Rank the seats; equal sums share a rank."""
    ranked = sorted(zip(SEATS, results, strict=True), key=lambda pair: (-pair[1].points, pair[0]))
    return tuple(
        Standing(rank=1 + sum(other.points > mine.points for other in results), seat=seat, points=mine.points)
        for seat, mine in ranked
    )


def best_score(rows: Rows, accepts: Callable[[str], bool], most: int = MOST_WORDS) -> tuple[Found, ...]:
    """Find words of the highest possible sum: exact, line by line, at most `most` words a line."""
    return tuple(
        Found(line=number, word=word, backwards=backwards, points=points(word))
        for number, line in enumerate(LINES)
        for word, backwards in best_words(along(rows, line), accepts, most)
    )


@dataclass(frozen=True)
class _Way:
    """Words that go together in the first cells of a line."""

    points: int = 0
    words: tuple[tuple[str, bool], ...] = ()

    def then(self, word: str, backwards: bool) -> "_Way":
        return _Way(self.points + points(word), (*self.words, (word, backwards)))


def best_words(text: str, accepts: Callable[[str], bool], most: int = MOST_WORDS) -> tuple[tuple[str, bool], ...]:
    """Find the best words of one line with their direction; among equal sums the fewest words."""
    pieces = _pieces(text, accepts)
    fewer = [_Way()] * (len(text) + 1)
    for _ in range(most if pieces else 0):
        best = [_Way()]
        for end in range(1, len(text) + 1):
            ways = [best[-1], fewer[end]]
            ways += [fewer[start].then(word, back) for start, stop, word, back in pieces if stop == end]
            best.append(max(ways, key=lambda way: (way.points, -len(way.words))))
        fewer = best
    return fewer[-1].words


def _pieces(text: str, accepts: Callable[[str], bool]) -> tuple[tuple[int, int, str, bool], ...]:
    """All words of a line: start, end, word, whether it is read backwards. A blank cell ends every word."""
    found: list[tuple[int, int, str, bool]] = []
    for start in range(len(text)):
        reach = text.find(".", start)
        for end in range(start + 2, (len(text) if reach < 0 else reach) + 1):
            word = text[start:end]
            if accepts(word):
                found.append((start, end, word, False))
            elif accepts(word[::-1]):
                found.append((start, end, word[::-1], True))
    return tuple(found)
