"""The bytes of a mail: headers correct with any name, and a Message-ID that is stable and can't be guessed."""

import re
from dataclasses import replace
from datetime import UTC, datetime
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from email.utils import parseaddr

import pytest

from gm.messages.rendering.mime import Attachment, Envelope, message_id, write_letter
from parsers.mime.message import read_mail

ENVELOPE = Envelope(
    sender_name="Dottendorfer Soccer", sender="zug@postspiel.example", to_name="Frida Groß",
    to="frida@spieler.example", message_id="<abc@postspiel.example>", date=datetime(2026, 12, 18, 19, tzinfo=UTC),
    language="de", automatic="auto-generated", list_id="<eriwan.postspiel.example>",
)  # fmt: skip


def letter(subject: str = "Zug", text: str = "Hallo\n", html: str = "<p>Hallo</p>\n", **changes: object) -> bytes:
    """Write a letter whose envelope differs in something."""
    return write_letter(replace(ENVELOPE, **changes), subject, text, html)


def opened(raw: bytes) -> EmailMessage:
    """Read it as a mail program does."""
    message = message_from_bytes(raw, policy=default)
    assert isinstance(message, EmailMessage)
    assert not message.defects
    return message


@pytest.mark.parametrize(
    "subject",
    [
        "Zug",
        "[Eriwan] Runde 3 ausgewertet – ZAT Runde 4: Fr, 18.12.2026, 20:00 Uhr",
        "[Unaussprechlich-lange-Partie-1] Willkommen als Ersatz für Wilhelmine Großmann – ZAT Runde 1: Mo, 16.11.2026",
        "a" * 200,
        "wort " * 60,
        "ä" * 150,
    ],
)
def test_subjects(subject):
    """A subject of any length and any letters arrives as it was meant, in header lines that every server takes."""
    raw = letter(subject)
    assert opened(raw)["Subject"].strip() == subject.strip()  # a word that fills a line begins on the next one
    head = raw.partition(b"\r\n\r\n")[0].split(b"\r\n")
    assert max(len(line) for line in head if "a" * 99 not in line.decode()) <= 78


@pytest.mark.parametrize(
    "name",
    [
        "Anna Berg", "Frida Groß", 'Eve "Co"', "Berg, Anna", "a@b.example", "<b>Eve</b>", "Jürgen (Köln)", "\\", "李明",
        "", "=?utf-8?q?x?=", "undisclosed-recipients:;", "ö" * 40,
    ],
)  # fmt: skip
def test_names(name):
    """Whatever a player is called, the mail goes to the one address."""
    message = opened(letter(to_name=name))
    assert [address.addr_spec for address in message["To"].addresses] == ["frida@spieler.example"]
    if "=?" not in name:
        assert message["To"].addresses[0].display_name == name
    assert parseaddr(str(message["To"]))[1] == "frida@spieler.example"


def test_line_breaks_make_no_headers():
    """A line break in a name or a subject can't add a header."""
    nasty = "Eve\r\nBcc: x@y.example"
    for raw in (letter(to_name=nasty), letter(sender_name=nasty), letter(nasty), letter(nasty.replace("\r", ""))):
        assert b"\r\nBcc:" not in raw
        assert opened(raw)["Bcc"] is None


def test_text_and_html_arrive_as_written():
    """Blanks at line ends, long lines, signs of any language and lone dots come through."""
    text = "  1 a b c   \n.\n..\nFrom here\nGrüße – »ß« 李 🎲\n" + "x" * 3000 + "\n"
    raw = letter("Zug", text, f"<p>{text}</p>\n")
    plain, page = opened(raw).iter_parts()
    assert plain.get_content().replace("\r\n", "\n") == text
    assert page.get_content().replace("\r\n", "\n") == f"<p>{text}</p>\n"
    assert raw.isascii()
    assert not re.search(rb"(?<!\r)\n|\r(?!\n)", raw)
    assert max(map(len, raw.split(b"\r\n"))) <= 78


def test_thread():
    """An answer refers to what it answers, in few ids that are folded where the line is full."""
    ids = (f"<{'a' * 60}@postspiel.example>", f"<{'b' * 60}@postspiel.example>")
    raw = letter(in_reply_to=ids[1], references=ids)
    message = opened(raw)
    assert message["References"].split() == list(ids)
    assert message["In-Reply-To"].strip() == ids[1]
    assert b" <" + b"b" * 60 in raw


def test_a_program_wrote_it():
    """Answering machines stay silent, and a loop would be seen."""
    message = opened(letter())
    assert message["Auto-Submitted"] == "auto-generated"
    assert message["X-Auto-Response-Suppress"] == "All"
    assert message["X-Loop"] == "zug@postspiel.example"
    assert message["Date"] == "Fri, 18 Dec 2026 19:00:00 +0000"
    assert "List-Id" not in opened(letter(list_id=""))
    assert "References" not in message
    assert "In-Reply-To" not in message


def test_unsubscribing():
    """List-Unsubscribe is never folded, however long a name is, and only mails that need it have it."""
    link = f"mailto:zug@postspiel.example?subject=Digest%20aus&body=Name%3A%20{'%C3%B6' * 40}"
    assert f"\r\nList-Unsubscribe: <{link}>\r\n".encode() in letter(unsubscribe=link)
    assert opened(letter(unsubscribe=link))["List-Unsubscribe"] == f"<{link}>"
    assert "List-Unsubscribe" not in opened(letter())


def test_the_same_bytes_every_time():
    """A second attempt sends the same mail, not a similar one."""
    assert letter() == letter()


def test_message_ids():
    """The same cause, recipient and kind give the same id; any other, or another secret, an id nobody can guess."""
    known = ("secret", "turn:7", "3", "bulletin", "postspiel.example")
    first = message_id(*known)
    assert first == message_id(*known)
    assert re.fullmatch(r"<[a-z2-7]{24}@postspiel\.example>", first)
    others = {message_id(*known[:at], "other", *known[at + 1 :]) for at in range(4)}
    assert len(others | {first}) == 5


DATA = '{"name": "Möhrensuppe=42",\r\n "long": "' + "ö" * 30 + '"}\r\n'


def with_file(**changes: object) -> bytes:
    """Write a letter with a file."""
    file = Attachment(name="moehrensuppe.json", content=DATA.encode(), kind='application/json; charset="utf-8"')
    return write_letter(replace(ENVELOPE, **changes), "Zug", "Hallo\n", "<p>Hallo</p>\n", file)


def test_an_attached_file():
    """A file hangs below the words, byte for byte, under a name that every mail program can save."""
    raw = with_file()
    words, file = opened(raw).iter_parts()
    assert [part.get_content_type() for part in words.iter_parts()] == ["text/plain", "text/html"]
    assert file.get_payload(decode=True) == DATA.encode()
    assert (file.get_content_type(), file.get_filename()) == ("application/json", "moehrensuppe.json")
    assert dict(file["Content-Type"].params) == {"charset": "utf-8", "name": "moehrensuppe.json"}
    assert file.get_content_disposition() == "attachment"
    assert raw.isascii()
    assert not re.search(rb"(?<!\r)\n|\r(?!\n)", raw)
    assert max(map(len, raw.split(b"\r\n"))) <= 78


def test_a_file_changes_nothing_else():
    """The words are the same bytes with and without a file; a second attempt sends the same file."""
    alone = letter("Zug")
    words = alone[alone.index(b"--=_") :]
    assert words in with_file()
    assert with_file() == with_file()
    assert with_file(message_id="<xyz@postspiel.example>") != with_file()


def test_our_own_reader_finds_the_words():
    """A mail of ours with a file, sent back to us, is read by its words; the file is a file."""
    mail = read_mail(with_file())
    assert mail.texts == ("Hallo\n",)
    assert "<p>Hallo</p>" in mail.html
    assert mail.has_attachment
    assert mail.part_types == (
        "multipart/mixed", "multipart/alternative", "text/plain", "text/html", "application/json",
    )  # fmt: skip
