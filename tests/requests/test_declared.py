"""Each command by mail is declared once; catalogues, parser, help and reserved names all come from that."""

import pytest

from games.api import LANGUAGES, Language
from gm.messages.mail_commands import catalogue, command_words, help_lines
from gm.requests.declared import all_names, command_table, declared
from gm.requests.desk.new_games import check_name
from gm.runtime.errors import Refused
from parsers.lines.command_lines import read_command

NAMES = {"game": "Eriwan", "title": "Crossword", "explained": "Crossword", "gm": "Cici", "how": "an alle"}
WITHOUT_A_LINE = {"ANSWER"}
"""What stands in the help, and is read by the parser without a declaration."""


def test_declarations_and_catalogues_have_the_same_commands() -> None:
    """A command that lacks a language, or words that lack a command, fail here."""
    codes = {language: set(catalogue(language)) for language in LANGUAGES}
    assert codes["de"] == codes["en"]
    assert codes["de"] - WITHOUT_A_LINE <= set(declared())
    with_words = {code for code, entry in catalogue("de").items() if "spellings" in entry}
    assert with_words == {code for code, one in declared().items() if one.takes}


@pytest.mark.parametrize("language", LANGUAGES)
def test_entries_say_the_same_in_each_language(language: Language) -> None:
    """What a command takes and where it stands in the help is the same in each language."""
    for code, entry in catalogue(language).items():
        german = catalogue("de")[code]
        assert set(entry) == set(german), code
        assert len(entry.get("help", ())) == len(german.get("help", ())), code


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_entry_of_the_help_is_shown_once(language: Language) -> None:
    """The help has each line of the catalogue, in one of its groups, with all names filled in."""
    shown = [line for _, lines in help_lines(language, **NAMES) for line, _ in lines]
    written = [line.format(**NAMES) for entry in catalogue(language).values() for line, _ in entry.get("help", ())]
    assert sorted(shown) == sorted(written)
    assert len(shown) == len(set(shown))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_help_begins_with_what_people_need_most(language: Language) -> None:
    """Rules, a seat, the position, more time, the GM: five lines, the same in each language."""
    group, lines = help_lines(language, **NAMES)[0]
    first = [code for code, entry in catalogue(language).items() if entry.get("group") == group]
    assert len(lines) == len(first)
    assert first == ["HELP", "JOIN", "STATUS", "EXTENSION", "TO_GM"]


def test_every_spelling_is_read_in_its_language() -> None:
    """Each spelling of the table, in any case and with E for umlauts, is read as its row."""
    for row in command_table().rows:
        for spelling in row.spellings:
            line = row.example(all_names()).replace(row.shown, spelling)
            if not read_command(line, all_names()):
                line = f"{spelling} Crossword Eriwan"  # a sign-up needs no example
            for written in (line, line.upper(), line.replace("ü", "ue").replace("ä", "ae")):
                said = read_command(written, all_names())
                assert said is not None, written
                assert said.language == row.language, written


def test_no_game_is_called_like_a_command() -> None:
    """Every word of a command is refused as a game's name (rulings.md 3.1)."""
    assert {"zurückziehen", "zurueckziehen", "kein", "no", "games", "alle"} <= command_words()
    for word in command_words():
        with pytest.raises(Refused):
            check_name(word)


def test_what_only_shows_something_changes_nothing() -> None:
    """These need no proof of their sender, and are the only ones (mail.md, policies)."""
    harmless = {code for code, one in declared().items() if not one.changes}
    assert harmless == {"HELP", "GAMES", "STATUS", "HISTORY", "MY_GAMES", "GM_LINE"}
    assert {code for code, one in declared().items() if one.sender == "anybody"} == {
        "JOIN", "STANDBY", "NO_STANDBY", "WATCH", "UNWATCH", "HELP", "GAMES",
    }  # fmt: skip
