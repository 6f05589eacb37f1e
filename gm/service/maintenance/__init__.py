"""Maintenance beside the passes: removing old mails, moving the zine to another database."""
