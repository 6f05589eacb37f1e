"""What several games share: the open board, its tiles, finding words, notation, phrases, drawing and ranking."""
