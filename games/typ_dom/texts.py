"""What players read, in German and English."""

from collections.abc import Sequence
from typing import Final

from games.api import Text, Wording, both, say
from games.shared.phrases import COMMON, plain
from games.shared.tiles import count_colours, shown

_PARTS: Final[Wording] = {
    "NONE": both("nichts", "none"),
    "LISTED": both("{parts}", "{parts}"),
    "POINT": both("{points} Punkt", "{points} point"),
    "RED": both("{number} rot", "{number} red"),
    "BLACK": both("{number} schwarz", "{number} black"),
    "RED_TILES": both("rot {tiles}", "red {tiles}"),
    "BLACK_TILES": both("schwarz {tiles}", "black {tiles}"),
    "WORD_AND_WORD": both("{first} und {second}", "{first} and {second}"),
    "JOKERS": both("Joker auf dem Brett: {jokers}", "Jokers on the board: {jokers}"),
    "JOKER_FREE": both("{cell} steht für {letter} (tauschbar)", "{cell} stands for {letter} (may be taken)"),
    "JOKER_CLOSED": both("{cell} steht für {letter} (verbaut)", "{cell} stands for {letter} (built in)"),
}
_PROBLEMS: Final[Wording] = {
    "OVER_ALREADY": both("Die Partie ist zu Ende.", "The game is over."),
    "NOT_ON_TURN": both("Du bist nicht am Zug, sondern {seat}.", "It isn't your turn but that of {seat}."),
    "TURN_OTHER": both(
        "Der Block nennt Runde »{sent}«, gespielt wird Zug {turn}. Bitte die Zeile ändern oder weglassen.",
        "The block names round “{sent}”, but turn {turn} is being played. Please change that line or leave it out.",
    ),
    "UNREAD": both(
        "Nicht verstanden: »{line}«. Richtig ist zum Beispiel »Z26 w WORT«, »Jolly Z28 = E« oder »kaufen«.",
        "Not understood: “{line}”. Right is, for example, “Z26 w WORD”, “Jolly Z28 = E” or “kaufen” (buy).",
    ),
    "AFTER_THE_END": both(
        "Kaufen oder Passen beendet den Zug und gehört in die letzte Zeile.",
        "Buying or passing ends the turn and belongs into the last line.",
    ),
    "OVER_EDGE": both(
        "{word} ragt über den Rand: Das Brett geht von A1 bis AY51.",
        "{word} goes over the edge: the board reaches from A1 to AY51.",
    ),
    "OTHER_TILE": both("{cell}: Dort liegt {lies}, du schickst {sent}.", "{cell}: {lies} lies there, you send {sent}."),
    "TOO_SHORT_WORD": both("Ein Wort hat mindestens zwei Buchstaben.", "A word has two letters or more."),
    "WORD_GOES_ON": both(
        "{word} stößt an weitere Steine: {where} ergibt {run}. Schreib das ganze Wort.",
        "{word} touches more tiles: {where} makes {run}. Write the whole word.",
    ),
    "NOTHING_NEW": both(
        "{word} liegt schon da; ein Wort braucht mindestens einen neuen Stein.",
        "{word} lies there already; a word takes at least one new tile.",
    ),
    "NOT_CENTRE": both("{word}: Das erste Wort muss über Z26 gehen.", "{word}: the first word must cover Z26."),
    "NOT_JOINED": both(
        "{word} hat mit dem, was liegt, keinen Buchstaben gemeinsam.",
        "{word} has no letter in common with what lies.",
    ),
    "NOT_IN_RACK": both(
        "{cell}: Ein {letter} hast du nicht (mehr); du hast {rack}.",
        "{cell}: you have no {letter} (left); you have {rack}.",
    ),
    "NO_JOKER": both(
        "{cell}: Für {letter} hast du keinen passenden Joker (rot für A E I O U Y, schwarz für die übrigen); "
        "du hast {rack}.",
        "{cell}: you have no joker for {letter} (red for A E I O U Y, black for the others); you have {rack}.",
    ),
    "SMALL_ON_BLANK": both(
        "{cell}: Du schreibst {letter} klein, dort liegt aber nichts, und auf der Hand hast du es nicht: {rack}.",
        "{cell}: you write {letter} small, but nothing lies there, and you don't hold one: {rack}.",
    ),
    "RUN_REFUSED": both("{where} ergibt {word}: {reason}.", "{where} makes {word}: {reason}."),
    "NO_SECOND": both(
        "{word}: Ein zweites Wort darf nur, wer mit dem ersten mindestens zwei getrennte Stücke verbindet.",
        "{word}: a second word is only for those whose first one joins two or more separate stretches.",
    ),
    "NO_THIRD": both("{word}: Ein drittes Wort gibt es nicht.", "{word}: there is no third word."),
    "NO_JOKER_THERE": both("{cell}: Dort liegt kein Joker.", "{cell}: no joker lies there."),
    "JOKER_OTHER": both(
        "{cell}: Der Joker steht für {letter}, nicht für {sent}.", "{cell}: the joker stands for {letter}, not {sent}."
    ),
    "JOKER_BUILT_IN": both(
        "{cell}: Der Joker ist an drei oder vier Seiten verbaut und bleibt liegen.",
        "{cell}: the joker is built in on three or four sides and stays.",
    ),
    "WORD_AND_PURCHASE": both(
        "Gekauft wird nur, wenn kein Wort mehr kommt, nicht zusätzlich.",
        "You buy instead of a word, not as well.",
    ),
    "WORD_AND_PASS": both(
        "Wer ein Wort legt, passt nicht; lass die Zeile weg.", "Who lays a word doesn't pass; leave that line out."
    ),
    "MUST_BUY": both(
        "Solange noch Steine im Beutel sind, wird gekauft (»kaufen«), nicht gepasst.",
        "As long as there are tiles in the bag you buy (“kaufen”), you can't pass.",
    ),
    "TOO_MANY_BOUGHT": both(
        "Du willst {sent} Steine kaufen, erlaubt sind höchstens {most}.",
        "You want to buy {sent} tiles, {most} is the most.",
    ),
    "NOTHING_ENDS": both(
        "Nach dem Tausch fehlt noch ein Wort oder »kaufen« (oder »passe«, wenn nichts mehr zu kaufen ist).",
        "After the exchange a word is missing, or “kaufen” (buy; or “passe” when there is nothing left to buy).",
    ),
}
_REMARKS: Final[Wording] = {
    "CASE_NEW": both(
        "Neu, aber klein geschrieben: {cells}. Ich nehme sie als neu gelegt.",
        "New, but in lower case: {cells}. I take them as laid now.",
    ),
    "CASE_OLD": both(
        "Groß geschrieben, obwohl sie schon liegen: {cells}. Das schadet nicht.",
        "In capitals although they lie already: {cells}. That does no harm.",
    ),
    "STAR_OLD": both(
        "Mit Stern geschrieben, obwohl dort kein Joker liegt: {cells}.",
        "With a star although no joker lies there: {cells}.",
    ),
    "COLOUR_GONE": both(
        "So viele Steine dieser Farbe sind nicht mehr im Beutel; gekauft wird: {tiles}.",
        "The bag holds fewer tiles of that colour; bought: {tiles}.",
    ),
    "BAG_EMPTY": both("Der Beutel ist leer: Du passt.", "The bag is empty: you pass."),
    "OFFER_BUYS": both(
        "Der Block unten legt nur das erste Wort. Ohne zweites Wort kaufst du einen Stein; auch das steht darin.",
        "The block below lays the first word only. Without a second word you buy a tile; that is in it too.",
    ),
    "SECOND_BOUGHT": both(
        "Dein Wort verbindet zwei Stücke. Ein zweites Wort kommt nicht, also kaufst du einen Stein.",
        "Your word joins two stretches. No second word follows, so you buy a tile.",
    ),
    "SECOND_LOST": both(
        "Dein Wort verbindet zwei Stücke; ein zweites Wort hättest du noch legen dürfen.",
        "Your word joins two stretches; you might have laid a second one.",
    ),
}
_SHEETS: Final[Wording] = {
    "LABEL_JOKER": both("Joker", "Joker"),
    "LABEL_WORD": both("Wort", "Word"),
    "LABEL_BUY": both("Kauf", "Purchase"),
    "LABEL_TURN": both("Zug", "Turn"),
    "PASS": both("passe", "pass"),
    "EXCHANGE": both("{cell} gegen {letter}", "{cell} for {letter}"),
    "WORD_FOR": both("{word}, {points}", "{word}, {points}"),
}
_EVENTS: Final[Wording] = {
    "DEALT": both("Ausgeteilt ist, für alle gleich: {tiles}.", "Dealt to everybody: {tiles}."),
    "STARTS": both("{seat} beginnt.", "{seat} begins."),
    "EXCHANGED": both(
        "{seat} nimmt den Joker von {cell} und legt dafür {letter}.",
        "{seat} takes the joker from {cell} and puts {letter} there.",
    ),
    "LAID": both("{seat} legt {words}.", "{seat} lays {words}."),
    "LAID_FOR": both("{seat} legt {words}: {points}.", "{seat} lays {words}: {points}."),
    "BOUGHT": both("{seat} kauft: {tiles}.", "{seat} buys: {tiles}."),
    "NMR_BOUGHT": both(
        "Kein Zug von {seat} (NMR): gekauft wird {tiles}.", "No move from {seat} (NMR): bought {tiles}."
    ),
    "PASSED": both("{seat} passt.", "{seat} passes."),
    "NMR_PASSED": both("Kein Zug von {seat} (NMR): gepasst.", "No move from {seat} (NMR): passed."),
    "HAS_RESIGNED": both("{seat} scheidet aus.", "{seat} leaves the game."),
    "DREW": both("Deine neuen Steine: {tiles}.", "Your new tiles: {tiles}."),
    "OUT": both("{seat} hat alle Steine gelegt.", "{seat} has laid all tiles."),
    "ROUND_GOES_ON": both("Die Runde wird zu Ende gespielt.", "The round is played to its end."),
    "RESIGNED": both(
        "{seat} scheidet aus. Diese Steine legt niemand mehr, am Ende zählen sie noch: {tiles}.",
        "{seat} leaves the game. Nobody lays these tiles any more, but they count in the end: {tiles}.",
    ),
    "RESULT": both("{seat} {points}", "{seat} {points}"),
    "OVER": both("Die Partie ist zu Ende: {results}.", "The game is over: {results}."),
}
_VIEW: Final[Wording] = {
    "EXAMPLE": both(
        "Es liegen SEITE, STOCK und OHR. »AA25 s TiEr« verbindet das I von SEITE mit dem R von OHR; dafür kommt ein "
        "zweites Wort dazu: »AC26 s eIS«.",
        "SEITE, STOCK and OHR lie there. “AA25 s TiEr” joins the I of SEITE and the R of OHR, so there is a second "
        "word: “AC26 s eIS”.",
    ),
    "AIM": both(
        "Lege reihum Wörter auf das gemeinsame Brett. "
        "Wer zuerst alle Steine los ist, gewinnt, und die anderen zahlen, was sie noch auf der Hand haben.",
        "In turn, lay words on the common board. "
        "Whoever gets rid of all tiles first wins, and the others pay for what they still hold.",
    ),
    "OPTION_WORDS_DUDEN": both("Es gelten die Wörter des Wörterbuchs.", "The words of the dictionary count."),
    "OPTION_WORDS_NOUNS": both("Von den Wörtern gelten nur Hauptwörter und Namen.", "Only nouns and names count."),
    "OPTION_STAKE": both("Alle Zahlungen zählen {value}-fach.", "All payments count {value}-fold."),
    "HEADLINE_STARTS": both("{seat} beginnt", "{seat} begins"),
    "HEADLINE_LAID": both("{seat} legt {words}", "{seat} lays {words}"),
    "HEADLINE_BOUGHT": both("{seat} kauft", "{seat} buys"),
    "HEADLINE_PASSED": both("{seat} passt", "{seat} passes"),
    "HEADLINE_MISSED": both("Kein Zug von {seat}", "No move from {seat}"),
    "HEADLINE_RESIGNED": both("{seat} scheidet aus", "{seat} leaves the game"),
    "BOARD": both("Brett", "Board"),
    "LEGEND": both(
        "GROSS = zuletzt gelegt (von {seat}), klein = vorher, * = Joker",
        "CAPITALS = laid last (by {seat}), small = before, * = joker",
    ),
    "LEGEND_OLD": both("Zuletzt kam kein Stein dazu. * = Joker", "The last turn brought no tile. * = joker"),
    "EMPTY_BOARD": both("Noch leer; das erste Wort geht über Z26.", "Still empty; the first word covers Z26."),
    "RECENTLY": both("Zuletzt", "Recently"),
    "ON_TURN": both("Am Zug: {seat} (Zug {turn})", "To move: {seat} (turn {turn})"),
    "SEATS": both("Steine am Ende", "Tiles at the end"),
    "HEAD_RED": both("rot", "red"),
    "HEAD_BLACK": both("schwarz", "black"),
    "BAG": both("Im Beutel: {tiles}", "In the bag: {tiles}"),
    "BAG_LEFT": both("Im Beutel blieben", "Left in the bag"),
    "LAST_ROUND": both(
        "{seat} hat alle Steine gelegt: Die Runde wird zu Ende gespielt.",
        "{seat} has laid all tiles: the round is played to its end.",
    ),
    "YOUR_RACK": both("Deine Steine", "Your tiles"),
    "ALL_RACKS": both("Alle Steine", "All tiles"),
    "RACK_OF": both("{seat}: {tiles}", "{seat}: {tiles}"),
    "LAID_AT": both("Runde {round} ({cells})", "round {round} ({cells})"),
    "ON_FILE": both("Dein Zug wartet auf den GM", "Your move waits for the GM"),
    "HOW_WORD": both(
        "Leg ein Wort: Feld des ersten Buchstabens, w (waagerecht) oder s (senkrecht), dann jeden Buchstaben; neue "
        "GROSS, liegende klein, ein Joker als Buchstabe mit Stern. »B2 s WoRT*« hieße: W, R und ein Joker als T kommen "
        "ab B2 nach unten dazu, das O liegt schon. Was sich berührt, muss ein Wort ergeben.",
        "Lay a word: the cell of its first letter, w (across) or s (down), then every letter; new ones in CAPITALS, "
        "those that lie small, a joker as a letter with a star. “B2 s WoRT*” would mean: W, R and a joker as T come "
        "down from B2, the O lies there already. All that touches must make a word.",
    ),
    "HOW_SECOND_DUTY": both(
        "Verbindet dein Wort zwei getrennte Stücke, schreib ein zweites darunter; fehlt es, kaufst du einen Stein.",
        "If your word joins two separate stretches, write a second one below; without it you buy a tile.",
    ),
    "HOW_JOKER": both(
        "Einen Joker mit weniger als drei Nachbarn darfst du gegen seinen Buchstaben tauschen: »Jolly Z28 = E«.",
        "A joker with fewer than three neighbours may be taken for its letter: “Jolly Z28 = E”.",
    ),
    "HOW_BUY_ONE": both(
        "Ohne Wort: »kaufen«, »kaufen rot« oder »kaufen schwarz«.",
        "Without a word: “kaufen” (buy), “kaufen rot” (red) or “kaufen schwarz” (black).",
    ),
    "SHORT_WORD": both(
        "Ein Wort wie »B2 s WoRT*«: Feld, w oder s, neue Buchstaben GROSS, liegende klein, Joker mit Stern.",
        "A word like “B2 s WoRT*”: cell, w or s, new letters in CAPITALS, those that lie small, a joker with a star.",
    ),
    "SHORT_BUY_ONE": both(
        "Ein Joker: »Jolly Z28 = E«. Ohne Wort: »kaufen«, »kaufen rot« oder »kaufen schwarz«.",
        "A joker: “Jolly Z28 = E”. Without a word: “kaufen” (buy), “kaufen rot” (red) or “kaufen schwarz” (black).",
    ),
}
_FINAL: Final[Wording] = {
    "REST_OF": both("Rest von {seat}: {tiles}", "Rest of {seat}: {tiles}"),
    "HEAD_WORTH": both("Wert", "Worth"),
    "HEAD_PAID": both("Punkte", "Points"),
    "WORTHS": both("Schwarz zählt 1, rot 3, ein Joker 10.", "Black counts 1, red 3, a joker 10."),
    "STAKE_2": both("doppelt", "twice"),
    "STAKE_4": both("vierfach", "four times"),
    "STAKE": both("Alle Zahlungen zählen {stake}.", "All payments count {stake}."),
    "WON_OUT": both(
        "{seat} hat alle Steine gelegt und bekommt, was die anderen übrig haben.",
        "{seat} has laid all tiles and is paid what the others have left.",
    ),
    "WON_ALONE": both(
        "Nur {seat} ist noch im Spiel und bekommt, was die anderen übrig haben.",
        "Only {seat} is still in play and is paid what the others have left.",
    ),
    "WON_ALL_LEFT": both("Niemand gewinnt.", "Nobody wins."),
    "STUCK": both("Der Beutel ist leer, und niemand legt mehr.", "The bag is empty, and nobody lays a word any more."),
    "WON_FEWEST": both(
        "{seat} hält am wenigsten ({points}) und bekommt, was die anderen übrig haben.",
        "{seat} holds least ({points}) and is paid what the others have left.",
    ),
    "WON_NOBODY": both(
        "Mehrere halten gleich wenig: Niemand gewinnt, niemand zahlt. Die nächste Partie zählt {stake}.",
        "Several hold equally little: nobody wins, nobody pays. The next game counts {stake}.",
    ),
}
WORDING: Final[Wording] = {**COMMON, **_PARTS, **_PROBLEMS, **_REMARKS, **_SHEETS, **_EVENTS, **_VIEW, **_FINAL}


def points_text(points: int) -> Text:
    """Write `1 Punkt`, `90 Punkte`."""
    return say("POINT", points=points) if abs(points) == 1 else say("POINTS", points=points)


def colours_text(red: int, black: int) -> Text:
    """Write a number of tiles: `1 rot`, `2 rot, 1 schwarz`."""
    parts = [say("RED", number=red)] if red else []
    parts += [say("BLACK", number=black)] if black else []
    return say("LISTED", parts=tuple(parts)) if parts else say("NONE")


def rack_text(tiles: str) -> Text:
    """Write tiles with their colours: `rot E I *, schwarz D F`."""
    red, _ = count_colours(tiles)
    row = shown(tiles).replace(" ", "")
    parts = [say("RED_TILES", tiles=" ".join(row[:red]))] if red else []
    parts += [say("BLACK_TILES", tiles=" ".join(row[red:]))] if row[red:] else []
    return say("LISTED", parts=tuple(parts)) if parts else say("NONE")


def word_text(words: Sequence[str]) -> Text:
    """Write one word or two: `TIER`, `TIER und EIS`."""
    if len(words) == 2:
        return say("WORD_AND_WORD", first=words[0], second=words[1])
    return plain(" ".join(words))
