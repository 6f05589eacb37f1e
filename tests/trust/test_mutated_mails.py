"""Thousands of mutated mails, sent to a zine with a running game of every kind: nothing hangs or crashes.

A failing mail can be made again by its number: `GM_MUTATED=4711 pytest tests/trust/test_mutated_mails.py`. With
GM_TALLY=FILE each part writes there the results of its mails and the cost of the slowest ones.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Iterator
from itertools import compress
from pathlib import Path
from typing import Any

import flood
import foreign_mails
import move_styles
import mutations
import pytest
from typer.testing import CliRunner

from gm.cli.commands import cli
from gm.transport.doubles.embedded_server import MailServer

PARTS, PARTS_AT_FULL_LENGTH = 4, 400
PART = 250
"""So many mails, 125 of them at once."""
AT_ONCE = 125
OF_OTHERS = 200
OVER_IMAP = range(200)
USER = "gm-flood@local.test"
ALLOWED = {"applied", "refused", "ignored", "quarantined", "waiting"}
OUR_FAULT = re.compile("this is a bug|took longer|the service ended")
MOST_UNITS = 1000
"""The two seconds that the service gives a mail, in units of `cpu_cost`."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Part the flood so that several processes share it."""
    if "numbers" not in metafunc.fixturenames:
        return
    if wanted := os.environ.get("GM_MUTATED"):
        parts = [range(int(wanted), int(wanted) + 1)]
    else:
        many = PARTS_AT_FULL_LENGTH if metafunc.config.getoption("--full-length") else PARTS
        parts = [range(at * PART, (at + 1) * PART) for at in range(many)]
    metafunc.parametrize("numbers", parts, ids=lambda numbers: f"from {numbers.start}")


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """One running game of each kind, and what its players write."""
    return flood.prepare(tmp_path_factory.mktemp("prepared"), mutations, move_styles)


@pytest.fixture
def zine(prepared: Any, tmp_path: Path) -> Iterator[Any]:
    """A copy of it."""
    zine = prepared.zine(tmp_path / "zine")
    yield zine
    zine.close()


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Somebody who notes what each mail costs."""
    watch = flood.CostOfMails()
    watch.watch(monkeypatch)
    return watch


def test_mutated_mails(
    numbers: range, prepared: Any, zine: Any, watch: Any, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    """Each ends in a status with a reason, soon, by no fault of ours, with one answer at most; the games go on."""
    made: dict[int, int] = {}
    for start in range(numbers.start, numbers.stop, AT_ONCE):
        some = numbers[start - numbers.start : start - numbers.start + AT_ONCE]
        made.update(enumerate(some, len(made) + 1))
        zine.deliver_all(mutations.mutated(number, prepared.letters, prepared.mails) for number in some)
    _look_at(zine, watch, made, caplog)
    for mail_id, status in {status: mail_id for mail_id, status, _ in zine.received()}.items():
        shown = CliRunner().invoke(cli, ["mail", "show", str(status), "--config", str(zine.config)])
        assert re.match(rf"Status: {mail_id}: .", shown.output), shown.output
    if numbers.start % (PARTS * PART) == 0 or "GM_MUTATED" in os.environ:
        zine.play_on()
    assert zine.faults() == []


def test_mutated_mails_of_others(
    prepared: Any, zine: Any, watch: Any, caplog: pytest.LogCaptureFixture, at_full_length: bool
) -> None:
    """Mails that aren't meant for a game do no harm either, spoilt, and as if our players had sent them."""
    raws = [mail.raw for mail in foreign_mails.mails()]
    numbers = range(OF_OTHERS * (20 if at_full_length else 1))
    for start in range(0, len(numbers), AT_ONCE):
        zine.deliver_all(
            mutations.borrowed(number, prepared.letters, raws) for number in numbers[start : start + AT_ONCE]
        )
    _look_at(zine, watch, dict(enumerate(numbers, 1)), caplog)


def test_mutated_mails_over_imap(
    prepared: Any, watch: Any, caplog: pytest.LogCaptureFixture, at_full_length: bool, tmp_path: Path
) -> None:
    """It is the same where a server hands the mails out over the wire, the huge ones in pieces."""
    numbers = range(OVER_IMAP.start, OVER_IMAP.stop * (10 if at_full_length else 1))
    made: list[int] = []
    with MailServer({USER: "secret"}) as server:
        zine = prepared.zine(tmp_path / "zine", flood.ZineOverImap)
        zine.reach(server, USER)
        for start in range(0, len(numbers), AT_ONCE):
            some = numbers[start : start + AT_ONCE]
            taken = zine.deliver_all(
                mutations.mutated(number, prepared.letters, prepared.mails, heavy=0.02) for number in some
            )
            made += compress(some, taken)
        assert len(made) > 0.95 * len(numbers)
        _look_at(zine, watch, dict(enumerate(made, 1)), caplog)
        zine.close()


def test_a_mail_is_the_same_again(prepared: Any) -> None:
    """The same number makes the same mail, another one another, and most of them are by our players."""
    made = [mutations.mutated(number, prepared.letters, prepared.mails) for number in range(200)]
    assert made == [mutations.mutated(number, prepared.letters, prepared.mails) for number in range(200)]
    assert len(set(made)) == len(made)
    assert sum(b"@spieler.example" in raw for raw in made) > 100


def _look_at(zine: Any, watch: Any, numbers: dict[int, int], caplog: pytest.LogCaptureFixture) -> None:
    """Look at what became of mails; `numbers` tells by which number each id was made."""
    rows = zine.received()
    assert len(rows) == len(numbers)
    wrong = [(numbers[row.id], row.status, row.reason) for row in rows
             if row.status not in ALLOWED or not row.reason or OUR_FAULT.search(row.reason)]  # fmt: skip
    assert not wrong
    slow = sorted(((round(cpu, 3), numbers[mail_id]) for mail_id, cpu in watch.cpu.items()), reverse=True)
    assert slow[0][0] < MOST_UNITS, slow[:5]
    assert all(number == 1 for number in zine.answers().values())
    assert flood.SECRET not in caplog.text
    if tally := os.environ.get("GM_TALLY"):
        found = {"statuses": Counter(row.status for row in rows), "slowest": slow[:5]}
        with Path(tally).open("a", encoding="utf-8") as file:
            file.write(json.dumps(found) + "\n")
