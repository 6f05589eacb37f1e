"""Commands of the GM's that a mail of ours may offer: each is declared beside the function that carries it out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from games.api import Text
from gm.requests.request import Request

HELP: Final = ("help", "hilfe", "--help", "-h", "?")

CarryOut: TypeAlias = Callable[[Request, Sequence[str], str], Text]
"""Carries a command out, given the words after it and the text below it; returns what was done."""


@dataclass(frozen=True, kw_only=True)
class Offered:
    """A command as mails offer it."""

    carry_out: CarryOut
    fixed: int | None
    """So many words of an offer the GM can't change, the command among them; None: none at all."""
    after: Sequence[str]
    """The words that may stand behind the command; empty: any."""


OFFERED: Final[dict[str, Offered]] = {}
"""Command -> how it is offered."""


def offered(verb: str, *, fixed: int | None = None, after: Sequence[str] = ()) -> Callable[[CarryOut], CarryOut]:
    """Declare the function below as what carries out `gm VERB` where a mail has offered it."""

    def declare(carry_out: CarryOut) -> CarryOut:
        OFFERED[verb] = Offered(carry_out=carry_out, fixed=fixed, after=after)
        return carry_out

    return declare


def fixed_words(offer: Sequence[str], otherwise: int = 0) -> int:
    """Return how many words of an offer can't be changed; `otherwise` where it can't be changed at all."""
    found = OFFERED[offer[0]].fixed if offer[0] in OFFERED else None
    return otherwise if found is None else found


def may_be_offered(words: Sequence[str]) -> bool:
    """Whether some mail of ours offers a line like this one."""
    verb, *rest = (word.casefold() for word in words)
    next_word = rest[0] if rest else ""
    return verb in OFFERED and not is_for_help(words) and (not OFFERED[verb].after or next_word in OFFERED[verb].after)


def is_for_help(words: Sequence[str]) -> bool:
    """Whether a line asks for help, about all or about one command."""
    return any(word.casefold() in HELP for word in words[:2])
