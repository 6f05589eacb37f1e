"""Games: opened, started, shown, played, ruled on."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gm.cli.terminal.declared import Config, Json, Name, Player, SomeName, Yes, command
from gm.cli.terminal.printing import refuse, say, say_list, tracked
from gm.cli.terminal.zine import QUEUED, confirm_for_good, local_time, local_zat, opened

if TYPE_CHECKING:
    from gm.app.context import App
    from gm.requests.desk.actions import AbortPreview
    from gm.store.tables import Game as GameRow


@command("new", "Games", "gm new GAME Eriwan", "gm new GAME Jalta --zat 7d --autostart")
def new(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A kind of game, by key or title.")],
    name: Annotated[str, typer.Argument(metavar="NAME", help="The game's name.")],
    option: Annotated[
        list[str] | None,
        typer.Option("--option", metavar="K=V", help="An option of the game; of every one: press=anonymous."),
    ] = None,
    zat: Annotated[
        str | None,
        typer.Option(
            metavar="SPAN",
            help="Span of a round: 14d, 12h, 90m. `issue`: each round ends with an issue ([zine] in config.toml), the "
            "first that leaves it the game's usual span; `issue 10d`: at least ten days.",
        ),
    ] = None,
    language: Annotated[str | None, typer.Option(help="de or en.")] = None,
    autostart: Annotated[bool, typer.Option("--autostart", help="Start when all seats and wishes are there.")] = False,
    config: Config = None,
) -> None:
    """Open a game for sign-up."""
    from gm.messages import mail_commands
    from gm.requests.desk import actions

    with opened(config, create=True) as app:
        opened_game = actions.new_game(
            app, game, name, options=option or (), zat=zat, language=language, autostart=autostart
        )
        title, ends = app.engine(opened_game.engine).rules.title, list(_ends_with_issues(app, opened_game))
    order = mail_commands.catalogue(opened_game.language)["JOIN"]["spellings"][0]
    say(f"{title} {opened_game.name} is open for sign-up: players write `{order} {title} {opened_game.name}`.", *ends)


def _ends_with_issues(app: "App", game: "GameRow") -> Iterator[str]:
    """Say what a game is opened for whose rounds end with the issues."""
    from gm.app import issues

    if game.by_issue:
        yield f"Each round ends with an issue, {game.span} after its beginning at the earliest."
        if issues.are_over(app.settings, app.now()):
            yield issues.OVER


@command(
    "join", "Games", 'gm join Eriwan "Anna Berg" anna@example.org --wish D', 'gm join Eriwan "Frida Fuchs" --paper'
)
def join(
    name: Name,
    player: Player,
    address: Annotated[str | None, typer.Argument(metavar="ADDRESS", help="The mail address of a new player.")] = None,
    wish: Annotated[str | None, typer.Option(metavar="LETTER", help="The wish letter.")] = None,
    paper: Annotated[
        bool, typer.Option("--paper", help="Without a mail address: what is for the player goes to you, to print.")
    ] = False,
    config: Config = None,
) -> None:
    """Seat a player by hand, who is told so; once more with another wish to change it."""
    from gm.requests.desk import actions

    if address is not None and paper:
        raise typer.BadParameter("give the player's ADDRESS or say --paper, not both.")
    with opened(config) as app:
        joined = actions.join(app, name, player, "" if paper else address, wish)
    whose = "What is for the player goes to you, to print; the first mail" if joined.by_post else "The player's mail"
    seated = f"{joined.player} has a seat in {joined.game}. {whose} is queued; {QUEUED}"
    say(seated, *(f"Still wanted: {sentence}" for sentence in joined.wanted))


@command("start", "Games", "gm start Eriwan", "gm start Jalta")
def start(name: Name, config: Config = None) -> None:
    """Start a game; refused with the reason while seats or wishes are missing."""
    from gm.requests.desk import actions

    with opened(config) as app:
        game = actions.start(app, name)
        zat = local_zat(app, game)
        say(f"{game.name} has started, ZAT of round 1: {zat}. The bulletins are queued; {QUEUED}")


@command("move", "Rounds", "gm move Eriwan anna move.txt", "gm move Eriwan anna --withdraw")
def move(
    name: Name,
    player: Player,
    file: Annotated[Path | None, typer.Argument(metavar="FILE", help="The block; - or nothing: stdin.")] = None,
    withdraw: Annotated[bool, typer.Option("--withdraw", help="Take the move on file back.")] = False,
    config: Config = None,
) -> None:
    """Enter a move that came by post or telephone; the checks are those of a mail."""
    from gm.requests.desk import actions

    with opened(config) as app:
        whose = actions.who_sits(app, name, player)
        if withdraw:
            actions.withdraw_move(app, name, player)
            say(f"The move of {whose} in {name} is taken back.")
            return
        remarks = actions.enter_move(app, name, player, read_text(file))
    say(f"The move of {whose} in {name} is on file.", *(f"- {remark}" for remark in remarks))


def read_text(file: Path | None) -> str:
    """Read a text from a file; from stdin where none is named, or `-`. Raises Refused."""
    try:
        raw = file.read_bytes() if file and str(file) != "-" else sys.stdin.buffer.read()
    except OSError as error:
        refuse(f"{file} can't be read: {error.strerror}.", error)
    if b"\0" in raw:
        refuse(f"{file or 'What was typed'} can't be read: it is no text; save it as plain text.")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return raw.decode("cp1252", "replace")


@command(
    "rule", "Words", "gm rule Eriwan accept KANU", 'gm rule Eriwan reject KANU --note "No noun." --house', by_mail=True
)
def rule(
    name: Name,
    verdict: Annotated[
        str,
        typer.Argument(metavar="accept|reject", help="Whether the words count."),
    ],
    words: Annotated[list[str], typer.Argument(metavar="WORD...", help="Words to rule on.")],
    note: Annotated[str, typer.Option(metavar="TEXT", help="The reason, for the players.")] = "",
    house: Annotated[bool, typer.Option("--house", help="For all games, also later ones.")] = False,
    config: Config = None,
) -> None:
    """Rule on doubtful words and appeals."""
    from gm.requests.desk import actions

    if verdict not in ("accept", "reject"):
        refuse(f"'{verdict}' is no ruling; write accept or reject.")
    with opened(config) as app:
        say(*actions.rule(app, name, words, verdict == "accept", note, house))


@command("rulings", "Words", "gm rulings", "gm rulings Eriwan")
def rulings(name: SomeName = None, config: Config = None, as_json: Json = False) -> None:
    """List the rulings, the newest first: for which game, or for all (house)."""
    from gm.store.queries import game_queries

    with opened(config) as app, app.database.read() as session:
        found = game_queries.all_rulings(session, game_queries.named(session, name) if name else None)
        rows = [
            (r.word, "accepted" if r.accepted else "rejected", where or "house", local_time(app, r.at), r.note)
            for r, where in found
        ]
    head = ("word", "ruling", "scope", "date", "note")
    say_list([dict(zip(head, row, strict=True)) for row in rows], as_json, head, rows, "No rulings yet.")


@command(
    "abort", "Games", 'gm abort Eriwan --why "Too few are left."', 'gm abort Eriwan --why "Too few are left." --yes'
)
def abort(
    name: Name,
    why: Annotated[str, typer.Option("--why", metavar="TEXT", help="The reason, for the players.")],
    yes: Yes = False,
    config: Config = None,
) -> None:
    """End a game without a result; asks on a terminal."""
    from gm.requests.desk import actions

    with opened(config) as app:
        if not yes:
            would = actions.preview_abort(app, name)
            confirm_for_good(_would_abort(would), f"Break {would.game.name} off?", f"{would.game.name} goes on.")
        game = actions.abort(app, name, why)
    say(f"{game.name} is broken off. The players' mails are queued; {QUEUED}")


def _would_abort(one: "AbortPreview") -> list[str]:
    game, watching = one.game, f" and {', '.join(one.spectators)}, who watch" if one.spectators else ""
    return [
        f"{game.name} ({one.title}) is {game.status}{f', round {game.round}' if game.status == 'running' else ''}.",
        f"In its seats: {', '.join(one.players) or 'nobody'}.",
        "It would end without a result, for good: no points, no ranks.",
        f"Told by mail would be the players{watching}.",
    ]


@command("verify", "Games", "gm verify", "gm verify Eriwan")
def verify(name: SomeName = None, config: Config = None) -> None:
    """Replay a game from its record and compare every position and score."""
    from gm.game import replay
    from gm.store.queries import game_queries

    faults = 0
    with opened(config) as app, app.database.read() as session:
        games = [game_queries.named(session, name)] if name else game_queries.games(session)
        for game in tracked(games, "Replaying"):
            found = replay.verify(app, session, game)
            faults += len(found)
            said = found or [replay.other_rules(app, session, game) or "as recorded"]
            say(*(f"{game.name}: {sentence}" for sentence in said))
    if faults:
        raise typer.Exit(1)
