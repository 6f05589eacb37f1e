"""Certificates for test servers with exactly the extensions that a test wants; made by openssl."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

Extensions = Mapping[str, str]

AUTHORITY: Extensions = {
    "basicConstraints": "critical,CA:TRUE", "keyUsage": "critical,keyCertSign,cRLSign", "subjectKeyIdentifier": "hash",
}  # fmt: skip
"""What RFC 5280 asks of a CA."""
SERVER: Extensions = {
    "basicConstraints": "CA:FALSE", "keyUsage": "critical,digitalSignature", "extendedKeyUsage": "serverAuth",
    "subjectKeyIdentifier": "hash", "authorityKeyIdentifier": "keyid",
}  # fmt: skip
"""What it asks of a server's certificate, but for the name."""
NONE = "none"
"""Of an identifier: leave it out. OpenSSL would put it in by itself."""
DAYS = ("-days", "2")
PAST = ("-startdate", "20200101000000Z", "-enddate", "20200201000000Z")

_KEY = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
_CONFIG = """
[req]
distinguished_name = whose
[whose]
[ca]
default_ca = a
[a]
database = index
new_certs_dir = .
rand_serial = yes
default_md = sha256
policy = anything
unique_subject = no
[anything]
commonName = optional
[wanted]
{wanted}
"""


@dataclass(frozen=True, kw_only=True)
class Authority:
    """A CA in a folder of its own: `ca.crt` is what to trust, `sign` makes NAME.crt and NAME.key."""

    folder: Path

    @property
    def certificate(self) -> Path:
        """The file to trust."""
        return self.folder / "ca.crt"

    def sign(
        self, name: str, extensions: Extensions, *, subject: str = "/CN=server", dates: tuple[str, ...] = DAYS
    ) -> Path:
        """Make a key and a certificate with these extensions."""
        self._openssl("req", *_KEY, "-config", self._config({}), "-subj", subject, "-keyout", f"{name}.key",
                      "-out", f"{name}.csr")  # fmt: skip
        self._openssl("ca", "-batch", "-config", self._config(extensions), "-extensions", "wanted", "-cert", "ca.crt",
                      "-keyfile", "ca.key", *dates, "-in", f"{name}.csr", "-out", f"{name}.crt", "-notext")  # fmt: skip
        return self.folder / f"{name}.crt"

    def self_sign(self, name: str, extensions: Extensions, *, subject: str = "/CN=server") -> Path:
        """Make a key and a certificate that nobody vouches for."""
        self._openssl("req", "-x509", *_KEY, *DAYS, "-config", self._config(extensions), "-extensions", "wanted",
                      "-subj", subject, "-keyout", f"{name}.key", "-out", f"{name}.crt")  # fmt: skip
        return self.folder / f"{name}.crt"

    def _config(self, extensions: Extensions) -> str:
        wanted = "\n".join(f"{key} = {value}" for key, value in extensions.items() if value)
        (self.folder / "openssl.conf").write_text(_CONFIG.format(wanted=wanted))
        return "openssl.conf"

    def _openssl(self, *arguments: str) -> None:
        ran = subprocess.run(["openssl", *arguments], cwd=self.folder, check=False, capture_output=True, text=True)
        assert ran.returncode == 0, ran.stderr


def authority(folder: Path, extensions: Extensions = AUTHORITY, *, subject: str = "/CN=authority") -> Authority:
    """Make a CA with these extensions; skips the test where there is no openssl."""
    if not shutil.which("openssl"):
        pytest.skip("not installed: openssl")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "index").write_text("")
    one = Authority(folder=folder)
    one.self_sign("ca", extensions, subject=subject)
    return one
