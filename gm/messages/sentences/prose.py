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
    "WISH_DIGEST_ON": {
        "de": "ich lese: Du möchtest die Wochenübersicht bekommen.",
        "en": "I read: you would like to get the weekly overview.",
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
    "WISH_JOINS": {
        "de": "ich lese mehrere Anmeldungen. Schick mir bitte die Zeilen, die gelten sollen:",
        "en": "I read several sign-ups. Please send me those of these lines that you mean:",
    },
    "WISH_PERHAPS": {
        "de": "ganz sicher habe ich das nicht verstanden, darum liest {gm} deine Nachricht. Ging es dir darum, dann "
        "schick mir nur diese Zeile, und es geht gleich:",
        "en": "I didn't quite understand that, so {gm} reads your message. If this is what you want, send me just this "
        "line, and it is done at once:",
    },
    "WISH_PERHAPS_SEVERAL": {
        "de": "ganz sicher habe ich das nicht verstanden, darum liest {gm} deine Nachricht. Ging es dir darum, dann "
        "schick mir nur eine dieser Zeilen, und es geht gleich:",
        "en": "I didn't quite understand that, so {gm} reads your message. If this is what you want, send me just one "
        "of these lines, and it is done at once:",
    },
    "ONLY_YES": {
        "de": "Das lässt sich nicht zurücknehmen, darum bin ich lieber vorsichtig: Antworte nur mit dem einen Wort "
        "»Ja«, wenn du es willst. Bisher ist nichts geschehen.",
        "en": "It can't be taken back, so I'd rather be careful: answer with the one word “Yes” if you want it. "
        "Nothing has been done so far.",
    },
    "LINE_REPEATED": {
        "de": "Diese Zeile steht in deiner Mail, und genauso hat sie auch jemand anders geschrieben, in einer Mail, "
        "die du von mir hast. Ist sie von dir?",
        "en": "This line stands in your mail, and somebody else has written the same, in a mail that you got from me. "
        "Is it yours?",
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
        "de": "Der ZAT von »{game}« ist erst am {day}, so lange hast du ohnehin Zeit. Reicht das nicht, nenn bitte "
        "einen späteren Tag.",
        "en": "The deadline of “{game}” is not before {day}, so you have that time anyway. If you need more, please "
        "name a later day.",
    },
    "FREE_TEXT": {
        "de": "Ich bin das Programm, das die Züge einsammelt. Gelesen habe ich {saw}; ein Zug war darin nicht zu "
        "finden. Deine Nachricht habe ich an {gm} weitergegeben. {due}",
        "en": "I am the program that collects the moves. I read {saw}; there was no move in it. I passed your message "
        "on to {gm}. {due}",
    },
    "FREE_TEXT_ALONE": {
        "de": "Danke für deine Nachricht! Ich bin nur das Programm, das die Züge einsammelt, und habe sie an {gm} "
        "weitergegeben. {due}",
        "en": "Thank you for your message! I am only the program that collects the moves, so I passed it on to {gm}. "
        "{due}",
    },
    "FREE_TEXT_ATTACHED": {
        "de": "Ich bin das Programm, das die Züge einsammelt. Gelesen habe ich {saw}; ein Zug war darin nicht zu "
        "finden. Deine Nachricht habe ich an {gm} weitergegeben, den Anhang aber nicht gelesen: Ein Zug zählt nur als "
        "einfacher Text in der Mail. {due}",
        "en": "I am the program that collects the moves. I read {saw}; there was no move in it. I passed your message "
        "on to {gm}, but did not read the attachment: a move counts only as plain text in the mail itself. {due}",
    },
    "NOTHING_BUT_QUOTED": {
        "de": "In deiner Mail steht nur Zitiertes; darüber und darunter habe ich nichts von dir gefunden. Zitiertes "
        "zählt nie als Zug: Schreib ihn bitte frei darüber, ohne »>« davor. {due}",
        "en": "There is only quoted text in your mail; above and below it I found nothing of yours. Quotations never "
        "count as a move: please write it above them, without “>” in front. {due}",
    },
    "NOTHING_READ": {
        "de": "In deiner Mail war nichts zu lesen. Bitte schick den Zug als einfachen Text im Mailtext, nicht als "
        "Anhang oder Bild. {due}",
        "en": "There was nothing to read in your mail. Please send the move as plain text in the body, not as an "
        "attachment or a picture. {due}",
    },
    "ATTACHED": {
        "de": "Anhänge lese ich nicht; in deiner Mail ist nur {saw}, kein Text. {gm} weiß davon. Sicher gilt ein Zug "
        "nur, wenn er als einfacher Text in der Mail steht. {due}",
        "en": "I don't read attachments; your mail has only {saw}, no text. {gm} knows of it. A move surely counts "
        "only as plain text in the mail itself. {due}",
    },
    "TOO_LARGE": {
        "de": "Deine Mail ist so groß, dass ich nur ihren Anfang gelesen habe, und dort stand kein vollständiger Zug. "
        "{due} Schick den Zug bitte noch einmal als kurze Mail ohne Anhänge und ohne die alten Mails darunter.",
        "en": "Your mail is so large that I read its beginning only, and there was no complete move in it. {due} "
        "Please send the move again as a short mail, without attachments and without the old mails below it.",
    },
    "FORWARDED": {
        "de": "Den weitergeleiteten Teil deiner Mail habe ich nicht gelesen: Züge zählen nur, wenn sie im eigenen Text "
        "stehen. {due}",
        "en": "I did not read the forwarded part of your mail: moves count only in your own text. {due}",
    },
    "ONLY_ATTACHED": {"de": "Kein Text, nur {saw}.", "en": "No text, only {saw}."},
    "LETTER_ALONE": {
        "de": "Gelesen habe ich nur den Buchstaben {letter}; das ist in »{game}« noch kein Zug. {missing} Schick bitte "
        "den ganzen Zug, mit dem Wunsch darin.",
        "en": "I read only the letter {letter}; that is no move in “{game}” yet. {missing} Please send the whole move "
        "with the wish in it.",
    },
    "SAW_LINE": {"de": "eine Zeile Text", "en": "one line of text"},
    "SAW_LINES": {"de": "{number} Zeilen Text", "en": "{number} lines of text"},
    "SAW_PICTURE": {"de": "ein Bild als Anhang", "en": "a picture attached"},
    "SAW_PICTURES": {"de": "{number} Bilder als Anhang", "en": "{number} pictures attached"},
    "SAW_FILE": {"de": "eine Datei als Anhang", "en": "a file attached"},
    "SAW_MAIL": {"de": "eine angehängte Mail", "en": "an attached mail"},
    "SAW_QUOTE": {"de": "ein Zitat", "en": "a quotation"},
    "DUE_NOWHERE": {"de": "Gerade wird von dir kein Zug erwartet.", "en": "No move of yours is expected just now."},
    "DUE_IN": {"de": "Ein Zug von dir wird erwartet in {games}.", "en": "A move of yours is expected in {games}."},
    "DUE_GAME": {"de": "»{game}« (bis {zat})", "en": "“{game}” (by {zat})"},
    "DUE_GAME_ANY_TIME": {"de": "»{game}«", "en": "“{game}”"},
    "FORM_IF_MEANT": {
        "de": "War ein Zug gemeint, schick ihn bitte so:",
        "en": "If you meant a move, please send it like this:",
    },
    "EXAMPLE_OF_MOVE": {
        "de": "Der Zug steht in der Zeile darunter, zum Beispiel »{line}«.",
        "en": "The move goes into the line below it, for instance “{line}”.",
    },
    "FORM_OF_MOVE": {"de": "Der Zug sieht so aus:", "en": "The move looks like this:"},
}
