"""A mail's commands carried out: each command gives parts of the one answer."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from typing import Any

from games import AnyEngine, engines
from games.api import Seat as SeatNumber
from games.api import say
from gm.errors import OperatorError, PlayerError
from gm.play import access, appeals, joining, judging, moves, questions, sheets, turns
from gm.play.incoming import Incoming, running_seat
from gm.publish import bulletins
from gm.publish.post import Part, gm_name
from gm.publish.rules_page import Page, rules_page
from gm.store import queries
from gm.store.tables import Game, Seat
from parsers import commands


def carry_out(incoming: Incoming) -> None:
    """Carry out every command of a mail, in order; one that is refused doesn't stop the next.

    To a stranger most commands are closed, and the answer is the same whatever game they name (mail.md, policies).
    """
    all_commands = [said.command for said in incoming.reading.commands]
    if not incoming.players:
        all_commands = [command for command in all_commands if _is_open_to_strangers(incoming, command)]
    skipped, clashing = moves.compare_blocks(incoming, all_commands)
    for at, command in enumerate(all_commands):
        if at in skipped:
            continue
        try:
            _HANDLERS[type(command)](incoming, command)
        except PlayerError as error:
            incoming.notice(error.text)
    for game in clashing:
        incoming.about(game)
        incoming.notice(say("TWO_BLOCKS", game=game.name))
    was_silent = not incoming.parts
    moves.show_quoted(incoming)
    if not incoming.parts:
        if not moves.take_untitled(incoming):
            _free_text(incoming)
    elif was_silent and incoming.reading.free_text:
        _to_gm(incoming, commands.ToGm(text=incoming.reading.free_text))


def _is_open_to_strangers(incoming: Incoming, command: object) -> bool:
    if isinstance(command, commands.Yes | commands.No):
        return questions.was_asked(incoming.session, incoming.mail.sender)
    return isinstance(command, commands.Join | commands.Standby | commands.Games | commands.Help)


def _intent(incoming: Incoming, command: commands.Wait | commands.Ready) -> None:
    game, seat = running_seat(incoming, command.game)
    at = turns.position(incoming.app, incoming.session, game)
    if at.engine.rules.unit != "round":
        incoming.notice(say("NO_EFFECT", game=game.name))
        return
    if moves.is_late(incoming, game, at, seat, False):
        return
    waits = isinstance(command, commands.Wait)
    seat.intent, seat.intent_round = "wait" if waits else "ready", game.round
    incoming.session.add(seat)
    incoming.notice(say("WILL_WAIT" if waits else "READY", game=game.name, round=game.round), applied=True)


def _status(incoming: Incoming, command: commands.Status) -> None:
    game, seat = running_seat(incoming, command.game)
    at = turns.position(incoming.app, incoming.session, game)
    own = sheets.move_on_file(incoming.session, game, at, seat.number)
    judge = judging.judge(incoming.app, incoming.session, game)
    position = bulletins.position_context(
        incoming.app, game, at.engine, at.state, SeatNumber(seat.number), judge, own=own
    )
    incoming.answer("status", game, seat.number, on_file=own is not None, **position)
    incoming.applied = True


def _help(incoming: Incoming, command: commands.Help) -> None:
    engine = _kind_meant(incoming, command.topic)
    page = rules_page(engine, incoming.language) if engine else ()
    incoming.parts.append(_rules(incoming, engine, page) if engine and page else _general_help(incoming, command.topic))
    incoming.applied = True


def _kind_meant(incoming: Incoming, topic: str) -> AnyEngine | None:
    """Find the kind of game that help is asked about; a player may name the game itself."""
    game = queries.game_named(incoming.session, topic) if topic and incoming.players else None
    return engines().get(game.engine if game else topic)


def _rules(incoming: Incoming, engine: AnyEngine, page: Page) -> Part:
    """Give the rules of a game, with how the writer moves now where he sits in one of the kind."""
    own = _own_position(incoming, engine.rules.key)
    if own is None:
        return Part(template="rules", context={"title": engine.rules.title, "page": page, "game": ""}, engine=engine)
    return replace(own, template="rules", context={**own.context, "page": page})


def _general_help(incoming: Incoming, topic: str = "") -> Part:
    """Name the commands, with examples of a game in which the writer sits; `topic` is what we have no page about."""
    kinds = sorted(engines().values(), key=lambda engine: engine.rules.title)
    own = _own_position(incoming) or Part(
        template="help", context={**_house(incoming), "title": kinds[0].rules.title, "game": "", "block": ()}
    )
    meant = _kind_meant(incoming, topic)
    more = {
        "titles": [engine.rules.title for engine in kinds],
        "explained": next((e.rules.title for e in (own.engine, *kinds) if e and rules_page(e, "de")), "?"),
        "without_rules": meant.rules.title if meant else "",
        "unknown": "" if meant else topic,
    }
    return replace(own, template="help", context={**own.context, **more})


def _own_position(incoming: Incoming, key: str = "") -> Part | None:
    """Show the writer's position in a running game (of a kind), best in one where it is his turn."""
    found: list[Part] = []
    for game in access.games_of(incoming.session, incoming.players):
        if game.status != "running" or key not in ("", game.engine):
            continue
        seat = access.any_seat(incoming.session, game, incoming.players)
        with suppress(OperatorError):  # whose rules can't be had here
            found.append(_position(incoming, game, seat))
    return next((part for part in found if part.context["is_due"]), found[0] if found else None)


def _position(incoming: Incoming, game: Game, seat: Seat) -> Part:
    app, session = incoming.app, incoming.session
    at = turns.position(app, session, game)
    number = SeatNumber(seat.number)
    own = sheets.move_on_file(session, game, at, seat.number)
    judge = judging.judge(app, session, game)
    context = {
        **bulletins.frame_context(app, game, at.engine, incoming.language),
        **bulletins.position_context(app, game, at.engine, at.state, number, judge, own=own),
    }
    return Part(
        template="", context=context, engine=at.engine, names=bulletins.names_by_seat(session, game), own=number
    )


def _games(incoming: Incoming, _command: commands.Games) -> None:
    rows = []
    for game in queries.games(incoming.session, ("open", "running")):
        engine = incoming.app.engine(game.engine)
        free = engine.rules.seats[1] - len(queries.seats(incoming.session, game)) if game.status == "open" else 0
        rows.append({**bulletins.frame_context(incoming.app, game, engine, incoming.language), "free": free})
    incoming.parts.append(Part(template="games", context={**_house(incoming), "games": rows}))
    incoming.applied = True


def _house(incoming: Incoming) -> dict[str, Any]:
    service = incoming.app.settings.service
    return {"gm": gm_name(incoming.app), "service": service.name}


def _to_gm(incoming: Incoming, command: commands.ToGm) -> None:
    _pass_on(incoming, command.text)
    incoming.notice(say("PASSED_ON", gm=gm_name(incoming.app)), applied=True)


def _free_text(incoming: Incoming) -> None:
    """A mail without any command: a player's words go to the GM, a stranger gets the short help once a day."""
    if not incoming.players:
        _stranger(incoming)
    elif incoming.row.size > len(incoming.row.raw) or incoming.mail.is_cut:
        incoming.notice(say("TOO_LARGE"))
    elif incoming.reading.is_forward:
        incoming.notice(say("FORWARDED"))
        if incoming.reading.free_text:
            _to_gm(incoming, commands.ToGm(text=incoming.reading.free_text))
    elif incoming.reading.free_text:
        _pass_on(incoming, incoming.reading.free_text)
        code = "FREE_TEXT_ATTACHED" if incoming.mail.has_attachment else "FREE_TEXT"
        incoming.notice(say(code, gm=gm_name(incoming.app)), applied=True)
    elif incoming.reading.is_quotation:
        incoming.notice(say("NOTHING_BUT_QUOTED"))
    elif incoming.mail.has_attachment:
        _pass_on(incoming, ", ".join(incoming.mail.part_types))
        incoming.notice(say("ATTACHED", gm=gm_name(incoming.app)))
    else:
        incoming.notice(say("NOTHING_READ"))


def _pass_on(incoming: Incoming, text: str) -> None:
    """Put a player's words before the GM."""
    questions.tell_gm(
        incoming.app, incoming.session, "text", text=text, row=incoming.row, game=incoming.game,
        player=incoming.players[0],
    )  # fmt: skip


def _stranger(incoming: Incoming) -> None:
    yesterday = incoming.app.now() - timedelta(days=1)
    if questions.was_mailed_since(incoming.session, incoming.mail.sender, "help", yesterday):
        return
    incoming.parts.append(_general_help(incoming))
    incoming.refused = True


_HANDLERS: Mapping[type, Callable[[Incoming, Any], None]] = {
    commands.Orders: moves.take_orders,
    commands.Join: joining.sign_up,
    commands.Withdraw: moves.take_back,
    commands.Wait: _intent,
    commands.Ready: _intent,
    commands.Status: _status,
    commands.Help: _help,
    commands.Games: _games,
    commands.Standby: joining.set_standby,
    commands.Yes: joining.take_answer,
    commands.No: joining.take_answer,
    commands.Appeal: appeals.take_appeal,
    commands.ToGm: _to_gm,
}
