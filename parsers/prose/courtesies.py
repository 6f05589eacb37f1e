"""Greetings, farewells and courtesies; and what a mail says beside them, its moves and its commands."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, takewhile
from typing import Final

GREETING: Final = re.compile(
    r"(?:hallo|hi|hey|hello|moin|servus|guten (?:tag|morgen|abend)|liebe[rs]?|dear)\b.{0,40}", re.I
)
FAREWELL: Final = re.compile(
    r"(?:(?:viele|liebe|beste|schöne|herzliche|freundliche|mit \w+|best|kind|many)\s+)*"
    r"(?:gr(?:u|ü|ue)(?:ß|ss)e?n?|lg|vg|mfg|bg|tsch(?:ü|ue)(?:ß|ss)|ciao|servus|danke|regards|wishes|cheers|thanks|bye)\b",
    re.IGNORECASE,
)
COURTESY: Final = re.compile(
    r"(?:ps[.:]?\s+|p\.\s?s\.:?\s+)?(?:"
    r"(?:(?:vielen|besten|herzlichen|schönen|lieben|many)\s+)*(?:dank|thanks|danke|merci|thank you)\b.{0,40}"
    r"|bis (?:bald|dann|später|morgen|nächste\w*|demnächst|zur nächsten)\b.{0,30}"
    r"|(?:ein(?:en)?\s+)?schöne[ns]?\s+(?:sonntag|samstag|abend|tag|woche|wochenende|feiertage?|urlaub|ferien|gruß)\b.{0,30}"
    r"|schöne grüße\b.{0,60}"
    r"|viel (?:spaß|glück|erfolg|vergnügen)\b.{0,30}|alles gute\b.{0,30}|frohes?\s\w+.{0,30}|guten rutsch\b.{0,30}"
    r"|(?:und )?(?:hier|anbei|unten|es folgt|nun|jetzt|das ist)\b.{0,40}\b(?:zug|züge|wörter|worte|wortliste|runde)\b"
    r".{0,30}"
    r"|(?:und )?mein(?:e|en)?\s+(?:zug|züge|wörter|worte|wortliste|wunsch|tipp)\b.{0,30}"
    r"|(?:here|below|enclosed|attached)\b.{0,40}\b(?:moves?|words|round)\b.{0,30}|my (?:moves?|words|grid)\b.{0,30}"
    r"|have a (?:nice|good|great)\b.{0,30}|good luck\b.{0,20}|see you\b.{0,20}|take care\b.{0,20}|all the best\b.{0,20}"
    r"|fertig|ready|ok(?:ay)?|so|na dann|los geht'?s|gute nacht|prost|viel freude"
    r")[.!,;:)\s☺🙂😀👋-]*",
    re.IGNORECASE,
)
CONTACT: Final = re.compile(
    r"(?:tel|telefon|fon|mobil|mobile|handy|phone|fax|whatsapp|signal)\b[^\w\n]{0,4}[+(\d][\d\s()/.+-]{3,}"
    r"|[+(0][\d\s()/.+-]{6,}"
    r"|(?:e-?mail|mail|web|www|internet|homepage)?[.:\s]*(?:https?://|www\.)?[\w.+-]+(?:@[\w-]+)?(?:\.[\w-]+)+/?"
    r"|(?:(?:de?|at?|ch)-)?\d{4,5} [a-zäöüß][\w.() -]{2,30}"
    r"|(?:gesendet|verschickt|gesandt|sent) (?:von|mit|aus|from|with|using|via) .{2,40}",
    re.IGNORECASE,
)
"""A telephone number, an address in the net or a town below a name, or the line of a telephone."""
STREET: Final = re.compile(
    r"(?:(?!(?:platz|weg|hof|ring|markt) \d)(?:[\w.-]+ )*[\w.-]*(?:stra(?:ß|ss)e|str|weg|platz|gasse|allee|ring|ufer"
    r"|damm|hof|markt|street|road|lane|avenue)\.?|(?:am|an der|im|in der|zum|zur|auf dem) [\w-]+) \d{1,4}\s?[a-z]?",
    re.IGNORECASE,
)
NAME: Final = re.compile(r"[A-ZÄÖÜ][\w'.&-]*(?: [A-ZÄÖÜ&][\w'.&-]*){0,3}")
NO_NAME: Final = re.compile(
    r"\b(?:aber|nur|wenn|falls|erst|ab|bis|nicht|kein\w*|oder|doch|ohne|nach|vor|bitte|ja|nein|runde|zeile|feld|zug|partie"
    r"|but|only|if|until|not|or|without|after|before|please|yes|no|round|row|from)\b",
    re.IGNORECASE,
)
"""Words that say something, in whatever letters."""
LONGEST_SIGNED: Final = 80
MOST_SIGNED: Final = 4
"""A signature has so many lines at most."""
WORD: Final = re.compile(r"[^\W\d_]{3,}")
FEWEST_WORDS: Final = 2


def words_for_the_gm(paragraphs: Iterable[tuple[str, ...]], names: Iterable[str] = ()) -> str:
    """Return the sender's words without greetings, courtesies, introductions, and what follows a farewell.

    `paragraphs` are the sender's own lines that were no command. `names` are how the sender may sign: a paragraph that
    begins with one is a signature. Returns an empty text where nothing is left that says something.
    """
    known = {name.casefold() for name in names}
    kept = []
    said_lines = without_signature([line for lines in paragraphs for line in (*lines, "")], is_below=True)
    for lines in _divided(said_lines):
        if lines and lines[0].strip(" ,.!-–").casefold() in known:
            continue
        said = [
            line for line in takewhile(lambda line: not _says_farewell(line, known), lines) if _says_something(line)
        ]
        if len(WORD.findall(" ".join(said))) >= FEWEST_WORDS:
            kept.append("\n".join(said))
    return "\n\n".join(kept)


def _divided(lines: Sequence[str]) -> Iterator[list[str]]:
    """Divide lines into paragraphs at the empty ones."""
    for is_filled, group in groupby(lines, bool):
        if is_filled:
            yield list(group)


def without_signature(lines: Sequence[str], *, is_below: bool = False) -> Sequence[str]:
    """Leave out a signature without a mark above it: at the end up to four lines, a name and how to reach it.

    Each line has to look like a name, a street or a contact, and one like more than a name. The first line of all is
    no signature, unless the lines stood below others (`is_below`).
    """
    filled = [at for at, line in enumerate(lines) if line.strip()]
    for start in filled[0 if is_below else 1 :][-MOST_SIGNED:]:
        below = [lines[at].strip() for at in filled if at >= start]
        if max(map(len, below)) > LONGEST_SIGNED:
            continue
        is_begun = NAME.fullmatch(below[0]) is not None or (len(below) == 1 and CONTACT.fullmatch(below[0]) is not None)
        if is_begun and any(map(_says_where, below)) and all(map(_may_be_signed, below)):
            return lines[:start]
    return lines


def _may_be_signed(line: str) -> bool:
    return _says_where(line) or (NAME.fullmatch(line) is not None and not NO_NAME.search(line))


def _says_where(line: str) -> bool:
    is_street = STREET.fullmatch(line) is not None and not NO_NAME.search(line)
    return is_street or CONTACT.fullmatch(line) is not None


def _says_farewell(line: str, names: set[str]) -> bool:
    is_short = len(line) <= 60 and "?" not in line
    return is_short and (FAREWELL.match(line) is not None or line.strip(" ,.!-–").casefold() in names)


def _says_something(line: str) -> bool:
    bare = line.strip()
    is_head = bool(GREETING.fullmatch(bare)) and "?" not in bare
    return bool(bare) and not (is_head or bare.endswith(":") or ("?" not in bare and COURTESY.fullmatch(bare)))
