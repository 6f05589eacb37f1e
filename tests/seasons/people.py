"""The players of a season and their habits: who writes what, and when. Every choice is the seed's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from email.utils import format_datetime
from random import Random
from types import MappingProxyType
from typing import Any, Final

from sqlmodel import Session, col, select

from games import engines
from games.api import MoveBlock
from games.api import Seat as SeatNumber
from games.dice import Dice
from gm.demo.in_memory_zine import PLAYERS, Story, address_of, write_mail
from gm.game import moves_on_file, word_judge
from gm.game.position import is_released, position
from gm.requests.declared import all_names, command_table
from gm.store.queries import player_queries, seat_queries, thread_queries, turn_queries
from gm.store.tables import Game, MailIn, MailOut, Player, Question, Seat
from parsers.invisible import fold_name
from parsers.mime.message import read_mail

STANDBYS: Final = ("Gerda Hahn", "Hans Igel")
TRUSTED: Final = "mx.postspiel.example"

HABITS: Final = (
    "late", "twice", "wrong", "quoting", "silent", "appealing", "leaving", "chatty", "again", "away", "odd", "broken",
    "by the book",
)  # fmt: skip
"""What somebody may be beside punctual; each player has two or three of them."""
MOVING: Final = ("punctual", "late", "twice", "wrong", "quoting", "again", "odd", "broken")
"""Those that are about a move."""
ODD: Final[tuple[Mapping[str, str], ...]] = (
    {"Feedback-ID": "1:2:3:provider"}, {"List-Unsubscribe": "<mailto:out@provider.example>"}, {"Precedence": "bulk"},
    {"X-Campaign": "x"}, {"Reply-To": "noreply@spieler.example"}, {"Return-Path": "<bounce+anna=spieler@x.example>"},
)  # fmt: skip
"""What relays and providers add to anybody's mail."""
SENDS_A_MOVE: Final = 0.75
"""How often somebody who owes a move sends one when a round goes on."""


@dataclass(kw_only=True)
class Person:
    """Somebody who plays, and how."""

    name: str
    address: str
    habits: tuple[str, ...]
    sent: list[bytes] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True)
class Suggestion:
    """A legal block for a game in which somebody owes a move and has got the position."""

    game: Game
    turn: int | None
    text: str


@dataclass(frozen=True, kw_only=True)
class Expected:
    """A mail with a legal move, which has to be taken."""

    person: Person
    raw: bytes
    game_id: int
    turn: int | None


class Company:
    """The players of a story, in memory or on servers."""

    def __init__(self, story: Story, seed: int, address: Callable[[str], str] = address_of) -> None:
        self.story, self.seed, self.address = story, seed, address
        self.chance = Random(seed)
        self.told: Counter[str] = Counter()
        """What was done, by kind: a story in which nothing happens checks nothing."""
        self._number = 0
        self.people: list[Person] = []
        for name in PLAYERS[: self.chance.choice((3, 4, 5, 6, 6))]:
            self.people.append(self._person(name))
        self.standbys = [self._person(name) for name in STANDBYS]
        self.expected: list[Expected] = []
        """The mails of which something is to come."""

    def _person(self, name: str) -> Person:
        """Invent a player with an address and habits; sometimes two share an address."""
        address = self.address(name)
        if self.people and self.chance.random() < 0.15:
            address = self.people[-1].address
        return Person(name=name, address=address, habits=tuple(self.chance.sample(HABITS, self.chance.randint(2, 3))))

    def rows(self, query: Any) -> list[Any]:
        """Select rows."""
        with self.story.app.database.read() as session:
            return list(session.exec(query))

    def games(self) -> list[str]:
        """Name all games that anybody may write about, in the order in which they were opened."""
        return self.rows(select(Game.name).order_by(col(Game.id))) or ["Nirgendwo"]

    # -- a player writes -----------------------------------------------------------------------------------------------

    def player_writes(self) -> None:
        """Let one of the players follow one of the habits, or simply send a legal move; that one has to be taken."""
        person = self.chance.choice(self.people)
        habit = self.chance.choice((*person.habits, "punctual", "punctual", "punctual", "punctual"))
        self.told[habit] += 1
        asked = self.asked(person)
        if asked and self.chance.random() < 0.7:
            self.sends(person, self.chance.choice(("Ja\n", "Ja\n", "Nein\n")), subject=f"Re: [Frage {asked}]")
        elif habit in MOVING:
            self._moves(person, habit)
        else:
            self._speaks(person, habit)

    def all_move(self) -> None:
        """Let most of those who owe a move in some game send one, so that games come to their end."""
        with self.story.app.database.read() as session:
            for person in self.people:
                sent = set[int]()
                while self.chance.random() < SENDS_A_MOVE and (found := self._suggestion(session, person, sent)):
                    sent.add(found.game.id)
                    habit = next((one for one in ("odd", "late") if one in person.habits), "")
                    self._sends_move(person, habit if self.chance.random() < 0.3 else "", found)

    def _moves(self, person: Person, habit: str) -> None:
        """Let a player send a block for one of the games in which a move is due."""
        if habit == "again" and person.sent:
            self.arrives(person.sent[-1] if self.chance.random() < 0.7 else self.chance.choice(person.sent))
        elif found := self.suggestion(person):
            self._sends_move(person, habit, found)

    def _sends_move(self, person: Person, habit: str, found: Suggestion) -> None:
        game, text = found.game, found.text
        if habit == "wrong":
            text = text.replace("E", "Q").replace("behalte", "behllte") + "QQQQQQ\n"
        elif habit == "quoting":
            below = "".join(f"> {line}\n" for line in self._read_last(person).splitlines())
            text = f"{text}\nAm 3.11.2026 schrieb Dottendorfer Soccer:\n{below}"
        elif habit == "late" and game.zat and game.zat > self.story.now:
            self.story.now = game.zat + timedelta(minutes=self.chance.choice((0, 5)))  # at the ZAT it is in time
        headers = self.chance.choice(ODD) if habit == "odd" else {}
        subject = f"Re: [{game.name}] Zug"
        raw = self.sends(person, f"{text}\n", subject=subject, headers=headers, broken=habit == "broken")
        if habit == "twice" and (again := self.suggestion(person)):
            self.sends(person, f"{again.text}\n")
        if habit in ("", "punctual"):
            self.expected.append(Expected(person=person, raw=raw, game_id=game.id, turn=found.turn))

    def _read_last(self, person: Person) -> str:
        """Return the text of the newest mail that somebody has got."""
        rows = select(MailOut.raw).where(MailOut.address == person.address, MailOut.status == "sent")
        newest = next(iter(self.rows(rows.order_by(col(MailOut.id).desc()).limit(1))), None)
        return read_mail(newest).text if newest else ""

    def suggestion(self, person: Person) -> Suggestion | None:
        """Write a legal block for a game in which this player owes a move and has got the position."""
        with self.story.app.database.read() as session:
            return self._suggestion(session, person)

    def _suggestion(self, session: Session, person: Person, sent: Collection[int] | None = None) -> Suggestion | None:
        """As `suggestion`; where `sent` is given, not for these games, and for none in which a move is on file."""
        rows = select(Seat, Game).join(Game, col(Seat.game_id) == Game.id).join(
            Player, col(Seat.player_id) == Player.id
        ).where(
            Player.name_key == fold_name(person.name), col(Seat.until).is_(None), Game.status == "running"
        )  # fmt: skip
        playing = sorted(session.exec(rows).all(), key=lambda pair: pair[1].id)
        self.chance.shuffle(playing)
        left = [(seat, game) for seat, game in playing if game.id not in (sent or ())]
        return next((found for one in left if (found := self._block(session, *one, is_new=sent is not None))), None)

    def _block(self, session: Session, seat: Seat, game: Game, *, is_new: bool) -> Suggestion | None:
        app, number = self.story.app, SeatNumber(seat.number)
        at = position(app, game)
        stand = at.engine.stand(at.state, number)
        if number not in at.engine.due(at.state) or not is_released(at.turn):
            return None
        if is_new and moves_on_file.move_on_file(game, at, seat.number):
            return None
        if not thread_queries.position_sent_at(session, game, seat.player_id, stand):
            return None
        judge = word_judge.judge(app, game)
        lines = at.engine.suggest(at.state, number, Dice(f"{self.seed}/{self._number}", stand), judge)
        if not lines:
            return None
        head = [line for line in at.engine.view(at.state, number).block[:1] if line.startswith("Stand:")]
        text = "\n".join([f"{at.engine.rules.title} {game.name}", *head, *lines])
        return Suggestion(game=game, turn=game.turn, text=text)

    def _speaks(self, person: Person, habit: str) -> None:
        """Let a player write something that is no move."""
        game = self.chance.choice(self.games())
        said = {
            "silent": (),
            "appealing": (f"Einspruch {game} ROT: steht im Duden\n", "GM: Kannst du das prüfen?\n"),
            "leaving": (f"Abmeldung {game}\n", f"Zurückziehen {game}\n", f"Warten {game}\n", f"Fertig {game}\n"),
            "chatty": (
                "Hallo Cici,\n\nwie geht es dir? Bei uns schneit es.\n", f"Presse {game}\nWer hat das Q?\nEnde\n",
                f"Stand {game}\nSpiele\n", "Hilfe\n", f"Vorab {game}\nZ26 w XQX\n\nkaufen rot\n\nkaufen\n",
            ),
            "away": ("Urlaub 24.12.2026-06.01.2027\n", f"Verlängerung {game} 3 Tage\n", "Sprache en\n"),
            "by the book": COMMAND_LINES,
        }[habit]  # fmt: skip
        if said:
            self.sends(person, self.chance.choice(said).replace("Eriwan", game))

    def standby_writes(self) -> None:
        """Let a standby answer a question, offer help, or watch a game."""
        person = self.chance.choice(self.standbys)
        asked = self.asked(person)
        text = "Ja\n" if self.chance.random() < 0.7 else "Nein\n"
        if not asked and self.chance.random() < 0.5:
            self._watches(person)
            return
        self.sends(person, text if asked else "Standby\n", subject=f"Re: [Frage {asked}]" if asked else "Zug")

    def some_watch(self) -> None:
        """Let each standby watch up to three games."""
        for person in self.standbys:
            for _ in range(self.chance.randint(0, 3)):
                self._watches(person)

    def _watches(self, person: Person) -> None:
        self.sends(person, f"Beobachten {self.chance.choice(self.games())}\n")

    def signs_up(self, person: Person, title: str, game: str, entry: Sequence[str]) -> None:
        """Let a player ask for a seat."""
        self.sends(person, "".join(f"{line}\n" for line in (f"Anmeldung {title} {game}", *entry)), subject="Anmeldung")

    def says_yes(self) -> None:
        """Let everybody who was asked something say yes."""
        for person in (*self.people, *self.standbys):
            if asked := self.asked(person):
                self.sends(person, "Ja\n", subject=f"Re: [Frage {asked}]")

    # -- mails ---------------------------------------------------------------------------------------------------------

    def sends(
        self, person: Person, text: str, subject: str = "Zug", headers: Mapping[str, str] = MappingProxyType({}),
        *, broken: bool = False,
    ) -> bytes:  # fmt: skip
        """Let a player send a mail; one that is broken on its way can't be read by any program."""
        written = self.write(person.address, text, name=person.name, subject=subject, headers=headers)
        if broken:
            head = "".join(f"Content-Type: multipart/mixed; boundary=b{at}\r\n\r\n--b{at}\r\n" for at in range(60))
            written = written.replace(b"Content-Type: text/plain", head.encode() + b"Content-Type: text/plain", 1)
        raw = vouched(self.story, person.address) + written
        person.sent.append(raw)
        self.arrives(raw)
        if self.chance.random() < 0.03:  # a server on its way had not heard that it was taken
            self.told["delivered twice"] += 1
            self.arrives(raw)
        return raw

    def write(self, sender: str, text: str, **more: Any) -> bytes:
        """Write a mail to the game address."""
        self._number += 1
        domain = sender.rpartition("@")[2]
        headers = {"To": self.story.app.settings.service.address, **(more.pop("headers", None) or {})}
        message_id = f"<{self.seed}.{self._number}@{domain}>"
        return write_mail(sender, text, message_id=message_id, headers=headers, **more)

    def arrives(self, raw: bytes) -> None:
        """Let a mail arrive."""
        self.told["mails in"] += 1
        self.story.arrives(raw)

    def asked(self, person: Person) -> str:
        """Return the code of the newest question to somebody."""
        rows = select(Question.code).where(Question.address == person.address, col(Question.answered_at).is_(None))
        return next(iter(self.rows(rows.order_by(col(Question.id).desc()))), "")

    # -- what must come of it ------------------------------------------------------------------------------------------

    def check_expected(self) -> None:
        """Make sure that legal moves which came while their position stood were taken, whoever else wrote meanwhile.

        Call it after a pass in which nothing went wrong. Raises AssertionError.
        """
        with self.story.app.database.read() as session:
            for one in self.expected:
                self._was_taken(session, one)
        self.expected.clear()

    def _was_taken(self, session: Session, expected: Expected) -> None:
        game = session.get_one(Game, expected.game_id)
        player = player_queries.player_named(session, expected.person.name)
        seat = seat_queries.seat_row(game, player.id) if player else None
        if seat is None or seat.until is not None:
            return  # who was forgotten left nothing; who has no seat any more has nothing to move
        row = session.exec(select(MailIn).where(MailIn.raw == expected.raw).order_by(col(MailIn.id))).first()
        steps = turn_queries.turns(session, game)
        is_same = game.turn == expected.turn or any(
            one.number == (expected.turn or 0) + 1 and row and one.at >= row.received_at for one in steps
        )
        writer = session.get(Player, row.player_id) if row and row.player_id else None
        assert row is not None, "a mail with a legal move was not stored"
        self.told[f"mail {row.status}"] += 1
        if is_same and writer and row.status == "refused" and row.reason in ("rejection", "nothing"):
            raise AssertionError(f"a legal move (mail {row.id}) was refused: {row.reason}")


def entry_of(key: str) -> str:
    """Return a wish letter where a game wants one."""
    engine = engines()[key]
    is_wanted = engine.enrol(MoveBlock(lines=()), engine.rules.options).wanted
    return "E" if is_wanted else ""


def entry_lines(key: str, seat: int) -> Sequence[str]:
    """Write what a sign-up brings along, where a game wants something."""
    return engines()[key].suggest_entry(SeatNumber(seat))


def _command_lines() -> Iterator[str]:
    """List an example of every line that a player may write."""
    return (f"{row.example(all_names())}\n" for row in command_table().rows)


COMMAND_LINES: Final = tuple(_command_lines())


def vouched(story: Story, address: str) -> bytes:
    """Add the Authentication-Results of the service's own server for an honest sender, above its Received."""
    domain = address.rpartition("@")[2]
    said = f"{TRUSTED}; dmarc=pass header.from={domain}; dkim=pass header.d={domain}"
    return f"Authentication-Results: {said}\r\n".encode() + received(story.now)


def received(at: datetime) -> bytes:
    """Write the line of the service's own server."""
    hop = f"from mail.spieler.example by {TRUSTED}; {format_datetime(at)}"
    return f"Received: {hop}\r\n".encode()
