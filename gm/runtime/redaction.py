"""Passwords and tokens: values that no log, table or traceback shows by accident, and how texts are cleaned of them."""

import base64
import re
from typing import Any, Final, NoReturn
from urllib.parse import quote, quote_plus

SHORTEST: Final = 4
"""Shorter ones aren't looked for in texts: every other word would be blacked out."""
_SHORTEST_CODED: Final = 8
"""So many characters of base64 must be given away before it is a password's and no chance."""

_known: dict[str, re.Pattern[str]] = {}


class Secret:
    """A password or token. Each is remembered, so that `masked` finds it wherever it turns up."""

    __slots__ = ("_value",)

    def __init__(self, value: str = "") -> None:
        self._value = value
        if len(value) >= SHORTEST and value not in _known:
            _known[value] = _pattern(value)

    def reveal(self) -> str:
        """Hand the password out, for the login."""
        return self._value

    def __bool__(self) -> bool:
        return bool(self._value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and other._value == self._value

    def __hash__(self) -> int:
        return hash(self._value)

    def __repr__(self) -> str:
        return "Secret(***)" if self else "Secret()"

    def __str__(self) -> str:
        return "***" if self else ""

    def __deepcopy__(self, _memo: dict[int, Any]) -> "Secret":
        return self

    def __reduce__(self) -> NoReturn:
        raise TypeError("a secret is not pickled")


class HiddenUrl(str):
    """The URL of a database, which may hold a password: it can be used, but is shown without it."""

    __slots__ = ()

    def __repr__(self) -> str:
        return repr(without_password(str(self)))

    def __deepcopy__(self, _memo: dict[int, Any]) -> "HiddenUrl":
        return self

    def __reduce__(self) -> NoReturn:
        raise TypeError("a secret is not pickled")


def without_password(url: str) -> str:
    """Write a URL without the password before its host, or one among its options."""
    return re.sub(r"((?:password|passfile)=)[^&\s]*", r"\1***", re.sub(r"(://[^:@/]*):.*@", r"\1:***@", url))


def masked(text: str) -> str:
    """Write a text without the secrets of this process: as they are, escaped, in a URL, or within base64."""
    for secret in sorted(_known, key=len, reverse=True):  # one may be within another
        text = _known[secret].sub("***", text)
    return text


def _pattern(value: str) -> re.Pattern[str]:
    plain = {value, repr(value)[1:-1], quote(value, safe=""), quote(value), quote_plus(value)}
    plain |= {ascii(value)[1:-1], str(value.encode())[2:-1]}
    forms = sorted(plain | _in_base64(value.encode()), key=len, reverse=True)
    return re.compile("|".join(map(re.escape, forms)))


def _in_base64(value: bytes) -> set[str]:
    """Find what of a value is the same in base64 whatever stands around it, at each of the three places in a group."""
    found = set()
    for before in range(3):
        coded = base64.b64encode(b"\0" * before + value)
        first = -(-before * 8 // 6)
        core = coded[first : (before + len(value)) * 8 // 6].decode()
        if len(core) >= _SHORTEST_CODED:
            found |= {core, core.replace("+", "-").replace("/", "_")}
    return found
