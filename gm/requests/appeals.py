"""Appeals by mail: a player objects to a word's verdict, the GM gets all that is needed to rule on it."""

from typing import Any

from sqlmodel import Session

from games.api import SPECTATOR, Outcome, Section, Standing, Table, Text, say
from games.words import REASONS, Verdict
from gm.app.context import App
from gm.game import replay, word_judge
from gm.game.people import access
from gm.game.position import Position, position
from gm.lexicon.spelling import board_letters
from gm.messages import game_mails, gm_list
from gm.messages.outgoing import Part, gm_name, gm_recipient
from gm.messages.questions import About
from gm.messages.ruling_texts import claims_of
from gm.requests.declared import by_mail
from gm.requests.desk.rulings import APPEAL, open_appeals
from gm.requests.request import Request
from gm.runtime.errors import PlayerError
from gm.store.queries import holder_queries, seat_queries
from gm.store.tables import Game, Player
from parsers import commands
from parsers.lines import arguments
from parsers.lines.command_table import MAX_REASON

OVER = ("provisional", "finished")


@by_mail(commands.Appeal, "APPEAL", takes=arguments.appeal, longest=MAX_REASON)
def take_appeal(request: Request, command: commands.Appeal) -> None:
    """Put a seated player's objection before the GM. Raises PlayerError."""
    game = access.game_of(request.session, command.game)
    seat = access.any_seat(request.session, game, request.players)
    request.note_game(game)
    _check_status(game)
    word = board_letters(command.word)
    if word is None:
        raise PlayerError(say("NO_WORD", word=command.word))
    player = request.session.get_one(Player, seat.player_id)
    if _is_open(request.session, game, player, word):
        request.confirm(say("APPEAL_KNOWN", word=word, game=game.name, gm=gm_name(request.app)))
        return
    _ask_gm(request, game, player, word, _reason(request, command))
    request.confirm(say("APPEAL_TAKEN", word=word, game=game.name, gm=gm_name(request.app)))


def _reason(request: Request, command: commands.Appeal) -> str:
    """Return the reason; in a mail with no other command it may also stand below a blank line."""
    is_alone = len(request.reading.commands) == 1
    return (command.reason or (request.reading.free_text if is_alone else ""))[: gm_list.LONGEST_TEXT]


def _check_status(game: Game) -> None:
    if game.status == "open":
        raise PlayerError(say("NOT_STARTED", game=game.name))
    if game.status == "aborted":
        raise PlayerError(say("NO_RESULT", game=game.name))


def _is_open(session: Session, game: Game, player: Player, word: str) -> bool:
    return any(
        question.player_id == player.id and question.game_id == game.id and question.payload["word"] == word
        for question in open_appeals(session)
    )


def _ask_gm(request: Request, game: Game, player: Player, word: str, reason: str) -> None:
    """Put an appeal on the GM's list, with the word's entry and the commands to rule with."""
    app, session = request.app, request.session
    text = f"{word}: {reason}" if reason else word
    at = position(app, game)
    to = gm_recipient(app, session, game)
    context = {
        **game_mails.frame_context(app, game, at.engine, to.language),
        **_facts(app, session, game, at, word),
        "player": player.name, "word": word, "reason": reason, "mail": request.row.id,
        "rulings": gm_list.rulings(game, [word]),
    }  # fmt: skip
    part = Part(template=APPEAL, context=context, engine=at.engine, names=holder_queries.names_by_seat(session, game))
    about = About(mail=request.row, game=game, player=player)
    entry = gm_list.add(app, session, APPEAL, text, about, part, gm_list.rule_offers(game, [word]))
    entry.question.payload = {**entry.question.payload, "word": word}
    request.for_gm.append(entry)


def _facts(app: App, session: Session, game: Game, at: Position, word: str) -> dict[str, Any]:
    """Collect what the GM should know: the verdict in force, and after the end the result either way.

    Before the end nothing here may depend on a move on file, as the GM may be a player.
    """
    profile = at.engine.rules.profile
    either_way = _either_way(session, game, at, word) if game.status in OVER else None
    judge = word_judge.judge(app, game)
    if either_way and _concerned(*either_way):
        judge = word_judge.judge_again(session, game, at.turn)  # the list may have changed since
    verdict = judge.check(word, profile)
    played = claims_of(at.engine.view(at.state, SPECTATOR).words if game.status in OVER else ())
    facts = {
        "verdict": _in_words(verdict), "rests_on": _rests_on(verdict), "over": either_way is not None,
        "claims": played.get(word, ()),
    }  # fmt: skip
    return {**facts, **(_result(*either_way, names=seat_queries.names(game)) if either_way else {})}


def _either_way(session: Session, game: Game, at: Position, word: str) -> tuple[Outcome, Outcome] | None:
    """Make the last step with the word accepted and with it refused, in memory."""
    if at.turn.kind == "start":
        return None
    tried = (Verdict("accepted", "RULED"), Verdict("refused", "RULED"))
    judges = [word_judge.judge_again(session, game, at.turn, {word: verdict}) for verdict in tried]
    accepted, rejected = (at.engine.outcome(replay.resolved_with(session, game, at, words).state) for words in judges)
    return (accepted, rejected) if accepted and rejected else None


def _concerned(accepted: Outcome, rejected: Outcome) -> list[int]:
    """List the seats whose points hang on the word."""
    points = {standing.seat: standing.points for standing in rejected.standings}
    return sorted(s.seat for s in accepted.standings if s.points != points.get(s.seat))


def _result(accepted: Outcome, rejected: Outcome, names: dict[int, str]) -> dict[str, Any]:
    """Show the final table both ways, with the word accepted and rejected."""
    otherwise = {standing.seat: standing for standing in rejected.standings}
    rows = tuple((names[s.seat], _place(s), _place(otherwise[s.seat])) for s in accepted.standings)
    head = (say("APPEAL_NAME"), say("APPEAL_ACCEPTED"), say("APPEAL_REJECTED"))
    return {
        "concerned": [names[seat] for seat in _concerned(accepted, rejected)],
        "result": Section(table=Table(head=head, rows=rows)),
        "open_words": sorted({*accepted.doubtful, *rejected.doubtful}),
    }


def _place(standing: Standing) -> Text:
    return say("APPEAL_PLACE", points=standing.points or 0, rank=standing.rank)


def _in_words(verdict: Verdict) -> Text:
    """Word the verdict in force, with the reason if the word doesn't count."""
    if verdict.status == "accepted":
        return say("NOW_ACCEPTED")
    reason = say(verdict.reason if verdict.reason in REASONS else "REFUSED")
    why = say("NOTED", reason=reason, note=verdict.note) if verdict.note else reason
    return say("NOW_REFUSED" if verdict.status == "refused" else "NOW_DOUBTFUL", why=why)


def _rests_on(verdict: Verdict) -> Text | str:
    """Name the entry behind a verdict, or where it comes from."""
    if verdict.entry:
        return verdict.entry
    known = {"RULED": say("BY_RULING"), "HOUSE": say("BY_HOUSE"), "UNLISTED": say("BY_NOTHING")}
    return known.get(verdict.reason, say("BY_LIST"))
