"""Errors of reading a mail. `str(error)` is a finished sentence."""


class MailError(Exception):
    """A mail that can't be read as it came."""


class UnreadableMail(MailError):  # noqa: N818 (the hobby's word)
    """No mail could be made of the bytes; the raw bytes go into quarantine."""
