"""Games whose rules or words have changed since: found by a rehearsal, kept as recorded, gone on with by consent."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import played_games
import pytest
from sqlalchemy import update
from sqlmodel import col, select

from games.dice import Dice
from games.kit.testplay import WordSet
from gm.archive.export import export
from gm.archive.record.builder import build_record
from gm.archive.record.loader import LoadedGame
from gm.archive.record.record import Record
from gm.commands.gm_commands import actions, upgrade
from gm.demo.in_memory_zine import PLAYERS, Story, address_of, write_mail
from gm.game import gm_visibility, replay
from gm.game.position import position
from gm.game.rule_changes.comparison import Change, WordChange
from gm.players.shown_names import shown_names
from gm.reports.game import show
from gm.reports.todo import waiting_for_gm
from gm.runtime.errors import Refused
from gm.service import due_games
from gm.service.maintenance.upgrade_rehearsal import UpgradeRehearsal, rehearse
from gm.store.queries import game_queries, meta_queries
from gm.store.tables import Game, Turn

WORDS = ("ROT", "TOR", "ORT", "RAST", "TAG", "RAR", "AST", "STERN", "NACHT", "RASEN", "IN", "EI", "AN")
NAMES = dict(zip(played_games.KINDS, ("Aden", "Bonn", "Cork", "Dover", "Essen", "Faro", "Genua", "Havanna", "Izmir"),
                 strict=True))  # fmt: skip
GM = "cici@postspiel.example"
OTHERS = "postal-gm 0.9 000000000000"
"""What stands in a step that other code has made."""
FEW = 5
"""So many rounds of a game that ends only when somebody guesses right."""

pytestmark = pytest.mark.tampers


def made_by_others(story: Story, *names: str) -> None:
    """Let the steps of games, or of all, be made by other code than what is installed."""
    with story.app.database.write() as session:
        ids = [game_queries.named(session, name).id for name in names]
        rows = update(Turn).where(col(Turn.game_id).in_(ids)) if names else update(Turn)
        session.execute(rows.values(made_by=OTHERS))


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Story]:
    """A zine with a game of each kind, all of which other code has made."""
    story = Story(tmp_path_factory.mktemp("played"), words=WORDS)
    for kind, name in NAMES.items():
        played_games.play(story, kind, name, most=FEW if kind.startswith("combinato") else played_games.MOST)
    made_by_others(story)
    yield story
    story.close()


def rehearsed(story: Story, name: str = "") -> UpgradeRehearsal:
    """Rehearse the upgrade of a zine."""
    return rehearse(story.app.settings, now=story.now, name=name, tracked=lambda games, _: games)


# -- the rehearsal -----------------------------------------------------------------------------------------------------


def test_nothing_changes(played: Story) -> None:
    """All games of other code are replayed, and none comes out otherwise (issue 31)."""
    found = rehearsed(played)
    assert found.is_without_change
    assert (found.replayed, found.same) == (len(NAMES), 0)


SEEDS: Sequence[tuple[str, Any, set[str]]] = (
    ("crossword.board.POINTS", {2: 2, 3: 3, 4: 5, 5: 7, 6: 10}, {"crossword"}),
    ("crossword.rules.ROUNDS", 5, {"crossword"}),
    ("point_typ_dom.rules.BONUS", 11, {"point-typ-dom"}),
    ("typ_dom.rules.Turn.points", property(lambda _: 1), {"point-typ-dom", "typ-dom"}),
    ("farbdomino.rules.HANDS", {2: 7, 3: 7, 4: 6, 5: 5}, {"farbdomino"}),
    ("presto.rules.HANDS", {4: (13, 7), 5: (10, 6), 6: (8, 5)}, {"presto"}),
    ("wer_behaelt_recht.RED", 6, {"wer-behaelt-recht"}),
    ("wort_yahtzee.rules.DICE", 8, {"wort-yahtzee"}),
)
"""A change of the rules, and the kinds of games that it touches."""


@pytest.mark.parametrize(("where", "value", "kinds"), SEEDS, ids=[where for where, _, _ in SEEDS])
def test_a_seeded_change(
    played: Story, monkeypatch: pytest.MonkeyPatch, where: str, value: Any, kinds: set[str]
) -> None:
    """A changed rule is found in exactly the games that it touches, with the first round (issue 31)."""
    monkeypatch.setattr(f"games.{where}", value)
    found = rehearsed(played)
    assert {one.kind for one in found.changed} == kinds
    assert not found.unreadable


def test_a_word_removed_from_the_list(played: Story) -> None:
    """A word that counts no more is found in exactly the games that it was judged in (issue 31)."""
    with played.app.database.read() as session:
        judged: dict[str, set[int]] = {}
        for turn in session.exec(select(Turn)):
            for key, verdict in turn.verdicts.items():
                if verdict["status"] == "accepted" and verdict["reason"] != "RULED":
                    judged.setdefault(key.partition("/")[2], set()).add(turn.game_id)
        kinds = {game.id: game.engine for game in session.exec(select(Game))}
    word = min(judged, key=lambda word: (len(judged[word]), word))
    words = played.config.with_name("words.txt")
    before = words.read_text()
    try:
        words.write_text(f"{before}-{word}\n")
        found = rehearsed(played)
    finally:
        words.write_text(before)
    assert {one.kind for one in found.changed} == {kinds[game_id] for game_id in judged[word]}
    for one in found.changed:
        assert [(word.word, word.before, word.now) for word in one.change.words] == [(word, "accepted", "refused")]


def test_only_what_other_code_has_made_is_replayed(tmp_path: Path) -> None:
    """Games that the code here has made are counted, and not replayed (issue 31)."""
    story = Story(tmp_path, words=WORDS)
    for kind, name in (("typ-dom", "Riga"), ("farbdomino", "Kiew")):
        played_games.play(story, kind, name, most=3)
    made_by_others(story, "Riga")
    found = rehearsed(story)
    assert (found.replayed, found.same) == (1, 1)
    story.close()


def test_the_zine_is_left_as_it_is(played: Story) -> None:
    """A rehearsal writes nothing into the zine's folder, and leaves nothing behind (issue 31)."""
    folder = played.config.parent
    before = contents(folder)
    rehearsed(played)
    assert contents(folder) == before


def contents(folder: Path) -> dict[str, bytes]:
    """Read the files of a folder, without what SQLite keeps beside its own for those who read."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file() and "-" not in path.name}


# -- running games -----------------------------------------------------------------------------------------------------


@pytest.fixture
def story(tmp_path: Path) -> Iterator[Story]:
    """An empty zine."""
    story = Story(tmp_path, words=WORDS)
    yield story
    story.close()


def begun(story: Story, kind: str, name: str = "Riga", steps: int = 2) -> None:
    """Let a game be some steps old, all made by other code."""
    played_games.begin(story, kind, name)
    story.tick()
    for _ in range(steps):
        played_games.step(story, name)
        story.tick()
    made_by_others(story, name)
    story.mails()


def starts_anew(story: Story) -> None:
    """Let the first pass after an upgrade find out what is different."""
    with story.app.database.write() as session:
        meta_queries.set_meta(session, due_games.SETTINGS, "what a service of another version has noted")
    story.tick()


def state_of(story: Story, name: str = "Riga") -> tuple[Any, ...]:
    """Say where a game stands."""
    with story.app.database.read() as session:
        game = game_queries.named(session, name)
        return game.status, game.turn, bool(game.held), game.round


def to_the_gm(story: Story) -> list[str]:
    """Give the subjects of the mails that went to the GM."""
    return [mail.subject for recipient, mail in story.mails() if recipient == GM]


def test_a_game_without_a_difference_goes_on(story: Story) -> None:
    """Other code that leads to the same needs nobody's word (issue 31)."""
    begun(story, "crossword")
    before = state_of(story)
    actions.close(story.app, "Riga", story.now)
    assert state_of(story)[1] == before[1] + 1
    assert to_the_gm(story) == []


def test_a_round_waits_for_the_gm(story: Story, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the results would be others, no round closes before the GM agrees; then what is recorded stands."""
    begun(story, "crossword")
    monkeypatch.setattr("games.crossword.rules.ROUNDS", 2)
    starts_anew(story)
    assert len(to_the_gm(story)) == 1, "told at the start, once"
    before, shown = state_of(story), story_shows(story)
    story.passes(days=60)
    played_games.step_without_closing(story, "Riga")
    for _ in range(3):
        story.tick()
    assert state_of(story) == (*before[:2], True, before[3])
    assert to_the_gm(story) == []
    with pytest.raises(Refused, match="gm upgrade Riga"):
        actions.close(story.app, "Riga", story.now)
    with story.app.database.read() as session:
        (row,) = [one for one in waiting_for_gm(story.app, session) if one["what"] == "upgrade"]
    assert row["do"] == "gm upgrade Riga"
    change = upgrade.agree_by_name(story.app, "Riga")
    assert change is not None
    assert story_shows(story) == shown
    for _ in range(2):
        story.tick()
    assert state_of(story)[1] > before[1], "what came while it waited was in time"
    with story.app.database.read() as session:
        assert replay.verify(story.app, session, game_queries.named(session, "Riga")) == []


def story_shows(story: Story) -> Any:
    """Return the boards as spectators see them."""
    with story.app.database.read() as session:
        return [seat["grid"] for seat in show(story.app, session, game_queries.named(session, "Riga"))["seats"]]


def test_a_move_at_once_waits_for_the_gm(story: Story, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a game played in turns the move is kept, its sender told, and it is carried out when the GM agrees by mail."""
    begun(story, "farbdomino", steps=1)
    with story.app.database.read() as session:
        at = position(story.app, session, game_queries.named(session, "Riga"))
    (seat,) = at.engine.due(at.state)
    lines = at.engine.suggest(at.state, seat, Dice("x", 1), WordSet())
    monkeypatch.setattr("games.farbdomino.rules.HANDS", {2: 7})
    stand = at.engine.view(at.state, seat).block[0]
    story.writes(PLAYERS[seat - 1], "\n".join(["Farbdomino Riga", stand, *lines, ""]))
    before = state_of(story)
    story.tick()
    assert state_of(story)[1] == before[1]
    mails = dict(story.mails())
    assert set(mails) == {address_of(PLAYERS[seat - 1]), GM}
    assert "geht nicht verloren" in " ".join(mails[address_of(PLAYERS[seat - 1])].text.split())
    asked = mails[GM]
    assert "Neue Regeln" in asked.subject
    assert "gm upgrade Riga" in asked.text
    raw = write_mail(GM, "gm upgrade Riga\n", subject=f"Re: {asked.subject}", in_reply_to=asked.message_id)
    story.arrives(raw)
    story.tick()
    assert state_of(story)[1] == before[1] + 1, "the move has had its effect"
    told = dict(story.mails())
    assert set(told) == {GM, *(address_of(name) for name in PLAYERS[:2])}


def test_nobody_else_agrees(story: Story, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line that no mail has offered, or that comes from anybody else, lets nothing go on (interface.md)."""
    begun(story, "crossword")
    monkeypatch.setattr("games.crossword.rules.ROUNDS", 2)
    for sender in (address_of(PLAYERS[0]), "fremd@anderswo.example", GM):
        story.arrives(write_mail(sender, "gm upgrade Riga\n", subject="Riga"))
        story.tick()
    with story.app.database.read() as session:
        assert game_queries.named(session, "Riga").agreed == ""
    with pytest.raises(Refused, match="gm upgrade Riga"):
        actions.close(story.app, "Riga", story.now)


def test_there_is_something_to_agree_to(story: Story) -> None:
    """Where nothing waits for it the command says so: a game that goes on anyway, and one that is over."""
    begun(story, "typ-dom")
    with pytest.raises(Refused, match="goes on as it is"):
        upgrade.agree_by_name(story.app, "Riga")
    actions.abort(story.app, "Riga", "vorbei")
    with pytest.raises(Refused, match="is aborted"):
        upgrade.agree_by_name(story.app, "Riga")


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"rules_version": 0, "made_by": OTHERS}, ""),
        ({"rules_version": 0, "made_by": OTHERS, "state": {}}, "install postal-gm 0.9"),
        ({"rules_version": 0, "made_by": "", "state": {}}, "install a version of gm that brings the old ones"),
        ({"rules_version": 2, "made_by": "postal-gm 7.0 000000000000"}, "install postal-gm 7.0"),
    ],
)
def test_a_state_of_other_rules(story: Story, values: dict[str, Any], said: str) -> None:
    """Older states are read as far as they can be; else, and of newer rules, it is said what to install (issue 31)."""
    begun(story, "crossword", steps=1)
    with story.app.database.write() as session:
        session.execute(update(Turn).values(**values))
    with story.app.database.read() as session:
        game = game_queries.named(session, "Riga")
        if said:
            with pytest.raises(Refused, match=said):
                position(story.app, session, game)
        else:
            assert position(story.app, session, game).state
    assert [game for game, why in rehearsed(story).unreadable] == (["Riga"] if said else [])


def test_a_gm_who_plays(story: Story, monkeypatch: pytest.MonkeyPatch) -> None:
    """A GM who plays is told that something would come out otherwise, and no words: they may be another's secret."""
    begun(story, "crossword")
    monkeypatch.setattr("games.crossword.rules.ROUNDS", 2)
    with story.app.database.read() as session:
        game = game_queries.named(session, "Riga")
        change = Change(
            round=1, step=1, is_result=True, words=[WordChange(word="ROT", before="accepted", now="refused")]
        )
        assert gm_visibility.shown_change(story.app, session, game, change) == change
    actions.standby(story.app, "Riga", PLAYERS[0], "Cici Beilken", GM)
    with story.app.database.read() as session:
        game = game_queries.named(session, "Riga")
        assert gm_visibility.shown_change(story.app, session, game, change).words == ()


# -- games that are over -----------------------------------------------------------------------------------------------


def test_a_result_stays(played: Story, monkeypatch: pytest.MonkeyPatch) -> None:
    """What has ended stays as recorded whatever the rules would make of it now: `gm show`, the archive, `gm verify`."""
    name = NAMES["point-typ-dom"]
    before, page = shown(played, name), archived(played, name)
    monkeypatch.setattr("games.point_typ_dom.rules.BONUS", 11)
    assert shown(played, name) == before
    assert archived(played, name).result == page.result
    with played.app.database.read() as session:
        game = game_queries.named(session, name)
        assert replay.verify(played.app, session, game) == []
        said = replay.other_rules(played.app, session, game)
    assert re.fullmatch("as recorded by rules 1; here are 1 in another form, by which turn [0-9]+ would have come out "
                        "otherwise", said)  # fmt: skip


def test_its_pages_stay(story: Story, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Pages that are made anew after an upgrade show a finished game as it was published (issue 31)."""
    name = "Riga"
    played_games.play(story, "point-typ-dom", name)
    story.tick()
    made_by_others(story)
    export(story.app, tmp_path / "site")
    folder = tmp_path / "site" / "partien" / name.casefold()
    before = contents(folder)
    monkeypatch.setattr("games.point_typ_dom.rules.BONUS", 11)
    export(story.app, tmp_path / "site", full=True)
    assert contents(folder) == before
    export(story.app, tmp_path / "new")
    other = tmp_path / "new" / "partien" / name.casefold() / "partie.json"
    assert other.read_bytes() != before["partie.json"], "these rules would show another sum"


def shown(story: Story, name: str) -> dict[str, Any]:
    """Return what `gm show --json` prints."""
    with story.app.database.read() as session:
        return show(story.app, session, game_queries.named(session, name))


def archived(story: Story, name: str) -> Record:
    """Make the archive's record of a game."""
    with story.app.database.read() as session:
        game = game_queries.named(session, name)
        people = shown_names(session, story.app.settings)
        return build_record(LoadedGame(app=story.app, session=session, game=game, slug=name, people=people))
