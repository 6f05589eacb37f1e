"""Promise 4: what one mail may cause, and how much goes to one address in an hour (mail.md, policies)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import timedelta
from typing import Final

from observation import Observation
from sqlmodel import col, select

from gm.store.queries import question_queries
from gm.store.tables import MailOut, Question

HOUR: Final = timedelta(hours=1)
ANSWERS: Final = ("answer", "remark", "help")
OFFERS: Final = ("seat",)
"""Questions that a step of a game brings, not a mail."""


def a_mail_has_one_answer(zine: Observation) -> Iterator[str]:
    """A mail has at most one answer, to its sender, and one more after the GM has allowed a name."""
    for row in zine.handled:
        answers = [mail for mail in zine.answers_to(row.id) if _sort(mail.kind) in ANSWERS]
        let_through = select(Question).where(Question.mail_id == row.id, Question.kind == question_queries.SIMILAR_NAME)
        if len(answers) > 1 + len(zine.session.exec(let_through.where(Question.answer == "retried")).all()):
            yield f"mail {row.id} was answered {len(answers)} times"
        for mail in answers:
            senders = zine.writers(zine.of(row))
            if mail.address not in ("", row.sender) and mail.player_id not in senders:
                yield f"the answer to mail {row.id} went to {mail.address}"


def a_mail_asks_one_other(zine: Observation) -> Iterator[str]:
    """One mail in brings at most one question to an address that isn't its sender's."""
    for mail_id, mails in _by_mail(zine, "question").items():
        if len(mails) > 1:
            yield f"mail {mail_id} made us ask {len(mails)} others"


def a_mail_brings_one_notice(zine: Observation) -> Iterator[str]:
    """A mail causes at most one notice to a GM; a game in which that GM plays is reported to the other one."""
    told: Counter[tuple[int, str]] = Counter()
    for kind in ("trouble", "appeal", "words"):
        told.update((mail_id, mail.address) for mail_id, mails in _by_mail(zine, kind).items() for mail in mails)
    for (mail_id, _), number in told.items():
        if number > 1:
            yield f"mail {mail_id} brought a GM {number} notices"


def _by_mail(zine: Observation, kind: str) -> dict[int, list[MailOut]]:
    """Sort the mails of a kind that this pass brought by the received mail that caused them."""
    found: dict[int, list[MailOut]] = defaultdict(list)
    for mail in zine.sent:
        sort, _, number = mail.cause.partition(":")
        if mail.kind != kind or not number.isdigit():
            continue
        if sort == "mail":
            found[int(number)].append(mail)
        elif sort == "question":
            question = zine.session.get(Question, int(number))
            if question and question.mail_id and question.kind not in OFFERS:
                found[question.mail_id].append(mail)
    return found


def _sort(kind: str) -> str:
    """Leave out of a kind what tells one remark from another."""
    return kind.partition(":")[0]


def _is_bounded(zine: Observation, *kinds: str) -> Iterator[str]:
    """Count the mails of some kinds to each address in the hour before each of them."""
    most = zine.app.settings.security.answers_per_hour
    for address in {mail.address for mail in zine.sent if _sort(mail.kind) in kinds}:
        rows = select(MailOut.kind).where(
            MailOut.address == address, MailOut.status != "left out",
            col(MailOut.opens_round).is_(None), col(MailOut.created_at) > zine.before.at - HOUR,
            col(MailOut.created_at) <= zine.app.now(),
        )  # fmt: skip
        if (number := sum(_sort(kind) in kinds for kind in zine.session.exec(rows))) > most:
            yield f"{number} mails ({', '.join(kinds)}) went to {address} within an hour; {most} may"


def answers_are_bounded(zine: Observation) -> Iterator[str]:
    """At most `answers_per_hour` answers go to one address; answers that show a new position belong to their step."""
    return _is_bounded(zine, *ANSWERS)


def questions_are_bounded(zine: Observation) -> Iterator[str]:
    """Questions to one address in an hour: as many."""
    return _is_bounded(zine, "question")


def notices_are_bounded(zine: Observation) -> Iterator[str]:
    """Notices to a GM in an hour: as many."""
    return _is_bounded(zine, "trouble")


def a_step_is_told_once(zine: Observation) -> Iterator[str]:
    """Of a step of a game, each recipient gets one mail of a kind."""
    told = Counter(
        (mail.cause, mail.kind, mail.recipient, mail.address) for mail in zine.sent if mail.cause.startswith("turn:")
    )
    for (cause, kind, _, address), number in told.items():
        if number > 1:
            yield f"{address} got {number} mails ({kind}) of {cause}"
