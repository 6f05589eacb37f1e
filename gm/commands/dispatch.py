"""A mail's commands carried out: each command gives parts of the one answer."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from itertools import takewhile
from typing import Any

from games.api import Text, say
from gm.commands import answers, appeals, joining, leaving, preferences, press, status
from gm.commands.desk import by_mail
from gm.commands.moves import duplicate_blocks, late_moves, moves, unknown_sender
from gm.commands.request import Incoming, running_seat
from gm.commands.sender_check import confirmation
from gm.game.position import position
from gm.messages import gm_list, questions
from gm.messages.outgoing import gm_name
from gm.messages.questions import About
from gm.messages.rate_limits import DAY, reached
from gm.players import access
from gm.runtime.errors import PlayerError, UnknownGame
from gm.store.queries import game_queries, turn_queries
from parsers.commands import commands
from parsers.commands.command_lines import Said
from parsers.commands.courtesies import words_for_the_gm
from parsers.commands.sign_ups import example


def carry_out(incoming: Incoming) -> None:
    """Carry out every command of a mail, in order; one that is refused doesn't stop the next.

    To a stranger most commands are closed, and the answer is the same whatever game they name (mail.md, policies).
    """
    all_said = list(incoming.reading.commands)
    if not incoming.players:
        unknown_sender.ask_owner(incoming)
        all_said = [said for said in all_said if _is_open_to_strangers(incoming, said.command)]
    slips = [said.command for said in all_said if isinstance(said.command, commands.NotUnderstood)]
    if not incoming.players and all_said:
        slips += _other_sign_ups(incoming)
    all_said = _without_repetitions([said for said in all_said if said.command not in slips])
    skipped, clashing = duplicate_blocks.compare_blocks(incoming, all_said)
    for at, said in enumerate(all_said):
        if at not in skipped:
            done = len(incoming.parts)
            _carry_out_one(incoming, said)
            if incoming.parts[done:]:
                incoming.parts[done] = replace(incoming.parts[done], heading=said.line if incoming.players else "")
    joining.ask_about_wishes(incoming)
    incoming.named = incoming.reading.player_name
    for game in clashing:
        incoming.about(game)
        incoming.notice(say("TWO_BLOCKS", game=game.name))
    _take_the_rest(incoming, with_slips=bool(slips))
    _tell_slips(incoming, slips)


def _other_sign_ups(incoming: Incoming) -> list[commands.NotUnderstood]:
    """Find what may be a sign-up among a stranger's words, which nobody else reads."""
    meant = ((line, example(line)) for line in incoming.reading.free_text.splitlines())
    return [commands.NotUnderstood(line=line, meant=command) for line, command in meant if command]


def _tell_slips(incoming: Incoming, slips: Sequence[commands.NotUnderstood]) -> None:
    """Say which lines are no commands. Who isn't known may not have written them: only what was meant is repeated."""
    if incoming.players:
        texts = [say("NO_COMMAND", line=slip.line, meant=slip.meant) for slip in slips]
    else:
        texts = [say("NO_SIGN_UP", meant=meant) for meant in dict.fromkeys(slip.meant for slip in slips)]
    for text in texts:
        incoming.notice(text)


def _without_repetitions(all_said: Sequence[Said]) -> list[Said]:
    """Leave out a question asked before, unless something was done between that may change the answer."""
    kept: list[Said] = []
    for said in all_said:
        asked = list(takewhile(_only_asks, reversed(kept)))
        if said not in asked:
            kept.append(said)
    return kept


def _only_asks(said: Said) -> bool:
    return isinstance(said.command, commands.Help | commands.Games | commands.Status | commands.History)


def _take_the_rest(incoming: Incoming, *, with_slips: bool) -> None:
    """Look at what stands beside the commands: quoted blocks, a move without its title, a name, free text."""
    was_silent = not incoming.parts
    moves.show_quoted(incoming)
    if incoming.parts:
        _pass_on_what_stands_beside(incoming, is_all=was_silent)
    elif not (unknown_sender.answer_who(incoming) or moves.take_untitled(incoming)):
        if not with_slips:
            _free_text(incoming)
        elif incoming.reading.free_text and incoming.players:
            _to_gm(incoming, commands.ToGm(text=incoming.reading.free_text))


def _carry_out_one(incoming: Incoming, said: Said) -> None:
    incoming.named = said.player_name or incoming.reading.player_name
    command: Any = said.command
    try:
        _HANDLERS[type(command)](incoming, command)
        _carry_out_confirmed(incoming)
    except access.WhoOfYou as error:
        if isinstance(command, commands.Orders) and incoming.game and incoming.game.status == "running":
            unknown_sender.ask_who(incoming, incoming.game, command)
        else:
            incoming.notice(error.text)
    except UnknownGame as error:
        incoming.notice(_with_nearest(incoming, getattr(command, "game", ""), error.text))
    except PlayerError as error:
        incoming.notice(error.text)


def _carry_out_confirmed(incoming: Incoming) -> None:
    """Carry out the mail that waited for the `Ja` that was just read."""
    confirmed, incoming.confirmed = incoming.confirmed, None
    if confirmed:
        carry_out(confirmed)
        confirmation.take_over(incoming, confirmed)


def _with_nearest(incoming: Incoming, name: str, text: Text) -> Text:
    """Name the game that a misspelt name may mean: one of the writer's own, or one that is open to all."""
    watched = [one for player in incoming.players for one in turn_queries.watched(incoming.session, player.id)]
    public = ("open", "running") if text.code == "NOTHING_TO_WATCH" else ("open",)
    shown, _ = game_queries.newest_games(incoming.session, public, status.MOST_GAMES)
    known = [*access.games_of(incoming.session, incoming.players), *watched, *shown]
    near = get_close_matches(game_queries.key_of(name), [game.name_key for game in known], 1, 0.7)
    found = next((game.name for game in known if near and game.name_key == near[0]), "")
    return say("NEAREST_GAME", game=name, near=found) if found else text


def _is_open_to_strangers(incoming: Incoming, command: object) -> bool:
    if isinstance(command, commands.Yes | commands.No):
        return questions.was_asked(incoming.session, incoming.mail.sender) or _is_gm(incoming)
    if isinstance(command, commands.Desk):
        return _is_gm(incoming)
    if isinstance(command, commands.NotUnderstood):
        return command.is_sign_up
    opened = commands.Join | commands.Standby | commands.Watch | commands.Games | commands.Help
    return isinstance(command, opened) and getattr(command, "on", True)


def _is_gm(incoming: Incoming) -> bool:
    return questions.is_gm(incoming.app, incoming.mail.sender)


def _intent(incoming: Incoming, command: commands.Wait | commands.Ready) -> None:
    game, seat = running_seat(incoming, command.game)
    at = position(incoming.app, incoming.session, game)
    if at.engine.rules.unit != "round":
        incoming.notice(say("NO_EFFECT", game=game.name))
        return
    if late_moves.is_late(incoming, game, at, seat, False):
        return
    waits = isinstance(command, commands.Wait)
    seat.intent, seat.intent_round = "wait" if waits else "ready", game.round
    incoming.session.add(seat)
    incoming.notice(say("WILL_WAIT" if waits else "READY", game=game.name, round=game.round), applied=True)


def _to_gm(incoming: Incoming, command: commands.ToGm) -> None:
    _pass_on(incoming, command.text)
    incoming.notice(say("PASSED_ON", gm=gm_name(incoming.app)), applied=True)


def _free_text(incoming: Incoming) -> None:
    """A mail without any command: a player's words go to the GM, a stranger gets the short help once a day."""
    if not incoming.players:
        _stranger(incoming)
    elif incoming.row.size > len(incoming.row.raw) or incoming.mail.is_cut:
        incoming.notice(say("TOO_LARGE"))
    elif incoming.reading.is_forward:
        incoming.notice(say("FORWARDED"))
        if incoming.reading.free_text:
            _to_gm(incoming, commands.ToGm(text=incoming.reading.free_text))
    elif incoming.reading.free_text:
        _talk(incoming, incoming.reading.free_text)
    elif incoming.reading.is_quotation:
        incoming.notice(say("NOTHING_BUT_QUOTED"))
    elif incoming.mail.has_attachment:
        _pass_on(incoming, ", ".join(incoming.mail.part_types))
        incoming.notice(say("ATTACHED", gm=gm_name(incoming.app)))
    else:
        incoming.notice(say("NOTHING_READ"))


def _talk(incoming: Incoming, text: str) -> None:
    """Put a player's words before the GM, unless they are there since yesterday, and tell the player so.

    Where only a date or a number is new, the GM gets no mail of it: an absence says the same of each mail of ours.
    """
    app, session, player = incoming.app, incoming.session, incoming.players[0]
    if not gm_list.was_passed_on(app, session, player, text, within=DAY, but_numbers=True):
        _pass_on(incoming, text)
    elif not gm_list.was_passed_on(app, session, player, text, within=DAY):
        gm_list.add_unmailed(app, session, "text", text, About(mail=incoming.row, player=player))
    code = "FREE_TEXT_ATTACHED" if incoming.mail.has_attachment else "FREE_TEXT"
    incoming.notice(say(code, gm=gm_name(app)), applied=True)


def _pass_on_what_stands_beside(incoming: Incoming, *, is_all: bool) -> None:
    """Put a player's words beside a move or command before the GM, once: some write the same below every mail."""
    if not incoming.players:
        return
    names = [part for player in incoming.players for part in (player.name, *player.name.split())]
    beside = words_for_the_gm(incoming.reading.prose, names)
    text = incoming.reading.free_text if is_all else beside
    if not text or gm_list.was_passed_on(incoming.app, incoming.session, incoming.players[0], text):
        return
    told = [str(entry.question.payload["text"]) for entry in incoming.for_gm]
    if any(" ".join(text.split()) in " ".join(one.split()) for one in told):
        return  # a command has taken it along
    _pass_on(incoming, text)
    incoming.notice(say("PASSED_ON_BESIDE", gm=gm_name(incoming.app)), applied=not incoming.refused)


def _pass_on(incoming: Incoming, text: str) -> None:
    """Put a player's words before the GM."""
    incoming.tell_gm("text", text, game=incoming.game, player=incoming.players[0])


def _stranger(incoming: Incoming) -> None:
    if incoming.mark:
        incoming.silent = incoming.mark.reason
        return
    if reached(incoming.app, incoming.session, "help", incoming.mail.sender):
        return
    incoming.parts.append(status.short_help(incoming))
    incoming.refused = True


_HANDLERS: Mapping[type, Callable[[Incoming, Any], None]] = {
    commands.Orders: moves.take_orders,
    commands.Join: joining.sign_up,
    commands.Withdraw: moves.take_back,
    commands.Wait: _intent,
    commands.Ready: _intent,
    commands.Status: status.status,
    commands.History: status.history,
    commands.Help: status.explain,
    commands.Games: status.games,
    commands.Standby: joining.set_standby,
    commands.Yes: answers.take_answer,
    commands.No: answers.take_answer,
    commands.Appeal: appeals.take_appeal,
    commands.ToGm: _to_gm,
    commands.Resign: leaving.resign,
    commands.Extension: preferences.ask_for_time,
    commands.Vacation: preferences.take_vacation,
    commands.Watch: press.watch,
    commands.Press: press.take_press,
    commands.Digest: preferences.set_digest,
    commands.Calendar: preferences.set_calendar,
    commands.SetLanguage: preferences.set_language,
    commands.NewAddress: preferences.ask_about_address,
    commands.Desk: by_mail.carry_out,
    commands.ArchiveName: preferences.set_name_form,
}
