"""The pages that list games, players and words."""
