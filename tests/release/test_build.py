"""A release is the same bytes wherever it is built, and holds what somebody needs to build and test it again."""

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
from hashlib import sha256
from importlib import metadata
from pathlib import Path

import pytest
from waiting import TIMEOUT

from release.build import ROOT, build, time_of

pytestmark = [pytest.mark.slow, pytest.mark.sqlite]

AT = 1_700_000_000
ELSEWHERE = {"TZ": "Asia/Tokyo", "LC_ALL": "C", "PYTHONHASHSEED": "7", "SOURCE_DATE_EPOCH": ""}


def sums(folder: Path) -> dict[str, str]:
    """The checksum of each file of a folder."""
    return {path.name: sha256(path.read_bytes()).hexdigest() for path in sorted(folder.iterdir())}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Wheel and sdist of what is here, as if it had been committed at some time."""
    folder = tmp_path_factory.mktemp("dist")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SOURCE_DATE_EPOCH", str(AT))
        build(folder)
    return folder


@pytest.fixture(scope="module")
def unpacked(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sdist, unpacked."""
    folder = tmp_path_factory.mktemp("unpacked")
    with tarfile.open(next(built.glob("*.tar.gz"))) as archive:
        archive.extractall(folder, filter="data")
    return next(folder.iterdir())


@pytest.mark.trust
def test_the_same_bytes_everywhere(built: Path, unpacked: Path, tmp_path: Path) -> None:
    """The sdist, built in its own folder with another umask, hour, time zone and language, gives itself and the wheel.

    Files lie in another order there, and are newer. Nobody says the time: PKG-INFO has it.
    """
    there = tmp_path / "somewhere else"
    for path in sorted(unpacked.rglob("*"), reverse=True):
        copy = there / path.relative_to(unpacked)
        if path.is_file():
            copy.parent.mkdir(parents=True, exist_ok=True)
            (shutil.copy2 if path.name == "PKG-INFO" else shutil.copyfile)(path, copy)
            copy.chmod(0o700 if path.stat().st_mode & 0o100 else 0o600)
    code = f"import os, release.build as r; os.umask(0o077); r.build(r.Path({str(tmp_path / 'dist')!r}))"
    environment = {**os.environ, **ELSEWHERE, "PYTHONPATH": str(there / ".ci")}
    subprocess.run((sys.executable, "-c", code), cwd=there, env=environment, check=True, timeout=TIMEOUT)
    assert sums(tmp_path / "dist") == sums(built)
    assert len(sums(built)) == 2


@pytest.mark.trust
def test_the_sdist_is_the_repository(unpacked: Path) -> None:
    """What is needed to check, test and release it again is inside: all files of the repository, and nothing else."""
    listed = subprocess.run(
        ("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"), cwd=ROOT, capture_output=True,
        text=True,
    )  # fmt: skip
    if listed.returncode:
        pytest.skip("not a git checkout")
    held = {path.relative_to(unpacked).as_posix() for path in unpacked.rglob("*") if path.is_file()}
    assert held - {"PKG-INFO"} == {name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()}


@pytest.mark.parametrize(("said", "meant"), [(str(AT), AT), ("", AT + 5)], ids=["is said", "of the sdist"])
def test_the_time(said: str, meant: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SOURCE_DATE_EPOCH has the word; without it and without git an unpacked sdist knows its time."""
    (tmp_path / "PKG-INFO").touch()
    os.utime(tmp_path / "PKG-INFO", (AT + 5, AT + 5))
    monkeypatch.setenv("SOURCE_DATE_EPOCH", said)
    assert time_of(tmp_path) == meant


def test_the_version_is_the_same_everywhere() -> None:
    """pyproject.toml has it; what is installed, the newest in the changelog and the pages that name it say the same."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    assert metadata.version("postal-gm") == version, "make install"
    assert (
        re.findall(r"^## \[(\d.*)\]", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)[0] == version
    )
    named = re.findall(r"postal_gm-([\d.]+)-py3|^gm (\d[\d.]+)", (ROOT / "docs/install.md").read_text(), re.MULTILINE)
    assert len(named) > 2
    assert {one or other for one, other in named} == {version}
