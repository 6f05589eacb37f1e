"""A zine whose players send what the engine suggests, and `play_everything`: games of every kind and status."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

import seating

from games.api import Seat as SeatNumber
from games.dice import Dice
from gm.demo.in_memory_zine import PLAYERS, Story
from gm.game import word_judge
from gm.game.position import position
from gm.requests.desk import actions
from gm.runtime.errors import Refused
from gm.store.queries import game_queries, seat_queries
from gm.store.tables import Player

BASE_URL = "https://postspiel.example/ds/"
NAMESAKE = "Anna Bär"
ODD = "Zoë „Z“ O'Neill-Łącka & <i>Söhne"
STANDBY = "Hans Igel"
SIX = ("Anna Berg", NAMESAKE, "Carla Dietz", "Dora Ems", ODD, "Frida Groß")
HOSTILE = (
    "<script>alert(1)</script> & \"Anführung\" 'einfach' </p></div></main>",
    "{{ 7 * 7 }} {% raw %} %s {0} &amp; &lt;b&gt; <!-- ]]> <img src=x onerror=alert(1)>",
    "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft" * 3,
    "W" * 300,
    "Schreibt an anna@spieler.example oder mailto:Bernd.Cordes@spieler.example, es eilt: https://boese.example/x?a=1&b=2",
    "Grüße aus Łódź, naïve Ärzte – 北京 🎲 »ß«",
)
WISHES = "DNTIRO"
MOST_STEPS = 200
OTHERS = {
    "typ-dom": ("Tokio", 2, ()), "point-typ-dom": ("Paris", 3, ()), "wort-yahtzee": ("Yokohama", 2, ()),
    "presto": ("Prag", 4, ("deals=1",)), "farbdomino": ("Faro", 3, ()), "wer-behaelt-recht": ("Riga", 2, ()),
    "combinato": ("Como", 2, ()), "combinato-zahlen": ("Zagreb", 2, ()),
}  # fmt: skip
"""The games of the other kinds: how they are called, and how many play."""


class PlayedZine(Story):
    """A zine whose players do what the game suggests."""

    def __init__(self, folder: Path, *, release: str = "auto", names: str = "initial") -> None:
        more = {"deadlines": {"close_early": False, "release": release}}
        super().__init__(folder, more={**more, "archive": {"base_url": BASE_URL, "names": names}})

    def opens(self, kind: str, name: str, *, language: str = "de", options: Sequence[str] = ()) -> None:
        """Open a game for sign-up."""
        actions.new_game(self.app, kind, name, language=language, options=options)
        with self.app.database.write() as session:
            game = game_queries.named(session, name)
            game.seed = f"{name:0<32}"  # the same game in every run
            session.add(game)

    def joins(self, name: str, cast: Sequence[str], wishes: str = "") -> None:
        """Seat players, one wish a seat where the game asks for it."""
        for seat, who in enumerate(cast):
            seating.join(self.app, name, who, self.address(who), wishes[seat] if wishes else None)

    def begins(self, kind: str, name: str, cast: Sequence[str], wishes: str = "", **more: Any) -> None:
        """Open a game, seat its players and start it."""
        self.opens(kind, name, **more)
        self.joins(name, cast, wishes)
        actions.start(self.app, name)
        self.tick()

    def begins_any(self, kind: str, name: str) -> None:
        """Begin a game of any kind with as many as it takes."""
        _, seats, options = OTHERS.get(kind, ("", 6, ()))
        self.begins(kind, name, PLAYERS[:seats], WISHES if kind == "crossword" else "", options=options)

    def address(self, who: str) -> str:
        """Give players addresses in which nothing of their name is left."""
        return f"{re.sub('[^a-z]', '', who.lower())}.geheim@spieler.example"

    def says(self, who: str, name: str, *lines: str) -> None:
        """Let somebody write press."""
        text = "\n".join([f"Presse {name}:", *lines, "Ende", ""])
        self.writes(who, text, sender=self.address(who), message_id=f"<{self.now:%m%d%H%M%S}@spieler.example>")
        self.tick()

    def plays(
        self, name: str, rounds: int = MOST_STEPS, *, but: Collection[str] = (), claims: bool = False, days: float = 0
    ) -> None:  # fmt: skip
        """Let everybody who owes a move send one, and close when all have, until the game is over or so often."""
        for _ in range(rounds):
            if not self._moves(name, but, claims):
                return
            self.passes(days=days, minutes=20)
            self.tick()

    def due(self, name: str) -> list[str]:
        """Name who owes a move, seat by seat."""
        return [self._holder(name, seat) for seat in self._position(name)[1]]

    def _moves(self, name: str, but: Collection[str], claims: bool) -> bool:
        before, due = self._position(name)
        for seat in due:
            if (who := self._holder(name, seat)) not in but and not self._sends(name, seat, who, claims):
                break
            if self._position(name)[0] != before:
                return True
        if due:
            actions.close(self.app, name, self.app.now())
        return bool(due)

    def _position(self, name: str) -> tuple[tuple[Any, ...], list[int]]:
        with self.app.database.read() as session:
            game = game_queries.named(session, name)
            at = position(self.app, game)
            due = at.engine.due(at.state) if game.status == "running" else ()
            return (game.turn, game.version, game.status), sorted(due)

    def _holder(self, name: str, seat: int) -> str:
        with self.app.database.read() as session:
            held = [one for one in seat_queries.seats(game_queries.named(session, name)) if one.number == seat]
            return session.get_one(Player, held[0].player_id).name

    def _sends(self, name: str, seat: int, who: str, claims: bool) -> bool:
        """File what the game suggests; False where it has no idea, or the GM would have to rule first."""
        with self.app.database.read() as session:
            game = game_queries.named(session, name)
            at, words = position(self.app, game), word_judge.judge(self.app, game)
            lines = at.engine.suggest(at.state, SeatNumber(seat), Dice(f"{name}/{seat}", at.turn.number), words)
            stand = [line for line in at.engine.view(at.state, SeatNumber(seat)).block[:1] if line.startswith("Stand")]
        if claims and seat > 1:
            lines = _with_claims(lines)
        try:
            block = "\n".join([f"{at.engine.rules.title} {name}", *stand, *lines])
            if lines:
                actions.enter_move(self.app, name, who, block)
        except Refused:
            return False
        return bool(lines)

    def doubtful(self, name: str) -> tuple[str, ...]:
        """Name the words that wait for the GM."""
        with self.app.database.read() as session:
            at = position(self.app, game_queries.named(session, name))
            outcome = at.engine.outcome(at.state)
            return outcome.doubtful if outcome else ()


def _with_claims(lines: Sequence[str]) -> tuple[str, ...]:
    """Claim three letters of each row that stand together: no list knows them."""
    rows = [line for line in lines if re.fullmatch("[A-Za-z.]{6}", line)][:6]
    threes = [(number, re.search("[a-z]{3}", row.lower())) for number, row in enumerate(rows, 1)]
    return (*rows, *(f"Z{number}: {three[0]} 7" for number, three in threes if three), "Summe 99")


def play_everything(zine: PlayedZine) -> None:
    """Play everything that a page can be about."""
    _play_english_game(zine)
    _play_finished_game(zine)
    _play_provisional_game(zine)
    play_running_games(zine)
    open_unplayed_games(zine)
    for kind, (name, seats, options) in OTHERS.items():
        zine.begins(kind, name, PLAYERS[:seats], options=options)
        zine.plays(name)
    zine.tick()


def _play_english_game(zine: PlayedZine) -> None:
    """Oslo speaks English and takes its time, as it is shown in README."""
    zine.begins("crossword", "Oslo", PLAYERS, WISHES, language="en")
    zine.says("Anna Berg", "Oslo", "Nice & easy.")
    zine.plays("Oslo", days=12)


def _play_finished_game(zine: PlayedZine) -> None:
    """Eriwan: press that would like to be more than text, a standby, an NMR, words that were struck."""
    zine.begins("crossword", "Eriwan", SIX, WISHES)
    zine.says("Anna Berg", "Eriwan", *HOSTILE)
    zine.plays("Eriwan", 1)
    zine.plays("Eriwan", 1, but=["Dora Ems", ODD])
    zine.says(ODD, "Eriwan", "Ich war verreist.")
    actions.standby(zine.app, "Eriwan", "Frida Groß", STANDBY, zine.address(STANDBY))
    zine.plays("Eriwan", 3)
    zine.plays("Eriwan", 1, claims=True)
    doubtful = zine.doubtful("Eriwan")
    actions.rule(zine.app, "Eriwan", doubtful[1:], False, 'Eigenname <u>& "so"</u>, fragt gm@postspiel.example', False)
    actions.rule(zine.app, "Eriwan", doubtful[:1], True, "", False)


def _play_provisional_game(zine: PlayedZine) -> None:
    """Havanna: only two ever move, and words wait for the GM."""
    zine.begins("crossword", "Havanna", PLAYERS, WISHES)
    zine.plays("Havanna", 5, but=PLAYERS[2:])
    zine.plays("Havanna", 1, but=PLAYERS[2:], claims=True)
    assert zine.doubtful("Havanna")


def play_running_games(zine: PlayedZine) -> None:
    """Isfahan and Yerba are being played; what lies on the table in Isfahan isn't known yet."""
    zine.begins("crossword", "Isfahan", SIX, "EEEEEE")
    zine.plays("Isfahan", 2)
    zine.says(NAMESAKE, "Isfahan", "Geheim bis zur Auswertung.")
    zine.begins("typ-dom", "Yerba", ("Anna Berg", NAMESAKE))
    zine.plays("Yerba", 3)


def open_unplayed_games(zine: PlayedZine) -> None:
    """Jakarta seeks players; Kairo was broken off after a round; Lima before it began."""
    for name in ("Jakarta", "Lima"):
        zine.opens("crossword", name)
        zine.joins(name, PLAYERS[:2], "AB")
    zine.begins("crossword", "Kairo", PLAYERS, WISHES)
    zine.plays("Kairo", 1)
    for name in ("Kairo", "Lima"):
        actions.abort(zine.app, name, "Zu wenige <b>Züge</b>.")
