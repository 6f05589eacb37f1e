"""Jinja2 templates of everything that is mailed; a package, so that they are found when installed."""
