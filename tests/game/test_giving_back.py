"""A seat that was left goes back to its player with one line, as long as nobody else has moved for it; all are told."""

from typing import Any

import pytest
import seating

from games import engines
from games.dice import Dice
from gm.demo.in_memory_zine import PLAYERS, address_of
from gm.game import word_judge
from gm.game.position import position
from gm.game.replay import verify
from gm.reports.todo import waiting_for_gm
from gm.requests.desk import actions
from gm.runtime.errors import Refused
from gm.store.queries import game_queries, seat_queries
from gm.store.tables import Game, Seat, Turn

ANNA, BERND, CARLA, DORA, EMIL, FRIDA = PLAYERS
GERDA, HANS = "Gerda Hahn", "Hans Igel"
GM = "cici@postspiel.example"


def mails(zine: Any) -> dict[str, Any]:
    """Do a pass; return what each reads, subject and text in one line, by address."""
    zine.tick()
    found: dict[str, str] = {}
    for to, mail in zine.mails():
        found[to] = found.get(to, "") + zine.said(mail)
    return found


def todo(zine: Any) -> list[tuple[str, str]]:
    """List what waits for the GM."""
    with zine.app.database.read() as session:
        return [(row["what"], row["do"]) for row in waiting_for_gm(zine.app, session)]


def replays(zine: Any, name: str = "Eriwan") -> bool:
    """Return whether the record leads to the same once more."""
    with zine.app.database.read() as session:
        return verify(zine.app, session, game_queries.named(session, name)) == []


def leaves(zine: Any, name: str, game: str = "Eriwan") -> None:
    """Let a player sign off."""
    zine.writes(name, f"Abmeldung {game}\n")
    mails(zine)
    zine.passes(minutes=1)


def riga(begin: Any, kind: str = "farbdomino") -> Any:
    """Start Riga with three players."""
    zine = begin("empty")
    actions.new_game(zine.app, kind, "Riga")
    with zine.writing() as session:  # with some seeds somebody is out after one move, and the game ends sooner
        game_queries.named(session, "Riga").seed = "somebody always has a move"
    for name in PLAYERS[: max(3, engines()[kind].rules.seats[0])]:
        seating.join(zine.app, "Riga", name, address_of(name), None)
    actions.start(zine.app, "Riga")
    mails(zine)
    zine.passes(minutes=1)
    return zine


def due(zine: Any) -> tuple[str, str]:
    """Name who is on turn in Riga, with a move."""
    with zine.app.database.read() as session:
        game = game_queries.named(session, "Riga")
        at = position(zine.app, game)
        seat = min(at.engine.due(at.state))
        lines = at.engine.suggest(at.state, seat, Dice("due", 1), word_judge.judge(zine.app, game))
        return seat_queries.names(game)[seat], "\n".join(lines)


def test_signed_off_by_mistake(eriwan: Any) -> None:
    """Dora signs off and regrets it: she reads what is so, the GM is asked, says yes, and she plays on as before."""
    leaves(eriwan, DORA)
    eriwan.sends(DORA, "DN", "Q")
    said = mails(eriwan)
    assert "Du hast dich aus »Eriwan« abgemeldet; der Platz ist frei" in said[address_of(DORA)]
    assert "Ich habe Cici Beilken gefragt" in said[address_of(DORA)]
    assert "jemand anders" not in said[address_of(DORA)]
    assert f'gm standby Eriwan "{DORA}" "{DORA}"' in said[GM]
    assert "back" in dict(todo(eriwan))
    eriwan.sends(DORA, "DN", "Q")
    assert GM not in mails(eriwan)
    (asked,) = (one for one in eriwan.outgoing(kind="trouble") if "wieder mitspielen" in one.subject)
    eriwan.writes("Cici", "Ja\n", sender=GM, subject=f"Re: {asked.subject}")
    said = mails(eriwan)
    assert f"{DORA} spielt in Eriwan wieder mit" in said[GM]
    assert "du sitzt wieder auf deinem Platz" in said[address_of(DORA)]
    assert all(f"{DORA} spielt wieder mit" in said[address_of(one)] for one in PLAYERS if one != DORA)
    assert todo(eriwan) == []
    eriwan.sends(DORA, "DN", "Q")
    assert "angekommen" in mails(eriwan)[address_of(DORA)]
    assert eriwan.on_file(DORA) == ("dn", "Q")
    assert eriwan.seat(DORA)["history"] == [DORA]
    assert replays(eriwan)


def test_open_offers_lapse(eriwan: Any) -> None:
    """Who was asked for the seat hears that nobody is needed, and a late `Ja` takes nothing."""
    actions.add_standby(eriwan.app, GERDA, address_of(GERDA), None)
    eriwan.writes(DORA, "Abmeldung Eriwan\n")
    eriwan.tick()
    (offer,) = (mail for to, mail in eriwan.mails() if to == address_of(GERDA))
    eriwan.passes(minutes=1)
    actions.standby(eriwan.app, "Eriwan", "dora", "dora", None)
    assert "wieder besetzt wie vorher" in mails(eriwan)[address_of(GERDA)]
    eriwan.writes(GERDA, "Ja\n", subject=f"Re: {offer.subject}")
    mails(eriwan)
    assert eriwan.seat(DORA)["history"] == [DORA]
    leaves(eriwan, DORA)
    eriwan.passes(minutes=1)
    actions.standby(eriwan.app, "Eriwan", "dora", GERDA, None)
    assert eriwan.seat(GERDA)["history"] == [DORA, GERDA]


@pytest.mark.parametrize("by", ["undo", "out", "holder"])
def test_the_wrong_player_was_replaced(eriwan: Any, by: str) -> None:
    """Gerda came for the wrong player: `gm undo` or `gm standby` gives the seat back, and both are told."""
    actions.standby(eriwan.app, "Eriwan", DORA, GERDA, address_of(GERDA))
    mails(eriwan)
    eriwan.passes(minutes=1)
    eriwan.sends(DORA, "DN", "Q")
    assert f"hat inzwischen {GERDA} übernommen" in mails(eriwan)[address_of(DORA)]
    if by == "undo":
        done = actions.undo(eriwan.app, "Eriwan")
        assert (done.turn, done.left, done.back) == (None, GERDA, DORA)
    else:
        actions.standby(eriwan.app, "Eriwan", DORA if by == "out" else GERDA, DORA, None)
    said = mails(eriwan)
    assert {*said} == {address_of(name) for name in (*PLAYERS, GERDA)}
    assert "du sitzt wieder auf deinem Platz" in said[address_of(DORA)]
    assert f"{DORA} spielt wieder mit" in said[address_of(GERDA)]
    assert eriwan.seat(DORA)["history"] == [DORA]
    assert eriwan.show()["held"] is None
    actions.standby(eriwan.app, "Eriwan", BERND, GERDA, None)
    said = mails(eriwan)
    assert "Willkommen als Ersatz für Bernd Cordes" in said[address_of(GERDA)]


def test_not_when_somebody_else_has_moved(eriwan: Any) -> None:
    """Gerda has moved: the seat stays hers, with a clear sentence; `gm undo` takes the closing back instead."""
    eriwan.all_send()
    actions.close(eriwan.app, "Eriwan", eriwan.now)
    mails(eriwan)
    eriwan.passes(minutes=1)
    actions.standby(eriwan.app, "Eriwan", DORA, GERDA, address_of(GERDA))
    mails(eriwan)
    eriwan.passes(minutes=1)
    eriwan.sends(GERDA)
    assert "angekommen" in mails(eriwan)[address_of(GERDA)]
    with pytest.raises(Refused, match=f"{GERDA} has moved for this seat of Eriwan since"):
        actions.standby(eriwan.app, "Eriwan", DORA, DORA, None)
    assert actions.undo(eriwan.app, "Eriwan").turn is not None
    assert eriwan.round == 1
    assert eriwan.seat(GERDA)["history"] == [DORA, GERDA]


def test_undo_twice(eriwan: Any) -> None:
    """A takeover above a closing: the first undo takes the takeover back, the second one the closing."""
    eriwan.all_send()
    actions.close(eriwan.app, "Eriwan", eriwan.now)
    mails(eriwan)
    eriwan.passes(minutes=1)
    actions.standby(eriwan.app, "Eriwan", DORA, GERDA, address_of(GERDA))
    mails(eriwan)
    done = actions.undo(eriwan.app, "Eriwan")
    assert (done.left, done.back, eriwan.round, eriwan.show()["held"]) == (GERDA, DORA, 2, None)
    done = actions.undo(eriwan.app, "Eriwan")
    assert done.turn
    assert (done.turn.kind, eriwan.round) == ("resolve", 1)
    assert "held" in dict(todo(eriwan))
    assert replays(eriwan)


def test_a_takeover_of_a_free_seat(eriwan: Any) -> None:
    """Dora had left before Gerda came: taken back, the seat is free again, all are told, and it waits for the GM."""
    leaves(eriwan, DORA)
    actions.standby(eriwan.app, "Eriwan", DORA, GERDA, address_of(GERDA))
    mails(eriwan)
    eriwan.passes(minutes=1)
    done = actions.undo(eriwan.app, "Eriwan")
    assert (done.left, done.back) == (GERDA, "")
    said = mails(eriwan)
    assert f"Der Platz von {DORA} ist wieder frei" in said[address_of(ANNA)]
    assert f"Der Platz von {DORA} ist wieder frei" in said[address_of(GERDA)]
    assert "resigned" in dict(todo(eriwan))
    actions.standby(eriwan.app, "Eriwan", DORA, DORA, None)
    assert eriwan.seat(DORA)["history"] == [DORA]
    assert dict(todo(eriwan)) == {}


def test_a_takeover_of_a_seat_that_was_given_up(eriwan: Any) -> None:
    """Gerda came after `--none`: taken back, the game goes on without the seat; once more, and Dora sits again."""
    actions.play_on_without(eriwan.app, "Eriwan", DORA)
    mails(eriwan)
    eriwan.passes(minutes=1)
    actions.standby(eriwan.app, "Eriwan", DORA, GERDA, address_of(GERDA))
    mails(eriwan)
    assert actions.undo(eriwan.app, "Eriwan").left == GERDA
    assert "Die Partie geht ohne diesen Platz weiter." in mails(eriwan)[address_of(GERDA)]
    assert todo(eriwan) == []
    assert actions.undo(eriwan.app, "Eriwan").back == DORA
    assert "du sitzt wieder auf deinem Platz" in mails(eriwan)[address_of(DORA)]
    assert eriwan.seat(DORA)["history"] == [DORA]
    assert replays(eriwan)


def test_while_a_bulletin_waits(begin: Any) -> None:
    """Given back while the bulletin waits for the GM: all are told, and the bulletin shows Dora the next round."""
    zine = begin("started", deadlines={"release": "gm"})
    leaves(zine, DORA)
    zine.all_send(*(name for name in PLAYERS if name != DORA))
    actions.close(zine.app, "Eriwan", zine.now)
    mails(zine)
    zine.passes(minutes=1)
    actions.standby(zine.app, "Eriwan", DORA, DORA, None)
    assert f"{DORA} spielt wieder mit" in mails(zine)[address_of(DORA)]
    actions.release(zine.app, "Eriwan", "")
    assert "Runde 1" in mails(zine)[address_of(DORA)]
    zine.passes(minutes=1)
    zine.sends(DORA, "", "X")
    assert "angekommen" in mails(zine)[address_of(DORA)]


def test_after_a_closing_the_history_stays(eriwan: Any) -> None:
    """A round was closed without Dora: nobody is blamed for it, the history shows it, and she plays the next one."""
    leaves(eriwan, DORA)
    eriwan.all_send(*(name for name in PLAYERS if name != DORA))
    actions.close(eriwan.app, "Eriwan", eriwan.now)
    mails(eriwan)
    eriwan.passes(minutes=1)
    actions.standby(eriwan.app, "Eriwan", DORA, DORA, None)
    said = mails(eriwan)
    assert "NMR (N. N.)" in said[address_of(DORA)]
    eriwan.passes(minutes=1)
    eriwan.sends(DORA, "", "X")
    assert "angekommen" in mails(eriwan)[address_of(DORA)]
    assert eriwan.seat(DORA)["history"] == [DORA]
    assert [(row.until is None) for row in eriwan.rows(Seat) if row.number == 4] == [False, True]
    eriwan.writes(DORA, "Meine Partien\n")
    said = mails(eriwan)[address_of(DORA)]
    assert "ausgeschieden" not in said
    eriwan.writes(DORA, "Protokoll Eriwan 1\n")
    assert f"Kein Zug von {DORA}" not in mails(eriwan)[address_of(DORA)]
    assert replays(eriwan)


@pytest.mark.parametrize("by", ["undo", "standby"])
@pytest.mark.parametrize("which", ["on turn", "another"])
def test_on_without_the_wrong_player(begin: Any, which: str, by: str) -> None:
    """`--none` for the wrong player in a game of turns: the step is taken back, the player is on turn as before."""
    zine = riga(begin)
    name, move = due(zine)
    actions.enter_move(zine.app, "Riga", name, move)
    mails(zine)
    zine.passes(minutes=1)
    first, _ = due(zine)
    out = first if which == "on turn" else next(one for one in PLAYERS[:3] if one not in (first, name))
    zat = zine.rows(Game)[0].zat
    actions.play_on_without(zine.app, "Riga", out)
    said = mails(zine)
    assert "die anderen spielen ohne dich weiter" in said[address_of(out)]
    zine.writes(out, f"Farbdomino Riga\n{move}\n")
    said = mails(zine)
    assert "»Riga« geht ohne dich weiter" in said[address_of(out)]
    zine.passes(minutes=1)
    if by == "undo":
        done = actions.undo(zine.app, "Riga")
        assert (done.turn and done.turn.kind, done.left, done.back) == ("resign", out, out)
    else:
        actions.standby(zine.app, "Riga", out, out, None)
    said = mails(zine)
    assert "du sitzt wieder auf deinem Platz" in said[address_of(out)]
    assert all(f"{out} spielt wieder mit" in said[address_of(one)] for one in PLAYERS[:3] if one != out)
    game = zine.rows(Game)[0]
    assert (game.held, game.zat, game.status) == ("", zat, "running")
    assert due(zine)[0] == first
    assert [turn.kind for turn in zine.rows(Turn) if turn.undone_at] == ["resign"]
    assert todo(zine) == []
    name, move = due(zine)
    zine.writes(name, f"Farbdomino Riga\n{move}\n")
    assert "angekommen" in mails(zine)[address_of(name)]
    assert replays(zine, "Riga")


def test_on_without_and_gone_on_since(begin: Any) -> None:
    """The others have moved since `--none`: by the rules of the game the seat is gone, and the sentence says so."""
    zine = riga(begin)
    name, move = due(zine)
    out = next(one for one in PLAYERS[:3] if one != name)
    actions.play_on_without(zine.app, "Riga", out)
    mails(zine)
    zine.passes(minutes=1)
    actions.enter_move(zine.app, "Riga", name, move)
    with pytest.raises(Refused, match="Riga has gone on without this seat; gm undo Riga takes the steps back one by"):
        actions.standby(zine.app, "Riga", out, out, None)
    assert actions.undo(zine.app, "Riga").turn.kind == "act"  # type: ignore[union-attr]
    done = actions.undo(zine.app, "Riga")
    assert (done.left, done.back) == (out, out)
    assert replays(zine, "Riga")


def test_who_watches_plays_again(eriwan: Any) -> None:
    """Dora watches after she has left: back in her seat, she gets each mail once."""
    leaves(eriwan, DORA)
    eriwan.writes(DORA, "Beobachten Eriwan\n")
    mails(eriwan)
    actions.standby(eriwan.app, "Eriwan", DORA, DORA, None)
    mails(eriwan)
    actions.close(eriwan.app, "Eriwan", eriwan.now)
    eriwan.tick()
    assert len([to for to, _ in eriwan.mails() if to == address_of(DORA)]) == 1


def test_in_the_other_language(eriwan: Any) -> None:
    """English players read it in English."""
    for name in (ANNA, DORA):
        eriwan.writes(name, "Language en\n")
    leaves(eriwan, DORA)
    eriwan.sends(DORA, "DN", "Q")
    said = mails(eriwan)[address_of(DORA)]
    assert "You have left “Eriwan”; the seat is free" in said
    assert "I have asked Cici Beilken" in said
    actions.standby(eriwan.app, "Eriwan", DORA, DORA, None)
    said = mails(eriwan)
    assert "You have your seat in “Eriwan” again" in said[address_of(DORA)]
    assert f"{DORA} plays again" in said[address_of(ANNA)]


def test_who_is_put_out_hears_of_the_end(begin: Any) -> None:
    """Two play, and without one of them it is over: that one isn't told that the others play on, but who has won."""
    zine = begin("empty")
    seating.start(zine.app, "combinato", "Lima", PLAYERS[:2])
    mails(zine)
    actions.enter_move(zine.app, "Lima", PLAYERS[0], "Combinato Lima\nGeheim: HAUS\n")
    assert actions.play_on_without(zine.app, "Lima", PLAYERS[1])[1] == [PLAYERS[0]]
    said = mails(zine)[address_of(PLAYERS[1])]
    assert f"die Partie zu Ende; der Sieg geht an {PLAYERS[0]}" in said
    assert "spielen ohne dich weiter" not in said
