"""The weekly digest: what it would say now, and sending it out of turn."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from gm.cli.common import QUEUED, Config, Json, cli, opened
from gm.cli.dialogs.printing import say, say_json
from gm.runtime.errors import Refused

if TYPE_CHECKING:
    from sqlmodel import Session

    from gm.app.context import App
    from gm.service.outbound.digests import Made


@cli.command()
def digest(
    send: Annotated[bool, typer.Option("--send", help="Queue it now, beside the one of the week.")] = False,
    to: Annotated[str, typer.Option("--to", metavar="ADDRESS", help="Only for the players at this address.")] = "",
    config: Config = None,
    as_json: Json = False,
) -> None:
    """Print what the digest would say now: the GM's copy and who would get one, or one player's."""
    with opened(config) as app:
        found = _queued(app, to) if send else _shown(app, to)
    if as_json:
        say_json(found)
        return
    if to and not send:
        say(*(f"{mail['subject']}\n\n{mail['text']}" for mail in found["players"]))
    else:
        say(*([] if to or send else [f"{found['gm']['subject']}\n\n{found['gm']['text']}"]))
        say(*(f"{mail['name']}: {mail['subject']}" for mail in found["players"]))
    if not found["players"]:
        say("No player gets one now: there is nothing to say, or they don't want it.")
    if send:
        say(f"Mails queued: {len(found['players']) + (not to)}. {QUEUED}")


def _shown(app: "App", to: str) -> dict[str, Any]:
    from gm.service.outbound import digests

    with app.database.read() as session:
        _check_address(session, to)
        return _described(app, session, digests.make(app, session, digests.out_of_turn(app)), to)


def _queued(app: "App", to: str) -> dict[str, Any]:
    from gm.service.outbound import digests

    with app.database.write() as session:
        _check_address(session, to)
        return _described(app, session, digests.queue(app, session, digests.out_of_turn(app), to), to)


def _check_address(session: "Session", to: str) -> None:
    from gm.store.queries.game_queries import players_at

    if to and not players_at(session, to):
        raise Refused(f"No player writes from '{to}'; name the address that one of them signed up with.")


def _described(app: "App", session: "Session", made: "Made", to: str) -> dict[str, Any]:
    from gm.service.outbound import digests

    letters = [(copy, *digests.written(app, session, made, copy)) for copy in digests.copies_at(session, made, to)
               if copy.part]  # fmt: skip
    subject, text = digests.written(app, session, made)
    players = [{"name": copy.player.name, "subject": title, "text": body} for copy, title, body in letters]
    return {"gm": {"subject": subject, "text": text}, "players": players}
