"""Real mails of other projects (shared/corpus, beside the repository): none crashes, hangs or gives a move."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from cpu_cost import work_units_each

from games.api import Rules
from parsers.commands.commands import Orders
from parsers.commands.grammar import read_commands
from parsers.errors import UnreadableMail
from parsers.mime.message import Mail, read_mail
from parsers.mime.triage import mark_of

CORPUS = Path(__file__).parents[2].parent / "shared" / "corpus"
pytestmark = pytest.mark.skipif(not CORPUS.is_dir(), reason="../shared/corpus is not here")

# Labelled as bounce, but an ordinary Outlook mail by a person, with text and attachments.
NO_BOUNCES = {"flufl.bounce/tests__data__groupwise_03.txt.eml"}


def mails() -> Iterator[tuple[str, bytes]]:
    """All mails with their paths."""
    for path in sorted(CORPUS.rglob("*.eml")):
        yield path.relative_to(CORPUS).as_posix(), path.read_bytes()


def labels() -> dict[str, str]:
    """Path -> class, where the source says so."""
    lines = (CORPUS / "labels.tsv").read_text(encoding="utf-8").splitlines()[1:]
    return dict(line.split("\t") for line in lines)


def reason(mail: Mail) -> str | None:
    """Why the mail is ignored."""
    return mark_of(mail, own_address="gm@example.org", is_ours=lambda _: False)


def test_no_crash_no_move_no_wait(rules: tuple[Rules, ...]) -> None:
    """Every mail is read or unreadable, quickly, and none holds a move."""

    def read_all() -> Iterator[None]:
        for path, raw in mails():
            with suppress(UnreadableMail):
                found = read_commands(read_mail(raw), rules).commands
                assert not [said for said in found if isinstance(said.command, Orders)], path
            yield

    costs = work_units_each(read_all())
    assert len(costs) > 400
    assert max(costs) < 500


def test_bounces_are_ignored() -> None:
    """Everything labelled as bounce is ignored."""
    known = labels()
    answered = {
        path for path, raw in mails() if known.get(path, "").startswith("bounce") and not reason(read_mail(raw))
    }
    assert answered == NO_BOUNCES


def test_mails_by_people_are_taken() -> None:
    """Nothing labelled as written by a person is ignored."""
    known = labels()
    assert not {path for path, raw in mails() if known.get(path) == "human" and reason(read_mail(raw))}


def test_no_real_mail_is_a_wish_that_changes_something(rules: tuple[Rules, ...]) -> None:
    """Nobody in all these mails wants to join, leave or be away here (issue 29)."""
    for path, raw in mails():
        with suppress(UnreadableMail):
            wish = read_commands(read_mail(raw), rules).wish
            assert wish is None or wish.is_harmless, (path, wish)
