"""The mails that tell of a step of a game."""
