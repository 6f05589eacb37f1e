"""Spectators get bulletins with public facts only; and any bulletin can be requested again."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import seating

from games.api import SPECTATOR
from gm.demo.in_memory_zine import PLAYERS, Story, address_of
from gm.game.position import position
from gm.requests.desk import actions
from gm.store.queries import game_queries
from gm.store.tables import Player, Watcher
from parsers.mime.message import read_mail

ANNA, BERND = PLAYERS[:2]
XAVER = "Xaver Zorn"


def watches(zine: Any, name: str = XAVER, game: str = "Eriwan") -> Any:
    """Let somebody unknown watch; returns the answer to the yes."""
    zine.writes(name, f"Beobachten {game}\n")
    question = zine.answer(name)
    assert question.subject.startswith("[Frage ")
    zine.writes(name, "Ja\n", subject=f"Re: {question.subject}")
    return zine.answer(name)


def closes(zine: Any) -> dict[str, Any]:
    """Let the round end; returns the bulletins by recipient."""
    zine.mails()
    zine.passes_until(zine.zat, seconds=1)
    zine.tick()
    return {address: mail for address, mail in zine.mails() if mail.headers["auto-submitted"] == ("auto-generated",)}


def test_a_spectators_bulletin(eriwan: Any) -> None:
    """It has no block, no own board and nothing private, and every board that all may see."""
    assert "die Bulletins von »Eriwan«" in eriwan.said(watches(eriwan))
    eriwan.sends(ANNA, "DN", wish="X")
    eriwan.tick()
    sent = closes(eriwan)
    assert set(sent) == {address_of(name) for name in (*PLAYERS, XAVER)}
    theirs, annas = sent[address_of(XAVER)], sent[address_of(ANNA)]
    assert theirs.subject == annas.subject
    assert "ZUGABGABE" not in theirs.text
    assert "body=Crossword" not in theirs.html
    assert "(du)" not in theirs.html
    for name in PLAYERS:
        assert name.split()[0] in theirs.text
    boards = re.findall(r"^  1  .*$", annas.text, re.MULTILINE)
    assert boards == re.findall(r"^  1  .*$", theirs.text, re.MULTILINE)


def test_nothing_is_sent_between_rounds(eriwan: Any) -> None:
    """While moves come in, who watches hears nothing."""
    watches(eriwan)
    eriwan.sends(ANNA, "DN")
    eriwan.tick()
    assert [recipient for recipient, _ in eriwan.mails()] == [address_of(ANNA)]


def test_unsubscribing_from_bulletins(eriwan: Any) -> None:
    """Spectators' bulletins carry List-Unsubscribe, players' don't; the mail that it asks for ends them."""
    watches(eriwan)
    sent = closes(eriwan)
    assert "list-unsubscribe" not in sent[address_of(ANNA)].headers
    (value,) = sent[address_of(XAVER)].headers["list-unsubscribe"]
    fields = {key: values[0] for key, values in parse_qs(urlsplit(str(value).strip("<>")).query).items()}
    eriwan.writes(XAVER, fields["body"], subject=fields["subject"])
    assert "bekommst du nicht mehr" in eriwan.reply(XAVER)
    assert eriwan.rows(Watcher) == []
    assert address_of(XAVER) not in closes(eriwan)


def test_watching_twice_and_ending_twice(eriwan: Any) -> None:
    """Neither makes a second row or a mistake."""
    watches(eriwan)
    eriwan.writes(XAVER, "Watch Eriwan\n")
    assert "From now on" in eriwan.reply(XAVER)
    assert len(eriwan.rows(Watcher)) == 1
    for _ in range(2):
        eriwan.writes(XAVER, "Unwatch Eriwan\n")
        assert "no more bulletins" in eriwan.reply(XAVER)


def test_players_need_not_watch(eriwan: Any) -> None:
    """A player can't also be a spectator of the same game."""
    eriwan.writes(ANNA, "Beobachten Eriwan\n")
    assert "spielst du selbst" in eriwan.reply(ANNA)
    assert eriwan.rows(Watcher) == []


def test_what_cannot_be_watched(eriwan: Any) -> None:
    """No such game, or one that is over: it is said at once, and nobody is asked or registered."""
    eriwan.writes(XAVER, "Beobachten Tiflis\n")
    assert "gibt es gerade nicht" in eriwan.reply(XAVER)
    assert len(eriwan.rows(Player)) == 6


def test_unwatching_by_a_stranger(eriwan: Any) -> None:
    """An unknown address that stops watching gets the short help."""
    eriwan.writes(XAVER, "nicht beobachten Eriwan\n")
    assert eriwan.answer(XAVER).subject.startswith("Postspiele per Mail")


def test_a_spectator_who_steps_in(eriwan: Any) -> None:
    """A spectator who takes a seat over gets a player's bulletins from then on, and no second copy."""
    watches(eriwan)
    actions.standby(eriwan.app, "Eriwan", ANNA, XAVER, address_of(XAVER))
    eriwan.tick()
    eriwan.mails()
    eriwan.passes_until(eriwan.zat, seconds=1)
    eriwan.tick()
    theirs = [mail for recipient, mail in eriwan.mails() if recipient == address_of(XAVER)]
    assert len(theirs) == 1
    assert "ZUGABGABE" in theirs[0].text
    assert eriwan.rows(Watcher) == []


def test_a_spectator_who_signs_up(zine: Any) -> None:
    """The same holds for an open game: who takes a seat watches no more."""
    actions.new_game(zine.app, "crossword", "Eriwan")
    watches(zine)
    zine.writes(XAVER, "Anmeldung Eriwan\nNeu: D\n")
    assert zine.answer(XAVER).subject == "[Eriwan] Du bist dabei"
    assert zine.rows(Watcher) == []


def test_spectators_of_a_game_in_turns(tmp_path: Any) -> None:
    """Where a move has its effect at once spectators hear of it; nothing of anybody's rack is in their mails."""
    story = Story(tmp_path)
    try:
        actions.new_game(story.app, "typ-dom", "Genua")
        for name in PLAYERS[:3]:
            seating.join(story.app, "Genua", name, address_of(name), None)
        watches_in(story, "Genua")
        actions.start(story.app, "Genua")
        story.tick()
        sent = dict(story.mails())
        assert set(sent) == {address_of(name) for name in (*PLAYERS[:3], XAVER)}
        theirs = sent[address_of(XAVER)]
        assert "Kopieren" not in theirs.text
        with story.app.database.read() as session:
            at = position(story.app, game_queries.named(session, "Genua"))
            seen, own = at.engine.view(at.state, SPECTATOR), [at.engine.view(at.state, seat) for seat in (1, 2, 3)]
        assert not seen.block
        assert any(view.sections != seen.sections for view in own)
    finally:
        story.close()


def watches_in(story: Any, game: str) -> None:
    """The same in a story without helpers."""
    story.writes(XAVER, f"Beobachten {game}\n")
    story.tick()
    question = story.gets(XAVER)
    story.writes(XAVER, "Ja\n", subject=f"Re: {question.subject}")
    story.tick()
    story.mails()


# -- once more ---------------------------------------------------------------------------------------------------------


def once_more(zine: Any, name: str, which: str = "") -> Any:
    """Ask for a bulletin again."""
    zine.writes(name, f"Protokoll Eriwan {which}\n")
    return zine.answer(name)


def same(mail: Any, before: Any) -> bool:
    """Return whether a mail holds all of another one, line by line."""
    return str(mail.text).rstrip().endswith(str(before.text).strip()) and before.text.strip() != ""


@pytest.mark.trust
def test_every_bulletin_once_more(eriwan: Any) -> None:
    """`Protokoll` gives the start, every round, the last without a number, and the end, letter by letter as mailed."""
    watches(eriwan)
    kept: dict[int, dict[str, Any]] = {}
    for number in range(1, 7):
        if number < 6:
            eriwan.sends(ANNA, "DN" if number == 1 else "")
            eriwan.writes(BERND, f"Presse Eriwan\nText {number}\nEnde\n")
        eriwan.tick()
        sent = closes(eriwan)
        kept[number] = {name: sent[address_of(name)] for name in (*PLAYERS, XAVER)}
        for name in (ANNA, XAVER):
            assert same(once_more(eriwan, name), kept[number][name]), (number, name)
    assert eriwan.status in ("finished", "provisional")
    eriwan.passes(days=20)
    for number in range(1, 7):
        for name in (ANNA, BERND, XAVER):
            again = once_more(eriwan, name, str(number))
            assert same(again, kept[number][name]), (number, name, again.text, kept[number][name].text)
            assert again.subject.startswith("[Eriwan] Unten steht das Bulletin zu »Eriwan«")


def test_the_start_once_more(eriwan: Any) -> None:
    """Number 0 is the first bulletin, with its own deadlines, also rounds later."""
    start = read_mail(eriwan.outgoing(kind="start", address=address_of(ANNA))[0].raw)
    closes(eriwan)
    assert same(once_more(eriwan, ANNA, "0"), start)


@pytest.mark.trust(except_first=2)
@pytest.mark.parametrize("which", ["7", "2", "999"])
def test_a_bulletin_that_is_not_there(eriwan: Any, which: str) -> None:
    """A round that isn't closed has none."""
    closes(eriwan)
    assert f"Ein Bulletin {which} von »Eriwan« gibt es nicht" in eriwan.said(once_more(eriwan, ANNA, which))


def test_no_bulletin_before_the_start(seated: Any) -> None:
    """An open game has none at all."""
    assert "gibt es nicht" in seated.said(once_more(seated, ANNA))


def test_bulletins_are_not_for_everybody(eriwan: Any) -> None:
    """A player without seat in the game gets none, a stranger the short help."""
    eriwan.writes(XAVER, "Protokoll Eriwan\n")
    assert eriwan.answer(XAVER).subject.startswith("Postspiele per Mail")
    actions.new_game(eriwan.app, "crossword", "Havanna")
    watches(eriwan, game="Havanna")
    assert "spielst du unter dieser Adresse nicht" in eriwan.said(once_more(eriwan, XAVER))


def test_a_bulletin_that_waits_for_the_gm(begin: Any) -> None:
    """What isn't released yet is shown to nobody: the last one is the one before."""
    zine = begin("started", deadlines={"release": "gm"})
    zine.sends(ANNA, "DN")
    zine.passes_until(zine.zat, seconds=1)
    zine.tick()
    zine.mails()
    assert "gibt es nicht" in zine.said(once_more(zine, ANNA, "1"))
    assert "« beginnt. Du hast Platz" in zine.said(once_more(zine, ANNA))


def test_an_undone_bulletin(eriwan: Any) -> None:
    """A closing that was taken back has no bulletin; the next one has its number."""
    eriwan.sends(ANNA, "DN")
    eriwan.tick()
    closes(eriwan)
    actions.undo(eriwan.app, "Eriwan")
    eriwan.tick()
    eriwan.mails()
    assert "gibt es nicht" in eriwan.said(once_more(eriwan, ANNA, "1"))


def test_the_old_block_is_no_move(eriwan: Any) -> None:
    """The block in a bulletin of long ago, sent as it is, is nothing entered; the mail says that it is old."""
    closes(eriwan)
    closes(eriwan)
    again = once_more(eriwan, ANNA, "1")
    assert "Block und ZAT sind von damals" in eriwan.said(again)


def test_a_game_that_begins_with_round_0(zine: Any) -> None:
    """In Combinato round 0 brings the secrets: its bulletin comes together with that of the start."""
    seating.start(zine.app, "combinato", "Genua", (ANNA, BERND))
    zine.tick()
    first = dict(zine.mails())[address_of(ANNA)]
    zine.writes(ANNA, "Combinato Genua\nBILD\n")
    zine.writes(BERND, "Combinato Genua\nPELZ\n")
    zine.tick()
    actions.close(zine.app, "Genua", zine.app.now())
    zine.tick()
    second = [mail for address, mail in zine.mails() if address == address_of(ANNA)][-1]
    zine.writes(ANNA, "Protokoll Genua 0\n")
    text = zine.answer(ANNA).text
    for mail in (first, second):  # their small print stands once, at the end
        assert mail.text.partition("\n»Hilfe Combinato«")[0].strip() in text
