"""What stands on the pages beside the games' own words."""

from typing import Final

from games.api import Wording, both

PHRASES: Final[Wording] = {
    "START": both("Start", "Home"),
    "GAMES": both("Partien", "Games"),
    "PEOPLE": both("Mitspieler", "Players"),
    "TABLE": both("Ewige Tabelle", "All-time table"),
    "WORDS": both("Wörter", "Words"),
    "STATISTICS": both("Statistik", "Statistics"),
    "RULES": both("Regeln", "Rules"),
    "DATES": both("Termine", "Dates"),
    "IMPRINT": both("Impressum", "Imprint"),
    "SITE": both("Archiv", "Archive"),
    "SKIP": both("Zum Inhalt", "Skip to content"),
    "GM_IS": both("Spielleitung: {gm}", "Game master: {gm}"),
    "ARCHIVE_OF": both("Archiv von {service}", "Archive of {service}"),
}
"""Code -> language -> phrase. A test checks that each is used and that both languages have the same placeholders."""
