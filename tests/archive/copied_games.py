"""Thousands of finished games, copied from a few played ones under new names, with other players, years apart.

For benchmarks and tests of large archives: playing 10,000 games would take days. Copies are complete (seats, steps,
duties), so an export treats them like any other game. `derived` also fills the tables that an export would fill.
"""

import json
import random
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final, TypeAlias

from gm.archive.record.list_rows import word_facts
from gm.archive.record.record import WordRecord

Row: TypeAlias = dict[str, Any]

# ruff: noqa: SIM905  names are easier to read without quotes
TOWNS: Final = (
    "Aachen Bergen Calais Dakar Essen Florenz Genua Havanna Isfahan Jakarta Kiel Lima Malmo Nizza Oslo Prag Quito Riga "
    "Siena Tunis Ulm Verona Wien Xanten York Zagreb"
).split()
FIRST: Final = (
    "Anke Bernd Carla Dieter Elke Frank Gerda Hans Ines Jörg Karin Lars Marta Nils Olga Paul Rita Sven Tina Udo Vera "
    "Wim Yvonne Zeno"
).split()
LAST: Final = (
    "Adler Busch Clausen Drexler Ebert Falk Groß Heider Ilg Jansen Köster Lindner Moll Nowak Otten Pauls Quast Rieger "
    "Sommer Thiel Uhl Vogt Wolff Zander"
).split()
SYLLABLES: Final = (
    "A AB AL AN AR AS BA BE BER DA DE DI DO EI EIN EL EN ER ES GE GEN HA HE IN KA KE LA LE LI MA ME NA NE NO OR RA RE "
    "RI RO SE SEN SI STE TA TE TEN TI UN UR VER"
).split()
VOCABULARY: Final = 30_000
WORDS_A_GAME: Final = 80
REFUSED: Final = '{"code": "NAME", "values": {}}'
COPIED: Final = ("seat", "turn", "duty", "press")
DERIVED: Final = ("archived_game", "archived_score", "archived_word")
STAMPED: Final = {
    "game": ("zat", "created_at"),
    "seat": ("since", "until"),
    "turn": ("at", "zat", "released_at", "published_at", "undone_at"),
    "press": ("received_at",),
}


@dataclass(frozen=True, kw_only=True)
class Pattern:
    """A played game with its rows by table."""

    game: Row
    rows: dict[str, list[Row]]

    def players(self) -> list[int]:
        """List who sat in it, in order."""
        return sorted({row["player_id"] for row in self.rows["seat"]})


def copy_games(
    database: Path, *, games: int, players: int = 60, sources: Sequence[Path] = (), derived: bool = False,
    years: int = 20, seed: int = 7,
) -> None:  # fmt: skip
    """Add `games` copies of the finished games of a database and of `sources`; `derived` also fills derived tables.

    The same arguments give the same rows.
    """
    with closing(sqlite3.connect(database)) as connection:
        patterns = [pattern for path in (database, *sources) for pattern in _patterns(path)]
        copier = _Copier(connection, players=players, seed=seed, derived=derived)
        for number in range(games):
            copier.copy(
                patterns[number % len(patterns)], number, timedelta(days=(number - games) * 365 * years // games)
            )
        copier.finish()


def _patterns(path: Path) -> Iterator[Pattern]:
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        connection.row_factory = sqlite3.Row
        for game in connection.execute("SELECT * FROM game WHERE status = 'finished' ORDER BY id").fetchall():
            rows = {
                table: [
                    dict(row)
                    for row in connection.execute(f"SELECT * FROM {table} WHERE game_id = ? ORDER BY 1", (game["id"],))
                ]
                for table in (*COPIED, *DERIVED)
            }
            yield Pattern(game=dict(game), rows=rows)


class _Copier:
    def __init__(self, connection: sqlite3.Connection, *, players: int, seed: int, derived: bool) -> None:
        self._connection = connection
        self._chance = random.Random(seed)
        self._derived = derived
        self._waiting: dict[str, list[Row]] = {}
        self._ids = {
            table: connection.execute(f"SELECT coalesce(max(id), 0) FROM {table}").fetchone()[0]
            for table in ("game", "player", "address", "seat", "turn", "duty", "press", *DERIVED[1:])
        }
        self._last_write = connection.execute("SELECT max(last_write) + 1 FROM game").fetchone()[0]
        self._names = {row[0] for row in connection.execute("SELECT name_key FROM game")}
        self._players = [self._player(number) for number in range(players)]
        self._words = vocabulary(seed) if derived else []

    def copy(self, pattern: Pattern, number: int, later: timedelta) -> None:
        """Copy a game with everything that belongs to it."""
        game_id, people = self._next("game"), self._cast(pattern)
        name = self._name(number)
        language = "en" if number % 9 == 8 else pattern.game["language"]
        row = _moved({**pattern.game, "id": game_id, "name": name, "name_key": name.casefold()}, "game", later)
        self._add("game", {**row, "language": language, "last_write": self._last_write})
        turns = {turn["id"]: self._next("turn") for turn in pattern.rows["turn"]}
        for table in COPIED:
            for row in pattern.rows[table]:
                self._add(table, self._changed(table, row, game_id, people, turns, later))
        if self._derived:
            self._derive(pattern, game_id, people, turns, later)
        if number % 500 == 499:
            self._flush()

    def finish(self) -> None:
        """Write what waits."""
        self._flush()
        self._connection.commit()

    def _changed(
        self, table: str, row: Row, game_id: int, people: dict[int, int], turns: dict[int, int], later: timedelta
    ) -> Row:  # fmt: skip
        new = _moved({**row, "game_id": game_id}, table, later)
        if table == "turn":
            new["id"] = turns[row["id"]]
        elif "id" in row:
            new["id"] = self._next(table)
        if "player_id" in row:
            new["player_id"] = people[row["player_id"]]
        if row.get("turn_id") is not None:
            new["turn_id"] = turns[row["turn_id"]]
        return {**new, "mail_id": None} if "mail_id" in new else new

    # -- tables that an export would derive ------------------------------------------------------------------------

    def _derive(
        self, pattern: Pattern, game_id: int, people: dict[int, int], turns: dict[int, int], later: timedelta
    ) -> None:  # fmt: skip
        last = max(pattern.rows["turn"], key=lambda turn: turn["id"])
        self._scores(pattern, game_id, people)
        words = [self._word(game_id, len(pattern.rows["archived_score"]) or 1) for _ in range(WORDS_A_GAME)]
        known = [json.loads(row["facts"]) for row in pattern.rows["archived_game"]]
        facts = {"status": "finished", **(known[0] if known else {}), **word_facts([one for one in words if one], 6)}
        self._add(
            "archived_game",
            {"game_id": game_id, "turn_id": turns[last["id"]], "form": "", "ended_at": _later(last["at"], later),
             "facts": json.dumps(facts)},
        )  # fmt: skip

    def _scores(self, pattern: Pattern, game_id: int, people: dict[int, int]) -> None:
        rows = [
            {**row, "id": self._next("archived_score"), "game_id": game_id, "player_id": people[row["player_id"]],
             "points": row["points"] + self._chance.randint(-12, 12), "missed": int(self._chance.random() < 0.1)}
            for row in pattern.rows["archived_score"]
        ]  # fmt: skip
        for row in rows:
            rank = 1 + sum(other["points"] > row["points"] for other in rows)
            self._add("archived_score", {**row, "rank": rank})

    def _word(self, game_id: int, seats: int) -> WordRecord | None:
        """Make up a word; None for a struck one."""
        seat = self._chance.randint(1, seats)
        word = self._words[int(VOCABULARY * self._chance.random() ** 2.5)]
        refused = self._chance.random() < 0.04
        self._add(
            "archived_word",
            {"id": self._next("archived_word"), "game_id": game_id, "seat": seat,
             "word": word, "key": word, "points": len(word), "status": "refused" if refused else "accepted",
             "why": REFUSED if refused else "null", "place": "null"},
        )  # fmt: skip
        return None if refused else WordRecord(seat=seat, word=word, points=len(word))

    # -- rows ------------------------------------------------------------------------------------------------------

    def _cast(self, pattern: Pattern) -> dict[int, int]:
        # A few play much more than the others, as everywhere.
        wanted, cast = pattern.players(), []
        while len(cast) < len(wanted):
            one = self._players[int(len(self._players) * self._chance.random() ** 1.7)]
            if one not in cast:
                cast.append(one)
        return dict(zip(wanted, cast, strict=True))

    def _player(self, number: int) -> int:
        first, last = FIRST[number % len(FIRST)], LAST[number * 7 // len(FIRST) % len(LAST)]
        name = f"{first} {last}" if number < 80 else f"{first} {last} {number}"
        player_id = self._next("player")
        self._add(
            "player",
            {"id": player_id, "name": name, "name_key": f"{name.casefold()} {number}", "language": "", "digest": "off",
             "name_form": "", "created_at": "2026-01-01 00:00:00.000000"},
        )  # fmt: skip
        address = f"spieler{number}@spieler.example"
        self._add("address", {"id": self._next("address"), "player_id": player_id, "address": address})
        return player_id

    def _name(self, number: int) -> str:
        town, again = TOWNS[number % len(TOWNS)], number // len(TOWNS)
        name = f"{town}-{again + 1}" if again else town
        if name.casefold() in self._names:
            name = f"Neu-{name}"
        self._names.add(name.casefold())
        return name

    def _next(self, table: str) -> int:
        self._ids[table] += 1
        return int(self._ids[table])

    def _add(self, table: str, row: Row) -> None:
        self._waiting.setdefault(table, []).append(row)

    def _flush(self) -> None:
        for table in ("player", "address", "game", *COPIED, *DERIVED):
            rows = self._waiting.pop(table, [])
            if rows:
                names = list(rows[0])
                marks = ", ".join("?" * len(names))
                statement = f"INSERT INTO {table} ({', '.join(names)}) VALUES ({marks})"
                self._connection.executemany(statement, [tuple(row[name] for name in names) for row in rows])


def vocabulary(seed: int) -> list[str]:
    """Make up words, each once."""
    chance = random.Random(seed)
    found: dict[str, None] = {}
    while len(found) < VOCABULARY:
        found["".join(chance.choices(SYLLABLES, k=chance.choice((1, 2, 2, 3, 3, 4))))[:8]] = None
    words = list(found)
    chance.shuffle(words)
    return words


def _moved(row: Row, table: str, later: timedelta) -> Row:
    times = {name: _later(row[name], later) for name in STAMPED.get(table, ()) if row[name]}
    return {**row, **times}


def _later(instant: str, later: timedelta) -> str:
    return (datetime.fromisoformat(instant) + later).isoformat(sep=" ", timespec="microseconds")
