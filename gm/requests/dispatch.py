"""What a mail asks for is carried out here, each command by the function that declares it (`gm.requests.declared`).

Each command adds its part to the one answer. What stands beside the commands comes last.
"""

from collections.abc import Sequence
from dataclasses import replace
from difflib import get_close_matches
from itertools import takewhile
from typing import Any

from games.api import Text, say
from gm.game.people import access
from gm.messages import questions
from gm.requests import answers, joining, status
from gm.requests.declared import all_names, by_kind, changes
from gm.requests.moves import duplicate_blocks, unknown_sender, wish_letters
from gm.requests.prose import answers_in_words, free_text, line_questions, wishes
from gm.requests.replies import letters, offered_lines, reply
from gm.requests.request import Request
from gm.requests.sender_check import confirmation
from gm.runtime.errors import PlayerError, UnknownGame
from gm.store.queries import game_queries, seat_queries
from parsers import commands
from parsers.invisible import fold_name
from parsers.lines.command_lines import ReadCommand
from parsers.lines.sign_ups import example


def carry_out(request: Request) -> None:
    """Carry out all commands of a mail, in their order; one that is refused doesn't stop the next.

    Most commands are closed to strangers. They get the same answer whatever game they name (mail.md, policies).
    """
    if at_desk := reply.open_desk(request):
        request.reading = replace(request.reading, wish=None)  # players have wishes; here it would choose the language
        for one in at_desk.said.commands:
            _carry_out_with_heading(request, one)
        reply.write_letters(request, at_desk)
        return
    if reply.answer_for_post(request):
        return
    is_known = bool(request.players)
    if not is_known:
        unknown_sender.ask_owner(request)
    wishes.understand(request)
    said = _allowed(request)
    misread = _misread(request, said)
    to_do = _moves_first(_without_repetitions([one for one in said if one.command not in misread]))
    skipped, clashing = duplicate_blocks.compare_blocks(request, to_do)
    for at, one in enumerate(to_do):
        if at not in skipped:
            _carry_out_with_heading(request, one)
    joining.ask_about_wishes(request)
    if is_known and wish_letters.take(request):
        answers_in_words.leave_beside(request)
    request.writer_name = request.reading.player_name
    for game in clashing:
        request.note_game(game)
        request.refuse(say("TWO_BLOCKS", game=game.name))
    if not answers_in_words.take_words_of_stranger(request):
        free_text.take_the_rest(request, has_misread=bool(misread))
    answers_in_words.say_still_open(request)
    _answer_misread(request, misread)


def _allowed(request: Request) -> list[ReadCommand]:
    said = request.reading.commands
    return [one for one in said if request.players or _is_open_to_strangers(request, one.command)]


def _is_open_to_strangers(request: Request, command: commands.Command) -> bool:
    is_gm = questions.is_gm(request.app, request.mail.sender)
    if isinstance(command, commands.Yes | commands.No):
        return is_gm or questions.was_asked(request.session, request.mail.sender)
    if isinstance(command, commands.GmCommand):
        return is_gm
    if isinstance(command, commands.NotUnderstood):
        return command.is_sign_up
    declared = by_kind().get(type(command))
    return declared is not None and declared.sender == "anybody" and getattr(command, "on", True)


def _misread(request: Request, said: Sequence[ReadCommand]) -> list[commands.NotUnderstood]:
    """List the lines that look like commands and are none. A stranger's other words may be a sign-up as well."""
    found = [one.command for one in said if isinstance(one.command, commands.NotUnderstood)]
    if said and not request.players:
        meant = ((line, example(line, all_names())) for line in request.reading.free_text.splitlines())
        found += [commands.NotUnderstood(line=line, meant=command) for line, command in meant if command]
    return found


def _without_repetitions(all_said: Sequence[ReadCommand]) -> list[ReadCommand]:
    """Leave out a question asked before, unless something was done between that may change the answer."""
    kept: list[ReadCommand] = []
    for said in all_said:
        asked = list(takewhile(_only_asks, reversed(kept)))
        if said not in asked:
            kept.append(said)
    return kept


def _moves_first(said: Sequence[ReadCommand]) -> Sequence[ReadCommand]:
    """Put moves before what the mail sends for the turn after them."""
    if not any(isinstance(one.command, commands.Advance) for one in said):
        return said
    return sorted(said, key=lambda one: not isinstance(one.command, commands.Orders))


def _only_asks(said: ReadCommand) -> bool:
    return type(said.command) in by_kind() and not changes(said.command)


def _carry_out_with_heading(request: Request, said: ReadCommand) -> None:
    """Carry out a command; a player sees above the answer which line it belongs to."""
    done = len(request.parts)
    _carry_out_one(request, said)
    if request.parts[done:]:
        request.parts[done] = replace(request.parts[done], heading=said.line if request.players else "")


def _carry_out_one(request: Request, said: ReadCommand) -> None:
    """Carry out a command; a refusal becomes its answer."""
    request.writer_name = said.player_name or request.reading.player_name
    command: Any = said.command
    try:
        if isinstance(command, commands.Yes | commands.No):
            _take_answer(request, command)
        elif said.is_doubtful and isinstance(command, commands.GmCommand):
            offered_lines.ask_about_repeated(request, command)
        elif line_questions.has_to_ask(request, said):
            line_questions.ask_about_repeated(request, said)
        else:
            by_kind()[type(command)].carry_out(request, command)
    except access.WhoOfYou as error:
        if isinstance(command, commands.Orders) and request.game and request.game.status == "running":
            unknown_sender.ask_whose_move(request, request.game, command)
        else:
            request.refuse(error.text)
    except UnknownGame as error:
        request.refuse(_with_nearest(request, getattr(command, "game", ""), error.text))
    except PlayerError as error:
        request.refuse(error.text)


def _take_answer(request: Request, command: commands.Yes | commands.No) -> None:
    """Act on an answer to a question of ours; a `Ja` may confirm an earlier mail, which is carried out then."""
    if request.players and not command.code and letters.answered_letter(request):
        free_text.to_gm(request, commands.ToGm(text=request.reading.own_words))
        return
    confirmed = answers.take_answer(request, command)
    if confirmed:
        answers_in_words.take(confirmed)
        carry_out(confirmed)
        confirmation.add_answer_of(request, confirmed)


def _with_nearest(request: Request, name: str, text: Text) -> Text:
    """Name the game that a misspelt name may mean: one of the writer's own, or one that is open to all."""
    watched = [one for player in request.players for one in seat_queries.watched_games(request.session, player.id)]
    public = ("open", "running") if text.code == "NOTHING_TO_WATCH" else ("open",)
    shown, _ = game_queries.newest_games(request.session, public, status.MOST_GAMES)
    known = [*access.games_of(request.session, request.players), *watched, *shown]
    near = get_close_matches(fold_name(name), [game.name_key for game in known], 1, 0.7)
    found = next((game.name for game in known if near and game.name_key == near[0]), "")
    return say("NEAREST_GAME", game=name, near=found) if found else text


def _answer_misread(request: Request, misread: Sequence[commands.NotUnderstood]) -> None:
    """Name the lines that are no commands. A stranger may not have written them: only what was meant is repeated."""
    if request.players:
        texts = [say("NO_COMMAND", line=one.line, meant=one.meant) for one in misread]
    else:
        texts = [say("NO_SIGN_UP", meant=meant) for meant in dict.fromkeys(one.meant for one in misread)]
    for text in texts:
        request.refuse(text)
