"""What the commands print with, and what the shell completes."""
