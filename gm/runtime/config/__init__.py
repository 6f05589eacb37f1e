"""config.toml -> settings."""
