"""Sign-up lines with extra words: carried out with the words kept, or answered with what they may have meant."""

import itertools
import re
from datetime import date

import pytest
from cpu_cost import work_units
from hypothesis import given
from hypothesis import strategies as st

from games.api import MoveBlock
from gm.demo.in_memory_zine import write_mail
from parsers.commands import Command, Join, NotUnderstood, Standby, Watch
from parsers.lines.names import Names
from parsers.mime.message import read_mail
from parsers.reading import Reading
from parsers.reading import read as read_mail_text

TODAY = date(2026, 11, 4)

KUTAISSI = Join(title_key="presto", game="Kutaissi")
ERIWAN = Join(title_key="crossword", game="Eriwan")


def read(names: Names, text: str, subject: str = "Hallo") -> Reading:
    """What a mail with this text and subject says."""
    return read_mail_text(read_mail(write_mail("anna@gmx.example", text, subject=subject)), names, TODAY)


def said(found: Reading) -> list[Command]:
    """List the commands in a mail."""
    return [one.command for one in found.commands]


WORDS = (
    ", ich freu mich!", ", danke", "; bis dann", " - bin dabei", " – endlich wieder!", "! Juhu!",
    ". Viele Grüße, Xaver",
    " (gerne)", " bitte", " bitte!", " ich freu mich", ", wann geht es los?", ", Xaver Zorn", ", freu mich auf Presto!",
    " :-) toll", ", mit freundlichen Grüßen",
)  # fmt: skip


SIGN_UPS = [
    ("Anmeldung Presto Kutaissi", KUTAISSI), ("Join Presto Kutaissi", KUTAISSI),
    ("Anmeldung Kutaissi", Join(game="Kutaissi")), ("Anmeldung: Presto »Kutaissi«", KUTAISSI),
    ("Beobachten Eriwan", Watch(game="Eriwan")), ("nicht beobachten Eriwan", Watch(game="Eriwan", on=False)),
    ("Standby", Standby()), ("Standby Crossword", Standby(title_key="crossword")),
    ("kein Standby", Standby(on=False)),
]  # fmt: skip


def test_words_behind_a_sign_up(names: Names, subtests: pytest.Subtests) -> None:
    """A sign-up with words after the name is carried out, in body and subject, and the words are kept as text."""
    for (line, command), words in itertools.product(SIGN_UPS, WORDS):
        with subtests.test(line=line, words=words):
            for found in (read(names, f"Hallo!\n\n{line}{words}\n"), read(names, "Hallo!\n", f"AW: {line}{words}")):
                assert said(found) == [command]
                kept = re.sub(r"\W+", " ", found.free_text).split()
                assert sorted(kept) == sorted(["Hallo", *re.findall(r"\w+", words)])


@pytest.mark.parametrize("words", [", Neu: D", " Neu: D", ", ich freu mich!\nNeu: D", " (gerne)\n\nNeu: D"])
def test_a_wish_behind_the_words(names: Names, words: str) -> None:
    """The wish letter belongs to the sign-up, behind it in the line or below."""
    (command,) = said(read(names, f"Anmeldung Crossword Eriwan{words}\n"))
    assert command == Join(title_key="crossword", game="Eriwan", block=MoveBlock(lines=("Neu: D",)))


def test_a_wish_below_a_subject_with_words(names: Names) -> None:
    """It belongs to a sign-up in the subject as well."""
    (command,) = said(read(names, "Hallo,\nNeu: D\n", "Anmeldung Crossword Eriwan, ich freu mich!"))
    assert command == Join(title_key="crossword", game="Eriwan", block=MoveBlock(lines=("Neu: D",)))


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("Anmeldung Presto Kutaissi und Crossword Eriwan", [KUTAISSI, ERIWAN]),
        ("Anmeldung Presto Kutaissi, Crossword Eriwan, ich freu mich!", [KUTAISSI, ERIWAN]),
        ("Anmeldung Presto Kutaissi, gerne auch für Crossword Eriwan bitte", [KUTAISSI, ERIWAN]),
        ("Anmeldung Kutaissi, Eriwan und Riga", [Join(game=name) for name in ("Kutaissi", "Eriwan", "Riga")]),
        ("Standby Crossword und Presto", [Standby(title_key="crossword"), Standby(title_key="presto")]),
        ("Beobachten Eriwan + Riga", [Watch(game="Eriwan"), Watch(game="Riga")]),
        ("Anmeldung Presto Prima, ich freu mich!", [Join(title_key="presto", game="Prima")]),
        ("Anmeldung Presto Super", [Join(title_key="presto", game="Super")]),
        ("Anmeldung für die Partie Presto Kutaissi", [KUTAISSI]),
        ("Anmeldung - Presto Kutaissi", [KUTAISSI]),
        ("Anmeldung Presto bitte", [Join(title_key="presto")]),
    ],
)
def test_several_games_in_a_line(names: Names, line: str, wanted: list[Command]) -> None:
    """A line may name several games, and small words before them."""
    assert said(read(names, f"{line}\n")) == said(read(names, "\n", line)) == wanted


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("Anmeldung Presto Kutaissi, aber nicht vor Montag", "Anmeldung Presto Kutaissi"),
        ("Anmeldung Presto Kutaissi hat nicht geklappt", "Anmeldung Presto Kutaissi"),
        ("Anmeldung Presto Kutaissi als Xaver", "Anmeldung Presto Kutaissi"),
        ("Anmeldung Presto Kutaissi?", "Anmeldung Presto Kutaissi"),
        ("Anmeldung Presto, Kutaissi", "Anmeldung Presto Kutaissi"),
        ("Beobachten Eriwan, aber nicht Riga", "Beobachten Eriwan"),
        ("Anmeldnug Presto Kutaissi, ich freu mich!", "Anmeldung Presto Kutaissi"),
        ("Anmeldung Prestoo Kutaissi, ich freu mich!", "Anmeldung Presto Kutaissi"),
        ("Standby Eriwan, gerne", "Standby Crossword"),
    ],
)
def test_what_is_not_sure_is_told(names: Names, line: str, meant: str) -> None:
    """An ambiguous sign-up is answered with what it may mean, not carried out, also beside other commands."""
    wrong = NotUnderstood(line=line, meant=meant)
    assert said(read(names, f"Hallo!\n\n{line}\n")) == [wrong]
    assert said(read(names, f"Anmeldung Crossword Eriwan\n{line}\n")) == [ERIWAN, wrong]
    assert said(read(names, f"Anmeldung Crossword Eriwan\n\n{line}\n\nGruß\nXaver\n")) == [ERIWAN, wrong]


@pytest.mark.parametrize(
    "text",
    [
        "Join us, it is fun", "Watch out, Bernd!", "Anmeldung klappt, danke", "Anmeldung bitte", "Standby-Liste, bitte",
        "Ich wollte fragen, wie das mit dem\nStandby, von dem du schriebst, funktioniert.",
        "Gestern kam bei mir leider keine\nAnmeldung an, obwohl ich gewartet habe.", "Watch " + "x, " * 500,
    ],
)  # fmt: skip
def test_prose(names: Names, text: str) -> None:
    """What only begins like a sign-up, or stands in the middle of a sentence, is text."""
    found = read(names, text)
    assert said(found) == []
    assert found.free_text == text.strip()


def test_a_press_stays_as_it_was_written(names: Names) -> None:
    """No line of a press is parted."""
    text = "Wer hat Lust?\nAnmeldung Presto Kutaissi, ich freu mich!\nBis dann"
    (command,) = said(read(names, f"Presse Eriwan\n{text}\nEnde\n"))
    assert getattr(command, "text", "") == text


@pytest.mark.parametrize(
    "line", ["Anmeldung " + "Presto Riga, " * 37, "Anmeldung " + ",;!" * 150, "Join " + "Ab," * 160]
)
def test_long_lines_are_read_quickly(names: Names, line: str) -> None:
    """However many marks there are."""
    text = f"{line}\n" * 50
    assert work_units(lambda: read(names, text), most=500) < 500


@given(text=st.lists(st.sampled_from(
    ("Anmeldung", "Standby", "kein", "Beobachten", "Presto", "Kutaissi", "und", "bitte", "Neu:", "D", "nicht", "²",
     "\u200bfür", ",", "!", " - ", ":)", "\n", "(", "😀", "Wer behält recht", "Crossword Eriwan"), ), max_size=12,
).map(" ".join))  # fmt: skip
def test_anything_is_read(names: Names, text: str) -> None:
    """Whatever is put together of such words, reading it raises nothing, and each line with a title has a fate."""
    found = read(names, text)
    for line in text.split("\n"):
        if re.match(r"\s*(?:Anmeldung|Beobachten) (?:Presto Kutaissi|Crossword Eriwan)\b", line):
            assert said(found), line
