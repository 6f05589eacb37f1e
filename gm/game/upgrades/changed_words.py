"""After a change of the word lists: the GM is told once which running games have a word now judged otherwise.

Nothing waits for that. Recorded verdicts stand, and the next moves are judged by the lists that are here.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from sqlmodel import Session, col, select

from games.api import Language, say
from games.words import Status
from gm.app.context import App
from gm.game import gm_visibility, word_judge
from gm.game.position import position
from gm.messages import gm_list
from gm.runtime.errors import OperatorError, in_each, sentence
from gm.store.queries import game_queries, zine_queries
from gm.store.tables import Game, Turn

KIND: Final = "wordlist"
"""The kind of the entry on the GM's list."""
_NOW: Final[Mapping[Status, str]] = {
    "accepted": "changed_words.accepted", "refused": "changed_words.refused", "doubtful": "changed_words.doubtful",
}  # fmt: skip
"""Verdict -> the code of what is said of a word that has it now."""


def tell(app: App) -> None:
    """Compare all running games with the lists that are here, if others were here before."""
    present = word_judge.list_name(app.lexicon)
    with app.database.read() as session:
        if zine_queries.zine(session).word_lists == present:
            return
    with app.database.write() as session:
        games = game_queries.games(session, ("running", "provisional"))
        found = [(game, changes) for game in games if (changes := _changes(app, session, game))]
        told = [
            (game.name, {} if gm_visibility.hides_words(app, session, game) else changes) for game, changes in found
        ]
        if told:
            gm_list.tell(app, session, KIND, OperatorError(in_each(lambda language: _written(told, language))))
        zine_queries.zine(session).word_lists = present


def _written(told: Sequence[tuple[str, Mapping[str, Status]]], language: Language) -> str:
    """Write a line for each game; without the words where the GM plays, as they may be another's secret."""
    said = [
        (name, [sentence(say(_NOW[now], word=word), language) for word, now in changes.items()])
        for name, changes in told
    ]
    return "\n".join(": ".join(filter(None, [name, ", ".join(words)])) for name, words in said)


def _changes(app: App, session: Session, game: Game) -> Mapping[str, Status]:
    """Find the words of a game that the lists judge otherwise now; what the GM has ruled stays."""
    judge, found = word_judge.judge(app, game), dict[str, Status]()
    rows = select(Turn.verdicts).where(
        Turn.game_id == game.id, col(Turn.undone_at).is_(None), Turn.words != word_judge.list_name(app.lexicon)
    )
    for verdicts in session.exec(rows):
        for key, before in verdicts.items():
            profile, _, word = key.partition("/")
            now = judge.check(word, profile)
            if "RULED" not in (before["reason"], now.reason) and now.status != before["status"]:
                found[word] = now.status
    for word, profile in word_judge.hidden_words(position(app, game)).items():
        now = judge.check(word, profile)
        if now.reason != "RULED" and now.status != "accepted":
            found[word] = now.status
    return dict(sorted(found.items()))
