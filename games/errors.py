"""The one error that a game raises. Mistakes in a player's block are no exceptions but `Sheet.problems`."""

from games.api import Text


class SetupError(Exception):
    """A game can't start. The GM reads why: a text of the game's wording, or a sentence of an author's own."""

    def __init__(self, why: str | Text) -> None:
        super().__init__(why if isinstance(why, str) else f"{why.code} {dict(why.values)}")
        self.why = why
