"""`Meine Partien` and `Meine Daten`: what a player is told about themselves, and nothing of anybody else.

Source: the issue on conversation, "My games, my data"; interface.md for who may see what.
"""

from __future__ import annotations

import json
from email import message_from_bytes
from typing import Any

import pytest
from sqlmodel import SQLModel

from games import engines
from games.api import SPECTATOR
from games.api import Seat as SeatNumber
from games.dice import Dice
from gm.commands.gm_commands import actions, players
from gm.commands.own_data import data_file, own_mails
from gm.commands.own_data.columns import IN_FILE, NOT_IN_FILE, WHOLE_TABLES
from gm.demo.in_memory_zine import GM_ADDRESS, PLAYERS, address_of
from gm.game import word_judge
from gm.game.position import position
from gm.store.queries import game_queries
from gm.store.tables import MailIn, Question, Sheet

ANNA, BERND, CARLA, DORA = PLAYERS[:4]
SHARED = "berge@spieler.example"


def file_in(raw: bytes) -> dict[str, Any]:
    """Read the file that a mail brings."""
    (part,) = [part for part in message_from_bytes(raw).walk() if part.get_filename()]
    assert part.get_content_type() == "application/json"
    content = part.get_payload(decode=True)
    assert isinstance(content, bytes)
    found = json.loads(content.decode("utf-8"))
    assert isinstance(found, dict)
    return found


def my_data(zine: Any, name: str, line: str = "Meine Daten\n", **more: Any) -> dict[str, Any]:
    """Let somebody ask for the file, and read it."""
    zine.writes(name, line, **more)
    zine.tick()
    return file_in(zine.outgoing(kind="data")[-1].raw)


# -- my games ----------------------------------------------------------------------------------------------------------


def test_my_games_tells_what_is_missing_until_when(eriwan: Any) -> None:
    """A missing move comes first, with its ZAT in local time and the line that brings the position."""
    actions.new_game(eriwan.app, "crossword", "Havanna")
    actions.join(eriwan.app, "Havanna", ANNA, address_of(ANNA), "A")
    eriwan.writes(ANNA, "Meine Partien\n")
    mail = eriwan.answer(ANNA)
    said = eriwan.said(mail)
    assert mail.subject == "Deine Partien: 1 Zug fehlt noch"
    assert "Crossword, Runde 1 von 6: dein Zug fehlt noch; ZAT Mo, 16.11.2026, 20:00 Uhr" in said
    assert "Havanna: Crossword: noch 5 Plätze frei" in said
    assert said.index("Eriwan: Crossword") < said.index("Havanna: Crossword")
    assert "Stand Eriwan" in said


STATES = {
    "filed": (lambda zine: zine.sends(ANNA, "DN"), "dein Zug vom 02.11.2026 liegt vor; ZAT"),
    "without a wish": (lambda zine: zine.sends(ANNA, "DN", ""), "dein Zug vom 02.11.2026 ist noch nicht vollständig"),
    "paused": (lambda zine: actions.pause(zine.app, "Eriwan", "2d"), "dein Zug fehlt noch; Pause bis"),
    "watching": (lambda zine: zine.writes(ANNA, "Standby Crossword\n"), "Ersatzspieler: in Crossword"),
    "on vacation": (lambda zine: zine.writes(ANNA, "Urlaub 24.12.2026-06.01.2027\n"), "24.12.2026 bis 06.01.2027"),
    "left": (lambda zine: zine.writes(ANNA, "Abmeldung Eriwan\n"), "Eriwan: Crossword, verlassen am 02.11.2026"),
    "aborted": (lambda zine: actions.abort(zine.app, "Eriwan", "so"), "Eriwan: Crossword, abgebrochen"),
}


@pytest.mark.parametrize("state", STATES)
def test_my_games_in_each_state(eriwan: Any, state: str) -> None:
    """Each state of a game has its words."""
    act, said = STATES[state]
    act(eriwan)
    eriwan.tick()
    eriwan.mails()
    eriwan.writes(ANNA, "Meine Partien\n")
    assert said in eriwan.reply(ANNA)


def test_my_games_after_the_end(begin: Any) -> None:
    """While words are open the result is provisional, then rank and points are told, in the command's language."""
    story = begin("provisional")
    story.writes(ANNA, "Meine Spiele\n")
    assert "zu Ende, das Ergebnis ist vorläufig; Platz 1 von 6" in story.reply(ANNA)
    actions.rule(story.app, "Eriwan", ["DNI"], False, "", False)
    story.tick()
    story.mails()
    story.writes(ANNA, "My games\n")
    said = story.reply(ANNA)
    assert said.startswith("Your games: none at present")
    standing = next(one for one in story.show()["standings"] if one["player"] == ANNA)
    assert f"Eriwan: Crossword, rank 1 of 6 with {standing['points']} points" in said


def test_my_games_has_links_where_the_archive_is_published(begin: Any) -> None:
    """With base_url each game's page is named."""
    story = begin("started", archive={"base_url": "https://example.org/ds/"})
    story.writes(ANNA, "Meine Partien\n")
    assert "https://example.org/ds/partien/eriwan/" in story.reply(ANNA)


def test_my_games_where_rules_are_missing(eriwan: Any) -> None:
    """A game whose rules can't be had here doesn't hide the others."""
    actions.new_game(eriwan.app, "crossword", "Havanna")
    actions.join(eriwan.app, "Havanna", ANNA, address_of(ANNA), "A")
    with eriwan.writing() as session:
        game = game_queries.named(session, "Havanna")
        game.engine = "gone"
        session.add(game)
    eriwan.writes(ANNA, "Meine Partien\n")
    said = eriwan.reply(ANNA)
    assert "Havanna: gone: dazu kann ich gerade nichts sagen" in said
    assert "dein Zug fehlt noch" in said


@pytest.mark.parametrize("key", sorted(engines()))
def test_my_games_shows_the_points_that_all_see(zine: Any, key: str) -> None:
    """In a running game of any kind rank and points are told where spectators see them, and nowhere else."""
    start(zine, key, "Riga")
    for name, seat in ((ANNA, 1), (BERND, 2)):
        zine.writes(name, suggestion(zine, "Riga", seat, "a secret"))
        zine.tick()
    zine.mails()
    zine.writes(ANNA, "Meine Partien\n")
    said = zine.reply(ANNA)
    with zine.app.database.read() as session:
        at = position(zine.app, session, game_queries.named(session, "Riga"))
        facts = at.engine.view(at.state, SPECTATOR).seat_facts.get(SeatNumber(1), {})
    score = facts.get("points", facts.get("balance"))
    assert f"Riga: {engines()[key].rules.title}" in said
    assert (f"mit {score} Punkt" in said) == (score is not None)


@pytest.mark.parametrize("line", ["Meine Partien\n", "Meine Daten\n", "Vergiss mich\n", "My data\n"])
def test_closed_to_strangers(eriwan: Any, line: str) -> None:
    """Whoever isn't registered gets the short help, and nothing is asked or stored."""
    eriwan.writes("Xaver Zorn", line)
    assert "nichts, was ich ausführen kann" in eriwan.reply("Xaver Zorn")
    assert not eriwan.rows(Question)


def seat_couple(zine: Any) -> None:
    """Eriwan, in which Anna and Bernd share an address."""
    actions.new_game(zine.app, "crossword", "Eriwan")
    for name, wish in zip(PLAYERS, "DNTIRO", strict=True):
        actions.join(zine.app, "Eriwan", name, SHARED if name in (ANNA, BERND) else address_of(name), wish)
    actions.start(zine.app, "Eriwan")
    zine.tick()


@pytest.mark.parametrize("line", ["Meine Partien\n", "Meine Daten\n", "Vergiss mich\n"])
def test_a_couple_says_who(begin: Any, line: str) -> None:
    """Of two at one address one has to be named; nothing is guessed."""
    story = begin("empty", after=seat_couple)
    story.writes(ANNA, line, sender=SHARED)
    story.tick()
    assert "Diese Adresse teilen sich mehrere" in story.said(story.mails()[-1][1])
    story.writes(BERND, f"Name: Bernd\n{line}", sender=SHARED)
    story.tick()
    assert "Hallo Bernd," in story.mails()[-1][1].text


# -- my data: what is in it --------------------------------------------------------------------------------------------


def test_every_column_is_in_the_file_or_left_out_for_a_reason() -> None:
    """A new column has to be exported or left out for a reason; a table of its own may name no player."""
    declared: dict[str, int] = {}
    for table, columns in [*IN_FILE.items(), *(pair for one in NOT_IN_FILE for pair in one.columns.items())]:
        for column in columns:
            declared[f"{table.__tablename__}.{column}"] = declared.get(f"{table.__tablename__}.{column}", 0) + 1
    whole = {table.__tablename__ for table in WHOLE_TABLES}
    stored = {f"{table.name}.{column.name}" for table in SQLModel.metadata.tables.values() for column in table.columns}
    assert {name for name in stored if name.partition(".")[0] not in whole} == declared.keys()
    assert {name: count for name, count in declared.items() if count > 1} == {}
    for table in SQLModel.metadata.tables.values():
        named = [column.name for column in table.columns if any(key.column.table.name == "player"
                 for key in column.foreign_keys) or "player" in column.name or "address" in column.name]  # fmt: skip
        assert table.name not in whole or named == [], table.name


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
    eriwan.writes(ANNA, "Archivname voll\nSprache en\nDigest monatlich\nKalender an\n")
    eriwan.tick()
    eriwan.passes_until(eriwan.zat, seconds=1)
    eriwan.tick()
    return eriwan


def test_all_that_is_stored(known: Any) -> None:
    """The file has names, addresses, settings, seats, all moves, press, lists, questions and mails of the player."""
    found = my_data(known, ANNA)
    assert found["format"] == 1
    player = found["player"]
    assert (player["name"], player["former_names"]) == ("Anna Neu", [ANNA])
    assert (player["language"], player["digest"], player["calendar"], player["name_form"]) == (
        "en", "monthly", True, "full",
    )  # fmt: skip
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
    assert {(one["kind"], one["text"]) for one in found["to_the_gm"]} >= {
        ("text", "Ruf mich an!"), ("appeal", "TIN: steht im Duden"),
    }  # fmt: skip
    assert {one["kind"] for one in found["questions"]} == {"address"}
    texts = [one["text"] for one in found["received_from_you"]]
    assert any("Ich grüße alle." in text for text in texts)
    assert found["received_from_you"][0]["received_at"] == "2026-11-02T12:01:00+01:00"
    assert found["sent_to_you"][0]["subject"].startswith("[Eriwan] Es geht los")


def test_what_is_not_in_the_file(known: Any) -> None:
    """No code that is open, no Message-ID, no secret, and no address of anybody else."""
    known.writes(BERND, "GM: Anna Neu soll es nicht wissen\n")
    known.tick()
    text = json.dumps(my_data(known, ANNA), ensure_ascii=False)
    open_codes = [one.code for one in known.rows(Question) if one.answered_at is None]
    assert open_codes
    hidden = [*open_codes, *(row.message_id for row in known.outgoing()), "soll es nicht wissen", GM_ADDRESS]
    hidden += [address_of(name) for name in PLAYERS[1:]]
    assert [one for one in hidden if one in text] == []


def test_a_key_is_no_business_of_a_file(eriwan: Any) -> None:
    """Keys of `sender = "token"`, which a mail may have quoted, are taken out of its text."""
    eriwan.writes(ANNA, "GM: Hallo\n\n> Schlüssel: njln-pjx6-yxlr-4qwh\n")
    eriwan.tick()
    (text,) = [one["text"] for one in my_data(eriwan, ANNA)["received_from_you"] if one["status"] == "applied"]
    assert "GM: Hallo" in text
    assert "njln" not in text


@pytest.mark.parametrize("proof", ["authenticated", "token"])
def test_needs_no_proof(begin: Any, proof: str) -> None:
    """It only shows something, at the registered address: it is answered like `Stand`, whatever proof is asked for."""
    story = begin("started", security={"sender": proof})
    assert my_data(story, ANNA)["player"]["name"] == ANNA


def test_a_waiting_mail_may_be_a_forgers(begin: Any) -> None:
    """Of a mail that nobody has vouched for the file has no word: strangers' words are repeated to nobody."""
    story = begin("started", security={"sender": "authenticated"})
    story.writes(ANNA, "GM: Worte eines Fremden\n", subject="Worte eines Fremden")
    story.tick()
    found = my_data(story, ANNA)
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
        first = name.split()[0]
        found = my_data(story, name, f"Name: {first}\nMeine Daten\n", sender=SHARED)
        assert len(found["moves"]) == 1
        assert f"Name: {other}" not in json.dumps(found)
        assert "darf das nicht wissen" not in json.dumps(found)


def test_a_large_file_leaves_out_the_oldest_texts(eriwan: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond the limit of size the rows stay, and the texts of the oldest mails go."""
    for number in range(3):
        eriwan.writes(ANNA, f"GM: Nummer {number} " + "x" * 3000 + "\n")
    eriwan.tick()
    monkeypatch.setattr(data_file, "MOST_BYTES", 16_000)
    found = my_data(eriwan, ANNA)
    has_text = [one["text"] is not None for one in found["received_from_you"]]
    assert has_text == sorted(has_text)
    assert {True, False} == set(has_text)
    assert len(json.dumps(found, ensure_ascii=False, indent=1).encode()) < 16_000


def test_a_mail_that_is_too_large_to_read_again(eriwan: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only so many bytes are read again: a mail that goes beyond that has no text, smaller ones have."""
    eriwan.writes(ANNA, "GM: " + "x " * 2000 + "\n")
    eriwan.writes(ANNA, "GM: kurz\n")
    eriwan.tick()
    monkeypatch.setattr(data_file, "MOST_READ", 2000)
    texts = [one["text"] for one in my_data(eriwan, ANNA)["received_from_you"]]
    assert texts[:2] == [None, "GM: kurz\n"]


def test_a_pruned_or_broken_mail_has_no_text(eriwan: Any) -> None:
    """What was deleted by `gm mail prune` is listed without its text."""
    eriwan.writes(ANNA, "GM: Hallo\n")
    eriwan.tick()
    with eriwan.writing() as session:
        row = session.get_one(MailIn, 1)
        row.raw = b""
        session.add(row)
    assert my_data(eriwan, ANNA)["received_from_you"][0]["text"] is None


def test_three_files_a_day(eriwan: Any) -> None:
    """The file is large: the fourth within a day waits for a summary, so that a forger can't fill a mailbox."""
    for _ in range(5):
        eriwan.writes(ANNA, "Meine Daten\n")
        eriwan.tick()
    assert [row.status for row in eriwan.outgoing(kind="data")].count("sent") == 3


def start(zine: Any, key: str, name: str) -> None:
    """Start a game of any kind with two players, or as many as it takes."""
    app, rules = zine.app, engines()[key].rules
    actions.new_game(app, key, name)
    for player, wish in zip(PLAYERS[: max(2, rules.seats[0])], "DNTIRO", strict=False):
        entry = engines()[key].suggest_entry(SeatNumber(1))
        actions.join(app, name, player, address_of(player), wish if entry else None)
    actions.start(app, name)
    zine.tick()
    zine.mails()


def suggestion(zine: Any, name: str, seat: int, seed: str) -> str:
    """Think of a move."""
    with zine.app.database.read() as session:
        game = game_queries.named(session, name)
        at = position(zine.app, session, game)
        words = word_judge.judge(zine.app, session, game)
        lines = at.engine.suggest(at.state, SeatNumber(seat), Dice(seed, 1), words)
        block = at.engine.view(at.state, SeatNumber(seat)).block
        stand = [line for line in block if line.startswith("Stand:")]
    return "\n".join([f"{at.engine.rules.title} {name}", *stand, *lines, ""])


@pytest.mark.parametrize("key", sorted(engines()))
def test_the_file_is_blind_to_what_others_send(zine: Any, key: str) -> None:
    """In a game of any kind the file has the own lines alone, whatever another seat has sent."""
    start(zine, key, "Riga")
    for name, seat in ((ANNA, 1), (BERND, 2)):
        zine.writes(name, suggestion(zine, "Riga", seat, "a secret"), subject=f"Zug von {name}")
        zine.tick()
    found = my_data(zine, ANNA)
    others = [sheet for sheet in zine.rows(Sheet) if sheet.player_id != 1]
    own = [sheet.lines for sheet in zine.rows(Sheet) if sheet.player_id == 1]
    assert [one["lines"] for one in found["moves"]] == own
    brought = [sheet.mail_id for sheet in zine.rows(Sheet) if sheet.player_id == 1]
    assert [one["mail"] for one in found["moves"]] == brought
    assert not {sheet.mail_id for sheet in others} & {one["id"] for one in found["received_from_you"]}
    assert f"Zug von {BERND}" not in json.dumps(found)
    assert "state" not in found


def test_an_unreadable_mail(eriwan: Any) -> None:
    """A mail that can't be read any more costs its text, not the file."""
    eriwan.writes(ANNA, "GM: Hallo\n")
    eriwan.tick()
    with eriwan.app.database.read() as session:
        (mail,) = own_mails.mails_from(session, 1, most=10)
        assert own_mails.text_of(session, mail) == "GM: Hallo\n"
