"""A mail's commands carried out: each command gives parts of the one answer."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from sqlmodel import Session

from games import AnyEngine, engines
from games.api import Language, MoveBlock, Text, say
from games.api import Seat as SeatNumber
from gm.app import App
from gm.errors import PlayerError
from gm.play import access, judging, questions, seats, turns
from gm.publish import bulletins
from gm.publish.post import Part, gm_name
from gm.store import queries
from gm.store.codec import decode, encode
from gm.store.tables import Game, MailIn, Player, Question, Seat, Sheet
from parsers import commands
from parsers.grammar import Reading
from parsers.message import Mail


@dataclass(kw_only=True)
class Desk:
    """One mail on the desk: who wrote it, and the answer as it grows."""

    app: App
    session: Session
    row: MailIn
    mail: Mail
    players: Sequence[Player]
    reading: Reading
    parts: list[Part] = field(default_factory=list)
    game: Game | None = None
    """The first game named: the answer threads with it."""
    writer: Player | None = None
    """Who of an address wrote, as far as the seats and names in the mail tell."""
    applied: bool = False
    refused: bool = False

    @property
    def player(self) -> Player | None:
        """The writer, where it is known or only one uses this address."""
        return self.writer or (self.players[0] if len(self.players) == 1 else None)

    @property
    def received(self) -> datetime:
        """When the server got the mail: what decides over in time or late."""
        return self.row.received_at

    def notice(self, text: Text, *, applied: bool = False) -> None:
        """Answer with a sentence of ours or of a game."""
        engine = next((engine for engine in self._engines() if text.code in engine.wording), None)
        context = {"text": text, "game": self.game.name if self.game else ""}
        self.parts.append(Part(template="notice", context=context, engine=engine))
        self.applied |= applied
        self.refused |= not applied

    def _engines(self) -> list[AnyEngine]:
        """The game's own rules first: two games may word the same code."""
        own = [self.app.engine(self.game.engine)] if self.game else []
        return [*own, *engines().values()]

    def own_seat(self, game: Game, who: str = "") -> Seat:
        """Find the writer's seat in a game. Raises NotYourSeat."""
        seat = access.own_seat(self.session, game, self.players, who)
        self.writer = self.writer or next(player for player in self.players if player.id == seat.player_id)
        return seat

    def about(self, game: Game) -> Game:
        """Remember the first game that the mail is about."""
        self.game = self.game or game
        return game

    def answer(self, template: str, game: Game, seat: int | None = None, **more: Any) -> None:
        """Answer with a template about a game."""
        engine = self.app.engine(game.engine)
        names = bulletins.names_by_seat(self.session, game)
        context = {**bulletins.frame_context(self.app, game, engine, self.language), **more}
        own = SeatNumber(seat) if seat else None
        self.parts.append(Part(template=template, context=context, engine=engine, names=names, own=own))

    @property
    def language(self) -> Language:
        """The language of the commands, else the player's, else the game's, else the house's."""
        said = next((said.language for said in self.reading.commands if said.language), "")
        chosen = said or (self.player.language if self.player else "")
        chosen = chosen or (self.game.language if self.game else "") or self.app.settings.service.language
        return "en" if chosen == "en" else "de"


def carry_out(desk: Desk) -> None:
    """Carry out every command of a mail, in order; one that is refused doesn't stop the next.

    To a stranger most commands are closed, and the answer is the same whatever game they name (mail.md, policies).
    """
    all_commands = [said.command for said in desk.reading.commands]
    if not desk.players:
        all_commands = [command for command in all_commands if _is_open_to_strangers(desk, command)]
    skipped, clashing = _compare_blocks(desk, all_commands)
    for at, command in enumerate(all_commands):
        if at in skipped:
            continue
        try:
            _HANDLERS[type(command)](desk, command)
        except PlayerError as error:
            desk.notice(error.text)
    for game in clashing:
        desk.about(game)
        desk.notice(say("TWO_BLOCKS", game=game.name))
    if not desk.parts:
        _free_text(desk)


def _is_open_to_strangers(desk: Desk, command: object) -> bool:
    if isinstance(command, commands.Yes | commands.No):
        return questions.was_asked(desk.session, desk.mail.sender)
    return isinstance(command, commands.Join | commands.Standby | commands.Games | commands.Help)


def _compare_blocks(desk: Desk, all_commands: Sequence[object]) -> tuple[set[int], list[Game]]:
    """Find where one mail holds several blocks for a seat: different ones clash, as nobody can know which one
    counts; of equal ones the first is enough. Returns which commands to skip, and the games that clash."""
    by_seat: dict[int, list[int]] = {}
    games: dict[int, Game] = {}
    for at, command in enumerate(all_commands):
        if isinstance(command, commands.Orders):
            try:
                game, _ = _game_of_orders(desk, command)
                seat = access.own_seat(desk.session, game, desk.players, command.player_name)
            except PlayerError:
                continue  # it is answered when it is carried out
            by_seat.setdefault(seat.id, []).append(at)
            games[seat.id] = game
    skipped: set[int] = set()
    clashing: list[Game] = []
    for seat_id, places in by_seat.items():
        first, *others = (all_commands[at] for at in places)
        is_clash = any(_essence(other) != _essence(first) for other in others)
        skipped.update(places if is_clash else places[1:])
        clashing += [games[seat_id]] if is_clash else []
    return skipped, clashing


def _essence(command: Any) -> tuple[MoveBlock, int | None]:
    return command.block, command.round


# -- moves ----------------------------------------------------------------------------------------------------


def _orders(desk: Desk, command: commands.Orders) -> None:
    game, found_by = _game_of_orders(desk, command)
    desk.about(game)
    engine = desk.app.engine(game.engine)
    if command.title_key and command.title_key != game.engine:
        raise PlayerError(say("OTHER_TITLE", title=engine.rules.title, game=game.name))
    seat = desk.own_seat(game, command.player_name)
    if game.status == "open":
        _change_entry(desk, game, seat, command.block)
        return
    names_round = command.round is not None
    if names_round and command.round != game.round and game.status == "running":
        raise PlayerError(say("WRONG_ROUND", named=command.round or 0, round=game.round, game=game.name))
    file_block(desk, game, seat, command.block, names_round=names_round, remarks=(found_by,) if found_by else ())


def _game_of_orders(desk: Desk, command: commands.Orders) -> tuple[Game, Text | None]:
    """Find the game of a block: its title line, else the subject, else the only game that the sender plays."""
    if command.game:
        return access.game_of(desk.session, command.game), None
    playing = [
        game for game in access.games_of(desk.session, desk.players)
        if not command.title_key or game.engine == command.title_key
    ]  # fmt: skip
    if desk.reading.subject_game:
        named = [game for game in playing if game.name_key == queries.key_of(desk.reading.subject_game)]
        if named:
            return named[0], say("FOUND_BY_SUBJECT")
    if len(playing) == 1:
        return playing[0], say("FOUND_BY_SENDER")
    if not playing:
        raise PlayerError(say("NO_SEAT_AT_ALL"))
    title = desk.app.engine(playing[0].engine).rules.title
    names = ", ".join(game.name for game in playing)
    raise PlayerError(say("WHICH_GAME", title=title, game=playing[0].name, games=names))


def _change_entry(desk: Desk, game: Game, seat: Seat, block: MoveBlock) -> None:
    wanted = seats.change_entry(desk.app, desk.session, game, seat, block)
    started = seats.start_if_complete(desk.app, desk.session, game)
    _joined(desk, game, seat, wanted, started)
    desk.applied = True


def file_block(
    desk: Desk, game: Game, seat: Seat, block: MoveBlock, *, names_round: bool, remarks: tuple[Text, ...] = ()
) -> None:
    """Read a block for a seat and file it, or say everything that is wrong with it."""
    if game.status != "running":
        raise PlayerError(say("GAME_OVER", game=game.name))
    at = turns.position(desk.app, desk.session, game)
    if seat.number not in at.engine.due(at.state):
        raise PlayerError(say("NOT_DUE", game=game.name))
    if _is_late(desk, game, at, seat, names_round):
        return
    before = queries.sheets_on_file(desk.session, game).get(seat.number)
    own = decode(at.engine.move_type, before.move) if before else None
    words = judging.judge(desk.app, desk.session, game)
    sheet = at.engine.read(at.state, SeatNumber(seat.number), block, words, own)
    if sheet.problems:
        offer = bulletins.copy_block(at.engine.rules.title, game.name, sheet.offer)
        mailto = bulletins.mailto(desk.app.settings.service.address, game.name, offer)
        desk.answer("rejection", game, seat.number, sheet=sheet, on_file=before is not None, offer=offer,
                    mailto=mailto, remarks=remarks, received=desk.received)  # fmt: skip
        desk.refused = True
    elif sheet.move is None:
        view = at.engine.view(at.state, SeatNumber(seat.number), own)
        block_lines = bulletins.copy_block(at.engine.rules.title, game.name, view.block)
        desk.answer("nothing", game, seat.number, on_file=before is not None, view=view, block=block_lines)
    else:
        file_move(desk.session, game, seat, block, encode(at.engine.move_type, sheet.move), desk.row, sheet.wanted)
        desk.answer("confirmation", game, seat.number, sheet=sheet, replaced=before is not None,
                    remarks=(*remarks, *sheet.remarks), received=desk.received)  # fmt: skip
        desk.applied = True


def file_move(
    session: Session, game: Game, seat: Seat, block: MoveBlock, move: Any, row: MailIn, wanted: Sequence[Text]
) -> None:
    """Add a sheet: the last one before the closing counts."""
    sheet = Sheet(
        game_id=game.id, seat=seat.number, round=game.round, player_id=seat.player_id, mail_id=row.id,
        received_at=row.received_at, lines=list(block.lines), move=move, complete=not wanted,
    )  # fmt: skip
    session.add(sheet)
    session.flush()


def _is_late(desk: Desk, game: Game, at: turns.Position, seat: Seat, names_round: bool) -> bool:
    """Answer a block that came after its round closed; it is never a move of the next round.

    Without `Runde: n` a block belongs to the position that its sender has seen: it must have arrived after our
    mail with this round's position was accepted for delivery (the server's clock knows whole seconds).
    """
    closes = turns.closing_instant(desk.app, desk.session, game, at)
    if closes is not None and desk.received > closes:
        desk.answer("late", game, seat.number, late_for=game.round, received=desk.received, closed=closes)
        desk.refused = True
        return True
    if names_round:
        return False
    seen = queries.seen_at(desk.session, game, seat.player_id, game.round)
    if seen is None or desk.received < seen.replace(microsecond=0):
        desk.answer("late", game, seat.number, late_for=game.round - 1, received=desk.received, closed=at.turn.at)
        desk.refused = True
        return True
    return False


# -- other commands ---------------------------------------------------------------------------------------------


def _join(desk: Desk, command: commands.Join) -> None:
    if not desk.players:
        part = questions.ask_newcomer(desk.app, desk.session, desk.row, desk.mail, command, desk.language)
        desk.parts.append(part)
        desk.applied = True
        return
    game = game_to_join(desk.app, desk.session, command.title_key, command.game)
    desk.about(game)
    player = _writer(desk, game, command.player_name)
    join(desk, game, player, command.block)


def join(desk: Desk, game: Game, player: Player, block: MoveBlock | None) -> None:
    """Seat a player and answer with what comes next."""
    desk.writer = desk.writer or player
    wanted = seats.sign_up(desk.app, desk.session, game, player, block)
    seat = queries.sat_before(desk.session, game, player.id)
    assert seat is not None
    started = seats.start_if_complete(desk.app, desk.session, game)
    _joined(desk, game, seat, wanted, started)
    desk.applied = True


def _joined(desk: Desk, game: Game, seat: Seat, wanted: tuple[Text, ...], started: bool) -> None:
    engine = desk.app.engine(game.engine)
    taken = len(queries.seats(desk.session, game))
    desk.answer(
        "joined", game, seat.number, wanted=wanted, started=started, taken=taken, of=engine.rules.seats[1],
        block=bulletins.copy_block(engine.rules.title, game.name, ["Neu: D"]) if wanted else [],
    )  # fmt: skip


def game_to_join(app: App, session: Session, title_key: str, name: str) -> Game:
    """Find the open game that a sign-up means. Raises PlayerError."""
    if name:
        return access.game_of(session, name)
    rules = app.engine(title_key).rules
    free = [
        game for game in queries.games(session, ("open",))
        if game.engine == title_key and len(queries.seats(session, game)) < rules.seats[1]
    ]  # fmt: skip
    if not free:
        raise PlayerError(say("NO_OPEN_GAME", title=rules.title))
    if len(free) > 1:
        raise PlayerError(say("SEVERAL_OPEN", games=", ".join(game.name for game in free)))
    return free[0]


def _writer(desk: Desk, game: Game, who: str) -> Player:
    """Say which player of an address writes, for what is not bound to a seat yet."""
    named = [player for player in desk.players if who and player.name_key.startswith(queries.key_of(who))]
    if len(named) == 1:
        return named[0]
    if len(desk.players) == 1:
        return desk.players[0]
    names = ", ".join(player.name for player in desk.players)
    raise PlayerError(say("WHO_OF_YOU", game=game.name, names=names))


def _running_seat(desk: Desk, name: str) -> tuple[Game, Seat]:
    """Find the game and seat that a short command (`Warten Eriwan`) means. Raises PlayerError."""
    if name:
        game = access.game_of(desk.session, name)
    else:
        playing = access.games_of(desk.session, desk.players)
        if len(playing) != 1:
            title = desk.app.engine(playing[0].engine).rules.title if playing else ""
            names = ", ".join(game.name for game in playing) or "-"
            raise PlayerError(say("WHICH_GAME", title=title, game=playing[0].name if playing else "", games=names))
        game = playing[0]
    seat = desk.own_seat(game)
    if game.status == "open":
        raise PlayerError(say("NOT_STARTED", game=game.name))
    if game.status != "running":
        raise PlayerError(say("GAME_OVER", game=game.name))
    return desk.about(game), seat


def _withdraw(desk: Desk, command: commands.Withdraw) -> None:
    game, seat = _running_seat(desk, command.game)
    at = turns.position(desk.app, desk.session, game)
    if _is_late(desk, game, at, seat, False):
        return
    if not withdraw(desk.app, desk.session, game, seat):
        raise PlayerError(say("NOTHING_TO_WITHDRAW", round=game.round, game=game.name))
    desk.answer("withdrawn", game, seat.number)
    desk.applied = True


def withdraw(app: App, session: Session, game: Game, seat: Seat) -> bool:
    """Take every sheet of a seat in this round back; False where there is none."""
    taken_back = False
    while sheet := queries.sheets_on_file(session, game).get(seat.number):
        sheet.withdrawn_at = app.now()
        session.add(sheet)
        session.flush()
        taken_back = True
    return taken_back


def _intent(desk: Desk, command: commands.Wait | commands.Ready) -> None:
    game, seat = _running_seat(desk, command.game)
    if _is_late(desk, game, turns.position(desk.app, desk.session, game), seat, False):
        return
    waits = isinstance(command, commands.Wait)
    seat.intent, seat.intent_round = "wait" if waits else "ready", game.round
    desk.session.add(seat)
    desk.notice(say("WILL_WAIT" if waits else "READY", game=game.name, round=game.round), applied=True)


def _status(desk: Desk, command: commands.Status) -> None:
    game, seat = _running_seat(desk, command.game)
    at = turns.position(desk.app, desk.session, game)
    sheet = queries.sheets_on_file(desk.session, game).get(seat.number)
    own = decode(at.engine.move_type, sheet.move) if sheet else None
    view = at.engine.view(at.state, SeatNumber(seat.number), own)
    block = bulletins.copy_block(at.engine.rules.title, game.name, view.block) if view.block else []
    desk.answer("status", game, seat.number, view=view, on_file=own is not None, block=block)
    desk.applied = True


def _help(desk: Desk, _command: commands.Help) -> None:
    desk.parts.append(Part(template="help", context=_house(desk)))
    desk.applied = True


def _games(desk: Desk, _command: commands.Games) -> None:
    rows = []
    for game in queries.games(desk.session, ("open", "running")):
        rules = desk.app.engine(game.engine).rules
        free = rules.seats[1] - len(queries.seats(desk.session, game)) if game.status == "open" else 0
        rows.append({"name": game.name, "title": rules.title, "free": free, "round": game.round})
    desk.parts.append(Part(template="games", context={**_house(desk), "games": rows}))
    desk.applied = True


def _house(desk: Desk) -> dict[str, Any]:
    service = desk.app.settings.service
    titles = [engine.rules.title for engine in engines().values()]
    return {"gm": gm_name(desk.app), "service": service.name, "address": service.address, "titles": titles}


def _standby(desk: Desk, command: commands.Standby) -> None:
    if not desk.players:
        part = questions.ask_newcomer(desk.app, desk.session, desk.row, desk.mail, command, desk.language)
        desk.parts.append(part)
        desk.applied = True
        return
    seats.set_standby(desk.app, desk.session, desk.players[0], command.title_key, command.on)
    desk.notice(say("STANDBY_ON" if command.on else "STANDBY_OFF"), applied=True)


def _answer(desk: Desk, command: commands.Yes | commands.No) -> None:
    question = questions.meant(desk.session, desk.mail, command.code, desk.app.now())
    if question is None:
        answer = "Ja" if isinstance(command, commands.Yes) else "Nein"
        raise PlayerError(say("NO_QUESTION", answer=answer))
    question.answered_at, question.answer = desk.app.now(), "yes" if isinstance(command, commands.Yes) else "no"
    desk.session.add(question)
    if question.answer == "no":
        desk.notice(say("DECLINED"), applied=True)
        return
    if question.kind == "standby":
        newcomer = _newcomer(desk, question)
        seats.set_standby(desk.app, desk.session, newcomer, question.payload["title_key"], True)
        desk.notice(say("STANDBY_ON"), applied=True)
        return
    game = game_to_join(desk.app, desk.session, question.payload["title_key"], question.payload["game"])
    join(desk, desk.about(game), _newcomer(desk, question), MoveBlock(lines=tuple(question.payload["lines"])))


def _newcomer(desk: Desk, question: Question) -> Player:
    """Register who has said yes, or find the player whom an earlier yes made: two sign-ups are one person."""
    name = question.payload["name"]
    known = [player for player in desk.players if seats.is_numbered(player.name, name)]
    newcomer = known[0] if known else seats.newcomer(desk.app, desk.session, name, question.address)
    if not known:
        newcomer.language = question.payload["language"]
        desk.session.add(newcomer)
    desk.players, desk.writer = [newcomer], newcomer
    return newcomer


def _to_gm(desk: Desk, command: commands.ToGm) -> None:
    questions.tell_gm(desk.app, desk.session, "text", row=desk.row, game=desk.game, player=desk.players[0],
                      text=command.text)  # fmt: skip
    desk.notice(say("PASSED_ON", gm=gm_name(desk.app)), applied=True)


def _free_text(desk: Desk) -> None:
    """A mail without any command: a player's words go to the GM, a stranger gets the short help once a day."""
    if not desk.players:
        _stranger(desk)
    elif desk.row.size > len(desk.row.raw) or desk.mail.is_cut:
        desk.notice(say("TOO_LARGE"))
    elif desk.mail.has_attached_mail and not desk.reading.free_text:
        desk.notice(say("FORWARDED"))
    elif not desk.reading.free_text:
        desk.notice(say("NOTHING_READ"))
    else:
        questions.tell_gm(desk.app, desk.session, "text", row=desk.row, game=desk.game, player=desk.players[0],
                          text=desk.reading.free_text)  # fmt: skip
        desk.notice(say("FREE_TEXT", gm=gm_name(desk.app)), applied=True)


def _stranger(desk: Desk) -> None:
    if questions.was_mailed_since(desk.session, desk.mail.sender, "help", desk.app.now() - timedelta(days=1)):
        return
    desk.parts.append(Part(template="help", context=_house(desk)))
    desk.refused = True


_HANDLERS: Mapping[type, Callable[[Desk, Any], None]] = {
    commands.Orders: _orders,
    commands.Join: _join,
    commands.Withdraw: _withdraw,
    commands.Wait: _intent,
    commands.Ready: _intent,
    commands.Status: _status,
    commands.Help: _help,
    commands.Games: _games,
    commands.Standby: _standby,
    commands.Yes: _answer,
    commands.No: _answer,
    commands.ToGm: _to_gm,
}
