"""Figures as readers write them."""

from games.api import Language


def decimal(total: int, count: int, language: Language) -> str:
    """Write an average with one place; nothing where there is nothing to average."""
    return _local(f"{total / count:.1f}", language) if count else ""


def percent(part: int, whole: int) -> str:
    """Write a share; nothing where there is nothing to share."""
    return f"{round(100 * part / whole)} %" if whole else ""


def _local(written: str, language: Language) -> str:
    return written.replace(".", ",") if language == "de" else written
