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
    "GM_LINE_UNKNOWN": {
        "de": "»{line}« geht per Mail nicht; getan ist nichts. »gm help« schickt dir, was per Mail geht, "
        "»gm todo«, was auf dich wartet.",
        "en": "“{line}” doesn't work by mail; nothing was done. “gm help” brings you what works by mail, "
        "“gm todo” what waits for you.",
    },
    "GM_LINE_MISTYPED": {
        "de": "»{line}« geht per Mail nicht; getan ist nichts. Meinst du »{meant}«? »gm help« schickt dir, was per "
        "Mail geht.",
        "en": "“{line}” doesn't work by mail; nothing was done. Did you mean “{meant}”? “gm help” brings you what "
        "works by mail.",
    },
    "NO_GM_LINE": {
        "de": "»{line}« geht per Mail nicht, nur am Rechner; getan ist nichts. {instead}",
        "en": "“{line}” doesn't work by mail, only at the computer; nothing was done. {instead}",
    },
    "GM_INSTEAD_HELP": {
        "de": "Per Mail schickt dir »gm todo«, was auf dich wartet, und »gm help«, was sonst geht.",
        "en": "By mail “gm todo” brings you what waits for you, and “gm help” what else works.",
    },
    "GM_INSTEAD_WRITE": {
        "de": "Per Mail schreibst du mit »An Anna Berg: ...« jemandem, mit »An alle Eriwan: ...« allen einer Partie.",
        "en": "By mail you write with “To Anna Berg: ...” to somebody, with “To all Eriwan: ...” to all of a game.",
    },
    "GM_INSTEAD_JOIN": {
        "de": "Per Mail meldet sich selbst an, wer mitspielen will; »Spiele« an meine Adresse zeigt, wo Platz ist.",
        "en": "By mail whoever wants to play signs up; “Games” to my address shows where there is room.",
    },
    "GM_INSTEAD_MOVE": {
        "de": "Per Mail schickt jeder seinen Zug selbst, von der eigenen Adresse.",
        "en": "By mail everybody sends their own move, from their own address.",
    },
    "GM_INSTEAD_STANDBYS": {
        "de": "Per Mail trägt sich selbst ein, wer einspringen will: »Standby«.",
        "en": "By mail whoever wants to stand by enters the list: “Standby”.",
    },
    "GM_INSTEAD_SHOW": {
        "de": "Per Mail schickt dir »gm todo« die nächsten Runden, und wer noch fehlt.",
        "en": "By mail “gm todo” brings you the next rounds, and who is missing.",
    },
    "GM_INSTEAD_RULE": {
        "de": "Per Mail entscheidest du über ein Wort, indem du auf die Mail antwortest, die danach fragt; »gm todo« "
        "schickt dir, was noch offen ist.",
        "en": "By mail you rule on a word by answering the mail that asks about it; “gm todo” brings you what is open.",
    },
    "GM_INSTEAD_ZAT": {
        "de": "Mehr Zeit gibst du per Mail, indem du auf die Mail antwortest, die darum bittet; »gm todo« schickt dir, "
        "was auf dich wartet.",
        "en": "By mail you give more time by answering the mail that asks for it; “gm todo” brings you what waits for "
        "you.",
    },
    "NOTHING_OFFERED": {
        "de": "»{line}« bietet diese Mail nicht an; getan ist nichts. Sie fragt nur nach »Ja« oder »Nein«; »gm todo« "
        "schickt dir, was sonst auf dich wartet.",
        "en": "This mail doesn't offer “{line}”; nothing was done. It asks for “Yes” or “No” only; “gm todo” brings "
        "you what else waits for you.",
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
    "DONE_VACATION": {"de": "{name}: Der Urlaub ist vermerkt", "en": "{name}: the vacation is noted"},
    "DONE_VACATION_OFF": {"de": "{name}: Der Urlaub ist gestrichen", "en": "{name}: the vacation is taken back"},
    "DONE_CLOSED": {"de": "{game} ist ausgewertet", "en": "{game} is closed"},
    "DONE_RELEASED": {"de": "{game}: Die Bulletins sind unterwegs", "en": "{game}: the bulletins are queued"},
    "DONE_UPGRADED": {
        "de": "{game} geht weiter; was ausgewertet ist, bleibt, und von jetzt an gelten die neuen Regeln",
        "en": "{game} goes on; what is recorded stands, and from now on the new rules hold",
    },
    "DONE_RETRIED": {
        "de": "Mail {mail} wird gleich noch einmal versucht",
        "en": "mail {mail} is tried again with the next pass of gm serve",
    },
    "DONE_DROPPED": {"de": "Mail {mail} ist weggelegt", "en": "mail {mail} is put aside"},
    "DONE_WITHOUT": {"de": "{game} geht ohne {name} weiter", "en": "{game} goes on without {name} now"},
    "DONE_BACK": {"de": "{name} sitzt in {game} wieder", "en": "{name} sits in {game} again"},
    "DONE_ENDED": {"de": "{game} ist ohne {name} zu Ende", "en": "{game} is over without {name} now"},
    "REPLY_FOR_POST": {
        "de": "Die Mail, auf die du antwortest, war für {name}, per Post. Eine Antwort darauf ist kein Zug; trag ihn "
        "so ein: {line}",
        "en": "The mail that you answer was for {name}, by post. A reply to it is no move; enter it with: {line}",
    },
    "DONE_OFF": {
        "de": "{game}: {name} steht nicht mehr auf der Liste",
        "en": "{game}: {name} is off the list",
    },
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
    "RULED_AT_ONCE": {
        "de": "{game}: Es zählt ab sofort; alle bekommen Bescheid",
        "en": "{game}: it counts from now on; all players are told",
    },
    "RULED_FOR_LATER": {
        "de": "{game}: notiert; es zählt, wenn die Runde ausgewertet wird",
        "en": "{game}: noted; it counts when the round is closed",
    },
    "RULED_TOUCHES": {
        "de": "{game}: Dort ist {words} im Spiel; was gewertet ist, bleibt, und künftige Züge werden danach beurteilt",
        "en": "{game}: {words} is in play there; what is recorded stands, and moves to come are judged by the ruling",
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
