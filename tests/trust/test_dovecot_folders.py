"""Misbehaviour with a real Dovecot: a folder that is read-only, another that is deleted."""

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import imap_zine
import mail_servers
import pytest

from gm.demo.in_memory_zine import Story

pytestmark = pytest.mark.server

ANNA, BERND = imap_zine.ANNA, imap_zine.BERND


@pytest.fixture(scope="module")
def dovecot(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Dovecot with access lists: INBOX of gm-read@ may only be read."""
    if reason := mail_servers.missing():
        pytest.skip(reason)
    acl = tmp_path_factory.mktemp("acl") / "acl"
    acl.write_text("INBOX user=gm-read@local.test lri\n")
    for folder in (acl, *acl.parents):
        if folder.stat().st_uid == 0 and Path(tempfile.gettempdir()) in folder.parents:
            folder.chmod(0o755 if folder.is_dir() else 0o644)
    with mail_servers.MailServers(acl=acl) as server:
        yield server


@pytest.fixture
def open_zine(running: Callable[..., Story], dovecot: Any) -> Iterator[Callable[..., Any]]:
    """Open Eriwan on an account of this Dovecot."""
    zines: list[Any] = []

    def make(account: str) -> Any:
        zines.append(imap_zine.Zine(running(), dovecot.imap_port, account))
        return zines[-1]

    yield make
    for zine in zines:
        zine.close()


def test_a_folder_that_can_only_be_read(open_zine: Callable[..., Any]) -> None:
    """Without the right to delete mails are answered once and stay; the round closes; there is no pile of copies."""
    zine = open_zine("gm-read@local.test")
    zine.writes(ANNA)
    for _ in range(3):
        assert imap_zine.sentence(zine.one_pass())
    assert sum(zine.answers().values()) == 1
    zine.is_due()
    assert zine.one_pass().closed == ["Eriwan"]
    assert (len(zine.mails("INBOX")), zine.statuses()) == (1, ["applied"])
    assert zine.mails("GM/Processed") == []


def test_a_folder_that_is_deleted_while_it_is_read(open_zine: Callable[..., Any]) -> None:
    """Processed is deleted under our feet, as Dovecot does it: it is made again."""
    zine = open_zine("gm-free@local.test")
    for name in (ANNA, BERND):
        zine.writes(name)
        assert zine.one_pass().troubles == []
        assert len(zine.mails("GM/Processed")) == 1
        with zine.somebody() as client:
            client.delete_folder("GM/Processed")
    assert zine.statuses() == ["applied"] * 2
