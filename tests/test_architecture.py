"""Who may import whom: gm -> parsers -> games, and what is pure stays pure. By allow-list, so new games are covered."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

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
        | {"publicsuffixlist"}
    ),
    "games/__init__.py": frozenset({"importlib", "pkgutil"}),
    "games/dice.py": frozenset({"random"}),
    "games/testkit.py": frozenset({"random", "pydantic"}),
    "games/testplay.py": frozenset({"random"}),
}
"""What a folder or a module may import beside them: formats of mail, finding the games, the one source of chance."""

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
    "oauthlib",
    "keyring",
    "publicsuffixlist",
    "confusable_homoglyphs",
)
"""Libraries that take a tenth of a second and more: a command loads what it needs when it runs."""


def modules(folder: str) -> list[str]:
    """All modules of a folder, as paths from the top."""
    return sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / folder).rglob("*.py"))


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


@pytest.mark.parametrize("module", modules("games") + modules("parsers"))
def test_pure_packages_stay_pure(module: str) -> None:
    """Games and parsers reach no file, clock, chance, environment, and nothing of gm."""
    source = (ROOT / module).read_text(encoding="utf-8")
    assert trespasses(module, source) == [], f"{module} may not use these"


@pytest.mark.parametrize(
    ("module", "source", "found"),
    [
        ("games/nim/rules.py", "import random", ["random"]),
        ("games/nim/rules.py", "from os import path", ["os"]),
        ("games/nim/rules.py", "from gm.runtime.clock import utcnow", ["gm"]),
        ("games/nim/rules.py", "from parsers.commands.eriwan import read", ["parsers"]),
        ("games/nim/rules.py", "def f():\n    import datetime", ["datetime"]),
        ("games/nim/rules.py", "text = open('words.txt')", ["open"]),
        ("games/nim/testkit.py", "import json", ["json"]),
        ("parsers/dates.py", "import datetime as dt\nday = dt.date.today()", ["today"]),
        ("parsers/dates.py", "import gm, pathlib", ["gm", "pathlib"]),
        ("parsers/dates.py", "import re\nfrom games.api import Seat\nfrom . import errors\nre.compile('a')", []),
    ],
)
def test_the_check_can_fail(module: str, source: str, found: list[str]) -> None:
    """A bad source is found out, and a good one is let pass."""
    assert trespasses(module, source) == found


@pytest.mark.parametrize("module", [module for module in modules("gm") if not module.startswith("gm/cli/")])
def test_only_the_command_line_prints(module: str) -> None:
    """Typer and Rich are the command line's alone: everything else can be called without a terminal."""
    source = (ROOT / module).read_text(encoding="utf-8")
    assert {*imported(source)} & {"typer", "rich"} == set()
    assert "print" not in {*impure_calls(source)}


def test_help_is_fast() -> None:
    """`gm --help` waits for no library that only a running service needs."""
    code = f"import gm.cli, sys; print(hasattr(gm.cli, 'main'), *sorted({{*{LATE}}} & sys.modules.keys()))"
    ran = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["True"], "no main, or libraries that are loaded with it"
