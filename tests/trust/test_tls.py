"""TLS is verified or there is no connection: a man in the middle gets no password and no mail."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from certificates import DAYS, PAST, SERVER, authority
from eavesdropper import FAILURES, PASSWORD, TRIES, USER, WAYS, Listener, refused, trusting

from gm.runtime.config.settings import ImapSettings, Secret, SmtpSettings
from gm.transport.imap.inbox import Inbox
from gm.transport.smtp.outbox import Outbox

CERTIFICATES = {
    "right": "IP:127.0.0.1",
    "wrong name": "DNS:other.example.org",
    "expired": "IP:127.0.0.1",
    "self-signed": "IP:127.0.0.1",
}
BAD = [name for name in CERTIFICATES if name != "right"]


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an authority and the certificates that a server may show."""
    folder = tmp_path_factory.mktemp("certificates")
    ca = authority(folder)
    for name, alternative in CERTIFICATES.items():
        extensions = {**SERVER, "subjectAltName": alternative}
        if name == "self-signed":
            ca.self_sign(name, extensions)
        else:
            ca.sign(name, extensions, dates=PAST if name == "expired" else DAYS)
    return folder


@pytest.fixture(autouse=True)
def trusted(certificates: Path) -> Iterator[None]:
    """This machine trusts the authority: a certificate is refused for its own fault only."""
    with trusting(certificates / "ca.crt"):
        yield


@pytest.mark.parametrize(("name", "security"), WAYS)
@pytest.mark.parametrize("fault", BAD)
def test_a_bad_certificate(fault: str, name: str, security: str, certificates: Path) -> None:
    """A certificate by nobody we trust, for another server or out of date ends it, before anything is told."""
    protocol, attempt = TRIES[name]
    with Listener(protocol, certificate=certificates / f"{fault}.crt", how=security) as listener:
        with refused(listener) as raised:
            attempt(listener.port, security)
        assert "its certificate is not trusted" in str(raised.value)


@pytest.mark.parametrize(("name", "security"), [way for way in WAYS if way[0] != "idle"])
def test_a_good_certificate(name: str, security: str, certificates: Path) -> None:
    """The same server with a right certificate gets the login: the refusals above are the certificate's doing."""
    protocol, attempt = TRIES[name]
    with Listener(protocol, certificate=certificates / "right.crt", how=security) as listener:
        with contextlib.suppress(*FAILURES):  # it is no whole server
            attempt(listener.port, security)
        assert listener.logins == 1
        assert listener.has_heard(PASSWORD)


@pytest.mark.parametrize("name", ["imap", "idle", "smtp"])
def test_starttls_taken_away(name: str) -> None:
    """Where somebody has taken the offer of STARTTLS out, there is no login without it."""
    protocol, attempt = TRIES[name]
    with Listener(protocol, certificate=None, how="none") as listener, refused(listener):
        attempt(listener.port, "starttls")


@pytest.mark.parametrize("name", TRIES)
def test_plain_text_on_an_encrypted_port(name: str) -> None:
    """Where TLS is wanted and plain text comes, nothing is said at all."""
    protocol, attempt = TRIES[name]
    with Listener(protocol, certificate=None, how="none") as listener, refused(listener) as raised:
        attempt(listener.port, "tls")
    said = str(raised.value)  # by whose words came first, its own or the server's
    assert "no encryption could be agreed on" in said or "the connection failed" in said or "broke off" in said


@pytest.mark.parametrize("name", ["imap", "idle", "smtp"])
def test_words_put_in_before_the_encryption(name: str, certificates: Path) -> None:
    """What was sent in plain text behind the answer to STARTTLS isn't taken for the server's own words.

    Those would forbid the login. It is made: with what the server has said behind the encryption.
    """
    protocol, attempt = TRIES[name]
    with Listener(protocol, certificate=certificates / "right.crt", how="injected") as listener:
        with contextlib.suppress(*FAILURES):
            attempt(listener.port, "starttls")
        assert listener.logins == 1


@pytest.mark.parametrize("name", ["imap", "smtp"])
def test_no_plain_text_to_other_machines(name: str) -> None:
    """Without encryption nothing but this machine is spoken to, whatever the settings say."""
    kind, use = (SmtpSettings, Outbox) if name == "smtp" else (ImapSettings, Inbox)
    one: Any = use(
        kind.model_construct(host="192.0.2.1", port=9, security="none", username=USER, password=Secret(PASSWORD))
    )
    assert [check.status for check in one.check()] == ["fail"]
