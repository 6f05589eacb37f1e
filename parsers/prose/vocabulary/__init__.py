"""How a wish is said: German and English words by what they mean, and which meanings make which wish."""
