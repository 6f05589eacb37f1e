"""Bulletins: what everybody gets when a game starts, a round closes, a game ends. One mail a player, personal."""

import hashlib
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from sqlmodel import Session

from games import AnyEngine
from games.api import EVERYONE, Event, Language, Outcome, Resolution, Text, View, Viewer
from games.api import Seat as SeatNumber
from gm.app import App
from gm.config import Span
from gm.play.zat import next_zat
from gm.publish.dates import write_date
from gm.publish.post import Occasion, Part, Recipient, gm_name, gm_recipient, post, recipient
from gm.store import queries
from gm.store.codec import decode
from gm.store.tables import Game, Player, Turn

if TYPE_CHECKING:
    from gm.play.turns import Position


def announce_start(
    app: App, session: Session, game: Game, engine: AnyEngine, turn: Turn, resolution: Resolution[Any]
) -> None:
    """Queue the first bulletin for every seat."""
    context = {"checksum": seed_checksum(game.seed), "words": turn.words, "zats": _planned(app, game, engine)}
    _announce(app, session, game, engine, turn, resolution, "start", context)


def _planned(app: App, game: Game, engine: AnyEngine) -> list[tuple[int, datetime]]:
    """Say when each round ends if none closes early; nothing where the number of rounds is open."""
    rules, zone = app.settings.deadlines, app.settings.service.timezone
    zats = [game.zat] if game.zat else []
    while zats and len(zats) < (engine.rules.rounds or 0):
        zats.append(next_zat(zats[-1], Span.parse(game.span), rules.time, zone, rules.holidays))
    return list(enumerate(zats, 1))


def announce_round(
    app: App, session: Session, game: Game, engine: AnyEngine, turn: Turn, resolution: Resolution[Any], *, closed: int
) -> None:
    """Queue a round's bulletin, or the result where the game has ended; ask the GM about doubtful words."""
    outcome = engine.outcome(resolution.state)
    if outcome is None:
        _announce(app, session, game, engine, turn, resolution, "bulletin", {"closed": closed})
    else:
        announce_result(app, session, game, engine, turn, resolution, outcome)


def announce_result(
    app: App, session: Session, game: Game, engine: AnyEngine, turn: Turn, resolution: Resolution[Any],
    outcome: Outcome, changes: tuple[Text, ...] = (),
) -> None:  # fmt: skip
    """Queue the final bulletin, provisional while words are doubtful; then the GM is asked to rule on them."""
    winners = [s.seat for s in outcome.standings if s.rank == 1]
    context = {
        "provisional": bool(outcome.doubtful),
        "doubtful": ", ".join(outcome.doubtful),
        "winners": winners,
        "points": outcome.standings[0].points if outcome.standings else 0,
        "version": _finals_before(session, game, engine, turn) + 1,
        "words": turn.words,
        "seed": game.seed,
        "changes": changes,
        "stood_in": [(held[-1], held[:-1]) for held in queries.seat_history(session, game).values() if held[1:]],
    }
    _announce(app, session, game, engine, turn, resolution, "final", context)
    if outcome.doubtful:
        ask_for_rulings(app, session, game, engine, turn, outcome)


def _finals_before(session: Session, game: Game, engine: AnyEngine, turn: Turn) -> int:
    """Count the final (not provisional) results that went out before."""
    versions = [t for t in queries.turns(session, game) if t.number == turn.number and t.version < turn.version]
    outcomes = [engine.outcome(decode(engine.state_type, version.state)) for version in versions]
    return sum(1 for outcome in outcomes if outcome and not outcome.doubtful)


def ask_for_rulings(app: App, session: Session, game: Game, engine: AnyEngine, turn: Turn, outcome: Outcome) -> None:
    """Mail the GM the doubtful words with the lines to rule with."""
    context = {**frame_context(app, game, engine, app.settings.service.language), "doubtful": outcome.doubtful}
    occasion = Occasion(cause=f"turn:{turn.id}", kind="words", game=game)
    post(app, session, occasion, gm_recipient(app), [Part(template="words", context=context, engine=engine)])


def welcome(
    app: App, session: Session, game: Game, at: "Position", player: Player, seat: int, before: str, own: Any
) -> None:
    """Queue the mail that makes a standby able to play: the whole position, the deadline, the move on file."""
    to = recipient(app, session, player, game)
    view = at.engine.view(at.state, SeatNumber(seat), own)
    part = _part(
        app, game, at.engine, view_of=view, template="welcome", events=(), own=seat, to=to,
        names=names_by_seat(session, game), more={"before": before, "on_file": own is not None},
    )  # fmt: skip
    cause = f"seat:{game.id}:{seat}:{player.id}"
    occasion = Occasion(cause=cause, kind="welcome", game=game, opens_round=at.turn.round)
    post(app, session, occasion, to, [part], greet=False)


def tell_all(
    app: App, session: Session, game: Game, template: str, cause: str, context: Mapping[str, Any],
    but: Player | None = None,
) -> None:  # fmt: skip
    """Queue a short mail to every player of a game: the ZAT has moved, the game was broken off."""
    engine = app.engine(game.engine)
    for player, seat in seated(session, game):
        if but and player.id == but.id:
            continue
        to = recipient(app, session, player, game)
        part = Part(
            template=template, context={**frame_context(app, game, engine, to.language), **context}, engine=engine,
            names=names_by_seat(session, game), own=SeatNumber(seat),
        )  # fmt: skip
        post(app, session, Occasion(cause=cause, kind=template, game=game), to, [part])


def seated(session: Session, game: Game) -> list[tuple[Player, int]]:
    """List the players in their seats."""
    found = [(session.get(Player, seat.player_id), seat.number) for seat in queries.seats(session, game)]
    return [(player, number) for player, number in found if player is not None]


def names_by_seat(session: Session, game: Game) -> dict[SeatNumber, str]:
    """Name the players by seat, for wording."""
    return {SeatNumber(number): name for number, name in queries.names(session, game).items()}


def frame_context(app: App, game: Game, engine: AnyEngine, language: Language) -> dict[str, Any]:
    """Give what every mail about a game may say: its names, its clock, whom to write to."""
    zone = app.settings.service.timezone

    def when(instant: datetime | None, pattern: str = "long") -> str:
        return write_date(instant, zone, language, pattern) if instant else ""

    return {
        "game": game.name,
        "title": engine.rules.title,
        "round": game.round,
        "rounds": engine.rules.rounds,
        "zat": when(game.zat),
        "zat_short": when(game.zat, "short"),
        "now": when(app.now()),
        "today": when(app.now(), "date"),
        "when": when,
        "gm": gm_name(app),
        "address": app.settings.service.address,
        "service": app.settings.service.name,
        "early": early_hint(app, language),
    }


def early_hint(app: App, language: Language) -> str:
    """Say how long after the last move a round may close: "" where it never closes early, "0" for at once."""
    rules = app.settings.deadlines
    if not rules.close_early:
        return ""
    minutes = int(rules.settle.total_seconds() // 60)
    if not minutes:
        return "0"
    number, unit = (minutes // 60, "hour") if minutes % 60 == 0 else (minutes, "minute")
    return f"{number} {_UNITS[unit][language][number != 1]}"


_UNITS: dict[str, dict[Language, tuple[str, str]]] = {
    "hour": {"de": ("Stunde", "Stunden"), "en": ("hour", "hours")},
    "minute": {"de": ("Minute", "Minuten"), "en": ("minute", "minutes")},
}


def seed_checksum(seed: str) -> str:
    """Give the SHA-256 that is published before a game, so that its seed can be checked after it."""
    return hashlib.sha256(seed.encode()).hexdigest()


def copy_block(title: str, game: str, lines: Iterable[str]) -> list[str]:
    """Put the title line above a block's lines."""
    return [f"{title} {game}", *lines]


def mailto(address: str, game: str, lines: Iterable[str]) -> str:
    """Make the link that opens a reply with the block in it (RFC 6068)."""
    body = "\r\n".join([*lines, ""])
    return f"mailto:{quote(address, safe='@')}?subject={quote(f'[{game}]')}&body={quote(body)}"


def events_for(events: tuple[Event, ...], viewer: Viewer) -> tuple[Event, ...]:
    """Keep what this viewer may know."""
    return tuple(event for event in events if event.readers == EVERYONE or viewer in event.readers)


def _announce(
    app: App, session: Session, game: Game, engine: AnyEngine, turn: Turn, resolution: Resolution[Any], kind: str,
    more: Mapping[str, Any],
) -> None:  # fmt: skip
    over = engine.outcome(resolution.state) is not None
    names = names_by_seat(session, game)
    for player, seat in seated(session, game):
        to = recipient(app, session, player, game)
        view = engine.view(resolution.state, SeatNumber(seat))
        events = events_for(resolution.events, SeatNumber(seat))
        part = _part(
            app, game, engine, view_of=view, template=kind, events=events, own=seat, more=more, to=to, names=names
        )  # fmt: skip
        opens = None if over else turn.round
        occasion = Occasion(cause=f"turn:{turn.id}", kind=kind, game=game, opens_round=opens)
        post(app, session, occasion, to, [part], greet=False)


def _part(
    app: App, game: Game, engine: AnyEngine, *, view_of: View, template: str, events: tuple[Event, ...], own: int,
    more: Mapping[str, Any], to: Recipient, names: Mapping[SeatNumber, str],
) -> Part:  # fmt: skip
    block = copy_block(engine.rules.title, game.name, view_of.block) if view_of.block else []
    context = {
        **frame_context(app, game, engine, to.language),
        "view": view_of,
        "events": [event.text for event in events],
        "block": block,
        "mailto": mailto(app.settings.service.address, game.name, block),
        **more,
    }
    return Part(template=template, context=context, engine=engine, names=names, own=SeatNumber(own))
