"""What players of Point-Typ-Dom read beside the texts of Typ-Dom, in German and English."""

from typing import Final

from games.api import Wording, both
from games.shared.tiles import POINTS
from games.typ_dom.texts import WORDING as SHARED

_VALUES: Final = ", ".join(
    f"{' '.join(letter for letter, points in POINTS.items() if points == value)} {value}"
    for value in sorted(set(POINTS.values()))
)

_OWN: Final[Wording] = {
    "EXAMPLE": both(
        "»AE25 s PoLa« verbindet das O von MEXICO mit dem A von SARAJEVO, und »AE25 w pHON« ist das zweite Wort: "
        "8 und 10 Punkte. Das erste A von SARAJEVO ist ein Joker und zählt 0.",
        "“AE25 s PoLa” joins the O of MEXICO and the A of SARAJEVO, and “AE25 w pHON” is the second word: 8 and "
        "10 points. The first A of SARAJEVO is a joker and counts 0.",
    ),
    "AIM": both(
        "Lege reihum Wörter auf das gemeinsame Brett. Jeder Buchstabe hat einen Wert, und die meisten Punkte gewinnen.",
        "In turn, lay words on the common board. Every letter has a value, and the most points win.",
    ),
    "OPTION_RACK": both("Rote und schwarze Steine zu Beginn: {value}.", "Red and black tiles at the start: {value}."),
    "NO_BUYING": both(
        "In der Schlussrunde wird nichts mehr gekauft: ein Wort oder »passe«.",
        "Nothing is bought in the last round: a word or “passe” (pass).",
    ),
    "VALUES": both(
        f"Werte: {_VALUES}; ein Joker 0, bleibt er dir am Ende übrig, minus 10.",
        f"Values: {_VALUES}; a joker 0, or minus 10 if it is left over in the end.",
    ),
    "HOW_SCORE": both(
        "Alle Buchstaben deines Wortes zählen, auch die schon liegen; ein Joker zählt 0, kreuzende Wörter nichts.",
        "All letters of your word count, also those that lie already; a joker counts 0, crossing words don't count.",
    ),
    "HOW_SECOND_RIGHT": both(
        "Verbindet dein Wort zwei getrennte Stücke, darfst du ein zweites darunter schreiben; beide zählen.",
        "If your word joins two separate stretches, you may write a second one below; both count.",
    ),
    "HOW_BUY_THREE": both(
        "Ohne Wort: »kaufen 2 rot 1 schwarz« (ein bis drei Steine) oder »passe«.",
        "Without a word: “kaufen 2 rot 1 schwarz” (buy 2 red, 1 black; one to three tiles) or “passe” (pass).",
    ),
    "SHORT_BUY_THREE": both(
        "Ein Joker: »Jolly Z28 = E«. Ohne Wort: »kaufen 2 rot 1 schwarz« oder »passe«.",
        "A joker: “Jolly Z28 = E”. Without a word: “kaufen 2 rot 1 schwarz” (buy) or “passe” (pass).",
    ),
    "HEAD_WORDS": both("Wörter", "Words"),
    "HEAD_OUT": both("Aus", "Out"),
    "HEAD_REST": both("Rest", "Rest"),
    "FIRST_OUT": both(
        "{seat} war zuerst fertig: 10 Punkte dazu.", "{seat} was the first to lay all tiles: 10 points more."
    ),
    "STUCK_POINTS": both("Niemand ist fertig geworden.", "Nobody has laid all tiles."),
    "ACCOUNT": both("Abrechnung", "Account"),
    "ACCOUNT_OF": both("{seat}: {sum}", "{seat}: {sum}"),
}

WORDING: Final[Wording] = {**SHARED, **_OWN}
