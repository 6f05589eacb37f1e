"""Builds the wheel and the sdist into a folder: the same bytes wherever and whenever the same files are built.

`make release` calls it, and puts `constraints.txt` beside them, the versions to install it with. The time in both is
that of the last commit; an unpacked sdist has it from its PKG-INFO.
"""

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

from release.locks import constraints

ROOT: Final = Path(__file__).parents[2]


def build(folder: Path, *targets: str, root: Path = ROOT) -> None:
    """Let hatchling build the wheel and the sdist, or one of them, without network. Ends with its words if it fails."""
    chosen = [word for target in targets or ("wheel", "sdist") for word in ("-t", target)]
    command = (sys.executable, "-m", "hatchling", "build", "-d", str(folder.resolve()), *chosen)
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(time_of(root))}
    ran = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True)
    if ran.returncode:
        sys.exit(ran.stderr)


def time_of(root: Path) -> int:
    """Give the seconds since 1970 that all files get: SOURCE_DATE_EPOCH, else the last commit, else the sdist's."""
    if given := os.environ.get("SOURCE_DATE_EPOCH"):
        return int(given)
    if (root / ".git").exists():
        return int(_git(root, "log", "-1", "--format=%ct"))
    return int((root / "PKG-INFO").stat().st_mtime)


def refuse_changes(root: Path) -> None:
    """End with a sentence where files differ from the last commit: nobody else could build the same."""
    if (root / ".git").exists() and (changed := _git(root, "status", "--porcelain")):
        sys.exit(f"Commit these first, or take them away; a release holds what is committed:\n{changed}")


def _git(root: Path, *words: str) -> str:
    return subprocess.run(("git", *words), cwd=root, check=True, capture_output=True, text=True).stdout.rstrip()


def main(folder: Path) -> None:
    """Build both into a folder, with the versions that they were tested with, and say what is there."""
    refuse_changes(ROOT)
    build(folder)
    # The lock of development has the extras too; what isn't asked for isn't installed.
    (folder / "constraints.txt").write_text(constraints(ROOT / "requirements-dev.lock"), encoding="utf-8")
    for file in sorted(folder.iterdir()):
        print(f"{file}: {file.stat().st_size:,} bytes")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
