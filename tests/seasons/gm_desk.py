"""The GM of a season: every command of the command line, and the commands that mails offer.

Both tables of commands are the program's own: `test_gm_desk.py` says that each is used here or named with a reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, Final
from unittest.mock import patch

import typer.main
from click.testing import CliRunner
from crashing_zine import CrashingZine
from people import Company, entry_of
from sqlmodel import col, select

from games import engines
from gm.cli.commands import cli
from gm.runtime.errors import GmError, StoreError
from gm.store.tables import Game, MailIn, MailOut, Player, Question

NOT_AT_THE_DESK: Final[Mapping[str, str]] = {
    "demo": "tells a story of its own, with servers",
    "init": "asks at a terminal, before there is a zine",
    "login": "needs a provider's page",
    "doctor": "talks to real servers",
    "serve": "the passes of the season are what it does",
    "migrate": "needs a PostgreSQL server",
}
"""The commands that no season uses, with the reasons."""
UNWATCHED: Final = {"close", "undo", "abort", "restore", "player forget"}
"""The GM may close a round over a mail that nobody has read, and take back what was told."""
NEWCOMER: Final = "Ida Jung"
STANDING_STILL: Final = select(Game.name).where(Game.status == "running", Game.held != "").order_by(col(Game.id))
"""The games that go on only when the GM says when, as after `undo`."""
REFUSALS: Final = (0, 1)
"""Exit codes: done, and not possible now. Another one says that the command was typed wrongly."""
COMMAND: Final = typer.main.get_command(cli)
"""The command line as a whole: to make it takes longer than most commands."""


def commands(group: Any = COMMAND, before: Sequence[str] = ()) -> Iterator[str]:
    """List all commands of the command line: `close`, `mail retry`."""
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, (*before, name))
        else:
            yield " ".join((*before, name))


class Desk:
    """Where the GM types commands, and reads the GM's mails."""

    def __init__(self, zine: CrashingZine, company: Company) -> None:
        self.zine, self.company = zine, company
        self.chance, self.told = company.chance, company.told
        self._runner = CliRunner()
        self._opened = 0

    # -- at the computer -----------------------------------------------------------------------------------------------

    def types_something(self) -> None:
        """Type a command; mostly one that something waits for."""
        waits = set(self.company.rows(
            select(Question.kind).where(col(Question.answered_at).is_(None), Question.address == "")
        ))  # fmt: skip
        if self.company.rows(STANDING_STILL):
            waits.add("held")
        wanted = [name for name, kinds in WAITED_FOR.items() if kinds & waits]
        name = self.chance.choice((*wanted * 8, *sorted(TYPED)))
        words = TYPED[name](self)
        if words is None:
            return
        done = self.told[f"gm {name}"]
        if name in UNWATCHED:
            self.types(*name.split(), *words)
        else:
            self.zine.watched(lambda: self.types(*name.split(), *words) and None)
        if self.told[f"gm {name}"] > done:
            self.tell_player(name, words)
            if name == "close" and self.chance.random() < 0.5:  # it was a mistake
                self.zine.passes(seconds=30)
                self.types("undo", words[0])

    def types(self, *words: str) -> bool:
        """Run `gm`, on the files of the zine and with the season's clock; says whether it was done.

        Raises AssertionError for a command that nobody may type so, and whatever is a bug.
        """
        name = next(one for one in (" ".join(words[:2]), words[0]) if one in TYPED or one in NOT_AT_THE_DESK)
        arguments = [*words, "--config", str(self.zine.config)]
        if name == "restore":  # into the old folder, where no process may be at it; what mails will do is open again
            self.zine.end_processes()
            self.company.expected.clear()
            self.zine.met["restore"] += 1
        with (
            patch("gm.app.context.open_app", self._open),
            patch("gm.runtime.clock.utcnow", lambda: self.zine.now),
        ):
            result = self.zine.guarded(lambda: self._runner.invoke(COMMAND, arguments))
        if name == "restore" and result is not None:
            _move_in(Path(words[2]), self.zine.config.parent)
            self.zine.begin_anew()
        if result is None:
            return False
        error = result.exception
        if error and not isinstance(error, (GmError, SystemExit)):
            raise error
        if not isinstance(error, GmError) and result.exit_code not in REFUSALS:
            raise AssertionError(f"gm {' '.join(words)} ended with {result.exit_code}: {result.output}")
        is_done = error is None
        self.told[f"gm {name}" if is_done else f"gm {name} refused"] += 1
        if name == "verify" and not is_done and not isinstance(error, StoreError) and "no turn" not in result.output:
            self.told["gm verify found something"] += 1
        return is_done

    def _open(self, settings: Any, *_: Any, **__: Any) -> Any:
        return self.zine.open(settings)

    def goes_back(self, chance: Random) -> None:
        """Make a copy of the database now and then, and once in a long while go back to it."""
        if chance.random() < 0.05:
            self.types("backup", *TYPED["backup"](self) or ())
        if chance.random() < 0.02 and (words := _restore(self)):
            self.types("restore", *words)

    # -- what there is to name -----------------------------------------------------------------------------------------

    def game(self, *status: str) -> str:
        """Name a game, of this status if there is one."""
        rows = select(Game.name).where(col(Game.status).in_(status)) if status else select(Game.name)
        return str(self.chance.choice(self.company.rows(rows.order_by(col(Game.id))) or ["Nirgendwo"]))

    def standing_still(self) -> str:
        """Name a game whose clock waits for the GM, or else one that runs."""
        return str(self.chance.choice(self.company.rows(STANDING_STILL) or [self.game("running")]))

    def player(self) -> str:
        """Name a player."""
        return str(self.chance.choice(self.company.rows(select(Player.name).order_by(col(Player.id))) or ["Niemand"]))

    def mail(self, *status: str) -> str:
        """Name a mail by its id, one of this status if there is one."""
        found: list[str] = []
        for table, sign in ((MailIn, ""), (MailOut, "o")):
            ids = select(table.id).order_by(col(table.id).desc()).limit(20)
            some = self.company.rows(ids.where(col(table.status).in_(status)) if status else ids)
            found += [f"{sign}{one}" for one in some]
        return self.chance.choice(found or ["1"])

    def file(self, text: str) -> str:
        """Write a text to a file; returns its name."""
        path = self.zine.config.parent / "text.txt"
        path.write_text(text, encoding="utf-8")
        return str(path)

    def ruling(self) -> Sequence[str] | None:
        """Rule on the words of the oldest question about words."""
        rows = select(Question).where(col(Question.kind).in_(("words", "word")), col(Question.answered_at).is_(None))
        for question in self.company.rows(rows.order_by(col(Question.id)).limit(1)):
            words = question.payload.get("words") or question.payload["text"].split()
            (name,) = self.company.rows(select(Game.name).where(Game.id == question.game_id))
            return [name, self.chance.choice(("accept", "reject")), *words]
        return [self.game(), "accept", "ROT"]

    def move(self) -> Sequence[str] | None:
        """Enter a move that came by telephone."""
        person = self.chance.choice(self.company.people)
        found = self.company.suggestion(person)
        return [found.game.name, person.name, self.file(found.text)] if found else None

    def new(self) -> Sequence[str]:
        """Open another game."""
        self._opened += 1
        kind = self.chance.choice(sorted(engines()))
        return [kind, f"Neu-{self._opened}", *self.chance.choice(((), ("--zat", "4d"), ("--autostart",)))]

    def join(self) -> Sequence[str]:
        """Seat somebody by hand."""
        person = self.chance.choice(self.company.people)
        name = self.game("open")
        (key,) = self.company.rows(select(Game.engine).where(Game.name == name)) or ["crossword"]
        wish = entry_of(key)
        return [name, person.name, person.address, *(("--wish", wish) if wish else ())]

    def rename(self) -> Sequence[str]:
        """Give a player another name."""
        name = self.chance.choice(self.company.people).name
        return [name, f"{name.split()[0]} {self.chance.choice(('Lang', 'Kurz', 'Moor'))}"]

    def address(self) -> Sequence[str]:
        """Give a player another address, or the same once more."""
        person = self.chance.choice(self.company.people)
        return [person.name, f"neu.{person.address}" if self.chance.random() < 0.5 else person.address]

    def tell_player(self, name: str, words: Sequence[str]) -> None:
        """Let a player know of another name, or write from another address from now on."""
        for person in self.company.people if name in ("player rename", "player address") else ():
            if person.name == words[0]:
                setattr(person, "name" if name == "player rename" else "address", words[1])
                return

    # -- by mail -------------------------------------------------------------------------------------------------------

    def answers_a_mail(self) -> None:
        """Send back a command that a mail to the GM has offered, or a line that none has."""
        rows = select(Question).where(col(Question.answered_at).is_(None), Question.address == "")
        offering = [one for one in self.company.rows(rows.order_by(col(Question.id))) if one.payload.get("offers")]
        if offering and self.chance.random() < 0.8:
            question = self.chance.choice(offering)
            offer = self.chance.choice(question.payload["offers"])
            line = self.chance.choice((*[" ".join(map(_in_quotes, ["gm", *offer]))] * 4, "Ja", "Nein"))
            self.told[f"mail: gm {offer[0]}" if line.startswith("gm") else "mail: gm says yes or no"] += 1
            self.writes(line, subject=f"Re: [Frage {question.code}]")
        else:
            verb = self.chance.choice(sorted({name.split()[0] for name in commands()}))
            self.told[f"mail: gm {verb}"] += 1
            self.writes(f"gm {verb} {self.game()}")

    def writes(self, line: str, subject: str = "Zug") -> None:
        """Let the GM write a mail to the game address."""
        gm = self.zine.app.settings.service.gm
        self.company.arrives(self.company.write(gm.address, f"{line}\n", name=gm.name, subject=subject))


def _in_quotes(word: str) -> str:
    return f'"{word}"' if " " in word else word


ZATS: Final = ((), ("+2d",), ("+12h", "--why", "Feiertag"))
"""How a ZAT is shown or moved."""
WAITED_FOR: Final[Mapping[str, set[str]]] = {
    "release": {"release"}, "rule": {"words", "word"}, "mail retry": {"quarantine", "undelivered"},
    "todo": {"appeal", "text", "late", "in_time"}, "zat": {"held"},
}  # fmt: skip
"""The commands that something on the GM's list waits for."""


def _todo(desk: Desk) -> Sequence[str]:
    rows = select(Question.code).where(col(Question.answered_at).is_(None), Question.address == "")
    codes = desk.company.rows(rows.order_by(col(Question.id)))
    return ["--done", desk.chance.choice(codes)] if codes and desk.chance.random() < 0.7 else []


def _move_in(restored: Path, folder: Path) -> None:
    """Move what was restored to where the zine was."""
    for path in folder.glob("gm.db*"):
        path.unlink()
    (restored / "gm.db").rename(folder / "gm.db")


def _copy(desk: Desk) -> Path:
    desk.zine.copies.mkdir(exist_ok=True)
    return desk.zine.copies / "zine.tar.gz"


def _restore(desk: Desk) -> Sequence[str] | None:
    """Name the old copy, if there is one to go back to, and a new folder."""
    if "restore" not in desk.zine.faults or not _copy(desk).exists():
        return None
    return [str(_copy(desk)), str(desk.zine.copies / f"restored{desk.zine.met['restore']}")]


def _backup(desk: Desk) -> Sequence[str]:
    """Name a new copy, in place of the one before."""
    _copy(desk).unlink(missing_ok=True)
    return [str(_copy(desk))]


TYPED: Final[Mapping[str, Callable[[Desk], Sequence[str] | None]]] = {
    "status": lambda _: [],
    "todo": _todo,
    "new": Desk.new,
    "join": Desk.join,
    "start": lambda desk: [desk.game("open")],
    "list": lambda _: [],
    "show": lambda desk: [desk.game(), *desk.chance.choice(((), ("--seat", desk.player())))],
    "move": Desk.move,
    "rule": Desk.ruling,
    "rulings": lambda desk: [desk.game()],
    "abort": lambda desk: [desk.game("open"), "--yes", "--why", "niemand kam"],
    "verify": lambda desk: [desk.game("running", "finished")],
    "upgrade": lambda desk: [desk.chance.choice((desk.game("running"), "--all"))],
    "close": lambda desk: [desk.game("running"), *desk.chance.choice((("--yes",), ("--dry-run", "--mails")))],
    "zat": lambda desk: [*desk.chance.choice(
        (("--all", "issue"), ("--all", "+12h"), *((desk.standing_still(), *more) for more in ZATS))
    )],
    "release": lambda desk: [desk.game("running"), "--foreword", desk.file("Viel Vergnügen!\n")],
    "pause": lambda desk: [desk.chance.choice((desk.game("running"), "--all")), "2d"],
    "resume": lambda desk: [desk.chance.choice((desk.game("running"), "--all"))],
    "undo": lambda desk: [desk.game("running")],
    "archive": lambda desk: [str(desk.zine.app.settings.archive.path), *desk.chance.choice(((), ("--full",)))],
    "digest": lambda desk: desk.chance.choice(((), ("--send",))),
    "backup": _backup,
    "restore": _restore,
    "players": lambda _: [],
    "standby": lambda desk: [
        desk.game("running"), desk.player(), *desk.chance.choice(((), ("--none",), (NEWCOMER, "ida@spieler.example")))
    ],
    "write": lambda desk: [
        desk.chance.choice(("all", desk.game(), desk.player())), desk.file("Liebe Leute,\n\nfrohes Fest!\n")
    ],
    "standbys add": lambda _: [NEWCOMER, "ida@spieler.example"],
    "standbys list": lambda _: [],
    "standbys remove": lambda _: [NEWCOMER],
    "mail list": lambda _: ["--limit", "20"],
    "mail show": lambda desk: [desk.mail()],
    "mail retry": lambda desk: [desk.mail("quarantined", "waiting", "refused", "bounced")],
    "mail drop": lambda desk: [desk.mail("quarantined", "bounced")],
    "mail prune": lambda _: ["--older", "120d"],
    "words check": lambda _: ["ROT", "QXQ"],
    "words suggest": lambda _: ["ROTEN"],
    "issue build": lambda desk: [] if desk.chance.random() < 0.2 else None,  # to set pages takes seconds
    "issue send": lambda _: [],
    "player show": lambda desk: [desk.player()],
    "player rename": Desk.rename,
    "player address": Desk.address,
    "player export": lambda desk: [desk.player()],
    "player vacation": lambda desk: [desk.player(), desk.chance.choice(["off", "24.12.-6.1."])],
    "player merge": lambda desk: [desk.player(), desk.player()],  # without --yes: nothing changes
    "player forget": lambda desk: [desk.player(), "--yes"] if desk.chance.random() < 0.2 else None,
}  # fmt: skip
"""Each command of the command line -> what is typed behind it; None where there is nothing to type it for."""
