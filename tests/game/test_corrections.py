"""A bulletin that replaces a sent one says so: which one it is, what was ruled, and whose sum has changed."""

import re
from email import message_from_bytes
from typing import Any

import played_games
import pytest
import seating
from sqlmodel import col, select

from gm.demo.in_memory_zine import PLAYERS, address_of
from gm.messages.rendering.dates import write_date
from gm.requests.desk import actions
from gm.store.tables import Turn

ANNA, BERND, CARLA, DORA, EMIL, FRIDA = PLAYERS
BY_GM = {"deadlines": {"release": "gm"}}


def close(zine: Any) -> dict[str, Any]:
    """Close the round now; returns the mails of it by address."""
    actions.close(zine.app, "Eriwan", zine.now)
    zine.tick()
    zine.passes(minutes=1)
    return dict(zine.mails())


def undo(zine: Any) -> None:
    """Take the last closing back, and let all that is queued go out."""
    actions.undo(zine.app, "Eriwan")
    zine.tick()
    zine.passes(minutes=1)
    zine.mails()


def points(mail: Any) -> list[str]:
    """List what a mail says has changed, each in one line."""
    found = re.findall(r"^  - (.*(?:\n    .*)*)", mail.text, re.MULTILINE)
    return [" ".join(one.split()) for one in found]


def close_round_1(zine: Any) -> None:
    """Let two move, and the round close."""
    zine.sends(ANNA, "DNT", "D")
    zine.sends(BERND, "NDI", "N")
    zine.tick()
    close(zine)


@pytest.fixture
def closed(begin: Any) -> Any:
    """Round 1 of Eriwan is closed: Anna has laid DNT and Bernd NDI, all others were silent; the bulletins are out."""
    return begin("started", after=close_round_1)


def test_it_names_the_one_that_it_replaces(closed: Any) -> None:
    """The subject says KORRIGIERT and the new ZAT, the mail which one it replaces; nothing is listed of a round."""
    written = closed.outgoing(kind="bulletin", address=address_of(ANNA))[-1].created_at
    undo(closed)
    closed.sends(ANNA, "TND", "D")
    closed.sends(FRIDA, "OR", "Y")
    closed.tick()
    closed.passes(days=2)
    mails = close(closed)
    assert set(mails) == set(map(address_of, PLAYERS))
    sent = write_date(written, closed.app.settings.service.timezone, "de")
    for mail in mails.values():
        assert mail.subject.startswith("[Eriwan] KORRIGIERT: Runde 1 ausgewertet – ZAT Runde 2: Mi, 18.11.2026")
        said = closed.said(mail)
        assert f"Diese Mail ist eine Korrektur und ersetzt die vom {sent}. Es gilt, was hier steht." in said
        assert points(mail) == []


def test_in_english(closed: Any) -> None:
    """An English reader is told in English."""
    closed.writes(ANNA, "Sprache en\n")
    undo(closed)
    closed.sends(FRIDA, "OR", "Y")
    closed.tick()
    closed.mails()
    mail = close(closed)[address_of(ANNA)]
    assert mail.subject.startswith("[Eriwan] CORRECTED: Round 1 closed")
    assert "This mail is a correction and replaces the one of" in closed.said(mail)
    assert "What it says here counts." in closed.said(mail)


def test_it_stays_in_its_thread(closed: Any) -> None:
    """A corrected bulletin hangs on the game's first mail like any other, and has an id of its own."""
    undo(closed)
    close(closed)
    first, again = (message_from_bytes(row.raw) for row in closed.outgoing(kind="bulletin", address=address_of(ANNA)))
    assert first["References"].split()[0] == again["References"].split()[0]
    assert first["Message-ID"] != again["Message-ID"]


def test_what_was_never_sent_is_not_corrected(begin: Any) -> None:
    """A closing that was taken back before its release, or before its bulletins went out, leaves no mark."""
    waiting = begin("started", **BY_GM)
    actions.close(waiting.app, "Eriwan", waiting.now)
    undo(waiting)
    actions.close(waiting.app, "Eriwan", waiting.now)
    actions.release(waiting.app, "Eriwan", "")
    waiting.tick()
    mails = [mail for to, mail in waiting.mails() if "Runde 1 ausgewertet" in mail.subject]
    assert len(mails) == 6
    assert not [mail for mail in mails if "KORRIGIERT" in mail.subject or "Korrektur" in waiting.said(mail)]


def test_what_was_still_queued_is_not_corrected(eriwan: Any) -> None:
    """Bulletins that were taken out of the queue were seen by nobody."""
    actions.close(eriwan.app, "Eriwan", eriwan.now)
    undo(eriwan)
    assert not [mail for mail in close(eriwan).values() if "KORRIGIERT" in mail.subject]


def test_released_then_corrected(begin: Any) -> None:
    """With `release = "gm"` a released bulletin is corrected by the next one, and the GM's look at it shows that."""
    waiting = begin("started", **BY_GM)
    actions.close(waiting.app, "Eriwan", waiting.now)
    actions.release(waiting.app, "Eriwan", "")
    waiting.tick()
    undo(waiting)
    waiting.sends(ANNA, "DNT", "D")
    waiting.tick()
    waiting.mails()
    looked = close(waiting)["cici@postspiel.example"]
    assert "Diese Mail ist eine Korrektur" in waiting.said(looked)
    actions.release(waiting.app, "Eriwan", "")
    waiting.tick()
    mails = dict(waiting.mails())
    assert len(mails) == 6
    for mail in mails.values():
        assert "[Eriwan] KORRIGIERT: Runde 1" in mail.subject


def test_a_standby_who_never_had_it(closed: Any) -> None:
    """A player who took a seat after the first bulletin gets no correction."""
    undo(closed)
    actions.standby(closed.app, "Eriwan", FRIDA, "Gerda Hahn", "gerda@spieler.example")
    closed.tick()
    closed.mails()
    mails = close(closed)
    assert "KORRIGIERT" not in mails["gerda@spieler.example"].subject
    assert "KORRIGIERT" in mails[address_of(ANNA)].subject


def test_spectators(closed: Any) -> None:
    """A spectator gets the correction as well."""
    undo(closed)
    close(closed)
    actions.standby(closed.app, "Eriwan", FRIDA, "Gerda Hahn", "gerda@spieler.example")
    closed.tick()
    closed.writes(FRIDA, "Beobachten Eriwan\n")
    closed.all_send(*PLAYERS[:5])
    close(closed)
    undo(closed)
    closed.sends(ANNA, "ABC")
    mails = close(closed)
    assert "KORRIGIERT: Runde 2" in mails[address_of(FRIDA)].subject


def test_a_round_closed_after_a_seat_was_left_out(closed: Any) -> None:
    """The bulletin of a round corrects the one of that round, also when another step has come in between."""
    undo(closed)
    actions.play_on_without(closed.app, "Eriwan", FRIDA)
    closed.tick()
    between = [mail.subject for _, mail in closed.mails()]
    assert between
    assert not [subject for subject in between if "KORRIGIERT" in subject]
    assert [turn.number for turn in closed.rows(Turn)] == [0, 1, 1]
    mails = close(closed)
    assert "[Eriwan] KORRIGIERT: Runde 1" in mails[address_of(ANNA)].subject


def test_sums_of_a_game_that_goes_on(begin: Any) -> None:
    """Where points are counted after each step, a correction names each sum that is another one now."""
    zine = begin("empty")
    played_games.begin(zine, "point-typ-dom", "Riga")
    zine.tick()
    played_games.step(zine, "Riga")
    zine.tick()
    zine.mails()
    before = zine.rows(Turn)[-1].result["points"]
    actions.undo(zine.app, "Riga")
    zine.tick()
    zine.mails()
    zine.passes(days=1)
    actions.close(zine.app, "Riga", zine.now)  # who was on turn misses it
    zine.tick()
    after = zine.rows(Turn)[-1].result["points"]
    changed = [f"{PLAYERS[int(seat) - 1]}: {after[seat]} (vorher {before[seat]})" for seat in after
               if after[seat] != before[seat]]  # fmt: skip
    corrected = [mail for _, mail in zine.mails() if "KORRIGIERT" in mail.subject]
    assert changed
    assert corrected
    assert all(points(mail) == changed for mail in corrected)


def test_the_final_scores(begin: Any) -> None:
    """The final scores were announced by the provisional ones; what a later ruling changes is a correction."""
    over = begin("provisional")
    over.mails()
    actions.rule(over.app, "Eriwan", ["DNI"], True, "", False)
    over.tick()
    first = dict(over.mails())[address_of(ANNA)]
    assert first.subject == "[Eriwan] Endstand: Anna gewinnt mit 6 Punkten"
    assert "Seit dem vorläufigen Endstand hat sich geändert:" in over.said(first)
    assert points(first) == ["DNI zählt", "Anna Berg: 6 (vorher 3)"]
    actions.rule(over.app, "Eriwan", ["DNI"], False, "Abkürzung", False)
    over.tick()
    mails = dict(over.mails())
    assert len(mails) == 6
    for mail in mails.values():
        assert mail.subject.startswith("[Eriwan] KORRIGIERT: Endstand (2. Fassung): Anna gewinnt mit ")
        assert points(mail) == ["DNI zählt nicht (Abkürzung)", "Anna Berg: 4 (vorher 6)"]
    row = over.outgoing(kind="final", address=address_of(ANNA))[-1]
    html = next(part for part in message_from_bytes(row.raw).walk() if part.get_content_type() == "text/html")
    assert "Anna Berg: 4 (vorher 6)" in " ".join(html.get_payload(decode=True).decode().split())


def test_a_provisional_end_taken_back(begin: Any) -> None:
    """A provisional result that was taken back is no announcement: the next one corrects it."""
    over = begin("provisional")
    over.mails()
    undo(over)
    mails = close(over)
    finals = [mail for to, mail in mails.items() if to in map(address_of, PLAYERS)]
    assert len(finals) == 6
    assert all(mail.subject.startswith("[Eriwan] KORRIGIERT: Endstand (vorläufig)") for mail in finals)


def test_two_steps_taken_back(closed: Any) -> None:
    """Where two rounds are taken back and closed again, each new bulletin corrects the one of its own round."""
    closed.all_send(wish="N")
    close(closed)
    undo(closed)
    undo(closed)
    closed.sends(FRIDA, "OR", "Y")
    closed.tick()
    closed.mails()
    first = close(closed)[address_of(ANNA)]
    assert "KORRIGIERT: Runde 1" in first.subject
    second = close(closed)[address_of(ANNA)]
    assert "KORRIGIERT: Runde 2" in second.subject
    third = close(closed)[address_of(ANNA)]
    assert "KORRIGIERT" not in third.subject


def made_by(zine: Any, version: int) -> None:
    """Let steps that were taken back be of this version of the rules."""
    with zine.writing() as session:
        for turn in session.exec(select(Turn).where(col(Turn.undone_at).is_not(None))):
            turn.rules_version = version
            session.add(turn)


def test_rules_of_another_version(closed: Any) -> None:
    """What other rules have made can't be compared: the bulletin is marked, and says that it holds."""
    undo(closed)
    made_by(closed, 99)
    mail = close(closed)[address_of(ANNA)]
    assert "KORRIGIERT" in mail.subject
    assert "Es gilt, was hier steht." in closed.said(mail)
    assert points(mail) == []
    made_by(closed, 1)  # as it was: at the end of a story all is replayed


def test_a_spectator_and_the_standby(zine: Any) -> None:
    """Who had the seat and watches now, and who has it now: both are told that the mail is corrected."""
    seating.start(zine.app, "typ-dom", "Elba", (ANNA, BERND))
    actions.standby(zine.app, "Elba", BERND, CARLA, address_of(CARLA))
    zine.tick()
    zine.writes(BERND, "Beobachten Elba\n")
    zine.tick()
    zine.mails()
    actions.close(zine.app, "Elba", zine.now)
    zine.tick()
    assert address_of(BERND) in dict(zine.mails())
    actions.undo(zine.app, "Elba")
    zine.tick()
    zine.mails()
    actions.close(zine.app, "Elba", zine.now)
    zine.tick()
    mails = dict(zine.mails())
    assert set(mails) == set(map(address_of, (ANNA, BERND, CARLA)))
    assert all("KORRIGIERT" in mail.subject for mail in mails.values())


def test_a_round_with_rolls_in_between(zine: Any) -> None:
    """Wort-Yahtzee: however many rolls come between undo and closing, the bulletin corrects the one of its round."""
    seating.start(zine.app, "wort-yahtzee", "Elba", (ANNA, BERND))
    zine.tick()
    actions.close(zine.app, "Elba", zine.now)
    zine.tick()
    actions.undo(zine.app, "Elba")
    zine.tick()
    for name in (ANNA, BERND):
        actions.enter_move(zine.app, "Elba", name, "behalte nichts")
    zine.tick()
    assert [turn.kind for turn in zine.rows(Turn)] == ["start", "resolve", "act", "act"]
    zine.mails()
    actions.close(zine.app, "Elba", zine.now)
    zine.tick()
    mails = dict(zine.mails())
    assert len(mails) == 2
    assert all("KORRIGIERT: Runde 1" in mail.subject for mail in mails.values())
