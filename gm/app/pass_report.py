"""What one pass of the service did."""

from dataclasses import dataclass, field

from gm.runtime.errors import OperatorError


@dataclass(kw_only=True)
class Report:
    """What one pass did, for the log and `gm serve --once`."""

    received: int = 0
    statuses: dict[tuple[str, int, int], str] = field(default_factory=dict)
    """What became of the mails, by folder, UIDVALIDITY and UID."""
    closed: list[str] = field(default_factory=list)
    sent: int = 0
    pages: int = 0
    """Files of the archive that were written."""
    has_pages_left: bool = False
    """There are more to write; something else came first."""
    troubles: list[OperatorError] = field(default_factory=list)

    def __str__(self) -> str:
        done = f"{self.received} mails handled, {len(self.closed)} rounds closed, {self.sent} mails sent"
        if self.has_pages_left:
            return f"{done}, pages under way"
        return f"{done}, {self.pages} pages written" if self.pages else done

    @property
    def is_idle(self) -> bool:
        """Nothing happened."""
        return not (self.received or self.closed or self.sent or self.pages or self.has_pages_left)
