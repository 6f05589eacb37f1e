"""Which evaluations an issue prints, and that it hides what was hidden when its window closed (shared/spec/zine.md)."""

from __future__ import annotations

import re

import pytest
from played_zine import STANDBY, WISHES
from printed_zine import ISSUES, without_pages

from gm.demo.in_memory_zine import PLAYERS
from gm.requests.desk import actions
from gm.runtime.errors import Refused
from gm.store.queries import game_queries
from gm.store.tables import Turn

pytestmark = pytest.mark.usefixtures("no_pages")


@pytest.fixture
def no_pages(monkeypatch):
    """What an issue says doesn't depend on its pages."""
    without_pages(monkeypatch)


def test_without_a_calendar_issue_1_has_everything(new_zine):
    """All that was released stands in issue 1, and there is no other (issue 30)."""
    zine = new_zine()
    zine.begins("combinato", "Como", PLAYERS[:2])
    zine.plays("Como")
    built = zine.builds()
    assert (built.number, built.games) == (1, 1)
    assert "Start bis Runde 5" in zine.text()
    with pytest.raises(Refused, match="only issue 1"):
        zine.builds(2)


def test_steps_are_printed_once(new_zine):
    """An issue prints the steps that were released before its copy deadline and after that of the one before."""
    zine = new_zine(zine=ISSUES)
    zine.begins("combinato", "Como", PLAYERS[:2])
    zine.plays("Como", 1)
    zine.at("2026-11-21T19:59:59+01:00")
    zine.plays("Como", 1)
    zine.at("2026-11-21T20:00:01+01:00")
    zine.plays("Como", 1)
    zine.builds(1)
    zine.builds(2)
    assert "Runde 1: " in zine.text(1)
    assert "Runde 2: " not in zine.text(1)
    assert "Runde 2: " in zine.text(2)
    assert "Runde 1: " not in zine.text(2)


def test_the_next_issue_is_built_by_default(new_zine):
    """Without a number the issue is meant that appears next."""
    zine = new_zine(zine=ISSUES)
    assert zine.builds().number == 1
    zine.at("2026-11-26T12:00:00+01:00")
    assert zine.builds().number == 2
    with pytest.raises(Refused, match="no issue 0"):
        zine.builds(0)


@pytest.mark.trust
def test_an_issue_is_the_same_after_the_end(new_zine):
    """Built after games have ended, one was broken off, a seat has changed: the same bytes."""
    zine = new_zine(zine=ISSUES, nmr={"standby_after": 0})
    zine.begins("combinato", "Como", PLAYERS[:2])
    zine.begins("typ-dom", "Tokio", PLAYERS[:2])
    zine.begins("farbdomino", "Faro", PLAYERS[:3])
    zine.begins("crossword", "Eriwan", PLAYERS, WISHES)
    zine.begins("crossword", "Kairo", PLAYERS, WISHES)
    zine.opens("crossword", "Jakarta")
    zine.joins("Jakarta", PLAYERS[:2], "AB")
    for name in ("Como", "Tokio", "Faro", "Eriwan", "Kairo"):
        zine.plays(name, 2)
    zine.says("Anna Berg", "Eriwan", "Noch ist alles offen.")
    zine.plays("Eriwan", 1)
    zine.at("2026-11-22T12:00:00+01:00")
    zine.builds(1)
    before = {name: zine.reads(name) for name in ("issue.html", "issue.txt")}

    actions.abort(zine.app, "Kairo", "Zu wenige.")
    actions.standby(zine.app, "Eriwan", PLAYERS[5], STANDBY, "hans@spieler.example")
    zine.tick()
    for name in ("Como", "Tokio", "Faro", "Eriwan"):
        zine.plays(name)
    zine.tick(archive=True)
    zine.builds(1)
    assert {name: zine.reads(name) for name in before} == before


def test_a_step_that_was_taken_back_later_was_public(new_zine):
    """What everybody knew when the window closed is printed, also if the GM has taken it back since."""
    zine = new_zine(zine=ISSUES)
    zine.begins("combinato", "Como", PLAYERS[:2])
    zine.plays("Como", 1)
    for text in ("Zuerst.", "Danach."):
        zine.writes(PLAYERS[0], f"Presse Como:\n{text}\nEnde\n", sender=zine.address(PLAYERS[0]))
        zine.tick()
        zine.plays("Como", 1)
    zine.builds(1)
    before = zine.text(1)
    zine.at("2026-11-22T12:00:00+01:00")
    actions.undo(zine.app, "Como")
    zine.tick()
    zine.writes(PLAYERS[0], "Presse Como:\nNoch später.\nEnde\n", sender=zine.address(PLAYERS[0]))
    zine.tick()
    zine.builds(1)
    zine.builds(2)
    assert zine.text(1) == before
    assert before.count("Zuerst.") == before.count("Danach.") == 1
    assert "Runde 2: " in zine.text(1)
    assert "Runde 2: " not in zine.text(2)
    zine.plays("Como", 1)
    zine.builds(1)
    zine.builds(2)
    assert zine.text(1) == before, "printed anew with the next bulletin, it still stands in the issue of its time"
    assert "Danach." in zine.text(2)


@pytest.mark.trust
def test_what_was_hidden_stays_hidden(new_zine):
    """Secret words, racks and the bag of a game that ends later stand in no issue of the time before."""
    zine = new_zine(zine=ISSUES)
    zine.begins("combinato", "Como", PLAYERS[:2])
    zine.begins("typ-dom", "Tokio", PLAYERS[:2])
    zine.plays("Como", 1)
    zine.plays("Tokio", 1)
    zine.at("2026-11-22T12:00:00+01:00")
    zine.plays("Como")
    zine.plays("Tokio")
    zine.builds(1)
    zine.builds(2)
    secrets = re.findall(r"^ +\d  \w+ \w\. +([A-ZÄÖÜ]{4}) ", zine.text(2), re.MULTILINE)
    assert len(secrets) == 2
    for text in (zine.text(1), zine.reads("issue.html", 1).decode()):
        assert not any(secret in text for secret in secrets)
        assert "Alle Steine" not in text
        assert "Geheimw" not in text


def test_a_held_evaluation_is_left_out(new_zine):
    """A step that waits for the GM isn't known: not in the moves, the standings or the dates."""
    zine = new_zine(release="gm")
    zine.begins("crossword", "Eriwan", PLAYERS, WISHES)
    zine.plays("Eriwan", 1)
    zine.builds()
    assert "Runde 1 von 6" in zine.text()
    assert "RASTER NACH RUNDE 1" not in zine.text()
    actions.release(zine.app, "Eriwan", "Mein Vorwort.")
    zine.tick()
    zine.builds()
    assert "RASTER NACH RUNDE 1" in zine.text()
    assert "Mein Vorwort." in zine.text()


def test_a_move_on_file_is_nobodys_business(new_zine):
    """Paper doesn't say whose moves are in, nor how many."""
    zine = new_zine()
    zine.begins("crossword", "Eriwan", PLAYERS, WISHES)
    zine.plays("Eriwan", 1)
    zine.builds()
    before = zine.text(), zine.reads("issue.html")
    with zine.app.database.read() as session:
        game = game_queries.named(session, "Eriwan")
        assert session.get(Turn, 1) is not None
        assert game.status == "running"
    zine._sends("Eriwan", 1, PLAYERS[0], False)
    zine.builds()
    assert (zine.text(), zine.reads("issue.html")) == before


@pytest.mark.trust
def test_anonymous_press_stands_last(new_zine):
    """The place of an unsigned remark doesn't tell who wrote it: after all signed ones, by its text."""
    zine = new_zine()
    zine.begins("crossword", "Eriwan", PLAYERS, WISHES, options=["press=anonymous"])
    zine.writes(PLAYERS[2], "Presse anonym Eriwan:\nZuerst.\nEnde\n", sender=zine.address(PLAYERS[2]))
    zine.says("Anna Berg", "Eriwan", "Dann.")
    zine.writes(PLAYERS[3], "Presse anonym Eriwan:\nAber ich.\nEnde\n", sender=zine.address(PLAYERS[3]))
    zine.says("Bernd Cordes", "Eriwan", "Danach.")
    zine.plays("Eriwan", 1)
    zine.builds()
    text = zine.text()
    said = ["Dann.", "– Anna B.", "Danach.", "– Bernd C.", "Aber ich.", "– anonym", "Zuerst.", "– anonym"]
    at = [text.index(one) for one in said[:-1]]
    assert at == sorted(at)
    assert text.count("– anonym") == 2


def test_what_readers_may_act_on_is_as_of_the_build(new_zine):
    """A deadline that is over isn't announced; a game that has filled up or begun since isn't offered, a new one is."""
    zine = new_zine(zine=ISSUES)
    zine.begins("crossword", "Eriwan", PLAYERS, WISHES)
    zine.plays("Eriwan", 1)
    zine.opens("crossword", "Genua")
    zine.opens("typ-dom", "Tokio")
    zine.passes(days=20)
    zine.builds(1)
    assert "20:00 Uhr: ZAT Eriwan" in zine.text()
    assert "6 Plätze frei" in zine.text()
    zine.joins("Genua", PLAYERS[:5], WISHES)
    zine.joins("Tokio", PLAYERS[:2])
    actions.start(zine.app, "Tokio")
    zine.opens("farbdomino", "Faro")
    zine.passes(days=60)
    zine.builds(1)
    assert "ZAT" not in zine.text()
    assert "Crossword »Genua«, 1 Platz frei" in zine.text()
    assert "Anmeldung Farbdomino Faro" in zine.text()
    assert "Typ-Dom Tokio" not in zine.text()


def test_standings_name_who_leads(new_zine):
    """Who leads stands in the table, also where the headline of the game says it as well."""
    zine = new_zine()
    zine.begins("wort-yahtzee", "Genua", PLAYERS[:2])
    for number in (1, 2):
        zine.plays("Genua", number)
    zine.builds()
    assert "Wort-Yahtzee »Genua«: Runde 4 von 8, Bernd C., 49 Punkte, " in zine.text()
