"""The GM's rulings on words, and what depends on them: appeals, moves on hold, results."""

from collections.abc import Iterator, Sequence, Set
from difflib import get_close_matches
from typing import Final

from sqlmodel import Session

from games.api import SPECTATOR, Text, say
from games.words import Verdict
from gm.app.context import App
from gm.game import gm_visibility, replay, word_judge
from gm.game.announcements import corrections
from gm.game.position import is_released, position
from gm.lexicon.spelling import board_letters
from gm.messages import game_mails, gm_list, questions, ruling_texts
from gm.messages.game_mails import GameMail
from gm.messages.rendering.wording import Speaker
from gm.messages.sentences import SENTENCES
from gm.requests.desk import held_moves
from gm.runtime.errors import Refused
from gm.store import game_file
from gm.store.queries import game_queries, question_queries, seat_queries, sheet_queries, turn_queries
from gm.store.tables import Game, Player, Question, Ruling

APPEAL: Final = "appeal"
"""The kind of a question about a word that a player has objected to."""
LONGEST_WORD: Final = 80


def rule(
    app: App, session: Session, game: Game, words: Sequence[str], accepted: bool, *, note: str = "", house: bool = False
) -> list[str]:
    """Do what `rule_on` does; returns what came of it, in English."""
    done = rule_on(app, session, game, words, accepted, note=note, house=house)
    return [Speaker(language="en", wording=SENTENCES, names={}).say(text) for text in done]


def rule_on(
    app: App, session: Session, game: Game, words: Sequence[str], accepted: bool, *, note: str = "", house: bool = False
) -> list[Text]:
    """Rule on words, for a game or the house, and correct what rests on them; returns what came of it.

    Raises Refused for a word that can't stand on a board, and a note that is too long.
    """
    gm_list.check_length("note", note)
    written = [_board_word(word) for word in words]
    game_id, now = None if house else game.id, app.now()
    rulings = [Ruling(game_id=game_id, word=word, accepted=accepted, note=note, at=now) for word in written]
    session.add_all(rulings)
    session.flush()
    _settle_appeals(app, session, rulings)
    concerned = _games_concerned(session) if house else [game]
    for one in concerned:
        game_file.touch(session, one, Game.rulings)
    done = [text for one in concerned if (text := _correct(app, session, one, rulings))]
    return [*done, *_touched(app, session, set(written), concerned)] if house else done


def never_played(app: App, session: Session, game: Game, words: Sequence[str]) -> list[str]:
    """Write a line for each word that nobody has played so far, with the word that was meant.

    What is on file for the present round isn't looked at, as the GM may be a player. A game that reads its words at its
    end, or on each closing, tells nothing before its end.
    """
    if game.turn is None:
        return []
    at, found = position(app, game), turn_queries.words_judged(session, game)
    if at.outcome is None and at.engine.rules.unit == "round":
        return []
    if at.outcome:
        found |= {*at.outcome.doubtful, *(played.word for played in at.engine.view(at.state, SPECTATOR).words)}
    for question in question_queries.open_for_gm_about(game):
        found |= {*question.payload.get("words", ()), question.payload.get("word", "")}
    asked = [board_letters(word) or word for word in words]
    return [
        _nobody_has_played(word, game.name, get_close_matches(word, sorted(found - {""}), n=1))
        for word in asked if word not in found
    ]  # fmt: skip


def _nobody_has_played(word: str, game: str, near: Sequence[str]) -> str:
    meant = f"; {near[0]} was played" if near else ""
    return f"{game}: nobody has played {word} so far{meant}. The ruling is noted all the same."


def _games_concerned(session: Session) -> list[Game]:
    """List the games that a ruling may change: over, or running with words that wait, or an unreleased result."""
    waiting = [
        game
        for game in game_queries.games(session, ("running",))
        if question_queries.questions_about(game, question_queries.HELD_MOVE, "words")
        or not is_released(turn_queries.current_turn(game))
    ]
    return [*waiting, *game_queries.games(session, ("provisional", "finished"))]


def _touched(app: App, session: Session, words: Set[str], but: Sequence[Game]) -> Iterator[Text]:
    """Name the other running games that have one of the words. What is recorded in them stands.

    A game in which the GM plays isn't named: the word may be another player's secret.
    """
    for game in game_queries.games(session, ("running",)):
        if game not in but and not gm_visibility.hides_words(app, session, game):
            found = words & word_judge.words_in_play(app, session, game)
            if found:
                yield say("RULED_TOUCHES", game=game.name, words=", ".join(sorted(found)))


def _board_word(word: str) -> str:
    written = board_letters(word)
    if written is None:
        raise Refused(say("rulings.no_word", word=word))
    if len(written) > LONGEST_WORD:
        raise Refused(say("rulings.too_long", word=word, number=len(written), most=LONGEST_WORD))
    return written


def _correct(app: App, session: Session, game: Game, rulings: Sequence[Ruling]) -> Text | None:
    """Apply the rulings to a game: a held move, or the result; returns what came of it, None for nothing."""
    name = game.name
    if held_moves.resume(app, session, game):
        return say("RULED_MOVE_GOES_ON", game=name)
    is_over = game.status in ("provisional", "finished")
    if not is_over and (game.status != "running" or position(app, game).outcome is None):
        done = game.status == "running" and _correct_running(app, session, game, rulings)
        return say("RULED_AT_ONCE" if done else "RULED_FOR_LATER", game=name)
    was = game.status
    if not replay.resolve_again(app, session, game):
        return say("RULED_NO_CHANGE", game=name) if was == "finished" else None
    at = position(app, game)
    if at.outcome and at.outcome.doubtful:
        return say("RULED_STILL_OPEN", game=name, words=", ".join(at.outcome.doubtful))
    questions.close_about(app, session, game, "words", answer="ruled")
    if not is_released(at.turn):
        return say("RULED_UNRELEASED", game=name)
    return say("RULED_CORRECTED" if was == "finished" else "RULED_FINAL", game=name)


def _correct_running(app: App, session: Session, game: Game, rulings: Sequence[Ruling]) -> bool:
    """Correct what a ruling changes in a game that goes on, and tell all; else tell those whose move on file has it."""
    made = replay.judge_again(app, session, game)
    asked = gm_list.note_rulings(app, session, game, [ruling.word for ruling in rulings])
    if made is None:
        for question, words in asked:
            _tell_filer(app, session, game, question, [ruling for ruling in rulings if ruling.word in words])
        return False
    before, turn = made
    said = ruling_texts.of_rulings(word_judge.verdicts_until(session, before), turn.verdicts)
    context = {"rulings": said, "changes": corrections.changed_sums(before, turn), "mover": None}
    mail = GameMail(template="ruled", cause=f"turn:{turn.id}", context=context)
    game_mails.send_to_all(app, session, game, mail, also=seat_queries.watchers(game))
    return True


def _tell_filer(app: App, session: Session, game: Game, question: Question, rulings: Sequence[Ruling]) -> None:
    """Tell a player the ruling on a word of the move on file, which may still be changed."""
    player = session.get(Player, question.player_id) if question.player_id else None
    if player is None or question.payload.get("seat") not in sheet_queries.sheets_on_file(game):
        return
    said = [ruling_texts.of_ruling(_verdict(ruling), ruling.word) for ruling in rulings]
    is_good = all(ruling.accepted for ruling in rulings)
    context = {"rulings": said, "mover": None, "on_file": "good" if is_good else "refused"}
    mail = GameMail(template="ruled", cause=f"ruling:{rulings[-1].id}", context=context)
    game_mails.send(app, session, game, mail, player, question.payload["seat"])


def open_appeals(session: Session) -> list[Question]:
    """List the appeals on which the GM has not ruled."""
    return [question for question in question_queries.open_questions(session) if question.kind == APPEAL]


def _settle_appeals(app: App, session: Session, rulings: Sequence[Ruling]) -> None:
    """Settle the appeals about words that the GM has ruled on; whoever appealed is told the ruling and its note."""
    ruled = {ruling.word: ruling for ruling in rulings}
    for question in open_appeals(session):
        ruling = ruled.get(question.payload["word"])
        if ruling and ruling.game_id in (None, question.game_id):
            questions.close(app, session, question, "accepted" if ruling.accepted else "rejected")
            _tell(app, session, question, ruling)


def _verdict(ruling: Ruling) -> Verdict:
    return Verdict("accepted" if ruling.accepted else "refused", "RULED", note=ruling.note)


def _tell(app: App, session: Session, question: Question, ruling: Ruling) -> None:
    game, player = session.get(Game, question.game_id), session.get(Player, question.player_id)
    if game is None or player is None:
        return
    said = {"rulings": [ruling_texts.of_ruling(_verdict(ruling), ruling.word)], "mover": None}
    mail = GameMail(template="ruled", cause=f"question:{question.id}", context=said)
    game_mails.send(app, session, game, mail, player)
