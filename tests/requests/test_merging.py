"""`gm player merge`: two players become one, nothing is lost, and nothing counts twice."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from sqlmodel import SQLModel, select

from gm.demo.in_memory_zine import PLAYERS, address_of
from gm.game.people import lookup
from gm.game.replay import verify
from gm.messages import gm_list
from gm.messages.questions import About
from gm.reports.players import details
from gm.requests.desk import actions, players
from gm.requests.desk.merging import merge
from gm.runtime.errors import Refused
from gm.store.queries import game_queries
from gm.store.tables import (
    Address,
    MailIn,
    MailOut,
    Player,
    Question,
    Row,
    Standby,
    Vacation,
    Watcher,
)

ANNA, BERND, CARLA, DORA, EMIL, FRIDA = PLAYERS
GERDA = "Gerda Hahn"


def player_id(zine: Any, name: str) -> int:
    """Return the number of a player."""
    with zine.app.database.read() as session:
        return lookup.named(session, name).id


def pointing_to(zine: Any, number: int) -> list[Any]:
    """List the rows of all tables that name a player by number."""
    tables = [table for table in Row.__subclasses__() if "player_id" in SQLModel.metadata.tables[table.__tablename__].c]
    assert len(tables) >= 10
    return [
        row for table in tables for row in zine.rows(table)
        if row.player_id == number or getattr(row, "recipient", "") == str(number)
    ] + [one for one in zine.rows(Question) if one.payload.get("leaving") == number]  # fmt: skip


def everything(zine: Any) -> list[str]:
    """Return all rows of all tables."""
    with zine.app.database.read() as session:
        return sorted(repr(row) for table in Row.__subclasses__() for row in session.exec(select(table)))


def is_registered(zine: Any, name: str) -> int:
    """Let somebody send a mail, be on the standby list and away; returns the number."""
    actions.add_standby(zine.app, name, address_of(name), None)
    zine.writes(name, "Urlaub 10.12.2026-20.12.2026\n")
    zine.tick()
    zine.mails()
    return player_id(zine, name)


def test_all_that_was_the_ones_is_the_others(eriwan: Any) -> None:
    """Seat, move on file, mails and vacation change hands; no row names the old number, and the game is the same."""
    gerda = is_registered(eriwan, GERDA)
    eriwan.sends(ANNA, "ROT")
    eriwan.tick()
    eriwan.mails()
    old, mails = player_id(eriwan, ANNA), len(eriwan.rows(MailOut)) + len(eriwan.rows(MailIn))
    done = merge(eriwan.app, ANNA, GERDA)
    assert (done.name, done.into, done.games) == (ANNA, GERDA, ["Eriwan"])
    assert pointing_to(eriwan, old) == []
    assert ANNA not in [one.name for one in eriwan.rows(Player)]
    assert len(eriwan.rows(MailOut)) + len(eriwan.rows(MailIn)) == mails
    assert eriwan.on_file(GERDA) == ("rot", "E")
    with eriwan.app.database.read() as session:
        assert ANNA in session.get_one(Player, gerda).former_names
        assert details(eriwan.app, session, lookup.named(session, GERDA))["seats"][0]["game"] == "Eriwan"
    eriwan.passes_until(eriwan.zat, seconds=1)
    eriwan.tick()
    told = [to for to, _ in eriwan.mails()]
    assert told.count(address_of(GERDA)) == 1
    assert address_of(ANNA) not in told
    with eriwan.app.database.read() as session:
        assert verify(eriwan.app, session, game_queries.named(session, "Eriwan")) == []


def test_moves_from_all_addresses_count(eriwan: Any) -> None:
    """A mail from the address of either is theirs; ours go to the first one of whom stays."""
    is_registered(eriwan, GERDA)
    assert merge(eriwan.app, ANNA, GERDA).addresses == [address_of(GERDA), address_of(ANNA)]
    eriwan.writes(ANNA, "Crossword Eriwan\nNeu: E\nROT...\n" + "......\n" * 5)
    eriwan.tick()
    assert eriwan.on_file(GERDA) == ("rot", "E")
    assert [to for to, _ in eriwan.mails()] == [address_of(GERDA)]


def test_nothing_counts_twice(eriwan: Any) -> None:
    """Days that both took, places on the standby list, and an address that they share are there once."""
    is_registered(eriwan, GERDA)
    players.use(eriwan.app, ANNA, address_of(GERDA))
    actions.add_standby(eriwan.app, ANNA, address_of(ANNA), None)
    players.vacation(eriwan.app, ANNA, "15.12.2026-24.12.2026")
    first = min(one.id for one in eriwan.rows(Standby))
    merge(eriwan.app, ANNA, GERDA)
    assert [one.id for one in eriwan.rows(Standby)] == [first]
    assert [(one.first, one.last) for one in eriwan.rows(Vacation)] == [(date(2026, 12, 10), date(2026, 12, 24))]
    held = [one.address for one in eriwan.rows(Address) if one.player_id == player_id(eriwan, GERDA)]
    assert sorted(held) == sorted({*held})


def test_a_queued_mail_still_goes_out(eriwan: Any) -> None:
    """What waits for the one is sent all the same, to where it was written for."""
    is_registered(eriwan, GERDA)
    players.rename(eriwan.app, ANNA, "Anna Neu")
    merge(eriwan.app, "Anna Neu", GERDA)
    eriwan.tick()
    assert address_of(ANNA) in [to for to, _ in eriwan.mails()]


def test_the_same_mail_to_both_stays_as_it_is(eriwan: Any) -> None:
    """Where both got the same mail, both rows stay, and it isn't sent again."""
    is_registered(eriwan, GERDA)
    eriwan.writes(GERDA, "Beobachten Eriwan\n")
    eriwan.tick()
    eriwan.passes_until(eriwan.zat, seconds=1)
    eriwan.tick()
    eriwan.mails()
    old, number = player_id(eriwan, ANNA), len(eriwan.rows(MailOut))
    merge(eriwan.app, ANNA, GERDA)
    assert pointing_to(eriwan, old) == []
    assert len(eriwan.rows(MailOut)) == number
    assert eriwan.rows(Watcher) == []
    eriwan.tick()
    assert eriwan.mails() == []


def test_what_is_asked_about_a_mail_stays_about_that_mail(eriwan: Any) -> None:
    """The number of a mail that didn't arrive isn't taken for that of a player."""
    is_registered(eriwan, GERDA)
    number = player_id(eriwan, ANNA)
    with eriwan.app.database.write() as session:
        mail = session.get_one(MailOut, number)
        gm_list.tell(eriwan.app, session, "undelivered", "came back", About(sent=mail))
    merge(eriwan.app, ANNA, GERDA)
    (asked,) = (one for one in eriwan.rows(Question) if one.kind == "undelivered")
    assert asked.payload["out"] == number


def test_two_who_sat_in_one_game_are_two(eriwan: Any) -> None:
    """Refused, also where one has left the game; nothing changes."""
    with pytest.raises(Refused, match="both sit or sat in Eriwan"):
        merge(eriwan.app, ANNA, BERND)
    actions.standby(eriwan.app, "Eriwan", DORA, GERDA, address_of(GERDA))
    with pytest.raises(Refused, match="both sit or sat in Eriwan"):
        merge(eriwan.app, DORA, GERDA)
    with pytest.raises(Refused, match="is one player already"):
        merge(eriwan.app, ANNA, ANNA.upper())
    assert {DORA, GERDA, ANNA} <= {one.name for one in eriwan.rows(Player)}


def test_a_preview_changes_nothing(eriwan: Any) -> None:
    """What the question shows is worked out and taken back."""
    is_registered(eriwan, GERDA)
    before = everything(eriwan)
    assert merge(eriwan.app, ANNA, GERDA, is_preview=True).games == ["Eriwan"]
    assert everything(eriwan) == before
