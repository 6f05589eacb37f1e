"""A position through the eyes of one viewer."""

from collections.abc import Mapping, Sequence
from typing import Any

from games.api import ALL, Cell, Grid, Played, Seat, Section, Table, Text, View, Viewer, say, seat_of
from games.combinato.rules import (
    LENGTH,
    ROWS_SHOWN,
    SEATS,
    Move,
    Row,
    State,
    Variant,
    count,
    ruled_out,
    standings,
    still_open,
    winners,
)
from games.shared.drawing import FULL, RING
from games.shared.phrases import plain, table_head


def show(variant: Variant, state: State, viewer: Viewer, own: Move | None = None) -> View:
    """Show a position. Guesses and answers are public, also to those who only watch; a secret is its seat's own."""
    seat = seat_of(viewer, SEATS)
    boards = tuple(_board(variant, state, number) for number in SEATS) if state.round else ()
    if state.over:
        sections = (_result(state), *boards, *(_returned(state) if viewer == ALL else ()))
        words = _words(state) if variant.spells else ()
        return View(sections=sections, facts=_facts(state), seat_facts=_seat_facts(state), words=words)
    mine = (*_secret(state, seat), *_on_file(state, own)) if seat else _hidden(state) if viewer == ALL else ()
    return View(
        sections=(_round(state), *boards, *mine),
        ask=say("ASK_GUESS" if state.round else "ASK_SECRET") if seat else None,
        how_to=_how_to(state) if seat else (),
        block=(("Rat:",) if state.round else ("Geheim:",)) if seat else (),
        facts=_facts(state),
        seat_facts=_seat_facts(state, viewer, own),
    )


def _round(state: State) -> Section:
    if state.round:
        return Section(title=say("ROUND", round=state.round), lines=(say("MARKS"),))
    return Section(title=say("ROUND_SECRETS"), lines=(say("SECRETS_WANTED"),))


def _board(variant: Variant, state: State, seat: Seat) -> Section:
    """Show the rows of a seat, the last twelve until the end, and what they rule out."""
    rows = state.rows[seat - 1]
    first = 0 if state.over else max(len(rows) - ROWS_SHOWN, 0)
    open_signs = " ".join(still_open(variant.signs, ruled_out(rows)))
    notes = [] if state.over else [say("ALPHABET", seat=seat, signs=open_signs)]
    if first:
        notes.append(say("ROWS_GONE", number=first))
    if state.missed[seat - 1]:
        missed = (say("MISSED_IN", seat=seat, in_round=number, round=number) for number in state.missed[seat - 1])
        notes.append(say("MISSED", rounds=tuple(missed)))
    if state.over and seat == SEATS[-1]:
        notes.append(say("MARKS"))
    return Section(
        title=say("BOARD", seat=seat),
        lines=() if rows else (say("BOARD_EMPTY"),),
        grids=(_pegs(state, rows, first),) if rows else (),
        notes=tuple(notes),
    )


def _pegs(state: State, rows: Sequence[Row], first: int = 0) -> Grid:
    """Draw each guess with its pegs: first those for full hits, then those for hits."""
    out = ruled_out(rows)
    cells = tuple(
        (*(Cell(text=sign, mark="idle" if sign in out else "", new=is_new) for sign in row.word), *_hits(row))
        for row in rows[first:]
        for is_new in (row.round == _last_round(state),)
    )
    numbers = tuple(str(number) for number in range(first + 1, len(rows) + 1))
    return Grid(look="pegs", columns=tuple(map(str, range(1, 2 * LENGTH + 1))), rows=numbers, cells=cells)


def _last_round(state: State) -> int:
    return state.round if state.over else state.round - 1


def _hits(row: Row) -> tuple[Cell, ...]:
    full, ring = Cell(text=FULL, mark="full"), Cell(text=RING, mark="ring")
    return (*[full] * row.full, *[ring] * row.part, *[Cell()] * (LENGTH - row.full - row.part))


def _secret(state: State, seat: Seat) -> tuple[Section, ...]:
    secret = state.secrets[seat - 1]
    return (Section(lines=(say("YOUR_SECRET", word=secret),)),) if secret else ()


def _hidden(state: State) -> tuple[Section, ...]:
    """Show both secrets, and what was sent back because both had chosen it."""
    secrets = tuple(say("SECRET_OF", seat=seat, word=word) for seat, word in zip(SEATS, state.secrets, strict=True))
    return (*((Section(title=say("HIDDEN"), lines=secrets),) if any(state.secrets) else ()), *_returned(state))


def _returned(state: State) -> tuple[Section, ...]:
    if not state.returned:
        return ()
    return (Section(title=say("RETURNED"), lines=(plain(", ".join(state.returned)),)),)


def _words(state: State) -> tuple[Played, ...]:
    """List the secrets and all guesses; all are words, or they would not have been taken."""
    secrets = (Played(seat=seat, word=state.secrets[seat - 1], where=say("HEAD_SECRET")) for seat in SEATS)
    guesses = (
        Played(seat=seat, word=row.word, where=say("ROUND", round=row.round))
        for seat in SEATS
        for row in state.rows[seat - 1]
    )
    return (*secrets, *guesses)


def _on_file(state: State, own: Move | None) -> tuple[Section, ...]:
    if own is None:
        return ()
    text = say("GUESS_ON_FILE", round=state.round, word=own.word) if state.round else say("ON_FILE", word=own.word)
    return (Section(lines=(text,)),)


def _how_to(state: State) -> tuple[Text, ...]:
    if state.round:
        return (say("HOW_GUESS"),)
    twice = say("MAY_REPEAT") if state.repeats else say("MAY_NOT_REPEAT")
    return (say("HOW_SECRET", kind=say("KIND_NOUN") if state.nouns_only else say("KIND_ANY"), twice=twice),)


def _result(state: State) -> Section:
    """Show who found what, and both secrets."""
    heads = ("RANK", "NAME", "SECRET", "GUESSES", "NOTE")
    rows = tuple(
        (
            standing.rank,
            say("SEAT", seat=standing.seat),
            state.secrets[standing.seat - 1],
            len(state.rows[standing.seat - 1]),
            say(_note(state, standing.seat)),
        )
        for standing in standings(state)
    )
    return Section(
        title=say("RESULT"), table=Table(head=table_head(*heads), rows=rows)
    )  # fmt: skip


def _note(state: State, seat: Seat) -> str:
    if seat in state.given_up:
        return "NOTE_LEFT"
    won = winners(state)
    return "NOTE_WINNER" if seat in won else "NOTE_LOSER" if won else "NOTE_DRAW"


def _facts(state: State) -> dict[str, Any]:
    return {"round": state.round, "over": state.over, "nouns_only": state.nouns_only, "repeats": state.repeats}


def _seat_facts(
    state: State, viewer: Viewer | None = None, own: Move | None = None
) -> Mapping[Seat, Mapping[str, Any]]:
    facts: dict[Seat, dict[str, Any]] = {
        seat: {
            "rows": [
                {"round": row.round, "word": row.word, "full": row.full, "part": row.part}
                for row in state.rows[seat - 1]
            ],
            "ruled_out": "".join(sorted(ruled_out(state.rows[seat - 1]))),
            "nmr": list(state.missed[seat - 1]),
            **({"secret": state.secrets[seat - 1]} if state.over or viewer in (seat, ALL) else {}),
        }
        for seat in SEATS
    }
    for seat in SEATS:
        if seat == viewer:
            facts[seat]["move"] = own.word if own else None
    return facts


def example(secret: str, *guesses: str) -> Section:
    """Show guesses and their answers on the page of rules; the last one is new."""
    answers = [(guess, *count(secret, guess)) for guess in guesses]
    rows = [Row(round=at, word=guess, full=full, part=part) for at, (guess, full, part) in enumerate(answers, start=1)]
    return Section(lines=(say("EXAMPLE", secret=secret),), grids=(_pegs(State(round=len(rows) + 1), rows),))
