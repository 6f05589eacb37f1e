"""Advance moves (`Vorab`): kept for a seat's turn, played when it comes, and nobody's knowledge before.

Source: the issue on the zine, "Advance moves"; rulings.md 2 ("only as `Vorab`").
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
import seating
from sqlmodel import select

from games import engines
from games.api import MoveBlock
from games.api import Seat as SeatNumber
from games.dice import Dice
from games.optional_parts import ReadsAhead
from gm.archive.export import export
from gm.archive.site_folder import STAMP
from gm.demo.in_memory_zine import GM_ADDRESS, PLAYERS, address_of, observed, one_pass, write_mail
from gm.game import gm_visibility, word_judge
from gm.game.position import position
from gm.game.replay import verify
from gm.reports import games, mail_log, todo
from gm.reports.game import show, text_of
from gm.requests.desk import actions
from gm.requests.desk.export import everything_about
from gm.runtime.config.settings import load
from gm.runtime.errors import Refused
from gm.service.maintenance.prune import prune
from gm.service.tick import tick
from gm.store.queries import game_queries
from gm.store.tables import Address, AdvanceMove, Player, Turn

GAME = "Riga"
IN_TURNS = sorted(key for key, engine in engines().items() if engine.rules.in_turns)
AT_THE_SAME_TIME = sorted(key for key, engine in engines().items() if not engine.rules.in_turns)
TYP_DOM = "typ-dom"
FOUR = PLAYERS[:4]


@cache
def begun(kind: str, seats: int = 4) -> Callable[[Any], None]:
    """Return the step of a story that begins a game; the same one each time, so that it is told once."""

    def begin(zine: Any) -> None:
        actions.new_game(zine.app, kind, GAME)
        with zine.writing() as session:
            # Of a thousand seeds one or two deal so that a seat of Wer behält recht can only buy, and stays on turn.
            game_queries.named(session, GAME).seed = "a move each"
        for name in PLAYERS[:seats]:
            seating.join(zine.app, GAME, name, address_of(name), None)
        actions.start(zine.app, GAME)
        zine.tick()

    return begin


@pytest.fixture
def riga(begin: Callable[..., Any]) -> Any:
    """Typ-Dom »Riga« with four seats; all have the first bulletin."""
    return begin("empty", after=begun(TYP_DOM))


def stands(zine: Any) -> tuple[Any, Any]:
    """Return where the game stands, and its row."""
    with zine.app.database.read() as session:
        game = game_queries.named(session, GAME)
        at = position(zine.app, game)
        session.expunge(game)
        return at, game


def on_turn(zine: Any) -> str:
    """Who moves."""
    at, _ = stands(zine)
    (seat,) = at.engine.due(at.state)
    return PLAYERS[seat - 1]


def order(zine: Any) -> list[str]:
    """All four, from the one on turn."""
    first = FOUR.index(on_turn(zine))
    return [*FOUR[first:], *FOUR[:first]]


def turn(zine: Any) -> int:
    """The number of the last step."""
    return int(stands(zine)[1].turn)


def ahead(zine: Any, name: str, *blocks: str, **more: Any) -> None:
    """Send blocks in advance, and let them be read; what goes out stays to be looked at."""
    zine.writes(name, "\n\n".join([f"Vorab {GAME}\n{blocks[0]}", *blocks[1:]]) + "\n", **more)
    zine.tick()


def moves(zine: Any, name: str, *lines: str) -> None:
    """Send a move."""
    title = stands(zine)[0].engine.rules.title
    zine.writes(name, "\n".join([f"{title} {GAME}", *lines, ""]))
    zine.tick()


def said(zine: Any) -> dict[str, list[str]]:
    """What each has got since the last look, by name."""
    found: dict[str, list[str]] = {}
    for recipient, mail in zine.mails():
        name = next((one for one in PLAYERS if address_of(one) == recipient), recipient)
        found.setdefault(name, []).append(zine.said(mail))
    return found


def rows(zine: Any) -> list[tuple[int, str]]:
    """Seat and fate of all advance moves."""
    return [(row.seat, row.ended) for row in zine.rows(AdvanceMove)]


def next_lines(zine: Any, name: str) -> tuple[str, ...]:
    """What a seat would do after the move of the one before it: the first that it can think of, or nothing legal."""
    found = [lines for who, lines in future(zine, 2, as_far_as=True) if who == name]
    return found[0] if found else ("passe",)


def future(zine: Any, number: int, *, as_far_as: bool = False) -> list[tuple[str, tuple[str, ...]]]:
    """Sensible moves of the seats on turn now and next, if nobody does anything else; `as_far_as` the game goes."""
    found = []
    with zine.app.database.read() as session:
        game = game_queries.named(session, GAME)
        at, judge = position(zine.app, game), word_judge.judge(zine.app, game)
        state, step = at.state, int(game.turn or 0)
        while len(found) < number and not (as_far_as and at.engine.outcome(state)):
            (seat,) = at.engine.due(state)
            lines = at.engine.suggest(state, seat, Dice(game.seed, 1000 + step), judge)
            sheet = at.engine.read(state, seat, MoveBlock(lines=lines), judge)
            assert sheet.move is not None
            assert not sheet.doubtful
            found.append((PLAYERS[seat - 1], lines))
            step += 1
            after = at.engine.act(state, seat, sheet.move, Dice(game.seed, step), judge)
            assert after is not None
            state = after.state
    return found


# -- which games ------------------------------------------------------------------------------------------------------


def test_the_games_in_turns_are_known_by_their_rules() -> None:
    """The four of the issue, and no others; each can say which lines are a move in no position."""
    assert IN_TURNS == ["farbdomino", "point-typ-dom", "typ-dom", "wer-behaelt-recht"]
    assert all(isinstance(engines()[key], ReadsAhead) for key in IN_TURNS)


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize("kind", IN_TURNS)
def test_two_in_a_row_are_played_in_one_pass(kind: str, begin: Callable[..., Any]) -> None:
    """In every game in turns: one move brings two more, each seat gets one bulletin about all, and it replays."""
    zine = begin("empty", after=begun(kind))
    (first, move), (second, its), (third, their) = future(zine, 3)
    ahead(zine, second, *map("\n".join, [its]))
    ahead(zine, third, "\n".join(their))
    confirmed = said(zine)
    assert all("GESPEICHERT: DEIN VORAB-ZUG" in confirmed[name][-1] for name in (second, third))
    before = turn(zine)
    moves(zine, first, *move)
    assert turn(zine) == before + 3
    got = said(zine)
    assert {name: len(texts) for name, texts in got.items()} == {name: 2 if name == first else 1 for name in FOUR}, (
        "the mover's answer, and one bulletin for each"
    )
    assert [name for name, texts in got.items() if "Vorab" in " ".join(texts)] == sorted({second, third})
    with zine.app.database.read() as session:
        assert verify(zine.app, session, game_queries.named(session, GAME)) == []
    assert {how for _, how in rows(zine)} == {"played"}


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize("kind", IN_TURNS)
def test_it_leads_where_the_same_moves_by_mail_lead(kind: str, begin: Callable[..., Any]) -> None:
    """The same moves sent one after another make the same position: an advance move is a move like any other."""
    states = []
    for in_advance in (True, False):
        zine = begin("empty", after=begun(kind))
        (first, move), (second, its) = future(zine, 2)
        if in_advance:
            ahead(zine, second, "\n".join(its))
        moves(zine, first, *move)
        if not in_advance:
            moves(zine, second, *its)
        states.append([(row.number, row.kind, row.input, row.state, row.events) for row in zine.rows(Turn)])
    assert states[0] == states[1]


@pytest.mark.trust(except_first=2)
@pytest.mark.parametrize("kind", AT_THE_SAME_TIME)
def test_no_advance_moves_where_all_move_at_once(kind: str, begin: Callable[..., Any]) -> None:
    """A game with simultaneous rounds, or a race, answers with a plain sentence, and nobody hears of it."""
    zine = begin("empty")
    actions.new_game(zine.app, kind, GAME)
    seats = engines()[kind].rules.seats[1]
    for number in range(seats):
        name = (*PLAYERS, *(f"Gast {letter}" for letter in "ABCDEF"))[number]
        wish = "A" if kind == "crossword" else None
        seating.join(zine.app, GAME, name, address_of(name), wish)
    actions.start(zine.app, GAME)
    zine.tick()
    zine.mails()
    ahead(zine, PLAYERS[0], "kaufen")
    (got,) = said(zine).items()
    assert got[0] == PLAYERS[0]
    assert "wird nicht reihum gezogen" in got[1][0]
    assert rows(zine) == []


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Another distribution brings a game."""
    monkeypatch.syspath_prepend(str(Path(__file__).parents[1] / "stories" / "chain"))
    engines.cache_clear()
    yield
    engines.cache_clear()
    sys.modules.pop("chain_game", None)


def test_a_new_game_in_turns_has_them(installed: None, begin: Callable[..., Any]) -> None:
    """A game that another distribution brings, and that knows nothing of advance moves, has them as well."""
    zine = begin("empty")
    seating.start(zine.app, "Wortkette", GAME, PLAYERS[:2])
    zine.tick()
    ahead(zine, PLAYERS[1], "sagen nord", "sagen tanzen")
    zine.mails()
    moves(zine, PLAYERS[0], "sagen rot")
    got = said(zine)
    assert "»sagen nord« war nicht möglich" in got[PLAYERS[1]][0]
    assert "Gespielt ist dein Vorab-Zug »sagen tanzen«" in got[PLAYERS[1]][0]
    assert "Du bist am Zug, ZAT Fr, 06.11.2026, 20:00 Uhr – Bernd Cordes sagt TANZEN" in got[PLAYERS[0]][1]


# -- filed, shown, withdrawn ------------------------------------------------------------------------------------------


@pytest.mark.trust(except_first=4)
@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        ("Vorab Riga\nkaufen rot", [["kaufen rot"]]),
        ("vorab riga:\nkaufen rot\n\nkaufen\n\nViele Grüße\nAnna", [["kaufen rot"], ["kaufen"]]),
        ("Vorab Typ-Dom Riga\nkaufen rot", [["kaufen rot"]]),
        ("Vorab Riga: kaufen rot", [["kaufen rot"]]),
        ("Hallo,\n\nAdvance Riga\n\nTyp-Dom Riga\nkaufen rot\n\nTyp-Dom Riga\nkaufen", [["kaufen rot"], ["kaufen"]]),
        ("Vorab Riga\nkaufen rot\n\nVorab Riga\nkaufen", [["kaufen rot"], ["kaufen"]]),
        ("Vorab Riga\nkaufen rot\n\nIch hoffe, das geht.", [["kaufen rot"]]),
        ("Vorab Riga\nkaufen\n\nkaufen rot\n\nkaufen\n\nkaufen", [["kaufen"], ["kaufen rot"], ["kaufen"]]),
    ],
)
def test_ways_to_write_it(riga: Any, text: str, blocks: list[list[str]]) -> None:
    """Up to three blocks below `Vorab`, with their title lines or apart by blank lines; what is left out is said."""
    name = order(riga)[2]
    riga.writes(name, text)
    riga.tick()
    (row,) = riga.rows(AdvanceMove)
    assert row.blocks == blocks
    got = said(riga)
    assert "gilt nur, wenn" in got[name][-1] or "counts only if" in got[name][-1]
    assert ("nicht als Zug gelesen" in got[name][-1]) == ("hoffe" in text)
    assert ("Mehr als 3" in got[name][-1]) == (text.count("kaufen") > 3)
    assert set(got) - set(FOUR) == set(), "what stands beside it is no mail to the GM"


@pytest.mark.trust(except_first=4)
@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Vorab Riga\n", "stand kein Zug"),
        ("Vorab Riga\nIch kaufe dann wohl was", "nichts"),
        ("Vorab Riga\nkaufen rot\n\nZ26 waag MEXICO!?\nkaufen", "nichts"),
        ("Vorab Farbdomino Riga\nkaufen", "eine Partie Typ-Dom"),
        ("Vorab Oslo\nkaufen", "Oslo"),
    ],
)
def test_what_cannot_be_kept_is_answered(riga: Any, text: str, answer: str) -> None:
    """Nothing is on file, the sender is told why, and nobody else hears of it."""
    name = order(riga)[1]
    riga.writes(name, text)
    riga.tick()
    got = said(riga)
    assert answer in got[name][-1]
    assert rows(riga) == []
    assert "cici@postspiel.example" not in got


def test_only_its_owner_is_shown_it(riga: Any) -> None:
    """`Stand` and `Meine Partien` tell its owner, and nobody else; `Zurückziehen` takes it back, once."""
    _, second, third, _ = order(riga)
    ahead(riga, second, "kaufen rot")
    for name in (second, third):
        riga.writes(name, "Stand Riga")
        riga.writes(name, "Meine Partien")
    riga.writes(second, "Zurückziehen Riga")
    riga.writes(second, "Stand Riga")
    riga.writes(second, "Withdraw Riga")
    riga.tick()
    got = said(riga)
    assert ["Vorab" in text for text in got[second]] == [True, True, True, True, False, False]
    assert "dein Vorab-Zug liegt bereit" in got[second][2]
    assert "zurückgezogen" in got[second][3]
    assert "that you could withdraw" in got[second][5]
    assert not any("Vorab" in text for text in got[third])
    assert rows(riga) == [(FOUR.index(second) + 1, "withdrawn")]


def test_a_later_one_replaces_it(riga: Any) -> None:
    """Any later advance move wins, also if an earlier mail is confirmed or handled after it."""
    first, second, *_ = order(riga)
    before = riga.now
    riga.passes(minutes=5)
    ahead(riga, second, "kaufen rot")
    ahead(riga, second, "kaufen schwarz")
    late = write_mail(address_of(second), "Vorab Riga\nkaufen\n", message_id="<late@spieler.example>")
    riga.server.deliver(late, before)
    riga.tick()
    assert "ersetzt den vorigen" in said(riga)[second][1]
    moves(riga, first, "kaufen")
    assert "Gespielt ist dein Vorab-Zug »kaufen schwarz«" in " ".join(said(riga)[second])
    assert [how for _, how in rows(riga)] == ["replaced", "played"]


def test_a_copy_of_the_mail_counts_once(riga: Any) -> None:
    """The same mail fetched again, before and after the move was played, keeps nothing a second time."""
    first, second, third, fourth = order(riga)
    raw = riga.writes(second, "Vorab Riga\nkaufen rot\n")
    riga.arrives(raw)
    riga.tick()
    moves(riga, first, "kaufen")
    riga.arrives(raw)
    riga.tick()
    assert [how for _, how in rows(riga)] == ["played"]
    for name in (third, fourth, first):
        moves(riga, name, "kaufen")
    assert on_turn(riga) == second


def test_a_seat_on_turn_is_shown_the_block_that_would_count(riga: Any) -> None:
    """It may be meant for the turn after, so it isn't played; `Ja` plays it."""
    first = on_turn(riga)
    before = turn(riga)
    ahead(riga, first, "Z26 w XQXQ", "kaufen rot")
    ((_, mail),) = riga.mails()
    assert "gerade selbst am Zug" in riga.said(mail)
    assert turn(riga) == before
    assert rows(riga) == []
    riga.writes(first, "Ja", in_reply_to=mail.message_id, subject=f"Re: {mail.subject}")
    riga.tick()
    assert turn(riga) == before + 1


def test_a_move_and_the_next_in_one_mail(riga: Any) -> None:
    """In whatever order they stand: the block is the move, and `Vorab` is for the next time."""
    first, *others = order(riga)
    riga.writes(first, "Vorab Riga\nTyp-Dom Riga\nkaufen schwarz\n\nWarten Riga\n\nTyp-Dom Riga\nkaufen rot\n")
    riga.tick()
    assert len(riga.rows(AdvanceMove)) == 1
    riga.mails()
    for name in others:
        moves(riga, name, "kaufen")
    assert "Gespielt ist dein Vorab-Zug »kaufen schwarz«" in " ".join(said(riga)[first])


# -- no leak ----------------------------------------------------------------------------------------------------------


def everything(zine: Any, hidden: str, site: Path) -> dict[str, Any]:
    """All that anybody but one player may see: mails, archive, what the GM is shown."""
    export(zine.app, site)
    with zine.app.database.read() as session:
        game = game_queries.named(session, GAME)
        viewers = (None, *FOUR)
        shown = [show(zine.app, session, game, viewer) for viewer in viewers]
        texts = [text_of(zine.app, session, game, viewer) for viewer in viewers]
        listed = [games.as_json(zine.app, one) for one in games.all_games(zine.app, session)]
        lists = [listed, todo.waiting_for_gm(zine.app, session)]
    sent = [row for row in zine.outgoing() if row.address != address_of(hidden)]
    return {
        "mails": [(row.address, row.created_at, row.raw) for row in sent],
        "files": {str(one.relative_to(site)): one.read_bytes() for one in site.rglob("*")
                  if one.is_file() and one.name != STAMP},
        "shown": shown, "texts": texts, "lists": lists,
    }  # fmt: skip


@pytest.mark.trust
@pytest.mark.parametrize("kind", IN_TURNS)
def test_nobody_learns_that_there_was_one(kind: str, begin: Callable[..., Any], tmp_path: Path) -> None:
    """No byte of another's mail, of the archive or of `gm show` tells of it: neither kept, nor failed, nor withdrawn.

    In the other world the same player asks for the position instead, so that each mail has the same number.
    """
    worlds = []
    for is_sent in (True, False):
        zine = begin("empty", after=begun(kind), archive={"base_url": "https://example.org/"})
        zine.server.uidvalidity = 7
        (first, move), (second, _), (third, _) = future(zine, 3)
        fourth = next(name for name in FOUR if name not in (first, second, third))
        watcher = "Xaver Unger"
        actions.add_standby(zine.app, watcher, address_of(watcher), None)
        zine.writes(watcher, f"Beobachten {GAME}", message_id="<w@x>")
        illegal = {"farbdomino": "a1 9,9", "wer-behaelt-recht": "vorn X XYLOPHON"}.get(kind, "AA1 w XQXQ")
        for at, name in enumerate((second, third, third, fourth)):
            kept = f"Vorab {GAME}\n{illegal}\n"
            zine.writes(name, kept if is_sent and name == second else f"Stand {GAME}\n", message_id=f"<{at}@x>")
        withdrawn = f"Zurückziehen {GAME}\n\nVorab {GAME}\n{illegal}\n"
        zine.writes(second, withdrawn if is_sent else f"Stand {GAME}\n", message_id="<5@x>")
        zine.tick()
        kept_only = everything(zine, second, tmp_path / f"kept {is_sent}")
        zine.writes(first, "\n".join([f"{engines()[kind].rules.title} {GAME}", *move, ""]), message_id="<6@x>")
        zine.tick()
        zine.passes(days=3)
        zine.tick()
        failed = everything(zine, second, tmp_path / f"failed {is_sent}")
        worlds.append((kept_only, failed, [how for _, how in rows(zine)], [row.raw for row in zine.outgoing()]))
    (kept, failed, fates, mails), (others_kept, others_failed, none, others_mails) = worlds
    assert kept == others_kept
    assert failed == others_failed
    assert len(failed["mails"]) > 10
    assert (fates, none) == (["withdrawn", "failed"], [])
    assert mails != others_mails, "the owner's own"


def test_the_gm_who_plays_sees_neither_mail_nor_answer(begin: Callable[..., Any]) -> None:
    """`gm show`, `gm mail show` and a rehearsed closing tell a GM nothing of an advance move that isn't played."""
    zine = begin("empty", after=begun(TYP_DOM, 3))
    first = on_turn(zine)
    second = PLAYERS[(PLAYERS.index(first) + 1) % 3]
    ahead(zine, second, "kaufen rot")
    with zine.app.database.read() as session:
        game = game_queries.named(session, GAME)
        assert "kaufen" not in json.dumps(show(zine.app, session, game, second))
        assert "kaufen" not in text_of(zine.app, session, game, second).casefold().replace("kaufen rot", "")
    rehearsed = actions.rehearse_close(zine.app, GAME)
    assert not any(b"Vorab" in mail.raw for mail in rehearsed.mails)
    assert rehearsed.next_counted == "turn 2"
    assert rows(zine) == [(PLAYERS.index(second) + 1, "")], "a rehearsal changes nothing"


def test_a_playing_gm_is_kept_from_the_mails(begin: Callable[..., Any]) -> None:
    """The GM plays: no mail of another's seat is shown, with an advance move or not, and the log has no word of it.

    To keep back those with an advance move alone would tell that there is one.
    """
    gm = PLAYERS[0]
    zine = begin("empty", service={"gm": f"Cici <{address_of(gm)}>"}, after=begun(TYP_DOM))
    names = order(zine)
    name = next(one for one in (names[3], names[2]) if one != gm)
    ahead(zine, name, "kaufen rot", subject="Hallo")
    zine.writes(name, f"Stand {GAME}\n", subject="Hallo")
    zine.writes(name, "Meine Partien\n", subject="Hallo")
    moves(zine, names[0], "kaufen")
    (row,) = zine.rows(AdvanceMove)
    theirs = [one for one in zine.received() if one.sender == address_of(name)]
    answers = [zine.outgoing(cause=f"mail:{one.id}")[0] for one in theirs]
    assert theirs[0].id == row.mail_id
    with zine.app.database.read() as session:
        for mail in [*(f"{one.id}" for one in theirs), *(f"o{one.id}" for one in answers)]:
            with pytest.raises(Refused, match="You play"):
                gm_visibility.check_mail(zine.app, session, mail)
        listed = mail_log.mails(zine.app, session)
    assert not [one for one in listed if "vorab" in str(one).casefold() or "advance" in str(one).casefold()]
    own = next(one.id for one in zine.outgoing() if one.address == address_of(gm))
    with zine.app.database.read() as session:
        gm_visibility.check_mail(zine.app, session, f"o{own}")


# -- when the turn comes ----------------------------------------------------------------------------------------------


def test_the_first_that_is_legal_and_undoubted_is_played(riga: Any) -> None:
    """A word that the list doesn't know is no reason to ask the GM; the next block is tried."""
    first, second, *_ = order(riga)
    at, _ = stands(riga)
    rack = at.state.rack(SeatNumber(FOUR.index(second) + 1))
    unknown = "".join([one for one in rack if one.isalpha()][:6])
    ahead(riga, second, f"Z26 w {unknown}", "kaufen rot", "kaufen schwarz")
    riga.mails()
    moves(riga, first, "kaufen")
    got = said(riga)
    assert f"In der Wörterliste steht nicht: {unknown}" in got[second][0]
    assert "Gespielt ist dein Vorab-Zug »kaufen rot«" in got[second][0]
    assert not any(unknown in text for name in FOUR if name != second for text in got[name])
    assert "cici@postspiel.example" not in got
    assert not any(unknown in json.dumps(row.verdicts) for row in riga.rows(Turn)), "nor in the record of the game"


def test_none_is_possible(riga: Any) -> None:
    """The seat is told why in the bulletin that makes it due, has its full time, and is reminded as anybody is."""
    first, second, *others = order(riga)
    ahead(riga, second, "Z26 w XQXQ")
    riga.mails()
    moves(riga, first, "kaufen")
    got = said(riga)
    assert [len(got[name]) for name in FOUR] == [1, 1, 1, 1]
    assert "»Z26 w XQXQ« war nicht möglich" in got[second][0]
    assert "Du bist am Zug" in got[second][0]
    assert (stands(riga)[1].zat - riga.now).days >= 3
    assert on_turn(riga) == second
    moves(riga, second, "kaufen")
    assert on_turn(riga) == others[0]
    riga.writes(others[0], "Stand Riga")
    riga.tick()
    assert not any("Vorab" in text for texts in said(riga).values() for text in texts)


def test_it_follows_on_a_missed_turn(riga: Any) -> None:
    """NMR of the one before brings the turn, too; one bulletin has both, and the NMR is told."""
    first, second, *_ = order(riga)
    ahead(riga, second, "kaufen rot")
    riga.mails()
    riga.passes_until(stands(riga)[1].zat, seconds=1)
    riga.tick()
    got = said(riga)
    assert [len(got[name]) for name in FOUR] == [1, 1, 1, 1]
    assert all(f"{first}" in got[name][0] and "NMR" in got[name][0] for name in FOUR)
    with riga.app.database.read() as session:
        seats = show(riga.app, session, game_queries.named(session, GAME))["seats"]
    assert [len(seat["nmr"]) for seat in seats] == [int(name == first) for name in FOUR]


def test_it_follows_on_a_seat_given_up_and_on_a_move_by_hand(riga: Any) -> None:
    """The GM goes on without a seat, or types a move in: the next one's advance move is played at once."""
    first, second, third, fourth = order(riga)
    ahead(riga, second, "kaufen rot")
    ahead(riga, fourth, "kaufen schwarz")
    riga.writes(first, "Abmeldung Riga")
    riga.tick()
    actions.play_on_without(riga.app, GAME, first)
    assert on_turn(riga) == third
    actions.enter_move(riga.app, GAME, third, "kaufen")
    assert on_turn(riga) == second
    assert [how for _, how in rows(riga)] == ["played", "played"]


def test_pause_and_hold_stop_it_no_more_than_a_move(riga: Any) -> None:
    """In a pause a move still counts when it comes, and so do those that follow on it; vacation changes nothing."""
    first, second, third, _ = order(riga)
    ahead(riga, second, "kaufen rot")
    riga.writes(second, "Urlaub 3.11.2026-20.11.2026")
    riga.tick()
    actions.pause(riga.app, GAME, "5d")
    moves(riga, first, "kaufen")
    assert on_turn(riga) == third
    actions.resume(riga.app, GAME)
    assert on_turn(riga) == third


@pytest.mark.trust
def test_it_ends_the_game(begin: Callable[..., Any]) -> None:
    """An advance move may be the last of a game: all get the result, once."""
    zine = begin("empty", after=begun("farbdomino", 2))
    while stands(zine)[1].status == "running":
        ((name, lines),) = future(zine, 1)
        other = next(one for one in PLAYERS[:2] if one != name)
        ahead(zine, other, "\n".join(next_lines(zine, other)))
        moves(zine, name, *lines)
    finals = zine.outgoing(kind="final")
    assert sorted(row.address for row in finals) == sorted(map(address_of, PLAYERS[:2]))
    assert not [row for row in zine.rows(AdvanceMove) if row.ended not in ("played", "")]


# -- standby, undo, the GM --------------------------------------------------------------------------------------------


def test_a_standby_sees_it_and_it_counts(riga: Any) -> None:
    """The welcome shows it; it is played for the seat, unless the standby withdraws it."""
    first, second, third, _ = order(riga)
    ahead(riga, second, "kaufen rot")
    ahead(riga, third, "kaufen schwarz")
    riga.mails()
    for before, after in ((second, "Gerda Hahn"), (third, "Gustav Ilm")):
        actions.standby(riga.app, GAME, before, after, address_of(after))
    riga.tick()
    got = said(riga)
    assert "Vorab-Zug" in got[address_of("Gerda Hahn")][0]
    assert "kaufen rot" in got[address_of("Gerda Hahn")][0]
    riga.writes("Gustav Ilm", "Zurückziehen Riga")
    riga.writes(second, "Zurückziehen Riga")
    riga.tick()
    riga.mails()
    moves(riga, first, "kaufen")
    assert "Gespielt ist dein Vorab-Zug »kaufen rot«" in said(riga)[address_of("Gerda Hahn")][0]
    assert sorted(how for _, how in rows(riga)) == ["played", "withdrawn"]


def test_undo_gives_it_back(riga: Any) -> None:
    """It lies there again, its owner alone is told so, and it is played when the GM lets the game go on."""
    first, second, third, fourth = order(riga)
    ahead(riga, second, "kaufen rot")
    ahead(riga, third, "kaufen schwarz")
    moves(riga, first, "kaufen")
    assert on_turn(riga) == fourth
    ahead(riga, third, "kaufen")
    riga.mails()
    actions.undo(riga.app, GAME)
    riga.tick()
    got = said(riga)
    assert [name for name in FOUR if "Vorab" in got[name][0]] == [third]
    assert "kaufen schwarz" in got[third][0]
    riga.tick()
    assert on_turn(riga) == third, "held until the GM says when it goes on"
    actions.undo(riga.app, GAME)
    riga.tick()
    assert on_turn(riga) == second
    riga.mails()
    actions.move_zat(riga.app, GAME, "+2d")
    riga.tick()
    assert on_turn(riga) == fourth
    got = said(riga)
    assert "Gespielt ist dein Vorab-Zug »kaufen rot«" in got[second][-1]
    assert [sum(" kauft" in text for text in got[name]) for name in FOUR] == [1, 1, 1, 1]
    with riga.app.database.read() as session:
        assert verify(riga.app, session, game_queries.named(session, GAME)) == []


def test_what_was_for_a_later_turn_is_not_played_instead_of_a_move_taken_back(riga: Any) -> None:
    """A seat moves, and sends what it would do next; its move is undone: it is on turn again, and chooses anew."""
    first, second, *_ = order(riga)
    riga.writes(first, "Typ-Dom Riga\nkaufen\n\nVorab Riga\nkaufen rot\n")
    riga.tick()
    ahead(riga, second, "Z26 w XQXQ", "kaufen schwarz")
    riga.mails()
    actions.undo(riga.app, GAME)
    riga.tick()
    got = said(riga)
    assert [name for name in FOUR if "zählt nicht mehr: Es war für eine spätere" in got[name][0]] == [first]
    actions.move_zat(riga.app, GAME, "+2d")
    riga.tick()
    assert on_turn(riga) == first
    assert sorted(how for _, how in rows(riga)) == ["withdrawn"]


def test_an_undo_gives_a_seat_back_with_its_advance_move(riga: Any) -> None:
    """The GM lets the game go on without a seat, and thinks better of it: what its player had sent lies there again."""
    first, second, third, _ = order(riga)
    ahead(riga, third, "kaufen rot")
    riga.writes(third, "Abmeldung Riga")
    riga.tick()
    actions.play_on_without(riga.app, GAME, third)
    assert [how for _, how in rows(riga)] == ["withdrawn"]
    actions.undo(riga.app, GAME)
    assert [how for _, how in rows(riga)] == [""]
    actions.move_zat(riga.app, GAME, "+2d")
    riga.tick()
    moves(riga, first, "kaufen")
    assert on_turn(riga) == second


def test_after_an_undo_a_move_or_a_withdrawal_wins(riga: Any) -> None:
    """Whoever has it back may send another move, or none: then it is gone, and `gm close` finds no move."""
    first, second, third, _ = order(riga)
    ahead(riga, second, "kaufen rot")
    moves(riga, first, "kaufen")
    actions.undo(riga.app, GAME)
    riga.writes(second, "Zurückziehen Riga")
    riga.tick()
    before = turn(riga)
    actions.close(riga.app, GAME, riga.now)
    assert turn(riga) == before + 1
    assert riga.rows(Turn)[-1].kind == "resolve"
    assert on_turn(riga) == third
    ahead(riga, first, "kaufen rot")
    riga.mails()


def test_close_plays_what_lies_there_after_an_undo(riga: Any) -> None:
    """A move that is on file counts when the GM closes the turn: it is no NMR, and the game isn't held any more."""
    first, second, third, _ = order(riga)
    ahead(riga, second, "kaufen rot")
    moves(riga, first, "kaufen")
    actions.undo(riga.app, GAME)
    actions.close(riga.app, GAME, riga.now)
    assert on_turn(riga) == third
    assert riga.rows(Turn)[-1].kind == "act"
    assert not stands(riga)[1].held


def test_a_failed_one_is_given_back_with_the_position_that_it_failed_in(riga: Any) -> None:
    """The move before it is taken back: perhaps it is possible after another one."""
    first, second, *_ = order(riga)
    ahead(riga, second, "Z26 w XQXQ")
    moves(riga, first, "kaufen")
    assert [how for _, how in rows(riga)] == ["failed"]
    riga.mails()
    actions.undo(riga.app, GAME)
    riga.tick()
    assert "Vorab-Zug liegt wieder bereit" in said(riga)[second][0]
    assert [how for _, how in rows(riga)] == [""]
    actions.move_zat(riga.app, GAME, "+2d")
    riga.tick()
    riga.mails()
    moves(riga, first, "kaufen rot")
    assert "war nicht möglich" in said(riga)[second][0]


def test_one_that_fails_without_a_bulletin_is_told_by_itself(riga: Any) -> None:
    """After an undo the ruling on a word may have changed: the owner alone is told that it can't be played now."""
    first, second, *_ = order(riga)
    ahead(riga, second, "Z26 w XQXQ")
    with riga.writing() as session:
        game = game_queries.named(session, GAME)
        at = position(riga.app, game)
        game.held = "tried"
        row = session.get_one(AdvanceMove, 1)
        row.seat = int(next(iter(at.engine.due(at.state))))
        session.add(row)
    riga.mails()
    actions.move_zat(riga.app, GAME, "+9d")
    riga.tick()
    got = said(riga)
    assert [name for name in FOUR if "nicht möglich" in " ".join(got[name])] == [first]
    assert on_turn(riga) == first


def test_press_and_foreword_reach_all_in_the_one_bulletin(riga: Any) -> None:
    """What waits to be printed is printed once, in the bulletin that tells of all steps."""
    first, second, _, fourth = order(riga)
    ahead(riga, second, "kaufen rot")
    riga.writes(fourth, "Presse Riga\nWer hat mein O gesehen?\nEnde")
    riga.tick()
    riga.mails()
    moves(riga, first, "kaufen")
    got = said(riga)
    assert [sum("mein O gesehen" in text for text in got[name]) for name in FOUR] == [1, 1, 1, 1]


# -- published, sent --------------------------------------------------------------------------------------------------


def test_all_steps_of_a_bulletin_become_public_with_it(riga: Any) -> None:
    """No page shows the first of them while the bulletin that tells of all is still to go out."""
    first, second, *_ = order(riga)
    ahead(riga, second, "kaufen rot")
    riga.writes(first, f"Typ-Dom {GAME}\nkaufen\n")
    one_pass(riga.app, outbox=False, archive=False)
    assert [row.published_at is None for row in riga.rows(Turn)] == [False, True, True]
    riga.tick()
    assert [row.published_at is None for row in riga.rows(Turn)] == [False, False, False]


def test_an_undo_before_it_went_out_leaves_what_it_tells_of_the_others(riga: Any) -> None:
    """The bulletin tells of a move that stays as well: it goes out, and the mail about the undo behind it."""
    first, second, third, _ = order(riga)
    ahead(riga, second, "kaufen rot")
    riga.mails()
    riga.writes(first, f"Typ-Dom {GAME}\nkaufen\n")
    one_pass(riga.app, outbox=False, archive=False)
    actions.undo(riga.app, GAME)
    riga.tick()
    assert [len(texts) for texts in [said(riga)[third]]] == [2]
    assert on_turn(riga) == second
    riga.writes(second, f"Typ-Dom {GAME}\nkaufen schwarz\n")
    riga.tick()
    assert on_turn(riga) == third, "the mail about the undo has shown the position"


def test_several_processes_play_it_once(riga: Any) -> None:
    """Another process that does its pass at the same time finds nothing left to play."""
    first, second, third, _ = order(riga)
    ahead(riga, second, "kaufen rot")
    riga.mails()
    other = riga.open(load(riga.config))
    riga.writes(first, f"Typ-Dom {GAME}\nkaufen\n")
    before = turn(riga)
    threads = [
        Thread(target=tick, args=(app,), kwargs={"archive": False, "outbox": False}) for app in (riga.app, other)
    ]
    with observed(riga.app):
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    riga.tick()
    assert turn(riga) == before + 2
    assert on_turn(riga) == third
    assert [len(texts) for name, texts in said(riga).items() if name in (second, third)] == [1, 1]


# -- data, mails ------------------------------------------------------------------------------------------------------


def test_it_is_among_the_own_data_and_its_mail_is_kept(riga: Any) -> None:
    """`gm player export` has it with its lines; `gm mail prune` leaves the mail of a running game alone."""
    _, second, third, _ = order(riga)
    ahead(riga, second, "kaufen rot")
    kept = {name: everything_about(riga.app, name)["advance_moves"] for name in (second, third)}
    assert ([one["blocks"] for one in kept[second]], kept[third]) == ([[["kaufen rot"]]], [])
    riga.passes(days=400)
    prune(riga.app, "30d")
    (row,) = riga.rows(AdvanceMove)
    assert next(mail for mail in riga.received() if mail.id == row.mail_id).raw


def test_whoever_leaves_leaves_it_to_the_seat(riga: Any) -> None:
    """A move on file stays when its player resigns or is forgotten; it is played, and names nobody."""
    first, second, third, _ = order(riga)
    riga.writes(second, f"Vorab Riga\nName: {second}\nkaufen rot\n")
    riga.tick()
    riga.writes(second, "Abmeldung Riga")
    riga.tick()
    moves(riga, first, "kaufen")
    assert on_turn(riga) == third
    (row,) = riga.rows(AdvanceMove)
    assert (row.ended, row.blocks) == ("played", [["kaufen rot"]])


def test_a_stranger_keeps_nothing(riga: Any) -> None:
    """Whoever writes from an unknown address, or holds no seat, changes nothing and is told nothing of the game."""
    _, second, *_ = order(riga)
    riga.writes(second, "Vorab Riga\nkaufen rot\n", sender="fremd@irgendwo.example")
    riga.tick()
    assert rows(riga) == []
    assert not any("Riga" in text for text in said(riga).get("fremd@irgendwo.example", []))


@pytest.mark.trust(except_first=2)
@pytest.mark.parametrize("game", [GAME, "Nirgends"])
@pytest.mark.parametrize("sender", ["fremd@irgendwo.example", address_of(PLAYERS[5])])
def test_a_stranger_learns_as_little_as_by_a_move(begin: Callable[..., Any], sender: str, game: str) -> None:
    """Who holds no seat gets the very answer to `Vorab` that the block alone gets, known to the zine or not."""
    answers = []
    for head in ("Vorab", "Typ-Dom"):
        zine = begin("empty", after=begun(TYP_DOM))
        actions.add_standby(zine.app, "Franz Graf", address_of(PLAYERS[5]), None)
        zine.tick()
        zine.mails()
        zine.writes("Eva", f"{head} {game}\nkaufen rot\n", sender=sender, message_id="<one@irgendwo>")
        zine.tick()
        answers.append([zine.said(mail) for to, mail in zine.mails() if to == sender])
    assert answers[0] == answers[1] != []


def test_without_proof_it_waits_for_the_registered_address(begin: Callable[..., Any]) -> None:
    """`security.sender`: an advance move needs the same proof as a move; the question shows its lines."""
    zine = begin(
        "empty", after=begun(TYP_DOM), security={"sender": "authenticated", "trusted_authserv": ["mx.example.org"]}
    )
    _, second, *_ = order(zine)
    ahead(zine, second, "kaufen rot")
    ((recipient, mail),) = zine.mails()
    assert recipient == address_of(second)
    assert "kaufen rot" in zine.said(mail)
    assert rows(zine) == []
    zine.writes(second, "Ja", in_reply_to=mail.message_id, subject=f"Re: {mail.subject}")
    zine.tick()
    assert len(zine.rows(AdvanceMove)) == 1


def test_confirmed_too_late_it_is_for_no_turn(begin: Callable[..., Any]) -> None:
    """Its player has moved in the meantime: the last to arrive counts, and that was the move."""
    zine = begin("empty", after=begun(TYP_DOM), security={"sender": "authenticated", "trusted_authserv": ["mx.x"]})
    first, second, *_ = order(zine)
    ahead(zine, second, "kaufen rot")
    ((_, mail),) = zine.mails()
    for name in (first, second):
        actions.enter_move(zine.app, GAME, name, "kaufen")
    zine.tick()
    zine.mails()
    zine.writes(second, "Ja", in_reply_to=mail.message_id, subject=f"Re: {mail.subject}")
    zine.tick()
    assert rows(zine) == []
    assert "später" in " ".join(said(zine)[second])


@pytest.mark.parametrize("names_writer", [True, False])
def test_two_at_one_address(begin: Callable[..., Any], names_writer: bool) -> None:
    """A couple says whose it is by a line `Name: ...`; without one nothing is kept, and they are asked for it."""
    zine = begin("empty", after=begun(TYP_DOM))
    _, second, third, _ = order(zine)
    with zine.writing() as session:
        theirs = session.exec(select(Address).join(Player).where(Player.name == third)).one()
        theirs.address = address_of(second)
        session.add(theirs)
    line = f"Name: {third}\n" if names_writer else ""
    zine.writes(second, f"{line}Vorab Riga\nkaufen rot\n")
    zine.tick()
    assert [row.seat for row in zine.rows(AdvanceMove)] == ([FOUR.index(third) + 1] if names_writer else [])
    assert ("Name: ..." in zine.said(zine.mails()[-1][1])) != names_writer


def test_backup_and_the_address_of_the_zine_know_nothing_else(riga: Any) -> None:
    """What is open is in the database alone: no mail to the zine's own address or the GM is made of it."""
    _, second, *_ = order(riga)
    riga.mails()
    ahead(riga, second, "kaufen rot")
    assert [recipient for recipient, _ in riga.mails() if recipient in (GM_ADDRESS, "cici@postspiel.example")] == []
