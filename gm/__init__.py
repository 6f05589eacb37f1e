"""The game master service: everything that touches the world."""
