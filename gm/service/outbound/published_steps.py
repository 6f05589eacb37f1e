"""A step becomes public as soon as its bulletins have gone out."""

from datetime import timedelta
from typing import Final

import sqlalchemy as sa
from sqlalchemy.orm import aliased
from sqlmodel import col

from gm.app.context import App
from gm.store import game_file
from gm.store.chunks import in_chunks
from gm.store.tables import MailOut, Turn

LONGEST: Final = timedelta(hours=12)
"""How long a step waits for a bulletin that can't be sent."""

_LAST: Final = aliased(Turn)
"""A step whose bulletins tell of those before it as well: all were released at the same instant."""
_IS_ON_ITS_WAY: Final = sa.exists().where(
    col(_LAST.game_id) == col(Turn.game_id), col(_LAST.number) >= col(Turn.number),
    sa.or_(col(_LAST.id) == col(Turn.id), col(_LAST.released_at) == col(Turn.released_at)),
    col(MailOut.cause) == sa.literal("turn:") + sa.cast(col(_LAST.id), sa.String), col(MailOut.status) == "queued",
)  # fmt: skip
_OUT: Final = sa.select(col(Turn.id), col(Turn.game_id), col(Turn.released_at)).where(
    col(Turn.published_at).is_(None), col(Turn.undone_at).is_(None),
    (col(Turn.released_at) <= sa.bindparam("long_ago")) | ~_IS_ON_ITS_WAY,
)  # fmt: skip


def publish(app: App) -> None:
    """Note the steps whose bulletins were all accepted or refused, or have waited for too long. Raises StoreError.

    A step that waits for the GM's release isn't among them.
    """
    now = app.now()
    with app.database.read() as session:
        found = session.connection().execute(_OUT, {"long_ago": now - LONGEST}).all()
    # Asked for it, SQLite would go through all steps that were ever released.
    out = [row for row in found if row.released_at]
    if not out:
        return
    with app.database.write() as session:
        for ids in in_chunks([row.id for row in out]):
            session.connection().execute(
                sa.update(Turn).where(col(Turn.id).in_(ids), col(Turn.published_at).is_(None)).values(published_at=now)
            )
        game_file.touch_for_archive(session, {row.game_id for row in out})
