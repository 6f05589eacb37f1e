"""What the GM's desk and the players' commands keep: duties, vacations, watchers, press, pauses, undone steps."""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import AutoString, UTCDateTime

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Change the schema."""
    _add_columns()
    # What went out before there was `release = "gm"` was never held back.
    op.execute("UPDATE turn SET released_at = at")
    _table("wrong_code", sa.Column("address", AutoString(), nullable=False), _at())
    op.create_index("ix_wrong_code_address", "wrong_code", ["address"])
    _table("vacation", _key("player"), _day("first"), _day("last"), _at())
    op.create_index("ix_vacation_player_id", "vacation", ["player_id"])
    _table("watcher", _key("game"), _key("player"), _at(),
           sa.UniqueConstraint("game_id", "player_id", name="uq_watcher_game_id_player_id"))  # fmt: skip
    op.create_index("ix_watcher_player_id", "watcher", ["player_id"])
    _table("duty", _key("game"), _key("turn"), sa.Column("seat", sa.Integer(), nullable=False), _key("player"),
           sa.Column("kept", sa.Boolean(), nullable=False))  # fmt: skip
    _table(
        "press", _key("game"), _key("player"), _key("mail_in", "mail_id", nullable=True),
        sa.Column("anonymous", sa.Boolean(), nullable=False), sa.Column("text", AutoString(), nullable=False),
        sa.Column("received_at", UTCDateTime(), nullable=False), _key("turn", nullable=True),
    )  # fmt: skip
    for table in ("duty", "press"):
        for column in ("game_id", "player_id", "turn_id"):
            op.create_index(f"ix_{table}_{column}", table, [column])


def _add_columns() -> None:
    # Plain literals as defaults, and no batch mode: SQLite would copy the whole table, and could not drop the old one
    # as long as others refer to it.
    op.add_column("player", sa.Column("digest", AutoString(), nullable=False, server_default="weekly"))
    op.add_column("player", sa.Column("calendar", sa.Boolean(), nullable=False, server_default="0"))
    op.add_column("game", sa.Column("paused_until", UTCDateTime(), nullable=True))
    op.add_column("game", sa.Column("reopened", sa.Boolean(), nullable=False, server_default="0"))
    op.add_column("game", sa.Column("anonymous_press", sa.Boolean(), nullable=False, server_default="0"))
    for name in ("zat", "released_at", "undone_at"):
        op.add_column("turn", sa.Column(name, UTCDateTime(), nullable=True))
    op.add_column("turn", sa.Column("foreword", AutoString(), nullable=False, server_default=""))


def _table(name: str, *columns: sa.schema.SchemaItem) -> None:
    op.create_table(
        name,
        sa.Column("id", sa.Integer(), nullable=False),
        *columns,
        sa.PrimaryKeyConstraint("id", name=f"pk_{name}"),
    )


def _key(table: str, name: str = "", *, nullable: bool = False) -> sa.Column[int]:
    column = name or f"{table}_id"
    return sa.Column(column, sa.Integer(), sa.ForeignKey(f"{table}.id"), nullable=nullable)


def _day(name: str) -> sa.Column[object]:
    return sa.Column(name, sa.Date(), nullable=False)


def _at() -> sa.Column[object]:
    return sa.Column("at", UTCDateTime(), nullable=False)


def downgrade() -> None:
    """Change it back."""
    for table in ("press", "duty", "watcher", "vacation", "wrong_code"):
        op.drop_table(table)
    for table, columns in (
        ("turn", ("foreword", "undone_at", "released_at", "zat")),
        ("game", ("anonymous_press", "reopened", "paused_until")),
        ("player", ("calendar", "digest")),
    ):
        for column in columns:
            op.drop_column(table, column)
