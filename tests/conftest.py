"""What all tests share: golden texts and pictures, a game, Chromium, their order, and that none is skipped in CI."""

import difflib
import fcntl
import gc
import os
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from datetime import datetime
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final
from zoneinfo import ZoneInfo

import databases
import postgres
import promises
import pytest
import screenshots
import seating
import touched
from hypothesis import HealthCheck, settings
from PIL import Image
from waiting import TIMEOUT

if TYPE_CHECKING:
    from gm.demo.in_memory_zine import Story

# Thousands of small databases and folders are made and removed: on a disk a third of the time is spent waiting for it.
os.environ.setdefault("TMPDIR", str(postgres.fastest_folder()))
tempfile.tempdir = None  # what was asked for before is forgotten

# To compile all tests takes ten seconds in every process, and a `gm` without bytecode takes three times as long.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
WITHOUT_SANDBOX = ["--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
pytest_plugins = ["zines"]

GOLDEN = Path(__file__).parent / "golden"
FONTS = Path(__file__).parent / "fonts"
FONTS_CONF = f"""<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>{FONTS}</dir>
  <cachedir>{{cache}}</cachedir>
  <match target="pattern">
    <test name="family"><string>monospace</string></test>
    <edit name="family" mode="append" binding="strong"><string>DejaVu Sans Mono</string></edit>
  </match>
  <match target="pattern">
    <edit name="family" mode="append_last"><string>DejaVu Sans</string></edit>
    <edit name="antialias" mode="assign"><bool>true</bool></edit>
    <edit name="hinting" mode="assign"><bool>true</bool></edit>
    <edit name="hintstyle" mode="assign"><const>hintslight</const></edit>
    <edit name="autohint" mode="assign"><bool>false</bool></edit>
    <edit name="rgba" mode="assign"><const>none</const></edit>
  </match>
</fontconfig>
"""
"""All that fontconfig tells Chromium: no other fonts than ours, sans-serif for all that isn't monospace."""

touched.watch()

PROMISES = promises.PromiseChecker()
PROMISES.each_pass = False
"""Looks at every story of this process."""

EXTRAS = {
    "--trust": "what takes longer than minutes (`make trust` runs nothing else)",
    "--full-length": "what takes hours, or asks a package index",
    "--benchmark-only": "the benchmarks",
    "GM_WORD_SOURCES": "the word list, built anew from the packages in this folder",
    "GM_MAIL_CORPUS": "real mails of other projects (*.eml in this folder)",
}
"""What runs only where an option or a variable asks for it. It is left out otherwise, and the first lines say so."""
MAY_SKIP = ("Python 3.13 is the first",)
"""How the reasons begin that no package could mend; where GM_REQUIRE_SERVERS is 1, any other skip is a failure."""
AT: Final = os.environ.get("GM_TESTS_AT", "2026-11-25 16:20")
"""When `gm_clock` begins, in Berlin: any day will do, and `.ci/run` takes another one for each commit."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add --update-golden (make golden), --trust (make trust) and --full-length (make trust-full)."""
    parser.addoption("--update-golden", action="store_true", help="write tests/golden anew; the diff is the review")
    parser.addoption("--database", choices=("sqlite", "postgresql"), default="sqlite", help="what zines are kept in")
    parser.addoption("--shuffle", type=int, metavar="SEED", help="in a random order, drawn from this number")
    parser.addoption("--trust", action="store_true", help="what `make test` leaves out, and nothing else")
    parser.addoption("--trust-too", action="store_true", help="what `make test` leaves out as well")
    parser.addoption("--full-length", action="store_true", help="tests that may go on for hours do so")


def pytest_configure(config: pytest.Config) -> None:
    """Let every zine be kept on a server, if that is wanted; and let nothing end because the machine is busy."""
    from gm.demo import in_memory_zine

    settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.load_profile("patient")
    if config.getoption("--database") == "postgresql":
        databases.CHOSEN = databases.OnServer()
    in_memory_zine.database_url = databases.CHOSEN.url
    in_memory_zine.observers.append(PROMISES)
    PROMISES.start()


def _is_asked_for(config: pytest.Config, extra: str) -> bool:
    return bool(config.getoption(extra) if extra.startswith("-") else os.environ.get(extra))


def pytest_report_header(config: pytest.Config) -> list[str]:
    """Say what is left out, and how to ask for it."""
    return [f"left out without {extra}: {what}" for extra, what in EXTRAS.items() if not _is_asked_for(config, extra)]


def pytest_collection_finish() -> None:
    """Look for garbage even less often than `gm serve` does: that took a tenth of the time."""
    from gm.service.tick import settle_in

    settle_in()
    gc.set_threshold(100_000)


LONGEST = Path(__file__).parent / "trust"
"""The folder of the longest tests."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep the tests that belong to this run; on PostgreSQL none about SQLite's files, and without it all skip.

    The longest tests come first. At the end one of them would run alone, and a core would be idle.
    """
    on_server, cases = config.getoption("--database") == "postgresql", Counter[str]()
    kept, left = list[pytest.Item](), list[pytest.Item]()
    for item in items:
        is_wanted = _is_wanted(item, cases) and not (on_server and item.get_closest_marker("sqlite"))
        (kept if is_wanted else left).append(item)
    config.hook.pytest_deselected(items=left)
    items[:] = sorted(kept, key=lambda item: not item.path.is_relative_to(LONGEST))
    if (seed := config.getoption("--shuffle")) is not None:
        Random(seed).shuffle(items)
    for item in items if on_server else ():
        item.add_marker(pytest.mark.server)
        if reason := postgres.missing():
            item.add_marker(pytest.mark.skip(reason=reason))


def _is_wanted(item: pytest.Item, cases: Counter[str]) -> bool:
    """Whether a test belongs to this run: `make test`, `make trust`, or all at full length or on a server."""
    config, extra = item.config, item.get_closest_marker("extra")
    asked = [*(extra.args if extra else ()), *(["--benchmark-only"] if "benchmark" in item.fixturenames else ())]
    if not all(_is_asked_for(config, one) for one in asked):
        return False
    takes_all = config.getoption("--full-length") or config.getoption("--trust-too")
    if takes_all or config.getoption("--database") == "postgresql":
        return True
    return _is_for_trust(item, cases) == config.getoption("--trust")


def _is_for_trust(item: pytest.Item, cases: Counter[str]) -> bool:
    """Whether `make test` leaves a test out: all of tests/trust, and what is marked but for its first cases."""
    if item.path.is_relative_to(LONGEST):
        return True
    mark = item.get_closest_marker("trust")
    if mark is None:
        return False
    name = item.nodeid.partition("[")[0]
    cases[name] += 1
    return cases[name] > mark.kwargs.get("except_first", 0)


@pytest.fixture(autouse=True)
def _no_database_is_left(request: pytest.FixtureRequest) -> Iterator[None]:
    """Throw away the databases of a test's zines, as pytest does with its files."""
    folder = request.getfixturevalue("tmp_path") if "tmp_path" in request.fixturenames else None
    yield
    if folder:
        databases.CHOSEN.remove(folder)


@pytest.fixture(autouse=True)
def _promises(request: pytest.FixtureRequest) -> Iterator[None]:
    """Check the promises in seasons after each pass, else at the end; not where a test writes by hand."""
    PROMISES.is_tampered = request.node.get_closest_marker("tampers") is not None
    PROMISES.each_pass = request.path.parent.name == "seasons"
    PROMISES.log.take()
    yield
    PROMISES.all_are_over()
    PROMISES.each_pass = False


@pytest.fixture
def gm_clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Give every `gm` that this test runs, here or in a process of its own, the same time on any day.

    It begins at AT and goes on from there; `gm_clock("2027-03-28 01:30")` sets another time in Berlin. What a test
    then asks for the time is `utcnow`. Not for real mail servers: they note their own time of a mail's arrival.
    """
    from gm.runtime import clock

    def begin(at: str) -> None:
        monkeypatch.delenv(clock.AHEAD, raising=False)
        ahead = datetime.fromisoformat(at).replace(tzinfo=ZoneInfo("Europe/Berlin")) - clock.utcnow()
        monkeypatch.setenv(clock.AHEAD, str(ahead.total_seconds()))

    begin(AT)
    return begin


@pytest.fixture(scope="session")
def cluster() -> Iterator[postgres.Cluster]:
    """A PostgreSQL server, whatever the zines are kept in; the tests that ask for it are marked `server`."""
    if reason := postgres.missing():
        pytest.skip(reason)
    if isinstance(databases.CHOSEN, databases.OnServer):
        yield databases.CHOSEN.cluster
        return
    cluster = databases.started()
    yield cluster
    cluster.stop()


@pytest.fixture(scope="session")
def at_full_length(request: pytest.FixtureRequest) -> bool:
    """Whether all mutated mails and all kills are wanted, not the share that there is time for in minutes."""
    return bool(request.config.getoption("--full-length"))


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Compare a text with tests/golden/<name>, or write it there with --update-golden."""

    def compare(name: str, text: str) -> None:
        path = GOLDEN / name
        if request.config.getoption("--update-golden"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        elif not path.exists():
            pytest.fail(f"tests/golden/{name} is missing; `make golden` writes it", pytrace=False)
        elif (expected := path.read_text(encoding="utf-8")) != text:
            pytest.fail(_difference(name, expected, text), pytrace=False)

    return compare


@pytest.fixture(scope="session")
def made_once(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Callable[..., Path]:
    """Let one of the processes of a test run fill a folder for all: `made_once("archive", build)`."""
    base = tmp_path_factory.getbasetemp()
    base = (base if worker_id == "master" else base.parent) / "shared"

    def make(name: str, build: Callable[[Path], object]) -> Path:
        folder = base / name
        folder.mkdir(parents=True, exist_ok=True)
        with base.joinpath(f"{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not any(folder.iterdir()):  # what fails isn't tried again for each test
                build(folder)
        return folder

    return make


@pytest.fixture(scope="session")
def started(tmp_path_factory: pytest.TempPathFactory) -> "tuple[Path, datetime]":
    """The folder of Eriwan in round 1 (letters DNTIRO), everybody has the first bulletin; and when that was."""
    from gm.demo.in_memory_zine import PLAYERS, Story, address_of
    from gm.requests.desk import actions

    story = Story(tmp_path_factory.mktemp("started"))
    actions.new_game(story.app, "crossword", "Eriwan")
    for name, wish in zip(PLAYERS, "DNTIRO", strict=True):
        seating.join(story.app, "Eriwan", name, address_of(name), wish)
    actions.start(story.app, "Eriwan")
    story.tick()
    story.close()
    return story.config.parent, story.now


@pytest.fixture
def running(started: "tuple[Path, datetime]", tmp_path: Path) -> Iterator[Callable[..., "Story"]]:
    """Begin a story with Eriwan in round 1; each has a database of its own."""
    from gm.demo.in_memory_zine import Story

    stories: list[Story] = []

    def begin(folder: Path = tmp_path, **more: Any) -> Story:
        folder.mkdir(exist_ok=True)
        databases.CHOSEN.copy(started[0], folder)
        stories.append(story := Story(folder, words=["RAR", "ROT", "TOR"], now=started[1].isoformat(), **more))
        return story

    yield begin
    for story in stories:
        story.close()


@pytest.fixture(scope="session")
def only_our_fonts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return an environment in which fontconfig knows the fonts in tests/fonts and no others."""
    folder = tmp_path_factory.mktemp("fontconfig")
    conf = folder / "fonts.conf"
    conf.write_text(FONTS_CONF.format(cache=folder / "cache"), encoding="utf-8")
    return {**os.environ, "FONTCONFIG_FILE": str(conf)}


@pytest.fixture(scope="module")
def launch(only_our_fonts: dict[str, str]) -> Iterator[Callable[..., Any]]:
    """Start Chromium: `launch("--force-dark-mode")`. It ends with the module, as its event loop is in others' way."""
    if not CHROMIUM:
        pytest.skip("Chromium is not installed (Debian: chromium)")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        yield lambda *more: play.chromium.launch(
            executable_path=CHROMIUM, args=[*WITHOUT_SANDBOX, *more], env=only_our_fonts, timeout=1000 * TIMEOUT
        )


@pytest.fixture
def differences() -> Callable[[Image.Image, Image.Image], list[str]]:
    """Compare two pictures of a page: what is different, beyond what another Chromium does."""
    return screenshots.differences


@pytest.fixture
def golden_picture(request: pytest.FixtureRequest) -> Callable[[str, Image.Image], None]:
    """Compare a picture with tests/golden/<name>, or write it there with --update-golden."""

    def compare(name: str, seen: Image.Image) -> None:
        path = GOLDEN / name
        if request.config.getoption("--update-golden"):
            path.parent.mkdir(exist_ok=True)
            screenshots.save(seen, path)
            return
        assert path.exists(), f"tests/golden/{name} is missing; see the head of this module"
        found = screenshots.differences(Image.open(path).convert("RGB"), seen)
        if found and (folder := os.environ.get("GM_SCREENS")):
            seen.save(Path(folder) / path.name)
        assert not found, f"tests/golden/{name}: {found} (GM_SCREENS=DIR keeps what was seen)"

    return compare


def _difference(name: str, expected: str, text: str) -> str:
    lines = difflib.unified_diff(
        expected.splitlines(), text.splitlines(), f"tests/golden/{name}", "now", lineterm=""
    )  # fmt: skip
    diff = "\n".join(lines) or "(only line ends differ)"
    return f"tests/golden/{name} differs; if the new text is right: `make golden`, and review the diff\n{diff}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Generator[None, Any, Any]:
    """Fail a test that would be skipped, where GM_REQUIRE_SERVERS says that all that is needed is there."""
    return _refuse_skip((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Generator[None, Any, Any]:
    """The same for a whole module."""
    return _refuse_skip((yield))


def _refuse_skip(report: Any) -> Any:
    if report.skipped and os.environ.get("GM_REQUIRE_SERVERS") == "1":
        reason = report.longrepr[2].removeprefix("Skipped: ")
        if not reason.startswith(MAY_SKIP):
            report.outcome = "failed"
            report.longrepr = f"GM_REQUIRE_SERVERS=1 lets no test skip: {reason}"
    return report
