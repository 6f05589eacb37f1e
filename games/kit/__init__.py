"""For the tests of a game, ours or one kept elsewhere: `testkit` checks the contract. No running service imports it."""
