"""What is on file: the last valid block of a seat that arrived in its round, and every mail is answered once."""

import re
from typing import Any

import pytest
import seating

from games import engines
from gm.demo.in_memory_zine import PLAYERS, address_of
from gm.requests.desk import actions
from gm.store.tables import Sheet

ANNA = "Anna Berg"


def test_a_move_is_confirmed_and_on_file(eriwan: Any) -> None:
    """A valid block is confirmed with what was understood, and filed."""
    eriwan.sends(ANNA, "DN", "E")
    mail = eriwan.answer(ANNA)
    assert mail.subject == "[Eriwan] Zug Runde 1 angekommen"
    assert "a1 D, b1 N" in eriwan.said(mail)
    assert eriwan.on_file(ANNA) == ("dn", "E")


def test_a_move_is_settled_by_the_closing(eriwan: Any) -> None:
    """What was on file at the ZAT lies on the board afterwards, and the wish is a letter of the next round."""
    eriwan.sends(ANNA, "DN", "X")
    eriwan.passes(days=15)
    eriwan.tick()
    assert eriwan.round == 2
    assert eriwan.seat(ANNA)["grid"][0] == "dn...."
    assert eriwan.show()["letters"] == "INORTX"


def test_same_mail_under_two_uids_counts_once(eriwan: Any) -> None:
    """The same bytes delivered twice (a mail server that repeats itself) give one answer and one sheet."""
    raw = eriwan.sends(ANNA, "DN")
    eriwan.arrives(raw)
    eriwan.answer(ANNA)
    assert [row.status for row in eriwan.received()] == ["applied", "ignored"]
    assert len(eriwan.rows(Sheet)) == 1
    eriwan.arrives(raw)
    eriwan.tick()
    assert eriwan.nothing_new()
    assert eriwan.server.folders["INBOX"] == {}


def test_the_repeated_mail_does_not_bring_an_old_move_back(eriwan: Any) -> None:
    """A copy of an earlier mail that arrives after a newer move leaves the newer one on file."""
    raw = eriwan.sends(ANNA, "DN")
    eriwan.sends(ANNA, "TI")
    eriwan.arrives(raw)
    eriwan.tick()
    assert eriwan.on_file(ANNA) == ("ti", "E")


def test_a_new_uidvalidity_repeats_nothing(eriwan: Any) -> None:
    """When the server numbers all mails anew and puts handled ones back, nothing happens a second time."""
    eriwan.sends(ANNA, "DN")
    eriwan.tick()
    eriwan.sends(ANNA, "TI")
    eriwan.tick()
    eriwan.mails()
    for uid in list(eriwan.server.folders["GM/Processed"]):
        eriwan.server.transfer(uid, "GM/Processed", "INBOX")
    eriwan.server.renumber()
    report = eriwan.tick()
    assert report.received == 2
    assert eriwan.nothing_new()
    assert eriwan.on_file(ANNA) == ("ti", "E")
    assert len(eriwan.rows(Sheet)) == 2


def test_same_id_with_other_content_is_another_mail(eriwan: Any) -> None:
    """A mail program that uses a Message-ID twice loses nothing: only the same content is a duplicate."""
    eriwan.sends(ANNA, "DN", message_id="<one@spieler.example>")
    eriwan.sends(ANNA, "TI", message_id="<one@spieler.example>")
    eriwan.tick()
    assert len(eriwan.mails()) == 2
    assert eriwan.on_file(ANNA) == ("ti", "E")


def test_a_then_b_then_a_leaves_a(eriwan: Any) -> None:
    """An earlier move that is sent again counts again."""
    for letters in ("DN", "TI", "DN"):
        eriwan.sends(ANNA, letters)
        eriwan.answer(ANNA)
    assert eriwan.on_file(ANNA) == ("dn", "E")


def test_order_of_arrival_decides_not_order_of_fetching(eriwan: Any) -> None:
    """Mails fetched in one go are read in the order in which the server got them."""
    early = eriwan.now
    eriwan.passes(hours=1)
    eriwan.sends(ANNA, "TI")
    late, eriwan.now = eriwan.now, early
    eriwan.sends(ANNA, "DN")
    eriwan.now = late
    eriwan.tick()
    assert eriwan.on_file(ANNA) == ("ti", "E")


def test_withdrawing_leaves_nothing(eriwan: Any) -> None:
    """`Zurückziehen` takes everything of this round back, earlier moves too."""
    eriwan.sends(ANNA, "DN")
    eriwan.sends(ANNA, "TI")
    eriwan.writes(ANNA, "Zurückziehen Eriwan\n")
    eriwan.tick()
    answers = [mail.subject for _, mail in eriwan.mails()]
    assert answers[-1] == "[Eriwan] Zug Runde 1 zurückgezogen"
    assert eriwan.on_file(ANNA) is None
    eriwan.sends(ANNA, "RO")
    eriwan.tick()
    assert eriwan.on_file(ANNA) == ("ro", "E")


def test_withdrawing_nothing_is_answered(eriwan: Any) -> None:
    """`Zurückziehen` with nothing on file says so."""
    eriwan.writes(ANNA, "Zurückziehen Eriwan\n")
    assert "kein Zug von dir vor" in eriwan.reply(ANNA)


def test_an_illegal_block_leaves_the_valid_one(eriwan: Any) -> None:
    """A refusal names every fault, says that the earlier move counts, and leaves it on file."""
    eriwan.sends(ANNA, "DN")
    eriwan.tick()
    eriwan.mails()
    eriwan.sends(ANNA, "QX")
    mail = eriwan.answer(ANNA)
    assert mail.subject == "[Eriwan] Zug Runde 1 NICHT angenommen: 2 Fehler"
    assert "a1" in eriwan.said(mail)
    assert "b1" in eriwan.said(mail)
    assert "Dein voriger Zug liegt weiter vor" in eriwan.said(mail)
    assert eriwan.on_file(ANNA) == ("dn", "E")


def test_words_beside_an_illegal_block_are_passed_on_without_a_refusal_of_their_own(eriwan: Any) -> None:
    """What was said beside a refused block reaches the GM. That is no second failure: subject and red head are one."""
    block = "Neu: E\nD.....\n.N....\n..TT..\n......\n......\n......"
    eriwan.writes(ANNA, f"hi, ich hoffe das passt so:\n{block}\nlg Anna", subject="Eriwan zug")
    mail = eriwan.answer(ANNA)
    assert mail.subject == "[Eriwan] Zug Runde 1 NICHT angenommen: 1 Fehler"
    assert "WEITERGEGEBEN" in eriwan.said(mail).upper()
    assert "DAS GING NICHT" not in eriwan.said(mail).upper()


def test_the_offered_correction_is_a_valid_move(eriwan: Any) -> None:
    """The block in a refusal can be sent back as it stands."""
    eriwan.sends(ANNA, "DQ", "E")
    mail = eriwan.answer(ANNA)
    lines = [line.strip() for line in mail.text.splitlines()]
    start = lines.index("Crossword Eriwan, Runde 1")
    eriwan.writes(ANNA, "\n".join(lines[start : start + 8]) + "\n")
    assert "angekommen" in eriwan.answer(ANNA).subject
    assert eriwan.on_file(ANNA) == ("d", "E")


def test_two_different_blocks_in_one_mail_are_both_refused(eriwan: Any) -> None:
    """Of two different blocks for one game none is taken, whatever was on file stays, and the answer says so."""
    eriwan.sends(ANNA, "RO")
    eriwan.tick()
    eriwan.mails()
    eriwan.writes(ANNA, eriwan.block(ANNA, "DN") + "\n" + eriwan.block(ANNA, "TI"))
    mail = eriwan.answer(ANNA)
    assert "zwei verschiedene Züge" in eriwan.said(mail)
    assert mail.subject.startswith("[Eriwan]")
    assert eriwan.on_file(ANNA) == ("ro", "E")


def test_two_blocks_clash_also_where_one_does_not_name_the_game(eriwan: Any) -> None:
    """`Crossword Eriwan` and a bare `Crossword` mean the same game here: two different blocks are refused."""
    eriwan.writes(ANNA, eriwan.block(ANNA, "DN") + "\n" + eriwan.block(ANNA, "TI").replace(" Eriwan", ""))
    assert "zwei verschiedene Züge" in eriwan.reply(ANNA)
    assert eriwan.on_file(ANNA) is None


def test_the_same_block_twice_in_one_mail_is_one_move(eriwan: Any) -> None:
    """A block that stands twice in a mail, word for word, is taken and confirmed once."""
    eriwan.writes(ANNA, eriwan.block(ANNA, "DN") + "\n" + eriwan.block(ANNA, "DN"))
    mail = eriwan.answer(ANNA)
    assert mail.text.count("ist gültig und gespeichert") == 1
    assert "ersetzt" not in eriwan.said(mail)
    assert eriwan.on_file(ANNA) == ("dn", "E")


def test_the_unedited_template_is_no_move(eriwan: Any) -> None:
    """The block as we sent it, sent back, files nothing and takes nothing back."""
    eriwan.sends(ANNA, "", "")
    assert eriwan.answer(ANNA).subject == "[Eriwan] Nichts eingetragen"
    assert eriwan.on_file(ANNA) is None
    eriwan.sends(ANNA, "DN")
    eriwan.sends(ANNA, "", "")
    eriwan.tick()
    assert "Dein voriger Zug" in eriwan.mails()[-1][1].text
    assert eriwan.on_file(ANNA) == ("dn", "E")


def test_the_template_in_the_bulletin_can_be_filled_in(eriwan: Any) -> None:
    """What stands in the bulletin's block, with letters added, is a valid move."""
    eriwan.passes(days=15)
    eriwan.tick()
    text = eriwan.gets(ANNA).text
    block = [line.strip() for line in text.splitlines()][
        text.splitlines().index("     Crossword Eriwan, Runde 2   ") :
    ][:8]
    block[1:3] = ["Neu: X", "DN...."]
    eriwan.writes(ANNA, "\n".join(block))
    assert eriwan.answer(ANNA).subject == "[Eriwan] Zug Runde 2 angekommen"


def test_a_quoted_template_is_no_move(eriwan: Any) -> None:
    """A quoted grid, with or without new letters, is never a move."""
    quoted = "".join(f"> {line}\n" for line in eriwan.block(ANNA, "DN").splitlines())
    eriwan.writes(ANNA, f"Danke!\n\nAm 02.11.2026 schrieb Dottendorfer Soccer:\n{quoted}")
    eriwan.answer(ANNA)
    assert eriwan.on_file(ANNA) is None


def test_the_wish_alone_completes_the_move(eriwan: Any) -> None:
    """A grid without a wish is filed and the wish is asked for; `Neu:` alone completes it, the grid stays."""
    eriwan.sends(ANNA, "DN", "")
    assert "Wunsch" in eriwan.reply(ANNA)
    assert eriwan.on_file(ANNA) == ("dn", "")
    eriwan.writes(ANNA, "Crossword Eriwan\nNeu: X\n")
    assert "angekommen" in eriwan.answer(ANNA).subject
    assert eriwan.on_file(ANNA) == ("dn", "X")
    assert [sheet.complete for sheet in eriwan.rows(Sheet)] == [False, True]


def test_the_grid_alone_keeps_the_wish(eriwan: Any) -> None:
    """The other way round: a new grid without a wish keeps the wish on file."""
    eriwan.sends(ANNA, "DN", "X")
    eriwan.sends(ANNA, "TI", "")
    eriwan.tick()
    assert eriwan.on_file(ANNA) == ("ti", "X")


@pytest.mark.parametrize("line", ["Runde: 1", "Round: 1"])
def test_the_right_round_is_taken(eriwan: Any, line: str) -> None:
    """A block that names the present round is taken."""
    eriwan.sends(ANNA, "DN", head=(line,))
    assert "angekommen" in eriwan.answer(ANNA).subject


@pytest.mark.parametrize("number", [0, 2, 7])
def test_a_wrong_round_is_refused(eriwan: Any, number: int) -> None:
    """A block that names another round is refused, and the answer names the present one."""
    eriwan.sends(ANNA, "DN", head=(f"Runde: {number}",))
    assert "Runde: 1" in eriwan.reply(ANNA)
    assert eriwan.on_file(ANNA) is None


def test_a_block_without_a_game_is_found_by_its_sender(eriwan: Any) -> None:
    """With a single game the name may be missing; the answer says how the game was found."""
    eriwan.writes(ANNA, eriwan.block(ANNA, "DN").replace(" Eriwan", ""))
    mail = eriwan.answer(ANNA)
    assert "angekommen" in mail.subject
    assert "Hinweis" in eriwan.said(mail)
    assert eriwan.on_file(ANNA) == ("dn", "E")


def test_an_english_command_is_answered_in_english(eriwan: Any) -> None:
    """The answer speaks the language of the command."""
    eriwan.sends(ANNA, "DN")
    eriwan.tick()
    eriwan.mails()
    eriwan.writes(ANNA, "Withdraw Eriwan\n")
    assert eriwan.answer(ANNA).subject == "[Eriwan] Move for round 1 withdrawn"


def test_a_mail_that_cannot_be_read_stops_nobody(eriwan: Any) -> None:
    """A broken mail goes to quarantine with one notice to the GM; the next mail is handled all the same."""
    eriwan.arrives(b"From: anna@spieler.example\r\nSubject: x\r\n\r\n" + b"\0" * 10)
    eriwan.arrives(b"")
    eriwan.sends("Bernd Cordes", "DN")
    eriwan.tick()
    assert eriwan.on_file("Bernd Cordes") == ("dn", "E")
    assert eriwan.server.folders["INBOX"] == {}


def test_the_address_may_be_written_in_capitals(eriwan: Any) -> None:
    """`Anna@Spieler.Example` is Anna."""
    eriwan.sends(ANNA, "DN", sender=address_of(ANNA).title())
    assert "angekommen" in eriwan.answer(ANNA).subject
    assert eriwan.on_file(ANNA) == ("dn", "E")


@pytest.mark.trust(except_first=1)
@pytest.mark.parametrize("key", engines())
def test_the_number_that_our_mails_show_is_this_round(begin: Any, key: str) -> None:
    """Rulings 3.17: `Runde: n` refuses blocks of another round only; each number that mails show for it is accepted."""
    zine, rules = begin("empty"), engines()[key].rules
    other = re.compile(r"ist für (?:Runde|Zug|Durchgang) (\d+)")
    actions.new_game(zine.app, key, "Riga")
    for name, wish in zip(PLAYERS[: rules.seats[1]], "ENRSTADILUGH", strict=False):
        seating.join(zine.app, "Riga", name, address_of(name), wish)
    actions.start(zine.app, "Riga")
    zine.tick()
    for name, mail in [(name, mail) for to, mail in zine.mails() for name in PLAYERS if to == address_of(name)]:
        shown = set(re.findall(r"(?:Runde|Zug|Durchgang) (\d+)(?! von)", mail.subject))
        for number in shown or {"1"}:
            for label in ("Runde", "Round", *(["Zug"] if rules.unit == "turn" else ())):
                zine.writes(name, f"{rules.title} Riga\n{label}: {number}\n?\n")
                zine.tick()
                assert not any(other.search(zine.said(one)) for _, one in zine.mails())
    zine.writes(PLAYERS[0], f"{rules.title} Riga\nRunde: 4\n?\n")
    zine.tick()
    assert [found[1] for _, one in zine.mails() if (found := other.search(zine.said(one)))] == ["4"]
