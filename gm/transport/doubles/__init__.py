"""Mail servers for tests and the demo."""
