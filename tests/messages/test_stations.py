"""A bulletin comes by the stations that docs/architecture.md lists, in that order."""

import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(__file__).parents[2]
STATION = re.compile(r"^\d\. \*\*.+?\*\* \(`(gm/[\w/]+\.py)`, `(\w+)`\)", re.MULTILINE)


def stations() -> list[tuple[str, str]]:
    """Read the list: module and function of each station."""
    page = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    return STATION.findall(page.partition("## The way of a mail out")[2].partition("\n## ")[0])


def first_calls(wanted: list[tuple[str, str]], what: Callable[[], Any]) -> list[tuple[str, str]]:
    """Do something, and list these functions in the order of their first calls."""
    places = {(str(ROOT / module), function): (module, function) for module, function in wanted}
    found: list[tuple[str, str]] = []

    def note(frame: FrameType, event: str, _argument: Any) -> None:
        place = places.get((frame.f_code.co_filename, frame.f_code.co_name))
        if event == "call" and place and place not in found:
            found.append(place)

    sys.setprofile(note)
    try:
        what()
    finally:
        sys.setprofile(None)
    return found


def test_a_bulletin_comes_by_each_station_in_order(eriwan: Any) -> None:
    """Seven lines in the document, and the same order in a closing."""
    listed = stations()
    assert len(listed) == 7
    eriwan.sends("Anna Berg", "DN")
    eriwan.tick()
    eriwan.passes(days=15)
    assert first_calls(listed, eriwan.tick) == listed
