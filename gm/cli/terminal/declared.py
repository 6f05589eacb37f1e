"""How a command is declared, beside its function: its words, help group and examples, and whether it works by mail."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Final, TypeVar

import typer
from typer.core import TyperCommand, TyperGroup

PANELS: Final = ("Set up", "Games", "Rounds", "Issues", "Players", "Mail", "Words", "Care")
"""The groups of commands in `gm --help`, in their order."""
BY_MAIL_TOO: Final = "It works by mail as well, from your own address."

Function = TypeVar("Function", bound=Callable[..., None])

_DECLARED: Final[dict[str, tuple[str, typer.Typer]]] = {}
"""The first word of a command -> its help group, and what Typer makes the command of."""
_GROUPS: Final[dict[str, typer.Typer]] = {}
"""The commands with commands below them."""


def command(
    words: str, panel: str, *examples: str, by_mail: bool = False, cls: type[TyperCommand] | None = None
) -> Callable[[Function], Function]:
    """Declare the function below as `gm WORDS`; two words belong to a group. Each example is a line to type."""
    first, _, last = words.rpartition(" ")
    holder = _GROUPS[first] if first else _holder(words, panel)
    return holder.command(last, cls=cls, rich_help_panel=None if first else panel, epilog=_epilog(examples, by_mail))


def group(name: str, panel: str, said: str, *examples: str, callback: Callable[..., None] | None = None) -> None:
    """Declare a command with commands below it; `callback` is carried out where none of them is named."""
    _GROUPS[name] = typer.Typer(
        help=said, epilog=_epilog(examples), callback=callback, invoke_without_command=callback is not None,
        no_args_is_help=callback is None,
    )  # fmt: skip
    _holder(name, panel).add_typer(_GROUPS[name], name=name, rich_help_panel=panel)


def _holder(name: str, panel: str) -> typer.Typer:
    holder = typer.Typer(rich_markup_mode="markdown", add_completion=False)
    _DECLARED[name] = (panel, holder)
    return holder


def _epilog(examples: Sequence[str], by_mail: bool = False) -> str:
    """Write lines that can be typed, for the end of a command's help."""
    mail = [BY_MAIL_TOO] if by_mail else []
    return "\n\n".join(["Examples:", *examples, *mail])


class Made(Mapping[str, Any]):
    """The commands by name, in the order of their groups. Each is made when it is asked for: all take longer."""

    def __init__(self) -> None:
        self._made: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        """Let Typer make a command, once. Raises KeyError."""
        if name not in self._made:
            self._made[name] = typer.main.get_group(_DECLARED[name][1]).commands[name]
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        """List the names."""
        return iter(sorted(_DECLARED, key=lambda name: PANELS.index(_DECLARED[name][0])))

    def __len__(self) -> int:
        """Count them."""
        return len(_DECLARED)


class Commands(TyperGroup):
    """`gm` with all that is declared."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**{**settings, "commands": Made()})


cli = typer.Typer(
    name="gm",
    cls=Commands,
    help="Game master for postal games: reads moves by mail, closes rounds, sends bulletins.",
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
)


# -- what several commands take ----------------------------------------------------------------------------------------


def as_its_owner(config: Path | None) -> Path | None:
    """Return the config that is given, after going on as its owner where we are root."""
    from gm.runtime.config.owner import become_owner
    from gm.runtime.config.settings import default_path

    become_owner(config or default_path())
    return config


Config = Annotated[
    Path | None,
    typer.Option(
        "--config", metavar="FILE", callback=as_its_owner,
        help="The config file (default: $GM_CONFIG, else ./config.toml).",
    ),
]  # fmt: skip
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Name = Annotated[str, typer.Argument(metavar="NAME", help="The game's name.")]
SomeName = Annotated[str | None, typer.Argument(metavar="NAME", help="One game; else all.")]
NameUnlessAll = Annotated[str | None, typer.Argument(metavar="NAME", help="The game's name.")]
All = Annotated[bool, typer.Option("--all", help="All games.")]
Player = Annotated[str, typer.Argument(metavar="PLAYER", help="A player's name, in quotes if it has blanks.")]
Yes = Annotated[bool, typer.Option("--yes", help="Don't ask.")]
