"""What the GM is told in a sentence: what became of commands and letters that came by mail."""

from games.api import Wording

GM_SENTENCES: Wording = {
    "LETTER_SENT": {
        "de": "Dein Text ist als Mail an {name} unterwegs. Die Antwort darauf kommt wieder zu dir.",
        "en": "Your text is on its way to {name} as a mail. The answer to it comes back to you.",
    },
    "TICKED_OFF_AS_WELL": {
        "de": "Damit ist der Eintrag auf deiner Liste abgehakt.",
        "en": "With that the entry on your list is ticked off.",
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
}
