"""Understanding a block: the sheet of a turn, and what is offered instead of a wrong one."""

from collections.abc import Iterator
from dataclasses import replace

from games.api import MoveBlock, Seat, Sheet, Text, say
from games.notation import shown
from games.plane import cell_name, picture, run_at
from games.wer_behaelt_recht.building import Judge
from games.wer_behaelt_recht.picture import plain, side_text, sign_of
from games.wer_behaelt_recht.reading import Orders, read_orders
from games.wer_behaelt_recht.state import Laying, Move, State
from games.wer_behaelt_recht.trial import Trial, sides_of, try_move
from games.words import Words


def read_move(state: State, seat: Seat, block: MoveBlock, words: Words) -> Sheet[Move]:
    """Understand a block of a seat."""
    orders, judge = read_orders(block), judge_of(state, words)
    if orders.is_empty and not orders.rounds:
        return Sheet()
    problems = (*_not_asked(state, seat), *_other_turn(state, orders))
    trial = try_move(state, seat, orders.move, judge)
    problems = (*problems, *orders.problems, *trial.problems)
    if problems:
        offer = () if _not_asked(state, seat) else _offer(state, seat, orders.move, judge)
        return Sheet(problems=problems, remarks=trial.remarks, offer=offer)
    if orders.is_empty:
        return Sheet()
    move = _settled(state, orders.move)
    return Sheet(
        move=move,
        remarks=trial.remarks,
        doubtful=trial.doubtful,
        summary=_summary(state, move, trial),
        grids=(picture(trial.board, trial.new),) if trial.new else (),
    )


def judge_of(state: State, words: Words) -> Judge:
    """Judge words by the agreement of this game."""
    return lambda word: words.check(word, state.profile)


def _not_asked(state: State, seat: Seat) -> tuple[Text, ...]:
    if state.over:
        return (say("ENDED"),)
    return () if seat == state.on_turn else (say("NOT_ON_TURN", seat=state.on_turn),)


def _other_turn(state: State, orders: Orders) -> tuple[Text, ...]:
    return tuple(
        say("TURN_OTHER", sent=shown(value), turn=state.turn)
        for value in orders.rounds
        if value.strip().strip(".").lstrip("0") != str(state.turn)
    )


def _settled(state: State, move: Move) -> Move:
    """Write down what a block left open: the side of a new word, and that a known word is no announcement."""
    laying, premium = move.laying, move.premium
    if laying and laying.cell and not laying.side:
        run = run_at(state.board, laying.cell, laying.direction or "w")
        laying = replace(laying, side=sides_of(laying, run.word)[0])
    if laying and state.open and laying.word == state.open.word:
        laying = replace(laying, word="")
    return replace(move, laying=laying, premium=replace(premium, word="") if premium else None)


def _offer(state: State, seat: Seat, move: Move, judge: Judge) -> tuple[str, ...]:
    """Give the nearest block that is legal as it stands, if there is one."""
    for other in _nearest(move):
        trial = try_move(state, seat, other, judge)
        if other != Move() and not trial.problems and not trial.doubtful:
            return written(_settled(state, other))
    return ()


def _nearest(move: Move) -> Iterator[Move]:
    """Go through what was probably meant: as read, without what isn't allowed, the other side, a joker.

    Nothing comes in that wasn't sent: a purchase can't be taken back, and a tile without its word serves another's.
    """
    yield move
    bare = replace(move, premium=None, passes=False)
    yield bare
    yield replace(bare, buys="")
    if move.laying:
        lays = [replace(move.laying, joker=not move.laying.joker)]
        lays += [
            replace(move.laying, side=side) for side in ("front", "back") if not move.laying.begins or move.laying.cell
        ]
        for laying in lays:
            yield replace(bare, laying=laying)
            yield replace(bare, laying=laying, buys="")


def written(move: Move) -> tuple[str, ...]:
    """Write a move as the lines of a block."""
    colours = {"any": "kaufen", "red": "kaufen rot", "black": "kaufen schwarz"}
    return (
        *(f"Jolly {cell_name(exchange.spot)} = {exchange.letter}" for exchange in move.exchanges),
        *([colours[move.buys]] if move.buys else []),
        *(written_laying(laying) for laying in (move.laying, move.premium) if laying),
        *(["weiter"] if move.passes else []),
    )


def written_laying(laying: Laying) -> str:
    """Write a tile as a line of a block: `hinten E TIER`, `neu Z26 s vorn W WIND`."""
    side = {"front": "vorn", "back": "hinten", "": ""}[laying.side]
    tile = sign_of(laying)
    if laying.cell:
        parts = ["neu", cell_name(laying.cell), laying.direction or "", side, tile, laying.word]
    elif laying.begins:
        parts = ["mitte", "s" if laying.direction == "s" else "", tile, laying.word]
    else:
        parts = [side, tile, laying.word]
    return " ".join(part for part in parts if part)


def _summary(state: State, move: Move, trial: Trial) -> tuple[tuple[Text, Text], ...]:
    pairs = [(say("LABEL_EXCHANGE"), plain(f"{cell_name(e.spot)} {e.letter}")) for e in move.exchanges]
    if move.buys:
        pairs.append((say("LABEL_BUY"), say(f"BUY_{move.buys.upper()}")))
    pairs += [
        (say("LABEL_TILE" if laying == move.laying else "LABEL_PREMIUM"), _tile_text(laying))
        for laying in (move.laying, move.premium)
        if laying
    ]
    if trial.finished:
        pairs.append((say("LABEL_FINISHED"), plain(trial.finished.word)))
    elif trial.open and move.laying:
        owner = say("OWN_WORD") if trial.open.owner == state.on_turn else say("SEAT", seat=trial.open.owner)
        pairs.append((say("LABEL_WORD"), say("WORD_OF", word=trial.open.word, owner=owner)))
        pairs.append((say("LABEL_FRAGMENT"), plain(trial.open.run(trial.board).word)))
    if move.passes:
        pairs.append((say("LABEL_MOVE"), say("PASSING")))
    return tuple(pairs)


def _tile_text(laying: Laying) -> Text:
    return (
        say("TILE_SIDE", tile=sign_of(laying), side=side_text(laying.side)) if laying.side else plain(sign_of(laying))
    )
