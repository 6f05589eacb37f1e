"""What several games share: the board without edges, its tiles, finding words, notation, drawing and ranking."""
