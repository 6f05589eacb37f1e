"""Whether a mail with a move came in time, and for the position that its sender had seen."""

from collections.abc import Sequence
from datetime import datetime

from games.api import Seat as SeatNumber
from games.api import Text, say
from gm.commands.request import Incoming
from gm.game import closing_time
from gm.game.position import Position
from gm.messages import gm_list
from gm.messages.rendering.mime import message_id
from gm.store.queries import game_queries, turn_queries
from gm.store.tables import Game, MailOut, Seat
from parsers.commands.eriwan import STAND_LINE


def is_other_round(game: Game, named: int | None) -> bool:
    """Say whether a line `Runde: n` names another round than the present one. Round 0 is shown as round 1."""
    return named not in (None, game.round, max(game.round, 1))


def wrong_round(incoming: Incoming, game: Game, named: int) -> Text:
    """Say that a move names another round, turn or deal, as the game calls it."""
    unit = incoming.app.engine(game.engine).rules.unit
    return say("WRONG_ROUND", what=say(f"UNIT_{unit.upper()}"), named=named, round=game.round, game=game.name)


def is_late(incoming: Incoming, game: Game, at: Position, seat: Seat, names_round: bool) -> bool:
    """Answer a block that came after its round closed; it is never a move of the next round.

    Without `Runde: n` a block belongs to the position that its sender has seen: it must have arrived after our
    mail with this round's position was accepted for delivery (the server's clock knows whole seconds), or reply to it.
    In the first round nobody can have meant another one: what was sent before the start's mail went out counts.
    """
    if _is_for_undone(incoming, game, at):
        incoming.about(game)
        incoming.notice(say("CROSSED", game=game.name))
        return True
    closes = closing_time.closing_instant(incoming.app, incoming.session, game, at)
    if closes is not None and incoming.received > closes:
        _answer(incoming, game, seat, game.round, closes)
        return True
    if names_round:
        return False
    if has_seen(incoming, game, at, seat):
        return False
    if closes_by_round(at) and at.turn.kind == "start":  # there is no older position that it could be meant for
        return False
    if closes_by_round(at):
        too_late(incoming, game, at, seat)
    else:
        incoming.about(game)
        incoming.notice(say("CROSSED", game=game.name))
    return True


def _is_for_undone(incoming: Incoming, game: Game, at: Position) -> bool:
    """Say whether a mail belongs to a position that the GM has taken back: sent for it, or a reply to its bulletin."""
    if not game.reopened:
        return False
    undone = turn_queries.undone_after(incoming.session, at.turn)
    if any(one.at < incoming.received <= one.undone_at for one in undone if one.undone_at):
        return True
    return game_queries.is_reply(incoming.session, incoming.mail.in_reply_to, [f"turn:{one.id}" for one in undone])


def too_late(incoming: Incoming, game: Game, at: Position, seat: Seat) -> None:
    """Answer a move for the round that was closed last."""
    before = turn_queries.turn_before(incoming.session, at.turn)
    _answer(incoming, game, seat, before.round if before else 0, at.turn.at)


def _answer(incoming: Incoming, game: Game, seat: Seat, late_for: int, closed: datetime) -> None:
    gm_sees = not gm_list.is_playing_alone(incoming.app, incoming.session, game)
    incoming.answer(
        "late", game, seat.number, late_for=late_for, received=incoming.received, closed=closed, gm_sees=gm_sees
    )
    incoming.refused = True


def is_for_earlier(incoming: Incoming, game: Game, at: Position, seat: Seat, lines: Sequence[str]) -> bool:
    """Say whether a mail replies to one of ours that showed an earlier position, in a round that has several of them.

    There a move may have its effect at once, and its time is no proof: lines that are sent again would roll again. Who
    copies what lies there now, or its number, means that.
    """
    number = SeatNumber(seat.number)
    template = at.engine.view(at.state, number).block if at.engine.rules.unit == "round" else ()
    if not any(STAND_LINE.fullmatch(line) for line in template):
        return False
    shown = {
        mail.message_id: mail.opens_round for mail in game_queries.positions(incoming.session, game.id, seat.player_id)
    }
    stand = shown.get(incoming.mail.in_reply_to)
    is_copied = any(" ".join(line.split()) in template for line in lines if ":" in line)
    return stand is not None and stand < at.engine.stand(at.state, number) and not is_copied


def closes_by_round(at: Position) -> bool:
    """Say whether a mail that came too early belongs to the round before, not to a position within this one."""
    return at.engine.rules.unit == "round" and at.turn.kind != "act"


def has_seen(incoming: Incoming, game: Game, at: Position, seat: Seat) -> bool:
    """Say whether a mail came after its sender could know the present position: from our mail, or as everybody."""
    stand = at.engine.stand(at.state, SeatNumber(seat.number))
    seen = game_queries.seen_at(incoming.session, game, seat.player_id, stand)
    # A time to come was noted by a clock that was ahead and says nothing; the mail did go out.
    if seen is not None and (incoming.received >= seen.replace(microsecond=0) or seen > incoming.app.now()):
        return True
    published = at.turn.published_at
    if published is not None and incoming.received >= published:
        return True
    return _has_replied(incoming, game_queries.showing(incoming.session, game, seat.player_id, stand))


def _has_replied(incoming: Incoming, mails: Sequence[MailOut]) -> bool:
    """Say whether a mail replies to one of these, also to what it was before the database was restored."""
    replied, secret = incoming.mail.in_reply_to, game_queries.secret_of_the_life_before(incoming.session)
    domain = replied.rpartition("@")[2].rstrip(">")
    before = {message_id(secret, mail.cause, mail.recipient, mail.kind, domain) for mail in mails if secret}
    return bool(replied) and replied in before | {mail.message_id for mail in mails}
