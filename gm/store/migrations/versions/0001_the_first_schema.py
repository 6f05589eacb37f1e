"""The schema of 1.0.0. Until that version is out, it is changed here."""

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import AutoString, UTCDateTime

revision = "1.0.0"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make all tables; whatever a row refers to comes before it."""
    _zine()
    _players()
    _games()
    _mails()
    _steps()
    _questions()
    _archive()


def _zine() -> None:
    texts = ("overtaken", "home", "clock", "junk_folder", "inbox_trouble", "outbox_trouble",
             "backup_trouble", "settings_seen", "word_lists")  # fmt: skip
    instants = ("copied_at", "catch_up_from", "look_again_from", "last_fetch", "backup_failed_at", "last_digest")
    _table(
        "zine", _text("secret"), _text("incarnation"), _json("former", "[]"),
        *(sa.Column(name, AutoString()) for name in texts), *(_at(name, nullable=True) for name in instants),
        *(sa.Column(name, sa.BigInteger()) for name in ("junk_uidvalidity", "junk_uid")),
    )  # fmt: skip
    _table("stored_file", _text("name"), _text("file_name"), _text("kind"), _bytes("content"), key="name")
    _table("sent_issue", _number("number"), _text("checksum"), key="number")


def _players() -> None:
    _table(
        "player", _text("name"), _text("name_key"), _text("language"), _at("created_at"), _text("digest", "weekly"),
        _text("digest_at", ""), _text("name_form", ""), _json("former_names", "[]"),
        sa.UniqueConstraint("name_key"),
    )  # fmt: skip
    _table(
        "address", _row("player"), _text("address"), _at("bounced_at", nullable=True), _text("bounce", ""),
        sa.UniqueConstraint("player_id", "address"),
    )  # fmt: skip
    _index("address", "address")
    _index("address", "player_id")
    _index("address", "bounced_at", where="bounced_at IS NOT NULL")
    _table("standby", _row("player"), _text("engine"), _at("at"), sa.UniqueConstraint("player_id", "engine"))
    _table("vacation", _row("player"), _day("first"), _day("last"), _at("at"))
    _index("vacation", "player_id")


def _games() -> None:
    _table(
        "game", _text("name"), _text("name_key"), _text("engine"), _json("options"), _text("language"), _text("status"),
        _flag("autostart"), _text("seed"), _text("span"), _flag("by_issue"), _at("zat", nullable=True), _text("held"),
        _number("round"), _number("turn", nullable=True), _number("version"), _at("created_at"),
        _at("paused_until", nullable=True),
        _flag("reopened", "0"), _flag("anonymous_press", "0"),
        _long("last_write", default="0"), _at("look_at", nullable=True),
        _number("upgraded_to"), _text("reminded", ""), sa.UniqueConstraint("name_key"),
    )  # fmt: skip
    _index("game", "look_at")
    _index("game", "status", "id", name="status")
    _index("game", "status", "zat", "id", name="status_zat")
    _index("game", "zat", "id", name="held", where="held <> ''")
    _index("game", "last_write", "id", name="last_write")
    _table(
        "seat", _row("game"), _number("number"), _row("player"), _json("entry"), _at("since"),
        _at("until", nullable=True), _text("intent"), _number("intent_round"),
    )  # fmt: skip
    _index("seat", "game_id")
    _index("seat", "player_id")
    _unique("seat", "sitting", "game_id", "player_id", where="until IS NULL")
    _unique("seat", "taken", "game_id", "number", where="until IS NULL")
    _table("watcher", _row("game"), _row("player"), _at("at"), sa.UniqueConstraint("game_id", "player_id"))
    _index("watcher", "player_id")
    _table("ruling", _row("game", nullable=True), _text("word"), _flag("accepted"), _text("note"), _at("at"))
    _index("ruling", "game_id")


def _mails() -> None:
    _table(
        "mail_in", _text("folder"), _long("uidvalidity"), _long("uid"), _bytes("raw"), _number("size"),
        _text("content"), _text("message_id"), _text("written", ""), _text("sender"), _text("subject"),
        _row("player", nullable=True),
        _at("received_at"), _text("status"), _text("reason"), _flag("begun", "0"), _number("attempts"),
        _at("handled_at", nullable=True), _text("raw_hash", ""), sa.UniqueConstraint("folder", "uidvalidity", "uid"),
    )  # fmt: skip
    _index("mail_in", "message_id")
    _index("mail_in", "written", "sender", name="written")
    _index("mail_in", "player_id")
    _index("mail_in", "received_at")
    _index("mail_in", "status", "received_at", "sender", "player_id", name="status")
    _table(
        "mail_out", _text("cause"), _text("kind"), _text("recipient"), _row("player", nullable=True), _text("address"),
        _row("game", nullable=True), _number("opens_round", nullable=True), _text("message_id"), _text("subject"),
        _bytes("raw", nullable=True), _number("priority"), _text("status"), _number("attempts"), _at("next_try"),
        _at("created_at"), _at("sent_at", nullable=True), _text("error"),
        _flag("sending"), _flag("by_post"), _text("raw_hash", ""), sa.UniqueConstraint("cause", "kind", "recipient"),
        sa.UniqueConstraint("message_id"),
    )  # fmt: skip
    _index("mail_out", "sent_at")
    _index("mail_out", "status", "priority", "id", name="due")
    _index("mail_out", "status", "address", "priority", "id", name="queue")
    _index("mail_out", "address", "created_at", name="lately")
    _index("mail_out", "game_id", "player_id", "opens_round", name="seen")
    _table(
        "refusal", _row("mail_out", "mail_id"), _at("at"), _text("said"), _flag("is_ours", sa.false()), key="mail_id"
    )


def _steps() -> None:
    _table(
        "turn", _row("game"), _number("number"), _number("version"), _text("kind"), _number("round"), _json("input"),
        _json("state"), _json("events"), _json("verdicts"), _number("rules_version"), _text("words"), _at("at"),
        _at("zat", nullable=True), _at("released_at", nullable=True), _at("undone_at", nullable=True),
        _text("foreword", ""), _at("published_at", nullable=True), _text("made_by"), _json("result"),
        _json("retrospect", "[]"), _number("zat_moves", default="0"), _at("zat_at", nullable=True),
        sa.UniqueConstraint("game_id", "number", "version"),
    )  # fmt: skip
    _index("turn", "released_at")
    _index("turn", "game_id", name="unpublished", where="published_at IS NULL AND undone_at IS NULL")
    _table(
        "sheet", _row("game"), _number("seat"), _number("round"), _row("player", nullable=True),
        _row("mail_in", "mail_id", nullable=True), _at("received_at"), _json("lines"), _json("move"),
        _flag("complete"), _at("withdrawn_at", nullable=True),
    )  # fmt: skip
    _index("sheet", "game_id", "round", "seat", "received_at", name="last")
    _table(
        "advance_move", _row("game"), _number("seat"), _row("player", nullable=True),
        _row("mail_in", "mail_id", nullable=True), _at("received_at"), _json("blocks"), _at("ended_at", nullable=True),
        _text("ended"), _row("turn", nullable=True),
    )  # fmt: skip
    for column in ("game_id", "player_id", "turn_id"):
        _index("advance_move", column)
    _unique("advance_move", "open", "game_id", "seat", where="ended_at IS NULL")
    _table(
        "digest_step", _row("player"), _row("game"), _row("turn"), _number("seat", nullable=True), _at("due_at"),
        _text("told_by"), sa.UniqueConstraint("player_id", "turn_id"),
    )  # fmt: skip
    _index("digest_step", "told_by", "player_id", name="untold")
    for column in ("game_id", "turn_id"):
        _index("digest_step", column)
    _table(
        "duty", _row("game"), _row("turn"), _number("seat"), _row("player"), _flag("kept"),
        _flag("unclear", sa.false()),
    )  # fmt: skip
    _table(
        "press", _row("game"), _row("player"), _row("mail_in", "mail_id", nullable=True), _flag("anonymous"),
        _text("text"), _at("received_at"), _row("turn", nullable=True),
    )  # fmt: skip
    for table in ("duty", "press"):
        for column in ("game_id", "player_id", "turn_id"):
            _index(table, column)


def _questions() -> None:
    _table(
        "question", _text("code"), _text("kind"), _row("player", nullable=True), _text("address"),
        _row("game", nullable=True), _row("mail_in", "mail_id", nullable=True), _json("payload"), _at("created_at"),
        _at("expires_at", nullable=True), _at("answered_at", nullable=True), _text("answer"),
        sa.UniqueConstraint("code"),
    )  # fmt: skip
    _index("question", "address")
    _index("question", "answered_at")
    _index("question", "game_id")
    _index("question", "kind", "created_at", name="kind")
    _index("question", "player_id", "kind", name="player_id")


def _archive() -> None:
    _table("archived_game", _row("game"), _row("turn"), _text("form"), _at("ended_at"), _json("facts"), key="game_id")
    _index("archived_game", "ended_at")
    _table(
        "archived_score", _row("game"), _row("player"), _number("seat"), _number("rank"), _flag("winner"),
        _number("points", nullable=True), _number("guesses", nullable=True), _number("owed"), _number("missed"),
    )  # fmt: skip
    _index("archived_score", "game_id")
    _index("archived_score", "player_id")
    _table(
        "archived_word", _row("game"), _number("seat"), _text("word"), _text("key"), _number("points", nullable=True),
        _text("status"), _json("why"), _json("place"),
    )  # fmt: skip
    _index("archived_word", "game_id")
    _index("archived_word", "key", "game_id", name="key")
    _table(
        "archive_site", _text("mark"), _text("next_mark"), _text("program"), _long("last_write"), _number("last_game"),
        _json("failed"), _json("due"),
    )  # fmt: skip
    _index("archive_site", "mark")
    _index("archive_site", "next_mark")


def _table(name: str, *columns: sa.schema.SchemaItem, key: str = "id") -> None:
    numbers = [_number("id")] if key == "id" else []
    op.create_table(name, *numbers, *columns, sa.PrimaryKeyConstraint(key))


def _index(table: str, *columns: str, name: str = "", where: str = "") -> None:
    """Make an index; `where` limits it to some rows."""
    limits = {"sqlite_where": sa.text(where), "postgresql_where": sa.text(where)} if where else {}
    op.create_index(f"ix_{table}_{name or columns[0]}", table, list(columns), **limits)


def _unique(table: str, name: str, *columns: str, where: str) -> None:
    """Let no two of some rows have the same values."""
    limits = {"sqlite_where": sa.text(where), "postgresql_where": sa.text(where)}
    op.create_index(f"uq_{table}_{name}", table, list(columns), unique=True, **limits)


def _row(table: str, name: str = "", *, nullable: bool = False) -> sa.Column[int]:
    """Refer to a row of another table."""
    return sa.Column(name or f"{table}_id", sa.Integer(), sa.ForeignKey(f"{table}.id"), nullable=nullable)


def _text(name: str, default: str | None = None) -> sa.Column[str]:
    return sa.Column(name, AutoString(), nullable=False, server_default=default)


def _number(name: str, *, nullable: bool = False, default: str | None = None) -> sa.Column[int]:
    return sa.Column(name, sa.Integer(), nullable=nullable, server_default=default)


def _long(name: str, *, default: str | None = None) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger(), nullable=False, server_default=default)


def _flag(name: str, default: Any = None) -> sa.Column[bool]:
    return sa.Column(name, sa.Boolean(), nullable=False, server_default=default)


def _at(name: str, *, nullable: bool = False) -> sa.Column[Any]:
    return sa.Column(name, UTCDateTime(), nullable=nullable)


def _day(name: str) -> sa.Column[Any]:
    return sa.Column(name, sa.Date(), nullable=False)


def _json(name: str, default: str | None = None) -> sa.Column[Any]:
    return sa.Column(name, sa.JSON(), nullable=False, server_default=default)


def _bytes(name: str, *, nullable: bool = False) -> sa.Column[bytes]:
    return sa.Column(name, sa.LargeBinary(), nullable=nullable)


def downgrade() -> None:
    """Remove all tables; whatever refers to a row goes before it."""
    made = sa.MetaData()
    made.reflect(op.get_bind())
    for table in reversed(made.sorted_tables):
        if table.name != "alembic_version":
            op.drop_table(table.name)
