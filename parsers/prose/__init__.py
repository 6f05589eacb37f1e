"""What people say in their own words: greetings, answers, wishes."""
