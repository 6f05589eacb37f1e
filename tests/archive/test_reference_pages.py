"""Pages where something is looked up: rules with an example, words, imprint and privacy; and what the feed tells."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lxml import etree, html
from publishing import send_and_export

from games import engines
from games.api import LANGUAGES
from gm.archive.layout import phrase
from gm.archive.reference_pages import fixed_pages
from gm.demo.in_memory_zine import Story
from gm.runtime.config.settings import Settings, load
from gm.runtime.config.values import Contact

SECRETS = {"combinato": "BILD", "combinato-zahlen": "0427"}
ATOM = {"a": "http://www.w3.org/2005/Atom", "h": "http://www.w3.org/1999/xhtml"}


def page_of(site: Any, path: str) -> Any:
    """Read a page of the site."""
    return html.document_fromstring(site.text(path).encode(), parser=html.HTMLParser(encoding="utf-8"))


def said(element: Any) -> str:
    """Return what a reader sees of an element, with plain blanks."""
    return " ".join(element.text_content().split())


# -- rules -------------------------------------------------------------------------------------------------------------


@pytest.mark.trust
@pytest.mark.parametrize("key", engines())
def test_rules_show_the_example_of_the_author(site: Any, key: str) -> None:
    """Each game has one drawn board as an example, with a sentence, in both languages."""
    example = engines()[key].rules.example
    assert example is not None
    for language in LANGUAGES:
        below = "" if language == "de" else "en/"
        section = page_of(site, f"spiele/{key}/{below}index.html").xpath("//section[.//*[local-name()='svg']]")
        (shown,) = section
        assert said(shown.find("h2")) == phrase(language, "EXAMPLE")
        assert len(shown.xpath(".//*[local-name()='svg' and contains(@class, 'board')]")) == len(example.grids) == 1
        assert said(shown.find("p")) == engines()[key].wording["EXAMPLE"][language].format(secret=SECRETS.get(key))


@pytest.mark.trust
def test_all_kinds_have_a_sentence_and_a_link(site: Any) -> None:
    """The page of all games tells of each in a sentence what it is, how many play, and leads to its rules."""
    cards = page_of(site, "spiele/index.html").xpath("//li[contains(@class, 'card')]")
    assert [one.find(".//a").get("href") for one in cards] == [
        f"../spiele/{key}/index.html"
        for _, key in sorted((engine.rules.title.casefold(), key) for key, engine in engines().items())
    ]
    assert all(len(said(one.findall(".//p")[0])) > 20 for one in cards)
    assert all("Mitspieler" in said(one) for one in cards)


# -- words -------------------------------------------------------------------------------------------------------------


@pytest.mark.trust
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


@pytest.mark.trust
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
    archive = {"names": "full", "base_url": "https://example.org/ds/"}
    told = fixed_pages.stored(changed(settings, **hosts, service=service, archive=archive))
    assert told["hosts"] == ("imap.example.org", "smtp.example.org")
    assert (told["processed"], told["names"], told["second"]) == ("Fertig", "FULL", "Gerda Hahn")
    assert told["is_published"]
    bare = changed(settings, imap={"host": "127.0.0.1"}, smtp={"host": "localhost"}, service={"second_gm": None})
    told = fixed_pages.stored(bare)
    assert (told["hosts"], told["second"], told["is_published"]) == ((), "", False)


@pytest.mark.parametrize(("language", "names"), [("de", "full"), ("en", "initial")])
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


# -- the feed ----------------------------------------------------------------------------------------------------------


@pytest.mark.trust
def test_the_feed_tells_what_happened_and_shows_the_board(site: Any) -> None:
    """An entry has the events of its round, its boards as text, and a link to its page."""
    entries = etree.fromstring((site.folder / "atom.xml").read_bytes()).findall("a:entry", ATOM)
    content = entries[0].find("a:content", ATOM)
    assert content.get("type") == "xhtml"
    link = entries[0].find("a:link", ATOM).get("href")
    assert content.xpath(".//h:a/@href", namespaces=ATOM) == [link]
    assert content.findtext(".//h:p", namespaces=ATOM)
    assert content.find(".//h:pre", namespaces=ATOM) is not None
    rounds = {
        f"partien/{record.slug}/runde-{one.number}": one for record in site.records for one in record.snapshots
    }  # fmt: skip
    for entry in entries:
        text = "".join(entry.find("a:content", ATOM).itertext()).replace("-", "−")
        snapshot = rounds[entry.findtext("a:id", namespaces=ATOM).partition(":partien/")[2].join(("partien/", ""))]
        assert all(event.replace("-", "−") in text for event in snapshot.events)
