"""The way out: bulletins and answers delivered, digests and summaries sent."""
