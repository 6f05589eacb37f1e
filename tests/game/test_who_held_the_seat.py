"""Who held a seat when a round was closed is named with it: nobody is blamed for a move that another one owed."""

import re
from pathlib import Path
from typing import Any

import pytest
from played_zine import OTHERS, WISHES, PlayedZine
from publishing import send_and_export

from gm.demo.in_memory_zine import PLAYERS, address_of
from gm.requests.desk import actions

ANNA, BERND, _, DORA = PLAYERS[:4]
GERDA = "Gerda Hahn"


def closes(zine: Any) -> dict[str, Any]:
    """Let the ZAT pass, and return the mails by address."""
    zine.passes_until(zine.zat, seconds=1)
    zine.tick()
    return {address: mail for address, mail in zine.mails() if "Bulletin" in mail.subject or "Runde" in mail.subject}


def test_a_bulletin_again_names_who_missed_the_move(eriwan: Any) -> None:
    """Dora misses round 1 and Gerda comes: `Protokoll` is as the bulletin was; the position says whose NMR it was."""
    eriwan.all_send(*(name for name in PLAYERS if name != DORA))
    before = closes(eriwan)[address_of(ANNA)].text
    actions.standby(eriwan.app, "Eriwan", DORA, GERDA, address_of(GERDA))
    eriwan.tick()
    welcome = dict(eriwan.mails())[address_of(GERDA)].text
    assert "Hallo Gerda" in welcome
    assert "NMR (Dora)" in welcome
    eriwan.writes(ANNA, "Stand Eriwan\n")
    assert "NMR (Dora)" in eriwan.reply(ANNA)
    eriwan.writes(ANNA, "Protokoll Eriwan 1\n")
    eriwan.tick()
    (again,) = (mail.text for address, mail in eriwan.mails() if address == address_of(ANNA))
    assert before[before.index("Kein Zug") : before.index("Viele Grüße")] in again
    eriwan.all_send(*(name for name in PLAYERS if name not in (DORA, ANNA)))
    eriwan.sends(GERDA, wish="E")
    closes(eriwan)
    eriwan.writes(ANNA, "Protokoll Eriwan 1\n")
    eriwan.tick()
    assert GERDA not in eriwan.reply(ANNA)
    eriwan.writes(ANNA, "Stand Eriwan\n")
    eriwan.tick()
    said = eriwan.reply(ANNA)
    assert DORA not in said
    assert GERDA in said


def test_an_empty_seat_misses_no_move(eriwan: Any) -> None:
    """Dora leaves: in later rounds no move is missed by her, but by nobody."""
    eriwan.all_send(*PLAYERS)
    eriwan.mails()
    eriwan.writes(DORA, "Abmeldung Eriwan\n")
    question = eriwan.answer(DORA)
    eriwan.writes(DORA, "Ja\n", subject=f"Re: {question.subject}")
    eriwan.tick()
    closes(eriwan)
    for _ in range(2):
        eriwan.all_send(*(name for name in PLAYERS if name != DORA))
        text = closes(eriwan)[address_of(ANNA)].text
        assert "Kein Zug von N. N. (NMR)" in text
        assert "NMR (N. N.)" in text
        assert "Kein Zug von Dora" not in text


def test_on_without_a_seat_says_nothing_of_missed_moves(eriwan: Any) -> None:
    """The GM lets the game go on without Dora: she leaves the game, and later bulletins speak of no NMR."""
    eriwan.all_send(*PLAYERS)
    actions.play_on_without(eriwan.app, "Eriwan", DORA)
    eriwan.tick()
    told = dict(eriwan.mails())[address_of(ANNA)].text
    assert "Dora Ems scheidet aus" in told
    assert "gibt auf" not in told
    closes(eriwan)
    eriwan.all_send(*(name for name in PLAYERS if name != DORA))
    assert "NMR" not in closes(eriwan)[address_of(ANNA)].text


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize("kind", ["crossword", *OTHERS])
def test_pages_and_issue_name_who_missed_the_move(kind: str, tmp_path: Path) -> None:
    """In every game: page, text and printed issue name who missed a move, and never who came after."""
    zine = PlayedZine(tmp_path, names="full")
    name, seats, _ = OTHERS.get(kind, ("Eriwan", 6, ()))
    zine.begins(kind, name, PLAYERS[:seats], WISHES if kind == "crossword" else "")
    late = _misses(zine, name)
    actions.standby(zine.app, name, late, GERDA, address_of(GERDA))
    zine.tick()
    _export(zine, tmp_path, name, late)
    zine.plays(name, 5)
    _export(zine, tmp_path, name, late)
    zine.close()


def test_those_who_missed_a_round_stand_in_one_sentence(eriwan: Any, tmp_path: Path) -> None:
    """Three moves are missing: mails and pages say so once, in both languages, and never name who came later."""
    late = PLAYERS[3:6]
    eriwan.all_send(*(name for name in PLAYERS if name not in late))
    text = " ".join(closes(eriwan)[address_of(ANNA)].text.split())
    assert text.count("Kein Zug von") == 1
    assert f"Kein Zug von {late[0]}, {late[1]} und {late[2]} (NMR)" in text
    actions.standby(eriwan.app, "Eriwan", DORA, GERDA, address_of(GERDA))
    eriwan.tick()
    send_and_export(eriwan.app, tmp_path / "site")
    pages = {path.parent.name: path.read_text() for path in (tmp_path / "site/partien/eriwan").rglob("index.html")}
    said = {
        name: re.sub(r"\s+", " ", re.sub("<[^>]*>", " ", text)).replace("\xa0", " ") for name, text in pages.items()
    }
    for name in ("eriwan", "runde-1"):
        assert "Kein Zug von Dora E., Emil F. und Frida G. (NMR)" in said[name]
        assert "Kein Zug eingegangen" not in said[name]


def test_the_replay_says_whose_nmr_it_was(tmp_path: Path) -> None:
    """Below the name of who came later a missed round has the name of who missed it."""
    zine = PlayedZine(tmp_path)
    zine.begins("crossword", "Eriwan", PLAYERS[:6], WISHES)
    zine.plays("Eriwan", 1, but=[DORA])
    actions.standby(zine.app, "Eriwan", DORA, GERDA, address_of(GERDA))
    zine.plays("Eriwan", 2)
    send_and_export(zine.app, tmp_path / "site")
    zine.close()
    page = (tmp_path / "site/partien/eriwan/index.html").read_text().replace("\xa0", " ")
    (caption,) = re.findall(r"<figcaption>Gerda H\.(.*?)</figcaption>", page)
    assert re.findall(r'class="n(\d)">([^<]*)', caption) == [("0", "(Dora E.)"), ("1", "NMR (Dora E.)")]


def _misses(zine: PlayedZine, name: str) -> str:
    """Play a step and close the next one without a move; return the name of one who owed it."""
    zine.plays(name, 0 if name == "Prag" else 1)
    late = zine.due(name)[-1]
    actions.close(zine.app, name, zine.app.now())
    zine.tick()
    return late


def _export(zine: PlayedZine, folder: Path, name: str, late: str) -> None:
    send_and_export(zine.app, folder / "site")
    text = next((folder / "site").rglob("partie.txt")).read_text()
    pages = [page.read_text() for page in (folder / "site").rglob("*.html")]
    said = [*text.splitlines(), *(one for page in pages for one in re.split("<[^>]*>", page))]
    missed = [line.replace("\xa0", " ") for line in said if re.search("NMR|Nicht fertig", line)]
    assert any(late in line for line in missed)
    assert not any(GERDA in line for line in missed)
