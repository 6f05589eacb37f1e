"""The digest: when it is sent, to whom, in which order, and what it never contains."""

import re
from datetime import UTC, date, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import seating
from sqlalchemy import event
from sqlmodel import select, update

from gm.app.pass_report import Report
from gm.demo.in_memory_zine import NESTED, PLAYERS, address_of
from gm.game.position import position
from gm.reports import gm_mails
from gm.requests.desk import actions
from gm.runtime.config.settings import Digest, load
from gm.service.outbound.digests import last_instant, send_digests
from gm.service.tick import tick
from gm.store.queries import game_queries, player_queries, question_queries, seat_queries, turn_queries, zine_queries
from gm.store.tables import Address, Game, Player, Press, Question, Turn, Vacation, Watcher
from parsers.mime.message import read_mail

ANNA, BERND, CARLA, DORA, EMIL, FRIDA = PLAYERS
GERDA = "Gerda Hahn"
GM = "cici@postspiel.example"
SUNDAYS = {"weekday": "sunday", "time": "18:00"}
SUNDAY = "2026-11-08T18:00:00+01:00"


def change(zine: Any, table: Any, **values: Any) -> None:
    """Change a column of every row."""
    with zine.writing() as session:
        session.execute(update(table).values(**values))


def player(session: Any, name: str) -> Player:
    """Find somebody who must be there."""
    found = player_queries.player_named(session, name)
    assert found
    return found


def digests(zine: Any) -> dict[str, Any]:
    """Return the digests that were ever queued, by recipient's name (the GM's is GM); nobody may have two."""
    rows = zine.outgoing(kind="digest")
    with zine.app.database.read() as session:
        names = [session.get(Player, row.player_id).name if row.player_id else GM for row in rows]
    assert len(set(names)) == len(names)
    return {name: read_mail(row.raw) for name, row in zip(names, rows, strict=True)}


def said(mail: Any) -> str:
    """Return a mail in one line."""
    return " ".join(f"{mail.subject} {mail.text}".split())


@pytest.fixture
def week(begin: Any) -> Any:
    """Eriwan in round 1, ZAT 16.11.; the next digest is due on Sunday, 8.11."""
    zine = begin("started", digest=SUNDAYS)
    return zine


def on_sunday(zine: Any, when: str = SUNDAY) -> dict[str, Any]:
    """Let it be Sunday; returns everybody's digest."""
    zine.at(when)
    zine.tick()
    return digests(zine)


# -- when ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("now", "weekly", "monthly"),
    [
        ("2026-10-24T12:00:00Z", "2026-10-18T16:00:00Z", "2026-10-04T16:00:00Z"),
        ("2026-10-25T16:59:59Z", "2026-10-18T16:00:00Z", "2026-10-04T16:00:00Z"),
        ("2026-10-25T17:00:00Z", "2026-10-25T17:00:00Z", "2026-10-04T16:00:00Z"),
        ("2026-11-01T17:00:00Z", "2026-11-01T17:00:00Z", "2026-11-01T17:00:00Z"),
        ("2027-03-27T12:00:00Z", "2027-03-21T17:00:00Z", "2027-03-07T17:00:00Z"),
        ("2027-03-28T15:59:59Z", "2027-03-21T17:00:00Z", "2027-03-07T17:00:00Z"),
        ("2027-03-28T16:00:00Z", "2027-03-28T16:00:00Z", "2027-03-07T17:00:00Z"),
    ],
)
def test_the_clock_on_the_wall_counts(now: str, weekly: str, monthly: str) -> None:
    """It is due at the same local time in summer and winter, and the monthly one on the first Sunday of a month."""
    instants = [
        last_instant(Digest(), ZoneInfo("Europe/Berlin"), datetime.fromisoformat(now), rhythm)
        for rhythm in ("weekly", "monthly")
    ]
    assert instants == [datetime.fromisoformat(weekly), datetime.fromisoformat(monthly)]
    assert all(instant.tzinfo == UTC for instant in instants)


@pytest.mark.parametrize(
    ("before", "due"),
    [("2026-10-24T12:00:00Z", "2026-10-25T17:00:00Z"), ("2027-03-27T12:00:00Z", "2027-03-28T16:00:00Z")],
)
def test_on_the_sundays_when_the_clocks_change(begin: Any, before: str, due: str) -> None:
    """On both of them it goes out at 18:00 on the wall, not an hour before."""
    zine = begin("seated", now=before, digest=SUNDAYS)
    change(zine, Player, created_at=zine.now)
    actions.new_game(zine.app, "crossword", "Havanna")
    zine.passes_until(datetime.fromisoformat(due), seconds=-1)
    zine.tick()
    assert not digests(zine)
    assert set(on_sunday(zine, due)) == {*PLAYERS, GM}


def last_digest(week: Any) -> datetime | None:
    """Up to when digests were sent."""
    with week.app.database.read() as session:
        return zine_queries.zine(session).last_digest


def test_once(week: Any) -> None:
    """However often the service looks, also as another process, nobody gets a second one."""
    assert set(on_sunday(week)) == {*PLAYERS, GM}
    other = week.open(load(week.config))
    for _ in range(3):
        week.passes(hours=7)
        send_digests(other, Report(), last_digest(week))
        week.tick()
    other.close()
    assert len(digests(week)) == 7


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize(("hours", "number"), [(5, 7), (23.9, 7), (24, 0), (25, 0)])
def test_the_service_was_down(week: Any, hours: float, number: int) -> None:
    """A missed one is sent once within a day; after that the next Sunday is soon enough."""
    week.passes_until(datetime.fromisoformat(SUNDAY), hours=hours)
    week.tick()
    week.tick()
    assert len(digests(week)) == number
    week.at("2026-11-15T18:00:00+01:00")
    week.tick()
    assert len(week.outgoing(kind="digest")) == number + 7


def test_the_first_one_is_the_next_sundays(week: Any) -> None:
    """A player added after the hour waits a week, though the service was late."""
    week.at("2026-11-08T19:00:00+01:00")
    actions.new_game(week.app, "crossword", "Havanna")
    seating.join(week.app, "Havanna", GERDA, address_of(GERDA), "D")
    actions.new_game(week.app, "crossword", "Genua")
    assert GERDA not in on_sunday(week, "2026-11-08T19:30:00+01:00")
    assert ANNA in digests(week)
    week.at("2026-11-15T18:00:00+01:00")
    week.tick()
    assert "Genua" in said(week.gets(GERDA))


def test_a_new_zine_waits_for_the_next_sunday(week: Any) -> None:
    """A service that begins on Sunday evening sends no digest of a week that it didn't see."""
    with week.writing() as session:
        zine_queries.zine(session).last_digest = None
    assert not on_sunday(week, "2026-11-08T20:00:00+01:00")
    assert len(on_sunday(week, "2026-11-15T18:00:00+01:00")) == 7


def test_another_day(begin: Any) -> None:
    """The house chooses day and hour."""
    zine = begin("started", digest={"weekday": "wednesday", "time": "07:30"})
    zine.at("2026-11-04T07:29:59+01:00")
    zine.tick()
    assert not digests(zine)
    assert "Diese Übersicht kommt jeden Mittwoch" in said(on_sunday(zine, "2026-11-04T07:30:00+01:00")[ANNA])


def test_an_idle_pass_asks_nothing(week: Any) -> None:
    """When nothing is due, what the pass knows of the zine is enough."""
    on_sunday(week)
    last, asked = last_digest(week), list[str]()
    event.listen(week.app.database.engine, "before_cursor_execute", lambda *args: asked.append(args[2]))
    assert not send_digests(week.app, Report(), last)
    assert asked == []


# -- who -----------------------------------------------------------------------------------------------------------


def test_monthly(week: Any) -> None:
    """The monthly digest comes on the first Sunday, with the events of the month."""
    with week.writing() as session:
        player(session, ANNA).digest = "monthly"
    assert set(on_sunday(week)) == {*PLAYERS[1:], GM}
    actions.close(week.app, "Eriwan", week.now)
    actions.move_zat(week.app, "Eriwan", "2026-12-10 20:00")
    for day in (15, 22, 29):
        week.at(f"2026-11-{day}T18:00:00+01:00")
        week.tick()
    week.mails()
    week.at("2026-12-06T18:00:00+01:00")
    week.tick()
    got = {address: mail for address, mail in week.mails() if "Übersicht kommt" in mail.text}
    assert got[address_of(ANNA)].subject.startswith("Dein Monat: 1 Zug offen (Eriwan")
    assert "Eriwan (Crossword), Runde 1 vom 08.11.2026" in said(got[address_of(ANNA)])
    assert "am ersten Sonntag im Monat" in said(got[address_of(ANNA)])
    assert "Runde 1 vom" not in said(got[address_of(BERND)])


def test_off(week: Any) -> None:
    """Players who switched it off never get it; the GM's copy comes all the same and counts."""
    change(week, Player, digest="off")
    assert set(on_sunday(week)) == {GM}
    assert "ging diesmal an niemanden; 6 abbestellt." in said(digests(week)[GM])


def test_nothing_to_say(week: Any) -> None:
    """A move on file, dates and press alone are no reason for a mail."""
    week.sends(ANNA, "DN")
    with week.writing() as session:
        anna, turn = player(session, ANNA), session.exec(select(Turn)).one()
        session.add(Vacation(player_id=anna.id, first=date(2026, 11, 9), last=date(2026, 11, 10), at=week.now))
        session.add(Press(game_id=turn.game_id, player_id=anna.id, text="Hallo", received_at=week.now, turn_id=turn.id))
    assert set(on_sunday(week)) == {*PLAYERS[1:], GM}
    assert "1 ohne Neuigkeiten" in said(digests(week)[GM])


def test_a_shared_address(week: Any) -> None:
    """Two players of one address get one each, which says whose it is and how to stop that one."""
    with week.writing() as session:
        dora, emil = (player(session, name) for name in (DORA, EMIL))
        for row in session.exec(select(Address).where(Address.player_id == emil.id)):
            row.address = address_of(DORA)
    on_sunday(week)
    rows = week.outgoing(kind="digest", address=address_of(DORA))
    assert [row.player_id for row in rows] == [dora.id, emil.id]
    for row, name in zip(rows, (DORA, EMIL), strict=True):
        assert f"schreib »Name: {name}« darunter" in said(read_mail(row.raw))
        first = name.split()[0]
        line = f"List-Unsubscribe: <mailto:zug@postspiel.example?subject=Digest%20aus&body=Name%3A%20{first}%20"
        assert f"\r\n{line}{name.split()[1]}>\r\n".encode() in row.raw
        assert b"List-Unsubscribe-Post" not in row.raw


def test_only_digests_can_be_stopped_by_a_click(week: Any) -> None:
    """No bulletin and no GM's copy offers to be unsubscribed."""
    on_sunday(week)
    offered = [row.player_id for row in week.outgoing() if b"List-Unsubscribe" in row.raw]
    assert offered == [row.player_id for row in week.outgoing(kind="digest") if row.player_id]
    assert len(offered) == 6


def test_in_the_players_language(week: Any) -> None:
    """Each reads it in the own language, the order that stops it as well."""
    with week.writing() as session:
        player(session, ANNA).language = "en"
    on_sunday(week)
    row = next(row for row in week.outgoing(kind="digest", address=address_of(ANNA)))
    assert read_mail(row.raw).subject == "Your week: 1 move due (Eriwan, Mon, 16 Nov)"
    assert b"subject=Digest%20off&body=Name%3A%20Anna%20Berg>" in row.raw


def test_it_goes_out_last(week: Any) -> None:
    """Answers and bulletins never wait behind a digest."""
    on_sunday(week)
    assert {row.priority for row in week.outgoing(kind="digest")} == {2}


# -- what ----------------------------------------------------------------------------------------------------------


def test_the_missing_move_comes_first(week: Any) -> None:
    """What is missing, the nearest ZAT first; then what is on file."""
    for name in ("Genua", "Dakar"):
        actions.new_game(week.app, "crossword", name, zat="9d" if name == "Genua" else None)
        for who, wish in zip(PLAYERS, "DNTIRO", strict=True):
            seating.join(week.app, name, who, address_of(who), wish)
        actions.start(week.app, name)
    week.sends(ANNA, "DN")
    week.sends(BERND, "NR", None)
    got = on_sunday(week)
    assert got[CARLA].subject == "Deine Woche: 3 Züge offen (Genua, ZAT Mi, 11.11.)"
    assert re.findall(r"- (\w+) \(Crossword\)", got[CARLA].text) == ["Genua", "Eriwan", "Dakar"]
    assert "Genua (Crossword), Runde 1: ZAT Mi, 11.11.2026, 20:00 Uhr (noch 3 Tage); noch kein Zug da" in said(
        got[CARLA]
    )
    own = said(got[ANNA])
    assert own.index("DEIN ZUG FEHLT") < own.index("Dakar") < own.index("DEIN ZUG LIEGT VOR")
    assert "dein Zug vom Mo, 02.11.2026, 12:01 Uhr; ZAT Mo, 16.11." in own
    assert "aber es fehlt noch etwas" in said(got[BERND])
    assert own.count("ZAT Eriwan, Runde 1") == 1  # until then it may be changed: a date to know


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"held": "its rules are not installed"}, "Runde 1: steht still, bis Cici Beilken entschieden hat;"),
        ({"paused_until": datetime(2026, 11, 20, 19, tzinfo=UTC)}, "Runde 1: Pause bis Fr, 20.11.2026, 20:00 Uhr;"),
        ({"zat": None}, "Runde 1: noch ohne ZAT;"),
    ],
)
def test_a_clock_that_stands_still(week: Any, values: dict[str, Any], sentence: str) -> None:
    """A game that stands still says so instead of a ZAT, and the reason stays with the GM."""
    change(week, Game, **values)
    got = on_sunday(week)
    assert sentence in said(got[ANNA])
    assert got[ANNA].subject == "Deine Woche: 1 Zug offen (Eriwan)"
    assert "16.11." not in got[ANNA].text
    assert "not installed" not in got[ANNA].text
    assert ("not installed" in said(got[GM])) == ("held" in values)


def test_a_bulletin_that_waits_for_the_gm(begin: Any) -> None:
    """Of an unreleased round the digest says only that it waits for the GM; for that alone no digest is sent."""
    week = begin("started", digest=SUNDAYS, deadlines={"release": "gm"})
    actions.close(week.app, "Eriwan", week.now)
    assert set(on_sunday(week)) == {GM}
    assert "gm release Eriwan" in said(digests(week)[GM])
    actions.new_game(week.app, "crossword", "Havanna")
    week.at("2026-11-15T18:00:00+01:00")
    week.tick()
    mail = [mail for address, mail in week.mails() if address == address_of(ANNA)][-1]
    assert mail.subject == "Deine Woche: 1 offene Partie"
    assert "Eriwan (Crossword): Cici Beilken gibt sie noch frei." in said(mail)
    assert "Runde" not in mail.text


def test_what_was_closed(week: Any) -> None:
    """Each round that was closed in the week is named once, with whose move didn't come; for watchers as well."""
    actions.new_game(week.app, "crossword", "Genua")
    seating.join(week.app, "Genua", GERDA, address_of(GERDA), "D")
    for silent in ((BERND, DORA), ()):
        week.all_send(*(name for name in PLAYERS if name not in silent))
        actions.close(week.app, "Eriwan", week.now)
        week.tick()
    with week.writing() as session:
        eriwan = game_queries.named(session, "Eriwan")
        session.add(Watcher(game_id=eriwan.id, player_id=player(session, GERDA).id, at=week.now))
    got = on_sunday(week)
    assert got[GERDA].subject == "Deine Woche: 2 Auswertungen"
    for name in (ANNA, GERDA):
        assert "Eriwan (Crossword), Runde 1 vom 02.11.2026; ohne Zug (NMR): Bernd Cordes, Dora Ems" in said(got[name])
        assert "Eriwan (Crossword), Runde 2 vom 02.11.2026; alle Züge waren da" in said(got[name])
    week.mails()
    week.at("2026-11-15T18:00:00+01:00")
    week.tick()
    again = [said(mail) for address, mail in week.mails() if address == address_of(ANNA)]
    assert any("Deine Woche" in text for text in again)
    assert not any("NEU AUSGEWERTET" in text for text in again)


def test_a_closing_that_was_taken_back(week: Any) -> None:
    """What the GM has undone isn't told as if it held."""
    actions.close(week.app, "Eriwan", week.now)
    with week.writing() as session:
        eriwan = game_queries.named(session, "Eriwan")
        turn_queries.turns(session, eriwan)[1].undone_at = week.now
        eriwan.turn, eriwan.version, eriwan.round = 0, 1, 1
        session.add(eriwan)
    got = on_sunday(week)
    assert "NEU AUSGEWERTET" not in said(got[ANNA])
    assert "Eriwan (Crossword), Runde 1: ZAT" in said(got[ANNA])


@pytest.fixture
def tonga(begin: Any) -> Any:
    """Tonga, a game that counts turns, which nobody has moved in for days."""
    zine = begin("empty", digest=SUNDAYS)
    actions.new_game(zine.app, "typ-dom", "Tonga", zat="1d")
    for name in (ANNA, BERND):
        seating.join(zine.app, "Tonga", name, address_of(name), None)
    actions.start(zine.app, "Tonga")
    for _ in range(3):
        zine.passes(days=1, hours=8)
        zine.tick()
    actions.move_zat(zine.app, "Tonga", "+9d")
    return zine


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize(
    ("language", "line", "missing"),
    [("de", "Zug 1 bis 2, zuletzt am 05.11.2026", "DEIN ZUG FEHLT"),
     ("en", "turn 1 to 2, the last on 5 November 2026", "YOUR MOVE IS MISSING")],
)  # fmt: skip
def test_turns_of_a_week_are_one_line(tonga: Any, language: str, line: str, missing: str) -> None:
    """Where a game counts turns, the week's are told of together; only who is on turn is asked for a move."""
    change(tonga, Player, language=language)
    got = on_sunday(tonga)
    for name in (ANNA, BERND):
        assert f"Tonga (Typ-Dom), {line}" in said(got[name])
    assert sorted(missing in got[name].text for name in (ANNA, BERND)) == [False, True]
    assert "0 von 1" not in got[ANNA].text + got[BERND].text


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize(
    ("language", "sentence"),
    [("de", "dein Zug liegt bei Cici Beilken; steht still, bis Cici Beilken entschieden hat"),
     ("en", "your move is with Cici Beilken; on hold until Cici Beilken has decided")],
)  # fmt: skip
def test_a_move_that_waits_for_a_ruling(tonga: Any, language: str, sentence: str) -> None:
    """A player whose move waits for the GM isn't asked for one."""
    change(tonga, Player, language=language)
    with tonga.writing() as session:
        game = game_queries.named(session, "Tonga")
        (due,) = position(tonga.app, game).engine.due(position(tonga.app, game).state)
        owner = next(seat.player_id for seat in seat_queries.seats(game) if seat.number == due)
        session.add(Question(code="ABCDEFGH", kind=question_queries.HELD_MOVE, game_id=game.id, player_id=owner,
                             payload={"words": ["TQX"], "text": "TQX"}, created_at=tonga.now))  # fmt: skip
        name = session.get_one(Player, owner).name
    got = on_sunday(tonga)
    assert f"Tonga (Typ-Dom), {'Zug' if language == 'de' else 'turn'} 3: {sentence} " in said(got[name])
    assert not any(re.search("FEHLT|MISSING", mail.text) for mail in got.values())
    assert "TQX" not in said(got[name])


@pytest.mark.trust
@pytest.mark.parametrize(
    ("language", "subject", "sign"),
    [("de", "Deine Woche: 1 Endstand", "vorläufig"), ("en", "Your week: 1 final result", "provisional")],
)
def test_the_end(begin: Any, language: str, subject: str, sign: str) -> None:
    """A finished game shows its first three places, provisional while words are open; repeated only if changed."""
    zine = begin("provisional", digest=SUNDAYS)
    change(zine, Player, language=language)
    with zine.writing() as session:
        turn_queries.turns(session, game_queries.named(session, "Eriwan"))[-1].released_at = zine.now
    got = on_sunday(zine, "2027-02-07T18:00:00+01:00")[BERND]
    assert got.subject == subject
    assert "Eriwan (Crossword): 1. Anna Berg" in said(got)
    assert sign in got.text
    zine.mails()
    zine.at("2027-02-14T18:00:00+01:00")
    zine.tick()
    assert {address for address, _ in zine.mails()} == {GM}
    actions.rule(zine.app, "Eriwan", ["DNI"], True, "", False)
    zine.tick()
    zine.mails()
    zine.at("2027-02-21T18:00:00+01:00")
    zine.tick()
    final = said(zine.gets(BERND))
    assert "Eriwan (Crossword): 1. Anna Berg" in final
    assert sign not in final
    with zine.writing() as session:  # ruled on once more, and nobody's points change
        game = game_queries.named(session, "Eriwan")
        last = turn_queries.turns(session, game)[-1].model_dump(exclude={"id"})
        session.add(Turn(**{**last, "version": last["version"] + 1, "at": zine.now, "released_at": zine.now}))
        game.version += 1
        session.add(game)
    zine.at("2027-02-28T18:00:00+01:00")
    zine.tick()
    assert {address for address, _ in zine.mails()} == {GM}


def test_open_games(week: Any) -> None:
    """Players without a seat in an open game are told how to get one; those with a seat aren't."""
    actions.new_game(week.app, "crossword", "Havanna")
    seating.join(week.app, "Havanna", ANNA, address_of(ANNA), "D")
    got = on_sunday(week)
    assert "HAVANNA" not in said(got[ANNA]).upper()
    assert "Havanna (Crossword), noch 5 Plätze: Antworte mit »Anmeldung Crossword Havanna«." in said(got[BERND])
    assert got[BERND].subject == "Deine Woche: 1 Zug offen (Eriwan, ZAT Mo, 16.11.), 1 offene Partie"


def test_press(week: Any) -> None:
    """At most five pieces, signed unless they were meant to be anonymous; what isn't printed yet isn't shown."""
    with week.writing() as session:
        turn, anna = session.exec(select(Turn)).one(), player(session, ANNA)
        texts = [*(f"Stück {number}" for number in range(1, 7)), "wort " * 100]
        for number, text in enumerate(texts):
            session.add(Press(game_id=turn.game_id, player_id=anna.id, text=text, anonymous=number == 5,
                              received_at=week.now, turn_id=turn.id))  # fmt: skip
        session.add(Press(game_id=turn.game_id, player_id=anna.id, text="Ungedruckt", received_at=week.now))
    got = said(on_sunday(week)[BERND])
    assert re.findall(r"Stück \d", got) == [f"Stück {number}" for number in (3, 4, 5, 6)]
    assert "Anna Berg (Eriwan): Stück 5" in got
    assert "Anonym (Eriwan): Stück 6" in got
    assert "wort wort …" in got
    assert got.count("wort") < 70
    assert "Ungedruckt" not in got


def test_dates(week: Any) -> None:
    """The next fortnight: ZATs of the own games and the own vacations, in order; nobody else's."""
    with week.writing() as session:
        for name, first, last in ((ANNA, 12, 22), (BERND, 12, 22), (ANNA, 23, 24)):
            away = Vacation(player_id=player(session, name).id, first=date(2026, 11, first), last=date(2026, 11, last),
                            at=week.now)  # fmt: skip
            session.add(away)
    got = on_sunday(week)
    start = "TERMINE - 12.11.2026 bis 22.11.2026: dein Urlaub - Mo, 16.11.2026, 20:00 Uhr: ZAT Eriwan, Runde 1 "
    assert f"{start}Viele Grüße" in said(got[ANNA])
    assert "Urlaub" not in got[CARLA].text
    assert "Anna Berg: 12.11.2026 bis 22.11.2026 - Bernd Cordes" in said(got[GM])


def test_who_has_left(week: Any) -> None:
    """A player who was replaced hears no more of the game; the standby does."""
    actions.standby(week.app, "Eriwan", EMIL, GERDA, address_of(GERDA))
    got = on_sunday(week)
    assert EMIL not in got
    assert "Eriwan" in got[GERDA].subject


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize("name", [BERND, CARLA])
def test_others_moves_stay_hidden(begin: Any, name: str) -> None:
    """Two worlds that differ in Dora's hidden move bring everybody else the same digest, byte by byte."""
    worlds = []
    for letters, wish in (("DNTIRO", "Q"), ("ORITND", "X")):
        zine = begin("started", digest=SUNDAYS)
        zine.sends(DORA, letters, wish)
        on_sunday(zine)
        worlds.append([row.raw for row in zine.outgoing(kind="digest", address=address_of(name))])
    assert len(worlds[0]) == 1
    assert worlds[0] == worlds[1]


# -- troubles ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "reason"),
    [({"rules_version": 99}, "nach Version 99 der Regeln"), ({"state": {}}, "das ist ein Fehler in den Regeln")],
)
@pytest.mark.tampers
def test_a_game_that_cannot_be_read(week: Any, values: dict[str, Any], reason: str) -> None:
    """A game that can't be loaded (other rules version, a bug) is left out, the GM is told why, the rest is sent."""
    change(week, Turn, **values)
    actions.new_game(week.app, "crossword", "Havanna")
    got = on_sunday(week)
    assert set(got) == {*PLAYERS, GM}
    assert "Eriwan" not in said(got[ANNA])
    assert "Eriwan fehlt in allen Übersichten:" in said(got[GM])
    assert reason in said(got[GM])


def test_the_gms_copy(week: Any) -> None:
    """The GM gets counts, what is stuck, what waits, the next ZATs: everything to know in a quiet week."""
    week.writes(ANNA, "GM: Wann ist Weihnachten?\n")
    week.arrives(b"From: Anna Berg <anna@spieler.example>\r\nSubject: Zug\r\n" + NESTED)
    week.outbox.refuse(address_of(FRIDA))
    week.writes(FRIDA, "Spiele")
    got = said(on_sunday(week)[GM])
    assert "ging an 6 Mitspieler." in got
    assert "Post zuletzt abgeholt: So, 08.11.2026, 18:00 Uhr" in got
    assert "Mails, die ich nicht lesen konnte: 1" in got
    assert "Anna Berg – gm mail show" in got
    assert "> Wann ist Weihnachten?" in got
    assert "Mo, 16.11.2026, 20:00 Uhr: Eriwan (Crossword), Runde 1; Züge: 0 von 6" in got


def test_the_second_gm_gets_none(begin: Any) -> None:
    """The GM's copy goes to one."""
    zine = begin("started", digest=SUNDAYS, service={"second_gm": "Zweite <zweite@postspiel.example>"})
    on_sunday(zine)
    assert [row.address for row in zine.outgoing(kind="digest") if not row.player_id] == [GM]


def test_a_round_that_should_be_closed(week: Any) -> None:
    """A ZAT that passed without a closing is reported to the GM as trouble; players read that it has passed."""
    week.at("2026-11-16T21:00:00+01:00")
    with week.writing() as session:
        zine_queries.zine(session).last_digest = datetime(2026, 11, 10, tzinfo=UTC)
    change(week, Game, zat=datetime(2026, 11, 15, 10, tzinfo=UTC))
    week.at("2026-11-15T18:00:00+01:00")
    tick(week.app, inbox=False)
    got = digests(week)
    assert "Eriwan: Der ZAT war So, 15.11.2026, 11:00 Uhr" in said(got[GM])
    assert "der ZAT ist vorbei" in said(got[ANNA])


def test_a_bug_in_the_digest(week: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the digest itself fails, rounds and answers go on, the GM is told once, and no pass fails again."""
    week.passes(days=2)
    week.tick()
    monkeypatch.setattr(gm_mails, "for_gm", lambda *_: 1 // 0)
    week.at(SUNDAY)
    report = tick(week.app, inbox=False)
    assert ["this is a bug" in str(trouble) for trouble in report.troubles] == [True]
    assert not tick(week.app, inbox=False).troubles
    assert not digests(week)
    assert [mail.subject for address, mail in week.mails() if address == GM] == [
        f"[Frage {asked.code}] Die Wochenübersicht ist ausgefallen" for asked in week.rows(Question)
    ]  # fmt: skip
    assert [question.kind for question in week.rows(Question)] == ["digest"]


def test_mailbox_down(week: Any) -> None:
    """No mails can be fetched: the digest still goes out, and the GM's copy says since when."""
    week.tick()
    week.at(SUNDAY)
    tick(week.app, inbox=False)
    assert "Post zuletzt abgeholt: Mo, 02.11.2026" in said(digests(week)[GM])
