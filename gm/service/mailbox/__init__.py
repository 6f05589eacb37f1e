"""What else lies in the mailbox: junk, mails that cannot be fetched, and those that a restored copy does not know."""
