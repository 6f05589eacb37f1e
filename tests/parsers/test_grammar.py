"""A mail -> commands: every row of the table, blocks, sign-ups, answers, and what is left as free text."""

from datetime import date
from email.message import EmailMessage

import pytest
from cpu_cost import work_units

from games.api import LANGUAGES, MoveBlock, Rules
from gm.requests.declared import command_table
from parsers.commands import (
    Appeal,
    Command,
    Games,
    Help,
    Join,
    No,
    Orders,
    Ready,
    Standby,
    Status,
    ToGm,
    Wait,
    Withdraw,
    Yes,
)
from parsers.lines.blocks import unfold
from parsers.lines.body import MAX_COMMANDS
from parsers.lines.command_lines import read_command
from parsers.lines.names import Names, names_of
from parsers.mime.message import Mail, read_mail
from parsers.reading import Reading
from parsers.reading import read as read_mail_text

TODAY = date(2026, 11, 4)

GRID = ("brecHt", "ra..Ua", "uR...n", ".....Z", ".....e", "R..B.n")
ROWS_OF_GRID = "\n".join(GRID)
ALL = (
    Rules(key="crossword", title="Crossword", seats=(6, 6), version=1, profile="duden", grid_rows=6),
    Rules(key="typ-dom", title="Typ-Dom", seats=(2, 5), version=1, profile="typdom"),
    Rules(key="combinato", title="Combinato", seats=(2, 2), version=1, profile="duden"),
)
TITLES = names_of(ALL, command_table())


def reading(text: str, subject: str = "") -> Reading:
    """What a mail with this text and subject says."""
    message = EmailMessage()
    message["From"] = "anna@gmx.example"
    message["Subject"] = subject
    message.set_content(text)
    return read_mail_text(read_mail(bytes(message)), TITLES, TODAY)


def commands(text: str, subject: str = "") -> list[Command]:
    """Only the commands."""
    return [said.command for said in reading(text, subject).commands]


def wish(*lines: str) -> MoveBlock:
    """A block of these lines."""
    return MoveBlock(lines=lines)


WRITTEN = [
    ("Hilfe", Help(), "de"),
    ("hilfe!", Help(), "de"),
    ("Hilfe typ dom", Help(topic="typ-dom"), "de"),
    ("Help Crossword.", Help(topic="crossword"), "en"),
    ("Help Eriwan", Help(topic="Eriwan"), "en"),
    ("SPIELE", Games(), "de"),
    ("Games", Games(), "en"),
    ("Anmeldung Crossword", Join(title_key="crossword"), "de"),
    ("Anmeldung Eriwan", Join(game="Eriwan"), "de"),
    ("Anmeldung: Eriwan", Join(game="Eriwan"), "de"),
    ("Anmeldung Crossword Eriwan:", Join(title_key="crossword", game="Eriwan"), "de"),
    ("Join Crossword Eriwan", Join(title_key="crossword", game="Eriwan"), "en"),
    ("Stand", Status(), "de"),
    ("Stand »Eriwan«", Status(game="Eriwan"), "de"),
    ("Status Crossword Eriwan", Status(title_key="crossword", game="Eriwan"), "en"),
    ("Zurückziehen Eriwan", Withdraw(game="Eriwan"), "de"),
    ("Zurueckziehen", Withdraw(), "de"),
    ("Withdraw Eriwan", Withdraw(game="Eriwan"), "en"),
    ("Warten Eriwan", Wait(game="Eriwan"), "de"),
    ("Wait", Wait(), "en"),
    ("Fertig Eriwan!", Ready(game="Eriwan"), "de"),
    ("Ready Eriwan", Ready(game="Eriwan"), "en"),
    ("Standby", Standby(), None),
    ("Standby Crossword", Standby(title_key="crossword"), None),
    ("kein  Standby Crossword", Standby(title_key="crossword", on=False), "de"),
    ("No standby", Standby(on=False), "en"),
    ("Einspruch Eriwan RASA", Appeal(game="Eriwan", word="RASA"), "de"),
    ("Einspruch Eriwan »Rasa«!", Appeal(game="Eriwan", word="Rasa"), "de"),
    (
        'einspruch: Crossword Eriwan RASA : Steht im Duden: "rasa".',
        Appeal(title_key="crossword", game="Eriwan", word="RASA", reason='Steht im Duden: "rasa".'),
        "de",
    ),
    (
        "Einspruch Typ Dom Eriwan Café: Lehnwort!",
        Appeal(title_key="typ-dom", game="Eriwan", word="Café", reason="Lehnwort!"),
        "de",
    ),
    ("Appeal Eriwan TOR: not a word", Appeal(game="Eriwan", word="TOR", reason="not a word"), "en"),
    ("GM: Wann geht es los?", ToGm(text="Wann geht es los?"), None),
    ("*Stand Eriwan*", Status(game="Eriwan"), "de"),
]


def test_command(subtests: pytest.Subtests) -> None:
    """Each command is read from a line of the body and from the subject, with the language it was given in."""
    for line, command, language in WRITTEN:
        with subtests.test(line=line, command=command, language=language):
            for found in (reading(f"Hallo!\n\n{line}\n"), reading("Hallo!\n", f"AW: Re: [Eriwan] {line}")):
                assert [(said.command, said.language) for said in found.commands] == [(command, language)]
                assert found.free_text == "Hallo!"


@pytest.mark.parametrize(
    "line",
    [
        "Hilfe, ich verstehe das nicht", "Spiele Crossword", "Anmeldung", "Anmeldung zu zwei Spielen bitte",
        "Stand der Dinge ist", "Standby Eriwan", "Warten wir mal ab", "Einspruch", "Einspruch Eriwan",
        "Einspruch gegen das Wort RASA in Eriwan", "Einspruch Crossword RASA: steht im Duden",
        "Ich will warten", "stand " + "x" * 200, "ja", "Zug Eriwan",
    ],
)  # fmt: skip
def test_prose(line: str) -> None:
    """What only begins like a command is free text."""
    found = reading(f"Lieber GM,\ndanke.\n{line}")
    assert found.commands == ()
    assert found.free_text == f"Lieber GM,\ndanke.\n{line}"


@pytest.mark.parametrize("cry", ["Fertig!", "fertig", "Ready!!"])
def test_cry_is_noise(cry: str) -> None:
    """Presto's cry is neither a command nor free text."""
    assert reading(f"Presto\n{cry}").free_text == "Presto"
    assert commands("Hallo", cry) == []


def test_an_appeals_reason() -> None:
    """An appeal's reason may begin in the next line and ends at a blank line or at a second appeal."""
    text = f"Einspruch Eriwan RASA:\nSteht im Duden,\nBand 1.\nEinspruch Eriwan TOR: {'nein, ' * 40}nein.\n\nGruß Anna"
    found = reading(text)
    assert [said.command for said in found.commands] == [
        Appeal(game="Eriwan", word="RASA", reason="Steht im Duden,\nBand 1."),
        Appeal(game="Eriwan", word="TOR", reason=f"{'nein, ' * 40}nein."),
    ]
    assert found.free_text == "Gruß Anna"


def test_an_appeal_in_subject_and_body() -> None:
    """The same appeal in subject and body is one; the body's has the reason."""
    said = commands("Einspruch Eriwan RASA: im Duden\n", "Einspruch Eriwan RASA")
    assert said == [Appeal(game="Eriwan", word="RASA", reason="im Duden")]


def test_table_is_bilingual(names: Names) -> None:
    """Every making in the table has a word in each language, or one for both."""
    makings = {row.make.__qualname__ for row in command_table().rows}
    assert makings
    assert {row.language for row in command_table().rows} == {*LANGUAGES, None}
    assert read_command("stand eriwan", names) is not None


def test_orders() -> None:
    """A block becomes orders; the rest of the mail is free text."""
    found = reading(f"Hallo,\n\nCrossword Eriwan\nNeu: D\n{ROWS_OF_GRID}\n\nBis bald!\n")
    orders = Orders(title_key="crossword", game="Eriwan", block=wish("Neu: D", *GRID))
    assert [said.command for said in found.commands] == [orders]
    assert found.commands[0].language is None
    assert found.free_text == "Hallo,\nBis bald!"


def test_several_blocks() -> None:
    """Blocks for several games, and two for one game, are all kept in their order."""
    text = f"Crossword Eriwan\n{ROWS_OF_GRID}\nTyp-Dom Riga\nZ26 w EIS\n\nCrossword Eriwan\nNeu: E\n{ROWS_OF_GRID}"
    assert [(o.game, len(o.block.lines)) for o in commands(text) if isinstance(o, Orders)] == [
        ("Eriwan", 6),
        ("Riga", 1),
        ("Eriwan", 7),
    ]


def test_command_ends_block_only_with_a_name() -> None:
    """`Stand Eriwan` and `GM:` end a block; a bare word may be a guess."""
    assert commands("Combinato Riga\nHELP\nStand Riga") == [
        Orders(title_key="combinato", game="Riga", block=wish("HELP")),
        Status(game="Riga"),
    ]
    assert commands("Combinato Riga\nBILD\nGM: Hallo\nAnna\n\nx")[1:] == [ToGm(text="Hallo\nAnna")]


def test_player_name() -> None:
    """`Name:` above or in a block names the player who sends it, for that block only."""
    text = "Name: Anna Berg\nCombinato Riga\nBILD\n\nCombinato Wien\nName: Ben\nPELZ\n\nCombinato Bonn\nWADE"
    assert [o.player_name for o in commands(text) if isinstance(o, Orders)] == ["Anna Berg", "Ben", ""]


def test_round_of_block() -> None:
    """`Runde: 3` binds a block to its round."""
    assert commands("Combinato Riga\nRunde: 3\nBILD") == [
        Orders(title_key="combinato", game="Riga", block=wish("BILD"), round=3)
    ]


def test_title_alone() -> None:
    """A title without a game's name begins a block if a line follows, else it is a word in a text."""
    assert commands(f"Crossword\n{ROWS_OF_GRID}") == [Orders(title_key="crossword", block=wish(*GRID))]
    assert reading("Crossword\n\nmacht Spaß").free_text == "Crossword\nmacht Spaß"


def test_title_with_name_and_nothing_else() -> None:
    """A title line with nothing below is an empty block: the service can say so."""
    assert commands("Crossword Eriwan\n") == [Orders(title_key="crossword", game="Eriwan")]


@pytest.mark.parametrize(("subject", "game"), [("Re: [Eriwan] Runde 3", "Eriwan"), ("Mein Zug", "")])
def test_untitled_grid(subject: str, game: str) -> None:
    """A grid without title line is orders for a game yet to be found, by the subject if it names one."""
    found = reading(f"Hallo\n\nName: Anna\nNeu: D\n{ROWS_OF_GRID}\n\nGruß", subject)
    assert [said.command for said in found.commands] == [Orders(block=wish("Neu: D", *GRID), player_name="Anna")]
    assert (found.subject_games, found.free_text) == ((game,) if game else (), "Hallo\nGruß")


def test_html_is_read_where_the_plain_text_says_nothing() -> None:
    """Without a command in the plain text the HTML is read; with one the plain text counts."""
    page = "<p>Crossword Eriwan</p>" + "".join(f"<div>{line}</div>" for line in ("Neu: D", *GRID))
    block = Orders(title_key="crossword", game="Eriwan", block=wish("Neu: D", *GRID))
    for texts in ((), ("Ihr Programm kann kein HTML anzeigen.\n",), ("Hallo\n", "Gruß\n")):
        mail = Mail(texts=texts, html=page)
        assert [said.command for said in read_mail_text(mail, TITLES, TODAY).commands] == [block]
    own = "Crossword Eriwan\nNeu: D\n" + "\n".join(GRID)
    for texts in ((own,), ("Hallo", own)):
        mail = Mail(texts=texts, html="<p>Crossword Eriwan</p><p>Neu: X</p>")
        assert [said.command for said in read_mail_text(mail, TITLES, TODAY).commands] == [block]
    assert read_mail_text(Mail(texts=("Bin weg.",), html="<p>Bin weg.</p>"), TITLES, TODAY).free_text == "Bin weg."
    assert read_mail_text(Mail(html="<p>Bin weg.</p>"), TITLES, TODAY).free_text == "Bin weg."


@pytest.mark.parametrize(
    "text",
    [
        "Crossword Eriwan Neu: D " + " ".join(GRID),
        "Hallo\nCrossword Eriwan Neu: D\n" + "  ".join(GRID) + "\n\nGruß",
        "Crossword Eriwan\nNeu: D " + " ".join(GRID[:3]) + "\n" + " ".join(GRID[3:]),
        "Crossword Eriwan Neu: D\n" + "\n".join(GRID),
    ],
)
def test_lost_line_breaks(text: str) -> None:
    """Lines of a block that a program joined are parted again."""
    assert commands(text) == [Orders(title_key="crossword", game="Eriwan", block=wish("Neu: D", *GRID))]


@pytest.mark.parametrize(
    "line",
    ["Crossword Eriwan macht Spaß...", "Neu: alles...", "Hallo... Anna...", "na ja ... gut ...", "Neu: D", "...."],
)
def test_prose_is_not_parted(line: str) -> None:
    """A line that holds anything else stays as it is."""
    assert unfold(line, TITLES) == [line]


def test_quoted_blocks_are_told_apart() -> None:
    """A block in a quotation is no command; it is handed over beside them unless an own block stands there."""
    quoted = "> Crossword Eriwan\n> Neu: D\n" + "".join(f"> {row}\n" for row in GRID)
    block = Orders(title_key="crossword", game="Eriwan", block=wish("Neu: D", *GRID))
    found = reading(f"So etwa?\n\n{quoted}")
    assert (found.commands, found.quoted, found.free_text) == ((), (block,), "So etwa?")
    found = reading(f"Crossword Eriwan\nNeu: E\n\nAm 1.1.2026 schrieb GM:\n{quoted}")
    assert (len(found.commands), found.quoted) == (1, ())
    assert not reading(f"-------- Weitergeleitete Nachricht --------\nVon: Bernd\n\n{quoted}").quoted


@pytest.mark.parametrize(
    "text",
    [
        "Anmeldung Crossword Eriwan\nNeu: D",
        "Anmeldung Crossword Eriwan\n\nNeu: D\n\nGruß\nAnna",
        "Anmeldung Crossword\n\nCrossword Eriwan\nNeu: D",
        "Anmeldung Eriwan\nCrossword Eriwan\n\nNeu: D",
        "Anmeldung crossword eriwan\nCrossword\nNeu: D".replace("eriwan", "Eriwan"),
    ],
)
def test_join_with_wish(text: str) -> None:
    """A wish below a sign-up, or in a block of its own right after it, belongs to the sign-up."""
    assert commands(text) == [Join(title_key="crossword", game="Eriwan", block=wish("Neu: D"))]


def test_join_with_name() -> None:
    """A sign-up can bring the player's name, above or below."""
    wanted = [Join(game="Eriwan", block=wish("Neu: D"), player_name="Anna Berg")]
    assert commands("Anmeldung Eriwan\nName: Anna Berg\nNeu: D") == wanted
    assert commands("Name: Anna Berg\nAnmeldung Eriwan\nNeu: D") == wanted
    assert commands("Hallo,\nName: Anna Berg\nNeu: D", "Anmeldung Eriwan") == wanted


def test_join_and_orders_for_another_game() -> None:
    """A block for another game, or a second one, is no part of the sign-up."""
    found = commands("Anmeldung Crossword Eriwan\nNeu: D\n\nCombinato Riga\nBILD")
    assert [type(command) for command in found] == [Join, Orders]
    found = commands("Anmeldung Crossword Eriwan\nCombinato Riga\nBILD")
    assert [type(command) for command in found] == [Join, Orders]


def test_wish_after_prose_is_not_the_joins() -> None:
    """Behind prose a wish line no longer belongs to the sign-up."""
    found = reading("Anmeldung Eriwan\nIch freue mich.\nNeu: D")
    assert [said.command for said in found.commands] == [Join(game="Eriwan")]
    assert found.free_text == "Ich freue mich.\nNeu: D"


def test_subject_and_body_say_the_same() -> None:
    """A command in subject and body counts once, with what the body adds."""
    assert commands("Anmeldung Eriwan\nNeu: D", "Anmeldung Eriwan") == [Join(game="Eriwan", block=wish("Neu: D"))]
    assert commands("Stand Riga", "Stand Eriwan") == [Status(game="Eriwan"), Status(game="Riga")]


@pytest.mark.parametrize(
    ("text", "answer", "language"),
    [
        ("Ja", Yes(code="K7XQ"), "de"),
        ("\n\nyes!\n\n> Frage", Yes(code="K7XQ"), "en"),
        ("Hallo GM,\nNein.\nGruß", No(code="K7XQ"), "de"),
        ("no", No(code="K7XQ"), "en"),
    ],
)
def test_answer(text: str, answer: Command, language: str) -> None:
    """`Ja` or `Nein` as first own line answers the question whose code the subject carries."""
    for subject in ("AW: [Frage K7XQ] Standby für Eriwan?", "Re: [Question K7XQ] x"):
        found = reading(text, subject)
        assert [(said.command, said.language) for said in found.commands] == [(answer, language)]
        assert (found.code, found.subject_games) == ("K7XQ", ())


def test_answer_without_code_and_late_answer() -> None:
    """Without a code the answer is bare; below other text it is none."""
    assert commands("Ja") == [Yes()]
    assert commands("", "Ja") == [Yes()]
    assert commands("Danke!\nJa") == []
    assert commands("Stand Eriwan\nJa") == [Status(game="Eriwan")]


@pytest.mark.parametrize(
    ("subject", "games"),
    [
        ("Re: [Eriwan] Runde 3", ("Eriwan",)),
        ("[Dottendorfer Soccer] [Crossword Eriwan] Runde 3", ("Eriwan",)),
        ("[extern] AW: [Eriwan] Runde 3", ("extern", "Eriwan")),
        ("[Crossword] Runde 3", ()),
        ("[] Eriwan", ()),
        ("Eriwan", ()),
    ],
)
def test_subject_games(subject: str, games: tuple[str, ...]) -> None:
    """A game is named in the subject's brackets; so may other things be."""
    assert reading("Hallo", subject).subject_games == games


def test_gm_in_subject() -> None:
    """A text for the GM may be the subject; an empty one is none."""
    assert commands("Hallo", "GM: Frage zu Runde 3") == [ToGm(text="Frage zu Runde 3")]
    assert commands("Hallo", "GM:") == []


def test_gm_text_stops_at_a_move() -> None:
    """A text for the GM never swallows a move."""
    assert commands("GM: Hallo\nund danke\nCombinato Riga\nBILD") == [
        ToGm(text="Hallo\nund danke"),
        Orders(title_key="combinato", game="Riga", block=wish("BILD")),
    ]


def test_quoted_commands_are_nothing() -> None:
    """Quoted blocks and commands are not read."""
    found = reading(f"Am 21.11.2026 schrieb GM:\n> Stand Eriwan\n> Crossword Eriwan\n> {GRID[0]}\n\nSchön!")
    assert (found.commands, found.free_text) == ((), "Schön!")


def test_forward() -> None:
    """An inline forward is marked, and its block is no move."""
    found = reading(f"FYI\n\n---------- Forwarded message ---------\nFrom: Ben\n\nCrossword Eriwan\n{ROWS_OF_GRID}")
    assert (found.is_forward, found.commands, found.free_text) == (True, (), "FYI")


def test_too_many_commands() -> None:
    """After so many commands the rest of the mail is free text."""
    found = reading("Stand Eriwan\n" * (MAX_COMMANDS + 5))
    assert len(found.commands) == MAX_COMMANDS
    assert found.free_text.count("Stand Eriwan") == 5


@pytest.mark.parametrize(
    "filling",
    ["Crossword Eriwan\n", "Crossword Eriwan\n\n", "Presto\n\nx\n\n", "ab\n", "ab\n\n\n\n", "a.\n\n", "GM: x\n\n",
     "Ja\n", "Hallo\n", "Neu: D\n", "Anmeldung Eriwan\nNeu: D\n", "Name: x\n", "*a* ", "a    ",
     "Crossword -", "e\u0301\u0323", "\t"],
)  # fmt: skip
def test_hostile_texts_are_quick(filling: str) -> None:
    """64 kB of anything is read in half of the time that a mail has."""
    raw = (
        b"From: a@b.example\nContent-Type: text/plain; charset=utf-8\n\n"
        + (filling * (64_000 // len(filling))).encode()
    )
    assert work_units(lambda: read_mail_text(read_mail(raw), TITLES, TODAY), most=500) < 500


def test_wish_lines_of_a_join_are_bounded() -> None:
    """A sign-up takes no more lines than any game could ask for."""
    found = commands("Anmeldung Eriwan\n" + "Neu: D\n" * 100)
    assert isinstance(found[0], Join)
    assert len(found[0].block.lines) == 20


def test_printed_two_column_mail() -> None:
    """The two-column mail of the rule text keeps its inner blanks for the game to split."""
    text = "Crossword Eriwan\nNeu: D          brecht  10\nbrecHt          Ar+au    2\n" + "\n".join(GRID[1:])
    found = commands(text)
    assert isinstance(found[0], Orders)
    assert found[0].block.lines[:2] == ("Neu: D          brecht  10", "brecHt          Ar+au    2")
    assert len(found[0].block.lines) == 7


def test_no_games() -> None:
    """Without any game, commands are read all the same."""
    assert names_of(()).read("Eriwan") is not None
    mail = read_mail(b"From: a@b.example\n\nStand Eriwan\nCrossword Riga\n" + ROWS_OF_GRID.encode())
    found = read_mail_text(mail, names_of((), command_table()), TODAY)
    assert [said.command for said in found.commands] == [Status(game="Eriwan")]
