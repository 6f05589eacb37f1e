"""Promise 5: what a seat holds (a rack, a hand, dice, a word to be guessed) stands in no mail to anybody else.

What is hidden is what the rules show to the seat itself and not to spectators, before any service code has touched it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from observation import Observation
from sqlmodel import col, select

from games import AnyEngine, engines
from games.api import LANGUAGES, SPECTATOR
from games.api import Seat as SeatNumber
from gm.runtime.catalogues import catalogue
from gm.store.json_values import decode
from gm.store.tables import Game, Seat, Turn

SHORTEST: Final = 4
CERTAIN: Final = 6
"""So many letters in a row are no chance, whatever stands between them."""
_HEADING: Final = re.compile(r"^[^a-zäöü\n]*[A-ZÄÖÜ]{2,} +[^a-zäöü\n]*[A-ZÄÖÜ]{2,}[^a-zäöü\n]*$", re.M)
"""A line of words in capitals: what it says may be spelt like a word to be guessed."""
_WORD: Final = re.compile(r"[A-ZÄÖÜ0-9*]+")
OUR_OWN: Final = frozenset(
    word
    for language in LANGUAGES
    for sentence in catalogue("mail", language).values()
    for word in _WORD.findall(sentence)
)
"""What our mails say in capitals: NAME, WORT."""
_LETTERS: Final = re.compile(r"[^A-Za-zÄÖÜäöü0-9*?]")


@dataclass(frozen=True, kw_only=True)
class Holding:
    """What a seat of a game holds, as letters without anything between them."""

    game: Game
    seat: int
    letters: str
    holders: frozenset[int]
    """Who sits, or ever sat, there."""


def holdings(zine: Observation) -> list[Holding]:
    """List what is hidden in the running games: in the positions since the last look, and the present ones."""
    games = {game.id: game for game in zine.running if game.engine in engines()}  # else its rules are not installed
    sitting: dict[int, dict[int, set[int]]] = {game_id: {} for game_id in games}
    for seat in zine.session.exec(select(Seat).where(col(Seat.game_id).in_(games))):
        sitting[seat.game_id].setdefault(seat.number, set()).add(seat.player_id)
    found = list[Holding]()
    for turn in _positions(zine, games):
        game, seats = games[turn.game_id], sitting[turn.game_id]
        for number, held in _hidden(zine, game, turn, seats).items():
            holders = frozenset(seats.get(number, ()))
            found += [Holding(game=game, seat=number, letters=letters, holders=holders) for letters in held]
    return found


def _hidden(zine: Observation, game: Game, turn: Turn, seats: Iterable[int]) -> dict[int, list[str]]:
    """What each seat holds in a position; a position lies there for some passes."""
    engine, found = engines()[game.engine], zine.ledger.hidden.setdefault(turn.id, {})
    if not found and turn.rules_version == engine.rules.version:
        state = decode(engine.state_type, turn.state)
        found.update((seat, hidden_letters(engine, state, SeatNumber(seat))) for seat in seats)
    return found


def hidden_letters(engine: AnyEngine, state: Any, seat: SeatNumber) -> list[str]:
    """List what the rules show to a seat of itself, and to spectators not."""
    public, own = engine.view(state, SPECTATOR).seat_facts, engine.view(state, seat).seat_facts.get(seat, {})
    shown, everybodys = public.get(seat, {}), _LETTERS.sub("", str(public))
    held = [
        _LETTERS.sub("", "".join(value) if isinstance(value, list) else value)
        for name, value in own.items()
        if shown.get(name) != value and (isinstance(value, str) or _is_list_of_texts(value))
    ]  # fmt: skip
    return [letters for letters in held if len(letters) >= SHORTEST and letters not in everybodys]


def _is_list_of_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _positions(zine: Observation, games: Collection[int]) -> list[Turn]:
    made = Counter(turn.game_id for turn in zine.turns)
    # where two were made, the bulletin of the later one may show what lay in the earlier one, as after `gm restore`
    only = [turn for turn in zine.turns if made[turn.game_id] == 1]
    return list({turn.id: turn for turn in (*only, *zine.present) if turn.game_id in games}.values())


def no_mail_shows_what_another_seat_holds(zine: Observation) -> Iterator[str]:
    """Nobody but who sits there, or sat there, reads it before the rules show it to all."""
    fresh = [mail for mail in zine.read if mail.address not in zine.gm_addresses - zine.players.keys()]
    if not fresh or zine.is_tampered:
        return
    hidden = holdings(zine)
    kinds = dict(zine.session.exec(select(Game.id, Game.engine)).all()) if hidden else {}
    for mail in fresh if hidden else ():
        readers = zine.players.get(mail.address, set()) | ({mail.player_id} if mail.player_id else set())
        text = zine.text_of(mail)
        letters, words = _LETTERS.sub("", text), set(_WORD.findall(_HEADING.sub("", text))) - OUR_OWN
        for one in hidden:
            is_certain = len(one.letters) >= CERTAIN
            if mail.game_id not in (None, one.game.id) and (not is_certain or kinds[mail.game_id] == one.game.engine):
                continue  # another game may show that word, or, if it has the same tiles, that row
            shows = one.letters in (letters if is_certain else words)
            if shows and not readers & one.holders and not _wrote(zine, readers, one):
                what = f"{one.letters}, which seat {one.seat} of {one.game.name} holds"
                yield f"mail o{mail.id} ({mail.kind}) to {mail.address} shows {what}"


def _wrote(zine: Observation, readers: set[int], one: Holding) -> bool:
    """Whether whoever reads the mail has written those letters as well, or a stranger who is quoted there."""
    return any(one.letters in _LETTERS.sub("", text.upper()) for text in zine.texts_of(readers))
