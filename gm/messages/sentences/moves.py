"""What the service says in a sentence about a mail with moves: whose and which game's they are, and why not."""

from games.api import Wording

MOVE_SENTENCES: Wording = {
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
    "OTHERS_TURN_AHEAD": {
        "de": "In »{game}« bist du gerade nicht am Zug. Am Zug: {players}. Dein Block zählt nicht; du bekommst eine "
        "Mail, sobald du dran bist. Mit der Zeile »Vorab {game}« darüber hebe ich ihn bis dahin auf.",
        "en": "It isn't your turn in “{game}”. On turn: {players}. Your block doesn't count; you will get a mail as "
        "soon as it is your turn. With the line “Advance {game}” above it, it is kept until then.",
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
    "FILED_DOUBTFUL": {
        "de": "In keiner Wörterliste steht: {words}. Darüber entscheidet {gm}, und du bekommst Bescheid; bis dahin "
        "zählt es nichts.",
        "en": "In no word list: {words}. {gm} rules on that, and you will hear of it; until then it counts nothing.",
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
    "HELD_FOR_GM": {
        "de": "Dein Zug in »{game}« ist da und geht nicht verloren, muss aber warten: {gm} hat dort erst etwas zu "
        "entscheiden. Du brauchst nichts zu tun; danach wird er ausgeführt.",
        "en": "Your move in “{game}” is here and safe, but has to wait: {gm} has something to decide there first. You "
        "need do nothing; after that it is carried out.",
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
    "SEAT_TAKEN_OVER": {
        "de": "Deinen Platz in »{game}« hat inzwischen {name} übernommen; dein Zug zählt dort nicht mehr.",
        "en": "{name} has taken over your seat in “{game}”; your move no longer counts there.",
    },
    "SEAT_GIVEN_UP": {
        "de": "»{game}« geht ohne dich weiter; dein Zug zählt dort nicht mehr.",
        "en": "“{game}” goes on without you; your move no longer counts there.",
    },
    "SEAT_LEFT": {
        "de": "Du hast dich aus »{game}« abgemeldet; der Platz ist frei, und dein Zug zählt dort nicht mehr.",
        "en": "You have left “{game}”; the seat is free, and your move no longer counts there.",
    },
    "SEAT_ASKED_BACK": {
        "de": "{how} Ich habe {gm} gefragt, ob du den Platz zurückbekommst; dann schick den Zug bitte noch einmal.",
        "en": "{how} I have asked {gm} whether you get the seat back; then please send the move once more.",
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
    "TAKEN_DESPITE_TITLE": {
        "de": "»{named}« ist eine Partie {title}; ich habe den Zug für »{game}« genommen.",
        "en": "“{named}” is a game of {title}; I took the move for “{game}”.",
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
    "NOT_STARTED": {
        "de": "»{game}« hat noch nicht angefangen. Sobald es losgeht, kommt die Startmail.",
        "en": "“{game}” hasn't begun yet. The first bulletin comes as soon as it starts.",
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
    "ADVANCE_NOT_HERE": {
        "de": "In »{game}« wird nicht reihum gezogen; Vorab-Züge gibt es dort nicht. Schick deinen Zug einfach als "
        "Block, ohne »Vorab«.",
        "en": "“{game}” isn't played in turns, so no moves are sent in advance there. Just send your move as a block, "
        "without “Advance”.",
    },
    "ADVANCE_EMPTY": {
        "de": "Unter »Vorab {game}« stand kein Zug. Schreib ihn darunter, so wie du ihn auch sonst schickst; bis zu "
        "drei Züge dürfen es sein, jeder mit der Titelzeile »{title} {game}« oder durch eine Leerzeile getrennt.",
        "en": "There was no move below “Advance {game}”. Write it below, as you send any other; up to three moves are "
        "possible, each with the title line “{title} {game}” or apart by a blank line.",
    },
    "ADVANCE_PROSE": {
        "de": "Was mit »{line}« beginnt, habe ich nicht als Zug gelesen, und weitergegeben ist es auch nicht. Soll der "
        "GM es lesen, schick es mit »GM: ...«.",
        "en": "What begins with “{line}” was not read as a move, and nobody else has got it. To let the GM read it, "
        "send it with “GM: ...”.",
    },
    "ADVANCE_TOO_MANY": {
        "de": "Mehr als {most} Vorab-Züge merke ich mir nicht; es zählen die ersten {most}.",
        "en": "No more than {most} advance moves are kept; the first {most} count.",
    },
    "ADVANCE_ON_TURN": {
        "de": "In »{game}« bist du gerade selbst am Zug, und ein Vorab-Zug gilt erst für ein nächstes Mal. Soll er "
        "jetzt gelten, schick ihn ohne »Vorab«.",
        "en": "In “{game}” it is your own turn just now, and an advance move is for a later one. If it is to count "
        "now, send it without “Advance”.",
    },
    "ADVANCE_DOUBTFUL": {
        "de": "In der Wörterliste steht nicht: {words}.",
        "en": "Not in the word list: {words}.",
    },
    "ADVANCE_NO_MOVE": {
        "de": "Darin steht kein Zug.",
        "en": "There is no move in it.",
    },
    "ADVANCE_WITHDRAWN": {
        "de": "Dein Vorab-Zug in »{game}« ist zurückgezogen; es liegt keiner mehr von dir vor.",
        "en": "Your advance move in “{game}” is withdrawn; there is none of yours on file any more.",
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
    "PASSED_ON": {
        "de": "Deine Nachricht ist bei {gm}.",
        "en": "Your message is with {gm}.",
    },
    "PASSED_ON_BESIDE": {
        "de": "Was du dazu geschrieben hast, ist bei {gm}.",
        "en": "What you wrote beside it is with {gm}.",
    },
    "ONLY_QUOTED": {
        "de": "Der Block steht nur im zitierten Teil deiner Mail (Zeilen mit »>«, unter dem Kopf der alten Mail oder "
        "unter der Signatur). Zitiertes zählt nie als Zug, auch wenn etwas hineingeschrieben ist.",
        "en": "The block stands only in the quoted part of your mail (lines with “>”, below the head of the old mail "
        "or below the signature). Quotations never count as a move, even with something written into them.",
    },
    "WHICH_ROUND": {
        "de": "Ich lese: Runde {round}. Deine Mail antwortet aber auf eine aus einer früheren Runde. Stimmt das so?",
        "en": "I read: round {round}. But your mail replies to one of an earlier round. Is that right?",
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
}
