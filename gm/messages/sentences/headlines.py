"""Headlines of rounds and results: who leads, who has won and how."""

from games.api import Wording, both

HEADLINE_SENTENCES: Wording = {
    "HEADLINE_AND": both(" und ", " and "),
    "HEADLINE_WINS": both("{first} gewinnt", "{first} wins"),
    "HEADLINE_WINS_WITH": both("{first} gewinnt mit {points}", "{first} wins with {points}"),
    "HEADLINE_WIN_TOGETHER": both("{first} gewinnen gemeinsam", "{first} win together"),
    "HEADLINE_WIN_TOGETHER_WITH": both("{first} gewinnen gemeinsam mit {points}", "{first} win together with {points}"),
    "HEADLINE_ALL_EVEN": both("Unentschieden: alle mit {points}", "A draw: all with {points}"),
    "HEADLINE_BEATS": both("{first} schlägt {second} mit {best}:{next}", "{first} beats {second} {best} to {next}"),
    "HEADLINE_WINS_AHEAD": both(
        "{first} gewinnt mit {points}, {lead} vor {second}", "{first} wins with {points}, {lead} ahead of {second}"
    ),
    "HEADLINE_LAST_ROUND": both(": {gained} in der letzten Runde", ": {gained} in the last round"),
    "HEADLINE_LEADS": both("{first} führt mit {points}", "{first} leads with {points}"),
    "HEADLINE_LEADS_AHEAD": both(
        "{first} führt mit {points}, {lead} vor {second}", "{first} leads with {points}, {lead} ahead of {second}"
    ),
    "HEADLINE_OVERTAKES": both(
        "{first} überholt {second} und führt mit {best}:{next}", "{first} overtakes {second} and leads {best} to {next}"
    ),
    "HEADLINE_SHARE_LEAD": both(
        "{first} liegen mit {points} gleichauf vorn", "{first} share the lead with {points} each"
    ),
    "HEADLINE_HALF_TIME": both("Halbzeit: noch {left} Runden", "Half-time: {left} rounds to go"),
    "HEADLINE_LAST_BEGINS": both("Jetzt kommt die letzte Runde", "The last round is next"),
    "HEADLINE_POINT": both("1 Punkt", "1 point"),
    "HEADLINE_POINTS": both("{number} Punkten", "{number} points"),
    "HEADLINE_GAINED": both("{number} Punkte", "{number} points"),
}  # fmt: skip
