"""Logging in to mail servers with a token instead of a password: OAuth 2.0, as Google and Microsoft want it."""
