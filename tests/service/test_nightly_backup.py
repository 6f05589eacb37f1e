"""A backup every night: when it is made, what is kept, what the GM is told, and what `gm doctor` makes of it."""

from __future__ import annotations

import re
import resource
import signal
import threading
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from sqlmodel import select

from gm.demo.in_memory_zine import GM_ADDRESS, PLAYERS, Story
from gm.reports.health import monitored
from gm.reports.state import State
from gm.runtime.clock import utcnow
from gm.runtime.config.settings import load
from gm.runtime.errors import Refused, StoreError
from gm.runtime.file_lock import FileLock
from gm.runtime.stop_signal import Stopped
from gm.service.maintenance.backup import restore, write_backup
from gm.service.maintenance.nightly_backup import KIND, check, kept, last_night, make
from gm.store.tables import Question

pytestmark = pytest.mark.sqlite

BERLIN = ZoneInfo("Europe/Berlin")


@pytest.fixture
def story(running: Callable[..., Story]) -> Story:
    """Eriwan in round 1, in a zine that keeps three backups, after its first night."""
    story = running(more={"backup": {"keep": 3}})
    story.at("2026-11-03T12:00:00+01:00")
    night_passes(story, 0)
    return story


def night_passes(story: Story, days: float = 1) -> list[str]:
    """Let days pass and the service work; returns what is kept."""
    story.passes(days=days)
    story.tick()
    return [path.name for path in kept(folder_of(story))]


def folder_of(story: Story) -> Path:
    """Where the backups lie."""
    return story.app.settings.backup.path


def asked(story: Story) -> list[Question]:
    """What the GM's list holds about backups, done or not."""
    with story.app.database.read() as session:
        return list(session.exec(select(Question).where(Question.kind == KIND)))


def trouble(story: Story) -> list[str]:
    """What `gm status` says."""
    with story.app.database.read() as session:
        found = monitored(State(story.app, session))
    assert bool(found["troubles"]) != found["ok"] or not found["troubles"]
    return list(found["troubles"])


@pytest.mark.trust(except_first=5)
@pytest.mark.parametrize(
    ("at", "night"),
    [
        ("2026-11-25T02:59:59+01:00", "2026-11-24"), ("2026-11-25T03:00:00+01:00", "2026-11-25"),
        ("2026-11-25T23:59:00+01:00", "2026-11-25"), ("2026-03-29T03:00:00+02:00", "2026-03-29"),
        ("2026-10-25T02:30:00+01:00", "2026-10-24"), ("2026-10-25T03:00:00+01:00", "2026-10-25"),
    ],
)  # fmt: skip
def test_nights(story: Story, at: str, night: str) -> None:
    """Issue 29: it is due at 03:00 of the zine's clock, also where the clock is changed."""
    story.at(at)
    assert last_night(BERLIN, story.now) == date.fromisoformat(night)


def test_one_a_night_and_the_newest_are_kept(story: Story) -> None:
    """Issue 29, `[backup] keep`: each night makes one, the oldest goes, and nobody else's file is touched."""
    folder = folder_of(story)
    for name in ("gm-2026-10-01.tar.gz.mine", "holiday.tar.gz", "gm-x.tar.gz"):
        (folder / name).write_text("mine")
    (folder / "gm-2020-01-01.tar.gz").mkdir()
    (folder / "gm-2020-01-01.tar.gz").rmdir()
    assert night_passes(story, 0) == ["gm-2026-11-03.tar.gz"]
    assert night_passes(story, 0.1) == ["gm-2026-11-03.tar.gz"]
    for _ in range(4):
        last = night_passes(story)
    assert last == [f"gm-2026-11-0{day}.tar.gz" for day in (7, 6, 5)]
    assert {path.name for path in folder.iterdir()} == {
        *last, ".lock", "gm-2026-10-01.tar.gz.mine", "holiday.tar.gz", "gm-x.tar.gz"
    }  # fmt: skip
    assert night_passes(story, 10)[0] == "gm-2026-11-17.tar.gz"
    assert (asked(story), trouble(story)) == ([], [])


def test_what_a_night_brings_back(story: Story, tmp_path: Path) -> None:
    """It is what `gm backup` makes."""
    names = restore(kept(folder_of(story))[0], tmp_path / "new", now=utcnow())
    assert names == ["gm.db", "words.txt", "config.toml"]


def test_off(running: Callable[..., Story]) -> None:
    """`keep = 0` makes none, and takes no look."""
    story = running()
    assert night_passes(story) == []
    assert not folder_of(story).exists()
    assert check(story.app.settings, story.now) == ("backup", "ok", "No nightly backups are made, as [backup] keep = 0 "
                                                    "says.")  # fmt: skip


def test_a_failure_is_told_once(story: Story) -> None:
    """Issue 29, brief: the GM hears of it once, `gm status` until one succeeds; then all is well by itself."""
    folder = folder_of(story)
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()
    folder.write_text("a file where the folder should be")
    story.mails()
    night_passes(story)
    story.tick()
    (mail,) = [mail for to, mail in story.mails() if to == "cici@postspiel.example"]
    assert "Die nächtliche Sicherung ist ausgefallen" in mail.subject
    assert "Die früheren sind da" in " ".join(mail.text.split())
    assert trouble(story)[0].startswith("The nightly backup failed: ")
    for _ in range(3):
        night_passes(story, 0.5)
    assert len(asked(story)) == 1
    assert not [to for to, mail in story.mails() if "Sicherung" in mail.subject]
    folder.unlink()
    assert len(night_passes(story, 0.1)) == 1
    assert trouble(story) == []
    assert [question.answer for question in asked(story)] == ["works again"]


def test_after_a_failure_it_waits_an_hour(story: Story) -> None:
    """A disk that is full isn't filled every minute."""
    folder = folder_of(story)
    (lock,) = folder.glob(".lock")
    lock.unlink()
    lock.mkdir()
    night_passes(story)
    lock.rmdir()
    assert len(night_passes(story, 0.02)) == 1
    assert len(night_passes(story, 0.03)) == 2


def test_a_full_disk_leaves_the_others(story: Story) -> None:
    """Where there is no room nothing of the new one is left, and the last good one stays, also with `keep = 1`."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    shy = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, before[1]))
    try:
        with pytest.raises(StoreError, match="room"):
            make(story.app.settings, date(2026, 11, 4), story.now, int)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, shy)
    assert sorted(path.name for path in folder_of(story).iterdir()) == [".lock", "gm-2026-11-03.tar.gz"]


def test_ended_in_the_middle(story: Story) -> None:
    """Who is told to end leaves nothing behind; who was killed leaves a draft, which the next one takes away."""

    def stop() -> None:
        raise Stopped

    with pytest.raises(Stopped):
        make(story.app.settings, date(2026, 11, 4), story.now, stop)
    folder = folder_of(story)
    assert sorted(path.name for path in folder.iterdir()) == [".lock", "gm-2026-11-03.tar.gz"]
    draft = folder / ".gm-2026-11-04.tar.gz.abc.part"
    draft.mkdir()
    (draft / "gm.db").write_text("half of it")
    assert len(night_passes(story)) == 2
    assert not draft.exists()


def test_a_copy_into_a_folder_that_is_not_there_says_so(story: Story, tmp_path: Path) -> None:
    """A folder that is misspelt is named, not the draft in it."""
    with pytest.raises(Refused, match=f"^There is no folder {re.escape(str(tmp_path / 'nas'))}; make it first"):
        write_backup(story.app.settings, tmp_path / "nas" / "zine.tar.gz", now=story.now)


def test_what_a_killed_command_has_left(story: Story, tmp_path: Path) -> None:
    """A copy by hand that was killed half-way leaves a draft: the next one to that name takes it away, no other."""
    whole = tmp_path / "zine.tar.gz"
    (tmp_path / ".other.tar.gz.abc.part").mkdir()
    for left in (".zine.tar.gz.abc.part", ".zine.tar.gz.busy.part"):
        (tmp_path / left).mkdir()
        (tmp_path / left / "gm.db").write_text("half of it")
    somebody = FileLock(tmp_path / ".zine.tar.gz.busy.part/lock")
    assert somebody.take()
    try:
        write_backup(story.app.settings, whole, now=story.now)
    finally:
        somebody.release()
    found = {path.name for path in tmp_path.glob("*") if path.name.startswith(".") or path == whole}
    assert found == {"zine.tar.gz", ".other.tar.gz.abc.part", ".zine.tar.gz.busy.part"}


def test_a_look_that_was_killed_leaves_nothing_for_long(story: Story) -> None:
    """`gm doctor` restores the newest one beside it; what a killed one has left goes with the next."""
    left = folder_of(story) / ".gm-doctor.abc.part"
    left.mkdir()
    assert check(story.app.settings, story.now).status == "ok"
    assert not left.exists()


def test_one_process_at_a_time(story: Story) -> None:
    """While one is at it, another one's pass makes none and says nothing; mails are answered meanwhile."""
    begun, go_on = threading.Event(), threading.Event()

    def slowly() -> None:
        begun.set()
        go_on.wait()

    thread = threading.Thread(target=make, args=(story.app.settings, date(2026, 11, 4), story.now, slowly))
    thread.start()
    begun.wait()
    try:
        story.mails()
        story.writes(PLAYERS[0], "Stand Eriwan")
        assert night_passes(story) == ["gm-2026-11-03.tar.gz"]
        assert [mail.subject for _, mail in story.mails()]
        assert asked(story) == []
    finally:
        go_on.set()
        thread.join()
    assert night_passes(story, 0) == ["gm-2026-11-04.tar.gz", "gm-2026-11-03.tar.gz"]


# -- what the doctor says ----------------------------------------------------------------------------------------------


def test_the_doctor_restores_the_newest(story: Story) -> None:
    """Issue 29: `gm doctor` tests a restore, warns of an old one, fails at a broken one, and leaves nothing behind."""
    assert len(night_passes(story)) == 2
    folder = folder_of(story)
    name, status, says = check(story.app.settings, story.now)
    assert (name, status) == ("backup", "ok")
    assert says == f"2 kept in {folder}; the newest, of 2026-11-04, was restored and is whole."
    _, status, says = check(story.app.settings, story.now + timedelta(days=3))
    assert (status, "it is old" in says) == ("warn", True)
    newest = kept(folder)[0]
    newest.write_bytes(newest.read_bytes()[:-200])
    _, status, says = check(story.app.settings, story.now)
    assert (status, "is no backup of gm, or it is damaged" in says, "Move it away" in says) == ("fail", True, True)
    assert sorted(path.name for path in folder.iterdir() if path.name.startswith(".")) == [".lock"]


def test_the_doctor_finds_another_zines(story: Story, tmp_path: Path) -> None:
    """Two zines with one folder would take each other's backups for their own: that is told."""
    text = story.config.read_text().replace(GM_ADDRESS, "other@postspiel.example")
    story.config.with_name("other.toml").write_text(text)
    _, status, says = check(load(story.config.with_name("other.toml")), story.now)
    assert (status, f"is of the zine {GM_ADDRESS}" in says) == ("fail", True)


def test_the_doctor_without_any(running: Callable[..., Story]) -> None:
    """Before the first night it says when there will be one."""
    settings = running(more={"backup": {"keep": 3}}).app.settings
    _, status, says = check(settings, utcnow())
    assert (status, "`gm serve` makes one" in says) == ("ok", True)


@pytest.mark.parametrize("keep", [-1, 1001, "'14'", 1.5])
def test_the_key(keep: Any, running: Callable[..., Story]) -> None:
    """`[backup] keep` is a whole number from 0 to 1000."""
    config = running().config
    config.write_text(config.read_text().replace("keep = 0", f"keep = {keep}"))
    with pytest.raises(Exception, match=r"backup\.keep = .* a whole number from 0 to 1000"):
        load(config)
    assert GM_ADDRESS in config.read_text()
