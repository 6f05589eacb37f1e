"""What players read, in German and English."""

from typing import Final

from games.api import Wording, both
from games.shared.phrases import COMMON, ROUNDS

_PARTS: Final[Wording] = {
    "NONE": both("nichts", "none"),
    "KEY_WISH": both("Neu:", "New:"),
    "LINE_ROW": both("Z{number}", "R{number}"),
    "LINE_COLUMN": both("S{number}", "C{number}"),
    "LINE_DIAGONAL": both("D{number}", "D{number}"),
    "POINTS_OPEN": both("{points}, dazu {open} offen", "{points}, and {open} open"),
    "WORDS_POINTS": both("{words} = {points}", "{words} = {points}"),
    "NOT_THERE": both(
        "liegt nicht (oder nicht überschneidungsfrei) in dieser Linie", "doesn't lie in this line without overlapping"
    ),
}

_PROBLEMS: Final[Wording] = {
    "ROW_COUNT": both(
        "Zeilen gelesen: {rows}, nötig sind 6, auch die leeren (»......«).",
        "Rows read: {rows}, needed: 6, the blank ones (“......”) too.",
    ),
    "NO_GRID": {
        "de": "Ein Raster war nicht zu finden. Nötig sind sechs Zeilen zu sechs Feldern, leere als Punkt (»s.li..«), "
        "auch wenn du nichts setzt.",
        "en": "There was no grid to be found. It takes six rows of six cells, empty ones as dots (“s.li..”), also if "
        "you place nothing.",
    },
    "ROW_LENGTH": both(
        "Zeile {row} (»{sent}«): Felder gelesen: {cells}, nötig sind 6. Jedes leere Feld braucht einen Punkt.",
        "Row {row} (“{sent}”): cells read: {cells}, needed: 6. Every blank cell needs a dot.",
    ),
    "OLD_CHANGED": both(
        "Feld {cell}: Dort liegt {old}, du schickst {sent}. Was liegt, bleibt liegen.",
        "Cell {cell}: {old} lies there, you send {sent}. What lies stays.",
    ),
    "OLD_REMOVED": both(
        "Feld {cell}: Dort liegt {old}, bei dir ist das Feld leer. Was liegt, bleibt liegen.",
        "Cell {cell}: {old} lies there, in your grid it is blank. What lies stays.",
    ),
    "FOREIGN": both(
        "Feld {cell} ist frei, aber {sent} gehört nicht zu den Buchstaben dieser Runde ({letters}).",
        "Cell {cell} is free, but {sent} is not among the letters of this round ({letters}).",
    ),
    "TOO_OFTEN": both(
        "{letter} hast du {sent}-mal gesetzt ({cells}), erlaubt ist es in dieser Runde {wished}-mal.",
        "{letter}: placed {sent}x ({cells}), allowed in this round: {wished}.",
    ),
    "UMLAUT": both(
        "Feld {cell}: Du schickst {sent}; im Raster wird das {instead} geschrieben, in zwei Feldern.",
        "Cell {cell}: you send {sent}; on the grid that is written {instead}, in two cells.",
    ),
    "NO_LETTER": both(
        "Feld {cell}: Du schickst »{sent}«; richtig ist ein Buchstabe von A bis Z oder ein Punkt.",
        "Cell {cell}: you send “{sent}”; right is a letter from A to Z or a dot.",
    ),
    "WISH_SEVERAL": both(
        "Gewünscht wird genau ein Buchstabe, ich lese »{sent}«. Richtig ist zum Beispiel »Neu: E«.",
        "Exactly one letter is wished, I read “{sent}”. Right is, for example, “New: E”.",
    ),
    "WISH_UMLAUT": both(
        "{sent} kann nicht gewünscht werden, nur A bis Z ohne Umlaute und ß.",
        "{sent} can't be wished, only A to Z without umlauts and ß.",
    ),
    "WISH_NO_LETTER": both(
        "»{sent}« kann nicht gewünscht werden, nur ein Buchstabe von A bis Z.",
        "“{sent}” can't be wished, only a letter from A to Z.",
    ),
}

_REMARKS: Final[Wording] = {
    "CASE_NEW": both(
        "Neu, aber klein geschrieben: {cells}. Ich nehme sie als neu gesetzt.",
        "New, but in lower case: {cells}. I take them as placed now.",
    ),
    "CASE_OLD": both(
        "Groß geschrieben, obwohl sie schon liegen: {cells}. Das schadet nicht.",
        "In capitals although they lie already: {cells}. That does no harm.",
    ),
    "BLANKS": both("Leere Felder habe ich als Punkte gelesen.", "I read your blank cells as dots."),
    "ROW_FILLED": both("Zeile {row} ist leer; ich lese sechs Punkte.", "Row {row} is blank; I read six dots."),
    "CELLS_READ": both(
        "Du nennst Felder statt eines Rasters: Ich setze die Buchstaben in dein Raster, wie es vor dieser Runde lag.",
        "You name cells instead of a grid: I put the letters into your grid as it lay before this round.",
    ),
    "UNPLACED": both(
        "Nicht gesetzt: {letters}. Das ist erlaubt, verfällt aber für dich.",
        "Not placed: {letters}. That is allowed, but they are lost for you.",
    ),
    "WISH_KEPT": both(
        "Im Block steht kein Wunschbuchstabe; es bleibt bei deinem {letter}.",
        "The block has no wish letter; your {letter} stays.",
    ),
    "WISH_IGNORED": both(
        "In der letzten Runde wird nichts mehr gewünscht; »Neu:« bleibt ohne Wirkung.",
        "Nothing is wished in the last round; “New:” has no effect.",
    ),
    "GRID_KEPT": both(
        "Im Block steht kein Raster; es bleibt bei dem Raster, das du schon geschickt hast.",
        "The block has no grid; the grid that you sent before stays.",
    ),
    "GRID_UNCHANGED": both(
        "Im Block steht kein Raster; dein Raster bleibt, wie es ist.",
        "The block has no grid; yours stays as it is.",
    ),
    "GRID_BACK": both(
        "Dein Raster kam ohne neue Buchstaben: Was du vorher gesetzt hattest, ist zurückgenommen.",
        "Your grid came without new letters: what you had placed before is taken back.",
    ),
    "UNREAD_ENTRY": both(
        "Nicht gelesen: »{line}«. In der Wörterliste heißt es zum Beispiel »rar 3«, »S2: rar 3« oder mit Ersatzwort "
        "»urb / ur 3«.",
        "Not read: “{line}”. In the word list it would be, for example, “rar 3”, “C2: rar 3” or with a substitute "
        "“urb / ur 3”.",
    ),
    "LIST_EARLY": both(
        "Deine Wörterliste hebe ich auf. Sie zählt, wenn in Runde 6 keine neue kommt.",
        "I keep your word list. It counts if round 6 brings no other.",
    ),
    "LIST_OLD": both(
        "Im Block steht keine Wörterliste; es zählt die, die du früher geschickt hast.",
        "The block has no word list; the one that you sent earlier counts.",
    ),
    "FITS_NOWHERE": both(
        "{words} passt in keine freie Linie deines Rasters.", "{words} fits no free line of your grid."
    ),
    "FITS_ELSEWHERE": both(
        "{words} passt nicht in die Reihenfolge; ich zähle es in {line}.",
        "{words} doesn't fit into the order; I count it in {line}.",
    ),
    "SURPLUS": both(
        "{line}: Mehr als drei Wörter gehen nicht in eine Linie; ohne {words}.",
        "{line}: no more than three words go into a line; without {words}.",
    ),
    "WORD_REFUSED": both("{line}: {word} zählt nicht: {reason}.", "{line}: {word} doesn't count: {reason}."),
    "POINTS_OTHER": both(
        "{line}: Du schreibst {sent}, ich zähle {points}.", "{line}: you write {sent}, I count {points}."
    ),
    "SUM_OTHER": both("Summe: Du schreibst {sent}, ich zähle {points}.", "Sum: you write {sent}, I count {points}."),
}

_SHEETS: Final[Wording] = {
    "WISH_FIRST": both(
        "Dein Wunschbuchstabe für Runde 1 fehlt noch, zum Beispiel »Neu: E«.",
        "Your wish letter for round 1 is still missing, for example “New: E”.",
    ),
    "WISH_WANTED": both(
        "Dein Wunschbuchstabe für Runde {round} fehlt noch, zum Beispiel »Neu: E«. "
        "Kommt bis zum ZAT keiner, wird dein letzter wiederholt.",
        "Your wish letter for round {round} is still missing, for example “New: E”. "
        "If none comes by the deadline, your last one is repeated.",
    ),
    "LIST_WANTED": both(
        "Deine Wörterliste fehlt noch. Nur Wörter, die du nennst, zählen.",
        "Your word list is still missing. Only words that you name count.",
    ),
    "LIST_ENTRY": both("1 Eintrag", "1 entry"),
    "LIST_ENTRIES": both("{entries} Einträge", "{entries} entries"),
    "LABEL_FIRST_WISH": both("Wunschbuchstabe", "Wish letter"),
    "LABEL_PLACED": both("Gesetzt", "Placed"),
    "LABEL_LOST": both("Nicht gesetzt", "Not placed"),
    "LABEL_WISH": both("Wunsch für Runde {round}", "Wish for round {round}"),
    "LABEL_LIST": both("Wörterliste", "Word list"),
    "LABEL_SUM": both("Summe", "Sum"),
}

_EVENTS: Final[Wording] = {
    "NMR": both(
        "Kein Zug von {seat} (NMR): Die Buchstaben der Runde verfallen, der Wunsch {letter} wird wiederholt.",
        "No move from {seat} (NMR): the letters of the round are lost, the wish {letter} is repeated.",
    ),
    "NMR_MANY": both(
        "Kein Zug von {names} (NMR): Die Buchstaben der Runde verfallen, ihre Wünsche werden wiederholt.",
        "No move from {names} (NMR): the letters of the round are lost, their wishes are repeated.",
    ),
    "NMR_LAST_MANY": both(
        "Kein Zug von {names} in der letzten Runde (NMR): Es zählt die letzte Wörterliste, wo eine da ist.",
        "No move from {names} in the last round (NMR): the last word list counts, where there is one.",
    ),
    "NMR_LAST": both(
        "Kein Zug von {seat} in der letzten Runde (NMR): Es zählt die letzte Wörterliste, falls eine da ist.",
        "No move from {seat} in the last round (NMR): the last word list counts, if there is one.",
    ),
    "WISH_AGAIN": both(
        "{seat} hat nichts gewünscht: {letter} wird wiederholt.", "{seat} wished nothing: {letter} is repeated."
    ),
    "RESIGNED": both(
        "{seat} scheidet aus. Der Platz bleibt leer, bis ihn jemand übernimmt.",
        "{seat} leaves the game. The seat stays empty until somebody takes it.",
    ),
    "RESIGNED_LAST": both("{seat} scheidet aus.", "{seat} leaves the game."),
}

_VIEW: Final[Wording] = {
    "EXAMPLE": both(
        "Die Buchstaben der Runde waren B H R R U Z; Zeile 1 kam als »brecHt«, und in Spalte 6 steht jetzt TANZEN.",
        "The letters of the round were B H R R U Z; row 1 came as “brecHt”, and column 6 now reads TANZEN.",
    ),
    "AIM": both(
        "Alle füllen in sechs Runden ein eigenes Raster, mit den Buchstaben, die sie sich für jede Runde wünschen. "
        "Lange Wörter in Zeilen, Spalten und den beiden Diagonalen bringen Punkte; die meisten gewinnen.",
        "In six rounds everybody fills a grid of their own, with the letters that they wish for in each round. "
        "Long words in rows, columns and the two diagonals score points; the most points win.",
    ),
    "LETTERS": both("Buchstaben für Runde {round}: {letters}", "Letters of round {round}: {letters}"),
    "WISHES": both("{wishes}", "{wishes}"),
    "WISHED": both("{seat} {letter}", "{seat} {letter}"),
    "WISHED_AGAIN": both("{seat} {letter} (wiederholt)", "{seat} {letter} (repeated)"),
    "GRIDS_START": both("Raster zu Beginn", "Grids at the start"),
    "GRIDS": both("Raster nach Runde {round}", "Grids after round {round}"),
    "LEGEND": both(
        "GROSS = in Runde {round} gesetzt ({letters}), klein = vorher gesetzt",
        "CAPITALS = placed in round {round} ({letters}), small = placed before",
    ),
    "NOTE_NMR": both("NMR{unless_same}", "NMR{unless_same}"),
    "ALL_LISTS": both("Wörterlisten, die schon da sind", "Word lists that have come already"),
    "LIST_OF": both("{seat}: {entries}", "{seat}: {entries}"),
    "ON_FILE": both("Dein Zug für Runde {round} liegt vor", "Your move for round {round} is on file"),
    "HOW_GRID": both(
        "Kopiere den Block und trage die neuen Buchstaben GROSS in freie Felder ein (Punkte), jeden höchstens so oft, "
        "wie er gewünscht wurde. "
        "Du musst nicht alle setzen; was du jetzt nicht setzt, verfällt für dich.",
        "Copy the block and enter the new letters in CAPITALS into free cells (dots), each no more often than it was "
        "wished. "
        "You needn't place them all; what you don't place now is lost for you.",
    ),
    "HOW_WISH": both(
        "Hinter »Neu:« gehört dein Wunschbuchstabe für Runde {round}: A bis Z, kein Umlaut, kein ß.",
        "After “New:” comes your wish letter for round {round}: A to Z, no umlaut, no ß.",
    ),
    "HOW_LIST": both(
        "Letzte Runde: Direkt unter das Raster gehört deine Wörterliste, je Linie eine Zeile mit Punkten: erst die "
        "sechs Zeilen, dann die sechs Spalten, dann die Diagonalen (abwärts, aufwärts). Zum Beispiel »ar+au 2«, mit "
        "Ersatzwort »urb / ur 1«, am Schluss »Summe 90«. Nur Wörter, die du nennst, zählen.",
        "Last round: your word list goes right below the grid, a line with points for each line of the grid: first "
        "the six rows, then the six columns, then the diagonals (down, up). For example “ar+au 2”, with a substitute "
        "“urb / ur 1”, at the end “Sum 90”. Only words that you name count.",
    ),
}

_FINAL: Final[Wording] = {
    "RANKING_PROVISIONAL": both("Endstand (vorläufig)", "Final standings (provisional)"),
    "NO_POINTS": both(
        "Die Partie endete vor der Wertung: Es war nur noch ein Platz besetzt.",
        "The game ended before there were points: only one seat was still in play.",
    ),
    "HEAD_ROWS": both("Z", "R"),
    "HEAD_COLUMNS": both("S", "C"),
    "HEAD_DIAGONALS": both("D", "D"),
    "HEAD_SIXES": both("6er", "6s"),
    "HEAD_REFUSED": both("gestr.", "struck"),
    "HEAD_LINE": both("", ""),
    "HEAD_WORDS": both("Wörter", "Words"),
    "HEAD_WORTH": both("P.", "P."),
    "MARKS": both(
        "Z = Zeile, S = Spalte, D = Diagonale; 6er = Wörter mit sechs Buchstaben, gestr. = gestrichene Wörter; "
        "< rückwärts gelesen; -WORT- gestrichen; +WORT Ersatzwort; "
        "WORT? liegt beim GM und zählt noch nicht.",
        "R = row, C = column, D = diagonal; 6s = words of six letters, struck = words struck out; "
        "< read backwards; -WORD- struck; +WORD substitute; "
        "WORD? waits for the GM and doesn't count yet.",
    ),
    "PLAYER": both("{rank}. {seat}: {points}", "{rank}. {seat}: {points}"),
    "PLAYER_OPEN": both("{rank}. {seat}: {points}, dazu {open} offen", "{rank}. {seat}: {points}, and {open} open"),
    "STRUCK": both("{line} {word} gestrichen: {reason}.", "{line} {word} struck: {reason}."),
    "STRUCK_SUBSTITUTE": both(
        "{line} {word} gestrichen: {reason}. Ersatzwort {substitute}: {points}.",
        "{line} {word} struck: {reason}. Substitute {substitute}: {points}.",
    ),
    "WAITING": both("{line} {word} liegt beim GM ({points}).", "{line} {word} waits for the GM ({points})."),
    "IN_NO_LINE": both("passt in keine Linie", "fits no line"),
    "FITS_NO_LINE": both("{words} passt in keine Linie.", "{words} fits no line."),
    "BEST": both("Höchstens möglich: {points} ({words}).", "Best possible: {points} ({words})."),
    "BEST_NOTHING": both("In diesem Raster steckt kein Wort der Liste.", "This grid holds no word of the list."),
    "BEST_WORD": both("{line} {word}", "{line} {word}"),
}

_LOOKING_BACK: Final[Wording] = {
    "LEFT_IN_GRID": both("Was war drin bei {seat}?", "What was there for {seat}?"),
    "MOST_REACHED": both(
        "Gezählt: {points}. Mehr gab dieses Raster nicht her.", "Counted: {points}. This grid held no more."
    ),
    "MOST_POSSIBLE": both(
        "Gezählt: {points}. Mit den besten Wörtern in jeder Linie: {best}.",
        "Counted: {points}. With the best words in every line: {best}.",
    ),
    "ALL_CLAIMED": both("Alle Wörter, die da waren, sind auch genannt.", "All words that were there were claimed."),
    "SHORT_WORD": both(
        "Nicht genannt blieb auch ein Wort mit zwei oder drei Buchstaben.",
        "A word of two or three letters was left unclaimed as well.",
    ),
    "SHORT_WORDS": both(
        "Nicht genannt blieben auch Wörter mit zwei oder drei Buchstaben: {number}.",
        "Words of two or three letters left unclaimed as well: {number}.",
    ),
    "LAID_ANEW": both("Was war in den {number} Buchstaben drin?", "What was in the {number} letters?"),
    "AT_LEAST": both(
        "Neu geordnet ergeben die Buchstaben dieser Partie mindestens {points}.",
        "In another order the letters of this game make at least {points}.",
    ),
    "LEFTWARDS": both("Wörter mit < sind rückwärts gelesen.", "Words with < are read backwards."),
    "BEAT_IT": both(
        "Gefunden hat das der Rechner, und besser geht es fast immer. Wer legt mehr? Schreib deine Lösung dem GM.",
        "The computer found this, and there is nearly always something better. Can you beat it? Write to the GM.",
    ),
}

WORDING: Final[Wording] = {
    **COMMON, **ROUNDS, **_PARTS, **_PROBLEMS, **_REMARKS, **_SHEETS, **_EVENTS, **_VIEW, **_FINAL, **_LOOKING_BACK
}  # fmt: skip
