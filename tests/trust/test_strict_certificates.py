"""Certificates that Python 3.13 refuses and older versions accept: a GM with a private CA reads what to do."""

import contextlib
import socket
import ssl
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from certificates import AUTHORITY, NONE, SERVER, Extensions, authority
from eavesdropper import TRIES, WAYS, Listener, refused, trusting
from typer.testing import CliRunner

from gm.cli.commands import cli
from gm.demo.in_memory_zine import write_config
from gm.runtime.network import STRICT_CODES, explain_network

STRICT_BY_ITSELF = sys.version_info >= (3, 13)
only_strict = pytest.mark.skipif(not STRICT_BY_ITSELF, reason="Python 3.13 is the first that refuses such certificates")

SERVING: Extensions = {**SERVER, "subjectAltName": "IP:127.0.0.1"}
# Version 1 for 3, SHA-384 for SHA-256: openssl writes no such nonsense, so it is put in afterwards.
OTHER_VERSION = (bytes.fromhex("a003020102"), bytes.fromhex("a003020100"))
OTHER_ALGORITHM = (bytes.fromhex("2a8648ce3d040302"), bytes.fromhex("2a8648ce3d040303"))


@dataclass(frozen=True, kw_only=True)
class Case:
    """A CA and the server's certificate; one of both isn't as RFC 5280 wants it, and the sentence says `told`."""

    told: str
    ca: Extensions = field(default_factory=lambda: AUTHORITY)
    ca_subject: str = "/CN=authority"
    server: Extensions = field(default_factory=lambda: SERVING)
    subject: str = "/CN=server"
    swapped: tuple[bytes, bytes] | None = None

    def make(self, folder: Path) -> tuple[Path, Path]:
        """Return the certificate to trust, and the server's."""
        one = authority(folder, self.ca, subject=self.ca_subject)
        certificate = one.sign("server", self.server, subject=self.subject)
        if self.swapped:
            der = ssl.PEM_cert_to_DER_cert(certificate.read_text())
            assert self.swapped[0] in der
            certificate.write_text(ssl.DER_cert_to_PEM_cert(der.replace(*self.swapped, 1)))
        return one.certificate, certificate


CASES = {
    78: Case(told="two different signature algorithms", swapped=OTHER_ALGORITHM),
    79: Case(told="the CA behind it lacks the extension basicConstraints", ca={**AUTHORITY, "basicConstraints": ""}),
    80: Case(told="has a path length (pathlen)", server={**SERVING, "basicConstraints": "CA:FALSE,pathlen:0"}),
    81: Case(told="lacks keyCertSign", server={**SERVING, "basicConstraints": "critical,CA:TRUE,pathlen:0"}),
    82: Case(told="has keyCertSign", server={**SERVING, "keyUsage": "critical,digitalSignature,keyCertSign"}),
    83: Case(told="the CA behind it has no name", ca_subject="/"),
    84: Case(told="it has no name", server=SERVER, subject="/"),
    85: Case(told="lacks the extension authorityKeyIdentifier", server={**SERVING, "authorityKeyIdentifier": NONE}),
    86: Case(
        told="the CA behind it lacks the extension subjectKeyIdentifier",
        ca={**AUTHORITY, "subjectKeyIdentifier": NONE},
        server={**SERVING, "authorityKeyIdentifier": "DER:30:06:80:04:01:02:03:04"},
    ),
    87: Case(told="subjectAltName is empty", server={**SERVER, "subjectAltName": "DER:30:00"}),
    88: Case(told="subjectAltName is not marked critical", subject="/"),
    89: Case(told="basicConstraints, but not marked critical", ca={**AUTHORITY, "basicConstraints": "CA:TRUE"}),
    92: Case(told="the CA behind it lacks the extension keyUsage", ca={**AUTHORITY, "keyUsage": ""}),
    93: Case(told="without being of version 3", swapped=OTHER_VERSION),
}
OFTEN = (85, 89, 92)
"""What CAs of somebody's own mostly lack."""


def strictly(ca: Path, port: int) -> ssl.SSLCertVerificationError:
    """Connect as Python 3.13 does of itself; returns the refusal."""
    context = ssl.create_default_context(cafile=ca)
    context.verify_flags |= ssl.VERIFY_X509_STRICT
    plain = socket.create_connection(("127.0.0.1", port), 10)
    with plain, pytest.raises(ssl.SSLCertVerificationError) as raised:
        context.wrap_socket(plain, server_hostname="127.0.0.1")
    return raised.value


def is_complete(sentence: str, case: Case) -> bool:
    """Whether it says what is wrong, for whom, and what to do."""
    return (
        "its certificate is not trusted" in sentence
        and case.told in sentence
        and "which Python 3.13 and newer refuse" in sentence
        and "made anew" in sentence
    )


def test_every_strict_refusal_is_tried() -> None:
    """No sentence is without a certificate that it is about."""
    assert CASES.keys() == STRICT_CODES


@pytest.mark.parametrize("code", CASES)
def test_each_refusal_is_worded(code: int, tmp_path: Path) -> None:
    """Each thing that strict verification refuses is told as that, and not as a wrong host or an unknown CA."""
    ca, certificate = CASES[code].make(tmp_path)
    with trusting(ca), Listener("imap", certificate=certificate) as listener:
        error = strictly(ca, listener.port)
        assert error.verify_code == code
        sentence = explain_network(error)
    assert sentence
    assert is_complete(sentence, CASES[code]), sentence
    assert error.verify_message.rstrip(".") in sentence
    assert "set host" not in sentence


def test_a_ca_made_as_the_sentence_says(tmp_path: Path) -> None:
    """What is to be done about a CA works: that is how the tests' own good one is made."""
    ca, certificate = CASES[92].make(tmp_path)
    with trusting(ca), Listener("imap", certificate=certificate) as listener:
        sentence = explain_network(strictly(ca, listener.port))
    assert sentence
    assert all(f"{name} = {value}" in sentence for name, value in AUTHORITY.items())
    assert f"authorityKeyIdentifier = {SERVER['authorityKeyIdentifier']}" in sentence


@only_strict
@pytest.mark.parametrize(("name", "security"), WAYS)
@pytest.mark.parametrize("code", OFTEN)
def test_whatever_connects_says_it(code: int, name: str, security: str, tmp_path: Path) -> None:
    """Reading, waiting, sending and asking for a token end with the sentence, before anything is told."""
    protocol, attempt = TRIES[name]
    ca, certificate = CASES[code].make(tmp_path)
    with trusting(ca), Listener(protocol, certificate=certificate, how=security) as listener:
        with refused(listener) as raised:
            attempt(listener.port, security)
        sentence = str(raised.value)
        assert is_complete(sentence, CASES[code]), sentence
        assert f"127.0.0.1:{listener.port}" in sentence or name == "token"


@only_strict
def test_the_doctor_says_it(tmp_path: Path) -> None:
    """`gm doctor` tells it of both servers, with their places."""
    ca, certificate = CASES[92].make(tmp_path / "ca")
    with contextlib.ExitStack() as stack:
        stack.enter_context(trusting(ca))
        ports: dict[str, Any] = {
            kind: stack.enter_context(Listener(kind, certificate=certificate)).port for kind in ("imap", "smtp")
        }
        more = {kind: {"host": "127.0.0.1", "port": port, "security": "tls"} for kind, port in ports.items()}
        config = write_config(tmp_path / "zine", more=more)
        said = CliRunner().invoke(cli, ["doctor", "--config", str(config)]).output
    for kind, port in ports.items():
        lines = [line for line in said.splitlines() if f"127.0.0.1:{port}" in line]
        assert lines, said
        assert all(line.startswith(f"fail  {kind.upper()}") and is_complete(line, CASES[92]) for line in lines), said
