"""Which games the GM should see first: held ones, and running ones by ZAT, however many there are."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Change the schema."""
    is_held = sa.text("held <> ''")
    op.create_index("ix_game_held", "game", ["zat", "id"], sqlite_where=is_held, postgresql_where=is_held)
    op.create_index("ix_game_status_zat", "game", ["status", "zat", "id"])
    op.drop_index("ix_game_zat", "game")


def downgrade() -> None:
    """Change it back."""
    op.create_index("ix_game_zat", "game", ["zat"])
    op.drop_index("ix_game_status_zat", "game")
    op.drop_index("ix_game_held", "game")
