"""Who sends a mail, and mails that wait by their arrival: several processes share the work."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Change the schema."""
    op.add_column("mail_out", sa.Column("leased_by", sa.Integer(), nullable=True))
    op.drop_index("ix_mail_in_status", "mail_in")
    op.create_index("ix_mail_in_status", "mail_in", ["status", "received_at"])


def downgrade() -> None:
    """Change it back."""
    op.drop_index("ix_mail_in_status", "mail_in")
    op.create_index("ix_mail_in_status", "mail_in", ["status"])
    op.drop_column("mail_out", "leased_by")
