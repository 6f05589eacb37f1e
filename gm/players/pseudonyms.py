"""Pseudonyms are names of stars: the same in every language, and no player is called so."""

from collections import Counter
from collections.abc import Iterable
from typing import Final

from gm.runtime.ids import digest_of

STARS: Final = tuple(
    """
    Achernar Acrux Adhara Albireo Alcyone Aldebaran Alderamin Algenib Algieba Algol Alhena Alioth Alkaid Almach Alnair
    Alnilam Alnitak Alphard Alphecca Alpheratz Alshain Altair Aludra Ankaa Antares Arcturus Arneb Ascella Asterope
    Atria Avior Bellatrix Canopus Capella Castor Deneb Denebola Diphda Dubhe Elnath Eltanin Enif Errai Fomalhaut
    Furud Gacrux Gemma Hadar Hamal Hassaleh Homam Izar Kochab Kornephoros Markab Matar Megrez Merak Mimosa Mintaka
    Mira Mirach Mirzam Mizar Muphrid Naos Nashira Nekkar Nihal Nunki Phact Phecda Pherkad Polaris Pollux Porrima
    Procyon Propus Rasalgethi Rastaban Regulus Rigel Ruchbah Rukbat Sabik Sadr Saiph Scheat Seginus Shaula Sheliak
    Sheratan Sirius Spica Suhail Sulafat Tarazed Thuban Unukalhai Vega Vindemiatrix Wezen Zaurak Zosma
    """.split()  # noqa: SIM905  a list of words reads best as a text
)


class Stars:
    """Draws a star for each player, by the database's secret and the id alone. A star drawn again gets a number.

    All players draw, in the order of their ids, also those who show their name. So nobody's pseudonym depends on what
    others choose.
    """

    def __init__(self, secret: str) -> None:
        self._secret = secret
        self._drawn: Counter[str] = Counter()

    def draw(self, player_id: int) -> str:
        """Draw a star for one more player."""
        digest = digest_of(self._secret, "pseudonym", player_id)
        star = STARS[int.from_bytes(digest[:8], "big") % len(STARS)]
        self._drawn[star] += 1
        return star if self._drawn[star] == 1 else f"{star} {self._drawn[star]}"


def pseudonyms(secret: str, ids: Iterable[int]) -> dict[int, str]:
    """Draw a star for each player."""
    stars = Stars(secret)
    return {player_id: stars.draw(player_id) for player_id in sorted(ids)}
