"""Bulletins: the mails about a step of a game, one for each seat and one for everybody who watches.

They are made from the step's row alone. So they can be written when the GM releases them, and again at any time.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlmodel import Session

from games.api import AIM, LANGUAGES, SPECTATOR, Language, Outcome, Viewer, say
from games.api import Seat as SeatNumber
from gm.app.context import App
from gm.app.recorded_rules import check_readable, outcome_of, read_state
from gm.game.announcements import corrections
from gm.game.announcements.announced_step import MadeStep, Step, step_of
from gm.game.announcements.corrections import Correction
from gm.game.deadlines import issue_of_round, next_time, planned_zat
from gm.game.moves_on_file import TriedMove
from gm.messages import game_mails, held_mails
from gm.messages.outgoing import Draft, Occasion, Part, draft, queue, recipient, write
from gm.messages.rendering.dates import write_date
from gm.messages.rendering.own_view import own_boards
from gm.players.site_directory import game_page
from gm.runtime.errors import Refused
from gm.store.queries import duty_queries, mail_queries, seat_queries, turn_queries
from gm.store.tables import Game, MailOut, Player, Turn


def announce(
    app: App, session: Session, game: Game, made: Sequence[MadeStep], tried: Mapping[int, TriedMove] | None = None
) -> None:
    """Release steps that follow one another: queue one bulletin about all, for every seat and for those who watch.

    A bulletin that asks nothing of a player who wants one mail a day is held back for that one.
    A seat that is told of the first step by an answer hears of the others only, if there are any. Only those who may
    know of a move at once are told of it; all are told of a result. `tried` says to single seats what came of their
    advance moves.
    """
    now = app.now()
    for one in made:
        if one.turn.released_at is None or len(made) > 1:
            one.turn.released_at = now  # the same for all: they become public together
            session.add(one.turn)
    session.flush()
    *earlier, step = [step_of(app, session, game, one.turn, one.resolution) for one in made]
    step = replace(step, earlier=tuple(earlier))
    for told in step.told:
        print_press(told)
    queued = () if made[-1].resolution else mail_queries.queued_for(session, _cause(step))  # nothing for one just made
    wanted = [
        one for one in drafts(step, but=made[0].but, tried=tried)
        if one.to.address and (one.occasion.kind, one.to.key) not in queued
    ]  # fmt: skip
    corrections.drop_replaced(step, [one.to.key for one in wanted])
    queue(session, [_filed(step, one) for one in wanted])


def drafts(step: Step, *, but: int | None = None, tried: Mapping[int, TriedMove] | None = None) -> list[Draft]:
    """Prepare a step's bulletins: seat by seat, then for those who watch. The seat `but` knows the first step told."""
    game, session = step.game, step.session
    seated = game_mails.seated(session, game)
    readers: list[tuple[Player, Viewer]] = [(player, SeatNumber(seat)) for player, seat in seated]
    sitting = {player.id for player, _ in seated}
    readers += [(player, SPECTATOR) for player in seat_queries.watchers(session, game) if player.id not in sitting]
    for_but = replace(step, earlier=step.earlier[1:]) if step.earlier else step
    found = []
    for told, some in (
        (step, [one for one in readers if one[1] != but]),
        (for_but, [one for one in readers if one[1] == but and (step.earlier or step.outcome)]),
    ):
        if some:
            found += _drafts(told, some, tried or {})
    return found


def _drafts(step: Step, readers: Sequence[tuple[Player, Viewer]], tried: Mapping[int, TriedMove]) -> list[Draft]:
    shared = _shared_context(step)
    earlier = corrections.earlier(step, [name for name, _, _ in shared["missed"]])
    contexts = {language: {**frame(step, language), **shared} for language in LANGUAGES}
    made = []
    for player, viewer in readers:
        if step.kind != "turn" or game_mails.events_for(step.all_events, viewer):
            own = None if viewer == SPECTATOR else tried.get(int(viewer))
            for_one = {language: {**context, "advance": own} for language, context in contexts.items()}
            made.append(_draft(step, player, viewer, for_one, earlier.correction(player, viewer)))
    return made


def _filed(step: Step, one: Draft) -> Mapping[str, Any]:
    """Write a bulletin: held back, or with what was held about this game before it, or, as mostly, neither."""
    if not one.to.bundle or one.to.player_id is None:
        return write(one)
    if not _goes_at_once(step, one.parts[0]):
        until = next_time(step.app, one.to.bundle)
        return {**write(one), "status": mail_queries.HELD, "held_at": step.app.now(), "next_try": until}
    held = held_mails.held_for(step.session, one.to.player_id, step.game.id)
    try:
        part = _with_earlier(step, one.parts[0], held)
    except Refused:  # other rules have made those steps; their bulletins are there
        held_mails.queue_each(step.app, step.session, held)
        return write(one)
    held_mails.carry(step.session, held, one.envelope.message_id)
    return write(replace(one, parts=[part, *one.parts[1:]]))


def _goes_at_once(step: Step, part: Part) -> bool:
    """Whether a bulletin asks for a move, says what came of the reader's own, or begins a game."""
    return bool(part.context["is_due"]) or part.context["advance"] is not None or step.kind == "start"


def _cause(step: Step) -> str:
    return f"turn:{step.turn.id}"


def _draft(
    step: Step, player: Player, viewer: Viewer, contexts: Mapping[Language, Mapping[str, Any]],
    correction: Correction | None, language: Language | None = None,
) -> Draft:  # fmt: skip
    to = recipient(step.app, step.session, player, step.game)
    to = replace(to, language=language or to.language)
    shows = not step.outcome and viewer != SPECTATOR and step.kind != "without"
    opens = step.engine.stand(step.state, SeatNumber(int(viewer))) if shows else None
    stop = {"de": "nicht beobachten", "en": "Unwatch"}[to.language] if viewer == SPECTATOR else ""
    occasion = Occasion(
        cause=_cause(step), kind=step.kind, game=step.game, opens_round=opens,
        unsubscribe=f"{stop} {step.game.name}" if stop else "",
    )  # fmt: skip
    part = part_of(step, viewer, to.language, {**contexts[to.language], "correction": correction})
    return draft(step.app, step.session, occasion, to, [part], greet=step.kind == "without")


def retold(
    app: App, session: Session, game: Game, player: Player, held: Sequence[MailOut], language: Language
) -> Draft:
    """Write what was held for a player about a game as one mail: the newest position whole, what was before in short.

    It is the last of these mails, as it is to be sent now. Raises OperatorError for a game whose rules can't be had.
    """
    last = max((at for at, mail in enumerate(held) if mail.kind != "without"), default=0)
    whole = [_redraft(app, session, game, player, mail, language) for mail in held[last:]]
    step, first = whole[0]
    parts = [_with_earlier(step, first.parts[0], held[:last]), *(one.parts[0] for _, one in whole[1:])]
    return replace(whole[-1][1], parts=parts, greet=first.greet)


def _redraft(
    app: App, session: Session, game: Game, player: Player, mail: MailOut, language: Language
) -> tuple[Step, Draft]:
    """Prepare a bulletin once more, as things stand now, for who the player was when it was written."""
    step, viewer = _step_told(app, session, game, mail), _viewer_then(session, game, mail)
    context = {**frame(step, language), **_shared_context(step)}
    earlier = corrections.earlier(step, [name for name, _, _ in context["missed"]])
    return step, _draft(step, player, viewer, {language: context}, earlier.correction(player, viewer), language)


def _step_told(app: App, session: Session, game: Game, mail: MailOut) -> Step:
    """Load the step that a bulletin tells of, with those before it. Raises OperatorError where rules can't be had.

    Steps that were announced together have one bulletin. One of the reader's own was answered.
    """
    turn, viewer = session.get_one(Turn, int(mail.cause.removeprefix("turn:"))), _viewer_then(session, game, mail)
    together = [
        one for one in turn_queries.turns(session, game)
        if one.number < turn.number and one.released_at == turn.released_at and one.undone_at is None
        and not (one.kind == "act" and one.input["seat"] == viewer)
        and not mail_queries.queued_to(session, f"turn:{one.id}", mail.kind, [mail.recipient])
    ]  # fmt: skip
    for one in (*together, turn):
        check_readable(app.engine(game.engine), game.name, one)
    earlier = tuple(step_of(app, session, game, one) for one in together)
    return replace(step_of(app, session, game, turn), earlier=earlier)


def _viewer_then(session: Session, game: Game, mail: MailOut) -> Viewer:
    """Return as whom a player was to see a bulletin that was held back."""
    seat = seat_queries.seat_row(session, game, mail.player_id) if mail.player_id else None
    at = mail.held_at or mail.created_at
    sat = seat is not None and seat.since <= at and (seat.until is None or at < seat.until)
    return SeatNumber(seat.number) if seat and sat else SPECTATOR


def _with_earlier(step: Step, part: Part, held: Sequence[MailOut]) -> Part:
    """Let a bulletin say first, in short, what these earlier ones would have said."""
    before = [_in_short(step, mail) for mail in held]
    return replace(part, context={**part.context, "before": before})


def _in_short(newest: Step, mail: MailOut) -> Mapping[str, Any]:
    """Return what a bulletin says beside the position: what happened, and what people wrote."""
    session, game = newest.session, newest.game
    step, viewer = _step_told(newest.app, session, game, mail), _viewer_then(session, game, mail)
    absent = [one for told in step.told for one in missed(told)]
    earlier = corrections.earlier(step, [name for name, _, _ in absent])
    return {
        "kind": step.kind, "closed": closed_round(step), "at": step.turn.released_at or step.turn.at,
        "foreword": [line for told in step.told for line in told.turn.foreword.splitlines()], "missed": absent,
        "press": [press for told in step.told for press in press_of(told)],
        "events": [event.text for event in game_mails.events_for(step.all_events, viewer)],
        "correction": earlier.correction(session.get_one(Player, mail.player_id), viewer),
    }  # fmt: skip


def part_of(step: Step, viewer: Viewer, language: Language, context: Mapping[str, Any] | None = None) -> Part:
    """Write a step's bulletin for a viewer. `context` is what it says beside the position, if that is known already."""
    context = {**frame(step, language), **_shared_context(step)} if context is None else context
    events = game_mails.events_for(step.all_events, viewer)
    position = game_mails.position_context(step.app, step.session, step.game, step.engine, step.state, viewer)
    template = "turn" if step.kind == "bulletin" and position["view"].headline else step.kind
    is_private = (position["view"].sections, events) != step.shown_to_all
    filled = {**context, **position, "events": [event.text for event in events], "is_private": is_private}
    own = None if viewer in (SPECTATOR, "all") else SeatNumber(int(viewer))
    if own and step.kind == "start":  # the boards of the others are as empty
        filled["view"] = own_boards(position["view"], own)
    return Part(template=template, context=filled, engine=step.engine, own=own, names=step.names)


def preview(step: Step, viewer: Viewer, language: Language) -> Part:
    """Write a bulletin that waits for its release, with the press that it will print."""
    waiting = [
        (press, step.session.get_one(Player, press.player_id))
        for press in turn_queries.waiting_press(step.session, step.game)
    ]
    context = {**frame(step, language), **_shared_context(step), "press": signed(waiting)}
    context["correction"] = corrections.earlier(step, [name for name, _, _ in context["missed"]]).for_spectators()
    clock = {"de": "zählt ab der Freigabe", "en": "counts from the release"}[language]
    if not step.outcome:
        context |= {"zat": clock, "zat_short": clock}
    return part_of(step, viewer, language, context)


def frame(step: Step, language: Language) -> dict[str, Any]:
    """Return names and clock as they were with this step, which need not be the last one."""
    frame, turn, zone = (
        game_mails.frame_context(step.app, step.game, step.engine, language), step.turn,
        step.app.settings.service.timezone,
    )  # fmt: skip
    frame["today"] = write_date(turn.released_at or turn.at, zone, language, "date")
    if (turn.number, turn.version) != (step.game.turn, step.game.version):
        frame["round"] = turn.round
        frame["zat"] = write_date(turn.zat, zone, language, "long") if turn.zat else ""
        frame["zat_short"] = write_date(turn.zat, zone, language, "short") if turn.zat else ""
    return frame


def _shared_context(step: Step) -> dict[str, Any]:
    """Return what a bulletin says beside the position, the same to all."""
    turn, gm = step.turn, step.app.settings.service.gm
    return {
        "foreword": [line for told in step.told for line in told.turn.foreword.splitlines()],
        "press": [press for told in step.told for press in press_of(told)],
        "missed": [one for told in step.told for one in missed(told)], "words": turn.words,
        "gm_plays": seat_queries.has_seat(step.session, step.game, gm.address), "correction": None, "advance": None,
        "before": (),
        "closed": closed_round(step), "page": game_page(step.app, step.game), "issue": _issue(step),
        **(_start(step) if step.kind == "start" else {}),
        **(_result(step, step.outcome) if step.outcome else {}),
    }  # fmt: skip


def closed_round(step: Step) -> int:
    """Return the round that this step closed, which is the number of its bulletin; 0 for the start."""
    return turn_queries.round_before(step.session, step.turn) or 0


def _start(step: Step) -> dict[str, Any]:
    zats = _planned(step)
    aim = say(AIM) if AIM in step.engine.wording else None
    return {"checksum": game_mails.seed_checksum(step.game.seed), "zats": zats, "aim": aim}


def _issue(step: Step) -> dict[str, Any] | None:
    """Say which issue the new round ends with, and which one came too soon for it; None without an issue."""
    turn = step.turn
    begins = turn.released_at or turn.at
    found = issue_of_round(step.app, step.session, step.game, begins, turn.zat) if turn.zat else None
    return {"number": found[0].number, "at": found[0].noon, "skipped": found[1]} if found else None


def _planned(step: Step) -> list[tuple[int, datetime]]:
    """List when each round ends if none closes early; empty if the number of rounds is open."""
    rounds, first = step.engine.rules.rounds or 0, step.turn.zat
    zats = [first] if first and rounds else []
    while zats and len(zats) < rounds:
        zats.append(planned_zat(step.app, step.session, step.game, zats[-1]))
    return list(enumerate(zats, 1))


def _result(step: Step, outcome: Outcome) -> dict[str, Any]:
    history = seat_queries.seat_history(step.session, step.game)
    return {
        "provisional": bool(outcome.doubtful),
        "doubtful": ", ".join(outcome.doubtful),
        "winners": outcome.winners,
        "how": outcome.how,
        "points": next((line.points for line in outcome.standings if line.seat in outcome.winners), None),
        "version": _finals_before(step) + 1,
        "seed": step.game.seed,
        "stood_in": [(held[-1], held[:-1]) for held in history.values() if held[1:]],
    }


def _finals_before(step: Step) -> int:
    """Count the final (not provisional) results that went out before."""
    if step.turn.version == 1:
        return 0
    versions = [
        turn for turn in turn_queries.turns(step.session, step.game)
        if turn.number == step.turn.number and turn.version < step.turn.version and turn.undone_at is None
    ]  # fmt: skip
    mailed = [
        turn for turn in versions
        if "final" in {kind for kind, _ in mail_queries.queued_for(step.session, f"turn:{turn.id}")}
    ]  # fmt: skip
    outcomes = [outcome_of(step.engine, turn, read_state(step.engine, step.game.name, turn)) for turn in mailed]
    return sum(1 for outcome in outcomes if outcome and not outcome.doubtful)


# -- beside the position -----------------------------------------------------------------------------------------------


def missed(step: Step) -> Sequence[tuple[str, int, int]]:
    """List who missed this closing: name, how often in this game, how often in a row; 0 if a mail is unclear."""
    closings = [*_ruled_before_release(step), step.turn]
    found = [one for turn in closings for one in duty_queries.missed_in(step.session, step.game, turn)]
    return [(player.name, *((record.missed, record.in_a_row) if record else (0, 0))) for player, record in found]


def _ruled_before_release(step: Step) -> list[Turn]:
    """List the versions of this step that were never released: the GM ruled on their words while they waited."""
    if step.turn.version == 1:
        return []
    return [
        turn for turn in turn_queries.turns(step.session, step.game)
        if turn.number == step.turn.number and turn.id < step.turn.id and turn.released_at is None
    ]  # fmt: skip


def print_press(step: Step) -> None:
    """Print the press that waits in this step's bulletin, if all get it."""
    if step.kind != "without" and (step.kind != "turn" or game_mails.events_for(step.events, SPECTATOR)):
        for press in turn_queries.waiting_press(step.session, step.game):
            press.turn_id = step.turn.id
            step.session.add(press)
        step.session.flush()


def press_of(step: Step) -> list[tuple[str, list[str]]]:
    """Return the press of a bulletin: who signs ("" for nobody) and the lines."""
    return signed(turn_queries.press_in(step.session, step.turn))


def signed(found: Iterable[tuple[Any, Player]]) -> list[tuple[str, list[str]]]:
    """Sign press texts."""
    return [("" if press.anonymous else player.name, press.text.splitlines()) for press, player in found]
