"""The rest of a line behind a command's word -> the command; None where the line is prose after all.

Sources: shared/spec/interface.md (Players' commands by mail), rulings.md part 3 (4 Fertig, 15 press).
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date
from typing import Final, Literal

from games.api import MoveBlock
from parsers.addresses import canonical
from parsers.commands import (
    Advance,
    Appeal,
    ArchiveName,
    Command,
    Digest,
    Extension,
    Help,
    History,
    Join,
    NewAddress,
    NotUnderstood,
    OfGame,
    Press,
    SetLanguage,
    Standby,
    Vacation,
    Watch,
)
from parsers.lines.command_table import MAX_COMMAND, Making, Row
from parsers.lines.dates import looks_like_days, propose_days, read_days, read_span, read_time, read_until
from parsers.lines.names import Named, Names

APPEAL = re.compile(r"(?P<named>\S+(?: \S+){0,3}) [»„“\"]?(?P<word>[^\s»«„“”\"]{1,60})[«“”\"]?")
NUMBER = re.compile(r"[0-9]{1,3}")
ANONYMOUS = re.compile(r"anonym(?:ous)?", re.IGNORECASE)
# Outlook writes a linked address twice: `anna@example.org <mailto:anna@example.org>`.
ADDRESS = re.compile(r"<?(?:mailto:)?(?P<address>[^\s<>]+?)>?(?:\s+<(?:mailto:)?(?P=address)>)?", re.IGNORECASE)

NOT_AWAY: Final = re.compile(
    r"(?:(?P<before>.+?)\s)??(?:doch nicht|f(?:ä|ae)llt aus|gestrichen|abgesagt|streichen|l(?:ö|oe)schen|absagen"
    r"|stornieren|zur(?:ü|ue)cknehmen|zur(?:ü|ue)ckziehen|aufheben|beenden|abbrechen|entf(?:ä|ae)llt|aus|off|cancel"
    r"|cancell?ed|delete|remove|withdraw|take back|taken back)(?::?\s(?P<behind>.+))?[ .!]*",
    re.IGNORECASE,
)
"""How somebody is not away after all: `streichen`, `24.12.-6.1. absagen`, `off 24.12.-6.1.`."""
NAME_FORMS: Final[Mapping[str, Literal["full", "initial"]]] = {
    "voll": "full", "ganz": "full", "vollständig": "full", "vollstaendig": "full", "full": "full",
    "kurz": "initial", "abgekürzt": "initial", "abgekuerzt": "initial", "initial": "initial", "short": "initial",
}  # fmt: skip
FILLERS: Final = frozenset(
    """
    aber alle allen alles als am ans auch auf bei beim bin bist bitte da danach danke dann das dass dein deine dem den
    denn der des deshalb die dir doch du durch ein eine einem einen einer eines er erst es euch euer eure fand finde
    folgen folgt gab ganz geht gibt ging gleich gut habe haben hallo hast hat hatte heute hier hi ich ihm ihn ihr ihre
    im immer ist ja jetzt kann kein keine keinen klappt kommt kurz leider liegt lohnt macht mal mehr mein meine
    mich mir mit morgen muss nach nachher nein neu nicht nichts noch nun nur ob oder ohne schon sehr sei seid
    sein seine seit sich sie siehe sind so soll später steht stimmt toll über uns unser unsere und unten viel
    vielen viele vom von vor wann war waren warum was wegen weil wenn wer werde werden wie wieder will wir wird wo
    wohl zu zum zur zurück
    a about above again ahead all also and any are as at attached away back be because been before behind below but
    by can conference could did do does down enclosed everyone few follows following for freedom from get gets good
    got had has have he hello her here his how i if in into is it its just later like me moment more my need next
    no not nothing now of office on one or our out over please regardless release releases repeats see she should
    so some soon sounds still than thanks that the their them then there these they this time to today tomorrow
    tonight too under until up upon us very wants was we were what when where which while who why will with would yet
    you your
    """.split()  # noqa: SIM905  a list of words reads best as a text
)
"""Words of running text: no game has such a name, and a line with one of them is no mistaken command."""
_BEHIND_ADVANCE: Final = frozenset(
    ("entschuldigung", "frage", "fragen", "hinweis", "info", "kurz", "schonmal", "sorry", "notice", "warning")
)
"""Words that stand behind `Vorab` or `Advance` in running text: `Vorab kurz: Ich bin weg`."""


def about_game(kind: type[OfGame]) -> Making:
    """Make commands for a game; the name may be missing."""

    def make(rest: str, names: Names, _: Row) -> Command | None:
        named = names.read(rest)
        return kind(title_key=named.title_key, game=named.game) if named else None

    return make


def about_named(kind: type[OfGame]) -> Making:
    """Make commands for a game that must be named."""

    def make(rest: str, names: Names, _: Row) -> Command | None:
        named = _name(rest, names)
        return kind(title_key=named.title_key, game=named.game) if named and named.game else None

    return make


def advance(rest: str, names: Names, _: Row) -> Command | None:
    """`Eriwan`, with a title or not; `Eriwan: kaufen` has the first line of the first block."""
    head, _colon, line = rest.partition(":")
    named = _name(head.rstrip(".! "), names)
    if not named or (line.strip() and not named.game) or named.game.lower() in _BEHIND_ADVANCE:
        return None
    blocks = (MoveBlock(lines=(line.strip(),)),) if line.strip() else ()
    return Advance(title_key=named.title_key, game=named.game, blocks=blocks)


def join(rest: str, names: Names, _: Row) -> Command | None:
    """`Crossword`, `Eriwan` or `Crossword Eriwan`."""
    named = _name(rest, names) if rest else None
    return Join(title_key=named.title_key, game=named.game) if named else None


def help_about(rest: str, names: Names, _: Row) -> Command | None:
    """A game, a title, or nothing."""
    named = names.read(rest)
    return Help(topic=named.title_key or named.game) if named else None


def alone(kind: type[Command]) -> Making:
    """Make commands behind which nothing stands."""

    def make(rest: str, _: Names, _row: Row) -> Command | None:
        return None if rest else kind()

    return make


def standby(on: bool) -> Making:
    """A title, or nothing: the standby list is no game's."""

    def make(rest: str, names: Names, _: Row) -> Command | None:
        named = names.read(rest)
        return Standby(title_key=named.title_key, on=on) if named and not named.game else None

    return make


def appeal(rest: str, names: Names, _: Row) -> Command | None:
    """`Eriwan WORT: Begründung`."""
    head, _colon, reason = rest.partition(":")
    found = APPEAL.fullmatch(" ".join(head.rstrip(".! ").split())) if len(head) <= MAX_COMMAND else None
    named = names.read(found["named"]) if found else None
    if not found or not named or not named.game:
        return None
    return Appeal(title_key=named.title_key, game=named.game, word=found["word"], reason=reason.strip())


def history(rest: str, names: Names, _: Row) -> Command | None:
    """`Eriwan 3`, `Eriwan Runde 3`, either alone, or nothing."""
    words = rest.split()
    number = int(words.pop()) if words and NUMBER.fullmatch(words[-1]) else None
    if number is not None and words and words[-1].lower() in ("runde", "round"):
        words.pop()
    named = _name(" ".join(words), names)
    return History(title_key=named.title_key, game=named.game, number=number) if named else None


def read_vacation(text: str, today: date) -> Vacation | None:
    """Read days as they are meant today, or `streichen` or `off`, with days or without; None for anything else."""
    if found := NOT_AWAY.fullmatch(text):
        return read_days_off((found["before"] or found["behind"] or "").strip(" :"), today)
    named = read_days(text)
    days = named.on(today) if named else None
    return Vacation(days=days) if days else None


def read_days_off(text: str, today: date) -> Vacation | None:
    """Read on which days somebody isn't away after all: these, or where none are named, all."""
    named = read_vacation(text, today) if text else Vacation(days=None)
    return replace(named, is_off=True) if named else None


def vacation(rest: str, names: Names, row: Row) -> Command | None:
    """Days (`24.12.-6.1.`, `bis Sonntag`) or `streichen`. What only looks like days is answered."""
    if command := read_vacation(rest, names.today):
        return command
    if not looks_like_days(rest):
        return None
    return NotUnderstood(line=rest, meant=f"{row.shown} {propose_days(rest, row.argument)}")


def no_vacation(rest: str, names: Names, _: Row) -> Command | None:
    """Nothing, or the days on which somebody isn't away after all."""
    return read_days_off(rest, names.today)


def extension(rest: str, names: Names, _: Row) -> Command | None:
    """`Eriwan 3 Tage`, `Eriwan bis Sonntag`, or either part alone."""
    before, day = read_until(rest)
    until = day.to_come(names.today) if day else None
    before, span = (before, "") if until else read_span(rest)
    named = _name(before, names)
    if not named or not (span or until or named.game):
        return None
    return Extension(title_key=named.title_key, game=named.game, span=span, until=until)


def watch(on: bool) -> Making:
    """A game that must be named."""

    def make(rest: str, names: Names, _: Row) -> Command | None:
        named = _name(rest, names)
        return Watch(title_key=named.title_key, game=named.game, on=on) if named and named.game else None

    return make


def press(rest: str, names: Names, row: Row) -> Command | None:
    """`anonym Eriwan: Text`; the text may begin below. Without a game only a text that ends with `Ende` is press."""
    head, colon, text = rest.partition(":")
    words = head.rstrip(".! ").split() if len(head) <= MAX_COMMAND else []
    plain = [word for word in words if not ANONYMOUS.fullmatch(word)]
    if (rest and not words) or (head.strip() and not words):
        return None
    said = text_for(Press)(" ".join(plain) + colon + text, names, row)
    return replace(said, anonymous=len(plain) < len(words)) if isinstance(said, Press) else None


def text_for(kind: Callable[..., OfGame]) -> Making:
    """Make commands with a text: `Eriwan: Text`; the text may begin below."""

    def make(rest: str, names: Names, _: Row) -> Command | None:
        head, _colon, text = rest.partition(":")
        named = _name(head.rstrip(".! "), names) if len(head) <= MAX_COMMAND else None
        if not named or (rest.strip() and not head.strip()) or (text.strip() and not named.game):
            return None
        return kind(title_key=named.title_key, game=named.game, text=text.strip())

    return make


def digest(rest: str, names: Names, row: Row) -> Command | None:
    """`an`, `aus`, `monatlich`, or `täglich` with a time of day, in the words of the row's language."""
    words = rest.lower().split(maxsplit=1)
    how = names.commands.how_often(words[0], row.language) if words else None
    at = read_time(words[1]) if words[1:] else ""
    return None if how is None or at is None or (at and how != "daily") else Digest(how=how, at=at)


def stop_digest(rest: str, _titles: Names, _: Row) -> Command | None:
    """Nothing."""
    return None if rest else Digest(how="off")


def language(rest: str, names: Names, _: Row) -> Command | None:
    """A language by its code or name."""
    to = names.commands.called.get(rest.lower())
    return SetLanguage(to=to) if to else None


def archive_name(rest: str, names: Names, row: Row) -> Command | None:
    """Read the form of a name from `voll`, `kurz`, or nothing. Another word is answered."""
    form = NAME_FORMS.get(rest.lower())
    if form or not rest:
        return ArchiveName(form=form or "")
    is_wrong = " " not in rest and rest.lower() not in FILLERS
    return NotUnderstood(line=rest, meant=row.example(names)) if is_wrong else None


def address(rest: str, _titles: Names, _: Row) -> Command | None:
    """One address."""
    found = ADDRESS.fullmatch(rest)
    address = canonical(found["address"]) if found else ""
    return NewAddress(address=address) if address else None


def _name(text: str, names: Names) -> Named | None:
    """Read a title and name, but no word of running text for a name."""
    named = names.read(text)
    return None if named and not named.title_key and named.game.lower() in FILLERS else named
