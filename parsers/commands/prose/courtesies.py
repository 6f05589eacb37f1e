"""Greetings, farewells and courtesies; and what a mail says beside them, its moves and its commands."""

import re
from collections.abc import Iterable
from itertools import takewhile
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
WORD: Final = re.compile(r"[^\W\d_]{3,}")
FEWEST_WORDS: Final = 2


def words_for_the_gm(paragraphs: Iterable[tuple[str, ...]], names: Iterable[str] = ()) -> str:
    """Return the sender's words without greetings, courtesies, introductions, and what follows a farewell.

    `paragraphs` are the sender's own lines that were no command. `names` are how the sender may sign: a paragraph that
    begins with one is a signature. Returns an empty text where nothing is left that says something.
    """
    known = {name.casefold() for name in names}
    kept = []
    for lines in paragraphs:
        if lines and lines[0].strip(" ,.!-–").casefold() in known:
            continue
        said = [
            line for line in takewhile(lambda line: not _says_farewell(line, known), lines) if _says_something(line)
        ]
        if len(WORD.findall(" ".join(said))) >= FEWEST_WORDS:
            kept.append("\n".join(said))
    return "\n\n".join(kept)


def _says_farewell(line: str, names: set[str]) -> bool:
    is_short = len(line) <= 60 and "?" not in line
    return is_short and (FAREWELL.match(line) is not None or line.strip(" ,.!-–").casefold() in names)


def _says_something(line: str) -> bool:
    bare = line.strip()
    is_head = bool(GREETING.fullmatch(bare)) and "?" not in bare
    return bool(bare) and not (is_head or bare.endswith(":") or ("?" not in bare and COURTESY.fullmatch(bare)))
