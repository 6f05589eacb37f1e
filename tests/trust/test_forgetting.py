"""`gm player forget`: a player leaves every kind of data and is forgotten; every page and every own row is searched."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
import seating
import zines
from sqlmodel import select

from gm.archive.export import export
from gm.demo.in_memory_zine import PLAYERS, address_of
from gm.game.replay import verify
from gm.requests.desk import actions, players
from gm.requests.desk.erasure import forget
from gm.store.queries import game_queries, player_queries
from gm.store.tables import Address, MailIn, MailOut, Question, Row

prepared_zines, opener = zines.prepared_zines, zines.opener

_, BERND, CARLA, _, _, FRIDA = PLAYERS
GERDA = "Gerda Hahn"
NAME = "Friedhelma Groß-Müllerová"
FIRST, LAST = NAME.split()
LOCAL, DOMAIN = "f.grossmueller77", "xn--quittenpost-hcb.example"
ADDRESS = f"{LOCAL}@{DOMAIN}"
NEVER_THERE = "quirin.vormals@anderswo.example"
NEEDLES = re.compile("|".join(map(re.escape, (FIRST, LAST, LOCAL, DOMAIN, NEVER_THERE, "friedhelma-gross"))), re.I)


def pages_with_traces(zine: Any) -> set[str]:
    """List the files of the archive that name her in what they are called or hold."""
    folder = zine.config.parent
    files = [path for path in folder.rglob("*") if path.is_file() and path != zine.config and path.suffix != ".py"]
    pages = {str(path.relative_to(folder)): path for path in files if "archive" in str(path.relative_to(folder))}
    return {
        name for name, path in pages.items() if NEEDLES.search(name) or NEEDLES.search(path.read_text(errors="replace"))
    }  # fmt: skip


def rows_with_traces(zine: Any) -> list[Any]:
    """List the rows that name her, but for mails of others, and what these have said to the GM."""
    with zine.app.database.read() as session:
        rows = [row for table in Row.__subclasses__() for row in session.exec(select(table))]
    named = [row for row in rows if NEEDLES.search(str(row.model_dump()))]
    others = {row.id for row in rows if isinstance(row, MailIn) and row.reason != "forgotten"}
    return [
        row for row in named
        if not isinstance(row, MailIn | MailOut | Question)
        or (isinstance(row, MailIn) and row.id not in others)
        or (isinstance(row, MailOut) and not row.address)
        or (isinstance(row, Question) and row.mail_id not in others)
    ]  # fmt: skip


def leave_traces(zine: Any) -> None:
    """Let her do all that leaves a trace, in a game that has ended, one under way and one to come."""
    app = zine.app
    players.rename(app, FRIDA, NAME)
    players.use(app, NAME, ADDRESS)
    actions.rule(app, "Eriwan", ["DNI"], False, f"so {NAME} ({ADDRESS})", False)
    zine.tick(archive=True)
    for game in ("Havanna", "Kairo"):
        actions.new_game(app, "crossword", game)
    for name, wish in zip([*PLAYERS[:5], NAME], "DNTIRO", strict=True):
        seating.join(app, "Havanna", name, ADDRESS if name == NAME else address_of(name), wish)
    actions.start(app, "Havanna")
    zine.tick(archive=True)
    block = f"Crossword Havanna\nName: {NAME}\nRunde: 1\nNeu: E\nROT...\n" + "......\n" * 5
    signed = f"\n\n-- \n{NAME}\n{ADDRESS}\n"
    for number, text in enumerate((
        block + signed, f"Presse Havanna\nIch, {NAME}, grüße {ADDRESS}.\nEnde\n",
        "Urlaub 24.12.2027-06.01.2028\nStandby\nBeobachten Eriwan\nBeobachten Kairo" + signed,
        f"GM: Ruf mich an, {NAME}", f"Adresse {NEVER_THERE}", "Ja ABCDEFGH", "Warten Havanna",
        "Anmeldung Kairo\nNeu: D", f"Einspruch Havanna ROT: {NAME} sagt nein",
        "Verlängerung Havanna 3 Tage\nBitte!" + signed,
    )):  # fmt: skip
        message_id = f"<{number}.{LOCAL}@{DOMAIN}>"
        zine.writes(NAME, text, sender=ADDRESS, message_id=message_id, in_reply_to=f"<a{number}.{ADDRESS}>")
    zine.writes(CARLA, f"Presse Havanna\nDank an {NAME}, {ADDRESS}!\nEnde\n")
    zine.writes("Fremd", f"Guten Tag, ich bin {NAME}", sender="fremd@fremd.example")
    zine.tick(archive=True)
    with zine.writing() as session:
        player = player_queries.player_named(session, NAME)
        rows = session.exec(select(Address)).all()
        for row in rows:
            if row.player_id == player.id or row.address == address_of(BERND):
                row.bounced_at, row.bounce = zine.now, "550 unknown"
                session.add(row)
        mail = session.exec(select(MailIn).where(MailIn.sender == ADDRESS)).first()
        later = zine.now + timedelta(days=99)  # no summary takes the rows away before we look
        for address in (ADDRESS, address_of(BERND)):
            session.add(
                MailOut(cause=f"mail:{mail.id}", kind="answer", recipient=f"left out {address}", address=address,
                        message_id=f"<{address}>", subject="", status="left out", next_try=later, created_at=later)
            )  # fmt: skip
    zine.tick(archive=True)
    actions.standby(app, "Havanna", NAME, GERDA, "gerda@spieler.example")
    zine.passes_until(_zat(zine, "Havanna"), seconds=1)
    zine.tick(archive=True)


def _zat(zine: Any, game: str) -> Any:
    with zine.app.database.read() as session:
        return game_queries.game_named(session, game).zat


@dataclass(frozen=True, kw_only=True)
class Looked:
    """What was there before she was forgotten, and after."""

    zine: Any
    pages: set[str]
    verified: dict[str, list[Any]]


@pytest.fixture(scope="module")
def looked(opener: Any) -> Iterator[Looked]:
    """A zine in which she has left every kind of trace, and was forgotten."""
    zine = opener("provisional", security={"answers_per_hour": 10_000})
    with closing(zine):
        leave_traces(zine)
        while not zine.tick(archive=True).is_idle:
            pass
        pages, verified = pages_with_traces(zine), record(zine)
        forget(zine.app, NAME)
        export(zine.app, zine.app.settings.archive.path)
        yield Looked(zine=zine, pages=pages, verified=verified)


def record(zine: Any) -> dict[str, list[Any]]:
    """Return what `gm verify` finds wrong, by game that has begun."""
    with zine.app.database.read() as session:
        games = [game for game in game_queries.games(session) if game.turn is not None]
        return {game.name: verify(zine.app, session, game) for game in games}


def test_no_page_names_her(looked: Looked) -> None:
    """Neither name, nor part of it, nor an address is in any page or its path; before, all were in many."""
    assert "archive/partien/eriwan/partie.json" in looked.pages
    assert pages_with_traces(looked.zine) == set()


def test_no_row_of_hers_names_her(looked: Looked) -> None:
    """Nothing but mails of others, and what these told the GM, has the name or an address still."""
    assert rows_with_traces(looked.zine) == []


def test_the_record_holds(looked: Looked) -> None:
    """`gm verify` passes for all games, before and after."""
    assert looked.verified == record(looked.zine) == {"Eriwan": [], "Havanna": []}


def test_bounces_and_answers_left_out(looked: Looked) -> None:
    """What was noted of her address goes; what was noted of another's stays."""
    assert [row.address for row in looked.zine.rows(MailOut) if row.status == "left out"] == [address_of(BERND)]
    assert [row.address for row in looked.zine.rows(Address) if row.bounced_at] == [address_of(BERND)]
