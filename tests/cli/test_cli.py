"""The commands of `gm`: what they do, how they refuse, and what they never print."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import databases
import pytest
import typer
from sqlmodel import select

from gm.app.context import open_app
from gm.cli.commands import cli
from gm.demo.in_memory_zine import GM_ADDRESS, NESTED, PLAYERS, address_of, one_pass, write_config, write_mail
from gm.requests.desk import actions
from gm.runtime.clock import utcnow
from gm.runtime.config.settings import load
from gm.store.tables import Turn
from gm.transport.doubles.embedded_server import MailServer

ANNA, BERND, CARLA, DORA, EMIL, FRIDA = PLAYERS
PASSWORD = "hunter2-is-secret"
GRID = "DNTIRO\n......\n......\n......\n......\n......\n"
MOVE = f"Crossword Eriwan\nNeu: E\n{GRID}"
NO_LOGIN = {"username": None, "password": None}
DOCUMENTED = frozenset(
    {
        "demo", "init", "doctor", "serve", "status", "todo", "new", "join", "start", "list", "show", "move", "close",
        "release", "zat", "pause", "resume", "standby", "standbys add", "standbys list", "standbys remove", "rule",
        "rulings", "undo", "abort", "players", "player show", "player rename", "player address", "player export",
        "player forget", "player vacation", "player merge",
        "mail list", "mail show", "mail retry", "mail drop", "mail prune", "digest", "archive", "verify",
        "words check", "words suggest", "login", "backup", "restore", "migrate", "upgrade", "write",
        "issue build", "issue send",
    }
)  # fmt: skip
"""The command line is public (CONTRIBUTING.md): names stay."""


def commands(group: Any = None, prefix: str = "") -> dict[str, Any]:
    """All commands by their whole name."""
    group = group or typer.main.get_command(cli)
    found = {}
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            found.update(commands(command, f"{prefix}{name} "))
        else:
            found[f"{prefix}{name}"] = command
    return found


# -- what all commands share -----------------------------------------------------------------------------------------


def test_names_are_the_documented_ones():
    """Scripts of GMs rely on the names of commands."""
    assert set(commands()) <= DOCUMENTED
    assert {"new", "join", "start", "list", "show", "move", "close", "zat", "serve", "verify"} <= set(commands())


def test_help(gm, subtests):
    """Every command explains itself and takes --config; every argument and option says what it is for."""
    for name in sorted(commands()):
        with subtests.test(name=name):
            ran = gm.run(*name.split(), "--help")
            assert ran.code == 0
            command = commands()[name]
            assert (command.help or "").endswith(".")
            assert " ".join(command.help.replace("`", "").split()) in " ".join(ran.out.split())
            if name not in ("demo", "init"):  # they have nothing to configure yet
                assert "--config" in ran.out
            for parameter in command.params:
                assert getattr(parameter, "help", None), parameter.name


def test_help_is_quick():
    """`gm --help` loads no game, and none of the libraries that take a tenth of a second."""
    code = (
        "import sys\nsys.argv = ['gm', '--help']\nfrom gm.cli import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "late = {'games', 'pydantic', 'sqlmodel', 'sqlalchemy', 'jinja2', 'babel', 'imapclient'}\n"
        "print(sorted(late & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize(
    ("name", "late"),
    [
        ([], {"jinja2", "gm.game.steps", "alembic", "imapclient", "aiosmtplib", "apscheduler"}),
        (
            ["Eriwan"],
            {"jinja2", "babel", "rich", "filelock", "parsers.commands", "parsers.mime.message", "gm.messages.outgoing",
             "gm.game.seats", "gm.game.closing_time", "alembic", "imapclient", "aiosmtplib", "apscheduler"},
        ),
    ],
    ids=["first", "one"],
)  # fmt: skip
def test_show_loads_what_it_shows(name, late, running):
    """`gm show` handles no mail, so it loads nothing that writes, reads or fetches one; people wait for it."""
    code = (
        f"import sys\nsys.argv = ['gm', 'show', *{name}, '--config', {str(running.config)!r}]\n"
        "from gm.cli import main\n"
        f"try:\n    main()\nexcept SystemExit:\n    pass\nprint(sorted({late} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "Eriwan" in done.stdout or "Anna Berg" in done.stdout
    assert done.stdout.splitlines()[-1] == "[]"


def test_a_pass_with_nothing_to_do_loads_little(tmp_path):
    """`gm serve --once` mostly finds no mail: then it loads nothing that reads or writes mails, or makes pages."""
    late = {
        "apscheduler", "jinja2", "aiosmtplib", "parsers.reading", "parsers.lines.dates", "parsers.mime.bounces",
        "gm.requests.request", "gm.archive.make_games", "gm.archive.make_lists", "games.crossword",
    }  # fmt: skip
    with MailServer({GM_ADDRESS: "x"}) as server:
        login = {"username": GM_ADDRESS, "password": "x", "port": server.imap_port}
        config = write_config(tmp_path, more={"imap": login, "smtp": {"port": server.smtp_port}})
        open_app(load(config), create=True).close()
        code = (
            f"import sys\nsys.argv = ['gm', 'serve', '--once', '--config', {str(config)!r}]\nfrom gm.cli import main\n"
            f"try:\n    main()\nexcept SystemExit:\n    pass\nprint(sorted({late} & set(sys.modules)))"
        )
        for _ in range(2):  # the first one writes the archive
            done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-2:] == ["0 mails handled, 0 rounds closed, 0 mails sent", "[]"]


@pytest.mark.trust
def test_the_installed_program(gm):
    """The `gm` that pip installs does what the tests' one does: exit codes, streams, one sentence."""
    program = Path(sys.executable).with_name("gm")
    done = subprocess.run([program, "show", "Nowhere", "--config", gm.config], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "gm: There is no game 'Nowhere'. There are: none yet; `gm new` opens one.\n"
    assert subprocess.run([program, "zat"], capture_output=True).returncode == 2


@pytest.mark.trust
def test_a_terminal_that_knows_no_umlauts(running):
    """A letter that the terminal can't show doesn't stop a command."""
    program = Path(sys.executable).with_name("gm")
    done = subprocess.run(
        [program, "show", "Eriwan", "--config", running.config], capture_output=True, env={"PYTHONIOENCODING": "ascii"}
    )
    assert done.returncode == 0
    assert b"Frida Gro?" in done.stdout


@pytest.mark.parametrize("arguments", [["zat"], ["list", "--bogus"], ["bogus"], ["close", "a", "b"], ["abort", "x"]])
def test_usage_errors(arguments, gm):
    """A wrong command line is exit code 2, with a hint how it is written."""
    ran = gm.run(*arguments)
    assert ran.code == 2
    assert ran.out == ""
    assert "Usage: gm" in ran.err


def test_debug(gm):
    """--debug, wherever it stands, shows the traceback that is otherwise kept away, before the same sentence."""
    for arguments in (("--debug", "show", "Nowhere"), ("show", "Nowhere", "--debug")):
        ran = gm.run(*arguments, "--config", str(gm.config))
        assert ran.code == 1
        assert ran.err.startswith("Traceback (most recent call last):\n")
        assert "gm.runtime.errors.Refused: There is no game 'Nowhere'." in ran.err
        assert ran.err.splitlines()[-1].startswith("gm: There is no game 'Nowhere'.")
    assert "Traceback" not in gm.refused("show", "Nowhere")


# -- setting up ------------------------------------------------------------------------------------------------------

INIT = (
    "--address", "zug@postspiel.example", "--gm", "Cici Beilken <cici@postspiel.example>", "--provider",
    "imap.postspiel.example smtp.postspiel.example",
)  # fmt: skip


def test_init(gm, tmp_path, monkeypatch):
    """One command makes a config that is right and a database that can be used."""
    monkeypatch.setenv("GM_IMAP_PASSWORD", PASSWORD)
    monkeypatch.setenv("GM_SMTP_PASSWORD", PASSWORD)
    folder = tmp_path / "new" / "zine"
    ran = gm.run("init", str(folder), *INIT, "--name", 'Dottendorfer "Soccer"')
    assert (ran.code, ran.err) == (0, "")
    assert f"gm doctor --config {folder / 'config.toml'}" in ran.out
    assert (folder / "gm.db").exists()
    ran = gm.run("list", "--config", str(folder / "config.toml"))
    assert (ran.code, ran.out) == (0, "No games yet; `gm new` opens one.\n")
    again = gm.run("init", str(folder), *INIT)
    assert again.code == 1
    assert "is there already" in again.err


@pytest.mark.parametrize(
    ("option", "value"), [("--address", "nonsense"), ("--provider", "nobody"), ("--gm", "zug@postspiel.example")]
)
def test_init_with_faults(option, value, gm, tmp_path):
    """A config that would be refused later isn't written at all."""
    given = dict(zip(INIT[::2], INIT[1::2], strict=True)) | {option: value}
    ran = gm.run("init", str(tmp_path / "faulty"), *[part for pair in given.items() for part in pair])
    assert ran.code == 1
    assert value in ran.err
    assert not (tmp_path / "faulty" / "config.toml").exists()


def test_doctor(make_shell):
    """With everything in place each check says ok, and its JSON says the same."""
    with MailServer({GM_ADDRESS: PASSWORD}) as server:
        gm = make_shell(imap={"port": server.imap_port}, smtp={"port": server.smtp_port, **NO_LOGIN})
        ran = gm.run("doctor", "--config", str(gm.config))
        checks = json.loads(gm("doctor", "--json").out)
    assert ran.code == 0, ran.out + ran.err
    lines = ran.out.splitlines()
    assert all(re.match(r"(ok|warn|fail) +[^:]+: \S", line) for line in lines), lines
    assert "fail" not in {check["status"] for check in checks}
    assert {"config", "database", "word list", "clock", "archive"} <= {check["check"] for check in checks}
    assert PASSWORD not in "".join(gm.printed)


@pytest.mark.sqlite
def test_doctor_finds_what_is_broken(make_shell):
    """A dead port, a wrong database and a missing word list are named with their mend, and the exit code is 1."""
    gm = make_shell(imap={"port": 9}, smtp={"port": 9}, lexicon={"extra": ["missing.txt"]})
    (gm.config.parent / "gm.db").write_text("no database at all, but a text that is long enough to be looked at" * 20)
    ran = gm.run("doctor", "--config", str(gm.config))
    assert ran.code == 1
    failed = [line for line in ran.out.splitlines() if line.startswith("fail")]
    assert len(failed) >= 4, ran.out
    assert "nothing listens there" in ran.out
    assert "missing.txt" in ran.out
    assert "the file is something else" in ran.out


def test_doctor_with_a_faulty_config(gm):
    """A config with faults is told fault by fault, without what may be a password."""
    gm.config.write_text(gm.config.read_text().replace('security = "none"', 'security = "nnoe"') + "[bogus]\nx = 1\n")
    ran = gm.run("doctor", "--config", str(gm.config))
    assert ran.code == 1
    assert ran.out.count("nnoe") == 2
    assert "[bogus]" in ran.out
    assert PASSWORD not in ran.out


# -- a game ----------------------------------------------------------------------------------------------------------


def test_from_opening_to_start(gm):
    """A game is opened, filled by hand and started; what is missing is named."""
    assert "Anmeldung Crossword Eriwan" in gm("new", "Crossword", "Eriwan", "--zat", "7d").out
    assert "Join Crossword Havanna" in gm("new", "crossword", "Havanna", "--language", "en", "--autostart").out
    assert "free: seat 1, seat 2, seat 3" in gm.refused("start", "Eriwan")
    for name, letter in zip(PLAYERS[:5], "DNTIR", strict=True):
        assert f"{name} has a seat in Eriwan" in gm("join", "Eriwan", name, address_of(name), "--wish", letter).out
    told = gm("join", "eriwan", FRIDA, address_of(FRIDA)).out
    assert told.startswith(f"{FRIDA} has a seat in Eriwan. ")
    assert "Still wanted" in told
    assert "write the address behind the name" in gm.refused("join", "Eriwan", "Nora Neu")
    assert gm.refused("start", "Eriwan").endswith(f"missing: {FRIDA}.")
    refused = gm.refused("join", "Eriwan", FRIDA, address_of(FRIDA))
    assert refused == f"A mail to {FRIDA} would say: You already have a seat in “Eriwan”."
    assert gm("join", "Eriwan", "Frida", "--wish", "O").out.startswith(f"{FRIDA} has a seat in Eriwan. ")
    started = gm("start", "ERIWAN").out
    pattern = r"Eriwan has started, ZAT of round 1: \d{4}-\d\d-\d\d 20:00\. .*`gm serve` delivers\.\n"
    assert re.fullmatch(pattern, started)
    assert "only an open game can be started" in gm.refused("start", "Eriwan")
    assert [row[:4] for row in gm("list").rows] == [
        ["Havanna", "Crossword", "open", "0"], ["Eriwan", "Crossword", "running", "1"]
    ]  # fmt: skip


@pytest.mark.trust(except_first=8)
@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("new", "Croswsord", "Eriwan"), "Did you mean crossword?"),
        (("new", "crossword", "Spiele"), "a title, a command or a keyword"),
        (("new", "crossword", "Crossword"), "a title, a command or a keyword"),
        (("new", "crossword", "zwei Wörter"), "one word of 2 to 30"),
        (("new", "crossword", "X"), "one word of 2 to 30"),
        (("new", "crossword", "Eriwan\x1b[31m"), "one word of 2 to 30"),
        (("new", "crossword", "Eriwan", "--option", "a=b"), "no option of Crossword"),
        (("new", "crossword", "Eriwan", "--option", "ab"), "no option of Crossword"),
        (("new", "crossword", "Eriwan", "--zat", "bald"), "bald"),
        (("new", "crossword", "Eriwan", "--language", "fr"), "there are: de, en"),
        (("join", "Eriwan", ANNA, "anna@spieler.example"), "There is no game 'Eriwan'"),
        (("start", "Eriwan"), "There is no game 'Eriwan'"),
        (("show", "Eriwan"), "There is no game 'Eriwan'"),
        (("close", "Eriwan", "--no-fetch"), "There is no game 'Eriwan'"),
        (("close", "Eriwan", "--dry-run"), "There is no game 'Eriwan'"),
        (("zat", "Eriwan"), "There is no game 'Eriwan'"),
        (("zat", "Eriwan", "+7d"), "There is no game 'Eriwan'"),
        (("move", "Eriwan", ANNA), "There is no game 'Eriwan'"),
        (("standby", "Eriwan", ANNA), "There is no game 'Eriwan'"),
        (("rule", "Eriwan", "accept", "TOR"), "There is no game 'Eriwan'"),
        (("rule", "Eriwan", "perhaps", "TOR"), "write accept or reject"),
        (("rulings", "Eriwan"), "There is no game 'Eriwan'"),
        (("abort", "Eriwan", "--why", "x"), "There is no game 'Eriwan'"),
        (("verify", "Eriwan"), "There is no game 'Eriwan'"),
        (("standbys", "add", ANNA, "nonsense"), "no mail address"),
        (("standbys", "add", " ", "anna@spieler.example"), "needs a name"),
        (("standbys", "add", ANNA, "anna@spieler.example", "chess"), "There is no game 'chess'"),
        (("standbys", "remove", ANNA), "not on the standby list"),
        (("mail", "show", "7"), "There is no mail '7'"),
        (("mail", "show", "o²"), "There is no mail 'o²'"),
        (("mail", "retry", "99999999999999999999"), "There is no mail"),
        (("mail", "drop", "x"), "There is no mail 'x'"),
    ],
)
def test_refusals(arguments, says, gm):
    """What can't be done is refused in one sentence that says how it can."""
    sentence = gm.refused(*arguments)
    assert says in sentence
    assert "\x1b" not in sentence
    assert "\n" not in sentence


def test_a_name_is_used_once(running):
    """Names of games are never used twice, in whatever case."""
    assert "never used twice" in running.refused("new", "crossword", "ERIWAN")


def test_list_and_show_as_json(running):
    """`--json` has the shape that interface.md promises."""
    listed = json.loads(running("list", "--json").out)
    assert listed[0].keys() == {"name", "game", "title", "status", "round", "zat", "moves", "held", "paused_until"}
    shown = json.loads(running("show", "Eriwan", "--json").out)
    assert shown.keys() == {
        "game", "title", "name", "status", "held", "paused_until", "round", "rounds", "zat", "letters", "seats",
        "standings", "doubtful",
    }  # fmt: skip
    assert (shown["game"], shown["title"], shown["name"], shown["status"]) == (
        "crossword", "Crossword", "Eriwan", "running"
    )  # fmt: skip
    assert (shown["held"], shown["paused_until"], shown["round"], shown["rounds"]) == (None, None, 1, 6)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT20:00:00\+0[12]:00", shown["zat"])
    assert (shown["letters"], shown["standings"], shown["doubtful"]) == ("DINORT", [], [])
    assert shown["seats"][0] == {
        "seat": 1, "player": ANNA, "moved": False, "waiting": False, "nmr": [], "grid": ["......"] * 6, "wish": "D",
        "history": [ANNA],
    }  # fmt: skip
    assert [seat["seat"] for seat in shown["seats"]] == [1, 2, 3, 4, 5, 6]


def test_one_seats_eyes(running):
    """`--seat` adds what that seat alone may see; spectators never see a move on file."""
    assert json.loads(running("show", "Eriwan", "--seat", ANNA, "--json").out)["seats"][0]["move"] is None
    running("move", "Eriwan", ANNA, "-", stdin=MOVE.encode())
    own = json.loads(running("show", "Eriwan", "--seat", "anna berg", "--json").out)
    assert own["seats"][0]["move"] == {"grid": ["dntiro", *["......"] * 5], "wish": "E"}
    assert own["seats"][0]["moved"] is True
    assert "move" not in own["seats"][1]
    for name in (None, BERND):
        seat = ("--seat", name) if name else ()
        other = running("show", "Eriwan", *seat, "--json").out
        assert "dntiro" not in other
        assert json.loads(other)["seats"][0]["moved"] is True
        assert "1 D N T I R O" not in running("show", "Eriwan", *seat).out.replace("RUNDE 1: D N T", "")
    assert "1 D N T I R O" in running("show", "Eriwan", "--seat", ANNA).out
    assert "there sit: Anna Berg, Bernd Cordes" in running.refused("show", "Eriwan", "--seat", "Nobody")


def test_show_before_the_start(gm):
    """An open game shows who has a seat."""
    gm("new", "crossword", "Eriwan")
    assert "nobody yet" in gm("show", "Eriwan").out
    gm("join", "Eriwan", ANNA, address_of(ANNA))
    assert gm("show", "Eriwan").out == "Eriwan is open for sign-up; seated: Anna Berg\n\n"
    shown = json.loads(gm("show", "Eriwan", "--json").out)
    assert (shown["status"], shown["round"], shown["zat"], shown["standings"]) == ("open", 0, None, [])
    assert shown["seats"][0]["player"] == ANNA


def test_moves_by_hand(running, tmp_path):
    """A move from a file or standard input passes the same checks as one by mail, and can be taken back."""
    file = tmp_path / "move.txt"
    file.write_text(MOVE, encoding="utf-8")
    assert "is on file" in running("move", "Eriwan", ANNA, str(file)).out
    assert "is on file" in running("move", "Eriwan", BERND, stdin=f"Neu: E\n{GRID}".encode()).out
    wanted = running("move", "Eriwan", CARLA, stdin=GRID.encode()).out
    assert "wish letter for round 2 is still missing" in wanted
    assert [row[5] for row in running("list").rows] == ["3 of 6"]
    refused = running.refused("move", "Eriwan", DORA, stdin=MOVE.replace("DNTIRO", "DNTIRX").encode())
    assert refused.startswith("The move of Dora Ems was not taken:\n- Cell f1 is free, but X is not among")
    assert "Nothing was entered" in running.refused("move", "Eriwan", DORA, stdin=b"")
    assert "can't be read" in running.refused("move", "Eriwan", DORA, str(tmp_path / "missing.txt"))
    assert "there sit" in running.refused("move", "Eriwan", "Nobody", stdin=MOVE.encode())
    assert "taken back" in running("move", "Eriwan", ANNA, "--withdraw").out
    assert "no move by Anna Berg" in running.refused("move", "Eriwan", ANNA, "--withdraw")
    assert "is on file" in running("move", "Eriwan", EMIL, stdin=f"{MOVE}\nGrüße\n".encode("cp1252")).out


def test_a_move_for_another_round_or_game_is_not_entered(running):
    """What a block says about round and game holds for the GM as well; a block of this round is taken."""
    before = running.dump()
    for head, why in (
        ("Crossword Eriwan, Runde 2", "The block is for round 2, and Eriwan is in round 1; nothing was entered."),
        ("Crossword Riga", "The block is for Riga, not for Eriwan; nothing was entered."),
    ):
        assert running.refused("move", "Eriwan", BERND, stdin=f"{head}\nNeu: E\n{GRID}".encode()) == why
    assert running.dump() == before
    block = f"Crossword eriwan\nRunde: 1\nNeu: E\n{GRID}".encode()
    assert "is on file" in running("move", "Eriwan", BERND, stdin=block).out


def test_dry_run(running):
    """--dry-run prints every mail that a closing would send, and leaves the database as it was."""
    running("move", "Eriwan", ANNA, "-", stdin=MOVE.encode())
    before = running.dump()
    printed = running("close", "Eriwan", "--dry-run", "--mails").out
    assert running.dump() == before
    assert re.findall(r"^To: (.*)$", printed, re.MULTILINE) == [address_of(name) for name in PLAYERS]
    assert printed.count("Subject: [Eriwan] Runde 1 ausgewertet – ZAT Runde 2:") == 6
    assert "Kein Zug von Bernd Cordes, Carla Dietz, Dora Ems, Emil Funk und Frida Groß (NMR)" in " ".join(
        printed.split()
    )


def test_close(running):
    """A round can be closed at once; nothing is sent by the command itself."""
    closed = running("close", "Eriwan", "--no-fetch").out
    pattern = r"Eriwan is closed; ZAT of round 2: .* The bulletins are queued; `gm serve` delivers\.\n"
    assert re.fullmatch(pattern, closed)
    assert {row[2] for row in running("mail", "list").rows} == {"queued"}


def test_close_fetches_first(running):
    """Without --no-fetch the mailbox is looked into first; where that fails, nothing is closed."""
    running.config.write_text(running.config.read_text().replace("idle = false", "idle = false\nport = 9"))
    assert "nothing listens there" in running.refused("close", "Eriwan")
    assert json.loads(running("show", "Eriwan", "--json").out)["round"] == 1


def test_zat(running):
    """The deadline is shown, moved by a span or to a date, and never into the past."""
    first = running("zat", "Eriwan").out.strip()
    assert re.fullmatch(r"\d{4}-\d\d-\d\d 20:00", first)
    assert "queued" in running("zat", "Eriwan", "+7d").out
    assert running("zat", "Eriwan").out.strip() > first
    assert "New ZAT of Eriwan: 2099-12-24 20:00." in running("zat", "Eriwan", "24.12.2099 20:00").out
    assert running("zat", "Eriwan").out == "2099-12-24 20:00\n"
    assert "has passed; name a later time" in running.refused("zat", "Eriwan", "2020-01-01 20:00")
    assert "is no deadline; write" in running.refused("zat", "Eriwan", "demnächst")
    assert running("zat", "Eriwan").out == "2099-12-24 20:00\n"
    subjects = [row[4] for row in running("mail", "list").rows]
    assert sum("Neuer ZAT Runde 1" in subject for subject in subjects) == 12


LONG = "Grund " * 20_000


@pytest.mark.trust(except_first=3)
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("rule", "Eriwan", "accept", "KANU", "--note", LONG), "The note has 120000 characters; at most 4000 fit."),
        (("rule", "Eriwan", "reject", "KANU", "A" * 100_000),
         f"'{'A' * 200}…' has 100000 letters; no word has more than 80."),
        (("abort", "Eriwan", "--yes", "--why", LONG), "The reason has 120000 characters; at most 4000 fit."),
        (("standbys", "add", LONG, "gerda@spieler.example"),
         f"'{LONG[:200]}…' is too long for a name; 40 characters are the most."),
        (("standby", "Eriwan", FRIDA, "G" * 100_000, "gerda@spieler.example"),
         f"'{'G' * 200}…' is too long for a name; 40 characters are the most."),
        (("player", "address", ANNA, f"{'a' * 100_000}@b.example"),
         f"'{'a' * 200}…' is no mail address; write one like anna@example.org."),
        (("show", "E" * 100_000), f"There is no game '{'E' * 200}…'. There are: Eriwan."),
    ],
    ids=["note", "word", "reason", "name", "new name", "address", "game"],
)  # fmt: skip
def test_what_is_far_too_long_is_refused_with_the_limit(running, words, said):
    """A hundred thousand characters of anything are one short sentence, and nothing is half done."""
    before = running.dump()
    assert running.refused(*words) == said
    assert running.dump() == before


@pytest.mark.trust(except_first=4)
@pytest.mark.parametrize("when", ["9999-12-31 20:00", "31.12.9999 23:59", "+999999d", "+999999999d", "+36501d"])
def test_no_zat_is_too_far_away_to_reckon_with(running, when):
    """What lies behind a hundred years is refused with the last day that is possible, and changes nothing."""
    before = running.dump()
    assert re.fullmatch(
        r"'\S+( \S+)?' is too far away: a ZAT lies a hundred years ahead at most, not after \d{4}-\d\d-\d\d\.",
        running.refused("zat", "Eriwan", when),
    )
    assert running.dump() == before


def test_no_span_is_too_long_to_reckon_with(running):
    """Neither a round nor a pause may last for ever; what is refused changes nothing."""
    before = running.dump()
    for span in ("999999d", "3651d", "999999999h", "0d"):
        sentence = running.refused("new", "crossword", "Havanna", "--zat", span)
        assert sentence == f"'{span}' can't be the span of a round; name one like 90m, 12h or 3d, at most 3650d."
    assert "no pause of at most 30d" in running.refused("pause", "Eriwan", "999999d")
    assert running.dump() == before


@pytest.mark.trust
def test_with_the_farthest_zat_and_the_longest_rounds_all_goes_on(make_shell):
    """Passes, pages, a pause, a closing on trial and the replay: none of them leaves the calendar."""
    gm = make_shell(deadlines={"zat": "3650d", "hold": "36500d", "outage": "36500d", "pause_max": "36500d",
                               "reminders": ["36500d", "0m"], "settle": "36500d"})  # fmt: skip
    gm("new", "crossword", "Eriwan")
    for name, letter in zip(PLAYERS, "DNTIRO", strict=True):
        gm("join", "Eriwan", name, address_of(name), "--wish", letter)
    gm("start", "Eriwan")
    gm("zat", "Eriwan", f"{utcnow().year + 99}-12-31 20:00")
    gm("pause", "Eriwan", "36500d")
    with gm.app() as app:
        assert one_pass(app, inbox=False, outbox=False).troubles == []
    for words in (("show", "Eriwan", "--json"), ("status",), ("digest",), ("verify",), ("list",)):
        gm(*words)
    gm("resume", "Eriwan")
    gm("move", "Eriwan", ANNA, stdin=MOVE.encode())
    assert "Subject: [Eriwan] Runde 1 ausgewertet" in gm("close", "Eriwan", "--dry-run", "--mails").out
    with gm.app() as app:
        assert one_pass(app, inbox=False, outbox=False).troubles == []


def test_standbys(running):
    """The list of standbys is kept by hand, and its first takes a seat over."""
    assert running("standbys", "list").out == "Nobody is on the standby list.\n"
    assert "name somebody" in running.refused("standby", "Eriwan", FRIDA)
    running("standbys", "add", "Gerda Hahn", "gerda@spieler.example")
    running("standbys", "add", "Hans Igel", "hans@spieler.example", "Crossword")
    assert running("standbys", "list").rows == [["Gerda Hahn", "any"], ["Hans Igel", "crossword"]]
    assert json.loads(running("standbys", "list", "--json").out)[1] == {"player": "Hans Igel", "game": "crossword"}
    assert "Gerda Hahn has taken over Frida Groß's seat" in running("standby", "Eriwan", FRIDA).out
    running("standbys", "remove", "Gerda Hahn")
    assert running("standbys", "list").rows == [["Hans Igel", "crossword"]]
    assert "add the address" in running.refused("standby", "Eriwan", EMIL, "Ida Jung")
    assert "Ida Jung has taken over" in running("standby", "Eriwan", EMIL, "Ida Jung", "ida@spieler.example").out
    assert "nobody sits twice" in running.refused("standby", "Eriwan", DORA, "Ida Jung")
    history = [seat["history"] for seat in json.loads(running("show", "Eriwan", "--json").out)["seats"]]
    assert history[4:] == [[EMIL, "Ida Jung"], [FRIDA, "Gerda Hahn"]]


def test_off_an_open_game(gm):
    """Before the start `gm standby` takes somebody off, with and without --none, and says who is told."""
    gm("new", "crossword", "Eriwan")
    for words in (("--none",), ()):
        told = gm("join", "Eriwan", ANNA, "anna@spieler.example", "--wish", "D").out
        assert "has a seat in Eriwan. The player's mail is queued" in told
        off = gm("standby", "Eriwan", "anna", *words).out
        assert off.startswith(
            "Anna Berg is off the list of Eriwan, and the seat is free again. The player's mail is queued"
        )


def played(gm) -> None:
    """Play Eriwan to its end; Anna claims a word that no list knows, and one that is refused."""
    rows = ["DNTIRO", "TORDNI", "NOTIRD", "ROTIDN", "TONRID", "DORNIT"]
    with gm.app() as app:
        for number in range(6):
            letters = json.loads(gm("show", "Eriwan", "--json").out)["letters"]
            assert sorted(letters) == sorted("DNTIRO")
            grid = [row.lower() for row in rows[:number]] + [rows[number]] + ["......"] * (5 - number)
            for name, wish in zip(PLAYERS, "DNTIRO", strict=True):
                lines = [f"Neu: {wish}", *grid]
                if number == 5 and name == ANNA:
                    lines += ["Z1: NTI", "Z2: TOR / OR", "Z3: NOT", "Z6: DORN", "S1: DTN"]
                if number == 5 and name == BERND:
                    lines += ["Z3: NOT"]
                actions.enter_move(app, "Eriwan", name, "\n".join(lines))
            actions.close(app, "Eriwan", app.now())


@pytest.mark.trust
def test_the_end(running):
    """The GM rules on doubtful words one by one. After the last one the result is final; a later ruling corrects it."""
    assert "running" in running("list").out
    played(running)
    shown = json.loads(running("show", "Eriwan", "--json").out)
    assert (shown["status"], shown["doubtful"], shown["zat"]) == ("provisional", ["dtn", "nti"], None)
    assert shown["standings"][0].keys() == {"rank", "player", "points", "winner"}
    assert "ENDSTAND (VORLÄUFIG)" in running("show", "Eriwan").out
    todo = running("todo").rows
    assert [row[1:] for row in todo] == [["words", "Eriwan: DTN NTI", "gm rule Eriwan accept|reject DTN NTI"]]
    assert json.loads(running("todo", "--json").out)[0]["what"] == "words"
    assert running("rulings").out == "No rulings yet.\n"
    assert "still open: NTI" in running("rule", "Eriwan", "accept", "DTN").out
    assert "is no word" in running.refused("rule", "Eriwan", "accept", "D-N")
    queued = running("rule", "eriwan", "reject", "nti", "--note", "keine Abkürzungen").out
    assert queued == "Eriwan: the final scores are queued for all players\n"
    assert json.loads(running("show", "Eriwan", "--json").out)["status"] == "finished"
    assert running("todo").out == "Nothing waits for you.\n"
    assert "keine Abkürzungen" in running("show", "Eriwan").out
    assert running("rule", "Eriwan", "accept", "KANU").out == (
        "Eriwan: nobody has played KANU so far. The ruling is noted all the same.\nEriwan: nothing changes\n"
    )
    assert "nobody has played DTM so far; DTN was played." in running("rule", "Eriwan", "accept", "DTM").out
    house = running("rule", "Eriwan", "reject", "NOT", "--house").out
    assert house == "Eriwan: the corrected scores are queued for all players\n"
    rows = running("rulings", "Eriwan").rows
    assert [row[:3] for row in rows] == [
        ["NOT", "rejected", "house"], ["DTM", "accepted", "Eriwan"], ["KANU", "accepted", "Eriwan"],
        ["NTI", "rejected", "Eriwan"], ["DTN", "accepted", "Eriwan"],
    ]  # fmt: skip
    assert running("rulings").rows == rows
    everything = json.loads(running("rulings", "--json").out)
    assert [row["word"] for row in everything] == ["NOT", "DTM", "KANU", "NTI", "DTN"]
    assert everything[3]["note"] == "keine Abkürzungen"
    assert running("verify").out == "Eriwan: as recorded\n"
    subjects = [row[4] for row in running("mail", "list").rows if row[3] == address_of(ANNA)]
    assert [subject[: subject.rindex(": Anna")] for subject in subjects[-3:]] == [
        "[Eriwan] Endstand (vorläufig)", "[Eriwan] Endstand", "[Eriwan] KORRIGIERT: Endstand (2. Fassung)"
    ]  # fmt: skip
    for command in (("close", "Eriwan", "--no-fetch"), ("zat", "Eriwan", "+7d"), ("move", "Eriwan", ANNA)):
        assert "Eriwan is finished; this needs a running game" in running.refused(*command, stdin=MOVE.encode())
    assert "nothing to abort" in running.refused("abort", "Eriwan", "--why", "x", "--yes")


def test_abort(running):
    """A game can end without a result; everybody is told why."""
    assert "Eriwan is broken off" in running("abort", "Eriwan", "--why", "zu wenige Züge", "--yes").out
    assert json.loads(running("show", "Eriwan", "--json").out)["status"] == "aborted"
    assert "zu wenige Züge" in running("mail", "show", "o7").out


def test_verify(running):
    """A record that was tampered with is found out, with exit code 1."""
    running("close", "Eriwan", "--no-fetch")
    assert running("verify", "Eriwan").out == "Eriwan: as recorded\n"
    with running.app() as app, app.database.write() as session:
        turn = session.exec(select(Turn).where(Turn.number == 1)).one()
        turn.state = json.loads(json.dumps(turn.state).replace('"D"', '"X"'))
    ran = running.run("verify", "--config", str(running.config))
    assert ran.code == 1
    assert "another position" in ran.out


# -- mail and service ------------------------------------------------------------------------------------------------


def test_serve_once(make_shell):
    """One pass fetches, answers, sends, and says what it did; the log of mails has it all."""
    with MailServer({GM_ADDRESS: PASSWORD, "anna@spieler.example": "x", "cici@postspiel.example": "x"}) as server:
        gm = make_shell(imap={"port": server.imap_port}, smtp={"port": server.smtp_port, **NO_LOGIN})
        gm("new", "crossword", "Eriwan")
        server.append(
            GM_ADDRESS, write_mail("anna@spieler.example", "Spiele", name="Anna Berg", subject="Hallo \x9b31m")
        )
        server.append(GM_ADDRESS, b"From: anna@spieler.example\r\nSubject: \x1b[31mrot\r\n" + NESTED)
        assert "2 mails handled, 0 rounds closed, 2 mails sent" in gm("serve", "--once").out, gm("mail").out
        assert "0 mails handled, 0 rounds closed, 0 mails sent" in gm("serve", "--once").out
        assert len(server.mails("anna@spieler.example")) == 1
        assert len(server.mails(GM_ADDRESS, "GM/Quarantine")) == 1
        rows = gm("mail", "list").rows
        assert sorted(row[2] for row in rows) == ["applied", "quarantined", "sent", "sent"]
        assert len(gm("mail").rows) == len(json.loads(gm("mail", "list", "--json").out)) == 4
        assert [row[0] for row in gm("mail", "list", "--status", "quarantined").rows] == ["2"]
        assert not {"\x1b", "\x9b"} & set(gm("mail", "list").out)
        health = json.loads(gm("status", "--json").out)
        assert health["waiting_for_gm"] == 1
        assert "Mails were last fetched: 2" in gm("status").out
        assert [row[1] for row in gm("todo").rows] == ["quarantine"]
        assert "Spiele" in gm("mail", "show", "1").out
        assert "Subject: Offene und laufende Partien" in gm("mail", "show", "o1").out
        raw = gm("mail", "show", "2", "--raw").out
        assert raw.startswith("From: anna@spieler.example\nSubject: �[31mrot\n")
        assert "multiparts" in gm("mail", "show", "2").out
        assert "tried again" in gm("mail", "retry", "2").out
        assert gm.refused("mail", "retry", "1") == (
            "Mail 1 is applied; of the received mails only a quarantined or waiting one can be tried again (outgoing "
            "ones have an o: o1)."
        )
        gm("serve", "--once")
        assert "put aside" in gm("mail", "drop", "2").out
        assert "nothing to drop" in gm.refused("mail", "drop", "2")
        assert gm("todo").out == "Nothing waits for you.\n"
    assert PASSWORD not in "".join(gm.printed)


def test_serve_once_without_a_server(make_shell):
    """Servers that are not there are named, each with what to check, and the exit code is 1."""
    gm = make_shell(imap={"port": 9}, smtp={"port": 9})
    gm("new", "crossword", "Eriwan")
    ran = gm.run("serve", "--once", "--config", str(gm.config))
    assert ran.code == 1
    assert "nothing listens there" in ran.err
    assert "Traceback" not in ran.err
    assert PASSWORD not in ran.err


def test_status_of_an_empty_zine(gm):
    """Before anything has happened, that is what is said."""
    assert gm("status").out.splitlines() == [
        "Somebody should look:", "  mails were never fetched; does `gm serve` run?", "Nothing waits for you.",
        "No game is running.", "Mails were last fetched: never; does `gm serve` run?", "Mails were last sent: never",
    ]  # fmt: skip


def test_control_characters_never_reach_the_terminal(gm):
    """A name or a note that would steer a terminal is shown, not carried out, in lines and in JSON."""
    gm("new", "crossword", "Eriwan")
    for at, name in enumerate(("Eve\x1b[31m", "Zoe\x9b31m", "Kim\u202egnp", "Tab\tNew\nLine")):
        gm("join", "Eriwan", name, f"p{at}@spieler.example")
    gm("rule", "Eriwan", "accept", "KANU", "--note", "\x1b[2J\x9b\u202e\x7f", "--house")
    gm("list")
    gm("show", "Eriwan")
    gm("show", "Eriwan", "--json")
    assert len(gm("rulings").rows) == 1
    note = json.loads(gm("rulings", "--json").out)[0]["note"]
    assert note == "\x1b[2J\x9b\u202e\x7f"
    gm.refused("show", "\x1b[31mred\x9b")
    gm.refused("join", "Eriwan", "x", "\x1b[31m@\x9b")
    printed = "".join(gm.printed)
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]", printed)


# -- what may be wrong with the files --------------------------------------------------------------------------------


def test_no_config(gm, tmp_path, monkeypatch):
    """Where there is no config, three ways to one are named."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GM_CONFIG", raising=False)
    ran = gm.run("list")
    assert (ran.code, ran.err) == (
        1, "gm: There is no config.toml; `gm init` writes one, `--config FILE` or $GM_CONFIG names another.\n"
    )  # fmt: skip
    monkeypatch.setenv("GM_CONFIG", str(gm.config))
    assert gm.run("list").code == 0


def test_config_with_faults(gm):
    """Every fault of a config is told at once, one a line, without any password."""
    gm.config.write_text(
        gm.config.read_text().replace("idle = false", 'idle = "perhaps"\nport = 70000').replace("[smtp]", "[smtq]")
    )
    ran = gm.run("list", "--config", str(gm.config))
    assert ran.code == 1
    lines = ran.err.splitlines()
    assert any("imap.idle" in line for line in lines)
    assert any("imap.port = 70000" in line for line in lines)
    assert any("[smtq]" in line and "is smtp meant?" in line for line in lines)
    assert PASSWORD not in ran.err
    assert "Traceback" not in ran.err


@pytest.mark.parametrize("content", [b"\xff\xfe", b"[service", b"name = ", '[service]\nname = "ü'.encode("latin-1")])
def test_config_that_is_no_toml(content, gm):
    """A file that is no TOML is refused with the place."""
    gm.config.write_bytes(content)
    assert "config.toml" in gm.refused("list")


def test_config_that_is_a_folder(gm, tmp_path):
    """A folder is no config."""
    ran = gm.run("list", "--config", str(tmp_path))
    assert ran.code == 1
    assert "can't be read" in ran.err


@pytest.mark.sqlite
def test_database_that_is_a_text(gm):
    """A text file where the database should be is left alone."""
    file = gm.config.parent / "gm.db"
    file.write_text("Dies ist keine Datenbank, sondern ein langer Text. " * 40)
    assert "the file is something else; check [database] url" in gm.refused("list")
    assert file.read_text().startswith("Dies ist keine Datenbank")


@pytest.mark.sqlite
def test_database_in_a_missing_folder(make_shell):
    """A folder that isn't there is named, also where a new zine is to begin."""
    gm = make_shell(database={"url": "sqlite:///nowhere/gm.db"})
    assert "There is no database" in gm.refused("list")
    assert "check the path and the rights of its folder" in gm.refused("new", "crossword", "Eriwan")


def test_locked_database(running, monkeypatch):
    """A database that stays locked gives a sentence with a remedy."""
    monkeypatch.setitem(open_app.__kwdefaults__, "lock_seconds", 0.2)
    let_go = databases.CHOSEN.hold(running.config.parent)
    try:
        assert "another process has held it" in running.refused("zat", "Eriwan", "+1d")
    finally:
        let_go()


def test_database_with_a_password(make_shell):
    """A database server's password is never printed."""
    gm = make_shell(database={"url": f"postgresql+psycopg://gm:{PASSWORD}@127.0.0.1:9/gm"})
    ran = gm.run("list", "--config", str(gm.config))
    assert ran.code == 1
    assert PASSWORD not in ran.out + ran.err
