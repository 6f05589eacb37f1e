"""Exports of what everybody may know: in a pass of the service too the mails go out before the pages are written."""

from pathlib import Path
from typing import Any

from gm.app.context import App
from gm.app.pass_report import Report
from gm.archive import export as exporting
from gm.archive.export import Exported
from gm.service.outbound.delivery import deliver
from gm.service.outbound.published_steps import publish


def export(app: App, folder: Path, **options: Any) -> Exported:
    """Send what is queued, then bring the site in a folder up to date."""
    all_go_out(app)
    return exporting.export(app, folder, **options)


def all_go_out(app: App) -> None:
    """Send what is queued, so that everybody may know of it."""
    deliver(app, Report())
    publish(app)
