"""Writing to players: `gm write`."""

import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Annotated, Final

import typer

from gm.cli.games import read_text
from gm.cli.terminal.declared import Config, command
from gm.cli.terminal.printing import refuse, say
from gm.cli.terminal.zine import QUEUED, opened

BELOW: Final = "\n# Write your text above this line; what stands below is not sent.\n# It goes to {}.\n"


@command("write", "Mail", "gm write Eriwan letter.txt", 'gm write "Anna Berg" letter.txt')
def write(
    who: Annotated[str, typer.Argument(metavar="all|GAME|PLAYER", help="Whom to write to.")],
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="The text; - or nothing: stdin, on a terminal your editor.")
    ] = None,
    subject: Annotated[str, typer.Option(help="The subject; without one it says that you write.")] = "",
    config: Config = None,
) -> None:
    """Write to a player, to all of a game (spectators too), or to all players of open and running games."""
    from gm.requests.replies import letters

    with opened(config) as app:
        with app.database.read() as session:
            readers = letters.find_readers(session, who)
            named = readers.named
        text = _text(file, named)
        with app.database.read() as session:
            letters.check(session, text)
        with app.database.write() as session:
            readers = letters.find_readers(session, who)
            sent = letters.write(app, session, readers, text, " ".join(subject.split()))
    say(f"Queued for {named} ({sent} {'mail' if sent == 1 else 'mails'}). {QUEUED}")


def _text(file: Path | None, named: str) -> str:
    """Take the text from a file, else from stdin, on a terminal from the editor. Raises Refused."""
    if file is None and sys.stdin.isatty():
        return _edited(BELOW.format(named)).partition(BELOW.partition("{}")[0])[0]
    return read_text(file)


def _edited(text: str) -> str:
    """Let the GM edit a text with $VISUAL or $EDITOR. Raises Refused where that fails."""
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
    with tempfile.TemporaryDirectory() as folder:
        draft = Path(folder) / "letter.txt"
        draft.write_text(text, encoding="utf-8")
        try:
            subprocess.run([*shlex.split(editor), str(draft)], check=True)
            return draft.read_text(encoding="utf-8")
        except (OSError, ValueError, subprocess.CalledProcessError) as error:
            refuse(f"The editor '{editor}' can't be used ({error}); set $EDITOR, or name a FILE.", error)
