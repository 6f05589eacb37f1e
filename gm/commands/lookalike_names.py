"""Names that look like another's: whoever signs up under one needs the GM's consent.

A letter of another script, an invisible character or another case can make a name look like somebody else's. What
looks alike is decided by Unicode's list of confusable characters (UTS 39).
"""

import unicodedata
from functools import cache
from typing import Final

from sqlmodel import Session, col, select

from games.api import say
from gm.app.context import App
from gm.commands.request import Request
from gm.messages import gm_list, questions
from gm.messages.outgoing import gm_name
from gm.messages.questions import About
from gm.runtime.errors import PlayerError
from gm.store.queries import question_queries
from gm.store.tables import Player, Question

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
    name = question.payload.get("written") or question.payload["name"]
    like = similar_name(app, session, name, question.address)
    if not like:
        return False
    request.refuse(say("NAME_LOOKS_ALIKE", gm=gm_name(app)))
    if entry is None:
        question.expires_at = None
        session.add(question)
        request.waiting = True
        text = "\n".join([f"{name} <{question.address}>", *_unusual_characters(name, like), like])
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
    """Find the GM or player for whom a newcomer can be taken by name; "" if there is none.

    A name equal to a player's is no look-alike: it gets a number (`gm.game.seats.newcomer`).
    """
    service, shape = app.settings.service, _appearance(name)
    contacts = [service.gm, *([service.second_gm] if service.second_gm else [])]
    if not questions.is_gm(app, address):
        gms = [contact.name or contact.address.partition("@")[0] for contact in contacts]
        for known in (*gms, service.name, *_THE_GM):
            if shape & _appearance(known):
                return known
        if any(_appearance(word) & _appearance("GM") for word in name.split()):
            return "GM"
    plain = " ".join(unicodedata.normalize("NFC", name).split())
    others = session.exec(select(Player.name).order_by(col(Player.id)))
    return next((known for known in others if known != plain and shape & _appearance(known)), "")


def _unusual_characters(name: str, like: str) -> list[str]:
    """List the characters that the other name doesn't have; they may be invisible."""
    found = dict.fromkeys(character for character in name if character not in like and not character.isascii())
    return [f"U+{ord(character):04X} {unicodedata.name(character, '?')}" for character in found]


def _appearance(name: str) -> frozenset[str]:
    """Reduce a name to what it looks like, as written and in small letters: an I looks like an l, an i doesn't.

    Blanks and invisible characters don't count.
    """
    seen = "".join(c for c in unicodedata.normalize("NFKD", name) if unicodedata.category(c)[0] not in "CZP")
    small = "".join(_prototype(character) for character in unicodedata.normalize("NFD", seen.casefold()))
    as_it_stands = "".join(_prototype(character) for character in seen)
    return frozenset(shape for shape in (small.casefold(), as_it_stands.casefold()) if shape)


@cache
def _prototype(character: str) -> str:
    """Return the character that stands for all that look like this one."""
    # Loaded with the first newcomer: nothing else needs this list of a megabyte.
    from confusable_homoglyphs.confusables import confusables_data

    alike = [one["c"] for one in confusables_data.get(character, ())]
    if len(alike) != 1:  # it stands for itself, and perhaps for many others
        return character
    is_a_pair = len(confusables_data.get(alike[0], ())) == 1
    return min(character, alike[0]) if is_a_pair else str(alike[0])
