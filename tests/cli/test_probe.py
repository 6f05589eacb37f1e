"""`gm doctor --probe`: a provider that removes forged results, one that doesn't, and one that delivers nothing."""

import json
import re
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import select

from gm.demo.in_memory_zine import GM_ADDRESS, Story
from gm.reports.todo import waiting_for_gm
from gm.service.setup.forgery_probe import write_probe
from gm.store.tables import MailIn
from gm.transport.doubles.embedded_server import MailServer

PASSWORD = "hunter2-is-secret"
NO_LOGIN = {"username": None, "password": None}
HOP = b"Received: from a by b.example.org with LMTP id 2; now\r\n"
OWN = b"Authentication-Results: mx.example.org; dkim=none; dmarc=none\r\n"


class Provider(MailServer):
    """Writes what a provider writes on top of each mail, into a folder that it thinks right."""

    def __init__(self, makes: Callable[[bytes], bytes], folder: str = "INBOX") -> None:
        super().__init__({GM_ADDRESS: PASSWORD})
        self.makes, self.folder, self.came = makes, folder, list[bytes]()

    async def _append(self, user: str, raw: bytes, _folder: str, at: datetime) -> None:
        self.came.append(raw)
        if made := self.makes(raw):
            await super()._append(user, made, self.folder, at)


def removing(raw: bytes) -> bytes:
    """Take out all fields in the provider's own name."""
    return re.sub(rb"(?m)^Authentication-Results: mx\.example\.org.*\r\n(?:[ \t].*\r\n)*", b"", raw)


def _on_top(raw: bytes) -> bytes:
    """Write Received below all that the mail brought: nothing says then where the stranger's part begins."""
    head, end, body = raw.partition(b"\r\n\r\n")
    return head + b"\r\n" + HOP.rstrip() + end + body


WAYS: dict[str, tuple[Callable[[bytes], bytes], list[str], str, str]] = {
    "on top": (lambda raw: OWN + HOP + raw, ["mx.example.org"], "ok", '"mx.example.org" can be trusted'),
    "on top, removing": (lambda raw: OWN + HOP + removing(raw), ["mx.example.org"], "ok", "forged ones are removed"),
    "on top, said to be below": (lambda raw: OWN + HOP + raw, ["mx.example.org below"], "warn", '"mx.example.org" can'),
    "below, removing": (
        lambda raw: HOP + OWN + HOP + removing(raw), ["mx.example.org below"], "ok", '"mx.example.org below" can be'),
    "below, removing, said to be on top": (
        lambda raw: HOP + OWN + removing(raw), ["mx.example.org"], "warn", '"mx.example.org below" can be trusted'),
    "below, not removing, said to be below": (
        lambda raw: HOP + OWN + raw, ["mx.example.org below"], "fail", "it can't be trusted"),
    "below, not removing": (lambda raw: HOP + OWN + raw, ["mx.example.org"], "warn", "it can't be trusted"),
    "writes nothing, not removing": (lambda raw: HOP + raw, ["mx.example.org below"], "fail", "forged findings would"),
    "writes nothing, not removing, on top": (lambda raw: HOP + raw, ["mx.example.org"], "warn", "forged ones survive"),
    "forged ones end up on top": (lambda raw: _on_top(raw), ["mx.example.org"], "fail", "would count"),
    "a house's made-up server": (lambda raw: HOP + raw, ["*.example.org below"], "fail", "would count"),
    "no Received": (lambda raw: OWN + raw, ["mx.example.org"], "warn", "no Received field"),
    "nobody trusted, on top": (lambda raw: OWN + HOP + raw, [], "ok", '"mx.example.org" can be trusted'),
    "nobody trusted, below": (lambda raw: HOP + OWN + raw, [], "warn", 'put "mx.example.org below" into'),
    "nobody writes": (lambda raw: HOP + raw, [], "warn", "no Authentication-Results"),
}  # fmt: skip
"""What a provider makes of a mail, whom config.toml trusts, and what the line says."""


@pytest.fixture
def running_story(tmp_path: Path) -> Iterator[Story]:
    """A zine that trusts a server."""
    story = Story(tmp_path, more={"security": {"trusted_authserv": ["mx.example.org"]}})
    yield story
    story.close()


def line_of(checks: list[dict[str, str]]) -> dict[str, str]:
    """Return the line of the probe."""
    (found,) = [check for check in checks if check["check"] == "probe"]
    return found


@pytest.mark.parametrize("way", WAYS)
def test_what_the_provider_makes_of_it(make_shell: Any, way: str) -> None:
    """One line says whom to trust, and how; the mail is gone from the mailbox then."""
    makes, trusted, status, says = WAYS[way]
    with Provider(makes) as server:
        gm = make_shell(
            imap={"port": server.imap_port}, smtp={"port": server.smtp_port, **NO_LOGIN},
            security={"trusted_authserv": trusted},
        )  # fmt: skip
        ran = gm.run("doctor", "--probe", "--json", "--config", str(gm.config))
        left = server.mails(GM_ADDRESS)
    found = line_of(json.loads(ran.out))
    assert (found["status"], says in found["says"]) == (status, True), found
    assert (ran.code, left, len(server.came)) == (int(status == "fail"), [], 1)


@pytest.mark.parametrize("folder", ["GM/Processed", "Spam"])
def test_it_is_found_where_others_have_put_it(make_shell: Any, folder: str) -> None:
    """A service that was quicker, or a provider that takes it for junk, doesn't hide it; nor does it stay there."""
    with Provider(lambda raw: OWN + HOP + raw, folder) as server:
        gm = make_shell(
            imap={"port": server.imap_port, "junk": "Spam"}, smtp={"port": server.smtp_port, **NO_LOGIN},
            security={"trusted_authserv": ["mx.example.org"]},
        )  # fmt: skip
        found = line_of(json.loads(gm("doctor", "--probe", "--json").out))
        left = server.mails(GM_ADDRESS, folder)
    assert (found["status"], left) == ("ok", [])


def test_it_never_comes(make_shell: Any) -> None:
    """After --wait the line says so, and that is a failure; other checks go on."""
    with Provider(lambda _raw: b"") as server:
        gm = make_shell(imap={"port": server.imap_port}, smtp={"port": server.smtp_port, **NO_LOGIN})
        ran = gm.run("doctor", "--probe", "--wait", "1", "--config", str(gm.config))
    assert ran.code == 1
    assert "fail  probe: The mail to ourselves came neither into INBOX, " in ran.out
    assert ran.out.splitlines()[-1].startswith("ok    archive")


def test_without_it_nothing_is_sent(make_shell: Any) -> None:
    """Plain `gm doctor` sends nothing, and with a broken mailbox neither does --probe."""
    with Provider(lambda raw: raw) as server:
        gm = make_shell(imap={"port": server.imap_port}, smtp={"port": server.smtp_port, **NO_LOGIN})
        gm("doctor")
        broken = make_shell(imap={"port": 9}, smtp={"port": server.smtp_port, **NO_LOGIN})
        assert "probe" not in broken.run("doctor", "--probe", "--config", str(broken.config)).out
        assert server.came == []


def test_a_service_only_logs_it(running_story: Story) -> None:
    """A service that meets it takes it for its own: nobody is answered, and nothing waits for the GM."""
    for head in (OWN + HOP, HOP, b"Authentication-Results: mx.example.org; dmarc=fail\r\n" + HOP):
        running_story.arrives(head + write_probe(GM_ADDRESS, ["mx.example.org", "no-id"], f"{len(head)}"))
    running_story.tick()
    assert running_story.mails() == []
    with running_story.app.database.read() as session:
        assert waiting_for_gm(running_story.app, session) == []
        assert [row.status for row in session.exec(select(MailIn))] == ["ignored"] * 3
