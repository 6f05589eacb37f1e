"""The booklet of an issue: its pages two to a side, in the order in which they are folded."""

from collections.abc import Iterator
from io import BytesIO
from typing import Any, Final

from gm.zine.pdf import BRINGS, SHEET, NoPages

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
        from pypdf.generic import ContentStream, DecodedStreamObject, DictionaryObject, NameObject
    except ImportError as error:
        raise NoPages(f"issue-booklet.pdf needs pypdf: {BRINGS}") from error
    reader, writer = PdfReader(BytesIO(pdf)), PdfWriter()
    width, height = float(reader.pages[0].mediabox.width), float(reader.pages[0].mediabox.height)
    clones: dict[Any, Any] = {}

    def form(number: int) -> Any:
        """Put a page in as a form; fonts and colours that pages share stay shared."""
        page = reader.pages[number - 1]
        content = page.get_contents()
        made = DecodedStreamObject()
        made.set_data(content.get_data() if isinstance(content, ContentStream) else b"")
        made |= {
            NameObject("/Type"): NameObject("/XObject"), NameObject("/Subtype"): NameObject("/Form"),
            NameObject("/BBox"): page.mediabox, NameObject("/Resources"): page["/Resources"].clone(writer),
        }  # fmt: skip
        return writer._add_object(made.flate_encode())

    for left, right in sides(len(reader.pages)):
        side = writer.add_blank_page(2 * width, height)
        forms = {NameObject(f"/P{number}"): form(number) for number in (left, right)}
        side[NameObject("/Resources")] = DictionaryObject({NameObject("/XObject"): DictionaryObject(forms)})
        drawn = DecodedStreamObject()
        drawn.set_data((_STANDS.format(x=0, number=left) + _STANDS.format(x=width, number=right)).encode())
        side[NameObject("/Contents")] = writer._add_object(drawn)
    del clones
    written = BytesIO()
    writer.write(written)
    return written.getvalue()
