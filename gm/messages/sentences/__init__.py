"""What the service says in a sentence, in both languages."""
