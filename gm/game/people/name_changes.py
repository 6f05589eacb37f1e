"""Changes of players' names: which games show somebody by another name afterwards."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlmodel import Session, col, select

from gm.game.people.shown_names import shown_names
from gm.runtime.config.settings import Settings
from gm.store import game_file
from gm.store.chunks import in_chunks
from gm.store.tables import Press, Seat


@contextmanager
def name_changes(session: Session, settings: Settings) -> Iterator[None]:
    """Let names change, and note the games whose pages show somebody otherwise then.

    Of namesakes the later ones have a number. So when one is called otherwise, the others may be, too.
    """
    before = shown_names(session, settings)
    yield
    session.flush()
    after = shown_names(session, settings)
    changed = [player_id for player_id, person in before.items() if after.get(player_id) != person]
    game_ids = set[int]()
    for some in in_chunks(changed):
        for table in (Seat, Press):
            game_ids.update(session.exec(select(table.game_id).where(col(table.player_id).in_(some))))
    game_file.touch_for_archive(session, game_ids)
