"""Combinato-Zahlen: the Zahlen-Spiel of the rule text of seed 004. It is Combinato with figures."""

from games.catalogue import wording_of
from games.combinato import ENGINE as COMBINATO
from games.combinato import Combinato, rules_of
from games.combinato.view import example
from games.combinato_zahlen.figures import FIGURES

ENGINE = Combinato(
    rules=rules_of("combinato-zahlen", "Combinato-Zahlen", {"repeats": False}, example("0427", "1234", "4422", "0421")),
    wording={**COMBINATO.wording, **wording_of("games.combinato_zahlen")},
    variant=FIGURES,
)
