"""`gm status`, `gm list` and `gm todo` on a terminal and in a pipe, and progress bars."""

import json
import re
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from sqlmodel import select

from gm.cli.state import ago
from gm.requests.desk import actions
from gm.store.queries import game_queries, zine_queries
from gm.store.tables import Question, Turn

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


def colours(text: str) -> set[str]:
    """The colours that a text sets on a terminal."""
    return set(re.findall(r"\x1b\[(?:\d+;)*(3[0-7])m", text))


def plain(text: str) -> str:
    """A text without the terminal's codes."""
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text)


@pytest.fixture
def zine(running):
    """Eriwan runs, Havanna is held, Tiflis is over, Jalta is open; somebody waits for an answer."""
    with running.app() as app:
        for name in ("Havanna", "Tiflis", "Jalta"):
            actions.new_game(app, "crossword", name)
        actions.abort(app, "Tiflis", "niemand da")
        with app.database.write() as session:
            held = game_queries.named(session, "Havanna")
            held.status, held.held = "open", "a mail in quarantine may hold a missing move: gm mail list"
            session.add(held)
            session.add(Question(code="K7", kind="mail", payload={"text": "Wann geht es weiter? " * 9}, created_at=NOW))
    return running


@pytest.mark.parametrize(
    ("instant", "words"),
    [
        (None, "never"),
        ("2026-11-21T13:00:00+01:00", "2026-11-21 13:00 (just now)"),
        ("2026-11-21T13:00:00+00:00", "2026-11-21 14:00 (just now)"),
        ("2026-11-21T12:59:00+01:00", "2026-11-21 12:59 (1 minute ago)"),
        ("2026-11-21T09:30:00+00:00", "2026-11-21 10:30 (2 hours ago)"),
        ("2026-11-18T13:00:00+01:00", "2026-11-18 13:00 (3 days ago)"),
    ],
)
def test_how_long_ago(instant, words):
    """An instant is told in the zine's zone, with the span that has passed; a clock set back makes no nonsense."""
    now = NOW.astimezone(ZoneInfo("Europe/Berlin"))
    assert ago(datetime.fromisoformat(instant) if instant else None, now) == words


def test_in_a_pipe(zine):
    """What needs the GM is first, cells are parted by tabs, nothing is coloured; JSON keeps its order."""
    rows = zine("list").rows
    assert [row[0] for row in rows] == ["Havanna", "Jalta", "Eriwan", "Tiflis"]
    assert rows[0][-1] == "a mail in quarantine may hold a missing move: gm mail list"
    assert [one["name"] for one in json.loads(zine("list", "--json").out)] == ["Eriwan", "Havanna", "Tiflis", "Jalta"]
    lines = zine("status").out.splitlines()
    assert lines[0] == "Somebody should look:"
    at = lines.index("1 thing waits for you: gm todo")
    assert lines[at + 1].startswith("Eriwan\t1\t")
    assert lines[-3:] == [
        "Mails were last fetched: never; does `gm serve` run?", "Mails were last sent: never",
        "Mails written: 6 (6 queued)",
    ]  # fmt: skip
    assert "\x1b" not in "".join(zine.printed)


def line_with(text: str, word: str) -> str:
    """The first line with a word in it."""
    return next(line for line in text.splitlines() if word in line)


@pytest.mark.trust
def test_the_list_on_a_terminal(zine, terminal):
    """What needs the GM comes first and in colour, with the reason; a game takes one line of 80 columns."""
    gm = terminal("list", "--config", str(zine.config))
    assert gm.ends() == 0, gm.shown
    lines = [line.rstrip() for line in plain(gm.shown).splitlines()]
    assert lines[0] == "Havanna: a mail in quarantine may hold a missing move: gm mail list"
    assert lines[1].split() == ["name", "game", "status", "round", "ZAT", "moves", "in"]
    assert [line.split()[0] for line in lines[3:]] == ["Havanna", "Jalta", "Eriwan", "Tiflis"]
    assert re.search(r"running  1      \d{4}-\d\d-\d\d 20:00  0 of 6$", lines[5])
    coloured = [line for line in gm.shown.splitlines() if "33" in colours(line)]
    assert len(coloured) == 2
    assert all("Havanna" in line for line in coloured)


@pytest.mark.trust
def test_the_status_on_a_terminal(zine, terminal):
    """What waits and a mailbox that nobody looks into stand out."""
    gm = terminal("status", "--config", str(zine.config))
    assert gm.ends() == 0, gm.shown
    assert plain(gm.shown).splitlines()[0] == "Somebody should look:"
    assert colours(line_with(gm.shown, "1 thing waits for you: gm todo")) == {"33"}
    assert colours(line_with(gm.shown, "last fetched")) == {"31"}


@pytest.mark.trust
def test_wide_tables(zine, terminal):
    """What is too wide is broken between words, in the widest column, and never cut; dates and codes stay whole."""
    gm = terminal("todo", "--config", str(zine.config))
    assert gm.ends() == 0, gm.shown
    lines = plain(gm.shown).splitlines()
    assert max(map(len, lines)) <= 80
    assert "2026-11-21 13:00" in gm.shown
    at = next(line.index("do") for line in lines if line.lstrip().startswith("since"))
    assert " ".join(line[at:].strip() for line in lines[2:]).strip() == "gm todo --done K7"
    gm = terminal("mail", "--config", str(zine.config))
    assert gm.ends() == 0, gm.shown
    lines = plain(gm.shown).splitlines()
    assert max(map(len, lines)) <= 80
    assert "frida@spieler.example" in gm.shown
    assert re.search(r"o6  \d{4}-\d\d-\d\d \d\d:\d\d  queued", plain(gm.shown))
    assert " ".join(line[45:].strip() for line in lines[-3:]).strip().endswith("20:00 Uhr"), lines


@pytest.mark.trust
def test_no_colour(zine, terminal):
    """NO_COLOR is obeyed."""
    for command in ("list", "status"):
        gm = terminal(command, "--config", str(zine.config), env={"NO_COLOR": "1"})
        assert gm.ends() == 0
        assert "Eriwan" in gm.shown
        assert colours(gm.shown) == set()


@pytest.mark.trust
def test_a_fetch_lately(zine, terminal):
    """There is no warning right after the mailbox was read."""
    with zine.app() as app, app.database.write() as session:
        zine_queries.zine(session).last_fetch = app.now()
    assert re.search(r"Mails were last fetched: \S+ \S+ \(just now\)\n", zine("status").out)
    gm = terminal("status", "--config", str(zine.config))
    assert gm.ends() == 0
    assert colours(line_with(gm.shown, "last fetched")) == set()


@pytest.mark.trust
def test_progress(zine, terminal):
    """`gm verify` of all games shows how far it is on a terminal, and in a pipe only what it found."""
    gm = terminal("verify", "--config", str(zine.config))
    assert gm.ends() == 0, gm.shown
    assert "Replaying" in gm.shown
    assert "Eriwan: as recorded" in plain(gm.shown)
    lines = ["Eriwan: as recorded", "Havanna: as recorded", "Tiflis: as recorded", "Jalta: as recorded"]
    assert zine("verify").out.splitlines() == lines


@pytest.mark.trust
def test_progress_keeps_the_exit_code(zine, terminal):
    """A game that isn't as recorded is told on a terminal as well, with exit code 1."""
    with zine.app() as app, app.database.write() as session:
        for turn in session.exec(select(Turn).where(Turn.number == 0)):
            turn.state = json.loads(json.dumps(turn.state).replace('"D"', '"X"'))
    gm = terminal("verify", "--config", str(zine.config))
    assert gm.ends() == 1, gm.shown
    assert "another position" in gm.shown


@pytest.mark.trust
def test_the_doctor_in_colour(zine, terminal):
    """What fails stands out, line by line as it is found."""
    zine.config.write_text(zine.config.read_text().replace("idle = false", "idle = false\nport = 9"))
    gm = terminal("doctor", "--config", str(zine.config))
    assert gm.ends() == 1, gm.shown
    assert colours(line_with(gm.shown, "IMAP connection")) == {"31"}
    assert colours(line_with(gm.shown, "ok    database")) == set()
