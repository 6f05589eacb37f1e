"""From views to mails: wording, layout, templates, and the bytes that are queued."""
