"""A move from an unknown address that fits one seat only: its player is asked, the sender learns nothing."""

from __future__ import annotations

from typing import Any

import pytest

from gm.demo.in_memory_zine import PLAYERS, address_of
from gm.reports.todo import waiting_for_gm
from gm.requests.desk import actions
from gm.store.tables import MailIn, Question, Sheet

ANNA, BERND = PLAYERS[:2]
ELSEWHERE = "anna@arbeit.example"


def sends(zine: Any, text: str = "", sender: str = ELSEWHERE, **more: Any) -> dict[str, Any]:
    """Let somebody write from an unknown address; returns what goes out, by recipient."""
    zine.writes(ANNA, text or zine.block(ANNA, "DN", head=(f"Name: {ANNA}",)), sender=sender, **more)
    zine.tick()
    return dict(zine.mails())


def test_the_seats_player_is_asked(eriwan: Any) -> None:
    """The question shows sender, time and lines of the move; the stranger gets the short help like everybody."""
    sent = sends(eriwan)
    assert set(sent) == {address_of(ANNA), ELSEWHERE}
    question = sent[address_of(ANNA)]
    assert question.subject.startswith("[Frage ")
    for part in (ELSEWHERE, "»Eriwan«", "DN....", "Neu: E"):
        assert part in question.text
    assert sent[ELSEWHERE].subject == "Postspiele per Mail: Dottendorfer Soccer"
    assert "Eriwan" not in sent[ELSEWHERE].text
    assert eriwan.rows(Sheet) == []


def test_the_stranger_learns_nothing(begin: Any) -> None:
    """The help is the same, letter by letter, whether a player was asked, nobody was, or there is no such game."""
    answers = []
    for text in ("{}", "Crossword Eriwan\nNeu: E\nXXXXXX\n......\n......\n......\n......\n......\n", "Hallo?\n"):
        zine = begin("started")
        sent = sends(zine, text.format(zine.block(ANNA, "DN", head=(f"Name: {ANNA}",))))
        answers.append((sent[ELSEWHERE].subject, sent[ELSEWHERE].text, sorted(sent[ELSEWHERE].headers)))
    assert answers[0] == answers[1] == answers[2]


@pytest.mark.trust(except_first=2)
@pytest.mark.parametrize("how", ["subject", "thread", "bare"])
def test_yes_counts_from_the_moves_arrival(eriwan: Any, how: str) -> None:
    """With Anna's `Ja` the move is on file as of its own arrival, and she is told as of any move."""
    question = sends(eriwan)[address_of(ANNA)]
    kept = eriwan.rows(MailIn)[-1].received_at
    eriwan.passes(hours=7)
    more = {"subject": {"subject": f"Re: {question.subject}"}, "bare": {"subject": ""}}.get(
        how, {"subject": "Re: Zug", "in_reply_to": question.message_id}
    )
    eriwan.writes(ANNA, "Ja\n", **more)
    assert eriwan.answer(ANNA).subject == "[Eriwan] Zug Runde 1 angekommen"
    assert [(sheet.seat, sheet.received_at) for sheet in eriwan.rows(Sheet)] == [(1, kept)]


def test_no_files_nothing(eriwan: Any) -> None:
    """With `Nein` nothing is filed."""
    question = sends(eriwan)[address_of(ANNA)]
    eriwan.writes(ANNA, "Nein\n", subject=f"Re: {question.subject}")
    assert "dann nicht" in eriwan.reply(ANNA)
    assert eriwan.rows(Sheet) == []


def test_the_stranger_cannot_say_yes(eriwan: Any) -> None:
    """A `Ja` from the unknown address, even with the right code, gets the short help and files nothing."""
    question = sends(eriwan)[address_of(ANNA)]
    eriwan.passes(days=1, minutes=1)
    sent = sends(eriwan, "Ja\n", subject=f"Re: {question.subject}", in_reply_to=question.message_id)
    assert sent[ELSEWHERE].subject.startswith("Postspiele per Mail")
    assert eriwan.rows(Sheet) == []


def test_once_a_day(eriwan: Any) -> None:
    """A second such move on the same day asks nobody; one on the next day does."""
    for hours, asked in ((0, True), (12, False), (11, False), (2, True)):
        eriwan.passes(hours=hours)
        assert (address_of(ANNA) in sends(eriwan)) == asked


@pytest.mark.trust(except_first=5)
@pytest.mark.parametrize(
    "text",
    [
        "Crossword Eriwan\nNeu: E\nDN....\n......\n......\n......\n......\n......\n",
        "Crossword Eriwan\nName: Anna\nNeu: E\nXXXXXX\n......\n......\n......\n......\n......\n",
        "Crossword Eriwan\nName: Xaver\nNeu: E\nDN....\n......\n......\n......\n......\n......\n",
        "Crossword Eriwan\nName: Anna\nNeu:\n......\n......\n......\n......\n......\n......\n",
        "Presto Eriwan\nName: Anna\nNeu: E\nDN....\n......\n......\n......\n......\n......\n",
        "Crossword Tiflis\nName: Anna\nNeu: E\nDN....\n......\n......\n......\n......\n......\n",
    ],
    ids=["anybody's", "no move", "nobody's name", "nothing in it", "another kind", "no such game"],
)
def test_garbage_asks_nobody(eriwan: Any, text: str) -> None:
    """What several seats may have sent, or none, asks nobody."""
    assert set(sends(eriwan, text)) == {ELSEWHERE}
    assert eriwan.rows(Question) == []


def test_a_reply_tells_whose_it_is(eriwan: Any) -> None:
    """A reply to Anna's bulletin from an unknown address: Anna is asked, and no name is shown."""
    start = eriwan.outgoing(kind="start", address=address_of(ANNA))[0].message_id
    sent = sends(eriwan, eriwan.block(ANNA, "DN"), in_reply_to=start)
    assert set(sent) == {address_of(ANNA), ELSEWHERE}
    sent = sends(eriwan, eriwan.block(BERND, "DN").replace("Crossword Eriwan\n", ""), in_reply_to=start)
    assert eriwan.rows(Question)[0].payload["seats"] == [1]


def test_a_letter_that_only_one_has(eriwan: Any) -> None:
    """After the first round the boards differ: the letters that lie tell whose the move is."""
    eriwan.sends(ANNA, "DN")
    eriwan.passes_until(eriwan.zat, seconds=1)
    eriwan.tick()
    eriwan.mails()
    sent = sends(eriwan, eriwan.block(ANNA, eriwan.show()["letters"][:1]))
    assert set(sent) == {address_of(ANNA), ELSEWHERE}


def test_the_round_waits_for_the_answer(eriwan: Any) -> None:
    """At the ZAT the round waits, and with `Ja` the move counts."""
    eriwan.passes_until(eriwan.zat, minutes=-10)
    question = sends(eriwan)[address_of(ANNA)]
    eriwan.passes(minutes=30)
    eriwan.tick()
    assert eriwan.round == 1
    eriwan.writes(ANNA, "Ja\n", subject=f"Re: {question.subject}")
    eriwan.tick()
    assert eriwan.round == 2
    assert eriwan.seat(ANNA)["grid"][0].startswith("dn")


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize("word", ["Nein", ""])
def test_a_no_or_silence_closes_it(eriwan: Any, word: str) -> None:
    """With `Nein`, or after `hold`, the round closes without the move."""
    eriwan.passes_until(eriwan.zat, minutes=-10)
    question = sends(eriwan)[address_of(ANNA)]
    eriwan.passes(minutes=30)
    if word:
        eriwan.writes(ANNA, f"{word}\n", subject=f"Re: {question.subject}")
    else:
        eriwan.passes(hours=24)
    eriwan.tick()
    assert eriwan.round == 2
    assert eriwan.seat(ANNA)["nmr"] == [1]


def test_a_flood_of_strangers_holds_no_round_of_those_who_moved(eriwan: Any) -> None:
    """Where Anna has moved herself, nobody's guess can hold the round."""
    eriwan.sends(ANNA, "TI")
    eriwan.tick()
    eriwan.passes_until(eriwan.zat, minutes=-10)
    sends(eriwan)
    eriwan.passes(minutes=30)
    eriwan.tick()
    assert eriwan.round == 2


def test_a_seat_that_has_changed_hands(eriwan: Any) -> None:
    """A player who has left the seat can confirm no move for it."""
    question = sends(eriwan)[address_of(ANNA)]
    actions.standby(eriwan.app, "Eriwan", ANNA, "Gerda Hahn", address_of("Gerda Hahn"))
    eriwan.tick()
    eriwan.mails()
    eriwan.writes(ANNA, "Ja\n", subject=f"Re: {question.subject}")
    assert "übernommen; dein Zug zählt dort nicht mehr" in eriwan.reply(ANNA)
    assert eriwan.rows(Sheet) == []


def test_two_strangers_moves_in_one_mail(eriwan: Any) -> None:
    """A mail has us ask one player at most; both moves stand on the GM's list."""
    text = "\n".join(eriwan.block(name, "DN", head=(f"Name: {name}",)) for name in (ANNA, BERND))
    assert set(sends(eriwan, text)) == {address_of(ANNA), ELSEWHERE}
    assert len(listed(eriwan)) == 2


def listed(zine: Any) -> list[tuple[str, str]]:
    """What of strangers' moves waits for the GM: whose seat it is, and the mails."""
    with zine.app.database.read() as session:
        found = waiting_for_gm(zine.app, session)
    return [(one["about"], one["do"]) for one in found if one["what"] == "elsewhere"]


def test_the_gm_sees_a_strangers_move(eriwan: Any) -> None:
    """Each is on the GM's list, in one entry a seat and without a mail; its lines are not."""
    sends(eriwan)
    eriwan.passes(hours=1)
    sent = sends(eriwan, eriwan.block(ANNA, "TI", head=(f"Name: {ANNA}",)), "anna@urlaub.example")
    assert set(sent) == {"anna@urlaub.example"}  # asked once a day; the second is with the GM all the same
    ((about, do),) = listed(eriwan)
    numbers = [row.id for row in eriwan.rows(MailIn)]
    assert about.startswith(f"Eriwan: {ANNA}: mail {numbers[0]} from {ELSEWHERE}")
    (entry,) = (one for one in eriwan.rows(Question) if one.kind == "elsewhere")
    assert entry.payload["mails"] == numbers
    assert "TI" not in entry.payload["text"]
    assert do.startswith(f"gm mail show {numbers[0]}")


@pytest.mark.parametrize("word", ["Ja", "Nein"])
def test_the_answer_takes_it_off_the_list(eriwan: Any, word: str) -> None:
    """Once its player has said whose move it is there is nothing left for the GM to see."""
    question = sends(eriwan)[address_of(ANNA)]
    assert len(listed(eriwan)) == 1
    eriwan.writes(ANNA, f"{word}\n", subject=f"Re: {question.subject}")
    eriwan.tick()
    assert listed(eriwan) == []


def test_asked_again_after_a_day(eriwan: Any) -> None:
    """The next day's move from elsewhere is asked about again."""
    sends(eriwan)
    eriwan.passes(hours=23)
    assert address_of(ANNA) not in sends(eriwan)
    eriwan.passes(hours=2)
    assert address_of(ANNA) in sends(eriwan)


def test_a_strangers_move_in_a_flood(begin: Any) -> None:
    """Where strangers have to wait for their answer, the seat's player is asked at once, and only once."""
    zine = begin("started", security={"answers_per_hour": 1})
    for number in range(4):
        zine.writes("Xaver Fremd", "Spiele\n", sender=f"nr{number}@fremd.example")
    assert address_of(ANNA) in sends(zine)
    assert zine.rows(MailIn)[-1].status == "put off"
    zine.passes(hours=1)
    zine.tick()
    zine.passes(hours=1)
    zine.tick()
    assert zine.rows(MailIn)[-1].status == "refused"
    assert address_of(ANNA) not in dict(zine.mails())
    assert len(listed(zine)) == 1
