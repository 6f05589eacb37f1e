"""Moves that have their effect at once, with a game that another distribution brings (entry point `gm.games`)."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import seating

from games import engine, engines
from gm.demo.in_memory_zine import PLAYERS, address_of, write_mail
from gm.game.replay import verify
from gm.reports.game import show
from gm.requests.desk import actions
from gm.runtime.errors import Refused
from gm.store.queries import game_queries, question_queries, turn_queries
from parsers.mime.message import read_mail

ANNA, BERND = PLAYERS[:2]
GM = "cici@postspiel.example"


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The other distribution is installed: its folder is on the path."""
    monkeypatch.syspath_prepend(str(Path(__file__).parents[1] / "stories" / "chain"))
    engines.cache_clear()
    yield
    engines.cache_clear()
    sys.modules.pop("chain_game", None)


def test_a_distribution_adds_games_and_replaces_none(installed: None) -> None:
    """With a game from elsewhere the ones here stay themselves, also where it goes by the key of one of them."""
    added = engines()["word-chain"]
    assert engines().keys() > {"word-chain", "crossword"}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(added), "rules", replace(added.rules, key="crossword"))
        engines.cache_clear()
        assert (engine("crossword").rules.title, engines()["crossword"].rules.title) == ("Crossword", "Crossword")


@pytest.fixture
def chain(installed: None, begin: Callable[..., Any]) -> Any:
    """Wortkette »Kette«, started; Anna is on turn and has the first bulletin."""
    zine = begin("empty")
    seating.start(zine.app, "Wortkette", "Kette", (ANNA, BERND))
    zine.tick()
    zine.mails()
    return zine


def sends(zine: Any, name: str, *lines: str, **more: Any) -> bytes:
    """Let a player send a block."""
    raw: bytes = zine.writes(name, "\n".join(["Wortkette Kette", *lines, ""]), **more)
    return raw


def mails_of(zine: Any) -> dict[str, str]:
    """Do a pass and return what each got, by address; two mails to one are a mistake."""
    zine.tick()
    mails = zine.mails()
    found = {recipient: zine.said(mail) for recipient, mail in mails}
    assert len(found) == len(mails)
    return found


def words(zine: Any) -> list[str]:
    """What was said so far."""
    with zine.app.database.read() as session:
        game = game_queries.named(session, "Kette")
        return list(turn_queries.current_turn(game).state["words"])


def zat(zine: Any) -> Any:
    """The present deadline."""
    with zine.app.database.read() as session:
        return game_queries.named(session, "Kette").zat


def test_a_turn_takes_its_effect_in_the_same_pass(chain: Any) -> None:
    """The mover gets one answer, the other a bulletin that asks for the next turn, with the block to copy."""
    sends(chain, ANNA, "Stand: 10", "sagen rot")
    got = mails_of(chain)
    assert set(got) == {address_of(ANNA), address_of(BERND)}
    assert "Zug angekommen" in got[address_of(ANNA)]
    assert "Am Zug: Bernd Cordes" in got[address_of(ANNA)]
    assert "Du bist am Zug, ZAT Fr, 06.11.2026, 20:00 Uhr – Anna Berg sagt ROT" in got[address_of(BERND)]
    assert "Wortkette Kette Stand: 20 sagen" in got[address_of(BERND)]
    assert words(chain) == ["ROT"]


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize(
    "text",
    [
        "sagen rot",
        "Stand: 10\nsagen rot",
        "Hallo Cici,\n\nsagen rot\n\nViele Grüße\nAnna",
        "Und los!\n\nsagen rot\n\nAnna",
    ],
)
def test_a_move_without_its_title(chain: Any, text: str) -> None:
    """Lines that are a move as they stand count, where one game is meant; the text around them is nothing."""
    chain.writes(ANNA, text)
    assert "Den Namen der Partie habe ich" in mails_of(chain)[address_of(ANNA)]
    assert words(chain) == ["ROT"]


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize("text", ["sagen nichts!", "sagen rot\n\nsagen tor", "Rot\n\nAnna", "Wir sagen rot"])
def test_prose_is_no_move(chain: Any, text: str) -> None:
    """Text that isn't a move word for word, or could be two, goes to the GM."""
    chain.writes(ANNA, text)
    assert "weitergegeben" in mails_of(chain)[address_of(ANNA)]
    assert words(chain) == []


def test_only_the_seat_on_turn_may_move(chain: Any) -> None:
    """Rulings 2: a block of a seat not on turn is answered with who is, and changes nothing."""
    sends(chain, BERND, "sagen rot")
    got = mails_of(chain)
    assert set(got) == {address_of(BERND)}
    assert "nicht am Zug. Am Zug: Anna Berg" in got[address_of(BERND)]
    assert words(chain) == []


def test_the_same_line_twice_moves_once(chain: Any) -> None:
    """The same mail again, or the same block sent by hand: the second finds somebody else on turn."""
    raw = sends(chain, ANNA, "Stand: 10", "sagen rot")
    chain.arrives(raw)
    sends(chain, ANNA, "Stand: 10", "sagen rot")
    chain.tick()
    assert words(chain) == ["ROT"]


def test_a_block_for_an_older_stand_is_refused(chain: Any) -> None:
    """Anna's block of two turns ago comes again when it is her turn: it is shown the present position instead."""
    sends(chain, ANNA, "sagen rot")
    chain.tick()
    sends(chain, BERND, "sagen tanzen")
    chain.tick()
    chain.mails()
    sends(chain, ANNA, "Stand: 10", "sagen nord")
    got = mails_of(chain)
    assert "gehört zu einem älteren Stand" in got[address_of(ANNA)]
    assert "Stand: 30" in got[address_of(ANNA)]
    assert words(chain) == ["ROT", "TANZEN"]


def test_a_block_before_the_position_was_seen_is_refused(chain: Any) -> None:
    """Without `Stand:` a mail counts only if it came after our mail with the position was accepted."""
    before = chain.now
    sends(chain, ANNA, "sagen rot")
    chain.tick()
    chain.mails()
    raw = write_mail(address_of(BERND), "Wortkette Kette\nsagen tor\n")
    chain.server.deliver(raw, before)
    got = mails_of(chain)
    assert "bevor du den jetzigen Stand" in got[address_of(BERND)]
    assert words(chain) == ["ROT"]


def test_a_private_step_is_nobody_elses(chain: Any) -> None:
    """A draw is answered at once, the others hear nothing, the clock isn't wound up, and it isn't drawn twice."""
    due = zat(chain)
    raw = sends(chain, ANNA, "Stand: 10", "würfeln")
    got = mails_of(chain)
    assert set(got) == {address_of(ANNA)}
    assert "Du bist weiter am Zug" in got[address_of(ANNA)]
    assert "Gezogen: " in got[address_of(ANNA)]
    assert zat(chain) == due
    chain.arrives(raw)
    sends(chain, ANNA, "Stand: 10", "würfeln")
    assert "älteren Stand" in mails_of(chain)[address_of(ANNA)]
    sends(chain, ANNA, "sagen rot")
    assert "Gezogen" not in mails_of(chain)[address_of(BERND)]


def test_nobody_waits_or_is_ready(chain: Any) -> None:
    """Rulings 2: Warten and Fertig have no effect where turns take theirs at once."""
    chain.writes(ANNA, "Warten Kette")
    assert "keine Wirkung" in mails_of(chain)[address_of(ANNA)]


def test_nmr_passes_the_turn(chain: Any) -> None:
    """At the ZAT the turn passes; all hear of it, and the next gets a whole span."""
    chain.passes_until(zat(chain), seconds=1)
    got = mails_of(chain)
    assert set(got) == {address_of(ANNA), address_of(BERND)}
    assert "schweigt (NMR)" in got[address_of(ANNA)]
    assert zat(chain) - chain.now > timedelta(days=3)
    with chain.app.database.read() as session:
        seats = show(chain.app, session, game_queries.named(session, "Kette"))["seats"]
    assert [seat["nmr"] for seat in seats] == [[1], []]


def test_a_doubtful_word_never_lies_on_the_board(chain: Any) -> None:
    """Rulings 2: the move is held, the GM asked at once, all told, the ZAT stands still; accepted, it takes effect."""
    due = zat(chain)
    sends(chain, ANNA, "Stand: 10", "sagen xyz")
    got = mails_of(chain)
    assert set(got) == {address_of(ANNA), address_of(BERND), GM}
    assert "liegt bei Cici Beilken" in got[address_of(ANNA)]
    assert "XYZ" not in got[address_of(BERND)]
    assert "gm rule Kette accept XYZ" in got[GM]
    assert words(chain) == []
    chain.passes_until(due, days=2)
    assert not mails_of(chain)
    with pytest.raises(Refused, match=r"gm rule Kette accept\|reject XYZ"):
        actions.close(chain.app, "Kette", chain.now)
    done = actions.rule(chain.app, "Kette", ["XYZ"], True, "steht im Atlas", False)
    assert done == ["Kette: the move that waited for it goes on"]
    got = mails_of(chain)
    assert all("XYZ zählt (steht im Atlas)" in got[address_of(name)] for name in (ANNA, BERND))
    assert "Anna Berg sagt XYZ" in got[address_of(BERND)]
    assert "Anna Berg sagt XYZ" in got[address_of(ANNA)]
    assert words(chain) == ["XYZ"]
    assert zat(chain) - chain.now > timedelta(days=3)


def test_a_ruling_on_another_word_moves_nothing(chain: Any) -> None:
    """A held move waits for its own words, whatever else the GM rules on."""
    sends(chain, ANNA, "sagen xyz")
    mails_of(chain)
    actions.rule(chain.app, "Kette", ["ABC"], True, "", False)
    assert not mails_of(chain)
    assert words(chain) == []


def test_a_refused_word_gives_the_turn_back(chain: Any) -> None:
    """Rulings 2: refused, the seat is due again, with at least `standby_time` left."""
    sends(chain, ANNA, "sagen xyz")
    chain.tick()
    chain.passes_until(zat(chain), days=2)
    chain.mails()
    actions.rule(chain.app, "Kette", ["XYZ"], False, "kein Wort", False)
    got = mails_of(chain)
    assert set(got) == {address_of(ANNA), address_of(BERND)}
    assert "NICHT angenommen" in got[address_of(ANNA)]
    assert "XYZ zählt nicht" in got[address_of(ANNA)]
    assert "Das Wort zählt nicht (kein Wort)" in got[address_of(BERND)]
    assert "XYZ" not in got[address_of(BERND)]
    assert zat(chain) - chain.now > timedelta(days=2)
    sends(chain, ANNA, "sagen rot")
    got = mails_of(chain)
    assert words(chain) == ["ROT"], got


def test_another_word_replaces_the_held_one(chain: Any) -> None:
    """Another move replaces the one that waits; the question to the GM is settled."""
    sends(chain, ANNA, "sagen xyz")
    chain.tick()
    sends(chain, ANNA, "sagen rot")
    chain.tick()
    assert words(chain) == ["ROT"]
    with chain.app.database.read() as session:
        assert not question_queries.held_moves(game_queries.named(session, "Kette"))


def test_the_gm_enters_a_move(chain: Any) -> None:
    """A turn by telephone takes its effect as well, and all are told; a doubtful word is for the GM to rule first."""
    with pytest.raises(Refused, match="gm rule Kette"):
        actions.enter_move(chain.app, "Kette", ANNA, "sagen xyz")
    actions.enter_move(chain.app, "Kette", ANNA, "sagen rot")
    got = mails_of(chain)
    assert set(got) == {address_of(ANNA), address_of(BERND)}
    assert words(chain) == ["ROT"]


def test_moves_are_answered_whatever_the_limit(installed: None, begin: Callable[..., Any]) -> None:
    """Over the hourly limit an answer that shows a new position still goes out: without it nobody could go on."""
    zine = begin("empty", security={"answers_per_hour": 1})
    seating.start(zine.app, "Wortkette", "Kette", (ANNA, BERND))
    zine.tick()
    zine.mails()
    for line, answers in (("würfeln", 1), ("würfeln", 1), ("würfeln würfeln", 0)):
        sends(zine, ANNA, line)
        assert len(mails_of(zine)) == answers


def test_a_game_to_its_end(chain: Any) -> None:
    """Six turns, a draw and a silence among them, final scores to all, and the record replays."""
    for name, line in ((ANNA, "würfeln"), (ANNA, "sagen rot"), (BERND, "sagen tin"), (ANNA, "sagen nord")):
        sends(chain, name, line)
        chain.tick()
    chain.passes_until(zat(chain), seconds=1)
    chain.tick()
    chain.mails()
    for name, line in ((ANNA, "sagen dorn"), (BERND, "sagen nord")):
        sends(chain, name, line)
        last = mails_of_both(chain)
    assert "Endstand" in last[address_of(BERND)]
    with chain.app.database.read() as session:
        game = game_queries.named(session, "Kette")
        assert game.status == "finished"
        assert verify(chain.app, session, game) == []


def mails_of_both(zine: Any) -> dict[str, str]:
    """Do a pass and return what each got, all mails in one."""
    zine.tick()
    found: dict[str, str] = {}
    for recipient, mail in zine.mails():
        found[recipient] = found.get(recipient, "") + zine.said(mail)
    return found


def test_undo_of_a_step(chain: Any) -> None:
    """A move that took effect at once is taken back: who made it is on turn again, the clock waits for the GM."""
    sends(chain, ANNA, "sagen ROT")
    chain.tick()
    sends(chain, BERND, "sagen TANZEN")
    chain.tick()
    chain.mails()
    chain.passes(minutes=1)
    turn = actions.undo(chain.app, "Kette").turn
    assert turn
    assert turn.kind == "act"
    got = mails_of(chain)
    assert len(got) == 2
    assert all("Der letzte Zug ist zurückgenommen" in text for text in got.values())
    sends(chain, ANNA, "sagen NORD")  # upon Bernd's word, which is no more
    assert "Am Zug: Bernd Cordes" in mails_of(chain)[address_of(ANNA)]
    with chain.app.database.read() as session:
        game = game_queries.named(session, "Kette")
        state = turn_queries.current_turn(game).state
        assert (game.round, state["words"], bool(game.held)) == (2, ["ROT"], True)
    chain.passes(days=30)
    chain.tick()
    actions.move_zat(chain.app, "Kette", "+60d")
    chain.tick()
    chain.mails()
    sends(chain, BERND, "sagen TANZEN")
    chain.tick()
    sends(chain, ANNA, "sagen NORD")
    chain.tick()
    with chain.app.database.read() as session:
        game = game_queries.named(session, "Kette")
        assert turn_queries.current_turn(game).state["words"] == ["ROT", "TANZEN", "NORD"]
        assert game.reopened is False
        assert verify(chain.app, session, game) == []
    assert len({row.message_id for row in chain.outgoing()}) == len(chain.outgoing())


def test_ruling_on_a_held_word_by_mail(chain: Any) -> None:
    """The GM's reply lets a held move go on; `Nein` can't make it disappear."""
    sends(chain, ANNA, "sagen XYZ")
    chain.tick()
    mail = next(mail for recipient, mail in chain.mails() if recipient == GM)
    chain.writes("Cici", "Nein\n", sender=GM, subject=f"Re: {mail.subject}")
    assert "bietet diese Mail nicht an" in mails_of(chain)[GM]
    chain.writes("Cici", "gm rule Kette accept XYZ\n", sender=GM, subject=f"Re: {mail.subject}")
    got = mails_of(chain)
    assert "Der Zug, der darauf gewartet hat, geht weiter" in got[GM]
    assert address_of(BERND) in got
    with chain.app.database.read() as session:
        game = game_queries.named(session, "Kette")
        assert turn_queries.current_turn(game).state["words"] == ["XYZ"]
        assert question_queries.open_questions(session) == []


def test_press_in_a_game_of_turns(chain: Any) -> None:
    """Press stands in the bulletin of the next turn that all hear of, and in the answer to the one who moved."""
    chain.writes(BERND, "Presse Kette\nROT wäre schön.\nEnde\n")
    mails_of(chain)
    sends(chain, ANNA, "Stand: 10", "sagen rot")
    got = mails_of(chain)
    assert set(got) == {address_of(ANNA), address_of(BERND)}
    assert all("Bernd Cordes schreibt: > ROT wäre schön." in said for said in got.values())
    sends(chain, BERND, "Stand: 20", "sagen tor")
    assert not any("schreibt:" in said for said in mails_of(chain).values())


def test_turns_once_more(chain: Any) -> None:
    """`Protokoll` gives each turn's bulletin again by its number, also to the one who moved, and the last without."""
    start = read_mail(chain.outgoing(kind="start", address=address_of(ANNA))[0].raw)
    kept = {}
    for number, (name, lines) in enumerate(((ANNA, "Stand: 10\nsagen rot"), (BERND, "Stand: 20\nsagen tor")), 1):
        sends(chain, name, lines)
        chain.tick()
        other = BERND if name == ANNA else ANNA
        kept[number] = next(mail for recipient, mail in chain.mails() if recipient == address_of(other))
    for name, which, mail in ((ANNA, "0", start), (BERND, "1", kept[1]), (ANNA, "2", kept[2]), (ANNA, "", kept[2])):
        chain.writes(name, f"Protokoll Kette {which}\n")
        assert chain.answer(name).text.rstrip().endswith(mail.text.strip())
    chain.writes(ANNA, "Protokoll Kette 1\n")
    assert "ROT" in mails_of(chain)[address_of(ANNA)]
