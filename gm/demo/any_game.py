"""The story for any game: whoever owes a move sends one, until nobody does."""

import re
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from functools import cache, partial
from pathlib import Path
from typing import Final

from games.api import MoveBlock
from games.api import Seat as SeatNumber
from games.dice import Dice
from games.suggestions import suggested
from games.words import Verdict, Words
from gm.demo.plot import GAME, Plot
from gm.game import moves_on_file, word_judge
from gm.runtime.errors import Refused
from gm.store.queries import seat_queries, thread_queries

MOST_STEPS: Final = 1000
SLIPS: Final[tuple[Callable[[str], str], ...]] = (
    lambda line: line[:-1],
    lambda line: re.sub(r"\d+", lambda number: f"{int(number[0]) + 40}", line),
    lambda line: re.sub(r"[A-Z](?=[^A-Z]*$)", "Q", line),
    lambda line: f"{line}\n{line}",
)
"""What happens to a line: its end is forgotten, a number or a letter is wrong, it stands there twice."""
SILENT_STEP: Final = 2
"""The step at which one player sends no move and the ZAT comes."""
_NEXT: Final = timedelta(hours=5, minutes=40)
"""How long after one mail the next player writes."""
_SETTLES: Final = timedelta(hours=12, minutes=1)
"""When a round closes in which all moves are in."""


_WORDS: Final = Path(__file__).with_name("known_words.txt")


@cache
def known_words() -> tuple[str, ...]:
    """Read the list: board letters, in alphabetical order."""
    return tuple(_WORDS.read_text(encoding="ascii").split())


class KnownWords:
    """A judge of words, seen by somebody who judges as it does and thinks of common words only."""

    def __init__(self, words: Words) -> None:
        self._words = words
        self._listed: dict[str, Sequence[str]] = {}

    def check(self, word: str, profile: str) -> Verdict:
        """Judge one word, known or not."""
        return self._words.check(word, profile)

    def listed(self, profile: str) -> Sequence[str]:
        """List the known words that count; looked up once for each profile."""
        if profile not in self._listed:
            accepted = (word for word in known_words() if self.check(word, profile).status == "accepted")
            self._listed[profile] = tuple(accepted)
        return self._listed[profile]


class AnyGame(Plot):
    """One illegal move and one NMR among legal, sensible ones."""

    def play_rounds(self) -> None:
        """Let everybody move until nobody owes a move. Raises Refused if that never happens."""
        self._fooled, self._known = False, KnownWords(self.app.lexicon)
        silent = None
        for step in range(MOST_STEPS):
            if not (due := self._due()):
                return
            silent = due[-1] if step == SILENT_STEP else silent
            if self._play_step([seat for seat in due if seat != silent], silent):
                silent = None
            self.release()
        raise Refused(f"{GAME} wasn't over after {MOST_STEPS} steps.")

    def _due(self) -> list[int]:
        with self.looks() as (_, _, at):
            return sorted(at.engine.due(at.state))

    def _play_step(self, due: Sequence[int], silent: int | None) -> bool:
        """Let everybody who owes a move send one; at last the round closes, all moves in or not.

        Returns whether it has closed: a move may have its effect before, and then everything may be different.
        """
        before = self._position()
        for seat in [seat for seat in due if not self._has_filed(seat)]:
            if not self._sends(seat):
                self.closes()  # nothing to suggest: the ZAT will have to come
                return True
            if self._position() != before:
                return False
        if silent is not None:
            self.show(f"  {self.seats[silent]}: no move received (NMR).")
        self.closes(None if silent else self.clock() + _SETTLES)
        return True

    def _sends(self, seat: int) -> bool:
        """Send what the game suggests for this seat, the first time an illegal block before it."""
        lines = self._suggestion(seat)
        if not lines:
            return False
        self._wait_for_position(seat)
        self.jump(self.clock() + _NEXT)
        self.write_press(self.seats[seat])
        program = self.programs[self.seats[seat]]
        if not self._fooled and (wrong := self._illegal(seat, lines)):
            self._fooled = True
            self._write(seat, wrong)
            refusal = program.wait_for("the refusal", self.is_mail("rejection", "notice"))
            self.show(f"  {self.seats[seat]}: {' / '.join(wrong)}  ->  {refusal.subject}")
        self._write(seat, lines)
        answer = program.wait_for("the answer", self.is_mail("confirmation", "acted"))
        self.show(f"  {self.seats[seat]}: {' / '.join(lines)}  ->  {answer.subject}")
        return True

    def _suggestion(self, seat: int) -> tuple[str, ...]:
        """Get a move that the game suggests for this seat, of words that people know."""
        with self.looks() as (_, _, at):
            dice = Dice(f"demo/{seat}", at.turn.number)
            return suggested(at.engine, at.state, SeatNumber(seat), dice, self._known)

    def _wait_for_position(self, seat: int) -> None:
        """Wait until the mail with this position is sent: a move counts only for a position that was seen."""
        self.progress.wait_for(self.seats[seat], "the position", partial(self._position_sent_at, seat))

    def _position_sent_at(self, seat: int) -> datetime | None:
        with self.looks() as (session, game, at):
            player = next(row.player_id for row in seat_queries.seats(game) if row.number == seat)
            return thread_queries.position_sent_at(session, game, player, at.engine.stand(at.state, SeatNumber(seat)))

    def _illegal(self, seat: int, lines: Sequence[str]) -> tuple[str, ...]:
        """Change the last line of a move as people do, so that the rules refuse it."""
        with self.looks() as (_, game, at):
            judge = word_judge.judge(self.app, game)
        for slip in SLIPS:
            wrong = (*lines[:-1], *slip(lines[-1]).splitlines())
            if at.engine.read(at.state, SeatNumber(seat), MoveBlock(lines=wrong), judge).problems:
                return wrong
        return ()

    def _write(self, seat: int, lines: Sequence[str]) -> None:
        """Send a block with the number of the position, as the copy block has it."""
        with self.looks() as (_, _, at):
            block = at.engine.view(at.state, SeatNumber(seat)).block
        stand = [line for line in block[:1] if line.startswith("Stand:")]
        name = self.seats[seat]
        self.programs[name].write(self.text_of(name, [*stand, *lines]), subject=f"[{GAME}]")
        self.wake()

    def _position(self) -> tuple[int | None, int]:
        with self.looks() as (_, game, _):
            return game.turn, game.version

    def _has_filed(self, seat: int) -> bool:
        with self.looks() as (_, game, at):
            return moves_on_file.move_on_file(game, at, seat) is not None

    def finish(self) -> None:
        """Wait for the final scores and replay the record."""
        self.check()
