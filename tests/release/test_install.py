"""The wheel, installed by pipx as docs/install.md says, for somebody who has nothing but Python.

It needs a package index, so it runs by hand before a release: `pytest --full-length tests/release/test_install.py`.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from waiting import TIMEOUT

from release.build import ROOT, build
from release.locks import constraints

pytestmark = [pytest.mark.slow, pytest.mark.sqlite, pytest.mark.extra("--full-length")]


def test_pipx_installs_what_was_tested(tmp_path: Path) -> None:
    """The line of docs/install.md gives a `gm` that plays a game, with the versions of the lock and no others."""
    build(tmp_path, "wheel")
    (tmp_path / "constraints.txt").write_text(constraints(ROOT / "requirements-dev.lock"), encoding="utf-8")
    (line,) = re.findall(r"^pipx install --pip-args.*", (ROOT / "docs/install.md").read_text(), re.MULTILINE)
    home = {name: str(tmp_path / name) for name in ("PIPX_HOME", "PIPX_BIN_DIR", "PIPX_MAN_DIR")}
    path = f"{tmp_path / 'boot/bin'}:{tmp_path / 'PIPX_BIN_DIR'}:{os.environ['PATH']}"
    bare = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "GM_", "VIRTUAL_"))}

    def types(command: str) -> str:
        ran = subprocess.run(
            ("sh", "-ec", command), cwd=tmp_path, env={**bare, **home, "PATH": path}, capture_output=True, text=True,
            timeout=TIMEOUT,
        )  # fmt: skip
        assert ran.returncode == 0, f"{command}\n{ran.stdout}{ran.stderr}"
        return ran.stdout

    types(f"{sys.executable} -m venv boot; pip install --quiet pipx")
    types(line)
    assert types("gm --version").startswith(f"gm {line.split('-py3')[0].split('postal_gm-')[1]} ")
    types("gm demo --fast --keep demo")
    assert '"finished"' in types("gm list --json --config demo/config.toml")
    installed = types("pipx runpip postal-gm freeze").splitlines()
    pinned = {one.split(" ;")[0] for one in (tmp_path / "constraints.txt").read_text().splitlines()}
    assert {one for one in installed if "==" in one and one.lower().replace("_", "-") not in pinned} == set()
