"""Every mail that goes out: in German as golden files, and in German and English by what must hold for all of them."""

import re
import string
import unicodedata
from collections.abc import Iterator
from datetime import date
from email.utils import parseaddr
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
import seating

from games import engines
from games.api import AIM, LANGUAGES, Rules, say
from games.words import REASONS
from gm.demo.in_memory_zine import GM_ADDRESS, PLAYERS, Story, address_of, write_mail
from gm.messages.outgoing import Part, Recipient, Sender, compose
from gm.messages.sentences import SENTENCES
from gm.requests.declared import command_table
from gm.requests.desk import actions
from parsers.commands import GmCommand, Help, No, Orders, Withdraw, Yes
from parsers.lines.names import names_of
from parsers.mime.message import read_mail
from parsers.reading import read

TODAY = date(2026, 11, 4)

pytestmark = pytest.mark.tampers  # some mails of the story are of states that are written by hand
ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests" / "golden" / "mails"
CHAIN = Rules(key="word-chain", title="Wortkette", seats=(2, 2), version=1, profile="duden")
RULES = [engine.rules for engine in engines().values()] + [CHAIN]
TITLES = {rules.key: rules.title for rules in RULES}

KINDS = {path.stem.replace("_", "-") for path in (ROOT / "templates" / "mail").glob("[a-z]*.txt")}
"""The templates of whole mails. Of the mails that a template makes, the most typical bears its name."""
ALSO_DRAWN = {
    "advance-unread", "answered", "bulletin-corrected", "bulletin-watching", "chain-start", "confirmation-list-remarks",
    "reminder-incomplete", "several-answers",
}  # fmt: skip
"""Mails beside those whose HTML is looked at: another game, several answers, and what else no typical mail draws."""
IN_ENGLISH = {
    "ask-seat", "bulletin", "confirmation-list-remarks", "daily", "digest", "final", "gm-today", "heartbeat", "help",
    "my-games", "question-several", "rejection", "rejection-on-file", "reminders", "rules", "start", "stranger",
    "trouble-in-time", "turn", "wish",
}  # fmt: skip
"""Mails in which English has a form of its own: keys of a block, dates, plurals, lists, genitives, whole pages.

All others are filled with the same as in German (tests/test_catalogues.py), in the same elements (test_layout.py).
"""
WITH_BLOCK = ("start", "bulletin", "bulletin-nmr", "bulletin-all-there", "bulletin-last", "welcome", "welcome-on-file")
VOID = {"br", "meta"}


class Page(HTMLParser):
    """An HTML part as far as the tests look at it: its elements, tables and links. Every tag must be closed."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.tables: list[list[list[tuple[str, dict[str, str], str]]]] = []
        self.captions: list[str] = []
        self.blocks: list[str] = []
        self._open: list[str] = []
        self._layouts: list[bool] = []
        self.feed(html)
        self.close()
        assert not self._open, f"not closed: {self._open}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = {key: value or "" for key, value in attrs}
        self.elements.append((tag, known))
        if tag not in VOID:
            self._open.append(tag)
        if tag == "table":
            self._layouts.append(known.get("role") == "presentation")
        if tag == "table" and not self._layouts[-1]:
            self.tables.append([])
            self.captions.append("")
        elif tag == "tr" and not self._layouts[-1]:
            self.tables[-1].append([])
        elif tag in ("td", "th") and not self._layouts[-1]:
            self.tables[-1][-1].append((tag, known, ""))
        elif tag == "pre":
            self.blocks.append("")

    def handle_endtag(self, tag: str) -> None:
        assert self._open, f"</{tag}> closes nothing"
        assert self._open.pop() == tag, f"</{tag}> closes something else"
        if tag == "table":
            self._layouts.pop()

    def handle_data(self, data: str) -> None:
        if "pre" in self._open:
            self.blocks[-1] += data
        elif "caption" in self._open:
            self.captions[-1] += data
        elif self._is_in_cell():
            tag, attrs, text = self.tables[-1][-1][-1]
            self.tables[-1][-1][-1] = (tag, attrs, text + data)

    def _is_in_cell(self) -> bool:
        """Return whether a cell is open that isn't one for the layout."""
        innermost = next((tag for tag in reversed(self._open) if tag in ("table", "td", "th")), "table")
        return innermost != "table" and not self._layouts[-1]

    @property
    def grids(self) -> list[list[str]]:
        """The letters of every board, row by row, a dot where a cell is blank."""
        return [
            ["".join(text.strip() or "." for tag, _, text in row if tag == "td") for row in table[1:]]
            for table in self.tables if is_grid(table)
        ]  # fmt: skip

    @property
    def lists(self) -> list[list[list[str]]]:
        """The cells of every table that is no board and no list of labels."""
        return [
            [[text for _, _, text in row] for row in table]
            for table in self.tables if not is_grid(table) and any(a.get("scope") == "col" for _, a, _ in table[0])
        ]  # fmt: skip


def is_grid(table: list[list[tuple[str, dict[str, str], str]]]) -> bool:
    """Return whether a table is a board: its cells have borders."""
    return any("border:2px" in attrs.get("style", "") for row in table for _, attrs, _ in row)


def grids_in_text(text: str) -> list[list[str]]:
    """Find the boards in a text part below their column letters."""
    lines = text.split("\n")
    found = []
    for at, line in enumerate(lines):
        for head in re.finditer("a b c d e f", line):
            found.append([lines[at + row][head.start() : head.end()].replace(" ", "") for row in range(1, 7)])
    return found


def block_in_text(text: str) -> list[str]:
    """Find the block to copy: the last run of lines with five blanks in front, its title first."""
    return blocks_in_text(text)[-1]


def blocks_in_text(text: str) -> list[list[str]]:
    """Find all runs of lines with five blanks in front."""
    runs = re.findall(r"(?:^ {5}\S.*\n)+", text, re.MULTILINE)
    return [[line.strip() for line in run.splitlines()] for run in runs]


# -- golden files -----------------------------------------------------------------------------------------------


@pytest.mark.trust
def test_golden(told, golden, subtests, request):
    """What a mail says and how it is built is only changed on purpose, and no file shows what goes out no more."""
    files = {f"{name}.de.html": mail.html for name, mail in told("de").items() if name in KINDS | ALSO_DRAWN}
    for language in LANGUAGES:
        shown = {name: mail for name, mail in told(language).items() if language == "de" or name in IN_ENGLISH}
        files |= {f"{name}.{language}.txt": f"Subject: {mail.subject}\n\n{mail.text}" for name, mail in shown.items()}
    for name, content in files.items():
        with subtests.test(name):
            golden(f"mails/{name}", content)
    left = [path for path in GOLDEN.iterdir() if path.name not in files and not path.name.startswith("notices.")]
    if request.config.getoption("--update-golden"):
        for path in left:
            path.unlink()
    else:
        assert left == [], "`make golden` removes them"


@pytest.mark.parametrize("language", LANGUAGES)
def test_golden_notices(language, golden):
    """Every sentence of the service can be worded, and is only changed on purpose."""
    sample = {"round": 3, "named": 2, "games": "Eriwan, Havanna", "names": "Anna Berg, Bernd Cordes", "gm": "Cici",
              "title": "Crossword", "answer": "Ja", "name": "Gerda Hahn", "before": "Emil Funk", "word": "TOR",
              "ruling": "TOR zählt nicht", "note": "Eigenname", "game": "Eriwan"}  # fmt: skip
    to = Recipient(name="Anna Berg", address="anna@spieler.example", language=language)
    pages = []
    for code, wording in SENTENCES.items():
        keys = {key for _, key, _, _ in string.Formatter().parse(wording[language]) if key}
        text = say(code, **{key: sample.get(key, key.upper()) for key in keys})
        is_passed_on = text.code.startswith(("PASSED_ON", "FREE_TEXT"))
        context = {"text": text, "game": "Eriwan", "taken": None, "is_passed_on": is_passed_on}
        part = Part(template="notice", context=context)
        subject, body, _ = compose([part], to, True, Sender())
        pages.append(f"{code}\n{subject}\n\n{body}")
    golden(f"mails/notices.{language}.txt", "\n".join(pages))


@pytest.mark.trust
def test_every_template_has_golden_files(told):
    """No template goes out that nobody has looked at, text and HTML."""
    assert told("de").keys() >= KINDS | ALSO_DRAWN | IN_ENGLISH


@pytest.mark.trust
def test_all_that_is_drawn_is_looked_at(told):
    """In both languages every element stands in one of its kind, with these very styles, in some golden HTML."""
    known = {shape for name in KINDS | ALSO_DRAWN for shape in told("de")[name].shapes}
    for language in LANGUAGES:
        new = {name: found for name, mail in told(language).items() if (found := set(mail.shapes) - known)}
        assert new == {}, f"add one to ALSO_DRAWN ({language})"


# -- wording ------------------------------------------------------------------------------------------------------


def test_codes_mean_one_thing():
    """A game's code never hides a sentence of the service, nor the other way round."""
    assert not SENTENCES.keys() & REASONS.keys()
    for engine in engines().values():
        assert not engine.wording.keys() & (SENTENCES.keys() | REASONS.keys()), engine.rules.key


def test_every_game_tells_its_aim():
    """The start mail says in two sentences what a game is about, so every game of ours words that."""
    for engine in engines().values():
        for language in LANGUAGES:
            said = engine.wording[AIM][language]
            assert len(said) <= 280, engine.rules.key
            assert said.endswith("."), engine.rules.key


# -- the text part ------------------------------------------------------------------------------------------------


def check_text(name: str, text: str) -> None:
    """Check what holds for every text part."""
    for line in text.split("\n"):
        is_order = line.startswith("     gm ")  # a command to copy stays on one line, however long the names in it
        assert len(line.rstrip()) <= 78 or is_order, (name, line)
        assert len(line) <= 81 or is_order, (name, line)
        if re.search(r"a b c d e f|^ {2}\d (?:[A-Za-z.] ){5}|^ {5}", line) and line.strip():
            is_hanging = line.startswith("     ") and not line.endswith("   ")
            assert is_hanging or (line.startswith("  ") and line.endswith("   ")), (name, line)
    assert "\t" not in text, name
    assert unicodedata.is_normalized("NFC", text), name
    assert not re.search(r"\bNone\b|\{\{|\{%|Undefined|Text\(|&[a-z]+;|&#", text), name
    assert not re.search(r"\b[A-Z]+_[A-Z_]+\b", text), f"{name}: a code without words"
    assert "\n\n\n" not in text, name
    assert text.endswith("\n"), name
    assert not text.endswith("\n\n"), name
    assert not text.startswith("\n"), name


@pytest.mark.trust(except_first=1)
def test_text_parts(mails):
    """Text parts keep to 78 columns, boards survive Outlook, and nothing untranslated or unfilled is in them."""
    for name, mail in mails.items():
        check_text(name, mail.text)
        assert not re.search(r"\bNone\b|\{\{|Undefined|\n", mail.subject), name
        assert unicodedata.is_normalized("NFC", mail.subject), name


@pytest.mark.trust(except_first=1)
def test_tables_in_text(mails):
    """Every row of a table stands in the text part too, in a line that Outlook doesn't join with the next."""
    for name, mail in mails.items():
        lines = mail.text.split("\n")
        for table in Page(mail.html).lists:
            for row in table:
                pattern = r"^ {2}.*" + r"\s+".join(re.escape(cell) for cell in row if cell) + r".* {3}$"
                assert any(re.search(pattern, line) for line in lines), (name, row)


@pytest.mark.trust(except_first=1)
def test_bulletins_show_what_is_new(mails):
    """In the text part a capital is a new letter, a small one lay before."""
    new = [letter for grid in grids_in_text(mails["bulletin"].text) for letter in "".join(grid) if letter.isupper()]
    old = [letter for grid in grids_in_text(mails["bulletin"].text) for letter in "".join(grid) if letter.islower()]
    assert len(new) == 30  # five players moved, Dora did not
    assert old


# -- the HTML part ------------------------------------------------------------------------------------------------


def check_html(name: str, html: str) -> Page:
    """Check what holds for every HTML part."""
    assert len(html.encode()) < 80_000, name
    page = Page(html)
    assert [tag for tag, _ in page.elements].count("style") == 1, "ours, for the dark"
    for tag, attrs in page.elements:
        style = attrs.get("style", "")
        assert tag not in ("img", "script", "link", "iframe", "form", "svg"), (name, tag)
        assert not any(key.startswith("on") for key in attrs), (name, attrs)
        assert "background-color" not in style, name
        assert "rgb(" not in style, name
        assert "url(" not in style, name
        if "bgcolor" in attrs:
            assert f"background:{attrs['bgcolor']}" in style.replace("background: ", "background:"), (name, attrs)
        for key in ("href", "src"):
            assert attrs.get(key, "mailto:").startswith(("mailto:", "#game-")), (name, attrs)
    assert not re.search(r"https?:|\bNone\b|\{\{|\{%|Undefined|Text\(", html), name
    return page


@pytest.mark.trust(except_first=1)
def test_html_parts(mails):
    """HTML parts are small, well-formed, and hold nothing that a mail program strips, blocks or reports home."""
    for name, mail in mails.items():
        page = check_html(name, mail.html)
        assert dict(page.elements)["html"]["lang"] == mail.message["Content-Language"], name


@pytest.mark.trust(except_first=1)
def test_grids_are_tables_with_headings(mails):
    """A board can be read by ear: who it belongs to, its column and its row."""
    seen = 0
    for name, mail in mails.items():
        page = Page(mail.html)
        for table, caption in zip(page.tables, page.captions, strict=True):
            if not is_grid(table):
                continue
            seen += 1
            scopes = [attrs.get("scope") for row in table for tag, attrs, _ in row if tag == "th"]
            assert scopes.count("col") == 6, name
            assert scopes.count("row") == 6, name
            assert caption, name
    assert seen > 60


@pytest.mark.trust(except_first=1)
def test_both_parts_show_the_same_letters(mails):
    """Text and HTML part show the same boards in the same order."""
    for name, mail in mails.items():
        assert grids_in_text(mail.text) == Page(mail.html).grids, name


@pytest.mark.trust(except_first=1)
def test_both_parts_show_the_same_block(mails):
    """The block to copy is the same in both parts."""
    for name in (*WITH_BLOCK, "rejection", "nothing", "status"):
        assert Page(mails[name].html).blocks[-1].strip().split("\n") == block_in_text(mails[name].text), name


@pytest.mark.trust
def test_own_grid_is_marked(told):
    """In the HTML part everybody finds the own board at once."""
    assert "Anna Berg (du)" in re.sub("<[^>]*>", "", told("de")["bulletin"].html)
    assert "Anna Berg (you)" in re.sub("<[^>]*>", "", told("en")["bulletin"].html)


# -- the template to click ------------------------------------------------------------------------------------------


def links(html: str) -> Iterator[str]:
    """The links of a page that open a mail; those of a list of contents lead to a part of the same mail."""
    found = [attrs for _, attrs in Page(html).elements]
    inner = {f"#{attrs['name']}" for attrs in found if "name" in attrs}
    return (attrs["href"] for attrs in found if "href" in attrs and attrs["href"] not in inner)


def command(text: str, subject: str = "") -> object:
    """Read a mail that holds one command and nothing else."""
    received = read_mail(write_mail("anna@spieler.example", text, subject=subject))
    commands = [said.command for said in read(received, names_of(RULES, command_table()), TODAY).commands]
    assert len(commands) == 1, commands
    return commands[0]


def orders(text: str, subject: str = "") -> Orders:
    """Read a mail that holds one move block and nothing else."""
    read = command(text, subject)
    assert isinstance(read, Orders)
    return read


@pytest.mark.trust(except_first=1)
def test_mailto(mails):
    """A mailto link is short enough for every browser; the mail it opens is read as the block it shows, or an order."""
    seen = 0
    for name, mail in mails.items():
        for link in links(mail.html):
            seen += 1
            assert len(link) <= 1800, name
            parts = urlsplit(link)
            fields = {key: values[0] for key, values in parse_qs(parts.query, strict_parsing=True).items()}
            assert unquote(parts.path) == GM_ADDRESS
            assert "+" not in parts.query, "a mail program shows + as it is"
            assert "\n" not in fields["body"].replace("\r\n", "")
            if len(fields["body"].splitlines()) == 1:
                if not (name == "ask-who" and fields["body"].startswith("Name: ")):
                    said = command(fields["body"], fields["subject"])
                    assert isinstance(said, Help | Withdraw | Yes | No | GmCommand), name
                continue
            read = orders(fields["body"], fields["subject"])
            assert fields["subject"] == f"[{read.game}]"
            if name.startswith(("digest", "daily", "my-games")):  # too short for blocks
                continue
            shown = blocks_in_text(mail.text) if name == "reminders" else [block_in_text(mail.text)]
            ours = (f"Stand: {read.stand}", f"Name: {read.player_name}")
            blocks = [[line for line in lines if line not in ours] for lines in shown]
            title = f"{TITLES[read.title_key]} {read.game}"
            titles = [title] if read.round is None else [f"{title}, {word} {read.round}" for word in ("Runde", "Round")]
            assert any([one, *read.block.lines] in blocks for one in titles), name
    assert seen >= len(WITH_BLOCK)


def test_untouched_template_is_no_move(story):
    """The mailto link's mail, sent unchanged, is no move, and the player is told so."""
    start_game(story)
    for name in ("start", "later"):
        html = sent(story)[address_of(PLAYERS[0])].html
        link = urlsplit(next(links(html)))
        story.writes(PLAYERS[0], parse_qs(link.query)["body"][0].replace("\r\n", "\n"), subject="[Eriwan]")
        story.tick()
        assert sent(story)[address_of(PLAYERS[0])].subject == "[Eriwan] Nichts eingetragen", name
        story.writes(PLAYERS[0], "Crossword Eriwan\nNeu: E\nDNTIRO\n......\n......\n......\n......\n......\n")
        story.tick()
        actions.close(story.app, "Eriwan", story.app.now())
        sent(story)
        story.tick()


# -- answers to our mails ---------------------------------------------------------------------------------------------


def edited(block: list[str]) -> list[str]:
    """Enter a wish and a letter."""
    lines = [line.replace("Neu:", "Neu: E") for line in block]
    at = next(at for at, line in enumerate(lines) if re.fullmatch(r"[A-Za-z.]{6}", line) and "." in line)
    lines[at] = lines[at].replace(".", "X", 1)
    return lines


def quoted(text: str) -> str:
    """Quote a mail as most programs do."""
    return "".join(f"> {line}".rstrip() + "\n" for line in text.splitlines())


@pytest.mark.trust(except_first=2)
@pytest.mark.parametrize("form", ["above", "below", "with blanks", "outlook", "between"])
def test_replies_are_read(form, mails):
    """A block copied from our mail and edited is a move, however the mail program quotes."""
    for name in WITH_BLOCK:
        mail = mails[name]
        block = edited(block_in_text(mail.text))
        plain, indented = "\n".join(block), "\n".join(f"     {line}   " for line in block)
        wrote = "Am 25.11.2026 um 20:05 schrieb Dottendorfer Soccer <zug@postspiel.example>:"
        head = "-----Ursprüngliche Nachricht-----\nVon: Dottendorfer Soccer\nGesendet: Mittwoch\nAn: Anna\nBetreff: Zug"
        text = {
            "above": f"Hallo,\n\n{plain}\n\nGruß\nAnna\n\n{wrote}\n{quoted(mail.text)}",
            "below": f"{wrote}\n{quoted(mail.text)}\n{plain}\n\nGruß\nAnna\n",
            "with blanks": f"{indented}\n\nGruß\nAnna\n\n{wrote}\n{quoted(mail.text)}",
            "outlook": f"{indented}\n\n{head}\n\n{mail.text}",
            "between": f"{wrote}\n{quoted(mail.text[:600])}\n{plain}\n\n{quoted(mail.text[600:])}",
        }[form]
        received = read_mail(write_mail("anna@spieler.example", text, subject=f"Re: {mail.subject}"))
        commands = [said.command for said in read(received, names_of(RULES, command_table()), TODAY).commands]
        assert [type(command) for command in commands] == [Orders], (name, commands)
        assert f"Crossword {commands[0].game}, " in block[0], name
        assert block[0].endswith(f" {commands[0].round}"), name
        assert [*commands[0].block.lines] == block[1:], name


# -- the bytes ------------------------------------------------------------------------------------------------------


@pytest.mark.trust(except_first=1)
def test_bytes(mails):
    """A mail is plain ASCII with CRLF and short lines, so no server on the way has to change it."""
    for name, mail in mails.items():
        assert mail.raw.isascii(), name
        assert not re.search(rb"(?<!\r)\n|\r(?!\n)", mail.raw), name
        lines = mail.raw.split(b"\r\n")
        assert max(map(len, lines)) <= 998, name
        for line in lines[: lines.index(b"")]:
            is_one_word = b" " not in line.strip().removeprefix(b"List-Unsubscribe: ")
            assert len(line) <= 78 or is_one_word, (name, line)
        assert b"\0" not in mail.raw


FILES = {"issue": "application/pdf"}


@pytest.mark.trust(except_first=1)
def test_structure(mails):
    """Text first, HTML second, both quoted-printable: every program shows the best it can. A file comes last."""
    for name, mail in mails.items():
        message = mail.message
        if name in FILES:
            message, file = message.iter_parts()
            assert (file.get_content_type(), file.get_content_disposition()) == (FILES[name], "attachment")
        assert message.get_content_type() == "multipart/alternative", name
        parts = list(message.iter_parts())
        assert [part.get_content_type() for part in parts] == ["text/plain", "text/html"], name
        for part in parts:
            assert part["Content-Transfer-Encoding"] == "quoted-printable", name
            assert part.get_content_charset() == "utf-8", name
        assert not mail.message.defects, name
        assert mail.message["MIME-Version"] == "1.0"


@pytest.mark.trust(except_first=1)
def test_headers(mails, told):
    """A mail says who it is from, to whom, in which language, of which list, and that a program wrote it."""
    language = "de" if mails is told("de") else "en"
    ids = [mail.message["Message-ID"] for mail in mails.values()]
    assert len(set(ids)) == len(ids)
    for name, mail in mails.items():
        message = mail.message
        assert parseaddr(message["From"]) == ("Dottendorfer Soccer", GM_ADDRESS)
        assert parseaddr(message["To"])[1] == mail.recipient
        assert message["Content-Language"] == language, name
        assert message["Auto-Submitted"] in ("auto-replied", "auto-generated")
        assert len(re.findall("<[^<>]+>", message.get("References", ""))) <= 2, name
        if mail.subject.startswith("["):
            title = re.match(r"\[(?:Frage|Question|(\w+))", mail.subject)
            assert title
            if title[1]:
                assert message["List-Id"] == f"<{title[1].lower()}.postspiel.example>", name
    assert mails["confirmation"].message["In-Reply-To"].endswith("anna@spieler.example>")
    assert mails["confirmation"].message["Auto-Submitted"] == "auto-replied"
    assert mails["bulletin"].message["Auto-Submitted"] == "auto-generated"


# -- names that mean harm, names that are long ------------------------------------------------------------------------


class Sent:
    """A mail of a short story."""

    def __init__(self, raw: bytes) -> None:
        from email import message_from_bytes
        from email.policy import default

        self.raw = raw
        self.message = message_from_bytes(raw, policy=default)
        self.text, self.html = (part.get_content().replace("\r\n", "\n") for part in self.message.iter_parts())
        self.subject = str(self.message["Subject"])


def sent(story: Story) -> dict[str, Sent]:
    """The last mail to each address since the last look."""
    new = story.outbox.letters[:]
    story.outbox.letters.clear()
    return {letter.recipient: Sent(letter.raw) for letter in new}


def start_game(story: Story, names: tuple[str, ...] = PLAYERS, game: str = "Eriwan") -> None:
    """Seat six players and start."""
    actions.new_game(story.app, "crossword", game)
    for number, (name, letter) in enumerate(zip(names, "DNTIRO", strict=True)):
        seating.join(story.app, game, name, address_of(PLAYERS[number]), letter)
    actions.start(story.app, game)
    story.tick()


NASTY = '<b>Eve & "Co"</b>'


def test_nasty_name(story):
    """A name is text: it can't become markup, a header or another recipient."""
    name = f"X {NASTY} {{{{ 7 * 7 }}}} é"
    start_game(story, (name, *PLAYERS[1:]))
    actions.close(story.app, "Eriwan", story.app.now())
    story.tick()
    for address, mail in sent(story).items():
        page = check_html(address, re.sub("7 \\* 7|[{}]{2}", "", mail.html))
        assert "X " in "".join(page.captions)
        assert "<b>Eve" not in mail.html
        assert "&lt;b&gt;Eve &amp;" in mail.html
        assert NASTY in mail.text
        assert "49" not in mail.text
    mail = sent_to(story, NASTY)
    assert parseaddr(str(mail.message["To"]))[1] == "anna@spieler.example"


def sent_to(story: Story, name: str) -> Sent:
    """Compose a mail to somebody with this very name, however the service would have cleaned it."""
    from gm.messages.rendering.mime import Envelope, write_letter

    to = Recipient(name=name, address="anna@spieler.example", language="de")
    part = Part(template="notice", context={"text": say("STANDBY_ON"), "game": "", "taken": True})
    subject, text, html = compose([part], to, True, Sender())
    envelope = Envelope(
        sender_name="Zine", sender=GM_ADDRESS, to_name=name, to=to.address, message_id="<1@x>", date=story.now,
        language="de", automatic="auto-replied",
    )  # fmt: skip
    mail = Sent(write_letter(envelope, subject, text, html))
    assert "&lt;b&gt;" in mail.html
    return mail


@pytest.mark.parametrize("name", ["", "Eve\r\nBcc: x@y.example", "Eve\x00\x1b[31m"])
def test_strangers_names(name, story):
    """Somebody without a name, or with one that breaks lines, gets the help like anybody else, and by no name."""
    encoded = "".join(f"={byte:02X}" for byte in name.encode())
    head = f"=?utf-8?q?{encoded}?= <eve@spieler.example>" if name else "eve@spieler.example"
    story.arrives(f"From: {head}\r\nSubject: Hilfe\r\nMessage-ID: <1@x>\r\n\r\nHilfe\r\n".encode())
    story.tick()
    mail = sent(story)["eve@spieler.example"]
    assert mail.subject == "Hilfe: So spielt man hier per Mail"
    assert mail.message["Bcc"] is None
    assert "\nHallo,\n" in mail.text
    assert not re.search("[\x00-\x09\x0b-\x1f]", mail.text + mail.html)
    check_text(name, mail.text)
    check_html(name, mail.html)


@pytest.mark.trust
@pytest.mark.parametrize("language", LANGUAGES)
def test_long_names(language, tmp_path):
    """Names of forty letters, a game's of thirty and a long-winded GM's push nothing over the edge."""
    gm = f"{'Maximiliane ' * 5}<{'m' * 40}@postspiel.example>"
    story = Story(tmp_path, more={"service": {"language": language, "gm": gm, "name": "Z" * 60}})
    names = tuple(f"{letter * 19} von und zu Hohenste" for letter in "ABCDEF")
    game = "Unaussprechlich-lange-Partie-1"
    try:
        start_game(story, names, game)
        for _ in range(6):
            for address, mail in sent(story).items():
                check_text(address, mail.text)
                page = check_html(address, mail.html)
                # Longer ones take two lines, and the boards below would catch on them.
                assert all(len(caption) <= 18 for caption in page.captions[:6])
            actions.close(story.app, game, story.app.now())
            story.tick()
        final = sent(story)
        assert any("100" not in mail.subject and "Unaussprechlich" in mail.subject for mail in final.values())
        for address, mail in final.items():
            check_text(address, mail.text)
    finally:
        story.close()
