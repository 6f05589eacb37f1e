"""The wheel holds all that gm needs, the locks hold all that it depends on, and neither names a private place."""

import json
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from contextlib import suppress
from importlib import metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LOCKS = ("requirements.lock", "requirements-dev.lock")

INDEX_HOSTS = tuple(f"{name}.org" for name in ("pypi", "pythonhosted"))
PRIVATE_PATH = re.compile(r"(?<![\w.~:/-])/(?:work|root)(?![\w-])")


def run(*command: str | Path, cwd: Path) -> str:
    """Run a command away from the repo's own environment, and show what it said if it fails."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "GM_", "VIRTUAL_"))}
    ran = subprocess.run([*map(str, command)], cwd=cwd, env=environment, capture_output=True, text=True, timeout=600)
    assert ran.returncode == 0, f"{' '.join(map(str, command))} ended with {ran.returncode}:\n{ran.stdout}{ran.stderr}"
    return ran.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built without network by the hatchling of the lock file."""
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder, cwd=ROOT)
    return next(folder.glob("*.whl"))


def data_files() -> set[str]:
    """Everything below the packages that isn't a Python module: templates, rules for players, lists, migrations."""
    packages = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"][
        "packages"
    ]
    paths = [path for package in packages for path in (ROOT / package).rglob("*") if path.is_file()]
    return {path.relative_to(ROOT).as_posix() for path in paths if "__pycache__" not in path.parts}


@pytest.mark.slow
def test_wheel_is_complete(wheel: Path) -> None:
    """Every template, game, word list and migration is inside, and no test."""
    held = set(zipfile.ZipFile(wheel).namelist())
    assert data_files() - held == set()
    for needed in (
        "gm/lexicon/two_letter.csv",
        "gm/lexicon/sources.csv",
        "gm/demo/known_words.txt",
        "gm/lexicon/german.words",
        "gm/config.example.toml",
        "gm/store/migrations/env.py",
    ):
        assert needed in held
    assert not [name for name in held if name.startswith(("tests/", "bench"))]


@pytest.mark.trust
@pytest.mark.slow
def test_wheel_plays_a_game(wheel: Path, tmp_path: Path) -> None:
    """In an empty environment, with nothing but the locked dependencies, `gm demo` plays a whole game.

    `gm archive` makes the pages that the demo has made: templates, stylesheet and pictures are in the wheel.
    """
    run(sys.executable, "-m", "venv", "--without-pip", tmp_path / "venv", cwd=tmp_path)
    _lend_locked_packages(next((tmp_path / "venv/lib").glob("python*/site-packages")))
    pip = (sys.executable, "-m", "pip", "--python", tmp_path / "venv/bin/python", "install", "--quiet", "--no-compile",
           "--disable-pip-version-check")  # fmt: skip
    run(*pip, "--no-deps", "--no-index", wheel, cwd=tmp_path)
    run(tmp_path / "venv/bin/gm", "demo", "--fast", "--keep", tmp_path / "demo", cwd=tmp_path)
    command = (tmp_path / "venv/bin/gm", "show", "Eriwan", "--json", "--config", tmp_path / "demo/config.toml")
    shown = json.loads(run(*command, cwd=tmp_path))
    assert shown["status"] == "finished"
    assert len(shown["standings"]) == 6
    assert list((tmp_path / "demo/mail").glob("*/INBOX/*.eml"))
    site = tmp_path / "site"
    run(tmp_path / "venv/bin/gm", "archive", site, "--config", tmp_path / "demo/config.toml", cwd=tmp_path)
    for path in ("index.html", "style.css", "icon.svg", "atom.xml", "partien/eriwan/index.html"):
        assert (site / path).read_bytes() == (tmp_path / "demo/archive" / path).read_bytes(), path


def _lend_locked_packages(folder: Path) -> None:
    """Link the packages of requirements.lock, and no others, from here: `make install` has just proven the hashes."""
    for name in _pinned("requirements.lock"):
        with suppress(metadata.PackageNotFoundError):  # one for another platform
            distribution = metadata.distribution(name)
            for file in distribution.files or ():
                if ".." not in file.parts:  # a command
                    (folder / file).parent.mkdir(parents=True, exist_ok=True)
                    (folder / file).symlink_to(Path(str(distribution.locate_file(file))))


@pytest.mark.parametrize("lock", LOCKS)
def test_lock_names_no_host(lock: str) -> None:
    """A lock holds names, versions and hashes: where packages come from is the reader's choice."""
    text = (ROOT / lock).read_text(encoding="utf-8")
    assert not re.search(r"://|--(index|extra|find|trusted)", text)


def test_lock_holds_every_dependency() -> None:
    """What pyproject.toml asks for is pinned: for the service in one lock, for development in the other."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    needed = {"requirements.lock": names(project["project"]["dependencies"])}
    needed["requirements-dev.lock"] = needed["requirements.lock"] | names(project["dependency-groups"]["dev"])
    for lock, dependencies in needed.items():
        assert dependencies - _pinned(lock) == set(), f"missing in {lock}: make lock"


def _pinned(lock: str) -> set[str]:
    return names(re.findall(r"^[\w.\[\]-]+==", (ROOT / lock).read_text(encoding="utf-8"), re.MULTILINE))


def names(requirements: list[str]) -> set[str]:
    """The normal names of some requirements."""
    return {re.sub(r"[-_.]+", "-", re.split(r"[\s\[<>=!~;]", one)[0]).lower() for one in requirements}


def test_no_file_names_a_private_place() -> None:
    """No file of the repo names a package index or a path of the machine it was written on."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    if listed.returncode:
        pytest.skip("not a git checkout")
    found = [
        name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file() and _is_private(ROOT / name)
    ]
    assert found == []


def _is_private(path: Path) -> bool:
    text = path.read_text(encoding="utf-8", errors="ignore")
    return any(host in text for host in INDEX_HOSTS) or bool(PRIVATE_PATH.search(text))
