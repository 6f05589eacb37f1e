"""Sending mails."""
