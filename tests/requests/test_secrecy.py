"""Nobody sees another seat's move before the closing: two zines that differ in one hidden move look the same."""

from collections.abc import Iterator
from typing import Any

import pytest
import seating

from gm.demo.in_memory_zine import PLAYERS, address_of
from gm.game import gm_visibility
from gm.reports.game import text_of
from gm.requests.desk import actions
from gm.runtime.errors import Refused
from gm.store.queries import game_queries, zine_queries
from gm.store.tables import Turn

ANNA, BERND, CARLA, DORA, EMIL, FRIDA = PLAYERS
OTHERS = [name for name in PLAYERS if name != DORA]
SECRETS = [("DNTIRO", "Q"), ("ORITND", "X")]


def tell(zine: Any, letters: str, wish: str) -> Any:
    """Let Dora send a hidden move, and the others do whatever makes the service speak."""
    zine.sends(DORA, letters, wish)
    zine.sends(ANNA, "DN")
    zine.sends(BERND, "QQ")
    zine.writes(CARLA, "Stand Eriwan\n")
    zine.writes(EMIL, "Zurückziehen Eriwan\n")
    zine.sends(FRIDA, "", "")
    zine.writes(ANNA, "Warten Eriwan\n")
    zine.writes(ANNA, "Status Eriwan\n")
    zine.writes("Xaver Unbekannt", "Stand Eriwan\n")
    zine.writes(BERND, "Spiele\n")
    zine.tick()
    actions.move_zat(zine.app, "Eriwan", "+1d")
    actions.standby(zine.app, "Eriwan", EMIL, "Gerda Hahn", address_of("Gerda Hahn"))
    zine.tick()
    return zine


@pytest.fixture(scope="module")
def worlds(opener: Any) -> Iterator[list[Any]]:
    """The same zine, seed and secret twice; only Dora's move differs. Tests only look."""
    zines = [tell(opener("started"), *secret) for secret in SECRETS]
    yield zines
    for zine in zines:
        zine.close()


def test_all_mails_to_others_are_the_same(worlds: list[Any]) -> None:
    """Before the closing no byte of any mail to anybody else depends on Dora's move."""
    mails = [[(row.address, row.raw) for row in zine.outgoing() if row.address != address_of(DORA)] for zine in worlds]
    assert len(mails[0]) > 20
    assert mails[0] == mails[1]


def test_her_own_mails_do_differ(worlds: list[Any]) -> None:
    """Dora's confirmation shows her move, so that the comparison compares something."""
    own = [[row.raw for row in zine.outgoing() if row.address == address_of(DORA)] for zine in worlds]
    assert own[0] != own[1]


def test_show_is_the_same_for_spectators_and_other_seats(worlds: list[Any]) -> None:
    """`gm show`, as table or JSON, for spectators or `--seat` somebody else, doesn't depend on Dora's move."""
    for viewer in (None, ANNA, BERND, "Gerda Hahn"):
        assert worlds[0].show(viewer) == worlds[1].show(viewer)
        texts = []
        for zine in worlds:
            with zine.app.database.read() as session:
                texts.append(text_of(zine.app, session, game_queries.named(session, "Eriwan"), viewer))
        assert texts[0] == texts[1]
    assert worlds[0].show(DORA) != worlds[1].show(DORA)


def test_only_the_own_seat_has_a_move_in_show(worlds: list[Any]) -> None:
    """`--seat` adds a move to that seat's object alone, and spectators see none."""
    assert not any("move" in seat for seat in worlds[0].show()["seats"])
    assert [seat["player"] for seat in worlds[0].show(ANNA)["seats"] if "move" in seat] == [ANNA]


def test_the_word_list_stays_hidden_until_the_end(begin: Any) -> None:
    """A list sent before the last round is nobody's business either, in bulletins and `show`."""
    seen = []
    for words in ("rot 3\ntin 3\n", "tor 3\n"):
        zine = begin("started")
        zine.writes(DORA, zine.block(DORA, "ROTIN") + words)
        zine.tick()
        zine.passes_until(zine.zat, seconds=1)
        zine.tick()
        mails = [(row.address, row.raw) for row in zine.outgoing() if row.address != address_of(DORA)]
        seen.append((mails, zine.show(), zine.show(ANNA)))
    assert seen[0] == seen[1]


def test_after_the_closing_all_see_all_grids(eriwan: Any) -> None:
    """The closing lays the grids open, to everybody alike."""
    eriwan.sends(DORA, "ORITND")
    eriwan.passes_until(eriwan.zat, seconds=1)
    eriwan.tick()
    assert eriwan.seat(DORA)["grid"][0] == "oritnd"
    bulletins = [mail for _, mail in eriwan.mails() if "Runde 1 ausgewertet" in mail.subject]
    assert len(bulletins) == 6
    assert all("O R I T N D" in mail.text for mail in bulletins)


def test_no_mail_goes_to_two_people(worlds: list[Any]) -> None:
    """Every mail has one recipient and names no other player's address."""
    for row in worlds[0].outgoing():
        addresses = [address_of(name) for name in (*PLAYERS, "Gerda Hahn") if address_of(name) != row.address]
        assert not [address for address in addresses if address.encode() in row.raw]


def test_message_ids_cannot_be_guessed(begin: Any, zine: Any) -> None:
    """The same story in two databases gives other Message-IDs: they hang on a secret, not on the contents."""
    stories = [begin("started"), zine]
    with zine.writing() as session:  # the tests' databases are copies of one
        zine_queries.draw_incarnation(session)
    actions.new_game(zine.app, "crossword", "Eriwan")
    for name, wish in zip(PLAYERS, "DNTIRO", strict=True):
        seating.join(zine.app, "Eriwan", name, address_of(name), wish)
    actions.start(zine.app, "Eriwan")
    ids = [{row.message_id for row in story.outgoing()} for story in stories]
    causes = [[(row.cause, row.kind, row.recipient) for row in story.outgoing()] for story in stories]
    assert causes[0] == causes[1]
    assert len(ids[0] | ids[1]) == 12


@pytest.mark.parametrize("letters", ["DN", "QQ"])
def test_a_playing_gm_sees_no_move_of_the_first_second(begin: Any, letters: str) -> None:
    """A server's clock knows whole seconds: also what came in the very second in which the round began is of it."""
    zine = begin("seated", service={"gm": f"Cici <{address_of(ANNA)}>"})
    actions.start(zine.app, "Eriwan")
    zine.sends(BERND, letters)
    zine.tick()
    mail = zine.received()[-1]
    assert mail.received_at == zine.rows(Turn)[-1].at.replace(microsecond=0)
    with zine.app.database.read() as session, pytest.raises(Refused, match="You play"):
        gm_visibility.check_mail(zine.app, session, f"{mail.id}")
