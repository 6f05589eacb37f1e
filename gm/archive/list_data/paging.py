"""Long lists in pages that stay as they are: counted from the oldest, and full for ever once they are full."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

FULL: Final = 50
"""On a page that is full. The newest page has up to twice as many, so that it is never almost empty."""

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Ways:
    """Where to turn pages, as paths from the root of the site; empty where there is nothing."""

    older: str = ""
    newer: str = ""
    newest: str = ""


@dataclass(frozen=True, kw_only=True)
class Leaf(Generic[T]):
    """A page of a list, newest first."""

    path: str
    items: tuple[T, ...]
    ways: Ways


def leaves(folder: str, oldest_first: Sequence[T]) -> list[Leaf[T]]:
    """Part a list: the newest at `index.html`, which is there even of an empty list, the older at `1/`, `2/` ..."""
    full = max(0, len(oldest_first) // FULL - 1)
    starts = [FULL * number for number in range(full + 1)]
    ends = [*starts[1:], len(oldest_first)]
    paths = [*(f"{folder}/{number}/index.html" for number in range(1, full + 1)), f"{folder}/index.html"]
    return [
        Leaf(
            path=paths[at], items=tuple(reversed(oldest_first[start:end])),
            ways=Ways(
                older=paths[at - 1] if at else "", newer=paths[at + 1] if at < full else "",
                newest=paths[-1] if at < full else "",
            ),
        )
        for at, (start, end) in enumerate(zip(starts, ends, strict=True))
    ]  # fmt: skip
