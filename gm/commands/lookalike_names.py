"""Names that look like another's: who signs up under one plays only when the GM says so.

A letter of another script, an invisible character or another case makes a name that a reader takes for somebody
else's. What looks alike is decided by Unicode's list of confusable characters (UTS 39).
"""

import unicodedata
from functools import cache
from typing import Final

from sqlmodel import Session, col, select

from games.api import say
from gm.app.context import App
from gm.commands.request import Incoming
from gm.messages import gm_list, questions
from gm.messages.outgoing import gm_name
from gm.messages.questions import About
from gm.runtime.errors import PlayerError
from gm.store.queries import question_queries
from gm.store.tables import Player, Question

_THE_GM: Final = ("GM", "Spielleiter", "Spielleiterin", "Spielleitung", "Game Master")


def is_left_to_gm(incoming: Incoming, question: Question) -> bool:
    """Put a newcomer's `Ja` before the GM if the name can be taken for another's, unless the GM has let it through.

    The mail waits then: `gm mail retry` carries it out, `gm mail drop` doesn't. Raises PlayerError where the GM has
    said no.
    """
    app, session, row = incoming.app, incoming.session, incoming.row
    entry = _entry(session, question)
    if entry and entry.answered_at is not None and entry.answer == "dropped":
        raise PlayerError(say("ANSWERED_ALREADY"))
    if entry and entry.mail_id == row.id:
        return False  # tried again by the GM
    name = question.payload.get("written") or question.payload["name"]
    like = whose(app, session, name, question.address)
    if not like:
        return False
    incoming.notice(say("NAME_LOOKS_ALIKE", gm=gm_name(app)))
    if entry is None:
        question.expires_at = None
        session.add(question)
        incoming.waits = True
        offers = [("mail", "retry", f"{row.id}"), ("mail", "drop", f"{row.id}")]
        text = "\n".join([f"{name} <{question.address}>", *_peculiar(name, like), like])
        told = gm_list.add_trouble(app, session, question_queries.ALIKE, text, About(mail=row), offers, names=like)
        told.question.payload = {**told.question.payload, "question": question.id}
        incoming.for_gm.append(told)
    return True


def _entry(session: Session, question: Question) -> Question | None:
    rows = select(Question).where(Question.kind == question_queries.ALIKE, Question.created_at >= question.created_at)
    return next((one for one in session.exec(rows) if one.payload.get("question") == question.id), None)


def whose(app: App, session: Session, name: str, address: str) -> str:
    """Name the GM or the player whom a newcomer's name can be taken for, "" if there is none.

    The very same name is no look-alike of a player's: it gets a number (`gm.players.lookup.register_newcomer`).
    """
    service, shape = app.settings.service, _shape(name)
    contacts = [service.gm, *([service.second_gm] if service.second_gm else [])]
    if not questions.is_gm(app, address):
        gms = [contact.name or contact.address.partition("@")[0] for contact in contacts]
        for known in (*gms, service.name, *_THE_GM):
            if shape & _shape(known):
                return known
        if any(_shape(word) & _shape("GM") for word in name.split()):
            return "GM"
    plain = " ".join(unicodedata.normalize("NFC", name).split())
    others = session.exec(select(Player.name).order_by(col(Player.id)))
    return next((known for known in others if known != plain and shape & _shape(known)), "")


def _peculiar(name: str, like: str) -> list[str]:
    """Name the characters of a name that the other doesn't have, as nobody may see them."""
    found = dict.fromkeys(character for character in name if character not in like and not character.isascii())
    return [f"U+{ord(character):04X} {unicodedata.name(character, '?')}" for character in found]


def _shape(name: str) -> frozenset[str]:
    """Say what a name looks like, letter by letter, as it stands and in small letters: an I is like an l, an i isn't.

    Blanks, and what can't be seen, don't count.
    """
    seen = "".join(c for c in unicodedata.normalize("NFKD", name) if unicodedata.category(c)[0] not in "CZP")
    small = "".join(_prototype(character) for character in unicodedata.normalize("NFD", seen.casefold()))
    as_it_stands = "".join(_prototype(character) for character in seen)
    return frozenset(shape for shape in (small.casefold(), as_it_stands.casefold()) if shape)


@cache
def _prototype(character: str) -> str:
    """Give the character that stands for all that look like this one."""
    # Loaded with the first newcomer: a second list of a megabyte is nothing for every command.
    from confusable_homoglyphs.confusables import confusables_data

    alike = [one["c"] for one in confusables_data.get(character, ())]
    if len(alike) != 1:  # it stands for itself, and perhaps for many others
        return character
    is_a_pair = len(confusables_data.get(alike[0], ())) == 1
    return min(character, alike[0]) if is_a_pair else str(alike[0])
