"""What players read, in German and English."""

from typing import Final

from games.api import Language, Wording


def _both(de: str, en: str) -> dict[Language, str]:
    return {"de": de, "en": en}


_COMMON: Final[Wording] = {
    "PLAIN": _both("{text}", "{text}"),
    "SEAT": _both("{seat}", "{seat}"),
    "WHERE_0": _both("oben", "above"),
    "WHERE_1": _both("rechts", "to the right"),
    "WHERE_2": _both("unten", "below"),
    "WHERE_3": _both("links", "to the left"),
    "SIDE_0": _both("oben", "at the top"),
    "SIDE_1": _both("rechts", "on the right"),
    "SIDE_2": _both("unten", "at the bottom"),
    "SIDE_3": _both("links", "on the left"),
    "NEIGHBOUR": _both("{where} {neighbour}", "{where} {neighbour}"),
}

_PROBLEMS: Final[Wording] = {
    "OVER": _both("Die Partie ist zu Ende.", "The game is over."),
    "NOT_ON_TURN": _both("Am Zug ist {seat}, nicht du.", "It is {seat}'s turn, not yours."),
    "MUST_LAY": _both(
        "Passen geht nur, wenn kein Stein passt; bei dir passt einer. Einen musst du legen, weitere darfst du.",
        "Passing is for when no tile fits; one of yours does. You must lay one, and may lay more.",
    ),
    "UNREADABLE": _both(
        "»{line}« kann ich nicht lesen. Nötig sind Stein, Spalte, Zeile und die Farbe, die oben liegt: »a3 1,0 ge«.",
        "I can't read “{line}”. It should be tile, column, row and the colour that is up: “a3 1,0 ge”.",
    ),
    "NO_TILE": _both(
        "Einen Stein {tile} gibt es nicht, nur a1 bis a6, b1 bis b6 und so weiter bis e6.",
        "There is no tile {tile}, only a1 to a6, b1 to b6 and so on up to e6.",
    ),
    "LAID_TWICE": _both("{tile} liegt in deinem Zug schon.", "{tile} lies already, by your own move."),
    "NOT_YOURS": _both("{tile} hast du nicht. Du hast: {hand}.", "You don't hold {tile}. You hold: {hand}."),
    "NO_COLOUR": _both(
        "{tile}: »{sent}« ist keine Farbe. Auf dem Stein sind {colours}.",
        "{tile}: “{sent}” is no colour. On the tile are {colours}.",
    ),
    "NOT_ON_TILE": _both(
        "{tile}: Die Farbe {sent} ist nicht auf dem Stein. Darauf sind {colours}.",
        "{tile}: the colour {sent} is not on the tile. On it are {colours}.",
    ),
    "OCCUPIED": _both("{tile}: Auf {place} liegt schon {lies}.", "{tile}: {lies} lies at {place} already."),
    "ALONE": _both(
        "{tile}: Neben {place} liegt nichts. Jeder Stein muss einen anderen berühren.",
        "{tile}: nothing lies beside {place}. Every tile must touch another one.",
    ),
    "NO_TURN": _both(
        "{tile} passt auf {place} nicht, wie man ihn auch dreht. Dort liegt: {neighbours}.",
        "{tile} doesn't fit at {place}, whichever way it is turned. There lies: {neighbours}.",
    ),
    "MISFIT": _both(
        "{tile} auf {place}: {where} liegt {neighbour}: {side} {theirs}, bei dir {ours}.",
        "{tile} at {place}: {where} lies {neighbour}: {side} {theirs}, on yours {ours}.",
    ),
    "MISFIT_TOUCHING": _both(
        "{tile} auf {place}: {where} liegt {neighbour}: Dort grenzt {theirs} an, bei dir ist {side} {ours}.",
        "{tile} at {place}: {where} lies {neighbour}: {theirs} touches there, yours has {ours} {side}.",
    ),
}

_SHEETS: Final[Wording] = {
    "UNREAD": _both("Nicht gelesen: »{line}«.", "Not read: “{line}”."),
    "BUYS_ITSELF": _both(
        "Gekauft wird von selbst, sobald kein Stein passt.", "Tiles are bought without asking as soon as none fits."
    ),
    "MIDDLE": _both(
        "Der erste Stein liegt immer auf 0,0: {tile} und was dazu gehört habe ich dorthin gerückt.",
        "The first tile always lies at 0,0: I moved {tile} there, and the others with it.",
    ),
    "LABEL_LAID": _both("Gelegt", "Laid"),
    "LABEL_SQUARES": _both("Quadrate", "Squares"),
    "LABEL_LEFT": _both("In der Hand", "In hand"),
    "NONE_LEFT": _both("nichts mehr", "nothing"),
}

_EVENTS: Final[Wording] = {
    "BEGINS": _both("{seat} beginnt (ausgelost).", "{seat} begins (drawn by lot)."),
    "LAYS": _both("{seat} legt {tiles}.", "{seat} lays {tiles}."),
    "SQUARE": _both(
        "{tile} schließt ein Quadrat: {seat} bekommt von allen, die noch spielen, eine Marke, zusammen {counters}.",
        "{tile} completes a square: {seat} gets a counter from everybody who still plays, {counters} in all.",
    ),
    "SQUARES": _both(
        "{tile} schließt {number} Quadrate: {seat} bekommt von allen, die noch spielen, für jedes eine Marke, "
        "zusammen {counters}.",
        "{tile} completes {number} squares: {seat} gets a counter for each from everybody who still plays, "
        "{counters} in all.",
    ),
    "OUT": _both(
        "{seat} hat keinen Stein mehr ({number}.) und bekommt {counters} Marken: {shares}.",
        "{seat} is out of tiles (no. {number}) and gets {counters} counters: {shares}.",
    ),
    "SHARE": _both("{seat} {counters}", "{seat} {counters}"),
    "BOUGHT_ONE": _both("{seat} kann nicht legen und kauft einen Stein.", "{seat} can't lay and buys one tile."),
    "BOUGHT": _both("{seat} kann nicht legen und kauft {number} Steine.", "{seat} can't lay and buys {number} tiles."),
    "DREW": _both("Du hast gekauft: {tiles}.", "You bought: {tiles}."),
    "PASSED": _both(
        "{seat} kann nicht legen, und es ist nichts mehr zu kaufen: gepasst.",
        "{seat} can't lay, and nothing is left to buy: passed.",
    ),
    "NMR_BOUGHT": _both(
        "Kein Zug von {seat} (NMR): Ein Stein wird gekauft.", "No move from {seat} (NMR): one tile is bought."
    ),
    "NMR_PASSED": _both(
        "Kein Zug von {seat} (NMR), und es ist nichts mehr zu kaufen: gepasst.",
        "No move from {seat} (NMR), and nothing is left to buy: passed.",
    ),
    "RESIGNED": _both(
        "{seat} gibt auf und wird übergangen; die Steine sind aus dem Spiel.",
        "{seat} resigns and is skipped; the tiles are out of play.",
    ),
    "WINNER": _both("Gewinner der Partie: {seat}.", "Winner of the game: {seat}."),
}

_VIEW: Final[Wording] = {
    "HEADLINE_NMR": _both("{seat}: NMR", "{seat}: NMR"),
    "HEADLINE_ONE": _both("{seat} legt {tile}", "{seat} lays {tile}"),
    "HEADLINE_SOME": _both("{seat} legt {tiles} und {last}", "{seat} lays {tiles} and {last}"),
    "HEADLINE_MANY": _both("{seat} legt {number} Steine", "{seat} lays {number} tiles"),
    "TABLE": _both("Tisch", "Table"),
    "TABLE_EMPTY": _both("Noch liegt kein Stein.", "No tile lies yet."),
    "LEGEND": _both(
        "Jeder Stein: in der Mitte sein Name, ringsum seine Farben (rt rot, gn grün, sw schwarz, ge gelb, bl blau). "
        "Oben stehen die Spalten, links die Zeilen; ein Punkt ist ein freier Platz.",
        "Each tile: in the middle its name, around it its colours (rt red, gn green, sw black, ge yellow, bl blue). "
        "Columns are named at the top, rows on the left; a dot is a free place.",
    ),
    "NEW": _both("Mit GROSSEM Namen: zuletzt gelegt.", "With a CAPITAL name: laid last."),
    "TURN": _both("Zug {number}: {seat}", "Turn {number}: {seat}"),
    "REST": _both("Verdeckter Rest: {number}", "Tiles to buy: {number}"),
    "REST_NONE": _both("Der verdeckte Rest ist aufgebraucht.", "No tile is left to buy."),
    "HAND": _both("Deine Steine ({number})", "Your tiles ({number})"),
    "HOW_LINE": _both(
        "Ein Stein je Zeile, mit Spalte, Zeile und der Farbe, die nach oben kommt: »a3 1,0 ge« legt a3 auf Spalte 1, "
        "Zeile 0, Gelb oben. Die Farbe darf fehlen: Neben einem Stein passt höchstens eine Drehung.",
        "A tile a line, with column, row and the colour that is up: “a3 1,0 ge” lays a3 at column 1, row 0, yellow up. "
        "You may leave out the colour: beside a tile no more than one turn fits.",
    ),
    "HOW_FIRST": _both(
        "Der erste Stein liegt auf 0,0. Lege mindestens einen, danach so viele du willst.",
        "The first tile lies at 0,0. Lay at least one, then as many as you like.",
    ),
    "HOW_FIT": _both(
        "Die Farben müssen an der Berührung und an beiden Seiten weitergehen. Lege mindestens einen Stein, danach so "
        "viele du willst; dein Zug gilt sofort.",
        "The colours must go on where tiles touch and on both sides. Lay at least one tile, then as many as you like; "
        "your move takes effect at once.",
    ),
    "HEAD_RANK": _both("Pl.", "Rank"),
    "HEAD_NAME": _both("Name", "Name"),
    "HEAD_TILES": _both("Steine", "Tiles"),
    "HEAD_COUNTERS": _both("Marken", "Counters"),
    "HEAD_NOTE": _both("", ""),
    "NOTE_OUT": _both("fertig als {number}.", "out as no. {number}"),
    "NOTE_RESIGNED": _both("aufgegeben", "resigned"),
    "NOTE_TURN": _both("am Zug", "on turn"),
}

_FINAL: Final[Wording] = {
    "RANKING": _both("Endstand", "Final standings"),
    "RULE_FIRST_OUT": _both(
        "Gewinner ist, wer zuerst fertig war; gereiht wird nach Marken.",
        "The winner is who was out of tiles first; the ranking is by counters.",
    ),
    "RULE_COUNTERS": _both(
        "Gewinner ist, wer die meisten Marken hat (Option der Partie).",
        "The winner is who has most counters (an option of this game).",
    ),
    "NOTE_WINNER": _both("GEWINNER", "WINNER"),
    "NOTE_WINNER_OUT": _both("GEWINNER (zuerst fertig)", "WINNER (first out)"),
    "LEFT_TITLE": _both("Was verdeckt war", "What was hidden"),
    "LEFT": _both("{seat} hat noch {tiles}.", "{seat} still holds {tiles}."),
    "LEFT_REST": _both("Im Rest lagen {tiles}.", "To be bought were {tiles}."),
    "LEFT_NOTHING": _both("Alle Steine sind gelegt.", "All tiles are laid."),
}

WORDING: Final[Wording] = {**_COMMON, **_PROBLEMS, **_SHEETS, **_EVENTS, **_VIEW, **_FINAL}
