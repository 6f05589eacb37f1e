"""Long lists in pages. Pages are counted from the oldest, so a full page never changes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

FULL: Final = 50
"""Items on a full page. The newest page has up to twice as many, so that it is never almost empty."""

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Neighbours:
    """Other pages of a list, as paths from the root of the site; empty where there is none."""

    older: str = ""
    newer: str = ""
    newest: str = ""


@dataclass(frozen=True, kw_only=True)
class ListPage(Generic[T]):
    """A page of a list; its newest item comes first."""

    path: str
    items: tuple[T, ...]
    others: Neighbours


def paged(folder: str, oldest_first: Sequence[T]) -> list[ListPage[T]]:
    """Part a list into pages: the newest at `index.html`, also of an empty list, the older ones at `1/`, `2/` ..."""
    full = max(0, len(oldest_first) // FULL - 1)
    starts = [FULL * number for number in range(full + 1)]
    ends = [*starts[1:], len(oldest_first)]
    paths = [*(f"{folder}/{number}/index.html" for number in range(1, full + 1)), f"{folder}/index.html"]
    return [
        ListPage(
            path=paths[at], items=tuple(reversed(oldest_first[start:end])),
            others=Neighbours(
                older=paths[at - 1] if at else "", newer=paths[at + 1] if at < full else "",
                newest=paths[-1] if at < full else "",
            ),
        )
        for at, (start, end) in enumerate(zip(starts, ends, strict=True))
    ]  # fmt: skip
