"""The pages of a game: made from its record alone, complete, readable offline, and safe whatever people write."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import seating
from lxml import html
from publishing import game_slugs

from games.api import LANGUAGES, Cell, Language
from gm.archive.game_pages.boards import only_grows, placed
from gm.archive.game_pages.pages import game_pages
from gm.archive.record.builder import build_record
from gm.archive.record.loader import LoadedGame
from gm.archive.record.record import (
    Holder,
    Place,
    Record,
    Remark,
    ResultRecord,
    SeatRecord,
    Snapshot,
    WordRecord,
    from_json,
    to_json,
)
from gm.demo.in_memory_zine import PLAYERS, Story, address_of, write_config
from gm.drawing.parts import Board, Chart, Part
from gm.game.people.shown_names import shown_names
from gm.requests.desk import actions
from gm.runtime.config.settings import Settings, load
from gm.store.queries import game_queries

ROOT = Path(__file__).parents[2]
BEGUN = datetime(2026, 10, 2, 18, 0, tzinfo=UTC)
FOLDER = "partien/eriwan"
HOSTILE = """<script>alert("x")</script> & 'Anna' " onload="x"""


def cells(*rows: Sequence[str]) -> tuple[tuple[Cell, ...], ...]:
    """Make cells of which nothing but the text is known."""
    return tuple(tuple(Cell(text=text) for text in row) for row in rows)


BOARD = Board(
    name="Anna B.", note="NMR", seat=1, columns=("a", "b"), rows=("1", "2"),
    cells=((Cell(text="S", new=True), Cell()), (Cell(text="a"), Cell(text="N*", new=True, tone="red"))),
)  # fmt: skip
WIDE = Board(
    columns=tuple(f"C{at}" for at in range(30)), rows=("1",),
    cells=cells((" ", ".", *"x" * 28)),
)  # fmt: skip
TABLE = Chart(head=("Name", "Wort", "P."), rows=(("Anna B.", "SAND", 7), ("Bernd C.", "-", 0)))


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """The settings of a zine whose archive is published nowhere."""
    return load(write_config(tmp_path_factory.mktemp("zine")))


def snapshot(number: int, **more: Any) -> Snapshot:
    """Make a round with a board of each kind, a table and sentences."""
    parts = (
        Part(heading="Raster", lines=("GROSS ist neu.",), boards=(BOARD,), table=TABLE, notes=("So viel dazu.",)),
        Part(heading="Tisch", boards=(WIDE, WIDE)),
    )
    made = Snapshot(
        number=number, heading=f"Runde {number}" if number else "Start", at=BEGUN + timedelta(days=14 * number),
        events=("Niemand hat gewonnen.",), missed=("Bernd C.",) if number else (), parts=parts,
        press=(Remark(signed="Anna B.", text=("Guten Morgen!", "Wie geht es?")), Remark(text=("Psst.",))),
        seat_facts={1: {"wish": "E"}, 2: {"wish": "R"}},
    )  # fmt: skip
    return replace(made, **more)


def record(language: Language = "de", **more: Any) -> Record:
    """Make a finished game of three rounds and its start."""
    made = Record(
        schema=1, game="Eriwan", slug="eriwan", kind="crossword", title="Crossword", language=language, unit="round",
        status="finished", rounds=3, begun=BEGUN, ended=BEGUN + timedelta(days=42),
        seats=(
            SeatRecord(seat=1, name="Anna B.", person="anna-b", before=(Holder(name="Dora E.", person="dora-e"),)),
            SeatRecord(seat=2, name="Bernd C.", person="bernd-c"),
        ),
        snapshots=tuple(snapshot(number) for number in range(4)),
        result=ResultRecord(
            version=2, is_final=True,
            standings=(
                Place(rank=1, seat=1, name="Anna B.", points=90), Place(rank=2, seat=2, name="Bernd C.", points=-3),
            ),
            words=(
                WordRecord(seat=1, word="SAND", points=7, where="Z1"), WordRecord(seat=2, word="STRAND", points=7),
                WordRecord(seat=2, word="RASA", points=5, status="refused", why="nur Teil einer Wendung", where="S2"),
            ),
        ),
        retrospect=(Part(heading="Mindestens 112 Punkte", boards=(BOARD,)),),
        word_list="german-1 (a236594a1e3c)", rules_version=1, checksum="73b7" * 16, seed="627f" * 8,
    )  # fmt: skip
    return replace(made, **more)


def running() -> Record:
    """Make a game that goes on."""
    now = snapshot(3, heading="Runde 4", headline="Anna B. legt TIER", at=BEGUN + timedelta(days=50), press=())
    over = {"status": "running", "ended": None, "result": None, "retrospect": (), "seed": None}
    return record(**over, zat=BEGUN + timedelta(days=56), now=now)


def opened() -> Record:
    """Make a game that looks for players."""
    over = {"status": "open", "ended": None, "result": None, "retrospect": (), "seed": None}
    return record(**over, seats=(), snapshots=())


def aborted() -> Record:
    """Make a game that was broken off."""
    return record(status="aborted", result=None, retrospect=(), seed=None)


def long() -> Record:
    """Make a game of 160 turns, each with a tile more on a large board."""

    def board(turn: int) -> Board:
        lying = {(at % 24, at // 24) for at in range(turn)}
        rows = tuple(
            tuple(Cell(text="x", tone="red") if (row, column) in lying else Cell() for column in range(30))
            for row in range(24)
        )
        return replace(WIDE, rows=tuple(map(str, range(24))), cells=rows)

    rack = Board(
        look="tiles", name="Anna B.", seat=1, columns=("",) * 13, rows=("",), cells=cells("ABCDEFGHIJKLM")
    )  # fmt: skip
    parts = ((Part(heading="Brett", boards=(board(at),)), Part(heading="Steine", boards=(rack,))) for at in range(161))
    turns = (snapshot(at, parts=both) for at, both in enumerate(parts))
    return record(unit="turn", rounds=None, snapshots=tuple(turns))


GAMES = {"finished": record, "running": running, "open": opened, "aborted": aborted}


@pytest.fixture(params=[*GAMES, "told"])
def game(request: pytest.FixtureRequest) -> Record:
    """Return a game in each of its ages, and one that was told from a database."""
    if request.param == "told":
        found: Record = request.getfixturevalue("told")
        return found
    return GAMES[request.param]()


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Record]:
    """Play a game of Crossword to its end, with a move, press and NMRs."""
    story = Story(tmp_path_factory.mktemp("told"), words=("TIN", "ROT"))
    actions.new_game(story.app, "crossword", "Eriwan", autostart=True)
    for name, letter in zip(PLAYERS, "DNTIRO", strict=True):
        seating.join(story.app, "Eriwan", name, address_of(name), letter)
    story.tick()
    story.writes(
        "Anna Berg", "Crossword Eriwan\nNeu: E\nDNTIRO\n" + "......\n" * 5 + "\nPresse:\nEs ist <b>kalt</b>.\n"
    )
    story.tick()
    for _ in range(6):
        actions.close(story.app, "Eriwan", story.app.now())
        story.tick()
    with story.app.database.read() as session:
        of_game = game_queries.named(session, "Eriwan")
        people = shown_names(session, story.app.settings)
        slug = game_slugs(session)[of_game.id]
        yield build_record(LoadedGame(app=story.app, session=session, game=of_game, slug=slug, people=people))
    story.close()


def page(files: dict[str, bytes], path: str = "index.html") -> Any:
    """Read a page of the game as browsers do."""
    return html.document_fromstring(files[f"{FOLDER}/{path}"].decode())


def said(element: Any) -> str:
    """Return all the words of an element."""
    return " ".join(element.text_content().split())


@pytest.mark.trust(except_first=4)
def test_pages_are_made_of_the_file_alone(settings: Settings, game: Record) -> None:
    """The same pages can be made from partie.json, byte by byte."""
    assert game_pages(settings, from_json(to_json(game))) == game_pages(settings, game)


@pytest.mark.trust(except_first=4)
def test_each_round_exactly_once(settings: Settings, game: Record) -> None:
    """A round has one page, one step of the replay, and one place in the text."""
    files = game_pages(settings, game)
    headings = [snapshot.heading for snapshot in game.snapshots]
    rounds = [path for path in files if "/runde-" in path]
    assert [said(page(files, path.removeprefix(f"{FOLDER}/")).find(".//h2")) for path in rounds] == headings
    replayed = [said(one).partition(":")[0] for one in page(files).xpath("//div[contains(@class, 'step ')]/h3")]
    assert replayed == headings + ([game.now.heading] if game.now else [])
    text = files[f"{FOLDER}/partie.txt"].decode()
    assert re.findall(r"^  ([A-ZÄ0-9 ]+?) {5,}\S+\n  =====", text, re.M)[: len(headings)] == [
        heading.upper() for heading in headings
    ]


def lying(drawing: Any, last: int) -> dict[tuple[str, str], str]:
    """Read a board off a drawing: letters by place, as they lie when `last` is chosen."""
    found: dict[tuple[str, str], str] = {}
    for at in range(last + 1):
        for text in drawing.xpath(f".//g[contains(concat(@class, ' '), 'r{at} ')]//text"):
            across, down = text.get("x").split(), text.get("y").split()
            letters = text.text if len(across) > 1 else [text.text]
            found |= dict(zip(zip(across, down * len(across), strict=False), letters, strict=False))
    return found


def test_replay_shows_the_boards_of_the_rounds_page(settings: Settings, told: Record) -> None:
    """Step n of the replay shows the very boards of the page of round n, with what came in it in a group of its own."""
    files = game_pages(settings, told)
    replayed = page(files).xpath("//div[@class='boards']//*[local-name()='svg']")[: len(told.seats)]
    compared = 0
    for at in range(len(told.snapshots) - 1):  # the last page has them in the order of the result
        alone = page(files, f"runde-{at}/index.html").xpath("//div[@class='boards']//*[local-name()='svg']")
        boards = [lying(drawing, 0) for drawing in alone]
        assert sorted(map(str, boards)) == sorted(str(lying(drawing, at)) for drawing in replayed)
        compared += sum(len(board) for board in boards)
    assert compared > 20


def test_rules_for_each_round(settings: Settings, game: Record) -> None:
    """Each step has its button, and rules that hide what came later, mark what came in it and show its text."""
    tree = page(game_pages(settings, game))
    steps = len(game.snapshots) + (game.now is not None)
    buttons = tree.xpath("//input[@type='radio']/@id")
    assert buttons == ([f"s{at}" for at in range(steps)] if steps > 1 else [])
    (style,) = tree.xpath("//style/text()") if buttons else [""]
    for at, _ in enumerate(buttons):
        for rule in (
            f"#s{at}:checked~.boards .r{at}~g",
            f"#s{at}:checked~.steps .t{at}",
            f"#s{at}:checked~.rail .b{at}",
        ):
            assert re.search(rf"{re.escape(rule)}[,{{]", style), rule
    assert tree.xpath("//input[@checked]/@id") == buttons[-1:]
    for name in ("rail", "boards", "steps"):
        assert len(tree.xpath(f"//input[last()]/following-sibling::div[contains(@class, '{name}')]")) >= (
            1 if buttons else 0
        )


def test_a_board_is_known_by_its_seat() -> None:
    """A board is the same in all rounds: by its seat, or by the name in the heading of its section, the longest one."""
    seats = (SeatRecord(seat=1, name="Anna B.", person="a"), SeatRecord(seat=2, name="Anna B. (2)", person="b"))
    own = replace(BOARD, name="", note="", seat=None)
    last = snapshot(
        6, parts=(Part(heading="1. Anna B. (2): 9 Punkte", boards=(own,)), Part(heading="2. Anna B.", boards=(own,)))
    )
    found = placed(last, seats)
    assert [(one.key, one.name) for one in found] == [
        (("letters", 2, 1), "Anna B. (2)"),
        (("letters", 1, 1), "Anna B."),
    ]
    table = snapshot(1, parts=(Part(heading="Tisch von Anna B.", boards=(own, own)),))
    assert [one.key for one in placed(table, seats)] == [("letters", 0, 1), ("letters", 0, 2)]


def test_what_shrinks_is_drawn_with_its_round(settings: Settings) -> None:
    """A board that loses a tile isn't drawn once for all rounds, but for each."""
    assert only_grows([None, BOARD, BOARD])
    assert not only_grows([BOARD, replace(BOARD, cells=cells(("S", ""), ("", "N*")))])
    dice = (
        replace(BOARD, look="dice", cells=cells(("S", ""), ("a", "N"))),
        replace(BOARD, look="dice", cells=cells(("S", "X"), ("", ""))),
    )
    rounds = tuple(snapshot(at, parts=(Part(heading="Würfe", boards=(dice[at % 2],)),)) for at in range(4))
    tree = page(game_pages(settings, record(snapshots=rounds)))
    assert not tree.xpath("//section[@class='replay']/div[@class='boards']")
    assert len(tree.xpath("//div[contains(@class, 'state ')]//*[local-name()='svg']")) == 4


def test_what_is_wide_can_be_moved_by_keyboard(settings: Settings) -> None:
    """A board that is wider than a phone lies in a frame that can be focused, each with a name of its own."""
    tree = page(game_pages(settings, record()), "runde-1/index.html")
    frames = tree.xpath("//div[@role='region'][.//*[local-name()='svg']]")
    assert {frame.get("tabindex") for frame in frames} == {"0"}
    assert len(frames) == len({frame.get("aria-label") for frame in frames}) == 2


@pytest.mark.parametrize("language", LANGUAGES)
def test_language(settings: Settings, language: Language) -> None:
    """All pages speak the language of the game."""
    files = game_pages(settings, record(language))
    trees = [page(files, path.removeprefix(f"{FOLDER}/")) for path in files if path.endswith(".html")]
    assert {tree.get("lang") for tree in trees} == {language}
    here, elsewhere = ("Stand nach jeder Runde", "After each round")[:: 1 if language == "de" else -1]
    assert here in said(trees[0])
    assert elsewhere not in said(trees[0])


def test_nothing_comes_from_elsewhere(settings: Settings, game: Record) -> None:
    """Pages need no net, no script, and nothing that a strict browser would refuse; links are relative, to a file."""
    for path, content in game_pages(settings, game).items():
        if not path.endswith(".html"):
            continue
        tree = html.document_fromstring(content.decode())
        assert not re.search("url|@|expression", " ".join(tree.xpath("//style/text()")))
        assert not tree.xpath("//script | //img | //iframe | //@style | //@*[starts-with(name(), 'on')]")
        targets = tree.xpath("//@href | //@src | //@action")
        assert all(re.fullmatch(r"#\w+|(\.\./)*[\w./-]+\.\w+", target) for target in targets), targets
        assert b"@" not in content


def test_links_within_a_game_lead_somewhere(settings: Settings, game: Record) -> None:
    """Each link to a file of the game finds it, and no page has two elements of the same name."""
    files = game_pages(settings, game)
    for path, content in files.items():
        if path.endswith(".html"):
            tree = html.document_fromstring(content.decode())
            here = Path("/") / Path(path).parent
            found = {
                str((here / target).resolve())[1:]
                for target in tree.xpath("(//a | //link)[not(starts-with(@href, '#'))]/@href")
            }
            assert {one for one in found if one.startswith(f"{FOLDER}/")} <= files.keys()
            names = tree.xpath("//@id")
            assert len(names) == len(set(names))
            assert set(tree.xpath("//label/@for")) <= set(names)


def test_text_fits_a_mail(settings: Settings, game: Record) -> None:
    """No line of partie.txt is longer than 78 columns, however long a word is, and nothing stands behind its end."""
    parts = (Part(lines=("x" * 200,), boards=(replace(WIDE, columns=WIDE.columns * 3, cells=cells(("xx",) * 90)),)),)
    loud = replace(game, snapshots=(*game.snapshots[:1], snapshot(9, parts=parts, press=(Remark(text=("y" * 99,)),))))
    for one in (game, loud):
        lines = game_pages(settings, one)[f"{FOLDER}/partie.txt"].decode().splitlines()
        assert max(map(len, lines)) <= 78
        assert [line for line in lines if line != line.rstrip()] == []


def test_text_tells_it_all(settings: Settings) -> None:
    """partie.txt has the boards, the words that were struck with the reason, what could have been, and the seed."""
    text = game_pages(settings, record())[f"{FOLDER}/partie.txt"].decode()
    for line in ("1 S  .", "RASA (Bernd C., S2): nur Teil einer Wendung", "WAS WAR DRIN?", "627f" * 8, "– anonym"):
        assert line in text


def test_hostile_names_and_press(settings: Settings) -> None:
    """Whatever somebody is called or writes is shown as written, and is never markup."""
    loud = snapshot(
        1, headline=HOSTILE, heading=HOSTILE, events=(HOSTILE,), foreword=(HOSTILE,), missed=(HOSTILE,),
        press=(Remark(signed=HOSTILE, text=(HOSTILE,)),),
        parts=(
            Part(
                heading=HOSTILE, lines=(HOSTILE,), notes=(HOSTILE,), table=Chart(head=(HOSTILE,), rows=((HOSTILE,),)),
                boards=(
                    Board(
                        name=HOSTILE, note=HOSTILE, columns=(HOSTILE,), rows=(HOSTILE,),
                        cells=((Cell(text=HOSTILE),),),
                    ),
                ),
            ),
        ),
    )  # fmt: skip
    word = WordRecord(seat=1, word=HOSTILE, status="refused", why=HOSTILE, where=HOSTILE)
    result = ResultRecord(
        version=1, is_final=True, standings=(Place(rank=1, seat=1, name=HOSTILE, points=1),), words=(word,)
    )
    files = game_pages(
        settings,
        record(
            game=HOSTILE, title=HOSTILE, word_list=HOSTILE, snapshots=(snapshot(0), loud), result=result,
            seats=(SeatRecord(seat=1, name=HOSTILE, person="x", before=(Holder(name=HOSTILE, person="y"),)),),
        ),
    )  # fmt: skip
    for path, content in files.items():
        if path.endswith(".html"):
            tree = html.document_fromstring(content.decode())
            assert not tree.xpath("//script | //@onload")
            assert HOSTILE in tree.text_content().replace("\u00a0", " ")


def test_running_game_shows_where_it_stands_and_no_result(settings: Settings) -> None:
    """A game that goes on begins with what everybody has seen last; nothing is said of a result."""
    tree = page(game_pages(settings, running()))
    assert [said(one) for one in tree.xpath("//dl/div[1]/*")] == ["Läuft", "Runde 4 von 3 läuft"]
    assert "Anna B. legt TIER" in said(tree)
    assert "Endstand" not in said(tree)
    assert "Er steht hier, sobald" in said(tree)


def test_open_game_has_a_short_page(settings: Settings) -> None:
    """A game that nobody plays yet has a page that says so, and neither replay nor rounds."""
    files = game_pages(settings, opened())
    assert "Noch nicht begonnen" in said(page(files))
    assert not page(files).xpath("//input | //h2")
    assert not [path for path in files if "/runde-" in path]


def test_finished_game_has_all_that_belongs_to_it(settings: Settings) -> None:
    """Result with its version, best word, struck words with reasons, retrospect, wishes, press, who stepped in."""
    tree = page(game_pages(settings, record()))
    text = said(tree)
    for expected in (
        "90 Punkte, 2. Fassung", "STRAND 7 Punkte, Bernd C.", "RASA (Bernd C., S2): nur Teil einer Wendung",
        "Mindestens 112 Punkte", "Wunschbuchstaben", "– anonym", "Anna B. für Dora E.", "627f" * 8,
    ):  # fmt: skip
        assert expected in text
    places = tree.xpath("//h2[.='Endstand']/following-sibling::table[1]/tbody/tr")
    assert [[said(cell) for cell in row] for row in places] == [["1", "Anna B.", "90"], ["2", "Bernd C.", "−3"]]


def test_the_best_grid_stands_beside_the_winners(settings: Settings) -> None:
    """Whose grid won, with the points, and what could have been of the same letters; the words are folded."""
    own = replace(BOARD, seat=1, name="Anna B.")
    rounds = tuple(snapshot(at, parts=(Part(heading="Raster", boards=(own,)),)) for at in range(4))
    best = Part(
        heading="Was war drin?",
        lines=("Mindestens 112.",),
        boards=(replace(BOARD, note=""),),
        table=TABLE,
        notes=("Besser?",),
    )
    other = Part(heading="Übrig", lines=("Bei Bernd.",))
    tree = page(game_pages(settings, record(snapshots=rounds, retrospect=(other, best))))
    (section,) = tree.xpath("//section[@class='best']")
    assert [said(one) for one in section.xpath(".//figcaption")] == ["Anna B. 90", "Das war drin"]
    assert said(section).startswith("Was war drin? Mindestens 112.")
    assert said(section.xpath("./details/summary")[0]) == "Die Wörter darin"
    assert "Übrig" in said(tree.xpath("//details[summary='Was war drin?']")[0])
    assert not page(game_pages(settings, running())).xpath("//section[@class='best']")


def test_what_counts_for_nothing_is_pale_when_it_is_over(settings: Settings) -> None:
    """Letters in no word that counted or may count; in a game that goes on nothing is judged yet, so none is pale."""
    own = replace(BOARD, seat=1, name="Anna B.")
    column, row = own.columns, own.rows
    word = WordRecord(seat=1, word="SAND", points=7, first=f"{column[0]}{row[0]}", last=f"{column[1]}{row[0]}")
    rounds = tuple(snapshot(at, parts=(Part(heading="Raster", boards=(own,)),)) for at in range(4))
    result = record().result
    assert result is not None
    for status, lit in (("accepted", {"title": "SAND, 7 Punkte"}), ("doubtful", {"title": "SAND, liegt beim GM"})):
        words = (replace(word, status=status),)
        tree = page(game_pages(settings, record(snapshots=rounds, result=replace(result, words=words))))
        assert tree.xpath("//section[@class='replay']//svg//*[@class='pale']"), status
        assert said(tree.xpath("//*[@class='words']/path/title")[0]) == lit["title"]
        assert "blass ist, was in keinem gezählten Wort steht" in said(tree)
    assert "pale" not in str(game_pages(settings, running())["partien/eriwan/index.html"])


def test_nothing_is_said_twice(settings: Settings, told: Record) -> None:
    """The result, each round, each board and each section stands once on a game's page; details are folded."""
    tree = page(game_pages(settings, told))
    headings = [said(one) for one in tree.xpath("//h2 | //summary")]
    assert len(headings) == len(set(headings))
    assert "Endstand" in headings
    assert not tree.xpath("//details[@open]")
    boards = tree.xpath("//*[local-name()='svg' and contains(@class, 'board')]/@aria-label")
    assert len(boards) == len(set(boards)) == 8  # of six seats, and the winner's beside the one that could have been


def test_hidden_tiles_are_seen_from_behind(settings: Settings) -> None:
    """While a game runs a seat's tiles are red and black backs; after the end they aren't hidden."""
    facts: dict[int, dict[str, Any]] = {1: {"red": 2, "black": 1}, 2: {"tiles": {"red": 0, "black": 4}}}
    game = replace(running(), now=None, snapshots=(snapshot(1, seat_facts=facts),), due=(2,))
    tree = page(game_pages(settings, game))
    rows = tree.xpath("//h2[.='Plätze']/following-sibling::table[1]/tbody/tr")
    assert [row.xpath(".//*[local-name()='svg']/@aria-label") for row in rows] == [
        ["2 rot, 1 schwarz"],
        ["0 rot, 4 schwarz"],
    ]
    assert ["am Zug" in said(row) for row in rows] == [False, True]
    over = replace(record(), snapshots=(snapshot(1, seat_facts=facts),))
    assert not page(game_pages(settings, over)).xpath("//*[@class='backs']")


def test_a_headline_is_said_once(settings: Settings) -> None:
    """What the headline of a turn says is not repeated below it, on its own page and in the replay."""
    turn = snapshot(1, headline="Anna B. legt TIER", events=("Anna B. legt TIER.", "Sie hat 3 Steine."), press=())
    files = game_pages(settings, record(snapshots=(snapshot(0, press=()), turn), unit="turn"))
    assert said(page(files, "runde-1/index.html")).count("legt TIER") == 1
    (step,) = page(files).xpath("//div[@class='step t1']")
    assert said(step).startswith("Runde 1: Anna B. legt TIER Sie hat 3 Steine.")


def test_long_game_stays_small(settings: Settings) -> None:
    """The page of a game of 160 turns on a large board is below 300 kB; the buttons of its rounds stand in one row."""
    files = game_pages(settings, long())
    assert len(files[f"{FOLDER}/index.html"]) < 300_000
    tree = page(files)
    (row,) = tree.xpath("//div[@class='rail long']/div[@role='region' and @tabindex='0']")
    assert [said(label) for label in row.xpath("label")] == [*map(str, range(160, 0, -1)), "Start"]
