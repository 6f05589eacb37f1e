"""What 1.0.0 brings: moves that are sent before a seat's turn (`advance_move`), one mail a day, the rules of a step."""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import AutoString, UTCDateTime

revision = "1.0.0"
down_revision = "1.0"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table and the columns: nobody has asked for one mail a day so far, and nothing is held back for it.

    Of the rules that made the steps so far only the number is known.
    """
    op.create_table(
        "advance_move",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), sa.ForeignKey("game.id"), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), sa.ForeignKey("player.id"), nullable=True),
        sa.Column("mail_id", sa.Integer(), sa.ForeignKey("mail_in.id"), nullable=True),
        sa.Column("received_at", UTCDateTime(), nullable=False),
        sa.Column("blocks", sa.JSON(), nullable=False),
        sa.Column("ended_at", UTCDateTime(), nullable=True),
        sa.Column("ended", AutoString(), nullable=False),
        sa.Column("turn_id", sa.Integer(), sa.ForeignKey("turn.id"), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    for column in ("game_id", "player_id", "turn_id"):
        op.create_index(f"ix_advance_move_{column}", "advance_move", [column])
    is_open = sa.text("ended_at IS NULL")
    op.create_index(
        "uq_advance_move_open", "advance_move", ["game_id", "seat"], unique=True, sqlite_where=is_open,
        postgresql_where=is_open,
    )  # fmt: skip
    op.add_column("player", sa.Column("bundle", AutoString(), nullable=False, server_default=""))
    op.add_column("mail_out", sa.Column("held_at", UTCDateTime(), nullable=True))
    op.add_column("mail_out", sa.Column("carried_by", AutoString(), nullable=True))
    op.add_column("turn", sa.Column("made_by", AutoString(), nullable=False, server_default=""))
    op.add_column("turn", sa.Column("result", sa.JSON(), nullable=False, server_default="{}"))
    op.add_column("game", sa.Column("agreed", AutoString(), nullable=False, server_default=""))
    # Nothing fills it any more. Its rows would keep addresses of people who want to be forgotten.
    op.drop_table("unanswered", if_exists=True)


def downgrade() -> None:
    """Remove them, and give 0.1.0 its table back."""
    op.create_table(
        "unanswered",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("address", AutoString(), nullable=False),
        sa.Column("mail_id", sa.Integer(), sa.ForeignKey("mail_in.id"), nullable=False),
        sa.Column("at", UTCDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    for column in ("address", "at"):
        op.create_index(f"ix_unanswered_{column}", "unanswered", [column])
    op.drop_column("game", "agreed")
    op.drop_column("turn", "result")
    op.drop_column("turn", "made_by")
    op.drop_column("mail_out", "carried_by")
    op.drop_column("mail_out", "held_at")
    op.drop_column("player", "bundle")
    op.drop_table("advance_move")
