"""The page of a game that waits for players: what it is, who is in, how many are missing, and a mail to join with."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import seating
from lxml import html as markup
from publishing import send_and_export

from games import engines
from gm.demo.in_memory_zine import PLAYERS, Story, address_of
from gm.requests.desk import actions


@pytest.fixture(params=[True, False], ids=["with an address", "without"])
def waiting(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Story]:
    """Jakarta has two of six players, Faro one; the pages say where to write, or don't."""
    story = Story(tmp_path / "zine", more={"archive": {"address": request.param}})
    for kind, name in (("crossword", "Jakarta"), ("farbdomino", "Faro")):
        actions.new_game(story.app, kind, name)
    for name in PLAYERS[:2]:
        seating.join(story.app, "Jakarta", name, address_of(name), "E")
    seating.join(story.app, "Faro", PLAYERS[0], address_of(PLAYERS[0]), None)
    yield story
    story.close()


def page(story: Story, path: str) -> Any:
    """Bring the site up to date, and open a page of it."""
    folder = Path(story.config).parent / "site"
    send_and_export(story.app, folder)
    return markup.fromstring((folder / path).read_bytes())


def said(part: Any) -> str:
    """Read a part of a page."""
    return re.sub(r"\s+", " ", part.text_content()).strip()


def places(found: Any) -> list[str]:
    """Read who is in, and which places are free."""
    return [said(one) for one in found.findall(".//ul[@class='places']/li")]


def test_a_visitor_learns_what_it_is_and_joins(waiting: Story) -> None:
    """What it is about, a board, the rules, who is in and how many are missing; and the mail that joins."""
    found = page(waiting, "partien/jakarta/index.html")
    assert "Alle füllen in sechs Runden ein eigenes Raster" in said(found)
    assert found.find(".//section[@class='example']//svg") is not None
    assert found.find(".//main//a[@href='../../spiele/crossword/index.html']") is not None
    assert places(found) == ["Anna B.", "Bernd C.", "frei", "frei", "frei", "frei"]
    assert "Noch 4 Mitspieler fehlen, dann kann es losgehen." in said(found)
    links = [one.attrib["href"] for one in found.iter("a") if one.attrib["href"].startswith("mailto:")]
    assert "Anmeldung Crossword Jakarta" in said(found)
    if not waiting.app.settings.archive.address:
        assert links == []
        assert waiting.app.settings.service.address not in said(found)
        return
    assert "zug@" in (found.find(".//dl//wbr/..").text or "")  # on a phone the address breaks there
    (link,) = links
    sent = urlsplit(link)
    assert sent.path == waiting.app.settings.service.address
    waiting.writes("Carla Dietz", parse_qs(sent.query)["body"][0], subject=parse_qs(sent.query)["subject"][0])
    waiting.tick()
    ((_, question),) = waiting.mails()[-1:]
    waiting.writes("Carla Dietz", "Ja", subject=f"Re: {question.subject}")
    waiting.tick()
    assert places(page(waiting, "partien/jakarta/index.html"))[:4] == ["Anna B.", "Bernd C.", "Carla D.", "frei"]


def test_enough_are_in(waiting: Story) -> None:
    """A game that may begin with fewer than it has room for says so; who leaves is named no more."""
    assert "Noch einer fehlt, dann kann es losgehen." in said(page(waiting, "partien/faro/index.html"))
    seating.join(waiting.app, "Faro", PLAYERS[1], address_of(PLAYERS[1]), None)
    found = page(waiting, "partien/faro/index.html")
    assert "Genug sind dabei, bald geht es los." in said(found)
    assert places(found) == ["Anna B.", "Bernd C.", "frei", "frei", "frei"]
    actions.take_off(waiting.app, "Faro", PLAYERS[0])
    assert "Anna" not in said(page(waiting, "partien/faro/index.html"))


def test_once_it_has_begun_the_page_is_that_of_a_game(waiting: Story) -> None:
    """Nothing asks to join any more, and the data don't say how many are missing."""
    seating.join(waiting.app, "Faro", PLAYERS[1], address_of(PLAYERS[1]), None)
    actions.start(waiting.app, "Faro")
    found = page(waiting, "partien/faro/index.html")
    assert found.find(".//section[@class='example']") is None
    assert not places(found)


def test_joining_stands_above_the_rounds(waiting: Story) -> None:
    """At home how to join comes before the lists of results and rounds, with the same mail."""
    for name in PLAYERS[2:6]:
        seating.join(waiting.app, "Jakarta", name, address_of(name), "E")
    actions.start(waiting.app, "Jakarta")
    waiting.tick()
    actions.close(waiting.app, "Jakarta", waiting.app.now())
    found = page(waiting, "index.html")
    headings = [said(one) for one in found.iter("h2")]
    assert headings.index("Mitspielen") < headings.index("Neueste Auswertungen")
    links = [one.attrib["href"] for one in found.iter("a") if one.attrib["href"].startswith("mailto:")]
    assert len(links) == waiting.app.settings.archive.address


@pytest.mark.parametrize("kind", sorted(engines()))
def test_every_kind_has_a_sentence_and_a_picture(kind: str, tmp_path: Path) -> None:
    """Whatever is to be played: what it is about, and what it looks like."""
    story = Story(tmp_path / "zine")
    actions.new_game(story.app, kind, "Quito")
    found = page(story, "partien/quito/index.html")
    story.close()
    assert len(said(found.find(".//p[@class='lead']"))) > 40
    assert found.find(".//section[@class='example']//svg") is not None
