"""What the GM changes about a player: another name, another address."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sqlmodel import Session, col, func, select

from games.api import Text, say
from gm.app.context import App
from gm.game.deadlines import local_day
from gm.game.people.lookup import reachable
from gm.game.people.name_changes import name_changes
from gm.game.people.name_rules import check_somebodys, player_name
from gm.game.schedule import vacations
from gm.messages import questions
from gm.messages.outgoing import Occasion, Part, gm_name, post, recipient
from gm.requests.desk.actions import worded
from gm.runtime.errors import PlayerError, Refused, in_each
from gm.store.queries import player_queries, question_queries
from gm.store.tables import Address, MailOut, Player, Question
from parsers import commands
from parsers.addresses import canonical
from parsers.invisible import fold_name
from parsers.lines.arguments import read_vacation

NEW_ADDRESS: Final = "address"
"""The kind of both questions about another address."""

# -- another name ------------------------------------------------------------------------------------------------------


def rename(app: App, name: str, new: str) -> tuple[str, str]:
    """Give a player another name, and tell them; returns the one before and the new one. Raises Refused."""
    wanted = player_name(new)
    with app.database.write() as session:
        player = reachable(session, name)
        before, taken = player.name, player_queries.player_named(session, wanted)
        if wanted == before:
            raise Refused(say("players.same_name", player=before))
        if taken is not None and taken.id != player.id:
            raise Refused(say("players.name_taken", player=taken.name))
        check_somebodys(wanted)
        player.former_names = [*dict.fromkeys([*player.former_names, before])]
        with name_changes(session, app.settings):
            player.name, player.name_key = wanted, fold_name(wanted)
        _tell(app, session, player, before)
    return before, wanted


def _tell(app: App, session: Session, player: Player, before: str) -> None:
    text = say("RENAMED", name=player.name, before=before, gm=gm_name(app))
    _notify(app, session, player, text, "renamed")


def _notify(app: App, session: Session, player: Player, text: Text, kind: str) -> None:
    """Tell a player of a change in a mail of its own."""
    occasion = Occasion(cause=f"{kind}:{player.id}:{app.now().isoformat()}", kind=kind)
    context = {"text": text, "game": "", "taken": None}
    post(app, session, occasion, recipient(app, session, player), [Part(template="notice", context=context)])


# -- vacation ----------------------------------------------------------------------------------------------------------


def vacation(app: App, name: str, span: str) -> str:
    """Note a vacation for a player, or strike it (`off`), as by mail, and tell them. Raises Refused."""
    with app.database.write() as session:
        player = reachable(session, name)
        command, text = vacation_within(app, session, player, span)
        days = f" from {command.days[0]} to {command.days[1]}" if command.days else ""
        moved = f" New ZAT: {games}." if (games := dict(text.values).get("games")) else ""
        if command.is_off:
            return f"The vacation of {player.name}{days} is taken back."
        return f"{player.name} is away{days}.{moved}"


def vacation_within(app: App, session: Session, player: Player, span: str) -> tuple[commands.Vacation, Text]:
    """Do the same within the caller's transaction; returns it as it was read, and what the player is told.

    Raises Refused.
    """
    command = read_vacation(span.strip().replace("..", " - "), local_day(app))
    if command is None:
        raise Refused(say("players.no_days", text=span))
    try:
        language = recipient(app, session, player).language
        text = vacations.carry_out(app, session, player, command, language, local_day(app))
    except PlayerError as error:
        said = error.text
        raise Refused(in_each(lambda language: worded(app, None, said, language))) from error
    _notify(app, session, player, text, "vacation")
    return command, text


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
        return use_within(app, session, reachable(session, name), address)


def use_within(app: App, session: Session, player: Player, address: str) -> AddressesInUse:
    """Do the same within the caller's transaction. Raises Refused."""
    new = canonical(address)
    if not new:
        raise Refused(say("players.no_address", address=address))
    if new == app.settings.service.address.lower():
        raise Refused(say("players.own_address", address=new))
    if player_queries.address_of(session, player.id) != new:
        use_address(session, player, new)
    settle_open_questions(app, session, player, "replaced")
    return _addresses_in_use(session, player)


def remove(app: App, name: str, address: str) -> AddressesInUse:
    """Remove one of several addresses: mails from there are a stranger's from now on. Raises Refused."""
    unwanted = canonical(address)
    with app.database.write() as session:
        player = reachable(session, name)
        held = player_queries.addresses(session, player.id)
        if unwanted not in held:
            there_are = ", ".join(held) or "-"
            raise Refused(say("players.not_the_address", player=player.name, address=address, there_are=there_are))
        if len(held) == 1:
            other = f'gm player address "{player.name}" ADDRESS'
            raise Refused(say("players.only_address", address=unwanted, player=player.name, other=other))
        rows = select(Address).where(Address.player_id == player.id, Address.address == unwanted)
        session.delete(session.exec(rows).one())
        session.flush()
        session.expire(player, ["addresses"])
        return _addresses_in_use(session, player)


def _addresses_in_use(session: Session, player: Player) -> AddressesInUse:
    held = player_queries.addresses(session, player.id)
    queued = select(func.count()).where(
        MailOut.player_id == player.id, MailOut.status == "queued", MailOut.address != held[0]
    )  # fmt: skip
    others = [other.name for other in player_queries.players_at(session, held[0]) if other.id != player.id]
    return AddressesInUse(name=player.name, addresses=held, shared_with=others, queued=session.exec(queued).one())


def open_address_questions(session: Session, player: Player) -> list[Question]:
    asked = question_queries.questions_to(session, player.id, NEW_ADDRESS)
    return [question for question in asked if question.answered_at is None]


def settle_open_questions(app: App, session: Session, player: Player, answer: str) -> None:
    """Settle what a player was asked about a new address: a late answer must change nothing."""
    for question in open_address_questions(session, player):
        questions.close(app, session, question, answer)


def use_address(session: Session, player: Player, new: str) -> None:
    """Send a player's mails to this address from now on. Moves from the earlier ones still count."""
    rows = session.exec(select(Address).where(Address.player_id == player.id).order_by(col(Address.id))).all()
    if not rows:  # until now by post
        session.add(Address(player_id=player.id, address=new))
        session.flush()
        session.expire(player, ["addresses"])
        return
    first, known = rows[0], next((row for row in rows if row.address == new), None)
    mark = (known.bounced_at, known.bounce) if known else (None, "")
    if known is not None:
        session.delete(known)
        session.flush()
    before = Address(player_id=player.id, address=first.address, bounced_at=first.bounced_at, bounce=first.bounce)
    first.address, (first.bounced_at, first.bounce) = new, mark
    session.add(first)
    session.flush()
    session.add(before)
    session.flush()
    session.expire(player, ["addresses"])
