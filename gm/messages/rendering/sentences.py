"""What the service itself says in a sentence, whatever the game; longer mails are templates."""

from games.api import Wording

SENTENCES: Wording = {
    "FOUND_BY_SUBJECT": {
        "de": "Die Titelzeile fehlte; die Partie habe ich am Betreff erkannt.",
        "en": "The title line was missing; I knew the game by the subject.",
    },
    "FOUND_BY_THREAD": {
        "de": "Die Titelzeile fehlte; die Partie habe ich daran erkannt, auf welche Mail du geantwortet hast.",
        "en": "The title line was missing; I knew the game by the mail that you replied to.",
    },
    "FOUND_BY_SENDER": {
        "de": "Eine Titelzeile mit dem Namen der Partie habe ich nicht erkannt; du sitzt nur in dieser.",
        "en": "I recognised no title line with the game's name; you sit in this one only.",
    },
    "AS_IT_STANDS": {"de": "{text}", "en": "{text}"},
    "TABLE_OF": {"de": "Tabelle: {heading}", "en": "Table: {heading}"},
    "WHO": {"de": "{seat}", "en": "{seat}"},
    "OTHERS_TURN": {
        "de": "In »{game}« bist du gerade nicht am Zug. Am Zug: {players}. Dein Block zählt nicht; du bekommst eine "
        "Mail, sobald du dran bist.",
        "en": "It isn't your turn in “{game}”. On turn: {players}. Your block doesn't count; you will get a mail as "
        "soon as it is your turn.",
    },
    "STALE": {
        "de": "Dein Block gehört zu einem älteren Stand von »{game}« und zählt nicht mehr. Darunter findest du den "
        "jetzigen.",
        "en": "Your block belongs to an older position of “{game}” and doesn't count any more. Below is the present "
        "one.",
    },
    "CROSSED": {
        "de": "Deine Mail kam an, bevor du den jetzigen Stand von »{game}« sehen konntest; sie zählt nicht. »Stand "
        "{game}« schickt ihn dir noch einmal.",
        "en": "Your mail arrived before you could see the present position of “{game}”; it doesn't count. “Status "
        "{game}” sends you that position again.",
    },
    "HELD": {
        "de": "Dein Zug in »{game}« liegt bei {gm}, denn in keiner Wörterliste steht: {words}. Der ZAT steht so lange "
        "still, und du bekommst Bescheid. Statt zu warten, darfst du auch einen anderen Zug schicken; er ersetzt "
        "diesen.",
        "en": "Your move in “{game}” is with {gm}; in no word list: {words}. The deadline stands still meanwhile, "
        "and you will hear of the ruling. Instead of waiting you may send another move; it replaces this one.",
    },
    "HELD_BEHIND": {
        "de": "Dein Zug in »{game}« ist da, muss aber warten: Vor ihm liegt einer bei {gm}. Er behält seinen Platz in "
        "der Reihenfolge.",
        "en": "Your move in “{game}” is here but has to wait: one before it is with {gm}. It keeps its place in the "
        "order of arrival.",
    },
    "NO_EFFECT": {
        "de": "Warten und Fertig haben in »{game}« keine Wirkung: Ein Zug gilt, sobald er da ist.",
        "en": "Wait and Ready have no effect in “{game}”: a move counts as soon as it is here.",
    },
    "NOT_YOUR_SEAT": {
        "de": "In einer Partie »{game}« sitzt du unter dieser Adresse nicht. Schreib bitte von der Adresse, mit der du "
        "angemeldet bist, oder an den GM: eine Zeile »GM: ...« genügt.",
        "en": "You hold no seat in a game “{game}” under this address. Please write from the address that you signed "
        "up with, or to the GM: one line “GM: ...” will do.",
    },
    "NO_SEAT_AT_ALL": {
        "de": "Ich habe einen Zug gelesen, aber du sitzt unter dieser Adresse in keiner laufenden Partie dazu. Schreib "
        "bitte von der Adresse, mit der du angemeldet bist.",
        "en": "I read a move, but under this address you sit in no running game for it. Please write from the address "
        "that you signed up with.",
    },
    "SEAT_LEFT": {
        "de": "Deinen Platz in »{game}« hat inzwischen jemand anders übernommen; dein Zug zählt dort nicht mehr.",
        "en": "Somebody else has taken over your seat in “{game}”; your move no longer counts there.",
    },
    "WHO_OF_YOU": {
        "de": "Unter dieser Adresse sitzen in »{game}« mehrere: {names}. Schreib bitte eine Zeile »Name: ...« über den "
        "Zug, damit er auf den richtigen Platz kommt.",
        "en": "Several players share this address in “{game}”: {names}. Please put a line “Name: ...” above the move, "
        "so that it reaches the right seat.",
    },
    "WHICH_GAME": {
        "de": "Für welche Partie? Schreib die Titelzeile mit dem Namen dazu, zum Beispiel »{title} {game}«. Du sitzt "
        "in: {games}.",
        "en": "For which game? Please write the title line with its name, for instance “{title} {game}”. You sit in: "
        "{games}.",
    },
    "OTHER_TITLE": {
        "de": "»{game}« ist eine Partie {title}; über dem Zug stand ein anderes Spiel. Schreib bitte »{title} {game}«.",
        "en": "“{game}” is a game of {title}; the move was headed with another one. Please write “{title} {game}”.",
    },
    "TWO_BLOCKS": {
        "de": "In deiner Mail standen zwei verschiedene Züge für »{game}«. Ich habe keinen von beiden genommen; schick "
        "bitte nur den, der gelten soll.",
        "en": "Your mail held two different moves for “{game}”. I took neither; please send only the one that counts.",
    },
    "WRONG_ROUND": {
        "de": "Dein Zug ist für {what} {named}, in »{game}« läuft aber {what} {round}. Ich habe ihn nicht genommen; "
        "gilt er für jetzt, schick ihn mit »{what}: {round}« noch einmal.",
        "en": "Your move is for {what} {named}, but {what} {round} of “{game}” is being played. It was not taken; if "
        "it is meant for now, please send it again with “{what}: {round}”.",
    },
    "UNIT_ROUND": {"de": "Runde", "en": "round"},
    "UNIT_TURN": {"de": "Zug", "en": "turn"},
    "UNIT_DEAL": {"de": "Durchgang", "en": "deal"},
    "NOT_STARTED": {
        "de": "»{game}« hat noch nicht angefangen. Sobald alle Plätze besetzt sind, kommt die Startmail.",
        "en": "“{game}” hasn't begun yet. The first bulletin comes as soon as all seats are taken.",
    },
    "GAME_OVER": {
        "de": "»{game}« ist zu Ende; Züge nehme ich dort keine mehr an.",
        "en": "“{game}” is over; no more moves are taken there.",
    },
    "NOT_DUE": {
        "de": "In »{game}« bist du gerade nicht am Zug.",
        "en": "It is not your turn in “{game}”.",
    },
    "NO_OPEN_GAME": {
        "de": "Für {title} ist gerade kein Platz frei. Schreib »Spiele«, dann schicke ich dir, was es gibt.",
        "en": "There is no free seat for {title} just now. Write “Games” to see what there is.",
    },
    "SEVERAL_OPEN": {
        "de": "Freie Plätze gibt es in mehreren Partien: {games}. Schreib bitte den Namen dazu.",
        "en": "There are free seats in several games: {games}. Please add the name.",
    },
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
    "NOTHING_TO_WITHDRAW": {
        "de": "In »{game}« liegt gerade kein Zug von dir vor; es gab nichts zurückzuziehen.",
        "en": "There is no move of yours on file in “{game}” now; nothing was withdrawn.",
    },
    "WILL_WAIT": {
        "de": "»{game}« wartet in Runde {round} auf jeden Fall bis zum ZAT. »Fertig {game}« hebt das wieder auf.",
        "en": "“{game}” will wait for the deadline of round {round} in any case. “Ready {game}” takes that back.",
    },
    "READY": {
        "de": "Gut: Sind in Runde {round} von »{game}« alle Züge da, darf vor dem ZAT ausgewertet werden.",
        "en": "Good: once all moves of round {round} of “{game}” are in, it may close before its deadline.",
    },
    "STANDBY_ON": {
        "de": "Du stehst jetzt auf der Liste der Ersatzspieler. »kein Standby« nimmt dich wieder herunter.",
        "en": "You are on the standby list now. “No standby” takes you off again.",
    },
    "STANDBY_OFF": {
        "de": "Du stehst nicht mehr auf der Liste der Ersatzspieler.",
        "en": "You are no longer on the standby list.",
    },
    "FREE_TEXT": {
        "de": "Ich bin das Programm, das die Züge einsammelt. Deine Nachricht habe ich an {gm} weitergegeben. Ein Zug "
        "war darin nicht zu finden; war einer gemeint, schreib »Hilfe«.",
        "en": "I am the program that collects the moves. I passed your message on to {gm}. There was no move in it; "
        "if you meant one, write “Help”.",
    },
    "FREE_TEXT_ATTACHED": {
        "de": "Ich bin das Programm, das die Züge einsammelt. Deine Nachricht habe ich an {gm} weitergegeben, den "
        "Anhang aber nicht gelesen. Ein Zug zählt nur, wenn er als einfacher Text in der Mail steht; »Hilfe« erklärt "
        "die Form.",
        "en": "I am the program that collects the moves. I passed your message on to {gm}, but did not read the "
        "attachment. A move counts only as plain text in the mail itself; “Help” explains the form.",
    },
    "PASSED_ON": {
        "de": "Deine Nachricht ist bei {gm}.",
        "en": "Your message is with {gm}.",
    },
    "PASSED_ON_BESIDE": {
        "de": "Was du dazu geschrieben hast, ist bei {gm}.",
        "en": "What you wrote beside it is with {gm}.",
    },
    "NOTHING_BUT_QUOTED": {
        "de": "In deiner Mail steht nur Zitiertes; darüber und darunter habe ich nichts von dir gefunden. Zitiertes "
        "zählt nie als Zug. Schreib ihn bitte frei darüber, ohne »>« davor; »Hilfe« erklärt die Form.",
        "en": "There is only quoted text in your mail; above and below it I found nothing of yours. Quotations never "
        "count as a move. Please write it above them, without “>” in front; “Help” explains the form.",
    },
    "NOTHING_READ": {
        "de": "In deiner Mail war nichts zu lesen. Bitte schick den Zug als einfachen Text im Mailtext, nicht als "
        "Anhang oder Bild; »Hilfe« erklärt die Form.",
        "en": "There was nothing to read in your mail. Please send the move as plain text in the body, not as an "
        "attachment or a picture; “Help” explains the form.",
    },
    "ATTACHED": {
        "de": "Anhänge lese ich nicht. Ich habe {gm} gesagt, dass deine Mail da ist; sicher gilt ein Zug nur, wenn er "
        "als einfacher Text in der Mail steht. »Hilfe« erklärt die Form.",
        "en": "I don't read attachments. I told {gm} that your mail is here; a move surely counts only as plain text "
        "in the mail itself. “Help” explains the form.",
    },
    "ONLY_QUOTED": {
        "de": "Der Block steht nur im zitierten Teil deiner Mail (Zeilen mit »>«, unter dem Kopf der alten Mail oder "
        "unter der Signatur). Zitiertes zählt nie als Zug, auch wenn etwas hineingeschrieben ist.",
        "en": "The block stands only in the quoted part of your mail (lines with “>”, below the head of the old mail "
        "or below the signature). Quotations never count as a move, even with something written into them.",
    },
    "TOO_LARGE": {
        "de": "Deine Mail ist so groß, dass ich nur ihren Anfang gelesen habe, und dort stand kein vollständiger Zug. "
        "Schick ihn bitte noch einmal als kurze Mail ohne Anhänge und ohne die alten Mails darunter.",
        "en": "Your mail is so large that I read its beginning only, and there was no complete move in it. Please send "
        "the move again as a short mail, without attachments and without the old mails below it.",
    },
    "FORWARDED": {
        "de": "Den weitergeleiteten Teil deiner Mail habe ich nicht gelesen: Züge zählen nur, wenn sie im eigenen Text "
        "stehen.",
        "en": "I did not read the forwarded part of your mail: moves count only in your own text.",
    },
    "APPEAL_LINE": {
        "de": "Über {word} entscheidet der GM, wenn du diese Zeile schickst: »Einspruch {game} {word}: Begründung«.",
        "en": "The GM rules on {word} if you send this line: “Appeal {game} {word}: reason”.",
    },
    "APPEAL_TAKEN": {
        "de": "Dein Einspruch zu {word} in »{game}« liegt bei {gm}; die Entscheidung bekommst du als Mail. Ändert sie "
        "den Endstand, geht der neue an alle.",
        "en": "Your appeal about {word} in “{game}” is with {gm}; you get the ruling as a mail. If it changes the "
        "final scores, the new ones go out to everybody.",
    },
    "APPEAL_KNOWN": {
        "de": "Dein Einspruch zu {word} in »{game}« liegt schon bei {gm}; er ist noch offen. Willst du etwas "
        "hinzufügen, genügt eine Zeile »GM: ...«.",
        "en": "Your appeal about {word} in “{game}” is with {gm} already and still open. To add something, one line "
        "“GM: ...” will do.",
    },
    "NO_WORD": {
        "de": "»{word}« kann in keinem Gitter liegen: Buchstaben sind hier nur A-Z, Ä, Ö, Ü und ß. Schreib den "
        "Einspruch bitte noch einmal mit dem Wort, wie es gewertet wurde.",
        "en": "“{word}” can't lie on any board: the only letters here are A-Z, Ä, Ö, Ü and ß. Please send the appeal "
        "again with the word as it was judged.",
    },
    "NO_RESULT": {
        "de": "»{game}« wurde abgebrochen; gewertet wird dort nichts mehr.",
        "en": "“{game}” was broken off; nothing is scored there any more.",
    },
    "NO_QUESTION": {
        "de": "Zu deiner Antwort gibt es gerade keine offene Frage, oder es sind mehrere. Antworte bitte auf die "
        "Mail mit "
        "der Frage.",
        "en": "There is no open question for your answer, or there are several. Please answer the mail that asked.",
    },
    "NAME_LOOKS_ALIKE": {
        "de": "Danke! Dein Name ist einem anderen hier zum Verwechseln ähnlich; darum sieht {gm} ihn sich erst an. "
        "Du bekommst eine Mail, sobald du dabei bist, und musst bis dahin nichts tun.",
        "en": "Thank you! Your name is easily mistaken for another one here, so {gm} has a look at it first. You get a "
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
    "LEFT_GAME": {
        "de": "Du spielst in »{game}« nicht mehr mit; {gm} weiß Bescheid. Ein Zug, der schon vorliegt, gilt noch. "
        "Danke "
        "fürs Mitspielen!",
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
    "AWAY": {"de": "{name} ist verreist.", "en": "{name} is away."},
    "VACATION_NOTED": {
        "de": "Schönen Urlaub vom {first} bis {last}! {gm} weiß Bescheid; die ZATs bleiben, wie sie sind.",
        "en": "Enjoy your time away from {first} to {last}! {gm} knows; the deadlines stay as they are.",
    },
    "VACATION_MOVED": {
        "de": "Schönen Urlaub vom {first} bis {last}! {gm} weiß Bescheid. Verschoben ist der ZAT von: {games}.",
        "en": "Enjoy your time away from {first} to {last}! {gm} knows. The deadline has moved in: {games}.",
    },
    "VACATION_PAST": {
        "de": "Dieser Urlaub ist schon vorbei; ich habe nichts vermerkt.",
        "en": "That time is over already; nothing was noted.",
    },
    "VACATION_TOO_LONG": {
        "de": "So lang darf der Urlaub nicht sein. Tage, die ZATs verschieben, gibt es im Jahr höchstens {most}; frei "
        "sind noch {left}, du nennst {asked}. Ich habe nichts vermerkt.",
        "en": "That vacation is too long. Of the days that move deadlines there are {most} a year at most; {left} "
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
        "Schluss der "
        "Mail genommen.",
        "en": "The line “End” was missing below the press; I took the text up to the next move or the end of the mail.",
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
        "Betreff.",
        "en": "This line belongs to the mail that offers it: please answer that one, or keep its code in the subject.",
    },
    "NOT_OFFERED": {
        "de": "»{line}« bietet diese Mail nicht an; getan ist nichts. Angeboten: {offers}",
        "en": "This mail doesn't offer “{line}”; nothing was done. Offered: {offers}",
    },
    "GM_REFUSED": {"de": "»{line}« ging nicht: {why}", "en": "“{line}” was refused: {why}"},
    "GM_DONE": {"de": "»{line}« ist getan: {done}.", "en": "“{line}” is done: {done}."},
    "RULED_IN": {"de": "{word} zählt", "en": "{word} counts"},
    "RULED_OUT": {"de": "{word} zählt nicht", "en": "{word} doesn't count"},
    "RULED_WORD_IN": {"de": "Das Wort zählt", "en": "The word counts"},
    "RULED_WORD_OUT": {"de": "Das Wort zählt nicht", "en": "The word doesn't count"},
    "RULED_BECAUSE": {"de": "{ruling} ({note})", "en": "{ruling} ({note})"},
    "CHANGED_NMR": {"de": "Jetzt NMR: {names}", "en": "Now NMR: {names}"},
    "CHANGED_NO_NMR": {"de": "Kein NMR mehr: {names}", "en": "No longer NMR: {names}"},
    "CHANGED_STANDING": {
        "de": "{seat}: Platz {rank} mit {points} statt Platz {old_rank} mit {old_points}",
        "en": "{seat}: rank {rank} with {points} instead of rank {old_rank} with {old_points}",
    },
    "CHANGED_OVER": {"de": "Damit ist die Partie zu Ende", "en": "This ends the game"},
    "CHANGED_NOT_OVER": {"de": "Die Partie ist noch nicht zu Ende", "en": "The game is not over yet"},
    "CHANGED_ONE_POINT": {"de": "1 Punkt", "en": "1 point"},
    "CHANGED_POINTS": {"de": "{number} Punkten", "en": "{number} points"},
    "CHANGED_LINE": {"de": "{line} (vorher: {before})", "en": "{line} (before: {before})"},
    "CHANGED_NEW": {"de": "Neu: {line}", "en": "New: {line}"},
    "CHANGED_GONE": {"de": "Entfällt: {line}", "en": "Gone: {line}"},
    "CHANGED_NOTE": {"de": "{of}: {now} statt {before}", "en": "{of}: {now} instead of {before}"},
    "CHANGED_GRID_ROW": {
        "de": "{of}, Zeile {row}: {now} statt {before}",
        "en": "{of}, row {row}: {now} instead of {before}",
    },
    "CHANGED_ROW": {"de": "{row}: {cells}", "en": "{row}: {cells}"},
    "CHANGED_OF": {"de": "{of}, {row}", "en": "{of}, {row}"},
    "CHANGED_NEW_ROW": {"de": "{of}, neu: {cells}", "en": "{of}, new: {cells}"},
    "CHANGED_GONE_ROW": {"de": "{of}, entfällt: {cells}", "en": "{of}, gone: {cells}"},
    "CHANGED_TO": {"de": "{now}", "en": "{now}"},
    "CHANGED_TO_HEADED": {"de": "{head} {now}", "en": "{head} {now}"},
    "CHANGED_CELL": {"de": "{now} statt {before}", "en": "{now} instead of {before}"},
    "CHANGED_CELL_HEADED": {"de": "{head} {now} statt {before}", "en": "{head} {now} instead of {before}"},
    "CHANGED_BELOW": {"de": "Stand", "en": "Position"},
    "CHANGED_MORE": {
        "de": "und {number} weitere Änderungen; unten steht alles",
        "en": "and {number} more changes; all of it is below",
    },
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
    "CALENDAR_ROUND": {"de": "ZAT {game}, Runde {round}", "en": "Deadline {game}, round {round}"},
    "CALENDAR_TURN": {"de": "ZAT {game}, Zug {round}", "en": "Deadline {game}, turn {round}"},
    "CALENDAR_DEAL": {"de": "ZAT {game}, Durchgang {round}", "en": "Deadline {game}, deal {round}"},
    "CALENDAR_HOW": {
        "de": "Wie es steht, sagt dir eine Mail an {address} mit der Zeile »Stand {game}«.",
        "en": "A mail to {address} with the line “Status {game}” brings you the position.",
    },
    "CALENDAR_ON": {
        "de": "Ab jetzt hängt an jeder Mail mit einem neuen ZAT auch die Kalenderdatei dazu. Verschiebt er sich, kommt "
        "sie neu; öffnest du sie, rückt dein Kalender den Eintrag nach. Was zurzeit ansteht, hängt an. »Kalender aus« "
        "beendet das.",
        "en": "From now on every mail with a new deadline brings its calendar file. When the deadline moves, the file "
        "comes again; open it, and your calendar moves the entry. What lies ahead now is attached. “Calendar off” ends "
        "this.",
    },
    "CALENDAR_ON_EMPTY": {
        "de": "Ab jetzt hängt an jeder Mail mit einem neuen ZAT auch die Kalenderdatei dazu. Zurzeit steht keiner an. "
        "»Kalender aus« beendet das.",
        "en": "From now on every mail with a new deadline brings its calendar file. None lies ahead now. “Calendar "
        "off” ends this.",
    },
    "CALENDAR_OFF": {
        "de": "Kalenderdateien bekommst du keine mehr. »Kalender an« bringt sie wieder.",
        "en": "You will get no more calendar files. “Calendar on” brings them back.",
    },
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
        "»{full}«, »Archivname kurz« zeigt »{initial}«, »Archivname Pseudonym« zeigt »{pseudonym}«.",
        "en": "In the archive, which is open to all, you are “{name}”. To change that: “Archive name full” shows "
        "“{full}”, “Archive name initial” shows “{initial}”, “Archive name pseudonym” shows “{pseudonym}”.",
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
