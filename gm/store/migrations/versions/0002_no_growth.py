"""Indexes with which no mail takes longer because there were many before it.

The columns behind a mail's bytes are slow to reach in SQLite, so what the queue is asked stands in the index.
"""

from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Change the schema."""
    op.drop_index("ix_mail_out_due", "mail_out")
    op.create_index("ix_mail_out_queue", "mail_out", ["status", "address", "priority", "id"])
    op.create_index("ix_mail_out_lately", "mail_out", ["address", "created_at"])
    op.create_index("ix_mail_out_lease_until", "mail_out", ["lease_until"])
    op.create_index("ix_mail_out_sent_at", "mail_out", ["sent_at"])
    op.drop_index("ix_sheet_round", "sheet")
    op.create_index("ix_sheet_last", "sheet", ["game_id", "round", "seat", "received_at"])


def downgrade() -> None:
    """Change it back."""
    op.drop_index("ix_sheet_last", "sheet")
    op.create_index("ix_sheet_round", "sheet", ["game_id", "round", "seat"])
    op.drop_index("ix_mail_out_sent_at", "mail_out")
    op.drop_index("ix_mail_out_lease_until", "mail_out")
    op.drop_index("ix_mail_out_lately", "mail_out")
    op.drop_index("ix_mail_out_queue", "mail_out")
    op.create_index("ix_mail_out_due", "mail_out", ["status", "priority", "id"])
