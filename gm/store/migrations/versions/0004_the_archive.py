"""What the archive of pages keeps: name forms, what is looked back on, and what its tables and statistics rest on."""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import AutoString, UTCDateTime

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Change the schema."""
    op.add_column("player", sa.Column("name_form", AutoString(), nullable=False, server_default=""))
    op.add_column("game", sa.Column("edits", sa.Integer(), nullable=False, server_default="0"))
    _of_a_game("hindsight", sa.Column("sections", sa.JSON(), nullable=False), _at("at"))
    _of_a_game("archived_game", _text("form"), _at("ended_at"), sa.Column("facts", sa.JSON(), nullable=False))
    _rows("archived_score", _key("player"), *(_number(name) for name in ("seat", "rank", "points", "owed", "missed")))
    op.create_index("ix_archived_score_player_id", "archived_score", ["player_id"])
    _rows(
        "archived_word", _number("seat"), _text("word"), _text("key"), sa.Column("points", sa.Integer(), nullable=True),
        _text("status"), sa.Column("why", sa.JSON(), nullable=False), sa.Column("place", sa.JSON(), nullable=False),
    )  # fmt: skip
    op.create_index("ix_archived_word_key", "archived_word", ["key", "game_id"])


def _of_a_game(name: str, *columns: sa.schema.SchemaItem) -> None:
    op.create_table(name, _key("game"), _key("turn"), *columns, sa.PrimaryKeyConstraint("game_id", name=f"pk_{name}"))


def _rows(name: str, *columns: sa.schema.SchemaItem) -> None:
    op.create_table(
        name, sa.Column("id", sa.Integer(), nullable=False), _key("game"), *columns,
        sa.PrimaryKeyConstraint("id", name=f"pk_{name}"),
    )  # fmt: skip
    op.create_index(f"ix_{name}_game_id", name, ["game_id"])


def _key(table: str) -> sa.Column[int]:
    return sa.Column(f"{table}_id", sa.Integer(), sa.ForeignKey(f"{table}.id"), nullable=False)


def _text(name: str) -> sa.Column[str]:
    return sa.Column(name, AutoString(), nullable=False)


def _number(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.Integer(), nullable=False)


def _at(name: str) -> sa.Column[object]:
    return sa.Column(name, UTCDateTime(), nullable=False)


def downgrade() -> None:
    """Change it back."""
    for table in ("archived_word", "archived_score", "archived_game", "hindsight"):
        op.drop_table(table)
    op.drop_column("game", "edits")
    op.drop_column("player", "name_form")
