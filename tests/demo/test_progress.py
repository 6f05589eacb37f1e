"""The players of `gm demo` wait as long as there is any progress, on however slow a machine."""

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace

import pytest

from gm.app.context import open_app
from gm.demo.client import GM_ADDRESS, MailProgram
from gm.demo.in_memory_zine import write_config, write_mail
from gm.demo.progress import PAUSE_SECONDS, Progress
from gm.demo.run import CountingLoop, done_so_far
from gm.runtime.config.settings import load
from gm.runtime.errors import OperatorError
from gm.runtime.stop_signal import Stopped
from gm.transport.doubles.embedded_server import MailServer

ANNA, BERND = "anna@spieler.example", "bernd@spieler.example"
LIMIT = 5 * PAUSE_SECONDS
"""A player who looks five times in vain while nothing moves gives up."""


class Zine(SimpleNamespace):
    """A mail server and a service whose passes the test makes."""

    server: MailServer
    loop: CountingLoop

    def done_so_far(self) -> int:
        """Count as the demo does."""
        return done_so_far(self.server, self.loop)


@pytest.fixture
def zine(tmp_path: Path) -> Iterator[Zine]:
    """A zine with real servers, in which nobody has written yet."""
    with ExitStack() as stack:
        server = stack.enter_context(MailServer(dict.fromkeys((GM_ADDRESS, ANNA, BERND), "secret")))
        login = {"username": GM_ADDRESS, "password": "secret"}
        config = write_config(tmp_path, more={
            "imap": {"port": server.imap_port, **login}, "smtp": {"port": server.smtp_port},
        })  # fmt: skip
        app = open_app(load(config), create=True)
        stack.callback(app.close)
        loop = CountingLoop(app=app, makes_pages=False)
        loop.one_pass()  # the first one marks the mailbox
        yield Zine(server=server, loop=loop)


def anna_waits(zine: Zine, count: Callable[[], int], show: Callable[[str], None] = print, **more: float) -> str:
    """Let Anna wait for an answer; returns its subject. `count` is asked after each of her looks."""
    progress = Progress(count, show, limit=LIMIT, **more)
    with MailProgram("Anna Berg", ANNA, "secret", zine.server.imap_port, zine.server.smtp_port, progress) as program:
        return program.wait_for("the answer", lambda mail: "Antwort" in mail.subject).subject


def test_a_wait_goes_on_while_mails_move(zine: Zine) -> None:
    """However long it takes, a player waits while mails come to others, and gets hers in the end."""
    to = iter([*(5 * [BERND, "", "", GM_ADDRESS, "", ""]), ANNA])

    def one_more_now_and_then() -> int:
        if address := next(to):
            zine.server.append(address, write_mail(GM_ADDRESS, "Hallo.\n", subject="Antwort"))
        return zine.done_so_far()

    assert anna_waits(zine, one_more_now_and_then) == "Antwort"


@pytest.mark.trust
def test_a_wait_goes_on_while_passes_do_something(zine: Zine) -> None:
    """Passes that handle a mail let a player wait anew, each by itself."""
    to = iter([*(3 * 5 * [GM_ADDRESS]), ANNA])

    def one_more_pass() -> int:
        zine.server.append(next(to), write_mail(BERND, "Hallo.\n", subject="Antwort"))
        zine.loop.one_pass()
        return zine.loop.done

    assert anna_waits(zine, one_more_pass) == "Antwort"


def test_a_wait_ends_when_nothing_moves(zine: Zine) -> None:
    """A service that only polls is no progress: one sentence says who has waited for what."""

    passes = iter(range(3 * 5))

    def idle() -> int:
        next(passes)
        zine.loop.one_pass()
        return zine.done_so_far()

    told = re.escape("Anna Berg waited in vain for the answer: for 0.1 s no mail came or went")
    with pytest.raises(OperatorError, match=told):
        anna_waits(zine, idle)


def test_a_long_wait_says_what_it_waits_for(zine: Zine) -> None:
    """Once it takes longer than usual, one line says who waits for what; a short wait says nothing."""
    shown: list[str] = []
    with pytest.raises(OperatorError):
        anna_waits(zine, zine.done_so_far, shown.append, tell_after=0)
    assert shown == ["  Anna Berg waits for the answer ..."]
    zine.server.append(ANNA, write_mail(GM_ADDRESS, "Hallo.\n", subject="Antwort"))
    anna_waits(zine, zine.done_so_far, shown.append, tell_after=0)
    assert len(shown) == 1


def test_nobody_waits_for_a_service_that_has_ended(zine: Zine) -> None:
    """After Ctrl-C, or where the service failed, the demo ends at once."""
    zine.loop.app.stop_signal.set()
    with pytest.raises(Stopped):
        anna_waits(zine, zine.done_so_far)
