"""Figures for readers."""

from babel.numbers import format_decimal

from games.api import Language
from gm.archive.layout import minus
from gm.messages.sentences import SENTENCES
from gm.runtime.catalogues import catalogue


def decimal(total: int, count: int, language: Language) -> str:
    """Write an average with one decimal place; "" for none."""
    if not count:
        return ""
    return minus(format_decimal(round(total / count, 1) + 0.0, "0.0", locale=catalogue("dates", language)["locale"]))


def percent(part: int, whole: int, language: Language) -> str:
    """Write a share in per cent; "" for a share of nothing."""
    return SENTENCES["PERCENT"][language].format(number=round(100 * part / whole)) if whole else ""
