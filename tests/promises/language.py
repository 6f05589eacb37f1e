"""Promise 7: a mail to the GM is in one language from its subject to its end (issue 29, GM by mail).

That is the zine's; an answer may be in the language of the mail that it answers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from observation import Observation
from sqlmodel import select

from gm.messages import questions
from gm.store.tables import MailIn, MailOut, Player
from parsers.mime.message import read_mail

KINDS: Final = ("trouble", "words", "appeal", "release", "digest", "more", "answer")
FOREIGN: Final = {
    "de": re.compile(r"\b(?:the|is|are|this|that|with|and|of|for|has|have|there|not|can't|isn't|by)\b"),
    "en": re.compile(r"\b(?:der|das|und|ist|nicht|eine[rnms]?|für|auf|mit|wird|du|dich|dein|kein|noch)\b"),
}
"""Words that no sentence of the other language does without."""
WRITTEN: Final = {
    "de": re.compile(
        r"\b(?:ja|nein|an alle|hilfe|spiele|stand|protokoll|anmeldung|vorab|der|das|und|ist|wie|ich)\b", re.I
    ),
    "en": re.compile(
        r"\b(?:yes|no|to all|help|games|status|history|join|advance|the|is|are|this|how|what|thank|dear)\b", re.I
    ),
}
"""Words that show in which languages a mail to us is written."""
SOMEBODYS: Final = re.compile(r"»[^«]*«|“[^”]*”|\bgm [a-z]+ .*|'[^']*'|\"[^\"]*\"|\[[^\]]*\]")
"""What is quoted, typed, or a name."""


def gm_mails_are_in_one_language(zine: Observation) -> Iterator[str]:
    """Own paragraphs of a mail to the GM have no word of the other language; what is set in may be anybody's."""
    for row in zine.sent[: zine.most_read]:
        if row.raw is None or row.player_id is not None or not questions.is_gm(zine.app, row.address):
            continue
        if row.kind not in KINDS:
            continue
        mail, names = read_mail(row.raw), zine.session.exec(select(Player.name)).all()
        paragraphs = [line for line in (mail.subject, *mail.text.split("\n")) if line and line[0] != " "]
        said = f"{mail.subject}\n{' '.join(paragraphs)}"
        for name in names:
            said = said.replace(name, "")
        found = [foreign_word(said, language) for language in languages_of(zine, row)]
        if all(found):
            yield f"mail o{row.id} ({row.kind}) says {found[0]!r}: {said[:300]}"


def languages_of(zine: Observation, row: MailOut) -> list[str]:
    """List the languages that a mail to the GM may be in: the zine's, and for an answer those of the mail answered."""
    languages = [zine.app.settings.service.language]
    kind, _, number = row.cause.partition(":")
    if row.kind == "answer" and kind == "mail" and (asked := zine.session.get(MailIn, int(number))):
        mail = read_mail(asked.raw)
        own = "\n".join(
            line for line in (mail.subject, *mail.text.split("\n")) if not line.startswith(">") and not _is_typed(line)
        )
        languages += [one for one, words in WRITTEN.items() if one not in languages and words.search(own)]
    return languages


def _is_typed(line: str) -> bool:
    """Whether a line is a command, which has the same words in both languages."""
    return bool(re.match(r"\s*gm\b", line, re.IGNORECASE))


def foreign_word(line: str, language: str) -> str:
    """Find a word of the other language in a sentence of ours; empty where there is none."""
    found = FOREIGN[language].search(SOMEBODYS.sub(" ", line))
    return found[0] if found else ""
