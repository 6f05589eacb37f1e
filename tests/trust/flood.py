"""A zine with a game of every kind that receives mutated mails, and the result of each mail."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import ModuleType
from typing import Any

import databases
import seating
from cpu_cost import seconds_of_a_unit
from sqlmodel import col, select
from waiting import TIMEOUT

from games import engines
from games.api import MoveBlock
from games.dice import Dice
from gm.app.context import App, owner_of
from gm.demo.in_memory_zine import PLAYERS, Story, address_of
from gm.game import word_judge
from gm.game.position import position
from gm.game.replay import verify
from gm.requests.declared import all_names, command_table
from gm.requests.desk import actions
from gm.runtime.config.settings import ImapSettings, Secret
from gm.service.inbound import handle
from gm.store.queries import game_queries
from gm.store.queries.question_queries import HELD_MOVE
from gm.store.tables import Game, MailIn, MailOut, Question
from gm.transport.doubles.embedded_server import MailServer
from gm.transport.imap.inbox import Inbox

GM = "cici@postspiel.example"
GAME = "Eriwan"
WORDS = ("RAR", "ROT", "TOR", "TAG", "MOND", "HAUS", "SEE", "TEE", "EIS", "REISE", "TANTE", "ERNTE")
LIMITS = {"security": {"answers_per_hour": 10_000}, "nmr": {"standby_after": 0}}
SECRET = "Quittenbrot"
"""Stands in every letter; no log may hold it."""
MOST_CLOSINGS = 300


def game_name(kind: str) -> str:
    """Return how the game of this kind is called."""
    return GAME if kind == "crossword" else f"Spiel-{kind}"


class Zine(Story):
    """A story into which mails are poured."""

    def deliver_all(self, mails: Iterable[bytes]) -> list[bool]:
        """Let mails arrive at one instant, and the service handle them; its clock goes on by two minutes.

        Says which ones the server took.
        """
        taken = [self.deliver(raw) for raw in mails]
        self.passes(minutes=2)
        report = self.tick()
        assert not report.troubles, report.troubles
        assert not self.left()
        return taken

    def deliver(self, raw: bytes) -> bool:
        """Put a mail into the inbox."""
        self.server.deliver(raw, self.now)
        return True

    def left(self) -> Sequence[Any]:
        """List what still lies in the inbox; the other folders are emptied, as they take memory."""
        left = list(self.server.folders["INBOX"])
        self.server.folders = {"INBOX": {}}
        return left

    def received(self) -> Sequence[Any]:
        """List all received mails: id, status, reason."""
        with self.app.database.read() as session:
            return session.exec(select(MailIn.id, MailIn.status, MailIn.reason).order_by(col(MailIn.id))).all()

    def answers(self) -> Counter[str]:
        """Count the answers by the mail that caused them."""
        with self.app.database.read() as session:
            causes = session.exec(select(MailOut.cause).where(col(MailOut.kind).in_(("answer", "help"))))
            return Counter(cause for cause in causes if cause.startswith("mail:"))

    def games(self, *status: str) -> list[str]:
        """List the games by name, those of a status or all."""
        with self.app.database.read() as session:
            found = session.exec(select(Game)).all()
        return [game.name for game in found if not status or game.status in status]

    def play_on(self) -> None:
        """Close round after round until no game runs any more. Raises AssertionError should one never end."""
        for _ in range(MOST_CLOSINGS):
            if not (running := self.games("running")):
                return
            self._rule()
            for name in running:
                actions.close(self.app, name, self.now)
            self.passes(minutes=5)
            self.tick()
        raise AssertionError(f"{running} are not over after {MOST_CLOSINGS} closings")

    def _rule(self) -> None:
        """Let the GM refuse the words for which moves are held."""
        with self.app.database.read() as session:
            asked = session.exec(
                select(Game.name, Question.payload).join(Question, col(Question.game_id) == Game.id)
                .where(Question.kind == HELD_MOVE, col(Question.answered_at).is_(None))
            ).all()  # fmt: skip
        for name, payload in asked:
            actions.rule(self.app, name, payload["words"], False, "", False)

    def faults(self) -> list[str]:
        """List what `gm verify` finds."""
        with self.app.database.read() as session:
            games = session.exec(select(Game).where(col(Game.turn).is_not(None))).all()
            return [fault for game in games for fault in verify(self.app, session, game)]


class ZineOverImap(Zine):
    """The same, whose mails come by the wire from a server with this account."""

    def reach(self, server: MailServer, account: str) -> None:
        """Look into that mailbox from now on."""
        self.imap, self.account = server, account
        login = ImapSettings(host="127.0.0.1", port=server.imap_port, security="none", username=account,
                             password=Secret("secret"), idle=False)  # fmt: skip
        settings = self.app.settings.model_copy(update={"imap": login})
        inbox = Inbox(login, owner=lambda: owner_of(settings, self.app.database))
        self.app = replace(self.app, settings=settings, inbox=inbox)

    def deliver(self, raw: bytes) -> bool:
        """Put a mail into the inbox, unless it is too much for the server, which reads its header: that isn't ours."""
        try:
            self.imap.append(self.account, raw, at=self.now)
        except Exception:  # noqa: BLE001  whatever it stumbles over
            return False
        return True

    def left(self) -> Sequence[Any]:
        """List what still lies in the inbox."""
        return self.imap.mails(self.account)


@dataclass(frozen=True, kw_only=True)
class PreparedZine:
    """A zine to be copied, and what its players write."""

    folder: Path
    now: str
    letters: Sequence[Any]
    mails: Sequence[bytes]

    def zine(self, folder: Path, kind: type[Zine] = Zine) -> Zine:
        """Open a copy of it."""
        folder.mkdir(exist_ok=True)
        databases.CHOSEN.copy(self.folder, folder)
        return kind(folder, words=WORDS, more=LIMITS, now=self.now)


def prepare(folder: Path, mutations: ModuleType, move_styles: ModuleType) -> PreparedZine:
    """Begin one game of each kind, all from fixed seeds; everybody has the bulletins."""
    story = Zine(folder, words=WORDS, more=LIMITS)
    for kind, engine in engines().items():
        name = game_name(kind)
        actions.new_game(story.app, kind, name)
        with story.app.database.write() as session:
            game_queries.named(session, name).seed = f"flood {kind}"
        is_wish_wanted = engine.enrol(MoveBlock(lines=()), engine.rules.options).wanted
        for player, wish in zip(PLAYERS[: engine.rules.seats[1]], "DNTIRO", strict=False):
            seating.join(story.app, name, player, address_of(player), wish if is_wish_wanted else None)
        actions.start(story.app, name)
    actions.new_game(story.app, "crossword", "Offen")
    story.tick()
    story.passes(minutes=1)
    letters = [mutations.Letter(name=name, sender=sender, subject=subject, text=text)
               for name, sender, subject, text in _written(_moves(story))]  # fmt: skip
    story.close()
    mails = [style.mail(_case(move_styles)) for style in move_styles.STYLES.values()]
    return PreparedZine(folder=story.config.parent, now=story.now.isoformat(), letters=letters, mails=mails)


def _case(move_styles: ModuleType) -> Any:
    """A move in round 1 of Eriwan, and mails of ours that may be quoted."""
    rows = ("......", "ROT.IN", "......", "......", "D.....", "......")
    move = move_styles.Move(title="Crossword", game=GAME, wish="E", rows=rows)
    text = f"Hallo Anna,\n\ndas ist die Stellung:\n\n{move.template}\n\nBis zum ZAT ist Zeit.\n\nGruß, {SECRET}\n"
    page = f"<html><body><p>Hallo Anna, {SECRET}</p><pre>{move.template}</pre></body></html>"
    ours = move_styles.Ours(subject=f"[{GAME}] Runde 1", message_id="<1.start@postspiel.example>", text=text, html=page)
    return move_styles.Case(move=move, round=1, bulletin=ours, confirmation=ours, rejection=ours, status=ours)


def _moves(story: Story) -> Iterable[tuple[str, str]]:
    """For two seats of each game the move that the game suggests, with the head of its copy block."""
    for kind, engine in engines().items():
        with story.app.database.read() as session:
            game = game_queries.named(session, game_name(kind))
            at, judge = position(story.app, game), word_judge.judge(story.app, game)
        for seat in sorted(engine.due(at.state))[:2]:
            lines = engine.suggest(at.state, seat, Dice("flood", int(seat)), judge)
            head = [line for line in engine.view(at.state, seat).block[:1] if line.startswith("Stand:")]
            yield PLAYERS[seat - 1], "\n".join((f"{engine.rules.title} {game.name}", *head, *lines))


SAID = (
    "Presse Eriwan: Wer die Würfel rührt, wird nass.\nSchöne Grüße!\nEnde\n\nStand\n",
    "Presse anonym Eriwan\n\nEs war einmal ...\n\nund so fort.\nEnde\n",
    "GM: Kann ich einen Tag länger haben?\nBei uns ist Besuch.\n",
    "Anmeldung Crossword Offen\nNeu: E\nName: Gerda Hahn\n",
    "Standby\n\nSpiele\n\nHilfe Crossword\n",
    "Ja\n",
    "Hallo zusammen,\n\nheute nur ein Gruß, der Zug kommt morgen.\n\nLiebe Grüße\nÄnne\n",
    "Einspruch Eriwan ROT: Das steht so in keinem Wörterbuch.\n",
    "Urlaub 24.12.2026-06.01.2027\nVerlängerung Eriwan 3 Tage\n",
    "Adresse: neu@spieler.example\nSprache en\nDigest monatlich\n",
    "Anmeldnug Crosword Offen\nSprache fr\n",
    "Name: Bernd Cordes\nStand Eriwan\nProtokoll Eriwan 1\n",
)


def _written(moves: Iterable[tuple[str, str]]) -> Iterable[tuple[str, str, str, str]]:
    """Write letters: moves of each game, all commands in both languages, free text, strangers' mails."""
    for name, text in moves:
        for _ in range(3):  # what gets deepest
            yield name, address_of(name), "Re: Zug", f"Hallo Cici,\n\n{text}\n\nViele Grüße, {SECRET}\n{name}\n"
    for number, row in enumerate(command_table().rows):
        name = PLAYERS[number % len(PLAYERS)]
        yield name, address_of(name), "Zug", f"{row.example(all_names())}\n\n{SECRET}\n"
        yield name, address_of(name), row.example(all_names()), f"{row.shown} {GAME}\n"
    for number, text in enumerate(SAID):
        name = PLAYERS[number % len(PLAYERS)]
        yield name, address_of(name), "Zug für Köln – schöne Grüße", text
        yield "Gerda Hahn", "gerda@fremd.example", "Anmeldung", text
    yield "Cici Beilken", GM, "Re: Mail liegt in Quarantäne", f"gm status {GAME}\n"


@dataclass
class CostOfMails:
    """Notes the CPU time that handling each mail takes, by its id, in units of `cpu_cost`."""

    cpu: defaultdict[int, float] = field(default_factory=lambda: defaultdict(float))
    unit: float = field(default_factory=seconds_of_a_unit)

    def watch(self, patch: Any) -> None:
        """Take the time of each mail; none is interrupted, to know all of what it costs."""
        handle_one = handle.handle

        def timed(app: App, mail_id: int) -> bool:
            began = time.thread_time()
            try:
                return handle_one(app, mail_id)
            finally:
                self.cpu[mail_id] += (time.thread_time() - began) / self.unit

        patch.setattr(handle, "SECONDS", TIMEOUT)
        patch.setattr(handle, "handle", timed)
