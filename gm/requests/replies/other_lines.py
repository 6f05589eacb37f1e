"""Lines `gm ...` that no mail of ours has offered: what is harmless is answered, all else is named with what to do."""

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Final

from games.api import Text, say
from gm.messages.outgoing import Part, gm_name
from gm.requests.request import Request

LONGEST: Final = 200
"""So many characters of a line are repeated."""
HELP: Final = ("help", "hilfe", "--help", "-h", "?")
REPORTED: Final = ("todo", "status", "list", "digest")
"""What these print at the computer is one report by mail."""
OFFERED: Final[Mapping[str, Sequence[str]]] = {
    "rule": (), "zat": (), "close": (), "release": (), "standby": (), "mail": ("retry", "drop"), "player": ("address",),
    "todo": ("--done",), "upgrade": (),
}  # fmt: skip
"""What a mail of ours may offer: the command, and the word after it where only such a line is offered."""
_INSTEAD: Final[Mapping[str, str]] = {
    "write": "GM_INSTEAD_WRITE", "join": "GM_INSTEAD_JOIN", "move": "GM_INSTEAD_MOVE",
    "standbys": "GM_INSTEAD_STANDBYS", "show": "GM_INSTEAD_SHOW", "rulings": "GM_INSTEAD_RULE",
    "pause": "GM_INSTEAD_ZAT", "resume": "GM_INSTEAD_ZAT", "players": "GM_INSTEAD_HELP",
}  # fmt: skip
"""A command that is given at the computer -> the sentence about what comes near it by mail."""
BY_MAIL: Final = frozenset({*REPORTED, *OFFERED, "help"})
"""What works by mail; all else is for the computer, or no command."""
_NEAR: Final = 0.8


def may_be_offered(words: Sequence[str]) -> bool:
    """Whether some mail of ours offers a line like this one."""
    verb, *rest = (word.casefold() for word in words)
    next_word = rest[0] if rest else ""
    return verb in OFFERED and not is_for_help(words) and (not OFFERED[verb] or next_word in OFFERED[verb])


def is_for_help(words: Sequence[str]) -> bool:
    """Whether a line asks for help, about all or about one command."""
    return any(word.casefold() in HELP for word in words[:2])


def answer(request: Request, line: str) -> None:
    """Answer a line that no mail offers: by the report, by the help, or by a sentence that says what works."""
    words = line.split()[1:]
    verb = words[0].casefold() if words else ""
    if not words or is_for_help(words):
        explain(request, is_asked=True)
    elif verb in REPORTED and "--send" not in words:
        report(request)
    else:
        request.refuse(_why_not(verb, shown(line)))


def _why_not(verb: str, line: str) -> Text:
    if verb in BY_MAIL | _INSTEAD.keys():
        return say("NO_GM_LINE", line=line, instead=say(_INSTEAD.get(verb, "GM_INSTEAD_HELP")))
    near = get_close_matches(verb, sorted(BY_MAIL), 1, _NEAR)
    return say("GM_LINE_MISTYPED", line=line, meant=f"gm {near[0]}") if near else say("GM_LINE_UNKNOWN", line=line)


def shown(line: str) -> str:
    """Shorten a line that is repeated."""
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"


def report(request: Request) -> None:
    """Answer with what waits for the GM and which rounds are due: once, however often it was asked for."""
    made = request.report and request.report(request.app, request.session, request.language)
    if made and made.template not in [part.template for part in request.parts]:
        request.parts.append(made)
    request.applied, request.is_for_gm = True, True


def explain(request: Request, *, is_asked: bool = False) -> None:
    """Answer with what a GM can do by mail; unless it was asked for, because a mail belonged to none of ours."""
    service = request.app.settings.service
    context = {"service": service.name, "gm": gm_name(request.app), "game": "", "is_asked": is_asked}
    if "gm_help" not in [part.template for part in request.parts]:
        request.parts.append(Part(template="gm_help", context=context))
    request.applied, request.refused = request.applied or is_asked, request.refused or not is_asked
