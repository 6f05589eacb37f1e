"""What the GM changes about a player: another name, another address."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from sqlmodel import Session, func, select

from games.api import say
from gm.app.context import App
from gm.commands.addresses import settle_open_questions, use_address
from gm.messages import held_mails
from gm.messages.outgoing import Occasion, Part, gm_name, post, recipient
from gm.players.lookup import former_key, former_names, reachable
from gm.players.name_rules import player_name
from gm.players.shown_names import FORMS, shown_names
from gm.runtime.errors import Refused
from gm.store.queries import meta_queries, player_queries
from gm.store.tables import Address, MailOut, Meta, Player, name_key_of
from parsers.addresses import is_address

# -- another name ------------------------------------------------------------------------------------------------------


def rename(app: App, name: str, new: str) -> tuple[str, str]:
    """Give a player another name, and tell them; returns the one before and the new one. Raises Refused."""
    wanted = player_name(new)
    with app.database.write() as session:
        player = reachable(session, name)
        before, taken = player.name, player_queries.player_named(session, wanted)
        if wanted == before:
            raise Refused(f"{before} has this name already.", de=f"{before} heißt schon so.")
        if taken is not None and taken.id != player.id:
            raise Refused(f"There is a player {taken.name}; names are unique, whatever their case.",
                          de=f"{taken.name} gibt es schon; nimm einen anderen Namen.")  # fmt: skip
        _remember(session, player.id, before)
        player.name, player.name_key = wanted, name_key_of(wanted)
        session.add(player)
        session.flush()
        _tell(app, session, player, before)
    return before, wanted


def _tell(app: App, session: Session, player: Player, before: str) -> None:
    text = say("RENAMED", name=player.name, before=before, gm=gm_name(app))
    occasion = Occasion(cause=f"rename:{player.id}:{app.now().isoformat()}", kind="renamed")
    post(app, session, occasion, recipient(app, session, player), [Part(template="notice", context={"text": text,
         "game": "", "taken": None})])  # fmt: skip


def _remember(session: Session, player_id: int, name: str) -> None:
    names = dict.fromkeys([*former_names(session, player_id), name])
    meta_queries.set_meta(session, former_key(player_id), json.dumps(list(names), ensure_ascii=False))


def forget_former_names(session: Session, player_id: int) -> None:
    """Throw the list of a player's former names away."""
    if row := session.get(Meta, former_key(player_id)):
        session.delete(row)


def set_name_form(app: App, name: str, form: str) -> tuple[str, str]:
    """Show a player in the archive in this form, or as the house does; returns the name and the one that is shown.

    Raises Refused.
    """
    if form not in (*FORMS, "house"):
        raise Refused(f"'{form}' is no form of a name; write full, initial, pseudonym or house.",
                      de=f"»{form}« geht für Namen nicht; schreib full, initial, pseudonym oder house.")  # fmt: skip
    with app.database.write() as session:
        player = reachable(session, name)
        player.name_form = "" if form == "house" else form
        session.add(player)
        session.flush()
        return player.name, shown_names(session, app.settings)[player.id].name


# -- another address ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class AddressesInUse:
    """Where a player is reached after a change."""

    name: str
    addresses: Sequence[str]
    """The first one gets our mails."""
    shared_with: Sequence[str]
    """Other players who have the first address as well."""
    queued: int
    """Mails that wait to be sent and go to another address still."""


def use(app: App, name: str, address: str) -> AddressesInUse:
    """Send a player's mails to an address from now on; moves from the old ones still count. Raises Refused."""
    with app.database.write() as session:
        return use_within(app, session, name, address)


def use_within(app: App, session: Session, name: str, address: str) -> AddressesInUse:
    """Do the same within the caller's transaction. Raises Refused."""
    new = address.strip().lower()
    if not is_address(new):
        raise Refused(f"'{address}' is no mail address; write one like anna@example.org.",
                      de=f"»{address}« ist keine Mailadresse; schreib eine wie anna@example.org.")  # fmt: skip
    if new == app.settings.service.address.lower():
        raise Refused(f"{new} is the service's own address; mails to players can't go there.",
                      de=f"{new} ist meine eigene Adresse; dahin kann keine Post an Mitspieler gehen.")  # fmt: skip
    player = reachable(session, name)
    if player_queries.address_of(session, player.id) != new:
        use_address(session, player, new)
    settle_open_questions(app, session, player, "replaced")
    return _addresses_in_use(session, player)


def remove(app: App, name: str, address: str) -> AddressesInUse:
    """Remove one of several addresses: mails from there are a stranger's from now on. Raises Refused."""
    unwanted = address.strip().lower()
    with app.database.write() as session:
        player = reachable(session, name)
        held = player_queries.addresses(session, player.id)
        if unwanted not in held:
            there_are = ", ".join(held)
            raise Refused(f"{player.name} has no address '{address}'; there are: {there_are}.",
                          de=f"{player.name} hat keine Adresse »{address}«; es gibt: {there_are}.")  # fmt: skip
        if len(held) == 1:
            other = f'gm player address "{player.name}" ADDRESS'
            raise Refused(
                f"{unwanted} is the only address of {player.name}; first give another: {other}.",
                de=f"{unwanted} ist die einzige Adresse von {player.name}; gib erst eine andere an: {other}.",
            )
        rows = select(Address).where(Address.player_id == player.id, Address.address == unwanted)
        session.delete(session.exec(rows).one())
        session.flush()
        held_mails.follow_address(session, player)
        return _addresses_in_use(session, player)


def _addresses_in_use(session: Session, player: Player) -> AddressesInUse:
    held = player_queries.addresses(session, player.id)
    queued = select(func.count()).where(
        MailOut.player_id == player.id, MailOut.status == "queued", MailOut.address != held[0]
    )  # fmt: skip
    others = [other.name for other in player_queries.players_at(session, held[0]) if other.id != player.id]
    return AddressesInUse(name=player.name, addresses=held, shared_with=others, queued=session.exec(queued).one())
