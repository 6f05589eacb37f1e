"""What an engine refuses. Faults in a player's block are no exceptions: they are `Sheet.problems`."""


class SetupError(Exception):
    """A game can't start. The GM hears it; `{seats}` in the message stands for the seats concerned."""

    def __init__(self, message: str, seats: tuple[int, ...] = ()) -> None:
        super().__init__(message.replace("{seats}", ", ".join(f"seat {seat}" for seat in seats)))
        self.message = message
        self.seats = seats
