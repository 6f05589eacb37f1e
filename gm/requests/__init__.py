"""What a mail asks for, carried out: commands, moves, answers and wishes."""
