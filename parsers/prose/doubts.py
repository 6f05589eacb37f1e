"""Doubts about a mail that seems to hold one plain wish: it may hold a second one, or tell of somebody else's absence.

Whoever asks for two things is never given one of them as if it were all: both go to the GM.
"""

import re
from collections.abc import Sequence
from typing import Final

from parsers.lines.calendar_words import plain_words
from parsers.prose.clauses import SMALL_TALK, Clause
from parsers.prose.topic_words import COVERS, kinds_in
from parsers.prose.vocabulary.english_rules import VOCABULARIES
from parsers.prose.vocabulary.meanings import IMPLIED, Meant

_LEADING: Final = (
    r"(?:(?:und|and|dann|danach|then|also|ausserdem|auch|zudem|bitte|please|vorher|vorab|doch|noch|gleich|just|second|zweitens)"
    r"\s+)*"
)
ORDER = re.compile(
    rf"{_LEADING}(?:(?:schick\w?|sende?t?|send)\s+(?=mir|uns|me|us)|(?:loesch\w?|trag\w?|nimm|nehmt|nenn\w?|stell\w?|setz\w?|streich\w?|melde?|lass\w?"
    r"|zeig\w?|mach\w?|kuendig\w?|bestell\w?|verlaenger\w?|verschieb\w?|aender\w?|schau\w?|guck\w?|pruef\w?"
    r"|delete|cancel|check|look|scratch|strike|switch|leave|join|put|drop|turn|sign|stop|add|take|extend|show|change|shorten|rename|watch|move"
    r"|unsubscribe|remove|register|enter|call|withdraw|mark)\s+)"
    r"(?!care\b|dich\b|euch\b|sie sich\b|es gut\b|dir\b|you\b)\w"
)
"""How an order begins."""
COURTESY = re.compile(
    r"\b(?:bescheid|wissen|let me know|regards?|love|greetings|gruesse?|nicht uebel|krumm|sorgen|geduld|weiter so"
    r"|nichts|spass|your time|no rush|good (?:work|care)|a drink|coffee|kaffee)\b"
)
"""In an order that isn't one."""
WISHED = re.compile(
    r"\b(?:bitte|please|gern|gerne|moechte|will|want|need|brauche|would like|i'd like|haette|auf|aus|off|stop"
    r"|to|as|als)\b"
)
"""Beside the words of another kind of wish, one of these makes a second wish."""
ASKED = re.compile(r"(?:wie|was|wann|wo|wer|welche\w*|how|what|when|where|who|which)\b")
PLAIN_KINDS: Final = frozenset(["archive_name", "english", "german", "my_data", "forget", "withdraw", "standby"])
"""Kinds whose words nobody says by the way."""
ONE_MATTER: Final = frozenset(["english", "german"])
"""`Ich bekomme alles auf Englisch, bitte auf Deutsch.`"""
FRAGMENT = re.compile(
    r"(?:(?:bei|fuer|in|aus|von|for|from|at)\s)?(?:\w+\s){1,3}(?:an|ab|ein|aus|auf|rein|raus|mit|instead)"
    r"|(?:bei|in|fuer)\s(?:\w+\s){1,2}nicht mehr"
    r"|(?:up|out|off|into|onto)\s(?:(?:of|for|from)\s)?\w+"
    r"|.*\b(?:kuerzen|aendern|loeschen|streichen|abbrechen|abmelden|anmelden|verlaengern|verschieben|schicken|senden"
    r"|zusenden|eintragen|austragen|abbestellen|ausschalten|einschalten|umstellen)"
)
"""What is left of a second wish that shares its verb or names nobody: `für Kiew an`, `up for Kiew`, `Name kürzen`."""
OWN_WORDS: Final = frozenset("danke ich mich mir mein meine wir i me my we viel fuehrt viele alles gut das es".split())  # noqa: SIM905
"""With one of these a clause is no such rest."""
LIKEWISE = re.compile(r"(?:\w+\s){1,3}(?:auch|too|ebenfalls|as well)|so (?:does|do|is|can|will|would) .*")
"""What is said of something else as well: `bei Eriwan auch`, `so does my brother`."""
OF_SPEAKER: Final = frozenset("danke dir euch ihnen ich mich mir wir i me we you das es it".split())  # noqa: SIM905

KIN: Final = (
    r"frau|mann|bruder|schwester|schwager|schwaegerin|sohn|tochter|vater|mutter|papa|mama|opa|oma|onkel|tante|neffe|nichte"
    r"|cousine?|vetter|enkel\w*|kolleg\w+|freund\w*|nachbar\w*|chef\w*|partner\w*|mitspieler\w*|mitbewohner\w*|lehrer\w*"
    r"|wife|husband|brother|sister|son|daughter|father|mother|dad|mum|mom|uncle|aunt|nephew|niece|cousin|grand\w+"
    r"|colleague|friend|neighbou?r|boss|flatmate|teammate|kumpel|familie|family"
)
PERSON = re.compile(
    rf"\b(?:herrn?|frau|mr|mrs|ms|miss|er|he|she|they)\b"
    rf"|\b(?:mein|dein|sein|ihr|unser|my|our|his|her|your|der|die|the)(?:e|en|er|em)? (?:\w+ )?(?:{KIN})\b"
)
OF_NAME = re.compile(
    r"(?:\w+ )?(?:für|for|von|from|der|die) [A-ZÄÖÜ]\w+|[A-ZÄÖÜ]\w+ (?:und|and) [A-ZÄÖÜ]\w+", re.IGNORECASE
)
HEADED = re.compile(r"^[^\S\n]*(?:\w+ ){0,2}(?P<name>[A-ZÄÖÜ][\w-]+):", re.MULTILINE)
"""Before a colon stands whose words follow, or a game."""
OTHERS_VERB = re.compile(r"\b(?:ist|hat|liegt|faehrt|fliegt|geht|is|has|goes|isn't|hasn't)\b")
OWN_ABSENCE = re.compile(
    r"\b(?:mein|unser|my|our)\w{0,2} (?:\w+ )?(?:\w*(?:urlaub|ferien|reise|zeit|net|netz|wlan)|rechner|computer"
    r"|laptop|pc|handy|holidays?|vacation|trip|phone)\b"
)
AT_HOME = re.compile(r"\b(?:hier|bei (?:mir|uns)|here at|over here|internet|wlan)\b")
"""With one of these `ist` says nothing of another person."""
OWN: Final = frozenset(["i", IMPLIED, "we"])


def asks_more(clause: Clause, kind: str) -> bool:
    """Return whether a clause beside a wish of a kind asks for something else."""
    plain = plain_words(clause.text)
    words = {*plain.split()}
    if SMALL_TALK.search(plain):
        return False
    if ORDER.match(plain) and not COURTESY.search(plain):
        return True
    others = {
        other for other in kinds_in(plain) if not {kind, other} <= ONE_MATTER and kind not in COVERS.get(other, ())
    }
    others -= {kind, *(COVERS.get(kind, frozenset()) - {"digest"})}
    if others & PLAIN_KINDS or (others and (clause.is_question or ASKED.match(plain) or WISHED.search(plain))):
        return True
    is_rest = FRAGMENT.fullmatch(plain) and not OWN_WORDS & words
    return bool(is_rest or (LIKEWISE.fullmatch(plain) and not OF_SPEAKER & words))


def is_absent_other(text: str, clause: Clause, meant: Sequence[Meant], beside: Sequence[Clause]) -> bool:
    """Return whether the days of a clause may be those on which somebody else is away.

    Who says `ich` or `wir` means it; what has no subject is the sender's only where nobody else is named.
    """
    plain = plain_words(clause.text)
    if any(OWN & one.meanings for one in meant) or OWN_ABSENCE.search(plain):
        return False
    if OTHERS_VERB.search(plain) and not AT_HOME.search(plain):
        return True
    named = (PERSON.search(plain_words(one.text)) or OF_NAME.fullmatch(one.text.strip()) for one in (*beside, clause))
    heads = {plain_words(found["name"]) for found in HEADED.finditer(text)}
    return any(named) or any(not any(head in of.known for of in VOCABULARIES.values()) for head in heads)
