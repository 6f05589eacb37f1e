"""The phrases of the style guide, in both languages."""

from typing import Final

from games.api import Wording, both

STYLE: Final[Wording] = {
    "STYLE": both("Stil", "Style"),
    "STYLE_ONLY": both("Nur im Archiv der Vorführung", "Only in the archive of the demo"),
    "STYLE_ABOUT": both(
        "Jeder Baustein einmal. Wer eine Seite baut, nimmt ihn von hier.",
        "Each part once. Who makes a page takes it from here.",
    ),
    "STYLE_COLOURS": both("Farben", "Colours"),
    "STYLE_PAIR": both("{front} auf {back}", "{front} on {back}"),
    "STYLE_CONTRAST": both("hell {light}, dunkel {dark}", "light {light}, dark {dark}"),
    "STYLE_CONTRASTS": both(
        "Die Zahlen sind Kontraste nach WCAG 2. Text braucht 4,5, Kanten brauchen\u00a03.",
        "The figures are contrasts as WCAG 2 counts them. Text needs 4.5, edges need\u00a03.",
    ),
    "STYLE_ink-on-paper": both("Text", "Text"),
    "STYLE_soft-on-paper": both("Nebentext", "Minor text"),
    "STYLE_soft-on-card": both("Nebentext auf Karten", "Minor text on cards"),
    "STYLE_petrol-on-paper": both("Link; beendet, gewählt", "Link; finished, chosen"),
    "STYLE_visited-on-paper": both("Besuchter Link", "Visited link"),
    "STYLE_on-head-on-head": both("Kopf", "Head"),
    "STYLE_on-petrol-on-petrol": both("Gewählter Schalter", "Chosen control"),
    "STYLE_green-on-card": both("Es geht gut", "Goes well"),
    "STYLE_amber-on-card": both("Jemand ist dran", "Waits for somebody"),
    "STYLE_red-on-card": both("Abgelehnt", "Refused"),
    "STYLE_on-new-on-new": both("Neu", "New"),
    "STYLE_ink-on-tile": both("Stein", "Tile"),
    "STYLE_red-letter-on-tile": both("Roter Buchstabe", "Red letter"),
    "STYLE_line-1-on-paper": both("Linie 1", "Line 1"),
    "STYLE_line-2-on-paper": both("Linie 2", "Line 2"),
    "STYLE_line-3-on-paper": both("Linie 3", "Line 3"),
    "STYLE_line-4-on-paper": both("Linie 4", "Line 4"),
    "STYLE_line-5-on-paper": both("Linie 5", "Line 5"),
    "STYLE_line-6-on-paper": both("Linie 6", "Line 6"),
    "STYLE_edge-on-card": both("Kante", "Edge"),
    "STYLE_new-edge-on-paper": both("Fokus, Kante von Neuem", "Focus, edge of what is new"),
    "STYLE_TYPE": both("Schrift", "Type"),
    "STYLE_SAMPLE": both("Partie 0123456789", "Game 0123456789"),
    "STYLE_PARAGRAPH": both(
        "Ein Absatz hat höchstens 75 Zeichen in der Zeile, damit das Auge am Ende den Anfang der nächsten findet. "
        "Ein Name wie {name} bleibt in einem Stück, ein Tag ebenso.",
        "A paragraph has at most 75 characters in a line, so that the eye finds the beginning of the next one. A name "
        "like {name} stays in one piece, and so does a date.",
    ),
    "STYLE_SPACE": both("Abstände", "Space"),
    "STYLE_STATE": both("Stand", "State"),
    "STYLE_RUNNING": both("Läuft", "Running"),
    "STYLE_MOVES": both("2 von 3 Zügen da", "2 of 3 moves in"),
    "STYLE_ROUND": both("Runde 5 von 8", "Round 5 of 8"),
    "STYLE_TURN": both("{name} ist am Zug", "{name} to move"),
    "STYLE_CARD": both("Karte einer Partie", "Card of a game"),
    "STYLE_LEADS": both("{name} führt mit 77", "{name} leads with 77"),
    "STYLE_TABLE": both("Tabelle", "Table"),
    "STYLE_FOLDED": both("Zum Aufklappen", "To open"),
    "STYLE_INSIDE": both("Was nicht alle brauchen.", "What not everybody needs."),
    "STYLE_LINKS": both("Links", "Links"),
    "STYLE_BLOCK": both("Zeilen zum Kopieren", "Lines to copy"),
    "STYLE_PRESS": both("Presse", "Press"),
    "STYLE_SAID": both("Wer hat mein E?", "Who has my E?"),
    "STYLE_BOARDS": both("Bretter", "Boards"),
    "STYLE_LETTERS": both(
        "Buchstaben: neu, rot, Joker, abgelehnt, mit Werten", "Letters: new, red, joker, refused, with values"
    ),
    "STYLE_DOMINOES": both("Quadrate mit vier Farben", "Squares of four colours"),
    "STYLE_TILES": both("Steine in der Hand", "Tiles in a hand"),
    "STYLE_DICE": both("Würfel, einer nicht benutzt", "Dice, one of them not used"),
    "STYLE_PEGS": both("Rateversuche mit Stiften", "Guesses with pegs"),
    "STYLE_CURVE": both("Kurve", "Curve"),
    "STYLE_SCORES": both("Zählkarte", "Score card"),
    "STYLE_WORD": both("Ein Wort als Steine", "A word as tiles"),
    "STYLE_MINI": both("Klein, für Listen", "Small, for lists"),
}
"""Code -> language -> phrase. Those of colours are named after the front and the ground."""
