"""Days and spans as people write them: `24.12.2026-06.01.2027`, `24.12. bis 6.1.27`, `3 Tage`."""

import re
from datetime import date
from typing import Final

MOST_DAYS: Final = 366
"""Nobody is on vacation for longer."""

MONTHS: Final = (
    ("jan", "jän"), ("feb",), ("mar", "mär", "mae"), ("apr",), ("mai", "may"), ("jun",), ("jul",), ("aug",), ("sep",),
    ("okt", "oct"), ("nov",), ("dez", "dec"),
)  # fmt: skip
MONTH_OF: Final = {name: month for month, names in enumerate(MONTHS, start=1) for name in names}
YEAR = r"(?:20[0-9]{2}|[0-9]{2})(?![0-9])"
ISO = r"20[0-9]{2}-[0-9]{1,2}-[0-9]{1,2}"
DOTTED = rf"[0-9]{{1,2}}\.\s?[0-9]{{1,2}}(?:\.\s?(?:{YEAR})?)?"
WORDED = rf"[0-9]{{1,2}}(?:\.|st|nd|rd|th)?\s?[A-Za-zä]{{3,9}}\.?(?:\s{YEAR})?"
DAY = rf"(?:{ISO}|{DOTTED}|{WORDED})"
DAYS = re.compile(
    rf"(?:(?:vom|von|from)\s+)?(?P<first>{DAY})(?:\s*[-‐‑‒–—]+\s*|\s*(?:bis(?:\s+zum)?|to|till|until)\s+|\s+)"
    rf"(?P<last>{DAY})",
    re.IGNORECASE,
)
PARTS = re.compile(r"[0-9]+|[A-Za-zä]{3,}")
ORDINAL = re.compile(r"(?<=[0-9])(?:st|nd|rd|th)", re.IGNORECASE)
# A wrong year, month or day: near enough to be told how days are written.
LOOKS_LIKE_DAYS = re.compile(r"\D{0,12}[0-9][0-9./ -]{3,14}\D{0,10}[0-9][0-9./ -]{3,14}[0-9.]")

SPAN = re.compile(
    r"(?P<before>.*?)(?:(?:^|\s)(?:um|by|for))?(?:^|\s+)(?P<number>[1-9][0-9]?)\s*"
    r"(?:(?P<days>tage?n?|days?|d|t)|(?P<hours>stunden?|hours?|std|h)|(?P<weeks>wochen?|weeks?|w))\.?",
    re.IGNORECASE,
)


def read_days(text: str) -> tuple[date, date] | None:
    """Read two days, the first not after the last and not more than a year before it. The first may lack its year."""
    found = DAYS.fullmatch(text)
    last = _parts(found["last"]) if found else None
    first = _parts(found["first"]) if found else None
    if not first or not last or last[0] is None:
        return None
    # `24.12.-06.01.2027` begins in the year before.
    year = first[0] if first[0] is not None else last[0] - (first[1:] > last[1:])
    try:
        days = date(year, *first[1:]), date(last[0], *last[1:])
    except ValueError:
        return None
    return days if 0 <= (days[1] - days[0]).days < MOST_DAYS else None


def looks_like_days(text: str) -> bool:
    """Return whether a text is meant as two days, also where they are no dates."""
    return DAYS.fullmatch(text) is not None or LOOKS_LIKE_DAYS.fullmatch(text) is not None


def read_span(text: str) -> tuple[str, str]:
    """Split `Eriwan 3 Tage` into what stands before and the span as `gm zat` takes it; `''` where there is none."""
    found = SPAN.fullmatch(text)
    if not found:
        return text, ""
    number = int(found["number"])
    span = f"{number}h" if found["hours"] else f"{number * 7}d" if found["weeks"] else f"{number}d"
    return found["before"].strip(), span


def _parts(text: str) -> tuple[int | None, int, int] | None:
    """Year (None where it is missing), month and day, not yet checked."""
    words = PARTS.findall(ORDINAL.sub("", text))
    if "-" in text:
        return int(words[0]), int(words[1]), int(words[2])
    month = MONTH_OF.get(words[1][:3].lower(), 0) if words[1].isalpha() else int(words[1])
    return _year(words[2]) if len(words) > 2 else None, month, int(words[0])


def _year(digits: str) -> int:
    return int(digits) + (2000 if len(digits) == 2 else 0)
