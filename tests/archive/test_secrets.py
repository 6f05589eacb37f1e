"""Nobody sees what isn't theirs: whatever is hidden changes no byte and no date of the archive."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import seating
from publishing import send_and_export

from games import engines
from games.api import EVERYONE, SPECTATOR, MoveBlock
from games.api import Seat as SeatNumber
from games.dice import Dice
from gm.archive.record.public_wording import PublicSpeaker
from gm.archive.record.record import Record, from_json
from gm.demo.in_memory_zine import PLAYERS, Story
from gm.game import word_judge
from gm.game.people.name_changes import name_changes
from gm.game.position import position
from gm.requests.desk import actions
from gm.requests.desk.erasure import forget
from gm.store.json_values import decode, encode
from gm.store.queries import game_queries, player_queries, seat_queries, turn_queries
from gm.store.tables import MailIn, Player, Press, Question, Ruling, Standby, Vacation

KINDS = sorted(engines())
DEALT = ("farbdomino", "point-typ-dom", "presto", "typ-dom", "wer-behaelt-recht", "wort-yahtzee")
"""In these a seat starts with something that spectators are not shown."""
Begin = Callable[..., Any]
GAME = "Gomera"
WISH = "DNTIRO"


def begin(zine: Any, kind: str) -> None:
    """Begin a game of a kind, and play a little of it."""
    zine.begins_any(kind, GAME)
    zine.plays(GAME, 2)


def looks(zine: Any, site: Path) -> dict[str, tuple[bytes, int, int]]:
    """Bring the site up to date, and return all its files with their dates."""
    zine.passes(hours=1)
    done = send_and_export(zine.app, site)
    assert done.finished
    assert not done.troubles
    found = [path for path in site.rglob("*") if path.is_file()]
    return {
        str(path.relative_to(site)): (path.read_bytes(), path.stat().st_ino, path.stat().st_mtime_ns) for path in found
    }


def record(site: Path) -> Record:
    """Read what the site tells of the game."""
    return from_json((site / "partien" / GAME.lower() / "partie.json").read_bytes())


COUNTED = {
    ".stamp.json",
    "index.html",
    "partien/index.html",
    "termine/index.html",
    f"partien/{GAME.lower()}/index.html",
    f"partien/{GAME.lower()}/partie.json",
}
"""Files that may say how many moves are in."""


def counted(zine: Any, site: Path, before: dict[str, tuple[bytes, int, int]], filed: int) -> dict[str, Any]:
    """Look again after moves came: nothing but their number has changed. Return all files as they are then."""
    told = record(site)
    after = looks(zine, site)
    assert record(site) == replace(told, filed=filed)
    changed = {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}
    assert changed <= COUNTED
    return after


# -- running games -----------------------------------------------------------------------------------------------------


def moves_on_file(zine: Any) -> list[int]:
    """Let all who owe a move send what has no effect that others are told of; says who has."""
    with zine.app.database.read() as session:
        game = game_queries.named(session, GAME)
        at = position(zine.app, game)
        due = sorted(at.engine.due(at.state))
    sent = []
    for seat in due:
        with zine.app.database.read() as session:
            game = game_queries.named(session, GAME)
            at, words = position(zine.app, game), word_judge.judge(zine.app, game)
            lines = at.engine.suggest(at.state, seat, Dice("idea", seat), words)
            stand = [line for line in at.engine.view(at.state, seat).block[:1] if line.startswith("Stand")]
            holder = next(one for one in seat_queries.seats(game) if one.number == seat)
            who = session.get_one(Player, holder.player_id).name
        if not lines or _is_told(zine, seat, lines):
            continue
        block = "\n".join([f"{at.engine.rules.title} {GAME}", *stand, *lines])
        actions.enter_move(zine.app, GAME, who, block)
        sent.append(seat)
    return sent


def _is_told(zine: Any, seat: int, lines: tuple[str, ...]) -> bool:
    with zine.app.database.read() as session:
        game = game_queries.named(session, GAME)
        at, words = position(zine.app, game), word_judge.judge(zine.app, game)
        move = at.engine.read(at.state, SeatNumber(seat), MoveBlock(lines=tuple(lines)), words).move
        after = at.engine.act(at.state, SeatNumber(seat), move, Dice(game.seed, at.turn.number + 1), words)
        return after is not None and any(event.readers == EVERYONE for event in after.events)


def waits(zine: Any) -> None:
    """Let everybody say how they want the round to close."""
    for who in PLAYERS[:2]:
        zine.writes(who, f"Warten {GAME}\n", sender=zine.address(who))
    zine.tick()


def writes_press(zine: Any) -> None:
    """Let somebody write what waits for the next bulletin."""
    zine.says(PLAYERS[0], GAME, "Noch geheim.")


def knows_more(zine: Any) -> None:
    """Fill whatever nobody but GM and player may know."""
    with zine.app.database.write() as session:
        game, someone = game_queries.named(session, GAME), player_queries.player_named(session, PLAYERS[0])
        assert someone
        soon = (zine.now + timedelta(days=99)).date()
        session.add(Standby(player_id=someone.id, at=zine.now))
        session.add(Vacation(player_id=someone.id, first=soon, last=soon, at=zine.now))
        session.add(Question(code="X1", kind="words", game_id=game.id, payload={"text": "Geheim"}, created_at=zine.now))
        session.add(Ruling(game_id=game.id, word="GEHEIM", accepted=True, note="Geheim", at=zine.now))
        session.add(
            MailIn(folder="INBOX", uidvalidity=9, uid=9, raw=b"Geheim", size=6, content="", received_at=zine.now)
        )


def has_other_racks(zine: Any) -> bool:
    """Deal otherwise from the start on, wherever spectators can't tell; says whether anything is another."""
    with zine.app.database.write() as session:
        game = game_queries.named(session, GAME)
        engine, turn = zine.app.engine(game.engine), turn_queries.current_turn(game)
        if turn.kind != "start":
            return False
        entries = {
            SeatNumber(seat.number): decode(engine.entry_type, seat.entry) if seat.entry is not None else None
            for seat in seat_queries.seats(game)
        }
        shown = engine.view(decode(engine.state_type, turn.state), SPECTATOR)
        for other in range(5):
            state = engine.start(entries, game.options, Dice(f"other {other}", 0)).state
            if engine.view(state, SPECTATOR) == shown and encode(engine.state_type, state) != turn.state:
                turn.state = encode(engine.state_type, state)
                session.add(turn)
                return True
    return False


def anew(zine: Any, site: Path) -> dict[str, bytes]:
    """Make the whole site anew, elsewhere; returns its files but the stamp, whose mark is drawn by chance."""
    send_and_export(zine.app, site, full=True)
    files = (path for path in site.rglob("*") if path.is_file() and path.name != ".stamp.json")
    return {str(path.relative_to(site)): path.read_bytes() for path in files}


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_hidden_changes_no_byte_and_no_date(kind: str, new_zine: Begin, tmp_path: Path) -> None:
    """Moves on file, private rolls, »Warten«, press to come, lists, questions and rulings show nowhere, nor when.

    In a game with rounds there is a number of the moves that are in, and nothing else of them.
    """
    zine = new_zine()
    begin(zine, kind)
    before = looks(zine, tmp_path / "site")
    sent = moves_on_file(zine)
    if engines()[kind].rules.unit == "round":
        before = counted(zine, tmp_path / "site", before, len(sent))
    for happens in (moves_on_file, waits, writes_press, knows_more):
        happens(zine)
        assert looks(zine, tmp_path / "site") == before, happens.__name__
    again = anew(zine, tmp_path / "again")
    assert again == {path: content for path, (content, *_) in before.items() if path != ".stamp.json"}


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.tampers
def test_racks_change_no_byte(kind: str, new_zine: Begin, tmp_path: Path) -> None:
    """Two games that differ only in what lies on the racks have the same pages."""
    zine = new_zine()
    zine.begins_any(kind, GAME)
    before = anew(zine, tmp_path / "one")
    assert has_other_racks(zine) == (kind in DEALT), "spectators of the others see all that is dealt"
    assert anew(zine, tmp_path / "other") == before


def rolls(zine: Any, seat: int) -> None:
    """Let a seat of Wort-Yahtzee roll again: that is a step of its own, for its eyes only."""
    with zine.app.database.read() as session:
        game = game_queries.named(session, GAME)
        at = position(zine.app, game)
        shown = at.engine.view(at.state, SeatNumber(seat)).block
    stand = [line for line in shown if line.startswith(("Stand", "Wurf"))]
    before = steps_of(zine)
    actions.enter_move(zine.app, GAME, PLAYERS[seat - 1], "\n".join([f"Wort-Yahtzee {GAME}", *stand, "behalte nichts"]))
    assert steps_of(zine) == before + 1, stand


def steps_of(zine: Any) -> int:
    """Return at which step the game stands."""
    with zine.app.database.read() as session:
        return game_queries.named(session, GAME).turn or 0


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize("release", ["auto", "gm"])
def test_a_private_roll_shows_nowhere(release: str, new_zine: Begin, tmp_path: Path) -> None:
    """Nobody can tell from the archive that somebody has rolled, nor when; the GM may move the ZAT after it."""
    zine = new_zine(release=release)
    zine.begins("wort-yahtzee", GAME, PLAYERS[:2])
    before = looks(zine, tmp_path / "site")
    for seat in (1, 2, 1):
        rolls(zine, seat)
        assert looks(zine, tmp_path / "site") == before
    actions.move_zat(zine.app, GAME, "+3d")
    moved = looks(zine, tmp_path / "site")
    assert moved["termine/termine.ics"] != before["termine/termine.ics"]
    assert record(tmp_path / "site").zat
    rolls(zine, 2)
    assert looks(zine, tmp_path / "site") == moved
    actions.abort(zine.app, GAME, "")
    looks(zine, tmp_path / "site")
    assert record(tmp_path / "site").ended == record(tmp_path / "site").begun


@pytest.mark.trust
def test_a_closing_that_waits_shows_nowhere(new_zine: Begin, tmp_path: Path) -> None:
    """With `release = "gm"` neither a round nor the end changes anything before the GM has looked at it."""
    zine = new_zine(release="gm")
    zine.begins_any("crossword", GAME)
    for number in range(1, 7):
        before = looks(zine, tmp_path / "site")
        zine.plays(GAME, 1, claims=number == 6)
        assert steps_of(zine) == number
        before = counted(zine, tmp_path / "site", before, 6)
        if number == 6:
            actions.rule(zine.app, GAME, zine.doubtful(GAME)[:1], True, "", False)
            assert looks(zine, tmp_path / "site") == before, "a ruling on what nobody has seen"
        if number == 2:
            actions.undo(zine.app, GAME)
            actions.move_zat(zine.app, GAME, "+3d")
            assert "runde-2" not in str(looks(zine, tmp_path / "site").keys())
            zine.plays(GAME, 1)
        actions.release(zine.app, GAME, "")
        assert looks(zine, tmp_path / "site") != before
    assert record(tmp_path / "site").seed


def test_breaking_off_lays_nothing_open(new_zine: Begin, tmp_path: Path) -> None:
    """A game that is broken off stays as spectators knew it: no seed, no racks, no closing that waited."""
    zine = new_zine(release="gm")
    begin_unreleased(zine)
    before = looks(zine, tmp_path / "site")
    told = record(tmp_path / "site")
    actions.abort(zine.app, GAME, "")
    after = looks(zine, tmp_path / "site")
    assert after != before
    ended = record(tmp_path / "site")
    assert (ended.status, ended.seed, ended.snapshots, ended.ended) == ("aborted", None, told.snapshots, told.begun)


def begin_unreleased(zine: Any) -> None:
    """Let the first closing of a game wait for the GM."""
    zine.begins("wort-yahtzee", GAME, PLAYERS[:2])
    actions.close(zine.app, GAME, zine.app.now())


# -- names -------------------------------------------------------------------------------------------------------------

WATCHING = "Wanda Ixdorf"
GONE = "Gustav Yelloh"


def everywhere(site: Path) -> str:
    """Return all paths and all that stands in the files."""
    found = [path for path in site.rglob("*") if path.is_file()]
    return "\n".join(f"{path.relative_to(site)}\n{path.read_text(encoding='utf-8')}" for path in found)


def with_guests(new_zine: Begin) -> Any:
    """Play a game to its end and begin another: with a predecessor, one who only watches and writes, one who waits."""
    zine = new_zine(names="full")
    zine.begins("wort-yahtzee", GAME, [GONE, PLAYERS[1]])
    zine.says(GONE, GAME, "Gruß an alle.")
    zine.plays(GAME, 1)
    actions.standby(zine.app, GAME, GONE, PLAYERS[2], zine.address(PLAYERS[2]))
    zine.plays(GAME)
    zine.begins("presto", "Prag", PLAYERS[:4])
    actions.add_standby(zine.app, WATCHING, zine.address(WATCHING), None)
    zine.writes(WATCHING, "Beobachten Prag\n", sender=zine.address(WATCHING))
    zine.tick()
    zine.says(WATCHING, "Prag", "Von der Bank.")
    zine.plays("Prag", 4)
    zine.opens("crossword", "Quito")
    zine.joins("Quito", [GONE], "E")
    zine.tick()
    return zine


@pytest.mark.trust
def test_forgotten_in_every_position(new_zine: Begin, tmp_path: Path) -> None:
    """A forgotten player is in no file any more, and nothing tells one N. N. from another."""
    zine, site = with_guests(new_zine), tmp_path / "site"
    send_and_export(zine.app, site)
    before = everywhere(site)
    assert "Gustav Yelloh" in before
    assert "Wanda Ixdorf" in before
    assert "Gustav Yelloh" in everywhere(site / "partien/quito")
    for who in (GONE, WATCHING):
        forget(zine.app, who)
        send_and_export(zine.app, site)
    after = everywhere(site)
    assert not re.findall("gustav|yelloh|wanda|ixdorf", after, re.IGNORECASE)
    assert set(re.findall(r"\bn-n\b[\w-]*", after)) == {"n-n"}
    assert record(site).seats[0].before[0].person == "n-n"


@pytest.mark.trust
def test_whose_name_is_short_is_named_in_full_nowhere(new_zine: Begin, tmp_path: Path) -> None:
    """A last name that was shown before is in no file any more, but for what others wrote."""
    zine, site = with_guests(new_zine), tmp_path / "site"
    name_forms(zine, "full")
    zine.says(PLAYERS[1], "Prag", f"Hallo {GONE}, hallo {PLAYERS[1]}!")
    zine.plays("Prag", 2)
    send_and_export(zine.app, site)
    assert {"Hallo", "Ixdorf"} <= {*re.findall("Hallo|Ixdorf", everywhere(site))}
    name_forms(zine, "initial")
    send_and_export(zine.app, site)
    after = everywhere(site)
    assert not re.findall("ixdorf", after, re.IGNORECASE)
    assert not re.findall("yelloh", after.replace(f"Hallo {GONE}", ""), re.IGNORECASE)


def name_forms(zine: Any, form: str) -> None:
    """Let the guests choose how much of their names is shown."""
    with zine.app.database.write() as session, name_changes(session, zine.app.settings):
        for who in (GONE, WATCHING):
            player_queries.player_named(session, who).name_form = form


@pytest.mark.trust
def test_anonymous_press_leads_to_nobody(new_zine: Begin, tmp_path: Path) -> None:
    """The same text by somebody else makes the same site: no order, no path, no figure tells whose it is."""
    zine = new_zine()
    zine.begins_any("presto", GAME)
    zine.says(PLAYERS[0], GAME, "anonym", "Ich war's nicht.")
    zine.plays(GAME, 3)
    with zine.app.database.write() as session:
        (press,) = session.exec(game_queries.select(Press)).all()
        press.anonymous = True
        session.add(press)
    before = anew(zine, tmp_path / "one")
    assert "Ich war&#39;s nicht." in everywhere(tmp_path / "one")
    with zine.app.database.write() as session:
        (press,) = session.exec(game_queries.select(Press)).all()
        press.player_id = player_queries.player_named(session, PLAYERS[1]).id
        session.add(press)
    assert anew(zine, tmp_path / "other") == before


# -- addresses, and what would like to be more than text ---------------------------------------------------------------

HOSTILE = (
    "<script>alert(2)</script>",
    "../../../etc/passwd",
    "javascript:alert(1)",
    "x@y.example",
    "a\r\nATTENDEE:b@c.d",
)


def test_no_name_is_more_than_text(tmp_path: Path) -> None:
    """Neither the zine's name nor a player's brings markup, an address, a line of a calendar or a way out."""
    service = {"name": "Zine <script>alert(1)</script> & zine@host.example", "gm": "gm@host.example <gm@host.example>"}
    zine = Story(tmp_path / "zine", more={"service": service})
    actions.new_game(zine.app, "crossword", GAME)
    for number, who in enumerate((*HOSTILE, "Zoe")):
        seating.join(zine.app, GAME, who, f"p{number}@spieler.example", WISH[number])
    with zine.app.database.write() as session:
        for player in session.exec(game_queries.select(Player)):
            player.name_form = "full"
            session.add(player)
    actions.start(zine.app, GAME)
    zine.tick()
    send_and_export(zine.app, tmp_path / "site")
    text = everywhere(tmp_path / "site")
    assert not re.findall(r"<script|[\w.]@[\w.]|(?:href|src)=\"?javascript:|^ATTENDEE", text, re.MULTILINE)
    assert {path.name for path in tmp_path.iterdir()} == {"zine", "site"}
    zine.close()


def test_data_of_a_game_brings_no_address() -> None:
    """Facts and cells that an engine takes from a player's text are without addresses, however deep they are."""
    speaker = PublicSpeaker(language="de", wording={}, names={})
    plain = {"a": ["x@y.example", {"b": ("Z", 7)}], "grid": ["..", "E."]}
    assert speaker.shown(plain) == {"a": ["[Adresse]", {"b": ["Z", 7]}], "grid": ["..", "E."]}
