"""The pages of one game, made of its record alone."""
