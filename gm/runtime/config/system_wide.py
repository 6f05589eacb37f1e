"""Where a zine that is installed for the whole system lies, and whose it is."""

import os
import pwd
from pathlib import Path
from typing import Final

USER: Final = "gm"
"""The system user as whom such a zine is served. Nobody logs in as it."""
CONFIG_FOLDER: Final = Path("/etc/gm")
"""Config and passwords: root writes them, and this user may read them."""
STATE_FOLDER: Final = Path("/var/lib/gm")
"""All that the service and the commands write: database, backups, archive, tokens, issues."""


def configs() -> tuple[Path, Path]:
    """Name the configs of the system, the usual one first; a whole zine is restored into one folder."""
    return CONFIG_FOLDER / "config.toml", STATE_FOLDER / "config.toml"


def state_folder(folder: Path) -> Path:
    """Return where a zine whose config lies in this folder keeps what it writes: there, but /var/lib/gm for /etc/gm."""
    return STATE_FOLDER if folder == CONFIG_FOLDER else folder


def become_user(config: Path) -> None:
    """Go on as the zine's user where root opens the system's zine: what root writes, the service couldn't.

    There is no way back for the process. Nothing happens for others, for another config, and before the user is made.
    """
    if os.geteuid() != 0 or config.absolute() not in configs():
        return
    try:
        user = pwd.getpwnam(USER)
    except KeyError:
        return
    os.initgroups(USER, user.pw_gid)
    os.setgid(user.pw_gid)
    os.setuid(user.pw_uid)
    os.environ.update(HOME=user.pw_dir, USER=USER, LOGNAME=USER)
