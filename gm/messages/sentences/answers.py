"""What is said about answers to our questions, and about our reading of a block."""

from typing import Final

from games.api import Wording

ANSWER_SENTENCES: Final[Wording] = {
    "QUESTION_OPEN": {
        "de": "Meine Frage ist damit noch offen: Antworte auf diese Mail bitte nur mit »Ja« oder »Nein«.",
        "en": "So my question is still open: please answer this mail with just “Yes” or “No”.",
    },
    "READING_DROPPED": {
        "de": "In Ordnung: Den verbesserten Zug für »{game}« nehme ich nicht. Schick deinen Zug einfach noch einmal.",
        "en": "All right: I don't take the corrected move for “{game}”. Just send your move once more.",
    },
    "READING_ANSWERED": {
        "de": "Diese Frage ist schon erledigt; in »{game}« gilt, was hier steht.",
        "en": "This question is settled already; in “{game}” what you see here holds.",
    },
    "READING_REPLACED": {
        "de": "Danach habe ich dir zu »{game}« einen neueren Zug vorgeschlagen; antworte bitte auf die Mail mit dem.",
        "en": "After that I have suggested a newer move for “{game}” to you; please answer the mail with that one.",
    },
    "READING_LAPSED": {
        "de": "Der Zug, den ich dir für »{game}« vorgeschlagen hatte, ist überholt; es gilt, was hier steht.",
        "en": "The move that I had suggested for “{game}” is out of date; what you see here holds.",
    },
    "NAME_UNKNOWN": {
        "de": "»{named}« kenne ich nicht; ich habe den Zug für »{game}« genommen.",
        "en": "I know no “{named}”; I took the move for “{game}”.",
    },
}
