"""What the rules and words that are here would make of a recorded game. Nothing here writes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pydantic import ValidationError
from sqlmodel import Session, select

from games import AnyEngine
from games.words import UNLISTED, Verdict
from gm.app.context import App
from gm.app.recorded_rules import checksum
from gm.game import word_judge
from gm.game.rule_changes.replayed_step import replay_step, result
from gm.runtime.tracebacks import described
from gm.store.json_values import decode, encode, encode_events
from gm.store.queries import turn_queries
from gm.store.tables import ArchivedScore, Game, Turn

_RULED: Final = "RULED"
"""The reason of a verdict that the GM gave, whatever a list says."""


@dataclass(frozen=True, kw_only=True)
class WordChange:
    """A word that was judged otherwise."""

    word: str
    before: str
    now: str


@dataclass(frozen=True, kw_only=True)
class PointsChange:
    """The points of a seat: as recorded, and by the rules that are here."""

    seat: int
    before: int | None
    now: int | None


@dataclass(frozen=True, kw_only=True)
class Change:
    """What would come out otherwise in a game."""

    round: int
    """The first round that would."""
    step: int
    is_result: bool
    """Another position, other points or another winner; else only words, or what was told."""
    points: Sequence[PointsChange] = ()
    words: Sequence[WordChange] = ()
    fault: str = ""
    """Why the game can't be played to its present end by these rules."""


class _Judge:
    """Judges by today's list what the list of then judged; what the GM has ruled stays."""

    def __init__(self, app: App, turn: Turn) -> None:
        self._lexicon = app.lexicon
        self._recorded = {key: Verdict(**verdict) for key, verdict in turn.verdicts.items()}
        self._is_same_list = turn.words == word_judge.list_name(app.lexicon)
        self.changes: dict[str, WordChange] = {}

    def check(self, word: str, profile: str) -> Verdict:
        """Judge one word. What means the same as then is the same, also if it is explained otherwise now."""
        recorded = self._recorded.get(f"{profile}/{word}")
        if recorded and (self._is_same_list or recorded.reason == _RULED):
            return recorded
        before, now = recorded or UNLISTED, self._lexicon.check(word, profile)
        if now.status == before.status:
            return before
        self.changes[word] = WordChange(word=word, before=before.status, now=now.status)
        return now

    def check_all(self) -> None:
        """Judge each word that was judged then: a word on a board isn't asked about a second time."""
        for key in () if self._is_same_list else self._recorded:
            profile, _, word = key.partition("/")
            self.check(word, profile)

    def listed(self, profile: str) -> Sequence[str]:
        """List all accepted words."""
        return self._lexicon.listed(profile)


def present(app: App, engine: AnyEngine) -> str:
    """Name the rules and words by which a game's next step would be made."""
    return f"{engine.rules.version} {checksum(engine)} {word_judge.list_name(app.lexicon)}"


def recorded(rules_version: int, made_by: str, words: str) -> str:
    """Name in the same way the rules and words that a step was made by."""
    return f"{rules_version} {made_by.rpartition(' ')[2]} {words}"


def compare(app: App, session: Session, game: Game) -> Change | None:
    """Replay a game from its record; None where all comes out as it was. Raises OperatorError without its rules.

    Each step is made from the replayed one before it, so that the end is what these rules would have led to.
    """
    engine = app.engine(game.engine)
    turns = sorted(turn_queries.turns(session, game), key=lambda turn: turn.id)
    replay = _Replay(app, engine, game, [turn for turn in turns if turn.undone_at is None])
    replay.run()
    return replay.change(session)


class _Replay:
    """The replay of one game, step by step."""

    def __init__(self, app: App, engine: AnyEngine, game: Game, turns: Sequence[Turn]) -> None:
        self._app, self._engine, self._game, self._turns = app, engine, game, turns
        self._states: dict[int, Any] = {}
        self._words: dict[str, WordChange] = {}
        self._first: Turn | None = None
        self._first_told: Turn | None = None
        self._fault = ""

    def run(self) -> None:
        """Make all steps, as far as these rules allow them."""
        for turn in self._turns:
            judge = _Judge(self._app, turn)
            try:
                made = replay_step(self._engine, self._game, turn, self._states.get(turn.number - 1), judge)
                self._states[turn.number] = made.state
                is_same = self._is_same(turn, made.state)
            except Exception as error:  # noqa: BLE001  rules may fail in any way on what other rules have led to
                self._fault, is_same, made = described(error), False, None
            judge.check_all()
            self._words |= {word: one for word, one in judge.changes.items() if word not in self._words}
            if not is_same:
                self._first = self._first or turn
            elif judge.changes or (made and encode_events(made.events) != turn.events):
                self._first_told = self._first_told or turn
            if made is None:
                return

    def _is_same(self, turn: Turn, state: Any) -> bool:
        """Compare as JSON, which is quick, then as values: a rule may have brought a field since."""
        if encode(self._engine.state_type, state) == turn.state:
            return True
        try:
            return bool(decode(self._engine.state_type, turn.state) == state)
        except ValidationError:
            return False

    def change(self, session: Session) -> Change | None:
        """Say what is different, if anything is."""
        last = self._turns[-1] if self._turns else None
        points, is_other = self._compare_results(session, last) if last and not self._fault else ((), False)
        first = self._first or (last if is_other else None)
        where = first or self._first_told
        if where is None:
            return None
        return Change(
            round=self._round_of(where), step=where.number, is_result=first is not None, points=points,
            words=tuple(self._words[word] for word in sorted(self._words)), fault=self._fault,
        )  # fmt: skip

    def _round_of(self, turn: Turn) -> int:
        """Say which round a step was made in, or closed: that of the position before it."""
        return next((one.round for one in self._turns if one.number == turn.number - 1), turn.round)

    def _compare_results(self, session: Session, last: Turn) -> tuple[Sequence[PointsChange], bool]:
        """Compare what the last step came to. Steps of before 1.0 hold no points; the archive knows those of an end."""
        now = result(self._engine, self._states[last.number])
        before = last.result or self._archived(session, now) or self._read(last)
        if not before:
            return (), False
        old, new = before["points"], now["points"]
        seats = sorted({*old, *new}, key=int)
        points = [PointsChange(seat=int(seat), before=old.get(seat), now=new.get(seat)) for seat in seats
                  if old.get(seat) != new.get(seat)]  # fmt: skip
        return points, bool(points) or before.get("outcome", now.get("outcome")) != now.get("outcome")

    def _archived(self, session: Session, now: Mapping[str, Any]) -> dict[str, Any]:
        """Find the points that the archive has shown, if the game is over; what it leaves out is taken as the same."""
        rows = session.exec(select(ArchivedScore).where(ArchivedScore.game_id == self._game.id)).all()
        known = {str(row.seat): row.points for row in rows}
        return {"points": {**now["points"], **known}} if known else {}

    def _read(self, last: Turn) -> dict[str, Any]:
        """Ask these rules for the points of the recorded position."""
        try:
            return result(self._engine, decode(self._engine.state_type, last.state))
        except Exception:  # noqa: BLE001  other rules have written it
            return {}
