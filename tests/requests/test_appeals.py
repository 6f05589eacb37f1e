"""Appeals by mail: the GM gets all that a ruling needs, the player a confirmation, nobody a secret."""

from dataclasses import replace
from typing import Any

import pytest
import seating

from games.words import Verdict
from gm.demo.in_memory_zine import PLAYERS, address_of
from gm.game.replay import verify
from gm.reports.todo import waiting_for_gm
from gm.requests.desk import actions
from gm.store.queries import game_queries, player_queries
from gm.store.tables import Address, Question

ANNA, BERND, CARLA, DORA = PLAYERS[:4]
GM = "cici@postspiel.example"


@pytest.fixture
def provisional(begin: Any) -> Any:
    """Eriwan after its last round: Anna claims ROT and DNI, or IN in its place; DNI is doubtful."""
    return begin("provisional")


@pytest.fixture
def finished(provisional: Any) -> Any:
    """The same after DNI was refused: Anna has ROT and IN, 4 points."""
    rule(provisional, "DNI", False, note="Abkürzung")
    return provisional


def rule(zine: Any, word: str, accepted: bool, *, note: str = "", house: bool = False) -> list[tuple[str, Any]]:
    """Rule on a word, and return the mails that go out."""
    zine.mails()
    actions.rule(zine.app, "Eriwan", [word], accepted, note, house)
    zine.tick()
    return zine.mails()  # type: ignore[no-any-return]


def appeal(zine: Any, text: str, name: str = ANNA, **more: Any) -> tuple[str, str]:
    """Let a player appeal; returns what the player and what the GM is told, "" where there is no mail."""
    zine.mails()
    zine.writes(name, text, **more)
    zine.tick()
    sent = zine.mails()
    assert all(recipient in (address_of(name), GM) for recipient, _ in sent)
    assert len(sent) <= 2
    told = {recipient: zine.said(mail) for recipient, mail in sent}
    return told.get(address_of(name), ""), told.get(GM, "")


def rulings(sent: list[tuple[str, Any]]) -> list[tuple[str, Any]]:
    """Keep the mails that tell a ruling."""
    return [(recipient, mail) for recipient, mail in sent if mail.subject.endswith("hat entschieden")]


def todo(zine: Any) -> list[tuple[str, str]]:
    """List the appeals that wait for the GM, with the line to rule with."""
    with zine.app.database.read() as session:
        rows = waiting_for_gm(zine.app, session)
    return [(row["about"], row["do"]) for row in rows if row["what"] == "appeal"]


def points(zine: Any) -> int:
    """Return Anna's points."""
    return next(row["points"] for row in zine.show()["standings"] if row["player"] == ANNA)  # type: ignore[no-any-return]


@pytest.mark.trust
def test_an_appeal_after_the_end(finished: Any) -> None:
    """The GM gets word, reason, who appeals, what holds and why, whom it concerns, both results, the lines to rule."""
    answer, asked = appeal(finished, "Einspruch Eriwan dni: steht im Duden,\nBand 1.\n\nGruß Anna\n")
    assert "Dein Einspruch zu DNI in »Eriwan« liegt bei Cici Beilken; die Entscheidung bekommst du" in answer
    for said in (
        "[Eriwan] Einspruch von Anna Berg: DNI",
        "> steht im Duden, > Band 1.",
        "Jetzt: zählt nicht: vom GM gestrichen (Abkürzung)",
        "Beruht auf: deine Entscheidung",
        "Betrifft: Anna Berg So steht es, je nachdem:",
        "Anna Berg 6 (Platz 1) 4 (Platz 1) Bernd Cordes 0 (Platz 2) 0 (Platz 2)",
        "gm rule Eriwan accept DNI gm rule Eriwan reject DNI",
    ):
        assert said in asked
    assert "vorläufig" not in asked
    assert todo(finished) == [
        ("Eriwan: Anna Berg: DNI: steht im Duden, Band 1.", "gm rule Eriwan accept|reject DNI")
    ]  # fmt: skip


@pytest.mark.trust
def test_accepted_after_the_end(finished: Any) -> None:
    """A ruling that upholds an appeal settles it, and the second version of the result goes to everybody."""
    appeal(finished, "Einspruch Eriwan DNI: steht im Duden\n")
    sent = rule(finished, "DNI", True, note="Duden, 28. Auflage")
    (told,) = rulings(sent)
    assert told[0] == address_of(ANNA)
    assert "DNI zählt (Duden, 28. Auflage)" in finished.said(told[1])
    sent.remove(told)
    assert sorted(recipient for recipient, _ in sent) == sorted(map(address_of, PLAYERS))
    mail = dict(sent)[address_of(ANNA)]
    assert "2. Fassung" in mail.subject
    assert "DNI zählt (Duden, 28. Auflage)" in finished.said(mail)
    assert points(finished) == 6
    assert todo(finished) == []
    (question,) = (question for question in finished.rows(Question) if question.kind == "appeal")
    assert (question.answer, question.answered_at is not None) == ("accepted", True)
    with finished.app.database.read() as session:
        assert verify(finished.app, session, game_queries.named(session, "Eriwan")) == []


def test_rejected_after_the_end(finished: Any) -> None:
    """An appeal against a word that counted: struck out, it makes version 2; the GM saw before whom it concerns."""
    _, asked = appeal(finished, "Einspruch Eriwan ROT: nur als Farbe\n", BERND)
    assert "Bernd Cordes erhebt in »Eriwan« Einspruch zu ROT" in asked
    assert "Jetzt: zählt Beruht auf:" in asked
    assert "Betrifft: Anna Berg" in asked
    assert "Anna Berg 4 (Platz 1) 1 (Platz 1)" in asked
    sent = rule(finished, "ROT", False)
    (told,) = rulings(sent)
    assert told[0] == address_of(BERND)
    sent.remove(told)
    assert len(sent) == 6
    assert "ROT zählt nicht" in finished.said(dict(sent)[address_of(BERND)])
    assert points(finished) == 1
    assert todo(finished) == []


def test_a_ruling_that_changes_nothing_settles_it_too(finished: Any) -> None:
    """A ruling that keeps the verdict sends no new result, only an answer to the player who appealed."""
    appeal(finished, "Einspruch Eriwan DNI: doch\n")
    sent = rule(finished, "DNI", False, note="Abkürzung")
    assert sent == rulings(sent)
    ((recipient, mail),) = sent
    assert recipient == address_of(ANNA)
    assert "DNI zählt nicht (Abkürzung)" in finished.said(mail)
    assert todo(finished) == []


def test_a_word_that_nobody_has(finished: Any) -> None:
    """An appeal about a word that no points hang on says so."""
    _, asked = appeal(finished, "Einspruch Eriwan TANZEN\n")
    assert "ohne Begründung" in asked
    assert "Betrifft: niemandes Punkte Am Stand ändert deine Entscheidung nichts." in asked
    assert "gm rule Eriwan reject TANZEN" in asked


def test_while_provisional(provisional: Any) -> None:
    """A doubtful word may be pleaded for; what else is open is named, and ruling on it makes the result final."""
    _, asked = appeal(provisional, "Einspruch Eriwan DNI: Wort des Jahres\n")
    assert "Jetzt: noch offen: steht in keiner Wörterliste Beruht auf: kein Eintrag" in asked
    assert "Gespielt von: Anna Berg, Z1, 3 Punkte Betrifft: Anna Berg" in asked
    assert "Anna Berg 6 (Platz 1) 4 (Platz 1)" in asked
    assert "vorläufig" not in asked
    _, asked = appeal(provisional, "Einspruch Eriwan ROT\n", BERND)
    assert "Anna Berg 3 (Platz 1) 0 (Platz 1)" in asked
    assert "Der Stand bleibt vorläufig, denn offen ist außerdem: DNI." in asked
    assert [do for _, do in todo(provisional)] == [f"gm rule Eriwan accept|reject {word}" for word in ("DNI", "ROT")]
    sent = rule(provisional, "DNI", True)
    assert [recipient for recipient, _ in rulings(sent)] == [address_of(ANNA)]
    assert len(sent) == 7
    assert provisional.status == "finished"
    assert [do for _, do in todo(provisional)] == ["gm rule Eriwan accept|reject ROT"]


def test_in_a_running_game(eriwan: Any) -> None:
    """Before the end the GM gets the present verdict and the lines to rule with; the ruling holds at the end."""
    answer, asked = appeal(eriwan, "Einspruch Eriwan DNI: steht im Duden\n")
    assert "liegt bei Cici Beilken" in answer
    assert "Jetzt: noch offen" in asked
    assert "Die Partie läuft noch" in asked
    assert "gm rule Eriwan accept DNI" in asked
    assert "Betrifft" not in asked
    assert "Platz" not in asked
    rule(eriwan, "DNI", True)
    assert todo(eriwan) == []
    _, asked = appeal(eriwan, "Einspruch Eriwan DNI: wirklich?\n", BERND)
    assert "Jetzt: zählt Beruht auf: deine Entscheidung" in asked


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize("step", ["started", "last round"])
def test_nothing_of_a_move_on_file_is_shown(begin: Any, step: str) -> None:
    """Two worlds that differ in another seat's move and list give the same answer and the same mail to the GM."""
    seen = []
    for words in ("rot 3\n", "dni / in 3\n"):
        zine = begin(step)
        zine.writes(DORA, zine.block(DORA, "ROTDNI" if step == "started" else "", None) + words)
        zine.tick()
        appeal(zine, "Einspruch Eriwan DNI: steht im Duden\n")
        appeal(zine, "Einspruch Eriwan ROT\n", BERND)
        seen.append([(row.address, row.raw) for row in zine.outgoing() if row.address != address_of(DORA)])
    assert seen[0] == seen[1]
    assert sum(address == GM for address, _ in seen[0]) >= 2


class Entries:
    """A lexicon that knows three words and what is written about them."""

    name, checksum = "entries", "0" * 64

    def check(self, word: str, profile: str) -> Verdict:
        """Judge a word for Crossword."""
        assert profile == "duden"
        known = {"AG": Verdict("refused", "ABBREVIATION", "AG, die"), "KANU": Verdict("accepted", "", "Kanu, das")}
        return known.get(word, Verdict("accepted"))


@pytest.mark.parametrize(
    ("word", "says"),
    [
        ("AG", "Jetzt: zählt nicht: Abkürzung Beruht auf: AG, die"),
        ("KANU", "Jetzt: zählt Beruht auf: Kanu, das"),
        ("ROT", "Jetzt: zählt Beruht auf: Wortliste"),
    ],
)
def test_the_entry(word: str, says: str, eriwan: Any) -> None:
    """The GM reads the entry that the verdict rests on."""
    eriwan.app = replace(eriwan.app, lexicon=Entries())
    _, asked = appeal(eriwan, f"Einspruch Eriwan {word}: prüft das bitte\n")
    assert says in asked


def test_a_couple_with_one_address(finished: Any) -> None:
    """Where several players share an address, it makes no difference who of them appeals."""
    with finished.writing() as session:
        bernd = player_queries.player_named(session, BERND)
        session.add(Address(player_id=bernd.id, address=address_of(ANNA)))
    answer, asked = appeal(finished, "Einspruch Eriwan DNI: steht im Duden\n")
    assert "liegt bei Cici Beilken" in answer
    assert "Anna Berg erhebt" in asked


def test_the_same_appeal_twice(finished: Any) -> None:
    """While it is open, the same player's appeal about the same word brings the GM no second mail."""
    appeal(finished, "Einspruch Eriwan DNI: steht im Duden\n")
    answer, asked = appeal(finished, "Einspruch Eriwan DNI: noch einmal!\n")
    assert "liegt schon bei Cici Beilken" in answer
    assert asked == ""
    assert len(todo(finished)) == 1
    _, asked = appeal(finished, "Einspruch Eriwan DNI: sehe ich auch so\n", BERND)
    assert "Bernd Cordes" in asked
    rule(finished, "DNI", False)
    assert todo(finished) == []
    _, asked = appeal(finished, "Einspruch Eriwan DNI: neue Auflage!\n")
    assert "neue Auflage" in asked


def test_two_appeals_in_one_mail(finished: Any) -> None:
    """Two words are two questions, one mail to the GM, and one answer (mail.md, What one mail may cause)."""
    finished.mails()
    finished.writes(ANNA, "Einspruch Eriwan DNI: steht im Duden\nEinspruch Eriwan ORE: auch\n")
    finished.tick()
    assert sorted(recipient for recipient, _ in finished.mails()) == [address_of(ANNA), GM]
    assert [do[-3:] for _, do in todo(finished)] == ["DNI", "ORE"]


def test_a_reason_below_a_blank_line(finished: Any) -> None:
    """An appeal in the subject, or with its reason further down, loses nothing of what the player wrote."""
    _, asked = appeal(finished, "Lieber GM,\n\ndas steht im Duden.\n", subject="Einspruch Eriwan DNI")
    assert "das steht im Duden." in asked


def test_a_stranger(finished: Any) -> None:
    """A player without a seat is answered as for any other command, and the GM isn't told."""
    answer, asked = appeal(finished, "Einspruch Eriwan DNI: steht im Duden\n", "Xaver Unbekannt")
    assert "In deiner Mail war nichts, was ich ausführen kann" in answer
    actions.new_game(finished.app, "crossword", "Havanna")
    seating.join(finished.app, "Havanna", "Gerda Hahn", address_of("Gerda Hahn"), None)
    answer, gerdas = appeal(finished, "Einspruch Eriwan DNI: steht im Duden\n", "Gerda Hahn")
    assert "In einer Partie »Eriwan« spielst du unter dieser Adresse nicht." in answer
    unknown, again = appeal(finished, "Einspruch Calais DNI: steht im Duden\n", "Gerda Hahn")
    assert unknown == answer.replace("Eriwan", "Calais")
    assert asked == gerdas == again == ""
    assert todo(finished) == []


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize("word", ["Café", "1a", "R.SA"])
def test_a_word_of_other_letters(finished: Any, word: str) -> None:
    """What can't lie on a board is refused with what the letters are."""
    answer, asked = appeal(finished, f"Einspruch Eriwan {word}: gibt es\n")
    assert f"»{word}« kann in keinem Gitter liegen" in answer
    assert asked == ""


def test_umlauts(finished: Any) -> None:
    """Umlauts and ß are written as on the board."""
    _, asked = appeal(finished, "Einspruch Eriwan Größe: gibt es\n")
    assert "gm rule Eriwan accept GROESSE" in asked


def test_before_the_start_and_after_a_break(seated: Any) -> None:
    """In a game that hasn't begun, or was broken off, there is nothing to appeal against."""
    answer, asked = appeal(seated, "Einspruch Eriwan DNI: steht im Duden\n")
    assert "hat noch nicht angefangen" in answer
    actions.abort(seated.app, "Eriwan", "keine Lust")
    seated.tick()
    answer, also = appeal(seated, "Einspruch Eriwan DNI: steht im Duden\n")
    assert "wurde abgebrochen" in answer
    assert asked == also == ""


def test_english(begin: Any) -> None:
    """An English command is answered in English; the GM reads the house's language."""
    zine = begin("provisional", service={"language": "en"})
    answer, asked = appeal(zine, "Appeal Eriwan DNI: it is in the dictionary\n")
    assert "Your appeal about DNI in “Eriwan” is with Cici Beilken; you will get the ruling by mail." in answer
    for said in (
        "[Eriwan] Appeal by Anna Berg: DNI",
        "it is in the dictionary",
        "Now: still open: in no word list Rests on: no entry Played by: Anna Berg, R1, 3 points Concerns: Anna Berg",
        "Anna Berg 6 (rank 1) 4 (rank 1)",
        "gm rule Eriwan accept DNI gm rule Eriwan reject DNI",
    ):
        assert said in asked
    answer, asked = appeal(zine, "Appeal Eriwan DNI: please\n")
    assert "already and still open" in answer
    assert asked == ""


def test_a_house_ruling_settles_appeals_everywhere(finished: Any) -> None:
    """`gm rule --house` answers every open appeal about the word, whatever the game."""
    actions.new_game(finished.app, "crossword", "Havanna")
    for name in PLAYERS:
        seating.join(finished.app, "Havanna", name, address_of(name), "E")
    actions.start(finished.app, "Havanna")
    finished.tick()
    appeal(finished, "Einspruch Eriwan DNI\n")
    appeal(finished, "Einspruch Havanna DNI\n")
    appeal(finished, "Einspruch Havanna ORE\n")
    assert len(todo(finished)) == 3
    actions.rule(finished.app, "Eriwan", ["ORE"], True, "", False)
    assert len(todo(finished)) == 3  # Eriwan's own ruling is none for Havanna
    actions.rule(finished.app, "Eriwan", ["DNI"], True, "", True)
    assert [do for _, do in todo(finished)] == ["gm rule Havanna accept|reject ORE"]


def test_ticked_off_without_a_ruling(finished: Any) -> None:
    """The GM may put an appeal aside; the result stays."""
    from gm.requests.desk.mail_actions import tick_off

    appeal(finished, "Einspruch Eriwan DNI: steht im Duden\n")
    (code,) = (question.code for question in finished.rows(Question) if question.kind == "appeal")
    tick_off(finished.app, code)
    assert todo(finished) == []
    assert points(finished) == 4


def test_an_unknown_word_of_combinato_comes_before_the_gm(begin: Any) -> None:
    """Rulings 1.15: a guess must be a valid word; the player is shown the line that asks, the GM the line to rule."""
    zine = begin("empty")
    seating.start(zine.app, "combinato", "Genua", (ANNA, BERND))
    zine.tick()
    refused, to_gm = appeal(zine, "Combinato Genua\nGeheim: QUZX\n")
    assert "»Einspruch Genua QUZX: Begründung«" in refused
    assert not to_gm
    taken, to_gm = appeal(zine, "Einspruch Genua QUZX: steht im Duden\n")
    assert "gm rule Genua accept QUZX" in to_gm
    assert "QUZX" in taken
    actions.rule(zine.app, "Genua", ["QUZX"], True, "", False)
    zine.tick()
    assert {recipient for recipient, _ in zine.mails()} == {address_of(ANNA)}
    confirmed, _ = appeal(zine, "Combinato Genua\nGeheim: QUZX\n")
    assert "Geheimwort" in confirmed
