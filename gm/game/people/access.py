"""Whose seat is it? Nothing else decides this, and every mail is checked here before it touches a game."""

from collections.abc import Sequence

from sqlmodel import Session

from games.api import Text, say
from gm.runtime.errors import NotYourSeat, UnknownGame
from gm.store.queries import game_queries, seat_queries, thread_queries, turn_queries
from gm.store.tables import Game, Player, Seat
from parsers.invisible import fold_name


def game_of(session: Session, name: str) -> Game:
    """Find a game by its name in a mail. Raises UnknownGame, with the same words as for a game of others."""
    game = game_queries.game_named(session, name)
    if game is None:
        raise UnknownGame(say("NOT_YOUR_SEAT", game=name))
    return game


class SeatLeft(NotYourSeat):
    """The player has left the seat."""

    def __init__(self, text: Text, seat: Seat) -> None:
        super().__init__(text)
        self.seat = seat


class WhoOfYou(NotYourSeat):
    """Several players of one address sit in the game, and nothing tells which of them wrote."""


def own_seat(
    session: Session, game: Game, players: Sequence[Player], who: str = "", replied_to: Sequence[str] = ()
) -> Seat:
    """Find the seat that these players (of one address) hold in a game.

    Of several it is the one that `who` names, else the one whose mail was replied to: nobody else knows its Message-ID.
    Raises NotYourSeat: there is none; SeatLeft; WhoOfYou: there are several, and nothing says which.
    """
    ids = {player.id: player for player in players}
    held = [seat for seat in seat_queries.seats(game) if seat.player_id in ids]
    if who:
        held = [seat for seat in held if is_called(ids[seat.player_id], who)]
    elif len(held) > 1 and (addressed := thread_queries.player_of_thread(session, replied_to)):
        held = [seat for seat in held if seat.player_id == addressed] or held
    if len(held) == 1:
        return held[0]
    if held:
        names = ", ".join(ids[seat.player_id].name for seat in held)
        raise WhoOfYou(say("WHO_OF_YOU", game=game.name, names=names))
    rows = [seat_queries.seat_row(game, player.id) for player in players]
    left = next((row for row in rows if row is not None and row.until is not None), None)
    if left is not None:
        raise SeatLeft(_how_left(session, game, left), left)
    raise NotYourSeat(say("NOT_YOUR_SEAT", game=game.name))


def _how_left(session: Session, game: Game, left: Seat) -> Text:
    """Say how things stand with a seat that its player has left."""
    taken = next((seat for seat in seat_queries.seats(game) if seat.number == left.number), None)
    if taken:
        name = session.get_one(Player, taken.player_id).name
        return say("SEAT_TAKEN_OVER", game=game.name, name=name)
    is_given_up = left.number in turn_queries.abandoned_seats(session, [game.id]).get(game.id, ())
    return say("SEAT_GIVEN_UP" if is_given_up else "SEAT_LEFT", game=game.name)


def any_seat(session: Session, game: Game, players: Sequence[Player]) -> Seat:
    """Find any seat of these players, for what a couple with one address may ask for together.

    Raises NotYourSeat.
    """
    ids = {player.id for player in players}
    held = [seat for seat in seat_queries.seats(game) if seat.player_id in ids]
    return held[0] if len(held) > 1 else own_seat(session, game, players)


def games_of(session: Session, players: Sequence[Player]) -> list[Game]:
    """List the games, open or running, in which one of these players sits now."""
    return game_queries.games_of_players(session, [player.id for player in players], ("open", "running", "provisional"))


def is_called(player: Player, who: str) -> bool:
    """Check whether `Name: who` means this player: by the whole name or the first."""
    wanted = fold_name(who)
    return player.name_key == wanted or player.name_key.split(" ")[0] == wanted
