"""What players read, in German and English."""

from typing import Final

from games.api import Wording, both
from games.shared.phrases import COMMON, ROUNDS

_PARTS: Final[Wording] = {
    "NONE": both("nichts", "nothing"),
    "KEY_ROLL": both("Wurf ", "Roll "),
    "KEY_KEEP": both("behalte", "keep"),
    "KEY_SCORE": both("werte", "score"),
    "KEY_STRIKE": both("streiche", "strike"),
    "LETTER": both("1 Buchstabe", "1 letter"),
    "LETTERS": both("{number} Buchstaben", "{number} letters"),
    "POINTS_OPEN": both("{points}, dazu {open} offen", "{points}, and {open} open"),
    "WORDS_WORTH": both("{words} = {points}", "{words} = {points}"),
    "MISSPELT": both("geschrieben wird es »{entry}«", "it is spelt “{entry}”"),
}

_BOXES: Final[Wording] = {
    "BOX_FOR": both("{box} ({needed})", "{box} ({needed})"),
    "BOX_KONSONANTEN": both("Konsonanten", "Consonants"),
    "BOX_VOKALE": both("Vokale", "Vowels"),
    "BOX_YAHTZEE": both("Yahtzee", "Yahtzee"),
    "BOX_CHANCE": both("Chance", "Chance"),
    "NEEDED_ANY": both("ein Wort", "a word"),
    "NEEDED_R1": both("ein Wort mit 2 Buchstaben", "a word of 2 letters"),
    "NEEDED_R2": both("ein Wort mit 3 Buchstaben", "a word of 3 letters"),
    "NEEDED_R3": both("ein Wort mit 4 Buchstaben", "a word of 4 letters"),
    "NEEDED_R4": both("ein Wort mit 5 Buchstaben", "a word of 5 letters"),
    "NEEDED_R5": both("ein Wort mit 6 Buchstaben", "a word of 6 letters"),
    "NEEDED_R6": both("genau ein Wort", "exactly one word"),
    "NEEDED_R7": both("genau zwei Wörter", "exactly two words"),
    "NEEDED_R8": both("genau drei Wörter", "exactly three words"),
    "NEEDED_KONSONANTEN": both("sieben Konsonanten", "seven consonants"),
    "NEEDED_VOKALE": both("sieben Vokale", "seven vowels"),
    "NEEDED_YAHTZEE": both("ein Wort mit 7 Buchstaben", "a word of 7 letters"),
    "NEEDED_CHANCE": both("ein Wort oder mehrere", "one word or more"),
}

_PROBLEMS: Final[Wording] = {
    "NOTHING_DUE": both("Hier wird von dir kein Zug erwartet.", "No move of yours is expected here."),
    "NOT_UNDERSTOOD": both(
        "»{line}« verstehe ich nicht. Möglich sind »behalte A E R«, »werte WORT« und »streiche«.",
        "I don't understand “{line}”. Possible are “keep A E R”, “score WORT”, “strike”.",
    ),
    "SEVERAL": both(
        "Im Block steht mehr als ein Zug: {lines}. Bitte nur einen schicken; nach einem Wurf liegt anderes da.",
        "The block holds more than one move: {lines}. Please send one only; after a roll you see first what lies.",
    ),
    "ROLL_OTHER": both(
        "Der Block ist für Wurf {sent}; du bist bei Wurf {roll}. Jetzt liegen {dice}. Gewürfelt wurde nichts.",
        "The block is for roll {sent}; you are at roll {roll}. Now {dice} lie there. Nothing was rolled.",
    ),
    "DICE_OTHER": both(
        "Der Block nennt andere Würfel ({sent}); jetzt, nach Wurf {roll}, liegen {dice}. Gewürfelt wurde nichts. "
        "Die Zeile »Wurf« bitte lassen, wie sie ist.",
        "The block names other dice ({sent}); now, after roll {roll}, {dice} lie there. Nothing was rolled. "
        "Please leave the line “Roll” as it is.",
    ),
    "NO_MORE_ROLLS": both(
        "Deine drei Würfe sind getan, es liegen {dice}. Jetzt werten (»werte WORT«) oder streichen (»streiche«).",
        "Your three rolls are done, {dice} lie there. Now score (“score WORT”) or strike (“strike”).",
    ),
    "KEPT_ALL": both(
        "Wer alle sieben Würfel behält, würfelt nicht; dann bitte werten (»werte WORT«).",
        "Whoever keeps all seven dice doesn't roll; then please score (“score WORT”).",
    ),
    "NO_DIE": both("»{sign}« steht auf keinem Würfel. Es liegen {dice}.", "“{sign}” is on no die. {dice} lie there."),
    "STAR_UNCLEAR": both(
        "»{face}*« kann der Diamant allein sein oder {face} und der Diamant. "
        "Schreib »behalte *« oder »behalte {face} *«; gewürfelt wurde nichts.",
        "“{face}*” may be the diamond alone or {face} and the diamond. "
        "Write “keep *” or “keep {face} *”; nothing was rolled.",
    ),
    "KEPT_TOO_OFTEN": both(
        "{face} willst du {sent}-mal behalten, es liegt {lying}-mal ({dice}).",
        "You want to keep {face} {sent}x, it lies there {lying}x ({dice}).",
    ),
    "NOT_LYING": both("{face} liegt nicht da. Es liegen {dice}.", "{face} doesn't lie there. {dice} do."),
    "TOO_OFTEN": both(
        "{face} brauchst du {sent}-mal, es liegt {lying}-mal ({dice}); jeder Würfel zählt nur einmal.",
        "You need {face} {sent}x, it lies there {lying}x ({dice}); each die serves once.",
    ),
    "DIAMONDS": both(
        "Den Diamanten (»*«) brauchst du {sent}-mal, er liegt {lying}-mal ({dice}).",
        "You need the diamond (“*”) {sent}x, it lies there {lying}x ({dice}).",
    ),
    "NO_BOX": both(
        "»{sent}« ist kein Kästchen. Die Kästchen heißen R1 bis R8.", "“{sent}” is no box. The boxes are R1 to R8."
    ),
    "ROUND_BOX": both(
        "Du nennst Kästchen {sent}; in Runde {round} wird {box} gefüllt.",
        "You name box {sent}; round {round} fills {box}.",
    ),
    "BOX_NUMBER": both(
        "»{sent}« kann das Kästchen oder die Länge des Wortes sein. Die Kästchen heißen R1 bis R8; "
        "offen sind bei dir {boxes}.",
        "“{sent}” may be the box or the length of the word. The boxes are R1 to R8; open on your card: {boxes}.",
    ),
    "BOX_MISSING": both(
        "Welches Kästchen? Schreib es dazu, zum Beispiel »werte R3 WORT« oder »streiche R3«. Offen sind {boxes}.",
        "Which box? Name it, for example “score R3 WORT” or “strike R3”. Open on your card: {boxes}.",
    ),
    "BOX_FILLED": both(
        "{box} ist bei dir nicht mehr frei. Offen sind {boxes}.", "{box} is no longer free on your card. Open: {boxes}."
    ),
    "ROUND_ZERO": both(
        "Du nennst {sent} für die Null; in Runde {round} steht sie in {box}.",
        "You name {sent} for the zero; in round {round} it goes into {box}.",
    ),
    "ZERO_MISSING": both(
        "Dieses Kästchen kostet eine Null in einem der Kästchen R1 bis R8. Schreib dahinter, in welchem, zum Beispiel "
        "»/ {first}«. Offen sind bei dir {boxes}.",
        "This box costs a zero in one of the boxes R1 to R8. Write behind it which, for example “/ {first}”. "
        "Open on your card: {boxes}.",
    ),
    "SPECIAL_FILLED": both("{box} hast du schon; das geht nur einmal.", "{box} is taken already; that goes once only."),
    "TOO_LATE": both(
        "{box} geht nur vor dem dritten Wurf; der ist schon getan.",
        "{box} goes only before the third roll; that is done already.",
    ),
    "NO_WORDS": both("{box}: Dazu gehört kein Wort.", "{box} takes no word."),
    "NOT_ALIKE": both(
        "{box}: Alle sieben Würfel müssen passen (Y, Ä, Ö, Ü sind Vokale, der Diamant beides); "
        "nicht dazu passen {faces} (es liegen {dice}).",
        "{box}: all seven dice must fit (Y, Ä, Ö, Ü are vowels, the diamond either); {faces} don't ({dice} lie there).",
    ),
    "WORDS_MISSING": both("Hier steht kein Wort; nötig: {needed}.", "There is no word; needed: {needed}."),
    "NO_LETTER": both(
        "{word}: »{sign}« steht auf keinem Würfel. Ein Wort besteht aus A bis Z, Ä, Ö, Ü; »E*« ist der Diamant als E.",
        "{word}: “{sign}” is on no die. A word is made of A to Z, Ä, Ö, Ü; “E*” is the diamond as E.",
    ),
    "TWICE": both(
        "{word} steht doppelt da; jedes Wort geht nur einmal.", "{word} stands there twice; once is allowed."
    ),
    "WORD_COUNT": both(
        "{box}: Wörter gelesen: {sent}, nötig: {needed}.", "{box}: words read: {sent}, needed: {needed}."
    ),
    "WORD_LENGTH": both(
        "{word} hat {letters}; in {box} gehört {needed}.", "{word} has {letters}; {box} takes {needed}."
    ),
    "WORD_SHORT": both("{word}: Ein Wort hat mindestens zwei Buchstaben.", "{word}: a word has two letters at least."),
    "WORD_REFUSED": both("{word} zählt nicht: {reason}.", "{word} doesn't count: {reason}."),
}

_REMARKS: Final[Wording] = {
    "DIAMOND_USED": both(
        "Nicht gewürfelt: {letters}. Dafür nehme ich den Diamanten; er zählt nichts.",
        "Not rolled: {letters}. I take the diamond for it; it is worth nothing.",
    ),
    "ZERO_NEEDLESS": both(
        "{box} kostet keine Null; was hinter dem Schrägstrich steht, bleibt ohne Wirkung.",
        "{box} costs no zero; what stands behind the slash has no effect.",
    ),
    "COULD_BE_YAHTZEE": both(
        "Mit »werte yahtzee {word}« wären es {points} Punkte und eine Null in diesem Kästchen.",
        "With “score yahtzee {word}” it would be {points} points and a zero in this box.",
    ),
    "POINTS_OTHER": both(
        "Punkte: Du schreibst {sent}, ich zähle {points}.", "Points: you write {sent}, I count {points}."
    ),
}

_SHEETS: Final[Wording] = {
    "LABEL_KEPT": both("Behalten", "Kept"),
    "LABEL_ROLLED": both("Neu gewürfelt", "Rolled again"),
    "LABEL_STRUCK": both("Gestrichen", "Struck out"),
    "LABEL_BOX": both("Kästchen", "Box"),
    "LABEL_WORDS": both("Wertung", "Score"),
    "LABEL_ZERO": both("Null in", "Zero in"),
}

_EVENTS: Final[Wording] = {
    "ROLLED": both("Wurf {roll}: {dice} (behalten: {kept}).", "Roll {roll}: {dice} (kept: {kept})."),
    "NMR": both("Keine Wertung von {seat} (NMR): eine Null in {box}.", "No score from {seat} (NMR): zero in {box}."),
    "NMR_MANY": both(
        "Keine Wertung von {names} (NMR): jeweils eine Null.", "No score from {names} (NMR): a zero each."
    ),
    "YAHTZEE": both("{seat} legt {word}: {points}.", "{seat} lays {word}: {points}."),
    "COUNTS_NOW": both("{word} von {seat} zählt jetzt.", "{word} of {seat} counts now."),
    "STRUCK_NOW": both("{word} von {seat} ist gestrichen: {reason}.", "{word} of {seat} is struck out: {reason}."),
    "DOUBTFUL_NOW": both("{word} von {seat} liegt jetzt beim GM.", "{word} of {seat} waits for the GM now."),
    "RESIGNED": both(
        "{seat} scheidet aus. Der Platz bleibt leer, bis ihn jemand übernimmt.",
        "{seat} leaves the game. The seat stays empty until somebody takes it.",
    ),
    "RESIGNED_LAST": both("{seat} scheidet aus.", "{seat} leaves the game."),
}

_VIEW: Final[Wording] = {
    "EXAMPLE": both(
        "Nach dem ersten Wurf »behalte E H *«: Drei Würfel bleiben liegen, die anderen vier werden neu geworfen.",
        "“keep E H *” after the first roll: three dice stay, the other four are rolled again.",
    ),
    "AIM": both(
        "In acht Runden mit bis zu drei Würfen bildest du Wörter aus sieben Buchstabenwürfeln. "
        "Die wertvollsten auf der Zählkarte gewinnen.",
        "In eight rounds of up to three rolls you form words from seven letter dice. "
        "The most valuable ones on the score card win.",
    ),
    "OPTION_ANY_ORDER": both(
        "Die Kästchen R1 bis R8 werden in beliebiger Reihenfolge gefüllt.",
        "The boxes R1 to R8 are filled in any order.",
    ),
    "OPTION_DICE": both("Gewürfelt wird mit diesen Flächen.", "These are the faces of the dice."),
    "OPTION_VALUES": both("So viel zählen die Buchstaben.", "This is what the letters are worth."),
    "OWN_DICE": both("Runde {round}, Wurf {roll}: {dice}", "Round {round}, roll {roll}: {dice}"),
    "ALL_DICE": both("Die Würfe der Runde {round}", "The rolls of round {round}"),
    "VALUES": both("Werte: {values}", "Values: {values}"),
    "ROLLS_LEFT_2": both("Du darfst noch zweimal würfeln.", "You may roll twice more."),
    "ROLLS_LEFT_1": both("Du darfst noch einmal würfeln.", "You may roll once more."),
    "ROLLS_LEFT_0": both(
        "Das war dein dritter und letzter Wurf: Jetzt wird gewertet oder gestrichen.",
        "That was your third and last roll: now score or strike.",
    ),
    "ON_FILE": both("Deine Wertung für Runde {round} liegt vor", "Your score for round {round} is on file"),
    "HOW_KEEP_2": both(
        "Weiterwürfeln: Hinter »behalte« stehen die Würfel, die liegen bleiben (»behalte E S«, »behalte nichts«). "
        "Die anderen werden sofort geworfen, höchstens noch zweimal; ein Wurf lässt sich nicht zurücknehmen. Mit dem "
        "dritten ist Schluss: Danach wird nur noch gewertet oder gestrichen, ohne Konsonanten, Vokale und Chance.",
        "Rolling on: after “keep” come the dice that stay (“keep E S”, “keep nothing” for none). "
        "The others are rolled at once, twice more at most; a roll can't be taken back. The third one is the last: "
        "after it you score or strike, without consonants, vowels and chance.",
    ),
    "HOW_KEEP_1": both(
        "Weiterwürfeln: Hinter »behalte« stehen die Würfel, die liegen bleiben (»behalte E S«, »behalte nichts«). "
        "Die anderen werden sofort geworfen, noch dieses eine Mal; ein Wurf lässt sich nicht zurücknehmen. Mit diesem "
        "dritten ist Schluss: Danach wird nur noch gewertet oder gestrichen, ohne Konsonanten, Vokale und Chance.",
        "Rolling on: after “keep” come the dice that stay (“keep E S”, “keep nothing” for none). "
        "The others are rolled at once, this one time more; a roll can't be taken back. This third one is the last: "
        "after it you score or strike, without consonants, vowels and chance.",
    ),
    "HOW_ROUND": both(
        "Werten: »werte WORT« füllt {box}, mehrere Wörter mit »+«. »E*« ist der Diamant als E, er zählt nichts; "
        "Umlaute liegen als Ä, Ö, Ü. Die Wertung zählt, wenn die Runde ausgewertet wird; bis dahin darfst du sie "
        "ändern.",
        "Scoring: “score WORT” fills {box}, several words with “+”. “E*” is the diamond as E, worth nothing; umlauts "
        "are dice of their own. The score counts when the round is closed; until then you may change it.",
    ),
    "HOW_ANY": both(
        "Werten: »werte R3 WORT« füllt ein Kästchen, mehrere Wörter mit »+«; offen sind {boxes}. »E*« ist der Diamant "
        "als E, er zählt nichts; Umlaute liegen als Ä, Ö, Ü. Die Wertung zählt, wenn die Runde ausgewertet wird; bis "
        "dahin darfst du sie ändern.",
        "Scoring: “score R3 WORT” fills a box, several words with “+”; open: {boxes}. “E*” is the diamond as E, worth "
        "nothing; umlauts are dice of their own. The score counts when the round is closed; until then you may change "
        "it.",
    ),
    "HOW_SPECIAL": both("Statt dessen, mit einer Null in {box}: {ways}.", "Instead, with a zero in {box}: {ways}."),
    "HOW_SPECIAL_ANY": both(
        "Statt dessen, mit einer Null in einem offenen Kästchen (»/ {first}« dahinter): {ways}.",
        "Instead, with a zero in an open box (“/ {first}” behind it): {ways}.",
    ),
    "WAY_KONSONANTEN": both("»werte konsonanten« (alle sieben, 25)", "“score consonants” (all seven, 25)"),
    "WAY_VOKALE": both("»werte vokale« (alle sieben, 25)", "“score vowels” (all seven, 25)"),
    "WAY_YAHTZEE": both(
        "»werte yahtzee WORT« (sieben Buchstaben, erst 50, dann 100)",
        "“score yahtzee WORT” (seven letters, first 50, then 100)",
    ),
    "WAY_CHANCE": both(
        "»werte chance WORT+WORT« (beliebige Wörter, ihr Wert)", "“score chance WORT+WORT” (any words, their value)"
    ),
    "HOW_STRIKE": both("Streichen: »streiche« schreibt eine Null.", "Striking: “strike” writes a zero."),
    "HOW_STRIKE_ANY": both("Streichen: »streiche R3« schreibt dort eine Null.", "“strike R3” writes a zero there."),
    "SHORT_BOTH": both("{keep} {box}", "{keep} {box}"),
    "SHORT_KEEP_2": both(
        "»behalte E S« würfelt die anderen neu, noch zweimal (»behalte nichts«: alle).",
        "“keep E S” rolls the others, twice more (“keep nothing”: all).",
    ),
    "SHORT_KEEP_1": both(
        "»behalte E S« würfelt die anderen neu, noch einmal (»behalte nichts«: alle).",
        "“keep E S” rolls the others, once more (“keep nothing”: all).",
    ),
    "SHORT_ROUND": both(
        "»werte WORT« füllt {box}, »streiche« schreibt eine Null.",
        "“score WORT” fills {box}, “strike” writes a zero.",
    ),
    "SHORT_ANY": both(
        "»werte R3 WORT« füllt ein Kästchen (offen: {boxes}), »streiche R3« schreibt dort eine Null.",
        "“score R3 WORT” fills a box (open: {boxes}), “strike R3” writes a zero there.",
    ),
    "SHORT_SPECIAL": both(
        "Statt dessen, mit einer Null in {box}, hinter »werte«: {ways}.",
        "Instead, with a zero in {box}, behind “score”: {ways}.",
    ),
    "SHORT_SPECIAL_ANY": both(
        "Statt dessen, mit einer Null (»/ R3« dahinter), hinter »werte«: {ways}.",
        "Instead, with a zero (“/ R3” behind it), behind “score”: {ways}.",
    ),
    "SHORT_KONSONANTEN": both("konsonanten", "consonants"),
    "SHORT_VOKALE": both("vokale", "vowels"),
    "SHORT_YAHTZEE": both("yahtzee WORT", "yahtzee WORT"),
    "SHORT_CHANCE": both("chance WORT+WORT", "chance WORT+WORT"),
    "LAST_ROUND": both("Runde {round}", "Round {round}"),
    "CARDS_START": both("Zählkarten zu Beginn", "Cards at the start"),
    "CARDS": both("Zählkarten nach Runde {round}", "Cards after round {round}"),
    "CARDS_LEGEND": both(
        "R1-R5 ein Wort mit 2-6 Buchstaben, Bo Bonus 35 bei mehr als 35 Punkten in R1-R5, R6-R8 ein, zwei, drei "
        "Wörter, Ko Nur Konsonanten, Vo Nur Vokale, Ya Yahtzee-Wörter, Ch Chance; . frei, ? wartet auf den GM.",
        "R1-R5 a word of 2-6 letters, Bo bonus 35 for more than 35 points in R1-R5, R6-R8 one, two, three words, "
        "Co consonants, Vo vowels, Ya Yahtzee words, Ch chance; . free, ? waits for the GM.",
    ),
    "DOUBTS": both("Wörter beim GM und gestrichene", "Words before the GM, and those struck out"),
    "WAITING": both(
        "{seat}: {word} ({box}, Runde {round}) liegt beim GM und zählt noch nicht.",
        "{seat}: {word} ({box}, round {round}) waits for the GM and doesn't count yet.",
    ),
    "STRUCK": both("{seat}: {word} ({box}) gestrichen: {reason}.", "{seat}: {word} ({box}) struck out: {reason}."),
    "ENTERED": both("{box} (Runde {round})", "{box} (round {round})"),
    "ENTRY_NMR": both("NMR{unless_same}, {zero} = 0", "NMR{unless_same}, {zero} = 0"),
    "ENTRY_STRUCK": both("{zero} gestrichen", "{zero} struck out"),
    "ENTRY_WORDS": both("{box} {words}", "{box} {words}"),
    "ENTRY_SPECIAL": both("{box}{words}, {zero} = 0", "{box}{words}, {zero} = 0"),
    "HEAD_DICE": both("Würfel", "Dice"),
    "HEAD_ROLLS": both("W", "R"),
    "HEAD_ENTRY": both("Eintrag", "Entry"),
    "HEAD_POINTS": both("P.", "P."),
    "HEAD_BONUS": both("Bo", "Bo"),
    "HEAD_KONSONANTEN": both("Ko", "Co"),
    "HEAD_VOKALE": both("Vo", "Vo"),
    "HEAD_YAHTZEE": both("Ya", "Ya"),
    "HEAD_CHANCE": both("Ch", "Ch"),
    "HEAD_SUM": both("Ges", "Sum"),
}

_FINAL: Final[Wording] = {
    "RANKING_PROVISIONAL": both("Endstand (vorläufig)", "Final standings (provisional)"),
    "HEAD_ROUND": both("R", "R"),
    "HEAD_UPPER": both("oben", "upper"),
    "HEAD_BONUS_LONG": both("Bonus", "bonus"),
    "HEAD_LOWER": both("unten", "lower"),
    "HEAD_HUNDREDS": both("100er", "100s"),
    "HEAD_TOTAL": both("Punkte", "Points"),
    "HEAD_OPEN": both("offen", "open"),
    "PLAYER": both("{rank}. {seat}: {points}", "{rank}. {seat}: {points}"),
}

WORDING: Final[Wording] = {
    **COMMON, **ROUNDS, **_PARTS, **_BOXES, **_PROBLEMS, **_REMARKS, **_SHEETS, **_EVENTS, **_VIEW, **_FINAL
}  # fmt: skip
