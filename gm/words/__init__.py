"""The words: what the lists and the GM say about them."""
