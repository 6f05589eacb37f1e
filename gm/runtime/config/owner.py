"""Whose a zine is: what root wrote into it, its service couldn't."""

import os
from pathlib import Path


def become_owner(path: Path) -> None:
    """Go on as the owner of a zine's config or folder, where root opens one that is another user's.

    There is no way back for the process. Windows has no root.
    """
    if not hasattr(os, "geteuid") or os.geteuid() != 0 or not path.exists() or (owner := path.stat().st_uid) == 0:
        return
    import pwd

    try:
        user = pwd.getpwuid(owner)
    except KeyError:
        return
    os.initgroups(user.pw_name, user.pw_gid)
    os.setgid(user.pw_gid)
    os.setuid(owner)
    os.environ.update(HOME=user.pw_dir, USER=user.pw_name, LOGNAME=user.pw_name)
