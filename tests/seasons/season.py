"""A season of play by mail from one seed: many games, players with habits, a GM, outsiders, and faults.

All that happens is the seed's, so the same season can be played again. The promises are checked after each pass
(tests/promises); what only a season knows is checked here.
"""

from __future__ import annotations

import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any, Final

import databases
from archive_whole import archive_in_parts_is_whole
from chance import drawn_from
from crashing_zine import FAULTS, CrashingZine
from gm_desk import Desk
from people import TRUSTED
from promises import BrokenPromise
from sqlmodel import col, func, select
from story_actions import WRITERS, StoryActions

from gm.store.tables import Game, MailOut, Turn

STEPS: Final = 110
"""Enough for most games to end; the rest are long ones, of which more steps show nothing new."""
STEPS_WITH_PAGES: Final = 20
"""A shorter season doesn't end with an archive: its pages about all games take seconds."""
WITH_PAGES: Final = 0.4
"""So many of the longer ones do."""
STILL_PLAYED: Final = 0.25
"""A season ends when no more of its games are played than these: one long game alone shows nothing new."""
MOST_GAMES: Final = 12
OVER: Final = ("finished", "aborted")


class BrokenSeason(AssertionError):  # noqa: N818  what happened
    """A season in which something was wrong; `error` is what, and `replay` the command that plays it again."""

    def __init__(self, season: Season, step: int, error: BaseException) -> None:
        self.step, self.error, self.replay = step, error, season.replay
        super().__init__(f"{self.replay}\nbroke at step {step}: {type(error).__name__}: {error}")


@dataclass(frozen=True, kw_only=True)
class Played:
    """What a season was."""

    games: int
    ended: int
    rounds: int
    told: Counter[str]
    met: Counter[str]
    mails_out: int
    seconds: float


def settings_of(chance: Random) -> dict[str, dict[str, Any]]:
    """Choose a zine's settings."""
    return {
        "security": {"sender": chance.choice(("address", "address", "authenticated")), "trusted_authserv": [TRUSTED]},
        "deadlines": {
            "release": chance.choice(("auto", "auto", "auto", "gm")), "close_early": chance.random() < 0.7, "zat": "6d",
            "vacation": chance.choice(("note", "extend")),
        },
        "nmr": {"standby_after": chance.choice((1, 2))},
        "zine": {"dates": ["2026-12-09"], "rhythm": "5w"},
    }  # fmt: skip


@dataclass
class Season:
    """One season; `faults` are its own choice unless they are given, the other parts can be made smaller."""

    folder: Path
    seed: int
    faults: frozenset[str] | None = None
    steps: int = STEPS
    games: int | None = None
    story: CrashingZine = field(init=False, repr=False)

    def __post_init__(self) -> None:
        chance = Random(f"season {self.seed}")
        chosen = frozenset(one for one in sorted(FAULTS) if chance.random() < 0.35)
        number = chance.randint(4, MOST_GAMES)
        self._has_pages = chance.random() < WITH_PAGES and self.steps >= STEPS_WITH_PAGES
        self.faults = chosen if self.faults is None else self.faults
        self.games = number if self.games is None else self.games
        self._settings = settings_of(chance)

    @property
    def replay(self) -> str:
        """The command that plays this season again."""
        faults = ",".join(sorted(self.faults or ())) or "none"
        return f"make seasons SEED={self.seed} FAULTS='{faults}' STEPS={self.steps} GAMES={self.games}"

    # -- the season ----------------------------------------------------------------------------------------------------

    def play(self) -> Played:
        """Play it to its end. Raises BrokenSeason."""
        began, step = time.process_time(), -1
        self.folder.mkdir(parents=True, exist_ok=True)
        databases.CHOSEN.url(self.folder)  # the first of a process draws numbers that later ones don't
        with drawn_from(self.seed):
            self._begin()
            try:
                self.actions.open_games(self.games or 1, self._pass)
                for step in range(self.steps):  # noqa: B007  named below
                    self._step()
                    if self._is_over():
                        break
                self._end()
            except Exception as error:
                with suppress(Exception):
                    self.story.close()
                raise BrokenSeason(self, step, error) from error
        return self._summed_up(time.process_time() - began)

    def _begin(self) -> None:
        assert self.faults is not None
        self.story = CrashingZine(self.folder, self.seed, self.faults, self._settings)
        self.actions = StoryActions(self.story, self.seed, self.faults)
        self.company, self.chance = self.actions.company, self.actions.chance
        self.desk = Desk(self.story, self.company)

    def _step(self) -> None:
        """Let time pass, faults begin or end, the GM do something, some mails come, and the service do a pass."""
        self.story.weather()
        self.actions.time_passes()
        if self.chance.random() < 0.3:
            self.desk.types_something()
        if self.chance.random() < 0.15:
            self.desk.answers_a_mail()
        if "restore" in self.story.faults:
            self.desk.goes_back(self.story.chances["restore"])
        for _ in range(self.chance.randint(0, 2)):
            self.actions.somebody_writes()
        self.actions.outsiders_write()
        self.company.all_move()
        self.story.passes(seconds=2)
        self._pass()

    def _pass(self) -> None:
        report = self.story.tick(archive=self.chance.random() < 0.02)
        if report is None:  # the next process, or the next try, comes soon
            self.story.calm()
            report = self.story.tick()
        if report is not None and not report.troubles:
            self.company.check_expected()

    # -- its end ------------------------------------------------------------------------------------------------------

    def _is_over(self) -> bool:
        """Whether most games have been played."""
        status = Counter(self.company.rows(select(Game.status).where(Game.status != "open")))
        return status["running"] + status["provisional"] <= STILL_PLAYED * status.total()

    def _end(self) -> None:
        """Let all be well; what was kept up comes now, and all is replayed."""
        self.story.calm()
        for _ in range(3):
            self.story.passes(hours=7)
            self._pass()
        self._nothing_is_left()
        self._no_mail_has_two_texts()
        if self._has_pages:
            if self.story.met["restore"]:  # pages of games that the copy doesn't know stay until the GM says so
                self.desk.types("archive", str(self.story.app.settings.archive.path), "--full")
            self.story.tick(archive=True)
            faults = list(archive_in_parts_is_whole(self.story.app, self.folder / "made anew"))
            if faults:
                raise BrokenPromise("\n".join(faults))
        self.story.close()

    def _nothing_is_left(self) -> None:
        """Make sure that nothing lies in the inbox, and that of the queue only what a server put off."""
        inbox = self.story.server.folders.get("INBOX", {})
        assert not inbox, f"{len(inbox)} mails still lie in the inbox"
        rows = select(MailOut.id).where(MailOut.status == "queued", MailOut.attempts == 0)
        assert not self.company.rows(rows), "mails are still queued that nobody has tried to send"

    def _no_mail_has_two_texts(self) -> None:
        """Make sure that what went out twice was the same mail; which may do so is looked at after each pass."""
        seen: dict[tuple[str, bytes], bytes] = {}
        for letter in self.story.outbox.letters:
            name = letter.recipient, letter.raw.partition(b"\r\nMessage-ID: ")[2].partition(b"\r\n")[0]
            assert seen.setdefault(name, letter.raw) == letter.raw, f"{name} went out with two texts"

    def outcome(self) -> str:
        """Return a digest of all that came of it: each mail that went out, each row, each page."""
        found = sha256()
        for letter in self.story.outbox.letters:
            found.update(letter.recipient.encode() + letter.raw)
        for row in databases.CHOSEN.dump(self.story.config.parent):
            found.update(row.encode())
        site = self.story.app.settings.archive.path
        for path in sorted(site.rglob("*")):
            if path.is_file():
                found.update(str(path.relative_to(site)).encode() + path.read_bytes())
        return found.hexdigest()

    def _summed_up(self, seconds: float) -> Played:
        rows, told = self.company.rows, self.company.told
        status = Counter(rows(select(Game.status)))
        return Played(
            games=status.total(), ended=sum(status[one] for one in OVER), told=told,
            met=self.story.met + Counter({fault: told[fault] for fault in WRITERS}),
            rounds=rows(select(func.count(col(Turn.id))).where(Turn.kind == "resolve"))[0],
            mails_out=len(self.story.outbox.letters), seconds=seconds,
        )  # fmt: skip
