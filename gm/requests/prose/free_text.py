"""What stands beside the commands of a mail: quoted blocks, a move without its title, a name, free text.

A player's words go to the GM. A stranger gets the short help.
"""

from games.api import say
from gm.messages import gm_list, questions
from gm.messages.outgoing import gm_name
from gm.messages.questions import About
from gm.messages.rate_limits import DAY, reached
from gm.requests import status
from gm.requests.declared import by_mail
from gm.requests.moves import filing, unknown_sender
from gm.requests.prose import forwards, strangers, unusable, wishes
from gm.requests.prose.lines_for_gm import lines_for
from gm.requests.replies import other_lines
from gm.requests.request import Request
from gm.runtime.errors import PlayerError
from parsers import commands
from parsers.prose.courtesies import words_for_the_gm
from parsers.prose.wishes import Wish


def take_the_rest(request: Request, *, has_misread: bool) -> None:
    """Look at what stands beside the commands, once those are carried out."""
    has_no_command = not request.parts
    filing.show_quoted(request)
    if request.parts and filing.take_untitled_of_reply(request) and len(request.reading.paragraphs) == 1:
        return
    if request.parts:
        _pass_on_what_stands_beside(request, is_all=has_no_command)
        if request.players and not any(isinstance(one.command, commands.Orders) for one in request.reading.commands):
            forwards.pass_on(request)
    elif not (
        unknown_sender.take_name_as_answer(request)
        or filing.take_untitled(request)
        or unknown_sender.ask_which_game(request)
    ):
        if not has_misread:
            _answer_free_text(request)
        elif request.reading.free_text and request.players:
            _pass_on_and_confirm(request, request.reading.free_text)


@by_mail(commands.ToGm, "TO_GM")
def to_gm(request: Request, command: commands.ToGm) -> None:
    """Put what a player writes to the GM on the GM's list."""
    _pass_on_and_confirm(request, command.text)


def _pass_on_and_confirm(request: Request, text: str) -> None:
    _pass_on(request, text)
    request.pass_on(say("PASSED_ON", gm=gm_name(request.app)))


def _answer_free_text(request: Request) -> None:
    """Answer a mail without any command: a player's words go to the GM, a stranger gets the short help once a day."""
    if not request.players:
        _send_short_help(request)
    elif request.row.size > len(request.row.raw) or request.mail.is_cut:
        unusable.refuse(request, "TOO_LARGE")
    elif request.reading.is_forward:
        unusable.refuse(request, "FORWARDED")
        is_passed_on = forwards.pass_on(request)
        if request.reading.free_text:
            _pass_on(request, request.reading.free_text)
        if request.reading.free_text or is_passed_on:
            request.add(say("PASSED_ON", gm=gm_name(request.app)))
    elif (wish := request.reading.wish) and not (wish.is_harmless or wish.kind in wishes.OF_GM or request.mark):
        _ask_about_wish(request, wish)
    elif request.reading.free_text:
        _take_free_text(request, request.reading.free_text)
    elif request.reading.is_quotation:
        unusable.refuse(request, "NOTHING_BUT_QUOTED")
    elif request.mail.has_attachment:
        _pass_on(request, unusable.attached_in_words(request.app, request.mail))
        unusable.refuse(request, "ATTACHED")
    else:
        unusable.refuse(request, "NOTHING_READ")


def _ask_about_wish(request: Request, wish: Wish) -> None:
    """Ask whether a line is what the words mean; words that can't be granted go to the GM as they are."""
    words = request.reading.free_text
    try:
        wishes.ask(request, wish)
        _pass_on_what_stands_beside(request, is_all=False)
    except PlayerError as error:
        request.refuse(error.text)
        _pass_on(request, words)
        request.add(say("PASSED_ON", gm=gm_name(request.app)))


def _take_free_text(request: Request, text: str) -> None:
    """Put a player's words on the GM's list, unless they came within the last day, and tell the player so.

    Where only a date or a number is new, the GM gets no mail about them: an absence note answers each mail of ours
    with the same words.
    """
    app, session, lines = request.app, request.session, lines_for(request, text)  # which may find out who writes
    player = request.writer or request.players[0]
    if not gm_list.was_passed_on(app, session, player, text, within=DAY, but_numbers=True):
        request.tell_gm("text", text, game=request.game, player=player, lines=lines)
    elif not gm_list.was_passed_on(app, session, player, text, within=DAY):
        gm_list.add_unmailed(app, session, "text", text, About(mail=request.row, player=player))
    if request.mark or request.mail.has_attachment or not wishes.offer_lines(request):
        unusable.pass_on(request)


def _pass_on_what_stands_beside(request: Request, *, is_all: bool) -> None:
    """Put a player's words beside a move or command on the GM's list, once: some write the same below every mail."""
    if not request.players:
        return
    beside = words_for_the_gm(request.reading.prose, request.signatures)
    text = request.reading.free_text if is_all else beside
    if not text or gm_list.was_passed_on(request.app, request.session, request.players[0], text):
        return
    passed_on = [str(entry.question.payload["text"]) for entry in request.for_gm]
    if any(" ".join(text.split()) in " ".join(one.split()) for one in passed_on):
        return  # a command has taken it along
    _pass_on(request, text)
    request.add(say("PASSED_ON_BESIDE", gm=gm_name(request.app)))


def _pass_on(request: Request, text: str) -> None:
    lines, player = lines_for(request, text), request.writer or request.players[0]
    request.tell_gm("text", text, game=request.game, player=player, lines=lines)


def _send_short_help(request: Request) -> None:
    """Explain the service to a stranger, once a day; never to a mail that a program may have written."""
    if not request.mark and questions.is_gm(request.app, request.mail.sender):
        if not forwards.pass_on(request):
            other_lines.explain(request)
        return
    strangers.pass_on(request)
    if not request.mark and not reached(request.app, request.session, "help", request.mail.sender):
        request.parts.append(status.short_help(request))
        request.refused = True
