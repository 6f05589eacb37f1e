"""A whole game as six people might play it: `gm demo` plays it, and pictures show it.

Each seat has a grid in mind. Of the letters of a round it lays each one where that grid has it.
"""

from typing import Final

from games.crossword.board import BLANK, Rows

WISHES: Final = ("ENRSTA", "IETREL", "SEANDE", "ITRESG", "NABEEL", "TSRINE")
"""The letters of each round, by the seats who wish them. Seat 4 misses round 4, so its wish comes twice."""

_GRIDS: Final[tuple[Rows, ...]] = (
    ("SIGNAL", "TIALEE", "RNRISS", "ENDETE", "TEEBAR", "ENTERS"),
    ("ALTERN", "NSTART", "SBEETE", "REGIES", "RIANIS", "EDLENE"),
    ("NSTARS", "BAEREI", "LNREIE", "EIARTE", "GELDES", "TTSENN"),
    ("..BALL", "SEENAN", ".RISS.", ".DTEER", ".EAIRE", "NETTEN"),
    ("SILBER", "AALEIN", "TRAENE", "TESTEN", "RIESEN", "GDREST"),
    ("BILDET", "ERAERA", "REISST", "GNESTA", "EINEEL", "NERNST"),
)
"""What the grid of each seat is at the end."""

_ROUNDS: Final[tuple[Rows, ...]] = (
    ("664652", "423554", "652413", "113212", "233514", "636514"),
    ("121113", "134326", "152225", "644256", "445664", "335356"),
    ("564123", "555126", "536325", "443426", "432324", "611116"),
    ("..5525", "635516", ".6613.", ".31221", ".33221", "366251"),
    ("365562", "532221", "441234", "654235", "645636", "431111"),
    ("565336", "663321", "444434", "435625", "525222", "611111"),
)
"""In which round the letter of each cell is laid."""

_LISTS: Final = (
    """signal 10, lee 3, riss 5, endete 10, Z5: teebar / bar 10, ente 5, trete 7, innen 7, garde 7, liebe 7, star 5,
    leser 7, D1: ire+as 4, leide 7, Summe 94""",
    """altern 10, start 7, beete 7, Z4: regie 7, anis 5, edlen 7, dieb 5, egal 5, eine 5, niet 5, esse 5, D1: sei 3,
    D2: regie 7, Summe 78""",
    """stars 7, baer+ei 6, eiern 7, art 3, geldes 10, nest 5, gelb 5, as+niet 6, er+als 4, erde 5, reiten 10, sie+es 4,
    narren 10, see 3, Summe 85""",
    """ball 5, seen 5, riss 5, teer 5, ire 3, netten 10, erde 5, bei+tat 6, seit 5, laser 7, ren 3, eiern 7, lasten 10,
    Summe 76""",
    """silber 10, aal+ein 6, traene 10, testen 10, riesen 10, rest 5, satt 5, ar+eid 4, laser 7, beet+es 6, ei+seen 6,
    nennt 7, saat 5, riesig 10, Summe 101""",
    """bildet 10, reisst 10, nest 5, ein+lee 6, ernst 7, bergen 10, einer 7, laien 7, dessen 10, erstes 10, tat+alt 6,
    brise 7, sein 5, Summe 100""",
)
"""What each seat counts at the end. TEEBAR is in no dictionary; ERAERA holds two words that seat 6 overlooks."""

_ILLEGAL: Final = (2, 2)
"""Round and seat of the one who first lays a letter that nobody wished."""
_REPLACED: Final = (3, 3)
"""Round and seat of the one who first forgets a letter."""


def scripted_blocks(number: int, seat: int) -> tuple[tuple[str, ...], ...]:
    """Return the blocks that a seat sends in a round, in order; in round 0 what belongs to its sign-up."""
    if not number:
        return ((_wish(1, seat),),)
    letters = {digit for row in _ROUNDS[seat - 1] for digit in row}
    if str(number) not in letters:
        return ()
    last = number == len(WISHES)
    words = tuple(entry.strip() for entry in _LISTS[seat - 1].split(",")) if last else ()
    block = (*(() if last else (_wish(number + 1, seat),)), *_rows(number, seat), *words)
    return (*(_first_tries(number, seat, block)), block)


def _wish(number: int, seat: int) -> str:
    return f"Neu: {WISHES[number - 1][seat - 1]}"


def _rows(number: int, seat: int) -> Rows:
    """Write a grid as it is sent: capitals are new."""
    rows = zip(_GRIDS[seat - 1], _ROUNDS[seat - 1], strict=True)
    return tuple("".join(_sign(*cell, number) for cell in zip(*row, strict=True)) for row in rows)


def _sign(letter: str, laid: str, number: int) -> str:
    if laid == BLANK or int(laid) > number:
        return BLANK
    return letter if int(laid) == number else letter.lower()


def _first_tries(number: int, seat: int, block: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    wanted = WISHES[number - 1]
    if (number, seat) == _ILLEGAL:
        return (tuple(line if ":" in line else line.replace(wanted[0], "O") for line in block),)
    if (number, seat) == _REPLACED:
        return (tuple(line if ":" in line else line.replace(wanted[0], BLANK) for line in block),)
    return ()
