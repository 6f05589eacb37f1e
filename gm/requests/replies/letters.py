"""Letters of the GM's: to one player, or to all of a game. One to all is asked back before it goes out.

Each is an ordinary mail in the queue and in the log. The player's answer comes back to the GM, in the thread of the
GM's own mail.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from sqlmodel import Session

from games.api import Text, say
from gm.app.context import App
from gm.game.people import lookup
from gm.messages import gm_list, questions
from gm.messages.game_mails import seated
from gm.messages.outgoing import Occasion, Part, gm_name, post, recipient
from gm.messages.questions import About
from gm.requests.request import Request
from gm.runtime.errors import PlayerError, Refused
from gm.store.queries import game_queries, player_queries, question_queries, seat_queries, thread_queries
from gm.store.tables import Game, MailIn, Player, Question
from parsers.addresses import canonical
from parsers.invisible import fold_name
from parsers.prose.gm_mails import Letter
from parsers.reading import ANSWER_CODE, REPLY_MARK

KIND: Final = "letter"
"""The kind of the mails, and of the question whether one shall go out."""
DAYS: Final = 7
"""So long the question waits for an answer."""
ALL: Final = ("all", "alle")
TO_BE_READ: Final = ("open", "running", "provisional", "finished")
_CODE: Final = re.compile(r"(?<!\w)[A-HJKMNP-Z2-9]{8}(?!\w)")


@dataclass(frozen=True, kw_only=True)
class Readers:
    """Whom a letter goes to."""

    players: Sequence[Player]
    watching: Sequence[Player] = ()
    game: Game | None = None
    is_one: bool = False
    """It goes to one player alone."""

    @property
    def everybody(self) -> list[Player]:
        """All of them, each once."""
        return [*{player.id: player for player in (*self.players, *self.watching)}.values()]

    @property
    def named(self) -> str:
        """Say who they are, in English."""
        if self.is_one:
            return self.players[0].name
        watching = f" and {len(self.watching)} watching" if self.watching else ""
        return f"all in {self.game.name if self.game else 'open and running games'}: {len(self.players)}{watching}"

    @property
    def text(self) -> Text:
        """The same for a mail."""
        if self.is_one:
            return say("READER_ONE", name=self.players[0].name)
        if not self.game:
            return say("READERS_ALL", players=len(self.players))
        numbers = {"players": len(self.players), "watching": len(self.watching)}
        return say("READERS_WATCHING" if self.watching else "READERS_OF_GAME", game=self.game.name, **numbers)


@dataclass(frozen=True, kw_only=True)
class Post:
    """A letter that is ready to go out."""

    readers: Readers
    text: str
    cause: str
    subject: str = ""
    answers: MailIn | None = None
    """The player's mail that it answers."""
    by: str = ""
    """Who writes."""


# -- readers -----------------------------------------------------------------------------------------------------------


def find_readers(session: Session, who: str) -> Readers:
    """Find whom `all`, a game's name, a player's name or an address means. Raises Refused."""
    if who.strip().casefold() in ALL:
        return _of_all(session)
    game = game_queries.game_named(session, who.strip())
    player = player_queries.player_named(session, who.strip())
    if game and player:
        raise Refused(say("letters.game_and_player", game=game.name))
    if game:
        return of_game(session, game)
    if address := canonical(who):
        found = player_queries.players_at(session, player_queries.known_address(session, address))
        if len(found) != 1:
            raise Refused(say("letters.several_at_address", number=len(found), address=who))
        return Readers(players=found, is_one=True)
    return Readers(players=[lookup.reachable(session, who)], is_one=True)


def _only(player: Player) -> Readers:
    """One player. Raises Refused for a forgotten one."""
    return Readers(players=[lookup.not_forgotten(player)], is_one=True)


def of_game(session: Session, game: Game) -> Readers:
    """All who sit in a game or watch it. Raises Refused where there is nobody, or the game was broken off."""
    players = [player for player, _ in seated(session, game)]
    watching = seat_queries.watchers(game)
    if game.status not in TO_BE_READ or not (players or watching):
        raise Refused(say("letters.nobody_in_game", game=game.name))
    return Readers(players=players, watching=[one for one in watching if one not in players], game=game)


def _of_all(session: Session) -> Readers:
    found = [player for game in game_queries.games(session, ("open", "running")) for player, _ in seated(session, game)]
    if not found:
        raise Refused(say("letters.nobody_anywhere"))
    return Readers(players=[*{player.id: player for player in found}.values()])


def readers_of(session: Session, letter: Letter, about: Sequence[Player] = ()) -> Readers:
    """Find whom a heading means: `alle Eriwan`, `alle in Crossword Eriwan`, `alle`, `Anna Berg`. Raises Refused.

    The whole name of one whom the mail replied to is `about` means that one.
    """
    if not letter.is_to_all:
        named = next((player for player in about if player.name_key == fold_name(letter.to)), None)
        return _only(named) if named else find_readers(session, letter.to)
    if not letter.game:
        return _of_all(session)
    last = letter.game.split()[-1]
    return of_game(session, game_queries.game_named(session, last) or game_queries.named(session, letter.game))


# -- sending -----------------------------------------------------------------------------------------------------------


def send(app: App, session: Session, letter: Post) -> int:
    """Queue a letter to all its readers; returns how many get it. Raises Refused for a text that can't go out."""
    check(session, letter.text)
    sent = 0
    for player in letter.readers.everybody:
        to, game = recipient(app, session, player, letter.readers.game), letter.readers.game
        context = {
            "gm": letter.by or gm_name(app), "lines": letter.text.split("\n"), "game": game.name if game else "",
            "title": app.engine(game.engine).rules.title if game else "", "to_all": not letter.readers.is_one,
            "subject_line": letter.subject,
        }  # fmt: skip
        occasion = Occasion(cause=letter.cause, kind=KIND, game=game, answers=letter.answers)
        post(app, session, occasion, to, [Part(template="letter", context=context)])
        sent += bool(to.address)
    return sent


def check(session: Session, text: str) -> None:
    """Check that a text may go to players. Raises Refused.

    What stands in a mail to the GM and isn't for players has a code: no text with one goes out.
    """
    if not text.strip():
        raise Refused(say("letters.no_text"))
    gm_list.check_length("text", text)
    if found := question_queries.codes_among(session, set(_CODE.findall(text.upper()))):
        code = ", ".join(sorted(found))
        raise Refused(say("letters.holds_question", question=code))


def write(app: App, session: Session, readers: Readers, text: str, subject: str = "") -> int:
    """Queue a letter from the command line; returns how many get it. Raises Refused."""
    cause = f"written:{app.now().isoformat()}"
    return send(app, session, Post(readers=readers, text=text.strip(), cause=cause, subject=subject))


def reply_subject(mail: MailIn) -> str:
    """Write the subject of an answer to a player's mail, without what our own mails put into subjects."""
    rest = " ".join(ANSWER_CODE.sub(" ", mail.subject).split())
    while mark := REPLY_MARK.match(rest):
        rest = rest[mark.end() :]
    return f"Re: {rest}" if rest else ""


# -- asked back --------------------------------------------------------------------------------------------------------


def ask(request: Request, found: Sequence[tuple[Readers, str]]) -> None:
    """Ask the GM whether these letters shall go out: anybody can write the GM's address into a mail."""
    app, session = request.app, request.session
    payload: dict[str, Any] = {
        "text": "\n".join(f"{readers.named}: {text}" for readers, text in found)[: gm_list.LONGEST_TEXT],
        "letters": [_kept(readers, text) for readers, text in found], "by": writer(request),
        "cause": f"mail:{request.row.id}", "mail_kind": "answer", "offers": [],
    }  # fmt: skip
    readers = found[0][0]
    about = About(mail=request.row, game=readers.game, player=readers.players[0] if readers.is_one else None)
    until = app.now() + timedelta(days=DAYS)
    question = questions.add(app, session, KIND, payload, about, until=until)
    shown = [{"to": one.text, "number": len(one.everybody), "lines": text.split("\n")} for one, text in found]
    request.parts.append(
        Part(template="ask_letter", context={"code": question.code, "letters": shown, "days": DAYS, "game": ""})
    )
    request.applied = True


def _kept(readers: Readers, text: str) -> dict[str, Any]:
    return {
        "text": text, "game": readers.game.id if readers.game else None,
        "player": readers.players[0].id if readers.is_one else None,
    }  # fmt: skip


def settle(request: Request, question: Question, *, yes: bool) -> None:
    """Send what was asked about, or drop it. Raises PlayerError, Refused."""
    app, session = request.app, request.session
    if question.expires_at is not None and question.expires_at <= app.now():
        raise PlayerError(say("QUESTION_EXPIRED"))
    questions.close(app, session, question, "yes" if yes else "no")
    if not yes:
        request.confirm(say("LETTER_DROPPED"))
        return
    sent = 0
    for number, one in enumerate(question.payload["letters"]):
        readers, cause = _again(session, one), f"question:{question.id}:{number}"
        sent += send(app, session, Post(readers=readers, text=one["text"], cause=cause, by=question.payload["by"]))
    request.confirm(say("LETTERS_SENT", number=sent))


def _again(session: Session, kept: dict[str, Any]) -> Readers:
    """Find the readers once more: who has left in the meantime gets nothing."""
    if kept["player"] is not None:
        return _only(session.get_one(Player, kept["player"]))
    return of_game(session, session.get_one(Game, kept["game"])) if kept["game"] is not None else _of_all(session)


def writer(request: Request) -> str:
    """Name who of the GMs has written."""
    service = request.app.settings.service
    contacts = (one for one in (service.gm, service.second_gm) if one)
    named = (one.name for one in contacts if one.address.lower() == request.mail.sender)
    return next(filter(None, named), gm_name(request.app))


# -- answered by the player --------------------------------------------------------------------------------------------


def answered_letter(request: Request) -> MailIn | None:
    """Find the mail of the GM's whose letter this mail replies to."""
    cause = thread_queries.cause_in_thread(request.session, (request.mail.in_reply_to,), KIND)
    number = cause.removeprefix("letter:").partition(":")[0]
    return request.session.get(MailIn, int(number)) if cause and number.isdecimal() else None
