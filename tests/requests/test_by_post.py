"""A player without a mail address: what is for them goes to the GM, who prints it and enters what comes back."""

import json
from typing import Any

import pytest
import seating

from gm.demo.in_memory_zine import PLAYERS, address_of
from gm.game import gm_visibility
from gm.requests.desk import actions, erasure, players
from gm.runtime.errors import Refused
from gm.store.queries import game_queries
from gm.store.tables import MailOut

*OTHERS, FRIDA = PLAYERS
ANNA = PLAYERS[0]
GM = "cici@postspiel.example"
SECOND = "doris@postspiel.example"
MARK = f"für {FRIDA} (Post): "
NOTE = f"Dies ist für {FRIDA}, per Post"
LINE = f'gm move Eriwan "{FRIDA}"'


def begin_eriwan(zine: Any) -> Any:
    """Seat all, Frida by post, and start."""
    actions.new_game(zine.app, "crossword", "Eriwan")
    for name, wish in zip(OTHERS, "DNTIR", strict=True):
        seating.join(zine.app, "Eriwan", name, address_of(name), wish)
    actions.join(zine.app, "Eriwan", FRIDA, "", "O")
    return zine


@pytest.fixture
def seated(zine: Any) -> Any:
    """All sit, Frida by post; her welcome is queued."""
    return begin_eriwan(zine)


@pytest.fixture
def post(seated: Any) -> Any:
    """Round 1 is on."""
    actions.start(seated.app, "Eriwan")
    seated.tick()
    return seated


def printed(zine: Any, to: str = GM) -> list[Any]:
    """Do a pass; the mails to the GM that are to be printed, each marked above and in the subject."""
    zine.tick()
    found = [mail for address, mail in zine.mails() if address == to and mail.subject.startswith(MARK)]
    assert all(mail.text.startswith(NOTE) for mail in found)
    return found


def test_the_whole_way_by_post(seated: Any) -> None:
    """Welcome, start, reminder and bulletin go to the GM, marked; the move that the GM types in counts."""
    (welcome,) = printed(seated)
    assert welcome.subject == f"{MARK}[Eriwan] Cici Beilken hat dich eingetragen"
    assert "Hallo Frida" in welcome.text
    assert "gm move" not in welcome.text
    actions.start(seated.app, "Eriwan")
    (start,) = printed(seated)
    assert "Es geht los" in start.subject
    assert LINE in seated.said(start)
    seated.passes_until(seated.zat, hours=-11)
    assert any("Zug" in mail.subject for mail in printed(seated))
    actions.enter_move(seated.app, "Eriwan", FRIDA, seated.block(FRIDA, "ROT"))
    (confirmed,) = printed(seated)
    assert "angekommen" in confirmed.subject
    assert seated.on_file(FRIDA) == ("rot", "E")
    seated.all_send(*OTHERS)
    seated.mails()
    seated.passes_until(seated.zat, seconds=1)
    (bulletin,) = printed(seated)
    assert "Runde 1 ausgewertet" in bulletin.subject
    assert seated.seat(FRIDA)["grid"][0].startswith("rot")
    assert seated.seat(FRIDA)["nmr"] == []


def test_in_the_gms_language(zine: Any) -> None:
    """The game's language is the mail's, and the GM's that of the mark above it."""
    actions.new_game(zine.app, "crossword", "Eriwan", language="en")
    actions.join(zine.app, "Eriwan", FRIDA, "", "O")
    (welcome,) = printed(zine)
    assert welcome.subject == f"{MARK}[Eriwan] Cici Beilken has signed you up"


def test_silence_counts_as_for_all(post: Any) -> None:
    """Without a move Frida has an NMR, as anybody."""
    post.all_send(*OTHERS)
    post.passes_until(post.zat, seconds=1)
    post.tick()
    assert post.seat(FRIDA)["nmr"] == [1]


def test_the_gm_does_not_play_along(post: Any) -> None:
    """The GM who prints may see all, and nobody is told that the GM plays along."""
    with post.app.database.read() as session:
        game = game_queries.named(session, "Eriwan")
        gm_visibility.check_seat(post.app, session, game, FRIDA)
        gm_visibility.check_game(post.app, session, game)
    assert all("spielt mit" not in mail.text for _, mail in post.mails())


@pytest.mark.parametrize("title", [True, False])
def test_a_reply_with_a_block_is_no_move(post: Any, title: bool) -> None:
    """A reply of the GM to such a mail, with a block, is answered with the line that enters it."""
    start = next(mail for to, mail in post.mails() if to == GM and mail.subject.startswith(MARK))
    block = post.block(FRIDA, "ROT")
    text = block if title else block.split("\n", 1)[1]
    post.writes("Cici Beilken", text, sender=GM, subject=f"Re: {start.subject}", in_reply_to=start.message_id)
    post.tick()
    (to, mail), *rest = post.mails()
    assert (to, rest) == (GM, [])
    assert LINE in post.said(mail)
    assert post.on_file(FRIDA) is None


def test_a_letter_beside_it_goes_out(post: Any) -> None:
    """`An Anna Berg:` in such a reply is a letter as anywhere."""
    start = next(mail for to, mail in post.mails() if to == GM and mail.subject.startswith(MARK))
    text = f"An {ANNA}: Frida spielt wieder mit.\n"
    post.writes("Cici Beilken", text, sender=GM, subject=f"Re: {start.subject}", in_reply_to=start.message_id)
    post.tick()
    asked = next(mail for to, mail in post.mails() if to == GM)
    assert ANNA in post.said(asked)
    assert LINE not in post.said(asked)


def test_a_strangers_block_is_not_asked_about(post: Any) -> None:
    """A block for Frida's seat from an unknown address is on the GM's list; a question to her has nowhere to go."""
    post.mails()
    text = post.block(FRIDA, "ROT", head=(f"Name: {FRIDA}",))
    post.writes("Xaver", text, sender="xaver@spieler.example")
    post.tick()
    assert not [mail for to, mail in post.mails() if to == GM and mail.subject.startswith(MARK)]
    assert post.on_file(FRIDA) is None


def test_an_address_later(post: Any) -> None:
    """With an address, mails go there, and moves come from there."""
    players.use(post.app, FRIDA, "frida@neu.example")
    post.writes(FRIDA, post.block(FRIDA, "ROT"), sender="frida@neu.example")
    post.tick()
    assert post.on_file(FRIDA) == ("rot", "E")
    assert "frida@neu.example" in [to for to, _ in post.mails()]


def test_who_is_meant(post: Any) -> None:
    """A name is one player's: with another address, by post or by mail, it is refused, and told how."""
    with pytest.raises(Refused, match="plays by post; if that is the same player"):
        actions.join(post.app, "Eriwan", FRIDA, "frida@neu.example", None)
    with pytest.raises(Refused, match="with the address anna@"):
        actions.join(post.app, "Eriwan", ANNA, "", None)


def test_part_of_anothers_name(zine: Any) -> None:
    """Where a name is part of another's, `(Post)` tells who is meant."""
    actions.new_game(zine.app, "crossword", "Eriwan")
    actions.join(zine.app, "Eriwan", "Frida", "", "D")
    seating.join(zine.app, "Eriwan", FRIDA, address_of(FRIDA), "D")
    with pytest.raises(Refused, match=r"or Frida \(Post\) for Frida"):
        players.rename(zine.app, "Frida", "Frieda")
    assert players.rename(zine.app, "Frida (Post)", "Frieda") == ("Frida", "Frieda")


def test_who_prints_does_not_play(zine: Any) -> None:
    """The only GM may not sit where somebody plays by post, in either order, by hand or by mail."""
    actions.new_game(zine.app, "crossword", "Eriwan")
    actions.new_game(zine.app, "crossword", "Jalta")
    seating.join(zine.app, "Jalta", "Cici Beilken", GM, "D")
    with pytest.raises(Refused, match="second_gm"):
        actions.join(zine.app, "Jalta", FRIDA, "", "D")
    actions.join(zine.app, "Eriwan", FRIDA, "", "D")
    with pytest.raises(Refused, match="second_gm"):
        actions.join(zine.app, "Eriwan", "Cici Beilken", GM, "D")
    zine.tick()
    zine.mails()
    zine.writes("Cici Beilken", "Anmeldung Crossword Eriwan\nNeu: R\n", sender=GM)
    zine.tick()
    assert any("second_gm" in zine.said(mail) for _, mail in zine.mails())
    assert [seat["player"] for seat in zine.show()["seats"]] == [FRIDA]


def test_a_second_gm_prints(begin: Any) -> None:
    """Where the GM plays, the second one gets what is for Frida, and the GM may not read it."""
    zine = begin("empty", service={"second_gm": f"Doris Ems <{SECOND}>"})
    actions.new_game(zine.app, "crossword", "Eriwan")
    for name, wish in zip(("Cici Beilken", *OTHERS[1:]), "DNTIR", strict=True):
        seating.join(zine.app, "Eriwan", name, GM if name == "Cici Beilken" else address_of(name), wish)
    actions.join(zine.app, "Eriwan", FRIDA, "", "O")
    actions.start(zine.app, "Eriwan")
    assert len(printed(zine, SECOND)) == 2
    assert printed(zine, GM) == []
    with zine.app.database.read() as session:
        last = [row for row in zine.outgoing() if row.by_post][-1]
        assert gm_visibility.games_kept_from(zine.app, session, last)
        with pytest.raises(Refused, match="You play in Eriwan"):
            gm_visibility.check_seat(zine.app, session, game_queries.named(session, "Eriwan"), FRIDA)


def test_forgetting_leaves_the_gms_mails(post: Any) -> None:
    """Who played by post is forgotten like anybody: their mails go, those of the GM stay."""
    post.writes("Cici Beilken", "gm todo\n", sender=GM)
    post.tick()
    actions.standby(post.app, "Eriwan", FRIDA, "Gerda Hahn", "gerda@spieler.example")
    post.tick()
    erasure.forget(post.app, FRIDA)
    left = [row for row in post.rows(MailOut) if row.by_post]
    assert {(row.raw, row.subject) for row in left} == {(None, "")}
    assert [row.sender for row in post.received()] == [GM]
    assert FRIDA not in json.dumps(post.show(), ensure_ascii=False)
    post.mails()
    post.passes_until(post.zat, seconds=1)
    post.tick()
    assert not any("(Post)" in mail.subject for _, mail in post.mails())
