"""What can go wrong, by who must hear of it. `str(error)` is a finished English sentence that says the mend."""

from datetime import datetime

from games.api import Text


class GmError(Exception):
    """A trouble we understand. Anything else that is raised is a bug: quarantine, and the GM is told."""


class PlayerError(GmError):
    """The sender of a mail hears it: `text` says so in their language (gm.messages.rendering.sentences)."""

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
    """The log and the command line hear it; exit code 1."""

    def __init__(self, sentence: str = "", *, is_login: bool = False) -> None:
        super().__init__(sentence)
        self.is_login = is_login
        """A password was refused: who tries again and again is locked out."""


class ConfigError(OperatorError):
    """The config file or a file named in it is wrong. One line for each fault, so that one look mends all."""


class MailboxError(OperatorError):
    """The IMAP server can't be reached, or refuses."""


class NotOurs(MailboxError):  # noqa: N818 (its name is the sentence)
    """Another database's service reads this mailbox: nothing is done there, and no page is written."""


class Immovable(MailboxError):  # noqa: N818 (its name is the sentence)
    """Mails are read and handled but can't be taken out of their folder: it holds nothing up."""


class DeliveryError(OperatorError):
    """The SMTP server can't be reached, or refuses."""


class StoreError(OperatorError):
    """The database can't be used."""


class NoRoom(StoreError):  # noqa: N818 (its name is the sentence)
    """The database's disk is full: less may fit."""


class Moved(StoreError):  # noqa: N818 (its name is the sentence)
    """The zine is in another database now; this one is served no more."""


class Overtaken(Moved):
    """A copy of the database that was restored later serves the mailbox; this one is served no more."""

    def __init__(self, sentence: str, *, restored_at: datetime) -> None:
        super().__init__(sentence)
        self.restored_at = restored_at
        """When the copy that serves now was restored."""


class Refused(OperatorError):  # noqa: N818 (its name is the sentence)
    """A command asks for what isn't possible now, or is written wrongly."""


class ArchiveError(OperatorError):
    """The archive of pages can't be written where it shall be."""


class ArchiveBusy(ArchiveError):  # noqa: N818 (its name is the sentence)
    """Another process writes there; what has changed comes with the next export."""


class TokenError(OperatorError):
    """There is no token to log in to a mail server with (gm.oauth)."""
