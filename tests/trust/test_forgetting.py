"""`gm player forget`: a player leaves every kind of data, is forgotten, and every byte that is stored is searched."""

from __future__ import annotations

import base64
import html
import itertools
import json
import quopri
import unicodedata
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import timedelta
from email.header import Header
from email.message import EmailMessage
from email.policy import SMTP
from functools import cache
from typing import Any
from urllib.parse import quote

import pytest
import zines
from sqlmodel import select

from gm.archive.export import export
from gm.commands.gm_commands import actions, players
from gm.commands.gm_commands.erasure import forget
from gm.demo.in_memory_zine import GM_ADDRESS, PLAYERS, address_of, write_mail
from gm.game.replay import verify
from gm.service.outbound import digests
from gm.store.queries import game_queries, player_queries
from gm.store.tables import Address, MailIn, MailOut

prepared_zines, opener = zines.prepared_zines, zines.opener

ANNA, BERND, CARLA, DORA, EMIL, FRIDA = PLAYERS
GERDA = "Gerda Hahn"
NAME = "Friedhelma Groß-Müllerová"
FIRST, LAST = NAME.split()
LOCAL, DOMAIN = "f.grossmueller77", "xn--quittenpost-hcb.example"
ADDRESS = f"{LOCAL}@{DOMAIN}"
NEVER_THERE = "quirin.vormals@anderswo.example"
SHARED = "die.beiden@quittenhaus.example"
NEEDLES = (NAME, FIRST, LAST, ADDRESS, LOCAL, DOMAIN, NEVER_THERE, FRIDA, address_of(FRIDA))


def spellings(text: str) -> Iterator[str]:
    """Return what people and programs make of a text: cases, composed and decomposed signs, ss for ß."""
    for form in ("NFC", "NFD"):
        plain = unicodedata.normalize(form, text)
        yield from (plain, plain.lower(), plain.upper(), plain.casefold(), plain.title())


def in_base64(content: bytes) -> Iterator[bytes]:
    """Return what base64 makes of bytes, wherever they begin in what is encoded; broken lines are looked at apart."""
    for before in range(3):
        code = base64.b64encode(b"x" * before + content)
        yield code[(0, 2, 3)[before] : -4]


def encoded(text: str) -> Iterator[bytes]:
    """Return the bytes that a text may be stored as."""
    for spelling in dict.fromkeys(spellings(text)):
        for charset in ("utf-8", "latin-1", "cp1252", "utf-16-le", "utf-16-be", "utf-7"):
            content = spelling.encode(charset, "replace")
            if b"?" in content and "?" not in spelling:
                continue
            yield content
            yield quopri.encodestring(content)
            yield quopri.encodestring(content, header=True)
            yield from in_base64(content)
            yield quote(content).encode()
        yield json.dumps(spelling)[1:-1].encode()
        yield html.escape(spelling).encode()
        yield spelling.encode("ascii", "xmlcharrefreplace")
        yield "".join(c if c.isascii() else f"&#x{ord(c):x};" for c in spelling).encode()
        yield spelling.replace("ß", "&szlig;").replace("ü", "&uuml;").replace("á", "&aacute;").encode()
        yield "-".join(part.encode("punycode").decode() for part in spelling.split()).encode()


@cache
def forms_of(texts: tuple[str, ...]) -> frozenset[bytes]:
    """Return all forms of these texts that are long enough to be searched for, without soft breaks."""
    return frozenset(form.replace(b"=\n", b"") for text in texts for form in encoded(text) if len(form) > 4)


def found(content: bytes, texts: tuple[str, ...] = NEEDLES) -> set[bytes]:
    """List the forms of these texts that are in there, also across line ends and soft breaks, and whatever the case.

    Each form is searched for once, as that takes most of the time: no form has a line end, so it is found without them
    if it is there at all; and one without capitals is found among small letters.
    """
    joined = content.replace(b"=\r\n", b"").replace(b"\r\n", b"").replace(b"=\n", b"").replace(b"\n", b"")
    small = joined.lower()
    return {form for form in forms_of(texts) if form in (small if form == form.lower() else joined)}


def test_each_form_is_found() -> None:
    """The search finds every form: as it stands, in capitals, across soft breaks and line ends; and nothing else."""
    assert found(b"Anna schreibt Bernd") == set()
    for form in forms_of(NEEDLES):
        assert b"\n" not in form
        assert not form.endswith(b"=")
        at = next(at for at in range(2, len(form)) if form[at - 1 : at] != b"=")
        for content in (form, b"x" + form + b"\r\n", form[:at] + b"=\r\n" + form[at:], form[:at] + b"\n" + form[at:]):
            assert form in found(content)
        assert form.lower() not in forms_of(NEEDLES) or form.lower() in found(form.upper())


def every_byte(zine: Any) -> dict[str, bytes]:
    """Read all files of the zine but its config: the database, what lies beside it, the archive with its staging."""
    folder = zine.config.parent
    files = [path for path in folder.rglob("*") if path.is_file() and path != zine.config]
    return {str(path.relative_to(folder)): path.read_bytes() for path in files} | {
        "names of files": "\n".join(map(str, folder.rglob("*"))).encode()
    }


def traces_in(zine: Any) -> dict[str, set[bytes]]:
    """Return which files hold which forms."""
    return {name: forms for name, content in every_byte(zine).items() if (forms := found(content))}


def letter(sender: str, text: str, *, charset: str = "utf-8", cte: str = "8bit", **headers: str) -> bytes:
    """Write a mail in a charset and an encoding, as mail programs differ."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = sender, GM_ADDRESS, headers.pop("Subject", "Gruß")
    for key, value in headers.items():
        mail[key.replace("_", "-")] = value
    mail.set_content(text, charset=charset, cte=cte)
    return mail.as_bytes(policy=SMTP)


def mails_that_name(text: str) -> Iterator[bytes]:
    """Write mails of others that name somebody in every way."""
    line = f"GM: Was ist mit {text}?\n"
    bernd = f"{BERND} <{address_of(BERND)}>"
    for charset, cte in itertools.product(
        ("utf-8", "iso-8859-1", "iso-8859-2"), ("8bit", "quoted-printable", "base64")
    ):
        try:
            yield letter(bernd, line, charset=charset, cte=cte)
        except UnicodeEncodeError:
            continue
    yield letter(bernd, line, charset="utf-16", cte="base64")
    for before in "", ",", ",,":
        yield letter(bernd, f"GM: {before}{text}\n", cte="base64")
    for spelling in dict.fromkeys(spellings(text)):
        yield letter(bernd, f"GM: Was ist mit {spelling}?\n")
    for written in (
        json.dumps({"name": text}), html.escape(text).encode("ascii", "xmlcharrefreplace").decode(),
        text.replace("ß", "&szlig;").replace("ü", "&uuml;").replace("á", "&aacute;"),
        f"https://x.example/?wer={quote(text)}", text.replace(" ", "\n"), text.replace(" ", "\u00a0"),
        f"<mailto:{quote(text)}@x.example>",
    ):  # fmt: skip
        yield letter(bernd, f"GM: Schau mal:\n{written}\n")
    yield letter(bernd, "GM: Siehe Betreff", Subject=f"Wegen {text}")
    for charset in ("utf-8", "iso-8859-2"):
        for code in "bq":
            word = Header(f"{text} ", charset).encode() if code == "b" else f"=?{charset}?q?{_q(text, charset)}_?="
            yield letter(bernd, "GM: Siehe Betreff").replace(b"Subject: ", f"Subject: {word} ".encode(), 1)
    yield letter(bernd, "GM: Siehe Kopie", Cc=f'"{text}" <jemand@x.example>')
    yield letter(bernd, "GM: Siehe Kopf", X_Wer=f"{ascii(text)[1:-1]} {quote(text)}")
    attached = EmailMessage()
    attached["From"], attached["To"], attached["Subject"] = bernd, GM_ADDRESS, "Anhang"
    attached.set_content("GM: Siehe Anhang")
    attached.add_attachment(f"{text}".encode(), "application", "octet-stream", filename=f"{text}.bin")
    attached.add_attachment(write_mail("x@x.example", f"Gruß, {text}", name=text), "application", "octet-stream")
    yield attached.as_bytes(policy=SMTP)


def _q(text: str, charset: str) -> str:
    return "".join(f"={byte:02X}" for byte in text.encode(charset))


def leave_traces(zine: Any) -> None:
    """Let her do all that leaves a trace, in a game that has ended, one under way and one to come."""
    app = zine.app
    players.rename(app, FRIDA, NAME)
    players.use(app, NAME, ADDRESS)
    actions.rule(app, "Eriwan", ["DNI"], False, f"so {NAME} ({ADDRESS})", False)
    zine.tick(archive=True)
    for game in ("Havanna", "Kairo"):
        actions.new_game(app, "crossword", game)
    for name, wish in zip([*PLAYERS[:5], NAME], "DNTIRO", strict=True):
        actions.join(app, "Havanna", name, ADDRESS if name == NAME else address_of(name), wish)
    actions.start(app, "Havanna")
    actions.add_standby(app, "Hans Igel", SHARED, None)
    players.use(app, "hans igel", SHARED)
    zine.tick(archive=True)
    block = f"Crossword Havanna\nName: {NAME}\nRunde: 1\nNeu: E\nROT...\n" + "......\n" * 5
    signed = f"\n\n-- \n{NAME}\n{ADDRESS}\n"
    for number, text in enumerate((
        block + signed, f"Presse Havanna\nIch, {NAME}, grüße {ADDRESS}.\nEnde\n",
        "Urlaub 24.12.2027-06.01.2028\nStandby\nBeobachten Eriwan\nBeobachten Kairo" + signed,
        f"GM: Ruf mich an, {NAME}", f"Adresse {NEVER_THERE}", "Ja ABCDEFGH", "Warten Havanna",
        "Anmeldung Kairo\nNeu: D", f"Einspruch Havanna ROT: {NAME} sagt nein",
        "Verlängerung Havanna 3 Tage\nBitte!" + signed,
    )):  # fmt: skip
        message_id = f"<{number}.{LOCAL}@{DOMAIN}>"
        zine.writes(NAME, text, sender=ADDRESS, message_id=message_id, in_reply_to=f"<a{number}.{ADDRESS}>")
    for text in NAME, ADDRESS:
        for raw in mails_that_name(text):
            zine.arrives(raw)
    zine.arrives(letter(f"{CARLA} <{address_of(CARLA)}>", "GM: Siehe Faden", References=f"<x> <0.{LOCAL}@{DOMAIN}>"))
    zine.arrives(letter(f"{CARLA} <{address_of(CARLA)}>", f"Presse Havanna\nDank an {NAME}, {ADDRESS}!\nEnde\n"))
    zine.arrives(letter(f"{NAME} <fremd@fremd.example>", f"Guten Tag, ich bin {NAME}"))
    zine.arrives(
        b"From: " + ADDRESS.encode() + b"\r\nSubject: \xff\r\nContent-Type: multipart/mixed; boundary=\r\n\r\n\0"
    )
    zine.tick(archive=True)
    with zine.writing() as session:
        player = player_queries.player_named(session, NAME)
        rows = session.exec(select(Address)).all()
        for row in rows:
            if row.player_id == player.id or row.address == address_of(BERND):
                row.bounced_at, row.bounce = zine.now, f"550 <{ADDRESS}> {NAME} unknown"
                session.add(row)
        mail = session.exec(select(MailIn).where(MailIn.sender == ADDRESS)).first()
        later = zine.now + timedelta(days=99)  # no summary takes the rows away before we look
        for address in (ADDRESS, address_of(BERND)):
            session.add(
                MailOut(cause=f"mail:{mail.id}", kind="answer", recipient=f"left out {address}", address=address,
                        message_id=f"<{address}>", subject="", status="left out", next_try=later, created_at=later)
            )  # fmt: skip
        other = session.exec(select(MailIn).where(MailIn.sender == address_of(BERND))).first()
        other.status, other.reason = "quarantined", f"nach {NAME} <{ADDRESS}>"
        session.add(other)
        digests.queue(app, session, digests.out_of_turn(app), "")
    zine.tick(archive=True)
    actions.standby(app, "Havanna", NAME, GERDA, "gerda@spieler.example")
    zine.passes_until(_zat(zine, "Havanna"), seconds=1)
    zine.tick(archive=True)


def _zat(zine: Any, game: str) -> Any:
    with zine.app.database.read() as session:
        return game_queries.game_named(session, game).zat


@dataclass(frozen=True, kw_only=True)
class Looked:
    """What was there before she was forgotten, and after."""

    zine: Any
    before: dict[str, set[bytes]]
    verified: dict[str, list[Any]]
    is_gone_from_disk: bool


@pytest.fixture(scope="module")
def looked(opener: Any) -> Iterator[Looked]:
    """A zine in which she has left every kind of trace, and was forgotten."""
    zine = opener("provisional", digest={"weekday": "sunday"}, security={"answers_per_hour": 10_000})
    with closing(zine):
        leave_traces(zine)
        settle(zine)
        site = zine.app.settings.archive.path
        assert not export(zine.app, site, full=True, seconds=0).finished  # pages wait to be put in place
        before, verified = traces_in(zine), record(zine)
        done = forget(zine.app, NAME)
        export(zine.app, site)
        yield Looked(zine=zine, before=before, verified=verified, is_gone_from_disk=done.is_gone_from_disk)


def settle(zine: Any) -> None:
    """Do what `forget` asks for: send what is queued, put aside what lies in quarantine."""
    while not zine.tick(archive=True).is_idle:
        pass
    with zine.writing() as session:
        for mail in session.exec(select(MailIn).where(MailIn.status == "quarantined")).all():
            mail.status = "ignored"
            session.add(mail)


def record(zine: Any) -> dict[str, list[Any]]:
    """Return what `gm verify` finds wrong, by game that has begun."""
    with zine.app.database.read() as session:
        games = [game for game in game_queries.games(session) if game.turn is not None]
        return {game.name: verify(zine.app, session, game) for game in games}


@pytest.mark.sqlite
def test_no_byte_is_left(looked: Looked) -> None:
    """Neither name, nor part of it, nor an address is in any file, in any encoding; before, all were in many."""
    assert {"gm.db", "archive/partien/eriwan/partie.json"} <= looked.before.keys()
    assert any(".new/" in name for name in looked.before)
    assert len(looked.before["gm.db"] | looked.before.get("gm.db-wal", set())) > 60
    assert looked.is_gone_from_disk
    assert traces_in(looked.zine) == {}


def test_the_record_holds(looked: Looked) -> None:
    """`gm verify` passes for all games, before and after."""
    assert looked.verified == record(looked.zine) == {"Eriwan": [], "Havanna": []}


def test_bounces_and_answers_left_out(looked: Looked) -> None:
    """What was noted of her address goes; what was noted of another's stays, without her."""
    assert [row.address for row in looked.zine.rows(MailOut) if row.status == "left out"] == [address_of(BERND)]
    (bounced,) = [row for row in looked.zine.rows(Address) if row.bounced_at]
    assert (bounced.address, bounced.bounce) == (address_of(BERND), "550 <N. N.> N. N. unknown")
