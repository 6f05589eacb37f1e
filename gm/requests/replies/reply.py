"""The GM's replies: what stands in them beside commands reaches the player whom the mail replied to is about.

A mail counts as a reply if it comes from an address of the GM's and has the code of a mail that we sent there, or its
thread. Nothing that such a mail of ours says goes on: quotations are cut, and a text with a code in it isn't sent.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

from games.api import say
from gm.app.context import App
from gm.game.people import lookup
from gm.messages import gm_list, questions
from gm.messages.sentences import SENTENCES
from gm.requests.declared import all_names
from gm.requests.reading import sent_texts
from gm.requests.replies import letters, other_lines
from gm.requests.replies.letters import Post, Readers
from gm.requests.request import Request
from gm.runtime.errors import Refused
from gm.store.queries import question_queries, thread_queries
from gm.store.queries.player_queries import NOBODY
from gm.store.tables import Game, MailIn, MailOut, Player, Question
from parsers.commands import Advance, GmCommand, No, Orders, Yes
from parsers.mime.machine_words import is_only_signs
from parsers.mime.triage import Weight, is_bulk
from parsers.prose.gm_mails import GmMail, is_more_than_courtesy, read_gm_mail, says_something

OF_A_PLAYER: Final = (
    "text", "late", "in_time", "resigned", "freed", "extension", "vacation", "appeal", "forwarded",
    question_queries.HELD_MOVE,
)  # fmt: skip
"""Kinds of entries about a mail that counts as the player's: an answer goes into its thread."""


@dataclass(frozen=True, kw_only=True)
class Desk:
    """A mail of the GM's, as the GM's."""

    said: GmMail
    is_doubtful: bool
    """It says nothing to carry out, and may be a program's: an absence note, or what came within a minute."""
    is_reply: bool
    """It has the code or the thread of a mail that went to the GM: so the GM has written it."""
    asked: Sequence[Question] = ()
    """What the mail replied to has put to the GM, answered or not."""
    players: Sequence[Player] = ()
    """Whom that was about."""


def open_desk(request: Request) -> Desk | None:
    """Read a mail as one of the GM's; None where it isn't, or where it brings a move of a GM who plays."""
    app, session, mail = request.app, request.session, request.mail
    if not questions.is_gm(app, mail.sender):
        return None
    if request.players and any(isinstance(one.command, Orders | Advance) for one in request.reading.commands):
        return None
    asked, sent = _replied_to(request)
    said = read_gm_mail(mail, all_names(), sent_texts(session, request.row, mail, request.players))
    has_others = any(not isinstance(one.command, GmCommand | Yes | No) for one in request.reading.commands)
    if not (sent or asked or said.letters or (said.mistaken and not (request.players and has_others))):
        return None
    answers = [one for one in request.reading.commands if isinstance(one.command, Yes | No)]
    said = replace(said, commands=tuple(dict.fromkeys((*said.commands, *answers))))
    numbers = [number for one in asked if (number := _player_of(request, one)) is not None]
    for one in sent if not numbers else ():  # what confirms a letter may be answered with another one
        if one.cause.startswith("mail:"):
            numbers += thread_queries.players_written_to(session, one.cause.replace("mail:", "letter:"), letters.KIND)
    players = [session.get_one(Player, number) for number in dict.fromkeys(numbers)]
    is_plain = not (said.commands or said.letters or said.mistaken)
    return Desk(
        said=said, is_doubtful=is_plain and _may_be_a_programs(request, sent, said.prose), is_reply=bool(sent or asked),
        asked=asked, players=players,
    )  # fmt: skip


def _may_be_a_programs(request: Request, sent: Sequence[MailOut], said: str) -> bool:
    mail, mark = request.mail, request.mark
    is_marked = is_only_signs(said) or is_bulk(mail) or (mark is not None and mark.weight is Weight.LIKELY)
    times = [one.sent_at for one in sent if one.sent_at]
    return is_marked or bool(times and request.row.received_at - max(times) < questions.AT_ONCE)


def _replied_to(request: Request) -> tuple[Sequence[Question], Sequence[MailOut]]:
    """Find what a mail answers, by its code, else by its thread: the entries, and the mails that told of them."""
    session, mail = request.session, request.mail
    if request.reading.code and (asked := question_queries.put_by_same_mail(session, request.reading.code)):
        return asked, question_queries.mails_that_put(session, asked)
    known = {mail.sender, *_gm_addresses(request.app)}
    sent = thread_queries.mails_of_thread(session, (mail.in_reply_to, *mail.references), known)
    # A GM who plays gets a player's mails as well: those are answered as that player.
    asked = question_queries.put_by_mails(session, sent[:1])
    told = [one for one in sent[:1] if asked or one.player_id is None]
    return asked, told


def _gm_addresses(app: App) -> list[str]:
    service = app.settings.service
    return [contact.address for contact in (service.gm, service.second_gm) if contact]


def _player_of(request: Request, question: Question) -> int | None:
    row = request.session.get(MailIn, question.mail_id) if question.mail_id and not question.player_id else None
    return question.player_id or (row.player_id if row else None)


def answer_for_post(request: Request) -> bool:
    """Tell the GM how to enter what came by post, where a mail answers one that was to be printed; False for others.

    A command, or a block for another game, is one of the GM's own.
    """
    app, session = request.app, request.session
    if not questions.is_gm(app, request.mail.sender):
        return False
    sent = thread_queries.mails_of_thread(session, (questions.replied_to(request.mail),), _gm_addresses(app))
    if not sent or not sent[0].by_post or sent[0].game_id is None:
        return False
    player, game = session.get(Player, sent[0].player_id), session.get_one(Game, sent[0].game_id)
    said = [one.command for one in request.reading.commands]
    is_block = all(isinstance(one, Orders | Advance) and one.game in ("", game.name) for one in said)
    if player is None or player.name == NOBODY or not is_block:
        return False
    request.is_for_gm = True
    request.note_game(game)
    line = gm_list.command_line(("move", game.name, player.name))
    request.refuse(say("REPLY_FOR_POST", name=player.name, line=line))
    return True


# -- letters -----------------------------------------------------------------------------------------------------------


def write_letters(request: Request, desk: Desk) -> None:
    """Send, or ask back about, what the mail says to players. Beside a command that was refused nothing goes out."""
    said, names = desk.said, _names(request)
    if desk.is_doubtful:
        _ask_whether_meant(request, desk)
        return
    for line in said.mistaken:
        other_lines.answer(request, line)
    if said.commands or said.mistaken:
        is_meant = is_more_than_courtesy(said.prose, names)
    else:
        is_meant = says_something(said.prose, names)
    if not (is_meant or said.letters):
        if not (request.parts or request.for_gm):
            request.refuse(say("NOTHING_TO_PASS_ON"))
    elif request.refused:
        request.refuse(say("TEXT_KEPT_BACK"))
    else:
        try:
            _send_all(request, desk, is_meant=is_meant)
        except Refused as error:
            request.refuse(say("LETTER_REFUSED", why=error.said_in(request.language)))


def _ask_whether_meant(request: Request, desk: Desk) -> None:
    """Ask once whether a text that may be a program's shall go to the player; till then nothing is ticked off."""
    entries = [entry for entry in desk.asked if entry.kind != letters.KIND]
    if is_only_signs(desk.said.prose):
        return
    if not entries or len(desk.players) != 1 or any("doubted" in entry.payload for entry in entries):
        return
    for entry in entries:
        entry.payload = {**entry.payload, "doubted": request.row.id}
        request.session.add(entry)
    with suppress(Refused):
        letters.check(request.session, desk.said.prose)
        player = lookup.not_forgotten(desk.players[0])
        letters.ask(request, [(Readers(players=[player], is_one=True), desk.said.prose)])


def _send_all(request: Request, desk: Desk, *, is_meant: bool) -> None:
    """Send the prose to the player whom the mail is about, and each letter to its player. Raises Refused.

    Whatever goes to several, or comes without code and thread, is asked back first. Nothing goes out if one can't.
    """
    session, found = (
        request.session,
        [(one, letters.readers_of(request.session, one, desk.players)) for one in desk.said.letters],
    )
    for one, _ in found:
        letters.check(session, one.text)
    at_once = [readers.is_one and desk.is_reply and not one.is_doubtful for one, readers in found]
    now = [(readers, one.text) for (one, readers), is_now in zip(found, at_once, strict=True) if is_now]
    later = [(readers, one.text) for (one, readers), is_now in zip(found, at_once, strict=True) if not is_now]
    if is_meant:
        letters.check(session, desk.said.prose)
        reader = _reader(request, desk)
        if reader is None:
            return
        now.insert(0, (Readers(players=[reader], is_one=True), desk.said.prose))
    for number, (readers, text) in enumerate(now):
        _send(request, desk, readers, text, number)
    if now:
        done = [entry for entry in desk.asked if _is_only_to_be_read(entry)]
        for entry in done:
            questions.close(request.app, session, entry, "answered")
        names = ", ".join(readers.players[0].name for readers, _ in now)
        request.confirm(say("LETTER_SENT_AND_DONE" if done else "LETTER_SENT", name=names))
    if later:
        letters.ask(request, later)


def _reader(request: Request, desk: Desk) -> Player | None:
    """Find the one player whom the mail is about; else say why there is none. Raises Refused for a forgotten one."""
    if len(desk.players) == 1:
        return lookup.not_forgotten(desk.players[0])
    if desk.players:
        line = SENTENCES["LINE_TO"][request.language]
        names = "; ".join(line.format(name=one.name) for one in desk.players)
        request.refuse(say("WHICH_OF_THEM", names=names))
    else:
        request.refuse(say("NOBODY_TO_WRITE_TO"))
    return None


def _send(request: Request, desk: Desk, readers: Readers, text: str, number: int) -> None:
    session, player = request.session, readers.players[0]
    entry = next((one for one in desk.asked if _player_of(request, one) == player.id), None)
    own = session.get(MailIn, entry.mail_id) if entry and entry.mail_id and entry.kind in OF_A_PLAYER else None
    game = session.get(Game, entry.game_id) if entry and entry.game_id else None
    letter = Post(
        readers=Readers(players=[player], game=game, is_one=True), text=text, answers=own,
        cause=f"letter:{request.row.id}" + (f":{number}" if number else ""),
        subject=letters.reply_subject(own) if own else "", by=letters.writer(request),
    )  # fmt: skip
    letters.send(request.app, session, letter)


def _is_only_to_be_read(question: Question) -> bool:
    """Whether an open entry asks for no decision: with an answer it is settled."""
    offers = question.payload.get("offers", ())
    is_decided = question.kind in (*gm_list.TO_BE_DECIDED, letters.KIND)
    return question.answered_at is None and not is_decided and all(offer[0] == "todo" for offer in offers)


def _names(request: Request) -> list[str]:
    """How the GM may sign."""
    name = letters.writer(request)
    return [name, *name.split(), *(player.name for player in request.players)]
