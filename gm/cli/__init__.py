"""The command line: parse arguments, call one function, print. No logic."""

from gm.cli.commands import main

__all__ = ["main"]
