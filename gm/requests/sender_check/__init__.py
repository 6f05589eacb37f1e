"""Whether a mail is from whom it names."""
