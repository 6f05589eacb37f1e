"""The folder of the site: nothing half done whatever happens, nothing of others touched, one export at a time."""

import errno
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urldefrag

import pytest
import seating
from crashes import Crash, CrashPlan, files_below
from processes import without_privilege
from publishing import send_and_export
from sqlmodel import col, select
from waiting import TIMEOUT

from gm.archive.export import Exported, export
from gm.archive.program_version import program_files
from gm.demo.in_memory_zine import PLAYERS, Story, address_of
from gm.requests.desk import actions, players
from gm.runtime.errors import ArchiveBusy, ArchiveError
from gm.runtime.file_lock import FileLock
from gm.store.queries import game_queries, zine_queries
from gm.store.tables import Game, Turn

LINK = re.compile(rb"""(?:href|src)="([^"]+)\"""")
CLI = [sys.executable, "-c", "from gm.cli import main; main()", "archive"]


WHO_MAY_JOIN = {"index.html", "partien/index.html", "partien/fiume/index.html", "partien/gotha/index.html"}


def tree(folder: Path) -> dict[str, bytes]:
    """Read all files but the stamp, whose mark is drawn by chance."""
    files = (path for path in folder.rglob("*") if path.is_file() and path.name != ".stamp.json")
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def broken_links(folder: Path) -> set[str]:
    """Follow all links from the start page on; list the files that they lead to and that aren't there."""
    seen, waiting, broken = set[Path](), [folder / "index.html"], set()
    while waiting:
        page = waiting.pop()
        if page in seen:
            continue
        seen.add(page)
        if not page.is_file():
            broken.add(os.path.relpath(page, folder))
            continue
        for link in LINK.findall(page.read_bytes()) if page.suffix == ".html" else ():
            target = unquote(urldefrag(link.decode()).url)
            if target and not re.match(r"[a-z]+:", target):
                waiting.append(Path(os.path.normpath(page.parent / target)))
    return broken - {"index.html"}


def as_new(story: Story, folder: Path) -> dict[str, bytes]:
    """Return what a full export into a new folder gives."""
    fresh = folder.with_name("as new")
    send_and_export(story.app, fresh, full=True)
    found = tree(fresh)
    shutil.rmtree(fresh)
    return found


@pytest.fixture
def story(running: Callable[..., Story]) -> Story:
    """Eriwan runs, Fiume and Gotha are open."""
    told = running()
    for name in ("Fiume", "Gotha"):
        actions.new_game(told.app, "crossword", name)
    return told


def much_happens(story: Story) -> None:
    """A round is closed, a game begins, one is gone, somebody has another name, somebody new sits in a seat."""
    app = story.app
    actions.close(app, "Eriwan", story.now)
    actions.new_game(app, "presto", "Havanna")
    for name in PLAYERS[:4]:
        seating.join(app, "Havanna", name, address_of(name), None)
    players.rename(app, PLAYERS[2], "Zoe Dietz")
    actions.standby(app, "Eriwan", PLAYERS[1], "Neele Ort", "neele@spieler.example")
    actions.abort(app, "Fiume", "nobody came")


# -- cut short ---------------------------------------------------------------------------------------------------------


@pytest.mark.trust
def test_a_crash_at_any_step_leaves_whole_pages(story: Story, tmp_path: Path) -> None:
    """Wherever an export is cut short, every page is the old or the new one, and a link is dead only if its page comes
    or goes with what has happened. The next export ends with the same site as an undisturbed one."""
    site, start = tmp_path / "site", tmp_path / "start"
    send_and_export(story.app, start)
    much_happens(story)
    expected, before = as_new(story, site), tree(start)
    shutil.copytree(start, site)
    with files_below(site, plan := CrashPlan()):
        send_and_export(story.app, site)
    steps = list(plan.reached.values())
    assert tree(site) == expected
    come_and_go = {path for path in before.keys() ^ expected.keys() if path.endswith("index.html")}
    broken = broken_links(site) | broken_links(start) | come_and_go
    assert len(steps) > 70
    # The first and the last steps are those of the stamp: each counts. Of the many that replace a page, some will do.
    for number in (*range(9), *range(9, len(steps), len(steps) // 25), *range(len(steps) - 6, len(steps))):
        shutil.rmtree(site)
        shutil.copytree(start, site)
        with files_below(site, CrashPlan(at=number)), pytest.raises(Crash):
            send_and_export(story.app, site)
        now = {path: content for path, content in tree(site).items() if path[0] != "."}
        where = f"crash at step {number}: {steps[number]}"
        assert all(content in (before.get(path), expected.get(path)) for path, content in now.items()), where
        assert {path for path in before.keys() & expected.keys() if path[0] != "."} <= now.keys(), where
        assert broken_links(site) <= broken, where
        send_and_export(story.app, site)
        assert tree(site) == expected, where


@pytest.mark.trust
def test_a_crash_in_a_new_site_is_mended(story: Story, tmp_path: Path) -> None:
    """The folder is known as ours from the first file on, so the next export goes on in it."""
    site = tmp_path / "site"
    expected = as_new(story, site)
    for number in (*range(12), 60, 120):
        shutil.rmtree(site, ignore_errors=True)
        site.mkdir()
        with files_below(site, CrashPlan(at=number)), pytest.raises(Crash):
            send_and_export(story.app, site)
        send_and_export(story.app, site)
        assert tree(site) == expected, f"crash at step {number}"


@pytest.mark.trust
def test_a_killed_export_is_taken_up_by_the_next_one(story: Story, tmp_path: Path) -> None:
    """Killed again and again, the real program leaves whole pages, and gets there in the end."""
    for number in range(20):
        actions.new_game(story.app, "crossword", f"Kairo{number}")
    site = tmp_path / "site"
    expected = as_new(story, site)
    command = [*CLI, str(site), "--config", str(story.config)]
    chance, there = random.Random(1), 0
    for _ in range(8):
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
            until = time.monotonic() + TIMEOUT
            while process.poll() is None and time.monotonic() < until and len([*site.rglob("*")]) <= there:
                time.sleep(0.001)
            time.sleep(chance.random() / 50)
            process.send_signal(signal.SIGKILL)
            process.communicate()
        now = tree(site)
        assert all(expected[path] == content for path, content in now.items() if path != ".new")
        there = len([*site.rglob("*")])
    assert there
    send_and_export(story.app, site)
    assert tree(site) == expected


@pytest.mark.trust
def test_a_full_disk_is_one_sentence(story: Story, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no byte fits any more, nothing is left lying about, the GM reads why, and the next export goes on."""
    site = tmp_path / "site"
    send_and_export(story.app, site)
    before = tree(site)
    much_happens(story)
    expected = as_new(story, site)
    for room in (0, 1, 7):
        with monkeypatch.context() as patch:
            _fill(patch, room)
            with pytest.raises(ArchiveError, match=r"No space left.*next export finishes") as told:
                send_and_export(story.app, site)
        assert "\n" not in str(told.value)
        now = tree(site)
        assert all(content in (before.get(path), expected.get(path)) for path, content in now.items() if path[0] != ".")
        assert not (site / ".new").exists()
    send_and_export(story.app, site)
    assert tree(site) == expected


def _fill(patch: pytest.MonkeyPatch, room: int) -> None:
    """Let a disk have room for so many files."""
    inner, written = Path.write_bytes, [0]

    def write(path: Path, content: bytes) -> int:
        written[0] += 1
        if written[0] > room:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
        return inner(path, content)

    patch.setattr(Path, "write_bytes", write)


@pytest.mark.trust
def test_really_no_room(story: Story, tmp_path: Path) -> None:
    """On a file system that is too small the command says so, and leaves no half page there."""
    for number in range(40):
        actions.new_game(story.app, "crossword", f"Kairo{number}")
    small = tmp_path / "small"
    small.mkdir()
    script = f'mount -t tmpfs -o size=200k none {small} && "$@"; code=$?; ls -A {small}; exit $code'
    command = ["unshare", "--mount", "--map-root-user", "sh", "-c", script, "sh", *CLI, str(small)]
    if shutil.which("unshare") is None or subprocess.run([*command[:3], "true"], capture_output=True).returncode:
        pytest.skip("no file system can be mounted here")
    done = subprocess.run([*command, "--config", str(story.config)], capture_output=True, text=True)
    if "mount:" in done.stderr:
        pytest.skip("no file system can be mounted here")
    assert done.returncode == 1
    assert re.fullmatch(
        r"gm: .*No space left on device.*make room and try again, the next export finishes .*\.\n", done.stderr
    )
    assert done.stdout.split() == [".lock", ".stamp.json", "partien"]


# -- giving way --------------------------------------------------------------------------------------------------------


def always() -> bool:
    """Something else is always to be done first."""
    return True


def test_an_export_in_pieces(story: Story, tmp_path: Path) -> None:
    """An export that gives way makes one game or one page; the next ones go on, also when games change meanwhile."""
    for number in range(6):
        actions.new_game(story.app, "crossword", f"Kairo{number}")
    site = tmp_path / "site"
    first = send_and_export(story.app, site, gives_way=always)
    assert (first.finished, first.games) == (False, 1)
    assert not (site / "index.html").exists()
    actions.close(story.app, "Eriwan", story.now)
    done, games, written = first, first.games, []
    while not done.finished:
        done = send_and_export(story.app, site, gives_way=always)
        games += done.games
        written += [done.written] if not done.games else []
        assert len(written) < 200
    assert games == 10  # nine games, one of them changed in the middle
    assert max(written) == 1
    assert tree(site) == as_new(story, site)
    assert send_and_export(story.app, site, gives_way=always) == Exported()


def test_news_keep_no_list_from_being_made(story: Story, tmp_path: Path) -> None:
    """However often a round closes while pages are made one by one, all lists are made in the end."""
    site = tmp_path / "site"
    send_and_export(story.app, site)
    seating.start(story.app, "presto", "Havanna", PLAYERS[:4])
    for round_ in range(6):
        actions.move_zat(story.app, "Eriwan", f"+{round_ + 1}d")
        for _ in range(18):
            done = send_and_export(story.app, site, gives_way=always)
    assert not done.finished
    assert b"havanna" in (site / "spiele/presto/index.html").read_bytes()
    assert send_and_export(story.app, site).finished
    assert tree(site) == as_new(story, site)


def test_a_full_export_trusts_nothing(story: Story, tmp_path: Path) -> None:
    """What is damaged or gone is as it was after `--full`, and only that is written; no other export looks at it."""
    site = tmp_path / "site"
    send_and_export(story.app, site)
    expected = tree(site)
    (site / "partien/gotha/index.html").write_text("damaged")
    (site / "partien/fiume/index.html").unlink()
    assert send_and_export(story.app, site) == Exported()
    done = send_and_export(story.app, site, full=True)
    assert (done.games, done.written) == (3, 2)
    assert tree(site) == expected


def test_other_settings_make_all_anew(story: Story, tmp_path: Path) -> None:
    """Pages that were made with other settings are made anew, also by an export in pieces."""
    site = tmp_path / "site"
    send_and_export(story.app, site, gives_way=always)
    service = story.app.settings.service.model_copy(update={"name": "Auenland"})
    app = replace(story.app, settings=story.app.settings.model_copy(update={"service": service}))
    send_and_export(app, site)
    send_and_export(app, tmp_path / "fresh")
    assert tree(site) == tree(tmp_path / "fresh")
    assert b"Auenland" in tree(site)["partien/eriwan/index.html"]


def test_all_that_makes_pages_is_part_of_the_version() -> None:
    """Where a template, a style or a module of these rooms changes, all pages are made anew."""
    root = Path(__file__).parents[2]
    rooms = (
        "gm/archive",
        "gm/drawing",
        "gm/messages",
        "gm/game/people",
        "templates/archive",
        "templates/words",
        "games",
    )
    files = (path for room in rooms for path in (root / room).rglob("*"))
    kinds = (".py", ".html", ".css", ".xml", ".toml")
    expected = {path.relative_to(root).as_posix() for path in files if path.suffix in kinds}
    assert len(expected) > 100
    assert expected <= {name for name, _ in program_files()}


def test_where_to_join(story: Story, tmp_path: Path) -> None:
    """With `[archive] address` every page of who may join says where to write, and no page without it."""
    for wanted in (False, True, False):
        archive = story.app.settings.archive.model_copy(update={"address": wanted})
        app = replace(story.app, settings=story.app.settings.model_copy(update={"archive": archive}))
        export(app, tmp_path / "site")
        named = {path for path, page in tree(tmp_path / "site").items() if b"zug@postspiel.example" in page}
        assert named == (WHO_MAY_JOIN if wanted else set())


# -- other people's files ----------------------------------------------------------------------------------------------


@pytest.mark.trust
def test_files_of_others_stay(story: Story, tmp_path: Path) -> None:
    """What the GM puts beside the pages, or among them, is neither deleted nor written over, if its name isn't ours."""
    site = tmp_path / "site"
    send_and_export(story.app, site)
    mine = {"robots.txt": b"x", "CNAME": b"y", "partien/fiume/foto.jpg": b"z", "partien/eriwan/runde-1/karte.png": b"k"}
    for path, content in mine.items():
        (site / path).parent.mkdir(exist_ok=True)
        (site / path).write_bytes(content)
    much_happens(story)
    send_and_export(story.app, site)
    actions.undo(story.app, "Eriwan")
    send_and_export(story.app, site, full=True)
    there = tree(site)
    assert there.items() >= mine.items()
    assert {path: content for path, content in there.items() if path not in mine} == as_new(story, site)


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"zine": 7}', b"\xff\xfe"])
def test_a_damaged_stamp_costs_time_only(content: bytes, story: Story, tmp_path: Path) -> None:
    """Where nobody can say what the site was made from, all is made anew, and nothing of others is deleted."""
    site = tmp_path / "site"
    send_and_export(story.app, site)
    (site / "robots.txt").write_text("mine")
    (site / "partien/gotha/index.html").write_text("damaged")
    (site / ".stamp.json").write_bytes(content)
    send_and_export(story.app, site)
    assert tree(site) == {**as_new(story, site), "robots.txt": b"mine"}


def other_settings(story: Story) -> None:
    """Let the service have another name."""
    service = story.app.settings.service.model_copy(update={"name": "Another"})
    story.app = replace(story.app, settings=story.app.settings.model_copy(update={"service": service}))


def take_out(story: Story, *names: str) -> None:
    """Take games that nobody has joined out of the database, as no command does."""
    with story.app.database.write() as session:
        for name in names:
            session.delete(game_queries.named(session, name))


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize("damage", [None, b"{", b'{"zine": 2}'])
def test_a_site_never_shrinks_by_itself(damage: bytes | None, story: Story, tmp_path: Path) -> None:
    """Games that the database doesn't know keep their pages, until somebody says --full."""
    site = tmp_path / "site"
    send_and_export(story.app, site)
    if damage:
        (site / ".stamp.json").write_bytes(damage)
    else:
        other_settings(story)
    before = tree(site)
    take_out(story, "Fiume", "Gotha")
    actions.new_game(story.app, "crossword", "Hanoi")
    for gives_way in (always, lambda: False):
        with pytest.raises(ArchiveError, match=r"fiume, gotha.*stays as it is.*--full"):
            send_and_export(story.app, site, gives_way=gives_way)
        assert tree(site) == before
    assert not send_and_export(story.app, site, full=True).troubles
    assert not (site / "index.html").read_bytes().count(b"Fiume")
    assert tree(site) == as_new(story, site)


def test_one_game_may_be_gone(story: Story, tmp_path: Path) -> None:
    """The pages of a single game that isn't in the database are removed when all is made anew."""
    site = tmp_path / "site"
    send_and_export(story.app, site)
    take_out(story, "Gotha")
    other_settings(story)
    assert send_and_export(story.app, site).troubles == []
    assert not (site / "partien/gotha").exists()
    assert tree(site) == as_new(story, site)


def test_a_full_export_that_was_cut_short_removes_no_games(story: Story, tmp_path: Path) -> None:
    """Who goes on with it doesn't know that the GM has said --full: the games stay, and the GM reads which."""
    site = tmp_path / "site"
    send_and_export(story.app, site)
    take_out(story, "Fiume", "Gotha")
    assert not send_and_export(story.app, site, full=True, gives_way=always).finished
    (said,) = send_and_export(story.app, site).troubles
    assert re.search(r"keeps pages of games that aren't in the database \(fiume, gotha\).*--full", said)
    assert (site / "partien/fiume/index.html").exists()
    send_and_export(story.app, site, full=True)
    assert tree(site) == as_new(story, site)


def test_another_zine_s_site_is_left_alone(story: Story, running: Callable[..., Story], tmp_path: Path) -> None:
    """With a wrong database in config.toml no page of a site is touched, whatever the games are called."""
    site = tmp_path / "site"
    send_and_export(story.app, site)
    before = tree(site)
    with story.app.database.write() as session:
        zine_queries.zine(session).incarnation = "0" * 24
    with pytest.raises(ArchiveError, match=r"is another zine's and stays as it is.*--full"):
        send_and_export(story.app, site)
    assert tree(site) == before
    send_and_export(story.app, site, full=True)
    assert tree(site) == as_new(story, site)


# -- where it can be ---------------------------------------------------------------------------------------------------


def test_folders_that_are_refused(story: Story, tmp_path: Path) -> None:
    """A file, a folder with other things in it: one sentence with the mend, and nothing is touched."""
    (tmp_path / "a file").write_text("x")
    home = tmp_path / "home"
    (home / "letters").mkdir(parents=True)
    (home / "letters/to mum.txt").write_text("x")
    for folder, sentence in (
        (tmp_path / "a file", "a file is a file; .*name another"),
        (tmp_path / "a file/site", "a file is a file; .*name another"),
        (home, "home has files in it and no archive of pages; name an empty folder"),
    ):
        with pytest.raises(ArchiveError, match=sentence):
            send_and_export(story.app, folder)
    assert tree(home) == {"letters/to mum.txt": b"x"}
    assert (tmp_path / "a file").read_text() == "x"


@pytest.mark.trust
def test_a_folder_without_rights(story: Story, tmp_path: Path) -> None:
    """A folder that can't be written to is refused before anything is made."""
    site = tmp_path / "site"
    site.mkdir(mode=0o500)
    for folder in (site, site / "below"):
        refused = subprocess.run(
            [*CLI, str(folder), "--config", str(story.config)],
            capture_output=True, text=True, check=False, preexec_fn=without_privilege,
        )  # fmt: skip
        assert refused.returncode == 1
        assert "can't be written to; check its rights" in refused.stderr
    assert tree(site) == {}


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize("name", ["mit Leerzeichen", "Ärchiv für Öl", "a%20b#c", "tief/unten/drin"])
def test_any_name_will_do(name: str, story: Story, tmp_path: Path) -> None:
    """Blanks, umlauts and folders that aren't there yet are no obstacle; no page depends on where it lies."""
    site = tmp_path / "here" / name
    send_and_export(story.app, site)
    assert tree(site) == as_new(story, tmp_path / "there")


def test_links_and_rights(story: Story, tmp_path: Path) -> None:
    """The folder may be a link; files and folders get the rights that the umask leaves."""
    real = tmp_path / "real"
    real.mkdir()
    (tmp_path / "site").symlink_to(real)
    before = os.umask(0o027)
    try:
        send_and_export(story.app, tmp_path / "site")
    finally:
        os.umask(before)
    assert (tmp_path / "site").is_symlink()
    assert (real / "index.html").exists()
    for path in real.rglob("*"):
        assert path.stat().st_mode & 0o777 == (0o750 if path.is_dir() else 0o640), path


def test_one_export_at_a_time(story: Story, tmp_path: Path) -> None:
    """While another process writes there, an export is refused and touches nothing; then it may."""
    site = tmp_path / "site"
    send_and_export(story.app, site)
    actions.close(story.app, "Eriwan", story.now)
    before = tree(site)
    other = FileLock(site / ".lock")
    assert other.take()
    with pytest.raises(ArchiveBusy, match=r"Another gm is writing .* try again"):
        send_and_export(story.app, site)
    assert tree(site) == before
    other.release()
    assert send_and_export(story.app, site).written > 0


# -- games that can't be told ------------------------------------------------------------------------------------------


def spoil(story: Story, name: str, **game: Any) -> Callable[[], None]:
    """Change a game's row; returns what takes that back."""
    with story.app.database.write() as session:
        row = game_queries.named(session, name)
        before = {key: getattr(row, key) for key in game}
        _set(row, game)

    def mend() -> None:
        with story.app.database.write() as session:
            _set(session.get_one(Game, row.id), before)

    return mend


def _set(row: Any, values: dict[str, Any]) -> None:
    for key, value in values.items():
        setattr(row, key, value)


@pytest.mark.trust
def test_a_game_whose_rules_are_missing_keeps_its_pages(story: Story, tmp_path: Path) -> None:
    """The others go on, the GM is told, and as soon as the rules are there the pages are made."""
    site = tmp_path / "site"
    send_and_export(story.app, site)
    old = {path: content for path, content in tree(site).items() if "eriwan" in path}
    broken = broken_links(site)
    actions.close(story.app, "Eriwan", story.now)
    actions.new_game(story.app, "presto", "Havanna")
    mend = spoil(story, "Eriwan", engine="kegeln")
    for full in (False, True):
        done = send_and_export(story.app, site, full=full)
        assert len(done.troubles) == 1
        assert "Eriwan" in done.troubles[0]
        assert "'kegeln' is not installed here" in done.troubles[0]
        assert done.finished
        now = tree(site)
        assert {path: content for path, content in now.items() if "eriwan" in path} == old
        assert "partien/havanna/index.html" in now
        assert broken_links(site) <= broken
    mend()
    assert send_and_export(story.app, site).troubles == []
    assert tree(site) == as_new(story, site)


def test_a_game_whose_rules_never_were_here_gets_a_page(story: Story, tmp_path: Path) -> None:
    """What is known without rules stands on a page, so that no link leads nowhere; the rest comes with the rules."""
    site = tmp_path / "site"
    mend = spoil(story, "Eriwan", engine="kegeln")
    for _ in range(2):
        done = send_and_export(story.app, site)
        assert len(done.troubles) == 1
        assert not [path for path in broken_links(site) if "eriwan" in path]
        assert b"Anna" in tree(site)["partien/eriwan/index.html"]
    mend()
    assert send_and_export(story.app, site).troubles == []
    assert tree(site) == as_new(story, site)


def test_a_bug_in_one_game_is_its_own(story: Story, tmp_path: Path) -> None:
    """A state that nobody can read, or rules of another version, keep one game's pages as they are, and no other's."""
    site = tmp_path / "site"
    send_and_export(story.app, site)
    old = tree(site)["partien/eriwan/partie.json"]
    actions.close(story.app, "Eriwan", story.now)
    for values, sentence in (({"rules_version": 99}, "version 99 of the rules"), ({"state": {"x": 1}}, "a bug in gm")):
        with story.app.database.write() as session:
            turn = session.exec(select(Turn).order_by(col(Turn.id).desc())).first()
            before = {key: getattr(turn, key) for key in values}
            _set(turn, values)
        done = send_and_export(story.app, site)
        assert len(done.troubles) == 1
        assert sentence in done.troubles[0]
        assert tree(site)["partien/eriwan/partie.json"] == old
        with story.app.database.write() as session:
            _set(session.get_one(Turn, turn.id), before)
    assert send_and_export(story.app, site).troubles == []
    assert tree(site) == as_new(story, site)
