"""Games whose rules or words have changed since: kept as recorded, gone on with by the GM's word."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import played_games
import pytest
import seating
from sqlalchemy import update
from sqlmodel import col, select

from games import engines
from games.dice import Dice
from games.kit.testplay import WordSet
from gm.archive.export import export
from gm.demo.in_memory_zine import PLAYERS, Story, address_of, write_mail
from gm.game import replay
from gm.game.position import position
from gm.reports.game import show
from gm.reports.todo import waiting_for_gm
from gm.requests.desk import actions, upgrade
from gm.runtime.errors import Refused
from gm.store.queries import game_queries, zine_queries
from gm.store.tables import Question, Turn

WORDS = ("ROT", "TOR", "ORT", "RAST", "TAG", "RAR", "AST", "STERN", "NACHT", "RASEN", "IN", "EI", "AN")
GM = "cici@postspiel.example"

pytestmark = [pytest.mark.tampers, pytest.mark.trust]


def made_by_older_rules(story: Story, name: str) -> None:
    """Let the steps of a game be made by the version before the one that is installed."""
    with story.app.database.write() as session:
        rows = update(Turn).where(col(Turn.game_id) == game_queries.named(session, name).id)
        session.execute(rows.values(rules_version=0, made_by="postal-gm 0.9 000000000000"))


# -- running games -----------------------------------------------------------------------------------------------------


@pytest.fixture
def story(tmp_path: Path) -> Iterator[Story]:
    """An empty zine."""
    story = Story(tmp_path, words=WORDS)
    yield story
    story.close()


def begun(story: Story, kind: str, name: str = "Riga", steps: int = 2, *, is_older: bool = True) -> None:
    """Let a game be some steps old, all made by an older version of its rules."""
    played_games.begin(story, kind, name)
    story.tick()
    for _ in range(steps):
        played_games.step(story, name)
        story.tick()
    if is_older:
        made_by_older_rules(story, name)
    story.mails()


def starts_anew(story: Story) -> None:
    """Let the first pass after an upgrade find out what is different."""
    with story.app.database.write() as session:
        zine_queries.zine(session).settings_seen = "what a service of another version has noted"
    story.tick()


def state_of(story: Story, name: str = "Riga") -> tuple[Any, ...]:
    """Say where a game stands."""
    with story.app.database.read() as session:
        game = game_queries.named(session, name)
        return game.status, game.turn, bool(game.held), game.round


def to_the_gm(story: Story) -> list[str]:
    """Give the subjects of the mails that went to the GM."""
    return [mail.subject for recipient, mail in story.mails() if recipient == GM]


def test_the_same_version_goes_on(story: Story) -> None:
    """Other code of the same version needs nobody's word: a test of ours has looked at it."""
    begun(story, "crossword", is_older=False)
    with story.app.database.write() as session:
        session.execute(update(Turn).values(made_by="postal-gm 0.9 000000000000"))
    before = state_of(story)
    starts_anew(story)
    actions.close(story.app, "Riga", story.now)
    assert state_of(story)[1] == before[1] + 1
    assert to_the_gm(story) == []


def test_a_compatible_version_goes_on(story: Story, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the rules declare an older version compatible its games need nobody's word."""
    begun(story, "crossword")
    engine = engines()["crossword"]
    monkeypatch.setattr(engine, "rules", replace(engine.rules, compatible=(0,)))
    before = state_of(story)
    starts_anew(story)
    actions.close(story.app, "Riga", story.now)
    assert state_of(story)[1] == before[1] + 1
    assert to_the_gm(story) == []


def test_a_round_waits_for_the_gm(story: Story) -> None:
    """By another version of the rules no round closes before the GM agrees; then what is recorded stands."""
    begun(story, "crossword")
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
    assert upgrade.agree_by_name(story.app, "Riga") == "Riga"
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


def test_a_move_at_once_waits_for_the_gm(story: Story) -> None:
    """In a game played in turns the move is kept, its sender told, and it is carried out when the GM agrees by mail."""
    begun(story, "farbdomino", steps=1)
    with story.app.database.read() as session:
        at = position(story.app, game_queries.named(session, "Riga"))
    (seat,) = at.engine.due(at.state)
    lines = at.engine.suggest(at.state, seat, Dice("x", 1), WordSet())
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


def test_nobody_else_agrees(story: Story) -> None:
    """A line that no mail has offered, or that comes from anybody else, lets nothing go on (interface.md)."""
    begun(story, "crossword")
    for sender in (address_of(PLAYERS[0]), "fremd@anderswo.example", GM):
        story.arrives(write_mail(sender, "gm upgrade Riga\n", subject="Riga"))
        story.tick()
    with story.app.database.read() as session:
        assert game_queries.named(session, "Riga").upgraded_to == 0
    with pytest.raises(Refused, match="gm upgrade Riga"):
        actions.close(story.app, "Riga", story.now)


def test_there_is_something_to_agree_to(story: Story) -> None:
    """Where nothing waits for it the command says so: a game that goes on anyway, and one that is over."""
    begun(story, "typ-dom", is_older=False)
    with pytest.raises(Refused, match="goes on as it is"):
        upgrade.agree_by_name(story.app, "Riga")
    assert upgrade.agree_to_all(story.app) == []
    actions.abort(story.app, "Riga", "vorbei")
    with pytest.raises(Refused, match="is aborted"):
        upgrade.agree_by_name(story.app, "Riga")


def test_all_at_once(story: Story) -> None:
    """`--all` lets exactly the games go on that wait for it."""
    begun(story, "crossword", "Riga")
    begun(story, "typ-dom", "Kiew", is_older=False)
    begun(story, "farbdomino", "Oslo")
    assert upgrade.agree_to_all(story.app) == ["Riga", "Oslo"]
    assert upgrade.agree_to_all(story.app) == []


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"rules_version": 0}, ""),
        ({"rules_version": 0, "made_by": "postal-gm 0.9 000000000000", "state": {}}, "install postal-gm 0.9"),
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
                position(story.app, game)
        else:
            assert position(story.app, game).state


# -- word lists --------------------------------------------------------------------------------------------------------


def told(story: Story, *refused: str) -> list[str]:
    """Start the service anew, with words refused by the house, and return what the GM was told of word lists."""
    path = story.config.with_name("words.txt")
    path.write_text(path.read_text() + "".join(f"-{word}\n" for word in refused))
    story.app = story.open(story.app.settings)
    story.tick()
    return [mail.text for recipient, mail in story.mails() if recipient == GM and "Wortliste" in mail.subject]


def test_another_word_list(story: Story) -> None:
    """The GM is told once which games have a word now judged otherwise; recorded verdicts stand and nothing waits."""
    begun(story, "typ-dom", "Riga", steps=3, is_older=False)
    begun(story, "farbdomino", "Oslo", is_older=False)
    assert told(story) == []
    with story.app.database.read() as session:
        word = next(
            key.partition("/")[2] for turn in session.exec(select(Turn)) for key, verdict in turn.verdicts.items()
            if verdict["status"] == "accepted" and verdict["reason"] != "RULED"
        )  # fmt: skip
    before = state_of(story)
    (text,) = told(story, word)
    assert f"Riga: {word} zählt nicht mehr" in " ".join(text.split())
    assert "Oslo" not in text
    assert told(story) == []
    actions.close(story.app, "Riga", story.now)
    assert state_of(story)[1] == before[1] + 1
    with story.app.database.read() as session:
        assert replay.verify(story.app, session, game_queries.named(session, "Riga")) == []


def test_another_word_list_without_a_secret(story: Story) -> None:
    """A word that lies hidden is told as well: it can still be found, but no other guess of it counts."""
    actions.new_game(story.app, "combinato", "Elba", language="de")
    for name in PLAYERS[:2]:
        seating.join(story.app, "Elba", name, address_of(name), None)
    actions.start(story.app, "Elba")
    for name, word in zip(PLAYERS, ("BILD", "PELZ"), strict=False):
        story.arrives(write_mail(address_of(name), f"Combinato Elba\nGeheim: {word}\n"))
    story.tick()
    actions.close(story.app, "Elba", story.now)
    assert told(story) == []
    (text,) = told(story, "PELZ")
    assert "Elba: PELZ zählt nicht mehr" in " ".join(text.split())


def test_a_gm_who_plays_is_told_no_word(story: Story) -> None:
    """A GM who plays in the game is told its name and no word: it may be another player's secret."""
    begun(story, "typ-dom", "Riga", steps=3, is_older=False)
    actions.standby(story.app, "Riga", PLAYERS[0], "Cici Beilken", GM)
    with story.app.database.read() as session:
        words = {key.partition("/")[2] for turn in session.exec(select(Turn)) for key in turn.verdicts}
    told(story, *words)
    with story.app.database.read() as session:
        (question,) = session.exec(select(Question).where(Question.kind == "wordlist"))
    assert question.payload["text"] == "Riga"


# -- games that are over -----------------------------------------------------------------------------------------------


def test_a_result_stays(story: Story, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What has ended stays as recorded whatever new rules make of it: `gm show`, its pages, `gm verify`."""
    played_games.play(story, "point-typ-dom", "Riga")
    story.tick()
    made_by_older_rules(story, "Riga")
    export(story.app, tmp_path / "site")
    folder = tmp_path / "site" / "partien" / "riga"
    before, pages = shown(story, "Riga"), contents(folder)
    monkeypatch.setattr("games.point_typ_dom.rules.BONUS", 11)
    assert shown(story, "Riga") == before
    export(story.app, tmp_path / "site", full=True)
    assert contents(folder) == pages
    export(story.app, tmp_path / "new")
    other = tmp_path / "new" / "partien" / "riga" / "partie.json"
    assert other.read_bytes() != pages["partie.json"], "these rules would show another sum"
    with story.app.database.read() as session:
        game = game_queries.named(session, "Riga")
        assert replay.verify(story.app, session, game) == []
        assert replay.other_rules(story.app, session, game) == "as recorded by rules 0; here are 1"


def contents(folder: Path) -> dict[str, bytes]:
    """Read the files of a folder."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def shown(story: Story, name: str) -> dict[str, Any]:
    """Return what `gm show --json` prints."""
    with story.app.database.read() as session:
        return show(story.app, session, game_queries.named(session, name))
