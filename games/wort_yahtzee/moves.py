"""From a block to a move, and back: a roll, words for a box, or a box struck out.

A block for an earlier roll is refused.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final, Literal

from games.api import MoveBlock, Sheet, Text, say
from games.shared.lines import SEPARATOR, Line, other_round, read_lines, unread, values_of
from games.shared.notation import shown
from games.shared.phrases import plain
from games.words import Words
from games.wort_yahtzee.laying import (
    AND,
    box_name,
    box_text,
    dice_text,
    faces_in,
    lay,
    needed,
    no_letters,
    readings,
    spaced,
    why,
    word_marks,
)
from games.wort_yahtzee.rules import (
    CHANCE,
    CONSONANTS,
    COUNTS,
    DICE,
    JOKER,
    LENGTHS,
    LETTERS_OF,
    NUMBERED,
    ROLLS,
    SHORTEST,
    SPECIAL,
    VOWELS,
    YAHTZEE,
    Move,
    Player,
    State,
    Word,
    capital,
    doubtful,
    misfits,
    points,
)

_VERBS: Final = {
    **dict.fromkeys(("behalte", "behalten", "behalt", "keep"), "keep"),
    **dict.fromkeys(("werte", "werten", "score"), "score"),
    **dict.fromkeys(("streiche", "streichen", "streich", "strike"), "strike"),
}
_WRITTEN: Final = {"keep": "behalte", "score": "werte", "strike": "streiche"}
_ROLL: Final = re.compile(rf"(?:(?:wurf|roll)\s*([0-9])?|([0-9])\.\s*wurf)(?:{SEPARATOR}|$)\s*(.*)", re.IGNORECASE)

_LAST_AND: Final = re.compile(r"\s+(?:und|and)\s+(?=\S\*?$)", re.IGNORECASE)
"""`behalte A, E und H`: before a single die it is no die itself."""
_AND_ROLL: Final = re.compile(r"\s*[,;.]?\s+(?:(?:und|and)\s+)?(?:würf|wuerf|werf|roll|reroll).*", re.IGNORECASE)
"""`behalte A E und würfle den Rest`: that is what happens anyway."""
_NOTHING: Final = frozenset(["nichts", "nix", "keine", "keinen", "keins", "nothing", "none", "-", "–"])
_EVERYTHING: Final = frozenset(["alles", "alle", "all", "everything"])
_BETWEEN: Final = " +,;&/|"
"""What people write between dice."""
_STARRED: Final = re.compile(r"([A-ZÄÖÜ])(?=\*)")

_SPECIALS: Final = {
    **dict.fromkeys(("konsonanten", "consonants"), CONSONANTS),
    **dict.fromkeys(("vokale", "vowels"), VOWELS),
    **dict.fromkeys(("yahtzee-wörter", "yahtzee-wort", "yahtzee"), YAHTZEE),
    "chance": CHANCE,
}
_BOX: Final = r"R?\s?[0-9]+"
_SCORE: Final = re.compile(
    rf"(?:(?:(?:nur|only)\s+)?({_BOX}|{'|'.join(_SPECIALS)})(?:{SEPARATOR}|\s*\.|\s|$)\s*)?"
    r"(.*?)"
    r"(?:(?:\s*=\s*|\s+)([0-9]{1,3})(?:\s*(?:p|pt|pts|pkt|punkte?|points?))?)?"
    r"(?:\s*/\s*(?:R\s?)?([0-9]+))?",
    re.IGNORECASE | re.DOTALL,
)
"""A box, words, what they are worth, and the box for the zero: `R4 WORT = 12`, `chance WORT+WORT / R4`."""


def read_move(state: State, player: Player, block: MoveBlock, words: Words) -> Sheet[Move]:
    """Understand a block of a seat. One for other dice is refused, and offered again where it would do for these."""
    if state.over:
        return Sheet(problems=(say("ENDED"),))
    lines = read_lines(block, _VERBS, naked=".*")
    orders = _orders(lines)
    others = [line.text for line in lines if _is_other(line)]
    if not orders:
        return Sheet(problems=tuple(unread(text, "NOT_UNDERSTOOD") for text in others))
    late = (*other_round(values_of(lines, "round"), state.round), *_other_rolls(player, lines))
    order, *more = orders
    if more:
        several = say("SEVERAL", lines=" / ".join(shown(line.text) for line in orders))
        return Sheet(problems=(*late, several))
    sheet = _read(state, player, order, words)
    if late:
        again = (roll_line(player), f"{_WRITTEN[order.label]} {shown(order.value)}".strip())
        return Sheet(problems=(*late, *sheet.problems), offer=again if sheet.move else ())
    return replace(sheet, remarks=(*sheet.remarks, *map(unread, others))) if sheet.move else sheet


def _orders(lines: Iterable[Line]) -> list[Line]:
    """List the lines that say what to do, each once, without the empty one of the template."""
    orders: dict[tuple[str, str], Line] = {}
    for line in lines:
        value = line.value.rstrip(f".!{_BETWEEN}")
        if line.label == "keep":
            value = _LAST_AND.sub(" ", _AND_ROLL.sub("", value))
        if line.label in _VERBS.values() and (value or line.label == "strike"):
            orders.setdefault((line.label, faces_in(value)), replace(line, value=value))
    return list(orders.values())


def _is_other(line: Line) -> bool:
    is_known = line.label in ("round", *_VERBS.values()) or _ROLL.fullmatch(line.text)
    return bool(shown(line.text)) and not is_known


def _other_rolls(player: Player, lines: Iterable[Line]) -> Iterator[Text]:
    """Refuse a block that names another roll or other dice."""
    roll, dice = len(player.rolls), spaced(player.dice)
    for found in filter(None, (_ROLL.fullmatch(line.text) for line in lines)):
        number, faces = found[1] or found[2], list(filter(capital, faces_in(found[3])))
        if number and number != str(roll):
            yield say("ROLL_OTHER", sent=number, roll=roll, dice=dice)
        elif faces and sorted(faces) != sorted(player.dice):
            yield say("DICE_OTHER", sent=shown(found[3]), roll=roll, dice=dice)


def _read(state: State, player: Player, order: Line, words: Words) -> Sheet[Move]:
    if order.label == "keep":
        return _read_keep(player, order.value)
    if order.label == "score":
        return _read_score(state, player, order.value, words)
    return _read_strike(state, player, order.value)


def write(state: State, player: Player, move: Move) -> tuple[str, ...]:
    """Write a move as the lines of a block. That of the roll protects it from being carried out for another one."""
    return roll_line(player), _order_line(state, player, move)


def _order_line(state: State, player: Player, move: Move) -> str:
    if move.keep is not None:
        return keep_line(player.dice[at] for at in move.keep)
    if not move.box:
        return f"streiche {move.zero}" if state.any_order else "streiche"
    laid = AND.join(word.laid for word in move.words)
    is_named = state.any_order or move.box in SPECIAL or laid.lower() in _SPECIALS  # A word may be called like a box.
    behind = f"/ {move.zero}" if state.any_order and move.zero else ""
    return " ".join(filter(None, ("werte", move.box if is_named else "", laid, behind)))


def roll_line(player: Player) -> str:
    """Write which roll a block is for."""
    return f"Wurf {len(player.rolls)}: {spaced(player.dice)}"


def keep_line(faces: Iterable[str]) -> str:
    """Write which dice stay."""
    return f"behalte {' '.join(faces) or 'nichts'}"


def summary(player: Player, move: Move) -> tuple[tuple[Text, Text], ...]:
    """Say what a move would do to the dice or to the card."""
    if move.keep is not None:
        kept = "".join(player.dice[at] for at in move.keep)
        others = "".join(face for at, face in enumerate(player.dice) if at not in move.keep)
        return ((say("LABEL_KEPT"), dice_text(kept)), (say("LABEL_ROLLED"), dice_text(others)))
    if not move.box:
        return ((say("LABEL_STRUCK"), box_text(move.zero)),)
    sure, most = _worth(player, move)
    worth = plain(str(sure)) if sure == most else say("POINTS_OPEN", points=sure, open=most - sure)
    words = say("WORDS_WORTH", words=word_marks(move.words), points=worth) if move.words else worth
    zero = ((say("LABEL_ZERO"), box_text(move.zero)),) if move.zero else ()
    return ((say("LABEL_BOX"), box_text(move.box)), (say("LABEL_WORDS"), words), *zero)


def _worth(player: Player, move: Move) -> tuple[int, int]:
    """Return what a score is worth for sure, and if all doubtful words count."""
    return points(move, player.card), points(move, player.card, also_open=True)


# Dice that stay


def _read_keep(player: Player, text: str) -> Sheet[Move]:
    """Read which dice stay. What is kept twice must lie twice; of equal dice the left one stays."""
    dice = player.dice
    if len(player.rolls) >= ROLLS:
        return Sheet(problems=(say("NO_MORE_ROLLS", dice=spaced(dice)),))
    faces, problems = _kept(dice, text)
    if not problems and len(faces) >= DICE:
        problems = (say("KEPT_ALL"),)
    if problems:
        return Sheet(problems=problems)
    keep = tuple(at for at, face in enumerate(dice) if dice[:at].count(face) < faces.count(face))
    move = Move(roll=len(player.rolls), keep=keep)
    return Sheet(move=move, summary=summary(player, move))


def _kept(dice: str, text: str) -> tuple[str, tuple[Text, ...]]:
    """Find the faces that are named, and what is wrong with them; AE is Ä only where A and E don't lie there."""
    if text.lower() in _EVERYTHING:
        return dice, ()
    if text.lower() in _NOTHING:
        return "", ()
    text = faces_in(" ".join(text.split()))
    if strange := sorted({sign for sign in text if not capital(sign) and sign not in _BETWEEN}):
        return "", (say("NO_DIE", sign=shown(" ".join(strange)) or "?", dice=spaced(dice)),)
    if JOKER in dice:
        # `E*` may be the diamond or E and the diamond: a roll can't be taken back, so it is asked for.
        if unclear := [face for face in _STARRED.findall(text) if face in dice]:
            return "", tuple(say("STAR_UNCLEAR", face=face) for face in unclear)
        text = _STARRED.sub("", text)
    lying = Counter(dice)
    ways = (Counter(filter(capital, way)) for way in readings(text))
    best = min(ways, key=lambda way: ((way - lying).total(), -way.total()))
    return "".join(best.elements()), tuple(_not_lying(sorted((best - lying).elements()), dice))


def _not_lying(lacking: Iterable[str], dice: str) -> Iterator[Text]:
    """Name the faces that don't lie there, or not as often as they are needed."""
    for face, number in Counter(lacking).items():
        if lying := dice.count(face):
            yield say("TOO_OFTEN", face=face, lying=lying, sent=lying + number, dice=spaced(dice))
        else:
            yield say("NOT_LYING", face=face, dice=spaced(dice))


# Boxes


def _read_strike(state: State, player: Player, text: str) -> Sheet[Move]:
    """Read which box is struck out."""
    if text and not re.fullmatch(_BOX, text, re.IGNORECASE):
        return Sheet(problems=(say("NO_BOX", sent=shown(text)),))
    box, problems = _numbered(state, player, _box(text), "BOX")
    if problems:
        return Sheet(problems=problems)
    move = Move(roll=len(player.rolls), zero=box)
    return Sheet(move=move, summary=summary(player, move))


def _box(text: str) -> str:
    """Write a box as it is printed, or the number that was sent in its place."""
    return _SPECIALS.get(text.lower()) or "".join(text.split()).upper()


def _numbered(state: State, player: Player, sent: str, about: Literal["BOX", "ZERO"]) -> tuple[str, tuple[Text, ...]]:
    """Find the numbered box that is to be filled, or to take the zero of a special one; also what is wrong with it."""
    first, *more = state.open(player)
    boxes = ", ".join((first, *more))
    if sent in (first, *more) or not (sent or more):
        return sent or first, ()
    if not state.any_order:
        is_certain = sent in (str(state.round), str(LENGTHS.get(first)))
        wrong = say(f"ROUND_{about}", round=state.round, box=box_text(first), sent=sent)
        return first, () if is_certain else (wrong,)
    if not sent:
        return "", (say(f"MISSING_{about}", boxes=boxes, first=first),)
    if sent in NUMBERED:
        return sent, (say("BOX_FILLED", box=box_text(sent), boxes=boxes),)
    return "", (say("BOX_NUMBER", sent=sent, boxes=boxes) if sent.isdigit() else say("NO_BOX", sent=sent),)


def closed(player: Player, box: str) -> tuple[Text, ...]:
    """Say why a special box can't be filled; that of the Yahtzee words always can."""
    if box == YAHTZEE:
        return ()
    if player.has(box):
        return (say("SPECIAL_FILLED", box=box_name(box)),)
    return (say("TOO_LATE", box=box_name(box)),) if len(player.rolls) >= ROLLS else ()


# Words


def _read_score(state: State, player: Player, text: str, words: Words) -> Sheet[Move]:
    """Read a score; every fault is named at once."""
    found = _SCORE.fullmatch(text)
    named, rest, claim, number = found.groups("") if found else ("", text, "", "")
    sent, to_zero = _pieces(rest), number and f"R{number}"
    box, zero, problems = _boxes(state, player, _box(named), to_zero)
    if unlaid := tuple(_unlaid(box, player.dice, sent)):
        return Sheet(problems=(*problems, *unlaid))
    way, laid = lay(AND.join(map(faces_in, sent)), player.dice, state.values, words)
    problems = (*problems, *_not_lying(way.lacking, player.dice), *_faults(box, laid))
    move = Move(roll=len(player.rolls), box=box, words=laid, zero=zero)
    if problems:
        return Sheet(problems=problems, offer=() if way.lacking else _as_yahtzee(state, player, move, to_zero))
    used = (say("DIAMOND_USED", letters=" ".join(way.stands_in)),) if way.stands_in else ()
    return Sheet(
        move=move,
        remarks=(*used, *_remarks(player, move, claim, to_zero)),
        doubtful=doubtful(laid),
        summary=summary(player, move),
    )


def _boxes(state: State, player: Player, box: str, zero: str) -> tuple[str, str, tuple[Text, ...]]:
    """Find the box for words, and the one that takes a zero for it; also what is wrong with them."""
    if box not in SPECIAL:
        numbered, problems = _numbered(state, player, box, "BOX")
        return numbered, "", problems
    numbered, problems = _numbered(state, player, zero, "ZERO")
    return box, numbered, (*closed(player, box), *problems)


def _pieces(text: str) -> tuple[str, ...]:
    """Split words; `M I L D` is one, die by die."""
    words = tuple(re.findall(r"[^\s+,;&]+", text))
    is_spaced = len(words) > 1 and all(len(word.rstrip(JOKER)) <= 1 for word in words)
    return ("".join(words),) if is_spaced else words


def _unlaid(box: str, dice: str, sent: Sequence[str]) -> Iterator[Text]:
    """Say why there are no words that could be laid, or that there should be none."""
    if box in LETTERS_OF:
        if sent:
            yield say("NO_WORDS", box=box_name(box))
        if wrong := misfits(box, dice):
            yield say("NOT_ALIKE", box=box_name(box), faces=spaced(wrong), dice=spaced(dice))
        return
    if not sent:
        yield say("WORDS_MISSING", needed=needed(box))
    for word in sent:
        if rest := no_letters(word):
            yield say("NO_LETTER", word=shown(word), sign=shown(rest) or "?")


def _faults(box: str, laid: Sequence[Word]) -> Iterator[Text]:
    """Say what is wrong with words: their number, their length, one of them twice, or that one doesn't count."""
    length = LENGTHS.get(box)
    if len(laid) != COUNTS.get(box, len(laid)):
        yield say("WORD_COUNT", box=box_name(box), needed=needed(box), sent=len(laid))
        length = None
    for word in laid:
        letters = len(word.spelling)
        if letters < SHORTEST:
            yield say("WORD_SHORT", word=word.laid)
        elif length and letters != length:
            yield say("WORD_LENGTH", word=word.laid, letters=letters, needed=needed(box), box=box_name(box))
    for spelling, times in Counter(word.spelling for word in laid).items():
        if times > 1:
            yield say("TWICE", word=spelling)
    for word in laid:
        if word.status == "refused":
            yield say("WORD_REFUSED", word=word.spelling, reason=why(word))


def _as_yahtzee(state: State, player: Player, move: Move, sent: str) -> tuple[str, ...]:
    """Offer the Yahtzee box for a good word of seven letters; the box that was sent takes the zero."""
    zero = sent or move.zero or move.box
    good = [word for word in move.words if word.status != "refused" and len(word.spelling) == DICE]
    if move.box == YAHTZEE or not good or zero not in state.open(player):
        return ()
    return write(state, player, replace(move, box=YAHTZEE, zero=zero))


def _remarks(player: Player, move: Move, claim: str, zero: str) -> Iterator[Text]:
    if zero and not move.zero:
        yield say("ZERO_NEEDLESS", box=box_text(move.box))
    if move.box not in SPECIAL and [len(word.spelling) for word in move.words] == [DICE]:
        _, most = _worth(player, replace(move, box=YAHTZEE, zero=move.box))
        yield say("COULD_BE_YAHTZEE", word=move.words[0].laid, points=most)
    sure, most = _worth(player, move)
    if claim and int(claim) not in (sure, most):
        yield say("POINTS_OTHER", sent=int(claim), points=most)
