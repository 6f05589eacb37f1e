"""The rules: closing a round, judging word lists, points, and the best score that a grid allows."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from games.api import Outcome, Resolution, Seat, Standing, Text, Viewer, public, say
from games.crossword.board import BLANK, EMPTY, Rows, all_along, arrange_most, placed, points, starts, without
from games.crossword.wordlist import Entry, Matching, match, read_list
from games.dice import Dice
from games.shared import ranking
from games.shared.phrases import first_place
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


def sums(claims: Iterable[Claim]) -> tuple[int, int]:
    """Add up the accepted words, and the doubtful ones."""
    worth = {"accepted": 0, "doubtful": 0, "refused": 0}
    for claim in claims:
        worth[claim.status] += claim.points
    return worth["accepted"], worth["doubtful"]


@dataclass(frozen=True, kw_only=True)
class LineWord:
    """A word that lies in a line, claimed or not."""

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
    best: tuple[LineWord, ...] = ()

    @property
    def points(self) -> int:
        """The sum of the accepted words."""
        return sums(self.claims)[0]

    @property
    def open(self) -> int:
        """What the doubtful words would add."""
        return sums(self.claims)[1]


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

    @property
    def seats(self) -> tuple[Seat, ...]:
        """All six."""
        return SEATS

    @property
    def is_last(self) -> bool:
        """The round with the word list and without a wish."""
        return self.round == ROUNDS


def close_round(state: State, moves: Mapping[Seat, Move], words: Words) -> Resolution[State]:
    """Carry out all moves at once. Without a move the letters are lost and the last wish is repeated."""
    made = [moves.get(seat) for seat in SEATS]
    missed = public(*(text for seat in SEATS for text in _missing(state, seat, moves.get(seat))))
    grids = tuple(move.grid if move else old for move, old in zip(made, state.grids, strict=True))
    closed = replace(
        state,
        previous=state.wishes,
        grids=grids,
        new=tuple(tuple(placed(old, grid)) for old, grid in zip(state.grids, grids, strict=True)),
        lists=tuple((move.words if move else ()) or old for move, old in zip(made, state.lists, strict=True)),
        nmr=tuple(old if move else (*old, state.round) for move, old in zip(made, state.nmr, strict=True)),
    )
    if state.is_last:
        ended = replace(closed, over=True, results=results_of(closed, words))
        return Resolution(state=ended, events=(*missed, *public(*first_place(result(ended)))))
    wishes = [move.wish if move else "" for move in made]
    after = replace(
        closed,
        round=state.round + 1,
        wishes=tuple(wish or last for wish, last in zip(wishes, state.wishes, strict=True)),
        repeated=tuple(not wish for wish in wishes),
    )
    return Resolution(state=after, events=missed)


def _missing(state: State, seat: Seat, move: Move | None) -> tuple[Text, ...]:
    """Return what a seat didn't send, its move or its wish."""
    letter = state.wishes[seat - 1]
    if move:
        return () if move.wish or state.is_last else (say("WISH_AGAIN", seat=seat, letter=letter),)
    if seat in state.given_up:
        return ()
    if state.is_last:
        return (say("NMR_LAST", seat=seat, in_round=state.round),)
    return (say("NMR", seat=seat, in_round=state.round, letter=letter),)


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


def results_of(state: State, words: Words) -> tuple[Result, ...]:
    """Return what each seat got with its list, and what its grid would have allowed."""

    @cache
    def accepts(word: str) -> bool:
        return words.check(word, PROFILE).status == "accepted"

    results: list[Result] = []
    for grid, lines in zip(state.grids, state.lists, strict=True):
        matching = match(read_list(lines).entries, grid)
        unplaced = tuple("+".join(entry.words) for entry in matching.unplaced)
        claims = judge_list(grid, matching, words)
        results.append(Result(claims=claims, unplaced=unplaced, best=best_score(grid, accepts)))
    return tuple(results)


def judge_list(rows: Rows, matching: Matching, words: Words) -> tuple[Claim, ...]:
    """Judge all words of a matched list, line by line."""
    texts = all_along(rows)
    return tuple(
        claim for line, entry in matching.lines.items() for claim in _line_claims(line, texts[line], entry, words)
    )


def _line_claims(line: int, text: str, entry: Entry, words: Words) -> tuple[Claim, ...]:
    laid = zip(entry.words, arrange_most(entry.words, text), strict=True)
    claims = tuple(_claim(line, word, start, text, words) for word, start in laid)
    if entry.substitute:
        # Asked even where it isn't needed: a later ruling may need it, and then only what was asked is on record.
        words.check(entry.substitute, PROFILE)
    standing = [claim for claim in claims if claim.status != "refused"]
    if not entry.substitute or len(standing) == len(claims):
        return claims
    free = text
    for claim in standing:
        free = without(claim.word, free, claim.start)
    spare = _claim(line, entry.substitute, next(iter(starts(entry.substitute, free)), None), text, words)
    return (*claims, replace(spare, substitute=True))


def _claim(line: int, word: str, start: int | None, text: str, words: Words) -> Claim:
    verdict = NOT_THERE if start is None else words.check(word, PROFILE)
    return Claim(
        line=line,
        word=word,
        start=-1 if start is None else start,
        backwards=start is not None and not text.startswith(word, start),
        status=verdict.status,
        reason=verdict.reason,
        entry=verdict.entry,
        note=verdict.note,
        points=points(word),
    )


NOT_THERE = Verdict("refused", "NOT_THERE")
"""The word doesn't lie in its line, or only where another claimed word lies."""


def doubtful(claims: Iterable[Claim]) -> tuple[str, ...]:
    """List the claimed words that the GM has to rule on."""
    return tuple(sorted({claim.word for claim in claims if claim.status == "doubtful"}))


def standings(state: State) -> tuple[Standing, ...]:
    """Rank the seats; equal sums share a rank. Before the last round there are no points yet."""
    points: dict[Seat, int | None] = dict.fromkeys(SEATS)
    points |= {seat: result.points for seat, result in zip(SEATS, state.results, strict=False)}
    return ranking.standings(points, state.given_up)


def result(state: State) -> Outcome:
    """The most points win; doubtful words count nothing until the GM has ruled."""
    ranked = standings(state)
    waiting = doubtful(claim for of_seat in state.results for claim in of_seat.claims)
    return Outcome(standings=ranked, winners=ranking.leaders(ranked, state.given_up), doubtful=waiting)


def best_score(rows: Rows, accepts: Callable[[str], bool]) -> tuple[LineWord, ...]:
    """Find words of the highest possible sum: exact, line by line; among equal sums the fewest words."""
    worth = worth_of(accepts)
    return tuple(
        line_word(line, piece, not accepts(piece))
        for line, text in enumerate(all_along(rows))
        for piece in best_parts(text, worth)
    )


def worth_of(accepts: Callable[[str], bool]) -> Callable[[str], int]:
    """Return a function that values a piece of a line: its points, where it is a word forwards or backwards."""
    return lambda piece: points(piece) if BLANK not in piece and (accepts(piece) or accepts(piece[::-1])) else 0


def line_word(line: int, piece: str, backwards: bool) -> LineWord:
    """Make a word of a piece of a line."""
    return LineWord(line=line, word=piece[::-1] if backwards else piece, backwards=backwards, points=points(piece))


def best_parts(text: str, worth: Callable[[str], int]) -> tuple[str, ...]:
    """Choose pieces of a line that don't overlap and are worth most together; among equal sums the fewest."""
    # Of each number of cells from the left: the worth, how many pieces less than none, and the pieces.
    best: list[tuple[int, int, tuple[str, ...]]] = [(0, 0, ())]
    for end in range(1, len(text) + 1):
        top = best[-1]
        for start in range(end - 1):
            gain = worth(text[start:end])
            value, number, pieces = best[start]
            if gain and (value + gain, number - 1) > top[:2]:
                top = (value + gain, number - 1, (*pieces, text[start:end]))
        best.append(top)
    return best[-1][2]
