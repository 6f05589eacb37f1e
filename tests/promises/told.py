"""Promise 1 on the way out: all hear of what has happened, and of a result, once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from observation import STEPS, Observation
from sqlmodel import col, select

from gm.store.json_values import decode
from gm.store.tables import Game, MailOut, Seat, Turn


def a_step_is_told_to_all(zine: Observation) -> Iterator[str]:
    """Of the start and of a closing everybody who sits there then gets one mail."""
    for turn in zine.released if not zine.is_tampered else ():
        if turn.kind in ("start", "resolve") and turn.undone_at is None:
            yield from _told_wrong(zine, turn, STEPS)


def a_result_is_told_to_all_once(zine: Observation) -> Iterator[str]:
    """A result that no word is doubtful of goes to everybody once, and again only where it has changed."""
    for turn in zine.released if not zine.is_tampered else ():
        game = zine.session.get_one(Game, turn.game_id)
        engine = zine.app.engine(game.engine)
        if turn.undone_at is not None or turn.rules_version != engine.rules.version:
            continue
        outcome = engine.outcome(decode(engine.state_type, turn.state))
        if outcome is None or outcome.doubtful:
            continue
        rows = select(Turn).where(Turn.game_id == game.id, Turn.number == turn.number, Turn.version == turn.version - 1)
        before = zine.session.exec(rows).first()
        if turn.kind != "rule" or (before and engine.outcome(decode(engine.state_type, before.state)) != outcome):
            yield from _told_wrong(zine, turn, ("final",))


def _told_wrong(zine: Observation, turn: Turn, kinds: Sequence[str]) -> Iterator[str]:
    """Name who sits in a game and doesn't get one mail about a step; steps that are announced together have one."""
    together = [
        one for one in zine.released if one.game_id == turn.game_id and one.released_at == turn.released_at
        and one.undone_at is None
    ]  # fmt: skip
    told = _readers(zine, turn, kinds) or _readers(zine, together[-1], kinds)
    sitting = select(Seat.player_id).where(
        Seat.game_id == turn.game_id, col(Seat.until).is_(None), col(Seat.since) < turn.released_at
    )
    for player_id in zine.session.exec(sitting):
        if told[str(player_id)] != 1 and zine.before.registered.get(player_id):
            yield f"player {player_id} got {told[str(player_id)]} mails about step {turn.number} of game {turn.game_id}"


def _readers(zine: Observation, turn: Turn, kinds: Sequence[str]) -> Counter[str]:
    """Count the mails about a step by who gets them."""
    rows = select(MailOut.recipient).where(
        MailOut.cause == f"turn:{turn.id}", col(MailOut.kind).in_(kinds), MailOut.status != "dropped"
    )
    return Counter(zine.session.exec(rows))
