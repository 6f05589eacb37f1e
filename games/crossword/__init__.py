"""Crossword: six seats, each with a grid of 6x6 of its own; postal rules of the Dottendorfer Soccer."""

from games.crossword.rules import Crossword

ENGINE = Crossword()
