"""What the sender wrote: quotations, signatures and footers go, every row of a grid stays."""

import pytest
from cpu_cost import work_units
from hypothesis import given, settings
from hypothesis import strategies as st

from parsers.mime.quoting import divide, is_forward


def own_text(text: str) -> str:
    """What the sender wrote."""
    return divide(text).own


BLOCK = "Crossword Eriwan\nNeu: D\nbrecHt\nra..Ua\nuR...n\n.....Z\n.....e\nR..B.n"
QUOTE = "> Crossword Eriwan, Runde 3\n>\n>> Neu:\n> brecht"

ATTRIBUTIONS = [
    "Am 21.11.2026 um 12:38 schrieb GM:",
    "Am Sa., 21. Nov. 2026 um 12:38 Uhr schrieb GM <gm@example.org>:",
    "Am Sa., 21. Nov. 2026 um 12:38 Uhr schrieb Dottendorfer Soccer\n<gm@example.org>:",
    "Am Samstag, 21. November 2026,\num 12:38 Uhr, schrieb der GM der Dottendorfer\nSoccer <gm@example.org>:",
    "GM <gm@example.org> schrieb am Sa., 21. Nov. 2026, 12:38:",
    "GM <gm@example.org> hat am 21.11.2026 12:38 CET geschrieben:",
    "Am Samstag, 21. November 2026 um 12:38:00 MEZ hat GM <gm@example.org> Folgendes geschrieben:",
    "On Sat, Nov 21, 2026 at 12:38 PM GM <gm@example.org> wrote:",
    "On 21/11/2026 12:38, GM wrote:",
    "2026-11-21 12:38 GMT+01:00 GM <gm@example.org>:",
]
HEADS = [
    "Von: GM <gm@example.org>\nGesendet: Samstag, 21. November 2026 12:38\nAn: Anna\nBetreff: Eriwan",
    'Gesendet: Samstag, 21. November 2026 um 12:38 Uhr\nVon: "GM" <gm@example.org>\nAn: anna@gmx.example',
    "*From:* GM <gm@example.org>\n*Sent:* Saturday\n*To:* Anna\n*Subject:* Eriwan",
    "Von: GM\n\nGesendet: Samstag\n\nAn: Anna",
    "-----Ursprüngliche Nachricht-----\nVon: GM\nGesendet: Samstag",
    "-----Original Message-----",
    "-------- Ursprüngliche Nachricht --------Von: GM Datum: 21.11.26",
    "-------- Weitergeleitete Nachricht --------\nBetreff: Eriwan",
    "---------- Forwarded message ---------\nFrom: GM <gm@example.org>\nDate: Sat",
    "Anfang der weitergeleiteten Nachricht:\n\nVon: GM\nBetreff: Eriwan",
    "Begin forwarded message:",
    "________________________________\nVon: GM",
]


@pytest.mark.parametrize("introduction", ATTRIBUTIONS)
@pytest.mark.parametrize("gap", ["\n", "\n\n"])
def test_attribution_with_quotation_goes(introduction: str, gap: str) -> None:
    """An attribution and the marked quotation below it go; what stands below them is read."""
    assert own_text(f"Hallo!\n{introduction}{gap}{QUOTE}\n{BLOCK}") == f"Hallo!\n\n{BLOCK}"


@pytest.mark.parametrize("introduction", [*ATTRIBUTIONS, *HEADS])
def test_unmarked_quotation_is_cut(introduction: str) -> None:
    """Where no marked quotation follows, the rest of the mail is the quotation."""
    assert own_text(f"{BLOCK}\n\n{introduction}\nCrossword Eriwan\nNeu:\nbrecht\n") == BLOCK


@pytest.mark.parametrize("introduction", HEADS[:-1])
def test_head_with_quotation_goes(introduction: str) -> None:
    """A head with a marked quotation below it is dropped, reading goes on."""
    assert own_text(f"{introduction}\n\n{QUOTE}\n\n{BLOCK}") == f"\n{BLOCK}".strip("\n")


def test_inline_posting() -> None:
    """Own rows between quoted ones are kept, a blank line apart."""
    assert own_text("> Crossword Eriwan\nCrossword Eriwan\n| brecht\n\n> x\nbrecHt") == "Crossword Eriwan\n\nbrecHt"


@pytest.mark.parametrize(
    "line",
    [
        "_.....", "......", "______", "------", "-.....", "-", "*.....", "·····X",
        "=> Eriwan", "A > B", "- anna", "-->",
        "Von: Anna", "Am 3. Zug schrieb ich Eriwan", "Wie ich schrieb:", "Ich habe geschrieben:", "Neu: D",
        "Gesendet von mir:", "Am 21.11. komme ich", "Kontakt: Anna <anna@gmx.example>", "x" * 400,
    ],
)  # fmt: skip
def test_own_lines_stay(line: str) -> None:
    """Rows of a grid and prose that only resembles an introduction are the sender's own."""
    assert own_text(f"Crossword Eriwan\n{line}\nra..Ua") == f"Crossword Eriwan\n{line}\nra..Ua"


def test_loose_attribution() -> None:
    """`Anna schrieb:` goes where a marked quotation follows."""
    assert own_text("Hallo\nAnna schrieb:\n> x\n\nNeu: D") == "Hallo\n\nNeu: D"


@pytest.mark.parametrize(
    "footer",
    ["-- \nAnna", "--\nAnna\n\nCrossword Eriwan", "_" * 47 + "\nListe", "Sie erhalten diese Nachricht, weil Sie",
     "You received this message because you are subscribed to x", "-- \r\nAnna".replace("\r", "")],
)  # fmt: skip
def test_signature_and_list_footer_cut(footer: str) -> None:
    """Behind a signature's mark or a list's footer nothing is read."""
    assert own_text(f"{BLOCK}\n{footer}") == BLOCK


def test_text_below_a_first_mark() -> None:
    """Some programs put the signature's mark on top, and people write below it; the next one ends the text."""
    assert own_text(f"\n-- \n{BLOCK}\n-- \nAnna") == BLOCK


@pytest.mark.parametrize(
    "footer",
    ["Von meinem iPhone gesendet", "Von meiner Schreibmaschine gesendet.", "Sent from my iPhone",
     "Gesendet von Mail für Windows 10", "Gesendet mit der GMX iPhone App", "Get Outlook for iOS",
     "Holen Sie sich Outlook für Android", "Diese Nachricht wurde von meinem Android-Gerät mit K-9 Mail gesendet."],
)  # fmt: skip
def test_telephone_footer_is_dropped(footer: str) -> None:
    """A telephone's line goes, what stands below it stays."""
    assert own_text(f"Hallo\n{footer}\nNeu: D") == "Hallo\nNeu: D"


def test_quoted_text() -> None:
    """Quoted lines are available without their marks, also those below a signature and those without any mark."""
    assert divide(f"Hallo\n{QUOTE}\n| x").quoted == "Crossword Eriwan, Runde 3\n\nNeu:\nbrecht\nx"
    assert divide("Hallo\n-- \nAnna\n> x\n").quoted == "-- \nAnna\nx\n"
    assert divide("Hallo\nVon: GM\nGesendet: heute\n\nNeu:\n").quoted == "\nNeu:\n"


def test_inline_signature() -> None:
    """What PGP puts around a signed text goes, and the dashes that it escapes come back."""
    signed = f"-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\n{BLOCK}\n- -----\n- -x\n"
    armor = "-----BEGIN PGP SIGNATURE-----\n\nabc\n=def\n-----END PGP SIGNATURE-----\n"
    assert own_text(f"Hallo\n{signed}{armor}Gruß") == f"Hallo\n{BLOCK}\n-----\n-x\nGruß"


def test_is_forward() -> None:
    """A forward head of the sender's own is noticed, one inside a quotation isn't."""
    assert is_forward("FYI\n---------- Forwarded message ---------\nx")
    assert not is_forward("> ---------- Forwarded message ---------\nx")


@pytest.mark.parametrize(
    "filling",
    ["Am 21.11.2026 schrieb ", "Am 21.11.2026 schrieb\n", "Am 1 schrieb:\n", "a schrieb:\n\n\n", "\n", ">", "> \n",
     "Von: a\n", "Von: a\nGesendet: b\n> x\n", "<a@b\n", "Von meinem ", "-----Original Message-----\n>\n"],
)  # fmt: skip
def test_hostile_texts_are_quick(filling: str) -> None:
    """64 kB of anything is cut in half of the time that a mail has."""
    text = filling * (64_000 // len(filling))
    assert work_units(lambda: own_text(text), most=500) < 500


@settings(deadline=None)
@given(st.lists(st.sampled_from([*BLOCK.split("\n"), "> x", "", "Am 1 schrieb a:", "Von: a", "An: b", "--"])))
def test_nothing_is_added(lines: list[str]) -> None:
    """Own text is made of the mail's lines in their order and holds no quoted one."""
    kept = [line for line in own_text("\n".join(lines)).split("\n") if line]
    left = iter(lines)
    assert all(line in left for line in kept)
    assert "> x" not in kept


@pytest.mark.parametrize(("length", "own"), [(300, "Zug"), (301, None)])
def test_an_introduction_has_at_most_300_characters(length: int, own: str | None) -> None:
    """A longer line above a quotation is something that the sender wrote, whatever it ends with."""
    line = f"Anna {'x' * (length - len('Anna  schrieb:'))} schrieb:"
    assert own_text(f"Zug\n\n{line}\n> Neu: D").strip() == (own or f"Zug\n\n{line}")
