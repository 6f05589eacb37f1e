"""`gm write`: to a player, a game or all; the text from a file, from stdin or the editor (issue 29)."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import select

from gm.demo.in_memory_zine import PLAYERS, address_of
from gm.requests.desk import actions
from gm.store.tables import MailOut
from parsers.mime.message import read_mail

ANNA, BERND = PLAYERS[:2]
TEXT = "Hallo!\n\nDer nächste ZAT ist erst im Januar.\n"


def letters(gm: Any) -> list[MailOut]:
    """Return the letters in the queue."""
    with gm.app() as app, app.database.read() as session:
        return list(session.exec(select(MailOut).where(MailOut.kind == "letter")))


WHO = {
    "Eriwan": ("Queued for all in Eriwan: 6 (6 mails).", PLAYERS), "eriwan": ("all in Eriwan", PLAYERS),
    "all": ("Queued for all in open and running games: 6 (6 mails).", PLAYERS), ANNA: (f"{ANNA} (1 mail)", [ANNA]),
    address_of(BERND): (f"{BERND} (1 mail)", [BERND]),
}  # fmt: skip


@pytest.mark.trust(except_first=2)
@pytest.mark.parametrize("who", WHO)
def test_who(running: Any, who: str) -> None:
    """The text goes to whom was named and nobody else; it is queued, not sent."""
    said, names = WHO[who]
    ran = running("write", who, "--subject", "Weihnachten", stdin=TEXT.encode())
    assert said in ran.out
    assert "`gm serve` delivers." in ran.out
    found = letters(running)
    assert {row.address for row in found} == set(map(address_of, names))
    assert {row.status for row in found} == {"queued"}
    for row in found:
        mail = read_mail(row.raw or b"")
        assert mail.subject == "Weihnachten"
        assert "ist erst im Januar." in mail.text


def test_a_file(running: Any, tmp_path: Path) -> None:
    """The text may stand in a file, also as Windows writes it; one that can't be read is refused."""
    (tmp_path / "picture").write_bytes(b"\xff\xd8\xff\xe0\0\x10JFIF\0")
    for number, encoding in enumerate(("utf-8", "utf-8-sig", "cp1252"), 1):
        (tmp_path / "news.txt").write_text(TEXT, encoding=encoding)
        running("write", ANNA, str(tmp_path / "news.txt"))
        assert len(letters(running)) == number
    running("write", ANNA, "-", stdin=TEXT.encode("cp1252"))
    texts = [read_mail(row.raw or b"").text for row in letters(running)]
    assert all("\n  > Hallo!" in text and "\n  > Der nächste ZAT" in text for text in texts)
    assert len(letters(running)) == 4
    for name in ("picture", "missing", "."):
        assert "can't be read" in running.refused("write", ANNA, str(tmp_path / name))


def test_refused(running: Any) -> None:
    """Unknown names, empty texts, texts too long, and a name of both a game and a player are refused."""
    assert "no player" in running.refused("write", "Xaver", stdin=b"Hallo")
    assert "no text" in running.refused("write", ANNA, stdin=b" \n")
    assert "4001 characters" in running.refused("write", ANNA, stdin=b"x" * 4001)
    assert "0 players" in running.refused("write", "nobody@spieler.example", stdin=b"Hallo")
    with running.app() as app:
        actions.new_game(app, "crossword", "Xenia")
        actions.join(app, "Xenia", "Xenia", "xenia@spieler.example", "A")
    assert "is a game and a player" in running.refused("write", "Xenia", stdin=b"Hallo")
    assert letters(running) == []


@pytest.mark.trust
def test_the_editor(running: Any, terminal: Callable[..., Any], tmp_path: Path) -> None:
    """On a terminal the editor brings the text; the help lines below it stay out."""
    editor = tmp_path / "editor"
    editor.write_text('#!/bin/sh\nprintf "Frohes Fest!\\n" | cat - "$1" > "$1.new" && mv "$1.new" "$1"\n')
    editor.chmod(0o700)
    one = terminal("write", "Eriwan", "--config", str(running.config), env={"EDITOR": str(editor), "VISUAL": ""})
    assert one.ends() == 0
    assert len(letters(running)) == 6
    assert "not sent" not in read_mail(letters(running)[0].raw or b"").text
