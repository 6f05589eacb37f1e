"""The mailbox's owner mark: a service that finds another database's mark reads and moves nothing, and says so."""

import itertools
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime
from email import message_from_bytes
from email.policy import default
from pathlib import Path
from typing import Any

import imap_zine
import mail_servers
import pytest
from processes import become_another
from typer.testing import CliRunner

from gm.app.context import owner_of
from gm.cli.commands import cli
from gm.demo.in_memory_zine import Story, write_config
from gm.runtime.errors import NotOurs
from gm.store.queries import zine_queries
from gm.transport.doubles.embedded_server import MailServer
from gm.transport.doubles.in_memory import MemoryInbox, MemoryServer
from gm.transport.imap import ownership, ownership_marks
from gm.transport.imap.ownership import Mark, Owner
from parsers.mime.message import read_mail
from parsers.mime.triage import mark_of

proxy = imap_zine.proxy
NOW = datetime(2026, 11, 2, 12, tzinfo=UTC)
ANNA, BERND = imap_zine.ANNA, imap_zine.BERND

_numbers = itertools.count(1)


@pytest.fixture(scope="module")
def embedded() -> Iterator[MailServer]:
    """The demo's server, with an account for each test."""
    with MailServer({f"gm{number}@local.test": "secret" for number in range(1, 100)}) as server:
        yield server


@pytest.fixture(scope="module")
def dovecot() -> Iterator[Any]:
    """Dovecot as Debian has it."""
    if reason := mail_servers.missing():
        pytest.skip(reason)
    with mail_servers.MailServers() as server:
        yield server


@pytest.fixture(scope="module")
def old_dovecot() -> Iterator[Any]:
    """Dovecot that offers no extension at all."""
    if reason := mail_servers.missing():
        pytest.skip(reason)
    with mail_servers.MailServers(capability="IMAP4rev1") as server:
        yield server


@pytest.fixture(
    params=["embedded", *(pytest.param(one, marks=pytest.mark.server) for one in ("dovecot", "old_dovecot"))]
)
def server(request: pytest.FixtureRequest) -> Any:
    """Each server in turn."""
    return request.getfixturevalue(request.param)


@pytest.fixture
def open_zine(running: Callable[..., Story], server: Any, tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """Open a zine on the test's one mailbox; each has a database of its own."""
    account, secrets = f"gm{next(_numbers)}@local.test", itertools.count(1)
    with ExitStack() as stack:

        def make(**options: Any) -> Any:
            story = running(tmp_path / f"zine{next(secrets)}")
            with story.app.database.write() as session:  # all are copies of one; each is to be another's
                zine_queries.zine(session).incarnation = id_of_zine(next(secrets))
            zine = imap_zine.Zine(story, server.imap_port, account, **options)
            stack.callback(zine.close)
            return zine

        yield make


def id_of_zine(number: int) -> str:
    """Return an incarnation."""
    return f"{number:024x}"


OTHERS = re.compile(
    r"The mailbox gm\d+@local\.test is served by another database \(mark of 20\d\d-\d\d-\d\d \d\d:\d\d UTC, host "
    r"\S+\): stop the other service and delete the marks in the folder GM/Owner; until then no mail is read\."
)


def ends(zine: Any) -> str:
    """Do a pass that ends the service, and return its sentence, which is also what `gm status` shows."""
    zine.story.passes(minutes=11)
    with pytest.raises(NotOurs) as raised:
        zine.loop.one_pass()
    if not raised.value.is_overtaken:
        with zine.app.database.read() as session:
            assert zine_queries.zine(session).inbox_trouble == str(raised.value)
    return str(raised.value)


def test_a_foreign_service_reads_and_moves_nothing(open_zine: Callable[..., Any]) -> None:
    """The second database finds the mark of the first: no answer, no move, no closing, one sentence in each pass."""
    mine, other = open_zine(), open_zine()
    mine.one_pass()
    mine.writes(ANNA)
    other.is_due()
    for _ in range(3):
        assert OTHERS.fullmatch(ends(other))
    assert (other.statuses(), other.answers(), other.round()) == ([], {}, 1)
    assert len(mine.mails("INBOX")) == 1
    assert other.proxy.asked(b"UID MOVE") == []
    assert b'SELECT "INBOX"' not in other.proxy.commands
    assert mine.one_pass().received == 1
    assert sum(mine.answers().values()) == 1


def test_two_that_start_at_the_same_moment(open_zine: Callable[..., Any]) -> None:
    """Both find no mark and write one: whoever looks finds that the first one in the folder serves."""
    mine, other = open_zine(), open_zine()
    mine.writes(ANNA)
    other.proxy.at(b"APPEND", proxy.first(mine.one_pass))
    assert OTHERS.fullmatch(ends(other))
    assert (sum(mine.answers().values()), other.answers()) == (1, {})
    assert len(mine.mails("GM/Owner")) == 2
    for _ in range(2):
        mine.proxy.cut_all()
        assert mine.one_pass().troubles == []
        assert OTHERS.fullmatch(ends(other))


def takes_the_mailbox(zine: Any) -> None:
    """Delete the mark with a mail program, as the sentence says, and let this service be the next one to look."""
    with zine.somebody() as client:
        client.select_folder("GM/Owner")
        client.delete_messages(client.search())
        client.expunge()
    assert zine.one_pass().troubles == []


def test_taking_over(open_zine: Callable[..., Any]) -> None:
    """The new owner reads at once; the old one stops at its next connection, and can take the mailbox back."""
    mine, other = open_zine(), open_zine()
    mine.one_pass()
    takes_the_mailbox(other)
    mine.proxy.cut_all()
    assert OTHERS.fullmatch(ends(mine))
    takes_the_mailbox(mine)
    other.proxy.cut_all()
    assert OTHERS.fullmatch(ends(other))


def test_a_lasting_connection_notices_in_its_next_pass(open_zine: Callable[..., Any]) -> None:
    """The old owner asks in each pass whether the marks' folder has changed, and reads the marks only if it has."""
    mine, other = open_zine(), open_zine()
    mine.one_pass()
    mine.one_pass()
    looks, asked = len(mine.proxy.asked(b"EXAMINE")), len(mine.proxy.asked(b"STATUS"))
    for _ in range(3):
        assert mine.one_pass().troubles == []
    assert len(mine.proxy.asked(b"EXAMINE")) == looks
    assert len(mine.proxy.asked(b"STATUS")) == asked + 3
    takes_the_mailbox(other)
    assert OTHERS.fullmatch(ends(mine))


def test_a_server_that_hides_the_change_is_not_believed_for_long(open_zine: Callable[..., Any]) -> None:
    """Where STATUS always says the same, the marks are read after five minutes all the same."""
    mine, other = open_zine(), open_zine()
    mine.one_pass()
    mine.proxy.alter = lambda data: re.sub(rb"(MESSAGES|UIDNEXT) \d+", rb"\1 1", data)
    mine.one_pass()
    takes_the_mailbox(other)
    assert mine.one_pass().troubles == []
    mine.app.inbox._claim._read_at -= ownership_marks.RECHECK_SECONDS
    assert OTHERS.fullmatch(ends(mine))
    assert ownership_marks.RECHECK_SECONDS <= 300


def test_a_deleted_mark_is_written_again(open_zine: Callable[..., Any]) -> None:
    """Somebody deletes the mark, or the whole folder: the service that runs marks the mailbox anew."""
    zine = open_zine()
    zine.one_pass()
    for _ in range(2):
        with zine.somebody() as client:
            client.delete_folder("GM/Owner")
        zine.proxy.cut_all()
        assert zine.one_pass().troubles == []
        assert len(zine.mails("GM/Owner")) == 1


def is_copy_of(copy: Any, zine: Any) -> None:
    """Make a database one and the same as another's by what marks a mailbox."""
    with zine.app.database.read() as session:
        here = zine_queries.zine(session)
    with copy.app.database.write() as session:
        there = zine_queries.zine(session)
        there.incarnation, there.former = here.incarnation, here.former


def is_restored_from(copy: Any, zine: Any) -> None:
    """Make a database a restored copy of another."""
    is_copy_of(copy, zine)
    with copy.app.database.write() as session:
        zine_queries.draw_incarnation(session)


def test_the_mark_survives_a_new_numbering(open_zine: Callable[..., Any]) -> None:
    """A database of the same incarnation is the owner, also under another UIDVALIDITY, if no copy was restored."""
    mine, restored = open_zine(), open_zine()
    mine.one_pass()
    is_copy_of(restored, mine)
    restored.proxy.alter = lambda data: re.sub(rb"UIDVALIDITY \d+", b"UIDVALIDITY 77", data)
    assert restored.one_pass().troubles == []
    assert len(mine.mails("GM/Owner")) == 1


def test_a_mailbox_that_can_not_be_marked_is_served_all_the_same(open_zine: Callable[..., Any]) -> None:
    """Full, or without the right to write: the game goes on; as soon as it is possible the mark is there."""
    zine = open_zine()
    zine.proxy.at(b"APPEND", proxy.answer(b"NO [OVERQUOTA] full"), times=None)
    zine.writes(ANNA)
    assert zine.one_pass().troubles == []
    assert sum(zine.answers().values()) == 1
    zine.proxy.behave()
    zine.proxy.cut_all()
    zine.one_pass()
    assert len(zine.mails("GM/Owner")) == 1


def test_a_restored_copy_takes_over(open_zine: Callable[..., Any]) -> None:
    """With its first look; the service before it ends with its next pass, and its mails are left for the new one."""
    old, new = open_zine(), open_zine()
    old.one_pass()
    old.one_pass()
    is_restored_from(new, old)
    assert new.one_pass().troubles == []
    assert len(old.mails("GM/Owner")) == 2
    old.writes(ANNA)
    looked = len(old.proxy.asked(b"SELECT"))
    for _ in range(2):
        with pytest.raises(NotOurs, match="is served by a restored copy of this database"):
            old.loop.one_pass()
    assert len(old.proxy.asked(b"SELECT")) == looked
    assert (old.statuses(), old.answers(), len(old.mails("INBOX"))) == ([], {}, 1)
    assert new.one_pass().received == 1
    assert sum(new.answers().values()) == 1


def test_who_has_served_is_decided_by_order_alone() -> None:
    """The first mark counts, and each that follows one that counts, also where one between them was deleted."""

    def mark(uid: int, *before: int) -> Mark:
        raw = ownership.write_mark(replace(ME, id=id_of_zine(uid)), "INBOX", NOW, map(id_of_zine, before))
        found = ownership.read_mark(uid, raw)
        assert found
        return found

    first, stranger, second, third = mark(1), mark(2), mark(3, 1), mark(4, 1, 3)
    for marks, served in (
        ([third, second, stranger, first], [1, 3, 4]),
        ([stranger, second, first], [1, 3]),
        ([first, stranger, third], [1, 4]),
        ([stranger, third], [2]),
        ([third], [4]),
        ([], []),
    ):
        assert [one.uid for one in ownership.served_by(marks, "INBOX")] == served
    assert ownership.served_by([first], "Other") == []


@pytest.mark.parametrize("command", [b"UID FETCH", b"STATUS"])
def test_overtaken_between_the_look_and_the_commit(open_zine: Callable[..., Any], command: bytes) -> None:
    """The mark is looked at again before anything that was fetched is stored."""
    old, new = open_zine(), open_zine()
    old.one_pass()
    old.one_pass()
    is_restored_from(new, old)
    old.writes(ANNA)
    old.proxy.at(command, proxy.first(new.one_pass))
    with pytest.raises(NotOurs):
        old.loop.one_pass()
    assert (old.statuses(), sum(old.answers().values()), sum(new.answers().values())) == ([], 0, 1)
    assert len(old.mails("GM/Processed")) == 1


def test_a_change_beside_the_mark_disturbs_nothing(open_zine: Callable[..., Any]) -> None:
    """When the marks are read in the middle of a pass, the folder of the players' mails is open again afterwards."""
    zine = open_zine()
    zine.one_pass()
    zine.one_pass()

    def something_comes() -> None:
        with zine.somebody() as client:
            client.append("GM/Owner", b"Subject: hello\r\n\r\n")

    zine.writes(ANNA)
    zine.proxy.at(b"UID FETCH", proxy.first(something_comes))
    assert zine.one_pass().troubles == []
    assert sum(zine.answers().values()) == 1
    assert (len(zine.mails("INBOX")), len(zine.mails("GM/Processed")), len(zine.mails("GM/Owner"))) in (
        (0, 1, 2), (1, 1, 2),  # without UIDPLUS the mail stays, marked as deleted
    )  # fmt: skip


def test_a_copy_that_can_not_tell_the_old_one_waits(open_zine: Callable[..., Any]) -> None:
    """Where the old mark can't be replaced both would serve: the copy reads nothing until it can, and says why."""
    old, new = open_zine(), open_zine()
    old.one_pass()
    is_restored_from(new, old)
    new.proxy.at(b"APPEND", proxy.answer(b"NO [OVERQUOTA] full"), times=None)
    old.writes(ANNA)
    assert re.fullmatch(
        r"The service on host \S+ \(mark of .* UTC\), whose database was restored here, can't be told to end, as no "
        r"mark can be written into the folder GM/Owner \(.*full.*\): make that possible, or end it and delete its "
        r"mark; until then no mail is read\.",
        new.trouble(),
    )
    assert (new.statuses(), len(old.mails("INBOX"))) == ([], 1)
    new.proxy.behave()
    assert new.one_pass().received == 1


def test_two_folders_of_one_mailbox_are_two_services(open_zine: Callable[..., Any]) -> None:
    """One zine reads INBOX, another the folder that a rule of the mailbox fills: they don't disturb each other."""
    one, other = open_zine(), open_zine(folder="Zwei")
    with one.somebody() as client:
        client.create_folder("Zwei")
    assert one.one_pass().troubles == []
    assert other.one_pass().troubles == []
    one.proxy.cut_all()
    assert one.one_pass().troubles == []


# -- what it looks like ------------------------------------------------------------------------------------------------

ME = Owner(id=id_of_zine(1), name="Ärger & Söhne", address="zug@postspiel.example", host="host.example")
THEM = replace(ME, id=id_of_zine(2))


def test_the_mark_explains_itself_and_tells_no_secret(running: Callable[..., Story]) -> None:
    """The mark says in German and English what it is and not to delete it."""
    story = running()
    with story.app.database.read() as session:
        secret = zine_queries.zine(session).secret
    me = owner_of(story.app.settings, story.app.database)
    raw = ownership.write_mark(me, "INBOX", story.now)
    mail = message_from_bytes(raw, policy=default)
    text = mail.get_content()
    for words in (me.name, me.host, "2026-11-0", "don't delete it", "nicht löschen"):
        assert words in text
    assert me.id in mail["Message-ID"]
    assert secret not in raw.decode()


def test_a_mark_is_read_as_it_was_written(running: Callable[..., Story]) -> None:
    """Names of any length come back whole: a mark that isn't known again would be written anew in each pass."""
    me, before = (
        replace(ME, name="Äußerst öde Übungen im Spätherbst " * 3),
        {id_of_zine(number) for number in range(99)},
    )
    folder = "Post/Züge für die Übungen im Spätherbst und im Frühjahr"
    found = ownership.read_mark(7, ownership.write_mark(me, folder, running().now, before))
    assert found
    assert ownership.served_by([found], folder) == [found]
    assert (found.id, found.before, found.host) == (me.id, before, me.host)
    assert found.name == me.name[:60].strip()


def test_a_mark_among_the_players_mails_is_ignored(running: Callable[..., Story]) -> None:
    """Should somebody drag a mark into the inbox, ours or another service's, nobody is answered."""
    story = running()
    for one in (ME, THEM):
        raw = ownership.write_mark(one, "INBOX", story.now)
        house = story.app.settings.service.address
        assert mark_of(read_mail(raw), own_address=house, is_ours=lambda _: False)
        story.arrives(raw)
    assert story.tick().received == 2
    assert story.mails() == []


@pytest.mark.parametrize(
    ("header", "host", "since"),
    [
        (b"X-GM-Host: \x1b[31mevil\r\n", "31mevil", "an unknown date"),
        (b"X-GM-Host: \xff\xfe\r\nX-GM-Since: gestern\r\n", None, "an unknown date"),
        (b"X-GM-Since: 2026-11-02T12:00\r\n", "an unknown host", "2026-11-02 12:00 UTC"),
        (b"X-GM-Name: %1b[31mevil%0a\r\nX-GM-Before: \xff ../../etc\r\n", None, "an unknown date"),
    ],
)
def test_what_stands_in_a_mark_is_not_trusted(header: bytes, host: str | None, since: str) -> None:
    """Whatever a mark says of itself, a terminal can show it; a mail that is none is none."""
    mark = ownership.read_mark(1, b"X-GM-Owner: " + ME.id.encode() + b"\r\n" + header + b"\r\n")
    assert mark is not None
    assert mark.host.isascii()
    assert mark.host.isprintable()
    assert host is None or mark.host == host
    assert mark.since == since
    assert mark.name.isprintable()
    assert mark.before == frozenset()
    assert ownership.read_mark(1, b"Subject: hello\r\n\r\n") is None
    assert ownership.read_mark(1, b"X-GM-Owner: ../../etc\r\n\r\n") is None


def test_the_twin_in_memory_has_owners_too() -> None:
    """Stories with two databases on one mailbox can be told without a server."""
    server = MemoryServer()
    mine, other = MemoryInbox(server, owner=lambda: ME), MemoryInbox(server, owner=lambda: THEM)
    assert mine.waiting().uids == ()
    with pytest.raises(NotOurs, match="served by another database"):
        other.waiting()
    assert [check.status for check in other.check()] == ["ok", "fail"]
    server.folders["GM/Owner"].clear()
    assert other.waiting().uids == ()
    with pytest.raises(NotOurs, match="served by another database"):
        mine.move([1], "processed")


# -- commands ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def zines(embedded: MailServer, tmp_path: Path) -> list[Path]:
    """Two configs on one mailbox, each with a database of its own."""
    account = f"gm{next(_numbers)}@local.test"
    login = {"username": account, "password": "secret", "port": embedded.imap_port}
    more = {"service": {"address": account}, "imap": login, "smtp": {"port": embedded.smtp_port}}
    configs = [write_config(tmp_path / name, more=more) for name in ("one", "two")]
    become_another(configs[1])
    return configs


def test_the_commands_tell(zines: list[Path]) -> None:
    """`gm serve`, `gm status` and `gm doctor` name the trouble."""
    one, two = map(str, zines)

    def gm(*words: str) -> tuple[int, str]:
        ran = CliRunner().invoke(cli, list(words))
        return ran.exit_code, " ".join(f"{ran.output} {ran.exception or ''}".split())

    assert gm("serve", "--once", "--config", one)[0] == 0
    assert "served by another database" not in gm("status", "--config", one)[1]
    code, told = gm("serve", "--once", "--config", two)
    assert code != 0
    assert "is served by another database" in told
    shown = gm("status", "--config", two)[1]
    assert shown.startswith("Somebody should look: The mailbox")
    assert "served by another database" in shown
    assert "fail IMAP owner: The mailbox" in gm("doctor", "--config", two)[1]
    assert "ok IMAP owner: This database has served the mailbox since" in gm("doctor", "--config", one)[1]
