"""One mail that is being carried out: who wrote it, what it asks for, and the answer as it grows."""

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import Any, Final

from sqlmodel import Session

from games import AnyEngine, engines
from games.api import Language, Text, say
from games.api import Seat as SeatNumber
from gm.app.context import App
from gm.game.people import access
from gm.game.position import is_released
from gm.messages import game_mails, gm_list
from gm.messages.outgoing import Part, gm_name
from gm.messages.questions import About
from gm.messages.sentences import SENTENCES
from gm.runtime.catalogues import first_known
from gm.runtime.errors import OperatorError, PlayerError, UnknownGame
from gm.store.queries import game_queries, holder_queries, seat_queries, thread_queries, turn_queries
from gm.store.tables import Game, MailIn, Player, Seat
from parsers.commands import Orders, SetLanguage
from parsers.invisible import fold_name
from parsers.mime.message import Mail
from parsers.mime.triage import Mark
from parsers.reading import Reading

NO_SUCH_GAME: Final = ("NO_GAME_TO_JOIN", "NOTHING_TO_WATCH")
"""Sentences that repeat a name from the mail."""
MOST_WORDS_OF_NAME: Final = 2
"""In a line that only names a game: `Eriwan`, `Partie Eriwan`."""


@dataclass(kw_only=True)
class Request:
    """A mail and its answer. All handlers of its commands work on it; it lives within one transaction."""

    app: App
    session: Session
    row: MailIn
    mail: Mail
    players: Sequence[Player]
    """All players with the sender's address; none: a stranger."""
    reading: Reading
    games: Sequence[Game] = ()
    """Those that it may be about: what their files hold is known as long as this request lives."""
    mark: Mark | None = None
    """Why a program may have written it."""
    answered: MailIn | None = None
    """The mail whose answer brings the answer to this one: the `Ja` that has confirmed it."""
    received: datetime = field(init=False)
    """When the move arrived: with this mail, or with an earlier one whose writer had to be asked for."""

    writer: Player | None = None
    """Which of the players wrote, as far as the seats and names in the mail tell."""
    writer_name: str = ""
    """The writer's name in a line `Name: Anna` above the present command, or anywhere in the mail."""
    game: Game | None = None
    """The first game that the mail is about: the answer goes into its thread."""
    wishes: list[dict[str, Any]] = field(default_factory=list)
    """What a stranger wants and can have: one question asks about all of it (`gm.requests.joining`)."""

    parts: list[Part] = field(default_factory=list)
    """The answer."""
    for_gm: list[gm_list.Entry] = field(default_factory=list)
    """What the GM has to know: one mail to the GM brings all of it."""
    shown_position: int | None = None
    """The number of the position that the answer shows: moves that come after it may be meant for this one."""
    applied: bool = False
    refused: bool = False
    waiting: bool = False
    """It is carried out only when its registered address, or the GM, says so."""
    report: Callable[[App, Session, Language], Part] | None = None
    """Makes the answer to a GM who asks what waits: it is told of above us (`gm.reports`)."""
    show_mail: Callable[[App, Session, str, str, Language], Part] | None = None
    """Makes the answer to a GM who asks for a mail by its number and the GM's address, likewise. Raises Refused."""
    is_for_gm: bool = False
    """The answer goes to the GM's own address, also where a player has it as well."""

    def __post_init__(self) -> None:
        self.received = self.row.received_at

    @property
    def status(self) -> str:
        """What became of the mail, for the log."""
        if self.waiting:
            return "waiting"
        return "refused" if self.refused and not self.applied else "applied"

    @property
    def today(self) -> date:
        """The day on which the mail came, in the zine's zone: its dates count from it."""
        return self.received.astimezone(self.app.settings.service.timezone).date()

    @property
    def cause(self) -> str:
        """The cause of the answer."""
        return f"mail:{(self.answered or self.row).id}"

    @property
    def player(self) -> Player | None:
        """The writer, where it is known or only one uses this address."""
        return self.writer or (self.players[0] if len(self.players) == 1 else None)

    @property
    def signatures(self) -> Sequence[str]:
        """How the writer may sign: names of all players with the address, whole and in parts."""
        return [part for player in self.players for part in (player.name, *player.name.split())]

    def find_writer(self) -> Player:
        """Find the one who writes, for what is about no seat. Raises PlayerError where several may have."""
        named = [player for player in self.players if self.writer_name and access.is_called(player, self.writer_name)]
        addressed = thread_queries.player_of_thread(self.session, (self.mail.in_reply_to,))
        threaded = [player for player in self.players if player.id == addressed]
        for found in (named, [] if self.writer_name else threaded, self.players):
            if len(found) == 1:
                self.writer = self.writer or found[0]
                return found[0]
        names = ", ".join(player.name for player in self.players)
        raise PlayerError(say("WHO_OF_YOU_ALL", names=names))

    def confirm(self, text: Text) -> None:
        """Answer with a sentence that says what was done."""
        self._say(text, taken=True)
        self.applied = True

    def refuse(self, text: Text) -> None:
        """Answer with a sentence that says why something was not done."""
        self._say(text, taken=False)
        self.refused = True

    def pass_on(self, text: Text) -> None:
        """Answer with a sentence that says where the sender's words went."""
        self._say(text, taken=True, is_passed_on=True)
        self.applied = True

    def add(self, text: Text) -> None:
        """Answer with one more sentence below what was said to the sender's words, without a heading of its own.

        Where nothing was said to them, it says where they went. That is no refusal, whatever was refused beside.
        """
        last = self.parts[-1] if self.parts else None
        if last is None or "beside" not in last.context:
            self._say(text, taken=True, is_passed_on=True)
            self.applied = self.applied or not self.refused
            return
        beside = (*last.context["beside"], text)
        self.parts[-1] = replace(last, context={**last.context, "beside": beside})

    def _say(self, text: Text, *, taken: bool, is_passed_on: bool = False) -> None:
        """Answer with a sentence of the service or of a game."""
        # Anybody can forge a sender: the words of a stranger are never repeated.
        if not self.players and text.code in NO_SUCH_GAME:
            text = replace(text, values={**text.values, "game": "…"})
        codes = {text.code, *(value.code for value in text.values.values() if isinstance(value, Text))}
        game = self._game_in(text)
        own = [self.app.engine(game.engine)] if game else []
        engine = self._engine_that_words(codes - SENTENCES.keys(), own)
        of_game = {"title": own[0].rules.title, "game": game.name} if game else {"game": ""}
        context = {"text": text, "taken": taken, "is_passed_on": is_passed_on, "beside": (), **of_game}
        names = holder_queries.names_by_seat(self.session, game) if game else {}
        self.parts.append(Part(template="notice", context=context, engine=engine, names=names))

    def _game_in(self, text: Text) -> Game | None:
        """Return the game that a sentence names, if the writer plays in it; else the one that the mail is about."""
        named = text.values.get("game")
        if self.game is None or named in (None, self.game.name):
            return self.game
        return next((one for one in access.games_of(self.session, self.players) if one.name == named), self.game)

    @staticmethod
    def _engine_that_words(codes: Set[str], own: Sequence[AnyEngine]) -> AnyEngine | None:
        """Find the rules that a sentence comes from; the game's own first, as two games may word the same code."""
        return next((engine for engine in (*own, *engines().values()) if codes & engine.wording.keys()), None)

    def tell_gm(
        self, kind: str, text: str | OperatorError, game: Game | None = None, player: Player | None = None,
        offers: Sequence[gm_list.Offer] = (), lines: Sequence[gm_list.Offer] = (), readers: Sequence[str] | None = None,
    ) -> None:  # fmt: skip
        """Put a trouble or a player's word on the GM's list; the notice goes out with all others of this mail.

        `lines` do what the words wish.
        """
        about = About(mail=self.row, game=game, player=player, readers=readers)
        entry = gm_list.add_trouble(self.app, self.session, kind, text, about, offers)
        self.for_gm.append(gm_list.with_lines(entry, lines) if lines else entry)

    def seat_in(self, game: Game, who: str = "") -> Seat:
        """Find the writer's seat in a game. Raises NotYourSeat, WhoOfYou."""
        return access.own_seat(self.session, game, self.players, who or self.writer_name, (self.mail.in_reply_to,))

    def own_seat(self, game: Game, who: str = "") -> Seat:
        """Find the writer's seat in a game, and note who writes. Raises NotYourSeat, WhoOfYou."""
        seat = self.seat_in(game, who)
        self.writer = self.writer or next(player for player in self.players if player.id == seat.player_id)
        return seat

    def find_reader(self, game: Game) -> tuple[Player, Seat | None]:
        """Find the writer among those who play or watch a game, with the seat, and note who writes.

        Raises NotYourSeat for anybody else, WhoOfYou.
        """
        session = self.session
        sitting = {seat.player_id for seat in seat_queries.seats(game)}
        watching = [player for player in self.players if seat_queries.watcher(game, player.id)]
        if watching and not sitting & {player.id for player in self.players}:
            self.writer = self.writer or watching[0]
            return watching[0], None
        seat = self.own_seat(game)
        return session.get_one(Player, seat.player_id), seat

    def note_game(self, game: Game) -> Game:
        """Note that the mail is about this game; the first one gets the answer into its thread."""
        self.game = self.game or game
        return game

    def answer(self, template: str, game: Game, seat: int | None = None, **more: Any) -> None:
        """Answer with a template about a game."""
        self.parts.append(self.part(template, game, seat, **more))

    def part(self, template: str, game: Game, seat: int | None = None, **more: Any) -> Part:
        """Make a part of an answer about a game, for a seat in it."""
        engine = self.app.engine(game.engine)
        context = {**game_mails.frame_context(self.app, game, engine, self.language), **more}
        names = holder_queries.names_by_seat(self.session, game)
        own = SeatNumber(seat) if seat else None
        return Part(template=template, context=context, engine=engine, names=names, own=own)

    @property
    def language(self) -> Language:
        """The language of the answer: the commands' own, else the player's, else the game's, else the house's."""
        said = self.reading.commands
        wanted = (one.command.to for one in said if isinstance(one.command, SetLanguage) and self.players)
        wish = self.reading.wish
        spoken = (*(one.language for one in said), wish.language if wish else None)
        own = self.player.language if self.player else ""
        of_game = self.game.language if self.game else ""
        said_or_known = filter(None, (*wanted, *spoken, own, of_game, self.app.settings.service.language))
        return first_known(*said_or_known)


def find_game(request: Request, name: str, block: Orders | None = None) -> tuple[Game, Text | None]:
    """Find the game of a command or block: the one named, else by subject, thread or the only seat.

    Returns a remark as well that says how it was found, where nothing names it. A block whose title line has the kind
    of game means one of that kind, also with a name that no game has. Raises PlayerError.
    """
    session = request.session
    if name and (game := _named(request, name)):
        return game, None
    if name and not block:
        return access.game_of(session, name), None
    if name and block:
        return _only_game_of_kind(request, name, block.title_key)
    if game := answered_game(request):
        return game, None
    if block and block.beside:
        return access.game_of(session, block.beside), None
    kind = block.title_key if block else ""
    playing = [game for game in access.games_of(session, request.players) if game.engine == kind or not kind]
    if len(playing) == 1:
        return playing[0], say("FOUND_BY_SENDER")
    named_beside = [game for game in playing if block and _is_named_beside(request, game)]
    if len(named_beside) == 1:
        return named_beside[0], None
    raise PlayerError(_which_game(request.app, playing, is_block=block is not None))


def _named(request: Request, name: str) -> Game | None:
    key = fold_name(name)
    known = next((game for game in request.games if game.name_key == key), None)
    return known or game_queries.game_named(request.session, name)


def answered_game(request: Request) -> Game | None:
    """Find the game that the subject of a mail names, or that the mail replied to is about."""
    for named in request.reading.subject_games:
        if game := _named(request, named):
            return game
    return thread_queries.game_of_thread(request.session, (request.mail.in_reply_to, *request.mail.references))


def _is_named_beside(request: Request, game: Game) -> bool:
    """Whether the subject names a game without brackets, or a line like `Eriwan` or `Partie Eriwan` does."""
    name = game.name_key
    lines = [fold_name(line).strip(" .:!").split() for line in request.reading.free_text.splitlines()]
    by_line = any(words[-1:] == [name] and len(words) <= MOST_WORDS_OF_NAME for words in lines)
    return by_line or name in (word.strip('.,:;!"»«()') for word in fold_name(request.mail.subject).split())


def _only_game_of_kind(request: Request, name: str, kind: str) -> tuple[Game, Text]:
    """Find the game of a block with a name that no game has: the sender's only one of its kind. Raises PlayerError."""
    playing = [game for game in access.games_of(request.session, request.players) if game.engine == kind]
    if len(playing) == 1:
        return playing[0], say("NAME_UNKNOWN", named=name, game=playing[0].name)
    if not playing:
        raise UnknownGame(say("NOT_YOUR_SEAT", game=name))
    raise PlayerError(_which_game(request.app, playing, is_block=True))


def _which_game(app: App, playing: Sequence[Game], *, is_block: bool) -> Text:
    names = ", ".join(game.name for game in playing)
    if not is_block:
        return say("WHICH_GAME_NAMED", games=names or "-")
    if not playing:
        return say("NO_SEAT_AT_ALL")
    title = app.engine(playing[0].engine).rules.title
    return say("WHICH_GAME", title=title, game=playing[0].name, games=names)


def running_seat(request: Request, name: str) -> tuple[Game, Seat]:
    """Find the game and seat that a short command (`Warten Eriwan`) means. Raises PlayerError."""
    game, _ = find_game(request, name)
    seat = request.own_seat(game)
    if game.status == "open":
        raise PlayerError(say("NOT_STARTED", game=game.name))
    if game.status != "running":
        raise PlayerError(say("GAME_OVER", game=game.name))
    if not is_released(turn_queries.current_turn(game)):
        raise PlayerError(say("WAITS_FOR_RELEASE", game=game.name, gm=gm_name(request.app)))
    return request.note_game(game), seat
