"""What any story can tell, on real servers as well: games are opened, time passes, people write."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import timedelta
from typing import Final

import seating
from outsiders import Outsiders
from people import Company, entry_lines, entry_of
from sqlmodel import col, select

from games import engines
from gm.demo.in_memory_zine import Story, address_of
from gm.requests.desk import actions
from gm.runtime.errors import Refused
from gm.store.tables import Game

NAMES: Final = (
    "Eriwan", "Fiume", "Kutaissi", "Lodz", "Malmö", "Nizza", "Oslo", "Pisa", "Riga", "Split", "Turin", "Udine",
)  # fmt: skip
WRITERS: Final[Mapping[str, tuple[float, Callable[[Outsiders], None]]]] = {
    "strangers": (0.15, Outsiders.stranger_writes), "forgers": (0.15, Outsiders.forger_writes),
    "robots": (0.15, Outsiders.robot_writes), "floods": (0.02, Outsiders.flood),
}  # fmt: skip
"""The faults that are somebody's mails, and how often they come."""


class StoryActions:
    """Tells who does what; `faults` says which outsiders there are."""

    def __init__(
        self,
        story: Story,
        seed: int,
        faults: frozenset[str] = frozenset(WRITERS),
        address: Callable[[str], str] = address_of,
    ) -> None:
        self.story, self.faults = story, faults
        self.company = Company(story, seed, address)
        self.outsiders, self.chance = Outsiders(self.company, seed), self.company.chance

    def time_passes(self) -> None:
        """Some hours, or up to a ZAT and beyond it."""
        zats = self.company.rows(select(Game.zat).where(Game.status == "running", col(Game.zat).is_not(None)))
        if zats and self.chance.random() < 0.45:
            wanted = self.chance.choice(sorted(zats)[:3]) + timedelta(minutes=self.chance.choice((-60, -2, 1, 30)))
            self.story.now = max(self.story.now, wanted)
        else:
            self.story.passes(hours=self.chance.choice((1, 3, 9, 13, 26)))

    def somebody_writes(self) -> None:
        """Let one of the players write."""
        company = self.company
        who = {company.player_writes: 75, company.standby_writes: 5, company.says_yes: 5}
        (writes,) = self.chance.choices(list(who), weights=list(who.values()))
        company.told[writes.__name__] += 1
        writes()

    def outsiders_write(self) -> None:
        """Let those write who have no part in it."""
        for fault in sorted(self.faults & WRITERS.keys()):
            chance, writes = WRITERS[fault]
            if self.outsiders.chance.random() < chance:
                self.company.told[fault] += 1
                writes(self.outsiders)

    def open_games(self, games: int, do_pass: Callable[[], object]) -> None:
        """Open games of kinds that so many can play; most seats are taken by hand, some by mail."""
        people, app = self.company.people, self.story.app
        kinds = [one.rules for one in engines().values() if one.rules.seats[0] <= len(people)]
        for number, name in enumerate(NAMES[:games]):
            rules = self.chance.choice(sorted(kinds, key=lambda rules: rules.key))
            actions.new_game(app, rules.key, name)
            wish = entry_of(rules.key)
            for at, person in enumerate(people[: rules.seats[1]]):
                if number % 3 == 2:
                    self.company.signs_up(person, rules.title, name, entry_lines(rules.key, at + 1))
                else:
                    seating.join(app, name, person.name, person.address, "DNTIRO"[at] if wish else None)
        for person in self.company.standbys:
            actions.add_standby(app, person.name, person.address, None)
        do_pass()
        self.company.says_yes()
        do_pass()
        for name in NAMES[:games]:
            with suppress(Refused):
                actions.start(app, name)
                self.company.told["started"] += 1
        self.company.some_watch()
        do_pass()
