"""IMAP, SMTP and OAuth. It knows no game and no database."""
