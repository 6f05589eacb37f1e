"""The daily digest: what asked nothing of a player comes in one mail a day, each game's newest position whole.

It is made from the steps, in the transaction that queues it and notes them as told. So a crash, or another process,
finds all of them still to be told, or all told.
"""

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from sqlmodel import Session

from games.api import SPECTATOR, Language, Viewer, say
from games.api import Seat as SeatNumber
from gm.app.context import App
from gm.app.recorded_rules import check_readable
from gm.game.announcements import bulletins, digest_steps
from gm.game.announcements.announced_step import step_of
from gm.game.people.site_directory import game_page
from gm.messages import game_mails, gm_list
from gm.messages.outgoing import (
    DIGEST,
    Occasion,
    Part,
    Recipient,
    compose,
    draft,
    gm_name,
    queue,
    recipient,
    sender,
    write,
)
from gm.messages.questions import About
from gm.messages.rendering import templates
from gm.messages.rendering.dates import write_date
from gm.messages.rendering.templates import BRACKETS
from gm.messages.rendering.wording import grouped
from gm.runtime.errors import OperatorError, StoreError
from gm.runtime.tracebacks import described
from gm.store.queries import seat_queries, turn_queries
from gm.store.tables import DigestStep, Game, Player, Turn

log = logging.getLogger("gm")

LONGEST: Final = 80_000
"""Bytes of a mail's HTML part; programs cut longer ones. What doesn't fit comes in another mail."""
KIND: Final = "daily"
"""The kind of the mail, and the template of its beginning."""


def send_due(app: App) -> None:
    """Queue the digest of each player for whom it is time. Raises StoreError."""
    with app.database.read() as session:
        due = digest_steps.players_due(session, app.now())
    for player_id in due:
        app.stop_signal.check()
        with app.database.write() as session:
            if player_id in digest_steps.players_due(session, app.now()):  # no other process was quicker
                send(app, session, session.get_one(Player, player_id))


def send(app: App, session: Session, player: Player) -> None:
    """Queue all that a player's digest has still to tell. A game that can't be told of waits a day; the GM is told."""
    to, found = recipient(app, session, player), digest_steps.untold(session, player.id)
    if not to.address:
        digest_steps.forget_reader(session, player.id)
        return
    by_game: dict[int, list[DigestStep]] = {}
    for step in found:
        by_game.setdefault(step.game_id, []).append(step)
    told = dict[int, Part]()
    for game_id in sorted(by_game, key=lambda one: by_game[one][-1].id):  # the latest news last
        part = _part_or_trouble(app, session, session.get_one(Game, game_id), by_game[game_id], to.language)
        if part:
            told[game_id] = part
    portions = [*_portions(app, told, to)]
    for number, portion in enumerate(portions, 1):
        steps = [step for game_id in portion for step in by_game[game_id]]
        _queue(app, session, to, [told[game_id] for game_id in portion], steps, (number, len(portions)))


def _part_or_trouble(
    app: App, session: Session, game: Game, steps: Sequence[DigestStep], language: Language
) -> Part | None:
    """Write what is about a game; None where that can't be done: then the steps wait for the next day."""
    try:
        with session.begin_nested():
            return _part(app, session, game, steps, language)
    except StoreError:
        raise
    except OperatorError as error:
        trouble = error
    except Exception as error:
        log.error("a daily digest can't tell of %s: %s", game.name, described(error), exc_info=error)
        trouble = OperatorError(say("daily_digest.failed", game=game.name, error=described(error)))
    gm_list.tell(app, session, "digest", trouble, About(game=game, cause=f"daily:{game.id}:{app.now().date()}"))
    digest_steps.postpone(session, steps)
    return None


def _part(app: App, session: Session, game: Game, steps: Sequence[DigestStep], language: Language) -> Part:
    """Write what happened in a game, step by step, and its newest position as the reader may see it now."""
    engine = app.engine(game.engine)
    newest = _newest(session, game)
    for turn in (*(session.get_one(Turn, one.turn_id) for one in steps), newest):
        check_readable(engine, game.name, turn)
    now = step_of(app, session, game, newest)
    seat = seat_queries.seat_row(game, steps[-1].player_id)
    own = SeatNumber(seat.number) if seat and seat.until is None else None
    context = {
        **bulletins.frame(now, language), "page": game_page(app, game), "outcome": now.outcome,
        "told": [entry for one in steps if (entry := _entry(app, session, game, one))],
        **game_mails.position_context(app, session, game, now.state, own or SPECTATOR, language),
    }  # fmt: skip
    return Part(template="daily_game", context=context, engine=engine, own=own, names=now.names)


def _newest(session: Session, game: Game) -> Turn:
    """Return the last step that players know of."""
    released = [one for one in turn_queries.turns(session, game) if one.released_at and one.undone_at is None]
    return max(released, key=lambda one: (one.number, one.version))


def _entry(app: App, session: Session, game: Game, told: DigestStep) -> Mapping[str, Any] | None:
    """Return what a bulletin says beside the position: what happened, and what people wrote; None for nothing."""
    step = step_of(app, session, game, session.get_one(Turn, told.turn_id))
    viewer: Viewer = SeatNumber(told.seat) if told.seat else SPECTATOR
    said = {
        "foreword": step.turn.foreword.splitlines(), "missed": bulletins.missed(step),
        "press": bulletins.press_of(step),
        "events": grouped((one.text for one in game_mails.events_for(step.events, viewer)), step.engine.wording),
    }  # fmt: skip
    closed = bulletins.closed_round(step) if step.kind == "bulletin" else 0
    return {"closed": closed, "at": step.turn.released_at, **said} if closed or any(said.values()) else None


def _portions(app: App, told: Mapping[int, Part], to: Recipient) -> Iterator[list[int]]:
    """Divide the games into mails that no program cuts."""
    portion, taken = list[int](), 0
    for game_id, part in told.items():
        _, _, html = compose([part], to, greet=False, by=sender(app))
        size = len(html.encode())
        if portion and taken + size > LONGEST:
            yield portion
            portion, taken = [], 0
        portion.append(game_id)
        taken += size
    if portion:
        yield portion


def _contents_row(part: Part, language: Language) -> tuple[str, str, str]:
    """Return the line of a game in the list of contents: its anchor, its name, how it stands."""
    stands = BRACKETS.sub("", templates.subject(part.template, part.speaker(language), part.context))
    return part.anchor, f"{part.context['title']} {part.context['game']}", stands


def _queue(
    app: App, session: Session, to: Recipient, parts: Sequence[Part], steps: Sequence[DigestStep],
    counted: tuple[int, int],
) -> None:  # fmt: skip
    """Queue a mail with these parts, a list of the games above them, and note the steps as told by it."""
    number, number_of = counted
    parts = [replace(part, anchor=f"game-{at}") for at, part in enumerate(parts, 1)]
    context = {
        "game": "", "gm": gm_name(app), "names": [part.context["game"] for part in parts],
        "rows": [_contents_row(part, to.language) for part in parts], "number": number, "number_of": number_of,
        "today": write_date(app.now(), app.settings.service.timezone, to.language, "date"),
    }  # fmt: skip
    occasion = Occasion(cause=f"daily:{max(step.id for step in steps)}", kind=KIND, priority=DIGEST)
    letter = draft(app, session, occasion, to, [Part(template=KIND, context=context), *parts])
    queue(session, [write(letter)])
    for step in steps:
        step.told_by = letter.envelope.message_id
        session.add(step)
    session.flush()
