"""What a mail without a plain wish may be about, by single words of a closed table.

Nothing is done by it. The words go to the GM as any others, and the answer offers the line that would do it.
"""

import re
from collections.abc import Sequence
from typing import Final

from parsers.lines.calendar_words import plain_words
from parsers.lines.titles import Titles
from parsers.prose.clauses import clauses_of, may_be_move, own_text
from parsers.prose.topic_words import COVERS, PATTERNS
from parsers.prose.wishes import Wish

THANKS: Final = re.compile(r"\b(?:dank|danke|thanks|thank you) (?:\w+ )?(?:fuer|for)\b")
"""Who thanks for a thing has it."""
DENIED: Final = re.compile(r"\b(?:nicht(?! rechtzeitig)|kein\w*|nie|not|never|no longer|doesn't|don't|didn't)\b")
NOT_COUNTED: Final = re.compile(r"\b(?:nicht|not) (?:\w+ )?(?:werten|zaehlen|count)\b|\b(?:werten?|count)\b.* nicht\b")
SENTENCE_END: Final = re.compile(r"[.!?\n]\s*")
MAY_BE_DENIED: Final = frozenset(["vacation", "resign", "archive_name", "digest", "help", "rules", "position"])
"""What people ask for by saying what they can't, or don't have."""


def topic_of(lines: Sequence[str], titles: Titles, names: Sequence[str]) -> Wish | None:
    """Find the one topic of a mail, with what it names of `names`, titles, days and addresses; None of several.

    `lines` are the sender's own, clean.
    """
    text = own_text(lines)
    if not text or may_be_move(text):
        return None
    plain, clauses = plain_words(text), list(clauses_of(text, titles))
    days = [clause.days for clause in clauses if clause.days and clause.days.last]
    mails = [clause.mail for clause in clauses if clause.mail]
    kinds = {kind for kind, pattern in PATTERNS.items() if pattern.search(plain)}
    has_what_it_needs = {"vacation": len(days) == 1, "address": len(mails) == 1}
    kinds = {kind for kind in kinds if has_what_it_needs.get(kind, True)}
    kinds -= frozenset[str]().union(*(COVERS.get(kind, frozenset()) for kind in kinds))
    games = [name for name in names if re.search(rf"\b{re.escape(plain_words(name))}\b", plain)]
    title_keys = {clause.title_key for clause in clauses if clause.title_key}
    if len(kinds) != 1 or len(games) > 1 or len(title_keys) > 1:
        return None
    kind = kinds.pop()
    if THANKS.search(plain) or (kind not in MAY_BE_DENIED and _is_denied(plain, kind)):
        return None
    return Wish(
        kind=kind, language=None, text=text, title_key="".join(title_keys), game="".join(games),
        days=days[0] if kind == "vacation" else None, mail=mails[0] if kind == "address" else "",
    )  # fmt: skip


def _is_denied(plain: str, kind: str) -> bool:
    """Return whether the sentence that is about a kind denies it."""
    about = (sentence for sentence in SENTENCE_END.split(plain) if PATTERNS[kind].search(sentence))
    return any(DENIED.search(NOT_COUNTED.sub("", sentence)) for sentence in about)
