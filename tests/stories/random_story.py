"""A random story from one seed: several games, players with habits, a GM, forgers, robots and strangers, 40 steps.

The story itself only expects that punctual legal moves are taken. Everything else is checked after each pass by
tests/promises.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from email.utils import format_datetime
from types import MappingProxyType
from typing import Any, Final

from sqlmodel import col, select

from games import engines
from games.api import Seat as SeatNumber
from games.dice import Dice
from gm.commands.gm_commands import actions, mail_actions
from gm.commands.gm_commands.rulings import rule
from gm.demo.in_memory_zine import PLAYERS, Story, address_of, write_mail
from gm.game import word_judge
from gm.game.position import is_released, position
from gm.runtime.errors import OperatorError, Refused
from gm.service.outbound.digests import make, out_of_turn
from gm.store.queries import game_queries, player_queries, thread_queries, turn_queries
from gm.store.tables import Game, MailIn, MailOut, Player, Question, Seat

STEPS: Final = 40
STANDBYS: Final = ("Gerda Hahn", "Hans Igel")
TRUSTED: Final = "mx.postspiel.example"
NAMES: Final = ("Eriwan", "Fiume", "Kutaissi")
ROBOTS: Final = ("newsletter@laden.example", "mailer-daemon@mx.example", "noreply@bank.example")
STRANGERS: Final = ("Xaver Unbekannt", "Yvonne Fremd", "Zoe Neu")


@dataclass(kw_only=True)
class Person:
    """Somebody who plays, and how."""

    name: str
    address: str
    habits: tuple[str, ...]
    sent: list[bytes] = field(default_factory=list)


HABITS: Final = (
    "late", "twice", "wrong", "quoting", "silent", "appealing", "leaving", "chatty", "again", "away", "odd", "broken",
)  # fmt: skip
"""What somebody may be beside punctual; each player has two or three of them."""
MOVING: Final = ("punctual", "late", "twice", "wrong", "quoting", "again", "odd", "broken")
"""Those that are about a move."""
ODD: Final[tuple[Mapping[str, str], ...]] = (
    {"Feedback-ID": "1:2:3:provider"}, {"List-Unsubscribe": "<mailto:out@provider.example>"}, {"Precedence": "bulk"},
    {"X-Campaign": "x"}, {"Reply-To": "noreply@spieler.example"}, {"Return-Path": "<bounce+anna=spieler@x.example>"},
)  # fmt: skip
"""What relays and providers add to anybody's mail."""


class RandomStory:
    """Tells a story on a `Story`, in memory or on servers; every choice is the seed's."""

    def __init__(
        self, story: Story, seed: int, address: Callable[[str], str] = address_of, *, steps: int = STEPS
    ) -> None:
        self.story, self.seed, self.address, self.steps = story, seed, address, steps
        self.chance = random.Random(seed)
        self.told: Counter[str] = Counter()
        """What was done, by kind: a story in which nothing happens checks nothing."""
        self._number = 0
        self.people: list[Person] = []
        for name in PLAYERS[: self.chance.choice((3, 4, 5, 6, 6))]:
            self.people.append(self._person(name))
        self.standbys = [self._person(name) for name in STANDBYS]
        self._inbox: list[tuple[str, str]] = []
        """What was read last, for those who quote: (recipient, text)."""

    def _person(self, name: str) -> Person:
        """Invent a player with an address and habits; sometimes two share an address."""
        address = self.address(name)
        if self.people and self.chance.random() < 0.15:
            address = self.people[-1].address
        return Person(name=name, address=address, habits=tuple(self.chance.sample(HABITS, self.chance.randint(2, 3))))

    # -- the story -----------------------------------------------------------------------------------------------------

    def tell(self) -> None:
        """Play it to its end. An error names seed and step."""
        self._open_games()
        for step in range(self.steps):
            try:
                self._step()
            except BaseException as error:
                error.add_note(f"The story of seed {self.seed} broke at step {step} of {self.steps}.")
                raise

    def _step(self) -> None:
        """Let time pass, perhaps the GM do something, some mails come, and the service do a pass."""
        self._time_passes()
        if self.chance.random() < 0.3:
            self._gm_does()
        expected = [found for _ in range(self.chance.randint(1, 4)) if (found := self._somebody_writes())]
        self.story.passes(seconds=2)
        self._pass()
        for mail, game_id, turn in expected:
            self._was_taken(mail, game_id, turn)

    def _pass(self) -> None:
        self.story.tick(archive=self.chance.random() < 0.1)
        self._inbox = [(recipient, mail.text) for recipient, mail in self.story.mails()] or self._inbox

    def _time_passes(self) -> None:
        """Some hours, or up to a ZAT and beyond it."""
        zats = self._rows(select(Game.zat).where(Game.status == "running", col(Game.zat).is_not(None)))
        if zats and self.chance.random() < 0.35:
            zat = self.chance.choice(sorted(zats))
            wanted = zat + timedelta(minutes=self.chance.choice((-60, -2, 1, 30)))
            self.story.now = max(self.story.now, wanted)
        else:
            self.story.passes(hours=self.chance.choice((1, 3, 9, 26, 50)))

    def _rows(self, query: Any) -> list[Any]:
        with self.story.app.database.read() as session:
            return list(session.exec(query))

    # -- the games -----------------------------------------------------------------------------------------------------

    def _open_games(self) -> None:
        """Open two or three games of kinds that so many can play, with a seed of the story's."""
        number = len(self.people)
        kinds = [one.rules for one in engines().values() if one.rules.seats[0] <= number]
        chosen = self.chance.sample(sorted(kinds, key=lambda rules: rules.key), k=self.chance.randint(2, 3))
        for name, rules in zip(NAMES, chosen, strict=False):
            actions.new_game(self.story.app, rules.key, name)
            with self.story.app.database.write() as session:
                game = game_queries.named(session, name)
                game.seed = f"{self.seed:032x}"
            for at, person in enumerate(self.people[: rules.seats[1]]):
                actions.join(self.story.app, name, person.name, person.address, "DNTIRO"[at])
            with suppress(Refused):
                actions.start(self.story.app, name)
                self.told["started"] += 1
        for person in self.standbys:
            actions.add_standby(self.story.app, person.name, person.address, None)
        self._pass()

    # -- somebody writes -----------------------------------------------------------------------------------------------

    def _somebody_writes(self) -> tuple[bytes, int, int | None] | None:
        kind = self.chance.choices(
            ("player", "standby", "stranger", "forger", "robot"), weights=(75, 5, 7, 6, 7)
        )[0]  # fmt: skip
        self.told[kind] += 1
        if kind == "player":
            return self._player_writes(self.chance.choice(self.people))
        writers: dict[str, Callable[[], None]] = {
            "standby": self._standby_writes, "stranger": self._stranger_writes, "forger": self._forger_writes,
            "robot": self._robot_writes,
        }  # fmt: skip
        writers[kind]()
        return None

    def _player_writes(self, person: Person) -> tuple[bytes, int, int | None] | None:
        """Let a player follow one of the habits, or simply send a legal move; that one has to be taken."""
        habit = self.chance.choice((*person.habits, "punctual", "punctual", "punctual", "punctual"))
        self.told[habit] += 1
        asked = self._asked(person)
        if asked and self.chance.random() < 0.7:
            self._sends(person, self.chance.choice(("Ja\n", "Ja\n", "Nein\n")), subject=f"Re: [Frage {asked}]")
            return None
        if habit not in MOVING:
            self._speaks(person, habit)
            return None
        return self._moves(person, habit)

    def _moves(self, person: Person, habit: str) -> tuple[bytes, int, int | None] | None:
        """Let a player send a block for one of the games in which a move is due."""
        if habit == "again" and person.sent:
            self._arrives(self.chance.choice(person.sent))
            return None
        found = self._suggestion(person)
        if found is None:
            return None
        game, turn, text = found
        if habit == "wrong":
            text = text.replace("E", "Q").replace("behalte", "behllte") + "QQQQQQ\n"
        elif habit == "quoting":
            quoted = next((said for to, said in self._inbox if to == person.address), "")
            below = "".join(f"> {line}\n" for line in quoted.splitlines())
            text = f"{text}\nAm 3.11.2026 schrieb Dottendorfer Soccer:\n{below}"
        elif habit == "late" and game.zat and game.zat > self.story.now:
            self.story.now = game.zat + timedelta(minutes=5)
        headers = self.chance.choice(ODD) if habit == "odd" else {}
        subject = f"Re: [{game.name}] Zug"
        raw = self._sends(person, f"{text}\n", subject=subject, headers=headers, broken=habit == "broken")
        if habit == "twice":
            again = self._suggestion(person)
            raw = self._sends(person, f"{again[2]}\n") if again else raw
        return (raw, game.id, turn) if habit == "punctual" else None

    def _suggestion(self, person: Person) -> tuple[Game, int | None, str] | None:
        """Write a legal block for a game in which this player owes a move and has got the position."""
        app = self.story.app
        with app.database.read() as session:
            player = player_queries.player_named(session, person.name)
            rows = select(Seat, Game).join(Game, col(Seat.game_id) == Game.id).where(
                Seat.player_id == (player.id if player else 0), col(Seat.until).is_(None), Game.status == "running"
            )  # fmt: skip
            playing = sorted(session.exec(rows).all(), key=lambda pair: pair[1].id)
            self.chance.shuffle(playing)
            for seat, game in playing:
                at, number = position(app, session, game), SeatNumber(seat.number)
                stand = at.engine.stand(at.state, number)
                if number not in at.engine.due(at.state) or not is_released(at.turn):
                    continue
                if not thread_queries.position_sent_at(session, game, seat.player_id, stand):
                    continue
                judge = word_judge.judge(app, session, game)
                lines = at.engine.suggest(at.state, number, Dice(f"{self.seed}/{self._number}", stand), judge)
                if not lines:
                    continue
                block = at.engine.view(at.state, number).block
                head = [line for line in block[:1] if line.startswith("Stand:")]
                return game, game.turn, "\n".join([f"{at.engine.rules.title} {game.name}", *head, *lines])
        return None

    def _speaks(self, person: Person, habit: str) -> None:
        """Let a player write something that is no move."""
        game = self.chance.choice(NAMES)
        said = {
            "silent": (),
            "appealing": (f"Einspruch {game} ROT: steht im Duden\n", "GM: Kannst du das prüfen?\n"),
            "leaving": (f"Abmeldung {game}\n", f"Zurückziehen {game}\n", f"Warten {game}\n", f"Fertig {game}\n"),
            "chatty": (
                "Hallo Cici,\n\nwie geht es dir? Bei uns schneit es.\n", f"Presse {game}\nWer hat das Q?\nEnde\n",
                f"Stand {game}\nSpiele\n", "Hilfe\n", f"Vorab {game}\nZ26 w XQX\n\nkaufen rot\n\nkaufen\n",
            ),
            "away": ("Urlaub 24.12.2026-06.01.2027\n", f"Verlängerung {game} 3 Tage\n", "Sprache en\n"),
        }[habit]  # fmt: skip
        if said:
            self._sends(person, self.chance.choice(said))

    def _standby_writes(self) -> None:
        person = self.chance.choice(self.standbys)
        asked = self._asked(person)
        text = "Ja\n" if self.chance.random() < 0.7 else "Nein\n"
        self._sends(person, text if asked else "Standby\n", subject=f"Re: [Frage {asked}]" if asked else "Zug")

    def _stranger_writes(self) -> None:
        name, game = self.chance.choice(STRANGERS), self.chance.choice(NAMES)
        address = self.address(name)
        asked = self._rows(
            select(Question.code).where(Question.address == address, col(Question.answered_at).is_(None))
        )
        block = self._suggestion(self.chance.choice(self.people))
        said = [
            "Hilfe\n",
            f"Anmeldung {game}\n",
            "Ja\n",
            "Werbung!\n",
            "Standby\n",
            f"Stand {game}\n",
            *([block[2]] if block else []),
        ]
        text, subject = (
            self.chance.choice(said),
            f"Re: [Frage {asked[0]}]" if asked and self.chance.random() < 0.5 else "Hallo",
        )
        self._arrives(self._write(address, text, name=name, subject=subject))

    def _forger_writes(self) -> None:
        """Send a mail in a player's name, without authentication or with a failed one."""
        victim = self.chance.choice(self.people)
        block = self._suggestion(victim)
        text = self.chance.choice([f"Abmeldung {NAMES[0]}\n", "Ja\n", *([block[2]] * 3 if block else [])])
        how = self.chance.choice(("no proof", "dmarc", "name"))
        if how == "name":
            self._arrives(self._write(f"{how}@evil.example", text, name=victim.address.replace("@", " at ")))
        elif self.story.app.settings.security.sender == "authenticated" or how == "dmarc":
            mark = (
                f"Authentication-Results: {TRUSTED}; dmarc=fail header.from={victim.address.partition('@')[2]}\r\n"
                if how == "dmarc"
                else ""
            )
            self._arrives(
                mark.encode() + _received(self.story.now) + self._write(victim.address, text, name=victim.name)
            )

    def _robot_writes(self) -> None:
        """Let a program write: an absence, a report about a mail of ours, advertising."""
        person, chance = self.chance.choice(self.people), self.chance
        kind = chance.choice(("absence", "report", "advertising"))
        if kind == "absence":
            raw = self._write(
                person.address, "Ich bin bis Montag nicht im Büro.\n", name=person.name,
                subject="Automatische Antwort: Zug", headers={"Auto-Submitted": "auto-replied"},
            )  # fmt: skip
        elif kind == "report":
            ours = self._rows(select(MailOut.message_id).where(MailOut.status == "sent").order_by(col(MailOut.id)))
            raw = _report(chance.choice(ours) if ours else "<x@y>", person.address)
        else:
            raw = self._write(
                chance.choice(ROBOTS), "Kaufen Sie jetzt!\n", headers={"List-Unsubscribe": "<mailto:x@y>"}
            )
        self._arrives(raw)

    # -- mails ---------------------------------------------------------------------------------------------------------

    def _sends(
        self, person: Person, text: str, subject: str = "Zug", headers: Mapping[str, str] = MappingProxyType({}),
        *, broken: bool = False,
    ) -> bytes:  # fmt: skip
        """Let a player send a mail; one that is broken on its way can't be read by any program."""
        written = self._write(person.address, text, name=person.name, subject=subject, headers=headers)
        if broken:
            head = "".join(f"Content-Type: multipart/mixed; boundary=b{at}\r\n\r\n--b{at}\r\n" for at in range(60))
            written = written.replace(b"Content-Type: text/plain", head.encode() + b"Content-Type: text/plain", 1)
        raw = _vouched(self.story, person.address) + written
        person.sent.append(raw)
        self._arrives(raw)
        return raw

    def _write(self, sender: str, text: str, **more: Any) -> bytes:
        self._number += 1
        domain = sender.rpartition("@")[2]
        headers = {"To": self.story.app.settings.service.address, **(more.pop("headers", None) or {})}
        message_id = f"<{self.seed}.{self._number}@{domain}>"
        return write_mail(sender, text, message_id=message_id, headers=headers, **more)

    def _arrives(self, raw: bytes) -> None:
        self.story.arrives(raw)

    def _asked(self, person: Person) -> str:
        """Return the code of the newest question to somebody."""
        rows = select(Question.code).where(Question.address == person.address, col(Question.answered_at).is_(None))
        return next(iter(self._rows(rows.order_by(col(Question.id).desc()))), "")

    # -- what must come of it ------------------------------------------------------------------------------------------

    def _was_taken(self, raw: bytes, game_id: int, turn: int | None) -> None:
        """A legal move that came while its position stood is taken, whoever else wrote meanwhile."""
        with self.story.app.database.read() as session:
            row = session.exec(select(MailIn).where(MailIn.raw == raw).order_by(col(MailIn.id))).first()
            game = session.get_one(Game, game_id)
            steps = turn_queries.turns(session, game)
            is_same = game.turn == turn or any(
                one.number == (turn or 0) + 1 and row and one.at >= row.received_at for one in steps
            )
            writer = session.get(Player, row.player_id) if row and row.player_id else None
        assert row is not None
        self.told[f"mail {row.status}"] += 1
        if is_same and writer and row.status == "refused" and row.reason in ("rejection", "nothing"):
            raise AssertionError(f"a legal move (mail {row.id}) was refused: {row.reason}")

    # -- the GM --------------------------------------------------------------------------------------------------------

    def _gm_does(self) -> None:
        """Let the GM type a command; what isn't possible now is refused."""
        name, person = self.chance.choice(NAMES), self.chance.choice(self.people)
        app = self.story.app
        commands: dict[str, Callable[[], object]] = {
            "zat": lambda: actions.move_zat(app, name, "+2d"),
            "pause": lambda: actions.pause(app, name, "2d"),
            "resume": lambda: actions.resume(app, name),
            "close": lambda: actions.close(app, name, app.now()),
            "undo": lambda: actions.undo(app, name),
            "withdraw": lambda: actions.withdraw_move(app, name, person.name),
            "move": lambda: self._enters(person),
            "standby": lambda: actions.standby(app, name, person.name, None, None),
            "release": self._releases,
            "rule": self._rules,
            "retry": self._retries,
            "digest": self._digest,
        }
        waits = set(
            self._rows(select(Question.kind).where(col(Question.answered_at).is_(None), Question.address == ""))
        )
        wanted = [
            kind for kind, asked in (("release", "release"), ("rule", "words"), ("rule", "word")) if asked in waits
        ]
        chosen = self.chance.choice((*wanted * 6, *sorted(commands)))
        with suppress(OperatorError):
            commands[chosen]()
            self.told[f"gm {chosen}"] += 1

    def _enters(self, person: Person) -> None:
        if found := self._suggestion(person):
            actions.enter_move(self.story.app, found[0].name, person.name, found[2])

    def _rules(self) -> None:
        """Rule on the words of the oldest question about words."""
        with self.story.app.database.write() as session:
            rows = select(Question).where(
                col(Question.kind).in_(("words", "word")), col(Question.answered_at).is_(None)
            )
            question = session.exec(rows.order_by(col(Question.id))).first()
            if question and question.game_id:
                words = question.payload.get("words") or question.payload["text"].split()
                game = session.get_one(Game, question.game_id)
                rule(self.story.app, session, game, words, self.chance.random() < 0.5, note="", house=False)

    def _releases(self) -> None:
        """Send the bulletin that has waited longest."""
        rows = select(Game.name).join(Question, col(Question.game_id) == Game.id).where(
            Question.kind == "release", col(Question.answered_at).is_(None)
        )  # fmt: skip
        for name in self._rows(rows.order_by(col(Question.id)).limit(1)):
            actions.release(self.story.app, name, "Viel Vergnügen!")

    def _retries(self) -> None:
        with self.story.app.database.write() as session:
            rows = select(MailIn.id).where(MailIn.status == "quarantined").order_by(col(MailIn.id))
            for mail_id in session.exec(rows).all():
                mail_actions.retry(self.story.app, session, str(mail_id))

    def _digest(self) -> None:
        with self.story.app.database.write() as session:
            make(self.story.app, session, out_of_turn(self.story.app))


def _vouched(story: Story, address: str) -> bytes:
    """Add the Authentication-Results of the service's own server for an honest sender, above its Received."""
    domain = address.rpartition("@")[2]
    said = f"{TRUSTED}; dmarc=pass header.from={domain}; dkim=pass header.d={domain}"
    return f"Authentication-Results: {said}\r\n".encode() + _received(story.now)


def _received(at: datetime) -> bytes:
    hop = f"from mail.spieler.example by {TRUSTED}; {format_datetime(at)}"
    return f"Received: {hop}\r\n".encode()


def _report(message_id: str, recipient: str) -> bytes:
    """Write the report of a server about a mail of ours."""
    return (
        "Return-Path: <>\r\nFrom: MAILER-DAEMON@mx.example\r\nTo: zug@postspiel.example\r\nSubject: Undelivered\r\n"
        'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\r\nMIME-Version: 1.0\r\n\r\n'
        "--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example\r\n\r\n"
        f"Final-Recipient: rfc822; {recipient}\r\nAction: failed\r\nStatus: 5.1.1\r\n\r\n--b\r\n"
        f"Content-Type: message/rfc822\r\n\r\nMessage-ID: {message_id}\r\n\r\n--b--\r\n"
    ).encode()
