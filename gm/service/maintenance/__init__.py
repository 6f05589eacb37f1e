"""What is done beside the passes: old mails thrown away, the zine moved to another database."""
