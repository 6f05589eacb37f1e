"""What the mail provider's Authentication-Results say about players' mails: is `sender = "authenticated"` possible?"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Final, Literal

from sqlmodel import Session, col, select

from gm.runtime.config.settings import Security
from gm.store.tables import MailIn
from parsers.errors import MailError
from parsers.mime.authentication_results import BELOW, NO_ID, fields, judge, trusted_results
from parsers.mime.message import Mail, read_mail

Finding = tuple[str, Literal["ok", "warn", "fail"], str]
LOOKED_AT: Final = 50
FEWEST: Final = 3
"""With fewer mails, a foreign name may stand in all of them by chance."""


def check_senders(session: Session, security: Security, below: Sequence[str] = ()) -> Finding:
    """Describe what proves a mail's sender today, and whether a better proof is possible.

    `below` are the names that the mailbox's provider is known to write beneath Received fields of its own.
    """
    mails = list(_last_of_players(session))
    if len(mails) < FEWEST:
        return "sender", "ok", f"{_mode(security)}; after a few mails by players this says what your provider checks."
    found = find_trusted(mails, below)
    passed = _passed(mails, found)
    ours = _passed(mails, security.trusted_authserv)
    count = f"of the last {len(mails)} mails by players"
    if security.sender == "authenticated" and not ours:
        says = f"{_mode(security)}, but none {count} was found genuine by {_listed(security.trusted_authserv)}"
        return "sender", "warn", f"{says}: each is asked about. {_advice(found, passed)}"
    if security.sender == "authenticated":
        return "sender", "ok", f"{_mode(security)}: {ours} {count} were found genuine; the others are asked about."
    if found and passed == len(mails):
        says = f"Your provider writes Authentication-Results as {_listed(found)} and found all {count} genuine"
        return (
            "sender",
            "ok",
            f'{says}; {_mode(security)}. For more safety: sender = "authenticated", {_setting(found)}.',
        )
    if security.trusted_authserv and not _named(mails, security.trusted_authserv):
        return "sender", "warn", f"No mail {count} names {_listed(security.trusted_authserv)}. {_advice(found, passed)}"
    return "sender", "ok", f"{_mode(security)}; {passed} {count} were found genuine by your provider."


def find_trusted(mails: Sequence[Mail], below: Sequence[str] = ()) -> tuple[str, ...]:
    """Find names to trust: those in every mail, above the topmost Received or where the provider writes them.

    Anywhere else, anybody could have written the name. Names that say nothing about From are left out.
    """
    known = tuple(f"{name}{BELOW}" for name in below)
    if any(_passed(mails, (entry,)) for entry in known):
        return tuple(entry for entry in known if _passed(mails, (entry,)))
    common = set.intersection(*(_entries(mail) for mail in mails)) if mails else set()
    names = {entry for entry in common if not entry.startswith("*.")}
    wildcards = {entry for entry in common - names if not any(name.endswith(entry[1:]) for name in names)}
    narrow = {one for one in wildcards if not any(other != one and other.endswith(one[1:]) for other in wildcards)}
    return tuple(sorted(entry for entry in names | narrow if _passed(mails, (entry,))))


def _entries(mail: Mail) -> set[str]:
    """Collect the names above the topmost Received, and the wildcards (`*.example.org`) that match them."""
    found = {results.authserv for results, is_on_top in fields(mail) if is_on_top} - {""}
    for name in tuple(found):
        labels = name.split(".")
        found |= {f"*.{'.'.join(labels[at:])}" for at in range(1, len(labels) - 1)}
    return found


def _last_of_players(session: Session) -> Iterator[Mail]:
    """Read the last mails by players, newest first."""
    rows = select(MailIn.raw).where(
        col(MailIn.player_id).is_not(None), col(MailIn.status).in_(("applied", "refused", "waiting"))
    )
    for raw in session.exec(rows.order_by(col(MailIn.id).desc()).limit(LOOKED_AT)):
        with suppress(MailError):
            mail = read_mail(raw)
            if mail.sender:  # a forgotten player's mail is empty
                yield mail


def _passed(mails: Sequence[Mail], trusted: Sequence[str]) -> int:
    return sum(judge(mail, trusted).word == "pass" for mail in mails)


def _named(mails: Sequence[Mail], trusted: Sequence[str]) -> bool:
    return any(True for mail in mails for _ in trusted_results(mail, trusted))


def _advice(found: Sequence[str], passed: int) -> str:
    if found:
        return f"{passed} of them were by {_listed(found)}: write {_setting(found)}."
    return 'Your provider\'s servers write nothing that would do; "address" is for you.'


def _mode(security: Security) -> str:
    return f'sender = "{security.sender}"'


def _setting(entries: Sequence[str]) -> str:
    listed = ", ".join(f'"{entry}"' for entry in entries)
    return f"trusted_authserv = [{listed}]"


def _listed(entries: Sequence[str]) -> str:
    return ", ".join("a server without a name" if entry == NO_ID else entry for entry in entries) or "nobody"
