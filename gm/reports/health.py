"""What a monitor is told of the zine's state: flat fields under names that stay (docs/operate.md)."""

from datetime import datetime
from importlib.metadata import version
from typing import Any

from gm.app.context import local_iso
from gm.reports.games import as_json
from gm.reports.state import UNDER_WAY, State
from gm.store.queries import mail_queries
from gm.store.schema import schema_version


def health(state: State) -> dict[str, Any]:
    """Describe the service; of the games those that the GM should see first."""
    games = state.first_running
    by_zat = sorted(games, key=lambda one: (one.game.zat is None, one.game.zat or state.now, one.game.id))
    mails = mail_queries.count_mails(state.session)
    return {
        **monitored(state),
        "last_fetch": _when(state, state.zine.last_fetch),
        "last_delivery": _when(state, mail_queries.last_delivery(state.session)),
        "mailbox_trouble": state.zine.inbox_trouble or "",
        "mails": {status.replace(" ", "_"): number for status, number in mails.items()},
        "unreachable": [f"{one.name} ({address.address})" for one, address in state.unreachable],
        "forged_senders": state.forged,
        "games": [as_json(state.app, one) for one in by_zat],
        "games_left_out": state.others(games, UNDER_WAY),
    }


def _when(state: State, instant: datetime | None) -> str:
    return local_iso(state.app, instant) or "never"


def monitored(state: State) -> dict[str, Any]:
    """Give the fields for monitoring; `ok` with `reasons` is the sum of them."""
    return {
        "ok": not state.reasons,
        "reasons": state.reasons,
        "fetched_seconds_ago": state.seconds_since(state.zine.last_fetch),
        "to_handle": state.to_handle.number,
        "to_handle_oldest_seconds": state.seconds_since(state.to_handle.oldest),
        "to_send": state.to_send.number,
        "to_send_oldest_seconds": state.seconds_since(state.to_send.oldest),
        "untried_oldest_seconds": state.seconds_since(state.untried.oldest),
        "quarantined": state.quarantined,
        "overdue": len(state.overdue),
        "unfetched": state.unfetched,
        "held_too_long": state.held_too_long,
        "waiting_for_gm": len(state.open),
        "waiting_for_gm_oldest_seconds": state.seconds_since(state.open[0].since if state.open else None),
        "troubles": state.troubles,
        "version": version("postal-gm"),
        "database": state.app.database.engine.dialect.name,
        "schema": schema_version(state.session),
    }
