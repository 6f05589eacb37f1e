"""`gm undo`: the last closing is taken back, the round is open again, and the undone step never counts."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gm.demo.in_memory_zine import PLAYERS
from gm.game.replay import verify
from gm.messages.game_mails import seated
from gm.requests.desk import actions
from gm.runtime.errors import Refused
from gm.store.queries import duty_queries, game_queries, question_queries, seat_queries
from gm.store.tables import Duty, Press, Seat, Sheet, Turn

ANNA, BERND, CARLA, DORA, EMIL, FRIDA = PLAYERS


def close(zine: Any) -> None:
    """Close the round now, and let everybody have the bulletin."""
    actions.close(zine.app, "Eriwan", zine.now)
    zine.tick()
    zine.passes(minutes=1)


def undo(zine: Any) -> Turn:
    """Take the last closing back; everybody gets the mail about it."""
    turn = actions.undo(zine.app, "Eriwan").turn
    assert turn
    zine.tick()
    return turn


def faults(zine: Any) -> list[str]:
    """Replay the game and list what differs."""
    with zine.app.database.read() as session:
        return verify(zine.app, session, game_queries.named(session, "Eriwan"))


def subjects(zine: Any, name: str) -> list[str]:
    """List the subjects of the new mails to a player."""
    return [mail.subject for recipient, mail in zine.mails() if recipient.startswith(name.split()[0].lower())]


def play_round_1(zine: Any) -> None:
    """Let five move, and the round close."""
    for name, letters in zip(PLAYERS[:5], ("DNT", "NDI", "TIN", "IRO", "ROT"), strict=True):
        zine.sends(name, letters, letters[0])
    zine.tick()
    close(zine)


@pytest.fixture
def second(begin: Any) -> Any:
    """Eriwan in round 2: five have moved in round 1, Frida was silent."""
    return begin("started", after=play_round_1)


def test_the_round_is_open_again(second: Any) -> None:
    """Moves, dice and seats stay, the game is held, and everybody is told once."""
    second.passes(hours=1)
    undo(second)
    shown = second.show()
    assert (shown["round"], shown["letters"], shown["status"]) == (1, "DINORT", "running")
    assert "taken back" in shown["held"]
    assert second.on_file(ANNA) == ("dnt", "D")
    assert second.on_file(FRIDA) is None
    mails = second.mails()
    assert len(mails) == 6
    assert {mail.subject for _, mail in mails} == {"[Eriwan] Die Auswertung von Runde 1 ist zurückgenommen"}
    assert "Die Züge dafür liegen weiter vor, und ihr dürft sie noch ändern. Was du seit" in second.said(mails[0][1])
    assert faults(second) == []


def test_nothing_closes_it_by_itself(second: Any) -> None:
    """After an undo the round waits for the GM, even with all moves and past its ZAT; a new ZAT closes it then."""
    undo(second)
    second.all_send()
    second.at("2026-12-24T12:00:00+01:00")
    second.tick()
    assert second.round == 1
    actions.move_zat(second.app, "Eriwan", "2026-12-31 20:00")
    second.passes(days=3)
    second.tick()
    assert (second.round, second.show()["held"]) == (1, None)
    second.at("2026-12-31T20:00:02+01:00")
    second.tick()
    assert second.round == 2


def test_all_ready_closes_it(second: Any) -> None:
    """With a new ZAT, `Fertig` from all closes the reopened round; what was said before the undo doesn't count."""
    undo(second)
    second.all_send()
    actions.move_zat(second.app, "Eriwan", "+7d")
    for name in PLAYERS[:5]:
        second.writes(name, "Fertig Eriwan\n")
    second.tick()
    second.passes(hours=13)
    second.tick()
    assert second.round == 1
    second.writes(FRIDA, "Fertig Eriwan\n")
    second.tick()
    second.tick()
    assert second.round == 2
    undo(second)
    actions.move_zat(second.app, "Eriwan", "+7d")
    second.passes(hours=13)
    second.tick()
    assert second.round == 1
    with second.app.database.read() as session:
        assert {seat.intent for seat in seat_queries.seats(game_queries.named(session, "Eriwan"))} == {""}


def test_the_next_closing_may_be_early_again(second: Any) -> None:
    """Only the reopened round waits; the one after it closes early as ever."""
    undo(second)
    close(second)
    second.all_send()
    second.passes(hours=13)
    second.tick()
    assert second.round == 3


def test_moves_may_change(second: Any) -> None:
    """Players replace and withdraw their moves, and who was silent may move."""
    undo(second)
    second.mails()
    second.sends(ANNA, "TND", "X")
    second.sends(FRIDA, "OR", "Y")
    second.writes(BERND, "Zurückziehen Eriwan\n")
    second.tick()
    assert second.on_file(ANNA) == ("tnd", "X")
    assert second.on_file(FRIDA) == ("or", "Y")
    assert second.on_file(BERND) is None
    close(second)
    assert second.seat(ANNA)["grid"][0].startswith("tnd")
    assert second.seat(BERND)["nmr"] == [1]
    assert second.seat(FRIDA)["nmr"] == []
    assert faults(second) == []


def test_what_came_for_the_later_round_never_counts(second: Any) -> None:
    """A move for the round that is no more is gone for good, whatever is closed or undone after that."""
    second.sends(ANNA, "DN")
    second.tick()
    assert second.on_file(ANNA)
    undo(second)
    assert second.on_file(ANNA) == ("dnt", "D")
    close(second)
    assert second.round == 2
    assert second.on_file(ANNA) is None
    undo(second)
    close(second)
    assert second.on_file(ANNA) is None
    assert sum(sheet.withdrawn_at is not None for sheet in second.rows(Sheet)) == 1


def test_a_mail_upon_the_undone_bulletin(second: Any) -> None:
    """What was sent for the undone position is no move of the reopened round, nor of its next version."""
    bulletin = second.outgoing(kind="bulletin")[0]
    block = second.block(ANNA, "DN", "Q")
    second.passes(minutes=5)
    second.writes(ANNA, block)  # it lies in the inbox when the GM takes the closing back
    second.passes(minutes=1)
    undo(second)
    assert "kam an, bevor du den jetzigen Stand" in " ".join(mail.text for _, mail in second.mails()).replace("\n", " ")
    assert second.on_file(ANNA) == ("dnt", "D")
    second.writes(ANNA, block, in_reply_to=bulletin.message_id)
    second.tick()
    assert second.on_file(ANNA) == ("dnt", "D")
    second.writes(ANNA, block)
    actions.close(second.app, "Eriwan", second.now)
    second.passes(minutes=1)
    second.writes(ANNA, block)  # before the new bulletin was sent
    second.tick()
    assert (second.round, second.on_file(ANNA)) == (2, None)
    assert second.last_reason() == "late"
    second.sends(ANNA, "DN", "Q")
    second.tick()
    assert second.on_file(ANNA) == ("dntdn", "Q")


def test_at_once(second: Any) -> None:
    """Bulletins that are still in the queue don't go out any more; all learn that the round is open again."""
    actions.close(second.app, "Eriwan", second.now)
    undo(second)
    mails = second.mails()
    assert len(mails) == 6
    assert all("zurückgenommen, bevor sie verschickt war" in second.said(mail) for _, mail in mails)
    assert [row.status for row in second.outgoing(kind="bulletin")] == ["sent"] * 6 + ["dropped"] * 6
    close(second)
    assert len(second.outgoing(kind="bulletin", status="sent")) == 12


def test_press_is_printed_again(second: Any) -> None:
    """Press of the undone bulletin stands in the new one, once."""
    second.writes(BERND, "Presse Eriwan\nWer will E?\nEnde\n")
    second.tick()
    close(second)
    undo(second)
    assert second.rows(Press)[0].turn_id is None
    second.mails()
    second.passes(minutes=1)
    close(second)
    found = [second.said(mail) for _, mail in second.mails()]
    assert len(found) == 6
    assert all(text.count("Wer will E?") == 1 for text in found)


def test_nmr_counts_once(second: Any) -> None:
    """A player who missed a round that was closed twice has one NMR."""
    undo(second)
    close(second)
    mails = [second.said(mail) for _, mail in second.mails()]
    assert any("Frida Groß" in text for text in mails)
    with second.app.database.read() as session:
        found = [
            duty_queries.reliability_of(session, player.id)
            for player, _ in seated(session, game_queries.named(session, "Eriwan"))
        ]
    assert [(record.owed, record.missed) for record in found] == [(1, 0)] * 5 + [(1, 1)]
    assert len(second.rows(Duty)) == 12


def test_bulletins_are_other_mails(second: Any) -> None:
    """The new version of a round goes out as new mails, to all."""
    undo(second)
    close(second)
    bulletins = second.outgoing(kind="bulletin")
    assert len({row.message_id for row in bulletins}) == len(bulletins) == 12
    assert all(row.status == "sent" for row in bulletins)


def test_undo_undo_close_close(second: Any) -> None:
    """Two closings taken back and closed again bring the same position, with the same dice."""
    second.all_send(wish="N")
    close(second)
    third = second.show()
    undo(second)
    undo(second)
    assert second.round == 1
    assert second.on_file(ANNA) == ("dnt", "D")
    close(second)
    assert second.round == 2
    assert second.on_file(ANNA) is None  # the reopened round is the first; what came later counts no more
    second.all_send(wish="N")
    close(second)
    again = second.show()
    assert {key: again[key] for key in ("round", "letters")} == {key: third[key] for key in ("round", "letters")}
    assert [seat["grid"] for seat in again["seats"]] == [seat["grid"] for seat in third["seats"]]
    assert faults(second) == []
    undo(second)
    undo(second)
    with pytest.raises(Refused, match="just begun"):
        actions.undo(second.app, "Eriwan")


def test_refused(zine: Any, second: Any) -> None:
    """Where nothing was closed there is nothing to take back, and the sentence says so."""
    actions.new_game(second.app, "crossword", "Havanna")
    with pytest.raises(Refused, match="Havanna is open; there is no closing"):
        actions.undo(second.app, "Havanna")
    actions.abort(second.app, "Eriwan", "no time")
    with pytest.raises(Refused, match="aborted"):
        actions.undo(second.app, "Eriwan")
    with pytest.raises(Refused, match="no game 'Eriwan'"):
        actions.undo(zine.app, "Eriwan")


def test_a_provisional_end(begin: Any) -> None:
    """A provisional result is taken back with its open question; rulings stay, and count at the next closing."""
    over = begin("provisional")
    asked = [row for row in desk_questions(over) if row.kind == "words"]
    assert len(asked) == 1
    actions.rule(over.app, "Eriwan", ["TANZEN"], True, "", False)
    undo(over)
    assert (over.status, over.round, over.show()["standings"]) == ("running", 6, [])
    assert [row.kind for row in desk_questions(over)] == ["held"]
    assert faults(over) == []
    actions.rule(over.app, "Eriwan", ["DNI"], True, "", False)
    close(over)
    assert (over.status, over.show()["doubtful"]) == ("finished", [])
    assert over.show()["standings"][0]["player"] == ANNA
    assert faults(over) == []
    with pytest.raises(Refused, match="seed published"):
        actions.undo(over.app, "Eriwan")


def test_a_ruled_end_that_is_still_provisional(begin: Any) -> None:
    """All versions of the end go, also those that rulings made."""
    over = begin("last round")
    over.writes(ANNA, over.block(ANNA, "", None) + "rot+dni / in 6\nore 3\nSumme 9\n")
    over.tick()
    close(over)
    actions.rule(over.app, "Eriwan", ["DNI"], False, "", False)
    assert over.status == "provisional"
    undo(over)
    sixth = [turn for turn in over.rows(Turn) if turn.number == 6]
    assert len(sixth) == 2
    assert all(turn.undone_at for turn in sixth)
    close(over)
    assert over.show()["doubtful"] == ["ore"]
    assert [turn.version for turn in over.rows(Turn) if turn.number == 6] == [1, 2, 3]
    assert faults(over) == []


def desk_questions(zine: Any) -> Any:
    """List what waits for the GM."""
    with zine.app.database.read() as session:
        return question_queries.open_questions(session)


def test_spectators_are_told(second: Any) -> None:
    """Who watches a game and got the undone bulletin hears that it holds no more."""
    actions.standby(second.app, "Eriwan", FRIDA, "Gerda Hahn", "gerda@spieler.example")
    second.writes(FRIDA, "Beobachten Eriwan\n")
    second.tick()
    close(second)
    second.mails()
    undo(second)
    assert len(subjects(second, FRIDA)) == 1


def test_a_standby_stays(second: Any) -> None:
    """Who took a seat over and has moved keeps it when the closing before is taken back, and may send once more."""
    actions.standby(second.app, "Eriwan", FRIDA, "Gerda Hahn", "gerda@spieler.example")
    second.tick()
    second.passes(minutes=1)
    second.writes("Gerda Hahn", second.block("Gerda Hahn", "", "Y"), sender="gerda@spieler.example")
    second.tick()
    undo(second)
    assert [seat.until is None for seat in second.rows(Seat)].count(True) == 6
    second.mails()
    second.writes("Gerda Hahn", second.block("Gerda Hahn", "OR", "Y"), sender="gerda@spieler.example")
    second.tick()
    assert second.on_file("Gerda Hahn") == ("or", "Y")


def test_history_forgets_it(second: Any) -> None:
    """`Protokoll` knows the undone round no more, and shows the new version when there is one."""
    undo(second)
    second.mails()
    second.writes(ANNA, "Protokoll Eriwan 1\n")
    assert "gibt es" in second.reply(ANNA)
    close(second)
    second.mails()
    second.writes(ANNA, "Protokoll Eriwan 1\n")
    assert "Runde 1" in second.reply(ANNA)


ACTIONS = st.lists(st.sampled_from(["move", "other move", "close", "close", "undo", "late undo"]), max_size=10)


@pytest.mark.trust
@settings(
    max_examples=8, deadline=None, derandomize=True, database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)  # fmt: skip
@given(actions=ACTIONS)
def test_whatever_was_undone_leaves_no_trace(begin: Any, actions: list[str]) -> None:
    """Any moves, closings and undos end where the moves and closings that held would have led alone."""
    zine, other = begin("started"), begin("started")
    held: list[dict[str, str]] = [{}]  # for each round that is closed or open: the moves that count
    for number, action in enumerate(actions):
        if "move" in action:
            name, wish = (ANNA if action == "move" else BERND), "ABCDEFGHIJKLMNOP"[number]
            zine.sends(name, "", wish)
            zine.tick()
            held[-1][name] = wish
        elif action == "close" and len(held) < 5:
            close(zine)
            held.append({})
        elif "undo" in action and len(held) > 1:
            if action == "late undo":
                zine.passes(days=30)
            undo(zine)
            held.pop()
    for number, moves in enumerate(held):
        for name, wish in moves.items():
            other.sends(name, "", wish)
        other.tick()
        if number < len(held) - 1:
            close(other)
    told = [{key: one.show()[key] for key in ("round", "letters", "status")} for one in (zine, other)]
    assert told[0] == told[1]
    for name in (ANNA, BERND, FRIDA):
        assert zine.seat(name) == other.seat(name)
        assert zine.on_file(name) == other.on_file(name)
    assert faults(zine) == []
