"""The GM's commands by mail: only those that our mail has offered, sent back with its code or as a reply to it."""

from collections.abc import Sequence
from typing import Final

from games.api import Language, Text, say
from gm.game import seats
from gm.game.people import lookup
from gm.game.schedule import clock_control, closing, giving_back
from gm.messages import gm_list, questions
from gm.messages.outgoing import Occasion, Part, gm_name, post, recipient
from gm.messages.questions import About
from gm.messages.rendering.dates import write_date
from gm.messages.sentences import SENTENCES
from gm.requests.declared import by_mail
from gm.requests.desk import actions, leaving, mail_actions, players, rulings, upgrade
from gm.requests.replies import letters, other_lines
from gm.requests.replies.offers import OFFERED, fixed_words, may_be_offered, offered
from gm.requests.request import Request
from gm.runtime.errors import EndsGame, PlayerError, Refused
from gm.store.queries import game_queries, question_queries
from gm.store.tables import Game, Player, Question
from parsers import commands

REPEATED: Final = "repeated"
"""The kind of entry that asks the GM whether a line is meant."""
ENDING: Final = "ending"
"""The kind of entry that asks the GM before a game ends for good."""
SURE: Final = "--yes"


@by_mail(commands.GmCommand, "GM_LINE", changes=False, sender="gm")
def carry_out(request: Request, command: commands.GmCommand) -> None:
    """Carry out a GM's command, if the mail that it answers has offered it. Raises PlayerError.

    What no mail offers is answered for itself, whatever the mail answers.
    """
    if not questions.is_gm(request.app, request.mail.sender):
        raise PlayerError(say("NOT_THE_GM"))
    if may_be_offered(command.words):
        _carry_out(request, _question(request), command)
    else:
        other_lines.answer(request, gm_list.command_line(command.words))


def ask_about_repeated(request: Request, command: commands.GmCommand) -> None:
    """Ask the GM whether a line is meant that stands in a player's words as well. Raises PlayerError."""
    if not may_be_offered(command.words):
        other_lines.answer(request, gm_list.command_line(command.words))
        return
    question, words = _meant(request, _question(request), command)
    about = About(mail=request.row, game=request.session.get(Game, question.game_id) if question.game_id else None)
    line = gm_list.command_line(words)
    request.for_gm.append(gm_list.add_trouble(request.app, request.session, REPEATED, line, about, [words]))
    request.applied = True


def _meant(request: Request, question: Question, command: commands.GmCommand) -> tuple[Question, Sequence[str]]:
    """Find which question's mail has offered a command, and its words as they were offered. Raises PlayerError."""
    asked = question_queries.questions_in_same_mail(request.session, question) or [question]
    meant = [(one, words) for one in asked for offer in _offers(one) if (words := _as_offered(offer, command.words))]
    if not meant or len({tuple(words[: fixed_words(words)]) for _, words in meant}) > 1:
        raise _not_offered(asked, other_lines.shown(gm_list.command_line(command.words)), request.language)
    return meant[0]


def _carry_out(request: Request, question: Question, command: commands.GmCommand) -> None:
    """Carry out a command for the question that offers it, and settle that question. Raises PlayerError."""
    session, line = request.session, other_lines.shown(gm_list.command_line(command.words))
    question, (verb, *words) = _meant(request, question, command)
    try:
        with session.begin_nested():
            done = OFFERED[verb.casefold()].carry_out(request, words, command.text)
            # A ruling may leave words open: a question about words is settled with the last one.
            # A new ZAT settles wishes for more time by itself: one that it doesn't fulfil stays open.
            settles_itself = (*gm_list.TO_BE_DECIDED, *([question_queries.EXTENSION] if verb == "zat" else []))
            if question.answered_at is None and question.kind not in settles_itself:
                questions.close(request.app, session, question, line)
    except EndsGame as ends:
        _ask_before_end(request, question, [verb, *words], ends)
        return
    except Refused as error:
        raise PlayerError(say("GM_REFUSED", line=line, why=error.said_in(request.language))) from error
    request.confirm(say("GM_DONE", line=line, done=done))


def _ask_before_end(request: Request, question: Question, words: Sequence[str], ends: EndsGame) -> None:
    """Ask the GM whether a command shall be carried out although it ends the game."""
    about = About(mail=request.row, game=request.session.get(Game, question.game_id) if question.game_id else None)
    entry = gm_list.add_trouble(request.app, request.session, ENDING, ends, about, [[*words, SURE]])
    request.for_gm.append(entry)
    request.applied = True


def _offers(question: Question) -> Sequence[gm_list.Offer]:
    offers: Sequence[gm_list.Offer] = question.payload.get("offers", ())
    return offers


def _not_offered(asked: Sequence[Question], line: str, language: Language) -> PlayerError:
    offers = "; ".join(gm_list.command_line(offer, language) for question in asked for offer in _offers(question))
    return PlayerError(say("NOT_OFFERED", line=line, offers=offers) if offers else say("NOTHING_OFFERED", line=line))


def _question(request: Request) -> Question:
    """Find what the GM answers: by the code, or by the mail replied to."""
    reading, session = request.reading, request.session
    if reading.code:
        return questions.find(request.app, session, request.mail, request.players, reading.code)
    found = question_queries.question_of_thread(session, (request.mail.in_reply_to, *request.mail.references))
    if found is None:
        raise PlayerError(say("GM_NEEDS_CODE"))
    return found


def _as_offered(offer: Sequence[str], words: Sequence[str]) -> Sequence[str]:
    """Give the words of a command that was offered, with the player's whole name; nothing where it was not."""
    whole = _with_whole_name(offer, words)
    return [*offer[: fixed_words(offer)], *whole[fixed_words(offer) :]] if _allows(offer, whole) else ()


def _with_whole_name(offer: Sequence[str], words: Sequence[str]) -> Sequence[str]:
    """Put the name of the player whom an offer is about in place of the first name, or of a name without quotes."""
    if offer[0] not in ("standby", "player") or [word.casefold() for word in words[:2]] != _lower(offer[:2]):
        return words
    parts = offer[2].split()
    for length in (len(parts), 1):
        if _lower(words[2 : 2 + length]) == _lower(parts[:length]):
            return [*words[:2], offer[2], *words[2 + length :]]
    return words


def _lower(words: Sequence[str]) -> list[str]:
    return [word.casefold() for word in words]


def _allows(offer: Sequence[str], words: Sequence[str]) -> bool:
    """Whether a command was offered. Some of the words to rule on may be left out, but none added."""
    fixed = fixed_words(offer, max(len(offer), len(words)))
    if [w.casefold() for w in words[:fixed]] != [w.casefold() for w in offer[:fixed]]:
        return False
    if offer[0] == "rule":
        ruled = {word.casefold() for word in _with_note(words[fixed:])[0]}
        return bool(ruled) and ruled <= {word.casefold() for word in offer[fixed:]}
    if offer[:2] == ["player", "address"]:
        return len(words) == len(offer)
    if offer[0] == "player":
        return len(words) > fixed
    return offer[0] != "standby" or (len(words) > fixed and ("--none" in words) == ("--none" in offer))


@offered("rule", fixed=3)
def _rule(request: Request, words: Sequence[str], _text: str) -> Text:
    name, verdict, *rest = words
    ruled, note = _with_note(rest)
    game, is_accepted = game_queries.named(request.session, name), verdict.casefold() == "accept"
    done = rulings.rule_on(request.app, request.session, game, ruled, is_accepted, note=note)
    return say("DONE_RULED", done=tuple(done)) if done else say("DONE_NOTED")


def _with_note(words: Sequence[str]) -> tuple[list[str], str]:
    """Part the words to rule on from what `--note` tells the players."""
    at = words.index("--note") if "--note" in words else len(words)
    return list(words[:at]), " ".join(words[at + 1 :])


@offered("zat", fixed=2)
def _zat(request: Request, words: Sequence[str], _text: str) -> Text:
    game = actions.running(request.session, words[0])
    before = None if game.held else game.zat
    zat = clock_control.move_zat(request.app, request.session, game, " ".join(words[1:]))
    at = write_date(zat, request.app.settings.service.timezone, request.language)
    return say("DONE_ZAT_AS_BEFORE" if zat == before else "DONE_ZAT", game=game.name, zat=at)


@offered("close")
def _close(request: Request, words: Sequence[str], _text: str) -> Text:
    game = actions.running(request.session, words[0])
    closing.close(request.app, request.session, game, request.received, game.turn)
    return say("DONE_CLOSED", game=game.name)


@offered("release")
def _release(request: Request, words: Sequence[str], text: str) -> Text:
    game = game_queries.named(request.session, words[0])
    closing.release(request.app, request.session, game, text)
    return say("DONE_RELEASED", game=game.name)


@offered("mail", after=("retry", "drop"))
def _mail(request: Request, words: Sequence[str], _text: str) -> Text:
    do, done = {
        "retry": (mail_actions.retry, "DONE_RETRIED"), "drop": (mail_actions.drop, "DONE_DROPPED"),
    }[words[0].casefold()]  # fmt: skip
    do(request.app, request.session, words[1])
    return say(done, mail=words[1])


@offered("standby", fixed=3)
def _standby(request: Request, words: Sequence[str], _text: str) -> Text:
    name, out, *new = words
    game = game_queries.named(request.session, name)
    if game.status == "open":
        seat = seats.seat_of_player(request.session, game, out, in_full=True)
        leaving.take_off(request.app, request.session, game, seat)
        return say("DONE_OFF", game=game.name, name=out)
    actions.running(request.session, name)
    if new[0] != "--none" and (left := giving_back.meant(request.session, game, out, " ".join(new))):
        _, back = giving_back.give_back(request.app, request.session, game, left)
        return say("DONE_BACK", game=game.name, name=back)
    # In full: whoever was called so when this was offered may be called otherwise now.
    seat = seats.seat_of_player(request.session, game, out, left_too=True, in_full=True)
    if new[0] == "--none":
        leaving.play_on_without(request.app, request.session, game, seat, is_sure=SURE in new)
        return say("DONE_WITHOUT" if game.status == "running" else "DONE_ENDED", game=game.name, name=out)
    address = new.pop() if "@" in new[-1] else ""
    _, came = leaving.put_standby(request.app, request.session, game, seat, " ".join(new), address)
    return say("DONE_STANDBY", game=game.name, name=came, before=out)


@offered("player", fixed=3, after=("address", "vacation"))
def _player(request: Request, words: Sequence[str], _text: str) -> Text:
    player = lookup.reachable(request.session, words[1], in_full=True)  # as in `_standby`
    if words[0].casefold() == "vacation":
        command, _ = players.vacation_within(request.app, request.session, player, " ".join(words[2:]))
        return say("DONE_VACATION_OFF" if command.is_off else "DONE_VACATION", name=player.name)
    reached = players.use_within(request.app, request.session, player, words[2])
    return say("DONE_ADDRESS", name=reached.name, address=reached.addresses[0])


@offered("todo", after=("--done",))
def _todo(_request: Request, _words: Sequence[str], _text: str) -> Text:
    return say("DONE_TICKED_OFF")


@offered("upgrade")
def _upgrade(request: Request, words: Sequence[str], _text: str) -> Text:
    game = game_queries.named(request.session, words[0])
    upgrade.agree(request.app, request.session, game)
    return say("DONE_UPGRADED", game=game.name)


def answer(request: Request, question: Question, yes: bool) -> None:
    """Act on the GM's `Ja` or `Nein`: yes means the only command offered, or ticking off; no ticks the question off.

    Where one mail has asked several things, either ticks off what was only to be read. Raises PlayerError.
    """
    if question.kind == letters.KIND:
        _answer_about_letter(request, question, yes)
        return
    asked = question_queries.questions_in_same_mail(request.session, question) or [question]
    is_read = all(_is_read(one) for one in asked)
    if len(asked) == 1 and yes and (is_read or len(_offers(question)) == 1):
        _carry_out(request, question, commands.GmCommand(words=tuple(_offers(question)[0])))
        return
    if not is_read and (yes or len(asked) > 1 or question.kind in gm_list.TO_BE_DECIDED):
        raise _not_offered(asked, SENTENCES["ANSWER_YES" if yes else "ANSWER_NO"][request.language], request.language)
    for one in asked:
        questions.close(request.app, request.session, one, "no")
    if question.kind == "extension":
        _refuse_extension(request, question)
    request.confirm(say("TICKED_OFF"))


def question_of(request: Request) -> Question | None:
    """Find the question to the GM that a mail answers by its code, or as a direct reply."""
    app, session, mail = request.app, request.session, request.mail
    if request.reading.code:
        return questions.named_by_code(app, session, mail, request.players, request.reading.code)
    return question_queries.question_of_thread(session, (questions.replied_to(mail),))


def can_answer(request: Request, question: Question, yes: bool) -> bool:
    """Whether a yes or no in the GM's own words decides something: what is only to be read, it doesn't tick off."""
    asked = question_queries.questions_in_same_mail(request.session, question) or [question]
    offers = _offers(question)
    if question.address or len(asked) > 1 or _is_read(question):
        return False
    return len(offers) == 1 if yes else question.kind not in gm_list.TO_BE_DECIDED


def _is_read(question: Question) -> bool:
    """Whether an entry is only to be read: a yes or no ticks it off."""
    return [offer[0] for offer in _offers(question)[:1]] == ["todo"]


def _answer_about_letter(request: Request, question: Question, yes: bool) -> None:
    try:
        with request.session.begin_nested():
            letters.settle(request, question, yes=yes)
    except Refused as error:
        raise PlayerError(say("LETTER_REFUSED", why=error.said_in(request.language))) from error


def _refuse_extension(request: Request, question: Question) -> None:
    app, session = request.app, request.session
    player, game = session.get_one(Player, question.player_id), session.get_one(Game, question.game_id)
    to = recipient(app, session, player, game)
    text = say("EXTENSION_REFUSED", game=game.name, gm=gm_name(app))
    part = Part(template="notice", context={"text": text, "game": game.name, "taken": False})
    post(app, session, Occasion(cause=f"question:{question.id}", kind="refused", game=game), to, [part])
