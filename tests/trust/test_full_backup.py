"""Moving house: `gm backup --all` and `gm restore` bring a whole zine to another place, or nothing of it."""

from __future__ import annotations

import io
import json
import os
import sqlite3
import stat
import subprocess
import tarfile
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from killed_at import killed_at
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
from gm.service.maintenance.backup_file import unpack
from gm.service.maintenance.full_backup import Order, write_backup
from gm.service.setup.full_restore import WORKPLACE, restore_all
from gm.store.tables import Game
from gm.transport.doubles.embedded_server import MailServer

pytestmark = pytest.mark.sqlite

NOW = datetime(2026, 11, 25, 12, tzinfo=UTC)
PASSWORDS = ("hunter2-is-secret", 'smtp#secret " in one')


def gm(*words: str) -> str:
    """Run `gm`, which must succeed; returns what it says."""
    found = CliRunner().invoke(cli, [*words])
    if found.exception and not isinstance(found.exception, SystemExit):
        raise found.exception
    return found.output


ISSUES = {
    "issues/102/issue.toml": 'number = 102\nsections = ["cover", "page:größe.md"]\n',
    "issues/102/größe.md": "# Größe\n", "issues/103/seiten/ein Treffen.md": "# Treffen\n",
}  # fmt: skip
"""What the GM wrote for the issues."""
MADE = {"issues/102/issue.html": "<html>", "issues/102/.secret.md": "no", "issues/notes.md": "of no issue"}


@pytest.fixture
def zine(running: Callable[..., Story], tmp_path: Path) -> Path:
    """A zine whose files lie all over the disk; its config."""
    story = running(tmp_path / "old")
    story.close()
    config = story.config
    (tmp_path / "house.txt").write_text("RAR\nROT\n")
    (tmp_path / "words.txt").write_text("TOR\n")
    for name, content in (ISSUES | MADE).items():
        (config.parent / name).parent.mkdir(parents=True, exist_ok=True)
        (config.parent / name).write_text(content)
    (tmp_path / "box.password").write_text(f"{PASSWORDS[1]}\n")
    config.write_text(
        '# ours since 1987\n[service]\nname = "Ortszeit"  # as ever\naddress = "zug@postspiel.example"\n'
        'gm = "Cici <cici@postspiel.example>"\n\n[imap]\nhost = "127.0.0.1"\nport = 9\nsecurity = "none"\n'
        f'username = "zug@postspiel.example"\npassword = "{PASSWORDS[0]}"  # hush\n'
        '[smtp]\nhost = "127.0.0.1"\nport = 9\nsecurity = "none"\nusername = "zug@postspiel.example"\n'
        f'password_file = "{tmp_path}/box.password"\n[database]\nurl = "sqlite:///{tmp_path}/old/gm.db"\n'
        '[backup]\nkeep = 0\n[lexicon]\nextra = [\n  "../house.txt",  # ours\n  "../words.txt",\n]\n'
    )
    return config


def backup_of(config: Path, target: Path, **order: Any) -> Path:
    """Make a backup of the whole zine."""
    write_backup(load(config), Order(target=target, now=NOW, **order))
    return target


def files(folder: Path) -> dict[str, bytes]:
    """All files of a folder, by name."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


# -- what is in it -----------------------------------------------------------------------------------------------------


def test_the_whole_zine_comes_back(zine: Path, tmp_path: Path) -> None:
    """Issue 29, moving house: games verify, the archive is the same to the byte, config and words work anywhere."""
    file = backup_of(zine, tmp_path / "zine.tar.gz", has_secrets=True)
    restored = restore_all(file, tmp_path / "new" / "zine", now=NOW + timedelta(minutes=1))
    assert "# ours since 1987" in restored.config.read_text()
    assert 'name = "Ortszeit"  # as ever' in restored.config.read_text()
    before, after = load(zine), load(restored.config)
    assert after.database.url == f"sqlite:///{tmp_path}/new/zine/gm.db"
    assert [path.read_text() for path in after.lexicon.extra] == [path.read_text() for path in before.lexicon.extra]
    assert all(path.parent == tmp_path / "new" / "zine" for path in after.lexicon.extra)
    for login in ("imap", "smtp"):
        assert getattr(after, login).password.reveal() == getattr(before, login).password.reveal()
    issues = tmp_path / "new" / "zine" / "issues"
    assert {f"issues/{name}": one.decode() for name, one in files(issues).items()} == ISSUES
    pages = []
    for settings in (before, after):
        with closing(open_app(settings)) as app:
            with app.database.read() as session:
                for game in session.exec(select(Game)):
                    assert verify(app, session, game) == []
            export(app, settings.archive.path, full=True)
            pages.append(files(settings.archive.path))
    assert pages[0] == pages[1]
    assert len(pages[0]) > 10


def test_no_password_without_secrets(zine: Path, tmp_path: Path) -> None:
    """interface.md: passwords only with --secrets. Nothing of the file holds one, and restore says where each goes."""
    said = gm("backup", str(tmp_path / "zine.tar.gz"), "--all", "--config", str(zine))
    assert "and passwords (--secrets)" in said
    unpacked = tmp_path / "unpacked"
    unpacked.mkdir()
    unpack(tmp_path / "zine.tar.gz", unpacked)
    for name, content in files(unpacked).items():
        assert not any(one.encode() in content for one in ("hunter2", "smtp#secret")), name
    assert stat.S_IMODE((tmp_path / "zine.tar.gz").stat().st_mode) == 0o600
    said = gm("restore", str(tmp_path / "zine.tar.gz"), str(tmp_path / "new"))
    for name in ("imap.password", "box.password"):
        assert f"Put the password into {tmp_path / 'new' / name}" in said
    assert "fail  config" in said
    assert "can't be read" in said
    with pytest.raises(ConfigError):
        load(tmp_path / "new/config.toml")
    (tmp_path / "new/imap.password").write_text("one")
    (tmp_path / "new/box.password").write_text("two")
    assert load(tmp_path / "new/config.toml").imap.password.reveal() == "one"


def test_tokens_and_environment(zine: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """interface.md: tokens go along; the file of systemd's environment is a secret; names of a keyring are told."""
    folder = zine.parent
    text = zine.read_text()
    start = text.index("[imap]")
    zine.write_text(
        text[:start] + '[imap]\nhost = "127.0.0.1"\nsecurity = "none"\nusername = "zug@postspiel.example"\n'
        '[imap.oauth2]\nprovider = "google"\nclient_id = "app"\nclient_secret_env = "APP_SECRET"\n'
        'tokens = "../box.tokens.json"\n[smtp]\nhost = "127.0.0.1"\nsecurity = "none"\n'
        'username = "other@postspiel.example"\npassword_env = "GM_SMTP_PASSWORD"\n'
    )
    monkeypatch.setenv("APP_SECRET", "one")
    monkeypatch.setenv("GM_SMTP_PASSWORD", "two")
    (folder.parent / "box.tokens.json").write_text('{"refresh": "token"}')
    (folder / "gm.env").write_text("GM_SMTP_PASSWORD=two\n")
    said = gm("backup", str(tmp_path / "zine.tar.gz"), "--all", "--config", str(zine))
    assert "Set the variable GM_SMTP_PASSWORD" in said
    restored = restore_all(tmp_path / "zine.tar.gz", tmp_path / "new", now=NOW)
    assert not (tmp_path / "new/gm.env").exists()
    oauth2 = load(restored.config).imap.oauth2
    assert oauth2 is not None
    assert oauth2.tokens == tmp_path / "new/box.tokens.json"
    assert oauth2.tokens.read_text() == '{"refresh": "token"}'
    assert f"EnvironmentFile={tmp_path}/new/gm.env" in (tmp_path / "new/gm.service").read_text()
    backup_of(zine, tmp_path / "with.tar.gz", has_secrets=True)
    restore_all(tmp_path / "with.tar.gz", tmp_path / "with", now=NOW)
    assert (tmp_path / "with/gm.env").read_text() == "GM_SMTP_PASSWORD=two\n"


def test_the_database_alone(zine: Path, tmp_path: Path) -> None:
    """Out of a backup of everything the database alone goes back into its zine; nothing else changes."""
    gm("backup", str(tmp_path / "zine.tar.gz"), "--all", "--config", str(zine))
    with closing(sqlite3.connect(tmp_path / "old/gm.db")) as database, database:
        database.execute("UPDATE game SET held = 'by accident'")
    before = zine.read_text()
    with pytest.raises(Refused, match=r"holds a zine already .*--database"):
        gm("restore", str(tmp_path / "zine.tar.gz"), "--config", str(zine))
    said = gm("restore", str(tmp_path / "zine.tar.gz"), "--database", "--config", str(zine))
    assert "is in place. The database before lies at" in said
    with closing(sqlite3.connect(tmp_path / "old/gm.db")) as database:
        assert database.execute("SELECT held FROM game").fetchone() == ("",)
    assert zine.read_text() == before


# -- what is refused ---------------------------------------------------------------------------------------------------


def test_what_is_refused(zine: Path, tmp_path: Path) -> None:
    """A folder that holds a zine, or one of the files, is left as it is; each refusal says what to do."""
    file = backup_of(zine, tmp_path / "zine.tar.gz")
    with pytest.raises(Refused, match="say --all --secrets"):
        gm("backup", str(tmp_path / "x"), "--secrets", "--config", str(zine))
    with pytest.raises(Refused, match="--force"):
        gm("backup", str(file), "--all", "--config", str(zine))
    for name in ("config.toml", "gm.db", "gm.db-wal", "words.txt", "gm.service"):
        folder = tmp_path / f"holds {name}"
        folder.mkdir()
        (folder / name).write_text("mine")
        with pytest.raises(Refused, match="empty folder"):
            gm("restore", str(file), str(folder))
        assert files(folder) == {name: b"mine"}
    (tmp_path / "file").write_text("")
    with pytest.raises(GmError, match="can't be written"):
        gm("restore", str(file), str(tmp_path / "file" / "new"))
    with pytest.raises(Refused, match="There is no file"):
        gm("restore", str(tmp_path / "none"), str(tmp_path / "new"))
    beside = tmp_path / "beside"
    beside.mkdir()
    (beside / "zine.tar.gz").write_bytes(file.read_bytes())
    restore_all(beside / "zine.tar.gz", beside, now=NOW)
    assert (beside / "config.toml").exists()


def entry(name: str, **more: Any) -> tarfile.TarInfo:
    """A member that somebody else has put in."""
    found = tarfile.TarInfo(name)
    for key, value in more.items():
        setattr(found, key, value)
    return found


def forged(file: Path, target: Path, change: Callable[[dict[str, Any], list[Any]], None]) -> Path:
    """Write a backup anew, after its manifest and members were changed."""
    with tarfile.open(file) as tar:
        members = [(one, tar.extractfile(one).read()) for one in tar]  # type: ignore[union-attr]
    manifest = json.loads(members[0][1])
    change(manifest, members)
    stated = json.dumps(manifest).encode()
    members[0] = (entry("manifest.json", size=len(stated)), stated)
    with tarfile.open(target, "w:gz") as tar:
        for one, content in members:
            tar.addfile(one, io.BytesIO(content))
    return target


def _renamed(name: str) -> Callable[[dict[str, Any], list[Any]], None]:
    """The word list is called something else, in the manifest as well."""

    def change(manifest: dict[str, Any], members: list[Any]) -> None:
        at = next(number for number, (one, _) in enumerate(members) if one.name == "words.txt")
        manifest["members"][name] = manifest["members"].pop("words.txt")
        members[at] = (entry(name, size=members[at][0].size), members[at][1])

    return change


def _link(manifest: dict[str, Any], members: list[Any]) -> None:
    """The word list is a link."""
    manifest["members"]["words.txt"]["size"] = 0
    members[:] = [
        (entry("words.txt", type=tarfile.SYMTYPE, linkname="/etc/passwd"), b"") if one.name == "words.txt" else (one, b)
        for one, b in members
    ]


FORGERIES = {
    "a path above": _renamed("../words.txt"), "a path out of an issue": _renamed("issues/5/../../x.md"),
    "a hidden page": _renamed("issues/5/.x.md"), "another file of an issue": _renamed("issues/5/x.py"),
    "an absolute path": _renamed("/tmp/words-gm.txt"),
    "a folder": _renamed("words/x.txt"), "a hidden file": _renamed(".bashrc"), "a unit": _renamed("gm.service"),
    "another file": _renamed("x.py"), "a link": _link,
    "another content": lambda manifest, _: manifest["members"]["words.txt"].update(sha256="0" * 64),
    "another size": lambda manifest, _: manifest["members"]["words.txt"].update(size=10**12),
    "one missing": lambda _, members: members.pop(),
    "one too many": lambda _, members: members.append((entry("words9.txt"), b"")),
    "one twice": lambda _, members: members.append(members[-1]),
    "no database": lambda manifest, _: manifest["members"].pop("gm.db"),
    "a later format": lambda manifest, _: manifest.update(format=3),
    "no manifest": lambda manifest, _: manifest.clear(),
}  # fmt: skip


@pytest.mark.parametrize("what", FORGERIES)
def test_a_forged_backup_is_refused(what: str, zine: Path, tmp_path: Path) -> None:
    """Issue 29, brief on restoring: only known files with their hashes come out of it, and else nothing at all."""
    file = forged(backup_of(zine, tmp_path / "zine.tar.gz"), tmp_path / "forged", FORGERIES[what])
    before = files(tmp_path)
    with pytest.raises(StoreError, match=r"no whole backup|newer gm"):
        restore_all(file, tmp_path / "new", now=NOW)
    assert files(tmp_path) == before
    assert not (tmp_path / "new").exists()


def test_a_damaged_backup_is_refused(zine: Path, tmp_path: Path) -> None:
    """Cut short, or with bytes changed anywhere, it is refused in a sentence, and nothing is left."""
    whole, refused = backup_of(zine, tmp_path / "zine.tar.gz").read_bytes(), 0
    for number in range(0, len(whole), len(whole) // 12 + 1):
        for damaged in (whole[:number], whole[:number] + bytes([whole[number] ^ 255]) + whole[number + 1 :]):
            (tmp_path / "damaged").write_bytes(damaged)
            new, said = tmp_path / f"new{number}-{len(damaged)}", ""
            try:
                restore_all(tmp_path / "damaged", new, now=NOW)
            except StoreError as error:
                said = str(error)
            assert "\n" not in said
            # What was changed may stand nowhere, as in the head of the gzip.
            assert new.exists() == (not said)
            refused += bool(said)
    assert refused > 20


# -- killed ------------------------------------------------------------------------------------------------------------


def test_a_killed_backup_leaves_the_old_one(zine: Path, tmp_path: Path) -> None:
    """Wherever it is killed, the file is the one of yesterday, or the new one, whole."""
    settings, target, number = load(zine), tmp_path / "zine.tar.gz", 0
    target.write_bytes(b"of yesterday")
    order = Order(target=target, now=NOW, replaces=True)
    while killed_at(number, lambda: write_backup(settings, order)):
        if target.read_bytes() != b"of yesterday":
            restore_all(target, tmp_path / f"new{number}", now=NOW)
        number += 1
    assert number > 5
    restore_all(target, tmp_path / "new", now=NOW)


def test_a_killed_restore_is_taken_back(zine: Path, tmp_path: Path) -> None:
    """Wherever it is killed, there is no config, and it can be said again; or all of it is there."""
    file, number = backup_of(zine, tmp_path / "zine.tar.gz", has_secrets=True), 0
    restore_all(file, tmp_path / "whole", now=NOW)
    whole = set(files(tmp_path / "whole"))
    assert set(ISSUES) < whole
    while killed_at(number, partial(restore_all, file, folder := tmp_path / f"new{number}", now=NOW)):
        if not (folder / "config.toml").exists():
            restore_all(file, folder, now=NOW)
        assert whole == {name for name in files(folder) if not name.startswith(WORKPLACE)}
        load(folder / "config.toml")
        with closing(sqlite3.connect(folder / "gm.db")) as database:
            assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        number += 1
    assert number > 15


def test_two_restores_at_once(zine: Path, tmp_path: Path) -> None:
    """A second one in the same folder is refused while the first is at work, and takes nothing from it."""
    import fcntl

    file, folder = backup_of(zine, tmp_path / "zine.tar.gz", has_secrets=True), tmp_path / "new"
    (folder / WORKPLACE / "ready").mkdir(parents=True)
    (folder / WORKPLACE / "ready" / "gm.db").write_text("half of it")
    held = os.open(folder / WORKPLACE, os.O_RDONLY)
    fcntl.flock(held, fcntl.LOCK_EX)
    with pytest.raises(Refused, match="at work"):
        restore_all(file, folder, now=NOW)
    assert (folder / WORKPLACE / "ready" / "gm.db").read_text() == "half of it"
    os.close(held)
    restore_all(file, folder, now=NOW)
    assert not (folder / WORKPLACE).exists()


# -- for real ----------------------------------------------------------------------------------------------------------


def test_moving_house(tmp_path: Path) -> None:
    """Issue 29: two commands. The zine is restored elsewhere while the old one serves; then that one ends."""
    people = {name: address_of(name) for name in PLAYERS}
    with MailServer(dict.fromkeys((GM_ADDRESS, "cici@postspiel.example", *people.values()), "x")) as server:
        login = {"username": GM_ADDRESS, "password": "x", "poll_seconds": 1}
        smtp = {"username": GM_ADDRESS, "password": "x", "port": server.smtp_port}
        more = {"imap": {**login, "port": server.imap_port}, "smtp": smtp}
        config = write_config(tmp_path / "old", words=["ROT"], more=more)
        with closing(open_app(load(config))) as app:
            begin_eriwan(app)
        with serving(config) as old:
            server.append(GM_ADDRESS, write_mail(people[PLAYERS[0]], "Stand Eriwan", message_id="<1@spieler.example>"))
            until("an answer from the old place", lambda: answers(server, PLAYERS[0]))
            run = {"check": True, "capture_output": True, "text": True}
            file, new = tmp_path / "zine.tar.gz", tmp_path / "new"
            subprocess.run(command(config, "backup", str(file), "--all", "--secrets"), **run)  # type: ignore[call-overload]
            restore = [*command(new / "config.toml", "restore", str(file))]
            said = subprocess.run(restore, **run).stdout  # type: ignore[call-overload]
            assert "ok    IMAP owner: `gm serve` will take the mailbox over" in said
            assert "fail" not in said
            with serving(new / "config.toml"):
                until("the end of the old one", lambda: old.poll() is not None)
                mail = write_mail(people[PLAYERS[1]], "Stand Eriwan", message_id="<2@spieler.example>")
                server.append(GM_ADDRESS, mail)
                until("an answer from the new place", lambda: answers(server, PLAYERS[1]))
            out, _ = old.communicate()
            assert "is served by a restored copy of this database" in out
        assert len(answers(server, PLAYERS[1])) == 1
