"""The titles that the parser tests know. Only their spelling matters here, so no engine is needed."""

import pytest

from games.api import Rules
from gm.requests.declared import command_table
from parsers.lines.names import Names, names_of


def a_title(key: str, title: str, *aliases: str, grid_rows: int = 0) -> Rules:
    """Rules of which only title and grid count."""
    return Rules(key=key, title=title, aliases=aliases, seats=(2, 6), version=1, profile="duden", grid_rows=grid_rows)


@pytest.fixture(scope="session")
def rules() -> tuple[Rules, ...]:
    """All titles of games.md."""
    return (
        a_title("crossword", "Crossword", "Kreuzwort", grid_rows=6),
        a_title("typ-dom", "Typ-Dom"),
        a_title("point-typ-dom", "Point-Typ-Dom"),
        a_title("presto", "Presto"),
        a_title("wer-behaelt-recht", "Wer behält recht"),
        a_title("farbdomino", "Farbdomino"),
        a_title("wort-yahtzee", "Wort-Yahtzee"),
        a_title("combinato", "Combinato"),
        a_title("combinato-zahlen", "Combinato-Zahlen"),
    )


@pytest.fixture(scope="session")
def names(rules: tuple[Rules, ...]) -> Names:
    """The same, and all commands, ready to recognise."""
    return names_of(rules, command_table())
