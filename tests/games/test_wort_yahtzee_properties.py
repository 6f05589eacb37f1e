"""Wort-Yahtzee: properties against independent definitions, the scripted player, and our own word list."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations
from statistics import median

import pytest
from cpu_cost import work_units_each
from hypothesis import given, settings
from hypothesis import strategies as st

from games.api import MoveBlock, Seat
from games.dice import Dice
from games.kit.testkit import COMMON_WORDS, NASTY, WordSet, block
from games.wort_yahtzee import ENGINE
from games.wort_yahtzee.laying import judged, lay
from games.wort_yahtzee.rules import NUMBERED, Entry, Player, State, Word, card_of, open_points
from games.wort_yahtzee.suggest import index_of
from gm.lexicon.lexicon import Judge, Lexicon

ANNA = Seat(1)
START = ENGINE.start({ANNA: None}, {}, Dice("start", 0)).state
ROLLS = st.tuples(*(st.sampled_from(die) for die in START.faces)).map("".join)
RICH = WordSet(COMMON_WORDS)
WORTH = "A1 B4 C4 D3 E1 F3 G4 H3 I1 J6 K4 L2 M3 N2 O1 P4 Q9 R2 S2 T3 U1 V6 W6 X9 Y9 Z6 Ä6 Ö8 Ü6"
POINTS = {pair[0]: pair[1:] for pair in WORTH.split()}


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    """Our own list."""
    return Lexicon.load()


def at(dice: str, *, rolls: int = 3, number: int = 1, any_order: bool = False) -> State:
    player = Player(seat=ANNA, rolls=("BBBBBBB",) * (rolls - 1) + (dice,))
    return replace(START, round=number, any_order=any_order, players=(player,))


@given(ROLLS, st.data())
def test_value_is_the_sum_of_the_dice_laid(dice: str, data: st.DataObject) -> None:
    """A word is worth its letters, the diamond nothing: added up letter by letter from the table."""
    chosen = data.draw(st.lists(st.integers(0, 6), min_size=2, max_size=7, unique=True))
    faces = [dice[place] for place in chosen]
    laid = "".join("N*" if face == "*" else face for face in faces)
    assert judged(laid, START.values, RICH).value == sum(int(POINTS[face]) for face in faces if face != "*")


LETTERS = st.builds(str.__add__, st.sampled_from("AEIOUNRSTÄÖÜ"), st.sampled_from(["", "", "", "*"]))


@given(ROLLS, st.lists(st.lists(LETTERS, min_size=1, max_size=5).map("".join), min_size=1, max_size=3))
def test_no_die_serves_twice(dice: str, words: list[str]) -> None:
    """What can be laid uses no letter and no diamond more often than it was rolled, and keeps the words' letters."""
    way, _ = lay("+".join(words), dice, START.values, RICH)
    used = Counter(re.sub(r".\*", "*", way.text).replace("+", ""))
    assert way.lacking or not used - Counter(dice)
    assert _flat(way.text) == _flat("+".join(words))


def _flat(text: str) -> str:
    return text.replace("*", "").replace("Ä", "AE").replace("Ö", "OE").replace("Ü", "UE")


@given(ROLLS, st.permutations(range(7)), st.integers(2, 7))
def test_whatever_lies_there_can_be_laid(dice: str, order: list[int], length: int) -> None:
    """Any dice in any order can be laid, with the diamond as any letter."""
    word = "".join("X*" if dice[place] == "*" else dice[place] for place in order[:length])
    assert not lay(word, dice, START.values, RICH)[0].lacking


WORD = st.builds(
    Word, laid=st.just("X"), value=st.integers(0, 98), status=st.sampled_from(["accepted", "doubtful", "refused"])
)


@st.composite
def cards(draw: st.DrawFn) -> tuple[Entry, ...]:
    """A whole card: each round a numbered box with words or with a zero, now and then for a special box."""
    specials = draw(st.permutations(["konsonanten", "vokale", "chance", "yahtzee", "yahtzee", "", "", ""]))
    entries: list[Entry] = []
    for number, (box, special) in enumerate(zip(draw(st.permutations(NUMBERED)), specials, strict=True), 1):
        words = tuple(draw(st.lists(WORD, min_size=1, max_size=1 if special == "yahtzee" else 3)))
        is_alike = special in ("konsonanten", "vokale")
        if special:
            entries.append(Entry(round=number, roll=1, box=special, zero=box, words=() if is_alike else words))
        else:
            entries.append(Entry(round=number, roll=1, box=box, words=words))
    return tuple(entries)


@given(cards())
def test_cards_add_up(entries: tuple[Entry, ...]) -> None:
    """The sum is the boxes and the bonus, counted here in another way; open points are never negative."""
    total = upper = sevens = 0
    for entry in entries:
        good = [word.value for word in entry.words if word.status == "accepted"]
        if entry.box in ("konsonanten", "vokale"):
            total += 25
        elif entry.box == "yahtzee":
            sevens += len(good)
        elif entry.box == "chance":
            total += sum(good)
        elif len(good) == len(entry.words):
            total += sum(good)
            upper += sum(good) if entry.box in NUMBERED[:5] else 0
    total += (35 if upper >= 36 else 0) + (50 if sevens else 0) + 100 * max(sevens - 1, 0)
    card = card_of(entries)
    assert card.total == total == card.upper + card.bonus + card.lower + card.hundreds
    assert total == sum(card.boxes.values()) + card.bonus
    assert open_points(entries) >= 0
    assert set(NUMBERED) <= set(card.boxes)


@given(ROLLS, st.text(NASTY + "AEIOUNRST* behalte werte streiche R123/+\n", max_size=60))
def test_nothing_that_is_sent_breaks_the_reader(dice: str, text: str) -> None:
    """Any text is a sheet: a move or reasons, never both, never an exception."""
    for head in ("", "behalte ", "werte ", "werte chance ", "streiche "):
        sheet = ENGINE.read(at(dice, rolls=1), ANNA, MoveBlock(lines=tuple((head + text).splitlines())), RICH)
        assert not (sheet.problems and sheet.move)


@given(ROLLS, st.data())
def test_kept_dice_stay(dice: str, data: st.DataObject) -> None:
    """What is kept lies there after the roll, and each other die shows one of its own faces."""
    chosen = data.draw(st.lists(st.integers(0, 6), max_size=6, unique=True))
    faces = [dice[place] for place in chosen]
    sheet = ENGINE.read(at(dice, rolls=1), ANNA, block(f"behalte {' '.join(faces) or 'nichts'}"), RICH)
    assert sheet.move
    assert sheet.move.keep is not None
    assert sorted(dice[place] for place in sheet.move.keep) == sorted(faces)
    after = ENGINE.act(at(dice, rolls=1), ANNA, sheet.move, Dice("seed", 1), RICH)
    assert after
    lies = after.state.players[0].dice
    assert all(lies[place] == dice[place] for place in sheet.move.keep)
    assert all(face in die for face, die in zip(lies, START.faces, strict=True))


@settings(max_examples=40)
@given(ROLLS, st.sampled_from([2, 3, 4]))
def test_best_word_is_the_best(dice: str, length: int) -> None:
    """At the last roll the scripted player lays a word of the highest value that any order of the dice allows."""
    words = [word for word in COMMON_WORDS if len(word) == length]
    found = [_worth(word, dice) for word in words]
    best = max((worth for worth in found if worth is not None), default=None)
    position = at(dice, number=length - 1)
    line = ENGINE.suggest(position, ANNA, Dice("x", 1), WordSet(words))[-1]
    sheet = ENGINE.read(position, ANNA, block(line), WordSet(words))
    assert sheet.move
    assert (sum(word.value for word in sheet.move.words) if sheet.move.box else None) == best


def _worth(word: str, dice: str) -> int | None:
    """Try the diamond for every letter, and for none."""
    worths = []
    for place in [*(range(len(word)) if "*" in dice else ()), None]:
        rest = "".join(letter for at, letter in enumerate(word) if at != place)
        if not Counter(rest) - Counter(dice.replace("*", "")):
            worths.append(sum(int(POINTS[letter]) for letter in rest))
    return max(worths, default=None)


# The scripted player


def test_player_takes_special_boxes() -> None:
    """A seven-letter word and seven alike are taken when they lie there."""
    words = WordSet(["SENATOR"])
    assert ENGINE.suggest(at("OSRAETN"), ANNA, Dice("x", 1), words)[-1] == "werte yahtzee SENATOR"
    for any_order, behind in ((False, ""), (True, " / R1")):
        position = at("WBRCPTV", rolls=1, any_order=any_order)
        assert ENGINE.suggest(position, ANNA, Dice("x", 1), words)[-1] == f"werte konsonanten{behind}"
    assert ENGINE.suggest(at("OEÄAIEU", rolls=2), ANNA, Dice("x", 1), words)[-1] == "werte vokale"


def test_player_takes_the_chance_and_strikes_at_last() -> None:
    """Without a word for the box: Chance if it may still be used, else a zero, in the least valuable open box."""
    words = WordSet(["ROST"])
    lines = {rolls: ENGINE.suggest(at("OSRBBTB", rolls=rolls), ANNA, Dice("x", 1), words)[-1] for rolls in (2, 3)}
    assert lines == {2: "werte chance ROST", 3: "streiche"}
    assert ENGINE.suggest(at("BBBBBBB", any_order=True), ANNA, Dice("x", 1), words)[-1] == "streiche R1"


def _rolls_of(lexicon: Lexicon, dice: str, number: int) -> str:
    return ENGINE.suggest(at(dice, rolls=1, number=number), ANNA, Dice("x", 1), lexicon)[-1]


@pytest.mark.trust
def test_player_rolls_for_more(lexicon: Lexicon) -> None:
    """A poor roll keeps the word that is there, or useful letters, and rolls the rest."""
    assert _rolls_of(lexicon, "QXQVVVY", 5) == "behalte Q"
    assert _rolls_of(lexicon, "ENVVVVQ", 5) == "behalte E N"
    kept = _rolls_of(lexicon, "TEEQQQQ", 2)
    assert kept == "behalte T E E"


# Our own list


def test_own_list_and_umlauts(lexicon: Lexicon) -> None:
    """Rulings 1.14 with the real list: GLÜCK with Ü, QUELLE with U and E, GLUECK and QÜLLE refused, ß is SS."""
    accepted = {"GLÜCK": 4, "QUELLE": 5, "STRASSE": 6, "MÜSLI": 4, "ÖL": 1, "DUELL": 4}
    refused = {"GLUECK": 5, "QÜLLE": 4, "MUESLI": 5, "DÜLL": 3}
    for words, is_good in ((accepted, True), (refused, False)):
        for word, number in words.items():
            sheet = ENGINE.read(at(word.ljust(7, "V"), number=number), ANNA, block(f"werte {word}"), lexicon)
            assert (sheet.move is not None) == is_good, word


def test_index_finds_what_the_list_has(lexicon: Lexicon) -> None:
    """Words are found by their letters, under every way to lay them; a ruling more doesn't build it anew."""
    index = index_of(lexicon)
    assert "GLÜCK" in index["".join(sorted("GLÜCK"))]
    assert "SENATOR" in index["".join(sorted("SENATOR"))]
    assert index_of(Judge(lexicon, {"OHRABT": lexicon.check("OB", "yahtzee")})) is index


def test_player_is_quick_and_legal(lexicon: Lexicon) -> None:
    """With 590,000 words a whole game of twelve is legal, and half of all moves take less than 20 ms."""
    for any_order in (False, True):
        assert median(work_units_each(_game(lexicon, any_order))) < 10


def _game(words: Lexicon, any_order: bool) -> Iterator[State]:
    state = ENGINE.start({Seat(n): None for n in range(1, 7)}, {"any_order": any_order}, Dice("game", 0)).state
    index_of(words)
    turn = 0
    while ENGINE.due(state):
        moves = {}
        for seat in sorted(ENGINE.due(state)):
            while seat not in moves:
                turn += 1
                lines = ENGINE.suggest(state, seat, Dice("player", turn), words)
                yield state
                sheet = ENGINE.read(state, seat, MoveBlock(lines=lines), words)
                assert sheet.move, (lines, sheet)
                if acted := ENGINE.act(state, seat, sheet.move, Dice("game", turn), words):
                    state = acted.state
                else:
                    moves[seat] = sheet.move
        turn += 1
        state = ENGINE.resolve(state, moves, Dice("game", turn), words).state


def test_index_holds_every_order() -> None:
    """Each permutation of a word's letters leads to the word."""
    index = index_of(WordSet(["TOR", "ROT", "ORT"]))
    assert all(set(index["".join(sorted(order))]) == {"ORT", "ROT", "TOR"} for order in permutations("ROT"))
