"""Names and times as people write them, everywhere that one is taken.

Issue 29: "a unique first name is enough; codes in any case; `+3 Tage` as `+3d`".
"""

import datetime as dt
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from gm.demo.in_memory_zine import PLAYERS
from gm.requests.desk.mail_actions import since_when
from gm.runtime.config.values import Span
from gm.runtime.errors import Refused
from gm.service.maintenance.prune import cutoff
from gm.store.tables import Question

ANNA, BERND, CARLA, DORA, EMIL, FRIDA = PLAYERS
BERLIN = ZoneInfo("Europe/Berlin")
NOW = dt.datetime(2026, 11, 25, 12, tzinfo=dt.UTC)

# -- at the command line -----------------------------------------------------------------------------------------------

NAMED: dict[tuple[str, ...], str] = {
    ("show", "eriwan", "--seat", "anna"): "Anna Berg",
    ("move", "Eriwan", "ann", "--withdraw"): "The move of Anna Berg in Eriwan is taken back.",
    ("standby", "eriwan", "frida", "--none"): "Eriwan goes on without Frida Groß",
    ("player", "show", "BERND"): "Bernd Cordes",
    ("player", "rename", "carla", "Karla Dietz"): "Carla Dietz is called Karla Dietz",
    ("player", "address", "dora", "dora@neu.example"): "Mails to Dora Ems go to dora@neu.example.",
    ("player", "export", "emil"): "Emil Funk",
    ("write", "emil"): "Emil Funk",
    ("zat", "eriwan", "+3", "Tage"): "New ZAT of Eriwan",
    ("zat", "Eriwan", "3 days"): "New ZAT of",
    ("zat", "Eriwan", "+1", "Woche"): "New ZAT of",
    ("zat", "Eriwan", "-3d"): "New ZAT of",
    ("zat", "Eriwan", "-3", "Tage", "--why", "Eile"): "New ZAT of",
    ("zat", "--why", "Eile", "Eriwan", "-12h"): "New ZAT of",
    ("zat", "--all", "-3d", "--why", "Eile"): "New ZAT of Eriwan",
    ("zat", "-3d", "--all"): "New ZAT of Eriwan",
    ("zat", "Eriwan", "übermorgen", "18:00"): "New ZAT of",
    ("zat", "Eriwan", "bis", "Sonntag"): "New ZAT of",
    ("pause", "Eriwan", "3d"): "Eriwan is paused until",
    ("pause", "Eriwan", "+3d"): "Eriwan is paused until",
    ("pause", "Eriwan", "3", "Tage"): "Eriwan is paused until",
    ("pause", "Eriwan", "+3 Tage", "--why", "Umzug"): "Eriwan is paused until",
    ("pause", "--all", "3d"): "Eriwan is paused until",
    ("pause", "--all", "3", "Tage"): "Eriwan is paused until",
    ("pause", "+3 Tage", "--all"): "Eriwan is paused until",
    ("new", "CROSSWORD", "Batumi", "--zat", "2 Wochen"): "Batumi",
    ("new", "typ-dom", "Riga", "--zat", "+3 Tage"): "Riga",
    ("mail", "list", "--since", "3 Tage"): "",
    ("mail", "list", "--since", "vor 3 Tagen"): "",
    ("mail", "list", "--since", "gestern"): "",
    ("mail", "list", "--since", "1.11."): "",
    ("mail", "retry", "--all", "--since", "+3 Tage"): "",
    ("mail", "prune", "--older", "2 Jahre"): "have lost their text",
}  # fmt: skip


@pytest.mark.trust(except_first=2)
@pytest.mark.parametrize("words", NAMED, ids=" ".join)
def test_at_the_command_line(running: Any, words: tuple[str, ...]) -> None:
    """A first name, a game in any case and a time in words do what the whole name and `+3d` do."""
    if words[0] == "move":
        running("move", "Eriwan", "Anna Berg", stdin=b"Neu: E\nDNTIRO\n......\n......\n......\n......\n......\n")
    stdin = {"stdin": b"Hallo!"} if words[0] == "write" else {}
    assert NAMED[words] in running(*words, **stdin).out


def test_back_into_the_past(running: Any) -> None:
    """A ZAT that would lie behind is refused with a sentence, of one game and of all; a misspelt option is none."""
    for which in (("Eriwan",), ("--all",)):
        said = running.refused("zat", *which, "-30d")
        assert "'-30d' would be 20" in said
        assert "which has passed; name a later time." in said
    ran = running.run("zat", "Eriwan", "--whi", "so")
    assert ran.code == 2


def test_codes_in_any_case(running: Any) -> None:
    """A code is ticked off as it is typed, in small letters too."""
    with running.app() as app, app.database.write() as session:
        session.add(Question(kind="text", code="ABCD2345", created_at=app.now(), payload={"text": "Hallo"}, address=""))
    assert running("todo", "--done", "abcd2345").out == "ABCD2345 is ticked off.\n"


# -- the times themselves ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["3d", "+3d", "3 Tage", "+3 Tage", "3 TAGE", "3 Tagen", "3 days", "+3  days"])
def test_three_days(text: str) -> None:
    """`+3 Tage` is `3d` wherever a span is taken: of a round, of a pause, since when."""
    assert Span.parse(text) == Span(3, "d")
    assert since_when(text, NOW, BERLIN) == NOW - dt.timedelta(days=3)
    assert cutoff(NOW, text) == NOW - dt.timedelta(days=3)


SINCE = {
    "12h": "2026-11-25T01:00", "vor 3 Tagen": "2026-11-22T13:00", "3 days ago": "2026-11-22T13:00",
    "heute": "2026-11-25T00:00", "seit gestern": "2026-11-24T00:00", "vorgestern": "2026-11-23T00:00",
    "1.11.": "2026-11-01T00:00", "24.12.": "2025-12-24T00:00", "25.11": "2026-11-25T00:00",
    "Sonntag": "2026-11-22T00:00", "wednesday": "2026-11-18T00:00", "24.11.2026 18:00": "2026-11-24T18:00",
    "2026-11-24": "2026-11-24T00:00", "20. November": "2026-11-20T00:00", "20.11. 18:30": "2026-11-20T18:30",
    "20.11., 18:30 Uhr": "2026-11-20T18:30", "gestern 8:00": "2026-11-24T08:00",
}  # fmt: skip


@pytest.mark.parametrize("text", SINCE)
def test_since_when(text: str) -> None:
    """A time that lies behind: what lacks its year is the last such day."""
    assert f"{since_when(text, NOW, BERLIN).astimezone(BERLIN):%Y-%m-%dT%H:%M}" == SINCE[text]


@pytest.mark.parametrize("text", ["", "bald", "31.2.", "2026-13-01", "3x", "99999999999d", "24.", "1.1.1.1"])
def test_no_time(text: str) -> None:
    """What is no time is refused with how to write one, in both languages."""
    with pytest.raises(Refused, match="like 12h or 3d") as refused:
        since_when(text, NOW, BERLIN)
    assert "schreib 12h, 3d" in refused.value.said_in("de")
