"""What the service says in a sentence about a corrected result, an appeal, and the calendar."""

from games.api import Wording

CHANGE_SENTENCES: Wording = {
    "CHANGED_NMR": {"de": "Jetzt NMR: {names}", "en": "Now NMR: {names}"},
    "CHANGED_NO_NMR": {"de": "Kein NMR mehr: {names}", "en": "No longer NMR: {names}"},
    "CHANGED_STANDING": {
        "de": "{seat}: Platz {rank} mit {points} statt Platz {old_rank} mit {old_points}",
        "en": "{seat}: rank {rank} with {points} instead of rank {old_rank} with {old_points}",
    },
    "CHANGED_OVER": {"de": "Damit ist die Partie zu Ende", "en": "This ends the game"},
    "CHANGED_NOT_OVER": {"de": "Die Partie ist noch nicht zu Ende", "en": "The game is not over yet"},
    "CHANGED_ONE_POINT": {"de": "1 Punkt", "en": "1 point"},
    "CHANGED_POINTS": {"de": "{number} Punkten", "en": "{number} points"},
    "CHANGED_LINE": {"de": "{line} (vorher: {before})", "en": "{line} (before: {before})"},
    "CHANGED_NEW": {"de": "Neu: {line}", "en": "New: {line}"},
    "CHANGED_GONE": {"de": "Entfällt: {line}", "en": "Gone: {line}"},
    "CHANGED_NOTE": {"de": "{of}: {now} statt {before}", "en": "{of}: {now} instead of {before}"},
    "CHANGED_GRID_ROW": {
        "de": "{of}, Zeile {row}: {now} statt {before}",
        "en": "{of}, row {row}: {now} instead of {before}",
    },
    "CHANGED_ROW": {"de": "{row}: {cells}", "en": "{row}: {cells}"},
    "CHANGED_OF": {"de": "{of}, {row}", "en": "{of}, {row}"},
    "CHANGED_NEW_ROW": {"de": "{of}, neu: {cells}", "en": "{of}, new: {cells}"},
    "CHANGED_GONE_ROW": {"de": "{of}, entfällt: {cells}", "en": "{of}, gone: {cells}"},
    "CHANGED_TO": {"de": "{now}", "en": "{now}"},
    "CHANGED_TO_HEADED": {"de": "{head} {now}", "en": "{head} {now}"},
    "CHANGED_CELL": {"de": "{now} statt {before}", "en": "{now} instead of {before}"},
    "CHANGED_CELL_HEADED": {"de": "{head} {now} statt {before}", "en": "{head} {now} instead of {before}"},
    "CHANGED_BELOW": {"de": "Stand", "en": "Position"},
    "CHANGED_MORE": {
        "de": "und {number} weitere Änderungen; unten steht alles",
        "en": "and {number} more changes; all of it is below",
    },
    "NOW_ACCEPTED": {"de": "zählt", "en": "counts"},
    "NOW_REFUSED": {"de": "zählt nicht: {why}", "en": "doesn't count: {why}"},
    "NOW_DOUBTFUL": {"de": "noch offen: {why}", "en": "still open: {why}"},
    "BY_RULING": {"de": "deine Entscheidung", "en": "your ruling"},
    "BY_HOUSE": {"de": "Wortliste des Hauses", "en": "the house's word list"},
    "BY_LIST": {"de": "Wortliste", "en": "the word list"},
    "BY_NOTHING": {"de": "kein Eintrag", "en": "no entry"},
    "APPEAL_NAME": {"de": "Name", "en": "Name"},
    "APPEAL_ACCEPTED": {"de": "Wenn es zählt", "en": "If it counts"},
    "APPEAL_REJECTED": {"de": "Wenn nicht", "en": "If it doesn't"},
    "APPEAL_PLACE": {"de": "{points} (Platz {rank})", "en": "{points} (rank {rank})"},
    "CALENDAR_ROUND": {"de": "ZAT {game}, Runde {round}", "en": "Deadline {game}, round {round}"},
    "CALENDAR_TURN": {"de": "ZAT {game}, Zug {round}", "en": "Deadline {game}, turn {round}"},
    "CALENDAR_DEAL": {"de": "ZAT {game}, Durchgang {round}", "en": "Deadline {game}, deal {round}"},
    "CALENDAR_HOW": {
        "de": "Wie es steht, sagt dir eine Mail an {address} mit der Zeile »Stand {game}«.",
        "en": "A mail to {address} with the line “Status {game}” brings you the position.",
    },
    "CALENDAR_ON": {
        "de": "Ab jetzt hängt an jeder Mail mit einem neuen ZAT auch die Kalenderdatei dazu. Verschiebt er sich, kommt "
        "sie neu; öffnest du sie, rückt dein Kalender den Eintrag nach. Was zurzeit ansteht, hängt an. »Kalender aus« "
        "beendet das.",
        "en": "From now on every mail with a new deadline brings its calendar file. When the deadline moves, the file "
        "comes again; open it, and your calendar moves the entry. What lies ahead now is attached. “Calendar off” ends "
        "this.",
    },
    "CALENDAR_ON_EMPTY": {
        "de": "Ab jetzt hängt an jeder Mail mit einem neuen ZAT auch die Kalenderdatei dazu. Zurzeit steht keiner an. "
        "»Kalender aus« beendet das.",
        "en": "From now on every mail with a new deadline brings its calendar file. None lies ahead now. “Calendar "
        "off” ends this.",
    },
    "CALENDAR_OFF": {
        "de": "Kalenderdateien bekommst du keine mehr. »Kalender an« bringt sie wieder.",
        "en": "You will get no more calendar files. “Calendar on” brings them back.",
    },
}
