"""Wer behält recht by its rule text (seed 000, section 4; paragraphs counted from 1) and by the rulings."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import games.wer_behaelt_recht
from games.api import ALL, EVERYONE, SPECTATOR, Resolution, Seat, Sheet, SignUp
from games.dice import Dice
from games.errors import SetupError
from games.kit.testkit import (
    Contract,
    WordSet,
    block,
    check_ends,
    check_width,
    check_wording,
    drawn,
    play,
    same_for_others,
    worded,
)
from games.shared.plane import CENTRE, EMPTY, Rows, Run, Spot, lay, occupied, run_at, sign_at
from games.shared.tiles import TILES, in_order, tile_of
from games.wer_behaelt_recht import ENGINE
from games.wer_behaelt_recht.rules import Finished, Fragment, News, State, fit
from tests.games.rules_pages import in_both_languages

DICE = Dice("seed", 1)
ANN, BOB, CEM = (Seat(number) for number in (1, 2, 3))
WORDS = WordSet(
    ["SPIEL", "TIER", "TIEF", "WIND", "WINTER", "EIS", "REISE", "EI", "IE", "TOR", "ROT", "TON", "ART", "OR", "EN"],
    {"USW": "ABBREVIATION", "XI": "RULED"},
)


def state(ann: str = "EILPRST", bob: str = "EINRST", cem: str = "AEINT", bag: str = "NAERST", **more: Any) -> State:
    defaults: dict[str, Any] = {
        "seats": (ANN, BOB, CEM),
        "profile": "typdom",
        "stake": 1,
        "on_turn": ANN,
        "news": News(code="BEGINS", seat=ANN),
    }
    return State(racks=tuple(map(in_order, (ann, bob, cem))), bag=bag, **(defaults | more))


def board(*rows: str, at: Spot = CENTRE) -> Rows:
    """Lay rows so that their first cell is the centre (or another cell)."""
    signs = {Spot(at.row + r, at.column + c): sign for r, row in enumerate(rows) for c, sign in enumerate(row)}
    return lay(EMPTY, {spot: sign for spot, sign in signs.items() if sign != "."})


def building(word: str, lies: str, owner: Seat = ANN, **more: Any) -> State:
    """A position in which a word is open, its fragment from the centre to the right."""
    rows = board(lies)
    starts = tuple(CENTRE.moved("w", -at) for at in range(len(word)) if word.startswith(lies, at))
    laid = tuple(CENTRE.moved("w", step) for step in range(len(lies)))
    fragment = Fragment(word=word, owner=owner, spot=CENTRE, direction="w", starts=starts, laid=laid)
    return state(**({"board": rows, "open": fragment, "on_turn": BOB} | more))


def finished(word: str = "TIER", **more: Any) -> State:
    """A position with a finished word from the centre to the right, Ann about to start the next one."""
    done = Finished(run=Run(CENTRE, "w", word), owner=ANN)
    return state(**({"board": board(word), "finished": (done,)} | more))


def read(position: State, text: str, words: WordSet = WORDS) -> Sheet[Any]:
    return ENGINE.read(position, position.on_turn, block(text), words)


def act(position: State, text: str, words: WordSet = WORDS) -> Any:
    sheet = read(position, text, words)
    assert sheet.move is not None, said(sheet.problems)
    return ENGINE.act(position, position.on_turn, sheet.move, DICE, words)


def after(position: State, *texts: str, words: WordSet = WORDS) -> State:
    for text in texts:
        position = act(position, text, words).state
    return position


def said(texts: Any, language: Any = "de") -> list[str]:
    return [worded(ENGINE, text, language) for text in texts]


def told(resolution: Any) -> list[str]:
    return said(event.text for event in resolution.events)


def problems(position: State, text: str, words: WordSet = WORDS) -> list[str]:
    sheet = read(position, text, words)
    assert sheet.move is None
    return said(sheet.problems)


def fragment(position: State) -> str:
    return position.open.run(position.board).word if position.open else ""


# Paragraph 2: tiles, jokers and words are those of the Kreuzwort-Spiel


def test_paragraph_2_five_red_and_eight_black_tiles() -> None:
    """Paragraph 2: 2 to 5 seats, each with five red and eight black tiles; the rest is the bag."""
    for seats in range(2, 6):
        begun = ENGINE.start({Seat(n + 1): SignUp() for n in range(seats)}, {}, DICE).state
        assert {len(rack) for rack in begun.racks} == {13}
        assert len(begun.bag) == 80 - 13 * seats
    assert ENGINE.rules.seats == (2, 5)


@pytest.mark.parametrize("seats", [1, 6])
def test_paragraph_2_not_with_one_or_six(seats: int) -> None:
    """Paragraph 2: two to five players."""
    with pytest.raises(SetupError, match=r"SETUP_(FREE|MANY)"):
        ENGINE.start({Seat(n + 1): SignUp() for n in range(seats)}, {}, DICE)


@pytest.mark.parametrize(("option", "value"), [("words", "klingon"), ("stake", 3)])
def test_options_that_cannot_be(option: str, value: Any) -> None:
    """Rulings 1.6 and 1.9: `words` and `stake` have three values each."""
    with pytest.raises(SetupError, match=rf"SETUP_OPTION.*{option}"):
        ENGINE.start({ANN: SignUp(), BOB: SignUp()}, {option: value}, DICE)


def test_sign_up_needs_nothing() -> None:
    """A sign-up brings nothing but the will to play."""
    assert ENGINE.enrol(block(""), {}).move == SignUp()


# Paragraph 3: the beginning


def test_paragraph_3_nearest_to_z_begins() -> None:
    """Paragraph 3: the holder of the letter nearest to the end of the alphabet begins; jokers don't count."""
    for seed in "abcdefgh":
        begun = ENGINE.start({ANN: SignUp(), BOB: SignUp(), CEM: SignUp()}, {}, Dice(seed, 0)).state
        best = [sorted((tile for tile in rack if tile.isalpha()), reverse=True) for rack in begun.racks]
        assert ENGINE.due(begun) == frozenset({Seat(best.index(max(best)) + 1)})


def test_paragraph_3_first_tile_in_the_centre_with_a_word_that_holds_it() -> None:
    """Paragraph 3, rulings 2: `mitte L SPIEL` goes to Z26, across; `mitte s L SPIEL` down."""
    begun = after(state(), "mitte L SPIEL")
    assert sign_at(begun.board, CENTRE) == "L"
    assert begun.open is not None
    assert (begun.open.word, begun.open.owner, begun.open.direction) == ("SPIEL", ANN, "w")
    assert begun.on_turn == BOB
    down = after(state(), "Mitte s L Spiel").open
    assert down is not None
    assert down.direction == "s"
    assert problems(state(), "mitte R SPIEL") == ["Dann liegt R, und das kommt in SPIEL nicht vor."]
    assert problems(state(), "mitte L")[0].startswith("Zum L gehört ein Wort")


def test_paragraph_3_other_beginnings() -> None:
    """Before the first tile nothing can be carried on or crossed."""
    assert problems(state(), "vorn L SPIEL") == ["Noch liegt kein Wort: Beginne mit »mitte L SPIEL«."]
    assert problems(state(), "neu Z26 s vorn L SPIEL")[0].startswith("Noch liegt kein Wort")
    assert problems(finished(), "mitte L SPIEL")[0].startswith("Es ist kein Wort offen")


# Paragraph 4: the next seats


def test_paragraph_4_another_word_that_holds_the_fragment() -> None:
    """Paragraph 4: a tile before or behind, and another word with the whole fragment in it; its announcer owns it."""
    position = after(building("SPIEL", "IE"), "vorn T TIER")
    assert fragment(position) == "TIE"
    assert position.open is not None
    assert (position.open.word, position.open.owner, position.on_turn) == ("TIER", BOB, CEM)
    assert problems(building("SPIEL", "IE"), "hinten T TIER") == ["Dann liegt IET, und das kommt in TIER nicht vor."]


def test_rulings_2_front_and_back_downwards() -> None:
    """Rulings 2: front is above, back below, for a word that runs down."""
    position = after(state(), "mitte s I SPIEL", "hinten E TIER", "vorn T TIER")
    assert position.open is not None
    assert [sign_at(position.board, CENTRE.moved("s", step)) for step in (-1, 0, 1)] == ["T", "I", "E"]


def test_paragraph_4_in_the_sense_of_the_open_word() -> None:
    """Paragraph 4: whoever knows no other word lays in the sense of the open one; its owner stays."""
    position = after(building("SPIEL", "IE", bob="EIL"), "hinten L")
    assert fragment(position) == "IEL"
    assert position.open is not None
    assert position.open.owner == ANN
    assert problems(building("SPIEL", "IE"), "hinten S") == ["S geht dort nicht im Sinne von SPIEL: Es liegt IE."]


def test_paragraph_4_buying_answers_at_once() -> None:
    """Paragraph 4: `kaufen` gives a tile at once, and the turn stays; all see its back, the seat its face."""
    position = building("SPIEL", "IE")
    bought = act(position, "kaufen schwarz")
    assert bought.state.on_turn == BOB
    assert bought.state.turn == position.turn
    assert ENGINE.stand(bought.state, BOB) == ENGINE.stand(position, BOB) + 1
    assert told(bought) == ["Wilhelmine B2 kauft einen schwarzen Stein.", "Deine neuen Steine: schwarz N."]
    assert [event.readers for event in bought.events] == [EVERYONE, frozenset({BOB})]
    assert bought.state.rack(BOB) == in_order("EINNRST")
    assert after(position, "kaufen rot").rack(BOB) == in_order("AEINRST")


def test_rulings_1_4_weiter_only_after_a_purchase_and_one_purchase_a_turn() -> None:
    """Rulings 1.4: one purchase a turn; `weiter` without one only when nothing is left to buy."""
    position = building("SPIEL", "IE")
    assert said(read(position, "weiter").problems)[0].startswith("»weiter« geht erst nach »kaufen«")
    assert said(read(position, "kaufen\nkaufen").problems) == ["In einem Zug kaufst du nur einen Stein."]
    assert said(read(position, "kaufen 2 rot").problems) == ["In einem Zug kaufst du nur einen Stein."]
    bought = after(position, "kaufen")
    assert problems(bought, "kaufen rot")[0].startswith("Du hast in diesem Zug schon gekauft.")
    assert after(bought, "weiter").on_turn == CEM
    assert after(position, "kaufen\nweiter").on_turn == CEM
    assert after(replace(position, bag=""), "weiter").on_turn == CEM
    assert problems(replace(position, bag=""), "kaufen")[0].startswith("Es gibt nichts mehr zu kaufen.")


def test_rulings_3_10_buying_and_laying_in_one_block() -> None:
    """Rulings 3.10: [kaufen] then a tile; a purchase below the tile is refused, with the right order offered."""
    position = building("SPIEL", "IE")
    assert fragment(after(position, "kaufen\nvorn T TIER")) == "TIE"
    sheet = read(position, "vorn T TIER\nkaufen")
    assert said(sheet.problems)[0].startswith("Gekauft wird vor dem Setzen")
    assert sheet.offer == ("vorn T TIER",)


def test_typ_dom_colour_used_up() -> None:
    """Rulings 2, Typ-Dom: a colour that is used up gives the other one, with a remark."""
    position = building("SPIEL", "IE", bag="NT")
    assert said(read(position, "kaufen rot").remarks)[0].endswith("du kaufst einen schwarzen Stein.")
    assert after(position, "kaufen rot").rack(BOB).count("N") == 2


# Paragraph 5: a finished word


def test_paragraph_5_the_owner_starts_and_the_seats_between_are_skipped() -> None:
    """Paragraph 5, rulings 1.2: the owner starts out of turn, and play goes on with the seat after the owner."""
    position = after(building("EIS", "EI", owner=CEM, on_turn=ANN), "hinten S")
    assert (position.open, position.on_turn) == (None, CEM)
    assert [word.word for word in position.finished] == ["EIS"]


def test_paragraph_5_the_new_word_crosses_the_finished_one() -> None:
    """Paragraph 5, rulings 2: the tile lies next to the crossing cell, at right angles; two letters of the new word."""
    position = after(finished("TIER", ann="EILPRST"), "neu Z26 s vorn R ART")
    assert fragment(position) == "RT"
    assert position.open is not None
    assert position.open.run(position.board).where == "Z25-Z26"
    assert (position.open.owner, position.on_turn) == (ANN, BOB)
    assert problems(finished("TIER"), "neu Z26 w vorn R ART")[0].startswith("Z26: Das neue Wort muss TIER kreuzen")
    assert problems(finished("TIER"), "neu Z30 s vorn R ART")[0].endswith("Frei sind dafür: Z26, AA26, AB26, AC26.")


def test_rulings_2_side_of_the_crossing() -> None:
    """Rulings 2: without vorn/hinten only where just one order of the two letters is in the announced word."""
    sheet = read(finished("TIER"), "neu Z26 s R ART")
    assert sheet.move is not None
    assert sheet.move.laying.side == "front"
    words = WordSet(["TRTRT", "PL"])
    position = finished("TIER")
    assert problems(position, "neu Z26 s R TRTRT", words)[0].startswith("In TRTRT passt das R vor und hinter das T")
    assert read(position, "neu Z26 s R TRTRT", words).offer == ("neu Z26 s vorn R TRTRT",)
    assert problems(position, "neu Z26 s L PL", words) == ["In PL stehen L und T nirgends nebeneinander."]
    assert problems(position, "neu AA26 s I IRE", WordSet(["IRE"])) == ["In IRE stehen I und I nirgends nebeneinander."]
    assert problems(position, "neu AA26 s I RADII", WordSet(["RADII"]))[0].startswith(
        "In RADII passt das I vor und hinter das I: Schreib »vorn«"
    )


@pytest.mark.parametrize("rest", ["Gruß", "LG Anna", "viele Grüße, Anna", "Danke!", "- bis bald", "cheers", ":-)"])
@pytest.mark.parametrize("line", ["mitte S EIS", "mitte s S EIS", "mitte I E I S", "mitte S EIS."])
def test_a_sign_off_is_no_part_of_the_word(line: str, rest: str) -> None:
    """Issue 26: `mitte B BERG Gruß` is not BERGGRUSS."""
    sheet = read(state(), f"{line} {rest}")
    assert sheet.move is not None, said(sheet.problems)
    assert sheet.move.laying.word == "EIS"


def test_two_words_are_asked_about() -> None:
    """Issue 26: of two words nobody but the sender knows whether they are one; nothing is laid."""
    assert problems(state(), "mitte S EIS Anna") == [
        "Hinter EIS steht noch »Anna«. Angesagt wird ein einziges Wort, ohne Leerzeichen."
    ]
    assert problems(building("TIER", "IE"), "hinten R WIND ROSE")[0].startswith("Hinter WIND steht noch »ROSE«")
    assert problems(state(), "mitte B BERG Werk <b>")[0].startswith("Hinter BERG steht noch »Werk <b>«")


def test_the_turn_mail_says_what_happens_when_the_announcement_returns() -> None:
    """Paragraph 6: whoever is asked to announce is told that the word may have to be made true, and what it costs."""
    for position in (state(), finished("TIER"), building("TIER", "IE")):
        told = " ".join(said(ENGINE.view(position, position.on_turn).how_to))
        assert "unverändert zu dir zurück" in told
        assert "scheidest du aus und zahlst" in told
        assert "comes back to you unchanged" in " ".join(said(ENGINE.view(position, position.on_turn).how_to, "en"))


def test_rulings_1_2_any_word_where_the_last_has_no_crossing() -> None:
    """Rulings 1.2: only where the word finished last can't be crossed at all, any finished word may be."""
    last = Finished(run=Run(CENTRE.moved("s"), "w", "OR"), owner=ANN)
    first = Finished(run=Run(CENTRE, "s", "ROT"), owner=BOB)
    rows = board("R..", "OR.", "T..")
    shut = lay(rows, {Spot(CENTRE.row, CENTRE.column + 1): "A"})
    position = state(board=rows, finished=(first, last))
    assert "AA27 s" in said(ENGINE.view(position, ANN).sections[0].lines)[1]
    assert "Z28 w" not in said(ENGINE.view(position, ANN).sections[0].lines)[1]
    assert "Z28 w" in said(ENGINE.view(replace(position, board=shut), ANN).sections[0].lines)[1]


def test_house_rule_any_word_after_a_round_without_a_tile() -> None:
    """House rule: when a whole round of seats has found no crossing, any finished word may be crossed."""
    last = Finished(run=Run(CENTRE.moved("s"), "w", "OR"), owner=ANN)
    first = Finished(run=Run(CENTRE, "s", "ROT"), owner=BOB)
    position = state(board=board("R..", "OR.", "T.."), finished=(first, last))
    position = after(position, "kaufen\nweiter", "kaufen\nweiter")
    assert "Z28 w" not in said(ENGINE.view(position, CEM).sections[0].lines)[1]
    assert "Z28 w" in said(ENGINE.view(after(position, "kaufen\nweiter"), ANN).sections[0].lines)[1]


# Paragraph 6: an announcement comes round


def test_paragraph_6_the_owner_completes_and_starts() -> None:
    """Paragraph 6, rulings 1.3: the service lays all that lacks from the owner's rack, and the owner starts anew."""
    position = building("TIER", "IE", owner=CEM, bag="", cem="ATNRE")
    passed = act(position, "weiter")
    assert [word.word for word in passed.state.finished] == ["TIER"]
    assert (passed.state.on_turn, passed.state.rack(CEM)) == (CEM, in_order("AEN"))
    assert told(passed)[1].startswith("TIER ist unverändert zu Wilhelmine B3 zurückgekommen und wird vollendet: T R.")


def test_rulings_1_3_tiles_in_its_sense_do_not_reset_an_announcement() -> None:
    """Rulings 1.3: "unchanged" means the announcement, not the tiles."""
    position = after(building("WINTER", "IN", owner=CEM, bob="TXX", cem="WERX"), "hinten T")
    assert [word.word for word in position.finished] == ["WINTER"]
    assert position.on_turn == CEM


def test_paragraph_6_who_lacks_a_letter_drops_out_and_pays_all() -> None:
    """Paragraph 6, rulings 2: the owner pays each seat in play; the tiles leave; the next seat starts in the centre."""
    position = after(building("TIER", "IE", owner=CEM, bag="", cem="AXY*"), "weiter")
    assert position.out == (CEM,)
    assert [position.balance(seat) for seat in position.seats] == [17, 17, -34]
    assert occupied(position.board) == ()
    assert in_order(position.gone) == "EI"
    assert position.on_turn == ANN
    assert read(position, "mitte L SPIEL").move is not None


def test_rulings_2_one_seat_left_has_won_without_further_payment() -> None:
    """Rulings 2: with one seat left the game is over, and nothing more is paid."""
    two = state(seats=(ANN, BOB), ann="AX", bob="Y", bag="")
    position = replace(building("TIER", "IE", owner=ANN, bag=""), seats=(ANN, BOB), racks=two.racks[:2])
    over = after(position, "weiter")
    assert (over.ending, over.winner) == ("last", BOB)
    assert [over.balance(seat) for seat in over.seats] == [-4, 4]
    assert ENGINE.due(over) == frozenset()


def test_option_stake_multiplies_every_payment() -> None:
    """Rulings 1.6: a game for the doubled stake pays double."""
    position = after(building("TIER", "IE", owner=CEM, bag="", cem="AXY*", stake=2), "weiter")
    assert [position.balance(seat) for seat in position.seats] == [34, 34, -68]


def test_option_stake_multiplies_the_payments_of_the_end() -> None:
    """Rulings 1.6 and paragraph 13: what the winner is paid counts double as well."""
    position = replace(finished(ann="XX", bob="AX", cem="*", bag=""), stake=2)
    over = after(position, "weiter", "weiter", "weiter")
    assert [over.balance(seat) for seat in over.seats] == [28, -8, -20]


# Paragraph 7: finished by the announcing tile


def test_paragraph_7_finished_at_once_the_next_seat_starts() -> None:
    """Paragraph 7: a word finished by the very tile with which it was announced lets the next seat start."""
    position = after(building("SPIEL", "IE", owner=ANN, on_turn=BOB, bob="NT"), "vorn N NIE", words=WordSet(["NIE"]))
    assert (position.open, position.on_turn) == (None, CEM)


def test_a_shorter_word_does_not_finish_the_announced_one() -> None:
    """Rulings 2: if a shorter valid word arises, the announced one is still open."""
    position = after(building("REISE", "EI", owner=ANN), "hinten S")
    assert fragment(position) == "EIS"
    assert position.open is not None


# Paragraphs 8 to 10: one word at a time, no loose ends, room


def test_paragraph_8_only_one_word_is_open() -> None:
    """Paragraph 8: no new word before the open one is finished."""
    expected = ["SPIEL ist noch offen. Ein neues Wort wird erst begonnen, wenn es beendet ist."]
    assert problems(building("SPIEL", "IE"), "neu Z26 s vorn T TIER") == expected


def test_paragraph_9_a_tile_must_not_leave_two_words_unfinished() -> None:
    """Paragraph 9, rulings 2: a tile that touches something at the side must make a valid word there at once."""
    rows = board("TIER", "....", "..A.")
    position = finished("TIER", board=rows, ann="NSTR")
    words = WordSet(["ROT", "INN"], ["NA"])
    assert problems(position, "neu AA26 s hinten N INN", words)[0].startswith("INN ergäbe an der Seite keinen Sinn")
    assert read(position, "neu AA26 s hinten N INN", WordSet(["INN", "NA"])).move is not None


def test_paragraph_10_room_and_no_senseless_contact() -> None:
    """Paragraph 10: an announced word needs room, blank ends, and no senseless contact."""
    edge = Spot(0, 25)
    done = Finished(run=Run(edge, "w", "TIER"), owner=ANN)
    position = state(board=board("TIER", at=edge), finished=(done,), ann="RAST")
    assert problems(position, "neu Z1 s hinten A START", WordSet(["START"])) == [
        "Für START ist kein Platz auf dem Brett."
    ]
    assert problems(position, "neu Z1 s vorn R ART") == ["Dort ist das Brett zu Ende."]
    below = board("TIER", "....", "....", "S...")
    position = finished("TIER", board=below, ann="ON")
    assert problems(position, "neu Z26 s hinten O TON") == ["Für TON ist kein Platz auf dem Brett."]
    assert read(position, "neu Z26 s hinten O TONS", WordSet(["TONS"])).move is not None


def test_rulings_2_all_alignments_are_kept() -> None:
    """Rulings 2: an E may be the second or the last letter of REISE; each tile must fit at least one place."""
    position = after(state(ann="EX", bob="SX", cem="XY"), "mitte E REISE")
    assert position.open is not None
    assert len(position.open.starts) == 2
    narrowed = after(position, "vorn S")
    assert narrowed.open is not None
    assert len(narrowed.open.starts) == 1


# Paragraph 11: the premium


def test_paragraph_11_a_crossing_at_a_vowel_allows_one_more_tile() -> None:
    """Paragraph 11, rulings 1.5: one more tile in the sense of the word now announced, without an announcement."""
    position = after(finished("TIER", ann="WNXX"), "neu AA26 s vorn W WIND\nhinten N")
    assert fragment(position) == "WIN"
    assert position.on_turn == BOB
    assert fragment(after(finished("TIER", ann="WNXX"), "neu AA26 s vorn W WIND")) == "WI"


def test_paragraph_11_not_at_a_consonant() -> None:
    """Paragraph 11: no premium at a consonant; the block without it is offered."""
    sheet = read(finished("TIER", ann="ARXX"), "neu Z26 s vorn R ART\nvorn A")
    assert said(sheet.problems)[0].startswith("Ein zweiter Stein ist nur erlaubt")
    assert sheet.offer == ("neu Z26 s vorn R ART",)


def test_paragraph_11_a_square_by_a_tile_for_another_word() -> None:
    """Paragraph 11: a tile that completes a square of two by two earns one more, also for somebody else's word."""
    rows = board("S", "T", at=Spot(CENTRE.row + 1, CENTRE.column - 1))
    rows = lay(rows, {CENTRE.moved("s"): "E", CENTRE: "I"})
    fragment_ = Fragment(
        word="TIER", owner=ANN, spot=CENTRE, direction="w", starts=(CENTRE.moved("w", -1),), laid=(CENTRE,)
    )
    position = state(board=rows, open=fragment_, on_turn=BOB, bob="TEX")
    done = after(position, "vorn T\nhinten E")
    assert fragment(done) == "TIE"
    plain = replace(position, board=lay(rows, {CENTRE.moved("s"): "."}))
    assert problems(plain, "vorn T\nhinten E")[0].startswith("Ein zweiter Stein ist nur erlaubt")


def test_rulings_1_5_premium_faults() -> None:
    """Rulings 1.5: one extra tile, no announcement with it, and none when the word is finished already."""
    position = finished("TIER", ann="WNDX")
    assert problems(position, "neu AA26 s vorn W WIND\nhinten N\nhinten D")[0].startswith(
        "»hinten D« ist ein Stein zu viel"
    )
    assert problems(position, "neu AA26 s vorn W WIND\nhinten N SPIEL")[0].startswith(
        "Mit dem Prämienstein sagst du nichts"
    )
    ei = finished("TIER", ann="ENX")
    assert problems(ei, "neu AA26 s vorn E EI\nhinten N")[0].startswith("Das Wort ist mit dem ersten Stein fertig")


def test_a_word_finished_by_the_premium_tile_is_its_owners() -> None:
    """Rulings 1.2 to the letter: only the announcing tile itself makes the next seat start."""
    position = after(finished("TIER", ann="ESX"), "neu AA26 s vorn E EIS\nhinten S")
    assert (position.open, position.on_turn) == (None, ANN)


# Paragraph 12 and 13: the end


def test_paragraph_12_the_winner_is_paid_what_the_others_hold() -> None:
    """Paragraph 12: black 1, red 3, joker 10; the winner gets the sum, the others pay (oracle 11, 4, 15: 30)."""
    seats = tuple(Seat(n) for n in range(1, 5))
    base = building("EIS", "EI", owner=Seat(1), on_turn=Seat(4))
    position = replace(base, seats=seats, racks=("B*", "FKLV", "AAUYBJM", "S"))
    over = act(position, "hinten S")
    assert [over.state.balance(seat) for seat in seats] == [-11, -4, -15, 30]
    assert told(over)[-1] == "Wilhelmine B4 gewinnt und bekommt 30 Punkte."
    outcome = ENGINE.outcome(over.state)
    assert outcome is not None
    assert [(line.rank, line.seat, line.points) for line in outcome.standings] == [
        (1, 4, 30), (2, 2, -4), (3, 1, -11), (4, 3, -15),
    ]  # fmt: skip


def test_rulings_2_an_empty_rack_ends_the_game_at_once() -> None:
    """Rulings 2: also by a tile in the sense of somebody's word, which stays as it is."""
    position = after(building("SPIEL", "IE", owner=ANN, bob="P"), "vorn P")
    assert (position.ending, position.winner) == ("rack", BOB)
    assert fragment(position) == "PIE"


def test_paragraph_13_the_fewest_points_win_when_all_pass() -> None:
    """Paragraph 13: all pass in a row with nothing to buy: the fewest points win, the own rest is not deducted."""
    position = after(finished(ann="XX", bob="AX", cem="*", bag=""), "weiter", "weiter", "weiter")
    assert (position.ending, position.winner) == ("passed", ANN)
    assert [position.balance(seat) for seat in position.seats] == [14, -4, -10]


def test_paragraph_13_equal_fewest_no_winner() -> None:
    """Paragraph 13, rulings 1.6: equal fewest points: nobody pays, and the rematch counts double."""
    over = act(after(finished(ann="XX", bob="VW", cem="*", bag=""), "weiter", "weiter"), "weiter")
    assert (over.state.winner, over.state.payments) == (None, ())
    assert told(over)[-1] == "Gleich wenige Punkte: kein Gewinner. Die nächste Partie zählt doppelt."
    assert drawn(ENGINE, ENGINE.view(over.state, ANN))[1].startswith("Kein Gewinner")


@pytest.mark.parametrize(("stake", "next_one"), [(1, "doppelt"), (2, "vierfach"), (4, "vierfach")])
def test_the_stake_goes_up_to_four(stake: int, next_one: str) -> None:
    """Rulings 1.6: option `stake` is 1, 2 or 4; no bulletin speaks of an eightfold stake."""
    position = replace(finished(ann="XX", bob="VW", cem="*", bag=""), stake=stake)
    over = act(after(position, "weiter", "weiter"), "weiter")
    assert told(over)[-1].endswith(f"Die nächste Partie zählt {next_one}.")
    text = drawn(ENGINE, ENGINE.view(over.state, ANN))
    assert any(f"die nächste Partie zählt {next_one}" in line for line in text)
    note = {1: "", 2: "Alle Zahlungen zählen doppelt.", 4: "Alle Zahlungen zählen vierfach."}[stake]
    assert any(note in line for line in text)


# NMR, resigning, jokers


def test_nmr_buys_one_tile_and_the_turn_passes() -> None:
    """games.md: NMR buys one tile, and the turn passes; the position gets a new number."""
    position = building("SPIEL", "IE", owner=ANN)
    closed = ENGINE.resolve(position, {}, DICE, WORDS)
    assert told(closed)[0] == "Kein Zug von Wilhelmine B2 (NMR)."
    assert len(closed.state.rack(BOB)) == len(position.rack(BOB)) + 1
    assert closed.state.on_turn == CEM
    assert ENGINE.stand(closed.state, CEM) > ENGINE.stand(position, CEM)


def test_nmr_after_a_purchase_buys_no_second_tile() -> None:
    """Rulings 1.4: one purchase a turn, also for NMR."""
    position = after(building("SPIEL", "IE", owner=ANN), "kaufen")
    closed = ENGINE.resolve(position, {}, DICE, WORDS).state
    assert closed.rack(BOB) == position.rack(BOB)


def test_nmr_of_a_starter_lets_the_next_seat_start() -> None:
    """Rulings 2: one tile is bought, the next seat starts."""
    closed = ENGINE.resolve(finished(), {}, DICE, WORDS).state
    assert (closed.on_turn, len(closed.bag)) == (BOB, 5)


def test_nmr_brings_the_announcement_round() -> None:
    """Rulings 2: a completion that is due is done by the service without a mail."""
    position = building("TIER", "IE", owner=CEM, on_turn=BOB, cem="ATNRE")
    assert [word.word for word in ENGINE.resolve(position, {}, DICE, WORDS).state.finished] == ["TIER"]


def test_a_seat_that_resigned_is_skipped_and_still_pays() -> None:
    """Rulings 2, All games: skipped; the rack is out of play and still counts for the winner."""
    position = ENGINE.resign(finished(on_turn=BOB, bob="AX", cem="E"), BOB, DICE).state
    assert position.on_turn == CEM
    over = after(position, "neu Z26 s vorn E ET", words=WordSet(["ET"]))
    assert (over.winner, over.balance(BOB)) == (CEM, -4)
    assert ENGINE.resign(over, ANN, DICE).state == over


def test_an_announcement_that_comes_round_to_nobody() -> None:
    """House rule: where its owner has resigned, the fragment leaves the board without payment."""
    position = ENGINE.resign(building("SPIEL", "IE", owner=CEM), CEM, DICE).state
    position = after(position, "kaufen\nweiter")
    assert (position.open, position.on_turn, position.payments) == (None, ANN, ())


def test_the_last_seat_in_play_wins() -> None:
    """When all others have resigned, the last one is paid what they hold."""
    position = ENGINE.resign(ENGINE.resign(finished(bob="AX", cem="*"), BOB, DICE).state, CEM, DICE).state
    assert (position.ending, position.winner, position.balance(ANN)) == ("last", ANN, 14)


def test_jolly_exchange() -> None:
    """Rulings 2: as Typ-Dom, on turn: a joker with fewer than three neighbours for the real letter."""
    position = building("SPIEL", "Ie", bob="ETX")
    position = replace(position, board=board("Ie"))
    got = after(position, "Jolly AA26 = E\nvorn T TIER")
    assert "*" in got.rack(BOB)
    assert sign_at(got.board, CENTRE.moved("w")) == "E"
    assert problems(position, "Jolly AA26 = T")[0] == "AA26: Der Joker steht für E, nicht für T."
    assert problems(position, "Jolly Z26 = I")[0] == "Z26: Dort liegt kein Joker."
    around = {CENTRE.moved("w", 2): "X", CENTRE.moved("w").moved("s"): "X"}
    assert problems(replace(position, board=lay(position.board, around)), "Jolly AA26 = E")[0].startswith(
        "AA26: Der Joker ist an drei oder vier Seiten verbaut"
    )


def test_an_exchange_alone_leaves_the_turn() -> None:
    """House rule: an exchange takes effect at once, and the turn stays the seat's, as with a purchase."""
    position = replace(building("SPIEL", "IE", bob="ETX"), board=board("Ie"))
    got = after(position, "Jolly AA26 = E")
    assert (got.on_turn, got.turn) == (BOB, position.turn)
    assert got.step == position.step + 1


def test_jokers_are_written_with_a_star() -> None:
    """Rulings 3.6: a joker is `L*`; who lacks the letter is offered the joker, and nothing is taken for granted."""
    position = building("SPIEL", "IE", bob="X#T")
    assert sign_at(after(position, "hinten L*").board, CENTRE.moved("w", 2)) == "l"
    sheet = read(position, "hinten L")
    assert said(sheet.problems) == ["Du hast kein L. Mit deinem Joker geht es; dann schreib L*."]
    assert sheet.offer == ("hinten L*",)
    assert problems(position, "vorn E*")[0] == "E* ist ein roter Joker, und den hast du nicht."


# Notation


@pytest.mark.parametrize(
    "line",
    [
        "neu AA26 s vorn W WIND",
        "Neu aa26 S vorne w Wind",
        "neu AA 26 senkrecht vorn W: WIND!",
        "new AA26 down front W Wind",
    ],
)
def test_rulings_3_5_start_of_a_word(line: str) -> None:
    """Rulings 3.5, 3.8: cell, direction, side, tile and word, in any case, German or English."""
    assert fragment(after(finished("TIER", ann="WN"), line)) == "WI"


@pytest.mark.parametrize(
    "line", ["kaufen", "Kaufen!", "kaufe einen Stein", "kaufen 1 rot", "buy red", "kaufen schwarz."]
)
def test_rulings_3_10_purchases(line: str) -> None:
    """Rulings 3.7, 3.10: purchases as people write them."""
    assert len(after(building("SPIEL", "IE"), line).bag) == 5


@pytest.mark.parametrize(
    ("line", "start"),
    [
        ("vorn", "Es fehlt der Stein"),
        ("vorn 5", "»5« ist kein Stein"),
        ("vorn Ä TIER", "»Ä« ist kein Stein"),
        ("hallo", "»hallo« verstehe ich nicht"),
        ("neu Z99 s vorn L SPIEL", "»neu Z99 s vorn L SPIEL« verstehe ich nicht"),
        ("neu Z26", "»neu Z26« verstehe ich nicht"),
        ("vorn T TI3R", "TI3R enthält andere Zeichen"),
        ("vorn T T", "»T« hat nicht 2 bis 51 Buchstaben"),
        ("vorn T USW", "USW kann nicht angesagt werden: Abkürzung."),
        ("Zug 7", "»Zug 7« verstehe ich nicht"),
        ("Runde: 7", "Der Block nennt Zug »7«"),
        ("vorn T TIER\nweiter", "Entweder einen Stein setzen oder »weiter«"),
    ],
)
def test_faults(line: str, start: str) -> None:
    """Each fault is named with what would be right."""
    found = problems(building("SPIEL", "IE"), line)
    assert any(text.startswith(start) for text in found), found


def test_all_faults_at_once() -> None:
    """A block is answered with every reason at once."""
    assert len(problems(building("SPIEL", "IE"), "Jolly Z26 = I\nkaufen 3\nvorn Q TI\nbla")) == 5


def test_the_words_umlauts() -> None:
    """An announced word may be written with umlauts; on the board it is AE, OE, UE, SS."""
    words = WordSet(["TUER"])
    assert fragment(after(state(ann="UX"), "mitte U Tür", words=words)) == "U"


def test_a_seat_not_on_turn_is_told_who_is() -> None:
    """Rulings 2, All games: a block of a seat not on turn is answered with who is."""
    sheet = ENGINE.read(state(), BOB, block("vorn L SPIEL"), WORDS)
    assert said(sheet.problems)[0].startswith("Du bist nicht am Zug, sondern Wilhelmine B1.")
    assert sheet.offer == ()


def test_an_empty_block_is_nothing() -> None:
    """Rulings 3.14: the template as we sent it is no move."""
    assert read(state(), "") == Sheet()
    assert read(state(), "Runde: 1") == Sheet()


def test_doubtful_words_are_held() -> None:
    """Rulings 2: an unknown word is doubtful, never a fault; so is one that arises at the side."""
    sheet = read(building("SPIEL", "IE"), "vorn T TIERE")
    assert (sheet.doubtful, sheet.problems) == (("TIERE",), ())
    assert sheet.move is not None


def test_a_move_that_waits_is_shown_to_its_seat() -> None:
    """Issue 55: a move that waits for the GM's ruling is on file, and the seat on turn sees its tile and its word."""
    position = building("SPIEL", "IE")
    move = read(position, "vorn T TIERE").move
    waiting = drawn(ENGINE, ENGINE.view(position, BOB, move))
    assert "# Dein Zug wartet auf den GM" in waiting
    assert {"Stein: T vorn", "Angesagtes Wort: TIERE"} <= {*waiting}
    assert ENGINE.view(position, ANN, move) == ENGINE.view(position, ANN)


def test_of_places_with_as_many_doubtful_words_the_first_is_asked_about() -> None:
    """Rulings 2: the GM is asked as few words as possible; where two places need one each, the first place counts."""
    beside = {CENTRE.moved("s").moved("w", at): sign for at, sign in ((-1, "Y"), (1, "X"))}
    lies = lay(EMPTY, {CENTRE: "E", **beside})
    found = fit(lies, run_at(lies, CENTRE, "w"), "EE", None, lambda word: WORDS.check(word, "typdom"))
    assert (found.starts, found.doubtful) == ((CENTRE,), ("EX",))


@pytest.mark.parametrize(
    "line",
    [
        "vorn → T TIER", "vorn: T: TIER", "vorn = T TIER", "vorn ..... T ..... TIER", "vorn – T – TIER",
        "»vorn T TIER«", "- davor T (TIER)",
    ],
)  # fmt: skip
def test_what_people_put_between_side_tile_and_word(line: str) -> None:
    """Arrows, colons, dots, dashes, brackets and quotation marks are no part of a word."""
    position = building("SPIEL", "IE")
    assert read(position, line).move == read(position, "vorn T TIER").move


def test_a_late_move_changes_nothing() -> None:
    """A move that isn't legal any more has no effect."""
    position = building("SPIEL", "IE")
    move = read(position, "vorn T TIER").move
    late = ENGINE.act(replace(position, on_turn=CEM), BOB, move, DICE, WORDS)
    assert late == Resolution(state=replace(position, on_turn=CEM))


# What is seen


def test_headlines() -> None:
    """A bulletin's subject says what has happened."""
    seen = ENGINE.view(after(building("SPIEL", "IE"), "vorn T TIER"), SPECTATOR).headline
    assert seen is not None
    assert said([seen]) == ["Wilhelmine B2 setzt T und nennt TIER"]


def test_the_seat_on_turn_gets_a_block_with_its_number() -> None:
    """The copy block names the position; nobody else gets one."""
    position = building("SPIEL", "IE", step=7)
    assert ENGINE.view(position, BOB).block == ("Stand: 7",)
    assert ENGINE.view(position, ANN).block == ()
    assert ENGINE.view(position, SPECTATOR).how_to == ()


def test_racks_and_bag_are_hidden() -> None:
    """A rack is for its seat, the order of the bag for nobody; colours are seen by their backs."""
    contract = Contract(engine=ENGINE)
    one = building("SPIEL", "IE", ann="EILPRST", bag="NAERST")
    other = building("SPIEL", "IE", ann="AOBCDFG", bag="RTOSUM")
    same_for_others(contract, one, other, ANN)
    assert ENGINE.view(one, ANN) != ENGINE.view(other, ANN)


def test_all_eyes_see_racks_and_the_bag() -> None:
    """The archive of a finished game shows every rack and what was still to be bought."""
    text = drawn(ENGINE, ENGINE.view(building("SPIEL", "IE", ann="EILPRST", bag="NAERST"), ALL))
    at = text.index("# Alle Steine")
    assert text[at + 1] == "Wilhelmine B1: rot E I, schwarz L P R S T"
    assert "Im Beutel: rot A E, schwarz N R S T" in text


def test_words_belong_to_who_announced_them() -> None:
    """After the end every finished word is listed with the seat that announced it, and the cells."""
    done = Finished(run=Run(Spot(25, 25), "w", "SPIEL"), owner=BOB)
    over = state(board=board("SPIEL"), finished=(done,), ending="last", winner=BOB)
    (played,) = ENGINE.view(over, SPECTATOR).words
    assert (played.seat, played.word, played.points, played.status) == (BOB, "SPIEL", None, "accepted")
    assert played.where
    assert worded(ENGINE, played.where, "de") == "Z26-AD26"
    assert (played.first, played.last) == ("Z26", "AD26")


def test_final_bulletin() -> None:
    """The final bulletin has ranking, leftovers, payments, board."""
    over = after(building("SPIEL", "IE", owner=ANN, bob="P"), "vorn P")
    text = "\n".join(drawn(ENGINE, ENGINE.view(over, SPECTATOR)))
    assert "Wilhelmine B2 hat alle Steine gesetzt und gewinnt" in text
    assert "Wilhelmine B1 zahlt 11 Punkte an Wilhelmine B2." in text


def test_rules_page_has_every_ruling() -> None:
    """The rules page says what was decided, in German and English."""
    page = in_both_languages(games.wer_behaelt_recht)
    for words in (
        "übersprungen",
        "Prämie",
        "doppelt",
        "scheidet der Besitzer aus",
        "skipped",
        "premium",
        "drops out",
        "Hausregel",
    ):
        assert words in page, words


# Properties


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([0.0, 0.2, 0.6]))
def test_tiles_are_conserved_and_payments_sum_to_zero(seed: int, nmr: float) -> None:
    """At every step the 80 tiles are in racks, bag, board or gone, and what one pays another gets."""
    for step in play(Contract(engine=ENGINE), f"seed {seed}", nmr):
        now: State = step.after.state
        lying = "".join(tile_of(sign_at(now.board, spot)) for spot in occupied(now.board))
        assert sorted("".join(now.racks) + now.bag + lying + now.gone) == sorted(TILES)
        assert sum(now.balance(seat) for seat in now.seats) == 0


@settings(max_examples=15, deadline=None)
@given(st.text(alphabet="abeil kLSTZ26*:#\nweiterkaufenvornhinten²ß½", max_size=60))
def test_nothing_that_is_sent_raises(text: str) -> None:
    """Whatever a block holds, it is answered."""
    for position in (state(), finished(), building("SPIEL", "IE")):
        sheet = ENGINE.read(position, position.on_turn, block(text), WORDS)
        assert not (sheet.problems and sheet.move)


@pytest.mark.trust
@pytest.mark.parametrize("check", [check_ends, check_width, check_wording], ids=lambda check: check.__name__)
def test_contract_with_two_seats(check: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The contract holds for the smallest table, with its long game and large racks, too."""
    monkeypatch.setattr(type(ENGINE), "rules", replace(ENGINE.rules, seats=(2, 2)))
    check(Contract(engine=ENGINE, games=1))
