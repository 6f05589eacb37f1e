"""Words of mails of ours that a mail repeats: compared as running text (mail.md, Policies; issue 48)."""

import textwrap
from datetime import date

import pytest
from cpu_cost import work_units
from hypothesis import given
from hypothesis import strategies as st

from gm.requests.declared import all_names, changes
from parsers.commands import Orders
from parsers.mime.message import Mail
from parsers.reading import Reading, read
from parsers.sent_texts import SentTexts, Standing

TODAY = date(2026, 11, 2)
NAMES = all_names(frozenset({"eriwan"}))
COMMANDS = (
    "Abmeldung Eriwan", "Urlaub 01.12.2026-20.12.2026", "Sprache en", "Zurückziehen Eriwan", "Archivname aus",
    "Adresse frank@example.org", "Presse Eriwan", "Fertig Eriwan", "Vorab Eriwan", "Digest aus",
)  # fmt: skip
WORDS = st.lists(
    st.sampled_from(["wer", "nicht", "mag", "der", "schreibt", "heute", "und", "dann"]), min_size=2, max_size=25
)
OURS = """Hallo Bernd,

hier ist die Auswertung. Wer mehr Zeit braucht, schreibt bis dahin »Warten
Eriwan«, dann geht es erst zum ZAT weiter.

     Crossword Eriwan
     Neu:
     .....

Frank schreibt:

{press}

Viele Grüße, Cici
"""


def mail_with(press: str) -> str:
    """Write a mail of ours with press."""
    return OURS.format(press="\n".join(f"  > {line}   " for line in textwrap.wrap(press, 74)))


def reading(text: str, sent: str) -> Reading:
    """Read a mail of a player who has got `sent`."""
    return read(Mail(texts=(text,)), NAMES, TODAY, SentTexts([sent]))


@given(st.sampled_from(COMMANDS), WORDS, WORDS, st.integers(16, 90), st.booleans())
def test_no_command_in_a_quotation(
    command: str,
    before: list[str],
    behind: list[str],
    width: int,
    marks: bool,
) -> None:
    """Whatever stands in a press, and however a program wraps it, it asks for nothing."""
    sent = mail_with(" ".join([*before, command, *behind]))
    lines = [part for line in sent.splitlines() for part in _wrapped(line, width, marks=marks)]
    said = reading("\n".join(["Danke!", "", *lines]), sent)
    assert [one for one in said.commands if changes(one.command)] == []


def _wrapped(line: str, width: int, *, marks: bool) -> list[str]:
    """Wrap a line as a quoting program does: its first part has the mark, if any has one."""
    text = f"> {line.strip()}" if marks else line.replace(">", " ")
    return textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False) or [""]


@pytest.mark.parametrize("command", COMMANDS)
def test_it_may_be_meant_where_it_stands_alone(command: str) -> None:
    """In the words of a press, and by itself in the mail: that is asked back, not done and not dropped."""
    repeated = SentTexts([mail_with(f"Ich sage nur {command} und sonst nichts mehr.")]).within(
        f"{command}\n\nGruß\nBernd"
    )
    assert repeated.line(command) is Standing.DOUBTFUL


@pytest.mark.parametrize("more", ["", "\n\nViele Grüße, Cici", "\nViele Grüße\nBernd"])
def test_a_command_from_a_hint_is_the_senders(more: str) -> None:
    """The same farewell as ours shows no quotation."""
    assert SentTexts([mail_with("Hm.")]).within(f"Warten Eriwan{more}").line("Warten Eriwan") is Standing.OWN


@given(st.text(alphabet="RAZ.", min_size=5, max_size=5), st.sampled_from("ABC"))
def test_a_move_written_into_our_block_is_the_senders(row: str, wish: str) -> None:
    """Also where the whole mail stands around it without a mark: case and dots count in a move."""
    sent = mail_with("Hm.")
    said = reading(sent.replace("     Neu:\n     .....", f"     Neu: {wish}\n     {row}"), sent)
    assert [type(one.command) for one in said.commands] == [Orders]


def test_a_block_of_others_is_no_move() -> None:
    """A move that stands in a press is read as one quoted: it is shown, and asked back."""
    block = ["Crossword Eriwan", "Neu: D", "ROT.."]
    sent = OURS.format(press="\n".join(f"  > {line}" for line in block))
    said = reading("\n".join(["Sehr witzig, das da:", "", *block]), sent)
    assert said.commands == ()
    assert [one.block.lines for one in said.quoted] == [("Neu: D", "ROT..")]


@pytest.mark.trust(except_first=6)
@pytest.mark.parametrize("size", [155, 1_000, 16_000, 128_000])
@pytest.mark.parametrize("words", ["a ", "a\n", "a a\n", "Abmeldung Eriwan\n", "> a\n", "ab " * 40 + "\n"])
def test_it_is_linear(words: str, size: int) -> None:
    """However often the words of both repeat themselves: 50 ms of CPU for a mail of 1 kB, a second for 128 kB."""
    text = (words * size)[:size]
    sent = mail_with((words * 4000)[:4000])
    most = 25 + 475 * size / 128_000
    assert work_units(lambda: reading(text, sent), most=most) < most
