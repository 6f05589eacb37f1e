"""Which texts and mails are a person's own, and finding their name in texts that everybody may read."""

import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlmodel import Session, col, select

from gm.store.queries.player_queries import NOBODY
from gm.store.tables import Address, AdvanceMove, MailIn, MailOut, Press, Question, Sheet
from gm.store.zine_tables import Row
from parsers.lines.blocks import PLAYER_LINE

_GAP: Final = r"\s+"
"""What may stand between the words of a name, as lines are broken."""
_NEVER: Final = re.compile(r"(?!)")


# -- whose mail it is --------------------------------------------------------------------------------------------------


def addresses_ever(session: Session, player_id: int) -> set[str]:
    """Collect a player's addresses, also those that were taken away since; not the GM's, who printed their mails."""
    found = (
        select(Address.address).where(Address.player_id == player_id),
        select(MailIn.sender).where(MailIn.player_id == player_id),
        select(MailOut.address).where(MailOut.player_id == player_id, col(MailOut.by_post).is_(False)),
        select(Question.address).where(Question.player_id == player_id),
    )
    return {address.lower() for rows in found for address in session.exec(rows.distinct())} - {""}


def shared_addresses(session: Session, player_id: int) -> dict[str, int]:
    """Find the addresses, once or now a player's, that somebody else has, with whom."""
    rows = select(Address).where(Address.player_id != player_id)
    ever = addresses_ever(session, player_id)
    return {row.address: row.player_id for row in session.exec(rows) if row.address in ever}


def brought_by(player_id: int) -> Any:
    """Select the ids of the mails that brought a move or press of a player: a shared address doesn't show who wrote."""
    return _brought(lambda table: table.player_id == player_id)


def brought_by_others(player_id: int) -> Any:
    """Select the ids of the mails that brought a move or press of anybody else."""
    return _brought(lambda table: table.player_id != player_id)


def _brought(whose: Any) -> Any:
    rows = [
        select(table.mail_id).where(whose(table), col(table.mail_id).is_not(None))
        for table in (Sheet, AdvanceMove, Press)
    ]
    return rows[0].union(*rows[1:])


# -- where somebody is named -------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class PersonFinder:
    """Finds somebody's names and addresses in texts. Longer names of other players are left alone."""

    names: re.Pattern[str]
    addresses: re.Pattern[str]

    def scrub(self, text: str) -> str:
        """Write a text without their names and addresses."""
        plain = unicodedata.normalize("NFC", text)
        without = self.addresses.sub(NOBODY, plain)
        without = self.names.sub(lambda found: NOBODY if found["own"] else found[0], without)
        return text if without == plain else without

    def kept_lines(self, lines: Iterable[str]) -> list[str]:
        """Return the lines of their block without those that name them. A row of letters may be a name by chance."""
        return [line for line in lines if not (
            PLAYER_LINE.fullmatch(line.strip()) or self.addresses.search(line)
            or (" " in line.strip() and self.scrub(line) != line)
        )]  # fmt: skip


def person_finder(names: Collection[str], addresses: Collection[str], others: Collection[str]) -> PersonFinder:
    """Prepare to find these names and addresses, but not within the names of others."""
    own = "|".join(_name(name) for name in sorted(names, key=len, reverse=True))
    keys = [name.casefold() for name in names]
    longer = [other for other in others if any(key in other.casefold() and key != other.casefold() for key in keys)]
    apart = "|".join(_name(name) for name in sorted(longer, key=len, reverse=True)) or "(?!)"
    places = "|".join(rf"(?<![\w.+-]){re.escape(address)}(?!\w|[.-]\w)" for address in addresses)
    return PersonFinder(
        names=re.compile(f"(?P<other>{apart})|(?P<own>{own})", re.IGNORECASE),
        addresses=re.compile(places, re.IGNORECASE) if places else _NEVER,
    )


def _name(name: str) -> str:
    """Match a name as a whole, in the genitive too; `ß` may be written as `ss`."""
    spellings = dict.fromkeys(unicodedata.normalize("NFC", spelling) for spelling in (name, name.casefold()))
    forms = "|".join(_GAP.join(map(re.escape, spelling.split())) for spelling in spellings)
    return rf"(?<!\w)(?:{forms})(?=s?(?!\w|-\w))"


def tables_of_players() -> list[type[Row]]:
    """List the tables whose rows are about one player, by name."""
    found = [table for table in Row.__subclasses__() if "player_id" in table.model_fields]
    return sorted(found, key=lambda table: str(table.__tablename__))


@dataclass(frozen=True, kw_only=True)
class Forgotten:
    """What forgetting a player has removed, or would remove."""

    name: str
    called: str
    """How the GM names the row that is left, where an empty seat still has to be filled."""
    counts: dict[str, int]
    games: Sequence[str]
    """In which they have, or had, a seat."""
    addresses: Sequence[str]
    empty_seats: Sequence[str]
    """The running games in which the player's seat is empty."""
    finder: PersonFinder
    """What finds them in files."""
    shown: str
    """What the pages called them."""
    texts: Sequence[str]
    """What they wrote for everybody to read."""
    is_gone_from_disk: bool
