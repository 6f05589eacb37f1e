"""How many mails of a kind may go to one address, and the summary of those that were left out.

So neither robots nor forged senders can make us send more than that. Only mails are limited: what a mail asks for is
carried out all the same, and what the GM has to know stands on the GM's list (`gm todo`).

Mails are counted by their rows in the outbox, so a process that takes over counts the same. A mail that was left out
has a row as well, without words, until a summary tells of it.
"""

import hashlib
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final

from sqlmodel import Session

from gm.app.context import App
from gm.messages.outgoing import ANSWER, Occasion, Part, Recipient, Sender, compose, file_left_out, post, recipient
from gm.messages.rendering.dates import write_date
from gm.store.queries import mail_queries, player_queries
from gm.store.tables import Game, MailIn, MailOut, Player

HOUR: Final = timedelta(hours=1)
DAY: Final = timedelta(days=1)
NOTICE: Final = "trouble"
"""The kind, and the template, of the mails that bring troubles and players' words to the GM."""
REMARK: Final = "remark"
"""An answer to a player's mail that changed nothing. Its kind goes on with a checksum of what it says."""
TO_STRANGERS: Final = 3
"""All strangers together get so many times the answers of one address in an hour."""
MOST_ROWS: Final = 30
"""So many mails are named in a summary; the others are counted."""


@dataclass(frozen=True, kw_only=True)
class Limit:
    """So many mails of these kinds may go to one address within a span; without kinds: of the very same kind."""

    kinds: Collection[str] = ()
    most: int = 0
    """0: as many as `answers_per_hour` in config.toml."""
    within: timedelta = HOUR
    is_summed_up: bool = False
    """A summary tells of the mails that were left out. If False, nobody misses them."""

    @property
    def reason(self) -> str:
        """Why a mail didn't go out, for the log."""
        return f"enough mails in this {'day' if self.within == DAY else 'hour'}"


_ANSWERS: Final = Limit(kinds=("answer", REMARK, "help", "forged", "again"))
_PLAYERS_ANSWERS: Final = replace(_ANSWERS, is_summed_up=True)
_ONCE_A_DAY: Final = Limit(most=1, within=DAY)
LIMITS: Final = {
    "answer": (_PLAYERS_ANSWERS,),
    # Two robots that answer each other end here: they are told the same each time, and nothing changes by it.
    REMARK: (Limit(most=8, within=DAY), _PLAYERS_ANSWERS),
    "help": (_ONCE_A_DAY, _ANSWERS),
    "forged": (_ONCE_A_DAY, _ANSWERS),
    "again": (_ONCE_A_DAY, _ANSWERS),
    "question": (Limit(),),
    NOTICE: (Limit(is_summed_up=True),),
}
"""The limits of each kind of mail. Other kinds belong to a step of a game and have none."""


def reached(app: App, session: Session, kind: str, address: str) -> Limit | None:
    """Find the limit that forbids one more mail of this kind to this address now; None: it may go out."""
    sent = mail_queries.sent_to(session, address, since=app.now() - DAY)
    limits = LIMITS.get(_base_kind(kind), ())
    return next((limit for limit in limits if _is_reached(app, limit, kind, sent)), None)


def _is_reached(app: App, limit: Limit, kind: str, sent: Sequence[tuple[str, datetime]]) -> bool:
    now, since = app.now(), app.now() - limit.within
    most = limit.most or app.settings.security.answers_per_hour
    if len(sent) < most:
        return False
    alike = (at for one, at in sent if (_base_kind(one) in limit.kinds if limit.kinds else one == kind))
    return sum(since < at <= now for at in alike) >= most  # a row by a clock that was ahead limits nothing


def send(app: App, session: Session, occasion: Occasion, to: Recipient, parts: Sequence[Part]) -> None:
    """Queue a mail, or leave it out if a limit is reached."""
    if limit := reached(app, session, occasion.kind, to.address):
        leave_out(app, session, occasion, to, limit)
    else:
        post(app, session, occasion, to, parts)


def leave_out(app: App, session: Session, occasion: Occasion, to: Recipient, limit: Limit) -> None:
    """Note for the summary that a mail didn't go out, if its limit has one."""
    if limit.is_summed_up:
        file_left_out(app, session, occasion, to)


def remark_kind(parts: Sequence[Part], to: Recipient) -> str:
    """Name the kind of an answer that tells of no effect. The same words make the same kind."""
    subject, text, _ = compose(parts, to, True, Sender())
    return f"{REMARK}:{hashlib.sha256(f'{subject} {text}'.encode()).hexdigest()[:16]}"


def is_answer(kind: str) -> bool:
    """Check whether this kind of mail is an answer to a player."""
    return _base_kind(kind) in ("answer", REMARK)


def _base_kind(kind: str) -> str:
    return kind.partition(":")[0]


# -- strangers in all --------------------------------------------------------------------------------------------------


def most_to_strangers(app: App) -> int:
    """Return how many answers all strangers together get in an hour."""
    return TO_STRANGERS * app.settings.security.answers_per_hour


def room_for_strangers(app: App, session: Session) -> int:
    """Return how many more answers may go to strangers now. Mails that wait to be sent count as well."""
    return most_to_strangers(app) - mail_queries.answers_to_strangers(session, app.now() - HOUR, ANSWER)


# -- the summary -------------------------------------------------------------------------------------------------------


def send_summaries(app: App) -> None:
    """Send each address one mail about the mails left out, an hour after the first of them. Raises StoreError."""
    with app.database.write() as session:
        for address in mail_queries.addresses_with_left_out(session, app.now() - HOUR):
            app.stop_signal.check()
            _sum_up(app, session, address)


def _sum_up(app: App, session: Session, address: str) -> None:
    """Queue the summary of all mails left out for an address, the latest included. The next one begins a new hour."""
    rows = mail_queries.left_out_mails(session, address)
    notices = [row for row in rows if row.kind == NOTICE]
    if notices:
        _sum_up_notices(app, session, notices)
    if answers := [row for row in rows if row.kind != NOTICE]:
        _sum_up_answers(app, session, answers)
    for row in rows:
        session.delete(row)


def _sum_up_notices(app: App, session: Session, rows: Sequence[MailOut]) -> None:
    """Tell the GM how many notices were left out; `gm todo` shows what they are about."""
    service, address, first = app.settings.service, rows[0].address, rows[0].created_at
    contact = service.second_gm if service.second_gm and service.second_gm.address == address else service.gm
    to = Recipient(name=contact.name or address.partition("@")[0], address=address, language=service.language)
    since = write_date(first, service.timezone, to.language, "short")
    part = Part(template="more", context={"number": len(rows), "since": since})
    post(app, session, Occasion(cause=f"more:{first.isoformat()}", kind="more"), to, [part])


def _sum_up_answers(app: App, session: Session, rows: Sequence[MailOut]) -> None:
    """Tell players what became of unanswered mails, at the address of today: who shares it, gets one mail."""
    there: dict[str, list[MailOut]] = {}
    for row in rows:
        if row.player_id and (address := player_queries.address_of(session, row.player_id)):
            there.setdefault(address, []).append(row)
    for some in there.values():
        _sum_up_at_one_address(app, session, some)


def _sum_up_at_one_address(app: App, session: Session, rows: Sequence[MailOut]) -> None:
    mails = mail_queries.mails_behind(session, [row.cause for row in rows])
    if not mails:
        return
    players = [session.get_one(Player, player_id) for player_id in dict.fromkeys(row.player_id for row in rows)]
    game = next((session.get(Game, row.game_id) for row in rows if row.game_id), None)
    to = replace(recipient(app, session, players[0], game), name=", ".join(player.name for player in players))
    context = {
        "rows": list(_rows(app, to, mails[:MOST_ROWS])), "more": max(0, len(mails) - MOST_ROWS),
        "most": app.settings.security.answers_per_hour,
    }  # fmt: skip
    cause = f"summary:{mails[-1].id}"
    post(app, session, Occasion(cause=cause, kind="summary"), to, [Part(template="summary", context=context)])


def _rows(app: App, to: Recipient, mails: Sequence[MailIn]) -> Iterator[dict[str, Any]]:
    for mail in mails:
        yield {
            "at": write_date(mail.received_at, app.settings.service.timezone, to.language, "short"),
            "subject": " ".join(mail.subject.split())[:80],
            "taken": mail.status == "applied",
        }
