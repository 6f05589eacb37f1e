"""What players read, in German and English."""

from typing import Final

from games.api import Language, Wording


def _both(de: str, en: str) -> dict[Language, str]:
    return {"de": de, "en": en}


_COMMON: Final[Wording] = {
    "PLAIN": _both("{text}", "{text}"),
    "SEAT": _both("{seat}", "{seat}"),
    "POINT": _both("1 Punkt", "1 point"),
    "POINTS": _both("{points} Punkte", "{points} points"),
    "RED_JOKER": _both("Joker (rot)", "joker (red)"),
    "BLACK_JOKER": _both("Joker (schwarz)", "joker (black)"),
    "TILES": _both("{tiles} ({red} rote, {black} schwarze)", "{tiles} ({red} red, {black} black)"),
}

_PROBLEMS: Final[Wording] = {
    "FINISHED_ALREADY": _both(
        "In Partie {deal} bist du schon fertig; dein Raster steht. Weiter geht es mit der nächsten Partie.",
        "You have finished deal {deal} already; your grid stands. Play goes on with the next deal.",
    ),
    "GIVEN_UP_ALREADY": _both(
        "Partie {deal} hast du aufgegeben. Weiter geht es mit der nächsten Partie.",
        "You have given up deal {deal}. Play goes on with the next deal.",
    ),
    "NOT_ASKED": _both("Von dir wird kein Raster mehr erwartet.", "No grid is expected from you any more."),
    "DEAL_OTHER": _both(
        "Der Block nennt Partie {sent}, gespielt wird Partie {deal}. Bitte die Zeile ändern oder weglassen.",
        "The block names deal {sent}, but deal {deal} is being played. Please change that line or leave it out.",
    ),
    "GRID_TOO_LARGE": _both(
        "Dein Raster hat {rows} Zeilen und {columns} Spalten; es darf höchstens 40 mal 40 groß sein.",
        "Your grid has {rows} rows and {columns} columns; it may be 40 by 40 at most.",
    ),
    "UMLAUT": _both(
        "Zeile {row} (»{line}«): {sent} wird {instead} geschrieben, in zwei Feldern.",
        "Row {row} (“{line}”): {sent} is written {instead}, in two cells.",
    ),
    "STAR_ALONE": _both(
        "Zeile {row} (»{line}«): Vor dem Stern fehlt der Buchstabe, für den der Joker steht, zum Beispiel E*.",
        "Row {row} (“{line}”): the letter that the joker stands for is missing before the star, for example E*.",
    ),
    "NO_LETTER": _both(
        "Zeile {row} (»{line}«): »{sent}« ist kein Feld; richtig ist ein Buchstabe von A bis Z oder ein Punkt.",
        "Row {row} (“{line}”): “{sent}” is no cell; right is a letter from A to Z or a dot.",
    ),
    "TOO_MANY": _both(
        "{tile} liegt {lying}-mal in deinem Raster; du hast davon {held}.",
        "{tile} lies {lying} times in your grid; you have {held} of it.",
    ),
    "LEFT_ONE": _both("1 Stein übrig: {tiles}.", "1 tile left over: {tiles}."),
    "LEFT_SEVERAL": _both("{number} Steine übrig: {tiles}.", "{number} tiles left over: {tiles}."),
    "APART": _both(
        "Das Raster hängt nicht zusammen: {other} ist nicht mit {one} verbunden.",
        "The grid doesn't hang together: {other} isn't connected with {one}.",
    ),
    "REFUSED_WORD": _both("{where} ergibt {word}: {reason}.", "{where} makes {word}: {reason}."),
}

_SHEETS: Final[Wording] = {
    "STAR_FORGOTTEN": _both(
        "{cell}: Ein {letter} hast du nicht mehr; ich nehme deinen Joker dafür. Sicherer ist {letter}* im Block.",
        "{cell}: you have no {letter} left; I take your joker for it. Writing {letter}* in the block is safer.",
    ),
    "WOULD_ASK": _both(
        "Nicht in der Wörterliste: {words}. Ist sonst alles richtig, entscheidet darüber der GM.",
        "Not in the word list: {words}. If all else is right, the GM rules on that.",
    ),
    "LABEL_DEAL": _both("Partie", "Deal"),
    "LABEL_MOVE": _both("Zug", "Move"),
    "LABEL_TILES": _both("Gelegte Steine", "Tiles laid"),
    "LABEL_WORDS": _both("Wörter", "Words"),
    "LABEL_LEFT": _both("Übrig", "Left over"),
    "GIVES_UP": _both("du gibst diese Partie auf", "you give this deal up"),
}

_EVENTS: Final[Wording] = {
    "OPENS": _both("Los! Partie {deal} von {deals} beginnt.", "Go! Deal {deal} of {deals} begins."),
    "DEALT": _both("Deine Steine für Partie {deal}: {tiles}.", "Your tiles for deal {deal}: {tiles}."),
    "FINISHED": _both("Fertig! {seat}, Platz {place}: {points}.", "Finished! {seat}, place {place}: {points}."),
    "FINISHED_LEFT": _both(
        "Fertig mit einem Stein Rest! {seat}, Platz {place}: {points}.",
        "Finished with one tile left! {seat}, place {place}: {points}.",
    ),
    "GAVE_UP": _both("{seat} gibt diese Partie auf.", "{seat} gives this deal up."),
    "TOO_LATE": _both(
        "Dein Raster für Partie {deal} kommt zu spät: Beide Plätze sind vergeben, oder die Partie ist zu Ende.",
        "Your grid for deal {deal} comes too late: both places are taken, or the deal is over.",
    ),
    "TIME_UP": _both(
        "ZAT von Partie {deal}. Nicht fertig geworden: {seats}.", "Deadline of deal {deal}. Not finished: {seats}."
    ),
    "PAID": _both("{seat} {points}", "{seat} {points}"),
    "DEAL_OVER": _both("Partie {deal} ist zu Ende. Punkte: {paid}.", "Deal {deal} is over. Points: {paid}."),
    "DEAL_OVER_NOBODY": _both(
        "Partie {deal} ist zu Ende, niemand ist fertig geworden.", "Deal {deal} is over, nobody has finished."
    ),
    "FIRST": _both("Platz 1: {seat}, {points}.", "Place 1: {seat}, {points}."),
    "RESIGNED": _both(
        "{seat} gibt auf und baut nicht mehr mit.", "{seat} resigns and takes no further part in the building."
    ),
}

_VIEW: Final[Wording] = {
    "HEADLINE_FINISHED": _both(
        "{seat} ist in Partie {deal} fertig (Platz {place})", "{seat} finishes deal {deal} as number {place}"
    ),
    "HEADLINE_WON": _both(
        "{seat} gewinnt Partie {before}, Partie {deal} beginnt", "{seat} wins deal {before}, deal {deal} begins"
    ),
    "HEADLINE_OPENS": _both("Partie {deal} beginnt", "Deal {deal} begins"),
    "RACE": _both("Partie {deal} von {deals}", "Deal {deal} of {deals}"),
    "PLACE": _both("{place}. Platz: {seat}, {points}", "Place {place}: {seat}, {points}"),
    "PLACE_LEFT": _both(
        "{place}. Platz: {seat}, ein Stein Rest, {points}", "Place {place}: {seat}, one tile left, {points}"
    ),
    "BUILDING": _both("Es bauen noch: {seats}", "Still building: {seats}"),
    "OUT_OF_DEAL": _both("Aufgegeben haben diese Partie: {seats}", "This deal was given up by: {seats}"),
    "OWN_TILES": _both("Deine {number} Steine", "Your {number} tiles"),
    "SCORES": _both("Spielstand", "Scores"),
    "GRIDS": _both("Die Raster von Partie {deal}", "The grids of deal {deal}"),
    "NOTE_PLACE": _both("{place}. Platz, {points}", "place {place}, {points}"),
    "HOW_GRID": _both(
        "Baue aus allen deinen Steinen ein Raster, das zusammenhängt; jede Folge von zwei und mehr Buchstaben, "
        "waagerecht und senkrecht, muss ein Wort sein. Der Erste bekommt 4 Punkte, der Zweite 2; was zählt, ist der "
        "Eingang der Mail. Ein falsches Raster kostet nichts: Du erfährst die Fehler und baust weiter.",
        "Build a grid of all your tiles that hangs together; every run of two and more letters, across and down, must "
        "be a word. The first one gets 4 points, the second one 2; what counts is when the mail arrives. A wrong grid "
        "costs nothing: you hear its faults and build on.",
    ),
    "HOW_EXAMPLE": _both(
        "Schreib es Zeile für Zeile unter die Zeile »Stand«, ohne Leerzeile: ein Punkt für jedes leere Feld vor und "
        "zwischen den Buchstaben, ein Stern hinter einem Joker. TEE mit EIS, das S ein Joker: »TEE«, »..I«, »..S*«.",
        "Write it row by row below the line “Stand”, without a blank line: a dot for every blank cell before and "
        "between the letters, a star after a joker. TEE with EIS, its S a joker: “TEE”, “..I”, “..S*”.",
    ),
    "HOW_ONE_LEFT": _both(
        "Ein Stein darf übrig bleiben; dann gibt es 2 Punkte für den Ersten, 1 für den Zweiten.",
        "One tile may be left over; then the first one gets 2 points, the second one 1.",
    ),
    "HOW_PASS": _both(
        "Wer nicht mehr fertig werden will, schickt »passe« und wartet auf die nächste Partie.",
        "If you don't want to go on building, send “passe” and wait for the next deal.",
    ),
}

_FINAL: Final[Wording] = {
    "RANKING": _both("Endstand", "Final standings"),
    "HEAD_RANK": _both("Pl.", "Rank"),
    "HEAD_NAME": _both("Name", "Name"),
    "HEAD_FIRSTS": _both("Erste", "Firsts"),
    "HEAD_SECONDS": _both("Zweite", "Seconds"),
    "HEAD_POINTS": _both("Punkte", "Points"),
    "DEAL": _both("Partie {deal}", "Deal {deal}"),
    "NOBODY": _both("Niemand ist fertig geworden.", "Nobody has finished."),
    "DEALT_TO": _both("{seat} hatte {tiles}.", "{seat} had {tiles}."),
    "REST": _both("Nicht verteilt: {tiles}.", "Not dealt: {tiles}."),
}

WORDING: Final[Wording] = {**_COMMON, **_PROBLEMS, **_SHEETS, **_EVENTS, **_VIEW, **_FINAL}
