"""Combinato-Zahlen: the Zahlen-Spiel of the rule text of seed 004. It is Combinato with figures."""

from games.combinato import Combinato, rules_of
from games.combinato.view import example
from games.combinato_zahlen.figures import FIGURES
from games.combinato_zahlen.texts import WORDING

ENGINE = Combinato(
    rules=rules_of("combinato-zahlen", "Combinato-Zahlen", {"repeats": False}, example("0427", "1234", "4422", "0421")),
    wording=WORDING,
    variant=FIGURES,
)
