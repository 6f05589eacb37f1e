"""Fixed scripts of passes during which the service is killed, and the facts that must not depend on a crash."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import seating
from sqlmodel import col, select

from gm.app.context import App
from gm.demo.in_memory_zine import PLAYERS, address_of, write_mail
from gm.requests.desk import actions
from gm.store import tables
from gm.store.database import Database
from gm.store.tables import Game, MailIn, MailOut, Question, Turn

ANNA, BERND, CARLA, DORA, EMIL, FRIDA = PLAYERS
GERDA, GUSTAV = "Gerda Hahn", "Gustav Ilm"
CAST = (*PLAYERS, GERDA, GUSTAV)
WORDS = ("RAR", "ROT", "TOR")
YES = "Ja\n"


@dataclass(frozen=True, kw_only=True, eq=False)
class Step:
    """Time passes, mails arrive, the GM may run a command, and the service does a pass.

    `after` counts from the step before, or, with `zat`, from the game's ZAT. A command first checks whether it was
    already carried out, as a GM would after a crash.
    """

    title: str
    after: timedelta = timedelta(hours=1)
    zat: bool = False
    mails: Sequence[tuple[str, str]] = ()
    command: Callable[[App], None] = lambda _: None

    def write(self, number: int, codes: Mapping[str, str]) -> list[bytes]:
        """Write the mails of this step, the same bytes each time; a `Ja` names the code of its question."""
        return [
            write_mail(
                address_of(name), text, name=name, message_id=f"<{number}.{at}@spieler.example>",
                subject=f"Re: [Frage {codes.get(address_of(name), '')}]" if text == YES else "Zug",
            )
            for at, (name, text) in enumerate(self.mails)
        ]  # fmt: skip


def codes(database: Database) -> dict[str, str]:
    """Return the code of the open question at each address."""
    with database.read() as session:
        asked = session.exec(select(Question).where(col(Question.answered_at).is_(None), Question.address != "")).all()
    return {question.address: question.code for question in asked}


def open_eriwan(app: App) -> None:
    """Open the game for sign-up: it begins when all are there."""
    actions.new_game(app, "crossword", "Eriwan", autostart=True)


def _rules(app: App) -> None:
    if _status(app) == "provisional":
        actions.rule(app, "Eriwan", ["DNI"], False, "Abkürzung", False)


def _status(app: App) -> str | None:
    with app.database.read() as session:
        return session.exec(select(Game.status).where(Game.name == "Eriwan")).first()


LETTERS = "DNTIRO"
"""Everybody wishes in each round what they wished at the beginning: so these are the letters of every round."""


def _block(number: int, name: str, *, silent: Sequence[int] = (), words: str = "") -> tuple[str, str]:
    """Write a player's move of a round: ROTDNI in each row, except of the rounds in which nothing came."""
    rows = ["......" if row in silent else "rotdni" for row in range(1, number)]
    rows = [*rows, "ROTDNI", *["......"] * (6 - number)]
    seat = BERND if name == GERDA else name
    wish = [f"Neu: {LETTERS[PLAYERS.index(seat)]}"] if number < 6 else []
    return name, "\n".join(["Crossword Eriwan", *wish, *rows, *([words] if words else []), ""])


def _moves(number: int, *names: str) -> list[tuple[str, str]]:
    """Write the moves of a round; Emil and Frida were silent in round 2, Bernd's seat in round 3."""
    silent = {EMIL: (2,), FRIDA: (2,), BERND: (3,), GERDA: (3,)}
    return [_block(number, name, silent=silent.get(name, ())) for name in names]


_SIX = (ANNA, GERDA, CARLA, DORA, EMIL, FRIDA)
_SETTLED = timedelta(hours=13)
"""All moves are in, and had twelve hours for second thoughts."""

CROSSWORD = (
    Step(title="six sign up", mails=[
        (name, f"Anmeldung Crossword Eriwan\nNeu: {wish}\n") for name, wish in zip(PLAYERS, LETTERS, strict=True)
    ]),
    Step(title="six say yes, and it begins", mails=[(name, YES) for name in PLAYERS]),
    Step(title="round 1: an illegal move, a question, advertising", mails=[
        (ANNA, "Crossword Eriwan\nNeu: D\nQXYQXY\n" + "......\n" * 5), (GERDA, "Standby\n"), (GUSTAV, "Werbung!\n"),
        (EMIL, "Stand Eriwan\n"),
    ]),
    Step(title="round 1: six moves, press, a standby", mails=[
        *_moves(1, *PLAYERS), (GERDA, YES), (CARLA, "Presse Eriwan\n\nWer hat das Q?\n\nEnde\n"),
    ]),
    Step(title="round 1 closes early", after=_SETTLED),
    Step(title="round 2: four move, one changes it", mails=[
        *_moves(2, ANNA, BERND, CARLA, DORA), (ANNA, "Crossword Eriwan\nNeu: D\nrotdni\nINDTOR\n" + "......\n" * 4),
        (ANNA, _block(2, ANNA)[1]),
    ]),
    Step(title="round 2: two are reminded", zat=True, after=timedelta(days=-3, minutes=1)),
    Step(title="round 2 closes at its ZAT", zat=True, after=timedelta(minutes=1)),
    Step(title="round 3: one resigns", mails=[(BERND, "Abmeldung Eriwan\n"), *_moves(3, ANNA, CARLA)]),
    Step(title="round 3: the standby says yes", mails=[(GERDA, YES), *_moves(3, DORA, EMIL, FRIDA)]),
    Step(title="round 3: the day before the ZAT", zat=True, after=timedelta(hours=-11)),
    Step(title="round 3 closes at its ZAT", zat=True, after=timedelta(minutes=1)),
    Step(title="round 4: six moves", mails=_moves(4, *_SIX)),
    Step(title="round 4 closes early", after=_SETTLED),
    Step(title="round 5: six moves", mails=_moves(5, *_SIX)),
    Step(title="round 5 closes early", after=_SETTLED),
    Step(title="round 6: six lists of words", mails=[
        _block(6, ANNA, words="rot+dni / in 6\nSumme 6"), *_moves(6, *_SIX[1:]),
    ]),
    Step(title="round 6 closes at its ZAT, a word is doubtful", zat=True, after=timedelta(minutes=1)),
    Step(title="the GM rules, and it is over", command=_rules),
)  # fmt: skip
"""A whole game: from six sign-ups by mail to the final scores."""


def seat_the_others(app: App) -> None:
    """Seat two at the dice and three at the bricks."""
    for game, kind, seats in (("Elba", "wort-yahtzee", 2), ("Fiume", "typ-dom", 3)):
        actions.new_game(app, kind, game)
        for name in PLAYERS[:seats]:
            seating.join(app, game, name, address_of(name), None)
        actions.start(app, game)


AT_ONCE = (
    Step(title="both begin"),
    Step(title="two send a move for their turn, and one is told that it is on turn", mails=[
        (name, "Vorab Fiume\nZ26 w XQX\n\nkaufen rot\n") for name in PLAYERS[:3]
    ]),
    Step(title="two roll their dice, one buys a tile, and two more moves follow", mails=[
        *((name, "Wort-Yahtzee Elba\nbehalte nichts\n") for name in PLAYERS[:2]),
        *((name, "Typ-Dom Fiume\nStand: 1\nkaufen\n") for name in PLAYERS[:3]),
    ]),
)  # fmt: skip
"""Dice and turns: each effect at once, with chance in it."""


def facts(app: App) -> dict[str, Any]:
    """Return all that must not depend on a crash: everything but instants, and codes and seeds that are drawn."""
    with app.database.read() as session:

        def rows(table: Any, *names: str) -> list[tuple[Any, ...]]:
            columns = [getattr(table, name) for name in names]
            found = session.execute(select(*columns).order_by(col(table.id))).all()
            return [tuple(row) for row in found]

        return {
            "games": rows(Game, "name", "status", "round", "turn", "version", "held", "zat", "seed"),
            "turns": rows(
                Turn, "id", "number", "version", "kind", "round", "input", "state", "events", "verdicts", "words", "zat"
            ),
            "people": rows(tables.Player, "name") + rows(tables.Address, "player_id", "address", "bounce"),
            "seats": rows(tables.Seat, "number", "player_id", "entry", "intent"),
            "standbys": rows(tables.Standby, "player_id", "engine"),
            "duties": rows(tables.Duty, "turn_id", "seat", "player_id", "kept"),
            "sheets": rows(tables.Sheet, "seat", "round", "lines", "move", "complete", "mail_id", "received_at"),
            "ahead": rows(tables.AdvanceMove, "seat", "blocks", "ended", "turn_id", "mail_id"),
            "received": rows(MailIn, "status", "reason", "player_id", "message_id", "received_at"),
            "queued": sorted(rows(MailOut, "cause", "kind", "recipient", "status", "message_id")),
            "asked": [
                (kind, player, mail, {key: said for key, said in payload.items() if key != "until"}, answer)
                for kind, player, mail, payload, answer in rows(
                    Question, "kind", "player_id", "mail_id", "payload", "answer"
                )
            ],
            "ruled": rows(tables.Ruling, "word", "accepted"),
            "press": rows(tables.Press, "player_id", "text", "turn_id"),
        }  # fmt: skip
