"""`gm demo`: what a newcomer sees first."""

import itertools
import json
import re
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from waiting import TIMEOUT

from games import engines
from gm.cli import main
from gm.demo.scripted_game import is_scripted
from parsers.mime.message import read_mail

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
        "GM: gm release Eriwan --foreword -",
        "GM: gm rule Eriwan reject TEEBAR",
        "GM: gm new crossword Jalta",
        "Subject: [Eriwan] Endstand: Emil schlägt Frida mit 101:100",
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
    assert "Anmeldung Crossword Jalta" in (folder / "archive/partien/jalta/index.html").read_text(encoding="utf-8")
    mails = [read_mail(path.read_bytes()) for path in sorted(folder.glob("mail/anna*/INBOX/*.eml"))]
    assert len(mails) >= 14
    closings = [closed[1] for mail in mails if (closed := re.search(r"Bulletin [1-6], (\d\d\.\d\d\.\d{4})", mail.text))]
    days = sorted(datetime.strptime(day, "%d.%m.%Y").replace(tzinfo=UTC) for day in set(closings))
    assert len(days) == 6
    assert {later - day for day, later in itertools.pairwise(days)} == {timedelta(days=14)}
    assert timedelta(0) < datetime.now(UTC) - days[-1] < timedelta(days=15)
    told = " ".join(" ".join(mail.text for mail in mails).split())
    assert "Emil, schon wieder" not in told
    for written in ("Frida, schon wieder die Erste", "Doch, Emil.", "Die erste Runde ist da", "eine schöne Partie"):
        assert written in told


@pytest.mark.trust
@pytest.mark.slow
@pytest.mark.parametrize("key", [key for key in engines() if not is_scripted(key)])
def test_demo_of_every_game(key: str, tmp_path: Path, here: Callable[..., str]) -> None:
    """Sign-up, an illegal move answered, an NMR, the end: finished, everybody ranked, and the record replays."""
    folder = tmp_path / "demo"
    told = here("demo", key, "--fast", "--keep", folder)
    missed = () if key == "presto" else ("(NMR)",)  # a race, which ends before anybody's time is over
    for scene in ("have signed up and confirmed", "NICHT angenommen", *missed, "Eriwan: as recorded"):
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
