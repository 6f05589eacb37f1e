"""The commands in groups, each with its line in the list of commands and two examples: the one table of them.

A command that isn't in the table stands under "More", without examples.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple, TypeVar

import typer
from typer.core import TyperCommand, TyperGroup

Command = TypeVar("Command", bound=Callable[..., Any])


class Entry(NamedTuple):
    """What help says of a command beside what the command itself says."""

    line: str
    examples: tuple[str, str]


def _entries(*rows: tuple[str, str, str, str]) -> Mapping[str, Entry]:
    return {path: Entry(line, (first, second)) for path, line, first, second in rows}


GROUPS: Final[Mapping[str, Mapping[str, Entry]]] = {
    "Set up": _entries(
        ("demo", "play a whole game with scripted players; needs nothing", "gm demo", "gm demo --keep look"),
        ("init", "ask for the mailbox and write config.toml", "gm init", "gm init ~/zine --address zug@example.org"),
        ("login", "log in to Gmail or Microsoft 365 (OAuth2)", "gm login", "gm login --browser"),
        ("doctor", "check everything the service needs", "gm doctor", "gm doctor --probe"),
        ("serve", "run the service", "gm serve", "gm serve --once"),
    ),
    "Games": _entries(
        ("new", "open a game for sign-up", "gm new GAME Eriwan", "gm new GAME Jalta --zat 7d --autostart"),
        ("join", "seat a player by hand", 'gm join Eriwan "Anna Berg" anna@example.org',
         'gm join Eriwan "Anna Berg" anna@example.org --wish D'),
        ("start", "start a game", "gm start Eriwan", "gm start Jalta"),
        ("list", "list the games, first those that need you", "gm list", "gm list --json"),
        ("show", "show a game as spectators, or as one seat sees it", "gm show Eriwan", "gm show Eriwan --seat anna"),
        ("abort", "end a game without a result", 'gm abort Eriwan --why "Too few are left."',
         'gm abort Eriwan --why "Too few are left." --yes'),
        ("verify", "replay games and compare every position and score", "gm verify", "gm verify Eriwan"),
    ),
    "Rounds": _entries(
        ("move", "enter a move that came by post or telephone", "gm move Eriwan anna move.txt",
         "gm move Eriwan anna --withdraw"),
        ("close", "close the round now", "gm close Eriwan --dry-run", "gm close Eriwan"),
        ("release", "send a bulletin that waits for you", "gm release Eriwan",
         "gm release Eriwan --foreword foreword.txt"),
        ("zat", "show the deadline or move it", "gm zat Eriwan +3d --why Ostern", "gm zat Eriwan 24.12. 20:00"),
        ("pause", "stop the clock of a game, or of all", "gm pause Eriwan 14d",
         "gm pause --all --from 20.12. --to 6.1. --why Weihnachten"),
        ("resume", "let a paused game go on", "gm resume Eriwan", "gm resume --all"),
        ("undo", "take the last closing back", "gm undo Eriwan", "gm undo Jalta"),
    ),
    "Issues": _entries(
        ("issue", "the issue that prints all evaluations", "gm issue calendar",
         "gm issue build"),
        ("issue calendar", "the issues of a year, and what clashes", "gm issue calendar",
         "gm issue calendar --ics site/issues.ics"),
        ("issue move", "move an issue, and the ZATs of its games", "gm issue move 103 +7d --why Ostern",
         "gm issue move 103 2026-12-16"),
        ("issue build", "make the pages of an issue", "gm issue build", "gm issue build 103 --corrected"),
        ("issue send", "send an issue to its readers, once each", "gm issue send", "gm issue send 103 --json"),
    ),
    "Players": _entries(
        ("players", "list the players", "gm players", "gm players --json"),
        ("player", "one player: show, rename, address, names, forget", "gm player show anna",
         "gm player address anna anna@example.net"),
        ("player show", "all that is known of a player", "gm player show anna", 'gm player show "Anna Berg" --json'),
        ("player rename", "give a player another name", 'gm player rename anna "Anna Bergmann"',
         'gm player rename "Anna Berg" "Anna Bergmann"'),
        ("player address", "send a player's mails to another address", "gm player address anna anna@example.net",
         "gm player address anna anna@example.org --remove"),
        ("player names", "how much of a name the archive shows", "gm player names anna pseudonym",
         "gm player names anna house"),
        ("player bundle", "one mail a day for a player", "gm player bundle anna 18:00", "gm player bundle anna off"),
        ("player forget", "erase a player everywhere", 'gm player forget "Anna Berg"',
         'gm player forget "Anna Berg" --yes'),
        ("standby", "put a standby into a seat", "gm standby Eriwan anna",
         'gm standby Eriwan anna "Gerda Hahn" gerda@example.org'),
        ("standbys", "the standby list: add, list, remove", "gm standbys list",
         'gm standbys add "Gerda Hahn" gerda@example.org'),
        ("standbys add", "put a player on the list", 'gm standbys add "Gerda Hahn" gerda@example.org',
         'gm standbys add "Gerda Hahn" gerda@example.org GAME'),
        ("standbys list", "who is on it, in order", "gm standbys list", "gm standbys list --json"),
        ("standbys remove", "take a player off the list", "gm standbys remove gerda",
         'gm standbys remove "Gerda Hahn"'),
    ),
    "Mail": _entries(
        ("todo", "what waits for you, and the line to type", "gm todo", "gm todo --done ABCD"),
        ("mail", "the log of mails: list, show, retry, drop, prune", "gm mail", "gm mail show 12"),
        ("mail list", "the mails, newest last", "gm mail list --since 3d", "gm mail list --search anna"),
        ("mail show", "one mail, received or sent", "gm mail show 12", "gm mail show o7 --raw"),
        ("mail retry", "handle or send a mail once more", "gm mail retry 12", "gm mail retry --all --since 3d"),
        ("mail drop", "put a mail aside", "gm mail drop 12", "gm mail drop o7"),
        ("mail prune", "remove the text of old mails", "gm mail prune --older 2y", "gm mail prune --older 18m"),
        ("write", "write to all, to a game's players, or to one", "gm write Eriwan letter.txt",
         'gm write "Anna Berg" letter.txt'),
        ("digest", "print or send the weekly digest", "gm digest", "gm digest --send"),
    ),
    "Words": _entries(
        ("words", "what the lexicon says: check, info, suggest", "gm words check KANU", "gm words suggest DNTIRO"),
        ("words check", "whether words count, and why", "gm words check KANU TONNE",
         "gm words check KANU --profile duden"),
        ("words info", "which lexicon judges here", "gm words info", "gm words info --json"),
        ("words suggest", "the words that letters allow", "gm words suggest DNTIRO", "gm words suggest DNTIR?"),
        ("rule", "rule on doubtful words and appeals", "gm rule Eriwan accept KANU",
         'gm rule Eriwan reject KANU --note "No noun." --house'),
        ("rulings", "list the rulings", "gm rulings", "gm rulings Eriwan"),
    ),
    "Care": _entries(
        ("status", "how the service is: mail, queues, deadlines", "gm status", "gm status --json"),
        ("backup", "copy the zine while the service runs", "gm backup copy.db",
         "gm backup zine.tar.gz --all --secrets"),
        ("restore", "put a copy in its place", "gm restore copy.db", "gm restore zine.tar.gz ~/zine"),
        ("migrate", "move to another database", "gm migrate sqlite:///other.db",
         "gm migrate postgresql+psycopg://gm@localhost/zine"),
        ("upgrade", "what an upgrade would change, and let a game go on", "gm upgrade --rehearse",
         "gm upgrade Eriwan"),
        ("archive", "write the archive of pages", "gm archive site", "gm archive site --full"),
    ),
}  # fmt: skip
"""Group -> command -> its entry. A sub-command stands in the group of its command."""

ENTRIES: Final[Mapping[str, Entry]] = {path: one for group in GROUPS.values() for path, one in group.items()}
OTHERS: Final = "More"


NUMBERS: Final = (int, float)
RANGE: Final = re.compile(r"\[(?:[0-9]+<=)?x[<>]=[0-9]+\]|; (?:[0-9]+<=)?x[<>]=[0-9]+(?=\])")
"""A range as Typer writes it: `[1<=x<=65535]`, or behind a default."""


def argument_shown(one: Any) -> str:
    """Write an argument as one types it, in brackets where it may be left out."""
    name = str(one.metavar or one.name.upper())
    return name if one.required else f"[{name}]"


def option_shown(one: Any) -> str:
    """Write an option, with what stands behind it: its placeholder, or its choices or kind."""
    names, kind = ", ".join(sorted(one.opts, key=len)), one.type_descriptor
    if one.is_flag:
        return names
    otherwise = "NUMBER" if kind.annotation in NUMBERS else "TEXT"
    return f"{names} {one.metavar or ('|'.join(map(str, kind.choices)) if kind.is_choice else otherwise)}"


class HelpfulCommand(TyperCommand):
    """A command whose help has the words of its users, no types of the program."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return what may stand behind the command's name."""
        return ["[OPTIONS]", *(argument_shown(one) for one in self._params(ctx, "argument"))]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments and the options, each with its line."""
        for title, kind, shown in (("Arguments", "argument", argument_shown), ("Options", "option", option_shown)):
            rows = [(shown(one), _said(one, ctx)) for one in self._params(ctx, kind)]
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)

    def _params(self, ctx: Any, kind: str) -> list[Any]:
        shown: list[Any] = self.get_params(ctx)
        return [one for one in shown if one.param_type_name == kind and not one.hidden]


def _said(one: Any, ctx: Any) -> str:
    """Write what help says of an argument or option: no range, which refusals name, and what is needed in words."""
    text = RANGE.sub("", one.get_help_record(ctx)[1])
    return text.replace("[required]", "(needed)" if one.param_type_name == "option" else "").strip()


class HelpfulApp(typer.Typer):
    """A Typer app whose commands have such help."""

    def command(self, name: str | None = None, **more: Any) -> Callable[[Command], Command]:
        """Register a command."""
        return super().command(name, cls=HelpfulCommand, **more)


class HelpfulGroup(TyperGroup):
    """A group of commands whose help is in the order of the table, each command on one line and with its examples."""

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Find a command; what the table says goes into its help."""
        command = super().get_command(ctx, cmd_name)
        entry = ENTRIES.get(" ".join((*_path(ctx), cmd_name)))
        if command is not None and entry is not None:
            command.short_help = entry.line
            command.epilog = "\b\nExamples:\n" + "\n".join(f"  {line}" for line in entry.examples)
        return command

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the commands, the first level in its groups."""
        commands = {name: command for name in self.list_commands(ctx) if (command := self.get_command(ctx, name))}
        room = formatter.width - 6 - max(map(len, commands))
        for title, names in [*_grouped([*commands])] if not _path(ctx) else [("Commands", [*commands])]:
            with formatter.section(title):
                formatter.write_dl([(name, commands[name].get_short_help_str(room)) for name in names])


def _path(ctx: Any) -> list[str]:
    """Return the words of a command behind `gm`."""
    return list(ctx.command_path.split()[1:])


def _grouped(names: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Share commands out to the groups, in the order of the table."""
    for title, entries in GROUPS.items():
        if known := [name for name in entries if name in names]:
            yield title, known
    if others := [name for name in names if name not in ENTRIES]:
        yield OTHERS, others
