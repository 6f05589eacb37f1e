"""What the service itself says in a sentence, whatever the game; longer mails are templates."""

from games.api import Wording, both
from gm.messages.sentences.answers import ANSWER_SENTENCES
from gm.messages.sentences.gm import GM_SENTENCES
from gm.messages.sentences.moves import MOVE_SENTENCES
from gm.messages.sentences.prose import PROSE_SENTENCES

SENTENCES: Wording = {
    **MOVE_SENTENCES,
    **ANSWER_SENTENCES,
    "HEADLINE_WINS": both("{first} gewinnt", "{first} wins"),
    "HEADLINE_WINS_WITH": both("{first} gewinnt mit {points}", "{first} wins with {points}"),
    "HEADLINE_WIN_TOGETHER": both("{first} gewinnen gemeinsam", "{first} win together"),
    "HEADLINE_WIN_TOGETHER_WITH": both("{first} gewinnen gemeinsam mit {points}", "{first} win together with {points}"),
    "HEADLINE_ALL_EVEN": both("Unentschieden: alle mit {points}", "A draw: all with {points}"),
    "HEADLINE_BEATS": both("{first} schlägt {second} mit {best}:{next}", "{first} beats {second} {best} to {next}"),
    "HEADLINE_WINS_AHEAD": both(
        "{first} gewinnt mit {points}, {lead} vor {second}", "{first} wins with {points}, {lead} ahead of {second}"
    ),
    "HEADLINE_LAST_ROUND": both(": {gained} in der letzten Runde", ": {gained} in the last round"),
    "HEADLINE_LEADS": both("{first} führt mit {points}", "{first} leads with {points}"),
    "HEADLINE_LEADS_AHEAD": both(
        "{first} führt mit {points}, {lead} vor {second}", "{first} leads with {points}, {lead} ahead of {second}"
    ),
    "HEADLINE_OVERTAKES": both(
        "{first} überholt {second} und führt mit {best}:{next}", "{first} overtakes {second} and leads {best} to {next}"
    ),
    "HEADLINE_SHARE_LEAD": both(
        "{first} liegen mit {points} gleichauf vorn", "{first} share the lead with {points} each"
    ),
    "HEADLINE_HALF_TIME": both("Halbzeit: noch {left} Runden", "Half-time: {left} rounds to go"),
    "HEADLINE_LAST_BEGINS": both("Jetzt kommt die letzte Runde", "The last round is next"),
    "HEADLINE_POINT": both("1 Punkt", "1 point"),
    "HEADLINE_POINTS": both("{number} Punkten", "{number} points"),
    "HEADLINE_MADE_POINT": both("1 Punkt", "1 point"),
    "HEADLINE_MADE_POINTS": both("{number} Punkte", "{number} points"),
    "HOLDER": {"de": "{seat}", "en": "{seat}"},
    "CHANGED_SUM": {"de": "{seat}: {points} (vorher {before})", "en": "{seat}: {points} (before: {before})"},
    "NOW_ACCEPTED": {"de": "zählt", "en": "counts"},
    "NOW_REFUSED": {"de": "zählt nicht: {why}", "en": "doesn't count: {why}"},
    "NOW_DOUBTFUL": {"de": "noch offen: {why}", "en": "still open: {why}"},
    "BY_RULING": {"de": "deine Entscheidung", "en": "your ruling"},
    "BY_HOUSE": {"de": "Wortliste des Hauses", "en": "the house's word list"},
    "BY_LIST": {"de": "Wortliste", "en": "the word list"},
    "BY_NOTHING": {"de": "kein Eintrag", "en": "no entry"},
    "APPEAL_NAME": {"de": "Name", "en": "Name"},
    "APPEAL_ACCEPTED": {"de": "Wenn es zählt", "en": "If it counts"},
    "APPEAL_REJECTED": {"de": "Wenn nicht", "en": "If it doesn't"},
    "APPEAL_PLACE": {"de": "{points} (Platz {rank})", "en": "{points} (rank {rank})"},
    **PROSE_SENTENCES,
    **GM_SENTENCES,
    "UNIT_ROUND": {"de": "Runde", "en": "round"},
    "UNIT_TURN": {"de": "Zug", "en": "turn"},
    "UNIT_DEAL": {"de": "Durchgang", "en": "deal"},
    "NO_GAME_TO_JOIN": {
        "de": "Eine offene Partie »{game}« kenne ich nicht. Schreib »Spiele«, dann schicke ich dir, was es gibt.",
        "en": "I know no open game “{game}”. Write “Games” to see what there is.",
    },
    "GAME_RUNS": {
        "de": "»{game}« läuft schon; dort ist kein Platz frei. »Standby« setzt dich auf die Liste der Ersatzspieler, "
        "und mit »Beobachten {game}« kannst du zusehen.",
        "en": "“{game}” is being played already; there is no free seat. “Standby” puts you on the standby list, and "
        "with “Watch {game}” you can follow it.",
    },
    "GAME_FULL": {
        "de": "»{game}« ist leider schon voll besetzt.",
        "en": "I'm afraid “{game}” is full.",
    },
    "NO_SEAT_YET": {
        "de": "{why} In »{game}« hast du damit noch keinen Platz: Bitte schick die Anmeldung berichtigt noch einmal.",
        "en": "{why} So you have no seat in “{game}” yet: please send the sign-up once more, with that put right.",
    },
    "SEATED_ALREADY": {
        "de": "Du hast in »{game}« schon einen Platz.",
        "en": "You hold a seat in “{game}” already.",
    },
    "SAT_BEFORE": {
        "de": "In »{game}« hast du schon gesessen; ein zweites Mal geht es nicht.",
        "en": "You have sat in “{game}” before; nobody sits twice in a game.",
    },
    "GM_PRINTS": {
        "de": "In »{game}« spielt jemand per Post; wer die Mails dafür ausdruckt, darf dort nicht mitspielen. Eine "
        "zweite Spielleitung (second_gm in config.toml), die nicht mitspielt, macht es möglich.",
        "en": "Somebody plays “{game}” by post; who prints the mails for that may not play there. A second game master "
        "(second_gm in config.toml) who doesn't play makes it possible.",
    },
    "STANDBY_ON": {
        "de": "Du stehst jetzt auf der Liste der Ersatzspieler. »kein Standby« nimmt dich wieder herunter.",
        "en": "You are on the standby list now. “No standby” takes you off again.",
    },
    "STANDBY_OFF": {
        "de": "Du stehst nicht mehr auf der Liste der Ersatzspieler.",
        "en": "You are no longer on the standby list.",
    },
    "NAME_TO_CHECK": {
        "de": "Danke! Dein Name könnte hier für einen anderen gehalten werden; darum sieht {gm} ihn sich erst an. "
        "Du bekommst eine Mail, sobald du dabei bist, und musst bis dahin nichts tun.",
        "en": "Thank you! Your name could be taken for another one here, so {gm} has a look at it first. You get a "
        "mail as soon as you are in, and needn't do anything until then.",
    },
    "DECLINED": {
        "de": "In Ordnung, dann nicht.",
        "en": "All right, then not.",
    },
    "TOOK_OVER": {
        "de": "{name} hat den Platz von {before} übernommen.",
        "en": "{name} has taken over {before}'s seat.",
    },
    "WHO_OF_YOU_ALL": {
        "de": "Diese Adresse teilen sich mehrere: {names}. Schreib bitte eine Zeile »Name: ...« dazu.",
        "en": "Several players share this address: {names}. Please add a line “Name: ...”.",
    },
    "NEAREST_GAME": {
        "de": "Eine Partie »{game}« kenne ich bei dir nicht. Meinst du »{near}«? Dann schick es bitte noch einmal.",
        "en": "I know no game “{game}” of yours. Do you mean “{near}”? Then please send it again.",
    },
    "NO_COMMAND": {
        "de": "Nicht verstanden habe ich die Zeile »{line}«. Vielleicht meinst du: »{meant}«",
        "en": "I did not understand the line “{line}”. Perhaps you mean: “{meant}”",
    },
    "NO_SIGN_UP": {
        "de": "Eine Zeile deiner Mail habe ich nicht verstanden. Vielleicht meinst du: »{meant}«? Dann schick sie "
        "bitte so noch einmal.",
        "en": "I did not understand a line of your mail. Perhaps you mean: “{meant}”? Then please send it again like "
        "that.",
    },
    "WHICH_GAME_NAMED": {
        "de": "Für welche Partie? Schreib bitte ihren Namen dazu. In Frage kommen: {games}.",
        "en": "For which game? Please add its name. It may be one of: {games}.",
    },
    "WAITS_FOR_RELEASE": {
        "de": "Die letzte Runde von »{game}« ist ausgewertet; {gm} sieht das Bulletin noch durch. Es kommt bald.",
        "en": "The last round of “{game}” is evaluated; {gm} is looking the bulletin through. It will come soon.",
    },
    "LEFT_GAME": {
        "de": "Du spielst in »{game}« nicht mehr mit; {gm} weiß Bescheid. Ein Zug, der schon vorliegt, gilt noch. "
        "Danke fürs Mitspielen!",
        "en": "You no longer play in “{game}”; {gm} knows. A move that is on file still counts. Thank you for playing!",
    },
    "SEAT_TAKEN": {
        "de": "Der Platz in »{game}« ist inzwischen vergeben. Du stehst weiter auf der Liste. Danke!",
        "en": "The seat in “{game}” is taken by now. You are still on the list. Thank you!",
    },
    "SEAT_YOURS": {
        "de": "Danke! Der Platz in »{game}« ist deiner; die Mail mit der ganzen Stellung kommt gleich.",
        "en": "Thank you! The seat in “{game}” is yours; the mail with the whole position is on its way.",
    },
    "EXTENSION_ASKED": {
        "de": "Dein Wunsch nach einem späteren ZAT in »{game}« liegt bei {gm}. Bis du anderes hörst, gilt der alte.",
        "en": "Your wish for a later deadline in “{game}” is with {gm}. Until you hear otherwise, the old one holds.",
    },
    "EXTENSION_REFUSED": {
        "de": "Der ZAT von »{game}« bleibt, wie er ist; {gm} kann ihn diesmal nicht verschieben.",
        "en": "The deadline of “{game}” stays as it is; {gm} can't move it this time.",
    },
    "AWAY_UNTIL": {"de": "{name} (verreist bis {last})", "en": "{name} (away until {last})"},
    "AWAY_FROM": {"de": "{name} (verreist vom {first} bis {last})", "en": "{name} (away from {first} to {last})"},
    "HOLIDAYS": {"de": "Über die Feiertage ist kein ZAT.", "en": "There is no deadline over the holidays."},
    "VACATION_NOTED": {
        "de": "Schönen Urlaub vom {first} bis {last}! {gm} weiß Bescheid; die ZATs bleiben, wie sie sind.",
        "en": "Enjoy your time away from {first} to {last}! {gm} knows; the deadlines stay as they are.",
    },
    "VACATION_MOVED": {
        "de": "Schönen Urlaub vom {first} bis {last}! {gm} weiß Bescheid. Verschoben ist der ZAT von: {games}.",
        "en": "Enjoy your time away from {first} to {last}! {gm} knows. The deadline has moved in: {games}.",
    },
    "VACATION_OFF": {
        "de": "Dein Urlaub ist gestrichen, {gm} weiß Bescheid. ZATs, die sich verschoben haben, bleiben.",
        "en": "Your vacation is taken back, and {gm} knows. Deadlines that have moved stay where they are.",
    },
    "VACATION_DAYS_OFF": {
        "de": "Dein Urlaub vom {first} bis {last} ist gestrichen, {gm} weiß Bescheid. ZATs, die sich verschoben haben, "
        "bleiben.",
        "en": "Your vacation from {first} to {last} is taken back, and {gm} knows. Deadlines that have moved stay "
        "where they are.",
    },
    "VACATION_NONE": {
        "de": "Bei mir ist kein Urlaub vermerkt, der noch kommt.",
        "en": "No vacation is noted that is still to come.",
    },
    "VACATION_PAST": {
        "de": "Dieser Urlaub ist schon vorbei; ich habe nichts vermerkt.",
        "en": "That time is over already; nothing was noted.",
    },
    "VACATION_TOO_LONG": {
        "de": "So lang darf der Urlaub nicht sein. Tage, die ZATs verschieben, gibt es im Jahr {year} höchstens "
        "{most}; frei sind noch {left}, du nennst {asked}. Ich habe nichts vermerkt.",
        "en": "That vacation is too long. Of the days that move deadlines there are {most} at most in {year}; {left} "
        "left, you name {asked}. Nothing was noted.",
    },
    "WATCHING": {
        "de": "Du bekommst ab jetzt die Bulletins von »{game}«. »nicht beobachten {game}« beendet das.",
        "en": "From now on you get the bulletins of “{game}”. “Unwatch {game}” ends that.",
    },
    "NOT_WATCHING": {
        "de": "Bulletins von »{game}« bekommst du nicht mehr.",
        "en": "You get no more bulletins of “{game}”.",
    },
    "NOTHING_TO_WATCH": {
        "de": "Eine Partie »{game}«, bei der man zusehen kann, gibt es gerade nicht. »Spiele« zeigt, was es gibt.",
        "en": "There is no game “{game}” to watch just now. “Games” shows what there is.",
    },
    "YOU_PLAY": {
        "de": "In »{game}« spielst du selbst; die Bulletins bekommst du ohnehin.",
        "en": "You play in “{game}” yourself; you get the bulletins anyway.",
    },
    "PRESS_TAKEN": {
        "de": "Deine Presse steht im nächsten Bulletin von »{game}«, gezeichnet mit {name}.",
        "en": "Your press will be in the next bulletin of “{game}”, signed {name}.",
    },
    "PRESS_TAKEN_ANONYMOUS": {
        "de": "Deine Presse steht ohne Namen im nächsten Bulletin von »{game}«.",
        "en": "Your press will be in the next bulletin of “{game}”, unsigned.",
    },
    "PRESS_OPEN": {
        "de": "Unter der Presse fehlte die Zeile »Ende«; ich habe den Text bis zum nächsten Zug oder bis zum "
        "Schluss der Mail genommen.",
        "en": "The line “End” was missing below the press; I took the text up to the next move or the end of the mail.",
    },
    "TOLD_ALL": {
        "de": "Dein Text geht jetzt an alle Mitspieler in »{game}«.",
        "en": "Your text goes to all players in “{game}” now.",
    },
    "TO_ALL_AT_ONCE": {
        "de": "dein Text geht sofort an alle Mitspieler; in einer Zeile oder darunter",
        "en": "your text goes to all players at once; in one line or below",
    },
    "TO_ALL_LATER": {
        "de": "dein Text im nächsten Bulletin, mit deinem Namen; in einer Zeile oder darunter",
        "en": "your text in the next bulletin, with your name; in one line or below",
    },
    "PRESS_TOO_LATE": {
        "de": "»{game}« ist zu Ende; es kommt kein Bulletin mehr, in dem Presse stehen könnte.",
        "en": "“{game}” is over; there is no more bulletin to print press in.",
    },
    "PRESS_SIGNED_ONLY": {
        "de": "In »{game}« erscheint Presse nur mit Namen. Ich habe sie nicht genommen; ohne »anonym« geht es.",
        "en": "In “{game}” press is signed. Yours was not taken; without “anonymous” it will be.",
    },
    "PRESS_EMPTY": {
        "de": "Unter »Presse {game}« stand kein Text. Schreib ihn bitte darunter und schließ ihn mit »Ende«.",
        "en": "There was no text below “Press {game}”. Please write it below and end it with “End”.",
    },
    "PRESS_TOO_LONG": {
        "de": "Deine Presse hat {length} Zeichen, höchstens {most} passen. Ich habe sie nicht genommen; kürz sie "
        "bitte.",
        "en": "Your press has {length} characters, at most {most} fit. It was not taken; please shorten it.",
    },
    "NO_BULLETIN": {
        "de": "Ein Bulletin {number} von »{game}« gibt es nicht (0 ist die Startmail).",
        "en": "There is no bulletin {number} of “{game}” (0 is the first one, of the start).",
    },
    "LANGUAGE_SET": {
        "de": "Gut: Ab jetzt schreibe ich dir deutsch.",
        "en": "All right: from now on I write to you in English.",
    },
    "DIGEST_WEEKLY": {
        "de": "Die Übersicht kommt jede Woche, wenn es etwas zu melden gibt.",
        "en": "The digest will come every week if there is something to tell.",
    },
    "DIGEST_MONTHLY": {
        "de": "Die Übersicht kommt einmal im Monat, wenn es etwas zu melden gibt.",
        "en": "The digest will come once a month if there is something to tell.",
    },
    "DIGEST_OFF": {
        "de": "Die Übersicht kommt nicht mehr; Bulletins und Erinnerungen bekommst du weiter. »Digest an« holt sie "
        "zurück.",
        "en": "The digest will not come any more; bulletins and reminders still do. “Digest on” brings it back.",
    },
    "DIGEST_DAILY": {
        "de": "Bulletins, zu denen du nichts tun musst, kommen ab jetzt in einer Mail am Tag, um {time} Uhr. Bist du "
        "am Zug oder frage ich dich etwas, kommt das weiter sofort. »Digest an« beendet es.",
        "en": "Bulletins that ask nothing of you will come in one mail a day, at {time}. When it is your move, or I "
        "have a question, you still hear at once. “Digest on” ends it.",
    },
    "NO_ADDRESS": {
        "de": "»{address}« kann nicht deine Adresse werden. Schreib sie bitte wie anna@example.org.",
        "en": "“{address}” can't become your address. Please write it like anna@example.org.",
    },
    "ADDRESS_KNOWN": {
        "de": "An {address} gehen deine Mails schon.",
        "en": "Your mails go to {address} already.",
    },
    "ADDRESS_ONE": {
        "de": "Eine Mail nennt nur eine neue Adresse: Nach {address} habe ich nicht gefragt.",
        "en": "One mail names one new address: I did not ask about {address}.",
    },
    "ADDRESS_PENDING": {
        "de": "Nach {address} habe ich heute schon gefragt; dort fehlt noch die Antwort auf meine Mail.",
        "en": "I have asked about {address} today; the answer to my mail there is still missing.",
    },
    "ADDRESS_ENOUGH": {
        "de": "Mehr als {number} neue Adressen frage ich an einem Tag nicht; schreib morgen wieder oder an den GM.",
        "en": "I ask about {number} new addresses a day at most; please write again tomorrow, or to the GM.",
    },
    "ADDRESS_FROM_THERE": {
        "de": "Diese Frage ging an {address}; antworte bitte von dort.",
        "en": "This question went to {address}; please answer from there.",
    },
    "ADDRESS_HALF": {
        "de": "Danke! Jetzt fehlt noch das »Ja« von der anderen Adresse.",
        "en": "Thank you! What is missing now is the “Yes” from the other address.",
    },
    "ADDRESS_SET": {
        "de": "Deine Mails gehen ab jetzt an {address}. Auch von der alten Adresse nehme ich Züge noch an.",
        "en": "Your mails go to {address} from now on. Moves from the old address are still taken.",
    },
    "NOT_THE_GM": {
        "de": "Zeilen, die mit »gm« beginnen, nehme ich nur von der Spielleitung.",
        "en": "Lines that begin with “gm” are taken from the game master only.",
    },
    "GM_NEEDS_CODE": {
        "de": "Zu dieser Zeile gehört die Mail, die sie anbietet: Antworte bitte auf sie, oder lass ihren Code im "
        "Betreff. Getan ist nichts; »gm todo« schickt dir, was auf dich wartet.",
        "en": "This line belongs to the mail that offers it: please answer that one, or keep its code in the subject. "
        "Nothing was done; “gm todo” brings you what waits for you.",
    },
    "NOT_OFFERED": {
        "de": "»{line}« bietet diese Mail nicht an; getan ist nichts. Angeboten: {offers}. Alles andere geht am "
        "Rechner.",
        "en": "This mail doesn't offer “{line}”; nothing was done. Offered: {offers}. All else works at the computer.",
    },
    "GM_REFUSED": {"de": "»{line}« ging nicht: {why}", "en": "“{line}” was refused: {why}"},
    "GM_DONE": {"de": "»{line}« ist getan: {done}.", "en": "“{line}” is done: {done}."},
    "RULED_IN": {"de": "{word} zählt", "en": "{word} counts"},
    "RULED_OUT": {"de": "{word} zählt nicht", "en": "{word} doesn't count"},
    "RULED_WORD_IN": {"de": "Das Wort zählt", "en": "The word counts"},
    "RULED_WORD_OUT": {"de": "Das Wort zählt nicht", "en": "The word doesn't count"},
    "RULED_BECAUSE": {"de": "{ruling} ({note})", "en": "{ruling} ({note})"},
    "RENAMED": {
        "de": "Du heißt hier jetzt {name}, vorher war es {before}; so steht es ab jetzt überall. Deine Partien laufen "
        "weiter. Stimmt etwas nicht, dann schreib es {gm}: eine Zeile »GM: ...« genügt.",
        "en": "Your name here is {name} from now on; it was {before}. Your games go on. If that is wrong, tell {gm}: "
        "one line “GM: ...” will do.",
    },
    "LEFT_OPEN": {
        "de": "Dein Platz in »{game}« ist wieder frei. Magst du doch, melde dich einfach neu an.",
        "en": "Your seat in “{game}” is free again. Should you change your mind, just sign up once more.",
    },
    "NOT_NEEDED": {
        "de": "In »{game}« wird doch kein Ersatz gebraucht. Du stehst weiter auf der Liste. Danke!",
        "en": "No standby is needed in “{game}” after all. You are still on the list. Thank you!",
    },
    "VACATION_KEPT_FREE": {
        "de": "Schönen Urlaub vom {first} bis {last}! {gm} weiß Bescheid. In deinen Partien fällt kein ZAT auf "
        "diese Tage.",
        "en": "Enjoy your time away from {first} to {last}! {gm} knows. No deadline of your games falls on these days.",
    },
    "TICKED_OFF": {"de": "In Ordnung, das ist abgehakt.", "en": "All right, that is ticked off."},
    "ADDRESS_STAYS": {
        "de": "In Ordnung: Die Adresse bleibt, wie sie war.",
        "en": "All right: the address stays as it was.",
    },
    "TWO_NAMELESS": {
        "de": "In deiner Mail standen mehrere Züge für »{game}« ohne Namen; unter dieser Adresse sitzen dort mehrere. "
        "Ich habe keinen genommen. Schick sie bitte noch einmal, über jedem eine Zeile »Name: ...«.",
        "en": "Your mail held several moves for “{game}” without a name, and several players share this address there. "
        "I took none. Please send them again, each below a line “Name: ...”.",
    },
    "LATER_MOVE_COUNTS": {
        "de": "In »{game}« liegt von diesem Platz schon ein späterer Zug vor; der gilt.",
        "en": "A later move of this seat is on file in “{game}” already; that one counts.",
    },
    "BULLETIN_AGAIN": {
        "de": "Darunter steht das Bulletin zu »{game}« vom {day} noch einmal; Block und ZAT sind von damals.",
        "en": "Below is the bulletin of “{game}” of {day} once more; block and deadline are those of that time.",
    },
    "ARCHIVE_START": {"de": "Start", "en": "Start"},
    "ARCHIVE_ROUND": {"de": "Runde {number}", "en": "Round {number}"},
    "ARCHIVE_TURN": {"de": "Zug {number}", "en": "Turn {number}"},
    "ARCHIVE_DEAL": {"de": "Durchgang {number}", "en": "Deal {number}"},
    "ARCHIVE_NAME": {
        "de": "Im Archiv, das alle lesen können, heißt du »{name}«. So kannst du es ändern: »Archivname voll« zeigt "
        "»{full}«, »Archivname kurz« zeigt »{initial}«.",
        "en": "In the archive, which is open to all, you are “{name}”. To change that: “Archive name full” shows "
        "“{full}”, “Archive name initial” shows “{initial}”.",
    },
    "ARCHIVE_NAME_SET": {
        "de": "Im Archiv heißt du ab seiner nächsten Ausgabe überall »{name}«, auch in den Partien von früher. In den "
        "Mails zu deinen Partien bleibt dein Name, wie er ist.",
        "en": "In the archive you are “{name}” from its next edition on, in your games of the past as well. The mails "
        "of your games keep your name as it is.",
    },
    "DISOWNED": {
        "de": "In Ordnung: Die Mail hat nichts bewirkt und bleibt liegen. {gm} weiß davon.",
        "en": "All right: the mail has changed nothing and is left alone. {gm} has been told.",
    },
}
