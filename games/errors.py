"""The one error that a game raises. Mistakes in a player's block are no exceptions but `Sheet.problems`."""


class SetupError(Exception):
    """A game can't start. The GM reads the message; `{seats}` in it stands for the seats concerned."""

    def __init__(self, message: str, seats: tuple[int, ...] = (), *, de: str = "") -> None:
        super().__init__(message.replace("{seats}", ", ".join(f"seat {seat}" for seat in seats)))
        self.message = message
        self.seats = seats
        self.de = de
        """The same in German, for a GM who reads that; an empty one where the author has none."""
