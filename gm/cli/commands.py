"""The commands of `gm` (interface.md). What they need is imported when they run: `gm --help` must be quick."""

import sys
from typing import NoReturn

# Each module registers its commands; the service's come first in the help.
from gm.cli import service  # noqa: F401

# isort: split
from gm.cli import archive, backup, digest, games, mails, players, words  # noqa: F401
from gm.cli.common import cli
from gm.cli.printing import forgive_terminals, visible
from gm.errors import GmError

__all__ = ["cli", "main"]


def main() -> None:
    """Run `gm`: a refusal is one sentence and exit code 1; no traceback without --debug."""
    debug = "--debug" in sys.argv
    arguments = [argument for argument in sys.argv[1:] if argument != "--debug"]
    forgive_terminals()
    try:
        cli(args=arguments, prog_name="gm", standalone_mode=True)
    except GmError as error:
        if debug:
            raise
        _fail(str(error))
    except (KeyboardInterrupt, BrokenPipeError):
        sys.exit(130)
    except Exception as error:
        if debug:
            raise
        _fail(f"A bug in gm, please report it with the output of --debug: {type(error).__name__}: {error}")


def _fail(sentence: str) -> NoReturn:
    print(f"gm: {visible(sentence)}", file=sys.stderr)
    sys.exit(1)
