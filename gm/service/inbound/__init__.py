"""A mail's way in: fetched, stored, read, carried out, answered."""
