"""What a pass of the service looks at: no more than has changed, unless nobody can say what a site shows."""

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import seating
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st
from publishing import game_slugs, send_and_export

from gm.archive import export as exporting
from gm.archive import make_games, make_lists, manifest
from gm.archive.export import Exported
from gm.archive.manifest import Manifest
from gm.archive.record.fingerprints import changed_games
from gm.demo.in_memory_zine import PLAYERS, Story, address_of
from gm.desk import actions, players
from gm.desk.erasure import forget
from gm.players.shown_names import shown_names
from gm.players.site_directory import directory, game_page
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
    done = send_and_export(story.app, site, in_passing=True)
    assert done.finished
    return done


def close(story: Story, name: str = "Eriwan") -> None:
    """Close a round without a move."""
    actions.close(story.app, name, story.now)
    story.passes(seconds=30)


def tree(folder: Path) -> dict[str, bytes]:
    """Read all files but those on what the site was made from."""
    files = (path for path in folder.rglob("*") if path.is_file() and ".manifest" not in str(path))
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


def test_a_pass_without_news_goes_through_no_table(story: Story, tmp_path: Path) -> None:
    """Most passes find nothing new: they ask a few questions that an index answers, in a zine of any size."""
    asked: list[tuple[str, Any]] = []
    sa.event.listen(story.app.database.engine, "before_cursor_execute", lambda *said: asked.append(said[2:4]))
    assert exporting.export(story.app, tmp_path / "site", in_passing=True) == Exported()
    with closing(sqlite3.connect(story.config.with_name("gm.db"))) as connection:
        for statement, values in [one for one in asked if one[0].startswith("SELECT")]:
            plans = connection.execute(f"EXPLAIN QUERY PLAN {statement}", values).fetchall()
            assert not [plan for *_, plan in plans if "SCAN" in plan and "ix_game_changed" not in plan], statement
    assert 0 < len(asked) <= 6


def test_a_closing_looks_at_its_own_game_alone(story: Story, tmp_path: Path) -> None:
    """Another game that was changed behind everybody's back isn't seen in passing; `gm archive` sees it."""
    with closing(sqlite3.connect(story.config.with_name("gm.db"))) as connection:
        connection.execute("UPDATE game SET edits = edits + 1 WHERE name = 'Fiume'")
        connection.commit()
    close(story)
    assert show(story, tmp_path / "site").games == 1
    assert send_and_export(story.app, tmp_path / "site").games == 1
    assert show(story, tmp_path / "site") == Exported()


# -- who nobody can speak for ------------------------------------------------------------------------------------------


@pytest.mark.trust
def test_another_site_is_compared_as_a_whole(story: Story, tmp_path: Path) -> None:
    """What one site shows says nothing of another: each gets all that has happened, in whichever order."""
    site, other = tmp_path / "site", tmp_path / "other"
    show(story, other)
    for folder in (site, site, other, other, site):
        close(story)
        show(story, folder)
        assert tree(folder) == as_new(story, folder)
        send_and_export(story.app, other if folder == site else site)


def test_an_older_site_is_noticed(story: Story, tmp_path: Path) -> None:
    """Somebody puts a copy of the site back: the next pass brings it up to date, although no game has changed."""
    site, kept = tmp_path / "site", tmp_path / "kept"
    shutil.copytree(site, kept)
    close(story)
    show(story, site)
    put_back(kept, site)
    show(story, site)
    assert tree(site) == as_new(story, site)


@pytest.mark.trust
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


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize("events", [1, 2])
def test_a_death_before_it_is_noted(
    events: int, story: Story, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    """A process ends between the site and the note that games are shown: the next pass compares, and all is well."""

    def die(*_: object) -> None:
        raise KeyboardInterrupt

    site = tmp_path / "site"
    for _ in range(events):
        close(story)
        with monkeypatch.context() as patched:
            patched.setattr(exporting, "note_shown", die)
            with pytest.raises(KeyboardInterrupt):
                show(story, site)
    close(story, "Fiume")
    show(story, site)
    assert tree(site) == as_new(story, site)
    with story.app.database.read() as session:
        assert changed_games(session) == {}


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


@pytest.mark.trust
def test_a_damaged_part_costs_time_only(story: Story, tmp_path: Path) -> None:
    """Where one part of the notes on a site can't be read, or is missing, all is made anew."""
    site = tmp_path / "site"
    send_and_export(story.app, site, full=True)
    parts = sorted((site / ".manifest").iterdir())
    assert len(parts) > 4
    parts[0].write_bytes(b"{}")
    parts[1].unlink()
    close(story)
    show(story, site)
    assert tree(site) == as_new(story, site)


# -- long lists --------------------------------------------------------------------------------------------------------


@pytest.mark.trust
def test_long_lists_rest(story: Story, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a big zine a closing shows on the game's own pages at once, on long lists after a while; `gm archive` waits
    for nothing, and who is forgotten is gone everywhere at once."""
    monkeypatch.setattr(make_lists, "GAMES_A_MINUTE", 1)  # two games, two minutes
    site = tmp_path / "site"
    for _ in range(6):
        close(story)
        story.passes(minutes=2)
        show(story, site)
    assert tree(site) == as_new(story, site)
    close(story, "Fiume")
    show(story, site)
    assert (site / "partien/fiume/runde-1/index.html").exists()
    assert b"fiume/runde-1" in (site / "atom.xml").read_bytes()
    expected = as_new(story, site)
    late = {path for path, content in expected.items() if tree(site).get(path) != content}
    assert "partien/index.html" in late
    assert not [path for path in late if path.startswith(("partien/fiume", "partien/eriwan", "personen/"))]
    assert show(story, site) == Exported()
    story.passes(minutes=2)
    assert show(story, site).written == len(late)
    assert tree(site) == expected
    close(story, "Fiume")
    show(story, site)
    send_and_export(story.app, site)
    assert tree(site) == as_new(story, site)
    close(story, "Fiume")
    show(story, site)
    actions.abort(story.app, "Fiume", "niemand da")
    story.tick()
    forget(story.app, PLAYERS[0])
    show(story, site)
    assert tree(site) == as_new(story, site)
    assert not any(b"Anna" in content for content in tree(site).values())


@pytest.mark.trust
def test_a_clock_that_was_ahead_holds_no_list_up(story: Story, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A list that was made in the future, as it turns out, doesn't rest until then."""
    monkeypatch.setattr(make_lists, "GAMES_A_MINUTE", 1)
    site = tmp_path / "site"
    story.passes(days=30)
    close(story)
    show(story, site)
    story.now -= timedelta(days=30)
    close(story, "Fiume")
    show(story, site)
    assert tree(site) == as_new(story, site)


# -- notes and names ---------------------------------------------------------------------------------------------------

FOLDERS = st.sampled_from([f"g{number}" for number in range(40)])
STEPS = st.lists(st.tuples(st.sampled_from(["game", "no game", "page", "no page"]), FOLDERS, st.integers(0, 3)))


@given(st.lists(STEPS, min_size=1, max_size=4))
def test_notes_say_the_same_however_they_came_about(exports: list[list[tuple[str, str, int]]]) -> None:
    """Whatever comes and goes in several exports, the notes on a site are as if written at once, byte for byte."""
    games: dict[str, int] = {}
    pages: dict[str, int] = {}
    files: dict[str, bytes] = {}
    for steps in exports:
        found = Manifest.read(files[manifest.NAME], files.get) if files else Manifest("f")
        assert found is not None
        before = found.files()
        for what, name, number in steps:
            _do(found, games, pages, what, name, number)
        files |= found.written()
        files = {path: content for path, content in files.items() if path not in found.gone}
        fresh = Manifest("f")
        for name, number in games.items():
            fresh.note_game(name, str(number), _names(number))
        for path, number in pages.items():
            fresh.note(path, str(number))
        assert files == fresh.written()
        assert found.games() == {name: str(number) for name, number in games.items()}
        assert found.pages() == pages.keys()
        assert before - found.files() <= found.gone
        assert not found.gone & (found.files() | found.parts())


def _names(number: int) -> list[str]:
    return ["index.html", *(f"runde-{one}/index.html" for one in range(number))]


def _do(site: Manifest, games: dict[str, int], pages: dict[str, int], what: str, name: str, number: int) -> None:
    path = f"personen/{name}/index.html"
    if what == "game":
        site.note_game(name, str(number), _names(number))
        games[name] = number
    elif what == "no game":
        site.note_game(name, "", ())
        games.pop(name, None)
    elif what == "page":
        site.note(path, str(number))
        pages[path] = number
    else:
        site.drop(path)
        pages.pop(path, None)


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
            assert kept.cast.people == shown_names(session, story.app.settings)
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
            shown[names] = {person.name for person in directory(app, session).cast.people.values()}
    assert PLAYERS[0] in shown["full"]
    assert shown["full"].isdisjoint(shown["initial"])
