"""What the service says in a sentence to a player who wants the own data, or to be forgotten."""

from games.api import Wording

OWN_DATA_SENTENCES: Wording = {
    "DATA_SEATS": {"de": "Plätze in Partien", "en": "Seats in games"},
    "DATA_MOVES": {"de": "Züge", "en": "Moves"},
    "DATA_ADVANCE_MOVES": {"de": "Vorab-Züge", "en": "Advance moves"},
    "DATA_PRESS": {"de": "Presse", "en": "Press"},
    "DATA_VACATIONS": {"de": "Urlaube", "en": "Vacations"},
    "DATA_QUESTIONS": {"de": "Fragen an dich", "en": "Questions to you"},
    "DATA_TO_THE_GM": {"de": "An die Spielleitung", "en": "To the game master"},
    "DATA_RECEIVED_FROM_YOU": {"de": "Mails von dir", "en": "Mails from you"},
    "DATA_SENT_TO_YOU": {"de": "Mails an dich", "en": "Mails to you"},
    "DATA_NOT_CODES": {
        "de": "Codes von Fragen, Schlüssel und Kennungen von Mails: Wer sie kennt, könnte sich als du ausgeben.",
        "en": "Codes of questions, keys and ids of mails: whoever knows them could pass for you.",
    },
    "DATA_NOT_TEXTS": {
        "de": "Der Text der Mails an dich: Die liegen in deinem Postfach; hier steht, wann welche ging. Von sehr "
        "vielen Mails von dir hat die Datei nur den Text der neuesten.",
        "en": "The text of the mails to you: those are in your mailbox; the file says which went when. Of very many "
        "mails from you it has only the text of the newest.",
    },
    "DATA_NOT_GAMES": {
        "de": "Stellungen und der Hergang der Partien: Die gehören allen, die mitspielen, und stehen in den Bulletins. "
        "Deine eigenen Zeilen sind da.",
        "en": "Positions and what happened in the games: that belongs to all who play, and is in the bulletins. Your "
        "own lines are there.",
    },
    "DATA_NOT_OTHERS": {
        "de": "Notizen der Spielleitung, und alles, was andere betrifft, auch Mails, bei denen nicht sicher ist, ob du "
        "sie geschrieben hast.",
        "en": "Notes of the game master's, and all that is about others; also mails of which it isn't certain that you "
        "wrote them.",
    },
    "FORGET_GM": {
        "de": "Du leitest diese Partien, und dein Name steht in jeder Mail; darum geht das nicht per Mail. Übergib sie "
        "erst jemandem in der config.toml, dann vergisst dich »gm player forget«.",
        "en": "You lead these games, and your name is in every mail; so it can't be done by mail. First hand them over "
        "to somebody in config.toml; then “gm player forget” does it.",
    },
    "FORGET_NOT": {
        "de": "In Ordnung, es bleibt alles, wie es ist. Schön, dass du dabei bist!",
        "en": "All right, everything stays as it is. Good to have you with us!",
    },
    "FORGET_UNDER_WAY": {
        "de": "Das ist schon bestätigt und geschieht, sobald keine Mail von dir oder an dich mehr wartet. Du musst "
        "nichts weiter tun.",
        "en": "That is confirmed already, and happens as soon as no mail from you or to you waits. You needn't do "
        "anything more.",
    },
}
