"""The story for any game: whoever owes a move sends one, until nobody does."""

import re
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial

from games.api import MoveBlock
from games.api import Seat as SeatNumber
from gm.demo.script import GAME, Plot, has_subject
from gm.desk import actions
from gm.game import moves_on_file, word_judge
from gm.runtime.errors import Refused
from gm.store.queries import seat_queries, thread_queries

MOST_STEPS = 1000
SPOILED: tuple[Callable[[str], str], ...] = (
    lambda line: line,
    lambda line: re.sub(r"\d", "9", line),
    lambda line: re.sub(r"[A-Z]", "Q", line),
    lambda line: line[::-1],
)
SILENT_STEP = 2
"""The step at which nobody sends a move and the GM closes the round."""


class AnyGame(Plot):
    """One illegal move and one NMR among legal, sensible ones."""

    def play(self) -> None:
        """Play from sign-up to the verified end."""
        self.sign_up()
        self.start()
        self._fooled = False
        for step in range(MOST_STEPS):
            if not (due := self._due()):
                break
            if step == SILENT_STEP:
                self._nobody_moves(due)
            else:
                self._everybody_moves(due)
        else:
            raise Refused(f"{GAME} wasn't over after {MOST_STEPS} steps.")
        self.finish()

    def _due(self) -> list[int]:
        with self.looks() as (_, _, at):
            return sorted(at.engine.due(at.state))

    def _everybody_moves(self, due: Sequence[int]) -> None:
        """Let everybody who owes a move send one. A round that has to be closed is closed when all moves are in."""
        before = self._position()
        waiting = [seat for seat in due if not self._has_filed(seat)]
        for seat in waiting:
            if not self._sends(seat):
                break  # nothing to suggest: the ZAT will have to come
            if self._position() != before:
                return  # it had its effect: everything may be different now
        self._gm_closes()

    def _nobody_moves(self, due: Sequence[int]) -> None:
        silent = ", ".join(self.seats[seat] for seat in due if not self._has_filed(seat))
        self.show(f"  {silent}: no move received (NMR).")
        self._gm_closes()

    def _gm_closes(self) -> None:
        with self.gm_does(f"gm close {GAME}"):
            actions.close(self.app, GAME, self.app.now())

    def _sends(self, seat: int) -> bool:
        """Send what the game suggests for this seat, the first time an illegal block before it."""
        lines = self.suggestion(seat)
        if not lines:
            return False
        self._wait_for_position(seat)
        program = self.programs[self.seats[seat]]
        if not self._fooled and (wrong := self._illegal(seat, lines)):
            self._fooled = True
            self._write(seat, wrong)
            refusal = program.wait_for("the refusal", partial(has_subject, "NICHT angenommen"))
            self.show(f"  {self.seats[seat]}: {' / '.join(wrong)}  ->  {refusal.subject}")
        self._write(seat, lines)
        answer = program.wait_for("the answer", partial(has_subject, "angekommen"))
        self.show(f"  {self.seats[seat]}: {' / '.join(lines)}  ->  {answer.subject}")
        return True

    def _wait_for_position(self, seat: int) -> None:
        """Wait until the mail with this position is sent: a move counts only for a position that was seen."""
        self.progress.wait_for(self.seats[seat], "the position", partial(self._position_sent_at, seat))

    def _position_sent_at(self, seat: int) -> datetime | None:
        with self.looks() as (session, game, at):
            player = next(row.player_id for row in seat_queries.seats(session, game) if row.number == seat)
            return thread_queries.position_sent_at(session, game, player, at.engine.stand(at.state, SeatNumber(seat)))

    def _illegal(self, seat: int, lines: Sequence[str]) -> tuple[str, ...]:
        """Change a move so that the rules refuse it: twice the same, other digits, other letters, or reversed."""
        with self.looks() as (session, game, at):
            judge = word_judge.judge(self.app, session, game)
        for spoil in SPOILED:
            wrong = tuple(spoil(line) for line in lines)
            sheet = at.engine.read(at.state, SeatNumber(seat), MoveBlock(lines=(*wrong, *wrong)), judge)
            if sheet.problems:
                return (*wrong, *wrong)
        return ()

    def _write(self, seat: int, lines: Sequence[str]) -> None:
        """Send a block with the number of the position, as the copy block has it."""
        with self.looks() as (_, _, at):
            block = at.engine.view(at.state, SeatNumber(seat)).block
        stand = [line for line in block[:1] if line.startswith("Stand:")]
        self.programs[self.seats[seat]].write(self._block([*stand, *lines]), subject=f"[{GAME}]")
        self.wake()

    def _position(self) -> tuple[int | None, int]:
        with self.looks() as (_, game, _):
            return game.turn, game.version

    def _has_filed(self, seat: int) -> bool:
        with self.looks() as (session, game, at):
            return moves_on_file.move_on_file(session, game, at, seat) is not None

    def finish(self) -> None:
        """Wait for the final scores and replay the record."""
        self.check("Endstand")
