"""Whatever happens to games and players: only what has changed is written, and the site is as if all were new."""

import os
import random
import re
from collections import defaultdict
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import seating
import sqlalchemy as sa
from publishing import send_and_export
from sqlmodel import select

from games.api import Seat
from games.dice import Dice
from gm.archive.export import Exported
from gm.archive.list_data.games_by_status import GamesByStatus
from gm.archive.record.public_steps import last_known
from gm.demo.in_memory_zine import PLAYERS, Story, address_of
from gm.game import word_judge
from gm.game.people import lookup
from gm.game.people.name_changes import name_changes
from gm.game.position import position
from gm.requests.desk import actions, erasure, players
from gm.requests.desk.merging import merge
from gm.runtime.errors import GameFull, OperatorError
from gm.store.archive_tables import ArchivedGame, ArchivedScore, ArchivedWord
from gm.store.game_file import touch
from gm.store.queries import game_queries, seat_queries
from gm.store.tables import Game, Press, Turn

ANNA, BERND, CARLA, DORA, EMIL, FRIDA = PLAYERS
GUSTAV = "Gustav Hein"

Event = Callable[[Story, random.Random], None]


# -- what can happen ---------------------------------------------------------------------------------------------------


def some_game(story: Story, chance: random.Random, *statuses: str) -> Game:
    """Choose a game."""
    with story.app.database.read() as session:
        games = game_queries.games(session, statuses or game_queries.STATUSES)
    if not games:
        raise OperatorError("There is none.")
    return chance.choice(games)


def somebody(story: Story, chance: random.Random) -> str:
    """Choose a player who isn't forgotten."""
    with story.app.database.read() as session:
        return chance.choice([player.name for player in lookup.known(session) if player.name != "N. N."])


def open_a_game(story: Story, chance: random.Random) -> None:
    """Open a game and seat all whom it needs; often it starts."""
    kind = chance.choice(["crossword", "presto", "wort-yahtzee", "typ-dom", "combinato"])
    name = f"Partie{chance.choice('abcdefghijklmnopqrstuvwxyz')}{chance.randrange(1000)}"
    actions.new_game(story.app, kind, name)
    for player in chance.sample(PLAYERS, len(PLAYERS)):
        with suppress(OperatorError, GameFull):
            seating.join(story.app, name, player, address_of(player), chance.choice("ENRSTA"))
    if chance.random() < 0.8:
        actions.start(story.app, name)


def move_and_close(story: Story, chance: random.Random) -> None:
    """Let some seats move, one with a word that no list knows, and close the round."""
    game = some_game(story, chance, "running")
    with story.app.database.write() as session:
        row = session.get_one(Game, game.id)
        at, words = position(story.app, row), word_judge.judge(story.app, row)
        names = seat_queries.names(row)
        dice = Dice(str(chance.random()), 1)
        blocks = {names[seat]: at.engine.suggest(at.state, Seat(seat), dice, words)
                  for seat in at.engine.due(at.state) if seat in names and chance.random() < 0.8}  # fmt: skip
    for name, lines in blocks.items():
        with suppress(OperatorError):
            claims = _doubtful_claims(lines) if game.engine == "crossword" else ""
            actions.enter_move(story.app, game.name, name, "\n".join(lines) + claims)
    with suppress(OperatorError):
        actions.close(story.app, game.name, story.now)


def _doubtful_claims(lines: tuple[str, ...]) -> str:
    """Claim the longest run of letters of the first row: rarely a word."""
    rows = [line for line in lines if len(line) == 6 and ":" not in line]
    runs = re.findall(r"[A-Za-z]{2,}", rows[0]) if rows else []
    return f"\nZ1: {max(runs, key=len).lower()} 1" if runs else ""


def rule(story: Story, chance: random.Random) -> None:
    """Rule on what is doubtful, one way or the other; sometimes for the zine."""
    game = some_game(story, chance, "provisional", "finished")
    with story.app.database.read() as session:
        outcome = position(story.app, session.get_one(Game, game.id)).outcome
    words = outcome.doubtful if outcome and outcome.doubtful else ("NTIR",)
    actions.rule(story.app, game.name, words[:1], chance.random() < 0.5, "Duden", chance.random() < 0.3)


def take_back(story: Story, chance: random.Random) -> None:
    """Take the last closing back."""
    actions.undo(story.app, some_game(story, chance, "running", "provisional").name)


def bring_a_standby(story: Story, chance: random.Random) -> None:
    """Put a newcomer into a seat."""
    game = some_game(story, chance, "running")
    with story.app.database.read() as session:
        leaver = chance.choice(sorted(seat_queries.names(session.get_one(Game, game.id)).values()))
    number = chance.randrange(10_000)
    actions.standby(story.app, game.name, leaver, f"Neu Ling{number}", f"neu{number}@spieler.example")


def rename(story: Story, chance: random.Random) -> None:
    """Give a player another name."""
    players.rename(story.app, somebody(story, chance), f"Xaver Ypsilon{chance.randrange(1000)}")


def choose_a_form(story: Story, chance: random.Random) -> None:
    """Let a player say how much of the name is shown."""
    with story.app.database.write() as session, name_changes(session, story.app.settings):
        lookup.named(session, somebody(story, chance)).name_form = chance.choice(["full", "initial", ""])


def forget(story: Story, chance: random.Random) -> None:
    """Forget a player."""
    story.tick()
    erasure.forget(story.app, somebody(story, chance))


def merge_players(story: Story, chance: random.Random) -> None:
    """Find out that two players are one."""
    merge(story.app, somebody(story, chance), somebody(story, chance))


def break_off(story: Story, chance: random.Random) -> None:
    """End a game without a result."""
    actions.abort(story.app, some_game(story, chance, "open", "running").name, "niemand da")


def write_press(story: Story, chance: random.Random) -> None:
    """Let players and a spectator say something to all, with addresses and another's name in it."""
    game = some_game(story, chance, "open", "running")
    story.writes(GUSTAV, f"Beobachten {game.name}\n", sender="gustav@spieler.example")
    for name, sender in ((ANNA, address_of(ANNA)), (GUSTAV, "gustav@spieler.example")):
        said = f"Grüße an {chance.choice(PLAYERS)}, {chance.random()}, x@y.example"
        story.writes(name, f"Presse {game.name}\n{said}\nEnde\n", sender=sender)
    story.tick()


def release(story: Story, chance: random.Random) -> None:
    """Send a bulletin that waits, with a foreword that names somebody."""
    actions.release(story.app, some_game(story, chance).name, f"Dank an {somebody(story, chance)}!")


def pause(story: Story, chance: random.Random) -> None:
    """Stop a clock."""
    actions.pause(story.app, some_game(story, chance, "running").name, "3d")


def resume(story: Story, chance: random.Random) -> None:
    """Let a clock run again."""
    actions.resume(story.app, some_game(story, chance, "running").name)


def move_zat(story: Story, chance: random.Random) -> None:
    """Give a game more time."""
    actions.move_zat(story.app, some_game(story, chance, "running").name, f"+{chance.randrange(1, 9)}d")


def hold(story: Story, chance: random.Random) -> None:
    """Let a game stand still until the GM decides."""
    with story.app.database.write() as session:
        game = session.get_one(Game, some_game(story, chance, "running").id)
        game.held = "wait"
        session.add(game)


def time_passes(story: Story, chance: random.Random) -> None:
    """Let days go by: ZATs come, standbys are asked."""
    story.passes(days=chance.randrange(1, 20))
    story.tick()


EVENTS: tuple[Event, ...] = (
    move_and_close, move_and_close, move_and_close, open_a_game, rule, take_back, bring_a_standby, rename,
    choose_a_form, forget, break_off, write_press, release, release, pause, resume, move_zat, hold,
    time_passes, merge_players,
)  # fmt: skip


# -- how the site answers ----------------------------------------------------------------------------------------------


def tree(folder: Path) -> dict[str, bytes]:
    """Read all files but the stamp, whose mark is drawn by chance."""
    files = (path for path in folder.rglob("*") if path.is_file() and path.name != ".stamp.json")
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def touched(folder: Path) -> dict[str, tuple[int, int]]:
    """List all files and folders with inode and time of the last change."""
    found = {str(path.relative_to(folder)): path.stat() for path in (folder, *folder.rglob("*"))}
    return {path: (stat.st_ino, stat.st_mtime_ns) for path, stat in found.items()}


def difference(one: Mapping[str, bytes], other: Mapping[str, bytes]) -> list[str]:
    """Name the files that differ."""
    return sorted(path for path in one.keys() | other.keys() if one.get(path) != other.get(path))


def check(story: Story, folder: Path, what: str) -> set[str]:
    """Export what has changed; the site must be as if all were made anew. Returns what has changed."""
    before, when = tree(folder), touched(folder)
    done = send_and_export(story.app, folder)
    after, now = tree(folder), touched(folder)
    assert runs_as_steps_say(story), f"{what}: lists and steps differ"
    fresh = folder.with_name("fresh")
    send_and_export(story.app, fresh, full=True)
    assert difference(after, tree(fresh)) == [], f"{what}: not as if all were made anew"
    changed = set(difference(before, after))
    assert {path for path in after if when.get(path) != now[path]} == changed & after.keys(), f"{what}: rewritten"
    assert (send_and_export(story.app, folder), touched(folder)) == (Exported(), now), f"{what}: a second time"
    assert (done.finished, done.troubles) == (True, [])
    _remove(fresh)
    return changed


def runs_as_steps_say(story: Story) -> bool:
    """Return whether lists know how far games are, without a look at each game's steps."""
    with story.app.database.read() as session:
        running = GamesByStatus(session, defaultdict(str), story.app.settings).running
        steps = [(game, last_known(session, game.id)) for game in running]
    return all((step.round, step.since) == (game.round, game.known_since) for game, step in steps if step)


def _remove(folder: Path) -> None:
    for path in sorted(folder.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    folder.rmdir()


@pytest.fixture
def told(running: Callable[..., Story], tmp_path: Path) -> Callable[..., Story]:
    """Begin a story whose site is there already."""

    def begin(**more: Any) -> Story:
        story = running(**more)
        send_and_export(story.app, tmp_path / "site")
        return story

    return begin


@pytest.mark.trust
@pytest.mark.tampers  # answers to somebody who was forgotten are gone
@pytest.mark.parametrize("seed", range(3))
def test_any_sequence_of_events(seed: int, told: Callable[..., Story], tmp_path: Path) -> None:
    """After any events in any order the site is what a full export would write, and only what differs is written."""
    chance = random.Random(seed)
    story = told(more={"deadlines": {"release": "gm" if seed % 2 else "auto"}})
    happened: list[str] = []
    for event in (open_a_game, open_a_game, *chance.choices(EVENTS, k=16)):
        try:
            event(story, chance)
        except OperatorError:
            continue  # not now: nothing has happened
        happened.append(event.__name__)
        story.passes(minutes=1)
        check(story, tmp_path / "site", f"{seed}: {', '.join(happened)}")
    assert len(set(happened)) > 5


def game_named(story: Story, name: str) -> Game:
    """Find a game by name."""
    with story.app.database.read() as session:
        return game_queries.named(session, name)


def write_into(story: Story, table: Any, **values: Any) -> None:
    """Change the last row of a table about a game."""
    with story.app.database.write() as session:
        row = session.exec(select(table).order_by(table.id.desc())).first()
        for key, value in values.items():
            setattr(row, key, value)
        touch(session, session.get_one(Game, row.game_id))


def close_to_the_end(story: Story) -> None:
    """Play Eriwan to its end; in the last round somebody claims what no list knows."""
    while (game := game_named(story, "Eriwan")).status == "running":
        if game.round == 6:
            with story.app.database.read() as session:
                name = seat_queries.names(game_queries.named(session, "Eriwan"))[1]
            actions.enter_move(story.app, "Eriwan", name, "DNTIRO" + "\n......" * 5 + "\nZ1: ntir 4")
        actions.close(story.app, "Eriwan", story.now)
        story.passes(hours=1)


@pytest.mark.trust
def test_every_event_reaches_the_pages(told: Callable[..., Story], tmp_path: Path) -> None:
    """Each thing that pages show changes them when it changes: none is forgotten in a game's stamp."""
    story, chance, site = told(), random.Random(1), tmp_path / "site"

    def reached(event: Callable[[], Any]) -> set[str]:
        event()
        story.passes(minutes=1)
        return {path for path in check(story, site, str(event)) if path.endswith("partie.json")}

    eriwan = {"partien/eriwan/partie.json"}
    app = story.app
    write_press(story, chance)
    assert reached(lambda: actions.close(app, "Eriwan", story.now)) == eriwan
    assert b"x@y" not in (site / "partien/eriwan/partie.json").read_bytes()
    assert reached(lambda: write_into(story, Press, text="Anders.")) == eriwan
    assert reached(lambda: write_into(story, Turn, released_at=None, published_at=None)) == eriwan
    assert reached(lambda: write_into(story, Turn, released_at=story.now, published_at=story.now)) == eriwan
    assert reached(lambda: actions.move_zat(app, "Eriwan", "+2d")) == eriwan
    assert reached(lambda: actions.pause(app, "Eriwan", "3d")) == eriwan
    assert reached(lambda: actions.resume(app, "Eriwan")) == eriwan
    assert reached(lambda: hold(story, chance)) == eriwan
    assert reached(lambda: actions.undo(app, "Eriwan")) == eriwan
    assert reached(lambda: actions.standby(app, "Eriwan", BERND, "Hanna Ilm", "hanna@spieler.example")) == eriwan
    assert reached(lambda: players.rename(app, CARLA, "Zoe Dietz")) == eriwan
    story.tick()
    assert reached(lambda: actions.new_game(app, "presto", "Fiume")) == {"partien/fiume/partie.json"}
    assert reached(lambda: actions.abort(app, "Fiume", "nein")) == {"partien/fiume/partie.json"}
    assert reached(lambda: close_to_the_end(story)) == eriwan
    with app.database.read() as session:
        assert game_queries.named(session, "Eriwan").status == "provisional"
    assert reached(lambda: rule(story, chance)) == eriwan
    story.tick()
    assert reached(lambda: erasure.forget(app, DORA)) == eriwan


@pytest.mark.trust
def test_what_waits_for_the_gm_is_no_secret_of_the_archive(told: Callable[..., Story], tmp_path: Path) -> None:
    """A bulletin that waits for the GM is on no page; once released it is, with its foreword, but nobody forgotten."""
    story, site = told(more={"deadlines": {"release": "gm"}}), tmp_path / "site"
    page = site / "partien/eriwan/partie.json"
    before = page.read_bytes()
    actions.close(story.app, "Eriwan", story.now)
    check(story, site, "closed")
    then = page.read_bytes()
    assert b'"nr":1' not in then
    assert before.count(b'"nr"') == then.count(b'"nr"')
    actions.add_standby(story.app, "Otto Quast", "otto@spieler.example", None)
    actions.release(story.app, "Eriwan", "Otto Quast hat gezählt.")
    check(story, site, "released")
    assert "Otto Quast" in page.read_text()
    story.tick()
    erasure.forget(story.app, "Otto Quast")
    check(story, site, "forgotten")
    assert "Otto" not in "".join(content.decode() for content in tree(site).values())


@pytest.mark.trust
def test_extracts_are_those_of_the_pages(told: Callable[..., Story], tmp_path: Path) -> None:
    """Rows for tables and registers come with a result, go with it, and `--full` makes them again."""
    story, site = told(), tmp_path / "site"

    def rows() -> list[int]:
        with story.app.database.read() as session:
            return [len(session.exec(select(table)).all()) for table in (ArchivedGame, ArchivedScore, ArchivedWord)]

    assert rows() == [0, 0, 0]
    close_to_the_end(story)
    send_and_export(story.app, site)
    there = rows()
    assert there[:2] == [1, 6]
    with story.app.database.write() as session:
        for table in (ArchivedWord, ArchivedScore, ArchivedGame):
            session.execute(sa.delete(table))
    send_and_export(story.app, site, full=True)
    check(story, site, "lost")
    assert rows() == there
    actions.undo(story.app, "Eriwan")
    check(story, site, "undone")
    assert rows() == [0, 0, 0]


@pytest.mark.trust
def test_the_clock_is_in_no_page(told: Callable[..., Story], tmp_path: Path) -> None:
    """A year later, without any event, nothing is written."""
    story = told()
    actions.abort(story.app, "Eriwan", "aus")
    check(story, tmp_path / "site", "aborted")
    story.passes(days=365)
    os.sync()
    assert check(story, tmp_path / "site", "a year later") == set()


def test_steps_are_not_read_to_see_what_has_changed(told: Callable[..., Story], tmp_path: Path) -> None:
    """An export without news asks no question whose answer is longer than the games are many."""
    story = told()
    actions.abort(story.app, "Eriwan", "aus")
    send_and_export(story.app, tmp_path / "site")
    asked: list[str] = []
    sa.event.listen(story.app.database.engine, "before_cursor_execute", lambda *said: asked.append(said[2]))
    send_and_export(story.app, tmp_path / "site")
    assert asked
    assert not [statement for statement in asked if f"{Turn.__tablename__}.state" in statement]
