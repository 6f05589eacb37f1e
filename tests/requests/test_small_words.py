"""Small words around a command or a move do no harm, and never make a move of what isn't one (issue 47)."""

from typing import Any

import pytest
import seating

from gm.demo.in_memory_zine import PLAYERS, address_of
from gm.requests.desk import actions
from gm.store.queries import game_queries
from gm.store.tables import AdvanceMove

ANNA, BERND = PLAYERS[:2]
GM = "cici@postspiel.example"
CAME = "angekommen"
"""In the subject of the answer to a move that was taken."""


def begun(zine: Any, kind: str) -> Any:
    """Start Riga, and return Anna's last mail: she is to move."""
    actions.new_game(zine.app, kind, "Riga")
    with zine.writing() as session:
        game_queries.named(session, "Riga").seed = SEEDS[kind]
    for name in (ANNA, BERND):
        seating.join(zine.app, "Riga", name, address_of(name), None)
    actions.start(zine.app, "Riga")
    zine.tick()
    if kind == "combinato":
        for name, word in ((ANNA, "BILD"), (BERND, "HERD")):
            zine.writes(name, f"Combinato Riga\nGeheim: {word}\n")
        zine.tick()
        zine.passes(days=1)
        zine.tick()
    return next(mail for to, mail in reversed(zine.mails()) if to == address_of(ANNA))


SEEDS = {"combinato": "a", "farbdomino": "b", "typ-dom": "a", "wer-behaelt-recht": "a", "wort-yahtzee": "b"}
"""With these Anna begins, and her dice show an E."""


def answers(zine: Any, text: str, asked: Any, name: str = ANNA) -> dict[str, Any]:
    """Reply to a mail, and return what then went out, by address."""
    zine.writes(name, text, subject=f"Re: {asked.subject}", in_reply_to=asked.message_id)
    zine.tick()
    return dict(zine.mails())


MOVES = {
    "wer-behaelt-recht": ["mitte F FADEN, bitte. Anna", "mitte f Faden 😊"],
    "farbdomino": ["c1 0,0 gn 😊", "c1 0,0 gn, bitte\nAnna", "Bitte c1 0,0 gn. LG A"],
    "wort-yahtzee": ["behalte E 😊", "ich behalte E, danke. Anna", "I keep E please", "behalte E bitte\nAnna"],
    "typ-dom": [
        "ich kaufe schwarz", "Ich kaufe schwarz.", "kaufe schwarz. Anna", "kaufe schwarz Anna", "kaufen bitte",
        "kaufen, bitte! 😊", "I buy black, please", "Kaufe rot, danke und lg Anna", "kaufe schwarz\nAB",
        "kaufe schwarz\n\nA.", "Hallo Cici,\nich kaufe schwarz\nMit sportlichem Gruß\nAnna Berg",
        "Typ-Dom Riga\nStand: 1\nich kaufe schwarz. Anna", "kaufe schwarz ^^",
        "kaufe bitte schwarz", "Sehr geehrte Frau Beilken,\nich kaufe schwarz.\nIhre Anna Berg",
    ],
    "combinato": [
        "BROT\nAnna", "BROT\n\nAnna", "BROT\nAnna Berg", "BROT\nA. Berg", "BROT\nA.B.", "BROT\nAB", "BROT\n\nAB",
        "BROT\nLG Anna", "BROT, lg Anna", "BROT. Anna", "BROT 😊", "brot 🙂👍", "BROT :-)", "BROT, danke!",
        "BROT please", "bitte BROT", "BROT\nVielen Dank und liebe Grüße\nAnna", "Hallo Cici,\nBROT\nAnna",
        "Hallo Cici, BROT, danke", "Mein Zug: BROT", "Rat: BROT 😊", "Combinato Riga\nBROT\nAnna",
        "brot\n\nAnna", "Brot\n🌻\n\nA. B.", "Sehr geehrte Frau Beilken,\n\nBROT\n\nIhre A. Berg",
        "BROT\n\nViel Glück allen!", "BROT (Anna)", "Mein Wort ist BROT", "Hallo,\nmein Wort:\nBROT\nLG Anna",
        "ich rate BROT", "I take BROT, thanks", "BROT\nHochachtungsvoll\nA. Berg",
    ],
}  # fmt: skip
NO_MOVES = {
    "wort-yahtzee": ["behalte E ♦", "behalte E, A", "ich behalte nichts davon, danke"],
    "wer-behaelt-recht": ["mitte F 😊", "mitte F ZANGE bitte", "mitte F bitte"],
    "farbdomino": ["c1 0,0 🟡"],
    "typ-dom": [
        "kaufe nicht schwarz, danke", "ich kaufe schwarz 👎", "kaufe schwarz? Anna", "ich kaufe schwarz, wenn es geht",
        "ich kaufe nichts, danke", "kaufe schwarz, oder? 😊", "kaufe schwarz. Bernd", "kaufe schwarz\nBC",
        "kaufe ich schwarz", "danke, Anna", "ich\nAnna", "KAUFEN BITTE", "kaufe 🔴",
        "ich spiele weiter, danke", "kaufe schwarz (nicht rot?)", "hier mein Zug für später: kaufe schwarz",
    ],
    "combinato": [
        "BROT\nROSA", "BROT\n\nROSA", "brot\nrosa", "BROT. ROSA", "BROT\nANNA", "brot\nanna", "Toll, danke!", "TOLL 😊",
        "fies 😊", "Hallo Cici,\nich bin krank\ntoll\nAnna", "Hund 😊\n\nUnd wie geht es dir?", "BROT oder BILD, bitte",
        "BROT 🤔", "nicht BROT, danke", "Hallo Cici, schade!", "BROT, lg Bernd",
        "ich nehme teil", "Ich nehme Teil, danke", "BROT, mein Zug kommt noch", "mein Wort ist nicht BROT",
    ],
}  # fmt: skip


@pytest.mark.trust(except_first=10)
@pytest.mark.parametrize(("kind", "text"), [(kind, text) for kind, texts in MOVES.items() for text in texts])
def test_moves_with_small_words(zine: Any, kind: str, text: str) -> None:
    """Smileys, politeness, `ich` and the sender's own name leave the move what it is; the GM hears nothing of it."""
    sent = answers(zine, f"{text}\n", begun(zine, kind))
    assert CAME in sent[address_of(ANNA)].subject, zine.last_reason()
    assert GM not in sent


@pytest.mark.trust(except_first=10)
@pytest.mark.parametrize(("kind", "text"), [(kind, text) for kind, texts in NO_MOVES.items() for text in texts])
def test_what_may_mean_something_else_is_no_move(zine: Any, kind: str, text: str) -> None:
    """A name that is a word of the game, another's name, a doubt or a denial: nothing is filed."""
    sent = answers(zine, f"{text}\n", begun(zine, kind))
    assert CAME not in sent[address_of(ANNA)].subject, zine.last_reason()


@pytest.mark.trust(except_first=3)
@pytest.mark.parametrize(
    ("text", "is_taken"),
    [("BROT\nROSA", False), ("BROT\n\nROSA", False), ("brot\nrosa", False), ("Brot\nRosa", False),
     ("BROT. ROSA", False), ("BROT\nRosa Klein", True), ("BROT\nRK", True), ("BROT\nLG Rosa", True),
     ("BROT\nRosa", True)],
)  # fmt: skip
def test_a_name_that_is_a_word_of_the_game(zine: Any, text: str, is_taken: bool) -> None:
    """Of two words nobody knows which is the move, unless one is written as names are and the other isn't."""
    rosa = "Rosa Klein"
    seating.start(zine.app, "combinato", "Riga", (rosa, BERND))
    for name, word in ((rosa, "BILD"), (BERND, "HERD")):
        zine.writes(name, f"Combinato Riga\nGeheim: {word}\n")
    zine.tick()
    zine.passes(days=1)
    zine.tick()
    asked = next(mail for to, mail in reversed(zine.mails()) if to == address_of(rosa))
    sent = answers(zine, f"{text}\n", asked, rosa)
    assert (CAME in sent[address_of(rosa)].subject) == is_taken


@pytest.mark.parametrize(
    ("text", "is_kept"),
    [
        ("ich kaufe schwarz, bitte 😊", True), ("kaufe schwarz. Bernd", True), ("kaufe schwarz\nLG Bernd", True),
        ("kaufe schwarz?", False), ("kaufe nicht schwarz, bitte", False), ("kaufe schwarz. Anna", False),
    ],
)  # fmt: skip
def test_moves_in_advance_with_small_words(zine: Any, text: str, is_kept: bool) -> None:
    """A move that is kept for its turn is read the same way."""
    asked = begun(zine, "typ-dom")
    sent = answers(zine, f"Vorab Riga\n{text}\n", asked, BERND)
    assert (zine.rows(AdvanceMove) != []) == is_kept, sent[address_of(BERND)].text


COMMANDS = {
    "Zurückziehen Eriwan 😊": "ist zurückgezogen", "Zurückziehen Eriwan, danke!": "ist zurückgezogen",
    "Withdraw Eriwan please": "is withdrawn", "Warten Eriwan bitte": "wartet in Runde 1",
    "Bitte warten Eriwan": "wartet in Runde 1", "Warten Eriwan, LG Anna": "wartet in Runde 1",
    "Warten Eriwan Anna": "wartet in Runde 1", "Warten bitte": "wartet in Runde 1",
    "Hallo Cici, Warten Eriwan bitte 😊": "wartet in Runde 1", "Wait Eriwan, please :-)": "will wait for the deadline",
    "Verlängerung Eriwan 3 Tage, bitte!": "Wunsch nach einem späteren ZAT",
    "Verlängerung bitte Eriwan 3 Tage": "Wunsch nach einem späteren ZAT",
    "Extension Eriwan 3 days, thank you": "wish for a later deadline",
    "Stand Eriwan - danke und viele Grüße, Anna Berg": "so steht »Eriwan«", "Stand bitte": "so steht »Eriwan«",
    "🙂 Status Eriwan, thanks in advance!": "Position in round 1",
    "Digest aus bitte": "Die Übersicht kommt nicht mehr", "Urlaub 24.12.-6.1., danke 🎄": "Schönen Urlaub",
    "Protokoll Eriwan bitte": "noch einmal", "Hilfe, bitte! 😀": "So spielt man hier",
}  # fmt: skip
NO_COMMANDS = [
    "Zurückziehen Eriwan? 😊",
    "Zurückziehen Eriwan nicht, bitte",
    "Bitte nicht zurückziehen Eriwan, danke",
    "Zurückziehen Eriwan 👎",
    "Warten Eriwan oder Riga, bitte",
    "danke, warten ist gut",
    "Vorab danke!",
    "Vielen Dank für die Verlängerung Eriwan 3 Tage",
    "Withdraw Eriwan, or not? Thanks",
    "Warten Eriwan Bernd",
    "I withdraw Eriwan? please",
]


@pytest.mark.trust(except_first=6)
@pytest.mark.parametrize(("text", "said"), COMMANDS.items())
def test_commands_with_small_words(eriwan: Any, text: str, said: str) -> None:
    """A command with small words around it is the command, in the body and in the subject."""
    for in_subject in (False, True):
        eriwan.sends(ANNA, "DN")
        eriwan.tick()
        eriwan.mails()
        eriwan.writes(ANNA, "\n" if in_subject else f"{text}\n", subject=text if in_subject else "Eriwan")
        assert said in eriwan.reply(ANNA)


@pytest.mark.parametrize("text", NO_COMMANDS)
def test_what_may_mean_something_else_is_no_command(eriwan: Any, text: str) -> None:
    """A question, a denial or another's name stays prose: nothing changes."""
    eriwan.sends(ANNA, "DN")
    eriwan.tick()
    eriwan.mails()
    eriwan.writes(ANNA, f"{text}\n")
    eriwan.tick()
    assert eriwan.on_file(ANNA) == ("dn", "E")
    assert not any("wartet in Runde" in eriwan.said(mail) for _, mail in eriwan.mails())
