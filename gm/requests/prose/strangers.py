"""What strangers write that we don't read: it reaches the GM where it is about a game, the zine, or a mail of ours."""

import re
from datetime import datetime
from typing import Final

from games import engines
from gm.game.people.name_rules import titles_and_aliases
from gm.messages import gm_list
from gm.messages.questions import About
from gm.messages.rate_limits import DAY
from gm.requests.request import Request
from gm.store.queries import question_queries, thread_queries

WORDS: Final = "visitor"
"""The kind of entry with what a stranger writes."""
MORE: Final = "visitors"
"""The kind of the entry that counts the others of a day."""
MOST: Final = 5
"""So many mails of strangers a day are put before the GM one by one."""


def pass_on(request: Request) -> None:
    """Put a stranger's words on the GM's list, if they are about anything here; the GM may answer them."""
    words = "\n".join(filter(None, (request.mail.subject, request.reading.free_text)))
    if request.mark or not request.reading.free_text:
        return
    game = min(request.games, key=lambda one: one.name_key, default=None)
    if game is None and not (_names_us(request, words) or _answers_us(request)):
        return
    since = request.app.now() - DAY
    about = About(mail=request.row, game=game)
    if question_queries.count_listed(request.session, WORDS, since) < MOST:
        entry = gm_list.add_trouble(
            request.app, request.session, WORDS, request.reading.free_text, about, names=request.mail.sender
        )
        request.for_gm.append(entry)
    else:
        _count(request, since)


def _count(request: Request, since: datetime) -> None:
    """Note one more on the one entry of the day."""
    session = request.session
    entry = question_queries.last_listed(session, MORE, since)
    if entry is None:
        request.for_gm.append(gm_list.add_trouble(request.app, session, MORE, "1", About(mail=request.row)))
    else:
        entry.payload = {**entry.payload, "text": str(int(entry.payload["text"]) + 1)}
        session.add(entry)


def _names_us(request: Request, words: str) -> bool:
    """Whether the words name a kind of game, or the zine."""
    titles = (title for engine in engines().values() for title in titles_and_aliases(engine))
    names = "|".join(map(re.escape, (*titles, request.app.settings.service.name)))
    return re.search(rf"\b(?:{names})\b", " ".join(words.split()), re.IGNORECASE) is not None


def _answers_us(request: Request) -> bool:
    mail = request.mail
    return bool(thread_queries.mails_of_thread(request.session, (mail.in_reply_to, *mail.references), {mail.sender}))
