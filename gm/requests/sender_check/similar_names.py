"""Names that can be taken for another's: whoever signs up under one needs the GM's consent.

These are names that differ from another's only in case, blanks, hyphens, what nobody sees and other signs, or in how a
letter is encoded; names that mix the letters of two scripts; and N. N., which is the name of those who were forgotten.
"""

import unicodedata
from typing import Final

from sqlmodel import Session, col, select

from games.api import say
from gm.app.context import App
from gm.game.people.name_rules import is_nobodys, letters_of
from gm.messages import gm_list, questions
from gm.messages.outgoing import gm_name
from gm.messages.questions import About
from gm.requests.request import Request
from gm.runtime.errors import PlayerError
from gm.store.queries import question_queries
from gm.store.queries.player_queries import NOBODY
from gm.store.tables import Player, Question
from parsers.invisible import in_one_line

_THE_GM: Final = ("GM", "Spielleiter", "Spielleiterin", "Spielleitung", "Game Master")


def is_left_to_gm(request: Request, question: Question) -> bool:
    """Let a newcomer's `Ja` wait for the GM if the name can be taken for another's, unless the GM has allowed it.

    The mail waits then: `gm mail retry` carries it out, `gm mail drop` doesn't. Raises PlayerError where the GM has
    said no.
    """
    app, session, row = request.app, request.session, request.row
    entry = _entry(session, question)
    if entry and entry.answered_at is not None and entry.answer == "dropped":
        raise PlayerError(say("ANSWERED_ALREADY"))
    if entry and entry.mail_id == row.id:
        return False  # tried again by the GM
    name, written = question.payload["name"], question.payload.get("written") or question.payload["name"]
    like = similar_name(app, session, written, question.address) or similar_name(app, session, name, question.address)
    if not like and not mixes_scripts(written):
        return False
    request.refuse(say("NAME_TO_CHECK", gm=gm_name(app)))
    if entry is None:
        question.expires_at = None
        session.add(question)
        request.waiting = True
        text = "\n".join(
            [f"{written} <{question.address}>", *_unusual_characters(written, like), *filter(None, [like])]
        )
        noted = gm_list.add_trouble(
            app, session, question_queries.SIMILAR_NAME, text, About(mail=row), gm_list.mail_offers(row), names=like
        )
        noted.question.payload = {**noted.question.payload, "question": question.id}
        request.for_gm.append(noted)
    return True


def _entry(session: Session, question: Question) -> Question | None:
    rows = select(Question).where(
        Question.kind == question_queries.SIMILAR_NAME, Question.created_at >= question.created_at
    )
    return next((one for one in session.exec(rows) if one.payload.get("question") == question.id), None)


def similar_name(app: App, session: Session, name: str, address: str) -> str:
    """Find the GM or player for whom a newcomer can be taken by name, N. N. for the forgotten; "" if there is none.

    A name equal to a player's is not similar: it gets a number (`gm.game.people.lookup.register_newcomer`).
    """
    service, key = app.settings.service, letters_of(name)
    contacts = [service.gm, *([service.second_gm] if service.second_gm else [])]
    if not key:
        return ""
    if is_nobodys(name):
        return NOBODY
    if not questions.is_gm(app, address):
        gms = [contact.name or contact.address.partition("@")[0] for contact in contacts]
        if known := next((known for known in (*gms, service.name, *_THE_GM) if key == letters_of(known)), ""):
            return known
        if any(letters_of(word) == letters_of("GM") for word in name.split()):
            return "GM"
    plain = " ".join(unicodedata.normalize("NFC", name).split())
    others = session.exec(select(Player.name).order_by(col(Player.id)))
    return next((known for known in others if known != plain and key == letters_of(known)), "")


def mixes_scripts(name: str) -> bool:
    """Whether a name has letters of two scripts: one of them may look like a letter of the other."""
    letters = (
        c
        for c in unicodedata.normalize("NFKC", in_one_line(name))
        if unicodedata.category(c) in ("Lu", "Ll", "Lt", "Lo")
    )
    return len({unicodedata.name(letter, "?").split()[0] for letter in letters}) > 1


def _unusual_characters(name: str, like: str) -> list[str]:
    """List the characters that the other name doesn't have; they may be invisible."""
    found = dict.fromkeys(character for character in name if character not in like and not character.isascii())
    return [f"U+{ord(character):04X} {unicodedata.name(character, '?')}" for character in found]
