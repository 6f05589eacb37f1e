"""What goes out next is found at the head of the queue, however long it is."""

from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Change the schema."""
    op.create_index("ix_mail_out_due", "mail_out", ["status", "priority", "id"])


def downgrade() -> None:
    """Change it back."""
    op.drop_index("ix_mail_out_due", "mail_out")
