"""What players read, in German and English."""

from typing import Final

from games.api import Language, Wording


def _both(de: str, en: str) -> dict[Language, str]:
    return {"de": de, "en": en}


_COMMON: Final[Wording] = {
    "PLAIN": _both("{text}", "{text}"),
    "NONE": _both("nichts", "nothing"),
    "SEAT": _both("{seat}", "{seat}"),
    "LABELLED": _both("{label}: {content}", "{label}: {content}"),
    "LETTER": _both("1 Buchstabe", "1 letter"),
    "LETTERS": _both("{number} Buchstaben", "{number} letters"),
    "POINT": _both("1 Punkt", "1 point"),
    "POINTS": _both("{points} Punkte", "{points} points"),
    "POINTS_OPEN": _both("{points}, dazu {open} offen", "{points}, and {open} open"),
    "WORDS_WORTH": _both("{words} = {points}", "{words} = {points}"),
    "MISSPELT": _both("geschrieben wird es »{entry}«", "it is spelt “{entry}”"),
}

_BOXES: Final[Wording] = {
    "BOX_FOR": _both("{box} ({needed})", "{box} ({needed})"),
    "BOX_KONSONANTEN": _both("Konsonanten", "Consonants"),
    "BOX_VOKALE": _both("Vokale", "Vowels"),
    "BOX_YAHTZEE": _both("Yahtzee", "Yahtzee"),
    "BOX_CHANCE": _both("Chance", "Chance"),
    "NEEDED_ANY": _both("ein Wort", "a word"),
    "NEEDED_R1": _both("ein Wort mit 2 Buchstaben", "a word of 2 letters"),
    "NEEDED_R2": _both("ein Wort mit 3 Buchstaben", "a word of 3 letters"),
    "NEEDED_R3": _both("ein Wort mit 4 Buchstaben", "a word of 4 letters"),
    "NEEDED_R4": _both("ein Wort mit 5 Buchstaben", "a word of 5 letters"),
    "NEEDED_R5": _both("ein Wort mit 6 Buchstaben", "a word of 6 letters"),
    "NEEDED_R6": _both("genau ein Wort", "exactly one word"),
    "NEEDED_R7": _both("genau zwei Wörter", "exactly two words"),
    "NEEDED_R8": _both("genau drei Wörter", "exactly three words"),
    "NEEDED_KONSONANTEN": _both("sieben Konsonanten", "seven consonants"),
    "NEEDED_VOKALE": _both("sieben Vokale", "seven vowels"),
    "NEEDED_YAHTZEE": _both("ein Wort mit 7 Buchstaben", "a word of 7 letters"),
    "NEEDED_CHANCE": _both("ein Wort oder mehrere", "one word or more"),
}

_PROBLEMS: Final[Wording] = {
    "NOTHING_DUE": _both("Hier wird von dir kein Zug erwartet.", "No move of yours is expected here."),
    "NOT_UNDERSTOOD": _both(
        "»{line}« verstehe ich nicht. Möglich sind »behalte A E R«, »werte WORT« und »streiche«.",
        "I don't understand “{line}”. Possible are “behalte A E R” (keep), “werte WORT” (score), “streiche” (strike).",
    ),
    "SEVERAL": _both(
        "Im Block steht mehr als ein Zug: {lines}. Bitte nur einen schicken; nach einem Wurf liegt anderes da.",
        "The block holds more than one move: {lines}. Please send one only; after a roll you see first what lies.",
    ),
    "ROUND_OTHER": _both(
        "Der Block nennt Runde »{sent}«, gespielt wird Runde {round}. Bitte die Zeile ändern oder weglassen.",
        "The block names round “{sent}”, but round {round} is being played. Please change that line or leave it out.",
    ),
    "ROLL_OTHER": _both(
        "Der Block ist für Wurf {sent}; du bist bei Wurf {roll}. Jetzt liegen {dice}. Gewürfelt wurde nichts.",
        "The block is for roll {sent}; you are at roll {roll}. Now {dice} lie there. Nothing was rolled.",
    ),
    "DICE_OTHER": _both(
        "Der Block nennt andere Würfel ({sent}); jetzt, nach Wurf {roll}, liegen {dice}. Gewürfelt wurde nichts. "
        "Die Zeile »Wurf« bitte lassen, wie sie ist.",
        "The block names other dice ({sent}); now, after roll {roll}, {dice} lie there. Nothing was rolled. "
        "Please leave the line “Wurf” as it is.",
    ),
    "NO_MORE_ROLLS": _both(
        "Deine drei Würfe sind getan, es liegen {dice}. Jetzt werten (»werte WORT«) oder streichen (»streiche«).",
        "Your three rolls are done, {dice} lie there. Now score (“werte WORT”) or strike (“streiche”).",
    ),
    "KEPT_ALL": _both(
        "Wer alle sieben Würfel behält, würfelt nicht; dann bitte werten (»werte WORT«).",
        "Whoever keeps all seven dice doesn't roll; then please score (“werte WORT”).",
    ),
    "NO_DIE": _both("»{sign}« steht auf keinem Würfel. Es liegen {dice}.", "“{sign}” is on no die. {dice} lie there."),
    "STAR_UNCLEAR": _both(
        "»{face}*« kann der Diamant allein sein oder {face} und der Diamant. "
        "Schreib »behalte *« oder »behalte {face} *«; gewürfelt wurde nichts.",
        "“{face}*” may be the diamond alone or {face} and the diamond. "
        "Write “behalte *” or “behalte {face} *”; nothing was rolled.",
    ),
    "KEPT_TOO_OFTEN": _both(
        "{face} willst du {sent}-mal behalten, es liegt {lying}-mal ({dice}).",
        "You want to keep {face} {sent} times, it lies there {lying} times ({dice}).",
    ),
    "NOT_LYING": _both("{face} liegt nicht da. Es liegen {dice}.", "{face} doesn't lie there. {dice} do."),
    "TOO_OFTEN": _both(
        "{face} brauchst du {sent}-mal, es liegt {lying}-mal ({dice}); jeder Würfel zählt nur einmal.",
        "You need {face} {sent} times, it lies there {lying} times ({dice}); each die serves once.",
    ),
    "DIAMONDS": _both(
        "Den Diamanten (»*«) brauchst du {sent}-mal, er liegt {lying}-mal ({dice}).",
        "You need the diamond (“*”) {sent} times, it lies there {lying} times ({dice}).",
    ),
    "NO_BOX": _both(
        "»{sent}« ist kein Kästchen. Die Kästchen heißen R1 bis R8.", "“{sent}” is no box. The boxes are R1 to R8."
    ),
    "ROUND_BOX": _both(
        "Du nennst Kästchen {sent}; in Runde {round} wird {box} gefüllt.",
        "You name box {sent}; round {round} fills {box}.",
    ),
    "BOX_NUMBER": _both(
        "»{sent}« kann das Kästchen oder die Länge des Wortes sein. Die Kästchen heißen R1 bis R8; "
        "offen sind bei dir {boxes}.",
        "“{sent}” may be the box or the length of the word. The boxes are R1 to R8; open on your card: {boxes}.",
    ),
    "BOX_MISSING": _both(
        "Welches Kästchen? Schreib es dazu, zum Beispiel »werte R3 WORT« oder »streiche R3«. Offen sind {boxes}.",
        "Which box? Name it, for example “werte R3 WORT” or “streiche R3”. Open on your card: {boxes}.",
    ),
    "BOX_FILLED": _both(
        "{box} ist bei dir nicht mehr frei. Offen sind {boxes}.", "{box} is no longer free on your card. Open: {boxes}."
    ),
    "ROUND_ZERO": _both(
        "Du nennst {sent} für die Null; in Runde {round} steht sie in {box}.",
        "You name {sent} for the zero; in round {round} it goes into {box}.",
    ),
    "ZERO_MISSING": _both(
        "Dieses Kästchen kostet eine Null in einem der Kästchen R1 bis R8. Schreib dahinter, in welchem, zum Beispiel "
        "»/ {first}«. Offen sind bei dir {boxes}.",
        "This box costs a zero in one of the boxes R1 to R8. Write behind it which, for example “/ {first}”. "
        "Open on your card: {boxes}.",
    ),
    "SPECIAL_FILLED": _both(
        "{box} hast du schon; das geht nur einmal.", "{box} is taken already; that goes once only."
    ),
    "TOO_LATE": _both(
        "{box} geht nur vor dem dritten Wurf; der ist schon getan.",
        "{box} goes only before the third roll; that is done already.",
    ),
    "NO_WORDS": _both("{box}: Dazu gehört kein Wort.", "{box} takes no word."),
    "NOT_ALIKE": _both(
        "{box}: Alle sieben Würfel müssen passen (Y, Ä, Ö, Ü sind Vokale, der Diamant beides); "
        "nicht dazu passen {faces} (es liegen {dice}).",
        "{box}: all seven dice must fit (Y, Ä, Ö, Ü are vowels, the diamond either); {faces} don't ({dice} lie there).",
    ),
    "WORDS_MISSING": _both("Hier steht kein Wort; nötig: {needed}.", "There is no word; needed: {needed}."),
    "NO_LETTER": _both(
        "{word}: »{sign}« steht auf keinem Würfel. Ein Wort besteht aus A bis Z, Ä, Ö, Ü; »E*« ist der Diamant als E.",
        "{word}: “{sign}” is on no die. A word is made of A to Z, Ä, Ö, Ü; “E*” is the diamond as E.",
    ),
    "TWICE": _both(
        "{word} steht doppelt da; jedes Wort geht nur einmal.", "{word} stands there twice; once is allowed."
    ),
    "WORD_COUNT": _both(
        "{box}: Wörter gelesen: {sent}, nötig: {needed}.", "{box}: words read: {sent}, needed: {needed}."
    ),
    "WORD_LENGTH": _both(
        "{word} hat {letters}; in {box} gehört {needed}.", "{word} has {letters}; {box} takes {needed}."
    ),
    "WORD_SHORT": _both("{word}: Ein Wort hat mindestens zwei Buchstaben.", "{word}: a word has two letters at least."),
    "WORD_REFUSED": _both("{word} zählt nicht: {reason}.", "{word} doesn't count: {reason}."),
}

_REMARKS: Final[Wording] = {
    "DIAMOND_USED": _both(
        "Nicht gewürfelt: {letters}. Dafür nehme ich den Diamanten; er zählt nichts.",
        "Not rolled: {letters}. I take the diamond for it; it is worth nothing.",
    ),
    "ZERO_NEEDLESS": _both(
        "{box} kostet keine Null; was hinter dem Schrägstrich steht, bleibt ohne Wirkung.",
        "{box} costs no zero; what stands behind the slash has no effect.",
    ),
    "COULD_BE_YAHTZEE": _both(
        "Mit »werte yahtzee {word}« wären es {points} Punkte und eine Null in diesem Kästchen.",
        "With “werte yahtzee {word}” it would be {points} points and a zero in this box.",
    ),
    "POINTS_OTHER": _both(
        "Du schreibst {sent} Punkte, ich zähle {points}.", "You write {sent} points, I count {points}."
    ),
    "UNREAD": _both("Nicht gelesen: »{line}«.", "Not read: “{line}”."),
}

_SHEETS: Final[Wording] = {
    "LABEL_KEPT": _both("Behalten", "Kept"),
    "LABEL_ROLLED": _both("Neu gewürfelt", "Rolled again"),
    "LABEL_STRUCK": _both("Gestrichen", "Struck out"),
    "LABEL_BOX": _both("Kästchen", "Box"),
    "LABEL_WORDS": _both("Wertung", "Score"),
    "LABEL_ZERO": _both("Null in", "Zero in"),
}

_EVENTS: Final[Wording] = {
    "ROLLED": _both("Wurf {roll}: {dice} (behalten: {kept}).", "Roll {roll}: {dice} (kept: {kept})."),
    "NMR": _both("Keine Wertung von {seat} (NMR): eine Null in {box}.", "No score from {seat} (NMR): zero in {box}."),
    "YAHTZEE": _both("{seat} legt {word}: {points}.", "{seat} lays {word}: {points}."),
    "COUNTS_NOW": _both("{word} von {seat} zählt jetzt.", "{word} of {seat} counts now."),
    "STRUCK_NOW": _both("{word} von {seat} ist gestrichen: {reason}.", "{word} of {seat} is struck out: {reason}."),
    "DOUBTFUL_NOW": _both("{word} von {seat} liegt jetzt beim GM.", "{word} of {seat} waits for the GM now."),
    "FIRST": _both("Platz 1: {seat}, {points}.", "Place 1: {seat}, {points}."),
    "RESIGNED": _both(
        "{seat} gibt auf. Bis jemand den Platz übernimmt, gilt jede Runde als NMR.",
        "{seat} resigns. Until somebody takes the seat, every round counts as NMR.",
    ),
}

_VIEW: Final[Wording] = {
    "OWN_DICE": _both("Runde {round}, Wurf {roll}: {dice}", "Round {round}, roll {roll}: {dice}"),
    "VALUES": _both("Werte: {values}", "Values: {values}"),
    "ROLLS_LEFT_2": _both("Du darfst noch zweimal würfeln.", "You may roll twice more."),
    "ROLLS_LEFT_1": _both("Du darfst noch einmal würfeln.", "You may roll once more."),
    "ROLLS_LEFT_0": _both("Gewürfelt ist; jetzt wird gewertet.", "The rolls are done; now score."),
    "ON_FILE": _both("Deine Wertung für Runde {round} liegt vor", "Your score for round {round} is on file"),
    "HOW_KEEP_2": _both(
        "Weiterwürfeln: Hinter »behalte« stehen die Würfel, die liegen bleiben (»behalte E S«, »behalte nichts«). "
        "Die anderen werden sofort geworfen, höchstens noch zweimal; das lässt sich nicht zurücknehmen.",
        "Rolling on: after “behalte” (keep) come the dice that stay (“behalte E S”, “behalte nichts” for none). "
        "The others are rolled at once, twice more at most; that can't be taken back.",
    ),
    "HOW_KEEP_1": _both(
        "Weiterwürfeln: Hinter »behalte« stehen die Würfel, die liegen bleiben (»behalte E S«, »behalte nichts«). "
        "Die anderen werden sofort geworfen, noch dieses eine Mal; das lässt sich nicht zurücknehmen.",
        "Rolling on: after “behalte” (keep) come the dice that stay (“behalte E S”, “behalte nichts” for none). "
        "The others are rolled at once, this one time more; that can't be taken back.",
    ),
    "HOW_ROUND": _both(
        "Werten: »werte WORT« füllt {box}, mehrere Wörter mit »+«. »E*« ist der Diamant als E, er zählt nichts; "
        "Umlaute liegen als Ä, Ö, Ü. Bis zum ZAT darfst du die Wertung ändern.",
        "Scoring: “werte WORT” fills {box}, several words with “+”. “E*” is the diamond as E, worth nothing; umlauts "
        "are dice of their own. Until the deadline you may change the score.",
    ),
    "HOW_ANY": _both(
        "Werten: »werte R3 WORT« füllt ein Kästchen, mehrere Wörter mit »+«; offen sind {boxes}. »E*« ist der Diamant "
        "als E, er zählt nichts; Umlaute liegen als Ä, Ö, Ü. Bis zum ZAT darfst du die Wertung ändern.",
        "Scoring: “werte R3 WORT” fills a box, several words with “+”; open: {boxes}. “E*” is the diamond as E, worth "
        "nothing; umlauts are dice of their own. Until the deadline you may change the score.",
    ),
    "HOW_SPECIAL": _both("Statt dessen, mit einer Null in {box}: {ways}.", "Instead, with a zero in {box}: {ways}."),
    "HOW_SPECIAL_ANY": _both(
        "Statt dessen, mit einer Null in einem offenen Kästchen (»/ {first}« dahinter): {ways}.",
        "Instead, with a zero in an open box (“/ {first}” behind it): {ways}.",
    ),
    "WAY_KONSONANTEN": _both(
        "»werte konsonanten« (alle sieben, 25)", "“werte konsonanten” (consonants: all seven, 25)"
    ),
    "WAY_VOKALE": _both("»werte vokale« (alle sieben, 25)", "“werte vokale” (vowels: all seven, 25)"),
    "WAY_YAHTZEE": _both(
        "»werte yahtzee WORT« (sieben Buchstaben, erst 50, dann 100)",
        "“werte yahtzee WORT” (seven letters, first 50, then 100)",
    ),
    "WAY_CHANCE": _both(
        "»werte chance WORT+WORT« (beliebige Wörter, ihr Wert)", "“werte chance WORT+WORT” (any words, their value)"
    ),
    "HOW_STRIKE": _both("Streichen: »streiche« schreibt eine Null.", "Striking: “streiche” writes a zero."),
    "HOW_STRIKE_ANY": _both("Streichen: »streiche R3« schreibt dort eine Null.", "“streiche R3” writes a zero there."),
    "LAST_ROUND": _both("Runde {round}", "Round {round}"),
    "CARDS_START": _both("Zählkarten zu Beginn", "Cards at the start"),
    "CARDS": _both("Zählkarten nach Runde {round}", "Cards after round {round}"),
    "CARDS_LEGEND": _both(
        "R1-R5 ein Wort mit 2-6 Buchstaben, Bo Bonus 35 bei mehr als 35 Punkten in R1-R5, R6-R8 ein, zwei, drei "
        "Wörter, Ko Nur Konsonanten, Vo Nur Vokale, Ya Yahtzee-Wörter, Ch Chance; . frei, ? wartet auf den GM.",
        "R1-R5 a word of 2-6 letters, Bo bonus 35 for more than 35 points in R1-R5, R6-R8 one, two, three words, "
        "Co consonants, Vo vowels, Ya Yahtzee words, Ch chance; . free, ? waits for the GM.",
    ),
    "DOUBTS": _both("Wörter beim GM und gestrichene", "Words before the GM, and those struck out"),
    "WAITING": _both(
        "{seat}: {word} ({box}, Runde {round}) liegt beim GM und zählt noch nicht.",
        "{seat}: {word} ({box}, round {round}) waits for the GM and doesn't count yet.",
    ),
    "STRUCK": _both("{seat}: {word} ({box}) gestrichen: {reason}.", "{seat}: {word} ({box}) struck out: {reason}."),
    "ENTRY_NMR": _both("NMR, {zero} = 0", "NMR, {zero} = 0"),
    "ENTRY_STRUCK": _both("{zero} gestrichen", "{zero} struck out"),
    "ENTRY_WORDS": _both("{box} {words}", "{box} {words}"),
    "ENTRY_SPECIAL": _both("{box}{words}, {zero} = 0", "{box}{words}, {zero} = 0"),
    "HEAD_NAME": _both("Name", "Name"),
    "HEAD_DICE": _both("Würfel", "Dice"),
    "HEAD_ROLLS": _both("W", "R"),
    "HEAD_ENTRY": _both("Eintrag", "Entry"),
    "HEAD_POINTS": _both("P.", "P."),
    "HEAD_BONUS": _both("Bo", "Bo"),
    "HEAD_KONSONANTEN": _both("Ko", "Co"),
    "HEAD_VOKALE": _both("Vo", "Vo"),
    "HEAD_YAHTZEE": _both("Ya", "Ya"),
    "HEAD_CHANCE": _both("Ch", "Ch"),
    "HEAD_SUM": _both("Ges", "Sum"),
}

_FINAL: Final[Wording] = {
    "RANKING": _both("Endstand", "Final standings"),
    "RANKING_PROVISIONAL": _both("Endstand (vorläufig)", "Final standings (provisional)"),
    "HEAD_RANK": _both("Pl.", "Rank"),
    "HEAD_ROUND": _both("R", "R"),
    "HEAD_UPPER": _both("oben", "upper"),
    "HEAD_BONUS_LONG": _both("Bonus", "bonus"),
    "HEAD_LOWER": _both("unten", "lower"),
    "HEAD_HUNDREDS": _both("100er", "100s"),
    "HEAD_TOTAL": _both("Punkte", "Points"),
    "HEAD_OPEN": _both("offen", "open"),
    "PLAYER": _both("{rank}. {seat}: {points}", "{rank}. {seat}: {points}"),
}

WORDING: Final[Wording] = {
    **_COMMON, **_BOXES, **_PROBLEMS, **_REMARKS, **_SHEETS, **_EVENTS, **_VIEW, **_FINAL
}  # fmt: skip
