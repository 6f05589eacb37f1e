"""Which words count in a game: the list, the GM's rulings on top, and what was asked, for the record."""

from collections.abc import Iterable, Mapping
from typing import Any

from sqlmodel import Session

from games import AnyEngine
from games.api import MoveBlock
from games.api import Seat as SeatNumber
from games.optional_parts import HidesWords, JudgesAgain
from games.words import Verdict, Words
from gm.app.context import App
from gm.game.position import Position, position
from gm.lexicon.lexicon import Judge, Lexicon, Recorded
from gm.store.queries import sheet_queries, turn_queries
from gm.store.tables import Game, Turn


def ruled(game: Game) -> dict[str, Verdict]:
    """Collect what the GM has ruled for this game; its own rulings win over those for all games."""
    return {
        ruling.word: Verdict("accepted" if ruling.accepted else "refused", "RULED", note=ruling.note)
        for ruling in game.rulings
    }


def judge(app: App, game: Game) -> Judge:
    """Make the judge of a game as of now."""
    return Judge(app.lexicon, ruled(game))


def judge_again(session: Session, game: Game, turn: Turn, also: Mapping[str, Verdict] | None = None) -> Judge:
    """Make the judge for a turn that is made again: the verdicts of then, and the rulings of today.

    `also` are rulings to try out.
    """
    return Judge(_replayed(verdicts_until(session, turn)), {**ruled(game), **(also or {})})


def verdicts_until(session: Session, turn: Turn) -> Mapping[str, Any]:
    """Collect the verdicts on which a position rests: those of all steps that led to it, the last of each word."""
    return {
        key: verdict for verdicts in turn_queries.verdicts_until(session, turn) for key, verdict in verdicts.items()
    }


def judged_again(engine: AnyEngine, state: Any, words: Words) -> Any:
    """Correct the scores of a position for its words as they are judged by `words`; boards stay (rulings.md 2)."""
    return engine.judge_again(state, words) if isinstance(engine, JudgesAgain) else state


def open_words(app: App, game: Game, engine: AnyEngine, state: Any) -> set[str]:
    """Find the words that scores hang on and that wait for the GM."""
    words = _Listening(judge(app, game))
    judged_again(engine, state, words)
    return words.doubtful


def hidden_words(at: Position) -> Mapping[str, str]:
    """Return the words that lie hidden in a position, each with its profile."""
    return at.engine.hidden_words(at.state) if isinstance(at.engine, HidesWords) else {}


def words_in_play(app: App, session: Session, game: Game) -> set[str]:
    """Find the words that were judged in a running game, that lie hidden in it, or that are on file for its round.

    Of those on file only words are found that the list or a ruling knows.
    """
    at, asked = position(app, game), judge(app, game)
    for seat, sheet in sheet_queries.sheets_on_file(game).items():
        at.engine.read(at.state, SeatNumber(seat), MoveBlock(lines=tuple(sheet.lines)), asked)
    on_file = {key.partition("/")[2] for key in asked.asked}
    return turn_queries.words_judged(session, game) | hidden_words(at).keys() | on_file


class _Listening:
    """A judge of words that notes which ones are doubtful."""

    def __init__(self, words: Words) -> None:
        self._words = words
        self.doubtful: set[str] = set()

    def check(self, word: str, profile: str) -> Verdict:
        verdict = self._words.check(word, profile)
        if verdict.status == "doubtful":
            self.doubtful.add(word)
        return verdict

    def listed(self, profile: str) -> Iterable[str]:
        return self._words.listed(profile)


def recorded(turn: Turn) -> Words:
    """Replay the verdicts of a turn; no word list is needed."""
    return _replayed(turn.verdicts)


def _replayed(verdicts: Mapping[str, Any]) -> Words:
    return Recorded({key: Verdict(**verdict) for key, verdict in verdicts.items()})


def record(asked: Mapping[str, Verdict]) -> dict[str, Any]:
    """Write down verdicts for the turn that rests on them."""
    return {key: dict(vars(verdict)) for key, verdict in asked.items()}


def list_name(lexicon: Lexicon) -> str:
    """Name the word list with its checksum, as it is stored with a step."""
    return f"{lexicon.name} ({lexicon.checksum[:12]})"
