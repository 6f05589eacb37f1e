"""Each reader's bulletin of a step has their own block, board and events, and nothing of another reader's."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from games import AnyEngine, engines
from games.api import LANGUAGES, SPECTATOR, Event, Grid, Language, Seat, Section, Viewer, say
from games.kit.testkit import Contract, started
from gm.demo.in_memory_zine import PLAYERS
from gm.messages.game_mails import copy_block, events_for, mailto
from gm.messages.outgoing import Draft, Occasion, Part, Recipient, write
from gm.messages.rendering.mime import Envelope
from gm.messages.rendering.own_view import to_move
from parsers.mime.message import read_mail

NOW = datetime(2026, 12, 18, 19, tzinfo=UTC)
NAMES = {Seat(number): name for number, name in enumerate([*PLAYERS, *(f"Gast {at}" for at in range(20))], 1)}
ENVELOPE = Envelope(
    sender_name="Zine", sender="zug@postspiel.example", to_name="", to="", message_id="", date=NOW, language="de",
    automatic="auto-generated",
)  # fmt: skip


def context(engine: AnyEngine, state: Any, viewer: Viewer, events: Iterable[Event]) -> dict[str, Any]:
    """Return what a bulletin is filled with; one reader's own is what his view gives."""
    view, due = engine.view(state, viewer), engine.due(state)
    needed, rest = to_move(view, Seat(int(viewer))) if view.block else ((), view)
    block = copy_block(engine.rules.title, "Eriwan", view.block) if view.block else []
    return {
        "game": "Eriwan", "title": engine.rules.title, "round": 2, "counted": "Runde",
        "unit": "round", "round_number": 2, "rounds": engine.rules.rounds,
        "zat": "Freitag", "zat_short": "Fr", "today": "heute", "gm": "Cici", "address": "zug@postspiel.example",
        "early": "0", "foreword": [], "press": [], "missed": [], "words": "", "gm_plays": False, "correction": None,
        "some_at_once": False,
        "before": (), "advance": None, "issue": None, "closed": 1, "headline": "", "page": "",
        "needed": needed, "view": rest, "events": [event.text for event in events], "due": sorted(due),
        "others": sorted(due - {viewer}), "reader": NAMES.get(viewer, ""),
        "is_due": viewer in due, "block": block, "mailto": mailto("zug@postspiel.example", "Eriwan", block),
        "is_private": bool(view.block) or view.sections != engine.view(state, SPECTATOR).sections,
    }  # fmt: skip


def draft(engine: AnyEngine, viewer: Viewer, language: Language, filled: dict[str, Any]) -> Draft:
    """Decide on a bulletin to a reader."""
    name = NAMES[Seat(int(viewer))] if viewer != SPECTATOR else "Xaver"
    key = f"{viewer}{language}"
    to = Recipient(name=name, address=f"{key}@spieler.example", language=language)
    own = Seat(int(viewer)) if viewer != SPECTATOR else None
    template = "turn" if filled["view"].headline else "bulletin"
    envelope = replace(ENVELOPE, to_name=name, to=to.address, message_id=f"<{key}@x.example>", language=language)
    part = Part(template=template, context=filled, engine=engine, names=NAMES, own=own)
    return Draft(occasion=Occasion(cause="turn:1", kind=template), to=to, parts=[part], envelope=envelope, greet=False)


def bulletins(engine: AnyEngine, state: Any, events: tuple[Event, ...]) -> list[Draft]:
    """Decide on the bulletins to all who may get one, in both languages."""
    viewers: list[Viewer] = [*(Seat(number + 1) for number in range(engine.rules.seats[1])), SPECTATOR, SPECTATOR]
    return [
        draft(engine, viewer, language, context(engine, state, viewer, events_for(events, viewer)))
        for language in LANGUAGES for viewer in viewers
    ]  # fmt: skip


def crossword() -> Sequence[Draft]:
    """Return the German bulletins of Crossword's start to its six seats."""
    engine = engines()["crossword"]
    return bulletins(engine, started(Contract(engine=engine)).state, ())[:6]


def given_more(one: Draft, **changes: Any) -> Draft:
    """Replace a field in one reader's bulletin."""
    (part,) = one.parts
    return replace(one, parts=[replace(part, context={**part.context, **changes})])


def said(row: dict[str, Any]) -> str:
    """Read a mail, both parts."""
    mail = read_mail(row["raw"])
    return mail.text + row["raw"].decode()


def test_own_blocks_go_to_their_owners() -> None:
    """Each finds the own block and link, and nobody else's, though the rest is written once."""
    own = [
        given_more(one, block=["Crossword Eriwan", f"GEHEIM{at}"], mailto=f"mailto:x?body=GEHEIM{at}")
        for at, one in enumerate(crossword())
    ]
    for at, row in enumerate(map(write, own)):
        found = said(row)
        assert found.count(f"GEHEIM{at}") >= 2
        assert not [other for other in range(6) if other != at and f"GEHEIM{other}" in found]


@pytest.mark.trust(except_first=4)
@pytest.mark.parametrize("what", ["section", "grid", "how_to", "headline", "events"])
def test_what_one_may_see_reaches_nobody_else(what: str) -> None:
    """Something that is in one seat's view alone, first, in the middle or last, is in that seat's mail alone."""
    secret = say("PLAIN", text="GEHEIM")
    for place in (0, 3, 5):
        drafts = list(crossword())
        (part,) = drafts[place].parts
        view = part.context["view"]
        cell = replace(view.sections[-1].grids[0].cells[0][0], text="GEHEIM")
        board: Grid = view.sections[-1].grids[0]
        marked = replace(board, cells=((cell, *board.cells[0][1:]), *board.cells[1:]))
        changed = {
            "section": {"view": replace(view, sections=(*view.sections, Section(lines=(secret,))))},
            "grid": {"view": replace(view, sections=(*view.sections[:-1], replace(view.sections[-1], grids=(
                marked, *view.sections[-1].grids[1:]))))},
            "how_to": {"view": replace(view, how_to=(*view.how_to, secret))},
            "headline": {"view": replace(view, headline=secret)},
            "events": {"events": [secret]},
        }[what]  # fmt: skip
        drafts[place] = given_more(drafts[place], **changed)
        if what == "headline":
            drafts = [replace(one, parts=[replace(one.parts[0], template="turn")]) for one in drafts]
        with_it = [at for at, row in enumerate(map(write, drafts)) if "GEHEIM" in said(row)]
        assert with_it == [place]


def test_your_own_board_is_marked_as_yours() -> None:
    """Each finds `(du)` at the own board, once, though the boards are drawn for all."""
    for at, row in enumerate(map(write, crossword()), 1):
        html = row["raw"].decode().replace("=\r\n", "")
        marked = [part.partition("</caption>")[0] for part in html.split("<caption")[1:] if "(du)" in part]
        assert len(marked) == 1
        assert NAMES[Seat(at)].split()[0] in marked[0]
