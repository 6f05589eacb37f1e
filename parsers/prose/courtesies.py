"""Greetings, farewells and courtesies; and what a mail says beside them, its moves and its commands."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final

GREETING: Final = re.compile(
    r"(?:hallo|hi|hey|hello|moin|servus|guten (?:tag|morgen|abend)|liebe[rs]?|dear|good (?:morning|evening|afternoon)"
    r"|(?:sehr )?(?:ge|ver)ehrte[rs]?|werte (?=frau|damen|spielleit)|werter (?=herr|spielleit)|gr(?:ü|ue)(?:ß|ss) gott)"
    r"\b.{0,40}",
    re.IGNORECASE,
)
FAREWELL: Final = re.compile(
    r"(?:(?:viele|liebe|beste|schöne|herzliche|freundliche|mit \w+|best|kind|many)\s+)*"
    r"(?:gr(?:u|ü|ue)(?:ß|ss)e?n?|hochachtungsvoll|lg|vg|mfg|bg|tsch(?:ü|ue)(?:ß|ss)|ciao|servus|danke|regards|wishes|cheers|thanks|bye)\b",
    re.IGNORECASE,
)
COURTESY: Final = re.compile(
    r"(?:ps[.:]?\s+|p\.\s?s\.:?\s+)?(?:"
    r"(?:(?:vielen|besten|herzlichen|schönen|lieben|many)\s+)*(?:dank|thanks|danke|merci|thank you)\b.{0,40}"
    r"|bis (?:bald|dann|später|morgen|nächste\w*|demnächst|zur nächsten)\b.{0,30}"
    r"|(?:ein(?:en)?\s+)?schöne[ns]?\s+(?:sonntag|samstag|abend|tag|woche|wochenende|feiertage?|urlaub|ferien|gruß|pfingsten|ostern|weihnachten|advent|restwoche)\b.{0,30}"
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
_NAMES: Final = r"[A-ZÄÖÜ][\w.'-]*(?:\s+(?:von\s+)?[A-ZÄÖÜ][\w.'-]*){0,3}[.!]*"
_HOW: Final = (
    r"(?:ganz|sehr|mit|den|die|es|und|auch|viele[nr]?|liebe[nr]?|beste[nrm]?|schöne[nrm]?|herzliche[nrm]?|nette[nrm]?"
    r"|[\w-]{1,20}(?:ig|ich|et)e[nrm]?)"
)
SIGN_OFF: Final = re.compile(
    rf"(?i:(?:{_HOW}\s+){{0,4}}[\w-]{{0,20}}gr(?:u|ü|ue)(?:ß|ss)(?:e|en|t|le)?\b[^?]{{0,80}}"
    r"|mit (?:den )?(?:aller)?(?:besten|herzlichen|guten|lieben) wünschen\b[^?]{0,60}"
    r"|(?:g?lg|vg|mfg|bg|hg|hochachtungsvoll|ergebenst|herzlichst|freundlichst|respectfully|sincerely|warmly|yours)\b"
    r"[^?]{0,50}"
    r"|bleib(?:t|en sie)?\s+(?:\w+\s+){0,3}(?:gesund|munter|fit|heiter|tapfer|dran)\b[^?]{0,30}"
    r"|(?:gut|allzeit gut) (?:blatt|holz|wort|stein|spiel)\b[^?]{0,30}|stay (?:safe|well|healthy)\b[^?]{0,30})"
    r"|(?i:(?:wie (?:immer|stets)|stets)[\s,]+)?(?:[Ii]hre?|[Ee]ure?|[Ee]uer|[Dd]eine?|[Yy]our)\s+"
    rf"(?:[a-zäöüß]+e?[rs]?\s+){{0,2}}{_NAMES}"
)
"""A whole line with which a letter ends: `Ihr H. Wegener`, `Sonnige Grüße vom Bodensee, Horst`."""
NO_SIGN_OFF: Final = re.compile(
    r"\b(?:bitte|ausrichten|ausgerichtet|richte\w*|bestell\w*|sag\w*|nicht|kein\w*|ich|wir|kann\w*|zug|partie|mail)\b",
    re.IGNORECASE,
)
"""Words of a message."""
ASIDE: Final = re.compile(
    r"(?:(?:dass|für|fuer|und|damit|auch|bis|wie|for|that|and|as)\b|(?:sehr )?(?:lieb|nett|kind)\b)", re.IGNORECASE
)
"""How a clause begins that goes with the courtesy before it: `Danke, dass du das machst`."""
PERSONAL: Final = re.compile(
    r"\?|\b(?:ich|wir|mir|mich|uns|du|dir|dich|bitte|kann\w*|könn\w*|p\.? ?s\b|nachtrag|i|i'm|we|me|us|you|please)\b",
    re.IGNORECASE,
)
"""What a line below a farewell says to somebody; a motto doesn't."""
NEWS: Final = re.compile(
    r"\b(?:nicht|kein\w*|aber|leider|krank|kann\w*|muss\w*|not|but|can't|cannot|must)\b", re.IGNORECASE
)
CLAUSE_END: Final = re.compile(r"[.!;,]+\s+|\s[–—-]+\s")
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
VERB: Final = re.compile(
    r"\b(?:bin|ist|sind|war|habe?|hast|hat|kann|muss|will|komme?|am|is|are|was|have|has|can|must)\b", re.IGNORECASE
)
"""Verbs of a sentence that begins as a greeting: `Hallo Cici ich bin krank`."""
ABOUT_MOVES: Final = re.compile(
    r"\d|:|\b(?:z(?:u|ü|ue)ge?|w(?:o|ö|oe)rte?r?|wortliste|moves?|words?|grid|fertig|ready)\b", re.I
)
LONGEST_FAREWELL: Final = 60
LONGEST_SIGN_OFF: Final = 120
LONGEST_SIGNED: Final = 80
MOST_SIGNED: Final = 4
"""A signature has so many lines at most."""
WORD: Final = re.compile(r"[^\W\d_]{3,}")
FEWEST_WORDS: Final = 2


def words_for_the_gm(paragraphs: Iterable[tuple[str, ...]], names: Iterable[str] = ()) -> str:
    """Return the sender's words without greetings, courtesies, introductions, farewells and signatures.

    `paragraphs` are the sender's own lines that were no command. `names` are how the sender may sign. A sentence is
    never cut. Returns an empty text where nothing is left that says something.
    """
    known = {name.casefold() for name in names}
    kept = []
    said_lines = without_signature([line for lines in paragraphs for line in (*lines, "")], is_below=True)
    for lines in _divided(said_lines):
        said = _said_in(lines, known)
        if len(WORD.findall(" ".join(said))) >= FEWEST_WORDS:
            kept.append("\n".join(said))
    return "\n\n".join(kept)


def _said_in(lines: Sequence[str], names: set[str]) -> list[str]:
    """Return the lines of a paragraph that say something."""
    said: list[str] = []
    is_signature = False
    for line, below in zip(lines, (*lines[1:], ""), strict=True):
        bare = line.strip()
        runs_on = below[:1].islower() and bare[-1:].isalnum()
        if is_signature and not PERSONAL.search(bare):
            continue
        is_signature = _says_farewell(bare, names)
        if not is_signature and (runs_on or not _is_courtesy(bare, is_last=not below)):
            said.append(line)
    return said


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


def above_farewell(lines: Sequence[str]) -> Sequence[str]:
    """Return the lines above one that signs off, where nothing but names stands below it."""
    at = next((at for at, line in enumerate(lines) if _signs_off(line) and not ABOUT_MOVES.search(line)), None)
    return lines if at is None or not all(NAME.fullmatch(line.strip(" .!")) for line in lines[at + 1 :]) else lines[:at]


def is_farewell(line: str) -> bool:
    """Return whether a whole line only greets, thanks or signs off, and speaks of no move."""
    if len(line) > LONGEST_SIGN_OFF or ABOUT_MOVES.search(line) or "?" in line:
        return False
    found = any(pattern.fullmatch(line) for pattern in (GREETING, COURTESY)) or FAREWELL.match(line) or _signs_off(line)
    return bool(found) and _ends_there(line)


def _says_farewell(line: str, names: set[str]) -> bool:
    if line.strip(" ,.!-–").casefold() in names:
        return True
    is_farewell = (FAREWELL.match(line) and len(line) <= LONGEST_FAREWELL) or _signs_off(line)
    return bool(is_farewell) and "?" not in line and _ends_there(line)


def _signs_off(line: str) -> bool:
    return len(line) <= LONGEST_SIGN_OFF and bool(SIGN_OFF.fullmatch(line)) and not NO_SIGN_OFF.search(line)


def _is_courtesy(line: str, *, is_last: bool) -> bool:
    """Return whether a line only greets, thanks, or says what follows; a heading stands last in its paragraph."""
    if not line or (line.endswith(":") and is_last):
        return True
    return "?" not in line and bool(GREETING.fullmatch(line) or COURTESY.fullmatch(line)) and _ends_there(line)


def _ends_there(line: str) -> bool:
    """Return whether nothing is said behind the first clause of a courtesy: `Danke, ich bin krank` says something."""
    first, *behind = CLAUSE_END.split(line)
    return not any(map(_says_something, behind)) and not (GREETING.match(first) and VERB.search(first))


def _says_something(clause: str) -> bool:
    courtesies = (COURTESY, GREETING, SIGN_OFF)
    is_courtesy = any(pattern.fullmatch(clause) for pattern in courtesies) or FAREWELL.match(clause)
    is_aside = ASIDE.match(clause) and not NEWS.search(clause)
    is_name = NAME.fullmatch(clause.strip(" .!"))
    return len(WORD.findall(clause)) >= FEWEST_WORDS and not (is_courtesy or is_aside or is_name)
