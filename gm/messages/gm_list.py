"""The GM's list (`gm todo`): what waits for the GM, and the mails that tell of it.

An entry is a question without an address. Its mail offers commands; the GM may send back these, and only these, with
the question's code (`gm.requests.replies.offered_lines`).
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final, Literal

from sqlmodel import Session, col, select

from games.api import Language, Played, Seat, Text, say
from gm.app.context import App
from gm.messages import game_mails, questions, rate_limits
from gm.messages.outgoing import Occasion, Part, Recipient, gm_name, gm_recipient, gms_of
from gm.messages.questions import About
from gm.messages.ruling_texts import claims_of
from gm.messages.sentences import SENTENCES
from gm.runtime.errors import OperatorError, Refused
from gm.store.queries import holder_queries, question_queries
from gm.store.tables import Game, MailIn, Player, Question

LONGEST_TEXT: Final = 4000
SAID_LATELY: Final = timedelta(days=60)
MOST_COMPARED: Final = 20
"""So many of a player's last words to the GM are compared: a signature stands below every mail."""

STANDING_STILL: Final = ("held", "outage", "upgrade")
"""Kinds that need no answer once the game goes on."""
OF_A_ROUND: Final = (*STANDING_STILL, question_queries.EXTENSION)
"""Kinds that need no answer once the round is closed."""
AFTER_THE_END: Final = ("words", "appeal", "release", "text", "quarantine", "undelivered")
"""Kinds that stay open when their game ends."""
TO_BE_DECIDED: Final = ("words", question_queries.HELD_MOVE, "release")
"""Kinds that nobody can tick off: the game waits for the answer."""

OF_A_MOVE: Final = ("late", "in_time", "disowned", "forwarded", "claimed")
"""Kinds whose text may be a move, or tell of one."""

TO_BE_READ: Final = ("vacation",)
"""Kinds that `Ja` ticks off, whatever else may be sent back."""

_TO_FILL_IN: Final = "ADDRESS"
NOTHING: Final = About()
Offer = Sequence[str]
"""The words of a command that the GM may send back: `("rule", "Eriwan", "accept", "URAN")`."""


@dataclass(frozen=True, kw_only=True)
class Entry:
    """Something on the GM's list, and what a mail to the GM says of it."""

    question: Question
    part: Part
    game: Game | None = None
    below: Sequence[Part] = ()
    """What the mail shows below it."""
    reader: str = ""
    """The address of the GM who is told; empty: the one who doesn't play in the game."""


# -- adding ------------------------------------------------------------------------------------------------------------


def add(
    app: App, session: Session, kind: str, text: str, about: About, part: Part, offers: Sequence[Offer] = ()
) -> Entry:
    """Put something on the list, with the commands that may be sent back. `send` mails it to the GM."""
    kept = {"text": text[:LONGEST_TEXT], "cause": about.cause, **({"out": about.sent.id} if about.sent else {})}
    question = questions.add(app, session, kind, kept, about)
    offered = [list(offer) for offer in offers]
    if not offered or kind in TO_BE_READ:
        offered.insert(0, ["todo", "--done", question.code])
    question.payload = {**kept, "offers": offered}
    return Entry(question=question, part=part, game=about.game)


def add_trouble(
    app: App, session: Session, kind: str, said: str | OperatorError, about: About, offers: Sequence[Offer] = (),
    names: str = "",
) -> Entry:  # fmt: skip
    """Put a trouble or a player's words on the list. `names` says whom it is about, where that isn't one player.

    It goes to the first GM who may know of it; the second one gets the text of the mail. Where all of them play, the
    mail and the words of a move are kept back. Of an error the mail says the sentence in its own language.
    """
    game, row, player = about.game, about.mail, about.player
    readers = gms_of(app, session, game) if about.readers is None else about.readers
    reader = (*readers, app.settings.service.gm.address)[0]
    hidden = not readers and (about.readers is not None or kind in OF_A_MOVE)
    text = "" if hidden and kind in OF_A_MOVE else str(said)[:LONGEST_TEXT]
    shown = said.said_in(app.settings.service.language) if isinstance(said, OperatorError) else text
    is_second = reader != app.settings.service.gm.address
    context = {
        "kind": kind, "text": shown, "hidden": hidden, "player": names or (player.name if player else ""),
        "game": game.name if game else "", "mail": row.id if row else 0, "is_players": bool(row and player),
        "subject_line": row.subject if row else "", "do": (), "read": about.read[:LONGEST_TEXT] if is_second else "",
        "gm": gm_name(app), "is_second": is_second,
    }  # fmt: skip
    part = Part(template=rate_limits.NOTICE, context=context)
    entry = replace(add(app, session, kind, text, about, part, offers), reader=reader)
    if shown != text:
        entry.question.payload = {**entry.question.payload, "shown": shown}
    return entry


def with_lines(entry: Entry, lines: Sequence[Offer]) -> Entry:
    """Add the commands that do what the words wish: another ZAT may be sent back, all else is for the computer."""
    payload = entry.question.payload
    by_mail = [list(line) for line in lines if line[0] == "zat"]
    entry.question.payload = {
        **payload, "lines": [list(line) for line in lines], "offers": [*by_mail, *payload["offers"]]
    }  # fmt: skip
    do = [command_line(line) for line in lines if line[0] != "zat"]
    return replace(entry, part=replace(entry.part, context={**entry.part.context, "do": do}))


def add_unmailed(app: App, session: Session, kind: str, said: str | OperatorError, about: About) -> None:
    """Put something on the list without a mail about it."""
    shown = {"shown": said.said_in(app.settings.service.language)} if isinstance(said, OperatorError) else {}
    question = questions.add(app, session, kind, {"text": str(said)[:LONGEST_TEXT], **shown}, about)
    question.payload = {**question.payload, "offers": [["todo", "--done", question.code]]}
    session.add(question)


def close_all(app: App, session: Session, game: Game, but: Collection[str] = ()) -> None:
    """Close what the list holds about a game that is over, except these kinds."""
    for question in question_queries.open_for_gm_about(game):
        if question.kind not in but:
            questions.close(app, session, question, game.status)


# -- mails to the GM ---------------------------------------------------------------------------------------------------


def tell(
    app: App, session: Session, kind: str, said: str | OperatorError, about: About = NOTHING,
    offers: Sequence[Offer] = (), names: str = "",
) -> None:  # fmt: skip
    """Put a trouble on the list and mail it at once, see `add_trouble`."""
    send(app, session, [add_trouble(app, session, kind, said, about, offers, names)])


def send(app: App, session: Session, entries: Sequence[Entry], answers: MailIn | None = None) -> None:
    """Mail entries that belong together to the GM, in one mail: a mail received brings one, whatever it says.

    What a playing GM may not see goes to the second one. `answers` is the GM's mail whose thread they continue.
    """
    by_address: dict[str, list[Entry]] = {}
    for entry in entries:
        by_address.setdefault(_reader(app, session, entry).address, []).append(entry)
    for together in by_address.values():
        # What waits for a decision gives the mail its subject.
        in_order = sorted(together, key=lambda entry: entry.part.template == rate_limits.NOTICE)
        _send_together(app, session, in_order, answers)


def _send_together(app: App, session: Session, entries: Sequence[Entry], answers: MailIn | None) -> None:
    """Queue one mail with all entries; from then on a reply to it finds each of them."""
    first = entries[0]
    cause = first.question.payload.get("cause") or f"question:{first.question.id}"
    kind, game = first.part.template, first.game
    if len(entries) > 1:
        for question in (entry.question for entry in entries):
            question.payload = {**question.payload, "cause": cause, "mail_kind": kind}
            session.add(question)
        game = game if {entry.game and entry.game.id for entry in entries} == {game and game.id} else None
    to = _reader(app, session, first)
    written = [(_with_commands(entry, to.language, is_alone=len(entries) == 1), *entry.below) for entry in entries]
    parts = [part for of_entry in written for part in of_entry]
    rate_limits.send(app, session, Occasion(cause=cause, kind=kind, game=game, answers=answers), to, parts)


def _reader(app: App, session: Session, entry: Entry) -> Recipient:
    return gm_recipient(app, session, entry.game, entry.reader)


def _with_commands(entry: Entry, language: Language, *, is_alone: bool) -> Part:
    """Fill in the commands that may be sent back. A bare `Ja` can answer only an entry that is alone in its mail."""
    offered = entry.question.payload.get("offers", ())
    offers, to_tick_off = (
        [command_line(offer, language) for offer in offered],
        bool(offered and offered[0][0] == "todo"),
    )
    return replace(
        entry.part, context={**entry.part.context, "code": entry.question.code, "offers": offers,
                             "to_tick_off": to_tick_off, "is_alone": is_alone},
    )  # fmt: skip


def command_line(offer: Offer, language: Language = "en") -> str:
    """Write an offer as it is typed: `gm standby Eriwan "Anna Berg"`. What is to be filled in is in the language."""
    words = (SENTENCES["ADDRESS"][language] if word == _TO_FILL_IN else word for word in offer)
    return " ".join(["gm", *(f'"{word}"' if " " in word else word for word in words)])


def is_playing_alone(app: App, session: Session, game: Game) -> bool:
    """Check whether the GM plays in a game and no second GM can be shown a player's move."""
    return not gms_of(app, session, game)


def was_passed_on(
    app: App, session: Session, player: Player, text: str, *, within: timedelta = SAID_LATELY, but_numbers: bool = False
) -> bool:
    """Check whether these words of a player stood on the GM's list lately.

    With `but_numbers` a date or number may be another one.
    """
    asked = select(Question).where(
        Question.player_id == player.id, Question.kind == "text", col(Question.created_at) > app.now() - within
    )
    recent = session.exec(asked.order_by(col(Question.id).desc()).limit(MOST_COMPARED))
    said = (str(one.payload.get("text")) for one in recent)
    compared = _without_numbers if but_numbers else str
    return any(compared(one) == compared(text[:LONGEST_TEXT]) for one in said)


def _without_numbers(text: str) -> str:
    """Leave out the words with a digit in them: two notes of a robot differ in nothing else."""
    return " ".join(word for word in text.split() if not any(sign.isdigit() for sign in word))


def check_length(what: Literal["foreword", "note", "reason", "text"], text: str) -> None:
    """Check that what the GM tells the players fits into a mail. Raises Refused."""
    if len(text) > LONGEST_TEXT:
        raise Refused(say(f"gm_list.{what}_too_long", number=len(text), most=LONGEST_TEXT))


# -- words and clocks --------------------------------------------------------------------------------------------------


Waiting = Literal["move", "result", "nothing"]
"""What waits for a ruling; nothing: the game goes on, and the words count nothing until then."""


@dataclass(frozen=True, kw_only=True)
class Asked:
    """Words to rule on, and what the GM should know of them."""

    words: Sequence[str]
    waiting: Waiting = "nothing"
    played: Sequence[Played] = ()
    """The words of a game that is over."""
    mover: int | None = None
    """The seat whose move brings them."""
    move: Sequence[tuple[Text, Text]] = ()
    """That move, as its player has it confirmed. A GM who plays isn't shown it."""


def words_part(app: App, session: Session, game: Game, asked: Asked) -> Part:
    """Make the part of a mail that shows the GM words to rule on."""
    engine = app.engine(game.engine)
    context = {
        **game_mails.frame_context(app, game, engine, gm_recipient(app, session, game).language),
        "doubtful": list(asked.words), "waiting": asked.waiting, "rulings": rulings(game, asked.words),
        "played": claims_of([one for one in asked.played if one.status == "doubtful"]),
        "mover": Seat(asked.mover) if asked.mover else None,
        "move": () if is_playing_alone(app, session, game) else asked.move,
    }  # fmt: skip
    return Part(template="words", context=context, engine=engine, names=holder_queries.names_by_seat(session, game))


def rulings(game: Game, words: Sequence[str]) -> list[tuple[str, list[str]]]:
    """Write for each word the line that accepts it and the one that doesn't."""
    return [(word, [command_line(offer) for offer in rule_offers(game, [word])]) for word in words]


def ask_for_rulings(
    app: App, session: Session, game: Game, cause: str, doubtful: Sequence[str], played: Sequence[Played]
) -> None:
    """Mail the GM the doubtful words of a result with the lines to rule with."""
    asked = Asked(words=doubtful, waiting="result", played=played)
    send(app, session, [_words_entry(app, session, About(game=game, cause=cause), asked)])


def ask_about_words(app: App, session: Session, game: Game, cause: str, on_board: Collection[str]) -> None:
    """Mail the GM the doubtful words of a position that goes on, as far as nobody has asked about them.

    What was asked about moves on file, and lies nowhere now, needs no answer.
    """
    for question in question_queries.questions_about(game, "words"):
        if not {*on_board} & {*question.payload["words"]}:
            questions.close(app, session, question, "closed")
    if new := sorted({*on_board} - words_asked(game)):
        send(app, session, [_words_entry(app, session, About(game=game, cause=cause), Asked(words=new))])


def ask_about_filed(
    app: App, session: Session, about: About, seat: int, doubtful: Sequence[str], move: Sequence[tuple[Text, Text]]
) -> Entry | None:
    """Put the doubtful words of a move on file on the list, in place of those of the seat's move before it.

    Returns what is to be mailed; None where nothing new is doubtful.
    """
    assert about.game is not None
    before = [
        question for question in question_queries.questions_about(about.game, "words")
        if question.payload.get("seat") == seat
    ]  # fmt: skip
    for question in before:
        if not {*question.payload["words"]} <= {*doubtful}:
            questions.close(app, session, question, "replaced")
    new = sorted({*doubtful} - words_asked(about.game))
    if not new:
        return None
    entry = _words_entry(app, session, about, Asked(words=new, mover=seat, move=move))
    entry.question.payload = {**entry.question.payload, "seat": seat}
    return entry


def words_asked(game: Game) -> set[str]:
    """Collect the words that the GM has been asked about, without a ruling so far."""
    asked = question_queries.questions_about(game, "words")
    return {word for question in asked for word in question.payload["words"]}


def note_rulings(app: App, session: Session, game: Game, ruled: Collection[str]) -> list[tuple[Question, set[str]]]:
    """Take words that are ruled on off the list; returns the questions they stood in, each with its words of these."""
    asked = [
        (question, found) for question in question_queries.questions_about(game, "words")
        if (found := {*ruled} & {*question.payload["words"]})
    ]  # fmt: skip
    for question, _ in asked:
        left = [word for word in question.payload["words"] if word not in ruled]
        if left:
            text, offers = " ".join(left), [list(offer) for offer in rule_offers(game, left)]
            question.payload = {**question.payload, "words": left, "text": text, "offers": offers}
            session.add(question)
        else:
            questions.close(app, session, question, "ruled")
    return asked


def _words_entry(app: App, session: Session, about: About, asked: Asked) -> Entry:
    game, words = about.game, asked.words
    assert game is not None
    part = words_part(app, session, game, asked)
    entry = add(app, session, "words", " ".join(words), about, part, rule_offers(game, words))
    entry.question.payload = {**entry.question.payload, "words": list(words)}
    return entry


def rule_offers(game: Game, words: Sequence[str]) -> list[Offer]:
    """Return the two commands that rule on words."""
    return [("rule", game.name, verdict, *words) for verdict in ("accept", "reject")]


def mail_offers(row: MailIn) -> list[Offer]:
    """Give the two commands that let a mail be handled again, or discard it."""
    return [("mail", "retry", f"{row.id}"), ("mail", "drop", f"{row.id}")]


def clock_offers(game: Game) -> list[Offer]:
    """Return the two commands that let a held game go on. The span counts from today if the ZAT has passed."""
    return [("close", game.name), ("zat", game.name, "+3d")]
