"""Bytes of a mail -> what its sender wrote, and who that may be."""
