"""The question whether a line is meant: it does what a player's prose wishes, or may stand in a quotation.

`Ja` carries out the line that the question shows; `Nein`, and no answer within a week, put the player's words on the
GM's list.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from sqlmodel import Session, col, select

from games.api import Text, say
from gm.app.context import App
from gm.messages import gm_list, questions
from gm.messages.outgoing import Part, gm_name
from gm.messages.questions import About
from gm.requests.declared import all_names, changes
from gm.requests.preferences import zat_lines
from gm.requests.request import Request
from gm.runtime.errors import PlayerError
from gm.store.queries import game_queries, player_queries, question_queries, seat_queries, sheet_queries
from gm.store.tables import Game, MailIn, Player, Question
from parsers import commands
from parsers.lines.command_lines import ReadCommand
from parsers.reading import Reading, read_lines

KIND: Final = question_queries.WISH
DAYS: Final = 7


@dataclass(frozen=True, kw_only=True)
class LineAsked:
    """What is asked about."""

    lines: Sequence[str]
    """A command, with what stands below it."""
    text: str
    """The player's own words, for the GM where the answer is no."""
    player: Player
    game: Game | None = None


def ask(request: Request, understood: Text, asked: LineAsked) -> None:
    """Answer with what was understood and the line that does it, and ask whether it is meant."""
    app, session, player = request.app, request.session, asked.player
    _close_earlier(app, session, asked)
    payload = {"lines": list(asked.lines), "text": asked.text, "language": request.language}
    question = questions.add(
        app, session, KIND, payload, About(mail=request.row, game=asked.game, player=player),
        address=player_queries.address_of(session, player.id), until=app.now() + timedelta(days=DAYS),
    )  # fmt: skip
    request.writer = player
    show(request, understood, asked.lines, question.code)


def show(request: Request, understood: Text, lines: Sequence[str], code: str = "") -> None:
    """Show lines to send; with a code, `Ja` to the mail does what they do."""
    context = {
        "understood": understood,
        "lines": lines,
        "code": code,
        "days": DAYS,
        "gm": gm_name(request.app),
        "beside": (),
    }
    request.parts.append(Part(template="wish", context=context))
    request.applied = True


def has_to_ask(request: Request, said: ReadCommand) -> bool:
    """Whether a command may be somebody else's, quoted from a mail of ours, and would do something."""
    is_answer = isinstance(said.command, commands.Yes | commands.No | commands.GmCommand)
    return said.is_doubtful and bool(request.players) and not is_answer and changes(said.command)


def ask_about_repeated(request: Request, said: ReadCommand) -> None:
    """Ask whether a line that somebody else has written in a mail of ours is the sender's as well.

    Raises PlayerError.
    """
    lines = _written(said)
    game = game_queries.game_named(request.session, getattr(said.command, "game", ""))
    asked = LineAsked(lines=lines, text="\n".join(lines), player=request.find_writer(), game=game)
    ask(request, say("LINE_REPEATED"), asked)


def _written(said: ReadCommand) -> list[str]:
    """Write a command and what stands below it as lines that read as the same."""
    command = said.command
    if isinstance(command, commands.LongText):
        return [said.line, *command.text.splitlines(), "Ende"]
    if isinstance(command, commands.ToGm):
        return f"GM: {command.text}".splitlines()
    if isinstance(command, commands.Appeal):
        return [said.line, *command.reason.splitlines()]
    if isinstance(command, commands.Join):
        return [said.line, *command.block.lines]
    return [said.line, *command.lines] if isinstance(command, commands.Advance) else [said.line]


def _close_earlier(app: App, session: Session, asked: LineAsked) -> None:
    """Close an open question about the same line: the new one stands for both."""
    rows = select(Question).where(
        Question.player_id == asked.player.id, Question.kind == KIND, col(Question.answered_at).is_(None)
    )
    for question in session.exec(rows.order_by(col(Question.id))).all():
        if question.payload["lines"][0] == asked.lines[0]:
            questions.close(app, session, question, "asked again")


def line_of(question: Question) -> str:
    """Return the command that a question asks about; empty for a question of another kind."""
    lines: Sequence[str] = question.payload.get("lines", ()) if question.kind == KIND else ()
    return lines[0] if lines else ""


# -- the answer --------------------------------------------------------------------------------------------------------


def confirmed(request: Request, question: Question) -> Request:
    """Return what the player has said yes to, as a mail that holds the line. Raises PlayerError."""
    session = request.session
    player = session.get_one(Player, question.player_id)
    said = read_lines(question.payload["lines"], all_names())
    if not said:
        raise PlayerError(say("QUESTION_EXPIRED"))
    if isinstance(said[0].command, commands.Withdraw) and question.game_id:
        game = session.get_one(Game, question.game_id)
        seat = seat_queries.seat_row(game, player.id)
        on_file = sheet_queries.sheets_on_file(game).get(seat.number) if seat else None
        if on_file and on_file.received_at > question.created_at:
            raise PlayerError(say("LATER_MOVE_COUNTS", game=game.name))
    request.writer = player
    return Request(
        app=request.app, session=session, row=request.row, mail=request.mail, players=[player],
        reading=Reading(commands=said),
    )  # fmt: skip


def deny(request: Request, question: Question) -> None:
    """Put words that we have read wrongly before the GM."""
    session = request.session
    game = session.get(Game, question.game_id) if question.game_id else None
    player = session.get_one(Player, question.player_id)
    request.tell_gm("text", question.payload["text"], game=game, player=player)
    request.confirm(say("WISH_DENIED", gm=gm_name(request.app)))


def pass_on_unanswered(app: App) -> None:
    """Put lines whose question has had no answer before the GM: nothing is lost in silence."""
    unanswered = select(Question).where(Question.kind == KIND, col(Question.answered_at).is_(None))
    unanswered = unanswered.where(col(Question.expires_at) <= app.now()).order_by(col(Question.id))
    with app.database.read() as session:
        if session.exec(unanswered).first() is None:
            return
    with app.database.write() as session:
        for question in session.exec(unanswered).all():
            questions.close(app, session, question, "expired")
            row = session.get(MailIn, question.mail_id) if question.mail_id else None
            player = session.get(Player, question.player_id) if question.player_id else None
            game = session.get(Game, question.game_id) if question.game_id else None
            about = About(mail=row, game=game, player=player, cause=f"question:{question.id}")
            entry = gm_list.add_trouble(app, session, "text", question.payload["text"], about)
            lines = [
                line for said in read_lines(question.payload["lines"], all_names())
                if isinstance(said.command, commands.Extension) for line in zat_lines(app, session, said.command)
            ]  # fmt: skip
            gm_list.send(app, session, [gm_list.with_lines(entry, lines) if lines else entry])
