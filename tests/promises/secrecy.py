"""Promise 5: no mail, page, log line or `gm show` has a secret of somebody else, or another player's address."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from observation import ADDRESS, Observation, joined, plain
from sqlmodel import col, select

from games.api import Seat as SeatNumber
from gm.game.position import position
from gm.reports.game import show, text_of
from gm.store.queries import seat_queries
from gm.store.tables import Address, Game, MailOut, Player, Ruling, Seat, Sheet

HIDDEN: Final = re.compile(r"[A-ZÄÖÜ]{5,}")
"""What stands in a move as a word or a row of letters; in a mail shorter ones may be anything."""
SHORT: Final = re.compile(r"[A-ZÄÖÜ]{4,}|[0-9]{4,}")
"""What of a move is looked for in a view, which says little else: also the words and numbers of Combinato."""


def no_address_reaches_another(zine: Observation) -> Iterator[str]:
    """A mail names no address of a player but the recipient's, unless somebody wrote it who was to be quoted."""
    for mail in zine.read:
        if mail.address in zine.gm_addresses:
            continue
        named = set(ADDRESS.findall(zine.shown(mail).lower())) & zine.players.keys() - {mail.address}
        strange = named - _own_addresses(zine, mail) if named else ()
        yield from (f"mail o{mail.id} to {mail.address} names {address}" for address in strange
                    if not (_is_said_by_a_player(zine, address) or _is_said_by_the_gm(zine, address)))  # fmt: skip


def _is_said_by_the_gm(zine: Observation, address: str) -> bool:
    """Whether the GM has put an address into the note of a ruling: those words go out as they are."""
    return any(address in note.lower() for note in zine.session.exec(select(Ruling.note)))


def _own_addresses(zine: Observation, mail: MailOut) -> set[str]:
    """List the addresses of whoever reads a mail: all who read at that address."""
    there = zine.players.get(mail.address, set()) | ({mail.player_id} if mail.player_id else set())
    rows = select(Address.address).where(col(Address.player_id).in_(there))
    service = zine.app.settings.service
    return {mail.address, service.address.lower(), *zine.gm_addresses, *zine.session.exec(rows)}


def _is_said_by_a_player(zine: Observation, address: str) -> bool:
    return any(address in f"{mail.head} {mail.text}".lower() for mail in zine.mails.values() if mail.sender != address)


def no_log_line_names_an_address(zine: Observation) -> Iterator[str]:
    """The log has ids, no player's address."""
    for line in zine.logged:
        named = set(ADDRESS.findall(line.lower())) & zine.players.keys()
        yield from (f"the log names {address}: {line}" for address in named - zine.gm_addresses)


def no_page_names_an_address(zine: Observation) -> Iterator[str]:
    """What was written in this pass for the archive or an issue names no player's address, and no hidden move."""
    if not zine.fresh_pages:
        return
    secrets = [secret for game in zine.running for secret in _secrets(zine, game)]
    for path in zine.fresh_pages:
        text = path.read_text(encoding="utf-8")
        named = set(ADDRESS.findall(text.lower())) & (zine.players.keys() - zine.gm_addresses)
        yield from (f"{path.name} names {address}" for address in named if not _is_said_by_a_player(zine, address))
        words = set(HIDDEN.findall(joined(plain(text))))
        yield from (f"{path.name} shows the hidden {one.word}" for one in secrets if one.word in words)


# -- moves that lie there until the closing ----------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Secret:
    """A word or row of a move on file, which nobody else wrote and no public view shows."""

    game: Game
    sheet: Sheet
    word: str


def _secrets(zine: Observation, game: Game) -> Sequence[Secret]:
    """Find what is hidden in the moves on file of a round; for all checks once."""
    if game.id not in zine.secrets:
        zine.secrets[game.id] = [] if zine.is_tampered else _find_secrets(zine, game)
    return zine.secrets[game.id]


def _find_secrets(zine: Observation, game: Game) -> list[Secret]:
    sheets = _sheets(zine, game)
    found = _words_on_file(game, sheets)
    if not found or game.turn is None:
        return []
    public = _words(f"{text_of(zine.app, zine.session, game)} {show(zine.app, zine.session, game)}")
    return [one for one in found if one.word not in public and not _is_anothers(one, sheets)]


def _sheets(zine: Observation, game: Game) -> Sequence[Sheet]:
    rows = select(Sheet).where(Sheet.game_id == game.id, Sheet.round == game.round, col(Sheet.withdrawn_at).is_(None))
    return zine.session.exec(rows.order_by(col(Sheet.id))).all()


def _words_on_file(game: Game, sheets: Sequence[Sheet]) -> list[Secret]:
    return [
        Secret(game=game, sheet=sheet, word=word)
        for sheet in sheets for line in sheet.lines for word in SHORT.findall(joined(line))
    ]  # fmt: skip


def _is_anothers(secret: Secret, sheets: Sequence[Sheet]) -> bool:
    """Whether another seat has sent that word as well."""
    others = (sheet for sheet in sheets if sheet.seat != secret.sheet.seat)
    return any(secret.word in joined(" ".join(sheet.lines)).upper() for sheet in others)


def no_mail_shows_a_hidden_move(zine: Observation) -> Iterator[str]:
    """What a seat has on file for the closing stands in no mail to anybody else, the GM's included, before it."""
    fresh = [mail for mail in zine.read if mail.game_id]
    by_game = {game.id: _secrets(zine, game) for game in zine.running if any(m.game_id == game.id for m in fresh)}
    for mail in fresh:
        secrets = by_game.get(mail.game_id or 0)
        if not secrets or mail.address in zine.gm_addresses - zine.players.keys():
            continue
        words = set(HIDDEN.findall(zine.shown(mail)))
        for one in secrets:
            if (
                one.word in words
                and not _is_own(zine, mail, one)
                and not _wrote(zine, mail, one.word)
                and _is_after(one, mail)
            ):
                yield f"mail o{mail.id} to {mail.address} shows {one.word}, which seat {one.sheet.seat} hides"


def _is_own(zine: Observation, mail: MailOut, secret: Secret) -> bool:
    """Whether a mail goes to whoever wrote the move, or has taken over the seat."""
    sheet = secret.sheet
    seats = select(Seat.player_id).where(Seat.game_id == sheet.game_id, Seat.number == sheet.seat)
    readers = zine.players.get(mail.address, set()) | {mail.player_id}
    return bool(readers & {sheet.player_id, *zine.session.exec(seats)})


def _is_after(secret: Secret, mail: MailOut) -> bool:
    return mail.created_at >= secret.sheet.received_at


def _wrote(zine: Observation, mail: MailOut, word: str) -> bool:
    """Whether whoever gets a mail has written that word as well, or a stranger who is quoted there."""
    return any(word in joined(text).upper() for text in zine.texts_of(zine.players.get(mail.address, set())))


def no_view_shows_a_hidden_move(zine: Observation) -> Iterator[str]:
    """`gm show`, as another seat sees it, says nothing of a move on file."""
    said = dict[tuple[int, int], set[str]]()
    for game in _with_fresh_moves(zine):
        for secret in _secrets(zine, game):
            for viewer in _others(zine, secret):
                if (game.id, viewer.id) not in said:
                    said[game.id, viewer.id] = _words_said_to(zine, game, viewer)
                if secret.word in said[game.id, viewer.id]:
                    yield f"`gm show {game.name} --seat {viewer.name}` shows {secret.word} of seat {secret.sheet.seat}"


def spectators_see_no_move(zine: Observation) -> Iterator[str]:
    """`gm show` says the same of a position to spectators, whichever moves are on file by then."""
    games, fresh = {game.id: game for game in zine.running}, {game.id for game in _with_fresh_moves(zine)}
    for turn in zine.present:
        game, known = games[turn.game_id], zine.ledger.spectated
        if turn.id not in known:
            known[turn.id] = _lines_for_spectators(zine, game)
        elif game.id in fresh:
            words = _words("\n".join(_lines_for_spectators(zine, game) - known[turn.id]))
            names = _words("\n".join(zine.session.exec(select(Player.name)))) if words else set()
            yield from (
                f"`gm show {game.name}` shows {one.word} of seat {one.sheet.seat}"
                for one in _words_on_file(game, _sheets(zine, game)) if one.word in words - names
            )  # fmt: skip


def _lines_for_spectators(zine: Observation, game: Game) -> set[str]:
    return set(text_of(zine.app, zine.session, game).splitlines())


def _with_fresh_moves(zine: Observation) -> list[Game]:
    """List the running games to which a move came since the look before."""
    rows = select(Sheet.game_id).where(col(Sheet.mail_id) > zine.before.newest.mail_in)
    fresh = set(zine.session.exec(rows))
    return [game for game in zine.running if game.id in fresh] if not zine.is_tampered else []


def _others(zine: Observation, secret: Secret) -> list[Player]:
    """Find who sits on one other seat, another one for each move; spectators have a check of their own."""
    others = [seat for seat in seat_queries.seats(secret.game) if seat.number != secret.sheet.seat]
    chosen = others[secret.sheet.id % len(others)] if others else None
    return [zine.session.get_one(Player, chosen.player_id)] if chosen else []


def _words_said_to(zine: Observation, game: Game, viewer: Player) -> set[str]:
    """List the words of what a player sees, but those which the rules show without any move on file."""
    said = f"{text_of(zine.app, zine.session, game, viewer.name)} {show(zine.app, zine.session, game, viewer.name)}"
    at, seat = position(zine.app, game), seat_queries.seat_row(game, viewer.id)
    assert seat is not None
    shown = at.engine.view(at.state, SeatNumber(seat.number))
    return _words(said) - _words(f"{shown.sections} {shown.seat_facts}")


def _words(said: str) -> set[str]:
    return set(SHORT.findall(joined(said).upper()))


def no_log_line_shows_a_move(zine: Observation) -> Iterator[str]:
    """The log has no row and no word of a move that is on file."""
    words = {word for line in zine.logged for word in HIDDEN.findall(line)}
    if not words:
        return
    for game in zine.running:
        yield from (f"the log shows {one.word}" for one in _secrets(zine, game) if one.word in words)
