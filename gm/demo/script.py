"""The demo's story. The service runs as in `gm serve`; players write mails, the GM calls what `gm ...` calls."""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from functools import partial

from sqlmodel import Session

from games import AnyEngine
from games.api import Seat as SeatNumber
from games.dice import Dice
from games.optional_parts import ShowsFaults
from gm.app.context import App
from gm.demo.client import MailProgram
from gm.demo.progress import Progress
from gm.desk import actions
from gm.game import word_judge
from gm.game.position import Position, position
from gm.game.replay import verify
from gm.runtime.errors import Refused
from gm.store.queries import game_queries
from gm.store.tables import Game
from parsers.mime.message import Mail

GAME = "Eriwan"
PLAYERS = ("Anna Berg", "Bernd Cordes", "Carla Dietz", "Dora Ems", "Emil Funk", "Frida Groß")
"""The players; their first names are their mailboxes."""
GM_MAILBOX = "cici@postspiel.example"
STANDBY = "Gerda Hahn"
PASSWORD = "demo"  # of mailboxes that live as long as the demo


def address_of(name: str, domain: str = "spieler.example") -> str:
    """Return the address of a player: `anna@spieler.example`."""
    return f"{name.split()[0].lower()}@{domain}"


class Plot:
    """The story of the demo, round by round."""

    def __init__(
        self, *, app: App, engine: AnyEngine, cast: Sequence[str], programs: dict[str, MailProgram],
        progress: Progress, wake: Callable[[], None], fast: bool,
    ) -> None:  # fmt: skip
        self.app = app
        self.engine = engine
        self.title = self.engine.rules.title
        self.programs = programs
        self.seats = dict(enumerate(cast, 1))
        self.progress = progress
        self.wake = wake
        self.fast = fast
        self.show = progress.show
        self.is_doubted = False

    def play(self) -> None:
        """Play from sign-up to the verified end."""
        self.sign_up()
        self.start()
        for number in range(1, (self.engine.rules.rounds or 0) + 1):
            self.round(number)
        self.finish()

    @contextmanager
    def gm_does(self, command: str) -> Iterator[None]:
        """Show a command of the GM and wake the service afterwards, as its next poll would."""
        self.show(f"  GM: {command}")
        yield
        self.wake()

    @contextmanager
    def looks(self) -> Iterator[tuple[Session, Game, Position]]:
        """Look at the game: its row, and where it stands."""
        with self.app.database.read() as session:
            game = game_queries.named(session, GAME)
            yield session, game, position(self.app, session, game)

    def sign_up(self) -> None:
        """All players sign up by mail and confirm it; one more joins the standby list."""
        with self.gm_does(f"gm new {self.engine.rules.key} {GAME}"):
            actions.new_game(self.app, self.engine.rules.key, GAME)
        for seat, name in self.seats.items():
            entry = "".join(f"{line}\n" for line in self.engine.suggest_entry(SeatNumber(seat)))
            self.programs[name].write(f"Anmeldung {self.title} {GAME}\n{entry}", subject="Anmeldung")
        self.programs[STANDBY].write("Standby\n", subject="Ersatz")
        everybody = (*self.seats.values(), STANDBY)
        for name in everybody:
            asked = self.programs[name].wait_for("the question", lambda mail: "[Frage " in mail.subject)
            self.programs[name].write("Ja\n", answering=asked)
        for name in everybody:
            self.programs[name].wait_for("the answer", _is_reply)
        self.show(f"  {', '.join(self.seats.values())} have signed up and confirmed; {STANDBY} is on the standby list.")

    def start(self) -> None:
        """The GM starts the game."""
        with self.gm_does(f"gm start {GAME}"):
            actions.start(self.app, GAME)

    def round(self, number: int) -> None:
        """One round: what is special about it happens here."""
        special = {2: self.illegal_move, 3: self.replaced_move}.get(number)
        last = number == self.engine.rules.rounds
        silent = self.seats[4] if number == 4 else None
        bulletins = {name: self._bulletin(name, number) for name in self.seats.values()}
        for seat, name in self.seats.items():
            if name == silent:
                continue
            lines = self.suggestion(seat)
            if special and seat == number:
                special(seat, lines, bulletins[name])
            elif last and not self.is_doubted:
                claimed = self.with_doubtful_word(lines)
                self.is_doubted, lines = claimed != lines, claimed
            self.write(name, lines, bulletins[name])
        for name in self.seats.values():
            if name != silent:
                self.wait_for_confirmation(name)
        self._close(number, silent)
        self.show(f"Round {number} of {self.engine.rules.rounds} is closed{f', NMR: {silent}' if silent else ''}.")
        if silent:
            self.take_over(silent)

    def _bulletin(self, name: str, number: int) -> Mail:
        opens = re.compile(rf"\[{GAME}\] .*ZAT Runde {number}:")
        return self.programs[name].wait_for(
            f"the bulletin of round {number}", lambda mail: bool(opens.match(mail.subject))
        )

    def suggestion(self, seat: int, mood: str = "") -> tuple[str, ...]:
        """Get a move that the game suggests for this seat; with another `mood`, another move."""
        with self.looks() as (session, game, at):
            dice = Dice(f"demo/{seat}{mood}", at.turn.number)
            words = word_judge.judge(self.app, session, game)
            return at.engine.suggest(at.state, SeatNumber(seat), dice, words)

    def write(self, name: str, lines: Sequence[str], bulletin: Mail) -> None:
        """Send a move as an answer to the bulletin."""
        self.programs[name].write(self._block(lines), answering=bulletin)

    def wait_for_confirmation(self, name: str) -> None:
        """Wait until the move is on file."""
        self.programs[name].wait_for("the confirmation", lambda mail: "angekommen" in mail.subject)

    def _block(self, lines: Sequence[str]) -> str:
        return "\n".join([f"{self.title} {GAME}", *lines, "", "Viele Grüße", ""])

    @property
    def _faults(self) -> ShowsFaults:
        assert isinstance(self.engine, ShowsFaults)
        return self.engine

    def illegal_move(self, seat: int, lines: tuple[str, ...], bulletin: Mail) -> None:
        """Send a move that breaks a rule; the answer says so, then the right move follows."""
        name = self.seats[seat]
        self.write(name, self._faults.illegal(lines), bulletin)
        refusal = self.programs[name].wait_for("the refusal", lambda mail: "NICHT angenommen" in mail.subject)
        fault = re.search(r"^  1\. ((?:.|\n(?=     ))*)", refusal.text, re.MULTILINE)
        told = " ".join(fault[1].split()) if fault else refusal.subject
        self.show(f"  {name} sends an illegal move and is told: {told}")

    def replaced_move(self, seat: int, lines: tuple[str, ...], bulletin: Mail) -> None:  # noqa: ARG002
        """Send another move first; the one that follows replaces it."""
        name = self.seats[seat]
        self.write(name, self.suggestion(seat, " at first"), bulletin)
        self.wait_for_confirmation(name)
        self.show(f"  {name} thinks again and replaces the move.")

    def with_doubtful_word(self, lines: tuple[str, ...]) -> tuple[str, ...]:
        """Bring in a word that no list knows; the GM will have to rule."""
        with self.looks() as (session, game, _):
            judge = word_judge.judge(self.app, session, game)
        return self._faults.doubtful(lines, judge)

    def _close(self, number: int, silent: str | None) -> None:
        """Let the round end: by the GM in the fast demo, by its ZAT where somebody is silent, else by itself."""
        if self.fast:
            with self.gm_does(f"gm close {GAME}"):
                actions.close(self.app, GAME, self.app.now())
        elif silent:
            now = self.app.now()
            soon = (now + timedelta(seconds=2)).astimezone(self.app.settings.service.timezone)
            when = f"{soon:%Y-%m-%d %H:%M:%S}"
            with self.gm_does(f'gm zat {GAME} "{when}"'):
                # By the clock of this moment: a busy machine may get there when the ZAT has passed, and it is refused.
                actions.move_zat(replace(self.app, now=lambda: now), GAME, when)
        self._wait_closed(number)

    def _wait_closed(self, number: int) -> None:
        program = self.programs[self.seats[1]]
        if number == self.engine.rules.rounds:
            return
        closed = re.compile(rf"\[{GAME}\] Runde {number} ausgewertet")
        mail = program.wait_for(f"the end of round {number}", lambda mail: bool(closed.match(mail.subject)))
        program.inbox.append(mail)

    def take_over(self, silent: str) -> None:
        """The GM puts the standby into the silent seat; the welcome mail has everything to go on with."""
        with self.gm_does(f'gm standby {GAME} "{silent}"'):
            actions.standby(self.app, GAME, silent, None, None)
        welcome = self.programs[STANDBY].wait_for("the welcome", lambda mail: "Willkommen" in mail.subject)
        self.programs[STANDBY].inbox.append(welcome)
        seat = next(seat for seat, name in self.seats.items() if name == silent)
        self.seats[seat] = STANDBY

    def finish(self) -> None:
        """The GM rules on the doubtful word; the final scores go out; the record is replayed."""
        question = self.programs["GM"].wait_for("the doubtful words", lambda mail: "Entscheidung" in mail.subject)
        ruling = next(line.strip() for line in question.text.splitlines() if " reject " in line)
        words = ruling.split()[4:]
        with self.gm_does(ruling):
            actions.rule(self.app, GAME, words, False, "", False)
        self.check(": .* gewinn")

    def check(self, subject: str) -> None:
        """Wait for the final scores, show them, and replay the record. Raises Refused where it differs."""
        finals = [
            self.programs[name].wait_for("the final scores", partial(has_subject, subject))
            for name in self.seats.values()
        ]
        final = finals[0]
        self.show(f"\nSubject: {final.subject}\n\n{final.text}")
        with self.looks() as (session, game, _):
            faults = verify(self.app, session, game)
        if faults:
            raise Refused(f"gm verify found differences: {'; '.join(faults)}")
        self.show(f"  GM: gm verify {GAME}\n{GAME}: as recorded\n")


def _is_reply(mail: Mail) -> bool:
    return bool(mail.in_reply_to)


def has_subject(pattern: str, mail: Mail) -> bool:
    """Whether a mail's subject matches."""
    return re.search(pattern, mail.subject) is not None
