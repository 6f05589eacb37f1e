"""Sign-up lines that hold more than the command: a courtesy behind the name, several games, small words before it.

`split` makes plain commands of such a line and puts the other words on lines of their own. Where it isn't clear what
was meant, the line stays whole, and `unread` names the command that it may have been.
"""

import re
from itertools import islice
from typing import Final

from parsers.clean_lines import clean_line
from parsers.commands import Join, NotUnderstood, Standby, Watch
from parsers.lines.arguments import FILLERS
from parsers.lines.command_lines import ReadCommand, read_command
from parsers.lines.command_table import MAX_COMMAND, Row
from parsers.lines.names import Names, fold
from parsers.prose.courtesies import FAREWELL, GREETING

SignUp = Join | Standby | Watch
LONGEST: Final = 500
"""Characters of a line; longer ones are prose."""
RUNNING: Final = 4
"""A longer line above without a mark at its end goes on here: this line begins in the middle of a sentence."""
COURTEOUS: Final = frozenset(
    """
    bitte Bitte please Please danke Danke dank Dank thanks Thanks thx gern gerne freu freue freut Freu Freue ich Ich wir
    Wir lg LG vg VG gruß Gruß grüße Grüße viele Viele vielen Vielen liebe beste juhu hurra jippie yippie yay super prima
    klasse cool great endlich schön mehr i I i'd I'd i'm I'm we We cheers Cheers
    """.split()  # noqa: SIM905  a list of words reads best as a text
)
"""Words that begin a courtesy, as they are written: a game may be called Super or Prima."""
BEFORE: Final = FILLERS | {"für", "fuer", "partie", "spiel", "runde", "game", "bitte", "please", "gern", "gerne"}
"""What may stand between the command's word and the game."""
MARK: Final = re.compile(
    r"\s*[,;!.()+&/…]+\s*|\s+[-–—]+\s*|\s*[:;=]-?[)D]+\s*|\s*[☺🙂😀😊👍👋🎉]+\s*|\s+(?i:und|and|sowie)\s+"
    rf"|\s+(?=(?:{'|'.join(sorted(map(re.escape, COURTEOUS), key=len, reverse=True))})(?![\w-]))"
    r"|\s+(?=(?i:neu|new)\s*:)"
)
"""What may end a command: punctuation, a smiley, a word that begins a courtesy, the wish."""
LIST: Final = re.compile(r"\s*[,;+&/]\s*|\s+(?:und|and|sowie)\s+", re.IGNORECASE)
TAKEN_BACK: Final = re.compile(r"\b(?:nicht|kein\w*|nein|nie|not|no|never|don't|zurück\w*|cancel\w*)\b", re.IGNORECASE)
WISH: Final = re.compile(r"(?:neu|new)\s*:", re.IGNORECASE)
_QUOTED: Final = r"[»„\"']?(?P<{}>{})[«“\"']?"
LETTER: Final = re.compile(
    r"[\s,;:–-]*(?:\((?P<in_brackets>[A-Za-zÄÖÜäöü])\)"
    r"|(?i:\b(?:(?:mit|with|und|and)\s+)?(?:(?:dem|den|der|das|the|my|meinem|mein)\s+)*(?:wunsch-?|start-?|first\s+)?"
    r"(?:buchstaben?|letter|wish)(?:\s*:|\s+(?:ist|is))?\s+(?:(?:das|ein|the|an?)\s+)?"
    rf"{_QUOTED.format('named', '[a-zäöü]')})"
    rf"|(?i:\b(?:mit|with)\s+(?:(?:dem|einem|the|an?)\s+)?){_QUOTED.format('alone', '[A-ZÄÖÜ]')}"
    r"|(?<=[\w«”\"]\s)(?P<last>[A-Z])(?=[\s!]*$))"
    r"(?![\w'-]|\s*(?:/|&|,\s*\w\b|(?i:oder|or)\b|(?i:und|and)\s+\w\b))"
)
"""`mit dem Buchstaben E`, `letter E`, `with E`, `(E)`, `Herbstwind E`; not where two may be meant."""
NAME: Final = re.compile(r"[A-ZÄÖÜ][\wäöüß-]{1,29}")
WORD: Final = re.compile(r"[\W_]*(?P<word>[\w'-]*)")


def split(line: str, above: str, names: Names) -> list[str]:
    """Split a clean line into the sign-ups in it and the words behind them; any other line stays as it is."""
    found = _begin_of(line, names)
    if not found or _sign_up(line, names):
        return [line]
    letters = list(islice(LETTER.finditer(line), 2))
    if len(letters) == 1 and (pieces := _with_letter(line, letters[0], above, names)):
        return pieces
    row, rest = found
    rest = _without_small_words(rest, names)
    pieces = _pieces(row, rest, names) or _pieces(row, rest.lstrip(" ,-–—"), names)
    is_sure = bool(pieces) and getattr(_sign_up(pieces[0], names), "title_key", "") != ""
    return pieces if pieces and (is_sure or not _goes_on(above, names)) else [line]


def _with_letter(line: str, found: re.Match[str], above: str, names: Names) -> list[str]:
    """Split a line with a letter that is wished: it belongs to the game before it, or of these to one with a grid."""
    before, behind = line[: found.start()].rstrip(" ,;:"), line[found.end() :]
    pieces = split(f"{before}{behind}".rstrip(), above, names)
    joins = [at for at, piece in enumerate(pieces) if isinstance(_sign_up(piece, names), Join)]
    if not joins:
        return []
    number = sum(isinstance(_sign_up(piece, names), Join) for piece in split(before, above, names))
    fitting = joins[: max(number, 1)]
    with_grid = [at for at in fitting if names.grid_rows.get(getattr(_sign_up(pieces[at], names), "title_key", ""))]
    at = (with_grid or fitting)[-1] + 1
    return [*pieces[:at], f"Neu: {next(filter(None, found.groups())).upper()}", *pieces[at:]]


def _begin_of(line: str, names: Names) -> tuple[Row, str] | None:
    for pattern, row in names.commands.sign_ups.get(line[:1].lower(), ()) if len(line) <= LONGEST else ():
        if found := pattern.fullmatch(line):
            return row, found["rest"].lstrip(":")
    return None


def _goes_on(above: str, names: Names) -> bool:
    return len(above.split()) > RUNNING and above[-1].isalnum() and not _begin_of(above, names)


def _sign_up(line: str, names: Names) -> SignUp | None:
    """Read a line that says nothing else, and whose game is no word of running text."""
    said = read_command(line, names)
    command = said.command if said else None
    if not isinstance(command, SignUp) or _is_small(getattr(command, "game", "")):
        return None
    return command


def _is_small(word: str) -> bool:
    return word.lower() in FILLERS or word in COURTEOUS


def _without_small_words(rest: str, names: Names) -> str:
    """Leave out `für die Partie` and the like where a title follows."""
    at = 0
    while (found := WORD.match(rest, at)) and found["word"]:
        if _titled(rest[found.start("word") :], names):
            return rest[found.start("word") :]
        if found["word"].lower() not in BEFORE:
            break
        at = found.end()
    return rest


def _pieces(row: Row, rest: str, names: Names) -> list[str]:
    """Read what stands behind the command's word; empty where that isn't sure to be right."""
    for mark in MARK.finditer(rest[: MAX_COMMAND + 20]):
        head, behind = _line(row, rest[: mark.start()]), rest[mark.end() :].strip()
        command = _sign_up(head, names)
        if not command:
            continue
        if not any(map(str.isalnum, behind)):
            return [head]
        if LIST.fullmatch(mark[0]) and (more := _more(row, command, behind, names)):
            return [head, *more]
        return [head, behind] if WISH.match(behind) or _is_courtesy(command, behind, names) else []
    whole = _line(row, rest)
    return [whole] if _sign_up(whole, names) else []


def _line(row: Row, rest: str) -> str:
    return f"{row.shown} {rest.strip()}".strip()


def _more(row: Row, first: SignUp, behind: str, names: Names) -> list[str]:
    """Read another game of the same sign-up: with its title, or by a name alone where the first was named."""
    rest = _without_small_words(behind, names)
    is_polite = FAREWELL.match(rest) or GREETING.match(rest)
    may_be_name = not isinstance(first, Standby) and first.game and NAME.match(rest) and not is_polite
    if not (may_be_name or _titled(rest, names)):
        return []
    alone = _line(row, rest.rstrip(".!"))
    return [alone] if _sign_up(alone, names) else _pieces(row, rest, names)


def _is_courtesy(command: SignUp, behind: str, names: Names) -> bool:
    """Return whether the words behind change nothing: no `nicht`, no other game, no name that the title lacks."""
    is_named = isinstance(command, Standby) or command.game
    may_be_name = not is_named and NAME.fullmatch(behind.rstrip(".!")) and not _is_small(behind.rstrip(".!"))
    is_taken_back = (isinstance(command, Join) or command.on) and TAKEN_BACK.search(behind)
    return not (is_taken_back or may_be_name or _named(behind, names))


def _titled(text: str, names: Names) -> bool:
    found = names.pattern.match(text)
    return found is not None and not text[found.end("title") :][:1].isalnum()


def _named(text: str, names: Names) -> str:
    """Find the first title with a game's name in a text, as it is written in a command."""
    for found in names.pattern.finditer(text):
        is_word = not text[: found.start()][-1:].isalnum()
        if is_word and found["name"] and not _is_small(found["name"]):
            return f"{names.written[fold(found['title'])]} {found['name']}"
    return ""


def unread(line: str, above: str, names: Names) -> ReadCommand | None:
    """Read a line that certainly signs up, but holds more that can't be read, as the command it may have been."""
    found = _begin_of(line, names)
    if not found or _sign_up(line, names):
        return None
    row, rest = found
    named = _named(rest, names)
    meant = f"{row.shown} {named}" if named else "" if _goes_on(above, names) else _head(row, rest, names)
    if not meant or not _sign_up(meant, names):
        return None
    return ReadCommand(command=NotUnderstood(line=line, meant=meant, is_sign_up=True), language=row.language)


def _head(row: Row, rest: str, names: Names) -> str:
    """Find the command that a line would be without the words behind it."""
    for mark in MARK.finditer(rest[: MAX_COMMAND + 20]):
        head = _line(row, rest[: mark.start()])
        command = _sign_up(head, names)
        if command and not isinstance(command, Standby) and not command.game:
            name = NAME.match(rest, mark.end())
            return f"{head} {name[0]}" if name and not _is_small(name[0]) else head
        if command and (isinstance(command, Standby) or NAME.fullmatch(command.game)):
            return head
    return ""


def example(line: str, names: Names) -> str:
    """Show how a line goes that begins as a sign-up does; empty for any other."""
    found = _begin_of(clean_line(line), names)
    if not found:
        return ""
    row, _ = found
    return row.example(names) if row.argument else f"{row.shown} {names.example} Eriwan"
