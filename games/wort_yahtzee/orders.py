"""The lines of a block: `Wurf 1: A E R ...`, `behalte A E`, `werte R4 WORT`, `streiche R4`. German and English."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from games.api import MoveBlock
from games.notation import field
from games.wort_yahtzee.laying import faces_in
from games.wort_yahtzee.state import CHANCE, CONSONANTS, NUMBERED, VOWELS, YAHTZEE

Kind: TypeAlias = Literal["keep", "score", "strike"]

_LINES: Final = 60
_WIDTH: Final = 200
_KINDS: Final[dict[str, Kind]] = {
    **dict.fromkeys(("behalte", "behalten", "behalt", "keep"), "keep"),
    **dict.fromkeys(("werte", "werten", "score"), "score"),
    **dict.fromkeys(("streiche", "streichen", "streich", "strike"), "strike"),
}
_ORDER: Final = re.compile(
    rf"(?:(?:ich|bitte|i|please)\s+)?({'|'.join(sorted(_KINDS, key=len, reverse=True))})(?:\s*:\s*|\s+|$)(.*)",
    re.IGNORECASE,
)
_LAST_AND: Final = re.compile(r"\s+(?:und|and)\s+(?=\S\*?$)", re.IGNORECASE)
"""`behalte A, E und H`: before a single die it is no die itself."""
_AND_ROLL: Final = re.compile(r"\s*[,;.]?\s+(?:(?:und|and)\s+)?(?:würf|wuerf|werf|roll|reroll).*", re.IGNORECASE)
"""`behalte A E und würfle den Rest`: that is what happens anyway."""
_ROLL: Final = re.compile(r"(?:(?:wurf|roll)\s*([0-9])?|([0-9])\.\s*wurf)\s*(?::|$)\s*(.*)", re.IGNORECASE)
_STAND: Final = re.compile(r"(?:stand|position)\s*:\s*[0-9]*", re.IGNORECASE)

_SPECIALS: Final = {
    **dict.fromkeys(("konsonanten", "consonants"), CONSONANTS),
    **dict.fromkeys(("vokale", "vowels"), VOWELS),
    **dict.fromkeys(("yahtzee", "yahtzee-wort", "yahtzee-wörter"), YAHTZEE),
    "chance": CHANCE,
}
_SPECIAL: Final = re.compile(
    rf"(?:(?:nur|only)\s+)?({'|'.join(sorted(_SPECIALS, key=len, reverse=True))})(?:\s*:\s*|\s+|$)(.*)", re.IGNORECASE
)
_BOX: Final = re.compile(r"(R\s?)?([0-9]+)(?:\s*[:.=]\s*|\s+|$)(.*)", re.IGNORECASE)
_ZERO: Final = re.compile(r"(.*?)\s*/\s*(R\s?)?([0-9]+)", re.IGNORECASE)
_CLAIM: Final = re.compile(r"(.*\D)\s*(?:=\s*|\s)([0-9]{1,3})(?:\s*(?:p|pt|pts|pkt|punkte?|points?))?", re.IGNORECASE)
_NOTHING: Final = frozenset(["nichts", "nix", "keine", "keinen", "keins", "nothing", "none", "-", "–"])
_EVERYTHING: Final = frozenset(["alles", "alle", "all", "everything"])


@dataclass(frozen=True, kw_only=True)
class Order:
    """A line that says what to do, and its rest as sent."""

    kind: Kind
    text: str


@dataclass(frozen=True, kw_only=True)
class Parts:
    """A block sorted into its parts."""

    orders: tuple[Order, ...] = ()
    """Each once, the empty ones of the template left out."""
    rolls: tuple[tuple[str, str], ...] = ()
    """Number and dice of the `Wurf` lines, as sent; either may be empty."""
    rounds: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Scoring:
    """What stands behind `werte`."""

    box: str = ""
    """`R4`, a special box, or nothing; a bare number is in `number`."""
    number: str = ""
    words: tuple[str, ...] = ()
    zero: str = ""
    claimed: int | None = None


def sort(block: MoveBlock) -> Parts:
    """Sort the lines of a block."""
    orders: dict[tuple[str, str], Order] = {}
    rolls: list[tuple[str, str]] = []
    rounds: list[str] = []
    unread: list[str] = []
    for line in _clean(block.lines):
        known = field(line)
        if found := _ORDER.fullmatch(line):
            text, kind = found[2].strip().rstrip(".!"), _KINDS[found[1].lower()]
            order = Order(kind=kind, text=_LAST_AND.sub(" ", _AND_ROLL.sub("", text)) if kind == "keep" else text)
            if order.text or order.kind == "strike":
                orders.setdefault((order.kind, faces_in(order.text)), order)
        elif found := _ROLL.fullmatch(line):
            rolls.append((found[1] or found[2] or "", found[3]))
        elif known and known[0] == "round":
            rounds.append(known[1])
        elif not _STAND.fullmatch(line):
            unread.append(line)
    return Parts(orders=tuple(orders.values()), rolls=tuple(rolls), rounds=tuple(rounds), unread=tuple(unread))


def _clean(lines: Iterable[str]) -> list[str]:
    stripped = [line[:_WIDTH].strip() for line in tuple(lines)[:_LINES]]
    return [line for line in stripped if line]


def is_nothing(text: str) -> bool:
    """Ask whether no die shall stay."""
    return text.lower() in _NOTHING


def is_everything(text: str) -> bool:
    """Ask whether all dice shall stay."""
    return text.lower() in _EVERYTHING


def box_of(text: str) -> tuple[str, str]:
    """Read what stands behind `streiche`: a box, or a bare number, or neither."""
    found = _BOX.fullmatch(text)
    return _named(found[1], found[2]) if found and not found[3] else ("", "")


def _named(letter: str | None, number: str) -> tuple[str, str]:
    box = f"R{int(number)}" if letter and len(number) == 1 else ""
    return (box, "") if box in NUMBERED else ("", number)


def read_scoring(text: str) -> Scoring:
    """Read what stands behind `werte`: a box, words, the box for a zero, the player's own figure."""
    zero = ""
    if found := _ZERO.fullmatch(text):
        text, (box, number) = found[1], _named(found[2] or "R", found[3])
        zero = box or f"R{number}"
    box = number = ""
    if found := _BOX.fullmatch(text):
        box, number = _named(found[1], found[2])
        text = found[3]
    elif found := _SPECIAL.fullmatch(text):
        box, text = _SPECIALS[found[1].lower()], found[2]
    claimed = None
    if found := _CLAIM.fullmatch(text):
        text, claimed = found[1].rstrip(" ="), int(found[2])
    return Scoring(box=box, number=number, words=_words(text), zero=zero, claimed=claimed)


def _words(text: str) -> tuple[str, ...]:
    pieces = re.findall(r"[^\s+,;&]+", text)
    # `M I L D` is one word, die by die.
    if len(pieces) > 1 and all(len(piece.rstrip("*")) <= 1 for piece in pieces):
        return ("".join(pieces),)
    return tuple(pieces)


def faces_of_line(text: str) -> tuple[str, ...]:
    """Part the dice named in a line: by blanks and signs, or written together."""
    return tuple(re.findall(r"[^\s+,;&/|]+", text))
