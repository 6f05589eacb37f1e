"""Commands that can't be undone ask for confirmation on a terminal; `--yes` answers."""

import itertools
import json
from datetime import timedelta
from typing import Any

import pytest
import seating

from gm.demo.in_memory_zine import PLAYERS, address_of, write_mail
from gm.messages import questions
from gm.messages.questions import About
from gm.requests.desk import actions
from gm.requests.desk.erasure import preview
from gm.store.queries import game_queries, player_queries, seat_queries, turn_queries
from gm.store.tables import MailIn

ANNA, BERND, CARLA, DORA, EMIL, FRIDA = PLAYERS
GRID = "......\n" * 6
UIDS = itertools.count(1)
CLOSE = ("close", "Eriwan", "--no-fetch")


def shown(gm: Any) -> dict[str, Any]:
    """Return what `gm show --json` says."""
    found: dict[str, Any] = json.loads(gm("show", "Eriwan", "--json").out)
    return found


def lies(gm: Any, name: str, status: str, *, hours: float = 0, kind: str = "", known: bool = True) -> int:
    """Let a mail of a player lie there, so long after the round was opened; returns its number."""
    with gm.app() as app, app.database.write() as session:
        game, player = game_queries.named(session, "Eriwan"), player_queries.player_named(session, name)
        assert player
        received = turn_queries.current_turn(game).at + timedelta(hours=hours, milliseconds=1)
        raw = write_mail(address_of(name), f"Crossword Eriwan\nNeu: E\n{GRID}")
        row = MailIn(
            folder="INBOX", uidvalidity=1, uid=next(UIDS), raw=raw, size=len(raw), content="",
            sender=address_of(name) if known else "", received_at=received, status=status,
        )  # fmt: skip
        session.add(row)
        session.flush()
        if kind in ("who", "stranger"):
            seat = next(seat for seat in seat_queries.seats(game) if seat.player_id == player.id)
            payload = {"seats": [seat.number], "received": received.isoformat(), "lines": [], "text": "Eriwan"}
            questions.add(app, session, kind, payload, About(mail=row, game=game), address=address_of(name))
        elif kind:
            questions.add(app, session, kind, {"text": "Hier mein Zug"}, About(mail=row, player=player))
        return row.id


def moves(gm: Any, *names: str) -> None:
    """Let the GM enter moves for these players."""
    for name in names:
        gm("move", "Eriwan", name, stdin=f"Neu: E\n{GRID}".encode())


def on_terminal(terminal: Any, gm: Any, *arguments: str) -> Any:
    """Run `gm` on a terminal, on this zine."""
    return terminal(*arguments, "--config", str(gm.config))


def ends(ran: Any, question: str, answer: str) -> int:
    """Wait for the question, answer it, and return the exit code."""
    ran.sees(question, 60)
    ran.types(answer)
    return int(ran.ends())


# -- close -------------------------------------------------------------------------------------------------------------


@pytest.mark.trust
def test_close_shows_whose_move_is_missing(running: Any, terminal: Any) -> None:
    """The question names missing players and their waiting mails; a no changes nothing, a yes closes."""
    moves(running, CARLA, DORA, EMIL, FRIDA)
    quarantined, waiting = lies(running, ANNA, "quarantined"), lies(running, ANNA, "waiting")
    before = running.dump()
    ran = on_terminal(terminal, running, *CLOSE)
    assert ends(ran, "Close round 1 of Eriwan now? [y/N]: ", "n") == 1
    assert "The ZAT of round 1 of Eriwan is 20" in ran.shown
    assert ", in 1" in ran.shown
    said = " ".join(ran.shown.split())
    assert f"{ANNA}: 2 mails of theirs wait mail {quarantined}, " in said
    assert f"is in quarantine: gm mail show {quarantined} mail {waiting}, " in said
    assert f"waits for its sender's word: gm mail show {waiting}" in said
    assert f"{BERND}: no mail waits" in said
    assert CARLA not in said
    assert ran.shown.endswith("gm: Eriwan stays open.\n")
    assert running.dump() == before
    ran = on_terminal(terminal, running, *CLOSE)
    assert ends(ran, "[y/N]: ", "y") == 0
    assert "Eriwan is closed; ZAT of round 2:" in ran.shown
    assert shown(running)["round"] == 2


@pytest.mark.trust
def test_close_asks_nobody_when_all_moves_are_there(running: Any, terminal: Any) -> None:
    """With all moves on file, or with --yes or --dry-run, there is nothing to ask."""
    ran = on_terminal(terminal, running, *CLOSE, "--dry-run")
    assert ran.ends() == 0
    assert "[y/N]" not in ran.shown
    assert shown(running)["round"] == 1
    moves(running, *PLAYERS)
    ran = on_terminal(terminal, running, *CLOSE)
    assert ran.ends() == 0
    assert "[y/N]" not in ran.shown
    ran = on_terminal(terminal, running, *CLOSE, "--yes")
    assert ran.ends() == 0
    assert shown(running)["round"] == 3


@pytest.mark.trust
def test_the_end_of_the_input_is_a_no(running: Any, terminal: Any) -> None:
    """Ctrl-D at the question leaves the round open."""
    ran = on_terminal(terminal, running, *CLOSE)
    assert ends(ran, "[y/N]: ", "\x04") == 1
    assert "gm: Eriwan stays open." in ran.shown
    assert shown(running)["round"] == 1


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize(
    ("status", "kind", "known", "why"),
    [
        ("quarantined", "quarantine", True, "is in quarantine"),
        ("waiting", "", True, "waits for its sender's word"),
        ("new", "", False, "is not handled yet"),
        ("applied", "who", True, "holds a move, and we asked whose"),
        ("ignored", "stranger", True, "holds a move, and we asked whose"),
        ("applied", "text", True, "waits for you in gm todo (text)"),
    ],
)
def test_without_a_terminal_close_warns(running: Any, status: str, kind: str, known: bool, why: str) -> None:
    """In a pipe the round is closed, with a line on stderr for each seat whose mails lie there."""
    mail = lies(running, ANNA, status, kind=kind, known=known)
    ran = running.run(*CLOSE, "--config", str(running.config))
    assert ran.code == 0
    assert ran.err == (
        f"gm: warning: the move of {ANNA} is missing in round 1 of Eriwan, and mail {mail} {why}: gm mail show {mail}\n"
    )
    assert "Eriwan is closed" in ran.out


def test_mails_of_another_round_are_no_reason(running: Any) -> None:
    """What came before the round was opened, and what somebody sent who has moved, isn't told."""
    lies(running, ANNA, "quarantined", hours=-1)
    lies(running, BERND, "quarantined")
    moves(running, BERND)
    assert running.run(*CLOSE, "--config", str(running.config)).err == ""


@pytest.mark.trust
def test_close_of_what_cannot_be_closed(running: Any, terminal: Any) -> None:
    """Where the round can't be closed the sentence comes before any question."""
    running("abort", "Eriwan", "--why", "x", "--yes")
    ran = on_terminal(terminal, running, *CLOSE)
    assert ran.ends() == 1
    assert ran.shown == "gm: Eriwan is aborted; this needs a running game.\n"


@pytest.mark.trust
def test_closed_while_the_question_stood_there(running: Any, terminal: Any) -> None:
    """If the service closes the round meanwhile, a yes doesn't close the next one as well."""
    ran = on_terminal(terminal, running, *CLOSE)
    ran.sees("[y/N]: ", 60)
    running(*CLOSE)
    ran.types("y")
    assert ran.ends() == 1
    assert "has just been closed; round 2 stays open" in ran.shown
    assert shown(running)["round"] == 2


# -- abort, forget -----------------------------------------------------------------------------------------------------


def test_abort(running: Any, terminal: Any) -> None:
    """The game, its round, its seats and who would be told are shown; a no leaves it as it is, a yes ends it."""
    before = running.dump()
    ran = on_terminal(terminal, running, "abort", "Eriwan", "--why", "no time")
    assert ends(ran, "Break Eriwan off? [y/N]: ", "") == 1
    for said in ("Eriwan (Crossword) is running, round 1.", "without a result", ", ".join(PLAYERS), "Eriwan goes on."):
        assert said in ran.shown
    assert running.dump() == before
    ran = on_terminal(terminal, running, "abort", "Eriwan", "--why", "no time")
    assert ends(ran, "[y/N]: ", "y") == 0
    assert shown(running)["status"] == "aborted"
    ran = on_terminal(terminal, running, "abort", "Eriwan", "--why", "no time")
    assert ran.ends() == 1
    assert "nothing to abort" in ran.shown


@pytest.mark.trust
def test_abort_with_yes(running: Any, terminal: Any) -> None:
    """`--yes` answers."""
    ran = on_terminal(terminal, running, "abort", "Eriwan", "--why", "no time", "--yes")
    assert ran.ends() == 0
    assert "[y/N]" not in ran.shown


def _over(gm: Any) -> None:
    """Let nobody play any more, and no mail wait."""
    gm("abort", "Eriwan", "--why", "no time", "--yes")
    with gm.app() as app, app.database.write() as session:
        for row in session.connection().exec_driver_sql("SELECT id FROM mail_out").fetchall():
            session.connection().exec_driver_sql(f"UPDATE mail_out SET status = 'sent' WHERE id = {row[0]}")


@pytest.mark.trust
def test_forget(running: Any, terminal: Any) -> None:
    """Games, addresses and mails that would go are shown, and that it is for ever; a no changes nothing."""
    _over(running)
    before = running.dump()
    ran = on_terminal(terminal, running, "player", "forget", FRIDA)
    assert ends(ran, f"Forget {FRIDA}? [y/N]: ", "n") == 1
    said = " ".join(ran.shown.split())
    for what in ("This can't be undone", "from then on: Eriwan.", f"that go: {address_of(FRIDA)}.", "mails sent 2"):
        assert what in said
    assert f"gm: {FRIDA} is not forgotten." in ran.shown
    assert running.dump() == before
    ran = on_terminal(terminal, running, "player", "forget", FRIDA)
    assert ends(ran, "[y/N]: ", "y") == 0
    assert f"{FRIDA} is forgotten" in ran.shown


def test_forget_says_what_it_does(running: Any) -> None:
    """What is shown before is what is removed after, number for number."""
    _over(running)
    with running.app() as app:
        would = preview(app, FRIDA)
    removed = ", ".join(f"{what} {number}" for what, number in would.counts.items() if number)
    assert f"Removed: {removed}." in running("player", "forget", FRIDA, "--yes").out


@pytest.mark.trust
def test_forget_who_plays(running: Any, terminal: Any) -> None:
    """What can't be done is refused before any question."""
    ran = on_terminal(terminal, running, "player", "forget", FRIDA)
    assert ran.ends() == 1
    assert f"{FRIDA} plays in Eriwan" in ran.shown
    assert "[y/N]" not in ran.shown


def test_without_a_terminal_it_needs_yes(running: Any) -> None:
    """What can't be taken back isn't done where nobody can be asked: one sentence, exit code 1, nothing changed."""
    running("standbys", "add", "Gerda Hahn", "gerda@spieler.example")
    before = running.dump()
    for words in (
        ("abort", "Eriwan", "--why", "x"), ("player", "forget", "Gerda Hahn"),
        ("player", "merge", "Gerda Hahn", ANNA),
    ):  # fmt: skip
        assert running.refused(*words).endswith("It can't be taken back, so without a terminal say it with --yes.")
    assert running.dump() == before


@pytest.mark.trust
def test_merge(running: Any, terminal: Any) -> None:
    """Who becomes whom, with which games and addresses, is shown; a no changes nothing, a yes makes them one."""
    running("standbys", "add", "Gerda Hahn", "gerda@spieler.example")
    before = running.dump()
    ran = on_terminal(terminal, running, "player", "merge", ANNA, "Gerda Hahn")
    assert ends(ran, f"Merge {ANNA} into Gerda Hahn? [y/N]: ", "n") == 1
    assert "Games that go along: Eriwan." in " ".join(ran.shown.split())
    assert running.dump() == before
    ran = on_terminal(terminal, running, "player", "merge", ANNA, "Gerda Hahn")
    assert ends(ran, "[y/N]: ", "y") == 0
    assert next(seat["player"] for seat in shown(running)["seats"]) == "Gerda Hahn"


def begin_riga(gm: Any) -> None:
    """Start Riga for two, in which Anna has moved."""
    with gm.app() as app:
        actions.new_game(app, "combinato", "Riga")
        for name in (ANNA, BERND):
            seating.join(app, "Riga", name, address_of(name), None)
        actions.start(app, "Riga")
    gm("move", "Riga", ANNA, stdin=b"Geheim: BILD")


def test_without_the_last_but_one(running: Any, terminal: Any) -> None:
    """With two left `--none` ends the game: it says so and who wins, asks, and needs `--yes` without a terminal."""
    begin_riga(running)
    said = running.refused("standby", "Riga", "bernd", "--none")
    assert "Without Bernd Cordes, Riga would be over for good: Anna Berg would have won" in said
    assert "say it with --yes" in said
    assert "running" in running("list").out
    assert ends(on_terminal(terminal, running, "standby", "Riga", "bernd", "--none"), "[y/N]: ", "n") == 1
    assert json.loads(running("show", "Riga", "--json").out)["status"] == "running"
    said = running("standby", "Riga", "bernd", "--none", "--yes").out
    assert "Riga is over without Bernd Cordes: Anna Berg has won." in said
