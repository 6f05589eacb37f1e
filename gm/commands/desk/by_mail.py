"""The GM's commands by mail: just those that the mail asking for them offers, with its code."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from sqlmodel import Session

from games.api import say
from gm.app.context import App
from gm.commands import leaving
from gm.commands.desk import actions, mail_actions, players, rulings
from gm.commands.request import Incoming
from gm.game import seats
from gm.game.schedule import clock_control, closing
from gm.messages import gm_list, questions
from gm.messages.outgoing import Occasion, Part, gm_name, post, recipient
from gm.runtime.errors import PlayerError, Refused
from gm.store.database import savepoint
from gm.store.queries import question_queries
from gm.store.tables import Game, Player, Question
from parsers.commands import commands

_FIXED: Final = {"rule": 3, "zat": 2, "standby": 3, "player": 3}
"""How many words of an offer are as they are; the others of these commands are for the GM to choose."""
_ANSWERS: Final = {"de": ("Nein", "Ja"), "en": ("No", "Yes")}
_LONGEST_LINE: Final = 200


def carry_out(incoming: Incoming, command: commands.Desk) -> None:
    """Do what the GM's line says, if the mail that it answers offers it. Raises PlayerError."""
    if not questions.is_gm(incoming.app, incoming.mail.sender):
        raise PlayerError(say("NOT_THE_GM"))
    _carry_out(incoming, _question(incoming), command)


def _carry_out(incoming: Incoming, question: Question, command: commands.Desk) -> None:
    app, session, line = incoming.app, incoming.session, _short(gm_list.command_line(command.words))
    asked = question_queries.asked_together(session, question) or [question]
    meant = [one for one in asked if any(_allows(offer, command.words) for offer in _offers(one))]
    if not meant:
        raise _not_offered(asked, line)
    question = meant[0]
    try:
        with savepoint(session):
            done = _do(app, session, command, incoming)
            # One ruling needn't be all of them: what was asked about words is settled with the last.
            if question.answered_at is None and question.kind not in gm_list.TO_BE_DECIDED:
                questions.close(app, session, question, line)
    except Refused as error:
        raise PlayerError(say("GM_REFUSED", line=line, why=str(error))) from error
    incoming.notice(say("GM_DONE", line=line, done=done.rstrip(".")), applied=True)


def _short(line: str) -> str:
    return line if len(line) <= _LONGEST_LINE else f"{line[: _LONGEST_LINE - 1]}…"


def _offers(question: Question) -> Sequence[gm_list.Offer]:
    offers: Sequence[gm_list.Offer] = question.payload.get("offers", ())
    return offers


def _not_offered(asked: Sequence[Question], line: str) -> PlayerError:
    offers = "; ".join(gm_list.command_line(offer) for question in asked for offer in _offers(question))
    return PlayerError(say("NOT_OFFERED", line=line, offers=offers or "-"))


def _question(incoming: Incoming) -> Question:
    """Find what the GM answers: by the code, or by the mail replied to."""
    reading, session = incoming.reading, incoming.session
    if reading.code:
        return questions.find(incoming.app, session, incoming.mail, incoming.players, reading.code)
    found = question_queries.question_of_thread(session, (incoming.mail.in_reply_to, *incoming.mail.references))
    if found is None:
        raise PlayerError(say("GM_NEEDS_CODE"))
    return found


def _allows(offer: Sequence[str], words: Sequence[str]) -> bool:
    """Say whether a command is one that was offered: of the words to rule on some may be left out, none added."""
    fixed = _FIXED.get(offer[0], max(len(offer), len(words)))
    if [w.casefold() for w in words[:fixed]] != [w.casefold() for w in offer[:fixed]]:
        return False
    if offer[0] == "rule":
        ruled = {word.casefold() for word in _with_note(words[fixed:])[0]}
        return bool(ruled) and ruled <= {word.casefold() for word in offer[fixed:]}
    if offer[0] == "player":
        return len(words) == len(offer)
    return offer[0] != "standby" or (len(words) > fixed and ("--none" in words) == ("--none" in offer))


def _do(app: App, session: Session, command: commands.Desk, incoming: Incoming) -> str:
    verb, *rest = command.words
    return _VERBS[verb.casefold()](app, session, rest, command.text, incoming)


def _rule(app: App, session: Session, words: list[str], _text: str, _incoming: Incoming) -> str:
    name, verdict, *rest = words
    ruled, note = _with_note(rest)
    done = rulings.rule(app, session, actions.named(session, name), ruled, verdict.casefold() == "accept", note=note)
    return "; ".join(done) or "noted"


def _with_note(words: Sequence[str]) -> tuple[list[str], str]:
    """Part the words to rule on from what `--note` tells the players."""
    at = words.index("--note") if "--note" in words else len(words)
    return list(words[:at]), " ".join(words[at + 1 :])


def _zat(app: App, session: Session, words: list[str], _text: str, _incoming: Incoming) -> str:
    game = actions.running(session, words[0])
    before = None if game.held else game.zat
    zat = clock_control.move_zat(app, session, game, " ".join(words[1:]))
    told = ", as it was; nobody is told" if zat == before else ""
    return f"{game.name}: ZAT {zat.astimezone(app.settings.service.timezone):%Y-%m-%d %H:%M}{told}"


def _close(app: App, session: Session, words: list[str], _text: str, incoming: Incoming) -> str:
    game = actions.running(session, words[0])
    closing.close(app, session, game, incoming.received, game.turn)
    return f"{game.name} is closed"


def _release(app: App, session: Session, words: list[str], text: str, _incoming: Incoming) -> str:
    game = actions.named(session, words[0])
    closing.release(app, session, game, text)
    return f"{game.name}: the bulletins are queued"


def _mail(app: App, session: Session, words: list[str], _text: str, _incoming: Incoming) -> str:
    what = {"retry": mail_actions.retry, "drop": mail_actions.drop}[words[0].casefold()]
    return what(app, session, words[1])


def _standby(app: App, session: Session, words: list[str], _text: str, _incoming: Incoming) -> str:
    game = actions.running(session, words[0])
    left = seats.seat_of_player(session, game, words[1], left_too=True)
    if words[2] == "--none":
        leaving.play_on_without(app, session, game, left)
        return f"{game.name} goes on without {words[1]}"
    *name, address = words[2:] if re.search("@", words[-1]) else [*words[2:], ""]
    player = seats.standby_named(app, session, game, " ".join(name), address)
    seats.take_over(app, session, game, left, player)
    return f"{player.name} has taken over {words[1]}'s seat in {game.name}"


def _player(app: App, session: Session, words: list[str], _text: str, _incoming: Incoming) -> str:
    reached = players.direct(app, session, words[1], words[2])
    return f"mails to {reached.name} go to {reached.addresses[0]}"


def _todo(_app: App, _session: Session, _words: list[str], _text: str, _incoming: Incoming) -> str:
    return "ticked off"


_VERBS: Mapping[str, Callable[[App, Session, list[str], str, Incoming], str]] = {
    "rule": _rule, "zat": _zat, "close": _close, "release": _release, "mail": _mail, "standby": _standby,
    "todo": _todo, "player": _player,
}  # fmt: skip


def answer(incoming: Incoming, question: Question, yes: bool) -> None:
    """Take the GM's `Ja` or `Nein`: yes is the only command offered, no ticks the question off. Raises PlayerError.

    Where one mail has asked several things, either ticks off what was only to be read.
    """
    asked = question_queries.asked_together(incoming.session, question) or [question]
    is_read = all([offer[0] for offer in _offers(one)] == ["todo"] for one in asked)
    if len(asked) == 1 and yes and len(_offers(question)) == 1:
        _carry_out(incoming, question, commands.Desk(words=tuple(_offers(question)[0])))
        return
    if not is_read and (yes or len(asked) > 1 or question.kind in gm_list.TO_BE_DECIDED):
        raise _not_offered(asked, _ANSWERS[incoming.language][yes])
    for one in asked:
        questions.close(incoming.app, incoming.session, one, "no")
    if question.kind == "extension":
        _refuse_extension(incoming.app, incoming.session, question)
    incoming.notice(say("TICKED_OFF"), applied=True)


def _refuse_extension(app: App, session: Session, question: Question) -> None:
    player, game = session.get_one(Player, question.player_id), session.get_one(Game, question.game_id)
    to = recipient(app, session, player, game)
    text = say("EXTENSION_REFUSED", game=game.name, gm=gm_name(app))
    part = Part(template="notice", context={"text": text, "game": game.name})
    post(app, session, Occasion(cause=f"question:{question.id}", kind="refused", game=game), to, [part])
