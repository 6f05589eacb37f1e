"""A delivery report -> which mail didn't arrive, at whom, for good or for now, and what the server said.

Sources: RFC 3464 (a group of fields for each recipient) and what came before it: Exim's X-Failed-Recipients, qmail's
`<address>:` with the reason below, reports in words only; shared/spec/mail.md, policies.

`triage` decides whether a mail is a report at all. Only a Message-ID that we made proves which mail it is about.
Work is linear in the length of the mail, and only its beginning is read.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

from parsers.addresses import addresses_in
from parsers.mime.message import MAX_BYTES, Mail
from parsers.mime.triage import ROBOT_NAME, ROBOT_SUBJECT, UNDELIVERED

MAX_SAID: Final = 200
MAX_FAILURES: Final = 50
MAX_PARAGRAPHS: Final = 60
"""In so many the words of a report have said what there is to say."""
LONGEST_PARAGRAPH: Final = 2000

FIELD = re.compile(r"(?P<name>[A-Za-z][A-Za-z-]{2,40})[ \t]*:[ \t]*(?P<value>.*)")
MADE_ID = re.compile(
    r"^[> \t|]{0,20}(?:x-)?(?:original-)?message-id[ \t]*:\s{0,5}(?P<id><[^<>\s]{1,900}>)", re.IGNORECASE | re.MULTILINE
)
CODE = re.compile(r"(?<![\d.])(?:(?P<status>[45])\.\d{1,3}\.\d{1,3}(?![\d.])|(?P<reply>[45])[0-5]\d(?=[ :#-]))")
ORIGINAL = re.compile(
    r"^[> \t|*]{0,20}(?:-{0,9} ?(?:below this line is a copy|this is a copy of|included is|here is) .{0,40}m"
    r"(?:essage|ail)"
    r"|.{0,30}(?:original|returned|unsent|undelivered|bounced|failed)[ -](?:message|mail|text)\b"
    r".{0,30}(?:follows|-{2}|:)"
    r"|-{3,} ?(?:ihre|ursprüngliche|your|original|returned) (?:nachricht|e-?mail|message|mail)\b"
    r"|(?:received|return-path|dkim-signature|mime-version|message-id) ?: ?\S)",
    re.IGNORECASE,
)
FOR_NOW = re.compile(
    r"\bdelayed\b|\bwarning\b|still being retried|will (?:be retried|keep trying|continue to)|not (?:yet )?been"
    r" delivered (?:yet|after)|do(?:es)? not need to (?:resend|do anything)|verzögert|wird weiter versucht",
    re.IGNORECASE,
)
FOR_GOOD = re.compile(
    r"permanent|fatal|\bfail|unknown|no such|not? (?:\w+ )?(?:exist|found|listed|valid)|doesn't (?:exist|have)|invalid|"
    r"reject|refused|denied|disabled|inactive|closed|suspended|expired|undeliver|unzustellbar|not (?:be )?(?:deliver|"
    r"possible|reach|able)|(?:could|can)(?:no|n'?)t|unable|n(?:icht|ot) (?:zugestellt|zustellbar|gefunden|recogni)"
    r"|unbekannt|existiert nicht|konnte nicht|giving up|given up|(?:is|over|mailbox|inbox) (?:\w+ )?(?:full|quota)|"
    r"quota|does not (?:like|accept)|not accept|bounced|returned|time[- ]?(?:d )?out",
    re.IGNORECASE,
)


@dataclass(frozen=True, kw_only=True)
class Failure:
    """A recipient whom a mail didn't reach."""

    recipient: str
    """In lower case. For a forwarded mail the address that we sent it to, if the report names it."""
    is_final: bool
    """No further attempt is made."""
    said: str
    """What the server said, in one short line."""


@dataclass(frozen=True, kw_only=True)
class Bounce:
    """What a delivery report tells."""

    message_ids: tuple[str, ...]
    """The mails it may be about: from quoted headers, and in a formal report from what it replies to."""
    failures: tuple[Failure, ...]


def read_bounce(raw: bytes, mail: Mail) -> Bounce | None:
    """Read a report, given as it came and as a mail. None: it reports no failure. Never raises."""
    _, _, body = _lines(raw).partition("\n\n")
    formal = tuple(_formal(body))
    failures = formal or tuple(islice(_in_words(mail, body), MAX_FAILURES))
    if not failures:
        return None
    quoted = [found["id"] for found in MADE_ID.finditer(body)]
    threads = (mail.in_reply_to, *mail.references) if formal or "x-failed-recipients" in mail.headers else ()
    return Bounce(message_ids=tuple(dict.fromkeys(filter(None, (*quoted[:20], *threads[-20:])))), failures=failures)


def _lines(raw: bytes) -> str:
    return raw[:MAX_BYTES].decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")


# -- in due form -------------------------------------------------------------------------------------------------------


def _formal(body: str) -> Iterator[Failure]:
    """Read the groups of fields, one for each recipient (RFC 3464 2.3)."""
    number = 0
    for group in _groups(body):
        names = (group.get("original-recipient", ""), group.get("final-recipient", ""))
        recipient = next(filter(None, (_recipient(name) for name in names)), "")
        is_final = _is_final(group)
        if recipient and is_final is not None and number < MAX_FAILURES:
            number += 1
            said = group.get("diagnostic-code", "").partition(";")[2] or group.get("status", "")
            yield Failure(recipient=recipient, is_final=is_final, said=_short(said))


_OF_A_GROUP: Final = ("original-recipient", "final-recipient", "action", "status", "diagnostic-code")


def _groups(body: str) -> Iterator[dict[str, str]]:
    """Yield the runs of fields between blank lines that name a recipient, unfolded."""
    group: dict[str, str] = {}
    last = ""
    for line in (*body.split("\n"), ""):
        if not line.strip():
            if "final-recipient" in group or "original-recipient" in group:
                yield group
            group, last = {}, ""
        elif line[0] in " \t" and last:
            group[last] = f"{group[last]} {line.strip()}"[:1000]
        elif field := FIELD.match(line):
            last = field["name"].lower()
            if last in _OF_A_GROUP:
                group[last] = field["value"][:1000]
            else:
                last = ""


def _is_final(group: dict[str, str]) -> bool | None:
    """Return whether it failed for good, by the action or else the status; None if the mail arrived."""
    action = (group.get("action", "").split() or [""])[0].lower().strip(";,.")
    if action in ("failed", "delayed"):
        return action == "failed"
    if action in ("delivered", "relayed", "expanded"):
        return None
    return {"5": True, "4": False}.get(group.get("status", "").strip()[:1])


def _recipient(value: str) -> str:
    """Return the address of `rfc822; anna@example.org`."""
    return next(_addresses_in(value.rpartition(";")[2]), "")


# -- in words ----------------------------------------------------------------------------------------------------------


def _in_words(mail: Mail, body: str) -> Iterator[Failure]:
    """Read a report written for people: the reason stands in the paragraph with the address, or in the next one."""
    named = _addresses(mail, "x-failed-recipients")
    if not named and not _is_by_a_robot(mail):
        return
    paragraphs = list(_paragraphs(mail.text or body))
    whole = "\n".join(paragraphs)
    in_all = _verdict(whole)
    others = {mail.sender, *_addresses(mail, "to")}
    seen: set[str] = set()
    for at, paragraph in enumerate(paragraphs):
        for address in islice(_addresses_in(paragraph), 10):
            is_known = address in others or address in seen or ROBOT_NAME.fullmatch(address.partition("@")[0])
            if is_known or (named and address not in named):
                continue
            near = _from_there(paragraph, address) + "\n" + "\n".join(paragraphs[at + 1 : at + 2])
            code = CODE.search(near)
            is_final = (code["status"] or code["reply"]) == "5" if code else in_all
            if is_final is None:
                continue
            seen.add(address)
            yield Failure(recipient=address, is_final=is_final, said=_reason(near))
    said = _reason(whole) if named else ""
    for address in named:
        if address not in seen:
            yield Failure(recipient=address, is_final=True, said=said)


def _addresses(mail: Mail, name: str) -> dict[str, None]:
    """Return the addresses in a field, each once, in their order."""
    return dict.fromkeys(one for value in mail.headers.get(name, ()) for one in _addresses_in(value))


def _addresses_in(text: str) -> Iterator[str]:
    """Yield the addresses in the words of a report, which may stand in quotes or as `to=anna@example.org`."""
    return addresses_in(text.replace("'", " ").replace("=", " "))


def _is_by_a_robot(mail: Mail) -> bool:
    paths = [value.strip("<> ") for value in mail.headers.get("return-path", ())]
    by_name = not mail.sender or ROBOT_NAME.fullmatch(mail.sender.partition("@")[0])
    return bool("" in paths or by_name or ROBOT_SUBJECT.match(mail.subject) or UNDELIVERED.search(mail.subject))


def _paragraphs(text: str) -> Iterator[str]:
    """Yield the report's own words: up to where the mail that came back begins."""
    found: list[str] = []
    number = 0
    for line in (*text.split("\n"), ""):
        ends = ORIGINAL.match(line[:200]) is not None
        if (ends or not line.strip()) and found:
            yield "\n".join(found)[:LONGEST_PARAGRAPH]
            number, found = number + 1, []
        if ends or number == MAX_PARAGRAPHS:
            return
        if line.strip():
            found.append(line)


def _from_there(paragraph: str, address: str) -> str:
    """Cut what stands above the line with an address: it is about others."""
    lines = paragraph.split("\n")
    at = next((number for number, line in enumerate(lines) if address in line.lower()), 0)
    return "\n".join(lines[max(0, at - 2) :])


def _verdict(whole: str) -> bool | None:
    """Return whether it failed for good, by the words; None if nothing says that anything is wrong."""
    if FOR_NOW.search(whole):
        return False
    return True if FOR_GOOD.search(whole) else None


def _reason(near: str) -> str:
    """Pick the line that says most: one with a code, else one that says what is wrong."""
    lines = [line for line in near.split("\n") if line.strip()]
    tests = (CODE.search, FOR_GOOD.search)
    return _short(next((line for test in tests for line in lines if test(line)), lines[0] if lines else ""))


def _short(said: str) -> str:
    plain = " ".join(_printable(said).split()).strip("<>: ")
    return plain if len(plain) <= MAX_SAID else f"{plain[: MAX_SAID - 1]}…"


def _printable(text: str) -> str:
    return "".join(char if char.isprintable() else " " for char in text)
