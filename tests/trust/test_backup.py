"""A copy of the database, made at any moment, and the mailbox: together they lose nothing and count nothing twice."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Sequence
from contextlib import closing
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event
from sqlmodel import col, select

from gm.config import load
from gm.play import desk
from gm.play.verify import verify
from gm.publish.show import show
from gm.store import queries
from gm.store.backup import back_up, put_back
from gm.store.tables import Game, MailIn, MailOut, Question, Sheet, Turn
from gm.testing import PLAYERS, Story, address_of, write_mail

GAME = "Eriwan"
PIECES = ("ROT", "TOR", "RAR", "OR", "T", "")
WISHES = "EADIONRST"


def url_of(story: Story) -> str:
    """Name the database of a story."""
    return story.app.settings.database.url


def shown(story: Story) -> dict[str, Any]:
    """Give what `gm show --json` prints."""
    with story.app.database.read() as session:
        return show(story.app, session, desk.named(session, GAME))


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
            back_up(url_of(story), season.copies[number], now=story.now, force=False)
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
    """Give what must not depend on a restore: all but ids and what was said twice."""
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


def not_waiting_for_the_disk(connection: Any, _record: Any) -> None:
    """No test pulls the plug."""
    connection.execute("PRAGMA synchronous=OFF")


class Restored(Story):
    """A story that goes on from a copy, with the mailbox as it was when the machine broke."""

    def __init__(self, folder: Path, copy: Path, mailbox: Any, now: datetime) -> None:
        folder.mkdir()
        super().__init__(folder, words=["RAR", "ROT", "TOR"], now=now.isoformat())
        self.app.close()
        put_back(f"sqlite:///{folder / 'gm.db'}", copy, now=now)
        self.app = self.open(load(self.config))
        event.listen(self.app.database.engine, "connect", not_waiting_for_the_disk)
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
        event.listen(story.app.database.engine, "connect", not_waiting_for_the_disk)
        return play_a_season(story, seed, folder, 9 if at_full_length else 5)

    return play


def test_a_restored_zine_ends_as_it_would_have(
    season: Callable[[int], Season], tmp_path: Path, at_full_length: bool
) -> None:
    """From a copy of any moment and the mailbox of any later one the game ends alike: nothing lost, nothing twice."""
    for seed in range(10 if at_full_length else 1):
        whole, rng = season(seed), random.Random(seed)
        for attempt in range(30 if at_full_length else 3):
            made = rng.choice(sorted(whole.copies))
            broken = rng.randint(made, len(whole.steps))
            at = whole.steps[broken - 1].at if broken else whole.steps[0].at
            with closing(Restored(tmp_path / f"{seed}-{attempt}", whole.copies[made], whole.mailboxes[broken], at)) as story:
                go_on(story, whole.steps[broken:])
                found = facts(story)
                for what, expected in whole.ending.items():
                    assert found[what] == expected, f"{what}: seed {seed}, copy {made}, broken {broken}"
