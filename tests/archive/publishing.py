"""Exports after all queued mails were sent: only steps whose bulletins have gone out are shown on pages."""

from pathlib import Path
from typing import Any

from gm.app.context import App
from gm.app.pass_report import Report
from gm.archive import export as exporting
from gm.archive.export import Exported
from gm.service.outbound.delivery import deliver
from gm.service.outbound.published_steps import publish


def send_and_export(app: App, folder: Path, **options: Any) -> Exported:
    """Send all queued mails, then bring the site in a folder up to date."""
    send_all(app)
    return exporting.export(app, folder, **options)


def send_all(app: App) -> None:
    """Send all queued mails and mark their steps as published."""
    deliver(app, Report())
    publish(app)
