"""What players read, in German and English; the Zahlen-Spiel words some of it anew."""

from typing import Final

from games.api import Wording, both
from games.shared.phrases import COMMON, ROUNDS

_PROBLEMS: Final[Wording] = {
    "OVER": both("Die Partie ist zu Ende.", "The game is over."),
    "LENGTH": both(
        "{word}: Nötig sind vier Buchstaben, nicht {number} (Ä, Ö, Ü sind AE, OE, UE).",
        "{word}: it takes four letters, not {number} (Ä, Ö, Ü are AE, OE, UE).",
    ),
    "SHAPE": both(
        "»{sent}«: Gesucht ist ein Wort aus vier Buchstaben, A bis Z, Umlaute als AE, OE, UE.",
        "“{sent}”: it takes a word of four letters, A to Z, umlauts as AE, OE, UE.",
    ),
    "SEVERAL": both(
        "Ich lese mehr als ein Wort: {words}. Schick nur eines, am besten als »Rat: ...« oder »Geheim: ...«.",
        "I read more than one word: {words}. Send only one, best as “Guess: ...” or “Secret: ...”.",
    ),
    "SECRET_FIRST": both(
        "Noch wird nicht geraten: Zuerst verstecken beide ihr Geheimwort, mit einer Zeile »Geheim: ...«.",
        "No guesses yet: first both hide their secret word, with a line “Secret: ...”.",
    ),
    "SECRET_FIXED": both(
        "Dein Geheimwort steht fest und bleibt bis zum Ende. Geraten wird mit »Rat: ...«.",
        "Your secret word is fixed until the end. A guess is sent as “Guess: ...”.",
    ),
    "TAKE_ANOTHER": both("Bitte nimm ein anderes Wort als {word}.", "Please take another word than {word}."),
    "REPEATED_SIGN": both(
        "{word}: Im Geheimwort darf kein Buchstabe zweimal vorkommen.",
        "{word}: no letter may stand twice in a secret word.",
    ),
    "UNKNOWN": both(
        "{word} kennt unsere Wörterliste nicht. Lass den GM entscheiden oder nimm ein anderes Wort.",
        "Our word list doesn't know {word}. Let the GM rule or take another word.",
    ),
    "DOUBTFUL": both(
        "{word} ist fraglich ({reason}): Unsere Wörterliste kennt es nicht als Wort. Lass den GM entscheiden oder nimm "
        "ein anderes.",
        "{word} is doubtful ({reason}): our list doesn't know it as a word. Let the GM rule or take another one.",
    ),
    "INVALID": both("{word} ist nicht erlaubt: {reason}.", "{word} is not allowed: {reason}."),
    "OWN_SECRET": both(
        "{word} ist dein eigenes Geheimwort; das darfst du nicht legen.",
        "{word} is your own secret word; you may not lay it.",
    ),
    "LAID_BY_OTHER": both(
        "{word} hat {seat} in Runde {round} gelegt; in dieser Partie darfst du es nicht mehr nehmen.",
        "{word} was laid by {seat} in round {round}; you may not use it in this game.",
    ),
}

_SHEETS: Final[Wording] = {
    "LAID_AGAIN": both(
        "{word} hast du schon einmal gelegt. Das ist erlaubt, bringt aber nichts Neues.",
        "You have laid {word} before. That is allowed, but brings nothing new.",
    ),
    "SECRET_IGNORED": both(
        "»Geheim:« bleibt ohne Wirkung: Dein Geheimwort steht fest.",
        "“Secret:” has no effect: your secret word is fixed.",
    ),
    "LABEL_GUESS": both("Dein Rat", "Your guess"),
    "LABEL_SECRET": both("Dein Geheimwort", "Your secret word"),
}

_EVENTS: Final[Wording] = {
    "ANOTHER_SECRET": both(
        "Bitte schick ein anderes Geheimwort. Runde 0 geht weiter.",
        "Please send another secret word. Round 0 goes on.",
    ),
    "NMR_SECRET": both(
        "Kein Geheimwort von {seat} (NMR): Es wurde eines gezogen.", "No secret word from {seat} (NMR): one was drawn."
    ),
    "NMR_SECRET_MANY": both(
        "Keine Geheimwörter von {names} (NMR): Sie wurden gezogen.",
        "No secret words from {names} (NMR): they were drawn.",
    ),
    "DRAWN": both("Für dich wurde gezogen: {word}.", "Drawn for you: {word}."),
    "ANSWER": both(
        "{seat} legt {word}: Volltreffer {full}, Treffer {part}.",
        "{seat} lays {word}: full hits {full}, hits {part}.",
    ),
    "NMR": both("{seat} rät nicht (NMR).", "No guess from {seat} (NMR)."),
    "NMR_MANY": both("{names} raten nicht (NMR).", "No guess from {names} (NMR)."),
    "FOUND": both("{seat} hat das Geheimwort gefunden: {word}.", "{seat} has found the secret word: {word}."),
    "BOTH_FOUND": both(
        "Beide haben das Geheimwort in derselben Runde gefunden: unentschieden.",
        "Both have found the secret word in the same round: a draw.",
    ),
    "SILENT": both(
        "In {rounds} Runden hintereinander hat niemand geraten: unentschieden.",
        "Nobody has guessed for {rounds} rounds in a row: a draw.",
    ),
    "RESIGNED": both("{seat} scheidet aus.", "{seat} leaves the game."),
    "HOW_FOUND": both("gewinnt in Runde {round}", "wins in round {round}"),
    "HOW_ALONE": both("gewinnt", "wins"),
    "HOW_DRAW": both("unentschieden", "a draw"),
    "HOW_NOBODY": both("niemand gewinnt", "nobody wins"),
}

_VIEW: Final[Wording] = {
    "EXAMPLE": both(
        "Gesucht ist {secret}, und das ist die Antwort auf drei Versuche: je Volltreffer ein voller Stift, je Treffer "
        "ein Ring.",
        "{secret} is looked for, and these are the answers to three guesses: a full peg for each full hit, a ring for "
        "each hit.",
    ),
    "AIM": both(
        "Jeder versteckt ein Wort aus vier Buchstaben und sucht das des anderen. Wer es zuerst legt, gewinnt.",
        "Each hides a word of four letters and looks for the other's. Whoever lays it first wins.",
    ),
    "OPTION_REPEATS": both(
        "Im Geheimwort dürfen Buchstaben doppelt vorkommen.", "Letters may stand twice in a secret word."
    ),
    "OPTION_NOUNS_ONLY": both("Das Geheimwort darf jedes gültige Wort sein.", "Any valid word may be a secret word."),
    "ROUND": both("Runde {round}", "Round {round}"),
    "KEY_SECRET": both("Geheim:", "Secret:"),
    "KEY_GUESS": both("Rat:", "Guess:"),
    "ROUND_0": both("0 (Geheimwort)", "0 (secret word)"),
    "ROUND_SECRETS": both("Runde 0: die Geheimwörter", "Round 0: the secret words"),
    "SECRETS_WANTED": both(
        "Beide verstecken ein Wort aus vier Buchstaben; ab Runde 1 wird geraten.",
        "Both hide a word of four letters; guessing begins with round 1.",
    ),
    "MARKS": both(
        "● Volltreffer: richtiger Buchstabe am richtigen Platz; ○ Treffer: Er steht an einem anderen. "
        "Ausgeschlossen (gestrichen oder ein Punkt) ist, was in einem Wort ohne Treffer vorkommt.",
        "● full hit: the right letter at the right place; ○ hit: it stands elsewhere. Ruled out (struck through, "
        "or a dot) is what a word without a hit has.",
    ),
    "BOARD": both("Was {seat} gelegt hat", "What {seat} has laid"),
    "BOARD_EMPTY": both("Noch nichts.", "Nothing yet."),
    "ALPHABET": both("Noch möglich: {signs}", "Still possible: {signs}"),
    "ROWS_GONE": both(
        "Nicht mehr gezeigt, aber weiter gültig: die ersten Zeilen ({number}).",
        "No longer shown, but still in force: the first rows ({number}).",
    ),
    "MISSED": both("NMR: {rounds}", "NMR: {rounds}"),
    "MISSED_IN": both("Runde {round} ({seat})", "round {round} ({seat})"),
    "HIDDEN": both("Die Geheimwörter", "The secret words"),
    "SECRET_OF": both("{seat}: {word}", "{seat}: {word}"),
    "RETURNED": both("Zurückgegeben, weil beide es gewählt hatten", "Sent back, as both had chosen it"),
    "YOUR_SECRET": both("Dein Geheimwort: {word}", "Your secret word: {word}"),
    "ON_FILE": both(
        "Dein Geheimwort liegt vor: {word}. Bis Runde 0 schließt, kannst du es ändern.",
        "Your secret word is on file: {word}. You can change it until round 0 closes.",
    ),
    "GUESS_ON_FILE": both("Dein Rat für Runde {round} liegt vor: {word}.", "Your guess of round {round}: {word}."),
    "HOW_SECRET": both(
        "Hinter »Geheim:« gehört dein Geheimwort: {kind} aus vier Buchstaben, {twice}. Ä, Ö, Ü sind AE, OE, UE.",
        "After “Secret:” comes your secret word: {kind} of four letters, {twice}. Ä, Ö, Ü are written AE, OE, UE.",
    ),
    "KIND_NOUN": both("ein Hauptwort in der Grundform", "a noun in its base form"),
    "KIND_ANY": both("ein beliebiges Wort", "any word"),
    "MAY_REPEAT": both("auch mit doppelten Buchstaben", "letters may stand twice"),
    "MAY_NOT_REPEAT": both("keiner doppelt", "none of them twice"),
    "HOW_GUESS": both(
        "Hinter »Rat:« gehört ein gültiges Wort aus vier Buchstaben, auch mit doppelten; nicht dein eigenes und "
        "keines, das dein Gegner schon gelegt hat. Das Wort allein genügt auch.",
        "After “Guess:” comes a valid word of four letters, also with double ones; not your own and none that your "
        "opponent has laid. The word alone will do, too.",
    ),
}

_FINAL: Final[Wording] = {
    "RESULT": both("Endstand", "Result"),
    "HEAD_SECRET": both("Geheimwort", "Secret"),
    "HEAD_GUESSES": both("Geraten", "Guesses"),
    "HEAD_NOTE": both("", ""),
    "NOTE_WINNER": both("SIEGER", "WINNER"),
    "NOTE_LOSER": both("", ""),
    "NOTE_LEFT": both("ausgeschieden", "left"),
    "NOTE_DRAW": both("unentschieden", "draw"),
}

WORDING: Final[Wording] = {**COMMON, **ROUNDS, **_PROBLEMS, **_SHEETS, **_EVENTS, **_VIEW, **_FINAL}
