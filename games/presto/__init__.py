"""Presto: everybody builds a grid of their own with all their tiles, and the first two are paid."""

from games.presto.rules import Presto

ENGINE = Presto()
