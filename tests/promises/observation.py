"""What the checks of promises know about a zine: read from its tables and raw mails, without any code of the service.

So a check can't be wrong in the same way as the code that it checks.
"""

from __future__ import annotations

import email
import hashlib
import html
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.header import decode_header, make_header
from email.message import Message
from email.parser import BytesHeaderParser
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import sqlalchemy as sa
from sqlmodel import Session, col, select

from gm.app.context import App
from gm.app.issues import FOLDER
from gm.app.pass_report import Report
from gm.requests.desk.mail_actions import NOT_DELIVERED
from gm.store.tables import Address, Game, MailIn, MailOut, Question, Sheet, Turn
from gm.transport.smtp.letters import Letter

if TYPE_CHECKING:
    from ledger import Ledger

ADDRESS: Final = re.compile(
    r"(?<![a-z0-9!#$%&'*+/=?^_`{|}~.-])[a-z0-9!#$%&'*+/=?^_`{|}~.-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)+"
)
_QUOTED: Final = re.compile(r'"(?:[^"\\]|\\.)*"|\([^()]*\)')
"""A name in quotation marks, or a comment: whatever stands there says nothing about the sender."""
_ODD: Final = re.compile(r"^[^<>@:]*:.*;|<\s*>|>[\s;,]*[^\s;,<>@][^<>@]*$", re.S)
"""A group, empty brackets, words behind the brackets: who wrote such a mail is doubtful."""
LONGEST_FROM: Final = 1000
_UNCLOSED: Final = re.compile(r"[(\"].*", re.S)
"""What follows belongs to a comment or a name."""
_HEAD: Final = re.compile(
    r"^(?:am|on|von|from|datum|date|gesendet|sent|an|to|betreff|subject)\b.*(?::|schrieb|wrote)", re.I
)
_TAG: Final = re.compile(r"<(?:style|title)\b.*?</(?:style|title)>|<[^>]*>", re.S)
_SINGLE_LETTERS: Final = re.compile(r"(?<!\S)(\S)(?:[ |]+(\S)(?!\S))+")


@dataclass(frozen=True, kw_only=True)
class ReceivedMail:
    """What a received mail shows of itself to somebody who opens the file."""

    id: int
    received_at: datetime
    size: int
    digest: str
    sender: str
    senders: tuple[str, ...]
    """All addresses in From."""
    """The one address in From, lower-cased; empty where there is none or there are several."""
    is_automatic: bool
    """It says that a program wrote it: Auto-Submitted, a delivery report, or a mark of the service's own."""
    is_list_post: bool
    has_own_text: bool
    """A line that isn't quoted, or a file."""
    text: str
    head: str
    """What it calls its writer and itself."""


def written(row: MailIn, is_ours: Callable[[str], bool], own_address: str) -> ReceivedMail:
    """Read a received mail as a stranger would."""
    raw = row.raw[:200_000]
    try:
        message = email.message_from_bytes(raw)
        text = "\n".join(_texts(message))
        has_file = any(part.get_filename() for part in message.walk())
        kinds = {part.get_content_type() for part in message.walk()}
    except Exception:  # noqa: BLE001  mails whose parts the standard library can't read say nothing here
        message = BytesHeaderParser().parsebytes(raw)
        text, has_file, kinds = "", False, set()
    raw_heads = [(name.lower(), _decoded(value)) for name, value in message.raw_items()]
    heads = {name: [value for key, value in raw_heads if key == name.lower()] for name in _HEADS}
    sender = sender_of(heads["From"])
    submitted = [value.partition(";")[0].partition("(")[0].strip().lower() for value in heads["Auto-Submitted"]]
    return ReceivedMail(
        id=row.id, received_at=row.received_at, size=row.size, digest=row.content or str(hash(row.raw)),
        sender=sender, senders=tuple(senders_of(heads["From"])),
        is_automatic=(
            any(value not in ("", "no") for value in submitted)
            or bool(kinds & _REPORTS)
            or own_address in " ".join(heads["X-Loop"]).lower()
            or is_ours(" ".join(heads["Message-ID"]).strip())
            or sender == own_address
        ),
        is_list_post=bool(heads["List-Id"] or heads["List-Post"]),
        has_own_text=has_file or any(_is_own(line) for line in text.splitlines()),
        text=text,
        head=" ".join([*heads["From"], *heads["Subject"]]),
    )  # fmt: skip


MESSAGE_ID: Final = re.compile(rb"^Message-ID:\s*(\S+)", re.I | re.M)
STEPS: Final = ("start", "turn", "bulletin", "final", "without")
"""The kinds of mails that tell of a step of a game."""
LONG_AGO: Final = datetime.min.replace(tzinfo=UTC)
PAGES: Final = {".html", ".json", ".txt", ".xml", ".ics"}
_HEADS: Final = ("From", "Subject", "Auto-Submitted", "X-Loop", "Message-ID", "List-Id", "List-Post")
_REPORTS: Final = {
    "multipart/report", "message/delivery-status", "message/disposition-notification", "message/feedback-report",
    "message/global-delivery-status", "message/global-disposition-notification",
}  # fmt: skip


def _decoded(value: object) -> str:
    return str(value).encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def sender_of(fields: list[str]) -> str:
    """Find the one address of a mail's From, however often it stands there."""
    found = senders_of(fields)
    return found[0] if len(found) == 1 else ""


def senders_of(fields: list[str]) -> list[str]:
    """List the different addresses in From; where something there is no address, none."""
    said = " ".join(fields)
    if "@" not in said:
        said = str(make_header(decode_header(said)))
    bare = _UNCLOSED.sub(" ", _QUOTED.sub(" ", said.lower()))
    if len(said) > LONGEST_FROM or _ODD.search(bare):
        return []
    words = [word for word in re.split(r"[\s<>,;:]+", bare) if word.strip("@") and "@" in word]
    found = dict.fromkeys(_in_ascii(word) for word in words)
    return list(found) if all(ADDRESS.fullmatch(one) for one in found) else []


def _one_spelling(address: str) -> str:
    local, _, domain = address.partition("@")
    is_gmail = domain in ("gmail.com", "googlemail.com")
    return local.partition("+")[0].replace(".", "") + "@gmail.com" if is_gmail else address


def _in_ascii(address: str) -> str:
    local, _, domain = address.partition("@")
    try:
        return address if domain.isascii() else f"{local}@{domain.encode('idna').decode()}"
    except UnicodeError:
        return ""


def _texts(message: Message) -> Iterator[str]:
    """Go through the texts of a mail: what is displayed, not what is attached."""
    for part in message.walk():
        if part.get_content_maintype() == "text" and not part.get_filename():
            data = part.get_payload(decode=True)
            said = (data if isinstance(data, bytes) else b"").decode("utf-8", "replace")
            yield plain(said) if part.get_content_subtype() == "html" else said


def plain(page: str) -> str:
    """Return the words of an HTML text."""
    return html.unescape(_TAG.sub(" ", page))


def _is_own(line: str) -> bool:
    said = line.strip("\u00a0\u200b \t\r-_=*")
    return bool(said) and not said.startswith((">", "|")) and not _HEAD.match(said)


def shown_words(message: Message) -> str:
    """Return all that a mail of ours shows, as one line; single letters in a row are joined: `D N T` is DNT."""
    heads = [str(email.header.make_header(email.header.decode_header(str(value)))) for value in message.values()]
    said = " ".join([*heads, *_texts(message)])
    return joined(said)


def plain_text(message: Message) -> str:
    """Return subject and text of a mail of ours, as who reads text sees it."""
    parts = [part for part in message.walk() if part.get_content_type() == "text/plain" and not part.get_filename()]
    texts = [bytes(part.get_payload(decode=True) or b"").decode("utf-8", "replace") for part in parts]
    return "\n".join([str(email.header.make_header(email.header.decode_header(str(message["Subject"])))), *texts])


def _checksum(text: str) -> bytes:
    return hashlib.blake2b(text.encode(), digest_size=12).digest()


def joined(said: str) -> str:
    """Write a text in one line, with what is printed letter by letter as words."""
    return _SINGLE_LETTERS.sub(lambda found: re.sub(r"[ |]", "", found[0]), " ".join(said.split()))


@dataclass(frozen=True, kw_only=True)
class GameState:
    """A game before a pass."""

    turn: int | None
    zat: datetime | None
    held: str
    status: str


class Newest(NamedTuple):
    """The last rows of the tables that grow."""

    mail_in: int
    mail_out: int
    turn: int
    sheet: int
    question: int
    sent: datetime
    """When the last mail went out."""


def newest(session: Session) -> Newest:
    """Look which rows are the last."""
    numbers = [
        sa.select(sa.func.max(col(table.id))).scalar_subquery() for table in (MailIn, MailOut, Turn, Sheet, Question)
    ]
    *found, sent = session.execute(sa.select(*numbers, sa.func.max(col(MailOut.sent_at)))).one()
    return Newest(*(number or 0 for number in found), sent or LONG_AGO)


@dataclass(kw_only=True)
class StateBefore:
    """A zine when a pass began."""

    at: datetime
    newest: Newest
    games: dict[int, GameState] = field(default_factory=dict)
    players: dict[str, set[int]] = field(default_factory=dict)
    """Who writes from an address."""
    registered: dict[int, str] = field(default_factory=dict)
    """Where each player's mails go."""
    inbox: dict[int, frozenset[Any]] = field(default_factory=dict)
    """What lay in the inbox in memory: UIDs, and what the mails are known by."""
    unsettled: dict[int, str] = field(default_factory=dict)
    """The mails that aren't settled, by id: new, waiting, quarantined or put off."""
    unreleased: frozenset[int] = frozenset()
    """The games' last steps whose bulletins wait for the GM."""


def before(app: App, session: Session) -> StateBefore:
    """Note the state of a zine before a pass."""
    games = session.execute(sa.select(Game.id, Game.turn, Game.zat, Game.held, Game.status)).all()
    return StateBefore(
        at=app.now(), newest=newest(session),
        games={game.id: GameState(turn=game.turn, zat=game.zat, held=game.held, status=game.status) for game in games},
        players=players_by_address(session), registered=registered_addresses(session),
        unsettled=dict(session.exec(
            select(MailIn.id, MailIn.status).where(col(MailIn.status).in_(("new", "waiting", "quarantined", "put off")))
        ).all()),
        unreleased=unreleased_steps(session),
    )  # fmt: skip


def unreleased_steps(session: Session) -> frozenset[int]:
    """Look which games' last steps nobody has been told of."""
    is_last = sa.and_(Turn.game_id == Game.id, Turn.number == Game.turn, Turn.version == Game.version)
    rows = select(Turn.id).join(Game, is_last).where(col(Turn.released_at).is_(None))
    return frozenset(session.exec(rows))


def players_by_address(session: Session) -> dict[str, set[int]]:
    """List who writes from which address."""
    found: dict[str, set[int]] = {}
    for address, player_id in session.exec(select(Address.address, Address.player_id)):
        found.setdefault(address, set()).add(player_id)
    return found


def registered_addresses(session: Session) -> dict[int, str]:
    """Say where each player's mails go: to the address that was registered first."""
    rows = select(Address.player_id, Address.address).order_by(col(Address.id).desc())
    return dict(session.exec(rows).all())


@dataclass(kw_only=True)
class Observation:
    """A zine after a pass, with what was done since the look before, and what was seen earlier."""

    app: App
    session: Session
    report: Report | None
    """None where other processes did the work, or the pass did not come to its end."""
    before: StateBefore
    ledger: Ledger
    handled: list[MailIn]
    """The mails whose status has changed since the pass before."""
    sent: list[MailOut]
    """The mails that were queued since the look before, those of the GM's commands included."""
    turns: list[Turn]
    """The steps that were made since then."""
    letters: list[Letter]
    """What SMTP has taken since then."""
    logged: list[str]
    last: Newest
    """The last rows that were looked at before."""
    most_read: int
    is_tampered: bool
    """The test has changed the record of its games: what they show can't be checked."""
    secrets: dict[int, Any] = field(default_factory=dict)
    """What is hidden in the moves on file, by game, once it has been looked for."""
    _shown: dict[int, str] = field(default_factory=dict)
    _texts: dict[int, str] = field(default_factory=dict)
    _messages: dict[int, Message] = field(default_factory=dict)

    @property
    def looked_at(self) -> datetime:
        """When the look before was."""
        return self.ledger.looked_at or self.before.at

    @property
    def players(self) -> dict[str, set[int]]:
        """Everybody who writes, or ever wrote, from an address."""
        return self.ledger.players

    def writers(self, mail: ReceivedMail) -> set[int]:
        """Find the players who may have written a mail: those of all its addresses. At Gmail dots don't matter."""
        known = {address: _one_spelling(address) for address in self.players}
        found = [
            {who for address, key in known.items() if key == _one_spelling(one) for who in self.players[address]}
            for one in mail.senders
        ]  # fmt: skip
        return set.intersection(*found) if found else set()

    def texts_of(self, players: set[int]) -> Iterator[str]:
        """Give what any of these players has written, or somebody nobody knows."""
        return (mail.text for mail in self.mails.values() if players & self.players.get(mail.sender, players))

    @property
    def mails(self) -> dict[int, ReceivedMail]:
        """All received mails."""
        return self.ledger.mails

    @cached_property
    def running(self) -> list[Game]:
        """The running games."""
        return list(self.session.exec(select(Game).where(Game.status == "running")))

    @cached_property
    def present(self) -> list[Turn]:
        """The steps at which the running games stand."""
        is_present = sa.and_(Turn.game_id == Game.id, Turn.number == Game.turn, Turn.version == Game.version)
        return list(self.session.exec(select(Turn).join(Game, is_present).where(Game.status == "running")))

    @cached_property
    def released(self) -> list[Turn]:
        """The steps that all were told of since the look before."""
        waiting = self.before.unreleased - {turn.id for turn in self.turns}
        waited = select(Turn).where(col(Turn.id).in_(waiting)).order_by(col(Turn.id))
        turns = [*(self.session.exec(waited) if waiting else ()), *self.turns]
        return [turn for turn in turns if turn.released_at is not None]

    @cached_property
    def filed(self) -> list[tuple[int, int, int]]:
        """Which mail has filed a move for which seat of which game since the look before."""
        rows = select(Sheet.mail_id, Sheet.game_id, Sheet.seat).where(
            col(Sheet.id) > self.last.sheet, col(Sheet.mail_id).is_not(None)
        )
        return [(mail_id or 0, game_id, seat) for mail_id, game_id, seat in self.session.exec(rows)]

    @cached_property
    def unnoted(self) -> set[str]:
        """The letters that SMTP has taken, and that are still in the queue."""
        ids = {found[1].decode() for letter in self.letters if (found := MESSAGE_ID.search(letter.raw))}
        rows = select(MailOut.message_id).where(col(MailOut.message_id).in_(ids), MailOut.status == "queued")
        return set(self.session.exec(rows)) if ids else set()

    @property
    def came_back(self) -> set[str]:
        """The letters that SMTP has taken, and that didn't reach anybody: the GM may send them again."""
        rows = select(MailOut.message_id).where(col(MailOut.status).in_(NOT_DELIVERED))
        return set(self.session.exec(rows))

    @cached_property
    def told(self) -> list[tuple[str, bytes, MailOut]]:
        """What was queued about steps: to whom, in which words."""
        about_steps = (mail for mail in self.read if mail.kind in STEPS)
        return [(mail.recipient, _checksum(self.text_of(mail)), mail) for mail in about_steps]

    @cached_property
    def reminded(self) -> dict[tuple[Any, ...], list[datetime]]:
        """When reminders were written, by game, player and ZAT."""
        zats, found = {game.id: game.zat for game in self.running}, dict[tuple[Any, ...], list[datetime]]()
        for mail in self.sent:
            if mail.kind == "reminder":
                key = mail.game_id, mail.player_id, zats.get(mail.game_id or 0)
                found.setdefault(key, []).append(mail.created_at)
        return found

    @cached_property
    def digested(self) -> list[tuple[Any, ...]]:
        """Who got a digest on which day; the GM may ask for more."""
        return [
            (mail.recipient, mail.created_at.date()) for mail in self.sent if mail.kind == "digest" and mail.player_id
        ]

    @cached_property
    def read(self) -> list[MailOut]:
        """The mails that went out with their bytes, as many as are read."""
        return [mail for mail in self.sent if mail.raw and mail.status != "dropped"][: self.most_read]

    @cached_property
    def fresh_pages(self) -> list[Path]:
        """The pages of the archive and of issues that were written since the look before."""
        if self.report is not None and not self.report.pages:
            return []
        found = []
        for path in (*self.app.settings.archive.path.rglob("*"), *(self.app.settings.folder / FOLDER).rglob("*")):
            if path.suffix in PAGES and path.is_file():
                stat = path.stat()
                if self.ledger.pages.get(path) != (stat.st_ino, stat.st_mtime_ns):
                    self.ledger.pages[path] = (stat.st_ino, stat.st_mtime_ns)
                    found.append(path)
        return found

    @property
    def is_whole(self) -> bool:
        """Whether one process did all that there was to do, and nothing went wrong."""
        return self.report is not None and not self.report.troubles and not self.app.database.is_shared

    @cached_property
    def gm_addresses(self) -> set[str]:
        """Where the GMs get mail."""
        service = self.app.settings.service
        return {one.address.lower() for one in (service.gm, service.second_gm) if one}

    def shown(self, mail: MailOut) -> str:
        """Return all that a mail of ours shows to its reader."""
        if mail.id not in self._shown:
            self._shown[mail.id] = shown_words(self._message(mail))
        return self._shown[mail.id]

    def text_of(self, mail: MailOut) -> str:
        """Return subject and text of a mail of ours."""
        if mail.id not in self._texts:
            self._texts[mail.id] = plain_text(self._message(mail))
        return self._texts[mail.id]

    def _message(self, mail: MailOut) -> Message:
        if mail.id not in self._messages:
            self._messages[mail.id] = email.message_from_bytes(mail.raw or b"")
        return self._messages[mail.id]

    def of(self, row: MailIn) -> ReceivedMail:
        """Return what a handled mail shows."""
        return self.mails[row.id]

    def caused(self, mail_id: int) -> list[Question]:
        """List what we asked anybody because of a mail."""
        return list(self.session.exec(select(Question).where(Question.mail_id == mail_id)))

    def answers_to(self, mail_id: int) -> list[MailOut]:
        """List what was written as the answer to a mail."""
        return list(self.session.exec(select(MailOut).where(MailOut.cause == f"mail:{mail_id}")))
