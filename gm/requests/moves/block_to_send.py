"""Moves that are expected of the writer of a mail, and the block in which one is sent."""

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

from games.api import Seat as SeatNumber
from games.api import Text, View, say
from gm.game.people import access
from gm.game.position import Position, is_released, position
from gm.messages import game_mails
from gm.requests.request import Request
from gm.runtime.errors import OperatorError
from gm.store.queries import seat_queries, sheet_queries
from gm.store.tables import Game
from parsers.lines.blocks import STAND_LINE

EXAMPLE: Final = re.compile(r"[»“](?P<line>(?!Stand\b|Position\b)[^»«“”]{2,40})[«”]")


@dataclass(frozen=True, kw_only=True)
class Due:
    """A move that is missing."""

    game: Game
    at: Position
    seat: SeatNumber


def due_moves(request: Request) -> Iterator[Due]:
    """Yield the moves of these players that are missing in running games, a game once."""
    app, session = request.app, request.session
    ids = {player.id for player in request.players}
    for game in access.games_of(session, request.players):
        if game.status != "running":
            continue
        with suppress(OperatorError):  # whose rules can't be had here
            at = position(app, game)
            filed = sheet_queries.sheets_on_file(game)
            own = {seat.number for seat in seat_queries.seats(game) if seat.player_id in ids}
            if is_released(at.turn) and (owing := own & at.engine.due(at.state) - filed.keys()):
                yield Due(game=game, at=at, seat=SeatNumber(min(owing)))


def show_block(request: Request, due: Due, code: str, lines: tuple[str, ...] = ()) -> None:
    """Show below the last sentence of the answer the block in which a move is sent, with `lines` if there are some.

    Where it only says for which position it is, an example from the game's own words tells how the move looks.
    """
    app, session, game, at = request.app, request.session, due.game, due.at
    context = game_mails.position_context(app, session, game, at.state, due.seat, request.language)
    offer = game_mails.offered_block(session, game, at.engine, at.state, due.seat, lines, request.language)
    block = offer or context["block"]
    is_bare = bool(block) and STAND_LINE.fullmatch(block[-1]) is not None
    form = {"form": say(code), "block": block, "example": _example(request, due, context["view"]) if is_bare else None}
    last = request.parts[-1]
    request.parts[-1] = replace(last, context={**last.context, **form})


def _example(request: Request, due: Due, view: View) -> Text | None:
    """Find the first example of a move in what the game says to this seat."""
    for way in view.how_to:
        pattern = due.at.engine.wording[way.code][request.language]
        if (found := EXAMPLE.search(pattern)) and "{" not in found["line"]:
            return say("EXAMPLE_OF_MOVE", line=found["line"])
    return None
