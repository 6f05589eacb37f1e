"""What the writer may have done to text and subject: rows lost and doubled, odd signs, thousands of lines."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .letters import KIB, NUMBERS, ODD, Rng, Texting, spot


def _lines(change: Callable[[Rng, list[str]], None]) -> Texting:
    def changed(rng: Rng, text: str) -> str:
        lines = text.split("\n")
        change(rng, lines)
        return "\n".join(lines)

    return changed


def _drop_line(rng: Rng, lines: list[str]) -> None:
    del lines[spot(rng, lines)]


def _double_line(rng: Rng, lines: list[str]) -> None:
    at = spot(rng, lines)
    lines[at:at] = [lines[at]] * rng.choice((1, 2, 30))


def _swap_lines(rng: Rng, lines: list[str]) -> None:
    one, other = spot(rng, lines), spot(rng, lines)
    lines[one], lines[other] = lines[other], lines[one]


def _join_lines(rng: Rng, lines: list[str]) -> None:
    at = spot(rng, lines)
    lines[at : at + 2] = [rng.choice(("", " ", "   ", "\t")).join(lines[at : at + 2])]


def _break_line(rng: Rng, lines: list[str]) -> None:
    at = spot(rng, lines)
    cut = spot(rng, lines[at])
    lines[at : at + 1] = [lines[at][:cut], lines[at][cut:]]


def _quote_from(rng: Rng, lines: list[str]) -> None:
    at, mark = spot(rng, lines), rng.choice(("> ", ">", "| ", "> > > ", ">>>>>>>> ", "AB> ", "> " * 500))
    lines[at:] = [mark + line for line in lines[at:]]


def _space_out(rng: Rng, lines: list[str]) -> None:
    at = spot(rng, lines)
    lines[at] = rng.choice((" ", "  ", "\u00a0", "\u200b", "\t")).join(lines[at])


def _change_case(rng: Rng, lines: list[str]) -> None:
    at = spot(rng, lines)
    lines[at] = rng.choice((str.upper, str.lower, str.swapcase, str.title))(lines[at])


def _put_number(rng: Rng, lines: list[str]) -> None:
    at = spot(rng, lines)
    head = lines[at].rpartition(" ")[0] or lines[at]
    lines[at] = f"{head} {rng.choice(NUMBERS)}"


def _odd_line(rng: Rng, lines: list[str]) -> None:
    line = rng.choice(
        ("--", "-- ", "_" * 40, "-----Ursprüngliche Nachricht-----", "Am 21.11.2026 schrieb Anna:", "Von: a", "Ende",
         "Name: Bernd", "Name:", "Stand: " + rng.choice(NUMBERS), "Runde: " + rng.choice(NUMBERS), "Neu:", "Neu: *",
         "-----BEGIN PGP SIGNED MESSAGE-----", "-----BEGIN PGP SIGNATURE-----",
         "Anfang der weitergeleiteten Nachricht:",
         "On 1 Nov 2026, Anna <a@b> wrote:", "GM: hallo", "gm status", "Ja", "Presse Eriwan: x", "```",
         "|....|"))  # fmt: skip
    lines.insert(spot(rng, lines), line)


def _odd_sign(rng: Rng, text: str) -> str:
    at = spot(rng, text)
    return text[:at] + rng.choice(ODD) * rng.choice((1, 1, 3, 40)) + text[at + rng.choice((0, 1)) :]


def _odd_signs(rng: Rng, text: str) -> str:
    odd = rng.choice(ODD)
    return "".join(sign + odd if rng.random() < 0.2 else sign for sign in text)


def _cut(rng: Rng, text: str) -> str:
    return text[: spot(rng, text)]


def _twice(rng: Rng, text: str) -> str:
    return text + rng.choice(("", "\n", "\n\n", "\nVON VORN\n")) + text


TEXTS: Sequence[Texting] = (
    *map(_lines, (_drop_line, _double_line, _swap_lines, _join_lines, _break_line, _quote_from, _space_out,
                  _change_case, _put_number, _put_number, _odd_line, _odd_line)),
    _odd_sign, _odd_sign, _odd_signs, _cut, _twice,
)  # fmt: skip
FLOODS: Sequence[Texting] = (
    lambda rng, text: text + "\n" + rng.choice("a.>| -_*:\u0301\u202e\u00a0\U0001f3b2ß") * 64 * KIB,
    lambda rng, text: (text + rng.choice(("\n", "\n\n"))) * (60 * KIB // (len(text) + 2)),
    lambda rng, text: "\n".join(rng.choice(ODD) for _ in range(8 * KIB)) + text,
    lambda _, text: "\n".join(("> " * min(n, 400)) + "Zug" for n in range(300)) + text,
    lambda rng, text: rng.choice(("\n", " \n", ">\n", "Neu:\n", "Neu: E\n", "......\n", "Crossword Eriwan\n", "AB.\n"))
    * (12 * KIB) + text,
    lambda _, text: "\n".join(f"{word} Eriwan" for word in ("Warten", "Stand", "Zurückziehen", "Fertig")
                                for _ in range(1500)) + text,
    lambda rng, text: rng.choice(("Am 21.11.2026 schrieb ", "Presse ", "Von: ", "-- ", "a@b <", "=?utf-8?Q?", "* ",
    "GM: "))
    * (3 * KIB) + text,
    lambda _, text: "".join(letter + "\u0323\u0307\u0301" * 60 for letter in text[:300]),
    lambda _, text: "Presse Eriwan\n" * 2000 + text,
    lambda _, text: "Einspruch Eriwan " + "W" * 60 + ": " + "weil " * 9000 + text,
)  # fmt: skip
SUBJECTS: Sequence[Texting] = (
    _odd_sign, _odd_signs, _cut, _twice,
    lambda rng, text: "Re: " * rng.choice((3, 2000)) + text,
    lambda rng, text: "[Eriwan] " * rng.choice((1, 900)) + text,
    lambda rng, text: text + rng.choice(("[Frage ABCDEFGH]", "[Frage 23456789]", "[extern]", "[", "]" * 300)),
    lambda rng, _: rng.choice(("Presse Eriwan", "Anmeldung Crossword", "gm close Eriwan", "Ja", "GM: Hallo", "Stand",
    "")),
)  # fmt: skip
