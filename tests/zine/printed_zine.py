"""A zine whose players do what the game suggests, and that prints issues."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from copied_games import copy_games
from played_zine import MOST_STEPS, OTHERS, WISHES, PlayedZine

from gm.archive.issue import pdf
from gm.archive.issue.build import Built, build
from gm.cli.commands import main
from gm.demo.in_memory_zine import PLAYERS, Story

ISSUES = {"first": 1, "dates": ["2026-11-25"], "rhythm": "5w"}
"""A calendar: issue 1 prints what was released before 21 November, 20:00, issue 2 the five weeks after that."""
CANARY = "kanarienvogel@spieler.example"


class PrintedZine(PlayedZine):
    """A played zine with settings of its own."""

    def __init__(self, folder: Path, **more: Any) -> None:
        deadlines = {"close_early": False, "release": more.pop("release", "auto"), "zat": "40d"}
        Story.__init__(self, folder, more={"deadlines": deadlines, **more})

    @property
    def issues(self) -> Path:
        """The folder of the issues."""
        return self.config.parent / "issues"

    def builds(self, number: int | None = None, **more: Any) -> Built:
        """Build an issue."""
        return build(self.app, number, **more)

    def reads(self, name: str, number: int = 1) -> bytes:
        """Read a file of an issue."""
        return (self.issues / str(number) / name).read_bytes()

    def text(self, number: int = 1) -> str:
        """Read issue.txt."""
        return self.reads("issue.txt", number).decode()

    def orders(self, text: str, number: int = 1) -> None:
        """Write issue.toml."""
        folder = self.issues / str(number)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "issue.toml").write_text(text, encoding="utf-8")

    def puts(self, name: str, text: str, number: int = 1) -> None:
        """Put a file beside issue.toml."""
        folder = self.issues / str(number)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def gm(zine: PrintedZine, *words: str) -> int:
    """Say a command of `gm` in this process; gives its exit code."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["gm", *words, "--config", str(zine.config)])
        with pytest.raises(SystemExit) as ended:
            main()
    return int(ended.value.code or 0)


def without_pages(monkeypatch: Any) -> None:
    """Let WeasyPrint be missing, as on a machine without the extra: setting pages takes seconds."""
    monkeypatch.setitem(__import__("sys").modules, "weasyprint", None)


def needs_pages() -> str:
    """Say what is missing to set pages and to look at them; empty if nothing is."""
    if shutil.which("pdftoppm") is None:
        return "pdftoppm is not installed"
    found = pdf.check()
    return "" if found.status == "ok" else found.sentence


ROUNDS = {"farbdomino": 5, "wer-behaelt-recht": 5, "point-typ-dom": 4, "wort-yahtzee": 2}
"""Games that are cut to look running; the others are played to their end."""


def play_twenty_games(zine: PrintedZine) -> None:
    """Begin games of all kinds, and copy those that have ended until there are twenty."""
    for kind, (name, seats, options) in OTHERS.items():
        zine.begins(kind, name, PLAYERS[:seats], options=options)
        zine.says("Anna Berg", name, "Das wird ein langer Abend, denn wieder liegen die Steine quer im Haus,", "oder?")
        zine.plays(name, ROUNDS.get(kind, MOST_STEPS))
    for name, rounds in (("Eriwan", 6), ("Isfahan", 2)):
        zine.begins("crossword", name, PLAYERS, WISHES)
        zine.plays(name, rounds)
    zine.opens("crossword", "Xanten")
    zine.joins("Xanten", PLAYERS[:2], "AB")
    zine.tick(archive=True)
    copy_games(zine.config.parent / "gm.db", games=10)
