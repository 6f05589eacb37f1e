"""Outgoing mail: bulletins and answers delivered, digests queued, refusals understood."""
