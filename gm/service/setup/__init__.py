"""Setting a zine up and checking it."""
