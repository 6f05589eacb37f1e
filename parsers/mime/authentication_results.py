"""Authentication-Results fields -> what a trusted mail server says about the domain in From.

Sources: RFC 8601 (the field, 5: forged ones), RFC 7489 3.1 (alignment); shared/spec/mail.md, Policies.

Anybody can write such a field into a mail, with any server's name in it. What can't be forged is its place: a server
puts its fields above what was sent to it. So only fields above the topmost Received count, and of each server only its
topmost field, whatever that says.

Some providers write their field below Received fields of their own. If such a server always writes one, and removes
those that strangers wrote in its name, the GM may list it as `mx.example.org below`. Then its topmost field counts
wherever it stands.

All work is linear in the length of a field, and `parsers.mime.message` limits that length.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from parsers.mime.message import MAX_HEADER, Mail

if TYPE_CHECKING:
    from publicsuffixlist import PublicSuffixList

NO_ID: Final = "no-id"
"""How Outlook.com's and Microsoft 365's servers, which give no name, are written in a list of trusted ones."""
BELOW: Final = " below"
"""What stands behind a name whose fields count beneath Received as well."""
MOST_FIELDS: Final = 40
"""More than servers put above a mail."""

FIELD: Final = "authentication-results"
OUTSIDE = re.compile(r'"(?P<quoted>(?:[^"\\]|\\.)*)(?P<closed>"?)|[(;]|[^"(;]+', re.DOTALL)
COMMENT = re.compile(r"[()]|\\.|\\|[^()\\]+", re.DOTALL)
ESCAPED = re.compile(r"\\(.)", re.DOTALL)
EQUALS = re.compile(r"\s*=\s*")
ANY_FAIL = re.compile(r"\bdmarc\s*=\s*fail", re.IGNORECASE)

Word: TypeAlias = Literal["pass", "fail", "none"]


@dataclass(frozen=True, kw_only=True)
class Result:
    """One check: `dkim=pass header.d=gmx.example`, in lower case."""

    method: str
    result: str
    properties: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    is_repeated: bool = False
    """A property stands twice: then the check proves nothing."""


@dataclass(frozen=True, kw_only=True)
class Results:
    """One field as it was read."""

    authserv: str = NO_ID
    results: tuple[Result, ...] = ()
    is_broken: bool = False
    """A comment or a quotation has no end, or the field was too long: its meaning isn't certain."""
    says_fail: bool = False

    @property
    def is_decisive(self) -> bool:
        """Whether it says anything about the domain in From."""
        checks = any(one.method == "dkim" or (one.method == "dmarc" and one.result != "none") for one in self.results)
        return checks or self.is_broken

    def proves(self, domain: str) -> bool:
        """Return whether the mail is from this domain, by DMARC or by an aligned DKIM signature. SPF proves nothing."""
        dmarc = [one for one in self.results if one.method == "dmarc"]
        if self.is_broken or len(dmarc) > 1:
            return False
        for one in dmarc:
            if one.is_repeated or one.result not in ("pass", "none"):
                return False
            if one.result == "pass" and "header.from" in one.properties:
                return _domain(one.properties["header.from"]) == domain
        return any(_is_signed_by(one, domain) for one in self.results if one.method == "dkim")


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What trusted servers say about the domain in From: `none` where they say nothing that would prove it."""

    word: Word = "none"
    authserv: str = ""
    """Who says so."""


def read_results(value: str) -> Results:
    """Read one Authentication-Results field, however it is written."""
    segments, is_closed = _segments(value)
    is_broken = not is_closed or len(value) > MAX_HEADER - 100
    head, *rest = segments
    is_nameless = "=" in head
    checks = tuple(filter(None, map(_result, segments if is_nameless else rest)))
    is_fail = any(one.method == "dmarc" and one.result == "fail" for one in checks)
    return Results(
        authserv=NO_ID if is_nameless else _name(head),
        results=checks,
        is_broken=is_broken,
        says_fail=is_fail or (is_broken and ANY_FAIL.search(value) is not None),
    )


def judge(mail: Mail, trusted: Sequence[str]) -> Verdict:
    """Return what the trusted servers found out about the domain in From."""
    counting = list(trusted_results(mail, trusted)) if mail.sender and trusted else []
    if failed := _failed(counting):
        return Verdict(word="fail", authserv=failed)
    first = next((one for one in counting if one.is_decisive), None)
    if first is None:
        return Verdict()
    is_proof = first.proves((mail.written_from or mail.sender).rpartition("@")[2])
    return Verdict(word="pass" if is_proof else "none", authserv=first.authserv)


def found_forged(mail: Mail, trusted: Sequence[str]) -> str:
    """Name the trusted server that says dmarc=fail, if one does. Cheaper than `judge`: it needs no list of suffixes."""
    return _failed(trusted_results(mail, trusted)) if mail.sender and trusted else ""


def _failed(counting: Iterable[Results]) -> str:
    return next((one.authserv for one in counting if one.says_fail), "")


def trusted_results(mail: Mail, trusted: Sequence[str]) -> Iterator[Results]:
    """Yield the fields that count, from the top: of each server only its topmost field.

    An entry with a star and `below` lets only one field count below Received, whichever server it names. Otherwise
    anybody could write one more under another name.
    """
    seen: set[str] = set()
    for results, is_on_top in fields(mail):
        entries = {entry for entry in trusted if means(entry.removesuffix(BELOW), results.authserv)}
        counts_here = is_on_top or any(entry.endswith(BELOW) for entry in entries - seen)
        if entries and counts_here and results.authserv not in seen:
            yield results
        seen |= {results.authserv, *entries}


def fields(mail: Mail) -> Iterator[tuple[Results, bool]]:
    """Read the fields from the top, each with whether it stands above the topmost Received; without a Received none."""
    if FIELD not in mail.headers or "received" not in mail.names:
        return
    top = mail.names.index("received")
    places = [at for at, name in enumerate(mail.names) if name == FIELD]
    for at, value in zip(places[:MOST_FIELDS], mail.headers[FIELD], strict=False):
        yield read_results(value), at < top


def means(name: str, authserv: str) -> bool:
    """Return whether a name, maybe with stars, is this server's."""
    return _pattern(name).fullmatch(authserv) is not None


@lru_cache(maxsize=200)
def _pattern(entry: str) -> re.Pattern[str]:
    """`*.` at the beginning stands for any labels, another `*` for a part of one."""
    any_labels, rest = entry.startswith("*."), entry.removeprefix("*.").lower()
    text = re.escape(rest).replace(r"\*", "[a-z0-9_-]*")
    return re.compile(rf"(?:[a-z0-9_-]+\.)+{text}" if any_labels else text)


def _segments(value: str) -> tuple[list[str], bool]:
    """Split at semicolons, without comments and quotation marks. Also returns whether all of these were closed.

    Blanks in a quotation become another character, so that it stays one word.
    """
    pieces: list[list[str]] = [[]]
    at, depth, is_closed = 0, 0, True
    while found := (COMMENT if depth else OUTSIDE).match(value, at):
        at, token = found.end(), found[0]
        if token == "(" or depth:
            depth += (token == "(") - (token == ")")
            pieces[-1].append(" ")
        elif token == ";":
            pieces.append([])
        elif token.startswith('"'):
            is_closed = is_closed and bool(found["closed"])
            pieces[-1].append("\x1f".join(ESCAPED.sub(r"\1", found["quoted"]).split()))
        else:
            pieces[-1].append(token)
    return ["".join(piece).strip().lower() for piece in pieces], is_closed and not depth


def _result(segment: str) -> Result | None:
    pairs = [word.partition("=") for word in EQUALS.sub("=", segment).split() if "=" in word]
    if not pairs:
        return None
    (method, _, result), *properties = pairs
    keys = [method.partition("/")[0], *(key for key, _, _ in properties)]
    return Result(
        method=keys[0], result=result, is_repeated=len({*keys}) < len(keys),
        properties=MappingProxyType({key: value for key, _, value in properties}),
    )  # fmt: skip


def _is_signed_by(one: Result, domain: str) -> bool:
    """Return whether a signature is good, and made by this domain or by the organisation that owns it.

    A subdomain proves nothing, nor a domain in between, nor one under which anybody can register (`co.uk`).
    """
    if one.result != "pass" or one.is_repeated:
        return False
    organisation = _suffixes().privatesuffix(domain)
    signer = _domain(one.properties.get("header.d") or one.properties.get("header.i", ""))
    return organisation is not None and signer in (domain, organisation)


@lru_cache(maxsize=1)
def _suffixes() -> "PublicSuffixList":
    """Load the list when a signature is looked at: it takes a twentieth of a second, and few mails need it."""
    from publicsuffixlist import PublicSuffixList

    return PublicSuffixList()


def _domain(value: str) -> str:
    return value.rpartition("@")[2].strip("<>").rstrip(".")


def _name(text: str) -> str:
    """The server's name, without the version behind it."""
    words = text.split()
    return words[0].rstrip(".").lower() if words else ""
