"""`gm archive`: what it prints, what it refuses, and what a GM sees of a long export."""

import pytest

from gm.requests.desk import actions
from gm.runtime.file_lock import FileLock
from gm.store.queries import game_queries
from gm.store.tables import Game


def test_a_site_is_written(running, tmp_path):
    """The first export writes all pages, the next one none, `--full` checks every game; each prints one line."""
    site = tmp_path / "site"
    first = running("archive", str(site)).out
    assert first.startswith(f"{site}: games looked at: 1, ")
    assert first.endswith(", deleted: 0.\n")
    assert (site / "index.html").is_file()
    assert running("archive", str(site)).out == f"{site}: games looked at: 0, files written: 0, deleted: 0.\n"
    assert running("archive", str(site), "--full").out == f"{site}: games looked at: 1, files written: 0, deleted: 0.\n"


def test_what_is_refused(running, tmp_path):
    """A file, somebody else's folder, a folder that another process writes: a sentence with the mend."""
    (tmp_path / "file").write_text("x")
    assert "is a file" in running.refused("archive", str(tmp_path / "file"))
    (tmp_path / "full").mkdir()
    (tmp_path / "full/letter.txt").write_text("x")
    assert "name an empty folder" in running.refused("archive", str(tmp_path / "full"))
    site = tmp_path / "site"
    running("archive", str(site))
    other = FileLock(site / ".lock")
    assert other.take()
    assert "Another gm is writing" in running.refused("archive", str(site))
    other.release()


def test_a_game_that_cant_be_told(running, tmp_path):
    """The others are written, then a sentence says which game was not and why; exit code 1."""
    site = tmp_path / "site"
    with running.app() as app:
        actions.new_game(app, "presto", "Fiume")
        with app.database.write() as session:
            session.get_one(Game, game_queries.named(session, "Eriwan").id).engine = "kegeln"
    ran = running.run("archive", str(site), "--config", str(running.config))
    assert ran.code == 1
    assert "games looked at: 2" in ran.out
    assert ran.err.startswith("gm: The pages of Eriwan can't be made anew: The game 'kegeln' is not installed here")
    assert len(ran.err.splitlines()) == 1
    assert (site / "partien/fiume/index.html").is_file()


@pytest.mark.trust
def test_progress_on_a_terminal(running, terminal, tmp_path):
    """On a terminal a bar says how far it is, and is gone at the end."""
    with running.app() as app:
        for number in range(3):
            actions.new_game(app, "presto", f"Fiume{number}")
    screen = terminal("archive", str(tmp_path / "site"), "--config", str(running.config))
    screen.sees("Writing games")
    screen.sees("games looked at: 4")
    assert screen.ends() == 0


@pytest.mark.trust(except_first=2)
@pytest.mark.parametrize("kind", ["a file", "full", "ours", "none"])
def test_doctor_looks_at_the_folder(kind, running, tmp_path):
    """`gm doctor` finds a file or other people's things where the archive shall be."""
    site = running.config.parent / "archive"
    if kind == "a file":
        site.write_text("x")
    elif kind == "full":
        site.mkdir()
        (site / "letter.txt").write_text("x")
    elif kind == "ours":
        running("archive", str(site))
    ran = running.run("doctor", "--config", str(running.config))
    line = next(line for line in ran.out.splitlines() if "archive:" in line)
    assert line.split()[0] == ("fail" if kind in ("a file", "full") else "ok")


def test_without_a_folder_it_is_that_of_the_config(running):
    """`gm archive` alone writes where the service does."""
    folder = running.config.parent / "archive"
    assert running("archive").out.startswith(f"{folder}: games looked at: 1, ")
    assert (folder / "index.html").exists()
