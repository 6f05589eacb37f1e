"""When to look at each game next, and indexes for what is asked with each mail, round or digest."""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import UTCDateTime

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Change the schema."""
    op.add_column("game", sa.Column("writes", sa.BigInteger(), nullable=False, server_default="0"))
    op.add_column("game", sa.Column("look_at", UTCDateTime(), nullable=True))
    op.add_column("game", sa.Column("changed", sa.Boolean(), nullable=False, server_default=sa.true()))
    op.add_column("game", sa.Column("look_back", sa.Boolean(), nullable=False, server_default=sa.true()))
    op.execute("UPDATE game SET look_at = '1970-01-01 00:00:00.000000' WHERE status <> 'aborted'")
    op.execute(
        "UPDATE game SET look_back = (1 = 0) WHERE EXISTS (SELECT 1 FROM hindsight"
        " JOIN turn ON turn.id = hindsight.turn_id WHERE hindsight.game_id = game.id"
        " AND turn.number = game.turn AND turn.version = game.version)"
    )
    op.create_index("ix_game_status", "game", ["status", "id"])
    op.create_index("ix_game_look_at", "game", ["look_at"])
    for name, columns in (("changed", ["id"]), ("look_back", ["status", "engine"])):
        op.create_index(
            f"ix_game_{name}", "game", columns, sqlite_where=sa.text(f"{name} = 1"), postgresql_where=sa.text(name)
        )
    known = sa.text("bounced_at IS NOT NULL")
    op.create_index("ix_address_bounced_at", "address", ["bounced_at"], sqlite_where=known, postgresql_where=known)
    op.create_index("ix_turn_released_at", "turn", ["released_at"])
    op.create_index("ix_mail_in_received_at", "mail_in", ["received_at"])
    op.create_index("ix_question_kind", "question", ["kind", "created_at"])
    op.create_index("ix_question_player_id", "question", ["player_id", "kind"])


def downgrade() -> None:
    """Change it back."""
    op.drop_index("ix_question_player_id", "question")
    op.drop_index("ix_question_kind", "question")
    op.drop_index("ix_mail_in_received_at", "mail_in")
    op.drop_index("ix_turn_released_at", "turn")
    op.drop_index("ix_address_bounced_at", "address")
    for name in ("look_back", "changed", "look_at", "status"):
        op.drop_index(f"ix_game_{name}", "game")
    for name in ("look_back", "changed", "look_at", "writes"):
        op.drop_column("game", name)
