"""Who has won stands apart from rank and points; a game may have no points, but guesses."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Change the schema."""
    winner = sa.Column("winner", sa.Boolean(), nullable=False)
    _made_anew(winner, sa.Column("points", sa.Integer()), sa.Column("guesses", sa.Integer()))


def downgrade() -> None:
    """Change it back."""
    _made_anew(_number("points"))


def _made_anew(*columns: sa.Column[object]) -> None:
    """Make the table of scores anew. The next export fills it from the games, as the other form of the pages says."""
    op.drop_table("archived_score")
    op.execute("DELETE FROM archived_game")
    op.create_table(
        "archived_score", _number("id"), _key("game"), _key("player"), _number("seat"), _number("rank"), *columns,
        _number("owed"), _number("missed"), sa.PrimaryKeyConstraint("id", name="pk_archived_score"),
    )  # fmt: skip
    for key in ("game_id", "player_id"):
        op.create_index(f"ix_archived_score_{key}", "archived_score", [key])


def _key(table: str) -> sa.Column[int]:
    return sa.Column(f"{table}_id", sa.Integer(), sa.ForeignKey(f"{table}.id"), nullable=False)


def _number(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.Integer(), nullable=False)
