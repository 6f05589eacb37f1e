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
    "ABOUT_WHO": both("Wer es führt", "Who runs it"),
    "ABOUT_RUN": both(
        "Das Archiv gehört zu {service}. Verantwortlich ist {gm}. Wer mitspielt, erreicht die Spielleitung mit einer "
        "Mail, in der »GM: …« steht.",
        "The archive belongs to {service}; {gm} is in charge. Players reach the game master with a mail that says "
        "“GM: …”.",
    ),
    "ABOUT_WHAT": both("Was hier steht", "What is here"),
    "ABOUT_SHOWN": both(
        "Partien mit allen Runden, Wörtern und Ergebnissen, dazu Tabellen, Register und Statistiken daraus. Solange "
        "eine Partie läuft, steht hier nur, was auch Zuschauer wissen; was verdeckt war, kommt nach dem Ende dazu.",
        "Games with all rounds, words and results, and tables, registers and statistics made of them. As long as a "
        "game runs, only what spectators know is here; what was hidden comes after the end.",
    ),
    "ABOUT_HIDDEN": both(
        "Mailadressen stehen hier nirgends, auch nicht in den Daten zum Herunterladen.",
        "No mail address appears anywhere here, nor in the data to download.",
    ),
    "ABOUT_NAMES": both("Dein Name", "Your name"),
    "ABOUT_FORMS": both(
        "Du bestimmst, wie viel davon zu lesen ist. Schick eine dieser Zeilen an die Adresse, an die deine Züge gehen:",
        "You decide how much of it is shown. Send one of these lines to the address that takes your moves:",
    ),
    "ABOUT_MAIL_FULL": both("Archivname voll", "Archive name full"),
    "ABOUT_MAIL_INITIAL": both("Archivname kurz", "Archive name initial"),
    "ABOUT_MAIL_PSEUDONYM": both("Archivname Pseudonym", "Archive name pseudonym"),
    "ABOUT_MEANS_FULL": both("Vor- und Nachname", "First and last name"),
    "ABOUT_MEANS_INITIAL": both("Vorname und der erste Buchstabe des Nachnamens", "First name and an initial"),
    "ABOUT_MEANS_PSEUDONYM": both("Ein Name, der nichts verrät", "A name that gives nothing away"),
    "ABOUT_FORGET": both(
        "Willst du gar nicht mehr vorkommen, schreib {gm}: Dann steht überall »N. N.«, und deine Seite verschwindet.",
        "If you don't want to appear at all, write to {gm}: you will be “N. N.” everywhere, and your page goes.",
    ),
    "ABOUT_YOU": both("Was über dich gespeichert wird", "What is stored about you"),
    "ABOUT_TRACKING": both(
        "Nichts. Die Seiten setzen keine Cookies, zählen niemanden, laden nichts von anderswo und brauchen kein "
        "Skript. Du kannst das Archiv auch auf deinen Rechner kopieren und von dort lesen.",
        "Nothing. The pages set no cookies, count nobody, load nothing from elsewhere and need no script. You can also "
        "copy the archive to your computer and read it there.",
    ),
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
    "WORD_refused": both("gestrichen", "struck"),
    "WORD_doubtful": both("offen", "open"),
    "KINDS": both("Spiele und Regeln", "Games and rules"),
    "KINDS_ABOUT": both(
        "Was hier gespielt wird. Auf jeder Seite stehen die Regeln und wie ein Zug geschrieben wird.",
        "What is played here. Each page has the rules and shows how to write a move.",
    ),
    "RULES_GAMES": both("Partien:", "Games:"),
    "RULES_NONE": both("Zu diesem Spiel gibt es keine Regelseite.", "There is no page of rules for this game."),
    "RULES_SEND": both("Einen Zug schicken", "Sending a move"),
    "RULES_HOW": both(
        "Antworte auf die letzte Auswertung oder schreib eine neue Mail. In die erste Zeile kommen {title} und der "
        "Name der Partie, darunter der Zug. Du bekommst eine Bestätigung, und bis zum Ende der Runde gilt dein letzter "
        "gültiger Zug.",
        "Reply to the last evaluation or write a new mail. Put {title} and the name of the game in the first line, and "
        "the move below. You will get a confirmation; your last valid move before the end of the round counts.",
    ),
    "RULES_HELP": both("Regeln und Beispiele per Mail:", "Rules and examples by mail:"),
    "RULES_ASK": both("Hilfe {title}", "Help {title}"),
}
