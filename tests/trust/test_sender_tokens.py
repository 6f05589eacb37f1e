"""`sender = "token"`: only somebody who has a player's mails from us can write for that player."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

import pytest
import zines
from cpu_cost import work_units

from games import engines
from gm.archive.export import export
from gm.cli.closing import mails_shown
from gm.commands.gm_commands import actions
from gm.demo.in_memory_zine import GM_ADDRESS, PLAYERS, address_of
from gm.reports.game import text_of
from gm.reports.mail_log import one_mail
from gm.runtime.errors import Refused
from gm.store.queries import game_queries
from gm.store.tables import Question
from parsers.mime.keys import take_keys
from parsers.mime.message import Mail

prepared_zines, opener, begin = zines.prepared_zines, zines.opener, zines.begin
ANNA, BERND, CARLA = PLAYERS[:3]

KEY = re.compile(r"Schlüssel: ([a-z2-7]{4}(?:-[a-z2-7]{4}){3})\s*$", re.MULTILINE)


@pytest.fixture
def keyed(begin: Callable[..., Any]) -> Any:
    """Eriwan in round 1 with `token`; `zine.bulletin[name]` is the mail that everybody has, with the key."""
    zine = begin("seated", security={"sender": "token"})
    actions.start(zine.app, "Eriwan")
    zine.tick()
    zine.bulletin = {name: mail for name in PLAYERS for to, mail in _kept(zine) if to == address_of(name)}
    return zine


def _kept(zine: Any) -> list[tuple[str, Mail]]:
    zine.kept = [*getattr(zine, "kept", []), *zine.mails()]
    return list(zine.kept)


def key_in(mail: Mail) -> str:
    """Return the key that a mail shows."""
    found = KEY.search(mail.text)
    assert found, mail.text
    return found[1]


def with_key(zine: Any, key: str, new: str = "DN", label: str = "Schlüssel") -> str:
    """Write Anna's block with a key."""
    return str(zine.block(ANNA, new, head=(f"{label}: {key}",)))


WAYS: Final[dict[str, Callable[[str], str]]] = {
    "as it came": str,
    "in capitals": str.upper,
    "without hyphens": lambda key: key.replace("-", ""),
    "with blanks": lambda key: key.replace("-", " "),
    "with dashes": lambda key: key.replace("-", " – "),
    "in bold": lambda key: f"*{key}*",
    "zero for O, one for L": lambda key: key.replace("o", "0").replace("l", "1"),
}


def test_a_key_survives_how_it_is_written(keyed: Any) -> None:
    """The block with the key of this round is Anna's move, in whatever case and shape programs leave it."""
    for number, (way, write) in enumerate(WAYS.items()):
        letters = ("DN", "RO")[number % 2]
        keyed.writes(ANNA, with_key(keyed, write(key_in(keyed.bulletin[ANNA])), letters))
        keyed.tick()
        assert (way, keyed.on_file(ANNA)) == (way, (letters.lower(), "E"))


def test_where_a_key_may_stand(keyed: Any) -> None:
    """Above or below the block, in the subject, in our address, in what is quoted: a key is a key."""
    for number, place in enumerate(("below", "above", "subject", "bare subject", "address", "quoted", "English")):
        letters = ("DN", "RO")[number % 2]
        _send_with_key_at(keyed, place, letters)
        keyed.tick()
        assert (place, keyed.on_file(ANNA)) == (place, (letters.lower(), "E"))


def _send_with_key_at(keyed: Any, place: str, letters: str) -> None:
    key, plain = key_in(keyed.bulletin[ANNA]), keyed.block(ANNA, letters)
    more: dict[str, Any] = {}
    text = {
        "below": f"{plain}\nSchlüssel: {key}\n", "above": f"Hallo!\nSchlüssel: {key}\n\n{plain}",
        "quoted": f"{plain}\nAm 2.11.2026 um 12:00 schrieb Cici:\n> Crossword Eriwan\n> Schlüssel: {key}\n> Neu:\n",
        "English": with_key(keyed, key, letters, label="Key"),
    }.get(place, plain)  # fmt: skip
    if "subject" in place:
        more["subject"] = f"Zug {'' if place.startswith('bare') else 'Key: '}{key}"
    if place == "address":
        plus = f"+1.1.1.{key.replace('-', '').upper()}@"
        more["headers"] = {"To": GM_ADDRESS.replace("@", plus)}
    keyed.writes(ANNA, text, **more)


def test_a_reply_to_our_mail_needs_no_key(keyed: Any) -> None:
    """Nobody else has seen the Message-ID of Anna's bulletin: a reply to it is hers, for whatever she asks."""
    keyed.sends(ANNA, "DN", in_reply_to=keyed.bulletin[ANNA].message_id)
    keyed.tick()
    assert keyed.on_file(ANNA) == ("dn", "E")
    keyed.mails()
    keyed.writes(ANNA, "Warten Eriwan\n", in_reply_to=keyed.bulletin[ANNA].message_id)
    assert not keyed.answer(ANNA).subject.startswith("[Frage ")


def test_without_the_right_key_she_is_asked(keyed: Any) -> None:
    """A move without this round's own key waits for Anna's word, also with the key that Bernd has, or his mail."""
    his = keyed.bulletin[BERND]
    for key in ("", "aaaa-bbbb-cccc-dddd", key_in(keyed.bulletin[ANNA])[:14], key_in(his)):
        keyed.writes(ANNA, with_key(keyed, key) if key else keyed.block(ANNA, "DN"))
        assert keyed.answer(ANNA).subject.startswith("[Frage ")
        keyed.passes(hours=25)
    for reply in (his.message_id, "<a@postspiel.example>"):
        keyed.sends(ANNA, "DN", in_reply_to=reply)
        assert keyed.answer(ANNA).subject.startswith("[Frage ")
    assert keyed.on_file(ANNA) is None


def test_wrong_keys_lock_nobody_out(keyed: Any) -> None:
    """Wrong keys from a forged address don't invalidate the right key."""
    right = key_in(keyed.bulletin[ANNA])
    for letter in "abcde":
        keyed.writes(ANNA, with_key(keyed, f"aaaa-aaaa-aaaa-aaa{letter}"))
    keyed.tick()
    keyed.writes(ANNA, with_key(keyed, right))
    keyed.tick()
    assert keyed.on_file(ANNA) == ("dn", "E")


def test_a_key_of_an_earlier_round_moves_nothing(keyed: Any) -> None:
    """The mail of round 1, sent again in round 2, is answered with the round that it is for, and isn't filed."""
    raw = keyed.writes(ANNA, with_key(keyed, key_in(keyed.bulletin[ANNA])))
    keyed.tick()
    keyed.passes_until(keyed.zat, seconds=1)
    keyed.tick()
    keyed.passes(hours=1)
    keyed.mails()
    keyed.arrives(re.sub(rb"Message-ID: <[^>]*>", b"Message-ID: <copied@evil.example>", raw))
    assert "Runde 1" in keyed.reply(ANNA)
    assert keyed.on_file(ANNA) is None
    untitled = "\n".join(keyed.block(ANNA, "RO").splitlines()[1:])
    keyed.writes(ANNA, f"Schlüssel: {key_in(keyed.bulletin[ANNA])}\n{untitled}\n")
    keyed.tick()
    assert keyed.on_file(ANNA) is None


@pytest.mark.tampers
def test_a_key_of_the_round_before_where_rules_are_missing(keyed: Any) -> None:
    """Of a game whose rules can't be had here an old key proves nothing: the mail is put aside, and the GM told why."""
    key = key_in(keyed.bulletin[ANNA])
    block = with_key(keyed, key)
    keyed.passes_until(keyed.zat, seconds=1)
    keyed.tick()
    with keyed.writing() as session:
        game = game_queries.named(session, "Eriwan")
        game.engine = "gone"
        session.add(game)
    keyed.mails()
    keyed.writes(ANNA, block)
    keyed.tick()
    assert keyed.received()[-1].status == "quarantined"
    assert "'gone' is not installed here" in keyed.received()[-1].reason


def test_a_late_move_with_its_rounds_key_is_late(keyed: Any) -> None:
    """A move that missed the ZAT by a minute is told so, not asked about."""
    key = key_in(keyed.bulletin[ANNA])
    keyed.passes_until(keyed.zat, minutes=1)
    keyed.writes(ANNA, with_key(keyed, key))
    keyed.tick()
    assert any("verspätet" in keyed.said(mail) for to, mail in keyed.mails() if to == address_of(ANNA))


def test_keys_are_for_their_players_eyes(keyed: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """No mail shows a key of somebody else, and neither do shown positions, rehearsals, the log or public pages."""
    keys = {name: key_in(mail) for name, mail in keyed.bulletin.items()}
    assert len(set(keys.values())) == len(PLAYERS)
    keyed.writes(CARLA, "Beobachten Eriwan\n", in_reply_to=keyed.bulletin[CARLA].message_id)
    keyed.writes(ANNA, with_key(keyed, keys[ANNA]))
    keyed.writes(BERND, f"GM: Hallo!\n\nSchlüssel: {keys[BERND]}\n")
    keyed.tick()
    rehearsed = actions.rehearse_close(keyed.app, "Eriwan")
    keyed.passes_until(keyed.zat, seconds=1)
    keyed.tick()
    keys2 = {name: key for name in PLAYERS for to, mail in keyed.mails() if to == address_of(name)
             and "Runde 2" in mail.subject for key in KEY.findall(mail.text)}  # fmt: skip
    for row in keyed.outgoing():
        text = (row.raw or b"").decode().replace("=\r\n", "").replace("=\n", "")
        for name, key in [*keys.items(), *keys2.items()]:
            assert (key not in text and key.replace("-", "") not in text) or row.address == address_of(name)
    print(*mails_shown(rehearsed.mails), *(seat.move for seat in rehearsed.seats), sep="\n")
    export(keyed.app, keyed.app.settings.archive.path)
    with keyed.app.database.read() as session:
        game = game_queries.named(session, "Eriwan")
        shown = [text_of(keyed.app, session, game, ANNA), *(one_mail(keyed.app, session, f"o{row.id}", False)
                                                            for row in keyed.outgoing())]  # fmt: skip
    pages = [page.read_text(errors="replace") for page in keyed.app.settings.archive.path.rglob("*") if page.is_file()]
    questions = [str(one.payload) for one in keyed.rows(Question)]
    for text in [capsys.readouterr().out, *shown, *pages, *questions]:
        assert not any(key in text for key in (*keys.values(), *keys2.values()))


def test_other_modes_show_no_keys(begin: Callable[..., Any]) -> None:
    """Only with `token` do mails bring keys."""
    zine = begin("seated")
    actions.start(zine.app, "Eriwan")
    zine.tick()
    assert not any("Schlüssel" in mail.text for _, mail in zine.mails())


def test_every_games_mails_bring_keys(begin: Callable[..., Any], at_full_length: bool) -> None:
    """Whatever is played: who sends the block of a mail back, as it is, isn't asked; without its key he is."""
    one_of_a_kind = {engine.rules.unit: key for key, engine in sorted(engines().items())}
    for key in sorted(engines()) if at_full_length else sorted(one_of_a_kind.values()):
        _send_blocks_back(begin, key)


def _send_blocks_back(begin: Callable[..., Any], key: str) -> None:
    zine = begin("empty", security={"sender": "token"})
    actions.new_game(zine.app, key, "Tiflis")
    for name in PLAYERS[: engines()[key].rules.seats[0]]:
        try:
            actions.join(zine.app, "Tiflis", name, address_of(name), "E")
        except Refused:  # most games want nothing for a start
            actions.join(zine.app, "Tiflis", name, address_of(name), None)
    actions.start(zine.app, "Tiflis")
    zine.tick()
    blocks = {to: _block_of(mail) for to, mail in zine.mails() if KEY.search(mail.text)}
    assert blocks
    for without in (False, True):
        for address, lines in blocks.items():
            kept = [line for line in lines if not (without and line.startswith("Schlüssel"))]
            zine.writes(PLAYERS[0], "\n".join([*kept, "GM: Hallo!", ""]), sender=address)
        zine.tick()
        statuses = [row.status == "waiting" for row in zine.received()[-len(blocks) :]]
        assert statuses == [without] * len(blocks)


def _block_of(mail: Mail) -> list[str]:
    """Return the block to copy: from the line above the key to the next empty one."""
    lines = [line.strip() for line in mail.text.splitlines()]
    at = next(n for n, line in enumerate(lines) if line.startswith("Schlüssel: "))
    end = next(n for n in range(at, len(lines)) if not lines[n])
    return lines[at - 1 : end]


def test_a_couple_needs_one_of_its_keys(begin: Callable[..., Any]) -> None:
    """Two players of one address read the same mails: the key of either vouches, the name says whose move it is."""
    zine = begin("empty", security={"sender": "token"})
    actions.new_game(zine.app, "crossword", "Eriwan")
    for name, wish in zip(PLAYERS, "DNTIRO", strict=True):
        actions.join(zine.app, "Eriwan", name, address_of(ANNA if name == BERND else name), wish)
    actions.start(zine.app, "Eriwan")
    zine.tick()
    mails = [mail for to, mail in zine.mails() if to == address_of(ANNA)]
    named = {name: key_in(mail) for name in (ANNA, BERND) for mail in mails if f"Name: {name}" in mail.text}
    assert len(named) == 2
    zine.writes(ANNA, zine.block(ANNA, "DN", head=(f"Name: {ANNA}", f"Schlüssel: {named[BERND]}")))
    zine.tick()
    assert zine.on_file(ANNA) == ("dn", "E")
    zine.writes(ANNA, zine.block(BERND, "RO", head=(f"Name: {BERND}",)))
    zine.tick()
    assert zine.on_file(BERND) is None
    question = next(mail for _, mail in zine.mails() if mail.subject.startswith("[Frage "))
    zine.writes(ANNA, "Ja\n", subject=f"Re: {question.subject}", in_reply_to=question.message_id)
    zine.tick()
    assert zine.on_file(BERND) == ("ro", "E")


def test_looking_for_keys_is_linear() -> None:
    """Texts made to slow the search down take no more than a moment."""
    for text in (
        " " * 60_000,
        ">" * 60_000,
        "Key: " * 12_000,
        "Key" + " " * 60_000,
        "Key: " + "aaaa-" * 12_000,
        "\n" * 60_000,
    ):
        assert work_units(lambda text=text: take_keys(f"Key: x\n{text}\nKey: x"), most=150) < 150


def test_keys_by_mail_link_and_in_english(begin: Callable[..., Any]) -> None:
    """The link that opens a mail with the block brings the key too; an English player reads `Key:`."""
    zine = begin("empty", security={"sender": "token"}, service={"language": "en"})
    actions.new_game(zine.app, "crossword", "Eriwan")
    for name, wish in zip(PLAYERS, "DNTIRO", strict=True):
        actions.join(zine.app, "Eriwan", name, address_of(name), wish)
    actions.start(zine.app, "Eriwan")
    zine.tick()
    mail = next(mail for to, mail in zine.mails() if to == address_of(ANNA))
    found = re.search(r"Key: ([a-z2-7-]{19})\s*$", mail.text, re.MULTILINE)
    assert found
    assert f"Key%3A%20{found[1]}" in mail.html
