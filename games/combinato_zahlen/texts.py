"""What players of Combinato-Zahlen read: Combinato's texts, with numbers instead of words."""

from typing import Final

from games.api import Wording, both
from games.combinato.texts import WORDING as COMBINATO

_NUMBERS: Final[Wording] = {
    "AIM": both(
        "Jeder versteckt eine Zahl aus vier Ziffern und sucht die des anderen. Wer sie zuerst legt, gewinnt.",
        "Each hides a number of four figures and looks for the other's. Whoever lays it first wins.",
    ),
    "LENGTH": both("{word}: Nötig sind vier Ziffern, nicht {number}.", "{word}: it takes four figures, not {number}."),
    "SHAPE": both(
        "»{sent}«: Gesucht ist eine Zahl aus vier Ziffern, zum Beispiel 0427.",
        "“{sent}”: it takes a number of four figures, for example 0427.",
    ),
    "SEVERAL": both(
        "Ich lese mehr als eine Zahl: {words}. Schick nur eine, am besten als »Rat: ...« oder »Geheim: ...«.",
        "I read more than one number: {words}. Send only one, best as “Guess: ...” or “Secret: ...”.",
    ),
    "SECRET_FIRST": both(
        "Noch wird nicht geraten: Zuerst verstecken beide ihre Geheimzahl, mit einer Zeile »Geheim: ...«.",
        "No guesses yet: first both hide their secret number, with a line “Secret: ...”.",
    ),
    "SECRET_FIXED": both(
        "Deine Geheimzahl steht fest und bleibt bis zum Ende. Geraten wird mit »Rat: ...«.",
        "Your secret number is fixed until the end. A guess is sent as “Guess: ...”.",
    ),
    "SECRET_IGNORED": both(
        "»Geheim:« bleibt ohne Wirkung: Deine Geheimzahl steht fest.",
        "“Secret:” has no effect: your secret number is fixed.",
    ),
    "TAKE_ANOTHER": both("Bitte nimm eine andere Zahl als {word}.", "Please take another number than {word}."),
    "REPEATED_SIGN": both(
        "{word}: In der Geheimzahl darf keine Ziffer zweimal vorkommen.",
        "{word}: no figure may stand twice in a secret number.",
    ),
    "OWN_SECRET": both(
        "{word} ist deine eigene Geheimzahl; die darfst du nicht legen.",
        "{word} is your own secret number; you may not lay it.",
    ),
    "LAID_BY_OTHER": both(
        "{word} hat {seat} in Runde {round} gelegt; in dieser Partie darfst du sie nicht mehr nehmen.",
        "{word} was laid by {seat} in round {round}; you may not use it in this game.",
    ),
    "LABEL_SECRET": both("Deine Geheimzahl", "Your secret number"),
    "ANOTHER_SECRET": both(
        "Bitte schick eine andere Geheimzahl. Runde 0 geht weiter.",
        "Please send another secret number. Round 0 goes on.",
    ),
    "NMR_SECRET": both(
        "Keine Geheimzahl von {seat} (NMR): Es wurde eine gezogen.",
        "No secret number from {seat} (NMR): one was drawn.",
    ),
    "NMR_SECRET_MANY": both(
        "Keine Geheimzahlen von {names} (NMR): Sie wurden gezogen.",
        "No secret numbers from {names} (NMR): they were drawn.",
    ),
    "FOUND": both("{seat} hat die Geheimzahl gefunden: {word}.", "{seat} has found the secret number: {word}."),
    "BOTH_FOUND": both(
        "Beide haben die Geheimzahl in derselben Runde gefunden: unentschieden.",
        "Both have found the secret number in the same round: a draw.",
    ),
    "ROUND_0": both("0 (Geheimzahl)", "0 (secret number)"),
    "ROUND_SECRETS": both("Runde 0: die Geheimzahlen", "Round 0: the secret numbers"),
    "SECRETS_WANTED": both(
        "Beide verstecken eine Zahl aus vier Ziffern; ab Runde 1 wird geraten.",
        "Both hide a number of four figures; guessing begins with round 1.",
    ),
    "MARKS": both(
        "● Volltreffer: richtige Ziffer am richtigen Platz; ○ Treffer: Sie steht an einem anderen. "
        "Ausgeschlossen (gestrichen oder ein Punkt) ist, was in einer Zahl ohne Treffer vorkommt.",
        "● full hit: the right figure at the right place; ○ hit: it stands elsewhere. Ruled out (struck through, "
        "or a dot) is what a number without a hit has.",
    ),
    "OPTION_REPEATS": both(
        "In der Geheimzahl dürfen Ziffern doppelt vorkommen.", "Figures may stand twice in a secret number."
    ),
    "HIDDEN": both("Die Geheimzahlen", "The secret numbers"),
    "RETURNED": both("Zurückgegeben, weil beide sie gewählt hatten", "Sent back, as both had chosen it"),
    "YOUR_SECRET": both("Deine Geheimzahl: {word}", "Your secret number: {word}"),
    "ON_FILE": both(
        "Deine Geheimzahl liegt vor: {word}. Bis Runde 0 schließt, kannst du sie ändern.",
        "Your secret number is on file: {word}. You can change it until round 0 closes.",
    ),
    "HOW_SECRET": both(
        "Hinter »Geheim:« gehört deine Geheimzahl: {kind} aus vier Ziffern, {twice}. Vorn darf eine Null stehen.",
        "After “Secret:” comes your secret number: {kind} of four figures, {twice}. It may begin with a nought.",
    ),
    "KIND_ANY": both("eine Zahl", "a number"),
    "MAY_REPEAT": both("auch mit doppelten Ziffern", "figures may stand twice"),
    "MAY_NOT_REPEAT": both("keine doppelt", "none of them twice"),
    "HOW_GUESS": both(
        "Hinter »Rat:« gehört eine Zahl aus vier Ziffern, auch mit doppelten; nicht deine eigene und keine, die dein "
        "Gegner schon gelegt hat. Die Zahl allein genügt auch.",
        "After “Guess:” comes a number of four figures, also with double ones; not your own and none that your "
        "opponent has laid. The number alone will do, too.",
    ),
    "HEAD_SECRET": both("Geheimzahl", "Secret"),
}

WORDING: Final[Wording] = {**COMBINATO, **_NUMBERS}
