"""`Sammelpost 18:00`: bulletins that ask nothing of a player come in one mail a day (issue "One mail a day")."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlmodel import select

from games.api import SPECTATOR, Seat
from games.dice import Dice
from gm.commands.gm_commands import actions, mail_actions, players
from gm.commands.gm_commands.erasure import forget
from gm.demo.in_memory_zine import PLAYERS, address_of
from gm.game import word_judge
from gm.game.announcements import bundles
from gm.game.announcements.announced_step import step_of
from gm.game.deadlines import next_time
from gm.game.position import position
from gm.messages.game_mails import events_for
from gm.messages.rendering import calendar_files
from gm.messages.rendering.wording import Speaker
from gm.messages.sentences.table import SENTENCES
from gm.reports import health, mail_log
from gm.runtime.errors import Refused
from gm.store.queries import game_queries, seat_queries, thread_queries
from gm.store.tables import Game, MailOut, Player, Turn
from parsers.mime.message import read_mail

ANNA, BERND, CARLA, DORA = PLAYERS[:4]
RIGA, KIEW, BONN = "Riga", "Kiew", "Bonn"
KINDS = {RIGA: "typ-dom", KIEW: "farbdomino", BONN: "farbdomino"}
SEED = "00" * 16


def open_games(zine: Any, names: tuple[str, ...] = (RIGA, KIEW, BONN)) -> None:
    """Start games in turns; with this seed everybody's racks, and who begins, are the same in each run."""
    for name in names:
        actions.new_game(zine.app, KINDS[name], name)
        with zine.writing() as session:
            game_queries.named(session, name).seed = SEED
        for player in (ANNA, BERND, CARLA, DORA):
            actions.join(zine.app, name, player, address_of(player), None)
        actions.start(zine.app, name)
    zine.tick()
    zine.mails()


def prepare(zine: Any) -> None:
    """Three games in turns with four players; Anna wants one mail a day, at 18:00."""
    open_games(zine)
    zine.writes(ANNA, "Sammelpost 18:00\n")
    zine.tick()


@pytest.fixture
def games(begin: Any) -> Any:
    """It is noon, 2 November: three games have begun, and Anna has asked for one mail a day."""
    return begin("empty", after=prepare)


def due(zine: Any, name: str) -> list[str]:
    """Say whose move is due in a game."""
    with zine.app.database.read() as session:
        game = game_queries.named(session, name)
        at, sitting = position(zine.app, session, game), seat_queries.names(session, game)
        return [sitting[number] for number in sorted(at.engine.due(at.state))] if game.status == "running" else []


def move(zine: Any, name: str) -> str:
    """Let who is on turn move as the game suggests; returns the name."""
    with zine.app.database.read() as session:
        game = game_queries.named(session, name)
        at, sitting = position(zine.app, session, game), seat_queries.names(session, game)
        seat = Seat(min(at.engine.due(at.state)))
        words = word_judge.judge(zine.app, session, game)
        lines = at.engine.suggest(at.state, seat, Dice("move", at.turn.number), words)
        stand = [line for line in at.engine.view(at.state, seat).block[:1] if line.startswith("Stand:")]
    zine.writes(sitting[seat], "\n".join([f"{at.engine.rules.title} {name}", *stand, *lines, ""]))
    zine.tick()
    return str(sitting[seat])


def move_until(zine: Any, name: str, who: str) -> list[str]:
    """Let the others move until somebody is on turn."""
    movers = []
    while who not in due(zine, name):
        movers.append(move(zine, name))
    return movers


def past_anna(zine: Any, name: str) -> None:
    """Let Anna have her turn, so that the next moves ask nothing of her."""
    move_until(zine, name, ANNA)
    move(zine, name)
    zine.mails()


def to_anna(zine: Any) -> list[Any]:
    """Return Anna's new mails."""
    return [mail for recipient, mail in zine.mails() if recipient == address_of(ANNA)]


def held(zine: Any, **more: Any) -> list[MailOut]:
    """List what is held."""
    rows: list[MailOut] = zine.outgoing(status="held", **more)
    return rows


def at_six(zine: Any) -> list[Any]:
    """Let it be 18:00 of this day, and return what Anna gets."""
    zine.at(f"{zine.now.date()}T18:00:30+01:00")
    zine.tick()
    return to_anna(zine)


# -- what waits, and what does not -------------------------------------------------------------------------------------


def test_one_mail_with_a_heading_per_game(games: Any) -> None:
    """Bulletins that ask nothing come together at the time, each game's newest position whole, older ones in short."""
    for name in (RIGA, KIEW):
        past_anna(games, name)
    first, second = move(games, RIGA), move(games, RIGA)
    third = move(games, KIEW)
    assert to_anna(games) == []
    (mail,) = at_six(games)
    assert mail.subject == "Sammelpost vom 02.11.2026: Riga, Kiew"
    said = games.said(mail)
    assert "Hallo Anna," in said
    assert said.count("Hallo") == 1
    order = [said.index(part) for part in (
        "TYP-DOM »RIGA«", "WAS VORHER GESCHAH", f"{first} legt", "UND ZULETZT", f"{second} legt", "BRETT",
        "FARBDOMINO »KIEW«", f"{third} legt",
    )[1:]]  # fmt: skip
    assert order[0] < order[2]
    assert said.count("BRETT") == 1
    assert said.count("TISCH") == 1
    assert said.count("WAS VORHER GESCHAH") == 1
    assert held(games) == []
    games.passes(days=1)
    games.tick()
    assert to_anna(games) == []


def test_others_get_each_at_once(games: Any) -> None:
    """The default stays as it is: who has not asked for it gets every bulletin at once."""
    past_anna(games, RIGA)
    mover = move(games, RIGA)
    others = {address_of(name) for name in (BERND, CARLA, DORA) if name != mover}
    assert others <= {recipient for recipient, _ in games.mails()}


def test_a_bulletin_that_makes_due_brings_what_was_held(games: Any) -> None:
    """It goes at once, with what was held for that game before it in short; nothing is read twice or out of order."""
    past_anna(games, RIGA)
    past_anna(games, KIEW)
    movers = move_until(games, RIGA, ANNA)
    move(games, KIEW)
    (mail,) = to_anna(games)
    said = games.said(mail)
    assert mail.subject.startswith("[Riga] ")
    assert "du bist am Zug" in mail.subject
    found = [said.index(f"{name} legt", said.index("WAS VORHER GESCHAH")) for name in movers]
    assert len(movers) == 3
    assert found == sorted(found)
    assert "Der Block zum Kopieren" in said
    assert [row.game_id for row in held(games)] == [2]
    (rest,) = at_six(games)
    assert rest.subject.startswith("[Kiew] ")
    assert "Riga" not in rest.text


def test_what_is_about_one_game_stays_in_its_thread(games: Any) -> None:
    """One game's news are its last bulletin, with its subject, in its thread: a reply is about that game."""
    past_anna(games, RIGA)
    move(games, RIGA)
    last = move(games, RIGA)
    (mail,) = at_six(games)
    assert mail.subject.startswith(f"[Riga] {last} legt")
    assert "WAS VORHER GESCHAH" in mail.text
    (start,) = games.outgoing(kind="start", game_id=1, address=address_of(ANNA))
    assert mail.references[0] == start.message_id


def test_a_bundle_hangs_in_the_threads_of_its_games(games: Any) -> None:
    """References name the last mail of each game that Anna has, and the next one hangs on this one."""
    for name in (RIGA, KIEW):
        past_anna(games, name)
        move(games, name)
    before = [thread(games, name)[-1] for name in (RIGA, KIEW)]
    (mail,) = at_six(games)
    assert list(mail.references) == before
    assert mail.in_reply_to == before[-1]
    assert [thread(games, name)[-1] for name in (RIGA, KIEW)] == [mail.message_id] * 2


def thread(zine: Any, name: str) -> tuple[str, ...]:
    """Return what a new mail about a game to Anna would refer to."""
    with zine.app.database.read() as session:
        return thread_queries.references(session, game_queries.named(session, name), 1)


def test_a_spectator_may_have_it_too(games: Any) -> None:
    """Whoever watches is never due: all bulletins wait."""
    games.writes("Emil Fink", "Sammelpost um 7 Uhr\n", sender="emil@spieler.example")
    actions.new_game(games.app, "crossword", "Wien")
    actions.join(games.app, "Wien", "Emil Fink", "emil@spieler.example", "E")
    games.writes("Emil Fink", "Beobachten Riga\nSammelpost um 7 Uhr\n", sender="emil@spieler.example")
    games.tick()
    games.mails()
    move(games, RIGA)
    move(games, RIGA)
    assert "emil@spieler.example" not in {recipient for recipient, _ in games.mails()}
    games.at("2026-11-03T07:00:30+01:00")
    games.tick()
    (mail,) = [mail for recipient, mail in games.mails() if recipient == "emil@spieler.example"]
    assert "WAS VORHER GESCHAH" in mail.text
    assert "DEINE STEINE" not in mail.text


def test_what_was_held_goes_before_another_mail_about_the_game(games: Any) -> None:
    """A mail about a new ZAT goes at once, and does not overtake the bulletins held for that game."""
    past_anna(games, RIGA)
    past_anna(games, KIEW)
    move(games, KIEW)
    move(games, RIGA)
    move(games, RIGA)
    actions.move_zat(games.app, RIGA, "+2d")
    games.tick()
    subjects = [mail.subject for mail in to_anna(games)]
    assert len(subjects) == 3
    assert all(subject.startswith("[Riga] ") for subject in subjects)
    assert "ZAT" in subjects[-1]
    assert "legt" in subjects[0]
    assert [row.game_id for row in held(games)] == [2]


def test_an_answer_does_not_wait(games: Any) -> None:
    """Confirmations and refusals come at once, and what is held stays so."""
    past_anna(games, RIGA)
    move(games, RIGA)
    games.writes(ANNA, "Stand Riga\n")
    games.writes(ANNA, "Typ-Dom Riga\nB2 s ROT\n")
    games.tick()
    assert len(to_anna(games)) == 2
    assert len(held(games)) == 1


def test_moves_count_as_if_it_had_gone(games: Any) -> None:
    """For one held back a block counts from the time at which it would have gone, also when it has gone later."""
    past_anna(games, RIGA)
    move(games, RIGA)
    (row,) = held(games)

    def seen() -> datetime | None:
        with games.app.database.read() as session:
            game = game_queries.named(session, RIGA)
            return thread_queries.position_sent_at(session, game, 1, row.opens_round or 0)

    assert seen() == row.held_at == row.created_at
    at_six(games)
    assert seen() == row.held_at


def test_a_step_is_public_although_one_waits(games: Any) -> None:
    """The archive does not wait for somebody's mail of the day."""
    past_anna(games, RIGA)
    move(games, RIGA)
    games.tick()
    assert all(turn.published_at for turn in games.rows(Turn))


def test_reminders_and_nmr_come_as_without_it(games: Any) -> None:
    """Anna is reminded, and misses her turn, at the same times as if she had not asked for it."""
    move_until(games, RIGA, ANNA)
    games.mails()
    with games.app.database.read() as session:
        zat = game_queries.named(session, RIGA).zat
    found = []
    for hours in (73, 71, 13, 11, -1):
        games.passes_until(zat, hours=-hours)
        games.tick()
        found.append([mail.subject.partition(" – ")[0] for mail in to_anna(games) if "Riga" in mail.subject])
    reminded = [bool(subjects) and "Erinnerung" in subjects[0] for subjects in found]
    assert reminded == [False, True, False, True, False]
    assert [row.kind for row in held(games, game_id=1)] == ["bulletin"]  # she missed it; the next is on turn


def test_an_advance_move_is_told_with_the_move_before_it(games: Any) -> None:
    """Steps that share a bulletin share it here as well; what came of the reader's own advance move comes at once."""
    past_anna(games, RIGA)
    (first,) = due(games, RIGA)
    second = PLAYERS[(PLAYERS.index(first) + 1) % 4]
    games.writes(second, "Vorab Riga\nkaufen\n")
    games.writes(second, "Sammelpost 18:00\n")
    games.tick()
    games.mails()
    move(games, RIGA)
    told = [mail for recipient, mail in games.mails() if recipient == address_of(second)]
    assert [f"{first} legt" in mail.text for mail in told] == [True]
    move(games, RIGA)
    (mail,) = at_six(games)
    said = games.said(mail)
    assert said.index("WAS VORHER GESCHAH") < said.index(f"{first} legt") < said.index(f"{second} kauft")


# -- the setting -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("clock", "now", "then"),
    [
        ("18:00", "2026-11-02T17:59:59+01:00", "2026-11-02T18:00:00+01:00"),
        ("18:00", "2026-11-02T18:00:00+01:00", "2026-11-03T18:00:00+01:00"),
        ("00:00", "2026-11-02T00:00:01+01:00", "2026-11-03T00:00:00+01:00"),
        ("18:00", "2026-10-24T19:00:00+02:00", "2026-10-25T18:00:00+01:00"),  # summer time ends
        ("18:00", "2027-03-27T19:00:00+01:00", "2027-03-28T18:00:00+02:00"),  # summer time begins
        ("02:30", "2027-03-28T00:00:00+01:00", "2027-03-28T03:30:00+02:00"),  # 02:30 never comes
        ("02:30", "2026-10-25T01:00:00+02:00", "2026-10-25T02:30:00+01:00"),  # and here comes twice
    ],
)
def test_when_the_mail_of_the_day_comes(zine: Any, clock: str, now: str, then: str) -> None:
    """By the zine's clock, once a day, through summer time."""
    zine.at(now)
    assert next_time(zine.app, clock) == datetime.fromisoformat(then)


def test_off_sends_what_is_held(games: Any) -> None:
    """`Sammelpost aus` says so, sends what was gathered at once, and the next bulletin comes by itself."""
    for name in (RIGA, KIEW):
        past_anna(games, name)
        move(games, name)
    games.writes(ANNA, "Sammelpost aus\n")
    games.tick()
    answer, bundle = to_anna(games)
    assert "sofort und einzeln" in games.said(answer)
    assert bundle.subject == "Sammelpost vom 02.11.2026: Riga, Kiew"
    move(games, RIGA)
    assert len(to_anna(games)) == 1


def test_another_time_never_delays(games: Any) -> None:
    """What is held comes at the new time, unless it would have come before."""
    past_anna(games, RIGA)
    move(games, RIGA)
    for command, then in (("Sammelpost 17:00", "17:00"), ("Sammelpost 22:00", "17:00"), ("Sammelpost an", "17:00")):
        games.writes(ANNA, f"{command}\n")
        games.tick()
        (row,) = held(games)
        assert f"{row.next_try.astimezone(ZoneInfo('Europe/Berlin')):%H:%M}" == then
    assert games.rows(Player)[0].bundle == "18:00"


def test_a_time_that_is_none_is_answered(games: Any) -> None:
    """What can't be read changes nothing; the answer shows how it is written."""
    games.mails()
    games.writes(ANNA, "Sammelpost 25:00\n")
    games.tick()
    (mail,) = to_anna(games)
    assert "Sammelpost 18:00" in games.said(mail)
    assert games.rows(Player)[0].bundle == "18:00"


def test_the_gm_sets_it_for_a_player(games: Any) -> None:
    """`gm player bundle` does the same, and a mail tells the player."""
    from gm.commands.preferences import gather_for

    past_anna(games, RIGA)
    move(games, RIGA)
    assert gather_for(games.app, "Anna Berg", "off") == (ANNA, "")
    games.tick()
    assert ["[Riga]" in mail.subject for mail in to_anna(games)] == [True, False]
    assert gather_for(games.app, BERND, "7 pm") == (BERND, "19:00")
    with pytest.raises(Refused, match="no time of day"):
        gather_for(games.app, BERND, "soon")


def test_english(games: Any) -> None:
    """The same in English, with the English command."""
    games.writes(ANNA, "Bundle 6 pm\nLanguage en\n")
    games.tick()
    for name in (RIGA, KIEW):
        past_anna(games, name)
        move(games, name)
        move(games, name)
    (mail,) = at_six(games)
    assert mail.subject == "Bundle of 2 November 2026: Riga, Kiew"
    assert "WHAT HAPPENED BEFORE" in mail.text
    assert "geschah" not in mail.text
    assert "“Bundle off” brings the bulletins one by one" in games.said(mail)


# -- whatever else happens meanwhile -----------------------------------------------------------------------------------


def test_undo_drops_what_is_held(games: Any) -> None:
    """A step that is taken back is not told of; what was held before it stays, and comes before the mail about it."""
    past_anna(games, RIGA)
    first = move(games, RIGA)
    second = move(games, RIGA)
    actions.undo(games.app, RIGA)
    games.tick()
    told, undone = to_anna(games)
    assert told.subject.startswith(f"[Riga] {first} legt")
    assert "zurückgenommen" in undone.subject
    assert second not in told.subject.partition("–")[0]
    assert held(games) == []


def test_undo_takes_a_bundle_apart_that_has_not_gone(games: Any) -> None:
    """The server is down: of a mail of the day that waits only the step taken back is lost."""
    for name in (RIGA, KIEW):
        past_anna(games, name)
        move(games, name)
    move(games, RIGA)
    games.at("2026-11-02T18:00:30+01:00")
    bundles.send_due(games.app)
    (bundle,) = games.outgoing(kind="bundle")
    actions.undo(games.app, RIGA)
    games.tick()
    subjects = sorted(mail.subject.partition(" – ")[0] for mail in to_anna(games))
    assert len(subjects) == 3
    assert "Sammelpost" not in " ".join(subjects)
    assert games.outgoing(id=bundle.id)[0].status == "dropped"
    assert held(games) == []
    assert games.outgoing(carried_by=bundle.message_id) == []


def test_a_correction_takes_the_place_of_what_is_held(games: Any) -> None:
    """A round that is made again while its bulletin is held is told of once, and not as a correction."""
    past_anna(games, RIGA)
    games.passes(minutes=5)
    actions.close(games.app, RIGA, games.now)  # who is on turn misses it
    games.tick()
    actions.undo(games.app, RIGA)
    games.tick()
    games.mails()
    move(games, RIGA)
    (row,) = held(games)
    assert "KORRIGIERT" not in row.subject
    (mail,) = at_six(games)
    assert "Korrektur" not in mail.text


def test_a_correction_of_what_has_gone_is_one(games: Any) -> None:
    """What came with the mail of the day is corrected like any other mail."""
    for name in (RIGA, KIEW):
        past_anna(games, name)
    games.passes(minutes=5)
    actions.close(games.app, RIGA, games.now)
    move(games, KIEW)
    assert len(at_six(games)) == 1
    actions.undo(games.app, RIGA)
    games.tick()
    games.passes(minutes=5)
    actions.close(games.app, RIGA, games.now)
    games.tick()
    games.mails()
    (row,) = [one for one in held(games) if one.game_id == 1]
    assert "KORRIGIERT" in row.subject


def test_a_new_address_gets_it(games: Any) -> None:
    """What is held goes to where the player's mails go by then."""
    past_anna(games, RIGA)
    past_anna(games, KIEW)
    move(games, RIGA)
    players.use(games.app, ANNA, "anna@neu.example")
    move(games, KIEW)
    games.at("2026-11-02T18:00:30+01:00")
    games.tick()
    sent = [recipient for recipient, mail in games.mails() if mail.subject.startswith("Sammelpost")]
    assert sent == ["anna@neu.example"]


def test_who_leaves_gets_no_more(games: Any) -> None:
    """After the farewell nothing comes: what was held for the player is dropped, and the row can be forgotten."""
    past_anna(games, RIGA)
    move(games, RIGA)
    games.writes(ANNA, "Vergiss mich\n")
    games.tick()
    (asked,) = to_anna(games)
    games.writes(ANNA, "Ja\n", subject=f"Re: {asked.subject}", in_reply_to=asked.message_id)
    games.tick()
    assert len(to_anna(games)) == 1
    assert held(games) == []
    assert games.rows(Player)[0].bundle == ""


def test_nobody_is_forgotten_while_a_mail_with_the_name_is_held(games: Any) -> None:
    """It is in the queue as well; the GM reads how to send it now."""
    past_anna(games, RIGA)
    mover = move(games, RIGA)
    with games.writing() as session:
        for seat in session.exec(select(seat_queries.Seat)).all():
            if session.get_one(Player, seat.player_id).name == mover:
                seat.until = games.now
    with pytest.raises(Refused, match="one mail a day; to send it now: gm mail retry o"):
        forget(games.app, mover)


def test_the_gm_sees_what_is_held(games: Any) -> None:
    """The log says until when, and where it went; the queue is not late because of it; the GM can send or drop it."""
    past_anna(games, RIGA)
    past_anna(games, KIEW)
    move(games, RIGA)
    games.passes(hours=3)
    with games.app.database.read() as session:
        (row,) = mail_log.mails(games.app, session, mail_log.Wanted(status="held"))
        assert (row["status"], row["why"]) == ("held", "for one mail a day, 2026-11-02 18:00")
        assert "held: for one mail a day" in mail_log.one_mail(games.app, session, row["id"], raw=False)
        monitored = health.monitored(games.app, session)
    assert (monitored["to_send"], monitored["untried_oldest_seconds"]) == (0, None)
    move(games, KIEW)
    with games.writing() as session:
        mail_actions.retry(games.app, session, row["id"])
    games.tick()
    assert len(to_anna(games)) == 1
    with games.app.database.read() as session:
        row = mail_log.mails(games.app, session, mail_log.Wanted(status="carried"))[-1]
    assert row["why"].startswith("went in o")
    move(games, RIGA)
    with games.writing() as session:
        mail_actions.drop(games.app, session, f"o{held(games)[0].id}")
    assert held(games) == []


def test_two_processes_send_it_once(games: Any) -> None:
    """Whoever comes second finds nothing held any more."""
    for name in (RIGA, KIEW):
        past_anna(games, name)
        move(games, name)
    games.at("2026-11-02T18:00:30+01:00")
    apps = [games.app, games.open(games.app.settings)]
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(bundles.send_due, apps))
    assert len(games.outgoing(kind="bundle")) == 1
    assert len(games.outgoing(status="queued")) == 1


@contextmanager
def other_rules(zine: Any, mail: MailOut) -> Iterator[None]:
    """Let a step have been made by rules that aren't installed any more."""
    for version in (99, 1):
        with zine.writing() as session:
            turn = session.get_one(Turn, int(mail.cause.removeprefix("turn:")))
            turn.rules_version = version
            session.add(turn)
        if version == 99:
            yield


def test_what_cannot_be_written_anew_goes_as_it_is(games: Any, caplog: Any) -> None:
    """Where the mail of the day can't be made, each bulletin goes out as it was written: nothing is kept back."""
    for name in (RIGA, KIEW):
        past_anna(games, name)
        move(games, name)
    games.at("2026-11-02T18:00:30+01:00")
    with other_rules(games, held(games)[0]):
        bundles.send_due(games.app)
    games.tick()
    assert len(to_anna(games)) == 2
    assert "a mail of the day could not be made" in caplog.text
    assert held(games) == []


def test_what_nobody_can_tell_in_short_goes_before(games: Any) -> None:
    """A bulletin that makes due can't tell of a step by other rules: that step's own goes right before it."""
    past_anna(games, RIGA)
    first = move(games, RIGA)
    move(games, RIGA)
    with other_rules(games, held(games)[0]):
        move_until(games, RIGA, ANNA)
    subjects = [mail.subject for mail in to_anna(games)]
    assert len(subjects) == 3
    assert subjects[0].startswith(f"[Riga] {first} legt")
    assert "du bist am Zug" in subjects[-1]
    assert held(games) == []


def test_a_long_bundle_becomes_two(games: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """No mail is longer than programs show; what doesn't fit comes in the next, each game in one."""
    for name in (RIGA, KIEW, BONN):
        past_anna(games, name)
    for name in (RIGA, KIEW, BONN):
        move(games, name)
    monkeypatch.setattr(bundles, "LONGEST", 30_000)
    mails = at_six(games)
    assert len(mails) > 1
    assert sum(mail.text.count("Viele Grüße") for mail in mails) == len(mails)
    told = Counter(title for mail in mails for title in ("»RIGA«", "»KIEW«", "»BONN«") if title in mail.text)
    assert set(told.values()) == {1}
    assert len(told) == 3


def test_the_calendar_comes_along(games: Any) -> None:
    """Who wants ZATs as files gets those of all games that a mail tells of in one."""
    with games.app.database.read() as session:
        files = [
            calendar_files.zat_of(games.app, session, game_queries.named(session, name), player, "de")
            for name in (RIGA, KIEW)
            for player in (1, 2, 3, 4)
        ]
    found = [file for file in files if file]
    joined = calendar_files.joined(found)
    assert joined
    events = [re.findall(rb"^UID:(.*?)\r$", file.content, re.MULTILINE) for file in (*found, joined)]
    assert len(found) == 2
    assert events[-1] == events[0] + events[1]
    assert joined.content.count(b"BEGIN:VCALENDAR") == 1
    assert calendar_files.joined(found[:1]) == found[0]
    assert calendar_files.joined([]) is None


# -- every bulletin once, whatever happens -----------------------------------------------------------------------------

STEPS = st.one_of(
    st.tuples(st.just("move"), st.sampled_from((RIGA, KIEW, BONN))),
    st.tuples(st.just("move"), st.sampled_from((KIEW, BONN))),
    st.tuples(st.just("pass"), st.sampled_from((1, 5, 9))),
    st.tuples(st.just("write"), st.sampled_from(("Sammelpost 18:00", "Sammelpost 7:00", "Sammelpost aus"))),
    st.tuples(st.just("undo"), st.sampled_from((KIEW, BONN))),
    st.tuples(st.just("zat"), st.sampled_from((KIEW, BONN))),
    st.tuples(st.just("down"), st.booleans()),
)


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(STEPS, min_size=6, max_size=22))
def test_every_bulletin_arrives_once(opener: Any, steps: list[tuple[str, Any]]) -> None:
    """With and without the setting, whatever the order: no step is left out, told of twice, or told of too late."""
    zine = opener("empty", after=prepare)
    try:
        _play(zine, steps)
        zine.writes(ANNA, "Sammelpost aus\n")
        zine.tick()
        zine.tick()
        for name in (ANNA, BERND):
            _check_once(zine, name)
    finally:
        zine.close()


def _play(zine: Any, steps: list[tuple[str, Any]]) -> None:
    is_up = True
    for what, which in steps:
        if what == "move" and due(zine, which):
            move(zine, which)
        elif what == "pass":
            zine.passes(hours=which)
        elif what == "write":
            zine.writes(ANNA, f"{which}\n")
        elif what == "undo":
            with suppress(Refused):  # the game has just begun, or is over
                actions.undo(zine.app, which)
                actions.move_zat(zine.app, which, "+3d")
        elif what == "zat":
            actions.move_zat(zine.app, which, "+1d")
        is_up = which if what == "down" else is_up
        zine.tick() if is_up else bundles.send_due(zine.app)
        zine.passes(minutes=1)


def _check_once(zine: Any, name: str) -> None:
    """Each step that was not taken back is told of by one mail that has gone, in the order of its game."""
    rows = [row for row in zine.outgoing() if row.address == address_of(name)]
    turns = {f"turn:{turn.id}": turn for turn in zine.rows(Turn)}
    sent = {row.message_id: row for row in rows if row.status == "sent"}
    letters = [letter for letter in zine.outbox.letters if letter.recipient == address_of(name)]
    mails = [read_mail(letter.raw) for letter in letters]
    arrived = {mail.message_id: (at, " ".join(mail.text.split())) for at, mail in enumerate(mails)}
    assert len(arrived) == len(mails)
    assert not [row for row in rows if row.status in ("held", "queued")]
    told: dict[int, list[tuple[int, int]]] = {}
    for row in rows:
        if (turn := turns.get(row.cause)) and (carrier := sent.get(row.carried_by or row.message_id)):
            at, text = arrived.get(carrier.message_id, (-1, ""))
            assert at < 0 or _events(zine, turn, text)
            told.setdefault(turn.game_id, []).append((at, turn.id))
        elif turn:
            assert (row.status, bool(turn.undone_at)) == ("dropped", True)
    for of_game in told.values():
        assert [turn_id for _, turn_id in sorted(of_game)] == sorted(turn_id for _, turn_id in of_game)


def _events(zine: Any, turn: Turn, text: str) -> bool:
    """Whether a mail says what happened in a step, as everybody may know it."""
    with zine.app.database.read() as session:
        step = step_of(zine.app, session, session.get_one(Game, turn.game_id), turn)
        speaker = Speaker(language="de", wording={**SENTENCES, **step.engine.wording}, names=step.names)
        said = [speaker.say(event.text) for event in events_for(step.events, SPECTATOR)]
    return all(one in text for one in said)
