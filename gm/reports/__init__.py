"""What the GM and the players read about games, mails and players. Nothing is written here."""
