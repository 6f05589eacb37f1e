"""The systemd unit and the line for cron that keep the service running."""

import os
import pwd
import re
import shlex
import sys
from pathlib import Path
from typing import Final

UNIT: Final = "gm.service"
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
NoNewPrivileges=yes
LimitCORE=0
{sandbox}
[Install]
WantedBy={target}
"""
_NETWORK: Final = "Wants=network-online.target\nAfter=network-online.target\n"
_SANDBOX: Final = """\
User={user}
PrivateDevices=yes
{tmp}ProtectSystem=strict
# The only folder it may write to; add those that [database], [backup], [archive] name elsewhere.
ReadWritePaths={folder}
"""


def write_unit(unit: Path, config: Path, *, has_passwords: bool) -> Path:
    """Write a systemd unit for this config, beside it. Raises OSError."""
    config = config.absolute()
    text = render_unit(config, is_system=is_root(), user=_user(), environment="" if has_passwords else ENVIRONMENT)
    unit.write_text(text, encoding="utf-8")
    return unit


def is_root() -> bool:
    """Return whether a unit for the whole system can be installed. Other users have units of their own."""
    return os.geteuid() == 0


def render_unit(config: Path, *, is_system: bool, user: str, environment: str = "") -> str:
    """Return the text of a unit. A user's unit has no sandbox: that takes the rights of root."""
    folder, command = config.parent, _serve(config)
    sandbox = _SANDBOX.format(
        user=user, folder=_quoted(str(folder)), tmp="" if _is_in_tmp(folder, command[0]) else "PrivateTmp=yes\n"
    )
    return _UNIT.format(
        install="\n".join(f"#   {line}" for line in installation(folder / UNIT, is_system=is_system)),
        after=_NETWORK if is_system else "",
        start=" ".join([_quoted(command[0]), *(_quoted(word).replace("$", "$$") for word in command[1:])]),
        folder=_escaped(folder),  # this and EnvironmentFile are not split into words, so quotes would be part of them
        environment=f"EnvironmentFile={_escaped(folder / environment)}\n" if environment else "",
        sandbox=sandbox if is_system else "",
        target="multi-user.target" if is_system else "default.target",
    )


def installation(unit: Path, *, is_system: bool) -> list[str]:
    """List the commands that install a unit and start it."""
    link = shlex.quote(str(unit.absolute()))
    if is_system:
        # Copied, as a home or a late disk may not be there yet when systemd reads its units.
        return [f"cp {link} /etc/systemd/system/", "systemctl daemon-reload", f"systemctl enable --now {UNIT}"]
    return [f"systemctl --user enable --now {link}", "loginctl enable-linger"]


def cron_line(config: Path) -> str:
    """Return the line for a crontab: a pass every minute, without output unless something is wrong."""
    command = shlex.join([*_serve(config.absolute()), "--once"])
    return f"* * * * * {command.replace('%', chr(92) + '%')} >/dev/null"


def _serve(config: Path) -> list[str]:
    return [*_program(), "serve", "--config", str(config)]


def _program() -> list[str]:
    """Return the command of this gm by its whole path: systemd and cron don't know the shell's PATH."""
    called, beside = Path(sys.argv[0]), Path(sys.executable).with_name("gm")
    for path in (called, beside):
        if path.name == "gm" and path.is_absolute() and path.is_file() and os.access(path, os.X_OK):
            return [str(path)]
    return [sys.executable, "-c", "from gm.cli import main; main()"]


def _user() -> str:
    try:
        return pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:  # in a container a user id may have no name
        return str(os.geteuid())


def _is_in_tmp(*paths: Path | str) -> bool:
    """Return whether PrivateTmp would hide any of these paths."""
    return any(str(path).startswith(("/tmp/", "/var/tmp/")) for path in paths)


def _escaped(path: Path) -> str:
    return str(path).replace("%", "%%")


def _quoted(word: str) -> str:
    """Quote a word for systemd.syntax(7) where that is needed."""
    escaped = word.replace("%", "%%")
    if re.fullmatch(r"[\w@%+=:,./$-]+", escaped):
        return escaped
    return '"' + escaped.replace("\\", "\\\\").replace('"', '\\"') + '"'
