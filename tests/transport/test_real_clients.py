"""Players with mutt, s-nail and swaks: the service reads their mails, and they show the service's mails."""

from __future__ import annotations

import socket
from collections.abc import Callable
from email import message_from_bytes
from typing import Any

import mail_servers
import pytest
import seating
from imapclient import IMAPClient

from gm.demo.in_memory_zine import PLAYERS
from gm.requests.desk import actions
from parsers.mime.message import Mail

pytestmark = pytest.mark.server

HERO = "Jürgen Größer"
GM = "Cici Beilken"
ROT = {"grid": ["rot...", *["......"] * 5], "wish": "E"}
TIN = {"grid": ["tin...", *["......"] * 5], "wish": "E"}
GREETING = "\nSchöne Grüße aus Köln!\n\n"


def block(first: str) -> str:
    """Write a move whose first row is this."""
    return "\n".join(["Crossword Eriwan", "Neu: E", first, *["......"] * 5, ""])


@pytest.fixture
def world(world_of: Callable[..., Any]) -> Any:
    """Eriwan, open for sign-up."""
    world = world_of(HERO, *PLAYERS[1:])
    actions.new_game(world.app, "crossword", "Eriwan")
    return world


@pytest.fixture(params=["mutt", "s-nail", "swaks"])
def player(request: pytest.FixtureRequest, world: Any, mail_client: Callable[..., Any]) -> Any:
    """The hero's mail program, each in turn."""
    return mail_client(request.param, world, HERO)


quotes = pytest.mark.parametrize("player", ["mutt", "s-nail"], indirect=True)
mutt = pytest.mark.parametrize("player", ["mutt"], indirect=True)
swaks = pytest.mark.parametrize("player", ["swaks"], indirect=True)


@pytest.fixture
def bulletin(world: Any, player: Any) -> Mail:
    """Start Eriwan with the letters DNTIRO, and return the hero's first bulletin."""
    for name, wish in zip((HERO, *PLAYERS[1:]), "DNTIRO", strict=True):
        seating.join(world.app, "Eriwan", name, world.address(name), wish)
    actions.start(world.app, "Eriwan")
    return world.gets(HERO, "Es geht los")


@pytest.fixture
def move(world: Any, seat_of: Callable[..., Any]) -> Callable[[], Any]:
    """Return the hero's move on file."""
    return lambda: seat_of(world.app, HERO, HERO)["move"]


def answers_last(world: Any, answer: Mail) -> None:
    """Assert that a mail of ours lies, in every mail program, below the one that it answers."""
    theirs = message_from_bytes(world.last_received())["Message-ID"].strip()
    assert answer.in_reply_to == theirs
    assert answer.references[-1] == theirs
    assert len(answer.references) <= 2


@pytest.mark.trust(except_first=1)
def test_sign_up(world: Any, player: Any, seat_of: Callable[..., Any]) -> None:
    """Name and subject with umlauts arrive as they were typed, and a real reply answers our question."""
    player.sends(world.service, "Anmeldung für Größer", "Anmeldung Crossword Eriwan\nNeu: D\n")
    question = world.gets(HERO, "[Frage")
    assert "Crossword »Eriwan«" in question.text
    answers_last(world, question)
    player.replies(question, "Ja\n", above=True)
    answers_last(world, world.gets(HERO, "Du bist dabei"))
    assert seat_of(world.app, HERO)["player"] == HERO


@pytest.mark.trust(except_first=1)
def test_moves_and_commands(
    world: Any, bulletin: Mail, player: Any, move: Callable[[], Any], seat_of: Callable[..., Any]
) -> None:
    """An illegal move is refused, its correction comes as a reply, and the commands do what they say."""
    player.sends(world.service, "Zug für Größer", block("QOT...") + GREETING)
    refusal = world.gets(HERO, "NICHT angenommen")
    answers_last(world, refusal)
    assert move() is None
    player.replies(refusal, block("ROT...") + GREETING)
    answers_last(world, world.gets(HERO, "angekommen"))
    assert move() == ROT
    player.sends(world.service, "Wie steht’s?", "Stand Eriwan\n" + GREETING)
    position = world.gets(HERO, "Stand")
    answers_last(world, position)
    assert "1 R O T . . ." in position.text
    player.sends(world.service, "Größer wartet", "Warten Eriwan\n")
    answers_last(world, world.gets(HERO, ""))
    assert seat_of(world.app, HERO)["waiting"]


@pytest.mark.trust(except_first=1)
def test_umlauts_in_the_text(world: Any, bulletin: Mail, player: Any) -> None:
    """The GM reads a player's words letter by letter, whatever charset and encoding the mail program chose."""
    words = "»Grüße« an Frau Größer – 5 € für den Süßkram, naïve Ærø!"
    player.sends(world.service, "Äußerst wichtig", f"GM: {words}\n")
    assert words in " ".join(world.gets(GM, "").text.split())
    answers_last(world, world.gets(HERO, ""))


@pytest.mark.trust(except_first=1)
@quotes
@pytest.mark.parametrize("above", [True, False], ids=["above", "below"])
def test_a_move_beside_the_quoted_bulletin(
    world: Any, bulletin: Mail, player: Any, move: Callable[[], Any], above: bool
) -> None:
    """The whole bulletin, quoted above or below a move as the program does it, is neither a move nor a question."""
    player.replies(bulletin, block("TIN...") + GREETING, above=above)
    answer = world.gets(HERO, "Zug Runde 1 angekommen")
    reply = message_from_bytes(world.last_received())
    assert reply["In-Reply-To"].strip() == bulletin.message_id
    assert (reply.get_payload(decode=True) or b"").count(b"\n> ") >= len(bulletin.text.splitlines()) - 1
    answers_last(world, answer)
    assert answer.references[0] == bulletin.message_id
    assert move() == TIN


@mutt
def test_a_move_typed_into_the_quotation(world: Any, bulletin: Mail, player: Any, move: Callable[[], Any]) -> None:
    """New letters in our quoted block are no move; the answer has them unquoted, ready to send back."""
    player.edits(bulletin, r"""sed -e 's/^> *Neu:.*/> Neu: E/' -e '/Neu: E/{n;s/\.\.\.\.\.\./ROT.../}' "$1" """)
    answer = world.gets(HERO, "")
    answers_last(world, answer)
    assert move() is None
    assert "ROT..." in answer.text
    player.replies(answer, block("ROT..."), above=True)
    world.gets(HERO, "Zug Runde 1 angekommen")
    assert move() == ROT


@pytest.mark.trust(except_first=1)
@quotes
def test_our_mails_on_the_screen(world: Any, bulletin: Mail, player: Any) -> None:
    """A bulletin and a receipt are shown as their text part has them, every line of every board intact."""
    player.sends(world.service, "Zug", block("ROT..."))
    for mail in (bulletin, world.gets(HERO, "angekommen")):
        shown = [line.rstrip() for line in player.shows(mail).splitlines()]
        lines = [line.rstrip() for line in mail.text.rstrip().splitlines()]
        assert "    a b c d e f" in [line[:15] for line in lines]
        at = shown.index(lines[0])
        assert shown[at : at + len(lines)] == lines
        assert f"Subject: {mail.subject}" in shown


@swaks
def test_a_picture_beside_the_move(world: Any, bulletin: Mail, player: Any, move: Callable[[], Any]) -> None:
    """An attachment does a move no harm."""
    picture = player.file("zug.png", "\x89PNG not really\n")
    player.sends(world.service, "Zug", block("ROT..."), "--attach-type", "image/png", "--attach", picture)
    answers_last(world, world.gets(HERO, "angekommen"))
    assert move() == ROT


@swaks
def test_a_move_only_attached(world: Any, bulletin: Mail, player: Any, move: Callable[[], Any]) -> None:
    """A move that there is only as an attachment is not taken, and the player is told that none was found."""
    attached = player.file("zug.txt", block("ROT..."))
    player.sends_parts(
        world.service, "Zug", "--attach-body", "Siehe Anhang.", "--attach-type", "text/plain", "--attach", attached
    )  # fmt: skip
    answer = world.gets(HERO, "")
    answers_last(world, answer)
    assert "Zug" in answer.text
    assert "»Hilfe«" in answer.text
    assert move() is None


@pytest.mark.trust(except_first=1)
@swaks
@pytest.mark.parametrize("in_parts", [True, False], ids=["in parts", "alone"])
def test_html_only(world: Any, bulletin: Mail, player: Any, move: Callable[[], Any], in_parts: bool) -> None:
    """A move that there is only as HTML counts, as the mail's one part or as a part of several."""
    page = player.file("zug.html", f"<html><body><p>Hallo!</p>{block('ROT...').replace(chr(10), '<br>')}</body></html>")
    header = ("--add-header", "MIME-Version: 1.0", "--add-header", "Content-Type: text/html; charset=utf-8")
    options = ("--attach-type", "text/html", "--attach-body", page) if in_parts else (*header, "--body", page)
    player.sends_parts(world.service, "Zug", *options)
    answers_last(world, world.gets(HERO, "angekommen"))
    assert move() == ROT


@swaks
def test_flowed_text(world: Any, bulletin: Mail, player: Any, move: Callable[[], Any]) -> None:
    """In format=flowed rows that end in a blank are rows: a reader that joins them would lose the move."""
    flowed = "Content-Type: text/plain; charset=utf-8; format=flowed"
    text = block("ROT...").replace("\n", " \n")
    player.sends(world.service, "Zug", text, "--add-header", "MIME-Version: 1.0", "--add-header", flowed)
    answers_last(world, world.gets(HERO, "angekommen"))
    assert move() == ROT


@pytest.mark.parametrize(("at", "postfix"), [(0, False), (3, True)], ids=["Dovecot", "Postfix"])
def test_servers_whose_port_somebody_takes(at: int, postfix: bool) -> None:
    """The harness: between looking for a port and listening there another process may be quicker; it tries again."""
    if reason := mail_servers.missing(postfix=postfix):
        pytest.skip(reason)
    asked: list[int] = []
    with socket.create_server(("127.0.0.1", 0)) as quicker:

        def ports(count: int) -> list[int]:
            asked.append(count)
            found = mail_servers.free_ports(count)
            return [*found[:at], quicker.getsockname()[1], *found[at + 1 :]] if len(asked) == 1 else found

        with (
            mail_servers.MailServers(find_ports=ports, postfix=postfix) as server,
            IMAPClient("127.0.0.1", server.imap_port, ssl=False) as client,
        ):
            client.login("gm@local.test", mail_servers.PASSWORD)
    assert len(asked) == 2


def test_servers_that_do_not_start() -> None:
    """The harness: a server that ends by itself is shown with its own words, and isn't tried again."""
    if reason := mail_servers.missing():
        pytest.skip(reason)
    with (
        pytest.raises(mail_servers.NotStartedError, match="no_such_setting") as refused,
        mail_servers.MailServers(capability="IMAP4rev1\nno_such_setting = 1"),
    ):
        pytest.fail("it has started")
    assert not isinstance(refused.value, mail_servers.PortTakenError)
