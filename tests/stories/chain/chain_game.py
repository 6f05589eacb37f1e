"""A game in another distribution: say a word that begins with the last letter of the word before. Six turns.

`sagen WORT` takes its effect at once and ends the turn; `würfeln` is a private step that draws a secret letter.
"""
# ruff: noqa: ARG002 (a tiny game uses little of what it is given)

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from games.api import (
    EVERYONE,
    Event,
    MoveBlock,
    Outcome,
    Resolution,
    Rules,
    Seat,
    Section,
    Sheet,
    View,
    Viewer,
    say,
)
from games.dice import Dice
from games.shared.ranking import leaders, standings
from games.words import Words

TURNS = 6
KNOWN = ("ROT", "TANZEN", "NORD", "DORN")
SEATS = (Seat(1), Seat(2))


@dataclass(frozen=True)
class Chain:
    """What was said so far, and what each has drawn in secret."""

    words: tuple[str, ...] = ()
    letters: tuple[str, str] = ("", "")
    turn: int = 1
    steps: int = 0
    gone: tuple[Seat, ...] = ()


@dataclass(frozen=True)
class Saying:
    """A word, or nothing: a draw."""

    word: str = ""


class WordChain:
    """The engine."""

    rules = Rules(key="word-chain", title="Wortkette", seats=(2, 2), version=1, unit="turn", span="4d", profile="duden")
    wording: Mapping[str, Mapping[Any, str]] = {
        "SAID": {"de": "{seat} sagt {word}", "en": "{seat} says {word}"},
        "SILENT": {"de": "{seat} schweigt (NMR)", "en": "{seat} is silent (NMR)"},
        "DREW": {"de": "Gezogen: {letter}", "en": "Drawn: {letter}"},
        "HOW": {"de": "Schreib: sagen WORT", "en": "Write: sagen WORT"},
        "FAULT": {"de": "»{sent}« geht nicht.", "en": "“{sent}” won't do."},
        "REFUSED_WORD": {"de": "{word} zählt nicht.", "en": "{word} doesn't count."},
    }
    state_type = Chain
    move_type = Saying
    entry_type = str

    def enrol(self, block: MoveBlock, options: Mapping[str, Any]) -> Sheet[str]:
        return Sheet(move="in")

    def start(self, entries: Mapping[Seat, str | None], options: Mapping[str, Any], dice: Dice) -> Resolution[Chain]:
        return Resolution(state=Chain())

    def due(self, state: Chain) -> frozenset[Seat]:
        return frozenset() if state.turn > TURNS else frozenset({SEATS[(state.turn - 1) % 2]})

    def round(self, state: Chain) -> int:
        return min(state.turn, TURNS)

    def stand(self, state: Chain, seat: Seat) -> int:
        return state.turn * 10 + state.steps

    def read(
        self, state: Chain, seat: Seat, block: MoveBlock, words: Words, own: Saying | None = None
    ) -> Sheet[Saying]:
        line = block.lines[0] if block.lines else ""
        if line in ("", "sagen"):
            return Sheet()
        if line.lower() == "würfeln":
            return Sheet(move=Saying())
        word = line.removeprefix("sagen ").upper()
        if not line.startswith("sagen ") or not word.isalpha() or not self._follows(state, word):
            return Sheet(problems=(say("FAULT", sent=line[:20]),))
        verdict = words.check(word, "duden")
        if verdict.status == "refused":
            return Sheet(problems=(say("REFUSED_WORD", word=word),))
        return Sheet(move=Saying(word), doubtful=(word,) if verdict.status == "doubtful" else ())

    def _follows(self, state: Chain, word: str) -> bool:
        return not state.words or word[0] == state.words[-1][-1]

    def act(self, state: Chain, seat: Seat, move: Saying, dice: Dice, words: Words) -> Resolution[Chain]:
        if not move.word:
            letter = dice.choice("ABCDEF")
            letters = (letter, state.letters[1]) if seat == 1 else (state.letters[0], letter)
            drawn = Event(text=say("DREW", letter=letter), readers=frozenset({seat}))
            return Resolution(state=replace(state, letters=letters, steps=state.steps + 1), events=(drawn,))
        said = Event(text=say("SAID", seat=seat, word=move.word), readers=EVERYONE)
        after = replace(state, words=(*state.words, move.word), turn=state.turn + 1, steps=0)
        return Resolution(state=after, events=(said,))

    def resolve(self, state: Chain, moves: Mapping[Seat, Saying], dice: Dice, words: Words) -> Resolution[Chain]:
        (seat,) = self.due(state)
        silent = Event(text=say("SILENT", seat=seat), readers=EVERYONE)
        return Resolution(state=replace(state, turn=state.turn + 1, steps=0), events=(silent,))

    def give_up(self, state: Chain, seats: frozenset[Seat]) -> Chain:
        return replace(state, gone=(*state.gone, *seats))

    def resign(self, state: Chain, seat: Seat, dice: Dice) -> Resolution[Chain]:
        return Resolution(state=replace(self.give_up(state, frozenset({seat})), turn=TURNS + 1))

    def outcome(self, state: Chain) -> Outcome | None:
        if state.turn <= TURNS:
            return None
        ranked = standings(dict.fromkeys(SEATS, len(state.words)), state.gone)
        return Outcome(standings=ranked, winners=leaders(ranked, state.gone))

    def view(self, state: Chain, viewer: Viewer, own: Saying | None = None) -> View:
        letter = state.letters[viewer - 1] if viewer in SEATS and isinstance(viewer, int) else ""
        is_due = viewer in self.due(state)
        secret = (Section(lines=(say("DREW", letter=letter),)),) if letter else ()
        last = (say("SAID", seat=SEATS[len(state.words) % 2 - 1], word=state.words[-1]),) if state.words else ()
        return View(
            headline=last[0] if last else None,
            sections=(Section(lines=last), *secret),
            how_to=(say("HOW"),) if is_due else (),
            block=(f"Stand: {self.stand(state, SEATS[0])}", "sagen") if is_due else (),
            facts={"round": self.round(state), "words": list(state.words)},
        )

    def suggest(self, state: Chain, seat: Seat, dice: Dice, words: Words) -> tuple[str, ...]:
        fitting = [
            word for word in KNOWN if self._follows(state, word) and words.check(word, "duden").status == "accepted"
        ]
        return (f"sagen {fitting[0].lower()}",) if fitting else ("würfeln",)


ENGINE = WordChain()
