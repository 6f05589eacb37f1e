"""The time. Whoever needs it is given a `Clock`, so that a test can hold it."""

import datetime as dt
from collections.abc import Callable
from typing import TypeAlias

Clock: TypeAlias = Callable[[], dt.datetime]
"""Answers an aware instant in UTC."""


def utcnow() -> dt.datetime:
    """Tell the instant, aware, in UTC, to the microsecond."""
    return dt.datetime.now(dt.UTC)
