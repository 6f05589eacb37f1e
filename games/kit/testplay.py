"""Random games for tests: seats send suggested and damaged blocks, and judge words by a small set."""

import random
import string
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from games import AnyEngine
from games.api import SPECTATOR, MoveBlock, Resolution, Seat, Sheet, Viewer
from games.dice import Dice
from games.suggestions import suggested
from games.words import UNLISTED, Verdict

NASTY: Final = "²½١−–—’\u00a0\u200b\0ßÄ…{}%*+/:|-_.,0 1"
"""Characters that break careless code: digits that `int` refuses, invisible blanks, half a format string."""

MOST_TURNS: Final = 2000
"""A game with more steps counts as endless."""

_COMMON: Final = (
    "AB AN AU DA DU EI ER ES IN JA NEU NIE NOT OB ODE OHR ORT RAR RAT REH ROT SEE TAG TAT TEE TOR TUN UR UT AHN "
    "ARM ART AST EID EIS ENG ERZ GEN GUT HUT IRE LID NET ABER ACHT ADER AMEN ANTE AUTO BAHN BAND BEIN BERG BILD "
    "BIER BROT DACH DAME DANK DORF DREI EBEN EDEL EHRE EINE EISE ENDE ENTE ERBE ERDE ERNT ESEL FEST GELD HAND "
    "HAUS HERD HERR HOSE INSEL IDEE IRRE KIND LAND LIED LISTE MAST MEER MIET MOND MUSE NASE NEST NETZ NORD NOTE "
    "OASE OSTEN RAND RASEN REDE REIS REISE RENTE RIESE RINDE ROSE RUDER RUHE RUINE SAND SEIDE SEITE SENAT SINN "
    "SONNE STADT STEIN STERN STIER STUHL TANTE TANNE TANZEN TASTE TEER TEIL TIER TINTE TISCH TONNE TREUE TURM "
    "UNTEN URNE WALD WEIN WIESE WIND WINTER WORT ZEIT BRECHT ERNTE EITER SENDER TRINET NISTET RAST SIRENE TRESEN "
    "ADELN EISEN NADEL ORDEN RATEN REDEN RITTEN SEIN SEINE SIND SEND STREIT TATEN TORTEN TREND TRITT"
)
COMMON_WORDS: Final = tuple(_COMMON.split())
"""Enough German words to play with."""


class WordSet:
    """A judge of words with two sets; a word in neither is doubtful."""

    def __init__(self, accepted: Iterable[str] = (), refused: Iterable[str] | Mapping[str, str] = ()) -> None:
        self._accepted = tuple(sorted(set(accepted)))
        reasons = refused if isinstance(refused, Mapping) else dict.fromkeys(refused, "RULED")
        self._verdicts = {word: Verdict("accepted") for word in self._accepted}
        self._verdicts |= {word: Verdict("refused", reason) for word, reason in reasons.items()}

    def check(self, word: str, profile: str) -> Verdict:  # noqa: ARG002 (one set for all profiles)
        """Judge one word."""
        return self._verdicts.get(word, UNLISTED)

    def listed(self, profile: str) -> Iterable[str]:  # noqa: ARG002
        """All accepted words, in alphabetical order."""
        return self._accepted


@dataclass(frozen=True, kw_only=True)
class Contract:
    """What is checked, and with what."""

    engine: AnyEngine
    words: WordSet = field(default_factory=lambda: WordSet(COMMON_WORDS, ["USW"]))
    games: int = 2
    """How many random games a check plays for each share of missing moves."""
    seats: int = 0
    """How many play; 0: as many as can."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """The options that aren't the usual ones."""
    played: "dict[float, list[tuple[Step, ...]]]" = field(default_factory=dict, repr=False, compare=False)
    """The games that all checks look at, by the share of missing moves."""

    @property
    def all_seats(self) -> tuple[Seat, ...]:
        """The seats of its games."""
        return tuple(Seat(number) for number in range(1, 1 + (self.seats or self.engine.rules.seats[1])))


@dataclass(frozen=True, kw_only=True)
class Sent:
    """A block that a seat sent, and how it was understood."""

    seat: Seat
    lines: tuple[str, ...]
    sheet: Sheet[Any]


@dataclass(frozen=True, kw_only=True)
class Step:
    """One step of a game: from a state, by what was sent, to a resolution."""

    before: Any
    sent: tuple[Sent, ...]
    after: Resolution[Any]
    left: Seat | None = None
    """Who resigned, where the step is that."""


def sign_ups(contract: Contract) -> tuple[Any, ...]:
    """Read the suggested sign-ups, one for each seat."""
    engine = contract.engine
    blocks = [MoveBlock(lines=engine.suggest_entry(seat)) for seat in contract.all_seats]
    sheets = [engine.enrol(block, {**engine.rules.options, **contract.options}) for block in blocks]
    assert not any(sheet.problems or sheet.wanted for sheet in sheets), "What `suggest_entry` gives isn't enough."
    return tuple(sheet.move for sheet in sheets)


def started(contract: Contract, seed: str = "seed", dice: Dice | None = None) -> Resolution[Any]:
    """Start a game with all seats taken."""
    entries = dict(zip(contract.all_seats, sign_ups(contract), strict=True))
    options = {**contract.engine.rules.options, **contract.options}
    return contract.engine.start(entries, options, dice or Dice(seed, 0))


def play(contract: Contract, seed: str, nmr: float, leaving: int = 0) -> Iterator[Step]:
    """Play a random game to its end. Most blocks are legal, some damaged; `nmr` is the share of missing moves."""
    first = started(contract, seed)
    yield Step(before=None, sent=(), after=first)
    yield from play_on(contract, first, seed, nmr, leaving)


def play_on(contract: Contract, after: Resolution[Any], seed: str, nmr: float, leaving: int = 0) -> Iterator[Step]:
    """Play a game from a position to its end. In the step `leaving` a seat resigns."""
    chance = random.Random(f"{seed}/{nmr}")
    step = Step(before=None, sent=(), after=after)
    for turn in range(1, MOST_TURNS):
        if not contract.engine.due(step.after.state):
            return
        state, dice = step.after.state, Dice(seed, turn)
        if turn == leaving:
            seat = chance.choice(contract.all_seats)
            step = Step(before=state, sent=(), after=contract.engine.resign(state, seat, dice), left=seat)
        else:
            step = _step(contract, state, dice, chance, nmr)
        yield step
    raise AssertionError(f"The game isn't over after {MOST_TURNS} steps.")


def _step(contract: Contract, state: Any, dice: Dice, chance: random.Random, nmr: float) -> Step:
    """Let all due seats send. A move that takes effect at once ends the step; else the round is closed."""
    engine, sent = contract.engine, []
    moves: dict[Seat, Any] = {}
    for seat in sorted(engine.due(state)):
        if chance.random() >= nmr:
            sent += _send(contract, state, seat, dice, chance)
            if (move := sent[-1].sheet.move) is not None:
                at_once = engine.act(state, seat, move, dice, contract.words)
                if at_once and not sent[-1].sheet.doubtful:
                    return Step(before=state, sent=tuple(sent), after=at_once)
                moves |= {} if at_once else {seat: move}
    return Step(before=state, sent=tuple(sent), after=engine.resolve(state, moves, dice, contract.words))


def _send(contract: Contract, state: Any, seat: Seat, dice: Dice, chance: random.Random) -> list[Sent]:
    """Send a suggested block, now and then a damaged one, which a good one then replaces."""
    lines = suggested(contract.engine, state, seat, dice, contract.words)
    blocks = [damaged(lines, chance), lines] if chance.random() < 0.3 else [lines]
    sent: list[Sent] = []
    own: Any = None
    for block in blocks:
        sheet = contract.engine.read(state, seat, MoveBlock(lines=block), contract.words, own)
        own = sheet.move if sheet.move is not None else own
        sent.append(Sent(seat=seat, lines=block, sheet=sheet))
    return sent


def damaged(lines: Sequence[str], chance: random.Random) -> tuple[str, ...]:
    """Damage a block: characters changed, lost or added; lines lost, doubled or swapped."""
    block = list(lines) or [""]
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(block))
        kind = chance.randrange(7)
        if kind < 4:
            block[at] = _damaged_line(block[at], kind, chance)
        elif kind == 4 and len(block) > 1:
            del block[at]
        elif kind == 5:
            block.insert(at, block[at])
        else:
            block[at], block[0] = block[0], block[at]
    return tuple(block)


def _damaged_line(line: str, kind: int, chance: random.Random) -> str:
    at = chance.randint(0, len(line))
    sign = chance.choice(NASTY + string.ascii_letters)
    return (
        line[:at] + sign + line[at:],
        line[:at] + sign + line[at + 1 :],
        line[:at] + line[at + 1 :],
        line.swapcase(),
    )[kind]


def games(contract: Contract) -> Iterator[tuple[Step, ...]]:
    """Play the games of a contract, once for all checks: with all, most and none of the moves.

    In those with most of the moves a seat resigns; between two that is the end, so it is late.
    """
    share = 2 if len(contract.all_seats) > 2 else 4
    for number in range(contract.games):
        for nmr in (0.0, 0.2, 1.0):
            played = contract.played.setdefault(nmr, [])
            if number == len(played):
                leaving = len(contract.played[0.0][number]) * share // 5 if nmr == 0.2 else 0
                played.append(tuple(play(contract, f"game {number}", nmr, leaving)))
            yield played[number]


def viewers_of(contract: Contract) -> tuple[Viewer, ...]:
    """Everybody who may look at a game: its seats and a spectator."""
    return (*contract.all_seats, SPECTATOR)
