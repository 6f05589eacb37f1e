"""What the archive calls people and games: as far as they want, one path each, and never an address."""

from __future__ import annotations

import re
from typing import Any

import pytest
from cpu_cost import work_units
from hypothesis import given
from hypothesis import strategies as st
from publishing import game_slugs, segments
from sqlmodel import select

from gm.demo.in_memory_zine import Story
from gm.game.people.shown_names import forms_of, masked, shown_names, written
from gm.game.people.slugs import RESERVED, segment
from gm.requests.desk import actions
from gm.store.queries.player_queries import NOBODY
from gm.store.tables import Player

SIGNS = "aAbBäÖßéñıİłøØçğФамЯλέςΑ李א9 2-'’.,\"„“()<>@_/"
NAMES = st.one_of(st.text(SIGNS, min_size=1, max_size=20), st.text(min_size=1, max_size=12), st.emails())
ADDRESSES = st.emails().filter(lambda address: "/@" not in address)  # that would be the end of a link
FORMS = ("full", "initial")


@pytest.fixture
def story(tmp_path: Any) -> Any:
    """A zine with nobody in it."""
    story = Story(tmp_path)
    yield story
    story.close()


def add(story: Any, *names: str, form: str = "") -> None:
    """Register players without a mail; who is called N. N. was forgotten."""
    with story.app.database.write() as session:
        before = len(session.exec(select(Player)).all())
        for number, name in enumerate(names, start=before):
            session.add(Player(name=name, name_key=f"{number} {name}", name_form=form, created_at=story.now))


def shown(story: Any) -> list[tuple[str, str]]:
    """Return names and path segments of all, by id."""
    with story.app.database.write() as session:
        people = shown_names(session, story.app.settings)
        assert all(key == person.id for key, person in people.items())
        return [(person.name, person.slug) for _, person in sorted(people.items())]


SHORT_FORMS = [
    ("Anna Berg", "Anna B."), ("Anna", "Anna"), ("Karl von der Heide", "Karl H."), ("J. R. R. Tolkien", "J. T."),
    ("Anna-Lena Groß", "Anna-Lena G."), ('Anna "Anni" Berg', "Anna B."), ("„Anna“ Berg", "Anna B."),
    ("Anna Berg 2", "Anna B."), ("R2 D2", "R2 D."), ("Anna 2", "Anna"), ("Berg, Anna", "Anna B."),
    ("Anna Berg, Jr.", "Anna B."), ("Dr. Anna Berg", "Anna B."), ("Prof. Dr. Anna Berg", "Anna B."),
    ("Dr. Berg", "Dr. B."), ("Karl Berg III", "Karl B."), ("anna berg", "anna B."), ("Jan ßeta", "Jan ß."),
    ("Γιώργος Παπαδόπουλος", "Γιώργος Π."), ("Анна Иванова", "Анна И."), ("Ali Işık", "Ali I."),
    ("Ayşe İnan", "Ayşe İ."), ("李 小龙", "李 小."), ("Seán O'Neil", "Seán O."), ("...", ""), (",", ""),
    ("Berg, Jr.", "Berg J."),
    ("Anna Berg (anna@spieler.example)", "Anna B."), ("Anna Berg anna@localhost", "Anna B."),
    ("N. Neumann", ""), ("Dr. n. Nolte", ""), ("N Nolte", ""), (NOBODY, NOBODY),
    ("anna.berg@spieler.example", ""), ("anna(at)spieler.example", ""), ("anna @ spieler.example", ""),
]  # fmt: skip


def test_the_short_form(subtests: pytest.Subtests) -> None:
    """The short form is the first name and one letter of the last; of an address nothing is shown."""
    for name, short in SHORT_FORMS:
        with subtests.test(name=name, short=short):
            assert written(name, "initial") == short


@pytest.mark.parametrize(
    ("name", "full"),
    [
        ("Anna Berg", "Anna Berg"), ("Dr. Anna Berg", "Dr. Anna Berg"), ("Berg, Anna", "Berg, Anna"),
        ("Anna Berg <anna@x.example>", "Anna Berg"), ("anna@x.example", ""), ("@nna", ""), (NOBODY, NOBODY),
        ("N. N. <n@x.example>", ""),
    ],
)  # fmt: skip
def test_the_full_form(name: str, full: str) -> None:
    """The full form is the name as it is, but for an address in it."""
    assert written(name, "full") == full


@pytest.mark.trust
@given(NAMES, st.sampled_from(FORMS))
def test_no_form_shows_an_address(name: str, form: str) -> None:
    """Whatever somebody is called, there is no at sign in what is shown."""
    name = written(name, form)
    assert "@" not in name
    assert "＠" not in name


def test_each_as_they_want(story: Any) -> None:
    """A player's own form counts, else the zine's; N. N. stays N. N., whatever the form, and nobody's number."""
    add(story, "Anna Berg")
    add(story, "Bernd Cordes", form="full")
    add(story, NOBODY, form="full")
    add(story, "dora@spieler.example", NOBODY)
    assert shown(story) == [
        ("Anna B.", "anna-b"), ("Bernd Cordes", "bernd-cordes"), (NOBODY, "n-n"), ("Nr. 4", "nr-4"), (NOBODY, "n-n"),
    ]  # fmt: skip


@pytest.mark.parametrize("zine", FORMS)
def test_as_the_house_does(tmp_path: Any, zine: str) -> None:
    """A player without a choice is shown as config.toml says."""
    story = Story(tmp_path, more={"archive": {"names": zine}})
    add(story, "Anna Berg")
    ((name, _),) = shown(story)
    assert name == {"full": "Anna Berg", "initial": "Anna B."}[zine]
    story.close()


def test_the_same_name_twice(story: Any) -> None:
    """A later player with the same name is distinguished in texts and has a page of their own."""
    add(story, "Anna Berg", "Anna Braun", "anna becker", "Bo")
    add(story, "Anna B. (2)", form="full")
    assert shown(story) == [
        ("Anna B.", "anna-b"), ("Anna B. (2)", "anna-b-2"), ("anna B. (3)", "anna-b-3"), ("Bo", "bo"),
        ("Anna B. (2) (2)", "anna-b-2-5"),
    ]  # fmt: skip


@pytest.mark.trust
@given(st.lists(st.tuples(NAMES, st.sampled_from(FORMS)), max_size=8), st.integers(0, 8))
def test_later_ones_change_nobody(people: list[tuple[str, str]], before: int) -> None:
    """Names and paths of those who are there stay when others come; no two paths are the same."""
    names = [(number, written(name, form)) for number, (name, form) in enumerate(people, start=1)]
    all_of_them, early = segments(names, "person"), segments(names[:before], "person")
    assert early == {number: all_of_them[number] for number in early}
    assert len({*all_of_them.values()}) == len(names)
    for path in all_of_them.values():
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", path)
        assert path not in RESERVED


def test_later_players_change_no_name(story: Any) -> None:
    """The same holds for all that is shown: who registers later gets the number."""
    add(story, "Anna Berg", "Müller", "Анна", form="initial")
    add(story, "carla@spieler.example")
    before = shown(story)
    add(story, "Anna Braun", "Mueller", "Анна", before[3][0], "person 3", form="full")
    after = shown(story)
    assert after[:4] == before
    assert [name for name, _ in after[4:]] == ["Anna Braun", "Mueller", "Анна (2)", f"{before[3][0]} (2)", "person 3"]
    assert len({slug for _, slug in after}) == 9


def test_what_each_form_would_be(story: Any) -> None:
    """Each form is shown as it would be."""
    add(story, "Anna Berg")
    with story.app.database.read() as session:
        assert forms_of(session.get_one(Player, 1)) == {"full": "Anna Berg", "initial": "Anna B."}


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("Möwe", "moewe"), ("Groß", "gross"), ("Mo\N{COMBINING DIAERESIS}we", "moewe"), ("Ærø", "aeroe"),
        ("Łódź", "lodz"),
        ("İstanbul", "istanbul"), ("Işık", "isik"), ("Άθως", "athos"), ("Юрий Щукин", "yurii-shchukin"),
        ("O'Neil", "oneil"), ("Anna B.", "anna-b"), ("李", ""), ("...", ""), ("a" * 80, "a" * 60), ("x²", "x2"),
    ],
)  # fmt: skip
def test_a_path(name: str, path: str) -> None:
    """Letters are written in ASCII as one would read them; what can't be is left out."""
    assert segment(name) == path


def test_paths_of_games(story: Any) -> None:
    """Each game has its own path: umlauts written out don't clash, and no name is one of Windows' devices."""
    for name in ("Moewe", "Möwe", "Con", "LPT1", "Index", "Riga"):
        actions.new_game(story.app, "crossword", name)
    with story.app.database.read() as session:
        assert [*game_slugs(session).values()] == ["moewe", "moewe-2", "con-3", "lpt1-4", "index-5", "riga"]


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("Schreibt an anna.berg+x@spieler.example.", "Schreibt an [Adresse]."),
        ("<mailto:anna@spieler.example>, oder?", "<mailto:[Adresse]>, oder?"),
        ("Anna (anna@localhost) und »b@x.example«", "Anna ([Adresse]) und »[Adresse]«"),
        ("anna @ spieler.example", "[Adresse]"), ("anna@\nspieler.example!", "[Adresse]!"),
        ("anna(at)spieler.example", "[Adresse]"), ("anna [at] spieler.example", "[Adresse]"),
        ("anna＠spieler.example", "[Adresse]"), ('"anna berg"@spieler.example', "[Adresse]"),
        ("jörg@müller.example", "[Adresse]"), ("anna@[192.0.2.1]", "[Adresse]"), ("a@b@c", "[Adresse]"),
        ("Treffen @ 8.30 Uhr, 5 Stück @ 3 Euro, @home", "Treffen @ 8.30 Uhr, 5 Stück @ 3 Euro, @home"),
        ("Wir waren (at) home.", "Wir waren (at) home."), ("https://x.example/@anna", "https://x.example/@anna"),
    ],
)  # fmt: skip
def test_masked(text: str, plain: str) -> None:
    """What looks like an address is replaced, and nothing else."""
    assert masked(text, "de") == plain
    assert masked(text, "en") == plain.replace("[Adresse]", "[address]")


@given(st.text(), ADDRESSES, st.text(" \n.,;:!?()<>[]\"'„“-", max_size=3), st.text())
def test_no_text_shows_an_address(before: str, address: str, apart: str, after: str) -> None:
    """No address is left in a text, wherever it stands; to mask twice changes nothing more."""
    plain = masked(f"{before} {apart}{address}{apart} {after}", "de")
    if address not in before + after:
        assert address not in plain
    assert masked(plain, "de") == plain


def test_masking_takes_no_time() -> None:
    """A long text made to be slow is masked at once."""
    for text in ("a" * 50_000, "a." * 30_000, '"' * 50_000, "a@" * 20_000, "a \n" * 20_000, "a@-" * 20_000):
        assert work_units(lambda text=text: masked(text, "de"), most=500) < 500, text[:4]


def test_ten_thousand_players(story: Any) -> None:
    """In a zine of many years all are still told apart, and each has a page of their own."""
    with story.app.database.write() as session:
        session.connection().execute(
            Player.__table__.insert(),
            [
                {"name": f"Anna {'BCD'[n % 3]}erg", "name_key": str(n), "language": "", "digest": "off",
                 "name_form": FORMS[n % 2], "created_at": story.now}
                for n in range(10_000)
            ],
        )  # fmt: skip
        people = shown_names(session, story.app.settings)
    assert len({person.name for person in people.values()}) == len({p.slug for p in people.values()}) == 10_000
