"""The own data: a wish for it, or to be forgotten, is the GM's to grant; `gm player export` says all that is stored.

Source: interface.md, `gm player export`; nothing of anybody else may be in it.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from sqlmodel import SQLModel
from zines import SHARED, seat_couple

from gm.demo.in_memory_zine import GM_ADDRESS, PLAYERS, address_of
from gm.reports.todo import waiting_for_gm
from gm.requests.desk import actions, players
from gm.requests.desk.export import OTHERWISE, TITLES, everything_about, lists
from gm.store.tables import DigestStep, MailIn, Player, Question, Sheet

ANNA, BERND = PLAYERS[:2]
GM = "cici@postspiel.example"
FORGET, EXPORT = f'gm player forget "{ANNA}"', f'gm player export "{ANNA}"'


def to_do(zine: Any) -> list[str]:
    """Return what the GM's list says to type."""
    with zine.app.database.read() as session:
        return [row["do"] for row in waiting_for_gm(zine.app, session)]


# -- the wish ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Vergiss mich\n", FORGET), ("Forget me please\n", FORGET), ("Bitte löscht alle meine Daten!\n", FORGET),
        ("Hallo Cici,\nbitte meine Daten löschen.\nGruß Anna\n", FORGET), ("delete everything about me\n", FORGET),
        ("Meine Daten\n", EXPORT), ("My data\n", EXPORT), ("welche Daten habt ihr von mir?\n", EXPORT),
        ("Which data do you have about me?\n", EXPORT),
        ("Ich habe keine Zeit mehr. Könntet ihr, wenn das geht, meine Daten löschen?\n", FORGET),
    ],
)  # fmt: skip
def test_a_wish_goes_to_the_gm(eriwan: Any, text: str, line: str) -> None:
    """In prose or as a line alone it stands on the GM's list with the line to type; the player is told who has it."""
    eriwan.writes(ANNA, text)
    eriwan.tick()
    mails = dict(eriwan.mails())
    assert line in eriwan.said(mails[GM])
    assert "Cici" in eriwan.said(mails[address_of(ANNA)])
    (entry,) = eriwan.rows(Question)
    assert (entry.kind, entry.payload["text"]) == ("text", text.strip())
    assert to_do(eriwan) == [f"{line}; then gm todo --done {entry.code}"]
    assert eriwan.rows(Player)[0].name == ANNA


@pytest.mark.parametrize(
    "text", ["Vergiss mich nicht\n", "Meine Daten müssen Sie nicht löschen.\n", "Schönes Spiel!\n"]
)
def test_other_words_name_no_line(eriwan: Any, text: str) -> None:
    """What wishes nothing of the kind goes to the GM as any other words."""
    eriwan.writes(ANNA, text)
    eriwan.tick()
    assert "gm player" not in eriwan.said(dict(eriwan.mails())[GM])
    assert to_do(eriwan)[0].startswith("gm mail show 1; then ")


def test_beside_a_move(eriwan: Any) -> None:
    """The move counts, and the wish below it isn't lost."""
    eriwan.writes(ANNA, eriwan.block(ANNA, "ROT") + "\nBitte löscht danach alle meine Daten!\n")
    eriwan.tick()
    assert eriwan.on_file(ANNA) == ("rot", "E")
    assert FORGET in eriwan.said(dict(eriwan.mails())[GM])


def test_a_couple(begin: Any) -> None:
    """Of two at one address nobody is guessed: the line has a name only where the mail has one."""
    story = begin("empty", after=seat_couple)
    story.writes(ANNA, "Vergiss mich\n", sender=SHARED)
    story.tick()
    assert [line.partition(";")[0] for line in to_do(story)] == ["gm player forget NAME"]
    story.writes(BERND, "Name: Bernd\nVergiss mich\n", sender=SHARED)
    story.tick()
    assert to_do(story)[1].startswith('gm player forget "Bernd Cordes"')


def test_a_stranger(eriwan: Any) -> None:
    """Whoever isn't registered gets the short help; nothing is stored of them."""
    eriwan.writes("Xaver Zorn", "Vergiss mich\n")
    assert "nichts, was ich ausführen kann" in eriwan.reply("Xaver Zorn")
    assert not eriwan.rows(Question)


def test_nothing_can_be_sent_back(eriwan: Any) -> None:
    """The line works at the computer only: by mail nobody is forgotten, not even by the GM's answer to the notice."""
    eriwan.writes(ANNA, "Vergiss mich\n")
    eriwan.tick()
    notice = dict(eriwan.mails())[GM]
    eriwan.writes("Cici", f"{FORGET}\n", sender=GM, subject=f"Re: {notice.subject}", in_reply_to=notice.message_id)
    eriwan.tick()
    assert eriwan.rows(Player)[0].name == ANNA


# -- what is stored ----------------------------------------------------------------------------------------------------


def test_every_table_with_a_player_is_in_the_file() -> None:
    """A new table with something of a player has to be in the export."""
    with_player = {
        table.name for table in SQLModel.metadata.tables.values()
        if any(key.column.table.name == "player" for column in table.columns for key in column.foreign_keys)
    }  # fmt: skip
    assert {table.__tablename__ for table in lists().values()} | {*OTHERWISE} == with_player
    assert set(TITLES) <= with_player


@pytest.mark.tampers
def test_no_id_of_a_mail_is_in_the_file(eriwan: Any) -> None:
    """Which digest told of a step is bookkeeping: who knows a Message-ID of ours could pass for the player."""
    with eriwan.writing() as session:
        told = DigestStep(player_id=1, game_id=1, turn_id=1, due_at=eriwan.now, told_by="<digest@postspiel.example>")
        session.add(told)
    found = everything_about(eriwan.app, ANNA)
    assert [(one["game"], one["step"]) for one in found["told_by_digest"]] == [("Eriwan", 0)]
    assert "digest@postspiel.example" not in json.dumps(found)


@pytest.fixture
def known(eriwan: Any) -> Any:
    """Anna has left traces everywhere."""
    actions.new_game(eriwan.app, "crossword", "Havanna")
    eriwan.sends(ANNA, "DN")
    eriwan.writes(ANNA, "Zurückziehen Eriwan\n")
    eriwan.sends(ANNA, "ROT")
    eriwan.tick()
    players.rename(eriwan.app, ANNA, "Anna Neu")
    eriwan.writes(ANNA, "Presse Eriwan\nIch grüße alle.\nEnde\n")
    eriwan.writes(ANNA, "Urlaub 24.12.2026-06.01.2027\nStandby\nBeobachten Havanna\nGM: Ruf mich an!")
    eriwan.writes(ANNA, "Einspruch Eriwan TIN: steht im Duden\n")
    eriwan.writes(ANNA, "Adresse anna@neu.example\n")
    eriwan.writes(ANNA, "Archivname voll\nSprache en\nDigest monatlich\n")
    eriwan.tick()
    eriwan.passes_until(eriwan.zat, seconds=1)
    eriwan.tick()
    return eriwan


def test_all_that_is_stored(known: Any) -> None:
    """The file has names, addresses, settings, seats, all moves, press, lists, questions and mails of the player."""
    found = everything_about(known.app, "anna neu")
    player = found["player"]
    assert (player["name"], player["former_names"]) == ("Anna Neu", [ANNA])
    assert (player["language"], player["digest"], player["name_form"]) == ("en", "monthly", "full")
    assert [one["address"] for one in found["addresses"]] == [address_of(ANNA)]
    assert [(one["game"], one["number"], one["entry"]) for one in found["seats"]] == [("Eriwan", 1, {"letter": "D"})]
    assert [(one["lines"][1], bool(one["withdrawn_at"])) for one in found["moves"]] == [
        ("DN....", True), ("ROT...", False),
    ]  # fmt: skip
    assert [(one["game"], one["text"], one["step"]) for one in found["press"]] == [("Eriwan", "Ich grüße alle.", 1)]
    assert [(one["first"], one["last"]) for one in found["vacations"]] == [("2026-12-24", "2027-01-06")]
    assert ([one["engine"] for one in found["standby"]], [one["game"] for one in found["watching"]]) == (
        [""], ["Havanna"],
    )  # fmt: skip
    assert [(one["game"], one["step"], one["kept"]) for one in found["deadlines"]] == [("Eriwan", 1, True)]
    told = {(one["kind"], one["text"]) for one in found["questions"]}
    assert told >= {("text", "Ruf mich an!"), ("appeal", "TIN: steht im Duden"), ("address", "")}
    texts = [one["text"] for one in found["received_from_you"]]
    assert any("Ich grüße alle." in text for text in texts)
    assert found["received_from_you"][0]["received_at"] == "2026-11-02T12:01:00+01:00"
    assert found["sent_to_you"][0]["subject"].startswith("[Eriwan] Es geht los")
    json.dumps(found)


def test_what_is_not_in_the_file(known: Any) -> None:
    """No code of a question, no Message-ID, and no word and address of anybody else."""
    known.writes(BERND, "GM: Anna Neu soll es nicht wissen\n")
    known.tick()
    found = everything_about(known.app, "Anna Neu")
    for mail in found["sent_to_you"]:
        del mail["subject"]  # what she was asked has its code there
    text = json.dumps(found, ensure_ascii=False)
    hidden = [one.code for one in known.rows(Question)] + [row.message_id for row in known.outgoing()]
    hidden += ["soll es nicht wissen", GM_ADDRESS, *(address_of(name) for name in PLAYERS[1:])]
    assert [one for one in hidden if one in text] == []


def test_a_waiting_mail_may_be_a_forgers(begin: Any) -> None:
    """Of a mail that nobody has vouched for the file has no word: strangers' words are repeated to nobody."""
    story = begin("started", security={"sender": "authenticated"})
    story.writes(ANNA, "GM: Worte eines Fremden\n", subject="Worte eines Fremden")
    story.tick()
    found = everything_about(story.app, ANNA)
    first = found["received_from_you"][0]
    assert (first["status"], first["subject"], first["text"]) == ("waiting", None, None)
    assert "Worte eines Fremden" not in json.dumps(found)


def test_a_couples_file_has_only_what_is_certain(begin: Any) -> None:
    """Mails from a shared address are in the file of whose move they brought; prose is in nobody's."""
    story = begin("empty", after=seat_couple)
    for name in (ANNA, BERND):
        first = name.split()[0]
        story.writes(name, story.block(name, "ROT", head=(f"Name: {first}", f"# von {first}")), sender=SHARED)
    story.writes(BERND, "GM: Anna darf das nicht wissen\n", sender=SHARED)
    story.tick()
    for name, other in ((ANNA, "Bernd"), (BERND, "Anna")):
        found = everything_about(story.app, name)
        assert len(found["moves"]) == 1
        assert len(found["received_from_you"]) == 1
        assert f"Name: {other}" not in json.dumps(found)
        assert "darf das nicht wissen" not in json.dumps(found)


def test_the_file_is_blind_to_what_others_send(eriwan: Any) -> None:
    """It has the own lines alone, whatever another seat has sent."""
    eriwan.sends(ANNA, "ROT")
    eriwan.sends(BERND, "DNI")
    eriwan.tick()
    found = everything_about(eriwan.app, ANNA)
    assert [one["lines"] for one in found["moves"]] == [one.lines for one in eriwan.rows(Sheet) if one.player_id == 1]
    assert "DNI" not in json.dumps(found)


@pytest.mark.tampers
@pytest.mark.parametrize("raw", [b"", b"Content-Type: multipart/mixed; boundary=\r\n\r\n\0"])
def test_a_pruned_or_broken_mail_has_no_text(eriwan: Any, raw: bytes) -> None:
    """What was deleted by `gm mail prune`, or can't be read any more, costs its text, not the file."""
    eriwan.writes(ANNA, "GM: Hallo\n")
    eriwan.tick()
    with eriwan.writing() as session:
        row = session.get_one(MailIn, 1)
        row.raw = raw
        session.add(row)
    assert not everything_about(eriwan.app, ANNA)["received_from_you"][0]["text"]
