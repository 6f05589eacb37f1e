"""The archive: what was played, as pages that last."""
