"""What is due at one address in one pass is one reminder, and a reply to it works for each game (issue 49)."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from gm.demo.in_memory_zine import PLAYERS, address_of
from gm.game import gm_visibility
from gm.game.schedule import reminders
from gm.requests.desk import actions
from gm.requests.desk.erasure import forget
from gm.runtime.errors import Refused
from gm.store.queries import game_queries, sheet_queries
from tests.stories.zines import SHARED, WISHES, Zine

ANNA, BERND, CARLA, DORA = PLAYERS[:4]
GAMES = ("Eriwan", "Genua", "Riga")


def start(zine: Any, name: str, kind: str, *players: str, addresses: dict[str, str] | None = None) -> None:
    """Start a game with these players."""
    actions.new_game(zine.app, kind, name)
    for player, wish in zip(players, WISHES, strict=False):
        address = (addresses or {}).get(player, address_of(player))
        actions.join(zine.app, name, player, address, wish if kind == "crossword" else None)
    actions.start(zine.app, name)


def three_games(zine: Any) -> None:
    """Anna plays in three games whose ZATs are one evening, the others in one or two."""
    start(zine, "Eriwan", "crossword", *PLAYERS)
    start(zine, "Genua", "crossword", ANNA, *PLAYERS[2:], "Gerda Hahn")
    start(zine, "Riga", "wort-yahtzee", ANNA, "Gerda Hahn", "Hans Ihn")
    zine.tick()
    zine.mails()


@pytest.fixture
def games(begin: Any) -> Zine:
    """The three games, three days before their ZAT."""
    zine: Zine = begin("empty", after=three_games)
    zine.passes_until(zine.zat - timedelta(days=3))
    return zine


def sent_to(zine: Zine, address: str) -> list[Any]:
    """Do a pass; list the mails to an address."""
    zine.tick()
    return [mail for to, mail in zine.mails() if to == address]


def on_file(zine: Zine, game: str) -> int:
    """Count the moves that are on file in a game."""
    with zine.app.database.read() as session:
        return len(sheet_queries.sheets_on_file(game_queries.named(session, game)))


def block(game: str, new: str = "......") -> str:
    """Write a move for the first round of a Crossword."""
    return f"Crossword {game}\nNeu: E\n{new}\n" + "......\n" * 5


def test_three_games_of_one_evening_come_in_one_mail(games: Zine) -> None:
    """A part and a block for each; whoever plays in one of them gets the mail of that game, as ever."""
    games.tick()
    mails = games.mails()
    (anna,) = [mail for to, mail in mails if to == address_of(ANNA)]
    assert anna.subject == "3 Züge fehlen: Eriwan, Genua, Riga"
    for title in ("Crossword Eriwan, Runde 1", "Crossword Genua, Runde 1", "Wort-Yahtzee Riga"):
        assert anna.text.count(f"     {title}   \n") == 1, title
    assert "Von dir fehlt noch ein Zug für »Genua«." in games.said(anna)
    (bernd,) = [mail for to, mail in mails if to == address_of(BERND)]
    assert bernd.subject.startswith("[Eriwan] Erinnerung: ZAT Runde 1 am ")
    assert "von dir fehlt noch ein Zug für »Eriwan«." in games.said(bernd)
    games.passes(hours=5)
    games.tick()
    assert games.mails() == []


def test_each_block_counts_in_a_reply(games: Zine) -> None:
    """Two blocks in one reply are two moves."""
    (mail,) = sent_to(games, address_of(ANNA))
    text = block("Eriwan") + "\n" + block("Genua")
    games.writes(ANNA, text, subject=f"Re: {mail.subject}", in_reply_to=mail.message_id)
    games.tick()
    assert (on_file(games, "Eriwan"), on_file(games, "Genua")) == (1, 1)


def test_a_block_without_a_title_is_asked_about(games: Zine) -> None:
    """It may be for two of the three games: nothing is filed, and the answer asks which is meant."""
    (mail,) = sent_to(games, address_of(ANNA))
    games.writes(ANNA, "D.....\n" + "......\n" * 5, subject=f"Re: {mail.subject}", in_reply_to=mail.message_id)
    (answer,) = sent_to(games, address_of(ANNA))
    assert "Für welche Partie?" in games.said(answer)
    assert "Eriwan, Genua, Riga" in games.said(answer)
    assert [on_file(games, name) for name in GAMES] == [0, 0, 0]


def test_more_time_in_a_reply_is_asked_about(games: Zine) -> None:
    """A wish for time names no game either."""
    (mail,) = sent_to(games, address_of(ANNA))
    text = "Ich brauche noch drei Tage.\n"
    games.writes(ANNA, text, subject=f"Re: {mail.subject}", in_reply_to=mail.message_id)
    (answer,) = sent_to(games, address_of(ANNA))
    for name in GAMES:
        assert f"Verlängerung {name} 3 Tage" in games.said(answer)


def test_a_late_reply_is_late(games: Zine) -> None:
    """After the closing, a block in a reply to the reminder of the round before is no move of the next one."""
    (mail,) = sent_to(games, address_of(ANNA))
    games.passes_until(games.zat, hours=1)
    games.tick()
    games.mails()
    assert games.round == 2
    text = block("Eriwan")
    games.writes(ANNA, text, subject=f"Re: {mail.subject}", in_reply_to=mail.message_id)
    (answer,) = sent_to(games, address_of(ANNA))
    assert "zu spät" in games.said(answer)
    assert on_file(games, "Eriwan") == 0


def test_a_second_roll_in_a_reply_is_for_an_older_position(games: Zine) -> None:
    """Two replies to one reminder, without the line that names the position: the dice are rolled once."""
    (mail,) = sent_to(games, address_of(ANNA))
    text = "Wort-Yahtzee Riga\nbehalte nichts\n"
    for _ in range(2):
        games.writes(ANNA, text, subject=f"Re: {mail.subject}", in_reply_to=mail.message_id)
        answer = sent_to(games, address_of(ANNA))[-1]
    assert "älteren Stand" in games.said(answer)


def couples_games(zine: Any) -> None:
    """Anna and Bernd share an address, and both play in Eriwan; Bernd plays in Genua as well."""
    shared = {ANNA: SHARED, BERND: SHARED}
    start(zine, "Eriwan", "crossword", *PLAYERS, addresses=shared)
    start(zine, "Genua", "crossword", BERND, *PLAYERS[2:], "Gerda Hahn", addresses=shared)
    zine.tick()
    zine.mails()


def test_a_couple_gets_one_mail_with_both_names(begin: Any) -> None:
    """Each part says whose move it is; a block without a name in a reply is asked about."""
    zine = begin("empty", after=couples_games)
    zine.passes_until(zine.zat - timedelta(days=3))
    (mail,) = sent_to(zine, SHARED)
    assert mail.subject == "3 Züge fehlen: Eriwan, Genua"
    assert "Hallo Anna, Bernd," in mail.text
    assert "Anna Berg, von dir fehlt noch ein Zug für »Eriwan«." in zine.said(mail)
    assert "Bernd Cordes, von dir fehlt noch ein Zug für »Genua«." in zine.said(mail)
    assert mail.text.count("     Name: ") == 2
    reply = {"subject": f"Re: {mail.subject}", "in_reply_to": mail.message_id, "sender": SHARED}
    zine.writes(ANNA, block("Eriwan"), **reply)
    (answer,) = sent_to(zine, SHARED)
    assert "Von wem ist der Zug?" in answer.subject
    zine.writes(BERND, block("Genua"), **reply)
    zine.tick()
    assert (on_file(zine, "Eriwan"), on_file(zine, "Genua")) == (0, 1)


def test_a_crash_reminds_nobody_twice_and_loses_none(games: Zine, monkeypatch: pytest.MonkeyPatch) -> None:
    """The pass ends while the mails are written: none has gone out, and the next pass sends each once."""
    post, written = reminders.post, []

    def fails_once(*given: Any, **named: Any) -> None:
        post(*given, **named)
        written.append(given)
        if len(written) == 1:
            raise ZeroDivisionError

    monkeypatch.setattr(reminders, "post", fails_once)
    with pytest.raises(ZeroDivisionError):
        games.tick()
    assert games.mails() == []
    assert len(sent_to(games, address_of(ANNA))) == 1
    assert sent_to(games, address_of(ANNA)) == []


def test_a_gm_who_plays_sees_no_such_mail(begin: Any) -> None:
    """It may show what one seat alone may know of a game in which the GM plays."""
    zine = begin("empty", after=three_games, service={"gm": f"Cici Beilken <{address_of(DORA)}>"})
    zine.passes_until(zine.zat - timedelta(days=3))
    zine.tick()
    (row,) = [row for row in zine.outgoing(kind="reminders") if row.address == address_of(ANNA)]
    with zine.app.database.read() as session, pytest.raises(Refused, match="You play in"):
        gm_visibility.check_mail(zine.app, session, f"o{row.id}")


def test_forgetting_one_of_a_couple_takes_the_mail_to_both(begin: Any) -> None:
    """It names the one who is forgotten."""
    zine = begin("empty", after=couples_games)
    zine.passes_until(zine.zat - timedelta(days=3))
    zine.tick()
    for name in ("Eriwan", "Genua"):
        actions.abort(zine.app, name, "Schluss")
    zine.tick()
    forget(zine.app, ANNA)
    rows = [row for row in zine.outgoing(kind="reminders") if row.recipient.startswith("forgotten")]
    assert [(row.raw, row.subject) for row in rows] == [(None, "")]
