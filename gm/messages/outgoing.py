"""Queueing mails: from named templates to rows of the outbox, in the caller's transaction."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import quote

from markupsafe import Markup
from sqlmodel import Session

from games import AnyEngine
from games.api import Language, Seat, Wording
from gm.app.context import App
from gm.messages.rendering import calendar_files, templates
from gm.messages.rendering.mime import Attachment, Envelope, message_id, write_letter
from gm.messages.rendering.sentences import SENTENCES
from gm.messages.rendering.wording import Speaker
from gm.runtime.harmful_characters import visible
from gm.store.queries import game_queries, mail_queries
from gm.store.queries.query_cache import insert_later
from gm.store.tables import Game, MailIn, MailOut, Player

ANSWER, BULLETIN, DIGEST = 0, 1, 2
"""Priorities: who waits for an answer goes first."""
MANY: Final = 3
"""With so many parts or more, each needs a heading that says what it answers."""


@dataclass(frozen=True, kw_only=True)
class Recipient:
    """Whom a mail goes to."""

    name: str
    address: str
    language: Language
    player_id: int | None = None
    calendar: bool = False
    """Mails with a ZAT bring it as .ics as well."""

    @property
    def key(self) -> str:
        """Tells recipients apart who share an address."""
        return str(self.player_id) if self.player_id is not None else self.address


@dataclass(frozen=True, kw_only=True)
class Part:
    """A piece of a mail: a template's name and what it is filled with."""

    template: str
    context: Mapping[str, Any] = field(default_factory=dict)
    engine: AnyEngine | None = None
    names: Mapping[Seat, str] = field(default_factory=dict)
    own: Seat | None = None
    attachment: Attachment | None = None
    """A file that an answer was asked for; the first part that has one gives it to the mail."""
    heading: str = ""
    """The line that it answers: among several parts it stands above."""

    def speaker(self, language: Language) -> Speaker:
        """Word this part's texts: the game's own wording first, then the service's sentences."""
        wording: Wording = {**SENTENCES, **(self.engine.wording if self.engine else {})}
        return Speaker(language=language, wording=wording, names=self.names, own=self.own)


@dataclass(frozen=True, kw_only=True)
class Occasion:
    """Why a mail goes out, and how it is filed."""

    cause: str
    kind: str
    priority: int = BULLETIN
    game: Game | None = None
    opens_round: int | None = None
    answers: MailIn | None = None
    unsubscribe: str = ""
    """The command that stops mails of this sort."""


def recipient(app: App, session: Session, player: Player, game: Game | None = None) -> Recipient:
    """Address a player, in their own language, else the game's, else the zine's."""
    language = player.language or (game.language if game else "") or app.settings.service.language
    return Recipient(
        name=player.name,
        address=game_queries.address_of(session, player.id),
        language="en" if language == "en" else "de",
        player_id=player.id,
        calendar=player.calendar,
    )


def gm_recipient(app: App, session: Session, game: Game | None = None) -> Recipient:
    """Address the GM; for a game in which the GM plays, the second GM."""
    service, contact = app.settings.service, app.settings.service.gm
    if game and service.second_gm and game_queries.plays(session, game, contact.address):
        contact = service.second_gm
    name = contact.name or contact.address.partition("@")[0]
    return Recipient(name=name, address=contact.address, language=service.language)


def gm_name(app: App) -> str:
    """Name the GM as players know them."""
    gm = app.settings.service.gm
    return gm.name or gm.address.partition("@")[0]


def compose(parts: Sequence[Part], to: Recipient, greet: bool) -> tuple[str, str, str]:
    """Write subject, text and HTML of a mail. A rule separates its parts; the first gives the subject."""
    speakers = [part.speaker(to.language) for part in parts]
    pairs = list(zip(parts, speakers, strict=True))
    subject = templates.subject(parts[0].template, speakers[0], parts[0].context)
    bodies = [templates.body(part.template, speaker, part.context) for part, speaker in pairs]
    texts, pages = [text for text, _ in bodies], [html for _, html in bodies]
    for at, (part, speaker) in enumerate(pairs if len(parts) >= MANY else ()):
        if part.heading and at:  # the first part goes on from the greeting
            above = templates.body("answered", speaker, {"line": part.heading})
            texts[at], pages[at] = f"{above[0]}\n{texts[at]}", above[1] + "\n" + pages[at]
    if greet:
        # A notice is a whole sentence; below a comma German would go on in lower case.
        mark = "!" if parts[0].template == "notice" and to.language == "de" else ","
        greeting = " ".join(("Hello" if to.language == "en" else "Hallo", *to.name.split())) + mark
        texts[0] = f"{greeting}\n\n{texts[0]}"
        pages[0] = Markup("<p style='margin:0 0 12px 0'>{}</p>\n").format(greeting) + pages[0]
    text = ("\n" + "-" * 78 + "\n\n").join(texts)
    html = templates.frame(to.language, subject, Markup("\n<hr>\n").join(pages))
    return subject, text, html


@dataclass(frozen=True, kw_only=True)
class Draft:
    """A mail that only has to be rendered: what it says doesn't change any more."""

    occasion: Occasion
    to: Recipient
    parts: Sequence[Part]
    envelope: Envelope
    greet: bool = True
    attachment: Attachment | None = None


def post(
    app: App, session: Session, occasion: Occasion, to: Recipient, parts: Sequence[Part], *, greet: bool = True
) -> None:
    """Queue a mail, unless one with the same cause, kind and recipient was queued before."""
    if to.address and not mail_queries.is_queued(session, occasion.cause, occasion.kind, to.key):
        queue(session, [write(draft(app, session, occasion, to, parts, greet=greet))])


def file_left_out(app: App, session: Session, occasion: Occasion, to: Recipient) -> None:
    """Keep the row of a mail that a limit forbids, without its words. The same mail has one row."""
    if not mail_queries.is_queued(session, occasion.cause, occasion.kind, to.key):
        now = app.now()
        row = {**_filing(occasion, to), "message_id": _message_id(app, session, occasion, to), "subject": "",
               "raw": None, "status": mail_queries.LEFT_OUT, "next_try": now, "created_at": now}  # fmt: skip
        queue(session, [row])


def queue(session: Session, letters: Sequence[Mapping[str, Any]]) -> None:
    """Put written mails into the outbox."""
    insert_later(session, MailOut, letters)


def draft(
    app: App, session: Session, occasion: Occasion, to: Recipient, parts: Sequence[Part], *, greet: bool = True
) -> Draft:
    """Prepare a mail, with the thread that it belongs to."""
    envelope = _envelope(app, session, occasion, to)
    attachment = _attachment(app, session, occasion, to, parts)
    return Draft(occasion=occasion, to=to, parts=parts, envelope=envelope, greet=greet, attachment=attachment)


def _attachment(
    app: App, session: Session, occasion: Occasion, to: Recipient, parts: Sequence[Part]
) -> Attachment | None:
    """Return the file that an answer was asked for, or the game's ZAT for a player who wants it with every bulletin."""
    if to.calendar and to.player_id is not None and occasion.game and occasion.priority == BULLETIN:
        return calendar_files.zat_of(app, session, occasion.game, to.player_id, to.language)
    return next((part.attachment for part in parts if part.attachment), None)


def write(draft: Draft) -> dict[str, Any]:
    """Render a mail; returns the values of its row."""
    occasion, to, envelope = draft.occasion, draft.to, draft.envelope
    subject, text, html = map(visible, compose(draft.parts, to, draft.greet))
    return {
        **_filing(occasion, to), "message_id": envelope.message_id, "subject": subject,
        "raw": write_letter(envelope, subject, text, html, draft.attachment), "status": "queued",
        "next_try": envelope.date, "created_at": envelope.date,
    }  # fmt: skip


def _filing(occasion: Occasion, to: Recipient) -> dict[str, Any]:
    """Return the values of a mail's row that don't depend on its words."""
    return {
        "cause": occasion.cause, "kind": occasion.kind, "recipient": to.key, "player_id": to.player_id,
        "address": to.address, "game_id": occasion.game.id if occasion.game else None,
        "opens_round": occasion.opens_round, "priority": occasion.priority, "attempts": 0, "error": "",
    }  # fmt: skip


def _message_id(app: App, session: Session, occasion: Occasion, to: Recipient) -> str:
    domain = app.settings.service.address.rpartition("@")[2]
    return message_id(game_queries.secret_of_this_life(session), occasion.cause, to.key, occasion.kind, domain)


def _envelope(app: App, session: Session, occasion: Occasion, to: Recipient) -> Envelope:
    service = app.settings.service
    thread: tuple[str, ...] = ()
    if occasion.game and to.player_id is not None:
        thread = game_queries.thread(session, occasion.game, to.player_id)
    answered = occasion.answers.message_id if occasion.answers else ""
    if answered:
        # The game's root and the mail answered: Outlook folds longer chains wrongly (bulletins.md 3).
        thread = tuple(dict.fromkeys((*thread[:1], answered)))
    return Envelope(
        sender_name=service.name,
        sender=service.address,
        to_name=to.name,
        to=to.address,
        message_id=_message_id(app, session, occasion, to),
        date=app.now(),
        language=to.language,
        automatic="auto-replied" if occasion.priority == ANSWER else "auto-generated",
        in_reply_to=answered or (thread[-1] if thread else ""),
        references=thread,
        list_id=_list_id(occasion.game, service.address) if occasion.game else "",
        unsubscribe=_unsubscribe(service.address, to, occasion),
    )


def _list_id(game: Game, address: str) -> str:
    return f"<{game.name_key}.{address.rpartition('@')[2]}>" if game.name_key.isascii() else ""


def _unsubscribe(address: str, to: Recipient, occasion: Occasion) -> str:
    """Make the link to a mail that stops such mails to a player. It names the player, as couples share an address.

    The GM's digest has none.
    """
    digest = "Digest off" if to.language == "en" else "Digest aus"
    order = occasion.unsubscribe or (digest if occasion.priority == DIGEST else "")
    if to.player_id is None or not order:
        return ""
    return f"mailto:{quote(address, safe='@')}?subject={quote(order)}&body={quote(f'Name: {to.name}')}"
