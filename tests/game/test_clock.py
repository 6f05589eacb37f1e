"""Pauses, vacations, extensions, holidays and outages move a ZAT or stop the clock."""

from datetime import datetime, timedelta
from typing import Any

import pytest
import seating

from gm.demo.in_memory_zine import PLAYERS, address_of
from gm.reports.games import all_games, as_json
from gm.requests.desk import actions
from gm.runtime.errors import MailboxError, Refused
from gm.store.queries import game_queries
from gm.store.tables import Question, Turn

ANNA, BERND, CARLA, DORA, EMIL, FRIDA = PLAYERS
GM = "cici@postspiel.example"
OUTAGE = {"outage": "24h"}


def told(zine: Any) -> dict[str, Any]:
    """Do a pass and return what went out, by address."""
    zine.tick()
    mails = zine.mails()
    assert len(dict(mails)) == len(mails), [(to, mail.subject) for to, mail in mails]
    return dict(mails)


def asked(zine: Any) -> list[str]:
    """List what waits for the GM, by kind."""
    return [one.kind for one in zine.rows(Question) if not one.address and one.answered_at is None]


# -- pauses ------------------------------------------------------------------------------------------------------------


def test_a_pause_moves_the_zat_and_all_are_told(eriwan: Any) -> None:
    """Five days of pause, a ZAT five days later at the same time, a mail to each; the game shows until when."""
    game = actions.pause(eriwan.app, "Eriwan", "5d")
    assert eriwan.zat == datetime.fromisoformat("2026-11-21T20:00:00+01:00")
    assert datetime.fromisoformat(eriwan.show()["paused_until"]) == game.paused_until
    mails = told(eriwan)
    assert set(mails) == set(map(address_of, PLAYERS))
    said = eriwan.said(mails[address_of(ANNA)])
    assert "Pause bis" in said
    assert "21.11.2026, 20:00 Uhr" in said
    eriwan.passes(days=5)
    assert eriwan.show()["paused_until"] is None


def test_nothing_closes_in_a_pause_and_moves_are_taken(eriwan: Any) -> None:
    """All moves come in the pause and settle there: the round closes with its end, with the last of them."""
    actions.pause(eriwan.app, "Eriwan", "5d")
    end = eriwan.now + timedelta(days=5)
    eriwan.all_send()
    assert {eriwan.seat(name)["moved"] for name in PLAYERS} == {True}
    eriwan.passes_until(end, minutes=-3)
    assert eriwan.tick().closed == []
    eriwan.sends(ANNA, "DN")  # arrives in the pause, is read after it
    eriwan.passes_until(end, hours=13)
    assert eriwan.tick().closed == ["Eriwan"]
    assert eriwan.seat(ANNA)["grid"][0] == "dn...."


def test_a_mail_in_the_last_second_of_a_pause_is_in_time(eriwan: Any) -> None:
    """What settled in the pause closes with its end: who writes before that is not late."""
    eriwan.all_send()
    actions.pause(eriwan.app, "Eriwan", "5d")
    end = eriwan.now + timedelta(days=5)
    eriwan.passes_until(end, minutes=-1)
    eriwan.writes(ANNA, "Zurückziehen Eriwan\n")
    eriwan.passes(hours=1)
    assert eriwan.tick().closed == []
    assert eriwan.on_file(ANNA) is None


@pytest.mark.trust(except_first=3)
@pytest.mark.parametrize(
    ("now", "span", "zat"),
    [
        ("2026-10-20T12:00:00+02:00", "5d", "2026-11-08T20:00:00+01:00"),
        ("2026-10-24T12:00:00+02:00", "1d", "2026-11-08T20:00:00+01:00"),
        ("2027-03-20T12:00:00+01:00", "9d", "2027-04-12T20:00:00+02:00"),
        ("2027-03-27T12:00:00+01:00", "1d", "2027-04-11T20:00:00+02:00"),
        ("2027-03-27T12:00:00+01:00", "12h", "2027-04-11T20:00:00+02:00"),
    ],
)
def test_the_zat_keeps_its_clock_time_through_summer_time(begin: Any, now: str, span: str, zat: str) -> None:
    """A pause across a change of summer time leaves the ZAT at 20:00; resuming at once restores the old ZAT."""
    eriwan = begin("seated", now=now)
    actions.start(eriwan.app, "Eriwan")
    before = eriwan.zat
    actions.pause(eriwan.app, "Eriwan", span)
    assert eriwan.zat == datetime.fromisoformat(zat)
    actions.resume(eriwan.app, "Eriwan")
    assert eriwan.zat.time() == before.time()
    assert eriwan.zat == (before if span.endswith("d") else datetime.fromisoformat(zat))


def test_resuming_gives_back_what_is_left(eriwan: Any) -> None:
    """After two and a half of ten days the ZAT comes back by seven, in the players' favour; all are told."""
    actions.pause(eriwan.app, "Eriwan", "10d")
    eriwan.tick()
    eriwan.mails()
    eriwan.passes(days=2, hours=12)
    actions.resume(eriwan.app, "Eriwan")
    assert eriwan.zat == datetime.fromisoformat("2026-11-19T20:00:00+01:00")
    assert eriwan.show()["paused_until"] is None
    mails = told(eriwan)
    assert set(mails) == set(map(address_of, PLAYERS))
    assert "19.11.2026" in mails[address_of(ANNA)].subject
    with pytest.raises(Refused, match="not paused"):
        actions.resume(eriwan.app, "Eriwan")


@pytest.mark.parametrize("span", ["31d", "721h", "0d"])
def test_a_pause_has_a_maximum(eriwan: Any, span: str) -> None:
    """`pause_max` is the longest; nothing happens at all where more is wanted."""
    before = eriwan.zat
    with pytest.raises(Refused):
        actions.pause(eriwan.app, "Eriwan", span)
    assert (eriwan.zat, eriwan.show()["paused_until"]) == (before, None)


def test_a_pause_without_a_span_is_the_longest(eriwan: Any) -> None:
    """Thirty days, and not a second pause on top of it."""
    actions.pause(eriwan.app, "Eriwan", None)
    assert eriwan.zat == datetime.fromisoformat("2026-12-16T20:00:00+01:00")
    with pytest.raises(Refused, match="paused already"):
        actions.pause(eriwan.app, "Eriwan", "1d")


def test_a_round_that_is_over_is_not_paused(eriwan: Any) -> None:
    """What had arrived by the ZAT counts: a pause can't open a round again that only waits for the next look."""
    eriwan.passes_until(eriwan.zat, minutes=1)
    with pytest.raises(Refused, match="is over"):
        actions.pause(eriwan.app, "Eriwan", "5d")
    assert eriwan.tick().closed == ["Eriwan"]


def test_no_new_zat_in_a_pause(eriwan: Any) -> None:
    """During a pause no ZAT can be set, not even the present one: the GM reads when it ends, and nobody gets mail."""
    actions.pause(eriwan.app, "Eriwan", "20d")
    eriwan.tick()
    eriwan.mails()
    before = eriwan.show()
    for when in ("2026-11-10 20:00", f"{eriwan.zat:%Y-%m-%d %H:%M}", "+1d"):
        with pytest.raises(Refused, match=r"paused until 2026-11-22 12:01.* gm resume Eriwan\.$"):
            actions.move_zat(eriwan.app, "Eriwan", when)
    assert eriwan.show() == before
    assert not told(eriwan)
    eriwan.passes(days=20)
    assert actions.move_zat(eriwan.app, "Eriwan", "+1d") > eriwan.now


@pytest.mark.trust(except_first=3)
@pytest.mark.parametrize("when", ["2026-11-16 20:00", "16.11.2026 20:00", "2026-11-16 20:00:00", "+0d", "+0h"])
def test_the_same_zat_is_no_news(eriwan: Any, when: str) -> None:
    """However the present ZAT is written, nothing changes: no mail, and who asked for more time still waits."""
    eriwan.writes(ANNA, "Verlängerung Eriwan 3 Tage\n")
    eriwan.tick()
    eriwan.mails()
    before, zat = eriwan.show(), eriwan.zat
    assert actions.move_zat(eriwan.app, "Eriwan", when) == zat
    assert not told(eriwan)
    assert eriwan.show() == before
    assert asked(eriwan) == ["extension"]


def test_the_same_minute_is_the_same_zat(begin: Any) -> None:
    """A span of hours ends at some second; the minute that all were told is typed, and means that ZAT."""
    eriwan = begin("seated")
    with eriwan.writing() as session:
        game_queries.named(session, "Eriwan").span = "90m"
    eriwan.passes(seconds=17)
    actions.start(eriwan.app, "Eriwan")
    eriwan.tick()
    eriwan.mails()
    zat = eriwan.zat
    assert zat.second == 17
    assert actions.move_zat(eriwan.app, "Eriwan", f"{zat:%Y-%m-%d %H:%M}") == zat
    assert not told(eriwan)


def test_a_held_game_goes_on_with_the_same_zat(eriwan: Any) -> None:
    """Setting the ZAT of a held game resumes it, even with the same ZAT; all are told."""
    zat = eriwan.zat
    actions.close(eriwan.app, "Eriwan", eriwan.now)
    actions.undo(eriwan.app, "Eriwan")
    eriwan.tick()
    eriwan.mails()
    assert actions.move_zat(eriwan.app, "Eriwan", "2026-11-16 20:00") == zat
    assert eriwan.show()["held"] is None
    assert len(told(eriwan)) == 6


def test_a_move_at_once_in_a_pause_leaves_the_next_one_all_the_time(begin: Any) -> None:
    """Farbdomino: the next one's four days begin when the pause ends, not when the move came."""
    zine = begin("empty")
    actions.new_game(zine.app, "farbdomino", "Elba")
    with zine.writing() as session:
        game_queries.named(session, "Elba").seed = "nobody lays all tiles at once"
    for name in (ANNA, BERND):
        seating.join(zine.app, "Elba", name, address_of(name), None)
    actions.start(zine.app, "Elba")
    actions.pause(zine.app, "Elba", "20d")
    with zine.app.database.read() as session:
        at_start = game_queries.named(session, "Elba")
        until = at_start.paused_until
    for name in (ANNA, BERND):
        play(zine, name)
    with zine.app.database.read() as session:
        game = game_queries.named(session, "Elba")
        assert game.turn
        assert game.zat >= until + timedelta(days=4)
    zine.passes_until(until, days=3)
    assert zine.tick().closed == []


def play(zine: Any, name: str, game: str = "Elba") -> None:
    """Let the GM enter whatever move comes to mind, if this player owes one."""
    from games.dice import Dice
    from gm.game import word_judge
    from gm.game.position import position
    from gm.game.seats import seat_of_player

    with zine.app.database.read() as session:
        found = game_queries.named(session, game)
        at = position(zine.app, found)
        seat = seat_of_player(session, found, name)
        if seat.number not in at.engine.due(at.state):
            return
        words = word_judge.judge(zine.app, found)
        lines = at.engine.suggest(at.state, seat.number, Dice("clock", at.turn.number), words)
    actions.enter_move(zine.app, game, name, "\n".join(lines))


# -- outages -----------------------------------------------------------------------------------------------------------


def out_for(zine: Any, **span: float) -> None:
    """Let the service look into the mailbox, and then not for so long."""
    zine.tick()
    zine.passes(**span)


def test_what_fell_due_in_an_outage_is_held_and_the_gm_asked(begin: Any) -> None:
    """The ZAT passed while nobody could fetch: nothing closes, and one mail offers the GM two commands."""
    eriwan = begin("started", deadlines=OUTAGE)
    eriwan.passes_until(eriwan.zat, hours=-5)
    out_for(eriwan, hours=25)
    assert eriwan.tick().closed == []
    mails = [mail for to, mail in eriwan.mails() if to == GM]
    assert len(mails) == 1
    for offer in ("gm close Eriwan", "gm zat Eriwan +3d"):
        assert offer in mails[0].text
    assert "no mails could be fetched" in eriwan.show()["held"]
    assert eriwan.tick().closed == []
    assert not [mail for to, mail in eriwan.mails() if to == GM]
    assert asked(eriwan) == ["outage"]


def test_a_shorter_gap_holds_nothing(begin: Any) -> None:
    """A day without a fetch is no outage: the round closes late, with what had come in time."""
    eriwan = begin("started", deadlines=OUTAGE)
    eriwan.passes_until(eriwan.zat, hours=-5)
    out_for(eriwan, hours=23)
    assert eriwan.tick().closed == ["Eriwan"]


def test_a_game_that_was_not_due_goes_on(begin: Any) -> None:
    """A ZAT next week isn't touched by an outage today."""
    eriwan = begin("started", deadlines=OUTAGE)
    out_for(eriwan, days=3)
    eriwan.tick()
    assert eriwan.show()["held"] is None
    assert asked(eriwan) == []


def test_an_unreachable_mailbox_is_an_outage(begin: Any) -> None:
    """The service runs on, IMAP can't be reached for 25 hours: the same."""
    eriwan = begin("started", deadlines=OUTAGE)
    eriwan.passes_until(eriwan.zat, hours=-5)
    eriwan.tick()
    eriwan.server.is_down = True
    for _ in range(25):
        eriwan.passes(hours=1)
        assert any(isinstance(trouble, MailboxError) for trouble in eriwan.tick().troubles)
    eriwan.server.is_down = False
    assert eriwan.tick().closed == []
    assert asked(eriwan) == ["outage"]


def test_mails_from_an_outage_are_not_late(begin: Any) -> None:
    """A mail that came after the ZAT during an outage isn't called late: the GM has yet to set the ZAT."""
    eriwan = begin("started", deadlines=OUTAGE)
    eriwan.passes_until(eriwan.zat, hours=-5)
    out_for(eriwan, hours=20)
    eriwan.sends(ANNA, "DN")
    eriwan.passes(hours=6)
    eriwan.tick()
    assert eriwan.last_reason() == "confirmation"
    actions.close(eriwan.app, "Eriwan", eriwan.now)
    assert eriwan.seat(ANNA)["grid"][0] == "dn...."
    assert asked(eriwan) == []


def test_a_round_with_all_moves_closes_after_an_outage(begin: Any) -> None:
    """Nobody is missing once the mails from the outage are read, two of them after the ZAT: it closes, unasked."""
    eriwan = begin("started", deadlines=OUTAGE)
    eriwan.passes_until(eriwan.zat, hours=-5)
    eriwan.all_send(*PLAYERS[:4])
    out_for(eriwan, hours=20)
    eriwan.mails()
    eriwan.sends(EMIL, "DN")
    eriwan.sends(FRIDA, "DN")
    eriwan.passes(hours=6)
    assert eriwan.tick().closed == ["Eriwan"]
    assert not [mail for to, mail in eriwan.mails() if to == GM]
    assert asked(eriwan) == []
    assert not eriwan.show()["held"]
    assert [eriwan.seat(name)["nmr"] for name in PLAYERS] == [[]] * 6
    assert eriwan.seat(FRIDA)["grid"][0] == "dn...."


def test_moves_complete_before_an_outage_close_after_it(begin: Any) -> None:
    """All moves were in, and the round would have closed early, in the outage: it closes with the first look."""
    eriwan = begin("started", deadlines=OUTAGE)
    eriwan.all_send()
    out_for(eriwan, days=2)
    assert eriwan.tick().closed == ["Eriwan"]
    assert asked(eriwan) == []


def test_a_crash_after_an_outage_loses_no_question(begin: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The pass ends between reading the mails and asking: the next one asks, once."""
    eriwan = begin("started", deadlines=OUTAGE)
    eriwan.passes_until(eriwan.zat, hours=-5)
    out_for(eriwan, hours=25)
    with monkeypatch.context() as patched:
        patched.setattr("gm.service.inbound.receive.move_handled", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            eriwan.tick()
    eriwan.passes(hours=1)
    for _ in range(2):
        assert eriwan.tick().closed == []
        assert asked(eriwan) == ["outage"]
    assert [to for to, _ in eriwan.mails()].count(GM) == 1


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize("days", [2, 9])
def test_the_gm_gives_more_time_after_an_outage(begin: Any, days: int) -> None:
    """`gm zat NAME +3d` gives three days from now, however long ago the ZAT was; moves on file may still be changed."""
    eriwan = begin("started", deadlines=OUTAGE)
    eriwan.all_send(*PLAYERS[:5])
    out_for(eriwan, days=days)
    assert eriwan.tick().closed == []
    zat = actions.move_zat(eriwan.app, "Eriwan", "+3d")
    assert zat > eriwan.now + timedelta(days=2)
    assert asked(eriwan) == []
    while eriwan.now < zat - timedelta(days=1):
        assert eriwan.tick().closed == []
        eriwan.passes(hours=23)
    eriwan.sends(ANNA, "DN")
    eriwan.tick()
    eriwan.passes_until(zat, seconds=1)
    assert eriwan.tick().closed == ["Eriwan"]
    assert eriwan.seat(ANNA)["grid"][0] == "dn...."


def test_a_second_outage_is_told_again(begin: Any) -> None:
    """The same round may fall due in two outages; the GM hears of both."""
    eriwan = begin("started", deadlines=OUTAGE)
    for _ in range(2):
        eriwan.passes_until(eriwan.zat, hours=-5)
        out_for(eriwan, hours=25)
        eriwan.mails()
        eriwan.tick()
        assert [to for to, _ in eriwan.mails()].count(GM) == 1
        actions.move_zat(eriwan.app, "Eriwan", "+3d")


# -- vacations, holidays, more time ------------------------------------------------------------------------------------


def test_a_vacation_is_noted(eriwan: Any) -> None:
    """With `vacation = "note"` the GM hears of it, the ZAT stays."""
    zat = eriwan.zat
    eriwan.writes(ANNA, "Urlaub 10.11.2026-20.11.2026\n")
    mails = told(eriwan)
    assert "bleiben, wie sie sind" in eriwan.said(mails[address_of(ANNA)])
    assert "10.11.2026 bis 20.11.2026" in mails[GM].text
    assert set(mails) == {address_of(ANNA), GM}
    assert eriwan.zat == zat


def test_a_vacation_moves_the_zat(begin: Any) -> None:
    """With `vacation = "extend"` the ZAT moves to the first free day, named in the mail; and so does the next one."""
    eriwan = begin("started", deadlines={"vacation": "extend", "vacation_days": 40, "holidays": ["2026-11-21"]})
    eriwan.writes(ANNA, "Urlaub 10.11.2026-20.11.2026\n")
    eriwan.writes(BERND, "Urlaub 06.12.2026-08.12.2026\n")
    eriwan.tick()
    assert eriwan.zat == datetime.fromisoformat("2026-11-22T20:00:00+01:00")
    to_carla = [mail for to, mail in eriwan.mails() if to == address_of(CARLA)]
    assert len(to_carla) == 1
    assert f"{ANNA} ist vom 10.11.2026 bis zum 20.11.2026 verreist. Der ZAT" in eriwan.said(to_carla[0])
    eriwan.passes_until(eriwan.zat, seconds=1)
    eriwan.tick()
    assert eriwan.zat == datetime.fromisoformat("2026-12-09T20:00:00+01:00")


@pytest.mark.parametrize(
    ("days", "shown"),
    [
        ("4.11.2026-10.11.2026", "Anna Berg (verreist bis 10.11.2026)"),
        ("14.11.2026-20.11.2026", "Anna Berg (verreist vom 14.11.2026 bis zum 20.11.2026)"),
        ("20.12.2026-06.01.2027", "Anna Berg"),
    ],
    ids=["now", "at the ZAT", "in December"],
)
def test_the_gm_sees_a_vacation_where_it_matters(eriwan: Any, days: str, shown: str) -> None:
    """Beside a missing move stands a vacation of today, or one of the ZAT with its days; one in December doesn't."""
    eriwan.passes_until(datetime.fromisoformat("2026-11-05T12:00:00+01:00"))
    eriwan.writes(ANNA, f"Urlaub {days}\n")
    eriwan.all_send(*PLAYERS[2:])
    eriwan.mails()
    eriwan.writes("Cici Beilken", "gm todo", sender=GM)
    said = eriwan.said(told(eriwan)[GM])
    assert f"es fehlt noch: {shown}, Bernd Cordes" in said


def test_a_vacation_ahead_keeps_its_days_free(begin: Any) -> None:
    """Where no present ZAT has to move, the answer says that none will come on those days."""
    eriwan = begin("started", deadlines={"vacation": "extend"})
    eriwan.writes(ANNA, "Urlaub 24.12.2026-31.12.2026\n")
    assert "fällt kein ZAT" in eriwan.reply(ANNA)


def test_vacation_days_are_limited(begin: Any) -> None:
    """More days a year than the house allows move nothing; a free rest is named, next year has its own."""
    eriwan = begin("started", deadlines={"vacation": "extend", "vacation_days": 14})
    zat = eriwan.zat
    eriwan.writes(ANNA, "Urlaub 01.12.2026-10.12.2026\n")
    eriwan.tick()
    eriwan.mails()
    eriwan.writes(ANNA, "Urlaub 12.11.2026-17.11.2026\n")
    assert "frei sind davon noch 4" in eriwan.reply(ANNA)
    assert eriwan.zat == zat
    eriwan.writes(ANNA, "Urlaub 02.01.2027-12.01.2027\n")
    assert "Schönen Urlaub" in eriwan.reply(ANNA)


def test_a_past_vacation_is_none(eriwan: Any) -> None:
    """Days that are over are refused."""
    eriwan.writes(ANNA, "Urlaub 01.10.2026-05.10.2026\n")
    assert "schon vorbei" in eriwan.reply(ANNA)


def test_no_zat_on_a_holiday_after_a_pause(begin: Any) -> None:
    """A pause moves the ZAT past a holiday, too."""
    eriwan = begin("started", deadlines={"holidays": ["2026-11-21", "2026-11-22"]})
    actions.pause(eriwan.app, "Eriwan", "5d")
    assert eriwan.zat == datetime.fromisoformat("2026-11-23T20:00:00+01:00")


def test_more_time_is_asked_for_and_granted(eriwan: Any) -> None:
    """`Verlängerung` puts the command before the GM; granting it tells all and settles the question."""
    eriwan.writes(ANNA, "Verlängerung Eriwan 3 Tage\n")
    mails = told(eriwan)
    assert "Bis du etwas anderes hörst, gilt der alte" in eriwan.said(mails[address_of(ANNA)])
    assert "gm zat Eriwan +3d" in mails[GM].text
    assert asked(eriwan) == ["extension"]
    actions.move_zat(eriwan.app, "Eriwan", "+3d")
    assert set(told(eriwan)) == set(map(address_of, PLAYERS))
    assert asked(eriwan) == []
    assert eriwan.zat == datetime.fromisoformat("2026-11-19T20:00:00+01:00")


def test_a_wish_for_more_time_ends_with_its_round(eriwan: Any) -> None:
    """Once the round has closed, nobody is asked about its ZAT any more."""
    eriwan.writes(ANNA, "Verlängerung Eriwan 3 Tage\n")
    eriwan.passes_until(eriwan.zat, seconds=1)
    assert eriwan.tick().closed == ["Eriwan"]
    assert asked(eriwan) == []


def test_each_step_is_written_once(eriwan: Any) -> None:
    """Pauses and new ZATs make no steps of the game."""
    actions.pause(eriwan.app, "Eriwan", "1d")
    actions.resume(eriwan.app, "Eriwan")
    actions.move_zat(eriwan.app, "Eriwan", "+1d")
    assert [turn.kind for turn in eriwan.rows(Turn)] == ["start"]


def test_the_list_of_games_shows_a_pause(eriwan: Any) -> None:
    """A pause is no reason to look; until when it lasts is told as long as it does."""
    actions.pause(eriwan.app, "Eriwan", "5d")
    with eriwan.app.database.read() as session:
        (row,) = all_games(eriwan.app, session)
        told = as_json(eriwan.app, row)
    assert (row.stop, row.need(eriwan.now), told["held"]) == ("paused", "", None)
    assert told["paused_until"] == "2026-11-07T12:01:00+01:00"
    actions.resume(eriwan.app, "Eriwan")
    with eriwan.app.database.read() as session:
        (row,) = all_games(eriwan.app, session)
        assert (row.stop, as_json(eriwan.app, row)["paused_until"]) == ("", None)


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize("answered", [True, False])
def test_a_round_waits_for_the_answer_whose_move_it_was(begin: Any, answered: bool) -> None:
    """A couple's move without a name may be the missing one: the round waits a day for the answer, not for ever."""
    zine = begin("empty")
    actions.new_game(zine.app, "crossword", "Eriwan")
    for name, wish in zip(PLAYERS, "DNTIRO", strict=True):
        seating.join(zine.app, "Eriwan", name, address_of(ANNA if name == BERND else name), wish)
    actions.start(zine.app, "Eriwan")
    zine.tick()
    zine.passes_until(zine.zat, minutes=-5)
    zine.sends(ANNA, "DN")
    zine.passes_until(zine.zat, minutes=1)
    assert zine.tick().closed == []
    if answered:
        zine.mails()
        question = next(one for one in zine.rows(Question) if one.kind == "who")
        zine.writes(ANNA, f"Name: {BERND}\n", subject=f"Re: [Frage {question.code}]")
        assert zine.tick().closed == ["Eriwan"]
        assert zine.seat(BERND)["grid"][0] == "dn...."
    else:
        zine.passes(hours=24)
        assert zine.tick().closed == ["Eriwan"]
        assert zine.seat(BERND)["nmr"] == [1]
