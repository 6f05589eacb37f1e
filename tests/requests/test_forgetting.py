"""`gm player forget`: nothing that is a person's own is left, and nothing of the games is lost."""

from __future__ import annotations

import re
from dataclasses import replace
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path
from typing import Any

import databases
import pytest
import seating
from sqlmodel import select

from gm.demo.in_memory_zine import GM_ADDRESS, PLAYERS, address_of
from gm.game.people.erasure_text import erase_from_notes
from gm.game.people.personal_data import person_finder
from gm.game.people.shown_names import shown_names
from gm.game.replay import verify
from gm.reports.mail_log import one_mail
from gm.reports.todo import waiting_for_gm
from gm.requests.desk import actions, players
from gm.requests.desk.erasure import forget
from gm.runtime.errors import Refused
from gm.store.archive_tables import ArchivedGame, ArchivedWord
from gm.store.database import Database
from gm.store.queries import game_queries, player_queries
from gm.store.queries.player_queries import NOBODY
from gm.store.tables import (
    Address,
    Duty,
    Game,
    MailIn,
    MailOut,
    Player,
    Press,
    Question,
    Row,
    Ruling,
    Seat,
    Sheet,
    Standby,
    Turn,
    Watcher,
)

pytestmark = pytest.mark.trust

GAME = "Eriwan"
ANNA, BERND, CARLA, DORA, EMIL, FRIDA = PLAYERS
GERDA = "Gerda Hahn"
GM = "cici@postspiel.example"
SHARED = "berge@spieler.example"
NEVER_THERE = "quirin@spieler.example"


def stored(zine: Any) -> bytes:
    """Return every byte of the database and of the log beside it; of a server, every row."""
    if zine.app.database.is_shared:
        return "\n".join(databases.CHOSEN.dump(zine.config.parent)).encode()
    file = Path(zine.app.settings.database.url.removeprefix("sqlite:///"))
    return b"".join(path.read_bytes() for path in (file, file.with_name(f"{file.name}-wal")) if path.exists())


def rows_with(zine: Any, *texts: str) -> list[Any]:
    """List the rows, of all tables, that hold one of these texts."""
    with zine.app.database.read() as session:
        rows = [row for table in Row.__subclasses__() for row in session.exec(select(table))]
    return [row for row in rows if any(text.casefold() in str(row.model_dump()).casefold() for text in texts)]


def left(zine: Any, *texts: str) -> list[Any]:
    """List the rows that hold one of these texts, but for mails of others, and what the GM was told."""
    others = {mail.id for mail in zine.received() if mail.reason != "forgotten"}
    known = {player.id for player in zine.rows(Player) if player.name != NOBODY}
    return [
        row for row in rows_with(zine, *texts)
        if not (isinstance(row, MailIn | Question) and (row.id if isinstance(row, MailIn) else row.mail_id) in others)
        and not (isinstance(row, MailOut) and (row.player_id in known or row.address == GM))
    ]  # fmt: skip


def base64_mail(sender: str, name: str, text: str) -> bytes:
    """Write a mail as some telephones do, with all of it in base64."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = f"{name} <{sender}>", GM_ADDRESS, f"Re: {text}"
    mail["Message-ID"] = "<base64@spieler.example>"
    mail.set_content(f"GM: {text}\n", cte="base64")
    return mail.as_bytes(policy=SMTP)


def forgotten(zine: Any, name: str = FRIDA) -> Any:
    """Send what is queued, then forget somebody."""
    zine.tick()
    done = forget(zine.app, name)
    zine.mails()
    return done


@pytest.fixture
def known(eriwan: Any) -> Any:
    """Frida has left traces everywhere; a standby has her seat now."""
    actions.new_game(eriwan.app, "crossword", "Havanna")
    eriwan.sends(FRIDA, "ROT", head=(f"Name: {FRIDA}",))
    eriwan.writes(FRIDA, "Presse Eriwan\nIch, Frida Groß, grüße alle.\nEnde\n")
    eriwan.writes(FRIDA, "Urlaub 24.12.2026-06.01.2027\nStandby\nBeobachten Havanna\nGM: Ruf mich an, Frida Groß")
    eriwan.writes(FRIDA, f"Adresse {NEVER_THERE}")
    eriwan.writes(BERND, "Presse Eriwan\nDank an Frida\nGroß und FRIDA GROSS!\nEnde\n")
    eriwan.arrives(base64_mail(address_of(CARLA), CARLA, f"Wo ist {FRIDA} ({address_of(FRIDA)})?"))
    eriwan.tick()
    eriwan.passes_until(eriwan.zat, seconds=1)
    eriwan.tick()
    actions.standby(eriwan.app, GAME, FRIDA, GERDA, "gerda@spieler.example")
    return eriwan


def test_no_row_of_hers_is_left(known: Any) -> None:
    """Neither name nor address is in any row that isn't a mail of others; what only she had is gone from the disk."""
    known.tick()
    assert len(rows_with(known, FRIDA, address_of(FRIDA), NEVER_THERE)) > 10
    assert NEVER_THERE.encode() in stored(known)
    assert forgotten(known).is_gone_from_disk
    assert left(known, FRIDA, address_of(FRIDA), NEVER_THERE) == []
    assert NEVER_THERE.encode() not in stored(known)


def test_the_games_go_on(known: Any) -> None:
    """Positions, moves and scores stay as recorded, and the seat's history names N. N."""

    def record() -> Any:
        rows = [(turn.input, turn.state, turn.events) for turn in known.rows(Turn)]
        return rows, [sheet.move for sheet in known.rows(Sheet)], len(known.rows(Duty)), len(known.rows(Seat))

    before = record()
    forgotten(known)
    assert record() == before
    with known.app.database.read() as session:
        assert verify(known.app, session, game_queries.game_named(session, GAME)) == []
    assert known.seat(GERDA)["history"] == ["N. N.", GERDA]
    known.passes_until(known.zat, seconds=1)
    known.tick()
    assert known.round == 3
    assert all("frida" not in known.said(mail).lower() for _, mail in known.mails())


def test_what_goes_and_what_stays(known: Any) -> None:
    """Press, lists, addresses and mails of the person go; mails of others stay in the log as they are."""
    with known.app.database.read() as session:
        frida = player_queries.player_named(session, FRIDA).id
    done = forgotten(known)
    assert {key: done.counts[key] for key in ("addresses", "press", "standby list", "games watched", "vacations")} == {
        "addresses": 1, "press": 1, "standby list": 1, "games watched": 1, "vacations": 1,
    }  # fmt: skip
    assert [press.text.split() for press in known.rows(Press)] == [["Dank", "an", "N.", "N.", "und", "N.", "N.!"]]
    assert not [row for table in (Address, Standby, Watcher) for row in known.rows(table) if row.player_id == frida]
    carla = next(row for row in known.received() if row.sender == address_of(CARLA))
    assert (bool(carla.raw), carla.status) == (True, "applied")
    assert carla.subject.startswith("Re: Wo ist Frida")
    hers = [row for row in known.received() if row.player_id == frida]
    assert len(hers) == 4
    assert {(row.sender, row.subject, row.message_id, row.raw, row.reason) for row in hers} == {
        ("", "", "", b"", "forgotten")
    }
    assert {(row.address, row.subject, row.raw) for row in known.outgoing(player_id=frida)} == {("", "", None)}
    assert all(row.raw for row in known.outgoing(kind="answer", address=address_of(BERND)))
    with known.app.database.read() as session:
        assert one_mail(known.app, session, str(hers[0].id), False).startswith("Status: ")


def test_what_waits_for_the_gm(known: Any) -> None:
    """What she was asked is settled, and what waits for the GM about her is ticked off."""
    forgotten(known)
    with known.app.database.read() as session:
        waiting = waiting_for_gm(known.app, session)
        assert [(row["what"], row["about"]) for row in waiting] == [
            ("text", f"Carla Dietz: Wo ist {FRIDA} ({address_of(FRIDA)})?"),
        ]
    assert all(question.answered_at for question in known.rows(Question) if question.address == "-")


def test_she_is_a_stranger_then(known: Any) -> None:
    """A forgotten player who writes again is a stranger, and can't be seated by the remaining name."""
    forgotten(known)
    known.writes(FRIDA, "Stand Eriwan")
    assert known.tick().received == 1
    assert known.received()[-1].player_id is None
    with pytest.raises(Refused, match=r"There is a player N\. N\. with another address"):
        seating.join(known.app, "Havanna", "n. n.", address_of(FRIDA), "D")


def test_two_who_are_forgotten(known: Any) -> None:
    """Both are shown as N. N., though each is still a player of their own."""
    forgotten(known)
    actions.standby(known.app, GAME, EMIL, "Hans Igel", "hans@spieler.example")
    assert forgotten(known, EMIL).called == "N. N. 2"
    assert left(known, EMIL, address_of(EMIL)) == []
    assert known.seat("Hans Igel")["history"] == ["N. N.", "Hans Igel"]
    assert [player.name_key for player in known.rows(Player) if player.name == "N. N."] == ["n. n. 2", "n. n."]


def test_former_names_and_addresses(known: Any) -> None:
    """Names and addresses that a player had before go as well."""
    players.rename(known.app, FRIDA, "Friederike Klein")
    players.use(known.app, "friederike klein", "klein@spieler.example")
    players.remove(known.app, "friederike klein", address_of(FRIDA))
    forgotten(known, "Friederike Klein")
    assert left(known, FRIDA, "Friederike Klein", address_of(FRIDA), "klein@spieler.example") == []


def edited(zine: Any, name: str) -> set[str]:
    """Forget somebody; returns the games whose pages are made anew."""
    before = {game.name: game.last_write for game in zine.rows(Game)}
    forgotten(zine, name)
    return {game.name for game in zine.rows(Game) if game.last_write != before[game.name]}


def test_where_others_have_named_her(begin: Any) -> None:
    """Press, foreword and notes of rulings lose the name also in a game that she never sat in; its record holds."""
    story = begin("last round")
    actions.new_game(story.app, "crossword", "Havanna")
    actions.add_standby(story.app, GERDA, "gerda@spieler.example", None)
    story.writes(BERND, f"Presse Eriwan\nDank an {GERDA}!\nEnde\n")
    story.passes_until(story.zat, days=-1)
    story.writes(ANNA, story.block(ANNA, "", None) + "rot+dni / in 6\nSumme 6\n")
    story.tick()
    story.passes_until(story.zat, seconds=1)
    story.tick()
    note = "nach Auskunft von Gerda Hahn selbst"
    actions.rule(story.app, GAME, ["DNI"], False, note, False)
    actions.rule(story.app, GAME, ["ROT"], False, "Gerda Hahn", False)
    with story.writing() as session:
        turn = session.exec(select(Turn).order_by(Turn.id.desc())).first()  # type: ignore[attr-defined]
        turn.foreword = f"Willkommen, {GERDA}!"
        session.add(turn)
    story.tick()
    assert story.status == "finished"
    assert note in str(turn.state)
    assert {note, "Gerda Hahn"} <= {verdict["note"] for verdict in turn.verdicts.values()}
    assert edited(story, GERDA) == {GAME}
    assert left(story, GERDA, "gerda@spieler.example") == []
    with story.app.database.read() as session:
        assert verify(story.app, session, game_queries.game_named(session, GAME)) == []
    assert "nach Auskunft von N. N. selbst" in str(story.rows(Turn)[-1].state)
    actions.rule(story.app, GAME, ["ROT"], True, "", False)
    with story.app.database.read() as session:
        assert verify(story.app, session, game_queries.game_named(session, GAME)) == []


def test_a_ruling_for_the_house(seated: Any) -> None:
    """Its note may be on the page of any game, so all of them are written anew; otherwise none is."""
    actions.new_game(seated.app, "crossword", "Havanna")
    for name in ("Gerda Hahn", "Hans Igel"):
        actions.add_standby(seated.app, name, f"{name[:4].lower()}@spieler.example", None)
    actions.rule(seated.app, GAME, ["URAN"], False, "wie Gerda Hahn sagt", True)
    assert edited(seated, "Hans Igel") == set()
    assert edited(seated, "Gerda Hahn") == {GAME, "Havanna"}
    assert [ruling.note for ruling in seated.rows(Ruling)] == ["wie N. N. sagt"]


def test_press_of_a_spectator(eriwan: Any) -> None:
    """Where somebody has only watched, the page loses their press."""
    actions.add_standby(eriwan.app, GERDA, "gerda@spieler.example", None)
    eriwan.writes("Gerda", "Beobachten Eriwan\n", sender="gerda@spieler.example")
    eriwan.writes("Gerda", "Presse Eriwan\nWer gewinnt?\nEnde\n", sender="gerda@spieler.example")
    eriwan.tick()
    assert len(eriwan.rows(Press)) == 1
    assert edited(eriwan, GERDA) == {GAME}
    assert eriwan.rows(Press) == []


def test_words_beside_a_sign_up(eriwan: Any) -> None:
    """What a newcomer wrote beside the first sign-up goes as well."""
    eriwan.writes(GERDA, "Beobachten Eriwan, meine Katze heißt Minka\n")
    question = eriwan.answer(GERDA)
    eriwan.writes(GERDA, "Ja\n", subject=f"Re: {question.subject}")
    eriwan.tick()
    assert rows_with(eriwan, "Minka")
    forget(eriwan.app, GERDA)
    assert left(eriwan, "Minka") == []


@pytest.mark.tampers
def test_a_note_wherever_an_engine_keeps_it(eriwan: Any) -> None:
    """A note that is the name and nothing else goes only where it is a note: elsewhere it is a word of the game."""
    short, long, other = "Rot", "Rot weiß es: Rotwild (ROT)", "Rotwild"
    record = [
        {"word": "Rot", "note": "Rot"}, {"code": "NOTED", "values": {"note": long}}, [f"gestrichen: {long}"],
        {"rows": ["ROT", "Rot"], "note": other},
    ]  # fmt: skip
    clean = [
        {"word": "Rot", "note": "N. N."}, {"code": "NOTED", "values": {"note": "N. N. weiß es: Rotwild (N. N.)"}},
        ["gestrichen: N. N. weiß es: Rotwild (N. N.)"], {"rows": ["ROT", "Rot"], "note": other},
    ]  # fmt: skip
    with eriwan.writing() as session:
        turn = session.exec(select(Turn)).one()
        turn.state, turn.events, turn.retrospect = record, record[1:], record
        turn.verdicts = {
            str(number): {"status": "refused", "reason": "RULED", "entry": "", "note": note}
            for number, note in enumerate([short, long, other, ""])
        }
        session.add(turn)
        session.add(ArchivedWord(game_id=1, seat=1, word="ROT", key="ROT", status="refused", why=record[1]))
        session.add(ArchivedGame(game_id=1, turn_id=turn.id, form="1", ended_at=eriwan.now, facts={"struck": record}))
        session.flush()
        found = person_finder(["Rot"], [], ["Anna Berg"])
        assert erase_from_notes(session, found) == {1}
        assert erase_from_notes(session, found) == set()
    (turn,) = eriwan.rows(Turn)
    assert (turn.state, turn.events, turn.retrospect) == (clean, clean[1:], clean)
    assert [one["note"] for one in turn.verdicts.values()] == ["N. N.", "N. N. weiß es: Rotwild (N. N.)", other, ""]
    assert eriwan.rows(ArchivedWord)[0].why == clean[1]
    with eriwan.app.database.read() as session:
        assert session.get_one(ArchivedGame, 1).facts == {"struck": clean}


def test_the_form_of_the_name_goes(known: Any) -> None:
    """What she wanted to be called in the archive is forgotten as well: she is N. N. there."""
    known.writes(FRIDA, "Archivname voll")
    forgotten(known)
    with known.app.database.read() as session:
        frida = next(player for player in known.rows(Player) if player.name == "N. N.")
        assert frida.name_form == ""
        assert shown_names(session, known.app.settings)[frida.id].name == "N. N."


def test_others_with_a_longer_name_stay(eriwan: Any) -> None:
    """A name within another's name is the other's: that player's texts stay as they are."""
    with eriwan.writing() as session:
        for old, new in ((BERND, "Anna Berg-Voß"), (CARLA, "Johanna Berg"), (DORA, "Anna Berg 2")):
            player = player_queries.player_named(session, old)
            player.name, player.name_key = new, new.casefold()
            session.add(player)
    eriwan.writes(EMIL, "Presse Eriwan\nAnna Bergs Dank an Anna Berg-Voß, Johanna Berg und Anna Berg 2.\nEnde\n")
    eriwan.tick()
    actions.standby(eriwan.app, GAME, ANNA, GERDA, "gerda@spieler.example")
    forgotten(eriwan, ANNA)
    assert eriwan.rows(Press)[0].text == "N. N.s Dank an Anna Berg-Voß, Johanna Berg und Anna Berg 2."


def test_a_couple(zine: Any) -> None:
    """The other one at the address keeps it, their moves and the bytes of their mails."""
    actions.new_game(zine.app, "crossword", GAME)
    for name, wish in zip(PLAYERS, "DNTIRO", strict=True):
        seating.join(zine.app, GAME, name, SHARED if name in (ANNA, BERND) else address_of(name), wish)
    actions.start(zine.app, GAME)
    zine.tick()
    for name in (ANNA, BERND):
        first = name.split()[0]
        zine.writes("Die beiden", zine.block(name, "ROT").replace("\n", f"\nName: {first}\n", 1), sender=SHARED)
    zine.tick()
    actions.standby(zine.app, GAME, ANNA, GERDA, "gerda@spieler.example")
    forgotten(zine, ANNA)
    hers, his = zine.received()
    assert (hers.raw, hers.subject, hers.sender) == (b"", "", SHARED)
    assert b"Name: Bernd" in his.raw
    assert left(zine, ANNA) == []
    assert zine.on_file(BERND) == ("rot", "E")
    with zine.app.database.read() as session:
        assert [player.name for player in player_queries.players_at(session, SHARED)] == [BERND]
    zine.writes("Die beiden", "Stand Eriwan", sender=SHARED)
    zine.tick()
    assert [address for address, _ in zine.mails()] == [SHARED]


def test_a_name_that_is_a_word(begin: Any) -> None:
    """Moves, and words that the GM has to rule on, stay even where they are spelled like the name."""
    story = begin("started")
    players.rename(story.app, FRIDA, "Rot")
    story.sends("Rot", "ROT", sender=address_of(FRIDA))
    story.tick()
    before = [sheet.lines for sheet in story.rows(Sheet)]
    assert any(re.match("ROT", line) for line in before[0])
    actions.standby(story.app, GAME, "Rot", GERDA, "gerda@spieler.example")
    forgotten(story, "Rot")
    assert [sheet.lines for sheet in story.rows(Sheet)] == before


def test_while_playing(eriwan: Any) -> None:
    """A player in a running game isn't forgotten: the refusal names the command that comes first."""
    with pytest.raises(Refused, match=r'Frida Groß plays in Eriwan; first .*: gm standby Eriwan "Frida Groß" \.\.\.'):
        forget(eriwan.app, FRIDA)
    assert eriwan.seat(FRIDA)["player"] == FRIDA


def test_while_mail_is_queued(known: Any) -> None:
    """A mail to somebody who is forgotten is sent first, or dropped."""
    with pytest.raises(Refused, match=r"Mails of or to Frida Groß wait to be sent; .* drop o\d+"):
        forget(known.app, FRIDA)
    assert known.rows(Press)[0].text.startswith("Ich, Frida")
    forgotten(known)


@pytest.mark.tampers
@pytest.mark.parametrize(
    ("status", "mend"), [("new", "are not handled yet"), ("quarantined", "gm mail retry"), ("put off", "are put off")]
)
def test_while_a_mail_is_unhandled(known: Any, status: str, mend: str) -> None:
    """A mail of theirs may hold a move: it is dealt with first."""
    known.tick()
    with known.writing() as session:
        row = session.exec(select(MailIn).where(MailIn.sender == address_of(FRIDA))).first()
        row.status = status
        session.add(row)
    with pytest.raises(Refused, match=mend):
        forget(known.app, FRIDA)
    assert known.received()[row.id - 1].raw


def test_an_undeliverable_mail(known: Any) -> None:
    """A mail to her that was refused for good can't be tried again then: it would be empty."""
    known.tick()
    with known.writing() as session:
        rows = session.exec(select(MailOut).where(MailOut.kind == "bulletin")).all()
        for row in rows:
            row.status = "refused"
            session.add(row)
    forgotten(known)
    assert {row.status for row in known.outgoing(kind="bulletin") if not row.address} == {"dropped"}


def test_an_empty_seat(eriwan: Any) -> None:
    """A player who left a game can be forgotten before a standby comes, and the seat can still be taken over."""
    eriwan.writes(FRIDA, "Abmeldung Eriwan\nMir ist es zu viel, Frida Groß")
    eriwan.tick()
    done = forgotten(eriwan)
    assert list(done.empty_seats) == [GAME]
    assert left(eriwan, FRIDA, address_of(FRIDA)) == []
    assert actions.standby(eriwan.app, GAME, done.called, GERDA, "gerda@spieler.example") == ("N. N.", GERDA, False)


def test_an_open_game(seated: Any) -> None:
    """A seat in a game that hasn't begun is free again."""
    forgotten(seated)
    assert [seat["player"] for seat in seated.show()["seats"]] == [ANNA, BERND, CARLA, DORA, EMIL]


def test_after_the_end(begin: Any) -> None:
    """A result that is still provisional becomes final without a mail to the forgotten."""
    story = begin("provisional")
    forgotten(story, BERND)
    actions.rule(story.app, GAME, ["DNI"], False, "", False)
    story.tick()
    assert address_of(BERND) not in {address for address, _ in story.mails()}
    assert story.status == "finished"
    assert "N. N." in {standing["player"] for standing in story.show()["standings"]}


@pytest.mark.sqlite
def test_while_the_file_is_read(known: Any) -> None:
    """Where somebody else reads the database, the GM learns that deleted bytes are still on the disk."""
    known.tick()
    other = Database(known.app.settings.database.url, lock_seconds=0.1)
    with known.app.database.read() as session:
        session.exec(select(Player)).all()
        assert not forget(replace(known.app, database=other), FRIDA).is_gone_from_disk
    other.close()


def test_a_name_within_a_name_keeps_nothing_back() -> None:
    """Others' names are spared where they hold the name (person_finder), not where they are a part of it."""
    assert person_finder(["Anna Berg"], [], ["Anna"]).scrub("Gruß, Anna Berg") == f"Gruß, {NOBODY}"
    assert person_finder(["Anna"], [], ["Anna Berg"]).scrub("Gruß, Anna Berg") == "Gruß, Anna Berg"
