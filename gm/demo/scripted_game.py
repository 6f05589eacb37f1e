"""The story of a game that is written down: six players, a fortnight a round."""

import re
import tomllib
from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import Final, TypeAlias

from gm.demo.people import STANDBY
from gm.demo.plot import GAME, Plot
from gm.requests.desk import actions
from gm.store.queries import game_queries
from parsers.mime.message import Mail

_THINKS: Final = timedelta(minutes=23)
"""How long somebody takes to write once more."""
_BEFORE_THE_ZAT: Final = timedelta(hours=2)
"""When the last one writes. Nothing closes before the ZAT then: minds may change for longer."""


Script: TypeAlias = Mapping[tuple[int, int], tuple[tuple[str, ...], ...]]
"""The blocks that a seat sends in a round, in order: none, or several where it is refused or thinks again."""

_SCRIPTS: Final = Path(__file__).with_name("scripts")


def is_scripted(key: str) -> bool:
    """Whether a game of this kind is written down."""
    return _file(key).exists()


def script_of(key: str) -> Script:
    """Read what is written down of a kind of game, by round and seat; round 0 holds what belongs to a sign-up."""
    script: dict[tuple[int, int], tuple[tuple[str, ...], ...]] = {}
    for block in tomllib.loads(_file(key).read_text(encoding="utf-8"))["block"]:
        at = block["round"], block["seat"]
        script[at] = (*script.get(at, ()), tuple(block["lines"].splitlines()))
    return script


def _file(key: str) -> Path:
    return _SCRIPTS / f"{key}.toml"


class ScriptedGame(Plot):
    """A move is refused, another one replaced; somebody is silent, a standby takes over; a word is doubtful."""

    @cached_property
    def script(self) -> Script:
        """What the players write."""
        return script_of(self.engine.rules.key)

    def entry(self, seat: int) -> tuple[str, ...]:
        """Return what the script says."""
        return self.script[0, seat][0]

    def play_rounds(self) -> None:
        """Play all rounds; the last one leaves a word to rule on."""
        rounds = self.engine.rules.rounds or 0
        for number in range(1, rounds + 1):
            silent = self._play_round(number)
            self.closes()
            if number < rounds:
                self.release()
            missed = "".join(f", NMR: {name}" for name in silent)
            self.show(f"Round {number} of {rounds} is closed{missed}.")
            for name in silent:
                self._take_over(name)

    def _play_round(self, number: int) -> list[str]:
        """Let everybody write, on a day of one's own; returns who is silent."""
        with self.app.database.read() as session:
            zat = game_queries.named(session, GAME).zat
        assert zat is not None
        begins, silent = self.clock(), list[str]()
        for seat, name in self.seats.items():
            bulletin = self._bulletin(name, number)
            blocks = self.script.get((number, seat), ())
            if not blocks:
                silent.append(name)
                continue
            self.jump(self._day_of(seat, number, begins, zat))
            self.write_press(name)
            for block in blocks:
                if block is not blocks[0]:
                    self.jump(self.clock() + _THINKS)
                self.programs[name].write(self.text_of(name, block), answering=bulletin)
                self._wait_for_answer(name, is_last=block is blocks[-1])
        return silent

    def _day_of(self, seat: int, number: int, begins: datetime, zat: datetime) -> datetime:
        """Spread the mails of a round over its days; the last one comes shortly before the ZAT."""
        share = timedelta(minutes=17 * number) + (zat - _BEFORE_THE_ZAT - begins) * seat / len(self.seats)
        return min(begins + share, zat - _BEFORE_THE_ZAT)

    def _bulletin(self, name: str, number: int) -> Mail:
        opens = self.is_mail("start", "bulletin", "welcome", game=GAME, round=number)
        return self.programs[name].wait_for(f"the bulletin of round {number}", opens)

    def _wait_for_answer(self, name: str, *, is_last: bool) -> None:
        """Wait until the service has answered a block, and tell what became of one that isn't the last."""
        answer = self.programs[name].wait_for("the answer", self.is_mail("confirmation", "rejection"))
        if self.is_mail("rejection")(answer):
            fault = re.search(r"^  1\. ((?:.|\n(?=     ))*)", answer.text, re.MULTILINE)
            told = " ".join(fault[1].split()) if fault else answer.subject
            self.show(f"  {name} sends an illegal move and is told: {told}")
        elif not is_last:
            self.show(f"  {name} thinks again and replaces the move.")

    def _take_over(self, silent: str) -> None:
        """The GM puts the standby into the silent seat; the welcome mail has everything to go on with."""
        with self.gm_does(f'gm standby {GAME} "{silent}"'):
            actions.standby(self.app, GAME, silent, None, None)
        welcome = self.programs[STANDBY].wait_for("the welcome", self.is_mail("welcome"))
        self.programs[STANDBY].inbox.append(welcome)
        seat = next(seat for seat, name in self.seats.items() if name == silent)
        self.seats[seat] = STANDBY

    def finish(self) -> None:
        """The GM rules on the doubtful word; the final scores go out; the record is replayed."""
        question = self.programs["GM"].wait_for("the doubtful words", self.is_mail("words"))
        ruling = next(line.strip() for line in question.text.splitlines() if " reject " in line)
        words = ruling.split()[4:]
        with self.gm_does(ruling):
            actions.rule(self.app, GAME, words, False, "", False)
        self.release()
        self.check()
