"""The printed issue: what was evaluated in its time, as pages, as a page for the screen, and as text."""
