"""Moves in mails: read, filed, refused, held."""
