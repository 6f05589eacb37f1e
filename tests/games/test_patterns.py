"""How many words fit a pattern of letters and blanks."""

import re

from hypothesis import given
from hypothesis import strategies as st

from games.kit.testkit import COMMON_WORDS
from games.shared.patterns import ORDINARY, patterns


@given(st.text("ENRSTAIDQ...", min_size=1, max_size=6))
def test_against_a_search(pattern: str) -> None:
    """A blank stands for any ordinary letter, and a letter for itself."""
    found = re.compile(pattern.replace(".", f"[{ORDINARY}]"))
    index = patterns(("ZOO", "QI", *COMMON_WORDS), 6)
    assert index.number(pattern) == sum(found.fullmatch(word) is not None for word in ("ZOO", "QI", *COMMON_WORDS))


def test_an_index_is_made_once() -> None:
    """The index of the same list is the same; no words fit nothing."""
    assert patterns(COMMON_WORDS, 6) is patterns(iter(COMMON_WORDS), 6)
    assert patterns((), 6).number("A..") == 0
