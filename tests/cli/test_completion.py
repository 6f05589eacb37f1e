"""Shell completion: what is offered at <Tab>, requested as the shells do."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from gm.demo.in_memory_zine import PLAYERS, address_of
from gm.requests.desk import actions

pytestmark = pytest.mark.trust

PROGRAM = Path(sys.executable).with_name("gm")


@pytest.fixture
def ask(gm, monkeypatch) -> Any:
    """Ask for completions of a line as bash does; the last word is the one that is being written."""
    monkeypatch.setenv("GM_CONFIG", str(gm.config))

    def offers(*words: str) -> list[str]:
        monkeypatch.setenv("_GM_COMPLETE", "complete_bash")
        monkeypatch.setenv("COMP_WORDS", "\n".join(("gm", *words)))
        monkeypatch.setenv("COMP_CWORD", str(len(words)))
        ran = gm.run()
        monkeypatch.delenv("_GM_COMPLETE")
        assert (ran.code, ran.err) == (0, "")
        return [line for line in ran.out.splitlines() if line]

    return offers


@pytest.fixture
def zine(gm, running) -> Any:
    """Eriwan is running, Havanna is open with Anna, Tiflis is broken off."""
    with running.app() as app:
        for name in ("Havanna", "Tiflis"):
            actions.new_game(app, "crossword", name)
        actions.join(app, "Havanna", PLAYERS[0], address_of(PLAYERS[0]), None)
        actions.abort(app, "Tiflis", "niemand da")
        actions.add_standby(app, "Gerda Hahn", "gerda@spieler.example", None)
    return running


def test_commands_and_options(ask):
    """Commands, their groups and options are offered."""
    assert ask("verif") == ["verify"]
    assert {"add", "list", "remove"} <= set(ask("standbys", ""))
    assert "--dry-run" in ask("close", "--")


def test_games(ask, zine):
    """The names of games are offered, the newest first."""
    assert ask("show", "") == ask("close", "") == ["Tiflis", "Havanna", "Eriwan"]
    assert ask("show", "E") == ["Eriwan"]
    assert ask("verify", "T") == ask("rulings", "T") == ["Tiflis"]
    assert ask("new", "crossword", "") == []


def test_players(ask, zine):
    """The names of players are offered, quoted for bash; a forgotten one isn't."""
    assert ask("move", "Eriwan", "Be") == ["Bernd\\ Cordes"]
    assert ask("move", "Eriwan", "Bernd\\ C") == ["Bernd\\ Cordes"]
    assert ask("move", "Eriwan", '"Bernd C') == ["Bernd Cordes"]
    assert ask("standby", "Eriwan", "Frida\\ Groß", "G") == ["Gerda\\ Hahn"]
    assert ask("player", "forget", "Ge") == ["Gerda\\ Hahn"]
    zine("player", "forget", "Gerda Hahn", "--yes")
    assert len(ask("player", "show", "")) == 6


def test_the_config_that_is_named(ask, zine, monkeypatch, tmp_path):
    """A config named before counts more than the usual one."""
    monkeypatch.setenv("GM_CONFIG", str(tmp_path / "nowhere.toml"))
    assert ask("show", "--config", str(zine.config), "E") == ["Eriwan"]
    assert ask("show", "E") == []


def test_names_that_a_shell_would_run(ask, gm):
    """A player can't have the GM's shell do something: strange names aren't offered."""
    strange = ("$(touch x)", "`id`", "a;b", "-rf", "x\\$(id)", "O'Neil", "a*", "Ida Jung-Voß")
    with gm.app() as app:
        for number, name in enumerate(strange):
            actions.add_standby(app, name, f"p{number}@spieler.example", None)
    assert ask("standbys", "remove", "") == ["Ida\\ Jung-Voß"]


@pytest.mark.parametrize("fault", ["missing", "broken", "no database", "no sqlite", "other server"])
def test_whatever_is_wrong(fault, ask, gm):
    """Without a config or a database nothing is offered, nothing is said and nothing is created."""
    database = gm.config.with_name("gm.db")
    if fault == "missing":
        gm.config.unlink()
    elif fault == "no database":
        database.unlink(missing_ok=True)
    elif fault == "broken":
        gm.config.write_text("[service")
    elif fault == "no sqlite":
        database.write_text("Dies ist keine Datenbank. " * 99)
    elif fault == "other server":
        gm.config.write_text(gm.config.read_text().replace("sqlite:///gm.db", "postgresql+psycopg://gm@127.0.0.1:9/x"))
    before = sorted(gm.config.parent.iterdir())
    assert ask("show", "E") == ask("move", "Eriwan", "") == []
    assert sorted(gm.config.parent.iterdir()) == before


def test_it_is_quick(zine):
    """SQLAlchemy isn't loaded for a key press."""
    code = (
        "import sys\nfrom gm.cli import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "print(sorted({'sqlmodel', 'sqlalchemy', 'jinja2', 'rich.table', 'imapclient'} & set(sys.modules)))"
    )
    words = {"_GM_COMPLETE": "complete_bash", "COMP_WORDS": "gm\nshow\nE", "COMP_CWORD": "2"}
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, **words, "GM_CONFIG": str(zine.config)}, capture_output=True,
        text=True, check=True,
    )  # fmt: skip
    assert done.stdout.splitlines() == ["Eriwan", "[]"]


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_ask_in_their_way(shell, zine, gm, monkeypatch):
    """zsh and fish get their own form, with names as they are: they quote themselves."""
    monkeypatch.setenv("GM_CONFIG", str(gm.config))
    monkeypatch.setenv("_GM_COMPLETE", f"complete_{shell}")
    monkeypatch.setenv("_TYPER_COMPLETE_ARGS", "gm move Eriwan Be")
    monkeypatch.setenv("_TYPER_COMPLETE_FISH_ACTION", "get-args")
    out = gm.run().out.strip()
    assert out == {"zsh": "_arguments '*: :((\"Bernd Cordes\"))'", "fish": "Bernd Cordes"}[shell]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_for_a_shell(shell, tmp_path):
    """`gm --show-completion` and `--install-completion` find out which shell calls them."""
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("bash is not installed")
    caller = tmp_path / shell
    shutil.copyfile(bash, caller)  # whatever it is, it is called like this
    caller.chmod(0o755)
    for option in ("--show-completion", "--install-completion"):
        ran = subprocess.run(
            [caller, "-c", f"'{PROGRAM}' {option}; true"], env={**os.environ, "HOME": str(tmp_path)},
            capture_output=True, text=True,
        )  # fmt: skip
        assert ran.stderr == ""
        assert shell in ran.stdout
    written = [path for path in tmp_path.rglob("*") if path.is_file() and path != caller]
    assert any("_GM_COMPLETE=complete_" + shell in path.read_text() for path in written)


def test_bash_itself(zine, tmp_path):
    """What bash makes of it can be typed in as it stands."""
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("bash is not installed")
    script = (
        f'source <("{PROGRAM}" --show-completion)\nCOMP_WORDS=(gm move Eriwan Be)\nCOMP_CWORD=3\n'
        f'_gm_completion "{PROGRAM}"\nprintf "%s\\n" "${{COMPREPLY[@]}}"'
    )
    ran = subprocess.run(
        [bash, "-c", script], env={**os.environ, "GM_CONFIG": str(zine.config)}, capture_output=True, text=True
    )
    assert (ran.stdout, ran.stderr) == ("Bernd\\ Cordes\n", "")
