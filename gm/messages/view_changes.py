"""The differences between two views of a position, in sentences: for a bulletin that replaces another.

Nothing here knows a game. What belongs together is found by its seat and its title, never by its place, as the sections
of a changed result may stand in another order.
"""

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from games.api import Grid, Outcome, Seat, Section, Table, Text, View, say
from games.words import Verdict
from gm.messages.rendering.wording import Speaker

MOST: Final = 20
"""So many changes are named; the bulletin below shows all."""

Item = TypeVar("Item")


def of_views(before: View, after: View, speaker: Speaker, told: Collection[Seat] = ()) -> list[Text]:
    """List what a viewer sees otherwise than before. Rows of tables about seats in `told` are left out."""
    old, new = _Parts.of(before, speaker), _Parts.of(after, speaker)
    texts = [_paired(before.headline, after.headline)] if before.headline != after.headline else []
    texts += [text for _, one, other in _pairs(old.scores, new.scores) if one and other
              for text in _of_rows(one, other) if one.whom not in told]  # fmt: skip
    texts += [_paired(one, other) for _, one, other in _pairs(old.titles, new.titles) if one and other and one != other]
    texts += [_of_lines(one, other) for _, one, other in _pairs(old.lines, new.lines) if one != other]
    texts += [text for _, one, other in _pairs(old.rows, new.rows) for text in _of_rows(one, other)]
    texts += [text for _, one, other in _pairs(old.grids, new.grids) for text in _of_grids(one, other)]
    return texts


def of_standings(before: Outcome | None, after: Outcome | None) -> dict[Seat, Text]:
    """Describe whose rank or points have changed, by seat; empty if one of the two is no result."""
    if before is None or after is None:
        return {}
    old = {standing.seat: standing for standing in before.standings}
    return {
        new.seat: say(
            "CHANGED_STANDING", seat=new.seat, rank=new.rank, points=_points(new.points or 0),
            old_rank=old[new.seat].rank, old_points=_points(old[new.seat].points or 0),
        )
        for new in after.standings if new.seat in old and new != old[new.seat]
    }  # fmt: skip


def of_missed(before: Sequence[str], after: Sequence[str]) -> list[Text]:
    """Describe who is no longer noted NMR, and who is now."""
    gone = [name for name in before if name not in after]
    new = [name for name in after if name not in before]
    return [
        *([say("CHANGED_NO_NMR", names=", ".join(gone))] if gone else []),
        *([say("CHANGED_NMR", names=", ".join(new))] if new else []),
    ]


def of_rulings(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Text]:
    """List the words of a result that the GM has ruled on differently since."""
    ruled = {key: Verdict(**said) for key, said in sorted(after.items()) if before.get(key) != said}
    return [of_ruling(said, key.rpartition("/")[2]) for key, said in ruled.items() if said.reason == "RULED"]


def shortened(texts: Sequence[Text]) -> tuple[Text, ...]:
    """Shorten a list to what can be read: nothing twice, and not too much."""
    once = [text for at, text in enumerate(texts) if text not in texts[:at]]
    left = len(once) - MOST
    return (*once[:MOST], say("CHANGED_MORE", number=left)) if left > 1 else tuple(once)


def of_ruling(verdict: Verdict, word: str = "") -> Text:
    """Describe what the GM has ruled on a word, and why; without the word for those who mustn't know it."""
    is_in = verdict.status == "accepted"
    if word:
        text = say("RULED_IN" if is_in else "RULED_OUT", word=word)
    else:
        text = say("RULED_WORD_IN" if is_in else "RULED_WORD_OUT")
    return say("RULED_BECAUSE", ruling=text, note=verdict.note) if verdict.note else text


def _points(number: int) -> Text:
    return say("CHANGED_ONE_POINT") if number == 1 else say("CHANGED_POINTS", number=number)


# -- what a view consists of -------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class _Row:
    """A row of a table: its cells, their headings, and what stands above the table."""

    of: Text
    head: tuple[str | int | Text, ...]
    cells: tuple[str | int | Text, ...]

    @property
    def about(self) -> int:
        """Which cell says whom or what the row is about."""
        return next((at for at, cell in enumerate(self.cells) if not isinstance(cell, int)), 0)

    @property
    def whom(self) -> Seat | None:
        """The seat that it is about."""
        return _seat(self.cells[self.about]) if self.cells else None


@dataclass(frozen=True)
class _Parts:
    """All that a view shows, each under a key that it keeps when the view changes."""

    grids: dict[Hashable, tuple[Text, Grid]]
    scores: dict[Hashable, _Row]
    """Rows about a seat; a table with other headings is another table, and not compared."""
    rows: dict[Hashable, _Row]
    titles: dict[Hashable, Text]
    """Of sections that are nobody's; a title may name the letters of the next round."""
    lines: dict[Hashable, tuple[Text | None, Text]]
    """Each with whose section it stands in, where it doesn't say so itself."""

    @classmethod
    def of(cls, view: View, speaker: Speaker) -> "_Parts":
        grids: list[tuple[Any, tuple[Text, Grid]]] = []
        rows: list[tuple[Any, _Row]] = []
        lines: list[tuple[Any, tuple[Text | None, Text]]] = []
        titles = [((one.title.code,), one.title) for one in view.sections if one.title and not _owner(one)]
        for section in view.sections:
            owner = _owner(section)
            of = say("WHO", seat=owner) if owner else section.title or say("CHANGED_BELOW")
            grids += [((grid.seat or owner,), (_of_grid(grid, of), grid)) for grid in section.grids]
            table = section.table or Table(head=(), rows=())
            head = _filled(table.head, speaker)
            rows += [(owner, _Row(of=of, head=head, cells=_filled(row, speaker))) for row in table.rows if row]
            said = ((line, _seat(line)) for line in (*section.lines, *section.legend, *section.notes))
            lines += [((owner, line.code, whom), (of if owner and not whom else None, line)) for line, whom in said]
        return cls(
            grids=_numbered(grids), lines=_numbered(lines), titles=_numbered(titles),
            scores=_numbered(((row.whom, repr(row.head)), row) for _, row in rows if row.whom),
            rows=_numbered(((owner, repr(row.cells[row.about])), row) for owner, row in rows if not row.whom),
        )  # fmt: skip


def _filled(cells: Sequence[str | int | Text], speaker: Speaker) -> tuple[str | int | Text, ...]:
    """Replace cells that have no words by empty ones."""
    return tuple(cell if speaker.say(cell).strip() else "" for cell in cells)


def _owner(section: Section) -> Seat | None:
    """Find whose section it is: its only board's, or that of the seat in its title, unless its table is about all."""
    if len(section.grids) == 1 and section.grids[0].seat:
        return section.grids[0].seat
    rows = section.table.rows if section.table else ()
    return None if any(_seat(cell) for row in rows for cell in row) else _seat(section.title)


def _seat(item: object) -> Seat | None:
    found = item.values.get("seat") if isinstance(item, Text) else None
    return Seat(found) if isinstance(found, int) else None


def _of_grid(grid: Grid, of: Text) -> Text:
    return say("WHO", seat=grid.seat) if grid.seat else of


def _numbered(items: Iterable[tuple[Any, Item]]) -> dict[Any, Item]:
    """Number what has the same key, in its order."""
    seen: Counter[Any] = Counter()
    found = {}
    for key, item in items:
        found[(*key, seen[key])] = item
        seen[key] += 1
    return found


def _pairs(old: Mapping[Any, Item], new: Mapping[Any, Item]) -> Iterator[tuple[Any, Item | None, Item | None]]:
    """Pair what has the same key: first what there is now, then what is gone."""
    yield from ((key, old.get(key), item) for key, item in new.items())
    yield from ((key, item, None) for key, item in old.items() if key not in new)


# -- pairs in words ----------------------------------------------------------------------------------------------------


def _paired(before: Text | None, after: Text | None) -> Text:
    if before is None or after is None:
        return say("CHANGED_NEW", line=after) if after else say("CHANGED_GONE", line=before or "")
    return say("CHANGED_LINE", line=after, before=before)


def _of_lines(before: tuple[Text | None, Text] | None, after: tuple[Text | None, Text] | None) -> Text:
    (of, was), (now_of, now) = before or (None, None), after or (None, None)
    paired, whose = _paired(was, now), of or now_of
    return say("CHANGED_ROW", row=whose, cells=paired) if whose else paired


def _of_grids(before: tuple[Text, Grid] | None, after: tuple[Text, Grid] | None) -> Iterator[Text]:
    if before is None or after is None:
        of = (after or before or (say("CHANGED_BELOW"),))[0]
        yield say("CHANGED_NEW", line=of) if after else say("CHANGED_GONE", line=of)
        return
    (_, old), (of, new) = before, after
    if new.said or old.said:
        if new.said != old.said:
            yield _paired(old.said, new.said)
        return
    if old.note and new.note and old.note != new.note:
        yield say("CHANGED_NOTE", of=of, now=new.note, before=old.note)
    columns = (*new.columns, *(name for name in old.columns if name not in new.columns))
    gap = " " if any(len(cell.text) > 1 for grid in (old, new) for row in grid.cells for cell in row) else ""
    was, now = _written(old, columns, gap), _written(new, columns, gap)
    blank = gap.join("." * len(columns))
    for row in (*new.rows, *(name for name in old.rows if name not in new.rows)):
        if was.get(row, blank).casefold() != now.get(row, blank).casefold():  # a capital only says: new
            yield say("CHANGED_GRID_ROW", of=of, row=row, now=now.get(row, blank), before=was.get(row, blank))


def _written(grid: Grid, columns: Sequence[str], gap: str) -> dict[str, str]:
    """Write the rows of a board as in a block, by their labels; a board may have grown by some columns."""
    rows = {}
    for label, cells in zip(grid.rows, grid.cells, strict=True):
        lying = {name: cell.text.strip() for name, cell in zip(grid.columns, cells, strict=True)}
        rows[label] = gap.join(lying.get(name) or "." for name in columns)
    return rows


def _of_rows(before: _Row | None, after: _Row | None) -> Iterator[Text]:
    if before is None or after is None:
        if row := after or before:
            cells = tuple(_cell(row, at) for at in range(len(row.cells)) if row.cells[at] != "")
            yield say("CHANGED_NEW_ROW" if after else "CHANGED_GONE_ROW", of=row.of, cells=cells)
    elif before.cells != after.cells:
        pairs = enumerate(zip(before.cells, after.cells, strict=False))
        changed = tuple(_changed_cell(before, after, at) for at, (was, now) in pairs if was != now)
        label = after.cells[after.about]
        of = say("CHANGED_OF", of=after.of, row=label) if not after.whom else label
        yield say("CHANGED_ROW", row=of, cells=changed)


def _head(row: _Row, at: int) -> str | int | Text:
    return row.head[at] if at < len(row.head) and at != row.about else ""


def _cell(row: _Row, at: int) -> Text:
    head = _head(row, at)
    return say("CHANGED_TO_HEADED", head=head, now=row.cells[at]) if head else say("CHANGED_TO", now=row.cells[at])


def _changed_cell(before: _Row, after: _Row, at: int) -> Text:
    now, was = _shown(after.cells[at]), _shown(before.cells[at])
    if head := _head(after, at):
        return say("CHANGED_CELL_HEADED", head=head, now=now, before=was)
    return say("CHANGED_CELL", now=now, before=was)


def _shown(cell: str | int | Text) -> str | int | Text:
    return cell if cell != "" else "-"
