"""Reading the mailbox: connect, list, fetch, move, wait."""
