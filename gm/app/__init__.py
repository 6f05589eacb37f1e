"""The App: what every use case is given, and the report of a pass."""
