"""Who sits where: players, sign-up, standbys."""

from sqlmodel import Session

from games.api import MoveBlock, Text, say
from games.api import Seat as SeatNumber
from gm.app.context import App
from gm.game import moves_on_file, steps
from gm.game.deadlines import first_free
from gm.game.position import Position, is_released, position
from gm.messages import game_mails
from gm.messages.outgoing import Occasion, Part, post, recipient
from gm.messages.rendering.rules_page import rules_page
from gm.players.name_rules import LONGEST_NAME, clean_name, player_name
from gm.runtime.errors import GameFull, PlayerError, Refused, UnknownGame
from gm.store.change_tracking import mark_changed
from gm.store.json_values import encode
from gm.store.queries import player_queries, question_queries, seat_queries
from gm.store.tables import Address, Game, Player, Seat, Standby, name_key_of
from parsers.addresses import is_address


def player_for(app: App, session: Session, name: str, address: str) -> Player:
    """Find or register a player by name and address. Raises Refused for a name that another address holds."""
    name, address = player_name(name), address.strip().lower()
    if not is_address(address):
        raise Refused(f"'{address}' is no mail address; write one like anna@example.org.")
    known = player_queries.player_named(session, name)
    if known is None:
        return _register(app, session, name, address)
    if known in player_queries.players_at(session, address):
        return known
    raise Refused(f"There is a player {known.name} with another address; give this one another name.")


def newcomer(app: App, session: Session, name: str, address: str) -> Player:
    """Register somebody who signed up by mail; a name that is taken gets a number."""
    wanted = clean_name(name) or clean_name(address.partition("@")[0]) or "N. N."
    free, number = wanted, 2
    while player_queries.player_named(session, free):
        free, number = f"{wanted[: LONGEST_NAME - 4]} {number}", number + 1
    return _register(app, session, free, address)


def _register(app: App, session: Session, name: str, address: str) -> Player:
    player = Player(name=name, name_key=name_key_of(name), created_at=app.now())
    session.add(player)
    session.flush()
    session.add(Address(player_id=player.id, address=address))
    session.flush()
    return player


def sign_up(app: App, session: Session, game: Game, player: Player, block: MoveBlock | None) -> tuple[Text, ...]:
    """Give a player a seat in an open game; returns what is still wanted (a wish letter).

    Raises PlayerError: no seat is free, the player sits or sat there already, or what was sent can't be taken.
    """
    engine = app.engine(game.engine)
    before = seat_queries.seat_row(session, game, player.id)
    if before:
        raise PlayerError(say("SEATED_ALREADY" if before.until is None else "SAT_BEFORE", game=game.name))
    free = free_numbers(app, session, game)
    sheet = engine.enrol(block or MoveBlock(lines=()), game.options)
    if sheet.problems:
        raise PlayerError(say("NO_SEAT_YET", why=sheet.problems[0], game=game.name))
    entry = encode(engine.entry_type, sheet.move) if sheet.move is not None else None
    if watching := seat_queries.watcher(session, game, player.id):
        session.delete(watching)
    session.add(Seat(game_id=game.id, number=free[0], player_id=player.id, entry=entry, since=app.now()))
    session.flush()
    return sheet.wanted


def free_numbers(app: App, session: Session, game: Game) -> list[int]:
    """List the seats that can be had. Raises GameFull: none is left or it runs; UnknownGame: it is over.

    Who asks learns no more of a game than the list of games tells everybody.
    """
    if game.status == "running":
        raise GameFull(say("GAME_RUNS", game=game.name))
    if game.status != "open":
        raise UnknownGame(say("NO_GAME_TO_JOIN", game=game.name))
    taken = {seat.number for seat in seat_queries.seats(session, game)}
    free = [number for number in range(1, app.engine(game.engine).rules.seats[1] + 1) if number not in taken]
    if not free:
        raise GameFull(say("GAME_FULL", game=game.name))
    return free


def change_entry(app: App, session: Session, game: Game, seat: Seat, block: MoveBlock) -> tuple[Text, ...]:
    """Take a seat's sign-up data anew (another wish letter). Returns what is wanted; raises PlayerError."""
    engine = app.engine(game.engine)
    sheet = engine.enrol(block, game.options)
    if sheet.problems:
        raise PlayerError(sheet.problems[0])
    if sheet.move is not None:
        seat.entry = encode(engine.entry_type, sheet.move)
        session.add(seat)
        session.flush()
    return () if seat.entry is not None else sheet.wanted


def start_if_complete(app: App, session: Session, game: Game) -> bool:
    """Start a game that was opened with --autostart once every seat and wish is there."""
    seats = seat_queries.seats(session, game)
    complete = len(seats) == app.engine(game.engine).rules.seats[1] and all(seat.entry is not None for seat in seats)
    if game.autostart and game.status == "open" and complete:
        steps.start(app, session, game)
        return True
    return False


def set_standby(app: App, session: Session, player: Player, engine: str, on: bool) -> None:
    """Put a player on the standby list, for every game or one kind, or take them off it."""
    entries = [entry for entry, held in player_queries.standby_list(session) if held.id == player.id]
    if not on:
        for entry in entries:
            if engine in ("", entry.engine):
                session.delete(entry)
    elif not any(entry.engine == engine for entry in entries):
        session.add(Standby(player_id=player.id, engine=engine, at=app.now()))
        mark_changed(session, question_queries.games_with_vacancy(session))
    session.flush()


def first_standby(session: Session, game: Game) -> Player:
    """Find the first on the list who never sat in this game. Raises Refused."""
    for _, player in player_queries.standby_list(session, game.engine):
        if not seat_queries.seat_row(session, game, player.id):
            return player
    raise Refused(
        f"Nobody on the standby list can take a seat in {game.name}; name somebody: "
        f'gm standby {game.name} OUT "IN" ADDRESS, or fill the list with gm standbys add.'
    )


def replace(app: App, session: Session, game: Game, leaving: Seat, player: Player) -> None:
    """Seat a standby. The move on file stays with the seat; the predecessor is told and locked out.

    The ZAT moves only if the standby would have less than `nmr.standby_time`. Raises Refused.
    """
    if seat_queries.seat_row(session, game, player.id):
        raise Refused(f"{player.name} sits or sat in {game.name} already; nobody sits twice in a game.")
    if watching := seat_queries.watcher(session, game, player.id):
        session.delete(watching)
    at, now = position(app, session, game), app.now()
    predecessor = session.get(Player, leaving.player_id)
    assert predecessor is not None
    leaving.until = leaving.until or now
    session.add(leaving)
    session.flush()
    session.add(Seat(game_id=game.id, number=leaving.number, player_id=player.id, entry=leaving.entry, since=now))
    session.flush()
    free = steps.days_without_zat(app, session, game)
    least = first_free(now + app.settings.nmr.standby_time, free, app.settings.service.timezone)
    if game.zat and game.zat < least and not game.held and leaving.number in at.engine.due(at.state):
        steps.note_zat(session, game, least)
        context = {"reason": say("TOOK_OVER", name=player.name, before=predecessor.name)}
        cause = f"standby:{game.id}:{leaving.number}:{player.id}"
        game_mails.tell_all(app, session, game, "zat", cause, context, but=player)
    if is_released(at.turn):  # else the bulletin that waits will show the position
        welcome(app, session, game, at, player, leaving.number, predecessor.name)
    _tell_predecessor(app, session, game, predecessor, player)


def welcome(
    app: App, session: Session, game: Game, at: Position, player: Player, seat: int, before: str
) -> None:  # fmt: skip
    """Queue the mail that makes a standby able to play: the whole position, the deadline, the move on file."""
    to, own = recipient(app, session, player, game), moves_on_file.move_on_file(session, game, at, seat)
    context = {
        **game_mails.frame_context(app, game, at.engine, to.language),
        **game_mails.position_context(app, session, game, at.engine, at.state, SeatNumber(seat), own=own),
        "before": before, "on_file": own is not None, "has_rules": bool(rules_page(at.engine, to.language)),
        "gm_plays": seat_queries.has_seat(session, game, app.settings.service.gm.address),
    }  # fmt: skip
    part = Part(
        template="welcome",
        context=context,
        engine=at.engine,
        names=game_mails.names_by_seat(session, game),
        own=SeatNumber(seat),
    )
    cause = f"seat:{game.id}:{seat}:{player.id}"
    stand = at.engine.stand(at.state, SeatNumber(seat))
    occasion = Occasion(cause=cause, kind="welcome", game=game, opens_round=stand)
    post(app, session, occasion, to, [part], greet=False)


def _tell_predecessor(app: App, session: Session, game: Game, old: Player, new: Player) -> None:
    engine = app.engine(game.engine)
    to = recipient(app, session, old, game)
    context = {**game_mails.frame_context(app, game, engine, to.language), "name": new.name}
    occasion = Occasion(cause=f"seat:{game.id}:{old.id}", kind="replaced", game=game)
    post(app, session, occasion, to, [Part(template="replaced", context=context, engine=engine)])


def seat_of_player(session: Session, game: Game, name: str, *, left_too: bool = False) -> Seat:
    """Find the seat of a player by name, as the GM writes it; `left_too`: also one that nobody holds since.

    Raises Refused with who sits there.
    """
    wanted = name_key_of(name)
    found = seat_queries.holders(session, game) if left_too else seat_queries.seats(session, game)
    players = [(seat, session.get_one(Player, seat.player_id)) for seat in found]
    for seat, player in players:
        if player.name_key == wanted:
            return seat
    sitting = ", ".join(player.name for _, player in players) or "nobody"
    raise Refused(f"No '{name}' sits in {game.name}; there sit: {sitting}.")


def standby_named(app: App, session: Session, game: Game, name: str, address: str) -> Player:
    """Find or register the standby whom the GM names. Raises Refused."""
    if address:
        return player_for(app, session, name, address)
    known = player_queries.player_named(session, name)
    if known is None:
        raise Refused(
            f"There is no player '{name}' yet; add the address: gm standby {game.name} OUT \"{name}\" ADDRESS."
        )
    return known
