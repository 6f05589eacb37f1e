"""What all tests share: golden texts and pictures, a game, Chromium, and that no server test is skipped."""

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
from typing import TYPE_CHECKING, Any

import databases
import postgres
import promises
import pytest
from hypothesis import HealthCheck, settings
from PIL import Image, ImageChops, ImageStat
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
SERVERS = Path(__file__).parent / "transport"

# Fonts are the same everywhere (tests/fonts), but each Chromium places letters a little differently. In fractions of a
# pixel instead of whole ones, all pictures stay as high, and differ by 0.04 and 0.8 of what the next lines are about.
_HEIGHT = 0.01
"""A page may be so much higher or lower, as a share."""
_COLOURED = 0.6
"""So many pixels in a hundred may have a colour (not a grey) that they had not; that goldens have few costs 0.3."""
_BLOCKS, _BLOCK = 3, 20
"""Blocks of 20 by 20 px may differ so much in brightness (of 255), in the mean over the page."""

PROMISES = promises.PromiseChecker()
PROMISES.sees_all = False
"""Looks at every story of this process."""

FEW = 2
_COLOURS = 64
"""Enough for letters with soft edges, and a picture takes a tenth of its bytes."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add --update-golden (make golden) and --trust (make trust)."""
    parser.addoption("--update-golden", action="store_true", help="write tests/golden anew; the diff is the review")
    parser.addoption("--database", choices=("sqlite", "postgresql"), default="sqlite", help="what zines are kept in")
    parser.addoption("--few", action="store_true", help=f"of each test's cases at most {FEW}")
    parser.addoption("--trust", action="store_true", help="tests/trust at full length: takes an hour, not minutes")


def pytest_configure(config: pytest.Config) -> None:
    """Let every zine be kept on a server, if that is wanted; and let nothing end because the machine is busy."""
    from gm.demo import in_memory_zine
    from gm.service import retrospect, tick
    from gm.transport.doubles import embedded_server

    # What has the rest of its time in the next pass, or gives up, in a service.
    retrospect.SECONDS = tick.PAGES_SECONDS = embedded_server.START_SECONDS = TIMEOUT  # type: ignore[misc]
    settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.load_profile("patient")
    if config.getoption("--database") == "postgresql":
        databases.CHOSEN = databases.OnServer()
    in_memory_zine.database_url = databases.CHOSEN.url
    in_memory_zine.observers.append(PROMISES)
    PROMISES.start()


def pytest_collection_finish() -> None:
    """Look for garbage even less often than `gm serve` does: that took a tenth of the time."""
    from gm.service.tick import settle_in

    settle_in()
    gc.set_threshold(100_000)


LONGEST = Path(__file__).parent / "trust"
"""The folder of the longest tests."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is about SQLite's files, where there are none; without the server all else skips.

    The longest tests come first. At the end one of them would run alone, and a core would be idle.
    """
    on_server = config.getoption("--database") == "postgresql"
    most = FEW if config.getoption("--few") else len(items)
    told, kept, left = Counter[str](), list[pytest.Item](), list[pytest.Item]()
    for item in items:
        name = item.nodeid.partition("[")[0]
        is_wanted = told[name] < most and not (on_server and item.get_closest_marker("sqlite"))
        told[name] += is_wanted
        (kept if is_wanted else left).append(item)
    config.hook.pytest_deselected(items=left)
    items[:] = sorted(kept, key=lambda item: not item.path.is_relative_to(LONGEST))
    for item in items if on_server else ():
        item.add_marker(pytest.mark.server)
        if reason := postgres.missing():
            item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(autouse=True)
def _no_database_is_left(request: pytest.FixtureRequest) -> Iterator[None]:
    """Throw away the databases of a test's zines, as pytest does with its files."""
    folder = request.getfixturevalue("tmp_path") if "tmp_path" in request.fixturenames else None
    yield
    if folder:
        databases.CHOSEN.remove(folder)


@pytest.fixture(autouse=True)
def _what_the_checks_may_believe(request: pytest.FixtureRequest) -> Iterator[None]:
    """Tell the checks of promises what this test does by hand: to a record, or (but in seasons) to a zine."""
    PROMISES.is_tampered = request.node.get_closest_marker("tampers") is not None
    PROMISES.sees_all = request.path.parent.name == "seasons"
    yield
    PROMISES.sees_all = False


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
    """Whether all mutated mails and all kills are wanted, not the share that `make test` has time for."""
    return bool(request.config.getoption("--trust"))


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
    from gm.commands.gm_commands import actions
    from gm.demo.in_memory_zine import PLAYERS, Story, address_of

    story = Story(tmp_path_factory.mktemp("started"))
    actions.new_game(story.app, "crossword", "Eriwan")
    for name, wish in zip(PLAYERS, "DNTIRO", strict=True):
        actions.join(story.app, "Eriwan", name, address_of(name), wish)
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
    return _picture_differences


@pytest.fixture
def golden_picture(request: pytest.FixtureRequest) -> Callable[[str, Image.Image], None]:
    """Compare a picture with tests/golden/<name>, or write it there with --update-golden."""

    def compare(name: str, seen: Image.Image) -> None:
        path = GOLDEN / name
        if request.config.getoption("--update-golden"):
            path.parent.mkdir(exist_ok=True)
            seen.quantize(_COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)
            return
        assert path.exists(), f"tests/golden/{name} is missing; see the head of this module"
        found = _picture_differences(Image.open(path).convert("RGB"), seen)
        if found and (folder := os.environ.get("GM_SCREENS")):
            seen.save(Path(folder) / path.name)
        assert not found, f"tests/golden/{name}: {found} (GM_SCREENS=DIR keeps what was seen)"

    return compare


def _coloured(picture: Image.Image) -> Counter[int]:
    """Count the pixels that are no greys: red (our yellow is), green, blue."""
    found: Counter[int] = Counter()
    for number, colour in picture.getcolors(1 << 20):
        if max(colour) - min(colour) > 24:
            found[colour.index(max(colour))] += number
    return found


def _picture_differences(expected: Image.Image, seen: Image.Image) -> list[str]:
    """Compare two pictures of a page with the tolerances above."""
    found = []
    if abs(seen.height / expected.height - 1) > _HEIGHT:
        found.append(f"{seen.height} px high instead of {expected.height}")
    one, other = _coloured(expected), _coloured(seen)
    share = 100 * sum(abs(one[part] - other[part]) for part in range(3)) / (expected.width * expected.height)
    if share > _COLOURED:
        found.append(f"{share:.1f} % of the pixels have another colour")
    size = (expected.width // _BLOCK, expected.height // _BLOCK)
    small = [picture.resize(size, Image.Resampling.BOX).convert("L") for picture in (expected, seen)]
    mean = ImageStat.Stat(ImageChops.difference(*small)).mean[0]
    if mean > _BLOCKS:
        found.append(f"blocks differ by {mean:.1f} in the mean")
    return found


def _difference(name: str, expected: str, text: str) -> str:
    lines = difflib.unified_diff(
        expected.splitlines(), text.splitlines(), f"tests/golden/{name}", "now", lineterm=""
    )  # fmt: skip
    diff = "\n".join(lines) or "(only line ends differ)"
    return f"tests/golden/{name} differs; if the new text is right: `make golden`, and review the diff\n{diff}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Generator[None, Any, Any]:
    """Fail a server test that would be skipped, where GM_REQUIRE_SERVERS says that the servers are there."""
    report = yield
    if item.get_closest_marker("server"):
        _refuse_skip(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Generator[None, Any, Any]:
    """The same for a whole module of server tests."""
    report = yield
    if SERVERS in collector.path.parents:
        _refuse_skip(report)
    return report


def _refuse_skip(report: Any) -> None:
    if report.skipped and os.environ.get("GM_REQUIRE_SERVERS") == "1":
        report.outcome = "failed"
        report.longrepr = f"GM_REQUIRE_SERVERS=1 lets no server test skip: {report.longrepr[2]}"
