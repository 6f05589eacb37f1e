"""Games whose rules or words have changed since: what would come out otherwise, and the GM's consent."""
