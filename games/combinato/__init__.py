"""Combinato: two seats, each looks for the other's hidden word; the Buchstaben-Spiel of the rule text of seed 004."""

from games.combinato.letters import LETTERS
from games.combinato.rules import Combinato, rules_of
from games.combinato.texts import WORDING

ENGINE = Combinato(
    rules=rules_of("combinato", "Combinato", {"nouns_only": True, "repeats": False}), wording=WORDING, variant=LETTERS
)
