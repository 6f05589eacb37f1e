"""The archive of pages: database -> records -> pages -> a folder that can be read from disk or put on the web."""
