"""Names, addresses and seats of players: who is who, and who may do what."""
