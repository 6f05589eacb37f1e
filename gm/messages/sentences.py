"""What the service itself says in a sentence, whatever the game; longer mails are templates."""

from typing import Final

from gm.runtime.catalogues import wording

SENTENCES: Final = wording("sentences")
