"""Which games ended last: the archive asks for a few of them, and must not look at all."""

from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Change the schema."""
    op.create_index("ix_archived_game_ended_at", "archived_game", ["ended_at"])


def downgrade() -> None:
    """Change it back."""
    op.drop_index("ix_archived_game_ended_at", "archived_game")
