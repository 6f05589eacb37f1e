"""The German word list: what it knows about a word, and what the rulings add."""
