"""How dice, boxes, words and points are shown."""

from collections.abc import Mapping, Sequence

from games.api import Cell, Grid, Text, say
from games.words import REASONS
from games.wort_yahtzee.laying import MISSPELT
from games.wort_yahtzee.state import DICE, SPECIAL, Entry, Player, Word


def plain(text: str) -> Text:
    """Show something that reads the same in every language."""
    return say("PLAIN", text=text)


def spaced(dice: str) -> str:
    """Write dice apart: `A E R T K * O`."""
    return " ".join(dice)


def dice_text(dice: str) -> Text:
    """Write dice, or that there are none."""
    return plain(spaced(dice)) if dice else say("NONE")


def roll_line(player: Player) -> str:
    """Write the line that protects a block from being carried out for another roll."""
    return f"Wurf {len(player.rolls)}: {spaced(player.dice)}"


def dice_grid(player: Player) -> Grid:
    """Draw the rolls of this round, a row each; what was rolled last is new."""
    last = len(player.rolls) - 1
    return Grid(
        columns=tuple(str(number + 1) for number in range(DICE)),
        rows=tuple(str(number + 1) for number in range(len(player.rolls))),
        cells=tuple(
            tuple(Cell(text=face, new=row == last and at not in player.kept) for at, face in enumerate(dice))
            for row, dice in enumerate(player.rolls)
        ),
    )


def values_text(dice: str, values: Mapping[str, int]) -> str:
    """Say what the dice are worth: `A 1, E 1, *  0`."""
    return ", ".join(f"{face} {values[face]}" for face in dict.fromkeys(dice))


def box_name(box: str) -> Text:
    """Name a box shortly: `R4`, `Chance`."""
    return say(f"BOX_{box.upper()}") if box in SPECIAL else plain(box)


def box_text(box: str) -> Text:
    """Name a box with what belongs into it: `R4 (ein Wort mit 5 Buchstaben)`."""
    return say("BOX_FOR", box=box_name(box), needed=say(f"NEEDED_{box.upper()}")) if box else say("NONE")


def boxes_text(boxes: Sequence[str]) -> str:
    """List numbered boxes."""
    return ", ".join(boxes)


def why(word: Word) -> Text:
    """Say why a word doesn't count."""
    known = word.reason in REASONS
    reason = say(MISSPELT, entry=word.entry) if word.reason == MISSPELT else say(word.reason if known else "REFUSED")
    return say("NOTED", reason=reason, note=word.note) if word.note else reason


def mark(word: Word) -> str:
    """Write a word as the tables do: `WORT?` doubtful, `-WORT-` struck out."""
    if word.status == "refused":
        return f"-{word.laid}-"
    return word.laid + ("?" if word.status == "doubtful" else "")


def word_marks(entry: Entry) -> str:
    """Write the words of an entry."""
    return "+".join(map(mark, entry.words))


def entry_text(entry: Entry) -> Text:
    """Say what was entered in a round."""
    if entry.nmr:
        return say("ENTRY_NMR", zero=entry.zero)
    if not entry.box:
        return say("ENTRY_STRUCK", zero=entry.zero)
    if not entry.zero:
        return say("ENTRY_WORDS", box=entry.box, words=word_marks(entry))
    return say("ENTRY_SPECIAL", box=box_name(entry.box), words=_behind(word_marks(entry)), zero=entry.zero)


def _behind(words: str) -> str:
    return f" {words}" if words else ""


def letter_text(number: int) -> Text:
    """Write how many letters a word has."""
    return say("LETTER") if number == 1 else say("LETTERS", number=number)


def counted(points: int) -> Text:
    """Write `1 Punkt`, `90 Punkte`."""
    return say("POINT") if points == 1 else say("POINTS", points=points)


def points_text(sure: int, still_open: int) -> Text:
    """Write points: `28`, or `28, dazu 3 offen`."""
    return say("POINTS_OPEN", points=sure, open=still_open) if still_open else plain(str(sure))
