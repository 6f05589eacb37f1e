"""Queueing mails: from named templates to rows of the outbox, in the caller's transaction."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from markupsafe import Markup
from sqlalchemy import insert
from sqlmodel import Session

from games import AnyEngine
from games.api import Language, Seat, Text, Wording
from gm.app.context import App
from gm.messages.rendering import templates
from gm.messages.rendering.mail_link import mail_link
from gm.messages.rendering.mime import Envelope, message_id, write_letter
from gm.messages.rendering.rules_page import has_rules
from gm.messages.rendering.templates import Body, Opening
from gm.messages.rendering.wording import Names, Speaker, first_name, phrase
from gm.messages.sentences import SENTENCES
from gm.runtime.catalogues import first_known
from gm.runtime.config.settings import Contact
from gm.runtime.harmful_characters import visible
from gm.store.queries import game_queries, mail_queries, player_queries, seat_queries, thread_queries, zine_queries
from gm.store.tables import Game, MailIn, MailOut, Player

ANSWER, BULLETIN, DIGEST = 0, 1, 2
"""Priorities: who waits for an answer goes first."""
MANY: Final = 3
"""With so many parts or more, each says which line it answers."""
MOST_NAMED: Final = 3
LONGEST_NAMED: Final = 40
WITHOUT_FOOT: Final = ("help", "rules")
"""These mails say themselves what small print says below the others, or are the last one."""


@dataclass(frozen=True, kw_only=True)
class Recipient:
    """Whom a mail goes to."""

    name: str
    address: str
    language: Language
    player_id: int | None = None
    daily_at: str = ""
    """When the daily digest comes, `18:00`; empty: each bulletin comes at once."""
    by_post: bool = False
    """The player has no address: the GM gets it, to print it."""

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
    names: Names = field(default_factory=dict)
    own: Seat | None = None
    heading: str = ""
    """The line that it answers: among several parts it stands above."""
    anchor: str = ""
    """The name by which a list of contents in the same mail links to it."""
    logged_as: str = ""
    """Its name in the log of mails, where the template's own would tell a GM who plays too much."""

    @property
    def name_in_log(self) -> str:
        """What the log says that a mail was answered with."""
        return self.logged_as or self.template

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
    stored_file: str = ""
    """The name of a file that is put into the mail when it is sent."""


def recipient(app: App, session: Session, player: Player, game: Game | None = None) -> Recipient:
    """Address a player, in their own language, else the game's, else the zine's."""
    language = first_known(player.language, game.language if game else "", app.settings.service.language)
    by_post = player_queries.is_by_post(session, player)
    return Recipient(
        name=player.name,
        address=_printer(app, session, player) if by_post else player_queries.address_of(session, player.id),
        language=language,
        player_id=player.id,
        daily_at=player.digest_at if player.digest == "daily" else "",
        by_post=by_post,
    )


def _printer(app: App, session: Session, player: Player) -> str:
    """Return the address of the GM who prints what is for a player: one who plays in none of their games."""
    games = game_queries.games_of_players(session, [player.id], ("open", "running", "provisional"))
    readers = [gms_of(app, session, game) for game in games]
    known = [one.address for one in gm_contacts(app)]
    return next((one for one in known if all(one in some for some in readers)), known[0])


def has_printer(app: App, session: Session, game: Game, player: Player) -> bool:
    """Return whether a player may sit in a game beside those by post: a GM must be left who only prints their mails."""
    seated = [session.get_one(Player, seat.player_id) for seat in seat_queries.seats(game)]
    if not any(player_queries.is_by_post(session, one) for one in (*seated, player)):
        return True
    theirs = player_queries.addresses(session, player.id)
    return any(address.lower() not in theirs for address in gms_of(app, session, game))


def gm_contacts(app: App) -> list[Contact]:
    """List the GM, and the second one where there is one."""
    service = app.settings.service
    return [service.gm, *([service.second_gm] if service.second_gm else [])]


def gms_of(app: App, session: Session, game: Game | None) -> list[str]:
    """List the addresses of the GMs who may see what players send for a game: who plays there may not."""
    known = [one.address for one in gm_contacts(app)]
    return known if game is None else [one for one in known if not seat_queries.has_seat(session, game, one)]


def gm_recipient(app: App, session: Session, game: Game | None = None, address: str = "") -> Recipient:
    """Address the GM, or the second one: by the address, else as the one who doesn't play in the game."""
    known = {one.address: one for one in gm_contacts(app)}
    contact = known[address or (gms_of(app, session, game) or list(known))[0]]
    name = contact.name or contact.address.partition("@")[0]
    return Recipient(name=name, address=contact.address, language=app.settings.service.language)


def gm_name(app: App) -> str:
    """Name the GM as players know them."""
    gm = app.settings.service.gm
    return gm.name or gm.address.partition("@")[0]


@dataclass(frozen=True, kw_only=True)
class Sender:
    """Whom a mail comes from: the zine, who leads its games, and its address."""

    zine: str = ""
    gm: str = ""
    address: str = ""
    language: Language = "de"
    """The zine's own, in which the GM is written to."""


def sender(app: App) -> Sender:
    """Return whom mails come from."""
    service = app.settings.service
    return Sender(zine=service.name, gm=gm_name(app), address=service.address, language=service.language)


def compose(parts: Sequence[Part], to: Recipient, greet: bool, by: Sender, game: str = "") -> tuple[str, str, str]:
    """Write subject, text and HTML of a mail. A rule separates its parts; the first gives the subject.

    What isn't accepted of several things is named in the subject and above the first part.
    `game` is the running game that it is about: the GM, who prints it for a player, is told how to enter a move.
    """
    first, speakers = parts[0], [part.speaker(to.language) for part in parts]
    opening = Opening(zine=by.zine, by=phrase(to.language, "frame.gm", gm=by.gm) if by.gm else "", address=by.address)
    openings = [replace(opening, greeting=_greeting(first, to) if greet else "")]
    openings += [
        replace(opening, is_first=False, answered=_answered(part, parts, to), anchor=part.anchor) for part in parts[1:]
    ]
    bodies = [
        templates.body(part.template, speaker, part.context, one)
        for part, speaker, one in zip(parts, speakers, openings, strict=True)
    ]
    refused = [part for part, body in zip(parts, bodies, strict=True) if body.is_refusal]
    behind, warning = _refused(refused, parts, to)
    if warning:
        bodies[:1] = [templates.body(first.template, speakers[0], first.context, replace(openings[0], warning=warning))]
    subject = templates.subject(first.template, speakers[0], first.context)
    if behind:
        subject = phrase(to.language, "frame.refused_in_subject", subject=subject, parts=behind)
    foot_text, foot_rows = _foot(parts, to, by)
    small_text, small_rows = _small_print(bodies)
    text = ("\n" + "-" * 78 + "\n\n").join(body.text for body in bodies)
    rows = Markup("").join(body.html for body in bodies) + foot_rows + small_rows
    head = bodies[0].head
    preview = f"{head.headline}. {head.until}" if head else subject
    if to.by_post:
        above = phrase(by.language, "frame.move_by_post" if game else "frame.by_post", name=to.name, game=game)
        note_text, note_row = templates.note(above)
        subject = phrase(by.language, "frame.by_post_in_subject", name=to.name, subject=subject)
        text, rows = note_text + text, note_row + rows
    return subject, text + foot_text + small_text, templates.frame(to.language, subject, preview, rows)


def _refused(refused: Sequence[Part], parts: Sequence[Part], to: Recipient) -> tuple[str, str]:
    """List what of several things isn't accepted, for the subject; and say it, above all parts.

    The subject says it of the first one, unless that is a sentence among other answers.
    """
    is_named = parts[0].template != "notice" or not any(part.heading for part in parts[1:])
    behind = [part for part in refused if part is not parts[0] or not is_named]
    if not behind:
        return "", ""
    return _listed(behind, to.language), phrase(to.language, "frame.refused", parts=_listed(refused, to.language))


def _listed(parts: Sequence[Part], language: Language) -> str:
    """Name what parts of an answer are about: the line that each answers, else its game."""
    names = list(dict.fromkeys(_about(part) or phrase(language, "frame.some_part") for part in parts))
    named = ", ".join(name if len(name) <= LONGEST_NAMED else f"{name[:LONGEST_NAMED]}…" for name in names[:MOST_NAMED])
    more = len(names) - MOST_NAMED
    return phrase(language, "frame.and_more", parts=named, number=more) if more > 0 else named


def _about(part: Part) -> str:
    text = part.context.get("text")
    said = text.values if isinstance(text, Text) else {}
    return str(part.heading or said.get("line") or said.get("game") or part.context.get("game") or "").strip("…")


def _greeting(part: Part, to: Recipient) -> str:
    """Greet by the first name. Some begin with whole sentences; below a comma German would go on in lower case."""
    names = ", ".join(map(first_name, to.name.split(", ")))
    if part.template in ("notice", "question"):
        return phrase(
            to.language, "frame.hello_before_capital" if names else "frame.hello_all_before_capital", names=names
        )
    return phrase(to.language, "frame.hello" if names else "frame.hello_all", names=names)


def _answered(part: Part, parts: Sequence[Part], to: Recipient) -> str:
    """Say which line a later part answers, where a mail has many."""
    is_said = part.heading and len(parts) >= MANY
    return phrase(to.language, "frame.answers", line=part.heading) if is_said else ""


def _foot(parts: Sequence[Part], to: Recipient, by: Sender) -> tuple[str, Markup]:
    """Tell a player, in small print, where the rules are and how to reach the GM."""
    if to.player_id is None or not by.gm or parts[0].template in WITHOUT_FOOT:
        return "", Markup("")
    engine = next((part.engine for part in parts if part.engine and not part.anchor), None)
    title = engine.rules.title if engine and has_rules(engine) else ""
    return templates.foot(to.language, title, by.gm, by.address)


def _small_print(bodies: Sequence[Body]) -> tuple[str, Markup]:
    """Put what stands last in the parts at the end of the mail."""
    texts = [f"\n{body.small[0]}".rstrip("\n") + "\n" for body in bodies if body.small[0]]
    return "".join(texts), templates.small_row("".join(body.small[1] for body in bodies))


@dataclass(frozen=True, kw_only=True)
class Draft:
    """A mail that only has to be rendered: what it says doesn't change any more."""

    occasion: Occasion
    to: Recipient
    parts: Sequence[Part]
    envelope: Envelope
    by: Sender = Sender()
    greet: bool = True


def post(
    app: App, session: Session, occasion: Occasion, to: Recipient, parts: Sequence[Part], *, greet: bool = True
) -> None:
    """Queue a mail, unless one with the same cause, kind and recipient was queued before."""
    is_first = occasion.answers is not None and occasion.answers.handled_at is None
    if to.address and (is_first or not mail_queries.is_queued(session, occasion.cause, occasion.kind, to.key)):
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
    if letters:
        session.execute(insert(MailOut), letters)


def draft(
    app: App, session: Session, occasion: Occasion, to: Recipient, parts: Sequence[Part], *, greet: bool = True
) -> Draft:
    """Prepare a mail, with the thread that it belongs to."""
    envelope = _envelope(app, session, occasion, to)
    return Draft(occasion=occasion, to=to, parts=parts, envelope=envelope, by=sender(app), greet=greet)


def write(draft: Draft) -> dict[str, Any]:
    """Render a mail; returns the values of its row."""
    occasion, to, envelope = draft.occasion, draft.to, draft.envelope
    game = occasion.game.name if occasion.game and occasion.game.status == "running" else ""
    subject, text, html = map(visible, compose(draft.parts, to, draft.greet, draft.by, game))
    return {
        **_filing(occasion, to), "message_id": envelope.message_id, "subject": subject,
        "raw": write_letter(envelope, subject, text, html), "status": "queued",
        "next_try": envelope.date, "created_at": envelope.date,
    }  # fmt: skip


def _filing(occasion: Occasion, to: Recipient) -> dict[str, Any]:
    """Return the values of a mail's row that don't depend on its words."""
    return {
        "cause": occasion.cause, "kind": occasion.kind, "recipient": to.key, "player_id": to.player_id,
        "address": to.address, "game_id": occasion.game.id if occasion.game else None,
        "opens_round": occasion.opens_round, "priority": occasion.priority, "attempts": 0, "error": "",
        "by_post": to.by_post, "sending": occasion.priority == ANSWER,
    }  # fmt: skip


def _message_id(app: App, session: Session, occasion: Occasion, to: Recipient) -> str:
    domain = app.settings.service.address.rpartition("@")[2]
    return message_id(zine_queries.signing_secret(session), occasion.cause, to.key, occasion.kind, domain)


def _envelope(app: App, session: Session, occasion: Occasion, to: Recipient) -> Envelope:
    service = app.settings.service
    thread: tuple[str, ...] = ()
    if occasion.game and to.player_id is not None:
        thread = thread_queries.references(session, occasion.game, to.player_id)
    answered = occasion.answers.message_id if occasion.answers else ""
    if answered:
        # The game's root and the mail answered: Outlook folds longer chains wrongly (bulletins.md 3).
        thread = tuple(dict.fromkeys((*thread[:1], answered)))
    return Envelope(
        sender_name=service.name,
        sender=service.address,
        to_name="" if to.by_post else to.name,
        to=to.address,
        message_id=_message_id(app, session, occasion, to),
        date=app.now(),
        language=to.language,
        automatic="auto-replied" if occasion.priority == ANSWER else "auto-generated",
        in_reply_to=answered or (thread[-1] if thread else ""),
        references=thread,
        list_id=_list_id(occasion.game, service.address) if occasion.game else "",
        unsubscribe=_unsubscribe(service.address, to, occasion),
        stored_file=occasion.stored_file,
    )


def _list_id(game: Game, address: str) -> str:
    return f"<{game.name_key}.{address.rpartition('@')[2]}>" if game.name_key.isascii() else ""


def _unsubscribe(address: str, to: Recipient, occasion: Occasion) -> str:
    """Make the link to a mail that stops such mails to a player. It names the player, as couples share an address.

    The GM's digest has none.
    """
    digest = phrase(to.language, "frame.digest_off")
    order = occasion.unsubscribe or (digest if occasion.priority == DIGEST else "")
    if to.player_id is None or to.by_post or not order:
        return ""
    return mail_link(address, order, [f"Name: {to.name}"])
