"""How the service is kept running: a systemd unit, or a line for cron."""

import os
import pwd
import re
import shlex
import sys
from pathlib import Path
from typing import Final

UNIT: Final = "gm.service"
ENVIRONMENT: Final = "gm.env"
"""Where the unit looks for the passwords when `gm init` was given none."""

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
{walls}
[Install]
WantedBy={target}
"""
_NETWORK: Final = "Wants=network-online.target\nAfter=network-online.target\n"
_WALLS: Final = """\
User={user}
PrivateDevices=yes
{tmp}ProtectSystem=strict
# The only folder it may write to; add those that [database], [archive] name elsewhere.
ReadWritePaths={folder}
"""


def write_unit(unit: Path, config: Path, *, has_passwords: bool) -> Path:
    """Write a systemd unit for this config, beside it. Raises OSError."""
    config = config.absolute()
    text = render_unit(config, is_system=is_root(), user=_user(), environment="" if has_passwords else ENVIRONMENT)
    unit.write_text(text, encoding="utf-8")
    return unit


def is_root() -> bool:
    """Say whether a unit for the whole system can be installed; others have units of their own."""
    return os.geteuid() == 0


def render_unit(config: Path, *, is_system: bool, user: str, environment: str = "") -> str:
    """Write the text of a unit. A user's unit has no walls around it: setting them up takes a system's rights."""
    folder, command = config.parent, _serve(config)
    walls = _WALLS.format(
        user=user, folder=_quoted(str(folder)), tmp="" if _is_in_tmp(folder, command[0]) else "PrivateTmp=yes\n"
    )
    return _UNIT.format(
        install="\n".join(f"#   {line}" for line in installation(folder / UNIT, is_system=is_system)),
        after=_NETWORK if is_system else "",
        start=" ".join([_quoted(command[0]), *(_quoted(word).replace("$", "$$") for word in command[1:])]),
        folder=_doubled(folder),  # these two aren't split into words, so quotes would be part of the name
        environment=f"EnvironmentFile={_doubled(folder / environment)}\n" if environment else "",
        walls=walls if is_system else "",
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
    """Write the line for a crontab: a pass every minute, silent unless something is wrong."""
    command = shlex.join([*_serve(config.absolute()), "--once"])
    return f"* * * * * {command.replace('%', chr(92) + '%')} >/dev/null"


def _serve(config: Path) -> list[str]:
    return [*_program(), "serve", "--config", str(config)]


def _program() -> list[str]:
    """Name the gm that runs now by its whole path: neither systemd nor cron knows the shell's PATH."""
    called, beside = Path(sys.argv[0]), Path(sys.executable).with_name("gm")
    for path in (called, beside):
        if path.name == "gm" and path.is_absolute() and path.is_file() and os.access(path, os.X_OK):
            return [str(path)]
    return [sys.executable, "-c", "from gm.cli import main; main()"]


def _user() -> str:
    try:
        return pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:  # in a container, a number may have no name
        return str(os.geteuid())


def _is_in_tmp(*paths: Path | str) -> bool:
    """Say whether anything needed would be hidden by a /tmp of its own."""
    return any(str(path).startswith(("/tmp/", "/var/tmp/")) for path in paths)


def _doubled(path: Path) -> str:
    return str(path).replace("%", "%%")


def _quoted(word: str) -> str:
    """Quote a word for systemd.syntax(7), if it needs it."""
    doubled = word.replace("%", "%%")
    if re.fullmatch(r"[\w@%+=:,./$-]+", doubled):
        return doubled
    return '"' + doubled.replace("\\", "\\\\").replace('"', '\\"') + '"'
