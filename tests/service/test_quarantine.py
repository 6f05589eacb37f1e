"""Mails that can't be handled or delivered: quarantined, reported to the GM once, retried, never blocking others."""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest
from sqlmodel import col, select
from typer.testing import CliRunner
from waiting import TIMEOUT

from games import AnyEngine
from games.api import MoveBlock, Resolution, Seat, Sheet, View, say
from games.crossword import Crossword
from games.crossword.rules import Move, State
from games.words import Words
from gm.app.context import App
from gm.cli.commands import cli
from gm.demo.in_memory_zine import PLAYERS, Story, address_of, write_mail
from gm.reports.game import show
from gm.requests import dispatch
from gm.requests.desk import actions, mail_actions
from gm.requests.dispatch import carry_out
from gm.requests.request import Request
from gm.runtime.errors import Refused
from gm.service.inbound.receive import receive
from gm.service.tick import Report
from gm.store.queries import game_queries, seat_queries
from gm.store.tables import Game, MailIn, MailOut
from gm.store.tables import Sheet as SheetRow
from gm.store.zine_tables import Zine
from gm.transport.doubles.in_memory import MemoryOutbox
from gm.transport.smtp.letters import Delivery, Letter

GM = "cici@postspiel.example"
ROWS = "DNTIRO" + "\n......" * 5
MOVE = f"Crossword Eriwan\nNeu: E\n{ROWS}"
BAD = f"Crossword Eriwan\nNeu: X\n{ROWS}"
SLOW = f"Crossword Eriwan\nNeu: Y\n{ROWS}"
UNWORDED = f"Crossword Eriwan\nNeu: W\n{ROWS}"
DEADLY = f"Crossword Eriwan\nNeu: Q\n{ROWS}"


class Dead(BaseException):
    """The process is gone."""


@dataclass
class Faulty(Crossword):
    """Rules with bugs, which certain wishes bring to light, until they are mended."""

    is_mended: bool = False
    breaks_rounds: bool = False
    breaks_views: bool = False

    def read(self, state: State, seat: Seat, block: MoveBlock, words: Words, own: Move | None = None) -> Sheet[Move]:
        """Read a block, or break down."""
        if not self.is_mended:
            match block.lines[0]:
                case "Neu: X":
                    raise ZeroDivisionError("division by zero")
                case "Neu: Y":
                    end = time.monotonic() + TIMEOUT
                    while time.monotonic() < end:
                        pass
                case "Neu: Q":
                    raise Dead
                case "Neu: W":
                    return replace(super().read(state, seat, block, words, own), remarks=(say("UNWORDED"),))
        return super().read(state, seat, block, words, own)

    def resolve(self, *arguments: Any) -> Resolution[State]:
        """Close a round, or break down."""
        if self.breaks_rounds:
            raise KeyError("wish")
        return super().resolve(*arguments)

    def view(self, *arguments: Any, **more: Any) -> View:
        """Show the position, or break down."""
        if self.breaks_views:
            raise IndexError("grid")
        return super().view(*arguments, **more)


@dataclass(frozen=True, kw_only=True)
class OtherRules(App):
    """An App in which every game is played by these rules."""

    rules: AnyEngine

    def engine(self, _key: str) -> AnyEngine:
        """Find the rules of any game."""
        return self.rules


@pytest.fixture
def story(running: Callable[..., Story]) -> Story:
    """Eriwan in round 1 (ZAT 16 November, 20:00)."""
    return running()


@pytest.fixture
def rules(story: Story) -> Faulty:
    """The faulty rules by which Eriwan goes on."""
    rules = Faulty()
    story.app = OtherRules(**vars(story.app), rules=rules)
    return rules


def retry(story: Story, mail_id: str) -> str:
    """`gm mail retry`."""
    with story.app.database.write() as session:
        return mail_actions.retry(story.app, session, mail_id)


def drop(story: Story, mail_id: str) -> str:
    """`gm mail drop`."""
    with story.app.database.write() as session:
        return mail_actions.drop(story.app, session, mail_id)


def todo(story: Story) -> list[tuple[str, str]]:
    """Return what `gm todo` lists: what waits, and about what."""
    done = CliRunner().invoke(cli, ["todo", "--json", "--config", str(story.config)])
    assert done.exit_code == 0, done.output
    return [(row["what"], row["about"]) for row in json.loads(done.output)]


def received(story: Story) -> list[tuple[str, str]]:
    """Return status and reason of all received mails, in order."""
    with story.app.database.read() as session:
        return [(row.status, row.reason) for row in session.exec(select(MailIn).order_by(MailIn.id))]


def queued(story: Story, name: str) -> list[MailOut]:
    """Return all that was ever queued for a player, the bulletin of the start left out."""
    with story.app.database.read() as session:
        rows = select(MailOut).where(MailOut.address == address_of(name), MailOut.kind != "start")
        return list(session.exec(rows.order_by(col(MailOut.id))))


def to_gm(story: Story) -> list[str]:
    """Return the subjects of the GM's new mails."""
    return [mail.subject.partition("] ")[2] for recipient, mail in story.mails() if recipient == GM]


def held(story: Story) -> str:
    """Return why `gm show` says that the round isn't closed."""
    with story.app.database.read() as session:
        return str(show(story.app, session, game_queries.named(session, "Eriwan"))["held"])


def the_game(story: Story) -> Game:
    """Return the game as it stands."""
    with story.app.database.read() as session:
        return game_queries.named(session, "Eriwan")


# -- received ----------------------------------------------------------------------------------------------------------


def test_a_mail_that_brings_a_bug_to_light_is_put_aside(story: Story, rules: Faulty) -> None:
    """It goes to the quarantine with its reason, the GM is told once, and the mails around it are handled."""
    story.writes("Anna Berg", MOVE)
    story.writes("Bernd Cordes", BAD)
    story.writes("Carla Dietz", MOVE)
    assert story.tick().received == 3
    reason = "ZeroDivisionError while handling it; this is a bug"
    assert received(story) == [("applied", "confirmation"), ("quarantined", reason), ("applied", "confirmation")]
    assert len(story.server.folders["GM/Quarantine"]) == 1
    assert len(story.server.folders["GM/Processed"]) == 2
    letters = story.mails()
    assert sorted(recipient for recipient, _ in letters) == ["anna@spieler.example", "carla@spieler.example", GM]
    told = next(mail for recipient, mail in letters if recipient == GM)
    assert told.subject.partition("] ")[2] == "Mail 2 liegt in Quarantäne"
    said = "Beim Bearbeiten trat ein Fehler im Programm auf (ZeroDivisionError); bitte melde ihn."
    assert said in " ".join(told.text.replace(" > ", " ").split())
    assert todo(story) == [("quarantine", reason)]
    story.tick()
    assert to_gm(story) == []


def test_nothing_that_a_quarantined_mail_did_stays(story: Story, rules: Faulty) -> None:
    """Where the second block of a mail breaks, the first is not filed either: the mail is handled as a whole."""
    story.writes("Anna Berg", f"Warten Eriwan\n\n{BAD}")
    story.tick()
    assert [status for status, _ in received(story)] == ["quarantined"]
    with story.app.database.read() as session:
        assert [seat.intent for seat in seat_queries.seats(game_queries.named(session, "Eriwan"))] == [""] * 6


def test_a_mail_whose_answer_can_not_be_written_is_put_aside(story: Story, rules: Faulty) -> None:
    """Answers are written when all mails are handled; what such a mail did is taken back even so."""
    for name, text in zip(PLAYERS, (MOVE, UNWORDED, MOVE), strict=False):
        story.writes(name, text)
    assert story.tick().received == 3
    assert [status for status, _ in received(story)] == ["applied", "quarantined", "applied"]
    assert received(story)[1][1] == "KeyError while handling it; this is a bug"
    with story.app.database.read() as session:
        assert [sheet.seat for sheet in session.exec(select(SheetRow).order_by(SheetRow.id))] == [1, 3]
    assert [len(queued(story, name)) for name in PLAYERS[:3]] == [1, 0, 1]
    assert to_gm(story) == ["Mail 2 liegt in Quarantäne"]


@pytest.mark.trust(except_first=3)
@pytest.mark.parametrize("number", [1, 2], ids=["the second", "the last"])
@pytest.mark.parametrize("when", ["at once", "with the mail"])
def test_a_mail_whose_rows_are_refused_is_put_aside(
    when: str, number: int, story: Story, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A database error ends the transaction of the mail that caused it, and of no other."""

    def carry_out_too_much(request: Request) -> None:
        carry_out(request)
        if request.mail.sender == address_of(PLAYERS[number]):
            request.session.add(Zine(secret="a second one", incarnation=""))
            if when == "at once":
                request.session.flush()

    monkeypatch.setattr(dispatch, "carry_out", carry_out_too_much)
    for name in PLAYERS[:3]:
        story.writes(name, MOVE)
    assert story.tick().received == 3
    others = [at for at in range(3) if at != number]
    assert [status for status, _ in received(story)] == [
        "quarantined" if at == number else "applied" for at in range(3)
    ]
    assert received(story)[number][1] == "IntegrityError while handling it; this is a bug"
    with story.app.database.read() as session:
        assert [sheet.seat - 1 for sheet in session.exec(select(SheetRow).order_by(SheetRow.id))] == others
    assert [len(queued(story, name)) for name in PLAYERS[:3]] == [int(at in others) for at in range(3)]


@pytest.mark.trust
def test_a_mail_that_takes_too_long_is_put_aside(story: Story, rules: Faulty) -> None:
    """A mail is interrupted after four seconds of rules, and the next one is handled."""
    story.writes("Anna Berg", SLOW)
    story.writes("Bernd Cordes", MOVE)
    story.tick()
    assert received(story) == [("quarantined", "reading it took longer than 4 s"), ("applied", "confirmation")]


def test_a_mail_that_kills_the_service_is_put_aside_alone(story: Story, rules: Faulty) -> None:
    """After three deaths the fourth start puts that mail aside; no other mail of the batch suffers for it."""
    story.writes("Anna Berg", MOVE)
    story.writes("Bernd Cordes", DEADLY)
    story.writes("Carla Dietz", MOVE)
    for _ in range(3):
        with pytest.raises(Dead):
            story.tick()
        story.app.ours.clear()  # the next process begins
    story.tick()
    reason = "the service ended 3 times while handling it"
    assert received(story) == [("applied", "confirmation"), ("quarantined", reason), ("applied", "confirmation")]
    assert todo(story) == [("quarantine", reason)]
    assert len(story.server.folders["GM/Quarantine"]) == 1
    assert to_gm(story) == ["Mail 2 liegt in Quarantäne"]


def test_a_mail_that_can_not_be_read_is_put_aside(story: Story) -> None:
    """Bytes that are no mail at all do no harm."""
    story.arrives(b"\x00\xff" * 1000)
    story.arrives(b"")
    story.arrives(b"Content-Type: multipart/mixed; boundary=a\r\n\r\n" + b"Content-Type: multipart/x\r\n\r\n" * 60)
    story.writes("Anna Berg", MOVE)
    assert story.tick().received == 4
    assert all(status in ("quarantined", "ignored") for status, _ in received(story)[:3])
    assert received(story)[3] == ("applied", "confirmation")
    assert story.server.folders["INBOX"] == {}


def test_a_retried_mail_counts_as_of_its_arrival(story: Story, rules: Faulty) -> None:
    """When the fault is mended, `gm mail retry` handles the mail as if nothing had been."""
    story.writes("Anna Berg", BAD)
    story.tick()
    rules.is_mended = True
    assert retry(story, "1") == "Mail 1 is tried again with the next pass of `gm serve`."
    assert todo(story) == []
    story.mails()
    story.tick()
    assert received(story) == [("applied", "confirmation")]
    assert story.gets("Anna Berg").subject == "[Eriwan] Zug Runde 1 angekommen"


@pytest.mark.tampers
@pytest.mark.parametrize(
    ("table", "mail_id", "statuses"),
    [
        (MailIn, "1", ("new", "applied", "refused", "ignored", "quarantined", "waiting")),
        (MailOut, "o1", ("queued", "sent", "refused", "bounced", "dropped", "left out")),
    ],
)
def test_retry_takes_what_it_says_it_takes(story: Story, table: Any, mail_id: str, statuses: tuple[str, ...]) -> None:
    """`gm mail retry` refuses other mails and names exactly the statuses it accepts; `O1` is read as `o1`."""
    story.writes("Anna Berg", MOVE)
    story.tick()
    outcomes = {}
    for status in statuses:
        with story.app.database.write() as session:
            row = session.get_one(table, 1)
            row.status = status
            session.add(row)
        try:
            outcomes[status] = retry(story, mail_id.upper())
        except Refused as error:
            outcomes[status] = str(error)
    taken = {status for status, said in outcomes.items() if "is tried again with the next pass" in said}
    named = {
        (status, other) for status in statuses if status not in taken for other in statuses
        if f"{other} " in outcomes[status].partition(";")[2]
    }  # fmt: skip
    assert len(taken) == 2
    assert named == {(status, other) for status in statuses if status not in taken for other in taken}


def test_a_retried_mail_is_not_taken_for_its_own_copy(story: Story, rules: Faulty) -> None:
    """The mailbox was restored and a quarantined mail came once more: retrying the first one still handles it."""
    raw = story.writes("Anna Berg", BAD)
    story.tick()
    story.arrives(raw)
    story.tick()
    assert received(story)[1] == ("ignored", "the same mail as 1")
    rules.is_mended = True
    retry(story, "1")
    story.tick()
    assert [status for status, _ in received(story)] == ["applied", "ignored"]


def test_a_dropped_mail_is_settled(story: Story, rules: Faulty) -> None:
    """`gm mail drop` takes it off the list; it stays in the log with its reason, and a copy of it is ignored."""
    raw = story.writes("Anna Berg", BAD)
    story.tick()
    assert drop(story, "1") == "Mail 1 is put aside."
    assert todo(story) == []
    story.arrives(raw)
    story.tick()
    reason = "dropped by the GM; was: ZeroDivisionError while handling it; this is a bug"
    assert received(story) == [("ignored", reason), ("ignored", "the same mail as 1")]
    with pytest.raises(Refused, match="Mail 1 is ignored; of the received mails only a quarantined or waiting one can"):
        retry(story, "1")


# -- rounds ------------------------------------------------------------------------------------------------------------


def others_move(story: Story) -> None:
    """Everybody but Anna sends a move."""
    for name in PLAYERS[1:]:
        story.writes(name, MOVE)


def test_a_round_waits_for_a_quarantined_move_and_closes_with_it(story: Story, rules: Faulty) -> None:
    """The ZAT passes while a due seat's mail lies in quarantine: mended in time, it counts."""
    others_move(story)
    story.writes("Anna Berg", BAD)
    story.at("2026-11-16T20:00:00+01:00")
    assert held(story) == "None"
    story.at("2026-11-16T20:01:00+01:00")
    assert story.tick().closed == []
    assert held(story) == "mail 6 in quarantine may be a missing move: gm mail show 6"
    rules.is_mended = True
    retry(story, "6")
    story.passes(hours=20)
    assert story.tick().closed == ["Eriwan"]
    confirmation, bulletin = (mail for recipient, mail in story.mails() if recipient == address_of("Anna Berg"))
    assert "angekommen" in confirmation.subject
    assert "NMR" not in bulletin.text


def test_a_round_does_not_wait_longer_than_hold(story: Story, rules: Faulty) -> None:
    """After `hold` (24 h) the round closes all the same."""
    others_move(story)
    story.writes("Anna Berg", BAD)
    story.at("2026-11-16T20:01:00+01:00")
    story.tick()
    story.at("2026-11-17T19:59:00+01:00")
    assert story.tick().closed == []
    story.at("2026-11-17T20:00:00+01:00")
    assert story.tick().closed == ["Eriwan"]
    assert the_game(story).round == 2


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize("reason", ["a move is on file", "dropped"])
def test_a_round_does_not_wait_without_need(story: Story, rules: Faulty, reason: str) -> None:
    """Nobody waits for a mail that can't become a move of this round, or of a seat that has one."""
    others_move(story)
    story.writes("Bernd Cordes", "Warten Eriwan")
    if reason == "a move is on file":
        story.writes("Anna Berg", MOVE)
    story.writes("Anna Berg", BAD)
    story.tick()
    if reason == "dropped":
        drop(story, "7")
    story.at("2026-11-16T20:02:00+01:00")
    assert story.tick().closed == ["Eriwan"]


def test_a_round_does_not_wait_for_what_came_too_late(story: Story, rules: Faulty) -> None:
    """A mail that arrived after the ZAT can't become a move of this round, so it holds nothing up."""
    rules.breaks_views = True
    story.at("2026-11-16T20:00:30+01:00")
    story.writes("Anna Berg", "Stand Eriwan")
    receive(story.app, Report())
    assert [status for status, _ in received(story)] == ["quarantined"]
    rules.breaks_views = False
    assert story.tick().closed == ["Eriwan"]


def test_a_game_whose_rules_break_is_held_alone(story: Story, rules: Faulty) -> None:
    """A bug at the closing holds that game, the GM is told once, the mails go on; mended, `gm close` closes it."""
    rules.breaks_rounds = True
    story.passes(days=20)
    assert story.tick().closed == []
    reason = "closing its round failed with KeyError; this is a bug"
    assert the_game(story).held == reason
    assert [what for what, _ in todo(story)] == ["held"]
    assert len(to_gm(story)) == 1
    story.passes(days=1)
    assert story.tick().is_idle
    rules.breaks_rounds = False
    actions.close(story.app, "Eriwan", story.now)
    assert (the_game(story).round, the_game(story).held) == (2, "")


# -- outgoing ----------------------------------------------------------------------------------------------------------


def test_a_refused_mail_is_put_before_the_gm(story: Story) -> None:
    """5xx is for good: told once and listed, until `gm mail retry` queues the very same mail again."""
    story.outbox.refuse(address_of("Anna Berg"))
    actions.close(story.app, "Eriwan", story.now)
    story.tick()
    (bulletin,) = queued(story, "Anna Berg")
    assert (bulletin.status, bulletin.error) == ("refused", "550 not taken")
    story.tick()
    assert to_gm(story) == ["Mails an Anna Berg kommen zurück"]
    ((what, about),) = todo(story)
    assert what == "undelivered"
    assert about.startswith("Anna Berg: anna@spieler.example: [Eriwan] Runde 1")
    story.passes(days=1)
    assert story.tick().is_idle
    story.outbox.accept(address_of("Anna Berg"))
    retry(story, f"o{bulletin.id}")
    assert todo(story) == []
    story.tick()
    assert story.gets("Anna Berg").message_id == bulletin.message_id


def test_a_dropped_refusal_is_settled(story: Story) -> None:
    """`gm mail drop o12` takes an undeliverable mail off the list; it is never sent."""
    story.outbox.refuse(address_of("Anna Berg"))
    actions.close(story.app, "Eriwan", story.now)
    story.tick()
    (bulletin,) = queued(story, "Anna Berg")
    drop(story, f"o{bulletin.id}")
    story.outbox.accept(address_of("Anna Berg"))
    story.mails()
    story.passes(days=1)
    story.tick()
    assert todo(story) == []
    assert all(recipient == GM for recipient, _ in story.mails())


def test_the_gms_own_mailbox_refusing_makes_no_loop(story: Story, rules: Faulty) -> None:
    """The notice about a notice that can't be delivered is not written."""
    story.outbox.refuse(GM)
    story.writes("Anna Berg", BAD)
    story.tick()
    story.tick()
    assert story.tick().is_idle
    assert [what for what, _ in todo(story)] == ["quarantine"]


@pytest.mark.trust
def test_a_deferred_mail_is_tried_for_five_days(story: Story) -> None:
    """4xx may pass: after growing pauses of at most six hours it is given up and put before the GM."""
    story.outbox.defer(address_of("Anna Berg"))
    actions.close(story.app, "Eriwan", story.now)
    tries = []
    while (row := queued(story, "Anna Berg")[0]).status == "queued":
        story.now = row.next_try
        tries.append(story.now)
        story.tick()
    pauses = [(later - sooner) // timedelta(minutes=1) for sooner, later in pairwise(tries)]
    assert pauses[:8] == [5, 10, 20, 40, 80, 160, 320, 360]
    assert set(pauses[8:]) == {360}
    assert timedelta(days=5) <= tries[-1] - tries[0] < timedelta(days=5, hours=6)
    assert (row.status, row.error) == ("refused", "451 not taken")
    story.tick()
    assert to_gm(story) == ["Mails an Anna Berg kommen zurück"]
    assert [what for what, _ in todo(story)] == ["undelivered"]


def test_a_later_mail_waits_for_a_deferred_one(story: Story) -> None:
    """The bulletin of round 2 never arrives before that of round 1; answers need not wait for bulletins."""
    story.outbox.defer(address_of("Anna Berg"))
    actions.close(story.app, "Eriwan", story.now)
    story.tick()
    story.outbox.accept(address_of("Anna Berg"))
    actions.close(story.app, "Eriwan", story.now)
    story.writes("Anna Berg", "Hilfe")
    story.tick()
    story.passes(minutes=6)
    story.tick()
    subjects = [mail.subject for recipient, mail in story.mails() if recipient == address_of("Anna Berg")]
    assert [subject.split()[1] for subject in subjects[1:]] == ["Runde", "Runde"]
    assert [subject.split()[2] for subject in subjects[1:]] == ["1", "2"]
    assert not subjects[0].startswith("[Eriwan] Runde")


def test_what_stands_behind_a_waiting_mail_waits(story: Story) -> None:
    """A refused bulletin is tried again while the next one is put off: the one behind that keeps its place."""
    story.outbox.refuse(address_of("Anna Berg"))
    actions.close(story.app, "Eriwan", story.now)
    story.tick()
    story.outbox.defer(address_of("Anna Berg"))
    actions.close(story.app, "Eriwan", story.now)
    story.tick()
    actions.close(story.app, "Eriwan", story.now)
    story.outbox.accept(address_of("Anna Berg"))
    retry(story, f"o{queued(story, 'Anna Berg')[0].id}")
    story.tick()
    assert [row.status for row in queued(story, "Anna Berg")] == ["sent", "queued", "queued"]
    assert [row.attempts for row in queued(story, "Anna Berg")][1:] == [1, 0]
    story.passes(minutes=6)
    story.tick()
    mails = [mail for recipient, mail in story.mails() if recipient == address_of("Anna Berg")]
    assert [mail.subject.split()[2] for mail in mails] == ["1", "2", "3"]


class Greylisting(MemoryOutbox):
    """A server that takes every mail at the second attempt only."""

    def _try(self, letter: Letter) -> Delivery:
        """Put off what was not seen before."""
        known: set[int] = self.__dict__.setdefault("known", set())
        if letter.id in known:
            return super()._try(letter)
        known.add(letter.id)
        return self._delivery(letter, 451, "greylisted")


def test_a_later_mail_of_the_same_batch_waits_as_well(story: Story) -> None:
    """Two bulletins are due at once and the first is deferred: the second isn't even tried before it."""
    story.outbox = Greylisting(clock=lambda: story.now)
    story.app = story.open(story.app.settings)
    story._read = 0
    actions.close(story.app, "Eriwan", story.now)
    actions.close(story.app, "Eriwan", story.now)
    for _ in range(20):
        story.tick()
        story.passes(minutes=2)
    mails = [mail for recipient, mail in story.mails() if recipient != GM]
    assert [mail.subject.split()[2] for mail in mails] == ["1"] * 6 + ["2"] * 6


def test_no_more_than_per_minute_goes_out(running: Callable[..., Story]) -> None:
    """The provider's limit is kept; the rest goes out in the minutes that follow."""
    story = running(more={"smtp": {"per_minute": 4}})
    actions.close(story.app, "Eriwan", story.now)
    counts = []
    for _ in range(3):
        story.passes(seconds=61)
        counts.append(story.tick().sent)
        counts.append(story.tick().sent)
    assert counts == [4, 0, 2, 0, 0, 0]


# -- size --------------------------------------------------------------------------------------------------------------


def test_the_move_in_a_huge_mail_counts_if_it_stands_at_the_beginning(story: Story) -> None:
    """Over 256 KiB only the beginning is read: a block that stands there complete is taken."""
    story.arrives(write_mail(address_of("Anna Berg"), f"{MOVE}\n\n" + "Und noch etwas Prosa.\n" * 20_000))
    story.tick()
    assert "angekommen" in story.gets("Anna Berg").subject


def test_a_move_at_the_end_of_a_huge_mail_is_refused_with_help(story: Story) -> None:
    """What isn't read is not taken silently for nothing: the sender is answered."""
    story.arrives(write_mail(address_of("Anna Berg"), "Und noch etwas Prosa.\n" * 20_000 + f"\n{MOVE}\n"))
    story.tick()
    assert [status for status, _ in received(story)] == ["refused"]
    assert story.gets("Anna Berg").text
