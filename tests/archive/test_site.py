"""The folder of the site: nothing half done whatever happens, nothing of others touched, one export at a time."""

import errno
import json
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
from gm.desk import actions, players
from gm.runtime.errors import ArchiveBusy, ArchiveError
from gm.runtime.file_lock import FileLock
from gm.store.queries import game_queries
from gm.store.tables import Game, Turn

LINK = re.compile(rb"""(?:href|src)="([^"]+)\"""")
CLI = [sys.executable, "-c", "from gm.cli import main; main()", "archive"]


WHO_MAY_JOIN = {"index.html", "partien/index.html", "partien/fiume/index.html", "partien/gotha/index.html"}


def tree(folder: Path, *, hidden: bool = True) -> dict[str, bytes]:
    """Read all files."""
    files = (path for path in folder.rglob("*") if path.is_file())
    found = {str(path.relative_to(folder)): path.read_bytes() for path in files}
    return {path: content for path, content in found.items() if hidden or not path.startswith(".")}


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
    """Wherever an export is cut short, every page is the old or the new one and no link is dead. The next export
    ends with the same site as an undisturbed one."""
    site, start = tmp_path / "site", tmp_path / "start"
    send_and_export(story.app, start)
    much_happens(story)
    expected, before = as_new(story, site), tree(start)
    shutil.copytree(start, site)
    with files_below(site, plan := CrashPlan()):
        send_and_export(story.app, site)
    steps = list(plan.reached.values())
    assert tree(site) == expected
    moving = next(number for number, step in enumerate(steps) if ".orders.json." in step)
    broken = broken_links(site) | broken_links(start)
    assert 5 < moving < len(steps) - 20
    # The last steps are those of the orders' own end: each counts. Of the many that move a page, some will do.
    for number in (*range(0, moving, moving // 4), *range(moving, len(steps), len(steps) // 20), *range(-4, 0)):
        number %= len(steps)
        shutil.rmtree(site)
        shutil.copytree(start, site)
        with files_below(site, CrashPlan(at=number)), pytest.raises(Crash):
            send_and_export(story.app, site)
        now = tree(site, hidden=False)
        where = f"crash at step {number}: {steps[number]}"
        assert all(content in (before.get(path), expected.get(path)) for path, content in now.items()), where
        assert number > moving or now == {path: old for path, old in before.items() if path[0] != "."}, where
        assert broken_links(site) <= broken, where
        send_and_export(story.app, site)
        assert tree(site) == expected, where


@pytest.mark.trust
def test_a_killed_export_is_taken_up_by_the_next_one(story: Story, tmp_path: Path) -> None:
    """Killed again and again, the real program changes nothing before all is there, and gets there in the end."""
    for number in range(20):
        actions.new_game(story.app, "crossword", f"Kairo{number}")
    site = tmp_path / "site"
    expected = as_new(story, site)
    command = [*CLI, str(site), "--config", str(story.config)]
    chance, made, found = random.Random(1), 0, list[set[str]]()
    for kills in range(8):
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
            log, until = site / ".new" / "games.jsonl", time.monotonic() + TIMEOUT
            while process.poll() is None and time.monotonic() < until:
                there = log.stat().st_size if log.exists() else 0
                if there > made or (kills % 3 == 0 and (site / ".new").exists()) or (site / "partien").exists():
                    made = there
                    break
                time.sleep(0.001)
            time.sleep(chance.random() / 50)
            process.send_signal(signal.SIGKILL)
            process.communicate()
        now = tree(site, hidden=False)
        assert all(expected[path] == content for path, content in now.items())
        found.append(broken_links(site))
    send_and_export(story.app, site)
    assert tree(site) == expected
    assert all(broken <= broken_links(site) for broken in found)


@pytest.mark.trust
def test_a_full_disk_is_one_sentence(story: Story, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no byte fits any more, the site stays as it was, nothing is left lying about, and the GM reads why."""
    site = tmp_path / "site"
    send_and_export(story.app, site)
    before = tree(site)
    much_happens(story)
    for room in (0, 1, 7):
        with monkeypatch.context() as patch:
            _fill(patch, room)
            with pytest.raises(ArchiveError, match=r"No space left.*as it was") as told:
                send_and_export(story.app, site)
        assert "\n" not in str(told.value)
        assert tree(site) == before
    send_and_export(story.app, site)
    assert tree(site) == as_new(story, site)


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
    """On a file system that is too small the command says so and leaves nothing but its empty lock there."""
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
        r"gm: .*No space left on device.*make room and try again, the site is as it was\.\n", done.stderr
    )
    assert done.stdout == ".lock\n"


# -- giving way --------------------------------------------------------------------------------------------------------


def always() -> bool:
    """Something else is always to be done first."""
    return True


def test_an_export_in_pieces(story: Story, tmp_path: Path) -> None:
    """An export that gives way says so and changes nothing; the next ones go on, also when games change meanwhile."""
    for number in range(6):
        actions.new_game(story.app, "crossword", f"Kairo{number}")
    site = tmp_path / "site"
    first = send_and_export(story.app, site, gives_way=always)
    assert (first.finished, first.games, first.written) == (False, 1, 0)
    assert tree(site, hidden=False) == {}
    actions.close(story.app, "Eriwan", story.now)
    told, passes = first.games, 1
    done = first
    while not done.finished:
        done = send_and_export(story.app, site, gives_way=always)
        told, passes = told + done.games, passes + 1
        assert passes < 20
    assert told == 10  # nine games, one of them changed in the middle
    assert tree(site) == as_new(story, site)
    assert send_and_export(story.app, site, gives_way=always) == Exported()


def test_a_full_export_goes_on_with_its_own(story: Story, tmp_path: Path) -> None:
    """What a full export had made before it was cut short is not made again, but nothing that was there is trusted."""
    site = tmp_path / "site"
    send_and_export(story.app, site)
    expected = tree(site)
    (site / "partien/gotha/index.html").write_text("damaged")
    (site / "partien/fiume/index.html").unlink()
    assert send_and_export(story.app, site) == Exported()
    assert not send_and_export(story.app, site, full=True, gives_way=always).finished
    done = send_and_export(story.app, site, full=True)
    assert (done.games, done.written) == (2, 2)
    assert tree(site) == expected


def test_what_another_version_had_made_is_thrown_away(story: Story, tmp_path: Path) -> None:
    """Pages that wait, made by other settings, are made anew."""
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
    rooms = ("gm/archive", "gm/drawing", "gm/messages", "gm/players", "templates/archive", "games")
    files = (path for room in rooms for path in (root / room).rglob("*"))
    expected = {path.relative_to(root).as_posix() for path in files if path.suffix in (".py", ".html", ".css", ".xml")}
    assert len(expected) > 100
    assert expected <= {name for name, _ in program_files()}


def test_where_to_join(story: Story, tmp_path: Path) -> None:
    """With `[archive] address` every page of who may join says where to write, and no page without it."""
    for wanted in (False, True, False):
        archive = story.app.settings.archive.model_copy(update={"address": wanted})
        app = replace(story.app, settings=story.app.settings.model_copy(update={"archive": archive}))
        export(app, tmp_path / "site")
        named = {
            path for path, page in tree(tmp_path / "site", hidden=False).items() if b"zug@postspiel.example" in page
        }
        assert named == (WHO_MAY_JOIN if wanted else set())


def test_pages_that_were_made_in_vain_are_cleared_away(story: Story, tmp_path: Path) -> None:
    """A game is held and goes on before its pages are in place: nothing of them stays, so the next pass is at rest."""
    site = tmp_path / "site"
    export(story.app, site)
    before = tree(site)
    mend = spoil(story, "Eriwan", held="wait")
    assert not export(story.app, site, gives_way=always).finished
    assert (site / ".new").exists()
    mend()
    assert export(story.app, site) == Exported()
    assert tree(site) == before


# -- other people's files ----------------------------------------------------------------------------------------------


@pytest.mark.trust
def test_files_of_others_stay(story: Story, tmp_path: Path) -> None:
    """What the GM puts beside the pages, or among them, is neither deleted nor written over."""
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


def test_a_page_has_no_place_where_somebody_elses_file_lies(story: Story, tmp_path: Path) -> None:
    """A file that isn't ours is left where a page should go, and the GM is told until it is gone."""
    site = tmp_path / "site"
    send_and_export(story.app, site)
    (site / "partien/havanna").mkdir()
    (site / "partien/havanna/index.html").write_text("Urlaub")
    actions.new_game(story.app, "presto", "Havanna")
    done = send_and_export(story.app, site)
    assert len(done.troubles) == 1
    assert "havanna/index.html was not made by gm" in done.troubles[0]
    assert (site / "partien/havanna/index.html").read_text() == "Urlaub"
    (site / "partien/havanna/index.html").unlink()
    send_and_export(story.app, site, full=True)
    assert tree(site) == as_new(story, site)


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"schema": 99}', b"\xff\xfe", b'{"games": {"eriwan": 3}}'])
def test_a_damaged_manifest_costs_time_only(content: bytes, story: Story, tmp_path: Path) -> None:
    """Where nobody can say what the site was made from, all is made anew, and nothing of others is deleted."""
    site = tmp_path / "site"
    send_and_export(story.app, site)
    (site / "robots.txt").write_text("mine")
    (site / "partien/gotha/index.html").write_text("damaged")
    (site / ".manifest.json").write_bytes(content)
    send_and_export(story.app, site)
    assert tree(site) == {**as_new(story, site), "robots.txt": b"mine"}


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize("damage", [None, b"{", b'{"schema": 2}'])
@pytest.mark.parametrize("way", ["another", "older", "other form"])
def test_a_site_never_shrinks_by_itself(damage: bytes | None, way: str, story: Story, tmp_path: Path) -> None:
    """Games that the database doesn't know keep their pages, in a pass too, until somebody says --full."""
    site = tmp_path / "site"
    send_and_export(story.app, site)
    if damage:
        (site / ".manifest.json").write_bytes(damage)
    before = tree(site)
    if way == "other form":
        service = story.app.settings.service.model_copy(update={"name": "Another"})
        story.app = replace(story.app, settings=story.app.settings.model_copy(update={"service": service}))
    with story.app.database.write() as session:
        for name in ["Fiume"] if way == "older" else ["Fiume", "Gotha"]:
            session.delete(game_queries.named(session, name))
    actions.new_game(story.app, "crossword", "Hanoi")
    for in_passing in (False, True):
        with pytest.raises(ArchiveError, match=r"fiume.*stays as it is.*--full"):
            send_and_export(story.app, site, in_passing=in_passing)
        assert tree(site) == before
    assert not send_and_export(story.app, site, full=True).troubles
    assert not (site / "index.html").read_bytes().count(b"Fiume")
    assert not send_and_export(story.app, site).troubles


def test_a_torn_list_of_waiting_games(story: Story, tmp_path: Path) -> None:
    """A line that was being written when the process died is a game that is told again."""
    site = tmp_path / "site"
    send_and_export(story.app, site, gives_way=always)
    log = site / ".new/games.jsonl"
    log.write_bytes(log.read_bytes()[:-20] + b'\n{"slug": "x"}\n\xff\n[]\n7\n')
    assert send_and_export(story.app, site).games == 3
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


# -- the command -------------------------------------------------------------------------------------------------------


def test_the_manifest_names_nobody(story: Story, tmp_path: Path) -> None:
    """What lies beside the pages says no more than they do: checksums and names of files."""
    site = tmp_path / "site"
    send_and_export(story.app, site)
    parts = [path.read_text() for path in (site / ".manifest").iterdir()]
    manifest = "".join([(site / ".manifest.json").read_text(), *parts])
    folders = {folder for part in parts for folder in json.loads(part)}
    assert {"partien/eriwan", "partien/fiume", "partien/gotha"} < folders
    assert not [name for name in PLAYERS if name in manifest or address_of(name) in manifest]
    assert not (site / ".new").exists()
