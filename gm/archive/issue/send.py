"""Sending an issue: a link where the archive is published, else the file itself; once to each reader."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from sqlmodel import Session, col, select

from gm.app.context import App
from gm.app.issues import PUBLISHED, Issue
from gm.archive.issue.build import BOOKLET, HTML, PDF, TEXT, compose, folder_of, window_of
from gm.messages import stored_files
from gm.messages.outgoing import DIGEST, Occasion, Part, draft, queue, recipient, write
from gm.messages.rendering.mime import BinaryFile
from gm.runtime import drafts
from gm.runtime.errors import OperatorError, Refused
from gm.store.chunks import CHUNK_SIZE
from gm.store.queries import mail_queries, player_queries
from gm.store.tables import Address, Player
from gm.store.zine_tables import SentIssue

INDEX: Final = "index.html"
"""What issue.html is called there."""
KINDS: Final = {PDF: "application/pdf", HTML: "text/html"}
LARGEST: Final = 5_000_000
"""Bytes of a file that is attached: many mailboxes take no mail of more than 10 MB, and base64 adds a third."""


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
    name = _main_file(folder)
    content = _read(folder / name, window.number)
    checksum = hashlib.sha256(content).hexdigest()
    _check_change(app, window.number, checksum, corrected=corrected)
    cause = f"issue:{window.number}" + (f":{checksum[:12]}" if corrected else "")
    file = BinaryFile(name=f"issue-{window.number}{Path(name).suffix}", kind=KINDS[name], content=content)
    page = _publish(app, folder, window.number)
    if not page:
        _check_size(folder / name, len(content))
    part = _part(app, window, folder, {"page": page, "file": file.name, "corrected": corrected})
    occasion = Occasion(cause=cause, kind="issue", priority=DIGEST, stored_file="" if page else cause)
    with app.database.write() as session:
        session.merge(SentIssue(number=window.number, checksum=checksum))
        readers = _readers(session)
        waiting = _without_it(session, occasion, readers)
    for at in range(0, len(waiting), CHUNK_SIZE):
        with app.database.write() as session:
            if not page:
                stored_files.keep(session, cause, file)
            _queue(app, session, occasion, part, waiting[at : at + CHUNK_SIZE])
    return Sent(number=window.number, mails=len(waiting), readers=len(readers), way=page or file.name)


def _part(app: App, window: Issue, folder: Path, more: Mapping[str, Any]) -> Part:
    """Fill the words of the mail: what is evaluated in the issue, and how it is read."""
    with app.database.read() as session:
        issue, _ = compose(app, session, window, folder)
    games = [game.title for game in issue.games]
    return Part(
        template="issue",
        context={"zine": app.settings.service.name, "number": window.number, "games": games, **more},
    )


def _check_change(app: App, number: int, checksum: str, *, corrected: bool) -> None:
    """Refuse other pages than those that went out, unless they are called corrected."""
    with app.database.read() as session:
        sent = session.get(SentIssue, number)
    if corrected and sent is None:
        raise Refused(f"Issue {number} has not been sent yet, so there is nothing to correct.")
    if sent is not None and sent.checksum != checksum and not corrected:
        raise Refused(
            f"Issue {number} has changed since it was sent. To send it again: gm issue build {number} --corrected, "
            f"then gm issue send {number} --corrected"
        )


def _main_file(folder: Path) -> str:
    return PDF if (folder / PDF).is_file() else HTML


def checksum_of(folder: Path) -> str:
    """Give the checksum of what would go out of a folder; "" where nothing is built."""
    path = folder / _main_file(folder)
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""


def count_as_sent(app: App, number: int, before: str, now: str) -> None:
    """Let an issue that was built anew count as the one that went out, if that was the one before; "" for none yet."""
    with app.database.write() as session:
        row = session.get(SentIssue, number)
        if row and row.checksum == before:
            if now:
                row.checksum = now
                session.add(row)
            else:
                session.delete(row)


def _read(path: Path, number: int) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise Refused(f"There is no {path} yet; first: gm issue build {number}") from error


def _check_size(path: Path, size: int) -> None:
    if size > LARGEST:
        raise Refused(
            f"{path} has {size / 1e6:.1f} MB, and a mail takes {LARGEST // 1_000_000} MB. Leave something out in "
            "issue.toml, or publish the archive and set archive.base_url: then a link is sent."
        )


def _publish(app: App, folder: Path, number: int) -> str:
    """Put the issue into the archive where that is published; gives the address of its page, else an empty text."""
    base = app.settings.archive.base_url
    if not base:
        return ""
    put(folder, published_folder(app, number))
    return f"{base}{PUBLISHED}/{number}/"


def published_folder(app: App, number: int) -> Path:
    """Give the folder of an issue in the archive."""
    return app.settings.archive.path / PUBLISHED / str(number)


def put(folder: Path, target: Path) -> None:
    """Put the files of an issue into another folder, in place of those that are there. Raises OperatorError."""
    try:
        target.mkdir(parents=True, exist_ok=True)
        for name in (HTML, TEXT, PDF, BOOKLET):
            page = target / (INDEX if name == HTML else name)
            if (folder / name).is_file():
                drafts.replace(page, (folder / name).read_bytes(), drafts.FOR_ALL)
            else:
                page.unlink(missing_ok=True)
    except OSError as error:
        raise OperatorError(f"{target} can't be written to: {error.strerror}.") from error


def _readers(session: Session) -> Sequence[int]:
    """List the players who want digests and whose address takes mails."""
    rows = select(Player.id).where(col(Player.digest) != "off", col(Player.id).in_(select(Address.player_id)))
    players = player_queries.players_by_id(session, session.exec(rows).all())
    return [player.id for player in players if not player_queries.is_unreachable(player)]


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
    players = player_queries.players_by_id(session, _without_it(session, occasion, readers))
    addressed = [recipient(app, session, player) for player in players]
    queue(session, [write(draft(app, session, occasion, to, [part])) for to in addressed if to.address])
