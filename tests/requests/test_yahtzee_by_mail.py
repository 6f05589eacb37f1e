"""Wort-Yahtzee by mail: rolls at once and never twice, scores that wait for the closing, other people's dice."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
import seating

from gm.demo.in_memory_zine import PLAYERS, address_of
from gm.game.gm_visibility import check_mail
from gm.game.replay import verify
from gm.reports.todo import waiting_for_gm
from gm.requests.desk import actions
from gm.runtime.errors import Refused
from gm.store.queries import game_queries
from gm.store.tables import MailIn

ANNA, BERND = PLAYERS[:2]


@pytest.fixture
def dice(begin: Callable[..., Any]) -> Any:
    """Wort-Yahtzee »Elba« with two players, started, the first rolls delivered."""
    return started(begin)


def started(begin: Callable[..., Any], **settings: Any) -> Any:
    """Begin it in a zine with these settings."""
    zine = begin("empty", **settings)
    actions.new_game(zine.app, "wort-yahtzee", "Elba")
    with zine.app.database.write() as session:
        game_queries.named(session, "Elba").seed = "0123456789abcdef0123456789abcdef"
    for name in (ANNA, BERND):
        seating.join(zine.app, "Elba", name, address_of(name), None)
    actions.start(zine.app, "Elba")
    zine.tick()
    zine.first = dict(zine.mails())
    return zine


def block_of(mail: Any) -> list[str]:
    """The copy block in a mail: title, stand and roll."""
    lines = [line.strip() for line in mail.text.splitlines() if line.startswith("     ")]
    at = lines.index("Wort-Yahtzee Elba")
    return lines[at : at + 3]


def facts(zine: Any, name: str) -> dict[str, Any]:
    """What a seat may see of itself."""
    from gm.reports.game import show

    with zine.app.database.read() as session:
        shown = show(zine.app, session, game_queries.named(session, "Elba"), name)
    return next(seat for seat in shown["seats"] if seat["player"] == name)


def test_who_is_shown_something_of_his_own_is_greeted_by_name(dice: Any) -> None:
    """Issue 26, words said: no `Hallo zusammen` above dice that one seat alone may see; spectators are greeted so."""
    for name in (ANNA, BERND):
        text = dice.first[address_of(name)].text
        assert f"Hallo {name.split()[0]}," in text
        assert "zusammen" not in text


def test_mails_agree_on_when_a_roll_and_a_score_count(dice: Any) -> None:
    """Rulings 2: a roll at once, for good, the third one the last; a score when the round closes, changeable before."""
    mails = [dice.first[address_of(ANNA)]]
    for _ in range(2):
        dice.writes(ANNA, "\n".join([*block_of(mails[-1]), "behalte nichts", ""]))
        dice.tick()
        mails += [mail for to, mail in dice.mails() if to == address_of(ANNA)]
    said = [" ".join(text.split()) for text in (mail.text for mail in mails)]
    for text in said:
        assert "Ein Zug gilt, sobald er da ist" not in text
        assert "Bis zum ZAT darfst du deinen Zug beliebig oft" not in text
    assert "Die Wertung zählt, wenn die Runde ausgewertet wird; bis dahin darfst du sie ändern." in said[0]
    assert "Was nicht sofort gilt, darfst du bis zum ZAT beliebig oft ändern" in said[0]
    assert "Mit dem dritten ist Schluss: Danach wird nur noch gewertet oder gestrichen" in said[0]
    assert "noch einmal" in said[1]
    assert "Das war dein dritter und letzter Wurf" in said[2]


@pytest.mark.parametrize(
    ("language", "keep", "full", "line"),
    [
        ("de", "behalte nichts", "Weiterwürfeln: Hinter »behalte« stehen", "»werte WORT« füllt R1"),
        ("en", "keep nothing", "Rolling on: after “keep” come the dice", "“score WORD” fills R1"),
    ],
)
def test_instructions_come_in_full_once(dice: Any, language: str, keep: str, full: str, line: str) -> None:
    """The first mail explains all; after a roll two lines say what can be sent, `Hilfe` the rest (issue 49)."""
    dice.writes(ANNA, f"Sprache {language}\n")
    dice.tick()
    dice.mails()
    if language == "de":
        assert full in dice.said(dice.first[address_of(ANNA)])
    answer = answer_to(dice, ANNA, f"Wort-Yahtzee Elba\n{keep}\n")
    for text in (dice.said(answer), " ".join(re.sub("<[^>]*>", " ", answer.html).split())):
        assert full not in text
        assert line in text
    below = answer.text[answer.text.index("SO ZIEHST DU" if language == "de" else "HOW TO MOVE") :]
    told = below[: below.index({"de": "Ich bestätige", "en": "I confirm"}[language])].splitlines()[1:]
    assert 0 < len([one for one in told if one.strip()]) <= 6
    assert block_of(answer)[0] == "Wort-Yahtzee Elba"
    help_line = {"de": "Hilfe", "en": "Help"}[language] + " Wort-Yahtzee"
    assert help_line in dice.said(answer)
    assert full.split(":")[0] in dice.said(answer_to(dice, ANNA, help_line))


def test_a_roll_is_answered_at_once_and_never_repeated(dice: Any) -> None:
    """Rulings 3.11: the template carries the roll; the same mail, and the same lines by hand, roll nothing again."""
    block = block_of(dice.first[address_of(ANNA)])
    kept = block[2].split(":")[1].split()[0]
    text = "\n".join([*block, f"behalte {kept}", ""])
    raw = dice.writes(ANNA, text)
    dice.tick()
    (answer,) = [mail for to, mail in dice.mails() if to == address_of(ANNA)]
    assert "Wurf 2: " in answer.text
    rolled = block_of(answer)
    for again in (lambda: dice.arrives(raw), lambda: dice.writes(ANNA, text)):
        again()
        dice.tick()
    assert block_of([mail for _, mail in dice.mails()][-1]) == rolled


def answer_to(zine: Any, name: str, text: str, mail: Any = None) -> Any:
    """Write something, as a reply to a mail where one is given, and return what comes back."""
    reply = {"subject": f"Re: {mail.subject}", "in_reply_to": mail.message_id} if mail else {}
    zine.writes(name, text, **reply)
    zine.tick()
    (answer,) = [mail for to, mail in zine.mails() if to == address_of(name)]
    return answer


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize("head", ["", "Wort-Yahtzee Elba\n", "Wort-Yahtzee Elba\nRunde: 1\n"])
def test_a_reply_to_an_older_mail_rolls_nothing(dice: Any, head: str) -> None:
    """Rulings 3.11: without the roll's line its number is taken from the mail replied to, however late it comes."""
    line = f"{head}behalte nichts\n"
    first = dice.first[address_of(ANNA)]
    second = answer_to(dice, ANNA, line, first)
    dice.passes(hours=1)
    again = answer_to(dice, ANNA, line, first)
    assert "gehört zu einem älteren Stand" in dice.said(again)
    assert block_of(again) == block_of(second)
    assert "Wurf 3: " in answer_to(dice, ANNA, line, second).text


def test_what_lies_now_may_stand_in_a_reply_to_an_older_mail(dice: Any) -> None:
    """Rulings 3.11: the roll's line decides, then the mail replied to."""
    first = dice.first[address_of(ANNA)]
    second = answer_to(dice, ANNA, "Wort-Yahtzee Elba\nbehalte nichts\n", first)
    dice.passes(hours=1)
    copied = "\n".join([block_of(second)[0], block_of(second)[2], "behalte nichts", ""])
    assert "Wurf 3: " in answer_to(dice, ANNA, copied, first).text


def test_a_reply_to_the_round_before_rolls_nothing(dice: Any) -> None:
    """Rulings 3.11: nor does a mail of the round before mean the dice of this one."""
    first = dice.first[address_of(ANNA)]
    for name in (ANNA, BERND):
        answer_to(dice, name, "Wort-Yahtzee Elba\nstreiche\n")
    dice.passes(days=2)
    dice.tick()
    assert "Wurf 1: " in next(mail.text for to, mail in dice.mails() if to == address_of(ANNA))
    dice.passes(hours=1)
    again = answer_to(dice, ANNA, "Wort-Yahtzee Elba\nbehalte nichts\n", first)
    assert "Wurf 2: " not in again.text
    assert "Wurf 2: " in answer_to(dice, ANNA, "Wort-Yahtzee Elba\nbehalte nichts\n").text


def test_two_mails_at_once_roll_once(dice: Any) -> None:
    """The second, without the roll's number, was written before the new dice could be seen."""
    kept = block_of(dice.first[address_of(ANNA)])[2].split(":")[1].split()[0]
    for _ in range(2):
        dice.writes(ANNA, f"Wort-Yahtzee Elba\nbehalte {kept}\n")
    dice.tick()
    said = [dice.said(mail) for _, mail in dice.mails()]
    assert len(said) == 2
    assert "bevor du den jetzigen Stand" in said[1]


def test_between_two_rolls_a_move_is_missing(dice: Any) -> None:
    """Who has rolled still has to score: no answer says that nothing is missing."""
    dice.writes(ANNA, "Wort-Yahtzee Elba\nbehalte nichts\n")
    dice.answer(ANNA)
    dice.writes(ANNA, "Ich habe noch eine Frage zu dem Spiel hier.\n")
    said = dice.reply(ANNA)
    assert "Ein Zug von dir fehlt noch in »Elba«" in said
    assert "Wurf 2:" in said


def test_scores_wait_for_the_closing(dice: Any) -> None:
    """A box is struck on paper until the round closes; a further roll takes the move on file back."""
    dice.writes(ANNA, "Wort-Yahtzee Elba\nstreiche\n")
    dice.tick()
    assert "Zug Runde 1 angekommen" in next(mail.subject for _, mail in dice.mails())
    assert facts(dice, ANNA)["moved"]
    dice.writes(ANNA, "Wort-Yahtzee Elba\nbehalte nichts\n")
    dice.tick()
    assert not facts(dice, ANNA)["moved"]


def test_nobody_sees_the_dice_of_others(dice: Any) -> None:
    """The first mails show each the own roll only, and a roll by one brings the other nothing."""
    rolls = {to: re.search(r"Wurf 1: .*", mail.text)[0] for to, mail in dice.first.items()}  # type: ignore[index]
    assert len(set(rolls.values())) == 2
    for to, mail in dice.first.items():
        others = [roll for other, roll in rolls.items() if other != to]
        assert not any(roll in mail.text for roll in others)
    dice.writes(ANNA, "Wort-Yahtzee Elba\nbehalte nichts\n")
    dice.tick()
    assert {to for to, _ in dice.mails()} == {address_of(ANNA)}


def test_the_record_replays(dice: Any) -> None:
    """Rolls, a score, an NMR: recomputed from the seed."""
    dice.writes(ANNA, "Wort-Yahtzee Elba\nbehalte nichts\n")
    dice.tick()
    dice.passes(days=30)
    dice.tick()
    with dice.app.database.read() as session:
        assert verify(dice.app, session, game_queries.named(session, "Elba")) == []


# Doubtful words

GM = "cici@postspiel.example"


@pytest.fixture
def doubted(dice: Any) -> Any:
    """Anna's two best dice make a word that no list knows, and the move is sent; `word` is how the GM rules on it."""
    dice.word = word_of(dice)
    dice.told = say_and_hear(dice, ANNA, f"Wort-Yahtzee Elba\nwerte {dice.word}\n")
    return dice


def word_of(zine: Any) -> str:
    """Make a word that no list knows of two of Anna's first dice."""
    thrown = re.search(r"Wurf 1: (.*)", zine.first[address_of(ANNA)].text)[1]  # type: ignore[index]
    return "".join([face for face in thrown.split() if face in "BCDFGHJKLMNPQRSTVWXZ"][:2])


def say_and_hear(zine: Any, name: str, text: str) -> dict[str, Any]:
    """Write something and return the mails that come of it, by address."""
    zine.writes(name, text)
    zine.tick()
    return dict(zine.mails())


def todo(zine: Any) -> list[tuple[str, str]]:
    """List what waits for the GM about words."""
    with zine.app.database.read() as session:
        return [(row["about"], row["do"]) for row in waiting_for_gm(zine.app, session) if row["what"] == "words"]


def rule(zine: Any, word: str, accepted: bool) -> tuple[list[str], dict[str, Any]]:
    """Rule on a word; returns what the GM and what the players are told."""
    done = actions.rule(zine.app, "Elba", [word], accepted, "", False)
    zine.tick()
    return done, dict(zine.mails())


def close(zine: Any) -> dict[str, Any]:
    """Close the round; returns the mails of it."""
    actions.close(zine.app, "Elba", zine.now)
    zine.tick()
    return dict(zine.mails())


def points(zine: Any, name: str) -> tuple[int, int]:
    """Return the points of a seat, and what is open."""
    own = facts(zine, name)
    return own["points"], own["open"]


@pytest.mark.trust
def test_a_doubtful_word_is_put_to_the_gm_at_once(doubted: Any) -> None:
    """Whoever sent it reads why it counts nothing yet; the GM gets a mail with the lines to rule with."""
    said = doubted.said(doubted.told[address_of(ANNA)])
    assert f"In keiner Wörterliste steht: {doubted.word}. Darüber entscheidet Cici Beilken, und du bekommst" in said
    asked = doubted.said(doubted.told[GM])
    assert f"gm rule Elba accept {doubted.word}" in asked
    assert "Die Partie geht weiter; bis zu deiner Entscheidung zählt es nichts." in asked
    assert todo(doubted) == [(f"Elba: {doubted.word}", f"gm rule Elba accept|reject {doubted.word}")]


def test_it_is_asked_once(doubted: Any) -> None:
    """Neither the same move again nor the closing asks a second time; another move takes the question back."""
    assert GM not in say_and_hear(doubted, ANNA, f"Wort-Yahtzee Elba\nwerte {doubted.word}\n")
    assert GM not in close(doubted)
    assert len(todo(doubted)) == 1


def test_another_move_takes_the_question_back(doubted: Any) -> None:
    """Nobody needs a ruling on a word that lies nowhere."""
    say_and_hear(doubted, ANNA, "Wort-Yahtzee Elba\nstreiche\n")
    assert todo(doubted) == []


def test_a_closing_is_taken_back_with_the_ruling_after_it(doubted: Any) -> None:
    """`gm undo` takes the closing back, not the ruling, which the next closing counts by."""
    close(doubted)
    rule(doubted, doubted.word, True)
    worth, _ = points(doubted, ANNA)
    actions.undo(doubted.app, "Elba")
    doubted.tick()
    assert all("Auswertung von Runde 1" in doubted.said(mail) for _, mail in doubted.mails())
    assert points(doubted, ANNA) == (0, 0)
    assert GM not in close(doubted)
    assert points(doubted, ANNA) == (worth, 0)


def test_a_gm_who_plays_is_asked_after_the_closing(begin: Callable[..., Any]) -> None:
    """What is on file isn't for the eyes of a GM who plays; on the cards it is public."""
    dice = started(begin, service={"gm": f"Bernd <{address_of(BERND)}>"})
    told = say_and_hear(dice, ANNA, f"Wort-Yahtzee Elba\nwerte {word_of(dice)}\n")
    assert "In keiner Wörterliste steht" in dice.said(told[address_of(ANNA)])
    assert todo(dice) == []
    close(dice)
    assert todo(dice) == [(f"Elba: {word_of(dice)}", f"gm rule Elba accept|reject {word_of(dice)}")]


def test_a_step_within_the_round_shows_a_gm_who_plays_nothing(begin: Callable[..., Any]) -> None:
    """What was sent before a roll, or a ruling, is for the same round."""
    dice = started(begin, service={"gm": f"Bernd <{address_of(BERND)}>"})
    say_and_hear(dice, ANNA, "Wort-Yahtzee Elba\nwerte QXQX\n")
    refused = dice.rows(MailIn)[-1].id
    dice.passes(hours=1)
    say_and_hear(dice, ANNA, "Wort-Yahtzee Elba\nbehalte nichts\n")
    with dice.app.database.read() as session, pytest.raises(Refused, match="You play in Elba yourself"):
        check_mail(dice.app, session, f"{refused}")


def test_a_ruling_for_the_house_corrects_it_too(doubted: Any) -> None:
    """A ruling for all games reaches the game that waits for it."""
    close(doubted)
    actions.rule(doubted.app, "Elba", [doubted.word], True, "", True)
    assert points(doubted, ANNA)[1] == 0
    assert todo(doubted) == []


@pytest.mark.parametrize(("accepted", "what"), [(True, "du musst nichts tun"), (False, "darfst du einen anderen")])
def test_a_ruling_before_the_closing(doubted: Any, accepted: bool, what: str) -> None:
    """Who sent the word is told, nobody else, and the closing counts by the ruling."""
    _, told = rule(doubted, doubted.word, accepted)
    assert list(told) == [address_of(ANNA)]
    said = doubted.said(told[address_of(ANNA)])
    assert f"{doubted.word} zählt{'' if accepted else ' nicht'}" in said
    assert what in said
    assert todo(doubted) == []
    assert GM not in close(doubted)
    got, still_open = points(doubted, ANNA)
    assert (got > 0, still_open) == (accepted, 0)


@pytest.mark.trust
@pytest.mark.parametrize("rolls", [False, True])
@pytest.mark.parametrize("accepted", [True, False])
def test_a_ruling_after_the_closing_corrects_the_card_at_once(doubted: Any, accepted: bool, rolls: bool) -> None:
    """All are told the ruling and the new sums; dice and moves of the open round stay; a replay comes out the same."""
    close(doubted)
    got, worth = points(doubted, ANNA)
    assert (got, worth > 0) == (0, True)
    if rolls:
        say_and_hear(doubted, BERND, "Wort-Yahtzee Elba\nbehalte nichts\n")
    say_and_hear(doubted, BERND, "Wort-Yahtzee Elba\nstreiche\n")
    dice_before = facts(doubted, BERND)["dice"]
    done, told = rule(doubted, doubted.word, accepted)
    assert done == ["Elba: it counts from now on; all players are told"]
    assert set(told) == {address_of(ANNA), address_of(BERND)}
    for mail in told.values():
        said = doubted.said(mail)
        assert f"{doubted.word} zählt{'' if accepted else ' nicht'}" in said
        assert (f"{ANNA}: {worth} (vorher 0)" in said) == accepted
        assert "Einspruch" not in said
    assert points(doubted, ANNA) == (worth if accepted else 0, 0)
    assert (facts(doubted, BERND)["dice"], facts(doubted, BERND)["moved"]) == (dice_before, True)
    assert todo(doubted) == []
    close(doubted)
    assert points(doubted, ANNA) == (worth if accepted else 0, 0)
    with doubted.app.database.read() as session:
        assert verify(doubted.app, session, game_queries.named(session, "Elba")) == []
