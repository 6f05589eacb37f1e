"""Ids in portions: databases bound how many values a statement may have."""

from collections.abc import Collection, Iterator
from typing import Final

CHUNK_SIZE: Final = 500


def in_chunks(ids: Collection[int]) -> Iterator[list[int]]:
    """Part ids, in order, into as many as a statement takes."""
    ordered = sorted(ids)
    return (ordered[at : at + CHUNK_SIZE] for at in range(0, len(ordered), CHUNK_SIZE))
