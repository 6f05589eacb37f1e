"""Sending an issue: a link where the archive is published, else the file itself; once to each reader."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sqlmodel import Session, col, select

from gm.app.context import App
from gm.messages import bounces, stored_files
from gm.messages.outgoing import DIGEST, Occasion, Part, draft, queue, recipient, write
from gm.messages.rendering.mime import BinaryFile
from gm.runtime.errors import OperatorError, Refused
from gm.store.chunks import CHUNK_SIZE
from gm.store.queries import mail_queries, meta_queries, player_queries, prefetch
from gm.store.tables import Address, Player
from gm.zine.build import BOOKLET, HTML, PDF, TEXT, compose, folder_of, replace_file, window_of

PUBLISHED: Final = "hefte"
"""The folder of the issues in the archive."""
SENT: Final = "issue sent:"
"""The entries of `meta` that say which bytes of an issue went out."""
KINDS: Final = {PDF: "application/pdf", HTML: "text/html"}


@dataclass(frozen=True, kw_only=True)
class Sent:
    """What was queued."""

    number: int
    mails: int
    readers: int
    way: str
    """The address of the page, or the name of the file."""


def send(app: App, number: int | None = None, *, corrected: bool = False) -> Sent:
    """Queue an issue to all readers who haven't got it yet. Raises Refused where it isn't built, or too large.

    Readers are all who want digests and whose address takes mails. Whatever was queued stays: after a crash the same
    command goes on. An issue that has changed since the first mail goes out only as `corrected`.
    """
    window = window_of(app, number)
    folder = folder_of(app, window.number)
    name = PDF if (folder / PDF).is_file() else HTML
    content = _read(folder / name, window.number)
    print_ = hashlib.sha256(content).hexdigest()
    with app.database.read() as session:
        before = meta_queries.get_meta(session, f"{SENT}{window.number}")
        issue, _ = compose(app, session, window, folder)
    if corrected and before is None:
        raise Refused(f"Issue {window.number} has not been sent yet, so there is nothing to correct.")
    if before is not None and before != print_ and not corrected:
        raise Refused(
            f"Issue {window.number} has changed since it was sent. To send it again: gm issue build {window.number} "
            f"--corrected, then gm issue send {window.number} --corrected"
        )
    base = app.settings.archive.base_url
    if not base:
        _check_size(app, folder / name, len(content))
    is_other = corrected and before != print_
    cause = f"issue:{window.number}" + (f":{print_[:12]}" if corrected else "")
    occasion = Occasion(cause=cause, kind="issue", priority=DIGEST, stored_file="" if base else cause)
    file = BinaryFile(name=f"issue-{window.number}{Path(name).suffix}", kind=KINDS[name], content=content)
    page = f"{base}{PUBLISHED}/{window.number}/" if base else ""
    if base:
        _publish(app, folder, window.number)
    part = Part(
        template="issue",
        context={
            "zine": app.settings.service.name, "number": window.number, "page": page, "file": file.name,
            "games": [game.title for game in issue.games], "corrected": corrected,
        },
    )  # fmt: skip
    with app.database.write() as session:
        if before is None or is_other:
            meta_queries.set_meta(session, f"{SENT}{window.number}", print_)
        readers = _readers(session)
        waiting = _without_it(session, occasion, readers)
    for at in range(0, len(waiting), CHUNK_SIZE):
        with app.database.write() as session:
            if not base:
                stored_files.keep(session, cause, file)
            _queue(app, session, occasion, part, waiting[at : at + CHUNK_SIZE])
    return Sent(number=window.number, mails=len(waiting), readers=len(readers), way=page or file.name)


def _read(path: Path, number: int) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise Refused(f"There is no {path} yet; first: gm issue build {number}") from error


def _check_size(app: App, path: Path, size: int) -> None:
    limit = app.settings.zine.mail_limit
    if size > limit.number:
        raise Refused(
            f"{path} has {size / 1e6:.1f} MB, and zine.mail_limit is {limit}. Raise that, leave something out in "
            "issue.toml, or publish the archive and set archive.base_url: then a link is sent."
        )


def _publish(app: App, folder: Path, number: int) -> None:
    """Put the issue into the archive, where its page is read."""
    target = app.settings.archive.path / PUBLISHED / str(number)
    try:
        target.mkdir(parents=True, exist_ok=True)
        for name in (HTML, TEXT, PDF, BOOKLET):
            if (folder / name).is_file():
                replace_file(target / ("index.html" if name == HTML else name), (folder / name).read_bytes())
    except OSError as error:
        raise OperatorError(f"{target} can't be written to: {error.strerror}.") from error


def _readers(session: Session) -> Sequence[int]:
    """List the players who want digests and whose address takes mails."""
    rows = select(Player).where(col(Player.digest) != "off", col(Player.id).in_(select(Address.player_id)))
    players = session.exec(rows.order_by(col(Player.id))).all()
    prefetch.for_players(session, [player.id for player in players])
    returned = bounces.marked(session)
    return [one.id for one in players if player_queries.address_of(session, one.id) not in returned]


def _without_it(session: Session, occasion: Occasion, readers: Sequence[int]) -> list[int]:
    keys = {str(one): one for one in readers}
    listed = list(keys)
    have = {
        key for at in range(0, len(listed), CHUNK_SIZE)
        for key in mail_queries.queued_to(session, occasion.cause, occasion.kind, listed[at : at + CHUNK_SIZE])
    }  # fmt: skip
    return [one for key, one in keys.items() if key not in have]


def _queue(app: App, session: Session, occasion: Occasion, part: Part, readers: Sequence[int]) -> None:
    """Queue the mails to some readers; whoever has got one meanwhile gets no other."""
    prefetch.for_players(session, readers)
    players = [session.get_one(Player, one) for one in _without_it(session, occasion, readers)]
    addressed = [recipient(app, session, player) for player in players]
    queue(session, [write(draft(app, session, occasion, to, [part])) for to in addressed if to.address])
