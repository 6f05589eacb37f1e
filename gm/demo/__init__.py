"""`gm demo`: a whole game by real mail on loopback, played by scripted players against the real service."""

from gm.demo.run import play

__all__ = ["play"]
