"""The tenth game: what CONTRIBUTING tells to write is a package of its own that `gm` finds and plays."""

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from waiting import TIMEOUT

PAGE = Path(__file__).parent.parent / "CONTRIBUTING.md"
FILE = re.compile(r"^\*\*(?P<path>[\w./\\]+)\*\*\n```\w+\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


def files() -> dict[str, str]:
    """The files of the walk-through, each by its name."""
    chapter = PAGE.read_text(encoding="utf-8").partition("## A new game\n")[2].partition("\n## ")[0]
    found = FILE.finditer(chapter)
    return {one["path"].replace("\\", ""): one["text"] for one in found}


def run(*arguments: str | Path, cwd: Path, path: Path) -> str:
    """Run Python with one more folder on its path, and show what it said if it fails."""
    command = [sys.executable, *map(str, arguments)]
    environment = {**os.environ, "PYTHONPATH": str(path)}
    ran = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=5 * TIMEOUT)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what the walk-through tells to write."""
    folder = tmp_path_factory.mktemp("seeschlacht")
    for path, text in files().items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def installed(written: Path) -> Path:
    """A folder with the package as it is installed: its wheel, built without network and unpacked."""
    run("-m", "hatchling", "build", "-t", "wheel", "-d", "dist", cwd=written, path=written)
    with zipfile.ZipFile(next(written.glob("dist/*.whl"))) as wheel:
        wheel.extractall(written / "installed")
    return written / "installed"


def test_the_walk_through_is_short() -> None:
    """A game with rounds, a secret, a grid and a move that waits has about 120 lines of Python, without blank ones."""
    assert set(files()) == {
        "pyproject.toml", "seeschlacht/__init__.py", "seeschlacht/rules.py", "seeschlacht/words.de.toml",
        "seeschlacht/words.en.toml", "seeschlacht/README.md", "seeschlacht/README.en.md", "test_seeschlacht.py",
    }  # fmt: skip
    game = {path: text.splitlines() for path, text in files().items() if path.startswith("seeschlacht/")}
    code = [line for path, lines in game.items() for line in lines if path.endswith(".py") and line.strip()]
    assert len(code) <= 125
    assert max(len(line) for lines in game.values() for line in lines) <= 120


@pytest.mark.trust
@pytest.mark.slow
def test_the_game_of_the_walk_through_keeps_the_contract(written: Path, installed: Path) -> None:
    """Its own test, in which `games.kit` checks it, is green away from this repository."""
    told = run("-m", "pytest", "-q", "-p", "no:cacheprovider", "test_seeschlacht.py", cwd=written, path=installed)
    assert re.search(r"\d\d passed", told)


@pytest.mark.trust
@pytest.mark.slow
def test_the_game_of_the_walk_through_is_played_by_mail(installed: Path, tmp_path: Path) -> None:
    """`gm demo` finds the installed package and plays it to its end; its rules are a page of the archive."""
    told = run("-m", "gm", "demo", "seeschlacht", "--fast", "--keep", tmp_path / "demo", cwd=tmp_path, path=installed)
    for scene in (
        "Seeschlacht »Eriwan« by mail",
        "have signed up",
        "NICHT angenommen",
        "(NMR)",
        "Endstand",
        "as recorded",
    ):
        assert scene in told
    assert "drei Schiffe" in (tmp_path / "demo/archive/spiele/seeschlacht/index.html").read_text(encoding="utf-8")
