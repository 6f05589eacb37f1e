"""Lines that are nearly commands: `Anmeldnug Crossword Eriwan`, `Sprache fr`. They are answered, never carried out.

A line counts as a mistake only where hardly anything else can be meant. A wrong guess would answer prose with a lesson.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cache
from itertools import groupby, islice
from typing import Final

from parsers.commands import LongText, NotUnderstood
from parsers.lines.arguments import FILLERS, vacation
from parsers.lines.command_lines import ReadCommand, read_command, read_examples
from parsers.lines.command_table import CommandTable, Row
from parsers.lines.dates import propose_days
from parsers.lines.names import Named, Names, fold
from parsers.lines.sign_ups import LONGEST, unread
from parsers.prose.courtesies import FAREWELL, GREETING
from parsers.slips import distance, most_slips

MOST_LINES: Final = 300
"""Of a longer text only the beginning is looked at."""
MAX_MISTAKE: Final = 60
MOST_WORDS: Final = 5
MOST_WORDS_IN_LETTERS: Final = 4
"""Of a line with a wrong argument that holds neither a digit nor an @."""
FEWEST_LETTERS: Final = 4
"""Shorter words are near to everything."""

PROSE_MARK = re.compile(r"[,;?()]")
WORDS_BEHIND = re.compile(r"[,;!(]|\s[-–—]\s")
DIGIT_OR_AT = re.compile(r"[0-9@]")
IN_ARGUMENTS: Final = frozenset(["ein", "for", "from", "kurz", "on", "to", "until", "vom", "von"])
"""Words of running text that may stand in an argument as well."""
ORDINARY: Final = frozenset(
    """
    abbildung abgeltung abmessung absendung abwendung anmerkung anwendung beachten bedachten betrachten bewachten
    expansion extensions extensive fertige fertigt fertil fettig game gamed gamer gams gates gomes helfe helft helps
    hilde hilf hilfen hilft hilke joins joint joni preis preise pressen presser presses presst preuss protokolle
    protokollen protokolls read reads reign resin resigns sand spiel spielen spieler spieles spiels spielt spielte
    spille spuele stad stande standl stands stank stanz states statue statues statur statut staus stiele strand
    veraenderung verengerung verlagerung wach wagen wagten wahrten waist waits walten waren warfen warmen warnen
    warnten warte wartend wartet warzen wasch waten watten werten wirten withdrawn withdraws withdrew worten wurden
    """.split()  # noqa: SIM905  a list of words reads best as a text
)
"""Words and names (small, without umlauts) that lie near a command's word; a move may be one: SAND, HILF."""
UMLAUTS: Final = {ord("ä"): "ae", ord("ö"): "oe", ord("ü"): "ue", ord("ß"): "ss"}


def plain(text: str) -> str:
    """Write in small letters without umlauts."""
    text = text.lower()
    return text if text.isascii() else text.translate(UMLAUTS)


@dataclass(frozen=True, kw_only=True)
class Known:
    """A command's word, small and without umlauts, with what saves the counting of slips."""

    word: str
    letters: frozenset[str]
    most: int
    row: Row


@cache
def _known(commands: CommandTable) -> Mapping[tuple[int, str], Sequence[Known]]:
    """Sort the commands' words by how many they are and their first letter."""
    found: dict[tuple[int, str], list[Known]] = {}
    for row in (row for row in commands.rows if not row.is_exact):
        word = plain(row.shown)
        known = Known(word=word, letters=frozenset(word), most=most_slips(word), row=row)
        found.setdefault((len(word.split()), word[0]), []).append(known)
    return found


def find_mistakes(
    lines: Sequence[str], free: Sequence[int], moves: Set[int], names: Names
) -> Mapping[int, ReadCommand]:
    """Find the free lines (by index) that are nearly commands, in paragraphs where they outnumber the prose.

    A line that certainly signs up for a game is found wherever it stands.
    """
    written = list(islice((at for at in free if lines[at]), MOST_LINES))
    above = {at: lines[at - 1] if at else "" for at in written}
    sure = {at: said for at in written if (said := unread(lines[at], above[at], names))}
    read = ((at, sure.get(at) or read_mistake(lines[at], names)) for at in written)
    mistakes = {at: said for at, said in read if said}
    if not mistakes:
        return {}
    texts = set(written) - mistakes.keys()
    wanted = (
        at for part in _paragraphs(lines) if moves.isdisjoint(part)
        and len(mistakes.keys() & set(part)) > len(texts & set(part)) for at in part
    )  # fmt: skip
    return {at: mistakes[at] for at in sorted(sure.keys() | set(wanted)) if at in mistakes}


def _paragraphs(lines: Sequence[str]) -> Iterator[list[int]]:
    """Yield the paragraphs without the greeting above, and what stands below a farewell."""
    is_signature = False
    for is_text, together in groupby(range(len(lines)), key=lambda at: bool(lines[at])):
        paragraph = list(together) if is_text else []
        if paragraph and is_signature:
            is_signature = False
        elif paragraph:
            start = 1 if GREETING.fullmatch(lines[paragraph[0]]) else 0
            farewell = next((n for n, at in enumerate(paragraph) if FAREWELL.match(lines[at])), None)
            is_signature = farewell == len(paragraph) - 1
            yield paragraph[start:farewell]


def read_mistake(line: str, names: Names) -> ReadCommand | None:
    """Read a clean line that stands alone and is no command as the one it was to be; None where it is prose."""
    if said := _nearly(line, names):
        return said
    head = WORDS_BEHIND.split(line, maxsplit=1)[0] if len(line) <= LONGEST else line
    meant = _nearly(head, names) if head != line else None
    if meant and isinstance(meant.command, NotUnderstood) and meant.command.is_sign_up:
        return replace(meant, command=replace(meant.command, line=line))
    return None


def misspelt_join(line: str, names: Names, wish: str = "") -> ReadCommand | None:
    """Read a clean line that is nearly a sign-up, with the wish that stands below it."""
    said = read_mistake(line, names)
    if not said or not isinstance(said.command, NotUnderstood) or not said.command.is_sign_up:
        return None
    return replace(said, command=replace(said.command, meant=f"{said.command.meant} {wish}".rstrip()))


def misspelt_title(line: str, names: Names) -> Named | None:
    """Read a title with slips; None where the line is something else as well."""
    named = names.read_misspelt_title_line(line)
    is_other = named and (GREETING.fullmatch(line) or FAREWELL.match(line) or read_command(line, names))
    return None if is_other or (named and read_mistake(line, names)) else named


def _nearly(line: str, names: Names) -> ReadCommand | None:
    bare = line.rstrip(".!: ")
    words = bare.split() if 0 < len(bare) <= MAX_MISTAKE and bare[-1] not in ",?" else []
    if not words or len(words) > MOST_WORDS:
        return None
    rows = [*read_examples(bare, names), *_near_rows(words, names.commands)]
    if not rows or PROSE_MARK.search(bare):
        return None
    fillers = FILLERS.intersection(word.lower().strip(":.") for word in words[1:])
    meant = None if fillers - IN_ARGUMENTS else next(_commands_meant(bare, rows, names), None)
    # Prose hardly has a digit.
    has_digit = DIGIT_OR_AT.search(bare) is not None
    return meant or (
        _example(bare, names) if has_digit or (len(words) <= MOST_WORDS_IN_LETTERS and not fillers) else None
    )


def _commands_meant(bare: str, rows: Iterable[tuple[Row, str]], names: Names) -> Iterator[ReadCommand]:
    for row, rest in rows:
        for argument in (rest, *_with_title(rest, names)):
            meant = f"{row.shown} {argument}".strip()
            said = read_command(meant, names)
            is_empty = isinstance(said.command, LongText) and not said.command.game if said else True
            if said and not is_empty and not isinstance(said.command, NotUnderstood) and fold(meant) != fold(bare):
                wrong = NotUnderstood(line=bare, meant=meant, is_sign_up=row.is_sign_up)
                yield ReadCommand(command=wrong, language=said.language)


def _near_rows(words: Sequence[str], commands: CommandTable) -> Iterator[tuple[Row, str]]:
    """Yield the rows whose word is nearest to the first two words, or the first."""
    for size in (2, 1):
        if len(words) < size or (size == 2 and (size, words[0][0].lower()) not in _known(commands)):
            continue
        if row := _nearest(plain(" ".join(words[:size])).rstrip(":"), _known(commands), size):
            yield row, " ".join(words[size:])


def _nearest(wrong: str, all_known: Mapping[tuple[int, str], Sequence[Known]], size: int) -> Row | None:
    """Return the row whose word has the fewest slips. The first letter is hardly ever one, but may be swapped."""
    if len(wrong) < FEWEST_LETTERS or wrong in ORDINARY:
        return None
    known = all_known.get((size, wrong[0]), ())
    swapped = [known for known in all_known.get((size, wrong[1]), ()) if size == 1 and known.word[1] == wrong[0]]
    letters = set(wrong)
    near = [
        (distance(wrong, known.word), known)
        for known in (*known, *swapped)
        if abs(len(wrong) - len(known.word)) <= known.most and len(letters ^ known.letters) <= 2 * known.most
    ]
    steps, nearest = min(near, key=lambda found: found[0], default=(0, None))
    if nearest is None or not 0 < steps <= nearest.most or _is_other(wrong, nearest.word):
        return None
    return nearest.row


def _is_other(wrong: str, word: str) -> bool:
    """`Held` and `John` are other words: of four letters none is replaced."""
    return len(wrong) == len(word) == FEWEST_LETTERS and sorted(wrong) != sorted(word)


def _with_title(rest: str, names: Names) -> Iterable[str]:
    """Mend a misspelt title at the begin of `Crosword Eriwan`; behind it stands at most a name."""
    words = rest.split()
    for size in (len(words), len(words) - 1):
        wrong = fold(" ".join(words[:size]))
        near = [title for folded, title in names.written.items() if _is_near_title(wrong, folded)]
        if near:
            yield " ".join((near[0], *words[size:]))


def _is_near_title(wrong: str, folded: str) -> bool:
    most = most_slips(folded)
    return (
        len(wrong) >= FEWEST_LETTERS and abs(len(wrong) - len(folded)) <= most and 0 < distance(wrong, folded) <= most
    )


def _example(bare: str, names: Names) -> ReadCommand | None:
    """Show how it goes where only the argument is wrong."""
    row = next((row for row, rest in read_examples(bare, names) if row.argument and rest), None)
    if not row:
        return None
    # Whoever names days sees them again.
    meant = f"{row.shown} {propose_days(bare, row.argument)}" if row.make is vacation else row.example(names)
    wrong = NotUnderstood(line=bare, meant=meant, is_sign_up=row.is_sign_up)
    return ReadCommand(command=wrong, language=row.language)
