"""Reminders: some time before the ZAT, to those whose move is missing, once each.

What is due at one address in a pass comes there as one mail. A game is noted as reminded in the transaction that queues
its mails: no crash reminds of it twice, or not at all.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final

from sqlmodel import Session, col, func, select

from games.api import Language, MoveBlock
from games.api import Seat as SeatNumber
from gm.app.context import App
from gm.game import closing_time, moves_on_file, word_judge
from gm.game.people.site_directory import game_page
from gm.game.position import Position, is_released, position
from gm.messages import game_mails
from gm.messages.game_mails import GameMail
from gm.messages.outgoing import Occasion, Part, Recipient, gm_name, post, recipient
from gm.messages.rendering.own_view import own_view
from gm.runtime.errors import OperatorError
from gm.store import game_file
from gm.store.queries import (
    game_queries,
    mail_queries,
    seat_queries,
    sheet_queries,
    thread_queries,
    turn_queries,
)
from gm.store.tables import Game, MailOut, Player, Seat, Turn

MOST_TOGETHER: Final = 6
"""So many moves one mail reminds of: mail programs cut longer ones."""


@dataclass(frozen=True, kw_only=True)
class _Missing:
    """A move that is missing, and whom to remind of it."""

    game: Game
    at: Position
    seat: Seat
    player: Player
    cause: str
    to: Recipient


def due(app: App, session: Session, games: Sequence[Game]) -> set[int]:
    """Find those of these running games in which a reminder is due and wasn't sent yet."""
    causes = {game.id: _cause(game, span) for game in games if (span := _due_span(app, game))}
    return {
        game.id for game in games
        if game.id in causes and causes[game.id] != game.reminded and _to_remind(app, session, game)
    }  # fmt: skip


def next_reminder(app: App, game: Game) -> datetime | None:
    """Return when the next reminder of the present ZAT may be due."""
    if game.zat is None or game.held:
        return None
    times = [game.zat - span for span in app.settings.deadlines.reminders]
    return min((time for time in times if time > app.now()), default=None)


def remind(app: App, game_ids: Sequence[int]) -> None:
    """Queue the reminders of games that are due. If a downtime has made several of one due, only the last is sent."""
    with app.database.write() as session:
        found = [
            one for game in game_queries.games_by_id(session, game_ids) if game.status == "running"
            for one in _note_as_reminded(app, session, game)
        ]  # fmt: skip
        for together in _by_address(found):
            if len(together) == 1:
                one = together[0]
                game_mails.send(app, session, one.game, _mail(app, session, one), one.player, one.seat.number)
            else:
                _send_together(app, session, together)


def _note_as_reminded(app: App, session: Session, game: Game) -> list["_Missing"]:
    """List whom to remind of a game now, and note that this is done; nobody where it was."""
    span = _due_span(app, game)
    if span is None or game.reminded == _cause(game, span):
        return []
    found, cause = list[_Missing](), _cause(game, span)
    for at, seat in _to_remind(app, session, game):
        player = session.get_one(Player, seat.player_id)
        to = recipient(app, session, player, game)
        found.append(_Missing(game=game, at=at, seat=seat, player=player, cause=cause, to=to))
    if found:
        # By a statement of its own: there is nothing new to check or to show.
        game_file.note_unchanged(session, game, reminded=cause)
    return found


def _due_span(app: App, game: Game) -> timedelta | None:
    """Return the reminder that is due now, by its time before the ZAT: of several the one nearest to the ZAT."""
    if game.zat is None or game.held or closing_time.is_paused(app, game):
        return None
    return min(
        (span for span in app.settings.deadlines.reminders if game.zat - span <= app.now() < game.zat), default=None
    )


def _cause(game: Game, span: timedelta) -> str:
    assert game.zat is not None
    return f"remind:{game.id}:{game.round}:{game.zat.isoformat()}:{span.total_seconds():.0f}"


def _to_remind(app: App, session: Session, game: Game) -> list[tuple[Position, Seat]]:
    """List the seats to remind now: not those seated, or told of this ZAT, only after the reminder's time."""
    span = _due_span(app, game)
    if span is None or game.zat is None:
        return []
    time = game.zat - span
    late = [(at, seat) for at, seat in _late_seats(app, game) if seat.since < time]
    return late if late and _zat_told_at(session, game) < time else []


def _zat_told_at(session: Session, game: Game) -> datetime:
    """Return when players were told of the present ZAT: by the bulletin of its step, or when it was moved."""
    turn = turn_queries.current_turn(game)
    asked = select(func.min(Turn.released_at)).where(
        Turn.game_id == game.id, Turn.round == turn.round, col(Turn.zat) == game.zat, col(Turn.undone_at).is_(None)
    )
    moved = select(func.max(MailOut.created_at)).where(
        MailOut.game_id == game.id, col(MailOut.kind).in_(("zat", "paused", "resumed"))
    )
    return max(filter(None, (session.exec(asked).one() or turn.at, session.exec(moved).one())))


def _late_seats(app: App, game: Game) -> list[tuple[Position, Seat]]:
    """List the seats whose move is missing, or lacks something."""
    try:
        at = position(app, game)
    except OperatorError:  # told where the game is to be closed
        return []
    if not is_released(at.turn) or closing_time.waits_for_gm(game, at.engine):
        return []
    filed, due = sheet_queries.sheets_on_file(game), at.engine.due(at.state)
    complete = {number for number, sheet in filed.items() if sheet.complete}
    return [(at, seat) for seat in seat_queries.seats(game) if seat.number in due - complete]


def _by_address(found: Sequence["_Missing"]) -> Iterator[list["_Missing"]]:
    """Put together what goes to one address in one language, as much as fits into a mail."""
    by_address: dict[tuple[str, str], list[_Missing]] = {}
    for one in found:
        who = one.to.address or one.to.key  # without an address nobody shares it
        by_address.setdefault((who, one.to.language), []).append(one)
    for group in by_address.values():
        yield from (group[at : at + MOST_TOGETHER] for at in range(0, len(group), MOST_TOGETHER))


def _send_together(app: App, session: Session, found: Sequence["_Missing"]) -> None:
    """Queue one mail about several moves. It belongs to no game: a block in a reply has to name its own."""
    first = found[0].to
    players = list(dict.fromkeys(one.player.name for one in found))
    is_couple = len(players) > 1
    to = replace(first, name=", ".join(players), player_id=None) if is_couple else first
    parts = []
    for number, one in enumerate(found, 1):
        mail = _mail(app, session, one, who=one.player.name if is_couple else "")
        part = game_mails.part_of(app, session, one.game, mail, to.language, one.seat.number)
        parts.append(replace(part, anchor=f"game-{number}"))
    context = {
        "game": "", "gm": gm_name(app), "number": len(parts),
        "names": list(dict.fromkeys(one.game.name for one in found)),
        "rows": [(part.anchor, _row_name(part), part.context["zat"]) for part in parts],
    }  # fmt: skip
    occasion = Occasion(cause=found[0].cause, kind=thread_queries.SEVERAL)
    post(app, session, occasion, to, [Part(template=thread_queries.SEVERAL, context=context), *parts])


def _row_name(part: Part) -> str:
    """Name a part in the list of contents."""
    said = part.context
    return f"{said['title']} {said['game']}" + (f" ({said['who']})" if said["who"] else "")


def _mail(app: App, session: Session, one: "_Missing", who: str = "") -> GameMail:
    """Write what reminds a player: the own position and the block to copy."""
    game, at, seat, player, language = one.game, one.at, one.seat, one.player, one.to.language
    number = SeatNumber(seat.number)
    own = moves_on_file.move_on_file(game, at, seat.number)
    position = game_mails.position_context(app, session, game, at.state, number, language, own=own)
    refused = mail_queries.refused_mail(session, game, player.id, at.turn.released_at or at.turn.at)
    context = {
        **position, "view": own_view(position["view"], number), "incomplete": own is not None, "wanted": (),
        "refused": refused.received_at if refused else None, "page": game_page(app, game), "who": who,
    }  # fmt: skip
    if own is not None:
        context |= _what_is_missing(app, session, game, at, number, own, language)
    stand = at.engine.stand(at.state, number)
    return GameMail(template="reminder", cause=one.cause, context=context, opens_round=stand)


def _what_is_missing(
    app: App, session: Session, game: Game, at: Position, number: SeatNumber, own: Any, language: Language
) -> dict[str, Any]:
    """Return what a move lacks, with the block as it was sent: an empty one, sent back, would take the move back."""
    lines = tuple(sheet_queries.sheets_on_file(game)[number].lines)
    words = word_judge.judge(app, game)
    block = game_mails.offered_block(session, game, at.engine, at.state, number, lines, language)
    return {
        "wanted": at.engine.read(at.state, number, MoveBlock(lines=lines), words, own).wanted,
        "block": block, "mailto": game_mails.mailto(app.settings.service.address, game.name, block),
    }  # fmt: skip
