"""The mails about a step of a game: the third station of a closing."""
