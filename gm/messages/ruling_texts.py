"""What the GM is asked about words, and has ruled on them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from games.api import Played, Text, say
from games.words import Verdict
from gm.lexicon.spelling import board_letters


def of_rulings(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Text]:
    """List the words of a result that the GM has ruled on differently since. Both are the verdicts of a step."""
    ruled = {key: Verdict(**said) for key, said in sorted(after.items()) if before.get(key) != said}
    return [of_ruling(said, key.rpartition("/")[2]) for key, said in ruled.items() if said.reason == "RULED"]


def of_ruling(verdict: Verdict, word: str = "") -> Text:
    """Describe what the GM has ruled on a word, and why; without the word for those who mustn't know it."""
    is_in = verdict.status == "accepted"
    if word:
        text = say("RULED_IN" if is_in else "RULED_OUT", word=word)
    else:
        text = say("RULED_WORD_IN" if is_in else "RULED_WORD_OUT")
    return say("RULED_BECAUSE", ruling=text, note=verdict.note) if verdict.note else text


def claims_of(played: Iterable[Played]) -> Mapping[str, Sequence[Played]]:
    """Find by word, in board letters, who has laid or claimed it."""
    found: dict[str, list[Played]] = {}
    for one in played:
        found.setdefault(board_letters(one.word) or one.word, []).append(one)
    return found
