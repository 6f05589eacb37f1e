"""The GM's mails: commands that a mail of ours has offered, and words that go on to players."""
