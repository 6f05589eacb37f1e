"""Figures for readers."""

from games.api import Language
from gm.archive.layout import minus


def decimal(total: int, count: int, language: Language) -> str:
    """Write an average with one decimal place; "" for none."""
    return _local(f"{round(total / count, 1) + 0.0:.1f}", language) if count else ""


def percent(part: int, whole: int, language: Language) -> str:
    """Write a share in per cent; "" for a share of nothing."""
    sign = "\N{NO-BREAK SPACE}%" if language == "de" else "%"
    return f"{round(100 * part / whole)}{sign}" if whole else ""


def _local(written: str, language: Language) -> str:
    return minus(written.replace(".", ",") if language == "de" else written)
