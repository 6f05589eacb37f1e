"""`behalte A E`: which dice stay, so that the others are rolled."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise, product

from games.api import Sheet, Text, say
from games.notation import shown
from games.wort_yahtzee.equipment import capital
from games.wort_yahtzee.laying import Tiles, faces_in, readings
from games.wort_yahtzee.orders import faces_of_line, is_everything, is_nothing
from games.wort_yahtzee.picture import dice_text, spaced
from games.wort_yahtzee.state import DICE, JOKER, ROLLS, Move, Player


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
    """Part dice written together. Without an E on the table `E*` is the diamond, written as in a word."""
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
