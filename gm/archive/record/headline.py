"""The headline of a game as lists and the printed issue show it: how it ended, or how its last round did."""

from collections.abc import Sequence

from gm.archive.record.loader import LoadedGame
from gm.archive.record.record import Snapshot
from gm.game.announcements.counts import Course, last_points
from gm.game.announcements.headlines import Headlines, short_names


def headline_of(loaded: LoadedGame, rounds: Sequence[Snapshot]) -> str:
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
