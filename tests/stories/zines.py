"""Zines for stories. Each is a copy of one that was prepared once, so a story starts at once."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import databases
import pytest
import seating
from sqlmodel import select

from gm.app.context import App
from gm.demo.in_memory_zine import PLAYERS, Story, address_of
from gm.reports.game import show
from gm.requests.desk import actions
from gm.runtime.config.settings import Settings
from gm.store.queries import game_queries
from gm.store.tables import MailIn, MailOut

GAME = "Eriwan"
WISHES = "DNTIRO"
"""The letters of round 1, by seat."""
WORDS = ("BRECHT", "TANZEN", "TIN", "ROT", "TOR", "DORN", "NORD", "RAR")
NOW = "2026-11-02T12:00:00+01:00"


class Zine(Story):
    """A story with one game of Crossword in it."""

    def __init__(self, folder: Path, **more: Any) -> None:
        self._kept_open: list[databases.KeptOpen] = []
        super().__init__(folder, **more)
        before = len(self.received())
        # The mailbox isn't the one that had the prepared zine's mails.
        self.server.uidvalidity += before
        self._ids = itertools.count(1 + before)

    def open(self, settings: Settings) -> App:
        """Open the zine without waiting for the disk: no test pulls the plug."""
        app = super().open(settings)
        self._kept_open.append(databases.KeptOpen(settings.database.url))
        self._kept_open[-1].look()
        return app

    def close(self) -> None:
        """End the story."""
        for connection in self._kept_open:
            connection.close()
        super().close()

    def block(
        self, name: str, new: str = "", wish: str | None = "E", *, head: tuple[str, ...] = (), shown: Any = None
    ) -> str:
        """Write a move block: `new` goes into the row of the round, the rest is as it lies."""
        shown = shown or self.show()
        rows = next(list(seat["grid"]) for seat in shown["seats"] if name in seat["history"])
        row = shown["round"] - 1
        rows[row] = new + rows[row][len(new) :]
        wished = [f"Neu: {wish}".strip()] if wish is not None else []
        return "\n".join([f"Crossword {GAME}", *head, *wished, *rows, ""])

    def sends(self, name: str, new: str = "", wish: str | None = "E", **more: Any) -> bytes:
        """Let a player send a block; `head` goes above it."""
        head = more.pop("head", ())
        return self.writes(name, self.block(name, new, wish, head=head), **more)

    def all_send(self, *names: str, wish: str = "E") -> None:
        """Let everybody (or these) send a move, and the service read it."""
        shown = self.show()
        for name in names or PLAYERS:
            self.writes(name, self.block(name, "", wish, shown=shown))
        self.tick()

    def answer(self, name: str) -> Any:
        """Do a pass and return the one mail that went to this player."""
        self.tick()
        return self.gets(name)

    @staticmethod
    def said(mail: Any) -> str:
        """Return what a mail says, in one line, however it was broken."""
        return " ".join(f"{mail.subject} {mail.text}".split())

    def reply(self, name: str) -> str:
        """Do a pass and return what the one mail to this player says."""
        return self.said(self.answer(name))

    def last_reason(self) -> str:
        """Return what became of the last mail, by the names of the templates that answered it."""
        return str(self.received()[-1].reason)

    def show(self, name: str | None = None) -> dict[str, Any]:
        """Return what `gm show --json` prints."""
        with self.app.database.read() as session:
            return show(self.app, session, game_queries.named(session, GAME), name)

    def seat(self, name: str, viewer: str | None = None) -> dict[str, Any]:
        """Return a player's seat as spectators see it, or as `viewer` does."""
        return next(seat for seat in self.show(viewer)["seats"] if name in (seat["player"], *seat["history"]))

    def on_file(self, name: str) -> tuple[str, str] | None:
        """Return the new letters and the wish of the move on file, None where there is none."""
        sent = self.seat(name, name)["move"]
        return ("".join(sign for row in sent["grid"] for sign in row if sign != "."), sent["wish"]) if sent else None

    @property
    def zat(self) -> datetime:
        """The present deadline."""
        return datetime.fromisoformat(self.show()["zat"])

    @property
    def round(self) -> int:
        """The round being played."""
        return int(self.show()["round"])

    @property
    def status(self) -> str:
        """Where the game is in its life."""
        return str(self.show()["status"])

    def passes_until(self, instant: datetime, **more: float) -> None:
        """Set the clock to an instant, and on from there."""
        self.at(instant.isoformat())
        self.passes(**more)

    def received(self) -> list[MailIn]:
        """List the log of received mails."""
        with self.app.database.read() as session:
            return list(session.exec(select(MailIn).order_by(MailIn.id)))  # type: ignore[arg-type]

    def outgoing(self, **filters: Any) -> list[MailOut]:
        """List mails that were queued, whatever became of them."""
        with self.app.database.read() as session:
            rows = session.exec(select(MailOut).order_by(MailOut.id))  # type: ignore[arg-type]
            return [row for row in rows if all(getattr(row, key) == value for key, value in filters.items())]

    def rows(self, table: Any) -> list[Any]:
        """List a table."""
        with self.app.database.read() as session:
            return list(session.exec(select(table).order_by(table.id)))

    def nothing_new(self) -> bool:
        """Return whether nobody got any mail since the last call."""
        return not self.mails()

    def writing(self) -> Any:
        """Open a transaction: for what no mail and no command does."""
        return self.app.database.write()


@pytest.fixture(scope="session")
def prepared_zines(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Folders with a database to copy, each made from the one before at its first use: see `STEPS`."""
    made: dict[str, Path] = {}

    def prepare(name: str) -> Path:
        if name not in made:
            folder = tmp_path_factory.mktemp(name)
            names = list(STEPS)
            if at := names.index(name):
                databases.CHOSEN.copy(prepare(names[at - 1]), folder)
            story = Zine(folder, words=WORDS, now=NOW)
            STEPS[name](story)
            story.close()
            made[name] = folder
        return made[name]

    return prepare


def _seat_six(story: Zine) -> None:
    actions.new_game(story.app, "crossword", GAME)
    for name, wish in zip(PLAYERS, WISHES, strict=True):
        seating.join(story.app, GAME, name, address_of(name), wish)


def _start(story: Zine) -> None:
    actions.start(story.app, GAME)
    story.tick()


def _play_to_the_last_round(story: Zine) -> None:
    """Anna lays ROTDNI and ORE, everybody else is silent."""
    for letters in ("ROTDNI", "ORE", "", "", ""):
        if letters:
            story.passes(minutes=1)
            story.sends(PLAYERS[0], letters)
            story.tick()
        story.passes_until(story.zat, seconds=1)
        story.tick()


def _end(story: Zine) -> None:
    """Anna lists ROT, DNI (which no list knows) and IN in its place."""
    story.passes_until(story.zat, days=-1)
    story.writes(PLAYERS[0], story.block(PLAYERS[0], "", None) + "rot+dni / in 6\nSumme 6\n")
    story.tick()
    story.passes_until(story.zat, seconds=1)
    story.tick()


SHARED: Final = "berge@spieler.example"
"""The address of a couple."""


def seat_couple(zine: Any) -> Any:
    """Start Eriwan, in which Anna and Bernd share an address; all have the first bulletin."""
    actions.new_game(zine.app, "crossword", GAME)
    for name, wish in zip(PLAYERS, WISHES, strict=True):
        seating.join(zine.app, GAME, name, SHARED if name in PLAYERS[:2] else address_of(name), wish)
    actions.start(zine.app, GAME)
    zine.tick()
    return zine


STEPS: dict[str, Callable[[Zine], None]] = {
    "empty": lambda _: None,
    "seated": _seat_six,
    "started": _start,
    "last round": _play_to_the_last_round,
    "provisional": _end,
}
"""A zine without a game; Eriwan open with six players; started, its bulletins delivered; in round 6; after it."""


LATER = dict.fromkeys(STEPS, "2026-11-02T12:01:00+01:00") | {
    "last round": "2027-01-13T12:00:00+01:00", "provisional": "2027-02-01T12:00:00+01:00",
}  # fmt: skip
"""The time at which a story starts from a prepared zine."""


@pytest.fixture(scope="session")
def opener(prepared_zines: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Zine]:
    """Open a copy of a prepared zine, which the caller must close: for fixtures that several tests share.

    `after` is played once and copied too; mails sent in it are in no mailbox.
    """
    played: dict[Any, tuple[Path, str]] = {}

    def open_copy(source: Path, now: str, **more: Any) -> Zine:
        folder = tmp_path_factory.mktemp("zine")
        databases.CHOSEN.copy(source, folder)
        return Zine(folder, words=WORDS, now=now, more=more)

    def play(step: str, after: Callable[[Zine], object], now: str) -> tuple[Path, str]:
        if (step, after, now) not in played:
            story = open_copy(prepared_zines(step), now)
            after(story)
            story.close()
            played[step, after, now] = story.config.parent, story.now.isoformat()
        return played[step, after, now]

    def make(step: str, *, after: Callable[[Zine], object] | None = None, now: str = "", **more: Any) -> Zine:
        now = now or LATER[step]
        return open_copy(*(play(step, after, now) if after else (prepared_zines(step), now)), **more)

    return make


@pytest.fixture
def begin(opener: Callable[..., Zine]) -> Iterator[Callable[..., Zine]]:
    """Begin a story: `begin("started")`; optional are settings by section, an `after` step, and another `now`."""
    stories: list[Zine] = []

    def make(step: str, **more: Any) -> Zine:
        stories.append(opener(step, **more))
        return stories[-1]

    yield make
    for story in stories:
        story.close()
        databases.CHOSEN.remove(story.config.parent)


@pytest.fixture
def zine(begin: Callable[..., Zine]) -> Zine:
    """A zine in which nothing has happened yet."""
    return begin("empty")


@pytest.fixture
def eriwan(begin: Callable[..., Zine]) -> Zine:
    """Eriwan in round 1, ZAT 16.11.2026, 20:00; everybody has the first bulletin."""
    return begin("started")


@pytest.fixture
def seated(begin: Callable[..., Zine]) -> Zine:
    """Eriwan with six players and their wishes, not started yet."""
    return begin("seated")
