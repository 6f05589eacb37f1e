"""Tokens for providers that take no passwords, by the providers' own libraries."""
