"""What tests a game, here or in another package: `testkit` has the checks. No running service imports it."""
