"""Treffer and Volltreffer, and what follows from them for everybody who sees the rows."""

from collections.abc import Iterable

from games.combinato.state import Row


def count(secret: str, guess: str) -> tuple[int, int]:
    """Count Volltreffer and Treffer as rule 6 does, not as Mastermind: each place of the guess for itself.

    The right sign at the right place is a Volltreffer; a sign that stands anywhere else in the secret is a Treffer,
    also if that one was counted before (6 E: PELZ and TEER give one each).
    """
    full = sum(ours == theirs for ours, theirs in zip(guess, secret, strict=True))
    return full, sum(sign in secret for sign in guess) - full


def ruled_out(rows: Iterable[Row]) -> frozenset[str]:
    """Give the signs of all guesses without any hit (rule 6 D)."""
    return frozenset(sign for row in rows if row.full == row.part == 0 for sign in row.word)


def still_open(word: str, out: frozenset[str]) -> str:
    """Take the signs that are ruled out from a guess, as rule 9 does on the board: `RIED`, after `QUER`, is `.I.D`."""
    return "".join("." if sign in out else sign for sign in word)
