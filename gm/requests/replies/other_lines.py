"""Lines `gm ...` that no mail of ours has offered: what is harmless is answered, all else is named with what to do."""

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Final

from games.api import Text, say
from gm.messages.outgoing import Part, gm_name
from gm.requests.replies.offers import OFFERED, is_for_help
from gm.requests.request import Request
from gm.runtime.errors import Refused

LONGEST: Final = 200
"""So many characters of a line are repeated."""
REPORTED: Final = ("todo", "status", "list", "digest")
"""What these print at the computer is one report by mail."""
_INSTEAD: Final[Mapping[str, str]] = {
    "write": "GM_INSTEAD_WRITE", "join": "GM_INSTEAD_JOIN", "move": "GM_INSTEAD_MOVE",
    "standbys": "GM_INSTEAD_STANDBYS", "show": "GM_INSTEAD_SHOW", "rulings": "GM_INSTEAD_RULE",
    "pause": "GM_INSTEAD_ZAT", "resume": "GM_INSTEAD_ZAT", "players": "GM_INSTEAD_HELP",
}  # fmt: skip
"""A command that is given at the computer -> the sentence about what comes near it by mail."""
_NEAR: Final = 0.8


def answer(request: Request, line: str) -> None:
    """Answer a line that no mail offers: by the report, by the help, or by a sentence that says what works."""
    words = line.split()[1:]
    verb = words[0].casefold() if words else ""
    if not words or is_for_help(words):
        explain(request, is_asked=True)
    elif verb in REPORTED and "--send" not in words:
        report(request)
    elif verb == "mail" and words[1:2] == ["show"] and words[-1].isdecimal():
        _show_mail(request, words[-1], shown(line))
    else:
        request.refuse(_why_not(verb, shown(line)))


def _why_not(verb: str, line: str) -> Text:
    by_mail = {*REPORTED, *OFFERED, "help"}  # all else is for the computer, or no command
    if verb in by_mail | _INSTEAD.keys():
        return say("NO_GM_LINE", line=line, instead=say(_INSTEAD.get(verb, "GM_INSTEAD_HELP")))
    near = get_close_matches(verb, sorted(by_mail), 1, _NEAR)
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


def _show_mail(request: Request, mail_id: str, line: str) -> None:
    """Answer with what a received mail says: a second GM may have no other way to read it."""
    try:
        if request.show_mail:
            sender, language = request.mail.sender, request.language
            request.parts.append(request.show_mail(request.app, request.session, mail_id, sender, language))
    except Refused as error:
        request.refuse(say("GM_REFUSED", line=line, why=error.said_in(request.language)))
        return
    request.applied, request.is_for_gm = True, True


def explain(request: Request, *, is_asked: bool = False) -> None:
    """Answer with what a GM can do by mail; unless it was asked for, because a mail belonged to none of ours."""
    service = request.app.settings.service
    context = {"service": service.name, "gm": gm_name(request.app), "game": "", "is_asked": is_asked}
    if "gm_help" not in [part.template for part in request.parts]:
        request.parts.append(Part(template="gm_help", context=context))
    request.applied, request.refused = request.applied or is_asked, request.refused or not is_asked
