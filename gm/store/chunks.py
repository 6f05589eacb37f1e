"""Ids in portions: databases bound how many values a statement may have."""

from collections.abc import Collection, Iterator
from typing import Final

AT_ONCE: Final = 500


def portions(ids: Collection[int]) -> Iterator[list[int]]:
    """Part ids, in order, into as many as a statement takes."""
    ordered = sorted(ids)
    return (ordered[at : at + AT_ONCE] for at in range(0, len(ordered), AT_ONCE))
