"""Wort-Yahtzee: seven letter dice, three rolls, eight rounds; the standard rules and the alternative in any order."""

from games.wort_yahtzee.rules import WortYahtzee

ENGINE = WortYahtzee()
