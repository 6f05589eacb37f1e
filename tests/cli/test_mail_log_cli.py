"""The log of mails and the list of rulings on the command line (issue 29, "GM at the command line")."""

import json
import re
from datetime import timedelta
from typing import Any

import pytest

from gm.demo.in_memory_zine import PLAYERS, address_of
from gm.store.tables import MailIn, MailOut

ANNA, BERND, CARLA, DORA, EMIL, FRIDA = PLAYERS


@pytest.fixture
def logged(running: Any) -> Any:
    """Six bulletins sent, and three mails that came two days, a day and an hour ago."""
    came = (
        (2, address_of(ANNA), "Zug 100%"), (1.2, "x_y@fremd.example", "ÄRGER mit dem Zug"), (0.04, "", "Nobody"),
    )  # fmt: skip
    with running.app() as app, app.database.write() as session:
        for number, (days, sender, subject) in enumerate(came, 1):
            session.add(MailIn(
                folder="INBOX", uidvalidity=9, uid=number, raw=b"From: a@b.example\n\nHallo!\n", size=30,
                content=str(number), sender=sender, subject=subject, player_id=1 if number == 1 else None,
                status="ignored", received_at=app.now() - timedelta(days=days),
            ))  # fmt: skip
    return running


def ids(zine: Any, *arguments: str) -> list[str]:
    """List the ids of the mails that are shown."""
    rows = zine("mail", "list", *arguments).rows
    return [] if rows == [["No mails."]] else [row[0] for row in rows]


OUT = [f"o{number}" for number in range(1, 7)]


@pytest.mark.trust(except_first=4)
@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        ((), ["1", "2", "3", *OUT]),
        (("--limit", "2"), ["o5", "o6"]),
        (("--limit", "0"), ["1", "2", "3", *OUT]),
        (("--since", "12h"), ["3", *OUT]),
        (("--since", "2d", "--limit", "7"), ["3", *OUT]),
        (("--status", "ignored", "--limit", "2"), ["2", "3"]),
        (("--status", "bounced"), []),
        (("--search", "zug"), ["1", "2"]),
        (("--search", "100%"), ["1"]),
        (("--search", "%"), ["1"]),
        (("--search", "x_y"), ["2"]),
        (("--search", "a_n"), []),
        (("--search", "ärger"), ["2"]),
        (("--search", "BERND@"), ["o2"]),
        (("--search", "anna berg"), ["1", "o1"]),
        (("--search", "runde 1", "--limit", "1"), ["o6"]),
    ],
)
def test_what_is_listed(logged: Any, arguments: tuple[str, ...], found: list[str]) -> None:
    """The newest ones, since a time, of a status, or with a text in address, subject or player's name; newest last."""
    assert ids(logged, *arguments) == found


def test_days_since(logged: Any) -> None:
    """`yesterday` is its midnight, a date as well; anything else is refused."""
    assert "1" not in ids(logged, "--since", "yesterday")
    assert ids(logged, "--since", "2020-01-01") == ["1", "2", "3", *OUT]
    assert "is no time; write a span like 12h or 3d" in logged.refused("mail", "list", "--since", "soon")
    assert logged.run("mail", "list", "--limit", "-1", "--config", str(logged.config)).code == 2


def test_times_are_local(logged: Any) -> None:
    """The table shows the time by the GM's clock, JSON the instant; `show` says whose a mail is, and which game's."""
    row, found = logged("mail", "list").rows[0], json.loads(logged("mail", "list", "--json").out)[0]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d", found["when"])
    assert row[1] == found["when"][:16].replace("T", " ")
    said = logged("mail", "show", "1").out.splitlines()
    assert said[:4] == [
        "Status: ignored", f"From: {address_of(ANNA)} (Anna Berg)", f"Time: {found['when'][:19].replace('T', ' ')}",
        "Subject: Zug 100%",
    ]  # fmt: skip
    assert "Hallo!" in said
    sent = logged("mail", "show", "o1").out.splitlines()
    assert sent[1:4:2] == [f"To: {address_of(ANNA)} (Anna Berg)", "Game: Eriwan"]


@pytest.mark.trust
def test_the_log_on_a_terminal(logged: Any, terminal: Any) -> None:
    """At 80 columns it says what came and what went, and that there are more."""
    seen = terminal("mail", "list", "--limit", "7", "--config", str(logged.config))
    assert seen.ends() == 0
    plain = re.sub(r"\x1b\[[\d;]*m", "", seen.shown)
    assert all(len(line) <= 80 for line in plain.split("\n"))
    assert re.search(r"\no1 ", plain)
    assert re.search(r"\n3 ", plain)
    assert "... and older ones: gm mail list --limit 14" in plain


def test_many_mails_are_listed_at_once(logged: Any) -> None:
    """Fifty where nobody says how many, the newest."""
    with logged.app() as app, app.database.write() as session:
        session.add_all(MailOut(
            cause=f"x{n}", kind="x", recipient="x", address="x@y.example", message_id=f"<{n}@x>", subject=f"Nummer {n}",
            status="sent", next_try=app.now(), created_at=app.now(),
        ) for n in range(60))  # fmt: skip
    assert ids(logged)[-1] == "o66"
    assert len(ids(logged)) == len(logged("mail").rows) == 50


def test_rulings_of_all_games(running: Any) -> None:
    """Newest first with where they hold; of a game what holds there: its own and the house's."""
    running("new", "crossword", "Genua")
    running("rule", "Eriwan", "accept", "KANU", "--note", "Boot")
    running("rule", "Genua", "reject", "UFO")
    running("rule", "Eriwan", "accept", "TON", "--house")
    assert [row[:3] for row in running("rulings").rows] == [
        ["TON", "accepted", "house"], ["UFO", "rejected", "Genua"], ["KANU", "accepted", "Eriwan"]
    ]  # fmt: skip
    assert [row[0] for row in running("rulings", "Genua").rows] == ["TON", "UFO"]
    assert json.loads(running("rulings", "eriwan", "--json").out)[1]["note"] == "Boot"


def test_a_ruling_before_words_are_read(running: Any) -> None:
    """Crossword reads words at its end: before it nothing is said of a word that nobody has played."""
    assert running("rule", "Eriwan", "accept", "KANU").out == "Eriwan: noted; it counts when the round is closed\n"
