"""How our mails are marked and threaded, and that one mail in gives one mail out."""

from typing import Any

import pytest
from zines import SHARED, seat_couple

from gm.demo.in_memory_zine import GM_ADDRESS, PLAYERS, address_of
from gm.requests.desk import actions
from gm.store.tables import Question, Sheet

ANNA, BERND = PLAYERS[:2]


def header(mail: Any, name: str) -> str:
    """Return a header that must be there once."""
    (value,) = mail.headers[name]
    return str(value)


def play_rounds(zine: Any, number: int) -> list[Any]:
    """Let rounds pass and give Anna's bulletins, the first one included."""
    start = zine.outgoing(kind="start", address=address_of(ANNA))[0].message_id
    bulletins = []
    for _ in range(number):
        zine.passes_until(zine.zat, seconds=1)
        zine.tick()
        bulletins.append(zine.gets(ANNA))
    return [start, *bulletins]


def test_bulletins_refer_to_the_first_and_the_last(eriwan: Any) -> None:
    """References hold the game's first bulletin and the latest before, never more; In-Reply-To is the latest."""
    start, *bulletins = play_rounds(eriwan, 4)
    before = start
    for mail in bulletins:
        assert mail.references == tuple(dict.fromkeys((start, before)))
        assert mail.in_reply_to == before
        before = mail.message_id


def test_answers_reply_to_the_mail(eriwan: Any) -> None:
    """An answer is a reply to the mail answered, in the game's thread, with two references."""
    start, *_ = play_rounds(eriwan, 2)
    eriwan.sends(ANNA, "DN", message_id="<my.move@spieler.example>")
    mail = eriwan.answer(ANNA)
    assert mail.in_reply_to == "<my.move@spieler.example>"
    assert mail.references == (start, "<my.move@spieler.example>")


def test_a_mail_without_a_message_id_is_answered_in_the_thread(eriwan: Any) -> None:
    """A mail without an id can't be replied to; the answer still lies in the game's thread."""
    start, latest = play_rounds(eriwan, 1)
    raw = eriwan.sends(ANNA, "DN", message_id="<gone@spieler.example>")
    eriwan.server.folders["INBOX"].clear()
    eriwan.arrives(raw.replace(b"Message-ID: <gone@spieler.example>\r\n", b""))
    mail = eriwan.answer(ANNA)
    assert mail.references == (start, latest.message_id)


def test_standby_has_an_own_thread(eriwan: Any) -> None:
    """A standby's thread begins with the welcome mail: nobody refers to a mail one never got."""
    play_rounds(eriwan, 1)
    actions.standby(eriwan.app, "Eriwan", BERND, "Gerda Hahn", address_of("Gerda Hahn"))
    eriwan.tick()
    welcome = eriwan.gets("Gerda Hahn")
    assert welcome.references == ()
    eriwan.passes_until(eriwan.zat, seconds=1)
    eriwan.tick()
    assert eriwan.gets("Gerda Hahn").references == (welcome.message_id,)


def test_robots_know_us_for_one(eriwan: Any) -> None:
    """Answers are auto-replied, the rest auto-generated; every mail carries X-Loop and asks for no auto-reply."""
    eriwan.sends(ANNA, "DN")
    eriwan.writes("Xaver Unbekannt", "Hallo?\n")
    eriwan.writes(BERND, "GM: Hallo!\n")
    eriwan.tick()
    answers = eriwan.mails()
    eriwan.passes_until(eriwan.zat, seconds=1)
    eriwan.tick()
    bulletins = eriwan.mails()
    assert (len(answers), len(bulletins)) == (4, 6)
    for recipient, mail in answers:
        to_gm = recipient == "cici@postspiel.example"
        assert header(mail, "auto-submitted") == ("auto-generated" if to_gm else "auto-replied")
    assert {header(mail, "auto-submitted") for _, mail in bulletins} == {"auto-generated"}
    for _, mail in answers + bulletins:
        assert header(mail, "x-loop") == GM_ADDRESS
        assert header(mail, "x-auto-response-suppress") == "All"


def test_a_second_attempt_is_the_same_mail(eriwan: Any) -> None:
    """A mail that is tried again has the same bytes, Message-ID included, and goes out once."""
    eriwan.outbox.defer(address_of(ANNA))
    eriwan.sends(ANNA, "DN")
    eriwan.tick()
    (before,) = eriwan.outgoing(kind="answer")
    assert (before.status, before.attempts) == ("queued", 1)
    eriwan.passes(minutes=4)
    eriwan.tick()
    assert eriwan.outgoing(kind="answer")[0].attempts == 1
    eriwan.outbox.accept(address_of(ANNA))
    eriwan.passes(minutes=2)
    mail = eriwan.answer(ANNA)
    assert mail.message_id == before.message_id
    assert eriwan.outbox.letters[-1].raw == before.raw
    eriwan.passes(days=1)
    eriwan.tick()
    assert eriwan.nothing_new()


def test_a_server_that_hangs_up_loses_and_repeats_nothing(eriwan: Any) -> None:
    """When SMTP is down for a while, everything goes out afterwards, once, answers first."""
    eriwan.outbox.is_down = True
    eriwan.passes_until(eriwan.zat, minutes=1)
    eriwan.sends(ANNA, "DN")
    assert [type(trouble).__name__ for trouble in eriwan.tick().troubles] == ["DeliveryError"]
    eriwan.outbox.is_down = False
    eriwan.tick()
    subjects = [mail.subject for _, mail in eriwan.mails()]
    assert len(subjects) == 8  # six bulletins, the answer, and the late move before the GM
    assert "verspätet" in subjects[0]
    eriwan.tick()
    assert eriwan.nothing_new()


def test_several_commands_get_one_answer(eriwan: Any) -> None:
    """A move and three commands in one mail are all carried out and answered in one mail, in order."""
    eriwan.writes(ANNA, eriwan.block(ANNA, "DN") + "\nWarten Eriwan\nStand Eriwan\nSpiele\n")
    mail = eriwan.answer(ANNA)
    assert eriwan.last_reason() == "confirmation, notice, status, games"
    assert mail.subject == "[Eriwan] Zug Runde 1 angekommen"
    assert eriwan.on_file(ANNA) == ("dn", "E")
    assert eriwan.seat(ANNA)["waiting"]


def test_one_refused_command_stops_no_other(eriwan: Any) -> None:
    """What can't be done is said, what can be done is done, in one answer."""
    eriwan.writes(ANNA, "Stand Tiflis\nWarten Eriwan\n")
    eriwan.answer(ANNA)
    assert eriwan.seat(ANNA)["waiting"]


def test_ten_mails_get_ten_answers(eriwan: Any) -> None:
    """Each mail is answered by one mail, whatever is in it, also when all are fetched at once."""
    texts = [eriwan.block(ANNA, "DN"), eriwan.block(ANNA, "QQ"), "Stand Eriwan\n", "Hilfe\n", "Spiele\n",
             "Zurückziehen Eriwan\n", "Zurückziehen Eriwan\n", "Ja\n", "Warten Eriwan\n", "Stand Tiflis\n"]  # fmt: skip
    for number, text in enumerate(texts):
        eriwan.writes(ANNA, text, message_id=f"<n{number}@spieler.example>")
    eriwan.tick()
    sent = eriwan.mails()
    assert [mail.in_reply_to for _, mail in sent] == [f"<n{number}@spieler.example>" for number in range(10)]


@pytest.fixture
def couple(zine: Any) -> Any:
    """Eriwan, in which Anna and Bernd share an address."""
    seat_couple(zine).mails()
    return zine


def test_a_couple_gets_a_mail_each(couple: Any) -> None:
    """Two players of one address get their own bulletins, each with an own Message-ID."""
    couple.passes_until(couple.zat, seconds=1)
    couple.tick()
    theirs = [mail for recipient, mail in couple.mails() if recipient == SHARED]
    assert len(theirs) == len({mail.message_id for mail in theirs}) == 2


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize("name", [ANNA, BERND])
def test_the_name_line_decides_for_a_couple(couple: Any, name: str) -> None:
    """`Name: Anna` says whose move it is; the answer greets, and threads with the bulletins of, that player."""
    couple.sends(name, "DN", sender=SHARED, head=(f"Name: {name.split()[0]}",))
    couple.tick()
    ((_, mail),) = couple.mails()
    assert "angekommen" in mail.subject
    assert f"Hallo {name.split()[0]}," in mail.text
    other = BERND if name == ANNA else ANNA
    assert couple.on_file(name) == ("dn", "E")
    assert couple.on_file(other) is None
    own_start = couple.outgoing(kind="start")[PLAYERS.index(name)].message_id
    assert mail.references[0] == own_start


def test_without_a_name_a_couple_is_asked(couple: Any) -> None:
    """Without a name nobody can know whose move it is: nothing is filed and both names are offered."""
    couple.sends(ANNA, "DN", sender=SHARED)
    couple.tick()
    ((_, mail),) = couple.mails()
    assert ANNA in couple.said(mail)
    assert BERND in couple.said(mail)
    assert couple.rows(Sheet) == []


def test_both_moves_of_a_couple_in_one_mail(couple: Any) -> None:
    """A couple may send both moves in one mail, each with its name, and gets one answer."""
    blocks = [
        couple.block(name, letters, head=(f"Name: {name.split()[0]}",))
        for name, letters in ((ANNA, "DN"), (BERND, "TI"))
    ]
    couple.writes("Die Berge", "\n".join(blocks), sender=SHARED)
    couple.tick()
    assert len(couple.mails()) == 1
    assert couple.on_file(ANNA) == ("dn", "E")
    assert couple.on_file(BERND) == ("ti", "E")


def test_one_of_a_couple_has_left(couple: Any) -> None:
    """When one of the two has left the game, the other needs no name."""
    actions.standby(couple.app, "Eriwan", BERND, "Gerda Hahn", address_of("Gerda Hahn"))
    couple.tick()
    couple.mails()
    couple.sends(ANNA, "DN", sender=SHARED)
    couple.tick()
    assert couple.last_reason() == "confirmation"
    couple.sends(BERND, "TI", sender=SHARED, head=("Name: Bernd",))
    couple.tick()
    assert couple.last_reason() == "notice"
    assert couple.on_file(ANNA) == ("dn", "E")


def test_the_gm_is_told_once(eriwan: Any) -> None:
    """A message to the GM that is delivered twice makes one question and one notice."""
    raw = eriwan.writes(ANNA, "GM: Hallo!\n")
    eriwan.arrives(raw)
    eriwan.tick()
    eriwan.arrives(raw)
    eriwan.tick()
    assert sorted(recipient for recipient, _ in eriwan.mails()) == [address_of(ANNA), "cici@postspiel.example"]
    assert len(eriwan.rows(Question)) == 1
