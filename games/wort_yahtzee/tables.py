"""The public part of a view: what the last round brought, the cards, what waits for a ruling, the final standings."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from games.api import Played, Section, Standing, Table, Text, say
from games.wort_yahtzee.card import LOWER, UPPER, Card, card_of, has_doubt, open_points, points, standings
from games.wort_yahtzee.laying import spelling
from games.wort_yahtzee.picture import box_name, counted, entry_text, why
from games.wort_yahtzee.state import CHANCE, CONSONANTS, VOWELS, YAHTZEE, Entry, Player, State, Word

_SPECIAL: Final = (CONSONANTS, VOWELS, YAHTZEE, CHANCE)
_WIDTHS: Final[Mapping[str, int]] = {YAHTZEE: 3}
_FREE: Final = "."
_OPEN: Final = "?"


def cards(state: State) -> tuple[Section, ...]:
    """Show all cards as one table: a row each seat, boxes as they are printed. Twelve of them fit into 72 columns."""
    head = (
        say("HEAD_NAME"),
        *(say("PLAIN", text=box) for box in UPPER),
        say("HEAD_BONUS"),
        *(say("PLAIN", text=box) for box in LOWER),
        *(say(f"HEAD_{box.upper()}") for box in _SPECIAL),
        say("HEAD_SUM"),
    )
    rows = tuple(_card_row(player) for player in state.players)
    title = say("CARDS", round=len(state.players[0].card)) if state.players[0].card else say("CARDS_START")
    return (Section(title=title, table=Table(head=head, rows=rows), notes=(say("CARDS_LEGEND"),)),)


def _card_row(player: Player) -> tuple[str | int | Text, ...]:
    card = card_of(player.card)
    upper = tuple(_box(player, card, box) for box in UPPER)
    lower = tuple(_box(player, card, box) for box in (*LOWER, *_SPECIAL))
    return (say("SEAT", seat=player.seat), *upper, f"{card.bonus or _FREE:>2}", *lower, f"{card.total:>3}")


def _box(player: Player, card: Card, box: str) -> str:
    """Write a box; figures stand on the right. What counts already is shown where a further word is doubtful."""
    number = card.boxes.get(box)
    has_figure = number or (number is not None and not has_doubt(player.card, box))
    shown = str(number) if has_figure else _FREE if number is None else _OPEN
    return shown.rjust(_WIDTHS.get(box, 2))


def last_round(state: State) -> tuple[Section, ...]:
    """Show what everybody made of the round that was closed last."""
    if not state.players[0].card:
        return ()
    number = state.players[0].card[-1].round
    rows = tuple(
        (say("SEAT", seat=player.seat), *_entry_cells(player, len(player.card) - 1)) for player in state.players
    )
    table = Table(head=(say("HEAD_NAME"), *_ENTRY_HEAD), rows=rows)
    return (Section(title=say("LAST_ROUND", round=number), table=table),)


_ENTRY_HEAD: Final = (say("HEAD_DICE"), say("HEAD_ROLLS"), say("HEAD_ENTRY"), say("HEAD_POINTS"))


def _entry_cells(player: Player, at: int) -> tuple[str | int | Text, ...]:
    entry = player.card[at]
    return (entry.dice, entry.rolls, entry_text(entry), points(player.card, at))


def doubts(state: State) -> tuple[Section, ...]:
    """List the words that wait for the GM, and those that were struck out after they were entered."""
    words = [
        (player.seat, entry.round, entry.box, word)
        for player in state.players
        for entry in player.card
        for word in entry.words
    ]
    waiting = tuple(
        say("WAITING", seat=seat, word=word.laid, box=box_name(box), round=number)
        for seat, number, box, word in words
        if word.status == "doubtful"
    )
    struck = tuple(
        say("STRUCK", seat=seat, word=word.laid, box=box_name(box), reason=why(word))
        for seat, _, box, word in words
        if word.status == "refused"
    )
    return (Section(title=say("DOUBTS"), notes=(*waiting, *struck)),) if waiting or struck else ()


def played(state: State) -> tuple[Played, ...]:
    """List the words of all cards."""
    return tuple(
        Played(
            seat=player.seat,
            word=spelling(word.laid),
            points=_worth(player, at, word),
            status=word.status,
            why=why(word) if word.status == "refused" else None,
            where=say("ENTERED", box=box_name(entry.box), round=entry.round),
        )
        for player in state.players
        for at, entry in enumerate(player.card)
        for word in entry.words
    )


def _worth(player: Player, at: int, word: Word) -> int:
    """Say what a word would bring if it counted: its dice, or what the box pays for it."""
    entry = player.card[at]
    if entry.box != YAHTZEE:
        return word.value
    counting: Entry = replace(entry, words=(replace(word, status="accepted"),))
    return points((*player.card[:at], counting), at)


def final_sections(state: State) -> tuple[Section, ...]:
    """Show the ranking, the cards, and every seat's eight rounds in the order of the ranking."""
    ranked = standings(state)
    rounds = tuple(_rounds(state, standing) for standing in ranked)
    return (_ranking(state, ranked), *cards(state), *doubts(state), *rounds)


def _ranking(state: State, ranked: tuple[Standing, ...]) -> Section:
    is_open = not state.is_cut_short and any(open_points(player.card) for player in state.players)
    heads = ("RANK", "NAME", "UPPER", "BONUS_LONG", "LOWER", "HUNDREDS", "TOTAL")
    rows = tuple(_ranking_row(state, standing, is_open=is_open) for standing in ranked)
    open_head = (say("HEAD_OPEN"),) if is_open else ()
    return Section(
        title=say("RANKING_PROVISIONAL" if is_open else "RANKING"),
        table=Table(head=(*(say(f"HEAD_{head}") for head in heads), *open_head), rows=rows),
    )


def _ranking_row(state: State, standing: Standing, *, is_open: bool) -> tuple[str | int | Text, ...]:
    entries = next(player.card for player in state.players if player.seat == standing.seat)
    card = card_of(entries)
    code = "SEAT_GONE" if standing.seat in state.given_up else "SEAT"
    figures = (card.upper, card.bonus, card.lower, card.hundreds, card.total)
    return (standing.rank, say(code, seat=standing.seat), *figures, *((open_points(entries),) if is_open else ()))


def _rounds(state: State, standing: Standing) -> Section:
    player = next(player for player in state.players if player.seat == standing.seat)
    rows = tuple((entry.round, *_entry_cells(player, at)) for at, entry in enumerate(player.card))
    title = say("PLAYER", rank=standing.rank, seat=standing.seat, points=counted(card_of(player.card).total))
    return Section(title=title, table=Table(head=(say("HEAD_ROUND"), *_ENTRY_HEAD), rows=rows))
