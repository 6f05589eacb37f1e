"""Whose a mail is, where From says it in another way than its player did, or doesn't say it at all."""

from dataclasses import replace
from typing import Final

from sqlmodel import Session

from gm.store.queries import player_queries
from gm.store.tables import Player
from parsers.mime.message import Mail

_VIA: Final = " via "
"""What a list writes between a name and its own."""


def with_known_sender(session: Session, mail: Mail) -> Mail:
    """Write the sender as we know the mailbox. Of several addresses in From that are one player's the first counts."""
    if mail.sender:
        known = player_queries.known_address(session, mail.sender)
        return mail if known == mail.sender else replace(mail, sender=known, written_from=mail.sender)
    known_senders = [player_queries.known_address(session, one) for one in mail.named_senders]
    owners = [{player.id for player in player_queries.players_at(session, one)} for one in known_senders]
    if owners and owners[0] and all(one == owners[0] for one in owners):
        return replace(mail, sender=known_senders[0], written_from=mail.named_senders[0])
    return mail


def is_by_way_of_a_list(mail: Mail) -> bool:
    """Whether the name beside the address says so: `Frank Berg via Liste`."""
    return _VIA in mail.sender_name


def possible_writers(session: Session, mail: Mail) -> list[Player]:
    """List the players from whom a mail may be whose From is somebody else's, or nobody's.

    A list or a forwarder puts its own address there; then Reply-To names the writer, or the name beside the address.
    """
    addresses = dict.fromkeys((*filter(None, [mail.sender]), *mail.possible_senders, *mail.reply_to))
    known = [player_queries.known_address(session, address) for address in addresses]
    found = {player.id: player for address in known for player in player_queries.players_at(session, address)}
    if not found and (named := player_queries.player_named(session, mail.sender_name.partition(_VIA)[0])):
        found = {named.id: named}
    return list(found.values())
