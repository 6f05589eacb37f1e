"""The pages about more than one game: who and what is on them, how long they get, and that they stay right."""

import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path, PurePosixPath
from typing import Any
from xml.etree import ElementTree
from zoneinfo import ZoneInfo

import pytest
import seating
from copied_games import copy_games
from hypothesis import given
from hypothesis import strategies as st
from icalendar import Calendar
from lxml import html as markup
from publishing import game_slugs, send_all, send_and_export

from games.api import Seat
from games.dice import Dice
from gm.app.context import App
from gm.archive.export import export
from gm.archive.list_context import ListContext
from gm.archive.list_data.games_by_status import local_year
from gm.archive.list_data.letter_ranges import DEPTH, MOST, divide
from gm.archive.list_data.paging import FULL, paged
from gm.archive.list_data.recent_rounds import ClosedRound, by_day
from gm.archive.list_pages import games
from gm.archive.list_pages.players import FORM
from gm.archive.make_lists import LISTS
from gm.archive.record.list_rows import sort_key
from gm.archive.reference_pages.word_register import SHOWN
from gm.demo.in_memory_zine import PLAYERS, Story, address_of
from gm.game import word_judge
from gm.game.people.shown_names import shown_names
from gm.game.position import position
from gm.requests.desk import actions, erasure
from gm.store.archive_tables import ArchivedGame
from gm.store.queries import game_queries
from gm.store.tables import Game, Player

ATOM = {"a": "http://www.w3.org/2005/Atom"}
WORDS = ("AST", "RAR", "TAG", "STERN", "RASEN", "TANNE", "EST", "STAR", "RAT", "REST", "NEST", "TEER", "-TAR")


@pytest.mark.trust
def test_a_game_stands_once_on_the_start_page(new_zine: Any, tmp_path: Path) -> None:
    """A result that has a card isn't listed below it again; the others are, and all games can be reached."""
    zine, page = new_zine(), tmp_path / "site" / "index.html"
    for number, name in enumerate(("Como", "Bari", "Genua", "Rom", "Turin"), 1):
        zine.begins("combinato", name, PLAYERS[:2])
        zine.plays(name)
        if number in (1, 5):
            export(zine.app, tmp_path / "site")
            shown = page.read_text(encoding="utf-8").partition("Neueste Auswertungen")[0]
            results = [one for one in ("Como", "Bari", "Genua", "Rom", "Turin") if f"partien/{one.lower()}/" in shown]
            below = shown.partition("Neueste Ergebnisse")[2]
            assert len(results) == number
            assert [one for one in results if f"partien/{one.lower()}/" in below] == (["Como"] if number > 1 else [])
            assert 'href="partien/index.html">Alle Partien' in shown.replace('href="./', 'href="')


# -- a zine to look at -------------------------------------------------------------------------------------------------


def begin(story: Story, name: str, kind: str = "crossword") -> None:
    """Open a game, seat everybody and start it."""
    actions.new_game(story.app, kind, name)
    for player, wish in zip(PLAYERS, "ENRSTA", strict=True):
        seating.join(story.app, name, player, address_of(player), wish)
    actions.start(story.app, name)


def close(story: Story, name: str, absent: str = "") -> None:
    """Let all move but one, and close the round."""
    with story.app.database.write() as session:
        game = game_queries.named(session, name)
        at, words = position(story.app, game), word_judge.judge(story.app, game)
        blocks = {
            player: at.engine.suggest(at.state, Seat(seat), Dice("lists", at.turn.number * 10 + seat), words)
            for seat, player in enumerate(PLAYERS, 1)
            if player != absent
        }
    for player, lines in blocks.items():
        actions.enter_move(story.app, name, player, "\n".join(lines))
    actions.close(story.app, name, story.now)
    story.passes(hours=1)


def play(story: Story, name: str) -> None:
    """Play a game of Crossword to its end; somebody misses a round."""
    begin(story, name)
    for number in range(6):
        close(story, name, PLAYERS[2] if number == 3 else "")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Story]:
    """A zine with a finished game, one that runs, one that is open, and one that was broken off."""
    story = Story(
        tmp_path_factory.mktemp("played"), words=WORDS, more={"archive": {"base_url": "https://example.org/ds/"}}
    )
    play(story, "Eriwan")
    begin(story, "Havanna")
    close(story, "Havanna")
    actions.new_game(story.app, "presto", "Lima")
    seating.join(story.app, "Lima", "Gerda Hahn", "gerda@spieler.example", None)
    begin(story, "Ulm")
    close(story, "Ulm")
    actions.abort(story.app, "Ulm", "niemand da")
    yield story
    story.close()


@pytest.fixture(scope="module")
def site(played: Story, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The whole site of that zine."""
    folder = tmp_path_factory.mktemp("site")
    send_and_export(played.app, folder)
    return folder


@pytest.fixture(scope="module")
def many_pages(many: Story) -> dict[str, bytes]:
    """All lists of the zine of many games, before anything is changed in it."""
    return everything(many.app)


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Story]:
    """A zine of 161 finished games with words made up."""
    story = Story(tmp_path_factory.mktemp("many"), words=WORDS)
    play(story, "Eriwan")
    send_and_export(story.app, story.config.with_name("site"))
    copy_games(story.config.with_name("gm.db"), games=160, players=12, years=2, derived=True)
    yield story
    story.close()


def everything(app: App) -> dict[str, bytes]:
    """Make all lists, without any page of a game."""
    found: dict[str, bytes] = {}
    with app.database.read() as session:
        context = ListContext(
            app=app, session=session, people=shown_names(session, app.settings), slugs=game_slugs(session),
            read=lambda _: None,
        )  # fmt: skip
        for pages in LISTS.values():
            for one in pages(context):
                assert one.path not in found
                found[one.path] = one.content()
    return found


def page(folder: Path, path: str) -> Any:
    """Read a page of a site."""
    return markup.fromstring((folder / path).read_bytes())


def text(folder: Path, path: str) -> str:
    """Read what a page says."""
    return said_by(page(folder, path))


def said_by(tree: Any) -> str:
    """Return the text of a page's main part, a blank between any two pieces."""
    return said_of(tree.find(".//main"))


# -- long lists --------------------------------------------------------------------------------------------------------


@given(st.integers(0, 700))
def test_pages_that_are_full_stay_as_they_are(count: int) -> None:
    """A list has every item once, at most 100 a page, and a page that is full keeps its items for ever."""
    found = paged("liste", count)
    assert [item for one in found for item in reversed(one.items(range(count)))] == list(range(count))
    assert all(len(one.items(range(count))) <= 100 for one in found)
    assert [one.path for one in found][-1] == "liste/index.html"
    longer = {one.path: one.items(range(count + 77)) for one in paged("liste", count + 77)}
    assert all(longer[one.path] == one.items(range(count)) for one in found[:-1])
    assert count < FULL or all(len(one.items(range(count))) >= FULL for one in found)


@given(st.dictionaries(st.text("ABCZ0", min_size=1, max_size=DEPTH), st.integers(1, 300), max_size=60))
def test_words_are_parted_without_loss(counts: dict[str, int]) -> None:
    """Each word is on exactly one page of its letter; a page is short unless all its words begin alike."""
    letters = divide(counts)
    assert sum(letter.count for letter in letters) == sum(counts.values())
    for letter in letters:
        assert sum(part.count for part in letter.parts) == letter.count
        for part in letter.parts:
            assert part.count <= MOST or part.is_whole or len(part.prefix) == DEPTH
    for prefix, count in counts.items():
        homes = [
            part for letter in letters for part in letter.parts
            if prefix == part.prefix or (prefix.startswith(part.prefix) and not part.is_whole)
        ]  # fmt: skip
        assert len(homes) == 1
        assert homes[0].count >= count


@pytest.mark.trust
@given(st.text(min_size=1, max_size=8), st.text(min_size=1, max_size=8))
def test_sort_keys_tell_words_apart(one: str, other: str) -> None:
    """A word is sorted by A to Z and figures alone, and two words never share a key."""
    assert re.match(r"[A-Z0-9]+( |$)", sort_key(one))
    assert (sort_key(one) == sort_key(other)) == (one == other)


def test_umlauts_are_sorted_beside_their_vowels() -> None:
    """ÄHRE stands beside AHRE and MASSE beside MAßE, each as a word of its own."""
    assert sorted(map(sort_key, ["ZOO", "ÄHRE", "AHRE", "MAßE", "MASSE"])) == [
        "AHRE", "AHRE ÄHRE", "MASSE", "MASSE MAßE", "ZOO"
    ]  # fmt: skip


def closed(game: str, number: int, hours: int, *, is_end: bool = False) -> ClosedRound:
    """Make a closed round of a game of turns, so many hours after noon in Berlin."""
    at = datetime(2026, 12, 24, 11, tzinfo=UTC) + timedelta(hours=hours)
    return ClosedRound(
        at=at, slug=game.lower(), number=number, game=game, kind="typ-dom", is_end=is_end, begun=at, language="de"
    )  # fmt: skip


def test_evaluations_are_grouped_by_day_and_game() -> None:
    """A day has one line for each game: from which round to which, and whether it ended; days are those of the zine."""
    berlin = ZoneInfo("Europe/Berlin")
    rounds = [
        closed("Rom", 4, 12, is_end=True), closed("Rom", 3, 11), closed("Ulm", 1, 10), closed("Ulm", 0, 9),
        closed("Rom", 2, 8), closed("Rom", 1, 1), closed("Rom", 0, 0),
    ]  # fmt: skip
    days = by_day(rounds, berlin, 10)
    assert [[(one.game, said, one.is_end) for one, said in day] for day in days] == [
        [("Rom", "Zug 4", True)],
        [("Rom", "Start, Züge 1 bis 3", False), ("Ulm", "Start, Zug 1", False)],
    ]
    assert days[1][0][0].path == "partien/rom/runde-3/index.html"
    assert [len(day) for day in by_day(rounds, berlin, 2)] == [1, 1]
    assert by_day(rounds[6:], berlin, 9)[0][0][1] == "Start"


# -- many games --------------------------------------------------------------------------------------------------------


@pytest.mark.trust
@pytest.mark.sqlite
def test_long_lists_are_bounded(many: Story, many_pages: dict[str, bytes]) -> None:
    """No list of many games is longer than a page can hold: games by year, words by letter, uses by word."""
    pages = many_pages
    for path, content in pages.items():
        if path.endswith(".html"):
            tree = markup.fromstring(content)
            words = tree.xpath("//table[contains(@class, 'words')]/tbody")
            assert len(tree.xpath("//table[not(contains(@class, 'words'))]/tbody/tr")) <= 200, path
            assert len(words) <= MOST, path
            assert max((len(one.findall("tr")) for one in words), default=0) <= SHOWN, path
    year = local_year(many.app.settings, many.now)
    assert f"partien/{year - 1}/crossword/index.html" in pages
    assert any(re.fullmatch(r"personen/[\w-]+/1/index\.html", path) for path in pages)
    assert any(re.fullmatch(r"woerter/\w/\w{2}/index\.html", path) for path in pages)


@pytest.mark.trust
@pytest.mark.sqlite
def test_every_word_is_in_the_register(many: Story, many_pages: dict[str, bytes]) -> None:
    """Each word of a finished game stands on exactly one page, struck ones in their own register as well."""
    pages = many_pages
    with closing(sqlite3.connect(many.config.with_name("gm.db"))) as connection:
        rows = connection.execute("SELECT word, status, count(*) FROM archived_word GROUP BY word, status").fetchall()
    for folder, wanted in (("woerter", {word for word, _, _ in rows}),
                           ("gestrichen", {word for word, status, _ in rows if status == "refused"})):  # fmt: skip
        found = [
            str(term.text)
            for path, content in pages.items() if path.startswith(f"{folder}/")
            for term in markup.fromstring(content).xpath("//table[contains(@class, 'words')]//th[@scope='row']")
        ]  # fmt: skip
        assert len(found) == len(set(map(str.strip, found)))
        assert set(map(str.strip, found)) == wanted


# -- a small zine ------------------------------------------------------------------------------------------------------


@pytest.mark.trust
def test_all_links_lead_somewhere(site: Path) -> None:
    """Each link of each page of the whole site leads to a file of it, and none is absolute."""
    for path in site.rglob("*.html"):
        place = PurePosixPath(path.relative_to(site).as_posix())
        if place.name == "404.html":
            continue  # it is shown at any depth
        for _, _, link, _ in markup.fromstring(path.read_bytes()).iterlinks():
            target, _, mark = link.partition("#")
            assert not re.match(r"[a-z]+:|/", link), (place, link)
            found = (site / place.parent / target).resolve() if target else path.resolve()
            assert found.is_file(), (place, link)
            assert not mark or f'id="{mark}"' in found.read_text(encoding="utf-8"), (place, link)


@pytest.mark.trust
def test_pages_hold_no_address_script_or_style(site: Path) -> None:
    """No page names an address, runs a script or brings a style of its own."""
    for path in site.rglob("*"):
        if path.suffix in (".html", ".xml", ".json", ".ics"):
            content = path.read_text(encoding="utf-8")
            assert "@" not in content, path
            assert "<script" not in content, path
            assert not re.search(r'<[^>]* style="', content), path


@pytest.mark.trust
def test_start_tells_what_goes_on(site: Path) -> None:
    """The start page has a card for each running game, free places, evaluations by day and game, and results."""
    tree = page(site, "index.html")
    cards = [said_of(card) for card in tree.findall(".//ul[@class='cards']/li")]
    assert re.fullmatch(
        r"Crossword »Havanna« Noch kein Zug da ZAT \w\w, \d\d\.\d\d\.\d{4}, \d\d:\d\d Uhr \(MEZ?S?Z?\) "
        r"(Vorn .* Punkte )?Letzte Auswertung .*, Runde 1 .*",
        cards[0],
    ), cards[0]  # fmt: skip
    assert re.match(r"Crossword »Eriwan« Endstand \w+ (schlägt|gewinnt) .* 6 Runden", cards[1])
    assert all(card.find("svg") is not None for card in tree.findall(".//ul[@class='cards']/li"))
    said = said_by(tree)
    assert "»Lima« Presto, 5 Plätze frei" in said
    assert "Anmeldung Presto Lima" in said
    assert "Crossword »Eriwan« Start, Runden 1 bis 6, Endstand" in said
    links = {link for _, _, link, _ in tree.iterlinks()}
    assert {"partien/eriwan/runde-6/index.html", "partien/ulm/runde-1/index.html"} <= links


def said_of(tree: Any) -> str:
    """Return the text of a part of a page, a plain blank between any two pieces."""
    return " ".join(" ".join(tree.itertext()).split())


def test_many_running_games_are_rows_of_a_list(played: Story, site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of many running games the start page has cards of the next ones, and a link to the list of all."""
    link = "Alle 1 laufenden Partien"
    assert link not in text(site, "index.html")
    monkeypatch.setattr(games, "CARDS", 0)
    assert link in said_by(markup.fromstring(everything(played.app)["index.html"]))


def test_zats_are_drawn_as_the_table_says(site: Path) -> None:
    """Each game with a ZAT has its bar in the drawing, and its row below it."""
    tree = page(site, "termine/index.html")
    bars = [said_of(row.findall("text")[0]) for row in tree.findall(".//figure/svg/g")]
    rows = [row.find("th/a").text for row in tree.findall(".//tbody/tr")]
    assert bars == [f"{name} (Crossword)" for name in rows] == ["Havanna (Crossword)"]
    days = [str(one.text) for one in tree.findall(".//figure/svg/text")]
    assert 2 <= len(days) <= 6
    assert all(re.fullmatch(r"\w\w, \d\d\.\d\d\.", day) for day in days)


@pytest.mark.trust
@pytest.mark.sqlite
def test_a_player_page_draws_what_its_tables_say(many_pages: dict[str, bytes]) -> None:
    """The form is that of the last games in the table; bars of opponents are as long as their games are many."""
    path = max(path for path, content in many_pages.items() if b"line form" in content)
    tree = markup.fromstring(many_pages[path])
    places = [said_of(one) for one in tree.findall(".//svg[@class='line form']/text") if "place" in one.attrib["class"]]
    rows = tree.xpath("//table[caption='Ergebnisse']/tbody/tr/td[1]")
    assert len(places) == FORM
    assert places == [said_of(row).partition(".")[0] for row in rows[:FORM]][::-1]
    for bar in tree.findall(".//svg[@class='share']"):
        ahead, level, behind = (float(part.attrib["width"]) for part in bar)
        figures = [int(one) for one in said_of(bar.getparent().getnext()).split(" : ")]
        assert (ahead > behind) == (figures[0] > figures[1])
        assert 0 < ahead + level + behind <= 100.2


def test_a_card_needs_its_games_file(played: Story, site: Path) -> None:
    """Boards and status come from what the games' pages show; without a file there is no card, and rows go on."""
    bare = everything(played.app)
    assert not markup.fromstring(bare["index.html"]).findall(".//ul[@class='cards']")
    assert "Havanna läuft Crossword, Runde 2" in said_by(markup.fromstring(bare["partien/index.html"]))
    assert "Havanna Noch kein Zug da Crossword, Runde 2" in text(site, "partien/index.html")


def test_lists_name_nobody_before_the_start(site: Path) -> None:
    """A player of a game that hasn't begun is on its page alone: on no list, and without a page of their own."""
    named = [path for path in site.rglob("*.html") if b"Gerda" in path.read_bytes()]
    assert [str(path.relative_to(site)) for path in named] == ["partien/lima/index.html"]


def test_games_that_are_over_are_shelved(site: Path, played: Story) -> None:
    """A year's page lists results, best first, and says of a game that was broken off that it was."""
    year = local_year(played.app.settings, played.now)
    said = text(site, f"partien/{year}/crossword/index.html")
    assert re.search(r"Eriwan \d\d\.\d\d\.\d{4} 1\. \w+ \w\. \d+; 2\. ", said)
    assert re.search(r"Ulm abgebrochen \d\d\.\d\d\.\d{4} –", said)
    assert f"{year} 2 2" in text(site, "partien/index.html")


def test_people_have_pages_that_search_engines_leave_alone(site: Path) -> None:
    """Everybody of a game that began is listed, with a page of what they played; robots shall not index it."""
    assert {link.text for link in page(site, "personen/index.html").findall(".//tbody//a")} == {
        "Anna B.", "Bernd C.", "Carla D.", "Dora E.", "Emil F.", "Frida G."
    }  # fmt: skip
    carla = page(site, "personen/carla-d/index.html")
    assert carla.find(".//meta[@name='robots']").attrib["content"] == "noindex"
    said = text(site, "personen/carla-d/index.html")
    assert "1 von 6 (17 %)" in said
    assert "Spielt gerade: »Havanna« (Crossword)" in said
    for heading in ("Wertvollste Wörter", "Gegen wen", "Bilanz nach Spielen", "Gewohnheiten"):
        assert heading in said


@pytest.mark.sqlite
def test_tables_rank_who_has_played_enough(site: Path, many_pages: dict[str, bytes]) -> None:
    """One game ranks nobody and makes no records; who has played three is ranked in three orders."""
    assert "Noch keine 3 Partien: Anna B. (1)" in text(site, "ewige-tabelle/index.html")
    said = text(site, "ewige-tabelle/crossword/index.html")
    assert not re.search("Ehrentafel|Ergebnis|Knappster", said + text(site, "ewige-tabelle/index.html"))
    pages = many_pages
    said = said_by(markup.fromstring(pages["ewige-tabelle/crossword/index.html"]))
    assert re.search(r"Knappster Ausgang \d+ Punkte? Abstand .* vor .*, »\w+« , \d\d\.", said)
    for folder, column in (("", 5), ("siege/", 3), ("bestwert/", 6)):
        rows = markup.fromstring(pages[f"ewige-tabelle/crossword/{folder}index.html"]).findall(".//tbody/tr")
        values = [float(row[column].text_content().replace(",", ".")) for row in rows]
        assert len(values) >= 10
        assert values == sorted(values, reverse=True)


def test_rules_come_in_both_languages(site: Path) -> None:
    """Each kind of game has its rules in the zine's language, and in the other one below."""
    assert page(site, "spiele/crossword/index.html").attrib["lang"] == "de"
    english = page(site, "spiele/crossword/en/index.html")
    assert english.attrib["lang"] == "en"
    assert "Hilfe Crossword" in text(site, "spiele/crossword/index.html")
    assert "Help Crossword" in text(site, "spiele/crossword/en/index.html")
    assert english.find(".//pre").text.startswith("Crossword Eriwan")


def test_the_feed_names_each_closing(site: Path) -> None:
    """The feed names itself, its author and each closing of a game, by a name that never changes; newest first."""
    feed = ElementTree.parse(site / "atom.xml")
    assert feed.findtext("a:author/a:name", namespaces=ATOM) == "Cici Beilken"
    ids = [str(one.text) for one in feed.findall("a:entry/a:id", ATOM)]
    year = {one.partition(",")[2].partition(":")[0] for one in ids}.pop()
    assert [one for one in ids if "eriwan" in one] == [
        f"tag:example.org,{year}:partien/eriwan/runde-{number}" for number in range(6, -1, -1)
    ]
    assert all(
        entry.findtext(f"a:{name}", namespaces=ATOM)
        for entry in feed.findall("a:entry", ATOM) for name in ("title", "updated", "summary")
    )  # fmt: skip
    times = [str(one.text) for one in feed.findall("a:entry/a:updated", ATOM)]
    assert times == sorted(times, reverse=True)
    links = [one.attrib["href"] for one in feed.findall("a:entry/a:link", ATOM)]
    assert all(link.startswith("https://example.org/ds/partien/") for link in links)


def test_machines_find_every_game(site: Path) -> None:
    """The index names each game with its kind, how it stands and where its data are."""
    index = json.loads((site / "index.json").read_text(encoding="utf-8"))
    assert {game["partie"]: game["status"] for game in index["partien"]} == {
        "Eriwan": "finished", "Havanna": "running", "Lima": "open", "Ulm": "aborted"
    }  # fmt: skip
    assert all((site / game["daten"]).is_file() for game in index["partien"])


def test_the_calendar_knows_no_now(site: Path, played: Story, tmp_path: Path) -> None:
    """The calendar holds the ZATs of running games, the same bytes whenever it is written."""
    written = (site / "termine/termine.ics").read_bytes()
    assert written.count(b"BEGIN:VEVENT") == 1
    assert b"UID:zat-havanna-2.example.org" in written
    (event,) = Calendar.from_ical(written).events
    assert "a b c d e f" in event["description"], "the boards as text"
    assert event["description"].endswith(event["url"])
    assert event["url"].endswith("/partien/havanna/")
    now = played.now
    played.passes(days=1)
    send_and_export(played.app, tmp_path)
    assert (tmp_path / "termine/termine.ics").read_bytes() == written
    played.now = now


def test_a_moved_zat_is_a_later_event(tmp_path: Path) -> None:
    """Each change of a ZAT raises SEQUENCE and DTSTAMP under the same UID, in the calendar of all and in the players'.

    An event whose ZAT stays keeps its bytes, also where another one moves. After an undo they go on rising.
    """
    story = Story(tmp_path / "zine", words=WORDS)
    for name in ("Eriwan", "Riga"):
        begin(story, name)
    send_all(story.app)

    def events() -> dict[str, list[Any]]:
        pages = everything(story.app)
        files = {name: Calendar.from_ical(pages[name]).events for name in pages if name.endswith("termine.ics")}
        assert len(files) > 1
        found = {name: [one for one in of_file if "eriwan" in one["uid"]] for name, of_file in files.items()}
        others = {one.to_ical() for of_file in files.values() for one in of_file if "riga" in one["uid"]}
        stamps = [{(one["sequence"], one["dtstamp"].dt, one["last-modified"].dt, one["dtstart"].dt) for one in of_file}
                  for of_file in found.values()]  # fmt: skip
        assert all(one == stamps[0] for one in stamps)
        return {"uids": [one[0]["uid"] for one in found.values()], "all": sorted(stamps[0]), "others": sorted(others)}

    def passes() -> None:
        story.passes(hours=5)
        story.tick()

    first = events()
    ((number, *_),) = first["all"]
    assert number == 0
    seen = [first]
    for change in (
        lambda: actions.move_zat(story.app, "Eriwan", "+3d"),
        lambda: actions.move_zat(story.app, "Eriwan", "2026-11-18 20:00"),
        lambda: actions.pause(story.app, "Eriwan", "2d"), lambda: actions.resume(story.app, "Eriwan"),
    ):  # fmt: skip
        passes()
        change()
        passes()
        seen.append(events())
        passes()
        assert events() == seen[-1]
    assert all(one["uids"] == first["uids"] and one["others"] == first["others"] for one in seen)
    for before, after in pairwise(one["all"][0] for one in seen):
        assert after[0] > before[0]
        assert after[1] == after[2] > before[1]
        assert after[3] != before[3]
    close(story, "Eriwan")
    send_all(story.app)
    closed = events()
    actions.undo(story.app, "Eriwan")
    actions.move_zat(story.app, "Eriwan", "+3d")
    send_all(story.app)
    again = events()
    assert again["uids"] == first["uids"]
    assert again["all"][0][0] > seen[-1]["all"][0][0]
    passes()
    close(story, "Eriwan")
    send_all(story.app)
    assert events()["uids"] == closed["uids"]
    assert events()["all"][0][:2] > closed["all"][0][:2]
    story.close()


def test_the_page_for_wrong_addresses_works_at_any_depth(site: Path) -> None:
    """Where the site's address is known, links of the 404 page begin at its root."""
    links = {link for _, _, link, _ in page(site, "404.html").iterlinks()}
    assert {"/ds/style.css", "/ds/index.html"} <= links
    assert all(link.startswith(("/ds/", "#")) for link in links)


# -- other zines -------------------------------------------------------------------------------------------------------


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize("language", ["de", "en"])
def test_an_empty_archive_is_whole(tmp_path: Path, language: str) -> None:
    """Without any game there are all pages that others link to, and they say that there is nothing yet."""
    story = Story(tmp_path / "zine", more={"service": {"language": language}})
    send_and_export(story.app, tmp_path / "site")
    test_all_links_lead_somewhere(tmp_path / "site")
    wanted = "There is no game in the archive yet" if language == "en" else "Noch ist keine Partie im Archiv"
    assert wanted in text(tmp_path / "site", "index.html")
    story.close()


@pytest.mark.trust
def test_a_held_zat_and_an_unreleased_round_are_not_known(tmp_path: Path) -> None:
    """A ZAT that stands still isn't shown; a round whose bulletin waits for the GM changes no list."""
    story = Story(tmp_path / "zine", words=WORDS, more={"deadlines": {"release": "gm"}})
    begin(story, "Eriwan")
    send_all(story.app)
    before = everything(story.app)
    assert b"BEGIN:VEVENT" in before["termine/termine.ics"]
    close(story, "Eriwan")
    assert everything(story.app) == before
    actions.release(story.app, "Eriwan", "")
    with story.app.database.write() as session:
        game = session.get_one(Game, 1)
        game.held = "wait"
        session.add(game)
    send_all(story.app)
    pages = everything(story.app)
    assert "Crossword, Runde 2 –" in said_by(markup.fromstring(pages["partien/index.html"]))
    assert b"BEGIN:VEVENT" not in pages["termine/termine.ics"]
    story.close()


def test_who_has_moved_is_not_told(tmp_path: Path) -> None:
    """A move on file changes no list."""
    story = Story(tmp_path / "zine", words=WORDS)
    begin(story, "Eriwan")
    before = everything(story.app)
    with story.app.database.write() as session:
        game = game_queries.games(session)[0]
        at, words = position(story.app, game), word_judge.judge(story.app, game)
        lines = at.engine.suggest(at.state, Seat(1), Dice("one", 1), words)
    actions.enter_move(story.app, "Eriwan", PLAYERS[0], "\n".join(lines))
    assert everything(story.app) == before
    story.close()


@pytest.mark.trust
def test_who_was_forgotten_is_on_no_list(tmp_path: Path) -> None:
    """A forgotten player's page says no more than that; tables and people leave them out, and old pages go."""
    story = Story(tmp_path / "zine", words=WORDS)
    play(story, "Eriwan")
    folder = tmp_path / "site"
    send_and_export(story.app, folder)
    assert (folder / "personen/carla-d/index.html").exists()
    story.tick()
    erasure.forget(story.app, PLAYERS[2])
    send_and_export(story.app, folder)
    assert not (folder / "personen/carla-d").exists()
    assert not any(b"Carla" in path.read_bytes() for path in folder.rglob("*") if path.is_file())
    assert "Eine Person wollte nicht mehr genannt sein" in text(folder, "personen/index.html")
    with story.app.database.read() as session:
        carla = next(one for one in shown_names(session, story.app.settings).values() if one.name == "N. N.")
        assert session.get(Player, carla.id) is not None
    assert "Eriwan" not in text(folder, f"personen/{carla.slug}/index.html")
    assert "N. N." not in text(folder, "ewige-tabelle/index.html")
    test_all_links_lead_somewhere(folder)
    story.close()


def test_facts_of_a_game_are_small(played: Story, site: Path) -> None:
    """What records and players' pages need of a game is counted once and takes less than a kilobyte."""
    with played.app.database.read() as session:
        facts = session.get_one(ArchivedGame, 1).facts
    assert sum(len(letters) for letters in facts["wishes"].values()) == 36
    assert len(json.dumps(facts)) < 1000
