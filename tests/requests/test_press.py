"""Press: what players and spectators have to say to all stands in the next bulletin, as text and nothing else."""

from __future__ import annotations

from typing import Any

import pytest
import seating

from gm.demo.in_memory_zine import PLAYERS, address_of
from gm.requests.desk import actions
from gm.store.tables import Game, Press

ANNA, BERND, CARLA = PLAYERS[:3]
XAVER = "Xaver Zorn"
TEXT = "Wer wünscht sich hier dauernd E?\n\n  Ich nicht."


def press(text: str = TEXT, head: str = "Presse Eriwan", end: str = "\nEnde\n") -> str:
    """Write press as it is sent."""
    return f"{head}\n{text}{end}"


def bulletins(zine: Any) -> dict[str, Any]:
    """Close the round and return the mails by recipient."""
    zine.mails()
    zine.passes_until(zine.zat, seconds=1)
    zine.tick()
    return {address: mail for address, mail in zine.mails() if "auto-replied" not in mail.headers["auto-submitted"]}


def watcher(zine: Any, game: str = "Eriwan") -> None:
    """Let Xaver watch."""
    zine.writes(XAVER, f"Beobachten {game}\n")
    question = zine.answer(XAVER)
    zine.writes(XAVER, "Ja\n", subject=f"Re: {question.subject}")
    zine.tick()
    zine.mails()


def may_be_anonymous(zine: Any) -> None:
    """Allow unsigned press."""
    with zine.writing() as session:
        game = session.get_one(Game, 1)
        game.anonymous_press = True
        session.add(game)


def test_signed_press(eriwan: Any) -> None:
    """The text stands in everybody's next bulletin, signed, line by line as it was written, once."""
    eriwan.writes(ANNA, press())
    assert "gezeichnet mit Anna Berg" in eriwan.reply(ANNA)
    sent = bulletins(eriwan)
    assert len(sent) == 6
    for mail in sent.values():
        assert "Anna Berg schreibt:" in mail.text
        assert "  > Wer wünscht sich hier dauernd E?   \n  >   \n  >   Ich nicht.   \n" in mail.text
    assert "schreibt:" not in bulletins(eriwan)[address_of(ANNA)].text


def test_unsigned_press(eriwan: Any) -> None:
    """Where it is allowed, press may go without a name; nothing in the mail tells whose it is."""
    may_be_anonymous(eriwan)
    eriwan.writes(CARLA, press(head="Presse anonym Eriwan"))
    assert "ohne Namen im nächsten Bulletin" in eriwan.reply(CARLA)
    mail = bulletins(eriwan)[address_of(ANNA)]
    assert "Ohne Namen:" in mail.text
    assert f"{CARLA} schreibt" not in mail.text + mail.html


def test_unsigned_press_where_it_is_not_allowed(eriwan: Any) -> None:
    """Elsewhere it is refused, and isn't printed signed either."""
    eriwan.writes(CARLA, press(head="Presse anonym Eriwan"))
    assert "nur mit Namen" in eriwan.reply(CARLA)
    assert "Ich nicht." not in bulletins(eriwan)[address_of(ANNA)].text


@pytest.mark.parametrize(("options", "allowed"), [([], False), (["press=anonymous"], True), (["press=signed"], False)])
def test_gm_new_says_whether_it_is_allowed(zine: Any, options: list[str], allowed: bool) -> None:
    """`gm new --option press=anonymous` allows unsigned press, in games of every kind."""
    actions.new_game(zine.app, "crossword", "Eriwan", options=options)
    assert zine.rows(Game)[0].anonymous_press == allowed
    assert zine.rows(Game)[0].options == actions.new_game(zine.app, "crossword", "Havanna").options


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("<b>fett</b> & <script>alert(1)</script>", "<b>fett</b> & <script>alert(1)</script>"),
        ("{{ 7 * 7 }} {% raw %}", "{{ 7 * 7 }} {% raw %}"), ("a\x07b\x1b[31mrot\u202e!", "a�b�[31mrot�!"),
        ("<img src=http://x/y.png>", "<img src=http://x/y.png>"),
    ],
)  # fmt: skip
def test_press_is_text(eriwan: Any, text: str, shown: str) -> None:
    """Markup, template marks and control characters do nothing, in neither part of a bulletin."""
    eriwan.writes(ANNA, press(text))
    eriwan.tick()
    mail = bulletins(eriwan)[address_of(BERND)]
    assert shown in mail.text
    assert "49" not in mail.text.partition("schreibt:")[2].partition("\n\n")[2][:40]
    for mark in ("<b>fett", "<script", "<img", "\x07", "\x1b"):
        assert mark not in mail.html
    assert "\x07" not in mail.text
    assert "\x1b" not in mail.text


@pytest.mark.parametrize(("length", "taken"), [(4000, True), (4001, False), (12_000, False)])
def test_at_most_4000_characters(eriwan: Any, length: int, taken: bool) -> None:
    """Longer press is refused whole, with its length; blanks at the ends don't count."""
    text = "\n".join(["Wort " * 15] * (length // 76 + 1))[: length - 1] + "."
    eriwan.writes(ANNA, press(f"\n{text}\n\n"))
    said = eriwan.reply(ANNA)
    assert ("gezeichnet" in said) == taken
    assert (f"hat {length} Zeichen" in said) != taken
    assert [len(one.text) for one in eriwan.rows(Press)] == ([length] if taken else [])


def test_very_long_lines_are_folded(eriwan: Any) -> None:
    """A line of 3,900 characters keeps to the width of the mail; nothing of it is lost."""
    text = " ".join(f"Wort{number:04d}" for number in range(430))
    eriwan.writes(ANNA, press(text))
    eriwan.tick()
    mail = bulletins(eriwan)[address_of(BERND)]
    assert text in " ".join(mail.text.replace(" > ", " ").split())
    assert max(len(line.rstrip()) for line in mail.text.split("\n")) <= 78


@pytest.mark.parametrize("where", ["above", "below"])
def test_press_without_an_end_swallows_no_move(eriwan: Any, where: str) -> None:
    """Where `Ende` is missing the press ends at the move below it, and a move above it is safe; a remark says so."""
    block, text = eriwan.block(ANNA, "DN"), press(end="\n")
    eriwan.writes(ANNA, f"{text}\n{block}" if where == "above" else f"{block}\n{text}")
    said = eriwan.reply(ANNA)
    assert "fehlte die Zeile »Ende«" in said
    assert eriwan.on_file(ANNA) == ("dn", "E")
    assert [one.text for one in eriwan.rows(Press)] == [TEXT]


def test_commands_in_press_are_text(eriwan: Any) -> None:
    """What stands before `Ende` is never a command; what stands below is."""
    eriwan.sends(ANNA, "DN")
    eriwan.tick()
    eriwan.mails()
    eriwan.writes(ANNA, press("Zurückziehen Eriwan\nAbmeldung Eriwan\nGM: Hallo!") + "\nWarten Eriwan\n")
    eriwan.answer(ANNA)
    assert eriwan.on_file(ANNA) == ("dn", "E")
    assert eriwan.seat(ANNA)["waiting"]


def test_empty_press(eriwan: Any) -> None:
    """Press without a text is told how it goes."""
    eriwan.writes(ANNA, press("\n \n"))
    assert "stand kein Text" in eriwan.reply(ANNA)
    assert eriwan.rows(Press) == []


def test_press_before_the_start(seated: Any) -> None:
    """Press in an open game stands in the first bulletin."""
    seated.writes(ANNA, press())
    seated.tick()
    seated.mails()
    actions.start(seated.app, "Eriwan")
    seated.tick()
    sent = seated.mails()
    assert len(sent) == 6
    assert all("Anna Berg schreibt:" in mail.text for _, mail in sent)


def test_press_by_spectators(eriwan: Any) -> None:
    """Spectators may write press; others may not."""
    eriwan.writes(XAVER, press())
    assert eriwan.answer(XAVER).subject.startswith("Postspiele per Mail")
    watcher(eriwan)
    eriwan.writes(XAVER, press())
    assert f"gezeichnet mit {XAVER}" in eriwan.reply(XAVER)
    assert f"{XAVER} schreibt:" in bulletins(eriwan)[address_of(ANNA)].text


def test_press_about_somebody_elses_game(eriwan: Any) -> None:
    """A known player without a seat in the game is told so."""
    watcher(eriwan)
    actions.new_game(eriwan.app, "crossword", "Havanna")
    eriwan.writes(XAVER, press(head="Presse Havanna"))
    assert "Partie »Havanna« spielst du" in eriwan.reply(XAVER)


def test_press_after_the_end(begin: Any) -> None:
    """When no bulletin comes any more, press is refused."""
    zine = begin("provisional")
    zine.tick()
    zine.mails()
    zine.writes(ANNA, press())
    assert "ist zu Ende" in zine.reply(ANNA)
    assert zine.rows(Press) == []


def test_several_texts_in_order(eriwan: Any) -> None:
    """Texts stand in the order of their arrival, also two of one player."""
    for name, text in ((ANNA, "eins"), (BERND, "zwei"), (ANNA, "drei")):
        eriwan.writes(name, press(text))
    eriwan.tick()
    text = bulletins(eriwan)[address_of(CARLA)].text
    assert text.index("eins") < text.index("zwei") < text.index("drei")


def test_press_in_the_digest(begin: Any) -> None:
    """The digest has the week's press for those whom the game concerns."""
    zine = begin("started", digest={"weekday": "sunday", "time": "18:00"})
    zine.writes(ANNA, press())
    zine.tick()
    actions.close(zine.app, "Eriwan", zine.app.now())
    zine.tick()
    zine.mails()
    zine.at("2026-11-08T18:00:05+01:00")
    zine.tick()
    digests = [mail for _, mail in zine.mails() if "list-unsubscribe" in mail.headers]
    assert digests
    assert all("Wer wünscht sich hier dauernd E?" in mail.text for mail in digests)


def test_press_of_couples(zine: Any) -> None:
    """At a shared address the name line or the thread decides who signs."""
    actions.new_game(zine.app, "crossword", "Eriwan")
    for name, wish in zip(PLAYERS, "DNTIRO", strict=True):
        seating.join(zine.app, "Eriwan", name, "berge@x.example" if name in (ANNA, BERND) else address_of(name), wish)
    for text in ("Name: Bernd\n" + press("Guten Tag"), press("Guten Abend")):
        zine.writes(ANNA, text, sender="berge@x.example")
    zine.tick()
    assert [(one.player_id, one.text) for one in zine.rows(Press)] == [(2, "Guten Tag")]
    assert any("Name: ..." in zine.said(mail) for _, mail in zine.mails())


# -- to all players ----------------------------------------------------------------------------------------------------

ALL_LINES = [
    "An alle Eriwan: {}\n", "An alle Eriwan\n{}\nEnde\n", "To all Eriwan:\n{}\n", "an alle Crossword Eriwan:\n{}\n",
]  # fmt: skip
SAYING = "Wer kommt zum Treffen in Bonn?"


@pytest.mark.parametrize("line", ALL_LINES)
def test_a_text_to_all_goes_out_at_once(begin: Any, line: str) -> None:
    """With `chat` a text reaches every other player of the game with this pass, and no one else (interface.md)."""
    zine = begin("started", service={"chat": True})
    watcher(zine)
    zine.writes(ANNA, line.format(SAYING))
    zine.tick()
    mails = dict(zine.mails())
    assert "an alle Mitspieler in »Eriwan«" in mails.pop(address_of(ANNA)).text or "To all" in line
    assert set(mails) == {address_of(name) for name in PLAYERS[1:6]}
    for mail in mails.values():
        assert mail.subject == "[Eriwan] Anna Berg schreibt allen"
        assert SAYING in mail.text
        assert address_of(ANNA) not in mail.text + mail.html
    assert zine.rows(Press) == []


@pytest.mark.parametrize("line", ALL_LINES)
def test_without_chat_it_stands_in_the_bulletin(eriwan: Any, line: str) -> None:
    """Else it is printed in the next bulletin, signed (interface.md)."""
    eriwan.writes(ANNA, line.format(SAYING))
    eriwan.tick()
    ((to, answer),) = eriwan.mails()
    assert to == address_of(ANNA)
    assert "Bulletin" in answer.text or "bulletin" in answer.text
    mail = bulletins(eriwan)[address_of(CARLA)]
    assert "Anna Berg schreibt:" in mail.text
    assert SAYING in mail.text


def test_who_watches_is_printed(begin: Any) -> None:
    """Who only watches can't write to the players' mailboxes."""
    zine = begin("started", service={"chat": True})
    watcher(zine)
    zine.writes(XAVER, f"An alle Eriwan: {SAYING}\n")
    assert "Bulletin" in zine.reply(XAVER)
    assert [row.text for row in zine.rows(Press)] == [SAYING]


def test_strangers_write_to_nobody(begin: Any) -> None:
    """A text of an unknown address reaches no player, and none is told that the game exists."""
    zine = begin("started", service={"chat": True})
    zine.writes("Yvonne Zander", f"An alle Eriwan: {SAYING}\n")
    zine.tick()
    assert all(to not in {address_of(name) for name in PLAYERS} for to, _ in zine.mails())
    assert zine.rows(Press) == []


def test_many_texts_to_all_in_a_day(begin: Any) -> None:
    """After three within a day the others are printed, and none is lost; a day later it goes on (mail.md)."""
    zine = begin("started", service={"chat": True})
    zine.writes(ANNA, "".join(f"An alle Eriwan: Satz {number}\n\n" for number in range(5)))
    zine.tick()
    told = [mail.text for to, mail in zine.mails() if to == address_of(BERND)]
    assert len(told) == 3
    assert [row.text for row in zine.rows(Press)] == ["Satz 3", "Satz 4"]
    zine.passes(hours=25)
    zine.mails()
    zine.writes(ANNA, f"An alle Eriwan: {SAYING}\n")
    zine.tick()
    assert any(SAYING in mail.text for to, mail in zine.mails() if to == address_of(BERND))


@pytest.mark.parametrize(
    "text", ["An alle, die mitlesen: Hallo!", "An alle: Frohes Fest!", "An alle: Hallo", "An alle Lieben dort: Hallo"]
)
def test_an_address_to_all_without_a_game_is_prose(begin: Any, text: str) -> None:
    """Without a game's name nobody knows which players are meant: it goes to the GM, as any text."""
    zine = begin("started", service={"chat": True})
    zine.writes(ANNA, f"{text}\n")
    zine.tick()
    assert {to for to, _ in zine.mails()} <= {address_of(ANNA), "cici@postspiel.example"}
    assert zine.rows(Press) == []
