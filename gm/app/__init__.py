"""What everything is given: settings, clock, database, inbox, outbox."""
