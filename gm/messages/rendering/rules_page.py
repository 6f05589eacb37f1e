"""A game's rules for players: the README beside its engine, as pieces that a mail template lays out.

`README.md` is German, and each other language has a file of its own: `README.en.md`. Its title is left out.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from games import AnyEngine
from games.api import Language
from gm.drawing.parts import Chart, Part
from gm.messages.rendering.plain_text import WIDTH
from gm.messages.rendering.wording import phrase

if TYPE_CHECKING:
    from markdown_it.tree import SyntaxTreeNode

Kind: TypeAlias = Literal["h", "p", "items", "block", "table", "pairs"]
LONGEST_CAPTION: Final = 40


@dataclass(frozen=True, kw_only=True)
class Piece:
    """A heading, a paragraph, a list, a block or a table, as one of the forms of a mail."""

    kind: Kind
    text: str = ""
    """Of a heading or paragraph; of a table, its columns."""
    lines: tuple[str, ...] = ()
    """Of a list or block."""
    part: Part = field(default_factory=Part)
    """Of a table; its heading stands above it, for those who hear the mail."""
    rows: tuple[tuple[str, str], ...] = ()
    """Of a table that is too wide for its columns: what each row is about, and the rest of it."""


Page: TypeAlias = tuple[Piece, ...]


def rules_page(engine: AnyEngine, language: Language) -> Page:
    """Return the rules of a game in a language, else in English; empty if the game has none."""
    files = [*([] if language == "de" else [f"README.{language}.md", "README.en.md"]), "README.md"]
    return _page(next(filter(None, (_readme(engine, name) for name in files)), ""), language)


def has_rules(engine: AnyEngine) -> bool:
    """Check whether a game has a README, without reading what is in it."""
    return bool(_readme(engine, "README.md"))


def _readme(engine: AnyEngine, name: str) -> str:
    return _file_beside(type(engine).__module__, engine.rules.key, name)


@cache  # every mail to a player asks whether there are rules
def _file_beside(module: str, key: str, name: str) -> str:
    """Read a file beside the engine: in its own folder, else where its class is defined (that of a variant)."""
    folder = f"games.{key.replace('-', '_')}"
    packages = [folder] if module.startswith("games.") else []
    for package in (*packages, module, module.rpartition(".")[0]):
        try:
            return (resources.files(package) / name).read_text(encoding="utf-8")
        except (ImportError, TypeError, ValueError, OSError):
            continue  # a single module has no folder, and a game of another distribution may have no rules page
    return ""


@cache
def _page(source: str, language: Language) -> Page:
    # Most passes send no rules, and the library takes 20 ms to load.
    from markdown_it import MarkdownIt
    from markdown_it.tree import SyntaxTreeNode

    tree = SyntaxTreeNode(MarkdownIt("commonmark").enable("table").parse(source))
    parts = [node for node in tree.children if node.tag != "h1"]
    return _about((piece for node in parts for piece in _pieces(node, language)), language)


def _about(page: Iterable[Piece], language: Language) -> Page:
    """Give each table a caption: its columns if they are few, else the heading that it stands below."""
    heading, told = "", []
    for piece in page:
        heading = piece.text if piece.kind == "h" else heading
        if piece.kind in ("table", "pairs"):
            is_short = piece.text.count(",") <= 2 and len(piece.text) <= LONGEST_CAPTION
            name = piece.text if is_short or not heading else heading
            piece = replace(piece, part=replace(piece.part, heading=phrase(language, "frame.table_of", heading=name)))
        told.append(piece)
    return tuple(told)


def _pieces(node: "SyntaxTreeNode", language: Language) -> Iterator[Piece]:
    """Make pieces of an element."""
    if node.type == "heading":
        yield Piece(kind="h", text=_text(node, language))
    elif node.type == "paragraph":
        yield from _paragraph(node, language)
    elif node.type in ("bullet_list", "ordered_list"):
        yield from _list(node, language)
    elif node.type in ("fence", "code_block"):
        yield from _blocks(node.content)
    elif node.type == "table":
        yield _table(node, language)
    elif node.type == "blockquote":
        for child in node.children:
            yield from _pieces(child, language)


def _paragraph(node: "SyntaxTreeNode", language: Language) -> Iterator[Piece]:
    """Make a paragraph; a bold beginning like `**Ziel.**` becomes a heading, so that a long page can be skimmed."""
    inline = [child for child in node.children[0].children if child.type != "text" or child.content]
    if inline and inline[0].type == "strong" and _text(inline[0], language).endswith("."):
        yield Piece(kind="h", text=_text(inline[0], language).removesuffix("."))
        inline = inline[1:]
    text = " ".join("".join(_said(child, language) for child in inline).split())
    if text:
        yield Piece(kind="p", text=text)


def _list(node: "SyntaxTreeNode", language: Language) -> Iterator[Piece]:
    """Make a list of sentences; anything else that an item holds stands below it."""
    sentences: list[str] = []
    for item in node.children:
        sentences.append(" ".join(_text(child, language) for child in item.children if child.type == "paragraph"))
        for child in item.children:
            if child.type in ("bullet_list", "ordered_list"):
                sentences += [sentence for piece in _list(child, language) for sentence in piece.lines]
            elif child.type != "paragraph":
                yield Piece(kind="items", lines=tuple(sentences))
                sentences = []
                yield from _pieces(child, language)
    if sentences:
        yield Piece(kind="items", lines=tuple(sentences))


def _blocks(content: str) -> Iterator[Piece]:
    """Make blocks of lines as they are. At a blank line, which would end a move, another block begins."""
    for block in content.expandtabs(4).split("\n\n"):
        if lines := tuple(line.rstrip() for line in block.split("\n") if line.strip()):
            yield Piece(kind="block", lines=lines)


def _table(node: "SyntaxTreeNode", language: Language) -> Piece:
    """Make a table, if need be with rows and columns swapped. One that is too wide is read out row by row."""
    rows = [tuple(_text(cell, language) for cell in row.children) for row in node.walk() if row.type == "tr"]
    upright = [form for form in (rows, list(zip(*rows, strict=True))) if _width(form) <= WIDTH]
    if not upright:
        read_out = tuple((row[0], _read_out(rows[0], row)) for row in rows[1:])
        return Piece(kind="pairs", text=", ".join(filter(None, rows[0])), rows=read_out)
    head, *body = upright[0]
    table = Chart(
        head=head,
        rows=tuple(tuple(int(cell) if cell.isdecimal() else cell for cell in row) for row in body),
    )
    return Piece(kind="table", text=", ".join(filter(None, head)), part=Part(table=table))


def _width(rows: list[tuple[str, ...]]) -> int:
    return sum(max(map(len, column)) + 2 for column in zip(*rows, strict=True))


def _read_out(head: tuple[str, ...], row: tuple[str, ...]) -> str:
    cells = zip(head[1:], row[1:], strict=True)
    return "; ".join(f"{label}: {cell}" if label and len(head) > 2 else cell for label, cell in cells if cell)


def _text(node: "SyntaxTreeNode", language: Language) -> str:
    return " ".join(_said(node, language).split())


def _said(node: "SyntaxTreeNode", language: Language) -> str:
    """Return the text of an element without its typography. What is to be typed as it is stands in quotes."""
    if node.type == "code_inline":
        return phrase(language, "frame.typed", text=node.content)
    if node.type in ("softbreak", "hardbreak"):
        return " "
    if node.children:
        return "".join(_said(child, language) for child in node.children)
    return node.content if node.type == "text" else ""
