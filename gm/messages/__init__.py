"""From values to mails in the outgoing queue."""
