"""What happens in games: commands carried out, rounds closed, seats taken. Reads, asks the engine, writes."""
