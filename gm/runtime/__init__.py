"""The process and its config: errors, clock, logs, secrets, stop signal, network."""
