"""The rules: closing a round, judging word lists, points, and the best score that a grid allows."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache, cached_property
from typing import Final

from games.api import Seat, Standing, Text, Viewer, say
from games.crossword.board import (
    BLANK,
    EMPTY,
    MOST_WORDS,
    POINTS,
    Entry,
    Matching,
    Place,
    Rows,
    all_along,
    arrange_most,
    match,
    new_cells,
    places,
    points,
    read_list,
)
from games.dice import Dice
from games.shared import ranking
from games.words import Status, Verdict, Words

ROUNDS: Final = 6
PROFILE: Final = "duden"
SEATS: Final = tuple(Seat(n) for n in range(1, 7))


@dataclass(frozen=True, kw_only=True)
class Wish:
    """What a sign-up brings: a letter."""

    letter: str


@dataclass(frozen=True, kw_only=True)
class Move:
    """The whole grid as it shall be, a wish for the next round, and a word list if one was sent."""

    grid: Rows
    wish: str = ""
    """Empty: the last wish is repeated."""
    words: tuple[str, ...] = ()
    """The lines of the list as they were sent; empty: the last list stays."""


@dataclass(frozen=True, kw_only=True)
class Claim:
    """A word that a player claims, and what became of it."""

    line: int
    """Which of the fourteen `LINES`."""
    word: str
    start: int = -1
    """Its first cell from the left; -1: it doesn't lie there."""
    backwards: bool = False
    substitute: bool = False
    status: Status
    reason: str = ""
    entry: str = ""
    note: str = ""
    points: int
    """What it is worth if accepted."""


@dataclass(frozen=True, kw_only=True)
class Found:
    """A word of the best possible score."""

    line: int
    word: str
    backwards: bool
    points: int


@dataclass(frozen=True, kw_only=True)
class Result:
    """What one seat got in the end. A doubtful word counts nothing yet."""

    claims: tuple[Claim, ...] = ()
    unplaced: tuple[str, ...] = ()
    """Entries of the list that fit no line."""
    best: tuple[Found, ...] = ()

    @cached_property
    def points(self) -> int:
        """The sum of the accepted words."""
        return sum(claim.points for claim in self.claims if claim.status == "accepted")

    @cached_property
    def by_line(self) -> Mapping[int, tuple[Claim, ...]]:
        """The claims of each line that has any."""
        numbers = {claim.line for claim in self.claims}
        return {number: tuple(claim for claim in self.claims if claim.line == number) for number in numbers}

    @property
    def open(self) -> int:
        """What the doubtful words would add."""
        return sum(claim.points for claim in self.claims if claim.status == "doubtful")


@dataclass(frozen=True, kw_only=True)
class State:
    """A position. Tuples run over the seats, 1 first."""

    round: int = 1
    over: bool = False
    wishes: tuple[str, ...]
    """The letters of this round, by the seats who wished them."""
    repeated: tuple[bool, ...] = (False,) * 6
    """Whose wish is the last one again."""
    previous: tuple[str, ...] = ()
    """The letters of the round closed last."""
    grids: tuple[Rows, ...] = (EMPTY,) * 6
    new: tuple[tuple[str, ...], ...] = ((),) * 6
    """Names of the cells filled at the last closing."""
    lists: tuple[tuple[str, ...], ...] = ((),) * 6
    """The last word list of each seat, hidden until the end."""
    nmr: tuple[tuple[int, ...], ...] = ((),) * 6
    """The rounds that each seat missed."""
    given_up: tuple[Seat, ...] = ()
    """The seats that nobody plays; a standby may still take one."""
    results: tuple[Result, ...] = ()
    """After the end, one a seat; none where it came before the last round."""

    def __hash__(self) -> int:
        """Hash it once: what a position looks like is remembered by it."""
        return self._hashed

    @cached_property
    def _hashed(self) -> int:
        return hash(tuple(getattr(self, field.name) for field in fields(self)))

    @property
    def playing(self) -> tuple[Seat, ...]:
        """The seats that were not given up."""
        return tuple(seat for seat in SEATS if seat not in self.given_up)

    @property
    def is_last(self) -> bool:
        """The round with the word list and without a wish."""
        return self.round == ROUNDS


def close_round(state: State, moves: Mapping[Seat, Move]) -> State:
    """Carry out all moves at once."""
    made = [moves.get(seat) for seat in SEATS]
    grids = tuple(move.grid if move else old for move, old in zip(made, state.grids, strict=True))
    wishes = tuple((move.wish if move else "") or last for move, last in zip(made, state.wishes, strict=True))
    return replace(
        state,
        round=min(state.round + 1, ROUNDS),
        over=state.is_last,
        wishes=state.wishes if state.is_last else wishes,
        repeated=state.repeated if state.is_last else tuple(not (move and move.wish) for move in made),
        previous=state.wishes,
        grids=grids,
        new=tuple(new_cells(old, grid) for old, grid in zip(state.grids, grids, strict=True)),
        lists=tuple((move.words if move else ()) or old for move, old in zip(made, state.lists, strict=True)),
        nmr=tuple(old if move else (*old, state.round) for move, old in zip(made, state.nmr, strict=True)),
    )


def resample(state: State, viewer: Viewer, dice: Dice) -> State:
    """Draw other word lists, of what lies in each grid: one may have come early, and no seat sees that of another."""
    if state.over:
        return state
    lists = tuple(
        kept if seat == viewer else _drawn_list(grid, dice)
        for seat, kept, grid in zip(SEATS, state.lists, state.grids, strict=True)
    )
    return replace(state, lists=lists)


def _drawn_list(rows: Rows, dice: Dice) -> tuple[str, ...]:
    """Draw a list: nothing, or a piece of each line in which letters lie side by side."""
    runs = [run for text in all_along(rows) for run in text.split(BLANK) if len(run) > 1]
    pieces = [_piece(run, dice) for run in runs] if dice.below(2) else []
    return tuple(f"{piece.lower()} {points(piece)}" for piece in pieces)


def _piece(run: str, dice: Dice) -> str:
    start = dice.below(len(run) - 1)
    return run[start : start + 2 + dice.below(len(run) - start - 1)]


def missing_text(state: State, seat: Seat, move: Move | None) -> Text | None:
    """Return what a seat didn't send, its move or its wish, or None."""
    letter = state.wishes[seat - 1]
    if move is None:
        if seat in state.given_up:
            return None
        if state.is_last:
            return say("NMR_LAST", seat=seat, in_round=state.round)
        return say("NMR", seat=seat, in_round=state.round, letter=letter)
    return None if move.wish or state.is_last else say("WISH_AGAIN", seat=seat, letter=letter)


def results_of(state: State, words: Words) -> tuple[Result, ...]:
    """Return what each seat got in the end."""

    @cache
    def accepts(word: str) -> bool:
        return words.check(word, PROFILE).status == "accepted"

    return tuple(
        result(grid, read_list(lines).entries, words, accepts)
        for grid, lines in zip(state.grids, state.lists, strict=True)
    )


def result(rows: Rows, entries: Sequence[Entry], words: Words, accepts: Callable[[str], bool]) -> Result:
    """Work out what a seat got with its list, and what its grid would have allowed."""
    matching = match(entries, rows)
    return Result(
        claims=judge_list(rows, matching, words),
        unplaced=tuple("+".join(entry.words) for entry in matching.unplaced),
        best=best_score(rows, accepts),
    )


def judge_list(rows: Rows, matching: Matching, words: Words) -> tuple[Claim, ...]:
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


NOT_THERE = Verdict("refused", "NOT_THERE")
"""The word doesn't lie in its line, or only where another claimed word lies."""


def doubtful(state: State) -> tuple[str, ...]:
    """List the claimed words that the GM has to rule on."""
    claims = (claim for result in state.results for claim in result.claims)
    return tuple(sorted({claim.word for claim in claims if claim.status == "doubtful"}))


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


_COUNT: Final = 16
"""More than the words of a line: merits are points times this, less one for each word."""


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
