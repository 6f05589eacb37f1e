"""A GM who plays reads no move of the others: neither one that waits or lies in quarantine, nor one sent in advance."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
import seating
from typer.testing import CliRunner

from gm.cli.commands import cli
from gm.demo.in_memory_zine import NESTED, PLAYERS, address_of, write_mail
from gm.requests.desk import actions
from gm.requests.desk.export import everything_about
from gm.requests.desk.mail_actions import drop, retry
from gm.service.inbound import handle as handling
from gm.store.queries import game_queries
from gm.store.tables import Question
from parsers.errors import UnreadableMail
from parsers.mime.message import Mail, read_mail

ANNA, BERND, CARLA = PLAYERS[:3]
GERDA = "Gerda Hahn"
GM, SECOND = address_of(ANNA), "zweite@postspiel.example"
CICI, TWO = f"Cici <{GM}>", f"Zweite Hand <{SECOND}>"
STRICT = {"sender": "authenticated", "trusted_authserv": ["mx.example.org"]}
SECRET = "ROTIND"
MOVE = f"Crossword Eriwan\nNeu: E\n{SECRET}\n" + "......\n" * 5


def begun(begin: Callable[..., Any], *, second: str = "", **more: Any) -> Any:
    """Eriwan in round 1, in which Anna plays, who is the GM; and Jalta, in which she doesn't: Gerda has her seat."""
    zine = begin("started", service={"gm": CICI, "second_gm": second}, **more)
    actions.new_game(zine.app, "crossword", "Jalta")
    for name, wish in zip((GERDA, *PLAYERS[2:], "Hans Igel"), "DNTIRO", strict=True):
        seating.join(zine.app, "Jalta", name, address_of(name), wish)
    actions.start(zine.app, "Jalta")
    zine.tick()
    zine.mails()
    return zine


def unreadable(sender: str, text: str = MOVE, subject: str = SECRET) -> bytes:
    """Write a mail that is put aside, with a move in it and in its subject."""
    return f"From: {sender}\r\nSubject: {subject}\r\n".encode() + NESTED + text.replace("\n", "\r\n").encode()


def tells(text: str, secret: str = SECRET) -> bool:
    """Whether a move stands in a text, however it is drawn."""
    return secret.casefold() in "".join(text.split()).casefold()


def gm(zine: Any, *words: str) -> str:
    """Give a command at the computer; return what it prints."""
    return CliRunner().invoke(cli, [*words, "--config", str(zine.config)]).output


def shown(zine: Any, mail_id: Any) -> str:
    """Return all that the GM at the computer can get to see of a mail."""
    return "\n".join([gm(zine, "mail", "show", f"{mail_id}"), gm(zine, "mail", "show", f"{mail_id}", "--raw")])


LISTS = (
    "mail", "mail list --json --limit 0", "todo", "todo --json", "list", "list --json", "show", "show Eriwan", "status",
    "show Eriwan --json", "close Eriwan --dry-run", "show Eriwan --seat Bernd", "player show Bernd",
)  # fmt: skip


def all_shown(zine: Any) -> str:
    """Return all that the GM can get to see, whatever the command, and all mails to the GM."""
    ids = [*(f"{row.id}" for row in zine.received()), *(f"o{row.id}" for row in zine.outgoing())]
    lists = [gm(zine, *one.split()) for one in LISTS]
    exports = [json.dumps(everything_about(zine.app, name)) for name in PLAYERS if name != ANNA]
    mails = [zine.said(read_mail(row.raw)) for row in zine.outgoing(address=GM)]
    return "\n".join([*(shown(zine, one) for one in ids), *lists, *exports, *mails])


def put_aside(zine: Any, raw: bytes) -> Any:
    """Let a mail arrive that can't be read; return its row."""
    zine.arrives(raw)
    zine.tick()
    row = zine.received()[-1]
    assert row.status == "quarantined"
    return row


# -- alone -------------------------------------------------------------------------------------------------------------


def test_alone_with_a_mail_in_quarantine(begin: Callable[..., Any]) -> None:
    """Cici sees who wrote it, when, and the fault; Bernd is asked once to send it again. Then all is shown."""
    zine = begun(begin)
    row = put_aside(zine, unreadable(f"Bernd <{address_of(BERND)}>"))
    mails = zine.mails()
    said = gm(zine, "mail", "show", f"{row.id}")
    assert "Status: quarantined: The mail names more than 40 multiparts." in said
    assert f"From: {address_of(BERND)} ({BERND})" in said
    assert "Time: 2026-11-02 12:" in said
    assert f"gm mail retry {row.id} and gm mail drop {row.id} work all the same" in said
    assert not tells(all_shown(zine))
    (told,) = [zine.said(mail) for to, mail in mails if to == GM]
    assert "siehst du ihren Text erst, wenn er nichts mehr verrät" in told
    assert f"Um eine neue Mail habe ich gebeten: {BERND}." in told
    assert "gm mail show" not in told
    (asked,) = [zine.said(mail) for to, mail in mails if to == address_of(BERND)]
    assert "[Eriwan] Bitte schick deine Mail noch einmal" in asked
    assert "bis Montag, 16.11.2026, 20:00 Uhr (MEZ)" in asked
    assert "Cici sieht auch nicht hinein, denn in »Eriwan« spielt ihr miteinander." in asked
    put_aside(zine, unreadable(address_of(BERND), f"{MOVE}\nnoch einmal\n"))
    assert address_of(BERND) not in {to for to, _ in zine.mails()}, "asked once"
    actions.close(zine.app, "Eriwan", zine.now)
    assert tells(gm(zine, "mail", "show", f"{row.id}", "--raw"))
    assert f"Subject: {SECRET}" in gm(zine, "mail", "show", f"{row.id}")


def test_retry_and_drop_work_unseen(begin: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """What is tried again counts as of its arrival. Neither a copy of it is shown, nor what was dropped."""
    zine = begun(begin)

    def fail(raw: bytes) -> Mail:
        if SECRET.encode() in raw:
            raise UnreadableMail("Not today.")
        return read_mail(raw)

    monkeypatch.setattr(handling, "read_mail", fail)
    first = put_aside(zine, raw := write_mail(address_of(BERND), MOVE, subject=SECRET))
    second = put_aside(zine, write_mail(address_of(CARLA), MOVE, subject=SECRET))
    with zine.writing() as session:
        retry(zine.app, session, f"{first.id}")
        drop(zine.app, session, f"{second.id}")
    monkeypatch.undo()
    zine.tick()
    zine.arrives(raw)
    zine.tick()
    assert [row.status for row in zine.received()] == ["applied", "ignored", "ignored"]
    assert zine.on_file(BERND) == ("rotind", "E")
    assert not tells(all_shown(zine))
    assert f"Status: ignored: the same mail as {first.id}" in gm(zine, "mail", "show", f"{second.id + 1}")
    assert "Status: ignored: dropped by the GM; was: Not today." in gm(zine, "mail", "show", f"{second.id}")


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize("answer", ["", "Ja\n", "Nein\n"])
def test_alone_with_a_mail_that_waits(begin: Callable[..., Any], answer: str) -> None:
    """A move that nothing proves waits for Bernd's word: neither it nor the question about it is shown, nor later."""
    zine = begun(begin, security=STRICT)
    zine.writes(BERND, MOVE, subject=SECRET)
    zine.tick()
    question = next(mail for to, mail in zine.mails() if to == address_of(BERND))
    assert SECRET in question.text
    assert not tells(all_shown(zine))
    if answer:
        quoted = "\n".join(f"> {line}" for line in question.text.splitlines())
        zine.writes(BERND, f"{answer}\n{quoted}\n", subject=f"Re: {question.subject}", in_reply_to=question.message_id)
        zine.tick()
        assert not tells(all_shown(zine))
    actions.close(zine.app, "Eriwan", zine.now)
    assert tells(shown(zine, 1))


@pytest.mark.trust
def test_what_is_not_handled_yet(begin: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """A mail that has just been stored, or ended the process, isn't shown either."""
    zine = begun(begin)

    def die(_raw: bytes) -> Mail:
        raise KeyboardInterrupt

    monkeypatch.setattr(handling, "read_mail", die)
    zine.writes(BERND, MOVE, subject=SECRET)
    with pytest.raises(KeyboardInterrupt):
        zine.tick()
    assert zine.received()[-1].status == "new"
    assert not tells(shown(zine, zine.received()[-1].id))


@pytest.mark.trust
def test_a_robots_mail_is_asked_for_by_nobody(begin: Callable[..., Any]) -> None:
    """What says itself that a program wrote it gets no answer."""
    zine = begun(begin)
    put_aside(zine, b"Auto-Submitted: auto-replied\r\n" + unreadable(address_of(BERND)))
    assert {to for to, _ in zine.mails()} == {GM}


@pytest.mark.trust
def test_several_games(begin: Callable[..., Any]) -> None:
    """Bernd sits in two games with Cici: he is told both deadlines, in one mail."""
    zine = begun(begin)
    actions.new_game(zine.app, "crossword", "Kiew")
    for name, wish in zip(PLAYERS, "DNTIRO", strict=True):
        seating.join(zine.app, "Kiew", name, address_of(name), wish)
    actions.start(zine.app, "Kiew")
    zine.tick()
    zine.mails()
    put_aside(zine, unreadable(address_of(BERND)))
    (asked,) = [zine.said(mail) for to, mail in zine.mails() if to == address_of(BERND)]
    assert asked.count("20:00 Uhr") == 2
    assert ("»Eriwan«: bis" in asked, "»Kiew«: bis" in asked) == (True, True)


@pytest.mark.trust
def test_both_gms_play(begin: Callable[..., Any]) -> None:
    """A second GM who plays along reads nothing either."""
    zine = begun(begin, second=f"Carla <{address_of(CARLA)}>")
    row = put_aside(zine, unreadable(address_of(BERND)))
    mails = [(to, zine.said(mail)) for to, mail in zine.mails()]
    assert [to for to, _ in mails] == [address_of(BERND), GM]
    assert not any(SECRET in said for _, said in mails)
    zine.writes("Carla", f"gm mail show {row.id}\n", sender=address_of(CARLA))
    zine.tick()
    assert "spielst in »Eriwan« selbst mit" in zine.said(zine.gets(CARLA))


# -- what is none of it ------------------------------------------------------------------------------------------------


@pytest.mark.trust(except_first=2)
@pytest.mark.parametrize(
    ("raw", "is_kept"),
    [
        (unreadable(address_of(GERDA)), False),
        (unreadable(address_of(ANNA)), False),
        (unreadable("x@evil.example", "Hallo!"), False),
        (unreadable("x@evil.example"), True),
        (unreadable(address_of(CARLA)), True),
        (unreadable("Bernd"), True),
        (unreadable("Bernd", f"{SECRET}\n" + "......\n" * 5), True),
        (unreadable("Gerda", MOVE.replace("Crossword Eriwan", "Jalta")), False),
        (unreadable("Gerda", MOVE.replace("Eriwan", "Jalta")), True),
    ],
    ids=[
        "of another game", "her own", "a stranger's", "a stranger's that names the game", "of both games", "nobody's",
        "nobody's without a name", "nobody's that names another", "nobody's that names the kind",
    ],
)  # fmt: skip
def test_only_what_may_be_about_her_game_is_kept(begin: Callable[..., Any], raw: bytes, is_kept: bool) -> None:
    """By the sender's seats; where the sender can't be read, by what the mail names."""
    zine = begun(begin)
    row = put_aside(zine, raw)
    assert (b"Subject" not in raw or "--" in shown(zine, row.id)) or is_kept
    assert ("You play in Eriwan" in shown(zine, row.id)) == is_kept
    (told,) = [zine.said(mail) for to, mail in zine.mails() if to == GM]
    assert ("gm mail show" in told) == (not is_kept)


@pytest.mark.trust
def test_a_move_for_another_game_is_shown(begin: Callable[..., Any]) -> None:
    """Carla plays in both: her move for Jalta, and our answer, are no secrets of Eriwan's."""
    zine = begun(begin)
    zine.writes(CARLA, MOVE.replace("Eriwan", "Jalta"))
    zine.writes(CARLA, f"{MOVE}\nCrossword Jalta\nNeu: E\nROTROT\n" + "......\n" * 5)
    zine.tick()
    (one, both) = zine.received()
    assert tells(shown(zine, one.id))
    assert tells(shown(zine, f"o{zine.outgoing(cause=f'mail:{one.id}')[0].id}"))
    for kept in (both.id, f"o{zine.outgoing(cause=f'mail:{both.id}')[0].id}"):
        assert not tells(shown(zine, kept))


@pytest.mark.trust
def test_a_move_that_was_refused(begin: Callable[..., Any]) -> None:
    """Two different blocks in one mail are both refused: what stands in them isn't shown. Words to the GM are."""
    zine = begun(begin)
    zine.writes(BERND, f"{MOVE}\n{MOVE.replace(SECRET, 'DIRNTO')}", subject=SECRET)
    zine.writes(CARLA, "GM: Bis Sonntag!\n")
    zine.tick()
    assert [row.status for row in zine.received()] == ["refused", "applied"]
    assert not tells(all_shown(zine))
    assert "Bis Sonntag!" in gm(zine, "mail", "show", "2")


@pytest.mark.trust
def test_a_move_from_an_unknown_address(begin: Callable[..., Any]) -> None:
    """Bernd writes from elsewhere, and is asked: the mail and the question aren't shown."""
    zine = begun(begin)
    zine.writes(BERND, f"Name: Bernd\n{MOVE}", sender="bernd@arbeit.example", subject="Zug")
    zine.tick()
    assert SECRET in next(mail.text for to, mail in zine.mails() if to == address_of(BERND))
    assert [one.kind for one in zine.rows(Question)] == ["stranger", "elsewhere"]
    assert not tells(all_shown(zine))


# -- with a second GM --------------------------------------------------------------------------------------------------


def test_the_second_gm_reads_what_lies_in_quarantine(begin: Callable[..., Any]) -> None:
    """The text comes with the notice; nobody is asked to send it again, and the playing GM sees none of these mails."""
    zine = begun(begin, second=TWO)
    row = put_aside(zine, unreadable(address_of(BERND)))
    ((to, told),) = zine.mails()
    assert to == SECOND
    assert SECRET in told.text
    assert f"Zweite Hand reads it by mail: gm mail show {row.id}." in shown(zine, row.id)
    quoted = "\n".join(f"> {line}" for line in told.text.splitlines())
    zine.writes("Zweite", f"gm mail drop {row.id}\n{quoted}\n", sender=SECOND, subject=f"Re: {told.subject}")
    zine.tick()
    assert zine.received()[0].status == "ignored"
    assert not tells(all_shown(zine))


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize("name", ["a move that waits", "an advance move"])
def test_the_second_gm_asks_for_a_mail(begin: Callable[..., Any], name: str) -> None:
    """`gm mail show 12` by mail brings it to the second GM, and to the playing one why it doesn't."""
    zine = begun(begin, second=TWO, **({"security": STRICT} if name == "a move that waits" else {}))
    if name == "a move that waits":
        zine.writes(BERND, MOVE)
        secret = SECRET
    else:
        secret = "XQXQ"
        seating.start(zine.app, "typ-dom", "Riga", PLAYERS[:3])
        zine.tick()
        zine.writes(BERND, f"Vorab Riga\nAA1 w {secret}\n")
        zine.writes(CARLA, f"Vorab Riga\nAA1 w {secret}\n")
    zine.tick()
    zine.mails()
    mail = zine.received()[-1]
    for sender in (SECOND, GM):
        zine.writes("Spielleitung", f"gm mail show {mail.id}\n", sender=sender)
    zine.tick()
    got = {to: zine.said(one) for to, one in zine.mails()}
    assert (tells(got[SECOND], secret), tells(got[GM], secret)) == (True, False)
    assert "selbst mit" in got[GM]
    assert not tells(all_shown(zine), secret)


@pytest.mark.trust
def test_the_second_gm_reads_what_nobody_is_asked_about(begin: Callable[..., Any]) -> None:
    """Too many mails in Bernd's name wait for the GM: the notice about them goes to the second one, with the move."""
    zine = begun(begin, second=TWO, security=STRICT)
    for _ in range(7):
        zine.writes(BERND, MOVE)
    zine.tick()
    told = [mail for to, mail in zine.mails() if to == SECOND]
    assert [SECRET in mail.text for mail in told] == [True]
    assert not tells(all_shown(zine))


@pytest.mark.trust
def test_a_late_move(begin: Callable[..., Any]) -> None:
    """The second GM has got it by mail; the list at the computer has none of its words."""
    zine = begun(begin, second=TWO)
    actions.close(zine.app, "Eriwan", zine.now)
    zine.writes(BERND, MOVE)
    zine.tick()
    assert SECRET in next(mail.text for to, mail in zine.mails() if to == SECOND)
    assert not tells(gm(zine, "todo"))
    assert not tells(all_shown(zine))


# -- other ways --------------------------------------------------------------------------------------------------------


def test_the_file_for_a_player_is_without_the_open_round(begin: Callable[..., Any]) -> None:
    """`gm player export` prints what the GM reads first: Bernd's move comes in with the closing."""
    zine = begun(begin)
    zine.writes(BERND, MOVE)
    zine.tick()
    found = everything_about(zine.app, BERND)
    assert (found["moves"], found["without_open_rounds_of"]) == ([], ["Eriwan"])
    assert SECRET not in json.dumps(found)
    own = everything_about(zine.app, ANNA)
    assert own["without_open_rounds_of"] == []
    actions.close(zine.app, "Eriwan", zine.now)
    assert SECRET in json.dumps(everything_about(zine.app, BERND)["moves"])


@pytest.mark.trust
def test_the_file_is_without_an_advance_move(begin: Callable[..., Any]) -> None:
    """Nor does it tell that there was one."""
    zine = begin("empty", service={"gm": CICI})
    seating.start(zine.app, "typ-dom", "Riga", PLAYERS[:3])
    zine.tick()
    for name in (BERND, CARLA):
        zine.writes(name, "Vorab Riga\nkaufen schwarz\n")
    zine.tick()
    for name in (BERND, CARLA):
        found = everything_about(zine.app, name)
        assert found["advance_moves"] == []
        assert "schwarz" not in json.dumps(found)


@pytest.mark.trust
@pytest.mark.tampers
def test_a_game_whose_rules_are_missing(begin: Callable[..., Any]) -> None:
    """Where the rules of some game aren't installed, mails are put aside all the same, and what she plays is kept."""
    zine = begun(begin)
    with zine.writing() as session:
        for game in game_queries.games(session):
            game.engine = "gone"
            session.add(game)
    row = put_aside(zine, unreadable("Bernd"))
    assert "You play in Eriwan" in shown(zine, row.id)
    row = put_aside(zine, unreadable(address_of(BERND)))
    assert "You play in Eriwan" in shown(zine, row.id)
