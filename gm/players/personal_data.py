"""Finding somebody's names and addresses in texts and in whole mails, however these are encoded."""

import email
import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Set
from dataclasses import dataclass
from email.message import Message
from html import unescape
from typing import Final
from urllib.parse import unquote

from parsers.commands.eriwan import PLAYER_LINE
from parsers.mime.message import FOLD, decode_words

NOBODY: Final = "N. N."
"""How somebody is called who was forgotten."""

_GAP: Final = r"[\s>|]+"
"""What may stand between the words of a name, as lines are broken and quoted."""
_NEVER: Final = re.compile(r"(?!)")
_IDS: Final = re.compile(rb"<[^<>\s]+>")
_ESCAPE: Final = re.compile(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2}))")


@dataclass(frozen=True, kw_only=True)
class PersonFinder:
    """Finds somebody's names and addresses in texts. Longer names of other players are left alone."""

    names: re.Pattern[str]
    addresses: re.Pattern[str]
    ids: Set[bytes]
    """The Message-IDs of their mails, in which an address may be hidden."""

    def in_text(self, text: str) -> bool:
        """Check whether a text names them."""
        shown = _decoded(text)
        return bool(self.addresses.search(shown)) or any(found["own"] for found in self.names.finditer(shown))

    def in_mail(self, raw: bytes) -> bool:
        """Check whether a mail names them, or a mail of theirs. A mail that can't be read counts as if it did."""
        try:
            return not self.ids.isdisjoint(_IDS.findall(raw)) or any(self.in_text(text) for text in _texts(raw))
        except Exception:  # noqa: BLE001 (the library fails in many ways; what can't be read could hold the name)
            return True

    def scrub(self, text: str) -> str:
        """Write a text without their names and addresses."""
        if not self.in_text(text):
            return text
        plain = self._without(unicodedata.normalize("NFC", text))
        return self._without(_decoded(plain)) if self.in_text(plain) else plain

    def _without(self, text: str) -> str:
        return self.names.sub(lambda found: NOBODY if found["own"] else found[0], self.without_addresses(text))

    def without_addresses(self, text: str) -> str:
        """Write a text without their addresses."""
        return self.addresses.sub(NOBODY, text)

    def kept_lines(self, lines: Iterable[str], *, own: bool) -> list[str]:
        """Return the lines of a block without those that name them. A row of letters may be a name by chance."""
        return [line for line in lines if not (
            (own and PLAYER_LINE.fullmatch(line.strip())) or self.addresses.search(line)
            or (" " in line.strip() and self.in_text(line))
        )]  # fmt: skip


def person_finder(
    names: Collection[str], addresses: Collection[str], others: Collection[str], ids: Collection[str] = ()
) -> PersonFinder:
    """Prepare to find these names and addresses, but not within the names of others."""
    own = "|".join(_name(name) for name in sorted(names, key=len, reverse=True))
    keys = [name.casefold() for name in names]
    longer = [other for other in others if any(key in other.casefold() and key != other.casefold() for key in keys)]
    apart = "|".join(_name(name) for name in sorted(longer, key=len, reverse=True)) or "(?!)"
    places = "|".join(rf"(?<![\w.+-]){re.escape(address)}(?!\w|[.-]\w)" for address in addresses)
    return PersonFinder(
        names=re.compile(f"(?P<other>{apart})|(?P<own>{own})", re.IGNORECASE),
        addresses=re.compile(places, re.IGNORECASE) if places else _NEVER,
        ids=frozenset(message_id.encode() for message_id in ids),
    )


def _decoded(text: str) -> str:
    """Read a text as people would see it: without the escapes of HTML, of links and of JSON."""
    plain = unquote(unescape(unicodedata.normalize("NFC", text)))
    return unicodedata.normalize("NFC", _ESCAPE.sub(_sign, plain))


def _sign(found: re.Match[str]) -> str:
    number = int(found[1] or found[2], 16)
    return found[0] if 0xD800 <= number < 0xE000 else chr(number)  # half a sign can't be stored


def _name(name: str) -> str:
    """Match a name as a whole, in the genitive too; `ß` may be written as `ss`."""
    spellings = dict.fromkeys(unicodedata.normalize("NFC", spelling) for spelling in (name, name.casefold()))
    forms = "|".join(_GAP.join(map(re.escape, spelling.split())) for spelling in spellings)
    return rf"(?<!\w)(?:{forms})(?=s?(?!\w|-\w))"


def _texts(raw: bytes) -> Iterator[str]:
    """List all texts of a mail: as it is stored, then its decoded header fields and parts, attached mails too."""
    yield from (raw.decode(charset, "replace") for charset in ("utf-8", "cp1252"))
    for part in email.message_from_bytes(raw).walk():
        yield from (decode_words(FOLD.sub(" ", str(value))) for value in part.values())
        yield from _contents(part)


def _contents(part: Message) -> Iterator[str]:
    content = part.get_payload(decode=True)
    if isinstance(content, bytes):
        yield from (content.decode(charset, "replace") for charset in ("utf-8", "cp1252"))
        charset = part.get_content_charset("utf-8")
        if charset.startswith("utf-16") or charset.startswith("utf-7"):
            yield content.decode(charset, "replace")
