"""Authentication-Results fields -> what a trusted mail server says about the domain in From.

Sources: RFC 8601 (the field, 5: forged ones), RFC 7489 3.1 (alignment); shared/spec/mail.md 4.3 and 1.11.

Anybody can write such a field into a mail, with any name in it. What can't be forged is where it stands: a server puts
its own above what was sent. So of the fields with a trusted id only those count that stand above From and not below a
Received field of another house, and of these the first one that says something about From decides; another one below
can only take away (dmarc=fail), never give. Where fields stand among the server's own Received fields differs: Gmail
puts them below, Outlook in between, others on top.

Every pass over a field is linear, and fields are cut by `parsers.message`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from parsers.message import MAX_HEADER, Mail

NO_ID: Final = "no-id"
"""How Outlook.com's and Microsoft 365's servers, which give no name, are written in a list of trusted ones."""
NAMELESS: Final = "outlook.com"
"""Whose servers these are."""
MOST_FIELDS: Final = 40
"""More than servers put above a mail."""

FIELD: Final = "authentication-results"
OUTSIDE = re.compile(r'"(?P<quoted>(?:[^"\\]|\\.)*)(?P<closed>"?)|[(;]|[^"(;]+', re.DOTALL)
COMMENT = re.compile(r"[()]|\\.|\\|[^()\\]+", re.DOTALL)
ESCAPED = re.compile(r"\\(.)", re.DOTALL)
EQUALS = re.compile(r"\s*=\s*")
ANY_FAIL = re.compile(r"\bdmarc\s*=\s*fail", re.IGNORECASE)
FROM_HOST = re.compile(r"\s*from\s+([^\s;]+)", re.IGNORECASE)
BY_HOST = re.compile(r"(?:^|\s)by\s+([^\s;]+)", re.IGNORECASE)

Word: TypeAlias = Literal["pass", "fail", "none"]


@dataclass(frozen=True, kw_only=True)
class Result:
    """One check: `dkim=pass header.d=gmx.example`, in lower case."""

    method: str
    result: str
    properties: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """What is said twice, in different words, is left out."""


@dataclass(frozen=True, kw_only=True)
class Results:
    """One field as it was read."""

    authserv: str = NO_ID
    results: tuple[Result, ...] = ()
    is_broken: bool = False
    """A comment or a quotation has no end, or the field was too long: what stands in it can't be told for sure."""
    says_fail: bool = False

    @property
    def is_decisive(self) -> bool:
        """Whether it says anything about the domain in From."""
        checks = any(one.method == "dkim" or (one.method == "dmarc" and one.result != "none") for one in self.results)
        return checks or self.is_broken

    def proves(self, domain: str) -> bool:
        """Say whether the mail is from this domain, by DMARC or by an aligned DKIM signature. SPF proves nothing."""
        dmarc = [one for one in self.results if one.method == "dmarc" and one.result != "none"]
        if self.is_broken or any(one.result != "pass" for one in dmarc):
            return False
        if any(_domain(one.properties.get("header.from", "")) == domain for one in dmarc):
            return True
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
    """Say what the trusted servers found out about the domain in From."""
    if not trusted or not mail.sender or FIELD not in mail.headers:
        return Verdict()
    domain = mail.sender.rpartition("@")[2]
    counting = list(trusted_results(mail, trusted))
    if failed := next((one for one in counting if one.says_fail), None):
        return Verdict(word="fail", authserv=failed.authserv)
    first = next((one for one in counting if one.is_decisive), None)
    if first is None:
        return Verdict()
    return Verdict(word="pass" if first.proves(domain) else "none", authserv=first.authserv)


def trusted_results(mail: Mail, trusted: Sequence[str]) -> Iterator[Results]:
    """Go through the fields that a trusted server has put there, from the top."""
    fields, hops = iter(mail.headers.get(FIELD, ())), iter(mail.headers.get("received", ()))
    looked_at, is_outside = 0, False
    for name in mail.names:
        if name == "from" or looked_at >= MOST_FIELDS:
            return
        if name == "received":
            if is_outside:
                return
            is_outside = _takes_from_outside(next(hops), trusted)
        elif name == FIELD:
            looked_at += 1
            results = read_results(next(fields))
            if is_trusted(results.authserv, trusted):
                yield results


def servers(mail: Mail) -> set[str]:
    """Name all servers whose fields stand above From, trusted or not."""
    above = mail.names[: mail.names.index("from")] if "from" in mail.names else mail.names
    fields = mail.headers.get(FIELD, ())[: above.count(FIELD)]
    return {read_results(value).authserv for value in fields[:MOST_FIELDS]} - {""}


def is_trusted(authserv: str, trusted: Sequence[str]) -> bool:
    """Say whether one of the entries means this server."""
    return any(_pattern(entry).fullmatch(authserv) for entry in trusted)


def _takes_from_outside(received: str, trusted: Sequence[str]) -> bool:
    """Say whether with this hop a mail came into a trusted server's house: every Received below is somebody else's."""
    plain = " ".join(_segments(received)[0])
    by, taken = BY_HOST.search(plain), FROM_HOST.match(plain)
    houses = {house_of(NAMELESS if entry == NO_ID else entry) for entry in trusted}
    return bool(by and taken and house_of(by[1]) in houses and house_of(taken[1]) not in houses)


def house_of(host: str) -> str:
    """Give the last two labels of a host: whose it is, near enough."""
    return ".".join(_name(host).split(".")[-2:])


@lru_cache(maxsize=200)
def _pattern(entry: str) -> re.Pattern[str]:
    """`*.` at the beginning stands for any labels, another `*` for a part of one."""
    any_labels, rest = entry.startswith("*."), entry.removeprefix("*.").lower()
    text = re.escape(rest).replace(r"\*", "[a-z0-9_-]*")
    return re.compile(rf"(?:[a-z0-9_-]+\.)+{text}" if any_labels else text)


def _segments(value: str) -> tuple[list[str], bool]:
    """Cut at semicolons, without comments and quotation marks; and say whether all of these were closed.

    Blanks in a quotation become another sign, so that it stays one word.
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
    said: dict[str, str] = {}
    for key, _, value in properties:
        said[key] = value if said.get(key, value) == value else ""
    return Result(
        method=method.partition("/")[0], result=result,
        properties=MappingProxyType({key: value for key, value in said.items() if value}),
    )  # fmt: skip


def _is_signed_by(one: Result, domain: str) -> bool:
    """Say whether a signature is good and of this domain, or of one that it belongs to; never the other way round."""
    signer = _domain(one.properties.get("header.d") or one.properties.get("header.i", ""))
    is_aligned = signer == domain or ("." in signer and domain.endswith(f".{signer}"))
    return one.result == "pass" and is_aligned


def _domain(value: str) -> str:
    return value.rpartition("@")[2].strip("<>").rstrip(".")


def _name(text: str) -> str:
    """The server's name, without the version behind it."""
    words = text.split()
    return words[0].rstrip(".").lower() if words else ""
