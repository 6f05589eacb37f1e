"""What players read, in German and English."""

from typing import Final

from games.api import Wording, both
from games.shared.phrases import COMMON

_PARTS: Final[Wording] = {
    "WHERE_0": both("oben", "above"),
    "WHERE_1": both("rechts", "to the right"),
    "WHERE_2": both("unten", "below"),
    "WHERE_3": both("links", "to the left"),
    "SIDE_0": both("oben", "at the top"),
    "SIDE_1": both("rechts", "on the right"),
    "SIDE_2": both("unten", "at the bottom"),
    "SIDE_3": both("links", "on the left"),
    "NEIGHBOUR": both("{where} {neighbour}", "{where} {neighbour}"),
}

_PROBLEMS: Final[Wording] = {
    "OVER": both("Die Partie ist zu Ende.", "The game is over."),
    "NOT_ON_TURN": both("Am Zug ist {seat}, nicht du.", "It is {seat}'s turn, not yours."),
    "MUST_LAY": both(
        "Passen geht nur, wenn kein Stein passt; bei dir passt einer. Einen musst du legen, weitere darfst du.",
        "Passing is for when no tile fits; one of yours does. You must lay one, and may lay more.",
    ),
    "UNREADABLE": both(
        "»{line}« kann ich nicht lesen. Nötig sind Stein, Spalte, Zeile und die Farbe, die oben liegt: »a3 1,0 ge«.",
        "I can't read “{line}”. It should be tile, column, row and the colour that is up: “a3 1,0 ge”.",
    ),
    "NO_TILE": both(
        "Einen Stein {tile} gibt es nicht, nur a1 bis a6, b1 bis b6 und so weiter bis e6.",
        "There is no tile {tile}, only a1 to a6, b1 to b6 and so on up to e6.",
    ),
    "LAID_TWICE": both("{tile} liegt in deinem Zug schon.", "{tile} lies already, by your own move."),
    "NOT_YOURS": both("{tile} hast du nicht. Du hast: {hand}.", "You don't hold {tile}. You hold: {hand}."),
    "NO_COLOUR": both(
        "{tile}: »{sent}« ist keine Farbe. Auf dem Stein sind {colours}.",
        "{tile}: “{sent}” is no colour. On the tile are {colours}.",
    ),
    "NOT_ON_TILE": both(
        "{tile}: Die Farbe {sent} ist nicht auf dem Stein. Darauf sind {colours}.",
        "{tile}: the colour {sent} is not on the tile. On it are {colours}.",
    ),
    "OCCUPIED": both("{tile}: Auf {place} liegt schon {lies}.", "{tile}: {lies} lies at {place} already."),
    "ALONE": both(
        "{tile}: Neben {place} liegt nichts. Jeder Stein muss einen anderen berühren.",
        "{tile}: nothing lies beside {place}. Every tile must touch another one.",
    ),
    "NO_TURN": both(
        "{tile} passt auf {place} nicht, wie man ihn auch dreht. Dort liegt: {neighbours}.",
        "{tile} doesn't fit at {place}, whichever way it is turned. There lies: {neighbours}.",
    ),
    "MISFIT": both(
        "{tile} auf {place}: {where} liegt {neighbour}: {side} {theirs}, bei dir {ours}.",
        "{tile} at {place}: {where} lies {neighbour}: {side} {theirs}, on yours {ours}.",
    ),
    "MISFIT_TOUCHING": both(
        "{tile} auf {place}: {where} liegt {neighbour}: Dort grenzt {theirs} an, bei dir ist {side} {ours}.",
        "{tile} at {place}: {where} lies {neighbour}: {theirs} touches there, yours has {ours} {side}.",
    ),
}

_SHEETS: Final[Wording] = {
    "BUYS_ITSELF": both(
        "Gekauft wird von selbst, sobald kein Stein passt.", "Tiles are bought without asking as soon as none fits."
    ),
    "MIDDLE": both(
        "Der erste Stein liegt immer auf 0,0: {tile} und was dazu gehört habe ich dorthin gerückt.",
        "The first tile always lies at 0,0: I moved {tile} there, and the others with it.",
    ),
    "LABEL_LAID": both("Gelegt", "Laid"),
    "LABEL_SQUARES": both("Quadrate", "Squares"),
    "LABEL_LEFT": both("In der Hand", "In hand"),
    "NONE_LEFT": both("nichts mehr", "nothing"),
}

_EVENTS: Final[Wording] = {
    "BEGINS": both("{seat} beginnt (ausgelost).", "{seat} begins (drawn by lot)."),
    "LAYS": both("{seat} legt {tiles}.", "{seat} lays {tiles}."),
    "SQUARE": both(
        "{tile} schließt ein Quadrat: {seat} bekommt von allen, die noch spielen, eine Marke, zusammen {counters}.",
        "{tile} completes a square: {seat} gets a counter from everybody who still plays, {counters} in all.",
    ),
    "SQUARES": both(
        "{tile} schließt {number} Quadrate: {seat} bekommt von allen, die noch spielen, für jedes eine Marke, "
        "zusammen {counters}.",
        "{tile} completes {number} squares: {seat} gets a counter for each from everybody who still plays, "
        "{counters} in all.",
    ),
    "OUT": both(
        "{seat} hat keinen Stein mehr ({number}.) und bekommt {counters} Marken: {shares}.",
        "{seat} is out of tiles (no. {number}) and gets {counters} counters: {shares}.",
    ),
    "OUT_ONE": both(
        "{seat} hat keinen Stein mehr ({number}.) und bekommt eine Marke: {shares}.",
        "{seat} is out of tiles (no. {number}) and gets one counter: {shares}.",
    ),
    "SHARE": both("{seat} {counters}", "{seat} {counters}"),
    "BOUGHT_ONE": both("{seat} kann nicht legen und kauft einen Stein.", "{seat} can't lay and buys one tile."),
    "BOUGHT": both("{seat} kann nicht legen und kauft {number} Steine.", "{seat} can't lay and buys {number} tiles."),
    "DREW": both("Du hast gekauft: {tiles}.", "You bought: {tiles}."),
    "PASSED": both(
        "{seat} kann nicht legen, und es ist nichts mehr zu kaufen: gepasst.",
        "{seat} can't lay, and nothing is left to buy: passed.",
    ),
    "NMR_BOUGHT": both(
        "Kein Zug von {seat} (NMR): Ein Stein wird gekauft.", "No move from {seat} (NMR): one tile is bought."
    ),
    "NMR_PASSED": both(
        "Kein Zug von {seat} (NMR), und es ist nichts mehr zu kaufen: gepasst.",
        "No move from {seat} (NMR), and nothing is left to buy: passed.",
    ),
    "RESIGNED": both(
        "{seat} scheidet aus und wird übergangen; wer fertig wird, bekommt für die Steine noch Marken.",
        "{seat} leaves the game and is skipped; whoever gets out is still paid for the tiles.",
    ),
    "HOW_FIRST_OUT": both("gewinnt (zuerst fertig)", "wins (out first)"),
    "HOW_WINS": both("gewinnt", "wins"),
    "HOW_WIN": both("gewinnen", "win"),
    "WINNER": both("Gewinner der Partie: {seat}.", "Winner of the game: {seat}."),
}

_VIEW: Final[Wording] = {
    "EXAMPLE": both(
        "»a2 0,1 ge« und »e1 1,1 ge«: Jede Seite passt zu ihrem Nachbarn, und der zweite Stein schließt ein Quadrat.",
        "“a2 0,1 ge” and “e1 1,1 ge”: each side fits its neighbour, and the second tile closes a square.",
    ),
    "AIM": both(
        "Lege Steine an, die zu jedem Nachbarn in den Farben passen, und werde deine Steine los. "
        "Geschlossene Quadrate bringen Gewinnmarken; es gewinnt, wer zuerst fertig ist.",
        "Lay tiles whose colours fit every neighbour, and get rid of your tiles. "
        "Closed squares bring counters; whoever is out first wins.",
    ),
    "OPTION_WINNER": both("Es gewinnt, wer die meisten Marken hat.", "Who has most counters wins."),
    "HEADLINE_NMR": both("Kein Zug von {seat}", "No move from {seat}"),
    "HEADLINE_ONE": both("{seat} legt {tile}", "{seat} lays {tile}"),
    "HEADLINE_SOME": both("{seat} legt {tiles} und {last}", "{seat} lays {tiles} and {last}"),
    "HEADLINE_MANY": both("{seat} legt {number} Steine", "{seat} lays {number} tiles"),
    "TABLE": both("Tisch", "Table"),
    "TABLE_EMPTY": both("Noch liegt kein Stein.", "No tile lies yet."),
    "LEGEND": both(
        "Jeder Stein: in der Mitte sein Name, ringsum seine Farben (rt rot, gn grün, sw schwarz, ge gelb, bl blau). "
        "Oben stehen die Spalten, links die Zeilen; ein Punkt ist ein freier Platz.",
        "Each tile: in the middle its name, around it its colours (rt red, gn green, sw black, ge yellow, bl blue). "
        "Columns are named at the top, rows on the left; a dot is a free place.",
    ),
    "NEW": both("Mit Rand oder GROSSEM Namen: zuletzt gelegt.", "With an edge or a CAPITAL name: laid last."),
    "TURN": both("Zug {number}: {seat}", "Turn {number}: {seat}"),
    "REST": both("Verdeckter Rest: {number}", "Tiles to buy: {number}"),
    "REST_NONE": both("Der verdeckte Rest ist aufgebraucht.", "No tile is left to buy."),
    "HAND": both("Deine Steine ({number})", "Your tiles ({number})"),
    "ALL_HANDS": both("Alle Steine", "All tiles"),
    "NEXT_REST": both("Im verdeckten Rest, der nächste zuerst: {tiles}", "To be bought, the next one first: {tiles}"),
    "HOW_LINE": both(
        "Ein Stein je Zeile, mit Spalte, Zeile und der Farbe, die nach oben kommt: »a3 7,-5 ge« legt a3 auf Spalte 7, "
        "Zeile -5, Gelb oben. Die Farbe darf fehlen: Neben einem Stein passt höchstens eine Drehung.",
        "A tile a line, with column, row and the colour that is up: “a3 7,-5 ge” lays a3 at column 7, row -5, yellow "
        "up. You may leave out the colour: beside a tile no more than one turn fits.",
    ),
    "HOW_FIRST": both(
        "Der erste Stein liegt auf 0,0. Lege mindestens einen, danach so viele du willst.",
        "The first tile lies at 0,0. Lay at least one, then as many as you like.",
    ),
    "HOW_FIT": both(
        "Die Farben müssen an der Berührung und an beiden Seiten weitergehen. Lege mindestens einen Stein, danach so "
        "viele du willst; dein Zug gilt sofort.",
        "The colours must go on where tiles touch and on both sides. Lay at least one tile, then as many as you like; "
        "your move takes effect at once.",
    ),
    "HEAD_TILES": both("Steine", "Tiles"),
    "HEAD_COUNTERS": both("Marken", "Counters"),
    "HEAD_NOTE": both("", ""),
    "NOTE_OUT": both("fertig als {number}.", "out as no. {number}"),
    "NOTE_RESIGNED": both("ausgeschieden", "left"),
    "NOTE_TURN": both("am Zug", "on turn"),
}

_FINAL: Final[Wording] = {
    "RULE_FIRST_OUT": both(
        "Gewinner ist, wer zuerst fertig war; gereiht wird nach Marken.",
        "The winner is who was out of tiles first; the ranking is by counters.",
    ),
    "RULE_COUNTERS": both(
        "Gewinner ist, wer die meisten Marken hat (Option der Partie).",
        "The winner is who has most counters (an option of this game).",
    ),
    "NOTE_WINNER": both("GEWINNER", "WINNER"),
    "NOTE_WINNER_OUT": both("GEWINNER (zuerst fertig)", "WINNER (first out)"),
    "LEFT_TITLE": both("Was verdeckt war", "What was hidden"),
    "LEFT": both("{seat} hat noch {tiles}.", "{seat} still holds {tiles}."),
    "LEFT_REST": both("Im Rest lagen {tiles}.", "To be bought were {tiles}."),
    "LEFT_NOTHING": both("Alle Steine sind gelegt.", "All tiles are laid."),
}

WORDING: Final[Wording] = {**COMMON, **_PARTS, **_PROBLEMS, **_SHEETS, **_EVENTS, **_VIEW, **_FINAL}
