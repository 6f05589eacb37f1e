"""Mails that aren't meant for a game: reports of mail servers, letters by people, and what breaks the rules of MIME.

Their shapes are those of real mails, the words are our own. GM_MAIL_CORPUS names a folder with real ones (`*.eml`),
which all tests that go through `mails` read as well; its `labels.tsv` says of some what they are (path, tab, class).
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).parent


@dataclass(frozen=True, kw_only=True)
class ForeignMail:
    """A mail, what it is (`report`, `person` or nothing), and in a report whom it names as not reached."""

    name: str
    raw: bytes
    kind: str = ""
    failed: dict[str, bool] = field(default_factory=dict)
    """Address -> for good."""


def mails() -> list[ForeignMail]:
    """List all of ours, and the real ones that are asked for."""
    return [*reports(), *people(), *misshapen(), *real()]


def reports() -> Iterator[ForeignMail]:
    """Read the reports: what is behind the colon names those who weren't reached."""
    for title, raw in _read("foreign_reports.txt"):
        name, _, said = title.rpartition(": ")
        failed = {address: how == "good" for address, how in re.findall(r"(\S+) for (good|now)", said)}
        yield ForeignMail(name=name, raw=raw, kind="report", failed=failed)


def people() -> Iterator[ForeignMail]:
    """Read the letters by people, as their mail programs write them."""
    return (ForeignMail(name=name, raw=raw, kind="person") for name, raw in _read("foreign_people.txt"))


def _read(name: str) -> Iterator[tuple[str, bytes]]:
    parts = re.split("^=== ", (HERE / name).read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    for number, part in enumerate(parts, 1):
        title, _, text = part.partition("\n")
        head = f"To: gm@postspiel.example\nMessage-ID: <{name}.{number}@anderswo.example>\nMIME-Version: 1.0\n"
        yield title, (head + text).replace("\n", "\r\n").encode("iso-8859-1" if "8859-15" in text else "utf-8")


def real() -> Iterator[ForeignMail]:
    """Read the folder of real mails, if one is named."""
    folder = Path(os.environ.get("GM_MAIL_CORPUS") or os.devnull)
    known = folder / "labels.tsv"
    labels = dict(line.split("\t") for line in known.read_text("utf-8").splitlines()) if known.exists() else {}
    for path in sorted(folder.rglob("*.eml")):
        name = path.relative_to(folder).as_posix()
        kind = {"bounce": "report", "bounce-or-report": "report", "human": "person"}.get(labels.get(name, ""), "")
        yield ForeignMail(name=name, raw=path.read_bytes(), kind=kind)


# -- what breaks the rules ---------------------------------------------------------------------------------------------

FROM = b"From: Dora Ems <dora@anderswo.example>\n"
MIXED = FROM + b'Subject: x\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="b"\n\n'
PLAIN = b"--b\nContent-Type: text/plain\n\nHallo\n"


def _of_type(value: bytes, body: bytes = b"Hallo\n", more: bytes = b"") -> bytes:
    return FROM + b"MIME-Version: 1.0\nContent-Type: " + value + b"\n" + more + b"\n" + body


def _encoded(value: bytes, body: bytes = b"Hallo\n") -> bytes:
    return _of_type(b"text/plain; charset=utf-8", body, b"Content-Transfer-Encoding: " + value + b"\n")


MISSHAPEN = {
    # Fields.
    "nothing": b"",
    "one line end": b"\n",
    "no fields": b"Hallo\nwie geht es?\n",
    "fields alone": FROM,
    "no end of the fields": FROM + b"Subject: x",
    "a blank line first": b"\n" + FROM + b"\nHallo\n",
    "begins as folded": b" Subject: x\n" + FROM + b"\nHallo\n",
    "mbox line": b"From dora Mon Nov  2\n" + FROM + b"\nHallo\n",
    "a line without a colon": FROM + b"this is no field\nSubject: x\n\nHallo\n",
    "wrapped without a blank": FROM + b"Subject: a long\nsubject: that goes on\n\nHallo\n",
    "empty values": FROM + b"Subject:\nTo:\nDate:\nReferences:\nIn-Reply-To:\n\nHallo\n",
    "blank before the colon": b"From : dora@anderswo.example\nSubject : x\n\nHallo\n",
    "bare CR": FROM.replace(b"\n", b"\r") + b"Subject: x\r\rHallo\r",
    "mixed line ends": FROM + b"Subject: x\r\n\nHallo\r\n",
    "NUL": FROM + b"Subject: a\0b\n\nHal\0lo\n",
    "8-bit subject": FROM + "Subject: Grüße ™\n\nHallo\n".encode("cp1252"),
    "UTF-8 subject": FROM + "Subject: Grüße 漢字\n\nHallo\n".encode(),
    "BOM": b"\xef\xbb\xbf" + FROM + b"\nHallo\n",
    "long field": FROM + b"Subject: " + b"x" * 20_000 + b"\n\nHallo\n",
    "many folds": FROM + b"Subject: x\n" + b" y\n" * 2000 + b"\nHallo\n",
    # Addresses.
    "two in From": b"From: a@anderswo.example, b@anderswo.example\n\nHallo\n",
    "two From": FROM + FROM + b"\nHallo\n",
    "no From": b"Subject: x\n\nHallo\n",
    "From of a group": b"From: Alle: a@anderswo.example, b@anderswo.example;\n\nHallo\n",
    "empty group": FROM + b"To: undisclosed-recipients:;\nCc: ;\n\nHallo\n",
    "double @": b"From: <a@b@anderswo.example>\n\nx\n",
    "@ in a name": b'From: "dora@work" <dora@anderswo.example>\n\nHallo\n',
    "no address": b"From: Dora Ems\n\nHallo\n",
    "signs escaped": b'From: "D\\"ora" (a \\) b) <dora@anderswo.example>\n\nHallo\n',
    "quotes open": b'From: "Dora <dora@anderswo.example>\n\nHallo\n',
    "trailing dot": b"From: dora.@anderswo.example\n\nx\n",
    "comments nest": b"From: (a (b (c) d) dora@anderswo.example (e\n\nHallo\n",
    "route": b"From: <@a,@b:dora@c.example>\n\nx\n",
    "literal": b"From: dora@[192.0.2.1]\n\nHallo\n",
    "line end in To": FROM + b"To: a@b.example\n\t, c@d.example\n\nx\n",
    "obsolete dates": FROM + b"Date: 21 Nov 97 09(comment):   55  :  06 GMT\n\nHallo\n",
    "date in words": FROM + b"Date: tomorrow\n\nHallo\n",
    "date of nowhere": FROM + b"Date: Mon, 99 Foo 26 99:99 +9999\n\nx\n",
    "ids": FROM + b"Message-ID: <a b>\nReferences: <x@y> z <<q@r>> <\nIn-Reply-To: your mail of Monday\n\nHallo\n",
    # Encoded words.
    "encoded subject": FROM + b"Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?= =?iso-8859-1?B?/A==?=\n\nHallo\n",
    "unknown charset": FROM + b"Subject: =?x-none?q?Gr=FC?=\n\nHallo\n",
    "no end": FROM + b"Subject: =?utf-8?q?Gr\n\nHallo\n",
    "broken base64 word": FROM + b"Subject: =?utf-8?b?R3LD?= =?utf-8?b?!!!?=\n\nHallo\n",
    "word in a word": FROM + b"Subject: =?utf-8?q?=3D=3Futf-8=3Fq=3FA=3F=3D?=\n\nHallo\n",
    "word in an address": b"From: =?utf-8?q?a=40b=2Eexample?= <dora@anderswo.example>\n\nHallo\n",
    "word in quotes": b'From: "=?utf-8?q?D=C3=B3ra?=" <dora@anderswo.example>\n\nHallo\n',
    "iso-2022-jp": FROM + b"Subject: =?ISO-2022-JP?B?GyRCJUYlOSVIGyhC?=\n\n\x1b$B%F%9%H\x1b(B\n",
    # Types.
    "no type": _of_type(b""),
    "half a type": _of_type(b"text"),
    "type with blanks": _of_type(b"text / plain ; charset = utf-8"),
    "three parts": _of_type(b"text/plain/x"),
    "semicolons": _of_type(b"text/plain;; charset=utf-8;"),
    "caps": _of_type(b"TEXT/PLAIN"),
    "charset twice": _of_type(b"text/plain; charset=utf-8; charset=latin1"),
    "charset unknown": _of_type(b"text/plain; charset=x-y"),
    "charset empty": _of_type(b'text/plain; charset=""'),
    "charset quoted half": _of_type(b'text/plain; charset="utf-8'),
    "charset lies": _of_type(b"text/plain; charset=us-ascii", "Grüße\n".encode("cp1252")),
    "utf-16": _of_type(b"text/plain; charset=utf-16", "Hallo\n".encode("utf-16")),
    "utf-7": _of_type(b"text/plain; charset=utf-7"),
    "shift_jis": _of_type(b"text/plain; charset=Shift_JIS", "テスト\n".encode("shift_jis")),
    "ks_c_5601": _of_type(b"text/plain; charset=ks_c_5601-1987", "한글\n".encode("euc_kr")),
    "idna as charset": _of_type(b"text/plain; charset=idna"),
    "codec that is none": _of_type(b"text/plain; charset=base64"),
    "two types": _of_type(b"text/plain", more=b"Content-Type: text/html\n"),
    "html": _of_type(b"text/html", b"<p>Hal<b>lo</p><"),
    "calendar": _of_type(b"text/calendar; method=REQUEST", b"BEGIN:VCALENDAR\nEND:VCALENDAR\n"),
    "tnef": _of_type(b"application/ms-tnef; name=winmail.dat", b"\x78\x9f\x3e\x22"),
    "partial": _of_type(b'message/partial; id="x"; number=2; total=3'),
    "external": _of_type(b"message/external-body; access-type=x"),
    "a mail as the mail": _of_type(b"message/rfc822", FROM + b"\nHallo\n"),
    "empty mail in it": _of_type(b"message/rfc822", b""),
    "flowed": _of_type(b"text/plain; format=flowed; delsp=yes", b"> > a \n> b \n c \n-- \nd \n"),
    # Encodings.
    "7-bit": _encoded(b"7-bit"),
    "plain": _encoded(b"plain"),
    "empty": _encoded(b""),
    "of a type": _encoded(b"text/html"),
    "8bits": _encoded(b"8bits;"),
    "quoted with a blank": _encoded(b"quoted-printable ", b"Gr=C3=BC=\n=zz=\n="),
    "spam": _encoded(b"x y"),
    "bad base64": _encoded(b"base64", b"SGFsbG8*\n===\nSG"),
    "uuencode": _encoded(b"x-uuencode", b"begin 644 a\n%2&%L;&\\`\n`\nend\n"),
    "uuencode in text": FROM + b"\nbegin 644 a.txt\n%2&%L;&\\`\n`\nend\n",
    "binary": _encoded(b"binary", bytes(range(256))),
    # Parts.
    "no boundary": _of_type(b"multipart/mixed", PLAIN),
    "boundary never comes": _of_type(b"multipart/mixed; boundary=zzz", PLAIN),
    "empty boundary": _of_type(b'multipart/mixed; boundary=""', PLAIN),
    "parts without an end": MIXED + PLAIN,
    "no parts": MIXED + b"--b--\n",
    "boundary with signs": _of_type(b"multipart/mixed; boundary=a/b?c=d", b"--a/b?c=d\n\nHallo\n--a/b?c=d--\n"),
    "similar boundaries": MIXED
    + b'--b\nContent-Type: multipart/mixed; boundary="b1"\n\n--b1\n\nHallo\n--b1--\n--b--\n',
    "the same boundary": MIXED + b'--b\nContent-Type: multipart/mixed; boundary="b"\n\n' + PLAIN + b"--b--\n--b--\n",
    "before and behind": MIXED + b"a preamble\n" + PLAIN + b"--b--\nan epilogue\n--b\n\nmore\n",
    "double bound": MIXED + b"--b\n--b\nContent-Type: text/plain\n\nHallo\n--b--\n",
    "no type in a part": MIXED + b"--b\n\nHallo\n--b--\n",
    "part ends in its fields": MIXED + b"--b\nContent-Type: text/plain\n--b--\n",
    "blanks behind": MIXED + b"--b  \n\nHallo\n--b-- \n",
    "encoded multipart": MIXED.replace(b"\n\n", b"\nContent-Transfer-Encoding: base64\n\n") + PLAIN + b"--b--\n",
    "nested deep": b"".join(_of_type(b"multipart/mixed; boundary=%d" % at, b"--%d\n" % at) for at in range(30)),
    "signed": _of_type(
        b"multipart/signed; protocol=x; boundary=b",
        PLAIN + b"--b\nContent-Type: application/pgp-signature\n\nx\n--b--\n",
    ),
    "appledouble": _of_type(
        b"multipart/appledouble; boundary=b", b"--b\nContent-Type: application/applefile\n\nx\n" + PLAIN + b"--b--\n"
    ),
    "digest": _of_type(b"multipart/digest; boundary=b", b"--b\n\nFrom: a@b.example\n\nHallo\n--b--\n"),
    # Attachments.
    "file name in 8 bits": MIXED + b"--b\nContent-Disposition: attachment; filename=Gr\xfc\xdfe.txt\n\nx\n--b--\n",
    "file name in pieces": MIXED
    + b"--b\nContent-Disposition: attachment; filename*0*=utf-8''Gr%C3; filename*1*=%BC.txt\n\nx\n--b--\n",
    "disposition of nothing": MIXED
    + b"--b\nContent-Disposition:\n\nx\n--b\nContent-Disposition: ;x\nContent-Disposition: a\n\nx\n--b--\n",
    "file alone": _of_type(b"application/pdf; name=a.pdf", b"JVBERg==", b"Content-Transfer-Encoding: base64\n"),
    "text as a file": _of_type(b"text/plain", more=b"Content-Disposition: attachment; filename=zug.txt\n"),
    "asks for help": FROM + b"Subject: Hilfe\n\nHilfe\n",
}


def misshapen() -> Iterator[ForeignMail]:
    """Give what breaks the rules of MIME and of fields, or keeps those that hardly anybody uses."""
    return (ForeignMail(name=name, raw=raw) for name, raw in MISSHAPEN.items())
