"""`gm backup` and `gm restore`: a whole zine in another place, or nothing of it; a drill that disturbs nobody."""

from __future__ import annotations

import io
import shutil
import signal
import sqlite3
import stat
import subprocess
import tarfile
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from resource import RLIMIT_FSIZE, getrlimit, setrlimit
from typing import Any

import pytest
from crashes import killed_at
from postgres import Cluster
from processes import answers, begin_eriwan, command, serving
from sqlmodel import select
from typer.testing import CliRunner
from waiting import until

from gm.app.context import open_app
from gm.archive.export import export
from gm.cli.commands import cli
from gm.demo.in_memory_zine import GM_ADDRESS, PLAYERS, Story, address_of, write_config, write_mail
from gm.game.replay import verify
from gm.runtime.config.settings import load
from gm.runtime.errors import ConfigError, GmError, Refused, StoreError
from gm.service.maintenance.backup import restore, write_backup
from gm.store.queries import zine_queries
from gm.store.tables import Game
from gm.transport.doubles.embedded_server import MailServer

pytestmark = pytest.mark.sqlite

NOW = datetime(2026, 11, 25, 12, tzinfo=UTC)
ISSUES = {
    "issues/102/issue.toml": 'number = 102\nsections = ["cover", "page:größe.md"]\n',
    "issues/102/größe.md": "# Größe\n", "issues/103/seiten/ein Treffen.md": "# Treffen\n",
}  # fmt: skip
"""What the GM wrote for the issues."""


def gm(*words: str) -> str:
    """Run `gm`, which must succeed; returns what it says."""
    found = CliRunner().invoke(cli, [*words])
    if found.exception and not isinstance(found.exception, SystemExit):
        raise found.exception
    assert found.exit_code == 0, found.output
    return found.output


@pytest.fixture
def zine(running: Callable[..., Story], tmp_path: Path) -> Path:
    """A zine with word lists, a half-written issue, and a password in a file of its own; its config."""
    story = running(tmp_path / "old")
    story.close()
    folder = story.config.parent
    for name, content in {**ISSUES, "issues/102/issue.html": "<html>", "house.txt": "RAR\nROT\n"}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content)
    (folder / "box.password").write_text("hunter2-is-secret\n")
    story.config.write_text(
        '# ours since 1987\n[service]\nname = "Ortszeit"  # as ever\naddress = "zug@postspiel.example"\n'
        'gm = "Cici <cici@postspiel.example>"\n\n[imap]\nhost = "127.0.0.1"\nport = 9\nsecurity = "none"\n'
        'username = "zug@postspiel.example"\npassword_file = "box.password"\n'
        '[smtp]\nhost = "127.0.0.1"\nport = 9\nsecurity = "none"\nusername = "zug@postspiel.example"\n'
        'password_file = "box.password"\n[backup]\nkeep = 0\n[lexicon]\nextra = ["house.txt", "words.txt"]\n'
    )
    return story.config


@pytest.fixture
def file(zine: Path, tmp_path: Path) -> Path:
    """A backup of it."""
    write_backup(load(zine), tmp_path / "zine.tar.gz", now=NOW)
    return tmp_path / "zine.tar.gz"


def files(folder: Path) -> dict[str, bytes]:
    """All files of a folder, by name, but the mark of a site, which is drawn by lot."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*"))
            if path.is_file() and path.name != ".stamp.json"}  # fmt: skip


# -- what is in it -----------------------------------------------------------------------------------------------------


def test_the_whole_zine_comes_back(zine: Path, file: Path, tmp_path: Path) -> None:
    """Games verify, the archive is the same to the byte, config, words and what was written work elsewhere."""
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    new = tmp_path / "new" / "zine"
    names = restore(file, new, now=NOW)
    assert sorted(names) == sorted({"gm.db", "house.txt", "words.txt", "config.toml", *ISSUES})
    assert (new / "config.toml").read_bytes() == zine.read_bytes()
    assert {name: (new / name).read_text() for name in ISSUES} == ISSUES
    (new / "box.password").write_text("hunter2-is-secret\n")
    pages = []
    for settings in (load(zine), load(new / "config.toml")):
        with closing(open_app(settings)) as app:
            with app.database.read() as session:
                for game in session.exec(select(Game)):
                    assert verify(app, session, game) == []
            export(app, settings.archive.path, full=True)
            pages.append(files(settings.archive.path))
    assert pages[0] == pages[1]
    assert len(pages[0]) > 10


def test_secrets_are_named_not_copied(zine: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No file of secrets is in it; restore names each with its place, and the doctor fails until they are there."""
    monkeypatch.setenv("GM_SMTP_PASSWORD", "two")
    text = zine.read_text()
    start = text.index("[smtp]")
    zine.write_text(
        text[:start] + text[start:].replace('password_file = "box.password"', 'password_env = "GM_SMTP_PASSWORD"')
    )
    said = gm("backup", str(tmp_path / "zine.tar.gz"), "--config", str(zine))
    assert "Not in it: passwords and tokens in files of their own" in said
    monkeypatch.delenv("GM_SMTP_PASSWORD")
    said = " ".join(gm("restore", str(tmp_path / "zine.tar.gz"), str(tmp_path / "new")).split())
    assert f"Put the password into {tmp_path}/new/box.password" in said
    assert f"Set the variable GM_SMTP_PASSWORD, for systemd in {tmp_path}/new/gm.env" in said
    assert not any(b"hunter2" in content for content in files(tmp_path / "new").values())
    config = tmp_path / "new/config.toml"
    for is_there in (False, True):
        checked = CliRunner().invoke(cli, ["doctor", "--config", str(config)]).output
        assert ("fail  config" in checked) is not is_there
        (tmp_path / "new/box.password").write_text("one")
        monkeypatch.setenv("GM_SMTP_PASSWORD", "two")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('"house.txt"', '"../house.txt"'), ('"house.txt"', '"/srv/house.txt"'),
        ("[backup]", '[database]\nurl = "sqlite:////srv/gm.db"\n[backup]'),
        ("[backup]", '[database]\nurl = "sqlite:///../gm.db"\n[backup]'),
    ],
)  # fmt: skip
def test_a_zine_is_a_folder(before: str, after: str, zine: Path, tmp_path: Path) -> None:
    """What lies elsewhere is refused: the restored config would name the old place, and a drill work on it."""
    settings = load(zine)
    zine.write_text(zine.read_text().replace(before, after))
    with pytest.raises(Refused, match="A zine is a folder"):
        write_backup(settings, tmp_path / "zine.tar.gz", now=NOW)
    assert not (tmp_path / "zine.tar.gz").exists()


def test_a_server_has_tools_of_its_own(zine: Path, tmp_path: Path) -> None:
    """With PostgreSQL the tools are named, and what to say after them."""
    zine.write_text(zine.read_text() + '[database]\nurl = "postgresql+psycopg://gm@localhost/zine"\n')
    with pytest.raises(Refused, match=r"pg_dump .* gm restore --adopt"):
        write_backup(load(zine), tmp_path / "zine.tar.gz", now=NOW)


# -- what is refused ---------------------------------------------------------------------------------------------------


def test_nothing_is_overwritten(zine: Path, file: Path, tmp_path: Path) -> None:
    """A file that is there, and a folder with anything in it, are left as they are."""
    before = file.read_bytes()
    with pytest.raises(Refused, match="is there already"):
        gm("backup", str(file), "--config", str(zine))
    assert file.read_bytes() == before
    (tmp_path / "used").mkdir()
    (tmp_path / "used" / "diary.txt").write_text("mine")
    with pytest.raises(Refused, match="is not empty; name an empty folder"):
        gm("restore", str(file), str(tmp_path / "used"))
    assert files(tmp_path / "used") == {"diary.txt": b"mine"}
    with pytest.raises(GmError, match="can't be written"):
        gm("restore", str(file), str(file / "new"))
    with pytest.raises(Refused, match="There is no file"):
        gm("restore", str(tmp_path / "none"), str(tmp_path / "new"))
    for words in (["restore"], ["restore", str(file)], ["restore", str(file), "--adopt"]):
        assert CliRunner().invoke(cli, words).exit_code == 2, words


def test_a_full_disk(zine: Path, tmp_path: Path) -> None:
    """Where the copy has no room nothing of it is left."""
    before, shy = getrlimit(RLIMIT_FSIZE), signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    setrlimit(RLIMIT_FSIZE, (40_000, before[1]))
    try:
        with pytest.raises(StoreError, match="no room for the copy"):
            write_backup(load(zine), tmp_path / "copy.tar.gz", now=NOW)
    finally:
        setrlimit(RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, shy)
    assert list(tmp_path.glob("*copy*")) == []


def member(name: str, content: bytes = b"", **more: Any) -> tuple[tarfile.TarInfo, bytes]:
    """A member that somebody else has put in."""
    found = tarfile.TarInfo(name)
    found.size = len(content)
    for key, value in more.items():
        setattr(found, key, value)
    return found, content


FORGERIES = {
    "a path above": member("../words.txt"), "a path above in a folder": member("issues/../../x.md"),
    "an absolute path": member("/tmp/words-gm.txt"),
    "a link": member("words.txt", type=tarfile.SYMTYPE, linkname="/etc/passwd"),
    "a hard link": member("words.txt", type=tarfile.LNKTYPE, linkname="/etc/passwd"),
    "a pipe": member("words.txt", type=tarfile.FIFOTYPE), "a device": member("words.txt", type=tarfile.CHRTYPE),
    "no database": None,
}  # fmt: skip


@pytest.mark.parametrize("what", FORGERIES)
def test_a_forged_backup_is_refused(what: str, file: Path, tmp_path: Path) -> None:
    """Only plain files come out of it, into the folder, and else nothing at all."""
    with tarfile.open(file) as tar:
        members = [(one, tar.extractfile(one).read()) for one in tar]  # type: ignore[union-attr]
    forged = FORGERIES[what]
    kept = [one for one in members if one[0].name != ("words.txt" if forged else "gm.db")]
    with tarfile.open(tmp_path / "forged", "w:gz") as tar:
        for one, content in [*([forged] if forged else []), *kept]:
            tar.addfile(one, io.BytesIO(content))
    before = files(tmp_path)
    with pytest.raises(StoreError, match=r"no backup of gm|no database of gm"):
        restore(tmp_path / "forged", tmp_path / "new", now=NOW)
    assert files(tmp_path) == before
    assert not (tmp_path / "new").exists()


def test_a_damaged_backup_is_refused(file: Path, tmp_path: Path) -> None:
    """Cut short, or with bytes changed anywhere, it is refused in a sentence, and nothing is left."""
    whole, refused = file.read_bytes(), 0
    for number in range(0, len(whole), len(whole) // 12 + 1):
        for damaged in (whole[:number], whole[:number] + bytes([whole[number] ^ 255]) + whole[number + 1 :]):
            (tmp_path / "damaged").write_bytes(damaged)
            new, said = tmp_path / f"new{number}-{len(damaged)}", ""
            try:
                restore(tmp_path / "damaged", new, now=NOW)
            except StoreError as error:
                said = str(error)
            assert "\n" not in said
            # What was changed may stand nowhere, as in the head of the gzip.
            assert new.exists() == (not said)
            refused += bool(said)
    assert refused > 20


# -- killed ------------------------------------------------------------------------------------------------------------


def test_a_killed_backup_leaves_none(zine: Path, tmp_path: Path) -> None:
    """Wherever it is killed, there is no file yet, or it is whole."""
    settings, target, number = load(zine), tmp_path / "zine.tar.gz", 0
    while killed_at(number, tmp_path, lambda: write_backup(settings, target, now=NOW)):
        if target.exists():
            restore(target, tmp_path / f"new{number}", now=NOW)
            target.unlink()
        number += 1
    assert number > 5
    restore(target, tmp_path / "new", now=NOW)


def test_a_killed_restore_is_no_zine(file: Path, tmp_path: Path) -> None:
    """Wherever it is killed, there is no config, and the folder is told not to be empty; or all of it is there."""
    number, whole = 0, set(restore(file, tmp_path / "whole", now=NOW))
    while killed_at(number, tmp_path, partial(restore, file, folder := tmp_path / f"new{number}", now=NOW)):
        if not (folder / "config.toml").exists():
            if folder.exists() and any(folder.iterdir()):
                with pytest.raises(Refused, match="is not empty"):
                    restore(file, folder, now=NOW)
                shutil.rmtree(folder)
            restore(file, folder, now=NOW)
        assert whole <= set(files(folder))
        with closing(sqlite3.connect(folder / "gm.db")) as database:
            assert database.execute("SELECT json_array_length(former) FROM zine").fetchone() == (1,)
        number += 1
    assert number > 5


# -- by other means ----------------------------------------------------------------------------------------------------


def tries_to_serve(config: Path) -> None:
    """Do a pass, which finds no mail server here and nothing else that is wrong."""
    with pytest.raises(Refused, match="nothing listens there"):
        gm("serve", "--once", "--config", str(config))


def test_a_folder_that_was_copied(zine: Path, tmp_path: Path) -> None:
    """It isn't served beside the other one; `gm restore --adopt` lets it serve, but not while somebody does."""
    tries_to_serve(zine)
    shutil.copytree(zine.parent, tmp_path / "new")
    config = tmp_path / "new/config.toml"
    with pytest.raises(Refused, match=rf"served at .*:{zine.parent}/gm.db before, .*gm restore --adopt"):
        gm("serve", "--once", "--config", str(config))
    tries_to_serve(zine)
    with closing(open_app(load(config))) as app:
        assert app.database.lead()
        with pytest.raises(Refused, match="is served right now"):
            gm("restore", "--adopt", "--config", str(config))
    assert "serves the mailbox from its next gm serve on" in gm("restore", "--adopt", "--config", str(config))
    with closing(open_app(load(config))) as app, app.database.read() as session:
        assert zine_queries.zine(session).former
        assert zine_queries.zine(session).is_behind
    tries_to_serve(config)
    (tmp_path / "new/gm.db").unlink()
    with pytest.raises(StoreError, match="There is no database"):
        gm("restore", "--adopt", "--config", str(config))


@pytest.mark.server
def test_a_server_that_was_dumped(zine: Path, tmp_path: Path, cluster: Cluster) -> None:
    """After `gm migrate`, pg_dump and pg_restore `gm restore --adopt` lets the copy serve the mailbox."""
    urls = []
    for name in ("dumped", "put_back"):
        cluster.create(name)
        urls.append(cluster.url(name, host="127.0.0.1"))
    try:
        tries_to_serve(zine)
        gm("migrate", urls[0], "--config", str(zine))
        kept = zine.read_text()
        zine.write_text(f'{kept}[database]\nurl = "{urls[0]}"\n')
        tries_to_serve(zine)
        for words in (
            ["pg_dump", "--format=custom", f"--file={tmp_path}/zine.dump", urls[0].replace("+psycopg", "")],
            ["pg_restore", "--no-owner", f"--dbname={urls[1].replace('+psycopg', '')}", f"{tmp_path}/zine.dump"],
        ):
            subprocess.run(words, check=True, capture_output=True)
        zine.write_text(f'{kept}[database]\nurl = "{urls[1]}"\n')
        with pytest.raises(Refused, match=r"served at PostgreSQL:.*gm restore --adopt"):
            gm("serve", "--once", "--config", str(zine))
        gm("restore", "--adopt", "--config", str(zine))
        with closing(open_app(load(zine))) as app, app.database.read() as session:
            assert zine_queries.zine(session).is_behind
            assert [verify(app, session, game) for game in session.exec(select(Game))] == [[]]
        tries_to_serve(zine)
    finally:
        for name in ("dumped", "put_back"):
            cluster.drop(name)


# -- for real ----------------------------------------------------------------------------------------------------------


def test_moving_house(tmp_path: Path) -> None:
    """A drill disturbs nobody. When the restored zine is served, the old one ends, and no player notices."""
    people = {name: address_of(name) for name in PLAYERS}
    with MailServer(dict.fromkeys((GM_ADDRESS, "cici@postspiel.example", *people.values()), "x")) as server:
        login = {"username": GM_ADDRESS, "password": "x", "poll_seconds": 1}
        smtp = {"username": GM_ADDRESS, "password": "x", "port": server.smtp_port}
        more = {"imap": {**login, "port": server.imap_port}, "smtp": smtp}
        config = write_config(tmp_path / "old", words=["ROT"], more=more)
        with closing(open_app(load(config))) as app:
            begin_eriwan(app)

        def asks(number: int) -> None:
            mail = write_mail(people[PLAYERS[number]], "Stand Eriwan", message_id=f"<{number}@spieler.example>")
            server.append(GM_ADDRESS, mail)
            until(f"answer {number}", lambda: answers(server, PLAYERS[number]))

        with serving(config) as old:
            asks(0)
            for folder in ("drill", "new"):
                for words in (["backup", f"{tmp_path}/{folder}.tar.gz"],
                              ["restore", f"{tmp_path}/{folder}.tar.gz", f"{tmp_path}/{folder}"]):  # fmt: skip
                    subprocess.run(command(config, *words), check=True, capture_output=True, text=True)
            asks(1)
            shutil.rmtree(tmp_path / "drill")
            asks(2)
            assert old.poll() is None
            with serving(tmp_path / "new/config.toml"):
                until("the end of the old one", lambda: old.poll() is not None)
                asks(3)
            out, _ = old.communicate()
            assert "is served by a restored copy of this database" in out
        assert [len(answers(server, PLAYERS[number])) for number in (0, 3)] == [1, 1]


def test_config_error_is_told(zine: Path, tmp_path: Path) -> None:
    """A config that was broken while the service runs is no reason for half a backup."""
    settings = load(zine)
    zine.write_text("[service")
    with pytest.raises(ConfigError, match="can't be read any more"):
        write_backup(settings, tmp_path / "zine.tar.gz", now=NOW)
    assert list(tmp_path.glob("*zine.tar*")) == []
