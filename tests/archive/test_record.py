"""What a game's record holds: each round once, results as in the mails, and public facts only."""

from collections.abc import Callable

import seating

from gm.archive.record.builder import build_record
from gm.archive.record.loader import LoadedGame
from gm.archive.record.record import Record, Snapshot
from gm.demo.in_memory_zine import PLAYERS, Story, address_of
from gm.game.people.shown_names import shown_names
from gm.requests.desk import actions
from gm.store.queries import game_queries

Begin = Callable[..., Story]


def told(story: Story, name: str) -> Record:
    """Build the record of a game."""
    with story.app.database.read() as session:
        game = game_queries.named(session, name)
        people = shown_names(session, story.app.settings)
        return build_record(LoadedGame(app=story.app, session=session, game=game, slug=name.lower(), people=people))


def test_a_sentence_that_ends_in_a_short_name_has_one_stop(running: Begin) -> None:
    """»Kein Zug von Carla D..« reads like a slip; three dots that somebody wrote stay."""
    story = running()
    actions.close(story.app, "Eriwan", story.now)
    story.tick()
    texts = [text for one in told(story, "Eriwan").snapshots for text in (*one.events, *_lines(one))]
    assert any("B." in text for text in texts)
    assert not [text for text in texts if ".." in text.replace("...", "")]


def _lines(snapshot: Snapshot) -> list[str]:
    return [line for part in snapshot.parts for line in (*part.lines, *part.notes)]


def test_a_game_that_begins_with_a_round_0_has_one_page_for_it(running: Begin) -> None:
    """In Combinato both players choose a secret first: bulletins call that round 0, as they do the start."""
    story = running()
    actions.new_game(story.app, "combinato", "Batumi")
    for name in PLAYERS[:2]:
        seating.join(story.app, "Batumi", name, address_of(name), "")
    actions.start(story.app, "Batumi")
    story.tick()
    assert [one.number for one in told(story, "Batumi").snapshots] == [0]
    for _ in range(2):
        actions.close(story.app, "Batumi", story.now)
        story.tick()
    numbers = [one.number for one in told(story, "Batumi").snapshots]
    assert numbers == sorted(set(numbers))
    with story.app.database.read() as session:
        assert numbers[-1] == game_queries.named(session, "Batumi").round - 1
