"""From a block to a move: which box is filled, with which words. A block for an earlier roll is refused."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from games.api import MoveBlock, Seat, Sheet, SignUp, Text, say
from games.shared.lines import other_round
from games.shared.notation import board_letters, shown
from games.words import Words
from games.wort_yahtzee.laying import (
    MISSPELT,
    Laying,
    Tiles,
    box_name,
    box_text,
    boxes_text,
    faces_in,
    judge,
    layings,
    letter_text,
    points_text,
    roll_line,
    spaced,
    spelling,
    tiles_of,
    value,
    why,
    word_marks,
)
from games.wort_yahtzee.orders import Order, Parts, Scoring, box_of, read_keep, read_scoring, sort_lines
from games.wort_yahtzee.rules import (
    BEFORE_THIRD,
    CHANCE,
    COUNTS,
    DICE,
    JOKER,
    LENGTHS,
    LETTERS_OF,
    NUMBERED,
    ROLLS,
    SHORTEST,
    SPECIAL,
    YAHTZEE,
    Entry,
    Move,
    Player,
    State,
    Word,
    fits,
    misfits,
    points,
)


@dataclass(frozen=True, kw_only=True)
class _Words:
    """Words as read for a box."""

    words: tuple[Word, ...] = ()
    remarks: tuple[Text, ...] = ()
    problems: tuple[Text, ...] = ()


def read_strike(state: State, player: Player, text: str) -> Sheet[Move]:
    """Read which box is struck out."""
    box, number = box_of(text)
    if text and not (box or number):
        return Sheet(problems=(say("NO_BOX", sent=shown(text)),))
    box, problems = _numbered(state, player, box, number)
    if problems:
        return Sheet(problems=problems)
    move = Move(roll=len(player.rolls), zero=box)
    return Sheet(move=move, summary=((say("LABEL_STRUCK"), box_text(box)),))


def read_score(state: State, player: Player, text: str, words: Words) -> Sheet[Move]:
    """Read a score; every fault is named at once."""
    sent = read_scoring(text)
    box, zero, problems = _boxes(state, player, sent)
    read = _read_words(state, player, box, sent, words)
    problems = (*problems, *read.problems)
    if problems:
        return Sheet(problems=problems, offer=_offer(state, player, box, sent, read))
    move = Move(roll=len(player.rolls), box=box, words=read.words, zero=zero)
    entry = entry_of(state, player, move)
    return Sheet(
        move=move,
        remarks=(*read.remarks, *_remarks(player, sent, entry)),
        doubtful=tuple(sorted({board(word) for word in read.words if word.status == "doubtful"})),
        summary=summary(player, entry),
    )


def board(word: Word) -> str:
    """Write a word in board letters, as the GM rules on it."""
    return board_letters(spelling(word.laid))


def judged(laid: str, state: State, words: Words) -> Word:
    """Judge a word as it is laid."""
    verdict = judge(laid, words)
    return Word(
        laid=laid,
        value=value(laid, state.values),
        status=verdict.status,
        reason=verdict.reason,
        entry=verdict.entry,
        note=verdict.note,
    )


def entry_of(state: State, player: Player, move: Move) -> Entry:
    """Write an entry for the card."""
    return Entry(
        round=state.round,
        dice=player.dice,
        rolls=len(player.rolls),
        box=move.box,
        words=move.words,
        zero=move.zero,
    )


def summary(player: Player, entry: Entry) -> tuple[tuple[Text, Text], ...]:
    """Return what a score would do to the card."""
    if not entry.box:
        return ((say("LABEL_STRUCK"), box_text(entry.zero)),)
    card = (*player.card, entry)
    sure, with_open = (points(card, len(player.card), also_open=also_open) for also_open in (False, True))
    worth = points_text(sure, with_open - sure)
    content = say("WORDS_WORTH", words=word_marks(entry), points=worth) if entry.words else worth
    zero = ((say("LABEL_ZERO"), box_text(entry.zero)),) if entry.zero else ()
    return ((say("LABEL_BOX"), box_text(entry.box)), (say("LABEL_WORDS"), content), *zero)


# Boxes


def _boxes(state: State, player: Player, sent: Scoring) -> tuple[str, str, tuple[Text, ...]]:
    """Find the box, the one that takes a zero, and what is wrong with them."""
    if sent.box not in SPECIAL:
        box, problems = _numbered(state, player, sent.box, sent.number)
        return box, "", problems
    zero, problems = _zero(state, player, sent.zero)
    return sent.box, zero, (*_special_problems(player, sent.box), *problems)


def _numbered(state: State, player: Player, box: str, number: str) -> tuple[str, tuple[Text, ...]]:
    if not state.any_order:
        length = LENGTHS.get(state.box, state.round)
        is_other = box not in ("", state.box) or number not in ("", str(state.round), str(length))
        wrong = (say("ROUND_BOX", round=state.round, box=box_text(state.box), sent=box or shown(number)),)
        return state.box, wrong if is_other else ()
    if number:
        return "", (say("BOX_NUMBER", sent=shown(number), boxes=boxes_text(player.open)),)
    if not box and len(player.open) == 1:
        return player.open[0], ()
    if not box:
        return "", (say("BOX_MISSING", boxes=boxes_text(player.open)),)
    filled = (say("BOX_FILLED", box=box_text(box), boxes=boxes_text(player.open)),)
    return box, () if box in player.open else filled


def _zero(state: State, player: Player, zero: str) -> tuple[str, tuple[Text, ...]]:
    """Find the numbered box that takes the zero of a special one: that of the round, or the one that is named."""
    if not state.any_order:
        wrong = (say("ROUND_ZERO", round=state.round, box=box_text(state.box), sent=zero),)
        return state.box, wrong if zero not in ("", state.box) else ()
    if not zero and len(player.open) == 1:
        return player.open[0], ()
    if not zero:
        return "", (say("ZERO_MISSING", boxes=boxes_text(player.open), first=player.open[0]),)
    if zero not in NUMBERED:
        return "", (say("NO_BOX", sent=zero),)
    filled = (say("BOX_FILLED", box=box_text(zero), boxes=boxes_text(player.open)),)
    return zero, () if zero in player.open else filled


def _special_problems(player: Player, box: str) -> tuple[Text, ...]:
    if box != YAHTZEE and player.has(box):
        return (say("SPECIAL_FILLED", box=box_name(box)),)
    if box in BEFORE_THIRD and len(player.rolls) >= ROLLS:
        return (say("TOO_LATE", box=box_name(box)),)
    return ()


# Words


def _read_words(state: State, player: Player, box: str, sent: Scoring, words: Words) -> _Words:
    if box in LETTERS_OF:
        wrong = misfits(box, player.dice)
        extra = (say("NO_WORDS", box=box_name(box)),) if sent.words else ()
        alike = (say("NOT_ALIKE", box=box_name(box), faces=spaced(wrong), dice=spaced(player.dice)),) if wrong else ()
        return _Words(problems=(*extra, *alike))
    if not sent.words:
        return _Words(problems=(say("WORDS_MISSING", needed=_needed(box)),))
    pairs = [tiles_of(word) for word in sent.words]
    strange = tuple(
        say("NO_LETTER", word=shown(word), sign=shown(rest) or "?")
        for word, (_, rest) in zip(sent.words, pairs, strict=True)
        if rest
    )
    if strange:
        return _Words(problems=strange)
    return _laid_words(state, player, box, [tiles for tiles, _ in pairs], words)


def _laid_words(state: State, player: Player, box: str, sent: Sequence[Tiles], words: Words) -> _Words:
    ways = layings(sent, player.dice)
    tried = [(way, tuple(judged(text, state, words) for text in way.texts)) for way in ways]
    way, found = min(tried, key=lambda pair: sum(word.reason == MISSPELT for word in pair[1]))
    used = (say("DIAMOND_USED", letters=" ".join(way.stands_in)),) if way.stands_in else ()
    return _Words(
        words=found,
        remarks=used,
        problems=(*_dice_problems(player, way), *_shape_problems(box, way, found), *_refused(found)),
    )


def _dice_problems(player: Player, way: Laying) -> tuple[Text, ...]:
    problems: list[Text] = []
    for face, number in Counter(way.lacking).items():
        needed = number + player.dice.count(face)
        if face == JOKER:
            problems.append(say("DIAMONDS", sent=needed, lying=player.dice.count(JOKER), dice=spaced(player.dice)))
        elif needed == number:
            problems.append(say("NOT_LYING", face=face, dice=spaced(player.dice)))
        else:
            problems.append(say("TOO_OFTEN", face=face, lying=needed - number, sent=needed, dice=spaced(player.dice)))
    return tuple(problems)


def _shape_problems(box: str, way: Laying, found: Sequence[Word]) -> tuple[Text, ...]:
    lengths = [len(tiles) for tiles in way.words]
    problems: list[Text] = []
    if box and not fits(box, lengths):
        problems += _length_problems(box, found, lengths)
    spelt = Counter(spelling(word.laid) for word in found)
    problems += [say("TWICE", word=word) for word, times in spelt.items() if times > 1]
    return tuple(problems)


def _length_problems(box: str, found: Sequence[Word], lengths: Sequence[int]) -> list[Text]:
    number = COUNTS.get(box, len(found) if box == CHANCE else 1)
    if len(found) != number:
        return [say("WORD_COUNT", box=box_name(box), needed=_needed(box), sent=len(found))]
    wanted = {**LENGTHS, YAHTZEE: DICE}.get(box)
    return [
        say("WORD_LENGTH", word=word.laid, letters=letter_text(length), needed=_needed(box), box=box_name(box))
        if wanted
        else say("WORD_SHORT", word=word.laid)
        for word, length in zip(found, lengths, strict=True)
        if (length != wanted if wanted else length < SHORTEST)
    ]


def _needed(box: str) -> Text:
    return say(f"NEEDED_{box.upper()}") if box else say("NEEDED_ANY")


def _refused(found: Sequence[Word]) -> tuple[Text, ...]:
    return tuple(
        say("WORD_REFUSED", word=spelling(word.laid), reason=why(word)) for word in found if word.status == "refused"
    )


# What else to say


def _remarks(player: Player, sent: Scoring, entry: Entry) -> tuple[Text, ...]:
    remarks: list[Text] = []
    if sent.zero and not entry.zero:
        remarks.append(say("ZERO_NEEDLESS", box=box_text(entry.box)))
    if entry.box not in SPECIAL and len(entry.words) == 1 and len(spelling(entry.words[0].laid)) == DICE:
        remarks.append(say("COULD_BE_YAHTZEE", word=entry.words[0].laid, points=_yahtzee_worth(player, entry)))
    ours = {points((*player.card, entry), len(player.card), also_open=also_open) for also_open in (False, True)}
    if sent.claimed is not None and sent.claimed not in ours:
        remarks.append(say("POINTS_OTHER", sent=sent.claimed, points=max(ours)))
    return tuple(remarks)


def _yahtzee_worth(player: Player, entry: Entry) -> int:
    as_yahtzee = replace(entry, box=YAHTZEE, zero=entry.box)
    return points((*player.card, as_yahtzee), len(player.card), also_open=True)


def _offer(state: State, player: Player, box: str, sent: Scoring, read: _Words) -> tuple[str, ...]:
    """Offer the Yahtzee box for a good word of seven letters; the box that was sent takes the zero."""
    word = read.words[0] if len(read.words) == 1 else None
    if not word or box == YAHTZEE or word.status == "refused" or len(spelling(word.laid)) != DICE:
        return ()
    zero, problems = _zero(state, player, sent.zero or sent.box)
    is_laid = any(not way.lacking for way in layings([tiles_of(word.laid)[0]], player.dice))
    behind = f" / {zero}" if state.any_order else ""
    return (f"werte yahtzee {word.laid}{behind}",) if is_laid and not problems else ()


_WRITTEN = {"keep": "behalte", "score": "werte", "strike": "streiche"}


def read_sign_up(block: MoveBlock) -> Sheet[SignUp]:
    """Take a sign-up: there is nothing to bring."""
    lines = tuple(shown(line) for line in block.lines if shown(line))
    return Sheet(move=SignUp(), remarks=tuple(say("UNREAD", line=line) for line in lines[:5]))


def read_move(state: State, seat: Seat, block: MoveBlock, words: Words) -> Sheet[Move]:
    """Understand a block of a seat."""
    player = state.player(seat)
    if state.over or player is None:
        return Sheet(problems=(say("NOTHING_DUE"),))
    parts = sort_lines(block)
    if not parts.orders:
        return _nothing(parts)
    late = (*other_round(parts.rounds, state.round), *_roll_problems(player, parts))
    if len(parts.orders) > 1:
        several = say("SEVERAL", lines=" / ".join(_line(order) for order in parts.orders))
        return Sheet(problems=(*late, several))
    sheet = _read(state, player, parts.orders[0], words)
    if late:
        return _too_late(player, parts.orders[0], sheet, late)
    if sheet.problems:
        offer = (roll_line(player), *sheet.offer) if sheet.offer else ()
        return replace(sheet, offer=offer)
    unread = tuple(say("UNREAD", line=shown(line)) for line in parts.unread if shown(line))
    return replace(sheet, remarks=(*sheet.remarks, *unread))


def _line(order: Order) -> str:
    return f"{_WRITTEN[order.kind]} {shown(order.text)}".strip()


def _read(state: State, player: Player, order: Order, words: Words) -> Sheet[Move]:
    match order.kind:
        case "keep":
            return read_keep(player, order.text)
        case "score":
            return read_score(state, player, order.text, words)
        case "strike":
            return read_strike(state, player, order.text)


def _nothing(parts: Parts) -> Sheet[Move]:
    """Nothing was entered, or nothing that we can read."""
    unread = tuple(say("NOT_UNDERSTOOD", line=shown(line)) for line in parts.unread if shown(line))
    return Sheet(problems=unread)


def _too_late(player: Player, order: Order, sheet: Sheet[Move], late: tuple[Text, ...]) -> Sheet[Move]:
    """Refuse a block for other dice, and offer it again where it would do for these as well."""
    again = (roll_line(player), _line(order)) if sheet.move else ()
    return Sheet(problems=(*late, *sheet.problems), offer=again)


def _roll_problems(player: Player, parts: Parts) -> tuple[Text, ...]:
    """Refuse a block that names another roll or other dice."""
    problems: list[Text] = []
    for number, dice in parts.rolls:
        if number and number != str(len(player.rolls)):
            problems.append(say("ROLL_OTHER", sent=number, roll=len(player.rolls), dice=spaced(player.dice)))
        elif (faces := _faces(dice)) and sorted(faces) != sorted(player.dice):
            problems.append(say("DICE_OTHER", sent=shown(dice), roll=len(player.rolls), dice=spaced(player.dice)))
    return tuple(problems)


def _faces(dice: str) -> str:
    return "".join(sign for sign in faces_in(dice) if sign.isalpha() or sign == JOKER)
