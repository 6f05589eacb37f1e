"""The whole service with misbehaving IMAP servers: no exception, nothing lost or doubled, and it recovers."""

import itertools
import logging
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import imap_zine
import pytest
from waiting import TIMEOUT

from gm.demo.in_memory_zine import Story, address_of, write_mail
from gm.runtime.errors import Immovable
from gm.store.queries import zine_queries
from gm.transport.doubles.embedded_server import MailServer
from gm.transport.imap import connection

ANNA, BERND, CONFIRMED, MOVE = imap_zine.ANNA, imap_zine.BERND, imap_zine.CONFIRMED, imap_zine.MOVE
proxy = imap_zine.proxy
answer, bye, cut, first, garbage, inject, silence = (
    proxy.answer, proxy.bye, proxy.cut, proxy.first, proxy.garbage, proxy.inject, proxy.silence
)  # fmt: skip

_numbers = itertools.count(1)


@pytest.fixture(scope="module")
def server() -> Iterator[MailServer]:
    """The demo's server, with an account for each test."""
    with MailServer({f"gm{number}@local.test": "secret" for number in range(1, 200)}) as server:
        yield server


@pytest.fixture
def open_zine(
    running: Callable[..., Story], server: MailServer, caplog: pytest.LogCaptureFixture
) -> Iterator[Callable[..., Any]]:
    """Open Eriwan over IMAP: `open_zine(folder=...)`."""
    caplog.set_level(logging.INFO, "gm")
    zines: list[Any] = []

    def make(**options: Any) -> Any:
        zines.append(imap_zine.Zine(running(), server.imap_port, f"gm{next(_numbers)}@local.test", **options))
        return zines[-1]

    yield make
    for zine in zines:
        zine.close()


@pytest.fixture
def zine(open_zine: Callable[..., Any]) -> Any:
    """Eriwan over IMAP."""
    return open_zine()


def once_each(*names: str) -> Counter[tuple[str, str]]:
    """What these players get when each has sent one move."""
    return Counter((name.split()[0].lower(), CONFIRMED) for name in names)


def said(caplog: pytest.LogCaptureFixture) -> list[tuple[str, str]]:
    """List what the log says to the GM."""
    return [(one.levelname, one.getMessage()) for one in caplog.records if one.levelno >= logging.WARNING]


HALF = b"* 1 FETCH (UID 1 BODY[] {4000}\r\nFrom: half a mail"
WHILE_READING = {
    "BYE at login": (b"LOGIN", bye, "broke off the connection"),
    "BYE after SELECT": (b"UID SEARCH", bye, "broke off the connection"),
    "BYE instead of SELECT": (b"SELECT", bye, "broke off the connection"),
    "cut in the greeting's answer": (b"CAPABILITY", cut(9), "broke off the connection"),
    "cut in SEARCH": (b"UID SEARCH", cut(5), "broke off the connection"),
    "NO at login": (b"LOGIN", answer(b"NO [UNAVAILABLE] back soon"), "nothing is lost, we try again"),
    "too many connections": (b"LOGIN", answer(b"NO [LIMIT] too many"), "nothing is lost, we try again"),
    "NO at SEARCH": (b"UID SEARCH", answer(b"NO [SERVERBUG] oops"), "nothing is lost, we try again"),
    "NO at FETCH": (b"UID FETCH", answer(b"NO [LIMIT] too much"), "nothing is lost, we try again"),
    "BAD at FETCH": (b"UID FETCH", answer(b"BAD what"), "check the folders in [imap]"),
    "too slow": (b"UID SEARCH", silence, "did not answer in time"),
    "no SELECT, no EXAMINE": (b"INBOX", answer(b"NO [UNAVAILABLE] disk"), "nothing is lost, we try again"),
    "garbage at login": (b"LOGIN", garbage(bytes(range(256)) * 3), "broke off the connection"),
    "garbage for a list": (b"LIST", inject(b'* LIST (((( "\x00\xff \r\n'), "can't be read"),
    "an endless line": (b"UID SEARCH", garbage(b"* SEARCH " + b"1 " * 600_000 + b"\r\n"), ""),
    "a literal of four thousand TB": (b"UID FETCH", garbage(b"* 1 FETCH (BODY[] {4000000000000000}\r\nx"), ""),
    "no number of mails": (b"SELECT", answer(b"OK [READ-WRITE] nothing else to say"), ""),
}


WITH_A_MAIL = {
    "BYE in the middle of FETCH": (b"BODY.PEEK[]", garbage(HALF + b"\r\n* BYE\r\n")),
    "cut mid-literal": (b"BODY.PEEK[]", cut(150)),
    "cut between two mails": (b"RFC822.SIZE", cut(70)),
    "too slow with a mail": (b"BODY.PEEK[]", silence),
    "garbage for a mail": (b"BODY.PEEK[]", inject(b"* 1 FETCH (UID x BODY[] {3}\r\n\xff\x00)\r\n")),
}


@pytest.mark.parametrize("name", WITH_A_MAIL)
def test_what_goes_wrong_with_each_mail_is_said_and_heals(open_zine: Callable[..., Any], name: str) -> None:
    """The server lists mails and hands out none: each is named, their round waits, and later each counts once."""
    words, act = WITH_A_MAIL[name]
    zine = open_zine()
    zine.one_pass()
    zine.writes(ANNA)
    zine.writes(BERND)
    zine.proxy.cut_all()
    zine.proxy.at(words, act, times=None)
    if is_slow := "slow" in name:
        zine.has_patience(0.25)
    assert zine.one_pass().troubles == []
    assert zine.unfetched() == 2
    zine.is_due()
    assert zine.one_pass().closed == []
    assert (zine.round(), zine.unfetched()) == (1, 2)
    zine.proxy.behave()
    if is_slow:
        zine.has_patience(TIMEOUT)
    report = zine.one_pass()
    assert (report.troubles, zine.unfetched()) == ([], 0)
    assert zine.statuses() == ["applied"] * 2
    assert (zine.answers() & once_each(ANNA, BERND)) == once_each(ANNA, BERND)
    assert (len(zine.mails("INBOX")), len(zine.mails("GM/Processed"))) == (0, 2)


@pytest.mark.parametrize("name", WHILE_READING)
def test_what_goes_wrong_while_reading_is_said_and_heals(open_zine: Callable[..., Any], name: str) -> None:
    """One sentence, no round closes though it is due, and as soon as the server is well each move counts once."""
    words, act, expected = WHILE_READING[name]
    zine = open_zine()
    zine.one_pass()
    zine.writes(ANNA)
    zine.writes(BERND)
    zine.is_due()
    zine.proxy.cut_all()
    zine.proxy.at(words, act, times=None)
    if is_slow := "slow" in name:
        zine.has_patience(0.25)
    assert expected in zine.trouble()
    assert zine.round() == 1
    zine.proxy.behave()
    if is_slow:
        zine.has_patience(TIMEOUT)
    report = zine.one_pass()
    assert report.troubles == []
    assert zine.statuses() == ["applied"] * 2
    assert (zine.answers() & once_each(ANNA, BERND)) == once_each(ANNA, BERND)
    assert zine.round() == 2
    assert (len(zine.mails("INBOX")), len(zine.mails("GM/Processed"))) == (0, 2)


@pytest.mark.parametrize("words", [b"UID SEARCH", b"RFC822.SIZE", b"BODY.PEEK[]", b"UID MOVE", b"CREATE"])
def test_a_single_hiccup_costs_nothing_or_one_pass(zine: Any, words: bytes) -> None:
    """A connection that is cut once is replaced: within the pass or by the next one all is read."""
    zine.writes(ANNA)
    zine.writes(BERND)
    zine.proxy.at(words, cut(20))
    zine.one_pass()
    assert zine.one_pass().troubles == []
    assert zine.answers() == once_each(ANNA, BERND)
    assert (zine.statuses(), len(zine.mails("GM/Processed"))) == (["applied"] * 2, 2)


def test_one_mail_that_can_not_be_had_keeps_no_other_back(zine: Any) -> None:
    """A mail over which the server dies each time is named; all others are answered; their round waits for it."""
    zine.one_pass()
    for name in (ANNA, BERND, "Carla Dietz"):
        zine.writes(name)
    with zine.somebody() as client:
        client.select_folder("INBOX", readonly=True)
        _, poison, _ = client.search()

    def dies(talk: Any, tag: bytes) -> bool:
        return bool(bye(talk, tag)) if re.search(rb"\b%d\b|:" % poison, zine.proxy.commands[-1].split()[2]) else True

    zine.proxy.at(b"UID FETCH", dies, times=None)
    assert zine.one_pass().closed == []
    assert zine.unfetched() == 1
    answers = zine.answers()
    assert answers & once_each(ANNA, "Carla Dietz") == once_each(ANNA, "Carla Dietz")
    (told,) = (answers - once_each(ANNA, "Carla Dietz")).elements()
    assert (told[0], told[1].endswith("lässt sich nicht abholen")) == ("cici", True)
    assert zine.round() == 1
    zine.one_pass()
    assert (zine.answers(), zine.unfetched()) == (Counter(), 1)
    zine.serves_until_due()
    assert (zine.round(), zine.unfetched()) == (1, 1)
    zine.proxy.behave()
    assert zine.one_pass().closed == ["Eriwan"]
    assert zine.statuses() == ["applied"] * 3


def test_a_mail_that_the_server_keeps_to_itself_holds_the_round(zine: Any) -> None:
    """A server that lists a mail and leaves it out of its answer, without a word: the round waits for it."""
    zine.writes(ANNA)
    zine.writes(BERND)
    zine.is_due()

    def leaves_out(data: bytes) -> bytes:
        return re.sub(rb"\* 2 FETCH \([^{)]*RFC822.SIZE[^)]*\)\r\n", b"", data)

    zine.proxy.alter = leaves_out
    assert zine.one_pass().closed == []
    assert (zine.round(), sorted(zine.statuses())) == (1, ["applied", "unfetched"])
    zine.proxy.behave()
    assert zine.one_pass().closed == ["Eriwan"]
    assert zine.statuses() == ["applied"] * 2


UNASKED = (
    b"* 9 EXISTS\r\n* 0 RECENT\r\n* OK [ALERT] maintenance at noon\r\n* 1 FETCH (FLAGS (\\Seen))\r\n"
    b"* 2 FETCH (FLAGS (\\Flagged) UID 2)\r\n* CAPABILITY IMAP4rev1\r\n* FLAGS (\\Seen)\r\n* NO just a warning\r\n"
)


@pytest.mark.parametrize("words", [b"NOOP", b"SELECT", b"UID SEARCH", b"RFC822.SIZE", b"BODY.PEEK[]", b"UID MOVE"])
def test_what_nobody_asked_for_is_taken_in_stride(zine: Any, words: bytes) -> None:
    """News, warnings and flags of other mails in the middle of an answer change nothing."""
    zine.one_pass()
    zine.writes(ANNA)
    zine.writes(BERND)
    zine.proxy.at(words, inject(UNASKED), times=None)
    assert zine.one_pass().troubles == []
    assert zine.answers() == once_each(ANNA, BERND)
    zine.one_pass()
    assert len(zine.mails("GM/Processed")) == 2
    assert zine.statuses() == ["applied"] * 2


# -- moving ------------------------------------------------------------------------------------------------------------

WHILE_MOVING = {
    "over quota": (b"UID MOVE", answer(b"NO [OVERQUOTA] mailbox is full"), "make room in it"),
    "not allowed": (b"UID MOVE", answer(b"NO [NOPERM] hands off"), "give it the right to"),
    "refused without a reason": (b"UID MOVE", answer(b"NO computer says no"), "check the folders in [imap]"),
    "BYE": (b"UID MOVE", bye, "broke off the connection"),
    "no folder can be made": (b"CREATE", answer(b"NO [CANNOT] read only"), "check the folders in [imap]"),
}


@pytest.mark.parametrize("name", WHILE_MOVING)
def test_what_can_not_be_moved_is_handled_once_and_holds_nothing_up(
    zine: Any, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    """The mail is answered once, the round closes, the trouble is said once in ten passes; later it is moved."""
    words, act, expected = WHILE_MOVING[name]
    zine.writes(ANNA)
    zine.proxy.at(words, act, times=None)
    assert expected in imap_zine.sentence(zine.one_pass())
    assert zine.answers() == once_each(ANNA)
    for _ in range(9):
        assert imap_zine.sentence(zine.one_pass())
    assert len([text for _, text in said(caplog) if "moving mail" in text]) == 1
    assert zine.answers() == Counter()
    zine.is_due()
    assert zine.one_pass().closed == ["Eriwan"]
    zine.proxy.behave()
    assert zine.one_pass().troubles == []
    assert (zine.statuses(), len(zine.mails("GM/Processed"))) == (["applied"], 1)


def test_a_refused_move_slows_no_reading_down(zine: Any) -> None:
    """Where mails can't be moved the next ones are read at the next poll all the same, not ten minutes later."""
    zine.one_pass()  # the first of a process looks into the folders of handled mails as well
    before = zine.proxy.connections
    zine.proxy.at(b"UID MOVE", answer(b"NO [OVERQUOTA] full"), times=None)
    for name in (ANNA, BERND, "Carla Dietz"):
        zine.writes(name)
        zine.story.passes(seconds=1)
        report = zine.loop.one_pass()
        assert report.received == 1
        assert [type(trouble) for trouble in report.troubles] == [Immovable]
    assert zine.proxy.connections == before, "a refusal is no reason to log in anew"


def test_a_folder_that_can_only_be_read_stops_no_game(zine: Any, caplog: pytest.LogCaptureFixture) -> None:
    """[READ-ONLY] on SELECT: mails are stored and handled, that they stay is said once, none is handled again."""
    zine.proxy.alter = lambda data: data.replace(b"[READ-WRITE]", b"[READ-ONLY]")
    zine.writes(ANNA)
    report = zine.one_pass()
    assert "can only be read" in imap_zine.sentence(report)
    assert zine.answers() == once_each(ANNA)
    for _ in range(10):
        zine.one_pass()
    zine.writes(BERND)
    zine.is_due()
    assert zine.one_pass().closed == ["Eriwan"]
    assert zine.statuses() == ["applied"] * 2
    assert zine.proxy.asked(b"UID MOVE") == []
    assert [level for level, text in said(caplog) if "can only be read" in text] == ["WARNING"]
    zine.proxy.behave()
    zine.one_pass()
    assert len(zine.mails("GM/Processed")) == 2


def test_a_folder_that_can_only_be_examined_stops_no_game(zine: Any) -> None:
    """SELECT is refused, EXAMINE is not: the same."""
    zine.proxy.at(b"SELECT", answer(b"NO [NOPERM] look, don't touch"), times=None)
    zine.writes(ANNA)
    assert "can only be read" in zine.trouble()
    zine.one_pass()
    assert zine.answers() == once_each(ANNA)
    assert len(zine.mails("INBOX")) == 1


def test_a_refused_store_makes_no_copy_in_each_pass(zine: Any) -> None:
    """Without MOVE mails are copied and then deleted: where deleting is refused there is no copy at all."""
    zine.proxy.alter = lambda data: re.sub(rb" (MOVE|UIDPLUS)\b", b"", data)
    zine.proxy.at(b"UID STORE", answer(b"NO [READ-ONLY] no flags here"), times=None)
    zine.writes(ANNA)
    for _ in range(5):
        assert "moving mail" in imap_zine.sentence(zine.one_pass())
    assert zine.answers() == once_each(ANNA)
    assert zine.mails("GM/Processed") == []


@pytest.mark.parametrize("missing", [b"MOVE", b"MOVE|UIDPLUS", b"MOVE|UIDPLUS|IDLE|NAMESPACE|UNSELECT|ENABLE"])
def test_a_server_without_extensions(zine: Any, missing: bytes) -> None:
    """Without MOVE, without UIDPLUS, without anything: each mail is handled once, whatever stays in the folder."""
    zine.proxy.alter = lambda data: re.sub(rb" (%s)\b" % missing, b"", data)
    for name in (ANNA, BERND):
        zine.writes(name)
        assert zine.one_pass().troubles == []
    for _ in range(3):
        assert zine.one_pass().received == 0
    assert zine.answers() == once_each(ANNA, BERND)
    assert len(zine.mails("GM/Processed")) == 2
    assert zine.proxy.asked(b"UID MOVE") == []


def test_where_mails_stay_they_are_marked_as_handled(zine: Any) -> None:
    """Without MOVE and UIDPLUS a handled mail stays, read and deleted; what others have deleted isn't expunged.

    `gm doctor` says so in a line.
    """
    zine.proxy.alter = lambda data: re.sub(rb" (MOVE|UIDPLUS)\b", b"", data)
    zine.arrives(b"From: friend@elsewhere.example\r\nSubject: private\r\n\r\nDelete me later.\r\n")
    with zine.somebody() as client:
        client.select_folder("INBOX")
        client.add_flags(client.search(), [rb"\Deleted"])
    zine.writes(ANNA)
    zine.one_pass()
    zine.writes(BERND)
    assert [zine.one_pass().received for _ in range(3)] == [1, 0, 0]
    assert zine.answers() == once_each(ANNA, BERND)
    assert len(zine.mails("GM/Processed")) == 2
    with zine.somebody() as client:
        client.select_folder("INBOX", readonly=True)
        flags = client.get_flags(client.search())
    marks = [{flag.lower() for flag in one} & {rb"\deleted", rb"\seen"} for _, one in sorted(flags.items())]
    assert marks == [{rb"\deleted"}, {rb"\deleted", rb"\seen"}, {rb"\deleted", rb"\seen"}]
    (check,) = (one for one in zine.app.inbox.check() if one.name == "IMAP MOVE")
    assert check.status == "warn"
    assert "stay in INBOX, marked as read and deleted, until a mail program compacts (expunges) it" in check.sentence


# -- numbers and folders -----------------------------------------------------------------------------------------------


def renumbered(by: int) -> Callable[[bytes], bytes]:
    """Change every UIDVALIDITY that the server tells."""
    return lambda data: re.sub(rb"UIDVALIDITY (\d+)", lambda m: b"UIDVALIDITY %d" % (int(m[1]) + by), data)


def test_a_new_numbering_repeats_no_answer(zine: Any) -> None:
    """All mails come under new numbers, with and without Message-ID: each is known again, and answered once."""
    zine.proxy.at(b"UID MOVE", answer(b"NO [OVERQUOTA] full"), times=None)
    zine.writes(ANNA)
    nameless = re.sub(rb"Message-ID: [^\r]*\r\n", b"", write_mail(address_of(BERND), MOVE, name=BERND))
    zine.arrives(nameless)
    zine.writes("Carla Dietz", "Crossword Eriwan\nNeu: E\nXXXXXX" + "\n......" * 5)
    zine.one_pass()
    assert sum(zine.answers().values()) == 3
    for by in (1, 2, 3):
        zine.proxy.alter = renumbered(by)
        zine.proxy.cut_all()
        zine.one_pass()
        assert zine.answers() == Counter()
    assert sorted(zine.statuses()[:3]) == ["applied", "applied", "refused"]
    assert set(zine.statuses()[3:]) == {"ignored"}


@pytest.mark.parametrize("words", [b"RFC822.SIZE", b"UID MOVE"])
def test_a_new_numbering_in_the_middle_of_a_pass(zine: Any, words: bytes) -> None:
    """UIDVALIDITY changes between search and fetch or before the move: no mail is fetched or moved by an old number."""
    zine.writes(ANNA)
    zine.writes(BERND)

    def renumber(talk: Any, tag: bytes) -> bool:
        zine.proxy.alter = renumbered(1)
        return bool(bye(talk, tag))

    zine.proxy.at(words, renumber)
    zine.is_due()
    zine.one_pass()
    zine.one_pass()
    zine.one_pass()
    assert zine.answers() & once_each(ANNA, BERND) == once_each(ANNA, BERND)
    assert Counter(zine.statuses())["applied"] == 2
    assert len(zine.mails("GM/Processed")) == 2
    assert zine.round() == 2


def test_a_folder_that_is_renamed_is_missed_and_found_again(open_zine: Callable[..., Any]) -> None:
    """Somebody renames the folder that is read: that is said, no round closes; named back all goes on, none twice."""
    zine = open_zine(folder="Spiele/Eriwan")
    with zine.somebody() as client:
        client.create_folder("Spiele/Eriwan")
    zine.writes(ANNA, folder="Spiele/Eriwan")
    zine.proxy.at(b"UID MOVE", answer(b"NO [OVERQUOTA] full"))
    zine.one_pass()
    assert zine.answers() == once_each(ANNA)
    with zine.somebody() as client:
        client.rename_folder("Spiele/Eriwan", "Spiele/Alt")
    zine.is_due()
    assert "check the folders in [imap]" in zine.trouble()
    assert zine.round() == 1
    with zine.somebody() as client:
        client.rename_folder("Spiele/Alt", "Spiele/Eriwan")
    report = zine.one_pass()
    assert (report.troubles, report.closed) == ([], ["Eriwan"])
    assert once_each(ANNA) & zine.answers() == Counter()


def test_a_folder_that_is_deleted_and_made_again(open_zine: Callable[..., Any]) -> None:
    """The new folder of the old name is another one: its first mail, which has an old number, is read."""
    zine = open_zine(folder="Eriwan")
    with zine.somebody() as client:
        client.create_folder("Eriwan")
    zine.writes(ANNA, folder="Eriwan")
    zine.one_pass()
    with zine.somebody() as client:
        client.delete_folder("Eriwan")
    assert "check the folders in [imap]" in zine.trouble()
    with zine.somebody() as client:
        client.create_folder("Eriwan")
    zine.writes(BERND, folder="Eriwan")
    assert zine.one_pass().troubles == []
    assert zine.answers() == once_each(ANNA, BERND)
    (one, another) = zine.stored()
    assert one[1] == another[1], "both had the same UID"
    assert one[0] != another[0], "in two UIDVALIDITYs"


@pytest.mark.parametrize("how", ["deleted", "renamed"])
def test_our_own_folders_may_be_taken_away(zine: Any, how: str) -> None:
    """Somebody deletes or renames Processed or Quarantine while we run: they are made again, without a trouble."""
    zine.writes(ANNA)
    zine.one_pass()
    with zine.somebody() as client:
        if how == "deleted":
            client.delete_folder("GM/Processed")
        else:
            client.rename_folder("GM/Processed", "Archiv")
    zine.writes(BERND)
    assert zine.one_pass().troubles == []
    assert len(zine.mails("GM/Processed")) == 1
    assert zine.mails("INBOX") == []


# -- the same mail, and mails that somebody takes away -----------------------------------------------------------------


def test_the_same_mail_by_two_ways_counts_once(zine: Any) -> None:
    """One mail that comes twice, the second time with other Received fields and a new line at its end: one answer."""
    raw = zine.writes(ANNA, message_id="<one@spieler.example>")
    zine.arrives(b"Received: from elsewhere by mx2; Mon, 2 Nov 2026 12:00:00 +0100\r\nX-Copy: 2\r\n" + raw)
    zine.one_pass()
    zine.arrives(b"Received: from a third way\r\n" + raw)
    zine.one_pass()
    assert zine.answers() == once_each(ANNA)
    assert zine.statuses() == ["applied", "ignored", "ignored"]
    assert (len(zine.mails("INBOX")), len(zine.mails("GM/Processed"))) == (0, 3)


def test_the_same_id_on_another_mail_is_another_mail(zine: Any) -> None:
    """A mail program that gives two mails one Message-ID loses none of them: the second move counts."""
    zine.writes(ANNA, message_id="<one@spieler.example>")
    zine.writes(ANNA, MOVE.replace("Neu: E", "Neu: A"), message_id="<one@spieler.example>")
    zine.one_pass()
    assert zine.statuses() == ["applied", "applied"]
    assert sum(zine.answers().values()) == 2


@pytest.mark.parametrize("way", ["deleted", "moved"])
@pytest.mark.parametrize("words", [b"RFC822.SIZE", b"BODY.PEEK[]", b"UID MOVE"])
def test_mails_that_somebody_takes_away_in_the_middle(zine: Any, words: bytes, way: str) -> None:
    """Between search, fetch and move a mail goes: who was read is answered once, and the rest goes on."""
    zine.writes(ANNA)
    zine.writes(BERND)

    def take_away() -> None:
        with zine.somebody() as client:
            client.select_folder("INBOX")
            (uid, *_) = client.search()
            if way == "moved":
                client.create_folder("Elsewhere")
                client.move([uid], "Elsewhere")
            else:
                client.delete_messages([uid])
                client.uid_expunge([uid])

    zine.proxy.at(words, first(take_away))
    assert zine.one_pass().troubles == []
    assert zine.one_pass().troubles == []
    both = once_each(ANNA, BERND) if words == b"UID MOVE" else once_each(BERND)
    assert zine.answers() in (both, once_each(ANNA, BERND))
    assert set(zine.statuses()) == {"applied"}
    assert zine.mails("INBOX") == []


@pytest.mark.parametrize("gone", [1, 2])
@pytest.mark.parametrize(
    ("words", "lacks"),
    [
        (b"RFC822.SIZE", b""), (b"BODY.PEEK[]", b""), (b"UID MOVE", b""), (b"UID STORE", b" MOVE"),
        (b"UID COPY", b" MOVE"), (b"UID COPY", b" (MOVE|UIDPLUS)"),
    ],
)  # fmt: skip
def test_a_server_that_refuses_all_for_one_that_is_gone(zine: Any, words: bytes, lacks: bytes, gone: int) -> None:
    """RFC 2180 lets a server answer NO where a mail was expunged: the others are read and moved in the same pass."""
    zine.proxy.alter = (lambda data: re.sub(lacks + rb"\b", b"", data)) if lacks else zine.proxy.alter
    names = (ANNA, BERND, "Carla Dietz")
    for name in names:
        zine.writes(name)

    def take_away(talk: Any, tag: bytes) -> bool:
        with zine.somebody() as client:
            client.select_folder("INBOX")
            uids = client.search("UNDELETED")[:gone]
            client.delete_messages(uids)
            client.uid_expunge(uids)
        return answer(b"NO [EXPUNGEISSUED] some of these are gone")(talk, tag)

    zine.proxy.at(words, take_away)
    assert zine.one_pass().troubles == []
    left = names if words in (b"UID MOVE", b"UID STORE", b"UID COPY") else names[gone:]
    assert zine.answers() == once_each(*left)
    assert zine.statuses() == ["applied"] * len(left)
    with zine.somebody() as client:
        client.select_folder("INBOX", readonly=True)
        assert client.search("UNDELETED") == []
    assert len(zine.mails("GM/Processed")) == len(names) - gone
    zine.is_due()
    assert zine.one_pass().closed == ["Eriwan"]
    assert zine.one_pass().received == 0


# -- IDLE, status, and anything at all ---------------------------------------------------------------------------------


def test_what_is_wrong_is_shown_by_status_until_it_is_mended(zine: Any) -> None:
    """`gm status` has the sentence as long as it is true."""

    def shown() -> str:
        with zine.app.database.read() as session:
            return zine_queries.zine(session).inbox_trouble or ""

    zine.proxy.is_down = True
    told = zine.trouble()
    assert shown() == told
    zine.proxy.behave()
    zine.one_pass()
    assert shown() == ""


def test_any_damage_at_any_place(
    open_zine: Callable[..., Any], at_full_length: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bytes are cut, changed and put in anywhere (seeded): no exception comes out, and then the service works."""
    zine = open_zine()
    number = 2000 if at_full_length else 6
    for seed in range(number):
        dice = random.Random(seed)
        zine.writes(ANNA, f"Crossword Eriwan\nNeu: {'EABDGH'[seed % 6]}\nDNTIRO" + "\n......" * 5)
        if dice.random() < 0.5:
            zine.proxy.cut_all()
        zine.proxy.alter = _damage(dice)
        zine.has_patience(0.1)
        zine.story.passes(minutes=11)
        with monkeypatch.context() as greeting:
            greeting.setattr(connection, "CONNECT_TIMEOUT", 0.1)
            assert zine.loop.one_pass() is not None
        zine.proxy.behave()
        zine.has_patience(TIMEOUT)
        zine.one_pass()
        assert zine.one_pass().troubles == []
        assert zine.mails("INBOX") == []
    assert len([status for status in zine.statuses() if status == "applied"]) > number // 2


JUNK = (b"\xff\xfe", b"\0", b"(", b")", b'"', b"{99}\r\n", b"\r\n", b"* BYE\r\n", b"NIL", b"[", b"%s")


def _damage(dice: random.Random) -> Callable[[bytes], bytes]:
    left = dice.randrange(1, 13)

    def damage(data: bytes) -> bytes:
        nonlocal left
        left -= 1
        if left >= 0 or not data:
            return data
        at = dice.randrange(len(data))
        junk = dice.choice(
            [b"\xff\xfe", b"\0", b"(", b")", b'"', b"{99}\r\n", b"\r\n", b"* BYE\r\n", b"NIL", b"[", b"%s"]
        )
        return dice.choice([data[:at], data[:at] + junk + data[at + 1 :], data[:at] + junk + data[at:]])

    return damage
