"""What the service says to people's own words: what it understood, and what of a mail it could not use."""

from games.api import Wording

PROSE_SENTENCES: Wording = {
    "WISH_JOIN": {
        "de": "ich lese: Du möchtest in {title} »{game}« mitspielen.",
        "en": "I read: you would like to play in {title} “{game}”.",
    },
    "WISH_STANDBY": {
        "de": "ich lese: Du möchtest auf die Liste der Ersatzspieler.",
        "en": "I read: you would like to be on the standby list.",
    },
    "WISH_WATCH": {
        "de": "ich lese: Du möchtest in »{game}« zusehen.",
        "en": "I read: you would like to watch “{game}”.",
    },
    "WISH_RESIGN": {
        "de": "ich lese: Du möchtest in »{game}« aufhören.",
        "en": "I read: you would like to leave “{game}”.",
    },
    "WISH_VACATION": {
        "de": "ich lese: Du bist vom {first} bis {last} nicht da.",
        "en": "I read: you are away from {first} to {last}.",
    },
    "WISH_EXTENSION": {
        "de": "ich lese: Du hättest für deinen Zug in »{game}« gern mehr Zeit.",
        "en": "I read: you would like more time for your move in “{game}”.",
    },
    "WISH_WITHDRAW": {
        "de": "ich lese: Du möchtest deinen Zug in »{game}« zurückziehen.",
        "en": "I read: you would like to take your move in “{game}” back.",
    },
    "WISH_DIGEST": {
        "de": "ich lese: Du möchtest keine Wochenübersicht mehr.",
        "en": "I read: you would like no weekly overview any more.",
    },
    "WISH_ENGLISH": {
        "de": "ich lese: Du möchtest deine Mails auf Englisch.",
        "en": "I read: you would like your mails in English.",
    },
    "WISH_GERMAN": {
        "de": "ich lese: Du möchtest deine Mails auf Deutsch.",
        "en": "I read: you would like your mails in German.",
    },
    "WISH_WHICH": {
        "de": "das verstehe ich, nur nicht, welche Partie du meinst. Schick mir bitte eine dieser Zeilen:",
        "en": "I understand that, but not which game you mean. Please send me one of these lines:",
    },
    "WISH_DENIED": {
        "de": "In Ordnung, ich habe nichts geändert. Deine Nachricht ist jetzt bei {gm}.",
        "en": "All right, I have changed nothing. Your message is with {gm} now.",
    },
    "NO_SEAT_ANYWHERE": {
        "de": "Ich finde keine Partie, in der du unter dieser Adresse sitzt. Was es gibt, zeigt die Zeile »Spiele«.",
        "en": "I find no game in which you have a seat under this address. The line “Games” shows what there is.",
    },
    "NO_GAME_OPEN": {
        "de": "Gerade ist keine Partie offen. Mit der Zeile »Standby« stehst du auf der Liste der Ersatzspieler.",
        "en": "No game is open just now. The line “Standby” puts you on the standby list.",
    },
    "EXTENSION_NOT_LATER": {
        "de": "Der ZAT von »{game}« ist erst am {day}; nenn bitte einen späteren Tag.",
        "en": "The deadline of “{game}” is not before {day}; please name a later day.",
    },
}
