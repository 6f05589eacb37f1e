"""Small words around a command line or a move: smileys, politeness, `ich` before a verb, how the sender signs.

Nothing here decides that a line is a command or a move. It offers the line without such words; whoever reads it takes
that only where the line can't be read as it stands and all of the rest can.

Sources: issue 47 (first mails and small words).
"""

import re
from collections.abc import Iterator, Set
from dataclasses import dataclass
from itertools import permutations
from typing import Final

from games.api import MoveBlock
from parsers.commands import Advance, Appeal, Help, LongText, NotUnderstood
from parsers.lines.command_lines import ReadCommand, read_command
from parsers.lines.names import Names
from parsers.prose.courtesies import above_farewell, is_farewell

LONGEST: Final = 160
"""Characters of a line; longer ones are prose."""
MOST_LINES: Final = 60
MOST_WORDS: Final = 4
"""Of a phrase, and of a name."""
MOST_TAKEN: Final = 8
LONGEST_SHORT: Final = 3
"""`LG` and `MFG` are written in capitals. A longer word in capitals may be one of a move: `vorn B BITTE`."""

PICTURES: Final = re.compile(
    "[\u2600-\u2604\u2615-\u2618\u2639-\u263b\u2640\u2642\u2665\u26c4\u26c5\u2705\u2709\u270a\u270c\u270d\u2714\u2728"
    "\u2763\u2764\U0001f300-\U0001f320\U0001f337-\U0001f39f\U0001f3b2-\U0001f3c9\U0001f3fb-\U0001f44d"
    "\U0001f44f-\U0001f463\U0001f466-\U0001f478\U0001f47b-\U0001f47f\U0001f493-\U0001f498\U0001f49d\U0001f4aa"
    "\U0001f4e7-\U0001f4e9\U0001f600-\U0001f644\U0001f646-\U0001f64f\U0001f910-\U0001f913\U0001f915-\U0001f936"
    "\U0001f938-\U0001f93a\U0001f942\U0001f970-\U0001f97a\U0001f980-\U0001f9af\U0001f9d0\U0001fae0-\U0001fae8"
    "\U0001faf0-\U0001faf8]"
)
"""Pictographs that only show a mood. What may be a colour, a direction, a die, a no or a doubt stays: 🟡 ➡ ♦ 👎 🤔."""
SMILEYS: Final = frozenset(
    """:-) :) ;-) ;) :-( :( :-D :D ;-D ;D :-P :P ;-P ;P :-* :* :-| :-/ :/ =) :o) :-)) :)) ^^ ^_^ <3 xD XD
    *g* *lach* 8-)""".split()  # noqa: SIM905  a list reads best as a text
)
EXCLAMATIONS: Final = frozenset(
    """
    aber achso alles also auch aua brav cool dank danke doch doof echt egal fair fein fertig fies gemein gern gerne gut
    gute guten gutes haha hart heute hihi huch hurra irre jaja jawohl juhu kein klar klasse knapp krass lahm leider lieb
    mies mist moin nein nett nicht nichts noch oder oeha oh ojeh oje okay oops prima puh schade schoen schon sicher
    sorry spitze stark stimmt super teil toll topp wenn wild witzig wow wunderbar yeah yess
    fine good great haha love luck nice nope nothing right same sure true very wait well what when
    """.split()  # noqa: SIM905
)
"""Words with which people answer. Such a word is no move beside a courtesy: `Toll, danke!`."""
POLITE: Final = frozenset(
    phrase.strip()
    for phrase in """
    bitte, bitte sehr, bitte schoen, bitteschoen, danke, danke dir, danke euch, danke ihnen, danke schoen, danke sehr,
    danke vielmals, danke im voraus, dankeschoen, vielen dank, vielen lieben dank, vielen dank im voraus, lieben dank,
    herzlichen dank, besten dank, schoenen dank, tausend dank, dank dir, dank euch, merci, thx, thanks, thanks a lot,
    thanks in advance, many thanks, thank you, thank you very much, please, pls, plz, cheers, ciao, tschuess, tschau,
    bye, servus, bis dann, bis bald, bis spaeter, lg, vg, mfg, bg, glg, hg, gruss, gruesse, liebe gruesse,
    viele gruesse, viele liebe gruesse, ganz liebe gruesse, beste gruesse, herzliche gruesse, schoene gruesse,
    freundliche gruesse, sonnige gruesse, lieben gruss, schoenen gruss, herzlichen gruss, besten gruss, netten gruss,
    mit freundlichen gruessen, mit besten gruessen, mit herzlichen gruessen, mit lieben gruessen,
    mit freundlichem gruss, mit bestem gruss, mit sportlichem gruss, mit sportlichen gruessen, hochachtungsvoll,
    regards, kind regards, best regards, best wishes, with kind regards, all the best, schoenen tag, schoenen tag noch,
    schoenen abend, schoenen abend noch, schoenen sonntag, schoenes wochenende, gute nacht, have a nice day, sorry,
    entschuldigung, leider
    """.split(",")  # noqa: SIM905
)
"""As `_fold` writes them."""
THANKS: Final = re.compile(r"dank|thank|bitte|please", re.IGNORECASE)
IN_THANKS: Final = re.compile(r"dank|thank", re.IGNORECASE)
IN_FRONT: Final = POLITE | {
    "hallo", "hallo zusammen", "hi", "hey", "hello", "moin", "moin moin", "guten morgen", "guten tag", "guten abend",
    "good morning", "good evening",
}  # fmt: skip
"""What may stand in front of the rest."""
MARKS: Final = " ,;!.…–—-&+/"
"""What may stand between small words. A question mark says something."""
END_MARK: Final = re.compile(r"\s*[,;!]+$|(?<=[^\W_])\s*[.…:–—-]$|(?<=[^\W_])\s+[,;!.…:–—&+/-]+$")
"""Behind a letter: more dots are blank cells."""
AND: Final = re.compile(r"(?:^|\s+)(?:und|and)$", re.IGNORECASE)
"""Between two courtesies."""
GOES_ON: Final = re.compile(
    r"\s*[,;!?(]|[.…](?=\s)|\s[–—-]+\s|\s+(?=(?:weil|denn|da|wenn|falls|because|since|as|if)\s)", re.IGNORECASE
)
ROW_END: Final = re.compile(r"[._–—-]{2}\s*$")
"""Blank cells."""
IN_BRACKETS: Final = re.compile(r"(?<=\S)\s+\(([^()]{2,40})\)$")
OPENING_MARKS: Final = re.compile(r"(?:\s*[,;!:–—]|\.(?=\s))*\s*")
GREETED: Final = re.compile(
    r"(?:hallo|hi|hey|hello|moin|servus|guten \w+|good \w+|liebe[rs]?|dear)(?: [\w.-]+){0,3}\s*[,!]+\s*", re.IGNORECASE
)
INTRODUCED: Final = re.compile(
    r"^(?:(?:und )?hier (?:ist |kommt )?)?(?:mein (?:zug|wort|rat|tipp)|meine zahl|my (?:move|word|guess|number))"
    r"(?:\s*:\s*|\s+(?:ist|lautet|is)\s*:?\s+)",
    re.IGNORECASE,
)
CHOSEN: Final = re.compile(
    r"^[Ii](?:ch)?\s+(?:rate|tippe(?: auf)?|nehme|wähle|waehle|guess|take|choose)\s*:?\s+(?=[A-ZÄÖÜ])"
)
WITHIN: Final = re.compile(r"(?<=\w) (?:bitte|please)(?= \w)")
VERB: Final = re.compile(r"^(?:[Ii]ch|[Ii])\s+(?=[a-zäöüß]{2})")
"""`ich kaufe`, `I buy`: not a row `ICH`, nor `I c h`."""
WISH: Final = re.compile(r"(?:neu|new|wunsch\w*|wish)\b", re.IGNORECASE)
"""Behind it stands a letter, and `:D` is one."""
UMLAUTS: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", ".": " "})
NAME_PART: Final = re.compile(r"[^\W\d_]+")
MOST_PARTS: Final = 4


@dataclass(frozen=True, kw_only=True)
class Bare:
    """A block without its small words."""

    block: MoveBlock
    taken: tuple[str, ...] = ()
    """Courtesies and names that were taken off, as written: the game says whether they may be part of a move."""
    names: tuple[str, ...] = ()
    """Those of them that are names."""


def signatures(*names: str) -> frozenset[str]:
    """Return how somebody may sign who bears these names: `anna berg`, `anna`, `a berg`, `anna b`, `ab`, `a`."""
    parts = (NAME_PART.findall(_fold(name))[:MOST_PARTS] for name in names)
    return frozenset(sign for one in parts if one for sign in _signs_of(one))


def _signs_of(parts: list[str]) -> Iterator[str]:
    yield from (" ".join(parts), "".join(part[:1] for part in parts), " ".join(part[:1] for part in parts))
    for part in parts:
        yield from (part, part[:1])
    for first, last in permutations(parts, 2):
        yield from (f"{first} {last}", f"{first[:1]} {last}", f"{first} {last[:1]}", f"{first[:1]}{last[:1]}")


def _fold(text: str) -> str:
    return " ".join(text.lower().translate(UMLAUTS).split())


# -- commands ----------------------------------------------------------------------------------------------------------


def read_line(line: str, names: Names, signs: Set[str] = frozenset()) -> ReadCommand | None:
    """Read a clean line as a command, as it stands or without small words around it; None where it is none.

    `signs` are how the sender may sign (`signatures`).
    """
    said = read_command(line, names)
    if _is_whole(said) or len(line) > LONGEST or not _may_begin(line, names):
        return said
    bare = (read_command(form, names) for form in _ever_barer(line, signs))
    return next((one for one in bare if one and _is_whole(one) and not _is_word_of_text(one, line)), said)


def command_in_front(line: str, names: Names) -> str:
    """Return the command, with its argument, that a line begins with before it goes on as prose; else "".

    `Urlaub streichen bitte, wir bleiben doch hier` holds `Urlaub streichen`. Whether that is wished, nobody knows.
    """
    head = GOES_ON.split(line, maxsplit=1)[0] if len(line) <= LONGEST else ""
    said = read_line(head, names) if head != line else None
    return said.line if said and _is_whole(said) and " " in said.line else ""


def _is_whole(said: ReadCommand | None) -> bool:
    """Return whether a line was read without a courtesy in place of a game's name: `Stand bitte`."""
    if said is None or isinstance(said.command, NotUnderstood):
        return False
    name = said.command.topic if isinstance(said.command, Help) else getattr(said.command, "game", "")
    return not (_fold(name) in POLITE and THANKS.search(name))


def _is_word_of_text(said: ReadCommand, line: str) -> bool:
    """`Vorab danke!` and `Presse bitte` are prose, and of `Presse Eriwan bitte: Danke!` no word is lost."""
    has_text = isinstance(said.command, Advance | Appeal | LongText)
    return has_text and (":" in line or not getattr(said.command, "game", ""))


def _may_begin(line: str, names: Names) -> bool:
    """Rule most lines out at once: no command's word is in front, nor behind a small one."""
    first = line.split(maxsplit=1)[0] if line else ""
    is_small = (
        _fold(first.strip(f"{MARKS}:")) in IN_FRONT or first in SMILEYS or PICTURES.match(line) or GREETED.match(line)
    )
    if names.commands.with_beginning(line):
        return True
    return bool(is_small) and any(map(names.commands.with_beginning, NAME_PART.findall(line)))


def _ever_barer(line: str, signs: Set[str]) -> Iterator[str]:
    """Yield the line with ever fewer small words, from the end, then from the begin, then from within."""
    for _ in range(MOST_TAKEN):
        bare, _ = _without_last(_without_pictures(line), signs, is_move=False)
        if bare == line:
            break
        yield (line := bare)
    for _ in range(MOST_TAKEN):
        bare, _ = _without_first(_without_pictures(line))
        if bare == line:
            break
        yield (line := bare)
    words = line.split()
    kept = [word for word in words if _fold(word.strip(",;!")) not in POLITE]
    if len(kept) < len(words):
        yield " ".join(kept)


# -- moves -------------------------------------------------------------------------------------------------------------


def without_small_words(block: MoveBlock, signs: Set[str], *, is_grid: bool) -> Iterator[Bare]:
    """Yield a block without small words, first with the sender's name in it, then without; nothing where it has none.

    In a game with a grid a line of its own may be a row, and none is left out.
    """
    if len(block.lines) > MOST_LINES or any(len(line) > LONGEST for line in block.lines):
        return
    if not _without(block, signs, is_grid=is_grid).block.lines:
        return
    seen = {_without_marks(block.lines)}
    for names in (frozenset[str](), frozenset[str]() if is_grid else signs):
        bare = _without(block, names, is_grid=is_grid)
        lines = bare.block.lines
        is_news = lines and _without_marks(lines) not in seen
        if is_news and not _may_be_said(lines) and not any(map(_may_be_word, bare.taken)):
            seen.add(_without_marks(lines))
            yield bare


def _without(block: MoveBlock, names: Set[str], *, is_grid: bool) -> Bare:
    kept: list[str] = []
    taken: list[str] = []
    signed: list[str] = []
    for line in reversed(block.lines if is_grid else above_farewell(block.lines)):
        bare, small, own = _bare_line(line, frozenset() if kept else names)
        if not (small or own) and is_farewell(line):
            bare, small = "", [line]
        if bare or is_grid:
            kept.insert(0, bare or line)
        if bare or not is_grid:
            taken += small
            signed += own
    return Bare(block=MoveBlock(lines=tuple(kept)), taken=(*taken, *signed), names=tuple(signed))


def _bare_line(line: str, names: Set[str]) -> tuple[str, list[str], list[str]]:
    """Return a line without small words, the courtesies, and the names that may be words, as they were taken off."""
    taken: list[str] = []
    signed: list[str] = []
    for _ in range(MOST_TAKEN):
        rest = line
        for small in (INTRODUCED, CHOSEN, VERB, WITHIN):
            rest = small.sub("", rest, count=1)
        rest, first = _without_first(_without_pictures(rest))
        rest, last = _without_last(rest, names)
        taken += [word for word in (first, last) if _fold(word) in IN_FRONT]
        is_own = _fold(last) in names and _fold(last) not in POLITE
        signed += [last] if is_own and not _is_behind_courtesy(rest) else []
        if rest == line:
            break
        line = rest
    return line, taken, signed


def _without_marks(lines: tuple[str, ...]) -> str:
    """Punctuation alone is no small word."""
    return "\n".join(line.strip(MARKS) for line in lines).rstrip()


def _may_be_said(lines: tuple[str, ...]) -> bool:
    """Return whether the word that is left is rather said than played: `Toll, danke!`."""
    return len(lines) == 1 and _fold(lines[0].strip(MARKS)) in EXCLAMATIONS


def _may_be_word(taken: str) -> bool:
    """Return whether a courtesy or name is written as words of a move are."""
    return taken.isupper() and len(taken) > LONGEST_SHORT and _fold(taken) in POLITE


# -- one word off ------------------------------------------------------------------------------------------------------


def _without_pictures(line: str) -> str:
    """Take pictographs and smileys off both ends of a line."""
    while True:
        bare = line.strip()
        if bare and PICTURES.fullmatch(bare[-1]):
            bare = bare[:-1].rstrip()
        elif bare and PICTURES.fullmatch(bare[0]):
            bare = bare[1:].lstrip()
        elif (last := bare.rpartition(" "))[2] in SMILEYS and not WISH.match(bare):
            bare = last[0].rstrip()
        elif (first := bare.partition(" "))[0] in SMILEYS:
            bare = first[2].lstrip()
        if bare == line:
            return line
        line = bare


def _without_last(line: str, names: Set[str], *, is_move: bool = True) -> tuple[str, str]:
    """Take a courtesy or a name off the end, with the mark before it; else a mark. Also returns what was taken."""
    bare = line.rstrip(MARKS)
    if (within := IN_BRACKETS.search(bare)) and _fold(within[1]) in (POLITE | names):
        return bare[: within.start()], within[1]
    for start in () if ROW_END.search(line) else _starts(bare):
        phrase = bare[start:]
        folded = _fold(phrase)
        is_name = folded in names and (_is_signed(bare, start) if is_move else len(folded) > 1)
        if folded in POLITE or is_name or _thanks_somebody(bare, start):
            return END_MARK.sub("", AND.sub("", bare[:start].rstrip())).rstrip(), phrase
    return END_MARK.sub("", line), ""


def _thanks_somebody(line: str, start: int) -> bool:
    """Return whether thanks behind a mark name whom they are for: `..., danke Cici`. `..., bitte Riga` names a game."""
    head, _, name = line[start:].rpartition(" ")
    is_name = name.isalpha() and name.istitle() and line[:start].rstrip()[-1:] in (*",.!;", "–", "-")
    return is_name and _fold(head) in POLITE and IN_THANKS.search(head) is not None


def _is_signed(line: str, start: int) -> bool:
    """Return whether a name at `start` is rather how somebody signs than a word of the move.

    A letter stands on a line of its own or behind a courtesy; a name also behind a mark, or where it alone is written
    with a capital, or the rest is one word in capitals. `vorn L Spiel` is a move, whoever Herr Spiel may be.
    """
    above = line[:start].split()
    if not above or _is_behind_courtesy(line[:start]):
        return True
    if len(line[start:]) == 1 or above[-1][-1] in MARKS:
        return len(line[start:]) > 1
    is_title = line[start:][:1].isupper() and not line[start:].isupper()
    is_plain = all(word.islower() and len(word) > 1 for word in above)
    return is_title and (is_plain or (len(above) == 1 and above[0].isupper()))


def _is_behind_courtesy(above: str) -> bool:
    """Return whether a line ends with a courtesy: a name behind it is no word of the move."""
    return _fold((above.split() or [""])[-1].strip(MARKS)) in POLITE


def _starts(line: str) -> list[int]:
    """Return where the last words of a line begin."""
    starts = [found.start() for found in re.finditer(r"(?<!\S)\S", line)]
    return starts[-MOST_WORDS:]


def _without_first(line: str) -> tuple[str, str]:
    """Take a greeting or a courtesy off the begin, with the mark behind it. Also returns what was taken."""
    if greeted := GREETED.match(line):
        return line[greeted.end() :], ""
    ends = [found.end() for found in re.finditer(r"\S+", line)][:MOST_WORDS]
    for end in reversed(ends):
        phrase = line[:end].rstrip(",;!:.–—")
        if not ROW_END.search(line[:end]) and _fold(phrase) in IN_FRONT:
            mark = OPENING_MARKS.match(line, len(phrase))
            return line[mark.end() if mark else end :], phrase
    return line, ""
