"""Tokens for providers that take no passwords."""
