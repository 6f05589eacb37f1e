"""Mails that aren't meant for a game (`foreign_mails`): none crashes, hangs or gives a move."""

from collections.abc import Iterator
from contextlib import suppress
from datetime import date

from cpu_cost import work_units_each
from foreign_mails import mails

from parsers.commands import Orders
from parsers.errors import UnreadableMail
from parsers.lines.names import Names
from parsers.mime.message import read_mail
from parsers.mime.triage import mark_of
from parsers.reading import read

TODAY = date(2026, 11, 4)

NO_REPORTS = {"flufl.bounce/tests__data__groupwise_03.txt.eml"}
"""Labelled as reports among the real ones, but ordinary mails by people, with text and attachments."""


def is_ignored(raw: bytes) -> bool:
    """Whether anything speaks against a person as the writer."""
    return mark_of(read_mail(raw), own_address="gm@example.org", is_ours=lambda _: False) is not None


def test_no_crash_no_move_no_wait(names: Names) -> None:
    """Every mail is read or unreadable, quickly, and none holds a move or a wish that changes something."""

    def read_all() -> Iterator[None]:
        for mail in mails():
            with suppress(UnreadableMail):
                found = read(read_mail(mail.raw), names, TODAY)
                assert not [said for said in found.commands if isinstance(said.command, Orders)], mail.name
                assert found.wish is None or found.wish.is_harmless, (mail.name, found.wish)
            yield

    costs = work_units_each(read_all())
    assert len(costs) > 150
    assert max(costs) < 500


def test_reports_are_ignored() -> None:
    """Every report is ignored."""
    assert {mail.name for mail in mails() if mail.kind == "report" and not is_ignored(mail.raw)} <= NO_REPORTS


def test_mails_by_people_are_taken() -> None:
    """No letter by a person is ignored."""
    assert not {mail.name for mail in mails() if mail.kind == "person" and is_ignored(mail.raw)}
