"""One mail being handled: who wrote it, what it asks for, and the answer as it grows."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final

from sqlmodel import Session

from games import AnyEngine, engines
from games.api import Language, Text, say
from games.api import Seat as SeatNumber
from gm.app.context import App
from gm.game.position import is_released
from gm.messages import game_mails, gm_list
from gm.messages.outgoing import Part, gm_name
from gm.messages.questions import About
from gm.messages.rendering.sentences import SENTENCES
from gm.players import access
from gm.runtime.errors import PlayerError
from gm.store.queries import game_queries
from gm.store.tables import Game, MailIn, Player, Seat
from parsers.commands.commands import Orders, SetLanguage
from parsers.commands.grammar import Reading
from parsers.mime.message import Mail
from parsers.mime.triage import Mark

NO_SUCH_GAME: Final = ("NO_GAME_TO_JOIN", "NOTHING_TO_WATCH")
"""Sentences with a name that the mail has brought."""


@dataclass(kw_only=True)
class Incoming:
    """What its handlers share; it lives as long as its savepoint."""

    app: App
    session: Session
    row: MailIn
    mail: Mail
    players: Sequence[Player]
    reading: Reading
    mark: Mark | None = None
    """What speaks against a person as its writer."""
    parts: list[Part] = field(default_factory=list)
    for_gm: list[gm_list.Entry] = field(default_factory=list)
    """What it puts before the GM: one mail of ours brings all of it."""
    game: Game | None = None
    """The first game named: the answer threads with it."""
    writer: Player | None = None
    """Who of an address wrote, as far as the seats and names in the mail tell."""
    named: str = ""
    """Who writes, by a line `Name: Anna` above the present command or anywhere in the mail."""
    wishes: list[dict[str, Any]] = field(default_factory=list)
    """What a stranger's mail wants that can be had: asked in one question (`gm.messages.questions`)."""
    shows: int | None = None
    """The position that the answer shows: the writer may decide on it from then on."""
    arrived: datetime | None = None
    """When the move came that this mail has only told whose it is."""
    applied: bool = False
    refused: bool = False
    waits: bool = False
    """Nothing shows who wrote it: it waits for the word of its registered address."""
    confirmed: "Incoming | None" = None
    """The mail that this one has confirmed: it is carried out next."""
    silent: str = ""
    """Why this mail gets no answer although it was understood (for the log)."""

    @property
    def player(self) -> Player | None:
        """The writer, where it is known or only one uses this address."""
        return self.writer or (self.players[0] if len(self.players) == 1 else None)

    def person(self) -> Player:
        """Find the one who writes, for what is about no seat. Raises PlayerError where several may have."""
        named = [player for player in self.players if self.named and access.is_called(player, self.named)]
        addressed = game_queries.player_of_thread(self.session, (self.mail.in_reply_to,))
        threaded = [player for player in self.players if player.id == addressed]
        for found in (named, [] if self.named else threaded, self.players):
            if len(found) == 1:
                self.writer = self.writer or found[0]
                return found[0]
        names = ", ".join(player.name for player in self.players)
        raise PlayerError(say("WHO_OF_YOU_ALL", names=names))

    @property
    def received(self) -> datetime:
        """When the server got the mail, or the one that waited for it: what decides over in time or late."""
        return self.arrived or self.row.received_at

    def notice(self, text: Text, *, applied: bool = False) -> None:
        """Answer with a sentence of ours or of a game."""
        if not self.players:
            text = self._without_their_words(text)
        inside = (value.code for value in text.values.values() if isinstance(value, Text))
        codes = {text.code, *inside} - SENTENCES.keys()
        engine = next((engine for engine in self._engines() if codes & engine.wording.keys()), None)
        context = {"text": text, "game": self.game.name if self.game else ""}
        names = game_mails.names_by_seat(self.session, self.game) if self.game else {}
        self.parts.append(Part(template="notice", context=context, engine=engine, names=names))
        self.applied |= applied
        self.refused |= not applied

    def tell_gm(
        self, kind: str, text: str, game: Game | None = None, player: Player | None = None,
        offers: Sequence[gm_list.Offer] = (),
    ) -> None:  # fmt: skip
        """Put a trouble or a player's word on the GM's list; the notice goes out with all others of this mail."""
        about = About(mail=self.row, game=game, player=player)
        self.for_gm.append(gm_list.add_trouble(self.app, self.session, kind, text, about, offers))

    def _without_their_words(self, text: Text) -> Text:
        """Leave out what a game that isn't there was called: who forged the sender could have us say anything."""
        return replace(text, values={**text.values, "game": "…"}) if text.code in NO_SUCH_GAME else text

    def _engines(self) -> list[AnyEngine]:
        """The game's own rules first: two games may word the same code."""
        own = [self.app.engine(self.game.engine)] if self.game else []
        return [*own, *engines().values()]

    def seat_in(self, game: Game, who: str = "") -> Seat:
        """Find the seat in a game that the mail is about. Raises NotYourSeat, WhoOfYou."""
        return access.own_seat(self.session, game, self.players, who or self.named, (self.mail.in_reply_to,))

    def own_seat(self, game: Game, who: str = "") -> Seat:
        """Find the same, and note who writes. Raises NotYourSeat, WhoOfYou."""
        seat = self.seat_in(game, who)
        self.writer = self.writer or next(player for player in self.players if player.id == seat.player_id)
        return seat

    def about(self, game: Game) -> Game:
        """Remember the first game that the mail is about."""
        self.game = self.game or game
        return game

    def answer(self, template: str, game: Game, seat: int | None = None, **more: Any) -> None:
        """Answer with a template about a game."""
        engine = self.app.engine(game.engine)
        names = game_mails.names_by_seat(self.session, game)
        context = {**game_mails.frame_context(self.app, game, engine, self.language), **more}
        own = SeatNumber(seat) if seat else None
        self.parts.append(Part(template=template, context=context, engine=engine, names=names, own=own))

    @property
    def language(self) -> Language:
        """The language of the commands, else the player's, else the game's, else the house's."""
        all_said = self.reading.commands
        wished = [said.command.to for said in all_said if isinstance(said.command, SetLanguage)]
        if wished and self.players:
            return wished[0]
        said = next((said.language for said in self.reading.commands if said.language), "")
        chosen = said or (self.player.language if self.player else "")
        chosen = chosen or (self.game.language if self.game else "") or self.app.settings.service.language
        return "en" if chosen == "en" else "de"


def game_meant(incoming: Incoming, name: str, block: Orders | None = None) -> tuple[Game, Text | None]:
    """Find the game of a command or block: as named, else by subject, thread or the only seat; and say how, if so.

    A block whose title line tells the kind of game means one of that kind. Raises PlayerError.
    """
    session = incoming.session
    if name:
        return access.game_of(session, name), None
    for named in incoming.reading.subject_games:
        if game := game_queries.game_named(session, named):
            return game, say("FOUND_BY_SUBJECT")
    if game := game_queries.game_of_thread(session, (incoming.mail.in_reply_to, *incoming.mail.references)):
        return game, say("FOUND_BY_THREAD")
    kind = block.title_key if block else ""
    playing = [game for game in access.games_of(session, incoming.players) if game.engine == kind or not kind]
    if len(playing) == 1:
        return playing[0], say("FOUND_BY_SENDER")
    raise PlayerError(_which_game(incoming.app, playing, is_block=block is not None))


def _which_game(app: App, playing: Sequence[Game], *, is_block: bool) -> Text:
    names = ", ".join(game.name for game in playing)
    if not is_block:
        return say("WHICH_GAME_NAMED", games=names or "-")
    if not playing:
        return say("NO_SEAT_AT_ALL")
    title = app.engine(playing[0].engine).rules.title
    return say("WHICH_GAME", title=title, game=playing[0].name, games=names)


def running_seat(incoming: Incoming, name: str) -> tuple[Game, Seat]:
    """Find the game and seat that a short command (`Warten Eriwan`) means. Raises PlayerError."""
    game, _ = game_meant(incoming, name)
    seat = incoming.own_seat(game)
    if game.status == "open":
        raise PlayerError(say("NOT_STARTED", game=game.name))
    if game.status != "running":
        raise PlayerError(say("GAME_OVER", game=game.name))
    if not is_released(game_queries.current_turn(incoming.session, game)):
        raise PlayerError(say("WAITS_FOR_RELEASE", game=game.name, gm=gm_name(incoming.app)))
    return incoming.about(game), seat
