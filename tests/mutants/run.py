"""`make mutants`: does a test fail for each small fault that is planted into the rules?

A copy of the project gets one fault at a time, and then the tests of that module run (`sample.toml`). A fault that no
test finds must stand in `equivalent.toml`, with the reason why it changes nothing; and what stands there must be so.
"""

import argparse
import shutil
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from faults import Fault, can_be_made, sampled
from project_copy import ProjectCopy

HERE = Path(__file__).parent
SKIPPED = (".git", ".venv", ".*_cache", ".hypothesis", "dist")
PATIENCE, LEAST = 8, 60
"""So many times as long as without a fault a test may take, and at least so many seconds: one that hangs is found."""


@dataclass(frozen=True, kw_only=True)
class Target:
    """Some modules, their tests, and how many faults they get."""

    modules: tuple[str, ...]
    tests: tuple[str, ...]
    faults: int


def targets(root: Path) -> list[Target]:
    """Read what is sampled. A folder stands for its modules. Raises ValueError for what isn't there."""
    read = []
    for table in tomllib.loads((root / "tests/mutants/sample.toml").read_text("utf-8"))["target"]:
        modules: list[str] = []
        for name in table["modules"]:
            path = root / name
            found = sorted(path.glob("*.py")) if path.is_dir() else [path]
            modules += [one.relative_to(root).as_posix() for one in found if one.name != "__init__.py" or one == path]
        named = [*modules, *(test.partition("::")[0] for test in table["tests"])]
        if missing := [name for name in named if not (root / name).exists()]:
            raise ValueError(f"sample.toml names {', '.join(missing)}, which isn't there")
        read.append(Target(modules=tuple(modules), tests=tuple(table["tests"]), faults=table["faults"]))
    return read


def equivalents(root: Path) -> set[tuple[str, str, str, str]]:
    """Read which faults change nothing. Raises ValueError for one that can't be made any more, or has no reason."""
    listed = tomllib.loads((root / "tests/mutants/equivalent.toml").read_text("utf-8")).get("fault", [])
    names = set()
    for fault in listed:
        name = (fault["module"], fault["within"], fault["was"], fault["becomes"])
        path = root / fault["module"]
        if not path.exists() or not can_be_made(name, path.read_text("utf-8")):
            raise ValueError(f"equivalent.toml has a fault that isn't one any more:\n{fault}")
        if len(fault["reason"].split()) < 3:
            raise ValueError(f"equivalent.toml doesn't say why this changes nothing:\n{fault}")
        names.add(name)
    return names


def tried(project_copy: ProjectCopy, target: Target, seed: int) -> Iterator[tuple[Fault, bool]]:
    """Plant the faults of a target, one at a time, and say of each whether a test finds it.

    Raises ValueError: tests fail without any fault.
    """
    sources = {module: (project_copy.root / module).read_text("utf-8") for module in target.modules}
    began = time.monotonic()
    if not project_copy.passes(target.tests, seconds=3600):
        raise ValueError(f"without any fault these fail: {' '.join(target.tests)}")
    limit = max(LEAST, PATIENCE * (time.monotonic() - began))
    for fault in sampled(sources, target.faults, seed):
        yield fault, not project_copy.survives(fault, target.tests, limit)


def complaint(fault: Fault, is_found: bool, is_listed: bool) -> str:
    """Say what is wrong: no test finds a fault, or one finds what is listed; "" if all is well."""
    if is_found == is_listed:
        return f"{'Not equivalent, a test finds it' if is_found else 'No test finds it'}:\n{fault}"
    return ""


def main(arguments: Sequence[str], root: Path) -> int:
    """Try the sample, or what of it is about some modules; returns how many things are wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", nargs="*", help="only targets with a module whose path begins so")
    parser.add_argument("--seed", type=int, default=1, help="another sample")
    chosen = parser.parse_args(arguments)
    listed = equivalents(root)
    wrong, number = 0, 0
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "project"
        shutil.copytree(root, copy, symlinks=True, ignore=shutil.ignore_patterns(*SKIPPED))
        for target in targets(root):
            if chosen.part and not any(module.startswith(tuple(chosen.part)) for module in target.modules):
                continue
            found: list[bool] = []
            for fault, is_found in tried(ProjectCopy(root=copy), target, chosen.seed):
                found.append(is_found)
                if text := complaint(fault, is_found, fault.name in listed):
                    wrong += 1
                    print(text, flush=True)
            print(f"{sum(found)} of {len(found)} found: {', '.join(target.modules)}", flush=True)
            number += len(found)
    print(f"{number} faults, {wrong} to look at")
    return wrong


if __name__ == "__main__":
    sys.exit(bool(main(sys.argv[1:], HERE.parent.parent)))
