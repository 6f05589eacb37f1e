"""One move written in hundreds of ways, as mail programs and people do (`move_styles.py`), and its result."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from email import message_from_bytes
from email.message import Message
from typing import Any

import move_styles
import pytest
from sqlmodel import delete, select

from gm.demo.in_memory_zine import PLAYERS, address_of
from gm.messages.sentences import SENTENCES
from gm.store.queries import game_queries, sheet_queries
from gm.store.tables import MailIn, Sheet
from parsers.mime.message import read_mail

pytestmark = pytest.mark.reading

ANNA = PLAYERS[0]
FIRST = ("......", "ROT.IN", "......", "......", "D.....", "......")
THIRD = ("rot.IN", "T.d...", "....in", "torERO", "......", ".....e")
LAID = (("ROT...", "..D...", "....IN", "......", "......", "......"),
        ("rot...", "..d...", "....in", "TOR...", "......", ".....E"))  # fmt: skip
"""What everybody sends in rounds 1 and 2, so that round 3 finds the small letters of `THIRD`."""
LIMITS = {"security": {"answers_per_hour": 10_000}, "nmr": {"standby_after": 0}}
NAMES = tuple(move_styles.STYLES)
BATCHES = [NAMES[at : at + len(PLAYERS)] for at in range(0, len(NAMES), len(PLAYERS))]


@dataclass(frozen=True, kw_only=True)
class Result:
    """What became of a mail."""

    status: str
    reason: str
    filed: tuple[tuple[str, ...], str] | None
    """Grid and wish on file."""
    answers: tuple[str, ...]
    """Subjects and texts."""


class Desk:
    """A zine in which all six players have the same grid and no move on file, and the mails they answer to.

    Six mails are handled in one pass, each from another player: that halves the time.
    """

    def __init__(self, zine: Any, rows: tuple[str, ...], wish: str) -> None:
        self.zine = zine
        self.move = move_styles.Move(title="Crossword", game="Eriwan", wish=wish, rows=rows)
        bulletin = _latest(zine)
        confirmation = _says(zine, *self.move.other.lines[:1], "Neu: Z", *self.move.other.rows)
        rejection = _says(zine, *self.move.lines[:2], "QQQQQQ", *rows[1:])
        self._clear()
        status = _says(zine, "Stand Eriwan")
        self.case = move_styles.Case(
            move=self.move, round=zine.round, bulletin=bulletin, confirmation=confirmation, rejection=rejection,
            status=status,
        )  # fmt: skip

    def upshots(self, names: tuple[str, ...]) -> list[Result]:
        """Return what became of the mails in these styles, one from each player."""
        zine = self.zine
        zine.mails()
        for name, player in zip(names, PLAYERS, strict=False):
            case = replace(self.case, name=player, sender=address_of(player))
            zine.arrives(move_styles.STYLES[name].mail(case))
        zine.tick()
        answers = zine.mails()
        allowed = {"cici@postspiel.example", *map(address_of, PLAYERS[: len(names)])}
        assert {recipient for recipient, _ in answers} <= allowed
        with zine.app.database.read() as session:
            rows = session.exec(select(MailIn).order_by(MailIn.id.desc()).limit(len(names))).all()[::-1]  # type: ignore[attr-defined]
            on_file = sheet_queries.sheets_on_file(game_queries.named(session, "Eriwan"))
        found = []
        for player, row, seat in zip(PLAYERS, rows, range(1, 7), strict=False):
            sheet = on_file.get(seat)
            said = [f"{mail.subject}\n{mail.text}" for to, mail in answers if to == address_of(player)]
            filed = (tuple(sheet.move["grid"]), sheet.move["wish"]) if sheet else None
            found.append(Result(status=row.status, reason=row.reason, filed=filed, answers=tuple(said)))
        self._clear()
        return found

    def _clear(self) -> None:
        """Leave no move on file."""
        with self.zine.writing() as session:
            session.exec(delete(Sheet))


@pytest.fixture(scope="session")
def desks(opener: Callable[..., Any]) -> Iterator[tuple[Desk, ...]]:
    """Eriwan in round 1, with empty grids, and in round 3, with old letters in them; each in a zine of its own."""
    first, third = opener("started", **LIMITS), opener("started", **LIMITS)
    for rows in LAID:
        for player, wish in zip(PLAYERS, "ENTIRO", strict=True):
            third.writes(player, "\n".join(("Crossword Eriwan", f"Neu: {wish}", *rows, "")))
        third.tick()
        third.passes_until(third.zat, seconds=1)
        third.tick()
    yield Desk(first, FIRST, "E"), Desk(third, THIRD, "K")
    first.close()
    third.close()


def _says(zine: Any, *lines: str) -> Any:
    """Let Anna write, and return our answer."""
    zine.writes(ANNA, "\n".join((*lines, "")))
    zine.tick()
    return _latest(zine)


def _latest(zine: Any) -> Any:
    """The last mail that Anna got."""
    raw = zine.outgoing(address=address_of(ANNA))[-1].raw
    text, html = (_decoded(part) for part in message_from_bytes(raw).get_payload())
    mail = read_mail(raw)
    return move_styles.Ours(subject=mail.subject, message_id=mail.message_id, text=text, html=html)


def _decoded(part: Message) -> str:
    data = part.get_payload(decode=True)
    assert isinstance(data, bytes)
    return data.decode().replace("\r\n", "\n")


def _holds(answer: str, key: str, upshot: Result, move: Any) -> bool:
    """Return whether an answer is this one: a template, a sentence, or the move shown as a block."""
    if key == "offer":
        title, *rest = map(re.escape, move.lines)
        block = "\n".join((f"{title}(, Runde \\d)?", *rest))
        return re.search(block, "\n".join(line.strip() for line in answer.split("\n"))) is not None
    if key not in SENTENCES:
        return key in upshot.reason.split(", ")
    said = " ".join(answer.split())
    return any(re.search(re.sub(r"\\\{\w+\\\}", ".*", re.escape(text)), said) for text in SENTENCES[key].values())


def _check(outcome: Any, move: Any, upshot: Result) -> None:
    whole = (tuple(row.upper() for row in move.rows), move.wish)
    right = {whole} if outcome.wish and outcome.kind == "taken" else {whole, (whole[0], "")}
    assert upshot.status != "quarantined", upshot.reason
    assert upshot.filed is None or upshot.filed in right, f"a WRONG move is on file: {upshot.filed}"
    if outcome.kind == "silent":
        assert not upshot.filed, "taken"
        assert not upshot.answers, "answered"
        return
    assert len(upshot.answers) == 1, f"{len(upshot.answers)} answers ({upshot.status}: {upshot.reason})"
    answer = upshot.answers[0]
    if outcome.kind == "taken":
        assert upshot.filed, f"not taken ({upshot.reason}):\n{answer}"
    if upshot.filed:
        assert "confirmation" in upshot.reason.split(", ")
    if outcome.kind == "refused":
        assert not upshot.filed, "taken"
        found = [key for key in outcome.answers if _holds(answer, key, upshot, move)]
        assert found, f"none of {outcome.answers} ({upshot.reason}):\n{answer}"


@pytest.mark.trust(except_first=4)
@pytest.mark.parametrize("names", BATCHES, ids=lambda names: names[0])
def test_styles(desks: tuple[Desk, ...], names: tuple[str, ...], subtests: pytest.Subtests) -> None:
    """What comes out is what must: on an empty grid in round 1 as well as among old letters in round 3."""
    for round_, at in zip((1, 3), desks, strict=True):
        for name, upshot in zip(names, at.upshots(names), strict=True):
            with subtests.test(name, round=round_):
                _check(move_styles.STYLES[name].outcome, at.move, upshot)


def test_the_styles_are_many_and_differ(desks: tuple[Desk, ...]) -> None:
    """There are 200 styles at least, and no two of them write the same mails (their Message-IDs and times aside)."""
    mails = set()
    for name, style in move_styles.STYLES.items():
        written = (style.mail(at.case).replace(f"<{name}.".encode(), b"<.") for at in desks)
        mails.add(tuple(re.sub(rb"Date: Tue, 03 Nov 2026 [0-9:]+", b"", mail) for mail in written))
    assert len(mails) == len(NAMES) >= 200
