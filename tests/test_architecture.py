"""The layout of the program: who may import whom, what stays pure, and how large folders, modules and signatures get.

By allow-list, so that new games are covered.
"""

import ast
import re
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from games import engines

ROOT = Path(__file__).parent.parent

PURE = frozenset(
    {
        "__future__",
        "abc",
        "bisect",
        "collections",
        "dataclasses",
        "enum",
        "fractions",
        "functools",
        "heapq",
        "itertools",
    }
    | {"math", "operator", "re", "string", "textwrap", "types", "typing", "unicodedata"}
)
"""Modules of the standard library that can't read a file, a clock, the environment or chance."""

ALSO = {
    "parsers": frozenset(
        {"base64", "binascii", "codecs", "datetime", "email", "hashlib", "html", "inscriptis", "lxml", "quopri"}
        | {"idna", "publicsuffixlist"}
    ),
    "parsers/prose/intents.py": frozenset({"importlib", "tomllib"}),
    "games/__init__.py": frozenset({"importlib", "pkgutil"}),
    "games/catalogue.py": frozenset({"importlib", "tomllib"}),
    "games/dice.py": frozenset({"random"}),
    "games/kit/testkit.py": frozenset({"random"}),
    "games/kit/testplay.py": frozenset({"random"}),
    "games/kit/testsecrets.py": frozenset({"random", "pydantic"}),
    "games/kit/testwording.py": frozenset({"random"}),
}
"""What a folder or a module may import beside them: formats of mail, a table in the package, the games, chance."""

OURS = {"games": frozenset({"games"}), "parsers": frozenset({"parsers", "games"})}

IMPURE_CALLS = frozenset(["open", "eval", "exec", "print", "input", "compile", "breakpoint", "__import__"])
CLOCK_CALLS = frozenset(["now", "today", "utcnow"])

LATE = (
    "rich",
    "sqlite3",
    "sqlmodel",
    "inscriptis",
    "sqlalchemy",
    "jinja2",
    "alembic",
    "imapclient",
    "aiosmtplib",
    "apscheduler",
    "pymap",
    "aiosmtpd",
    "icalendar",
    "msal",
    "google",
    "oauthlib",
    "publicsuffixlist",
)
"""Libraries that take a tenth of a second and more: a command loads what it needs when it runs."""


def modules(folder: str) -> list[str]:
    """All modules of a folder, as paths from the top."""
    return sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / folder).rglob("*.py"))


def source_of(module: str) -> str:
    """Read a module."""
    return (ROOT / module).read_text(encoding="utf-8")


def imported(source: str) -> Iterator[str]:
    """The top-level names of everything that a source imports, wherever in it; its own package as a dot."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield "." if node.level else str(node.module).split(".")[0]


def impure_calls(source: str) -> Iterator[str]:
    """The calls in a source that reach the world without an import."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Name) and node.func.id in IMPURE_CALLS:
                yield node.func.id
            elif isinstance(node.func, ast.Attribute) and node.func.attr in CLOCK_CALLS:
                yield node.func.attr


def trespasses(module: str, source: str) -> list[str]:
    """What a module of a pure package does that it may not."""
    package = module.split("/")[0]
    allowed = PURE | OURS[package] | ALSO.get(package, frozenset()) | ALSO.get(module, frozenset()) | {"."}
    return sorted({*imported(source)} - allowed | {*impure_calls(source)})


def test_pure_packages_stay_pure() -> None:
    """Games and parsers reach no file, clock, chance, environment, and nothing of gm."""
    found = {module: trespasses(module, source_of(module)) for module in modules("games") + modules("parsers")}
    assert {module: faults for module, faults in found.items() if faults} == {}, "these may not use that"


@pytest.mark.parametrize(
    ("module", "source", "found"),
    [
        ("games/seeschlacht/rules.py", "import random", ["random"]),
        ("games/seeschlacht/rules.py", "from os import path", ["os"]),
        ("games/seeschlacht/rules.py", "from gm.runtime.clock import utcnow", ["gm"]),
        ("games/seeschlacht/rules.py", "from parsers.lines.blocks import read", ["parsers"]),
        ("games/seeschlacht/rules.py", "def f():\n    import datetime", ["datetime"]),
        ("games/seeschlacht/rules.py", "text = open('words.txt')", ["open"]),
        ("games/nim/testkit.py", "import json", ["json"]),
        ("parsers/dates.py", "import datetime as dt\nday = dt.date.today()", ["today"]),
        ("parsers/dates.py", "import gm, pathlib", ["gm", "pathlib"]),
        ("parsers/dates.py", "import re\nfrom games.api import Seat\nfrom . import errors\nre.compile('a')", []),
    ],
)
def test_the_check_can_fail(module: str, source: str, found: list[str]) -> None:
    """A bad source is found out, and a good one is let pass."""
    assert trespasses(module, source) == found


def test_only_the_command_line_prints() -> None:
    """Typer and Rich are the command line's alone: everything else can be called without a terminal."""
    sources = {module: source_of(module) for module in modules("gm") if not module.startswith("gm/cli/")}
    for_a_terminal = {
        module: {*imported(source)} & {"typer", "rich"} | {*impure_calls(source)} & {"print"}
        for module, source in sources.items()
    }
    assert {module: found for module, found in for_a_terminal.items() if found} == {}


def spoken(source: str) -> Iterator[str]:
    """All strings of a source that are no docstrings, and the modules that it imports."""
    for node in ast.walk(ast.parse(source)):
        for inner in ast.iter_child_nodes(node):
            if isinstance(inner, ast.Constant) and isinstance(inner.value, str) and not isinstance(node, ast.Expr):
                yield inner.value
        if isinstance(node, ast.ImportFrom):
            yield str(node.module)


def names_of_games() -> re.Pattern[str]:
    """What no other code may say: keys and titles, however they are written."""
    named = {name for engine in engines().values() for name in (engine.rules.key, engine.rules.title)}
    either = "|".join(sorted(re.escape(name).replace(r"\-", "[-_]").replace(r"\ ", "[-_ ]") for name in named))
    return re.compile(rf"(?<![^\W_])({either})(?![^\W_])", re.IGNORECASE)


@pytest.mark.parametrize("folder", ["gm", "parsers", "templates"])
def test_nothing_else_names_a_game(folder: str) -> None:
    """A new game is one folder and one test: no code outside knows a game by its name."""
    named = names_of_games()
    found = [
        (module, text)
        for module in modules(folder)
        for text in spoken((ROOT / module).read_text(encoding="utf-8"))
        if named.search(text)
    ]
    assert found == []
    pages = [path for path in (ROOT / folder).rglob("*") if path.suffix in (".j2", ".html", ".css", ".js")]
    assert [path for path in pages if named.search(path.read_text("utf-8"))] == []


def test_names_of_games_are_found() -> None:
    """The check finds a game by key, title or module, and takes neither a part of a word nor a docstring for one."""
    sources = ['x = "typ-dom"', 'x = f"{1} Wer behält recht"', "from games.wort_yahtzee import ENGINE", "f('presto!')"]
    named = names_of_games()
    for source in sources:
        assert any(named.search(text) for text in spoken(source)), source
    for source in ('"""Crossword."""', 'x = "typdom"', 'x = "Crosswords"'):
        assert not any(named.search(text) for text in spoken(source)), source


GAMES = sorted(path.parent for path in (ROOT / "games").glob("*/README.md"))


@pytest.mark.parametrize("game", GAMES, ids=lambda path: path.name)
def test_a_game_is_read_in_one_sitting(game: Path) -> None:
    """At most eight modules, each worth opening: of 40 to 450 lines, but for the one that only names the engine."""
    lines = {path.name: len(path.read_text(encoding="utf-8").splitlines()) for path in game.glob("*.py")}
    assert len(lines) <= 8
    assert max(lines.values()) <= 450
    assert min(number for name, number in lines.items() if name != "__init__.py") >= 40


def test_help_is_fast() -> None:
    """`gm --help` waits for no library that only a running service needs."""
    code = f"import gm.cli, sys; print(hasattr(gm.cli, 'main'), *sorted({{*{LATE}}} & sys.modules.keys()))"
    ran = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["True"], "no main, or libraries that are loaded with it"


# -- size and shape ----------------------------------------------------------------------------------------------------

MOST_MODULES = 12
MOST_LINES = 450
LEAST_LINES = 40
MOST_PARAMETERS = 7
MOST_FLOORS, MOST_ROOMS = 11, 19

LINTER = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
FLOORS = [[room.strip() for room in floor.split("|")] for floor in LINTER["contracts"][0]["layers"]]


def dotted(module: str) -> str:
    """Return the name under which a module is imported."""
    return module.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def modules_imported(source: str, known: frozenset[str]) -> set[str]:
    """Find all modules among the known ones that a source imports, wherever in it."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found.add(str(node.module))
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
    return found & known


def is_command(function: ast.FunctionDef) -> bool:
    """Return whether Typer calls it: its parameters are the options of a command."""
    calls = [one.func for one in function.decorator_list if isinstance(one, ast.Call)]
    names = {call.attr if isinstance(call, ast.Attribute) else getattr(call, "id", "") for call in calls}
    return bool(names & {"command", "callback"})


def long_signatures(source: str) -> Iterator[str]:
    """Find the functions that take too many parameters, self and cls not counted."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not is_command(node):
            given = node.args
            names = [one.arg for one in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
            if len([name for name in names if name not in ("self", "cls")]) > MOST_PARAMETERS:
                yield node.name


def test_contributors_read_these_limits() -> None:
    """CONTRIBUTING tells the limits that are tested here, and no others."""
    told = (
        (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("\n## Style\n")[2].partition("Values are")[0]
    )
    limits = (MOST_PARAMETERS, MOST_LINES, LEAST_LINES, MOST_MODULES)
    assert re.findall(r"\d+", told) == [str(limit) for limit in limits]


def test_nothing_is_loose_in_gm() -> None:
    """Every module stands in a room; gm/ itself has only what Python asks for."""
    assert sorted(path.name for path in (ROOT / "gm").glob("*.py")) == ["__init__.py", "__main__.py"]


def test_a_floor_plan_that_fits_on_a_page() -> None:
    """import-linter knows every room of gm/; they are at most nineteen, on at most eleven floors."""
    rooms = [room for floor in FLOORS for room in floor]
    assert len(FLOORS) <= MOST_FLOORS
    assert len(rooms) <= MOST_ROOMS
    folders = {path.parent.name for path in (ROOT / "gm").glob("*/__init__.py")}
    assert {room.removeprefix("gm.") for room in rooms if room.startswith("gm.")} == folders


def test_no_import_is_excused() -> None:
    """Layers and cycles are contracts of import-linter, for whole packages, and neither has a list of exceptions."""
    assert LINTER["root_packages"] == ["gm", "parsers", "games"]
    contracts = {contract["type"]: contract for contract in LINTER["contracts"]}
    assert set(contracts) == {"layers", "acyclic_siblings"}
    assert contracts["acyclic_siblings"]["ancestors"] == ["gm"]
    assert {key for contract in contracts.values() for key in contract} == {"name", "type", "layers", "ancestors"}


@pytest.mark.parametrize("package", ["gm", "parsers"])
def test_folders_are_small(package: str) -> None:
    """A folder has at most twelve modules besides `__init__`: its list is read at a glance."""
    counts = Counter(module.rpartition("/")[0] for module in modules(package) if not module.endswith("__init__.py"))
    assert {folder: number for folder, number in counts.items() if number > MOST_MODULES} == {}


@pytest.mark.parametrize("package", ["gm", "parsers"])
def test_modules_are_read_in_one_sitting(package: str) -> None:
    """No module has more than 450 lines."""
    lines = {module: len(source_of(module).splitlines()) for module in modules(package)}
    assert {module: number for module, number in lines.items() if number > MOST_LINES} == {}


def test_modules_are_worth_opening() -> None:
    """A module of less than 40 lines with a single importer belongs there; `__init__` and `__main__` are Python's."""
    paths = {dotted(module): module for package in ("gm", "parsers", "games") for module in modules(package)}
    importers: dict[str, set[str]] = {name: set() for name in paths}
    for name, module in paths.items():
        for found in modules_imported(source_of(module), frozenset(paths)) - {name}:
            importers[found].add(module)
    small = {
        module: importers[name]
        for name, module in paths.items()
        if len(source_of(module).splitlines()) < LEAST_LINES and not Path(module).name.startswith("__")
    }
    assert {module: found for module, found in small.items() if len(found) == 1} == {}


@pytest.mark.parametrize("package", ["gm", "parsers", "games"])
def test_functions_take_few_parameters(package: str) -> None:
    """A function takes at most seven parameters: what belongs together is one value. Commands are excepted."""
    found = {module: [*long_signatures(source_of(module))] for module in modules(package)}
    assert {module: names for module, names in found.items() if names} == {}


def test_the_checks_of_size_can_fail() -> None:
    """Eight parameters are too many, but not for a command; imports are found in either form."""
    eight = ", ".join("abcdefgh")
    assert [*long_signatures(f"class A:\n    def f(self, {eight}): ...\n    def g(self, *, {eight[3:]}): ...")] == ["f"]
    assert [
        *long_signatures(
            f"@command('x')\ndef f({eight}): ...\n@app.callback()\ndef h({eight}): ...\n@cache\ndef g({eight}): ..."
        )
    ] == ["g"]
    known = frozenset({"gm.a", "gm.a.b", "gm.c"})
    assert modules_imported("from gm.a import b, x\ndef f():\n    import gm.c", known) == {"gm.a", "gm.a.b", "gm.c"}
