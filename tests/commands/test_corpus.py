"""Real mails of other projects (shared/corpus, beside the repository) through the whole service."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from cpu_cost import work_units

from gm.store.tables import Sheet

CORPUS = Path(__file__).parents[2].parent / "shared" / "corpus"
TOGETHER = 5
"""So many come between two looks into the mailbox; even these take no longer than one may."""
pytestmark = [
    pytest.mark.reading, pytest.mark.skipif(not CORPUS.is_dir(), reason="../shared/corpus is not here"),
]  # fmt: skip


def test_no_move_no_answer_to_robots_nothing_stops(eriwan: Any) -> None:
    """Every mail is ignored or answered with the help, once an address, in the time that a mail has."""
    files = sorted(CORPUS.rglob("*.eml"))
    assert len(files) > 400
    for at in range(0, len(files), TOGETHER):
        batch = files[at : at + TOGETHER]
        for file in batch:
            eriwan.arrives(file.read_bytes())
        reports: list[Any] = []
        assert work_units(lambda reports=reports: reports.append(eriwan.tick())) < 1000, batch
        assert not reports[0].troubles, batch
    rows = eriwan.received()
    assert len(rows) == len(files)
    # One of them asks for help in so many words.
    assert Counter(row.status for row in rows)["applied"] == 1
    assert {row.reason for row in rows if row.status != "ignored"} == {"help", "stranger"}
    assert not eriwan.rows(Sheet)
    answered = Counter(row.address for row in eriwan.outgoing(kind="help"))
    assert set(answered.values()) == {1}
    assert not eriwan.outgoing(kind="trouble")
    labels = dict(line.split("\t") for line in (CORPUS / "labels.tsv").read_text(encoding="utf-8").splitlines()[1:])
    people = {row.sender for row, file in zip(rows, files, strict=True) if labels.get(_path(file)) == "human"}
    robots = {row.sender for row, file in zip(rows, files, strict=True) if "bounce" in labels.get(_path(file), "")}
    assert people <= set(answered)
    # One mail is labelled as bounce, but a person's with text and attachments.
    assert len(robots & set(answered)) <= 1


def _path(file: Path) -> str:
    return file.relative_to(CORPUS).as_posix()
