"""What is said about answers to our questions, and about our reading of a block."""

from typing import Final

from games.api import Wording

ANSWER_SENTENCES: Final[Wording] = {
    "NO_QUESTION": {
        "de": "Zu deiner Antwort gibt es gerade keine offene Frage, oder es sind mehrere. Antworte bitte auf die "
        "Mail mit der Frage.",
        "en": "There is no open question for your answer, or there are several. Please answer the mail that asked.",
    },
    "WRONG_CODE": {
        "de": "Eine Frage mit dem Code {named} habe ich dir nicht gestellt. Antworte bitte auf die Mail mit der Frage.",
        "en": "I did not ask you a question with the code {named}. Please answer the mail that asked.",
    },
    "ANSWERED_ALREADY": {
        "de": "Diese Frage ist schon erledigt; es bleibt alles, wie es ist.",
        "en": "This question is settled already; everything stays as it is.",
    },
    "QUESTION_EXPIRED": {
        "de": "Die Zeit für diese Frage ist um. Schick bitte noch einmal, was du möchtest.",
        "en": "The time for this question is over. Please send what you want once more.",
    },
    "WHO_NEEDS_NAME": {
        "de": "Von wem ist der Zug? Antworte bitte mit einer Zeile »Name: ...«.",
        "en": "Whose move is it? Please answer with a line “Name: ...”.",
    },
    "QUESTION_OPEN": {
        "de": "Meine Frage ist damit noch offen: Antworte auf diese Mail bitte nur mit »Ja« oder »Nein«.",
        "en": "So my question is still open: please answer this mail with just “Yes” or “No”.",
    },
    "QUESTION_WAITS": {
        "de": "Meintest du meine offene Frage in der Mail »{subject}«: Antworte auf diese Mail bitte nur mit »Ja« oder "
        "»Nein«.",
        "en": "If you meant my open question in the mail “{subject}”: please answer this mail with just “Yes” or “No”.",
    },
    "QUESTIONS_WAIT": {
        "de": "Offen sind {number} Fragen von mir an dich, und ich weiß nicht, welche du meinst. Antworte bitte auf "
        "die Mail, die gefragt hat, mit »Ja« oder »Nein«; die neueste ist »{subject}«.",
        "en": "I have {number} open questions to you and don't know which you mean. Please answer the mail that asked, "
        "with “Yes” or “No”; the latest is “{subject}”.",
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
