"""Prose with one plain wish (issue 29): a closed table of phrases, and no guessing."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.api import Rules
from parsers.commands.grammar import read_commands
from parsers.commands.prose.english_phrases import ENGLISH
from parsers.commands.prose.phrase_words import Vocabulary
from parsers.commands.prose.phrases import GERMAN
from parsers.commands.prose.wishes import BESIDE, Wish, read_wish
from parsers.commands.titles import Titles
from parsers.mime.message import Mail

SAID = {
    "join": [
        "Ich spiele gern Scrabble und würde bei Kiew mitmachen",
        "Ist in Kiew noch was frei? Dann wäre ich dabei.",
        "Hallo! Mein Bruder hat mir von euch erzählt, ich würde gern bei der nächsten Partie mitspielen.",
        "Ich melde mich für Kiew an.",
        "Bitte für Kiew vormerken!",
        "Bei Kiew bin ich dabei",
        "Schreibt mich bitte für Kiew auf",
        "ich möchte gerne an Kiew teilnehmen",
        "Wie kann ich bei euch mitspielen?",
        "Hallo Cici, ich hätte Interesse an einem Platz bei Crossword Kiew.",
        "Darf ich bei Kiew noch mitmachen oder ist es schon zu spät?",
        "Habe Lust bekommen mitzuspielen, geht das noch bei Kiew?",
        "Kann man bei Kiew noch dazustoßen?",
        "Für Kiew melde ich mich hiermit an. Liebe Grüße, Anna",
        "Ich spiele gerne bei Kiew mit!",
        "Bei der nächsten Crossword-Partie wäre ich gern dabei",
        "Setzt mich bitte auf die Liste für Kiew",
        "Wenn in Kiew noch ein Platz frei ist, würde ich gern mitspielen",
        "Hi, I'd love to join Kiew if there's still a seat",
        "Could I still get into Kiew?",
        "Please sign me up for Kiew",
        "I want to play in Kiew",
        "Is there a free seat in Kiew?",
        "hätte gern nen platz in kiew",
        "ich möchte bei Eriwan mitspielen",
        "ich würde gern bei Crossword Eriwan mitmachen!",
        "habt ihr noch einen Platz in Crossword?",
        "kann ich bei euch mitspielen?",
        "I'd like to join Eriwan",
        "Hallo Cici,\n\nich moechte gerne bei eriwan mitspielen :-)\n\nViele Grüße\nAnna",
        "Hallo Cici! Ich würde total gern mal wieder bei einer Runde Crossword mitmachen. LG Anna",
        "Ist noch ein Platz frei?",
        "Ich melde mich für Eriwan an.",
        "can I play in Crossword?",
        "is there still room in Eriwan?",
        "Ich hätte Lust, bei Typ-Dom mitzuspielen.",
        "Ich wollte fragen, ob ich bei Eriwan noch mitspielen kann.",
        "Gibt es noch freie Plätze?",
        "hätte lust auf eine partie presto",
        "Eriwan: ich möchte mitmachen",
        "Wie kann ich mitmachen?",
        "Hi, please sign me up for Eriwan. Cheers, Ben",
        "Ich möchte Crossword spielen.",
        "Ich moechte gern bei der Partie Eriwan mitspielen",
        "Ich würde gerne mitmachen!",
        "Darf ich noch einsteigen?",
        "Ich hätte gern einen Platz in Eriwan",
        "ich spiele gern mit",
        "ich steige bei Tiflis ein",
        "I would love to play!",
        "Do you have a free seat?",
        "How can I join?",
        "Can I join in?",
        "I want to take part in Eriwan",
        "Are there any seats left?",
        "I'm interested in joining",
    ],
    "standby": [
        "Ich springe gern mal ein, wenn jemand ausfällt",
        "Ich würde mich als Ersatz zur Verfügung stellen",
        "Ich stehe gern als Ersatzspieler bereit",
        "Falls jemand ausfällt, springe ich gern ein",
        "Setzt mich bitte auf die Ersatzliste",
        "Ich könnte mal einspringen",
        "I'd be happy to step in if someone drops out",
        "Put me on the standby list please",
        "Ich mache gern den Ersatz",
        "ich springe gern ein",
        "setz mich auf die Ersatzliste",
        "Setz mich bitte auf die Standby-Liste.",
        "put me on the standby list please",
        "Ich könnte als Ersatzspieler einspringen",
        "ich wuerde gern einspringen",
        "nehmt mich auf die Warteliste",
        "Ich möchte auf die Ersatzliste",
        "Ich stehe als Ersatz bereit.",
        "I'd like to be on the standby list",
        "I can fill in",
        "Please add me to the reserve list",
    ],
    "watch": [
        "Ich möchte bei Eriwan nur zuschauen",
        "Kann ich bei Eriwan mitlesen?",
        "Ich würde Eriwan gern verfolgen, ohne mitzuspielen",
        "Darf ich bei Eriwan zugucken?",
        "Bitte schickt mir die Bulletins von Eriwan, ich möchte zuschauen",
        "I'd like to watch Eriwan",
        "Can I follow Eriwan as a spectator?",
        "ich würde gern nur zuschauen bei Eriwan",
        "kann ich bei Eriwan zusehen?",
        "I would like to watch Eriwan",
        "Ich möchte die Partie Eriwan beobachten.",
        "Ich will bei Eriwan nur zuschauen.",
        "Darf ich zugucken?",
        "ich schaue bei Eriwan gern zu",
        "May I watch Eriwan?",
        "I'd like to follow the game Eriwan",
        "Can I just watch?",
    ],
    "resign": [
        "Ich höre bei Eriwan auf. Es hat viel Spaß gemacht!",
        "Leider muss ich bei Eriwan aufhören, keine Zeit mehr",
        "Ich steige aus Eriwan aus.",
        "Hallo, mir wird das zu viel, ich höre bei Eriwan auf.",
        "Ich werde bei Eriwan nicht weiterspielen.",
        "Bitte nehmt mich aus Eriwan raus",
        "Schweren Herzens muss ich Eriwan aufgeben",
        "Ich möchte bei Eriwan nicht mehr mitmachen",
        "Ich bin bei Eriwan raus",
        "Macht bei Eriwan bitte ohne mich weiter",
        "Bitte meldet mich von Eriwan ab",
        "Mit Eriwan ist für mich Schluss",
        "Für mich ist bei Eriwan Schluss",
        "Aus gesundheitlichen Gründen muss ich leider aufhören.",
        "Ich kann leider bei Eriwan nicht mehr weitermachen, die Arbeit frisst mich auf.",
        "Ich schaffe das zeitlich nicht mehr und steige bei Eriwan aus.",
        "I have to drop out of Eriwan, sorry",
        "Please take me out of Eriwan",
        "I want to stop playing Eriwan",
        "Ich ziehe mich aus Eriwan zurück",
        "ich höre auf",
        "ich steige aus",
        "ich steige bei Eriwan aus",
        "ich kann leider nicht mehr mitspielen",
        "Leider muss ich aufhören. Mir fehlt die Zeit.",
        "I quit",
        "I can't play any more",
        "ich möchte nicht mehr mitmachen",
        "I have to resign from Eriwan",
        "I'm out",
        "Ich hoere leider auf, weil mir die Zeit fehlt.",
        "Ich möchte aussteigen.",
        "hoere auf",
        "Ich muss mich leider abmelden",
        "Ich gebe auf!",
        "Ich bin raus.",
        "ich mag nicht mehr mitspielen",
        "Unfortunately I have to stop playing.",
        "I resign",
        "I give up.",
        "I can no longer play",
        "I'm leaving Eriwan",
        "I would like to quit",
    ],
    "vacation": [
        "Wir sind über Weihnachten verreist: 23.12.-2.1.",
        "ab Freitag bin ich eine Woche weg",
        "Ich bin vom 20.12. bis zum 3.1. nicht da",
        "Vom 5. bis 12. Dezember bin ich im Krankenhaus",
        "bin bis 15.12. im Urlaub",
        "Bin vom 1.12. bis 8.12. verreist und kann nicht ziehen",
        "Urlaub: 20.12.-3.1.",
        "Urlaub vom 20.12. bis 3.1.",
        "Kurze Info: ich bin vom 20.12. bis 3.1. in Urlaub",
        "Bitte beachten: vom 20.12. bis 3.1. bin ich ohne Internet",
        "Nächste Woche bin ich nicht da",
        "Ich bin zwei Wochen weg",
        "Bin ab morgen für 10 Tage im Urlaub",
        "Ich bin bis einschließlich Sonntag offline",
        "Vom 20.12. bis zum 3.1. mache ich Urlaub",
        "am Samstag bin ich nicht da",
        "I'll be on vacation from December 20 to January 3",
        "Away 20.12.-3.1.",
        "I'm travelling next week",
        "Out of office 20 Dec - 3 Jan",
        "Ich bin von Montag bis Freitag auf Dienstreise",
        "über die Feiertage bin ich weg, 24.12. bis 1.1.",
        "Vom 20.12. bis 3.1. bin ich leider nicht erreichbar, danach wieder wie gewohnt.",
        "bin vom 20.12. bis 3.1. weg",
        "ich bin bis Sonntag verreist",
        "Ich bin nächste Woche im Urlaub.",
        "vom 20. Dezember bis 3. Januar bin ich nicht da",
        "I'm away until Sunday",
        "I will be on vacation from Dec 20 to Jan 3",
        "Bin 20.12.-3.1. im Urlaub!",
        "ab morgen bis Freitag bin ich verreist",
        "Urlaub vom 20.12. bis 3.1.!",
        "Hallo zusammen, ich bin ab Montag bis Freitag nicht erreichbar.",
        "Ich fahre vom 20.12. bis 3.1. in den Urlaub",
        "ab 20.12. bis einschließlich 3.1. bin ich unterwegs",
        "Ich bin am Wochenende nicht zu Hause.",
        "kann nächste Woche leider nicht spielen",
        "Bin übermorgen verhindert",
        "I am travelling from Monday to Friday",
        "I'll be away until Jan 3",
        "Away from Dec 20 to Jan 3!",
        "I'm out of town this weekend",
        "I can't play next week",
        "On holiday from 20 December until 3 January",
    ],
    "extension": [
        "Ich brauche noch bis Sonntag",
        "Geht es etwas später?",
        "Kann ich bis Sonntag Zeit haben?",
        "Kann ich den Zug auch am Sonntag noch schicken?",
        "Ich schaffe es nicht bis zum ZAT, kann ich zwei Tage mehr haben?",
        "Könnt ihr mir noch zwei Tage geben?",
        "Bitte um Fristverlängerung bis Sonntag",
        "Ich bräuchte noch ein bisschen Zeit",
        "Kann der ZAT um zwei Tage verschoben werden?",
        "Ich brauche einen Tag länger",
        "Bitte gebt mir Zeit bis Montag",
        "Ich bitte um Aufschub",
        "Reicht es auch am Sonntag noch?",
        "Falls möglich, mehr Zeit bitte",
        "Zwei Tage mehr, bitte!",
        "Can I have until Sunday?",
        "Could I get two more days?",
        "I need more time please",
        "Ich brauche mehr Zeit für meinen Zug",
        "Darf ich meinen Zug zwei Tage später schicken?",
        "Wäre eine Verlängerung um 3 Tage möglich?",
        "kann ich 3 Tage mehr haben?",
        "brauche mehr Zeit",
        "+3 Tage bitte",
        "Ich brauche noch 3 Tage mehr Zeit.",
        "Könnte ich bis Sonntag mehr Zeit bekommen?",
        "could I have 3 more days?",
        "I need more time",
        "kannst du den ZAT um 2 Tage verschieben?",
        "Ich bräuchte etwas mehr Zeit",
        "ich brauche 12 Stunden mehr",
        "Bitte um Aufschub bis Freitag",
        "Verlängere bitte den ZAT um 3 Tage",
        "Can I have more time?",
        "Could you extend the deadline by 3 days?",
        "I need 3 more days",
        "May I have an extension?",
        "+3 days please",
    ],
    "withdraw": [
        "Ich möchte meinen Zug zurücknehmen",
        "Bitte vergiss meinen Zug",
        "Ich ziehe meinen Zug zurück",
        "Bitte meinen letzten Zug löschen",
        "Könnt ihr meinen Zug wieder rausnehmen?",
        "Ich hab mich vertan, bitte den Zug streichen",
        "I'd like to take back my move",
        "Ich will meinen Zug bei Eriwan zurückziehen",
        "ich ziehe meinen Zug zurück",
        "Kann ich meinen Zug zurückziehen?",
        "I take my move back",
        "bitte vergiss meinen Zug",
        "ich nehme meinen Zug in Eriwan zurück",
        "Zieh meinen Zug bitte zurück!",
        "Ich möchte meinen letzten Zug zurücknehmen",
        "I'd like to withdraw my move",
        "Can I take back my move?",
        "Please ignore my last move",
    ],
    "rules": [
        "Bitte schick mir die Regeln von Typ-Dom",
        "Könnte ich die Spielregeln haben?",
        "Wo kann ich die Regeln nachlesen?",
        "Ich kenne die Regeln von Crossword nicht",
        "Regeln Typ-Dom bitte",
        "Nach welchen Regeln spielt ihr Crossword?",
        "Ich habe die Regeln nicht mehr, könnt ihr sie mir nochmal schicken?",
        "Can you send me the rules for Typ-Dom?",
        "Erklär mir mal bitte Crossword",
        "Ich bräuchte mal die Regeln zu Crossword, danke!",
        "bitte schick mir die Regeln von Typ-Dom",
        "Schickst du mir die Regeln?",
        "please send me the rules of Typ-Dom",
        "Was sind die Regeln?",
        "Gibt es Regeln für Wer behält recht?",
        "Wo finde ich die Spielregeln?",
        "hätte gern die Regeln von Presto",
        "Can you send me the rules of Typ-Dom?",
        "Where are the rules?",
        "wie geht Crossword?",
        "How does Crossword work?",
        "What are the rules of Crossword?",
    ],
    "position": [
        "Wieviel Zeit hab ich noch?",
        "Wieviele Punkte habe ich?",
        "Wer führt gerade?",
        "Wie steht's bei Eriwan?",
        "Bin ich schon dran?",
        "Ist mein Zug angekommen?",
        "Habt ihr meinen Zug bekommen?",
        "Wann ist der ZAT?",
        "Bis wann muss ich ziehen?",
        "Wann ist Abgabe bei Eriwan?",
        "Bis wann hab ich Zeit?",
        "Ist meine Mail angekommen?",
        "Ist mein Zug da?",
        "Wann muss ich spätestens abgeben?",
        "Wie lange habe ich noch Zeit?",
        "Wie viele Punkte habe ich?",
        "Wer liegt vorne?",
        "Schickst du mir bitte den aktuellen Stand?",
        "Auf welchem Platz bin ich?",
        "Wann ist der nächste ZAT bei Eriwan?",
        "When is the deadline?",
        "Did you get my move?",
        "Who is leading?",
        "What's the score in Eriwan?",
        "When do I have to move?",
        "Was ist der Stand der Dinge bei Eriwan?",
        "Wie ist denn der Punktestand?",
        "Habe ich schon gezogen?",
        "Liegt mein Zug vor?",
        "Muss ich ziehen?",
        "Welche Runde ist gerade?",
        "wie steht es?",
        "wie steht es denn in Eriwan?",
        "wie ist der Stand in Eriwan?",
        "wer ist dran?",
        "Hallo Cici wie steht es?",
        "whose turn is it?",
        "what's the current standing?",
        "wie steht's denn?",
        "bin ich dran?",
        "Schick mir mal den aktuellen Spielstand",
        "Wie ist die Lage?",
        "How do we stand?",
        "What is the score?",
        "Please show me the board",
        "Is it my turn?",
    ],
    "history": [
        "Kannst du mir das letzte Bulletin nochmal schicken?",
        "Ich habe das Bulletin von Runde 1 verlegt",
        "Ich hab die letzte Auswertung nicht bekommen",
        "Schick mir bitte nochmal die letzte Runde",
        "Die letzte Auswertung ist bei mir nicht angekommen",
        "Mein Mailprogramm hat das Bulletin gelöscht, kann ich es nochmal haben?",
        "Bitte nochmal das Bulletin von Eriwan",
        "Please resend the last bulletin",
        "I lost the last report",
        "Ich finde die Mail mit der letzten Auswertung nicht mehr",
        "schick mir bitte das letzte Bulletin noch mal",
        "kannst du mir das Protokoll der Runde 3 schicken?",
        "please send me the last bulletin again",
        "Ich habe das letzte Bulletin nicht bekommen.",
        "Das letzte Protokoll bitte",
        "Ich finde das letzte Bulletin nicht mehr",
        "Could you resend the last bulletin?",
        "I lost the last bulletin",
        "Please send me the results again",
    ],
    "games": [
        "Was läuft gerade?",
        "Welche Spiele gibt es bei euch?",
        "Was kann man bei euch spielen?",
        "Welche Partien sind noch offen?",
        "Wo kann man noch einsteigen?",
        "Welche Spiele bietet ihr an?",
        "Wo ist noch ein Platz frei?",
        "Gibt es gerade offene Partien?",
        "What games can I join?",
        "Was für Spiele habt ihr?",
        "Was gibt es denn so für Spiele?",
        "welche Spiele gibt es?",
        "Was kann man hier spielen?",
        "what games are there?",
        "welche partien sind offen?",
        "Gibt es neue Partien?",
        "Welche Spiele habt ihr?",
        "Which games do you have?",
        "What can I play?",
        "Are there any open games?",
    ],
    "my_games": [
        "Wo spiele ich überall mit?",
        "In welchen Partien bin ich?",
        "In welchen Spielen bin ich gerade dabei?",
        "Welche Partien spiele ich eigentlich?",
        "Bei welchen Spielen mache ich mit?",
        "Wo bin ich überall angemeldet?",
        "Zeig mir bitte meine Partien",
        "Which games am I in?",
        "What games am I playing?",
        "Ich hab den Überblick verloren, wo ich überall mitspiele",
        "Liste meiner Partien bitte",
        "in welchen Partien bin ich?",
        "which games am I in?",
        "wo spiele ich überall mit?",
        "Zeig mir meine Partien",
        "wo bin ich überall dabei?",
        "my games please",
        "Where am I playing?",
    ],
    "my_data": [
        "Welche Daten habt ihr über mich gespeichert?",
        "Was habt ihr alles über mich gespeichert?",
        "Ich möchte Auskunft über meine gespeicherten Daten",
        "Bitte schickt mir alle meine Daten",
        "Was wisst ihr über mich?",
        "Bitte um Auskunft nach DSGVO",
        "Which data do you have about me?",
        "Please send me all my data",
        "Ich hätte gern eine Kopie meiner Daten",
    ],
    "forget": [
        "Bitte löscht alle meine Daten",
        "Bitte löschen Sie meine Daten",
        "Ich möchte, dass ihr meine Daten löscht",
        "Löscht mich bitte ganz",
        "Please delete all my data",
        "Ich will gelöscht werden",
        "Bitte vergesst mich",
        "Bitte entfernt alle meine Daten aus eurem System",
        "Delete my account please",
        "Löscht bitte mein Konto",
    ],
    "help": [
        "Ich verstehe nur Bahnhof, wie funktioniert das hier?",
        "Hilfe, ich komme nicht klar!",
        "Was muss ich jetzt machen?",
        "Wie schicke ich meinen Zug?",
        "Wie geht das hier eigentlich?",
        "Ich weiß nicht, wie ich meinen Zug abgeben soll",
        "Wie muss ich das schreiben?",
        "Kann mir jemand helfen?",
        "Ich bin neu hier, wie geht das?",
        "Wie gebe ich meinen Zug ein?",
        "How do I send a move?",
        "What do I have to do?",
        "Welche Befehle gibt es?",
        "Ich bin neu und habe keine Ahnung, wie das geht",
        "ich verstehe nicht, wie das hier geht",
        "Wie geht das hier?",
        "Kannst du mir helfen?",
        "I don't understand how this works",
        "How do I play?",
        "brauche Hilfe!!",
        "Ich komme nicht klar.",
        "Was muss ich tun?",
        "Wie funktioniert das hier?",
        "How does this work?",
        "I need help!",
        "What should I write?",
        "Can somebody help me?",
    ],
    "digest": [
        "Bitte schickt mir keine Übersicht mehr",
        "Ich brauche die Wochenübersicht nicht mehr",
        "Bitte den Newsletter abbestellen",
        "Ich möchte die wöchentliche Übersicht nicht mehr bekommen",
        "Keine Wochenmails mehr bitte",
        "Please stop sending the weekly overview",
        "Unsubscribe",
        "Bitte nehmt mich aus dem Verteiler",
        "bitte keine Übersicht mehr",
        "Newsletter abbestellen",
        "no more digest please",
        "Ich möchte keinen Newsletter mehr bekommen",
        "Ich möchte die Wochenübersicht abbestellen.",
        "Please stop sending me the newsletter",
        "unsubscribe",
        "I don't want the digest any more",
    ],
    "english": [
        "Could you write to me in English please?",
        "Könnt ihr mir auf Englisch schreiben?",
        "English please",
        "I don't speak German, can I have the mails in English?",
        "please write in English",
        "Bitte auf Englisch",
        "Could you write in English please?",
        "in English please",
        "Can you write in English?",
    ],
    "address": [
        "Ich habe eine neue Mailadresse: anna.neu@example.org",
        "Meine Adresse ändert sich ab sofort zu anna.neu@example.org",
        "Bitte schreibt mir künftig an anna.neu@example.org",
        "Meine neue E-Mail-Adresse lautet anna.neu@example.org.",
        "My new address is anna.neu@example.org",
        "Please use anna.neu@example.org from now on",
    ],
    "german": [
        "bitte schreib mir auf Deutsch",
        "in German please",
    ],
}
"""Wish -> how people say it."""
NOT_SAID = [
    "Ich höre auf. Nur Spaß!",
    "Ich steige bei Eriwan aus. Kleiner Spaß.",
    "Ich möchte bei Kiew mitmachen, bei Eriwan höre ich dafür dann auf",
    "Wäre ich jünger, würde ich bei Kiew mitspielen",
    "Hätte ich mehr Zeit, wäre ich bei Kiew dabei",
    "Had I more time, I would join Kiew",
    "Ich bin vom 20.12. bis 3.1. weg und höre danach bei Eriwan auf",
    "Ich bin im Urlaub vom 20.12. bis 3.1. und möchte danach aussteigen",
    "Ich melde mich ab und zu.",
    "Danke für die Regeln!",
    "Vielen Dank für das Bulletin",
    "Thanks for the rules",
    "Schöne Regeln!",
    "Ben hört auf, hast du gehört?",
    "Ich höre nicht auf, keine Sorge",
    "Wenn ich aufhöre, sag ich Bescheid",
    "Schönes Wetter heute",
    "Das war ein tolles Spiel",
    "Bernd möchte auch mitspielen",
    "Frohe Weihnachten euch allen",
    "Mein Hund ist krank, der Zug kommt morgen",
    "Ich bin gespannt, wie es weitergeht",
    "Urlaub war schön",
    "Warst du im Urlaub?",
    "Ich wollte eigentlich aufhören, bleibe aber",
    "BRECHT ist doch ein Wort?",
    "Warum zählt URAN nicht?",
    "Ich bin nicht im Urlaub",
    "spiele seit 1980 mit",
    "Ben ist ab Freitag im Urlaub",
    "Vielleicht steige ich aus",
    "Ich bin vom 20.12. bis 3.1. weg oder doch nicht, mal sehen",
    "Meine Frau ist vom 20.12. bis 3.1. weg",
    "Ich war vom 1.11. bis 8.11. weg",
    "Letzte Woche war ich im Urlaub",
    "Ich höre auf zu rauchen",
    "Ich steige gleich in den Zug",
    "Mein Zug hat Verspätung",
    "Der Zug nach Köln ist weg",
    "Wer hat angefangen?",
    "Ich würde gern mal mit euch ein Bier trinken",
    "Kann ich dich mal anrufen?",
    "Ist Anna noch dabei?",
    "Wann treffen wir uns?",
    "Warum ist mein Zug ungültig?",
    "Wieso habe ich nur 3 Punkte bekommen?",
    "Löscht doch bitte den Kommentar von Ben",
    "Ich habe die Regeln verstanden",
    "Die Regeln sind doof",
    "Ich muss mehr Zeit für die Familie haben",
    "Ich hätte gern mehr Punkte",
    "Ben braucht noch bis Sonntag",
    "Soll ich aufhören oder weitermachen?",
    "Ich möchte bei Kiew mitspielen und bei Eriwan aufhören",
    "Ich springe gleich aus dem Fenster",
    "Wann kommt das neue Heft?",
    "Der ZAT ist zu früh",
    "Ich bin dran geblieben",
    "Das hilft mir nicht",
    "Ich führe nächste Woche ein Seminar",
    "Ihr habt meinen Zug falsch ausgewertet",
    "Ich bin nie im Urlaub",
    "Hätte ich doch mehr Zeit",
    "Meine Daten sind Montag und Dienstag frei",
    "Vergiss mein nicht",
    "Wir sind am Sonntag bei Oma, du auch?",
    "Am Sonntag bin ich 60 geworden",
    "Ich hab am 3.12. Geburtstag",
    "Nach Weihnachten mache ich wieder mit",
    "Ich mache nächste Woche wieder mit",
    "Ich kann Ben nicht ersetzen",
    "Ben hört auf?",
    "ich höre nicht auf",
    "wenn ich aufhöre, sage ich Bescheid",
    "Ben möchte mitspielen",
    "Hallo Ben möchte mitspielen",
    "Mein Bruder möchte bei Eriwan mitspielen",
    "Ich höre auf?",
    "Ich höre auf mein Herz",
    "Ich steige aus dem Bus aus",
    "Vielleicht höre ich auf",
    "Ben schrieb, ich höre auf",
    "Ich möchte bei Eriwan mitspielen, aber nur mit Ben",
    "Wie geht es dir?",
    "Wie geht's?",
    "Wie geht es euch so?",
    "How are you?",
    "How is it going?",
    "Ich bin im Urlaub.",
    "Ich war bis Sonntag im Urlaub",
    "Ich ziehe nicht zurück",
    "ich ziehe meinen Zug nicht zurück",
    "Schöner Urlaub bis Sonntag",
    "Ich springe vor Freude",
    "Der Platz ist schön",
    "HAUS A1 waagerecht",
    "wie steht es?\nHAUS 12",
    "wie steht es?\nra..ua",
    "Ich höre auf und möchte bei Tiflis mitspielen",
    "Danke!",
    "Siehe Anhang.",
    "Hallo, was ist das?",
    "Wie geht das Spiel aus?",
    "Das ist ein tolles Spiel",
    "»Ich höre auf«, sagte Ben.",
    "Ich bin dabei",
    "Bin gespannt wie es weitergeht",
    "Anna ist bis Sonntag weg",
    "Ben ist im Urlaub vom 1.12. bis 3.12.",
    "Ich will nicht aufhören",
    "Ich möchte nicht mitspielen",
    "Ich kann nicht mitspielen",
    "Der Stand ist gut",
    "Habt ihr noch einen Platz für Ben?",
    "I don't quit",
    "If I quit, who takes over?",
    "Ben quits",
    "I was away until Sunday",
    "My brother would like to join Eriwan",
    "Will Ben resign?",
    "What a game!",
    "I would like to know whether Ben plays",
    "Ich habe 3 Tage gebraucht",
    "Ich habe mich für Eriwan angemeldet",
    "Ich spiele gut",
    "Du springst ein?",
    "Ich steige um",
    "Wer springt ein?",
    "Presse: Ich höre auf!",
    "Ich bin weg von dem Wort",
    "Kann Ben mehr Zeit haben?",
    "Regeln sind Regeln",
    "Das Bulletin war toll",
    "Mein Zug ist da",
    "Im Moment steht es gut",
    "Ich ziehe A4",
    "Crossword Eriwan",
    "Ich denke, ich höre auf",
    "Soll ich aufhören?",
    "Hört Ben auf?",
    "Ich hoffe, ich bin bis Sonntag weg, oder?",
    "Anna braucht mehr Zeit",
    "Maybe I quit",
    "Is Ben away until Sunday?",
    "They would like to join Eriwan",
    "Don't withdraw my move",
    "I will not resign",
    "Ich bin bis Sonntag weg und vom 20.12. bis 3.1. verreist",
    "Ich möchte bei Eriwan und bei Tiflis mitspielen",
    "Ich höre bei Eriwan auf, nicht bei Tiflis",
]
"""Talk, negations, conditions, others' wishes, several at once, moves: none is a plain wish."""


def read(text: str, titles: Titles) -> Wish | None:
    """The wish in a text."""
    return read_wish(text.split("\n"), titles)


@pytest.mark.parametrize(("kind", "text"), [(kind, text) for kind, texts in SAID.items() for text in texts])
def test_a_plain_wish_is_read(titles: Titles, kind: str, text: str) -> None:
    """As it stands, with greeting and signature, with a smiley, and in small letters without umlauts."""
    plain = text.translate({ord("ä"): "ae", ord("ö"): "oe", ord("ü"): "ue", ord("ß"): "ss"})
    for said in (
        text,
        f"Hallo Cici,\n\n{text}\n\nViele Grüße\nAnna",
        f"{text} :-)",
        f"Hi!\n{text} 😀\nLG\nAnna Berg",
        plain,
    ):
        wish = read(said, titles)
        assert wish is not None, said
        assert wish.kind == kind, said


@pytest.mark.parametrize("text", NOT_SAID)
def test_what_is_not_plain_is_not_read(titles: Titles, text: str) -> None:
    """It goes to the GM, as any other words."""
    for said in (text, f"Hallo Cici,\n\n{text}\n\nViele Grüße\nAnna"):
        assert read(said, titles) is None


def test_every_wish_is_said_in_both_languages() -> None:
    """The tables have the same wishes, and this one tells examples of each."""
    german, english = ({rule.kind for rule in of.rules if not rule.kind.startswith(BESIDE)} for of in (GERMAN, ENGLISH))
    assert german == english == SAID.keys()


@pytest.mark.parametrize("vocabulary", [GERMAN, ENGLISH])
def test_every_rule_is_made_of_meanings_that_have_words(vocabulary: Vocabulary) -> None:
    """A rule with a meaning that no word has would never fit; a meaning in no rule only keeps others away."""
    verbs = {*vocabulary.verbs, *vocabulary.own_verbs}
    needed = {meaning for rule in vocabulary.rules for meaning in rule.needs | rule.may}
    assert {*vocabulary.words, *verbs, "number"} - needed <= {"ends"}
    assert needed <= {*vocabulary.words, *verbs, "number"}


@pytest.mark.parametrize(
    ("text", "title_key", "game"),
    [
        ("ich möchte bei Eriwan mitspielen", "", "Eriwan"), ("ich möchte bei eriwan mitspielen", "", "eriwan"),
        ("kann ich bei Crossword Eriwan mitmachen?", "crossword", "Eriwan"), ("I'd like to join Eriwan", "", "Eriwan"),
        ("habt ihr noch einen Platz in Crossword?", "crossword", ""), ("kann ich bei euch mitspielen?", "", ""),
        ("Eriwan: ich möchte mitmachen", "", "Eriwan"), ("bitte schick mir die Regeln von Typ-Dom", "typ-dom", ""),
        ("Wie ist der Stand in »Eriwan«?", "", "Eriwan"), ("wie geht Wer behält recht?", "wer-behaelt-recht", ""),
    ],
)  # fmt: skip
def test_the_game_that_is_meant(titles: Titles, text: str, title_key: str, game: str) -> None:
    """Title and name are found where they stand in the sentence."""
    wish = read(text, titles)
    assert wish is not None
    assert (wish.title_key, wish.game) == (title_key, game)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("ab Freitag bin ich eine Woche weg", date(2026, 11, 6), date(2026, 11, 12)),
        ("Ich bin ab dem 20.12. für 10 Tage verreist", date(2026, 12, 20), date(2026, 12, 29)),
        ("Wir sind über Weihnachten verreist: 23.12.-2.1.", date(2026, 12, 23), date(2027, 1, 2)),
        ("Zwischen dem 10. und 17. Januar bin ich verreist", date(2027, 1, 10), date(2027, 1, 17)),
        ("am Samstag bin ich nicht da", date(2026, 11, 7), date(2026, 11, 7)),
    ],
)
def test_days_that_stand_apart(titles: Titles, text: str, first: date, last: date) -> None:
    """The first day and the length are one span, and days behind a colon belong to what stands before it."""
    away = read(text, titles)
    assert away is not None
    assert away.days is not None
    assert not away.game
    assert away.days.on(date(2026, 11, 4)) == (first, last)


@pytest.mark.parametrize(
    "text",
    [
        "Ich bin über Ostern weg", "Ich bin Weihnachten 3 Tage weg", "ab Freitag bin ich weg",
        "Ich bin im Januar weg",
        "Ich brauche ab dem 3.12. fünf Tage mehr Zeit", "Bei Freitag möchte ich mitspielen",
    ],
)  # fmt: skip
def test_days_that_nobody_knows(titles: Titles, text: str) -> None:
    """A wrong day is worse than none, and a word of the calendar is no game."""
    assert read(text, titles) is None


def test_more_time_until_a_day(titles: Titles) -> None:
    """`Bis Sonntag` and `am Sonntag` are both the day until which more time is asked for."""
    for text in ("Ich brauche noch bis Sonntag", "Kann ich den Zug auch am Sonntag noch schicken?"):
        more = read(text, titles)
        assert more is not None
        assert more.until is not None
        assert more.until.weekday == 6


def test_days_spans_and_numbers(titles: Titles) -> None:
    """What a wish says of time and rounds is kept as it was said."""
    away = read("bin vom 20.12. bis 3.1. weg", titles)
    assert away is not None
    assert away.days is not None
    assert away.days.on(date(2026, 11, 4)) == (date(2026, 12, 20), date(2027, 1, 3))
    for text, span in (("+3 Tage bitte", "3d"), ("ich brauche 12 Stunden mehr", "12h"), ("I need 2 more weeks", "14d")):
        more = read(text, titles)
        assert more is not None
        assert more.span == span
    until = read("Könnte ich bis Sonntag mehr Zeit bekommen?", titles)
    assert until is not None
    assert until.until is not None
    assert until.until.weekday == 6
    bulletin = read("Schick mir bitte das Protokoll der Runde 3", titles)
    assert bulletin is not None
    assert bulletin.number == 3


def test_what_stands_beside_a_wish(titles: Titles) -> None:
    """Reasons and good wishes are kept apart from the wish; a condition or a figure makes it none."""
    wish = read("Ich höre leider auf, weil mir die Zeit fehlt. Alles Gute!", titles)
    assert wish is not None
    assert wish.beside == ("mir die Zeit fehlt", "Alles Gute")
    for beside in (
        "wenn es regnet",
        "Ben sagt das auch",
        "A4 links",
        "HAUS",
        "Neu: D",
        "ra..ua",
        "am 3.1.",
        "Typ-Dom ist schön",
    ):
        assert read(f"Ich höre auf.\n{beside}", titles) is None


@pytest.mark.parametrize(
    "text",
    [
        "Stand Eriwan\nich höre auf",
        "Crossword Eriwan\nNeu: D\nra..ua\n......\n......\n......\n......\n......\nIch höre auf",
    ],
)
def test_beside_a_command_or_move_no_wish_is_read(rules: tuple[Rules, ...], text: str) -> None:
    """A mail with a command or a block says what it wants."""
    assert read_commands(Mail(texts=(text,)), rules).wish is None


def test_a_subject_alone_may_be_a_wish(rules: tuple[Rules, ...]) -> None:
    """Where the mail has no text, its subject is what was said; else it isn't looked at."""
    wish = read_commands(Mail(subject="Re: wie steht es?"), rules).wish
    assert wish is not None
    assert wish.kind == "position"
    assert read_commands(Mail(subject="ich höre auf", texts=("Schöne Grüße von der See",)), rules).wish is None
    assert read_commands(Mail(texts=("WIE STEHT ES?",)), rules).wish == wish.__class__(
        kind="position", language="de", text="WIE STEHT ES"
    )
    assert read_commands(Mail(texts=("> ich höre auf",)), rules).wish is None


WORDS = st.sampled_from(
    ["ich höre auf", "nicht", "bei Eriwan", "ich möchte", "mitspielen", "bin bis Sonntag weg", "Ben", "wenn",
     "mehr Zeit", "3 Tage", ".", ",", "?", "I quit", "und"]
)  # fmt: skip


@given(st.lists(WORDS, max_size=14).map(" ".join))
def test_no_negation_or_condition_is_overheard(titles: Titles, text: str) -> None:
    """Whatever the order of the words: a text with `wenn` or `Ben` in another clause is no wish, and nothing raises."""
    wish = read(text, titles)
    assert wish is None or "wenn" not in text.split()
    assert wish is None or wish.kind in SAID


@given(st.text(max_size=300))
def test_any_text_can_be_looked_at(titles: Titles, text: str) -> None:
    """Nothing raises, and what is found is a wish of the table."""
    wish = read(text, titles)
    assert wish is None or wish.kind in SAID
