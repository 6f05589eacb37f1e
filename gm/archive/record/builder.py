"""A game's record from its rows: its public rounds, what each of them showed, in words and with names."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any

from games.api import AIM, EVERYONE, Text, View, say
from gm.app.recorded_rules import outcome_of
from gm.archive.record import public_steps
from gm.archive.record.loader import LoadedGame
from gm.archive.record.public_wording import PublicSpeaker
from gm.archive.record.record import (
    OVER,
    SCHEMA,
    Holder,
    Place,
    Record,
    Remark,
    ResultRecord,
    SeatRecord,
    Snapshot,
    WordRecord,
)
from gm.drawing.parts import Part
from gm.game.announcements.counts import Course, last_points
from gm.game.announcements.headlines import Headlines, short_names
from gm.game.people.shown_names import masked
from gm.game.replayed_step import read_look_back
from gm.messages.game_mails import seed_checksum
from gm.messages.rendering.rules_page import rules_page
from gm.store.json_values import decode_events
from gm.store.tables import Turn


def build_record(loaded: LoadedGame) -> Record:
    """Make a game's record. Raises OperatorError where its rules aren't installed, or have another version."""
    game, engine, known = loaded.game, loaded.engine, loaded.known
    snapshots, now = _snapshots(loaded)
    over = loaded.outcome is not None
    return Record(
        schema=SCHEMA, game=game.name, slug=loaded.slug, kind=game.engine, title=engine.rules.title,
        language=loaded.language, unit=engine.rules.unit, status=_status(loaded), rounds=engine.rules.rounds,
        zat=_zat(loaded), **_due(loaded), **_open(loaded), begun=known[0].at if known else game.created_at,
        ended=known[-1].at if over or (game.status == "aborted" and known) else None,
        seats=_seats(loaded), snapshots=tuple(snapshots), now=now, result=_result(loaded),
        headline=_headline(loaded, snapshots) if known else "",
        retrospect=_retrospect(loaded) if over else (), word_list=known[-1].words if known else "",
        rules_version=known[-1].rules_version if known else engine.rules.version,
        checksum=seed_checksum(game.seed), seed=game.seed if over else None,
    )  # fmt: skip


def build_minimal_record(loaded: LoadedGame) -> Record:
    """Make as much of a game's record as is known without its rules: its name, and who plays."""
    game = loaded.game
    known = public_steps.known(loaded.turns, game.turn, game.version)
    is_published = bool(known) and (known[-1].number, known[-1].version) == (game.turn, game.version)
    is_over = game.status == "aborted" or (game.status in OVER and is_published)
    return Record(
        schema=SCHEMA, game=game.name, slug=loaded.slug, kind=game.engine, title=game.engine.capitalize(),
        language=loaded.language, unit="round", status=game.status if is_over or game.turn is None else "running",
        begun=game.created_at, seats=_seats(loaded), snapshots=(), rules_version=0, checksum=seed_checksum(game.seed),
    )  # fmt: skip


def _status(loaded: LoadedGame) -> str:
    """Give the status as players know it: a result that waits for the GM isn't known yet."""
    if loaded.game.status in ("finished", "provisional"):
        if loaded.outcome is None:
            return "running"
        return "provisional" if loaded.outcome.doubtful else "finished"
    return loaded.game.status


def _zat(loaded: LoadedGame) -> datetime | None:
    """Give the deadline as players know it: a closing that waits for the GM changes nothing."""
    game, known = loaded.game, public_steps.known(loaded.turns, loaded.game.turn, loaded.game.version)
    if not known or _status(loaded) != "running":
        return None
    is_published = (known[-1].number, known[-1].version) == (game.turn, game.version)
    return public_steps.deadline(game.zat if is_published else known[-1].zat, "running", game.held)


def _due(loaded: LoadedGame) -> dict[str, Any]:
    """Say whose turn it is, or of how many seats the moves are in. Neither tells of a closing that waits for the GM."""
    if not loaded.known or _status(loaded) != "running":
        return {}
    due = loaded.engine.due(loaded.state(loaded.known[-1]))
    match loaded.engine.rules.unit:
        case "turn":
            return {"due": tuple(sorted(due))}
        case "round":
            return {"filed": len(due & loaded.filed), "owed": len(due)}
        case _:
            return {}


def _open(loaded: LoadedGame) -> dict[str, Any]:
    """Say who is in, how many are missing and what it is about, while a game waits for players."""
    if loaded.game.status != "open":
        return {}
    taken = [seat for seat in loaded.sitting if seat.until is None]
    least, most = loaded.engine.rules.seats
    example = loaded.engine.rules.example
    return {
        "free": most - len(taken),
        "missing": max(0, least - len(taken)),
        "joined": tuple(loaded.people[seat.player_id].name for seat in taken),
        "about": _about(loaded),
        "example": loaded.speaker.part(example) if example else None,
    }


def _about(loaded: LoadedGame) -> str:
    """Say what the game is about: its own sentence for that, else how its rules begin."""
    if AIM in loaded.engine.wording:
        return loaded.speaker.say(say(AIM))
    pieces = rules_page(loaded.engine, loaded.language)
    return next((piece.text for piece in pieces if piece.kind == "p"), "")


# -- seats and result --------------------------------------------------------------------------------------------------


def _seats(loaded: LoadedGame) -> tuple[SeatRecord, ...]:
    """List the seats; none before the start, when nobody has a page for it yet."""
    if loaded.game.turn is None:
        return ()
    by_seat = {number: list(held) for number, held in groupby(loaded.sitting, key=lambda seat: seat.number)}
    people = {number: [loaded.people[seat.player_id] for seat in held] for number, held in by_seat.items()}
    return tuple(
        SeatRecord(
            seat=number, name=held[-1].name, person=held[-1].slug,
            before=tuple(Holder(name=one.name, person=one.slug) for one in held[:-1] if one != held[-1]),
        )
        for number, held in people.items()
    )  # fmt: skip


def _result(loaded: LoadedGame) -> ResultRecord | None:
    outcome = loaded.outcome
    if outcome is None:
        return None
    names, words = loaded.speaker.names, loaded.last_view.words
    return ResultRecord(
        version=_finals_before(loaded) + 1,
        is_final=not outcome.doubtful,
        standings=tuple(
            Place(
                rank=one.rank, seat=one.seat, name=names[one.seat], points=one.points, guesses=one.guesses,
                winner=one.seat in outcome.winners,
            )
            for one in outcome.standings
        ),
        words=tuple(
            WordRecord(
                seat=one.seat, word=one.word, points=one.points, status=one.status,
                why=_said(loaded, one.why), where=_said(loaded, one.where), first=one.first, last=one.last,
            )
            for one in words
        ),
    )  # fmt: skip


def _finals_before(loaded: LoadedGame) -> int:
    """Count the final results that were published before this one, as the mails count them."""
    last, engine = loaded.known[-1], loaded.engine
    published = [
        turn for turn in loaded.turns
        if turn.number == last.number and turn.version < last.version and turn.published_at is not None
    ]  # fmt: skip
    outcomes = (outcome_of(engine, turn, loaded.state(turn)) for turn in published)
    return sum(1 for outcome in outcomes if outcome and not outcome.doubtful)


def _said(loaded: LoadedGame, text: Text | None) -> str:
    return loaded.speaker.say(text) if text else ""


def _retrospect(loaded: LoadedGame) -> tuple[Part, ...]:
    return tuple(loaded.speaker.part(section) for section in read_look_back(loaded.known[-1].retrospect))


# -- snapshots ---------------------------------------------------------------------------------------------------------


def _snapshots(loaded: LoadedGame) -> tuple[list[Snapshot], Snapshot | None]:
    """Make one snapshot a round; steps within a round belong to the step that ends it."""
    is_over = loaded.outcome is not None
    rounds, going_on = public_steps.rounds(loaded.known, is_over=is_over)
    found = [_snapshot(loaded, number, steps) for number, steps in rounds.items()]
    is_public = not is_over and any(_events(step) for step in going_on)
    return found, _snapshot(loaded, going_on[-1].round, going_on) if is_public else None


def _snapshot(loaded: LoadedGame, number: int, steps: Sequence[Turn]) -> Snapshot:
    step, speaker = steps[-1], loaded.speaker_at(steps[-1])
    view = loaded.view(step)
    return Snapshot(
        number=number, heading=speaker.say(public_steps.heading(loaded.engine.rules.unit, number)),
        headline=speaker.say(view.headline) if view.headline else "", at=step.released_at or step.at,
        zat=None if loaded.game.held and step is loaded.known[-1] else step.zat,
        foreword=tuple(line for one in steps for line in _masked_lines(loaded, one.foreword)),
        events=tuple(text for one in steps for text in loaded.speaker_at(one).say_all(_events(one))),
        missed=tuple(name for one in steps for name in _missed(loaded, one)),
        parts=tuple(speaker.part(section) for section in view.sections),
        press=tuple(remark for one in steps for remark in _press(loaded, one)),
        names=loaded.names_at(step),
        facts=speaker.shown(view.facts), seat_facts=_seat_facts(speaker, view),
    )  # fmt: skip


def _seat_facts(speaker: PublicSpeaker, view: View) -> dict[int, Mapping[str, Any]]:
    return {int(seat): speaker.shown(facts) for seat, facts in view.seat_facts.items()}


def _events(step: Turn) -> list[Text]:
    """Give the events for everybody. Those for one player only are worded for them; the last view shows them."""
    return [event.text for event in decode_events(step.events) if event.readers == EVERYONE]


def _masked_lines(loaded: LoadedGame, text: str) -> list[str]:
    return [masked(line, loaded.language) for line in text.splitlines()]


def _missed(loaded: LoadedGame, step: Turn) -> list[str]:
    """Name those who sent no move."""
    return [loaded.people[duty.player_id].name for duty in loaded.duties.get(step.number, ()) if not duty.kept]


def _press(loaded: LoadedGame, step: Turn) -> Iterator[Remark]:
    """Give the press that was printed with a step."""
    for one in loaded.press.get(step.number, ()):
        signed = "" if one.anonymous else loaded.people[one.player_id].name
        yield Remark(signed=signed, text=tuple(_masked_lines(loaded, one.text)))


# -- the headline ------------------------------------------------------------------------------------------------------


def _headline(loaded: LoadedGame, rounds: Sequence[Snapshot]) -> str:
    """Write the headline; empty where nothing is to be told, or where each turn has a headline of its own."""
    rules, outcome = loaded.engine.rules, loaded.outcome
    names = {int(seat): name for seat, name in loaded.speaker.names.items() if isinstance(seat, int)}
    gone = names.keys() - {seat.number for seat in loaded.sitting if seat.until is None}
    write = Headlines(names=short_names(names), language=loaded.language, gone=gone)
    before, now = _points(loaded, rounds[-2:]) if rules.unit == "round" and len(rounds) > 1 else ({}, {})
    if outcome:
        return write.of_end(outcome, loaded.speaker.say(outcome.how or ""), before)
    if loaded.game.status != "running" or rules.unit != "round" or not rounds or not rounds[-1].number:
        return ""
    left = rules.rounds - rounds[-1].number if rules.rounds else None
    return write.of_round(now, before, left, rules.rounds)


def _points(loaded: LoadedGame, rounds: Sequence[Snapshot]) -> tuple[dict[int, int], dict[int, int]]:
    outcome = loaded.outcome
    return last_points(
        Course(
            seats=sorted({seat.number for seat in loaded.sitting}), snapshots=rounds,
            words=loaded.last_view.words if outcome else (), places=outcome.standings if outcome else (),
        )
    )  # fmt: skip
