"""Long lists in pages. Pages are counted from the oldest, so a full page never changes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

FULL: Final = 50
"""Items on a full page. The newest page has up to twice as many, so that it is never almost empty."""

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class ListPage:
    """A page of a list; its newest item comes first."""

    path: str
    begin: int
    end: int
    """Which items it has, counted from the oldest."""
    older: str = ""
    newer: str = ""
    newest: str = ""
    """Other pages, as paths from the root of the site; empty where there is none."""

    def items(self, oldest_first: Sequence[T]) -> tuple[T, ...]:
        """Pick its items of the whole list."""
        return tuple(reversed(oldest_first[self.begin : self.end]))


def paged(folder: str, count: int) -> list[ListPage]:
    """Part a list into pages: the newest at `index.html`, also of an empty list, the older ones at `1/`, `2/` ..."""
    full = max(0, count // FULL - 1)
    begins = [FULL * number for number in range(full + 1)]
    ends = [*begins[1:], count]
    paths = [*(f"{folder}/{number}/index.html" for number in range(1, full + 1)), f"{folder}/index.html"]
    return [
        ListPage(
            path=paths[at], begin=begin, end=end, older=paths[at - 1] if at else "",
            newer=paths[at + 1] if at < full else "", newest=paths[-1] if at < full else "",
        )
        for at, (begin, end) in enumerate(zip(begins, ends, strict=True))
    ]  # fmt: skip
