"""When a round closes and what still counts: the server's time of arrival decides, nothing else."""

from datetime import datetime, timedelta
from typing import Any

import pytest
import seating

from gm.demo.in_memory_zine import PLAYERS, address_of, write_mail
from gm.game.position import position
from gm.reports.todo import waiting_for_gm
from gm.requests.desk import actions
from gm.store.queries import game_queries, seat_queries
from gm.store.tables import Player, Question, Sheet

ANNA, BERND = PLAYERS[:2]
OTHERS = PLAYERS[1:]


def test_nobody_sends_anything(eriwan: Any) -> None:
    """At the ZAT the round closes with NMR for all: nothing is placed, the wishes are repeated."""
    eriwan.passes_until(eriwan.zat, seconds=1)
    assert eriwan.tick().closed == ["Eriwan"]
    assert eriwan.round == 2
    assert [seat["nmr"] for seat in eriwan.show()["seats"]] == [[1]] * 6
    assert eriwan.show()["letters"] == "DINORT"
    assert len(eriwan.mails()) == 6


def test_nothing_closes_before_the_zat(eriwan: Any) -> None:
    """In the second of the ZAT itself mails may still come: nothing closes before it is over."""
    eriwan.passes_until(eriwan.zat)
    assert eriwan.tick().closed == []
    eriwan.passes_until(eriwan.zat, seconds=1)
    assert eriwan.tick().closed == ["Eriwan"]
    assert eriwan.tick().closed == []


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize(("seconds", "in_time"), [(-1, True), (0, True), (0.999, True), (1, False), (60, False)])
def test_the_second_of_the_zat_is_in_time(eriwan: Any, seconds: float, in_time: bool) -> None:
    """A mail that arrives in the second of the ZAT counts, one that arrives a second later doesn't."""
    eriwan.passes_until(eriwan.zat, seconds=seconds)
    eriwan.sends(ANNA, "DN")
    eriwan.tick()
    assert eriwan.round == 2
    assert eriwan.seat(ANNA)["nmr"] == ([] if in_time else [1])
    assert eriwan.seat(ANNA)["grid"][0] == ("dn...." if in_time else "......")


def test_a_late_mail_is_answered_and_never_counts(eriwan: Any) -> None:
    """A mail between ZAT and bulletin is told to be late; it is a move of no round."""
    eriwan.passes_until(eriwan.zat, minutes=2)
    eriwan.sends(ANNA, "DN", "X")
    eriwan.tick()
    subjects = [mail.subject for recipient, mail in eriwan.mails() if recipient == address_of(ANNA)]
    assert subjects[0] == "[Eriwan] Zug Runde 1 verspätet eingegangen"
    assert subjects[1].startswith("[Eriwan] Runde 1 ausgewertet")
    assert eriwan.last_reason() == "late"
    assert eriwan.on_file(ANNA) is None
    eriwan.passes(days=15)
    eriwan.tick()
    assert eriwan.seat(ANNA)["nmr"] == [1, 2]


def test_a_late_move_is_put_before_the_gm(eriwan: Any) -> None:
    """The GM gets the late block and may enter it by hand; it stands in `gm todo` until it is ticked off."""
    eriwan.passes_until(eriwan.zat, minutes=1)
    eriwan.sends(ANNA, "DN")
    eriwan.tick()
    told = [mail for recipient, mail in eriwan.mails() if recipient == "cici@postspiel.example"]
    assert [mail.subject.partition("] ")[2] for mail in told] == [f"[Eriwan] Ein Zug von {ANNA} kam zu spät"]
    assert "DN...." in told[0].text
    assert [question.kind for question in eriwan.rows(Question)] == ["late"]


def test_a_move_that_a_server_shows_late_is_put_before_the_gm_as_in_time(eriwan: Any) -> None:
    """It came before the ZAT and is seen after the closing: its player hears so, the GM gets the lines that mend it."""
    eriwan.passes_until(eriwan.zat, minutes=-5)
    eriwan.sends(ANNA, "DN")
    (held_back,) = eriwan.server.folders["INBOX"].values()
    eriwan.server.folders["INBOX"].clear()
    block = eriwan.block(ANNA, "DN")
    eriwan.passes_until(eriwan.zat, seconds=1)
    assert eriwan.tick().closed == ["Eriwan"]
    eriwan.mails()
    eriwan.server.deliver(held_back.raw, held_back.received_at)
    eriwan.tick()
    told = dict(eriwan.mails())
    answer = eriwan.said(told[address_of(ANNA)])
    assert "Runde 1: deine Mail kam rechtzeitig" in answer
    assert "Verloren ist nichts" in answer
    assert "zu spät" not in answer
    notice = eriwan.said(told["cici@postspiel.example"])
    assert f"Ein Zug von {ANNA} kam rechtzeitig" in notice
    assert "DN...." in notice
    with eriwan.app.database.read() as session:
        (row,) = [row for row in waiting_for_gm(eriwan.app, session) if row["what"] == "in_time"]
    lines = f'gm undo Eriwan, gm move Eriwan "{ANNA}", gm close Eriwan; then gm todo --done '
    assert row["do"].startswith(lines)
    actions.undo(eriwan.app, "Eriwan")
    actions.enter_move(eriwan.app, "Eriwan", ANNA, block)
    actions.close(eriwan.app, "Eriwan", eriwan.now)
    assert (eriwan.round, eriwan.seat(ANNA)["nmr"], eriwan.seat(ANNA)["grid"][0]) == (2, [], "dn....")


@pytest.mark.parametrize(("minutes", "kind"), [(-5, "in_time"), (0, "in_time"), (1, "late")])
def test_what_is_seen_after_a_late_closing_is_judged_by_the_zat(eriwan: Any, minutes: int, kind: str) -> None:
    """The round closed an hour after its ZAT, as nobody could fetch: in time is what came until the ZAT."""
    zat = eriwan.zat
    eriwan.server.is_down = True
    eriwan.passes_until(zat, hours=1)
    eriwan.tick()
    eriwan.server.is_down = False
    eriwan.tick()
    assert eriwan.round == 2
    raw = write_mail(address_of(ANNA), eriwan.block(ANNA, "DN"), name=ANNA)
    eriwan.server.deliver(raw, zat + timedelta(minutes=minutes))
    eriwan.tick()
    assert [question.kind for question in eriwan.rows(Question)] == [kind]


def test_a_block_for_the_present_round_is_none_for_the_one_before(eriwan: Any) -> None:
    """Who names the round that is open now means that one, whenever the mail came."""
    zat = eriwan.zat
    eriwan.passes_until(zat, seconds=1)
    eriwan.tick()
    raw = write_mail(address_of(ANNA), eriwan.block(ANNA, "TI", head=("Runde: 2",)), name=ANNA)
    eriwan.server.deliver(raw, zat - timedelta(minutes=1))
    eriwan.tick()
    assert eriwan.rows(Question) == []
    assert eriwan.last_reason() == "confirmation"


def test_a_withdrawal_that_is_seen_late_is_put_before_the_gm(eriwan: Any) -> None:
    """`Zurückziehen` came in time as well; the move had been taken all the same."""
    zat = eriwan.zat
    eriwan.sends(ANNA, "DN")
    eriwan.tick()
    eriwan.passes_until(zat, seconds=1)
    eriwan.tick()
    eriwan.server.deliver(write_mail(address_of(ANNA), "Zurückziehen Eriwan\n", name=ANNA), zat - timedelta(hours=1))
    eriwan.tick()
    ((kind, text),) = [(question.kind, question.payload["text"]) for question in eriwan.rows(Question)]
    assert (kind, text) == ("in_time", "Zurückziehen Eriwan")


def test_a_turn_that_a_server_shows_late(zine: Any) -> None:
    """In a game that plays in turns as well: its player was passed over, and somebody else is on turn by now."""
    seating.start(zine.app, "typ-dom", "Riga", PLAYERS[:3])
    zine.tick()
    zat, first, *_ = on_turn(zine)
    zine.passes_until(zat, seconds=1)
    zine.tick()
    assert on_turn(zine)[1] != first
    before = zine.now
    zine.server.deliver(write_mail(address_of(first), "Typ-Dom Riga\nkaufen\n", name=first), zat - timedelta(minutes=1))
    zine.tick()
    ((kind, since),) = [(question.kind, question.created_at) for question in zine.rows(Question) if question.mail_id]
    assert (kind, since >= before) == ("in_time", True)


def on_turn(zine: Any) -> tuple[Any, ...]:
    """Return the ZAT of Riga, and who owes a move."""
    with zine.app.database.read() as session:
        game = game_queries.named(session, "Riga")
        at = position(zine.app, game)
        due = at.engine.due(at.state)
        held = {seat.number: session.get_one(Player, seat.player_id) for seat in seat_queries.seats(game)}
        return game.zat, *(player.name for number, player in held.items() if number in due)


def test_a_move_by_hand_counts_while_the_round_is_open(eriwan: Any) -> None:
    """What the GM enters after the ZAT, before the round was closed, counts: that is the GM's to decide."""
    eriwan.passes_until(eriwan.zat, minutes=5)
    actions.enter_move(eriwan.app, "Eriwan", ANNA, eriwan.block(ANNA, "DN"))
    assert eriwan.tick().closed == ["Eriwan"]
    anna, *others = eriwan.show()["seats"]
    assert (anna["nmr"], anna["grid"][0][:2]) == ([], "dn")
    assert [seat["nmr"] for seat in others] == [[1]] * 5


def test_a_late_correction_leaves_the_move_in_time(eriwan: Any) -> None:
    """If a correction is too late, the earlier move counts."""
    eriwan.sends(ANNA, "DN")
    eriwan.tick()
    eriwan.passes_until(eriwan.zat, minutes=2)
    eriwan.sends(ANNA, "TI")
    eriwan.tick()
    assert eriwan.seat(ANNA)["grid"][0] == "dn...."


def test_a_late_withdrawal_changes_nothing(eriwan: Any) -> None:
    """`Zurückziehen` after the ZAT is late like any move."""
    eriwan.sends(ANNA, "DN")
    eriwan.tick()
    eriwan.passes_until(eriwan.zat, minutes=2)
    eriwan.writes(ANNA, "Zurückziehen Eriwan\n")
    eriwan.tick()
    assert eriwan.last_reason() == "late"
    assert eriwan.seat(ANNA)["grid"][0] == "dn...."


def test_a_mail_written_before_the_bulletin_arrived(eriwan: Any) -> None:
    """A mail from before our bulletin was delivered belongs to the old position, though the round has closed."""
    eriwan.outbox.is_down = True
    eriwan.passes_until(eriwan.zat, minutes=1)
    eriwan.tick()
    assert eriwan.round == 2
    eriwan.sends(ANNA, "DN")
    eriwan.tick()
    assert eriwan.last_reason() == "late"
    eriwan.sends(BERND, "DN", head=("Runde: 2",))
    eriwan.tick()
    assert eriwan.last_reason() == "confirmation"
    eriwan.outbox.is_down = False
    eriwan.tick()
    eriwan.sends(ANNA, "DN")
    eriwan.tick()
    assert eriwan.last_reason() == "confirmation"


def test_a_slow_poll_changes_nothing(eriwan: Any) -> None:
    """A mail that arrived in time counts, however late it is fetched; the late one beside it doesn't."""
    eriwan.passes_until(eriwan.zat, minutes=-5)
    eriwan.sends(ANNA, "DN")
    eriwan.passes(hours=2)
    eriwan.sends(BERND, "DN")
    eriwan.tick()
    assert eriwan.seat(ANNA)["nmr"] == []
    assert eriwan.seat(BERND)["nmr"] == [1]


def test_without_a_fetch_nothing_closes_and_mails_go_out(eriwan: Any) -> None:
    """While the IMAP server is down no round closes, answers are delivered, and what came in time counts later."""
    eriwan.sends(ANNA, "DN")
    eriwan.outbox.is_down = True
    eriwan.tick()
    eriwan.outbox.is_down = False
    eriwan.passes_until(eriwan.zat, minutes=-5)
    eriwan.sends(BERND, "TI")
    eriwan.server.is_down = True
    eriwan.passes(days=1)
    report = eriwan.tick()
    assert report.closed == []
    assert [type(trouble).__name__ for trouble in report.troubles] == ["MailboxError"]
    assert eriwan.gets(ANNA).subject == "[Eriwan] Zug Runde 1 angekommen"
    assert eriwan.round == 1
    eriwan.server.is_down = False
    assert eriwan.tick().closed == ["Eriwan"]
    assert eriwan.seat(ANNA)["nmr"] == eriwan.seat(BERND)["nmr"] == []
    assert eriwan.zat > eriwan.now


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize("date", ["Mon, 02 Nov 2026 08:00:00 +0100", "Fri, 01 Jan 2038 00:00:00 +0000", "gestern"])
def test_a_forged_date_changes_nothing(eriwan: Any, date: str) -> None:
    """The Date header is nobody's business: a late mail stays late, one in time stays in time."""
    eriwan.passes_until(eriwan.zat, minutes=-5)
    eriwan.sends(ANNA, "DN", headers={"Date": date})
    eriwan.passes_until(eriwan.zat, minutes=5)
    eriwan.sends(BERND, "DN", headers={"Date": date})
    eriwan.tick()
    assert eriwan.seat(ANNA)["nmr"] == []
    assert eriwan.seat(BERND)["nmr"] == [1]


def test_all_in_closes_after_settle_and_not_before(eriwan: Any) -> None:
    """With six moves in, the round closes twelve hours after the last of them, long before the ZAT."""
    eriwan.all_send()
    last = max(sheet.received_at for sheet in eriwan.rows(Sheet))
    eriwan.passes_until(last, hours=12)
    assert eriwan.tick().closed == []
    eriwan.passes_until(last, hours=12, seconds=1)
    assert eriwan.tick().closed == ["Eriwan"]


def test_changing_the_mind_restarts_settle(eriwan: Any) -> None:
    """A new move within the twelve hours starts them anew, for everybody."""
    eriwan.all_send()
    eriwan.passes(hours=11)
    eriwan.sends(ANNA, "TI")
    eriwan.tick()
    eriwan.passes(hours=11, minutes=50)
    assert eriwan.tick().closed == []
    eriwan.passes(minutes=11)
    assert eriwan.tick().closed == ["Eriwan"]
    assert eriwan.seat(ANNA)["grid"][0] == "ti...."


def test_a_move_after_settle_is_late(eriwan: Any) -> None:
    """A mail after the twelve hours is late, also where the service looks only later."""
    eriwan.all_send()
    eriwan.passes(hours=13)
    eriwan.sends(ANNA, "TI")
    eriwan.tick()
    assert eriwan.last_reason() == "late"
    assert eriwan.round == 2
    assert eriwan.seat(ANNA)["grid"][0] == "......"


def test_withdrawing_within_settle_keeps_the_round_open(eriwan: Any) -> None:
    """With a move taken back, not all are in: the round waits."""
    eriwan.all_send()
    eriwan.writes(ANNA, "Zurückziehen Eriwan\n")
    eriwan.passes(days=1)
    assert eriwan.tick().closed == []


def test_wait_keeps_the_round_open_until_the_zat(eriwan: Any) -> None:
    """`Warten` by one player keeps the round open to its ZAT; it holds for this round only."""
    eriwan.writes(ANNA, "Warten Eriwan\n")
    eriwan.all_send()
    eriwan.passes(days=3)
    assert eriwan.tick().closed == []
    assert eriwan.seat(ANNA)["waiting"]
    eriwan.passes_until(eriwan.zat, seconds=1)
    assert eriwan.tick().closed == ["Eriwan"]
    assert not eriwan.seat(ANNA)["waiting"]
    eriwan.all_send(wish="X")
    eriwan.passes(hours=13)
    assert eriwan.tick().closed == ["Eriwan"]


def test_ready_takes_wait_back(eriwan: Any) -> None:
    """`Fertig` after `Warten` lets the round close as soon as all are in and have settled."""
    eriwan.writes(ANNA, "Warten Eriwan\n")
    eriwan.all_send()
    eriwan.passes(days=1)
    eriwan.writes(ANNA, "Fertig Eriwan\n")
    assert eriwan.tick().closed == ["Eriwan"]


def test_wait_after_settle_is_too_late(eriwan: Any) -> None:
    """`Warten` after the round's closing instant opens nothing again."""
    eriwan.all_send()
    eriwan.passes(hours=13)
    eriwan.writes(ANNA, "Warten Eriwan\n")
    assert eriwan.tick().closed == ["Eriwan"]
    assert not eriwan.seat(ANNA)["waiting"]


def test_all_ready_needs_no_settle(eriwan: Any) -> None:
    """When all six say `Fertig`, the round closes at once; five are not enough."""
    eriwan.all_send()
    for name in OTHERS:
        eriwan.writes(name, "Fertig Eriwan\n")
    assert eriwan.tick().closed == []
    eriwan.writes(ANNA, "Fertig Eriwan\n")
    assert eriwan.tick().closed == ["Eriwan"]


def test_bare_ready_is_a_cry(eriwan: Any) -> None:
    """`Fertig!` without the game's name is no command."""
    eriwan.all_send()
    for name in PLAYERS:
        eriwan.writes(name, "Fertig!\n")
    assert eriwan.tick().closed == []


def test_ready_alone_closes_where_the_house_never_closes_early(begin: Any) -> None:
    """With close_early off, six moves don't close a round, six `Fertig` do."""
    eriwan = begin("started", deadlines={"close_early": False})
    eriwan.all_send()
    eriwan.passes(days=2)
    assert eriwan.tick().closed == []
    for name in PLAYERS:
        eriwan.writes(name, "Fertig Eriwan\n")
    assert eriwan.tick().closed == ["Eriwan"]


def test_a_missing_wish_prevents_early_closing(eriwan: Any) -> None:
    """A move without a wish is not all there: the round waits for it until the ZAT, then the old wish is repeated."""
    eriwan.all_send(*OTHERS)
    eriwan.sends(ANNA, "DN", "")
    eriwan.tick()
    eriwan.passes(days=2)
    assert eriwan.tick().closed == []
    eriwan.passes_until(eriwan.zat, seconds=1)
    assert eriwan.tick().closed == ["Eriwan"]
    assert eriwan.seat(ANNA)["nmr"] == []
    assert eriwan.show()["letters"] == "DEEEEE"


def test_six_of_the_same_letter(eriwan: Any) -> None:
    """When all wish E, there are six E to place, and no seventh."""
    eriwan.all_send(wish="E")
    eriwan.passes(hours=13)
    eriwan.tick()
    assert eriwan.show()["letters"] == "EEEEEE"
    eriwan.mails()
    eriwan.sends(ANNA, "EEEEEE")
    eriwan.tick()
    assert eriwan.last_reason() == "confirmation"
    rows = eriwan.block(BERND, "EEEEEE").replace("......", "E.....", 1)
    eriwan.writes(BERND, rows)
    eriwan.tick()
    assert eriwan.last_reason() == "rejection"


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize(
    ("start", "zats"),
    [
        ("2026-10-13T12:00:00+02:00", ["2026-10-27T20:00:00+01:00"]),
        ("2026-10-10T12:00:00+02:00", ["2026-10-24T20:00:00+02:00", "2026-11-07T20:00:00+01:00"]),
        ("2026-10-11T23:30:00+02:00", ["2026-10-25T20:00:00+01:00"]),
        ("2027-03-14T12:00:00+01:00", ["2027-03-28T20:00:00+02:00"]),
        ("2027-03-13T12:00:00+01:00", ["2027-03-27T20:00:00+01:00", "2027-04-10T20:00:00+02:00"]),
    ],
)
def test_the_zat_stays_at_eight_through_summer_time(begin: Any, start: str, zats: list[str]) -> None:
    """The ZAT is 20:00 by the players' clocks, before, on and after the night the clocks are changed."""
    zine = begin("seated", now=start)
    actions.start(zine.app, "Eriwan")
    zine.tick()
    for zat in zats:
        assert zine.zat == datetime.fromisoformat(zat)
        assert any("20:00 Uhr" in mail.subject for _, mail in zine.mails())
        zine.at(zat)
        zine.sends(ANNA, "", "E")
        assert zine.tick().closed == ["Eriwan"]
        assert zine.seat(ANNA)["nmr"] == []


@pytest.mark.parametrize(("span", "zat"), [("36h", "2026-11-04T00:00:00+01:00"), ("2d", "2026-11-05T20:00:00+01:00")])
def test_hours_run_on_through_holidays(begin: Any, span: str, zat: str) -> None:
    """`deadlines.holidays`: no ZAT by days falls on one of them; hours are counted as they are."""
    eriwan = begin("seated", now="2026-11-02T12:00:00+01:00", deadlines={"holidays": ["2026-11-04"]})
    with eriwan.writing() as session:
        game_queries.named(session, "Eriwan").span = span
    assert actions.start(eriwan.app, "Eriwan").zat == datetime.fromisoformat(zat)


def test_the_gm_moves_the_zat_and_all_are_told(eriwan: Any) -> None:
    """A later ZAT keeps the round open, an earlier one closes it; six mails tell of it each time."""
    actions.move_zat(eriwan.app, "Eriwan", "+7d")
    eriwan.tick()
    told = eriwan.mails()
    assert sorted(recipient for recipient, _ in told) == sorted(map(address_of, PLAYERS))
    assert all("23.11.2026" in eriwan.said(mail) for _, mail in told)
    eriwan.at("2026-11-20T12:00:00+01:00")
    assert eriwan.tick().closed == []
    eriwan.at("2026-11-23T20:00:01+01:00")
    assert eriwan.tick().closed == ["Eriwan"]


def test_the_service_was_switched_off_over_the_zat(eriwan: Any) -> None:
    """What fell due while nothing ran is done with the first pass, once, and the next round has its full span."""
    eriwan.passes_until(eriwan.zat, minutes=-1)
    eriwan.sends(ANNA, "DN")
    eriwan.passes(days=40)
    assert eriwan.tick().closed == ["Eriwan"]
    assert eriwan.round == 2
    assert eriwan.seat(ANNA)["nmr"] == []
    assert timedelta(days=13) < eriwan.zat - eriwan.now < timedelta(days=15)


def test_two_processes_close_a_round_once(eriwan: Any) -> None:
    """A second process on the same files finds the round closed and sends nothing again."""
    other = eriwan.open(eriwan.app.settings)
    eriwan.passes_until(eriwan.zat, seconds=1)
    eriwan.tick()
    own, eriwan.app = eriwan.app, other
    assert eriwan.tick().is_idle
    eriwan.app = own
    other.close()
    assert len(eriwan.mails()) == 6
