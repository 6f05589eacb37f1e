"""How many SQL statements a mail, a closing, a digest and an idle pass take: no more with thousands of games.

Statements are counted, not timed: the counts are the same on every machine. The times are in tests/benchmarks.
"""

from collections.abc import Callable, Iterator
from typing import Any, Final

import pytest
import sqlalchemy as sa
from many_games import ANNA, Cost, ManyGames, cost

from gm.app.pass_report import Report
from gm.demo.in_memory_zine import address_of
from gm.game.schedule.due_rounds import close_due
from gm.reports.games import all_games
from gm.reports.state import State
from gm.service.tick import tick
from gm.store.tables import MailIn
from parsers.mime.message import read_mail

pytestmark = pytest.mark.tampers  # its zines are written by hand

FEW, MANY, OLD_MAILS = 40, 600, 6000
SIZES: Final = (1, 100, 10_000)

IDLE: Final = 8
"""So many statements an idle pass may take; the others below are beyond those."""
A_MOVE: Final = 20
A_REPLY: Final = 20
"""A reply to the bulletin is compared with it: the mails of its thread are found, those that it repeats are read."""
A_CLOSING: Final = 31
TRANSACTIONS: Final = 4
"""Of a mail: stored, begun, handled, sent."""
WRITES: Final = ("INSERT", "UPDATE", "DELETE")


@pytest.fixture(scope="module")
def few(tmp_path_factory: Any) -> Iterator[ManyGames]:
    """A small zine."""
    zine = ManyGames(tmp_path_factory.mktemp("few"), FEW)
    zine.settle()
    yield zine
    zine.close()


@pytest.fixture(scope="module")
def many(tmp_path_factory: Any) -> Iterator[ManyGames]:
    """One of many running games, and with many mails behind it."""
    zine = ManyGames(tmp_path_factory.mktemp("many"), MANY, mails=OLD_MAILS)
    zine.settle()
    yield zine
    zine.close()


# -- what a pass costs -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module", params=[1, 100, pytest.param(10_000, marks=pytest.mark.trust)])
def zine(request: pytest.FixtureRequest, tmp_path_factory: Any) -> Iterator[ManyGames]:
    """A zine of one game, a hundred or ten thousand, which has come to rest."""
    zine = ManyGames(tmp_path_factory.mktemp("zine"), request.param)
    zine.settle()
    yield zine
    zine.close()


def whole_pass(zine: ManyGames) -> Cost:
    """Do a pass with all that belongs to it but the archive's pages, and count."""
    with cost(zine.app.database) as spent:
        tick(zine.app, archive=False)
    return spent


def writes_of(statements: list[str]) -> list[str]:
    """List those that change something."""
    return [said for said in statements if said.startswith(("INSERT", "UPDATE", "DELETE"))]


@pytest.mark.sqlite
def test_an_idle_pass_is_short(zine: ManyGames) -> None:
    """With nothing to do a pass asks a few questions and writes nothing."""
    zine.settle()
    idle = whole_pass(zine)
    assert len(idle.statements) <= IDLE
    assert writes_of(idle.statements) == []


def a_move(zine: ManyGames) -> None:
    """Let a player send a move, as a mail of its own."""
    zine.writes(ANNA, zine.move(1))


def a_reply(zine: ManyGames) -> None:
    """Let the player answer the bulletin with a move, and leave the bulletin below."""
    to_anna = (read_mail(letter.raw) for letter in zine.outbox.letters if letter.recipient == address_of(ANNA))
    (bulletin,) = (mail for mail in to_anna if "Runde 1 beginnt" in mail.subject)
    quoted = "\n".join(f"> {line}" for line in bulletin.text.splitlines())
    text = f"{zine.move(1)}\n\nAm 2.11.2026 schrieb die Spielleitung:\n{quoted}\n"
    zine.writes(ANNA, text, subject=f"Re: {bulletin.subject}", in_reply_to=bulletin.message_id)


@pytest.mark.sqlite
@pytest.mark.parametrize(("mail", "most"), [(a_move, A_MOVE), (a_reply, A_REPLY)])
def test_a_mail_alone(zine: ManyGames, mail: Callable[[ManyGames], None], most: int) -> None:
    """From its fetch to the sent mark of its confirmation, beyond what an idle pass takes."""
    zine.settle()
    idle = whole_pass(zine)
    mail(zine)
    busy = whole_pass(zine)
    (confirmation,) = (mail for _, mail in zine.mails())
    assert "angekommen" in confirmation.subject
    assert len(busy.statements) - len(idle.statements) <= most
    assert busy.transactions - idle.transactions <= TRANSACTIONS


def mails_and_closings(zine: ManyGames) -> list[str]:
    """Let ten moves come for ten games, and ten rounds be due, in one pass."""
    for number in range(1, 11):
        zine.sends(number)
    zine.is_due(range(21, 31))
    with cost(zine.app.database) as spent:
        report = zine.pass_without_delivery()
    assert (report.received, len(report.closed)) == (10, 10)
    zine.settle()
    return spent.statements


@pytest.mark.trust
def test_a_pass_takes_as_many_statements_among_many_games(few: ManyGames, many: ManyGames) -> None:
    """Neither running games nor mails of former years make a mail or a closing ask more."""
    assert mails_and_closings(many) == mails_and_closings(few)


@pytest.mark.trust
@pytest.mark.sqlite
def test_a_closing_is_one_transaction(few: ManyGames) -> None:
    """Rounds that are due together are closed one by one, each in a transaction of its own."""

    def closings(numbers: range) -> Cost:
        few.is_due(numbers)
        with cost(few.app.database) as spent:
            close_due(few.app, few.now, Report())
        few.settle()
        return spent

    many, some = closings(range(11, 21)), closings(range(31, 36))
    assert many.transactions - some.transactions == 10 - 5
    assert len(many.statements) - len(some.statements) <= (10 - 5) * A_CLOSING


def test_mails_of_one_second_are_not_compared_with_each_other(few: ManyGames) -> None:
    """Whether a mail came before is looked up by Date and sender: of twenty of one second each is loaded once."""
    loaded: list[str] = []

    def note(row: MailIn, _context: Any) -> None:
        loaded.append(row.sender)

    for number in range(1, 21):
        few.sends(number, headers={"Date": "Mon, 02 Nov 2026 12:00:00 +0100"})
    sa.event.listen(MailIn, "load", note)
    try:
        assert few.pass_without_delivery().received == 20
    finally:
        sa.event.remove(MailIn, "load", note)
    few.settle()
    assert len(loaded) == 20


def test_gm_list_takes_one_more_statement_for_500_games(few: ManyGames, many: ManyGames) -> None:
    """`gm show` takes the same statements in any zine, `gm list` one more for each 500 games, none for each game."""

    def first(app: Any, session: Any) -> object:
        return State(app, session).first

    asked = {}
    for zine in (few, many):
        for look in (first, all_games):
            with cost(zine.app.database) as spent, zine.app.database.read() as session:
                look(zine.app, session)
            asked[zine, look] = len(spent.statements)
    assert asked[many, first] == asked[few, first] <= 20
    assert asked[few, all_games] < asked[many, all_games] <= 2 * asked[few, all_games]


@pytest.mark.trust
def test_the_digest_takes_statements_by_the_portion(few: ManyGames, many: ManyGames) -> None:
    """An issue for 1,200 players asks a few times for each 500 games or players, not for each of them."""
    counted = {}
    for zine in (few, many):
        zine.at("2026-11-08T17:00:00+01:00")
        zine.settle()
        zine.at("2026-11-08T18:00:01+01:00")
        with cost(zine.app.database) as spent:
            zine.pass_without_delivery()
        sent = [said for said in spent.statements if said.startswith("INSERT INTO mail_out")]
        counted[zine] = len(spent.statements), len(sent)
    assert counted[many][1] > 2
    assert counted[many][0] < 5 * counted[few][0]
    assert counted[many][0] < MANY / 3
