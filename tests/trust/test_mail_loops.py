"""Mail loops: whatever program answers our mails, we stop writing to it, and no move is lost by that."""

from __future__ import annotations

import random
from collections.abc import Callable
from email import message_from_bytes
from email.message import Message
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import select

from gm.demo.in_memory_zine import GM_ADDRESS, PLAYERS, Story, address_of, write_mail
from gm.requests.desk import actions, players
from gm.store.tables import MailIn, Question, Sheet
from parsers.mime.message import read_mail

ANNA, BERND = PLAYERS[:2]
ELSEWHERE = "gm@anderswo.example"
MARKS = (
    "X-Loop", "Auto-Submitted", "X-Auto-Response-Suppress", "List-Id", "List-Unsubscribe", "Precedence",
)  # fmt: skip


def as_it_is(raw: bytes) -> bytes:
    """A mail that nobody touched."""
    return raw


def without_loop(raw: bytes) -> bytes:
    """A mail from which a gateway took X-Loop."""
    return _without(raw, "X-Loop").as_bytes()


def without_marks(raw: bytes) -> bytes:
    """A mail from which every field that names a robot is gone."""
    return _without(raw, *MARKS).as_bytes()


def rewritten(raw: bytes) -> bytes:
    """A mail as a gateway writes it anew: the words in plain text, with another Message-ID and in no thread."""
    mail = read_mail(raw)
    subject, headers = f"Re: {mail.subject}", {"To": ELSEWHERE}
    return write_mail(mail.sender, mail.text, subject=subject, name=mail.sender_name, headers=headers)


def _without(raw: bytes, *names: str) -> Message:
    mail = message_from_bytes(raw)
    for name in names:
        del mail[name]
    return mail


def talk(one: Story, other: Story, on_the_way: Callable[[bytes], bytes], laps: int = 60) -> int:
    """Carry the mails of two services to each other until nothing is left, or for so many laps; returns how many."""
    addresses = {one: one.app.settings.service.address, other: other.app.settings.service.address}
    sent = 0
    for _ in range(laps):
        carried = 0
        for zine, receiver in ((one, other), (other, one)):
            zine.tick()
            for recipient, raw in letters(zine):
                if recipient == addresses[receiver]:
                    receiver.arrives(on_the_way(raw))
                    carried += 1
        sent += carried
        if not carried:
            return sent
    return sent


def letters(zine: Story) -> list[tuple[str, bytes]]:
    """Return what has gone out since the last look, byte by byte."""
    new = zine.outbox.letters[zine._read :]
    zine._read = len(zine.outbox.letters)
    return [(letter.recipient, letter.raw) for letter in new]


@pytest.fixture
def pair(running: Callable[..., Story], tmp_path: Path) -> tuple[Story, Story]:
    """Two services with a game of the same name, each a player of the other's: its seat is Anna's."""
    one = running(tmp_path / "one")
    other = running(tmp_path / "other", more={"service": {"address": ELSEWHERE}})
    players.use(one.app, ANNA, ELSEWHERE)
    players.use(other.app, ANNA, GM_ADDRESS)
    return one, other


# -- two services ------------------------------------------------------------------------------------------------------

BEGINNINGS = ("Hallo zusammen!\n", "Stand Eriwan\n", "Hilfe\n", "Spiele\n", "Crossword Eriwan\nNeu: E\n")


@pytest.mark.parametrize(
    ("on_the_way", "most"), [(as_it_is, 0), (without_loop, 0), (without_marks, 0), (rewritten, 28)]
)
def test_two_services_fall_silent(pair: tuple[Story, Story], on_the_way: Callable[[bytes], bytes], most: int) -> None:
    """Two services don't answer each other's bulletins; without the marks in the header the exchange still ends."""
    one, other = pair
    actions.close(one.app, "Eriwan", one.now)
    assert 1 <= talk(one, other, on_the_way) <= 1 + most
    for hours in (1, 1, 12, 12):
        one.passes(hours=hours)
        other.passes(hours=hours)
        assert talk(one, other, on_the_way) == 0


@pytest.mark.parametrize(("on_the_way", "most"), [(without_marks, 1), (rewritten, 28)])
@pytest.mark.parametrize("text", BEGINNINGS)
def test_a_talk_that_somebody_begins_ends(
    pair: tuple[Story, Story], on_the_way: Callable[[bytes], bytes], most: int, text: str
) -> None:
    """A mail to one service in the other one's name has one answer, and begins no endless talk."""
    one, other = pair
    other.arrives(write_mail(GM_ADDRESS, text, headers={"To": ELSEWHERE}))
    assert 1 <= talk(one, other, on_the_way) <= most


# -- robots ------------------------------------------------------------------------------------------------------------


class Robot:
    """Answers every mail to somebody, without any field that would give it away."""

    def __init__(self, zine: Story, name: str, answer: Callable[[Any, int], tuple[str, str]]) -> None:
        self.zine, self.name, self.answer = zine, name, answer
        self.answered = 0

    def reads(self, sent: list[tuple[str, bytes]]) -> int:
        """Answer the new mails; returns how many there were."""
        mine = [raw for recipient, raw in sent if recipient == address_of(self.name)]
        for raw in mine:
            subject, text = self.answer(read_mail(raw), self.answered)
            self.answered += 1
            self.zine.arrives(write_mail(address_of(self.name), text, subject=subject, name=self.name))
        return len(mine)


def absent(mail: Any, _number: int) -> tuple[str, str]:
    """Answer that nobody is there."""
    return f"Re: {mail.subject}", "Guten Tag,\nich bin bis zum 24. nicht im Büro und lese keine Mails.\nAnna Berg\n"


def quoting(mail: Any, _number: int) -> tuple[str, str]:
    """Thank for the mail, under a subject of its own, and quote all of it."""
    quoted = "".join(f"> {line}\n" for line in mail.text.splitlines())
    return "Danke für Ihre Nachricht", f"Ihre Nachricht ist eingegangen.\n\n{quoted}"


def ticket(_mail: Any, number: int) -> tuple[str, str]:
    """Open a ticket for each mail."""
    code = "".join(random.Random(number).choices("ABCDEFGHKLMNP23456789", k=8))
    text = f"Ihre Anfrage ist als Ticket {code}-{number} erfasst worden. Wir melden uns binnen zwei Tagen bei Ihnen.\n"
    return f"[Ticket {code}] Ihre Anfrage", text


def repeating(mail: Any, _number: int) -> tuple[str, str]:
    """Send the whole text back, with nothing that marks it as quoted."""
    return f"AW: {mail.subject}", mail.text


def babbling(_mail: Any, number: int) -> tuple[str, str]:
    """Answer differently each time."""
    words = random.Random(number)
    return "Hm", " ".join("".join(words.choices("abcdefghijklmnop", k=7)) for _ in range(12)) + "\n"


def asking(_mail: Any, _number: int) -> tuple[str, str]:
    """Ask for the position each time."""
    return "Stand Eriwan", "Stand Eriwan\n"


def moving(_mail: Any, number: int) -> tuple[str, str]:
    """Send another move each time."""
    return "Zug", f"Crossword Eriwan\nNeu: {'ENIRST'[number % 6]}\n" + "......\n" * 6


def told(zine: Story, robot: Robot, hours: int = 2) -> list[int]:
    """Close a round and let a robot answer for hours; give how many mails went to it in each hour."""
    actions.close(zine.app, "Eriwan", zine.now)
    began, counted = zine.now, [0] * hours
    while (hour := (zine.now - began).total_seconds() / 3600) < hours:
        zine.tick()
        answered = robot.reads(letters(zine))
        zine.passes(minutes=0 if answered else 10)
        counted[int(hour)] += answered
    return counted


@pytest.mark.parametrize("answer", [absent, quoting, ticket])
def test_robots_that_say_the_same_fall_silent(running: Any, answer: Any) -> None:
    """An absence, a thank-you or a ticket for each mail is on the GM's list once, and isn't answered at all."""
    zine = running()
    assert sum(told(zine, Robot(zine, ANNA, answer))) == 1  # the bulletin
    with zine.app.database.read() as session:
        listed = len(session.exec(select(Question).where(Question.kind == "text")).all())
        last = session.exec(select(MailIn).order_by(MailIn.id)).all()[-1]
    assert (last.status, last.reason) == ("applied", "on the GM's list: automatic: words of absence or receipt")
    assert listed == 1
    assert [letter for letter in zine.outbox.letters if letter.recipient == "cici@postspiel.example"] == []


@pytest.mark.parametrize(("answer", "fewest", "most"), [(babbling, 9, 1 + 8 + 8), (repeating, 2, 1 + 3)])
def test_robots_that_hear_the_same_fall_silent(running: Any, answer: Any, fewest: int, most: int) -> None:
    """Whatever a robot says without effect: after eight answers there is none, in one thread much sooner."""
    zine = running()
    counted = told(zine, Robot(zine, ANNA, answer), hours=4)
    assert (fewest <= sum(counted) <= most, counted[1:]) == (True, [0, 0, 0]), counted


@pytest.mark.parametrize("answer", [babbling, repeating, asking, moving])
def test_no_robot_gets_more_than_the_cap(running: Any, answer: Any) -> None:
    """Whatever a robot makes of our answers: so many an hour, and a summary."""
    zine = running(more={"security": {"answers_per_hour": 5}})
    counted = told(zine, Robot(zine, ANNA, answer))
    assert max(counted) <= 1 + 5 + 1  # the bulletin, the answers, a summary
    assert sum(counted) > 1


def test_any_robot(running: Any, at_full_length: bool, tmp_path: Path) -> None:
    """Robots that mix all of this at random stay below the cap as well, and what they send to the GM too."""
    for seed in range(40 if at_full_length else 1):
        chance = random.Random(seed)

        def answer(mail: Any, number: int, chance: random.Random = chance) -> tuple[str, str]:
            kinds = [absent, quoting, ticket, repeating, babbling, asking, moving]
            one, other = chance.choices(kinds, k=2)
            return one(mail, number)[0], one(mail, number)[1] + "\n" + other(mail, number)[1]

        zine = running(tmp_path / f"{seed}", more={"security": {"answers_per_hour": 4}})
        counted = told(zine, Robot(zine, ANNA, answer))
        assert max(counted) <= 1 + 4 + 1, seed
        assert sum(letter.recipient == "cici@postspiel.example" for letter in zine.outbox.letters) <= 2 * (4 + 1), seed


def test_two_robots_of_two_players(running: Any) -> None:
    """No player's robot is answered, whoever else's writes."""
    zine = running()
    actions.close(zine.app, "Eriwan", zine.now)
    robots = [Robot(zine, ANNA, absent), Robot(zine, BERND, ticket)]
    for _ in range(10):
        zine.tick()
        sent = letters(zine)
        for robot in robots:
            robot.reads(sent)
    assert [robot.answered for robot in robots] == [1, 1]


def test_many_at_once_count_as_well(running: Any) -> None:
    """Twelve mails of one kind before we look get eight answers: what a batch says counts as well."""
    zine = running()
    for _ in range(12):
        zine.arrives(write_mail(address_of(ANNA), "Hm, mal sehen, was daraus wird.\n", subject="Weg"))
    zine.tick()
    assert [recipient for recipient, _ in letters(zine)].count(address_of(ANNA)) == 8


# -- our own mails come back -------------------------------------------------------------------------------------------


def as_a_forwarder(raw: bytes) -> bytes:
    """Our mail in the player's name, all the rest as it was."""
    mail = _without(raw, "From")
    mail["From"] = address_of(ANNA)
    return mail.as_bytes()


def as_another_mail(raw: bytes) -> bytes:
    """The same with a Message-ID of the forwarder's."""
    mail = message_from_bytes(as_a_forwarder(raw))
    del mail["Message-ID"]
    mail["Message-ID"] = "<1234@spieler.example>"
    return mail.as_bytes()


def as_a_list(raw: bytes) -> bytes:
    """As a mailing list sends it to all who are on it."""
    mail = message_from_bytes(as_another_mail(_without(raw, *MARKS).as_bytes()))
    mail["List-Id"] = "Spieler <spieler.spieler.example>"
    return mail.as_bytes()


@pytest.mark.parametrize("way", [as_a_forwarder, as_another_mail, as_a_list])
def test_our_own_mail_comes_back(running: Any, way: Callable[[bytes], bytes]) -> None:
    """A forwarder or a list as a player's address sends us our bulletin in the player's name: it is only logged."""
    zine = running()
    actions.close(zine.app, "Eriwan", zine.now)
    zine.tick()
    ((_, raw),) = [letter for letter in letters(zine) if letter[0] == address_of(ANNA)]
    zine.arrives(way(raw))
    zine.tick()
    assert letters(zine) == []


# -- people ------------------------------------------------------------------------------------------------------------

MOVE = "Crossword Eriwan\nNeu: E\n" + "......\n" * 6


def test_no_move_is_lost_among_the_robots_mails(running: Any) -> None:
    """While a robot of hers is ignored, Anna's own move counts and is confirmed, however often she sends it.

    Her own words are answered, and the robot's never.
    """
    zine = running()
    robot, subjects = Robot(zine, ANNA, absent), []
    for text in ("Bin da!\n", MOVE, MOVE, MOVE, "", ""):
        if text:
            zine.writes(ANNA, text)
        zine.tick()
        robot.reads(sent := letters(zine))
        subjects += [read_mail(raw).subject for to, raw in sent if to == address_of(ANNA)]
    assert subjects.count("[Eriwan] Zug Runde 1 angekommen") == 3
    assert len(subjects) == 3 + 1  # her moves, and the answer to her words
    with zine.app.database.read() as session:
        assert len(session.exec(select(Sheet)).all()) == 3


def test_the_same_mistake_is_explained_so_often(running: Any) -> None:
    """The same wrong move isn't answered a ninth time; another mistake is answered, and a right move counts."""
    zine = running()
    answers = []
    for text in ("Stand Kuba\n",) * 9 + ("Stand Cuba\n", MOVE):
        zine.writes(ANNA, text)
        zine.tick()
        answers.append(len(letters(zine)))
    assert answers == [1] * 8 + [0, 1, 1]
    with zine.app.database.read() as session:
        ninth = session.exec(select(MailIn).order_by(MailIn.id)).all()[8]
    assert ninth.status == "refused"
    assert ninth.reason == "notice; not answered: enough mails in this day"


def test_what_is_nearly_the_same_is_listed_for_the_gm(running: Any) -> None:
    """Another date in the same words is no new answer and no new notice, but the GM can see it."""
    zine = running()
    for day in ("3. bis 5.", "3. bis 5.", "7. bis 9."):
        zine.writes(ANNA, f"Hallo, die Post vom {day} Mai kam hier bei uns leider nie an.\n")
        zine.tick()
    assert sum(letter.recipient == "cici@postspiel.example" for letter in zine.outbox.letters) == 1
    with zine.app.database.read() as session:
        asked = session.exec(select(Question).where(Question.kind == "text").order_by(Question.id)).all()
    assert ["3. bis 5." in asked[0].payload["text"], "7. bis 9." in asked[1].payload["text"]] == [True, True]
    assert len(asked) == 2


def test_a_day_later_the_same_is_news(running: Any) -> None:
    """The same words are put before the GM once a day, and answered each time."""
    zine = running()
    told_gm = []
    for passes in ({"minutes": 1}, {"hours": 1}, {"days": 2}):
        zine.passes(**passes)
        zine.writes(ANNA, "Danke!\n")
        zine.tick()
        told_gm.append(sorted(recipient for recipient, _ in letters(zine)))
    both = [address_of(ANNA), "cici@postspiel.example"]
    assert told_gm == [both, both[:1], both]
