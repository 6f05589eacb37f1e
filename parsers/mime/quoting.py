"""Divides a text, line by line, into what the sender wrote and what is quoted, without signature and footers.

Policies: shared/spec/mail.md, on top. Quoted lines are removed with the lines that introduce them, and reading goes on
below (bottom and inline posting). If no marked lines follow an introduction, the rest of the mail is the quotation.

Work is linear in the length of the text. Libraries for this hang on small crafted mails (mail.md section 0, 2).
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Final

MAX_INTRODUCTION: Final = 300
"""Longer lines introduce nothing."""

SIGNED: Final = "-----BEGIN PGP SIGNED MESSAGE-----"
SIGNATURE: Final = "-----BEGIN PGP SIGNATURE-----"
SIGNATURE_END: Final = "-----END PGP SIGNATURE-----"
# The Bat! puts the writer's initials before the mark.
QUOTE_MARKS = re.compile(r"(?:\s*(?:[A-Z][A-Za-z]{0,2}(?=>))?[>|])+ ?")
# A row between bars is framed, not quoted.
FRAMED = re.compile(r"\s*\|.*\S.*\|\s*")
WROTE = re.compile(r"\b(?:schrieb|geschrieben|wrote|écrit)\b", re.IGNORECASE)
BEGINS_ATTRIBUTION = re.compile(r"\s*\*?(?:(?:Am|On)\s|\d{4}-\d\d-\d\d \d\d:\d\d )")
HEAD_LINE = re.compile(
    r"[\s*]*(?P<key>Von|From|Gesendet(?: am)?|Sent|Datum|Date|An|To|Cc|Kopie|Betreff|Subject|Antwort an|Reply-To)"
    r"\s?\*?\s?:",
    re.IGNORECASE,
)
FORWARD = re.compile(
    r"\s*(?:-{2,}\s*(?:Weitergeleitete (?:Nachricht|Mail|E-Mail)|Forwarded Message|Ende der weitergeleiteten Nachricht)"
    r"|Anfang der weitergeleiteten (?:Nachricht|E-Mail)\s*:|Begin forwarded message\s*:)",
    re.IGNORECASE,
)
ORIGINAL = re.compile(
    r"\s*-{2,}\s*(?:Urspr(?:ü|ue)ngliche (?:Nachricht|Mail|E-Mail)|Original[- ]?Nachricht|Original (?:Message|Mail))",
    re.IGNORECASE,
)
# Six to eleven underscores may be an empty row of a board; Outlook and list servers draw 32 and more.
RULE = re.compile(r"\s*_{12,}\s*")
LIST_FOOTER = re.compile(
    r"\s*(?:You received this message because you are subscribed|You are receiving this because"
    r"|To unsubscribe from this|Sie erhalten diese (?:Nachricht|E-Mail|Mail), weil)",
    re.IGNORECASE,
)
TELEPHONE = re.compile(
    r"\s*(?:(?:Diese Nachricht wurde )?Von meine[mr] .{1,60} gesendet"
    r"|(?:Gesendet|Versandt|Verschickt) (?:von|mit|über|aus|vom) .{1,80}|Mobil gesendet"
    r"|Sent (?:from|with|via|using) .{1,80}|Get Outlook for .{1,30}"
    r"|(?:Holen Sie sich|Laden Sie|Beziehen Sie) Outlook .{1,40})(?<!:)[.!]?\s*",
    re.IGNORECASE,
)


@dataclass(frozen=True, kw_only=True)
class Shares:
    """A text divided by whose words they are."""

    own: str
    """What the sender wrote. A run of dropped lines leaves one blank line, so that nothing is glued together."""
    others: Sequence[str]
    """The lines that are not: the quotations, and what stands below an old mail's head or a signature."""

    @property
    def quoted(self) -> str:
        """The others' lines without marks."""
        return "\n".join(_unmarked(self.others))

    @property
    def has_quotation(self) -> bool:
        """Whether somebody else is quoted: a signature is none."""
        return any(line.strip() for line in takewhile(lambda line: not _ends_all(line), self.others))


def divide(text: str) -> Shares:
    """Divide a mail's text into the sender's own and the quoted lines."""
    lines = _below_a_first_mark(list(_unsigned(text.split("\n"))))
    own: list[str] = []
    quoted: list[str] = []
    was_dropped = False
    at = 0
    while at < len(lines) and not _ends_all(lines[at]):
        is_quoted = _is_quoted(lines[at])
        height = 0 if is_quoted else _introduction(lines, at)
        if height and not _quote_follows(lines, at + height):
            quoted += lines[at + height :]
            break
        if height or is_quoted:
            quoted += [lines[at]] if is_quoted else []
            own += [""] if own and own[-1].strip() else []
            was_dropped = True
        elif not (_is_telephone_footer(lines[at]) or (was_dropped and not lines[at].strip())):
            own.append(lines[at])
            was_dropped = False
        at += height or 1
    else:
        quoted += lines[at:]
    return Shares(own="\n".join(own).strip("\n"), others=quoted)


def is_forward(text: str) -> bool:
    """Return whether the sender forwards somebody's mail inline (under a forward head of his own)."""
    folded = text.lower()
    if "weitergeleitet" not in folded and "forwarded" not in folded:
        return False
    return any(FORWARD.match(line) for line in text.split("\n"))


def _unmarked(lines: Iterable[str]) -> Iterator[str]:
    return (line[mark.end() :] if (mark := QUOTE_MARKS.match(line)) else line for line in lines)


def _unsigned(lines: Iterable[str]) -> Iterator[str]:
    """Remove what an inline signature (RFC 9580 7) puts around and before lines."""
    is_signed = is_armor = False
    for line in lines:
        bare = line.strip()
        if bare == SIGNED:
            is_signed = is_armor = True
        elif bare == SIGNATURE and is_signed:
            is_signed, is_armor = False, True
        elif is_armor:
            # The head ends with a blank line, the signature with its own last one.
            is_armor = bool(bare) if is_signed else bare != SIGNATURE_END
        else:
            yield line[2:] if is_signed and line.startswith("- ") else line


def _below_a_first_mark(lines: list[str]) -> list[str]:
    """Remove a signature mark above everything: some people write below the mark that their program inserts."""
    first = next((at for at, line in enumerate(lines) if line.strip()), None)
    return lines[first + 1 :] if first is not None and lines[first].strip() == "--" else lines


def _is_quoted(line: str) -> bool:
    if ">" not in line and "|" not in line:
        return False
    return QUOTE_MARKS.match(line) is not None and not FRAMED.fullmatch(line)


def _ends_all(line: str) -> bool:
    """A signature (RFC 3676 4.3, also without its blank), a ruled line or a list's footer: nothing own follows."""
    return line.strip() == "--" or bool(
        ("_" in line and RULE.fullmatch(line)) or (" " in line and LIST_FOOTER.match(line))
    )


def _is_telephone_footer(line: str) -> bool:
    return " " in line and len(line) <= MAX_INTRODUCTION and TELEPHONE.fullmatch(line) is not None


def _introduction(lines: Sequence[str], at: int) -> int:
    """Return how many lines from here on introduce a quotation, or 0. The first of them is not quoted itself."""
    line = lines[at]
    word = line.replace(".", "").strip()
    if not word or word.isalnum():
        return 0  # a row of a board, for instance
    if ORIGINAL.match(line) or FORWARD.match(line):
        below = next((n for n in range(at + 1, min(at + 3, len(lines))) if lines[n].strip()), at + 1)
        if below == len(lines):
            return 1  # the quotation itself got lost
        head = _head(lines, below, fewest=1) or _attribution(lines, below) or _loose_attribution(lines, below)
        return below - at + head if head else 1
    return _attribution(lines, at) or _head(lines, at, fewest=2) or _loose_attribution(lines, at)


def _attribution(lines: Sequence[str], at: int) -> int:
    """`Am 21.11.2026 um 12:38 schrieb Anna:` in one to four lines."""
    first = lines[at][:MAX_INTRODUCTION]
    if not (BEGINS_ATTRIBUTION.match(first) or ("@" in first and "<" in first)):
        return 0
    joined = ""
    for height, line in enumerate(lines[at : at + 4], start=1):
        if not line.strip() or len(line) > MAX_INTRODUCTION or _is_quoted(line):
            return 0
        joined = f"{joined} {line.strip()}"
        if joined.endswith(":"):
            return height if _is_attribution(joined) else 0
    return 0


def _is_attribution(joined: str) -> bool:
    has_writer = WROTE.search(joined) is not None or joined.endswith(">:")
    return has_writer and any(char.isdigit() or char == "@" for char in joined)


def _loose_attribution(lines: Sequence[str], at: int) -> int:
    """`Anna schrieb:` counts only right above a marked quotation: it might be the beginning of a move."""
    line = lines[at].strip()
    is_short = len(line) <= MAX_INTRODUCTION and line.endswith(":")
    return 1 if is_short and WROTE.search(line) and _quote_follows(lines, at + 1) else 0


def _head(lines: Sequence[str], at: int, *, fewest: int) -> int:
    """`Von: ... Gesendet: ...` in either order: so many fields; of two or more one is the sender's."""
    keys: set[str] = set()
    height = 0
    for n in range(at, min(at + 14, len(lines))):
        if head := HEAD_LINE.match(lines[n]):
            keys.add(head["key"].lower())
            height = n - at + 1
        elif lines[n].strip() or n == at:
            break
    return height if len(keys) >= fewest and (fewest == 1 or keys & {"von", "from"}) else 0


def _quote_follows(lines: Sequence[str], at: int) -> bool:
    below = next((line for line in lines[at : at + 6] if line.strip()), "")
    return _is_quoted(below)
