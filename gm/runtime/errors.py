"""The errors that are understood, by who is told. `str(error)` is a finished English sentence that says what to do."""

from collections.abc import Callable
from datetime import date, datetime

from games.api import LANGUAGES, Language, Text, say
from gm.runtime.catalogues import catalogue


class GmError(Exception):
    """An error that is understood. Anything else is a bug: the mail is quarantined, and the GM is told."""


class PlayerError(GmError):
    """An error that the sender of a mail is told, in their language (gm.messages.sentences)."""

    def __init__(self, text: Text) -> None:
        super().__init__(f"{text.code} {dict(text.values)}")
        self.text = text


class UnknownGame(PlayerError):  # noqa: N818 (its name is the sentence)
    """No game has this name, or none that the sender may know of."""


class NotYourSeat(PlayerError):  # noqa: N818 (its name is the sentence)
    """The sender has no seat in this game."""


class GameFull(PlayerError):  # noqa: N818 (its name is the sentence)
    """Every seat is taken, or the game has begun."""


class OperatorError(GmError):
    """An error for the log and the command line, with exit code 1."""

    def __init__(self, said: str | Text = "", *, is_login: bool = False) -> None:
        super().__init__(sentence(said, "en") if isinstance(said, Text) else said)
        self.text = said if isinstance(said, Text) else None
        """A code of the catalogue `errors`, where a mail may say it, and what fills it."""
        self.is_login = is_login
        """A password was refused. Trying again and again may lock the account."""

    def said_in(self, language: Language) -> str:
        """Return the sentence in a language, in English where there is no other."""
        return sentence(self.text, language) if self.text else str(self)


class _InEach(Text):
    """Words that don't come from the catalogue `errors`: `values` has them by language."""


def in_each(write: Callable[[Language], str]) -> Text:
    """Make a `Text`, or a value of one, of what is worded elsewhere: `write` is asked in every language."""
    return _InEach("", {language: write(language) for language in LANGUAGES})


def on_day(day: date) -> Text:
    """Make a value of a day: `2026-12-24`."""
    return say("when.day", year=f"{day:%Y}", month=f"{day:%m}", day=f"{day:%d}")


def at_minute(instant: datetime) -> Text:
    """Make a value of an instant, by the clock of its own zone: `2026-12-24 20:00`."""
    return say("when.minute", day=on_day(instant), time=f"{instant:%H:%M}")


def sentence(text: Text, language: Language) -> str:
    """Word a text of the catalogue `errors`."""
    if isinstance(text, _InEach):
        return str(text.values[language])
    values = {name: sentence(value, language) if isinstance(value, Text) else value
              for name, value in text.values.items()}  # fmt: skip
    return catalogue("errors", language)[text.code].format_map(values)


class ConfigError(OperatorError):
    """The config file, or a file named in it, is wrong. There is one line for each fault."""


class MailboxError(OperatorError):
    """The IMAP server can't be reached, or refuses."""


class Immovable(MailboxError):  # noqa: N818 (its name is the sentence)
    """Mails are read and handled but can't be moved out of their folder. That holds nothing up."""


class DeliveryError(OperatorError):
    """The SMTP server can't be reached, or refuses."""


class StoreError(OperatorError):
    """The database can't be used."""


class NoRoom(StoreError):  # noqa: N818 (its name is the sentence)
    """The disk of the database is full. Smaller writes may still fit."""


class NotOurs(StoreError):  # noqa: N818 (its name is the sentence)
    """Another database, or a later incarnation of this one, serves the mailbox: this one must not."""

    def __init__(self, sentence: str, *, is_overtaken: bool = False) -> None:
        super().__init__(sentence)
        self.is_overtaken = is_overtaken
        """Whether it was ours before: then this database isn't served any more."""


class Refused(OperatorError):  # noqa: N818 (its name is the sentence)
    """A command asks for something that isn't possible now, or is written wrongly."""


class EndsGame(Refused):
    """What is asked for would end a game for good. The sentence says how; the GM has to agree to it first."""


class ArchiveError(OperatorError):
    """The archive can't be written to its folder."""


class ArchiveBusy(ArchiveError):  # noqa: N818 (its name is the sentence)
    """Another process writes the archive. What has changed is written by the next export."""


class TokenError(OperatorError):
    """There is no token to log in to a mail server with (gm.transport.oauth)."""
