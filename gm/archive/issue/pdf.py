"""Setting the pages of an issue with WeasyPrint, which the extra `zine` brings; no other module knows it.

Nothing is fetched: the library gets the fonts of the issue and no other file. It falls back silently where something
is wrong, so each of its warnings stops the build.
"""

import hashlib
import logging
import unicodedata
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from gm.archive.issue.pages import FONTS, Fill, font
from gm.runtime.errors import OperatorError
from gm.runtime.network import Check
from gm.runtime.tracebacks import described
from parsers.invisible import is_invisible

if TYPE_CHECKING:
    from weasyprint import Document

SHEET: Final = 4
"""Pages of a folded sheet."""
ZOOM: Final = {"a5": 1.0, "a4": 297 / 210}
"""A4 is the same pages, enlarged for who reads small print badly."""
EMPTY: Final = 0.6
"""A page of which less is used is worth filling."""
HALF: Final = 0.5
"""After a page of which less is used, boards are set smaller."""
MILLIMETRE: Final = 96 / 25.4
"""In pixels, in which the library lays out."""
LINE, HEADING, LEAST_LINES = 6.9, 14.0, 3
"""Millimetres of a line to write on, and of the heading above; so many lines must have room below that."""
BRINGS: Final = "pip install 'postal-gm[zine]'"
PANGO: Final = "apt install libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0"


class NoPages(OperatorError):  # noqa: N818 (its name is the sentence)
    """Pages can't be set here; the sentence says what brings them."""


@dataclass(frozen=True, kw_only=True)
class Pages:
    """The pages of an issue."""

    pdf: bytes
    count: int
    filler: tuple[str, ...]
    lines: int
    """How many lines to write on fill the rest."""
    empty: tuple[int, ...]
    """Pages of which much is left blank."""
    unknown: str
    """Letters and marks that the fonts don't have: a box stands for each letter, a mark is left out."""


def check() -> Check:
    """Say for `gm doctor` whether pages can be set here."""
    try:
        _library()
    except NoPages as missing:
        return Check("issue", "warn", str(missing))
    return Check("issue", "ok", "issue.pdf can be made.")


def set_pages(pages: Callable[[Fill], str], *, filler: Sequence[str], page: str, identifier: str) -> Pages:
    """Set an issue so that its pages fill whole sheets, and none is half empty.

    `pages` makes the HTML. Of the filler each is used at most once. Raises NoPages where the library is missing,
    OperatorError where it warns or fails.
    """
    unknown: dict[str, None] = {}
    tight: Collection[str] = ()

    def set_with(used: Sequence[str], lines: int = 0) -> "Document":
        html, missing = _in_our_letters(pages(Fill(filler=used, lines=lines, tight=tight)))
        unknown.update(dict.fromkeys(missing))
        return _laid_out(html)

    with _no_warnings():
        document, used = set_with(()), list[str]()
        if tight := _behind_a_gap(document):
            document = set_with(())
        for name in filler:
            missing = -len(document.pages) % SHEET
            found = set_with([*used, name]) if missing else document
            if 0 < len(found.pages) - len(document.pages) <= missing:
                used, document = [*used, name], found
        lines = _lines_to_fill(document)
        if lines:
            document = set_with(used, lines)
        pdf = document.write_pdf(
            zoom=ZOOM[page], pdf_identifier=hashlib.sha256(identifier.encode()).digest()[:16], pdf_tags=True,
        )  # fmt: skip
    return Pages(
        pdf=pdf, count=len(document.pages), filler=tuple(used), lines=lines, empty=tuple(_empty(document)),
        unknown="".join(unknown),
    )  # fmt: skip


def _lines_to_fill(document: "Document") -> int:
    """Count the lines to write on that fill the last page before the imprint, and the sheet.

    They begin where the text ends. A page that is well filled, on a full sheet, needs none.
    """
    missing = -len(document.pages) % SHEET
    before = document.pages[-2 if len(document.pages) > 1 and _has_imprint(document.pages[-1]) else -1]
    room = int((before._page_box.height * (1 - _used(before)) / MILLIMETRE - HEADING) / LINE)
    if not missing:
        return max(room - 1, 0) if _used(before) < EMPTY else 0
    in_all = int(before._page_box.height / MILLIMETRE / LINE)
    return missing * in_all - 1 + (room if room >= LEAST_LINES else -int(HEADING / LINE))


def _behind_a_gap(document: "Document") -> frozenset[str]:
    """Find the games whose board had no room on a page that is half empty now, by the ids of their sections."""
    pages = document.pages[1:-1]
    found = (_first_game(after) for page, after in pairwise(pages) if _used(page) < HALF)
    return frozenset(filter(None, found))


def _first_game(page: Any) -> str:
    elements = (box.element for box in page._page_box.descendants() if box.element is not None)
    return next((one.get("id") for one in elements if one.tag == "section" and "game" in one.get("class", "")), "")


def _has_imprint(page: Any) -> bool:
    elements = (box.element for box in page._page_box.descendants())
    return any("imprint" in element.get("class", "") for element in elements if element is not None)


def can_be_set(html: str) -> bool:
    """Whether a page can be set by itself."""
    try:
        with _no_warnings():
            _laid_out(html)
    except OperatorError:
        return False
    return True


def _laid_out(html: str) -> "Document":
    library = _library()
    from weasyprint.urls import FatalURLFetchingError

    try:
        return library.HTML(string=html, base_url="font:", url_fetcher=_fetcher()).render()
    except FatalURLFetchingError as error:  # no Exception, so that the library doesn't go on without it
        raise OperatorError(f"The pages can't be set: {error}; a bug in gm, please report it.") from error
    except Exception as error:  # whatever upsets it, an issue is more than its pages
        raise OperatorError(f"The pages can't be set: {described(error)}; a bug in gm, please report it.") from error


def _library() -> Any:
    """Load WeasyPrint. Raises NoPages where it, or one of the libraries that it draws with, is missing.

    It goes without HarfBuzz's subsetting, but says that it won't much longer: whole fonts would make a large file.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", DeprecationWarning)
            import weasyprint
    except ImportError as error:
        raise NoPages(f"issue.pdf needs WeasyPrint: {BRINGS}") from error
    except (OSError, DeprecationWarning) as error:
        raise NoPages(f"issue.pdf needs the libraries Pango and HarfBuzz ({PANGO}).") from error
    return weasyprint


def _fetcher() -> Any:
    """Make a fetcher that has the fonts of the issue and nothing else."""
    from weasyprint.urls import FatalURLFetchingError, URLFetcher, URLFetcherResponse

    class Fonts(URLFetcher):  # type: ignore[misc]
        def fetch(self, url: str, headers: Any = None) -> Any:  # noqa: ARG002 (the library gives them)
            name = url.removeprefix("font:")
            if name not in {file for _, file, _, _ in FONTS}:
                raise FatalURLFetchingError(f"nothing is fetched for an issue: {url}")
            return URLFetcherResponse(url, font(name), {"Content-Type": "font/woff2"})

    return Fonts()


BOX: Final = "\N{WHITE SQUARE}"
"""It stands for a letter that our fonts don't have. Other fonts aren't asked: each machine has others."""


@cache
def _letters() -> frozenset[int]:
    """List what our fonts have."""
    from fontTools.ttLib import TTFont

    return frozenset(one for _, name, _, _ in FONTS for one in TTFont(BytesIO(font(name))).getBestCmap())


def _in_our_letters(html: str) -> tuple[str, str]:
    """Write boxes for letters that our fonts don't have, without the marks on them, and say which were seen."""
    html = unicodedata.normalize("NFC", html)
    known = _letters()
    others = sorted(one for one in set(html) if one > "~" and ord(one) not in known)
    seen = [one for one in others if not is_invisible(one)]
    boxes = {one for one in seen if unicodedata.category(one) not in ("Mn", "Me")}
    return html.translate({ord(one): BOX if one in boxes else "" for one in others}), "".join(seen)


class _Heard(logging.Handler):
    """Keeps what the library warns of."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.warnings: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a warning."""
        self.warnings.append(record.getMessage())


@contextmanager
def _no_warnings() -> Iterator[None]:
    """Raise OperatorError for whatever the library warns of."""
    _library()
    log, heard = logging.getLogger("weasyprint"), _Heard()
    before, log.propagate = log.propagate, False
    log.addHandler(heard)
    try:
        yield
    finally:
        log.removeHandler(heard)
        log.propagate = before
    if heard.warnings:
        raise OperatorError(
            f"The pages can't be set as they should; a bug in gm, please report it: {'; '.join(heard.warnings[:3])}"
        )


# -- what the layout tells ---------------------------------------------------------------------------------------------


def _empty(document: "Document") -> Iterable[int]:
    """Find the pages of which much is left blank, by number; not the cover and the last one."""
    return (number for number, page in enumerate(document.pages[1:-1], 2) if _used(page) < EMPTY)


def _used(page: Any) -> float:
    """Say how much of a page is used, from 0 to 1."""
    box = page._page_box
    bottom = max((_bottom(child) for child in box.children if child.element_tag == "html"), default=0.0)
    return float((bottom - box.content_box_y()) / box.height)


def _bottom(box: Any) -> float:
    """Give the lower edge of the last thing that is drawn in a box."""
    children = getattr(box, "children", ())
    own = box.position_y + box.height if not children and isinstance(box.height, int | float) else 0.0
    return max([own, *(_bottom(child) for child in children)])


# -- the booklet ------------------------------------------------------------------------------------------------------

_STANDS: Final = "q 1 0 0 1 {x:.3f} 0 cm /P{number} Do Q\n"


def sides(pages: int) -> Iterator[tuple[int, int]]:
    """List the sides of all sheets, from the outermost: the page on the left and the one on the right, from 1.

    The front of sheet s has the pages n - 2s and 2s + 1, its back 2s + 2 and n - 2s - 1, with s from 0.
    """
    for sheet in range(pages // SHEET):
        yield pages - 2 * sheet, 2 * sheet + 1
        yield 2 * sheet + 2, pages - 2 * sheet - 1


def booklet(pdf: bytes) -> bytes:
    """Lay pages out for folding: print both sides, turn over the short edge. Raises NoPages without pypdf.

    Each page is put in as it is, as a form; copying its content would take a minute.
    """
    try:
        from pypdf import PdfReader, PdfWriter
        from pypdf.generic import DecodedStreamObject, DictionaryObject, IndirectObject, NameObject
    except ImportError as error:
        raise NoPages(f"issue-booklet.pdf needs pypdf: {BRINGS}") from error
    reader, writer = PdfReader(BytesIO(pdf)), PdfWriter()
    width, height = float(reader.pages[0].mediabox.width), float(reader.pages[0].mediabox.height)

    shared: dict[int, Any] = {}

    def resources(page: Any) -> Any:
        """Put in the fonts and colours of a page once, as most pages share them."""
        found: Any = page.raw_get("/Resources")
        if not isinstance(found, IndirectObject):
            return found.clone(writer)
        if found.idnum not in shared:
            held: Any = found.get_object()
            shared[found.idnum] = writer._add_object(held.clone(writer))
        return shared[found.idnum]

    def form(number: int) -> Any:
        page: Any = reader.pages[number - 1]
        made = DecodedStreamObject()
        made.set_data(page["/Contents"].get_object().get_data())
        made |= {
            NameObject("/Type"): NameObject("/XObject"), NameObject("/Subtype"): NameObject("/Form"),
            NameObject("/BBox"): page.mediabox, NameObject("/Resources"): resources(page),
        }  # fmt: skip
        return writer._add_object(made.flate_encode())

    for left, right in sides(len(reader.pages)):
        side, drawn = writer.add_blank_page(2 * width, height), DecodedStreamObject()
        forms = {NameObject(f"/P{number}"): form(number) for number in (left, right)}
        side[NameObject("/Resources")] = DictionaryObject({NameObject("/XObject"): DictionaryObject(forms)})
        drawn.set_data((_STANDS.format(x=0, number=left) + _STANDS.format(x=width, number=right)).encode())
        side[NameObject("/Contents")] = writer._add_object(drawn)
    written = BytesIO()
    writer.write(written)
    return written.getvalue()
