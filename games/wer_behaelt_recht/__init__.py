"""Wer behält recht?: word fragments grow tile by tile, and whoever announced the word must make it true."""

from games.wer_behaelt_recht.rules import WerBehaeltRecht

ENGINE = WerBehaeltRecht()
