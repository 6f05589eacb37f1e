"""One mail a day: when a player wants it, which mails are held back for it, and which mail carries them."""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import AutoString, UTCDateTime

revision = "1.2"
down_revision = "1.1"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns: nobody has asked for it so far, and nothing is held back."""
    op.add_column("player", sa.Column("bundle", AutoString(), nullable=False, server_default=""))
    op.add_column("mail_out", sa.Column("held_at", UTCDateTime(), nullable=True))
    op.add_column("mail_out", sa.Column("carried_by", AutoString(), nullable=True))


def downgrade() -> None:
    """Remove them."""
    op.drop_column("mail_out", "carried_by")
    op.drop_column("mail_out", "held_at")
    op.drop_column("player", "bundle")
