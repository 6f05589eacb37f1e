"""One mail for several games: what isn't accepted is said above, and a block without title is the replied game's."""

from __future__ import annotations

from typing import Any

import pytest
import seating
from zines import Zine

from gm.demo.in_memory_zine import PLAYERS, address_of
from gm.reports.game import show
from gm.requests.desk import actions
from gm.store.queries import game_queries

ANNA, BERND = PLAYERS[:2]


@pytest.fixture
def three(eriwan: Zine) -> Zine:
    """Eriwan, Riga and Oslo run, with the same players."""
    for name in ("Riga", "Oslo"):
        actions.new_game(eriwan.app, "crossword", name)
        for player, wish in zip(PLAYERS, "DINORT", strict=False):
            seating.join(eriwan.app, name, player, address_of(player), wish)
        actions.start(eriwan.app, name)
    eriwan.tick()
    return eriwan


def shown(zine: Zine, name: str) -> dict[str, Any]:
    """Return what Anna may see of a game."""
    with zine.app.database.read() as session:
        return show(zine.app, session, game_queries.named(session, name), ANNA)


def grid(zine: Zine, name: str, new: str) -> str:
    """Write Anna's block for a game, without its title."""
    text = zine.block(ANNA, new, shown=shown(zine, name))
    return "\n".join(line for line in text.splitlines() if not line.startswith("Crossword"))


def has_moved(zine: Zine, name: str) -> bool:
    """Return whether a move of Anna's is on file."""
    return next(seat for seat in shown(zine, name)["seats"] if seat["player"] == ANNA)["moved"]


@pytest.mark.parametrize(
    ("first", "second", "subject", "above"),
    [
        ("Crossword Eriwan\n{good}", "Crossword Riga\n{bad}", "angekommen – NICHT angenommen: Crossword Riga",
         "Aus deiner Mail nicht angenommen: Crossword Riga."),
        ("Crossword Eriwan\n{bad}", "Crossword Riga\n{good}", "NICHT angenommen", ""),
        ("Crossword Eriwan\n{good}", "Stand Tiflis", "angekommen – NICHT angenommen: Stand Tiflis",
         "Aus deiner Mail nicht angenommen: Stand Tiflis."),
        ("Stand Tiflis", "Crossword Eriwan\n{good}", "NICHT angenommen: Stand Tiflis",
         "Aus deiner Mail nicht angenommen: Stand Tiflis."),
        ("Withdraw Riga", "Crossword Eriwan\n{good}", "NOT accepted: Withdraw Riga",
         "Not accepted from your mail: Withdraw Riga."),
    ],
)  # fmt: skip
def test_what_is_not_accepted_stands_above(three: Zine, first: str, second: str, subject: str, above: str) -> None:
    """Subject and first sentence name what of several things isn't accepted."""
    blocks = {"good": grid(three, "Eriwan", "ROT"), "bad": grid(three, "Eriwan", "XQ")}
    three.mails()
    three.writes(ANNA, f"{first}\n\n{second}\n".format(**blocks))
    mail = three.answer(ANNA)
    assert subject in mail.subject
    assert above in " ".join(mail.text.split("Hallo Anna")[-1].split("Hello Anna")[-1].split())[:120]


def test_one_of_three(three: Zine) -> None:
    """Of moves for three games the one that is refused is named, and only that."""
    blocks = {name: grid(three, name, "ROT" if name != "Riga" else "XQ") for name in ("Eriwan", "Riga", "Oslo")}
    three.mails()
    three.writes(ANNA, "\n\n".join(f"Crossword {name}\n{block}" for name, block in blocks.items()))
    mail = three.answer(ANNA)
    assert mail.subject == "[Eriwan] Zug Runde 1 angekommen – NICHT angenommen: Crossword Riga"
    assert [has_moved(three, name) for name in blocks] == [True, False, True]


@pytest.mark.parametrize(
    "order", [("", "Crossword Riga"), ("Crossword Riga", ""), ("", "Crossword Riga", "Crossword Oslo")]
)
@pytest.mark.parametrize("how", ["subject", "thread"])
def test_a_block_without_title_is_for_the_game_replied_to(three: Zine, order: tuple[str, ...], how: str) -> None:
    """Beside blocks with titles, one without belongs to the game that the mail answers, wherever it stands."""
    (start,) = three.outgoing(kind="start", address=address_of(ANNA))[:1]
    text = "\n\n".join(f"{title}\n{grid(three, (title or 'Crossword Eriwan').split()[1], 'ROT')}" for title in order)
    three.mails()
    more = (
        {"subject": "Re: [Eriwan] Runde 1"} if how == "subject" else {"in_reply_to": start.message_id, "subject": "Re"}
    )
    three.writes(ANNA, text, **more)
    three.tick()
    assert [has_moved(three, name) for name in ("Eriwan", "Riga", "Oslo")] == [True, True, len(order) > 2]


@pytest.mark.parametrize("order", [("Elba", "Riga"), ("Riga", "Elba"), ("Riga", "Elba", "Oslo")])
def test_a_line_without_title_is_for_the_game_replied_to(three: Zine, order: tuple[str, ...]) -> None:
    """So is the move of a game without a grid, as long as it is a whole one."""
    seating.start(three.app, "combinato", "Elba", PLAYERS[:2])
    three.tick()
    three.mails()
    text = {name: f"Crossword {name}\n{grid(three, name, 'ROT')}" for name in order if name != "Elba"}
    three.writes(ANNA, "\n\n".join(text.get(name, "Geheim: BILD") for name in order), subject="Re: [Elba] Runde 0")
    three.tick()
    assert [has_moved(three, name) for name in ("Eriwan", "Riga", "Oslo", "Elba")] == [
        False,
        True,
        "Oslo" in order,
        True,
    ]


def test_a_refusal_stands_below_the_head_of_its_game(eriwan: Any) -> None:
    """A move for Eriwan is taken, one for Riga isn't Anna's turn: the refusal names Riga above it, not Eriwan."""
    seating.start(eriwan.app, "typ-dom", "Riga", (BERND, ANNA))
    eriwan.tick()
    eriwan.mails()
    eriwan.writes(ANNA, f"{eriwan.block(ANNA, 'DN')}\nTyp-Dom Riga\nkaufen rot\n")
    said = eriwan.answer(ANNA).text
    assert "TYP-DOM »RIGA«" in said
    assert "CROSSWORD »ERIWAN«" not in said.partition("TYP-DOM »RIGA«")[2]
