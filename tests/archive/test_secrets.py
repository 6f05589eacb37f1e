"""Nobody sees what isn't theirs: whatever is hidden changes no byte and no date of the archive."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from exports import export

from games import engines
from games.api import EVERYONE, SPECTATOR, MoveBlock
from games.api import Seat as SeatNumber
from games.dice import Dice
from gm.archive.record.public_wording import PublicSpeaker
from gm.archive.record.record import Record, from_json
from gm.commands.gm_commands import actions
from gm.commands.gm_commands.erasure import forget
from gm.demo.in_memory_zine import PLAYERS, Story
from gm.game import word_judge
from gm.game.position import position
from gm.store.json_values import decode, encode
from gm.store.queries import game_queries, player_queries, seat_queries, turn_queries
from gm.store.tables import MailIn, Player, Press, Question, Ruling, Standby, Vacation

KINDS = sorted(engines())
Begin = Callable[..., Any]
GAME = "Gomera"
WISH = "DNTIRO"


def begin(house: Any, kind: str) -> None:
    """Begin a game of a kind, and play a little of it."""
    house.begins_any(kind, GAME)
    house.plays(GAME, 2)


def looks(house: Any, site: Path) -> dict[str, tuple[bytes, int, int]]:
    """Bring the site up to date, and give all its files with their dates."""
    house.passes(hours=1)
    done = export(house.app, site)
    assert done.finished
    assert not done.troubles
    found = [path for path in site.rglob("*") if path.is_file()]
    return {
        str(path.relative_to(site)): (path.read_bytes(), path.stat().st_ino, path.stat().st_mtime_ns) for path in found
    }


def record(site: Path) -> Record:
    """Read what the site tells of the game."""
    return from_json((site / "partien" / GAME.lower() / "partie.json").read_bytes())


# -- running games -----------------------------------------------------------------------------------------------------


def moves_on_file(house: Any) -> bool:
    """Let all who owe a move send what has no effect that others are told of; says whether any has."""
    with house.app.database.read() as session:
        game = actions.named(session, GAME)
        at = position(house.app, session, game)
        due = sorted(at.engine.due(at.state))
    sent = False
    for seat in due:
        with house.app.database.read() as session:
            game = actions.named(session, GAME)
            at, words = position(house.app, session, game), word_judge.judge(house.app, session, game)
            lines = at.engine.suggest(at.state, seat, Dice("idea", seat), words)
            stand = [line for line in at.engine.view(at.state, seat).block[:1] if line.startswith("Stand")]
            holder = next(one for one in seat_queries.seats(session, game) if one.number == seat)
            who = session.get_one(Player, holder.player_id).name
        if not lines or _is_told(house, seat, lines):
            continue
        block = "\n".join([f"{at.engine.rules.title} {GAME}", *stand, *lines])
        actions.enter_move(house.app, GAME, who, block)
        sent = True
    return sent


def _is_told(house: Any, seat: int, lines: tuple[str, ...]) -> bool:
    with house.app.database.read() as session:
        game = actions.named(session, GAME)
        at, words = position(house.app, session, game), word_judge.judge(house.app, session, game)
        move = at.engine.read(at.state, SeatNumber(seat), MoveBlock(lines=tuple(lines)), words).move
        after = at.engine.act(at.state, SeatNumber(seat), move, Dice(game.seed, at.turn.number + 1), words)
        return after is not None and any(event.readers == EVERYONE for event in after.events)


def waits(house: Any) -> None:
    """Let everybody say how they want the round to close."""
    for who in PLAYERS[:2]:
        house.writes(who, f"Warten {GAME}\n", sender=house.address(who))
    house.tick()


def writes_press(house: Any) -> None:
    """Let somebody write what waits for the next bulletin."""
    house.says(PLAYERS[0], GAME, "Noch geheim.")


def knows_more(house: Any) -> None:
    """Fill whatever nobody but GM and player may know."""
    with house.app.database.write() as session:
        game, someone = actions.named(session, GAME), player_queries.player_named(session, PLAYERS[0])
        assert someone
        soon = (house.now + timedelta(days=99)).date()
        session.add(Standby(player_id=someone.id, at=house.now))
        session.add(Vacation(player_id=someone.id, first=soon, last=soon, at=house.now))
        session.add(
            Question(code="X1", kind="words", game_id=game.id, payload={"text": "Geheim"}, created_at=house.now)
        )
        session.add(Ruling(game_id=game.id, word="GEHEIM", accepted=True, note="Geheim", at=house.now))
        session.add(
            MailIn(folder="INBOX", uidvalidity=9, uid=9, raw=b"Geheim", size=6, content="", received_at=house.now)
        )


def has_other_racks(house: Any) -> bool:
    """Deal otherwise from the start on, wherever spectators can't tell; says whether anything is another."""
    with house.app.database.write() as session:
        game = actions.named(session, GAME)
        engine, turn = house.app.engine(game.engine), turn_queries.current_turn(session, game)
        if turn.kind != "start":
            return False
        entries = {
            SeatNumber(seat.number): decode(engine.entry_type, seat.entry) if seat.entry is not None else None
            for seat in seat_queries.seats(session, game)
        }
        shown = engine.view(decode(engine.state_type, turn.state), SPECTATOR)
        for other in range(5):
            state = engine.start(entries, game.options, Dice(f"other {other}", 0)).state
            if engine.view(state, SPECTATOR) == shown and encode(engine.state_type, state) != turn.state:
                turn.state = encode(engine.state_type, state)
                session.add(turn)
                return True
    return False


def anew(house: Any, site: Path) -> dict[str, bytes]:
    """Make the whole site anew, elsewhere."""
    export(house.app, site, full=True)
    return {str(path.relative_to(site)): path.read_bytes() for path in site.rglob("*") if path.is_file()}


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_hidden_changes_no_byte_and_no_date(kind: str, new_house: Begin, tmp_path: Path) -> None:
    """Moves on file, private rolls, »Warten«, press to come, lists, questions and rulings show nowhere, nor when."""
    house = new_house()
    begin(house, kind)
    before = looks(house, tmp_path / "site")
    for happens in (moves_on_file, waits, writes_press, knows_more):
        happens(house)
        assert looks(house, tmp_path / "site") == before, happens.__name__
    again = anew(house, tmp_path / "again")
    assert again == {path: content for path, (content, *_) in before.items()}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.tampers
def test_racks_change_no_byte(kind: str, new_house: Begin, tmp_path: Path) -> None:
    """Two games that differ only in what lies on the racks have the same pages."""
    house = new_house()
    house.begins_any(kind, GAME)
    before = anew(house, tmp_path / "one")
    if not has_other_racks(house):
        pytest.skip("spectators see all that is dealt")
    assert anew(house, tmp_path / "other") == before


def rolls(house: Any, seat: int) -> None:
    """Let a seat of Wort-Yahtzee roll again: that is a step of its own, for its eyes only."""
    with house.app.database.read() as session:
        game = actions.named(session, GAME)
        at = position(house.app, session, game)
        shown = at.engine.view(at.state, SeatNumber(seat)).block
    stand = [line for line in shown if line.startswith(("Stand", "Wurf"))]
    before = steps_of(house)
    actions.enter_move(
        house.app, GAME, PLAYERS[seat - 1], "\n".join([f"Wort-Yahtzee {GAME}", *stand, "behalte nichts"])
    )
    assert steps_of(house) == before + 1, stand


def steps_of(house: Any) -> int:
    """Say at which step the game stands."""
    with house.app.database.read() as session:
        return actions.named(session, GAME).turn or 0


@pytest.mark.parametrize("release", ["auto", "gm"])
def test_a_private_roll_shows_nowhere(release: str, new_house: Begin, tmp_path: Path) -> None:
    """Nobody can tell from the archive that somebody has rolled, nor when; the GM may move the ZAT after it."""
    house = new_house(release=release)
    house.begins("wort-yahtzee", GAME, PLAYERS[:2])
    before = looks(house, tmp_path / "site")
    for seat in (1, 2, 1):
        rolls(house, seat)
        assert looks(house, tmp_path / "site") == before
    actions.move_zat(house.app, GAME, "+3d")
    moved = looks(house, tmp_path / "site")
    assert moved["termine/termine.ics"] != before["termine/termine.ics"]
    assert record(tmp_path / "site").zat
    rolls(house, 2)
    assert looks(house, tmp_path / "site") == moved
    actions.abort(house.app, GAME, "")
    looks(house, tmp_path / "site")
    assert record(tmp_path / "site").ended == record(tmp_path / "site").begun


def test_a_closing_that_waits_shows_nowhere(new_house: Begin, tmp_path: Path) -> None:
    """With `release = "gm"` neither a round nor the end changes anything before the GM has looked at it."""
    house = new_house(release="gm")
    house.begins_any("crossword", GAME)
    for number in range(1, 7):
        before = looks(house, tmp_path / "site")
        house.plays(GAME, 1, claims=number == 6)
        assert steps_of(house) == number
        assert looks(house, tmp_path / "site") == before, number
        if number == 6:
            actions.rule(house.app, GAME, house.doubtful(GAME)[:1], True, "", False)
            assert looks(house, tmp_path / "site") == before, "a ruling on what nobody has seen"
        if number == 2:
            actions.undo(house.app, GAME)
            actions.move_zat(house.app, GAME, "+3d")
            assert "runde-2" not in str(looks(house, tmp_path / "site").keys())
            house.plays(GAME, 1)
        actions.release(house.app, GAME, "")
        assert looks(house, tmp_path / "site") != before
    assert record(tmp_path / "site").seed


def test_breaking_off_lays_nothing_open(new_house: Begin, tmp_path: Path) -> None:
    """A game that is broken off stays as spectators knew it: no seed, no racks, no closing that waited."""
    house = new_house(release="gm")
    begin_unreleased(house)
    before = looks(house, tmp_path / "site")
    told = record(tmp_path / "site")
    actions.abort(house.app, GAME, "")
    after = looks(house, tmp_path / "site")
    assert after != before
    ended = record(tmp_path / "site")
    assert (ended.status, ended.seed, ended.snapshots, ended.ended) == ("aborted", None, told.snapshots, told.begun)


def begin_unreleased(house: Any) -> None:
    """Let the first closing of a game wait for the GM."""
    house.begins("wort-yahtzee", GAME, PLAYERS[:2])
    actions.close(house.app, GAME, house.app.now())


# -- names -------------------------------------------------------------------------------------------------------------

WATCHING = "Wanda Ixdorf"
GONE = "Gustav Yelloh"


def everywhere(site: Path) -> str:
    """Give all paths and all that stands in the files."""
    found = [path for path in site.rglob("*") if path.is_file()]
    return "\n".join(f"{path.relative_to(site)}\n{path.read_text(encoding='utf-8')}" for path in found)


def with_guests(new_house: Begin) -> Any:
    """Play a game to its end and begin another: with a predecessor, one who only watches and writes, one who waits."""
    house = new_house(names="full")
    house.begins("wort-yahtzee", GAME, [GONE, PLAYERS[1]])
    house.says(GONE, GAME, "Gruß an alle.")
    house.plays(GAME, 1)
    actions.standby(house.app, GAME, GONE, PLAYERS[2], house.address(PLAYERS[2]))
    house.plays(GAME)
    house.begins("presto", "Prag", PLAYERS[:4])
    actions.add_standby(house.app, WATCHING, house.address(WATCHING), None)
    house.writes(WATCHING, "Beobachten Prag\n", sender=house.address(WATCHING))
    house.tick()
    house.says(WATCHING, "Prag", "Von der Bank.")
    house.plays("Prag", 4)
    house.opens("crossword", "Quito")
    house.joins("Quito", [GONE], "E")
    house.tick()
    return house


def test_forgotten_in_every_position(new_house: Begin, tmp_path: Path) -> None:
    """Who is forgotten is gone from every file, whatever they were, and no number tells which N. N. is which."""
    house, site = with_guests(new_house), tmp_path / "site"
    export(house.app, site)
    before = everywhere(site)
    assert "Gustav Yelloh" in before
    assert "Wanda Ixdorf" in before
    assert "Gustav" not in everywhere(site / "partien/quito"), "who waits in an open game isn't named"
    for who in (GONE, WATCHING):
        forget(house.app, who)
        export(house.app, site)
    after = everywhere(site)
    assert not re.findall("gustav|yelloh|wanda|ixdorf", after, re.IGNORECASE)
    assert set(re.findall(r"\bn-n\b[\w-]*", after)) == {"n-n"}
    assert record(site).seats[0].before[0].person == "n-n"


def test_who_takes_a_pseudonym_is_named_nowhere(new_house: Begin, tmp_path: Path) -> None:
    """A name that was shown before is in no file any more: texts of others that name a player name them as shown."""
    house, site = with_guests(new_house), tmp_path / "site"
    house.says(PLAYERS[1], "Prag", f"Hallo {GONE}, hallo {PLAYERS[1]}!")
    house.plays("Prag", 2)
    export(house.app, site)
    assert "Hallo" in everywhere(site)
    with house.app.database.write() as session:
        for who in (GONE, WATCHING):
            player = player_queries.player_named(session, who)
            player.name_form = "pseudonym"
            session.add(player)
    export(house.app, site)
    after = everywhere(site)
    assert not re.findall("wanda|ixdorf", after, re.IGNORECASE)
    assert not re.findall("gustav|yelloh", after.replace(f"Hallo {GONE}", ""), re.IGNORECASE)


def test_anonymous_press_leads_to_nobody(new_house: Begin, tmp_path: Path) -> None:
    """The same text by somebody else makes the same site: no order, no path, no figure tells whose it is."""
    house = new_house()
    house.begins_any("presto", GAME)
    house.says(PLAYERS[0], GAME, "anonym", "Ich war's nicht.")
    house.plays(GAME, 3)
    with house.app.database.write() as session:
        (press,) = session.exec(game_queries.select(Press)).all()
        press.anonymous = True
        session.add(press)
    before = anew(house, tmp_path / "one")
    assert "Ich war&#39;s nicht." in everywhere(tmp_path / "one")
    with house.app.database.write() as session:
        (press,) = session.exec(game_queries.select(Press)).all()
        press.player_id = player_queries.player_named(session, PLAYERS[1]).id
        session.add(press)
    assert anew(house, tmp_path / "other") == before


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
    zine = {"name": "Zine <script>alert(1)</script> & zine@host.example", "gm": "gm@host.example <gm@host.example>"}
    house = Story(tmp_path / "house", more={"service": zine})
    actions.new_game(house.app, "crossword", GAME)
    for number, who in enumerate((*HOSTILE, "Zoe")):
        actions.join(house.app, GAME, who, f"p{number}@spieler.example", WISH[number])
    with house.app.database.write() as session:
        for player in session.exec(game_queries.select(Player)):
            player.name_form = "full"
            session.add(player)
    actions.start(house.app, GAME)
    house.tick()
    export(house.app, tmp_path / "site")
    text = everywhere(tmp_path / "site")
    assert not re.findall(r"<script|[\w.]@[\w.]|(?:href|src)=\"?javascript:|^ATTENDEE", text, re.MULTILINE)
    assert {path.name for path in tmp_path.iterdir()} == {"house", "site"}
    house.close()


def test_data_of_a_game_brings_no_address() -> None:
    """Facts and cells that an engine takes from a player's text are without addresses, however deep they are."""
    speaker = PublicSpeaker(language="de", wording={}, names={})
    plain = {"a": ["x@y.example", {"b": ("Z", 7)}], "grid": ["..", "E."]}
    assert speaker.shown(plain) == {"a": ["[Adresse]", {"b": ["Z", 7]}], "grid": ["..", "E."]}
