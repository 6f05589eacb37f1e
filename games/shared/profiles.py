"""Word profiles of several games: what their rule texts agree on."""

from typing import Final

from games.words import NO_WORDS, Case, Fact, Profile, accept, doubt, refuse

NAMES_ALLOWED: Final[tuple[Fact, ...]] = ("place", "first", "proper")
"""All names but those of families, firms and brands."""

NO_VERBS: Final[tuple[Case, ...]] = (
    accept(*NAMES_ALLOWED),
    accept("word", none_of=("finite", "participle")),
    refuse("FINITE_VERB", "finite"),
    doubt("PARTICIPLE", "word"),
    refuse("FAMILY_NAME", "family"),
    refuse("BRAND", "brand"),
    *NO_WORDS,
)

TYPDOM: Final = Profile(name="typdom", cases=NO_VERBS, pairs_are_closed=True)
"""All but finite forms of verbs, family names and brands that are nothing else."""

NOUNS: Final = Profile(
    name="nouns",
    cases=(
        accept(*NAMES_ALLOWED),
        refuse("NO_NOUN", "word", none_of=("finite", "participle", "capital")),
        *NO_VERBS,
    ),
    pairs_are_closed=True,
)
"""Of those the forms of nouns and the names: an agreement that the rule texts allow."""

TO_CHOOSE: Final = (TYPDOM.name, "duden", NOUNS.name)
"""What the option `words` of the tile games may be, the usual one first."""
