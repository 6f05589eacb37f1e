"""Signing up by mail: players get a seat at once, strangers are asked first (`gm.requests.answers`). And leaving."""

import re
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any, Final

from sqlmodel import Session

from games.api import MoveBlock, Sheet, say
from gm.app.context import App
from gm.game import seats, steps
from gm.game.people import access
from gm.game.people.name_rules import LONGEST_NAME, clean_name
from gm.messages import game_mails, gm_list, questions
from gm.messages.outgoing import Part, gm_name
from gm.messages.questions import About
from gm.requests.declared import by_mail
from gm.requests.desk import leaving
from gm.requests.request import Request
from gm.runtime.errors import PlayerError, UnknownGame
from gm.store.queries import game_queries, seat_queries
from gm.store.tables import Game, Player, Seat
from parsers import commands
from parsers.lines import arguments
from parsers.prose.courtesies import words_for_the_gm

NEWCOMER: Final = "newcomer"
"""The kind of question to an unknown address about all that its mail wants."""
NEWCOMER_DAYS: Final = 7
LETTER: Final = re.compile(r"(?:neu|new)\s*:\s*(?P<letter>[A-Z])", re.IGNORECASE)

Wish = Mapping[str, Any]
"""What a stranger wants: `kind` (join, standby or watch), `title_key`, `game`, and the `lines` of a sign-up."""


@by_mail(commands.Join, "JOIN", takes=arguments.join, sender="anybody", goes_on=True)
def sign_up(request: Request, command: commands.Join) -> None:
    """Give a known player a seat in an open game. Raises PlayerError."""
    app, session = request.app, request.session
    game = game_to_join(app, session, command.title_key, command.game)
    if not request.players:
        seats.free_numbers(app, game)  # what isn't possible is said before the question
        note_wish(request, "join", game, command.block.lines)
        return
    request.note_game(game)
    request.writer_name = command.player_name or request.writer_name
    join(request, game, request.find_writer(), command.block)


def note_wish(request: Request, kind: str, game: Game | None, lines: Sequence[str] = (), title_key: str = "") -> None:
    """Note a stranger's wish; when it comes again, only its lines are updated."""
    key = {"kind": kind, "title_key": game.engine if game else title_key, "game": game.name if game else ""}
    known = next((one for one in request.wishes if key.items() <= one.items()), None)
    if known is None:
        request.wishes.append({**key, "lines": list(lines)})
    elif lines:
        known["lines"] = list(lines)
    request.applied = True


def ask_about_wishes(request: Request) -> None:
    """Ask a stranger about all wishes of the mail. The question comes first in the answer: the subject has its code."""
    if not request.wishes:
        return
    beside = words_for_the_gm(request.reading.prose, request.mail.sender_name.split())
    request.parts.insert(0, _ask_newcomer(request, beside))


def join(request: Request, game: Game, player: Player, block: MoveBlock | None) -> None:
    """Seat a player and answer with what comes next."""
    request.writer = request.writer or player
    sheet = seats.sign_up(request.app, request.session, game, player, block)
    seat = seat_queries.seat_row(game, player.id)
    assert seat is not None
    start_or_answer(request, game, seat, sheet)


def wants(app: App, game: Game, block: MoveBlock) -> bool:
    """Whether a game asks at sign-up for something that this block answers."""
    engine = app.engine(game.engine)
    sheet = engine.enrol(block, game.options)
    is_answer = sheet.move is not None and not sheet.problems and not sheet.wanted
    return is_answer and bool(engine.enrol(MoveBlock(lines=()), game.options).wanted)


def start_or_answer(request: Request, game: Game, seat: Seat, sheet: Sheet[Any]) -> None:
    """Start the game if that was the last thing missing; answer with the seat, and what is still wanted."""
    app, session = request.app, request.session
    started = steps.start_if_complete(app, session, game)
    context = game_mails.seat_context(app, session, game, session.get_one(Player, seat.player_id), sheet)
    request.answer("joined", game, seat.number, **context, started=started, by_gm="")
    request.applied = True


def game_to_join(app: App, session: Session, title_key: str, name: str) -> Game:
    """Find the open game that a sign-up means. Raises PlayerError."""
    if name:
        game = game_queries.game_named(session, name)
        if game is None:
            raise UnknownGame(say("NO_GAME_TO_JOIN", game=name))
        return game
    rules = app.engine(title_key).rules
    free = game_queries.games_with_room(session, title_key, rules.seats[1])
    if not free:
        raise PlayerError(say("NO_OPEN_GAME", title=rules.title))
    if len(free) > 1:
        raise PlayerError(say("SEVERAL_OPEN", games=", ".join(game.name for game in free)))
    return free[0]


@by_mail(commands.Standby, "STANDBY", takes=arguments.standby(True), sender="anybody", goes_on=True)
@by_mail(commands.Standby, "NO_STANDBY", takes=arguments.standby(False), sender="anybody", goes_on=True)
def set_standby(request: Request, command: commands.Standby) -> None:
    """Put the writer on the standby list or take them off it."""
    if not request.players:
        note_wish(request, "standby", None, title_key=command.title_key)
        return
    seats.set_standby(request.app, request.session, request.find_writer(), command.title_key, command.on)
    request.confirm(say("STANDBY_ON" if command.on else "STANDBY_OFF"))


def _ask_newcomer(request: Request, beside: str) -> Part:
    """Ask a stranger whether all this is really wanted: anybody can forge a sender.

    Text `beside` the wishes is kept; the GM gets it once the answer is `Ja`.
    """
    app, mail, wishes = request.app, request.mail, request.wishes
    payload: dict[str, Any] = {
        "name": clean_name(mail.sender_name) or mail.sender.partition("@")[0],
        "written": mail.sender_name[:LONGEST_NAME],
        "language": request.language,
        "wishes": [dict(wish) for wish in wishes],
        "beside": beside[: gm_list.LONGEST_TEXT],
    }
    question = questions.add(
        app, request.session, NEWCOMER, payload, About(mail=request.row), address=mail.sender,
        until=app.now() + timedelta(days=NEWCOMER_DAYS),
    )  # fmt: skip
    titles = {wish["title_key"]: app.engine(wish["title_key"]).rules.title for wish in wishes if wish["title_key"]}
    shown = [{**wish, "title": titles.get(wish["title_key"], ""), "letter": _letter(request, wish)} for wish in wishes]
    context = {
        **payload, "wishes": shown, "only_watches": all(wish["kind"] == "watch" for wish in wishes),
        "code": question.code, "days": NEWCOMER_DAYS, "gm": gm_name(app),
    }  # fmt: skip
    return Part(template="question", context=context)


def _letter(request: Request, wish: Wish) -> str:
    """Return what a sign-up brings for the game, as it was read: `E` of `Neu: E`."""
    game = game_queries.game_named(request.session, wish["game"]) if wish["kind"] == "join" else None
    block = MoveBlock(lines=tuple(wish["lines"]))
    if game is None or not wants(request.app, game, block):
        return ""
    return ", ".join(line.rpartition(":")[2].strip() for line in block.lines)


@by_mail(commands.Resign, "RESIGN", takes=arguments.about_named(commands.Resign))
def resign(request: Request, command: commands.Resign) -> None:
    """Let the writer leave a game. Raises PlayerError."""
    app, session = request.app, request.session
    game = access.game_of(session, command.game)
    seat = request.own_seat(game)
    request.note_game(game)
    player = session.get_one(Player, seat.player_id)
    if game.status not in ("open", "running"):
        raise PlayerError(say("GAME_OVER", game=game.name))
    kind = leaving.give_up(app, session, game, seat)
    request.confirm(say("LEFT_OPEN" if kind == "freed" else "LEFT_GAME", game=game.name, gm=gm_name(app)))
    request.tell_gm(kind, request.reading.free_text, game=game, player=player)
