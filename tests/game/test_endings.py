"""From the last round over rulings to the final scores; and `gm verify` replays the record."""

from datetime import timedelta
from typing import Any

import pytest

from games import engine
from gm.demo.in_memory_zine import PLAYERS, address_of, write_mail
from gm.game.replay import verify
from gm.requests.desk import actions
from gm.store.queries import game_queries
from gm.store.tables import Question, Sheet, Turn

ANNA, BERND = PLAYERS[:2]
LIST = "rot+dni / in 6\nSumme 6\n"
GM = "cici@postspiel.example"


def play(zine: Any, words: str = LIST) -> Any:
    """Play the last round: Anna, whose grid has ROTDNI and ORE, lists words, everybody else is silent."""
    zine.writes(ANNA, zine.block(ANNA, "", None) + words)
    zine.tick()
    zine.mails()
    zine.passes_until(zine.zat, seconds=1)
    zine.tick()
    return zine


@pytest.fixture
def last_round(begin: Any) -> Any:
    """Eriwan in round 6."""
    return begin("last round")


@pytest.fixture
def provisional(begin: Any) -> Any:
    """Eriwan after its last round; DNI is doubtful."""
    return begin("provisional")


def faults(zine: Any) -> list[str]:
    """Replay the game and list what differs."""
    with zine.app.database.read() as session:
        return verify(zine.app, session, game_queries.named(session, "Eriwan"))


def rule(zine: Any, word: str, accepted: bool, *, note: str = "", house: bool = False) -> list[tuple[str, Any]]:
    """Rule on a word, and return the mails that go out."""
    zine.mails()
    actions.rule(zine.app, "Eriwan", [word], accepted, note, house)
    zine.tick()
    return zine.mails()  # type: ignore[no-any-return]


def points(zine: Any) -> dict[str, int]:
    """Return the points by player."""
    return {row["player"]: row["points"] for row in zine.show()["standings"]}


def test_a_doubtful_word_makes_the_result_provisional(last_round: Any) -> None:
    """With a doubtful word the scores are provisional, all are told so, and the GM gets the lines to rule with."""
    provisional = play(last_round)
    sent = provisional.mails()
    assert provisional.status == "provisional"
    assert provisional.show()["doubtful"] == ["dni"]
    assert points(provisional)[ANNA] == 3
    finals = {recipient: mail for recipient, mail in sent if recipient != GM}
    assert set(finals) == set(map(address_of, PLAYERS))
    assert all("Endstand (vorläufig)" in mail.subject for mail in finals.values())
    (asked,) = (mail for recipient, mail in sent if recipient == GM)
    for line in ("gm rule Eriwan accept DNI", "gm rule Eriwan reject DNI"):
        assert line in asked.text


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize(("accepted", "expected"), [(True, 6), (False, 4)])
def test_the_last_ruling_makes_it_final(provisional: Any, accepted: bool, expected: int) -> None:
    """An accepted word counts, a rejected one is replaced; the final scores go out once and the record verifies."""
    sent = rule(provisional, "DNI", accepted)
    assert provisional.status == "finished"
    assert points(provisional) == {ANNA: expected} | dict.fromkeys(PLAYERS[1:], 0)
    assert sorted(recipient for recipient, _ in sent) == sorted(map(address_of, PLAYERS))
    subjects = {mail.subject for _, mail in sent}
    assert len(subjects) == 1
    assert "vorläufig" not in subjects.copy().pop()
    assert "Fassung" not in subjects.pop()
    provisional.tick()
    assert provisional.nothing_new()
    assert faults(provisional) == []


def test_two_doubtful_words_are_ruled_one_by_one(last_round: Any) -> None:
    """While one word is still doubtful nothing is mailed; the corrected scores go out with the last ruling."""
    zine = play(last_round, "rot+dni / in 6\nore 3\n")
    assert zine.show()["doubtful"] == ["dni", "ore"]
    assert rule(zine, "ORE", True) == []
    assert (zine.status, zine.show()["doubtful"]) == ("provisional", ["dni"])
    assert len(rule(zine, "DNI", True)) == 6
    assert points(zine)[ANNA] == 9
    assert faults(zine) == []


def test_a_doubtful_substitute_is_ruled_on_after_the_word(last_round: Any) -> None:
    """Where the substitute is doubtful too, the game stays provisional until both are ruled on."""
    zine = play(last_round, "dni / otd 3\n")
    assert rule(zine, "DNI", False) == []
    assert (zine.status, zine.show()["doubtful"]) == ("provisional", ["otd"])
    assert len(rule(zine, "OTD", True)) == 6
    assert points(zine)[ANNA] == 3
    assert faults(zine) == []


def test_a_listed_substitute_needs_no_ruling(last_round: Any) -> None:
    """A substitute that the list knows counts with the refusal of its word, whichever way it is read."""
    zine = play(last_round, "dni / tor 3\n")
    assert len(rule(zine, "DNI", False)) == 6
    assert points(zine)[ANNA] == 3


def test_a_ruling_after_the_end_makes_version_2(provisional: Any) -> None:
    """An appeal corrects final scores: a second version goes out that says what has changed and why."""
    rule(provisional, "DNI", True)
    sent = rule(provisional, "ROT", False, note="Farbe")
    assert provisional.status == "finished"
    assert points(provisional)[ANNA] == 3
    assert len(sent) == 6
    mail = dict(sent)[address_of(ANNA)]
    assert "2. Fassung" in mail.subject
    assert "ROT zählt nicht (Farbe)" in provisional.said(mail)
    assert [turn.version for turn in provisional.rows(Turn) if turn.number == 6] == [1, 2, 3]
    assert faults(provisional) == []


def test_a_ruling_that_changes_nothing_mails_nothing(provisional: Any) -> None:
    """Ruling as it was already judged, or on a word nobody has, sends nothing."""
    rule(provisional, "DNI", True)
    assert rule(provisional, "TOR", False) == []
    assert rule(provisional, "DNI", True) == []
    assert len([turn for turn in provisional.rows(Turn) if turn.number == 6]) == 2


def test_a_ruling_before_the_end_counts_at_the_end(last_round: Any) -> None:
    """With rulings during the game there is no provisional result."""
    actions.rule(last_round.app, "Eriwan", ["DNI"], True, "", False)
    play(last_round)
    assert last_round.status == "finished"
    assert points(last_round)[ANNA] == 6
    assert not [recipient for recipient, _ in last_round.mails() if recipient == GM]


def test_a_house_ruling_holds_in_every_game(provisional: Any) -> None:
    """`--house` settles the word for all games; a game's own ruling wins over it."""
    sent = rule(provisional, "DNI", True, house=True)
    assert len(sent) == 6
    assert provisional.status == "finished"
    assert points(provisional)[ANNA] == 6
    rule(provisional, "DNI", False)
    assert points(provisional)[ANNA] == 4
    assert faults(provisional) == []


def test_a_late_grid_after_the_end(provisional: Any) -> None:
    """A move after the last round is told that the game is over, and changes nothing."""
    before = provisional.show()
    provisional.mails()
    provisional.writes(BERND, provisional.block(BERND, "", None) + "rot 3\n")
    provisional.tick()
    ((recipient, mail),) = provisional.mails()
    assert recipient == address_of(BERND)
    assert "zu Ende" in provisional.said(mail)
    assert provisional.show() == before


def test_a_late_grid_of_the_last_round(last_round: Any) -> None:
    """A grid between the last ZAT and the final bulletin is late: answered, not counted."""
    last_round.passes_until(last_round.zat, minutes=1)
    last_round.writes(ANNA, last_round.block(ANNA, "", None) + LIST)
    last_round.tick()
    assert last_round.last_reason() == "late"
    assert last_round.status == "finished"
    assert points(last_round)[ANNA] == 0


def test_a_grid_of_the_last_round_that_a_server_shows_late(last_round: Any) -> None:
    """It came before the last ZAT and is seen after the game is over: the GM can take the closing back."""
    zat = last_round.zat
    raw = write_mail(address_of(ANNA), last_round.block(ANNA, "", None) + LIST, name=ANNA)
    last_round.passes_until(zat, seconds=1)
    last_round.tick()
    assert last_round.status == "finished"
    last_round.mails()
    last_round.server.deliver(raw, zat - timedelta(minutes=1))
    last_round.tick()
    assert "Runde 6: deine Mail kam rechtzeitig" in dict(last_round.mails())[address_of(ANNA)].subject
    assert [question.kind for question in last_round.rows(Question) if question.mail_id] == ["in_time"]


def test_the_final_bulletin_gives_the_proof(provisional: Any) -> None:
    """The seed that was promised by its checksum at the start is named at the end, and not before the end."""
    seed = provisional.outgoing(kind="start")[0].raw
    with provisional.app.database.read() as session:
        game = game_queries.named(session, "Eriwan")
    assert game.seed.encode() not in seed
    sent = rule(provisional, "DNI", True)
    assert all(game.seed in mail.text for _, mail in sent)


def test_a_finished_game_stands_still(provisional: Any) -> None:
    """After the end nothing falls due and nothing is mailed."""
    rule(provisional, "DNI", True)
    provisional.passes(days=100)
    assert provisional.tick().is_idle


def tampered(zine: Any, number: int, **values: Any) -> list[str]:
    """Write something else into a recorded turn, and return what verify says."""
    turn = next(turn for turn in zine.rows(Turn) if turn.number == number)
    with zine.writing() as session:
        row = session.get_one(Turn, turn.id)
        for key, change in values.items():
            setattr(row, key, change(getattr(row, key)))
        session.add(row)
    return faults(zine)


@pytest.mark.tampers
def test_verify_finds_what_was_tampered_with(provisional: Any) -> None:
    """A changed position, move, event or verdict is found; the untouched record passes."""
    assert faults(provisional) == []
    found = tampered(provisional, 2, state=lambda state: {**state, "wishes": ["Q", *state["wishes"][1:]]})
    assert any("turn 2" in fault for fault in found)


@pytest.mark.tampers
def test_verify_finds_a_tampered_move(provisional: Any) -> None:
    """A recorded move that isn't the one played leads to another position."""
    grid = ["INDTOR", *["......"] * 5]
    moved = {"moves": {"1": {"grid": grid, "wish": "E", "words": []}}}
    assert any("turn 1" in fault for fault in tampered(provisional, 1, input=lambda _: moved))


@pytest.mark.tampers
def test_verify_finds_a_tampered_verdict(provisional: Any) -> None:
    """A verdict that was turned round afterwards gives other scores."""
    found = tampered(
        provisional, 6,
        verdicts=lambda verdicts: {key: {**v, "status": "refused"} for key, v in verdicts.items()},
    )  # fmt: skip
    assert any("turn 6" in fault for fault in found)


@pytest.mark.tampers
def test_verify_tells_what_other_rules_have_played(provisional: Any) -> None:
    """A turn of another version of the rules can't be replayed, nor can the one after it; the others can."""
    assert tampered(provisional, 0, rules_version=lambda _: 99) == [
        f"turn 0 was played by rules 99, here are {engine('crossword').rules.version}",
        "turn 1 can't be replayed: the one before it was played by other rules",
    ]


def test_sheets_are_kept(provisional: Any) -> None:
    """What was sent is kept word for word, for the GM and for ever."""
    assert provisional.rows(Sheet)[-1].lines[-2:] == LIST.strip().splitlines()
