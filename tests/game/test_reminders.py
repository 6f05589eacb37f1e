"""Reminders: some time before the ZAT, once, and only to those whose move is missing."""

from datetime import timedelta
from typing import Any

import pytest
import seating

from gm.app.pass_report import Report
from gm.demo.in_memory_zine import PLAYERS, address_of, one_pass
from gm.requests.desk import actions
from gm.runtime.config.settings import load
from gm.service.due_games import handle_due_games
from gm.store.queries import game_queries

ANNA, BERND, CARLA, DORA, EMIL, FRIDA = PLAYERS
GERDA = "Gerda Hahn"


def reminded(zine: Any) -> list[str]:
    """Do a pass; list who was reminded, in the order of seats."""
    zine.tick()
    to = [recipient for recipient, mail in zine.mails() if "Erinnerung" in mail.subject]
    assert len(set(to)) == len(to)
    return [name for name in (*PLAYERS, GERDA) if address_of(name) in to]


def at_before(zine: Any, **span: float) -> None:
    """Set the clock to so long before the ZAT, and look into the mailbox."""
    zine.passes_until(zine.zat - timedelta(**span))


def test_who_has_not_moved_is_reminded_three_days_before(eriwan: Any) -> None:
    """Three days before the ZAT those without a move get a mail, not a second earlier, and nobody else does."""
    eriwan.all_send(ANNA, BERND, CARLA)
    eriwan.mails()
    at_before(eriwan, days=3, seconds=3)
    assert reminded(eriwan) == []
    at_before(eriwan, days=3)
    assert reminded(eriwan) == [DORA, EMIL, FRIDA]


def test_each_reminder_comes_once(eriwan: Any) -> None:
    """Many passes bring one mail three days before and one twelve hours before; who has moved by then gets none."""
    at_before(eriwan, days=3)
    assert reminded(eriwan) == list(PLAYERS)
    for _ in range(3):
        eriwan.passes(hours=5)
        assert reminded(eriwan) == []
    eriwan.all_send(ANNA, BERND)
    eriwan.mails()
    at_before(eriwan, hours=12)
    assert reminded(eriwan) == [CARLA, DORA, EMIL, FRIDA]
    at_before(eriwan, minutes=1)
    assert reminded(eriwan) == []


def test_the_reminder_says_what_is_needed(eriwan: Any) -> None:
    """It names the ZAT, shows the position and the block to copy, and says how to ask for more time."""
    at_before(eriwan, days=3)
    eriwan.tick()
    mail = eriwan.gets(ANNA)
    assert mail.subject == "[Eriwan] Erinnerung: ZAT Runde 1 am Mo, 16.11.2026, 20:00 Uhr – dein Zug fehlt"
    for part in ("Crossword Eriwan", "Neu:", "Verlängerung Eriwan 3 Tage"):
        assert part in mail.text
    eriwan.sends(ANNA, "DN")
    assert eriwan.answer(ANNA).subject == "[Eriwan] Zug Runde 1 angekommen"


def test_the_reminder_shows_the_own_board_alone(eriwan: Any) -> None:
    """Six boards would hide what is missing: the reader's own is there, and no other."""
    at_before(eriwan, days=3)
    eriwan.tick()
    assert eriwan.gets(ANNA).text.count("a b c d e f") == 1


def test_the_reminder_tells_of_a_refused_move(eriwan: Any) -> None:
    """Who believes to have moved reads that the mail was not taken, and of what day it was; others don't."""
    eriwan.sends(ANNA, "Q")
    eriwan.tick()
    assert "NICHT angenommen" in eriwan.answer(ANNA).subject
    eriwan.mails()
    at_before(eriwan, days=3)
    eriwan.tick()
    reminders = {to: mail.text for to, mail in eriwan.mails()}
    refused = [to for to, text in reminders.items() if "wurde nicht angenommen" in " ".join(text.split())]
    assert refused == [address_of(ANNA)]


def test_an_incomplete_move_is_reminded_of_what_is_missing(eriwan: Any) -> None:
    """A reminder for a missing wish says that the move is there and the wish isn't."""
    eriwan.all_send(*PLAYERS[1:])
    eriwan.sends(ANNA, "DN", "")
    eriwan.tick()
    eriwan.mails()
    at_before(eriwan, days=3)
    eriwan.tick()
    mail = eriwan.gets(ANNA)
    assert mail.subject.endswith("etwas fehlt noch")
    assert "Wunschbuchstabe" in mail.text
    assert "D N . . . ." in mail.text


def test_the_block_in_such_a_reminder_holds_what_is_there(eriwan: Any) -> None:
    """Copying the reminder's block and adding the wish keeps the whole move."""
    eriwan.sends(ANNA, "DN", "")
    eriwan.tick()
    eriwan.mails()
    at_before(eriwan, days=3)
    eriwan.tick()
    mail = eriwan.gets(ANNA)
    block = mail.text[mail.text.index("     Crossword Eriwan") :].split("\n\n")[0]
    lines = [line.strip() for line in block.splitlines() if not line.strip().startswith("Neu")]
    eriwan.writes(ANNA, "\n".join([lines[0], "Neu: E", *lines[1:], ""]))
    eriwan.tick()
    assert eriwan.on_file(ANNA) == ("dn", "E")


def test_a_withdrawn_move_is_missing(eriwan: Any) -> None:
    """A player who withdrew the move is reminded."""
    eriwan.all_send()
    eriwan.writes(ANNA, "Zurückziehen Eriwan\n")
    eriwan.tick()
    eriwan.mails()
    at_before(eriwan, days=3)
    assert reminded(eriwan) == [ANNA]


def test_the_next_round_has_reminders_of_its_own(eriwan: Any) -> None:
    """Each round reminds anew."""
    at_before(eriwan, days=3)
    assert len(reminded(eriwan)) == 6
    eriwan.passes_until(eriwan.zat, seconds=1)
    eriwan.tick()
    eriwan.mails()
    at_before(eriwan, days=3)
    assert len(reminded(eriwan)) == 6


def test_a_moved_zat_has_reminders_of_its_own(eriwan: Any) -> None:
    """After `gm zat +7d` there is a reminder before the new ZAT, once; the same again when it moves again."""
    at_before(eriwan, days=3)
    assert len(reminded(eriwan)) == 6
    for _ in range(2):
        actions.move_zat(eriwan.app, "Eriwan", "+7d")
        assert reminded(eriwan) == []
        at_before(eriwan, days=3)
        assert len(reminded(eriwan)) == 6
        assert reminded(eriwan) == []


def test_who_has_just_been_told_of_the_zat_needs_no_reminder(eriwan: Any) -> None:
    """A ZAT that was moved to tomorrow was told with that; the reminder for three days is over, twelve hours isn't."""
    actions.move_zat(eriwan.app, "Eriwan", "2026-11-04 20:00")
    assert reminded(eriwan) == []
    at_before(eriwan, hours=12)
    assert len(reminded(eriwan)) == 6


def test_after_a_downtime_the_most_urgent_is_enough(eriwan: Any) -> None:
    """Where both reminders are overdue, each gets one mail."""
    at_before(eriwan, hours=2)
    assert len(reminded(eriwan)) == 6
    assert reminded(eriwan) == []


def test_nobody_is_reminded_of_a_zat_that_has_passed(eriwan: Any) -> None:
    """A service that comes back after the ZAT closes and reminds nobody."""
    eriwan.passes_until(eriwan.zat, hours=1)
    assert reminded(eriwan) == []
    assert eriwan.round == 2


@pytest.mark.trust(except_first=2)
@pytest.mark.parametrize(("span", "hours"), [("2d", 12), ("12h", None), ("90m", None)])
def test_rounds_that_are_shorter_than_the_span(begin: Any, span: str, hours: int | None) -> None:
    """A round of two days has no reminder three days before; one of twelve hours none at all."""
    eriwan = begin("started", deadlines={"reminders": ["3d", "12h"]})
    with eriwan.writing() as session:
        game_queries.named(session, "Eriwan").span = span
    actions.close(eriwan.app, "Eriwan", eriwan.now)
    assert reminded(eriwan) == []
    if hours:
        at_before(eriwan, hours=hours)
        assert len(reminded(eriwan)) == 6
    at_before(eriwan, minutes=1)
    assert reminded(eriwan) == []


def test_a_clock_that_stands_still_reminds_nobody(eriwan: Any) -> None:
    """Neither in a pause, nor while the game is held or its bulletin waits for the GM."""
    actions.pause(eriwan.app, "Eriwan", "20d")
    eriwan.passes(days=19)
    assert reminded(eriwan) == []
    eriwan.passes(days=2)
    at_before(eriwan, days=3)
    assert len(reminded(eriwan)) == 6
    at_before(eriwan, hours=12)
    with eriwan.writing() as session:
        game_queries.named(session, "Eriwan").held = "a bug"
    assert reminded(eriwan) == []


def test_a_bulletin_that_waits_reminds_nobody(begin: Any) -> None:
    """A player who hasn't got the position isn't reminded."""
    eriwan = begin("started", deadlines={"release": "gm"})
    actions.close(eriwan.app, "Eriwan", eriwan.now)
    eriwan.tick()
    eriwan.mails()
    for _ in range(14):
        eriwan.passes(days=1)
        assert reminded(eriwan) == []


def test_the_standby_is_reminded_like_anybody(eriwan: Any) -> None:
    """A standby three days before the ZAT gets the welcome, then the last reminder; the predecessor none."""
    at_before(eriwan, days=3)
    eriwan.all_send(*(name for name in PLAYERS if name != DORA))
    eriwan.mails()
    actions.standby(eriwan.app, "Eriwan", DORA, GERDA, address_of(GERDA))
    assert reminded(eriwan) == []
    at_before(eriwan, hours=12)
    assert reminded(eriwan) == [GERDA]


def test_an_empty_seat_is_reminded_of_nothing(eriwan: Any) -> None:
    """A player who left gets no more mails."""
    eriwan.writes(DORA, "Abmeldung Eriwan\n")
    eriwan.tick()
    eriwan.mails()
    at_before(eriwan, days=3)
    assert DORA not in reminded(eriwan)


def test_two_processes_remind_once(eriwan: Any) -> None:
    """Both look at the same second; one mail goes to each."""
    other = eriwan.open(load(eriwan.config))
    try:
        at_before(eriwan, days=3)
        handle_due_games(eriwan.app, None, Report())
        handle_due_games(other, None, Report())
        one_pass(other)
        assert reminded(eriwan) == list(PLAYERS)
    finally:
        other.close()


def test_the_reminder_goes_out_though_no_mail_can_be_fetched(eriwan: Any) -> None:
    """While IMAP is down mails go out all the same."""
    eriwan.tick()
    at_before(eriwan, days=3)
    eriwan.server.is_down = True
    assert len(reminded(eriwan)) == 6


def test_in_a_game_played_in_turns_only_who_is_on_turn(begin: Any) -> None:
    """Farbdomino: one is on turn, one is reminded; with the next one on turn it is his."""
    zine = begin("empty", deadlines={"reminders": ["1d"]})
    seating.start(zine.app, "farbdomino", "Elba", (ANNA, BERND))
    zine.tick()
    zine.mails()
    seen = []
    for _ in range(2):
        with zine.app.database.read() as session:
            zat = game_queries.named(session, "Elba").zat
        zine.passes_until(zat, days=-1)
        seen.append(reminded(zine))
        zine.passes_until(zat, seconds=1)
        zine.tick()
        zine.mails()
    assert sorted(seen) == [[ANNA], [BERND]]
