"""Writes docs/reference: every command, every setting, every line by mail and every provider, as the program has them.

`make docs` runs it. `tests/test_docs.py` compares the pages with `pages()`, so that none goes stale.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, get_args, get_origin

import typer.main
from pydantic.fields import FieldInfo

from games import example
from games.api import Language
from gm.cli.commands import cli
from gm.cli.terminal.declared import BY_MAIL_TOO, PANELS
from gm.messages.mail_commands import help_lines
from gm.requests.declared import all_names, command_table
from gm.runtime.config import passwords, settings
from gm.runtime.config.values import Section
from gm.service.setup.providers import PROVIDERS
from parsers.lines.command_table import Row

FOLDER: Final = Path(__file__).parent / "reference"
ROOT: Final = FOLDER.parents[1]
WRITTEN: Final = "Written by `make docs` from the program itself; a test compares.\n\n"


def pages() -> dict[str, str]:
    """Write all pages: name of the file -> text."""
    return {
        "commands.md": _commands(), "config.md": _config(), "mail.md": _mail(), "providers.md": _providers(),
    }  # fmt: skip


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Write a table; a bar in a cell would begin another one, and what looks like a tag of HTML would be gone."""
    lines = [head, ["---"] * len(head), *([_cell(one) for one in row] for row in rows)]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def _cell(text: str) -> str:
    code = re.split(r"(`[^`]*`)", text.replace("|", "\\|"))
    return "".join(piece if piece.startswith("`") else piece.replace("<", "\\<") for piece in code)


def _one_line(text: str | None) -> str:
    return " ".join((text or "").split())


# -- the command line -------------------------------------------------------------------------------------------------


ABOUT_COMMANDS: Final = """\
Every command takes `--config FILE` (default: `$GM_CONFIG`, else `./config.toml`) and `--help`; those that list or show
take `--json`, and `--debug` shows where a fault came from. On a terminal `gm close` (where moves are missing),
`gm abort`, `gm player forget` and `gm player merge` show what would happen and ask; `--yes` answers. Without a terminal
`gm close` goes on, and the others need `--yes`. Exit code 0: done; 1: refused, with a line that says why and what to
do; 2: a wrong command line. Commands queue mails, `gm serve` delivers them.
"""


def _commands() -> str:
    """Write every command with its examples, arguments and options, in the groups of `gm --help`."""
    every = dict(_walk("", typer.main.get_command(cli)))
    text = f"# Every command\n\n{WRITTEN}{ABOUT_COMMANDS}"
    for title in PANELS:
        known = [name for name in every if every[name.split()[0]].rich_help_panel == title]
        text += f"\n## {title}\n" + "".join(_command(name, every[name]) for name in known)
    return text


def _walk(path: str, command: Any) -> Iterator[tuple[str, Any]]:
    """Go through all commands, those of a group behind it; without the word `gm`."""
    for name, one in getattr(command, "commands", {}).items():
        yield f"{path}{name}", one
        yield from _walk(f"{path}{name} ", one)


def _command(path: str, command: Any) -> str:
    """Write a command: how it is typed, what it does, two examples, what may stand behind it."""
    shown = [one for one in command.params if not one.hidden and one.name not in ("config", "help")]
    arguments = [one for one in shown if one.param_type_name == "argument"]
    options = [one for one in shown if one.param_type_name != "argument"]
    usage = ["gm", path, *(argument_shown(one) for one in arguments), *(["[OPTIONS]"] if options else [])]
    rows = [(f"`{argument_shown(one)}`", _one_line(one.help)) for one in arguments]
    rows += [(f"`{option_shown(one)}`", _one_line(one.help)) for one in options]
    text = f"\n### gm {path}\n\n`{' '.join(usage)}`\n\n{_paragraphs(command.help)}\n"
    text += "\n```sh\n" + "".join(f"{line}\n" for line in examples_of(command)) + "```\n"
    text += f"\n{BY_MAIL_TOO}\n" if BY_MAIL_TOO in command.epilog else ""
    return text + (f"\n{_table(('', ''), rows)}" if rows else "")


def examples_of(command: Any) -> list[str]:
    """List the lines to type that a command's help ends with."""
    return [line for line in command.epilog.split("\n\n") if line.startswith("gm ")]


def argument_shown(one: Any) -> str:
    """Write an argument as one types it, in brackets where it may be left out."""
    name = str(one.metavar or one.name.upper())
    return name if one.required else f"[{name}]"


def option_shown(one: Any) -> str:
    """Write an option, with what stands behind it: its placeholder, or its choices or kind."""
    names, kind = ", ".join(sorted(one.opts, key=len)), one.type_descriptor
    if one.is_flag:
        return names
    otherwise = "NUMBER" if kind.annotation in (int, float) else "TEXT"
    return f"{names} {one.metavar or ('|'.join(map(str, kind.choices)) if kind.is_choice else otherwise)}"


def _paragraphs(text: str | None) -> str:
    """Write help as paragraphs, each in one line."""
    return "\n\n".join(_one_line(one) for one in (text or "").split("\n\n"))


# -- config.toml ------------------------------------------------------------------------------------------------------

KEY: Final = re.compile(r"(?:# )?(?P<key>\w+) = (?P<value>\"[^\"]*\"|\[[^\]]*\]|\w+) *(?:#(?P<note>.*))?")


def _config() -> str:
    """Write every setting: what is allowed, the default, and what it is for."""
    example = (ROOT / "config.example.toml").read_text(encoding="utf-8")
    notes = dict(_notes(example))
    text = "# Every setting\n\n" + WRITTEN + (
        "[config.example.toml](../../config.example.toml) is the whole file with its comments. Only `service.address`, "
        "`service.gm`, `imap.host` and `smtp.host` are needed. Unknown keys and wrong values are refused at start, "
        "with the key, the value and what is allowed.\n"
    )  # fmt: skip
    for name, section in settings.SECTIONS.items():
        text += _section(name, section, notes)
    return text


def _notes(example: str) -> Iterator[tuple[str, str]]:
    """Read what the example says of each key: at the end of its line, in lines above it, and below it in small."""
    section, above = "", list[str]()
    for line in example.splitlines():
        head, found = re.match(r"(?:# )?\[(\w+)\]", line), KEY.fullmatch(line)
        if head:
            section, above = head[1], []
        elif found:
            yield f"{section}.{found['key']}", " ".join([_note(found["note"] or ""), *above]).strip()
            above = []
        elif line.startswith("#") and section and not line.startswith("#    "):
            above.append(line.lstrip("# "))


def _note(note: str) -> str:
    """Leave out of a note what other columns say: the choices, the default."""
    return re.sub(r";? ?default: .*|^ *\w+( \| [\w ]+)+(: |$)", "", note).strip()


def _section(name: str, section: type[Section], notes: Mapping[str, str]) -> str:
    rows = []
    for key, field in section.model_fields.items():
        keys = ", ".join(f"`{one}`" for one in passwords.keys_of(key))
        note = notes.get(f"{name}.{key}") or _note_of_login(key, notes)
        rows.append((keys, _allowed(field), _default(field), note))
    table = _table(("key", "allowed", "default", "what for"), rows)
    return f"\n## [{name}]\n\n{_paragraphs(section.__doc__)}\n\n{table}"


def _note_of_login(key: str, notes: Mapping[str, str]) -> str:
    """Say what the example says once for both servers."""
    if key in passwords.SECRETS:
        return "one of these: the text itself, an environment variable, a file"
    return notes.get(f"imap.{key}", "")


def _allowed(field: FieldInfo) -> str:
    """Say what is allowed, as an error would."""
    is_list = get_origin(field.annotation) is tuple
    one = FieldInfo.from_annotation(get_args(field.annotation)[0]) if is_list else field
    what = one.description or " | ".join(f'"{value}"' for value in get_args(one.annotation) if isinstance(value, str))
    return f"a list, each of it {what}" if is_list else what


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return "needed"
    value = field.default
    if isinstance(value, tuple):
        return f"`[{', '.join(_written(one) for one in value)}]`"
    return f"`{_written(value)}`" if str(value or "") or value is False else ""


def _written(value: Any) -> str:
    """Write a value as in the file."""
    if isinstance(value, bool | int):
        return str(value).lower()
    if (seconds := getattr(value, "total_seconds", lambda: None)()) is not None:
        value = f"{seconds // 86400:.0f}d" if seconds > 86400 and seconds % 86400 == 0 else f"{seconds / 3600:.0f}h"
    shown = value.strftime("%H:%M") if hasattr(value, "strftime") else str(value)
    return f'"{shown}"'


# -- lines by mail ----------------------------------------------------------------------------------------------------


def _help(language: Language) -> list[tuple[str, list[tuple[str, str]]]]:
    """Write the lines of a language's help, for a game of the reader's."""
    gm = {"de": "die Spielleitung", "en": "the GM"}[language]
    how = {
        "de": "dein Text an alle Mitspieler",
        "en": "your text to all players: with `chat` at once, else in the next bulletin",
    }[language]
    title = example().rules.title
    return help_lines(language, game="Eriwan", title=title, explained=title, gm=gm, how=how)


def _mail() -> str:
    """Write every line that players and the GM can send."""
    text = "# Every line by mail\n\n" + WRITTEN + (
        "A command stands alone on a line of the mail, or is the whole subject; capitals don't matter, greetings and "
        "signatures do no harm. The answer is in the language of the command. Moves: see the rules of each game.\n"
    )  # fmt: skip
    for (german, de), (english, en) in zip(_help("de"), _help("en"), strict=True):
        rows = [(f"`{one}`", f"`{other}`", what) for (one, _), (other, what) in zip(de, en, strict=True)]
        text += f"\n## {german} · {english}\n\n{_table(('Deutsch', 'English', 'what it does'), rows)}"
    also = [(f"`{_example(row)}`", LANGUAGES[row.language]) for row in command_table().rows if not _is_in_help(row)]
    text += f"\n## Also understood\n\n{_table(('line', 'language'), also)}" if also else ""
    every = _walk("", typer.main.get_command(cli))
    lines = [(f"`gm {words}`", _one_line(one.help)) for words, one in every if BY_MAIL_TOO in one.epilog]
    return f"{text}{GM_LINES}{_table(('line', 'what it does'), lines)}"


GM_LINES: Final = """
## The game master's lines

What the GM writes in reply to a player's mail that we sent on reaches that player. `An alle Eriwan:` (`To all Eriwan:`)
with a text below goes to all players of a game, `An alle:` to all who play; a question with the number of readers comes
first. `An Anna Berg:` goes to one player, whose address may stand there instead where a name can mean two. The lines
below may be sent back in answer to a mail of ours that offers them, as it offers them; they mean what they mean on the
command line. `gm todo`, `gm status`, `gm list` and `gm digest` are answered at any time, with what waits and the next
rounds, and so is `gm mail show 12`. `gm help` is answered with what works by mail; any other line is answered with what
comes next.

"""


def _example(row: Row) -> str:
    return row.example(all_names())


def _is_in_help(row: Row) -> bool:
    """Whether the help mail has a line of its own for a command."""
    lines = [line for _, rows in (*_help("de"), *_help("en")) for line, _ in rows]
    return any(f"{line} ".casefold().startswith(f"{row.shown} ".casefold()) for line in lines)


LANGUAGES: Final = {"de": "Deutsch", "en": "English", None: "both"}


# -- providers --------------------------------------------------------------------------------------------------------


def _providers() -> str:
    """Write the providers whose servers `gm init` knows."""
    rows = [
        (one.name, ", ".join(one.domains.split()), *map(str, one.servers), one.hint, _trusted(one.below))
        for one in PROVIDERS
    ]
    head = ("provider", "addresses at", "IMAP", "SMTP", "first", "`trusted_authserv`")
    what = "What `gm init` knows by an address or a provider's name.\n\n"
    return f"# Mail providers\n\n{WRITTEN}{what}{_table(head, rows)}"


def _trusted(below: str) -> str:
    return ", ".join(f'`"{name} below"`' for name in below.split())


if __name__ == "__main__":
    for name, text in pages().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
