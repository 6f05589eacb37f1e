"""`gm doctor` on senders: which authentication results the provider adds, and which of them can be trusted."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import zines

from gm.demo.in_memory_zine import GM_ADDRESS, PLAYERS, address_of, write_config
from gm.requests.sender_check.provider_results import check_senders
from gm.runtime.config.settings import load
from gm.runtime.errors import ConfigError
from gm.service.setup.providers import PROVIDERS, provider_of_server
from gm.service.setup.zine_setup import examine

prepared_zines, opener, begin = zines.prepared_zines, zines.opener, zines.begin
numbers = itertools.count(1)
PASS = "dmarc=pass header.from=spieler.example"
RECEIVED = "Received: from mail.spieler.example by mx.example.org; now\r\n"


def ar(text: str) -> str:
    """Write a field of the provider's."""
    return f"Authentication-Results: {text}\r\n"


def looks(zine: Any, below: tuple[str, ...] = (), **security: Any) -> tuple[str, str]:
    """Return what the doctor says about senders."""
    with zine.app.database.read() as session:
        _, status, says = check_senders(session, zine.app.settings.security.model_copy(update=security), below)
    return status, says


def told(zine: Any, *fields: str) -> None:
    """Let players write, one mail with each of these above From."""
    for field, name in zip(fields, itertools.cycle(PLAYERS), strict=False):
        head = f"{field}{RECEIVED}From: {address_of(name)}\r\nTo: {GM_ADDRESS}\r\nSubject: x\r\n"
        zine.arrives(f"{head}Message-ID: <{next(numbers)}@a.example>\r\n\r\nStand Eriwan\r\n".encode())
    zine.tick()


def test_the_doctor_proposes_authenticated(begin: Callable[..., Any]) -> None:
    """Where every player's mail carries a pass by one name, the doctor says what to write; no forger's name."""
    zine = begin("started")
    assert looks(zine) == (
        "ok",
        'sender = "address"; after a few mails by players this says what your provider checks.',
    )
    real = ar(f"mx.example.org; {PASS}")
    told(zine, real, ar(f"aaa.example; {PASS}") + real, real, real)
    status, says = looks(zine)
    assert status == "ok"
    assert 'sender = "authenticated", trusted_authserv = ["mx.example.org"]' in says


@pytest.mark.parametrize(
    ("fields", "proposed"),
    [
        ([ar(f"a{n}.v2.mail.example; {PASS}") for n in range(4)], '["*.v2.mail.example"]'),
        ([ar(PASS)] * 4, '["no-id"]'),
        ([ar("bimi.icloud.example; bimi=none") + ar(f"dmarc.icloud.example; {PASS}")] * 4, '["dmarc.icloud.example"]'),
    ],
    ids=["vary", "no id", "several"],
)  # fmt: skip
def test_the_doctor_learns_other_shapes(begin: Callable[..., Any], fields: list[str], proposed: str) -> None:
    """Varying names become a pattern, a missing one `no-id`; of several only those that prove something are named."""
    zine = begin("started")
    told(zine, *fields)
    assert f"trusted_authserv = {proposed}" in looks(zine)[1]


def test_the_doctor_knows_who_writes_below(begin: Callable[..., Any]) -> None:
    """Beneath Received a name is proposed of the mailbox's own provider alone, if that is known to write there."""
    zine = begin("started")
    told(zine, *[f"{RECEIVED}{ar(f'mx.google.com; {PASS}')}"] * 4)
    assert "trusted_authserv = [" not in looks(zine)[1]
    assert (
        'trusted_authserv = ["mx.google.com below"]'
        in looks(zine, below=provider_of_server("imap.gmail.com").below.split())[1]
    )
    assert "trusted_authserv = [" not in looks(zine, below=provider_of_server("imap.mail.me.com").below.split())[1]
    assert looks(zine, sender="authenticated", trusted_authserv=("mx.google.com",))[0] == "warn"
    assert looks(zine, sender="authenticated", trusted_authserv=("mx.google.com below",))[0] == "ok"


def test_the_doctor_warns_where_nothing_can_pass(begin: Callable[..., Any]) -> None:
    """With `authenticated`, a name that no mail carries is a warning, with the name that they do carry."""
    zine = begin("started")
    told(zine, *[ar(f"mx.example.org; {PASS}")] * 4)
    status, says = looks(zine, sender="authenticated", trusted_authserv=("mx.other.example",))
    assert status == "warn"
    assert '["mx.example.org"]' in says
    assert looks(zine, trusted_authserv=("mx.other.example",))[0] == "ok"  # it proposes the better
    assert looks(zine, sender="authenticated", trusted_authserv=("mx.example.org",))[0] == "ok"


def test_the_doctor_does_not_propose_what_some_lack(begin: Callable[..., Any]) -> None:
    """Where some mails carry no pass, `authenticated` is not proposed; only a name that none carries is a warning."""
    zine = begin("started")
    told(zine, ar(f"mx.example.org; {PASS}"), "", ar(f"mx.example.org; {PASS}"), ar("mx.example.org; spf=pass"))
    assert "trusted_authserv = [" not in looks(zine)[1]
    assert looks(zine)[0] == looks(zine, trusted_authserv=("mx.example.org",))[0] == "ok"
    status, says = looks(zine, trusted_authserv=("mx.other.example",))
    assert (status, "names mx.other.example" in says) == ("warn", True)


@pytest.mark.parametrize(
    ("entry", "is_one"),
    [("mx.example.org", True), ("*.mail.example", True), ("mx*.mail.example", True), ("no-id", True),
     ("MX.Example.ORG", True), ("localhost", True), ("*", False), ("*.example", False),
     ("mail.*", False), ("mx.*.example", False), ("", False),
     ("mx.google.com below", True), ("*.mail.example below", True), ("no-id below", True), ("below", True),
     ("a b", False), ("mx.example.org above", False), ("mx.example.org below below", False), ("* below", False),
     ("*.example below", False), ("mx.example.orgbelow x", False), ("https://mx.example.org", False)],
)  # fmt: skip
def test_what_may_be_trusted(tmp_path: Path, entry: str, is_one: bool) -> None:
    """An entry is a server name, with stars only left of its domain, or `no-id`; what matches anybody is refused."""
    config = write_config(tmp_path, more={"security": {"trusted_authserv": [entry]}})
    if is_one:
        assert load(config).security.trusted_authserv == (entry.lower(),)
    else:
        with pytest.raises(ConfigError, match="trusted_authserv"):
            load(config)


def test_what_is_known_of_providers_may_be_trusted(tmp_path: Path) -> None:
    """Every name in the table of providers is one that config.toml takes, and the big ones with hops are in it."""
    known = [f"{name} below" for provider in PROVIDERS for name in provider.below.split()]
    config = write_config(tmp_path, more={"security": {"trusted_authserv": known}})
    assert load(config).security.trusted_authserv == tuple(known)
    assert {one.name for one in PROVIDERS if one.below} >= {"Gmail", "iCloud", "Fastmail", "Yahoo"}


def test_the_doctor_looks_at_senders(begin: Callable[..., Any]) -> None:
    """`gm doctor` has a line about senders."""
    zine = begin("started")
    assert [status for name, status, _ in examine(zine.config) if name == "sender"] == ["ok"]
