"""The GM's commands on the command line: release, undo, pause, resume, and what a playing GM may not see."""

import json
import re
from dataclasses import replace

import pytest

from games import engines
from games.dice import Dice
from gm.app.pass_report import Report
from gm.demo.in_memory_zine import PLAYERS, address_of, write_mail
from gm.game import word_judge
from gm.game.position import position
from gm.game.seats import seat_of_player
from gm.requests.desk import actions
from gm.service.inbound.receive import receive
from gm.store.queries import game_queries
from gm.transport.doubles.in_memory import MemoryInbox, MemoryServer

ANNA, BERND, CARLA, DORA, EMIL, FRIDA = PLAYERS
GRID = "DNTIRO\n......\n......\n......\n......\n......\n"
QUEUED = "`gm serve` delivers."


@pytest.fixture
def by_gm(make_shell):
    """Eriwan in round 1, in a zine in which the GM releases bulletins."""
    return _start(make_shell(deadlines={"release": "gm"}))


def _start(gm, last=FRIDA, address="", name="Eriwan"):
    with gm.app() as app:
        actions.new_game(app, "crossword", name)
        cast = [(player, address_of(player)) for player in PLAYERS[:5]]
        for (player, at), letter in zip([*cast, (last, address or address_of(last))], "DNTIRO", strict=True):
            actions.join(app, name, player, at, letter)
        actions.start(app, name)
    return gm


@pytest.fixture
def playing(make_shell):
    """Havanna in round 1; the GM sits there."""
    return _start(make_shell(), "Cici Beilken", "cici@postspiel.example", "Havanna")


def shown(gm, name="Eriwan"):
    """Give what `gm show --json` says."""
    return json.loads(gm("show", name, "--json").out)


def test_release(by_gm, tmp_path):
    """A closing waits, is in all lists, and goes out with a foreword from a file; a second time is refused."""
    assert by_gm.refused("release", "Eriwan") == "No bulletin of Eriwan waits for you."
    closed = by_gm("close", "Eriwan", "--no-fetch").out
    assert closed == "Eriwan is closed; look its bulletin through, then: gm release Eriwan\n"
    waits = "the bulletin waits for you: gm release Eriwan"
    assert [row[6] for row in by_gm("list").rows[-1:]] == [waits]
    assert waits in by_gm("status").out
    assert "gm release Eriwan [--foreword FILE], or gm undo Eriwan" in by_gm("todo").out
    for arguments in (("close", "Eriwan", "--no-fetch"), ("close", "Eriwan", "--dry-run"), ("zat", "Eriwan", "+3d"),
                      ("standby", "Eriwan", FRIDA, "--none")):  # fmt: skip
        assert "gm release Eriwan" in by_gm.refused(*arguments)
    assert "can't be read" in by_gm.refused("release", "Eriwan", "--foreword", str(tmp_path / "none.txt"))
    (tmp_path / "foreword.txt").write_bytes("Schöne Grüße\n".encode("cp1252"))
    said = by_gm("release", "Eriwan", "--foreword", str(tmp_path / "foreword.txt")).out
    assert re.fullmatch(rf"The bulletins of Eriwan are queued, ZAT of round 2: .*; {QUEUED}\n", said)
    mail = by_gm("mail", "list").rows[-1][0]
    assert "Schöne Grüße" in by_gm("mail", "show", mail).out
    assert by_gm("todo").out == "Nothing waits for you.\n"
    (tmp_path / "long.txt").write_text("x" * 5000)
    by_gm("close", "Eriwan", "--no-fetch")
    assert "at most 4000" in by_gm.refused("release", "Eriwan", "--foreword", str(tmp_path / "long.txt"))


def test_undo(running):
    """The last closing is taken back and the game held until the GM says when."""
    assert "has just begun" in running.refused("undo", "Eriwan")
    running("close", "Eriwan", "--no-fetch")
    said = running("undo", "Eriwan").out
    assert said.startswith("The closing of round 1 of Eriwan is taken back. The game is held until you say")
    assert "taken back" in shown(running)["held"]
    assert "taken back" in running("list").rows[-1][6]
    running("zat", "Eriwan", "+7d")
    assert (shown(running)["held"], shown(running)["round"]) == (None, 1)
    running("close", "Eriwan", "--no-fetch")
    running("undo", "Eriwan")
    running("close", "Eriwan", "--no-fetch")
    assert (shown(running)["held"], shown(running)["round"]) == (None, 2)
    assert running("verify").out == "Eriwan: as recorded\n"
    assert "no game 'Genua'" in running.refused("undo", "Genua")


def test_undo_of_what_was_never_released(by_gm):
    """Nobody has seen it, so nobody is told, and the command says so."""
    by_gm("close", "Eriwan", "--no-fetch")
    before = len(by_gm("mail", "list").rows)
    said = by_gm("undo", "Eriwan").out
    assert said.endswith(
        "gm zat Eriwan WHEN, or gm close Eriwan. Nobody is told: its bulletins had not been released.\n"
    )
    assert len(by_gm("mail", "list").rows) == before


def test_the_zat_that_is_set_already(running):
    """The command says that it is that already, and queues nothing; neither does it in a pause, which stays."""
    zat, before = running("zat", "Eriwan").out.strip(), len(running("mail", "list").rows)
    said = running("zat", "Eriwan", zat).out
    assert said == f"The ZAT of Eriwan is {zat} already; nothing changes, and nobody is told.\n"
    assert len(running("mail", "list").rows) == before
    running("pause", "Eriwan", "3d")
    before = len(running("mail", "list").rows)
    assert re.search(r"\nEriwan is paused until [-\d]+ [:\d]+\.\n$", running("zat", "Eriwan").out)
    for when in (zat, "+7d"):
        assert re.match(r"Eriwan is paused until .*gm resume Eriwan\.$", running.refused("zat", "Eriwan", when))
    assert shown(running)["paused_until"]
    assert len(running("mail", "list").rows) == before


def test_undo_of_playing_on_without(running):
    """Also that a game goes on without a seat can be taken back: the player sits again, and the game isn't held."""
    assert "goes on without Frida Groß" in running("standby", "Eriwan", FRIDA, "--none").out
    assert running("verify").out == "Eriwan: as recorded\n"
    said = running("undo", "Eriwan").out
    assert said.startswith("Playing on without Frida Groß in Eriwan is taken back: Frida Groß sits there again.")
    assert shown(running)["held"] is None
    running("standby", "Eriwan", FRIDA, "Gerda Hahn", "gerda@spieler.example")
    assert "Frida Groß sits in Eriwan again." in running("standby", "Eriwan", "frida", "frida").out
    running("standby", "Eriwan", FRIDA, "gerda")
    said = running("undo", "Eriwan").out
    assert said.startswith("The takeover by Gerda Hahn in Eriwan is taken back: Frida Groß sits there again.")
    running("standby", "Eriwan", FRIDA, "gerda")
    running("move", "Eriwan", "gerda", stdin=b"Neu: E\n......\n......\n......\n......\n......\n......\n")
    assert "Gerda Hahn has moved for this seat of Eriwan since" in running.refused("standby", "Eriwan", FRIDA, FRIDA)
    assert running("verify").out == "Eriwan: as recorded\n"


def test_pause_and_resume(running):
    """A pause is shown everywhere, has a limit, and ends when the GM says so."""
    assert "is not paused" in running.refused("resume", "Eriwan")
    assert "no pause of at most 30d" in running.refused("pause", "Eriwan", "31d")
    assert "Eriwan is paused until" in running("pause", "Eriwan", "3", "Tage").out
    assert shown(running)["paused_until"]
    assert running("list").rows[-1][6].startswith("paused until ")
    assert "paused until" in running("status").out
    assert "is paused already" in running.refused("pause", "Eriwan")
    assert "goes on, ZAT:" in running("resume", "Eriwan").out
    assert shown(running)["paused_until"] is None
    running("abort", "Eriwan", "--why", "no time", "--yes")
    for command in ("pause", "resume"):
        assert "Eriwan is aborted; this needs a running game." in running.refused(command, "Eriwan")


def test_a_playing_gm(playing):
    """A playing GM sees neither other seats nor their moves while the round is open, and everything afterwards."""
    server = MemoryServer()
    with playing.app() as app:
        for sender in (address_of(BERND), "cici@postspiel.example"):
            server.deliver(write_mail(sender, f"Crossword Havanna\nRunde: 1\nNeu: E\n{GRID}"), app.now())
        receive(replace(app, inbox=MemoryInbox(server)), Report())
    his, own = (row for row in playing("mail", "list").rows if not row[0].startswith("o"))
    answers = [row for row in playing("mail", "list").rows if row[0].startswith("o") and "Zug" in row[4]]
    for arguments in (("show", "Havanna", "--seat", BERND), ("close", "Havanna", "--dry-run"),
                      ("mail", "show", his[0]), ("mail", "show", his[0], "--raw"),
                      ("mail", "show", answers[0][0])):  # fmt: skip
        assert playing.refused(*arguments).startswith("You play in Havanna yourself;")
    assert "Wunsch" in playing("show", "Havanna", "--seat", "Cici Beilken").out
    assert "DNTIRO" in playing("mail", "show", own[0]).out
    playing("close", "Havanna", "--no-fetch")
    assert "DNTIRO" in playing("mail", "show", his[0]).out


# -- gm close --dry-run (issue 29: "a summary table (seat, move, new points, mail), with --mails the mails") -----------


def test_the_dry_run_is_a_table(running):
    """A row a seat with the move as it stands and the mail that would go, and what comes next; nothing changes."""
    running("move", "Eriwan", ANNA, stdin=f"Crossword Eriwan\nNeu: E\n{GRID}".encode())
    before = running.dump()
    ran = running("close", "Eriwan", "--dry-run")
    assert running.dump() == before
    rows = ran.rows[:6]
    assert [row[:2] for row in rows] == [[str(seat), name] for seat, name in enumerate(PLAYERS, 1)]
    assert re.fullmatch(r"Placed: a1 D, .*; Wish for round 2: E", rows[0][2]), "the move is shown whole"
    assert {row[2] for row in rows[1:]} == {"NMR"}
    assert {row[3] for row in rows} == {"-"}
    assert "\nThis game counts no points before its end.\nAfter round 1" in ran.out
    assert [row[6] for row in rows] == [f"bulletin to {address_of(name)}" for name in PLAYERS]
    assert re.search(r"\nAfter round 1 of Eriwan: round 2 has its ZAT at [-\d]+ 20:00\.\n6 mails would go out", ran.out)
    assert ran.out.endswith("it is done by: gm close Eriwan\n")
    for arguments in (("--mails",), ("--json",)):
        assert running.run("close", "Eriwan", *arguments, "--config", str(running.config)).code == 2


def test_the_dry_run_as_json(running):
    """What the table shows, for programs."""
    found = json.loads(running("close", "Eriwan", "--dry-run", "--json").out)
    assert (found["closes"], found["status"], found["next"], found["winners"]) == ("round 1", "running", "round 2", [])
    seat = found["seats"][1]
    assert (seat["player"], seat["move"], seat["new_points"], seat["rank"]) == (BERND, "NMR", None, None)
    assert [mail["to"] for mail in seat["mails"]] == [address_of(BERND)]


def test_the_dry_run_of_what_waits_for_the_gm(by_gm):
    """With `release = "gm"` it says that the bulletins would wait."""
    assert ", as soon as you say: gm release Eriwan." in by_gm("close", "Eriwan", "--dry-run").out


@pytest.mark.trust
def test_the_dry_run_on_a_terminal(running, terminal):
    """At 80 columns no line is longer, and nothing is cut or left out; the mails come in the pager."""
    running("move", "Eriwan", ANNA, stdin=f"Crossword Eriwan\nNeu: E\n{GRID}".encode())
    shown_at = terminal("close", "Eriwan", "--dry-run", "--config", str(running.config))
    assert shown_at.ends() == 0
    plain = re.sub(r"\x1b\[[\d;]*m", "", shown_at.shown)
    assert all(len(line) <= 80 for line in plain.split("\n"))
    assert re.match(r"seat +player +move +new points +mail *\n", plain)
    assert re.search(r"\n2 +Bernd Cordes +NMR +- +bulletin *\n", plain)
    row = " ".join(plain[plain.index("Anna Berg") : plain.index("Bernd Cordes")].split())
    assert re.match(r"Anna Berg Placed: a1 D, .* - bulletin .*E 2$", row), "the move is shown whole"
    paged = terminal(
        "close", "Eriwan", "--dry-run", "--mails", "--config", str(running.config), env={"PAGER": "head -3"}
    )
    paged.sees("Subject: [Eriwan] Runde 1 ausgewertet")
    assert paged.ends() == 0
    assert "bernd" not in paged.shown


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize("kind", sorted(engines()))
def test_the_dry_run_of_every_game(gm, kind):
    """Each game is rehearsed to its end: what is shown is what then happens, and points add up."""
    cast = PLAYERS[: max(2, engines()[kind].rules.seats[0])]
    with gm.app() as app:
        actions.new_game(app, kind, "Genua")
        for seat, player in enumerate(cast, 1):
            entry = engines()[kind].suggest_entry(seat)
            actions.join(app, "Genua", player, address_of(player), entry[0].rpartition(" ")[2] if entry else None)
        actions.start(app, "Genua")
        before = {}
        for number in range(60):
            _all_move(app, cast, number)
            if status(app) != "running":  # a move at once has ended it
                return
            seen = actions.rehearse_close(app, "Genua")
            assert [one.player for one in seen.seats] == list(cast)
            assert all(one.mails for one in seen.seats)
            if engines()[kind].rules.unit == "round" and before:
                assert all(one.new is None or one.points == before[one.seat] + one.new for one in seen.seats)
            game = actions.close(app, "Genua", app.now())
            assert (game.status, bool(game.zat)) == (seen.status, bool(seen.next_zat))
            before = {one.seat: one.points or 0 for one in seen.seats}
            if game.status != "running":
                break
        assert game.status != "running"
        assert sorted(one.rank for one in seen.seats)[0] == 1


def status(app):
    """Say where Genua is in its life."""
    with app.database.read() as session:
        return game_queries.named(session, "Genua").status


def _all_move(app, cast, number):
    """Let everybody who owes a move send one."""
    for name in cast:
        with app.database.read() as session:
            game = game_queries.named(session, "Genua")
            if game.status != "running":
                return  # a move at once has ended it
            at, seat = position(app, game), seat_of_player(session, game, name).number
            if seat not in at.engine.due(at.state):
                continue
            lines = at.engine.suggest(at.state, seat, Dice(name, number), word_judge.judge(app, game))
        actions.enter_move(app, "Genua", name, "\n".join(lines))


# -- all games, and reasons --------------------------------------------------------------------------------------------


def test_all_games_pause(running):
    """`gm pause --all` names the new ZATs, and the games that it leaves as they are; so does `gm resume --all`."""
    assert running.refused("resume", "--all") == "No game is paused."
    running("new", "crossword", "Batumi")
    line = r"Eriwan is paused until [-\d]+ [:\d]+, ZAT after that: [-\d]+ 20:00\.\n"
    left_out = re.escape("Batumi is open; this needs a running game.\n")
    queued = re.escape(f"The players' mails are queued; {QUEUED}\n")
    assert re.fullmatch(line + left_out + queued, running("pause", "--all", "3d", "--why", "Umzug").out)
    mail = running("mail", "list").rows[-1]
    said = " ".join(running("mail", "show", mail[0]).out.split())  # a longer date breaks the line elsewhere
    assert (mail[3], "Grund: Umzug" in said) == (address_of(FRIDA), True)
    assert running.refused("pause", "--all", "3d") == (
        "No game can be paused. Eriwan is paused already; gm resume Eriwan lets it go on. "
        "Batumi is open; this needs a running game."
    )
    assert re.fullmatch(rf"Eriwan goes on, ZAT: [-\d]+ 20:00\.\n{queued}", running("resume", "--all").out)
    for wrong in (("pause",), ("resume",), ("resume", "Eriwan", "--all"), ("zat",),
                  ("zat", "Eriwan", "--why", "so"), ("zat", "--all", "--why", "so")):  # fmt: skip
        assert running.run(*wrong, "--config", str(running.config)).code == 2, wrong


def test_reasons(running, tmp_path):
    """A new ZAT and a pause may have one, which all players read as it was typed; it has to fit into a mail."""
    for command in (("zat", "Eriwan", "+3d"), ("pause", "Eriwan", "3d")):
        assert "at most 4000" in running.refused(*command, "--why", "x" * 5000)
        running(*command, "--why", "Ich bin <krank> & müde")
        mails = [row for row in running("mail", "list", "--limit", "6").rows if row[3] == address_of(ANNA)]
        assert "Grund: Ich bin <krank> & müde" in " ".join(running("mail", "show", mails[0][0]).out.split())
