"""What players read, in German and English."""

from typing import Final

from games.api import Text, Wording, both, say
from games.shared.phrases import COMMON
from games.shared.tiles import count_colours, shown
from games.wer_behaelt_recht.rules import Side

_PARTS: Final[Wording] = {
    "RED": both("roten", "red"),
    "BLACK": both("schwarzen", "black"),
    "RED_JOKER": both("Joker (rot)", "joker (red)"),
    "BLACK_JOKER": both("Joker (schwarz)", "joker (black)"),
    "FRONT": both("vorn", "in front"),
    "BACK": both("hinten", "behind"),
    "CENTRE": both("in die Mitte", "in the centre"),
    "CROSSING": both("bei {cell} {side}", "at {cell} {side}"),
    "TILES": both("{tiles} ({red} rote, {black} schwarze)", "{tiles} ({red} red, {black} black)"),
    "NO_TILES": both("keine Steine", "no tiles"),
    "ACROSS": both("waagerecht", "across"),
    "DOWN": both("senkrecht", "down"),
    "STAKE_2": both("doppelt", "twice"),
    "STAKE_4": both("vierfach", "four times"),
}
_PROBLEMS: Final[Wording] = {
    "ENDED": both("Die Partie ist zu Ende.", "The game is over."),
    "NOT_ON_TURN": both("Du bist nicht am Zug, sondern {seat}.", "It is not your turn but {seat}'s."),
    "TURN_OTHER": both(
        "Der Block nennt Zug »{sent}«, gespielt wird Zug {turn}. Bitte die Zeile ändern oder weglassen.",
        "The block names turn “{sent}”, but turn {turn} is being played. Please change that line or leave it out.",
    ),
    "UNREAD": both(
        "»{line}« verstehe ich nicht. Möglich sind zum Beispiel »vorn L SPIEL«, »hinten L«, »kaufen« und »weiter«.",
        "I don't understand “{line}”. Possible are, for example, “front L SPIEL”, “back L”, “buy” and “pass”.",
    ),
    "NEW_FORM": both(
        "»neu {line}« verstehe ich nicht. Richtig ist zum Beispiel »neu Z26 s vorn L SPIEL«: das Feld, in dem das neue "
        "Wort kreuzt, die Richtung (w oder s), vorn oder hinten, der Stein, das Wort.",
        "I don't understand “new {line}”. Right is, for example, “new Z26 s front L SPIEL”: the cell where the new "
        "word crosses, the direction (w across, s down), front or back, the tile, the word.",
    ),
    "NO_TILE": both(
        "»{sent}« ist kein Stein; richtig ist ein Buchstabe von A bis Z, beim Joker mit Stern (E*).",
        "“{sent}” is no tile; right is a letter from A to Z, with a star for a joker (E*).",
    ),
    "NO_TILE_AT_ALL": both(
        "Es fehlt der Stein, zum Beispiel »vorn L SPIEL«.", "The tile is missing, for example “front L SPIEL”."
    ),
    "NO_WORD_SIGNS": both(
        "{word} enthält andere Zeichen als A bis Z, Umlaute und ß.",
        "{word} holds signs other than A to Z, umlauts and ß.",
    ),
    "WORD_NEEDED": both(
        "Zum {letter} gehört ein Wort: Wer ein neues Wort beginnt, sagt es an.",
        "A word belongs to the {letter}: whoever begins a new word announces it.",
    ),
    "TWO_WORDS": both(
        "Hinter {word} steht noch »{rest}«. Angesagt wird ein einziges Wort, ohne Leerzeichen.",
        "After {word} there is still “{rest}”. A single word is announced, without blanks.",
    ),
    "WORD_LENGTH": both("»{word}« hat nicht 2 bis 51 Buchstaben.", "“{word}” doesn't have 2 to 51 letters."),
    "BUY_ONE": both("Je Zug wird ein einziger Stein gekauft.", "A single tile is bought in a turn."),
    "BUY_FIRST": both(
        "Gekauft wird vor dem Setzen: »kaufen« gehört über die Zeile mit dem Stein.",
        "Buying comes before laying: “buy” belongs above the line with the tile.",
    ),
    "BOUGHT_ALREADY": both(
        "Du hast in diesem Zug schon gekauft. Setze einen Stein oder schicke »weiter«.",
        "You have bought in this turn already. Lay a tile or send “pass”.",
    ),
    "BAG_EMPTY": both(
        "Es gibt nichts mehr zu kaufen. Setze einen Stein oder schicke »weiter«.",
        "There is nothing left to buy. Lay a tile or send “pass”.",
    ),
    "BUY_BEFORE_PASSING": both(
        "»weiter« geht erst nach »kaufen«, solange noch Steine da sind.",
        "“pass” comes only after “buy” while there are tiles left.",
    ),
    "PASS_OR_TILE": both(
        "Entweder einen Stein setzen oder »weiter«, nicht beides.", "Either lay a tile or “pass”, not both."
    ),
    "TOO_MANY_TILES": both(
        "»{line}« ist ein Stein zu viel: Gesetzt wird einer, als Prämie höchstens ein zweiter.",
        "“{line}” is one tile too many: one is laid, and a second one at most, as a premium.",
    ),
    "NO_JOKER_THERE": both("{cell}: Dort liegt kein Joker.", "{cell}: no joker lies there."),
    "JOKER_STANDS_FOR": both(
        "{cell}: Der Joker steht dort für {letter}, nicht für {sent}.",
        "{cell}: the joker there stands for {letter}, not for {sent}.",
    ),
    "JOKER_BUILT_IN": both(
        "{cell}: Der Joker ist an drei Seiten verbaut und bleibt liegen.",
        "{cell}: the joker is built in on three sides and stays.",
    ),
    "NOT_HELD": both("Du hast kein {letter}.", "You have no {letter}."),
    "NOT_HELD_JOKER": both(
        "Du hast kein {letter}. Mit deinem Joker geht es; dann schreib {letter}*.",
        "You have no {letter}. Your joker would do; then write {letter}*.",
    ),
    "NO_RED_JOKER": both(
        "{letter}* ist ein roter Joker, und den hast du nicht.", "{letter}* is a red joker, which you don't have."
    ),
    "NO_BLACK_JOKER": both(
        "{letter}* ist ein schwarzer Joker, und den hast du nicht.", "{letter}* is a black joker, which you don't have."
    ),
    "STILL_OPEN": both(
        "{word} ist noch offen. Ein neues Wort wird erst begonnen, wenn es beendet ist.",
        "{word} is still open. A new word is begun only when it is finished.",
    ),
    "NOTHING_OPEN_FIRST": both(
        "Noch liegt nichts: Den ersten Stein setzt du mit »mitte L SPIEL«.",
        "Nothing lies yet: the first tile is laid with “centre L SPIEL”.",
    ),
    "NOTHING_OPEN": both(
        "Es ist kein Wort offen: Beginne ein neues, zum Beispiel »neu Z26 s vorn L SPIEL«.",
        "No word is open: begin a new one, for example “new Z26 s front L SPIEL”.",
    ),
    "CENTRE_TAKEN": both(
        "In der Mitte liegt schon ein Wort: Beginne mit »neu«, wo du es kreuzt.",
        "A word lies in the centre already: begin with “new” where you cross it.",
    ),
    "CENTRE_FIRST": both(
        "Es liegt kein Wort, das du kreuzen könntest: Beginne mit »mitte L SPIEL«.",
        "No word lies that you could cross: begin with “centre L SPIEL”.",
    ),
    "SIDE_EITHER": both(
        "{word} enthält {letter}{cross} und {cross}{letter}: Schreib »vorn« oder »hinten« vor das {letter}.",
        "{word} holds {letter}{cross} and {cross}{letter}: write “front” or “back” before the {letter}.",
    ),
    "SIDE_NEITHER": both(
        "In {word} steht weder {letter}{cross} noch {cross}{letter}.",
        "{word} holds neither {letter}{cross} nor {cross}{letter}.",
    ),
    "SAME_EITHER": both(
        "{word} enthält {letter}{cross}: Schreib »vorn« oder »hinten« vor das {letter}, das du setzt.",
        "{word} holds {letter}{cross}: write “front” or “back” before the {letter} that you lay.",
    ),
    "SAME_NEITHER": both("In {word} steht kein {letter}{cross}.", "{word} holds no {letter}{cross}."),
    "WRONG_DIRECTION": both(
        "{cell}: Das neue Wort muss {word} kreuzen, also in der anderen Richtung laufen.",
        "{cell}: the new word must cross {word}, so it runs in the other direction.",
    ),
    "CROSS_ELSEWHERE": both(
        "{cell} geht nicht: Das neue Wort kreuzt das zuletzt beendete ({word}). Frei sind dafür: {cells}.",
        "{cell} won't do: the new word crosses the one finished last ({word}). Free for that: {cells}.",
    ),
    "NOT_IN_SENSE": both(
        "{letter} geht dort nicht im Sinne von {word}: Es liegt {fragment}.",
        "{letter} doesn't go there in the sense of {word}: {fragment} lies there.",
    ),
    "NOT_IN_WORD": both(
        "Dann liegt {fragment}, und das kommt in {word} nicht vor.",
        "Then {fragment} lies there, which isn't in {word}.",
    ),
    "NO_ROOM": both("Für {word} ist kein Platz auf dem Brett.", "There is no room for {word} on the board."),
    "OVER_THE_EDGE": both("Dort ist das Brett zu Ende.", "The board ends there."),
    "SENSELESS": both(
        "{word} ergäbe an der Seite keinen Sinn: {made}.", "{word} would make no sense at the sides: {made}."
    ),
    "REFUSED_WORD": both("{word} kann nicht angesagt werden: {reason}.", "{word} can't be announced: {reason}."),
    "NO_PREMIUM": both(
        "Ein zweiter Stein ist nur erlaubt, wenn der erste ein Quadrat schließt oder das neue Wort in einem Selbstlaut "
        "kreuzt.",
        "A second tile is allowed only if the first one completes a square or the new word crosses at a vowel.",
    ),
    "PREMIUM_WORD_DONE": both(
        "Das Wort ist mit dem ersten Stein fertig; für einen zweiten ist keines mehr offen.",
        "The first tile has finished the word; there is none open for a second one.",
    ),
    "PREMIUM_ANNOUNCES": both(
        "Mit dem Prämienstein wird nichts angesagt; {word} gehört nicht dahinter.",
        "Nothing is announced with the premium tile; {word} doesn't belong there.",
    ),
    "TOO_LATE": both(
        "Dein Zug kam zu spät; die Stellung ist eine andere.", "Your move came too late; the position has changed."
    ),
}
_SHEETS: Final[Wording] = {
    "SAME_WORD": both(
        "{word} ist schon angesagt; dein Stein liegt im Sinne dieses Wortes, und wer es angesagt hat, bleibt gleich.",
        "{word} is announced already; your tile lies in its sense, and whoever announced it stays the same.",
    ),
    "COLOUR_GONE": both(
        "Diese Farbe ist aufgebraucht; du bekommst einen Stein der anderen.",
        "That colour is used up; you get a tile of the other one.",
    ),
    "LABEL_EXCHANGE": both("Joker getauscht", "Joker exchanged"),
    "LABEL_BUY": both("Kauf", "Purchase"),
    "BUY_ANY": both("ein Stein", "a tile"),
    "BUY_RED": both("ein roter Stein", "a red tile"),
    "BUY_BLACK": both("ein schwarzer Stein", "a black tile"),
    "LABEL_TILE": both("Stein", "Tile"),
    "LABEL_PREMIUM": both("Prämienstein", "Premium tile"),
    "TILE_SIDE": both("{tile} {side}", "{tile} {side}"),
    "LABEL_FINISHED": both("Beendet", "Finished"),
    "LABEL_WORD": both("Angesagtes Wort", "Announced word"),
    "WORD_OF": both("{word} ({owner})", "{word} ({owner})"),
    "OWN_WORD": both("deines", "yours"),
    "LABEL_FRAGMENT": both("Es liegt", "On the board"),
    "LABEL_MOVE": both("Zug", "Move"),
    "PASSING": both("weiter", "pass"),
}
_EVENTS: Final[Wording] = {
    "DEALT": both("Deine Steine: {tiles}.", "Your tiles: {tiles}."),
    "BEGINS": both("{seat} beginnt.", "{seat} begins."),
    "ANNOUNCES": both("{seat} setzt {tile} {side} und nennt {word}.", "{seat} lays {tile} {side} and says {word}."),
    "LAYS": both(
        "{seat} setzt {tile} {side} im Sinne von {word}.", "{seat} lays {tile} {side} in the sense of {word}."
    ),
    "LAYS_MORE": both(
        "{seat} setzt als Prämie {tile} {side} im Sinne von {word}.",
        "{seat} lays {tile} {side} as a premium, in the sense of {word}.",
    ),
    "EXCHANGED": both(
        "{seat} gibt bei {cell} ein {letter} und nimmt den Joker.", "{seat} gives {letter} at {cell} for the joker."
    ),
    "BUYS": both("{seat} kauft einen {colour} Stein.", "{seat} buys a {colour} tile."),
    "DREW": both("Du hast gekauft: {tile}.", "You have bought: {tile}."),
    "PASSES": both("{seat} gibt weiter.", "{seat} passes."),
    "NMR": both("Kein Zug von {seat} (NMR).", "No move from {seat} (NMR)."),
    "ON_TURN": both("{seat} ist am Zug.", "It is {seat}'s turn."),
    "WORD_DONE": both("{word} ist beendet.", "{word} is finished."),
    "COMPLETES": both(
        "{word} ist unverändert zu {seat} zurückgekommen und wird vollendet: {tiles}. {seat} beginnt ein neues Wort.",
        "{word} has come back to {seat} unchanged and is completed: {tiles}. {seat} begins a new word.",
    ),
    "DROPS": both(
        "{word} ist unverändert zu {seat} zurückgekommen, aber es fehlen Steine: {seat} scheidet aus und zahlt allen "
        "im Spiel je {points}.",
        "{word} has come back to {seat} unchanged, but tiles are lacking: {seat} drops out and pays everybody in play "
        "{points}.",
    ),
    "TAKEN_OFF": both(
        "Was von {word} lag, verlässt das Brett: {tiles}.", "What lay of {word} leaves the board: {tiles}."
    ),
    "RESIGNED": both(
        "{seat} scheidet aus und wird übergangen; die Steine zählen noch für den Gewinner.",
        "{seat} leaves the game and is passed over; the tiles still count for the winner.",
    ),
    "RACK_EMPTY": both("{seat} hat keine Steine mehr.", "{seat} has no tiles left."),
    "ALL_PASSED": both(
        "Alle haben hintereinander weitergegeben, und es gibt nichts mehr zu kaufen.",
        "Everybody has passed in a row, and there is nothing left to buy.",
    ),
    "WINS": both("{seat} gewinnt und bekommt {points}.", "{seat} wins and gets {points}."),
    "ALL_LEFT": both("Niemand gewinnt.", "Nobody wins."),
    "NO_WINNER": both(
        "Gleich wenige Punkte: kein Gewinner. Die nächste Partie zählt {stake}.",
        "Equally few points: no winner. The next game counts {stake}.",
    ),
}
_VIEW: Final[Wording] = {
    "EXAMPLE": both(
        "»neu Z26 s vorn W WIND« kreuzt SPIEL im I und sagt WIND an. Weil I ein Selbstlaut ist, kommt als Prämie "
        "ein Stein dazu: »hinten N«.",
        "“neu Z26 s vorn W WIND” crosses SPIEL in its I and announces WIND. As I is a vowel, one more tile may be "
        "laid: “hinten N”.",
    ),
    "AIM": both(
        "Alle bauen reihum an einem einzigen Wort, jeder mit einem Stein, und wer ein Wort ansagt, muss es "
        "vielleicht selbst vollenden. Wer zuerst keine Steine mehr hat, gewinnt.",
        "In turn, all build a single word, one tile each, and whoever announces a word may have to complete it. "
        "Whoever has no tiles left first wins.",
    ),
    "OPTION_WORDS_DUDEN": both("Es gelten die Wörter des Wörterbuchs.", "The words of the dictionary count."),
    "OPTION_WORDS_NOUNS": both("Von den Wörtern gelten nur Hauptwörter und Namen.", "Only nouns and names count."),
    "OPTION_STAKE": both("Alle Zahlungen zählen {value}-fach.", "All payments count {value}-fold."),
    "HEADLINE_BEGINS": both("{seat} beginnt", "{seat} begins"),
    "HEADLINE_ANNOUNCES": both("{seat} setzt {letter} und nennt {word}", "{seat} lays {letter} and says {word}"),
    "HEADLINE_LAYS": both("{seat} setzt {letter} für {word}", "{seat} lays {letter} for {word}"),
    "HEADLINE_COMPLETES": both("{seat} vollendet {word}", "{seat} completes {word}"),
    "HEADLINE_DROPS": both("{seat} kann {word} nicht vollenden", "{seat} can't complete {word}"),
    "HEADLINE_EXCHANGED": both("{seat} tauscht einen Joker", "{seat} exchanges a joker"),
    "HEADLINE_BOUGHT": both("{seat} kauft", "{seat} buys"),
    "HEADLINE_PASSED": both("{seat} gibt weiter", "{seat} passes"),
    "HEADLINE_MISSED": both("Kein Zug von {seat}", "No move from {seat}"),
    "TURN": both("Zug {turn}: {seat} ist am Zug.", "Turn {turn}: it is {seat}'s turn."),
    "OPEN_WORD": both("Angesagt ist {word}, von {seat}.", "The word announced is {word}, by {seat}."),
    "LIES": both("Davon liegt {fragment} ({where}, {way}).", "Of it lies {fragment} ({where}, {way})."),
    "STARTS_CENTRE": both(
        "Es liegt kein Wort: Der erste Stein kommt in die Mitte (Z26).",
        "No word lies there: the first tile goes into the centre (Z26).",
    ),
    "STARTS_CROSSING": both(
        "{word} ist beendet. Das nächste Wort kreuzt bei {cells}.",
        "{word} is finished. The next word crosses at {cells}.",
    ),
    "BOARD": both("Brett", "Board"),
    "MARKS": both(
        "GROSS = zuletzt gesetzt, klein = vorher; * = Joker", "CAPITALS = laid last, small = before; * = joker"
    ),
    "OWN_TILES": both("Deine Steine", "Your tiles"),
    "ALL_TILES": both("Alle Steine", "All tiles"),
    "RACK_OF": both("{seat}: {tiles}", "{seat}: {tiles}"),
    "IN_BAG": both("Zu kaufen: {tiles}", "To buy: {tiles}"),
    "TABLE": both("Spieler", "Players"),
    "HEAD_RED": both("rot", "red"),
    "HEAD_BLACK": both("schw.", "black"),
    "HEAD_BALANCE": both("Punkte", "Points"),
    "HEAD_STATE": both("", ""),
    "IS_ON_TURN": both("am Zug", "on turn"),
    "IS_WAITING": both("", ""),
    "IS_OUT": both("ausgeschieden", "out"),
    "HAS_RESIGNED": both("ausgeschieden", "left"),
    "BAG": both("Zu kaufen: {red} rote, {black} schwarze", "To buy: {red} red, {black} black"),
    "BAG_IS_EMPTY": both("Zu kaufen gibt es nichts mehr.", "There is nothing left to buy."),
    "HOW_OPEN": both(
        "Setze einen Stein vor oder hinter das, was liegt, und sag ein anderes Wort an, in dem das Ganze vorkommt "
        "(»vorn L SPIEL«, »hinten L SPIEL«), oder setze ihn im Sinne von {word} (»vorn L«, »hinten L«). Ein Joker "
        "bekommt einen Stern: L*.",
        "Lay a tile before or behind what lies there and announce another word that holds the whole of it "
        "(“front L SPIEL”, “back L SPIEL”), or lay it in the sense of {word} (“front L”, “back L”). A joker gets a "
        "star: L*.",
    ),
    "HOW_CENTRE": both(
        "Beginne mit einem Stein in der Mitte und sag ein Wort an, in dem er vorkommt: »mitte L SPIEL«; ein Joker "
        "bekommt einen Stern: L*.",
        "Begin with a tile in the centre and announce a word that holds it: “centre L SPIEL”; a joker gets a star: L*.",
    ),
    "HOW_CROSS": both(
        "Beginne ein neues Wort mit »neu Feld Richtung vorn|hinten Stein WORT«, zum Beispiel »neu Z26 s vorn L "
        "SPIEL«: L kommt über (vor) den Buchstaben in Z26, und beide stehen nebeneinander im angesagten Wort. Kreuzen "
        "kannst du hier: {cells}.",
        "Begin a new word with “new cell direction front|back tile WORD”, for example “new Z26 s front L SPIEL”: L "
        "goes above (before) the letter in Z26, and the two stand together in the announced word. You can cross here: "
        "{cells}.",
    ),
    "HOW_RETURN": both(
        "Was du ansagst, gehört dir: Kommt es unverändert zu dir zurück, legt der Spielleiter aus deinen Steinen, was "
        "noch fehlt, und du beginnst ein neues Wort. Fehlt dir dazu einer, scheidest du aus und zahlst allen, die noch "
        "mitspielen, den Wert deiner Steine.",
        "What you announce is yours: if it comes back to you unchanged, the missing tiles are laid from yours for you, "
        "and you begin a new word. If you lack one of them, you drop out and pay everybody still in play what your "
        "tiles are worth.",
    ),
    "HOW_BUY": both(
        "Geht nichts, »kaufen« (»kaufen rot«, »kaufen schwarz«): Du bekommst den Stein gleich und bleibst am Zug; dann "
        "setze oder schicke »weiter«.",
        "If nothing will do, “buy” (“buy red”, “buy black”): you get the tile at once and stay on turn; then lay, or "
        "send “pass”.",
    ),
    "HOW_BOUGHT": both(
        "Gekauft hast du schon; geht immer noch nichts, schicke »weiter«.",
        "You have bought already; if nothing will do yet, send “pass”.",
    ),
    "HOW_PASS": both(
        "Zu kaufen gibt es nichts mehr; geht nichts, schicke »weiter«.",
        "There is nothing left to buy; if nothing will do, send “pass”.",
    ),
    "HOW_PREMIUM": both(
        "Schließt dein Stein ein Quadrat aus vier Steinen, oder kreuzt dein neues Wort in einem Selbstlaut, darfst du "
        "in einer zweiten Zeile noch einen Stein setzen, ohne Ansage: »hinten N«.",
        "If your tile completes a square of four tiles, or your new word crosses at a vowel, you may lay one more tile "
        "in a second line, without an announcement: “back N”.",
    ),
    "SHORT_OPEN": both(
        "Ein Stein mit einer Ansage (»vorn L SPIEL«, »hinten L SPIEL«), oder im Sinne von {word} (»vorn L«, »hinten "
        "L«); Joker mit Stern.",
        "A tile with an announcement (“front L SPIEL”, “back L SPIEL”), or in the sense of {word} (“front L”, “back "
        "L”); a joker with a star.",
    ),
    "SHORT_CROSS": both(
        "Ein neues Wort: »neu Z26 s vorn L SPIEL«. Kreuzen kannst du hier: {cells}.",
        "A new word: “new Z26 s front L SPIEL”. You can cross here: {cells}.",
    ),
    "SHORT_BUY": both(
        "Geht nichts: »kaufen«, »kaufen rot«, »kaufen schwarz«.",
        "If nothing will do: “buy”, “buy red”, “buy black”.",
    ),
    "SHORT_PASS": both("Geht nichts: »weiter«.", "If nothing will do: “pass”."),
    "HOW_JOLLY": both(
        "Einen Joker auf dem Brett mit weniger als drei Nachbarn darfst du vorher tauschen: »Jolly Z26 = E«.",
        "A joker on the board with fewer than three neighbours may be exchanged before: “Jolly Z26 = E”.",
    ),
}
_FINAL: Final[Wording] = {
    "END_RACK": both("{seat} hat alle Steine gesetzt und gewinnt", "{seat} has laid all tiles and wins"),
    "END_PASSED": both(
        "Niemand kann mehr setzen; {seat} hat die wenigsten Punkte und gewinnt",
        "Nobody can lay any more; {seat} has the fewest points and wins",
    ),
    "END_LAST": both("{seat} ist allein übrig und gewinnt", "{seat} is the only one left and wins"),
    "END_ALL_LEFT": both("Kein Gewinner", "No winner"),
    "END_NOBODY": both(
        "Kein Gewinner; die nächste Partie zählt {stake}",
        "No winner; the next game counts {stake}",
    ),
    "HEAD_WORTH": both("Rest", "Left"),
    "LEFT_OVER": both("{seat} behielt {tiles}.", "{seat} kept {tiles}."),
    "WORTH_NOTE": both(
        "Rest: schwarze Steine 1, rote 3, Joker 10. Punkte: bekommen und gezahlt.",
        "Left over: black tiles 1, red ones 3, jokers 10. Points: received and paid.",
    ),
    "STAKE_NOTE": both("Alle Zahlungen zählen {stake}.", "All payments count {stake}."),
    "PAYMENTS": both("Zahlungen", "Payments"),
    "PAYS": both("{payer} zahlt {points} an {receiver}.", "{payer} pays {points} to {receiver}."),
    "BAG_LEFT": both("Nicht gekauft", "Never bought"),
}
WORDING: Final[Wording] = {**COMMON, **_PARTS, **_PROBLEMS, **_SHEETS, **_EVENTS, **_VIEW, **_FINAL}


def tiles_text(rack: str) -> Text:
    """Show tiles: `AEEI* BDFLMNR (5 rote, 7 schwarze)`."""
    red, black = count_colours(rack)
    return say("TILES", tiles=shown(rack), red=red, black=black) if rack else say("NO_TILES")


def side_text(side: Side) -> Text:
    """Name the side of a fragment."""
    return say("FRONT" if side == "front" else "BACK")
