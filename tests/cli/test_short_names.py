"""A unique first name, or the beginning of a name, is enough for the GM (issue 29, "GM at the command line")."""

import json
from typing import Any

import pytest

from gm.demo.in_memory_zine import PLAYERS, address_of
from gm.game.people import lookup
from gm.requests.desk import actions
from gm.runtime.errors import Refused
from gm.store.tables import Player
from parsers.invisible import fold_name

ANNA, BERND, CARLA, DORA, EMIL, FRIDA = PLAYERS
MOVE = b"Neu: E\nDNTIRO\n......\n......\n......\n......\n......\n"


def players(*names: str) -> list[Player]:
    """Players of these names."""
    return [Player(id=at, name=name, name_key=fold_name(name)) for at, name in enumerate(names, 1)]


@pytest.mark.parametrize(
    ("typed", "among", "found"),
    [
        ("anna", ["Anna Berg", "Annalena Kurz"], "Anna Berg"),
        ("ANNA  BERG", ["Anna Berg", "Anna Bergmann"], "Anna Berg"),
        ("annal", ["Anna Berg", "Annalena Kurz"], "Annalena Kurz"),
        ("Anna B", ["Anna Berg", "Anna Kurz"], "Anna Berg"),
        ("Anna", ["Anna", "Annalena Kurz"], "Anna"),
        ("Ann\u3164a", ["Anna\ufe0f", "Annalena Kurz"], "Anna\ufe0f"),
        ("Anna Berg", ["Anna Berg", "Anna-Berg", "Anna Berg 2", "Anna Berg-Voß", "Johanna Berg"], "Anna Berg"),
        ("Anna", ["Anna", "Anna 2"], "Anna"),
        ("N. N.", ["N. N.", "N. N. Otto"], "N. N."),
        ("J", ["J R Ewing", "Jana Fuchs"], "J R Ewing"),
        ("X", ["Xaver Huber"], None),
        ("", ["Xaver Huber"], None),
        ("berg", ["Anna Berg"], None),
        ("Zoe", ["Anna Berg"], None),
    ],
)
def test_who_is_meant(typed: str, among: list[str], found: str | None) -> None:
    """The whole name comes first, then the first name, then the beginning; one letter is too little, a surname none."""
    assert [player.name for player in lookup.fitting(typed, players(*among))] == ([found] if found else [])


@pytest.mark.parametrize(
    ("typed", "other"),
    [
        ("Anna", "Anna Berg"), ("Berg", "Anna Berg"), ("Anna Maria", "Anna Maria Berg"), ("Karl", "Karl-Heinz Berg"),
        ("Maria", "Anna Maria Berg"), ("Voß", "Anna Berg-Voß 2"), ("Otto", "Berg, Otto"),
    ],
)  # fmt: skip
def test_a_part_of_a_name_may_mean_both(typed: str, other: str) -> None:
    """Whose whole name it is comes with those who may be called so for short."""
    assert [player.name for player in lookup.fitting(typed, players(typed, other, "Uwe Uhl"))] == [typed, other]


def test_several_may_be_meant(running) -> None:
    """Nobody is guessed at: those who may be meant are listed, and of many only the first."""
    with running.app() as app, app.database.read() as session:
        with pytest.raises(Refused, match=r"^'anna' may be Anna Berg, Anna Kurz; write more of the name\.$"):
            lookup.meant(session, "anna", players("Anna Kurz", "Anna Berg", "Annalena Uhl"))
        with pytest.raises(Refused, match=r"^'Jo' may be Jo A, Jo B, Jo C, Jo D, Jo E, Jo F, Jo G, Jo H and 2 more;"):
            lookup.meant(session, "Jo", players(*(f"Jo {letter}" for letter in "ABCDEFGHIJ")))
        for letters, told in (("ABCDEFGH", "Jo H;"), ("ABCDEFGHI", "Jo H and 1 more;")):
            with pytest.raises(Refused, match=told):
                lookup.meant(session, "Jo", players(*(f"Jo {letter}" for letter in letters)))


NEWCOMER = "new@spieler.example"


@pytest.mark.parametrize("part", ["Bernd", "Cordes", "BERND", "Bernd\u3164"])
def test_a_part_of_a_name(running, part):
    """Who is called like a part of another's name is told apart from them, and is reached by address."""
    running("standbys", "add", part, NEWCOMER)
    name = "Bernd" if "\u3164" in part else part
    both = ", ".join(sorted([name, BERND]))
    asks = f"'{name}' may be {both}; write more of the name, or {NEWCOMER} for {name}."
    for command in (["player", "show"], ["player", "export"], ["player", "forget"], ["standby", "Eriwan", CARLA]):
        assert running.refused(*command, name) == asks
    for command in (["player", "rename", name, "X"], ["player", "address", name, "x@x.example"], ["write", name]):
        assert running.refused(*command, stdin=b"Hallo") == asks
    assert running.refused("player", "forget", name, "--yes") == asks
    assert f"Queued for {name} (1 mail)" in running("write", NEWCOMER, stdin=b"Hallo").out
    assert f"Queued for {BERND} (1 mail)" in running("write", BERND, stdin=b"Hallo").out
    assert json.loads(running("player", "export", NEWCOMER).out)["player"]["name"] == name
    assert f"{name} is called Xaver" in running("player", "rename", NEWCOMER, "Xaver").out


def test_who_is_called_so_sits_there(running):
    """In a game it is the same, and the answer has the whole name, also where both have one address."""
    shared = address_of(BERND)
    running("standby", "Eriwan", CARLA, "Berta", shared)
    running("player", "rename", "Berta", "Bernd")
    sure = f"Bernd {shared}"
    assert running.refused("move", "Eriwan", "Bernd", stdin=MOVE) == (
        f"'Bernd' may be Bernd, {BERND}; write more of the name, or {sure} for Bernd."
    )
    assert running("move", "Eriwan", sure, stdin=MOVE).out.startswith("The move of Bernd in Eriwan is on file.")
    assert running("move", "Eriwan", BERND, stdin=MOVE).out.startswith(f"The move of {BERND} in Eriwan is on file.")
    assert "The move of Bernd in Eriwan is taken back." in running("move", "Eriwan", sure, "--withdraw").out
    assert "goes on without Bernd." in running("standby", "Eriwan", sure, "--none").out
    assert f"'{shared}' may be Bernd, {BERND}; write more of the name." in running.refused("player", "show", shared)


NOBODYS = ["N. N.", "N.N.", "n. n.", "N N", "NN", "N.\u3164N.\ufe0f", "N. N. 2", "\uff2e.N. 17", "N-N"]


@pytest.mark.parametrize("name", NOBODYS)
def test_nobodys_name(running, name):
    """The forgotten appear as N. N.: nobody else can be called so."""
    with running.app() as app:
        actions.new_game(app, "crossword", "Fiume")
    for command in (
        ["join", "Fiume", name, NEWCOMER], ["standbys", "add", name, NEWCOMER], ["player", "rename", ANNA, name],
        ["standby", "Eriwan", CARLA, name, NEWCOMER],
    ):  # fmt: skip
        assert "is how those appear who were forgotten" in running.refused(*command)
    assert "A player needs a name." in running.refused("join", "Fiume", "\u3164\u2800\U000e0041", NEWCOMER)
    assert {row[0] for row in running("players").rows} == {*PLAYERS}


def test_commands_about_seats(running):
    """Where a game is named, the name has to be unique among its seats only; answers have the whole name."""
    with running.app() as app, app.database.write() as session:
        lookup.find_or_register(app, session, "Anna Zander", "zander@spieler.example")
    assert running("move", "Eriwan", "anna", stdin=MOVE).out.startswith("The move of Anna Berg in Eriwan is on file.")
    seats = json.loads(running("show", "Eriwan", "--seat", "ann", "--json").out)["seats"]
    assert seats[0]["move"]["wish"] == "E"
    assert "The move of Anna Berg in Eriwan is taken back." in running("move", "Eriwan", "ANN", "--withdraw").out
    assert "'Anna' may be Anna Berg, Anna Zander" in running.refused("player", "show", "Anna")
    running("standbys", "add", "Gerda Hahn", "gerda@spieler.example")
    assert "Gerda Hahn has taken over Frida Groß's seat" in running("standby", "Eriwan", "frida", "gerda").out
    assert "Eriwan goes on without Emil " in running("standby", "Eriwan", "em", "--none").out
    running("standbys", "add", "Hans Igel", "hans@spieler.example")
    assert running("standbys", "remove", "hans").out == "Hans Igel is off the standby list.\n"


def test_commands_about_players(running):
    """Renaming and addresses take a first name, and answer with the whole one."""
    assert "Mails to Anna Berg go to anna@neu.example." in running("player", "address", "anna", "anna@neu.example").out
    assert "Carla Dietz is called Karla Dietz" in running("player", "rename", "carla", "Karla Dietz").out
    assert "Dora Ems" in running("player", "show", "dor").out


def test_who_is_new_is_named_in_full(running):
    """A first name is a name of its own where a new player would be made: Anna is never taken for Anna Berg."""
    with running.app() as app:
        actions.new_game(app, "crossword", "Fiume")
    assert running("join", "Fiume", "Anna", "other@spieler.example").out.startswith("Anna has a seat in Fiume.")
    running("standbys", "add", "Bernd", "second@spieler.example")
    assert running("standbys", "list").rows[0][0] == "Bernd"
    running("standby", "Eriwan", FRIDA, "Carla", "third@spieler.example")
    names = [row[0] for row in running("players").rows]
    assert {"Anna", ANNA, "Bernd", BERND, "Carla", CARLA} <= {*names}


@pytest.mark.trust
def test_forgetting_needs_the_whole_name(running, terminal):
    """With `--yes` the whole name has to be there; on a terminal the question shows it."""
    running("standbys", "add", "Gerda Hahn", "gerda@spieler.example")
    assert running.refused("player", "forget", "gerda").startswith("Gerda Hahn is not forgotten.")
    said = running.refused("player", "forget", "gerda", "--yes")
    assert said == "There is no player 'gerda'. Write the name in full: Gerda Hahn."
    gm = terminal("player", "forget", "gerda", "--config", str(running.config))
    gm.sees("Gerda Hahn would be forgotten")
    gm.sees("Forget Gerda Hahn?")
    gm.types("y")
    assert gm.ends() == 0, gm.shown
    assert "Gerda Hahn" not in [row[0] for row in running("players").rows]


def test_codes_in_any_case(running):
    """A code may be typed in small letters (issue 29: "codes in any case")."""
    with running.app() as app, app.database.write() as session:
        from gm.messages import gm_list
        from gm.messages.questions import About

        code = gm_list.add_trouble(app, session, "text", "Hallo", About()).question.code
    assert running("todo", "--done", code.lower()).out == f"{code} is ticked off.\n"


@pytest.mark.trust(except_first=3)
@pytest.mark.parametrize(
    "when", [("+3", "Tage"), ("3", "days"), ("+1", "Woche"), ("24.12.", "20:00"), ("tomorrow", "20:00")]
)
def test_a_zat_in_several_words(running, when):
    """What is typed after the game's name needs no quotes."""
    assert "New ZAT of Eriwan: " in running("zat", "Eriwan", *when).out


def test_a_short_name_at_a_known_address_is_asked_about(running: Any) -> None:
    """`gm join` with half a name beside the player at that address makes no second player (issue 49)."""
    running("new", "crossword", "Riga")
    running("join", "Riga", "Micha Bauer", "micha@web.example", "--wish", "E")
    assert "there is Micha Bauer" in running.refused("join", "Riga", "Micha", "micha@web.example")
    assert "there is Micha Bauer" in running.refused("join", "Riga", "Micha Bauer Senior", "micha@web.example")
    running("join", "Riga", "Sophie Bauer", "micha@web.example", "--wish", "R")


def test_joining_again_enters_a_wish(running: Any) -> None:
    """`gm join` for somebody who has a seat changes the wish (interface.md; issue 49)."""
    running("new", "crossword", "Riga")
    running("join", "Riga", "Micha Bauer", "micha@web.example")
    assert "Still wanted" not in running("join", "Riga", "Micha Bauer", "micha@web.example", "--wish", "E").out
