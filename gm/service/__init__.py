"""The running process: what a pass does, and when."""
