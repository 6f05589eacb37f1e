"""The commands of `gm` (interface.md). What they need is imported when they run: `gm --help` must be quick."""

import atexit
import gc
import sys
from collections.abc import Sequence
from typing import Annotated, Final, NoReturn

import typer

# Each module declares its commands, which stand in the help in this order.
from gm.cli import games, state  # noqa: F401  isort: skip
from gm.cli import closing, issue, mails, maintenance, players, service, words, writing  # noqa: F401
from gm.cli.terminal.declared import cli
from gm.cli.terminal.printing import flushed_output, tolerate_terminals
from gm.runtime.harmful_characters import visible

__all__ = ["cli", "main"]


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version
        from platform import python_version

        from gm.store.schema import HEAD

        print(f"gm {version('postal-gm')} (Python {python_version()}, database schema {HEAD})")
        raise typer.Exit


@cli.callback()
def gm(
    context: typer.Context,
    _version: Annotated[
        bool, typer.Option("--version", help="Print the versions.", is_eager=True, callback=_print_version)
    ] = False,
) -> None:
    """Game master for postal games: reads moves by mail, closes rounds, sends bulletins. Alone: what today brings."""
    if context.invoked_subcommand is None:
        state.show_today()


GARBAGE: Final = 200_000
"""Objects before garbage is collected. With Python's default, imports and the exit took a third longer."""

LONGEST: Final = 200
"""Letters of an argument that an error message repeats."""


def main() -> None:
    """Run `gm`: a refusal is one sentence and exit code 1; no traceback without --debug."""
    gc.set_threshold(GARBAGE)
    atexit.register(gc.freeze)
    debug = "--debug" in sys.argv
    arguments = [argument for argument in sys.argv[1:] if argument != "--debug"]
    if arguments[:1] == ["help"]:  # as by mail
        arguments = [*arguments[1:], "--help"]
    tolerate_terminals()
    try:
        with flushed_output():
            cli(args=arguments, prog_name="gm", standalone_mode=True)
    except (KeyboardInterrupt, BrokenPipeError):
        sys.exit(130)
    except Exception as error:  # noqa: BLE001  the last place
        _fail(_sentence(error, arguments), error if debug else None)


def _sentence(error: Exception, arguments: Sequence[str]) -> str:
    """Say what was wrong: what is understood says so itself, anything else is a bug."""
    from gm.runtime.errors import GmError
    from gm.runtime.tracebacks import described

    if isinstance(error, GmError):
        return _shortened(str(error), arguments)
    return f"A bug in gm, please report it with the output of --debug: {described(error)}."


def _shortened(sentence: str, arguments: Sequence[str]) -> str:
    """Name an argument of thousands of letters by its beginning."""
    for one in filter(lambda argument: len(argument) > LONGEST, arguments):
        sentence = sentence.replace(one, f"{one[:LONGEST]}…")
    return sentence


def _fail(sentence: str, error: Exception | None) -> NoReturn:
    if error is not None:
        from gm.runtime.tracebacks import trace

        print(visible(trace(error)), file=sys.stderr)
    print(f"gm: {visible(sentence)}", file=sys.stderr)
    sys.exit(1)
