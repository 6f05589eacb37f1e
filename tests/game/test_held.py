"""A held game: no mail and no page names a ZAT, nothing closes, and it waits on the GM's list until a line is typed."""

from pathlib import Path
from typing import Any

import pytest
import seating
from publishing import send_and_export

from games.api import Language
from games.dice import Dice
from gm.demo.in_memory_zine import PLAYERS, address_of
from gm.game import word_judge
from gm.game.position import position
from gm.reports.games import all_games, as_json
from gm.reports.gm_mails import today_by_mail
from gm.reports.todo import waiting_for_gm
from gm.requests.desk import actions
from gm.store.queries import game_queries, seat_queries

ANNA, BERND = PLAYERS[:2]
LANGUAGES: tuple[Language, ...] = ("de", "en")


def held(begin: Any, language: str) -> Any:
    """Play two moves of Riga, where the turns are passed on at once, and take the last one back."""
    zine = begin("empty", archive={"base_url": "https://postspiel.example/ds/"})
    actions.new_game(zine.app, "farbdomino", "Riga", language=language)
    for name in PLAYERS[:3]:
        seating.join(zine.app, "Riga", name, address_of(name), None)
    actions.start(zine.app, "Riga")
    zine.tick()
    zine.mails()
    return zine


def shown(zine: Any) -> dict[str, Any]:
    """Return what `gm list --json` says of Riga."""
    with zine.app.database.read() as session:
        return next(as_json(zine.app, one) for one in all_games(zine.app, session) if one.game.name == "Riga")


def todo(zine: Any) -> list[dict[str, Any]]:
    """List what waits for the GM."""
    with zine.app.database.read() as session:
        return waiting_for_gm(zine.app, session)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_mail_and_no_page_names_a_zat(begin: Any, tmp_path: Path, language: str) -> None:
    """A move that comes is confirmed without a ZAT, and so are `Stand`, `Meine Partien`, digest, pages and calendar."""
    zine = held(begin, language)
    actions.close(zine.app, "Riga", zine.now)
    zine.tick()
    zine.passes(minutes=5)
    zat = str(shown(zine)["zat"])
    days = (f"{zat[8:10]}.{zat[5:7]}.", f"{int(zat[8:10])} Nov", zat[:10], zat[:10].replace("-", ""))
    zine.mails()
    actions.undo(zine.app, "Riga")
    zine.tick()
    zine.mails()
    assert (shown(zine)["zat"], shown(zine)["status"]) == (None, "running")
    (entry,) = todo(zine)
    assert (entry["what"], "gm close Riga, or gm zat Riga WHEN" in entry["do"]) == ("held", True)
    asked = {"de": ("Stand Riga", "Meine Partien"), "en": ("Status Riga", "My games")}[language]
    for line in asked:
        zine.writes(ANNA, f"{line}\n")
        said = zine.reply(ANNA)
        assert not any(day in said for day in days), said
        assert "still" in said or "on hold" in said
    with zine.app.database.read() as session:
        part = today_by_mail(zine.app, session, "de")
    assert [row["zat"] for row in part.context["rounds"]] == [""]
    zine.passes(days=30)
    zine.tick()
    assert [mail.subject for _, mail in zine.mails() if "Riga" in mail.subject] == []
    send_and_export(zine.app, tmp_path / "site")
    calendar = (tmp_path / "site" / "termine" / "termine.ics").read_text()
    assert "BEGIN:VEVENT" not in calendar
    for page in (tmp_path / "site").rglob("*.html"):
        text = page.read_text().replace("\N{NO-BREAK SPACE}", " ")
        assert "Nächster ZAT" not in text, page
        assert "Next deadline" not in text, page
    actions.move_zat(zine.app, "Riga", "+3d")
    assert todo(zine) == []
    assert shown(zine)["zat"] is not None


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_move_into_a_held_game(begin: Any, language: str) -> None:
    """Who moves while the game stands still reads that it does, and no ZAT, whoever is on turn then."""
    zine = held(begin, language)
    actions.close(zine.app, "Riga", zine.now)
    zine.tick()
    zine.passes(minutes=5)
    zine.mails()
    actions.undo(zine.app, "Riga")
    zine.tick()
    zine.mails()
    zine.passes(minutes=5)
    name, lines = on_turn(zine)
    zine.writes(name, "\n".join(["Farbdomino Riga", *lines, ""]))
    zine.tick()
    found = [(to, zine.said(mail)) for to, mail in zine.mails()]
    assert len(found) > 1
    for to, said in found:
        assert "ZAT:" not in said, (to, said)
        assert "ZAT am" not in said, (to, said)
        assert "deadline:" not in said.lower(), (to, said)
    sentence = {"de": "die Partie steht still", "en": "the game is on hold"}[language]
    assert sum(sentence in said for _, said in found) >= 2


def on_turn(zine: Any) -> tuple[str, tuple[str, ...]]:
    """Name who is on turn in Riga, with the lines of a move."""
    with zine.app.database.read() as session:
        game = game_queries.named(session, "Riga")
        at = position(zine.app, game)
        seat = min(at.engine.due(at.state))
        lines = at.engine.suggest(at.state, seat, Dice("held", 1), word_judge.judge(zine.app, game))
        return seat_queries.names(game)[seat], lines
