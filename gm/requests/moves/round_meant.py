"""Which round a block is for: by what it says, its old cells, and the mail that it replies to.

Source: shared/spec/interface.md (Which round or turn a block is for).
"""

from datetime import timedelta
from enum import Enum
from typing import Final

from games.api import Text, say
from gm.app.recorded_rules import read_state
from gm.requests.moves import late_moves
from gm.requests.moves.blocks import ReadMove
from gm.requests.request import Request
from gm.runtime.errors import OperatorError
from gm.store.queries import thread_queries, turn_queries

SOON: Final = timedelta(days=1)
"""So long after a closing a reply to a mail of the round before is taken for a late move; later it is asked about."""


class Meant(Enum):
    """The round that a block is for."""

    PRESENT = "present"
    BEFORE = "before"
    UNCLEAR = "unclear"
    """What it says, its cells and the mail that it replies to don't agree; or that is an old one."""


def is_for_present(read: ReadMove) -> bool:
    """Whether a block says that it is for the present round, or position."""
    return read.sent.stand is not None or read.sent.round == read.sent.game.round


def names_present(read: ReadMove) -> bool:
    """Whether a block names the round that is played now, or the position in which it is."""
    stand = read.sent.stand
    is_shown = stand is not None and stand == read.at.engine.stand(read.at.state, read.number)
    return is_shown or read.sent.round == read.sent.game.round


def is_for_another(read: ReadMove) -> bool:
    """Whether a block names a round that isn't the present one and can't be meant for it."""
    named, at = read.sent.round, read.at
    if named is None or named == read.sent.game.round:
        return False
    return named > read.sent.game.round or at.turn.kind == "start" or not late_moves.closes_by_round(at)


def round_meant(request: Request, read: ReadMove) -> Meant:
    """Find the round that a block is for; PRESENT where nothing speaks for another one."""
    if is_for_present(read) or read.at.turn.kind == "start" or not late_moves.closes_by_round(read.at):
        return Meant.PRESENT
    found = {one for one in (_by_name(request, read), _by_cells(request, read), _by_thread(request, read)) if one}
    return found.pop() if len(found) == 1 else Meant.UNCLEAR if found else Meant.PRESENT


def wrong_round(read: ReadMove) -> Text:
    """Say that a block is for another round than the one that is played."""
    game, unit = read.sent.game, read.at.engine.rules.unit  # round, turn or deal, as the game calls it
    named = read.sent.round or 0
    return say("WRONG_ROUND", what=say(f"UNIT_{unit.upper()}"), named=named, round=game.round, game=game.name)


def _by_name(request: Request, read: ReadMove) -> Meant | None:
    """Look at the round that a block names; soon after the closing it is late, later an old block may be meant anew."""
    named = read.sent.round
    if named is None:
        return None
    opening, before = turn_queries.opening_of_round(request.session, read.at.turn)
    if before is None or named != before.round:
        return Meant.UNCLEAR
    return Meant.BEFORE if request.received - opening.at < SOON else Meant.UNCLEAR


def _by_cells(request: Request, read: ReadMove) -> Meant | None:
    """Compare a grid with the positions of this round and of the one before: it may be faultless in one only."""
    engine, (_, before) = read.at.engine, turn_queries.opening_of_round(request.session, read.at.turn)
    if not engine.rules.grid_rows or before is None:
        return None
    try:
        state = read_state(engine, read.sent.game.name, before)
    except OperatorError:  # its rules aren't these: the position can't be read any more
        return None
    is_due = read.number in engine.due(state)
    fits_before = is_due and not engine.read(state, read.number, read.sent.block, read.judge).problems
    if fits_before == (not read.sheet.problems):
        return None
    return Meant.BEFORE if fits_before else Meant.PRESENT


def _by_thread(request: Request, read: ReadMove) -> Meant | None:
    """Look at the mail replied to: it showed a position, or went out before the last closing.

    Some answer any old mail. So it is late only if the mail was one of the round before, and the reply came soon.
    """
    game, seat = read.sent.game, read.sent.seat
    replied = thread_queries.mail_to_player(request.session, request.mail.in_reply_to, game, seat.player_id)
    replied = replied or late_moves.about_several(request)
    if replied is None:
        return None
    if replied.opens_round == read.at.engine.stand(read.at.state, read.number):
        return Meant.PRESENT
    opening, before = turn_queries.opening_of_round(request.session, read.at.turn)
    if replied.created_at >= opening.at:
        return None
    earlier = turn_queries.opening_of_round(request.session, before)[0].at if before else opening.at
    is_soon = request.received - opening.at < SOON
    return Meant.BEFORE if is_soon and replied.created_at >= earlier else Meant.UNCLEAR
