"""What strangers write in words that we don't read reaches the GM, where it is about anything here (issue 49)."""

from __future__ import annotations

from typing import Any

import pytest

from gm.store.tables import Question

GM = "cici@postspiel.example"


def gets(zine: Any, text: str, number: int = 1, **more: Any) -> list[Any]:
    """Let a stranger write, and return the new mails to the GM."""
    zine.writes("Xaver", text, sender=f"xaver{number}@spieler.example", **{"subject": "Frage", **more})
    zine.tick()
    return [mail for to, mail in zine.mails() if to == GM]


@pytest.mark.parametrize("text", [
    "Mein Opa hat früher immer bei Eriwan zugeschaut, gibt es das noch?",
    "Kennt ihr eigentlich Crossword mit Umlauten?",
    "Ich habe euer Dottendorfer Soccer auf dem Dachboden gefunden, toll!",
])  # fmt: skip
def test_words_about_something_here_reach_the_gm(eriwan: Any, text: str) -> None:
    """A game, a title or the zine is named."""
    (mail,) = gets(eriwan, text)
    assert "xaver1@spieler.example schreibt" in eriwan.said(mail)
    assert f"> {text[:30]}" in mail.text


def test_other_words_do_not(eriwan: Any) -> None:
    """What is about nothing here gets the short help alone."""
    assert gets(eriwan, "Kaufen Sie jetzt günstige Reifen bei uns!") == []


def test_an_answer_to_the_short_help_reaches_the_gm(eriwan: Any) -> None:
    """It answers a mail of ours."""
    eriwan.writes("Xaver", "Hallöchen zusammen", sender="xaver1@spieler.example")
    eriwan.tick()
    help_mail = dict(eriwan.mails())["xaver1@spieler.example"]
    assert len(gets(eriwan, "Das verstehe ich leider gar nicht.", in_reply_to=help_mail.message_id)) == 1


def test_five_a_day_and_the_others_are_counted(eriwan: Any) -> None:
    """Nobody can fill the GM's mailbox."""
    mails = [mail for number in range(9) for mail in gets(eriwan, "Erzählt mal was über Eriwan, Leute!", number)]
    assert len(mails) == 6
    assert "Noch mehr Mails von Fremden" in mails[-1].subject
    (entry,) = [one for one in eriwan.rows(Question) if one.kind == "visitors"]
    assert entry.payload["text"] == "4"
