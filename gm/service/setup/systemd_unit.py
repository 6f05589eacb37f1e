"""The systemd unit and the line for cron that keep the service running."""

import os
import re
import shlex
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from gm.runtime.config import system_wide
from gm.runtime.config.passwords import reads_environment
from gm.runtime.config.settings import has_readers, read_document, written_folders

UNIT: Final = "gm.service"
INSTALLED: Final = Path("/etc/systemd/system") / UNIT
ENVIRONMENT: Final = "gm.env"
"""The file from which the unit reads the passwords when `gm init` was given none."""

_UNIT: Final = """\
# Runs `gm serve` and starts it again should it ever fail. Written by `gm init`; how to install it:
{install}

[Unit]
Description=gm, game master for postal games
{after}StartLimitIntervalSec=0

[Service]
# It says when it stands ready, and every minute or so that it lives; who hangs is ended and started again.
Type=notify
WatchdogSec=5min
TimeoutStartSec=15min
TimeoutStopSec=10
ExecStart={start}
WorkingDirectory={folder}
{environment}Restart=on-failure
RestartSec=30

# It needs no rights but its own, the mail servers, and the database. Pages that a web server reads have UMask=0022.
UMask={umask}
LimitCORE=0
NoNewPrivileges=yes
LockPersonality=yes
MemoryDenyWriteExecute=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged @resources
SystemCallErrorNumber=EPERM
{sandbox}
[Install]
WantedBy={target}
"""
_NETWORK: Final = "Wants=network-online.target\nAfter=network-online.target postgresql.service\n"
_SANDBOX: Final = """\

# A user of its own, with no rights of root, no devices, and no sight of others' processes and files.
User={user}
CapabilityBoundingSet=
DevicePolicy=closed
KeyringMode=private
PrivateDevices=yes
PrivateMounts=yes
{tmp}PrivateUsers=yes
ProtectClock=yes
ProtectControlGroups=yes
ProtectHome={home}
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectProc=invisible
ProtectSystem=strict
RemoveIPC=yes
# All that it may write to. After [database], [backup], [archive] or `tokens` in the config have changed: {renew}
{writable}
"""


def write_unit(unit: Path, config: Path) -> Path:
    """Write a systemd unit for a config, which lies beside it now and will at last lie where `config` says.

    Raises OSError, ConfigError.
    """
    config, document = config.absolute(), read_document(unit.with_name(config.name))
    text = render_unit(
        config, is_system=is_root(), user=system_wide.USER, environment=ENVIRONMENT * reads_environment(document),
        elsewhere=written_folders(document, config.parent), has_readers=has_readers(document, config.parent),
    )  # fmt: skip
    unit.write_text(text, encoding="utf-8")
    return unit


def outdated(config: Path) -> str:
    """Say how the installed unit of a config is mended; empty where it is as it would be written, or is somebody's own.

    Only what walls it in counts. Raises ConfigError.
    """
    try:
        installed = INSTALLED.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return ""
    config, document = config.absolute(), read_document(config)
    is_ours = any(line.startswith("ExecStart=") and _argument(str(config)) in line for line in installed)
    wanted = render_unit(
        config, is_system=True, user=system_wide.USER, elsewhere=written_folders(document, config.parent),
        has_readers=has_readers(document, config.parent),
    )  # fmt: skip
    walls = {line for line in wanted.splitlines() if re.match(r"(System|Read|State|User|UMask)\w*=", line)}
    if not is_ours or walls <= set(installed):
        return ""
    again = shlex.join(["gm", "init", "--unit", str(config.parent)])
    return f"{INSTALLED} is older than this version or the config; as root, `{again}` writes it anew."


def is_root() -> bool:
    """Return whether a unit for the whole system can be installed. Other users have units of their own."""
    return os.geteuid() == 0


def render_unit(
    config: Path, *, is_system: bool, user: str, environment: str = "", elsewhere: Sequence[Path] = (),
    has_readers: bool = False,
) -> str:  # fmt: skip
    """Return the text of a unit. A user's unit has the walls that take no rights of root.

    `elsewhere` are folders outside the zine's own that are written to. Files that have no rights of their own can be
    read by others only with `has_readers`: all but the archive's have.
    """
    folder, command = config.parent, _serve(config)
    used = (folder, Path(command[0]), Path(sys.executable), *elsewhere)
    sandbox = _SANDBOX.format(
        user=user,
        tmp="" if _is_below(("/tmp", "/var/tmp"), used) else "PrivateTmp=yes\n",
        home="read-only" if _is_below(("/home", "/run/user", str(Path("~root").expanduser())), used) else "yes",
        renew=shlex.join(["gm", "init", "--unit", str(folder)]),
        writable="\n".join(_writable(system_wide.state_folder(folder), elsewhere)),
    )
    return _UNIT.format(
        install="\n".join(f"#   {line}" for line in installation(folder / UNIT, is_system=is_system)),
        after=_NETWORK if is_system else "",
        start=" ".join([_quoted(command[0]), *map(_argument, command[1:])]),
        folder=_escaped(folder),  # this and EnvironmentFile are not split into words, so quotes would be part of them
        environment=f"EnvironmentFile={_escaped(folder / environment)}\n" if environment else "",
        umask="0022" if has_readers else "0077",
        sandbox=sandbox if is_system else "",
        target="multi-user.target" if is_system else "default.target",
    )


def _writable(folder: Path, elsewhere: Iterable[Path]) -> Iterator[str]:
    """Write what the service may write to. systemd makes /var/lib/gm; what is not there is left out, not missed."""
    if folder == system_wide.STATE_FOLDER:
        yield f"StateDirectory={folder.name}\nStateDirectoryMode=0750"
    else:
        yield f"ReadWritePaths={_quoted(str(folder))}"
    for path in elsewhere:
        if not path.is_relative_to(folder):
            yield f"ReadWritePaths={_quoted(f'-{path}')}"


def installation(unit: Path, *, is_system: bool) -> list[str]:
    """List the commands that install a unit and start it. Those for the system make its user, and give it the zine."""
    link, folder = shlex.quote(str(unit.absolute())), unit.absolute().parent
    if not is_system:
        return [f"systemctl --user enable --now {link}", "loginctl enable-linger"]
    user, state = system_wide.USER, system_wide.state_folder(folder)
    return [
        f"systemd-sysusers --inline 'u {user} - \"game master\" {system_wide.STATE_FOLDER}'",
        # Copied, as a home or a late disk may not be there yet when systemd reads its units; and while all may read it.
        f"cp {link} {INSTALLED.parent}/",
        *([f"chgrp -R {user} {folder}", f"chmod -R g=rX,o= {folder}"] if state != folder else []),
        f"chown -R {user}: {shlex.quote(str(state))}",
        "systemctl daemon-reload",
        f"systemctl enable --now {UNIT}",
    ]


def cron_line(config: Path) -> str:
    """Return the line for a crontab: a pass every minute, without output unless something is wrong."""
    command = shlex.join([*_serve(config.absolute()), "--once"])
    return f"* * * * * {command.replace('%', chr(92) + '%')} >/dev/null"


def _serve(config: Path) -> list[str]:
    return [*program(), "serve", "--config", str(config)]


def program() -> list[str]:
    """Return the command of this gm by its whole path: systemd and cron don't know the shell's PATH."""
    called, beside = Path(sys.argv[0]), Path(sys.executable).with_name("gm")
    for path in (called, beside):
        if path.name == "gm" and path.is_absolute() and path.is_file() and os.access(path, os.X_OK):
            return [str(path)]
    return [sys.executable, "-c", "from gm.cli import main; main()"]


def _is_below(folders: tuple[str, ...], paths: Iterable[Path]) -> bool:
    """Return whether any of the paths, or what it leads to, lies in one of the folders."""
    return any(each.is_relative_to(folder) for path in paths for each in (path, path.resolve()) for folder in folders)


def _escaped(path: Path) -> str:
    return str(path).replace("%", "%%")


def _argument(word: str) -> str:
    """Quote an argument of a command, in which systemd would put variables."""
    return _quoted(word).replace("$", "$$")


def _quoted(word: str) -> str:
    """Quote a word for systemd.syntax(7) where that is needed."""
    escaped = word.replace("%", "%%")
    if re.fullmatch(r"[\w@%+=:,./$-]+", escaped):
        return escaped
    return '"' + escaped.replace("\\", "\\\\").replace('"', '\\"') + '"'
