"""Files that take another one's place all at once."""

import os
import pydoc
import stat
from pathlib import Path
from typing import Any

import pytest
from crashes import killed_at

from gm.runtime import drafts

NEW = "new" * 1000 + "whole"


def test_killed_anywhere(tmp_path: Path) -> None:
    """Wherever the process is killed, there is the old file or the new one, and the next one clears up."""
    target, seen, is_killed = tmp_path / "pages.html", [], True

    def write() -> None:
        with drafts.replaced(target) as draft:
            with draft.open("w") as file:
                file.write("new" * 1000)
            with draft.open("a") as file:
                file.write("whole")

    while is_killed:
        target.write_text("old")
        is_killed = killed_at(at := len(seen), tmp_path, write)
        seen.append(target.read_text())
        assert seen[-1] in ("old", NEW), at
        drafts.replace(target, b"again")
        assert [path.name for path in tmp_path.iterdir()] == ["pages.html"], at
    assert seen.count("old") >= 5
    assert seen.count(NEW) >= 2


def test_what_somebody_is_at_stays(tmp_path: Path) -> None:
    """Only drafts that nobody is at any more are deleted, and only those of the same file."""
    target, other = tmp_path / "copy.db", tmp_path / ".other.db.12345678.part"
    other.mkdir()
    with drafts.replaced(target) as first:
        first.write_text("first")
        drafts.replace(target, b"second")
        assert target.read_text() == "second"
    assert target.read_text() == "first"
    assert other.exists()
    drafts.clear_drafts(tmp_path, ".other*")
    assert [path.name for path in tmp_path.iterdir()] == ["copy.db"]


def test_what_fails_leaves_nothing(tmp_path: Path) -> None:
    """An error within leaves the old file alone and no draft, nor what was put beside that."""
    target = tmp_path / "gm.db"
    target.write_text("old")
    with pytest.raises(ValueError, match="full"), drafts.replaced(target) as draft:  # noqa: PT012
        Path(f"{draft}-wal").touch()
        raise ValueError("full")
    with pytest.raises(ValueError, match="full"), drafts.draft_folder(target) as folder:  # noqa: PT012
        (folder / "one").touch()
        raise ValueError("full")
    assert [path.name for path in tmp_path.iterdir()] == ["gm.db"]
    assert target.read_text() == "old"


@pytest.mark.parametrize(("mode", "rights"), [(drafts.PRIVATE, 0o600), (drafts.FOR_ALL, 0o644)])
def test_rights(tmp_path: Path, mode: int, rights: int) -> None:
    """Secrets are for nobody else, even where the older file was for all; pages are for all."""
    target = tmp_path / "file"
    target.touch(0o666)
    before = os.umask(0o022)
    try:
        with drafts.replaced(target, mode) as draft:
            assert stat.S_IMODE(draft.stat().st_mode) == rights
    finally:
        os.umask(before)
    assert stat.S_IMODE(target.stat().st_mode) == rights


@pytest.mark.parametrize("place", ["gm.runtime.file_lock.os.open", "filelock.lock_descriptor"])
def test_a_new_draft_that_is_taken_for_a_left_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:  # fmt: skip
    """Another process may clear away a draft that isn't locked yet, even with its lock open: one more is begun."""
    target, here = tmp_path / "pages.html", iter([True])
    go_on = pydoc.locate(place)

    def after_another_one(*given: Any, **more: Any) -> Any:
        if next(here, False):
            drafts.clear_drafts(tmp_path, ".pages.html.*")
        return go_on(*given, **more)

    monkeypatch.setattr(place, after_another_one)
    drafts.replace(target, NEW.encode())
    assert [path.name for path in tmp_path.iterdir()] == ["pages.html"]
    assert target.read_text() == NEW
