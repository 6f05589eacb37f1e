"""The outbox's contract, with the demo's server, Postfix, and misbehaving servers."""

import functools

import pytest

from gm.runtime.config.settings import Secret
from gm.runtime.errors import DeliveryError
from gm.transport.doubles.in_memory import MemoryOutbox
from gm.transport.smtp.letters import Letter
from gm.transport.smtp.outbox import Outbox
from parsers.addresses import is_address

RAW = (
    b"From: gm@local.test\r\nTo: anna@local.test\r\nSubject: Runde 3\r\nDate: Sun, 01 Nov 2026 20:00:00 +0100\r\n"
    b"Message-ID: <1@local.test>\r\n\r\n.dot first\r\n..\r\nlast line\r\n"
)


def letter(number, recipient="anna@local.test", raw=RAW, sender="gm@local.test"):
    """A letter to Anna unless told otherwise."""
    return Letter(id=number, sender=sender, recipient=recipient, raw=raw)


@pytest.fixture
def outbox_at(smtp_settings):
    """Make an outbox for a port; it is closed after the test."""
    outboxes = []

    def make(port, **others):
        outboxes.append(Outbox(smtp_settings(port, **others)))
        return outboxes[-1]

    yield make
    for outbox in outboxes:
        outbox.close()


OFFERS = {"one by one": b"250 scripted", "pipelining": b"250-scripted\r\n250-SIZE 1000000\r\n250 PIPELINING"}


@pytest.fixture(params=OFFERS)
def smtp_script(request):
    """Make an SMTP server that takes commands one by one, and one that takes several at once."""
    return functools.partial(make_smtp_script, offers=OFFERS[request.param])


def make_smtp_script(answer, *, greeting=b"220 ready", offers=b"250 scripted"):
    """An SMTP server: `answer(verb, line, number)` gives the answer, None for the usual one, b"" to hang up."""
    usual = {b"DATA": b"354 go on", b"QUIT": b"221 bye", b"EHLO": offers}

    def script(line, number):
        line.say(greeting)
        while True:
            heard = line.hear()
            verb = heard[:4].upper()
            reply = answer(verb, heard, number)
            if reply == b"":
                return
            line.say(reply or usual.get(verb, b"250 ok"))
            if verb == b"DATA" and not reply:
                while line.hear() != b".":
                    pass
                reply = answer(b".", heard, number)
                if reply == b"":
                    return
                line.say(reply or b"250 queued")

    return script


def willing(verb, line, number):
    """Answer everything as usual."""


def told(deliveries):
    """What became of the letters, one by one."""
    return list(deliveries)


def statuses(deliveries):
    """Number -> what became of it."""
    return {delivery.id: delivery.status for delivery in deliveries}


# One story for all


@pytest.fixture(params=["memory", "embedded", pytest.param("postfix", marks=pytest.mark.server)])
def posting(request, outbox_at):
    """An outbox that knows Anna and refuses everybody whose name begins with `no`."""
    if request.param == "memory":
        outbox = MemoryOutbox()
        outbox.refuse("nobody@local.test")
        return outbox
    server = request.getfixturevalue("embedded_server" if request.param == "embedded" else "postfix")
    return outbox_at(server.smtp_port)


def test_sent_and_refused(posting):
    """Each letter gets its own answer; one that is refused takes no other with it."""
    letters = [letter(1, "anna1@local.test"), letter(2, "nobody@local.test"), letter(3, "anna2@local.test")]
    deliveries = told(posting.send(letters))
    assert statuses(deliveries) == {1: "sent", 2: "refused", 3: "sent"}
    assert {delivery.id: delivery.code for delivery in deliveries} == {1: 250, 2: 550, 3: 250}
    assert all(delivery.at.tzinfo for delivery in deliveries)


def test_nothing_to_send(posting):
    """No letters, no deliveries."""
    assert told(posting.send([])) == []


def test_bad_addresses(posting):
    """What is not one plain address is refused before any server sees it: there, commands could be smuggled in."""
    bad = [
        "anna@local.test\r\nRCPT TO:<eve@local.test>",
        "anna@local.test, eve@local.test",
        "Anna <anna@local.test>",
        "änna@local.test",
        "anna",
        "@local.test",
        "",
    ]
    letters = [letter(number, address) for number, address in enumerate(bad)]
    letters.append(letter(99, sender="gm@local.test\r\nDATA"))
    assert set(statuses(told(posting.send(letters))).values()) == {"refused"}


def test_check_is_content(posting):
    """`gm doctor` finds nothing to complain about."""
    assert [check.status for check in posting.check()] == ["ok"]


@pytest.mark.parametrize("address", ["a@b", "anna.b+c@mail.example.org", "o'neil_x@xn--mller-kva.de"])
def test_good_addresses(address):
    """Plain ASCII addresses are fine."""
    assert is_address(address)


# Real servers


def test_bytes_arrive_unchanged(embedded_server, outbox_at):
    """The stored bytes arrive as they are, dots and 8-bit letters included, with the null sender too."""
    raw = RAW + "größer\r\n".encode()
    outbox = outbox_at(embedded_server.smtp_port)
    assert statuses(told(outbox.send([letter(1, "anna150@local.test", raw, sender="")]))) == {1: "sent"}
    assert embedded_server.mails("anna150@local.test") == [
        b"Return-Path: <>\r\nDelivered-To: anna150@local.test\r\n" + raw
    ]


def test_order_for_each_recipient(embedded_server, outbox_at):
    """Forty letters to four players: each gets theirs in order, whatever connection they took."""
    letters = [
        letter(number, f"anna{151 + number % 4}@local.test", b"Subject: %d\r\n\r\n" % number) for number in range(40)
    ]
    assert set(statuses(told(outbox_at(embedded_server.smtp_port).send(letters))).values()) == {"sent"}
    for player in range(4):
        mails = embedded_server.mails(f"anna{151 + player}@local.test")
        subjects = [int(raw.split(b"Subject: ")[1].split(b"\r\n")[0]) for raw in mails]
        assert subjects == list(range(player, 40, 4))


@pytest.mark.server
def test_through_postfix(postfix, outbox_at, eventually, dovecot_client):
    """A letter goes through Postfix and LMTP into the player's folder, bytes unchanged below the headers added."""
    assert statuses(told(outbox_at(postfix.smtp_port).send([letter(1, "anna-pf@local.test")]))) == {1: "sent"}
    with dovecot_client(postfix.imap_port, "anna-pf@local.test") as client:
        client.select_folder("INBOX")
        uids = eventually(lambda: client.noop() and client.search("ALL"))
        (found,) = client.fetch(uids, ["BODY.PEEK[]"]).values()
    assert found[b"BODY[]"].endswith(RAW)


# Servers that behave badly


def test_connections_are_kept(scripted, outbox_at, smtp_script):
    """One connection serves one send after the other, also for letters to many players."""
    with scripted.ScriptedServer(smtp_script(willing)) as server:
        outbox = outbox_at(server.port)
        for number in range(3):
            assert statuses(told(outbox.send([letter(number)]))) == {number: "sent"}
        assert server.connections == 1
        told(outbox.send([letter(number, f"p{number}@local.test") for number in range(12)]))
        assert server.connections == 1
        outbox.close()


def test_deferred_and_refused(scripted, outbox_at, smtp_script):
    """4xx means later, 5xx means never, wherever in the conversation it comes; the next letter goes through."""

    def answer(verb, line, number):
        for code in (b"451", b"552"):
            if verb == b"RCPT" and b"r" + code in line:
                return code + b" 4.7.1 at RCPT"
            if verb == b"MAIL" and b"m" + code in line:
                return code + b" at MAIL"
        return None

    letters = [
        letter(1, "r451@x.test"),
        letter(2, "r552@x.test"),
        letter(3, "p3@x.test", sender="m451@x.test"),
        letter(4, "p4@x.test", sender="m552@x.test"),
        letter(5, "p4@x.test"),
    ]
    with scripted.ScriptedServer(smtp_script(answer)) as server:
        deliveries = {delivery.id: delivery for delivery in told(outbox_at(server.port).send(letters))}
    assert statuses(deliveries.values()) == {1: "deferred", 2: "refused", 3: "deferred", 4: "refused", 5: "sent"}
    assert (deliveries[1].code, deliveries[1].message) == (451, "4.7.1 at RCPT")


@pytest.mark.parametrize("kind", ["over SMTP", "in memory"])
def test_nothing_overtakes_what_is_put_off(kind, scripted, outbox_at, smtp_script):
    """What stands behind a letter that is put off is left; a refusal holds up nobody, and other recipients go on."""
    letters = [letter(n, f"{name}@x.test") for n, name in enumerate(("later", "never", "later", "never", "anna"))]
    expected = {0: "deferred", 1: "refused", 3: "refused", 4: "sent"}
    if kind == "in memory":
        outbox = MemoryOutbox()
        outbox.defer("later@x.test")
        outbox.refuse("never@x.test")
        assert statuses(told(outbox.send(letters))) == expected
        return

    def answer(verb, line, number):
        codes = {b"later": b"451 busy", b"never": b"550 gone"}
        return next((codes[name] for name in codes if verb == b"RCPT" and name in line), None)

    with scripted.ScriptedServer(smtp_script(answer)) as server:
        assert statuses(told(outbox_at(server.port).send(letters))) == expected


def test_nothing_overtakes_what_was_put_off_and_not_noted(scripted, outbox_at, smtp_script):
    """Also where the caller could not take note of it, and hands it in again with what stands behind it."""
    heard = []

    def answer(verb, line, number):
        if verb == b"RCPT":
            heard.append(line)
        return b"451 busy" if verb == b"RCPT" and len(heard) == 1 else None

    with scripted.ScriptedServer(smtp_script(answer)) as server:
        outbox = outbox_at(server.port)
        next(first := outbox.send([letter(1), letter(2)]))
        first.close()
        assert statuses(told(outbox.send([letter(1), letter(2)]))) == {1: "deferred"}
        assert len(heard) == 1
        assert statuses(told(outbox.send([letter(1), letter(2)]))) == {1: "sent", 2: "sent"}


@pytest.mark.parametrize(("reply", "status"), [(b"452 full", "deferred"), (b"554 spam", "refused")])
def test_refused_after_data(scripted, outbox_at, reply, status, smtp_script):
    """The answer to the text itself counts."""
    with scripted.ScriptedServer(smtp_script(lambda verb, *_: reply if verb == b"." else None)) as server:
        assert statuses(told(outbox_at(server.port).send([letter(1)]))) == {1: status}


def test_dropped_after_data(scripted, outbox_at, smtp_script):
    """A letter whose answer was lost is tried again later, never in the same breath; the others go on."""

    def answer(verb, line, number):
        return b"" if verb == b"." and number == 0 else None

    with scripted.ScriptedServer(smtp_script(answer)) as server:
        deliveries = told(outbox_at(server.port).send([letter(n, f"p{n}@x.test") for n in (1, 2, 3)]))
        assert [delivery.id for delivery in deliveries] == [1, 2, 3]
        assert statuses(deliveries) == {1: "deferred", 2: "sent", 3: "sent"}
        assert server.connections == 2


def test_dropped_again_and_again(scripted, outbox_at, smtp_script):
    """A server that hangs up every time gets one more chance, then everything waits."""
    with scripted.ScriptedServer(smtp_script(lambda verb, *_: b"" if verb == b"." else None)) as server:
        deliveries = told(outbox_at(server.port).send([letter(n, f"p{n}@x.test") for n in range(6)]))
        assert set(statuses(deliveries).values()) == {"deferred"}
        assert len(deliveries) == 6
        assert server.connections == 2


def test_server_dies_midway(scripted, outbox_at, smtp_script):
    """If the server is gone for good after some letters, the rest waits and nothing is raised."""
    letters = [letter(number, f"p{number}@x.test") for number in range(24)]
    with scripted.ScriptedServer(smtp_script(willing)) as server:
        deliveries = outbox_at(server.port).send(letters)
        first = next(deliveries)
        server.__exit__()
        rest = told(deliveries)
    assert first.status == "sent"
    assert sorted(delivery.id for delivery in [first, *rest]) == list(range(24))
    assert rest[-1].status == "deferred"
    assert "nothing listens there" in rest[-1].message


def test_busy_server(scripted, outbox_at, smtp_script):
    """421 before a letter is the end of the connection, not of the letter: it goes over the next one."""
    sent = []

    def answer(verb, line, number):
        if verb == b"MAIL" and sent.count(number) == 2:
            return b"421 enough on this connection"
        if verb == b".":
            sent.append(number)
        return None

    with scripted.ScriptedServer(smtp_script(answer)) as server:
        assert set(statuses(told(outbox_at(server.port).send([letter(n) for n in range(5)]))).values()) == {"sent"}
        assert server.connections == 3


def test_kept_connection_gone_stale(scripted, outbox_at, smtp_script):
    """A kept connection that the server has closed meanwhile costs no letter."""

    def answer(verb, line, number):
        return b"" if verb == b"NOOP" and number == 0 else None

    with scripted.ScriptedServer(smtp_script(answer)) as server:
        outbox = outbox_at(server.port)
        assert statuses(told(outbox.send([letter(1)]))) == {1: "sent"}
        assert statuses(told(outbox.send([letter(2)]))) == {2: "sent"}
        assert server.connections == 2


def test_caller_stops(scripted, outbox_at, smtp_script):
    """If the caller stops, the rest is not sent."""
    accepted = []

    def answer(verb, line, number):
        if verb == b".":
            accepted.append(number)

    with scripted.ScriptedServer(smtp_script(answer)) as server:
        outbox = outbox_at(server.port)
        deliveries = outbox.send([letter(number, f"p{number}@x.test") for number in range(150)])
        next(deliveries)
        deliveries.close()
        assert len(accepted) == 1
        assert statuses(told(outbox.send([letter(99)]))) == {99: "sent"}


def test_nothing_runs_ahead(scripted, outbox_at, smtp_script):
    """No letter is sent before the caller has noted the one before."""
    accepted = []

    def answer(verb, line, number):
        if verb == b".":
            accepted.append(number)

    with scripted.ScriptedServer(smtp_script(answer)) as server:
        noted = 0
        for _ in outbox_at(server.port).send([letter(n, f"p{n}@x.test") for n in range(150)]):
            noted += 1
            assert len(accepted) == noted
    assert len(accepted) == noted == 150


def test_unreachable(scripted, outbox_at, smtp_script):
    """Nobody there: one sentence, no delivery, and it works as soon as somebody is."""
    with scripted.ScriptedServer(smtp_script(willing)) as server:
        port = server.port
    outbox = outbox_at(port)
    with pytest.raises(DeliveryError, match=rf"The SMTP server 127.0.0.1:{port} can't be used: nothing listens there"):
        told(outbox.send([letter(1)]))
    assert [check.status for check in outbox.check()] == ["fail"]


def test_unknown_host(outbox_at):
    """A name without address says so."""
    with pytest.raises(DeliveryError, match="address"):
        told(outbox_at(465, host="smtp.invalid", security="tls").send([letter(1)]))


def test_refused_login(scripted, outbox_at, smtp_script):
    """A wrong password is told as that, tried once only, and is not shown."""
    tried = []

    def answer(verb, line, number):
        if verb == b"AUTH":
            tried.append(line)
            return b"535 5.7.8 geheim-7 is wrong"
        return None

    script = smtp_script(answer, offers=b"250-scripted\r\n250 AUTH PLAIN")
    with scripted.ScriptedServer(script) as server:
        outbox = outbox_at(server.port, username="gm@local.test", password=Secret("geheim-7"))
        with pytest.raises(DeliveryError) as error:
            told(outbox.send([letter(number, f"p{number}@x.test") for number in range(8)]))
    assert "refused the login of gm@local.test" in str(error.value)
    assert "geheim-7" not in str(error.value)
    assert len(tried) == 1


def test_login_demanded(scripted, outbox_at, smtp_script):
    """A server that wants a login before mail is a matter for the GM, not a fault of the letters."""

    def answer(verb, line, number):
        return b"530 5.7.0 Authentication required" if verb == b"MAIL" else None

    with scripted.ScriptedServer(smtp_script(answer)) as server, pytest.raises(DeliveryError, match="username"):
        told(outbox_at(server.port).send([letter(1), letter(2, "bob@x.test")]))


def test_unwelcome(scripted, outbox_at, smtp_script):
    """A server that turns us away at the door is named with its words."""
    script = smtp_script(willing, greeting=b"554 your address is on a list")
    with scripted.ScriptedServer(script) as server, pytest.raises(DeliveryError, match="554 your address is on a list"):
        told(outbox_at(server.port).send([letter(1)]))


def test_starttls_is_never_optional(embedded_server, outbox_at):
    """Where encryption is wanted and not offered, nothing is sent."""
    with pytest.raises(DeliveryError, match="STARTTLS"):
        told(outbox_at(embedded_server.smtp_port, security="starttls").send([letter(1)]))


def test_tls_on_a_plain_port(embedded_server, outbox_at):
    """TLS on the wrong port says that port and security don't fit."""
    with pytest.raises(DeliveryError, match="port and security"):
        told(outbox_at(embedded_server.smtp_port, security="tls").send([letter(1)]))


def test_no_plain_text_over_the_network(outbox_at):
    """Without encryption only this machine is spoken to."""
    with pytest.raises(DeliveryError, match='use "tls" or "starttls"'):
        told(outbox_at(25, host="192.0.2.1").send([letter(1)]))


def test_memory_switches():
    """The twin can be down, refuse and defer, and keeps what it accepted in order."""
    outbox = MemoryOutbox()
    outbox.refuse("bad@x.test")
    outbox.defer("later@x.test")
    letters = [letter(1), letter(2, "bad@x.test"), letter(3, "later@x.test"), letter(4)]
    assert statuses(told(outbox.send(letters))) == {1: "sent", 2: "refused", 3: "deferred", 4: "sent"}
    assert [sent.id for sent in outbox.letters] == [1, 4]
    outbox.accept("later@x.test")
    assert statuses(told(outbox.send([letter(3, "later@x.test")]))) == {3: "sent"}
    outbox.is_down = True
    with pytest.raises(DeliveryError):
        told(outbox.send([letter(5)]))
