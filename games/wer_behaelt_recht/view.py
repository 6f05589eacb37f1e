"""A position through the eyes of one viewer. After the end it has the ranking and payments."""

from collections.abc import Mapping
from typing import Any

from games.api import ALL, Played, Seat, Section, Table, Text, View, Viewer, say
from games.shared.phrases import counted, plain, signed, table_head
from games.shared.plane import Spot, cell_name, occupied, picture, sign_at
from games.shared.racks import bag_facts, bag_text, next_stake, on_file, rack_sections, ranking_section
from games.shared.tiles import count_colours, shown
from games.wer_behaelt_recht.moves import move_pairs
from games.wer_behaelt_recht.rules import Finished, Fragment, Move, State, crossing_cells, result


def show(state: State, viewer: Viewer, own: Move | None = None) -> View:
    """Show a position. A rack and a move on file are for their seat only; of the bag all see the backs."""
    racks = rack_sections(state, viewer, is_over=state.over)
    if state.over:
        return View(
            headline=how_it_ended(state),
            sections=(
                ranking_section(state, result(state).standings, how_it_ended(state)),
                *_payments(state),
                _board(state),
                *racks,
            ),
            facts=_facts(state),
            seat_facts=_seat_facts(state, viewer),
            words=tuple(_played(word) for word in state.finished),
        )
    asked = viewer == state.on_turn
    waiting = (_on_file(own),) if asked and own else ()
    return View(
        headline=_headline(state),
        sections=(_turn(state), _board(state), *racks, *waiting, _table(state)),
        ask=_ask(state) if asked else None,
        how_to=_how_to(state) if asked else (),
        in_short=_in_short(state) if asked and state.turn > len(state.seats) else (),
        block=(f"Stand: {state.step}",) if asked else (),
        facts=_facts(state),
        seat_facts=_seat_facts(state, viewer),
    )


def _headline(state: State) -> Text:
    news = state.news
    match news.code:
        case "ANNOUNCES" | "LAYS":
            return say(f"HEADLINE_{news.code}", seat=news.seat, letter=news.letter, word=news.word)
        case "COMPLETES" | "DROPS":
            return say(f"HEADLINE_{news.code}", seat=news.seat, word=news.word)
        case "MISSED":
            return say("HEADLINE_MISSED", seat=news.seat, in_round=state.turn - (not state.over))
    return say(f"HEADLINE_{news.code}", seat=news.seat)


def _turn(state: State) -> Section:
    """Return whose turn it is, and about which word."""
    lines = [say("TURN", turn=state.turn, seat=state.on_turn)]
    if state.open:
        lines += _open_lines(state, state.open)
    elif state.finished:
        lines.append(say("STARTS_CROSSING", word=state.finished[-1].word, cells=crossing_names(state)))
    else:
        lines.append(say("STARTS_CENTRE"))
    return Section(lines=tuple(lines))


def _open_lines(state: State, fragment: Fragment) -> list[Text]:
    run = fragment.run(state.board)
    where = run.where if len(run.signs) > 1 else cell_name(run.start)
    way = say("DOWN" if fragment.direction == "s" else "ACROSS")
    return [
        say("OPEN_WORD", word=fragment.word, seat=fragment.owner),
        say("LIES", fragment=run.word, where=where, way=way),
    ]


def _board(state: State) -> Section:
    marks = (say("MARKS"),) if state.new and not state.over else ()
    return Section(title=say("BOARD"), legend=marks, grids=(picture(state.board, state.new),))


def _on_file(own: Move) -> Section:
    word = own.laying.word if own.laying else ""
    return on_file((*move_pairs(own), *([(say("LABEL_WORD"), plain(word))] if word else [])))


def _table(state: State) -> Section:
    """Count everybody's tiles by their backs, and the bag's."""
    rows = tuple(
        (say("SEAT", seat=seat), *count_colours(state.rack(seat)), signed(state.balance(seat)), _status(state, seat))
        for seat in state.seats
    )
    head = table_head("NAME", "RED", "BLACK", "POINTS", "STATE")
    return Section(title=say("TABLE"), table=Table(head=head, rows=rows), notes=(bag_text(state),))


def _status(state: State, seat: Seat) -> Text:
    if seat in state.out:
        return say("IS_OUT")
    if seat in state.given_up:
        return say("HAS_RESIGNED")
    return say("IS_ON_TURN" if seat == state.on_turn else "IS_WAITING")


def _how_to(state: State) -> tuple[Text, ...]:
    if state.open:
        lay = (say("HOW_OPEN", word=state.open.word),)
    else:
        lay = (say("HOW_CROSS", cells=crossing_names(state)) if state.finished else say("HOW_CENTRE"),)
    buy = say("HOW_BOUGHT") if state.bought else say("HOW_BUY") if state.bag else say("HOW_PASS")
    premium = (say("HOW_PREMIUM"),)
    jolly = (say("HOW_JOKER"),) if any(sign.islower() for row in state.board for sign in row) else ()
    return (*lay, say("HOW_RETURN"), buy, *premium, *jolly)


def _ask(state: State) -> Text:
    if state.open:
        return say("ASK_OPEN", word=state.open.word)
    return say("ASK_CROSS", cells=crossing_names(state)) if state.finished else say("ASK_CENTRE")


def _in_short(state: State) -> tuple[Text, ...]:
    """What a seat that has had its turn before should know beside that."""
    return (say("SHORT_BUY") if state.bag and not state.bought else say("SHORT_PASS"),)


def crossing_names(state: State) -> str:
    """Name the cells where a new word may cross, with its direction: `Y26 s, Z26 s`."""
    return ", ".join(f"{cell_name(spot)} {direction}" for spot, direction in crossing_cells(state)) or "-"


def how_it_ended(state: State) -> Text:
    """Say who has won, and how."""
    if not state.in_play:
        return say("END_ALL_LEFT")
    if state.winner is None:
        return say("END_NOBODY", stake=next_stake(state))
    return say(f"END_{state.ending.upper()}", seat=state.winner)


def _payments(state: State) -> tuple[Section, ...]:
    if not state.payments:
        return ()
    lines = tuple(
        say("PAYS", payer=say("SEAT", seat=p.payer), receiver=say("SEAT", seat=p.receiver), points=counted(p.points))
        for p in state.payments
    )
    return (Section(title=say("PAYMENTS"), lines=lines),)


def _played(word: Finished) -> Played:
    """Show a finished word; nothing doubtful or refused ever lies on the board."""
    first, *_, last = map(cell_name, word.run.spots)
    return Played(seat=word.owner, word=word.word, where=plain(f"{first}-{last}"), first=first, last=last)


def _facts(state: State) -> Mapping[str, Any]:
    fragment = state.open
    return {
        "turn": state.turn,
        "step": state.step,
        "on_turn": None if state.over else state.on_turn,
        "bag": bag_facts(state),
        "board": {cell_name(spot): sign for spot, sign in _tiles(state)},
        "open": {"word": fragment.word, "owner": fragment.owner, "fragment": fragment.run(state.board).word}
        if fragment
        else None,
        "finished": [
            {"word": word.word, "cell": cell_name(word.run.start), "way": word.run.direction} for word in state.finished
        ],
        "stake": state.stake,
        "words": state.profile,
        "ending": state.ending,
        "winner": state.winner,
    }


def _tiles(state: State) -> list[tuple[Spot, str]]:
    return [
        (spot, sign_at(state.board, spot).upper() + ("*" if sign_at(state.board, spot).islower() else ""))
        for spot in occupied(state.board)
    ]


def _seat_facts(state: State, viewer: Viewer) -> Mapping[Seat, Mapping[str, Any]]:
    ranks = {line.seat: line.rank for line in result(state).standings} if state.over else {}
    facts: dict[Seat, dict[str, Any]] = {}
    for seat in state.seats:
        red, black = count_colours(state.rack(seat))
        facts[seat] = {
            "tiles": {"red": red, "black": black},
            "balance": state.balance(seat),
            "out": seat in state.out,
            "resigned": seat in state.given_up,
        }
        if state.over:
            facts[seat] |= {"rank": ranks[seat], "left": shown(state.rack(seat))}
        elif viewer in (seat, ALL):
            facts[seat]["rack"] = shown(state.rack(seat))
    return facts
