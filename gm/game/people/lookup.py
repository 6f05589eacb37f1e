"""Finding a player by name or address, also a former one; registering a new one."""

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Final

from sqlmodel import Session, col, select

from games.api import Text, say
from gm.app.context import App
from gm.game.people.name_rules import LONGEST_NAME, check_somebodys, clean_name, is_nobodys, player_name
from gm.runtime.errors import Refused
from gm.store.queries import player_queries
from gm.store.queries.player_queries import NOBODY
from gm.store.tables import Address, Player
from parsers.addresses import canonical
from parsers.invisible import fold_name

SHORTEST: Final = 2
"""So many letters of a name that isn't a whole first name must be given."""
MOST_NAMED: Final = 8
"""So many players are listed where one of them may be meant."""
NAMELESS: Final = "Anonymus"
"""What a newcomer is called whose mail and address have no name."""
_ADDRESSED: Final = re.compile(r"(?:(?P<name>[^<>@]*\S)\s+)?<?(?P<address>[^\s<>@]+@[^\s<>@]+)>?")
"""How somebody is named by address: `anna@example.org`, `Anna Berg anna@example.org`."""
_BY_POST: Final = re.compile(r"(?P<name>.*\S)\s+\(Post\)", re.IGNORECASE)
"""How somebody without an address is told from others: `Frida Fuchs (Post)`."""
_WORD: Final = re.compile(r"\w+")


def known(session: Session) -> Sequence[Player]:
    """List all players but the forgotten ones, by name."""
    return session.exec(select(Player).where(Player.name != NOBODY).order_by(col(Player.name_key))).all()


def named(session: Session, name: str) -> Player:
    """Find a player by name, in any case, or by address; a unique first name or beginning is enough.

    Raises Refused, with those whom it may mean, or the nearest one.
    """
    player = meant(session, name, known(session)) or player_queries.player_named(session, name)
    if player is None:
        raise Refused(say("lookup.no_player", name=name, hint=_hint(session, name)))
    return player


def meant(session: Session, name: str, among: Iterable[Player]) -> Player | None:
    """Find who of these players is meant: by address, name and address, the whole name, the first or the beginning.

    None where it is nobody. Raises Refused, with their names, where it may be several: also where the whole name of
    one is part of another's, who may be called by it for short. The address tells these apart.
    """
    players = [*{player.id: player for player in among}.values()]
    found = _at_address(session, name, players) or fitting(name, players)
    if len(found) < 2:
        return found[0] if found else None
    names = sorted(player.name for player in found)
    shown, rest = ", ".join(names[:MOST_NAMED]), len(names) - MOST_NAMED
    several = say("lookup.and_more", names=shown, number=rest) if rest > 0 else shown
    one = next((player for player in found if player.name_key == fold_name(name)), None)
    if one is None:
        raise Refused(say("lookup.several", name=name, players=several))
    for_sure = _for_sure(session, one)
    raise Refused(say("lookup.several_or_one", name=name, players=several, one=one.name, for_sure=for_sure))


def _at_address(session: Session, name: str, players: Sequence[Player]) -> Sequence[Player]:
    """Find whom an address means, with or without a name before it; or a name without one."""
    if typed := _BY_POST.fullmatch(name.strip()):
        key = fold_name(typed["name"])
        return [one for one in players if one.name_key == key and player_queries.is_by_post(session, one)]
    if not (typed := _ADDRESSED.fullmatch(name.strip())):
        return ()
    held = player_queries.players_at(session, typed["address"])
    wanted = fold_name(typed["name"] or "")
    return [player for player in players if player in held and wanted in ("", player.name_key)]


def _for_sure(session: Session, player: Player) -> str:
    """Write what means this player and nobody else."""
    address = player_queries.address_of(session, player.id)
    if not address:
        return f"{player.name} (Post)"
    is_alone = len(player_queries.players_at(session, address)) == 1
    return address if is_alone else f"{player.name} {address}"


def fitting(name: str, players: Sequence[Player]) -> Sequence[Player]:
    """List who of these may be meant by a name: those of whom it is the whole name, else the first, else the beginning.

    Beside the one whose whole name it is stand those of whose names it is a part; not beside a forgotten one.
    """
    wanted = fold_name(name)
    whole = [player for player in players if player.name_key == wanted]
    if whole:
        is_known = whole[0].name != NOBODY
        return [*whole, *(player for player in players if is_known and _is_part(player.name_key, wanted))]
    by_first_name = [player for player in players if _is_first_name(player.name_key, wanted)]
    return by_first_name or [player for player in players if _is_beginning(player.name_key, wanted)]


def _is_part(key: str, wanted: str) -> bool:
    """Whether some words of a name, but not all, are those that are wanted; half a double name counts by itself.

    A number that told two of one name apart is no word of it.
    """
    some = wanted.split()
    words = key.split() if len(some) > 1 else _WORD.findall(key)
    while len(words) > 1 and words[-1].isdecimal():
        words.pop()
    return len(some) < len(words) and f" {' '.join(some)} " in f" {' '.join(words)} "


def _is_first_name(key: str, wanted: str) -> bool:
    return bool(wanted) and key.startswith(f"{wanted} ")


def _is_beginning(key: str, wanted: str) -> bool:
    return len(wanted) >= SHORTEST and key.startswith(wanted)


def _hint(session: Session, name: str) -> Text:
    by_key = {player.name_key: player.name for player in known(session)}
    if not by_key:
        return say("lookup.none_yet")
    there_are = say("lookup.one_player" if len(by_key) == 1 else "lookup.players", number=len(by_key))
    near = get_close_matches(fold_name(name), by_key, 1)
    return say("lookup.near", near=by_key[near[0]], there_are=there_are) if near else there_are


def reachable(session: Session, name: str, *, in_full: bool = False) -> Player:
    """Find a player who isn't forgotten; `in_full`: only by the whole name, or by address. Raises Refused."""
    player = (player_queries.player_named(session, name) if in_full else None) or named(session, name)
    if in_full and player.name_key != fold_name(name) and not _ADDRESSED.fullmatch(name.strip()):
        raise Refused(say("lookup.name_in_full", name=name, player=player.name))
    return not_forgotten(player)


def not_forgotten(player: Player) -> Player:
    """Return a player who isn't forgotten. Raises Refused."""
    if player.name == NOBODY:
        raise Refused(say("lookup.forgotten", player=player.name))
    return player


# -- registering -------------------------------------------------------------------------------------------------------


def to_seat(app: App, session: Session, name: str, address: str | None) -> Player:
    """Find or register whom the GM seats: without an address somebody we know, with an empty one by post.

    Raises Refused.
    """
    if address:
        return find_or_register(app, session, name, address)
    if address is not None:
        return find_or_register_by_post(app, session, name)
    player = meant(session, name, known(session))
    if player is None:
        raise Refused(say("lookup.no_player_to_seat", name=name, hint=_hint(session, name)))
    return player


def find_or_register(app: App, session: Session, name: str, address: str) -> Player:
    """Find or register a player by name and address.

    Raises Refused for a name that another address holds, or that is short for somebody's at the same one.
    """
    name, written = player_name(name), address.strip()
    address = player_queries.known_address(session, canonical(written))
    if not address:
        raise Refused(say("lookup.no_address", text=written))
    known = player_queries.player_named(session, name)
    if known is None:
        _check_is_another(session, name, address)
        return _register(app, session, name, address)
    if known in player_queries.players_at(session, address):
        return known
    if player_queries.is_by_post(session, known):
        line = f'gm player address "{known.name}" {address}'
        raise Refused(say("lookup.plays_by_post", player=known.name, line=line))
    raise Refused(say("lookup.another_address", player=known.name))


def find_or_register_by_post(app: App, session: Session, name: str) -> Player:
    """Find or register a player without a mail address. Raises Refused for a name whose player has one."""
    name = player_name(name)
    known = player_queries.player_named(session, name)
    if known is None:
        return _register(app, session, name)
    if player_queries.is_by_post(session, known):
        return known
    address = player_queries.address_of(session, known.id)
    raise Refused(say("lookup.has_address", player=known.name, address=address))


def _check_is_another(session: Session, name: str, address: str) -> None:
    """Check that a name isn't short for somebody's at the same address, or longer. Raises Refused."""
    key = fold_name(name)
    for one in player_queries.players_at(session, address):
        if _is_part(one.name_key, key) or _is_part(key, one.name_key):
            raise Refused(say("lookup.short_for_another", player=one.name))


def register_newcomer(app: App, session: Session, name: str, address: str) -> Player:
    """Register somebody who signed up by mail; a name that is taken gets a number, one that is none another one."""
    written = (clean_name(name), clean_name(address.partition("@")[0]))
    wanted = next((one for one in written if one and not is_nobodys(one)), NAMELESS)
    free, number = wanted, 2
    while player_queries.player_named(session, free):
        free, number = f"{wanted[: LONGEST_NAME - 4]} {number}", number + 1
    return _register(app, session, free, address)


def _register(app: App, session: Session, name: str, address: str = "") -> Player:
    """Register somebody under a name that is free; without an address, by post. Raises Refused for nobody's."""
    check_somebodys(name)
    player = Player(name=name, name_key=fold_name(name), created_at=app.now())
    session.add(player)
    session.flush()
    if address:
        session.add(Address(player_id=player.id, address=address))
        session.flush()
        session.expire(player, ["addresses"])
    return player
