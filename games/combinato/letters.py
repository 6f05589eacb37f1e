"""The Buchstaben-Spiel: words of four letters."""

import string
from collections.abc import Iterable, Mapping
from typing import Final

from games.api import Text, say
from games.combinato.rules import LENGTH, State
from games.dice import Dice
from games.shared.notation import board_letters
from games.shared.phrases import reason_text
from games.shared.profiles import NAMES_ALLOWED, NO_VERBS
from games.words import DUDEN, UNLISTED, Profile, Verdict, Words, accept, refuse

PROFILE: Final = DUDEN.name
"""For guesses."""
NOUNS: Final = Profile(
    name="combinato-nouns",
    cases=(accept("noun"), refuse("NO_NOUN", "word", *NAMES_ALLOWED), *NO_VERBS),
    length=LENGTH,
)
"""For secrets: nouns of four letters in their base form."""
SHORT: Final = Profile(name="combinato", cases=(accept("word", *NAMES_ALLOWED), *NO_VERBS), length=LENGTH)
"""For secrets, where any word will do: those of four letters, finite forms of verbs as well."""

_PUNCTUATION: Final = " .,;!?*_»«„“”\"'()<>"

_PLAIN: Final = (
    "ARZT AUGE BAHN BAND BANK BART BAUM BERG BILD BORD BROT BUCH BURG DACH DAME DANK DECK DIEB DING DORF DUFT "
    "ECHO FELD FELS FEST FILM FLUG FORM FUND GANS GARN GAST GELD GLAS GLUT GOLD GRAS GURT HAND HANG HAUS HAUT "
    "HEFT HEIM HELD HEMD HERD HERZ HIRN HOSE HUND IGEL JAHR JAGD KALB KIND KINO KNIE KOCH KOHL KORB KORN KRAN LAND "
    "LAUB LEIM LIED LIFT LOHN LUFT LUPE MAST MAUS MEHL MOND MUND NASE NEST NORD OBST OFEN OPER PARK PELZ PFAU PILZ "
    "PLAN POST PULT RABE RAND REIS RIND RING ROSE RUHE SAFT SALZ SAND SEIL SENF SIEB SOFA SOHN SPUR STAB STAR TEIG "
    "TIER TOPF TUCH TURM UFER VASE VIEH WALD WAND WEIN WELT WERK WIND WIRT WOLF WORT ZAHL ZAHN ZAUN ZEIT ZELT ZIEL"
)
DRAWN: Final = tuple(_PLAIN.split())
"""Plain nouns, no letter twice, from which a missing secret is drawn.

Not from the word list: that also holds slurs and words nobody knows, and a game is replayed without it.
"""


class Letters:
    """Words of four letters."""

    signs = string.ascii_uppercase
    spells = True

    def board(self, text: str) -> str:
        """Write a word in board letters; letters sent one by one are joined."""
        parts = text.strip(_PUNCTUATION).split()
        return board_letters(("" if all(len(part) == 1 for part in parts) else " ").join(parts))

    def secret_problems(self, word: str, state: State, words: Words) -> tuple[Text, ...]:
        """A noun, if the game says so, and no letter twice, unless it says so (rule 4)."""
        repeated = not state.repeats and len(set(word)) < LENGTH
        verdict = words.check(word, _profile(state))
        return (*([say("REPEATED_SIGN", word=word)] if repeated else []), *_judged(word, verdict))

    def hidden_words(self, state: State) -> Mapping[str, str]:
        """Both secrets."""
        return {word: _profile(state) for word in state.secrets if word}

    def guess_problems(self, word: str, words: Words) -> tuple[Text, ...]:
        """Any valid word (1.15)."""
        return _judged(word, words.check(word, PROFILE))

    def draw(self, state: State, taken: Iterable[str], dice: Dice, words: Words) -> str:
        """Draw a word that can be guessed."""
        pile = [word for word in dice.shuffled(DRAWN) if word not in taken] or dice.shuffled(DRAWN)
        return next((word for word in pile if not self.secret_problems(word, state, words)), pile[0])

    def candidates(self, state: State, words: Words) -> Iterable[str]:
        """All listed words that may be a secret, and those that are drawn."""
        listed = words.listed(NOUNS.name if state.nouns_only else SHORT.name)
        found = (word for word in listed if len(word) == LENGTH and (state.repeats or len(set(word)) == LENGTH))
        return dict.fromkeys((*found, *DRAWN))

    def known(self, state: State) -> tuple[str, ...]:  # noqa: ARG002
        """The plain nouns: they are secrets in every game."""
        return DRAWN


LETTERS: Final = Letters()


def _profile(state: State) -> str:
    return NOUNS.name if state.nouns_only else PROFILE


def _judged(word: str, verdict: Verdict) -> tuple[Text, ...]:
    if verdict.status == "accepted":
        return ()
    if verdict == UNLISTED:
        return (say("UNKNOWN", word=word),)
    reason = reason_text(verdict.reason, verdict.note)
    return (say("DOUBTFUL" if verdict.status == "doubtful" else "INVALID", word=word, reason=reason),)
