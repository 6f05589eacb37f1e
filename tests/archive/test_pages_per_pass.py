"""What a pass of the service looks at: the games that were written about, and the lists that are due."""

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import seating
import sqlalchemy as sa
from copied_games import copy_games
from publishing import game_slugs, send_all, send_and_export

from gm.archive import export as exporting
from gm.archive import make_games
from gm.archive.export import Exported
from gm.demo.in_memory_zine import PLAYERS, Story, address_of
from gm.game.people.shown_names import shown_names
from gm.game.people.site_directory import directory, game_page
from gm.requests.desk import actions, players
from gm.runtime.stop_signal import Stopped
from gm.store.queries import game_queries

Begin = Callable[..., Story]


@pytest.fixture
def story(running: Begin, tmp_path: Path) -> Story:
    """A zine with two games that run, and a site that a pass has written."""
    begun = running()
    actions.new_game(begun.app, "crossword", "Fiume")
    for name, wish in zip(PLAYERS, "ENRSTA", strict=True):
        seating.join(begun.app, "Fiume", name, address_of(name), wish)
    actions.start(begun.app, "Fiume")
    show(begun, tmp_path / "site")
    return begun


def show(story: Story, site: Path) -> Exported:
    """Do what a pass does."""
    done = send_and_export(story.app, site)
    assert done.finished
    return done


def close(story: Story, name: str = "Eriwan") -> None:
    """Close a round without a move."""
    actions.close(story.app, name, story.now)
    story.passes(seconds=30)


def tree(folder: Path) -> dict[str, bytes]:
    """Read all files but the stamp, whose mark is drawn by chance."""
    files = (path for path in folder.rglob("*") if path.is_file() and path.name != ".stamp.json")
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def as_new(story: Story, site: Path) -> dict[str, bytes]:
    """Say what a full export into a new folder gives."""
    fresh = site.with_name("as new")
    send_and_export(story.app, fresh, full=True)
    found = tree(fresh)
    shutil.rmtree(fresh)
    return found


def put_back(kept: Path, place: Path) -> None:
    """Put a copy of a folder in place of it."""
    shutil.rmtree(place)
    shutil.copytree(kept, place)


# -- what it costs -----------------------------------------------------------------------------------------------------


@pytest.mark.sqlite
def test_a_pass_without_news_goes_through_no_table(story: Story, tmp_path: Path) -> None:
    """Most passes find nothing new: they ask a few questions that an index answers, in a zine of any size."""
    asked: list[tuple[str, Any]] = []
    sa.event.listen(story.app.database.engine, "before_cursor_execute", lambda *said: asked.append(said[2:4]))
    assert exporting.export(story.app, tmp_path / "site") == Exported()
    with closing(sqlite3.connect(story.config.with_name("gm.db"))) as connection:
        for statement, values in [one for one in asked if one[0].startswith("SELECT")]:
            plans = connection.execute(f"EXPLAIN QUERY PLAN {statement}", values).fetchall()
            assert not [plan for *_, plan in plans if "SCAN" in plan], statement
    assert 0 < len(asked) <= 4


def written_by(story: Story, site: Path) -> set[str]:
    """Bring the site up to date; returns the files that were replaced."""
    before = {path: path.stat().st_ino for path in site.rglob("*") if path.is_file()}
    show(story, site)
    after = {path: path.stat().st_ino for path in site.rglob("*") if path.is_file()}
    return {str(path.relative_to(site)) for path in after if before.get(path) != after[path]}


def test_a_closing_looks_at_its_own_game_alone(story: Story, tmp_path: Path) -> None:
    """A closed round makes its game's pages and the lists that say how far games are. Nothing else is even read."""
    site = tmp_path / "site"
    (site / "personen/anna-b/index.html").write_text("not looked at")
    (site / "partien/fiume/index.html").write_text("not looked at")
    close(story)
    assert written_by(story, site) == {
        ".stamp.json", "atom.xml", "index.html", "index.json", "partien/index.html", "partien/eriwan/index.html",
        "partien/eriwan/partie.json", "partien/eriwan/partie.txt", "partien/eriwan/runde-0/index.html",
        "partien/eriwan/runde-1/index.html", "termine/index.html", "termine/termine.ics",
        *(f"personen/{name}/termine.ics" for name in ("anna-b", "bernd-c", "carla-d", "dora-e", "emil-f", "frida-g")),
    }  # fmt: skip
    assert show(story, site) == Exported()


@pytest.mark.trust
@pytest.mark.sqlite
def test_a_closing_costs_the_same_among_more_games(story: Story, tmp_path: Path) -> None:
    """A closed round takes as many statements with sixty more finished games, and replaces as many files."""
    while story_round(story) <= 6:
        close(story)
    send_all(story.app)
    costs = []
    for copies in (0, 60):
        if copies:
            copy_games(story.config.with_name("gm.db"), games=copies)
        show(story, tmp_path / "site")
        close(story, "Fiume")
        send_all(story.app)
        statements: list[str] = []
        note = partial(_note, statements)
        sa.event.listen(story.app.database.engine, "before_cursor_execute", note)
        done = exporting.export(story.app, tmp_path / "site")
        sa.event.remove(story.app.database.engine, "before_cursor_execute", note)
        costs.append((done.games, len(statements), done.written))
    (games, asked, written), (again, asked_again, written_again) = costs
    assert games == again == 1
    assert asked_again <= asked + 1, "the results below those with a board are asked for where there are any"
    assert written_again == written


def _note(asked: list[str], *said: Any) -> None:
    asked.append(said[2])


def story_round(story: Story) -> int:
    """Say how far Eriwan is; 7 when it is over."""
    with story.app.database.read() as session:
        game = game_queries.named(session, "Eriwan")
        return 7 if game.status != "running" else game.round


# -- who nobody can speak for ------------------------------------------------------------------------------------------


@pytest.mark.trust
def test_each_site_knows_how_far_it_is(story: Story, tmp_path: Path) -> None:
    """What one site shows says nothing of another: each gets all that has happened, in whichever order."""
    site, other = tmp_path / "site", tmp_path / "other"
    show(story, other)
    for folder in (site, site, other, other, site):
        close(story)
        assert show(story, folder).games == 1 or folder == other
        assert tree(folder) == as_new(story, folder)


def test_an_older_site_is_noticed(story: Story, tmp_path: Path) -> None:
    """Somebody puts a copy of the site back: the next pass makes what has happened since, although nothing is new."""
    site, kept = tmp_path / "site", tmp_path / "kept"
    shutil.copytree(site, kept)
    close(story)
    show(story, site)
    put_back(kept, site)
    show(story, site)
    assert tree(site) == as_new(story, site)


@pytest.mark.trust
@pytest.mark.sqlite
def test_an_older_database_is_noticed(story: Story, tmp_path: Path) -> None:
    """A backup of the database comes back: what the site shows of later rounds goes."""
    site, file = tmp_path / "site", story.config.with_name("gm.db")
    with closing(sqlite3.connect(file)) as connection, closing(sqlite3.connect(tmp_path / "kept.db")) as kept:
        connection.backup(kept)
    close(story)
    players.rename(story.app, PLAYERS[0], "Zoe Xander")
    show(story, site)
    story.app.database.close()
    for path in file.parent.glob("gm.db-*"):
        path.unlink()
    shutil.copy(tmp_path / "kept.db", file)
    show(story, site)
    assert not (site / "partien/eriwan/runde-1").exists()
    assert tree(site) == as_new(story, site)


@pytest.mark.trust
def test_a_game_that_cannot_be_told_is_tried_again(
    story: Story, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    """Each pass tries again until it works, also where another export has met with the trouble."""
    site = tmp_path / "site"

    def broken(*_: object) -> None:
        raise ZeroDivisionError

    with monkeypatch.context() as patched:
        patched.setattr(make_games, "build_record", broken)
        assert len(send_and_export(story.app, site, full=True).troubles) == 2
        assert len(show(story, site).troubles) == 2
    assert show(story, site).games == 2
    assert tree(site) == as_new(story, site)


# -- names -------------------------------------------------------------------------------------------------------------


def test_names_that_are_kept_are_those_of_a_new_look(running: Begin) -> None:
    """A new player's name is as if all names were made anew, also after a rename; a game's page is known at once."""
    story = running(more={"archive": {"base_url": "https://zine.example/"}})
    for number, name in enumerate(("Anna Braun", "Anna Busch", "Dora Ernst", "Änne Berg")):
        actions.add_standby(story.app, name, f"neu{number}@spieler.example", None)
        if number == 2:
            players.rename(story.app, "Anna Busch", "Otto Busch")
        actions.new_game(story.app, "presto", f"Ulm{'-' * number}x")
        with story.app.database.read() as session:
            kept = directory(story.app, session)
            assert kept.people == shown_names(session, story.app.settings)
            assert kept.slugs == game_slugs(session)
            game = game_queries.named(session, f"Ulm{'-' * number}x")
            assert game_page(story.app, game) == f"https://zine.example/partien/{kept.slugs[game.id]}/"


def test_names_of_what_was_taken_back_are_forgotten(story: Story) -> None:
    """A name that was seen in a transaction which never was is none: the next look is as if all were made anew."""
    with suppress(Stopped), story.app.database.write() as session:
        game_queries.named(session, "Fiume").name = "Triest"
        session.flush()
        assert "triest" in directory(story.app, session).slugs.values()
        raise Stopped
    with story.app.database.read() as session:
        assert directory(story.app, session).slugs == game_slugs(session)


def test_names_follow_the_settings(story: Story) -> None:
    """Where `[archive] names` is another one, a process that knows the players shows them by the new form at once."""
    shown = {}
    for names in ("full", "initial"):
        archive = story.app.settings.archive.model_copy(update={"names": names})
        app = replace(story.app, settings=story.app.settings.model_copy(update={"archive": archive}))
        with app.database.read() as session:
            shown[names] = {person.name for person in directory(app, session).people.values()}
    assert PLAYERS[0] in shown["full"]
    assert shown["full"].isdisjoint(shown["initial"])
