"""README's "A season in ten commands": every command is run as written there and prints what README shows."""

import difflib
import os
import re
import smtplib
import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from gm.app.context import App, open_app
from gm.commands.gm_commands import actions
from gm.demo.in_memory_zine import PLAYERS, one_pass, write_mail
from gm.reports.game import show
from gm.runtime.config.settings import load
from gm.store.queries import game_queries
from gm.transport.doubles.embedded_server import MailServer

README = Path(__file__).parents[2] / "README.md"
HEADING = "## A season in ten commands"
ADDRESS, PASSWORD = "gm@example.org", "a-password"
ANNA, BERND, CARLA, DORA, EMIL, FRIDA = PLAYERS
WISHES = "DNTIRO"
ORDER = re.compile(r"^\$ (gm .*)$", re.MULTILINE)


def address_of(name: str) -> str:
    """A player's address: `anna@example.org`."""
    return f"{name.split()[0].lower()}@example.org"


def shown_in_readme() -> str:
    """The section of the README."""
    text = README.read_text(encoding="utf-8")
    start = text.index(HEADING)
    return text[start : text.index("\n## ", start + 1)]


class Season:
    """A zine in a folder of its own, on a mail server of this process; its commands are typed on a terminal."""

    def __init__(self, folder: Path, server: MailServer, terminal: Any) -> None:
        self.folder, self.server, self.terminal = folder, server, terminal
        self.env = {"GM_CONFIG": str(folder / "zine/config.toml")}

    def types(self, order: str) -> str:
        """Type a command and return what it prints, as it would look at home."""
        words = [word.strip('"') for word in re.findall(r'"[^"]*"|\S+', order)][1:]
        gm = self.terminal(*words, env=self.env, cwd=self.folder)
        if words[0] == "init":
            self._answers(gm)
        assert gm.ends() == 0, gm.shown
        return self.at_home(gm.shown)

    def _answers(self, gm: Any) -> None:
        """What the GM types when asked; `example.org` has no mail servers, so that these are asked for as well."""
        gm.answers("Address that players write to", ADDRESS)
        gm.answers("You, the GM", "Cici Beilken <cici@example.org>")
        gm.answers("IMAP server", f"127.0.0.1:{self.server.imap_port}")
        gm.answers("SMTP server", f"127.0.0.1:{self.server.smtp_port}")
        gm.answers("Password", PASSWORD)

    def at_home(self, text: str) -> str:
        """Put names that anybody may have for this machine's, and one day for all instants."""
        text = re.sub(r"\x1b\[[0-9;]*m", "", text).replace("\r\n", "\n")
        text = text.replace(f"127.0.0.1:{self.server.imap_port} (none)", "imap.example.org:993 (tls)")
        text = text.replace(f"127.0.0.1:{self.server.smtp_port} (none)", "smtp.example.org:587 (starttls)")
        text = text.replace(f"127.0.0.1:{self.server.imap_port}", "imap.example.org")
        text = text.replace(f"127.0.0.1:{self.server.smtp_port}", "smtp.example.org")
        text = text.replace(f"{Path(sys.executable).parent}/gm", "/home/cici/.local/bin/gm")
        text = text.replace(str(self.folder), "/home/cici")
        return "\n".join(line.rstrip() for line in text.strip().splitlines())

    def opened(self) -> App:
        """Open the zine, for what happens between two commands."""
        return open_app(load(Path(self.env["GM_CONFIG"])))

    def mails(self, name: str, text: str) -> None:
        """Let a player write, and the service do a pass."""
        with smtplib.SMTP("127.0.0.1", self.server.smtp_port) as smtp:
            raw = write_mail(address_of(name), text, headers={"To": ADDRESS}, name=name)
            smtp.sendmail(address_of(name), ADDRESS, raw)
        app = self.opened()
        one_pass(app)
        app.close()


# -- what happens between the commands ---------------------------------------------------------------------------------


def five_sign_up(season: Season) -> None:
    """Five players sign up."""
    app = season.opened()
    for name, wish in zip(PLAYERS[:5], WISHES, strict=False):
        actions.join(app, "Eriwan", name, address_of(name), wish)
    app.close()


def a_wish_for_time(season: Season) -> None:
    """A player asks for more time."""
    season.mails(CARLA, "Verlängerung Eriwan 3 Tage")


def six_rounds(season: Season) -> None:
    """Six rounds are played; in the last one only Anna moves, and claims a word that no list knows."""
    app = season.opened()
    for number in range(1, 7):
        for name in PLAYERS:
            sits = name if name != DORA else "Gerda Hahn"
            if name == ANNA or number < 6:
                actions.enter_move(app, "Eriwan", sits, "Neu: E\n" if name != ANNA else _row(app, number))
        actions.close(app, "Eriwan", app.now() + timedelta(seconds=1))
    app.close()


def _row(app: App, number: int) -> str:
    """Fill a row with the letters of the round; in the end claim what stands in the first."""
    with app.database.read() as session:
        shown = show(app, session, game_queries.named(session, "Eriwan"))
    rows = list(shown["seats"][0]["grid"])
    rows[number - 1] = shown["letters"]
    claims = ["Z1: nort 5"] if number == 6 else []
    return "\n".join(["Crossword Eriwan", "Neu: E", *rows, *claims])


MEANWHILE = {"gm list": five_sign_up, "gm todo": a_wish_for_time, "gm rule": six_rounds}
"""What happens before a command."""


@pytest.fixture
def season(tmp_path: Path, terminal: Any) -> Iterator[Season]:
    """A mail server and an empty folder."""
    boxes = {ADDRESS: PASSWORD, "cici@example.org": "x", **{address_of(name): "x" for name in (*PLAYERS, "Gerda Hahn")}}
    with MailServer(boxes) as server:
        yield Season(tmp_path, server, terminal)


def undated(text: str) -> str:
    """What changes from day to day, made equal: dates, times of day, checksums of the word list."""
    text = re.sub(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d)?|\d\d-\d\d \d\d:\d\d", "DATE", text)
    text = re.sub(r"\d+ (seconds?|minutes?) ago", "AGO", text)
    text = re.sub(r"checksum \w+", "checksum X", re.sub(r"--done [A-Z2-9]{8}", "--done CODE", text))
    if os.geteuid() != 0:  # who isn't root gets a unit of their own: other lines to install it
        text = re.sub(r"(?s)(?<=with systemd:\n).*?(?=or with cron)", "", text)
    return re.sub(r" {2,}|─+", " ", text)


def test_the_readmes_season(season: Season, request: pytest.FixtureRequest) -> None:
    """Ten commands lead a GM through a season, and each prints what the README shows."""
    section = shown_in_readme()
    orders = ORDER.findall(section)
    assert len(orders) == 10
    printed = []
    for order in orders:
        key = " ".join(order.split()[:2])
        MEANWHILE.get(key, lambda _: None)(season)
        printed.append(f"$ {order}\n{season.types(order)}")
    blocks = re.findall(r"```console\n(.*?)\n```", section, re.DOTALL)
    if request.config.getoption("--update-golden"):
        text = README.read_text(encoding="utf-8")
        for old, new in zip(blocks, printed, strict=True):
            if undated(old) != undated(new):
                text = text.replace(old, new)
        README.write_text(text, encoding="utf-8")
        return
    for old, new in zip(blocks, printed, strict=True):
        same = undated(old) == undated(new)
        diff = "\n".join(difflib.unified_diff(old.splitlines(), new.splitlines(), "README", "now", lineterm=""))
        assert same, f"README shows something else (`pytest {Path(__file__).name} --update-golden`):\n{diff}"
