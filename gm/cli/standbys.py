"""Standbys: put into a seat, and the list of those who are asked."""

from typing import Annotated

import typer

from gm.cli import completion
from gm.cli.common import QUEUED, Config, Json, Name, Player, cli, opened, standbys
from gm.cli.dialogs.printing import say, say_list


@cli.command()
def standby(
    name: Name,
    out: Annotated[str, typer.Argument(metavar="OUT", help="Who leaves.", autocompletion=completion.players)],
    incoming: Annotated[
        str | None,
        typer.Argument(metavar="IN", help="Who comes; else the first on the list.", autocompletion=completion.standbys),
    ] = None,
    address: Annotated[str | None, typer.Argument(metavar="ADDRESS", help="The address of a new player.")] = None,
    nobody: Annotated[bool, typer.Option("--none", help="Nobody comes: the others play on without the seat.")] = False,
    config: Config = None,
) -> None:
    """Put a standby into a seat."""
    from gm.commands.gm_commands import actions

    with opened(config) as app:
        if nobody:
            actions.play_on_without(app, name, out)
            say(f"{name} goes on without {out}. The players' mails are queued; {QUEUED}")
            return
        left, came = actions.standby(app, name, out, incoming, address)
    say(f"{came} has taken over {left}'s seat in {name}. Both mails are queued; {QUEUED}")


@standbys.command("add")
def standbys_add(
    player: Player,
    address: Annotated[str, typer.Argument(metavar="ADDRESS", help="The player's mail address.")],
    game: Annotated[
        str | None,
        typer.Argument(metavar="GAME", help="Only for this kind of game.", autocompletion=completion.kinds),
    ] = None,
    config: Config = None,
) -> None:
    """Put a player on the list."""
    from gm.commands.gm_commands import actions

    with opened(config) as app:
        actions.add_standby(app, player, address, game)
    say(f"{player} is on the standby list.")


@standbys.command("list")
def standbys_list(config: Config = None, as_json: Json = False) -> None:
    """List the standbys in the order in which they are asked."""
    from gm.store.queries import player_queries

    with opened(config) as app, app.database.read() as session:
        rows = [(held.name, entry.engine or "any") for entry, held in player_queries.standby_list(session)]
    found = [{"player": name, "game": game} for name, game in rows]
    say_list(found, as_json, ("player", "game"), rows, "Nobody is on the standby list.")


@standbys.command("remove")
def standbys_remove(player: Player, config: Config = None) -> None:
    """Take a player off the list."""
    from gm.commands.gm_commands import actions

    with opened(config) as app:
        actions.remove_standby(app, player)
    say(f"{player} is off the standby list.")
