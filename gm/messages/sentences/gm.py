"""What the GM is told in a sentence: what became of commands and letters that came by mail."""

from games.api import Wording

GM_SENTENCES: Wording = {
    "LETTER_SENT": {
        "de": "Dein Text ist als Mail an {name} unterwegs. Die Antwort darauf kommt wieder zu dir.",
        "en": "Your text is on its way to {name} as a mail. The answer to it comes back to you.",
    },
    "LETTER_SENT_AND_DONE": {
        "de": "Dein Text ist als Mail an {name} unterwegs, und der Eintrag auf deiner Liste ist abgehakt. Die Antwort "
        "darauf kommt wieder zu dir.",
        "en": "Your text is on its way to {name} as a mail, and the entry on your list is ticked off. The answer to it "
        "comes back to you.",
    },
    "LETTERS_SENT": {
        "de": "Der Text ist unterwegs. Mails: {number}.",
        "en": "The text is on its way. Mails: {number}.",
    },
    "LETTER_DROPPED": {
        "de": "In Ordnung, der Text geht nicht hinaus.",
        "en": "All right, the text doesn't go out.",
    },
    "LETTER_REFUSED": {
        "de": "Dein Text ging an niemanden hinaus. {why}",
        "en": "Your text went to nobody. {why}",
    },
    "TEXT_KEPT_BACK": {
        "de": "Weil etwas davon nicht ging, ist auch dein Text nicht hinausgegangen. Schick ihn bitte noch einmal.",
        "en": "As something of it was refused, your text went to nobody either. Please send it once more.",
    },
    "NO_GM_LINE": {
        "de": "»{line}« geht per Mail nicht; getan ist nichts. Es gehen die Zeilen, die eine Mail anbietet.",
        "en": "“{line}” doesn't work by mail; nothing was done. What works are the lines that a mail offers.",
    },
    "NOTHING_TO_PASS_ON": {
        "de": "In deiner Antwort stand nichts, was ich weitergeben oder tun könnte; sie ging an niemanden.",
        "en": "There was nothing in your answer that I could pass on or do; it went to nobody.",
    },
    "NOBODY_TO_WRITE_TO": {
        "de": "Die Mail, auf die du antwortest, betrifft keinen einzelnen Mitspieler; dein Text ging an niemanden. "
        "Mit »An Anna Berg: ...« schreibst du jemandem, mit »An alle Eriwan: ...« allen einer Partie.",
        "en": "The mail that you answer is about no one player, so your text went to nobody. With “To Anna Berg: ...” "
        "you write to somebody, with “To all Eriwan: ...” to all of a game.",
    },
    "WHICH_OF_THEM": {
        "de": "Die Mail, auf die du antwortest, betrifft mehrere; dein Text ging darum an niemanden. Schreib davor, an "
        "wen: {names}",
        "en": "The mail that you answer is about several players, so your text went to nobody. Write in front of it "
        "whom it is for: {names}",
    },
    "READER_ONE": {"de": "An {name}", "en": "To {name}"},
    "READERS_OF_GAME": {
        "de": "An alle in »{game}«. Mitspieler: {players}, Zuschauer: {watching}",
        "en": "To all in “{game}”. Players: {players}, watching: {watching}",
    },
    "READERS_ALL": {
        "de": "An alle in offenen und laufenden Partien. Mitspieler: {players}",
        "en": "To all in open and running games. Players: {players}",
    },
    "DONE_RULED": {"de": "{done}", "en": "{done}"},
    "DONE_NOTED": {"de": "notiert", "en": "noted"},
    "DONE_ZAT": {"de": "{game}: Der ZAT ist {zat}", "en": "{game}: the deadline is {zat}"},
    "DONE_ZAT_AS_BEFORE": {
        "de": "{game}: Der ZAT ist {zat}, wie er war; niemand bekommt eine Mail",
        "en": "{game}: the deadline is {zat}, as it was; nobody is told",
    },
    "DONE_CLOSED": {"de": "{game} ist ausgewertet", "en": "{game} is closed"},
    "DONE_RELEASED": {"de": "{game}: Die Bulletins sind unterwegs", "en": "{game}: the bulletins are queued"},
    "DONE_RETRIED": {
        "de": "Mail {mail} wird gleich noch einmal versucht",
        "en": "mail {mail} is tried again with the next pass of gm serve",
    },
    "DONE_DROPPED": {"de": "Mail {mail} ist weggelegt", "en": "mail {mail} is put aside"},
    "DONE_WITHOUT": {"de": "{game} geht ohne {name} weiter", "en": "{game} goes on without {name} now"},
    "DONE_STANDBY": {
        "de": "{name} hat in {game} den Platz von {before} übernommen",
        "en": "{name} has taken over {before}'s seat in {game} now",
    },
    "DONE_ADDRESS": {"de": "Mails an {name} gehen an {address}", "en": "mails to {name} go to {address}"},
    "DONE_TICKED_OFF": {"de": "abgehakt", "en": "ticked off"},
    "RULED_MOVE_GOES_ON": {
        "de": "{game}: Der Zug, der darauf gewartet hat, geht weiter",
        "en": "{game}: the move that waited for it goes on",
    },
    "RULED_FOR_LATER": {
        "de": "{game}: notiert; es zählt, wenn die Runde ausgewertet wird",
        "en": "{game}: noted; it counts when the round is closed",
    },
    "RULED_NO_CHANGE": {"de": "{game}: Es ändert sich nichts", "en": "{game}: nothing changes"},
    "RULED_STILL_OPEN": {"de": "{game}: noch offen: {words}", "en": "{game}: still open: {words}"},
    "RULED_UNRELEASED": {
        "de": "{game}: Der Endstand steht fest; gm release {game} schickt ihn",
        "en": "{game}: the scores are final; gm release {game} sends them",
    },
    "RULED_CORRECTED": {
        "de": "{game}: Der berichtigte Endstand ist an alle unterwegs",
        "en": "{game}: the corrected scores are queued for all players",
    },
    "RULED_FINAL": {
        "de": "{game}: Der Endstand ist an alle unterwegs",
        "en": "{game}: the final scores are queued for all players",
    },
}
