"""Which addresses our mails came back from, and whose answers were left out for an hour."""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import AutoString, UTCDateTime

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Change the schema."""
    op.add_column("address", sa.Column("bounced_at", UTCDateTime(), nullable=True))
    op.add_column("address", sa.Column("bounce", AutoString(), nullable=False, server_default=""))
    op.create_table(
        "unanswered",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("address", AutoString(), nullable=False),
        sa.Column("mail_id", sa.Integer(), sa.ForeignKey("mail_in.id", name="fk_unanswered_mail_id"), nullable=False),
        sa.Column("at", UTCDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_unanswered"),
    )
    op.create_index("ix_unanswered_address", "unanswered", ["address"])
    op.create_index("ix_unanswered_at", "unanswered", ["at"])


def downgrade() -> None:
    """Change it back."""
    op.drop_table("unanswered")
    op.drop_column("address", "bounce")
    op.drop_column("address", "bounced_at")
