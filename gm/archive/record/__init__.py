"""The record of one game, as spectators may know it."""
