"""Layout of the text part: 78 columns, boards side by side, tables with numbers on the right.

Lines of boards and tables begin with two blanks and end with three: Outlook joins single line breaks of a text
mail, but leaves such lines alone (bulletins.md 3).
"""

import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import zip_longest

from games.api import Grid
from games.shared.drawing import board_lines, text_forms
from gm.drawing.parts import Board, Chart, Part
from gm.messages.rendering.wording import Head, Tone

WIDTH = 78
BOARD_WIDTH = 72
KEEP = "   "
WIDEST_CAPTION = 20
"""A longer head of a board is cut."""


class Plain:
    """The forms that body templates call, as text. `templates/mail/forms.html` has the same ones as HTML."""

    def p(self, text: str) -> str:
        """Write a paragraph."""
        return f"{wrap(text)}\n\n"

    def small(self, text: str) -> str:
        """Write small print."""
        return f"{wrap(text)}\n\n"

    def hello(self, greeting: str) -> str:
        """Greet."""
        return f"{greeting}\n\n"

    def head(self, head: Head) -> str:
        """Head a mail: whose it is; then, framed, how it is and until when.

        The game never stands alone in a line: quoted in an answer it would be read as the first line of a move.
        """
        answered = self.h(head.answered) if head.answered else ""
        until = [wrap(head.until, "  ")] if head.until else []
        title = head.title.upper()
        is_short = len(title) + len(head.sender) + 4 <= WIDTH
        above = _apart(title, head.sender) if is_short else wrap(f"{title}, {head.sender}", "  ")
        rule = "  " + "=" * (WIDTH - 2)
        above += f"\n{head.note.rjust(WIDTH)}" if head.note else ""
        return answered + "\n".join([above, rule, wrap(head.headline.upper(), "  "), *until, rule]) + "\n\n"

    def h(self, title: str) -> str:
        """Write a heading."""
        return f"{wrap(title.upper(), '  ')}\n\n"

    def banner(self, rows: Sequence[tuple[str, str]], label: str = "", date: str = "") -> str:
        """Head a bulletin: rows of left and right, the first one with the title; then, framed, the date that counts."""
        (title, what), *others = rows
        lines = [_apart(left, right) for left, right in [(title.upper(), what), *others]]
        frame = "  " + "=" * (WIDTH - 2)
        framed = [f"  {label.upper()}:  {date}", frame] if label else []
        return "\n".join([*lines, frame, *framed]) + "\n\n"

    def pairs(self, caption: str, rows: Iterable[Sequence[str]], mark: str = ":", headed: bool = False) -> str:
        """List labels and contents, and perhaps a page. In text a caption is needed only if there are several lists."""
        rows = list(rows)
        indent = 4 + max((len(label) for label, *_ in rows), default=0)
        lines = [_hanging(f"  {label}{mark}".ljust(indent), " ".join(said)) for label, *said in rows]
        return (self.h(caption) if headed else "") + "\n".join(lines) + "\n\n"

    def contents(self, rows: Iterable[tuple[str, str, str]]) -> str:
        """List what the mail holds: its name, what it says."""
        return self.points(f"{name}: {said}" for _, name, said in rows)

    def faults(self, texts: Sequence[str]) -> str:
        """List what is wrong, framed."""
        return self.items(texts)

    def items(self, texts: Iterable[str]) -> str:
        """List sentences by number."""
        lines = [_hanging(f"  {number}. ", text) for number, text in enumerate(texts, 1)]
        return "\n".join(lines) + "\n\n"

    def points(self, texts: Iterable[str]) -> str:
        """List sentences, each a point of its own."""
        return "\n".join(_hanging("  - ", text) for text in texts) + "\n\n"

    def games(self, rows: Iterable[tuple[str, str]], label: str) -> str:  # noqa: ARG002 (HTML)
        """List what is said of games, each with its page below."""
        lines = [_hanging("  - ", said) + (f"\n    {page}" if page else "") for said, page in rows]
        return "\n".join(lines) + "\n\n"

    def block(self, lines: Iterable[str], title: str = "", tone: Tone = "petrol") -> str:  # noqa: ARG002 (HTML)
        """Show lines to copy, or to read exactly as they are, below a title."""
        shown = "".join(f"     {line}".rstrip() + KEEP + "\n" for line in lines)
        return (f"{wrap(title, '  ')}:\n\n" if title else "") + f"{shown}\n"

    def quote(self, lines: Iterable[str]) -> str:
        """Show what somebody wrote, line by line, folded where it is too long.

        Each line is marked as a quotation: whoever sends it back doesn't send a command.
        """
        parts = (part for line in lines for part in (_folded(line) or [""]))
        return "".join(f"  {f'> {part}'.rstrip()}{KEEP}\n" for part in parts) + "\n"

    def link(self, _url: str, _text: str, _tone: Tone = "petrol") -> str:
        """Offer a click; a text mail has the block instead."""
        return ""

    def buttons(self, _choices: Iterable[tuple[str, str, Tone]]) -> str:
        """Offer several clicks; a text mail has the lines to send instead."""
        return ""

    def web(self, label: str, url: str) -> str:
        """Name a page; most programs make a link of it."""
        return f"{wrap(f'{label}: {url}')}\n\n"

    def grids(self, boards: Sequence[Board]) -> str:
        """Draw boards side by side; what has a sentence of its own is said."""
        said = (f"{wrap(board.said, '  ')}\n\n" for board in boards if board.said)
        drawn = [form for board in boards if not board.said for form in _forms(board)]
        return "".join(said) + (_lines(_boards(drawn)) if drawn else "")

    def section(self, part: Part) -> str:
        """Write a part of a view."""
        parts = [self.h(part.heading)] if part.heading else []
        parts += [f"{wrap(line, '  ')}\n\n" for line in (*part.lines, *part.legend)]
        parts.append(self._boards_and_table(part))
        notes = [_hanging("  ", note) for note in part.notes]
        return "".join(parts) + ("\n".join(notes) + "\n\n" if notes else "")

    def _boards_and_table(self, part: Part) -> str:
        table = _table(part.table) if part.table else []
        forms = _forms(part.boards[0]) if len(part.boards) == 1 and not part.boards[0].said else []
        if len(forms) == 1 and table:
            boards = _boards(forms)
            width = max(map(len, boards))
            beside = [
                f"{left.ljust(width)}   {right}".rstrip() for left, right in zip_longest(boards, table, fillvalue="")
            ]
            if max(map(len, beside)) <= BOARD_WIDTH:
                return _lines(beside)
        return self.grids(part.boards) + (_lines(table) if table else "")


def wrap(text: str, indent: str = "") -> str:
    """Fill a paragraph to 78 columns; a long word (an address) is never broken."""
    return _hanging(indent, text, indent)


def _hanging(label: str, text: str, indent: str | None = None) -> str:
    """Fill a paragraph behind a label, by default indented as far as the label reaches.

    `textwrap` does the same ten times slower, as it looks for hyphens and dashes to break at.
    """
    lines: list[str] = []
    line, indent = label, " " * len(label) if indent is None else indent
    is_empty = True
    for word in text.split():
        if not is_empty and len(line) + 1 + len(word) > WIDTH:
            lines.append(line)
            line, is_empty = indent, True
        line, is_empty = f"{line}{word}" if is_empty else f"{line} {word}", False
    return "\n".join([*lines, line]) if lines or not is_empty else ""


def _folded(line: str) -> list[str]:
    return textwrap.wrap(line, WIDTH - 4, break_long_words=False, break_on_hyphens=False)


def _apart(left: str, right: str) -> str:
    """Put one to the left and one to the right, or below each other if a line has no room for both."""
    gap = WIDTH - 2 - len(left) - len(right)
    if gap < 2:
        return f"{wrap(left, '  ')}\n{right.rjust(WIDTH)}"
    return f"  {left}{' ' * gap}{right}".rstrip()


def _lines(lines: Iterable[str]) -> str:
    return "".join(f"  {line.rstrip()}{KEEP}\n" if line.strip() else "\n" for line in lines) + "\n"


def _forms(board: Board) -> list[Board]:
    """Turn a board into those that can be written sign by sign: dominoes take three rows and columns each."""
    grid = Grid(look=board.look, columns=board.columns, rows=board.rows, cells=board.cells)
    return [replace(board, columns=one.columns, rows=one.rows, cells=one.cells) for one in text_forms(grid)]


def _boards(boards: Sequence[Board]) -> list[str]:
    """Draw boards in rows of equal length, as many beside each other as fit."""
    drawn = [(board, *board_lines(board)) for board in boards]
    label = max(len(row) for board in boards for row in board.rows) + 1
    width = max(max(*map(len, head + rows), _least_caption(board)) for board, head, rows in drawn) + 3
    fitting = max(1, (BOARD_WIDTH - label) // width)
    per_row = -(-len(boards) // -(-len(boards) // fitting))
    rows = [_board_row(drawn[at : at + per_row], label, width) for at in range(0, len(boards), per_row)]
    return [line for row in rows for line in [*row, ""]][:-1]


def _board_row(drawn: Sequence[tuple[Board, list[str], list[str]]], label: int, width: int) -> list[str]:
    heads = [_caption(board, width - 2).ljust(width) for board, _, _ in drawn]
    columns = zip_longest(*(head for _, head, _ in drawn), fillvalue="")
    lines = zip_longest(*(rows for _, _, rows in drawn), fillvalue="")
    names = max((board.rows for board, _, _ in drawn), key=len)
    captions = [" " * label + "".join(heads)] if any(head.strip() for head in heads) else []
    return [
        *captions,
        *(" " * label + "".join(name.ljust(width) for name in line) for line in columns),
        *(
            name.rjust(label - 1) + " " + "".join(part.ljust(width) for part in line)
            for name, line in zip(names, lines, strict=True)
        ),
    ]


def _caption(board: Board, room: int) -> str:
    """Head a board with its player: as much of the name as there is room for beside the note."""
    note = f" {board.note}" if board.note else ""
    return f"{short_name(board.name, room - len(note))}{note}".strip()


def _least_caption(board: Board) -> int:
    """Return how much room a board's head needs: a board is made wider rather than a name cut."""
    first, _, rest = board.name.partition(" ")
    note = len(board.note) + 1 if board.note else 0
    return min(len(first) + 3 * bool(rest) + note, WIDEST_CAPTION) - 1 if first else 0


def short_name(name: str, room: int) -> str:
    """Shorten `Anna Berg` to `Anna B.`, to `Anna`, at last to what fits."""
    first, _, rest = name.partition(" ")
    forms = [name, f"{first} {rest[:1]}." if rest else first, first]
    return next((form for form in forms if len(form) <= room), name[: max(room - 1, 1)] + "…")


def _table(chart: Chart) -> list[str]:
    rows, right, head = [[str(item) for item in row] for row in chart.rows], chart.has_figures, [*chart.head]
    if chart.fold == 2 and len(rows) > 1:
        half = -(-len(rows) // 2)
        left_half, right_half = (_columns(head, part, right, rows) for part in (rows[:half], rows[half:]))
        width = max(map(len, left_half))
        folded = [f"{a.ljust(width)}   {b}".rstrip() for a, b in zip_longest(left_half, right_half, fillvalue="")]
        if max(map(len, folded)) <= BOARD_WIDTH:
            return folded
    return _columns(head, rows, right, rows)


def _columns(head: list[str], rows: list[list[str]], right: list[bool], measure: list[list[str]]) -> list[str]:
    widths = [max(len(row[at]) for row in [head, *measure]) for at in range(len(head))]
    gap = "  " if sum(widths) + 2 * (len(widths) - 1) <= WIDTH - 2 else " "
    surplus = sum(widths) + len(gap) * (len(widths) - 1) - (WIDTH - 2)
    if surplus > 0:  # a long name gives way
        widest = max(range(len(widths)), key=lambda at: -1 if right[at] else widths[at])
        widths[widest] = max(widths[widest] - surplus, 2)
    lines = [
        gap.join(_aligned(item, width, to_right) for item, width, to_right in zip(row, widths, right, strict=True))
        for row in [head, *rows]
    ]
    return [line.rstrip() for line in (lines if any(head) else lines[1:])]


def _aligned(item: str, width: int, to_right: bool) -> str:
    shown = item if len(item) <= width else short_name(item, width)
    return shown.rjust(width) if to_right else shown.ljust(width)
