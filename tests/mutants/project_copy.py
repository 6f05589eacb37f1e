"""A copy of the project, in which tests run with one fault at a time."""

import importlib.util
import multiprocessing
import os
import resource
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest
from faults import Fault

LIBRARIES = (
    "hypothesis",
    "sqlmodel",
    "pydantic",
    "icalendar",
    "babel.dates",
    "jinja2",
    "PIL.Image",
    "imapclient",
    "pymap",
)
"""What all tests load anyway, and nothing of ours: loaded once, that saves half of the time."""
MEMORY = 4 << 30
"""A fault may ask for more than there is."""

FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["__main__", "project_copy", *LIBRARIES])


def run_tests(root: str, tests: Sequence[str]) -> None:
    """Run tests until the first failure, in a process and a group of its own. Ends the process."""
    os.setsid()
    os.chdir(root)
    os.environ["PYTHONPATH"] = root
    sys.path.insert(0, root)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    silence = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(silence, descriptor)
    options = ["-x", "-q", "-n", "0", "-p", "no:cacheprovider", "--hypothesis-seed=0", "--trust-too"]
    early = ["-W", "ignore::pytest.PytestAssertRewriteWarning"]  # of libraries that were loaded before
    os._exit(pytest.main([*options, *early, *tests]))


@dataclass(frozen=True, kw_only=True)
class ProjectCopy:
    """Where the copy is."""

    root: Path

    def passes(self, tests: Sequence[str], seconds: float) -> bool:
        """Return whether all tests pass. What takes too long has failed."""
        process = FORKS.Process(target=run_tests, args=(str(self.root), tests))
        process.start()
        process.join(seconds)
        ended = process.exitcode
        with suppress(ProcessLookupError):
            os.killpg(process.pid or 0, signal.SIGKILL)
        process.join()
        return ended == 0

    def survives(self, fault: Fault, tests: Sequence[str], seconds: float) -> bool:
        """Return whether tests pass in spite of a fault."""
        path = self.root / fault.module
        sound = path.read_text("utf-8")
        try:
            self.write(path, fault.source)
            return self.passes(tests, seconds)
        finally:
            self.write(path, sound)

    def write(self, path: Path, source: str) -> None:
        """Write a module. Bytecode of the same second and length would be taken for its own."""
        Path(importlib.util.cache_from_source(str(path))).unlink(missing_ok=True)
        path.write_text(source, encoding="utf-8")
