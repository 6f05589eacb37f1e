"""The digest, the archive of pages, and the database: copied, put back, moved."""

import logging
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gm.cli.terminal import completion
from gm.cli.terminal.common import QUEUED, Config, Json, Yes, asks, cli, confirm, opened
from gm.cli.terminal.printing import say, say_json, tracked
from gm.runtime.errors import ArchiveError, Refused

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlmodel import Session

    from gm.app.context import App
    from gm.game.rule_changes.comparison import Change
    from gm.service.maintenance.backup_file import Manifest
    from gm.service.maintenance.upgrade_rehearsal import UpgradeRehearsal
    from gm.service.outbound.digests import Made


@cli.command()
def archive(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where the pages go.")],
    full: Annotated[bool, typer.Option("--full", help="Write every page anew, not only what has changed.")] = False,
    config: Config = None,
) -> None:
    """Write the archive: all games as pages that can be read from disk or put on the web."""
    from gm.archive.export import export
    from gm.service.tick import settle_in

    settle_in()
    with opened(config) as app:
        done = export(app, folder, full=full, tracked=tracked)
    say(f"{folder}: {done.games} games looked at, {done.written} files written, {done.deleted} deleted.")
    if done.troubles:
        raise ArchiveError("\n".join(done.troubles))


@cli.command()
def digest(
    send: Annotated[bool, typer.Option("--send", help="Queue it now, beside the one of the week.")] = False,
    to: Annotated[str, typer.Option("--to", metavar="ADDRESS", help="Only for the players at this address.")] = "",
    config: Config = None,
    as_json: Json = False,
) -> None:
    """Print what the digest would say now: the GM's copy and who would get one, or one player's."""
    with opened(config) as app:
        found = _queued(app, to) if send else _shown(app, to)
    if as_json:
        say_json(found)
        return
    if to and not send:
        say(*(f"{mail['subject']}\n\n{mail['text']}" for mail in found["players"]))
    else:
        say(*([] if to or send else [f"{found['gm']['subject']}\n\n{found['gm']['text']}"]))
        say(*(f"{mail['name']}: {mail['subject']}" for mail in found["players"]))
    if not found["players"]:
        say("No player gets one now: there is nothing to say, or they don't want it.")
    if send:
        say(f"Mails queued: {len(found['players']) + (not to)}. {QUEUED}")


def _shown(app: "App", to: str) -> dict[str, Any]:
    from gm.service.outbound import digests

    with app.database.read() as session:
        _check_address(session, to)
        return _described(app, session, digests.make(app, session, digests.out_of_turn(app)), to)


def _queued(app: "App", to: str) -> dict[str, Any]:
    from gm.service.outbound import digests

    with app.database.write() as session:
        _check_address(session, to)
        return _described(app, session, digests.queue(app, session, digests.out_of_turn(app), to), to)


def _check_address(session: "Session", to: str) -> None:
    from gm.store.queries.player_queries import players_at

    if to and not players_at(session, to):
        raise Refused(f"No player writes from '{to}'; name the address that one of them signed up with.")


def _described(app: "App", session: "Session", made: "Made", to: str) -> dict[str, Any]:
    from gm.service.outbound import digests

    letters = [(copy, *digests.written(app, session, made, copy)) for copy in digests.copies_at(session, made, to)
               if copy.part]  # fmt: skip
    subject, text = digests.written(app, session, made)
    players = [{"name": copy.player.name, "subject": title, "text": body} for copy, title, body in letters]
    return {"gm": {"subject": subject, "text": text}, "players": players}


File = Annotated[Path, typer.Argument(metavar="FILE", help="The copy.")]


@cli.command()
def backup(
    file: File,
    everything: Annotated[
        bool, typer.Option("--all", help="With config, word lists and tokens: to move house, or to start anew.")
    ] = False,
    secrets: Annotated[bool, typer.Option("--secrets", help="With --all: the passwords as well.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace FILE if it is there.")] = False,
    config: Config = None,
) -> None:
    """Copy the database to a file, complete as of this moment, while the service runs; with --all the whole zine."""
    from gm.runtime.clock import utcnow
    from gm.runtime.config.settings import load

    if secrets and not everything:
        raise Refused("Passwords stand beside the database, not in it: say --all --secrets.")
    settings = load(config)
    if everything:
        from gm.service.maintenance.full_backup import Order, write_backup

        order = Order(target=file, now=utcnow(), has_secrets=secrets, replaces=force)
        _tell_what_is_in(file, write_backup(settings, order))
        if not settings.database.url.startswith("sqlite"):
            say("Its database is an SQLite file now; after gm restore, gm migrate URL brings it to a server again.")
        return
    from gm.store.backup import back_up

    size = back_up(settings.database.url, file, now=utcnow(), force=force)
    say(
        f"{file} holds the whole database ({_megabytes(size)}): mails, addresses, and the secret that signs; "
        "keep it where only you can read it.",
        f"Not in it: {settings.path.name}, passwords, word lists of your own (--all takes them along), and the archive "
        "(gm archive writes it).",
        f"To go back to it: end `gm serve`, then: gm restore {file}",
    )


def _tell_what_is_in(file: Path, manifest: "Manifest") -> None:
    secrets = ", and the passwords" if manifest.has_secrets else ""
    say(
        f"{file} holds the whole zine ({_megabytes(file.stat().st_size)}): {', '.join(sorted(manifest.members))}. "
        f"With them mails, addresses, and the secret that signs{secrets}; keep it where only you can read it.",
        f"Not in it: the archive (gm archive writes it){'' if secrets else ', and passwords (--secrets)'}.",
        *(f"  {line}" for line in _by_hand(manifest, Path("the new folder"))),
        f"To move house, or to start anew: gm restore {file.name} in an empty folder, also on another machine.",
    )


def _megabytes(size: int) -> str:
    """Say how large a copy is; a small one isn't empty."""
    return f"{size / 1e6:.1f} MB" if size >= 100_000 else "under 0.1 MB"


def _by_hand(manifest: "Manifest", folder: Path) -> list[str]:
    """Say what a restored zine lacks, and where it goes."""
    ways = {
        "file": "Put the password into {there} (one line; chmod 600).",
        "environment": "Set the variable {name} to the password, for systemd in {env} (NAME=VALUE; chmod 600).",
        "keyring": "Put the password into the keyring: keyring set postal-gm {name}",
        "tokens": "Log in again: gm login",
    }
    env = folder / "gm.env"
    return [
        ways[kind].format(name=name, there=folder / name, env=env) for kind, name in manifest.left_out if kind in ways
    ]


@cli.command()
def restore(
    file: File,
    folder: Annotated[
        Path | None, typer.Argument(metavar="DIR", help="Of `gm backup --all`: an empty folder (default: this one).")
    ] = None,
    only_database: Annotated[
        bool, typer.Option("--database", help="Of `gm backup --all`: the database alone, in the present zine.")
    ] = False,
    config: Config = None,
) -> None:
    """Put a copy of the database in its place, or a whole zine into an empty folder, while the service is stopped.

    The present database is kept. From its next pass on, this machine serves the mailbox. A service that still runs
    elsewhere, with this database or another copy of it, ends then.
    """
    from gm.runtime.clock import utcnow
    from gm.runtime.config.settings import default_path, load
    from gm.service.maintenance.backup_file import is_packed
    from gm.service.setup.full_restore import restore_database

    if is_packed(file) and not only_database:
        _restore_all(file, folder or (config or default_path()).parent)
        return
    if folder:
        raise Refused(f"Only a whole zine goes into a folder; the config says where the database of {file} belongs.")
    settings = load(config)
    before = restore_database(settings, file, now=utcnow())
    say(f"{file} is in place." + (f" The database before lies at {before}; delete it when all is well." * bool(before)))
    _tell_of_the_past(settings.imap.processed, settings.imap.quarantine)


def _restore_all(file: Path, folder: Path) -> None:
    """Restore a whole zine, and let the doctor look at it."""
    import shlex

    from gm.cli.service import say_checks
    from gm.runtime.clock import utcnow
    from gm.service.setup.full_restore import restore_all
    from gm.service.setup.systemd_unit import installation, is_root
    from gm.service.setup.zine_setup import examine

    restored = restore_all(file, folder, now=utcnow())
    manifest, here = restored.manifest, f" --config {shlex.quote(str(restored.config))}"
    say(f"{file}, made at {manifest.made_at:%Y-%m-%d %H:%M} UTC, is in place: {', '.join(map(str, restored.written))}.")
    missing = _by_hand(manifest, folder)
    say(*(["", "Still to be done, as no backup without --secrets has passwords:"] if missing else []), *missing, "")
    is_well = say_checks(examine(restored.config))
    say("", *([] if is_well else [f"When that is mended: gm doctor{here}"]))
    _tell_of_the_past("the folder of handled mails", "that of the quarantine")
    unit = restored.written[-2]
    say("Next:", f"  gm serve{here}", "or with systemd:")
    say(*(f"  {line}" for line in installation(unit, is_system=is_root())))


def _tell_of_the_past(processed: str, quarantine: str) -> None:
    say(
        f"The next pass of `gm serve` reads {processed} and {quarantine} once: mails that "
        "were handled after the copy was made are handled again, in order of arrival. Players may get some answers "
        "and bulletins twice. A service that still runs on another machine ends then.",
        "What you did by command since then is in no mail, so do it again: gm list, gm show, gm todo show what is "
        "missing.",
    )


@cli.command()
def migrate(
    url: Annotated[
        str,
        typer.Argument(
            metavar="URL", help="sqlite:///FILE, relative to the config, or postgresql+psycopg://USER@HOST/NAME."
        ),
    ],
    config: Config = None,
) -> None:
    """Move to another, empty database, while `gm serve` is stopped: all rows are copied and compared.

    The password of a PostgreSQL login is best left out of URL: it is taken from ~/.pgpass (a line
    HOST:PORT:NAME:USER:PASSWORD, chmod 600) or from $PGPASSWORD. The database left behind stays as it is, and refuses
    to be served. Should anything fail, the zine stays where it is; run the same command again.
    """
    from gm.runtime.config.settings import load
    from gm.runtime.tracebacks import log_carefully
    from gm.service.maintenance.migrate import migrate as move

    log_carefully(logging.WARNING)
    settings = load(config)
    before, url = move(settings, url, tell=say)
    say(
        f"The zine is there now. Write this into {settings.path.name}, then say `gm verify` and start `gm serve`:",
        "",
        "[database]",
        f'url = "{url}"',
        "",
    )
    if url.startswith("postgresql"):
        say(
            "The login's password: in ~/.pgpass of whom the service runs as, or in its environment as PGPASSWORD, or "
            "in the url (USER:PASSWORD@HOST)."
        )
    say(f"{before} stays as it was and is served no more; delete it when all is well.")


@cli.command()
def upgrade(
    name: Annotated[
        str | None,
        typer.Argument(metavar="NAME", help="A game that waits for you to agree.", autocompletion=completion.games),
    ] = None,
    rehearse: Annotated[
        bool, typer.Option("--rehearse", help="Say what would change, in this game or in all; nothing is written.")
    ] = False,
    yes: Yes = False,
    config: Config = None,
    as_json: Json = False,
) -> None:
    """Let a game go on by new rules or words, or rehearse an upgrade (--rehearse) before the service is started.

    The rehearsal replays the stored games on a copy of the database. It ends with 1 where something would come out
    otherwise. What is recorded stays as it is, whatever you agree to: the new rules hold from the next closing on.
    """
    if rehearse:
        _rehearse(config, name, as_json=as_json)
        return
    if name is None:
        raise typer.BadParameter("name the game that may go on, or say --rehearse to see what would change.")
    from gm.commands.gm_commands import upgrade as consent

    with opened(config) as app:
        change = consent.preview(app, name)
        shown = [f"{name}: {_otherwise(change, 'round', {})}"] if change else []
        if asks(yes):
            confirm([*shown, "What is recorded would stand; the new rules would hold from now on."],
                    f"Let {name} go on?", f"{name} waits.")  # fmt: skip
        consent.agree_by_name(app, name)
    say(*shown, f"{name} goes on. What is recorded stands, and the new rules hold from its next step on.")


def _rehearse(config: Path | None, name: str | None, *, as_json: bool) -> None:
    from gm.runtime.clock import utcnow
    from gm.runtime.config.settings import load
    from gm.runtime.tracebacks import log_carefully
    from gm.service.maintenance.upgrade_rehearsal import described
    from gm.service.maintenance.upgrade_rehearsal import rehearse as try_out

    log_carefully(logging.WARNING)
    found = try_out(load(config), now=utcnow(), name=name or "", tracked=tracked)
    if as_json:
        say_json({
            "replayed": found.replayed, "same": found.same, "games": [described(game) for game in found.changed],
            "unreadable": [{"game": game, "why": why} for game, why in found.unreadable],
        })  # fmt: skip
    else:
        say(*_rehearsal_in_words(found))
    if not found.is_without_change:
        raise typer.Exit(1)


def _rehearsal_in_words(found: "UpgradeRehearsal") -> list[str]:
    replayed = f"replayed: {found.replayed}; made by the very rules and words that are here: {found.same}"
    if found.is_without_change:
        return [f"Nothing would change. Games {replayed}."]
    lines = [
        f"{one.game} ({one.kind}, {one.status}): {_otherwise(one.change, one.unit, one.names)}"
        + (f" It would wait for you: gm upgrade {one.game}" if one.waits else " It stays as recorded.")
        for one in found.changed
    ]
    lines += [f"{game}: {why}" for game, why in found.unreadable]
    return [*lines, f"In {len(lines)} games something would change. Games {replayed}."]


def _otherwise(change: "Change", unit: str, names: "Mapping[int, str]") -> str:
    """Say in a line what would come out otherwise."""
    what = "another result" if change.is_result else "told otherwise, with the same result"
    points = [
        f"{names.get(one.seat, f'seat {one.seat}')} {_number(one.before)} -> {_number(one.now)}"
        for one in change.points
    ]
    words = [f"{one.word} {one.before} -> {one.now}" for one in change.words]
    fault = f"these rules can't play it to its end: {change.fault}" if change.fault else ""
    parts = [f"from {unit} {change.round} on {what}", ", ".join(points), ", ".join(words), fault]
    return f"{'; '.join(filter(None, parts))}."


def _number(points: int | None) -> str:
    return "none" if points is None else str(points)
