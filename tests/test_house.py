"""The rules of the house (docs/architecture.md): rooms, folders, modules and functions that a newcomer can take in."""

import ast
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

MOST_MODULES = 12
LONGEST, SHORTEST = 450, 40
MOST_PARAMETERS = 7
MOST_ROOMS, MOST_FLOORS = 18, 10

Sources = dict[str, str]
"""Python sources by their path from the top."""


@pytest.fixture(scope="module")
def sources() -> Sources:
    """All modules of gm/, parsers/ and games/."""
    paths = [path for top in ("gm", "parsers", "games") for path in (ROOT / top).rglob("*.py")]
    return {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in paths}


def loose(sources: Sources) -> list[str]:
    """Modules directly in gm/ that belong into a room."""
    return [path for path in sources if path.startswith("gm/") and path.count("/") == 1 and "/__" not in path]


def crowded(sources: Sources) -> dict[str, int]:
    """Folders with more modules than one keeps in mind."""
    counts = Counter(path.rpartition("/")[0] for path in sources if not path.endswith("__init__.py"))
    return {folder: number for folder, number in counts.items() if number > MOST_MODULES}


def misshapen(sources: Sources) -> dict[str, int]:
    """Modules that are too long, or so short that they belong to the one module that imports them."""
    importers = _importers(sources)
    found = {}
    for path, source in sources.items():
        lines = len(source.splitlines())
        is_scrap = lines < SHORTEST and "/__" not in path and len(importers[_name(path)]) == 1
        if lines > LONGEST or is_scrap:
            found[path] = lines
    return found


def _name(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _importers(sources: Sources) -> dict[str, set[str]]:
    """Which modules import each module."""
    names = {_name(path) for path in sources}
    found: dict[str, set[str]] = defaultdict(set)
    for path, source in sources.items():
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.ImportFrom) and node.module:
                for alias in node.names:
                    inner = f"{node.module}.{alias.name}"
                    found[inner if inner in names else node.module].add(path)
            elif isinstance(node, ast.Import):
                for alias in node.names:
                    found[alias.name].add(path)
    return found


def overloaded(sources: Sources) -> Iterator[tuple[str, str, int]]:
    """Functions with too many parameters, `self` aside. Typer's commands have one for each option."""
    for path, source in sources.items():
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not _is_command(path, node):
                given = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
                number = sum(argument.arg not in ("self", "cls") for argument in given)
                if number > MOST_PARAMETERS:
                    yield path, node.name, number


def _is_command(path: str, node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return path.startswith("gm/cli/") and any("command" in ast.unparse(one) for one in node.decorator_list)


def test_nothing_lies_loose_in_gm(sources: Sources) -> None:
    """Every module of gm/ stands in a room, but `__init__` and `__main__`."""
    assert loose(sources) == []


def test_no_folder_is_crowded(sources: Sources) -> None:
    """A folder has at most twelve modules beside `__init__`."""
    assert crowded(sources) == {}


def test_modules_are_one_noun(sources: Sources) -> None:
    """No module is over 450 lines, and none under 40 that a single one imports."""
    assert misshapen(sources) == {}


def test_functions_take_few_parameters(sources: Sources) -> None:
    """A function takes at most seven parameters: what belongs together is one value."""
    assert list(overloaded(sources)) == []


def test_rooms_and_floors(sources: Sources) -> None:
    """There are few rooms on few floors, each of them named in import-linter's contract, and nothing is ignored."""
    config = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    layers, siblings = config["contracts"]
    named = {room for floor in layers["layers"] for room in floor.split(" | ")}
    rooms = {".".join(path.split("/")[:2]) for path in sources if path.startswith("gm/") and path.count("/") > 1}
    assert named == rooms | {"parsers", "games"}
    assert len(named) <= MOST_ROOMS
    assert len(layers["layers"]) <= MOST_FLOORS
    assert (layers["type"], siblings["type"]) == ("layers", "acyclic_siblings")
    assert not any("ignore_imports" in contract for contract in config["contracts"])


def test_each_check_finds_what_it_is_for() -> None:
    """The checks can fail."""
    many = {f"gm/store/m{number}.py": "x = 1\n" * 50 for number in range(MOST_MODULES + 1)}
    assert crowded(many) == {"gm/store": MOST_MODULES + 1}
    assert loose({"gm/tools.py": "", "gm/__main__.py": "", "gm/app/context.py": ""}) == ["gm/tools.py"]
    lone = {"gm/a/x.py": "x = 1\n", "gm/a/y.py": "from gm.a.x import x\n" * 50, "gm/a/z.py": "x = 1\n" * 451}
    assert misshapen(lone) == {"gm/a/x.py": 1, "gm/a/z.py": 451}
    eight = "def f(self, a, b, c, d, e, *, f, g, h): ...\n"
    assert list(overloaded({"gm/a/x.py": eight})) == [("gm/a/x.py", "f", 8)]
    assert not list(overloaded({"gm/cli/x.py": f"@cli.command()\n{eight}"}))
