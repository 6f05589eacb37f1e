"""What one pass of the service did."""

from dataclasses import dataclass, field

from gm.errors import OperatorError


@dataclass(kw_only=True)
class Report:
    """What one pass did, for the log and `gm serve --once`."""

    received: int = 0
    closed: list[str] = field(default_factory=list)
    sent: int = 0
    troubles: list[OperatorError] = field(default_factory=list)

    def __str__(self) -> str:
        return f"{self.received} mails handled, {len(self.closed)} rounds closed, {self.sent} mails sent"

    @property
    def is_idle(self) -> bool:
        """Nothing happened."""
        return not (self.received or self.closed or self.sent)
