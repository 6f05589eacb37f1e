"""What players and the GM ask for, carried out."""
