"""Pages where something is looked up: rules, words, and what is stored of players."""
