"""`gm` as on Windows, as far as that can be played elsewhere: a script with the arguments of `gm`.

Modules of gm/, games/ and parsers/ find nothing that only POSIX has; Python's own modules and other packages have it,
as they do without by themselves. What is open can't be renamed or deleted, a folder can't be opened, and names that
Windows doesn't allow are refused in the working folder.
"""

import builtins
import os
import re
import sys
import types
import warnings
from pathlib import Path
from typing import Any, Final

OURS: Final = {"gm", "games", "parsers"}

MODULES: Final = {
    "crypt", "curses", "fcntl", "grp", "posix", "pty", "pwd", "readline", "resource", "spwd", "syslog", "termios",
    "tty",
}  # fmt: skip
"""Modules that only POSIX has."""

SIGNALS: Final = (
    "SIG(ABRT|BREAK|FPE|ILL|INT|SEGV|TERM)|SIG_DFL|SIG_IGN|CTRL_.*|NSIG|Handlers|Signals|default_int_handler|getsignal|"
    "raise_signal|set_wakeup_fd|signal|strsignal|valid_signals|__.*"
)
"""All that `signal` has on Windows."""

NAMES: Final = {
    "os": r"O_(?!RDONLY|WRONLY|RDWR|APPEND|CREAT|EXCL|TRUNC).*|(EX_|F_|RTLD_|SCHED_|ST_)(?!OK).*|W[A-Z]+|.*xattr.*|"
    r"sched_.*|[lf]?ch(own|flags|root)|[fl]chmod|[gs]ete?[ug]id|[gs]etres?[ug]id|[gs]etre[ug]id|getgroups|getgrouplist|"
    r"sync|initgroups|f?statvfs|fork(pty)?|getenvb|environb|getloadavg|[gs]et(pgid|pgrp|sid|priority)|killpg|link|"
    r"lockf|symlink|readlink|major|makedev|minor|mkfifo|mknod|nice|openpty|f?pathconf|pipe2|posix_.*|preadv?|"
    r"pwritev?|readv|writev|sendfile|register_at_fork|sysconf|tc[gs]etpgrp|ttyname|uname|wait[34]?|fdatasync|fchdir|ctermid",
    "select": r"(?!select$|error$|__).*",
    "signal": rf"(?!({SIGNALS})$).*",
    "socket": r"AF_(UNIX|NETLINK|PACKET)|MSG_(DONTWAIT|NOSIGNAL|CMSG_CLOEXEC)|SO_(REUSEPORT|PEERCRED)|(send|recv)_fds",
    "time": r"CLOCK_.*|clock_(get|set)\w+|tzset|pthread_.*",
}
"""Names that a module doesn't have on Windows."""

FORBIDDEN: Final = re.compile(r'[<>:"|?*\\\x00-\x1f]|[. ]$|^(con|prn|aux|nul|com\d|lpt\d)(\.|$)', re.IGNORECASE)
"""What the name of a file can't be there."""


def hide() -> None:
    """Let our modules import only what Windows has."""
    import filelock  # noqa: F401  it has a Windows of its own

    lent = {name: _without(__import__(name), re.compile(hidden)) for name, hidden in NAMES.items()}
    import_any = builtins.__import__

    def import_here(
        name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0  # noqa: A002
    ) -> Any:  # fmt: skip
        if level == 0 and _is_ours(globals or {}):
            first = name.partition(".")[0]
            if first in MODULES:
                raise ModuleNotFoundError(f"No module named {first!r} on Windows", name=first)
            if first in lent and (name == first or not fromlist):
                return lent[first]
        return import_any(name, globals, locals, fromlist, level)

    builtins.__import__ = import_here


def _is_ours(names: dict[str, Any]) -> bool:
    return str(names.get("__name__", "")).partition(".")[0] in OURS


def _without(module: types.ModuleType, hidden: re.Pattern[str]) -> types.ModuleType:
    lent = types.ModuleType(module.__name__, module.__doc__)
    vars(lent).update({name: value for name, value in vars(module).items() if not hidden.fullmatch(name)})
    return lent


# -- files -------------------------------------------------------------------------------------------------------------

HERE: Final = Path.cwd()


def watch(event: str, given: tuple[Any, ...]) -> None:
    """Refuse what Windows refuses (an audit hook). Raises PermissionError."""
    if event == "os.rename":
        _refuse_if_open(given[0], given[2])
        _refuse_if_open(given[1], given[3])
        _refuse_name(given[1], given[3])
        if _place(given[1], given[3]).is_dir():
            _refuse(f"nothing takes the place of a folder ({given[1]})")
    elif event in ("os.remove", "os.rmdir"):
        _refuse_if_open(given[0], given[1], is_folder=event == "os.rmdir")
    elif event == "os.mkdir":
        _refuse_name(given[0], given[2])
    elif event == "open" and isinstance(given[0], str | Path):
        _refuse_name(given[0], -1)
        if _is_ours(sys._getframe(1).f_globals) and Path(given[0]).is_dir():
            _refuse(f"{given[0]} is a folder, which can't be opened")


def _place(name: Any, folder: int) -> Path:
    """Say where a file is that may be named in an open folder, as shutil.rmtree does it."""
    beside = Path(f"/proc/self/fd/{folder}").readlink() if folder >= 0 else Path.cwd()
    return beside / os.fsdecode(name)


def _refuse_if_open(name: Any, folder: int, *, is_folder: bool = False) -> None:
    path = _place(name, folder)
    for one in Path("/proc/self/fd").glob("*"):  # elsewhere than on Linux nothing is found
        try:
            held = one.readlink()
        except OSError:
            continue
        if (held == path and not is_folder) or path in held.parents:
            _refuse(f"{held} is open, so {path} can't be moved or deleted")


def _refuse_name(name: Any, folder: int) -> None:
    path = _place(name, folder)
    if path.is_relative_to(HERE) and any(map(FORBIDDEN.search, path.relative_to(HERE).parts)):
        _refuse(f"{path} is no name for a file")


def _refuse(says: str) -> None:
    raise PermissionError(13, f"On Windows {says}")


if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).parents[2])
    hide()
    sys.addaudithook(watch)
    warnings.filterwarnings(
        "error", category=EncodingWarning, module=rf"({'|'.join(OURS)})\b"
    )  # with warn_default_encoding
    from gm.cli import main

    main()
