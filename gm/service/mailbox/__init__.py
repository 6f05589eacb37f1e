"""What else lies in the mailbox: junk, the quarantine, what cannot be fetched, what a restored copy does not know."""
