"""After an upgrade: games whose rules have a new version, and words that are judged otherwise."""
