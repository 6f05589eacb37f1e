"""What the GM does, by the command line or by mail."""
