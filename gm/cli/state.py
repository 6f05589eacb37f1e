"""The state of the zine, as the GM sees it: `gm` alone, `gm status`, `gm todo`, `gm list` and `gm show`."""

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from gm.cli.terminal.declared import Config, Json, as_its_owner, command
from gm.cli.terminal.printing import refuse, say, say_below, say_games, say_in_colour, say_json, say_list
from gm.cli.terminal.zine import opened
from gm.runtime.clock import largest_unit

if TYPE_CHECKING:
    from gm.reports.games import GameState
    from gm.reports.state import State

MOST: Final = 8
"""Things that `gm` alone shows, of what waits and of the next rounds; the others are counted."""
BEGINNING: Final = (
    "There is no config.toml here yet.", "",
    "  gm demo       plays a whole game, and needs nothing",
    "  gm init       sets up a zine: it asks for the mailbox and writes config.toml",
    "  gm --help     lists all commands",
)  # fmt: skip


def show_today() -> None:
    """Print what waits for the GM, the rounds that are due next, and how the mail goes: today, on one screen."""
    from gm.reports.state import State
    from gm.runtime.config.settings import default_path

    as_its_owner(None)
    if not default_path().exists():
        say(*BEGINNING)
        return
    with opened(None) as app, app.database.read() as session:
        state = State(app, session)
        say(f"{app.settings.service.name}, {state.now:%Y-%m-%d %H:%M}", "", *_waiting(state), "")
        _tell_rounds(state)
        say("")
        _tell_fetch(state)
        say(f"Mails that wait to be sent: {state.to_send.number}")


def _waiting(state: "State") -> Iterator[str]:
    """Write what waits, oldest first, with the line to type for each."""
    yield f"{_how_much_waits(len(state.open))}{':' if state.open else '.'}"
    for one in state.open[:MOST]:
        yield f"  {one.what}: {one.about}".rstrip(": ")
        yield f"      {one.do}"
    if len(state.open) > MOST:
        yield f"  ... and {len(state.open) - MOST} more: gm todo"


def _how_much_waits(number: int) -> str:
    if not number:
        return "Nothing waits for you"
    return "1 thing waits for you" if number == 1 else f"{number} things wait for you"


def _tell_rounds(state: "State") -> None:
    """Print the rounds that close next, and who is missing."""
    from gm.reports.games import missing_names

    rounds, _ = state.coming(MOST)
    say("Rounds due next:" if rounds else "No round is due; `gm new` opens a game.")
    for one in rounds:
        say(f"  {one.game.name}, {one.unit} {one.game.round}: {one.why or _when(one.game.zat_in_force, state.now)}")
        missing = ", ".join(missing_names(state.app, state.session, one.game))
        say_below(f"missing: {missing}" if missing else "all moves are in")


def _when(zat: datetime | None, now: datetime) -> str:
    """Write a ZAT as people say it: today, tomorrow, or in so many days."""
    if zat is None:
        return "no ZAT"
    zat = zat.astimezone(now.tzinfo)
    if zat <= now:
        return f"due since {zat:%Y-%m-%d %H:%M}"
    days = (zat.date() - now.date()).days
    if days < 2:
        return f"{'tomorrow' if days else 'today'} {zat:%H:%M}"
    return f"{zat:%Y-%m-%d %H:%M}, in {largest_unit(timedelta(days=days))}"


@command("todo", "Mail", "gm todo", "gm todo --done ABCD", by_mail=True)
def todo(
    done: Annotated[str | None, typer.Option("--done", metavar="CODE", help="Tick one off.")] = None,
    config: Config = None,
    as_json: Json = False,
) -> None:
    """List what waits for the GM, oldest first."""
    if done:
        from gm.requests.desk.mail_actions import tick_off

        with opened(config) as app:
            say(tick_off(app, done))
        return
    from gm.reports.todo import waiting_for_gm

    with opened(config) as app, app.database.read() as session:
        found = waiting_for_gm(app, session)
    rows = [tuple(row.values()) for row in found]
    say_list(found, as_json, ("since", "what", "about", "do"), rows, "Nothing waits for you.")


@command("status", "Care", "gm status", "gm status --json", by_mail=True)
def status(config: Config = None, as_json: Json = False) -> None:
    """Show the service's health: what waits for you, held rounds and next deadlines, queues, last fetch."""
    from gm.reports.health import health
    from gm.reports.state import State

    with opened(config) as app, app.database.read() as session:
        state = State(app, session)
        if as_json:
            say_json(health(state))
        else:
            _tell(state)


def _tell(state: "State") -> None:
    """Print what is wrong, open and due, and how the mail goes."""
    from gm.reports.state import UNDER_WAY
    from gm.store.queries import mail_queries

    say_in_colour("Somebody should look:" if state.reasons else "All is well.", "red" if state.reasons else "green")
    for reason in state.reasons:
        say_in_colour(f"  {reason}", "red")
    waits = _how_much_waits(len(state.open))
    say_in_colour(f"{waits}: gm todo" if state.open else f"{waits}.", "yellow" if state.open else "green")
    games = state.first_running
    _tell_games(games, state.now, "No game is running.", left_out=state.others(games, UNDER_WAY))
    if state.unreachable:
        named = ", ".join(f"{player.name} ({address.address})" for player, address in state.unreachable)
        say_in_colour(f"Mails come back from {named}; see `gm player show NAME`.", "yellow")
    if state.forged:
        forged = f"Forged mails in players' names, last 7 days: {state.forged}"
        say_in_colour(f"{forged}; see `gm mail list --status ignored`.", "yellow")
    _tell_fetch(state)
    say(f"Mails were last sent: {ago(mail_queries.last_delivery(state.session), state.now)}")
    say(*_mail_lines(mail_queries.count_mails(state.session)))


def _tell_fetch(state: "State") -> None:
    is_late = state.is_fetch_late
    said = f"Mails were last fetched: {ago(state.zine.last_fetch, state.now)}"
    say_in_colour(f"{said}{'; does `gm serve` run?' if is_late else ''}", "red" if is_late else "")


def _mail_lines(mails: dict[str, int]) -> Iterator[str]:
    """Write how many mails came and went, and what became of them."""
    outgoing = {status.removeprefix("out "): number for status, number in mails.items() if status.startswith("out ")}
    received = {status: number for status, number in mails.items() if not status.startswith("out ")}
    for what, counts in (("Mails received", received), ("Mails written", outgoing)):
        if counts:
            said = ", ".join(f"{number} {status}" for status, number in counts.items())
            yield f"{what}: {sum(counts.values())} ({said})"


@command("list", "Games", "gm list", "gm list --json", by_mail=True)
def list_games(config: Config = None, as_json: Json = False) -> None:
    """List the games, first those that need you."""
    from gm.reports.games import all_games
    from gm.reports.games import as_json as described

    with opened(config) as app, app.database.read() as session:
        found = all_games(app, session)
        if as_json:
            say_json([described(app, one) for one in found])
        else:
            _tell_games(found, app.now().astimezone(app.settings.service.timezone), NO_GAMES, of_all=True)


NO_GAMES: Final = "No games yet; `gm new` opens one."


@command("show", "Games", "gm show Eriwan", "gm show Eriwan --seat anna")
def show(
    name: Annotated[
        str | None,
        typer.Argument(metavar="NAME", help="The game's name; else all in short."),
    ] = None,
    seat: Annotated[
        str | None,
        typer.Option("--seat", metavar="PLAYER", help="As this player sees it."),
    ] = None,
    config: Config = None,
    as_json: Json = False,
) -> None:
    """Show a game as spectators see it, or as one seat does; without a name, the games that need you now or next."""
    if name is None:
        _show_first(config, seat, as_json=as_json)
        return
    from gm.reports import game as shown
    from gm.store.queries import game_queries

    with opened(config) as app, app.database.read() as session:
        game = game_queries.named(session, name)
        if seat:
            from gm.game import gm_visibility

            gm_visibility.check_seat(app, session, game, seat)
        if as_json:
            say_json(shown.show(app, session, game, seat))
        else:
            say(shown.text_of(app, session, game, seat))


def _show_first(config: Path | None, seat: str | None, *, as_json: bool) -> None:
    from gm.reports.games import as_json as described
    from gm.reports.state import State

    if seat:
        refuse(f"Name the game in which {seat} has a seat: gm show NAME --seat ...")
    with opened(config) as app, app.database.read() as session:
        state = State(app, session)
        left_out = state.others(state.first)
        if as_json:
            say_json({"games": [described(app, one) for one in state.first], "games_left_out": left_out})
        else:
            _tell_games(state.first, state.now, NO_GAMES, left_out=left_out, of_all=True)


def _tell_games(
    games: "Iterable[GameState]", now: datetime, nothing: str, *, left_out: int = 0, of_all: bool = False
) -> None:
    """Print games in a table, first those that need the GM; `of_all`, with their kind and status."""
    from gm.reports.games import by_need

    rows = [_row(one, now, of_all=of_all) for one in by_need(games, now)]
    head = ("name", "game", "status", "round", "ZAT", "moves in", "remark")
    say_games(head if of_all else ("game", *head[3:]), rows, nothing)
    if left_out:
        say(f"... and {left_out} more: gm list")


def _row(one: "GameState", now: datetime, *, of_all: bool) -> tuple[object, ...]:
    game, zat, until = one.game, one.game.zat_in_force, one.game.paused_until
    paused = f"paused until {_local(until, now):%Y-%m-%d %H:%M}" if until and until > now else ""
    kind = (one.title, game.status) if of_all else ()
    when = _local(zat, now).isoformat(timespec="seconds") if zat else ""
    return game.name, *kind, game.round, when, one.moves, one.need(now) or paused


def _local(instant: datetime, now: datetime) -> datetime:
    return instant.astimezone(now.tzinfo)


def ago(instant: datetime | None, now: datetime) -> str:
    """Write an instant with how long ago it was."""
    if instant is None:
        return "never"
    passed = largest_unit(now - instant)
    return f"{_local(instant, now):%Y-%m-%d %H:%M} ({f'{passed} ago' if passed else 'just now'})"
