"""Exports after all queued mails were sent: only steps whose bulletins have gone out are shown on pages."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from sqlmodel import Session, select

from gm.app.context import App
from gm.app.pass_report import Report
from gm.archive import export as exporting
from gm.archive.export import Exported
from gm.game.people.slugs import Segments
from gm.service.outbound.delivery import deliver
from gm.service.outbound.published_steps import publish
from gm.store.tables import Game


def send_and_export(app: App, folder: Path, **options: Any) -> Exported:
    """Send all queued mails, then bring the site in a folder up to date."""
    send_all(app)
    return exporting.export(app, folder, **options)


def send_all(app: App) -> None:
    """Send all queued mails and mark their steps as published."""
    deliver(app, Report())
    publish(app)


def segments(names: Iterable[tuple[int, str]], otherwise: str) -> dict[int, str]:
    """Give each a path segment of its own, the lowest number first."""
    found = Segments(otherwise)
    return {number: found.add(number, name) for number, name in sorted(names)}


def game_slugs(session: Session) -> Mapping[int, str]:
    """Give the path segment of each game's pages, by id."""
    return segments(((game.id, game.name) for game in session.exec(select(Game))), "game")
