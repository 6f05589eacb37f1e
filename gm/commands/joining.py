"""Signing up by mail: known players at once; unknown addresses are asked (gm.commands.answers)."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any, Final

from sqlmodel import Session

from games.api import MoveBlock, Text, say
from games.api import Seat as SeatNumber
from gm.app.context import App
from gm.commands.request import Incoming
from gm.game import seats, steps
from gm.messages import game_mails, gm_list, questions
from gm.messages.move_keys import key_line_of_seat
from gm.messages.outgoing import Part, gm_name
from gm.messages.questions import About
from gm.players.name_rules import LONGEST_NAME, clean_name
from gm.runtime.errors import PlayerError, UnknownGame
from gm.store.queries import game_queries
from gm.store.tables import Game, Player, Seat
from parsers.commands import commands
from parsers.commands.courtesies import words_for_the_gm

NEWCOMER: Final = "newcomer"
"""The kind of question to an unknown address about all that its mail wants."""
NEWCOMER_DAYS: Final = 7

Wish = Mapping[str, Any]
"""What somebody unknown wants: `kind` (join, standby or watch), `title_key`, `game`, and the `lines` of a sign-up."""


def sign_up(incoming: Incoming, command: commands.Join) -> None:
    """Give a known player a seat in an open game. Raises PlayerError."""
    app, session = incoming.app, incoming.session
    game = game_to_join(app, session, command.title_key, command.game)
    if not incoming.players:
        seats.free_numbers(app, session, game)  # what can't be is said before the question
        wish(incoming, "join", game, command.block.lines)
        return
    incoming.about(game)
    incoming.named = command.player_name or incoming.named
    join(incoming, game, incoming.person(), command.block)


def wish(incoming: Incoming, kind: str, game: Game | None, lines: Sequence[str] = (), title_key: str = "") -> None:
    """Note what an unknown address wants; the same once more only adds what it brings."""
    key = {"kind": kind, "title_key": game.engine if game else title_key, "game": game.name if game else ""}
    known = next((one for one in incoming.wishes if key.items() <= one.items()), None)
    if known is None:
        incoming.wishes.append({**key, "lines": list(lines)})
    elif lines:
        known["lines"] = list(lines)
    incoming.applied = True


def ask_about_wishes(incoming: Incoming) -> None:
    """Ask an unknown address about all that its mail wants, first of all in the answer: the subject has the code."""
    if not incoming.wishes:
        return
    beside = words_for_the_gm(incoming.reading.prose, incoming.mail.sender_name.split())
    incoming.parts.insert(0, _ask_newcomer(incoming, beside))


def join(incoming: Incoming, game: Game, player: Player, block: MoveBlock | None) -> None:
    """Seat a player and answer with what comes next."""
    incoming.writer = incoming.writer or player
    wanted = seats.sign_up(incoming.app, incoming.session, game, player, block)
    seat = game_queries.sat_before(incoming.session, game, player.id)
    assert seat is not None
    started = steps.start_if_complete(incoming.app, incoming.session, game)
    answer(incoming, game, seat, wanted, started)
    incoming.applied = True


def answer(incoming: Incoming, game: Game, seat: Seat, wanted: tuple[Text, ...], started: bool) -> None:
    """Answer with the seat, what is still wanted, and who else is there."""
    engine = incoming.app.engine(game.engine)
    taken = len(game_queries.seats(incoming.session, game))
    key = key_line_of_seat(incoming.app, incoming.session, game, SeatNumber(seat.number))
    incoming.answer(
        "joined", game, seat.number, wanted=wanted, started=started, taken=taken, of=engine.rules.seats[1],
        block=game_mails.copy_block(engine.rules.title, game.name, (), key=key) if wanted else [],
    )  # fmt: skip


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


def set_standby(incoming: Incoming, command: commands.Standby) -> None:
    """Put the writer on the standby list or take them off it."""
    if not incoming.players:
        wish(incoming, "standby", None, title_key=command.title_key)
        return
    seats.set_standby(incoming.app, incoming.session, incoming.person(), command.title_key, command.on)
    incoming.notice(say("STANDBY_ON" if command.on else "STANDBY_OFF"), applied=True)


def _ask_newcomer(incoming: Incoming, beside: str) -> Part:
    """Ask an unknown address whether it really wants all this: anybody can write any sender into a mail.

    What stands `beside` the wishes is kept: the GM gets it with the `Ja`.
    """
    app, mail, wishes = incoming.app, incoming.mail, incoming.wishes
    payload: dict[str, Any] = {
        "name": clean_name(mail.sender_name) or mail.sender.partition("@")[0],
        "written": mail.sender_name[:LONGEST_NAME],
        "language": incoming.language,
        "wishes": [dict(wish) for wish in wishes],
        "beside": beside[: gm_list.LONGEST_TEXT],
    }
    question = questions.add(
        app, incoming.session, NEWCOMER, payload, About(mail=incoming.row), address=mail.sender,
        until=app.now() + timedelta(days=NEWCOMER_DAYS),
    )  # fmt: skip
    titles = {wish["title_key"]: app.engine(wish["title_key"]).rules.title for wish in wishes if wish["title_key"]}
    shown = [{**wish, "title": titles.get(wish["title_key"], "")} for wish in wishes]
    context = {
        **payload, "wishes": shown, "only_watches": all(wish["kind"] == "watch" for wish in wishes),
        "code": question.code, "days": NEWCOMER_DAYS, "gm": gm_name(app),
    }  # fmt: skip
    return Part(template="question", context=context)
