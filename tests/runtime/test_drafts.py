"""Files that take another one's place all at once."""

import os
import stat
from pathlib import Path

import pytest
from crashes import killed_at

from gm.runtime import drafts

NEW = "new" * 1000 + "whole"


def test_killed_anywhere(tmp_path: Path) -> None:
    """Wherever the process is killed, there is the old file or the new one, and the next one clears up."""
    target, seen, is_killed = tmp_path / "pages.html", [], True
    while is_killed:
        target.write_text("old")
        is_killed = killed_at(at := len(seen), tmp_path, lambda: drafts.replace(target, NEW.encode()))
        seen.append(target.read_text())
        assert seen[-1] in ("old", NEW), at
        drafts.replace(target, b"again")
        assert [path.name for path in tmp_path.iterdir()] == ["pages.html"], at
    assert seen.count("old") >= 4
    assert seen.count(NEW) >= 2


def test_what_fails_leaves_nothing(tmp_path: Path) -> None:
    """An error leaves the old file alone and no draft, nor what was put into it; nor does a killed process for long."""
    target = tmp_path / "gm.db"
    target.mkdir()
    with pytest.raises(OSError, match="director"):
        drafts.replace(target, b"new")
    (tmp_path / ".gm.db.part").mkdir()
    with pytest.raises(ValueError, match="full"), drafts.draft_folder(target) as folder:  # noqa: PT012
        (folder / "one").touch()
        raise ValueError("full")
    assert [path.name for path in tmp_path.iterdir()] == ["gm.db"]


@pytest.mark.parametrize(("mode", "rights"), [(drafts.PRIVATE, 0o600), (drafts.FOR_ALL, 0o644)])
def test_rights(tmp_path: Path, mode: int, rights: int) -> None:
    """Secrets are for nobody else, even where the older file was for all; pages are for all."""
    target = tmp_path / "file"
    target.touch(0o666)
    before = os.umask(0o022)
    try:
        drafts.replace(target, b"new", mode)
    finally:
        os.umask(before)
    assert stat.S_IMODE(target.stat().st_mode) == rights
