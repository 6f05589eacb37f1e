"""Promise 1: every mail in is accounted for; a registered player's own text is never merely ignored."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Final

from ledger import marks, server_of
from observation import Observation, ReceivedMail
from sqlmodel import col, or_, select

from gm.store.tables import MailIn, MailOut, Question

IGNORED: Final = re.compile(
    r"own mail: .*|own kind: .*|loop: .*|the same mail as \d+|"
    r"bounce: .*|bounce of mail o\d+ .*|delay of mail o\d+ .*|report: .*|automatic: .*|list: .*|campaign: .*|"
    r"forged sender: .*|"
    r"no usable sender: .*|nothing for us, and this address has had the help lately|"
    r"in a player's name, from another address|replaced by the same mail \d+|"
    r"its words stand on the GM's list|its thread stands on the GM's list|"
    r"dropped by the GM; was: .*",
)
"""Why a mail may be only logged (mail.md, policies and 4.2)."""
SILENT: Final = re.compile(r"; not answered: enough mails in this (hour|day|thread)|waits for the GM|^confirmed: ")
"""Why a mail that was understood has no answer of its own."""
OF_ITS_OWN: Final = re.compile(
    r"own mail: .*|own kind: .*|the same mail as \d+|replaced by the same mail \d+|forged sender: .*|"
    r"its (?:words stand|thread stands) on the GM's list|automatic: a reaction, .*"
)
"""Why even a player's text is only logged: it is ours, was handled already, or is proven to be somebody else's."""
TOLD: Final = ("ambiguous", "list")
"""What the GM is told of a player once a day at most."""


def every_mail_is_handled(zine: Observation) -> Iterator[str]:
    """After a pass nothing is left to do, in the inbox or in the log."""
    if not zine.is_whole:
        return
    left = zine.session.exec(select(MailIn.id).where(MailIn.status == "new")).all()
    yield from (f"mail {mail_id} was left unhandled" for mail_id in left)
    if server := server_of(zine.app):
        folder = zine.app.settings.imap.folder
        stored = set(zine.session.exec(select(MailIn.uid).where(MailIn.uidvalidity == server.uidvalidity)))
        yield from (f"UID {uid} was left unread" for uid in server.folders[folder].keys() - stored)


def nothing_leaves_the_inbox_unstored(zine: Observation) -> Iterator[str]:
    """What lay in the inbox lies there still, or is stored; and what was put among the handled mails is stored."""
    server, ledger, imap = server_of(zine.app), zine.ledger, zine.app.settings.imap
    if server is None or not zine.is_whole:
        return
    left, stored = server.folders.get(imap.folder, {}), ledger.stored
    for uid, known in zine.before.inbox.items():
        if uid not in left and not known & stored:
            yield f"UID {uid} has left the inbox and was not stored"
    for folder in (imap.processed, imap.quarantine):
        for uid, kept in server.folders.get(folder, {}).items():
            if uid > ledger.moved.get(folder, 0) and not marks(kept.raw, kept.received_at) & stored:
                yield f"UID {uid} was put into {folder} and was not stored"


def no_stranger_waits_without_need(zine: Observation) -> Iterator[str]:
    """A stranger's mail is put off only while as many answers as may have gone to strangers within the hour."""
    if not zine.is_whole:
        return
    put_off = select(MailIn.id).where(MailIn.status == "put off").order_by(col(MailIn.received_at))
    first = zine.session.exec(put_off).first()
    lately = select(MailOut.id).where(
        col(MailOut.player_id).is_(None), MailOut.priority == 0,
        or_(MailOut.status == "queued", col(MailOut.sent_at) > zine.before.at - timedelta(hours=1)),
    )  # fmt: skip
    most = 3 * zine.app.settings.security.answers_per_hour
    if first is not None and (number := len(zine.session.exec(lately).all())) < most:
        yield f"mail {first} was put off though only {number} of {most} answers have gone to strangers"


def each_is_accounted_for(zine: Observation) -> Iterator[str]:
    """An applied mail is answered, a quarantined one is shown to the GM or its sender, an ignored one has a reason."""
    for row in zine.handled:
        if row.status in ("applied", "refused") and not _is_answered(zine, row):
            yield f"mail {row.id} was {row.status} ({row.reason}) and nobody was told"
        elif row.status in ("quarantined", "waiting") and not (zine.caused(row.id) or _is_on_the_list(zine, row)):
            yield f"mail {row.id} is {row.status} ({row.reason}) and nobody was asked"
        elif row.status == "ignored" and not IGNORED.fullmatch(row.reason):
            yield f"mail {row.id} was ignored for a reason that mail.md doesn't know: {row.reason}"


def no_players_words_are_dropped(zine: Observation) -> Iterator[str]:
    """A registered player's own text is applied, answered or shown to the GM, even if it is marked as automatic."""
    for row in zine.handled:
        if row.status != "ignored":
            continue
        mail = zine.of(row)
        is_players = mail.sender in zine.before.players and mail.has_own_text
        is_others = mail.is_automatic or OF_ITS_OWN.fullmatch(row.reason)
        if is_players and not is_others and not (zine.caused(row.id) or _was_told_today(zine, mail)):
            yield f"mail {row.id} by a player was merely ignored: {row.reason}"


def _was_told_today(zine: Observation, mail: ReceivedMail) -> bool:
    """Whether the GM has heard within a day that such mails come from this player."""
    rows = select(Question.id).where(
        col(Question.kind).in_(TOLD), col(Question.player_id).in_(zine.players.get(mail.sender, ())),
        col(Question.created_at) > mail.received_at - timedelta(days=1),
    )  # fmt: skip
    return zine.session.exec(rows).first() is not None


def _is_answered(zine: Observation, row: MailIn) -> bool:
    if zine.answers_to(row.id) or zine.caused(row.id) or SILENT.search(row.reason):
        return True
    return not zine.of(row).sender


def _is_on_the_list(zine: Observation, row: MailIn) -> bool:
    """All mails of a player that wait for the GM stand in one entry, which names them."""
    return row.player_id is not None and "waits for the GM" in row.reason
