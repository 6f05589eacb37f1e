"""What people write beside commands, or without any."""
