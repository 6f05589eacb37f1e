"""What every story of the demo tells. The service runs as in `gm serve`; players write mails, the GM calls `gm ...`."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta

from sqlmodel import Session

from games import AnyEngine
from games.api import Language
from games.api import Seat as SeatNumber
from gm.app.context import App
from gm.demo.client import MailProgram
from gm.demo.clock import DemoClock
from gm.demo.people import FAREWELL, STANDBY, TEASED, TEASED_BACK, WELCOME
from gm.demo.progress import Progress
from gm.game.position import Position, is_released, position
from gm.game.replay import verify
from gm.messages import mail_commands
from gm.messages.rendering.wording import first_name
from gm.requests.desk import actions
from gm.runtime.catalogues import catalogue
from gm.runtime.errors import Refused
from gm.store.queries import game_queries, turn_queries
from gm.store.tables import Game
from parsers.mime.message import Mail

GAME = "Eriwan"
NEXT_GAME = "Jalta"
"""A game of the same kind, which is open when the first one ends."""
_MORE_SIGN_UPS = timedelta(hours=19)
_GM_READS = timedelta(minutes=50)
"""How long after a ZAT the GM releases the bulletin."""


class Plot:
    """A story: sign-up, start, what subclasses tell, the verified end."""

    def __init__(
        self, *, app: App, engine: AnyEngine, cast: Sequence[str], programs: dict[str, MailProgram],
        progress: Progress, clock: DemoClock, wake: Callable[[], None],
    ) -> None:  # fmt: skip
        self.app = app
        self.engine = engine
        self.title = self.engine.rules.title
        self.programs = programs
        self.seats = dict(enumerate(cast, 1))
        self.progress = progress
        self.clock = clock
        self.wake = wake
        self.show = progress.show
        self._moves = Counter[str]()
        *_, self._teasing, self._teased = cast

    def play(self) -> None:
        """Play from sign-up to the verified end."""
        self.sign_up()
        self.start()
        self.play_rounds()
        self.open(NEXT_GAME)
        self.finish()

    def play_rounds(self) -> None:
        """Tell what happens between the start and the final scores."""
        raise NotImplementedError

    def finish(self) -> None:
        """Wait for the final scores and replay the record."""
        raise NotImplementedError

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
            yield session, game, position(self.app, game)

    def jump(self, to: datetime) -> None:
        """Let time pass until then; the service looks at its clock again."""
        self.clock.jump(to)
        self.wake()

    # -- before the game -----------------------------------------------------------------------------------------------

    def sign_up(self) -> None:
        """All players sign up by mail and confirm it; one more joins the standby list."""
        self.open(GAME)
        for seat, name in self.seats.items():
            entry = "".join(f"{line}\n" for line in self.entry(seat))
            join = self.command("JOIN")
            self._writes_first(name, f"{join} {self.title} {GAME}\n{entry}", subject=join)
        self._writes_first(STANDBY, f"{self.command('STANDBY')}\n", subject=self.title)
        self.show(f"  {', '.join(self.seats.values())} have signed up and confirmed; {STANDBY} is on the standby list.")

    def open(self, game: str) -> None:
        """The GM opens a game."""
        with self.gm_does(f"gm new {self.engine.rules.key} {game}"):
            actions.new_game(self.app, self.engine.rules.key, game)

    def entry(self, seat: int) -> Sequence[str]:
        """Return the lines that belong to the sign-up of a seat."""
        return self.engine.suggest_entry(SeatNumber(seat))

    def _writes_first(self, name: str, text: str, *, subject: str) -> None:
        self.jump(self.clock() + _MORE_SIGN_UPS)
        program = self.programs[name]
        program.write(text, subject=subject)
        asked = program.wait_for("the question", self.is_mail("question"))
        program.write(f"{mail_commands.short_words(self.language).yes[0]}\n", answering=asked)
        program.wait_for("the answer", lambda mail: bool(mail.in_reply_to))

    def start(self) -> None:
        """The GM starts the game."""
        self.jump(self.clock() + _MORE_SIGN_UPS)
        with self.gm_does(f"gm start {GAME}"):
            actions.start(self.app, GAME)

    # -- moves and closings --------------------------------------------------------------------------------------------

    def text_of(self, name: str, lines: Sequence[str]) -> str:
        """Write a mail with a move."""
        return "\n".join([f"{self.title} {GAME}", *lines, "", f"Viele Grüße, {first_name(name)}", ""])

    def write_press(self, name: str) -> None:
        """Let a player who is about to move write press before, if it is time for that: two tease each other."""
        self._moves[name] += 1
        press = {(self._teasing, 2): (TEASED, self._teased), (self._teased, 3): (TEASED_BACK, self._teasing)}
        text, other = press.get((name, self._moves[name]), ("", ""))
        if text:
            program = self.programs[name]
            command, said = self.command("PRESS"), text.format(other=first_name(other))
            sent = program.write(f"{command} {GAME}\n{said}\nEnde\n", subject=command)
            program.wait_for("the answer", lambda mail: mail.in_reply_to == sent)

    def closes(self, at: datetime | None = None) -> None:
        """Let time pass until the service closes what is due: at its ZAT, or before where all moves are in."""
        with self.looks() as (_, game, _):
            before, zat = turn_queries.current_turn(game), game.zat
        assert zat is not None
        self.jump(at or zat + timedelta(seconds=1))
        self.progress.wait_for("The GM", "the closing", lambda: self._is_past(before.id))

    def _is_past(self, turn_id: int | None) -> bool | None:
        with self.looks() as (_, game, _):
            return turn_queries.current_turn(game).id != turn_id or None

    def release(self) -> None:
        """The GM reads the bulletin that waits, adds a foreword to the first and the last one, and lets it go."""
        with self.looks() as (_, game, at):
            if is_released(turn_queries.current_turn(game)):
                return
            is_first, is_last = at.turn.number == 1, at.engine.outcome(at.state) is not None
        self.jump(self.clock() + _GM_READS)
        foreword = WELCOME if is_first else FAREWELL.format(game=NEXT_GAME) if is_last else ""
        with self.gm_does(f"gm release {GAME}{' --foreword -' if foreword else ''}"):
            actions.release(self.app, GAME, foreword)

    # -- the end -------------------------------------------------------------------------------------------------------

    def check(self) -> None:
        """Wait for the final scores, show them, and replay the record. Raises Refused where it differs."""
        finals = [
            self.programs[name].wait_for("the final scores", self.is_mail("final")) for name in self.seats.values()
        ]
        final = finals[0]
        self.show(f"\nSubject: {final.subject}\n\n{final.text}")
        with self.looks() as (session, game, _):
            faults = verify(self.app, session, game)
        if faults:
            raise Refused(f"gm verify found differences: {'; '.join(faults)}")
        self.show(f"  GM: gm verify {GAME}\n{GAME}: as recorded\n")

    # -- the words of the zine's language ------------------------------------------------------------------------------

    @property
    def language(self) -> Language:
        """The language of the zine, in which players write as well."""
        return self.app.settings.service.language

    def command(self, code: str) -> str:
        """Write a command as players do."""
        return str(mail_commands.catalogue(self.language)[code]["spellings"][0])

    def is_mail(self, *kinds: str, **known: object) -> Callable[[Mail], bool]:
        """Make a test whether a mail is of one of these kinds, by its subject, in which what is known stands."""
        sentences = catalogue("mail", self.language).items()
        subjects = [said for code, said in sentences if code.startswith(tuple(f"{kind}.subject" for kind in kinds))]
        pattern = "|".join(_pattern(said, known) for said in subjects if all(f"{{{name}}}" in said for name in known))
        return lambda mail: re.match(pattern, mail.subject) is not None


def _pattern(sentence: str, known: Mapping[str, object]) -> str:
    """Make a pattern of a sentence; several blanks, round a value that is empty, became one."""
    parts = re.split(r"\{(\w+)\}", sentence)
    filled = (
        (re.escape(str(known[part])) if part in known else ".*") if at % 2 else re.escape(part).replace("\\ ", r"\s*")
        for at, part in enumerate(parts)
    )
    return "".join(filled)
