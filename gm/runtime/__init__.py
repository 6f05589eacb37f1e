"""The process and its config: errors, clock, logs, secrets, signals, network."""
