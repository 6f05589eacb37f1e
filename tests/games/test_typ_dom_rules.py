"""Typ-Dom by its rule text (seed 000, 1 Kreuzwort-Spiel) and by the rulings."""

from dataclasses import replace
from typing import Any

import pytest
from cpu_cost import work_units
from hypothesis import given, settings
from hypothesis import strategies as st

from games.api import ALL, EVERYONE, SPECTATOR, Resolution, Seat, Sheet
from games.dice import Dice
from games.errors import SetupError
from games.kit.testkit import Contract, WordSet, block, drawn, play, same_for_others, worded
from games.shared.plane import EMPTY, Rows, Spot, lay, occupied, sign_at, spot_named
from games.shared.tiles import TILES, colour, count_colours, tile_of
from games.typ_dom import ENGINE
from games.typ_dom.rules import Move, State
from games.words import Verdict

DICE = Dice("seed", 1)
"""How codes begin that are put together."""
ANNA, BEN, CLEO = Seat(1), Seat(2), Seat(3)
WORDS = WordSet(
    ["EIS", "REISE", "ROT", "TOR", "TIER", "AS", "WORT", "WORTE", "RE", "TAL", "EI", "ES"],
    {"LE": "UNLISTED", "RWAS": "REFUSED", "STERN": "RULED", "GEHST": "FINITE_VERB", "MEIER": "FAMILY_NAME"},
)
RACKS = ("EISORAAXBCDFG", "REETISALUNMHK", "OTAEIUBCDFGLM")


def board(first: str, *rows: str) -> Rows:
    """Lay rows of signs, the first sign in the named cell."""
    corner = spot_named(first)
    assert corner
    signs = {
        Spot(corner.row + r, corner.column + c): sign
        for r, row in enumerate(rows)
        for c, sign in enumerate(row)
        if sign != "."
    }
    return lay(EMPTY, signs)


def state(rows: Rows = EMPTY, racks: Any = RACKS, seat: Seat = ANNA, bag: str = "AEBC", **more: Any) -> State:
    seats = tuple(Seat(number) for number in range(1, len(racks) + 1))
    fixed = {"seats": seats, "profile": "typdom", "starter": ANNA, "on_turn": seat, "racks": tuple(racks), "bag": bag}
    return State(board=rows, **fixed, **more)


def read(text: str, position: State, words: WordSet = WORDS) -> Sheet[Move]:
    return ENGINE.read(position, position.on_turn, block(text), words)


def acted(text: str, position: State, words: WordSet = WORDS) -> Resolution[State]:
    sheet = read(text, position, words)
    assert sheet.move, said(sheet.problems)
    assert not sheet.doubtful, sheet.doubtful
    result = ENGINE.act(position, position.on_turn, sheet.move, DICE, words)
    assert result
    return result


def after(text: str, position: State, words: WordSet = WORDS) -> State:
    return acted(text, position, words).state


def said(texts: Any, language: Any = "de") -> list[str]:
    return [worded(ENGINE, text, language) for text in texts]


def heard(result: Resolution[State], seat: Seat | None = None) -> list[str]:
    readers: Any = frozenset({seat}) if seat else EVERYONE
    return said([event.text for event in result.events if event.readers == readers])


def problems(text: str, position: State) -> list[str]:
    sheet = read(text, position)
    assert sheet.move is None
    return said(sheet.problems)


def window(position: State, first: str, height: int, width: int) -> list[str]:
    corner = spot_named(first)
    assert corner
    return [
        "".join(sign_at(position.board, Spot(corner.row + r, corner.column + c)) for c in range(width))
        for r in range(height)
    ]


def payments(position: State) -> tuple[int | None, ...]:
    points = {line.seat: line.points for line in ENGINE.result(position).standings}
    return tuple(points[seat] for seat in position.seats)


def started(seats: int = 3, **options: Any) -> Resolution[State]:
    return ENGINE.start({Seat(n): None for n in range(1, seats + 1)}, options, Dice("start", 0))


REISE = board("Y26", "REISE")
FOUR = board("Y26", "REISE", "O....", "TOR..")
"""The position of the acceptance example before Ben's turn 5."""


# The paragraphs of the rule text


def test_contents_50_black_and_30_red_tiles() -> None:
    """Inhalt: 50 black tiles, 30 red ones, a joker of each colour; the table of letters."""
    assert count_colours(TILES) == (30, 50)
    assert {letter: TILES.count(letter) for letter in "AEINQXY"} == {
        "A": 7, "E": 9, "I": 4, "N": 6, "Q": 1, "X": 1, "Y": 1
    }  # fmt: skip


@pytest.mark.parametrize("seats", [2, 5])
def test_deal_two_to_five_with_five_red_and_eight_black(seats: int) -> None:
    """ "2 bis 5 Spieler": everybody draws five red and eight black tiles; the rest stays in the bag."""
    position = started(seats).state
    assert [count_colours(rack) for rack in position.racks] == [(5, 8)] * seats
    assert sorted("".join(position.racks) + position.bag) == sorted(TILES)
    assert ENGINE.rules.seats == (2, 5)


def test_deal_is_secret_and_the_starter_is_named() -> None:
    """Tiles can't be seen by the others: each seat hears its own, everybody who begins, but not the letter."""
    result = started()
    assert [heard(result, seat)[0].startswith("Deine neuen Steine: rot") for seat in (ANNA, BEN, CLEO)] == [True] * 3
    assert heard(result)[-1] == f"Wilhelmine B{result.state.starter} beginnt."
    assert len(heard(result)) == 2


@pytest.mark.parametrize(
    ("racks", "starter"), [(("AX", "BZ", "CY"), 1), (("ZA", "ZB", "ZB"), 1), (("Z", "Z#*", "A"), 0), (("*#", "A"), 1)]
)
def test_the_letter_nearest_to_z_begins(racks: tuple[str, ...], starter: int) -> None:
    """ "am nächsten dem Z": ties by the next letter, then by the order of the deal; jokers left out."""
    from games.shared.tiles import begins

    assert begins(racks) == starter


def test_first_word_covers_the_centre() -> None:
    """ "in der Mitte des Tisches": the first word covers Z26; the offer moves it there."""
    sheet = read("AB26 w EIS", state())
    assert said(sheet.problems) == ["EIS: Das erste Wort muss über Z26 gehen."]
    assert sheet.offer == ("Z26 w EIS",)
    assert read("X26 w EIS", state()).move


def test_first_word_has_two_letters_or_more() -> None:
    """Rulings 2: two letters or more."""
    assert "Ein Wort hat mindestens zwei Buchstaben." in problems("Z26 w E", state())


def test_starter_may_buy_and_the_next_seat_opens() -> None:
    """Rulings 2: the starter may buy; the next seat opens, over the centre as well."""
    bought = after("kaufen", state())
    assert (bought.on_turn, bought.board) == (BEN, EMPTY)
    assert read("Z26 w REISE", bought).move


def test_words_share_a_letter_with_what_lies() -> None:
    """ "mindestens einen Buchstaben gemeinsam": touching at the side isn't enough, lying apart neither."""
    assert problems("C3 w EIS", state(REISE)) == ["EIS hat mit dem, was liegt, keinen Buchstaben gemeinsam."]
    assert any("keinen Buchstaben gemeinsam" in said for said in problems("Z25 s A", state(board("Z26", "S"))))


def test_figure_4_wherever_tiles_touch_there_is_a_word() -> None:
    """Abb. 4: a run that makes no sense is refused, with its cells and the reason."""
    sheet = read("Y26 s Re", state(board("Y26", ".WAS", "E..."), ("RA", "B", "C")))
    assert said(sheet.problems) == ["Y26-AB26 ergibt RWAS: kein gültiges Wort."]


def test_refused_cross_run_is_named() -> None:
    """Abb. 4 and the acceptance example: AC25-AC26 makes LE; AS in AB25-AB26 is fine."""
    position = after("AA25 s TiEr\nkaufen", replace(state(FOUR), on_turn=BEN))
    assert position.on_turn == CLEO
    sheet = read("AA25 s TiEr\nAA25 w tAL", replace(state(FOUR), on_turn=BEN))
    assert said(sheet.problems) == ["AC25-AC26 ergibt LE: steht in keiner Wörterliste."]
    assert sheet.offer == ("AA25 s TiEr", "kaufen")
    assert said(sheet.remarks) == [
        "Der Block unten legt nur das erste Wort. Ohne zweites Wort kaufst du einen Stein; auch das steht darin."
    ]


@pytest.mark.parametrize("second", ["AC26 s e1S", "AA25 w tQL", "AA25 tAL", "und noch TAL"])
def test_a_faulty_second_word_buys_nothing_in_silence(second: str) -> None:
    """Rulings 2, Typ-Dom: the whole block is refused; what is offered instead names the purchase."""
    sheet = read(f"AA25 s TiEr\n{second}", replace(state(FOUR), on_turn=BEN))
    assert sheet.move is None
    assert sheet.offer == ("AA25 s TiEr", "kaufen")
    assert "kaufst du einen Stein" in said(sheet.remarks)[0]


def test_figure_5_joining_words_gives_a_second_one() -> None:
    """Abb. 5: who joins two or more words lays a second word; acceptance example, turn 5."""
    result = acted("AA25 s TiEr\nAC26 s eIS", replace(state(FOUR), on_turn=BEN))
    assert window(result.state, "Y25", 4, 5) == ["..T..", "REISE", "O.E.I", "TOR.S"]
    assert heard(result) == ["Wilhelmine B2 legt TIER und EIS."]
    assert result.state.bag == "AEBC"


def test_second_word_missing_buys_a_tile() -> None:
    """ "Dies gilt auch für den Fall, daß er ein zweites Wort ansetzen dürfte": one tile is bought."""
    sheet = read("AA25 s TiEr", replace(state(FOUR), on_turn=BEN))
    assert said(sheet.remarks) == [
        "Dein Wort verbindet zwei Stücke. Ein zweites Wort kommt nicht, also kaufst du einen Stein."
    ]
    result = acted("AA25 s TiEr", replace(state(FOUR), on_turn=BEN))
    assert heard(result) == ["Wilhelmine B2 legt TIER.", "Wilhelmine B2 kauft einen roten Stein."]
    assert heard(result, BEN) == ["Deine neuen Steine: rot A."]


def test_second_word_missing_with_an_empty_bag() -> None:
    """From an empty bag nothing can be bought; the word stands."""
    result = acted("AA25 s TiEr", replace(state(FOUR, bag=""), on_turn=BEN))
    assert heard(result) == ["Wilhelmine B2 legt TIER."]


def test_second_word_missing_with_a_chosen_colour() -> None:
    """Rulings 2: a line `kaufen schwarz` chooses the colour of the automatic purchase."""
    position = after("AA25 s TiEr\nkaufen schwarz", replace(state(FOUR), on_turn=BEN))
    assert position.bag == "AEC"


def test_no_purchase_when_the_first_word_ends_the_game() -> None:
    """ "Als Ausnahme gilt nur der Fall, daß ... keine Steine mehr hat": no purchase, the game is over."""
    result = acted("AA25 s TiEr", replace(state(FOUR, ("AA", "TE", "BC")), on_turn=BEN))
    assert result.state.over
    assert result.state.rack(BEN) == ""
    assert result.state.bag == "AEBC"


def test_no_second_word_without_the_right() -> None:
    """Rulings 2: along the word's own line there must be two stretches; contacts across give no right."""
    sheet = read("Y26 s rOT\nY28 w tOR", replace(state(REISE), racks=("OTOR", "B", "C")))
    assert said(sheet.problems) == [
        "TOR: Ein zweites Wort darf nur, wer mit dem ersten mindestens zwei getrennte Stücke verbindet."
    ]
    assert sheet.offer == ("Y26 s rOT",)


def test_second_word_gives_no_third() -> None:
    """Rulings 2: there is no third word."""
    text = "AA25 s TiEr\nAC26 s eIS\nY25 w AA"
    assert "AA: Ein drittes Wort gibt es nicht." in problems(text, replace(state(FOUR), on_turn=BEN))


def test_extension_over_two_stretches_gives_the_right() -> None:
    """Rulings 2: an extension on one stretch gives no right, one on two stretches does."""
    lies = board("Z26", "EI.EIS")
    words = WordSet(["EISEIS", "EI", "EIS", "REIS", "EISEISES"])
    two = read("Z26 w eiSeis", state(lies, ("SX", "B", "C")), words)
    assert "zweites Wort" in said(two.remarks)[0]
    one = read("Y26 w Reis", state(board("Z26", "EIS"), ("RX", "B", "C")), words)
    assert not one.remarks


def test_jokers_red_for_vowels_black_for_consonants() -> None:
    """ "der rote Stein nur für einen Selbstlaut"; Y is red; figure 7: SPIEL with a joker as E."""
    words = WordSet(["SPIEL"])
    laid = after("Z26 w SPIE*L", state(EMPTY, ("SPILA*", "B", "C")), words)
    assert window(laid, "Z26", 1, 5) == ["SPIeL"]
    sheet = read("Z26 w SPIE*L", state(EMPTY, ("SPILA#", "B", "C")), words)
    assert said(sheet.problems)[0].startswith("AC26: Für E hast du keinen passenden Joker")
    assert read("Z26 w S*PIEL", state(EMPTY, ("PIELA#", "B", "C")), words).move


def test_joker_exchange_before_a_word() -> None:
    """ "gegen den dargestellten Buchstaben ausgetauscht": the joker is free to be laid in the same turn."""
    lies = board("Y26", "REIsE")
    result = acted("Jolly AB26 = S\nAC26 s eIS*", state(lies, ("SIEA", "B", "C")))
    assert window(result.state, "Y26", 3, 5) == ["REISE", "....I", "....s"]
    assert heard(result)[0] == "Wilhelmine B1 nimmt den Joker von AB26 und legt dafür S."


def test_joker_exchange_after_a_word_and_before_a_purchase() -> None:
    """Rulings 2: before, between or after the words, also in a turn that then buys; the joker may be kept."""
    lies = board("Y26", "REIsE")
    assert after("AC26 s eIS\nJolly AB26 = S", state(lies, ("SSIEA", "B", "C"))).rack(ANNA) == "AE#"
    assert "#" in after("Jolly AB26 = S\nkaufen", state(lies, ("SIEA", "B", "C"))).rack(ANNA)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("Jolly Z27 = E", "Z27: Dort liegt kein Joker."),
        ("Jolly Z26 = A", "Z26: Der Joker steht für E, nicht für A."),
        ("Jolly AA30 = E", "AA30: Dort liegt kein Joker."),
    ],
)
def test_joker_exchange_refused(line: str, problem: str) -> None:
    """Rulings 1.1: only a joker, for its own letter."""
    assert problem in problems(f"{line}\nkaufen", state(board("Y26", "ReISE")))


def test_joker_built_in_on_three_sides_stays() -> None:
    """ "an drei Seiten noch nicht verbaut": with three neighbours it stays (rulings 1.1); with two it goes."""
    three = board("Y25", ".A.", "ReI", "...")
    assert "verbaut" in problems("Jolly Z26 = E\nkaufen", state(three))[0]
    assert read("Jolly Z26 = E\nkaufen", state(board("Y26", "ReI"))).move


def test_joker_is_taken_with_a_real_tile_only() -> None:
    """Rulings 2: never with the other joker."""
    position = state(board("Y26", "ReI"), ("*A", "B", "C"))
    assert problems("Jolly Z26 = E\nkaufen", position)[0].startswith("Z26: Ein E hast du nicht")


def test_extending_a_word_and_plurals() -> None:
    """ "Begriff ... verändern": EIS to REISE; plurals: WORT to WORTE."""
    assert window(after("Y26 w ReisE", state(board("Z26", "EIS"), ("REA", "B", "C"))), "Y26", 1, 5) == ["REISE"]
    assert after("Z26 w wortE", state(board("Z26", "WORT"), ("EA", "B", "C")))


def test_buying_ends_the_turn() -> None:
    """ "so muß er einen Stein kaufen und darf nicht ansetzen": one tile, and the turn is over."""
    result = acted("kaufen", state(REISE))
    assert heard(result) == ["Wilhelmine B1 kauft einen roten Stein."]
    assert heard(result, ANNA) == ["Deine neuen Steine: rot A."]
    assert result.state.on_turn == BEN
    assert "gehört in die letzte Zeile" in problems("kaufen\nY26 s rOT", state(REISE))[0]


@pytest.mark.parametrize(("line", "bag"), [("kaufen rot", "EBC"), ("kaufen schwarz", "AEC"), ("Kaufen!", "EBC")])
def test_buying_a_colour(line: str, bag: str) -> None:
    """`kaufen rot`, `kaufen schwarz`, also with an exclamation mark (rulings 3.7)."""
    assert after(line, state(REISE)).bag == bag


def test_buying_a_colour_that_is_used_up() -> None:
    """Rulings 2: the other colour instead, with a remark."""
    sheet = read("kaufen rot", state(REISE, bag="BC"))
    assert said(sheet.remarks) == [
        "So viele Steine dieser Farbe sind nicht mehr im Beutel; du kaufst einen schwarzen Stein."
    ]
    assert after("kaufen rot", state(REISE, bag="BC")).bag == "C"


def test_buying_from_an_empty_bag_is_a_pass() -> None:
    """Rulings 2: nothing left, the turn passes; `passe` is only for that."""
    sheet = read("kaufen", state(REISE, bag=""))
    assert said(sheet.remarks) == ["Der Beutel ist leer: Du passt."]
    assert heard(acted("passe", state(REISE, bag=""))) == ["Wilhelmine B1 passt."]
    refused = read("passe", state(REISE))
    assert said(refused.problems) == [
        "Solange noch Steine im Beutel sind, kaufst du (»kaufen«); passen kannst du erst danach."
    ]
    assert refused.offer == ()


def test_only_one_tile_is_bought() -> None:
    """Rulings 3.10: one tile in Typ-Dom; the offer has one."""
    sheet = read("kaufen 2 rot", state(REISE))
    assert said(sheet.problems) == ["Du willst 2 Steine kaufen, erlaubt sind höchstens 1."]
    assert sheet.offer == ("kaufen rot",)


def test_nmr_buys_a_tile() -> None:
    """NMR: one tile is bought."""
    result = ENGINE.resolve(state(REISE), {}, DICE, WORDS)
    assert heard(result) == ["Wilhelmine B1 hat nicht gezogen (NMR) und kauft einen roten Stein."]
    assert (result.state.on_turn, result.state.turn) == (BEN, 2)


def test_end_of_the_acceptance_example() -> None:
    """Section 4: Cleo lays her last tile; Anna holds E S and a joker, Ben F K L V: +18, -14, -4."""
    position = state(board("Z26", "EI"), ("ES*", "FKLV", "S"), seat=CLEO)
    result = acted("Z26 w eiS", position)
    assert [(s.seat, s.points, s.rank) for s in ENGINE.outcome(result.state).standings] == [
        (CLEO, 18, 1), (BEN, -4, 2), (ANNA, -14, 3)
    ]  # fmt: skip
    assert heard(result)[-1] == (
        "Die Partie ist zu Ende: Wilhelmine B3 18 Punkte, Wilhelmine B2 -4 Punkte, Wilhelmine B1 -14 Punkte."
    )


def test_oracle_of_the_text() -> None:
    """Musterpartie: B and a joker 11, FKLV 4, AAUYBJM 15; the fourth player gets 30 (shown +30, -11, -4, -15)."""
    over = state(racks=("B*", "FKLV", "AAUYBJM", ""), over=True, first_out=Seat(4))
    assert payments(over) == (-11, -4, -15, 30)
    table = ENGINE.view(over, SPECTATOR).sections[0].table
    assert table
    assert [row[-1] for row in table.rows] == ["+30", "-4", "-11", "-15"]


@pytest.mark.parametrize(
    ("word", "reason"),
    [("GEHST", "nur als gebeugte Verbform"), ("MEIER", "Familienname"), ("STERN", "vom GM gestrichen")],
)
def test_words_that_are_refused(word: str, reason: str) -> None:
    """ "keine Firmen-, Marken- oder Familiennamen", verbs in the infinitive only: refused with the reason."""
    assert reason in problems(f"Z26 w {word}", state(EMPTY, (word, "B", "C")))[0]


def test_unknown_word_is_doubtful_not_wrong() -> None:
    """A word that nobody knows waits for the GM; the move is good."""
    sheet = read("Z26 w XAS", state(EMPTY, ("XASB", "B", "C")))
    assert sheet.doubtful == ("XAS",)
    assert sheet.move


def test_reason_with_a_note_of_the_gm() -> None:
    """What the GM noted is told; a reason that nobody knows is just refused."""

    class Strict(WordSet):
        def check(self, word: str, profile: str) -> Verdict:  # noqa: ARG002
            return Verdict("refused", "STRANGE", note="Hausregel")

    assert said(read("Z26 w EIS", state(), Strict()).problems) == [
        "Z26-AB26 ergibt EIS: kein gültiges Wort (Hausregel)."
    ]


def test_the_agreed_words_are_asked_for() -> None:
    """ "Vereinbarungen über die zu verwendenden Worte": option `words` names the profile."""
    asked = []

    class Asked(WordSet):
        def check(self, word: str, profile: str) -> Verdict:  # noqa: ARG002
            asked.append(profile)
            return Verdict("accepted")

    read("Z26 w EIS", replace(started(words="nouns").state, on_turn=ANNA, racks=RACKS), Asked())
    assert asked == ["nouns"]
    with pytest.raises(SetupError, match=r"SETUP_OPTION.*words.*typdom, duden, nouns"):
        started(words="alle")


# The acceptance example and the notation


def test_acceptance_example() -> None:
    """Section 4: five turns of Anna, Ben and Cleo."""
    position = state()
    for line in ("Z26 w EIS", "Y26 w ReisE", "Y26 s rOT", "Y28 w tOR"):
        position = after(line, position)
    position = after("AA25 s TiEr\nAC26 s eIS", position)
    assert window(position, "Y25", 4, 5) == ["..T..", "REISE", "O.E.I", "TOR.S"]
    assert position.turn == 6
    assert worded(ENGINE, ENGINE.view(position, SPECTATOR).headline, "de") == "Wilhelmine B2 legt TIER und EIS"


@pytest.mark.parametrize(
    "line",
    [
        "Y26 s rOT", "y26 s rot", "Y 26 S ROT", "Y26 senkrecht rOT", "Y26: s: rOT.", "Y26 down rOT", "Y26s rOT",
        "y26 s r O T", "ROT senkrecht ab Y26", "rOT ab Y26 senkrecht", "Ich lege ROT s Y 26.", "rot, down from Y26",
    ],
)  # fmt: skip
def test_writings_of_a_word(line: str) -> None:
    """Rulings 3.8 and 3.9: cells and directions in many ways, case is only a checksum."""
    move = read(line, state(REISE, ("OTAE", "B", "C"))).move
    assert move == read("Y26 s rOT", state(REISE, ("OTAE", "B", "C"))).move


def test_case_that_disagrees_is_remarked() -> None:
    """Rulings 3.9: telephones write `Y26 s Rot`."""
    assert said(read("Y26 s Rot", state(REISE, ("OTAE", "B", "C"))).remarks) == [
        "Neu, aber klein geschrieben: Y27, Y28. Ich nehme sie als neu gelegt.",
        "Groß geschrieben, obwohl sie schon liegen: Y26. Das schadet nicht.",
    ]


def test_small_letter_on_a_blank_cell_without_the_tile() -> None:
    """Rulings 3.9: refused where a small letter meets a blank cell and the rack doesn't hold it."""
    assert problems("Y26 s rot", state(REISE, ("OA", "B", "C"))) == [
        "Y28: Du schreibst T klein, dort liegt aber nichts, und auf der Hand hast du es nicht: rot A O."
    ]


def test_capital_on_another_tile() -> None:
    """Rulings 3.9: refused where a capital meets another tile."""
    assert problems("Y26 s TOT", state(REISE)) == ["Y26: Dort liegt R, du schickst T."]


def test_star_on_a_lying_tile_is_remarked() -> None:
    """A star where a common tile lies does no harm."""
    sheet = read("Y26 s r*OT", state(REISE, ("OTAE", "B", "C")))
    assert said(sheet.remarks) == ["Mit Stern geschrieben, obwohl dort kein Joker liegt: Y26."]


def test_missing_tile_with_a_joker_is_offered_as_joker() -> None:
    """A letter that lacks is refused; with the right joker the offer has it."""
    sheet = read("Y26 s rOT", state(REISE, ("O#E", "B", "C")))
    assert said(sheet.problems) == ["Y28: Ein T hast du nicht (mehr); du hast rot E O, schwarz *."]
    assert sheet.offer == ("Y26 s rOT*",)


def test_whole_run_must_be_written() -> None:
    """A word that goes on is refused; the whole run is offered, and, as it joins two stretches, the purchase."""
    sheet = read("Y26 w ReisE", state(board("Z26", "EIS.S"), ("REA", "B", "C")), WordSet(["REISES"]))
    assert said(sheet.problems) == ["REISE stößt an weitere Steine: Y26-AD26 ergibt REISES. Schreib das ganze Wort."]
    assert sheet.offer == ("Y26 w ReisEs", "kaufen")


def test_word_over_the_edge() -> None:
    """Rulings 2: a word over the edge is refused."""
    assert problems("AX26 w EIS", state()) == ["EIS ragt über den Rand: Das Brett geht von A1 bis AY51."]


def test_word_without_a_new_tile() -> None:
    """Rulings 2: at least one new tile."""
    assert problems("Y26 w reise", state(REISE)) == [
        "REISE liegt schon da; ein Wort braucht mindestens einen neuen Stein."
    ]


def test_all_faults_at_once() -> None:
    """Every fault is named, each with its cell, and nothing counts."""
    found = problems("Hallo\nAA25 s TiEr\nAA25 w tQL\nJolly A1 = E", replace(state(FOUR), on_turn=BEN))
    assert len(found) == 4
    assert found[0].startswith("»Hallo« verstehe ich nicht.")


def test_unread_line_is_refused_with_the_rest_offered() -> None:
    """A turn has its effect at once: what isn't understood is asked about, not skipped."""
    assert read("Z26 w EIS\nGruß Anna", state()).offer == ("Z26 w EIS",)
    assert read("Z26 w E1S", state()).offer == ()


def test_purchase_beside_a_word() -> None:
    """Rulings 3.10: a purchase is no addition to a word without the right to a second one."""
    sheet = read("Z26 w EIS\nkaufen", state())
    assert said(sheet.problems) == ["Du legst ein Wort oder kaufst, beides zugleich geht nicht."]
    assert sheet.offer == ("Z26 w EIS",)
    assert read("Z26 w EIS\npasse", state()).offer == ("Z26 w EIS",)


def test_exchange_alone_is_no_turn() -> None:
    """After an exchange a word or a purchase follows, with an empty bag a pass; neither is chosen for the player."""
    lies = board("Y26", "REIsE")
    sheet = read("Jolly AB26 = S", state(lies, ("SIEA", "B", "C")))
    assert "fehlt noch ein Wort" in said(sheet.problems)[0]
    assert sheet.offer == read("Jolly AB26 = S", state(lies, ("SIEA", "B", "C"), bag="")).offer == ()


def test_nothing_entered_is_no_move() -> None:
    """Rulings 3.14: the block as we sent it (or only naming the game) is no move and no fault."""
    assert read("", state()) == Sheet()
    assert read("Partie: Eriwan\nRunde: 1", state()) == Sheet()


def test_late_block_for_another_turn() -> None:
    """Rulings 3.17: a block for another round is refused."""
    assert "gespielt wird Zug 1" in problems("Runde: 7\nZ26 w EIS", state())[0]


def test_seat_that_is_not_on_turn() -> None:
    """Rulings 2: a block without `Vorab` of a seat that is not on turn is answered with who is."""
    sheet = ENGINE.read(state(), BEN, block("Z26 w EIS"), WORDS)
    assert said(sheet.problems) == ["Du bist nicht am Zug, sondern Wilhelmine B1."]
    over = state(over=True, first_out=ANNA)
    assert said(ENGINE.read(over, ANNA, block("kaufen"), WORDS).problems) == ["Die Partie ist zu Ende."]
    assert ENGINE.act(state(), BEN, Move(), DICE, WORDS) == Resolution(state=state())


@pytest.mark.parametrize("line", ["kaufen grün", "kaufen 1 2", "kaufen 0", "Z26 x EIS", "BA60 w EIS", "Z26 w ***"])
def test_lines_that_are_not_understood(line: str) -> None:
    """What can't be read is said to be unread, never guessed."""
    assert problems(line, state())[0].startswith(f"»{line}« verstehe ich nicht")


@pytest.mark.parametrize(
    "line",
    [
        "Z26 → w EIS", "Z26: w: EIS", "Z26 = w = EIS", "Z26 ..... w ..... EIS", "Z26 – w – EIS", "»Z26 w EIS«",
        "- Z26 w. EIS.", "EIS → w ab Z26", "Lege EIS, waagerecht, ab Z26!",
    ],
)  # fmt: skip
def test_what_people_put_between_the_parts_of_a_word_line(line: str) -> None:
    """Arrows, colons, dots, dashes, commas and quotation marks are no part of a word."""
    assert read(line, state()).move == read("Z26 w EIS", state()).move


@pytest.mark.parametrize(
    "line", ["kaufen: rot", "kaufe → rot", "kaufen = einen roten Stein", "ich kaufe 1 rt.", "Kauf – rot"]
)
def test_what_people_write_for_a_purchase(line: str) -> None:
    """A colour may be short or long, behind any sign."""
    assert read(line, state()).move == Move(wishes=("red",))


def test_a_sign_that_no_game_knows_is_named() -> None:
    """Who sees the line can't always see which sign of it is wrong."""
    assert problems("Z26 w E|S", state())[0].startswith("»Z26 w E|S« verstehe ich nicht")
    assert problems("Z26 w E~S", state())[0].endswith("Das Zeichen »~« lese ich nicht.")


def test_closing_carries_out_a_move_on_file() -> None:
    """A move that waits is carried out when the turn is closed; nothing happens after the end."""
    move = read("Z26 w EIS", state()).move
    assert move
    assert ENGINE.resolve(state(), {ANNA: move}, DICE, WORDS).state == after("Z26 w EIS", state())
    over = state(over=True, first_out=ANNA)
    assert ENGINE.resolve(over, {}, DICE, WORDS) == Resolution(state=over)


# How a game ends without anybody being out


def test_all_pass_and_the_fewest_win() -> None:
    """House rule of rulings 1.6: bag empty, all pass in a row: the fewest points win and are paid."""
    position = state(REISE, ("AB", "B", "*"), bag="")
    for _ in range(3):
        assert ENGINE.outcome(position) is None
        position = after("passe", position)
    assert payments(position) == (-4, 14, -10)
    assert "hält am wenigsten" in said(ENGINE.view(position, SPECTATOR).sections[0].lines)[1]


def test_equal_fewest_nobody_wins() -> None:
    """Rulings 1.6: equal fewest: nobody wins or pays, and the rematch counts double."""
    over = state(racks=("B", "C", "AA"), bag="", over=True)
    assert payments(over) == (0, 0, 0)
    assert [standing.rank for standing in ENGINE.outcome(over).standings] == [1, 1, 1]
    assert ENGINE.outcome(over).winners == ()
    assert "zählt doppelt" in said(ENGINE.view(over, SPECTATOR).sections[0].lines)[1]


def test_stake_multiplies() -> None:
    """Option `stake` (1, 2, 4): a rematch counts double."""
    over = state(racks=("", "B", "*"), over=True, first_out=ANNA, stake=4)
    assert payments(over) == (44, -4, -40)
    assert started(stake=2).state.stake == 2
    with pytest.raises(SetupError, match="stake"):
        started(stake=3)


# Seats


def test_resigned_seat_is_skipped_and_still_pays() -> None:
    """Rulings 2: a seat that resigned is skipped; its rack is out of play and still counts for the winner."""
    result = ENGINE.resign(state(REISE), ANNA, DICE)
    assert result.state.on_turn == BEN
    assert heard(result) == [
        "Wilhelmine B1 scheidet aus. Diese Steine legt niemand mehr, am Ende zählen sie noch: 5 rot, 8 schwarz."
    ]
    assert after("kaufen", after("kaufen", result.state)).on_turn == BEN
    over = replace(result.state, over=True, first_out=BEN, racks=("*", "", "B"))
    assert payments(over) == (-10, 11, -1)
    outcome = ENGINE.outcome(over)
    assert outcome
    assert (outcome.winners, [line.seat for line in outcome.standings]) == ((BEN,), [BEN, CLEO, ANNA])
    assert ENGINE.resign(result.state, ANNA, DICE) == Resolution(state=result.state)


def test_resigning_out_of_turn_leaves_the_turn() -> None:
    """Somebody else's turn goes on; with the passes so far it may be the end."""
    assert ENGINE.resign(state(REISE), CLEO, DICE).state.on_turn == ANNA
    stuck = state(REISE, bag="", passes=2)
    assert ENGINE.resign(stuck, CLEO, DICE).state.over


def test_who_gave_up_ranks_behind_whatever_is_in_the_rack() -> None:
    """rulings.md, All games: a seat given up ranks behind every seat in play, also one that pays less."""
    over = state(racks=("B", "", "AA"), over=True, first_out=BEN, given_up=(ANNA,))
    outcome = ENGINE.outcome(over)
    assert outcome
    assert [(line.rank, line.seat, line.points) for line in outcome.standings] == [
        (1, BEN, 7), (2, CLEO, -6), (3, ANNA, -1),
    ]  # fmt: skip
    assert "Wilhelmine B1 (ausgeschieden)" in "\n".join(drawn(ENGINE, ENGINE.view(over, SPECTATOR)))


def test_last_seat_left_wins() -> None:
    """Only one seat left: it is paid what the others hold."""
    two = ENGINE.resign(state(REISE, ("AB", "B", "*")), ANNA, DICE).state
    last = ENGINE.resign(two, CLEO, DICE).state
    assert payments(last) == (-4, 14, -10)
    assert "Nur Wilhelmine B2" in said(ENGINE.view(last, SPECTATOR).sections[0].lines)[0]


@pytest.mark.parametrize(("seats", "code"), [([], "FREE"), ([1], "FREE"), ([1, 2, 3, 4, 5, 6], "MANY")])
def test_start_needs_two_to_five(seats: list[int], code: str) -> None:
    """No start with one seat, or with six."""
    with pytest.raises(SetupError, match=f"SETUP_{code}"):
        ENGINE.start({Seat(n): None for n in seats}, {}, DICE)


def test_start_with_a_seat_between_that_is_empty() -> None:
    """Who leaves before the start leaves a gap: seats 1 and 3 play in turn."""
    position = ENGINE.start({ANNA: None, CLEO: None}, {}, DICE).state
    assert (position.seats, len(position.racks)) == ((ANNA, CLEO), 2)
    first, second = position.on_turn, *{ANNA, CLEO} - {position.on_turn}
    then = after("kaufen", position)
    assert (then.on_turn, then.round) == (second, 1)
    then = after("kaufen", then)
    assert (then.on_turn, then.round) == (first, 2)
    assert ENGINE.resign(then, ANNA, DICE).state.over


# Views


def test_block_begins_with_the_stand() -> None:
    """The seat on turn gets `Stand: N`, which grows with every turn; nobody else has anything to send."""
    assert ENGINE.view(state(), ANNA).block == ("Stand: 1",)
    assert ENGINE.view(state(), BEN).block == ()
    assert ENGINE.stand(after("kaufen", state()), BEN) == 2


def test_new_tiles_are_marked() -> None:
    """The tiles of the last turn are new, in capitals; jokers show a star."""
    position = after("Y26 s rOT*", state(REISE, ("O#E", "B", "C")))
    grid = ENGINE.view(position, SPECTATOR).sections[0].grids[0]
    assert grid.columns[0] == "X"
    assert [[cell.text for cell in row if cell.text] for row in grid.cells] == [
        [], ["r", "e", "i", "s", "e"], ["O"], ["T*"], []
    ]  # fmt: skip
    assert "Y28 steht für T (tauschbar)" in said(ENGINE.view(position, SPECTATOR).sections[0].lines)[0]


@pytest.mark.parametrize(
    ("step", "headline"),
    [("kaufen", "Wilhelmine B1 kauft"), ("Y26 s rOT", "Wilhelmine B1 legt ROT"), ("", "Wilhelmine B1 scheidet aus")],
)
def test_headlines(step: str, headline: str) -> None:
    """The subject of a bulletin says what the last turn was."""
    before = state(REISE, ("OTAE", "B", "C"))
    position = after(step, before) if step else ENGINE.resign(before, ANNA, DICE).state
    assert worded(ENGINE, ENGINE.view(position, SPECTATOR).headline, "de") == headline


def test_held_move_is_shown_to_its_seat() -> None:
    """A turn that waits for the GM is shown to its seat alone."""
    move = read("Z26 w XAS", state(EMPTY, ("XASB", "B", "C"))).move
    position = state(EMPTY, ("XASB", "B", "C"))
    assert "Wort: Z26 w XAS" in said(ENGINE.view(position, ANNA, move).sections[-1].lines)
    assert ENGINE.view(position, BEN, move) == ENGINE.view(position, BEN)


def test_racks_and_bag_are_hidden() -> None:
    """Other seats and spectators see numbers of tiles by colour (the backs show them), never letters."""
    one = state(REISE, ("EIS", "ABC", "ODF"), bag="UG")
    other = replace(one, racks=("EIS", "UGC", "ODF"), bag="AB")
    same_for_others(Contract(engine=ENGINE), one, other, BEN)
    assert ENGINE.view(one, BEN).seat_facts[BEN]["rack"] == "A BC"
    assert "rack" not in ENGINE.view(one, BEN).seat_facts[ANNA]
    assert "rack" in ENGINE.view(one, ALL).seat_facts[ANNA]


def test_all_eyes_see_racks_and_the_bag() -> None:
    """The archive of a finished game shows of each turn every rack and what was in the bag."""
    seen = ENGINE.view(state(REISE, ("EIS", "ABC", "ODF"), bag="UG"), ALL)
    (hidden,) = [section for section in seen.sections if section.title and section.title.code == "ALL_RACKS"]
    assert [grid.look for grid in hidden.grids] == ["tiles"] * 4
    assert said([hidden.grids[-1].note]) == ["Im Beutel"]  # pages draw it under this name
    assert said([grid.said for grid in hidden.grids])[1:] == [
        "Wilhelmine B2: rot A, schwarz B C",
        "Wilhelmine B3: rot O, schwarz D F",
        "Im Beutel: rot U, schwarz G",
    ]
    bare = ENGINE.view(state(REISE, ("EIS", "ABC", "ODF"), bag=""), ALL)
    assert [line for line in drawn(ENGINE, bare) if "Im Beutel" in line] == ["* Im Beutel: nichts"]


def marked(sheet: Sheet[Move], mark: str) -> list[str]:
    """The names of cells that are drawn with a mark."""
    (grid,) = sheet.grids
    return [
        f"{column}{row}"
        for row, line in zip(grid.rows, grid.cells, strict=True)
        for column, cell in zip(grid.columns, line, strict=True)
        if cell.mark == mark
    ]


def test_the_board_as_read_marks_what_is_wrong() -> None:
    """Issue 28: cells where another tile lies, those for which no tile is there, and words that don't count."""
    lying = state(board("Z26", "EIS"), ("ISORAA", "E", "E"))
    assert marked(read("Z26 w REIS", lying), "wrong") == ["Z26", "AA26", "AB26"]
    assert marked(read("AB26 s SX", state(board("Z26", "EIS"), ("ABC", "E", "E"))), "wrong") == ["AB27"]
    assert marked(read("AB26 s STERN", state(board("Z26", "EIS"), ("TERN", "E", "E"))), "wrong") == [
        f"AB{row}" for row in range(26, 31)
    ]
    assert marked(read("Z26 w EIS", state()), "wrong") == []


def test_jokers_are_marked_and_a_rack_is_drawn() -> None:
    """Issue 28: HTML draws tiles, red ones first; text mails keep the sentence."""
    view = ENGINE.view(state(board("Z26", "EiS"), ("A*#B", "E", "E")), ANNA)
    (grid,) = [grid for section in view.sections for grid in section.grids if grid.look == "letters"]
    assert [cell.mark for cell in grid.cells[1] if cell.text] == ["", "joker", ""]
    (rack,) = [grid for section in view.sections for grid in section.grids if grid.look == "tiles"]
    assert [(cell.text, cell.tone, cell.mark, cell.value) for cell in rack.cells[0]] == [
        ("A", "red", "", None), ("*", "red", "joker", None), ("B", "black", "", None), ("*", "black", "joker", None)
    ]  # fmt: skip
    assert said([rack.said]) == ["rot A *, schwarz B *"]


def test_words_of_a_finished_game() -> None:
    """After the end every word laid is listed with its seat, round and new cells; here words bring no points."""
    over = replace(after("Z26 w EIS", state()), over=True)
    (played,) = ENGINE.view(over, SPECTATOR).words
    assert (played.seat, played.word, played.points, played.status, played.why) == (ANNA, "EIS", None, "accepted", None)
    assert said([played.where]) == ["Runde 1 (Z26, AA26, AB26)"]
    assert (played.first, played.last) == ("Z26", "AB26")
    assert ENGINE.view(replace(over, over=False), ALL).words == ()
    longer = replace(over, board=lay(over.board, {spot_named("Y26") or Spot(0, 0): "R"}))
    assert [(one.first, one.last) for one in ENGINE.view(longer, SPECTATOR).words] == [("Z26", "AB26")]


def test_order_of_the_bag_is_hidden() -> None:
    """Nobody sees in which order tiles will be drawn."""
    for viewer in (ANNA, BEN, SPECTATOR):
        assert ENGINE.view(state(bag="AEBC"), viewer) == ENGINE.view(state(bag="CAEB"), viewer)


def test_after_the_end_everybody_sees_the_leftovers() -> None:
    """After the end the racks and the bag are open."""
    over = state(racks=("", "B", "*"), over=True, first_out=ANNA)
    texts = drawn(ENGINE, ENGINE.view(over, SPECTATOR))
    assert "* Rest von Wilhelmine B3: rot *" in texts
    assert "rot A E, schwarz B C" in texts


# Properties


@settings(max_examples=12, deadline=None)
@given(st.integers(), st.sampled_from([0.0, 0.3]))
def test_no_tile_is_lost_and_points_sum_up_to_zero(seed: int, nmr: float) -> None:
    """Board, racks and bag are always the 80 tiles; what is won is paid."""
    for step in play(Contract(engine=ENGINE), str(seed), nmr):
        position = step.after.state
        lying = [tile_of(sign_at(position.board, spot)) for spot in occupied(position.board)]
        assert sorted([*lying, *"".join(position.racks), *position.bag]) == sorted(TILES)
        outcome = ENGINE.outcome(position)
        assert not outcome or sum(standing.points for standing in outcome.standings) == 0


@settings(max_examples=40, deadline=None)
@given(st.text("ABZ126ws*EIS kaufenJolly=\n§²ß", max_size=60))
def test_any_block_is_read(text: str) -> None:
    """Reading never raises, and what is offered is accepted."""
    position = state(board("Y26", "ReISE"))
    sheet = ENGINE.read(position, ANNA, block(text), WORDS)
    assert not (sheet.problems and sheet.move)
    assert not sheet.offer or ENGINE.read(position, ANNA, block("\n".join(sheet.offer)), WORDS).move


def test_colours_of_what_is_bought_are_public() -> None:
    """The backs show the colour: everybody hears it, only the buyer the letter."""
    result = acted("kaufen schwarz", state(REISE))
    assert heard(result) == ["Wilhelmine B1 kauft einen schwarzen Stein."]
    assert colour("B") == "black"
    assert all("B." not in text for text in heard(result))


def test_reading_and_playing_are_quick() -> None:
    """A turn takes less than ten milliseconds."""
    position = replace(state(FOUR), on_turn=BEN)
    assert work_units(lambda: [after("AA25 s TiEr\nAC26 s eIS", position) for _ in range(20)], most=100) < 100
