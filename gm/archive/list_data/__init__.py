"""What lists of many games show."""
