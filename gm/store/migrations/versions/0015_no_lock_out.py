"""Wrong codes lock nobody out, so they are no longer counted."""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import AutoString, UTCDateTime

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Change the schema."""
    op.drop_table("wrong_code")


def downgrade() -> None:
    """Change it back."""
    op.create_table(
        "wrong_code",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("address", AutoString(), nullable=False),
        sa.Column("at", UTCDateTime(), nullable=False),
    )
    op.create_index("ix_wrong_code_address", "wrong_code", ["address"])
