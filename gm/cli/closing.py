"""The clock of games: rounds closed, released and taken back, ZATs moved, pauses."""

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from typer.core import TyperCommand

from gm.cli.games import read_text
from gm.cli.terminal.declared import All, Config, Json, Name, NameUnlessAll, Yes, command
from gm.cli.terminal.printing import say, say_json, say_table, warn
from gm.cli.terminal.zine import QUEUED, asks, confirm, local_time, local_zat, opened
from gm.runtime.clock import largest_unit
from gm.runtime.harmful_characters import visible

if TYPE_CHECKING:
    from gm.app.context import App
    from gm.game.missing_moves import Missing, WaitingMail
    from gm.game.schedule.rehearsal import Rehearsal, RehearsedSeat
    from gm.requests.desk.actions import ClosePreview, Undone
    from gm.requests.desk.all_games import ChangedGames
    from gm.store.tables import Game as GameRow
    from gm.store.tables import MailOut, Turn


MINUS: Final = "\N{MINUS SIGN}"


class SpansBack(TyperCommand):
    """A command that takes a span back, `-3d`, which isn't an option."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments, with a minus sign in place of the hyphen before a number."""
        return super().parse_args(ctx, [re.sub(r"^-(?=\d)", MINUS, one) for one in args])


Why = Annotated[str, typer.Option("--why", metavar="TEXT", help="The reason, for the players.")]

UNCOUNTED: Final = "-"
"""The new points of a round in a game that counts none before its end."""


@command("close", "Rounds", "gm close Eriwan --dry-run", "gm close Eriwan", by_mail=True)
def close(
    name: Name,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would come of it, seat by seat, and change nothing.")
    ] = False,
    mails: Annotated[bool, typer.Option("--mails", help="With --dry-run: the mails that would go out.")] = False,
    no_fetch: Annotated[bool, typer.Option("--no-fetch", help="Don't look into the mailbox first.")] = False,
    yes: Yes = False,
    config: Config = None,
    as_json: Json = False,
) -> None:
    """Fetch, then close the round now; asks on a terminal if moves are missing."""
    from gm.requests.desk import actions

    if (mails or as_json) and not dry_run:
        raise typer.BadParameter("--mails and --json go with --dry-run.")
    with opened(config) as app:
        if dry_run:
            _show_rehearsal(app, actions.rehearse_close(app, name), mails=mails, as_json=as_json)
            return
        instant = _fetched(app, name, no_fetch)
        seen = actions.preview_close(app, name, instant)
        if seen.missing and asks(yes):
            confirm(_missing(app, seen, instant), f"Close {seen.counted} of {name} now?", f"{name} stays open.")
            instant = _fetched(app, name, no_fetch)  # what came before the answer counts as well
        else:
            warn(*_warnings(seen))
        game = actions.close(app, name, instant, seen.game.turn)
        if game.status == "running" and not game.zat:
            say(f"{game.name} is closed; look its bulletin through, then: gm release {game.name}")
            return
        say(f"{game.name} is closed; {_next_zat(app, game)}. The bulletins are queued; {QUEUED}")


def _missing(app: "App", seen: "ClosePreview", now: datetime) -> Iterable[str]:
    """Write when the round would end by itself, and for each seat without a move the mails that wait."""
    yield f"{_ends(app, seen, now)} Moves are missing:"
    for one in seen.missing:
        yield f"  {_whose(one)}: {_count(one)}"
        yield from (
            f"    mail {mail.mail_id}, {local_time(app, mail.received)}, {mail.why}: gm mail show {mail.mail_id}"
            for mail in one.mails
        )


def _warnings(seen: "ClosePreview") -> Iterable[str]:
    """Write a line for each seat without a move from which mails wait."""
    for one in seen.missing:
        if one.mails:
            where = f"the move of {_whose(one)} is missing in {seen.counted} of {seen.game.name}"
            yield f"{where}, and {_listed(one.mails)}"


def _ends(app: "App", seen: "ClosePreview", now: datetime) -> str:
    """Write when the round would end by itself."""
    name, zat = seen.game.name, seen.game.zat
    if seen.game.held:
        return f"{name} is held: {seen.game.held}."
    if zat is None:
        return f"{name} has no ZAT."
    is_early = zat > now
    distance = largest_unit(abs(zat - now)) or "less than a minute"
    when = f"in {distance}" if is_early else f"{distance} ago"
    return f"The ZAT of {seen.counted} of {name} {'is' if is_early else 'was'} {local_time(app, zat)}, {when}."


def _whose(one: "Missing") -> str:
    if one.away is None:
        return one.player or f"seat {one.seat}, where nobody sits"
    first, last = one.away
    return f"{one.player} (away {f'until {last}' if one.is_away else f'from {first} to {last}'})"


def _count(one: "Missing") -> str:
    number = len(one.mails)
    return f"{number} mail{'s' * (number != 1)} of theirs wait{'s' * (number == 1)}" if number else "no mail waits"


def _listed(mails: Iterable["WaitingMail"]) -> str:
    return "; ".join(f"mail {mail.mail_id} {mail.why}: gm mail show {mail.mail_id}" for mail in mails)


def _next_zat(app: "App", game: "GameRow") -> str:
    return f"ZAT of round {game.round}: {local_zat(app, game)}" if game.zat else f"the game is {game.status}"


def _fetched(app: "App", name: str, no_fetch: bool) -> datetime:
    """Fetch the mails; returns when that began: what had arrived by then counts."""
    from gm.app.pass_report import Report
    from gm.requests.desk import actions
    from gm.service.inbound.receive import receive

    instant = app.now()
    if not no_fetch:
        actions.check_running(app, name)  # before a mail server is asked
        receive(app, Report())
    return instant


def _show_rehearsal(app: "App", seen: "Rehearsal", *, mails: bool, as_json: bool) -> None:
    if as_json:
        say_json(_as_json(app, seen))
    elif not mails:
        head = ("seat", "player", "move", "new points", "points", "rank", "mail")
        say_table(head, [_row(seat) for seat in seen.seats], "Nobody sits there.")
        say(*_outlook(app, seen))
    elif sys.stdout.isatty():
        import pydoc

        pydoc.pager("\n".join(visible(line) for line in mails_shown(seen.mails)))
    else:
        say(*mails_shown(seen.mails))


def _row(seat: "RehearsedSeat") -> tuple[object, ...]:
    """Lay a seat out; the points of a round have a sign. A terminal has no room for addresses beside the move."""
    new = UNCOUNTED if seat.new is None else f"{seat.new:+d}"
    points, rank = ("" if number is None else number for number in (seat.points, seat.rank))
    is_drawn = sys.stdout.isatty()
    mails = ", ".join(mail.kind if is_drawn else f"{mail.kind} to {mail.address}" for mail in seat.mails)
    return seat.seat, seat.player or "nobody", _move(seat), new, points, rank, mails or "none"


def _move(seat: "RehearsedSeat") -> str:
    mails = ", ".join(map(str, seat.waiting))
    waits = f" (look at mail {mails} first: gm mail show {seat.waiting[0]})" if mails else ""
    return f"{seat.move or 'owes none'}{'' if seat.is_complete else ' (something is missing)'}{waits}"


def _outlook(app: "App", seen: "Rehearsal") -> Iterator[str]:
    """Tell what would come next."""
    yield ""
    if all(seat.new is None for seat in seen.seats):
        yield "This game counts no points before its end."
    if seen.others:
        yield f"Also told: {', '.join(f'{mail.address} ({mail.kind})' for mail in seen.others)}."
    if seen.doubtful:
        yield f"Doubtful words: {' '.join(seen.doubtful)}; they wait for gm rule {seen.game} accept|reject WORD."
    ends = {
        "running": f"{seen.next_counted} has its ZAT at {local_time(app, seen.next_zat)}",
        "provisional": "the game is over, its result provisional",
        "finished": f"the game is over; {_won(seen.winners)}",
    }[seen.status]
    waits = f", as soon as you say: gm release {seen.game}" if seen.waits else ""
    yield f"After {seen.counted} of {seen.game}: {ends}{waits}."
    yield f"{len(seen.mails)} mails would go out (--mails shows them)."
    yield f"Nothing is changed by this; it is done by: gm close {seen.game}"


def _won(winners: Sequence[str]) -> str:
    return f"won by {' and '.join(winners)}" if winners else "nobody has won"


def _as_json(app: "App", seen: "Rehearsal") -> dict[str, Any]:
    from gm.app.context import local_iso

    def mail(one: "MailOut") -> dict[str, str]:
        return {"kind": one.kind, "to": one.address, "subject": one.subject}

    seats = [
        {"seat": one.seat, "player": one.player or None, "move": one.move or None, "complete": one.is_complete,
         "waiting_mails": list(one.waiting), "new_points": one.new, "points": one.points, "rank": one.rank,
         "mails": [mail(each) for each in one.mails]}
        for one in seen.seats
    ]  # fmt: skip
    return {
        "name": seen.game, "closes": seen.counted, "seats": seats, "other_mails": [mail(one) for one in seen.others],
        "waits_for_release": seen.waits, "status": seen.status, "next": seen.next_counted,
        "next_zat": local_iso(app, seen.next_zat), "winners": list(seen.winners), "doubtful": list(seen.doubtful),
    }  # fmt: skip


def mails_shown(mails: Iterable["MailOut"]) -> Iterator[str]:
    """Write mails as their readers see them."""
    from parsers.mime.message import read_mail

    for mail in mails:
        yield from (f"To: {mail.address}", f"Subject: {mail.subject}", "")
        yield from (*read_mail(mail.raw or b"").text.split("\n"), "")


@command("release", "Rounds", "gm release Eriwan", "gm release Eriwan --foreword foreword.txt", by_mail=True)
def release(
    name: Name,
    foreword: Annotated[
        Path | None, typer.Option("--foreword", metavar="FILE", help="A text that stands above the bulletin.")
    ] = None,
    config: Config = None,
) -> None:
    """Send a bulletin that waits for the GM (release = "gm")."""
    from gm.requests.desk import actions

    text = read_text(foreword) if foreword else ""
    with opened(config) as app:
        game = actions.release(app, name, text)
        say(f"The bulletins of {game.name} are queued, {_next_zat(app, game)}; {QUEUED}")


@command("zat", "Rounds", "gm zat Eriwan +3d --why Ostern", "gm zat --all issue", by_mail=True, cls=SpansBack)
def zat(
    name: NameUnlessAll = None,
    when: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="WHEN",
            help="+7d, -3d, +3 Tage, tomorrow 20:00, 24.12., 2026-12-24 20:00; issue: that of the first issue that "
            "fits ([zine] dates), with --all for the games that were opened for the issues.",
        ),
    ] = None,
    every: All = False,
    why: Why = "",
    config: Config = None,
) -> None:
    """Show the deadline, or move it and tell the players; not in a pause, which `gm resume` ends."""
    from gm.game.schedule import clock_control
    from gm.requests.desk import actions
    from gm.store.queries import game_queries

    words = [word.replace(MINUS, "-") for word in (name, *(when or [])) if word]  # behind --all there is no name
    new = " ".join(words if every else words[1:])
    if not (words or every):
        raise typer.BadParameter("name a game (gm zat NAME +3d), or say --all.")
    if why and not new:
        raise typer.BadParameter("--why goes with a new deadline.")
    with opened(config) as app:
        if every:
            _zats_of_all(app, new, why)
            return
        with app.database.read() as session:
            game = game_queries.named(session, words[0])
        if not new:
            paused = clock_control.paused(app, game)
            say(local_zat(app, game), *([f"{paused}."] if paused else []))
            return
        moved = actions.move_zat(app, words[0], new, why)
        if moved == game.zat and not game.held:
            say(f"The ZAT of {game.name} is {local_time(app, moved)} already; nothing changes, and nobody is told.")
            return
        say(f"New ZAT of {game.name}: {local_time(app, moved)}. The players' mails are queued; {QUEUED}")


def _zats_of_all(app: "App", when: str, why: str) -> None:
    """Show the ZATs of all running games, or move them."""
    from gm.requests.desk import all_games
    from gm.store.queries import game_queries

    if when:
        _say_of_all(app, all_games.move_zats(app, when, why), _new_zat)
        return
    with app.database.read() as session:
        games = game_queries.games(session, ("running",))
    say_table(("game", "ZAT"), [(game.name, local_zat(app, game)) for game in games], "No game is running.")


def _new_zat(app: "App", game: "GameRow") -> str:
    return f"New ZAT of {game.name}: {local_zat(app, game)}."


@command("pause", "Rounds", "gm pause Eriwan 14d", "gm pause --all 14d --why Weihnachten")
def pause(
    name: NameUnlessAll = None,
    span: Annotated[
        list[str] | None, typer.Argument(metavar="SPAN", help="3d, 3 Tage, 12h; else deadlines.pause_max.")
    ] = None,
    every: All = False,
    why: Why = "",
    config: Config = None,
) -> None:
    """Stop the clock of a game, or of all, now; ZATs move on by as much."""
    from gm.requests.desk import actions, all_games

    words = [word for word in (name, *(span or [])) if word]  # behind --all there is no name
    if not (words or every):
        raise typer.BadParameter("name a game (gm pause NAME 3d), or say --all.")
    with opened(config) as app:
        if every:
            _say_of_all(app, all_games.pause(app, " ".join(words) or None, why), _paused)
            return
        game = actions.pause(app, words[0], " ".join(words[1:]) or None, why)
        say(f"{_paused(app, game)} The players' mails are queued; {QUEUED}")


def _paused(app: "App", game: "GameRow") -> str:
    until, zat = local_time(app, game.paused_until), local_time(app, game.zat)
    return f"{game.name} is paused until {until}, ZAT after that: {zat}."


@command("resume", "Rounds", "gm resume Eriwan", "gm resume --all")
def resume(name: NameUnlessAll = None, every: All = False, config: Config = None) -> None:
    """Let a paused game, or all that are paused, go on before the time."""
    from gm.requests.desk import actions, all_games

    if (name is None) != every:
        raise typer.BadParameter("name a game (gm resume NAME), or say --all.")
    with opened(config) as app:
        if name is None:
            _say_of_all(app, all_games.resume(app), _resumed)
            return
        game = actions.resume(app, name)
        say(f"{_resumed(app, game)} The players' mails are queued; {QUEUED}")


def _resumed(app: "App", game: "GameRow") -> str:
    return f"{game.name} goes on, ZAT: {local_time(app, game.zat)}."


def _say_of_all(app: "App", games: "ChangedGames", line: Callable[["App", "GameRow"], str]) -> None:
    told = f"The players' mails are queued; {QUEUED}" if games.changed else "Nothing changes, and nobody is told."
    say(*(line(app, game) for game in games.changed), *games.refused, told)


@command("undo", "Rounds", "gm undo Eriwan", "gm undo Jalta")
def undo(name: Name, config: Config = None) -> None:
    """Take the latest of closing, takeover and `gm standby --none` back; after a closing the game is held."""
    from gm.requests.desk import actions

    with opened(config) as app:
        say(_undone(actions.undo(app, name)))


def _undone(one: "Undone") -> str:
    """Say what was taken back, and what comes next."""
    name, turn = one.game.name, one.turn
    if turn is None or one.left:
        what = f"Playing on without {one.left} in" if turn else f"The takeover by {one.left} in"
        seat = f"{one.back} sits there again" if one.back else "the seat is free again"
        return f"{what} {name} is taken back: {seat}. The players' mails are queued; {QUEUED}"
    whats = {"act": "The last move", "resign": "Playing on without a seat"}
    return (
        f"{whats.get(turn.kind, f'The closing of round {one.game.round}')} of {name} is taken back. The game is held "
        f"until you say when it goes on: gm zat {name} WHEN, or gm close {name}. {_who_hears(turn)}"
    )


def _who_hears(turn: "Turn") -> str:
    if turn.released_at is None:
        return "Nobody is told: its bulletins had not been released."
    return f"The players' mails are queued; {QUEUED}"
