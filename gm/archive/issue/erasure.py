"""Printed issues without somebody who was forgotten: those that show a trace are built anew, in the archive too."""

import html
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from gm.app.context import App
from gm.app.issues import FOLDER, PUBLISHED
from gm.archive.issue import order, send
from gm.archive.issue.build import BOOKLET, HTML, PDF, TEXT, build, folder_of
from gm.archive.issue.phrases import phrase
from gm.game.people.personal_data import Forgotten, PersonFinder
from gm.runtime import drafts
from gm.runtime.errors import OperatorError, Refused

FEWEST: Final = 8
"""Letters of a line that shows by itself that a text stands somewhere."""


def erase_from_issues(app: App, gone: Forgotten) -> list[str]:
    """Build each issue anew that has a name or a text of who was forgotten, and put it where it was published.

    The GM's own pages lose the name before that. What can't be built anew is deleted. Says what was done.
    """
    anew: list[str] = []
    said: list[str] = []
    issues, published = app.settings.folder / FOLDER, app.settings.archive.path / PUBLISHED
    for number in sorted({*_numbers(issues), *_numbers(published)}):
        folders = folder_of(app, number), send.published_folder(app, number)
        try:
            said += [f"{path} is without the name now." for path in _scrub(folders[0], gone.finder)]
            if _has_trace([page for folder in folders for page in _pages(folder)], gone):
                said += _build_anew(app, number, *folders)
                anew.append(str(number))
        except OSError as error:
            said.append(f"Issue {number} may still show the name ({' and '.join(map(str, folders))}): {error}")
    return [*([f"Issues without the name now: {', '.join(anew)}."] if anew else []), *said]


def _numbers(folder: Path) -> Iterator[int]:
    if folder.is_dir():
        yield from (int(path.name) for path in folder.iterdir() if path.name.isdecimal())


def _scrub(folder: Path, finder: PersonFinder) -> Iterator[Path]:
    """Take the name out of the GM's own pages; gives those that had it."""
    for path in sorted(folder.rglob("*.md")):
        source = path.read_bytes().decode("utf-8", "surrogateescape")
        if (plain := finder.scrub(source)) != source:
            drafts.replace(path, plain.encode("utf-8", "surrogateescape"), path.stat().st_mode & 0o777)
            yield path


def _pages(folder: Path) -> Iterator[Path]:
    """Give what stands in an issue as text: its pages for paper say the same."""
    yield from (path for name in (HTML, send.INDEX, TEXT) if (path := folder / name).is_file())


def _has_trace(pages: Sequence[Path], gone: Forgotten) -> bool:
    texts = [_text(path) for path in pages]
    lines = [line for text in gone.texts for line in (text, *text.split("\n"))]
    written = [signs for line in lines if len(signs := _signs(line)) >= FEWEST]
    return any(
        gone.finder.scrub(text) != text or gone.shown in text or any(one in _signs(text) for one in written)
        for text in texts
    )


def _text(path: Path) -> str:
    """Read a page without its tags, in one line."""
    text = path.read_text(encoding="utf-8", errors="replace")
    plain = (
        html.unescape(re.sub(r"<style>.*?</style>|<[^>]*>", " ", text, flags=re.DOTALL)) if "<html" in text else text
    )
    return " ".join(plain.split())


def _signs(text: str) -> str:
    return "".join(re.findall(r"\w", text))


def _build_anew(app: App, number: int, own: Path, published: Path) -> list[str]:
    """Build an issue as it was called, and put it where it was; says what isn't there any more. Raises OSError.

    Where it had gone out, what is built now counts as what went out: nobody gets it twice.
    """
    corrected = phrase(app.settings.service.language, "CORRECTED")
    was_corrected = any(corrected in _text(page) for folder in (own, published) for page in _pages(folder))
    before, had_order = send.checksum_of(own), (own / order.NAME).exists()
    try:
        built = build(app, number, corrected=was_corrected)
        if published.is_dir():
            send.put(own, published)
    except (OperatorError, Refused) as error:
        for path in (folder / name for folder in (own, published) for name in (HTML, send.INDEX, TEXT, PDF, BOOKLET)):
            path.unlink(missing_ok=True)
        again = f"gm issue build {number}, gm issue send {number}"
        return [f"Issue {number} is deleted, as it can't be built anew: {error} Mend that, then: {again}"]
    finally:
        send.count_as_sent(app, number, before, send.checksum_of(own))
    lost = [] if had_order else [f"There was no {own / order.NAME}; pages of your own are in it no more."]
    return [f"Issue {number}: {trouble}" for trouble in (*lost, *built.troubles)]
