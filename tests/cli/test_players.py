"""`gm players` and `gm player`: what they print and change, and what they refuse."""

import json
from datetime import date
from typing import Any

import pytest
from sqlmodel import select

from gm.demo.in_memory_zine import GM_ADDRESS, PLAYERS, address_of
from gm.requests.desk import actions
from gm.store.queries import game_queries, player_queries
from gm.store.tables import Duty, Game, MailIn, MailOut, Player, Question, Seat, Turn, Vacation, Watcher

ANNA, BERND, CARLA, DORA, EMIL, FRIDA = PLAYERS
GERDA = "Gerda Hahn"


@pytest.fixture
def lively(running: Any) -> Any:
    """Anna has missed one of two moves, is going away, watches Havanna and stands by; Frida's seat is Gerda's."""
    with running.app() as app:
        actions.new_game(app, "crossword", "Havanna")
        actions.standby(app, "Eriwan", FRIDA, GERDA, "gerda@spieler.example")
        actions.add_standby(app, ANNA, address_of(ANNA), "crossword")
        with app.database.write() as session:
            anna, now = player_queries.player_named(session, ANNA), app.now()
            eriwan, havanna = (game_queries.game_named(session, name) for name in ("Eriwan", "Havanna"))
            turn = session.exec(select(Turn)).one()
            for kept in (True, False):
                session.add(Duty(game_id=eriwan.id, turn_id=turn.id, seat=1, player_id=anna.id, kept=kept))
            for year in (2001, 2101):
                first, last = date(year, 7, 1), date(year, 7, 14)
                session.add(Vacation(player_id=anna.id, first=first, last=last, at=now))
            session.add(Watcher(game_id=havanna.id, player_id=anna.id, at=now))
            session.add(Question(code="ABCD2345", kind="seat", player_id=anna.id, address=address_of(ANNA),
                                 game_id=havanna.id, created_at=now))  # fmt: skip
            session.add(MailIn(folder="INBOX", uidvalidity=1, uid=1, raw=b"", size=0, content="", subject="Zug",
                               sender=address_of(ANNA), received_at=now, status="applied"))  # fmt: skip
            for mail in session.exec(select(MailOut)):
                mail.status, mail.sent_at = "sent", now
                session.add(mail)
    return running


def test_players(lively: Any) -> None:
    """Players are listed by name: addresses, language, games, moves missed, standby list, vacation, digest."""
    rows = lively("players").rows
    assert [row[0] for row in rows] == [*PLAYERS, GERDA]
    assert rows[0] == [ANNA, address_of(ANNA), "", "Eriwan", "1 of 2", "crossword", "2101-07-01 - 2101-07-14", "weekly"]
    assert rows[5] == [FRIDA, address_of(FRIDA), "", "", "", "", "", "weekly"]


def test_players_as_json(lively: Any) -> None:
    """--json has the same for programs."""
    found = {one["name"]: one for one in json.loads(lively("players", "--json").out)}
    assert found[ANNA] == {
        "name": ANNA, "addresses": [address_of(ANNA)], "returned": [], "by_post": False, "language": None,
        "games": ["Eriwan"], "owed": 2, "missed": 1,
        "standby": ["crossword"], "vacation": {"first": "2101-07-01", "last": "2101-07-14"}, "digest": "weekly",
    }  # fmt: skip


def test_nobody_yet(gm: Any) -> None:
    """A zine without players says how they come."""
    assert gm("players").out == "No players yet; `gm join` seats one, others sign up by mail.\n"
    assert json.loads(gm("players", "--json").out) == []
    assert gm.refused("player", "show", "Anna").startswith("There is no player 'Anna'. There are none yet; ")


@pytest.mark.trust
def test_on_a_terminal(lively: Any, terminal: Any) -> None:
    """On a terminal it is a table with a head, and empty columns take no room."""
    screen = terminal("players", "--config", str(lively.config))
    assert screen.ends() == 0
    assert "vacation" in screen.shown
    assert "language" not in screen.shown


def test_show(lively: Any) -> None:
    """`gm player show`: seats with predecessor and successor, misses, vacations, open questions, the last mails."""
    lines = [tuple(row) for row in lively("player", "show", "anna BERG").rows]
    seat = next(text for what, text in lines if what == "seat")
    assert seat.startswith("Eriwan (crossword), seat 1: since ")
    assert seat.endswith(", running, missed 1 of 2, 1 in a row")
    assert [text for what, text in lines if what == "vacation"] == [
        "2001-07-01 - 2001-07-14", "2101-07-01 - 2101-07-14",
    ]  # fmt: skip
    assert ("watches", "Havanna") in lines
    assert next(text for what, text in lines if what == "question").startswith("ABCD2345: seat, Havanna, asked ")
    assert next(text for what, text in lines if what == "last received").endswith(", applied: Zug")
    assert ", sent: [Eriwan] Es geht los" in next(text for what, text in lines if what == "last sent")


def test_show_as_json(lively: Any) -> None:
    """--json names predecessors and successors; without a result rank and points are null."""
    frida = json.loads(lively("player", "show", FRIDA, "--json").out)
    (seat,) = frida["seats"]
    assert seat["from"] <= seat["until"]
    assert {key: value for key, value in seat.items() if key not in ("from", "until")} == {
        "game": "Eriwan", "kind": "crossword", "status": "running", "seat": 6,
        "rank": None, "points": None, "winner": False, "predecessors": [], "successors": [GERDA],
        "owed": 0, "missed": 0, "in_a_row": 0,
    }  # fmt: skip
    (gerdas,) = json.loads(lively("player", "show", GERDA, "--json").out)["seats"]
    assert (gerdas["predecessors"], gerdas["until"]) == ([FRIDA], None)
    assert (frida["last_received"], frida["watching"], frida["questions"]) == (None, [], [])


def test_an_unknown_name(running: Any) -> None:
    """The nearest name is offered, and how many there are."""
    assert running.refused("player", "show", "Ana Berg") == (
        "There is no player 'Ana Berg'. Did you mean Anna Berg? There are 6 players; see `gm players`."
    )
    assert running.refused("player", "forget", "Xaver") == (
        "There is no player 'Xaver'. There are 6 players; see `gm players`."
    )


def test_rename(lively: Any) -> None:
    """A game that runs goes on under the new name, and the player is told by one mail."""
    out = lively("player", "rename", "anna berg", "  Anna\tNeu ").out
    assert out == (
        "Anna Berg is called Anna Neu from now on, in all that is written later. The player's mail is queued; "
        "`gm serve` delivers.\n"
    )
    assert json.loads(lively("show", "Eriwan", "--json").out)["seats"][0]["player"] == "Anna Neu"
    assert json.loads(lively("player", "show", "Anna Neu", "--json").out)["former_names"] == [ANNA]
    with lively.app() as app, app.database.read() as session:
        (mail,) = session.exec(select(MailOut).where(MailOut.kind == "renamed")).all()
    assert (mail.address, mail.subject) == (address_of(ANNA), "Dein Name hier")
    assert lively.refused("player", "show", ANNA)


def test_rename_in_another_case(running: Any) -> None:
    """The same name in another case is no clash with oneself."""
    assert running("player", "rename", ANNA, "ANNA BERG").out.startswith("Anna Berg is called ANNA BERG")


@pytest.mark.trust(except_first=3)
@pytest.mark.parametrize(
    ("new", "sentence"),
    [
        ("bernd  CORDES", "There is a player Bernd Cordes; names are unique, whatever their case."),
        (ANNA, "Anna Berg has this name already."),
        (" \t", "A player needs a name."),
        ("A" * 41, f"'{'A' * 41}' is too long for a name; 40 characters are the most."),
    ],
)
def test_names_that_are_refused(running: Any, new: str, sentence: str) -> None:
    """A name that is taken, the same, empty or too long changes nothing."""
    before = running.dump()
    assert running.refused("player", "rename", ANNA, new) == sentence
    assert running.dump() == before


def test_the_name_in_the_archive(running: Any) -> None:
    """`show` tells what the archive calls a player, and whether they or the house want it so."""
    one = json.loads(running("player", "show", ANNA, "--json").out)
    ((_, text),) = (row for row in running("player", "show", ANNA).rows if row[0] == "in the archive")
    assert (one["name_form"], one["archive_name"], text) == (None, "Anna B.", "Anna B. (as the house does)")


def test_export(running: Any) -> None:
    """All that is stored about a player is printed as JSON; the name may be short."""
    found = json.loads(running("player", "export", "anna").out)
    assert (found["player"]["name"], [one["game"] for one in found["seats"]]) == (ANNA, ["Eriwan"])
    assert running.refused("player", "export", "Xaver").startswith("There is no player 'Xaver'.")


def test_address(running: Any) -> None:
    """The new address gets the mails, the old one stays known; what is queued already isn't redirected."""
    assert running("player", "address", ANNA, "Neu@X.example").out == (
        "Mails to Anna Berg go to neu@x.example. Mails are taken from anna@spieler.example as well.\n"
        "1 mail queued before still goes to another one.\n"
    )
    again = running("player", "address", ANNA, "neu@x.example").out
    assert again.startswith("Mails to Anna Berg go to neu@x.example. ")
    assert json.loads(running("players", "--json").out)[0]["addresses"] == ["neu@x.example", address_of(ANNA)]
    back = running("player", "address", ANNA, address_of(ANNA)).out
    assert back == "Mails to Anna Berg go to anna@spieler.example. Mails are taken from neu@x.example as well.\n"


def test_a_shared_address(running: Any) -> None:
    """An address that somebody else has as well is taken, and the GM learns whose it is: couples share one."""
    out = running("player", "address", ANNA, address_of(BERND)).out
    assert out.startswith("Mails to Anna Berg go to bernd@spieler.example, which Bernd Cordes also uses. ")


def test_a_question_about_another_address(running: Any) -> None:
    """What the player was asked about an address is settled: a late yes changes nothing back."""
    with running.app() as app, app.database.write() as session:
        anna = player_queries.player_named(session, ANNA)
        session.add(Question(code="ABCD2345", kind="address", player_id=anna.id, address=address_of(ANNA),
                             payload={"new": "x@x.example"}, created_at=app.now()))  # fmt: skip
    running("player", "address", ANNA, "neu@x.example")
    with running.app() as app, app.database.read() as session:
        assert session.exec(select(Question)).one().answer == "replaced"


def test_remove_an_address(running: Any) -> None:
    """One of several addresses goes; where it was the first, the next one gets the mails."""
    running("player", "address", ANNA, "neu@x.example")
    out = running("player", "address", ANNA, "NEU@x.example", "--remove").out
    assert out == "Mails to Anna Berg go to anna@spieler.example.\n"
    assert running.refused("player", "address", ANNA, address_of(ANNA), "--remove") == (
        'anna@spieler.example is the only address of Anna Berg; first give another: gm player address "Anna Berg" '
        "ADDRESS."
    )
    assert running.refused("player", "address", ANNA, "x@x.example", "--remove") == (
        "Anna Berg has no address 'x@x.example'; there are: anna@spieler.example."
    )


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("anna", "'anna' is no mail address; write one like anna@example.org."),
        ("a@b.example\nBcc: c@d.example", "is no mail address; write one like anna@example.org."),
        (GM_ADDRESS.upper(), f"{GM_ADDRESS} is the service's own address; mails to players can't go there."),
    ],
)
def test_addresses_that_are_refused(running: Any, address: str, sentence: str) -> None:
    """What is no address, or the service's own, changes nothing."""
    before = running.dump()
    assert running.refused("player", "address", ANNA, address).endswith(sentence)
    assert running.dump() == before


def test_forget(lively: Any) -> None:
    """It says what was removed and what nobody can call back; the player is listed no more."""
    out = lively("player", "forget", "frida groß", "--yes").out
    first, lasting, elsewhere = out.splitlines()
    assert first.startswith(
        "Frida Groß is forgotten and appears as N. N.; moves and results stay. Removed: addresses 1"
    )
    assert lasting.startswith("What can't be called back: mails already delivered, those in the mailbox itself")
    assert elsewhere == "An archive that was exported elsewhere shows the name until its next export."
    assert FRIDA not in [row[0] for row in lively("players").rows]
    assert json.loads(lively("player", "show", "n. n.", "--json").out)["addresses"] == []


def test_forgetting_writes_the_pages_anew(lively: Any) -> None:
    """Nobody has to wait for the service until a name is gone from the archive of the config."""
    folder = lively.config.parent / "archive"
    lively("archive", str(folder))
    assert any(b"Frida" in path.read_bytes() for path in folder.rglob("*.html"))
    assert f"Pages written anew in {folder}: " in lively("player", "forget", FRIDA, "--yes").out
    assert not any(b"Frida" in path.read_bytes() for path in folder.rglob("*") if path.is_file())


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize(
    "command",
    [("rename", "N. N.", FRIDA), ("address", "N. N.", "f@x.example"), ("forget", "N. N.")],
)
def test_nothing_more_can_be_done(lively: Any, command: tuple[str, ...]) -> None:
    """A forgotten player can't be renamed, addressed or forgotten again."""
    lively("player", "forget", FRIDA, "--yes")
    sentence = lively.refused("player", *command)
    assert sentence == "N. N. was forgotten; nothing but the moves and results is left."


def test_forget_who_plays(lively: Any) -> None:
    """A player in a running game isn't forgotten: the refusal names the command that comes first."""
    before = lively.dump()
    assert lively.refused("player", "forget", ANNA) == (
        'Anna Berg plays in Eriwan; first put a standby into the seat: gm standby Eriwan "Anna Berg" ...'
    )
    assert lively.dump() == before


def test_forget_with_mail_in_the_queue(running: Any) -> None:
    """While mails with the name wait to be sent, it says how they get away."""
    with running.app() as app:
        actions.standby(app, "Eriwan", FRIDA, GERDA, "gerda@spieler.example")
    sentence = running.refused("player", "forget", FRIDA)
    assert sentence.startswith("Mails of or to Frida Groß wait to be sent; let `gm serve` ")


def test_a_game_that_is_not_installed(lively: Any) -> None:
    """A finished game whose rules are gone hides nobody's other games."""
    with lively.app() as app, app.database.write() as session:
        game = session.exec(select(Game).where(Game.name == "Havanna")).one()
        game.status, game.engine = "finished", "whist"
        session.add(Seat(game_id=game.id, number=1, player_id=session.exec(select(Player.id)).first(),
                         since=app.now()))  # fmt: skip
    seats = json.loads(lively("player", "show", ANNA, "--json").out)["seats"]
    assert [(seat["kind"], seat["rank"]) for seat in seats] == [("crossword", None), ("whist", None)]


def test_by_post(gm):
    """`--paper` seats a player without an address; the lists say Post, and one may be given later."""
    gm("new", "crossword", "Eriwan")
    told = gm("join", "Eriwan", "Frida Fuchs", "--paper", "--wish", "D").out
    assert "Frida Fuchs has a seat in Eriwan. What is for the player goes to you, to print" in told
    assert gm("players").rows[0][:2] == ["Frida Fuchs", "Post"]
    assert "Post" in gm("player", "show", "frida").out
    both = ("Anna Berg", "anna@spieler.example", "--paper")
    assert gm.run("join", "Eriwan", *both, "--config", str(gm.config)).code == 2
    assert "write the address behind the name, or --paper" in gm.refused("join", "Eriwan", "Anna Berg")
    assert "Mails to Frida Fuchs go to frida@x.example." in gm("player", "address", "frida", "frida@x.example").out
    assert gm("players").rows[0][:2] == ["Frida Fuchs", "frida@x.example"]
