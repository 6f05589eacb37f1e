"""Passwords and tokens that no log, table or traceback shows by accident, and how texts are cleaned of them."""

import base64
import re
from typing import Final
from urllib.parse import quote, quote_plus

from pydantic import SecretStr

SHORTEST: Final = 4
"""Shorter secrets aren't looked for in texts: they would match in ordinary words."""
_SHORTEST_CODED: Final = 8
"""Shorter pieces of base64 aren't looked for: they would match by chance."""

_known: dict[str, re.Pattern[str]] = {}


class Secret(SecretStr):
    """A password or token. Each one is remembered, so that `masked` finds it in any text."""

    def __init__(self, value: str = "") -> None:
        super().__init__(value)
        if len(value) >= SHORTEST and value not in _known:
            _known[value] = _pattern(value)


class HiddenUrl(str):
    """The URL of a database. It may hold a password, and its repr hides that."""

    __slots__ = ()

    def __repr__(self) -> str:
        return repr(without_password(str(self)))


def without_password(url: str) -> str:
    """Return a URL without the password before its host or among its options."""
    return re.sub(r"((?:password|passfile)=)[^&\s]*", r"\1***", re.sub(r"(://[^:@/]*):.*@", r"\1:***@", url))


def masked(text: str) -> str:
    """Return a text without the secrets of this process, be they plain, escaped, in a URL, or within base64."""
    for secret in sorted(_known, key=len, reverse=True):  # one may be within another
        text = _known[secret].sub("***", text)
    return text


def _pattern(value: str) -> re.Pattern[str]:
    plain = {value, repr(value)[1:-1], quote(value, safe=""), quote(value), quote_plus(value)}
    plain |= {ascii(value)[1:-1], str(value.encode())[2:-1]}
    forms = sorted(plain | _in_base64(value.encode()), key=len, reverse=True)
    return re.compile("|".join(map(re.escape, forms)))


def _in_base64(value: bytes) -> set[str]:
    """Return the base64 of a value that doesn't depend on its neighbours, for each of the three places in a group."""
    found = set()
    for before in range(3):
        coded = base64.b64encode(b"\0" * before + value)
        first = -(-before * 8 // 6)
        core = coded[first : (before + len(value)) * 8 // 6].decode()
        if len(core) >= _SHORTEST_CODED:
            found |= {core, core.replace("+", "-").replace("/", "_")}
    return found
