"""Small faults to plant in the program: the simulator has to find each by a promise (`test_planted_faults.py`).

Each changes one function or constant, which must exist. None of them raises an error of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import timedelta
from email import message_from_bytes
from email.utils import parseaddr
from typing import Any, Final, NamedTuple
from unittest.mock import patch

from sqlmodel import col, select

from games.api import ALL
from games.dice import Dice
from gm.archive import make_games
from gm.game import missing_moves, steps, word_judge
from gm.game.announcements import bulletins
from gm.game.schedule import closing, reminders
from gm.messages import game_mails
from gm.reports import game as game_report
from gm.requests.sender_check import confirmation, duplicate_mails
from gm.service import tick
from gm.service.inbound import carry_out, read, receive
from gm.store.queries import duty_queries, mail_queries, seat_queries, sheet_queries
from gm.store.queries.sheet_queries import END_OF_TIME
from gm.store.tables import Game, MailOut


class PlantedFault(NamedTuple):
    """A fault: the part of the service that it is in, and what it makes of what stands under a name."""

    where: str
    target: Any
    name: str
    make: Callable[[Any], Any]

    def planted(self) -> AbstractContextManager[object]:
        """Let the program have it. Raises AttributeError where what it changes is gone."""
        return patch.object(self.target, self.name, self.make(getattr(self.target, self.name)))


# -- deadlines ---------------------------------------------------------------------------------------------------------


def _before_the_zat(on_file: Any) -> Any:
    """A move counts that came before the end of the round, not at it."""

    def sheets_on_file(game: Any, until: Any = END_OF_TIME) -> Any:
        return on_file(game, until if until == END_OF_TIME else until - timedelta(seconds=1))

    return sheets_on_file


def _without_a_fetch(take_in: Any) -> Any:
    """A round closes although the mailbox could not be read."""

    return lambda app, report: take_in(app, report) or app.now()


def _for_ever(_: Any) -> Any:
    """What may be a missing move keeps its round open for ever."""

    def waiting_for(app: Any, session: Any, game: Any, instant: Any) -> str:
        return next((one.why for one in missing_moves.unclear(app, session, game, instant)), "")

    return waiting_for


def _counted_all_the_same(note_duties: Any) -> Any:
    """An NMR counts although a mail lies there that may have been the move."""

    def noted(session: Any, game: Any, turn: Any, kept: Any, unclear: Any = frozenset()) -> None:
        note_duties(session, game, turn, kept)

    return noted


def _at_each_write(cause: Any) -> Any:
    """A reminder is known by something that changes."""
    return lambda game, span: f"{cause(game, span)}:{game.last_write}"


# -- access ------------------------------------------------------------------------------------------------------------


def _to_where_it_asks(recipient: Any) -> Any:
    """The answer goes where the mail says (Reply-To), not to the registered address."""

    def to(request: Any) -> Any:
        mail = message_from_bytes(request.row.raw)
        _, wanted = parseaddr(str(mail["Reply-To"] or ""))
        return replace(recipient(request), address=wanted) if wanted else recipient(request)

    return to


# -- secrecy -----------------------------------------------------------------------------------------------------------


def _of_who_is_due(context: Any) -> Any:
    """A position is shown as who owes a move sees it, to whoever reads it."""

    def position_context(
        app: Any, session: Any, game: Any, state: Any, viewer: Any, language: Any, own: Any = None
    ) -> Any:
        due = app.engine(game.engine).due(state)
        return context(app, session, game, state, min(due, default=viewer), language, own)

    return position_context


def _of_anybody(_: Any) -> Any:
    """A seat is shown the last move that came, whoever sent it."""

    def move_on_file(game: Any, at: Any, _seat: int) -> Any:
        sheet = max(sheet_queries.sheets_on_file(game).values(), key=lambda one: one.id, default=None)
        return steps.decode(at.engine.move_type, sheet.move) if sheet else None

    return move_on_file


def _as_a_seat_sees_it(view_of: Any) -> Any:
    """Spectators are shown what one of the players sees who have sent a move."""

    def shown(game: Game, at: Any, own: Any) -> Any:
        filed = sheet_queries.sheets_on_file(game)
        seats = [seat for seat in seat_queries.seats(game) if seat.number in filed]
        return view_of(game, at, own or next(iter(seats), None))

    return shown


# -- the record --------------------------------------------------------------------------------------------------------


def _in_the_first_game(add_duties: Any) -> Any:
    """Of rounds that are closed together all duties are noted with the first."""
    first: dict[int, Any] = {}

    def added(session: Any, turn: Any, duties: Any) -> None:
        add_duties(session, first.setdefault(id(session.get_transaction()), turn), duties)

    return added


def _last_one_missing(record: Any) -> Any:
    """The last verdict that a step rests on is not written down."""
    return lambda asked: record(dict(list(asked.items())[:-1]))


# -- the mailbox and the queue -----------------------------------------------------------------------------------------


def _moved_first(store: Any) -> Any:
    """Mails leave the inbox before they are stored."""

    def stored(app: Any, folder: str, mails: Any) -> Any:
        app.inbox.move([mail.uid for mail in mails], "processed")
        return store(app, folder, mails)

    return stored


def _each_seventh_lost(note_sent: Any) -> Any:
    """Of each seventh mail it is not written down that SMTP has taken it."""

    def noted(session: Any, sent: Any) -> None:
        note_sent(session, {mail_id: at for mail_id, at in sent.items() if mail_id % 7})

    return noted


def _queued_again(publish: Any) -> Any:
    """Bulletins that could not be sent at once are queued once more."""

    def published(app: Any) -> None:
        with app.database.write() as session:
            waiting = select(MailOut).where(
                MailOut.status == "queued", MailOut.attempts == 1, col(MailOut.cause).startswith("turn:"),
                ~col(MailOut.message_id).startswith("<again."),
            )  # fmt: skip
            for mail in session.exec(waiting).all():
                more = {"id": None, "cause": f"{mail.cause}:again", "message_id": f"<again.{mail.message_id[1:]}"}
                if not mail_queries.queued_for(session, more["cause"]):
                    session.add(MailOut(**{**mail.model_dump(), **more}))
        publish(app)

    return published


def _all_but_the_last(drafts: Any) -> Any:
    """The result of a game goes to everybody but the one who sits last."""

    def drafted(step: Any, **more: Any) -> Any:
        found = drafts(step, **more)
        return found[:-1] if step.outcome else found

    return drafted


# -- the archive -------------------------------------------------------------------------------------------------------


def _once_over(make_game: Any) -> Any:
    """The pages of a game that is over are not made anew."""

    def made(run: Any, session: Any, known: Any, game: Any) -> Any:
        found = make_game(run, session, known, game)
        there = run.site.read(f"partien/{found.slug}/partie.json") or b""
        return replace(found, pages=None, rows=None) if b'"status":"finished"' in there else found

    return made


FAULTS: Final = {
    "a move at the ZAT is too late": PlantedFault("deadlines", sheet_queries, "sheets_on_file", _before_the_zat),
    "a round closes without a fetch": PlantedFault("deadlines", tick, "_take_in", _without_a_fetch),
    "a round waits for ever": PlantedFault("deadlines", missing_moves, "waiting_for", _for_ever),
    "an excused NMR counts": PlantedFault("deadlines", steps, "_note_duties", _counted_all_the_same),
    "a reminder comes twice": PlantedFault("deadlines", reminders, "_cause", _at_each_write),
    "a forged mail is taken": PlantedFault("access", read, "_found_forged", lambda _: lambda *_: ""),
    "no proof is asked for": PlantedFault("access", confirmation, "is_proven", lambda _: lambda _: True),
    "an answer goes where the mail says": PlantedFault("access", carry_out, "_recipient", _to_where_it_asks),
    "a cap is not counted": PlantedFault("access", mail_queries, "sent_to", lambda _: lambda *_, **__: ()),
    "others see what a seat holds": PlantedFault("secrecy", game_mails, "position_context", _of_who_is_due),
    "others see a move on file": PlantedFault("secrecy", game_report, "_on_file", _of_anybody),
    "spectators see a move on file": PlantedFault("secrecy", game_report, "view_of", _as_a_seat_sees_it),
    "spectators see all": PlantedFault("secrecy", bulletins, "SPECTATOR", lambda _: ALL),
    "all steps have the same dice": PlantedFault("record", steps, "Dice", lambda _: lambda seed, _: Dice(seed, 0)),
    "a verdict is not recorded": PlantedFault("record", word_judge, "record", _last_one_missing),
    "a mail counts twice": PlantedFault("record", duplicate_mails, "find", lambda _: lambda *_: None),
    "duties are another game's": PlantedFault("several games", duty_queries, "add_duties", _in_the_first_game),
    "a mail is moved before it is stored": PlantedFault("queue", receive, "store", _moved_first),
    "a commit is lost": PlantedFault("queue", mail_queries, "note_sent", _each_seventh_lost),
    "a bulletin is queued again": PlantedFault("queue", tick, "publish", _queued_again),
    "an undone closing is told": PlantedFault("queue", closing, "_recall_mails", lambda _: lambda *_: True),
    "a result doesn't go to all": PlantedFault("queue", bulletins, "drafts", _all_but_the_last),
    "pages of a finished game stay": PlantedFault("archive", make_games, "_make_game", _once_over),
}
"""Each fault by what is wrong then."""

NEEDS: Final = {
    "a forged mail is taken": "forgers", "a cap is not counted": "floods", "a round closes without a fetch": "IMAP",
    "a bulletin is queued again": "SMTP", "a mail is moved before it is stored": "crash",
}  # fmt: skip
"""What must go wrong in a season for a fault to show at all: seasons without it needn't be played."""
