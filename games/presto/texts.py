"""What players read, in German and English."""

from typing import Final

from games.api import Text, Wording, both, say
from games.shared.phrases import COMMON
from games.shared.tiles import count_colours, shown

_PARTS: Final[Wording] = {
    "RED_JOKER": both("Joker (rot)", "joker (red)"),
    "BLACK_JOKER": both("Joker (schwarz)", "joker (black)"),
    "TILES": both("{tiles} ({red} rote, {black} schwarze)", "{tiles} ({red} red, {black} black)"),
}
_PROBLEMS: Final[Wording] = {
    "FINISHED_ALREADY": both(
        "In Durchgang {deal} bist du schon fertig; dein Raster steht. Weiter geht es mit dem nächsten Durchgang.",
        "You have finished deal {deal} already; your grid stands. Play goes on with the next deal.",
    ),
    "GIVEN_UP_ALREADY": both(
        "Durchgang {deal} hast du aufgegeben. Weiter geht es mit dem nächsten Durchgang.",
        "You have given up deal {deal}. Play goes on with the next deal.",
    ),
    "NOT_ASKED": both("Von dir wird kein Raster mehr erwartet.", "No grid is expected from you any more."),
    "DEAL_OTHER": both(
        "Der Block nennt Durchgang {sent}, gespielt wird Durchgang {deal}. Bitte die Zeile ändern oder weglassen.",
        "The block names deal {sent}, but deal {deal} is being played. Please change that line or leave it out.",
    ),
    "GRID_TOO_LARGE": both(
        "Dein Raster ist {rows} mal {columns} Felder groß; erlaubt sind höchstens 40 mal 40.",
        "Your grid is {rows} by {columns} cells large; 40 by 40 is the most.",
    ),
    "UMLAUT": both(
        "Zeile {row} (»{line}«): {sent} wird {instead} geschrieben, in zwei Feldern.",
        "Row {row} (“{line}”): {sent} is written {instead}, in two cells.",
    ),
    "STAR_ALONE": both(
        "Zeile {row} (»{line}«): Vor dem Stern fehlt der Buchstabe, für den der Joker steht, zum Beispiel E*.",
        "Row {row} (“{line}”): the letter that the joker stands for is missing before the star, for example E*.",
    ),
    "NO_LETTER": both(
        "Zeile {row} (»{line}«): »{sent}« ist kein Feld; richtig ist ein Buchstabe von A bis Z oder ein Punkt.",
        "Row {row} (“{line}”): “{sent}” is no cell; right is a letter from A to Z or a dot.",
    ),
    "TOO_MANY": both(
        "{tile} liegt {lying}-mal in deinem Raster; du hast davon {held}.",
        "{tile} lies {lying}x in your grid; you have {held} of it.",
    ),
    "LEFT_ONE": both("1 Stein übrig: {tiles}.", "1 tile left over: {tiles}."),
    "LEFT_SEVERAL": both("{number} Steine übrig: {tiles}.", "{number} tiles left over: {tiles}."),
    "APART": both(
        "Das Raster hängt nicht zusammen: {other} ist nicht mit {one} verbunden.",
        "The grid doesn't hang together: {other} isn't connected with {one}.",
    ),
    "NOT_A_WORD": both(
        "{word} ({where}) kann kein Wort sein: Es steht in keiner Wörterliste und ist auch nicht aus zwei Wörtern "
        "zusammengesetzt.",
        "{word} ({where}) can't be a word: it is in no word list, nor is it made of two words.",
    ),
    "REFUSED_WORD": both("{where} ergibt {word}: {reason}.", "{where} makes {word}: {reason}."),
}
_SHEETS: Final[Wording] = {
    "STAR_FORGOTTEN": both(
        "{cell}: Ein {letter} hast du nicht mehr; ich nehme deinen Joker dafür. Sicherer ist {letter}* im Block.",
        "{cell}: you have no {letter} left; I take your joker for it. Writing {letter}* in the block is safer.",
    ),
    "WOULD_ASK": both(
        "Nicht in der Wörterliste: {words}. Ist sonst alles richtig, entscheidet darüber der GM.",
        "Not in the word list: {words}. If all else is right, the GM rules on that.",
    ),
    "LABEL_DEAL": both("Durchgang", "Deal"),
    "LABEL_MOVE": both("Zug", "Move"),
    "LABEL_TILES": both("Gelegte Steine", "Tiles laid"),
    "LABEL_WORDS": both("Wörter", "Words"),
    "LABEL_LEFT": both("Übrig", "Left over"),
    "GIVES_UP": both("du gibst diesen Durchgang auf", "you give this deal up"),
}
_EVENTS: Final[Wording] = {
    "OPENS": both("Los! Durchgang {deal} von {deals} beginnt.", "Go! Deal {deal} of {deals} begins."),
    "DEALT": both("Deine Steine für Durchgang {deal}: {tiles}.", "Your tiles for deal {deal}: {tiles}."),
    "FINISHED": both("Fertig! {seat}, Platz {place}: {points}.", "Finished! {seat}, place {place}: {points}."),
    "FINISHED_LEFT": both(
        "Fertig mit einem Stein Rest! {seat}, Platz {place}: {points}.",
        "Finished with one tile left! {seat}, place {place}: {points}.",
    ),
    "GAVE_UP": both("{seat} gibt diesen Durchgang auf.", "{seat} gives this deal up."),
    "TOO_LATE": both(
        "Dein Raster für Durchgang {deal} kommt zu spät: Beide Plätze sind vergeben, oder der Durchgang ist zu Ende.",
        "Your grid for deal {deal} comes too late: both places are taken, or the deal is over.",
    ),
    "TIME_UP": both(
        "ZAT von Durchgang {deal}. Nicht fertig geworden: {seats}.", "Deadline of deal {deal}. Not finished: {seats}."
    ),
    "PAID": both("{seat} {points}", "{seat} {points}"),
    "DEAL_OVER": both("Durchgang {deal} ist zu Ende. Punkte: {paid}.", "Deal {deal} is over. Points: {paid}."),
    "DEAL_OVER_NOBODY": both(
        "Durchgang {deal} ist zu Ende, niemand ist fertig geworden.", "Deal {deal} is over, nobody has finished."
    ),
    "RESIGNED": both(
        "{seat} scheidet aus und baut nicht mehr mit.",
        "{seat} leaves the game and builds no more.",
    ),
}
_VIEW: Final[Wording] = {
    "EXAMPLE": both(
        "Alle Steine liegen und hängen zusammen: WINTER, NASEN, SOMMER und RUMPF, dessen F ein Joker ist.",
        "All tiles lie there and hang together: WINTER, NASEN, SOMMER and RUMPF, whose F is a joker.",
    ),
    "AIM": both(
        "Alle bekommen gleichzeitig ihre Steine, und jeder baut für sich ein Raster aus gültigen Wörtern, in dem alle "
        "liegen. Wer zuerst ein richtiges schickt, bekommt die meisten Punkte.",
        "All get their tiles at the same time, and each builds a grid of valid words in which all of them lie. "
        "Whoever sends a correct one first gets the most points.",
    ),
    "OPTION_WORDS_DUDEN": both("Es gelten die Wörter des Wörterbuchs.", "The words of the dictionary count."),
    "OPTION_WORDS_NOUNS": both("Von den Wörtern gelten nur Hauptwörter und Namen.", "Only nouns and names count."),
    "OPTION_DEALS": both("Durchgänge: {value}.", "Deals: {value}."),
    "OPTION_ONE_LEFT": both(
        "Ein Stein darf übrig bleiben, für 2 Punkte als Erster und 1 als Zweiter.",
        "One tile may be left over, for 2 points as the first and 1 as the second.",
    ),
    "HEADLINE_FINISHED": both(
        "{seat} ist in Durchgang {deal} fertig (Platz {place})", "{seat} finishes deal {deal} as number {place}"
    ),
    "HEADLINE_WON": both(
        "{seat} gewinnt Durchgang {before}, Durchgang {deal} beginnt", "{seat} wins deal {before}, deal {deal} begins"
    ),
    "HEADLINE_OPENS": both("Durchgang {deal} beginnt", "Deal {deal} begins"),
    "RACE": both("Durchgang {deal} von {deals}", "Deal {deal} of {deals}"),
    "PLACE": both("{place}. Platz: {seat}, {points}", "Place {place}: {seat}, {points}"),
    "PLACE_LEFT": both(
        "{place}. Platz: {seat}, ein Stein Rest, {points}", "Place {place}: {seat}, one tile left, {points}"
    ),
    "BUILDING": both("Es bauen noch: {seats}", "Still building: {seats}"),
    "OUT_OF_DEAL": both("Aufgegeben haben diesen Durchgang: {seats}", "This deal was given up by: {seats}"),
    "OWN_TILES": both("Deine {number} Steine", "Your {number} tiles"),
    "ALL_TILES": both("Alle Steine in Durchgang {deal}", "All tiles in deal {deal}"),
    "RACK_OF": both("{seat}: {tiles}", "{seat}: {tiles}"),
    "SCORES": both("Spielstand", "Scores"),
    "GRIDS": both("Die Raster von Durchgang {deal}", "The grids of deal {deal}"),
    "NOTE_PLACE": both("{place}. Platz, {points}", "place {place}, {points}"),
    "HOW_GRID": both(
        "Baue aus allen deinen Steinen ein Raster, das zusammenhängt; jede Folge von zwei und mehr Buchstaben, "
        "waagerecht und senkrecht, muss ein Wort sein. Der Erste bekommt 4 Punkte, der Zweite 2; was zählt, ist der "
        "Eingang der Mail. Ein falsches Raster kostet nichts: Du erfährst die Fehler und baust weiter.",
        "Build a grid of all your tiles that hangs together; every run of two and more letters, across and down, must "
        "be a word. The first one gets 4 points, the second one 2; what counts is when the mail arrives. A wrong grid "
        "costs nothing: you hear its faults and build on.",
    ),
    "HOW_EXAMPLE": both(
        "Schreib es Zeile für Zeile unter die Zeile »Stand«, ohne Leerzeile: ein Punkt für jedes leere Feld vor und "
        "zwischen den Buchstaben, ein Stern hinter einem Joker. TEE mit EIS, das S ein Joker: »TEE«, »..I«, »..S*«.",
        "Write it row by row below the line “Stand”, without a blank line: a dot for every blank cell before and "
        "between the letters, a star after a joker. TEE with EIS, its S a joker: “TEE”, “..I”, “..S*”.",
    ),
    "HOW_ONE_LEFT": both(
        "Ein Stein darf übrig bleiben; dann gibt es 2 Punkte für den Ersten, 1 für den Zweiten.",
        "One tile may be left over; then the first one gets 2 points, the second one 1.",
    ),
    "SHORT_GRID": both(
        "Das Raster steht Zeile für Zeile unter »Stand«, ein Punkt für jedes leere Feld, ein Stern hinter einem Joker. "
        "Oder »passe«.",
        "The grid stands row by row below “Stand”, a dot for every blank cell, a star after a joker. Or “passe”.",
    ),
    "HOW_PASS": both(
        "Wer nicht mehr fertig werden will, schickt »passe« und wartet auf den nächsten Durchgang.",
        "If you don't want to go on building, send “passe” and wait for the next deal.",
    ),
}
_FINAL: Final[Wording] = {
    "HEAD_FIRSTS": both("Erste", "Firsts"),
    "HEAD_SECONDS": both("Zweite", "Seconds"),
    "DEAL": both("Durchgang {deal}", "Deal {deal}"),
    "NOBODY": both("Niemand ist fertig geworden.", "Nobody has finished."),
    "DEALT_TO": both("{seat} hatte {tiles}.", "{seat} had {tiles}."),
    "REST": both("Nicht verteilt: {tiles}.", "Not dealt: {tiles}."),
}
WORDING: Final[Wording] = {**COMMON, **_PARTS, **_PROBLEMS, **_SHEETS, **_EVENTS, **_VIEW, **_FINAL}


def tiles_text(rack: str) -> Text:
    """Show a rack: `AEEIU* BDFLMNR* (6 rote, 8 schwarze)`."""
    red, black = count_colours(rack)
    return say("TILES", tiles=shown(rack), red=red, black=black)
