"""A missing move that may lie in a mail which nobody could read is no silence."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Change the schema."""
    op.add_column("duty", sa.Column("unclear", sa.Boolean(), nullable=False, server_default=sa.false()))


def downgrade() -> None:
    """Change it back."""
    op.drop_column("duty", "unclear")
