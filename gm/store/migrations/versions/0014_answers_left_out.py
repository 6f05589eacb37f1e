"""Answers beyond an hour's are counted, and no longer written and kept."""

from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Change the schema."""
    op.execute("DELETE FROM mail_out WHERE status = 'left out'")


def downgrade() -> None:
    """Change nothing: those mails never went out."""
