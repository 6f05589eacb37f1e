"""Wort-Yahtzee by its rule text (seed 003: rules of play 1-3, scoring 1-6, alternative) and by the rulings."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from games.api import ALL, EVERYONE, SPECTATOR, Seat, Sheet
from games.dice import Dice
from games.errors import SetupError
from games.kit.testkit import Contract, WordSet, block, drawn, same_for_others, texts_of_view, worded
from games.words import Verdict
from games.wort_yahtzee import ENGINE
from games.wort_yahtzee.rules import FACES, Entry, Move, Player, State, Word, card_of, open_points
from games.wort_yahtzee.view import cards

DICE = Dice("seed", 1)
ANNA, BEN = Seat(1), Seat(2)
LISTED = "AN AR ER ES NA RAT RATE MILD SENATOR TONERAS ROT TON SO EI OSTER ROSTEN ART ARTEN NASE TOR"
WORDS = WordSet(
    LISTED.split(),
    {"USW": "ABBREVIATION", "ANNO": "FOREIGN_WORD", "SARO": "NAME"},
)
SENATOR = "OSRAETN"
START = ENGINE.start({ANNA: None, BEN: None}, {}, Dice("start", 0)).state


def state(dice: str = SENATOR, *, rolls: int = 1, number: int = 1, card: tuple[Entry, ...] = (), **more: Any) -> State:
    """Anna with these dice and card, Ben beside her with nothing on his."""
    anna = Player(seat=ANNA, card=card, rolls=("BBBBBBB",) * (rolls - 1) + (dice,))
    ben = Player(seat=BEN, card=card, rolls=("OBRAPTV",))
    return replace(START, round=number, players=(anna, ben), **more)


def read(text: str, position: State | None = None, words: Any = WORDS) -> Sheet[Move]:
    return ENGINE.read(position or state(), ANNA, block(text), words)


def good(text: str, position: State | None = None, words: Any = WORDS) -> Move:
    sheet = read(text, position, words)
    assert not sheet.problems, said(sheet.problems)
    assert sheet.move is not None
    return sheet.move


def refused(text: str, position: State | None = None, words: Any = WORDS) -> list[str]:
    sheet = read(text, position, words)
    assert sheet.problems
    assert sheet.move is None
    assert not sheet.doubtful
    return said(sheet.problems)


def said(texts: Any, language: Any = "de") -> list[str]:
    return [worded(ENGINE, text, language) for text in texts]


def close(text: str, position: State | None = None, words: Any = WORDS) -> State:
    position = position or state()
    return ENGINE.resolve(position, {ANNA: good(text, position, words)}, DICE, words).state


def boxes(after: State, seat: Seat = ANNA) -> Mapping[str, int]:
    player = after.player(seat)
    assert player
    return card_of(player.card).boxes


def entry(box: str = "", *words: tuple[str, int], zero: str = "", status: Any = "accepted", number: int = 1) -> Entry:
    made = tuple(Word(laid=laid, value=value, status=status) for laid, value in words)
    return Entry(round=number, roll=1, box=box, words=made, zero=zero)


def roll(position: State, text: str, dice: Dice = DICE) -> State:
    resolution = ENGINE.act(position, ANNA, good(text, position), dice, WORDS)
    assert resolution
    return resolution.state


# Notes on the game


def test_notes_key_and_profile() -> None:
    """Key, title, eight rounds, words of the profile without names and foreign words (rulings 1.14)."""
    rules = ENGINE.rules
    assert (rules.key, rules.title, rules.rounds, rules.profile) == ("wort-yahtzee", "Wort-Yahtzee", 8, "yahtzee")
    assert (rules.seats, rules.unit) == ((1, 12), "round")


def test_notes_alone_or_with_others() -> None:
    """`mit zwei oder mehr Spielern oder allein`: one to twelve seats, each with a card and dice of its own."""
    alone = ENGINE.start({ANNA: None}, {}, DICE).state
    assert ENGINE.due(alone) == {ANNA}
    twelve = ENGINE.start({Seat(n): None for n in range(1, 13)}, {}, DICE).state
    assert len({player.dice for player in twelve.players}) > 6
    for wrong in ({}, {Seat(n): None for n in range(1, 14)}):
        with pytest.raises(SetupError, match=r"SETUP_FREE|SETUP_MANY"):
            ENGINE.start(wrong, {}, DICE)


def test_notes_seven_dice_with_their_faces() -> None:
    """wort-yahtzee.md: every die shows one of its own six faces."""
    seen = [ENGINE.start({ANNA: None}, {}, Dice("faces", turn)).state.players[0].dice for turn in range(200)]
    assert ["".join(sorted({dice[at] for dice in seen})) for at in range(7)] == [
        "".join(sorted(die)) for die in FACES.split()
    ]


def test_notes_values() -> None:
    """wort-yahtzee.md: the values of Point-Typ-Dom, Ä 6, Ö 8, Ü 6, the diamond 0."""
    letters, numbers = "ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÜ*", "1 4 4 3 1 3 4 3 1 6 4 2 3 2 1 4 9 2 2 3 1 6 6 9 9 6 6 8 6 0"
    assert START.values == dict(zip(letters, map(int, numbers.split()), strict=True))


def test_notes_options_for_dice_and_values() -> None:
    """wort-yahtzee.md: faces and values are options of a game."""
    own = ENGINE.start({ANNA: None}, {"dice": "a b c d e f ◆", "values": "A1 B2 C3 D4 E5 F6"}, DICE).state
    assert own.players[0].dice == "ABCDEF*"
    assert own.values["*"] == 0


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"dice": "A B C"}, "SETUP_DICE"),
        ({"dice": "A B C D E F ?"}, "SETUP_DICE"),
        ({"dice": "A B C D E F É"}, "SETUP_DICE"),
        ({"values": "A1"}, "SETUP_LACKS.*B, C"),
        ({"values": "A1 B99"}, "SETUP_VALUES.*14"),
        ({"values": "nonsense"}, "SETUP_VALUES"),
        ({"values": ""}, "SETUP_LACKS"),
        ({"values": "²1"}, "SETUP_VALUES"),
    ],
)
def test_notes_bad_options(options: Any, match: str) -> None:
    """Dice and values that can't be are refused at the start, with a sentence for the GM."""
    with pytest.raises(SetupError, match=match):
        ENGINE.start({ANNA: None}, options, DICE)


def test_notes_diamond_is_any_letter_without_value() -> None:
    """`kann als Buchstabe nach Wahl eingesetzt werden – hat allerdings keinen Wert`."""
    assert boxes(close("werte M*ILD", state("MEDI*LN", number=3)))["R3"] == 6


def test_notes_diamond_is_taken_where_a_letter_lacks() -> None:
    """Without a star the diamond stands for the one missing letter, with a remark."""
    sheet = read("werte RATE", state("OB*AETN", number=3))
    assert sheet.move
    assert [word.laid for word in sheet.move.words] == ["R*ATE"]
    assert said(sheet.remarks) == ["Nicht gewürfelt: R. Dafür nehme ich den Diamanten; er zählt nichts."]


class Spelt:
    """A judge that knows spellings, as our lexicon does."""

    entries: Mapping[str, str] = {
        "GLUECK": "glück / Glück", "QUELLE": "quelle / Quelle", "MASSE": "Masse / Maße", "STRASSE": "Straße",
        "MUESLI": "Müsli", "GUT": "gut / Gut", "AEROSOL": "Aerosol", "OEL": "öl / Öl",
    }  # fmt: skip

    def check(self, word: str, profile: str) -> Verdict:  # noqa: ARG002
        """Accept what has an entry; a ruling has none."""
        if word == "RUELPS":
            return Verdict("accepted", "RULED")
        found = self.entries.get(word)
        return Verdict("accepted", entry=found) if found else Verdict("doubtful", "UNLISTED")

    def listed(self, profile: str) -> list[str]:  # noqa: ARG002
        """All of them."""
        return sorted(self.entries)


@pytest.mark.parametrize(
    ("dice", "text", "box", "laid"),
    [
        ("GLÜCKEU", "GLÜCK", 4, "GLÜCK"),
        ("GLÜCKXX", "GLUECK", 4, "GLÜCK"),  # no U and E were rolled for it
        ("GLÜCKEX", "glueck", 4, "GLÜCK"),
        ("QUELLEX", "QUELLE", 5, "QUELLE"),
        ("MASSEXX", "MASSE", 4, "MASSE"),
        ("MASSEXX", "Maße", 4, "MASSE"),
        ("ÖLXXXXX", "ÖL", 1, "ÖL"),
        ("ÖLXXXXX", "OEL", 1, "ÖL"),
        ("GL*CKXX", "GLÜ*CK", 4, "GLÜ*CK"),
        ("GL*CKXX", "GLUE*CK", 4, "GLÜ*CK"),
        ("GL*CKEX", "GLUECK", 4, "GLÜ*CK"),  # the diamond may stand for U or Ü: the one that is spelt right
        ("Q*ELLEX", "QUELLE", 5, "QU*ELLE"),
        ("RÜLPSEU", "RÜLPS", 4, "RÜLPS"),
        ("RULPSEX", "RUELPS", 5, "RUELPS"),  # ruled in, spelling unknown: as it is laid
    ],
)
def test_notes_umlauts_in_original_spelling(dice: str, text: str, box: int, laid: str) -> None:
    """`dürfen im Spiel nur als Umlaute eingesetzt werden`; rulings 1.14: GLÜCK needs Ü, QUELLE U and E, ß is SS."""
    move = good(f"werte {text}", state(dice, number=box), Spelt())
    assert [word.laid for word in move.words] == [laid]


@pytest.mark.parametrize(
    ("dice", "text", "box", "reason"),
    [
        ("GLUECKX", "GLUECK", 5, "GLUECK zählt nicht: geschrieben wird es »glück / Glück«."),
        ("GLÜCKEU", "GLUECK", 5, "GLUECK zählt nicht: geschrieben wird es »glück / Glück«."),
        ("QÜLLEXX", "QÜLLE", 4, "QÜLLE zählt nicht: geschrieben wird es »quelle / Quelle«."),
        ("ÄROSOLX", "ÄROSOL", 5, "ÄROSOL zählt nicht: geschrieben wird es »Aerosol«."),
        ("GLUCKXX", "GLÜCK", 4, "Ü liegt nicht da. Es liegen G L U C K X X."),
    ],
)
def test_notes_other_spellings_are_refused(dice: str, text: str, box: int, reason: str) -> None:
    """Rulings 1.14: GLUECK is no dictionary word, nor QUELLE with Ü; an umlaut stands for nothing else."""
    assert reason in refused(f"werte {text}", state(dice, number=box), Spelt())


def test_notes_no_names_abbreviations_foreign_words() -> None:
    """`Eigennamen, Abkürzungen, Dialekt und Fremdwörter dürfen nicht verwendet werden`."""
    position = state("USWANOX", number=2)
    assert refused("werte USW", position) == ["USW zählt nicht: Abkürzung."]
    assert refused("werte ANNO", state("ANNOXXX", number=3)) == ["ANNO zählt nicht: Fremdwort oder Dialekt."]
    assert refused("werte SARO", state("SAROXXX", number=3)) == ["SARO zählt nicht: Eigenname."]


# Rules of play


def test_play_1_all_seats_at_once() -> None:
    """Rule 1, by post: nobody waits for a turn, all seats are due until the round is closed."""
    assert ENGINE.due(START) == {ANNA, BEN}
    assert ENGINE.due(roll(state(), "behalte A")) == {ANNA, BEN}
    assert ENGINE.due(replace(START, over=True)) == frozenset()


def test_play_2_first_roll_of_all_seven() -> None:
    """Rule 2: a round begins with a roll of all seven dice."""
    after = close("werte AN")
    assert all(len(player.rolls) == 1 and len(player.dice) == 7 for player in after.players)
    assert after.round == 2


def test_play_2a_kept_dice_stay_the_others_are_rolled() -> None:
    """Rule 2a: `eine beliebige Zahl` stays, the rest is rolled; who sees it is that seat alone."""
    position = state()
    resolution = ENGINE.act(position, ANNA, good("behalte S A T"), DICE, WORDS)
    assert resolution
    before, player = position.player(ANNA), resolution.state.player(ANNA)
    assert before
    assert player
    assert [player.dice[at] for at in (1, 3, 5)] == ["S", "A", "T"]
    assert player.dice != before.dice
    assert all(player.dice[at] in START.faces[at] for at in (0, 2, 4, 6))
    assert resolution.state.player(BEN) == position.player(BEN)
    (event,) = resolution.events
    assert event.readers == {ANNA}
    assert worded(ENGINE, event.text, "de") == f"Wurf 2: {' '.join(player.dice)} (behalten: S A T)."


def test_play_2b_any_die_may_be_rolled_again() -> None:
    """Rule 2b, rulings 2: at the third roll also dice that were kept before; `behalte nichts` rolls all."""
    second = roll(state(), "behalte S A T")
    third = roll(second, "behalte nichts", Dice("other", 3))
    player = third.player(ANNA)
    assert player
    assert (len(player.rolls), player.kept) == (3, ())


def test_play_2c_no_fourth_roll() -> None:
    """Rule 2c: after the third roll the dice must be scored."""
    assert refused("behalte A", state(rolls=3)) == [
        "Deine drei Würfe sind getan, es liegen O S R A E T N. Jetzt werten (»werte WORT«) oder streichen (»streiche«)."
    ]
    assert good("werte AN", state(rolls=3)).box == "R1"


def test_play_3_sand_glass() -> None:
    """Rule 3: out of time is a zero in the box of the round, also after a roll; the dice aren't scored (rulings 2)."""
    rolled = roll(state(), "behalte S")
    closed = ENGINE.resolve(rolled, {}, DICE, WORDS)
    assert boxes(closed.state) == {"R1": 0}
    assert [worded(ENGINE, event.text, "de") for event in closed.events] == [
        "Keine Wertung von Wilhelmine B1 (NMR): eine Null in R1.",
        "Keine Wertung von Wilhelmine B2 (NMR): eine Null in R1.",
    ]
    assert all(event.readers == EVERYONE for event in closed.events)


def test_play_3_a_score_for_an_earlier_roll_is_none() -> None:
    """A score on file means nothing after another roll, and a roll is no score: both are NMR."""
    score, again = good("werte AN"), good("behalte A")
    rolled = roll(state(), "behalte A")
    assert boxes(ENGINE.resolve(rolled, {ANNA: score}, DICE, WORDS).state) == {"R1": 0}
    assert boxes(ENGINE.resolve(state(), {ANNA: again}, DICE, WORDS).state) == {"R1": 0}


# Scoring


@pytest.mark.parametrize(
    ("number", "text", "points"),
    [(1, "AN", 3), (2, "RAT", 6), (3, "RATE", 7), (4, "OSTER", 9), (5, "ROSTEN", 11), (6, "SENATOR", 12),
     (7, "SO+RAT", 9), (8, "SO+ER+NA", 9)],
)  # fmt: skip
def test_scoring_1_boxes(number: int, text: str, points: int) -> None:
    """Scoring 1: words of two to six letters; one, two and three words. A box is worth the sum of its dice."""
    assert boxes(close(f"werte {text}", state(number=number)))[f"R{number}"] == points


@pytest.mark.parametrize(
    ("number", "text", "reason"),
    [
        (1, "RAT", "RAT hat 3 Buchstaben; in R1 gehört ein Wort mit 2 Buchstaben."),
        (2, "AN", "AN hat 2 Buchstaben; in R2 gehört ein Wort mit 3 Buchstaben."),
        (2, "A", "A: Ein Wort hat mindestens zwei Buchstaben."),
        (1, "AN+ES", "R1 braucht ein Wort mit 2 Buchstaben, ich lese 2."),
        (6, "AN+ES", "R6 braucht genau ein Wort, ich lese 2."),
        (7, "AN", "R7 braucht genau zwei Wörter, ich lese 1."),
        (8, "AN+ES", "R8 braucht genau drei Wörter, ich lese 2."),
        (7, "AN+E", "E: Ein Wort hat mindestens zwei Buchstaben."),
        (7, "AN+AR", "A schreibst du 2-mal, es liegt aber nur 1-mal (O S R A E T N); jeder Würfel zählt nur einmal."),
    ],
)
def test_scoring_1_what_does_not_fit(number: int, text: str, reason: str) -> None:
    """Rulings 2: exactly that length, exactly that many words of two letters and more, each die once."""
    assert reason in refused(f"werte {text}", state(number=number))


def test_scoring_1_same_word_twice() -> None:
    """Rulings 2: the same word twice is refused."""
    assert refused("werte ES+ES", state("EESSXXX", number=7)) == ["ES steht doppelt da; jedes Wort geht nur einmal."]


def test_scoring_1_all_reasons_at_once() -> None:
    """games.md, conventions: an illegal block is answered with every reason at once."""
    reasons = refused("werte USW", state(number=1))
    assert len(reasons) == 4
    assert ["U" in reasons[0], "W" in reasons[1], "R1" in reasons[2], "Abkürzung" in reasons[3]] == [True] * 4


def test_scoring_2_boxes_in_order() -> None:
    """Scoring 2: played from the top down; another box than the round's is refused."""
    position = state(number=3)
    assert good("werte RATE", position).box == good("werte R3 RATE", position).box == "R3"
    assert good("werte 4 RATE", position).box == "R3"  # four letters: the box is certain
    assert refused("werte R4 OSTER", position)[0] == (
        "Du nennst Kästchen R4; in Runde 3 wird R3 (ein Wort mit 4 Buchstaben) gefüllt."
    )
    assert refused("streiche R5", position)
    assert good("streiche", position).zero == good("streiche R3", position).zero == "R3"


def test_scoring_3_yahtzee_in_any_round() -> None:
    """Scoring 3: a seven-letter word, 50, and a zero in the box of the round; after any roll (rulings 2)."""
    for rolls in (1, 2, 3):
        assert boxes(close("werte yahtzee SENATOR", state(rolls=rolls, number=4))) == {"yahtzee": 50, "R4": 0}
    assert refused("werte yahtzee ROSTEN")
    assert refused("werte yahtzee SO+RAT")
    assert refused("werte yahtzee") == ["Hier steht kein Wort; nötig: ein Wort mit 7 Buchstaben."]


def test_scoring_3_seven_letters_in_the_round() -> None:
    """Rulings 2: in R6 the word counts its value, with a remark; elsewhere the Yahtzee box is offered."""
    sheet = read("werte SENATOR", state(number=6))
    assert said(sheet.remarks) == ["Mit »werte yahtzee SENATOR« wären es 50 Punkte und eine Null in diesem Kästchen."]
    assert read("werte SENATOR", state(number=2)).offer == ("Wurf 1: O S R A E T N", "werte yahtzee SENATOR")
    assert read("werte R2 SENATOR", state(number=2, any_order=True)).offer[1] == "werte yahtzee SENATOR / R2"
    assert read("werte SENATOR", state(number=2, any_order=True)).offer == ()


@pytest.mark.parametrize(
    ("text", "dice"),
    [("konsonanten", "WBRCPTV"), ("konsonanten", "WBRC*TV"), ("vokale", "OEÄAIEU"), ("vokale", "YYÄA*EÖ"),
     ("nur vokale", "ÜEÄAIEU"), ("consonants", "WBRCPTV"), ("vowels", "OEÄAIEU")],
)  # fmt: skip
def test_scoring_4a_b_all_alike(text: str, dice: str) -> None:
    """Scoring 4a, 4b, rulings 1.13: 25 for seven alike; Y, Ä, Ö, Ü are vowels, the diamond is either."""
    for rolls in (1, 2):
        after = boxes(close(f"werte {text}", state(dice, rolls=rolls, number=2)))
        assert sorted(after.values()) == [0, 25]
        assert after["R2"] == 0


def test_scoring_4a_b_not_alike() -> None:
    """Y is always a vowel; the dice that don't fit are named."""
    assert refused("werte konsonanten", state("YBRCPTÖ")) == [
        "Konsonanten: Alle sieben Würfel müssen passen (Y, Ä, Ö, Ü sind Vokale, der Diamant beides); "
        "nicht dazu passen Y Ö (es liegen Y B R C P T Ö)."
    ]
    assert refused("werte vokale XY", state("OEÄAIEU")) == ["Zu Vokale gehört kein Wort."]


def test_scoring_4_before_the_third_roll() -> None:
    """Scoring 4, rulings 2: `vor einem dritten Wurf`; the third roll closes the three boxes for the round."""
    late = state("WBRCPTV", rolls=3)
    assert refused("werte konsonanten", late) == ["Konsonanten geht nur vor dem dritten Wurf, und den hast du schon."]
    assert refused("werte vokale", state("OEÄAIEU", rolls=3))
    assert refused("werte chance RAT", state(rolls=3))


def test_scoring_4c_chance() -> None:
    """Scoring 4c: the value of the word or the words, any number of dice, and a zero in the round's box."""
    assert boxes(close("werte chance RAT")) == {"chance": 6, "R1": 0}
    assert boxes(close("werte chance SO+RAT+EN", words=WordSet(["SO", "RAT", "EN"]))) == {"chance": 12, "R1": 0}
    assert boxes(close("werte chance SENATOR"))["chance"] == 12
    assert refused("werte chance") == ["Hier steht kein Wort; nötig: ein Wort oder mehrere."]


def test_scoring_4_once_each() -> None:
    """Rulings 1.14: Chance, consonants, vowels once each."""
    card = (entry("chance", ("AN", 3), zero="R1"), entry("konsonanten", zero="R2"), entry("vokale", zero="R3"))
    assert refused("werte chance RAT", state(number=4, card=card)) == ["Chance hast du schon; das geht nur einmal."]
    assert refused("werte konsonanten", state("WBRCPTV", number=4, card=card))
    assert refused("werte vokale", state("OEÄAIEU", number=4, card=card))


@pytest.mark.parametrize(("last", "bonus"), [(1, 35), (0, 0)])
def test_scoring_5a_bonus(last: int, bonus: int) -> None:
    """Scoring 5a: strictly more than 35 in the five boxes, zeros included, once; what stands below doesn't help."""
    card = (
        entry("R1", ("QX", 18)), entry("R2", ("VVV", 17 + last)), entry(zero="R3"), entry(zero="R4"), entry(zero="R5"),
        entry("R6", ("X", 90)),
    )  # fmt: skip
    assert card_of(card).upper == 35 + last
    assert card_of(card).bonus == bonus
    assert card_of(card).total == 35 + last + bonus + 90


def test_scoring_5b_further_yahtzee_words() -> None:
    """Scoring 5b: 100 for each further word, with the 50 on the card, and a zero in the round's box each time."""
    first = (entry("yahtzee", ("SENATOR", 12), zero="R1"),)
    after = close("werte yahtzee TONERAS", state(number=2, card=first))
    assert boxes(after) == {"yahtzee": 150, "R1": 0, "R2": 0}
    assert card_of(after.players[0].card).hundreds == 100
    again = close("werte yahtzee SENATOR", replace(state(number=3), players=(
        replace(after.players[0], rolls=(SENATOR,)), after.players[1])))  # fmt: skip
    assert boxes(again)["yahtzee"] == 250
    assert card_of(again.players[0].card).total == 250


def test_scoring_6_sum_and_ranking() -> None:
    """Scoring 6: upper with bonus + lower + hundreds; most points win, equal sums share the rank (rulings 1.14)."""
    players = tuple(
        Player(seat=Seat(number), card=(entry("R6", ("X", worth)),)) for number, worth in enumerate((7, 9, 9), 1)
    )
    outcome = ENGINE.outcome(replace(START, over=True, players=players))
    assert outcome
    assert [(s.rank, s.seat, s.points) for s in outcome.standings] == [(1, 2, 9), (1, 3, 9), (3, 1, 7)]
    assert ENGINE.outcome(START) is None


def test_game_ends_after_eight_rounds() -> None:
    """`Ein Spiel besteht aus acht Durchgängen.`"""
    last = state(number=8, card=tuple(entry(zero=f"R{n}", number=n) for n in range(1, 8)))
    ended = ENGINE.resolve(last, {ANNA: good("werte SO+ER+NA", last)}, DICE, WORDS)
    assert ended.state.over
    assert ENGINE.round(ended.state) == 8
    assert worded(ENGINE, ended.events[-1].text, "de") == "Platz 1: Wilhelmine B1, 9 Punkte."
    assert ENGINE.resolve(ended.state, {}, DICE, WORDS).state == ended.state
    assert ENGINE.read(ended.state, ANNA, block("werte AN"), WORDS).problems
    assert ENGINE.suggest(ended.state, ANNA, DICE, WORDS) == ()


# The alternative


def any_order(dice: str = SENATOR, **more: Any) -> State:
    return state(dice, any_order=True, **more)


def test_alternative_any_order() -> None:
    """`in beliebiger Reihenfolge`: any open box, one a round, and eight rounds as well."""
    started = ENGINE.start({ANNA: None}, {"any_order": True}, DICE).state
    assert started.any_order
    assert boxes(close("werte R4 OSTER", any_order())) == {"R4": 9}
    assert boxes(close("streiche R8", any_order())) == {"R8": 0}


def test_alternative_needs_the_box() -> None:
    """Rulings 1.12: without a number it is refused, with the open boxes; and so is a box that is filled."""
    position = any_order(number=2, card=(entry("R4", ("OSTER", 9)),))
    missing = (
        "Welches Kästchen? Schreib es dazu, zum Beispiel »werte R1 WORT« oder »streiche R1«. "
        "Offen sind R1, R2, R3, R5, R6, R7, R8."
    )
    assert refused("werte RAT", position) == refused("streiche", position) == [missing]
    assert refused("werte R4 OSTER", position)[0].startswith("R4 (ein Wort mit 5 Buchstaben) ist bei dir nicht mehr")


def test_alternative_bare_number_is_ambiguous() -> None:
    """Rulings 2: `werte 4 WORT` may be the box or the length; boxes are R1 to R8."""
    assert "»4« kann das Kästchen oder die Länge" in refused("werte 4 RATE", any_order())[0]
    assert "»4« kann" in refused("streiche 4", any_order())[0]


def test_alternative_special_box_names_the_zero() -> None:
    """Rulings 1.12: `werte chance WORT+WORT / R4`; missing or filled: refused with the open boxes."""
    assert boxes(close("werte chance SO+RAT / R4", any_order())) == {"chance": 9, "R4": 0}
    assert boxes(close("werte yahtzee SENATOR / R8", any_order())) == {"yahtzee": 50, "R8": 0}
    assert boxes(close("werte konsonanten / R2", any_order("WBRCPTV"))) == {"konsonanten": 25, "R2": 0}
    position = any_order(number=2, card=(entry("R4", ("OSTER", 9)),))
    (missing,) = refused("werte chance RAT", position)
    assert missing.endswith("Offen sind bei dir R1, R2, R3, R5, R6, R7, R8.")
    assert refused("werte chance RAT / R4", position)
    assert refused("werte chance RAT / R9", position) == ["»R9« ist kein Kästchen. Die Kästchen heißen R1 bis R8."]


def test_alternative_last_box_needs_no_name() -> None:
    """Decision: where one box is open, it is meant."""
    card = tuple(entry(zero=f"R{n}", number=n) for n in range(1, 8))
    position = any_order(number=8, card=card)
    assert good("werte SO+ER+NA", position).box == "R8"
    assert good("werte chance RAT", position).zero == good("streiche", position).zero == "R8"


def test_alternative_zero_behind_a_numbered_box() -> None:
    """A numbered box costs no zero: what stands behind the slash is remarked on."""
    sheet = read("werte R3 RATE / R2", any_order())
    assert sheet.move
    assert sheet.move.zero == ""
    assert said(sheet.remarks)[0].startswith("R3 (ein Wort mit 4 Buchstaben) kostet keine Null")


def test_alternative_nmr_takes_the_lowest_open_box() -> None:
    """Rulings 2: NMR writes a zero into the lowest open number."""
    position = any_order(number=3, card=(entry("R1", ("AN", 3)), entry(zero="R3")))
    assert boxes(ENGINE.resolve(position, {}, DICE, WORDS).state)["R2"] == 0


def test_standard_zero_may_be_named() -> None:
    """Under the standard rules the zero goes into the round's box, whether it is named or not."""
    assert good("werte chance RAT / R1").zero == "R1"
    assert refused("werte chance RAT / R2") == [
        "Du nennst R2 für die Null; in Runde 1 steht sie in R1 (ein Wort mit 2 Buchstaben)."
    ]


# Doubtful words


def test_doubtful_word_counts_nothing_yet() -> None:
    """Rulings 2: the round is closed with the value provisionally, the card shows it, the GM is told."""
    sheet = read("werte NASO", state(number=3))
    assert sheet.doubtful == ("NASO",)
    after = close("werte NASO", state(number=3))
    player = after.players[0]
    assert card_of(player.card).total == 0
    assert open_points(player.card) == 6
    text = "\n".join(drawn(ENGINE, ENGINE.view(after, SPECTATOR)))
    assert "Wilhelmine B1: NASO (R3, Runde 3) liegt beim GM und zählt noch nicht." in text
    assert "R3 NASO?" in text


@pytest.mark.parametrize(("status", "points", "news"), [("accepted", 6, "zählt jetzt."), ("refused", 0, "gestrichen")])
def test_ruling_corrects_the_card(status: Any, points: int, news: str) -> None:
    """A ruling before the next closing corrects the card of an earlier round, and all are told."""
    after = close("werte NASO", state(number=3))
    ruled = WordSet(["NASO"] if status == "accepted" else [], {} if status == "accepted" else {"NASO": "RULED"})
    later = ENGINE.resolve(after, {}, DICE, ruled)
    assert boxes(later.state)["R3"] == points
    assert any(f"NASO von Wilhelmine B1 {news}" in text or news in text for text in said(e.text for e in later.events))


def test_ruling_after_the_end() -> None:
    """The last turn is resolved again: words of all rounds are judged anew, and `doubtful` names what is open."""
    card = (entry("R3", ("NASO", 6), status="doubtful", number=3),)
    last = state(number=8, card=card)
    ended = ENGINE.resolve(last, {ANNA: good("werte SO+ER+NA", last)}, DICE, WORDS).state
    outcome = ENGINE.outcome(ended)
    assert outcome
    assert (outcome.doubtful, outcome.standings[0].points) == (("NASO",), 9)
    moves = {ANNA: good("werte SO+ER+NA", last)}
    again = ENGINE.resolve(last, moves, DICE, WordSet(["SO", "ER", "NA", "NASO"])).state
    outcome = ENGINE.outcome(again)
    assert outcome
    assert (outcome.doubtful, outcome.standings[0].points) == ((), 15)
    assert any("vorläufig" in line for line in drawn(ENGINE, ENGINE.view(ended, SPECTATOR)))


def test_doubtful_words_are_named_in_board_letters() -> None:
    """The GM rules on board letters: Ü is UE, the star is gone."""
    assert read("werte MÜ*X", state("MX*BBBB", number=2)).doubtful == ("MUEX",)


def test_refused_word_empties_two_and_three_words() -> None:
    """Decision: R7 and R8 need all their words, Chance counts those that stand."""
    words = WordSet(["SO"], {"RAT": "RULED"})
    pair = (("SO", 3), ("RAT", 6))
    for box, left in (("R7", 0), ("chance", 3)):
        position = state(number=8, card=(entry(box, *pair),))
        after = ENGINE.resolve(position, {}, DICE, words).state
        assert boxes(after)[box] == left


def test_struck_yahtzee_word_lets_the_next_one_move_up() -> None:
    """Decision to rulings 1.14 (the 100 needs the 50): the first word that counts is the fifty."""
    card = (
        entry("yahtzee", ("SENATOR", 12), zero="R1", status="doubtful"),
        entry("yahtzee", ("TONERAS", 12), zero="R2"),
    )
    assert (card_of(card).total, open_points(card)) == (50, 100)
    position = state(number=3, card=card)
    after = ENGINE.resolve(position, {}, DICE, WordSet(["TONERAS"], {"SENATOR": "RULED"})).state
    assert card_of(after.players[0].card).total == 50


# What is hidden


def test_dice_and_rolls_are_hidden() -> None:
    """Dice, rolls and their number are for their own seat only, until the round is closed."""
    one, other = state(), state("WBRCPTV", rolls=3)
    same_for_others(Contract(engine=ENGINE), one, other, ANNA)
    assert ENGINE.view(one, ANNA) != ENGINE.view(other, ANNA)


def test_all_eyes_see_the_dice_of_everybody() -> None:
    """The archive of a finished game shows the rolls of a round seat by seat."""
    seen = ENGINE.view(state("WBRCPTV", rolls=3), ALL)
    boards = {grid.seat: grid for section in seen.sections for grid in section.grids}
    assert set(boards) == {player.seat for player in state().players}
    assert "".join(cell.text for cell in boards[ANNA].cells[-1]) == "WBRCPTV"
    assert boards[ANNA].rows == ("1", "2", "3")
    assert seen.seat_facts[ANNA]["dice"] == "WBRCPTV"


def test_words_of_a_finished_game() -> None:
    """After the end every word of a card is listed: with what it is worth, and why it doesn't count."""
    card = (
        entry("R3", ("M*ILD", 6)),
        entry("yahtzee", ("SENATOR", 12), zero="R1", status="refused", number=2),
        entry("yahtzee", ("TONERAS", 12), zero="R2", number=3),
        entry("yahtzee", ("ROSATEN", 12), zero="R4", status="doubtful", number=4),
    )
    view = ENGINE.view(state(card=card, over=True), SPECTATOR)
    mine = [played for played in view.words if played.seat == ANNA]
    assert [(played.word, played.points, played.status) for played in mine] == [
        ("MILD", 6, "accepted"),
        ("SENATOR", 50, "refused"),
        ("TONERAS", 50, "accepted"),
        ("ROSATEN", 100, "doubtful"),
    ]
    assert said(played.where for played in mine[:2]) == ["R3 (Runde 1)", "Yahtzee (Runde 2)"]
    assert [played.why is None for played in mine] == [True, False, True, True]


def test_cards_are_public_after_the_closing() -> None:
    """Decision: when the round is closed all see what lay last, what was entered, and the cards."""
    text = drawn(ENGINE, ENGINE.view(close("werte AN"), BEN))
    assert "Wilhelmine B1  OSRAETN  1  R1 AN        3" in text
    assert any(line.startswith("Wilhelmine B1   3") for line in text)


def test_facts_have_the_dice_of_the_own_seat_only() -> None:
    """`gm show --json` and the archive: plain facts, dice only for their seat."""
    view = ENGINE.view(state(), ANNA, good("werte AN"))
    assert view.seat_facts[ANNA]["dice"] == SENATOR
    assert view.seat_facts[ANNA]["move"] == {"box": "R1", "words": ["AN"], "zero": ""}
    assert "dice" not in view.seat_facts[BEN]
    assert view.facts == {"round": 1, "rounds": 8, "any_order": False}


def test_a_score_on_file_is_shown_to_its_seat() -> None:
    """What is on file stands in the own view, as long as it is for these dice."""
    assert "Wertung: AN = 3" in drawn(ENGINE, ENGINE.view(state(), ANNA, good("werte AN")))
    assert "Gestrichen: R1 (ein Wort mit 2 Buchstaben)" in drawn(ENGINE, ENGINE.view(state(), ANNA, good("streiche")))
    rolled = roll(state(), "behalte A")
    assert not any("liegt vor" in line for line in drawn(ENGINE, ENGINE.view(rolled, ANNA, good("werte AN"))))


def test_twelve_cards_fit() -> None:
    """Twelve full cards with every box filled keep to 72 columns."""
    full = tuple(entry(f"R{n}", ("X", 98), number=n) for n in range(1, 9))
    special = (entry("konsonanten", zero="R1"), entry("vokale", zero="R2"), entry("chance", ("X", 98), zero="R3"))
    special += tuple(entry("yahtzee", ("SENATOR", 12), zero=f"R{n}") for n in range(4, 9))
    cards = [full if n % 2 else special for n in range(1, 13)]
    players = tuple(Player(seat=Seat(n), card=card, rolls=("ABCDEFG",)) for n, card in enumerate(cards, 1))
    position = replace(START, players=players)
    lines = drawn(ENGINE, ENGINE.view(position, SPECTATOR))
    assert max(len(line) for line in lines if line.startswith(("Name", "Wilhelmine"))) <= 72


# Views and stands


def test_stand_grows_with_rounds_and_rolls() -> None:
    """Each roll of a seat and each round is a new position for it, for others only the round."""
    position = state()
    rolled = roll(position, "behalte A")
    closed = ENGINE.resolve(rolled, {}, DICE, WORDS).state
    assert [ENGINE.stand(s, ANNA) for s in (position, rolled, closed)] == [1, 2, 4]
    assert [ENGINE.stand(s, BEN) for s in (position, rolled, closed)] == [1, 1, 4]
    assert ENGINE.stand(replace(START, round=8, over=True, players=()), ANNA) == 24


def test_block_protects_against_repeats() -> None:
    """Rulings 3.11: the block carries the stand and the roll above the order."""
    assert ENGINE.view(state(), ANNA).block == ("Stand: 1", "Wurf 1: O S R A E T N", "behalte")
    assert ENGINE.view(state(rolls=3), ANNA).block == ("Stand: 3", "Wurf 3: O S R A E T N", "werte")
    assert not ENGINE.view(state(), SPECTATOR).block
    assert not ENGINE.view(replace(state(), over=True), ANNA).block


def test_a_card_says_what_was_entered() -> None:
    """Below the points of a box stand its words, or why it is a zero (design/yahtzee-card.html)."""
    card = (entry("chance", ("AN", 3), ("TOR", 5), zero="R1"), entry("R2", ("OB", 6)))
    shown = cards(state(card=card, number=3))
    assert shown.table
    below = dict(zip(said(shown.table.head), shown.table.below[0], strict=True))
    assert (below["R2"], below["Ch"], below["R3"], below["Ges"]) == ("OB", "AN TOR", "", "")
    assert said([below["R1"]]) == ["in Chance"]


def test_how_to_names_what_is_possible() -> None:
    """After the third roll nothing closed is offered; what is filled neither."""
    card = (entry("chance", ("AN", 3), zero="R1"),)
    early, late = (said(ENGINE.view(state(rolls=n, card=card, number=2), ANNA).how_to) for n in (1, 3))
    assert "behalte" in early[0]
    assert not any("behalte" in text or "konsonanten" in text for text in late)
    assert not any("chance" in text for text in early)
    assert any("/ R2" in text for text in said(ENGINE.view(any_order(card=card, number=2), ANNA).how_to))


def test_resign_waits_for_a_standby() -> None:
    """A seat that was left stays, and every round is NMR until a standby comes."""
    three = replace(START, players=tuple(replace(START.players[0], seat=Seat(number)) for number in (1, 2, 3)))
    resolution = ENGINE.resign(three, ANNA, DICE)
    assert ENGINE.give_up(resolution.state, frozenset()) == three
    assert resolution.events[0].readers == EVERYONE
    last = ENGINE.resign(resolution.state, Seat(2), DICE).state
    outcome = ENGINE.outcome(last)
    assert outcome
    assert outcome.winners == (3,)
    assert [line.rank for line in outcome.standings] == [1, 2, 2]


def test_a_game_that_all_leave_has_no_winner() -> None:
    """rulings.md, All games: nobody wins by leaving; the points are shown, and words wait for no ruling any more."""
    doubted = state(number=3, card=(entry("R2", ("NASO", 6), status="doubtful", number=2),))
    left = ENGINE.resign(replace(doubted, players=doubted.players[:1]), ANNA, DICE)
    outcome = ENGINE.outcome(left.state)
    assert outcome
    assert (outcome.winners, outcome.doubtful) == ((), ())
    assert not ENGINE.due(left.state)
    assert "# Endstand" in drawn(ENGINE, ENGINE.view(left.state, ANNA))


def test_everything_is_worded_in_english() -> None:
    """Final views and refusals word in both languages."""
    for position in (close("werte NASO", state(number=3)), replace(close("werte AN"), over=True)):
        for text in texts_of_view(ENGINE.view(position, ANNA)):
            assert worded(ENGINE, text, "en")


def test_all_kinds_of_entries_and_rulings_are_shown() -> None:
    """The table of a round names what was entered, struck words with their reason and note, doubt that came later."""
    card = (entry("R1", ("AN", 3)), entry("R2", ("RAT", 6)), entry("R3", ("RATE", 7)))
    words = WordSet([], {"RAT": "RULED"})
    position = state("WBRCPTV", number=4, card=card)
    closed = ENGINE.resolve(position, {ANNA: good("werte konsonanten", position)}, DICE, words)
    assert "AN von Wilhelmine B1 liegt jetzt beim GM." in said(event.text for event in closed.events)
    text = drawn(ENGINE, ENGINE.view(closed.state, SPECTATOR))
    assert any("Konsonanten, R4 = 0" in line for line in text)
    assert any(line.endswith("RAT (R2) gestrichen: vom GM gestrichen.") for line in text)
    position = state(number=4, card=card)
    struck = ENGINE.resolve(position, {ANNA: good("streiche", position)}, DICE, WORDS)
    final = drawn(ENGINE, ENGINE.view(replace(closed.state, over=True), SPECTATOR))
    assert any("R2 -RAT-" in line for line in final)
    assert any("R4 gestrichen" in line for line in drawn(ENGINE, ENGINE.view(struck.state, SPECTATOR)))


class Noting(WordSet):
    """A judge whose refusals have the GM's words, and a reason nobody knows."""

    def check(self, word: str, profile: str) -> Verdict:  # noqa: ARG002
        """Refuse everything."""
        return Verdict("refused", "STRANGE", note="Mundart")


def test_refusal_with_a_note() -> None:
    """The GM's own words stand behind the reason."""
    assert refused("werte AN", words=Noting()) == ["AN zählt nicht: kein gültiges Wort (Mundart)."]
