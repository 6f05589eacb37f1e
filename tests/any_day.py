"""Run the tests on another day: `make any-day`, or `make any-day AT="2027-03-28 01:30" TESTS="tests/trust tests/cli"`.

The tests, the processes that they start, PostgreSQL and Chromium see a clock that is ahead (`shifted_clock.c`, which
takes a C compiler; libfaketime 0.9.10 lets no Python sleep). Files stay at the machine's time, and so do Dovecot, which
dates a mail by its file, and Postfix: their daemons get no environment of ours. No test is left out for that.
"""

import os
import subprocess
import sys
import tempfile
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from gm.runtime.clock import utcnow

BERLIN = ZoneInfo("Europe/Berlin")
DAYS = ("2026-12-10 12:00", "2026-12-24 23:50", "2027-02-28 12:00", "2027-03-28 01:30", "2028-02-29 12:00",
        "2030-07-01 12:00")  # fmt: skip
"""Two on which tests had failed, one before midnight, leap years, and half an hour before summer time."""


def build(folder: Path) -> Path:
    """Compile what shifts the clock of a program."""
    library = folder / "shifted_clock.so"
    source = Path(__file__).with_name("shifted_clock.c")
    subprocess.run(["cc", "-O2", "-Wall", "-shared", "-fPIC", "-o", library, source], check=True)
    return library


def run(at: str, library: Path, words: list[str]) -> int:
    """Run pytest at this time in Berlin; returns its exit code."""
    ahead = (datetime.fromisoformat(at).replace(tzinfo=BERLIN) - utcnow()).total_seconds()
    clock = {"LD_PRELOAD": str(library), "SHIFTED_CLOCK": f"{ahead:.0f}", "GM_TESTS_AT": at}
    print(f"== {at}", flush=True)
    command = [sys.executable, "-m", "pytest", "-q", *words]
    return subprocess.run(command, env={**os.environ, **clock}, check=False).returncode


def main() -> int:
    """Run pytest with these words at each of the days, or at AT."""
    days = [os.environ["AT"]] if os.environ.get("AT") else DAYS
    with tempfile.TemporaryDirectory() as folder:
        library = build(Path(folder))
        return max([run(at, library, sys.argv[1:]) for at in days])


if __name__ == "__main__":
    sys.exit(main())
