"""The life of one game: start, closings, seats, deadlines."""
