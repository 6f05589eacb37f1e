"""Instants in the JSON that the commands print."""

from datetime import datetime

from gm.app.context import App


def local_iso(app: App, instant: datetime | None) -> str | None:
    """Write an instant in the zine's time, to the second."""
    return instant.astimezone(app.settings.service.timezone).isoformat(timespec="seconds") if instant else None
