"""Prose with one plain wish: what only shows something is done, a stranger's sign-up is asked about as its line is.

Whatever else would change something becomes a question to the player. `Ja` carries out the line that the question
shows; `Nein`, and no answer within a week, put the player's words on the GM's list.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from games.api import MoveBlock, Text, say
from gm.game.people import access
from gm.game.schedule.vacations import check_days
from gm.messages import questions
from gm.messages.outgoing import gm_name
from gm.messages.rendering.dates import write_day
from gm.requests import joining, press
from gm.requests.declared import all_names
from gm.requests.preferences import later_anyway, wanted_zat
from gm.requests.prose import line_questions
from gm.requests.prose.line_questions import LineAsked
from gm.requests.request import Request, answered_game
from gm.runtime.errors import PlayerError
from gm.store.queries import game_queries
from gm.store.tables import Game, Player
from parsers import commands
from parsers.clean_lines import clean_line
from parsers.invisible import fold_name
from parsers.lines.command_lines import ReadCommand, read_command
from parsers.lines.small_words import command_in_front
from parsers.prose.courtesies import words_for_the_gm
from parsers.prose.wishes import Wanted, Wish, topic_of

MOST_LINES: Final = 6
MOST_OFFERED: Final = 3
"""Lines that an answer offers which only guesses what was meant."""
WORD = re.compile(r"[\w-]+")
OF_STRANGERS: Final = ("join", "standby", "watch", "rules", "games", "help")
"""What a stranger may ask for in prose as well as by a line."""
WORDS: Final = {
    "join": ("Anmeldung", "Join"), "standby": ("Standby", "Standby"), "watch": ("Beobachten", "Watch"),
    "resign": ("Abmeldung", "Resign"), "vacation": ("Urlaub", "Vacation"), "extension": ("Verlängerung", "Extension"),
    "withdraw": ("Zurückziehen", "Withdraw"), "rules": ("Hilfe", "Help"), "help": ("Hilfe", "Help"),
    "position": ("Stand", "Status"), "history": ("Protokoll", "History"), "games": ("Spiele", "Games"),
    "my_games": ("Meine Partien", "My games"), "digest": ("Digest aus", "Digest off"),
    "english": ("Sprache en", "Language en"), "german": ("Sprache de", "Language de"),
    "address": ("Adresse", "Address"), "archive_name": ("Archivname", "Archive name"),
    "digest_on": ("Digest an", "Digest on"),
}  # fmt: skip
"""The word of the command that does it, German and English."""
ASKS_BACK: Final = ("address",)
"""Wishes whose commands ask for a code themselves: one question is enough."""
OF_GM: Final = {"my_data": "export", "forget": "forget"}
"""Wishes that only the GM grants -> the word of `gm player` that does it."""
OF_A_SEAT: Final = ("resign", "extension", "withdraw", "position", "history")
"""Wishes about a game in which the writer plays."""


class WhichGame(Exception):  # noqa: N818  no error: the answer asks
    """Several games may be meant; `lines` are the commands for each."""

    def __init__(self, lines: list[str]) -> None:
        super().__init__(*lines)
        self.lines = lines


def understand(request: Request) -> None:
    """Read a wish that only shows something, or a stranger's for a seat, as the command that does it.

    What stands beside it is prose as beside any other command. A GM who doesn't play has no wishes of a player.
    """
    wish = request.reading.wish
    is_gms = not request.players and questions.is_gm(request.app, request.mail.sender)
    if wish is None or wish.kind in OF_GM or request.mark or is_gms:
        return
    is_done_at_once = wish.is_harmless or wish.kind in ASKS_BACK
    if not (is_done_at_once if request.players else wish.kind in OF_STRANGERS):
        return
    said: list[ReadCommand] = []
    try:
        said = _commands(request, wish) if not request.players else [*filter(None, [_read(line_for(request, wish))])]
    except PlayerError as error:
        request.refuse(error.text)
    except WhichGame as which:
        line_questions.show(request, say("WISH_WHICH"), which.lines)
    if said or request.parts:
        _leave_beside(request, wish, said)


def _commands(request: Request, wish: Wish) -> list[ReadCommand]:
    """Write a stranger's wish as its commands; where no game is meant, or several may be, the list shows them."""
    one_each = [replace(wish, wanted=(wanted,)) for wanted in wish.wanted] or [wish]
    said: list[ReadCommand | None] = []
    for one in one_each:
        try:
            said.append(_with_letter(request, _read(line_for(request, one)), one))
        except (PlayerError, WhichGame):
            said.append(_read(WORDS["games"][_column(request)]))
    return list({one.line: one for one in said if one}.values())


def _with_letter(request: Request, said: ReadCommand | None, wish: Wish) -> ReadCommand | None:
    """Put the letter that a wish names into its sign-up, where the game asks for one."""
    letter = wish.wanted[0].letter if wish.wanted else ""
    if not letter or said is None or not isinstance(said.command, commands.Join):
        return said
    game = game_queries.game_named(request.session, said.command.game)
    block = MoveBlock(lines=(f"Neu: {letter}",))
    wants = game is not None and joining.wants(request.app, game, block)
    return replace(said, command=replace(said.command, block=block)) if wants else said


def _leave_beside(request: Request, wish: Wish, said: Sequence[ReadCommand] = ()) -> None:
    """Leave the sender's words where something stands beside the wish: all of them, as no message is ever cut."""
    reading = request.reading
    says_more = bool(words_for_the_gm((wish.beside,), request.signatures))
    request.reading = replace(
        reading, commands=tuple(said), free_text=reading.free_text if says_more else "",
        prose=reading.prose if says_more else (), paragraphs=(), greeted=(),
    )  # fmt: skip


def ask(request: Request, wish: Wish) -> None:
    """Answer a player's wish to change something: with what was understood, the line that does it, and a question.

    Raises PlayerError where it can't be granted.
    """
    if len(wish.wanted) > 1:
        line_questions.show(request, say("WISH_JOINS"), [*_lines_to_join(request, wish)])
        _leave_beside(request, wish)
        return
    try:
        line = line_for(request, wish)
        said = _with_letter(request, _read(line), wish)
        if said is None:
            raise PlayerError(say("NOTHING_READ", due=say("DUE_NOWHERE")))
        game = game_queries.game_named(request.session, getattr(said.command, "game", ""))
        player = _asking(request, wish, game)
        understood = _understood(request, wish, said.command, game)
    except WhichGame as which:
        line_questions.show(request, say("WISH_WHICH"), which.lines)
        _leave_beside(request, wish)
        return
    if isinstance(said.command, commands.Extension) and game and wanted_zat(request.app, game, said.command) is None:
        request.confirm(later_anyway(request, game))
        _leave_beside(request, wish)
        return
    block = said.command.block.lines if isinstance(said.command, commands.Join) else ()
    line_questions.ask(request, understood, LineAsked(lines=[line, *block], text=wish.text, player=player, game=game))
    _leave_beside(request, wish)


def _read(line: str) -> ReadCommand | None:
    return read_command(line, all_names())


def _column(request: Request) -> int:
    return 1 if request.language == "en" else 0


def offer_lines(request: Request) -> bool:
    """Offer the line that does what a mail without a plain wish may be about; False where there is none.

    Nothing is done by it, and the words are the GM's to answer.
    """
    said_lines = map(clean_line, request.reading.free_text.splitlines())
    if len(begun := [*filter(None, (command_in_front(line, all_names()) for line in said_lines))]) == 1:
        line_questions.show(request, say("WISH_PERHAPS", gm=gm_name(request.app)), begun)
        return True
    own = access.games_of(request.session, request.players)
    newest, _ = game_queries.newest_games(request.session, ("open", "running"), MOST_LINES)
    names = frozenset(game.name_key for game in (*own, *newest))
    topic = topic_of(request.reading.free_text.splitlines(), all_names(), names)
    if topic is None or topic.kind in OF_GM:
        return False
    try:
        lines = [line_for(request, topic)]
    except WhichGame as which:
        lines = which.lines[:MOST_OFFERED]
    except PlayerError:
        return False
    code = "WISH_PERHAPS" if len(lines) == 1 else "WISH_PERHAPS_SEVERAL"
    line_questions.show(request, say(code, gm=gm_name(request.app)), lines)
    return True


# -- the line that does it ---------------------------------------------------------------------------------------------


def line_for(request: Request, wish: Wish) -> str:
    """Write the command that a wish means. Raises WhichGame, PlayerError."""
    word = WORDS[wish.kind][_column(request)]
    if wish.kind == "join":
        return _line_to_join(request, wish.wanted[0] if wish.wanted else Wanted())
    if wish.kind == "watch":
        return f"{word} {_game_to_watch(request, wish, word)}"
    if wish.kind == "standby":
        return f"{word} {_title_meant(request, wish)}".strip()
    if wish.kind in ("rules", "help"):
        return f"{word} {_title_of_rules(request, wish)}".strip()
    if wish.kind == "vacation" and wish.days:
        first, last = check_days(wish.days.on(request.today), request.today)
        return f"{word} {first:%d.%m.%Y}-{last:%d.%m.%Y}"
    if wish.kind == "address":
        return f"{word} {wish.mail}"
    if wish.kind in OF_A_SEAT:
        name = _own_game(request, wish, word)
        return f"{word} {name} {_behind_name(request, wish)}".strip()
    return word


def _behind_name(request: Request, wish: Wish) -> str:
    if wish.kind == "history":
        return "" if wish.number is None else str(wish.number)
    if wish.kind != "extension":
        return ""
    german = _column(request) == 0
    if wish.until and (day := wish.until.to_come(request.today)):
        return f"{'bis' if german else 'until'} {day:%d.%m.%Y}"
    number, unit = (wish.span or "3d")[:-1], (wish.span or "3d")[-1]
    return (
        f"{number} {'Stunden' if unit == 'h' else 'Tage'}"
        if german
        else f"{number} {'hours' if unit == 'h' else 'days'}"
    )


def _own_game(request: Request, wish: Wish, word: str) -> str:
    """Find the game of the writer's that is meant: named, else by subject or thread, else the only one."""
    session = request.session
    if wish.game:
        return wish.game  # where there is none of that name, the command says so
    own = [game for game in access.games_of(session, request.players) if wish.title_key in ("", game.engine)]
    if wish.kind != "resign":
        own = [game for game in own if game.status == "running"]
    names = [game.name for game in own]
    if not wish.title_key:
        meant = _game_of_mail(request, own)
        if meant:
            return meant.name
    if len(names) == 1:
        return names[0]
    if not names:
        raise PlayerError(say("NO_SEAT_ANYWHERE"))
    raise WhichGame([f"{word} {name} {_behind_name(request, wish)}".strip() for name in names[:MOST_LINES]])


def _game_of_mail(request: Request, own: Iterable[Game]) -> Game | None:
    """Find the game that a mail is about: a player's own that its subject names without brackets, else as ever."""
    words = {fold_name(word) for word in WORD.findall(request.mail.subject)}
    named = [game for game in own if game.name_key in words]
    is_named = len(named) == 1 and not request.reading.subject_games
    return named[0] if is_named else answered_game(request)


def _lines_to_join(request: Request, wish: Wish) -> Iterator[str]:
    """Write the sign-ups for all games that a wish names, for each open one where several may be meant."""
    for wanted in wish.wanted:
        try:
            yield _line_to_join(request, wanted)
        except WhichGame as which:
            yield from which.lines


def _line_to_join(request: Request, wanted: Wanted) -> str:
    """Write the sign-up for the open game that is meant. Raises WhichGame, PlayerError."""
    app, session, word = request.app, request.session, WORDS["join"][_column(request)]
    if wanted.game:
        named = game_queries.game_named(session, wanted.game)
        title = f"{app.engine(named.engine).rules.title} " if named else ""
        return f"{word} {title}{named.name if named else wanted.game}"
    open_games, _ = game_queries.newest_games(session, ("open",), MOST_LINES)
    fitting = [game for game in open_games if wanted.title_key in ("", game.engine)]
    shown = [f"{word} {app.engine(game.engine).rules.title} {game.name}" for game in fitting]
    if not shown and wanted.title_key:
        raise PlayerError(say("NO_OPEN_GAME", title=app.engine(wanted.title_key).rules.title))
    if not shown:
        raise PlayerError(say("NO_GAME_OPEN"))
    if len(shown) > 1:
        raise WhichGame(shown)
    return shown[0]


def _game_to_watch(request: Request, wish: Wish, word: str) -> str:
    if wish.game:
        return wish.game
    public, _ = game_queries.newest_games(request.session, ("open", "running"), MOST_LINES)
    names = [game.name for game in public if wish.title_key in ("", game.engine)]
    if not names:
        raise PlayerError(say("NO_GAME_OPEN"))
    if len(names) > 1:
        raise WhichGame([f"{word} {name}" for name in names])
    return names[0]


def _title_meant(request: Request, wish: Wish) -> str:
    game = game_queries.game_named(request.session, wish.game) if wish.game and request.players else None
    key = wish.title_key or (game.engine if game else "")
    return request.app.engine(key).rules.title if key else ""


def _title_of_rules(request: Request, wish: Wish) -> str:
    """Name the kind of game whose rules are asked for: as said, else of the thread, else of the only one played."""
    title = _title_meant(request, wish)
    if title or wish.kind == "help" or not request.players:
        return title
    own = access.games_of(request.session, request.players)
    meant = _game_of_mail(request, own)
    kinds = {meant.engine} if meant else {game.engine for game in own}
    return request.app.engine(kinds.pop()).rules.title if len(kinds) == 1 else ""


# -- who wishes what ---------------------------------------------------------------------------------------------------


def _asking(request: Request, wish: Wish, game: Game | None) -> Player:
    """Find who is to be asked, and check that the wish may be granted. Raises PlayerError."""
    session = request.session
    if wish.kind in OF_A_SEAT:
        seat = request.own_seat(game or access.game_of(session, wish.game))
        return session.get_one(Player, seat.player_id)
    if wish.kind == "join":
        joining.game_to_join(request.app, session, wish.title_key, game.name if game else wish.game)
    if wish.kind == "watch":
        press.game_to_watch(session, game.name if game else wish.game)
    return request.find_writer()


def _understood(request: Request, wish: Wish, command: object, game: Game | None) -> Text:
    values = {"game": game.name, "title": request.app.engine(game.engine).rules.title} if game else {}
    if isinstance(command, commands.Vacation) and command.days:
        first, last = check_days(command.days, request.today)
        values = {"first": write_day(first, request.language), "last": write_day(last, request.language)}
    return say(f"WISH_{wish.kind.upper()}", **values)
