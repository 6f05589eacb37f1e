"""What mails were, byte for byte, whose bytes were taken away (`gm mail prune`)."""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import AutoString

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Change the schema."""
    for table in ("mail_in", "mail_out"):
        op.add_column(table, sa.Column("raw_hash", AutoString(), nullable=False, server_default=""))


def downgrade() -> None:
    """Change it back."""
    for table in ("mail_out", "mail_in"):
        op.drop_column(table, "raw_hash")
