"""A pass reads only the games that are due, with the same results at the same time as if it read all of them."""

import random
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from typing import Any, Final, TypeAlias

import pytest
import seating
from sqlmodel import Session, col, select

from games.api import Seat as SeatNumber
from games.dice import Dice
from gm.app.pass_report import Report
from gm.demo.in_memory_zine import PLAYERS, Story, address_of
from gm.game import word_judge
from gm.game.people.name_changes import name_changes
from gm.game.position import position
from gm.requests.desk import actions
from gm.runtime.config.settings import load
from gm.runtime.errors import OperatorError
from gm.store.game_file import note_next_looks, touch
from gm.store.queries import game_queries, player_queries, seat_queries, zine_queries
from gm.store.tables import Game, Player, Question, Seat
from parsers.mime.message import read_mail

WORDS: Final = ("ROT", "TOR", "ORT", "RAST", "TAG", "RAR", "AST", "STERN", "NACHT", "RASEN")
GAMES: Final = {"Eriwan": "combinato", "Jakarta": "combinato", "Lima": "farbdomino"}
ANNA, BERND = PLAYERS[:2]
DEADLINES: Final = {"zat": "5d", "settle": "3h", "reminders": ["2d", "12h"], "hold": "6h", "vacation": "extend"}
NMR: Final = {"standby_after": 1, "standby_answer": "1d"}
STEPS, STORIES, ALL_STORIES = 30, 1, 100


class DueGamesZine(Story):
    """A zine of three games for two; with `looks_at_all` every game is due in each pass."""

    def __init__(self, folder: Path, *, looks_at_all: bool = False) -> None:
        """Two of them are the same to the byte: the secret and the seeds are."""
        self.looks_at_all = looks_at_all
        security = {"answers_per_hour": 10_000}
        super().__init__(folder, words=WORDS, more={"deadlines": DEADLINES, "nmr": NMR, "security": security})
        with self.app.database.write() as session:
            zine = zine_queries.zine(session)
            zine.secret, zine.incarnation = "11" * 32, "22" * 12
        for number, (name, kind) in enumerate(GAMES.items()):
            actions.new_game(self.app, kind, name)
            for player in PLAYERS[2 * number : 2 * number + 2]:
                seating.join(self.app, name, player, address_of(player), "")
            with self.app.database.write() as session:
                game_queries.named(session, name).seed = f"{number}" * 32
            actions.start(self.app, name)

    def tick(self, *, archive: bool = False) -> Report:
        """Do a pass."""
        if self.looks_at_all:
            with self.app.database.engine.begin() as connection:
                connection.exec_driver_sql("UPDATE game SET look_at = '1970-01-01 00:00:00.000000'")
        return super().tick(archive=archive)

    def standing(self) -> list[tuple[Any, ...]]:
        """Return how the games stand, and who sits there."""
        with self.app.database.read() as session:
            found = session.exec(select(Game).order_by(col(Game.id))).all()
            seats = session.exec(select(Seat.game_id, Seat.number, Seat.player_id, Seat.until).order_by(col(Seat.id)))
            games = [(one.name, one.status, one.round, one.turn, one.version, one.zat, one.held) for one in found]
            return [*games, *map(tuple, seats)]

    def game(self, name: str) -> Game:
        """Load a game."""
        with self.app.database.read() as session:
            return game_queries.named(session, name)

    def move(self, name: str, game_name: str) -> str:
        """Write a move of a player, or of the first seat where they have none to make."""
        with self.app.database.read() as session:
            game = game_queries.named(session, game_name)
            at = position(self.app, game)
            held = {session.get_one(Player, seat.player_id).name: seat for seat in seat_queries.seats(game)}
            seat = SeatNumber(held[name].number if name in held else 1)
            words = word_judge.judge(self.app, game)
            lines = at.engine.suggest(at.state, seat, Dice("zine", at.turn.number * 7 + seat), words)
            return "\n".join([f"{at.engine.rules.title} {game_name}", *lines, ""])


Step: TypeAlias = Callable[[DueGamesZine, random.Random], None]


def sends(zine: DueGamesZine, chance: random.Random) -> None:
    """Let somebody move."""
    name, game = chance.choice(PLAYERS), chance.choice(list(GAMES))
    if zine.game(game).status == "running":
        zine.writes(name, zine.move(name, game))


SAID: Final = (
    "Zurückziehen {}",
    "Fertig {}",
    "Warten {}",
    "Abmeldung {}",
    "Ersatzspieler",
    "Urlaub 8.11.2026 - 9.11.2026",
)


def says(zine: DueGamesZine, chance: random.Random) -> None:
    """Let somebody say one of the things that bear on clock or seats."""
    zine.writes(chance.choice(PLAYERS), chance.choice(SAID).format(chance.choice(list(GAMES))) + "\n")


def agrees(zine: DueGamesZine, chance: random.Random) -> None:
    """Let somebody agree to what they were asked last."""
    asked = [one for one in zine.outbox.letters if re.search(r"\bJa\b", read_mail(one.raw).text)]
    for letter in asked[-1:]:
        name = next((one for one in PLAYERS if address_of(one) == letter.recipient), None)
        if name:
            zine.writes(name, "Ja\n", in_reply_to=read_mail(letter.raw).message_id)


def passes(zine: DueGamesZine, chance: random.Random) -> None:
    """Let time pass: a few minutes, or days."""
    zine.passes(minutes=chance.choice((1, 30, 61, 181, 720, 1441, 2880, 4000)))


def decides(zine: DueGamesZine, chance: random.Random) -> None:
    """Let the GM do something about a clock or a seat."""
    name = chance.choice(list(GAMES))
    deeds: tuple[Callable[[], Any], ...] = (
        lambda: actions.move_zat(zine.app, name, "+1d"), lambda: actions.pause(zine.app, name, "2d"),
        lambda: actions.resume(zine.app, name), lambda: actions.close(zine.app, name, zine.now),
        lambda: actions.undo(zine.app, name), lambda: actions.play_on_without(zine.app, name, chance.choice(PLAYERS)),
        lambda: actions.add_standby(zine.app, "Gerda Hahn", "gerda@spieler.example", None),
    )  # fmt: skip
    with suppress(OperatorError):
        chance.choice(deeds)()


LIKELY: Final[tuple[Step, ...]] = (sends, sends, sends, says, agrees, passes, passes, passes, decides)


@pytest.mark.trust
def test_nothing_comes_later_or_earlier_than_if_all_games_were_looked_at(tmp_path: Path, at_full_length: bool) -> None:
    """Whatever players and GM do, each pass closes, reminds and asks what a look at every game would have."""
    for number in range(ALL_STORIES if at_full_length else STORIES):
        tell_twice(tmp_path / f"{number}", number)


def tell_twice(folder: Path, number: int) -> None:
    """Play the same story in two zines, and compare mails and games after each step."""
    zines = DueGamesZine(folder / "one"), DueGamesZine(folder / "all", looks_at_all=True)
    steps = random.Random(number).choices(LIKELY, k=STEPS)
    for at, step in enumerate(steps):
        for zine in zines:
            step(zine, random.Random(number * 1000 + at))
            zine.tick()
        one, other = (zine.mails() for zine in zines)
        assert [(to, mail.subject, mail.text) for to, mail in one] == [
            (to, mail.subject, mail.text) for to, mail in other
        ], (number, steps[: at + 1])
        assert zines[0].standing() == zines[1].standing()
    for zine in zines:
        zine.close()


# -- what makes a pass look --------------------------------------------------------------------------------------------


@pytest.fixture
def zine(tmp_path: Path) -> Iterator[DueGamesZine]:
    """A zine whose games wait for their time."""
    zine = DueGamesZine(tmp_path)
    zine.tick()
    zine.tick()
    yield zine
    zine.close()


@contextmanager
def written(zine: DueGamesZine) -> Iterator[Session]:
    """Write something."""
    with zine.app.database.write() as session:
        yield session


def waiting(zine: DueGamesZine) -> list[int]:
    """List the games that the next pass looks at."""
    with zine.app.database.read() as session:
        return list(game_queries.ids_to_check(session, zine.now))


def test_a_game_waits_for_its_first_reminder(zine: DueGamesZine) -> None:
    """With nothing on file the next look is when somebody has to be reminded, no later than the ZAT."""
    assert waiting(zine) == []
    games = [zine.game(name) for name in GAMES]
    assert [game.look_at for game in games] == [game.zat - timedelta(days=2) for game in games if game.zat]


def test_what_is_written_about_a_game_brings_the_next_look(zine: DueGamesZine) -> None:
    """A row about a game that is touched counts for it and for no other. That all are is seen in each test."""
    with written(zine) as session:
        game = game_queries.named(session, "Lima")
        session.add(Question(code="x", kind="late", game_id=game.id, created_at=zine.now))
        touch(session, game, Game.questions)
        assert [question.code for question in game.questions] == ["x"]
    assert waiting(zine) == [zine.game("Lima").id]
    zine.tick()
    zine.tick()
    assert waiting(zine) == []


def test_what_is_taken_back_as_a_whole_brings_nothing(zine: DueGamesZine) -> None:
    """A transaction that fails leaves no mark, not even for the next one."""
    with suppress(ZeroDivisionError), written(zine) as session:
        game_queries.named(session, "Eriwan").options = {"x": 1}
        session.flush()
        raise ZeroDivisionError
    with written(zine) as session:
        zine_queries.zine(session).clock = "y"
    assert waiting(zine) == []


def test_a_look_notes_nothing_about_a_game_that_was_written_since(zine: DueGamesZine) -> None:
    """Somebody writes while another process looks: the game is looked at once more."""
    seen = zine.game("Eriwan")
    with written(zine) as session:
        game_queries.named(session, "Eriwan").options = {"x": 1}
    with written(zine) as session:
        note_next_looks(session, [(seen.id, seen.last_write, None)])
    assert waiting(zine) == [seen.id]


def test_the_archive_hears_of_a_name(zine: DueGamesZine) -> None:
    """Another name shows the game anew and brings no look."""
    writes = {name: zine.game(name).last_write for name in GAMES}
    with written(zine) as session, name_changes(session, zine.app.settings):
        player = player_queries.player_named(session, ANNA)
        assert player
        player.name_form = "full"
    now = {name: zine.game(name).last_write for name in GAMES}
    assert {name for name in GAMES if now[name] != writes[name]} == {"Eriwan"}
    assert now["Eriwan"] > max(writes.values())
    assert waiting(zine) == []


def test_other_settings_look_at_all_games_once(zine: DueGamesZine, tmp_path: Path) -> None:
    """After a change of `settle` or of reminders the first pass does what is due by the new settings."""
    zine.writes(ANNA, zine.move(ANNA, "Eriwan"))
    zine.writes(BERND, zine.move(BERND, "Eriwan"))
    zine.tick()
    zine.tick()
    zine.passes(minutes=90)
    assert zine.tick().closed == []

    path = tmp_path / "config.toml"
    path.write_text(path.read_text(encoding="utf-8").replace('settle = "3h"', 'settle = "1h"'), encoding="utf-8")
    zine.app.close()
    zine.app = zine.open(load(path))
    assert zine.tick().closed == ["Eriwan"]
    zine.tick()
    assert waiting(zine) == []


def asked_to_stand_in(zine: DueGamesZine) -> list[str]:
    """Name the addresses that were offered the seat in Eriwan since the last look."""
    return [to for to, mail in zine.mails() if "Eriwan" in mail.subject and to in (GERDA, HANS)]


GERDA, HANS = "gerda@spieler.example", "hans@spieler.example"


def test_the_end_of_an_offer_brings_the_next_look(zine: DueGamesZine) -> None:
    """After a day without an answer the next standby is asked, though nothing else happens in the game."""
    actions.add_standby(zine.app, "Gerda Hahn", GERDA, None)
    actions.add_standby(zine.app, "Hans Iden", HANS, None)
    zine.writes(ANNA, "Abmeldung Eriwan\n")
    zine.tick()
    zine.tick()
    assert asked_to_stand_in(zine) == [GERDA]
    assert waiting(zine) == []
    zine.passes(days=1)
    assert waiting(zine) == [zine.game("Eriwan").id]
    zine.tick()
    assert asked_to_stand_in(zine) == [HANS]


def test_who_is_new_on_the_list_is_asked_at_once(zine: DueGamesZine) -> None:
    """A new standby brings a look at the games with a vacancy, and at no others."""
    zine.writes(ANNA, "Abmeldung Eriwan\n")
    zine.tick()
    zine.tick()
    actions.add_standby(zine.app, "Gerda Hahn", GERDA, None)
    assert waiting(zine) == [zine.game("Eriwan").id]
    zine.tick()
    assert asked_to_stand_in(zine) == [GERDA]


def test_the_end_of_a_pause_brings_the_next_look(zine: DueGamesZine) -> None:
    """A round with all moves in closes when the pause is over, long before its next reminder."""
    for name in (ANNA, BERND):
        zine.writes(name, zine.move(name, "Eriwan"))
    zine.tick()
    actions.pause(zine.app, "Eriwan", "1d")
    zine.tick()
    zine.tick()
    assert waiting(zine) == []
    zine.passes(days=1, seconds=2)
    assert zine.tick().closed == ["Eriwan"]


def test_moves_that_have_settled_bring_the_next_look(zine: DueGamesZine) -> None:
    """A round with all moves in closes when they have settled, in the very second."""
    for name in (ANNA, BERND):
        zine.writes(name, zine.move(name, "Eriwan"))
    zine.tick()
    zine.tick()
    due = zine.game("Eriwan").look_at
    assert due
    assert zine.now < due < zine.now + timedelta(hours=3)
    zine.now = due - timedelta(seconds=1)
    assert zine.tick().closed == []
    zine.now = due
    assert zine.tick().closed == ["Eriwan"]
