"""The lines with which the GM does what a player's words wish, or what a mail says that somebody forwards."""

from collections.abc import Iterator, Sequence
from typing import Final

from gm.game.people import access
from gm.messages.gm_list import Offer
from gm.requests.declared import all_names
from gm.requests.preferences import zat_lines
from gm.requests.prose import wishes
from gm.requests.request import Request
from gm.runtime.errors import PlayerError
from parsers import commands
from parsers.lines.command_lines import read_command
from parsers.prose.wishes import Wish, read_wish, topic_of

NOBODY: Final = "NAME"
"""Stands for a player who isn't known, or is one of several."""


def lines_for(request: Request, text: str) -> Sequence[Offer]:
    """Write the lines that grant what words wish; none where they wish nothing that only the GM grants."""
    lines = text.splitlines()
    wish = request.reading.wish or topic_of(lines, all_names())
    if wish and wish.kind in wishes.OF_GM:
        return [("player", wishes.OF_GM[wish.kind], _writer(request))]
    names = frozenset(game.name_key for game in access.games_of(request.session, request.players))
    said = read_wish(lines, all_names(names), names)
    return list(for_wish(request, said)) if said else []


def _writer(request: Request) -> str:
    """Name the writer. Of two who share an address the GM has to find out who wrote."""
    try:
        return request.find_writer().name
    except PlayerError:
        return NOBODY


def for_wish(request: Request, wish: Wish) -> Iterator[Offer]:
    """Write the lines that give more time, for each game that may be meant."""
    if wish.kind != "extension":
        return
    try:
        lines = [wishes.line_for(request, wish)]
    except wishes.WhichGame as which:
        lines = which.lines
    except PlayerError:
        return
    for line in lines:
        said = read_command(line, all_names())
        if said and isinstance(said.command, commands.Extension):
            yield from zat_lines(request.app, request.session, said.command)
