"""Wort-Yahtzee: seven letter dice, three rolls, eight rounds; boxes in order, or by option in any order."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from games.api import (
    Engine,
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
from games.catalogue import wording_of
from games.dice import Dice
from games.errors import SetupError
from games.shared.phrases import counted, last_in_play
from games.words import Words
from games.wort_yahtzee.laying import dice_text, spaced, why
from games.wort_yahtzee.moves import board, entry_of, judged, read_move, read_sign_up
from games.wort_yahtzee.rules import (
    OPTIONS,
    PROFILE,
    ROLLS,
    ROUNDS,
    SEATS,
    WORDS,
    YAHTZEE,
    Entry,
    Move,
    Player,
    State,
    Word,
    card_of,
    faces_of,
    points,
    resample,
    roll,
    standings,
    values_of,
    winners,
)
from games.wort_yahtzee.suggest import suggest_lines
from games.wort_yahtzee.view import EXAMPLE, show


class WortYahtzee(Engine[State, Move, SignUp]):
    """One to twelve seats, eight rounds, seven dice with letters, three rolls a round."""

    rules = Rules(
        key="wort-yahtzee", title="Wort-Yahtzee", seats=SEATS, version=2, compatible=(1,), rounds=ROUNDS,
        profile=PROFILE, profiles=(WORDS,), options=OPTIONS, example=EXAMPLE,
    )  # fmt: skip
    wording = wording_of("games.wort_yahtzee", "common", "rounds")
    state_type = State
    move_type = Move
    entry_type = SignUp

    def enrol(self, block: MoveBlock, options: Mapping[str, Any]) -> Sheet[SignUp]:  # noqa: ARG002
        """Take a sign-up: it brings nothing."""
        return read_sign_up(block)

    def start(self, entries: Mapping[Seat, SignUp | None], options: Mapping[str, Any], dice: Dice) -> Resolution[State]:
        """Open round 1 with a roll for everybody. Raises SetupError for seats or options that can't be."""
        if not SEATS[0] <= len(entries) <= SEATS[1]:
            raise SetupError(say("SETUP_PLAYERS", fewest=SEATS[0], most=SEATS[1], number=len(entries)))
        chosen = {**OPTIONS, **options}
        faces = faces_of(chosen)
        state = State(
            any_order=bool(chosen["any_order"]),
            faces=faces,
            values=values_of(chosen, faces),
            players=tuple(Player(seat=Seat(seat)) for seat in sorted(entries)),
        )
        return Resolution(state=_rolled(state, dice))

    def due(self, state: State) -> frozenset[Seat]:
        """All seats, until the end."""
        return frozenset() if state.over else frozenset(player.seat for player in state.players)

    def round(self, state: State) -> int:
        """Return which round it is."""
        return state.round

    def stand(self, state: State, seat: Seat) -> int:
        """Every roll of a seat is a position of its own."""
        return state.stand(seat)

    def read(self, state: State, seat: Seat, block: MoveBlock, words: Words, own: Move | None = None) -> Sheet[Move]:  # noqa: ARG002
        """Understand a block; it never leaves anything out that could stay."""
        return read_move(state, seat, block, words)

    def act(self, state: State, seat: Seat, move: Move, dice: Dice, words: Words) -> Resolution[State] | None:  # noqa: ARG002
        """Roll at once, for the eyes of that seat only; a score waits for the closing. A roll is never repeated."""
        player = state.player(seat)
        if move.keep is None:
            return None
        if state.over or player is None or move.roll != len(player.rolls) or move.roll >= ROLLS:
            return Resolution(state=state)
        lies = roll(state.faces, player.dice, move.keep, dice)
        after = replace(player, rolls=(*player.rolls, lies), kept=move.keep)
        kept = dice_text("".join(player.dice[at] for at in move.keep))
        text = say("ROLLED", roll=len(after.rolls), dice=spaced(lies), kept=kept)
        return Resolution(
            state=_with(state, after),
            events=private(seat, text),
        )

    def resolve(self, state: State, moves: Mapping[Seat, Move], dice: Dice, words: Words) -> Resolution[State]:
        """Close the round: cards are written, all words judged again, and everybody gets a new roll."""
        if state.over:
            return Resolution(state=state)
        written = tuple(_written(state, player, moves.get(player.seat)) for player in state.players)
        closed = self.judge_again(replace(state, players=written), words)
        news = tuple(text for player in closed.players for text in _news(state, player))
        if state.round == ROUNDS:
            ended = replace(closed, over=True)
            return Resolution(state=ended, events=public(*news, *_ending(ended)))
        return Resolution(state=_rolled(replace(closed, round=state.round + 1), dice), events=public(*news))

    def judge_again(self, state: State, words: Words) -> State:
        """Judge all words of all cards again."""
        return replace(state, players=tuple(_judged_again(player, state, words) for player in state.players))

    def give_up(self, state: State, seats: frozenset[Seat]) -> State:
        """Mark exactly these seats."""
        return replace(state, given_up=tuple(sorted(seats)))

    def resign(self, state: State, seat: Seat, dice: Dice) -> Resolution[State]:  # noqa: ARG002
        """Leave the seat on the table; until a standby comes it is NMR. The last one in play has won."""
        if state.over or seat not in state.playing:
            return Resolution(state=state)
        left = self.give_up(state, frozenset({*state.given_up, seat}))
        if len(left.playing) > 1:
            return Resolution(state=left, events=public(say("RESIGNED", seat=seat)))
        events = public(say("RESIGNED_LAST", seat=seat), *last_in_play(left.playing))
        return Resolution(state=replace(left, over=True), events=events)

    def outcome(self, state: State) -> Outcome | None:
        """Rank the seats; doubtful words count nothing until the GM has ruled."""
        if not state.over:
            return None
        doubtful = () if state.is_cut_short else _doubtful(state)
        return Outcome(standings=standings(state), winners=winners(state), doubtful=doubtful)

    def view(self, state: State, viewer: Viewer, own: Move | None = None) -> View:
        """Show the position."""
        return show(state, viewer, own)

    def resample(self, state: State, viewer: Viewer, dice: Dice) -> State:
        """Roll other dice."""
        return resample(state, viewer, dice)

    def suggest(self, state: State, seat: Seat, dice: Dice, words: Words) -> tuple[str, ...]:
        """Make the lines of a block."""
        return suggest_lines(state, seat, dice, words)


def _with(state: State, changed: Player) -> State:
    players = tuple(changed if player.seat == changed.seat else player for player in state.players)
    return replace(state, players=players)


def _rolled(state: State, dice: Dice) -> State:
    """Roll all dice for everybody."""
    players = tuple(replace(player, rolls=(roll(state.faces, "", (), dice),), kept=()) for player in state.players)
    return replace(state, players=players)


def _written(state: State, player: Player, move: Move | None) -> Player:
    """Write a round on a seat's card. Without a score, the box of the round, or the lowest open one, gets a zero."""
    if move is None or move.keep is not None or move.roll != len(player.rolls):
        box = player.open[0] if state.any_order else state.box
        entry = Entry(round=state.round, dice=player.dice, rolls=len(player.rolls), zero=box, nmr=True)
    else:
        entry = entry_of(state, player, move)
    return replace(player, card=(*player.card, entry), rolls=(), kept=())


def _judged_again(player: Player, state: State, words: Words) -> Player:
    """Judge all words of a card: a ruling corrects it, whenever it comes."""
    card = tuple(
        replace(entry, words=tuple(judged(word.laid, state, words) for word in entry.words)) for entry in player.card
    )
    return replace(player, card=card)


def _news(state: State, after: Player) -> tuple[Text, ...]:
    """Report what the cards don't show at once: NMR, Yahtzee words, and words that were ruled on."""
    before = state.player(after.seat)
    texts: list[Text] = []
    *_, entry = after.card
    if entry.nmr and after.seat not in state.given_up:
        texts.append(say("NMR", seat=after.seat, in_round=entry.round, box=entry.zero))
    worth = points(after.card, len(after.card) - 1)
    if entry.box == YAHTZEE and worth:
        texts.append(say("YAHTZEE", seat=after.seat, word=entry.words[0].laid, points=counted(worth)))
    earlier = before.card if before else ()
    pairs = zip(earlier, after.card, strict=False)
    ruled = (pair for old, new in pairs for pair in zip(old.words, new.words, strict=True))
    texts += [_ruled(after.seat, new) for old, new in ruled if old.status != new.status]
    return tuple(texts)


def _ruled(seat: Seat, word: Word) -> Text:
    if word.status == "accepted":
        return say("COUNTS_NOW", seat=seat, word=word.laid)
    if word.status == "refused":
        return say("STRUCK_NOW", seat=seat, word=word.laid, reason=why(word))
    return say("DOUBTFUL_NOW", seat=seat, word=word.laid)


def _doubtful(state: State) -> tuple[str, ...]:
    words = (word for player in state.players for entry in player.card for word in entry.words)
    return tuple(sorted({board(word) for word in words if word.status == "doubtful"}))


def _ending(state: State) -> tuple[Text, ...]:
    first = (player for player in state.players if player.seat in winners(state))
    return tuple(say("FIRST", seat=player.seat, points=counted(card_of(player.card).total)) for player in first)


ENGINE = WortYahtzee()
