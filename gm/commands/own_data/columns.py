"""Which columns of which tables the file of `Meine Daten` has, and why it lacks the others.

Every column of the database stands here once: in `IN_FILE`, in `NOT_IN_FILE` or with its table. A test counts them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from games.api import Language
from gm.messages.sentences.table import SENTENCES
from gm.store.tables import (
    Address,
    AdvanceMove,
    ArchivedGame,
    ArchivedScore,
    ArchivedWord,
    Duty,
    Game,
    Hindsight,
    MailIn,
    MailOut,
    Meta,
    Player,
    Press,
    Question,
    Ruling,
    Seat,
    Sheet,
    Standby,
    Turn,
    Vacation,
    Watcher,
)

IN_FILE: Final[Mapping[type[Any], Sequence[str]]] = {
    Player: ("name", "language", "digest", "calendar", "name_form", "bundle", "created_at"),
    Address: ("address", "bounced_at", "bounce"),
    Seat: ("game_id", "number", "entry", "since", "until", "intent", "intent_round"),
    Sheet: ("game_id", "seat", "round", "received_at", "lines", "complete", "withdrawn_at", "mail_id"),
    AdvanceMove: ("game_id", "seat", "received_at", "blocks", "ended", "ended_at", "turn_id", "mail_id"),
    Duty: ("game_id", "turn_id", "seat", "kept", "unclear"),
    ArchivedScore: ("game_id", "seat", "rank", "winner", "points", "guesses", "owed", "missed"),
    Press: ("game_id", "received_at", "text", "anonymous", "turn_id", "mail_id"),
    Vacation: ("first", "last", "at"),
    Standby: ("engine", "at"),
    Watcher: ("game_id", "at"),
    Question: ("kind", "game_id", "address", "created_at", "expires_at", "answered_at", "answer", "payload", "mail_id"),
    MailIn: ("id", "received_at", "sender", "subject", "status", "reason", "size", "raw"),
    MailOut: ("created_at", "sent_at", "address", "kind", "game_id", "subject", "status", "error"),
    Meta: ("value",),
}
"""Of `payload` the player's own words to the GM, of `raw` the text, of `meta` the former names."""


@dataclass(frozen=True, kw_only=True)
class LeftOut:
    """Columns that the file doesn't have, and why; with words, it says so itself."""

    why: str
    columns: Mapping[type[Any], Sequence[str]]
    said: str = ""
    """The code of the sentence."""


NOT_IN_FILE: Final[Sequence[LeftOut]] = (
    LeftOut(
        why="keys and bookkeeping of the program, which say nothing of the player",
        columns={
            Player: ("id", "name_key"),
            Address: ("id", "player_id"),
            Seat: ("id", "player_id"),
            Sheet: ("id", "player_id"),
            AdvanceMove: ("id", "player_id"),
            Duty: ("id", "player_id"),
            ArchivedScore: ("id", "player_id"),
            Press: ("id", "player_id"),
            Vacation: ("id", "player_id"),
            Standby: ("id", "player_id"),
            Watcher: ("id", "player_id"),
            Question: ("id", "player_id"),
            MailIn: ("folder", "uidvalidity", "uid", "content", "player_id", "attempts", "handled_at", "raw_hash"),
            MailOut: (
                "id",
                "cause",
                "recipient",
                "player_id",
                "opens_round",
                "priority",
                "attempts",
                "next_try",
                "lease_until",
                "leased_by",
                "raw_hash",
                "held_at",
            ),
            Meta: ("key",),
        },
    ),
    LeftOut(
        why="who knows them proves to be somebody",
        columns={Question: ("code",), MailOut: ("message_id", "carried_by"), MailIn: ("message_id",)},
        said="DATA_NOT_CODES",
    ),
    LeftOut(
        why="the reader has it, and it quotes others",
        columns={MailOut: ("raw",)},
        said="DATA_NOT_TEXTS",
    ),
    LeftOut(
        why="the rules' reading of the lines, which are there",
        columns={Sheet: ("move",)},
        said="DATA_NOT_GAMES",
    ),
)

WHOLE_TABLES: Final[Mapping[type[Any], str]] = {
    **dict.fromkeys((Game, Turn, Hindsight, ArchivedGame, ArchivedWord), "the record of a game, which knows seats"),
    Ruling: "what the GM decided about words",
}
"""Tables that have nothing of a player, and what they hold instead. None of their columns may name a player."""


def said_to_be_left_out(language: Language) -> list[str]:
    """Say what the file lacks, and why."""
    codes = [*(one.said for one in NOT_IN_FILE if one.said), "DATA_NOT_OTHERS"]
    return [SENTENCES[code][language] for code in codes]
