"""The errors that are understood, by who is told. `str(error)` is a finished English sentence that says what to do."""

from games.api import Language, Text


class GmError(Exception):
    """An error that is understood. Anything else is a bug: the mail is quarantined, and the GM is told."""


class PlayerError(GmError):
    """An error that the sender of a mail is told, in their language (gm.messages.sentences.table)."""

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

    def __init__(self, sentence: str = "", *, de: str = "", is_login: bool = False) -> None:
        super().__init__(sentence)
        self.de = de
        """The same in German, where a mail to the GM may say it."""
        self.is_login = is_login
        """A password was refused. Trying again and again may lock the account."""

    def said_in(self, language: Language) -> str:
        """Return the sentence in a language, in English where there is no other."""
        return self.de or str(self) if language == "de" else str(self)


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
