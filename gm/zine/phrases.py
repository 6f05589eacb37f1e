"""The phrases of an issue, in both languages."""

from typing import Final

from games.api import Language, Wording, both

PHRASES: Final[Wording] = {
    "NUMBER": both("Nr. {number}", "No. {number}"),
    "TITLE": both("{zine}, Nr. {number}", "{zine}, No. {number}"),
    "CORRECTED": both("Berichtigte Ausgabe", "Corrected issue"),
    "CONTENTS": both("Inhalt", "Contents"),
    "CALENDAR": both("Termine", "Dates"),
    "DATE_zat_of": both("ZAT {games}", "Deadline of {games}"),
    "DATE_copy": both("Redaktionsschluss", "Copy deadline"),
    "DATE_issue": both("Heft {number} erscheint", "Issue {number} appears"),
    "NO_DATES": both("Zurzeit steht kein Termin fest.", "No date is set at present."),
    "editorial": both("Vorwort", "Editorial"),
    "games": both("Partien", "Games"),
    "press": both("Presse", "Press"),
    "letters": both("Leserbriefe", "Letters"),
    "standings": both("Stand der Partien", "How the games stand"),
    "seek": both("Mitspieler gesucht", "Players wanted"),
    "standbys": both("Ersatzspieler gesucht", "Standbys wanted"),
    "tables": both("Ewige Tabelle", "All-time table"),
    "puzzles": both("Rätsel", "Puzzles"),
    "imprint": both("Impressum", "Imprint"),
    "notes": both("Notizen", "Notes"),
    "GAME": both("{title} »{game}«", "{title} “{game}”"),
    "SPAN": both("{first} bis {last}", "{first} to {last}"),
    "SINCE_FOR": both("{name} (für {before})", "{name} (for {before})"),
    "NEXT_ZAT": both("ZAT {heading}: {zat}", "Deadline of {heading}: {zat}"),
    "PROVISIONAL": both(
        "Der Endstand ist vorläufig: Die Spielleitung prüft noch Wörter.",
        "The result is provisional: the game master is still checking words.",
    ),
    "ABORTED": both("Die Partie ist abgebrochen.", "The game was broken off."),
    "LEGEND": both("Zu allen Partien {title}:", "For all games of {title}:"),
    "MISSED": both("NMR: {names}.", "NMR: {names}."),
    "NO_GAMES": both(
        "In diesem Heft ist keine Partie ausgewertet.", "No game was evaluated in the time of this issue."
    ),
    "GAME_COLUMN": both("Partie", "Game"),
    "STAND_COLUMN": both("Stand", "Stands"),
    "AHEAD_COLUMN": both("Vorn", "Ahead"),
    "ZAT_COLUMN": both("ZAT", "Deadline"),
    "SEEK_HOW": both(
        "Eine Mail mit einer dieser Zeilen genügt{address}:", "A mail with one of these lines will do{address}:"
    ),
    "AT": both(" (an {address})", " (to {address})"),
    "SEEK_LINE": both("Anmeldung {title} {game}", "Join {title} {game}"),
    "STANDBYS_HOW": both(
        "Hier kann jederzeit ein Platz frei werden, und noch wartet niemand auf ihn. Wer einspringen möchte, schreibt "
        "eine dieser Zeilen{address}:",
        "A seat may become free here at any time, and nobody is waiting for it yet. If you would step in, send one of "
        "these lines{address}:",
    ),
    "STANDBYS_LINE": both("Standby {title}", "Standby {title}"),
    "VACANT": both("In {game} ist ein Platz frei.", "There is a free seat in {game}."),
    "RANK": both("Pl.", "Pl."),
    "NAME": both("Name", "Name"),
    "GAMES_COLUMN": both("Partien", "Games"),
    "WINS": both("Siege", "Wins"),
    "PODIUM": both("unter den ersten drei", "in the first three"),
    "TABLES_HOW": both(
        "Alle Partien aller Spiele, die bis {until} zu Ende waren. Gereiht wird nach Siegen, dann nach Plätzen unter "
        "den ersten drei; dabei ist, wer mindestens {enough} Partien gespielt hat.",
        "All games of all kinds that had ended by {until}. Ranked by wins, then by places in the first three; for all "
        "who have played at least {enough} games.",
    ),
    "IMPRINT_ISSUE": both(
        "{zine}, Heft {number}, erschienen am {date}. Spielleitung und Redaktion: {gm}.",
        "{zine}, issue {number}, published on {date}. Game master and editor: {gm}.",
    ),
    "IMPRINT_WINDOW": both(
        "Gedruckt ist, was bis {until} ausgewertet war.", "It prints what had been evaluated by {until}."
    ),
    "IMPRINT_NAMES": both(
        "Namen stehen so da, wie die Mitspieler sie zeigen wollen. Wer anders oder gar nicht mehr genannt werden "
        "möchte, sagt es der Spielleitung; in schon verschickten Heften lässt sich das nicht mehr ändern.",
        "Names are shown as the players want them. If you want another one, or none, tell the game master; issues that "
        "went out already can't be changed.",
    ),
    "IMPRINT_TYPE": both(
        "Gesetzt aus Schriften, die von Vollkorn und Linux Biolinum abgeleitet sind (SIL Open Font License).",
        "Set in typefaces derived from Vollkorn and Linux Biolinum (SIL Open Font License).",
    ),
    "ADDRESS": both("Anschrift: {address}", "Address: {address}"),
}  # fmt: skip
"""Code -> language -> phrase. Sections go by their own names."""


def phrase(language: Language, code: str, **values: object) -> str:
    """Give a phrase of the issue."""
    return PHRASES[code][language].format_map(values)
