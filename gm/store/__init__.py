"""The database: tables, questions to it, and its schema's history."""
