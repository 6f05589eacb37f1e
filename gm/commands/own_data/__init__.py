"""What players can ask for about themselves: all their games, all that is stored about them, and to be forgotten."""
