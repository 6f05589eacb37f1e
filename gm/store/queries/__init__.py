"""Questions to the database, by what they are about."""
