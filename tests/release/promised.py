"""The lists of what every 1.x keeps (docs/support.md), as this program has them, and what of older lists is gone.

`make promises` writes those of this version into `promised/`, where tests of later versions compare.
"""

from __future__ import annotations

import ast
import contextlib
import inspect
import io
import json
import shutil
import sys
import tempfile
import textwrap
import tomllib
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import MISSING, Field, fields, is_dataclass
from pathlib import Path
from typing import Any, Final, get_args
from unittest.mock import patch

import typer.main
from pydantic.fields import FieldInfo
from pydantic_core import to_jsonable_python
from sqlmodel import select

from games import api, dice, engines, errors, words
from gm.app.context import open_app
from gm.archive.list_pages import game_index
from gm.archive.record import record
from gm.cli.commands import cli
from gm.commands.gm_commands import actions
from gm.demo.in_memory_zine import PLAYERS, Story, address_of, write_mail
from gm.runtime.config.settings import SECTIONS, load
from gm.store.tables import Turn
from parsers.commands.command_lines import GM_LINE, ROWS, Row
from parsers.commands.grammar import read_commands
from parsers.commands.titles import titles_of
from parsers.mime.message import read_mail

FOLDER: Final = Path(__file__).parent / "promised"
ROOT: Final = Path(__file__).parents[2]
RULES: Final = [one.rules for one in engines().values()]


def gone(before: Any, now: Any, path: str = "") -> Iterator[str]:
    """Name what isn't any more as it was. What is new is no matter, nor that less has to be given (`needs`)."""
    if isinstance(before, dict):
        for key, below in before.items():
            if not isinstance(now, dict) or key not in now:
                yield f"{path}/{key} is gone"
            else:
                yield from gone(below, now[key], f"{path}/{key}")
    elif isinstance(before, list):
        yield from (f"{path}: {one!r} is gone" for one in before if not isinstance(now, list) or one not in now)
    elif now != before and not (path.endswith("/needs") and now < before):
        yield f"{path}: {before!r} has become {now!r}"


# -- the command line --------------------------------------------------------------------------------------------------


def commands() -> dict[str, Any]:
    """List every command with its options, whether these take a value, and how much must stand behind it."""
    return {path: _parameters(command) for path, command in walk("gm", typer.main.get_command(cli))}


def walk(path: str, command: Any) -> Iterator[tuple[str, Any]]:
    yield path, command
    for name, one in getattr(command, "commands", {}).items():
        yield from walk(f"{path} {name}", one)


def _parameters(command: Any) -> dict[str, Any]:
    shown = [one for one in command.params if not one.hidden]
    arguments = [one for one in shown if one.param_type_name == "argument"]
    options = {name: "alone" if one.is_flag else "value"
               for one in shown if one not in arguments for name in (*one.opts, *one.secondary_opts)}  # fmt: skip
    return {
        "arguments": [f"{at}{' ...' if one.nargs < 0 else ''}" for at, one in enumerate(arguments, 1)],
        "options": options, "needs": sum(one.required for one in shown),
    }  # fmt: skip


# -- config.toml -------------------------------------------------------------------------------------------------------


def settings() -> dict[str, Any]:
    """List every key of the config with its default, and which words it takes."""
    return {name: dict(_keys(section)) for name, section in SECTIONS.items()}


def _keys(section: Any) -> Iterator[tuple[str, Any]]:
    for key, field in section.model_fields.items():
        for kind in (field.annotation, *get_args(field.annotation)):
            if hasattr(kind, "model_fields"):
                yield key, dict(_keys(kind))
                break
        else:
            allowed = [one for one in get_args(field.annotation) if isinstance(one, str)]
            yield key, {"default": _default(field), **({"takes": allowed} if allowed else {})}


def _default(field: FieldInfo) -> Any:
    return "needed" if field.is_required() else to_jsonable_python(field.default, fallback=str)


# -- lines by mail -----------------------------------------------------------------------------------------------------


def lines(kept: Sequence[str] = ()) -> dict[str, str]:
    """Read lines as players write them, those of the table unless others are given: line -> what is understood."""
    verbs = GM_LINE.pattern.partition("(?:")[2].partition(")")[0].split("|")
    every = kept or [*map(_example, ROWS), *(f"gm {verb}" for verb in verbs)]
    return {line: _understood(line) for line in every}


def _example(row: Row) -> str:
    """Write a row's line, with a game where it says nothing without one."""
    found = row.example(titles_of(RULES))
    return next(line for line in (found, f"{found} Eriwan", f"{found} Crossword Eriwan") if _understood(line))


def _understood(line: str) -> str:
    read = read_commands(read_mail(write_mail("anna@spieler.example", f"{line}\n", subject="")), RULES)
    return " ".join(f"{type(one.command).__name__} {one.language or ''}".strip() for one in read.commands)


# -- JSON --------------------------------------------------------------------------------------------------------------

JSON: Final = (
    "doctor", "status", "todo", "list", "show", "show Eriwan", "rulings", "close Eriwan --dry-run", "digest",
    "players", "standbys list", "mail", "mail list", "words check TON", "words info", "words suggest NOT",
    "player show Anna", "issue calendar", "issue build 1",
    "issue send 1",
)  # fmt: skip
REHEARSAL: Final = "upgrade --rehearse"
"""The commands that print JSON; the last one prints something only where other rules were at work."""


ISSUES: Final = {
    "zine": {"first": 1, "date": "2026-11-04", "rhythm": "5w"}, "archive": {"base_url": "https://postspiel.example/ds/"},
}  # fmt: skip


def printed(folder: Path) -> dict[str, Any]:
    """Run every command that prints JSON in a zine where something happens, and list the keys that it prints."""
    story = Story(folder, words=("TON", "ROT"), more=ISSUES)
    actions.new_game(story.app, "crossword", "Eriwan")
    for name, wish in zip(PLAYERS[:6], "DIONRT", strict=True):
        actions.join(story.app, "Eriwan", name, address_of(name), wish)
    actions.start(story.app, "Eriwan")
    story.tick()
    story.writes(PLAYERS[0], "Crossword Eriwan\nNeu: D\nTON...\n" + 5 * "......\n")
    story.writes(PLAYERS[1], "Standby Crossword\n")
    story.writes(PLAYERS[2], "Liebe Spielleitung, wie war das noch mit dem Porto?\n", subject="Frage")
    story.tick()
    story.close()
    _run("rule Eriwan accept XENON", story.config)
    without_pages = {"weasyprint": None}  # setting them takes seconds
    with patch.dict(sys.modules, without_pages):  # type: ignore[arg-type]
        found = {f"gm {line}": shape(json.loads(_run(f"{line} --json", story.config))) for line in JSON}
    _made_by_other_rules(story.config)
    return found | {f"gm {REHEARSAL}": shape(json.loads(_run(f"{REHEARSAL} --json", story.config)))}


def _made_by_other_rules(config: Path) -> None:
    """Let the record say that another version has made it, with other points and another list of words."""
    with closing(open_app(load(config))) as app, app.database.write() as session:
        for turn in session.exec(select(Turn)):
            turn.made_by, turn.words, turn.result = "", "", {"points": {"1": 9}}
            turn.verdicts = {f"{app.engine('crossword').rules.profile}/XQX": {"status": "accepted"}}


def _run(line: str, config: Path) -> str:
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.suppress(SystemExit):
        cli(args=[*line.split(), "--config", str(config)], prog_name="gm", standalone_mode=False)
    return out.getvalue()


def shape(value: Any) -> dict[str, Any]:
    """Keep only the keys of some JSON, those of a list's items together."""
    if isinstance(value, dict):
        return {key: shape(below) for key, below in value.items()}
    found: dict[str, Any] = {}
    for one in value if isinstance(value, list) else ():
        found |= shape(one)
    return {"[]": found} if isinstance(value, list) else {}


def archive() -> dict[str, Any]:
    """Give the schemas of the archive's data without their prose."""
    return {"partie.json": _bare(record.json_schema()), "index.json": _bare(game_index.json_schema())}


def _bare(schema: Any) -> Any:
    if isinstance(schema, dict):
        return {name: _bare(one) for name, one in schema.items() if name == "properties" or not (
            name in ("title", "description", "default", "$id", "$schema") and not isinstance(one, dict))}  # fmt: skip
    return [_bare(one) for one in schema] if isinstance(schema, list) else schema


# -- the contract of games ---------------------------------------------------------------------------------------------


def contract() -> dict[str, Any]:
    """List what an author of a game imports: names, fields, methods and what these take."""
    found = {f"games.api.{name}": one for name, one in vars(api).items() if not name.startswith("_")}
    ours = {name: one for name, one in found.items() if _is_ours(one) or name.split(".")[-1].isupper()}
    for one in (dice.Dice, words.Words, errors.SetupError):
        ours[f"{one.__module__}.{one.__name__}"] = one
    return {name: _promise(one) for name, one in sorted(ours.items())}


def _is_ours(one: Any) -> bool:
    return getattr(one, "__module__", "") == api.__name__ or get_args(one) != ()


def _promise(one: Any) -> Any:
    if inspect.isclass(one):
        ways = {name: way for name, way in vars(one).items() if inspect.isfunction(way) and name[0] != "_"}
        given = [field.name for field in fields(one) if _is_given(field)] if is_dataclass(one) else ()
        return {
            "fields": [*inspect.get_annotations(one)],
            "methods": {name: " ".join(inspect.signature(way).parameters) for name, way in ways.items()},
            "needs": len(given) if is_dataclass(one) else sum(map(_says_nothing, ways.values())),
        }  # fmt: skip
    if inspect.isfunction(one):
        taken = inspect.signature(one).parameters.values()
        return {"takes": [each.name for each in taken], "needs": sum(each.default is each.empty for each in taken)}
    return [str(value) for value in get_args(one) if isinstance(value, str)]


def _is_given(field: Field[Any]) -> bool:
    return field.default is MISSING and field.default_factory is MISSING


def _says_nothing(way: Any) -> bool:
    """Whether a method has nothing but a docstring, so that each game writes it itself."""
    (written,) = ast.parse(textwrap.dedent(inspect.getsource(way))).body
    return isinstance(written, ast.FunctionDef) and all(
        isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant) for one in written.body
    )


# -- the files ---------------------------------------------------------------------------------------------------------


LISTS: Final[dict[str, Callable[[], Any]]] = {
    "commands": commands, "settings": settings, "lines": lines, "archive": archive, "contract": contract,
}  # fmt: skip
"""The lists that need no zine; `printed` is the other one."""


def version() -> str:
    """Give the version that is being made, without its last number."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return str(project["version"]).rpartition(".")[0]


def main() -> None:
    """Write the lists of this version."""
    with tempfile.TemporaryDirectory() as folder:
        found = {**{name: make() for name, make in LISTS.items()}, "printed": printed(Path(folder))}
    shutil.rmtree(FOLDER / version(), ignore_errors=True)
    (FOLDER / version()).mkdir(parents=True)
    for name, one in found.items():
        text = json.dumps(one, indent=1, ensure_ascii=False, sort_keys=True) + "\n"
        (FOLDER / version() / f"{name}.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
