"""Pages where something is looked up: rules with an example, words, imprint and privacy; and what feeds tell."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lxml import etree, html
from publishing import send_and_export

from games import engines
from games.api import LANGUAGES
from gm.archive.layout import phrase
from gm.archive.reference_pages import example_move, privacy
from gm.demo.in_memory_zine import Story
from gm.runtime.config.settings import Settings, load
from gm.runtime.config.values import Contact

ATOM = {"a": "http://www.w3.org/2005/Atom", "h": "http://www.w3.org/1999/xhtml"}


def page_of(site: Any, path: str) -> Any:
    """Read a page of the site."""
    return html.document_fromstring(site.text(path).encode(), parser=html.HTMLParser(encoding="utf-8"))


def said(element: Any) -> str:
    """Return what a reader sees of an element, with plain blanks."""
    return " ".join(element.text_content().split())


# -- a move as an example ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", engines())
def test_every_game_shows_a_move_that_it_takes(key: str) -> None:
    """The example is a real move: its block is read without a problem, and looks like the one that comes by mail."""
    found = example_move.example(key)
    assert found is not None
    assert found.block
    assert found.lines != found.block
    assert found.summary
    engine = engines()[key]
    drawn = example_move.drawn(engine, found, "en")
    assert drawn["lines"][0] == drawn["block"][0] == f"{engine.rules.title} {example_move.GAME}"
    assert all("{" not in label + content for label, content in drawn["summary"])
    if found.block[0].startswith("Stand:"):
        assert found.lines[0] == found.block[0]


@pytest.mark.parametrize("key", engines())
def test_an_example_is_always_the_same(key: str) -> None:
    """Two zines show the same example, so that a page changes with the program only."""
    first = example_move.example(key)
    example_move.example.cache_clear()
    assert example_move.example(key) == first


def test_rules_show_the_move_in_both_languages(site: Any) -> None:
    """Each page of rules has the block as sent out and as filled in, and what boards there are before and after."""
    for key, engine in engines().items():
        found = example_move.example(key)
        assert found
        for language in LANGUAGES:
            below = "" if language == "de" else "en/"
            page = page_of(site, f"spiele/{key}/{below}index.html")
            blocks = [one.text_content().split("\n")[1:] for one in page.xpath("//ol[@class='example']//pre")]
            assert blocks == [list(found.block), list(found.lines)], engine.rules.title
            headings = [said(one) for one in page.xpath("//ol[@class='example']/li/h3")]
            assert (phrase(language, "EXAMPLE_BEFORE") in headings) == bool(found.before)
            assert (phrase(language, "EXAMPLE_AFTER") in headings) == bool(found.after)
            assert len(page.xpath("//ol[@class='example']//svg")) == len(found.before) + len(found.after)


def test_all_kinds_have_a_sentence_and_a_link(site: Any) -> None:
    """The page of all games tells of each in a sentence what it is, how many play, and leads to its rules."""
    cards = page_of(site, "spiele/index.html").xpath("//li[contains(@class, 'card')]")
    assert [one.find(".//a").get("href") for one in cards] == [
        f"../spiele/{key}/index.html"
        for _, key in sorted((engine.rules.title.casefold(), key) for key, engine in engines().items())
    ]
    assert all(len(said(one.findall(".//p")[0])) > 20 for one in cards)
    assert all("Mitspieler" in said(one) for one in cards)


@pytest.mark.parametrize("key", engines())
def test_an_example_goes_on_from_the_board_before_it(key: str) -> None:
    """What lies on a board before the move lies there after it: no board is that of an earlier deal."""
    found = example_move.example(key)
    assert found
    for board in (one for one in found.before if one.look in example_move.LASTING):
        lying = {cell.text.upper() for row in board.cells for cell in row if cell.text.strip(" .")}
        after = {cell.text.upper() for one in found.after for row in one.cells for cell in row}
        assert lying <= after


# -- words -------------------------------------------------------------------------------------------------------------


def test_words_have_points_game_and_day(site: Any) -> None:
    """Each word of a result stands in the register with its points, its game, its player and the day of the result."""
    compared = 0
    for record in (one for one in site.records if one.result):
        day = record.ended.astimezone(load(site.folder.with_name("zine") / "config.toml").service.timezone)
        names = {seat.seat: seat.name for seat in record.seats}
        for word in record.result.words[:5]:
            (row,) = _rows(site, word.word, record.slug, names[word.seat])[:1]
            assert f"{day:%d.%m.%Y}" in row
            assert word.status != "accepted" or row.endswith(str("–" if word.points is None else word.points))
            compared += 1
    assert compared > 20


def _rows(site: Any, word: str, slug: str, name: str) -> list[str]:
    found = []
    for path in (path for path in site.pages if path.startswith(f"woerter/{word[0].lower()}")):
        for body in page_of(site, path).xpath(f"//table[contains(@class, 'words')]/tbody[tr/th[text() = '{word}']]"):
            rows = body.xpath(f"./tr[td//a[contains(@href, '/{slug}/')]]")
            found += [said(row) for row in rows if name in said(row)]
    return found


# -- imprint and privacy -----------------------------------------------------------------------------------------------


def test_every_page_leads_to_imprint_and_privacy(site: Any) -> None:
    """Both stand at the foot of every page, and the page that one is on is marked."""
    for path in site.samples:
        if path != "404.html":
            links = page_of(site, path).xpath("//body/footer//a/@href")
            up = "../" * path.count("/")
            assert {f"{up}impressum/index.html", f"{up}datenschutz/index.html"} <= set(links), path
    marked = page_of(site, "datenschutz/index.html").xpath("//*[@aria-current='page']")
    assert [said(one) for one in marked] == ["Datenschutz"]


def changed(settings: Settings, **sections: dict[str, Any]) -> Settings:
    """Change some settings."""
    update = {name: getattr(settings, name).model_copy(update=values) for name, values in sections.items()}
    return settings.model_copy(update=update)


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """The settings of a zine."""
    story = Story(tmp_path_factory.mktemp("zine"))
    story.close()
    return story.app.settings


def test_privacy_tells_the_settings(settings: Settings) -> None:
    """Names, servers, folders, the second GM and whether pages are on the web are told as config.toml has them."""
    hosts = {"imap": {"host": "imap.example.org", "processed": "Fertig"}, "smtp": {"host": "SMTP.example.org"}}
    service = {"second_gm": Contact(name="Gerda Hahn", address="gerda@example.org")}
    archive = {"names": "pseudonym", "base_url": "https://example.org/ds/"}
    told = privacy.stored(changed(settings, **hosts, service=service, archive=archive))
    assert told["hosts"] == ("imap.example.org", "smtp.example.org")
    assert (told["processed"], told["names"], told["second"]) == ("Fertig", "PSEUDONYM", "Gerda Hahn")
    assert told["is_published"]
    bare = changed(settings, imap={"host": "127.0.0.1"}, smtp={"host": "localhost"}, service={"second_gm": None})
    told = privacy.stored(bare)
    assert (told["hosts"], told["second"], told["is_published"]) == ((), "", False)


@pytest.mark.parametrize(("language", "names"), [("de", "full"), ("en", "initial"), ("en", "pseudonym")])
def test_privacy_is_worded_in_both_languages(tmp_path: Path, language: str, names: str) -> None:
    """Whatever the settings, the page says it in whole sentences, and no mail address stands on it."""
    story = Story(tmp_path / "zine", more={"service": {"language": language}, "archive": {"names": names}})
    try:
        send_and_export(story.app, tmp_path / "site")
    finally:
        story.close()
    text = said(html.document_fromstring((tmp_path / "site/datenschutz/index.html").read_bytes()))
    assert phrase(language, f"PRIVACY_NAMES_{names.upper()}") in text
    assert "{" not in text
    assert "@" not in text


# -- feeds -------------------------------------------------------------------------------------------------------------


def test_feeds_tell_what_happened_and_show_the_board(site: Any) -> None:
    """An entry has the events of its round, its boards as text, and a link to its page."""
    for path in ("atom.xml", "partien/faro/atom.xml"):
        entries = etree.fromstring((site.folder / path).read_bytes()).findall("a:entry", ATOM)
        newest = entries[0]
        content = newest.find("a:content", ATOM)
        assert content.get("type") == "xhtml"
        link = newest.find("a:link", ATOM).get("href")
        assert content.xpath(".//h:a/@href", namespaces=ATOM) == [link]
        assert content.findtext(".//h:p", namespaces=ATOM)
        assert content.find(".//h:pre", namespaces=ATOM) is not None
    feed = etree.fromstring((site.folder / "partien/faro/atom.xml").read_bytes())
    record = site.record("Faro")
    told = ["".join(one.itertext()) for one in feed.findall("a:entry/a:content", ATOM)]
    for snapshot, text in zip(reversed(record.snapshots), told, strict=True):
        assert all(event.replace("-", "−") in text.replace("-", "−") for event in snapshot.events)


def test_only_the_newest_rounds_have_boards_in_a_feed(site: Any) -> None:
    """Old rounds have their events alone, so that the feed of a long game stays small."""
    long = max(site.records, key=lambda one: len(one.snapshots))
    feed = etree.fromstring(Path(site.folder / "partien" / long.slug / "atom.xml").read_bytes())
    boards = [entry.find(".//h:pre", ATOM) is not None for entry in feed.findall("a:entry", ATOM)]
    assert len(boards) > 10
    assert not any(boards[10:])
