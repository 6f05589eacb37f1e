"""The bytes of a mail: headers correct with any name, and a Message-ID that is stable and can't be guessed."""

import re
from dataclasses import replace
from datetime import UTC, datetime
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from email.utils import parseaddr

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gm.messages.rendering.mime import BinaryFile, Envelope, message_id, text_of, with_file, write_letter
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
        "ä ö ü ß " * 20,
        "🎲 " * 60,
        'Eve "Co" <b@x>, =?utf-8?q?x=0D=0ABcc:_b=40x?= (Köln)',
    ],
)
def test_subjects(subject):
    """A subject of any length and any letters arrives as it was meant, in header lines that every server takes."""
    raw = letter(subject)
    assert opened(raw)["Subject"].strip() == subject.strip()  # a word that fills a line begins on the next one
    head = raw.partition(b"\r\n\r\n")[0].split(b"\r\n")
    assert max(len(line) for line in head if "a" * 99 not in line.decode()) <= 78


@given(text=st.text(st.characters(codec="utf-8"), max_size=200))
@example(text="a" * 2000)
@example(text="ö" * 2000)
def test_any_subject_and_name(text):
    """Any text arrives in one line with each of its printable characters, and makes no other field."""
    seen = " ".join("".join(char if char.isprintable() else " " for char in text).split())
    raw = letter(text, to_name=text)
    message = opened(raw)
    assert str(message["Subject"]).strip() == seen
    assert parseaddr(str(message["To"]))[1] == "frida@spieler.example"
    # The library puts a blank between encoded words when it reads a name.
    assert message["To"].addresses[0].display_name.replace(" ", "") == seen.replace(" ", "")
    assert message.keys() == opened(letter()).keys()
    assert max(map(len, raw.split(b"\r\n"))) <= 998


@pytest.mark.parametrize(
    "name",
    [
        "Anna Berg", "Frida Groß", 'Eve "Co"', "Berg, Anna", "a@b.example", "<b>Eve</b>", "Jürgen (Köln)", "\\", "李明",
        "", "=?utf-8?q?x=0D=0ABcc:_b=40x?=", "undisclosed-recipients:;", "ö" * 22,
    ],
)  # fmt: skip
def test_names(name):
    """Whatever a player is called, the mail goes to the one address."""
    message = opened(letter(to_name=name))
    assert [address.addr_spec for address in message["To"].addresses] == ["frida@spieler.example"]
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


@given(st.text(alphabet=st.sampled_from("aä. =\t\n\r\u2028\x0b\x85-<"), max_size=200))
def test_parts_arrive_as_they_were_written(content):
    """However lines end or begin, and with any blanks at their ends, both parts say what was written."""
    raw = letter(text=content, html=content)
    lines = content.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n") + "\n"
    assert text_of(raw) == lines
    for part in opened(raw).iter_parts():
        assert part.get_content().replace("\r\n", "\n") == lines
    assert max(map(len, raw.split(b"\r\n"))) <= 78


@pytest.mark.parametrize("length", [6, 60, 500])
def test_thread(length):
    """An answer refers to what it answers, in ids of any length and number that are never cut."""
    ids = [f"<{letter * length}@postspiel.example>" for letter in "abcdefghij"]
    raw = letter(in_reply_to=ids[1], references=tuple(ids))
    message = opened(raw)
    assert message["References"].split() == ids
    assert message["In-Reply-To"].strip() == ids[1]
    assert all(one.encode() in raw for one in ids)
    assert max(map(len, raw.split(b"\r\n"))) <= max(76, length + 21)


def test_odd_addresses():
    """An address that no rule allows, but a provider has given, stays as it is."""
    message = opened(letter(to="frida..gross.@spieler.example"))
    assert "frida..gross.@spieler.example" in str(message["To"])


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


FILE = BinaryFile(name="heft-1.pdf", kind="application/pdf", content=bytes(range(256)) * 40)


def test_a_file_that_is_put_in():
    """A file hangs below the words, byte for byte, under a name that every mail program can save."""
    stored = letter(stored_file="issue:1", unsubscribe=f"mailto:zug@postspiel.example?body={'%C3%B6' * 40}")
    raw = with_file(stored, FILE)
    words, file = opened(raw).iter_parts()
    assert [part.get_content_type() for part in words.iter_parts()] == ["text/plain", "text/html"]
    assert file.get_content() == FILE.content
    assert (file.get_content_type(), file.get_filename()) == ("application/pdf", "heft-1.pdf")
    assert dict(file["Content-Type"].params) == {"name": "heft-1.pdf"}
    assert file.get_content_disposition() == "attachment"
    assert raw.isascii()
    assert not re.search(rb"(?<!\r)\n|\r(?!\n)", raw)
    assert max(map(len, raw.partition(b"\r\n\r\n")[2].split(b"\r\n"))) <= 78


def test_a_file_changes_nothing_else():
    """All fields and the words are the same bytes with and without a file; a second attempt sends the same file."""
    stored = letter("Zug für 2 " * 10, stored_file="issue:1", to_name="ö" * 40, references=("<a@x>", "<b@x>") * 20)
    raw = with_file(stored, FILE)
    lines, kept = (one.partition(b"\r\n\r\n")[0].split(b"\r\n") for one in (stored, raw))
    changed = {line for line in {*lines} ^ {*kept} if not line.startswith((b"Content-Type: ", b' boundary="'))}
    assert changed == {b"X-Stored-File: issue:1"}
    assert stored[stored.index(b"--=_") :] in raw
    assert with_file(stored, FILE) == raw
    assert with_file(letter(message_id="<xyz@postspiel.example>"), FILE) != with_file(letter(), FILE)


def test_our_own_reader_finds_the_words():
    """A mail of ours with a file, sent back to us, is read by its words; the file is a file."""
    raw = with_file(letter(), FILE)
    mail = read_mail(raw)
    assert mail.texts == ("Hallo\n",)
    assert text_of(raw) == text_of(letter()) == "Hallo\n"
    assert "<p>Hallo</p>" in mail.html
    assert mail.has_attachment
    assert mail.part_types == (
        "multipart/mixed", "multipart/alternative", "text/plain", "text/html", "application/pdf",
    )  # fmt: skip
