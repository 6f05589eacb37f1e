"""One archive with a bit of everything in it, played and written by the real parts: see `tell`."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from exports import export

from games.api import Seat as SeatNumber
from games.dice import Dice
from gm.archive.record.record import Record, from_json
from gm.commands.gm_commands import actions
from gm.demo.in_memory_zine import PLAYERS, Story
from gm.game import word_judge
from gm.game.position import position
from gm.runtime.config.settings import load
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


@dataclass(frozen=True, kw_only=True)
class Archive:
    """A site, the same without a `base_url`, and who plays there: full names by address."""

    folder: Path
    bare: Path
    players: dict[str, str]

    @cached_property
    def pages(self) -> tuple[str, ...]:
        """All pages, by path."""
        return self.files("html")

    @cached_property
    def samples(self) -> tuple[str, ...]:
        """One page of each kind, game, status and language: of those alike the longest."""
        games = {record.slug: (record.kind, record.status, record.language) for record in self.records}
        longest: dict[Any, tuple[int, str]] = {}
        for path in self.pages:
            parts = path.split("/")
            shape = re.sub(r"(?<=-)\d+", "", parts[-2]) if parts[0] == "partien" and len(parts) > 3 else ""
            about = games.get(parts[1]) if len(parts) > 1 else None
            kind = (parts[0], len(parts), shape, about, re.search('<html lang="(..)"', self.text(path)))
            key = (*kind[:4], kind[4] and kind[4][1])
            longest[key] = max(longest.get(key, (0, "")), (len(self.text(path)), path))
        return tuple(sorted(path for _, path in longest.values()))

    @cached_property
    def few(self) -> tuple[str, ...]:
        """Of the samples those that a slow look is worth: of the boards of each kind only a round's page."""
        prints = [path for path in self.samples if path.endswith("/druck/index.html")]
        games = {f"partien/{name.lower()}/index.html" for name, *_ in OTHERS.values() if name not in ("Como", "Riga")}
        least = min(prints, key=lambda path: len(self.text(path)))
        return tuple(path for path in self.samples if path == least or path not in games.union(prints))

    @cached_property
    def colourful(self) -> tuple[str, ...]:
        """Of the samples those that have all colours: of games the last round of each kind, and one game page."""
        games = ["Eriwan", *(name for name, *_ in OTHERS.values())]
        rounds = tuple(f"partien/{name.lower()}/runde-" for name in games)
        others = (path for path in self.samples if not path.startswith("partien/") or path.startswith(rounds))
        return ("partien/eriwan/index.html", *others)

    def files(self, ending: str) -> tuple[str, ...]:
        """All files of a kind, by path."""
        return tuple(sorted(str(path.relative_to(self.folder)) for path in self.folder.rglob(f"*.{ending}")))

    def text(self, path: str) -> str:
        """Read a file."""
        return (self.folder / path).read_text(encoding="utf-8")

    def record(self, game: str) -> Record:
        """Read what the site tells of a game."""
        return from_json((self.folder / "partien" / game.lower() / "partie.json").read_bytes())

    @cached_property
    def records(self) -> tuple[Record, ...]:
        """What the site tells of all games."""
        return tuple(from_json(path.read_bytes()) for path in sorted(self.folder.glob("partien/*/partie.json")))


class House(Story):
    """A zine whose players do what the game suggests."""

    def __init__(self, folder: Path, *, release: str = "auto", names: str = "initial") -> None:
        more = {"deadlines": {"close_early": False, "release": release}}
        super().__init__(folder, more={**more, "archive": {"base_url": BASE_URL, "names": names}})

    def opens(self, kind: str, name: str, *, language: str = "de", options: Sequence[str] = ()) -> None:
        """Open a game for sign-up."""
        actions.new_game(self.app, kind, name, language=language, options=options)
        with self.app.database.write() as session:
            game = actions.named(session, name)
            game.seed = f"{name:0<32}"  # the same game in every run
            session.add(game)

    def joins(self, name: str, cast: Sequence[str], wishes: str = "") -> None:
        """Seat players, one wish a seat where the game asks for it."""
        for seat, who in enumerate(cast):
            actions.join(self.app, name, who, self.address(who), wishes[seat] if wishes else None)

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
            game = actions.named(session, name)
            at = position(self.app, session, game)
            due = at.engine.due(at.state) if game.status == "running" else ()
            return (game.turn, game.version, game.status), sorted(due)

    def _holder(self, name: str, seat: int) -> str:
        with self.app.database.read() as session:
            held = [one for one in seat_queries.seats(session, actions.named(session, name)) if one.number == seat]
            return session.get_one(Player, held[0].player_id).name

    def _sends(self, name: str, seat: int, who: str, claims: bool) -> bool:
        """File what the game suggests; False where it has no idea, or the GM would have to rule first."""
        with self.app.database.read() as session:
            game = actions.named(session, name)
            at, words = position(self.app, session, game), word_judge.judge(self.app, session, game)
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
            at = position(self.app, session, actions.named(session, name))
            outcome = at.engine.outcome(at.state)
            return outcome.doubtful if outcome else ()


def _with_claims(lines: Sequence[str]) -> tuple[str, ...]:
    """Claim three letters of each row that stand together: no list knows them."""
    rows = [line for line in lines if re.fullmatch("[A-Za-z.]{6}", line)][:6]
    threes = [(number, re.search("[a-z]{3}", row.lower())) for number, row in enumerate(rows, 1)]
    return (*rows, *(f"Z{number}: {three[0]} 7" for number, three in threes if three), "Summe 99")


def tell(house: House) -> None:
    """Play everything that a page can be about."""
    _english(house)
    _finished(house)
    _provisional(house)
    _running(house)
    _not_played(house)
    for kind, (name, seats, options) in OTHERS.items():
        house.begins(kind, name, PLAYERS[:seats], options=options)
        house.plays(name)
    house.tick()


def _english(house: House) -> None:
    """Oslo speaks English and takes its time, as it is shown in README."""
    house.begins("crossword", "Oslo", PLAYERS, WISHES, language="en")
    house.says("Anna Berg", "Oslo", "Nice & easy.")
    house.plays("Oslo", days=12)


def _finished(house: House) -> None:
    """Eriwan: press that would like to be more than text, a standby, an NMR, words that were struck."""
    house.begins("crossword", "Eriwan", SIX, WISHES)
    house.says("Anna Berg", "Eriwan", *HOSTILE)
    house.plays("Eriwan", 1)
    house.plays("Eriwan", 1, but=["Dora Ems", ODD])
    house.says(ODD, "Eriwan", "Ich war verreist.")
    actions.standby(house.app, "Eriwan", "Frida Groß", STANDBY, house.address(STANDBY))
    house.plays("Eriwan", 3)
    house.plays("Eriwan", 1, claims=True)
    doubtful = house.doubtful("Eriwan")
    actions.rule(house.app, "Eriwan", doubtful[1:], False, 'Eigenname <u>& "so"</u>, fragt gm@postspiel.example', False)
    actions.rule(house.app, "Eriwan", doubtful[:1], True, "", False)


def _provisional(house: House) -> None:
    """Havanna: only two ever move, and words wait for the GM."""
    house.begins("crossword", "Havanna", PLAYERS, WISHES)
    house.plays("Havanna", 5, but=PLAYERS[2:])
    house.plays("Havanna", 1, but=PLAYERS[2:], claims=True)
    assert house.doubtful("Havanna")


def _running(house: House) -> None:
    """Isfahan and Yerba are being played; what lies on the table in Isfahan isn't known yet."""
    house.begins("crossword", "Isfahan", SIX, "EEEEEE")
    house.plays("Isfahan", 2)
    house.says(NAMESAKE, "Isfahan", "Geheim bis zur Auswertung.")
    house.begins("typ-dom", "Yerba", ("Anna Berg", NAMESAKE))
    house.plays("Yerba", 3)


def _not_played(house: House) -> None:
    """Jakarta seeks players; Kairo was broken off after a round; Lima before it began."""
    for name in ("Jakarta", "Lima"):
        house.opens("crossword", name)
        house.joins(name, PLAYERS[:2], "AB")
    house.begins("crossword", "Kairo", PLAYERS, WISHES)
    house.plays("Kairo", 1)
    for name in ("Kairo", "Lima"):
        actions.abort(house.app, name, "Zu wenige <b>Züge</b>.")


@pytest.fixture
def new_house(tmp_path: Path) -> Iterator[Callable[..., House]]:
    """Begin a zine of its own: `new_house(release="gm")`."""
    houses: list[House] = []

    def begin(**more: Any) -> House:
        houses.append(house := House(tmp_path / "house", **more))
        return house

    yield begin
    for house in houses:
        house.close()


@pytest.fixture(scope="session")
def site(made_once: Callable[..., Path]) -> Archive:
    """The archive of everything."""
    shared = made_once("archive", _build)
    players = json.loads((shared / "players.json").read_text(encoding="utf-8"))
    return Archive(folder=shared / "site", bare=shared / "bare", players=players)


@pytest.fixture(scope="module")
def web(site: Archive, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The site over HTTP on loopback, below /ds as in its `base_url`."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    root = tmp_path_factory.mktemp("web")
    (root / "ds").symlink_to(site.folder)
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(root)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}/ds"
    server.shutdown()
    server.server_close()


def _build(folder: Path) -> None:
    house = House(folder / "house")
    try:
        tell(house)
        export(house.app, folder / "site")
        with house.app.database.read() as session:
            found = {house.address(player.name): player.name for player in session.exec(game_queries.select(Player))}
    finally:
        house.close()
    _build_bare(house, folder / "bare")
    (folder / "players.json").write_text(json.dumps(found), encoding="utf-8")


def _build_bare(house: House, folder: Path) -> None:
    """Export without an address on the web."""
    text = house.config.read_text(encoding="utf-8")
    house.config.write_text(text.replace(BASE_URL, ""), encoding="utf-8")
    app = house.open(load(house.config))
    try:
        export(app, folder)
    finally:
        app.close()
