"""A game's record from its rows: which steps make a page, what each of them showed, in words and with names."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any

from pydantic import TypeAdapter

from games.api import EVERYONE, Section, Text, View
from gm.archive.record import public_steps
from gm.archive.record.loader import Teller
from gm.archive.record.public_wording import PublicSpeaker, worded
from gm.archive.record.record import (
    OVER,
    SCHEMA,
    Holder,
    Part,
    Place,
    Record,
    Remark,
    ResultRecord,
    SeatRecord,
    Snapshot,
    WordRecord,
)
from gm.messages.game_mails import seed_checksum
from gm.players.shown_names import masked
from gm.store.json_values import decode_events
from gm.store.tables import Hindsight, Turn


def tell(teller: Teller) -> Record:
    """Write a game's record. Raises OperatorError where its rules can't be had here."""
    game, engine, known = teller.game, teller.engine, teller.known
    snapshots, now = _snapshots(teller)
    over = teller.outcome is not None
    return Record(
        schema=SCHEMA, game=game.name, slug=teller.slug, kind=game.engine, title=engine.rules.title,
        language=teller.language, unit=engine.rules.unit, status=_status(teller), rounds=engine.rules.rounds,
        zat=_zat(teller), begun=known[0].at if known else game.created_at,
        ended=known[-1].at if over or (game.status == "aborted" and known) else None,
        seats=_seats(teller), snapshots=tuple(snapshots), now=now, result=_result(teller),
        hindsight=_hindsight(teller) if over else (), word_list=known[-1].words if known else "",
        rules_version=engine.rules.version, checksum=seed_checksum(game.seed), seed=game.seed if over else None,
    )  # fmt: skip


def tell_little(teller: Teller) -> Record:
    """Write as much of a game's record as is known without its rules: that there is one, and who plays."""
    game = teller.game
    known = public_steps.known(teller.turns, game.turn, game.version)
    is_told = bool(known) and (known[-1].number, known[-1].version) == (game.turn, game.version)
    is_over = game.status == "aborted" or (game.status in OVER and is_told)
    return Record(
        schema=SCHEMA, game=game.name, slug=teller.slug, kind=game.engine, title=game.engine.capitalize(),
        language=teller.language, unit="round", status=game.status if is_over or game.turn is None else "running",
        begun=game.created_at, seats=_seats(teller), snapshots=(), rules_version=0, checksum=seed_checksum(game.seed),
    )  # fmt: skip


def _status(teller: Teller) -> str:
    """A result that waits for the GM isn't known yet."""
    if teller.game.status in ("finished", "provisional"):
        if teller.outcome is None:
            return "running"
        return "provisional" if teller.outcome.doubtful else "finished"
    return teller.game.status


def _zat(teller: Teller) -> datetime | None:
    """Give the deadline as players know it: a closing that waits for the GM changes nothing."""
    game, known = teller.game, public_steps.known(teller.turns, teller.game.turn, teller.game.version)
    if not known or _status(teller) != "running":
        return None
    is_told = (known[-1].number, known[-1].version) == (game.turn, game.version)
    return public_steps.deadline(game.zat if is_told else known[-1].zat, "running", game.held)


# -- seats and result --------------------------------------------------------------------------------------------------


def _seats(teller: Teller) -> tuple[SeatRecord, ...]:
    """List the seats; before the start nobody needs to know who waits there."""
    if teller.game.turn is None:
        return ()
    by_seat = {number: list(held) for number, held in groupby(teller.sitting, key=lambda seat: seat.number)}
    people = {number: [teller.people[seat.player_id] for seat in held] for number, held in by_seat.items()}
    return tuple(
        SeatRecord(
            seat=number, name=held[-1].name, person=held[-1].slug,
            before=tuple(Holder(name=one.name, person=one.slug) for one in held[:-1]),
        )
        for number, held in people.items()
    )  # fmt: skip


def _result(teller: Teller) -> ResultRecord | None:
    outcome = teller.outcome
    if outcome is None:
        return None
    names, words = teller.speaker.names, teller.last_view.words
    return ResultRecord(
        version=_finals_before(teller) + 1,
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
                why=_said(teller, one.why), where=_said(teller, one.where),
            )
            for one in words
        ),
    )  # fmt: skip


def _finals_before(teller: Teller) -> int:
    """Count the final results that players were told before this one, as the mails count them."""
    last, engine = teller.known[-1], teller.engine
    told = [
        turn for turn in teller.turns
        if turn.number == last.number and turn.version < last.version and turn.published_at is not None
    ]  # fmt: skip
    outcomes = (engine.outcome(teller.state(turn)) for turn in told)
    return sum(1 for outcome in outcomes if outcome and not outcome.doubtful)


def _said(teller: Teller, text: Text | None) -> str:
    return teller.speaker.say(text) if text else ""


def _hindsight(teller: Teller) -> tuple[Part, ...]:
    found = teller.session.get(Hindsight, teller.game.id)
    if found is None or found.turn_id != teller.known[-1].id:
        return ()
    sections: tuple[Section, ...] = TypeAdapter(tuple[Section, ...]).validate_python(found.sections)
    return tuple(worded(teller.speaker, section) for section in sections)


# -- snapshots ---------------------------------------------------------------------------------------------------------


def _snapshots(teller: Teller) -> tuple[list[Snapshot], Snapshot | None]:
    """Tell the game after each round exactly once; steps within a round belong to the one that ends it."""
    is_over = teller.outcome is not None
    rounds, going_on = public_steps.rounds(teller.known, is_over=is_over)
    found = [_snapshot(teller, number, steps) for number, steps in rounds.items()]
    is_public = not is_over and any(_events(step) for step in going_on)
    return found, _snapshot(teller, going_on[-1].round, going_on) if is_public else None


def _snapshot(teller: Teller, number: int, steps: Sequence[Turn]) -> Snapshot:
    step, speaker = steps[-1], teller.speaker
    view = teller.view(step)
    return Snapshot(
        number=number, heading=speaker.say(public_steps.heading(teller.engine.rules.unit, number)),
        headline=speaker.say(view.headline) if view.headline else "", at=step.released_at or step.at, zat=step.zat,
        foreword=tuple(line for one in steps for line in _masked_lines(teller, one.foreword)),
        events=tuple(speaker.say(text) for one in steps for text in _events(one)),
        missed=tuple(name for one in steps for name in _missed(teller, one)),
        parts=tuple(worded(speaker, section) for section in view.sections),
        press=tuple(remark for one in steps for remark in _press(teller, one)),
        facts=speaker.shown(view.facts), seat_facts=_seat_facts(speaker, view),
    )  # fmt: skip


def _seat_facts(speaker: PublicSpeaker, view: View) -> dict[int, Mapping[str, Any]]:
    return {int(seat): speaker.shown(facts) for seat, facts in view.seat_facts.items()}


def _events(step: Turn) -> list[Text]:
    """Give what everybody was told; what only one was told is phrased for them, and the view shows it after the end."""
    return [event.text for event in decode_events(step.events) if event.readers == EVERYONE]


def _masked_lines(teller: Teller, text: str) -> list[str]:
    return [masked(line, teller.language) for line in text.splitlines()]


def _missed(teller: Teller, step: Turn) -> list[str]:
    """Name who sent nothing."""
    return [teller.people[duty.player_id].name for duty in teller.duties.get(step.number, ()) if not duty.kept]


def _press(teller: Teller, step: Turn) -> Iterator[Remark]:
    """Sign what was printed with a step."""
    for one in teller.press.get(step.number, ()):
        signed = "" if one.anonymous else teller.people[one.player_id].name
        yield Remark(signed=signed, text=tuple(_masked_lines(teller, one.text)))
