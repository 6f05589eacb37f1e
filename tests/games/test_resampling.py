"""What a resampled position keeps, and what it may hold: the rules still allow it, and each way is drawn."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from games import engines
from games.api import SPECTATOR, Seat, Viewer
from games.combinato.rules import Row, count
from games.combinato.rules import State as Secrets
from games.crossword.rules import SEATS as CROSSWORD_SEATS
from games.crossword.wordlist import read_list
from games.dice import Dice
from games.farbdomino.board import TILES as DOMINOES
from games.farbdomino.board import Laid
from games.farbdomino.rules import can_lay
from games.kit.testkit import Contract, play, started, viewers_of
from games.presto.rules import Deal, Finish
from games.shared.plane import BLANK, Spot, runs
from games.shared.tiles import JOKERS, RED_JOKER, begins, count_colours, in_order, tile_of, worth
from games.suggestions import suggested
from games.typ_dom.rules import Turn

TILE_GAMES = ("point-typ-dom", "presto", "typ-dom", "wer-behaelt-recht")
ONE, TWO, THREE = Seat(1), Seat(2), Seat(3)


def drawn(key: str, state: Any, viewer: Viewer, number: int = 20) -> list[Any]:
    """Resample a position so often."""
    return [engines()[key].resample(state, viewer, Dice("drawn", at)) for at in range(number)]


def positions(key: str) -> Iterator[Any]:
    """Open positions of a random game, every fifth of them."""
    steps = list(play(Contract(engine=engines()[key]), "positions", 0.3))
    yield from (step.after.state for step in steps[::5] if engines()[key].due(step.after.state))


@pytest.mark.parametrize("key", TILE_GAMES)
def test_tiles_are_dealt_anew_by_their_backs(key: str) -> None:
    """No tile is lost or doubled, a viewer's own stay, and every rack shows as many red and black backs as before."""
    for state in positions(key):
        for viewer in viewers_of(Contract(engine=engines()[key])):
            for other in drawn(key, state, viewer, 3):
                deals = (state.now, other.now) if key == "presto" else (state, other)
                hidden = (state.now.rest, other.now.rest) if key == "presto" else (state.bag, other.bag)
                before, after = ("".join((*one.racks, left)) for one, left in zip(deals, hidden, strict=True))
                assert in_order(before) == in_order(after)
                backs = [[*map(count_colours, deal.racks)] for deal in deals]
                assert backs[0] == backs[1]
                assert viewer == SPECTATOR or state.rack(viewer) == other.rack(viewer)


@pytest.mark.parametrize("key", ["typ-dom", "wer-behaelt-recht"])
def test_the_rack_that_begins_still_has_to(key: str) -> None:
    """Before the first move all know whose letter is nearest to Z."""
    state = started(Contract(engine=engines()[key])).state
    for viewer in (SPECTATOR, ONE, TWO):
        assert {begins(other.racks) for other in drawn(key, state, viewer)} == {begins(state.racks)}


def test_a_bag_is_in_any_order() -> None:
    """The next tile of the bag is another one each time, red or black."""
    state = started(Contract(engine=engines()["typ-dom"])).state
    assert {count_colours(other.bag[0])[0] for other in drawn("typ-dom", state, ONE)} == {0, 1}


def test_a_joker_that_was_taken_from_the_board_stays() -> None:
    """Everybody has seen who took it; a joker that was drawn may be anywhere."""
    state = started(Contract(engine=engines()["typ-dom"])).state
    pool = in_order("".join((*state.racks, state.bag)).replace(RED_JOKER, "", 1))
    racks = (RED_JOKER + pool[:4], *(pool[4 + 5 * at : 9 + 5 * at] for at in range(4)))
    rows = ("A" + state.board[0][1:], *state.board[1:])
    state = replace(state, racks=racks, bag=pool[24:], board=rows)
    laid = Turn(seat=TWO, round=1, number=1, cells=(Spot(0, 0),))
    seen = replace(state, turns=(laid, Turn(seat=ONE, round=1, number=2, cells=(Spot(0, 0),))))
    assert all(RED_JOKER in other.rack(ONE) for other in drawn("typ-dom", seen, TWO))
    unseen = replace(state, turns=(laid,))
    assert not all(RED_JOKER in other.rack(ONE) for other in drawn("typ-dom", unseen, TWO))


def test_who_is_out_keeps_its_jokers() -> None:
    """Wer behält recht: a seat that dropped out has paid what its rack is worth, so that the worth is known."""
    for state in positions("wer-behaelt-recht"):
        for seat in state.out:
            worths = {worth(other.rack(seat)) for other in drawn("wer-behaelt-recht", state, SPECTATOR)}
            assert worths == {worth(state.rack(seat))}
    (fresh, *_) = positions("wer-behaelt-recht")
    joker = next(seat for seat in fresh.seats if {*fresh.rack(seat)} & {*JOKERS})
    state = replace(fresh, step=2, out=(joker,))
    assert {worth(other.rack(joker)) for other in drawn("wer-behaelt-recht", state, SPECTATOR)} == {
        worth(state.rack(joker))
    }


def test_dominoes_are_dealt_anew() -> None:
    """Hands are as large as before, each tile is there once, and who is on turn can lay."""
    for state in positions("farbdomino"):
        for viewer in (SPECTATOR, ONE, THREE):
            for other in drawn("farbdomino", state, viewer, 5):
                hands = [player.hand for player in other.players]
                assert [*map(len, hands)] == [len(player.hand) for player in state.players]
                lying = [laid.tile for laid in other.board]
                assert sorted((*other.stock, *lying, *(tile for hand in hands for tile in hand))) == sorted(DOMINOES)
                assert can_lay(other, other.player(other.on_turn))


def test_who_has_passed_still_cant_lay() -> None:
    """Farbdomino: after a pass everybody knows that nothing in that hand fits."""
    state = started(Contract(engine=engines()["farbdomino"])).state
    board = (Laid(tile="a1", x=0, y=0, up="gn"),)
    hands = (("b1", "b2", "b3"), ("c1", "c2", "c3"), ("a2", "d1", "d2"))
    players = tuple(replace(player, hand=hand) for player, hand in zip(state.players, hands, strict=False))
    stock = tuple(tile for tile in DOMINOES if tile not in {"a1", *(tile for hand in hands for tile in hand)})
    state = replace(state, players=players, board=board, stock=stock, on_turn=THREE, passes=1)
    can = [can_lay(state, player) for player in state.players]
    for other in drawn("farbdomino", state, ONE):
        assert can_lay(other, other.player(THREE))
        assert can_lay(other, other.player(TWO)) == can[1]
    assert len({other.player(TWO).hand for other in drawn("farbdomino", state, ONE)}) > 1


def test_other_secrets_agree_with_all_answers() -> None:
    """Combinato: another secret would have been answered for alike; nobody has laid its own, and they differ."""
    for key in ("combinato", "combinato-zahlen"):
        for state in positions(key):
            for other in drawn(key, state, SPECTATOR) if state.round else ():
                first, second = other.secrets
                assert first != second
                assert all(count(second, row.word) == (row.full, row.part) for row in state.rows[0])
                assert all(count(first, row.word) == (row.full, row.part) for row in state.rows[1])
                assert first not in [row.word for row in state.rows[0]]
            for other in drawn(key, state, ONE):
                assert other.secrets[0] == state.secrets[0]


def test_each_possible_secret_is_drawn() -> None:
    """All numbers that agree with the answers come about equally often."""
    rows = (Row(round=1, word="0123", full=2, part=1), Row(round=2, word="0145", full=2, part=0))
    state = Secrets(round=3, secrets=("9876", "0127"), rows=(rows, ()))
    state = replace(state, rows=(tuple(_answered(row, "0127") for row in rows), ()))
    found = Counter(other.secrets[1] for other in drawn("combinato-zahlen", state, ONE, 2000))
    assert len(found) > 5
    assert min(found.values()) * 2 > max(found.values())


def _answered(row: Row, secret: str) -> Row:
    full, part = count(secret, row.word)
    return replace(row, full=full, part=part)


def test_secrets_that_were_sent_back_are_known_to_both() -> None:
    """Equal secrets were both seats' own; who only watches doesn't know them."""
    state = Secrets(returned=("BILD",))
    assert {other.returned for other in drawn("combinato", state, ONE)} == {("BILD",)}
    assert len({other.returned for other in drawn("combinato", state, SPECTATOR)}) > 1


def test_other_lists_are_of_what_lies() -> None:
    """Crossword: another list names words that lie in its grid, or there is none; a seat's own stays."""
    state = max(positions("crossword"), key=lambda state: state.round)
    state = replace(state, lists=(("ar 1",), *state.lists[1:]))
    others = drawn("crossword", state, ONE)
    assert {other.lists[0] for other in others} == {("ar 1",)}
    assert {bool(other.lists[1]) for other in others} == {True, False}
    for other in others:
        for seat in CROSSWORD_SEATS[1:]:
            lists = read_list(other.lists[seat - 1])
            assert not lists.unread
            lines = ["".join(row) for row in (*state.grids[seat - 1], *zip(*state.grids[seat - 1], strict=True))]
            across = [word for entry in lists.entries for word in entry.words if any(word in line for line in lines)]
            assert bool(across) == bool(other.lists[seat - 1])


GRID = ("WIND", "I...", "e...", "SAND")


def with_grid() -> Any:
    """A race in which seat 2 has finished a deal that is over, and this one."""
    state = started(Contract(engine=engines()["presto"])).state
    rack = in_order("".join(tile_of(sign) for row in GRID for sign in row if sign != BLANK))
    racks = (state.now.racks[0], rack, *state.now.racks[2:])
    finish = Finish(seat=TWO, grid=GRID, points=4)
    deal = Deal(racks=racks, rest=state.now.rest, finishes=(finish,))
    return replace(state, now=deal, before=(deal,))


def test_a_finished_grid_shows_its_tiles() -> None:
    """Presto: whose grid was shown, has its tiles; what nobody saw in a deal that is over is dealt anew."""
    state = with_grid()
    others = drawn("presto", state, ONE)
    assert {other.past[0].racks[:2] for other in others} == {state.now.racks[:2]}
    assert {other.past[0].finishes for other in others} == {state.past[0].finishes}
    assert len({other.past[0].racks[2] for other in others}) > 1
    assert len({other.past[0].rest for other in others}) > 1


def test_a_hidden_grid_lies_another_way() -> None:
    """A grid of this deal may lie across, its joker on another cell with the same letter; its words are the same."""
    state = with_grid()
    others = drawn("presto", state, ONE)
    grids = {other.now.finishes[0].grid for other in others}
    assert len(grids) > 1
    for rows in grids:
        assert sorted(run.word for run in runs(rows)) == sorted(run.word for run in runs(GRID))
        assert in_order("".join(tile_of(sign) for row in rows for sign in row if sign != BLANK)) == state.rack(TWO)
    assert {other.now.finishes for other in drawn("presto", state, TWO)} == {state.now.finishes}


def test_others_may_have_rolled_any_number_of_times() -> None:
    """Wort-Yahtzee: nobody sees how often another has rolled; dice that were kept lie as before."""
    state = started(Contract(engine=engines()["wort-yahtzee"])).state
    others = drawn("wort-yahtzee", state, ONE, 40)
    assert {len(other.players[1].rolls) for other in others} == {1, 2, 3}
    assert {other.players[0] for other in others} == {state.players[0]}
    for player in (player for other in others for player in other.players if len(player.rolls) > 1):
        *_, before, now = player.rolls
        assert all(before[at] == now[at] for at in player.kept)
    gone = replace(state, given_up=(TWO,))
    assert {len(other.players[1].rolls) for other in drawn("wort-yahtzee", gone, ONE)} == {1}


@pytest.mark.parametrize("key", engines())
def test_nothing_is_hidden_after_the_end(key: str) -> None:
    """A game that is over is resampled as it is."""
    *_, last = play(Contract(engine=engines()[key]), "over", 0.5)
    assert drawn(key, last.after.state, SPECTATOR, 2) == [last.after.state] * 2


def test_suggestions_see_a_resampled_position() -> None:
    """What is suggested to a seat is made from a position in which only what it knows is as it is."""
    seen: list[Any] = []

    class Spy(type(engines()["typ-dom"])):  # type: ignore[misc]
        def suggest(self, state: Any, *arguments: Any) -> tuple[str, ...]:
            seen.append(state)
            return tuple(super().suggest(state, *arguments))

    contract = Contract(engine=Spy(**vars(engines()["typ-dom"])))
    state = started(contract).state
    lines = suggested(contract.engine, state, state.on_turn, Dice("spy", 1), contract.words)
    assert lines == contract.engine.suggest(state, state.on_turn, Dice("spy", 1), contract.words)
    assert seen[0] != state
    assert seen[0].rack(state.on_turn) == state.rack(state.on_turn)
