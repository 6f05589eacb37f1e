"""Yes and no in people's own words: an answer only where the mail carries a question's code or replies to it.

Elsewhere "ok" is prose. What answers a question of ours and is neither yes nor no leaves it open: the words go to the
GM, and the sender is told how to answer.
"""

import re
from collections.abc import Sequence, Set
from dataclasses import replace
from typing import Final

from games.api import say
from gm.messages import gm_list, questions
from gm.messages.outgoing import gm_name
from gm.messages.questions import About
from gm.requests import joining
from gm.requests.declared import all_names
from gm.requests.desk.players import NEW_ADDRESS
from gm.requests.moves import blocks, our_reading
from gm.requests.prose import line_questions, wishes
from gm.requests.reading import read_received
from gm.requests.replies import letters, offered_lines
from gm.requests.request import Request
from gm.store.queries import question_queries
from gm.store.tables import MailIn, Question
from parsers import commands
from parsers.lines.command_lines import ReadCommand
from parsers.mime.message import read_mail
from parsers.prose.answer_phrases import Topic
from parsers.prose.answers import read_answer
from parsers.prose.courtesies import FAREWELL, GREETING
from parsers.reading import read_lines

INVITING: Final = (joining.NEWCOMER, question_queries.OFFER, question_queries.READING)
"""Kinds of questions that invite to something."""
FINAL: Final = (NEW_ADDRESS, letters.KIND)
"""Kinds of questions whose yes can't be taken back."""
LEAVING: Final = (commands.Resign, commands.Withdraw, commands.NewAddress, commands.ToAll)
"""Commands that can't be."""
THANKS: Final = re.compile(r"\b(?:dank|thank)", re.IGNORECASE)
OF_A_SEAT: Final[Set[Topic]] = frozenset(["seat"])
OF_A_READING: Final[Set[Topic]] = frozenset(["reading"])
INVITATIONS: Final = ("join", "standby", "watch")
"""Wishes that do."""
MOST_FROM_A_STRANGER: Final = 3
"""So often the GM is told what a stranger says to one question."""


def take(request: Request) -> None:
    """Read a yes or no in the sender's own words as `Ja` or `Nein`, where it answers a question of ours."""
    reading, answer = request.reading, request.reading.answer
    said = [one.command for one in reading.commands]
    if answer is None or answer.yes is None or any(isinstance(one, commands.Yes | commands.No) for one in said):
        return
    if not _answers_something(request, yes=answer.yes) or (answer.says_away and not _is_asked_about_vacation(request)):
        return
    if answer.yes and not answer.is_plain and not _is_invited(request, answer.topics):
        return
    command = commands.Yes(code=reading.code) if answer.yes else commands.No(code=reading.code)
    line = ReadCommand(command=command, language=answer.language, line=answer.line)
    request.reading = replace(reading, commands=(line, *reading.commands))
    leave_beside(request)


def leave_beside(request: Request) -> None:
    """Leave of the sender's words what stands beside an answer."""
    answer = request.reading.answer
    words = answer.beside if answer else request.reading.free_text
    beside = ((words,),) if words else ()
    request.reading = replace(request.reading, free_text=words, prose=beside, paragraphs=(), greeted=(), wish=None)


def _answers_something(request: Request, *, yes: bool) -> bool:
    """Whether the mail carries the code of a question to its sender, or replies to the very mail that asks one.

    A mail with a move in it never says yes to our reading of another one.
    """
    app, session, mail, reading = request.app, request.session, request.mail, request.reading
    to_gm = offered_lines.question_of(request) if questions.is_gm(app, mail.sender) else None
    if to_gm and not to_gm.address:
        return offered_lines.can_answer(request, to_gm, yes)
    if reading.code:
        return questions.named_by_code(app, session, mail, request.players, reading.code) is not None
    readings = our_reading.in_mail_replied_to(request)
    if readings:
        has_move = any(isinstance(one.command, commands.Orders | commands.Join) for one in reading.commands)
        return not has_move and blocks.find_untitled(request) is None
    return bool(questions.asked_by_mail_replied_to(app, session, mail, request.players))


def _is_invited(request: Request, topics: Set[Topic]) -> bool:
    """Whether a yes in other words than `Ja` will do: to a seat, or our reading of a move, each in its own words.

    To anything else such words may mean the contrary: "Das ist mein Zug" to whether it is taken back.
    """
    if questions.is_gm(request.app, request.mail.sender) and (to_gm := offered_lines.question_of(request)):
        return to_gm.kind not in FINAL and not topics
    if our_reading.in_mail_replied_to(request):
        return topics <= OF_A_READING
    question, invites = _unanswered(request), tuple(word for kind in INVITATIONS for word in wishes.WORDS[kind])
    if question is None:
        return False
    if question.kind == question_queries.READING:
        return topics <= OF_A_READING
    is_inviting = question.kind in INVITING or line_questions.line_of(question).startswith(invites)
    return is_inviting and topics <= OF_A_SEAT


def is_sure(request: Request, question: Question) -> bool:
    """Whether a yes is one beyond doubt, where what it does can't be taken back; to all else any yes will do.

    It begins with `Ja`, and nothing beside it takes that back or agrees to something else. What comes within a minute
    of our mail may be a machine's: then it says nothing more than `Ja`.
    """
    if not _is_final(request, question):
        return True
    answer = request.reading.yes
    topics: Set[Topic] = OF_A_READING if question.kind in (NEW_ADDRESS, question_queries.SENDER) else frozenset()
    if answer is None or not (answer.yes and answer.is_plain) or answer.topics - topics:
        return False
    is_at_once = request.row.received_at - questions.asked_last(request.session, question) < questions.AT_ONCE
    return not is_at_once or _says_only_yes(request)


def _is_final(request: Request, question: Question) -> bool:
    said = read_lines([line_questions.line_of(question)], all_names())
    if question.kind == question_queries.SENDER and (row := request.session.get(MailIn, question.mail_id)):
        said = read_received(request.app, request.session, row, read_mail(row.raw)).commands
    leaves = (isinstance(one.command, LEAVING) or not getattr(one.command, "on", True) for one in said)
    return question.kind in FINAL or any(leaves)


def _says_only_yes(request: Request) -> bool:
    """Whether beside `Ja` there is nothing but a greeting and a name."""
    sender = request.mail.sender_name
    names = {name.casefold() for name in (*request.signatures, sender, *sender.split())}
    lines = [line for lines in request.reading.opening for line in lines]
    more = [
        line
        for line in lines
        if not read_answer(line, "", all_names()) and line.strip(" ,.!-–").casefold() not in names
    ]
    return all(GREETING.fullmatch(line) or (FAREWELL.match(line) and not THANKS.search(line)) for line in more)


def _is_asked_about_vacation(request: Request) -> bool:
    question = _unanswered(request)
    return question is not None and line_questions.line_of(question).startswith(wishes.WORDS["vacation"])


# -- neither yes nor no ------------------------------------------------------------------------------------------------


def say_still_open(request: Request) -> None:
    """Tell a player whose words were passed on that the question which they answer is still open, and how to answer."""
    is_passed_on = bool(request.parts) and all(part.template == "notice" for part in request.parts)
    if not request.players or request.reading.commands or not (request.reading.free_text and is_passed_on):
        return
    question, answer = _unanswered(request), request.reading.answer
    asked = [question] if question else _asked_earlier(request) if answer and answer.yes is not None else []
    if not asked or asked[-1].kind == question_queries.WHICH_PLAYER:
        return
    subject = questions.subject_of(request.session, asked[-1])
    if len(asked) > 1:
        open_text = say("QUESTIONS_WAIT", number=len(asked), subject=subject)
    else:
        questions.ask_again(request.session, asked[0], request.row)
        open_text = say("QUESTION_OPEN") if question else say("QUESTION_WAITS", subject=subject)
    request.parts.clear()
    request.pass_on(say("PASSED_ON", gm=gm_name(request.app)))
    request.add(open_text)
    offer_buttons(request, asked[-1])


def offer_buttons(request: Request, question: Question) -> None:
    """Put yes and no as buttons below the last sentence. Its code is for none but the address that was asked."""
    subject = questions.subject_of(request.session, question)
    if question.address == request.mail.sender and question.code in subject:
        last = request.parts[-1]
        request.parts[-1] = replace(last, context={**last.context, "asked": subject})


def take_words_of_stranger(request: Request) -> bool:
    """Pass on to the GM what a stranger answers to a question of ours, if it is neither yes nor no; False if it isn't.

    The address is shown to be the stranger's own: nobody else has read the question.
    """
    words, app = request.reading.free_text, request.app
    is_gm = questions.is_gm(app, request.mail.sender)
    if request.players or is_gm or request.parts or request.reading.commands or not words:
        return False
    question = _unanswered(request)
    if question is None:
        return False
    if len(question.payload.get("asked_again", ())) < MOST_FROM_A_STRANGER:
        about = About(mail=request.row)
        entry = gm_list.add_trouble(app, request.session, "text", words, about, names=request.mail.sender)
        request.for_gm.append(entry)
        request.pass_on(say("PASSED_ON", gm=gm_name(app)))
    questions.ask_again(request.session, question, request.row)
    request.confirm(say("QUESTION_OPEN"))
    offer_buttons(request, question)
    return True


def _asked_earlier(request: Request) -> Sequence[Question]:
    """List the open questions to the sender's own address, oldest first: a mail that names none may answer one."""
    asked = questions.asked_at(request.app, request.session, request.mail.sender, request.players)
    return [one for one in asked if one.kind != question_queries.WHICH_PLAYER]


def _unanswered(request: Request) -> Question | None:
    """Find the open question that the mail is about, by code or thread."""
    app, session, mail, players = request.app, request.session, request.mail, request.players
    if named := questions.named_by_code(app, session, mail, players, request.reading.code):
        is_over = named.expires_at is not None and named.expires_at <= app.now()
        return None if named.answered_at is not None or is_over or not named.address else named
    asked = questions.asked_by_mail_replied_to(app, session, mail, players)
    return asked[0] if len(asked) == 1 else None
