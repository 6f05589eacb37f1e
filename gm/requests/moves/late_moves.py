"""Whether a mail with a move came in time, and for the position that its sender had seen."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from games.api import LANGUAGES, say
from games.api import Seat as SeatNumber
from gm.app.recorded_rules import read_state
from gm.game import closing_time
from gm.game.position import Position
from gm.messages import game_mails, gm_list
from gm.messages.rendering.dates import write_span
from gm.messages.rendering.mime import message_id
from gm.requests.request import Request
from gm.store.queries import player_queries, thread_queries, turn_queries, zine_queries
from gm.store.tables import Game, MailOut, Player, Seat, Turn
from parsers.lines.blocks import STAND_LINE


def is_late(request: Request, game: Game, at: Position, seat: Seat, *, names_position: bool = False) -> bool:
    """Answer a block that came after its round was closed; it is never a move of the next round.

    A block that doesn't name the present position belongs to the one that its sender has seen. So it must reply to our
    mail with this round's position, or have arrived after that mail was accepted for delivery (in whole seconds,
    as the server's clock counts). In the first round nobody can have meant another one: a block counts although it came
    before the mail about the start went out.
    """
    if _is_for_undone(request, game, at):
        _refuse_crossed(request, game)
        return True
    closes = closing_time.closing_instant(request.app, request.session, game, at)
    if closes is not None and request.received > closes:
        _answer(request, game, seat, game.round, closes)
        return True
    if names_position or has_seen(request, game, at, seat):
        return False
    if was_in_time(request, game, at.turn, seat):
        return True
    if not closes_by_round(at):
        _refuse_crossed(request, game)
        return True
    if at.turn.kind == "start":  # there is no older position that it could be meant for
        return False
    too_late(request, game, at, seat)
    return True


def _refuse_crossed(request: Request, game: Game) -> None:
    request.note_game(game)
    request.refuse(say("CROSSED", game=game.name))


def _is_for_undone(request: Request, game: Game, at: Position) -> bool:
    """Whether a mail is for a position that the GM has taken back: it came while it stood, or replies to its mail."""
    if not game.reopened:
        return False
    undone = turn_queries.undone_after(request.session, at.turn)
    if any(one.at < request.received <= one.undone_at for one in undone if one.undone_at):
        return True
    return thread_queries.is_reply(request.session, request.mail.in_reply_to, [f"turn:{one.id}" for one in undone])


def was_in_time(request: Request, game: Game, turn: Turn, seat: Seat, lines: Sequence[str] = ()) -> bool:
    """Answer a mail that came before the closing of a round in which its sender owed a move, and was seen after it.

    A server may show a mail late, and with the time at which it came. The GM, who can take the closing back, gets it:
    the lines of a move, or else the sender's words. A move that waited for its sender's word is none of these: the word
    is what came late.
    """
    session = request.session
    if _came_at(request) > turn.at:
        return False
    closing = turn_queries.closing_after(session, turn, request.received)
    before = turn_queries.turn_before(session, closing) if closing else None
    if closing is None or before is None or not turn_queries.owed_move(session, closing, seat):
        return False
    closed = _end_of_round(closing, before)
    # A mail of the second in which somebody closed the round may have come before or after it: that is none in time.
    last = closed if closed == before.zat else closed.replace(microsecond=0) - timedelta(seconds=1)
    if _came_at(request) > last:
        return False
    gm_sees = _gm_sees(request, game)
    request.answer("in_time", game, seat.number, sent_for=before.round, received=request.received, closed=closed,
                   gm_sees=gm_sees)  # fmt: skip
    request.refused = True
    player = session.get_one(Player, seat.player_id)
    back = [("undo", game.name), ("move", game.name, player.name), ("close", game.name)] if gm_sees else []
    text = "\n".join(lines) or request.reading.own_words
    request.tell_gm("in_time", text, game=game, player=player, lines=back)
    return True


def _came_at(request: Request) -> datetime:
    """Return when the mail came by which a move counts: its own, or the word that its sender was asked for."""
    return (request.answered or request.row).received_at


def too_late(request: Request, game: Game, at: Position, seat: Seat) -> None:
    """Answer a move for the round that was closed last."""
    opening, before = turn_queries.opening_of_round(request.session, at.turn)
    closed = _end_of_round(opening, before) if before else opening.at
    _answer(request, game, seat, before.round if before else 0, closed)


def _end_of_round(closing: Turn, before: Turn) -> datetime:
    """Return until when moves were in time: the ZAT, or where the round closed before it, its closing."""
    return min(closing.at, before.zat or closing.at)


def _gm_sees(request: Request, game: Game) -> bool:
    return not gm_list.is_playing_alone(request.app, request.session, game)


def _answer(request: Request, game: Game, seat: Seat, late_for: int, closed: datetime) -> None:
    gm_sees = _gm_sees(request, game)
    by = write_span(_came_at(request) - closed, request.language)
    request.answer(
        "late", game, seat.number, late_for=late_for, received=_came_at(request), closed=closed, by=by, gm_sees=gm_sees
    )
    request.refused = True


def is_for_earlier(request: Request, game: Game, at: Position, seat: Seat, lines: Sequence[str]) -> bool:
    """Whether a mail replies to one of ours that showed an earlier position, in a round with several positions.

    There a move may take effect at once, so its time of arrival proves nothing: lines that are sent again would roll
    the dice again. Whoever copies the present lines, or the present position's number, means the present position.
    """
    number = SeatNumber(seat.number)
    block = at.engine.view(at.state, number).block if at.engine.rules.unit == "round" else ()
    template = {line for language in LANGUAGES for line in game_mails.in_language(at.engine, block, language)}
    if not any(STAND_LINE.fullmatch(line) for line in template):
        return False
    mails = thread_queries.position_mails(request.session, game, seat.player_id)
    shown = {mail.message_id: mail.opens_round for mail in mails}
    stand = shown.get(request.mail.in_reply_to)
    if stand is None and (several := about_several(request)):
        stand = _stand_at(request, game, at, number, several.created_at)
    is_copied = any(" ".join(line.split()) in template for line in lines if ":" in line)
    return stand is not None and stand < at.engine.stand(at.state, number) and not is_copied


def about_several(request: Request) -> MailOut | None:
    """Find the mail about several moves that a mail replies to."""
    session, mail = request.session, request.mail
    addresses = {mail.sender, *(player_queries.address_of(session, player.id) for player in request.players)}
    return thread_queries.mail_about_several(session, mail.in_reply_to, addresses)


def _stand_at(request: Request, game: Game, at: Position, number: SeatNumber, instant: datetime) -> int | None:
    """Return the number of the position that a mail of that instant showed to a seat."""
    made = [one for one in turn_queries.turns(request.session, game) if one.at <= instant and one.undone_at is None]
    return at.engine.stand(read_state(at.engine, game.name, made[-1]), number) if made else None


def closes_by_round(at: Position) -> bool:
    """Whether a mail that came too early is for the round before, and not for a position within this round."""
    return at.engine.rules.unit == "round" and at.turn.kind != "act"


def has_seen(request: Request, game: Game, at: Position, seat: Seat) -> bool:
    """Whether the sender could know the present position when the mail came: by our mail, or as it was public."""
    stand = at.engine.stand(at.state, SeatNumber(seat.number))
    seen = thread_queries.position_sent_at(request.session, game, seat.player_id, stand)
    # A time in the future was noted by a clock that was ahead: it proves nothing, but the mail did go out.
    if seen is not None and (request.received >= seen.replace(microsecond=0) or seen > request.app.now()):
        return True
    published = at.turn.published_at
    if published is not None and request.received >= published:
        return True
    return _has_replied(request, thread_queries.mails_with_position(request.session, game, seat.player_id, stand))


def _has_replied(request: Request, mails: Sequence[MailOut]) -> bool:
    """Whether a mail replies to one of these; their Message-IDs from before the database was restored count as well."""
    replied, secret = request.mail.in_reply_to, zine_queries.former_signing_secret(request.session)
    domain = replied.rpartition("@")[2].rstrip(">")
    before = {message_id(secret, mail.cause, mail.recipient, mail.kind, domain) for mail in mails if secret}
    return bool(replied) and replied in before | {mail.message_id for mail in mails}
