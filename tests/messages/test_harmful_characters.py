"""What players write arrives as text, in mails and on pages, with a visible mark for what can't be seen."""

import json
import re
import unicodedata
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from html.parser import HTMLParser
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from xml.etree import ElementTree

import seating
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st
from publishing import send_and_export

from gm.demo.in_memory_zine import GM_ADDRESS, PLAYERS, Story, address_of
from gm.game.people.name_rules import clean_name
from gm.requests.desk import actions
from gm.runtime.harmful_characters import visible
from parsers.invisible import is_invisible

RANGES = (
    (0x00, 0x20), (0x7F, 0xA1), (0x61C, 0x61D), (0x115F, 0x1161), (0x17B4, 0x17B6), (0x2000, 0x200C), (0x200E, 0x2070),
    (0x2800, 0x2801), (0x3164, 0x3165), (0xFEFF, 0xFF00), (0xFFA0, 0xFFA1), (0xFFF0, 0x10000), (0x1BCA0, 0x1BCA4),
    (0x1D159, 0x1D15A), (0x1D173, 0x1D17B), (0xE0000, 0xE0080), (0xE00F0, 0xE0110), (0xE0FFF, 0xE1000),
)  # fmt: skip
"""Controls, direction, spaces of all widths, fillers, what is drawn empty or never, tags, noncharacters."""
JOINERS = "\u00ad\u034f\u180b\u180c\u180d\u180e\u180f\u200c\u200d" + "".join(map(chr, range(0xFE00, 0xFE10)))
"""Allowed: emoji and scripts are written with them."""
SIGNS = [*map(chr, (code for first, end in RANGES for code in range(first, end))), *JOINERS, "\ue000", "\U0010ffff"]
MARKUP = [
    "<", ">", "&", '"', "'", "<x-eve onclick=1>", "</td></table>", '" x-eve="', "' x-eve='", "&lt;", "&amp;nbsp;",
    "&#0;", "<!--", "]]>", "{{ 7 * 7 }}", "{% raw %}", "{#", "{0}", "{name}", "{", "%s", "%(x)s", "${x}", "\\u0000",
    "=?utf-8?q?=0A?=",
]  # fmt: skip
LINES = "\n\r\u2028\u2029"
"""All that end a line of a mail."""
ANNA, BERND, CARLA = PLAYERS[:3]
NEWCOMER = "ulf@fremd.example"

words = st.lists(st.sampled_from([*SIGNS, *MARKUP, "ä", "🎲", "李"]), max_size=200)


@dataclass(frozen=True, kw_only=True)
class Said:
    """What must be read as it is."""

    lines: list[str]
    """Of press and of a note, without blanks; no database takes NUL, so it is gone when a mail is read."""
    names: tuple[str, ...]


def mail(sender: str, text: str, *, name: str = "", subject: str = "Zug", **more: str) -> bytes:
    """Write a mail whose words are encoded whatever they hold, also halves of characters."""
    fields = {"Subject": encoded(subject), "To": GM_ADDRESS, "Content-Type": "text/plain; charset=utf-8", **more}
    fields |= {"From": f"{encoded(name)} <{sender}>", "Content-Transfer-Encoding": "base64", "MIME-Version": "1.0"}
    head = "".join(f"{field}: {value}\r\n" for field, value in fields.items())
    return f"{head}\r\n{b64encode(text.encode('utf-8', 'surrogatepass')).decode()}\r\n".encode()


def encoded(words: str) -> str:
    """Write an encoded word."""
    return f"=?utf-8?b?{b64encode(words.encode('utf-8', 'surrogatepass')).decode()}?="


class Page(HTMLParser):
    """What a browser shows of a page, and all names of elements and attributes."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.text, self.names = "", set[str]()
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep names."""
        self.names |= {tag, *(name for name, _ in attrs)}

    def handle_data(self, data: str) -> None:
        """Keep what is read."""
        self.text += data


def squeezed(text: str) -> str:
    """Take the blanks out of a text: where lines are broken doesn't matter."""
    return "".join(text.split())


def strings(value: Any) -> Iterator[str]:
    """Yield all texts in what was read from JSON."""
    if isinstance(value, dict | list):
        for one in [*value, *value.values()] if isinstance(value, dict) else value:
            yield from strings(one)
    elif isinstance(value, str):
        yield value


def check(where: str, text: str, *, lines: str = "\n\t") -> None:
    """Check that nothing in a text is unseen but line breaks, tabs and joiners."""
    unseen = {char for char in {*text} - {*lines, *JOINERS} if is_invisible(char) or char in LINES + "\ufffe\uffff"}
    assert not unseen, (where, [f"{ord(char):04X}" for char in unseen])


def check_page(where: str, html: str) -> Page:
    """Check a page of HTML, and that nothing in it but text is a player's."""
    check(where, html)
    page = Page(html)
    assert not [name for name in page.names if "eve" in name], where
    assert not {"}}", "{%"} & page.names, where
    return page


def tell(story: Story, pieces: list[str]) -> Said:
    """Let players write pieces as names, press, notes, words, games and subjects."""
    at_once, lines = "".join(pieces), "\n".join(f"x{piece}y" for piece in pieces)[:3900]
    names = tuple(clean_name(f"{name.split()[0]} {''.join(pieces[at::6])}") for at, name in enumerate(PLAYERS[:6]))
    actions.new_game(story.app, "crossword", "Eriwan")
    actions.new_game(story.app, "typ-dom", "Offen")
    for player, name, wish in zip(PLAYERS, names, "DNTIRO", strict=False):
        seating.join(story.app, "Eriwan", name, address_of(player), wish)
    actions.start(story.app, "Eriwan")
    story.arrives(mail(NEWCOMER, "Anmeldung Offen\n", name=f"Ulf {at_once[:30]}"))
    story.tick()
    asked = next(opened(one.raw) for one in story.outbox.letters if one.recipient == NEWCOMER)
    story.arrives(mail(NEWCOMER, "Ja\n", subject=f"Re: {asked['Subject']}", **{"In-Reply-To": asked["Message-ID"]}))
    for sender, text in (
        (ANNA, f"Presse Eriwan:\n{lines}\nEnde\n"), (ANNA, f"Stand {at_once[:60]}\n"),
        (BERND, f"GM: Hallo!\n{lines}\n"), (BERND, f"An alle Eriwan:\n\ud800{at_once}\nEnde\n"),
        (CARLA, f"Crossword Eriwan\nNeu: E{at_once}\n{lines}\n"), (CARLA, f"Einspruch Eriwan RAR: {at_once}\n"),
        ("Eva Fremd", f"Hilfe {at_once}\n{lines}\n"),
    ):  # fmt: skip
        story.arrives(mail(address_of(sender), text, name=f"\udfff{at_once[:100]}", subject=at_once[:300]))
    story.tick()
    actions.close(story.app, "Eriwan", story.app.now())
    assert not story.tick().troubles
    return Said(lines=[squeezed(visible(one.replace("\0", ""))) for one in re.split(f"[{LINES}]", lines)], names=names)


def opened(raw: bytes) -> EmailMessage:
    """Read it as a mail program does."""
    message = message_from_bytes(raw, policy=default)
    assert isinstance(message, EmailMessage)
    return message


@settings(max_examples=3, deadline=None, phases=[Phase.explicit, Phase.generate])
@given(words)
@example([*MARKUP, *SIGNS])
def test_what_players_write_stays_text(pieces: list[str]) -> None:
    """Nothing unseen arrives, nothing that has a stand-in is lost, and nothing is markup, a field or a placeholder."""
    with TemporaryDirectory() as folder:
        story = Story(Path(folder), words=["RAR", "ROT"], more={"archive": {"base_url": "https://postspiel.example/"}})
        try:
            said = tell(story, pieces)
            send_and_export(story.app, Path(folder) / "site")
        finally:
            story.close()
        check_mails([opened(letter.raw) for letter in story.outbox.letters], said)
        check_site(Path(folder) / "site", said)


def check_mails(mails: list[EmailMessage], said: Said) -> None:
    """Check each mail; the bulletins and the letter to the GM say what was said, and who is meant."""
    told = 0
    for message in mails:
        subject, to = str(message["Subject"]), message["To"].addresses[0].display_name
        assert not {name for name in message if "eve" in name.lower()}
        check(subject, subject + to, lines="")
        plain, html = (message.get_body((kind,)).get_content().replace("\r\n", "\n") for kind in ("plain", "html"))
        check(subject, plain)
        assert not [one for one in ("&gt;", "&#34;", "&#39;") if one in plain], subject
        page = check_page(subject, html)
        if "ausgewertet" in subject:
            assert squeezed(to) in map(squeezed, said.names)
            assert not [one for one in said.names for text in (plain, page.text) if squeezed(one) not in squeezed(text)]
        if "ausgewertet" in subject or "Nachricht von Bernd" in subject:
            told += 1
            assert not [one for one in said.lines for text in (plain, page.text) if one not in squeezed(text)], subject
    assert told == 7


def check_site(site: Path, said: Said) -> None:
    """Check all files of the archive; those of the round have the press."""
    for path in site.rglob("*"):
        content = path.read_text(encoding="utf-8") if path.suffix in (".html", ".json", ".txt", ".xml") else ""
        if path.suffix == ".json":
            content = "\n".join(strings(json.loads(content)))
        elif path.suffix == ".xml":
            content = "".join(ElementTree.fromstring(content.encode()).itertext())
        check(str(path), content)
        shown = check_page(str(path), content).text if path.suffix == ".html" else content
        if path.parent.name in ("eriwan", "runde-1") and path.suffix in (".html", ".json", ".txt"):
            assert not [one for one in said.lines if one not in squeezed(shown)], path


def test_stand_ins() -> None:
    """What can't be seen has a visible stand-in, except joiners, line feed and tab; nothing else has one."""
    characters = [chr(code) for code in range(0x110000) if unicodedata.category(chr(code)) not in ("Cn", "Co")]
    unseen = {char for char in characters if is_invisible(char) or char in LINES}
    scripts = ("ARABIC", "SYRIAC", "KAITHI", "EGYPTIAN")  # they have format characters that are drawn
    drawn = {char for char in unseen if unicodedata.name(char, "").startswith(scripts)} - {"\N{ARABIC LETTER MARK}"}
    assert {char for char in unseen - drawn if char == visible(char)} == {*JOINERS, "\n", "\t"}
    assert not [char for char in characters if char != visible(char) and char not in unseen]
