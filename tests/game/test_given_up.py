"""A seat that resigned can't win in any game (rulings.md, All games): by `--none`, by leaving, or while empty."""

from pathlib import Path
from typing import Any

import pytest
import seating
from publishing import send_and_export

from games import engines
from games.dice import Dice
from gm.demo.in_memory_zine import PLAYERS, address_of
from gm.game import word_judge
from gm.game.position import position
from gm.game.replay import verify
from gm.messages.rendering.wording import first_name
from gm.requests.desk import actions
from gm.store.archive_tables import ArchivedScore
from gm.store.queries import game_queries, seat_queries

ANNA, BERND, CARLA, DORA, EMIL, FRIDA = PLAYERS


def running(begin: Any, kind: str) -> tuple[Any, tuple[str, ...]]:
    """Start a game of a kind with as few players as it takes, but two at least."""
    zine, fewest = begin("empty"), max(2, engines()[kind].rules.seats[0])
    cast = PLAYERS[:fewest]
    actions.new_game(zine.app, kind, "Eriwan")
    for name, wish in zip(cast, "DNTIRO", strict=False):
        seating.join(zine.app, "Eriwan", name, address_of(name), wish if kind == "crossword" else None)
    actions.start(zine.app, "Eriwan")
    zine.tick()
    zine.mails()
    return zine, cast


def moves(zine: Any) -> None:
    """Let somebody who is due send a move."""
    with zine.app.database.read() as session:
        game = game_queries.named(session, "Eriwan")
        at = position(zine.app, game)
        seat = min(at.engine.due(at.state))
        lines = at.engine.suggest(at.state, seat, Dice("test", 1), word_judge.judge(zine.app, game))
        name = seat_queries.names(game)[seat]
    actions.enter_move(zine.app, "Eriwan", name, "\n".join(lines))
    zine.tick()
    zine.mails()


def replays(zine: Any) -> bool:
    """Return whether the record leads to the same once more."""
    with zine.app.database.read() as session:
        return verify(zine.app, session, game_queries.named(session, "Eriwan")) == []


def result(zine: Any) -> list[tuple[int, str, bool]]:
    """Return the final table: rank, player, whether that one has won."""
    return [(line["rank"], line["player"], line["winner"]) for line in zine.show()["standings"]]


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize("kind", sorted(engines()))
def test_the_last_one_has_won_at_once(begin: Any, kind: str) -> None:
    """All leave but one: that one has won, the game is over at once, and subject and JSON say who."""
    zine, cast = running(begin, kind)
    moves(zine)
    *gone, last = cast
    for at, name in enumerate(gone, start=1):
        assert zine.status == "running"
        actions.play_on_without(zine.app, "Eriwan", name)
        zine.tick()
        assert (zine.status == "finished") == (at == len(gone))
    found = result(zine)
    assert found[0] == (1, last, True)
    assert all(rank > 1 and not winner for rank, _, winner in found[1:])
    subject = dict(zine.mails())[address_of(last)].subject
    assert first_name(last) in subject
    assert "gewinnt" in subject
    assert not any(first_name(name) in subject for name in gone)
    assert replays(zine)


@pytest.mark.trust(except_first=2)
@pytest.mark.parametrize("kind", sorted(engines()))
def test_nobody_wins_where_nobody_moved(begin: Any, kind: str) -> None:
    """All leave but one, and nobody has ever moved: nobody is congratulated, nobody has won."""
    zine, (*gone, last) = running(begin, kind)
    for name in gone:
        actions.play_on_without(zine.app, "Eriwan", name)
    zine.tick()
    assert zine.status == "finished"
    assert not any(winner for _, _, winner in result(zine))
    mail = dict(zine.mails())[address_of(last)]
    assert first_name(last) not in mail.subject
    assert "Gezogen hat niemand, also hat auch niemand gewonnen." in zine.said(mail)
    assert "Glückwunsch" not in mail.text
    assert "ist noch im Spiel" not in mail.text
    assert replays(zine)


def test_it_stands_in_no_table(begin: Any, tmp_path: Path) -> None:
    """The archive says that nobody wins; records and all-time tables don't know the game, but one that was played."""
    zine, (*gone, last) = running(begin, "crossword")
    for name in gone:
        actions.play_on_without(zine.app, "Eriwan", name)
    zine.tick()
    send_and_export(zine.app, tmp_path)
    assert "Niemand gewinnt" in (tmp_path / "partien" / "eriwan" / "index.html").read_text()
    assert zine.rows(ArchivedScore) == []
    table = (tmp_path / "ewige-tabelle" / "index.html").read_text()
    assert last.split()[0] not in table


def test_nobody_wins_by_silence(begin: Any) -> None:
    """Six rounds of Crossword, and nobody ever moved: nobody has won."""
    zine, _ = running(begin, "crossword")
    for _ in range(6):
        actions.close(zine.app, "Eriwan", zine.app.now())
    zine.tick()
    assert zine.status == "finished"
    assert not any(winner for _, _, winner in result(zine))
    mail = next(mail for _, mail in zine.mails() if "Endstand" in mail.subject)
    assert mail.subject == "[Eriwan] Endstand"
    assert "Glückwunsch" not in mail.text
    assert replays(zine)


@pytest.mark.trust(except_first=2)
@pytest.mark.parametrize("kind", sorted(engines()))
def test_nobody_wins_a_game_that_all_leave(begin: Any, kind: str) -> None:
    """All have left, and the GM lets it go on without them one by one: the one who is left is gone as well."""
    zine, cast = running(begin, kind)
    for name in cast:
        zine.writes(name, "Abmeldung Eriwan\n")
    zine.tick()
    for name in cast[1:]:
        actions.play_on_without(zine.app, "Eriwan", name)
    zine.tick()
    assert zine.status == "finished"
    assert not any(winner for _, _, winner in result(zine))
    assert replays(zine)


def test_an_empty_seat_wins_nothing(begin: Any) -> None:
    """A player who found the secret and left before the closing hasn't won, though a standby may still come."""
    zine, (anna, bernd) = running(begin, "combinato")
    actions.enter_move(zine.app, "Eriwan", anna, "Geheim: BILD")
    actions.enter_move(zine.app, "Eriwan", bernd, "Geheim: HERD")
    actions.close(zine.app, "Eriwan", zine.app.now())
    actions.enter_move(zine.app, "Eriwan", anna, "Rat: HERD")
    zine.writes(anna, "Abmeldung Eriwan\n")
    zine.tick()
    zine.mails()
    actions.close(zine.app, "Eriwan", zine.app.now())
    zine.tick()
    assert result(zine) == [(1, bernd, True), (2, anna, False)]
    assert replays(zine)


def test_the_winner_of_combinato_has_a_round(begin: Any) -> None:
    """rulings.md, Combinato: "gewinnt in Runde 5", never with points; points are null, guesses are told."""
    zine, (anna, bernd) = running(begin, "combinato")
    actions.enter_move(zine.app, "Eriwan", anna, "Geheim: BILD")
    actions.enter_move(zine.app, "Eriwan", bernd, "Geheim: HERD")
    actions.close(zine.app, "Eriwan", zine.app.now())
    actions.enter_move(zine.app, "Eriwan", bernd, "Rat: BILD")
    actions.close(zine.app, "Eriwan", zine.app.now())
    zine.tick()
    assert dict(zine.mails())[address_of(anna)].subject == "[Eriwan] Endstand: Bernd gewinnt in Runde 1"
    assert zine.show()["standings"] == [
        {"rank": 1, "player": bernd, "points": None, "winner": True, "guesses": 1},
        {"rank": 2, "player": anna, "points": None, "winner": False, "guesses": 0},
    ]


def test_somebody_who_came_later_is_in_play(eriwan: Any) -> None:
    """In Crossword a seat that was given up may be taken later; then it counts as in play when others leave."""
    moves(eriwan)
    actions.play_on_without(eriwan.app, "Eriwan", DORA)
    actions.standby(eriwan.app, "Eriwan", DORA, "Gerda Hahn", address_of("Gerda Hahn"))
    for name in (ANNA, BERND, CARLA, EMIL):
        assert eriwan.status == "running"
        actions.play_on_without(eriwan.app, "Eriwan", name)
    assert eriwan.status == "running"
    actions.play_on_without(eriwan.app, "Eriwan", FRIDA)
    assert eriwan.status == "finished"
    assert result(eriwan)[0] == (1, "Gerda Hahn", True)
    assert replays(eriwan)


def test_an_empty_seat_ranks_last_in_crossword(begin: Any) -> None:
    """A player who leaves in the last round with a list on file ranks last; the points are shown."""
    zine = begin("last round")
    zine.writes(ANNA, zine.block(ANNA, "", None) + "rot 3\nSumme 3\n")
    zine.writes(ANNA, "Abmeldung Eriwan\n")
    zine.tick()
    actions.close(zine.app, "Eriwan", zine.app.now())
    assert result(zine)[-1] == (6, ANNA, False)
    assert zine.show()["standings"][-1]["points"] == 3
    assert replays(zine)
