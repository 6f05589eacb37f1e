"""Combinato and Combinato-Zahlen by their rule text (seed 004), the rulings and their acceptance examples."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import games.combinato
import games.combinato_zahlen
from games.api import ALL, EVERYONE, SPECTATOR, MoveBlock, Resolution, Seat, Sheet, SignUp
from games.combinato import ENGINE as LETTERS
from games.combinato.letters import DRAWN
from games.combinato.rules import Move, Row, State, count, ruled_out, still_open
from games.combinato_zahlen import ENGINE as FIGURES
from games.dice import Dice
from games.errors import SetupError
from games.kit.testkit import Contract, WordSet, block, drawn, same_for_others, worded
from games.words import Verdict
from gm.lexicon.lexicon import Lexicon, Recorded
from tests.games.rules_pages import in_both_languages

DICE = Dice("seed", 1)
ANNA, BEN = Seat(1), Seat(2)
ENGINES = [LETTERS, FIGURES]
_ACCEPTED = "BILD WADE HERD BALG GARN PELZ TEER RIED QUER BART SEXY MOND PILZ HUND MUND BAER"
WORDS = WordSet(_ACCEPTED.split(), {"USWA": "ABBREVIATION", "ABCD": "STRANGE"})


class Nouns(WordSet):
    """A judge that tells nouns from other words."""

    def check(self, word: str, profile: str) -> Verdict:
        """Refuse QUER and SEXY as secrets."""
        is_noun = profile != "combinato-nouns" or word not in ("QUER", "SEXY")
        return super().check(word, profile) if is_noun else Verdict("refused", "NO_NOUN")


def hidden(first: str = "BILD", second: str = "PELZ", **more: Any) -> State:
    return State(round=1, nouns_only=True, secrets=(first, second), **more)


def read(text: str, position: State, seat: Seat = ANNA, words: Any = WORDS, engine: Any = LETTERS) -> Sheet[Move]:
    return engine.read(position, seat, block(text), words)


def play(position: State, anna: str = "", ben: str = "", engine: Any = LETTERS) -> Resolution[State]:
    """Close a round with what the two send; every block must be accepted."""
    moves = {}
    for seat, text in ((ANNA, anna), (BEN, ben)):
        if text:
            sheet = read(text, position, seat, engine=engine)
            assert sheet.move is not None, said(sheet.problems, engine)
            moves[seat] = sheet.move
    return engine.resolve(position, moves, DICE, WORDS)


def said(texts: Any, engine: Any = LETTERS, language: Any = "de") -> list[str]:
    return [worded(engine, text, language).replace("Wilhelmine B", "B") for text in texts]


def told(resolution: Resolution[State], *readers: Seat, engine: Any = LETTERS) -> list[str]:
    wanted = frozenset(readers) if readers else EVERYONE
    return said((event.text for event in resolution.events if event.readers == wanted), engine)


def ranks(position: State, engine: Any = LETTERS) -> list[tuple[int, int]]:
    outcome = engine.outcome(position)
    assert outcome is not None
    return [(line.rank, line.seat) for line in outcome.standings]


def row(text: str, number: int = 1) -> Row:
    """Read `TEER 1 1` as word, Volltreffer, Treffer."""
    word, full, part = text.split()
    return Row(round=number, word=word, full=int(full), part=int(part))


# A) Das Buchstaben-Spiel


def test_a1_and_a2_the_alphabet() -> None:
    """A 1, 2: both have the whole alphabet to begin with."""
    lines = drawn(LETTERS, LETTERS.view(hidden(), SPECTATOR))
    for seat in (ANNA, BEN):
        assert f"* Noch möglich für Wilhelmine B{seat}: A B C D E F G H I J K L M N O P Q R S T U V W X Y Z" in lines


def test_a3_a_hidden_word_of_four_letters() -> None:
    """A 3: each seat hides a word of four letters, which only it sees."""
    started = LETTERS.start({ANNA: SignUp(), BEN: SignUp()}, LETTERS.rules.options, DICE).state
    assert LETTERS.round(started) == 0
    assert LETTERS.due(started) == {ANNA, BEN}
    assert LETTERS.view(started, ANNA).block == ("Geheim:",)
    closed = play(started, "Geheim: BILD", "geheim: Pelz")
    assert closed.state.secrets == ("BILD", "PELZ")
    assert closed.state.round == 1
    assert closed.events == ()
    assert "Dein Geheimwort: BILD" in drawn(LETTERS, LETTERS.view(closed.state, ANNA))
    assert not any("PELZ" in line for line in drawn(LETTERS, LETTERS.view(closed.state, ANNA)))


@pytest.mark.parametrize("engine", ENGINES)
def test_two_players(engine: Any) -> None:
    """The game is for two."""
    assert engine.rules.seats == (2, 2)
    with pytest.raises(SetupError, match=r"SETUP_FREE.*'seat': 2"):
        engine.start({ANNA: SignUp()}, {}, DICE)
    with pytest.raises(SetupError, match="SETUP_MANY"):
        engine.start({Seat(n): SignUp() for n in (1, 2, 3)}, {}, DICE)


def test_a4_defaults_are_nouns_and_no_letter_twice() -> None:
    """A 4 and 1.15: nouns only, all four letters different; both bind the secret only."""
    assert LETTERS.rules.options == {"nouns_only": True, "repeats": False}
    words = Nouns(_ACCEPTED.split())
    start = LETTERS.start({ANNA: SignUp(), BEN: SignUp()}, LETTERS.rules.options, DICE).state
    assert said(read("Geheim: QUER", start, words=words).problems) == ["QUER ist nicht erlaubt: kein Hauptwort."]
    assert said(read("Geheim: TEER", start, words=words).problems) == [
        "TEER: Im Geheimwort darf kein Buchstabe zweimal vorkommen."
    ]
    assert read("Rat: QUER", hidden(), words=words).move == Move(word="QUER")
    assert read("Rat: TEER", hidden(), words=words).move == Move(word="TEER")


def test_a4_options() -> None:
    """A 4: the players may agree on any word, and on letters that stand twice."""
    free = {"nouns_only": False, "repeats": True}
    start = LETTERS.start({ANNA: SignUp(), BEN: SignUp()}, free, DICE).state
    words = Nouns(_ACCEPTED.split())
    assert read("Geheim: QUER", start, words=words).move == Move(word="QUER")
    assert read("Geheim: TEER", start, words=words).move == Move(word="TEER")
    how = said(LETTERS.view(start, ANNA).how_to)[0]
    assert "ein beliebiges Wort aus vier Buchstaben, auch mit doppelten Buchstaben" in how
    assert "ein Hauptwort in der Grundform" in said(LETTERS.view(State(nouns_only=True), ANNA).how_to)[0]


def test_a5_a_valid_word_a_round_but_not_the_own() -> None:
    """A 5 and 1.15: a valid word of four letters; the own secret is refused, without a hint to anybody else."""
    assert said(read("Rat: BILD", hidden()).problems) == [
        "BILD ist dein eigenes Geheimwort; das darfst du nicht legen."
    ]
    closed = play(hidden(), "MOND", "HUND")
    assert [rows[0].word for rows in closed.state.rows] == ["MOND", "HUND"]


@pytest.mark.parametrize(
    ("secret", "guess", "full", "part"),
    [
        ("BILD", "WADE", 0, 1), ("BILD", "HERD", 1, 0), ("BALG", "GARN", 1, 1), ("PELZ", "TEER", 1, 1),
        ("BILD", "MOND", 1, 0), ("PELZ", "BART", 0, 0), ("BILD", "BILD", 4, 0),
        ("0427", "4422", 2, 2), ("3917", "0123", 0, 2), ("3917", "1379", 0, 4), ("0427", "7310", 0, 2),
    ],
)  # fmt: skip
def test_a6_hits(secret: str, guess: str, full: int, part: int) -> None:
    """A 6 A, B, C, E and the acceptance examples: every oracle of the text, of games.md and of the rulings."""
    assert count(secret, guess) == (full, part)


_letters = st.text("ABCD", min_size=4, max_size=4)


@given(_letters, _letters)
def test_a6_count_by_its_definition(secret: str, guess: str) -> None:
    """A 6: the count agrees with a plain reading of the definition, place by place."""
    marks = []
    for place in range(4):
        if guess[place] == secret[place]:
            marks.append("Volltreffer")
        elif guess[place] in [secret[other] for other in range(4) if other != place]:
            marks.append("Treffer")
    assert count(secret, guess) == (marks.count("Volltreffer"), marks.count("Treffer"))
    assert (count(secret, guess)[0] == 4) == (secret == guess)


@given(_letters, st.lists(_letters, max_size=8))
def test_what_is_ruled_out_is_not_in_the_secret(secret: str, guesses: list[str]) -> None:
    """A 6 D, 8, 10: what the alphabet strikes out never stands in the secret."""
    rows = [Row(round=1, word=guess, full=count(secret, guess)[0], part=count(secret, guess)[1]) for guess in guesses]
    assert not ruled_out(rows) & set(secret)


def test_a6d_a_word_without_a_hit_is_struck_out() -> None:
    """A 6 D and games.md: the bulletin shows each player's alphabet with what such a word rules out."""
    closed = play(hidden(), "BART", "HERD").state
    lines = drawn(LETTERS, LETTERS.view(closed, SPECTATOR))
    assert "* Noch möglich für Wilhelmine B1: . . C D E F G H I J K L M N O P Q . S . U V W X Y Z" in lines
    assert LETTERS.view(closed, SPECTATOR).seat_facts[ANNA]["ruled_out"] == "ABRT"
    assert LETTERS.view(closed, SPECTATOR).seat_facts[BEN]["ruled_out"] == ""


def test_a7_words_of_the_opponent() -> None:
    """A 7 and 1.15: what one has laid the other may not; in one round both may; the own again with a remark."""
    closed = play(hidden(), "TEER", "WADE").state
    assert said(read("TEER", closed, BEN).problems) == [
        "TEER hat B1 in Runde 1 gelegt; in dieser Partie darfst du es nicht mehr nehmen."
    ]
    assert play(hidden(), "MOND", "MOND").state.rows[0][0].word == "MOND"
    again = read("TEER", closed)
    assert again.move == Move(word="TEER")
    assert said(again.remarks) == ["TEER hast du schon einmal gelegt. Das ist erlaubt, bringt aber nichts Neues."]


def test_a8_and_a9_what_is_still_open() -> None:
    """A 9 (its misprint put right, 1.15): RIED with one hit, QUER with none, leaves I or D."""
    rows = (row("RIED 0 1"), row("QUER 0 0", 2))
    assert still_open("RIED", ruled_out(rows)) == ".I.D"
    lines = drawn(LETTERS, LETTERS.view(hidden(rows=(rows, ())), SPECTATOR))
    assert "1 R I E D   0 1   . I . D" in lines
    assert "2 Q U E R   0 0   . . . ." in lines


def test_a_guess_is_drawn_with_its_pegs() -> None:
    """Issue 28: a peg for each full hit, then a ring for each hit, then holes; what is ruled out is marked."""
    rows = (row("RIED 1 2"), row("QUER 0 0", 2))
    board = LETTERS.view(hidden(rows=(rows, ())), SPECTATOR).sections[1].grids[0]
    assert board.look == "pegs"
    assert [cell.mark for cell in board.cells[0][4:]] == ["full", "ring", "ring", ""]
    assert [cell.mark for cell in board.cells[0][:4]] == ["idle", "", "idle", ""]


@pytest.mark.parametrize("over", [False, True])
def test_the_last_guess_is_drawn_as_new(over: bool) -> None:
    """Issue 28: what the last closed round has brought is marked; after the end that is the round it ended in."""
    rows = (row("RIED 1 2"), row("QUER 0 0", 2), row("TEER 1 1", 3))
    board = LETTERS.view(replace(hidden(rows=(rows, ())), round=3 if over else 4, over=over), SPECTATOR)
    (grid,) = board.sections[1].grids
    assert [[cell.new for cell in cells[:4]] for cells in grid.cells] == [[False] * 4, [False] * 4, [True] * 4]


def test_a11_first_to_find_wins() -> None:
    """A 11: who finds the word first has won; the other one's guess of that round is answered all the same."""
    closed = play(hidden(), "PELZ", "MOND")
    assert closed.state.over
    assert ranks(closed.state) == [(1, ANNA), (2, BEN)]
    assert told(closed) == [
        "B1 legt PELZ: 4 Volltreffer, kein Treffer.",
        "B2 legt MOND: ein Volltreffer, kein Treffer.",
        "B1 hat das Geheimwort gefunden: PELZ.",
    ]
    assert LETTERS.due(closed.state) == frozenset()
    assert play(hidden(), "MOND", "BILD").state.has_found(BEN)


def test_a12_the_service_answers() -> None:
    """A 12 is moot (1.15): answers are counted, never sent."""
    position = hidden()
    for guess in ("TEER", "BART", "HUND"):
        position = play(position, guess, "MOND").state
    assert all((row.full, row.part) == count("PELZ", row.word) for row in position.rows[0])


def test_a13_twelve_rows_are_shown() -> None:
    """A 13 and rulings 2: the top row is no longer drawn, numbers go on, and what was laid stays laid (1.15)."""
    rows = tuple(row(f"{word} 0 1", n) for n, word in enumerate((*DRAWN[:13], "TEER"), 1))
    position = hidden(rows=(rows, ()))
    (board,) = LETTERS.view(position, BEN).sections[1].grids
    assert board.rows == tuple(map(str, range(3, 15)))
    assert "* Die ersten Zeilen (2) zeige ich nicht mehr; sie gelten weiter." in drawn(
        LETTERS, LETTERS.view(position, BEN)
    )
    words = WordSet([*_ACCEPTED.split(), *DRAWN])
    assert [text.code for text in read(DRAWN[0], position, BEN, words).problems] == ["LAID_BY_OTHER"]
    (final,) = LETTERS.view(replace(position, over=True), SPECTATOR).sections[1].grids
    assert len(final.rows) == 14


def test_a14_tactics() -> None:
    """A 14: the openings of the text are guesses; BART, SEXY, MOND, PILZ ask for sixteen letters."""
    assert len(set("BARTSEXYMONDPILZ")) == 16
    assert all(read(word, hidden()).move for word in ("BART", "SEXY", "MOND", "PILZ", "HUND", "MUND"))


# B) Das Zahlen-Spiel


def test_b1_to_b3_figures() -> None:
    """B 1 to 3: figures 0 to 9, a hidden number of four, and the row of figures to strike out."""
    start = FIGURES.start({ANNA: SignUp(), BEN: SignUp()}, {}, DICE).state
    closed = play(start, "Geheim: 0427", "3 9 1 7", engine=FIGURES)
    assert closed.state.secrets == ("0427", "3917")
    after = play(closed.state, "2468", "1000", engine=FIGURES).state
    lines = drawn(FIGURES, FIGURES.view(after, SPECTATOR))
    assert "* Noch möglich für Wilhelmine B1: 0 1 . 3 . 5 . 7 . 9" in lines
    assert "1 2 4 6 8   0 0   . . . ." in lines


def test_b4_all_different_unless_agreed() -> None:
    """B 4: the figures of the secret differ; the option allows double ones; guesses may repeat."""
    start = FIGURES.start({ANNA: SignUp(), BEN: SignUp()}, {}, DICE).state
    assert said(read("Geheim: 4422", start, engine=FIGURES).problems, FIGURES) == [
        "4422: In der Geheimzahl darf keine Ziffer zweimal vorkommen."
    ]
    assert read("Geheim: 0427", start, engine=FIGURES).move == Move(word="0427")
    agreed = FIGURES.start({ANNA: SignUp(), BEN: SignUp()}, {"repeats": True}, DICE).state
    assert read("Geheim: 4422", agreed, engine=FIGURES).move == Move(word="4422")
    assert read("4422", hidden("0427", "3917"), engine=FIGURES).move == Move(word="4422")


def test_b5_the_rest_as_in_the_letter_game() -> None:
    """B 5: the own number and what the other one has laid are refused; first to find wins."""
    position = hidden("0427", "3917", rows=((row("0123 0 2"),), ()))
    assert said(read("0427", position, engine=FIGURES).problems, FIGURES) == [
        "0427 ist deine eigene Geheimzahl; die darfst du nicht legen."
    ]
    assert said(read("0123", position, BEN, engine=FIGURES).problems, FIGURES) == [
        "0123 hat B1 in Runde 1 gelegt; in dieser Partie darfst du sie nicht mehr nehmen."
    ]
    assert ranks(play(position, "3917", "7310", engine=FIGURES).state, FIGURES) == [(1, ANNA), (2, BEN)]


# Acceptance examples (rulings 4)


def test_acceptance_combinato() -> None:
    """Rulings 4: Anna BILD, Ben PELZ, three rounds, and the variant in which Anna wins."""
    first = play(hidden(), "TEER", "WADE")
    assert told(first) == [
        "B1 legt TEER: ein Volltreffer, ein Treffer.",
        "B2 legt WADE: kein Volltreffer, ein Treffer.",
    ]
    assert [text.code for text in read("TEER", first.state, BEN).problems] == ["LAID_BY_OTHER"]
    assert [text.code for text in read("BILD", first.state, ANNA).problems] == ["OWN_SECRET"]
    assert [text.code for text in read("PELZ", first.state, BEN).problems] == ["OWN_SECRET"]
    second = play(first.state, "BART", "HERD")
    assert told(second) == [
        "B1 legt BART: kein Volltreffer, kein Treffer.",
        "B2 legt HERD: ein Volltreffer, kein Treffer.",
    ]
    assert LETTERS.view(second.state, BEN).seat_facts[ANNA]["ruled_out"] == "ABRT"
    draw = play(second.state, "PELZ", "BILD")
    assert ranks(draw.state) == [(1, ANNA), (1, BEN)]
    assert told(draw)[-1] == "Beide haben das Geheimwort in derselben Runde gefunden: unentschieden."
    won = play(second.state, "PELZ", "MOND")
    assert ranks(won.state) == [(1, ANNA), (2, BEN)]
    assert "B2 legt MOND: ein Volltreffer, kein Treffer." in told(won)


def test_acceptance_numbers() -> None:
    """Rulings 4: Anna 0427, Ben 3917."""
    first = play(hidden("0427", "3917"), "0123", "4422", engine=FIGURES)
    assert told(first, engine=FIGURES) == [
        "B1 legt 0123: kein Volltreffer, 2 Treffer.", "B2 legt 4422: 2 Volltreffer, 2 Treffer."
    ]  # fmt: skip
    second = play(first.state, "1379", "7310", engine=FIGURES)
    assert told(second, engine=FIGURES) == [
        "B1 legt 1379: kein Volltreffer, 4 Treffer.", "B2 legt 7310: kein Volltreffer, 2 Treffer."
    ]  # fmt: skip
    third = play(second.state, "3917", "0129", engine=FIGURES)
    assert told(third, engine=FIGURES)[-1] == "B1 hat die Geheimzahl gefunden: 3917."
    assert ranks(third.state, FIGURES) == [(1, ANNA), (2, BEN)]


# Rulings: round 0


@pytest.mark.parametrize(("engine", "word", "other"), [(LETTERS, "BILD", "MOND"), (FIGURES, "0427", "0429")])
def test_equal_secrets_are_sent_back(engine: Any, word: str, other: str) -> None:
    """1.15: equal secrets go back to both without a reason; round 0 goes on, and that word can't come again."""
    closed = play(State(), word, word, engine=engine)
    assert (closed.state.round, closed.state.secrets) == (0, ("", ""))
    assert [event.readers for event in closed.events] == [frozenset({ANNA, BEN})]
    assert engine.stand(closed.state, ANNA) > engine.stand(State(), ANNA)
    assert engine.due(closed.state) == {ANNA, BEN}
    assert [text.code for text in read(f"Geheim: {word}", closed.state, engine=engine).problems] == ["TAKE_ANOTHER"]
    again = play(closed.state, f"Geheim: {other}", engine=engine)
    assert again.state.round == 1
    assert again.state.secrets[0] == other
    assert again.state.secrets[1] not in (other, word, "")


@pytest.mark.parametrize("engine", ENGINES)
def test_a_missing_secret_is_drawn(engine: Any) -> None:
    """1.15: no secret by the ZAT: drawn from the seed, told to that seat only; never equal to the other one."""
    start = engine.start({ANNA: SignUp(), BEN: SignUp()}, engine.rules.options, DICE).state
    words = WordSet([*_ACCEPTED.split(), *DRAWN])
    for seed in map(str, range(20)):
        closed = engine.resolve(start, {}, Dice(seed, 1), words)
        first, second = closed.state.secrets
        assert first != second
        assert len(set(first)) == 4
        assert not read(f"Geheim: {first}", start, words=words, engine=engine).problems
        for seat, word in ((ANNA, first), (BEN, second)):
            (private,) = told(closed, seat, engine=engine)
            assert private == f"Für dich habe ich {word} gezogen."
        assert not any(first in text or second in text for text in told(closed, engine=engine))
        assert closed == engine.resolve(start, {}, Dice(seed, 1), words)


def test_a_secret_is_drawn_without_the_word_list() -> None:
    """`gm verify`: a replay knows the verdicts of that day, not the list; the same word must come out."""
    start = State(nouns_only=True)

    class Judge(WordSet):
        asked: dict[str, Verdict]

        def check(self, word: str, profile: str) -> Verdict:
            self.asked[f"{profile}/{word}"] = super().check(word, profile)
            return self.asked[f"{profile}/{word}"]

    judge = Judge(DRAWN[::3])
    judge.asked = {}
    closed = LETTERS.resolve(start, {}, Dice("replay", 1), judge)
    assert set(closed.state.secrets) <= set(DRAWN[::3])
    assert LETTERS.resolve(start, {}, Dice("replay", 1), Recorded(judge.asked)) == closed
    assert all(LETTERS.resolve(start, {}, Dice("none", 1), WordSet()).state.secrets)


def test_drawn_words_are_good_secrets() -> None:
    """1.15: what may be drawn are plain nouns that our list accepts as secrets and as guesses."""
    lexicon = Lexicon()
    assert len(set(DRAWN)) == len(DRAWN) > 100
    assert [word for word in DRAWN if LETTERS.variant.secret_problems(word, State(nouns_only=True), lexicon)] == []
    assert [word for word in DRAWN if LETTERS.variant.guess_problems(word, lexicon)] == []


def test_a_secret_may_change_until_round_0_closes_never_after() -> None:
    """Rulings 2: a new `Geheim` is possible in round 0; later it is refused, or ignored beside a guess."""
    assert read("Geheim: MOND", State(nouns_only=True)).move == Move(word="MOND")
    assert "Dein Geheimwort liegt vor: BILD. Bis Runde 0 schließt, kannst du es ändern." in drawn(
        LETTERS, LETTERS.view(State(), ANNA, Move(word="BILD"))
    )
    assert said(read("Geheim: MOND", hidden()).problems) == [
        "Dein Geheimwort steht fest und bleibt bis zum Ende. Geraten wird mit »Rat: ...«."
    ]
    both = read("Geheim: MOND\nHUND", hidden())
    assert both.move == Move(word="HUND")
    assert said(both.remarks) == ["»Geheim:« bewirkt nichts mehr: Dein Geheimwort steht fest."]


def test_no_guess_before_the_secrets() -> None:
    """Rulings 2: round 0 is for the secrets; a naked word is taken for one."""
    assert [text.code for text in read("Rat: MOND", State()).problems] == ["SECRET_FIRST"]
    assert read("MOND", State()).move == Move(word="MOND")


# Rulings: NMR and the end


def test_one_finds_it_the_other_sends_nothing() -> None:
    """Rulings 2: one finds it, the other had NMR: a win."""
    closed = play(hidden(), "PELZ")
    assert ranks(closed.state) == [(1, ANNA), (2, BEN)]
    assert "B2 rät nicht (NMR)." in told(closed)


def test_nmr_uses_up_no_row() -> None:
    """Rulings 2: the round counts, its row is empty, no rows are used up."""
    closed = play(hidden(), "MOND").state
    assert closed.round == 2
    assert (closed.rows[1], closed.missed) == ((), ((), (1,)))
    lines = drawn(LETTERS, LETTERS.view(closed, SPECTATOR))
    assert "* NMR: Runde 1 (Wilhelmine B2)" in lines
    assert LETTERS.view(closed, SPECTATOR).seat_facts[BEN]["nmr"] == [1]


def test_three_silent_rounds_are_a_draw() -> None:
    """games.md: three rounds in a row without any guess: a draw."""
    position = play(play(hidden()).state).state
    assert not position.over
    assert not play(position, "MOND").state.over
    closed = play(position)
    assert closed.state.over
    assert ranks(closed.state) == [(1, ANNA), (1, BEN)]
    assert told(closed)[-1] == "In 3 Runden hintereinander hat niemand geraten: unentschieden."
    assert LETTERS.resolve(closed.state, {}, DICE, WORDS).state == closed.state
    assert said(read("MOND", closed.state).problems) == ["Die Partie ist zu Ende."]


def test_who_is_left_alone_has_won() -> None:
    """rulings.md, All games: one seat left in play has won, and the game ends at once."""
    left = LETTERS.resign(hidden(), BEN, DICE)
    outcome = LETTERS.outcome(left.state)
    assert outcome
    assert (outcome.winners, ranks(left.state)) == ((ANNA,), [(1, ANNA), (2, BEN)])
    assert told(left) == ["B2 scheidet aus.", "Nur B1 ist noch im Spiel und gewinnt."]
    assert said([outcome.how]) == ["gewinnt"]
    assert any("ausgeschieden" in line for line in drawn(LETTERS, LETTERS.view(left.state, SPECTATOR)))


def test_who_gave_up_wins_with_no_guess_on_file() -> None:
    """rulings.md, All games: a guess on file of a seat that was given up finds the secret, but doesn't win."""
    marked = LETTERS.give_up(hidden(), frozenset({BEN}))
    closed = play(marked, "MOND", "BILD")
    outcome = LETTERS.outcome(closed.state)
    assert outcome
    assert outcome.winners == (ANNA,)
    assert told(closed)[-1] == "Nur B1 ist noch im Spiel und gewinnt."


def test_a_winner_has_a_round_and_no_points() -> None:
    """rulings.md, Combinato: "gewinnt in Runde 5", never with points; a draw has no winner."""
    won, drew = (LETTERS.outcome(play(hidden(), "PELZ", guess).state) for guess in ("MOND", "BILD"))
    assert won
    assert drew
    assert (won.winners, drew.winners) == ((ANNA,), ())
    assert said([won.how, drew.how]) == ["gewinnt in Runde 1", "unentschieden"]
    assert [(line.points, line.guesses) for line in won.standings] == [(None, 1), (None, 1)]


def test_the_final_view_shows_all() -> None:
    """Brief: both secrets, all rows, and who has won."""
    lines = drawn(LETTERS, LETTERS.view(play(hidden(), "PELZ", "MOND").state, SPECTATOR))
    assert lines[:4] == [
        "# Endstand",
        "Pl.  Name           Geheimwort  Geraten",
        "1    Wilhelmine B1  BILD        1        SIEGER",
        "2    Wilhelmine B2  PELZ        1",
    ]
    draw = drawn(LETTERS, LETTERS.view(play(hidden(), "PELZ", "BILD").state, SPECTATOR))
    assert sum("unentschieden" in line for line in draw) == 2


# Notation (rulings 3.12, 3.17) and refusals


@pytest.mark.parametrize(
    "line",
    [
        "MOND",
        "mond",
        "Mond!",
        "»Mond«",
        "*MOND*",
        "M O N D",
        "Rat: MOND",
        "rat:mond",
        "Tipp: Mond.",
        "Guess: MOND",
        "Mein Tipp: MOND",
        "Ich rate: Mond",
        "Ich tippe = MOND",
        "Mein Tipp ist: MOND",
        "My guess: MOND",
    ],
)
def test_ways_to_write_a_guess(line: str) -> None:
    """Rulings 3.12: a naked line or `Rat:`, in any case."""
    assert read(line, hidden()).move == Move(word="MOND")


def test_umlauts_are_two_letters() -> None:
    """Rulings 2: BÄR is BAER and has four letters; for the count A and E are letters of their own."""
    sheet = read("Bär", hidden())
    assert sheet.move == Move(word="BAER")
    assert [said(pair) for pair in sheet.summary] == [["Dein Rat", "BAER"]]
    assert count("BAER", "WADE") == (1, 1)


def test_a_signature_of_four_letters() -> None:
    """Rulings 3.12: two lines that may be guesses are refused with both shown; `Rat:` wins over naked lines."""
    sheet = read("MOND\nHans", hidden())
    assert said(sheet.problems)[0] == (
        "Ich lese mehr als ein Wort: MOND, HANS. Schick nur eines, am besten als »Rat: ...« oder »Geheim: ...«."
    )
    assert sheet.offer == ("Rat: MOND",)
    labelled = read("Rat: MOND\nHans", hidden())
    assert labelled.move == Move(word="MOND")
    assert said(labelled.remarks) == ["Nicht gelesen: »Hans«."]
    assert read("MOND\nViele Grüße", hidden()).move == Move(word="MOND")
    assert [text.code for text in read("Rat: MOND\nRat: HUND", hidden()).problems] == ["SEVERAL"]
    assert read("MOND\nmond", hidden()).move == Move(word="MOND")
    numbers = read("0123\n1999", hidden("0427", "3917"), engine=FIGURES)
    assert said(numbers.problems, FIGURES)[0].startswith("Ich lese mehr als eine Zahl: 0123, 1999.")
    assert read("Rat: 0123\n1999", hidden("0427", "3917"), engine=FIGURES).move == Move(word="0123")


@pytest.mark.parametrize("engine", ENGINES)
def test_the_unedited_template_is_no_move(engine: Any) -> None:
    """Rulings 3.14: the block as we sent it is nothing, and no fault."""
    for position in (State(), hidden()):
        view = engine.view(position, ANNA)
        sheet = engine.read(position, ANNA, MoveBlock(lines=view.block), WORDS)
        assert (sheet.move, sheet.problems) == (None, ())


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("MONDE", "MONDE: Es müssen vier Buchstaben sein, nicht 5 (Ä, Ö, Ü sind AE, OE, UE)."),
        ("Rat: OB", "OB: Es müssen vier Buchstaben sein, nicht 2 (Ä, Ö, Ü sind AE, OE, UE)."),
        ("M0ND", "»M0ND«: Gesucht ist ein Wort aus vier Buchstaben, A bis Z, Umlaute als AE, OE, UE."),
        (
            "URBS",
            "URBS kennt unsere Wörterliste nicht. Lass den GM entscheiden oder nimm ein anderes Wort.",
        ),
        ("USWA", "USWA ist nicht erlaubt: Abkürzung."),
        ("ABCD", "ABCD ist nicht erlaubt: kein gültiges Wort."),
        ("Runde: 3\nMOND", "Der Block nennt Runde »3«, gespielt wird Runde 1. Bitte die Zeile ändern oder weglassen."),
    ],
)  # fmt: skip
def test_refused_guesses(line: str, problem: str) -> None:
    """Brief and rulings 3.17: every fault in a sentence; an unknown word is never a silent no."""
    sheet = read(line, hidden())
    assert said(sheet.problems) == [problem]
    assert sheet.move is None
    assert sheet.doubtful == (("URBS",) if line == "URBS" else ())


def test_the_round_of_now_may_be_named() -> None:
    """Rulings 3.17: `Runde: 1` in round 1 does no harm."""
    assert read("Runde: 1\nMOND", hidden()).move == Move(word="MOND")


def test_rulings_of_the_gm_are_quoted() -> None:
    """A GM's note, and a doubt of the list, are said with the reason."""

    class Noted(WordSet):
        def check(self, word: str, profile: str) -> Verdict:  # noqa: ARG002
            if word == "UNOS":
                return Verdict("doubtful", "ABBREVIATION")
            return Verdict("refused", "RULED", note="kein Deutsch")

    assert said(read("MOND", hidden(), words=Noted()).problems) == [
        "MOND ist nicht erlaubt: vom GM gestrichen (kein Deutsch)."
    ]
    assert said(read("UNOS", hidden(), words=Noted()).problems) == [
        "UNOS ist fraglich (Abkürzung): Unsere Wörterliste kennt es nicht als Wort. "
        "Lass den GM entscheiden oder nimm ein anderes."
    ]


def test_refused_numbers() -> None:
    """The Zahlen-Spiel words its refusals for numbers."""
    position = hidden("0427", "3917")
    assert said(read("12345", position, engine=FIGURES).problems, FIGURES) == [
        "12345: Es müssen vier Ziffern sein, nicht 5."
    ]
    assert said(read("MOND", position, engine=FIGURES).problems, FIGURES) == [
        "»MOND«: Gesucht ist eine Zahl aus vier Ziffern, zum Beispiel 0427."
    ]
    assert read("²345", position, engine=FIGURES).problems


# Views and secrecy


@pytest.mark.parametrize(
    ("engine", "one", "two"), [(LETTERS, "BILD", "MOND"), (FIGURES, "0427", "0429")], ids=["letters", "figures"]
)
def test_a_secret_is_seen_by_its_seat_only(engine: Any, one: str, two: str) -> None:
    """Secrecy: another secret of a seat changes nothing for the other seat and for those who watch."""
    rows = ((row("TEER 1 1"),), ())
    states = [hidden(secret, "3917", rows=rows) for secret in (one, two)]
    same_for_others(Contract(engine=engine), *states, ANNA)
    for watched in (BEN, SPECTATOR):
        assert "secret" not in engine.view(states[0], watched).seat_facts[ANNA]
    assert engine.view(states[0], ANNA).seat_facts[ANNA]["secret"] == one
    assert engine.view(states[0], SPECTATOR).how_to == ()


@pytest.mark.parametrize("engine", ENGINES, ids=["letters", "figures"])
def test_all_eyes_see_secrets(engine: Any) -> None:
    """The archive of a finished game shows both secrets at once, and those that were sent back."""
    seen = engine.view(hidden("0427", "3917", returned=("0815",)), ALL)
    lines = [line for section in seen.sections for line in said(section.lines, engine)]
    assert lines[-3:] == ["B1: 0427", "B2: 3917", "0815"]
    assert engine.view(State(), ALL).sections == engine.view(State(), SPECTATOR).sections
    over = engine.view(hidden("0427", "3917", returned=("0815",), over=True), ALL)
    assert said(over.sections[-1].lines, engine) == ["0815"]


def test_words_of_a_finished_game() -> None:
    """After the end secrets and guesses are listed as words; numbers are none."""
    rows = ((row("TEER 1 1"), row("PELZ 4 0", 2)), ())
    words = LETTERS.view(hidden(rows=rows, over=True), SPECTATOR).words
    assert [(played.seat, played.word, said([played.where])[0]) for played in words] == [
        (ANNA, "BILD", "Geheimwort"),
        (BEN, "PELZ", "Geheimwort"),
        (ANNA, "TEER", "Runde 1"),
        (ANNA, "PELZ", "Runde 2"),
    ]
    assert LETTERS.view(hidden(rows=rows), SPECTATOR).words == ()
    assert FIGURES.view(hidden("0427", "3917", rows=rows, over=True), SPECTATOR).words == ()


def test_a_guess_on_file_is_seen_by_its_seat_only() -> None:
    """Both guesses are revealed together; until then each sees its own."""
    mine = LETTERS.view(hidden(), ANNA, Move(word="MOND"))
    assert "Dein Rat für Runde 1 liegt vor: MOND." in drawn(LETTERS, mine)
    assert mine.seat_facts[ANNA]["move"] == "MOND"
    assert LETTERS.view(hidden(), SPECTATOR, Move(word="MOND")) == LETTERS.view(hidden(), SPECTATOR)
    assert LETTERS.act(hidden(), ANNA, Move(word="MOND"), DICE, WORDS) is None


def test_view_says_the_round_and_how_to_move() -> None:
    """Brief: round and copy block; no headline, as no bulletin is about a single turn."""
    view = LETTERS.view(hidden(), ANNA)
    assert view.headline is None
    assert view.block == ("Rat:",)
    assert view.facts == {"round": 1, "over": False, "nouns_only": True, "repeats": False}
    assert LETTERS.stand(hidden(), ANNA) == 2


@pytest.mark.parametrize("engine", ENGINES)
def test_suggested_guesses_agree_with_the_answers(engine: Any) -> None:
    """Brief: `suggest` guesses what can still be the secret; without any word it says nothing."""
    secret = "PELZ" if engine is LETTERS else "3917"
    position = hidden("BILD" if engine is LETTERS else "0427", secret)
    words = WordSet([*_ACCEPTED.split(), *DRAWN])
    for number in range(40):
        lines = engine.suggest(position, ANNA, Dice("guess", number), words)
        guess = lines[0].removeprefix("Rat: ")
        assert all(count(guess, old.word) == (old.full, old.part) for old in position.rows[0])
        position = engine.resolve(position, {ANNA: Move(word=guess)}, DICE, words).state
        if position.over:
            break
    assert position.has_found(ANNA)
    assert LETTERS.suggest(hidden(), ANNA, DICE, WordSet()) == ()
    assert LETTERS.suggest(State(), ANNA, DICE, WordSet()) == ()


def test_suggested_guesses_tell_most() -> None:
    """Guesses are chosen that leave few secrets: any one that agrees with the answers takes four rounds on average."""
    words, rounds = WordSet(DRAWN), 0
    for secret in DRAWN[1:]:
        position = State(round=1, secrets=(DRAWN[0], secret))
        while not position.over:
            (line,) = LETTERS.suggest(position, ANNA, Dice(f"a{secret}", position.round), words)
            position = LETTERS.resolve(position, {ANNA: Move(word=line.removeprefix("Rat: "))}, DICE, words).state
            rounds += 1
    assert rounds / len(DRAWN) < 3.85


def test_suggested_secrets_are_plain_words() -> None:
    """A list has words that nobody would hide; those that are drawn for who sends none are fit for everybody."""
    words = WordSet(["YONI", "ZWOE", "ULKT", *DRAWN[:3]])
    for number in range(30):
        (line,) = LETTERS.suggest(State(), ANNA, Dice("hide", number), words)
        assert line.removeprefix("Geheim: ") in DRAWN[:3]
    assert LETTERS.suggest(State(), ANNA, DICE, WordSet(["YONI"])) == ("Geheim: YONI",)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000), st.lists(st.sampled_from(["both", "one", "none"]), min_size=1, max_size=12))
def test_whole_games(seed: int, plan: list[str]) -> None:
    """Whatever is missing, a game of either kind ends, and its answers are those of the secrets."""
    for engine in ENGINES:
        position = engine.start({ANNA: SignUp(), BEN: SignUp()}, engine.rules.options, Dice(str(seed), 0)).state
        for step in range(100):
            if position.over:
                break
            seats = {"both": (ANNA, BEN), "one": (BEN,), "none": ()}[plan[step % len(plan)]]
            words, moves = WordSet([*_ACCEPTED.split(), *DRAWN]), {}
            for seat in seats:
                lines = engine.suggest(position, seat, Dice(f"{seed}/{seat}", step), words)
                moves[seat] = engine.read(position, seat, MoveBlock(lines=lines), words).move
                assert moves[seat] is not None
            position = engine.resolve(position, moves, Dice(str(seed), step), words).state
        assert position.over
        for rows, secret in zip(position.rows, reversed(position.secrets), strict=True):
            assert all((one.full, one.part) == count(secret, one.word) for one in rows)


# Pages and texts


def test_rules_pages() -> None:
    """The rules pages have both languages, the options and the examples of the text, without its misprint."""
    for package, words in (
        (games.combinato, ["WADE", "HERD", "GARN", "TEER", "nouns_only", "repeats", "NMR", "# Combinato: rules"]),
        (games.combinato_zahlen, ["4422", "repeats", "0427", "NMR", "# Combinato-Zahlen: rules"]),
    ):
        page = in_both_languages(package)
        assert [word for word in words if word not in page] == []
        assert "E oder I" not in page


def test_the_zahlen_spiel_words_what_combinato_does() -> None:
    """It words nothing that Combinato hasn't."""
    assert set(FIGURES.wording) == set(LETTERS.wording)
