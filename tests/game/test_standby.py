"""A standby takes over a seat at once and gets everything needed to play on."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from gm.demo.in_memory_zine import PLAYERS, address_of
from gm.requests.desk import actions
from gm.runtime.errors import Refused
from gm.store.tables import Player

ANNA, BERND = PLAYERS[:2]
DORA = PLAYERS[3]
GERDA, HANS = "Gerda Hahn", "Hans Igel"


def wait_in_line(zine: Any, *names: str) -> None:
    """Put people on the standby list by mail, question and all."""
    for name in names:
        zine.writes(name, "Standby\n")
        question = zine.answer(name)
        zine.writes(name, "Ja\n", subject=f"Re: {question.subject}")
        assert "Liste der Ersatzspieler" in zine.reply(name)


def takes_over(zine: Any, out: str = DORA, new: str | None = None, address: str | None = None) -> dict[str, Any]:
    """Let the GM replace a player, and return the mails that go out, by address."""
    actions.standby(zine.app, "Eriwan", out, new, address)
    zine.tick()
    return dict(zine.mails())


def test_the_first_on_the_list_takes_over(eriwan: Any) -> None:
    """`gm standby` takes who has waited longest, and nobody else is asked."""
    wait_in_line(eriwan, GERDA, HANS)
    sent = takes_over(eriwan)
    assert set(sent) == {address_of(GERDA), address_of(DORA)}
    assert eriwan.seat(GERDA)["seat"] == 4


def test_off_the_list_and_the_next_one_is_taken(eriwan: Any) -> None:
    """`kein Standby` takes a player off the list."""
    wait_in_line(eriwan, GERDA, HANS)
    eriwan.writes(GERDA, "kein Standby\n")
    eriwan.tick()
    eriwan.mails()
    assert address_of(HANS) in takes_over(eriwan)


def test_nobody_on_the_list(eriwan: Any) -> None:
    """With an empty list the GM is told what to do, and nothing changes."""
    with pytest.raises(Refused, match="standby list"):
        actions.standby(eriwan.app, "Eriwan", DORA, None, None)
    assert eriwan.seat(DORA)["history"] == [DORA]


def test_the_welcome_mail_has_all_one_needs(eriwan: Any) -> None:
    """The welcome mail holds the position, the ZAT and the block to copy, and names the predecessor."""
    eriwan.sends(ANNA, "DN")
    eriwan.passes(days=15)
    eriwan.tick()
    wait_in_line(eriwan, GERDA)
    mail = takes_over(eriwan)[address_of(GERDA)]
    assert mail.subject.startswith(f"[Eriwan] Willkommen als Ersatz für {DORA}")
    assert "01.12.2026, 20:00 Uhr" in mail.subject
    for part in ("D N . . . .", "Anna Berg", "Crossword Eriwan", "Neu:", "ZAT Runde 2"):
        assert part in mail.text
    block = mail.text[mail.text.index("     Crossword Eriwan") :].split("\n\n")[0]
    lines = [line.strip() for line in block.splitlines()]
    assert lines == ["Crossword Eriwan, Runde 2", "Neu:", *["......"] * 6]


def test_the_predecessor_is_told_and_locked_out(eriwan: Any) -> None:
    """The predecessor hears who plays on; moves, `Stand` and `Zurückziehen` are refused, nothing is shown."""
    eriwan.sends(DORA, "DN", "Q")
    eriwan.tick()
    wait_in_line(eriwan, GERDA)
    sent = takes_over(eriwan)
    assert GERDA in sent[address_of(DORA)].subject
    eriwan.sends(GERDA, "TI", "Y")
    eriwan.tick()
    eriwan.mails()
    for text in (eriwan.block(DORA, "RO"), "Stand Eriwan\n", "Zurückziehen Eriwan\n", "Warten Eriwan\n"):
        eriwan.writes(DORA, text)
        answer = eriwan.answer(DORA)
        assert f"hat inzwischen {GERDA} übernommen" in answer.subject
        assert "T I . . . ." not in answer.text
        assert not {"Y", "ti...."} & set(answer.text.split())
    assert eriwan.on_file(GERDA) == ("ti", "Y")
    eriwan.passes(days=15)
    eriwan.tick()
    assert address_of(DORA) not in dict(eriwan.mails())


def test_the_move_on_file_stays_with_the_seat(eriwan: Any) -> None:
    """A predecessor's move is shown to the standby and counts unless replaced."""
    eriwan.sends(DORA, "DN", "Q")
    eriwan.tick()
    wait_in_line(eriwan, GERDA)
    welcome = takes_over(eriwan)[address_of(GERDA)]
    assert "Q" in welcome.text
    assert "D N . . . ." in welcome.text
    assert eriwan.on_file(GERDA) == ("dn", "Q")
    eriwan.passes(days=20)
    eriwan.tick()
    assert eriwan.seat(GERDA)["grid"][0] == "dn...."
    assert eriwan.seat(GERDA)["nmr"] == []


def test_the_standby_may_move_at_once(eriwan: Any) -> None:
    """A standby's move counts in the round in which the seat was taken over."""
    eriwan.sends(DORA, "DN")
    eriwan.tick()
    wait_in_line(eriwan, GERDA)
    takes_over(eriwan)
    eriwan.sends(GERDA, "TI")
    assert eriwan.answer(GERDA).subject == "[Eriwan] Zug Runde 1 angekommen"
    eriwan.passes_until(eriwan.zat, seconds=1)
    eriwan.tick()
    assert eriwan.seat(GERDA)["grid"][0] == "ti...."


def test_the_standby_may_withdraw_what_was_left(eriwan: Any) -> None:
    """The move on file is the seat's: its new player may take it back."""
    eriwan.sends(DORA, "DN")
    eriwan.tick()
    wait_in_line(eriwan, GERDA)
    takes_over(eriwan)
    eriwan.writes(GERDA, "Zurückziehen Eriwan\n")
    assert "zurückgezogen" in eriwan.answer(GERDA).subject
    assert eriwan.on_file(GERDA) is None


def test_the_zat_moves_only_if_it_must(eriwan: Any) -> None:
    """With time enough the ZAT stays; otherwise the standby gets three days, and all the others are told."""
    zat = eriwan.zat
    assert set(takes_over(eriwan, DORA, GERDA, address_of(GERDA))) == {address_of(GERDA), address_of(DORA)}
    assert eriwan.zat == zat
    eriwan.passes_until(zat, days=-1)
    before = eriwan.now
    sent = takes_over(eriwan, ANNA, HANS, address_of(HANS))
    assert eriwan.zat == before + timedelta(days=3)
    others = {address_of(name) for name in (BERND, PLAYERS[2], GERDA, *PLAYERS[4:])}
    assert set(sent) == {address_of(HANS), address_of(ANNA), *others}
    moved = eriwan.said(sent[address_of(BERND)])
    assert HANS in moved
    assert f"{datetime.fromisoformat(eriwan.show()['zat']):%d.%m.%Y, %H:%M}" in moved
    assert "ZAT" in sent[address_of(HANS)].subject


def test_early_closing_waits_for_the_standby(eriwan: Any) -> None:
    """Six moves are in, one left by the predecessor: the round doesn't close over the standby's head."""
    eriwan.all_send()
    eriwan.passes(hours=11)
    takes_over(eriwan, DORA, GERDA, address_of(GERDA))
    eriwan.passes(hours=2)
    assert eriwan.tick().closed == []
    eriwan.sends(GERDA, "TI")
    eriwan.tick()
    eriwan.passes(hours=12, minutes=1)
    assert eriwan.tick().closed == ["Eriwan"]
    assert eriwan.seat(GERDA)["grid"][0] == "ti...."


def test_a_standby_who_is_content_says_so(eriwan: Any) -> None:
    """`Fertig` makes the predecessor's move the standby's own: the round may close early."""
    eriwan.all_send()
    takes_over(eriwan, DORA, GERDA, address_of(GERDA))
    eriwan.writes(GERDA, "Fertig Eriwan\n")
    eriwan.passes(hours=13)
    assert eriwan.tick().closed == ["Eriwan"]


def test_a_predecessors_wait_is_no_more(eriwan: Any) -> None:
    """`Warten` was the predecessor's wish; it leaves with the player."""
    eriwan.writes(DORA, "Warten Eriwan\n")
    eriwan.all_send()
    takes_over(eriwan, DORA, GERDA, address_of(GERDA))
    eriwan.sends(GERDA, "DN")
    eriwan.tick()
    eriwan.passes(hours=13)
    assert eriwan.tick().closed == ["Eriwan"]


def test_history_shows_both(eriwan: Any) -> None:
    """Takeovers and their rounds stay visible to the GM and in the final table."""
    takes_over(eriwan, DORA, GERDA, address_of(GERDA))
    takes_over(eriwan, GERDA, HANS, address_of(HANS))
    assert eriwan.seat(HANS)["history"] == [DORA, GERDA, HANS]
    assert eriwan.seat(ANNA)["history"] == [ANNA]


def test_nobody_sits_twice(eriwan: Any) -> None:
    """Neither a player of the game nor one who left it can take another seat in it."""
    eriwan.writes(ANNA, "Standby\n")
    eriwan.writes(DORA, "Standby\n")
    eriwan.tick()
    eriwan.mails()
    with pytest.raises(Refused, match="standby list"):
        actions.standby(eriwan.app, "Eriwan", DORA, None, None)
    for name in (ANNA, DORA):
        with pytest.raises(Refused, match="nobody sits twice"):
            actions.standby(eriwan.app, "Eriwan", DORA, name, None)
    takes_over(eriwan, DORA, GERDA, address_of(GERDA))
    with pytest.raises(Refused, match="nobody sits twice"):
        actions.standby(eriwan.app, "Eriwan", ANNA, DORA, None)
    eriwan.writes(DORA, "Anmeldung Crossword Eriwan\n")
    assert "ein zweites Mal" in eriwan.reply(DORA)


def test_known_name_at_another_address_is_refused(eriwan: Any) -> None:
    """A standby with a name that another address holds is refused: two people would be one."""
    with pytest.raises(Refused, match="another address"):
        actions.standby(eriwan.app, "Eriwan", DORA, ANNA, "someone@else.example")
    assert len(eriwan.rows(Player)) == 6


def test_a_standby_writes_before_the_welcome_was_delivered(eriwan: Any) -> None:
    """In the first round a standby can mean no other: the move counts."""
    actions.standby(eriwan.app, "Eriwan", DORA, GERDA, address_of(GERDA))
    eriwan.outbox.is_down = True
    eriwan.sends(GERDA, "TI")
    eriwan.tick()
    assert eriwan.on_file(GERDA) == ("ti", "E")
