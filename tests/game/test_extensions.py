"""Wishes for more time: one that a new ZAT doesn't fulfil stays open, and whoever asked hears of either."""

from typing import Any

import pytest

from gm.demo.in_memory_zine import PLAYERS, address_of
from gm.reports.todo import waiting_for_gm
from gm.requests.desk import actions

ANNA, BERND, CARLA = PLAYERS[:3]
GM = "cici@postspiel.example"


def todo(zine: Any) -> list[tuple[str, str]]:
    """List what waits for the GM: the kind, and the line to type."""
    with zine.app.database.read() as session:
        return [(row["what"], row["do"].partition(";")[0]) for row in waiting_for_gm(zine.app, session)]


def wish(zine: Any) -> dict[str, Any]:
    """Let Anna ask for three days more and Bernd for a week; return the GM's mails by player."""
    zine.writes(ANNA, "Verlängerung Eriwan 3 Tage\n")
    zine.writes(BERND, "Verlängerung Eriwan 7 Tage\n")
    zine.tick()
    found = {name: mail for to, mail in zine.mails() if to == GM for name in (ANNA, BERND) if name in mail.subject}
    assert todo(zine) == [("extension", "gm zat Eriwan +3d"), ("extension", "gm zat Eriwan +7d")]
    return found


@pytest.mark.parametrize("by_mail", [True, False])
def test_the_longer_wish_stays_open(eriwan: Any, by_mail: bool) -> None:
    """Three days are granted: Anna reads that it is what she asked for, Bernd that his wish is still open."""
    asked = wish(eriwan)[ANNA]
    if by_mail:
        eriwan.writes("Cici", "Ja\n", sender=GM, subject=f"Re: {asked.subject}")
    else:
        actions.move_zat(eriwan.app, "Eriwan", "+3d")
    eriwan.tick()
    mails = {to: eriwan.said(mail) for to, mail in eriwan.mails()}
    assert "Dein Wunsch nach mehr Zeit ist damit erfüllt." in mails[address_of(ANNA)]
    said = mails[address_of(BERND)]
    assert "Du hast um Zeit bis Mo, 23.11.2026, 20:00 Uhr gebeten. Dieser Wunsch ist noch nicht erfüllt" in said
    assert "Wunsch" not in mails[address_of(CARLA)]
    assert todo(eriwan) == [("extension", "gm zat Eriwan 2026-11-23 20:00")]
    actions.move_zat(eriwan.app, "Eriwan", "2026-11-23 20:00")
    eriwan.tick()
    mails = {to: eriwan.said(mail) for to, mail in eriwan.mails()}
    assert "Dein Wunsch nach mehr Zeit ist damit erfüllt." in mails[address_of(BERND)]
    assert "Wunsch" not in mails[address_of(ANNA)]
    assert todo(eriwan) == []


def test_the_longest_fulfils_all(eriwan: Any) -> None:
    """A week is granted: both wishes are fulfilled, and both hear so, in their own language."""
    eriwan.writes(BERND, "Language en\n")
    eriwan.tick()
    eriwan.mails()
    wish(eriwan)
    actions.move_zat(eriwan.app, "Eriwan", "+7d")
    eriwan.tick()
    mails = {to: eriwan.said(mail) for to, mail in eriwan.mails()}
    assert "Dein Wunsch nach mehr Zeit ist damit erfüllt." in mails[address_of(ANNA)]
    assert "That gives you the time that you asked for." in mails[address_of(BERND)]
    assert todo(eriwan) == []


def test_the_last_wish_counts(eriwan: Any) -> None:
    """Who asks once more means the later wish."""
    wish(eriwan)
    eriwan.writes(ANNA, "Verlängerung Eriwan 5 Tage\n")
    eriwan.tick()
    assert todo(eriwan) == [("extension", "gm zat Eriwan +7d"), ("extension", "gm zat Eriwan +5d")]


def test_less_than_wished_by_mail(eriwan: Any) -> None:
    """The GM answers a wish with a shorter span: it stays open, until it is ticked off or refused."""
    asked = wish(eriwan)[BERND]
    eriwan.writes("Cici", "gm zat Eriwan +1d\n", sender=GM, subject=f"Re: {asked.subject}")
    eriwan.tick()
    mails = {to: eriwan.said(mail) for to, mail in eriwan.mails()}
    assert all("noch nicht erfüllt" in mails[address_of(name)] for name in (ANNA, BERND))
    assert [line for _, line in todo(eriwan)] == ["gm zat Eriwan 2026-11-19 20:00", "gm zat Eriwan 2026-11-23 20:00"]
    eriwan.writes("Cici", "Nein\n", sender=GM, subject=f"Re: {asked.subject}")
    eriwan.tick()
    assert len(todo(eriwan)) == 1
