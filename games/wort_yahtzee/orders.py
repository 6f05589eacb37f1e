"""The lines of a block: `behalte A E`, `werte R4 WORT`, `streiche R4`, in German and English."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from typing import Final, Literal, TypeAlias

from games.api import MoveBlock, Sheet, Text, say
from games.shared.lines import field
from games.shared.notation import shown
from games.wort_yahtzee.laying import Tiles, dice_text, faces_in, readings, spaced
from games.wort_yahtzee.rules import (
    CHANCE,
    CONSONANTS,
    DICE,
    JOKER,
    NUMBERED,
    ROLLS,
    VOWELS,
    YAHTZEE,
    Move,
    Player,
    capital,
)

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


def sort_lines(block: MoveBlock) -> Parts:
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
    """Return whether no die shall stay."""
    return text.lower() in _NOTHING


def is_everything(text: str) -> bool:
    """Return whether all dice shall stay."""
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
    """Split the dice named in a line at blanks and separators; some may be written together."""
    return tuple(re.findall(r"[^\s+,;&/|]+", text))


def read_keep(player: Player, text: str) -> Sheet[Move]:
    """Read which dice stay. What is kept twice must lie twice; of equal dice the left one stays."""
    if len(player.rolls) >= ROLLS:
        return Sheet(problems=(say("NO_MORE_ROLLS", dice=spaced(player.dice)),))
    faces, problems = _faces(player.dice, text)
    if problems:
        return Sheet(problems=problems)
    if len(faces) >= DICE:
        return Sheet(problems=(say("KEPT_ALL"),))
    keep = _places(player.dice, faces)
    others = "".join(face for at, face in enumerate(player.dice) if at not in keep)
    kept = "".join(player.dice[at] for at in keep)
    summary = ((say("LABEL_KEPT"), dice_text(kept)), (say("LABEL_ROLLED"), dice_text(others)))
    return Sheet(move=Move(roll=len(player.rolls), keep=keep), summary=summary)


def _faces(dice: str, text: str) -> tuple[tuple[str, ...], tuple[Text, ...]]:
    if is_everything(text):
        return tuple(dice), ()
    if is_nothing(text):
        return (), ()
    pieces = faces_of_line(faces_in(text))
    bad = sorted({sign for piece in pieces for sign in piece if not capital(sign)})
    if bad:
        return (), (say("NO_DIE", sign=shown(" ".join(bad)) or "?", dice=spaced(dice)),)
    unclear = tuple(problem for piece in pieces if (problem := _unclear(piece, dice)))
    if unclear:
        return (), unclear
    faces = _best([_tiles(piece, dice) for piece in pieces], dice)
    missing = sorted(_lacking(faces, dice).items())
    return faces, tuple(_missing(face, number, dice) for face, number in missing)


def _unclear(piece: str, dice: str) -> Text | None:
    """`E*` may be the diamond or E and the diamond: a roll can't be taken back, so it is asked for."""
    doubles = (face for face, star in pairwise(piece) if star == JOKER != face)
    face = next((face for face in doubles if face in dice and JOKER in dice), "")
    return say("STAR_UNCLEAR", face=face) if face else None


def _tiles(piece: str, dice: str) -> Tiles:
    """Split dice that are written together. `E*` is the diamond, written as in a word."""
    if JOKER not in dice:
        return tuple(piece)
    return tuple(face for face, after in pairwise(f"{piece} ") if face == JOKER or after != JOKER)


def _best(pieces: Sequence[Tiles], dice: str) -> Tiles:
    """Read AE as Ä only where A and E don't lie there."""
    if sum(map(len, pieces)) > 2 * DICE:
        return tuple(face for piece in pieces for face in piece)
    ways = (tuple(face for piece in way for face in piece) for way in product(*(tuple(readings(p)) for p in pieces)))
    return min(ways, key=lambda faces: (_lacking(faces, dice).total(), -len(faces)))


def _lacking(faces: Tiles, dice: str) -> Counter[str]:
    return Counter(faces) - Counter(dice)


def _missing(face: str, number: int, dice: str) -> Text:
    lying = dice.count(face)
    if lying:
        return say("KEPT_TOO_OFTEN", face=face, lying=lying, sent=lying + number, dice=spaced(dice))
    return say("NOT_LYING", face=face, dice=spaced(dice))


def _places(dice: str, faces: Sequence[str]) -> tuple[int, ...]:
    left = Counter(faces)
    places: list[int] = []
    for at, face in enumerate(dice):
        if left[face]:
            left[face] -= 1
            places.append(at)
    return tuple(places)
