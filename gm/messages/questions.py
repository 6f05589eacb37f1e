"""What we ask somebody, players or the GM: one table, one way to ask, one way to be answered.

A question has a code, in the subject and by our Message-ID in every reply. The GM's mails offer commands, and with the
code just these may be sent back (gm.commands.gm_commands.by_mail).
"""

import secrets
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final

from sqlmodel import Session, col, or_, select

from games.api import say
from gm.app.context import App
from gm.messages import game_mails, rate_limits
from gm.messages.outgoing import Occasion, Part, Recipient, gm_recipient, post, recipient
from gm.runtime.errors import PlayerError, Refused
from gm.runtime.ids import digest_of
from gm.store.queries import meta_queries, player_queries, question_queries, seat_queries
from gm.store.tables import Game, MailIn, MailOut, Player, Question
from parsers.mime.message import Mail

ALPHABET: Final = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""Without I, L, O, 0 and 1, which people mix up."""
LONGEST_TEXT: Final = 4000
SAID_LATELY: Final = timedelta(days=60)
MOST_COMPARED: Final = 20
"""So many of a player's last words to the GM are compared: a signature stands below every mail."""

OF_A_ROUND: Final = ("held", "outage", "extension")
"""Kinds that are idle as soon as the round is closed or has another ZAT."""
AFTER_THE_END: Final = ("words", "appeal", "release", "text", "quarantine", "undelivered")
"""Kinds that the end of a game doesn't settle."""
TO_BE_DECIDED: Final = ("words", question_queries.HELD_MOVE, "release")
"""Kinds that nobody can tick off: the game waits for the answer."""
NEEDS_CODE: Final = frozenset(["address", "sender"])
"""Kinds that a bare `Ja` never answers: who forges a sender may have asked, but has not seen our mail."""

Offer = Sequence[str]
"""The words of a command that the GM may send back: `("rule", "Eriwan", "accept", "URAN")`."""


def _code(session: Session, number: int) -> str:
    """Make the code of a question: not to be guessed, and the same again after a crash."""
    digest = digest_of(meta_queries.secret_since_restore(session), "question", number)
    return "".join(ALPHABET[byte % len(ALPHABET)] for byte in digest[:8])


# -- to players --------------------------------------------------------------------------------------------------------


def ask_player(
    app: App, session: Session, kind: str, player: Player, payload: Mapping[str, Any], *,
    context: Mapping[str, Any], row: MailIn | None = None, game: Game | None = None, until: datetime | None = None,
    address: str = "",
) -> Question:  # fmt: skip
    """Ask a player something by a mail of its own, to the registered address; the template has the kind's name."""
    to = recipient(app, session, player, game)
    if address and address != to.address:  # perhaps somebody else's, who doesn't know what players call themselves
        to = Recipient(name="", address=address, language=to.language, player_id=player.id)
    question = note(
        app, session, kind, dict(payload), row=row, game=game, player=player, address=to.address, expires_at=until
    )  # fmt: skip
    engine = app.engine(game.engine) if game else None
    frame = game_mails.frame_context(app, game, engine, to.language) if game and engine else {}
    names = game_mails.names_by_seat(session, game) if game else {}
    part = Part(
        template=f"ask_{kind}", context={**frame, **payload, **context, "code": question.code}, engine=engine,
        names=names,
    )  # fmt: skip
    post(app, session, Occasion(cause=f"question:{question.id}", kind="question", game=game), to, [part])
    return question


def may_ask(app: App, session: Session, address: str) -> bool:
    """Say whether an address may get one more question for somebody's mail: as many an hour as answers."""
    return rate_limits.reached(app, session, "question", address) is None


def find(app: App, session: Session, mail: Mail, players: Collection[Player], code: str) -> Question:
    """Find the question that a mail answers: by its code, by the mail replied to, or because it is the only one.

    Raises PlayerError that says what is wrong with the answer.
    """
    now = app.now()
    if code:
        return _by_code(app, session, mail, players, code.upper())
    thread = (mail.in_reply_to, *mail.references)
    if is_gm(app, mail.sender) and (to_gm := question_queries.question_of_thread(session, thread)):
        return to_gm  # never a bare one: anybody can write the GM's address into a mail
    asked = [q for q in _asked(session, mail.sender, players) if q.expires_at is None or q.expires_at > now]
    threaded = _of_thread(session, asked, thread)
    # Who forges an unknown sender has not seen our mail; a registered player's address is asked about each change.
    bare = [q for q in asked if players and q.kind not in NEEDS_CODE]
    candidates = threaded or bare
    here = [q for q in candidates if q.address == mail.sender] if len(candidates) > 1 else candidates
    if len(here) != 1:
        raise PlayerError(say("NO_QUESTION"))
    return here[0]


def _of_thread(session: Session, asked: Sequence[Question], thread: Collection[str]) -> list[Question]:
    """Keep the questions whose mail of ours was replied to."""
    causes = set(session.exec(select(MailOut.cause).where(col(MailOut.message_id).in_({*thread} - {""}))))
    return [q for q in asked if f"mail:{q.mail_id}" in causes or f"question:{q.id}" in causes]


def is_known(app: App, session: Session, mail: Mail, players: Collection[Player], code: str) -> bool:
    """Say whether a mail shows that its writer has read an open question of ours where it was sent to."""
    if code:
        try:
            found = [_by_code(app, session, mail, players, code.upper())]
        except PlayerError:
            return False
    else:
        thread = (mail.in_reply_to, *mail.references)
        if is_gm(app, mail.sender) and question_queries.question_of_thread(session, thread):
            return True
        open_ones = [q for q in _asked(session, mail.sender, players) if not q.expires_at or q.expires_at > app.now()]
        found = _of_thread(session, open_ones, thread)
    known = {"", mail.sender, *(player_queries.address_of(session, player.id) for player in players)}
    return any(question.address in known for question in found)


def _by_code(app: App, session: Session, mail: Mail, players: Collection[Player], code: str) -> Question:
    now, sender = app.now(), mail.sender
    question = session.exec(select(Question).where(Question.code == code)).first()
    if question is None or not _is_for(app, question, sender, players):
        raise PlayerError(say("WRONG_CODE", named=code))
    if question.answered_at is not None:
        # The code of a mail to the GM stands for all that it asks.
        if not question.address and (others := question_queries.questions_in_same_mail(session, question)):
            return others[0]
        raise PlayerError(say("ANSWERED_ALREADY"))
    if question.expires_at is not None and question.expires_at <= now:
        raise PlayerError(say("QUESTION_EXPIRED"))
    return question


def _is_for(app: App, question: Question, sender: str, players: Collection[Player]) -> bool:
    """Say whether this sender was asked: at this address, or as a player who writes from another one today."""
    if not question.address:
        return is_gm(app, sender)
    return question.address == sender or question.player_id in {player.id for player in players}


def _asked(session: Session, sender: str, players: Collection[Player]) -> Sequence[Question]:
    rows = select(Question).where(
        col(Question.answered_at).is_(None), Question.address != "",
        or_(Question.address == sender, col(Question.player_id).in_([player.id for player in players])),
    )  # fmt: skip
    return session.exec(rows.order_by(col(Question.id))).all()


def settle(app: App, session: Session, question: Question, answer: str) -> None:
    """Write down how a question was answered, or that it has become idle."""
    question.answered_at, question.answer = app.now(), answer
    session.add(question)
    session.flush()


def check_length(what: str, text: str) -> None:
    """Make sure that what the GM tells the players fits into a mail. Raises Refused."""
    if len(text) > LONGEST_TEXT:
        raise Refused(f"The {what} has {len(text)} characters; at most {LONGEST_TEXT} fit.")


def settle_all(app: App, session: Session, game: Game, but: Collection[str] = ()) -> None:
    """Settle what the GM was asked about a game that is over."""
    for question in question_queries.open_for_gm_about(session, game):
        if question.kind not in but:
            settle(app, session, question, game.status)


def was_asked(session: Session, address: str) -> bool:
    """Say whether we ever asked this address something."""
    return session.exec(select(Question.id).where(Question.address == address)).first() is not None


# -- to the GM ---------------------------------------------------------------------------------------------------------


def note(
    app: App, session: Session, kind: str, payload: dict[str, Any], *, row: MailIn | None, game: Game | None,
    player: Player | None, address: str = "", expires_at: datetime | None = None,
) -> Question:  # fmt: skip
    """Write a question down. Without an address it waits for the GM (`gm todo` shows `payload["text"]` of it)."""
    question = Question(
        code=secrets.token_hex(8), kind=kind, game_id=game.id if game else None,
        player_id=player.id if player else None, mail_id=row.id if row else None, created_at=app.now(),
        payload=payload, address=address, expires_at=expires_at,
    )  # fmt: skip
    session.add(question)
    session.flush()
    question.code = _code(session, question.id)
    session.add(question)
    session.flush()
    return question


def is_gm(app: App, address: str) -> bool:
    """Say whether this is the address of the GM or of the second one."""
    service = app.settings.service
    known = [service.gm, *([service.second_gm] if service.second_gm else [])]
    return address.lower() in {contact.address.lower() for contact in known}


@dataclass(frozen=True, kw_only=True)
class Entry:
    """Something on the GM's list, and what a mail to the GM says of it."""

    question: Question
    part: Part
    game: Game | None = None
    below: Sequence[Part] = ()
    """What the mail shows below it."""


def enter(
    app: App, session: Session, kind: str, *, text: str, part: Part, offers: Sequence[Offer] = (),
    below: Sequence[Part] = (), row: MailIn | None = None, game: Game | None = None, player: Player | None = None,
    cause: str = "", payload: Mapping[str, Any] | None = None,
) -> Entry:  # fmt: skip
    """Put something on the GM's list, with the commands that may be sent back. `send` tells the GM."""
    kept = {**(payload or {}), "text": text[:LONGEST_TEXT], "cause": cause}
    question = note(app, session, kind, kept, row=row, game=game, player=player)
    offered = [list(offer) for offer in offers] or [["todo", "--done", question.code]]
    question.payload = {**kept, "offers": offered}
    return Entry(question=question, part=part, game=game, below=below)


def send(app: App, session: Session, entries: Sequence[Entry]) -> None:
    """Tell the GM of entries that belong together, in one mail: a mail received brings one notice, whatever it says.

    What a playing GM may not see goes to the second one.
    """
    by_address: dict[str, list[Entry]] = {}
    for entry in entries:
        by_address.setdefault(gm_recipient(app, session, entry.game).address, []).append(entry)
    for together in by_address.values():
        # What waits for a decision gives the mail its subject.
        _send(app, session, sorted(together, key=lambda entry: entry.part.template == rate_limits.NOTICE))


def _send(app: App, session: Session, entries: Sequence[Entry]) -> None:
    """Queue a mail with all of it; from then on each entry is found by this mail."""
    first = entries[0]
    cause = first.question.payload.get("cause") or f"question:{first.question.id}"
    kind, game = first.part.template, first.game
    if len(entries) > 1:
        for question in (entry.question for entry in entries):
            question.payload = {**question.payload, "cause": cause, "mail_kind": kind}
            session.add(question)
        game = game if {entry.game and entry.game.id for entry in entries} == {game and game.id} else None
    parts = [part for entry in entries for part in (_told(entry, is_alone=len(entries) == 1), *entry.below)]
    to = gm_recipient(app, session, first.game)
    rate_limits.send(app, session, Occasion(cause=cause, kind=kind, game=game), to, parts)


def _told(entry: Entry, *, is_alone: bool) -> Part:
    """Fill in what may be sent back. Among others a bare `Ja` would leave open what it is meant for."""
    offers = [line_of(offer) for offer in entry.question.payload.get("offers", ())]
    return replace(
        entry.part, context={**entry.part.context, "code": entry.question.code, "offers": offers, "is_alone": is_alone}
    )


def list_for_gm(
    app: App, session: Session, kind: str, text: str, *, row: MailIn | None = None, player: Player | None = None
) -> None:
    """Put something on the GM's list without a mail about it."""
    question = note(app, session, kind, {"text": text[:LONGEST_TEXT]}, row=row, game=None, player=player)
    question.payload = {**question.payload, "offers": [["todo", "--done", question.code]]}
    session.add(question)


def was_passed_on(
    app: App, session: Session, player: Player, text: str, *, within: timedelta = SAID_LATELY, but_numbers: bool = False
) -> bool:
    """Say whether these words of a player stood on the GM's list lately; `but_numbers`: a date or number may be new."""
    asked = select(Question).where(
        Question.player_id == player.id, Question.kind == "text", col(Question.created_at) > app.now() - within
    )
    recent = session.exec(asked.order_by(col(Question.id).desc()).limit(MOST_COMPARED))
    said = (str(one.payload.get("text")) for one in recent)
    compared = _without_numbers if but_numbers else str
    return any(compared(one) == compared(text[:LONGEST_TEXT]) for one in said)


def _without_numbers(text: str) -> str:
    """Leave out the words with a digit in them: a robot's note differs in nothing else."""
    return " ".join(word for word in text.split() if not any(sign.isdigit() for sign in word))


def line_of(offer: Offer) -> str:
    """Write an offer as it is typed: `gm standby Eriwan "Anna Berg"`."""
    return " ".join(["gm", *(f'"{word}"' if " " in word else word for word in offer)])


def enter_trouble(
    app: App, session: Session, kind: str, *, text: str, row: MailIn | None = None, game: Game | None = None,
    player: Player | None = None, cause: str = "", out: MailOut | None = None, offers: Sequence[Offer] = (),
    names: str = "",
) -> Entry:  # fmt: skip
    """Put a trouble or a player's word on the GM's list (`gm todo`). `send` tells the GM."""
    hidden = kind == "late" and game is not None and is_playing_alone(app, session, game)
    shown = "" if hidden else text[:LONGEST_TEXT]
    context = {
        "kind": kind, "text": shown, "hidden": hidden, "player": names or (player.name if player else ""),
        "game": game.name if game else "", "mail": row.id if row else 0, "subject_line": row.subject if row else "",
    }  # fmt: skip
    return enter(
        app, session, kind, text=shown, part=Part(template=rate_limits.NOTICE, context=context), offers=offers,
        row=row, game=game, player=player, cause=cause, payload={"out": out.id} if out else None,
    )  # fmt: skip


def tell_gm(app: App, session: Session, kind: str, **trouble: Any) -> None:
    """Put a trouble on the GM's list and send one notice, see `enter_trouble`."""
    send(app, session, [enter_trouble(app, session, kind, **trouble)])


def is_playing_alone(app: App, session: Session, game: Game) -> bool:
    """Say whether the GM plays in a game and there is nobody else to show a player's move to."""
    service = app.settings.service
    return service.second_gm is None and seat_queries.has_seat(session, game, service.gm.address)


def words_part(app: App, session: Session, game: Game, doubtful: Sequence[str], *, held: bool) -> Part:
    """Show the GM the doubtful words to rule on; `held`: a move waits for it, not the result."""
    engine = app.engine(game.engine)
    frame = game_mails.frame_context(app, game, engine, gm_recipient(app, session, game).language)
    return Part(template="words", context={**frame, "doubtful": list(doubtful), "held": held}, engine=engine)


def ask_for_rulings(app: App, session: Session, game: Game, cause: str, doubtful: Sequence[str]) -> None:
    """Mail the GM the doubtful words of a result with the lines to rule with."""
    part = words_part(app, session, game, doubtful, held=False)
    entry = enter(app, session, "words", text=" ".join(doubtful), part=part, offers=rule_offers(game, doubtful),
                  game=game, cause=cause)  # fmt: skip
    send(app, session, [entry])


def rule_offers(game: Game, words: Sequence[str]) -> list[Offer]:
    """Give the two commands that rule on words."""
    return [("rule", game.name, verdict, *words) for verdict in ("accept", "reject")]


def mail_offers(row: MailIn) -> list[Offer]:
    """Give the two commands that let a mail be handled again, or discard it."""
    return [("mail", "retry", f"{row.id}"), ("mail", "drop", f"{row.id}")]


def clock_offers(game: Game) -> list[Offer]:
    """Give the two commands that let a held game go on; a span counts from today where the ZAT has passed."""
    return [("close", game.name), ("zat", game.name, "+3d")]
