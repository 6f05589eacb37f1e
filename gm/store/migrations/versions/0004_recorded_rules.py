"""Which code made a step and what it made of the position; with which rules a game may go on."""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import AutoString

revision = "1.3"
down_revision = "1.2"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns. Of the steps so far only the number of the rules is known."""
    op.add_column("turn", sa.Column("made_by", AutoString(), nullable=False, server_default=""))
    op.add_column("turn", sa.Column("result", sa.JSON(), nullable=False, server_default="{}"))
    op.add_column("game", sa.Column("agreed", AutoString(), nullable=False, server_default=""))


def downgrade() -> None:
    """Remove them."""
    op.drop_column("game", "agreed")
    op.drop_column("turn", "result")
    op.drop_column("turn", "made_by")
