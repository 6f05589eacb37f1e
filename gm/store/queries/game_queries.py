"""Questions to the database, as functions of a session.

What every mail asks is built once, as a constant: building a statement takes longer than running it.
"""

import secrets
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple

import sqlalchemy as sa
from sqlalchemy import bindparam
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, func, or_, select

from gm.store.chunks import portions
from gm.store.queries.query_cache import asked_once, insert_later, tell
from gm.store.tables import Address, Game, MailOut, Meta, Player, Ruling, Seat, Sheet, Standby, Turn

SHOWN = ("open", "running", "provisional", "finished", "aborted")
END_OF_TIME: Final = datetime(9999, 1, 1, tzinfo=UTC)

COPIED: Final = "copied_at"
"""In a copy by `gm backup` only: when it was made. It goes when the folders of handled mails were looked through."""
LOOK_AGAIN: Final = "look_again_from"
"""Of a copy that has caught up, until it has read the inbox as well: when it had last looked before it was made."""
RESTORED: Final = "restored_at"
"""When copies were put in place, the last time last; each is later than the one before, whatever the clock said."""

THREAD_IDS = 20
"""Of a long thread the last are enough."""


@asked_once(Meta)
def meta(session: Session, key: str) -> str | None:
    """Look up a fact about this database."""
    row = session.get(Meta, key)
    return row.value if row else None


def set_meta(session: Session, key: str, value: str) -> None:
    """Write down a fact about this database."""
    row = session.get(Meta, key) or Meta(key=key, value=value)
    row.value = value
    session.add(row)


def forget_meta(session: Session, key: str) -> None:
    """Take a fact away, if another process wasn't quicker."""
    if row := session.get(Meta, key):
        session.delete(row)


def secret(session: Session) -> str:
    """Give the database's secret, drawn when it is first asked for."""
    known = meta(session, "secret")
    if known is None:
        known = secrets.token_hex(32)
        set_meta(session, "secret", known)
    return known


def life(session: Session) -> str:
    """Name the time since the last `gm restore`: row ids are given a second time then."""
    return meta(session, RESTORED) or ""


def secret_of_this_life(session: Session) -> str:
    """Give a secret that is another one after each `gm restore`: row ids are given a second time then.

    Else a new mail would have the Message-ID of an old one that this database doesn't know, and be dropped as its copy
    on the way; and the code of an old question would answer a new one.
    """
    return secret(session) + (meta(session, RESTORED) or "")


def secret_of_the_life_before(session: Session) -> str | None:
    """Give the one that held before the last restore, None where there was none."""
    lives = (meta(session, RESTORED) or "").split()
    return secret(session) + " ".join(lives[:-1]) if lives else None


def restored_at(session: Session) -> datetime | None:
    """Say when the database was put in place as a copy, the last time; None if it never was."""
    lives = (meta(session, RESTORED) or "").split()
    return datetime.fromisoformat(lives[-1]) if lives else None


def note_restore(session: Session, at: datetime) -> None:
    """Begin another life."""
    set_meta(session, RESTORED, with_another_life(meta(session, RESTORED) or "", at))


def with_another_life(lives: str, at: datetime, *others: datetime) -> str:
    """Add a time of restore, later than the last one and than these others: the clock may be wrong."""
    known = lives.split()
    before = [*map(datetime.fromisoformat, known[-1:]), *others]
    return " ".join([*known, max([at, *(one + timedelta(microseconds=1) for one in before)]).isoformat()])


def key_of(name: str) -> str:
    """Fold a name for comparison: no regard to case or to blanks at the ends."""
    return " ".join(name.split()).casefold()


def game_named(session: Session, name: str) -> Game | None:
    """Find a game by name."""
    return _game_named(session, key_of(name))


_GAME_NAMED: Final = select(Game).where(Game.name_key == bindparam("key"))


@asked_once(Game)
def _game_named(session: Session, key: str) -> Game | None:
    return session.exec(_GAME_NAMED, params={"key": key}).first()


def games(session: Session, statuses: Sequence[str] = SHOWN) -> Sequence[Game]:
    """List games by age."""
    return session.exec(select(Game).where(col(Game.status).in_(statuses)).order_by(col(Game.id))).all()


def player_named(session: Session, name: str) -> Player | None:
    """Find a player by name."""
    return session.exec(select(Player).where(Player.name_key == key_of(name))).first()


def players_at(session: Session, address: str) -> Sequence[Player]:
    """List who writes from an address."""
    return _players_at(session, address.lower())


@asked_once(Address, Player)
def _players_at(session: Session, address: str) -> Sequence[Player]:
    held = select(Address.player_id).where(Address.address == address)
    return session.exec(select(Player).where(col(Player.id).in_(held)).order_by(col(Player.id))).all()


def sharing_an_address(session: Session, game: Game) -> set[int]:
    """Find the players of a game who have an address in common with another one of it."""
    return sharing(session, game.id)


@asked_once(Address, Seat, about_game=True)
def sharing(session: Session, game_id: int) -> set[int]:
    """Find those who share an address by the game's id."""
    sitting = sa.select(col(Seat.player_id)).where(col(Seat.game_id) == game_id, col(Seat.until).is_(None))
    rows = sa.select(col(Address.address), col(Address.player_id)).where(col(Address.player_id).in_(sitting))
    return having_one_in_common((address, player_id) for address, player_id in session.connection().execute(rows))


def having_one_in_common(held: Iterable[tuple[str, int]]) -> set[int]:
    """Find the players, of these addresses with who has them, of whom another one has the same."""
    at: dict[str, set[int]] = {}
    for address, player_id in held:
        at.setdefault(address, set()).add(player_id)
    return {player_id for players in at.values() if len(players) > 1 for player_id in players}


@asked_once(Address)
def address_of(session: Session, player_id: int) -> str:
    """Say where a player gets mail."""
    rows = select(Address.address).where(Address.player_id == player_id).order_by(col(Address.id))
    return session.exec(rows).first() or ""


def seats(session: Session, game: Game) -> Sequence[Seat]:
    """List the seats as they are taken now."""
    return _seats(session, game.id)


_SEATS: Final = (
    select(Seat).where(Seat.game_id == bindparam("game"), col(Seat.until).is_(None)).order_by(col(Seat.number))
)


@asked_once(Seat, about_game=True)
def _seats(session: Session, game_id: int) -> Sequence[Seat]:
    return session.exec(_SEATS, params={"game": game_id}).all()


def holders(session: Session, game: Game) -> Sequence[Seat]:
    """List for each seat who holds it, or held it last."""
    rows = session.exec(select(Seat).where(Seat.game_id == game.id).order_by(col(Seat.since), col(Seat.id)))
    return sorted({seat.number: seat for seat in rows}.values(), key=lambda seat: seat.number)


def seat_history(session: Session, game: Game) -> dict[int, list[str]]:
    """List, by seat number, everybody who has sat there, in order."""
    return _seat_history(session, game.id)


_SEAT_HISTORY: Final = (
    select(Seat.number, Player.name)
    .join(Player)
    .where(Seat.game_id == bindparam("game"))
    .order_by(col(Seat.since), col(Seat.id))
)


@asked_once(Seat, Player, about_game=True)
def _seat_history(session: Session, game_id: int) -> dict[int, list[str]]:
    return _by_seat(session.exec(_SEAT_HISTORY, params={"game": game_id}))


def _by_seat(held: Iterable[tuple[int, str]]) -> dict[int, list[str]]:
    history: dict[int, list[str]] = {}
    for number, name in held:
        history.setdefault(number, []).append(name)
    return history


def names(session: Session, game: Game) -> dict[int, str]:
    """Name the players by seat; a seat that nobody holds now keeps its last player's name."""
    return {number: held[-1] for number, held in seat_history(session, game).items()}


def sat_before(session: Session, game: Game, player_id: int) -> Seat | None:
    """Find the row of a player in a game, also one that has left."""
    return session.exec(select(Seat).where(Seat.game_id == game.id, Seat.player_id == player_id)).first()


def plays(session: Session, game: Game, address: str) -> bool:
    """Say whether somebody with this address sits in a game."""
    ids = {player.id for player in players_at(session, address)}
    return any(seat.player_id in ids for seat in seats(session, game))


def current_turn(session: Session, game: Game) -> Turn:
    """Load the step that the game stands at."""
    return _turn(session, game.id, game.turn, game.version)


_TURN: Final = select(Turn).where(
    Turn.game_id == bindparam("game"), Turn.number == bindparam("number"), Turn.version == bindparam("version")
)


@asked_once(Turn, about_game=True)
def _turn(session: Session, game_id: int, number: int | None, version: int) -> Turn:
    return session.exec(_TURN, params={"game": game_id, "number": number, "version": version}).one()


def turns(session: Session, game: Game) -> Sequence[Turn]:
    """List every step of a game in order."""
    rows = select(Turn).where(Turn.game_id == game.id).order_by(col(Turn.number), col(Turn.version))
    return session.exec(rows).all()


class OnFile(NamedTuple):
    """What counts of a sheet."""

    seat: int
    player_id: int | None
    received_at: datetime
    complete: bool
    move: Any
    lines: list[str]


def sheets_on_file(session: Session, game: Game, until: datetime = END_OF_TIME) -> Mapping[int, OnFile]:
    """Give the sheet that counts for each seat in the present round: the last one not withdrawn."""
    if until == END_OF_TIME:
        return _sheets_on_file(session, game.id, game.round)
    last = _sheets_on_file(session, game.id, game.round)
    if all(sheet.received_at <= until for sheet in last.values()):
        return last
    return _sheets(session, [game.id], until).get(game.id, {})


_LATER: Final = aliased(Sheet)
_LAST: Final = (  # one step in the index for each seat, however many sheets it has sent
    select(_LATER.id)
    .where(
        _LATER.game_id == Seat.game_id, _LATER.round == Game.round, _LATER.seat == Seat.number,
        col(_LATER.withdrawn_at).is_(None), col(_LATER.received_at) <= bindparam("until"),
    )
    .order_by(col(_LATER.received_at).desc(), col(_LATER.id).desc()).limit(1).correlate(Seat, Game).scalar_subquery()
)  # fmt: skip
_SHEETS: Final = sa.select(col(Sheet.game_id), *(col(getattr(Sheet, name)) for name in OnFile._fields)).where(
    col(Sheet.id).in_(
        select(_LAST).select_from(Seat).join(Game).where(col(Game.id).in_(bindparam("games", expanding=True)))
    )
)


@asked_once(Sheet, Seat, about_game=True)
def _sheets_on_file(session: Session, game_id: int, _round: int) -> Mapping[int, OnFile]:
    # The round is the present one; as part of the key it keeps those of rounds apart.
    return _sheets(session, [game_id], END_OF_TIME).get(game_id, {})


def _sheets(session: Session, game_ids: Sequence[int], until: datetime) -> dict[int, dict[int, OnFile]]:
    """Give the sheets that count by game and seat; a game without any is missing."""
    found: dict[int, dict[int, OnFile]] = {}
    for game_id, *sheet in session.connection().execute(_SHEETS, {"games": game_ids, "until": until}):
        on_file = OnFile(*sheet)
        found.setdefault(game_id, {})[on_file.seat] = on_file
    return found


def add_sheet(session: Session, game: Game, sheet: Mapping[str, Any]) -> None:
    """Add a sheet of the present round. What is on file then is known without another look."""
    known = sheets_on_file(session, game)
    insert_later(session, Sheet, [sheet], but=_sheets_on_file)
    before = known.get(sheet["seat"])
    if before is None or before.received_at <= sheet["received_at"]:
        added = OnFile(**{name: sheet[name] for name in OnFile._fields})
        tell(session, _sheets_on_file, (game.id, game.round), {**known, added.seat: added})


def sheets_of(session: Session, game: Game, seat: int) -> Sequence[Sheet]:
    """List a seat's sheets of the present round that are not withdrawn."""
    return session.exec(
        select(Sheet)
        .where(
            Sheet.game_id == game.id, Sheet.round == game.round, Sheet.seat == seat, col(Sheet.withdrawn_at).is_(None)
        )
        .order_by(col(Sheet.id))
    ).all()


def rounds_of_mail(session: Session, game: Game, mail_id: int) -> set[int]:
    """Say for which rounds of a game a mail put a move on file."""
    return set(session.exec(select(Sheet.round).where(Sheet.game_id == game.id, Sheet.mail_id == mail_id)))


class Shown(NamedTuple):
    """A mail of ours that showed a position."""

    message_id: str
    opens_round: int | None
    sent_at: datetime | None


def seen_at(session: Session, game: Game, player_id: int, stand: int) -> datetime | None:
    """Say when the player's mail with this position was accepted for delivery."""
    shown = positions(session, game.id, player_id)
    return min((row.sent_at for row in shown if row.opens_round == stand and row.sent_at), default=None)


SHOWN_BY: Final = (col(MailOut.message_id), col(MailOut.opens_round), col(MailOut.sent_at))
_POSITIONS: Final = (
    sa.select(*SHOWN_BY)
    .where(
        col(MailOut.game_id) == bindparam("game"), col(MailOut.player_id) == bindparam("player"),
        col(MailOut.opens_round).is_not(None),
    )
    .order_by(col(MailOut.id))
)  # fmt: skip


@asked_once(MailOut, about_game=True)
def positions(session: Session, game_id: int, player_id: int) -> Sequence[Shown]:
    """List what showed a player a position of a game: a mail a round."""
    rows = session.connection().execute(_POSITIONS, {"game": game_id, "player": player_id})
    return [Shown(*row) for row in rows]


def zats_to_come(session: Session, game: Game, now: datetime) -> dict[int, datetime]:
    """Give the ZATs that were set for rounds of a game, also for those that closed early, as far as they lie ahead."""
    rows = select(Turn.round, Turn.zat).where(
        Turn.game_id == game.id, col(Turn.zat) > now, col(Turn.undone_at).is_(None)
    )
    return {number: zat for number, zat in session.exec(rows.order_by(col(Turn.id))) if zat}


def was_mailed(session: Session, cause: str, kind: str = "") -> bool:
    """Say whether anything, or a mail of this kind, was queued for this cause."""
    rows = select(MailOut.id).where(MailOut.cause == cause)
    return session.exec(rows.where(MailOut.kind == kind) if kind else rows).first() is not None


def is_reply(session: Session, message_id: str, causes: Sequence[str]) -> bool:
    """Say whether a mail answers one of ours that had one of these causes."""
    rows = select(MailOut.id).where(MailOut.message_id == message_id, col(MailOut.cause).in_(causes))
    return bool(message_id and causes) and session.exec(rows).first() is not None


def showing(session: Session, game: Game, player_id: int, stand: int) -> Sequence[MailOut]:
    """List the player's mails with this position, whether they have gone out or not."""
    return session.exec(
        select(MailOut).where(MailOut.game_id == game.id, MailOut.player_id == player_id, MailOut.opens_round == stand)
    ).all()


def thread(session: Session, game: Game, player_id: int) -> tuple[str, ...]:
    """Give the Message-IDs that a new mail refers to: the game's first and its latest bulletin for this player."""
    ids = [row.message_id for row in positions(session, game.id, player_id)]
    return tuple(dict.fromkeys((*ids[:1], *ids[-1:])))


def game_of_thread(session: Session, message_ids: Sequence[str]) -> Game | None:
    """Find the game of the mail of ours that a reply refers to, the latest where it refers to several."""
    known = [message_id for message_id in message_ids[-THREAD_IDS:] if message_id]
    rows = select(Game).join(MailOut).where(col(MailOut.message_id).in_(known)).order_by(col(MailOut.id).desc())
    return session.exec(rows).first() if known else None


def player_of_thread(session: Session, message_ids: Sequence[str]) -> int | None:
    """Say to whom the mail of ours went that was replied to."""
    known = [message_id for message_id in message_ids[:1] if message_id]
    rows = select(MailOut.player_id).where(col(MailOut.message_id).in_(known))
    return session.exec(rows).first() if known else None


def rulings(session: Session, game: Game | None) -> Sequence[Ruling]:
    """List rulings that hold for a game: the house's, then its own, the later ones last."""
    return _rulings(session, game.id if game else None)


_RULINGS: Final = (
    select(Ruling)
    .where(or_(col(Ruling.game_id).is_(None), Ruling.game_id == bindparam("game")))
    .order_by(col(Ruling.game_id).is_not(None), col(Ruling.id))
)


@asked_once(Ruling, about_game=True)
def _rulings(session: Session, game_id: int | None) -> Sequence[Ruling]:
    return session.exec(_RULINGS, params={"game": game_id}).all()


def standby_list(session: Session, engine: str | None = None) -> Sequence[tuple[Standby, Player]]:
    """List standbys in their order, for one kind of game where it is named."""
    rows = select(Standby, Player).join(Player).order_by(col(Standby.id))
    if engine is not None:
        rows = rows.where(col(Standby.engine).in_(["", engine]))
    return session.exec(rows).all()


def meet(session: Session, addresses: Iterable[str]) -> list[int]:
    """Look up who writes from these addresses and where each gets mail; returns the players' ids."""
    wanted = {address.lower() for address in addresses}
    writers = select(Address.player_id).where(col(Address.address).in_(wanted))
    rows = select(Address.address, Player).join(Player).where(col(Address.player_id).in_(writers))
    players: dict[str, list[Player]] = {address: [] for address in wanted}
    first: dict[int, str] = {}
    for address, player in session.exec(rows.order_by(col(Address.player_id), col(Address.id))):
        players.setdefault(address, []).append(player)
        first.setdefault(player.id, address)
    for address in wanted:
        tell(session, _players_at, (address,), players[address])
    for player_id, address in first.items():
        tell(session, address_of, (player_id,), address)
    return list(first)


def meet_players(session: Session, player_ids: Collection[int]) -> None:
    """Look up where players get mail, and who else gets it there."""
    for ids in portions(player_ids):
        meet(session, session.exec(select(Address.address).where(col(Address.player_id).in_(ids))))


def visit_named(session: Session, names: Iterable[str], player_ids: Collection[int]) -> None:
    """Look up the games of these names and how they stand, as these players ask for it."""
    wanted = {key_of(name) for name in names}
    found = session.exec(select(Game).where(col(Game.name_key).in_(wanted))).all()
    for key in wanted:
        tell(session, _game_named, (key,), next((game for game in found if game.name_key == key), None))
    visit(session, found)
    writers = set(player_ids)
    shown: dict[Any, list[Shown]] = {
        (game.id, seat.player_id): [] for game in found for seat in seats(session, game) if seat.player_id in writers
    }
    rows = sa.select(col(MailOut.game_id), col(MailOut.player_id), *SHOWN_BY).where(
        col(MailOut.game_id).in_([game.id for game in found]), col(MailOut.player_id).in_(player_ids),
        col(MailOut.opens_round).is_not(None),
    )  # fmt: skip
    for game_id, player_id, message_id, opens_round, sent_at in session.connection().execute(
        rows.order_by(col(MailOut.id))
    ):
        shown.setdefault((game_id, player_id), []).append(Shown(message_id, opens_round, sent_at))
    for key_, mails in shown.items():
        tell(session, positions, key_, mails)


def visit(session: Session, found: Sequence[Game]) -> None:
    """Look up how these games stand."""
    if not found:
        return
    ids = [game.id for game in found]
    steps = select(Turn).join(Game).where(
        col(Game.id).in_(ids), col(Turn.number) == Game.turn, col(Turn.version) == Game.version
    )  # fmt: skip
    for turn in session.exec(steps):
        tell(session, _turn, (turn.game_id, turn.number, turn.version), turn)
    taken, past, own = (dict[int, Any]((game_id, []) for game_id in ids) for _ in range(3))
    held = select(Seat, Player.name).join(Player).where(col(Seat.game_id).in_(ids))
    for seat, name in session.exec(held.order_by(col(Seat.since), col(Seat.id))):
        taken[seat.game_id] += [seat] if seat.until is None else []
        past[seat.game_id].append((seat.number, name))
    for ruling in session.exec(select(Ruling).where(col(Ruling.game_id).in_(ids)).order_by(col(Ruling.id))):
        own[ruling.game_id or 0].append(ruling)
    house, filed = _rulings(session, None), _sheets(session, ids, END_OF_TIME)
    for game in found:
        tell(session, _sheets_on_file, (game.id, game.round), filed.get(game.id, {}))
    for game_id in ids:
        tell(session, _seats, (game_id,), sorted(taken[game_id], key=lambda seat: seat.number))
        tell(session, _seat_history, (game_id,), _by_seat(past[game_id]))
        tell(session, _rulings, (game_id,), [*house, *own[game_id]])


def to_look_at(session: Session, until: datetime) -> Sequence[int]:
    """List the games whose time to be looked at has come by then, the first one first."""
    rows = select(Game.id).where(col(Game.look_at) <= until)
    return session.exec(rows.order_by(col(Game.look_at), col(Game.id))).all()


def games_by_id(session: Session, game_ids: Sequence[int]) -> Sequence[Game]:
    """Load games, by age."""
    return session.exec(select(Game).where(col(Game.id).in_(game_ids)).order_by(col(Game.id))).all()


def newest_games(session: Session, statuses: Sequence[str], most: int) -> tuple[list[Game], bool]:
    """List so many games at most, by age, those of the first status before others; says whether there are more."""
    found: list[Game] = []
    for status in statuses:
        rows = select(Game).where(Game.status == status).order_by(col(Game.id).desc())
        found += session.exec(rows.limit(most + 1 - len(found)))
    return sorted(found[:most], key=lambda game: game.id), len(found) > most


def games_with(session: Session, player_ids: Sequence[int], statuses: Sequence[str]) -> list[Game]:
    """List, by age, the games in which one of these players sits now."""
    held = select(Seat.game_id).where(col(Seat.player_id).in_(player_ids), col(Seat.until).is_(None))
    rows = select(Game).where(col(Game.id).in_(held), col(Game.status).in_(statuses))
    return list(session.exec(rows.order_by(col(Game.id))))


def games_with_room(session: Session, engine: str, seats: int) -> Sequence[Game]:
    """List, by age, the open games of a kind in which fewer seats than that are taken."""
    taken = select(func.count(col(Seat.id))).where(Seat.game_id == Game.id, col(Seat.until).is_(None))
    rows = select(Game).where(
        Game.status == "open", Game.engine == engine, taken.correlate(Game).scalar_subquery() < seats
    )  # fmt: skip
    return session.exec(rows.order_by(col(Game.id))).all()
