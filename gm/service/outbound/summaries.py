"""An hour after answers, or notices to the GM, were left out: one mail that says what became of it all."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from sqlmodel import Session, col, delete, select

from gm.app.context import App
from gm.messages import notice_limit
from gm.messages.notice_limit import HOUR
from gm.messages.outgoing import Occasion, Part, Recipient, post, recipient
from gm.messages.rendering.dates import write_date
from gm.store.queries import game_queries
from gm.store.tables import Game, MailIn, MailOut, Player, Unanswered

MOST_ROWS: Final = 30


def send_summaries(app: App) -> None:
    """Queue the summaries that are due. Raises StoreError."""
    with app.database.read() as session:
        addresses, to_gm = _due(app, session)
    if addresses or to_gm:
        with app.database.write() as session:
            addresses, to_gm = _due(app, session)  # another process may have been quicker
            for address in addresses:
                app.pulse.beat()
                _sum_up(app, session, address)
            for address in to_gm:
                _sum_up_notices(app, session, address)


def _due(app: App, session: Session) -> tuple[Sequence[str], Sequence[str]]:
    hour_ago = app.now() - HOUR
    addresses = session.exec(select(Unanswered.address).where(col(Unanswered.at) <= hour_ago).distinct()).all()
    kept = notice_limit.left_out(session)
    return sorted(addresses), [address for address, one in kept.items() if one.since <= hour_ago]


# -- to players --------------------------------------------------------------------------------------------------------


def _sum_up(app: App, session: Session, address: str) -> None:
    """Tell what became of all mails whose answers were left out, the latest included, and start a new hour."""
    rows = session.exec(select(Unanswered).where(Unanswered.address == address).order_by(col(Unanswered.id))).all()
    players = game_queries.players_at(session, address)
    ids = [row.mail_id for row in rows]
    mails = session.exec(select(MailIn).where(col(MailIn.id).in_(ids)).order_by(col(MailIn.id))).all()
    if players and mails:
        answers = _answers_before(session, rows[0])
        game = next((session.get(Game, one.game_id) for one in answers if one.game_id), None)
        to = recipient(app, session, players[0], game)
        to = Recipient(name=_names(answers, players), address=address, language=to.language, player_id=to.player_id)
        context = {
            "rows": list(_rows(app, to, mails[:MOST_ROWS])), "more": max(0, len(mails) - MOST_ROWS),
            "most": app.settings.security.answers_per_hour,
        }  # fmt: skip
        cause = f"summary:{max(ids)}"  # no id of the rows: they are deleted, and SQLite gives it again
        post(app, session, Occasion(cause=cause, kind="summary"), to, [Part(template="summary", context=context)])
    session.execute(delete(Unanswered).where(col(Unanswered.id).in_([row.id for row in rows])))


def _answers_before(session: Session, first: Unanswered) -> Sequence[MailOut]:
    """List the answers that made the next one too many, newest first."""
    rows = select(MailOut).where(
        MailOut.address == first.address, MailOut.kind == "answer", col(MailOut.created_at) > first.at - HOUR
    )
    return session.exec(rows.order_by(col(MailOut.id).desc())).all()


def _names(answers: Sequence[MailOut], players: Sequence[Player]) -> str:
    """Greet who has written: of a couple one, if all answers went to the one."""
    written = {answer.player_id for answer in answers}
    return ", ".join(player.name for player in players if len(players) == 1 or player.id in written)


def _rows(app: App, to: Recipient, mails: Sequence[MailIn]) -> Iterator[dict[str, Any]]:
    for mail in mails:
        yield {
            "at": write_date(mail.received_at, app.settings.service.timezone, to.language, "short"),
            "subject": " ".join(mail.subject.split())[:80],
            "taken": mail.status == "applied",
        }


# -- to the GM ---------------------------------------------------------------------------------------------------------


def _sum_up_notices(app: App, session: Session, address: str) -> None:
    kept = notice_limit.left_out(session)[address]
    service = app.settings.service
    contact = service.second_gm if service.second_gm and service.second_gm.address == address else service.gm
    to = Recipient(name=contact.name or address.partition("@")[0], address=address, language=service.language)
    since = write_date(kept.since, service.timezone, to.language, "short")
    part = Part(template="more", context={"number": kept.number, "since": since})
    post(app, session, Occasion(cause=f"more:{kept.since.isoformat()}", kind="more"), to, [part])
    notice_limit.summed_up(session, address)
