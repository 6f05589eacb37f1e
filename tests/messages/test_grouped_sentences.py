"""What is said of several seats is one sentence, where the game has one for many."""

import pytest

from games import engines
from games.api import Language, Seat, Text, say
from gm.messages.rendering.wording import MANY, Speaker
from gm.messages.sentences import SENTENCES

NAMES = {Seat(1): "Anna", Seat(2): "Bernd", Seat(3): "Carla", (Seat(3), 4): "Dora"}
WORDING = {
    "NMR": {"de": "Kein Zug von {seat}: {letter}.", "en": "No move from {seat}: {letter}."},
    "NMR_MANY": {"de": "Kein Zug von {names}.", "en": "No move from {names}."},
    "OTHER": {"de": "{seat} passt.", "en": "{seat} passes."},
}


def missed(seat: int) -> Text:
    """A seat sent nothing in round 4."""
    return say("NMR", seat=seat, in_round=4, letter="E")


def speaker(language: Language) -> Speaker:
    """Somebody who knows the names then and now."""
    return Speaker(language=language, wording={**SENTENCES, **WORDING}, names=NAMES)


@pytest.mark.parametrize(
    ("language", "said"),
    [("de", "Kein Zug von Anna, Bernd und Dora."), ("en", "No move from Anna, Bernd and Dora.")],
)
def test_one_sentence_names_all_with_who_held_the_seat_then(language: Language, said: str) -> None:
    """It stands where the first one stood, and names Dora, who held Carla's seat in that round."""
    between = say("OTHER", seat=2)
    found = speaker(language).say_all([missed(1), between, missed(2), missed(3)])
    assert found == [said, speaker(language).say(between)]


def test_one_alone_is_told_in_full() -> None:
    """And what has no sentence for many is said of each."""
    assert speaker("de").say_all([missed(3)]) == ["Kein Zug von Dora: E."]
    twice = [say("OTHER", seat=1), say("OTHER", seat=2)]
    assert speaker("de").say_all(twice) == ["Anna passt.", "Bernd passt."]


@pytest.mark.parametrize("kind", sorted(engines()))
def test_sentences_for_many_need_names_only(kind: str) -> None:
    """In both languages, and each belongs to a sentence for one."""
    wording = engines()[kind].wording
    for code in (code for code in wording if code.endswith(MANY) and "{names}" in wording[code]["de"]):
        assert code.removesuffix(MANY) in wording
        assert all(pattern.format_map({"names": "Anna und Bernd"}) for pattern in wording[code].values())
