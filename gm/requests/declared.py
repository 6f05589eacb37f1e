"""Commands by mail: each is declared once, beside the function that carries it out.

The declaration has the command's code, what stands behind its word, what it changes and who may send it. Its words are
in the catalogues (`commands.toml` of `templates/words`), by the same code.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from pkgutil import walk_packages
from typing import Any, Final, Literal, TypeVar

from games import engines
from games.api import LANGUAGES, Language
from gm.messages.mail_commands import catalogue, short_words
from gm.requests.request import Request
from parsers.commands import Command
from parsers.lines.command_table import MAX_COMMAND, CommandTable, Making, Row
from parsers.lines.names import Names, names_of

Handler = TypeVar("Handler", bound=Callable[[Request, Any], None])
Sender = Literal["player", "anybody", "gm"]


@dataclass(frozen=True, kw_only=True)
class Declared:
    """A command by mail."""

    code: str
    kind: type[Command]
    carry_out: Callable[[Request, Any], None]
    takes: "Making | None"
    """Reads what stands behind the command's word; None where the parser finds it otherwise, as a move."""
    changes: bool
    """Whether it does something in the sender's name. What only shows something needs no proof, and is done once."""
    sender: Sender
    """`anybody`: strangers too; what would make a new player asks them first."""
    goes_on: bool
    """Words may stand behind it in the same line."""
    longest: int


_DECLARED: Final[dict[str, Declared]] = {}


def by_mail(
    kind: type[Command], code: str, *, takes: "Making | None" = None, changes: bool = True, sender: Sender = "player",
    goes_on: bool = False, longest: int = MAX_COMMAND,
) -> Callable[[Handler], Handler]:  # fmt: skip
    """Declare the function below as what carries out the command `code`, which reads as a `kind`.

    A line may have `longest` characters; where that is more than usual, it ends in free text.
    """

    def declare(carry_out: Handler) -> Handler:
        _DECLARED[code] = Declared(
            code=code, kind=kind, carry_out=carry_out, takes=takes, changes=changes, sender=sender, goes_on=goes_on,
            longest=longest,
        )  # fmt: skip
        return carry_out

    return declare


@cache
def declared() -> Mapping[str, Declared]:
    """Return all commands by their codes, whichever module of this room declares them."""
    package = import_module("gm.requests")
    for module in walk_packages(package.__path__, "gm.requests."):
        import_module(module.name)
    return dict(sorted(_DECLARED.items()))


@cache
def by_kind() -> Mapping[type[Command], Declared]:
    """Return the declaration for each kind of command; of several codes that read as one kind, any."""
    return {one.kind: one for one in declared().values()}


def changes(command: Command) -> bool:
    """Whether a command does something in the sender's name; what isn't declared doesn't."""
    found = by_kind().get(type(command))
    return found is not None and found.changes


def all_names(games: frozenset[str] | None = None) -> Names:
    """Return what the parser must know: titles, commands, and the names of all games, small, where they are known."""
    return replace(names_of([engine.rules for engine in engines().values()], command_table()), games=games)


@cache
def command_table() -> CommandTable:
    """Make the rows of all commands, in both languages; one where both have the same line."""
    rows = [
        _row(declared()[code], language, entry)
        for language in LANGUAGES for code, entry in catalogue(language).items() if "spellings" in entry
    ]  # fmt: skip
    return CommandTable(
        [row for at, row in enumerate(rows) if row.language or row not in rows[:at]],
        {language: short_words(language) for language in LANGUAGES},
    )


def _row(one: Declared, language: Language, entry: Mapping[str, Any]) -> Row:
    assert one.takes is not None, f"{one.code} has spellings, so its declaration says what it takes"
    line = (entry["spellings"], entry.get("example"))
    is_shared = all(line == (found["spellings"], found.get("example"))
                    for found in (catalogue(other)[one.code] for other in LANGUAGES))  # fmt: skip
    return Row(
        language=None if is_shared else language, spellings=tuple(entry["spellings"]), make=one.takes,
        argument=entry.get("example", ""), is_sign_up=one.goes_on, is_exact=entry.get("exact", False),
        longest=one.longest,
    )  # fmt: skip
