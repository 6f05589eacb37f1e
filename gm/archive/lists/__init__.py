"""The pages about more than one game: each module has `listing(edition)`, or what several of them share."""
