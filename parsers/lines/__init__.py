"""Text -> typed commands and move blocks."""
