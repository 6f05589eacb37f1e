"""Restoring a backup made at any moment, with the mailbox as it is: nothing is lost, nothing counts twice."""

from __future__ import annotations

import random
import shutil
import sqlite3
import stat
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from copies import back_up, put_in_place
from processes import begin_eriwan, command
from sqlalchemy import event
from sqlmodel import col, select
from waiting import TIMEOUT

from gm.app.context import open_app
from gm.demo.in_memory_zine import GM_ADDRESS, PLAYERS, Story, address_of, write_config, write_mail
from gm.game.replay import verify
from gm.reports.game import show
from gm.requests.desk import actions
from gm.runtime.config.settings import load
from gm.runtime.errors import Refused
from gm.store.queries import game_queries, zine_queries
from gm.store.tables import Game, MailIn, Question, Sheet, Turn
from gm.transport.doubles.embedded_server import MailServer

pytestmark = pytest.mark.sqlite

GAME = "Eriwan"
PIECES = ("ROT", "TOR", "RAR", "OR", "T", "")
WISHES = "EADIONRST"


def url_of(story: Story) -> str:
    """Name the database of a story."""
    return story.app.settings.database.url


def shown(story: Story) -> dict[str, Any]:
    """Return what `gm show --json` prints."""
    with story.app.database.read() as session:
        return show(story.app, session, game_queries.named(session, GAME))


def block(now: dict[str, Any], name: str, piece: str, wish: str, *, names_round: bool = True) -> str:
    """Write a move block on the grid as it lies."""
    grid = next(list(seat["grid"]) for seat in now["seats"] if name in seat["history"])
    row = now["round"] - 1
    grid[row] = piece + grid[row][len(piece) :]
    head = [f"Runde: {now['round']}"] if names_round else []
    last = [f"Neu: {wish}"] if now["round"] < now["rounds"] else []
    return "\n".join([f"Crossword {GAME}", *head, *last, *grid, ""])


@dataclass
class Step:
    """What happens at an instant of the undisturbed season: a mail arrives, or nothing, and the service looks."""

    at: datetime
    raw: bytes | None


@dataclass
class Season:
    """A whole game as it went without trouble: every mail with its arrival, and how all of it ended."""

    steps: list[Step] = field(default_factory=list)
    ending: dict[str, Any] = field(default_factory=dict)
    copies: dict[int, Path] = field(default_factory=dict)
    """Copies of the database by the step before which they were made."""
    mailboxes: dict[int, Any] = field(default_factory=dict)


def play_a_season(story: Story, seed: int, folder: Path, mails: int) -> Season:
    """Play Eriwan to its end with moves that are changed, late, silent, free texts and a ruling of the end."""
    rng, season, number = random.Random(seed), Season(), 0

    def step(at: datetime, raw: bytes | None) -> None:
        nonlocal number
        if rng.random() < 0.5:
            season.copies[number] = folder / f"copy{number}.db"
            back_up(url_of(story), season.copies[number], story.now)
        season.mailboxes[number] = deepcopy((story.server.folders, story.server._last_uid))
        story.now = max(at, story.now)
        season.steps.append(Step(story.now, raw))
        number += 1
        if raw:
            story.server.deliver(raw, story.now)
        story.tick()

    while (now := shown(story))["status"] == "running":
        zat = datetime.fromisoformat(now["zat"])
        times = sorted(zat - (zat - story.now) * rng.uniform(-0.02, 0.98) for _ in range(mails))
        for at in times:
            at = at.replace(microsecond=0)
            if at > zat and shown(story)["round"] == now["round"]:
                step(zat + timedelta(seconds=2), None)
            name = rng.choice(PLAYERS)
            text = block(now, name, rng.choice(PIECES), rng.choice(WISHES))
            if rng.random() < 0.15:
                text = f"Presse {GAME}\nGruß {number} von mir\nEnde\n"
            step(at, write_mail(address_of(name), text, name=name, message_id=f"<{seed}.{number}@spieler.example>"))
        if shown(story)["round"] == now["round"] and shown(story)["status"] == "running":
            step(zat + timedelta(seconds=2), None)
    season.ending = facts(story)
    season.mailboxes[number] = deepcopy((story.server.folders, story.server._last_uid))
    return season


def facts(story: Story) -> dict[str, Any]:
    """Return what must not depend on a restore: all but ids and what was said twice."""
    with story.app.database.read() as session:

        def rows(table: Any, *names: str, order: Any = None) -> list[tuple[Any, ...]]:
            found = session.exec(select(table).order_by(order if order is not None else col(table.id))).all()
            return [tuple(getattr(row, name) for name in names) for row in found]

        return {
            "games": rows(Game, "name", "status", "round", "turn", "version", "held", "zat", "seed"),
            "turns": rows(Turn, "number", "version", "kind", "round", "input", "state", "events", "verdicts", "zat"),
            "sheets": sorted(rows(Sheet, "seat", "round", "lines", "move", "complete", "received_at"), key=repr),
            "mails": {
                message_id: (status, reason)
                for message_id, status, reason in rows(MailIn, "message_id", "status", "reason")
                if not reason.startswith("the same mail as")
            },
        }


class Restored(Story):
    """A story that goes on from a copy, with the mailbox as it was when the machine broke."""

    def __init__(self, folder: Path, copy: Path, mailbox: Any, now: datetime, **more: Any) -> None:
        folder.mkdir()
        put_in_place(copy, folder / "gm.db", now)
        super().__init__(folder, words=["RAR", "ROT", "TOR"], now=now.isoformat(), **more)
        self.server.folders, self.server._last_uid = deepcopy(mailbox)


def go_on(story: Story, steps: Sequence[Step]) -> None:
    """Let happen what happened after the machine broke."""
    story.tick()
    for step in steps:
        story.now = max(step.at, story.now)
        if step.raw:
            story.server.deliver(step.raw, story.now)
        story.tick()


@pytest.fixture
def season(running: Callable[..., Story], tmp_path: Path, at_full_length: bool) -> Callable[[int], Season]:
    """Play a season: `season(seed)`."""

    def play(seed: int) -> Season:
        folder = tmp_path / f"season{seed}"
        story = running(folder)
        return play_a_season(story, seed, folder, 9 if at_full_length else 4)

    return play


def break_and_restore(whole: Season, folder: Path, made: int, broken: int) -> Restored:
    """Let the machine break before a step, and go back to a copy that was made before another one."""
    at = whole.steps[max(broken - 1, 0)].at
    return Restored(folder, whole.copies[made], whole.mailboxes[broken], at)


def test_a_restored_zine_ends_as_it_would_have(
    season: Callable[[int], Season], tmp_path: Path, at_full_length: bool
) -> None:
    """From any backup and the mailbox of any later moment the game ends in the same way, nothing lost or doubled."""
    for seed in range(10 if at_full_length else 1):
        whole, rng = season(seed), random.Random(seed)
        for attempt in range(30 if at_full_length else 1):
            first = attempt == 0  # weeks lie between, several rounds have closed
            made = min(whole.copies) if first else rng.choice(sorted(whole.copies))
            broken = len(whole.steps) * 2 // 3 if first else rng.randint(made, len(whole.steps))
            with closing(break_and_restore(whole, tmp_path / f"{seed}-{attempt}", made, broken)) as story:
                go_on(story, whole.steps[broken:])
                found = facts(story)
                for what, expected in whole.ending.items():
                    assert found[what] == expected, f"{what}: seed {seed}, copy {made}, broken {broken}"
                with story.app.database.read() as session:
                    assert not zine_queries.zine(session).is_behind
                    assert verify(story.app, session, game_queries.named(session, GAME)) == []


class Crash(BaseException):
    """The process is gone."""


def test_killed_while_it_catches_up(running: Callable[..., Story], tmp_path: Path, at_full_length: bool) -> None:
    """Wherever the catch-up is killed, the next pass continues it, and nothing counts twice."""
    story = running()
    copy = tmp_path / "copy.db"
    back_up(url_of(story), copy, story.now)
    round_passes(story)
    story.tick()
    expected, mailbox, now = facts(story), deepcopy((story.server.folders, story.server._last_uid)), story.now
    cuts, number = 0, 0
    while True:
        with closing(Restored(tmp_path / f"cut{number}", copy, mailbox, now)) as again:
            left = number

            def burn(_connection: Any) -> None:
                nonlocal left
                left -= 1
                if left < 0:
                    raise Crash

            event.listen(again.app.database.engine, "commit", burn)
            try:
                again.tick()
            except Crash:
                cuts += 1
            event.remove(again.app.database.engine, "commit", burn)
            was_cut = left < 0
            again.tick()
            assert facts(again) == expected, f"cut at commit {number}"
        if not was_cut:
            break
        number += 1 if at_full_length else 3
    assert cuts > 3


def round_passes(story: Story, *, often: bool = False) -> None:
    """Two move, the ZAT passes, the bulletins go out."""
    now = shown(story)
    for name in PLAYERS[:2]:
        story.writes(name, block(now, name, "ROT", "E"))
    story.tick()
    while story.now < datetime.fromisoformat(now["zat"]) - timedelta(hours=12):
        story.passes(hours=12)
        if often:
            story.tick()
    story.at(now["zat"])
    story.passes(seconds=2)
    story.tick()


def test_moves_for_the_round_that_the_copy_does_not_know(running: Callable[..., Story], tmp_path: Path) -> None:
    """A move of the next round counts if it names it or replies to its bulletin; any other is put before the GM."""
    story = running()
    back_up(url_of(story), tmp_path / "copy.db", story.now)
    round_passes(story)
    bulletins = {to: mail.message_id for to, mail in story.mails() if "Runde 2" in mail.subject}
    assert len(bulletins) == len(PLAYERS)
    now = shown(story)
    named, replied, bare = PLAYERS[:3]
    story.passes(hours=1)
    story.writes(named, block(now, named, "OR", "A"))
    story.writes(replied, block(now, replied, "OR", "A", names_round=False), in_reply_to=bulletins[address_of(replied)])
    story.writes(bare, block(now, bare, "OR", "A", names_round=False))
    story.tick()
    assert [seat["moved"] for seat in shown(story)["seats"]][:4] == [True, True, True, False]
    mailbox = (story.server.folders, story.server._last_uid)
    with closing(Restored(tmp_path / "again", tmp_path / "copy.db", mailbox, story.now)) as again:
        again.tick()
        assert shown(again)["zat"] == now["zat"]
        assert [seat["moved"] for seat in shown(again)["seats"]][:4] == [True, True, False, False]
        with again.app.database.read() as session:
            (late,) = session.exec(select(Question).where(Question.kind == "late")).all()
        assert f"Crossword {GAME}" not in late.payload["text"]
        assert "or" in late.payload["text"].casefold()
        again.mails()
        again.writes(bare, block(now, bare, "OR", "A", names_round=False))
        again.tick()
        assert [seat["moved"] for seat in shown(again)["seats"]][:4] == [True, True, True, False]


def test_no_new_mail_has_an_old_ones_id(running: Callable[..., Story], tmp_path: Path) -> None:
    """Mails queued after a restore have new Message-IDs: a repeated one might be dropped as a duplicate."""
    story = running()
    back_up(url_of(story), tmp_path / "copy.db", story.now)
    round_passes(story)
    before = {mail.message_id for _, mail in story.mails()}
    mailbox, sent = (story.server.folders, story.server._last_uid), set()
    for attempt in range(2):  # the second time with the same copy
        with closing(Restored(tmp_path / f"{attempt}", tmp_path / "copy.db", mailbox, story.now)) as again:
            again.tick()
            after = {mail.message_id for _, mail in again.mails()}
            assert len(after) == 2 + len(PLAYERS)
            assert not after & (before | sent)
            sent |= after
            story.passes(seconds=5)


def test_a_copy_older_than_an_outage(running: Callable[..., Story], tmp_path: Path) -> None:
    """Rounds that were due while the service still ran close; rounds that were due in the outage wait for the GM."""
    patience = {"deadlines": {"outage": "24h"}}
    story = running(more=patience)
    back_up(url_of(story), tmp_path / "copy.db", story.now)
    round_passes(story, often=True)
    second_zat = shown(story)["zat"]
    story.passes(hours=2)
    story.writes(PLAYERS[2], block(shown(story), PLAYERS[2], "OR", "A"))
    story.tick()
    story.at(second_zat)
    story.passes(days=3)
    mailbox = (story.server.folders, story.server._last_uid)
    restored = Restored(tmp_path / "again", tmp_path / "copy.db", mailbox, story.now, more=patience)
    with closing(restored) as again:
        again.tick()
        now = shown(again)
        assert (now["round"], now["zat"]) == (2, None)
        assert "no mails could be fetched" in now["held"]
        assert now["seats"][2]["moved"]


def test_no_command_comes_before_the_past(running: Callable[..., Story], tmp_path: Path) -> None:
    """Right after a restore a round can't be closed by hand: the service catches up first."""
    story = running()
    back_up(url_of(story), tmp_path / "copy.db", story.now)
    round_passes(story)
    mailbox = (story.server.folders, story.server._last_uid)
    with closing(Restored(tmp_path / "again", tmp_path / "copy.db", mailbox, story.now)) as again:
        for command in (
            lambda: actions.close(again.app, GAME, again.now), lambda: actions.move_zat(again.app, GAME, "+1d"),
            lambda: actions.enter_move(again.app, GAME, PLAYERS[0], "Neu: E"),
            lambda: actions.check_running(again.app, GAME),
        ):  # fmt: skip
            with pytest.raises(Refused, match="gm serve --once"):
                command()
        again.tick()
        assert actions.close(again.app, GAME, again.now).round == 3


def test_nothing_is_read_again_without_a_restore(running: Callable[..., Story]) -> None:
    """An ordinary database reads nothing in the folders of handled mails that is older, nor looks there again."""
    story = running()
    mail = write_mail("anna@spieler.example", "Stand")
    story.server.deliver(mail, story.now - timedelta(days=2), "GM/Processed")
    story.tick()
    story.server.deliver(mail, story.now, "GM/Processed")
    story.tick()
    with story.app.database.read() as session:
        assert session.exec(select(MailIn)).all() == []


def test_what_lay_there_before_the_zine_stays(running: Callable[..., Story], tmp_path: Path) -> None:
    """Mails in the folder of handled ones that are older than the zine's first are nobody's business."""
    story = running()
    story.server.deliver(write_mail("fremd@fremd.example", "Hilfe"), story.now - timedelta(days=90), "GM/Processed")
    round_passes(story)
    back_up(url_of(story), tmp_path / "copy.db", story.now)
    mailbox = (story.server.folders, story.server._last_uid)
    with closing(Restored(tmp_path / "again", tmp_path / "copy.db", mailbox, story.now)) as again:
        assert again.tick().received == 0
        assert facts(again) == facts(story)


def test_a_mail_that_had_lain_elsewhere_for_long(running: Callable[..., Story], tmp_path: Path) -> None:
    """A mail that somebody took out of the junk folder days after it came is found, though it looks old."""
    story = running()
    story.writes(PLAYERS[0], "Stand")
    old = write_mail(address_of(PLAYERS[1]), f"Presse {GAME}\nLange her\nEnde\n", message_id="<old@spieler.example>")
    arrived = story.now
    story.passes(days=5)
    story.tick()
    back_up(url_of(story), tmp_path / "copy.db", story.now)
    story.server.deliver(old, arrived)
    story.tick()
    mailbox = (story.server.folders, story.server._last_uid)
    with closing(Restored(tmp_path / "again", tmp_path / "copy.db", mailbox, story.now)) as again:
        assert again.tick().received == 1
        assert facts(again) == facts(story)


# -- the copy itself ---------------------------------------------------------------------------------------------------


def test_a_copy_while_mails_are_stored(running: Callable[..., Story], tmp_path: Path) -> None:
    """Backups made while the service writes are consistent, and no writer waits for them."""
    story = running()
    stop, counts = threading.Event(), []

    def copy_again_and_again() -> None:
        while not stop.is_set():
            target = tmp_path / "copy.db"
            back_up(url_of(story), target, story.now)
            with closing(sqlite3.connect(target)) as there:
                stored, answered = (
                    there.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
                    for table in ("mail_in WHERE status != 'new'", "mail_out WHERE kind = 'answer'")
                )
                counts.append((stored, answered))

    thread = threading.Thread(target=copy_again_and_again)
    thread.start()
    try:
        for number in range(15):
            story.writes(PLAYERS[number % 6], f"Stand {GAME}")
            assert story.tick().received == 1
    finally:
        stop.set()
        thread.join()
    assert len(set(counts)) > 2
    assert all(stored == answered for stored, answered in counts)


def test_the_file(running: Callable[..., Story], tmp_path: Path) -> None:
    """It holds what is still in the log beside the database, is one file, and for its owner only."""
    story = running()
    story.writes(PLAYERS[0], f"Stand {GAME}")
    story.tick()
    target = tmp_path / "deep.db"
    back_up(url_of(story), target, story.now)
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    with closing(sqlite3.connect(f"file:{target}?mode=ro&immutable=1", uri=True)) as there:
        assert there.execute("SELECT count(*) FROM mail_in").fetchone() == (1,)
    assert not list(tmp_path.glob("deep.db-*"))


# -- the whole program -------------------------------------------------------------------------------------------------


def program(config: Path, *words: str) -> subprocess.Popen[str]:
    """Run `gm ...` as a process of its own."""
    return subprocess.Popen(command(config, *words), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def said(process: subprocess.Popen[str]) -> str:
    """Wait for its end, and return what it says. Raises AssertionError where it failed."""
    out, errors = process.communicate(timeout=TIMEOUT)
    assert process.returncode == 0, errors
    return out


def test_the_program_copies_breaks_and_comes_back(tmp_path: Path) -> None:
    """`gm backup` copies while `gm serve` takes moves, the disk is lost: `gm restore` and the mailbox bring all."""
    people = {name: address_of(name) for name in PLAYERS}
    with MailServer(dict.fromkeys((GM_ADDRESS, "cici@postspiel.example", *people.values()), "x")) as server:
        login = {"username": GM_ADDRESS, "password": "x", "poll_seconds": 1}
        more = {"imap": {**login, "port": server.imap_port}, "smtp": {"port": server.smtp_port}}
        config = write_config(tmp_path / "zine", words=["ROT"], more=more)
        with closing(open_app(load(config))) as app:
            begin_eriwan(app)
        service, copying, number = program(config, "serve"), None, 0
        end = time.monotonic() + 2 * TIMEOUT
        try:
            while (copying is None or copying.poll() is None or number < 12) and time.monotonic() < end:
                name = PLAYERS[number % 6]
                text = f"Crossword {GAME}\nRunde: 1\nNeu: {WISHES[number % 9]}\nROT...\n" + "......\n" * 5
                mail = write_mail(people[name], text, name=name, message_id=f"<{number}@spieler.example>")
                server.append(GM_ADDRESS, mail)
                number += 1
                if copying is None and len(server.mails(GM_ADDRESS, "GM/Processed")) > 3:
                    copying = program(config, "backup", str(tmp_path / "copy.tar.gz"))
                time.sleep(0.2)
            assert copying is not None
            assert "holds the zine" in said(copying)
            while len(server.mails(GM_ADDRESS, "GM/Processed")) < number - 1 and time.monotonic() < end:
                time.sleep(0.05)
        finally:
            service.kill()
            service.communicate()
        shutil.rmtree(config.parent)
        restored = program(config, "restore", str(tmp_path / "copy.tar.gz"), str(config.parent))
        assert "holds the zine now" in said(restored)
        assert "mails handled" in said(program(config, "serve", "--once"))
        with closing(open_app(load(config))) as app, app.database.read() as session:
            rows = session.exec(select(MailIn.message_id).where(MailIn.status == "applied")).all()
            sheets = session.exec(select(Sheet).order_by(col(Sheet.received_at), col(Sheet.id))).all()
        assert sorted(rows) == sorted(f"<{n}@spieler.example>" for n in range(number))
        assert len(sheets) == number
        assert server.mails(GM_ADDRESS) == []
