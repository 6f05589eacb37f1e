"""The phrases of what is looked up: rules, words, imprint and privacy, in both languages."""

from typing import Final

from games.api import Wording, both

REFERENCE: Final[Wording] = {
    "RULES_OF": both("Regeln von {title}", "Rules of {title}"),
    "RULES_VERSION": both("Fassung der Regeln", "Rules version"),
    "LOST": both("Diese Seite gibt es nicht", "There is no such page"),
    "LOST_WHY": both(
        "Vielleicht hat sich ein Name geändert, oder in der Adresse ist ein Buchstabe verrutscht.",
        "Perhaps a name has changed, or there is a slip in the address.",
    ),
    "LOST_START": both("Zum Start", "To the start"),
    "ABOUT": both("Über dieses Archiv", "About this archive"),
    "ABOUT_RUN": both(
        "Das Archiv gehört zu {service}. Verantwortlich ist {gm}. Wer mitspielt, erreicht die Spielleitung mit einer "
        "Mail, in der »GM: …« steht.",
        "The archive belongs to {service}; {gm} is in charge. Players reach the game master with a mail that says "
        "“GM: …”.",
    ),
    "ABOUT_WHAT": both("Was hier steht", "What is here"),
    "ABOUT_SHOWN": both(
        "Partien mit allen Runden, Wörtern und Ergebnissen, dazu Tabellen und Register daraus. Solange "
        "eine Partie läuft, steht hier nur, was auch Zuschauer wissen; was verdeckt war, kommt nach dem Ende dazu.",
        "Games with all rounds, words and results, and tables and registers made of them. As long as a "
        "game runs, only what spectators know is here; what was hidden comes after the end.",
    ),
    "ABOUT_HIDDEN": both(
        "Mailadressen stehen hier nirgends, auch nicht in den Daten zum Herunterladen.",
        "No mail address appears anywhere here, nor in the data to download.",
    ),
    "ABOUT_FORMS": both(
        "Du bestimmst, wie viel davon zu lesen ist. Schick eine dieser Zeilen an die Adresse, an die deine Züge gehen:",
        "You decide how much of it is shown. Send one of these lines to the address that takes your moves:",
    ),
    "ABOUT_MAIL_FULL": both("Archivname voll", "Archive name full"),
    "ABOUT_MAIL_INITIAL": both("Archivname kurz", "Archive name initial"),
    "ABOUT_MEANS_FULL": both("Vor- und Nachname", "First and last name"),
    "ABOUT_MEANS_INITIAL": both("Vorname und der erste Buchstabe des Nachnamens", "First name and an initial"),
    "ABOUT_TRACKING": both(
        "Nichts. Die Seiten setzen keine Cookies, zählen niemanden, laden nichts von anderswo und brauchen kein "
        "Skript. Du kannst das Archiv auch auf deinen Rechner kopieren und von dort lesen.",
        "Nothing. The pages set no cookies, count nobody, load nothing from elsewhere and need no script. You can also "
        "copy the archive to your computer and read it there.",
    ),
    "ABOUT_DATA": both(
        "Jede Partie gibt es auch als Daten (partie.json), dazu eine Liste aller Partien (index.json). Was darin "
        "steht, sagen zwei Schemas:",
        "Each game can be had as data (partie.json), and there is a list of all games (index.json). Two schemas say "
        "what is in them:",
    ),
    "ABOUT_PRIVACY": both(
        "Was über dich gespeichert wird, wie lange, und wie du es löschen lässt:",
        "What is stored about you, how long, and how to have it deleted:",
    ),
    "PRIVACY_WHO": both(
        "Was {service} über dich speichert, wozu und wie lange. Verantwortlich ist {gm}.",
        "What {service} stores about you, why and for how long. {gm} is in charge.",
    ),
    "PRIVACY_STORED": both("Was gespeichert wird", "What is stored"),
    "PRIVACY_WHAT_PERSON": both(
        "Dein Name, deine Mailadressen und deine Einstellungen", "Your name, your mail addresses and your settings"
    ),
    "PRIVACY_WHY_PERSON": both(
        "Daran erkennt das Programm deine Züge, und dorthin schickt es Mails. Einstellungen sind Sprache, Archivname "
        "und Übersicht.",
        "By these the program knows your moves, and it knows where to send mails. Settings are language, archive name "
        "and digest.",
    ),
    "PRIVACY_LONG_PERSON": both("Bis du vergessen werden willst.", "Until you ask to be forgotten."),
    "PRIVACY_WHAT_RECEIVED": both("Mails, die du schickst", "Mails that you send"),
    "PRIVACY_WHY_RECEIVED": both(
        "Vollständig, wie sie ankamen: So geht kein Zug verloren, und es lässt sich zeigen, wer wann was gezogen hat.",
        "Whole, as they arrived: so no move is lost, and it can be shown who moved what and when.",
    ),
    "PRIVACY_LONG_RECEIVED": both(
        "Nichts wird von selbst gelöscht. {gm} kann den Text alter Mails entfernen, wenn die Partie zu Ende ist; es "
        "bleiben Absender, Betreff, Zeit und eine Prüfsumme. Im Postfach liegen die Mails in den Ordnern "
        "»{processed}« und »{quarantine}«.",
        "Nothing is deleted by itself. {gm} can remove the text of old mails when the game is over; sender, subject, "
        "time and a checksum stay. In the mailbox the mails lie in the folders “{processed}” and “{quarantine}”.",
    ),
    "PRIVACY_WHAT_SENT": both("Mails, die du bekommst", "Mails that you get"),
    "PRIVACY_WHY_SENT": both(
        "Damit jede genau einmal ankommt und nachzulesen ist, was dir gesagt wurde.",
        "So that each arrives once, and it can be looked up what you were told.",
    ),
    "PRIVACY_LONG_SENT": both("Wie die Mails, die du schickst.", "Like the mails that you send."),
    "PRIVACY_WHAT_MOVES": both("Züge, Plätze und Ergebnisse", "Moves, places and results"),
    "PRIVACY_WHY_MOVES": both(
        "Daraus besteht die Partie; auch, ob zum ZAT ein Zug von dir da war.",
        "The game is made of them; also whether your move was in at the deadline.",
    ),
    "PRIVACY_LONG_MOVES": both(
        "Auf Dauer. Wirst du vergessen, bleiben sie ohne deinen Namen.",
        "For good. If you are forgotten they stay without your name.",
    ),
    "PRIVACY_WHAT_PRESS": both("Presse", "Press"),
    "PRIVACY_WHY_PRESS": both(
        "Was du allen schreibst, steht im Bulletin und hier im Archiv.",
        "What you write to all is in the bulletin and in this archive.",
    ),
    "PRIVACY_LONG_PRESS": both("Bis du vergessen werden willst.", "Until you ask to be forgotten."),
    "PRIVACY_WHAT_DAYS": both(
        "Urlaub, Ersatzliste und Partien, die du beobachtest", "Vacations, standby list and games that you watch"
    ),
    "PRIVACY_WHY_DAYS": both(
        "Nur wenn du es gemeldet hast: Die Spielleitung nimmt darauf Rücksicht.",
        "Only if you have said so: the game master takes it into account.",
    ),
    "PRIVACY_LONG_DAYS": both(
        "Von der Ersatzliste und vom Beobachten meldest du dich selbst ab. Urlaub bleibt gespeichert, bis du vergessen "
        "werden willst.",
        "You leave the standby list and stop watching by yourself. Vacations stay until you ask to be forgotten.",
    ),
    "PRIVACY_WHAT_STRANGERS": both("Mails von anderen", "Mails of others"),
    "PRIVACY_WHY_STRANGERS": both(
        "Wer schreibt, ohne mitzuspielen, dessen Mail wird ebenso gespeichert und vielleicht gefragt, wer da schreibt.",
        "A mail of somebody who doesn't play is stored in the same way, and may be asked who is writing.",
    ),
    "PRIVACY_LONG_STRANGERS": both("Wie die Mails von Mitspielern.", "Like the mails of players."),
    "PRIVACY_WHAT_LOG": both("Protokoll des Programms", "The program's log"),
    "PRIVACY_WHY_LOG": both(
        "Was wann geschah, um Fehler zu finden. Es enthält keine Mailadressen und keinen Text von Mails.",
        "What happened and when, to find faults. It holds no mail addresses and no text of mails.",
    ),
    "PRIVACY_LONG_LOG": both("Wie lange es bleibt, bestimmt {gm}.", "How long it stays is for {gm} to say."),
    "PRIVACY_BACKUPS": both(
        "Von all dem kann es Sicherungskopien geben. Wo sie liegen und wie lange, weiß {gm}.",
        "There may be backups of all this. {gm} knows where they are, and for how long.",
    ),
    "PRIVACY_PUBLIC": both("Was davon alle sehen", "What everybody sees"),
    "PRIVACY_PAGES": both(
        "Diese Seiten stehen im Netz: Partien mit Zügen, Wörtern, Presse, Ergebnissen und Tabellen.",
        "These pages are on the web: games with moves, words, press, results and tables.",
    ),
    "PRIVACY_PAGES_UNPUBLISHED": both(
        "Diese Seiten zeigen Partien mit Zügen, Wörtern, Presse, Ergebnissen und Tabellen. Eine "
        "Adresse im Netz ist für sie nicht eingetragen; wer sie lesen kann, weiß {gm}.",
        "These pages show games with moves, words, press, results and tables. No address on the web is "
        "set for them; {gm} knows who can read them.",
    ),
    "PRIVACY_NAMES_FULL": both(
        "Wer nichts anderes will, steht hier mit Vor- und Nachnamen.",
        "Those who don't want it otherwise are here by first and last name.",
    ),
    "PRIVACY_NAMES_INITIAL": both(
        "Wer nichts anderes will, steht hier mit Vornamen und erstem Buchstaben des Nachnamens.",
        "Those who don't want it otherwise are here by first name and an initial.",
    ),
    "PRIVACY_OTHERS": both("Wer sonst etwas erfährt", "Who else learns of it"),
    "PRIVACY_PLAYERS": both(
        "Mitspieler und Zuschauer lesen in den Bulletins deinen Namen, deine Züge und deine Presse, aber nicht deine "
        "Mailadresse.",
        "Players and spectators read your name, your moves and your press in the bulletins, but not your mail address.",
    ),
    "PRIVACY_HOSTS": both(
        "Die Mails gehen über das Postfach der Spielleitung: {hosts}.",
        "Mails go through the game master's mailbox: {hosts}.",
    ),
    "PRIVACY_NO_HOSTS": both(
        "Die Mails gehen über einen Mailserver auf dem Rechner der Spielleitung.",
        "Mails go through a mail server on the game master's computer.",
    ),
    "PRIVACY_SECOND": both(
        "In Partien, in denen {gm} selbst spielt, sieht {second}, was noch offen ist.",
        "In games that {gm} plays in, {second} sees what is still open.",
    ),
    "PRIVACY_NOBODY": both("Sonst gibt das Programm nichts weiter.", "The program passes nothing else on."),
    "PRIVACY_READERS": both("Was über Leser gespeichert wird", "What is stored about readers"),
    "PRIVACY_SERVER": both(
        "Was der Webserver mitschreibt, der sie ausliefert, weiß {gm}.",
        "What the web server keeps that delivers them is known to {gm}.",
    ),
    "PRIVACY_ASK": both("Fragen und löschen lassen", "Asking, and being forgotten"),
    "PRIVACY_ASK_GM": both(
        "Frag {gm}, was über dich gespeichert ist, oder lass etwas berichtigen: mit einer Mail an die Adresse, an die "
        "deine Züge gehen, in der »GM: …« steht.",
        "Ask {gm} what is stored about you, or have it corrected: send a mail that says “GM: …” to the address that "
        "takes your moves.",
    ),
    "PRIVACY_FORGET": both(
        "Willst du gar nicht mehr vorkommen, sag es {gm}: Dann verschwinden dein Name, deine Adressen, deine Presse "
        "und der Text deiner Mails. Züge und Ergebnisse bleiben, unter »N. N.«, und deine Seite hier verschwindet.",
        "If you don't want to appear at all, tell {gm}: your name, your addresses, your press and the text of your "
        "mails go. Moves and results stay, as those of “N. N.”, and your page here goes.",
    ),
    "PRIVACY_LEFT": both(
        "Nicht zurückholen lassen sich Mails, die schon bei anderen angekommen sind, die im Postfach selbst und ältere "
        "Sicherungskopien.",
        "What can't be called back: mails that others have got already, those in the mailbox itself, older backups.",
    ),
    "FEED_READ": both("{heading} im Archiv", "{heading} in the archive"),
    "REGISTER_WORDS": both("Wortregister", "Word index"),
    "REGISTER_STRUCK": both("Gestrichene Wörter", "Struck words"),
    "REGISTER_COUNT": both("Zusammen {count} Wörter.", "{count} words in all."),
    "REGISTER_COUNT_ONE": both("Nur ein Wort.", "Just one word."),
    "REGISTER_NONE": both("Noch ist das Register leer.", "The index is still empty."),
    "REGISTER_LETTERS": both("Buchstaben", "Letters"),
    "WORDS_ABOUT": both(
        "Jedes Wort, das in einer beendeten Partie gelegt oder genannt wurde: wo, von wem und für wie viele Punkte.",
        "Every word that was laid or claimed in a finished game: where, by whom and for how many points.",
    ),
    "WORDS_WITH": both("Wörter mit {prefix}", "Words beginning with {prefix}"),
    "STRUCK_ABOUT": both(
        "Wörter, die nicht zählten, mit dem Grund: ein Nachschlagewerk für alle, die es noch einmal versuchen wollen.",
        "Words that didn't count, and why: a reference for all who want to try again.",
    ),
    "STRUCK_WITH": both("Gestrichen: {prefix}", "Struck: {prefix}"),
    "WORD_TIMES": both("({count} Mal)", "({count} times)"),
    "WORD_FIRST": both("zuerst:", "first:"),
    "WORD_WHY": both("Warum", "Why"),
    "WORD_refused": both("gestrichen", "struck"),
    "WORD_doubtful": both("offen", "open"),
    "KINDS": both("Spiele und Regeln", "Games and rules"),
    "KINDS_ABOUT": both(
        "Was hier gespielt wird. Auf jeder Seite stehen die Regeln und wie ein Zug geschrieben wird.",
        "What is played here. Each page has the rules and shows how to write a move.",
    ),
    "KIND_SEATS": both("{fewest} bis {most} Mitspieler", "{fewest} to {most} players"),
    "KIND_SEATS_ONLY": both("{count} Mitspieler", "{count} players"),
    "KIND_ROUNDS": both("{count} Runden", "{count} rounds"),
    "KIND_ROUNDS_ONE": both("1 Runde", "1 round"),
    "KIND_PLAYED": both("{count} beendete Partien", "{count} finished games"),
    "KIND_PLAYED_ONE": both("1 beendete Partie", "1 finished game"),
    "RULES_SEATS": both("Mitspieler", "Players"),
    "RULES_RUNNING": both("Gerade gespielt", "Being played"),
    "RULES_OVER": both("Beendete Partien", "Finished games"),
    "RULES_RESULTS": both("Ergebnisse", "Results"),
    "RULES_BY_MAIL": both("Per Mail", "By mail"),
    "RULES_NONE": both("Zu diesem Spiel gibt es keine Regelseite.", "There is no page of rules for this game."),
    "EXAMPLE": both("Ein Zug als Beispiel", "A move as an example"),
    "RULES_SEND": both("Einen Zug schicken", "Sending a move"),
    "RULES_HOW": both(
        "Antworte auf die letzte Auswertung oder schreib eine neue Mail. In die erste Zeile kommen {title} und der "
        "Name der Partie, darunter der Zug. Du bekommst eine Bestätigung, und bis zum Ende der Runde gilt dein letzter "
        "gültiger Zug.",
        "Reply to the last evaluation or write a new mail. Put {title} and the name of the game in the first line, and "
        "the move below. You will get a confirmation; your last valid move before the end of the round counts.",
    ),
    "RULES_ASK": both("Hilfe {title}", "Help {title}"),
}
