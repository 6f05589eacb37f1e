"""How people write one day or a number: as patterns, and what the words in them stand for."""

import re
from dataclasses import dataclass
from typing import Final

MONTHS: Final = (
    ("jan", "jän", "jae"), ("feb",), ("mar", "mär", "mae"), ("apr",), ("mai", "may"), ("jun",), ("jul",), ("aug",),
    ("sep",), ("okt", "oct"), ("nov",), ("dez", "dec"),
)  # fmt: skip
MONTH_OF: Final = {name: month for month, names in enumerate(MONTHS, start=1) for name in names}
WEEKDAYS: Final = (
    ("montag", "monday"), ("dienstag", "tuesday"), ("mittwoch", "wednesday"), ("donnerstag", "thursday"),
    ("freitag", "friday"), ("samstag", "sonnabend", "saturday"), ("sonntag", "sunday"),
)  # fmt: skip
WEEKDAY_OF: Final = {name: number for number, names in enumerate(WEEKDAYS) for name in names}


@dataclass(frozen=True, kw_only=True)
class Numbers:
    """What words stand for, without umlauts."""

    words: dict[str, int]
    ahead: dict[str, int]
    """Days ahead."""


NUMBER_OF: Final = Numbers(
    words={
        "ein": 1, "eine": 1, "einen": 1,"nen": 1, "ne": 1,
        "zwei": 2, "drei": 3, "vier": 4, "fuenf": 5, "sechs": 6, "sieben": 7,
        "acht": 8, "neun": 9, "zehn": 10, "vierzehn": 14, "a": 1, "one": 1, "two": 2, "three": 3, "four": 4,
        "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    },
    ahead={
        "heute": 0, "today": 0, "morgen": 1, "tomorrow": 1, "uebermorgen": 2, "day after tomorrow": 2,
        "the day after tomorrow": 2,
    },
)  # fmt: skip

HOLIDAYS: Final = frozenset(
    """
    weihnachten weihnacht weihnachtstage weihnachtsfeiertage feiertage feiertagen heiligabend silvester neujahr
    jahreswechsel
    ostern osterfeiertage pfingsten christmas easter holidays
    """.split()  # noqa: SIM905  a list of words reads best as a text
)
"""Days that everybody knows by a name."""
CALENDAR: Final = (
    HOLIDAYS
    | frozenset(
        """
    januar jaenner februar maerz april mai juni juli august september oktober november dezember january february
    june july october december jahr monat woche wochen wochenende tage tagen tag year month week weeks weekend
    days day montags dienstags mittwochs donnerstags freitags samstags sonntags
    """.split()  # noqa: SIM905
    )
    | WEEKDAY_OF.keys()
    | {word for word in NUMBER_OF.ahead if " " not in word}
)
"""Words of a calendar, plain: none of them is ever the name of a game."""

_MONTH = (
    r"(?:jan(?:uar|uary)?|jän(?:ner)?|jaenner|feb(?:ruar|ruary|er)?|mar(?:ch)?|mär(?:z)?|maerz|apr(?:il)?|mai|may"
    r"|jun[ie]?|jul[iy]?|aug(?:ust)?|sep(?:t(?:ember)?)?|okt(?:ober)?|oct(?:ober)?|nov(?:ember)?|dez(?:ember)?"
    r"|dec(?:ember)?)\b\.?"
)
_YEAR = r"(?:20[0-9]{2}|[0-9]{2})(?![0-9])"
_ISO = r"20[0-9]{2}-[0-9]{1,2}-[0-9]{1,2}"
_DOTTED = rf"[0-9]{{1,2}}\.\s?[0-9]{{1,2}}(?![0-9])(?:\.(?:\s?{_YEAR})?)?"
_WORDED = rf"[0-9]{{1,2}}(?:\.|st|nd|rd|th)?\s?(?:of )?{_MONTH}(?:,?\s{_YEAR})?"
_MONTH_FIRST = rf"{_MONTH}\s(?:the )?[0-9]{{1,2}}(?:st|nd|rd|th)?(?![0-9])(?:,?\s20[0-9]{{2}})?"
_WEEKDAY = rf"(?:{'|'.join(name for names in WEEKDAYS for name in names)})\b"

AHEAD: Final = r"(?:heute|(?<!guten )morgen|übermorgen|uebermorgen|today|tomorrow|(?:the )?day after tomorrow)\b"
_PLAIN_DAY = rf"(?:{_ISO}|{_DOTTED}|{_WORDED}|{_MONTH_FIRST})"
DAY: Final = (
    rf"(?:(?:den |dem |the |{_WEEKDAY},? (?:den |dem |the )?)?{_PLAIN_DAY}"
    rf"|(?:(?:zum |den |dem )?(?:nächsten?|naechsten?|kommenden?|diesen?|next|this) )?{_WEEKDAY}|{AHEAD})"
)
BARE_DAY: Final = r"(?:(?:dem |den |the )?[0-9]{1,2}(?:\.|st|nd|rd|th)?(?=\s*(?:[-–]|bis|to|until|till|und|and)))"
UNTIL: Final = (
    r"(?:bis(?:\s+(?:zum|einschließlich|einschliesslich|einschl\.|inkl\.|incl\.|und mit))?|to|till?|until|through)"
)
NUMBER: Final = rf"(?:[1-9][0-9]?|(?:{'|'.join((*NUMBER_OF.words, 'fünf'))})\b)"

LOOSE_DATE: Final = rf"(?:{_ISO}|{_DOTTED}|[0-9]{{1,2}}(?:\.|st|nd|rd|th)?\s?[A-Za-zä]{{3,9}}\.?(?:\s{_YEAR})?)"
"""What has the form of a date, with a month of any name."""
DATE: Final = (
    rf"(?:{_ISO}|[0-9]{{1,2}}[./]\s?[0-9]{{1,2}}(?:[./]\s?(?:[0-9]{{4}}|[0-9]{{2}}))?|{_WORDED}|{_MONTH_FIRST})"
)
"""What may be a date, whether any calendar has it or not."""


def plain_words(text: str) -> str:
    """Write words small, without umlauts, and with one blank between them."""
    small = text.lower().translate({ord("ä"): "ae", ord("ö"): "oe", ord("ü"): "ue", ord("ß"): "ss"})
    return re.sub(r"\s+", " ", small).strip()
