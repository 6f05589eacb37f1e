"""How boards of each look are drawn: a module for each."""
