"""From values to the text, HTML and bytes of a mail."""
