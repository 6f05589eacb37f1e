"""When rounds close and who is reminded."""
