"""Bulletins: the mails about a step of a game, one for each seat and one for everybody who watches.

They are made from the step's row alone. So they can be written when the GM releases them, and again at any time.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlmodel import Session

from games.api import AIM, LANGUAGES, SPECTATOR, Language, Outcome, Text, Viewer, say
from games.api import Seat as SeatNumber
from gm.app.context import App
from gm.app.recorded_rules import outcome_of, read_state
from gm.game.announcements import corrections, digest_steps
from gm.game.announcements.announced_step import MadeStep, Step, step_of
from gm.game.announcements.corrections import Correction
from gm.game.deadlines import issue_of_round, planned_zat
from gm.game.moves_on_file import TriedMove
from gm.game.people.site_directory import game_page
from gm.messages import game_mails
from gm.messages.outgoing import Draft, Occasion, Part, draft, queue, recipient, write
from gm.messages.rendering.dates import write_date
from gm.messages.rendering.own_view import own_boards
from gm.messages.rendering.wording import grouped, phrase
from gm.messages.sentences import SENTENCES
from gm.store import game_file
from gm.store.queries import duty_queries, mail_queries, seat_queries, turn_queries
from gm.store.tables import Game, Player, Turn


def announce(
    app: App, session: Session, game: Game, made: Sequence[MadeStep], tried: Mapping[int, TriedMove] | None = None
) -> None:
    """Release steps that follow one another: queue one bulletin about all, for every seat and for those who watch.

    One that asks nothing of a player with a daily digest is left to that.
    A seat that is told of the first step by an answer hears of the others only, if there are any. Only those who may
    know of a move at once are told of it; all are told of a result. `tried` says to single seats what came of their
    advance moves.
    """
    now = app.now()
    for one in made:
        if one.turn.released_at is None or len(made) > 1:
            one.turn.released_at = now  # the same for all: they become public together
    game_file.touch(session, game)
    *earlier, step = [step_of(app, session, game, one.turn, one.resolution) for one in made]
    step = replace(step, earlier=tuple(earlier))
    for told in step.told:
        print_press(told)
    queued = () if made[-1].resolution else mail_queries.queued_for(session, _cause(step))  # nothing for one just made
    wanted = [
        one for one in drafts(step, but=made[0].but, tried=tried)
        if one.to.address and (one.occasion.kind, one.to.key) not in queued
    ]  # fmt: skip
    at_once = [one for one in wanted if not (one.to.daily_at and _is_routine(step, one.parts[0]))]
    digest_steps.forget(session, [turn.id for turn in corrections.replaced(step)])
    digest_steps.note(app, step, [one for one in wanted if one not in at_once])
    queue(session, [write(one) for one in at_once])


def drafts(step: Step, *, but: int | None = None, tried: Mapping[int, TriedMove] | None = None) -> list[Draft]:
    """Prepare a step's bulletins: seat by seat, then for those who watch. The seat `but` knows the first step told."""
    game, session = step.game, step.session
    seated = game_mails.seated(session, game)
    readers: list[tuple[Player, Viewer]] = [(player, SeatNumber(seat)) for player, seat in seated]
    sitting = {player.id for player, _ in seated}
    readers += [(player, SPECTATOR) for player in seat_queries.watchers(game) if player.id not in sitting]
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
    earlier = corrections.earlier(step)
    contexts = {language: {**frame(step, language), **shared} for language in LANGUAGES}
    made = []
    for player, viewer in readers:
        if step.kind != "turn" or game_mails.events_for(step.all_events, viewer):
            own = None if viewer == SPECTATOR else tried.get(int(viewer))
            for_one = {language: {**context, "advance": own} for language, context in contexts.items()}
            made.append(_draft(step, player, viewer, for_one, earlier.correction(player)))
    return made


def _is_routine(step: Step, part: Part) -> bool:
    """Whether a bulletin asks nothing of its reader, corrects nothing, and the game simply goes on."""
    context = part.context
    return (
        step.kind in ("bulletin", "turn") and not context["is_due"]
        and context["advance"] is None and context["correction"] is None
    )  # fmt: skip


def _cause(step: Step) -> str:
    return f"turn:{step.turn.id}"


def _draft(
    step: Step, player: Player, viewer: Viewer, contexts: Mapping[Language, Mapping[str, Any]],
    correction: Correction | None,
) -> Draft:  # fmt: skip
    to = recipient(step.app, step.session, player, step.game)
    shows = not step.outcome and viewer != SPECTATOR and step.kind != "without"
    opens = step.engine.stand(step.state, SeatNumber(int(viewer))) if shows else None
    stop = phrase(to.language, "frame.unwatch", game=step.game.name) if viewer == SPECTATOR else ""
    occasion = Occasion(
        cause=_cause(step), kind=step.kind, game=step.game, opens_round=opens,
        unsubscribe=stop,
    )  # fmt: skip
    reader = "" if viewer == SPECTATOR else player.name
    part = part_of(step, viewer, to.language, {**contexts[to.language], "correction": correction, "reader": reader})
    return draft(step.app, step.session, occasion, to, [part], greet=step.kind == "without")


def part_of(step: Step, viewer: Viewer, language: Language, context: Mapping[str, Any] | None = None) -> Part:
    """Write a step's bulletin for a viewer. `context` is what it says beside the position, if that is known already."""
    context = {**frame(step, language), **_shared_context(step)} if context is None else context
    events = game_mails.events_for(step.all_events, viewer)
    position = game_mails.position_context(step.app, step.session, step.game, step.state, viewer, language)
    template = "turn" if step.kind == "bulletin" and position["view"].headline else step.kind
    is_private = bool(position["block"]) or (position["view"].sections, events) != step.shown_to_all
    own = None if viewer in (SPECTATOR, "all") else SeatNumber(int(viewer))
    reader = step.names[own] if own else ""
    filled = {
        "reader": reader,
        **context,
        **position,
        "events": grouped((event.text for event in events), step.engine.wording),
        "is_private": is_private,
    }
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
    context["correction"] = corrections.earlier(step).for_all()
    clock = SENTENCES["RELEASE_CLOCK"][language]
    if not step.outcome:
        context |= {"zat": clock, "zat_short": clock}
    return part_of(step, viewer, language, context)


def frame(step: Step, language: Language) -> dict[str, Any]:
    """Return names and clock as they were with this step, which need not be the last one."""
    frame, turn, zone = (
        game_mails.frame_context(step.app, step.game, step.engine, language), step.turn,
        step.app.settings.service.timezone,
    )  # fmt: skip
    frame["headline"] = step.headline(language)
    frame["today"] = write_date(turn.released_at or turn.at, zone, language, "date")
    if (turn.number, turn.version) != (step.game.turn, step.game.version):
        frame["round"] = game_mails.round_named(step.engine, turn.round, language)
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
    return {
        "players": len(seat_queries.seat_history(step.game)),
        "checksum": game_mails.seed_checksum(step.game.seed), "zats": zats, "aim": aim, "agreed": _agreed(step)
    }  # fmt: skip


def _agreed(step: Step) -> list[tuple[str, Text | None]]:
    """List the options that aren't as usual, as they are written, and what the game says of each."""
    usual, wording = step.engine.rules.options, step.engine.wording
    agreed: list[tuple[str, Text | None]] = []
    for name, value in step.game.options.items():
        written = str(value).lower() if isinstance(value, bool) else str(value)
        codes = (f"OPTION_{name}_{written}".upper(), f"OPTION_{name}".upper())
        code = next((code for code in codes if code in wording), None)
        if value != usual.get(name):
            agreed.append((f"{name}={written}", say(code, value=written) if code else None))
    return agreed


def _issue(step: Step) -> dict[str, Any] | None:
    """Say which issue the new round ends with, and which one came too soon for it; None without an issue."""
    found = issue_of_round(step.app, step.session, step.game, step.turn)
    return {"number": found[0].number, "at": found[0].noon, "skipped": found[1]} if found else None


def _planned(step: Step) -> list[tuple[int, datetime]]:
    """List when each round ends if none closes early; empty if the number of rounds is open."""
    rounds, first = step.engine.rules.rounds or 0, step.turn.zat
    zats = [first] if first and rounds else []
    while zats and len(zats) < rounds:
        zats.append(planned_zat(step.app, step.session, step.game, zats[-1]))
    return list(enumerate(zats, 1))


def _result(step: Step, outcome: Outcome) -> dict[str, Any]:
    history = seat_queries.seat_history(step.game)
    return {
        "provisional": bool(outcome.doubtful),
        "doubtful": ", ".join(outcome.doubtful),
        "winners": outcome.winners,
        "was_played": turn_queries.has_moves(step.session, step.game),
        "how": outcome.how,
        "points": next((line.points for line in outcome.standings if line.seat in outcome.winners), None),
        "version": _finals_before(step) + 1,
        "seed": step.game.seed,
        "stood_in": [(held[-1], before) for held in history.values() if (before := _others(held))],
    }


def _others(held: Sequence[str]) -> list[str]:
    """Name those who held a seat beside the last one, who may have got it back."""
    return [name for name in dict.fromkeys(held) if name != held[-1]]


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
