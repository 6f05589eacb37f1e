"""Mail to moves, without side effects."""
