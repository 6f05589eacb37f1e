"""Wort-Yahtzee: seven letter dice, three rolls, eight rounds; boxes in order, or by option in any order."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from games.api import (
    MoveBlock,
    Outcome,
    Resolution,
    Rules,
    Seat,
    Sheet,
    SignUp,
    Text,
    View,
    Viewer,
    private,
    public,
    say,
)
from games.base import RoundGame
from games.catalogue import wording_of
from games.dice import Dice
from games.shared import ranking
from games.shared.phrases import counted, first_place
from games.words import Words
from games.wort_yahtzee.laying import dice_text, judged, spaced, why
from games.wort_yahtzee.moves import read_move, write
from games.wort_yahtzee.rules import (
    OPTIONS,
    ROLLS,
    ROUNDS,
    WORDS,
    YAHTZEE,
    Entry,
    Move,
    Player,
    State,
    Word,
    doubtful,
    faces_of,
    points,
    resample,
    standings,
    values_of,
)
from games.wort_yahtzee.suggest import suggest_lines
from games.wort_yahtzee.view import EXAMPLE, show


class WortYahtzee(RoundGame[State, Move, SignUp]):
    """One to twelve seats, eight rounds, seven dice with letters, three rolls a round."""

    rules = Rules(
        key="wort-yahtzee", title="Wort-Yahtzee", seats=(1, 12), version=2, compatible=(1,), rounds=ROUNDS,
        profile=WORDS.name, profiles=(WORDS,), options=OPTIONS, example=EXAMPLE,
    )  # fmt: skip
    wording = wording_of("games.wort_yahtzee", "common", "rounds")
    state_type = State
    move_type = Move
    entry_type = SignUp

    def begin(self, entries: Mapping[Seat, SignUp | None], options: Mapping[str, Any], dice: Dice) -> Resolution[State]:
        """Open round 1 with a roll for everybody. Raises SetupError for options that can't be."""
        faces = faces_of(options)
        values = values_of(options, faces)
        players = tuple(Player(seat=seat).rolled(faces, dice) for seat in entries)
        state = State(any_order=bool(options["any_order"]), faces=faces, values=values, players=players)
        return Resolution(state=state)

    def stand(self, state: State, seat: Seat) -> int:
        """Every roll of a seat is a position of its own."""
        return state.stand(seat)

    def read(self, state: State, seat: Seat, block: MoveBlock, words: Words, own: Move | None = None) -> Sheet[Move]:  # noqa: ARG002
        """Understand a block; it says all of a move."""
        return read_move(state, state.player(seat), block, words)

    def write(self, state: State, seat: Seat, move: Move) -> tuple[str, ...]:
        """Write a move below the roll that it is for."""
        return write(state, state.player(seat), move)

    def act(self, state: State, seat: Seat, move: Move, dice: Dice, words: Words) -> Resolution[State] | None:  # noqa: ARG002
        """Roll at once, for the eyes of that seat only; a score waits for the closing. A roll is never repeated."""
        if move.keep is None:
            return None
        player = state.player(seat)
        if state.over or move.roll != len(player.rolls) or move.roll >= ROLLS:
            return Resolution(state=state)
        after = player.rolled(state.faces, dice, move.keep)
        players = tuple(after if one.seat == seat else one for one in state.players)
        kept = dice_text("".join(player.dice[at] for at in move.keep))
        text = say("ROLLED", roll=len(after.rolls), dice=spaced(after.dice), kept=kept)
        return Resolution(state=replace(state, players=players), events=private(seat, text))

    def close(self, state: State, moves: Mapping[Seat, Move], dice: Dice, words: Words) -> Resolution[State]:
        """Write the cards, judge all words again, and roll for everybody."""
        written = tuple(_written(state, player, moves.get(player.seat)) for player in state.players)
        closed = self.judge_again(replace(state, players=written), words)
        news = tuple(text for player in closed.players for text in _news(state, player))
        if state.round == ROUNDS:
            ended = replace(closed, over=True)
            return Resolution(state=ended, events=public(*news, *first_place(self.result(ended))))
        players = tuple(player.rolled(state.faces, dice) for player in closed.players)
        return Resolution(state=replace(closed, round=state.round + 1, players=players), events=public(*news))

    def judge_again(self, state: State, words: Words) -> State:
        """Judge all words of all cards: a ruling corrects them, whenever it comes."""
        return replace(state, players=tuple(_judged_again(player, state, words) for player in state.players))

    def result(self, state: State) -> Outcome:
        """Rank the seats; doubtful words count nothing until the GM has ruled."""
        ranked = standings(state)
        waiting = () if state.is_cut_short else doubtful(word for _, _, word in state.words())
        return Outcome(standings=ranked, winners=ranking.leaders(ranked, state.given_up), doubtful=waiting)

    def view(self, state: State, viewer: Viewer, own: Move | None = None) -> View:
        """Show the position."""
        return show(state, viewer, own)

    def resample(self, state: State, viewer: Viewer, dice: Dice) -> State:
        """Roll other dice."""
        return resample(state, viewer, dice)

    def suggest(self, state: State, seat: Seat, dice: Dice, words: Words) -> tuple[str, ...]:
        """Make the lines of a block."""
        return suggest_lines(state, seat, dice, words)


def _written(state: State, player: Player, move: Move | None) -> Player:
    """Write a round on a seat's card. Without a score, the box of the round, or the lowest open one, gets a zero."""
    if move is None or move.keep is not None or move.roll != len(player.rolls):
        zero, *_ = state.open(player)
        entry = Entry(roll=len(player.rolls), zero=zero, round=state.round, dice=player.dice, nmr=True)
    else:
        entry = Entry(**vars(move), round=state.round, dice=player.dice)
    return replace(player, card=(*player.card, entry), rolls=(), kept=())


def _judged_again(player: Player, state: State, words: Words) -> Player:
    card = tuple(
        replace(entry, words=tuple(judged(word.laid, state.values, words) for word in entry.words))
        for entry in player.card
    )
    return replace(player, card=card)


def _news(state: State, after: Player) -> Iterator[Text]:
    """Report what the cards don't show at once: NMR, Yahtzee words, and words that were ruled on."""
    seat, before = after.seat, state.player(after.seat).card
    *_, entry = after.card
    if entry.nmr and seat not in state.given_up:
        yield say("NMR", seat=seat, in_round=entry.round, box=entry.zero)
    worth = points(entry, after.card[:-1])
    if entry.box == YAHTZEE and worth:
        yield say("YAHTZEE", seat=seat, word=entry.words[0].laid, points=counted(worth))
    for old, new in zip(before, after.card, strict=False):
        pairs = zip(old.words, new.words, strict=True)
        yield from (_ruled(seat, word) for earlier, word in pairs if earlier.status != word.status)


def _ruled(seat: Seat, word: Word) -> Text:
    if word.status == "accepted":
        return say("COUNTS_NOW", seat=seat, word=word.laid)
    if word.status == "refused":
        return say("STRUCK_NOW", seat=seat, word=word.laid, reason=why(word))
    return say("DOUBTFUL_NOW", seat=seat, word=word.laid)


ENGINE = WortYahtzee()
