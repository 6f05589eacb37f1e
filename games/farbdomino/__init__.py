"""Farbdomino: thirty squares of four colours, for two to five; a parlour game from the rule text of seed 002."""

from games.farbdomino.rules import Farbdomino

ENGINE = Farbdomino()
