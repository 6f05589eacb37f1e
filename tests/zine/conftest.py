"""Zines that print issues."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from printed_zine import PrintedZine, needs_pages


@pytest.fixture
def new_zine(tmp_path: Path) -> Iterator[Callable[..., PrintedZine]]:
    """Begin a zine of its own: `new_zine(zine={...})`."""
    zines: list[PrintedZine] = []

    def begin(**more: Any) -> PrintedZine:
        zines.append(one := PrintedZine(tmp_path / f"zine{len(zines)}", **more))
        return one

    yield begin
    for one in zines:
        one.close()


@pytest.fixture
def pages() -> None:
    """Skip where pages can't be set or looked at; such tests are marked `server`, so .ci/run lets none skip."""
    if missing := needs_pages():
        pytest.skip(missing)
