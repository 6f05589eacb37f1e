"""The demo's plot. The service runs as in `gm serve`; players write mails, the GM calls what `gm ...` calls."""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from functools import partial

from games.api import MoveBlock
from games.api import Seat as SeatNumber
from games.dice import Dice
from gm.app.context import App
from gm.commands.desk import actions
from gm.demo.client import MailProgram
from gm.game import word_judge
from gm.game.position import position
from gm.game.replay import verify
from gm.players.name_rules import find_engine
from gm.runtime.errors import Refused
from parsers.mime.message import Mail

GAME = "Eriwan"
GM_MAILBOX = "cici@postspiel.example"
STANDBY = "Gerda Hahn"
WISHES = "ENRSTAILDU"
PASSWORD = "demo"  # of mailboxes that live as long as the demo

Tell = Callable[[str], None]


class Plot:
    """Who does what, round by round."""

    def __init__(
        self, *, app: App, kind: str, cast: Sequence[str], programs: dict[str, MailProgram], wake: Callable[[], None],
        fast: bool, tell: Tell,
    ) -> None:  # fmt: skip
        self.app = app
        self.engine = find_engine(kind)
        self.title = self.engine.rules.title
        self.programs = programs
        self.seats = dict(enumerate(cast, 1))
        self.wake = wake
        self.fast = fast
        self.tell = tell
        self.is_doubted = False

    def unfold(self) -> None:
        """Play from sign-up to the verified end."""
        self.sign_up()
        self.start()
        for number in range(1, (self.engine.rules.rounds or 0) + 1):
            self.round(number)
        self.finish()

    @contextmanager
    def gm_does(self, command: str) -> Iterator[None]:
        """Show a command of the GM and wake the service afterwards, as its next poll would."""
        self.tell(f"  GM: {command}")
        yield
        self.wake()

    def sign_up(self) -> None:
        """Everybody asks for a seat by mail and confirms it; one goes onto the standby list."""
        with self.gm_does(f"gm new {self.engine.rules.key} {GAME}"):
            actions.new_game(self.app, self.engine.rules.key, GAME)
        is_wish_wanted = self.engine.enrol(MoveBlock(lines=()), self.engine.rules.options).wanted
        for seat, name in self.seats.items():
            wish = f"Neu: {WISHES[seat - 1]}\n" if is_wish_wanted else ""
            self.programs[name].write(f"Anmeldung {self.title} {GAME}\n{wish}", subject="Anmeldung")
        self.programs[STANDBY].write("Standby\n", subject="Ersatz")
        everybody = (*self.seats.values(), STANDBY)
        for name in everybody:
            asked = self.programs[name].wait_for("the question", lambda mail: "[Frage " in mail.subject)
            self.programs[name].write("Ja\n", answering=asked)
        for name in everybody:
            self.programs[name].wait_for("the answer", _is_reply)
        self.tell(f"  {', '.join(self.seats.values())} have signed up and confirmed; {STANDBY} is on the standby list.")

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
                special(name, lines, bulletins[name])
            elif last and not self.is_doubted:
                claimed = self.with_doubtful_word(lines)
                self.is_doubted, lines = claimed != lines, claimed
            self.write(name, lines, bulletins[name])
        for name in self.seats.values():
            if name != silent:
                self.wait_for_confirmation(name)
        self._close(number, silent)
        self.tell(f"Round {number} of {self.engine.rules.rounds} is closed{f', NMR: {silent}' if silent else ''}.")
        if silent:
            self.take_over(silent)

    def _bulletin(self, name: str, number: int) -> Mail:
        opens = re.compile(rf"\[{GAME}\] .*ZAT Runde {number}:")
        return self.programs[name].wait_for(
            f"the bulletin of round {number}", lambda mail: bool(opens.match(mail.subject))
        )

    def suggestion(self, seat: int) -> tuple[str, ...]:
        """Think of a move: what the game suggests from this seat's position."""
        with self.app.database.read() as session:
            game = actions.named(session, GAME)
            at = position(self.app, session, game)
            dice = Dice(f"demo/{seat}", at.turn.number)
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

    def illegal_move(self, name: str, lines: tuple[str, ...], bulletin: Mail) -> None:
        """Send a move with a letter that nobody wished; the answer says so, then the right move follows."""
        self.write(name, spoilt(lines), bulletin)
        refusal = self.programs[name].wait_for("the refusal", lambda mail: "NICHT angenommen" in mail.subject)
        fault = re.search(r"^  1\. ((?:.|\n(?=     ))*)", refusal.text, re.MULTILINE)
        told = " ".join(fault[1].split()) if fault else refusal.subject
        self.tell(f"  {name} sends an illegal move and is told: {told}")

    def replaced_move(self, name: str, lines: tuple[str, ...], bulletin: Mail) -> None:
        """Send a first move with another wish; the one that follows replaces it."""
        self.write(name, [re.sub(r"^Neu: .$", "Neu: Y", line) for line in lines], bulletin)
        self.wait_for_confirmation(name)
        self.tell(f"  {name} thinks again and replaces the move.")

    def with_doubtful_word(self, lines: tuple[str, ...]) -> tuple[str, ...]:
        """Claim something that no list knows, with a substitute; the GM will have to rule."""
        with self.app.database.read() as session:
            judge = word_judge.judge(self.app, session, actions.named(session, GAME))
        accepted = lambda word: judge.check(word, self.engine.rules.profile).status == "accepted"  # noqa: E731
        return with_doubtful_claim(lines, accepted)

    def _close(self, number: int, silent: str | None) -> None:
        if self.fast:
            with self.gm_does(f"gm close {GAME}"):
                actions.close(self.app, GAME, self.app.now())
        elif silent:
            soon = (self.app.now() + timedelta(seconds=2)).astimezone(self.app.settings.service.timezone)
            when = f"{soon:%Y-%m-%d %H:%M:%S}"
            with self.gm_does(f'gm zat {GAME} "{when}"'):
                actions.move_zat(self.app, GAME, when)
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
        final = self.programs[self.seats[1]].wait_for("the final scores", partial(has_subject, ": .* gewinn"))
        self.tell(f"\nSubject: {final.subject}\n\n{final.text}")
        with self.app.database.read() as session:
            faults = verify(self.app, session, actions.named(session, GAME))
        if faults:
            raise Refused(f"gm verify found differences: {'; '.join(faults)}")
        self.tell(f"  GM: gm verify {GAME}\n{GAME}: as recorded\n")


def _is_reply(mail: Mail) -> bool:
    return bool(mail.in_reply_to)


def has_subject(pattern: str, mail: Mail) -> bool:
    """Say whether a subject matches."""
    return re.search(pattern, mail.subject) is not None


GRID_ROW = re.compile(r"[A-Za-z.]{6}")


def spoilt(lines: Sequence[str]) -> list[str]:
    """Make a move illegal: its first new letter becomes one that nobody wished."""
    strange = next(letter for letter in "QXYJ" if not any(letter in line.upper() for line in lines))
    at = next(i for i, line in enumerate(lines) if GRID_ROW.fullmatch(line) and re.search("[A-Z]", line))
    return [re.sub("[A-Z]", strange, line, count=1) if i == at else line for i, line in enumerate(lines)]


def with_doubtful_claim(lines: Sequence[str], accepted: Callable[[str], bool]) -> tuple[str, ...]:
    """Turn a claim of two letters into one of three that is no word, with the two as its substitute."""
    rows = [line.upper() for line in lines if GRID_ROW.fullmatch(line)][:6]
    named = [(f"Z{i}", row) for i, row in enumerate(rows, 1)]
    named += [(f"S{i}", "".join(column)) for i, column in enumerate(zip(*rows, strict=True), 1)]
    longer = re.findall("[A-Z]{3,}", " ".join(lines[len(rows) :]).upper())
    named = [(label, line) for label, line in named if not any(w in line or w[::-1] in line for w in longer)]
    for at, line in enumerate(lines):
        claim = re.fullmatch(r"([a-z]{2}) 1", line)
        for label, letters in named if claim else ():
            for three in _threes(letters):
                if claim and claim[1].upper() in (three[:2], three[1:]) and not accepted(three):
                    return (*lines[:at], f"{label}: {three.lower()} / {claim[1]} 3", *lines[at + 1 :])
    return tuple(lines)


def _threes(letters: str) -> list[str]:
    """List the runs of three letters in a line, both ways."""
    runs = [letters[at : at + 3] for at in range(4) if "." not in letters[at : at + 3]]
    return [*runs, *(run[::-1] for run in runs)]
