"""Command lines of players and of the GM: every command of the table, vacations, press, names, misspellings."""

from dataclasses import replace
from datetime import date
from email.message import EmailMessage

import pytest
from cpu_cost import work_units
from hypothesis import given, settings
from hypothesis import strategies as st

from games.api import LANGUAGES, Rules
from gm.requests.declared import command_table
from parsers.commands import (
    ArchiveName,
    Command,
    Digest,
    Extension,
    GmCommand,
    Help,
    History,
    MyGames,
    NewAddress,
    NotUnderstood,
    Orders,
    Press,
    Resign,
    SetLanguage,
    Status,
    Vacation,
    Wait,
    Watch,
)
from parsers.lines.body import MAX_COMMANDS
from parsers.lines.command_lines import read_command
from parsers.lines.command_table import MAX_TEXT
from parsers.lines.mistakes import distance
from parsers.lines.names import Names, names_of
from parsers.mime.message import Mail, read_mail
from parsers.reading import Reading, read

TODAY = date(2026, 11, 4)

GRID = ("brecHt", "ra..Ua", "uR...n", ".....Z", ".....e", "R..B.n")
MOVE = "Crossword Eriwan\nNeu: D\n" + "\n".join(GRID)
GUESS = "Combinato Riga\nBILD"
ALL = (
    Rules(key="crossword", title="Crossword", seats=(6, 6), version=1, profile="duden", grid_rows=6),
    Rules(key="typ-dom", title="Typ-Dom", seats=(2, 5), version=1, profile="typdom"),
    Rules(key="combinato", title="Combinato", seats=(2, 2), version=1, profile="duden"),
)
TITLES = names_of(ALL, command_table())
EXAMPLE = "24.12.2026-06.01.2027"
CHRISTMAS = Vacation(days=(date(2026, 12, 24), date(2027, 1, 6)))


def reading(text: str, subject: str = "") -> Reading:
    """What a mail with this text and subject says."""
    message = EmailMessage()
    message["From"] = "anna@gmx.example"
    message["Subject"] = subject
    message.set_content(text)
    return read(read_mail(bytes(message)), TITLES, TODAY)


def commands(text: str, subject: str = "") -> list[Command]:
    """Only the commands."""
    return [said.command for said in reading(text, subject).commands]


COMMAND_LINES = [
    ("Abmeldung Eriwan", Resign(game="Eriwan"), "de"),
    ("abmeldung: Crossword Eriwan.", Resign(title_key="crossword", game="Eriwan"), "de"),
    ("Resign Eriwan", Resign(game="Eriwan"), "en"),
    ("Meine Partien", MyGames(), "de"),
    ("meine spiele!", MyGames(), "de"),
    ("Meine Partie", MyGames(), "de"),
    ("My games", MyGames(), "en"),
    ("Protokoll", History(), "de"),
    ("Protokoll Eriwan", History(game="Eriwan"), "de"),
    ("Protokoll Eriwan 0", History(game="Eriwan", number=0), "de"),
    ("Protokoll 3", History(number=3), "de"),
    ("Protokoll: Crossword Eriwan Runde 12", History(title_key="crossword", game="Eriwan", number=12), "de"),
    ("History Eriwan round 3", History(game="Eriwan", number=3), "en"),
    (f"Urlaub {EXAMPLE}", CHRISTMAS, "de"),
    (f"Vacation: {EXAMPLE}", CHRISTMAS, "en"),
    ("Verlängerung Eriwan", Extension(game="Eriwan"), "de"),
    ("Verlängerung Eriwan 3 Tage", Extension(game="Eriwan", span="3d"), "de"),
    ("Verlängerung Eriwan +3 Tage", Extension(game="Eriwan", span="3d"), "de"),
    ("Verlängerung eine Woche", Extension(span="7d"), "de"),
    ("Verlängerung Eriwan bis Sonntag", Extension(game="Eriwan", until=date(2026, 11, 8)), "de"),
    ("Extension Eriwan until tomorrow", Extension(game="Eriwan", until=date(2026, 11, 5)), "en"),
    ("Verlängerung bis zum 3.1.", Extension(until=date(2027, 1, 3)), "de"),
    ("Verlaengerung Eriwan um 1 Woche!", Extension(game="Eriwan", span="7d"), "de"),
    ("Verlängerung 12 Stunden", Extension(span="12h"), "de"),
    ("Extension Typ-Dom Riga 12 hours", Extension(title_key="typ-dom", game="Riga", span="12h"), "en"),
    ("Extension Eriwan 3d", Extension(game="Eriwan", span="3d"), "en"),
    ("Extension Eriwan 99h", Extension(game="Eriwan", span="99h"), "en"),
    ("Beobachten Eriwan", Watch(game="Eriwan"), "de"),
    ("Watch Eriwan", Watch(game="Eriwan"), "en"),
    ("nicht beobachten Eriwan", Watch(game="Eriwan", on=False), "de"),
    ("Unwatch Crossword Eriwan", Watch(title_key="crossword", game="Eriwan", on=False), "en"),
    ("Digest an", Digest(how="weekly"), "de"),
    ("Digest: wöchentlich", Digest(how="weekly"), "de"),
    ("digest monatlich", Digest(how="monthly"), "de"),
    ("Digest aus.", Digest(how="off"), "de"),
    ("Digest on", Digest(how="weekly"), "en"),
    ("Digest weekly", Digest(how="weekly"), "en"),
    ("Digest monthly", Digest(how="monthly"), "en"),
    ("Digest off", Digest(how="off"), "en"),
    ("STOP DIGEST", Digest(how="off"), None),
    ("Digest täglich 18:00", Digest(how="daily", at="18:00"), "de"),
    ("Digest täglich um 7 Uhr", Digest(how="daily", at="07:00"), "de"),
    ("digest: taeglich 18.30 Uhr", Digest(how="daily", at="18:30"), "de"),
    ("Digest täglich um 24:00", Digest(how="daily", at="00:00"), "de"),
    ("Digest täglich", Digest(how="daily"), "de"),
    ("Digest daily at 6:15 p.m.", Digest(how="daily", at="18:15"), "en"),
    ("digest daily 12 am", Digest(how="daily", at="00:00"), "en"),
    ("Archivname", ArchiveName(), "de"),
    ("Archivname voll", ArchiveName(form="full"), "de"),
    ("archivname: Kurz.", ArchiveName(form="initial"), "de"),
    ("Archive name", ArchiveName(), "en"),
    ("Archive name full", ArchiveName(form="full"), "en"),
    ("ARCHIVE NAME: initial", ArchiveName(form="initial"), "en"),
    ("Sprache de", SetLanguage(to="de"), "de"),
    ("Sprache: Englisch", SetLanguage(to="en"), "de"),
    ("Language german", SetLanguage(to="de"), "en"),
    ("Language EN", SetLanguage(to="en"), "en"),
    ("Adresse Anna.Berg@Example.org", NewAddress(address="anna.berg@example.org"), "de"),
    ("Address: <anna@example.org>.", NewAddress(address="anna@example.org"), "en"),
    ("Adresse mailto:anna@example.org", NewAddress(address="anna@example.org"), "de"),
    ("Adresse a@b.example <mailto:a@b.example>", NewAddress(address="a@b.example"), "de"),
    ("gm rule Eriwan accept URAN", GmCommand(words=("rule", "Eriwan", "accept", "URAN")), None),
    ("GM  Zat Eriwan +3d", GmCommand(words=("zat", "Eriwan", "+3d")), None),
    ("gm todo --done K7XQ", GmCommand(words=("todo", "--done", "K7XQ")), None),
    ("gm todo –done K7XQ", GmCommand(words=("todo", "--done", "K7XQ")), None),
    ("gm mail retry 12", GmCommand(words=("mail", "retry", "12")), None),
    ('gm standby Eriwan "Anna Berg"', GmCommand(words=("standby", "Eriwan", "Anna Berg")), None),
    ("gm standby Eriwan „Anna Berg“ Ben", GmCommand(words=("standby", "Eriwan", "Anna Berg", "Ben")), None),
    ('gm close "Eriwan', GmCommand(words=("close", '"Eriwan')), None),
    ("gm todo", GmCommand(words=("todo",)), None),
]


def test_command(subtests: pytest.Subtests) -> None:
    """Each command is read from a line of the body and from the subject, with the language it was given in."""
    for line, command, language in COMMAND_LINES:
        with subtests.test(line=line, command=command, language=language):
            for found in (reading(f"Hallo!\n\n{line}\n"), reading("Hallo!\n", f"AW: Re: [Eriwan] {line}")):
                assert [(said.command, said.language) for said in found.commands] == [(command, language)]
                assert found.free_text == "Hallo!"


PROSE = [
    "Abmeldung", "Resign", "Ich will eine Abmeldung", "Protokoll der Sitzung", "Protokoll folgt", "Urlaub",
    "Urlaub war schön", "Im Urlaub 24.12.2026-06.01.2027", "Verlängerung", "Extension of time, please",
    "Beobachten wir das Ganze", "Watch this", "Watch out!", "Presse", "Presse ist toll", "Presse folgt",
    "Press release", "Presse: hallo zusammen, wie geht es", "Digest", "Digest please",
    "Sprache ist schön", "Archivname ist schön", "Archive names are fine", "Archiv",
    "Adresse folgt", "Adresse neu, siehe unten", "gm", "gm ist doof", "gm show Eriwan",
    "Spiele Crossword", "Hilf mir", "Stadt Eriwan", "Strand", "Sand", "Spielen", "Spiel morgen", "Warte mal",
    "Warte auf dich", "Garten", "Gates", "James", "John Smith", "Joan Berg", "Hilde", "Held", "HILF", "On standby",
    "Anwendung Eriwan", "Werte SENATOR", "werte AN", "streiche R4", "passe", "weiter", "hinten E TIER", "PRESTO",
    "Was heißt Stnad Eriwan?", "Stnad heute", "Stnad Eriwan, danke", "Hlf", "Zug Eriwan", "Anna Berg",
    "Urlaub hatte ich in diesem Jahr noch keinen einzigen Tag 2026", "Danke für den Digest",
]  # fmt: skip


def test_prose(subtests: pytest.Subtests) -> None:
    """What only begins like a command, or is another word, is free text, even where it stands alone."""
    for line in PROSE:
        with subtests.test(line=line):
            found = reading(line)
            assert found.commands == ()
            assert found.free_text == line


def test_table_is_bilingual(names: Names) -> None:
    """Every row's example is a command of the row, in both languages."""
    assert {row.language for row in command_table().rows} == {*LANGUAGES, None}
    for row in command_table().rows:
        is_whole = row.argument or read_command(row.shown, names)
        line = row.example(names) if is_whole else f"{row.shown} Crossword Eriwan"
        said = read_command(line, names)
        assert said is not None, line
        assert said.language == row.language, line
        assert not isinstance(said.command, NotUnderstood), line


@pytest.mark.parametrize(
    ("line", "today", "days"),
    [
        ("Urlaub 24.12. bis 6.1.", date(2026, 11, 4), (date(2026, 12, 24), date(2027, 1, 6))),
        ("Urlaub 24.12. bis 6.1.", date(2026, 12, 30), (date(2026, 12, 24), date(2027, 1, 6))),
        ("Urlaub 24.12. bis 6.1.", date(2027, 1, 7), (date(2027, 12, 24), date(2028, 1, 6))),
        ("Urlaub bis Sonntag", date(2026, 11, 4), (date(2026, 11, 4), date(2026, 11, 8))),
        ("Vacation until tomorrow", date(2028, 2, 28), (date(2028, 2, 28), date(2028, 2, 29))),
    ],
)
def test_dates_are_those_of_the_mails_day(names: Names, line: str, today: date, days: tuple[date, date]) -> None:
    """Days of the week and dates without a year count from the day on which the mail came (simpler.md, B7)."""
    (said,) = read(Mail(texts=(line,)), names, today).commands
    assert said.command == Vacation(days=days)


GAMES = frozenset(["eriwan", "riga", "herbstwind"])


@pytest.mark.parametrize(
    ("line", "is_command"),
    [
        ("Stand Eriwan", True), ("stand ERIWAN", True), ("Stand Erivan", True), ("Stand Herbstwnd", True),
        ("stand freitag", False), ("Warten lohnt", False), ("Fertig geworden", False), ("Wait oslo", False),
        ("Stand Tiflis", True), ("Abmeldung Crossword konstantinopel", True),
        ("Anmeldung Konstantinopel", True), ("Beobachten Konstantinopel", True), ("Stand", True),
    ],
)  # fmt: skip
def test_a_command_is_about_a_game_that_there_is(names: Names, line: str, is_command: bool) -> None:
    """A word that no game has for a name, nor one like it, makes a line prose (B7).

    What is written like a name, with a title, or signs up, is answered: there is no such game.
    """
    said = read(Mail(texts=(line,)), replace(names, games=GAMES), TODAY).commands
    assert bool(said) is is_command


def test_a_text_below_a_wrong_name_is_no_command(names: Names) -> None:
    """What was meant for all is never carried out, whatever the name of the game."""
    text = "Presse Konstantinopel\nAbmeldung Eriwan\nEnde\n"
    (said,) = read(Mail(texts=(text,)), replace(names, games=GAMES), TODAY).commands
    assert said.command == Press(game="Konstantinopel", text="Abmeldung Eriwan")


SLIPS = [
    ("Anmeldnug Crossword Eriwan", "Anmeldung Crossword Eriwan", "de"),
    ("Nameldung Eriwan", "Anmeldung Eriwan", "de"),
    ("Anmeldung Crosword Eriwan", "Anmeldung Crossword Eriwan", "de"),
    ("Anmeldnug Kombinato Riga!", "Anmeldung Combinato Riga", "de"),
    ("Jion Crossword Eriwan", "Join Crossword Eriwan", "en"),
    ("Abmedlung Eriwan", "Abmeldung Eriwan", "de"),
    ("Hife", "Hilfe", "de"),
    ("Hepl Crossword", "Help Crossword", "en"),
    ("Speile", "Spiele", "de"),
    ("Stnad Eriwan", "Stand Eriwan", "de"),
    ("Stauts Eriwan", "Status Eriwan", "en"),
    ("Zuruckziehen Eriwan", "Zurückziehen Eriwan", "de"),
    ("Withdarw Eriwan", "Withdraw Eriwan", "en"),
    ("Watren Eriwan", "Warten Eriwan", "de"),
    ("Protokol Eriwan 3", "Protokoll Eriwan 3", "de"),
    (f"Urlub {EXAMPLE}", f"Urlaub {EXAMPLE}", "de"),
    ("Verlangerung Eriwan 3 Tage", "Verlängerung Eriwan 3 Tage", "de"),
    ("kein Stanby", "kein Standby", "de"),
    ("nciht beobachten Eriwan", "nicht beobachten Eriwan", "de"),
    ("Digset off", "Digest off", "en"),
    ("Sprahce en", "Sprache en", "de"),
    ("Archivnmae kurz", "Archivname kurz", "de"),
    ("Archivname Spitzname", "Archivname kurz", "de"),
    ("Archive nmae full", "Archive name full", "en"),
    ("Archive name nickname", "Archive name initial", "en"),
    ("Adrese anna@example.org", "Adresse anna@example.org", "de"),
    ("Prese Eriwan", "Presse Eriwan", "de"),
    ("Einspurch Eriwan RASA: Duden", "Einspruch Eriwan RASA: Duden", "de"),
    ("Urlaub morgen 12", f"Urlaub {EXAMPLE}", "de"),
    ("Urlaub 24.12.2026", "Urlaub 24.12.2026-24.12.2026", "de"),
    ("Urlaub war 24.12.-6.1", "Urlaub 24.12.-06.01.", "de"),
    ("Urlub bis Sonntag", "Urlaub bis Sonntag", "de"),
    ("Vacation soonish", f"Vacation {EXAMPLE}", "en"),
    ("Sprache fr", "Sprache en", "de"),
    ("Digest vielleicht", "Digest aus", "de"),
    ("Adresse foo", "Adresse anna@example.org", "de"),
    ("Adresse a@b c@d", "Adresse anna@example.org", "de"),
    ("Protokoll Eriwan drei", "Protokoll Eriwan 3", "de"),
    ("Verlängerung Eriwan 100 Tage", "Verlängerung Eriwan 3 Tage", "de"),
    ("Abmeldung Crossword", "Abmeldung Eriwan", "de"),
    ("Einspruch Eriwan", "Einspruch Eriwan WORT: Begründung", "de"),
    ("Standby Eriwan", "Standby Crossword", None),
]


def test_slips(subtests: pytest.Subtests) -> None:
    """A line that is nearly a command is told so, in a paragraph of its own or beside commands and a farewell."""
    for line, meant, language in SLIPS:
        with subtests.test(line=line, meant=meant, language=language):
            wrong = NotUnderstood(line=line.rstrip("!"), meant=meant)
            for text in (line, f"Hallo GM,\n\n{line}\n\nwas macht das Wetter bei dir?", f"Hallo\n{line}\nGruß\nAnna"):
                found = reading(text)
                assert [(said.command, said.language) for said in found.commands] == [(wrong, language)]
                assert line not in found.free_text
            assert commands(f"Hilfe\n{line}") == [Help(), wrong]


@pytest.mark.parametrize(
    "text",
    [
        "Lieber GM, ich schrieb\nStnad Eriwan\nund nichts kam.", "Bis bald\n\nGruß\nHlife", "Gruß\n\nHlife",
        "Presse Eriwan\nStnad Eriwan\n\nHlife\nEnde", f"{MOVE}\nStnad Eriwan", f"{GUESS}\nHlife",
        "Archivname nicht", "Archivname danke",
    ],
)  # fmt: skip
def test_slips_elsewhere_are_none(text: str) -> None:
    """Before a word of running text, beside prose, in a signature, a press or a move a slip is just text."""
    assert not [command for command in commands(text) if isinstance(command, NotUnderstood)]


def test_slips_in_the_subject() -> None:
    """A subject is nearly a command only where nothing else stands in the mail."""
    assert commands("", "Stnad Eriwan") == [NotUnderstood(line="Stnad Eriwan", meant="Stand Eriwan")]
    assert commands("Hallo", "Stnad Eriwan") == commands("", "Re: Stnad Eriwan") == []


def test_no_answer_below_a_press() -> None:
    """Below the press of a subject `Ja` is no first line."""
    assert commands("Hallo\nEnde\nJa", "Presse Eriwan") == [Press(game="Eriwan", text="Hallo")]


def test_slips_are_bounded() -> None:
    """They count as commands, and many of them are read quickly."""
    text = "Anmeldnug Crosword Eriwan\n" * 2500
    assert len(reading(text).commands) == MAX_COMMANDS
    assert work_units(lambda: reading(text), most=500) < 500


@pytest.mark.parametrize(
    ("first", "second", "steps"),
    [("", "", 0), ("stand", "stand", 0), ("stnad", "stand", 1), ("stan", "stand", 1), ("sttand", "stand", 1),
     ("stond", "stand", 1), ("tsnad", "stand", 2), ("ab", "", 2), ("help", "held", 1)],
)  # fmt: skip
def test_distance(first: str, second: str, steps: int) -> None:
    """A letter left out, put in, replaced or swapped is one slip, in both directions."""
    assert distance(first, second) == distance(second, first) == steps


@pytest.mark.parametrize("end", ["Ende", "ENDE.", "end!", "  Ende:", "*Ende*"])
def test_press_is_inert(end: str) -> None:
    """Up to `Ende` nothing in a press is read, and its lines stay as they were written."""
    text = f"Presse Eriwan\n\n  Stand Riga\n\n*{MOVE}*\nName: Ben\nGM: x\n{end}\nStand Eriwan\nNa?"
    found = reading(text)
    said = f"Stand Riga\n\n*{MOVE}*\nName: Ben\nGM: x"
    assert [said.command for said in found.commands] == [Press(game="Eriwan", text=said), Status(game="Eriwan")]
    assert (found.free_text, found.player_name) == ("Na?", "")


@pytest.mark.parametrize(
    ("head", "press"),
    [
        ("Presse anonym Eriwan", Press(game="Eriwan", text="Na", anonymous=True)),
        ("press: anonymous Crossword Eriwan:", Press(title_key="crossword", game="Eriwan", text="Na", anonymous=True)),
        ("Presse Eriwan: Hallo, du!", Press(game="Eriwan", text="Hallo, du!\nNa")),
        ("Presse", Press(text="Na")),
        ("Presse Crossword", Press(title_key="crossword", text="Na")),
    ],
)
def test_headings_of_a_press(head: str, press: Press) -> None:
    """A press may be anonymous, begin in its heading, and with `Ende` go without a game's name."""
    assert commands(f"{head}\nNa\nEnde") == [press]
    assert commands("Na\nEnde", f"Re: [Eriwan] {head}") == [press]


@pytest.mark.parametrize("move", [MOVE, GUESS, f"Neu: D\n{chr(10).join(GRID)}", "\n".join(GRID), "Neu: D"])
def test_open_press_swallows_no_move(move: str) -> None:
    """Without `Ende` a press ends before a titled block, a grid or a wish; blank lines don't end it."""
    found = commands(f"Presse Eriwan\nErstens.\n\nNeu: alles anders\n\n{move}")
    assert found[0] == Press(game="Eriwan", text="Erstens.\n\nNeu: alles anders", is_open=True)
    assert [type(command) for command in found[1:]] == [Orders]
    assert found[1:] == commands(move)


def test_open_press_goes_to_the_end() -> None:
    """Without `Ende` and move a press goes on to the end of the sender's own text, or to the next press."""
    text = "Presse Eriwan\nErstens.\n\nStand Riga\n\nAm 1.1.2026 schrieb GM:\n> Ende\n"
    assert commands(text) == [Press(game="Eriwan", text="Erstens.\n\nStand Riga", is_open=True)]
    assert commands(f"Presse Eriwan\nA\n\nPresse Riga\nB\n\n{GUESS}\n\nPress Wien\nC\nEnd") == [
        Press(game="Eriwan", text="A", is_open=True),
        Press(game="Riga", text="B", is_open=True),
        *commands(GUESS),
        Press(game="Wien", text="C"),
    ]
    assert commands("Presse Eriwan") == [Press(game="Eriwan", text="", is_open=True)]


def test_press_in_one_line() -> None:
    """A text in the heading's own line ends with its paragraph; an `Ende` below a move is not its own."""
    assert commands(f"Presse Eriwan: Hallo\nihr!\n\n{GUESS}\n\nEnde") == [
        Press(game="Eriwan", text="Hallo\nihr!"),
        *commands(GUESS),
    ]
    assert commands(f"Presse Eriwan: Hallo\n{GUESS}") == [Press(game="Eriwan", text="Hallo"), *commands(GUESS)]
    assert reading(f"{MOVE}\nPresse Eriwan: Hallo\n\nGruß").free_text == "Gruß"


def test_press_in_the_subject() -> None:
    """A press in the subject has its text in the body, up to `Ende` or a move; said twice it is one."""
    assert commands(f"Hallo\n\nWelt\n\n{MOVE}", "Presse Eriwan") == [
        Press(game="Eriwan", text="Hallo\n\nWelt", is_open=True),
        *commands(MOVE),
    ]
    assert commands("Presse Eriwan\nHallo\nEnde", "Presse Eriwan") == [Press(game="Eriwan", text="Hallo")]
    found = reading("Lieber GM!", "Presse Eriwan: Hallo")
    assert ([said.command for said in found.commands], found.free_text) == (
        [Press(game="Eriwan", text="Hallo")],
        "Lieber GM!",
    )
    assert commands("Lieber GM!", "Presse") == []


def test_press_without_a_game_needs_its_end() -> None:
    """A heading without a game is a word in a text unless `Ende` comes before a move."""
    assert commands(f"Presse\n\n{GUESS}\n\nEnde") == commands(GUESS)
    assert reading("Presse\nist toll").free_text == "Presse\nist toll"


def test_press_keeps_folded_lines() -> None:
    """A line that would be parted as a joined block stays one line in a press, and the lines below are its own."""
    line = "Crossword Eriwan Neu: D " + " ".join(GRID)
    assert commands(f"Presse Eriwan\n{line}\nNa?\nEnde") == [Press(game="Eriwan", text=f"{line}\nNa?")]
    assert commands(f"{line}\n\nPresse Eriwan\n{line}\nNa?\nEnde")[1:] == [Press(game="Eriwan", text=f"{line}\nNa?")]


def test_press_behind_many_commands() -> None:
    """Beyond the limit of commands a press text is still no move; the number of press texts is limited too."""
    found = commands("Stand Eriwan\n" * MAX_COMMANDS + f"Presse Eriwan\n\n{chr(10).join(GRID)}\nEnde")
    assert found[MAX_COMMANDS:] == [Press(game="Eriwan", text="\n".join(GRID))]
    assert len(commands("Presse Eriwan\nx\nEnde\n" * 500)) == 2 * MAX_COMMANDS


def test_press_is_bounded_and_never_read_from_quotations() -> None:
    """A press has at most so many characters; a quoted one is nothing."""
    found = commands("Presse Eriwan\n" + "Hallo Welt\n" * 3000)
    assert isinstance(found[0], Press)
    assert len(found[0].text) == MAX_TEXT
    line = "Hallo Welt, " * 500
    assert commands(f"Presse Eriwan: {line}\n\nGruß") == [Press(game="Eriwan", text=line.strip())]
    assert commands("Ja, gut so.\n\n> Presse Eriwan\n> Hallo\n> Ende") == []


@pytest.mark.parametrize("filling", ["Presse Eriwan\n", "Presse Eriwan: x\n\n", "Presse\n", "gm release Eriwan\n",
                                     "Presse\nCombinato Riga\n", "Presse Eriwan\nNeu: x y z\n", "Hlife\n\n",
                                     "Stnad Eriwan\nist es\n\n"])  # fmt: skip
def test_hostile_texts_are_quick(filling: str) -> None:
    """64 kB of headings, with an end far below or none, are read in the time that a mail has."""
    for end in ("", "Ende\n"):
        mail = Mail(texts=(filling * (64_000 // len(filling)) + end,))
        assert work_units(lambda mail=mail: read(mail, TITLES, TODAY), most=1000) < 1000


def test_foreword() -> None:
    """What stands below `gm release NAME` is the foreword: up to `Ende`, the next line of the GM's or a move."""
    release = ("release", "Eriwan")
    assert commands("gm release Eriwan\n\nLiebe Leute,\n\nStand Riga\nEnde\ngm todo") == [
        GmCommand(words=release, text="Liebe Leute,\n\nStand Riga"),
        GmCommand(words=("todo",)),
    ]
    assert commands("gm release Eriwan\nHallo\ngm close Riga\nEnde") == [
        GmCommand(words=release, text="Hallo"),
        GmCommand(words=("close", "Riga")),
    ]
    assert commands(f"gm release Eriwan\nHallo\n\n{GUESS}") == [
        GmCommand(words=release, text="Hallo"),
        *commands(GUESS),
    ]
    found = reading("gm release Eriwan\n\nGruß\nCici")
    assert ([said.command for said in found.commands], found.free_text) == ([GmCommand(words=release)], "Gruß\nCici")
    assert commands("gm close Eriwan\nHallo") == [GmCommand(words=("close", "Eriwan"))]
    assert commands("Na?\n> gm close Eriwan") == []


def test_desk_line_ends_a_block() -> None:
    """A line of the GM's is never part of a move."""
    assert commands(f"{GUESS}\ngm close Riga") == [*commands(GUESS), GmCommand(words=("close", "Riga"))]


def test_names_for_commands() -> None:
    """A line `Name:` holds for all commands below it, until another one."""
    found = reading("Digest aus\nName: Anna Berg\nDigest an\nStand Eriwan\nName: Ben\nSprache de")
    assert [said.player_name for said in found.commands] == ["", "Anna Berg", "Anna Berg", "Ben"]
    assert found.player_name == ""
    found = reading(f"Name: Anna\n{MOVE}\n\nUrlaub {EXAMPLE}")
    assert [said.player_name for said in found.commands] == ["Anna", "Anna"]


@pytest.mark.parametrize(
    ("text", "subject"),
    [("Name: Anna", ""), ("Name: Anna", "Digest aus"), ("Stand Eriwan\n\nName: Anna", ""),
     (f"{MOVE}\nName: anna\n\nName: Anna", ""), ("Anmeldung Eriwan\nName: Anna", ""),
     (f"Name: Anna\nNeu: D\n{chr(10).join(GRID)}", "")],
)  # fmt: skip
def test_the_one_name_of_a_mail(text: str, subject: str) -> None:
    """The only name in a mail is its writer's, wherever it stands, and no free text."""
    found = reading(text, subject)
    assert (found.player_name.lower(), found.free_text) == ("anna", "")


@given(st.text(alphabet=st.sampled_from('PresEndUlaubAdgmHif .:!-1249@\n"„“äſ²\u00a0\u200b\0')))
@settings(max_examples=100, deadline=None)
def test_any_text_is_read(text: str) -> None:
    """Nothing raises, whatever it looks like."""
    for line in ("", *(row.shown for row in command_table().rows), "gm release"):
        read(Mail(subject=f"{line} {text}", texts=(f"{line} {text}\nEnde\n{text}",)), TITLES, TODAY)


LINES = st.lists(
    st.sampled_from(["Hallo!", "", "Stand Riga", "Stnad Riga", "Neu: alles", "Combinato ist toll", "GM: x", "Ende gut",
                     "Name: Ben", f"Urlaub {EXAMPLE}", "gm todo", "Gruß Anna", "BILD", "Presse ist toll"]),
    max_size=6,
).map("\n".join)  # fmt: skip


@given(LINES, LINES, st.sampled_from([MOVE, GUESS]))
@settings(max_examples=100, deadline=None)
def test_moves_beside_a_press_are_never_lost(press: str, more: str, move: str) -> None:
    """Press closed by `Ende` leaves a move outside of it readable; without `Ende` a titled move below is read."""
    wanted = commands(move)
    inside = f"Presse Eriwan\n{press}\n{GUESS}\n{more}\nEnde"
    for text in (f"{inside}\n{move}", f"{move}\n\n{inside}", f"{move}\n{inside}", f"Presse Eriwan\n{press}\n{move}"):
        found = [command for command in commands(text) if isinstance(command, Orders)]
        assert found == wanted
    assert Wait(game="Eriwan") in commands(f"{inside}\nWarten Eriwan")


def test_slips_outnumber_what_stands_beside_them() -> None:
    """Several slips in a row are named although a line beside them is prose; one slip among prose stays prose."""
    slips = "Verlängrung Eriwan 3 Tage\nUrlaub ab morgen 12\nPresse Eriwan Hallo Leute!\n"
    read = reading(slips)
    assert [said.command.meant for said in read.commands] == [
        "Verlängerung Eriwan 3 Tage", "Urlaub 24.12.2026-06.01.2027",
    ]  # fmt: skip
    assert read.free_text == "Presse Eriwan Hallo Leute!"
    prose = "Ich bin noch da, und das Spiel gefällt mir.\nVerlängrung Eriwan 3 Tage\n"
    assert reading(prose).commands == ()


@pytest.mark.parametrize(
    "line",
    [
        "My name", "My date", "Meine Karten", "Meine Damen", "Meine Taten", "Meine Partien sind toll", "Meine Daten",
        "Vergiss mich", "Forget me",
    ],
)  # fmt: skip
def test_ordinary_lines_are_no_slip(line: str) -> None:
    """Lines of prose near `Meine Partien` and `My games` are neither, nor are they taken for a slip."""
    assert commands(line) == []
