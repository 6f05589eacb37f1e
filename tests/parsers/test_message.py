"""Bytes -> Mail: the sender, the ids, the subject and the text, for well-made, broken and hostile mails."""

import base64
import quopri
import re
from email.message import EmailMessage
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText

import pytest
from cpu_cost import work_units
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from parsers.addresses import canonical
from parsers.errors import MailError, UnreadableMail
from parsers.mime.decoding import decode_text, decode_words, rough_text
from parsers.mime.message import MAX_BYTES, MAX_TEXT, Mail, read_head, read_mail

NASTY = "²½١−–—’\u00a0\u200b\0"
WORDS = st.text(alphabet=st.sampled_from("abcXYZ äöüßÄÖÜ.:-_=?*\n" + NASTY), max_size=200)


def mail_from(field: str) -> Mail:
    """A mail with this From field."""
    return read_mail(b"From: " + field.encode() + b"\nSubject: x\n\nHallo\n")


@pytest.mark.parametrize(
    ("field", "address", "name"),
    [
        ("anna@gmx.example", "anna@gmx.example", ""),
        ("Anna.Berg+ds@GMX.example", "anna.berg+ds@gmx.example", ""),
        ("Anna Berg <anna@gmx.example>", "anna@gmx.example", "Anna Berg"),
        ('"Berg, Anna" <anna@gmx.example>', "anna@gmx.example", "Berg, Anna"),
        ("=?utf-8?q?J=C3=B6rg?= <joerg@gmx.example>", "joerg@gmx.example", "Jörg"),
        ("Jörg <joerg@gmx.example>", "joerg@gmx.example", "Jörg"),
        ("anna@gmx.example <Anna@gmx.example>", "anna@gmx.example", "anna@gmx.example"),
        ('"anna@gmx.example" <x@evil.example>', "x@evil.example", "anna@gmx.example"),
        ('"<anna@gmx.example>" <x@evil.example>', "x@evil.example", "<anna@gmx.example>"),
        ("(anna@gmx.example) x@evil.example", "x@evil.example", ""),
        ("x@evil.example (anna@gmx.example)", "x@evil.example", ""),
        (r'"a\"b" <x@evil.example>', "x@evil.example", "ab"),
        ("<anna@gmx.example (at (home) \\) )>", "anna@gmx.example", ""),
        ("anna@localhost", "anna@localhost", ""),
    ],
)
def test_sender(field: str, address: str, name: str) -> None:
    """The one address of the one From field is the sender, whatever stands beside it."""
    mail = mail_from(field)
    assert (mail.sender, mail.sender_name) == (address, name)


DOUBTFUL_SENDERS = [
    "anna@gmx.example <x@evil.example>",
    "anna@gmx.example, x@evil.example",
    "anna@gmx.example x@evil.example",
    "<anna@gmx.example> <x@evil.example>",
    "<anna@gmx.example>, <x@evil.example>",
    "<@relay.example:anna@gmx.example>",
    "=?utf-8?q?anna?=@gmx.example",
    '"anna b"@gmx.example',
    "anna(x)@gmx.example",
    "anna\\@gmx.example@evil.example",
    "anna.@gmx.example",
    "anna@-gmx.example",
    "anna@[192.0.2.1]",
    "Freunde: anna@gmx.example;",
    "änna@gmx.example",
    "a" * 65 + "@gmx.example",
    "anna@" + "a." * 130 + "example",
    "anna@gmx.example\0<x@evil.example>",
    "(((( anna@gmx.example",
    '"anna@gmx.example',
    "(" * 5000,
    "",
    "anna",
]


def test_no_doubtful_sender(subtests: pytest.Subtests) -> None:
    """Where two readers could see two addresses, or none is well-formed, there is no sender."""
    for field in DOUBTFUL_SENDERS:
        with subtests.test(field=field):
            assert mail_from(field).sender == ""


@pytest.mark.parametrize(
    "field",
    [
        "anna@gmx.example <anna@gmx.example>", "Anna <anna@gmx.example>, Anna <ANNA@gmx.example>",
        "anna@gmx.example, anna@gmx.example", "Anna Berg <anna@gmx.example", "Anna Berg anna@gmx.example>",
        "anna@gmx.example;", "Anna Berg <anna@gmx.example>;",
        "Anna @ Berg <anna@gmx.example>", "anna@gmx.example (zu Hause", "=?utf-8?q?anna=40gmx=2Eexample?=",
        "=?utf-8?q?Anna_Berg_=3Canna=40gmx=2Eexample=3E?=", "=?utf-8?b?IkFubmEiIDxhbm5hQGdteC5leGFtcGxlPg==?=",
    ],
)  # fmt: skip
def test_one_distinct_address_is_one_sender(field: str) -> None:
    """However a program or gateway has written From: nobody could read another address there."""
    mail = mail_from(field)
    assert (mail.sender, mail.possible_senders) == ("anna@gmx.example", ())
    assert "@gmx" not in mail.sender_name or "<" not in mail.sender_name


@pytest.mark.parametrize(
    "domain", ["bücher.example", "BÜCHER.example", "xn--bcher-kva.example", "bu\u0308cher.example"]
)
def test_a_domain_in_letters_is_the_one_in_ascii(domain: str) -> None:
    """RFC 5891: both forms name one domain; a name that is none in either form is no address."""
    raw = f"From: Anna <Anna@{domain}>\nReply-To: anna@{domain}\n\nx".encode()
    mail = read_mail(raw)
    assert (mail.sender, mail.reply_to) == ("anna@xn--bcher-kva.example", ("anna@xn--bcher-kva.example",))
    assert canonical(f"anna@{domain}") == mail.sender
    assert canonical("anna@bü\u2603..example") == canonical("ännä@bücher.example") == ""


def test_a_sender_of_a_thousand_characters() -> None:
    """Nobody has a name of more than a thousand; such a field is a trap, and no sender."""
    rest = " <anna@gmx.example>"
    assert mail_from("A" * (1000 - len(rest)) + rest).sender == "anna@gmx.example"
    assert mail_from("A" * (1001 - len(rest)) + rest).sender == ""


def test_a_part_says_nothing_about_its_mail() -> None:
    """Section 0 of mail.md: the sender stands above the whole mail; what a part claims below counts nothing."""
    message = MIMEMultipart()
    message["From"], message["Subject"] = "anna@gmx.example", "Zug"
    part = MIMEText("Neu: D\n")
    part["From"], part["Subject"] = "bernd@gmx.example", "Abmeldung"
    message.attach(part)
    mail = read_mail(bytes(message))
    assert (mail.sender, mail.subject, mail.texts) == ("anna@gmx.example", "Zug", ("Neu: D\n",))


def test_two_from_fields() -> None:
    """Two From fields are no sender, unless the second says the very same: some programs write it twice."""
    assert read_mail(b"From: a@b.example\nFrom: c@d.example\n\nx").sender == ""
    assert read_mail(b"From: A <a@b.example>\nFrom: A <a@b.example>\n\nx").sender == "a@b.example"


@pytest.mark.parametrize(
    "phrase",
    [
        "Berg, Anna",
        "Berg; Anna",
        "Team: Anna",
        "Anna [privat]",
        "Änna B\xe4rg",
        "Anna (zu Hause), Berg",
        "Berg, Anna, Dr.",
    ],
)
def test_whatever_stands_before_the_brackets_is_a_name(phrase: str) -> None:
    """Unquoted commas, semicolons, colons, brackets and raw umlauts make no second sender."""
    mail = read_mail(f"From: {phrase} <a@b.example>\n\nx".encode("latin-1"))
    assert (mail.sender, mail.possible_senders) == ("a@b.example", ())


@pytest.mark.parametrize(
    "value", ["a@b.example, c@d.example", "a@b.example <c@d.example>", "<a@b.example> <c@d.example>"]
)
def test_an_ambiguous_sender_is_nobody_but_named(value: str) -> None:
    """Of two addresses none counts; both are known, so that the GM can be told."""
    mail = read_mail(f"From: {value}\n\nx".encode())
    assert (mail.sender, mail.possible_senders) == ("", ("a@b.example", "c@d.example"))


NESTED = b"".join(b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n" % (at, at) for at in range(60))


def test_the_sender_is_known_of_a_mail_that_cant_be_read() -> None:
    """Whatever stands below, the head says who wrote it, and about what."""
    raw = b"From: Anna <a@b.example>\r\nSubject: [Eriwan] Zug\r\nIn-Reply-To: <1@x>\r\n" + NESTED + b"text\r\n"
    with pytest.raises(UnreadableMail):
        read_mail(raw)
    head = read_head(raw)
    assert (head.sender, head.subject, head.in_reply_to) == ("a@b.example", "[Eriwan] Zug", "<1@x>")


@pytest.mark.parametrize("mark", [b"> ", b"", b"  "])
def test_only_real_parts_are_counted(mark: bytes) -> None:
    """Lines in a text that look like parts, quoted or not, are text."""
    lines = b"".join(mark + line + b"\r\n" for line in NESTED.splitlines())
    mail = read_mail(b"From: a@b.example\r\n\r\nHallo\r\n\r\n" + lines)
    assert mail.text.startswith("Hallo")


def test_parts_are_counted_however_they_are_written() -> None:
    """Folded fields, quoted boundaries and attached mails hide no depth."""
    folded = NESTED.replace(b"multipart/mixed; boundary", b"\r\n multipart/mixed;\r\n\tBoundary ").replace(
        b"=b", b'="b'
    )
    folded = re.sub(rb'="(b\d+)', rb'="\1"', folded)
    attached = re.sub(rb"(--b\d+\r\n)", rb"\1Content-Type: message/rfc822\r\n\r\n", NESTED)
    for text in (folded, attached):
        with pytest.raises(UnreadableMail):
            read_mail(b"From: a@b.example\r\n" + text)


def test_folded_from_is_one_line() -> None:
    """A folded field is read as one line."""
    assert read_mail(b"From: Anna\r\n\t<anna@gmx.example>\r\n\r\nx").sender == "anna@gmx.example"


def test_ids() -> None:
    """Message-ID, In-Reply-To and References are taken with their angle brackets; garbage is none."""
    mail = read_mail(b"Message-ID:  <1@x> \nIn-Reply-To: Your mail of <2@x> \nReferences: <2@x>\n <3@x> junk\n\n")
    assert (mail.message_id, mail.in_reply_to, mail.references) == ("<1@x>", "<2@x>", ("<2@x>", "<3@x>"))
    assert read_mail(b"Message-ID: 1@x\n\n").message_id == ""


@pytest.mark.parametrize(
    ("field", "subject"),
    [
        (b"=?utf-8?q?Zur=C3=BCckziehen?= Eriwan", "Zurückziehen Eriwan"),
        (b"=?iso-8859-1?Q?Zur=FCck?=\r\n =?iso-8859-1?Q?ziehen_Eriwan?=", "Zurückziehen Eriwan"),
        (b"=?utf-8?B?WsO?= =?utf-8?B?vA==?=", "Zü"),
        (b"=?utf-8*de?q?Z=C3?= =?utf-8*de?q?=BC?=", "Zü"),
        (b"=?klingon?q?Z=FC?= a", "Zü a"),
        (b"Zur\xc3\xbcck", "Zurück"),
        (b"Zur\xfcck", "Zurück"),
        (b"=?utf-8?q?a=0Ab=00c?=", "a b c"),
        (b"=?utf-8?x?abc?=", "=?utf-8?x?abc?="),
    ],
)
def test_subject(field: bytes, subject: str) -> None:
    """Encoded words, raw 8-bit letters and folding end in one plain line."""
    assert read_mail(b"Subject: " + field + b"\n\n").subject == subject


def test_headers_are_kept_and_fixed() -> None:
    """All fields can be asked for by lower-case name, in order, and not changed."""
    headers = read_mail(b"X-Loop: a\nRECEIVED: one\nReceived: two\n\n").headers
    assert headers["received"] == ("one", "two")
    assert headers["x-loop"] == ("a",)
    with pytest.raises(TypeError):
        headers["x-loop"] = ()  # type: ignore[index]


@pytest.mark.parametrize(
    ("charset", "data"),
    [
        ("utf-8", "Grüße".encode()),
        ("iso-8859-1", "Grüße".encode("latin-1")),
        ("iso-8859-1", "Grüße…".encode("windows-1252")),
        ("us-ascii", "Grüße".encode()),
        ("us-ascii", "Grüße".encode("latin-1")),
        ("klingon", "Grüße".encode()),
        ("zip", "Grüße".encode("latin-1")),
        ("idna", "Grüße".encode("latin-1")),
        ("unicode_escape", "Grüße".encode("latin-1")),
        ("undefined", "Grüße".encode()),
        ("a\0b", "Grüße".encode()),
        ("utf-16", "Grüße".encode("utf-16")),
        ("utf-7", "Grüße".encode("utf-7")),
    ],
)
def test_charsets(charset: str, data: bytes) -> None:
    """The declared charset counts if it is one and fits; then utf-8; then windows-1252."""
    assert decode_text(data, charset).startswith("Grüße")


def test_latin_1_with_control_bytes() -> None:
    """Bytes that windows-1252 doesn't know fall back without an exception, half characters become `?`."""
    assert decode_text(b"\x81\xfc", "iso-8859-1") == "\ufffdü"
    assert decode_text(b"a+2AA-b", "utf-7") == "a?b"


def body(transfer: str, data: bytes) -> str:
    """The text of a mail with this body."""
    return read_mail(f"Content-Transfer-Encoding: {transfer}\nContent-Type: text/plain\n\n".encode() + data).text


@pytest.mark.parametrize(
    ("transfer", "data", "text"),
    [
        ("7bit", b"a\r\nb\rc\n", "a\nb\nc\n"),
        ("8bit", b"a\0b", "ab"),
        ("x-unknown", b"abc", "abc"),
        ("Quoted-Printable ", b"Gr=C3=BC=\r\n=C3=9Fe=20\n", "Grüße \n"),
        ("quoted-printable", b"a= \nb", "ab"),
        ("quoted-printable", b"100=% =ZZ =", "100=% =ZZ "),
        ("base64; x", base64.b64encode("Grüße".encode()), "Grüße"),
        ("base64", b"R3LDvMOf\r\nZQ", "Grüße"),
        ("base64", b"R3LDvMOfZ", "Grüß"),
        ("base64", base64.b64encode(b"Hallo Anna, ich ziehe jetzt.") + b"\n-- \n", "Hallo Anna, ich ziehe jetzt."),
        ("base64", b"R3LDvMOfZQ==\n_______\nliste@x", "Grüße"),
        ("base64", b"brecHt\nra..Ua\n", "brecHt\nra..Ua\n"),
    ],
)
def test_transfer_encodings(transfer: str, data: bytes, text: str) -> None:
    """Every transfer encoding is read, also broken; plain text under a wrong label stays text."""
    assert body(transfer, data) == text


def test_first_plain_part_counts() -> None:
    """Plain parts with text count, the HTML stands beside them; attachments and attached mails are no text."""
    message = EmailMessage()
    message.set_content("  \n")
    message.add_alternative("<p>Hallo</p>", subtype="html")
    message.add_attachment("Crossword Eriwan", filename="zug.txt")
    inner = EmailMessage()
    inner.set_content("Crossword Eriwan")
    message.add_attachment(inner)
    mail = read_mail(bytes(message))
    assert (mail.texts, mail.html, mail.has_attached_mail) == ((), "<p>Hallo</p>\n", True)
    assert mail.has_attachment
    assert mail.part_types[:2] == ("multipart/mixed", "multipart/alternative")


def test_all_plain_parts() -> None:
    """Apple Mail parts a text where a picture stands in it."""
    message = EmailMessage()
    message.set_content("Hallo\n")
    message.add_attachment(b"x", maintype="image", subtype="png", disposition="inline")
    message.attach(MIMEText("Neu: D\n"))
    assert read_mail(bytes(message)).texts == ("Hallo\n", "Neu: D\n")


@pytest.mark.parametrize("declared", ["iso-8859-1", "us-ascii", "windows-1252", "unknown-8bit", "x-none", "utf-8"])
@pytest.mark.parametrize("real", ["utf-8", "windows-1252"])
def test_wrong_charset(declared: str, real: str) -> None:
    """What is valid utf-8 is read as that, whatever it is called; else umlauts are windows-1252."""
    raw = f"Content-Type: text/plain; charset={declared}\n\n".encode() + "Grüße … für 5 €".encode(real)
    assert read_mail(raw).text == "Grüße … für 5 €"


def test_a_broken_byte() -> None:
    """One broken sign in a text of utf-8 spoils the others not; windows-1252 stays what it is."""
    assert decode_text("r·····".encode() + b"\xe2\x80 Gru\xc3\x9f", "utf-8").startswith("r·····")
    assert decode_text("Grüße aus Köln".encode("windows-1252"), "utf-8") == "Grüße aus Köln"


@pytest.mark.parametrize(
    ("raw", "found"),
    [
        ("Grüße aus Köln".encode(), True),
        (quopri.encodestring("Grüße aus Köln, und noch mehr".encode()), True),
        (b"--x\r\n\r\n" + base64.encodebytes("Grüße aus Köln".encode()) + b"\r\n--x--", True),
        (base64.encodebytes(("Grüße aus Köln. " * 9).encode("windows-1252")), True),
        (base64.encodebytes(bytes(range(256)) * 40 + "Köln".encode()), False),
    ],
)
def test_words_in_what_has_no_structure(raw: bytes, found: bool) -> None:
    """What is encoded is found, wherever it stands; a picture has no words."""
    assert ("Köln" in rough_text(raw)) is found
    assert rough_text(b"Neu: E\r\nDNTIRO\r\n") == "Neu: E\r\nDNTIRO\r\n"


@given(st.binary(max_size=2000))
def test_rough_text_takes_any_bytes(raw: bytes) -> None:
    """It never raises."""
    assert isinstance(rough_text(raw), str)


def test_utf_16_without_a_word() -> None:
    """A byte order mark says enough."""
    raw = b"Content-Type: text/plain\nContent-Transfer-Encoding: base64\n\n"
    assert "Grüße" in read_mail(raw + base64.encodebytes("Grüße".encode("utf-16"))).text


def test_multipart_without_boundary() -> None:
    """What a multipart without usable boundary holds is read as text."""
    assert "Hallo" in read_mail(b"Content-Type: multipart/mixed\n\nHallo\n").text


def test_an_empty_boundary_is_one() -> None:
    """Also a boundary of no letters at all is read, in quotes as well."""
    assert "Hallo" in read_mail(b'Content-Type: multipart/mixed; boundary=""\n\nHallo\n').text


def test_an_unknown_kind_of_text_is_plain() -> None:
    """RFC 2046, 4.1.4. Where a known one stands beside it, that one counts."""
    assert read_mail(b"Content-Type: text/x-note\n\nHallo\n").text == "Hallo\n"
    assert read_mail(WITH_CALENDAR).text == "Hallo\n"


WITH_CALENDAR = b"""Content-Type: multipart/mixed; boundary=b

--b
Content-Type: text/calendar

BEGIN:VCALENDAR
--b
Content-Type: text/plain

Hallo

--b--
"""


def test_type_without_slash() -> None:
    """`Content-Type: text` is plain text, as in the mails of 1990."""
    assert read_mail(b"Content-Type: text\n\nHallo\n").text == "Hallo\n"


def test_long_mail_is_cut() -> None:
    """Of a mail over the limit only the beginning of the text is read."""
    mail = read_mail(b"From: a@b.example\n\n" + b"Zeile\n" * (MAX_BYTES // 5))
    assert mail.is_cut
    assert len(mail.text) == MAX_TEXT == 65_536
    assert not read_mail(b"\nkurz").is_cut


def test_nested_mails_are_unreadable() -> None:
    """Nesting that would exhaust the standard library is refused as unreadable, quickly."""
    nested = "".join(f'Content-Type: multipart/mixed; boundary="b{n}"\n\n--b{n}\n' for n in range(1000))
    attached = "Content-Type: message/rfc822\n\n" * 2000
    for text in (nested, attached):
        with pytest.raises(UnreadableMail, match=r"\.$"):
            read_mail(text.encode())
    assert issubclass(UnreadableMail, MailError)


@pytest.mark.parametrize("filling", ["((((", "<", '"', "\\", "=?", "=?a?q?", "=?a?q?a?= ", "a@", "\n ", "charset="])
def test_hostile_fields_are_quick(filling: str) -> None:
    """64 kB of anything in the fields is read in half of the time that a mail has."""
    stuff = filling * (64_000 // len(filling))
    raw = f"From: {stuff}\nSubject: {stuff}\nReferences: {stuff}\nContent-Type: {stuff}\n\nx".encode()
    assert read_mail(raw).sender == ""
    assert work_units(lambda: read_mail(raw), most=500) < 500


@settings(deadline=None)
@given(st.binary(max_size=2000))
@example(b"")
@example(b"Content-Type: multipart/mixed; boundary=b\n\n--b\n--b--\n")
def test_any_bytes(raw: bytes) -> None:
    """Any bytes are a Mail or UnreadableMail."""
    try:
        mail = read_mail(raw)
    except UnreadableMail:
        return
    assert "\0" not in mail.text
    assert "\n" not in mail.subject


HEAD_WORDS = st.sampled_from(
    [b"From: ", b"Subject: ", b"Content-Type: ", b"multipart/mixed; boundary=b", b"message/rfc822", b"text/plain",
     b"; charset=", b"utf-7", b"utf-16", b"hz", b"\n", b"\n\n", b"\r\n", b"--b", b"--b--", b"=?utf-8?b?", b"?=",
     b"Content-Transfer-Encoding: ", b"base64", b"quoted-printable", b"=", b"\xff", b"<a@b>", b"(", b'"', b"\0", b" "]
)  # fmt: skip


@settings(deadline=None)
@given(st.lists(HEAD_WORDS, max_size=40).map(b"".join))
def test_any_mixture_of_mail_parts(raw: bytes) -> None:
    """Mails stirred from what mails are made of are read as well."""
    assert isinstance(read_mail(raw), Mail)


def _is_utf8(data: bytes) -> bool:
    try:
        return bool(data.decode())
    except UnicodeDecodeError:
        return False


@settings(deadline=None)
@given(WORDS, st.sampled_from(["utf-8", "utf-16", "utf-7", "windows-1252", "iso-8859-15"]), st.sampled_from("8qb"))
def test_text_survives(text: str, charset: str, encoding: str) -> None:
    """What was encoded in any charset and transfer encoding comes back, NUL and line ends aside."""
    data = text.encode(charset, "replace")
    wanted = data.decode(charset).replace("\0", "").replace("\r", "")
    # A few pairs of signs in windows-1252 are a letter in utf-8 as well.
    assume(charset.startswith("utf") or data.isascii() or not _is_utf8(data))
    transfer, coded = {
        "8": ("base64", base64.encodebytes(data)),
        "b": ("base64", base64.b64encode(data)),
        "q": ("quoted-printable", quopri.encodestring(data)),
    }[encoding]
    raw = f"Content-Type: text/plain; charset={charset}\nContent-Transfer-Encoding: {transfer}\n\n".encode() + coded
    assert read_mail(raw).text == (wanted if wanted.strip() else "")


@settings(deadline=None)
@given(WORDS.filter(lambda text: text.strip() == text))
def test_encoded_words_survive(text: str) -> None:
    """An encoded word gives back its text."""
    coded = base64.b64encode(text.encode()).decode()
    assert decode_words(f"=?utf-8?b?{coded}?=") == text
