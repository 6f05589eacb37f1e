"""`gm demo`: what a newcomer sees first."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from waiting import TIMEOUT

from games import engines
from games.optional_parts import ShowsFaults
from gm.cli import main

GM = str(Path(sys.executable).with_name("gm"))


def gm(*arguments: object) -> str:
    """Run gm and show what it said if it fails."""
    ran = subprocess.run([GM, *map(str, arguments)], capture_output=True, text=True, timeout=5 * TIMEOUT)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


@pytest.fixture
def here(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Run gm in this process, which needs no second to start."""

    def run(*arguments: object) -> str:
        monkeypatch.setattr(sys, "argv", ["gm", *map(str, arguments)])
        code: object = 0
        try:
            main()
        except SystemExit as end:
            code = end.code
        told = capsys.readouterr()
        assert not code, told.out + told.err
        return told.out

    return run


@pytest.mark.trust(except_first=1)
@pytest.mark.slow
@pytest.mark.parametrize("pace", [["--fast"], []], ids=["fast", "unhurried"])
def test_demo_tells_the_whole_story(pace: list[str], tmp_path: Path, here: Callable[..., str]) -> None:
    """Sign-up, an illegal move answered, one replaced, an NMR, a standby, a ruling, final scores, a replay."""
    folder = tmp_path / "demo"
    told = gm("demo", *pace, "--keep", folder)
    for scene in (
        "have signed up and confirmed",
        "sends an illegal move and is told: Feld ",
        "thinks again and replaces the move",
        "NMR: Dora Ems",
        'GM: gm standby Eriwan "Dora Ems"',
        "Round 6 of 6 is closed",
        "GM: gm rule Eriwan reject ",
        "Subject: [Eriwan] Endstand: ",
        "gestrichen: vom GM gestrichen. Ersatzwort ",
        "Eriwan: as recorded",
        f"Config:    {folder / 'config.toml'}",
    ):
        assert scene in told
    game = json.loads(here("show", "Eriwan", "--json", "--config", folder / "config.toml"))
    assert game["status"] == "finished"
    assert game["standings"][0]["rank"] == 1
    assert game["seats"][3]["history"] == ["Dora Ems", "Gerda Hahn"]
    assert game["seats"][3]["nmr"] == [4]
    assert "as recorded" in here("verify", "--config", folder / "config.toml")
    page = (folder / "archive/partien/eriwan/index.html").read_text(encoding="utf-8")
    assert "Endstand" in page
    assert "vorläufig" not in page
    assert len(list(folder.glob("mail/anna*/INBOX/*.eml"))) >= 14


@pytest.mark.trust
@pytest.mark.slow
@pytest.mark.parametrize("key", [key for key, engine in engines().items() if not isinstance(engine, ShowsFaults)])
def test_demo_of_every_game(key: str, tmp_path: Path, here: Callable[..., str]) -> None:
    """Sign-up, an illegal move answered, an NMR, the end: finished, everybody ranked, and the record replays."""
    folder = tmp_path / "demo"
    told = here("demo", key, "--fast", "--keep", folder)
    for scene in ("have signed up and confirmed", "NICHT angenommen", "(NMR)", "Eriwan: as recorded"):
        assert scene in told
    game = json.loads(here("show", "Eriwan", "--json", "--config", folder / "config.toml"))
    assert (game["game"], game["status"]) == (key, "finished")
    assert sorted(one["player"] for one in game["standings"]) == sorted(seat["player"] for seat in game["seats"])
    assert "as recorded" in here("verify", "--config", folder / "config.toml")


@pytest.mark.slow
def test_demo_keeps_what_is_there(tmp_path: Path) -> None:
    """A folder with something in it is left alone, and one sentence says so."""
    (tmp_path / "precious").write_text("x")
    ran = subprocess.run([GM, "demo", "--keep", str(tmp_path)], capture_output=True, text=True, timeout=5 * TIMEOUT)
    assert ran.returncode == 1
    assert re.fullmatch(r"gm: .* isn't empty; name a new folder\.\n", ran.stderr)
