"""`release = "gm"`: the GM sees a bulletin first; players learn nothing of the new position before the release."""

import re
from email import message_from_bytes
from email.policy import default
from typing import Any

import databases
import pytest

from gm.demo.in_memory_zine import PLAYERS
from gm.game.replay import verify
from gm.requests.desk import actions
from gm.runtime.errors import Refused
from gm.store.queries import game_queries
from gm.store.tables import Game, Question, Turn

ANNA, BERND, CARLA, DORA, EMIL, FRIDA = PLAYERS
GM = "cici@postspiel.example"
BY_GM = {"deadlines": {"release": "gm"}}
LIST = "rot+dni / in 6\nSumme 6\n"


def close(zine: Any) -> None:
    """Close the round now, and let the mails go out."""
    actions.close(zine.app, "Eriwan", zine.now)
    zine.tick()
    zine.passes(minutes=1)


def at_gm(zine: Any) -> Any:
    """Return the one new mail to the GM; nobody else may have got any."""
    (recipient, mail), *more = zine.mails()
    assert (recipient, more) == (GM, [])
    return mail


@pytest.fixture
def waiting(begin: Any) -> Any:
    """Round 1 of Eriwan is closed and waits for the GM: Anna has laid DNT, and wishes for an E."""
    zine = begin("started", **BY_GM)
    zine.sends(ANNA, "DNT")
    zine.tick()
    zine.mails()
    close(zine)
    return zine


def test_the_gm_gets_it_first(waiting: Any) -> None:
    """The GM gets one mail with the line to release with and the bulletin below; the clock stands still."""
    mail = at_gm(waiting)
    assert mail.subject.endswith("[Eriwan] Runde 1 wartet auf deine Freigabe")
    text = waiting.said(mail)
    assert "gm release Eriwan Mein Vorwort ... Ende" in text
    assert "ZAT Runde 2: zählt ab der Freigabe" in text
    assert "Auswertung" in text
    assert waiting.show()["zat"] is None
    waiting.passes(days=60)
    waiting.tick()
    assert (waiting.round, waiting.mails()) == (2, [])


COMMANDS = """
    Stand Eriwan, Hilfe Eriwan, Hilfe, Protokoll Eriwan, Protokoll Eriwan 1, Spiele, Warten Eriwan, Fertig Eriwan,
    Zurückziehen Eriwan, Verlängerung Eriwan 3 Tage, Einspruch Eriwan TANZEN: warum, Beobachten Eriwan,
    Urlaub 01.12.2026-02.12.2026, Abmeldung Eriwan, Presse Eriwan: Na?
""".strip().split(", ")


def ask_everything(zine: Any, letters: str, wish: str) -> Any:
    """Let Anna move and the round be closed; then Bernd asks, sends and quotes whatever there is."""
    zine.sends(ANNA, letters, wish)
    zine.tick()
    blocks = [zine.block(BERND, "NDI"), zine.block(BERND, "QQ"), zine.block(BERND, "NDI", head=("Runde: 1",))]
    close(zine)
    quoted = ["".join(f"> {line}\n" for line in block.splitlines()) for block in blocks]
    without_title = [block.split("\n", 1)[1] for block in blocks]
    for text in (*blocks, *quoted, *without_title, *COMMANDS):
        zine.writes(BERND, text.strip() + "\n")
        zine.tick()
    zine.writes("Xaver Unbekannt", blocks[0])
    zine.tick()
    return zine


@pytest.mark.trust
def test_no_command_tells_of_it(begin: Any) -> None:
    """No mail to anybody but the GM depends on what the closed round has brought, until that is released."""
    mails = []
    for letters, wish in (("DNT", "E"), ("TND", "X")):
        zine = ask_everything(begin("started", security={"answers_per_hour": 99}, **BY_GM), letters, wish)
        mails.append(
            [(row.address, row.raw) for row in zine.outgoing() if row.address not in (GM, "anna@spieler.example")]
        )
        actions.release(zine.app, "Eriwan", "")
        mails[-1:] = [mails[-1], [row.raw for row in zine.outgoing(kind="bulletin")]]
    assert len(mails[0]) > 20
    assert mails[0] == mails[2]
    assert mails[1] != mails[3]


@pytest.mark.trust(except_first=2)
@pytest.mark.parametrize("head", [(), ("Runde: 1",), ("Runde: 2",)])
def test_late_moves(waiting: Any, head: tuple[str, ...]) -> None:
    """What comes while the bulletin waits is late for the round that is closed, and the GM sees it."""
    waiting.mails()
    waiting.sends(BERND, "NDI", head=head)
    waiting.tick()
    mails = dict(waiting.mails())
    assert "Runde 1 von »Eriwan« ist ausgewertet" in waiting.said(mails["bernd@spieler.example"])
    assert "dnt" not in mails["bernd@spieler.example"].text.lower()
    assert "NDI" in mails[GM].text.upper()
    assert waiting.on_file(BERND) is None


def test_a_quoted_block(waiting: Any) -> None:
    """A block that only stands in a quotation isn't read against the position that nobody knows yet."""
    waiting.mails()
    block = waiting.block(BERND, "NDI").splitlines()
    waiting.writes(BERND, "\n".join(f"> {line}" for line in block) + "\n")
    assert "dnt" not in waiting.answer(BERND).text.lower()


def test_release_with_a_foreword(waiting: Any) -> None:
    """With the release all get the bulletin with the foreword; the round's clock begins then."""
    waiting.mails()
    waiting.passes(days=3)
    actions.release(waiting.app, "Eriwan", "Hallo zusammen!\n\n<b>Frohes Fest</b>\n")
    waiting.tick()
    mails = waiting.mails()
    assert len(mails) == 6
    assert all("Hallo zusammen!" in mail.text and "<b>Frohes Fest</b>" in mail.text for _, mail in mails)
    assert waiting.zat.isoformat() == "2026-11-19T20:00:00+01:00"
    assert [turn.foreword for turn in waiting.rows(Turn)] == ["", "Hallo zusammen!\n\n<b>Frohes Fest</b>"]
    assert [row.answer for row in waiting.rows(Question)] == ["released"]
    with pytest.raises(Refused, match="No bulletin of Eriwan waits"):
        actions.release(waiting.app, "Eriwan", "")
    waiting.sends(BERND, "", "X")
    waiting.tick()
    assert waiting.on_file(BERND)


def test_what_else_is_refused(waiting: Any) -> None:
    """Nothing goes past a bulletin that waits: no closing, no other ZAT, no playing on without a seat."""
    for what in (
        lambda: actions.close(waiting.app, "Eriwan", waiting.now),
        lambda: actions.rehearse_close(waiting.app, "Eriwan"),
        lambda: actions.move_zat(waiting.app, "Eriwan", "2027-01-01 20:00"),
        lambda: actions.play_on_without(waiting.app, "Eriwan", FRIDA),
    ):
        with pytest.raises(Refused, match="gm release Eriwan"):
            what()
    assert (waiting.round, len(waiting.rows(Turn))) == (2, 2)


def test_a_standby_meanwhile(waiting: Any) -> None:
    """A standby who takes a seat while the bulletin waits gets it with the release, and nothing of it before."""
    waiting.mails()
    actions.standby(waiting.app, "Eriwan", FRIDA, "Gerda Hahn", "gerda@spieler.example")
    waiting.tick()
    assert [recipient for recipient, _ in waiting.mails()] == ["frida@spieler.example"]
    actions.release(waiting.app, "Eriwan", "")
    waiting.tick()
    assert "gerda@spieler.example" in dict(waiting.mails())
    waiting.writes("Gerda Hahn", waiting.block("Gerda Hahn", "", "X"), sender="gerda@spieler.example")
    waiting.tick()
    assert waiting.on_file("Gerda Hahn")


def test_a_standby_of_a_round_that_is_taken_back(waiting: Any) -> None:
    """A standby took a seat while the bulletin waited: `gm undo` takes that back first, and then the closing."""
    actions.standby(waiting.app, "Eriwan", FRIDA, "Gerda Hahn", "gerda@spieler.example")
    waiting.tick()
    waiting.mails()
    assert actions.undo(waiting.app, "Eriwan").back == FRIDA
    waiting.tick()
    assert "gerda@spieler.example" in dict(waiting.mails())
    assert actions.undo(waiting.app, "Eriwan").turn
    waiting.tick()
    waiting.mails()
    waiting.passes(minutes=1)
    waiting.sends(FRIDA, "OR", "X")
    waiting.tick()
    assert waiting.on_file(FRIDA) == ("or", "X")


def test_undo_instead(waiting: Any) -> None:
    """The GM may take it back instead: nobody has seen anything, so nobody is told, and the question is settled."""
    waiting.mails()
    actions.undo(waiting.app, "Eriwan")
    waiting.tick()
    assert waiting.nothing_new()
    assert [row.answer for row in waiting.rows(Question)] == ["undone", ""]
    waiting.sends(BERND, "NDI")
    waiting.tick()
    assert waiting.on_file(BERND) == ("ndi", "E")
    waiting.mails()
    close(waiting)
    assert "Runde 1 wartet auf deine Freigabe" in at_gm(waiting).subject


def test_press_is_in_the_preview(begin: Any) -> None:
    """What will be printed the GM reads before; what comes while it waits is printed as well."""
    zine = begin("started", **BY_GM)
    zine.writes(BERND, "Presse Eriwan\nWer will E?\nEnde\n")
    zine.tick()
    zine.mails()
    close(zine)
    assert "Wer will E?" in at_gm(zine).text
    zine.writes(CARLA, "Presse Eriwan\nIch nicht.\nEnde\n")
    zine.tick()
    zine.mails()
    actions.release(zine.app, "Eriwan", "")
    zine.tick()
    assert all("Wer will E?" in mail.text and "Ich nicht." in mail.text for _, mail in zine.mails())


@pytest.fixture
def end(begin: Any) -> Any:
    """The last round is closed with a doubtful word, and waits for the GM."""
    zine = begin("last round", **BY_GM)
    zine.writes(ANNA, zine.block(ANNA, "", None) + LIST)
    zine.tick()
    zine.mails()
    close(zine)
    return zine


def test_the_last_round(end: Any) -> None:
    """Also the end waits: to players the game runs on, a late list is late, and the GM has words to rule on."""
    subjects = sorted(
        re.sub(r"^\[Frage \w+\] ", "", mail.subject) for recipient, mail in end.mails() if recipient == GM
    )
    assert subjects == ["[Eriwan] 1 Wort wartet auf deine Entscheidung", "[Eriwan] Runde 6 wartet auf deine Freigabe"]
    end.writes(BERND, "Stand Eriwan\n")
    assert "sieht das Bulletin noch durch" in end.reply(BERND)
    end.sends(BERND, "", None)
    end.tick()
    mails = dict(end.mails())
    assert "Runde 6 von »Eriwan« ist geschlossen" in end.said(mails["bernd@spieler.example"])
    assert GM in mails
    actions.release(end.app, "Eriwan", "Das war's.")
    end.tick()
    finals = end.mails()
    assert len(finals) == 6
    assert all("(VORLÄUFIG)" in mail.text and "Das war's." in mail.text for _, mail in finals)
    assert end.status == "provisional"


def test_ruled_before_the_release(end: Any) -> None:
    """Words ruled on meanwhile are in the bulletin when it goes out: one final result, its first version."""
    end.mails()
    done = actions.rule(end.app, "Eriwan", ["DNI"], True, "", False)
    assert done == ["Eriwan: the scores are final; gm release Eriwan sends them"]
    end.tick()
    assert end.mails() == []
    assert end.rows(Game)[0].status == "running"
    actions.rule(end.app, "Eriwan", ["DNI"], False, "", False)
    actions.rule(end.app, "Eriwan", ["DNI"], True, "", False)
    actions.release(end.app, "Eriwan", "Glückwunsch")
    end.tick()
    finals = end.mails()
    assert len(finals) == 6
    texts = [end.said(mail) for _, mail in finals]
    assert all("Glückwunsch" in text and "vorläufig" not in text for text in texts)
    assert all("Fassung" not in text and "korrigiert" not in text for text in texts)
    assert any("Bernd" in text and "NMR" in text for text in texts)
    assert end.status == "finished"
    with end.app.database.read() as session:
        assert verify(end.app, session, game_queries.named(session, "Eriwan")) == []


def test_the_end_taken_back(end: Any) -> None:
    """While it waits even a final result can be taken back."""
    actions.rule(end.app, "Eriwan", ["DNI"], True, "", False)
    actions.undo(end.app, "Eriwan")
    assert (end.status, end.round) == ("running", 6)
    answers = {row.kind: row.answer for row in end.rows(Question) if row.kind in ("release", "words")}
    assert answers == {"release": "undone", "words": "ruled"}


def test_a_list_of_the_desk(end: Any) -> None:
    """`gm todo` and `gm list` name the release first-hand, with the words that are open."""
    from gm.reports.games import all_games
    from gm.reports.todo import waiting_for_gm

    with end.app.database.read() as session:
        rows = waiting_for_gm(end.app, session)
        listed = all_games(end.app, session)
    assert {row["what"]: row["do"] for row in rows} == {
        "release": "gm release Eriwan [--foreword FILE], or gm undo Eriwan",
        "words": "gm rule Eriwan accept|reject DNI",
    }
    assert listed[0].why == "the bulletin waits for you: gm release Eriwan"


# -- gm close --dry-run ------------------------------------------------------------------------------------------------


def dump(zine: Any) -> list[str]:
    """Write down the whole database."""
    return databases.CHOSEN.dump(zine.config.parent)


def essence(raw: bytes) -> str:
    """Return a mail, decoded, without what no two mails share: ids, dates, boundaries, codes, also those in links."""
    mail = message_from_bytes(raw, policy=default)
    boundary = mail.get_boundary()
    for name in ("Message-ID", "Date", "References", "In-Reply-To"):
        del mail[name]
    parts = [str(part.get_content()) for part in mail.walk() if not part.is_multipart()]
    told = "\n".join([*(f"{name}: {said}" for name, said in mail.items()), *parts])
    return re.sub(r"(?<=Frage )\w{8}|(?<=Frage%20)\w{8}", "CODE", told.replace(boundary or "\0", ""))


def uncoded(subject: str) -> str:
    """Return a subject without the code of a question."""
    return re.sub(r"(?<=Frage )\w{8}", "CODE", subject)


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize("release", ["auto", "gm"])
@pytest.mark.parametrize("step", ["started", "last round"])
def test_the_dry_run(begin: Any, release: str, step: str) -> None:
    """It prints what goes out then, byte by byte but for ids and dates, and changes nothing."""
    zine = begin(step, deadlines={"release": release})
    zine.writes(BERND, "Presse Eriwan\nWer will E?\nEnde\n")
    zine.writes(ANNA, zine.block(ANNA, "", None) + LIST if step == "last round" else zine.block(ANNA, "DNT"))
    zine.tick()
    before = dump(zine)
    mails = actions.rehearse_close(zine.app, "Eriwan").mails
    rehearsed = [(mail.address, mail.subject, mail.raw) for mail in mails]
    assert dump(zine) == before
    known = len(zine.outgoing())
    actions.close(zine.app, "Eriwan", zine.now)
    if release == "gm":
        actions.release(zine.app, "Eriwan", "")
    real = [(row.address, row.subject, row.raw) for row in zine.outgoing()[known:]]
    # A server gives no id twice, and codes are made from ids.
    assert [(to, uncoded(said)) for to, said, _ in rehearsed] == [(to, uncoded(said)) for to, said, _ in real]
    assert [essence(mail[2]) for mail in rehearsed] == [essence(mail[2]) for mail in real]
    assert len(real) == 6 + (release == "gm") + (step == "last round")
