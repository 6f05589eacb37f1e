"""What a GM who plays in a game may not see of it: what the others have sent for the present round.

Whatever shows a received or sent mail, or something of it, asks `games_kept_from` first. In doubt a mail is kept back:
it is shown when the round is closed, and `gm mail retry` and `gm mail drop` work unseen.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Final

from sqlmodel import Session

from games.api import say
from gm.app.context import App
from gm.game import missing_moves
from gm.game.seats import seat_of_player
from gm.messages import questions
from gm.messages.outgoing import gm_contacts
from gm.messages.questions import About
from gm.messages.rate_limits import is_answer
from gm.runtime.errors import OperatorError, Refused
from gm.store.queries import (
    game_queries,
    mail_queries,
    player_queries,
    question_queries,
    seat_queries,
    sheet_queries,
    thread_queries,
    turn_queries,
)
from gm.store.queries.mail_queries import find_mail
from gm.store.tables import Game, MailIn, MailOut, Player

_WITH_MOVE: Final = ("confirmation", "rejection", "late", "in_time", "ask_who", "acted")
"""Answers that only a mail with a move gets."""
_TO_ALL: Final = ("zat", "paused", "resumed", "aborted", "held", "ruled")
"""Mails about a game that say the same to all its players."""
_SHOW_MOVES: Final = ("welcome", "question", "confirmation")
"""Kinds of mails, beside answers, that may show a seat's move."""
_TEMPLATE: Final = re.compile(r"[a-z_]+")


# -- games -------------------------------------------------------------------------------------------------------------
def check_game(app: App, session: Session, game: Game) -> None:
    """Keep a GM who plays from looking at an open round. Raises Refused."""
    if hides_words(app, session, game):
        raise _refusal(game)


def hides_words(app: App, session: Session, game: Game) -> bool:
    """Check whether judged words are kept from a GM who plays: some may be another's secret."""
    return game.status == "running" and seat_queries.has_seat(session, game, app.settings.service.gm.address)


def check_seat(app: App, session: Session, game: Game, player_name: str) -> None:
    """Keep a GM who plays from seeing a running game as another player sees it. Raises Refused."""
    seat = seat_of_player(session, game, player_name)
    if seat.player_id not in _players(session, app.settings.service.gm.address):
        check_game(app, session, game)


def games_with_secrets(app: App, session: Session, player: Player) -> list[Game]:
    """List the running games in which both this player and the GM sit, and are not the same."""
    own = _players(session, app.settings.service.gm.address)
    return [] if player.id in own else [
        game for game in _played(session, own) if player.id in _seated_since(app, session, game)
    ]  # fmt: skip


def _refusal(game: Game) -> Refused:
    return Refused(say("gm_visibility.gm_plays", game=game.name))


def _players(session: Session, address: str) -> set[int]:
    return {player.id for player in player_queries.players_at(session, address)}


def _played(session: Session, players: Collection[int]) -> list[Game]:
    return game_queries.games_of_players(session, sorted(players), ("running",)) if players else []


def _is_in_turns(app: App, game: Game) -> bool:
    """Check whether moves may be sent ahead; where the rules aren't installed, they may.

    In such a game any mail may hold one: to keep back some would tell that these do.
    """
    try:
        return app.engine(game.engine).rules.in_turns
    except OperatorError:
        return True


def _secret_since(app: App, session: Session, game: Game) -> datetime:
    """Say since when mails may hold what counts, or will count, for the present round."""
    if _is_in_turns(app, game):
        opened = game.created_at
    else:  # not the last step: that may be a roll of somebody's, or a ruling, within the round
        opened = turn_queries.opening_of_round(session, turn_queries.current_turn(game))[0].at
    return opened.replace(microsecond=0)  # a server's clock knows whole seconds


def _seated_since(app: App, session: Session, game: Game) -> set[int]:
    """Find who sits there, or did when such a mail was written: what a seat has on file counts for its next player."""
    return seat_queries.seated_since(game, _secret_since(app, session, game))


# -- mails -------------------------------------------------------------------------------------------------------------


def check_mail(app: App, session: Session, mail_id: str, reader: str = "") -> None:
    """Keep a GM who plays from reading the others' moves in the mail log. Raises Refused."""
    for game in games_kept_from(app, session, find_mail(session, mail_id), reader)[:1]:
        raise _refusal(game)


def why_kept(app: App, session: Session, row: MailIn, game: Game) -> str:
    """Tell the GM why the text of a mail isn't shown, and what can be done with it all the same."""
    until = "the game is over" if _is_in_turns(app, game) else "the round is closed"
    said = [f"You play in {game.name} yourself: what the mail says is shown when {until}."]
    if about_mail(app, session, row).readers and (second := app.settings.service.second_gm):
        said.append(f"{second.name or second.address} reads it by mail: gm mail show {row.id}.")
    if row.status in mail_queries.PUT_ASIDE:
        said.append(f"gm mail retry {row.id} and gm mail drop {row.id} work all the same.")
    return "\n".join(said)


def about_mail(
    app: App, session: Session, row: MailIn, *, player: Player | None = None, cause: str = "", read: str = ""
) -> About:  # fmt: skip
    """Say what an entry on the GM's list is about: a mail that only those GMs may read who don't play there."""
    readers = [one.address for one in gm_contacts(app) if not games_kept_from(app, session, row, one.address)]
    return About(mail=row, player=player, cause=cause, readers=readers, read=read)


def games_kept_from(app: App, session: Session, row: MailIn | MailOut, reader: str = "") -> list[Game]:
    """List the running games in which a GM plays and for whose sake that GM may not read a mail; none: the GM may.

    `reader` is the GM's address; without one it is the GM at the computer.
    """
    reader = (reader or app.settings.service.gm.address).lower()
    own = _players(session, reader)
    played = _played(session, own)
    if not played or reader == _address(row) or own & _writers(session, row):
        return []
    if isinstance(row, MailIn):
        return _kept_received(app, session, row, played)
    return _kept_sent(app, session, row, played) or _kept_with_what_it_answers(app, session, row, reader)


def kept_among(app: App, session: Session, mails: Iterable[tuple[str, datetime]]) -> set[str]:
    """Find those of these mails, each with its time, that the GM may not read."""
    played = _played(session, _players(session, app.settings.service.gm.address))
    if not played:
        return set()
    since = min(_secret_since(app, session, game) for game in played)
    recent = [mail_id for mail_id, at in mails if at >= since]
    return {mail_id for mail_id in recent if games_kept_from(app, session, find_mail(session, mail_id))}


def _address(row: MailIn | MailOut) -> str:
    """Return who wrote a mail to us, or has got it from us; of one that isn't handled yet as its head says."""
    if isinstance(row, MailOut):
        return row.address.lower()
    if row.sender or row.status != "new":
        return row.sender
    from parsers.mime.message import read_head

    return read_head(row.raw).sender


def _writers(session: Session, row: MailIn | MailOut) -> set[int]:
    there = _players(session, _address(row)) if isinstance(row, MailIn) else set[int]()
    return there | ({row.player_id} if row.player_id is not None else set())


def _kept_received(app: App, session: Session, row: MailIn, played: Sequence[Game]) -> list[Game]:
    """Choose the games that a mail may be about: by its sender's seats, what we asked about it, and what it names."""
    writers, address, filed = _writers(session, row), _address(row), sheet_queries.sheets_of_mail(session, row.id)
    about = {game_id for game_id, _ in filed} | question_queries.games_asked_about(session, row.id)
    if writers and not questions.is_gm(app, address):
        about |= {game.id for game in played if writers & _seated_since(app, session, game)}
        return [game for game in played if game.id in about and _may_hold_move(app, session, row, game, filed)]
    recent = [game for game in played if row.received_at >= _secret_since(app, session, game)]
    if questions.is_gm(app, address):
        return recent  # the other GM reads what this one may not, and may quote it
    if address:
        named = missing_moves.games_named(app, session, row, recent, by_title=False)
    else:
        running = list(game_queries.games(session, ("running",)))
        named = missing_moves.games_named(app, session, row, running) or running
    return [game for game in recent if game.id in about | {one.id for one in named}]


def _may_hold_move(
    app: App, session: Session, row: MailIn, game: Game, filed: Collection[tuple[int, int]]
) -> bool:  # fmt: skip
    """Check whether a mail by somebody who sits there may hold a move that isn't public."""
    rounds = {number for game_id, number in filed if game_id == game.id}
    if rounds:
        return game.round in rounds
    if row.received_at < _secret_since(app, session, game):
        return False
    if _is_in_turns(app, game) or row.status != "applied":
        return True
    moves = [one for one in _TEMPLATE.findall(row.reason) if one in _WITH_MOVE]
    return len(moves) > len(filed)  # the others were for other games


def _kept_sent(app: App, session: Session, row: MailOut, played: Sequence[Game]) -> list[Game]:
    """Choose the games of which a mail of ours shows what one seat alone may know."""
    recent = [game for game in played if row.created_at >= _secret_since(app, session, game)]
    if questions.is_gm(app, row.address):
        return recent
    readers = {row.player_id} if row.player_id is not None else _players(session, row.address)
    theirs = [game for game in recent if readers & _seated_since(app, session, game)]
    return [game for game in theirs if _shows_move(app, game, row)]


def _shows_move(app: App, game: Game, row: MailOut) -> bool:
    if row.kind == thread_queries.SEVERAL:
        return True
    if _is_in_turns(app, game):
        is_of_games = row.game_id is None and is_answer(row.kind)  # `Meine Partien`
        return (row.game_id == game.id or is_of_games) and row.kind not in _TO_ALL
    return row.game_id == game.id and (is_answer(row.kind) or row.kind in _SHOW_MOVES)


def _kept_with_what_it_answers(app: App, session: Session, row: MailOut, reader: str) -> list[Game]:
    """Choose the games of the mail that a mail of ours answers, or asks about: it may repeat what that one says."""
    if not (is_answer(row.kind) or row.kind in _SHOW_MOVES):
        return []
    behind = mail_queries.mail_behind(session, row)
    return games_kept_from(app, session, behind, reader) if behind else []
