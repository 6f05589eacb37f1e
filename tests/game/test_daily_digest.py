"""`Digest täglich 18:00`: bulletins that ask nothing of a player come in one mail a day (interface.md)."""

from __future__ import annotations

import re
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import datetime
from typing import Any

import pytest
import seating
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlmodel import select

from games.api import SPECTATOR, Seat
from games.dice import Dice
from gm.demo.in_memory_zine import PLAYERS, address_of, digests_from
from gm.game import word_judge
from gm.game.announcements import daily_digest
from gm.game.announcements.announced_step import step_of
from gm.game.deadlines import next_time
from gm.game.position import position
from gm.messages.game_mails import events_for
from gm.messages.rendering.wording import Speaker
from gm.messages.sentences import SENTENCES
from gm.requests.desk import actions, players
from gm.requests.desk.erasure import forget
from gm.runtime.errors import Refused
from gm.store.game_file import touch
from gm.store.queries import game_queries, seat_queries
from gm.store.tables import DigestStep, Game, Player, Question, Turn
from gm.store.tables import Seat as SeatRow
from parsers.mime.message import read_mail

pytestmark = pytest.mark.trust

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
            seating.join(zine.app, name, player, address_of(player), None)
        actions.start(zine.app, name)
    zine.tick()
    zine.mails()


def prepare(zine: Any) -> None:
    """Three games in turns with four players; Anna wants a daily digest, at 18:00."""
    open_games(zine)
    zine.writes(ANNA, "Digest täglich 18:00\n")
    zine.tick()


@pytest.fixture
def games(begin: Any) -> Any:
    """It is noon, 2 November: three games have begun, and Anna has asked for a daily digest."""
    return begin("empty", after=prepare)


def due(zine: Any, name: str) -> list[str]:
    """Say whose move is due in a game."""
    with zine.app.database.read() as session:
        game = game_queries.named(session, name)
        at, sitting = position(zine.app, game), seat_queries.names(game)
        return [sitting[number] for number in sorted(at.engine.due(at.state))] if game.status == "running" else []


def move(zine: Any, name: str) -> str:
    """Let who is on turn move as the game suggests; returns the name."""
    with zine.app.database.read() as session:
        game = game_queries.named(session, name)
        at, sitting = position(zine.app, game), seat_queries.names(game)
        seat = Seat(min(at.engine.due(at.state)))
        words = word_judge.judge(zine.app, game)
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


def untold(zine: Any) -> list[tuple[int, str]]:
    """List which steps digests have still to tell: the player and the game."""
    rows = [row for row in zine.rows(DigestStep) if not row.told_by]
    names = {game.id: game.name for game in zine.rows(Game)}
    return [(row.player_id, names[row.game_id]) for row in rows]


def at_six(zine: Any) -> list[Any]:
    """Let it be 18:00 of this day, and return what Anna gets."""
    zine.at(f"{zine.now.date()}T18:00:30+01:00")
    zine.tick()
    return to_anna(zine)


# -- what waits, and what does not -------------------------------------------------------------------------------------


def test_one_mail_with_a_heading_per_game(games: Any) -> None:
    """Bulletins that ask nothing come together at the time: what happened, and each game's newest position whole."""
    for name in (RIGA, KIEW):
        past_anna(games, name)
    first, second = move(games, RIGA), move(games, RIGA)
    third = move(games, KIEW)
    assert to_anna(games) == []
    (mail,) = at_six(games)
    assert mail.subject == "Dein Tag vom 02.11.2026: Riga, Kiew"
    said = games.said(mail)
    assert "Hallo Anna," in said
    assert said.count("Hallo") == 1
    at = 0
    for part in ("TYP-DOM »RIGA«", f"{first} legt", f"{second} legt", "SO STEHT »RIGA«", "BRETT", "FARBDOMINO »KIEW«",
                 f"{third} legt", "SO STEHT »KIEW«", "TISCH"):  # fmt: skip
        at = said.index(part, at)
    assert said.count("BRETT") == said.count("TISCH") == 1
    assert untold(games) == []
    games.passes(days=1)
    games.tick()
    assert to_anna(games) == []


def test_others_get_each_at_once(games: Any) -> None:
    """The default stays as it is: who has not asked for it gets every bulletin at once."""
    past_anna(games, RIGA)
    mover = move(games, RIGA)
    others = {address_of(name) for name in (BERND, CARLA, DORA) if name != mover}
    assert others <= {recipient for recipient, _ in games.mails()}


def test_what_asks_for_a_move_goes_at_once(games: Any) -> None:
    """The bulletin that makes Anna due comes by itself; the steps before it come in the digest and nowhere else."""
    past_anna(games, RIGA)
    past_anna(games, KIEW)
    *movers, last = move_until(games, RIGA, ANNA)
    move(games, KIEW)
    (mail,) = to_anna(games)
    assert mail.subject.startswith("[Riga] ")
    assert "Du bist am Zug" in mail.subject
    assert "Typ-Dom Riga Stand: " in games.said(mail)
    (digest,) = at_six(games)
    said = games.said(digest)
    riga = said[said.index("TYP-DOM »RIGA«") : said.index("SO STEHT »RIGA«", said.index("TYP-DOM »RIGA«"))]
    told = re.findall(r"Uhr \(MEZ\): (\w+ \w+) ", riga)
    assert [told, last in told] == [movers, False]
    assert "Du bist am Zug" in riga


def test_the_newest_position_is_shown(games: Any) -> None:
    """Where a later step was told at once, the digest shows the position after that one."""
    past_anna(games, RIGA)
    move_until(games, RIGA, ANNA)
    (at_once,) = to_anna(games)
    (digest,) = at_six(games)
    rows = re.findall(r"^ *\d\d(?: +[.\w])+ *$", at_once.text, re.MULTILINE)
    assert len(rows) > 5
    assert rows == re.findall(r"^ *\d\d(?: +[.\w])+ *$", digest.text, re.MULTILINE)


def test_the_week_does_not_tell_it_again(games: Any) -> None:
    """The weekly overview of somebody with a daily digest has what waits and who looks for players, but no steps."""
    digests_from(games.app, games.now)
    past_anna(games, RIGA)
    move(games, RIGA)
    at_six(games)
    actions.new_game(games.app, "crossword", "Wien")
    games.at("2026-11-08T18:00:30+01:00")
    games.tick()
    (week,) = [mail for mail in to_anna(games) if "Deine Woche" in mail.subject]
    assert "NEU AUSGEWERTET" not in week.text
    assert "und deinen täglichen Digest dazu" in games.said(week)


def test_a_spectator_may_have_it_too(games: Any) -> None:
    """Whoever watches is never due: all bulletins wait."""
    actions.new_game(games.app, "crossword", "Wien")
    seating.join(games.app, "Wien", "Emil Fink", "emil@spieler.example", "E")
    games.writes("Emil Fink", "Beobachten Riga\nDigest täglich um 7 Uhr\n", sender="emil@spieler.example")
    games.tick()
    games.mails()
    move(games, RIGA)
    move(games, RIGA)
    assert "emil@spieler.example" not in {recipient for recipient, _ in games.mails()}
    games.at("2026-11-03T07:00:30+01:00")
    games.tick()
    (mail,) = [mail for recipient, mail in games.mails() if recipient == "emil@spieler.example"]
    assert "SO STEHT »RIGA«" in mail.text
    assert "DEINE STEINE" not in mail.text


def test_an_answer_does_not_wait(games: Any) -> None:
    """Confirmations and refusals come at once; the digest stays to be made."""
    past_anna(games, RIGA)
    move(games, RIGA)
    games.writes(ANNA, "Stand Riga\n")
    games.writes(ANNA, "Typ-Dom Riga\nB2 s ROT\n")
    games.tick()
    assert len(to_anna(games)) == 2
    assert untold(games) == [(1, RIGA)]


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
        found.append([mail.subject for mail in to_anna(games) if "Riga" in mail.subject])
    reminded = [bool(subjects) and "Erinnerung" in subjects[0] for subjects in found]
    assert reminded == [False, True, False, True, False]
    assert untold(games).count((1, RIGA)) == 1  # she missed it; the next is on turn


def test_an_advance_move_is_told_with_the_move_before_it(games: Any) -> None:
    """Steps that share a bulletin share it here as well; what came of the reader's own advance move comes at once."""
    past_anna(games, RIGA)
    (first,) = due(games, RIGA)
    second = PLAYERS[(PLAYERS.index(first) + 1) % 4]
    games.writes(second, "Vorab Riga\nkaufen\n")
    games.writes(second, "Digest täglich 18:00\n")
    games.tick()
    games.mails()
    move(games, RIGA)
    told = [mail for recipient, mail in games.mails() if recipient == address_of(second)]
    assert [f"{first} legt" in mail.text for mail in told] == [True]
    move(games, RIGA)
    at_once, mail = at_six(games)
    said = games.said(mail)
    assert "Du bist am Zug" in at_once.subject
    assert said.index(f"{first} legt") < said.index(f"{second} kauft")


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
def test_when_the_digest_comes(zine: Any, clock: str, now: str, then: str) -> None:
    """By the zine's clock, once a day, through summer time."""
    zine.at(now)
    assert next_time(zine.app, clock) == datetime.fromisoformat(then)


@pytest.mark.parametrize("command", ["Digest an", "Digest aus", "Digest monatlich", "Digest täglich 22:00"])
def test_a_change_tells_at_once(command: str, games: Any) -> None:
    """Whatever the new setting is: what the digest had not told yet goes out now, once."""
    for name in (RIGA, KIEW):
        past_anna(games, name)
        move(games, name)
    games.writes(ANNA, f"{command}\n")
    games.tick()
    assert [mail.subject.partition(":")[0] for mail in to_anna(games)].count("Dein Tag vom 02.11.2026") == 1
    assert untold(games) == []
    move(games, RIGA)
    is_daily = "täglich" in command
    assert (len(to_anna(games)), len(untold(games))) == ((0, 1) if is_daily else (1, 0))


def test_the_same_wish_again_changes_nothing(games: Any) -> None:
    """Who repeats the line gets an answer, and the digest at its time."""
    past_anna(games, RIGA)
    move(games, RIGA)
    games.writes(ANNA, "Digest täglich 18 Uhr\n")
    games.tick()
    (answer,) = to_anna(games)
    assert "in einer Mail am Tag, um 18:00 Uhr" in games.said(answer)
    assert untold(games) == [(1, RIGA)]


def test_without_a_time_it_comes_with_the_weeks(games: Any) -> None:
    """`Digest täglich` takes the time of `[digest]`."""
    games.writes(BERND, "Digest täglich\n")
    games.tick()
    player = games.rows(Player)[1]
    assert (player.digest, player.digest_at) == ("daily", f"{games.app.settings.digest.time:%H:%M}")


def test_a_time_that_is_none_is_answered(games: Any) -> None:
    """What can't be read changes nothing; the answer shows how it is written."""
    games.mails()
    games.writes(ANNA, "Digest täglich 25:00\n")
    games.tick()
    (mail,) = to_anna(games)
    assert "Digest" in games.said(mail)
    assert games.rows(Player)[0].digest_at == "18:00"


def test_english(games: Any) -> None:
    """The same in English, with the English command."""
    games.writes(ANNA, "Digest daily 6 pm\nLanguage en\n")
    games.tick()
    for name in (RIGA, KIEW):
        past_anna(games, name)
        move(games, name)
        move(games, name)
    (mail,) = at_six(games)
    assert mail.subject == "Your day, 2 November 2026: Riga, Kiew"
    assert "“RIGA” NOW" in mail.text
    assert "steht" not in mail.text
    assert "“Digest on” the bulletins one by one" in games.said(mail)


# -- whatever else happens meanwhile -----------------------------------------------------------------------------------


def test_a_step_taken_back_is_not_told(games: Any) -> None:
    """Of steps that are still to be told only the one taken back goes; the mail about it comes at once."""
    past_anna(games, RIGA)
    first = move(games, RIGA)
    second = move(games, RIGA)
    actions.undo(games.app, RIGA)
    games.tick()
    (undone,) = to_anna(games)
    assert "zurückgenommen" in undone.subject
    (digest,) = at_six(games)
    assert f"{first} legt" in digest.text
    assert f"{second} legt" not in digest.text


def test_a_round_made_again_before_the_digest_is_no_correction(games: Any) -> None:
    """It is told once, as it is now."""
    past_anna(games, RIGA)
    games.passes(minutes=5)
    actions.close(games.app, RIGA, games.now)  # who is on turn misses it
    games.tick()
    actions.undo(games.app, RIGA)
    games.tick()
    games.mails()
    move(games, RIGA)
    (mail,) = at_six(games)
    assert "Korrektur" not in mail.text
    assert "NMR" not in mail.text


def test_a_correction_of_what_was_told_goes_at_once(games: Any) -> None:
    """What a digest has told is corrected by a mail of its own."""
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
    assert ["KORRIGIERT" in mail.subject for mail in to_anna(games)] == [False, True]
    assert untold(games) == []


def test_a_new_address_gets_it(games: Any) -> None:
    """The digest goes to where the player's mails go by then."""
    past_anna(games, RIGA)
    move(games, RIGA)
    players.use(games.app, ANNA, "anna@neu.example")
    games.at("2026-11-02T18:00:30+01:00")
    games.tick()
    assert [recipient for recipient, mail in games.mails() if "Dein Tag" in mail.subject] == ["anna@neu.example"]


def test_who_is_forgotten_gets_no_more(games: Any) -> None:
    """What a digest was to tell goes with the person."""
    actions.new_game(games.app, "crossword", "Wien")
    seating.join(games.app, "Wien", "Emil Fink", "emil@spieler.example", "E")
    games.writes("Emil Fink", "Beobachten Riga\nDigest täglich um 7 Uhr\n", sender="emil@spieler.example")
    games.tick()
    move(games, RIGA)
    assert RIGA in [name for _, name in untold(games)]
    forget(games.app, "Emil Fink")
    assert untold(games) == []


def test_two_processes_send_it_once(games: Any) -> None:
    """Whoever comes second finds nothing to tell any more."""
    for name in (RIGA, KIEW):
        past_anna(games, name)
        move(games, name)
    games.at("2026-11-02T18:00:30+01:00")
    apps = [games.app, games.open(games.app.settings)]
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(daily_digest.send_due, apps))
    assert len(games.outgoing(kind="daily")) == 1
    assert len(games.outgoing(status="queued")) == 1


@pytest.mark.tampers
def test_a_game_that_cannot_be_told_of_waits_a_day(games: Any) -> None:
    """Rules that aren't installed keep back what is about that game alone; the GM is told, and nothing is lost."""
    for name in (RIGA, KIEW):
        past_anna(games, name)
        move(games, name)
    with games.writing() as session:
        (step,) = [one for one in session.exec(select(DigestStep)).all() if one.game_id == 1]
        turn = session.get_one(Turn, step.turn_id)
        was, turn.rules_version = turn.rules_version, 99
        touch(session, session.get_one(Game, turn.game_id))
    (mail,) = at_six(games)
    assert mail.subject == "Dein Tag vom 02.11.2026: Kiew"
    assert [row.kind for row in games.rows(Question) if row.game_id == 1] == ["held", "digest"]
    with games.writing() as session:
        turn = session.get_one(Turn, step.turn_id)
        turn.rules_version = was
        session.add(turn)
    games.passes(days=1)
    (mail,) = at_six(games)
    assert "Riga" in mail.subject


def test_a_long_digest_becomes_two(games: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """No mail is longer than programs show; what doesn't fit comes in the next, each game in one."""
    for name in (RIGA, KIEW, BONN):
        past_anna(games, name)
    for name in (RIGA, KIEW, BONN):
        move(games, name)
    monkeypatch.setattr(daily_digest, "LONGEST", 30_000)
    mails = at_six(games)
    assert len(mails) > 1
    assert sum(mail.text.count("Viele Grüße") for mail in mails) == len(mails)
    told = Counter(title for mail in mails for title in ("»RIGA«", "»KIEW«", "»BONN«") if title in mail.text)
    assert set(told.values()) == {1}
    assert len(told) == 3


# -- every bulletin once, whatever happens -----------------------------------------------------------------------------

STEPS = st.one_of(
    st.tuples(st.just("move"), st.sampled_from((RIGA, KIEW, BONN))),
    st.tuples(st.just("move"), st.sampled_from((KIEW, BONN))),
    st.tuples(st.just("pass"), st.sampled_from((1, 5, 9))),
    st.tuples(st.just("write"), st.sampled_from(("Digest täglich 18:00", "Digest täglich 7:00", "Digest aus"))),
    st.tuples(st.just("undo"), st.sampled_from((KIEW, BONN))),
    st.tuples(st.just("zat"), st.sampled_from((KIEW, BONN))),
    st.tuples(st.just("down"), st.booleans()),
)


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(STEPS, min_size=6, max_size=22))
def test_every_bulletin_arrives_once(opener: Any, steps: list[tuple[str, Any]]) -> None:
    """With and without the setting, whatever the order: no step is left out or told of twice."""
    zine = opener("empty", after=prepare)
    try:
        _play(zine, steps)
        zine.writes(ANNA, "Digest aus\n")
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
        zine.tick() if is_up else daily_digest.send_due(zine.app)
        zine.passes(minutes=1)


def _check_once(zine: Any, name: str) -> None:
    """Each step that was not taken back is told of by one mail that has gone, by itself or in a digest."""
    rows = {row.message_id: row for row in zine.outgoing() if row.address == address_of(name)}
    turns = {turn.id: turn for turn in zine.rows(Turn)}
    mails = [read_mail(letter.raw) for letter in zine.outbox.letters if letter.recipient == address_of(name)]
    arrived = {mail.message_id: " ".join(mail.text.split()) for mail in mails}
    assert len(arrived) == len(mails)
    assert not [row for row in rows.values() if row.status == "queued"]
    told = [
        (row.message_id, int(row.cause.removeprefix("turn:"))) for row in rows.values() if row.cause.startswith("turn:")
    ]
    told += [(row.told_by, row.turn_id) for row in zine.rows(DigestStep) if row.told_by in rows]
    assert len({turn_id for _, turn_id in told}) == len(told)
    for message_id, turn_id in told:
        if rows[message_id].status == "sent":
            assert message_id not in arrived or _events(zine, turns[turn_id], arrived[message_id])
        else:
            assert (rows[message_id].status, bool(turns[turn_id].undone_at)) == ("dropped", True)
    seen = {turn_id for _, turn_id in told}
    untold = {turn.id for turn in turns.values() if not turn.undone_at and turn.released_at and turn.kind != "start"}
    assert not {turn_id for turn_id in untold - seen if not _is_own(zine, turns[turn_id], name)}


def _is_own(zine: Any, turn: Turn, name: str) -> bool:
    """Whether a step is a reader's own move, which was answered."""
    seats = {(row.game_id, row.number): row.player_id for row in zine.rows(SeatRow)}
    (player,) = [row for row in zine.rows(Player) if row.name == name]
    return turn.kind == "act" and seats[turn.game_id, turn.input["seat"]] == player.id


def _events(zine: Any, turn: Turn, text: str) -> bool:
    """Whether a mail says what happened in a step, as everybody may know it."""
    with zine.app.database.read() as session:
        step = step_of(zine.app, session, session.get_one(Game, turn.game_id), turn)
        speaker = Speaker(language="de", wording={**SENTENCES, **step.engine.wording}, names=step.names)
        said = [speaker.say(event.text) for event in events_for(step.events, SPECTATOR)]
    return all(one in text for one in said)
