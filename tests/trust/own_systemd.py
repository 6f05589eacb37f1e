"""A systemd of our own as process 1 of new namespaces: units run in it as on a machine, and this one stays as it is.

What is written to /etc, /var, /opt, /run and /dev/shm lies in memory and is gone with it. Files elsewhere, the network
and its servers are this machine's.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from waiting import TIMEOUT, until

INIT = "/lib/systemd/systemd"

# A group of processes for it alone: it would take all that it finds in its own for leftovers.
_OUTSIDE = """
set -e
work=$1; init=$2; shift 2
mkdir $work/groups; mount -t cgroup2 cgroup2 $work/groups; group=$work/groups/gm-test-$$
mkdir $group; echo $$ > $group/cgroup.procs
unshare --pid --mount --cgroup --ipc --uts --fork --kill-child bash -c "$INSIDE" inside $work $init "$@" || true
echo $$ > $work/groups/cgroup.procs
find $group -depth -type d -exec rmdir {} +
"""
_INSIDE = """
set -e
work=$1; init=$2; shift 2
read -r pid _ < /proc/self/stat
mount -t tmpfs -o mode=755 tmpfs /run
number=0
for folder in /etc /var /opt "$@"; do
    number=$((number + 1)); mine=/run/memory/$number
    mkdir -p $mine/upper $mine/work
    mount -t overlay -o lowerdir="$folder",upperdir=$mine/upper,workdir=$mine/work overlay "$folder"
done
mount -t proc proc /proc
mount --bind /proc/sys /proc/sys; mount -o remount,ro,bind /proc/sys
mount -t cgroup2 cgroup2 /sys/fs/cgroup
rm -rf /etc/systemd/system/*.wants /etc/fstab /etc/gm /var/lib/gm /var/log/journal
mkdir /run/none
for wanted in /lib/systemd/system/*.target.wants; do mount --bind /run/none $wanted; done
echo $pid > $work/pid
mount -t tmpfs -o mode=1777 tmpfs /dev/shm  # where RemoveIPC deletes what is a user's
exec env -i container=test $init --system --log-target=console systemd.unit=basic.target
"""


class Systemd:
    """`with Systemd(folder) as machine:`; skips the test with the reason where none can be started."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._log = folder / "log"

    def __enter__(self) -> Systemd:
        self._refuse_what_is_missing()
        with self._log.open("wb") as log:
            self._outside = subprocess.Popen(
                ["unshare", "--mount", "--propagation", "private", "bash", "-c", _OUTSIDE, "outside", str(self.folder),
                 INIT, *map(str, closed_folders())],
                stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, env={**os.environ, "INSIDE": _INSIDE},
            )  # fmt: skip
        try:
            until("systemd, or the end of it", lambda: self._outside.poll() is not None or self._is_up(), pause=0.2)
        except BaseException:
            self.__exit__()
            raise
        if self._outside.poll() is not None:
            pytest.skip(f"no systemd of our own can be started here: {self._log.read_text()[-300:]}")
        return self

    def __exit__(self, *_: object) -> None:
        if (self.folder / "pid").exists():
            os.kill(self._pid, signal.SIGKILL)
        self._outside.wait(TIMEOUT)

    def _refuse_what_is_missing(self) -> None:
        if os.geteuid() != 0:
            pytest.skip("only root starts a systemd of its own")
        if missing := [name for name in (INIT, "unshare", "nsenter", "systemd-sysusers") if not shutil.which(name)]:
            pytest.skip(f"not installed: {', '.join(missing)}")

    @property
    def _pid(self) -> int:
        return int((self.folder / "pid").read_text())

    def _is_up(self) -> bool:
        return (self.folder / "pid").exists() and self.runs("systemctl", "is-active", "basic.target").returncode == 0

    def runs(self, *command: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run a command as root in there."""
        inside = ["nsenter", "--target", str(self._pid), "--mount", "--pid", "--cgroup", "--ipc", "--uts"]
        clean = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/", **environment}
        return subprocess.run([*inside, *command], capture_output=True, text=True, env=clean, timeout=TIMEOUT)

    def says(self, *command: str, **environment: str) -> str:
        """Run a command that must succeed, and return what it prints."""
        ran = self.runs(*command, **environment)
        assert ran.returncode == 0, f"{' '.join(command)}\n{ran.stdout}{ran.stderr}"
        return ran.stdout


def closed_folders() -> list[Path]:
    """List the folders above this program that only their owner may enter; in there everybody may."""
    used = (Path(sys.executable).absolute(), Path(sys.executable).resolve(), Path(__file__).resolve())
    above = {folder for path in used for folder in path.parents if not folder.stat().st_mode & 0o001}
    return sorted(above, key=lambda folder: len(folder.parts))
