"""Every command of `gm`, mailed in right and wrong forms, gets an answer in the zine's language that names a next line.

Issue 29, "GM by mail": errors and results of commands are German where the zine is, and name the next line to send.
"""

import ast
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import grimp
import pytest
from language import foreign_word
from sqlmodel import select
from typer.main import get_command

from games import engines
from games.api import say
from games.errors import SetupError
from gm.cli.commands import cli
from gm.cli.terminal.declared import BY_MAIL_TOO
from gm.demo.in_memory_zine import PLAYERS
from gm.game.steps import _cannot_start
from gm.requests.desk import actions
from gm.requests.replies import (
    offered_lines,  # noqa: F401  fills OFFERED
    other_lines,
)
from gm.requests.replies.offers import OFFERED
from gm.runtime.errors import Refused
from gm.store.tables import Address, Game, Player, Question, Ruling, Seat, Turn
from parsers.lines.command_lines import read_gm_line

ROOT = Path(__file__).parents[2]
ANNA, BERND = PLAYERS[:2]
GM = "cici@postspiel.example"

# -- every command -----------------------------------------------------------------------------------------------------

VERBS = sorted(get_command(cli).commands)  # type: ignore[attr-defined]
LINES = [
    *(f"gm {verb}{rest}" for verb in VERBS for rest in ("", " Eriwan")),
    "gm", "GM", "Gm todo", "gm help", "gm hilfe", "gm --help", "gm -h", "gm staus Eriwan", "gm frobnicate", "gm 7",
    "gm zat Eriwan", "gm zat Eriwan gestern", "gm zat Havanna +3d", "gm zat Eriwan 31.2.", "gm close Eriwan --dry-run",
    "gm rule Eriwan accept", "gm rule Eriwan vielleicht ORE", "gm rule Eriwan accept ORE --house",
    "gm standby Eriwan", 'gm standby Eriwan "Zora Zahn" Gerda', 'gm standby Eriwan "Anna Berg" --none',
    "gm standbys list", "gm standbys add Gerda gerda@spieler.example", "gm standbys", "gm player",
    "gm player show Anna",
    "gm player address Anna", "gm player address Zora zora@spieler.example", "gm player forget Anna",
    "gm player rename Anna Anne", "gm mail", "gm mail list", "gm mail show 1", "gm mail retry 999", "gm mail drop",
    "gm mail prune 90d", "gm todo --done", "gm todo --done ABCDEFGH", "gm release Eriwan", "gm digest --send",
    "gm words check KANU", "gm write all Hallo", "gm write Anna", "gm pause --all 14d",
    "gm resume --all", "gm undo Eriwan", "gm abort Eriwan --why Ende", "gm show Eriwan --seat Anna", "gm rulings",
    "gm backup /tmp/x", "gm new crossword Batumi", "gm join Eriwan Zora zora@spieler.example",
]  # fmt: skip
SAID = {"de": "Hallo Cici", "en": "Hello Cici"}
TERMINAL = ("Usage", "Options", "╭", "Traceback", "--config")
MAILS_A_PASS = 30
NEXT = {
    "de": (
        "»gm todo«",
        "»gm help«",
        "Angeboten: gm",
        "gm todo --done",
        "»An Anna Berg",
        "»Spiele«",
        "Standby",
        "eigenen",
    ),
    "en": (
        "“gm todo”",
        "“gm help”",
        "Offered: gm",
        "gm todo --done",
        "“To Anna Berg",
        "“Games”",
        "Standby",
        "their own",
    ),
}
"""What names a next line, or who else is to send one."""


@pytest.mark.trust
@pytest.mark.parametrize("is_reply", [True, False], ids=["reply", "alone"])
@pytest.mark.parametrize("language", ["de", "en"])
def test_every_command(begin: Any, language: str, is_reply: bool) -> None:
    """One answer to each, in one language, with a next line; nothing is done, and nothing of the command line shows."""
    zine = begin("started", service={"language": language}, security={"answers_per_hour": 1000})
    zine.writes(ANNA, "Passt das Wochenende noch?", subject="Frage")
    zine.tick()
    told = next(mail for to, mail in zine.mails() if to == GM)
    before, got = _state(zine), []
    for at, line in enumerate(LINES):
        more = {"subject": f"Re: {told.subject}", "in_reply_to": told.message_id} if is_reply else {"subject": "x"}
        zine.writes("Cici", f"{line}\n", sender=GM, message_id=f"<line{at}@gm.example>", **more)
        if at % MAILS_A_PASS == 0 or line == LINES[-1]:
            zine.tick()
            got += zine.mails()
    assert {to for to, _ in got} == {GM}
    answers = {mail.in_reply_to: mail for _, mail in got}
    assert len(got) == len(answers) == len(LINES)
    for at, line in enumerate(LINES):
        mail = answers[f"<line{at}@gm.example>"]
        own = " ".join(part for part in mail.text.split("\n") if part and part[0] != " ")
        assert SAID[language] in mail.text, line
        assert not foreign_word(f"{mail.subject} {own}", language), (line, mail.text)
        assert any(one in " ".join(mail.text.split()) for one in NEXT[language]), (line, mail.text)
        assert not any(one in mail.text for one in ("Usage", "Options", "╭", "Traceback", "--config")), (
            line,
            mail.text,
        )
    assert _state(zine) == before


def _state(zine: Any) -> list[Any]:
    rows = [zine.rows(table) for table in (Game, Turn, Player, Seat, Ruling)]
    answered = [(one.code, one.answered_at) for one in zine.rows(Question)]
    return [[str(row) for row in of_table] for of_table in rows] + [answered]


@pytest.mark.parametrize("verb", VERBS)
def test_no_command_is_taken_for_a_mistyped_one(verb: str) -> None:
    """Each command of the command line is answered for; where it doesn't work by mail, none is proposed for it."""
    assert other_lines._why_not(verb, f"gm {verb}").code != "GM_LINE_MISTYPED"


def test_the_parser_knows_what_mails_offer() -> None:
    """Each command that a mail may offer is read from an answer, and no other."""
    verbs = {verb for verb in VERBS if read_gm_line(f"gm {verb} x")}
    assert verbs == set(OFFERED)


def test_the_help_says_what_works_by_mail() -> None:
    """At the command line those commands say so that a mail may offer, or that are answered at any time."""
    by_mail = {words for words, command in named(get_command(cli)) if BY_MAIL_TOO in command.epilog}
    offered = {f"{verb} {word}" for verb, one in OFFERED.items() for word in one.after if word.isalpha()}
    offered |= {verb for verb in OFFERED if not any(words.startswith(f"{verb} ") for words in offered)}
    assert by_mail == offered | {*other_lines.REPORTED, "mail show"}


def named(group: Any, above: str = "") -> Iterator[tuple[str, Any]]:
    """List all commands by their words."""
    for name, command in getattr(group, "commands", {}).items():
        yield f"{above}{name}", command
        yield from named(command, f"{above}{name} ")


MISTYPED = {
    "gm staus Eriwan": "gm status", "gm zatt Eriwan +3d": "gm zat", "gm hlp": "gm help", "gm relase Riga": "gm release",
}  # fmt: skip


@pytest.mark.trust(except_first=3)
@pytest.mark.parametrize("line", MISTYPED)
def test_mistyped(begin: Any, line: str) -> None:
    """A mistyped command is named, with the one that was meant; the text beside it stays back."""
    zine = begin("started")
    zine.writes(ANNA, "Passt das?", subject="Frage")
    zine.tick()
    told = next(mail for to, mail in zine.mails() if to == GM)
    zine.writes("Cici", f"Das passt gut, Anna.\n{line}\n", sender=GM, subject=f"Re: {told.subject}")
    zine.tick()
    ((to, mail),) = zine.mails()
    assert to == GM
    assert f"»{line}« geht per Mail nicht; ich habe nichts getan. Meinst du »{MISTYPED[line]}«?" in zine.said(mail)
    assert "auch dein Text nicht hinausgegangen" in zine.said(mail)


def test_what_waits(begin: Any, subtests: pytest.Subtests) -> None:
    """The list by mail has what waits with the line to type, the next rounds, and who is missing; also as a subject."""
    zine = begin("started")
    zine.writes(ANNA, zine.block(ANNA, "D"))
    zine.writes(BERND, "Passt das Wochenende?", subject="Frage")
    zine.tick()
    zine.mails()
    lines = ("gm todo", "gm status", "gm list", "gm digest", "GM TODO", "Gm Status")
    for text, subject in chain.from_iterable(((f"{one}\n\nGruß, Cici\n", "Hallo"), ("", one)) for one in lines):
        with subtests.test(text=text, subject=subject):
            zine.writes("Cici", text, sender=GM, subject=subject)
            zine.tick()
            ((to, mail),) = zine.mails()
            said = zine.said(mail)
            assert to == GM
            assert "Nachricht (02.11.2026), Bernd Cordes – gm mail show" in said
            assert "> Passt das Wochenende?" in said
            assert "Eriwan (Crossword), Runde 1: ZAT" in said
            assert "es fehlt noch: Bernd Cordes, Carla Dietz" in said
            assert "Anna Berg" not in said


def test_what_waits_goes_to_the_gm_alone(begin: Any) -> None:
    """The list goes to the GM's own address, also where players share it and have another one; nobody else gets it."""
    zine = begin("started")
    _gives_the_gms_address(zine, ANNA)
    zine.writes("Cici", "gm todo\n", sender=GM)
    zine.writes("Xaver", "gm todo\n", sender="xaver@spieler.example")
    zine.writes(BERND, "gm todo\n")
    zine.tick()
    got = dict(zine.mails())
    assert "WAS AUF DICH WARTET" in got[GM].text
    assert [to for to, mail in got.items() if "WAS AUF DICH WARTET" in mail.text] == [GM]


def _gives_the_gms_address(zine: Any, name: str) -> None:
    with zine.app.database.write() as session:
        player = session.exec(select(Player).where(Player.name == name)).one()
        session.add(Address(player_id=player.id, address=GM))


def test_a_player_who_is_gm_keeps_commands(begin: Any) -> None:
    """Beside a player's command, a GM who plays is taken as a player."""
    zine = begin("started")
    _gives_the_gms_address(zine, ANNA)
    zine.writes("Cici", "Stand Eriwan\n", sender=GM)
    zine.tick()
    assert "Eriwan" in zine.mails()[0][1].subject


def test_why_a_game_cannot_start(begin: Any) -> None:
    """The game says it in German too, with names (games/errors.py); an author's English alone is shown as such."""
    zine = begin("started")
    actions.new_game(zine.app, "crossword", "Batumi")
    with pytest.raises(Refused) as refused:
        actions.start(zine.app, "Batumi")
    said = refused.value.said_in("de")
    assert said.startswith("»Batumi« kann noch nicht beginnen: Crossword ist für 6 Spieler; frei: Platz 1, Platz 2")
    game, engine = Game(name="Batumi", engine="crossword", seed="a"), engines()["crossword"]
    lacking = SetupError(say("SETUP_WISHES", seats=(say("SEAT", seat=1),)))
    for error, told in ((lacking, "er fehlt von Anna Berg."), (SetupError("A bag is missing."), "»A bag is missing.«")):
        assert told in _cannot_start(engine, game, error, {1: ANNA}).said_in("de")


# -- the sources -------------------------------------------------------------------------------------------------------

CODED = {"EndsGame", "OperatorError", "Refused", "RulesChanged", "SetupError"}
"""Errors that an answer may tell. The others stop the service: they stand in the log, and `gm doctor` prints them."""
WORDED = {"in_each", "say"}
"""What makes the sentence of an error in every language (gm/runtime/errors.py)."""


def calls_without_code(source: str) -> Iterator[tuple[int, str]]:
    """Find where an error for the GM is made of a sentence and not of a code: the line, and the class."""
    for node in ast.walk(ast.parse(source)):
        name = getattr(node.func, "id", "") if isinstance(node, ast.Call) else ""
        said = getattr(next(iter(node.args), None), "func", None) if name in CODED else None  # type: ignore[attr-defined]
        if name in CODED and getattr(said, "id", "") not in WORDED:
            yield node.lineno, name  # type: ignore[attr-defined]


def test_refusals_have_codes() -> None:
    """Whatever code that a mail can reach refuses has a code, and so all languages (by what the service imports)."""
    graph, start = grimp.build_graph("gm"), "gm.service.inbound.carry_out"
    reached = {start, *graph.find_upstream_modules(start)}
    assert {"gm.requests.desk.actions", "gm.game.schedule.clock_control", "gm.game.people.lookup"} <= reached
    found = []
    for module in sorted(reached):
        path = ROOT / module.replace(".", "/")
        path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        found += [f"{module}:{line}" for line, _ in calls_without_code(path.read_text(encoding="utf-8"))]
    for path in sorted((ROOT / "games").rglob("*.py")):
        found += [f"{path}:{line}" for line, _ in calls_without_code(path.read_text(encoding="utf-8"))]
    assert found == []
    assert [*calls_without_code('raise Refused("No.")\nraise Refused(say("no"))\nRefused()')] == [
        (1, "Refused"), (3, "Refused"),
    ]  # fmt: skip
