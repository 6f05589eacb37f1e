"""One mail a day: what was held back for a player goes out together, each game's newest position whole.

What is about a single game goes as its last bulletin, in that game's thread. Whatever is made is made in the
transaction that queues it, from the steps' rows: a crash, or another process, finds all still held or all queued.
"""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from sqlmodel import Session

from gm.app.context import App
from gm.game.announcements import bulletins
from gm.messages import held_mails
from gm.messages.outgoing import Draft, Occasion, Part, compose, draft, gm_name, queue, recipient, write
from gm.messages.rendering import calendar_files, templates
from gm.messages.rendering.dates import write_date
from gm.messages.rendering.templates import BRACKETS
from gm.runtime.errors import StoreError
from gm.runtime.log_format import event
from gm.runtime.tracebacks import described, trace
from gm.store.database import savepoint
from gm.store.queries import thread_queries
from gm.store.tables import Game, MailOut, Player

log = logging.getLogger("gm")

LONGEST: Final = 80_000
"""Bytes of a mail's HTML part; programs cut longer ones. What doesn't fit comes in another mail."""
KIND: Final = "bundle"
"""The kind, and the template, of a mail about several games."""
MOST_REFERENCES: Final = 5
"""So many threads a mail is put into; of more, those of the last games."""


def send_due(app: App) -> None:
    """Queue the mail of the day for each player for whom it is time. Raises StoreError.

    A bug in it keeps nothing back: then each bulletin goes out as it was written.
    """
    with app.database.read() as session:
        due = held_mails.players_due(session, app.now())
    for player_id in due:
        app.stop_signal.check()
        with app.database.write() as session:
            if player_id in held_mails.players_due(session, app.now()):  # no other process was quicker
                _send_or_let_go(app, session, player_id)


def _send_or_let_go(app: App, session: Session, player_id: int) -> None:
    try:
        with savepoint(session):
            send(app, session, session.get_one(Player, player_id))
    except StoreError:
        raise
    except Exception as error:  # noqa: BLE001  the bulletins are there, one by one
        log.error("a mail of the day could not be made: %s", described(error),
                  extra=event("bundle failed", player=player_id, trace=trace(error)))  # fmt: skip
        held_mails.queue_each(app, session, held_mails.held_for(session, player_id))


def send(app: App, session: Session, player: Player) -> None:
    """Queue all that is held for a player now. Raises OperatorError for a game whose rules can't be had."""
    held = held_mails.held_for(session, player.id)
    if held and not recipient(app, session, player).address:
        held_mails.drop(session, player.id, "no address")
    elif held:
        portions = list(_portions(_letters(app, session, player, held)))
        together = [portion for portion in portions if len(portion) > 1]
        for letter, *others in portions:
            if not others:
                _send_alone(session, letter)
        for number, portion in enumerate(together, 1):
            _send_together(app, session, player, portion, (number, len(together)))


@dataclass(frozen=True, kw_only=True)
class _Letter:
    """What was held about a game, and the mail that says it."""

    game: Game
    held: Sequence[MailOut]
    draft: Draft

    @property
    def bytes(self) -> int:
        """The length of its HTML part."""
        _, _, html = compose(self.draft.parts, self.draft.to, self.draft.greet, self.draft.by)
        return len(html.encode())


def _letters(app: App, session: Session, player: Player, held: Sequence[MailOut]) -> Sequence[_Letter]:
    """Make a letter for each game; the last one to which something happened comes last. All have one language."""
    by_game: dict[int | None, list[MailOut]] = {}
    for mail in held:
        by_game.setdefault(mail.game_id, []).append(mail)
    games = [session.get_one(Game, game_id) for game_id in sorted(by_game, key=lambda one: by_game[one][-1].id)]
    language = recipient(app, session, player, games[-1]).language
    return [
        _Letter(
            game=game, held=by_game[game.id],
            draft=bulletins.retold(app, session, game, player, by_game[game.id], language),
        )
        for game in games
    ]  # fmt: skip


def _portions(letters: Sequence[_Letter]) -> Iterator[list[_Letter]]:
    """Divide letters into mails that no program cuts."""
    if len(letters) == 1:
        yield [*letters]
        return
    portion, taken = list[_Letter](), 0
    for letter in letters:
        size = letter.bytes
        if portion and taken + size > LONGEST:
            yield portion
            portion, taken = [], 0
        portion.append(letter)
        taken += size
    yield portion


def _send_alone(session: Session, letter: _Letter) -> None:
    """Queue what is about one game as its last bulletin; the earlier ones stand in it."""
    *earlier, last = letter.held
    values = write(letter.draft)
    for name in ("address", "message_id", "subject", "raw", "status", "next_try", "created_at"):
        setattr(last, name, values[name])
    session.add(last)
    held_mails.carry(session, earlier, last.message_id)


def _send_together(
    app: App, session: Session, player: Player, letters: Sequence[_Letter], counted: tuple[int, int]
) -> None:
    """Queue what is about several games as one mail: a list of them, then game by game."""
    (number, number_of), last = counted, letters[-1]
    to = last.draft.to
    rows, parts = [], []
    for at, letter in enumerate(letters, 1):
        first, *others = letter.draft.parts
        anchor, speaker = f"game-{at}", first.speaker(to.language)
        title = f"{first.context['title']} {letter.game.name}"
        rows.append((anchor, title, BRACKETS.sub("", templates.subject(first.template, speaker, first.context))))
        parts += [replace(first, anchor=anchor), *others]
    context = {
        "game": "", "gm": gm_name(app), "rows": rows, "names": [letter.game.name for letter in letters],
        "number": number, "number_of": number_of,
        "today": write_date(app.now(), app.settings.service.timezone, to.language, "date"),
    }  # fmt: skip
    occasion = Occasion(cause=f"bundle:{max(mail.id for one in letters for mail in one.held)}", kind=KIND)
    bundle = draft(app, session, occasion, to, [Part(template=KIND, context=context), *parts])
    files = [file for one in letters if (file := one.draft.attachment)]
    threads = tuple(_latest_mail(session, one.game, player) for one in letters[-MOST_REFERENCES:])
    threads = tuple(filter(None, threads))
    envelope = replace(bundle.envelope, references=threads, in_reply_to=threads[-1] if threads else "")
    queue(session, [write(replace(bundle, envelope=envelope, attachment=calendar_files.joined(files)))])
    for one in letters:
        held_mails.carry(session, one.held, envelope.message_id)


def _latest_mail(session: Session, game: Game, player: Player) -> str:
    """Return the Message-ID of the last mail of a game's thread: it hangs there, so that no threads are joined."""
    return next(iter(thread_queries.references(session, game, player.id)[-1:]), "")
