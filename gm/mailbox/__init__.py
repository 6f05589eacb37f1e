"""The edge to the mail world: reading a folder over IMAP, sending over SMTP. Knows no game, no player, no database."""
