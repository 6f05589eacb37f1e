"""Promises 2 and 3: no NMR despite an unread mail; nothing counted twice or unproven; no stranger delays a round."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any, Final

from ledger import server_of
from observation import LONG_AGO, Observation, ReceivedMail, written
from sqlmodel import col, select

from gm.game.position import position
from gm.reports.game import show
from gm.store.tables import Duty, Game, MailIn, Question, Sheet, Turn
from parsers.mime.authentication_results import judge
from parsers.mime.message import read_mail

SECOND: Final = timedelta(seconds=1)
CODE: Final = re.compile(r"\[(?:Frage|Question) (\w{8})\]")
UNREAD: Final = ("new", "quarantined", "waiting")
_CLOSES: Final = re.compile(r"(?im)^\W*gm\s+(close|undo|standby|abort)\b")


# -- 2: no NMR while a mail lies there ---------------------------------------------------------------------------------


def no_nmr_over_an_unread_mail(zine: Observation) -> Iterator[str]:
    """No NMR is counted while a mail of that seat, sent in time, is unread, quarantined, unclear or unproven.

    Exceptions, as "The hold" allows: after its ZAT a round waits for `hold` only, and once; and the GM may close it.
    """
    for turn, opened, instant in _closings(zine):
        if turn.at < instant + zine.app.settings.deadlines.hold:
            missing = select(Duty).where(Duty.turn_id == turn.id, col(Duty.kept).is_(False))
            yield from _over_what_lies_there(zine, missing, opened, instant)


def no_nmr_counts_after_the_hold(zine: Observation) -> Iterator[str]:
    """After the hold such a round is closed, and what is missing is unclear: it doesn't count as an NMR."""
    for turn, opened, instant in _closings(zine):
        if turn.at >= instant + zine.app.settings.deadlines.hold:
            missing = select(Duty).where(Duty.turn_id == turn.id, col(Duty.kept).is_(False))
            yield from _over_what_lies_there(zine, missing.where(col(Duty.unclear).is_(False)), opened, instant)


def _closings(zine: Observation) -> Iterator[tuple[Turn, datetime, datetime]]:
    """Go through the closings of a pass in which the GM closed none; each with when its round began and ended."""
    rows = select(Turn).where(col(Turn.id) > zine.before.newest.turn, Turn.kind == "resolve")
    for turn in zine.session.exec(rows) if not _gm_closed(zine) else ():
        before = zine.session.exec(
            select(Turn)
            .where(Turn.game_id == turn.game_id, Turn.number == turn.number - 1)
            .order_by(col(Turn.id).desc())
        ).first()
        yield turn, before.at if before else LONG_AGO, _closing_instant(zine, turn, before)


def _over_what_lies_there(zine: Observation, missing: Any, opened: datetime, instant: datetime) -> Iterator[str]:
    for duty in zine.session.exec(missing):
        yield from (
            f"turn {duty.turn_id} of game {duty.game_id} notes an NMR for seat {duty.seat}, and {lies}"
            for lies in _unread_of(zine, duty, opened, instant)
        )


def _gm_closed(zine: Observation) -> bool:
    """Whether the GM may have closed a round by mail in this pass."""
    return any(mail.sender in zine.gm_addresses and _CLOSES.search(mail.text) for mail in map(zine.of, zine.handled))


def _closing_instant(zine: Observation, turn: Turn, before: Turn | None) -> datetime:
    """The ZAT as it stood before the pass, or as the pass itself has set it with the step before."""
    standing = zine.before.games.get(turn.game_id)
    zat = standing.zat if standing and standing.zat else before.zat if before else None
    return min(zat, turn.at) if zat else turn.at


def _unread_of(zine: Observation, duty: Duty, opened: datetime, instant: datetime) -> Iterator[str]:
    for mail, status in _lying(zine):
        if opened < mail.received_at <= instant and duty.player_id in zine.players.get(mail.sender, ()):
            yield f"mail {mail.id} of {mail.received_at} is {status}"
    unclear = select(Question).where(
        Question.game_id == duty.game_id,
        col(Question.kind).in_(("who", "stranger")),
        col(Question.answered_at).is_(None),
    )
    for question in zine.session.exec(unclear):
        arrived = datetime.fromisoformat(question.payload["received"])
        if opened < arrived <= instant and duty.seat in question.payload["seats"]:
            yield f"question {question.id} about a move of {arrived} is open"


def _lying(zine: Observation) -> Iterator[tuple[ReceivedMail, str]]:
    """Go through the mails that nobody has handled to the end, those in the inbox included."""
    for row in zine.session.exec(select(MailIn.id, MailIn.status).where(col(MailIn.status).in_(UNREAD))):
        yield zine.mails[row[0]], row[1]
    if server := server_of(zine.app):
        folder = zine.app.settings.imap.folder
        stored = set(zine.session.exec(select(MailIn.uid).where(MailIn.uidvalidity == server.uidvalidity)))
        for uid, kept in server.folders[folder].items():
            if uid not in stored:
                row = MailIn(id=-uid, raw=kept.raw, received_at=kept.received_at, size=len(kept.raw), content="")
                yield written(row, lambda _: False, zine.app.settings.service.address.lower()), "unread"


# -- 3: nothing twice, nothing unproven --------------------------------------------------------------------------------


def nothing_is_applied_twice(zine: Observation) -> Iterator[str]:
    """A mail files one move a seat, and the same mail by another way files none."""
    last = zine.before.newest.mail_in
    filed = Counter(zine.filed)
    yield from (f"mail {mail} filed {number} moves for seat {seat}" for (mail, game, seat), number in filed.items()
                if number + ((mail, game, seat) in zine.ledger.filed) > 1)  # fmt: skip
    fresh = [
        row for row in zine.handled if row.status == "applied" and (row.id > last or row.id in zine.before.unsettled)
    ]
    for row in fresh:
        if not row.message_id:
            continue
        twins = select(MailIn.id).where(
            MailIn.message_id == row.message_id, MailIn.content == row.content, MailIn.status == "applied",
            MailIn.id != row.id, MailIn.written == row.written,
        )  # fmt: skip
        yield from (
            f"mail {row.id} is mail {twin} once more, and both were applied" for twin in zine.session.exec(twins)
        )


def nothing_unproven_is_applied(zine: Observation) -> Iterator[str]:
    """A move comes from an address of its player, with the proof that `sender` asks for, or was owned up to.

    What our own server calls forged does nothing at all.
    """
    rows = select(Sheet).where(col(Sheet.mail_id) > zine.before.newest.mail_in)
    by_word = set(
        zine.session.exec(select(Question.mail_id).where(Question.kind == "sender", Question.answer == "yes"))
    )
    for row in zine.handled:
        if row.status == "applied" and row.id not in by_word and _is_forged(zine, row):
            yield f"mail {row.id} was carried out, and our own server says that its sender is forged"
    for sheet in zine.session.exec(rows):
        mail = zine.mails.get(sheet.mail_id or 0)
        if mail is None or _was_owned_up_to(zine, sheet) or not zine.session.get_one(MailIn, mail.id).raw:
            continue
        if sheet.player_id not in zine.writers(mail):
            yield f"the move of seat {sheet.seat} in mail {mail.id} came from {mail.sender or 'nobody'}"
        if _lacks_proof(zine, sheet) and sheet.mail_id not in by_word:
            yield f"the move of seat {sheet.seat} in mail {mail.id} had no proof of its sender"


def _was_owned_up_to(zine: Observation, sheet: Sheet) -> bool:
    """Whether the mail only answers whose a move was: its question went to the seat's registered address."""
    asked = select(Question).where(Question.game_id == sheet.game_id, col(Question.answered_at).is_not(None))
    return any(
        sheet.seat in question.payload.get("seats", ()) and question.kind in ("who", "stranger")
        for question in zine.session.exec(asked)
    )


def _lacks_proof(zine: Observation, sheet: Sheet) -> bool:
    security = zine.app.settings.security
    row = zine.session.get(MailIn, sheet.mail_id)
    if row is None or not row.raw:
        return False
    if _is_forged(zine, row):
        return True
    if security.sender != "authenticated" or _names_a_code(zine, row, sheet):
        return False
    return judge(read_mail(row.raw), security.trusted_authserv).word != "pass"


def _is_forged(zine: Observation, row: MailIn) -> bool:
    """Whether our own server says that the sender is somebody else."""
    trusted = zine.app.settings.security.trusted_authserv
    return bool(trusted and row.raw) and judge(read_mail(row.raw), trusted).word == "fail"


def _names_a_code(zine: Observation, row: MailIn, sheet: Sheet) -> bool:
    """Whether the subject has the code of a question that went to this player before."""
    asked = select(Question.id).where(
        col(Question.code).in_(CODE.findall(row.subject)), Question.player_id == sheet.player_id,
        col(Question.created_at) <= row.received_at,
    )  # fmt: skip
    return zine.session.exec(asked).first() is not None


def no_stranger_moves_the_clock(zine: Observation) -> Iterator[str]:
    """A round whose time is over is closed, or something keeps it that the GM can see, for `hold` at most."""
    for game in _overdue(zine):
        zat, hold = zine.before.games[game.id].zat, zine.app.settings.deadlines.hold
        assert zat
        lying = [mail.id for mail, _ in _lying(zine) if mail.received_at <= zat]
        unclear = [question.id for question in _asked_whose(zine, game.id)]
        if not (lying or unclear):
            yield f"{game.name} is over its ZAT {zat}, and nothing says why"
        elif zine.before.at >= zat + hold:
            yield f"{game.name} is over its ZAT {zat} by more than the hold, for {lying or unclear}"


def what_keeps_a_round_is_shown(zine: Observation) -> Iterator[str]:
    """`gm show` says why a round that is over its ZAT is not closed."""
    for game in _overdue(zine):
        if show(zine.app, zine.session, game)["held"] is None:
            yield f"{game.name} waits, and `gm show` doesn't say for what"


def _overdue(zine: Observation) -> Iterator[Game]:
    """Go through the games that stood still in a pass which could have closed their round."""
    if not zine.is_whole or zine.is_tampered:
        return
    for game in zine.running:
        was = zine.before.games.get(game.id)
        if was is None or was.zat is None or was.turn != game.turn or was.zat != game.zat or was.held or game.held:
            continue
        is_paused = game.paused_until is not None and game.paused_until > zine.before.at - SECOND
        if was.zat + SECOND <= zine.before.at and not is_paused and not _waits_for_the_gm(zine, game):
            yield game


def _waits_for_the_gm(zine: Observation, game: Game) -> bool:
    """Whether a move waits for a ruling, or a bulletin for its release."""
    held = select(Question).where(
        Question.game_id == game.id, Question.kind == "word", col(Question.answered_at).is_(None)
    )
    at = position(zine.app, game)
    return zine.session.exec(held).first() is not None or at.turn.released_at is None


def _asked_whose(zine: Observation, game_id: int) -> list[Question]:
    """List the open questions about whose a move in a game is."""
    rows = select(Question).where(Question.game_id == game_id, col(Question.answered_at).is_(None))
    return list(zine.session.exec(rows.where(col(Question.kind).in_(("who", "stranger")))))
