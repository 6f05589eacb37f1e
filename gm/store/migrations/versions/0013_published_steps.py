"""What everybody may know of a game: the steps whose bulletins have gone out."""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import UTCDateTime

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Change the schema."""
    op.add_column("turn", sa.Column("published_at", UTCDateTime(), nullable=True))
    op.execute("UPDATE turn SET published_at = released_at")
    unpublished = sa.text("published_at IS NULL AND undone_at IS NULL")
    op.create_index("ix_turn_unpublished", "turn", ["game_id"], sqlite_where=unpublished, postgresql_where=unpublished)


def downgrade() -> None:
    """Change it back."""
    op.drop_index("ix_turn_unpublished", "turn")
    op.drop_column("turn", "published_at")
