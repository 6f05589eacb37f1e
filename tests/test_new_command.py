"""A new command: what CONTRIBUTING tells to write works in a copy of the project, and needs nothing else."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from waiting import TIMEOUT

ROOT = Path(__file__).parent.parent
PIECE = re.compile(
    r"^\*\*(?P<path>[\w./\\]+)\*\*(?: (?P<where>at its end|above|below)(?: `(?P<line>[^`]+)`)?)?\n"
    r"```\w+\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
COPIED = ("gm", "parsers", "games", "templates", "tests", "docs", ".ci")
ALSO = ["tests/requests/test_declared.py", "tests/requests/test_player_data.py", "tests/requests/test_forgetting.py",
        "tests/requests/test_merging.py", "tests/store/test_store.py"]  # fmt: skip
"""What keeps a command's words, and a table's rows, in order."""


def pieces(heading: str) -> list[re.Match[str]]:
    """What a chapter tells to write."""
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    return list(PIECE.finditer(page.partition(f"## {heading}\n")[2].partition("\n## ")[0]))


def put(folder: Path, piece: re.Match[str]) -> None:
    """Write a new file, or put a piece into one."""
    path, text = folder / piece["path"].replace("\\", ""), piece["text"]
    path.parent.mkdir(parents=True, exist_ok=True)
    if piece["where"] is None:
        assert not path.exists(), path
        path.write_text(text, encoding="utf-8")
        return
    before = path.read_text(encoding="utf-8")
    if piece["where"] == "at its end":
        path.write_text(before + text, encoding="utf-8")
        return
    lines = before.splitlines(keepends=True)
    at = next(number for number, line in enumerate(lines) if line.strip().startswith(piece["line"].strip()))
    lines.insert(at + (piece["where"] == "below"), text)
    path.write_text("".join(lines), encoding="utf-8")


def passes(folder: Path, files: Sequence[str]) -> None:
    """Run tests of the copy."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *files]
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    ran = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=5 * TIMEOUT)
    assert ran.returncode == 0, ran.stdout[-4000:] + ran.stderr[-2000:]


@pytest.mark.trust
@pytest.mark.slow
@pytest.mark.parametrize(
    ("heading", "test", "also"),
    [
        ("A new command by mail", "tests/requests/test_notes.py", ALSO),
        ("A new command at the line", "tests/cli/test_remind.py", []),
    ],
    ids=["mail", "line"],
)
def test_the_walk_through_works(tmp_path: Path, heading: str, test: str, also: list[str]) -> None:
    """Its own test is green in a copy, and so is what keeps words and tables in order."""
    left_out = shutil.ignore_patterns("__pycache__", "golden")
    for name in COPIED:
        shutil.copytree(ROOT / name, tmp_path / name, ignore=left_out)
    for name in ("pyproject.toml", "CONTRIBUTING.md", "README.md", "config.example.toml"):
        shutil.copy(ROOT / name, tmp_path / name)
    for piece in pieces(heading):
        put(tmp_path, piece)
    passes(tmp_path, [test, *also])


def test_a_new_command_touches_no_list() -> None:
    """By mail it is a handler, catalogues, a template, a table and a test; no other Python (simpler.md, B6)."""
    touched = {piece["path"].replace("\\", "") for piece in pieces("A new command by mail")}
    assert {path for path in touched if path.endswith(".py")} == {
        "gm/requests/notes.py", "gm/store/tables.py", "gm/store/migrations/versions/0001_the_first_schema.py",
        "tests/requests/test_notes.py",
    }  # fmt: skip
