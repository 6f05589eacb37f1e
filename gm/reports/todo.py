"""What waits for the GM, and which command comes next."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlmodel import Session

from games.api import Language
from gm.app.context import App, local_iso
from gm.game import gm_visibility
from gm.game.position import position
from gm.messages import gm_list
from gm.runtime.catalogues import catalogue
from gm.runtime.errors import OperatorError
from gm.store.queries import game_queries, mail_queries, question_queries, turn_queries
from gm.store.tables import Game, MailIn, Player, Question

_WORDS_OF_MAIL: Final = (*gm_list.OF_A_MOVE, "ambiguous", "list")
"""Kinds whose text is a mail's, and wasn't written for the GM."""


@dataclass(frozen=True, kw_only=True)
class Waiting:
    """Something that waits for the GM."""

    since: datetime
    what: str
    """The kind of question."""
    named: Sequence[str]
    """The game and the player."""
    says: str
    """How its text begins, which may be a player's."""
    do: str
    """The command that comes next."""

    @property
    def about(self) -> str:
        """Say in a line what it is about."""
        return ": ".join([*self.named, self.says])


def waiting_for_gm(app: App, session: Session) -> list[dict[str, Any]]:
    """List what waits for the GM, as `gm todo --json` does."""
    return [
        {"since": local_iso(app, one.since), "what": one.what, "about": one.about, "do": one.do}
        for one in waiting(app, session, "en")
    ]


def waiting(app: App, session: Session, language: Language) -> list[Waiting]:
    """List what the GM has to decide or to look at, oldest first."""
    questions = [one for one in question_queries.open_questions(session) if not _has_lapsed(app, one)]
    rows = [
        Waiting(
            since=question.created_at, what=question.kind, named=_named(session, question),
            says=_beginning(app, session, question, language),
            do=_next_command(session, question, catalogue("reports", language)),
        )
        for question in questions
        if question.kind != "words"  # below, from the games themselves
    ]  # fmt: skip
    asked = {question.game_id for question in questions if question.kind == "words"}
    rows += [_words(app, game, language) for game in _with_doubtful_words(session, asked - {None})]
    return sorted(rows, key=lambda row: row.since)


def _with_doubtful_words(session: Session, asked: Collection[Any]) -> list[Game]:
    """List the games whose result hangs on words, also one that waits for its release."""
    over = {game.id: game for game in game_queries.games(session, ("provisional",))}
    over |= {game.id: game for game in game_queries.games_by_id(session, sorted(asked)) if game.status == "running"}
    return [over[game_id] for game_id in sorted(over)]


def _words(app: App, game: Game, language: Language) -> Waiting:
    since = turn_queries.current_turn(game).at
    try:
        at = position(app, game)
    except OperatorError as error:  # its rules aren't installed: what else waits is listed all the same
        return Waiting(since=since, what="words", named=[], says=game.name, do=error.said_in(language))
    outcome = at.outcome
    words = " ".join(outcome.doubtful if outcome else sorted(gm_list.words_asked(game)))
    rule = f"gm rule {game.name} accept|reject {words}"
    return Waiting(since=since, what="words", named=[game.name], says=words, do=rule)


def _named(session: Session, question: Question) -> list[str]:
    """Name the game and the player."""
    player = session.get(Player, question.player_id) if question.player_id else None
    game = session.get(Game, question.game_id) if question.game_id else None
    return [one.name for one in (game, player) if one]


def _beginning(app: App, session: Session, question: Question, language: Language) -> str:
    """Return how the text of a question begins, which may be a player's."""
    text = "" if _is_kept_from_gm(app, session, question) else question.payload.get("text", "")
    start = " ".join(str(question.payload.get("shown", text) if language != "en" else text).split())
    return start if len(start) <= 60 else f"{start[:59]}…"


def _is_kept_from_gm(app: App, session: Session, question: Question) -> bool:
    """Whether an entry has words of a mail that a GM who plays may not read; another GM has got them by mail."""
    mail = session.get(MailIn, question.mail_id) if question.mail_id and question.kind in _WORDS_OF_MAIL else None
    return bool(mail and gm_visibility.games_kept_from(app, session, mail))


def _has_lapsed(app: App, question: Question) -> bool:
    return question.expires_at is not None and question.expires_at <= app.now()


def _next_command(session: Session, question: Question, words: Mapping[str, str]) -> str:
    """Name the command that comes next."""
    game = session.get(Game, question.game_id) if question.game_id else None
    player = session.get(Player, question.player_id) if question.player_id else None
    done = f"gm todo --done {question.code}"
    if question.kind == "letter":
        return f"{words['todo.answer']}; {words['todo.else']} {done}"
    if question.kind in ("quarantine", question_queries.SIMILAR_NAME, "undelivered"):
        mail = question.mail_id if question.kind != "undelivered" else f"o{question.payload.get('out')}"
        return f"gm mail retry {mail} ({words['todo.or']} show, drop){_elsewhere(question, player)}"
    if question.kind == mail_queries.UNFETCHED:
        return f"gm mail drop {question.mail_id}"
    if question.kind == "digest":
        return f"gm digest --send; {words['todo.then']} {done}"
    if game and question.kind == question_queries.HELD_MOVE and _waits_for_upgrade(game):
        return f"gm upgrade {game.name}"
    if game and (wanted := _command_for_game(game, question, player.name if player else "", words)):
        return f"{wanted}; {words['todo.else']} {done}" if question.kind in _MAY_BE_LEFT else wanted
    first = _at_the_computer(question)
    return f"{first}; {words['todo.then']} {done}" if first else done


def _at_the_computer(question: Question) -> str:
    """Name the command that does what a player's words wish, else the one that shows the mail; "" without a mail."""
    if wanted := question.payload.get("lines"):
        return ", ".join(map(gm_list.command_line, wanted))
    return f"gm mail show {question.mail_id}" if question.mail_id else ""


def _waits_for_upgrade(game: Game) -> bool:
    """Whether the moves on hold wait for no word, but for the GM to agree to new rules."""
    return not question_queries.held_moves(game)[0].payload["words"]


def _elsewhere(question: Question, player: Player | None) -> str:
    return f', gm player address "{player.name}" ADDRESS' if question.kind == "undelivered" and player else ""


_MAY_BE_LEFT: Final = (question_queries.ASKED_BACK, "extension", "vacancy", "resigned", "held", "outage")


def _command_for_game(game: Game, question: Question, player: str, words: Mapping[str, str]) -> str:
    """Name the command that a question about a game needs; "" where the GM only has to know."""
    if question.kind == "appeal":
        return f"gm rule {game.name} accept|reject {question.payload['word']}"
    if question.kind == "upgrade":
        return f"gm upgrade {game.name}"
    if question.kind == question_queries.HELD_MOVE:
        return f"gm rule {game.name} accept|reject {' '.join(question.payload['words'])}".rstrip()
    if question.kind in ("held", "outage"):
        return f"gm close {game.name}, {words['todo.or']} gm zat {game.name} {words['todo.WHEN']}"
    if question.kind == "extension":
        return f"gm zat {game.name} {question.payload.get('text') or words['todo.WHEN']}"
    if question.kind == "release":
        return f"gm release {game.name} [--foreword {words['todo.FILE']}], {words['todo.or']} gm undo {game.name}"
    if question.kind == question_queries.ASKED_BACK:
        return gm_list.command_line(("standby", game.name, player, player))
    if question.kind == "vacancy":
        return f'gm standby {game.name} "{player}" {words["todo.NAME"]} ({words["todo.or"]} --none)'
    if question.kind == "resigned" and game.status == "running":
        return f'gm standby {game.name} "{player}" ({words["todo.NAME"]}, {words["todo.or"]} --none)'
    return ""
