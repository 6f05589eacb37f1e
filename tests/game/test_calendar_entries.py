"""ZATs as calendar entries: who gets an .ics with which mail, and how an entry follows a moved or dropped ZAT."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.policy import default
from pathlib import Path
from typing import Any

import pytest
from icalendar import Calendar

from games import engines
from games.api import say
from gm.commands.gm_commands import actions
from gm.demo.in_memory_zine import PLAYERS, address_of
from gm.messages import game_mails
from gm.messages.game_mails import GameMail
from gm.messages.outgoing import ANSWER, Occasion, Part, post, recipient
from gm.messages.rendering import calendar_files
from gm.players.site_directory import game_page
from gm.store.queries import game_queries, player_queries, turn_queries
from gm.store.tables import Player, Turn

ANNA, BERND, CARLA = PLAYERS[:3]
GERDA = "Gerda Hahn"


def wants_calendar(zine: Any, *names: str) -> None:
    """Let players have said `Kalender an`."""
    with zine.writing() as session:
        for name in names:
            player = player_queries.player_named(session, name)
            assert player is not None
            player.calendar = True
            session.add(player)


def note_zat(zine: Any, game_name: str = "Eriwan") -> None:
    """Let the present step know the ZAT that was set with it."""
    with zine.writing() as session:
        game = game_queries.named(session, game_name)
        turn = turn_queries.current_turn(session, game)
        turn.zat = game.zat
        session.add(turn)


def change(zine: Any, name: str = "Eriwan", **values: Any) -> None:
    """Put a game into a state that no command here brings about."""
    with zine.writing() as session:
        game = game_queries.named(session, name)
        for key, value in values.items():
            setattr(game, key, value)
        session.add(game)


def file_in(raw: bytes) -> Any:
    """Return the calendar that a mail brings, None where it brings none; two are a mistake."""
    message: Any = message_from_bytes(raw, policy=default)
    files = [part for part in message.walk() if part.get_content_type() == "text/calendar"]
    assert len(files) <= 1
    return Calendar.from_ical(files[0].get_payload(decode=True)) if files else None


GM = "cici@postspiel.example"


def files(zine: Any, tick: bool = True) -> dict[str, Any]:
    """Do a pass and return the calendar (or None) that each got, by address; two mails to one are a mistake."""
    before = len(zine.outbox.letters)
    if tick:
        zine.tick()
    letters = [letter for letter in zine.outbox.letters[before:] if letter.recipient != GM]
    found = {letter.recipient: file_in(letter.raw) for letter in letters}
    assert len(found) == len(letters)
    return found


def only_event(file: Any) -> Any:
    """Return the one event of a file."""
    assert file is not None
    (event,) = file.events
    return event


def closes(zine: Any) -> dict[str, Any]:
    """Let the round end at its ZAT."""
    zine.passes_until(zine.zat, seconds=1)
    return files(zine)


def test_the_start_brings_the_first_zat(seated: Any) -> None:
    """Players with calendar files on get the ZAT with the first bulletin, all others get no file."""
    wants_calendar(seated, ANNA)
    actions.start(seated.app, "Eriwan")
    got = files(seated)
    event = only_event(got.pop(address_of(ANNA)))
    assert event.start == seated.zat == datetime(2026, 11, 16, 19, tzinfo=UTC)
    assert str(event["SUMMARY"]) == "ZAT Eriwan, Runde 1"
    assert event["STATUS"] == "CONFIRMED"
    assert [alarm["TRIGGER"].dt for alarm in event.walk("VALARM")] == [timedelta(days=-2)]
    assert len(got) == 5
    assert set(got.values()) == {None}


def test_every_round_has_its_own_entry(eriwan: Any) -> None:
    """A bulletin brings the ZAT of the round that begins; a ZAT that has passed is left where it is."""
    wants_calendar(eriwan, ANNA)
    note_zat(eriwan)
    first = only_event(closes(eriwan)[address_of(ANNA)])
    second = only_event(closes(eriwan)[address_of(ANNA)])
    assert [str(event["SUMMARY"]) for event in (first, second)] == ["ZAT Eriwan, Runde 2", "ZAT Eriwan, Runde 3"]
    assert first["UID"] != second["UID"]
    assert second.start == eriwan.zat


def test_a_zat_that_moves_takes_its_entry_along(eriwan: Any) -> None:
    """`gm zat` sends the same event with a later time and a higher SEQUENCE, each time it is used."""
    wants_calendar(eriwan, ANNA)
    before = only_event(closes(eriwan)[address_of(ANNA)])
    for _ in range(2):
        eriwan.passes(hours=1)
        actions.move_zat(eriwan.app, "Eriwan", "+7d")
        after = only_event(files(eriwan)[address_of(ANNA)])
        assert after["UID"] == before["UID"]
        assert 0 <= before["SEQUENCE"] < after["SEQUENCE"] < 2**31
        assert after.start == eriwan.zat > before.start
        before = after


def test_a_round_that_closes_early_frees_its_day(eriwan: Any) -> None:
    """Closed before its ZAT, a round's entry is cancelled beside the new one, under the UID that it came with."""
    wants_calendar(eriwan, ANNA)
    sent = only_event(closes(eriwan)[address_of(ANNA)])
    note_zat(eriwan)
    eriwan.passes(days=3)
    actions.close(eriwan.app, "Eriwan", eriwan.now)
    old, new = files(eriwan)[address_of(ANNA)].events
    assert (old["UID"], old["STATUS"], old.start) == (sent["UID"], "CANCELLED", sent.start)
    assert old["SEQUENCE"] > sent["SEQUENCE"]
    assert not old.walk("VALARM")
    assert (new["STATUS"], new.start) == ("CONFIRMED", eriwan.zat)
    assert new["UID"] != old["UID"]


def test_an_unknown_former_zat_does_no_harm(eriwan: Any) -> None:
    """A step that doesn't know its ZAT (games from before there were calendars) has nothing cancelled."""
    wants_calendar(eriwan, ANNA)
    with eriwan.writing() as session:
        for turn in turn_queries.turns(session, game_queries.named(session, "Eriwan")):
            turn.zat = None
            session.add(turn)
    actions.close(eriwan.app, "Eriwan", eriwan.now)
    assert only_event(files(eriwan)[address_of(ANNA)])["STATUS"] == "CONFIRMED"


def test_a_step_taken_back_cancels_its_round(eriwan: Any) -> None:
    """After `gm undo` the round that is played again stands, and the one that was undone goes."""
    wants_calendar(eriwan, ANNA)
    note_zat(eriwan)
    first = eriwan.zat
    actions.close(eriwan.app, "Eriwan", eriwan.now)
    files(eriwan)
    note_zat(eriwan)
    change(eriwan, turn=0, round=1, zat=first)
    with eriwan.writing() as session:
        mail = GameMail(template="zat", cause="undo:1", context={"reason": None})
        game_mails.send_to_all(eriwan.app, session, game_queries.named(session, "Eriwan"), mail)
    one, two = files(eriwan)[address_of(ANNA)].events
    assert (one["STATUS"], one.start, str(one["SUMMARY"])[-1]) == ("CONFIRMED", first, "1")
    assert (two["STATUS"], str(two["SUMMARY"])[-1]) == ("CANCELLED", "2")


@pytest.mark.parametrize(("ahead", "cancelled"), [(True, ["CANCELLED"]), (False, [])])
def test_the_end_of_a_game(begin: Callable[..., Any], ahead: bool, cancelled: list[str]) -> None:
    """The result cancels the last ZAT where that lies ahead; else it brings no file."""
    zine = begin("last round")
    wants_calendar(zine, ANNA)
    note_zat(zine)
    last = zine.zat
    if ahead:
        actions.close(zine.app, "Eriwan", zine.now)
        got = files(zine)[address_of(ANNA)]
    else:
        got = closes(zine)[address_of(ANNA)]
    assert zine.status == "finished"
    found = got.events if got else []
    assert [(event["STATUS"], event.start) for event in found] == [(status, last) for status in cancelled]


def test_a_game_broken_off_frees_its_day(eriwan: Any) -> None:
    """Nobody is reminded of a round that won't be played."""
    wants_calendar(eriwan, ANNA)
    note_zat(eriwan)
    actions.abort(eriwan.app, "Eriwan", "zu wenige Mitspieler")
    assert only_event(files(eriwan)[address_of(ANNA)])["STATUS"] == "CANCELLED"


@pytest.mark.parametrize(
    "stops", [{"held": "its rules are missing"}, {"paused_until": datetime(2026, 12, 9, tzinfo=UTC)}]
)
def test_a_clock_that_stands_still_sets_no_date(eriwan: Any, stops: dict[str, Any]) -> None:
    """While a game is held or paused its entry is cancelled; once it goes on, the same entry stands again."""
    wants_calendar(eriwan, ANNA)
    change(eriwan, **stops)
    send = game_mails.send_to_all
    with eriwan.writing() as session:
        mail = GameMail(template="zat", cause="pause:1", context={"reason": None})
        send(eriwan.app, session, game_queries.named(session, "Eriwan"), mail)
    gone = only_event(files(eriwan)[address_of(ANNA)])
    eriwan.passes(hours=1)
    change(eriwan, held="", paused_until=None)
    with eriwan.writing() as session:
        mail = GameMail(template="zat", cause="resume:1", context={"reason": None})
        send(eriwan.app, session, game_queries.named(session, "Eriwan"), mail)
    back = only_event(files(eriwan)[address_of(ANNA)])
    assert (gone["STATUS"], back["STATUS"]) == ("CANCELLED", "CONFIRMED")
    assert gone["UID"] == back["UID"]
    assert gone["SEQUENCE"] < back["SEQUENCE"]


def test_a_standby_gets_the_present_zat_and_nothing_old(eriwan: Any) -> None:
    """The welcome mail has the present ZAT and no cancellation of earlier rounds; the player who left gets no entry."""
    note_zat(eriwan)
    actions.close(eriwan.app, "Eriwan", eriwan.now)
    files(eriwan)
    actions.add_standby(eriwan.app, GERDA, address_of(GERDA), None)
    wants_calendar(eriwan, BERND, GERDA)
    actions.standby(eriwan.app, "Eriwan", BERND, None, None)
    got = files(eriwan)
    assert only_event(got[address_of(GERDA)]).start == eriwan.zat
    assert got[address_of(BERND)] is None


def test_a_standby_of_a_game_that_stands_still_gets_nothing(eriwan: Any) -> None:
    """Nothing is cancelled to who never had it."""
    change(eriwan, held="its rules are missing")
    actions.add_standby(eriwan.app, GERDA, address_of(GERDA), None)
    wants_calendar(eriwan, GERDA)
    actions.standby(eriwan.app, "Eriwan", BERND, None, None)
    assert files(eriwan)[address_of(GERDA)] is None


def test_a_round_without_a_zat_frees_its_day(eriwan: Any) -> None:
    """A round that ends when the GM says is no appointment; the one that was sent before is cancelled."""
    wants_calendar(eriwan, ANNA)
    note_zat(eriwan)
    change(eriwan, zat=None, reopened=True)
    with eriwan.writing() as session:
        mail = GameMail(template="zat", cause="undo:1", context={"reason": None})
        game_mails.send_to_all(eriwan.app, session, game_queries.named(session, "Eriwan"), mail)
    assert only_event(files(eriwan)[address_of(ANNA)])["STATUS"] == "CANCELLED"


def test_a_couple_decides_each_for_oneself(zine: Any) -> None:
    """Of two players with one address only the one who wants the calendar gets the file."""
    actions.new_game(zine.app, "crossword", "Eriwan")
    for name, wish in zip(PLAYERS, "DNTIRO", strict=True):
        actions.join(zine.app, "Eriwan", name, address_of(ANNA if name == BERND else name), wish)
    wants_calendar(zine, BERND)
    actions.start(zine.app, "Eriwan")
    zine.tick()
    sent = [letter.raw for letter in zine.outbox.letters if letter.recipient == address_of(ANNA)]
    by_name = {str(message_from_bytes(raw, policy=default)["To"]).split()[0]: file_in(raw) for raw in sent}
    assert set(by_name) == {"Anna", "Bernd"}
    assert by_name["Anna"] is None
    assert only_event(by_name["Bernd"]).start == zine.zat


def test_answers_bring_none(eriwan: Any) -> None:
    """An answer shows the ZAT often; the file comes with what we send by ourselves."""
    wants_calendar(eriwan, ANNA)
    eriwan.writes(ANNA, "Stand Eriwan")
    assert files(eriwan) == {address_of(ANNA): None}


def test_the_answer_that_was_asked_for_brings_all(begin: Callable[..., Any]) -> None:
    """The answer to `Kalender an` brings the ZATs of all the player's running games in one file."""
    zine = begin("started")
    actions.new_game(zine.app, "crossword", "Möhren", zat="21d", language="en")
    for name in PLAYERS:
        actions.join(zine.app, "Möhren", name, address_of(name), "E")
    actions.new_game(zine.app, "crossword", "Havanna")
    actions.join(zine.app, "Havanna", ANNA, address_of(ANNA), "E")
    actions.start(zine.app, "Möhren")
    actions.new_game(zine.app, "crossword", "Verloren")
    actions.join(zine.app, "Verloren", ANNA, address_of(ANNA), "E")
    change(zine, "Verloren", status="running", engine="not-installed-here")
    note_zat(zine)
    actions.close(zine.app, "Eriwan", zine.now)  # early: round 1 is cancelled elsewhere, and no present ZAT
    zine.tick()
    with zine.writing() as session:
        player = player_queries.player_named(session, ANNA)
        assert player is not None
        file = calendar_files.all_zats(zine.app, session, player, game_page)
        assert file is not None
        assert file.name == "zat.ics"
        to, answer = recipient(zine.app, session, player), Occasion(cause="mail:1", kind="answer", priority=ANSWER)
        part = Part(template="notice", context={"text": say("CALENDAR_ON"), "game": "", "taken": True}, attachment=file)
        post(zine.app, session, answer, to, [Part(template="notice", context=part.context), part])
        stranger = Player(name="Zoe", name_key="zoe", created_at=zine.now)
        session.add(stranger)
        session.flush()
        assert calendar_files.all_zats(zine.app, session, stranger, game_page) is None
    events = files(zine)[address_of(ANNA)].events
    assert [str(event["SUMMARY"]) for event in events] == ["ZAT Eriwan, Runde 2", "ZAT Möhren, Runde 1"]


@pytest.fixture
def chain(begin: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Wortkette »Kette«, which plays in turns, not started yet; both players want the calendar."""
    monkeypatch.syspath_prepend(str(Path(__file__).parents[1] / "stories" / "chain"))
    engines.cache_clear()
    zine = begin("empty")
    actions.new_game(zine.app, "Wortkette", "Kette")
    for name in (ANNA, BERND):
        actions.join(zine.app, "Kette", name, address_of(name), None)
    wants_calendar(zine, ANNA, BERND)
    actions.start(zine.app, "Kette")
    yield zine
    engines.cache_clear()
    sys.modules.pop("chain_game", None)


def zat_of_chain(zine: Any) -> datetime:
    """The present deadline of the chain."""
    with zine.app.database.read() as session:
        zat = game_queries.named(session, "Kette").zat
        assert zat is not None
        return zat


@pytest.mark.tampers
def test_in_turns_only_who_is_due(chain: Any) -> None:
    """In games by turns only the seat on turn has a calendar entry, one entry that moves with the ZAT."""
    got = files(chain)
    first = only_event(got[address_of(ANNA)])
    assert str(first["SUMMARY"]) == "ZAT Kette, Zug 1"
    assert first.start == zat_of_chain(chain).replace(second=0)
    assert got[address_of(BERND)] is None
    chain.writes(ANNA, "Wortkette Kette\nStand: 10\nsagen rot\n")
    got = files(chain)
    assert only_event(got[address_of(BERND)]).start == zat_of_chain(chain).replace(second=0)
    assert got[address_of(ANNA)] is None  # the answer
    chain.writes(BERND, "Wortkette Kette\nStand: 20\nsagen tor\n")
    again = only_event(files(chain)[address_of(ANNA)])
    assert again["UID"] == first["UID"]
    assert again["SEQUENCE"] > first["SEQUENCE"]
    actions.move_zat(chain.app, "Kette", "+7d")
    got = files(chain)
    assert only_event(got[address_of(ANNA)]).start == zat_of_chain(chain).replace(second=0)
    assert got[address_of(BERND)] is None


@pytest.mark.tampers
def test_in_turns_the_end_frees_the_day(chain: Any) -> None:
    """A game in turns that is broken off cancels the one entry that it had."""
    sent = only_event(files(chain)[address_of(ANNA)])
    note_zat(chain, "Kette")
    actions.abort(chain.app, "Kette", "zu wenige Mitspieler")
    gone = only_event(files(chain)[address_of(ANNA)])
    assert (gone["UID"], gone["STATUS"]) == (sent["UID"], "CANCELLED")


@pytest.mark.tampers
def test_a_round_of_rules_of_another_version(eriwan: Any) -> None:
    """Where all play at once, nobody has to look at the board for the file."""
    wants_calendar(eriwan, ANNA)
    with eriwan.writing() as session:
        turn = session.get_one(Turn, turn_queries.current_turn(session, game_queries.named(session, "Eriwan")).id)
        turn.rules_version = 99
        session.add(turn)
    actions.move_zat(eriwan.app, "Eriwan", "+7d")
    with eriwan.app.database.read() as session:
        zat = game_queries.named(session, "Eriwan").zat
    assert only_event(files(eriwan)[address_of(ANNA)]).start == zat


@pytest.mark.tampers
def test_rules_of_another_version(chain: Any) -> None:
    """A state that these rules can't read stops no mail: it goes out without the file."""
    files(chain)
    with chain.writing() as session:
        turn = session.get_one(Turn, turn_queries.current_turn(session, game_queries.named(session, "Kette")).id)
        turn.rules_version = 99
        session.add(turn)
    actions.move_zat(chain.app, "Kette", "+7d")
    got = files(chain)
    assert {address_of(ANNA), address_of(BERND)} == set(got)
    assert set(got.values()) == {None}
