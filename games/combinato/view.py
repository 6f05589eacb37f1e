"""A position through the eyes of one viewer."""

from collections.abc import Mapping, Sequence
from typing import Any

from games.api import ALL, Played, Seat, Section, Table, Text, View, Viewer, say
from games.combinato.rules import (
    ROWS_SHOWN,
    SEATS,
    Move,
    Row,
    State,
    Variant,
    ruled_out,
    standings,
    still_open,
    winners,
)
from games.shared.phrases import plain, table_head


def show(variant: Variant, state: State, viewer: Viewer, own: Move | None = None) -> View:
    """Show a position. Guesses and answers are public, also to those who only watch; a secret is its seat's own."""
    seat = next((seat for seat in SEATS if seat == viewer), None)
    boards = tuple(_board(variant, state, number) for number in SEATS) if state.round else ()
    if state.over:
        sections = (_result(state), *boards, *(_returned(state) if viewer == ALL else ()))
        words = _words(state) if variant.spells else ()
        return View(sections=sections, facts=_facts(state), seat_facts=_seat_facts(state), words=words)
    mine = (*_secret(state, seat), *_on_file(state, own)) if seat else _hidden(state) if viewer == ALL else ()
    return View(
        sections=(_round(state), *boards, *mine),
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
    notes = [] if state.over else [say("ALPHABET", signs=open_signs)]
    if first:
        notes.append(say("ROWS_GONE", number=first))
    if state.missed[seat - 1]:
        notes.append(say("MISSED", rounds=", ".join(map(str, state.missed[seat - 1]))))
    return Section(
        title=say("BOARD", seat=seat),
        lines=() if rows else (say("BOARD_EMPTY"),),
        table=_table(rows, first) if rows else None,
        notes=tuple(notes),
    )


def _table(rows: Sequence[Row], first: int) -> Table:
    heads = ("ROW", "WORD", "FULL", "PART", "OPEN")
    out = ruled_out(rows)
    shown = tuple(
        (number, row.word, row.full, row.part, still_open(row.word, out)) for number, row in enumerate(rows, 1)
    )
    return Table(head=table_head(*heads), rows=shown[first:])


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
