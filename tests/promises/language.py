"""Promise 7: a mail to the GM is in the zine's language from its subject to its end (issue 29, GM by mail)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from observation import Observation
from sqlmodel import select

from gm.messages import questions
from gm.store.tables import Player
from parsers.mime.message import read_mail

KINDS: Final = ("trouble", "words", "appeal", "release", "digest", "more", "answer")
FOREIGN: Final = {
    "de": re.compile(r"\b(?:the|is|are|this|that|with|and|of|for|has|have|there|not|can't|isn't|by)\b"),
    "en": re.compile(r"\b(?:der|das|und|ist|nicht|eine[rnms]?|für|auf|mit|wird|du|dich|dein|kein|noch)\b"),
}
"""Words that no sentence of the other language does without."""
SOMEBODYS: Final = re.compile(r"»[^«]*«|“[^”]*”|\bgm [a-z]+ .*|'[^']*'|\"[^\"]*\"|\[[^\]]*\]")
"""What is quoted, typed, or a name."""


def gm_mails_are_in_one_language(zine: Observation) -> Iterator[str]:
    """Own paragraphs of a mail to the GM have no word of the other language; what is set in may be anybody's."""
    language = zine.app.settings.service.language
    for row in zine.sent[: zine.most_read]:
        if row.raw is None or row.player_id is not None or not questions.is_gm(zine.app, row.address):
            continue
        if row.kind not in KINDS:
            continue
        mail, names = read_mail(row.raw), zine.session.exec(select(Player.name)).all()
        # Who writes in the other language is answered in it.
        spoken = "en" if row.kind == "answer" and "\nHello" in mail.text else language
        paragraphs = [line for line in mail.text.split("\n") if line and line[0] != " "]
        for line in (mail.subject, " ".join(paragraphs)):
            for name in names:
                line = line.replace(name, "")
            if found := foreign_word(line, spoken):
                yield f"mail o{row.id} ({row.kind}) says {found!r}: {line[:300]}"


def foreign_word(line: str, language: str) -> str:
    """Find a word of the other language in a sentence of ours; empty where there is none."""
    found = FOREIGN[language].search(SOMEBODYS.sub(" ", line))
    return found[0] if found else ""
